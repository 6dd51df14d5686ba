/// @file ploy/learn/discretise.h
/// Few, meaningful categories in place of raw numbers, and whole states as one number.
///
/// Learners that count values need categories: near or far instead of metres, front or behind
/// instead of angles. Thresholds come from a designer, or from data: bins of equal width, of equal
/// frequency, or around clusters (k-means in one dimension).
///
///     ploy_bins near_far = {{20.0}, 1};                 // near < 20 <= far
///     int32_t category = ploy_bins_find(&near_far, 79.2); // 1
///
/// A ploy_state_code packs several categories into one number, for tables of states, and rejects
/// codes with too many states. Technique: Millington, "AI for Games", 7.5 and 7.7. Allocates
/// nothing. Threads: pure.
#pragma once

#include "ploy/base/env.h"
#include "ploy/learn/table.h"

/// Maximum number of thresholds; there is one bin more.
#define PLOY_BINS_MAX 63

/// Thresholds in ascending order. Plain data.
typedef struct ploy_bins {
    double thresholds[PLOY_BINS_MAX];
    int32_t count;
} ploy_bins;

/// 0 below the first threshold, `count` at or above the last. A value equal to a threshold is in
/// the upper bin; a missing value is in the last bin.
PLOY_API int32_t ploy_bins_find(const ploy_bins *bins, double value);
/// Bins of equal width over the range of the values. Missing values are left out.
/// @param bins  1 to PLOY_BINS_MAX + 1; fewer result if there are fewer distinct values.
/// @return PLOY_ERR_ARGUMENT, leaving *out unchanged.
PLOY_API ploy_result ploy_bins_equal_width(const double *values, int32_t count, int32_t bins,
                                           ploy_bins *out);
/// Bins that hold about the same number of values each. Sorts the values.
PLOY_API ploy_result ploy_bins_equal_frequency(double *values, int32_t count, int32_t bins,
                                               ploy_bins *out);
/// Bins around clusters: k-means from evenly spread centres (Lloyd), thresholds halfway between
/// neighbouring centres. Sorts the values.
PLOY_API ploy_result ploy_bins_clusters(double *values, int32_t count, int32_t bins,
                                        ploy_bins *out);

/// The sector of an angle: sector 0 is centred at 0 (in front), the others follow
/// counter-clockwise. @param sectors  at least 1.
PLOY_API int32_t ploy_sector(double angle, int32_t sectors);

/// Parts of a ploy_state_code.
#define PLOY_STATE_PARTS_MAX 16

/// A mixed-radix number. Plain data.
typedef struct ploy_state_code {
    int32_t radix[PLOY_STATE_PARTS_MAX]; ///< values of each part
    int32_t parts;
    uint64_t states; ///< the product
} ploy_state_code;

/// @param limit  maximum number of states.
/// @return PLOY_ERR_LIMIT if there are more (env's log gives the number),
///         PLOY_ERR_ARGUMENT if a radix is below 1 or there are too many parts.
PLOY_API ploy_result ploy_state_code_make(const int32_t *radix, int32_t parts, uint64_t limit,
                                          const ploy_env *env, ploy_state_code *out);
/// The number of a state; the first part is the most significant. Parts out of range are clamped.
PLOY_API uint64_t ploy_state_encode(const ploy_state_code *code, const int32_t *values);
PLOY_API void ploy_state_decode(const ploy_state_code *code, uint64_t state, int32_t *values);
