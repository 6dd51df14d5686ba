#include "ploy/learn/hebb.h"

#include <math.h>

#include "ploy/learn/net.h"
#include "tests/state.h"
#include "tests/test.h"

static ploy_hebb *make(test_context *t, int32_t width, int32_t height, bool all) {
    ploy_env env = ploy_env_default();
    ploy_hebb_def def = ploy_hebb_def_default();
    def.width = width;
    def.height = height;
    def.all = all;
    ploy_hebb *hebb = NULL;
    CHECK_OK(ploy_hebb_create(&def, &env, &hebb));
    return hebb;
}

TEST(a_chain_of_three_recalls_the_catalog_pattern) {
    ploy_hebb *hebb = make(t, 3, 1, false);
    static const float pattern[3] = {1, 1, -1};
    for (int32_t i = 0; i < 5; i++) ploy_hebb_learn(hebb, pattern);
    CHECK(ploy_hebb_link(hebb, 0, 1) > 0);
    CHECK(ploy_hebb_link(hebb, 1, 2) < 0);
    CHECK_SAME(ploy_hebb_link(hebb, 0, 2), 0);
    CHECK_SAME(ploy_hebb_link(hebb, 1, 0), ploy_hebb_link(hebb, 0, 1));
    float out[3], plus[3] = {1, 0, 0}, minus[3] = {-1, 0, 0};
    CHECK(ploy_hebb_recall(hebb, plus, out) <= 4);
    for (int32_t i = 0; i < 3; i++) CHECK_SAME(out[i], pattern[i]);
    CHECK(ploy_hebb_recall(hebb, minus, out) <= 4);
    for (int32_t i = 0; i < 3; i++) CHECK_SAME(out[i], -pattern[i]);
    CHECK_INT(ploy_hebb_patterns(hebb), 5);
    ploy_hebb_destroy(hebb);
}

TEST(a_hopfield_net_recalls_whole_patterns_from_parts) {
    enum { NODES = 64 };
    ploy_hebb *hebb = make(t, 8, 8, true);
    ploy_rng rng = ploy_rng_make(3);
    float patterns[4][NODES];
    for (int32_t p = 0; p < 4; p++) {
        for (int32_t i = 0; i < NODES; i++)
            patterns[p][i] = ploy_rng_chance(&rng, 0.5f) ? 1.0f : -1.0f;
        ploy_hebb_learn(hebb, patterns[p]);
    }
    for (int32_t p = 0; p < 4; p++) {
        float known[NODES] = {0}, out[NODES];
        int32_t right = 0;
        for (int32_t i = 0; i < 24; i++) known[i] = patterns[p][i];
        CHECK(ploy_hebb_recall(hebb, known, out) <= 100);
        for (int32_t i = 0; i < NODES; i++) right += out[i] == patterns[p][i] ? 1 : 0;
        CHECK(right >= 62);
    }
    ploy_hebb_destroy(hebb);
}

// Maps are blobs of danger: unseen cells are predicted far better than by a coin.
TEST(centred_links_count_what_goes_beyond_habits) {
    ploy_env env = ploy_env_default();
    ploy_hebb_def def = ploy_hebb_def_default();
    def.width = 5;
    def.height = 1;
    def.all = true;
    // Nodes 0 and 1 are rarely +1, but always together; 2 to 4 are -1 in every pattern.
    static const float rare[5] = {1, 1, -1, -1, -1}, usual[5] = {-1, -1, -1, -1, -1};
    for (int32_t centred = 0; centred < 2; centred++) {
        def.centred = centred == 1;
        ploy_hebb *hebb = NULL;
        CHECK_OK(ploy_hebb_create(&def, &env, &hebb));
        float known[5] = {1, 0, -1, -1, -1}, out[5], nothing[5] = {0};
        CHECK(ploy_hebb_recall(hebb, known, out) >= 1); // before anything was learned
        for (int32_t i = 0; i < 10; i++) ploy_hebb_learn(hebb, i < 3 ? rare : usual);
        CHECK(ploy_hebb_recall(hebb, known, out) >= 1);
        // Three neighbours that are always -1 outvote the one that knows, unless links are centred.
        CHECK_SAME(out[1], centred == 1 ? 1.0f : -1.0f);
        CHECK(ploy_hebb_recall(hebb, nothing, out) >= 1); // habits alone
        for (int32_t i = 0; i < 5; i++) CHECK_SAME(out[i], -1.0f);
        ploy_hebb_destroy(hebb);
    }
}

TEST(unseen_places_of_a_map_are_predicted) {
    enum { SIDE = 12, NODES = SIDE * SIDE };
    ploy_hebb *hebb = make(t, SIDE, SIDE, false);
    ploy_rng rng = ploy_rng_make(5);
    int32_t right = 0, asked = 0;
    for (int32_t map = 0; map < 60; map++) {
        float pattern[NODES], known[NODES], out[NODES];
        float x = ploy_rng_range(&rng, 2, 10), y = ploy_rng_range(&rng, 2, 10);
        for (int32_t i = 0; i < NODES; i++) {
            float dx = (float)(i % SIDE) - x, dy = (float)(i / SIDE) - y;
            pattern[i] = dx * dx + dy * dy < 9.0f ? 1.0f : -1.0f;
            known[i] = ploy_rng_chance(&rng, 0.4f) ? pattern[i] : 0.0f;
        }
        if (map < 40) {
            ploy_hebb_learn(hebb, pattern);
            continue;
        }
        CHECK(ploy_hebb_recall(hebb, known, out) <= 100);
        for (int32_t i = 0; i < NODES; i++) {
            if (known[i] != 0.0f) continue;
            asked++;
            right += out[i] == pattern[i] ? 1 : 0;
        }
    }
    CHECK(right > asked * 88 / 100);
    ploy_hebb_destroy(hebb);
}

static ploy_result create_once(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_hebb_def def = ploy_hebb_def_default();
    ploy_hebb *hebb = NULL;
    ploy_result result = ploy_hebb_create(&def, env, &hebb);
    ploy_hebb_destroy(hebb);
    return result;
}

TEST(a_grid_is_saved_and_checked) {
    CHECK_FAIL_NTH(create_once, NULL);
    ploy_hebb *hebb = make(t, 3, 2, false), *other = make(t, 3, 2, false);
    static const float pattern[6] = {1, 1, -1, -1, 1, 1};
    ploy_hebb_learn(hebb, pattern);
    state_check s = {ploy_hebb_visit, hebb, NULL, NULL, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, other);
    ploy_hebb_destroy(hebb);
    ploy_hebb_destroy(other);
    ploy_env env = ploy_env_default();
    ploy_hebb_def def = ploy_hebb_def_default();
    def.width = def.height = 1024;
    def.all = true;
    CHECK_INT(ploy_hebb_create(&def, &env, &hebb), PLOY_ERR_LIMIT);
    def.width = 0;
    CHECK_INT(ploy_hebb_create(&def, &env, &hebb), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_hebb_fields(), NULL));
}

TEST(a_recurrent_step_remembers) {
    ploy_env env = ploy_env_default();
    ploy_net_layer layer = ploy_net_dense(1, PLOY_NET_LINEAR);
    ploy_net *net = NULL;
    CHECK_OK(ploy_net_create(ploy_net_inputs(2), &layer, 1, ploy_rng_key_make(1), &env, &net));
    ploy_net_weights(net, 0, 0)[0] = 1.0f;
    ploy_net_weights(net, 0, 0)[1] = 0.5f; // half of what it had before
    float scratch[64], state = 0.0f, on = 1.0f, off = 0.0f;
    CHECK(ploy_net_scratch(net) + 2 <= 64);
    ploy_net_recur(net, &on, 1, &state, scratch);
    CHECK_SAME(state, 1.0f);
    ploy_net_recur(net, &off, 1, &state, scratch);
    CHECK_SAME(state, 0.5f);
    ploy_net_recur(net, &on, 1, &state, scratch);
    CHECK_SAME(state, 1.25f);
    ploy_net_destroy(net);
}
