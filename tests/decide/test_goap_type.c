// Domains and worlds of the planner: packing, tests, changes, and definitions that are refused.
#include "decide/decide_internal.h"
#include "tests/decide/goap_test.h"

TEST(worlds_keep_every_value_of_every_variable) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_goap_type *type = NULL;
        CHECK_OK(ploy_goap_type_create(&env, &type));
        ploy_goap_var vars[40];
        int32_t min[40], max[40], want[40];
        for (int32_t i = 0; i < 40; i++) {
            char name[16];
            snprintf(name, sizeof name, "v%d", (int)i);
            min[i] = ploy_rng_int(&rng, -1000, 1000);
            max[i] = min[i] + ploy_rng_int(&rng, 1, i % 3 == 0 ? 60000 : 3);
            vars[i] = ploy_goap_type_int(type, name, min[i], max[i]);
            CHECK(vars[i].number != 0);
            want[i] = min[i];
        }
        CHECK_OK(ploy_goap_type_finish(type));
        uint64_t world[40];
        CHECK(ploy_goap_type_words(type) <= 40);
        ploy_goap_world_clear(type, world);
        for (int32_t k = 0; k < 500; k++) {
            int32_t i = ploy_rng_int(&rng, 0, 39);
            want[i] = ploy_rng_int(&rng, min[i], max[i]);
            CHECK_OK(ploy_goap_world_set(type, world, vars[i], want[i]));
            int32_t look = ploy_rng_int(&rng, 0, 39);
            CHECK_INT(ploy_goap_world_get(type, world, vars[look]), want[look]);
        }
        CHECK_INT(ploy_goap_world_set(type, world, vars[0], max[0] + 1), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_goap_world_set(type, world, vars[0], min[0] - 1), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_goap_world_get(type, world, vars[0]), want[0]);
        ploy_goap_type_destroy(type);
    }
}

TEST(needs_by_bits_are_needs_by_value) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(60); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_goap_type *type = goap_make_random(t, &rng, false, false, &env);
        uint64_t world = 0;
        for (int32_t k = 0; k < 50; k++) {
            int32_t a = ploy_rng_int(&rng, 0, GOAP_TEST_ACTIONS - 1);
            ploy_goap_action action;
            CHECK(ploy_goap_type_action_at(type, a, &action));
            CHECK_INT(ployi_goap_world_allows(type, &world, a),
                      ployi_goap_world_holds(type, &world, action.needs, action.need_count));
            ploy_goap_world_apply(type, &world, a);
        }
        ploy_goap_type_destroy(type);
    }
}

TEST(changes_stop_at_the_ends_of_a_range) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(ploy_goap_type_create(&env, &type));
    ploy_goap_var hunger = ploy_goap_type_int(type, "hunger", 0, 5);
    ploy_goap_gain less = ploy_goap_add_to(hunger, -4), more = ploy_goap_add_to(hunger, INT32_MAX);
    ploy_goap_action eat = ploy_goap_action_make("eat", 1.0),
                     wait = ploy_goap_action_make("wait", 1.0);
    eat.gains = &less;
    eat.gain_count = 1;
    wait.gains = &more;
    wait.gain_count = 1;
    CHECK_INT(ploy_goap_type_action(type, &eat), 0);
    CHECK_INT(ploy_goap_type_action(type, &wait), 1);
    CHECK_OK(ploy_goap_type_finish(type));
    uint64_t world = 0;
    CHECK_OK(ploy_goap_world_set(type, &world, hunger, 3));
    ploy_goap_world_apply(type, &world, 0); // 3 - 4 is 0
    CHECK_INT(ploy_goap_world_get(type, &world, hunger), 0);
    ploy_goap_world_apply(type, &world, 1);
    CHECK_INT(ploy_goap_world_get(type, &world, hunger), 5);
    ploy_goap_type_destroy(type);
}

TEST(faults_of_a_domain_stay_and_the_first_is_told) {
    static const char *const rows[] = {
        "an empty range",  "a range too large",   "two of a name",     "no name",
        "a negative cost", "NaN as cost",         "a need of nothing", "a gain of nothing",
        "a gain twice",    "a gain out of range", "no variable"};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i];
        ploy_goap_type *type = NULL;
        CHECK_OK(ploy_goap_type_create(&env, &type));
        ploy_goap_var a = {0}, none = {0};
        if (i != 10) a = ploy_goap_type_bool(type, "a");
        ploy_goap_need need = ploy_goap_is(i == 6 ? none : a, 1);
        ploy_goap_gain gains[] = {ploy_goap_set_to(i == 7 ? none : a, i == 9 ? 2 : 1),
                                  ploy_goap_set_to(a, 0)};
        ploy_goap_action action = ploy_goap_action_make("act", i == 4 ? -1.0 : i == 5 ? NAN : 1.0);
        action.needs = &need;
        action.need_count = 1;
        action.gains = gains;
        action.gain_count = i == 8 ? 2 : 1;
        if (i == 0) CHECK_INT(ploy_goap_type_int(type, "n", 3, 3).number, 0);
        if (i == 1) CHECK_INT(ploy_goap_type_int(type, "n", INT32_MIN, INT32_MAX).number, 0);
        if (i == 2) CHECK_INT(ploy_goap_type_bool(type, "a").number, 0);
        if (i == 3) CHECK_INT(ploy_goap_type_bool(type, "").number, 0);
        if (i >= 4 && i <= 9) CHECK_INT(ploy_goap_type_action(type, &action), -1);
        CHECK(ploy_goap_type_finish(type) < PLOY_OK);
        ploy_goap *goap = NULL;
        ploy_goap_def def = ploy_goap_def_default();
        CHECK_INT(ploy_goap_create(&def, type, &env, &goap), PLOY_ERR_STATE);
        ploy_goap_type_destroy(type);
    }
}

static ploy_result make_type(const ploy_env *env, void *arg) {
    static const char *const doors[] = {"open", "shut", "locked"};
    ploy_goap_type *type = NULL;
    (void)arg;
    ploy_result result = ploy_goap_type_create(env, &type);
    if (result != PLOY_OK) return result;
    (void)ploy_goap_type_choice(type, "door", doors, 3);
    result = ploy_goap_type_finish(type);
    ploy_goap_type_destroy(type);
    if (result != PLOY_OK) return result;
    result = goap_make_kitchen(env, 3, &type);
    ploy_goap_type_destroy(type);
    return result;
}

TEST(building_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(make_type, NULL);
}

TEST(needs_print_as_words) {
    static const char *const doors[] = {"open", "shut", "locked"};
    static const char *const want[] = {"not lit", "door = locked", "gold >= 3", "gold is not 2"};
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(ploy_goap_type_create(&env, &type));
    ploy_goap_var door = ploy_goap_type_choice(type, "door", doors, 3);
    ploy_goap_var lit = ploy_goap_type_bool(type, "lit");
    ploy_goap_var gold = ploy_goap_type_int(type, "gold", 0, 9);
    CHECK_OK(ploy_goap_type_finish(type));
    const ploy_goap_need needs[] = {ploy_goap_is(lit, 0), ploy_goap_is(door, 2),
                                    ploy_goap_need_make(gold, PLOY_GOAP_AT_LEAST, 3),
                                    ploy_goap_need_make(gold, PLOY_GOAP_DIFFERENT, 2)};
    for (size_t i = 0; i < COUNT_OF(needs); i++) {
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        ployi_goap_need_print(type, needs[i], &writer);
        CHECK_TEXT(ploy_buffer_text(&buffer), want[i]);
        ploy_buffer_fini(&buffer);
    }
    ploy_goap_type_destroy(type);
}
