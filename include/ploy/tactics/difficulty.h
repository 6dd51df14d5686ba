/// @file ploy/tactics/difficulty.h
/// Terrain difficulty: how hard each place is for a type of unit.
///
/// Three parts: the cost of the kind of terrain for this unit, how rugged the place is, and extra
/// factors of the game (wear, weather). They are combined as a weighted sum or as a product.
/// Ruggedness is the steepest step to a neighbour or, for large places, the range or variance of
/// heights at random points in the place.
///
/// Technique: Millington, "AI for Games", 6.2.3. Cost: O(samples) per place. Class 1: it changes
/// only with the terrain. No allocation. Threads: read only.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/geom/heightfield.h"
#include "ploy/tactics/layer.h"

typedef enum ploy_rugged_kind {
    PLOY_RUGGED_GRADIENT, ///< largest rise or fall to a neighbour, over the distance
    PLOY_RUGGED_RANGE,    ///< m, highest less lowest sample
    PLOY_RUGGED_VARIANCE, ///< m^2
    PLOY_RUGGED_KINDS
} ploy_rugged_kind;

typedef enum ploy_difficulty_combine {
    PLOY_DIFFICULTY_SUM,    ///< base weight x base + rugged weight x rugged + extra weight x extra
    PLOY_DIFFICULTY_PRODUCT ///< base x (1 + rugged weight x rugged) x (1 + extra weight x extra)
} ploy_difficulty_combine;

typedef struct ploy_difficulty_def {
    uint32_t cookie;
    ploy_difficulty_combine combine;
    ploy_rugged_kind rugged;
    int32_t samples; ///< of heights in a place, for range and variance
    uint64_t seed;
    float base_weight, rugged_weight, extra_weight;
} ploy_difficulty_def;

PLOY_API ploy_difficulty_def ploy_difficulty_def_default(void);
PLOY_API ploy_fields ploy_difficulty_fields(void);

/// The inputs of the difficulty. Each part may be NULL and then counts as 0 (base: 1).
typedef struct ploy_difficulty_terrain {
    const ploy_tactics_layer *kinds; ///< categories: kind of terrain
    const float *costs;              ///< of each of the 256 kinds, for this type of unit
    const ploy_heightfield *heights;
    const ploy_tactics_layer *extra; ///< numbers
} ploy_difficulty_terrain;

/// How rugged a place is; NaN beyond the height field and for an invalid place.
PLOY_API float ploy_difficulty_rugged(const ploy_difficulty_def *def, const ploy_places *places,
                                      const ploy_heightfield *heights, int32_t place);
/// Fills a range of a layer of numbers; unknown where a part is unknown.
/// @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_difficulty_read(const ploy_difficulty_def *def,
                                          const ploy_difficulty_terrain *terrain, int32_t first,
                                          int32_t count, ploy_tactics_layer *out);
