/// @file ploy/generate/terrain.h
/// Landscape modifiers: faults, altitude filters, and the object that runs any modifier.
///
/// A modifier copies a height map and changes the copy. All modifiers of the library (including
/// those of ploy/generate/erosion.h and ploy/generate/hills.h) run as a ploy_terrain, which is
/// begun by the modifier's own function and then stepped, read and cancelled by the functions here.
/// `run` changes a map in place instead, in one call. Modifiers work in any order and any number of
/// times; a recipe (ploy/generate/recipe.h) keeps such a list in a file.
///
///     ploy_terrain *terrain;
///     ploy_faults_begin(&def, key, map, NULL, &env, &terrain);
///     while (ploy_terrain_step(terrain, &budget) == PLOY_IN_PROGRESS) { ... next frame ... }
///     use(ploy_terrain_heights(terrain));
///     ploy_terrain_cancel(terrain);
///
/// A budget unit is one row of cells in one pass; one droplet for droplets. The result is
/// bit-identical for any slicing and any number of workers.
///
/// Technique: Millington, "AI for Games", 8.3: faults with drop-off, desert, glacier, tiered and
/// island filters, corrected where the printed code is wrong. Faults by circles are exercise 8.12.
///
/// Units: metres. Cost: O(cells) per pass. Memory: the map, and what each modifier states. A step
/// allocates nothing. Threads: one caller; rows go to the jobs of ploy_terrain_set_jobs.
#pragma once

#include "ploy/base/jobs.h"
#include "ploy/generate/generator.h"
#include "ploy/generate/heightmap.h"

/// A modifier at work. Opaque.
typedef struct ploy_terrain ploy_terrain;

/// Continues until it ends (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). Budget NULL: no
/// limit.
PLOY_API ploy_result ploy_terrain_step(ploy_terrain *terrain, ploy_budget *budget);
/// Hands rows to workers from now on; NULL runs them on the calling thread. With workers, a step
/// does whole passes and may exceed its budget by one pass. Droplets still run one after another.
PLOY_API void ploy_terrain_set_jobs(ploy_terrain *terrain, const ploy_jobs *jobs);
PLOY_API ploy_generate_outcome ploy_terrain_outcome(const ploy_terrain *terrain);
/// The map: the result at the end, or the work so far.
PLOY_API const ploy_heightmap *ploy_terrain_heights(const ploy_terrain *terrain);
/// Ends and frees a modifier. NULL is allowed.
PLOY_API void ploy_terrain_cancel(ploy_terrain *terrain);
PLOY_API void ploy_terrain_describe(const ploy_terrain *terrain, ploy_describe *out);
PLOY_API void ploy_terrain_draw(const ploy_terrain *terrain, ploy_draw *out);
PLOY_API void ploy_terrain_memory(const ploy_terrain *terrain, ploy_memory_fn fn, void *user);

// ---- faults

/// One fault. The high side is raised by depth, the low side lowered by it.
typedef struct ploy_fault {
    ploy_vec2 point; ///< m: on the line; of a curved fault the centre of its circle
    float angle;     ///< rad: direction from the line to the low side
    float radius;    ///< m: the inside of this circle is the high side; 0: a straight line
    float depth;     ///< m
    float fade;      ///< m: the change is halved at this distance; 0: it is the same everywhere
} ploy_fault;

/// The change of elevation that a fault makes at a point. Points on the line are on the low side.
PLOY_API float ploy_fault_change(const ploy_fault *fault, ploy_vec2 point);

typedef struct ploy_faults_def {
    uint32_t cookie;
    int32_t count;           ///< faults
    float depth, depth_last; ///< m: of the first and of the last fault
    float fade;              ///< m: the change is halved at this distance; 0: the same everywhere
    float curved;            ///< share of faults that are circles
    float radius_min, radius_max; ///< m: of those
} ploy_faults_def;

PLOY_API ploy_faults_def ploy_faults_def_default(void);
PLOY_API ploy_fields ploy_faults_fields(void);
/// Starts random faults over a copy of a map.
PLOY_API ploy_result ploy_faults_begin(const ploy_faults_def *def, ploy_rng_key key,
                                       const ploy_heightmap *map, ploy_trace *trace,
                                       const ploy_env *env, ploy_terrain **out);
PLOY_API ploy_result ploy_faults_run(const ploy_faults_def *def, ploy_rng_key key,
                                     ploy_heightmap *map, const ploy_env *env);
PLOY_API const ploy_generator_type *ploy_faults_generator(void);
/// Fault number index, as the settings and key give it over a map.
PLOY_API ploy_fault ploy_faults_at(const ploy_faults_def *def, ploy_rng_key key,
                                   const ploy_heightmap *map, int32_t index);

// ---- filters

typedef enum ploy_filter_kind {
    PLOY_FILTER_DESERT,  ///< flat lows, plateaus and concave slopes: a logistic curve
    PLOY_FILTER_GLACIER, ///< U-shaped valleys: its lower half
    PLOY_FILTER_TERRACE, ///< smooth terraces
    PLOY_FILTER_STEPS,   ///< the same with vertical edges
    PLOY_FILTER_CANYON,  ///< terrain below a level drops away: narrow cuts with steep sides
    PLOY_FILTER_ISLAND,  ///< the outer quarter of the map fades to 0
    PLOY_FILTER_BLEND,   ///< mixed with the layer "bitmap" where the map has one
    PLOY_FILTER_COUNT
} ploy_filter_kind;

typedef struct ploy_filter_def {
    uint32_t cookie;
    ploy_filter_kind kind;
    float max_height; ///< m: M of the curves; 0: the highest elevation of the map
    float sharpness;  ///< desert, glacier, canyon: steepness of the curve
    bool rescale;     ///< desert, glacier: stretch the curve so that 0 stays 0 and M stays M
    int32_t tiers;    ///< terrace, steps
    float level;      ///< canyon: as a share of M
    float share;      ///< blend: of the bitmap
} ploy_filter_def;

PLOY_API ploy_filter_def ploy_filter_def_default(void);
PLOY_API ploy_fields ploy_filter_fields(void);
/// The height that the curve of a desert, glacier, terrace, steps or canyon filter gives; the
/// height itself for other kinds.
/// @param max_height  M, above 0; def->max_height is not read.
PLOY_API float ploy_filter_height(const ploy_filter_def *def, float max_height, float height);
/// Starts a filter over a copy of a map.
PLOY_API ploy_result ploy_filter_begin(const ploy_filter_def *def, ploy_rng_key key,
                                       const ploy_heightmap *map, ploy_trace *trace,
                                       const ploy_env *env, ploy_terrain **out);
PLOY_API ploy_result ploy_filter_run(const ploy_filter_def *def, ploy_rng_key key,
                                     ploy_heightmap *map, const ploy_env *env);
PLOY_API const ploy_generator_type *ploy_filter_generator(void);
