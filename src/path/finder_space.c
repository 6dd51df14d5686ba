// Finders over any representation, and what they share with those of grids; see finders.h.
//
// Invariants, from make to destroy:
//   (1) the search is at work or ended exactly while state.begun and searched;
//   (2) found holds the edges of the path when the outcome is found or partial.
#include <string.h>

#include "path/finder_internal.h"
#include "ploy/base/math.h"
#include "ploy/path/heuristic.h"
#include "ploy/search/search.h"

// ---- shared ----

ploy_result ployi_finder_append(ploy_path *path, ploy_vec3 at, const ploy_path_edge *edge) {
    int32_t count = ploy_path_count(path);
    ploy_vec2 point = ploy_vec2_from_vec3(at);
    if (edge == NULL && count > 0 && ploy_vec2_equal(ploy_path_point(path, count - 1), point)) {
        return PLOY_OK;
    }
    return ploy_path_append(path, point, at.z, edge);
}

ploy_result ployi_finder_compose(const ploy_representation *level, ploy_finder_state *state,
                                 const ploy_edge *edges, int32_t count, bool arrives,
                                 ploy_path *out) {
    const ploy_path_request *asked = &state->request.path;
    ploy_path_clear(out);
    ploy_result result = ployi_finder_append(out, asked->from, NULL);
    if (result == PLOY_OK) {
        result = ployi_finder_append(out, level->localise(level->user, state->start), NULL);
    }
    state->lead = ploy_path_count(out) - 1;
    int32_t at = state->start;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_path_edge edge;
        memset(&edge, 0, sizeof edge);
        edge.cost = (float)edges[i].cost;
        if (level->travel != NULL) level->travel(level->user, at, &edges[i], &edge);
        result = ployi_finder_append(out, level->localise(level->user, edges[i].to), &edge);
        at = edges[i].to;
    }
    if (result == PLOY_OK && arrives) result = ployi_finder_append(out, asked->to, NULL);
    return result;
}

bool ployi_finder_ends(const ploy_representation *level, ploy_finder_state *state) {
    const ploy_path_request *asked = &state->request.path;
    ploy_representation_body body = {asked->radius, asked->mask};
    bool place = state->request.is_goal == NULL;
    state->start = level->quantise(level->user, asked->from, &body);
    state->end = place ? level->quantise(level->user, asked->to, &body) : PLOY_STATE_NONE;
    if (state->start < 0 || (place && state->end < 0)) {
        state->outcome = PLOY_PATH_NONE;
        state->end = PLOY_STATE_NONE;
        return true;
    }
    if (place && state->start == state->end) state->outcome = PLOY_PATH_FOUND;
    return state->outcome != PLOY_PATH_OPEN;
}

int32_t ployi_finder_list(int32_t start, const ploy_edge *edges, int32_t count, int32_t *out,
                          int32_t capacity) {
    if (capacity > 0) out[0] = start;
    for (int32_t i = 0; i < count && i + 1 < capacity; i++) out[i + 1] = edges[i].to;
    return count + 1;
}

// ---- the search ----

typedef struct space_finder {
    ploy_finder_state state;
    ploy_env env;
    ploy_representation level;
    ploy_search *search;
    ploy_space space; // the level's, or with estimates that vary and costs of a hook
    ploy_edges edges; // of the space behind a hook
    ploy_heuristic_def noise;
    ploy_array found; // ploy_edge
    bool partial;     // a search without a path has looked at all that can be reached
    bool searched;
} space_finder;

static ploy_result space_finder_expand(void *user, int32_t state, ploy_edges *out) {
    space_finder *self = user;
    const ploy_space *inner = &self->level.space;
    const ploy_cost_hook *hook = &self->state.costs;
    if (hook->fn == NULL) return inner->expand(inner->user, state, out);
    ploy_edges_clear(&self->edges);
    ploy_result result = inner->expand(inner->user, state, &self->edges);
    for (int32_t i = 0; i < self->edges.count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &self->edges.view[i];
        double cost = hook->fn(hook->user, state, edge->to, edge->label, edge->cost);
        result = ploy_edges_add(out, edge->to, cost, edge->label);
    }
    return result;
}

// Edges into a state lead from their `to`: that is where a hook's edge begins.
static ploy_result space_finder_expand_back(void *user, int32_t state, ploy_edges *out) {
    space_finder *self = user;
    const ploy_space *inner = &self->level.space;
    const ploy_cost_hook *hook = &self->state.costs;
    if (hook->fn == NULL) return inner->expand_back(inner->user, state, out);
    ploy_edges_clear(&self->edges);
    ploy_result result = inner->expand_back(inner->user, state, &self->edges);
    for (int32_t i = 0; i < self->edges.count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &self->edges.view[i];
        double cost = hook->fn(hook->user, edge->to, state, edge->label, edge->cost);
        result = ploy_edges_add(out, edge->to, cost, edge->label);
    }
    return result;
}

static double space_finder_estimate(void *user, int32_t state, int32_t goal) {
    const space_finder *self = user;
    const ploy_space *inner = &self->level.space;
    if (inner->estimate == NULL) return 0.0;
    double estimate = inner->estimate(inner->user, state, goal);
    if (self->state.request.variety == 0) return estimate;
    return estimate * ploy_heuristic_noise(&self->noise, state);
}

static ploy_result space_finder_begin(void *user) {
    space_finder *self = user;
    const ploy_finder_request *request = &self->state.request;
    ploy_array_clear(&self->found);
    self->searched = false;
    if (ployi_finder_ends(&self->level, &self->state)) return PLOY_OK;
    self->space = self->level.space;
    if (request->variety != 0 || self->state.costs.fn != NULL) {
        self->noise = ploy_heuristic_def_default();
        self->noise.noise = (double)request->vary;
        self->noise.seed = request->variety;
        self->space.expand = space_finder_expand;
        if (self->space.expand_back != NULL) self->space.expand_back = space_finder_expand_back;
        self->space.estimate = space_finder_estimate;
        self->space.user = self;
    }
    ploy_search_start start = {self->state.start, 0.0};
    ploy_search_query query = ploy_search_query_make(&self->space, &start, self->state.end);
    query.is_goal = request->is_goal;
    query.user = request->user;
    ploy_result result = ploy_search_begin(self->search, &query);
    self->searched = result == PLOY_OK;
    return result;
}

// The edges of the search's path to a state.
static ploy_result space_finder_take(space_finder *self, int32_t state, double *cost) {
    int32_t count = ploy_search_path(self->search, state, NULL, 0, cost);
    ploy_result result = ploy_array_resize(&self->found, ploy_maxi(count, 0));
    if (result == PLOY_OK && count > 0) {
        (void)ploy_search_path(self->search, state, self->found.items, count, NULL);
    }
    return result;
}

static ploy_result space_finder_step(void *user, ploy_budget *budget) {
    space_finder *self = user;
    ploy_finder_state *state = &self->state;
    bool ended = ploy_search_outcome_of(self->search) > PLOY_SEARCH_OPEN;
    ploy_result result = ended ? PLOY_OK : ploy_search_step(self->search, budget);
    ploy_search_stats stats = ploy_search_stats_of(self->search);
    state->taken = state->work = stats.taken;
    state->opened = stats.opened;
    if (result != PLOY_OK) return result;
    bool found = ploy_search_outcome_of(self->search) == PLOY_SEARCH_FOUND;
    bool nearest = state->request.partial && state->request.is_goal == NULL && self->partial;
    int32_t end = found     ? ploy_search_goal(self->search)
                  : nearest ? ploy_search_nearest(self->search)
                            : PLOY_STATE_NONE;
    if (end >= 0) result = space_finder_take(self, end, &state->cost);
    if (result != PLOY_OK) return result;
    state->end = end;
    state->outcome = found ? PLOY_PATH_FOUND : end >= 0 ? PLOY_PATH_PARTIAL : PLOY_PATH_NONE;
    return PLOY_OK;
}

static ploy_result space_finder_path(void *user, ploy_path *path) {
    space_finder *self = user;
    bool arrives = self->state.outcome == PLOY_PATH_FOUND && self->state.request.is_goal == NULL;
    return ployi_finder_compose(&self->level, &self->state, self->found.items, self->found.count,
                                arrives, path);
}

static ploy_result space_finder_peek(void *user, ploy_path *path) {
    space_finder *self = user;
    ploy_result result = space_finder_take(self, ploy_search_nearest(self->search), NULL);
    if (result != PLOY_OK) return result;
    return ployi_finder_compose(&self->level, &self->state, self->found.items, self->found.count,
                                false, path);
}

static uint64_t space_finder_generation(const void *user) {
    const space_finder *self = user;
    return self->level.generation != NULL ? self->level.generation(self->level.user) : 0;
}

static void space_finder_cancel(void *user) {
    space_finder *self = user;
    ploy_search_cancel(self->search);
    self->searched = false;
}

static int32_t space_finder_states(const void *user, int32_t *out, int32_t capacity) {
    const space_finder *self = user;
    return ployi_finder_list(self->state.start, self->found.items, self->found.count, out,
                             capacity);
}

static int32_t space_finder_locate(const void *user, ploy_vec3 place,
                                   const ploy_path_request *request) {
    const space_finder *self = user;
    ploy_representation_body body = {request->radius, request->mask};
    return self->level.quantise(self->level.user, place, &body);
}

static bool space_finder_clear(const void *user, ploy_vec3 from, ploy_vec3 to,
                               const ploy_path_request *request) {
    const space_finder *self = user;
    ploy_representation_body body = {request->radius, request->mask};
    return self->level.clear != NULL && self->level.clear(self->level.user, from, to, &body);
}

static void space_finder_describe(const void *user, ploy_describe *out) {
    const space_finder *self = user;
    ploy_search_describe(self->search, out);
}

// What was reached, and the path to the goal or to the nearest state.
static void space_finder_draw(const void *user, ploy_draw *out) {
    const space_finder *self = user;
    const ploy_representation *level = &self->level;
    if (!self->searched) return;
    ploy_search_node node;
    for (int32_t i = 0; i < ploy_search_reached(self->search); i++) {
        int32_t state = ploy_search_reached_at(self->search, i);
        if (!ploy_search_get(self->search, state, &node)) continue;
        ploy_style style = node.status == PLOY_SEARCH_SEEN ? PLOY_STYLE_OPEN : PLOY_STYLE_CLOSED;
        if (level->mark != NULL) {
            level->mark(level->user, state, style, out);
        } else {
            ploy_draw_point(out, PLOY_LAYER_PATHS, style, self->state.request.path.agent,
                            ploy_vec2_from_vec3(level->localise(level->user, state)));
        }
    }
    ploy_agent_id agent = self->state.request.path.agent;
    if (self->state.outcome != PLOY_PATH_OPEN) {
        ploy_vec3 from = level->localise(level->user, self->state.start);
        for (int32_t i = 0; i < self->found.count; i++) {
            ploy_vec3 to =
                level->localise(level->user, PLOY_ARRAY_ITEMS(&self->found, ploy_edge)[i].to);
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, agent, ploy_vec2_from_vec3(from),
                           ploy_vec2_from_vec3(to));
            from = to;
        }
        return;
    }
    int32_t at = ploy_search_nearest(self->search);
    while (at >= 0 && ploy_search_get(self->search, at, &node) && node.parent >= 0) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, agent,
                       ploy_vec2_from_vec3(level->localise(level->user, node.parent)),
                       ploy_vec2_from_vec3(level->localise(level->user, at)));
        at = node.parent;
    }
}

static void space_finder_memory(const void *user, ploy_memory_fn fn, void *fn_user) {
    const space_finder *self = user;
    ploy_memory_item item = {"finder", sizeof *self, 1};
    ploy_memory_item edges = {"finder edges",
                              (size_t)self->edges.capacity * sizeof *self->edges.items, 1};
    fn(fn_user, &item);
    if (self->edges.capacity > 0) fn(fn_user, &edges);
    ploy_array_memory(&self->found, fn, fn_user);
    ploy_search_memory(self->search, fn, fn_user);
}

static void space_finder_destroy(void *user) {
    space_finder *self = user;
    if (self == NULL) return;
    ploy_env env = self->env;
    ploy_search_destroy(self->search);
    ploy_edges_fini(&self->edges);
    ploy_array_fini(&self->found);
    ploy_env_free(&env, self, sizeof *self);
}

static const char *space_finder_serves_both(const void *user, const ploy_finder_request *request,
                                            const ploy_cost_hook *costs) {
    const space_finder *self = user;
    (void)request;
    (void)costs;
    bool back = self->level.space.expand_back != NULL;
    return back ? NULL : "the representation has no edges into a state";
}

enum {
    SPACE_FINDER_TRAITS =
        PLOY_FINDER_COSTS | PLOY_FINDER_PREDICATE | PLOY_FINDER_PARTIAL | PLOY_FINDER_VARIETY
};

// One type for each method: they differ in name and promise.
#define SPACE_FINDER_TYPE(text, more)                                                            \
    {                                                                                            \
        text, SPACE_FINDER_TRAITS | (more), space_finder_begin, space_finder_step,               \
            space_finder_path, space_finder_generation, NULL, space_finder_cancel,               \
            space_finder_peek, space_finder_states, space_finder_locate, space_finder_clear,     \
            space_finder_describe, space_finder_draw, space_finder_memory, space_finder_destroy, \
            NULL,                                                                                \
    }

static const ploy_finder_type space_finder_types[PLOY_SPACE_METHOD_COUNT] = {
    SPACE_FINDER_TYPE("generic", PLOY_FINDER_OPTIMAL),
    SPACE_FINDER_TYPE("weighted", 0),
    SPACE_FINDER_TYPE("greedy", 0),
    SPACE_FINDER_TYPE("breadth", 0),
    SPACE_FINDER_TYPE("depth", 0),
    SPACE_FINDER_TYPE("anytime", PLOY_FINDER_OPTIMAL),
    {"bidirectional", PLOY_FINDER_OPTIMAL | PLOY_FINDER_COSTS, space_finder_begin,
     space_finder_step, space_finder_path, space_finder_generation, space_finder_serves_both,
     space_finder_cancel, space_finder_peek, space_finder_states, space_finder_locate,
     space_finder_clear, space_finder_describe, space_finder_draw, space_finder_memory,
     space_finder_destroy, NULL},
};

#undef SPACE_FINDER_TYPE

static const char *const space_finder_help[PLOY_SPACE_METHOD_COUNT] = {
    "A* over any representation",
    "A* with estimates weighted by three: fewer states, at most three times the cost",
    "greedy best-first search: few states, any cost",
    "breadth-first: fewest edges",
    "depth-first: some path",
    "anytime A*: a path soon, then better ones until it is the best",
    "A* from both ends until they have met: for spaces without a good estimate",
};

static ploy_search_def space_finder_settings(int32_t method) {
    ploy_search_def def = ploy_search_def_default();
    if (method == PLOY_SPACE_WEIGHTED) def.weight = 3.0;
    if (method == PLOY_SPACE_GREEDY) def.order = PLOY_SEARCH_GREEDY;
    if (method == PLOY_SPACE_BREADTH) def.order = PLOY_SEARCH_BREADTH;
    if (method == PLOY_SPACE_DEPTH) def.order = PLOY_SEARCH_DEPTH;
    if (method == PLOY_SPACE_BIDIRECTIONAL) def.method = PLOY_SEARCH_METHOD_BIDIRECTIONAL;
    if (method == PLOY_SPACE_ANYTIME) {
        def.weight = 3.0;
        def.weight_step = 1.0;
    }
    return def;
}

static ploy_result space_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                     ploy_finder *out) {
    if (!ploy_representation_is_complete(factory->user) || factory->variant < 0 ||
        factory->variant >= PLOY_SPACE_METHOD_COUNT) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "finder: expected a complete representation");
        return PLOY_ERR_ARGUMENT;
    }
    space_finder *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    ploy_search_def def = space_finder_settings(factory->variant);
    self->env = *env;
    memcpy(&self->level, factory->user, sizeof self->level);
    ploy_edges_init(&self->edges, env);
    ploy_array_init(&self->found, sizeof(ploy_edge), env);
    ploy_result result = ploy_search_create(&def, env, &self->search);
    if (result != PLOY_OK) {
        space_finder_destroy(self);
        return result;
    }
    out->type = &space_finder_types[factory->variant];
    self->partial = (out->type->traits & PLOY_FINDER_PARTIAL) != 0;
    out->self = self;
    return PLOY_OK;
}

ploy_finder_factory ploy_representation_finder(const ploy_representation *representation,
                                               ploy_space_method method) {
    bool known = (unsigned)method < PLOY_SPACE_METHOD_COUNT;
    const ploy_finder_type *type = &space_finder_types[known ? method : 0];
    ploy_finder_factory factory = {
        space_finder_make, representation, known ? (int32_t)method : -1,
        type->traits,      type->name,     space_finder_help[known ? method : 0]};
    return factory;
}
