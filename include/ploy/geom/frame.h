/// @file ploy/geom/frame.h
/// Frames: between local axes and the world's.
///
/// In a local frame x is ahead, y to the left and, in space, z on top: "two metres ahead, one to
/// the left". A frame is made when needed from a position and an orientation; points are moved and
/// turned, vectors (velocities, directions) only turned. Units: metres. Everything here is pure;
/// any thread.
#pragma once

#include "ploy/geom/quat.h"
#include "ploy/geom/vec.h"

/// A place and a direction on the plane.
typedef struct ploy_frame2 {
    ploy_vec2 position;
    ploy_vec2 heading; ///< unit; the side that goes with it is its perp
} ploy_frame2;

/// A place and an orientation in space.
typedef struct ploy_frame3 {
    ploy_vec3 position;
    ploy_quat orientation; ///< unit
} ploy_frame3;

/// From an orientation in radians.
PLOY_API ploy_frame2 ploy_frame2_make(ploy_vec2 position, float orientation);

/// From a direction of any length; zero looks along +x.
PLOY_API ploy_frame2 ploy_frame2_from_heading(ploy_vec2 position, ploy_vec2 direction);

/// Vectors turn, points also move.
static inline ploy_vec2 ploy_frame2_vector_to_local(ploy_frame2 frame, ploy_vec2 vector) {
    return ploy_vec2_resolve(vector, frame.heading);
}

static inline ploy_vec2 ploy_frame2_vector_to_world(ploy_frame2 frame, ploy_vec2 vector) {
    return ploy_vec2_rotate_by(vector, frame.heading);
}

static inline ploy_vec2 ploy_frame2_point_to_local(ploy_frame2 frame, ploy_vec2 point) {
    return ploy_vec2_resolve(ploy_vec2_sub(point, frame.position), frame.heading);
}

static inline ploy_vec2 ploy_frame2_point_to_world(ploy_frame2 frame, ploy_vec2 point) {
    return ploy_vec2_add(frame.position, ploy_vec2_rotate_by(point, frame.heading));
}

/// A frame given in the axes of another, in the world's: a slot of a formation, a gun on a car.
static inline ploy_frame2 ploy_frame2_to_world(ploy_frame2 frame, ploy_frame2 inner) {
    ploy_frame2 world = {ploy_frame2_point_to_world(frame, inner.position),
                         ploy_frame2_vector_to_world(frame, inner.heading)};
    return world;
}

/// A local polygon, scaled along its own axes first, in the world's. out may be points.
PLOY_API void ploy_frame2_polygon_to_world(ploy_frame2 frame, ploy_vec2 scale,
                                           const ploy_vec2 *points, int32_t count, ploy_vec2 *out);

/// Normalises the orientation.
PLOY_API ploy_frame3 ploy_frame3_make(ploy_vec3 position, ploy_quat orientation);

/// The same in space: vectors turn, points also move.
static inline ploy_vec3 ploy_frame3_vector_to_local(ploy_frame3 frame, ploy_vec3 vector) {
    return ploy_quat_unrotate(frame.orientation, vector);
}

static inline ploy_vec3 ploy_frame3_vector_to_world(ploy_frame3 frame, ploy_vec3 vector) {
    return ploy_quat_rotate(frame.orientation, vector);
}

static inline ploy_vec3 ploy_frame3_point_to_local(ploy_frame3 frame, ploy_vec3 point) {
    return ploy_quat_unrotate(frame.orientation, ploy_vec3_sub(point, frame.position));
}

static inline ploy_vec3 ploy_frame3_point_to_world(ploy_frame3 frame, ploy_vec3 point) {
    return ploy_vec3_add(frame.position, ploy_quat_rotate(frame.orientation, point));
}

static inline ploy_frame3 ploy_frame3_to_world(ploy_frame3 frame, ploy_frame3 inner) {
    ploy_frame3 world = {ploy_frame3_point_to_world(frame, inner.position),
                         ploy_quat_multiply(frame.orientation, inner.orientation)};
    return world;
}

/// The same in space.
PLOY_API void ploy_frame3_polygon_to_world(ploy_frame3 frame, ploy_vec3 scale,
                                           const ploy_vec3 *points, int32_t count, ploy_vec3 *out);
