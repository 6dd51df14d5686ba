// Smelly terrain: noses find sources, walls hold, and slices change nothing.
#include "ploy/world/smell.h"
#include "world/world_internal.h"

#include "ploy/base/rng.h"
#include "tests/draw_count.h"
#include "tests/state.h"

static ploy_smell *start_smell(test_context *t, int32_t size, int32_t signals,
                               const ploy_env *env) {
    ploy_smell_def def = ploy_smell_def_default();
    def.width = def.height = size;
    def.signals = signals;
    def.decay = 0.02f;
    ploy_smell *smell = NULL;
    CHECK_OK(ploy_smell_create(&def, env, &smell));
    return smell;
}

static const ploy_id nothing = {0, 0};

// GOB-12: in a settled field climbing from any cell that smells ends at a source, and no smell is
// where no way leads.
TEST(climbing_a_settled_field_ends_at_a_source) {
    enum { SIZE = 14 };
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(6); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_smell *smell = start_smell(t, SIZE, 1, &env);
        int32_t reach[SIZE][SIZE], sx = 0, sy = 0;
        for (int32_t i = 0; i < 60; i++) {
            CHECK_OK(ploy_smell_set_blocked(smell, ploy_rng_int(&rng, 0, SIZE - 1),
                                            ploy_rng_int(&rng, 0, SIZE - 1), true));
        }
        do {
            sx = ploy_rng_int(&rng, 0, SIZE - 1);
            sy = ploy_rng_int(&rng, 0, SIZE - 1);
        } while (ployi_smell_is_blocked(smell, sx, sy));
        CHECK_OK(ploy_smell_add_source(smell, 0, sx, sy, 100, nothing, NULL));
        for (int32_t i = 0; i < 1500; i++) CHECK_OK(ploy_smell_step(smell, NULL));
        CHECK_DRAWS(1, ploy_smell_draw(smell, 0, ploy_vec2_zero(), &drawing));
        memset(reach, 0, sizeof reach);
        reach[sy][sx] = 1;
        for (int32_t i = 0; i < SIZE * SIZE; i++) { // the slow flood
            for (int32_t y = 0; y < SIZE; y++) {
                for (int32_t x = 0; x < SIZE; x++) {
                    if (ployi_smell_is_blocked(smell, x, y)) continue;
                    if ((x > 0 && reach[y][x - 1]) || (x + 1 < SIZE && reach[y][x + 1]) ||
                        (y > 0 && reach[y - 1][x]) || (y + 1 < SIZE && reach[y + 1][x])) {
                        reach[y][x] = 1;
                    }
                }
            }
        }
        for (int32_t y = 0; y < SIZE; y++) {
            for (int32_t x = 0; x < SIZE; x++) {
                CHECK_INT(ploy_smell_get(smell, 0, x, y) > 0.0f, reach[y][x]);
                int32_t at_x = x, at_y = y, steps = 0;
                while (reach[y][x] && ploy_smell_follow(smell, 0, at_x, at_y, &at_x, &at_y)) {
                    CHECK(++steps < SIZE * SIZE);
                }
                if (reach[y][x]) CHECK(at_x == sx && at_y == sy);
            }
        }
        ploy_smell_destroy(smell);
    }
}

TEST(the_nearer_of_two_equal_sources_pulls_and_a_stronger_one_from_further) {
    ploy_env env = ploy_env_default();
    for (int32_t strong = 0; strong < 2; strong++) {
        ploy_smell *smell = start_smell(t, 15, 1, &env);
        int32_t left = 0, x = 0, y = 0;
        for (int32_t i = 0; i < 15; i++) { // a corridor
            CHECK_OK(ploy_smell_set_blocked(smell, i, 0, true));
            CHECK_OK(ploy_smell_set_blocked(smell, i, 2, true));
        }
        CHECK_OK(ploy_smell_add_source(smell, 0, 0, 1, 10, nothing, &left));
        CHECK_OK(ploy_smell_add_source(smell, 0, 14, 1, 10, nothing, NULL));
        if (strong) CHECK_OK(ploy_smell_set_source(smell, left, 0, 1, 500));
        for (int32_t i = 0; i < 2000; i++) CHECK_OK(ploy_smell_step(smell, NULL));
        CHECK(ploy_smell_follow(smell, 0, 9, 1, &x, &y));
        CHECK_INT(x, strong ? 8 : 10);
        ploy_smell_destroy(smell);
    }
}

static bool only_for(void *user, ploy_id object, int32_t signal) {
    (void)signal;
    return object.index == *(const uint32_t *)user;
}

// GOB-13, GOB-14: signals of actions are detected where one stands; a filter asks what one can use.
TEST(signals_are_detected_strongest_first_and_filtered_for_a_character) {
    ploy_env env = ploy_env_default();
    ploy_smell *smell = start_smell(t, 5, 3, &env);
    ploy_id oven = {1, 1}, fridge = {2, 1};
    uint32_t usable = 2;
    int32_t found[3];
    CHECK_OK(ploy_smell_add_source(smell, 0, 0, 0, 1, oven, NULL));
    CHECK_OK(ploy_smell_add_source(smell, 1, 4, 4, 5, fridge, NULL));
    CHECK_OK(ploy_smell_add_source(smell, 2, 2, 2, 3, fridge, NULL));
    for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_smell_step(smell, NULL));
    CHECK_INT(ployi_smell_detect(smell, 2, 2, 0, found, 3), 3);
    for (int32_t i = 1; i < 3; i++) {
        CHECK(ploy_smell_get(smell, found[i - 1], 2, 2) >= ploy_smell_get(smell, found[i], 2, 2));
    }
    CHECK_INT(found[2], 0);
    int32_t strongest = found[0];
    CHECK_INT(ployi_smell_detect(smell, 2, 2, 0, found, 1), 1);
    CHECK_INT(found[0], strongest);
    CHECK_INT(ployi_smell_detect(smell, 2, 2, 1e9f, found, 3), 0);
    ploy_smell_set_filter(smell, only_for, &usable);
    for (int32_t i = 0; i < 800; i++) CHECK_OK(ploy_smell_step(smell, NULL));
    CHECK(ploy_smell_get(smell, 0, 2, 2) < 1e-4f); // the oven is silent and its smell has faded
    CHECK(ploy_smell_get(smell, 1, 2, 2) > 1.0f);
    ploy_smell_destroy(smell);
}

TEST(slices_spread_as_whole_passes_do) {
    ploy_env env = ploy_env_default();
    ploy_smell *whole = start_smell(t, 9, 2, &env), *sliced = start_smell(t, 9, 2, &env);
    CHECK_OK(ploy_smell_add_source(whole, 1, 3, 3, 7, nothing, NULL));
    CHECK_OK(ploy_smell_add_source(sliced, 1, 3, 3, 7, nothing, NULL));
    for (int32_t i = 0; i < 20; i++) CHECK_OK(ploy_smell_step(whole, NULL));
    while (ployi_smell_passes(sliced) < 20) {
        ploy_budget budget = ploy_budget_units(4);
        ploy_result result = ploy_smell_step(sliced, &budget);
        CHECK(result == PLOY_OK || result == PLOY_IN_PROGRESS);
    }
    for (int32_t i = 0; i < 81; i++) {
        CHECK_SAME(ploy_smell_get(sliced, 1, i % 9, i / 9), ploy_smell_get(whole, 1, i % 9, i / 9));
    }
    ploy_smell_destroy(whole);
    ploy_smell_destroy(sliced);
}

static ploy_result create_smell(const ploy_env *env, void *arg) {
    ploy_smell *smell = NULL;
    ploy_result result = ploy_smell_create(arg, env, &smell);
    if (result == PLOY_OK) (void)ploy_smell_step(smell, NULL); // the copies have changed places
    ploy_smell_destroy(smell);
    return result;
}

TEST(bad_input_and_failing_allocations_leave_nothing_behind) {
    ploy_env env = ploy_env_default();
    ploy_smell_def def = ploy_smell_def_default();
    CHECK_FAIL_NTH(create_smell, &def);
    def.sources = 1;
    ploy_smell *smell = NULL;
    CHECK_OK(ploy_smell_create(&def, &env, &smell));
    CHECK_INT(ploy_smell_add_source(smell, 1, 0, 0, 1, nothing, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_smell_add_source(smell, 0, -1, 0, 1, nothing, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_smell_add_source(smell, 0, 0, 0, NAN, nothing, NULL), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_smell_add_source(smell, 0, 0, 0, 1, nothing, NULL));
    CHECK_INT(ploy_smell_add_source(smell, 0, 0, 0, 1, nothing, NULL), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_smell_set_source(smell, 1, 0, 0, 1), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_smell_set_blocked(smell, 99, 0, true), PLOY_ERR_ARGUMENT);
    ploy_smell_destroy(smell);
    def.diffusion = NAN;
    CHECK_INT(ploy_smell_create(&def, &env, &smell), PLOY_ERR_ARGUMENT);
}

TEST(a_smell_saves_and_loads_its_field) {
    // The object is only for the filter, and no hash has it; a wall that smells is refused.
    static const char *const skip[] = {"object", "cell", "wall", NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_smell *smell = start_smell(t, 4, 2, &env);
    CHECK_OK(ploy_smell_set_blocked(smell, 1, 1, true));
    CHECK_OK(ploy_smell_add_source(smell, 0, 0, 2, 10.0f, nothing, NULL));
    CHECK_OK(ploy_smell_add_source(smell, 1, 3, 3, 20.0f, ploy_id_make(3, 1), NULL));
    for (int32_t i = 0; i < 9; i++) CHECK_OK(ploy_smell_step(smell, NULL));
    ploy_budget budget = ploy_budget_units(5);
    (void)ploy_smell_step(smell, &budget);
    state_check s = {ploy_smell_visit, smell, NULL, skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_cover(t, &s);
    ploy_smell *other = start_smell(t, 4, 2, &env);
    state_check_copy(t, &s, other);
    for (int32_t i = 0; i < 5; i++) {
        CHECK_OK(ploy_smell_step(smell, NULL));
        CHECK_OK(ploy_smell_step(other, NULL));
    }
    CHECK_UINT(ploy_visit_hash(ploy_smell_visit, other, NULL), state_hash(&s));
    state_check_all(t, &s);
    ploy_smell_destroy(smell);
    ploy_smell_destroy(other);
}
