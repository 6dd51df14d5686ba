/// @file ploy/learn/nearest.h
/// Nearest neighbours: the class of the most similar examples. The baseline for every classifier.
///
/// Keeps all examples. The distance adds, over the columns, the squared difference of numbers, or 1
/// for different categories; a missing value counts as different. The k nearest vote with equal
/// weight; ties go to the class of the nearer example. With a number as target the answer is the
/// mean of the k values.
///
/// Numbers are compared unscaled or, with `scale`, as shares of each column's range so far. Cost:
/// O(examples x columns) per prediction.
#pragma once

#include "ploy/learn/learner.h"

/// Maximum number of neighbours that vote.
#define PLOY_NEAREST_MOST 32

/// Settings of nearest neighbours.
typedef struct ploy_nearest_def {
    uint32_t cookie;
    int32_t neighbours;   ///< how many vote
    bool scale;           ///< compares numbers as shares of their column's range
    int32_t max_examples; ///< kept; the oldest is replaced
} ploy_nearest_def;

PLOY_API ploy_nearest_def ploy_nearest_def_default(void);
PLOY_API ploy_fields ploy_nearest_fields(void);
/// The learner "nearest". A unit of training is one example.
PLOY_API const ploy_learner_type *ploy_nearest_learner(void);
