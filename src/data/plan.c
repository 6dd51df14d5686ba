// Floor plans as tiles, meshes and networks.
#include "ploy/data/plan.h"

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
