// Finders in space and time: with a timetable (timed.h), and around a group's plans (cooperative.h).
//
// Both search a ploy_timed. Waiting makes its space endless, so whether there is a path at all is
// found out first, in the level without time; around a group that search runs backward from the goal
// and gives exact estimates.
//
// Invariants, while a search is under way:
//   (1) `probing` until the level without time was searched;
//   (2) times of the ploy_timed count from `depart`.
#include <math.h>
#include <string.h>

#include "path/cooperative_internal.h"
#include "path/finder_common.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/path/cooperative.h"
#include "ploy/path/timed.h"

typedef struct timed_finder {
    ployi_common_finder common;
    ploy_timed_finder_def def;     // of a timetable
    const ploy_cooperative *group; // or of a group
    ploy_timed *timed;
    ploy_search *search, *probe;
    double depart;
    int32_t self_agent; // of the group, at the start; -1
    int32_t target;     // place: the request's end, or the nearest to it that can be reached
    bool probing, searched;
} timed_finder;

// ---- the two timetables ----

static double timed_finder_arrive(void *user, int32_t from, const ploy_edge *edge, double depart) {
    const timed_finder *self = user;
    double arrive = self->def.fn(self->def.user, from, edge, self->depart + depart);
    return arrive - self->depart;
}

// One tick later, unless an agent of the group is there then or comes the other way.
static double timed_finder_keep_clear(void *user, int32_t from, const ploy_edge *edge,
                                      double depart) {
    const timed_finder *self = user;
    int32_t tick = (int32_t)(depart + 0.5), count = ploy_cooperative_count(self->group);
    for (int32_t i = 0; i < count; i++) {
        if (i == self->self_agent) continue;
        int32_t now = ploy_cooperative_planned(self->group, i, tick);
        int32_t then = ploy_cooperative_planned(self->group, i, tick + 1);
        if (then == edge->to || (now == edge->to && then == from)) return (double)INFINITY;
    }
    return depart + 1.0;
}

static double timed_finder_estimate(void *user, int32_t place, int32_t goal) {
    const timed_finder *self = user;
    if (self->group != NULL) { // ticks, alone in the world
        ploy_search_node node;
        bool known = ploy_search_get(self->probe, place, &node);
        return known ? node.cost : (double)INFINITY;
    }
    const ploy_space *inner = &self->common.level.space;
    if (inner->estimate == NULL || goal == PLOY_STATE_NONE) return 0.0;
    return self->def.pace * inner->estimate(inner->user, place, goal);
}

static ploy_result timed_finder_expand(void *user, int32_t place, ploy_edges *out) {
    const ploy_space *inner = &((const timed_finder *)user)->common.level.space;
    return inner->expand(inner->user, place, out);
}

// Edges into a place at a cost of one tick each: for the probe around a group.
static ploy_result timed_finder_ticks(void *user, int32_t place, ploy_edges *out) {
    const ploy_space *inner = &((const timed_finder *)user)->common.level.space;
    ploy_edges_clear(out);
    ploy_result result = inner->expand_back(inner->user, place, out);
    if (result != PLOY_OK || out->count == 0) return result;
    if (out->view != out->items) { // lent: copied, because costs are changed
        const ploy_edge *lent = out->view;
        int32_t count = out->count;
        ploy_edges_clear(out);
        for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
            result = ploy_edges_add(out, lent[i].to, lent[i].cost, lent[i].label);
        }
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = 0; i < out->count; i++) {
        if (out->items[i].cost < INFINITY) out->items[i].cost = 1.0;
    }
    return PLOY_OK;
}

// ---- the search ----

static bool timed_finder_is_goal(void *user, int32_t state) {
    const timed_finder *self = user;
    const ploy_finder_request *request = &self->common.state.request;
    int32_t place = ploy_timed_place(self->timed, state);
    if (request->is_goal != NULL) return request->is_goal(request->user, place);
    return place == self->target;
}

// Begins the search without time. Around a group it runs from the goal to everywhere.
static ploy_result timed_finder_begin_probe(timed_finder *self) {
    const ploy_finder_request *request = &self->common.state.request;
    ploy_space space = self->common.level.space;
    bool back = self->group != NULL;
    if (back) {
        space.expand = space.expand_back = timed_finder_ticks;
        space.estimate = NULL;
        space.user = self;
    }
    ploy_search_start start = {back ? self->common.state.end : self->common.state.start, 0.0};
    ploy_search_query query =
        ploy_search_query_make(&space, &start, back ? PLOY_STATE_NONE : self->common.state.end);
    query.is_goal = request->is_goal;
    query.user = request->user;
    return ploy_search_begin(self->probe, &query);
}

static ploy_result timed_finder_begin(void *user) {
    timed_finder *self = user;
    ploy_array_clear(&self->common.found);
    self->searched = self->probing = false;
    self->self_agent = -1;
    if (ployi_finder_ends(&self->common.level, &self->common.state)) return PLOY_OK;
    self->depart = self->def.now != NULL ? self->def.now(self->def.user) : 0.0;
    for (int32_t i = 0; self->group != NULL && i < ploy_cooperative_count(self->group); i++) {
        bool here = ploy_cooperative_state(self->group, i) == self->common.state.start;
        if (here) self->self_agent = i;
    }
    ploy_result result = timed_finder_begin_probe(self);
    self->probing = result == PLOY_OK;
    return result;
}

static ploy_result timed_finder_begin_timed(timed_finder *self) {
    ploy_search_start start = {0, 0.0};
    ploy_timed_clear(self->timed, self->target);
    ploy_result result = ploy_timed_state(self->timed, self->common.state.start, 0.0, &start.state);
    if (result != PLOY_OK) return result;
    ploy_space space = ploy_timed_space(self->timed);
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    query.is_goal = timed_finder_is_goal;
    query.user = self;
    result = ploy_search_begin(self->search, &query);
    self->searched = result == PLOY_OK;
    return result;
}

// The edges of the search's path to a state, between places.
static ploy_result timed_finder_take(timed_finder *self, int32_t state, double *cost) {
    int32_t count = ploy_search_path(self->search, state, NULL, 0, cost);
    ploy_result result = ploy_array_resize(&self->common.found, ploy_maxi(count, 0));
    if (result != PLOY_OK || count <= 0) return result;
    ploy_edge *found = PLOY_ARRAY_ITEMS(&self->common.found, ploy_edge);
    (void)ploy_search_path(self->search, state, found, count, NULL);
    for (int32_t i = 0; i < count; i++) found[i].to = ploy_timed_place(self->timed, found[i].to);
    return PLOY_OK;
}

// Is there a path without time?
static bool timed_finder_reachable(const timed_finder *self) {
    if (self->group == NULL) {
        return ploy_search_outcome_of(self->probe) == PLOY_SEARCH_FOUND;
    }
    ploy_search_node node;
    return ploy_search_get(self->probe, self->common.state.start, &node);
}

static ploy_result timed_finder_end(timed_finder *self, int32_t state, ploy_path_outcome outcome) {
    ploy_finder_state *finder = &self->common.state;
    ploy_result result = PLOY_OK;
    if (state >= 0) result = timed_finder_take(self, state, &finder->cost);
    if (result != PLOY_OK) return result;
    finder->end = state >= 0 ? ploy_timed_place(self->timed, state) : PLOY_STATE_NONE;
    finder->outcome = outcome;
    return PLOY_OK;
}

static ploy_result timed_finder_step(void *user, ploy_budget *budget) {
    timed_finder *self = user;
    ploy_finder_state *state = &self->common.state;
    bool partial = state->request.partial && state->request.is_goal == NULL && self->group == NULL;
    if (self->probing) {
        ploy_result result = ploy_search_step(self->probe, budget);
        state->taken = state->work = ploy_search_stats_of(self->probe).taken;
        if (result != PLOY_OK) return result;
        self->probing = false;
        self->target = state->end;
        if (!timed_finder_reachable(self)) {
            if (!partial) return timed_finder_end(self, PLOY_STATE_NONE, PLOY_PATH_NONE);
            self->target = ploy_search_nearest(self->probe);
        }
        result = timed_finder_begin_timed(self);
        if (result != PLOY_OK) return result;
    }
    ploy_result result = ploy_search_step(self->search, budget);
    state->taken =
        ploy_search_stats_of(self->probe).taken + ploy_search_stats_of(self->search).taken;
    state->opened = ploy_search_stats_of(self->search).opened;
    state->work = state->taken;
    if (result == PLOY_ERR_LIMIT) result = PLOY_OK; // max_states: what was found by then counts
    if (result != PLOY_OK) return result;
    bool found = ploy_search_outcome_of(self->search) == PLOY_SEARCH_FOUND;
    int32_t end = found ? ploy_search_goal(self->search) : PLOY_STATE_NONE;
    if (!found && partial) end = ploy_search_nearest(self->search);
    bool arrives = found && self->target == state->end;
    return timed_finder_end(self, end,
                            arrives    ? PLOY_PATH_FOUND
                            : end >= 0 ? PLOY_PATH_PARTIAL
                                       : PLOY_PATH_NONE);
}

static ploy_result timed_finder_peek(void *user, ploy_path *path) {
    timed_finder *self = user;
    ploy_array_clear(&self->common.found);
    ploy_result result = PLOY_OK;
    if (self->searched) {
        result = timed_finder_take(self, ploy_search_nearest(self->search), NULL);
    }
    return result == PLOY_OK ? ployi_common_finder_write(&self->common, false, path) : result;
}

static uint64_t timed_finder_generation(const void *user) {
    const timed_finder *self = user;
    uint64_t hash = ployi_common_finder_level(&self->common);
    if (self->group != NULL) {
        ploy_cooperative_stats stats = ploy_cooperative_stats_of(self->group);
        hash = ploy_hash_combine(hash, (uint64_t)stats.ticks);
        hash = ploy_hash_combine(hash, (uint64_t)stats.plans);
        return ploy_hash_combine(hash, (uint64_t)ploy_cooperative_count(self->group));
    }
    if (self->def.generation == NULL) return hash;
    return ploy_hash_combine(hash, self->def.generation(self->def.user));
}

static void timed_finder_cancel(void *user) {
    timed_finder *self = user;
    ploy_search_cancel(self->search);
    ploy_search_cancel(self->probe);
    self->searched = self->probing = false;
}

static void timed_finder_describe(const void *user, ploy_describe *out) {
    const timed_finder *self = user;
    if (!self->probing && !self->searched) return;
    ploy_describe_begin(out, self->probing ? "without time" : "with time");
    ploy_search_describe(self->probing ? self->probe : self->search, out);
    ploy_describe_end(out);
}

static void timed_finder_memory(const void *user, ploy_memory_fn fn, void *fn_user) {
    const timed_finder *self = user;
    ployi_common_finder_memory(&self->common, sizeof *self, fn, fn_user);
    ploy_timed_memory(self->timed, fn, fn_user);
    ploy_search_memory(self->search, fn, fn_user);
    ploy_search_memory(self->probe, fn, fn_user);
}

static void timed_finder_destroy(void *user) {
    timed_finder *self = user;
    ploy_env env = self->common.env;
    ploy_search_destroy(self->search);
    ploy_search_destroy(self->probe);
    ploy_timed_destroy(self->timed);
    ployi_common_finder_fini(&self->common);
    ploy_env_free(&env, self, sizeof *self);
}

#define TIMED_FINDER_TYPE(text, trait_bits, peek_function)                                 \
    {                                                                                      \
        text, trait_bits, timed_finder_begin, timed_finder_step, ployi_common_finder_path, \
            timed_finder_generation, NULL, timed_finder_cancel, peek_function,             \
            ployi_common_finder_states, NULL, NULL, timed_finder_describe,                 \
            ployi_common_finder_draw, timed_finder_memory, timed_finder_destroy, NULL,     \
    }

// Without locate and clear: what is right now need not be later, so nothing is cached or smoothed.
static const ploy_finder_type timed_finder_type = TIMED_FINDER_TYPE(
    "timed", PLOY_FINDER_OPTIMAL | PLOY_FINDER_PREDICATE | PLOY_FINDER_PARTIAL | PLOY_FINDER_AGENT,
    timed_finder_peek);
static const ploy_finder_type cooperative_finder_type =
    TIMED_FINDER_TYPE("cooperative", PLOY_FINDER_AGENT, timed_finder_peek);

#undef TIMED_FINDER_TYPE

// Makes what both have; timed is the settings of their time.
static ploy_result timed_finder_parts(timed_finder *self, const ploy_timed_def *timed,
                                      ploy_timed_fn fn) {
    const ploy_env *env = &self->common.env;
    ploy_space places = self->common.level.space;
    places.expand = timed_finder_expand;
    places.expand_back = NULL;
    places.estimate = timed_finder_estimate;
    places.user = self;
    ploy_search_def search = ploy_search_def_default(), probe = ploy_search_def_default();
    search.storage = PLOY_SEARCH_PAGES;
    ploy_result result = ploy_timed_create(timed, &places, fn, self, env, &self->timed);
    if (result == PLOY_OK) result = ploy_search_create(&search, env, &self->search);
    if (result == PLOY_OK) result = ploy_search_create(&probe, env, &self->probe);
    return result;
}

static ploy_result timed_finder_start(const ploy_representation *level, const ploy_env *env,
                                      timed_finder **out) {
    timed_finder *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    ployi_common_finder_init(&self->common, level, env);
    self->self_agent = -1;
    *out = self;
    return PLOY_OK;
}

static ploy_result timed_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                     ploy_finder *out) {
    const ploy_timed_finder_def *def = factory->user;
    if (def == NULL || !ploy_representation_is_complete(def->level) || def->fn == NULL ||
        !(def->pace >= 0.0 && def->pace < INFINITY)) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "finder 'timed': expected a complete representation, a timetable and a pace "
                     "of 0 or more");
        return PLOY_ERR_ARGUMENT;
    }
    timed_finder *self = NULL;
    ploy_result result = timed_finder_start(def->level, env, &self);
    if (result != PLOY_OK) return result;
    self->def = *def;
    self->def.level = NULL; // copied
    result = timed_finder_parts(self, &def->timed, timed_finder_arrive);
    if (result != PLOY_OK) {
        timed_finder_destroy(self);
        return result;
    }
    out->type = &timed_finder_type;
    out->self = self;
    return PLOY_OK;
}

ploy_timed_finder_def ploy_timed_finder_def_default(void) {
    ploy_timed_finder_def def;
    memset(&def, 0, sizeof def);
    def.timed = ploy_timed_def_default();
    return def;
}

ploy_finder_factory ploy_timed_finder(const ploy_timed_finder_def *def) {
    ploy_finder_factory factory = {timed_finder_make,
                                   def,
                                   0,
                                   timed_finder_type.traits,
                                   timed_finder_type.name,
                                   "places and times: the earliest arrival by a timetable"};
    return factory;
}

// ---- around a group ----

static ploy_result cooperative_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                           ploy_finder *out) {
    const ploy_cooperative_finder_def *def = factory->user;
    if (def == NULL || !ploy_representation_is_complete(def->level) || def->group == NULL ||
        def->level->space.expand_back == NULL || def->level->space.count < 1 ||
        def->max_ticks < 1) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "finder 'cooperative': expected a group, a complete representation with a "
                     "count and expand_back, and max_ticks above 0");
        return PLOY_ERR_ARGUMENT;
    }
    timed_finder *self = NULL;
    ploy_result result = timed_finder_start(def->level, env, &self);
    if (result != PLOY_OK) return result;
    self->group = def->group;
    ploy_timed_def timed = ploy_timed_def_default();
    timed.tick = timed.wait = 1.0;
    timed.check_wait = true;
    timed.horizon = def->max_ticks;
    result = timed_finder_parts(self, &timed, timed_finder_keep_clear);
    if (result != PLOY_OK) {
        timed_finder_destroy(self);
        return result;
    }
    out->type = &cooperative_finder_type;
    out->self = self;
    return PLOY_OK;
}

ploy_cooperative_finder_def ploy_cooperative_finder_def_default(void) {
    ploy_cooperative_finder_def def;
    memset(&def, 0, sizeof def);
    def.max_ticks = 4096;
    return def;
}

ploy_finder_factory ploy_cooperative_finder(const ploy_cooperative_finder_def *def) {
    ploy_finder_factory factory = {cooperative_finder_make,
                                   def,
                                   0,
                                   cooperative_finder_type.traits,
                                   cooperative_finder_type.name,
                                   "steps and waits that keep clear of a group's plans"};
    return factory;
}
