// The store of signals (TAC-50).
#include "ploy/tactics/signals.h"
#include "tests/state.h"

static ploy_signals *make(test_context *t, int32_t capacity, float lifetime, const ploy_env *env) {
    ploy_signals_def def = ploy_signals_def_default();
    ploy_signals *signals = NULL;
    def.capacity = capacity;
    def.lifetime = lifetime;
    CHECK_OK(ploy_signals_create(&def, env, &signals));
    return signals;
}

TEST(signals_belong_to_their_scope) {
    ploy_env env = ploy_env_default();
    ploy_signals *signals = make(t, 1, 0.0f, &env);
    ploy_name a = ploy_name_of("a"), b = ploy_name_of("b"), none = {0};
    CHECK_OK(ploy_signals_set(signals, 1, a, 0.0));
    CHECK_OK(ploy_signals_set(signals, 2, b, 0.0));
    CHECK_OK(ploy_signals_set(signals, 2, a, 0.0));
    CHECK_OK(ploy_signals_set(signals, 2, a, 1.0));
    CHECK_INT(ploy_signals_count(signals), 3);
    CHECK(ploy_signals_has(signals, 1, a));
    CHECK(!ploy_signals_has(signals, 1, b));
    CHECK_INT(ploy_signals_set(signals, 1, none, 0.0), PLOY_ERR_ARGUMENT);
    CHECK(!ploy_signals_clear(signals, 1, b));
    CHECK(ploy_signals_clear(signals, 1, a));
    CHECK(!ploy_signals_has(signals, 1, a));
    CHECK(ploy_signals_has(signals, 2, a));
    CHECK_INT(ploy_signals_clear_scope(signals, 2), 2);
    CHECK_INT(ploy_signals_count(signals), 0);
    CHECK_INT(ploy_signals_clear_scope(signals, 2), 0);
    ploy_signals_destroy(signals);
}

TEST(old_signals_are_purged) {
    ploy_env env = ploy_env_default();
    ploy_signals *signals = make(t, 4, 2.0f, &env);
    ploy_name a = ploy_name_of("a"), b = ploy_name_of("b");
    CHECK_OK(ploy_signals_set(signals, 1, a, 0.0));
    CHECK_OK(ploy_signals_set(signals, 1, b, 0.0));
    CHECK_OK(ploy_signals_set(signals, 1, b, 1.0)); // set again: younger
    CHECK_INT(ploy_signals_purge(signals, 1.9), 0);
    CHECK_INT(ploy_signals_purge(signals, 2.0), 1);
    CHECK(ploy_signals_has(signals, 1, b));
    ploy_signals_destroy(signals);
}

TEST(the_store_agrees_with_a_plain_table) {
    ploy_env env = ploy_env_default();
    ploy_signals *signals = make(t, 2, 0.0f, &env);
    bool table[4][8] = {{false}};
    ploy_rng rng = ploy_rng_make(3);
    int32_t count = 0;
    for (int64_t i = 0; i < test_rounds(5000); i++) {
        TEST_SEED(i);
        uint64_t scope = ploy_rng_below(&rng, 4);
        uint64_t which = ploy_rng_below(&rng, 8);
        uint64_t what = ploy_rng_below(&rng, 40);
        char text[2] = {(char)('a' + (int)which), 0};
        ploy_name name = ploy_name_of(text);
        CHECK_INT(ploy_signals_has(signals, scope, name), table[scope][which]);
        if (what == 0) {
            int32_t in_scope = 0;
            for (int32_t k = 0; k < 8; k++) in_scope += table[scope][k];
            CHECK_INT(ploy_signals_clear_scope(signals, scope), in_scope);
            memset(table[scope], 0, sizeof table[scope]);
            count -= in_scope;
        } else if (what < 20) {
            CHECK_INT(ploy_signals_clear(signals, scope, name), table[scope][which]);
            count -= table[scope][which];
            table[scope][which] = false;
        } else {
            CHECK_OK(ploy_signals_set(signals, scope, name, (double)i));
            count += !table[scope][which];
            table[scope][which] = true;
        }
        CHECK_INT(ploy_signals_count(signals), count);
    }
    ploy_signals_destroy(signals);
}

static ploy_result signals_body(const ploy_env *env, void *arg) {
    ploy_signals_def def = ploy_signals_def_default();
    ploy_signals *signals = NULL;
    (void)arg;
    def.capacity = 1;
    ploy_result result = ploy_signals_create(&def, env, &signals);
    for (uint64_t i = 0; i < 20 && result == PLOY_OK; i++) {
        result = ploy_signals_set(signals, i, ploy_name_of("a"), 0.0);
    }
    state_check s = {ploy_signals_visit, signals, NULL, NULL, NULL};
    if (result == PLOY_OK) {
        result = state_load(&s, "{\"signals\":[{\"scope\":1,\"name\":5,\"time\":2.5}]}", env, NULL);
        if (result == PLOY_ERR_FORMAT) result = PLOY_OK; // how names are written is not the point
    }
    ploy_signals_destroy(signals);
    return result;
}

TEST(the_store_survives_a_lack_of_memory) {
    CHECK_FAIL_NTH(signals_body, NULL);
}

TEST(state_of_the_store_is_visited) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_signals *signals = make(t, 4, 2.0f, &env);
    CHECK_OK(ploy_signals_set(signals, 1, ploy_name_of("a"), 0.5));
    CHECK_OK(ploy_signals_set(signals, 9, ploy_name_of("b"), 1.5));
    state_check s = {ploy_signals_visit, signals, NULL, NULL, NULL};
    state_check_all(t, &s);
    state_check_memory(t, &s, &counts);
    ploy_signals *other = make(t, 1, 2.0f, &env);
    state_check_copy(t, &s, other);
    ploy_signals_destroy(other);
    ploy_signals_destroy(signals);
}
