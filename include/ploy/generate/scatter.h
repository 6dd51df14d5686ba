/// @file ploy/generate/scatter.h
/// Scatter: randomly placed discs that never overlap, for trees, rocks, houses or herds.
///
/// Bridson's method grows from a first disc: it takes an active disc, tries places around it, and
/// deactivates it when all tries fail. The result is dense and without clumps, and the cost is
/// linear. Rejection draws places anywhere, at random or from a Halton sequence, until enough discs
/// are placed: simple, and slow when dense. Discs may have types with radii, weights, margins
/// between types, and pairs that must not be near each other. Technique: Bridson, "Fast Poisson
/// disk sampling in arbitrary dimensions", 2007, in the form of Millington, "AI for Games", 8.1.4,
/// with these differences: the angle of the first try is random, because a fixed angle shows as a
/// preferred direction; there is an area and an attempt limit; the grid holds discs and compares
/// distances exactly.
///
/// Units: metres. One unit of budget is one attempt. Cost of an attempt: O(1) for discs of similar
/// radius. Memory: the grid at begin; the discs grow with their number.
#pragma once

#include "ploy/generate/generator.h"
#include "ploy/geom/heightfield.h"
#include "ploy/geom/polygon.h"

typedef struct ploy_scatter ploy_scatter;

typedef enum ploy_scatter_method {
    PLOY_SCATTER_BRIDSON,  ///< grows from placed discs
    PLOY_SCATTER_REJECTION ///< independent candidates
} ploy_scatter_method;

typedef enum ploy_scatter_source {
    PLOY_SCATTER_RANDOM, ///< uniform
    PLOY_SCATTER_HALTON  ///< Halton (2, 3) with a random offset
} ploy_scatter_source;

typedef enum ploy_scatter_order {
    PLOY_SCATTER_ANY,  ///< a random active disc
    PLOY_SCATTER_FIRST ///< the oldest: grows outward
} ploy_scatter_order;

/// Settings. Start from ploy_scatter_def_default().
typedef struct ploy_scatter_def {
    uint32_t cookie;
    int32_t method;       ///< ploy_scatter_method
    float width, height;  ///< m, of the area from (0, 0)
    float radius_min;     ///< m
    float radius_max;     ///< m; below radius_min counts as radius_min
    float separation;     ///< m, largest random gap to the disc it grows from (Bridson)
    int32_t tries;        ///< places tried around an active disc (Bridson)
    int32_t order;        ///< ploy_scatter_order (Bridson)
    bool centre_start;    ///< first disc in the middle, else at random (Bridson)
    bool fixed_angle;     ///< first try always along +x (Bridson)
    int32_t restarts;     ///< random tries for another start when no disc is active (Bridson)
    int32_t source;       ///< ploy_scatter_source (rejection)
    int32_t count;        ///< discs to place (rejection)
    int32_t kinds;        ///< types, each with an equal part of the radius range
    float kind_margin;    ///< m, extra gap between discs of the same type
    bool whole_inside;    ///< discs, not only their centres, are inside the area
    float height_min;     ///< m; if the generator's input has heights: centres between these two
    float height_max;     ///< m
    float slope_max;      ///< rise over run; likewise
    int32_t tile_min;     ///< if the input has tiles: centres on tiles with these numbers
    int32_t tile_max;     ///< last of them
    int32_t max_points;   ///< limit
    int32_t max_attempts; ///< limit
} ploy_scatter_def;

PLOY_API ploy_scatter_def ploy_scatter_def_default(void);
PLOY_API ploy_fields ploy_scatter_fields(void);

// ---- types of discs

/// Maximum number of types.
#define PLOY_SCATTER_TYPES 16

typedef struct ploy_scatter_type {
    float weight;                 ///< how often it is tried; at least 0, finite
    float radius_min, radius_max; ///< m, 0 <= radius_min <= radius_max
} ploy_scatter_type;

/// Replaces the def's radii, kinds and kind_margin. Copied by begin.
typedef struct ploy_scatter_types {
    const ploy_scatter_type *items; ///< at least one weight is above 0
    int32_t count;                  ///< 1 to PLOY_SCATTER_TYPES
    const float *margins;           ///< m, extra gap for [type * count + type]; NULL: none
    const bool *forbidden;          ///< pairs that keep forbidden_distance; NULL: none
    float forbidden_distance;       ///< m, between centres
} ploy_scatter_types;

// ---- where discs may be

/// Restricts places. Plain data, copied by begin; the user pointer must stay valid.
typedef struct ploy_scatter_area {
    /// True if a disc may be there. Must always return the same result for the same disc.
    bool (*allows)(const void *user, ploy_vec2 centre, float radius);
    const void *user;
} ploy_scatter_area;

/// Centres inside a polygon.
PLOY_API ploy_scatter_area ploy_scatter_area_polygon(const ploy_polygon *polygon);

/// Centres on terrain of some height and slope.
typedef struct ploy_scatter_terrain {
    ploy_heightfield field;
    float height_min, height_max; ///< m
    float slope_max;              ///< rise over run
} ploy_scatter_terrain;
PLOY_API ploy_scatter_area ploy_scatter_area_terrain(const ploy_scatter_terrain *terrain);

/// Centres on tiles whose number is in a range: reads the tiles of a content, whose lower left
/// corner is the area's.
typedef struct ploy_scatter_tiles {
    ploy_content content;
    int32_t tile_min, tile_max;
} ploy_scatter_tiles;
PLOY_API ploy_scatter_area ploy_scatter_area_tiles(const ploy_scatter_tiles *tiles);
/// Discs on the floor of a plan: tests the centre and four points of the disc's edge.
PLOY_API ploy_scatter_area ploy_scatter_area_plan(const ploy_floor_plan *plan);

/// The inputs of a scatter besides its settings. All zero: none.
typedef struct ploy_scatter_input {
    ploy_scatter_area area;          ///< allows NULL: the whole rectangle
    const ploy_scatter_types *types; ///< NULL: from the def
    const ploy_placed *placed;       ///< existing discs; they come first in the result
    int32_t placed_count;
} ploy_scatter_input;

// ---- running

/// Starts. @param input  NULL: nothing. @param trace  may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_scatter_begin(const ploy_scatter_def *def, ploy_rng_key key,
                                        const ploy_scatter_input *input, ploy_trace *trace,
                                        const ploy_env *env, ploy_scatter **out);
PLOY_API ploy_result ploy_scatter_step(ploy_scatter *scatter, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_scatter_outcome(const ploy_scatter *scatter);
/// The discs so far, in the order in which they were placed.
PLOY_API const ploy_placed *ploy_scatter_points(const ploy_scatter *scatter, int32_t *count);
PLOY_API void ploy_scatter_cancel(ploy_scatter *scatter);

/// Discs, attempts, and rejections by reason.
PLOY_API void ploy_scatter_describe(const ploy_scatter *scatter, ploy_describe *out);
PLOY_API void ploy_scatter_draw(const ploy_scatter *scatter, ploy_draw *out);
PLOY_API void ploy_scatter_memory(const ploy_scatter *scatter, ploy_memory_fn fn, void *user);

/// "scatter": makes points; points of the input count as already placed. Discs keep to the floor of
/// a plan, to heights and slopes of a height map, and to tiles in the input, so a recipe can put
/// chests into the rooms of a dungeon and trees below the snow line. A polygon is not content: give
/// it to ploy_scatter_begin.
PLOY_API const ploy_generator_type *ploy_scatter_generator(void);

/// How many discs of a radius fit, touching, on a ring of centres at a distance: 6 for twice the
/// radius. 0 below that.
PLOY_API int32_t ploy_scatter_ring_count(float radius, float distance);
