// Shared by the files of networks: the layout of a net and the kernels that work on it.
//
// All parameters of a net are one array of floats, layer by layer: the rows of weights, each padded with zeros
// to a multiple of eight, then the biases, padded too. Values of a layer are padded the same way, so that
// kernels never see a remainder.
#pragma once

#include "ploy/learn/net.h"

// Rounded up to eight.
static inline int32_t ployi_net_padded(int32_t count) {
    return (count + 7) & ~7;
}

typedef struct ployi_net_slot {
    ploy_net_layer layer;
    ploy_net_size in, out;
    int32_t rows;    // units or channels with weights; 0 for pooling
    int32_t fan_in;  // weights of a row
    int32_t stride;  // fan_in, padded
    int64_t weights; // offset of the first row in the parameters
    int64_t biases;
} ployi_net_slot;

struct ploy_net {
    ploy_env env;
    size_t size; // bytes of this block
    int32_t layer_count;
    int32_t widest; // largest padded number of values of any layer, the input included
    int32_t patch;  // largest padded window of a convolution, its output channels included
    int64_t param_count;
    ployi_net_slot *slots;
    float *params;
};

// z[j] = lanes of row j times x, plus bias j.
void ployi_net_rows(int32_t rows, int32_t stride, const float *weights, const float *biases,
                    const float *x, float *z);
// The same for 16 agents: x[i * 16 + agent], z[j * 16 + agent].
void ployi_net_rows16(int32_t rows, int32_t stride, const float *weights, const float *biases,
                      const float *x, float *z);
// back[i] = sum over rows of w[j][i] * delta[j], for i below stride.
void ployi_net_back(int32_t rows, int32_t stride, const float *weights, const float *delta,
                    float *back);
// w[j][i] += rate * delta[j] * x[i], b[j] += rate * delta[j].
void ployi_net_add(int32_t rows, int32_t stride, float rate, const float *delta, const float *x,
                   float *weights, float *biases);
// Applies the function to count sums; softmax to all of them as one layer. In place is allowed.
void ployi_net_activate_all(ploy_net_activation activation, float shape, int32_t count,
                            const float *sums, float *values);
// delta[i] *= derivative at sum i, whose value is values[i]. Not for softmax.
void ployi_net_derive_all(ploy_net_activation activation, float shape, int32_t count,
                          const float *sums, const float *values, float *delta);
// The optimisers' loops over all parameters; gradients point downhill and are set to 0.
void ployi_net_momentum(int64_t count, float rate, float momentum, float decay, float *params,
                        float *gradients, float *moment);
typedef struct ployi_net_adam_law {
    float rate, beta1, beta2, scale1, scale2, epsilon, decay;
} ployi_net_adam_law;
void ployi_net_adam(int64_t count, ployi_net_adam_law law, float *params, float *gradients,
                    float *moment1, float *moment2);

// Copies the window of an image at output position (x, y) into patch (c, wy, wx), zeros outside and behind.
void ployi_net_gather(const ployi_net_slot *slot, const float *in, int32_t x, int32_t y,
                      float *patch);
// Adds a patch back to where it came from.
void ployi_net_scatter(const ployi_net_slot *slot, const float *patch, int32_t x, int32_t y,
                       float *in);
// Runs one layer: sums and values, both padded. chosen gets the input index of each max-pooled value; may be NULL.
void ployi_net_layer_run(const ploy_net *net, int32_t layer, const float *in, float *sums,
                         float *values, int32_t *chosen, float *patch);
