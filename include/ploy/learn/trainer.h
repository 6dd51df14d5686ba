/// @file ploy/learn/trainer.h
/// Trainer: adjusts the weights of a net by backpropagation.
///
/// Each example runs forward, its error runs backward through the old weights, and the change is
/// applied at once (batch 1), every `batch` examples, or when the caller calls ploy_trainer_update
/// (batch 0). Without examples (weak supervision) the caller gives the error of the outputs itself:
/// a reward for the action that was taken, or any other difference.
///
/// A unit of work is one example. Learning allocates nothing. See ploy/learn/net.h for sources.
/// Threads: one caller; no other thread may run the net at the same time.
#pragma once

#include "ploy/learn/net.h"

typedef enum ploy_trainer_method {
    PLOY_TRAINER_GRADIENT, ///< gradient descent, with momentum
    PLOY_TRAINER_RPROP,    ///< a separate step for each weight, from the sign of its gradient only
    PLOY_TRAINER_ADAM      ///< steps scaled by running means of gradient and square
} ploy_trainer_method;

typedef enum ploy_trainer_loss {
    PLOY_TRAINER_SQUARED,      ///< half the sum of squares
    PLOY_TRAINER_CROSS_ENTROPY ///< for sigmoid and softmax outputs; squared for others
} ploy_trainer_loss;

typedef struct ploy_trainer_def {
    uint32_t cookie;
    ploy_trainer_method method;
    ploy_trainer_loss loss;
    float rate;           ///< learning rate (gain) at first; also RPROP's first step
    float rate_end;       ///< learning rate after rate_updates
    int32_t rate_updates; ///< updates over which the rate falls in equal steps; 0: constant
    float momentum;       ///< share of the last change that is repeated; gradient descent only
    float beta1, beta2;   ///< Adam: memory of mean and square
    float decay;          ///< weight decay for each update, in units of the rate
    float clip;           ///< largest length of a gradient; 0: any
    int32_t batch;        ///< examples for each update; 0: the caller updates
    uint64_t seed;        ///< of dropout
} ploy_trainer_def;

PLOY_API ploy_trainer_def ploy_trainer_def_default(void);
PLOY_API ploy_fields ploy_trainer_fields(void);

/// Training state of one net. Opaque.
typedef struct ploy_trainer ploy_trainer;

/// @param net  borrowed; must outlive the trainer.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_trainer_create(const ploy_trainer_def *def, ploy_net *net,
                                         const ploy_env *env, ploy_trainer **out);
/// NULL is allowed.
PLOY_API void ploy_trainer_destroy(ploy_trainer *trainer);

/// Learns one example. @return the loss before the change.
PLOY_API float ploy_trainer_learn(ploy_trainer *trainer, const float *input, const float *target);
/// Learns from errors of the outputs (how much each should rise), without a target.
PLOY_API void ploy_trainer_correct(ploy_trainer *trainer, const float *input, const float *errors);
/// Weak supervision: the chosen output should have been larger (reward above 0) or smaller by
/// that much. @param action  an output.
PLOY_API void ploy_trainer_reward(ploy_trainer *trainer, const float *input, int32_t action,
                                  float reward);
/// Applies the gradients gathered since the last update; has no effect if there are none.
PLOY_API void ploy_trainer_update(ploy_trainer *trainer);

/// Limits training to layers [first, first + count) and the last one, for layer-by-layer training.
/// At first, all layers are trained. @return PLOY_ERR_ARGUMENT if the range is not in the net.
PLOY_API ploy_result ploy_trainer_only(ploy_trainer *trainer, int32_t first, int32_t count);

/// Clears gradients and running means; the net does not change.
PLOY_API void ploy_trainer_reset(ploy_trainer *trainer);

/// Output values of a layer for the last example: layer 0 is the input, the layer count the output.
PLOY_API const float *ploy_trainer_values(const ploy_trainer *trainer, int32_t layer);
/// The error at the net's inputs of the last example: which input would have changed the loss most.
/// Valid after ploy_trainer_sense.
PLOY_API const float *ploy_trainer_sensed(const ploy_trainer *trainer);
/// Runs an input and finds how one output depends on each input, changing nothing.
PLOY_API void ploy_trainer_sense(ploy_trainer *trainer, const float *input, int32_t output);

/// Gradient of one weight (or bias, index -1) gathered so far: how much it should rise.
PLOY_API float ploy_trainer_gradient_at(const ploy_trainer *trainer, int32_t layer, int32_t unit,
                                        int32_t index);
/// Examples learned and updates made since create or reset, and the learning rate now.
PLOY_API int64_t ploy_trainer_examples(const ploy_trainer *trainer);
PLOY_API int64_t ploy_trainer_updates(const ploy_trainer *trainer);
PLOY_API float ploy_trainer_rate(const ploy_trainer *trainer);

/// Gathered gradients, running means and counters; not the net's weights.
PLOY_API void ploy_trainer_visit(ploy_visit *v, void *object);
PLOY_API void ploy_trainer_memory(const ploy_trainer *trainer, ploy_memory_fn fn, void *user);
