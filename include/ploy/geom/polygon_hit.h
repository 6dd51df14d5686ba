/// @file ploy/geom/polygon_hit.h
/// What meets a polygon first: rays, moving circles, moving boxes.
///
/// Polygons are solid, as circles are (ploy/geom/circle.h): what starts strictly inside meets them
/// at distance 0 with `inside` set, `point` the nearest of the outline and `normal` the way out.
/// Sliding along an edge, grazing a corner, and leaving the outline meet nothing. Whether a ray
/// enters is decided exactly, so nothing slips in between two edges. The outline must not cross
/// itself; a polygon without area is a set of thin segments. Units: metres.
/// Cost: O(corners). Pure; any thread.
#pragma once

#include "ploy/geom/box.h"
#include "ploy/geom/polygon.h"

/// Where a ray enters. @param out  set only if true is returned; may be NULL. So in all of these.
PLOY_API bool ploy_ray2_hit_polygon(ploy_ray2 ray, ploy_polygon polygon, ploy_hit2 *out);

/// The first touch of a moving circle. A centre on the outline is inside.
PLOY_API bool ploy_sweep_hit_polygon(ploy_sweep sweep, ploy_polygon polygon, ploy_hit2 *out);

/// The first touch of a box that moves along a direction (a unit vector, or zero) without turning.
/// @param box     where it starts; an empty one meets nothing.
/// @param length  m; INFINITY for no end.
PLOY_API bool ploy_box2_sweep_hit_polygon(ploy_box2 box, ploy_vec2 direction, float length,
                                          ploy_polygon polygon, ploy_hit2 *out);
