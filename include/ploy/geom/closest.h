/// @file ploy/geom/closest.h
/// Where two shapes of the plane are nearest to each other, and a moving box against thin and round
/// things.
///
/// Shapes are solid: where they share a point the distance is 0, and both places are one shared
/// point. A box is a polygon of its corners (ploy_obb2_corners), a circle a
/// segment without length that ploy_closest2_round gives its radius. In space:
/// ploy_segment3_gap_sq.
///
/// Among equally near places the first edge of the first shape counts. Whether shapes touch is
/// decided exactly; distances are summed in double. Units: metres. Cost: O(edges x edges). Pure;
/// any thread.
#pragma once

#include "ploy/geom/circle.h"
#include "ploy/geom/polygon.h"
#include "ploy/geom/polygon_hit.h"

/// The nearest places of two shapes.
typedef struct ploy_closest2 {
    ploy_vec2 a, b;
    float distance; ///< m between them
} ploy_closest2;

/// The nearest places of two segments, of a polygon and a segment, of two polygons.
PLOY_API ploy_closest2 ploy_segment2_closest_segment(ploy_segment2 a, ploy_segment2 b);
/// A polygon without corners is infinitely far from everything; both places are zero then.
PLOY_API ploy_closest2 ploy_polygon_closest_segment(ploy_polygon polygon, ploy_segment2 segment);
PLOY_API ploy_closest2 ploy_polygon_closest_polygon(ploy_polygon a, ploy_polygon b);

/// The same for shapes that are rounded: grown by a radius each. Radii below 0 count as 0. Where
/// they overlap, distance is 0 and both places are the one between them.
PLOY_API ploy_closest2 ploy_closest2_round(ploy_closest2 closest, float a_radius, float b_radius);

/// The first touch of a box that moves without turning, as ploy_box2_sweep_hit_polygon.
PLOY_API bool ploy_box2_sweep_hit_segment(ploy_box2 box, ploy_vec2 direction, float length,
                                          ploy_segment2 segment, ploy_hit2 *out);
PLOY_API bool ploy_box2_sweep_hit_circle(ploy_box2 box, ploy_vec2 direction, float length,
                                         ploy_circle circle, ploy_hit2 *out);
