// Recast behind our interface: axes and units turned, limits checked before anything is allocated,
// and what comes out handed to our own builder, which trusts nothing.
#include "ploy/path/recast.h"

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "path/recast_steps.hpp"
#include "ploy/base/arena.h"
#include "ploy/base/math.h"
#include "ploy/geom/adapt.h"
#include "ploy/geom/bvh.h"

namespace {

// Columns, and cells in one of them: Recast keeps places in 16 bits and heights in 13.
constexpr double columns_max = 64.0 * 1024 * 1024, side_max = 65535.0, layers_max = 8191.0;

const ploy_field recast_fields[] = {
    PLOY_FIELD_F32(ploy_recast_def, cell, 0.3f, 1e-3f, 1e3f, "m", "width of a cell"),
    PLOY_FIELD_F32(ploy_recast_def, cell_height, 0.2f, 1e-3f, 1e3f, "m", "height of a cell"),
    PLOY_FIELD_F32(ploy_recast_def, radius, 0.6f, 0, 1e3f, "m", "of the agent"),
    PLOY_FIELD_F32(ploy_recast_def, height, 2.0f, 1e-2f, 1e3f, "m", "of the agent"),
    PLOY_FIELD_F32(ploy_recast_def, climb, 0.9f, 0, 1e3f, "m", "highest step"),
    PLOY_FIELD_F32(ploy_recast_def, slope, 0.78539816f, 0, 1.5707963f, "rad", "steepest ground"),
    PLOY_FIELD_F32(ploy_recast_def, region_min, 5.76f, 0, 1e9f, "m^2",
                   "smaller pieces of floor are left out"),
    PLOY_FIELD_F32(ploy_recast_def, region_merge, 36.0f, 0, 1e9f, "m^2",
                   "smaller regions are merged"),
    PLOY_FIELD_F32(ploy_recast_def, edge_max, 12.0f, 0, 1e6f, "m", "longest edge along a wall"),
    PLOY_FIELD_F32(ploy_recast_def, edge_error, 0.39f, 0, 1e3f, "m", "how far outlines may be off"),
    PLOY_FIELD_I32(ploy_recast_def, max_corners, 6, 3, 64, "", "most of a polygon"),
    PLOY_FIELD_F32(ploy_recast_def, detail_step, 1.8f, 0, 1e3f, "m",
                   "between samples of the ground within polygons"),
    PLOY_FIELD_F32(ploy_recast_def, detail_error, 0.2f, 0, 1e3f, "m",
                   "how far the detail may be off the samples"),
    PLOY_FIELD_BOOL(ploy_recast_def, detail_exact, true,
                    "the detail is as high as the triangles, not as the cells"),
};

// Hands what Recast says to the diagnostics.
class listener : public rcContext {
  public:
    explicit listener(ploy_diags *out) : rcContext(true), diags(out) {
    }
    bool out_of_memory = false;

  protected:
    void doLog(const rcLogCategory category, const char *text, const int) override {
        if (category == RC_LOG_PROGRESS) return;
        if (std::strstr(text, "Out of memory") != nullptr) out_of_memory = true;
        ploy_severity severity =
            category == RC_LOG_ERROR ? PLOY_SEVERITY_ERROR : PLOY_SEVERITY_WARNING;
        ploy_diags_add(diags, severity, PLOY_ERR_ARGUMENT, "recast", 0, 0, text, nullptr, nullptr);
    }

  private:
    ploy_diags *diags;
};

ploy_result refuse(ploy_diags *diags, ploy_result code, int32_t line, const char *message) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, code, "recast", line, 0, message, nullptr, nullptr);
    return code;
}

ploy_result check_level(const ploy_recast_level &level, ploy_diags *diags) {
    bool arrays = level.vertex_count > 0 && level.triangle_count > 0 && level.link_count >= 0 &&
                  level.triangle_count <= INT32_MAX / 3 && level.vertices != nullptr &&
                  level.triangles != nullptr && (level.links != nullptr || level.link_count == 0);
    if (!arrays) return refuse(diags, PLOY_ERR_ARGUMENT, 0, "the level has no triangles");
    for (int32_t i = 0; i < level.vertex_count; i++) {
        const ploy_vec3 &p = level.vertices[i];
        if (!ploy_in_range(p.x, -1e9f, 1e9f) || !ploy_in_range(p.y, -1e9f, 1e9f) ||
            !ploy_in_range(p.z, -1e9f, 1e9f)) {
            return refuse(diags, PLOY_ERR_ARGUMENT, i + 1, "a vertex is not finite or too far out");
        }
    }
    for (int32_t i = 0; i < level.triangle_count; i++) {
        for (int32_t k = 0; k < 3; k++) {
            int32_t vertex = level.triangles[3 * i + k];
            if (vertex >= 0 && vertex < level.vertex_count) continue;
            return refuse(diags, PLOY_ERR_ARGUMENT, i + 1, "a triangle's corner is no vertex");
        }
        if (level.areas != nullptr && level.areas[i] >= PLOY_NAVMESH_AREAS) {
            return refuse(diags, PLOY_ERR_ARGUMENT, i + 1, "there is no such area");
        }
    }
    return PLOY_OK;
}

// The level in Recast's axes; areas from 1, as 0 is Recast's "nothing".
struct turned_level {
    float *vertices;
    unsigned char *areas;
};

ploy_result turn_level(const ploy_recast_level &level, ploy_arena *scratch, turned_level &out) {
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    out.vertices = static_cast<float *>(ploy_arena_alloc_array(
        scratch, 3 * static_cast<int64_t>(level.vertex_count), sizeof(float)));
    out.areas =
        static_cast<unsigned char *>(ploy_arena_alloc_array(scratch, level.triangle_count, 1));
    if (out.vertices == nullptr || out.areas == nullptr) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < level.vertex_count; i++) {
        ploy_vec3 p = ploy_adapter_point_to_host(adapter, level.vertices[i]);
        float *at = out.vertices + 3 * static_cast<size_t>(i);
        at[0] = p.x;
        at[1] = p.y;
        at[2] = p.z;
    }
    for (int32_t i = 0; i < level.triangle_count; i++) {
        int area = level.areas != nullptr ? level.areas[i] : 0;
        out.areas[i] = static_cast<unsigned char>(area + 1);
    }
    return PLOY_OK;
}

ploy_result check_cells(const ploy_recast_def &def, const float *vertices, int32_t count,
                        ploy_diags *diags) {
    float low[3], high[3];
    rcCalcBounds(vertices, count, low, high);
    double across = (static_cast<double>(high[0]) - static_cast<double>(low[0])) /
                    static_cast<double>(def.cell);
    double along = (static_cast<double>(high[2]) - static_cast<double>(low[2])) /
                   static_cast<double>(def.cell);
    double up = (static_cast<double>(high[1]) - static_cast<double>(low[1])) /
                static_cast<double>(def.cell_height);
    // Agents are measured in cells too.
    double tall = static_cast<double>(def.height) / static_cast<double>(def.cell_height);
    double wide = static_cast<double>(def.radius) / static_cast<double>(def.cell);
    if (across > side_max || along > side_max || (across + 1.0) * (along + 1.0) > columns_max ||
        up > layers_max || tall > layers_max || wide > 127.0) {
        return refuse(diags, PLOY_ERR_LIMIT, 0, "the level has too many cells of that size");
    }
    if (across < 1.0 || along < 1.0) { // Recast would go astray without a single column
        return refuse(diags, PLOY_ERR_NOT_FOUND, 0, "the level is narrower than a cell");
    }
    return PLOY_OK;
}

// Recast's polygons as a soup in our axes, in scratch memory.
ploy_result make_soup(const rcPolyMesh &mesh, const ploy_recast_level &level, ploy_arena *scratch,
                      ploy_navmesh_soup &soup) {
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    int64_t room = static_cast<int64_t>(mesh.npolys) * mesh.nvp;
    ploy_vec3 *vertices =
        static_cast<ploy_vec3 *>(ploy_arena_alloc_array(scratch, mesh.nverts, sizeof(ploy_vec3)));
    int32_t *sizes =
        static_cast<int32_t *>(ploy_arena_alloc_array(scratch, mesh.npolys, sizeof(int32_t)));
    int32_t *corners =
        static_cast<int32_t *>(ploy_arena_alloc_array(scratch, room, sizeof(int32_t)));
    uint8_t *areas = static_cast<uint8_t *>(ploy_arena_alloc_array(scratch, mesh.npolys, 1));
    uint16_t *flags =
        static_cast<uint16_t *>(ploy_arena_alloc_array(scratch, mesh.npolys, sizeof(uint16_t)));
    if (vertices == nullptr || sizes == nullptr || corners == nullptr || areas == nullptr ||
        flags == nullptr) {
        return PLOY_ERR_MEMORY;
    }
    for (int i = 0; i < mesh.nverts; i++) {
        const unsigned short *v = mesh.verts + 3 * i;
        ploy_vec3 p = ploy_vec3_make(mesh.bmin[0] + static_cast<float>(v[0]) * mesh.cs,
                                     mesh.bmin[1] + static_cast<float>(v[1]) * mesh.ch,
                                     mesh.bmin[2] + static_cast<float>(v[2]) * mesh.cs);
        vertices[i] = ploy_adapter_point_from_host(adapter, p);
    }
    int32_t count = 0;
    for (int i = 0; i < mesh.npolys; i++) {
        const unsigned short *polygon = mesh.polys + 2 * i * mesh.nvp;
        sizes[i] = 0;
        for (int k = 0; k < mesh.nvp && polygon[k] != RC_MESH_NULL_IDX; k++) {
            corners[count++] = polygon[k];
            sizes[i]++;
        }
        int area = mesh.areas[i] > 0 ? mesh.areas[i] - 1 : 0;
        areas[i] = static_cast<uint8_t>(area);
        flags[i] = level.area_flags != nullptr ? level.area_flags[area] : uint16_t(1);
    }
    soup.vertices = vertices;
    soup.vertex_count = mesh.nverts;
    soup.sizes = sizes;
    soup.polygon_count = mesh.npolys;
    soup.corners = corners;
    soup.corner_count = count;
    soup.areas = areas;
    soup.flags = flags;
    soup.links = level.links;
    soup.link_count = level.link_count;
    return PLOY_OK;
}

// Looks for the ground of a level that is nearest in height to a point.
struct plumb_line {
    const ploy_recast_level *level;
    ploy_vec3 at;
    double rise; // from it, the least so far
    bool found;
};

bool plumb_visit(void *user, int32_t id, double *) {
    plumb_line &line = *static_cast<plumb_line *>(user);
    const int32_t *corners = line.level->triangles + 3 * static_cast<size_t>(id);
    double x[3], y[3], z[3];
    for (int k = 0; k < 3; k++) {
        const ploy_vec3 &p = line.level->vertices[corners[k]];
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

// Cells are as high as the highest ground in them, rounded up: some decimetres too high, more on
// slopes. The triangles themselves know better.
ploy_result put_on_ground(const ploy_recast_def &def, const ploy_recast_level &level,
                          ploy_arena *scratch, const ploy_env *env, ploy_vec3 *vertices,
                          int32_t count) {
    ploy_box2 *boxes = static_cast<ploy_box2 *>(
        ploy_arena_alloc_array(scratch, level.triangle_count, sizeof(ploy_box2)));
    if (boxes == nullptr) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < level.triangle_count; i++) {
        ploy_vec2 corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = ploy_vec2_from_vec3(level.vertices[level.triangles[3 * i + k]]);
        }
        boxes[i] = ploy_box2_around(corners, 3);
    }
    ploy_bvh_def bvh_def = ploy_bvh_def_default();
    ploy_bvh2 *bvh = nullptr;
    bvh_def.capacity = level.triangle_count;
    ploy_result result = ploy_bvh2_create(&bvh_def, env, &bvh);
    if (result == PLOY_OK) result = ploy_bvh2_rebuild(bvh, boxes, level.triangle_count);
    // Steps are smoothed by as much as one may climb; what is further away is another floor.
    double reach = static_cast<double>(def.climb) + 2.0 * static_cast<double>(def.cell_height);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        plumb_line line = {&level, vertices[i], reach, false};
        ploy_query2 under = ploy_query2_radius(ploy_vec2_from_vec3(vertices[i]), 0.0f);
        ploy_bvh2_visit(bvh, &under, plumb_visit, &line, nullptr);
        if (line.found) vertices[i].z += static_cast<float>(line.rise);
    }
    ploy_bvh2_destroy(bvh);
    return result;
}

// The ground within the polygons, as Recast sampled it. Its first vertices over each polygon are the
// polygon's corners.
ploy_result make_detail(const rcPolyMesh &mesh, const rcPolyMeshDetail &ground,
                        const ploy_navmesh_soup &soup, ploy_arena *scratch,
                        ploy_navmesh_detail &detail, ploy_vec3 **made) {
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    ploy_vec3 *vertices =
        static_cast<ploy_vec3 *>(ploy_arena_alloc_array(scratch, ground.nverts, sizeof(ploy_vec3)));
    int32_t *sizes =
        static_cast<int32_t *>(ploy_arena_alloc_array(scratch, mesh.npolys, sizeof(int32_t)));
    int32_t *triangles = static_cast<int32_t *>(
        ploy_arena_alloc_array(scratch, 3 * static_cast<int64_t>(ground.ntris), sizeof(int32_t)));
    if (vertices == nullptr || sizes == nullptr || triangles == nullptr) return PLOY_ERR_MEMORY;
    for (int i = 0; i < ground.nverts; i++) {
        const float *at = ground.verts + 3 * i;
        vertices[i] = ploy_adapter_point_from_host(adapter, ploy_vec3_make(at[0], at[1], at[2]));
    }
    int32_t count = 0, corner = 0;
    for (int i = 0; i < mesh.npolys; i++) {
        // First vertex, how many, first triangle, how many.
        const unsigned int *part = ground.meshes + 4 * i;
        sizes[i] = static_cast<int32_t>(part[3]);
        for (int32_t k = 0; k < soup.sizes[i]; k++, corner++) {
            vertices[part[0] + static_cast<unsigned int>(k)] = soup.vertices[soup.corners[corner]];
        }
        for (unsigned int k = part[2]; k < part[2] + part[3]; k++) {
            for (unsigned int c = 0; c < 3; c++) { // the fourth byte tells of edges
                triangles[count++] = static_cast<int32_t>(part[0] + ground.tris[4 * k + c]);
            }
        }
    }
    *made = vertices;
    detail.vertices = vertices;
    detail.vertex_count = ground.nverts;
    detail.sizes = sizes;
    detail.triangles = triangles;
    detail.triangle_count = count / 3;
    return PLOY_OK;
}

ploy_result build_mesh(const ploy_recast_def &def, const ploy_recast_level &level,
                       ploy_arena *scratch, const ploy_env *env, ploy_diags *diags,
                       ploy_recast_stats *stats, ploy_navmesh **out) {
    turned_level turned;
    ploy_result result = turn_level(level, scratch, turned);
    if (result == PLOY_OK) result = check_cells(def, turned.vertices, level.vertex_count, diags);
    if (result != PLOY_OK) return result;
    ployi_recast::settings settings = ployi_recast::make_settings(
        def.cell, def.cell_height, def.radius, def.height, def.climb, def.slope * 57.29577951f,
        def.region_min, def.region_merge, def.edge_max, def.edge_error, def.max_corners,
        def.detail_step, def.detail_error);
    listener context(diags);
    ployi_recast::workspace work;
    if (!ployi_recast::build(context, settings, turned.vertices, level.vertex_count,
                             level.triangles, level.triangle_count, turned.areas, work)) {
        if (context.out_of_memory || work.mesh == nullptr) return PLOY_ERR_MEMORY;
        return refuse(diags, PLOY_ERR_LIMIT, 0, "Recast could not make a mesh of the level");
    }
    if (work.mesh->npolys == 0) {
        return refuse(diags, PLOY_ERR_NOT_FOUND, 0, "there is no floor for such an agent");
    }
    if (stats != nullptr) {
        stats->width = work.width;
        stats->height = work.height;
        stats->spans = 0;
        for (int i = 0; i < work.compact->spanCount; i++) {
            stats->spans += work.compact->areas[i] != RC_NULL_AREA;
        }
    }
    ploy_navmesh_soup soup;
    std::memset(&soup, 0, sizeof soup);
    ploy_navmesh_detail detail;
    std::memset(&detail, 0, sizeof detail);
    result = make_soup(*work.mesh, level, scratch, soup);
    if (result == PLOY_OK && work.detail != nullptr) {
        ploy_vec3 *vertices = nullptr;
        result = make_detail(*work.mesh, *work.detail, soup, scratch, detail, &vertices);
        if (result == PLOY_OK && def.detail_exact) {
            result = put_on_ground(def, level, scratch, env, vertices, detail.vertex_count);
        }
        soup.detail = &detail;
    }
    if (result != PLOY_OK) return result;
    ploy_navmesh_def mesh_def = ploy_navmesh_def_default();
    mesh_def.weld = 0.0f; // Recast's vertices are cells' corners: equal or different
    mesh_def.step_height = ploy_maxf(def.climb, def.cell_height);
    mesh_def.radius = def.radius;
    // Where outlines cross themselves Recast fills with what it can; such polygons are left out.
    mesh_def.skip_faults = true;
    return ploy_navmesh_create(&mesh_def, &soup, env, diags, out);
}

} // namespace

ploy_fields ploy_recast_fields(void) {
    return PLOY_FIELDS(ploy_recast_def, recast_fields);
}

ploy_recast_def ploy_recast_def_default(void) {
    ploy_recast_def def;
    ploy_fields_default(ploy_recast_fields(), &def);
    return def;
}

ploy_result ploy_recast_build(const ploy_recast_def *def, const ploy_recast_level *level,
                              const ploy_env *env, ploy_diags *diags, ploy_recast_stats *stats,
                              ploy_navmesh **out) {
    if (out == nullptr) return PLOY_ERR_ARGUMENT;
    *out = nullptr;
    if (level == nullptr || env == nullptr) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_recast_fields(), def, env);
    if (result == PLOY_OK) result = check_level(*level, diags);
    if (result != PLOY_OK) return result;
    ploy_arena *scratch = nullptr;
    result = ploy_arena_create(0, 0, env, &scratch);
    if (result == PLOY_OK) {
        result = build_mesh(*def, *level, scratch, env, diags, stats, out);
    }
    ploy_arena_destroy(scratch);
    return result;
}
