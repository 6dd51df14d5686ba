// The front of every search: settings, queries, the loop over a budget, what can be read. The
// methods are behind ployi_search_method, a file each.
//
// Invariants:
//   (1) search->method is that of search->def, and *search is the head of that method's struct;
//   (2) the outcome is OPEN or beyond only after a begin that succeeded: then query, space and
//       starts are set.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "search/search_internal.h"

static const char *const search_methods[] = {
    "best first", "depth limited", "deepening", "ida*", "sma*", "bidirectional", "lpa*", "d* lite",
};
static const char *const search_orders[] = {"best", "greedy", "breadth", "depth"};
static const char *const search_stops[] = {"selected", "seen", "proven"};
static const char *const search_storages[] = {"flat", "pages"};
static const char *const search_opens[] = {"heap",        "binary heap", "buckets", "sorted array",
                                           "sorted list", "unsorted",    "fringe"};
static const char *const search_cycles[] = {"path", "parent", "allowed"};

static const ploy_field search_fields[] = {
    PLOY_FIELD_ENUM_FIXED(ploy_search_def, method, PLOY_SEARCH_METHOD_BEST_FIRST, search_methods,
                          "technique of the search"),
    PLOY_FIELD_ENUM(ploy_search_def, order, PLOY_SEARCH_BEST, search_orders,
                    "which open state is taken first"),
    PLOY_FIELD_ENUM(ploy_search_def, open, PLOY_OPEN_HEAP, search_opens, "kind of open list"),
    PLOY_FIELD_F64(ploy_search_def, bucket_width, 1, 1e-9, 1e9, "", "keys that share a bucket"),
    PLOY_FIELD_F64(ploy_search_def, weight, 1, 0, 1e6, "", "of the estimate; 0 is Dijkstra"),
    PLOY_FIELD_F64(ploy_search_def, weight_step, 0, 0, 1e6, "",
                   "how much to lower the weight after each path; 0: stop at the first"),
    PLOY_FIELD_BOOL(ploy_search_def, reopen, true, "take closed states again for a cheaper path"),
    PLOY_FIELD_BOOL(ploy_search_def, pathmax, false,
                    "an estimate is at least its parent's less "
                    "the edge"),
    PLOY_FIELD_BOOL(ploy_search_def, last_edge_first, false, "depth first follows the last edge"),
    PLOY_FIELD_ENUM(ploy_search_def, stop, PLOY_SEARCH_STOP_SELECTED, search_stops,
                    "when a goal counts as found"),
    PLOY_FIELD_ENUM(ploy_search_def, storage, PLOY_SEARCH_FLAT, search_storages,
                    "how records are stored"),
    PLOY_FIELD_F64(ploy_search_def, max_cost, 1e300, 0, 1e300, "", "do not open states beyond"),
    PLOY_FIELD_I32(ploy_search_def, max_states, INT32_MAX, 1, INT32_MAX, "", "most states reached"),
    PLOY_FIELD_I32(ploy_search_def, frontier, 0, 0, 1 << 28, "", "most open states; 0: no limit"),
    PLOY_FIELD_BOOL(ploy_search_def, frontier_grow, false,
                    "restart with twice the frontier if it was too little"),
    PLOY_FIELD_F64(ploy_search_def, first_limit, 0, 0, 1e300, "",
                   "limit of the first round of deepening and ida*"),
    PLOY_FIELD_F64(ploy_search_def, limit_step, 0, 0, 1e300, "",
                   "least rise of the limit of deepening and ida*"),
    PLOY_FIELD_I32(ploy_search_def, max_depth, 1 << 20, 0, 1 << 24, "",
                   "longest path of depth limited, deepening and ida*"),
    PLOY_FIELD_ENUM(ploy_search_def, cycles, PLOY_SEARCH_CYCLES_PATH, search_cycles,
                    "which repeated states depth limited, deepening and ida* leave out"),
    PLOY_FIELD_I32_FIXED(ploy_search_def, table, 0, 0, 1 << 26, "",
                         "states that depth limited, deepening and ida* remember within a round"),
    PLOY_FIELD_I32_FIXED(ploy_search_def, capacity, 1024, 2, 1 << 22, "",
                         "states that sma* keeps at once"),
    PLOY_FIELD_I32_FIXED(ploy_search_def, branching, 8, 1, 4096, "",
                         "most edges of a state in sma*"),
};

ploy_fields ploy_search_fields(void) {
    return PLOY_FIELDS(ploy_search_def, search_fields);
}

ploy_search_def ploy_search_def_default(void) {
    ploy_search_def def;
    ploy_fields_default(ploy_search_fields(), &def);
    return def;
}

static const ployi_search_method *search_method(ploy_search_method method) {
    static const ployi_search_method *const methods[PLOY_SEARCH_METHOD_COUNT] = {
        &ployi_search_best_first, &ployi_search_deepening,   &ployi_search_deepening,
        &ployi_search_deepening,  &ployi_search_bounded,     &ployi_search_bidirectional,
        &ployi_search_lpa_star,   &ployi_search_d_star_lite,
    };
    return methods[method];
}

const char *ploy_search_method_text(ploy_search_method method) {
    return (unsigned)method < PLOY_SEARCH_METHOD_COUNT ? search_methods[method] : "?";
}

bool ploy_search_method_find(const char *text, ploy_search_method *out) {
    if (text == NULL || out == NULL) return false;
    for (int32_t i = 0; i < PLOY_SEARCH_METHOD_COUNT; i++) {
        if (strcmp(search_methods[i], text) != 0) continue;
        *out = (ploy_search_method)i;
        return true;
    }
    return false;
}

// ---- create

// Why settings that are in range cannot work together, or NULL.
static const char *search_fault(const ploy_search_def *def) {
    if (def->method != PLOY_SEARCH_METHOD_BEST_FIRST) {
        if (def->order != PLOY_SEARCH_BEST) return "only the method best first has an order";
        if (def->stop != PLOY_SEARCH_STOP_SELECTED) {
            return "only the method best first can stop when a goal is seen or proven";
        }
        if (def->weight_step > 0.0) return "only the method best first can lower its weight";
        if (def->frontier > 0) return "only the method best first can bound its frontier";
    }
    const ployi_search_method *method = search_method(def->method);
    return method->fault != NULL ? method->fault(def) : NULL;
}

ploy_result ploy_search_create(const ploy_search_def *def, const ploy_env *env, ploy_search **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_search_fields(), def, env);
    if (result != PLOY_OK) return result;
    const char *fault = search_fault(def);
    if (fault != NULL) {
        char text[160];
        snprintf(text, sizeof text, "search '%s': %s", ploy_search_method_text(def->method), fault);
        ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
        return PLOY_ERR_ARGUMENT;
    }
    const ployi_search_method *method = search_method(def->method);
    ploy_search *search = ploy_env_alloc(env, method->size);
    if (search == NULL) return PLOY_ERR_MEMORY;
    memset(search, 0, method->size);
    search->env = *env;
    search->method = method;
    search->def = *def;
    search->goal = search->nearest = PLOY_STATE_NONE;
    search->bound = INFINITY;
    ploy_edges_init(&search->edges, env);
    ploy_array_init(&search->starts, sizeof(ploy_search_start), env);
    result = method->create(search);
    if (result != PLOY_OK) {
        ploy_search_destroy(search);
        return result;
    }
    *out = search;
    return PLOY_OK;
}

void ploy_search_destroy(ploy_search *search) {
    if (search == NULL) return;
    ploy_env env = search->env;
    search->method->destroy(search);
    ploy_edges_fini(&search->edges);
    ploy_array_fini(&search->starts);
    ploy_env_free(&env, search, search->method->size);
}

// ---- for methods

ploy_result ployi_search_bad_edge(const ploy_search *search, int32_t state, const ploy_edge *edge) {
    bool within = edge->to >= 0 && (search->space.count == 0 || edge->to < search->space.count);
    char text[160];
    snprintf(text, sizeof text, "edge %d from state %d %s", (int)edge->label, (int)state,
             within ? "costs less than 0 or is not a number" : "leads out of the space");
    ploy_env_log(&search->env, PLOY_SEVERITY_ERROR, text);
    return PLOY_ERR_CALLBACK;
}

ploy_result ployi_search_bad_estimate(const ploy_search *search, int32_t state) {
    char text[96];
    snprintf(text, sizeof text, "the estimate of state %d is below 0 or not a number", (int)state);
    ploy_env_log(&search->env, PLOY_SEVERITY_ERROR, text);
    return PLOY_ERR_CALLBACK;
}

int32_t ployi_search_grown(int32_t count, int64_t least) {
    int64_t want = (int64_t)count * 2;
    if (want < least) want = least;
    if (want < PLOY_CAPACITY(64)) want = PLOY_CAPACITY(64);
    return want < INT32_MAX ? (int32_t)want : INT32_MAX;
}

// ---- begin

ploy_search_query ploy_search_query_make(const ploy_space *space, const ploy_search_start *start,
                                         int32_t goal) {
    ploy_search_query query;
    memset(&query, 0, sizeof query);
    query.space = space;
    query.starts = start;
    query.start_count = start != NULL ? 1 : 0;
    query.goal = goal;
    return query;
}

static bool search_query_ok(const ploy_search_query *query) {
    if (query == NULL || query->space == NULL || query->space->expand == NULL) return false;
    if (query->backward && query->space->expand_back == NULL) return false;
    if (query->starts == NULL || query->start_count < 1) return false;
    int32_t count = query->space->count;
    if (count < 0 || query->goal < PLOY_STATE_NONE || (count > 0 && query->goal >= count)) {
        return false;
    }
    for (int32_t i = 0; i < query->start_count; i++) {
        const ploy_search_start *start = &query->starts[i];
        if (start->state < 0 || (count > 0 && start->state >= count)) return false;
        if (!(start->cost >= 0.0 && start->cost < INFINITY)) return false;
    }
    return true;
}

// What of a query a method cannot serve, or NULL.
static const char *search_unsupported(const ployi_search_method *method,
                                      const ploy_search_query *query) {
    uint32_t flags = method->flags;
    bool no_goal = query->goal == PLOY_STATE_NONE && query->is_goal == NULL;
    if (!(flags & PLOYI_SEARCH_STARTS) && query->start_count > 1) return "several starts";
    if (!(flags & PLOYI_SEARCH_PAID) && query->starts[0].cost > 0.0) return "a start with a cost";
    if (!(flags & PLOYI_SEARCH_BACKWARD) && query->backward) return "a backward search";
    if (!(flags & PLOYI_SEARCH_IS_GOAL) && query->is_goal != NULL) return "a goal by predicate";
    if (!(flags & PLOYI_SEARCH_NO_GOAL) && no_goal) return "a search without a goal";
    if (!(flags & PLOYI_SEARCH_ALLOW) && query->allow != NULL) return "the callback allow";
    return NULL;
}

static ploy_result search_check_query(const ploy_search *search, const ploy_search_query *query) {
    const ployi_search_method *method = search->method;
    const char *text = ploy_search_method_text(search->def.method);
    char message[160];
    if (!search_query_ok(query)) {
        ploy_env_log(&search->env, PLOY_SEVERITY_ERROR,
                     "search: the query lacks a space or a start, or a state is out of range");
        return PLOY_ERR_ARGUMENT;
    }
    const char *what = search_unsupported(method, query);
    if (what != NULL) {
        snprintf(message, sizeof message, "search: the method '%s' does not support %s", text,
                 what);
        ploy_env_log(&search->env, PLOY_SEVERITY_ERROR, message);
        return PLOY_ERR_UNSUPPORTED;
    }
    if ((method->flags & PLOYI_SEARCH_NEEDS_BACK) && query->space->expand_back == NULL) {
        snprintf(message, sizeof message, "search: the method '%s' needs a space with expand_back",
                 text);
        ploy_env_log(&search->env, PLOY_SEVERITY_ERROR, message);
        return PLOY_ERR_ARGUMENT;
    }
    return PLOY_OK;
}

ploy_result ploy_search_reserve(ploy_search *search, int32_t states) {
    if (search == NULL || states < 0) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_array_reserve(&search->starts, 1);
    if (result != PLOY_OK || search->method->reserve == NULL) return result;
    return search->method->reserve(search, states);
}

ploy_result ploy_search_begin(ploy_search *search, const ploy_search_query *query) {
    if (search == NULL) return PLOY_ERR_ARGUMENT;
    search->outcome = PLOY_SEARCH_IDLE;
    search->goal = search->nearest = PLOY_STATE_NONE;
    search->version = 0;
    search->bound = INFINITY;
    memset(&search->stats, 0, sizeof search->stats);
    search->method->clear(search);
    ploy_result result = search_check_query(search, query);
    if (result != PLOY_OK) return result;
    search->query = *query;
    search->query.starts = NULL; // read now and never again
    search->space = *query->space;
    search->query.space = NULL;
    ploy_array_clear(&search->starts);
    for (int32_t i = 0; i < query->start_count; i++) {
        // Member by member: a gap between them would carry what was on the caller's stack.
        ploy_search_start *start = ploy_array_add(&search->starts);
        if (start == NULL) return PLOY_ERR_MEMORY;
        start->state = query->starts[i].state;
        start->cost = query->starts[i].cost;
    }
    result = search->method->begin(search);
    if (result == PLOY_OK) search->outcome = PLOY_SEARCH_OPEN; // keeps (2)
    return result;
}

// ---- work

ploy_result ploy_search_step(ploy_search *search, ploy_budget *budget) {
    if (search == NULL || search->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    const ployi_search_method *method = search->method;
    ploy_result result = PLOY_OK;
    while (search->outcome == PLOY_SEARCH_OPEN && result == PLOY_OK) {
        if (method->settle != NULL) {
            result = method->settle(search);
            if (result != PLOY_OK || search->outcome != PLOY_SEARCH_OPEN) break;
        }
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        result = method->take(search);
    }
    if (result != PLOY_OK) search->outcome = PLOY_SEARCH_IDLE;
    return result;
}

void ploy_search_cancel(ploy_search *search) {
    search->outcome = PLOY_SEARCH_IDLE;
}

ploy_result ploy_search_run(ploy_search *search, const ploy_search_query *query) {
    ploy_result result = ploy_search_begin(search, query);
    return result == PLOY_OK ? ploy_search_step(search, NULL) : result;
}

static bool search_state_ok(const ploy_search *search, int32_t state) {
    return state >= 0 && (search->space.count == 0 || state < search->space.count);
}

ploy_result ploy_search_changed(ploy_search *search, int32_t from, int32_t to) {
    if (search == NULL) return PLOY_ERR_ARGUMENT;
    if (search->method->changed == NULL) return PLOY_ERR_UNSUPPORTED;
    if (search->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    if (!search_state_ok(search, from) || !search_state_ok(search, to)) return PLOY_ERR_ARGUMENT;
    ploy_result result = search->method->changed(search, from, to);
    // After an error half of a change may be done: only begin helps.
    search->outcome = result == PLOY_OK ? PLOY_SEARCH_OPEN : PLOY_SEARCH_IDLE;
    return result;
}

ploy_result ploy_search_move(ploy_search *search, int32_t start) {
    if (search == NULL) return PLOY_ERR_ARGUMENT;
    if (search->method->move == NULL) return PLOY_ERR_UNSUPPORTED;
    if (search->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    if (!search_state_ok(search, start)) return PLOY_ERR_ARGUMENT;
    ploy_result result = search->method->move(search, start);
    search->outcome = result == PLOY_OK ? PLOY_SEARCH_OPEN : PLOY_SEARCH_IDLE;
    return result;
}

// ---- as a task

static ploy_result search_task_step(void *self, ploy_budget *budget) {
    return ploy_search_step(self, budget);
}

static void search_task_cancel(void *self) {
    ploy_search_cancel(self);
}

static void search_task_describe(const void *self, ploy_describe *out) {
    ploy_search_describe(self, out);
}

static const ploy_task_type search_task_type = {"search", search_task_step, search_task_cancel,
                                                search_task_describe};

ploy_task ploy_search_task(ploy_search *search) {
    ploy_task task = {&search_task_type, search};
    return task;
}

// ---- results

const char *ploy_search_outcome_text(ploy_search_outcome outcome) {
    static const char *const texts[] = {"idle", "open", "found", "none", "pruned"};
    return (unsigned)outcome < sizeof texts / sizeof texts[0] ? texts[outcome] : "?";
}

ploy_search_outcome ploy_search_outcome_of(const ploy_search *search) {
    return search->outcome;
}

int32_t ploy_search_goal(const ploy_search *search) {
    return search->goal;
}

int32_t ployi_search_version(const ploy_search *search) {
    return search->version;
}

double ployi_search_bound(const ploy_search *search) {
    return search->bound;
}

int32_t ploy_search_nearest(const ploy_search *search) {
    return search->nearest;
}

int32_t ploy_search_path(const ploy_search *search, int32_t state, ploy_edge *out, int32_t capacity,
                         double *cost) {
    return state >= 0 ? search->method->path(search, state, out, capacity, cost) : -1;
}

bool ploy_search_get(const ploy_search *search, int32_t state, ploy_search_node *out) {
    return state >= 0 && search->method->get(search, state, out);
}

int32_t ploy_search_reached(const ploy_search *search) {
    return search->method->reached(search);
}

int32_t ploy_search_reached_at(const ploy_search *search, int32_t index) {
    if (index < 0 || index >= search->method->reached(search)) return PLOY_STATE_NONE;
    return search->method->reached_at(search, index);
}

ploy_search_stats ploy_search_stats_of(const ploy_search *search) {
    ploy_search_stats stats = search->stats;
    if (search->method->stats != NULL) search->method->stats(search, &stats);
    return stats;
}

static void search_describe_stats(const ploy_search *search, ploy_describe *out) {
    ploy_search_stats stats = ploy_search_stats_of(search);
    ploy_describe_i64(out, "taken", PLOY_STATE, stats.taken);
    ploy_describe_i64(out, "opened", PLOY_STATE, stats.opened);
    ploy_describe_i64(out, "reopened", PLOY_STATE, stats.reopened);
    ploy_describe_i64(out, "edges", PLOY_STATE, stats.edges);
    ploy_describe_i64(out, "estimates", PLOY_STATE, stats.estimates);
    ploy_describe_i64(out, "forgotten", PLOY_STATE, stats.forgotten);
    ploy_describe_i64(out, "peak open", PLOY_STATE, stats.peak_open);
}

void ploy_search_describe(const ploy_search *search, ploy_describe *out) {
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(search->outcome));
    ploy_describe_i64(out, "goal", PLOY_STATE, search->goal);
    ploy_describe_i64(out, "version", PLOY_STATE, search->version);
    search->method->describe(search, out);
    search_describe_stats(search, out);
}

void ploy_search_memory(const ploy_search *search, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {
        "search", search->method->size + (size_t)search->edges.capacity * sizeof(ploy_edge),
        search->edges.capacity > 0 ? 2 : 1};
    fn(user, &self);
    ploy_array_memory(&search->starts, fn, user);
    search->method->memory(search, fn, user);
}
