/// @file ploy/geom/circle.h
/// Circles, and moving circles: the bodies of agents.
///
/// A circle is solid: a ray or sweep that starts strictly inside hits it at distance 0, with
/// `inside` set and the normal pointing away from the centre. Shapes at rest that touch count as
/// overlapping; a ray or sweep that only touches while it slides past or moves away hits nothing. A
/// radius below 0 or NaN counts as 0.
///
/// A sweep is a circle moved along a ray; `point` of its hit is the point of contact, and the
/// centre is then at ploy_ray2_at(sweep.ray, hit.distance). Units: metres. Everything here is pure;
/// any thread.
#pragma once

#include "ploy/geom/segment.h"

typedef struct ploy_circle {
    ploy_vec2 centre;
    float radius; ///< m
} ploy_circle;

/// A circle moved along a ray.
typedef struct ploy_sweep {
    ploy_ray2 ray;
    float radius; ///< m
} ploy_sweep;

static inline ploy_circle ploy_circle_make(ploy_vec2 centre, float radius) {
    ploy_circle circle = {centre, radius};
    return circle;
}

/// Makes the sweep of a circle from one position to another.
PLOY_API ploy_sweep ploy_sweep_between(ploy_vec2 from, ploy_vec2 to, float radius);

/// True if the point is in the circle or on its edge.
PLOY_API bool ploy_circle_contains(ploy_circle circle, ploy_vec2 point);
/// True if the two share a point; touching counts.
PLOY_API bool ploy_circle_overlaps(ploy_circle a, ploy_circle b);
PLOY_API bool ploy_circle_overlaps_segment(ploy_circle circle, ploy_segment2 segment);

/// Finds where a circle meets the x axis: cx - w and cx + w with w = sqrt(R^2 - cy^2). In an
/// agent's local frame, the x axis is straight ahead.
/// @return the number of points: 0, 1 (touching) or 2, the smaller first. No others are written.
PLOY_API int32_t ploy_circle_cross_x_axis(ploy_circle circle, float x[2]);

/// Finds where the edges of two circles meet.
/// @return 0 (apart, one inside the other, or the same), 1 (touching) or 2; the first is to the
///         left of the line from a to b. No others are written.
PLOY_API int32_t ploy_circle_cross_circle(ploy_circle a, ploy_circle b, ploy_vec2 points[2]);

/// Finds the points where lines from a point touch the circle: where to aim to just miss it.
/// @return 0 if the point is not outside, otherwise 2; the first is to the left of the line from
///         the centre to the point.
PLOY_API int32_t ploy_circle_tangents(ploy_circle circle, ploy_vec2 point, ploy_vec2 points[2]);

/// Finds where a ray enters a circle.
/// @param out  set only if true is returned; may be NULL. The same applies to all functions below.
PLOY_API bool ploy_ray2_hit_circle(ploy_ray2 ray, ploy_circle circle, ploy_hit2 *out);

/// The same for a segment thickened by a radius on all sides. Radius 0 is the thin segment.
PLOY_API bool ploy_ray2_hit_capsule(ploy_ray2 ray, ploy_segment2 segment, float radius,
                                    ploy_hit2 *out);

/// Finds the first contact of a moving circle with a circle, a thin segment or a thick segment at
/// rest.
PLOY_API bool ploy_sweep_hit_circle(ploy_sweep sweep, ploy_circle circle, ploy_hit2 *out);
PLOY_API bool ploy_sweep_hit_segment(ploy_sweep sweep, ploy_segment2 segment, ploy_hit2 *out);
PLOY_API bool ploy_sweep_hit_capsule(ploy_sweep sweep, ploy_segment2 segment, float radius,
                                     ploy_hit2 *out);
