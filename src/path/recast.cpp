// Recast behind our interface: limits checked before anything large is allocated, tiles baked one by
// one, and their polygons handed to our own builder, which trusts nothing.
//
// Invariants of a bake:
//   (1) a tile that is not dirty has the polygons of the level and the obstacles there are;
//   (2) vertices on the lines between tiles are whole cells of the level, so the same from both
//       sides; what one side alone has within an edge is stitched by the builder.
#include "ploy/path/recast.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "path/recast_internal.hpp"
#include "ploy/base/hash.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"

using namespace ployi_recast;

namespace {

// Recast keeps places in 16 bits and heights in 13.
constexpr double side_max = 65535.0, layers_max = 8191.0;
constexpr int32_t tiles_max = 1 << 20;

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
    PLOY_FIELD_I32(ploy_recast_def, tile, 48, 0, 4096, "", "cells, side of a tile; 0: one piece"),
    PLOY_FIELD_I32(ploy_recast_def, max_columns, 1 << 24, 1, 1 << 30, "", "of cells of the level"),
    PLOY_FIELD_I32(ploy_recast_def, memory_mb, 512, 1, 1 << 20, "MB", "for baking a tile"),
};

} // namespace

struct ploy_recast_bake {
    ploy_env env;
    ploy_recast_def def;
    level from;
    ploy_array obstacles; // obstacle
    tile *tiles;
    int32_t width, height, columns, rows, baked, obstacle_count, next;
    bool changed; // since the mesh was made
    ploy_navmesh *mesh;
    uint64_t generation;
};

ploy_fields ploy_recast_fields(void) {
    return PLOY_FIELDS(ploy_recast_def, recast_fields);
}

ploy_recast_def ploy_recast_def_default(void) {
    ploy_recast_def def;
    ploy_fields_default(ploy_recast_fields(), &def);
    return def;
}

namespace {

int32_t tile_count(const ploy_recast_bake &bake) {
    return bake.columns * bake.rows;
}

ploy_result check_cells(const ploy_recast_def &def, const level &of, ploy_diags *diags) {
    double cell = static_cast<double>(def.cell), rise = static_cast<double>(def.cell_height);
    double across = (static_cast<double>(of.high[0]) - static_cast<double>(of.low[0])) / cell;
    double along = (static_cast<double>(of.high[2]) - static_cast<double>(of.low[2])) / cell;
    double up = (static_cast<double>(of.high[1]) - static_cast<double>(of.low[1])) / rise;
    // Agents are measured in cells too.
    double tall = static_cast<double>(def.height) / rise;
    double wide = static_cast<double>(def.radius) / cell;
    char text[PLOY_DIAG_TEXT_MAX];
    if ((across + 1.0) * (along + 1.0) > static_cast<double>(def.max_columns)) {
        std::snprintf(text, sizeof text,
                      "the level has %.0f x %.0f cells, more than max_columns = %d; use larger "
                      "cells or raise it",
                      across, along, static_cast<int>(def.max_columns));
        return refuse(diags, PLOY_ERR_LIMIT, 0, text);
    }
    if (def.tile == 0 && (across > side_max || along > side_max)) {
        return refuse(diags, PLOY_ERR_LIMIT, 0,
                      "the level has more than 65535 cells along a side; set tile");
    }
    if (up > layers_max || tall > layers_max || wide > 127.0) {
        return refuse(diags, PLOY_ERR_LIMIT, 0,
                      "the level has more than 8191 layers of cells, or the agent is too large for "
                      "their size; use larger cells");
    }
    if (across < 1.0 || along < 1.0) { // Recast would go astray without a single column
        return refuse(diags, PLOY_ERR_NOT_FOUND, 0, "the level is narrower than a cell");
    }
    return PLOY_OK;
}

ploy_result lay_tiles(ploy_recast_bake &bake, ploy_diags *diags) {
    const level &of = bake.from;
    rcCalcGridSize(of.low, of.high, bake.def.cell, &bake.width, &bake.height);
    int32_t side = bake.def.tile > 0 ? bake.def.tile : ploy_maxi(bake.width, bake.height);
    int32_t columns = (bake.width + side - 1) / side, rows = (bake.height + side - 1) / side;
    if (static_cast<int64_t>(columns) * rows > tiles_max) {
        return refuse(diags, PLOY_ERR_LIMIT, 0, "more than 1048576 tiles; use larger ones");
    }
    size_t size = static_cast<size_t>(columns) * static_cast<size_t>(rows) * sizeof(tile);
    bake.tiles = static_cast<tile *>(ploy_env_alloc_zero(&bake.env, size));
    if (bake.tiles == nullptr) return PLOY_ERR_MEMORY;
    bake.columns = columns;
    bake.rows = rows;
    for (int32_t i = 0; i < columns * rows; i++) tile_init(bake.tiles[i], &bake.env);
    return PLOY_OK;
}

} // namespace

ploy_result ploy_recast_bake_create(const ploy_recast_def *def, const ploy_recast_level *from,
                                    const ploy_env *env, ploy_diags *diags,
                                    ploy_recast_bake **out) {
    if (out == nullptr) return PLOY_ERR_ARGUMENT;
    *out = nullptr;
    if (from == nullptr || env == nullptr) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_recast_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_recast_bake *bake =
        static_cast<ploy_recast_bake *>(ploy_env_alloc_zero(env, sizeof(ploy_recast_bake)));
    if (bake == nullptr) return PLOY_ERR_MEMORY;
    bake->env = *env;
    bake->def = *def;
    bake->changed = true;
    level_init(bake->from, env);
    ploy_array_init(&bake->obstacles, sizeof(obstacle), env);
    result = level_copy(*from, env, diags, bake->from);
    if (result == PLOY_OK) result = check_cells(*def, bake->from, diags);
    if (result == PLOY_OK) result = lay_tiles(*bake, diags);
    if (result == PLOY_OK) {
        rcContext context(false);
        rcClearUnwalkableTriangles(&context, def->slope * 57.29577951f,
                                   PLOY_ARRAY_ITEMS(&bake->from.turned, float),
                                   bake->from.turned.count,
                                   PLOY_ARRAY_ITEMS(&bake->from.triangles, int),
                                   bake->from.triangles.count,
                                   PLOY_ARRAY_ITEMS(&bake->from.areas, unsigned char));
        *out = bake;
    } else {
        ploy_recast_bake_destroy(bake);
    }
    return result;
}

void ploy_recast_bake_destroy(ploy_recast_bake *bake) {
    if (bake == nullptr) return;
    ploy_env env = bake->env;
    for (int32_t i = 0; bake->tiles != nullptr && i < tile_count(*bake); i++) {
        tile_fini(bake->tiles[i]);
    }
    if (bake->tiles != nullptr) {
        ploy_env_free(&env, bake->tiles, static_cast<size_t>(tile_count(*bake)) * sizeof(tile));
    }
    ploy_array_fini(&bake->obstacles);
    level_fini(bake->from);
    ploy_navmesh_destroy(bake->mesh);
    ploy_env_free(&env, bake, sizeof *bake);
}

// ---- obstacles ----

namespace {

// The columns (or rows) of tiles that a range touches; blocked floor reaches a border further.
void tile_range(const ploy_recast_bake &bake, float low, float high, float origin, int32_t count,
                int32_t &first, int32_t &last) {
    double side = static_cast<double>(bake.def.cell) * bake.def.tile;
    double reach = static_cast<double>(bake.def.radius) + 4.0 * static_cast<double>(bake.def.cell);
    first = 0;
    last = count - 1;
    if (bake.def.tile == 0) return;
    double from = (static_cast<double>(low) - reach - static_cast<double>(origin)) / side;
    double to = (static_cast<double>(high) + reach - static_cast<double>(origin)) / side;
    if (from > 0.0) first = from < count ? static_cast<int32_t>(from) : count;
    if (to < count - 1) last = to < 0.0 ? -1 : static_cast<int32_t>(to);
}

void mark_tiles(ploy_recast_bake &bake, const obstacle &o) {
    int32_t x0, x1, z0, z1;
    tile_range(bake, o.low[0], o.high[0], bake.from.low[0], bake.columns, x0, x1);
    tile_range(bake, o.low[2], o.high[2], bake.from.low[2], bake.rows, z0, z1);
    for (int32_t z = z0; z <= z1; z++) {
        for (int32_t x = x0; x <= x1; x++) bake.tiles[z * bake.columns + x].dirty = true;
    }
    bake.next = 0;
    bake.changed = true;
}

} // namespace

ploy_result ploy_recast_bake_add(ploy_recast_bake *bake, const ploy_recast_obstacle *added,
                                 ploy_id *id) {
    bool good = added != nullptr && added->corners != nullptr && added->count >= 3 &&
                added->count <= PLOY_RECAST_OBSTACLE_MAX && added->area >= -1 &&
                added->area < PLOY_NAVMESH_AREAS && ploy_in_range(added->bottom, -1e9f, 1e9f) &&
                ploy_in_range(added->top, added->bottom, 1e9f);
    for (int32_t i = 0; good && i < added->count; i++) {
        good = ploy_in_range(added->corners[i].x, -1e9f, 1e9f) &&
               ploy_in_range(added->corners[i].y, -1e9f, 1e9f);
    }
    if (!good) return PLOY_ERR_ARGUMENT;
    int32_t place = 0;
    while (place < bake->obstacles.count &&
           PLOY_ARRAY_ITEMS(&bake->obstacles, obstacle)[place].used) {
        place++;
    }
    if (place == bake->obstacles.count) {
        ploy_result result = ploy_array_push(&bake->obstacles, nullptr);
        if (result != PLOY_OK) return result;
    }
    obstacle &o = PLOY_ARRAY_ITEMS(&bake->obstacles, obstacle)[place];
    o.generation = o.generation + 1 == 0 ? 1 : o.generation + 1;
    o.used = 1;
    o.area = added->area;
    o.count = added->count;
    o.bottom = added->bottom;
    o.top = added->top;
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    for (int32_t i = 0; i < added->count; i++) {
        ploy_vec3 p = ploy_adapter_point_to_host(
            adapter, ploy_vec3_from_vec2(added->corners[i], added->bottom));
        o.corners[3 * i] = p.x;
        o.corners[3 * i + 1] = p.y;
        o.corners[3 * i + 2] = p.z;
    }
    rcCalcBounds(o.corners, o.count, o.low, o.high);
    bake->obstacle_count++;
    mark_tiles(*bake, o);
    if (id != nullptr) *id = ploy_id_make(static_cast<uint32_t>(place), o.generation);
    return PLOY_OK;
}

ploy_result ploy_recast_bake_remove(ploy_recast_bake *bake, ploy_id id) {
    if (id.generation == 0 || id.index >= static_cast<uint32_t>(bake->obstacles.count)) {
        return PLOY_ERR_NOT_FOUND;
    }
    obstacle &o = PLOY_ARRAY_ITEMS(&bake->obstacles, obstacle)[id.index];
    if (!o.used || o.generation != id.generation) return PLOY_ERR_NOT_FOUND;
    o.used = 0;
    bake->obstacle_count--;
    mark_tiles(*bake, o);
    return PLOY_OK;
}

// ---- joining ----

namespace {

// The soup of all tiles.
struct joint {
    ploy_array vertices, sizes, corners, areas, flags;         // of the soup
    ploy_array detail_vertices, detail_sizes, detail_triangles; // of its detail
    ploy_array where;    // int32_t: the vertex a tile's has become
    ploy_array cells;    // cell_corner of each vertex
    ploy_array previous; // int32_t: the vertex before it in the same column; -1
    ploy_map columns;    // the last vertex of a column on a line between tiles
};

void joint_init(joint &to, const ploy_env *env) {
    ploy_array_init(&to.vertices, sizeof(ploy_vec3), env);
    ploy_array_init(&to.sizes, sizeof(int32_t), env);
    ploy_array_init(&to.corners, sizeof(int32_t), env);
    ploy_array_init(&to.areas, 1, env);
    ploy_array_init(&to.flags, sizeof(uint16_t), env);
    ploy_array_init(&to.detail_vertices, sizeof(ploy_vec3), env);
    ploy_array_init(&to.detail_sizes, sizeof(int32_t), env);
    ploy_array_init(&to.detail_triangles, 3 * sizeof(int32_t), env);
    ploy_array_init(&to.where, sizeof(int32_t), env);
    ploy_array_init(&to.cells, sizeof(cell_corner), env);
    ploy_array_init(&to.previous, sizeof(int32_t), env);
    ploy_map_init(&to.columns, sizeof(int32_t), env);
}

void joint_fini(joint &of) {
    ploy_array *arrays[] = {&of.vertices,        &of.sizes,        &of.corners,
                            &of.areas,           &of.flags,        &of.detail_vertices,
                            &of.detail_sizes,    &of.detail_triangles, &of.where,
                            &of.cells,           &of.previous};
    for (ploy_array *array : arrays) ploy_array_fini(array);
    ploy_map_fini(&of.columns);
}

// Adds a vertex, or finds the one that another tile has there: heights along a line may differ by
// less than agents climb, because each tile rounds its own outlines.
ploy_result join_vertex(const ploy_recast_bake &bake, joint &to, const cell_corner &at,
                        int32_t before, int32_t &out) {
    int32_t side = bake.def.tile, climb = static_cast<int32_t>(bake.def.climb / bake.def.cell_height);
    bool on_line = side > 0 && (at.x % side == 0 || at.z % side == 0);
    int32_t last = -1;
    void *slot = nullptr;
    if (on_line) {
        bool fresh = false;
        uint64_t key = (static_cast<uint64_t>(static_cast<uint32_t>(at.x)) << 32) |
                       static_cast<uint32_t>(at.z);
        ploy_result result = ploy_map_ensure(&to.columns, key + 1, &slot, &fresh);
        if (result != PLOY_OK) return result;
        if (!fresh) std::memcpy(&last, slot, sizeof last);
        for (int32_t i = last; i >= 0; i = PLOY_ARRAY_ITEMS(&to.previous, int32_t)[i]) {
            int32_t rise = PLOY_ARRAY_ITEMS(&to.cells, cell_corner)[i].y - at.y;
            if (i >= before || rise > climb || rise < -climb) continue; // of this tile, or floor
            out = i;
            return PLOY_OK;
        }
    }
    ploy_vec3 position = corner_position(bake.def, bake.from, at);
    out = to.vertices.count;
    ploy_result result = ploy_array_push(&to.vertices, &position);
    if (result == PLOY_OK) result = ploy_array_push(&to.cells, &at);
    if (result == PLOY_OK) result = ploy_array_push(&to.previous, &last);
    if (result == PLOY_OK && slot != nullptr) std::memcpy(slot, &out, sizeof out);
    return result;
}

ploy_result join_tile(const ploy_recast_bake &bake, const tile &of, joint &to) {
    int32_t before = to.vertices.count, detail = to.detail_vertices.count;
    ploy_array_clear(&to.where);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < of.vertices.count && result == PLOY_OK; i++) {
        int32_t vertex = 0;
        result = join_vertex(bake, to, PLOY_ARRAY_ITEMS(&of.vertices, cell_corner)[i], before,
                             vertex);
        if (result == PLOY_OK) result = ploy_array_push(&to.where, &vertex);
    }
    for (int32_t i = 0; i < of.corners.count && result == PLOY_OK; i++) {
        int32_t corner = PLOY_ARRAY_ITEMS(&of.corners, int32_t)[i];
        result = ploy_array_push(&to.corners, ploy_array_at(&to.where, corner));
    }
    for (int32_t i = 0; i < of.areas.count && result == PLOY_OK; i++) {
        uint16_t flags = bake.from.flags[PLOY_ARRAY_ITEMS(&of.areas, uint8_t)[i]];
        result = ploy_array_push(&to.flags, &flags);
    }
    if (result == PLOY_OK && of.sizes.count > 0) {
        result = ploy_array_push_many(&to.sizes, of.sizes.items, of.sizes.count);
        if (result == PLOY_OK) {
            result = ploy_array_push_many(&to.areas, of.areas.items, of.areas.count);
        }
    }
    if (result != PLOY_OK || of.detail_sizes.count == 0) return result;
    result = ploy_array_push_many(&to.detail_sizes, of.detail_sizes.items, of.detail_sizes.count);
    if (result == PLOY_OK) {
        result = ploy_array_push_many(&to.detail_vertices, of.detail_vertices.items,
                                      of.detail_vertices.count);
    }
    for (int32_t i = 0; i < of.detail_triangles.count && result == PLOY_OK; i++) {
        const int32_t *from = PLOY_ARRAY_ITEMS(&of.detail_triangles, int32_t) + 3 * i;
        int32_t triangle[3] = {from[0] + detail, from[1] + detail, from[2] + detail};
        result = ploy_array_push(&to.detail_triangles, triangle);
    }
    return result;
}

ploy_result make_mesh(const ploy_recast_bake &bake, const joint &all, ploy_diags *diags,
                      ploy_navmesh **out) {
    ploy_navmesh_soup soup;
    ploy_navmesh_detail detail;
    std::memset(&soup, 0, sizeof soup);
    std::memset(&detail, 0, sizeof detail);
    soup.vertices = PLOY_ARRAY_ITEMS(&all.vertices, ploy_vec3);
    soup.vertex_count = all.vertices.count;
    soup.sizes = PLOY_ARRAY_ITEMS(&all.sizes, int32_t);
    soup.polygon_count = all.sizes.count;
    soup.corners = PLOY_ARRAY_ITEMS(&all.corners, int32_t);
    soup.corner_count = all.corners.count;
    soup.areas = PLOY_ARRAY_ITEMS(&all.areas, uint8_t);
    soup.flags = PLOY_ARRAY_ITEMS(&all.flags, uint16_t);
    soup.links = PLOY_ARRAY_ITEMS(&bake.from.links, ploy_navmesh_link);
    soup.link_count = bake.from.links.count;
    if (all.detail_sizes.count > 0) {
        detail.vertices = PLOY_ARRAY_ITEMS(&all.detail_vertices, ploy_vec3);
        detail.vertex_count = all.detail_vertices.count;
        detail.sizes = PLOY_ARRAY_ITEMS(&all.detail_sizes, int32_t);
        detail.triangles = PLOY_ARRAY_ITEMS(&all.detail_triangles, int32_t);
        detail.triangle_count = all.detail_triangles.count;
        soup.detail = &detail;
    }
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.weld = 0.0f; // vertices are cells' corners: equal or different
    def.step_height = ploy_maxf(bake.def.climb, bake.def.cell_height);
    def.radius = bake.def.radius;
    def.stitch = tile_count(bake) > 1;
    // Where outlines cross themselves Recast fills with what it can; such polygons are left out.
    def.skip_faults = true;
    return ploy_navmesh_create(&def, &soup, &bake.env, diags, out);
}

ploy_result join_tiles(ploy_recast_bake &bake, ploy_diags *diags) {
    joint all;
    joint_init(all, &bake.env);
    ploy_navmesh *mesh = nullptr;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < tile_count(bake) && result == PLOY_OK; i++) {
        result = join_tile(bake, bake.tiles[i], all);
    }
    if (result == PLOY_OK && all.sizes.count == 0) {
        result = refuse(diags, PLOY_ERR_NOT_FOUND, 0, "there is no floor for such an agent");
    }
    if (result == PLOY_OK) result = make_mesh(bake, all, diags, &mesh);
    joint_fini(all);
    if (result != PLOY_OK) return result;
    ploy_navmesh_destroy(bake.mesh);
    bake.mesh = mesh;
    bake.generation =
        ploy_hash_combine(bake.generation + 1, ploy_navmesh_generation(mesh)) | uint64_t(1);
    return PLOY_OK;
}

} // namespace

ploy_result ploy_recast_bake_step(ploy_recast_bake *bake, ploy_budget *budget, ploy_diags *diags) {
    if (!bake->changed) return PLOY_OK;
    int32_t side = bake->def.tile > 0 ? bake->def.tile : ploy_maxi(bake->width, bake->height);
    int32_t marked = ploy_recast_bake_stats(bake).dirty, done = 0;
    for (; bake->next < tile_count(*bake); bake->next++) {
        tile &of = bake->tiles[bake->next];
        if (!of.dirty) continue;
        if (budget != nullptr && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        tile_place place = {bake->next % bake->columns * side, bake->next / bake->columns * side,
                            0, 0, done * STAGES, marked * STAGES + 1};
        place.width = ploy_mini(side, bake->width - place.x);
        place.height = ploy_mini(side, bake->height - place.z);
        ploy_result result = tile_bake(bake->def, bake->from, bake->obstacles, place,
                                       tile_count(*bake) == 1, &bake->env, diags, of);
        if (result != PLOY_OK) return result;
        of.dirty = false;
        bake->baked++;
        done++;
    }
    if (budget != nullptr && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
    if (bake->def.progress != nullptr) {
        bake->def.progress(bake->def.progress_user, done * STAGES, done * STAGES + 1);
    }
    ploy_result result = join_tiles(*bake, diags);
    if (result == PLOY_OK) bake->changed = false;
    return result;
}

const ploy_navmesh *ploy_recast_bake_mesh(const ploy_recast_bake *bake) {
    return bake->mesh;
}

uint64_t ploy_recast_bake_generation(const ploy_recast_bake *bake) {
    return bake->generation;
}

ploy_recast_stats ploy_recast_bake_stats(const ploy_recast_bake *bake) {
    ploy_recast_stats stats = {bake->width,           bake->height, 0, bake->columns, bake->rows,
                               bake->obstacle_count, 0,            bake->baked};
    for (int32_t i = 0; i < tile_count(*bake); i++) {
        stats.spans += bake->tiles[i].spans;
        stats.dirty += bake->tiles[i].dirty;
    }
    return stats;
}

void ploy_recast_bake_memory(const ploy_recast_bake *bake, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {
        "recast bake", sizeof *bake + static_cast<size_t>(tile_count(*bake)) * sizeof(tile), 2};
    fn(user, &item);
    const level &of = bake->from;
    const ploy_array *arrays[] = {&of.vertices, &of.turned, &of.triangles,
                                  &of.areas,    &of.links,  &bake->obstacles};
    for (const ploy_array *array : arrays) ploy_array_memory(array, fn, user);
    ploy_bvh2_memory(of.bvh, fn, user);
    for (int32_t i = 0; i < tile_count(*bake); i++) {
        const tile &t = bake->tiles[i];
        const ploy_array *parts[] = {&t.vertices,        &t.sizes,        &t.corners,
                                     &t.areas,           &t.detail_vertices, &t.detail_sizes,
                                     &t.detail_triangles};
        for (const ploy_array *part : parts) ploy_array_memory(part, fn, user);
    }
    if (bake->mesh != nullptr) ploy_navmesh_memory(bake->mesh, fn, user);
}

ploy_result ploy_recast_build(const ploy_recast_def *def, const ploy_recast_level *from,
                              const ploy_env *env, ploy_diags *diags, ploy_recast_stats *stats,
                              ploy_navmesh **out) {
    if (out == nullptr) return PLOY_ERR_ARGUMENT;
    *out = nullptr;
    ploy_recast_bake *bake = nullptr;
    ploy_result result = ploy_recast_bake_create(def, from, env, diags, &bake);
    if (result == PLOY_OK) result = ploy_recast_bake_step(bake, nullptr, diags);
    if (result == PLOY_OK) {
        if (stats != nullptr) *stats = ploy_recast_bake_stats(bake);
        *out = bake->mesh;
        bake->mesh = nullptr;
    }
    ploy_recast_bake_destroy(bake);
    return result;
}
