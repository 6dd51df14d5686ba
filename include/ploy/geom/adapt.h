/// @file ploy/geom/adapt.h
/// Between ploy's axes and the host engine's.
///
/// ploy thinks on a plane (x, y), counter-clockwise from +x, and in a right-handed space with x
/// forward, y left and z up. Hosts do not agree with each other. An adapter turns what goes out and
/// what comes in: points, directions, planar orientations, quaternions, rates of turning. A host of
/// the other hand sees a mirror image, so every turn changes its sign; the adapter handles that
/// too, which a swap of two coordinates by hand forgets.
///
/// Orientation in a host means the turn about its up axis by its own hand, 0 when looking along its
/// own forward axis: Unity's and Godot's rotation.y, Unreal's yaw, in radians.
///
/// With 1 unit a metre every round trip is exact. Pure; any thread.
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

/// Axes that do not exist count as ploy's own; a unit that is not finite and above 0 as 1.
PLOY_API ploy_adapter ploy_adapter_make(ploy_axes axes, float units_per_metre);

/// True if the host is of the other hand.
PLOY_API bool ploy_adapter_mirrors(ploy_adapter adapter);

/// Positions, velocities, accelerations: whatever is measured in metres.
PLOY_API ploy_vec3 ploy_adapter_point_to_host(ploy_adapter adapter, ploy_vec3 point);
PLOY_API ploy_vec3 ploy_adapter_point_from_host(ploy_adapter adapter, ploy_vec3 point);

/// Unit vectors: turned, not scaled.
PLOY_API ploy_vec3 ploy_adapter_direction_to_host(ploy_adapter adapter, ploy_vec3 direction);
PLOY_API ploy_vec3 ploy_adapter_direction_from_host(ploy_adapter adapter, ploy_vec3 direction);

/// A point of the plane at a height (m), in the host's world. @param height  may be NULL.
PLOY_API ploy_vec3 ploy_adapter_plane_to_host(ploy_adapter adapter, ploy_vec2 point, float height);
PLOY_API ploy_vec2 ploy_adapter_plane_from_host(ploy_adapter adapter, ploy_vec3 point,
                                                float *height);

/// Planar orientation in radians, and rates of turning on the plane in rad/s. Not wrapped.
PLOY_API float ploy_adapter_angle_to_host(ploy_adapter adapter, float angle);
PLOY_API float ploy_adapter_angle_from_host(ploy_adapter adapter, float angle);

/// Orientation in space.
PLOY_API ploy_quat ploy_adapter_quat_to_host(ploy_adapter adapter, ploy_quat q);
PLOY_API ploy_quat ploy_adapter_quat_from_host(ploy_adapter adapter, ploy_quat q);

/// Rates of turning in space: axis times rad/s.
PLOY_API ploy_vec3 ploy_adapter_rotation_to_host(ploy_adapter adapter, ploy_vec3 rotation);
PLOY_API ploy_vec3 ploy_adapter_rotation_from_host(ploy_adapter adapter, ploy_vec3 rotation);
