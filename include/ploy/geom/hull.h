/// @file ploy/geom/hull.h
/// The smallest shapes around points: convex hull, circle, box at any angle.
///
/// Points may coincide and line up; those that are not finite are left out. The order in which they
/// are given changes no bit of a hull or a box; of a circle it may change the last digits.
/// Units: metres. Pure; any thread.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/obb.h"

/// The convex hull: corners only, counter-clockwise (with y up) from the one with the least x, and
/// of those the least y. Exact. Technique: Graham 1972, sorted around that corner.
/// Cost: O(count log count), no allocation.
/// @param out  room for count, which it uses all; may be the points themselves.
/// @return how many corners: 0 without points, 1 if all are one, 2 if all lie on a line.
PLOY_API int32_t ploy_hull2(const ploy_vec2 *points, int32_t count, ploy_vec2 *out);

/// The smallest circle around points; every one of them is within it (ploy_circle_contains), so the
/// radius is rounded up. Without points: radius 0 at the origin.
/// Technique: Welzl, "Smallest enclosing disks", 1991, with Gaertner's pivot (1999): the point
/// furthest outside goes in next, which needs no random order. Cost: O(count) for each of a few
/// rounds.
PLOY_API ploy_circle ploy_circle_around(const ploy_vec2 *points, int32_t count);

/// The box of least area around points, at any angle; every one of them is within it
/// (ploy_obb2_contains). One of its sides lies along an edge of the hull; of equally small ones the
/// first. Technique: Toussaint, "Solving geometric problems with the rotating calipers", 1983.
/// Cost: O(count log count).
/// @param scratch  given back before return.
/// @return PLOY_ERR_MEMORY. Without points, a box of no size at the origin.
PLOY_API ploy_result ploy_obb2_around(const ploy_vec2 *points, int32_t count, ploy_arena *scratch,
                                      ploy_obb2 *out);
