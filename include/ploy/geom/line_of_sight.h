/// @file ploy/geom/line_of_sight.h
/// Sight past solid areas: may a point walk or look straight from here to there, and round which
/// corners will it have to go?
///
/// With obstacles grown by an agent's radius (ploy_rings_expand) the agent is a point. Shortest
/// shortest paths among them are straight lines that bend at corners of the obstacles only, so the
/// corners that ploy_rings_bends lists, joined where ploy_rings_sees says yes, hold all of them:
/// the points of visibility.
///
/// Rings are clean, as ploy_rings_boolean and ploy_rings_offset make them: the area to the left of
/// every edge, no crossings; touching in points is fine. Everything is decided exactly. Sliding
/// along an outline and round a corner is allowed, also between two solids that touch.
/// Cost: O(corners), and a few times that for each corner the segment touches. Pure; any thread.
#pragma once

#include "ploy/geom/rings.h"

/// Which side of the rings is solid.
typedef enum ploy_solid {
    PLOY_SOLID_INSIDE, ///< the rings are obstacles
    PLOY_SOLID_OUTSIDE ///< the rings are the floor
} ploy_solid;

/// True if no point of the segment from..to is strictly inside what is solid. A point that is not
/// finite sees nothing.
PLOY_API bool ploy_rings_sees(const ploy_rings *rings, ploy_solid solid, ploy_vec2 from,
                              ploy_vec2 to);

/// The corners that stick out of what is solid, where a shortest path may bend; by ring, then by
/// corner.
/// @param out  the first `capacity` of them. May be NULL with capacity 0, to count.
/// @return how many there are, which may be more than capacity.
PLOY_API int32_t ploy_rings_bends(const ploy_rings *rings, ploy_solid solid, ploy_vec2 *out,
                                  int32_t capacity);
