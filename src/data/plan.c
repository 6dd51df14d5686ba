// Floor plans as tiles, meshes and networks; height maps as meshes.
#include "ploy/data/plan.h"

#include "ploy/base/array.h"
#include "ploy/base/math.h"

ploy_result ploy_tiles_from_plan(const ploy_floor_plan *plan, const ploy_env *env,
                                 ploy_tiles **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (plan == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_plan_grid grid = ploy_floor_plan_grid(plan, 1);
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = grid.width;
    def.height = grid.height;
    def.origin = grid.origin;
    def.size = grid.size;
    size_t size = (size_t)grid.width * (size_t)grid.height;
    uint8_t *kinds = ploy_env_alloc(env, size);
    if (kinds == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ploy_tiles_create(&def, env, out);
    if (result == PLOY_OK) {
        ploy_floor_plan_tiles(plan, 1, kinds); // solid is 0, as blocked tiles are
        ploy_tiles_set_all(*out, kinds);
    }
    ploy_env_free(env, kinds, size);
    return result;
}

ploy_result ploy_navmesh_from_plan(const ploy_floor_plan *plan, const ploy_navmesh_def *def,
                                   const ploy_env *env, ploy_diags *diags, ploy_navmesh **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (plan == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_rings *rings = NULL;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_floor_plan_rings(plan, env, rings);
    if (result == PLOY_OK) {
        result =
            ploy_navmesh_create_rings(def, rings, PLOY_FILL_NON_ZERO, NULL, 0, env, diags, out);
    }
    ploy_rings_destroy(rings);
    return result;
}

// Adds the triangle of three samples if it can be walked.
static ploy_result plan_add_triangle(const ploy_heightmap *map, const ploy_vec3 *points,
                                     const int32_t *corners, float max_slope, ploy_array *out) {
    const float *water = ploy_heightmap_layer(map, "water", PLOY_HEIGHTMAP_F32);
    for (int32_t i = 0; water != NULL && i < 3; i++) {
        if (water[corners[i]] > 0.1f) return PLOY_OK;
    }
    ploy_vec3 a = points[corners[0]], b = points[corners[1]], c = points[corners[2]];
    // The triangle is half a square of the grid: two sides are along the axes.
    ploy_vec3 normal = ploy_vec3_cross(ploy_vec3_sub(b, a), ploy_vec3_sub(c, a));
    float across = sqrtf(normal.x * normal.x + normal.y * normal.y);
    if (!(across <= max_slope * normal.z)) return PLOY_OK;
    return ploy_array_push_many(out, corners, 3);
}

static ploy_result plan_walkable(const ploy_heightmap *map, float max_slope, ploy_vec3 *points,
                                 ploy_array *corners) {
    const ploy_heightmap_def *def = ploy_heightmap_def_of(map);
    const float *elevation = ploy_heightmap_elevation(map);
    for (int32_t i = 0; i < ploy_heightmap_cells(map); i++) {
        ploy_vec2 at = ploy_heightmap_position(map, i);
        points[i] = ploy_vec3_make(at.x, at.y, elevation[i]);
    }
    ploy_result result = PLOY_OK;
    for (int32_t y = 0; y + 1 < def->rows; y++) {
        for (int32_t x = 0; x + 1 < def->columns && result == PLOY_OK; x++) {
            int32_t cell = y * def->columns + x, above = cell + def->columns;
            const int32_t lower[3] = {cell, cell + 1, above + 1},
                          upper[3] = {cell, above + 1, above};
            result = plan_add_triangle(map, points, lower, max_slope, corners);
            if (result == PLOY_OK) {
                result = plan_add_triangle(map, points, upper, max_slope, corners);
            }
        }
    }
    return result;
}

ploy_result ploy_navmesh_from_heights(const ploy_heightmap *map, float max_slope,
                                      const ploy_navmesh_def *def, const ploy_env *env,
                                      ploy_diags *diags, ploy_navmesh **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (map == NULL || env == NULL || !ploy_in_range(max_slope, 0.0f, 100.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_array points, corners, sizes;
    ploy_array_init(&points, sizeof(ploy_vec3), env);
    ploy_array_init(&corners, sizeof(int32_t), env);
    ploy_array_init(&sizes, sizeof(int32_t), env);
    ploy_result result = ploy_array_resize(&points, ploy_heightmap_cells(map));
    if (result == PLOY_OK) result = plan_walkable(map, max_slope, points.items, &corners);
    if (result == PLOY_OK) result = ploy_array_resize(&sizes, corners.count / 3);
    if (result == PLOY_OK) {
        for (int32_t i = 0; i < sizes.count; i++) PLOY_ARRAY_ITEMS(&sizes, int32_t)[i] = 3;
        ploy_navmesh_soup soup = {.vertices = points.items,
                                  .vertex_count = points.count,
                                  .sizes = sizes.items,
                                  .polygon_count = sizes.count,
                                  .corners = corners.items,
                                  .corner_count = corners.count};
        result = ploy_navmesh_create(def, &soup, env, diags, out);
    }
    ploy_array_fini(&sizes);
    ploy_array_fini(&corners);
    ploy_array_fini(&points);
    return result;
}

static ploy_result plan_add_waypoint(ploy_network *network, uint64_t id, ploy_vec2 at,
                                     float radius) {
    ploy_waypoint waypoint = {id, {at.x, at.y, 0.0f}, ploy_quat_identity(), radius};
    return ploy_network_add(network, &waypoint);
}

static ploy_result plan_connect(ploy_network *network, uint64_t a, uint64_t b) {
    return ploy_network_connect_both(network, a, b, 1.0f);
}

static ploy_result plan_fill_network(const ploy_floor_plan *plan, ploy_network *network) {
    ploy_floor_plan_view view = ploy_floor_plan_get(plan);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < view.room_count && result == PLOY_OK; i++) {
        result = plan_add_waypoint(network, (uint64_t)i + 1,
                                   ploy_floor_plan_point(plan, view.rooms[i].cell), 1.0f);
    }
    for (int32_t i = 0; i < view.door_count && result == PLOY_OK; i++) {
        uint64_t id = PLOY_PLAN_DOOR_WAYPOINT + (uint64_t)i;
        result =
            plan_add_waypoint(network, id, ploy_floor_plan_point(plan, view.doors[i].cell), 0.5f);
        if (result == PLOY_OK) result = plan_connect(network, id, (uint64_t)view.doors[i].room + 1);
        // The doors of a link are made one after the other: each is joined to the one before.
        for (int32_t k = i - 1; k >= 0 && result == PLOY_OK && view.doors[i].link >= 0; k--) {
            if (view.doors[k].link != view.doors[i].link) continue;
            result = plan_connect(network, id, PLOY_PLAN_DOOR_WAYPOINT + (uint64_t)k);
            break;
        }
    }
    return result;
}

ploy_result ploy_network_from_plan(const ploy_floor_plan *plan, const ploy_env *env,
                                   ploy_network **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (plan == NULL) return PLOY_ERR_ARGUMENT;
    ploy_network *network = NULL;
    ploy_result result = ploy_network_create(env, &network);
    if (result == PLOY_OK) result = plan_fill_network(plan, network);
    if (result != PLOY_OK) {
        ploy_network_destroy(network);
        return result;
    }
    *out = network;
    return PLOY_OK;
}
