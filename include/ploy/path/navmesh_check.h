/// @file ploy/path/navmesh_check.h
/// Finds suspicious parts of a navigation mesh: holes in the middle of a floor, and scraps of
/// floor.
///
/// A patch of decoration that was not marked as floor leaves a hole that all agents walk around; a
/// table top that was marked leaves an island that no agent reaches. Neither is a fault of the
/// mesh, so they are reported for a person to review. Technique: after Millington, AI for Games, on
/// marking meshes (chapter 12).
///
/// Units: metres. Cost: linear in the edges. Threads: pure.
#pragma once

#include "ploy/path/navmesh.h"

/// A hole that floor surrounds, or an island.
typedef struct ploy_navmesh_spot {
    float area;       ///< m^2, seen from above
    ploy_vec3 centre; ///< mean of the hole's corners; of an island's polygons' centres
    int32_t polygon;  ///< one that borders on the hole, or one of the island
} ploy_navmesh_spot;

/// Finds holes of at most max_area: walls surrounded by floor. Where several loops of walls meet in
/// one vertex, each is reported separately.
/// @param out  the first `capacity`, by the number of their first edge; may be NULL with 0.
/// @return how many there are; PLOY_ERR_MEMORY (below 0).
PLOY_API int32_t ploy_navmesh_find_holes(const ploy_navmesh *mesh, float max_area,
                                         const ploy_env *env, ploy_navmesh_spot *out,
                                         int32_t capacity);
/// Finds islands of at most max_area, ordered by number. @return as above.
PLOY_API int32_t ploy_navmesh_find_scraps(const ploy_navmesh *mesh, float max_area,
                                          const ploy_env *env, ploy_navmesh_spot *out,
                                          int32_t capacity);
