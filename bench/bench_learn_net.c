// Networks: a net of 32-64-64-8 with tanh, beside FANN with the same weights.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/learn/trainer.h"

#ifdef PLOY_BENCH_FANN
#include <floatfann.h>
#endif

enum { NET_IN = 32, NET_HIDDEN = 64, NET_OUT = 8, NET_SAMPLES = 1000 };

typedef struct net_data {
    ploy_net *net;
    ploy_trainer *trainer;
    float *scratch;
    float in[NET_SAMPLES][NET_IN], out[NET_SAMPLES][NET_OUT], target[NET_SAMPLES][NET_OUT];
#ifdef PLOY_BENCH_FANN
    struct fann *fann;
#endif
} net_data;

static void net_need(bool ok) {
    if (ok) return;
    fprintf(stderr, "ploy: making a net failed\n");
    exit(2);
}

// FANN keeps a neuron's weights in order of its inputs, the bias last.
#ifdef PLOY_BENCH_FANN
static void net_make_fann(net_data *data) {
    data->fann = fann_create_standard(4, NET_IN, NET_HIDDEN, NET_HIDDEN, NET_OUT);
    net_need(data->fann != NULL);
    fann_set_activation_function_hidden(data->fann, FANN_SIGMOID_SYMMETRIC);
    fann_set_activation_function_output(data->fann, FANN_SIGMOID_SYMMETRIC);
    fann_set_activation_steepness_hidden(data->fann, 1.0f);
    fann_set_activation_steepness_output(data->fann, 1.0f);
    fann_set_training_algorithm(data->fann, FANN_TRAIN_INCREMENTAL);
    fann_set_learning_rate(data->fann, 0.01f);
    unsigned count = fann_get_total_connections(data->fann), at = 0;
    struct fann_connection *links = calloc(count, sizeof *links);
    net_need(links != NULL);
    fann_get_connection_array(data->fann, links);
    for (int32_t l = 0; l < ploy_net_layer_count(data->net); l++) {
        for (int32_t j = 0; ploy_net_weights_at(data->net, l, j) != NULL; j++) {
            int32_t n = ploy_net_weights_of_unit(data->net, l);
            for (int32_t i = 0; i < n; i++)
                links[at++].weight = ploy_net_weights_at(data->net, l, j)[i];
            links[at++].weight = ploy_net_bias_at(data->net, l, j);
        }
    }
    net_need(at == count);
    fann_set_weight_array(data->fann, links, count);
    free(links);
}

static void net_fann_forward(void *self) {
    net_data *data = self;
    for (int32_t i = 0; i < NET_SAMPLES; i++) bench_keep(fann_run(data->fann, data->in[i]));
}

static void net_fann_train(void *self) {
    net_data *data = self;
    for (int32_t i = 0; i < NET_SAMPLES; i++) fann_train(data->fann, data->in[i], data->target[i]);
}

static void net_compare(bench_run *run, net_data *data) {
    double worst = 0.0;
    for (int32_t i = 0; i < NET_SAMPLES; i++) {
        const float *want = fann_run(data->fann, data->in[i]);
        ploy_net_run(data->net, data->in[i], data->out[i], data->scratch);
        for (int32_t k = 0; k < NET_OUT; k++) {
            worst = fmax(worst, fabs((double)(want[k] - data->out[i][k])));
        }
    }
    if (!(worst < 1e-5)) bench_fail(run, "FANN's outputs differ");
}
#endif

static net_data *net_make(void) {
    net_data *data = calloc(1, sizeof *data);
    net_need(data != NULL);
    ploy_env env = ploy_env_default();
    ploy_net_layer layers[] = {ploy_net_dense(NET_HIDDEN, PLOY_NET_TANH),
                               ploy_net_dense(NET_HIDDEN, PLOY_NET_TANH),
                               ploy_net_dense(NET_OUT, PLOY_NET_TANH)};
    net_need(ploy_net_create(ploy_net_inputs(NET_IN), layers, 3, ploy_rng_key_make(1), &env,
                             &data->net) == PLOY_OK);
    ploy_trainer_def def = ploy_trainer_def_default();
    def.rate = 0.01f;
    net_need(ploy_trainer_create(&def, data->net, &env, &data->trainer) == PLOY_OK);
    data->scratch = calloc((size_t)ploy_net_batch_scratch(data->net), sizeof(float));
    net_need(data->scratch != NULL);
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < NET_SAMPLES; i++) {
        for (int32_t k = 0; k < NET_IN; k++) data->in[i][k] = ploy_rng_range(&rng, -1, 1);
        for (int32_t k = 0; k < NET_OUT; k++)
            data->target[i][k] = ploy_rng_range(&rng, -0.9f, 0.9f);
    }
#ifdef PLOY_BENCH_FANN
    net_make_fann(data);
#endif
    return data;
}

static void net_free(net_data *data) {
#ifdef PLOY_BENCH_FANN
    fann_destroy(data->fann);
#endif
    ploy_trainer_destroy(data->trainer);
    ploy_net_destroy(data->net);
    free(data->scratch);
    free(data);
}

static void net_forward(void *self) {
    net_data *data = self;
    for (int32_t i = 0; i < NET_SAMPLES; i++) {
        ploy_net_run(data->net, data->in[i], data->out[i], data->scratch);
    }
    bench_keep(data->out);
}

static void net_batch(void *self) {
    net_data *data = self;
    ploy_net_run_batch(data->net, 0, NET_SAMPLES, data->in[0], NET_IN, data->out[0], NET_OUT,
                       data->scratch);
    bench_keep(data->out);
}

static void net_train(void *self) {
    net_data *data = self;
    for (int32_t i = 0; i < NET_SAMPLES; i++) {
        (void)ploy_trainer_learn(data->trainer, data->in[i], data->target[i]);
    }
}

void bench_learn_net_forward(bench_run *run) {
    net_data *data = net_make();
    bench_side peer = bench_nothing();
#ifdef PLOY_BENCH_FANN
    net_compare(run, data);
    peer = bench_call(net_fann_forward, data, NET_SAMPLES);
#endif
    bench_measure(run, bench_call(net_forward, data, NET_SAMPLES), peer, bench_nothing());
    net_free(data);
}

void bench_learn_net_train(bench_run *run) {
    net_data *data = net_make();
    bench_side peer = bench_nothing();
#ifdef PLOY_BENCH_FANN
    net_compare(run, data);
    peer = bench_call(net_fann_train, data, NET_SAMPLES);
#endif
    bench_measure(run, bench_call(net_train, data, NET_SAMPLES), peer, bench_nothing());
    net_free(data);
}

void bench_learn_net_batch(bench_run *run) {
    net_data *data = net_make();
    bench_measure(run, bench_call(net_batch, data, NET_SAMPLES),
                  bench_call(net_forward, data, NET_SAMPLES), bench_nothing());
#if defined(__GNUC__) && defined(__x86_64__)
    if (!__builtin_cpu_supports("avx512f")) {
        bench_note(run, "no AVX-512 here: vectors of eight do the same sums for one agent or many");
    }
#endif
    net_free(data);
}
