/// @file ploy/geom/simplify.h
/// Simplifies outlines that were traced from maps, drawn by hand or made by offsetting.
///
/// Technique: Douglas and Peucker, "Algorithms for the reduction of the number of points required
/// to represent a digitized line or its caricature", 1973, applied to a closed outline, with the
/// distance to the segment instead of the infinite line. Units: metres.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/polygon.h"

/// Keeps corners such that every removed corner is within the tolerance of the edge that replaces
/// it. At least three are kept unless all are on one line. Cost: O(corners log corners) usually,
/// O(corners^2) at worst; keep_simple adds O(kept^2).
/// @param tolerance    m, 0 or more.
/// @param keep_simple  restores corners until no two edges meet that did not meet in the input: a
///                     simple polygon stays simple.
/// @param scratch      temporary memory, released before return.
/// @param out          room for polygon.count; may be the polygon's own points.
/// @param out_count    set only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT for a tolerance below 0 or NaN; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_polygon_simplify(ploy_polygon polygon, float tolerance, bool keep_simple,
                                           ploy_arena *scratch, ploy_vec2 *out, int32_t *out_count);
