// One tile of a bake, from triangles to polygons.
//
// A tile is baked with a border of cells of its neighbours, so that walls and ledges beyond its sides
// count, and what lies on a side is the same from both.
#include <cstdio>
#include <cstring>

#include "path/recast_internal.hpp"

namespace ployi_recast {

void tile_init(tile &to, const ploy_env *env) {
    to.dirty = true;
    to.spans = 0;
    ploy_array_init(&to.vertices, sizeof(cell_corner), env);
    ploy_array_init(&to.sizes, sizeof(int32_t), env);
    ploy_array_init(&to.corners, sizeof(int32_t), env);
    ploy_array_init(&to.areas, 1, env);
    ploy_array_init(&to.detail_vertices, sizeof(ploy_vec3), env);
    ploy_array_init(&to.detail_sizes, sizeof(int32_t), env);
    ploy_array_init(&to.detail_triangles, 3 * sizeof(int32_t), env);
}

void tile_fini(tile &of) {
    ploy_array_fini(&of.vertices);
    ploy_array_fini(&of.sizes);
    ploy_array_fini(&of.corners);
    ploy_array_fini(&of.areas);
    ploy_array_fini(&of.detail_vertices);
    ploy_array_fini(&of.detail_sizes);
    ploy_array_fini(&of.detail_triangles);
}

void tile_clear(tile &of) {
    of.spans = 0;
    ploy_array_clear(&of.vertices);
    ploy_array_clear(&of.sizes);
    ploy_array_clear(&of.corners);
    ploy_array_clear(&of.areas);
    ploy_array_clear(&of.detail_vertices);
    ploy_array_clear(&of.detail_sizes);
    ploy_array_clear(&of.detail_triangles);
}

namespace {

// Passes Recast's messages to the diagnostics.
class listener : public rcContext {
  public:
    listener(ploy_diags *out, const ploy_recast_def &told, const tile_place &at)
        : rcContext(true), diags(out), def(told), place(at) {
    }
    bool out_of_memory = false;

  protected:
    // Recast starts a timer with each of its steps.
    void doStartTimer(const rcTimerLabel label) override {
        static const rcTimerLabel labels[STAGES] = {
            RC_TIMER_RASTERIZE_TRIANGLES, RC_TIMER_FILTER_LOW_OBSTACLES, RC_TIMER_FILTER_BORDER,
            RC_TIMER_FILTER_WALKABLE,     RC_TIMER_BUILD_COMPACTHEIGHTFIELD, RC_TIMER_ERODE_AREA,
            RC_TIMER_BUILD_DISTANCEFIELD, RC_TIMER_BUILD_REGIONS, RC_TIMER_BUILD_CONTOURS,
            RC_TIMER_BUILD_POLYMESH,      RC_TIMER_BUILD_POLYMESHDETAIL};
        for (int32_t i = 0; i < STAGES && def.progress != nullptr; i++) {
            if (labels[i] == label) def.progress(def.progress_user, place.done + i, place.total);
        }
    }
    void doLog(const rcLogCategory category, const char *text, const int) override {
        if (category == RC_LOG_PROGRESS) return;
        if (std::strstr(text, "Out of memory") != nullptr) out_of_memory = true;
        ploy_severity severity =
            category == RC_LOG_ERROR ? PLOY_SEVERITY_ERROR : PLOY_SEVERITY_WARNING;
        ploy_diags_add(diags, severity, PLOY_ERR_ARGUMENT, "recast", 0, 0, text, nullptr, nullptr);
    }

  private:
    ploy_diags *diags;
    const ploy_recast_def &def;
    const tile_place &place;
};

// Obstacles that block go in before the floor is cut back by the radius, other areas after it.
void mark_obstacles(void *user, rcContext &context, rcCompactHeightfield &field, bool before) {
    const ploy_array &obstacles = *static_cast<const ploy_array *>(user);
    for (int32_t i = 0; i < obstacles.count; i++) {
        const obstacle &o = PLOY_ARRAY_ITEMS(&obstacles, obstacle)[i];
        bool apart = o.high[0] < field.bmin[0] || o.low[0] > field.bmax[0] ||
                     o.high[2] < field.bmin[2] || o.low[2] > field.bmax[2];
        if (!o.used || apart || (o.area < 0) != before) continue;
        unsigned char area =
            o.area < 0 ? RC_NULL_AREA : static_cast<unsigned char>(o.area + 1);
        rcMarkConvexPolyArea(&context, o.corners, o.count, o.bottom, o.top, area, field);
    }
}

ploy_result copy_polygons(const rcPolyMesh &mesh, const tile_place &place, tile &out) {
    for (int i = 0; i < mesh.nverts; i++) {
        const unsigned short *v = mesh.verts + 3 * i;
        cell_corner corner = {place.x + v[0], v[1], place.z + v[2]};
        ploy_result result = ploy_array_push(&out.vertices, &corner);
        if (result != PLOY_OK) return result;
    }
    for (int i = 0; i < mesh.npolys; i++) {
        const unsigned short *polygon = mesh.polys + 2 * i * mesh.nvp;
        int32_t size = 0;
        ploy_result result = PLOY_OK;
        for (; size < mesh.nvp && polygon[size] != RC_MESH_NULL_IDX && result == PLOY_OK; size++) {
            int32_t corner = polygon[size];
            result = ploy_array_push(&out.corners, &corner);
        }
        uint8_t area = static_cast<uint8_t>(mesh.areas[i] > 0 ? mesh.areas[i] - 1 : 0);
        if (result == PLOY_OK) result = ploy_array_push(&out.sizes, &size);
        if (result == PLOY_OK) result = ploy_array_push(&out.areas, &area);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// The ground within the polygons, as Recast sampled it. Its first vertices over each polygon are the
// polygon's corners.
ploy_result copy_detail(const ploy_recast_def &def, const level &of, const rcPolyMeshDetail &ground,
                        tile &out) {
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    for (int i = 0; i < ground.nverts; i++) {
        const float *at = ground.verts + 3 * i;
        ploy_vec3 p =
            ploy_adapter_point_from_host(adapter, ploy_vec3_make(at[0], at[1], at[2]));
        ploy_result result = ploy_array_push(&out.detail_vertices, &p);
        if (result != PLOY_OK) return result;
    }
    ploy_vec3 *vertices = PLOY_ARRAY_ITEMS(&out.detail_vertices, ploy_vec3);
    const cell_corner *corners = PLOY_ARRAY_ITEMS(&out.vertices, cell_corner);
    for (int32_t i = 0, corner = 0; i < out.sizes.count; i++) {
        // First vertex, how many, first triangle, how many.
        const unsigned int *part = ground.meshes + 4 * i;
        int32_t size = static_cast<int32_t>(part[3]);
        ploy_result result = ploy_array_push(&out.detail_sizes, &size);
        for (int32_t k = 0; k < PLOY_ARRAY_ITEMS(&out.sizes, int32_t)[i]; k++, corner++) {
            vertices[part[0] + static_cast<unsigned int>(k)] = corner_position(
                def, of, corners[PLOY_ARRAY_ITEMS(&out.corners, int32_t)[corner]]);
        }
        for (unsigned int k = part[2]; k < part[2] + part[3] && result == PLOY_OK; k++) {
            int32_t triangle[3];
            for (unsigned int c = 0; c < 3; c++) { // the fourth byte describes edges
                triangle[c] = static_cast<int32_t>(part[0] + ground.tris[4 * k + c]);
            }
            result = ploy_array_push(&out.detail_triangles, triangle);
        }
        if (result != PLOY_OK) return result;
    }
    // Steps are smoothed by as much as agents climb; what is further away is another floor.
    double reach = static_cast<double>(def.climb) + 2.0 * static_cast<double>(def.cell_height);
    if (def.detail_exact) level_ground(of, reach, vertices, out.detail_vertices.count);
    return PLOY_OK;
}

ploy_result explain(const ploy_recast_def &def, const piece &p, failure why, bool out_of_memory,
                    ploy_diags *diags) {
    char text[PLOY_DIAG_TEXT_MAX];
    const char *hint = def.tile == 0 ? "set tile, or larger cells" : "a smaller tile, or larger cells";
    if (why == failure::spans) {
        std::snprintf(text, sizeof text,
                      "%d x %d cells in one piece have more than 16777215 spans; %s", p.width,
                      p.height, hint);
        return refuse(diags, PLOY_ERR_LIMIT, 0, text);
    }
    if (why == failure::bytes) {
        std::snprintf(text, sizeof text,
                      "%d x %d cells in one piece need more than memory_mb = %d MB; %s", p.width,
                      p.height, static_cast<int>(def.memory_mb), hint);
        return refuse(diags, PLOY_ERR_LIMIT, 0, text);
    }
    if (why == failure::memory || out_of_memory) return PLOY_ERR_MEMORY;
    return refuse(diags, PLOY_ERR_LIMIT, 0, "Recast could not make polygons of a tile");
}

// The triangles near the tile, and their areas.
ploy_result gather(const level &of, const piece &p, ploy_array &ids, ploy_array &triangles,
                   ploy_array &areas) {
    ploy_result result = level_find(of, p.low, p.high, ids);
    for (int32_t i = 0; i < ids.count && result == PLOY_OK; i++) {
        int32_t id = PLOY_ARRAY_ITEMS(&ids, int32_t)[i];
        result = ploy_array_push(&triangles, ploy_array_at(&of.triangles, id));
        if (result == PLOY_OK) result = ploy_array_push(&areas, ploy_array_at(&of.areas, id));
    }
    return result;
}

ploy_result bake(const ploy_recast_def &def, const level &of, const ploy_array &obstacles,
                 const tile_place &place, const piece &p, const settings &s,
                 const ploy_array &triangles, const ploy_array &areas, ploy_diags *diags,
                 tile &out) {
    listener context(diags, def, place);
    workspace work;
    failure why = failure::none;
    if (!build_piece(context, s, p, PLOY_ARRAY_ITEMS(&of.turned, float), of.turned.count,
                     PLOY_ARRAY_ITEMS(&triangles, int), triangles.count,
                     PLOY_ARRAY_ITEMS(&areas, unsigned char), mark_obstacles,
                     const_cast<ploy_array *>(&obstacles), work, why)) {
        return explain(def, p, why, context.out_of_memory, diags);
    }
    const rcCompactHeightfield &field = *work.compact;
    for (int z = p.border; z < p.height - p.border; z++) {
        for (int x = p.border; x < p.width - p.border; x++) {
            const rcCompactCell &cell = field.cells[x + z * p.width];
            unsigned int first = cell.index, count = cell.count;
            for (unsigned int i = first; i < first + count; i++) {
                out.spans += field.areas[i] != RC_NULL_AREA;
            }
        }
    }
    ploy_result result = copy_polygons(*work.mesh, place, out);
    if (result == PLOY_OK && work.detail != nullptr) {
        result = copy_detail(def, of, *work.detail, out);
    }
    return result;
}

} // namespace

ploy_result tile_bake(const ploy_recast_def &def, const level &of, const ploy_array &obstacles,
                      const tile_place &place, bool whole, const ploy_env *env, ploy_diags *diags,
                      tile &out) {
    settings s = make_settings(def.cell, def.cell_height, def.radius, def.height, def.climb,
                               def.slope * 57.29577951f, def.region_min, def.region_merge,
                               def.edge_max, def.edge_error, def.max_corners, def.detail_step,
                               def.detail_error);
    piece p;
    std::memset(&p, 0, sizeof p);
    p.border = whole ? 0 : s.radius + 3; // Recast's advice
    p.width = place.width + 2 * p.border;
    p.height = place.height + 2 * p.border;
    p.memory = static_cast<double>(def.memory_mb) * 1e6;
    double cell = static_cast<double>(def.cell);
    p.low[1] = of.low[1];
    p.high[1] = of.high[1];
    p.low[0] = static_cast<float>(static_cast<double>(of.low[0]) + cell * (place.x - p.border));
    p.low[2] = static_cast<float>(static_cast<double>(of.low[2]) + cell * (place.z - p.border));
    p.high[0] = static_cast<float>(static_cast<double>(p.low[0]) + cell * p.width);
    p.high[2] = static_cast<float>(static_cast<double>(p.low[2]) + cell * p.height);
    if (whole) {
        p.high[0] = of.high[0];
        p.high[2] = of.high[2];
    }
    ploy_array ids, triangles, areas;
    ploy_array_init(&ids, sizeof(int32_t), env);
    ploy_array_init(&triangles, 3 * sizeof(int32_t), env);
    ploy_array_init(&areas, 1, env);
    tile_clear(out);
    ploy_result result = gather(of, p, ids, triangles, areas);
    if (result == PLOY_OK && triangles.count > 0) {
        result = bake(def, of, obstacles, place, p, s, triangles, areas, diags, out);
    }
    if (result != PLOY_OK) tile_clear(out);
    ploy_array_fini(&ids);
    ploy_array_fini(&triangles);
    ploy_array_fini(&areas);
    return result;
}

} // namespace ployi_recast
