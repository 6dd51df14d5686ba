// Frames: what is not inline.
#include "ploy/geom/frame.h"
#include "geom/geom_internal.h"

#include "ploy/geom/angle.h"

ploy_frame2 ploy_frame2_make(ploy_vec2 position, float orientation) {
    ploy_frame2 frame = {position, ploy_angle_heading(orientation)};
    return frame;
}

ploy_frame2 ployi_frame2_from_heading(ploy_vec2 position, ploy_vec2 direction) {
    ploy_frame2 frame = {position, ploy_vec2_normalise(direction)};
    if (ploy_vec2_is_zero(frame.heading)) frame.heading = ploy_vec2_make(1.0f, 0.0f);
    return frame;
}

void ploy_frame2_polygon_to_world(ploy_frame2 frame, ploy_vec2 scale, const ploy_vec2 *points,
                                  int32_t count, ploy_vec2 *out) {
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 local = ploy_vec2_make(points[i].x * scale.x, points[i].y * scale.y);
        out[i] = ploy_frame2_point_to_world(frame, local);
    }
}

ploy_frame3 ploy_frame3_make(ploy_vec3 position, ploy_quat orientation) {
    ploy_frame3 frame = {position, ploy_quat_normalise(orientation)};
    return frame;
}

void ploy_frame3_polygon_to_world(ploy_frame3 frame, ploy_vec3 scale, const ploy_vec3 *points,
                                  int32_t count, ploy_vec3 *out) {
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 local =
            ploy_vec3_make(points[i].x * scale.x, points[i].y * scale.y, points[i].z * scale.z);
        out[i] = ploy_frame3_point_to_world(frame, local);
    }
}
