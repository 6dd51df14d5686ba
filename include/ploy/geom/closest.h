/// @file ploy/geom/closest.h
/// Nearest points of two shapes on the plane, and the sweep of a box against segments and circles.
///
/// Shapes are solid: if they overlap, the distance is 0 and both places are one shared point. Pass
/// a box as a polygon of its corners (ploy_obb2_corners), and a circle as a segment of length 0 to
/// which ploy_closest2_round adds the radius. In space: ploy_segment3_gap_sq.
///
/// Of equally near places, those on the first edge of the first shape are returned. Whether shapes
/// touch is decided exactly; distances are summed in double. Units: metres. Cost: O(edges x edges).
/// Pure; any thread.
#pragma once

#include "ploy/geom/circle.h"
#include "ploy/geom/polygon.h"
#include "ploy/geom/polygon_hit.h"

/// The nearest places of two shapes.
typedef struct ploy_closest2 {
    ploy_vec2 a, b;
    float distance; ///< m between them
} ploy_closest2;

/// The nearest places of two segments, of a polygon and a segment, and of two polygons.
PLOY_API ploy_closest2 ploy_segment2_closest_segment(ploy_segment2 a, ploy_segment2 b);
/// A polygon without corners is infinitely far from everything; both places are then zero.
PLOY_API ploy_closest2 ploy_polygon_closest_segment(ploy_polygon polygon, ploy_segment2 segment);
PLOY_API ploy_closest2 ploy_polygon_closest_polygon(ploy_polygon a, ploy_polygon b);

/// Converts a result to rounded shapes: each grown by a radius. Radii below 0 count as 0. If the
/// grown shapes overlap, the distance is 0 and both places are the same point between them.
PLOY_API ploy_closest2 ploy_closest2_round(ploy_closest2 closest, float a_radius, float b_radius);

/// Finds the first contact of a box that moves without turning, as ploy_box2_sweep_hit_polygon
/// does.
PLOY_API bool ploy_box2_sweep_hit_segment(ploy_box2 box, ploy_vec2 direction, float length,
                                          ploy_segment2 segment, ploy_hit2 *out);
PLOY_API bool ploy_box2_sweep_hit_circle(ploy_box2 box, ploy_vec2 direction, float length,
                                         ploy_circle circle, ploy_hit2 *out);
