/// @file ploy/geom/adapt.h
/// Converts between ploy's axes and the host engine's.
///
/// ploy uses a plane (x, y) with angles counter-clockwise from +x, and a right-handed space with x
/// forward, y left and z up. Engines use different conventions. An adapter converts points,
/// directions, planar orientations, quaternions and rotation rates in both directions. A
/// left-handed host sees a mirror image, so every rotation changes its sign; the adapter handles
/// that too, unlike a manual swap of two coordinates.
///
/// A host's orientation is the rotation about its up axis, in its own handedness, and 0 along its
/// forward axis: Unity's and Godot's rotation.y, Unreal's yaw, in radians.
///
/// With 1 unit per metre, every round trip is exact. Pure; any thread.
#pragma once

#include "ploy/geom/quat.h"
#include "ploy/geom/vec.h"

typedef enum ploy_axes {
    PLOY_AXES_PLOY,         ///< right-handed, x forward, y left, z up; on the plane x right, y up
    PLOY_AXES_Z_UP_RIGHT,   ///< right-handed, x right, y forward, z up: Blender
    PLOY_AXES_Y_UP_RIGHT,   ///< right-handed, x right, y up, -z forward: OpenGL, Godot, three.js
    PLOY_AXES_Y_UP_FORWARD, ///< right-handed, x left, y up, z forward: glTF
    PLOY_AXES_Y_UP_LEFT,    ///< left-handed, x right, y up, z forward: Unity, Direct3D
    PLOY_AXES_Z_UP_LEFT,    ///< left-handed, x forward, y right, z up: Unreal
    PLOY_AXES_SCREEN,       ///< x right, y down, z (if any) toward the viewer: SDL, web canvas
    PLOY_AXES_COUNT
} ploy_axes;

/// "ploy", "z_up_right", "y_up_right", "y_up_forward", "y_up_left", "z_up_left", "screen".
PLOY_API const char *ploy_axes_text(ploy_axes axes);

/// A host's axes and unit of length.
typedef struct ploy_adapter {
    ploy_axes axes;
    float units_per_metre; ///< 1 for metres, 100 for Unreal's centimetres
} ploy_adapter;

/// Invalid axes count as ploy's own; a unit that is not finite or not above 0 counts as 1.
PLOY_API ploy_adapter ploy_adapter_make(ploy_axes axes, float units_per_metre);

/// True if the host's handedness differs from ploy's.
PLOY_API bool ploy_adapter_mirrors(ploy_adapter adapter);

/// Positions, velocities, accelerations: whatever is measured in metres.
PLOY_API ploy_vec3 ploy_adapter_point_to_host(ploy_adapter adapter, ploy_vec3 point);
PLOY_API ploy_vec3 ploy_adapter_point_from_host(ploy_adapter adapter, ploy_vec3 point);

/// Unit vectors: rotated, not scaled.
PLOY_API ploy_vec3 ploy_adapter_direction_to_host(ploy_adapter adapter, ploy_vec3 direction);
PLOY_API ploy_vec3 ploy_adapter_direction_from_host(ploy_adapter adapter, ploy_vec3 direction);

/// Converts a point of the plane and its height (m) to and from the host's world.
/// @param height  may be NULL.
PLOY_API ploy_vec3 ploy_adapter_plane_to_host(ploy_adapter adapter, ploy_vec2 point, float height);
PLOY_API ploy_vec2 ploy_adapter_plane_from_host(ploy_adapter adapter, ploy_vec3 point,
                                                float *height);

/// Planar orientation in radians, and planar rotation rates in rad/s. Not wrapped.
PLOY_API float ploy_adapter_angle_to_host(ploy_adapter adapter, float angle);
PLOY_API float ploy_adapter_angle_from_host(ploy_adapter adapter, float angle);

/// Orientation in space.
PLOY_API ploy_quat ploy_adapter_quat_to_host(ploy_adapter adapter, ploy_quat q);
PLOY_API ploy_quat ploy_adapter_quat_from_host(ploy_adapter adapter, ploy_quat q);

/// Rotation rates in space: axis times rad/s.
PLOY_API ploy_vec3 ploy_adapter_rotation_to_host(ploy_adapter adapter, ploy_vec3 rotation);
PLOY_API ploy_vec3 ploy_adapter_rotation_from_host(ploy_adapter adapter, ploy_vec3 rotation);
