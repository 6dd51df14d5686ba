// A finder over a grid in blocks; see grid_blocks.h.
#include <string.h>

#include "path/finder_common.h"
#include "path/grid_blocks_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

typedef struct blocks_finder {
    ployi_common_finder common;
    const ploy_grid_blocks *blocks;
    ploy_tiles_walker walker; // of the map's size
    ploy_grid_route *route;
    ploy_array cells; // int32_t: scratch
    bool routed;      // the route answers this request
} blocks_finder;

static const char *blocks_finder_serves(const void *user, const ploy_finder_request *request,
                                        const ploy_cost_hook *costs) {
    const blocks_finder *self = user;
    const ploy_grid_map *map = self->blocks->map;
    (void)costs;
    if (2.0f * request->path.radius > (float)map->def.size * map->tiles->def.size) {
        return "radius exceeds the one the map was built for";
    }
    if (!ployi_grid_map_follows(map)) {
        return "the grid map is behind its tiles; ploy_grid_map_refresh follows them";
    }
    if (self->blocks->version != map->version) {
        return "the blocks are behind their map; ploy_grid_blocks_refresh follows it";
    }
    return NULL;
}

static ploy_result blocks_finder_begin(void *user) {
    blocks_finder *self = user;
    ploy_finder_state *state = &self->common.state;
    ploy_array_clear(&self->common.found);
    self->routed = false;
    if (ployi_finder_ends(&self->common.level, state)) return PLOY_OK;
    ploy_result result = ploy_grid_route_begin(self->route, self->blocks, state->start, state->end);
    if (result != PLOY_OK) return result;
    self->routed = true;
    if (ploy_grid_route_outcome(self->route) == PLOY_SEARCH_NONE) { // the map's labels say so
        state->outcome = PLOY_PATH_NONE;
        state->end = PLOY_STATE_NONE;
    }
    return PLOY_OK;
}

// The cells of the route as edges.
static ploy_result blocks_finder_take(blocks_finder *self) {
    const ploy_grid_map *map = self->blocks->map;
    int32_t count = ploy_maxi(ploy_grid_route_path(self->route, NULL, 0), 0);
    int32_t at = self->common.state.start;
    ploy_result result = ploy_array_resize(&self->cells, count);
    if (result != PLOY_OK) return result;
    int32_t *cells = PLOY_ARRAY_ITEMS(&self->cells, int32_t);
    ploy_grid_route_path(self->route, cells, count);
    ploy_array_clear(&self->common.found);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        int32_t direction = 0;
        while (direction < 7 &&
               at + ployi_tile_dx[direction] + ployi_tile_dy[direction] * map->width != cells[i]) {
            direction++;
        }
        double cost = ploy_tiles_walker_step(&self->walker, at, direction);
        result = ployi_common_finder_add(&self->common, cells[i], cost, direction);
        at = cells[i];
    }
    return result;
}

static ploy_result blocks_finder_step(void *user, ploy_budget *budget) {
    blocks_finder *self = user;
    ploy_finder_state *state = &self->common.state;
    ploy_result result = ploy_grid_route_step(self->route, budget);
    state->taken = state->work = ploy_grid_route_taken(self->route);
    if (result != PLOY_OK) return result;
    ploy_path_outcome outcome = ployi_common_outcome(ploy_grid_route_outcome(self->route));
    if (outcome == PLOY_PATH_FOUND) result = blocks_finder_take(self);
    if (result != PLOY_OK) return result;
    state->outcome = outcome;
    state->cost = ploy_grid_route_length(self->route);
    if (outcome == PLOY_PATH_NONE) state->end = PLOY_STATE_NONE;
    return PLOY_OK;
}

static uint64_t blocks_finder_generation(const void *user) {
    const blocks_finder *self = user;
    uint64_t map = ploy_hash_combine(ploy_grid_map_generation(self->blocks->map),
                                     ploy_tiles_generation(self->walker.tiles));
    return ploy_hash_combine(map, self->blocks->version);
}

static void blocks_finder_cancel(void *user) {
    blocks_finder *self = user;
    ploy_grid_route_cancel(self->route);
    self->routed = false;
}

static void blocks_finder_describe(const void *user, ploy_describe *out) {
    const blocks_finder *self = user;
    if (self->routed) ploy_grid_route_describe(self->route, out);
}

static void blocks_finder_draw(const void *user, ploy_draw *out) {
    const blocks_finder *self = user;
    ploy_grid_blocks_draw(self->blocks, out);
    if (self->routed) ploy_grid_route_draw(self->route, out);
}

static void blocks_finder_memory(const void *user, ploy_memory_fn fn, void *fn_user) {
    const blocks_finder *self = user;
    ployi_common_finder_memory(&self->common, sizeof *self, fn, fn_user);
    ploy_array_memory(&self->cells, fn, fn_user);
    ploy_grid_route_memory(self->route, fn, fn_user);
}

static void blocks_finder_destroy(void *user) {
    blocks_finder *self = user;
    ploy_env env = self->common.env;
    ploy_grid_route_destroy(self->route);
    ploy_array_fini(&self->cells);
    ployi_common_finder_fini(&self->common);
    ploy_env_free(&env, self, sizeof *self);
}

static const ploy_finder_type blocks_finder_type = {
    .name = "blocks",
    .traits = 0,
    .begin = blocks_finder_begin,
    .step = blocks_finder_step,
    .path = ployi_common_finder_path,
    .generation = blocks_finder_generation,
    .serves = blocks_finder_serves,
    .cancel = blocks_finder_cancel,
    .states = ployi_common_finder_states,
    .locate = ployi_common_finder_locate,
    .clear = ployi_common_finder_clear,
    .describe = blocks_finder_describe,
    .draw = blocks_finder_draw,
    .memory = blocks_finder_memory,
    .destroy = blocks_finder_destroy,
};

static ploy_result blocks_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                      ploy_finder *out) {
    const ploy_grid_blocks *blocks = factory->user;
    if (blocks == NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "finder 'blocks': expected a grid in blocks");
        return PLOY_ERR_ARGUMENT;
    }
    blocks_finder *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->blocks = blocks;
    self->walker = ploy_tiles_walker_make(blocks->map->tiles, NULL);
    self->walker.size = blocks->map->def.size;
    ploy_representation level = ploy_tiles_representation(&self->walker);
    ployi_common_finder_init(&self->common, &level, env);
    ploy_array_init(&self->cells, sizeof(int32_t), env);
    ploy_result result = ploy_grid_route_create(env, &self->route);
    if (result != PLOY_OK) {
        blocks_finder_destroy(self);
        return result;
    }
    out->type = &blocks_finder_type;
    out->self = self;
    return PLOY_OK;
}

ploy_finder_factory ploy_grid_blocks_finder(const ploy_grid_blocks *blocks) {
    ploy_finder_factory factory = {
        blocks_finder_make,
        blocks,
        0,
        blocks_finder_type.traits,
        blocks_finder_type.name,
        "steps, from entrance to entrance of blocks: few states, slightly longer paths"};
    return factory;
}
