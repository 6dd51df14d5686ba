// Axis adapters: a permutation of the axes with signs, for each host.
//
// A rotation R seen through a map M is M R M^-1: its axis is mapped like a vector and, if M
// mirrors, its angle changes sign. Permutations and signs are exact, so round trips are.
#include "ploy/geom/adapt.h"

// part[i] is the ploy axis that host axis i lies along, sign[i] in which sense.
typedef struct adapt_map {
    const char *text;
    int32_t part[3];
    float sign[3];
    bool mirrors;
} adapt_map;

static const adapt_map adapt_maps[PLOY_AXES_COUNT] = {
    {"ploy", {0, 1, 2}, {1.0f, 1.0f, 1.0f}, false},
    {"z_up_right", {1, 0, 2}, {-1.0f, 1.0f, 1.0f}, false},
    {"y_up_right", {1, 2, 0}, {-1.0f, 1.0f, -1.0f}, false},
    {"y_up_forward", {1, 2, 0}, {1.0f, 1.0f, 1.0f}, false},
    {"y_up_left", {1, 2, 0}, {-1.0f, 1.0f, 1.0f}, true},
    {"z_up_left", {0, 1, 2}, {1.0f, -1.0f, 1.0f}, true},
    {"screen", {0, 1, 2}, {1.0f, -1.0f, 1.0f}, true},
};

static const adapt_map *adapt_map_of(ploy_adapter adapter) {
    uint32_t axes = (uint32_t)adapter.axes;
    return &adapt_maps[axes < PLOY_AXES_COUNT ? axes : PLOY_AXES_PLOY];
}

static ploy_vec3 adapt_out(const adapt_map *map, ploy_vec3 v, float factor) {
    const float parts[3] = {v.x, v.y, v.z};
    float out[3];
    for (int32_t i = 0; i < 3; i++)
        out[i] = parts[map->part[i]] * (map->sign[i] * factor) + 0.0f; // no -0
    return ploy_vec3_make(out[0], out[1], out[2]);
}

static ploy_vec3 adapt_in(const adapt_map *map, ploy_vec3 v, float divisor) {
    const float parts[3] = {v.x, v.y, v.z};
    float out[3] = {0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < 3; i++) out[map->part[i]] = parts[i] / (map->sign[i] * divisor) + 0.0f;
    return ploy_vec3_make(out[0], out[1], out[2]);
}

const char *ploy_axes_text(ploy_axes axes) {
    if ((uint32_t)axes >= PLOY_AXES_COUNT) return "?";
    return adapt_maps[axes].text;
}

ploy_adapter ploy_adapter_make(ploy_axes axes, float units_per_metre) {
    bool ok = units_per_metre > 0.0f && units_per_metre <= FLT_MAX;
    ploy_adapter adapter = {(uint32_t)axes < PLOY_AXES_COUNT ? axes : PLOY_AXES_PLOY,
                            ok ? units_per_metre : 1.0f};
    return adapter;
}

bool ploy_adapter_mirrors(ploy_adapter adapter) {
    return adapt_map_of(adapter)->mirrors;
}

ploy_vec3 ploy_adapter_point_to_host(ploy_adapter adapter, ploy_vec3 point) {
    return adapt_out(adapt_map_of(adapter), point, adapter.units_per_metre);
}

ploy_vec3 ploy_adapter_point_from_host(ploy_adapter adapter, ploy_vec3 point) {
    return adapt_in(adapt_map_of(adapter), point, adapter.units_per_metre);
}

ploy_vec3 ploy_adapter_direction_to_host(ploy_adapter adapter, ploy_vec3 direction) {
    return adapt_out(adapt_map_of(adapter), direction, 1.0f);
}

ploy_vec3 ploy_adapter_direction_from_host(ploy_adapter adapter, ploy_vec3 direction) {
    return adapt_in(adapt_map_of(adapter), direction, 1.0f);
}

ploy_vec3 ploy_adapter_plane_to_host(ploy_adapter adapter, ploy_vec2 point, float height) {
    return ploy_adapter_point_to_host(adapter, ploy_vec3_from_vec2(point, height));
}

ploy_vec2 ploy_adapter_plane_from_host(ploy_adapter adapter, ploy_vec3 point, float *height) {
    ploy_vec3 v = ploy_adapter_point_from_host(adapter, point);
    if (height != NULL) *height = v.z;
    return ploy_vec2_from_vec3(v);
}

float ploy_adapter_angle_to_host(ploy_adapter adapter, float angle) {
    return ploy_adapter_mirrors(adapter) ? 0.0f - angle : angle;
}

float ploy_adapter_angle_from_host(ploy_adapter adapter, float angle) {
    return ploy_adapter_mirrors(adapter) ? 0.0f - angle : angle;
}

ploy_vec3 ploy_adapter_rotation_to_host(ploy_adapter adapter, ploy_vec3 rotation) {
    return adapt_out(adapt_map_of(adapter), rotation, ploy_adapter_mirrors(adapter) ? -1.0f : 1.0f);
}

ploy_vec3 ploy_adapter_rotation_from_host(ploy_adapter adapter, ploy_vec3 rotation) {
    return adapt_in(adapt_map_of(adapter), rotation, ploy_adapter_mirrors(adapter) ? -1.0f : 1.0f);
}

ploy_quat ploy_adapter_quat_to_host(ploy_adapter adapter, ploy_quat q) {
    ploy_vec3 axis = ploy_adapter_rotation_to_host(adapter, ploy_vec3_make(q.x, q.y, q.z));
    return ploy_quat_make(q.w, axis.x, axis.y, axis.z);
}

ploy_quat ploy_adapter_quat_from_host(ploy_adapter adapter, ploy_quat q) {
    ploy_vec3 axis = ploy_adapter_rotation_from_host(adapter, ploy_vec3_make(q.x, q.y, q.z));
    return ploy_quat_make(q.w, axis.x, axis.y, axis.z);
}
