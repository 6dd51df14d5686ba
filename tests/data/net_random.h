// Random nets for the tests of files.
#pragma once

#include "ploy/learn/net.h"
#include "tests/test.h"

static inline ploy_net *net_random(test_context *t, ploy_net_size size,
                                   const ploy_net_layer *layers, int32_t count, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_net *net = NULL;
    CHECK_OK(ploy_net_create(size, layers, count, ploy_rng_key_make(seed), &env, &net));
    ploy_rng rng = ploy_rng_make(seed + 1);
    for (int32_t l = 0; l < count; l++) {
        for (int32_t u = 0; ploy_net_bias(net, l, u) != NULL; u++) {
            *ploy_net_bias(net, l, u) = ploy_rng_binomial(&rng);
        }
    }
    return net;
}

// Largest difference between two nets over random inputs.
static inline double net_difference(test_context *t, const ploy_net *a, const ploy_net *b) {
    CHECK_INT(ploy_net_input_count(a), ploy_net_input_count(b));
    CHECK_INT(ploy_net_output_count(a), ploy_net_output_count(b));
    enum { ROOM = 4096 };
    float input[ROOM], out[2][ROOM], scratch[ROOM];
    CHECK(ploy_net_scratch(a) <= ROOM && ploy_net_scratch(b) <= ROOM);
    ploy_rng rng = ploy_rng_make(99);
    double worst = 0.0;
    for (int32_t round = 0; round < 50; round++) {
        for (int32_t i = 0; i < ploy_net_input_count(a); i++) {
            input[i] = 2.0f * ploy_rng_binomial(&rng);
        }
        ploy_net_run(a, input, out[0], scratch);
        ploy_net_run(b, input, out[1], scratch);
        for (int32_t i = 0; i < ploy_net_output_count(a); i++) {
            double off = (double)out[0][i] - (double)out[1][i];
            worst = off > worst ? off : -off > worst ? -off : worst;
        }
    }
    return worst;
}
