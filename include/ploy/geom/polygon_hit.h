/// @file ploy/geom/polygon_hit.h
/// Rays, moving circles and moving boxes against polygons.
///
/// Polygons are solid, as circles are (ploy/geom/circle.h): a start strictly inside is a hit at
/// distance 0 with `inside` set, `point` the nearest point of the outline and `normal` the
/// direction out. Sliding along an edge, grazing a corner and moving away from the outline hit
/// nothing. Whether a ray enters is decided exactly, so nothing slips through between two edges.
/// The outline must not cross itself; a polygon without area is a set of thin segments. Units:
/// metres. Cost: O(corners). Pure; any thread.
#pragma once

#include "ploy/geom/box.h"
#include "ploy/geom/polygon.h"

/// Finds where a ray enters. @param out  set only if true is returned; may be NULL. The same
/// applies to all functions below.
PLOY_API bool ploy_ray2_hit_polygon(ploy_ray2 ray, ploy_polygon polygon, ploy_hit2 *out);

/// Finds the first contact of a moving circle. A centre on the outline counts as inside.
PLOY_API bool ploy_sweep_hit_polygon(ploy_sweep sweep, ploy_polygon polygon, ploy_hit2 *out);

/// Finds the first contact of a box that moves along a direction (a unit vector, or zero) without
/// turning.
/// @param box     where it starts; an empty box hits nothing.
/// @param length  m; INFINITY for no end.
PLOY_API bool ploy_box2_sweep_hit_polygon(ploy_box2 box, ploy_vec2 direction, float length,
                                          ploy_polygon polygon, ploy_hit2 *out);
