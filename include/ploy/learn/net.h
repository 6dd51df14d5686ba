/// @file ploy/learn/net.h
/// Neural networks: layers of weighted sums that answer, and a trainer that adjusts the weights.
///
/// A net is a list of layers. A dense layer connects every unit to every input; a convolution
/// slides a window over images; a pooling layer keeps the largest or the mean value of each window.
/// A single dense layer with the step function is a perceptron. Images are stored channel after
/// channel, row after row, as in ONNX.
///
///     ploy_net_layer layers[] = {ploy_net_dense(16, PLOY_NET_TANH), ploy_net_dense(3, PLOY_NET_SOFTMAX)};
///     ploy_net_create(ploy_net_inputs(8), layers, 2, ploy_rng_key_make(1), &env, &net);
///     ploy_net_run(net, input, output, scratch);          // a net is immutable: a crowd shares one
///
///     ploy_trainer_create(&def, net, &env, &trainer);     // the trainer changes the net's weights
///     ploy_trainer_learn(trainer, input, target);         // one example
///
/// Technique: Millington, "AI for Games", 7.8; Rumelhart et al. 1986 (backpropagation), Riedmiller
/// and Braun 1993 (RPROP, the iRprop- form), Kingma and Ba 2015 (Adam), Srivastava et al. 2014
/// (dropout).
///
/// Layout: all weights are in one flat array, a row for each unit, padded with zeros to eight. A
/// weighted sum is made in eight fixed lanes that are added in a fixed order, then the bias; so the
/// single form, the batch form and every processor give the same bits.
///
/// Cost: one multiplication and addition per weight. Running and learning allocate nothing.
/// Threads: many may run one net, each with separate scratch; a trainer has one caller, and no
/// other thread may run its net at the same time.
#pragma once

#include "ploy/base/visit.h"

/// Functions of a unit's weighted sum x; h is the layer's shape.
typedef enum ploy_net_activation {
    PLOY_NET_LINEAR,        ///< h x
    PLOY_NET_STEP,          ///< 0 below 0, else 1; has no derivative, so it learns nothing
    PLOY_NET_SIGN,          ///< -1 below 0, else 1; likewise
    PLOY_NET_RELU,          ///< max(0, h x)
    PLOY_NET_LEAKY,         ///< h x, below 0 a hundredth of it
    PLOY_NET_SOFTPLUS,      ///< ln(1 + e^(h x)) / h
    PLOY_NET_SIGMOID,       ///< 1 / (1 + e^(-h x))
    PLOY_NET_TANH,          ///< tanh(h x)
    PLOY_NET_RADIAL,        ///< a mirrored pair of sigmoids of shape h, 1 at 0
    PLOY_NET_GAUSSIAN,      ///< e^(-ln(2) (h x)^2): 1/2 at +-1/h
    PLOY_NET_SIGMOID_STEPS, ///< a sigmoid of shape 2 h in seven straight pieces, as FANN has it
    PLOY_NET_TANH_STEPS,    ///< tanh in seven straight pieces, as FANN has it
    PLOY_NET_SOFTMAX,       ///< e^(h x) as a share of the layer's sum; last layer only
    PLOY_NET_ACTIVATIONS
} ploy_net_activation;

/// "linear", "step", ...; "?" out of range.
PLOY_API const char *ploy_net_activation_text(ploy_net_activation activation);

/// One value of the function and its derivative. For softmax e^(h x), without the share.
PLOY_API float ploy_net_activate(ploy_net_activation activation, float shape, float x);
PLOY_API float ploy_net_derive(ploy_net_activation activation, float shape, float x);

typedef enum ploy_net_layer_kind {
    PLOY_NET_DENSE,
    PLOY_NET_CONV,      ///< 2D convolution (cross-correlation, as everywhere in machine learning)
    PLOY_NET_MAX_POOL,  ///< largest value of each window
    PLOY_NET_MEAN_POOL, ///< mean of each window; cells outside the image do not count
    PLOY_NET_LAYER_KINDS
} ploy_net_layer_kind;

/// "dense", "conv", "max_pool", "mean_pool"; "?" out of range.
PLOY_API const char *ploy_net_layer_kind_text(ploy_net_layer_kind kind);

/// Largest number of layers, of values in one layer, and of weights in a net.
#define PLOY_NET_LAYERS_MAX 64
#define PLOY_NET_UNITS_MAX (1 << 20)
#define PLOY_NET_WEIGHTS_MAX (1 << 26)

/// One layer. Start from ploy_net_dense, ploy_net_conv or ploy_net_pool.
typedef struct ploy_net_layer {
    ploy_net_layer_kind kind;
    ploy_net_activation activation; ///< of pooling: PLOY_NET_LINEAR
    float shape;                    ///< h above
    float dropout;                  ///< share of its outputs that training sets to 0, [0, 1)
    int32_t units;                  ///< of dense layers; output channels of convolutions
    int32_t window[2];              ///< width and height of convolutions and pooling
    int32_t stride[2];
    int32_t pad[2]; ///< zeros added on each side
} ploy_net_layer;

PLOY_API ploy_net_layer ploy_net_dense(int32_t units, ploy_net_activation activation);
/// A square window, stride 1; pad is (window - 1) / 2, which keeps the size for odd windows.
PLOY_API ploy_net_layer ploy_net_conv(int32_t channels, int32_t window,
                                      ploy_net_activation activation);
/// A square window with a stride of its size.
PLOY_API ploy_net_layer ploy_net_pool(ploy_net_layer_kind kind, int32_t window);

/// Size of a layer's input: an image, or 1 by 1 with a channel for each value.
typedef struct ploy_net_size {
    int32_t channels, width, height;
} ploy_net_size;

/// The size of a plain list of values, and the number of values of a size.
PLOY_API ploy_net_size ploy_net_inputs(int32_t count);
static inline int32_t ploy_net_values(ploy_net_size size) {
    return size.channels * size.width * size.height;
}

/// A network. Opaque.
typedef struct ploy_net ploy_net;

/// Creates a net with small random weights (He's deviation for ReLU and its variants, Glorot's
/// range otherwise) and biases of 0.
/// @param key  weight i of layer l is draw i of agent l; the same key gives the same weights.
/// @return PLOY_ERR_ARGUMENT if a layer is out of range or does not fit its input (the log names
///         it), PLOY_ERR_LIMIT for too many weights, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_net_create(ploy_net_size input, const ploy_net_layer *layers,
                                     int32_t layer_count, ploy_rng_key key, const ploy_env *env,
                                     ploy_net **out);
/// A net with the same layers and weights.
PLOY_API ploy_result ploy_net_copy(const ploy_net *net, const ploy_env *env, ploy_net **out);
/// NULL is allowed.
PLOY_API void ploy_net_destroy(ploy_net *net);
/// Draws the weights again, as create does.
PLOY_API void ploy_net_randomise(ploy_net *net, ploy_rng_key key);
/// Copies weights and biases between nets of the same layers. @return PLOY_ERR_ARGUMENT if they
/// differ in size.
PLOY_API ploy_result ploy_net_assign(ploy_net *net, const ploy_net *from);

PLOY_API int32_t ploy_net_layer_count(const ploy_net *net);
/// A layer, and the sizes of its input and output; the layer count gives the net's output.
PLOY_API const ploy_net_layer *ploy_net_layer_at(const ploy_net *net, int32_t layer);
PLOY_API ploy_net_size ploy_net_size_at(const ploy_net *net, int32_t layer);
/// Number of input and output values.
PLOY_API int32_t ploy_net_input_count(const ploy_net *net);
PLOY_API int32_t ploy_net_output_count(const ploy_net *net);
/// Weights and biases, padding not counted.
PLOY_API int64_t ploy_net_weight_count(const ploy_net *net);

/// Weights of one unit or output channel: as many as the layer has inputs; for convolutions,
/// channels by window height by window width. Bias: one value. NULL if there is none.
PLOY_API float *ploy_net_weights(ploy_net *net, int32_t layer, int32_t unit);
PLOY_API const float *ploy_net_weights_at(const ploy_net *net, int32_t layer, int32_t unit);
PLOY_API int32_t ploy_net_weights_of_unit(const ploy_net *net, int32_t layer);
PLOY_API float *ploy_net_bias(ploy_net *net, int32_t layer, int32_t unit);
PLOY_API float ploy_net_bias_at(const ploy_net *net, int32_t layer, int32_t unit);

/// Floats of scratch that ploy_net_run needs, and ploy_net_run_batch.
PLOY_API int32_t ploy_net_scratch(const ploy_net *net);
PLOY_API int32_t ploy_net_batch_scratch(const ploy_net *net);
/// Runs the net for one input.
/// @param output   may not overlap the input.
/// @param scratch  ploy_net_scratch floats; contents do not matter.
PLOY_API void ploy_net_run(const ploy_net *net, const float *input, float *output, float *scratch);
/// Runs the first layers only, for a look inside.
/// @param layers  1 to the layer count.
/// @param values  receives as many as ploy_net_size_at(net, layers) has.
PLOY_API void ploy_net_run_layers(const ploy_net *net, int32_t layers, const float *input,
                                  float *values, float *scratch);
/// Runs the net for agents [first, first + count): input row i is at input + i * input_stride,
/// output row i at output + i * output_stride. Splitting the range does not change the results, and
/// each row equals the output of ploy_net_run. Dense layers run 16 agents at a time.
/// @param scratch  ploy_net_batch_scratch floats, separate for each thread.
PLOY_API void ploy_net_run_batch(const ploy_net *net, int32_t first, int32_t count,
                                 const float *input, int32_t input_stride, float *output,
                                 int32_t output_stride, float *scratch);
/// A recurrent step: the net's outputs are part of its next input. The net has input_count +
/// outputs inputs; `state` holds the outputs, 0 at first.
/// @param scratch  ploy_net_scratch plus the number of inputs, in floats.
PLOY_API void ploy_net_recur(const ploy_net *net, const float *input, int32_t input_count,
                             float *state, float *scratch);
/// Index of the largest value; among equals, the first.
PLOY_API int32_t ploy_net_largest(const float *values, int32_t count);

/// All weights; layers are fixed at create.
PLOY_API void ploy_net_visit(ploy_visit *v, void *object);
PLOY_API uint64_t ploy_net_hash(const ploy_net *net);
PLOY_API void ploy_net_describe(const ploy_net *net, ploy_describe *out);
PLOY_API void ploy_net_memory(const ploy_net *net, ploy_memory_fn fn, void *user);
