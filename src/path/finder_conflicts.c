// Finders of one agent's part of the best plan for several; see conflicts.h.
#include <string.h>

#include "path/finder_common.h"

#include "path/path_internal.h"
#include "ploy/base/math.h"
#include "ploy/path/conflicts.h"

typedef struct conflicts_finder {
    ployi_common_finder common;
    ploy_conflicts_finder_def def;
    ploy_conflicts *conflicts;
    ploy_conflicts_agent *agents; // capacity + 1, the request's first
    ploy_array states;            // int32_t: scratch
    ploy_edges edges;             // scratch
    bool searched;
} conflicts_finder;

static ploy_result conflicts_finder_begin(void *user) {
    conflicts_finder *self = user;
    ploy_finder_state *state = &self->common.state;
    ploy_array_clear(&self->common.found);
    self->searched = false;
    if (ployi_finder_ends(&self->common.level, state)) return PLOY_OK;
    int32_t count = 1, others = 0;
    self->agents[0].start = state->start;
    self->agents[0].goal = state->end;
    if (self->def.others != NULL) {
        others = self->def.others(self->def.user, &state->request.path, self->agents + 1,
                                  self->def.capacity);
    }
    for (int32_t i = 1; i <= others && i <= self->def.capacity; i++) {
        if (self->agents[i].start == state->start) continue; // the agent itself
        if (self->agents[i].goal == state->end) return PLOY_ERR_UNSUPPORTED;
        self->agents[count++] = self->agents[i];
    }
    ploy_result result =
        ploy_conflicts_begin(self->conflicts, &self->common.level.space, self->agents, count);
    self->searched = result == PLOY_OK;
    return result;
}

// The agent's states, one a tick, as steps and waits.
static ploy_result conflicts_finder_take(conflicts_finder *self) {
    int32_t count = ploy_maxi(ployi_conflicts_path(self->conflicts, 0, NULL, 0), 0);
    ploy_result result = ploy_array_resize(&self->states, count);
    if (result != PLOY_OK) return result;
    int32_t *states = PLOY_ARRAY_ITEMS(&self->states, int32_t);
    ployi_conflicts_path(self->conflicts, 0, states, count);
    ploy_array_clear(&self->common.found);
    for (int32_t i = 1; i < count && result == PLOY_OK; i++) {
        ploy_edge edge = {states[i], -1, 1.0};
        if (states[i] != states[i - 1]) {
            result = ployi_common_finder_edge(&self->common, states[i - 1], states[i], &self->edges,
                                              &edge);
        }
        if (result == PLOY_OK)
            result = ployi_common_finder_add(&self->common, edge.to, 1.0, edge.label);
    }
    return result;
}

static ploy_result conflicts_finder_step(void *user, ploy_budget *budget) {
    conflicts_finder *self = user;
    ploy_finder_state *state = &self->common.state;
    ploy_result result = ploy_conflicts_step(self->conflicts, budget);
    state->taken = state->work = ployi_conflicts_stats_of(self->conflicts).taken;
    if (result != PLOY_OK) return result;
    bool found = ploy_conflicts_outcome(self->conflicts) == PLOY_SEARCH_FOUND;
    if (found) result = conflicts_finder_take(self);
    if (result != PLOY_OK) return result;
    state->cost = (double)self->common.found.count;
    state->outcome = found ? PLOY_PATH_FOUND : PLOY_PATH_NONE;
    if (!found) state->end = PLOY_STATE_NONE;
    return PLOY_OK;
}

static uint64_t conflicts_finder_generation(const void *user) {
    const conflicts_finder *self = user;
    return ployi_common_finder_level(&self->common);
}

static void conflicts_finder_cancel(void *user) {
    conflicts_finder *self = user;
    ploy_conflicts_cancel(self->conflicts);
    self->searched = false;
}

static void conflicts_finder_describe(const void *user, ploy_describe *out) {
    const conflicts_finder *self = user;
    if (self->searched) ploy_conflicts_describe(self->conflicts, out);
}

static size_t conflicts_finder_room(const conflicts_finder *self) {
    return ((size_t)self->def.capacity + 1) * sizeof *self->agents;
}

static void conflicts_finder_memory(const void *user, ploy_memory_fn fn, void *fn_user) {
    const conflicts_finder *self = user;
    ploy_memory_item agents = {"finder agents",
                               conflicts_finder_room(self) +
                                   (size_t)self->edges.capacity * sizeof *self->edges.items,
                               self->edges.capacity > 0 ? 2 : 1};
    ployi_common_finder_memory(&self->common, sizeof *self, fn, fn_user);
    fn(fn_user, &agents);
    ploy_array_memory(&self->states, fn, fn_user);
    ploy_conflicts_memory(self->conflicts, fn, fn_user);
}

static void conflicts_finder_destroy(void *user) {
    conflicts_finder *self = user;
    ploy_env env = self->common.env;
    ploy_conflicts_destroy(self->conflicts);
    ploy_env_free(&env, self->agents, conflicts_finder_room(self));
    ploy_array_fini(&self->states);
    ploy_edges_fini(&self->edges);
    ployi_common_finder_fini(&self->common);
    ploy_env_free(&env, self, sizeof *self);
}

// Without locate and clear: the path is right for one moment, so nothing is cached or smoothed.
static const ploy_finder_type conflicts_finder_type = {
    .name = "conflicts",
    .traits = PLOY_FINDER_AGENT,
    .begin = conflicts_finder_begin,
    .step = conflicts_finder_step,
    .path = ployi_common_finder_path,
    .generation = conflicts_finder_generation,
    .cancel = conflicts_finder_cancel,
    .states = ployi_common_finder_states,
    .describe = conflicts_finder_describe,
    .draw = ployi_common_finder_draw,
    .memory = conflicts_finder_memory,
    .destroy = conflicts_finder_destroy,
};

static ploy_result conflicts_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                         ploy_finder *out) {
    const ploy_conflicts_finder_def *def = factory->user;
    if (def == NULL || !ploy_representation_is_complete(def->level) ||
        def->level->space.expand_back == NULL || def->level->space.count < 1 || def->capacity < 0 ||
        def->capacity > 1 << 20) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "finder 'conflicts': expected a complete representation with a count and "
                     "expand_back, and room for 0 to 2^20 others");
        return PLOY_ERR_ARGUMENT;
    }
    conflicts_finder *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    ployi_common_finder_init(&self->common, def->level, env);
    self->def = *def;
    self->def.level = NULL; // copied
    ploy_array_init(&self->states, sizeof(int32_t), env);
    ploy_edges_init(&self->edges, env);
    self->agents = ploy_env_alloc_zero(env, conflicts_finder_room(self));
    ploy_result result = self->agents != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) result = ploy_conflicts_create(&def->conflicts, env, &self->conflicts);
    if (result != PLOY_OK) {
        conflicts_finder_destroy(self);
        return result;
    }
    out->type = &conflicts_finder_type;
    out->self = self;
    return PLOY_OK;
}

ploy_conflicts_finder_def ploy_conflicts_finder_def_default(void) {
    ploy_conflicts_finder_def def;
    memset(&def, 0, sizeof def);
    def.conflicts = ploy_conflicts_def_default();
    def.capacity = 16;
    return def;
}

ploy_finder_factory ploy_conflicts_finder(const ploy_conflicts_finder_def *def) {
    ploy_finder_factory factory = {conflicts_finder_make,
                                   def,
                                   0,
                                   conflicts_finder_type.traits,
                                   conflicts_finder_type.name,
                                   "one agent's part of the best joint plan"};
    return factory;
}
