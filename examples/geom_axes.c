// One agent in six engines. ploy thinks with x forward, y left, z up; you will see where each host
// finds the same agent, in which direction it faces there, and that its answer comes back unchanged. Shows
// ploy/geom/adapt.h.
#include <stdio.h>

#include "ploy/base/math.h"
#include "ploy/geom/adapt.h"
#include "ploy/geom/angle.h"

typedef struct host {
    const char *name;
    ploy_axes axes;
    float units_per_metre;
} host;

static const host hosts[] = {
    {"Blender", PLOY_AXES_Z_UP_RIGHT, 1.0f}, {"Godot, three.js", PLOY_AXES_Y_UP_RIGHT, 1.0f},
    {"glTF", PLOY_AXES_Y_UP_FORWARD, 1.0f},  {"Unity", PLOY_AXES_Y_UP_LEFT, 1.0f},
    {"Unreal", PLOY_AXES_Z_UP_LEFT, 100.0f}, {"web canvas", PLOY_AXES_SCREEN, 1.0f},
};

// What a game does each frame: our agent out to its object, the object's place back in.
static ploy_vec2 tell(ploy_adapter adapter, ploy_vec2 position, float height, float orientation) {
    ploy_vec3 at = ploy_adapter_plane_to_host(adapter, position, height);
    ploy_vec2 heading = ploy_angle_heading(orientation);
    ploy_vec3 facing = ploy_adapter_direction_to_host(adapter, ploy_vec3_from_vec2(heading, 0.0f));
    float yaw = ploy_angle_to_degrees(ploy_adapter_angle_to_host(adapter, orientation));
    printf("at (%g, %g, %g) facing (%.2f, %.2f, %.2f) yaw %g", (double)at.x, (double)at.y,
           (double)at.z, (double)facing.x, (double)facing.y, (double)facing.z, (double)yaw);
    return ploy_adapter_plane_from_host(adapter, at, NULL);
}

int main(void) {
    // Four metres ahead of the origin, one to the left, half a metre up, looking 30 degrees left.
    ploy_vec2 position = ploy_vec2_make(4.0f, 1.0f);
    float orientation = ploy_angle_from_degrees(30.0f);
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        ploy_adapter adapter = ploy_adapter_make(hosts[i].axes, hosts[i].units_per_metre);
        printf("%-16s%s-handed: ", hosts[i].name, ploy_adapter_mirrors(adapter) ? "left" : "right");
        ploy_vec2 back = tell(adapter, position, 0.5f, orientation);
        printf(", back %s\n", ploy_vec2_equal(back, position) ? "unchanged" : "CHANGED");
    }

    // In space too: pitched up a quarter turn, an aircraft's nose points up in every engine.
    ploy_quat climb = ploy_quat_look(ploy_vec3_make(0.0f, 0.0f, 1.0f), ploy_vec3_make(-1.0f, 0, 0));
    ploy_adapter unity = ploy_adapter_make(PLOY_AXES_Y_UP_LEFT, 1.0f);
    ploy_quat q = ploy_adapter_quat_to_host(unity, climb);
    ploy_vec3 nose = ploy_quat_rotate(q, ploy_vec3_make(0.0f, 0.0f, 1.0f)); // Unity's forward
    printf(
        "climbing in Unity: quaternion (x %.3f, y %.3f, z %.3f, w %.3f), nose (%.0f, %.0f, %.0f)\n",
        (double)q.x, (double)q.y, (double)q.z, (double)q.w, (double)nose.x + 0.0, (double)nose.y,
        (double)nose.z + 0.0);

    // An orientation from a direction alone: the one nearest to the base, here upright.
    ploy_quat left = ploy_quat_from_forward(ploy_vec3_make(0.0f, 5.0f, 0.0f), ploy_quat_identity());
    printf("looking left: a turn of %.1f degrees about up\n",
           (double)ploy_angle_to_degrees(2.0f * ploy_acosf(left.w)));
    return 0;
}
