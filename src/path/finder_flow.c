// A finder that reads flow fields; see grid_flow.h.
//
// Invariants, from make to destroy:
//   (1) if `ready`, the field leads to the cells in `goals` on the generation `made`: a request for
//       the same goals reads it at once.
#include <string.h>

#include "path/finder_common.h"

#include "path/grid_internal.h"
#include "path/path_internal.h"
#include "ploy/base/hash.h"
#include "ploy/path/grid_flow.h"

typedef struct flow_finder {
    ployi_common_finder common;
    const ploy_grid_map *map;
    ploy_tiles_walker walker; // of the map's size
    ploy_grid_flow *flow;
    ploy_array goals, next; // int32_t: of the field, and of a request
    uint64_t made;
    bool ready;
} flow_finder;

static const char *flow_finder_serves(const void *user, const ploy_finder_request *request,
                                      const ploy_cost_hook *costs) {
    const flow_finder *self = user;
    (void)costs;
    if (2.0f * request->path.radius > (float)self->map->def.size * self->map->tiles->def.size) {
        return "radius exceeds the one the map was built for";
    }
    if (!ployi_grid_map_follows(self->map)) {
        return "the grid map is behind its tiles; ploy_grid_map_refresh follows them";
    }
    return NULL;
}

static uint64_t flow_finder_generation(const void *user) {
    const flow_finder *self = user;
    return ploy_hash_combine(ploy_grid_map_generation(self->map),
                             ploy_tiles_generation(self->walker.tiles));
}

// The cells that a request may end in.
static ploy_result flow_finder_goals(flow_finder *self) {
    const ploy_finder_request *request = &self->common.state.request;
    ploy_array_clear(&self->next);
    if (request->is_goal == NULL) return ploy_array_push(&self->next, &self->common.state.end);
    ploy_result result = PLOY_OK;
    for (int32_t cell = 0; cell < self->map->count && result == PLOY_OK; cell++) {
        if (!ploy_grid_map_fits(self->map, cell) || !request->is_goal(request->user, cell))
            continue;
        result = ploy_array_push(&self->next, &cell);
    }
    return result;
}

// What the field took, also if it was there already.
static void flow_finder_count(flow_finder *self) {
    ploy_grid_flow_stats stats = ploy_grid_flow_stats_of(self->flow);
    self->common.state.taken = stats.taken;
    self->common.state.work = stats.units;
}

// Follows the field from the start.
static ploy_result flow_finder_read(flow_finder *self) {
    ploy_finder_state *state = &self->common.state;
    flow_finder_count(self);
    ploy_grid_cost cost;
    ploy_array_clear(&self->common.found);
    if (!ploy_grid_flow_cost(self->flow, state->start, &cost)) {
        state->outcome = PLOY_PATH_NONE;
        state->end = PLOY_STATE_NONE;
        return PLOY_OK;
    }
    int32_t at = state->start;
    for (int32_t to = ployi_grid_flow_next(self->flow, at); to >= 0;
         to = ployi_grid_flow_next(self->flow, at)) {
        int32_t direction = ploy_grid_flow_direction(self->flow, at);
        double step = ploy_tiles_walker_step(&self->walker, at, direction);
        ploy_result result = ployi_common_finder_add(&self->common, to, step, direction);
        if (result != PLOY_OK) return result;
        at = to;
    }
    state->end = at;
    state->cost = cost.length;
    state->outcome = PLOY_PATH_FOUND;
    return PLOY_OK;
}

static ploy_result flow_finder_begin(void *user) {
    flow_finder *self = user;
    ploy_finder_state *state = &self->common.state;
    ploy_array_clear(&self->common.found);
    if (ployi_finder_ends(&self->common.level, state)) return PLOY_OK;
    ploy_result result = flow_finder_goals(self);
    if (result != PLOY_OK) return result;
    uint64_t generation = flow_finder_generation(self);
    bool same = self->ready && self->made == generation && self->next.count == self->goals.count &&
                (self->next.count == 0 || memcmp(self->next.items, self->goals.items,
                                                 (size_t)self->next.count * sizeof(int32_t)) == 0);
    if (same) return flow_finder_read(self); // keeps (1)
    self->ready = false;
    result = ploy_array_resize(&self->goals, self->next.count);
    if (result != PLOY_OK) return result;
    if (self->next.count > 0) {
        memcpy(self->goals.items, self->next.items, (size_t)self->next.count * sizeof(int32_t));
    }
    self->made = generation;
    return ploy_grid_flow_begin(self->flow, self->goals.items, self->goals.count);
}

static ploy_result flow_finder_step(void *user, ploy_budget *budget) {
    flow_finder *self = user;
    ploy_result result = ploy_grid_flow_step(self->flow, budget);
    flow_finder_count(self);
    if (result != PLOY_OK) return result;
    self->ready = true;
    return flow_finder_read(self);
}

static void flow_finder_describe(const void *user, ploy_describe *out) {
    const flow_finder *self = user;
    ploy_grid_flow_describe(self->flow, out);
}

static void flow_finder_draw(const void *user, ploy_draw *out) {
    const flow_finder *self = user;
    ploy_grid_flow_draw(self->flow, out);
    ployi_common_finder_draw(&self->common, out);
}

static void flow_finder_memory(const void *user, ploy_memory_fn fn, void *fn_user) {
    const flow_finder *self = user;
    ployi_common_finder_memory(&self->common, sizeof *self, fn, fn_user);
    ploy_array_memory(&self->goals, fn, fn_user);
    ploy_array_memory(&self->next, fn, fn_user);
    ploy_grid_flow_memory(self->flow, fn, fn_user);
}

static void flow_finder_destroy(void *user) {
    flow_finder *self = user;
    ploy_env env = self->common.env;
    ploy_grid_flow_destroy(self->flow);
    ploy_array_fini(&self->goals);
    ploy_array_fini(&self->next);
    ployi_common_finder_fini(&self->common);
    ploy_env_free(&env, self, sizeof *self);
}

static const ploy_finder_type flow_finder_type = {
    .name = "flow",
    .traits = PLOY_FINDER_OPTIMAL | PLOY_FINDER_PREDICATE,
    .begin = flow_finder_begin,
    .step = flow_finder_step,
    .path = ployi_common_finder_path,
    .generation = flow_finder_generation,
    .serves = flow_finder_serves,
    .states = ployi_common_finder_states,
    .locate = ployi_common_finder_locate,
    .clear = ployi_common_finder_clear,
    .describe = flow_finder_describe,
    .draw = flow_finder_draw,
    .memory = flow_finder_memory,
    .destroy = flow_finder_destroy,
};

static ploy_result flow_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                    ploy_finder *out) {
    const ploy_grid_map *map = factory->user;
    if (map == NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "finder 'flow': expected a grid map");
        return PLOY_ERR_ARGUMENT;
    }
    flow_finder *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->map = map;
    self->walker = ploy_tiles_walker_make(map->tiles, NULL);
    self->walker.size = map->def.size;
    ploy_representation level = ploy_tiles_representation(&self->walker);
    ployi_common_finder_init(&self->common, &level, env);
    ploy_array_init(&self->goals, sizeof(int32_t), env);
    ploy_array_init(&self->next, sizeof(int32_t), env);
    ploy_grid_flow_def def = ploy_grid_flow_def_default();
    ploy_result result = ploy_grid_flow_create(&def, map, env, &self->flow);
    if (result != PLOY_OK) {
        flow_finder_destroy(self);
        return result;
    }
    out->type = &flow_finder_type;
    out->self = self;
    return PLOY_OK;
}

ploy_finder_factory ploy_grid_flow_finder(const ploy_grid_map *map) {
    ploy_finder_factory factory = {
        flow_finder_make,
        map,
        0,
        flow_finder_type.traits,
        flow_finder_type.name,
        "steps, a flow field from the goal: kept for the next request with the same goal"};
    return factory;
}
