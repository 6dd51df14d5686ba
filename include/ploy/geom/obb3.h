/// @file ploy/geom/obb3.h
/// Oriented boxes of space: crates, vehicles and rooms that are not along the axes.
///
/// A box about its centre, turned by a unit quaternion, half[i] metres to either side along its own
/// axes. Half sizes below 0 or NaN count as 0; a flat one is a plate. Solid, as ploy/geom/box.h's
/// boxes are: rays and sweeps are those of the axis-aligned box in the box's own frame. Units:
/// metres. Everything here is pure; any thread.
#pragma once

#include "ploy/geom/quat.h"
#include "ploy/geom/sphere.h"

typedef struct ploy_obb3 {
    ploy_vec3 centre;
    ploy_vec3 half;        ///< m, from the centre to the faces
    ploy_quat orientation; ///< unit, from the box's frame to the world
} ploy_obb3;

/// The parts put together.
static inline ploy_obb3 ploy_obb3_make(ploy_vec3 centre, ploy_vec3 half, ploy_quat orientation) {
    ploy_obb3 box = {centre, half, orientation};
    return box;
}

/// An axis-aligned box as an oriented one. An empty box becomes a point: its centre, or the origin
/// where that is not finite.
PLOY_API ploy_obb3 ploy_obb3_of_box(ploy_box3 box);

/// The axis-aligned box around it.
PLOY_API ploy_box3 ploy_box3_of_obb3(ploy_obb3 box);

/// True if the point is in the box or on its surface.
PLOY_API bool ploy_obb3_contains(ploy_obb3 box, ploy_vec3 point);

/// The point of the solid box nearest to a point, and the distance to it, squared; 0 inside.
PLOY_API ploy_vec3 ploy_obb3_closest(ploy_obb3 box, ploy_vec3 point);
PLOY_API float ploy_obb3_distance_sq(ploy_obb3 box, ploy_vec3 point);

/// True if they share a point; touching counts, as far as doubles can tell. Separating axes,
/// fifteen of them (Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996).
PLOY_API bool ploy_obb3_overlaps(ploy_obb3 a, ploy_obb3 b);
PLOY_API bool ploy_obb3_overlaps_sphere(ploy_obb3 box, ploy_sphere sphere);

/// Where a ray enters the box, and where a moving sphere touches it first.
/// @param out  set only if true is returned; may be NULL.
PLOY_API bool ploy_ray3_hit_obb3(ploy_ray3 ray, ploy_obb3 box, ploy_hit3 *out);
PLOY_API bool ploy_sweep3_hit_obb3(ploy_sweep3 sweep, ploy_obb3 box, ploy_hit3 *out);
