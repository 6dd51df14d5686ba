/// @file ploy/exec/distribution.h
/// A crowd as a few numbers: the most distant level of detail, and back.
///
/// Out of sight, a thousand people are a count and the distribution of each of their
/// properties; when the player comes, people are drawn from it again. They are not the same people,
/// but it is the same town.
///
///     people --compress--> mean and deviation of ages, exponent of wealth, counts of trades
///            <--sample---
///
/// Normal: mean and deviation. Power law: many have little, few have much; its exponent is the most
/// likely one, alpha = 1 + n / sum ln(x / x_min), and x_min is kept with it. Histogram: counts of
/// categories. Properties are drawn independently: values that belong together (age and health)
/// stay together only if they are one property.
///
/// Draws are functions of (key, id, draw), so a person who is drawn twice is the same both times.
/// With a quota the draws of a crowd are spread evenly over the distribution: ten people of whom a
/// fifth are soldiers have two of them, never none and never five. Technique: distribution-based
/// group LOD; Millington, "AI for Games", 3rd ed. 2019, chapter 10 (the book's power law has one
/// number; x_min is needed too).
///
/// Cost: O(people x properties), no allocation. Threads: anywhere; plain data of the caller.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"

/// Most categories of a histogram.
#define PLOY_DISTRIBUTION_BINS_MAX 16

typedef enum ploy_distribution_kind {
    PLOY_DISTRIBUTION_NORMAL,
    PLOY_DISTRIBUTION_POWER,
    PLOY_DISTRIBUTION_HISTOGRAM
} ploy_distribution_kind;

/// Plain data without addresses: it fits into a hand-over buffer and into a saved game. Start from
/// one of the makes; a zeroed one is a normal distribution in which all values are 0.
typedef struct ploy_distribution {
    ploy_distribution_kind kind;
    float mean, deviation; ///< normal
    float x_min, exponent; ///< power: x_min > 0, exponent > 1
    float min, max;        ///< samples are clamped to them; for a histogram 0 and bins - 1
    int32_t bins;          ///< histogram: categories 0 to bins - 1
    int32_t counts[PLOY_DISTRIBUTION_BINS_MAX];
} ploy_distribution;

PLOY_API ploy_distribution ploy_distribution_normal(float mean, float deviation);
PLOY_API ploy_distribution ploy_distribution_power(float x_min, float exponent);
/// Counts beyond `bins` are 0; bins is clamped to 1..PLOY_DISTRIBUTION_BINS_MAX.
PLOY_API ploy_distribution ploy_distribution_histogram(const int32_t *counts, int32_t bins);

/// One draw: the same for the same (key, id, draw).
PLOY_API float ploy_distribution_sample(const ploy_distribution *distribution, ploy_rng_key key,
                                        uint32_t id, uint32_t draw);

/// Number `index` of a crowd of `count` drawn by quota: together they cover the distribution
/// evenly, in random order. Each category of a histogram gets its share of count, rounded up or
/// down. @param count at least 1; @param index 0 to count - 1, beyond that it wraps around.
PLOY_API float ploy_distribution_quota(const ploy_distribution *distribution, int32_t count,
                                       int32_t index, ploy_rng_key key, uint32_t draw);

/// People as rows of numbers, one column for each property; a category is its number.
typedef struct ploy_people {
    float *values;        ///< row i, property p: values[i * stride + p]
    int32_t stride;       ///< floats from one row to the next
    int32_t count;        ///< rows
    const uint8_t *named; ///< not 0: a story character, neither counted nor changed; or NULL
    const uint32_t *ids;  ///< for the draws; NULL: the row's number
} ploy_people;

/// Estimates the distribution of one property from all rows that are not named. Left out are values
/// that are not finite, values not above 0 (power law) and values that are not a category
/// (histogram).
/// @param distribution  its kind, min, max and bins are read, and so is x_min of a power law: if it
///                      is above 0 smaller values are left out, otherwise it becomes the smallest
///                      value. The rest is set.
/// @return how many values were used. If none, the distribution stays as it is.
PLOY_API int32_t ploy_people_estimate(const ploy_people *people, int32_t property,
                                      ploy_distribution *distribution);

/// Estimates `properties` distributions, one for each column. @param count how many rows were
/// merged (those not named); may be NULL.
/// @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_people_compress(const ploy_people *people,
                                          ploy_distribution *distributions, int32_t properties,
                                          int32_t *count);

/// Draws every row that is not named. @param quota  spread evenly instead of freely.
/// @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_people_sample(const ploy_people *people,
                                        const ploy_distribution *distributions, int32_t properties,
                                        ploy_rng_key key, bool quota);

PLOY_API void ploy_distribution_describe(const ploy_distribution *distribution, ploy_mark mark,
                                         ploy_describe *out);
