// World models as differences from the game's state (GOB-07).
#include "ploy/decide/goap_diffs.h"

#include "tests/decide/goap_test.h"

enum { DIFFS_VARS = 6, DIFFS_ACTIONS = 12 };

typedef struct diffs_game {
    int32_t values[DIFFS_VARS];
    int32_t reads;
} diffs_game;

static int32_t diffs_read(void *user, const ploy_goap_type *type, ploy_goap_var var) {
    diffs_game *game = user;
    (void)type;
    game->reads++;
    return game->values[var.number - 1];
}

static bool diffs_even(void *user, const ploy_goap_type *type, const uint64_t *world) {
    ploy_goap_var first = {1};
    (void)user;
    return ploy_goap_world_get(type, world, first) % 2 == 0;
}

// Random needs and changes over numbers of 0 to 9.
static ploy_result diffs_make(ploy_rng *rng, const ploy_env *env, ploy_goap_type **out) {
    ploy_result result = ploy_goap_type_create(env, out);
    if (result != PLOY_OK) return result;
    ploy_goap_var vars[DIFFS_VARS];
    for (int32_t i = 0; i < DIFFS_VARS; i++) {
        char id[8];
        snprintf(id, sizeof id, "v%d", (int)i);
        vars[i] = ploy_goap_type_int(*out, id, 0, 9);
    }
    for (int32_t i = 0; i < DIFFS_ACTIONS; i++) {
        char id[8];
        snprintf(id, sizeof id, "a%d", (int)i);
        ploy_goap_action action = ploy_goap_action_make(id, 1.0);
        int32_t at = ploy_rng_int(rng, 0, DIFFS_VARS - 1);
        ploy_goap_need need = ploy_goap_need_make(vars[at], (ploy_goap_test)ploy_rng_int(rng, 0, 3),
                                                  ploy_rng_int(rng, 0, 9));
        ploy_goap_gain gains[] = {
            ploy_goap_add_to(vars[(at + 1) % DIFFS_VARS], ploy_rng_int(rng, -4, 4)),
            ploy_goap_set_to(vars[(at + 3) % DIFFS_VARS], ploy_rng_int(rng, 0, 9))};
        action.needs = &need;
        action.need_count = 1;
        action.gains = gains;
        action.gain_count = 2;
        if (i % 4 == 0) action.allowed = diffs_even;
        (void)ploy_goap_type_action(*out, &action);
    }
    return goap_test_finish(out);
}

TEST(differences_behave_like_a_packed_world) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        t->seed = (uint64_t)seed;
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_goap_type *type = NULL;
        CHECK_OK(diffs_make(&rng, &env, &type));
        diffs_game game = {{0}, 0}, before;
        for (int32_t i = 0; i < DIFFS_VARS; i++) game.values[i] = ploy_rng_int(&rng, 0, 9);
        before = game;
        ploy_goap_source source = {diffs_read, &game};
        ploy_goap_diffs *diffs = NULL;
        CHECK_OK(ploy_goap_diffs_create(type, &source, &env, &diffs));
        uint64_t world[4], packed[4], again[4];
        CHECK(ploy_goap_type_words(type) <= 4);
        ploy_goap_diffs_pack(diffs, world);
        for (int32_t step = 0; step < 30; step++) {
            int32_t possible[DIFFS_ACTIONS], count = 0;
            for (int32_t i = 0; i < DIFFS_ACTIONS; i++) { // as the packed world allows
                int32_t plan[] = {i};
                if (ploy_goap_plan_check(type, world, NULL, 0, plan, 1, again, NULL) == -1) {
                    possible[count++] = i;
                }
            }
            int32_t action = -1;
            for (int32_t i = 0; i < count; i++) {
                action = ploy_goap_diffs_next(diffs, action);
                CHECK_INT(action, possible[i]);
            }
            CHECK_INT(ploy_goap_diffs_next(diffs, action), -1);
            if (count == 0) break;
            action = possible[ploy_rng_int(&rng, 0, count - 1)];
            ploy_goap_world_apply(type, world, action);
            CHECK_OK(ploy_goap_diffs_apply(diffs, action));
            ploy_goap_diffs_pack(diffs, packed);
            CHECK_BYTES(packed, world, (size_t)ploy_goap_type_words(type) * sizeof *world);
            int32_t listed = 0;
            const ploy_goap_difference *list = ploy_goap_diffs_list(diffs, &listed);
            for (int32_t i = 0; i < listed; i++) {
                CHECK(list[i].value != game.values[list[i].var.number - 1]);
                CHECK(i == 0 || list[i - 1].var.number < list[i].var.number);
            }
        }
        CHECK_BYTES(game.values, before.values, sizeof game.values); // the game stays as it is
        ploy_goap_diffs_destroy(diffs);
        ploy_goap_type_destroy(type);
    }
}

TEST(equal_worlds_have_equal_lists_and_hashes) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(3);
    ploy_goap_type *type = NULL;
    CHECK_OK(diffs_make(&rng, &env, &type));
    diffs_game game = {{1, 2, 3, 4, 5, 6}, 0};
    ploy_goap_source source = {diffs_read, &game};
    ploy_goap_diffs *a = NULL, *b = NULL;
    CHECK_OK(ploy_goap_diffs_create(type, &source, &env, &a));
    CHECK_OK(ploy_goap_diffs_create(type, &source, &env, &b));
    ploy_goap_var first = {1}, third = {3}, none = {0};
    CHECK_OK(ploy_goap_diffs_set(a, third, 9));
    CHECK_OK(ploy_goap_diffs_set(a, first, 0));
    CHECK(!ploy_goap_diffs_same(a, b));
    CHECK_OK(ploy_goap_diffs_set(b, first, 7));
    CHECK_OK(ploy_goap_diffs_set(b, first, 0));
    CHECK_OK(ploy_goap_diffs_set(b, third, 9));
    CHECK(ploy_goap_diffs_same(a, b));
    CHECK(ploy_goap_diffs_hash(a) == ploy_goap_diffs_hash(b));
    CHECK_OK(ploy_goap_diffs_set(b, first, 1)); // what the game has: no difference
    int32_t count = 0;
    (void)ploy_goap_diffs_list(b, &count);
    CHECK_INT(count, 1);
    CHECK(!ploy_goap_diffs_same(a, b));
    CHECK_OK(ploy_goap_diffs_copy(b, a));
    CHECK(ploy_goap_diffs_same(a, b));
    game.reads = 0;
    CHECK_INT(ploy_goap_diffs_get(b, third), 9); // from the list: the game is not asked
    CHECK_INT(game.reads, 0);
    ploy_goap_var second = {2};
    CHECK_INT(ploy_goap_diffs_get(b, second), 2);
    CHECK_INT(game.reads, 1);
    game.values[1] = 100; // out of range: cut
    CHECK_INT(ploy_goap_diffs_get(b, second), 9);
    CHECK_INT(ploy_goap_diffs_get(b, none), 0);
    CHECK_INT(ploy_goap_diffs_set(b, none, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_goap_diffs_set(b, first, 10), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_goap_diffs_apply(b, DIFFS_ACTIONS), PLOY_ERR_ARGUMENT);
    ploy_goap_diffs_destroy(a);
    ploy_goap_diffs_destroy(b);
    ploy_goap_type_destroy(type);
}

static ploy_result diffs_build(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_rng rng = ploy_rng_make(3);
    ploy_goap_type *type = NULL;
    ploy_goap_diffs *a = NULL, *b = NULL;
    diffs_game game = {{1, 2, 3, 4, 5, 6}, 0};
    ploy_goap_source source = {diffs_read, &game};
    ploy_result result = diffs_make(&rng, env, &type);
    if (result == PLOY_OK) result = ploy_goap_diffs_create(type, &source, env, &a);
    if (result == PLOY_OK) result = ploy_goap_diffs_create(type, &source, env, &b);
    for (int32_t i = 0; i < 8 && result == PLOY_OK; i++) result = ploy_goap_diffs_apply(a, i);
    if (result == PLOY_OK) result = ploy_goap_diffs_copy(b, a);
    ploy_goap_diffs_destroy(a);
    ploy_goap_diffs_destroy(b);
    ploy_goap_type_destroy(type);
    return result;
}

TEST(models_survive_running_out_of_memory) {
    CHECK_FAIL_NTH(diffs_build, NULL);
}
