/// @file ploy/geom/obb.h
/// Oriented 2D boxes: cars, crates, doors, anything that turns.
///
/// A box has a centre, the direction of its x axis and half its size along each axis. It is solid
/// for rays, as axis-aligned boxes are (ploy/geom/box.h). A half size below 0 or NaN counts as 0.
/// The direction is a unit vector. Sums are double. Units: metres. Pure; any thread.
#pragma once

#include "ploy/geom/box.h"

/// A box at any angle.
typedef struct ploy_obb2 {
    ploy_vec2 centre;
    ploy_vec2 axis; ///< unit: the box's local x axis; its y axis is to the left
    ploy_vec2 half; ///< m, half the size along its local x and y
} ploy_obb2;

/// @param axis  of any length; zero gives the x axis.
PLOY_API ploy_obb2 ploy_obb2_make(ploy_vec2 centre, ploy_vec2 axis, ploy_vec2 half);
/// Converts an axis-aligned box. An empty box gives a box of size 0.
PLOY_API ploy_obb2 ploy_obb2_of_box(ploy_box2 box);

/// The corners, counter-clockwise (with y up), from the one at -x, -y in local axes.
PLOY_API void ploy_obb2_corners(ploy_obb2 box, ploy_vec2 corners[4]);
/// m^2.
PLOY_API float ploy_obb2_area(ploy_obb2 box);

/// True if the point is in the box or on its edge.
PLOY_API bool ploy_obb2_contains(ploy_obb2 box, ploy_vec2 point);
/// The point of the box nearest to a point: the point itself if it is inside.
PLOY_API ploy_vec2 ploy_obb2_closest(ploy_obb2 box, ploy_vec2 point);
/// The squared distance from the point to the box; 0 inside.
PLOY_API float ploy_obb2_distance_sq(ploy_obb2 box, ploy_vec2 point);

/// True if the two share a point; touching counts. Technique: the separating axis theorem on the
/// four axes (Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996).
PLOY_API bool ploy_obb2_overlaps(ploy_obb2 a, ploy_obb2 b);
/// The same with a circle.
PLOY_API bool ploy_obb2_overlaps_circle(ploy_obb2 box, ploy_circle circle);

/// Finds where a ray or a moving circle enters the box.
/// @param out  set only if true is returned; may be NULL.
PLOY_API bool ploy_ray2_hit_obb(ploy_ray2 ray, ploy_obb2 box, ploy_hit2 *out);
PLOY_API bool ploy_sweep_hit_obb(ploy_sweep sweep, ploy_obb2 box, ploy_hit2 *out);
