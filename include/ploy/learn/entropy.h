/// @file ploy/learn/entropy.h
/// Entropy and information gain: how much an attribute determines the class.
///
/// Entropy is measured in bits: 0 if all examples agree, log2 n for n classes of equal size. The
/// gain of a split is the entropy before it minus the weighted entropy after it. The gain ratio
/// divides that by the entropy of the split itself, so that attributes with many values lose their
/// advantage. Numbers are split in two at a threshold, halfway between two neighbouring values.
/// Technique: Quinlan, "Induction of Decision Trees", 1986.
#pragma once

#include "ploy/learn/table.h"

/// Entropy in bits of classes with these counts; 0 without examples.
PLOY_API double ploy_entropy(const int32_t *counts, int32_t classes);

/// The gain of splitting by one column.
typedef struct ploy_gain {
    double gain;      ///< bits
    double ratio;     ///< gain / entropy of the split; 0 if there is only one part
    double threshold; ///< of numbers: below it, or not; 0 for categories
    int32_t parts;    ///< parts that are not empty
} ploy_gain;

/// The gain of every column over all rows with a target: an overview of the data before learning.
/// It is zero for the target and for columns that split nothing.
/// @param gains  one for each column.
/// @return PLOY_ERR_ARGUMENT if the target is a number, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_examples_gains(const ploy_examples *examples, const ploy_env *env,
                                         ploy_gain *gains);
