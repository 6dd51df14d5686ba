/// @file ploy/learn/net_learner.h
/// The learner "net": a network over a table of examples.
///
/// Numbers become inputs, scaled to mean 0 and deviation 1 over the training table; a category
/// becomes one input for each of its values. Missing values are 0. A target of categories has one
/// softmax output for each class, a number one linear output. Columns can be the pixels of an
/// image, row by row: then convolutions and pooling come before the dense layers.
///
/// For a number, the learning rate of plain gradient descent is limited to (1 - momentum) /
/// (1 + inputs + units of the last hidden layer), because a linear output swings out above about
/// that. If weights grow without limit nevertheless, training ends with PLOY_ERR_LIMIT, the reason
/// is in the log, and the learner knows nothing.
///
/// A unit of training is one example. See ploy/learn/net.h and ploy/learn/trainer.h.
#pragma once

#include "ploy/learn/learner.h"
#include "ploy/learn/trainer.h"

typedef struct ploy_net_learner_def {
    uint32_t cookie;
    int32_t hidden, hidden2, hidden3; ///< units of the hidden layers; 0: no such layer
    ploy_net_activation activation;   ///< of hidden layers
    float dropout;                    ///< of hidden dense layers
    int32_t image_width;              ///< pixels in a row; 0: columns are not an image
    int32_t channels, channels2;      ///< of convolutions before the dense layers; 0: none
    int32_t window;       ///< of convolutions; each is followed by max pooling of 2 by 2
    int32_t shift;        ///< pixels by which training images are moved at most, at random
    int32_t epochs;       ///< passes over the table
    int32_t layer_epochs; ///< passes for each layer alone before the epochs; 0: none
    bool shuffle;         ///< another order in each epoch
    uint64_t seed;
    ploy_trainer_def trainer;
} ploy_net_learner_def;

PLOY_API ploy_net_learner_def ploy_net_learner_def_default(void);
PLOY_API ploy_fields ploy_net_learner_fields(void);
PLOY_API const ploy_learner_type *ploy_net_learner(void);

/// The net inside such a learner, for files; NULL for other learners. Its inputs are scaled numbers
/// (mean and scale of each column are in a saved learner) and one for each value of a category.
PLOY_API const ploy_net *ploy_net_learner_net(ploy_learner learner);
