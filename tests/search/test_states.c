// Numbers for states: in the order of coming up, one for each different block of bytes.
#include "ploy/base/rng.h"
#include "ploy/search/states.h"
#include "tests/test.h"

static ploy_states *made(test_context *t, const ploy_env *env, int32_t size, int32_t capacity,
                         bool merge) {
    ploy_states_def def = ploy_states_def_default();
    def.size = size;
    def.capacity = capacity;
    def.merge = merge;
    ploy_states *states = NULL;
    CHECK_OK(ploy_states_create(&def, env, &states));
    return states;
}

TEST(numbers_equal_those_of_a_list_that_is_searched_through) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_states *states = made(t, &env, 3, 4096, true);
        static unsigned char model[4096][3];
        int32_t count = 0;
        for (int32_t turn = 0; turn < 1500; turn++) {
            unsigned char bytes[3] = {(unsigned char)(ploy_rng_u32(&rng) % 7),
                                      (unsigned char)(ploy_rng_u32(&rng) % 7),
                                      (unsigned char)(ploy_rng_u32(&rng) % 7)};
            int32_t want = 0, got = -1;
            while (want < count && memcmp(model[want], bytes, 3) != 0) want++;
            CHECK_INT(ploy_states_known(states, bytes), want < count ? want : -1);
            if (want == count) memcpy(model[count++], bytes, 3);
            CHECK_OK(ploy_states_find(states, bytes, &got));
            CHECK_INT(got, want);
            CHECK_INT(ploy_states_count(states), count);
            CHECK_BYTES(ploy_states_get(states, got), bytes, 3);
        }
        ploy_states_clear(states);
        CHECK_INT(ploy_states_count(states), 0);
        int32_t got = -1;
        CHECK_OK(ploy_states_find(states, model[5], &got));
        CHECK_INT(got, 0);
        ploy_states_destroy(states);
    }
}

TEST(places_stay_while_more_come) {
    ploy_env env = ploy_env_default();
    ploy_states *states = made(t, &env, 4, 1 << 20, true);
    int32_t first = 7, number = -1;
    CHECK_OK(ploy_states_find(states, &first, &number));
    const void *place = ploy_states_get(states, number);
    for (int32_t i = 0; i < 5000; i++) CHECK_OK(ploy_states_find(states, &i, &number));
    CHECK(ploy_states_get(states, 0) == place);
    CHECK(ploy_states_get(states, -1) == NULL);
    CHECK(ploy_states_get(states, ploy_states_count(states)) == NULL);
    ploy_states_destroy(states);
}

TEST(without_merging_every_state_is_new_and_the_limit_holds) {
    ploy_env env = ploy_env_default();
    ploy_states *states = made(t, &env, 1, 3, false);
    unsigned char byte = 1;
    int32_t number = -1;
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_states_find(states, &byte, &number));
        CHECK_INT(number, i);
    }
    CHECK_INT(ploy_states_find(states, &byte, &number), PLOY_ERR_LIMIT);
    CHECK_INT(number, 2);
    CHECK_INT(ploy_states_find(states, NULL, &number), PLOY_ERR_ARGUMENT);
    ploy_states_destroy(states);
    ploy_states_def def = ploy_states_def_default();
    def.size = 0;
    CHECK_INT(ploy_states_create(&def, &env, &states), PLOY_ERR_ARGUMENT);
    CHECK(states == NULL);
}

static ploy_result states_filled(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_states_def def = ploy_states_def_default();
    def.size = 4;
    ploy_states *states = NULL;
    ploy_result result = ploy_states_create(&def, env, &states);
    int32_t number = 0;
    for (int32_t i = 0; i < 600 && result == PLOY_OK; i++) {
        result = ploy_states_find(states, &i, &number);
        if (result != PLOY_OK && ploy_states_count(states) != i) result = PLOY_ERR_STATE;
    }
    TEST_REPORT(result, env, states, ploy_states_memory);
    ploy_states_destroy(states);
    return result;
}

TEST(memory_may_run_out_while_states_come_up) {
    CHECK_FAIL_NTH(states_filled, NULL);
}
