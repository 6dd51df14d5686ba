// The level of a bake: checked, copied, turned into Recast's axes.
#include <cmath>
#include <cstring>

#include "path/recast_internal.hpp"
#include "ploy/base/math.h"

namespace ployi_recast {

ploy_result refuse(ploy_diags *diags, ploy_result code, int32_t line, const char *message) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, code, "recast", line, 0, message, nullptr, nullptr);
    return code;
}

void level_init(level &to, const ploy_env *env) {
    ploy_array_init(&to.vertices, sizeof(ploy_vec3), env);
    ploy_array_init(&to.turned, 3 * sizeof(float), env);
    ploy_array_init(&to.triangles, 3 * sizeof(int32_t), env);
    ploy_array_init(&to.areas, 1, env);
    ploy_array_init(&to.links, sizeof(ploy_navmesh_link), env);
    to.bvh = nullptr;
}

void level_fini(level &of) {
    ploy_array_fini(&of.vertices);
    ploy_array_fini(&of.turned);
    ploy_array_fini(&of.triangles);
    ploy_array_fini(&of.areas);
    ploy_array_fini(&of.links);
    ploy_bvh2_destroy(of.bvh);
}

namespace {

ploy_result check_level(const ploy_recast_level &from, ploy_diags *diags) {
    bool arrays = from.vertex_count > 0 && from.triangle_count > 0 && from.link_count >= 0 &&
                  from.triangle_count <= INT32_MAX / 3 && from.vertices != nullptr &&
                  from.triangles != nullptr && (from.links != nullptr || from.link_count == 0);
    if (!arrays) return refuse(diags, PLOY_ERR_ARGUMENT, 0, "the level has no triangles");
    for (int32_t i = 0; i < from.vertex_count; i++) {
        const ploy_vec3 &p = from.vertices[i];
        if (!ploy_in_range(p.x, -1e9f, 1e9f) || !ploy_in_range(p.y, -1e9f, 1e9f) ||
            !ploy_in_range(p.z, -1e9f, 1e9f)) {
            return refuse(diags, PLOY_ERR_ARGUMENT, i + 1, "a vertex is not finite or too far out");
        }
    }
    for (int32_t i = 0; i < from.triangle_count; i++) {
        for (int32_t k = 0; k < 3; k++) {
            int32_t vertex = from.triangles[3 * i + k];
            if (vertex >= 0 && vertex < from.vertex_count) continue;
            return refuse(diags, PLOY_ERR_ARGUMENT, i + 1, "a triangle's corner is not a vertex");
        }
        if (from.areas != nullptr && from.areas[i] >= PLOY_NAVMESH_AREAS) {
            return refuse(diags, PLOY_ERR_ARGUMENT, i + 1, "there is no such area");
        }
    }
    return PLOY_OK;
}

ploy_result turn_level(const ploy_recast_level &from, level &to) {
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    ploy_result result = ploy_array_push_many(&to.vertices, from.vertices, from.vertex_count);
    if (result == PLOY_OK) result = ploy_array_resize(&to.turned, from.vertex_count);
    if (result == PLOY_OK) {
        result = ploy_array_push_many(&to.triangles, from.triangles, from.triangle_count);
    }
    if (result == PLOY_OK) result = ploy_array_resize(&to.areas, from.triangle_count);
    if (result == PLOY_OK && from.link_count > 0) {
        result = ploy_array_push_many(&to.links, from.links, from.link_count);
    }
    if (result != PLOY_OK) return result;
    float *at = PLOY_ARRAY_ITEMS(&to.turned, float);
    for (int32_t i = 0; i < from.vertex_count; i++, at += 3) {
        ploy_vec3 p = ploy_adapter_point_to_host(adapter, from.vertices[i]);
        at[0] = p.x;
        at[1] = p.y;
        at[2] = p.z;
    }
    for (int32_t i = 0; i < from.triangle_count; i++) { // from 1, as 0 is Recast's "nothing"
        int area = from.areas != nullptr ? from.areas[i] : 0;
        PLOY_ARRAY_ITEMS(&to.areas, unsigned char)[i] = static_cast<unsigned char>(area + 1);
    }
    for (int32_t i = 0; i < PLOY_NAVMESH_AREAS; i++) {
        to.flags[i] = from.area_flags != nullptr ? from.area_flags[i] : uint16_t(1);
    }
    rcCalcBounds(PLOY_ARRAY_ITEMS(&to.turned, float), from.vertex_count, to.low, to.high);
    return PLOY_OK;
}

ploy_result index_level(const ploy_env *env, level &to) {
    ploy_array boxes;
    ploy_array_init(&boxes, sizeof(ploy_box2), env);
    int32_t count = to.triangles.count;
    ploy_result result = ploy_array_resize(&boxes, count);
    const int32_t *corner = PLOY_ARRAY_ITEMS(&to.triangles, int32_t);
    const ploy_vec3 *vertices = PLOY_ARRAY_ITEMS(&to.vertices, ploy_vec3);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++, corner += 3) {
        ploy_vec2 corners[3];
        for (int k = 0; k < 3; k++) corners[k] = ploy_vec2_from_vec3(vertices[corner[k]]);
        PLOY_ARRAY_ITEMS(&boxes, ploy_box2)[i] = ploy_box2_around(corners, 3);
    }
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = count;
    if (result == PLOY_OK) result = ploy_bvh2_create(&def, env, &to.bvh);
    if (result == PLOY_OK) {
        result = ploy_bvh2_rebuild(to.bvh, PLOY_ARRAY_ITEMS(&boxes, ploy_box2), count);
    }
    ploy_array_fini(&boxes);
    return result;
}

struct finding {
    ploy_array *out;
    ploy_result result;
};

bool find_visit(void *user, int32_t id, double *) {
    finding &found = *static_cast<finding *>(user);
    found.result = ploy_array_push(found.out, &id);
    return found.result == PLOY_OK;
}

// Looks for the ground of a level that is nearest in height to a point.
struct plumb_line {
    const level *of;
    ploy_vec3 at;
    double rise; // from it, the least so far
    bool found;
};

bool plumb_visit(void *user, int32_t id, double *) {
    plumb_line &line = *static_cast<plumb_line *>(user);
    const int32_t *corners =
        PLOY_ARRAY_ITEMS(&line.of->triangles, int32_t) + 3 * static_cast<size_t>(id);
    double x[3], y[3], z[3];
    for (int k = 0; k < 3; k++) {
        const ploy_vec3 &p = PLOY_ARRAY_ITEMS(&line.of->vertices, ploy_vec3)[corners[k]];
        x[k] = static_cast<double>(p.x) - static_cast<double>(line.at.x);
        y[k] = static_cast<double>(p.y) - static_cast<double>(line.at.y);
        z[k] = static_cast<double>(p.z) - static_cast<double>(line.at.z);
    }
    double a = x[1] * y[2] - y[1] * x[2], b = x[2] * y[0] - y[2] * x[0];
    double c = x[0] * y[1] - y[0] * x[1], whole = a + b + c;
    double slack = -1e-6 * whole; // points on an edge between two triangles are over both
    if (!(whole > 0.0) || a < slack || b < slack || c < slack) return true; // steep, or elsewhere
    double rise = (a * z[0] + b * z[1] + c * z[2]) / whole;
    if (std::fabs(rise) > std::fabs(line.rise)) return true;
    line.rise = rise;
    line.found = true;
    return true;
}

} // namespace

ploy_result level_copy(const ploy_recast_level &from, const ploy_env *env, ploy_diags *diags,
                       level &to) {
    ploy_result result = check_level(from, diags);
    if (result == PLOY_OK) result = turn_level(from, to);
    if (result == PLOY_OK) result = index_level(env, to);
    return result;
}

ploy_result level_find(const level &of, const float low[3], const float high[3], ploy_array &out) {
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    ploy_vec2 ends[2] = {ploy_vec2_from_vec3(ploy_adapter_point_from_host(
                             adapter, ploy_vec3_make(low[0], low[1], low[2]))),
                         ploy_vec2_from_vec3(ploy_adapter_point_from_host(
                             adapter, ploy_vec3_make(high[0], high[1], high[2])))};
    finding found = {&out, PLOY_OK};
    ploy_query2 query = ploy_query2_box(ploy_box2_around(ends, 2));
    ploy_bvh2_visit(of.bvh, &query, find_visit, &found, nullptr);
    return found.result;
}

void level_ground(const level &of, double reach, ploy_vec3 *points, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        plumb_line line = {&of, points[i], reach, false};
        ploy_query2 under = ploy_query2_radius(ploy_vec2_from_vec3(points[i]), 0.0f);
        ploy_bvh2_visit(of.bvh, &under, plumb_visit, &line, nullptr);
        if (line.found) points[i].z += static_cast<float>(line.rise);
    }
}

} // namespace ployi_recast
