#include "ploy/learn/trainer.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "tests/state.h"
#include "tests/test.h"

static float scratch[1 << 16];

static ploy_net *make(test_context *t, ploy_net_size input, const ploy_net_layer *layers,
                      int32_t count, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_net *net = NULL;
    CHECK_OK(ploy_net_create(input, layers, count, ploy_rng_key_make(seed), &env, &net));
    return net;
}

static ploy_trainer *train(test_context *t, ploy_net *net, const ploy_trainer_def *def) {
    ploy_env env = ploy_env_default();
    ploy_trainer *trainer = NULL;
    CHECK_OK(ploy_trainer_create(def, net, &env, &trainer));
    return trainer;
}

// ---- a slow net in double, for finite differences

static double slow_sigmoid(double x) {
    return 1.0 / (1.0 + exp(-x));
}

static double slow_steps(double x, bool tanh_steps) {
    static const double v[6] = {-2.64665293693542, -1.47221934795380, -0.549306154251099,
                                0.549306154251099, 1.47221934795380,  2.64665293693542};
    static const double r[6] = {0.005, 0.05, 0.25, 0.75, 0.95, 0.995};
    double y = x < v[0] ? 0.0 : 1.0;
    for (int32_t i = 0; i < 5; i++) {
        if (x >= v[i] && x < v[i + 1])
            y = r[i] + (x - v[i]) / (v[i + 1] - v[i]) * (r[i + 1] - r[i]);
    }
    return tanh_steps ? 2.0 * y - 1.0 : y;
}

static double slow_activate(ploy_net_activation kind, double h, double x) {
    switch (kind) {
    case PLOY_NET_LINEAR: return h * x;
    case PLOY_NET_STEP: return x < 0 ? 0 : 1;
    case PLOY_NET_SIGN: return x < 0 ? -1 : 1;
    case PLOY_NET_RELU: return x > 0 ? h * x : 0;
    case PLOY_NET_LEAKY: return x > 0 ? h * x : 0.01 * h * x;
    case PLOY_NET_SOFTPLUS: return log(1.0 + exp(h * x)) / h;
    case PLOY_NET_SIGMOID: return slow_sigmoid(h * x);
    case PLOY_NET_TANH: return tanh(h * x);
    case PLOY_NET_RADIAL:
        return (slow_sigmoid(h * (x + 1)) - slow_sigmoid(h * (x - 1))) / (2 * slow_sigmoid(h) - 1);
    case PLOY_NET_GAUSSIAN: return exp(-log(2.0) * h * h * x * x);
    case PLOY_NET_SIGMOID_STEPS: return slow_steps(h * x, false);
    case PLOY_NET_TANH_STEPS: return slow_steps(h * x, true);
    default: return exp(h * x);
    }
}

typedef struct slow_bump {
    int32_t layer, unit, index; // the weight that is changed; index -1: the bias; layer -1: none
    double by;
} slow_bump;

static double slow_weight(const ploy_net *net, int32_t l, int32_t unit, int32_t index,
                          slow_bump bump) {
    double w = index < 0 ? (double)ploy_net_bias_at(net, l, unit)
                         : (double)ploy_net_weights_at(net, l, unit)[index];
    bool same = l == bump.layer && unit == bump.unit && index == bump.index;
    return same ? w + bump.by : w;
}

static double slow_window(const ploy_net *net, int32_t l, const double *in, int32_t c, int32_t x,
                          int32_t y, slow_bump bump) {
    const ploy_net_layer *layer = ploy_net_layer_at(net, l);
    ploy_net_size from = ploy_net_size_at(net, l);
    bool conv = layer->kind == PLOY_NET_CONV;
    double sum = conv ? slow_weight(net, l, c, -1, bump) : 0.0, largest = -1e300;
    int32_t inside = 0, index = 0;
    for (int32_t ic = conv ? 0 : c; ic < (conv ? from.channels : c + 1); ic++) {
        for (int32_t wy = 0; wy < layer->window[1]; wy++) {
            for (int32_t wx = 0; wx < layer->window[0]; wx++, index++) {
                int32_t ix = x * layer->stride[0] - layer->pad[0] + wx;
                int32_t iy = y * layer->stride[1] - layer->pad[1] + wy;
                if (ix < 0 || iy < 0 || ix >= from.width || iy >= from.height) continue;
                double value = in[(ic * from.height + iy) * from.width + ix];
                sum += conv ? value * slow_weight(net, l, c, index, bump) : value;
                largest = value > largest ? value : largest;
                inside++;
            }
        }
    }
    if (layer->kind == PLOY_NET_MAX_POOL) return largest;
    return conv ? sum : sum / inside;
}

static void slow_layer(const ploy_net *net, int32_t l, const double *in, double *out,
                       slow_bump bump) {
    const ploy_net_layer *layer = ploy_net_layer_at(net, l);
    ploy_net_size size = ploy_net_size_at(net, l + 1);
    int32_t count = ploy_net_values(size);
    bool pools = layer->kind != PLOY_NET_DENSE && layer->kind != PLOY_NET_CONV;
    double total = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double sum;
        if (layer->kind == PLOY_NET_DENSE) {
            sum = slow_weight(net, l, i, -1, bump);
            for (int32_t k = 0; k < ploy_net_weights_of_unit(net, l); k++) {
                sum += in[k] * slow_weight(net, l, i, k, bump);
            }
        } else {
            int32_t area = size.width * size.height;
            sum = slow_window(net, l, in, i / area, i % area % size.width, i % area / size.width,
                              bump);
        }
        out[i] = pools ? sum : slow_activate(layer->activation, (double)layer->shape, sum);
        total += out[i];
    }
    for (int32_t i = 0; i < count && layer->activation == PLOY_NET_SOFTMAX; i++) out[i] /= total;
}

static double slow_loss(const ploy_net *net, const float *input, const float *target,
                        ploy_trainer_loss kind, slow_bump bump) {
    static double a[4096], b[4096];
    double *now = a, *next = b, loss = 0.0;
    for (int32_t i = 0; i < ploy_net_input_count(net); i++) now[i] = (double)input[i];
    int32_t layers = ploy_net_layer_count(net);
    for (int32_t l = 0; l < layers; l++) {
        slow_layer(net, l, now, next, bump);
        double *swap = now;
        now = next;
        next = swap;
    }
    ploy_net_activation last = ploy_net_layer_at(net, layers - 1)->activation;
    for (int32_t i = 0; i < ploy_net_output_count(net); i++) {
        double want = (double)target[i], got = now[i];
        if (kind == PLOY_TRAINER_CROSS_ENTROPY && last == PLOY_NET_SOFTMAX) {
            loss -= want * log(got);
        } else if (kind == PLOY_TRAINER_CROSS_ENTROPY && last == PLOY_NET_SIGMOID) {
            loss -= want * log(got) + (1 - want) * log(1 - got);
        } else {
            loss += 0.5 * (want - got) * (want - got);
        }
    }
    return loss;
}

static void check_gradients(test_context *t, ploy_net *net, ploy_trainer_loss loss, uint64_t seed) {
    ploy_trainer_def def = ploy_trainer_def_default();
    def.batch = 0;
    def.loss = loss;
    ploy_trainer *trainer = train(t, net, &def);
    ploy_rng rng = ploy_rng_make(seed);
    float in[64], target[16];
    for (int32_t i = 0; i < ploy_net_input_count(net); i++) in[i] = ploy_rng_range(&rng, -1, 1);
    for (int32_t i = 0; i < ploy_net_output_count(net); i++) target[i] = 0.1f;
    target[0] = 0.8f;
    for (int32_t l = 0; l < ploy_net_layer_count(net); l++) {
        for (int32_t j = 0; ploy_net_bias(net, l, j) != NULL; j++) {
            *ploy_net_bias(net, l, j) = ploy_rng_range(&rng, -0.5f, 0.5f);
        }
    }
    slow_bump none = {-1, 0, 0, 0.0};
    float before = ploy_trainer_learn(trainer, in, target);
    CHECK_NEAR(before, slow_loss(net, in, target, loss, none), 1e-5);
    int32_t moved = 0;
    for (int32_t l = 0; l < ploy_net_layer_count(net); l++) {
        for (int32_t j = 0; ploy_net_bias(net, l, j) != NULL; j++) {
            for (int32_t i = -1; i < ploy_net_weights_of_unit(net, l); i++) {
                slow_bump up = {l, j, i, 1e-6}, down = {l, j, i, -1e-6};
                double slope = (slow_loss(net, in, target, loss, up) -
                                slow_loss(net, in, target, loss, down)) /
                               2e-6;
                float got = ploy_trainer_gradient_at(trainer, l, j, i);
                CHECK_NEAR(-(double)got, slope, 2e-5 + 2e-5 * fabs(slope));
                moved += fabs(slope) > 1e-4 ? 1 : 0;
            }
        }
    }
    CHECK(moved > 0);
    ploy_trainer_destroy(trainer);
}

TEST(gradients_match_finite_differences_for_every_activation) {
    for (int32_t kind = 0; kind < PLOY_NET_SOFTMAX; kind++) {
        t->row = ploy_net_activation_text((ploy_net_activation)kind);
        if (kind == PLOY_NET_STEP || kind == PLOY_NET_SIGN) continue; // no derivative
        ploy_net_layer layers[] = {ploy_net_dense(7, (ploy_net_activation)kind),
                                   ploy_net_dense(5, (ploy_net_activation)kind),
                                   ploy_net_dense(3, (ploy_net_activation)kind)};
        layers[0].shape = 0.7f;
        layers[1].shape = 1.3f;
        ploy_net *net = make(t, ploy_net_inputs(4), layers, 3, 11);
        check_gradients(t, net, PLOY_TRAINER_SQUARED, 3);
        ploy_net_destroy(net);
    }
}

TEST(gradients_match_for_every_loss) {
    for (int32_t i = 0; i < 4; i++) {
        ploy_net_layer layers[] = {ploy_net_dense(6, PLOY_NET_TANH),
                                   ploy_net_dense(4, i < 2 ? PLOY_NET_SOFTMAX : PLOY_NET_SIGMOID)};
        layers[1].shape = 0.8f;
        ploy_net *net = make(t, ploy_net_inputs(5), layers, 2, 17);
        // Cross entropy of softmax needs targets with a sum of 1: 0.8 and a few tenths come close enough only
        // with two more; so the squared form and the sigmoid take any.
        if (i == 1) {
            ploy_net_layer two[] = {layers[0], ploy_net_dense(3, PLOY_NET_SOFTMAX)};
            ploy_net_destroy(net);
            net = make(t, ploy_net_inputs(5), two, 2, 17);
        }
        check_gradients(t, net, i % 2 == 0 ? PLOY_TRAINER_SQUARED : PLOY_TRAINER_CROSS_ENTROPY, 5);
        ploy_net_destroy(net);
    }
}

TEST(gradients_match_for_convolution_and_pooling) {
    ploy_net_size image = {2, 6, 5};
    for (int32_t i = 0; i < 4; i++) {
        ploy_net_layer layers[] = {
            ploy_net_conv(3, 3, PLOY_NET_TANH),
            ploy_net_pool(i % 2 == 0 ? PLOY_NET_MAX_POOL : PLOY_NET_MEAN_POOL, 2),
            ploy_net_conv(2, 2, PLOY_NET_SOFTPLUS), ploy_net_dense(3, PLOY_NET_LINEAR)};
        if (i >= 2) { // overlapping, padded windows, uneven strides
            layers[0].stride[0] = 2;
            layers[1].stride[0] = layers[1].stride[1] = 1;
            layers[1].pad[0] = layers[1].pad[1] = 1;
        }
        ploy_net *net = make(t, image, layers, 4, 23);
        check_gradients(t, net, PLOY_TRAINER_SQUARED, (uint64_t)(7 + i));
        ploy_net_destroy(net);
    }
}

// ---- vectors

static ploy_net *vector_net(test_context *t, ploy_net_activation kind) {
    ploy_net_layer layers[] = {ploy_net_dense(2, kind), ploy_net_dense(1, kind)};
    ploy_net *net = make(t, ploy_net_inputs(2), layers, 2, 1);
    static const float hidden[2][3] = {{0.1f, 0.2f, 0.05f}, {-0.3f, 0.4f, 0.1f}};
    for (int32_t j = 0; j < 2; j++) {
        memcpy(ploy_net_weights(net, 0, j), hidden[j], 2 * sizeof(float));
        *ploy_net_bias(net, 0, j) = hidden[j][2];
    }
    ploy_net_weights(net, 1, 0)[0] = 0.5f;
    ploy_net_weights(net, 1, 0)[1] = -0.2f;
    *ploy_net_bias(net, 1, 0) = 0.3f;
    return net;
}

TEST(one_step_of_backpropagation_has_the_catalog_values) {
    static const float sigmoid[9] = {0.5242824f, -0.1796604f, 0.3451824f, 0.1056162f, 0.2f,
                                     0.0556162f, -0.3022367f, 0.4f,       0.0977633f};
    static const float relu[9] = {0.546875f, -0.2f, 0.6125f, 0.25625f, 0.2f,
                                  0.20625f,  -0.3f, 0.4f,    0.1f};
    for (int32_t i = 0; i < 2; i++) {
        ploy_net *net = vector_net(t, i == 0 ? PLOY_NET_SIGMOID : PLOY_NET_RELU);
        ploy_trainer_def def = ploy_trainer_def_default();
        def.rate = 0.5f;
        ploy_trainer *trainer = train(t, net, &def);
        float in[2] = {1, 0}, target = 1, out = 0;
        (void)ploy_trainer_learn(trainer, in, &target);
        const float *want = i == 0 ? sigmoid : relu;
        CHECK_NEAR(ploy_trainer_values(trainer, 2)[0], i == 0 ? 0.6174365 : 0.375, 2e-6);
        CHECK_NEAR(ploy_trainer_values(trainer, 1)[0], i == 0 ? 0.5374298 : 0.15, 2e-6);
        CHECK_NEAR(ploy_net_weights(net, 1, 0)[0], want[0], 2e-6);
        CHECK_NEAR(ploy_net_weights(net, 1, 0)[1], want[1], 2e-6);
        CHECK_NEAR(ploy_net_bias_at(net, 1, 0), want[2], 2e-6);
        for (int32_t j = 0; j < 2; j++) {
            CHECK_NEAR(ploy_net_weights(net, 0, j)[0], want[3 + 3 * j], 2e-6);
            CHECK_NEAR(ploy_net_weights(net, 0, j)[1], want[4 + 3 * j], 2e-6);
            CHECK_NEAR(ploy_net_bias_at(net, 0, j), want[5 + 3 * j], 2e-6);
        }
        ploy_net_run(net, in, &out, scratch);
        if (i == 0) CHECK_NEAR(out, 0.6336094, 2e-6);
        ploy_trainer_destroy(trainer);
        ploy_net_destroy(net);
    }
}

static int32_t xor_right(const ploy_net *net) {
    int32_t right = 0;
    for (int32_t i = 0; i < 4; i++) {
        float in[2] = {(float)(i & 1), (float)(i >> 1)}, out = 0;
        ploy_net_run(net, in, &out, scratch);
        right += (out > 0.5f) == ((i & 1) != (i >> 1));
    }
    return right;
}

static bool learns_xor(test_context *t, const ploy_trainer_def *def, ploy_net_activation hidden,
                       int32_t units, uint64_t seed, int32_t epochs) {
    ploy_net_layer layers[] = {ploy_net_dense(units, hidden), ploy_net_dense(1, PLOY_NET_SIGMOID)};
    ploy_net *net = make(t, ploy_net_inputs(2), layers, 2, seed);
    ploy_trainer *trainer = train(t, net, def);
    for (int32_t e = 0; e < epochs; e++) {
        for (int32_t i = 0; i < 4; i++) {
            float in[2] = {(float)(i & 1), (float)(i >> 1)},
                  target = (i & 1) != (i >> 1) ? 1.0f : 0.0f;
            (void)ploy_trainer_learn(trainer, in, &target);
        }
    }
    bool all = xor_right(net) == 4;
    ploy_trainer_destroy(trainer);
    ploy_net_destroy(net);
    return all;
}

TEST(xor_is_learned_by_48_of_50_seeds) {
    ploy_trainer_def def = ploy_trainer_def_default();
    def.method = PLOY_TRAINER_ADAM;
    def.loss = PLOY_TRAINER_CROSS_ENTROPY;
    def.rate = 0.05f;
    def.batch = 4;
    int32_t learned = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        learned += learns_xor(t, &def, PLOY_NET_TANH, 4, seed, 1000) ? 1 : 0;
    }
    CHECK(learned >= 48);
}

TEST(two_hidden_units_suffice_for_xor) {
    ploy_trainer_def def = ploy_trainer_def_default();
    def.method = PLOY_TRAINER_ADAM;
    def.loss = PLOY_TRAINER_CROSS_ENTROPY;
    def.rate = 0.05f;
    def.batch = 4;
    int32_t learned = 0; // others end in a local minimum
    for (uint64_t seed = 1; seed <= 20; seed++) {
        learned += learns_xor(t, &def, PLOY_NET_TANH, 2, seed, 1000) ? 1 : 0;
    }
    printf("xor: %d of 20 seeds with two hidden units\n", (int)learned);
    CHECK(learned > 0);
}

TEST(every_method_learns_xor) {
    for (int32_t i = 0; i < 5; i++) {
        ploy_trainer_def def = ploy_trainer_def_default();
        def.loss = PLOY_TRAINER_CROSS_ENTROPY;
        def.rate = i < 2 ? 0.1f : 0.5f;
        def.batch = i == 0 ? 1 : 4;
        if (i == 1) def.method = PLOY_TRAINER_RPROP;
        if (i == 2) def.momentum = 0.9f;
        if (i == 3) def.clip = 0.5f, def.rate = 2.0f;
        if (i == 4) def.rate = 0.7f, def.rate_end = 0.1f, def.rate_updates = 8000;
        int32_t learned = 0;
        for (uint64_t seed = 1; seed <= 8; seed++) {
            learned += learns_xor(t, &def, PLOY_NET_TANH, 6, seed, 2000) ? 1 : 0;
        }
        CHECK(learned >= 7);
    }
}

TEST(a_perceptron_cannot_learn_xor) {
    ploy_net_layer layer = ploy_net_dense(1, PLOY_NET_SIGMOID);
    ploy_net *net = make(t, ploy_net_inputs(2), &layer, 1, 1);
    ploy_trainer_def def = ploy_trainer_def_default();
    ploy_trainer *trainer = train(t, net, &def);
    for (int32_t e = 0; e < 2000; e++) {
        float in[2] = {(float)(e & 1), (float)(e >> 1 & 1)},
              target = (e & 1) != (e >> 1 & 1) ? 1.0f : 0.0f;
        (void)ploy_trainer_learn(trainer, in, &target);
    }
    CHECK(xor_right(net) <= 3);
    ploy_trainer_destroy(trainer);
    ploy_net_destroy(net);
}

TEST(rewards_raise_the_action_that_paid) {
    ploy_net_layer layers[] = {ploy_net_dense(6, PLOY_NET_TANH),
                               ploy_net_dense(3, PLOY_NET_SIGMOID)};
    ploy_net *net = make(t, ploy_net_inputs(2), layers, 2, 3);
    ploy_trainer_def def = ploy_trainer_def_default();
    ploy_trainer *trainer = train(t, net, &def);
    float in[2] = {1, 0.5f}, before[3], after[3];
    ploy_net_run(net, in, before, scratch);
    for (int32_t i = 0; i < 50; i++) {
        ploy_trainer_reward(trainer, in, 1, 0.5f);
        ploy_trainer_reward(trainer, in, 2, -0.5f);
    }
    ploy_net_run(net, in, after, scratch);
    CHECK(after[1] > before[1] + 0.1f);
    CHECK(after[2] < before[2] - 0.1f);
    ploy_trainer_destroy(trainer);
    ploy_net_destroy(net);
}

TEST(only_the_chosen_layers_change) {
    ploy_net_layer layers[] = {ploy_net_dense(5, PLOY_NET_TANH), ploy_net_dense(4, PLOY_NET_TANH),
                               ploy_net_dense(1, PLOY_NET_LINEAR)};
    ploy_net *net = make(t, ploy_net_inputs(2), layers, 3, 3), *before = NULL;
    ploy_trainer_def def = ploy_trainer_def_default();
    ploy_trainer *trainer = train(t, net, &def);
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_net_copy(net, &env, &before));
    CHECK_OK(ploy_trainer_only(trainer, 1, 1));
    CHECK_INT(ploy_trainer_only(trainer, 2, 2), PLOY_ERR_ARGUMENT);
    float in[2] = {1, -1}, target = 3;
    (void)ploy_trainer_learn(trainer, in, &target);
    CHECK_BYTES(ploy_net_weights(net, 0, 0), ploy_net_weights(before, 0, 0), 2 * sizeof(float));
    CHECK(ploy_net_weights(net, 1, 0)[0] != ploy_net_weights(before, 1, 0)[0]);
    CHECK(ploy_net_weights(net, 2, 0)[0] != ploy_net_weights(before, 2, 0)[0]);
    ploy_trainer_destroy(trainer);
    ploy_net_destroy(net);
    ploy_net_destroy(before);
}

TEST(dropout_drops_its_share_and_keeps_the_mean) {
    ploy_net_layer layers[] = {ploy_net_dense(1000, PLOY_NET_LINEAR),
                               ploy_net_dense(1, PLOY_NET_LINEAR)};
    layers[0].dropout = 0.25f;
    ploy_net *net = make(t, ploy_net_inputs(1), layers, 2, 3);
    ploy_trainer_def def = ploy_trainer_def_default();
    def.batch = 0;
    ploy_trainer *trainer = train(t, net, &def);
    for (int32_t i = 0; i < 1000; i++) ploy_net_weights(net, 0, i)[0] = 1.0f;
    float in = 1.0f, target = 0.0f, sum = 0.0f;
    int32_t zeros = 0;
    (void)ploy_trainer_learn(trainer, &in, &target);
    const float *values = ploy_trainer_values(trainer, 1);
    for (int32_t i = 0; i < 1000; i++) {
        zeros += values[i] == 0.0f ? 1 : 0;
        sum += values[i];
        if (values[i] == 0.0f) CHECK_SAME(ploy_trainer_gradient_at(trainer, 0, i, 0), 0);
    }
    CHECK_NEAR(zeros, 250, 55);
    CHECK_NEAR(sum, 1000, 75);
    ploy_trainer_destroy(trainer);
    ploy_net_destroy(net);
}

TEST(a_trainer_saved_in_between_goes_on_to_the_same_bytes) {
    for (int32_t method = 0; method < 3; method++) {
        ploy_net_layer layers[] = {ploy_net_dense(3, PLOY_NET_TANH),
                                   ploy_net_dense(1, PLOY_NET_LINEAR)};
        layers[0].dropout = 0.2f;
        ploy_net *net = make(t, ploy_net_inputs(2), layers, 2, 3),
                 *other = make(t, ploy_net_inputs(2), layers, 2, 4);
        ploy_trainer_def def = ploy_trainer_def_default();
        def.method = (ploy_trainer_method)method;
        def.momentum = 0.5f;
        def.batch = 3;
        ploy_trainer *a = train(t, net, &def), *b = train(t, other, &def);
        ploy_rng rng = ploy_rng_make(1);
        for (int32_t i = 0; i < 40; i++) {
            float x = ploy_rng_float(&rng), y = ploy_rng_float(&rng);
            float in[2] = {x, y}, target = x * y;
            (void)ploy_trainer_learn(a, in, &target);
            if (i >= 20) (void)ploy_trainer_learn(b, in, &target);
            if (i != 19) continue;
            state_check s = {ploy_trainer_visit, a, NULL, NULL, NULL};
            state_check_all(t, &s);
            state_check_copy(t, &s, b);
            CHECK_OK(ploy_net_assign(other, net));
        }
        CHECK_UINT(ploy_net_hash(net), ploy_net_hash(other));
        ploy_trainer_destroy(a);
        ploy_trainer_destroy(b);
        ploy_net_destroy(net);
        ploy_net_destroy(other);
    }
}

static ploy_result create_once(const ploy_env *env, void *arg) {
    ploy_trainer_def def = ploy_trainer_def_default();
    ploy_trainer *trainer = NULL;
    ploy_result result = ploy_trainer_create(&def, arg, env, &trainer);
    TEST_REPORT(result, env, trainer, ploy_trainer_memory);
    ploy_trainer_destroy(trainer);
    return result;
}

TEST(learning_allocates_nothing_and_memory_may_fail) {
    ploy_net_layer layers[] = {ploy_net_dense(3, PLOY_NET_TANH),
                               ploy_net_dense(1, PLOY_NET_LINEAR)};
    ploy_net *net = make(t, ploy_net_inputs(2), layers, 2, 3);
    CHECK_FAIL_NTH(create_once, net);
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_trainer_def def = ploy_trainer_def_default();
    ploy_trainer *trainer = NULL;
    CHECK_OK(ploy_trainer_create(&def, net, &env, &trainer));
    int64_t calls = counts.calls;
    float in[2] = {1, 0}, target = 1;
    (void)ploy_trainer_learn(trainer, in, &target);
    CHECK_INT(counts.calls, calls);
    ploy_trainer_sense(trainer, in, 0);
    float up[2] = {1.01f, 0}, a = 0, b = 0;
    ploy_net_run(net, in, &a, scratch);
    ploy_net_run(net, up, &b, scratch);
    CHECK_NEAR(ploy_trainer_sensed(trainer)[0], (b - a) / 0.01f, 0.01);
    ploy_trainer_destroy(trainer);
    ploy_net_destroy(net);
    CHECK_OK(ploy_fields_check_table(ploy_trainer_fields(), NULL));
}
