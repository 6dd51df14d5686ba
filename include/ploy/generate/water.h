/// @file ploy/generate/water.h
/// Water on a landscape: where rain flows, and the rivers and lakes that it forms.
///
/// Water flows to the lowest of eight neighbours. Hollows are filled to their rim first, so that
/// water always leaves: over the edge of the map or into the sea. Every cell then drains to one
/// cell, and an area drains through it. Cells with a large area are rivers; hollows that are deep
/// enough are lakes.
///
/// The result is a copy of the map with the layers
///
///     filled    f32, m: elevation with all hollows filled
///     drain     i32: the cell that water goes to; -1 at the edge of the map and in the sea
///     drained   i32: number of cells whose water passes through this one, itself included
///     lake      i32: number of the lake from 1; 0 for none
///     water     f32, m: depth of sea and lakes
///
/// and rivers as polylines with width, lakes as rings. A river ends in the sea, at the edge, in a
/// lake or in another river, which in turn ends in one of these.
///
/// Technique: priority flood (Barnes, Lehman and Mulla, "Priority-Flood", 2014) for hollows and
/// flats, steepest descent of eight neighbours (O'Callaghan and Mark, 1984) elsewhere, accumulation
/// against the order of the flood.
///
/// Units: metres. A budget unit is 64 cells in one of six stages. Cost: O(cells log cells). Memory:
/// the map and 50 bytes per cell while it works. Threads: one caller.
#pragma once

#include "ploy/generate/generator.h"
#include "ploy/generate/heightmap.h"
#include "ploy/geom/rings.h"

typedef struct ploy_water_def {
    uint32_t cookie;
    float sea_level;    ///< m: terrain at or below it that is connected with the edge is sea
    float river_area;   ///< m^2: rivers begin where this area drains
    float river_width;  ///< m at an area of 1 m^2; grows by the square root of the area
    float lake_depth;   ///< m: shallower hollows do not count as lakes
    float lake_area;    ///< m^2: smaller hollows do not count as lakes
    int32_t max_rivers; ///< the largest are kept
    int32_t max_lakes;  ///< the first in order of cells are kept
} ploy_water_def;

PLOY_API ploy_water_def ploy_water_def_default(void);
PLOY_API ploy_fields ploy_water_fields(void);

typedef enum ploy_river_end {
    PLOY_RIVER_AT_EDGE, ///< leaves the map
    PLOY_RIVER_IN_SEA,  ///< the last point is in the sea
    PLOY_RIVER_IN_LAKE, ///< the last point is in lake `into`
    PLOY_RIVER_IN_RIVER ///< the last point is on river `into`, a larger one
} ploy_river_end;

/// "edge", "sea", "lake", "river".
PLOY_API const char *ploy_river_end_text(ploy_river_end end);

/// One point of a river.
typedef struct ploy_river_point {
    ploy_vec3 position; ///< m, on the filled terrain
    float width;        ///< m
    int32_t cell;       ///< of the map
} ploy_river_point;

/// A river from its source to its end.
typedef struct ploy_river {
    int32_t first, count; ///< points
    ploy_river_end end;
    int32_t into;      ///< lake or river that it ends in; -1 for none
    int32_t from_lake; ///< lake that it leaves; -1 for none
} ploy_river;

typedef struct ploy_lake {
    float level, depth;             ///< m: of the surface, and the deepest
    float area;                     ///< m^2
    int32_t outlet;                 ///< cell of the lake that it drains through
    int32_t first_ring, ring_count; ///< its outline and those of its islands
} ploy_lake;

/// The analysis of a map. Opaque.
typedef struct ploy_water ploy_water;

/// Starts. @param key  not used: nothing is random. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_water_begin(const ploy_water_def *def, ploy_rng_key key,
                                      const ploy_heightmap *map, ploy_trace *trace,
                                      const ploy_env *env, ploy_water **out);
PLOY_API ploy_result ploy_water_step(ploy_water *water, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_water_outcome(const ploy_water *water);
PLOY_API void ploy_water_cancel(ploy_water *water);

/// The map with its layers.
PLOY_API const ploy_heightmap *ploy_water_heights(const ploy_water *water);
/// The rivers, the largest first, and the points of all of them.
PLOY_API const ploy_river *ploy_water_rivers(const ploy_water *water, int32_t *count);
PLOY_API const ploy_river_point *ploy_water_points(const ploy_water *water);
/// The lakes, and the rings of all of them; lake number n of the layer is lakes[n - 1].
PLOY_API const ploy_lake *ploy_water_lakes(const ploy_water *water, int32_t *count);
PLOY_API const ploy_rings *ploy_water_rings(const ploy_water *water);

PLOY_API void ploy_water_describe(const ploy_water *water, ploy_describe *out);
PLOY_API void ploy_water_draw(const ploy_water *water, ploy_draw *out);
PLOY_API void ploy_water_memory(const ploy_water *water, ploy_memory_fn fn, void *user);
PLOY_API const ploy_generator_type *ploy_water_generator(void);
