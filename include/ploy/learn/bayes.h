/// @file ploy/learn/bayes.h
/// Naive Bayes: the first classifier to try; its answers include a probability.
///
/// Counts how often each value occurs with each class and multiplies the shares as if columns were
/// independent: P(class | values) is proportional to P(class) times the product of P(value |
/// class). Logarithms are summed, so long products do not underflow. Numbers follow a normal
/// distribution for each class; categories are counted, with `smoothing` added to every count so
/// that a value never seen with a class does not rule it out. Missing values are left out.
/// Technique: Millington, "AI for Games", 7.5. The first class wins ties. Cost: O(columns) per
/// example, O(columns x classes) per prediction.
#pragma once

#include "ploy/learn/learner.h"

/// Settings of naive Bayes.
typedef struct ploy_bayes_def {
    uint32_t cookie;
    double smoothing;     ///< added to every count of a category; 0: none
    double min_deviation; ///< of numbers, as a share of the column's deviation over all classes
} ploy_bayes_def;

PLOY_API ploy_bayes_def ploy_bayes_def_default(void);
PLOY_API ploy_fields ploy_bayes_fields(void);
/// The learner "bayes". A unit of training is one example.
PLOY_API const ploy_learner_type *ploy_bayes_learner(void);
