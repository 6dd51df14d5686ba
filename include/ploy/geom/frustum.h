/// @file ploy/geom/frustum.h
/// Visibility volumes: the frustum of a camera and the view cone of a character.
///
/// A frustum is six planes that face inward. Its tests are for culling: "outside" is always
/// correct; "crossing" may also be returned for something outside that is near a corner.
///
/// A view cone is everything within a range and within an angle of a heading: a cone with a round
/// end. Its tests of points and spheres are exact; the test of boxes may return true for a box just
/// outside, but never false for one inside. Half angles may be up to pi, which covers all
/// directions. Units: metres, radians. Pure; any thread.
#pragma once

#include "ploy/geom/box.h"
#include "ploy/geom/quat.h"
#include "ploy/geom/sphere.h"

typedef enum ploy_visibility {
    PLOY_VISIBILITY_OUTSIDE, ///< no point of it is inside
    PLOY_VISIBILITY_CROSSING,
    PLOY_VISIBILITY_INSIDE ///< every point of it is inside
} ploy_visibility;

typedef struct ploy_frustum {
    ploy_plane3 planes[6]; ///< inward: near, far, left, right, bottom, top
} ploy_frustum;

/// Makes the frustum of a camera that looks along its x axis, with y to the left and z up.
/// @param fov_across, fov_up  rad, the full angles, clamped to [0.001, 3.1].
/// @param near_distance, far_distance  m in front of the eye; a far distance below the near one
///                                     counts as equal to it.
PLOY_API ploy_frustum ploy_frustum_make(ploy_vec3 eye, ploy_quat orientation, float fov_across,
                                        float fov_up, float near_distance, float far_distance);

/// Tests whether a point is in the frustum, and how much of a ball or box is.
PLOY_API bool ploy_frustum_contains(const ploy_frustum *frustum, ploy_vec3 point);
PLOY_API ploy_visibility ploy_frustum_see_sphere(const ploy_frustum *frustum, ploy_sphere sphere);
/// An empty box is outside.
PLOY_API ploy_visibility ploy_frustum_see_box(const ploy_frustum *frustum, ploy_box3 box);

typedef struct ploy_cone {
    ploy_vec3 apex;
    ploy_vec3 axis; ///< unit; zero contains only the apex
    float cos_half; ///< cosine of the half angle
    float sin_half; ///< sine of the half angle, 0 to 1
    float range;    ///< m
} ploy_cone;

/// @param axis        any length.
/// @param half_angle  rad, clamped to [0, pi]; half of the field of view.
/// @param range       m; below 0 or NaN counts as 0.
PLOY_API ploy_cone ploy_cone_make(ploy_vec3 apex, ploy_vec3 axis, float half_angle, float range);

/// True if the point is in the cone or on its surface.
PLOY_API bool ploy_cone_contains(ploy_cone cone, ploy_vec3 point);

/// The distance from the cone to a point, m; 0 inside.
PLOY_API float ploy_cone_distance(ploy_cone cone, ploy_vec3 point);

/// True if the cone and the sphere share a point; touching counts.
PLOY_API bool ploy_cone_overlaps_sphere(ploy_cone cone, ploy_sphere sphere);

/// False only if no point of the box is in the cone. May return true for a box just outside (for
/// half angles above a quarter turn: near the blind cone behind).
PLOY_API bool ploy_cone_overlaps_box(ploy_cone cone, ploy_box3 box);
