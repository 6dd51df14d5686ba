/// @file ploy/geom/hull.h
/// The smallest shapes around points: convex hull, circle, box at any angle.
///
/// Points may coincide and be collinear; those that are not finite are ignored. The order of the
/// points does not change any bit of a hull or a box; it may change the last digits of a circle.
/// Units: metres. Pure; any thread.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/obb.h"

/// Finds the convex hull: corners only, counter-clockwise (with y up) from the one with the least x
/// (of several, the least y). Exact. Technique: Graham 1972, sorted around that corner. Cost:
/// O(count log count), no allocation.
/// @param out  room for count points, all of which may be overwritten; may be the points
///             themselves.
/// @return the number of corners: 0 without points, 1 if all coincide, 2 if all are on a line.
PLOY_API int32_t ploy_hull2(const ploy_vec2 *points, int32_t count, ploy_vec2 *out);

/// Finds the smallest circle around points. The radius is rounded up so that every point is inside
/// (ploy_circle_contains). Without points: radius 0 at the origin. Technique: Welzl, "Smallest
/// enclosing disks", 1991, with Gaertner's pivot (1999): the point furthest outside is added next,
/// which needs no random order. Cost: O(count) for each of a few rounds.
PLOY_API ploy_circle ploy_circle_around(const ploy_vec2 *points, int32_t count);

/// Finds the box of least area around points, at any angle; every point is inside
/// (ploy_obb2_contains). One side is along an edge of the hull; of equally small boxes, the first
/// is returned. Technique: Toussaint, "Solving geometric problems with the rotating calipers",
/// 1983. Cost: O(count log count).
/// @param scratch  temporary memory, released before return.
/// @return PLOY_ERR_MEMORY. Without points, out is a box of size 0 at the origin.
PLOY_API ploy_result ploy_obb2_around(const ploy_vec2 *points, int32_t count, ploy_arena *scratch,
                                      ploy_obb2 *out);
