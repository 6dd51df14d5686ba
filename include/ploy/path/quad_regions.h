/// @file ploy/path/quad_regions.h
/// Quadtree regions: tiles merged into large squares, so that open areas need few states.
///
/// The map is divided into four quarters, and each of them again, until every square has one kind
/// of cell. A square of open floor is one state, whatever its size; blocked squares are not states.
/// Two states are connected if their squares share a side. The straight line between the centres of
/// two such squares always crosses the shared side, so every edge can be walked.
///
/// An edge costs its length in cells, times the cost of the terrain on each side of the border.
/// Paths are longer than those over tiles, because they visit centres; smoothing removes most of
/// the difference. Use it for maps with large open areas. In a map of narrow corridors most squares
/// are single cells, and tiles (ploy_tiles_representation) are the better choice.
///
/// Technique: quadtrees as a search space; Samet, "The Quadtree and Related Hierarchical Data
/// Structures", 1984. Units: metres for places, cells for costs. Cost: building O(cells),
/// quantising O(1). Memory: 4 bytes a cell, 16 a square and 16 an edge, in three blocks. Threads: a
/// const object may be read by many.
#pragma once

#include "ploy/path/representation.h"

/// Opaque.
typedef struct ploy_quad_regions ploy_quad_regions;

/// Divides a map of squares.
/// @param tiles  must outlive the object. Call rebuild after an edit: until then requests use
///               the old map, and paths may cross new walls.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_UNSUPPORTED for hexagons and wrapped maps, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_quad_regions_create(const ploy_tiles *tiles, const ploy_env *env,
                                              ploy_quad_regions **out);
/// NULL is allowed.
PLOY_API void ploy_quad_regions_destroy(ploy_quad_regions *regions);
/// Divides the map again. @return PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_quad_regions_rebuild(ploy_quad_regions *regions);

/// A square of cells.
typedef struct ploy_quad_region {
    int32_t x, y; ///< the cell with the smallest coordinates
    int32_t side; ///< cells, a power of two
} ploy_quad_region;

/// The number of squares, which are the states.
PLOY_API int32_t ploy_quad_regions_count(const ploy_quad_regions *regions);
/// @return all 0 for an invalid state.
PLOY_API ploy_quad_region ploy_quad_regions_at(const ploy_quad_regions *regions, int32_t state);

/// Returns the representation, valid as long as the object exists. A straight line is free if it is
/// free on the tiles (see ploy_tiles_representation).
PLOY_API ploy_representation ploy_quad_regions_view(const ploy_quad_regions *regions);
/// Draws the squares.
PLOY_API void ploy_quad_regions_draw(const ploy_quad_regions *regions, ploy_draw *out);
PLOY_API void ploy_quad_regions_memory(const ploy_quad_regions *regions, ploy_memory_fn fn,
                                       void *user);
