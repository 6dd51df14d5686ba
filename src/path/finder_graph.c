// Finders over frozen graphs and hierarchies; see graph_frozen.h and hierarchy.h.
//
// Invariants, from make to destroy:
//   (1) nodes of the frozen graph are the states of the level, as it was when the finder was made:
//       if the level has changed since, requests are refused.
#include <math.h>
#include <string.h>

#include "path/finder_common.h"

#include "path/hierarchy_internal.h"
#include "path/path_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

// ---- shared ----

static const char *graph_finder_stale(const ployi_common_finder *common, uint64_t made) {
    bool stale = ployi_common_finder_level(common) != made;
    return stale ? "the level has changed since the graph was frozen; freeze it again" : NULL;
}

static bool graph_finder_ready(const ploy_representation *level, int32_t nodes, const char *name,
                               const ploy_env *env) {
    if (ploy_representation_is_complete(level) && nodes == level->space.count) {
        return true;
    }
    char text[160] = "finder '";
    strcat(text, name);
    strcat(text, "': expected a complete representation and a graph of its states");
    ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
    return false;
}

// ---- frozen graphs ----

typedef struct frozen_finder {
    ployi_common_finder common;
    const ploy_frozen_graph *frozen;
    ploy_space space; // the frozen rows, with the level's estimates and a hook's costs
    ploy_search *search;
    uint64_t made; // generation of the level
    bool searched;
} frozen_finder;

static ploy_result frozen_finder_edges(frozen_finder *self, int32_t state, bool back,
                                       ploy_edges *out) {
    const ploy_cost_hook *hook = &self->common.state.costs;
    const ploy_edge *edges = NULL;
    int32_t count = back ? ployi_frozen_graph_in(self->frozen, state, &edges)
                         : ployi_frozen_graph_out(self->frozen, state, &edges);
    if (hook->fn == NULL) {
        ploy_edges_lend(out, edges, count);
        return PLOY_OK;
    }
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        int32_t from = back ? edges[i].to : state, to = back ? state : edges[i].to;
        double cost = hook->fn(hook->user, from, to, edges[i].label, edges[i].cost);
        result = ploy_edges_add(out, edges[i].to, cost, edges[i].label);
    }
    return result;
}

static ploy_result frozen_finder_expand(void *user, int32_t state, ploy_edges *out) {
    return frozen_finder_edges(user, state, false, out);
}

static ploy_result frozen_finder_expand_back(void *user, int32_t state, ploy_edges *out) {
    return frozen_finder_edges(user, state, true, out);
}

static double frozen_finder_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_space *inner = &((const frozen_finder *)user)->common.level.space;
    return inner->estimate != NULL ? inner->estimate(inner->user, state, goal) : 0.0;
}

static const char *frozen_finder_serves(const void *user, const ploy_finder_request *request,
                                        const ploy_cost_hook *costs) {
    const frozen_finder *self = user;
    (void)request;
    (void)costs;
    return graph_finder_stale(&self->common, self->made);
}

static ploy_result frozen_finder_begin(void *user) {
    frozen_finder *self = user;
    const ploy_finder_request *request = &self->common.state.request;
    ploy_array_clear(&self->common.found);
    self->searched = false;
    if (ployi_finder_ends(&self->common.level, &self->common.state)) return PLOY_OK;
    ploy_search_start start = {self->common.state.start, 0.0};
    ploy_search_query query = ploy_search_query_make(&self->space, &start, self->common.state.end);
    query.is_goal = request->is_goal;
    query.user = request->user;
    ploy_result result = ploy_search_begin(self->search, &query);
    self->searched = result == PLOY_OK;
    return result;
}

// The edges of the search's path to a state.
static ploy_result frozen_finder_take(frozen_finder *self, int32_t state, double *cost) {
    int32_t count = ploy_search_path(self->search, state, NULL, 0, cost);
    ploy_result result = ploy_array_resize(&self->common.found, ploy_maxi(count, 0));
    if (result == PLOY_OK && count > 0) {
        (void)ploy_search_path(self->search, state, self->common.found.items, count, NULL);
    }
    return result;
}

static ploy_result frozen_finder_step(void *user, ploy_budget *budget) {
    frozen_finder *self = user;
    ploy_finder_state *state = &self->common.state;
    ploy_result result = ploy_search_step(self->search, budget);
    ploy_search_stats stats = ploy_search_stats_of(self->search);
    state->taken = state->work = stats.taken;
    state->opened = stats.opened;
    if (result != PLOY_OK) return result;
    bool found = ploy_search_outcome_of(self->search) == PLOY_SEARCH_FOUND;
    bool nearest = state->request.partial && state->request.is_goal == NULL;
    int32_t end = found     ? ploy_search_goal(self->search)
                  : nearest ? ploy_search_nearest(self->search)
                            : PLOY_STATE_NONE;
    if (end >= 0) result = frozen_finder_take(self, end, &state->cost);
    if (result != PLOY_OK) return result;
    state->end = end;
    state->outcome = found ? PLOY_PATH_FOUND : end >= 0 ? PLOY_PATH_PARTIAL : PLOY_PATH_NONE;
    return PLOY_OK;
}

static ploy_result frozen_finder_peek(void *user, ploy_path *path) {
    frozen_finder *self = user;
    ploy_result result = frozen_finder_take(self, ploy_search_nearest(self->search), NULL);
    return result == PLOY_OK ? ployi_common_finder_write(&self->common, false, path) : result;
}

static uint64_t frozen_finder_generation(const void *user) {
    const frozen_finder *self = user;
    return ploy_hash_combine(ployi_common_finder_level(&self->common),
                             ployi_frozen_graph_generation(self->frozen));
}

static void frozen_finder_cancel(void *user) {
    frozen_finder *self = user;
    ploy_search_cancel(self->search);
    self->searched = false;
}

static void frozen_finder_describe(const void *user, ploy_describe *out) {
    const frozen_finder *self = user;
    if (self->searched) ploy_search_describe(self->search, out);
}

// What was reached, and the path.
static void frozen_finder_draw(const void *user, ploy_draw *out) {
    const frozen_finder *self = user;
    const ploy_representation *level = &self->common.level;
    for (int32_t i = 0; self->searched && i < ploy_search_reached(self->search); i++) {
        int32_t state = ploy_search_reached_at(self->search, i);
        ploy_search_node node;
        bool open = ploy_search_get(self->search, state, &node) && node.status == PLOY_SEARCH_SEEN;
        ploy_draw_point(out, PLOY_LAYER_PATHS, open ? PLOY_STYLE_OPEN : PLOY_STYLE_CLOSED,
                        self->common.state.request.path.agent,
                        ploy_vec2_from_vec3(level->localise(level->user, state)));
    }
    ployi_common_finder_draw(&self->common, out);
}

static void frozen_finder_memory(const void *user, ploy_memory_fn fn, void *fn_user) {
    const frozen_finder *self = user;
    ployi_common_finder_memory(&self->common, sizeof *self, fn, fn_user);
    ploy_search_memory(self->search, fn, fn_user);
}

static ploy_result frozen_finder_reserve(void *user) {
    frozen_finder *self = user;
    ploy_result result = ploy_search_reserve(self->search, self->space.count);
    return result == PLOY_OK ? ploy_array_reserve(&self->common.found, self->space.count) : result;
}

static void frozen_finder_destroy(void *user) {
    frozen_finder *self = user;
    ploy_env env = self->common.env;
    ploy_search_destroy(self->search);
    ployi_common_finder_fini(&self->common);
    ploy_env_free(&env, self, sizeof *self);
}

#define FROZEN_FINDER_TYPE(text, more, peek_function)                                              \
    {                                                                                              \
        text, PLOY_FINDER_OPTIMAL | PLOY_FINDER_COSTS | (more), frozen_finder_begin,               \
            frozen_finder_step, ployi_common_finder_path, frozen_finder_generation,                \
            frozen_finder_serves, frozen_finder_cancel, peek_function, ployi_common_finder_states, \
            ployi_common_finder_locate, ployi_common_finder_clear, frozen_finder_describe,         \
            frozen_finder_draw, frozen_finder_memory, frozen_finder_destroy,                       \
            frozen_finder_reserve,                                                                 \
    }

static const ploy_finder_type frozen_finder_types[] = {
    FROZEN_FINDER_TYPE("frozen", PLOY_FINDER_PREDICATE | PLOY_FINDER_PARTIAL, frozen_finder_peek),
    FROZEN_FINDER_TYPE("frozen.both", PLOY_FINDER_PARTIAL, frozen_finder_peek),
};

#undef FROZEN_FINDER_TYPE

static ploy_result frozen_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                      ploy_finder *out) {
    const ploy_frozen_finder_def *def = factory->user;
    const ploy_finder_type *type = &frozen_finder_types[factory->variant];
    int32_t nodes =
        def != NULL && def->frozen != NULL ? ploy_frozen_graph_node_count(def->frozen) : -1;
    if (def == NULL || !graph_finder_ready(def->level, nodes, type->name, env)) {
        return PLOY_ERR_ARGUMENT;
    }
    frozen_finder *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    ployi_common_finder_init(&self->common, def->level, env);
    self->frozen = def->frozen;
    self->made = def->generation != 0 ? def->generation : ployi_common_finder_level(&self->common);
    self->space.count = ploy_frozen_graph_node_count(def->frozen);
    self->space.expand = frozen_finder_expand;
    self->space.expand_back = frozen_finder_expand_back;
    self->space.estimate = frozen_finder_estimate;
    self->space.user = self;
    ploy_search_def search = ploy_search_def_default();
    if (factory->variant > 0) search.method = PLOY_SEARCH_METHOD_BIDIRECTIONAL;
    ploy_result result = ploy_search_create(&search, env, &self->search);
    if (result != PLOY_OK) {
        frozen_finder_destroy(self);
        return result;
    }
    out->type = type;
    out->self = self;
    return PLOY_OK;
}

ploy_finder_factory ploy_frozen_graph_finder(const ploy_frozen_finder_def *def) {
    bool both = def != NULL && def->both;
    const ploy_finder_type *type = &frozen_finder_types[both];
    ploy_finder_factory factory = {frozen_finder_make,
                                   def,
                                   both,
                                   type->traits,
                                   type->name,
                                   both ? "a frozen graph, searched from both ends"
                                        : "a frozen graph: A* without copying edges"};
    return factory;
}

// ---- hierarchies ----

typedef struct hierarchy_finder {
    ployi_common_finder common;
    const ploy_hierarchy *hierarchy;
    ploy_hierarchy_search *search;
    uint64_t made; // generation of the level
    bool searched;
} hierarchy_finder;

static const char *hierarchy_finder_serves(const void *user, const ploy_finder_request *request,
                                           const ploy_cost_hook *costs) {
    const hierarchy_finder *self = user;
    (void)request;
    (void)costs;
    return graph_finder_stale(&self->common, self->made);
}

static ploy_result hierarchy_finder_begin(void *user) {
    hierarchy_finder *self = user;
    ploy_finder_state *state = &self->common.state;
    ploy_array_clear(&self->common.found);
    self->searched = false;
    if (ployi_finder_ends(&self->common.level, state)) return PLOY_OK;
    ploy_result result =
        ploy_hierarchy_search_begin(self->search, self->hierarchy, state->start, state->end);
    self->searched = result == PLOY_OK;
    return result;
}

static ploy_result hierarchy_finder_step(void *user, ploy_budget *budget) {
    hierarchy_finder *self = user;
    ploy_finder_state *state = &self->common.state;
    ploy_result result = ploy_hierarchy_search_step(self->search, budget);
    state->taken = 0;
    for (int32_t i = 0; i < ployi_hierarchy_levels(self->hierarchy); i++) {
        state->taken += ploy_hierarchy_search_taken(self->search, i);
    }
    state->work = state->taken;
    if (result != PLOY_OK) return result;
    int32_t count = ploy_hierarchy_search_path(self->search, NULL, 0, &state->cost);
    if (count >= 0) result = ploy_array_resize(&self->common.found, count);
    if (result != PLOY_OK) return result;
    if (count > 0) ploy_hierarchy_search_path(self->search, self->common.found.items, count, NULL);
    state->outcome = count >= 0 ? PLOY_PATH_FOUND : PLOY_PATH_NONE;
    if (count < 0) state->end = PLOY_STATE_NONE;
    return PLOY_OK;
}

static uint64_t hierarchy_finder_generation(const void *user) {
    const hierarchy_finder *self = user;
    uint64_t hash = ployi_common_finder_level(&self->common);
    return ploy_hash_combine(hash, ployi_hierarchy_generation(self->hierarchy));
}

static void hierarchy_finder_cancel(void *user) {
    hierarchy_finder *self = user;
    ploy_hierarchy_search_cancel(self->search);
    self->searched = false;
}

static void hierarchy_finder_describe(const void *user, ploy_describe *out) {
    const hierarchy_finder *self = user;
    if (self->searched) ploy_hierarchy_search_describe(self->search, out);
}

static void hierarchy_finder_draw(const void *user, ploy_draw *out) {
    const hierarchy_finder *self = user;
    if (self->searched) ploy_hierarchy_search_draw(self->search, out);
    ployi_common_finder_draw(&self->common, out);
}

static void hierarchy_finder_memory(const void *user, ploy_memory_fn fn, void *fn_user) {
    const hierarchy_finder *self = user;
    ployi_common_finder_memory(&self->common, sizeof *self, fn, fn_user);
    ploy_hierarchy_search_memory(self->search, fn, fn_user);
}

static void hierarchy_finder_destroy(void *user) {
    hierarchy_finder *self = user;
    ploy_env env = self->common.env;
    ploy_hierarchy_search_destroy(self->search);
    ployi_common_finder_fini(&self->common);
    ploy_env_free(&env, self, sizeof *self);
}

static const ploy_finder_type hierarchy_finder_type = {
    .name = "hierarchy",
    .traits = 0,
    .begin = hierarchy_finder_begin,
    .step = hierarchy_finder_step,
    .path = ployi_common_finder_path,
    .generation = hierarchy_finder_generation,
    .serves = hierarchy_finder_serves,
    .cancel = hierarchy_finder_cancel,
    .states = ployi_common_finder_states,
    .locate = ployi_common_finder_locate,
    .clear = ployi_common_finder_clear,
    .describe = hierarchy_finder_describe,
    .draw = hierarchy_finder_draw,
    .memory = hierarchy_finder_memory,
    .destroy = hierarchy_finder_destroy,
};

static ploy_result hierarchy_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                         ploy_finder *out) {
    const ploy_hierarchy_finder_def *def = factory->user;
    int32_t count = def != NULL && def->hierarchy != NULL ? def->hierarchy->levels[0].count : -1;
    if (def == NULL || !graph_finder_ready(def->level, count, hierarchy_finder_type.name, env)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (def->search.mode != PLOY_HIERARCHY_EXCLUDE) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "finder 'hierarchy': expected the mode exclude, which finds whole paths");
        return PLOY_ERR_ARGUMENT;
    }
    hierarchy_finder *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    ployi_common_finder_init(&self->common, def->level, env);
    self->hierarchy = def->hierarchy;
    self->made = def->generation != 0 ? def->generation : ployi_common_finder_level(&self->common);
    ploy_result result = ploy_hierarchy_search_create(&def->search, env, &self->search);
    if (result != PLOY_OK) {
        hierarchy_finder_destroy(self);
        return result;
    }
    out->type = &hierarchy_finder_type;
    out->self = self;
    return PLOY_OK;
}

ploy_hierarchy_finder_def ploy_hierarchy_finder_def_default(void) {
    ploy_hierarchy_finder_def def;
    memset(&def, 0, sizeof def);
    def.search = ploy_hierarchy_search_def_default();
    def.search.mode = PLOY_HIERARCHY_EXCLUDE;
    return def;
}

ploy_finder_factory ploy_hierarchy_finder(const ploy_hierarchy_finder_def *def) {
    ploy_finder_factory factory = {hierarchy_finder_make,
                                   def,
                                   0,
                                   hierarchy_finder_type.traits,
                                   hierarchy_finder_type.name,
                                   "groups of nodes from coarse to fine: few nodes, good paths"};
    return factory;
}
