/// @file ploy/geom/line_of_sight.h
/// Line of sight past solid areas: whether a point can see or walk straight to another, and the
/// corners around which paths bend.
///
/// With obstacles grown by an agent's radius (ploy_rings_expand) the agent is a point. Shortest
/// paths among the obstacles are straight lines that bend only at their corners. So the corners
/// that ploy_rings_bends lists, joined wherever ploy_rings_sees returns true, form a graph that
/// contains all shortest paths: the points of visibility.
///
/// Rings must be clean, as ploy_rings_boolean and ploy_rings_offset make them: the area is to the
/// left of every edge and edges do not cross; rings may touch in points. Everything is decided
/// exactly. Sliding along an outline and around a corner is allowed, even between two solids that
/// touch. Cost: O(corners), and a few times that for each corner the segment touches. Pure; any
/// thread.
#pragma once

#include "ploy/geom/rings.h"

/// Which side of the rings is solid.
typedef enum ploy_solid {
    PLOY_SOLID_INSIDE, ///< the rings are obstacles
    PLOY_SOLID_OUTSIDE ///< the rings are the floor
} ploy_solid;

/// True if no point of the segment from..to is strictly inside a solid area. A point that is not
/// finite sees nothing.
PLOY_API bool ploy_rings_sees(const ploy_rings *rings, ploy_solid solid, ploy_vec2 from,
                              ploy_vec2 to);

/// The convex corners of the solid areas, where a shortest path may bend; ordered by ring, then by
/// corner.
/// @param out  the first `capacity` of them. May be NULL with capacity 0, to count.
/// @return their number, which may be above capacity.
PLOY_API int32_t ploy_rings_bends(const ploy_rings *rings, ploy_solid solid, ploy_vec2 *out,
                                  int32_t capacity);
