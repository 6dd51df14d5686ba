/// @file ploy/geom/frame.h
/// Frames: conversion between local axes and the world's.
///
/// In a local frame x is ahead, y to the left and, in space, z up: "two metres ahead, one to the
/// left". A frame is made when needed from a position and an orientation. Points are translated and
/// rotated, vectors (velocities, directions) only rotated. Units: metres. Everything here is pure;
/// any thread.
#pragma once

#include "ploy/geom/quat.h"
#include "ploy/geom/vec.h"

/// A position and a direction on the plane.
typedef struct ploy_frame2 {
    ploy_vec2 position;
    ploy_vec2 heading; ///< unit; its perp points to the left
} ploy_frame2;

/// A position and an orientation in space.
typedef struct ploy_frame3 {
    ploy_vec3 position;
    ploy_quat orientation; ///< unit
} ploy_frame3;

/// Makes a frame from an orientation in radians.
PLOY_API ploy_frame2 ploy_frame2_make(ploy_vec2 position, float orientation);

/// Vectors are rotated; points are also translated.
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

/// Converts a frame given in the axes of another to the world's: a slot of a formation, a gun on a
/// car.
static inline ploy_frame2 ploy_frame2_to_world(ploy_frame2 frame, ploy_frame2 inner) {
    ploy_frame2 world = {ploy_frame2_point_to_world(frame, inner.position),
                         ploy_frame2_vector_to_world(frame, inner.heading)};
    return world;
}

/// Converts a local polygon, scaled along its local axes first, to the world's axes. out may be
/// points.
PLOY_API void ploy_frame2_polygon_to_world(ploy_frame2 frame, ploy_vec2 scale,
                                           const ploy_vec2 *points, int32_t count, ploy_vec2 *out);

/// Makes a frame and normalises the orientation.
PLOY_API ploy_frame3 ploy_frame3_make(ploy_vec3 position, ploy_quat orientation);

/// The same in space: vectors are rotated; points are also translated.
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
