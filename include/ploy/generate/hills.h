/// @file ploy/generate/hills.h
/// Hills: elevations from noise, on a new height map or on top of one.
///
/// The noise is added to a given map, which keeps its size; otherwise a map of the size in the
/// settings is created. Add noise in several layers (large ridges, then small bumps) by running the
/// generator several times, and white noise of small amplitude for roughness. Technique:
/// Millington, "AI for Games", 8.3.2; the noise is ploy/generate/noise.h.
///
/// Run as a ploy_terrain (ploy/generate/terrain.h); a budget unit is one row.
#pragma once

#include "ploy/generate/noise.h"
#include "ploy/generate/terrain.h"

typedef struct ploy_hills_def {
    uint32_t cookie;
    int32_t columns, rows; ///< of a new map
    float spacing;         ///< m, of a new map
    float low, high;       ///< m: added where the noise is -1 and 1
    float exponent;        ///< above 1: wide valleys and narrow peaks
    float size;            ///< m: width of the largest hills
    int32_t kind;          ///< ploy_noise_kind
    int32_t fractal;       ///< ploy_noise_fractal
    int32_t octaves;       ///< of a fractal; each has hills half as wide
    float gain;            ///< height of an octave over that of the one before
    float warp;            ///< shift of the hills by more noise, as a share of their size
} ploy_hills_def;

PLOY_API ploy_hills_def ploy_hills_def_default(void);
PLOY_API ploy_fields ploy_hills_fields(void);
/// Starts. @param map  copied and added to; NULL: a new map.
PLOY_API ploy_result ploy_hills_begin(const ploy_hills_def *def, ploy_rng_key key,
                                      const ploy_heightmap *map, ploy_trace *trace,
                                      const ploy_env *env, ploy_terrain **out);
PLOY_API ploy_result ploy_hills_run(const ploy_hills_def *def, ploy_rng_key key,
                                    ploy_heightmap *map, const ploy_env *env);
/// "hills": makes heights, from nothing or on top of others.
PLOY_API const ploy_generator_type *ploy_hills_generator(void);
