/// @file ploy/geom/obb3.h
/// Oriented 3D boxes: crates, vehicles and rooms that are not aligned with the axes.
///
/// A box has a centre, an orientation (unit quaternion) and half its size along each local axis. A
/// half size below 0 or NaN counts as 0; a flat box is valid. Boxes are solid, as in
/// ploy/geom/box.h: rays and sweeps are tested against the axis-aligned box in the local frame.
/// Units: metres. Pure; any thread.
#pragma once

#include "ploy/geom/quat.h"
#include "ploy/geom/sphere.h"

typedef struct ploy_obb3 {
    ploy_vec3 centre;
    ploy_vec3 half;        ///< m, from the centre to the faces
    ploy_quat orientation; ///< unit, from the box's frame to the world
} ploy_obb3;

/// Makes a box from its parts.
static inline ploy_obb3 ploy_obb3_make(ploy_vec3 centre, ploy_vec3 half, ploy_quat orientation) {
    ploy_obb3 box = {centre, half, orientation};
    return box;
}

/// An axis-aligned box as an oriented one. An empty box becomes a point: its centre, or the origin
/// if that is not finite.
PLOY_API ploy_obb3 ploy_obb3_of_box(ploy_box3 box);

/// The axis-aligned box around an oriented one.
PLOY_API ploy_box3 ploy_box3_of_obb3(ploy_obb3 box);

/// True if the point is in the box or on its surface.
PLOY_API bool ploy_obb3_contains(ploy_obb3 box, ploy_vec3 point);

/// The point of the solid box nearest to a point, and the squared distance to it; 0 inside.
PLOY_API ploy_vec3 ploy_obb3_closest(ploy_obb3 box, ploy_vec3 point);
PLOY_API float ploy_obb3_distance_sq(ploy_obb3 box, ploy_vec3 point);

/// True if the two share a point; touching counts, within double precision. Technique: the
/// separating axis theorem on fifteen axes (Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996).
PLOY_API bool ploy_obb3_overlaps(ploy_obb3 a, ploy_obb3 b);
PLOY_API bool ploy_obb3_overlaps_sphere(ploy_obb3 box, ploy_sphere sphere);

/// Finds where a ray enters the box, and where a moving sphere first touches it.
/// @param out  set only if true is returned; may be NULL.
PLOY_API bool ploy_ray3_hit_obb3(ploy_ray3 ray, ploy_obb3 box, ploy_hit3 *out);
PLOY_API bool ploy_sweep3_hit_obb3(ploy_sweep3 sweep, ploy_obb3 box, ploy_hit3 *out);
