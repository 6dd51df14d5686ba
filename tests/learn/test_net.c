#include "ploy/learn/net.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "tests/state.h"
#include "tests/test.h"

enum { ROOM = 1 << 16 };
static float scratch[ROOM];

static ploy_net *make(test_context *t, ploy_net_size input, const ploy_net_layer *layers,
                      int32_t count, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_net *net = NULL;
    CHECK_OK(ploy_net_create(input, layers, count, ploy_rng_key_make(seed), &env, &net));
    CHECK(ploy_net_batch_scratch(net) <= ROOM);
    return net;
}

TEST(activations_have_the_catalog_values) {
    static const float softplus[5] = {0.126928f, 0.313262f, 0.693147f, 1.313262f, 2.126928f};
    static const float sigmoid[5] = {0.119203f, 0.268941f, 0.5f, 0.731059f, 0.880797f};
    for (int32_t i = 0; i < 5; i++) {
        float x = (float)(i - 2);
        CHECK_NEAR(ploy_net_activate(PLOY_NET_SOFTPLUS, 1, x), softplus[i], 2e-6);
        CHECK_NEAR(ploy_net_activate(PLOY_NET_SIGMOID, 1, x), sigmoid[i], 2e-6);
        CHECK_NEAR(ploy_net_activate(PLOY_NET_TANH, 1, x), ploy_tanhf(x), 5e-7);
    }
    CHECK_NEAR(ploy_net_activate(PLOY_NET_RADIAL, 4, 0), 1, 1e-6);
    CHECK_NEAR(ploy_net_activate(PLOY_NET_GAUSSIAN, 1, 0), 1, 1e-6);
    CHECK_NEAR(ploy_net_activate(PLOY_NET_GAUSSIAN, 1, 1), 0.5, 1e-6);
    CHECK_NEAR(ploy_net_activate(PLOY_NET_GAUSSIAN, 1, -1), 0.5, 1e-6);
    // Bigger weights make the band narrower.
    CHECK(ploy_net_activate(PLOY_NET_RADIAL, 4, 2) < 0.1f);
    CHECK_SAME(ploy_net_activate(PLOY_NET_STEP, 1, -0.1f), 0);
    CHECK_SAME(ploy_net_activate(PLOY_NET_STEP, 1, 0), 1);
    CHECK_SAME(ploy_net_activate(PLOY_NET_RELU, 1, -3), 0);
    CHECK_SAME(ploy_net_activate(PLOY_NET_RELU, 1, 3), 3);
    CHECK_NEAR(ploy_net_activate(PLOY_NET_SIGMOID_STEPS, 1, 1.0f), 0.8477, 1e-3);
    CHECK_SAME(ploy_net_activate(PLOY_NET_SIGMOID_STEPS, 1, 3.0f), 1);
    CHECK_SAME(ploy_net_activate(PLOY_NET_TANH_STEPS, 1, -3.0f), -1);
    for (int32_t i = 0; i < PLOY_NET_ACTIVATIONS; i++) {
        t->row = ploy_net_activation_text((ploy_net_activation)i);
        CHECK(ploy_is_finite(ploy_net_activate((ploy_net_activation)i, 1, 1e6f)));
        CHECK(ploy_is_finite(ploy_net_activate((ploy_net_activation)i, 1, -1e6f)));
        CHECK(ploy_is_finite(ploy_net_derive((ploy_net_activation)i, 1, 3.0f)));
    }
}

TEST(a_perceptron_is_and_or) {
    ploy_net_layer layer = ploy_net_dense(1, PLOY_NET_STEP);
    ploy_net *net = make(t, ploy_net_inputs(2), &layer, 1, 1);
    for (int32_t gate = 0; gate < 2; gate++) {
        ploy_net_weights(net, 0, 0)[0] = ploy_net_weights(net, 0, 0)[1] = 1.0f;
        *ploy_net_bias(net, 0, 0) = gate == 0 ? -1.5f : -0.5f;
        for (int32_t i = 0; i < 4; i++) {
            float in[2] = {(float)(i & 1), (float)(i >> 1)}, out = -1.0f;
            ploy_net_run(net, in, &out, scratch);
            CHECK_SAME(out, gate == 0 ? (i == 3 ? 1.0f : 0.0f) : (i != 0 ? 1.0f : 0.0f));
        }
    }
    ploy_net_destroy(net);
}

// 19 inputs (5 enemies; distance, health and ammo of 4 friends; own health and ammo), 5 actions.
TEST(the_tactical_net_has_19_inputs_and_5_outputs) {
    ploy_net_layer layers[] = {ploy_net_dense(24, PLOY_NET_RELU),
                               ploy_net_dense(5, PLOY_NET_SOFTMAX)};
    ploy_net *net = make(t, ploy_net_inputs(5 + 4 * 3 + 2), layers, 2, 3);
    CHECK_INT(ploy_net_input_count(net), 19);
    CHECK_INT(ploy_net_output_count(net), 5);
    CHECK_INT(ploy_net_weight_count(net), 20 * 24 + 25 * 5);
    float in[19] = {0.5f, -1, 2}, out[5], sum = 0.0f;
    ploy_net_run(net, in, out, scratch);
    for (int32_t i = 0; i < 5; i++) sum += out[i];
    CHECK_NEAR(sum, 1, 1e-6);
    int32_t best = ploy_net_largest(out, 5);
    for (int32_t i = 0; i < 5; i++) CHECK(out[best] >= out[i]);
    ploy_net_destroy(net);
}

TEST(a_batch_equals_single_runs_bit_for_bit) {
    ploy_rng rng = ploy_rng_make(5);
    for (int32_t kind = 0; kind < 3; kind++) {
        ploy_net_layer dense[] = {ploy_net_dense(13, PLOY_NET_TANH),
                                  ploy_net_dense(9, PLOY_NET_SIGMOID),
                                  ploy_net_dense(3, PLOY_NET_SOFTMAX)};
        ploy_net_layer conv[] = {ploy_net_conv(3, 3, PLOY_NET_RELU),
                                 ploy_net_pool(PLOY_NET_MAX_POOL, 2),
                                 ploy_net_dense(4, PLOY_NET_LINEAR)};
        ploy_net_size image = {1, 4, 3};
        ploy_net *net = kind == 2 ? make(t, image, conv, 3, 9)
                                  : make(t, ploy_net_inputs(12), dense, kind == 0 ? 3 : 2, 9);
        enum { AGENTS = 27 };
        float in[AGENTS][12], batch[AGENTS][16], split[AGENTS][16], single[16];
        memset(batch, 0, sizeof batch);
        memset(split, 0, sizeof split);
        for (int32_t a = 0; a < AGENTS; a++) {
            for (int32_t i = 0; i < 12; i++) in[a][i] = ploy_rng_range(&rng, -2, 2);
        }
        int32_t outputs = ploy_net_output_count(net);
        ploy_net_run_batch(net, 0, AGENTS, in[0], 12, batch[0], 16, scratch);
        ploy_net_run_batch(net, 0, 5, in[0], 12, split[0], 16, scratch);
        ploy_net_run_batch(net, 5, AGENTS - 5, in[0], 12, split[0], 16, scratch);
        CHECK_BYTES(batch, split, sizeof batch);
        for (int32_t a = 0; a < AGENTS; a++) {
            ploy_net_run(net, in[a], single, scratch);
            CHECK_BYTES(single, batch[a], (size_t)outputs * sizeof(float));
        }
        ploy_net_destroy(net);
    }
}

TEST(layers_can_be_looked_into) {
    ploy_net_layer layers[] = {ploy_net_dense(5, PLOY_NET_TANH), ploy_net_dense(4, PLOY_NET_RELU),
                               ploy_net_dense(2, PLOY_NET_LINEAR)};
    ploy_net *net = make(t, ploy_net_inputs(3), layers, 3, 4);
    float in[3] = {0.5f, -1.0f, 2.0f}, first[5], second[4], last[2], all[2];
    ploy_net_run_layers(net, 1, in, first, scratch);
    for (int32_t j = 0; j < 5; j++) {
        const float *w = ploy_net_weights_at(net, 0, j);
        float sum = w[0] * in[0] + w[1] * in[1] + w[2] * in[2] + ploy_net_bias_at(net, 0, j);
        CHECK_NEAR(first[j], ploy_net_activate(PLOY_NET_TANH, 1.0f, sum), 1e-6);
    }
    ploy_net_run_layers(net, 2, in, second, scratch);
    for (int32_t j = 0; j < 4; j++) {
        float sum = ploy_net_bias_at(net, 1, j);
        for (int32_t i = 0; i < 5; i++) sum += ploy_net_weights_at(net, 1, j)[i] * first[i];
        CHECK_NEAR(second[j], sum > 0.0f ? sum : 0.0f, 1e-6);
    }
    ploy_net_run_layers(net, 3, in, last, scratch);
    ploy_net_run(net, in, all, scratch);
    CHECK_BYTES(last, all, sizeof all);
    ploy_net_destroy(net);
}

TEST(convolution_and_pooling_match_a_hand_count) {
    ploy_net_layer layers[] = {ploy_net_conv(1, 2, PLOY_NET_LINEAR),
                               ploy_net_pool(PLOY_NET_MEAN_POOL, 2)};
    layers[0].pad[0] = layers[0].pad[1] = 0;
    ploy_net_size image = {1, 3, 3};
    ploy_net *net = make(t, image, layers, 2, 1);
    static const float kernel[4] = {1, 0, 0, -1};
    memcpy(ploy_net_weights(net, 0, 0), kernel, sizeof kernel);
    *ploy_net_bias(net, 0, 0) = 0.5f;
    float in[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10}, out = 0.0f;
    ploy_net_run(net, in, &out, scratch);
    CHECK_NEAR(out, (-4 - 4 - 4 - 5) / 4.0 + 0.5, 1e-6);
    CHECK_INT(ploy_net_size_at(net, 1).width, 2);
    CHECK_INT(ploy_net_size_at(net, 2).width, 1);
    ploy_net_destroy(net);
}

TEST(create_refuses_layers_that_do_not_fit) {
    ploy_env env = ploy_env_default();
    ploy_net_layer soft[] = {ploy_net_dense(3, PLOY_NET_SOFTMAX), ploy_net_dense(3, PLOY_NET_TANH)};
    ploy_net_layer none = ploy_net_dense(0, PLOY_NET_TANH),
                   wide = ploy_net_conv(2, 9, PLOY_NET_RELU);
    ploy_net_layer huge[] = {ploy_net_dense(1 << 20, PLOY_NET_TANH),
                             ploy_net_dense(1 << 20, PLOY_NET_TANH)};
    ploy_net_layer shape = ploy_net_dense(2, PLOY_NET_TANH);
    shape.shape = NAN;
    wide.pad[0] = wide.pad[1] = 0;
    ploy_net_size image = {1, 4, 4};
    ploy_rng_key key = ploy_rng_key_make(1);
    ploy_net *net = NULL;
    CHECK_INT(ploy_net_create(ploy_net_inputs(2), soft, 2, key, &env, &net), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_net_create(ploy_net_inputs(2), &none, 1, key, &env, &net), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_net_create(ploy_net_inputs(2), &shape, 1, key, &env, &net), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_net_create(image, &wide, 1, key, &env, &net), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_net_create(ploy_net_inputs(0), &soft[1], 1, key, &env, &net), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_net_create(ploy_net_inputs(64), huge, 2, key, &env, &net), PLOY_ERR_LIMIT);
    CHECK(net == NULL);
}

static ploy_result create_and_copy(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_net_layer layer = ploy_net_dense(3, PLOY_NET_TANH);
    ploy_net *net = NULL, *copy = NULL;
    ploy_result result =
        ploy_net_create(ploy_net_inputs(2), &layer, 1, ploy_rng_key_make(1), env, &net);
    TEST_REPORT(result, env, net, ploy_net_memory);
    if (result == PLOY_OK) result = ploy_net_copy(net, env, &copy);
    ploy_net_destroy(net);
    ploy_net_destroy(copy);
    return result;
}

TEST(a_net_survives_lack_of_memory_and_saving) {
    CHECK_FAIL_NTH(create_and_copy, NULL);
    ploy_net_layer layers[] = {ploy_net_conv(2, 3, PLOY_NET_RELU),
                               ploy_net_dense(3, PLOY_NET_SIGMOID)};
    ploy_net_size image = {1, 3, 3};
    ploy_net *net = make(t, image, layers, 2, 4), *other = make(t, image, layers, 2, 5);
    CHECK(ploy_net_hash(net) != ploy_net_hash(other));
    state_check s = {ploy_net_visit, net, NULL, NULL, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, other);
    CHECK_UINT(ploy_net_hash(net), ploy_net_hash(other));
    ploy_net_destroy(net);
    ploy_net_destroy(other);
}
