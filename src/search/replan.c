// Replanning; see the header.
//
// The search grows from the root (the goal if it follows, else the start) towards the target. Every
// state has two costs from the root: `cost`, what was last settled, and `look`, what its neighbours
// make of it now. "Nearer" edges lead a state towards the root, "further" ones away from it.
//
// Invariants, between two calls that succeeded:
//   (1) look of a state other than the root is the least of (edge + cost) over its nearer edges;
//       of the root it is 0;
//   (2) a state is on the open list exactly if its two costs differ;
//   (3) keys on the open list are not above what they would be now (`shift` only grows).
#include "ploy/search/replan.h"

#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"

static const ploy_field replan_fields[] = {
    PLOY_FIELD_BOOL(ploy_replanner_def, follow, true, "the start moves: searches from the goal"),
};

typedef struct replan_record {
    double cost, look;
} replan_record;

struct ploy_replanner {
    ploy_env env;
    ploy_replanner_def def;
    ploy_space space;
    ploy_open_list *open;
    ploy_edges near_edges, far_edges;
    replan_record *records;
    int32_t count; // of records
    int32_t start, goal;
    int32_t last; // where the agent was when shift was last raised
    double shift; // added to keys, instead of changing all of them when the agent moves
    int64_t taken;
    ploy_search_outcome outcome;
};

ploy_fields ploy_replanner_fields(void) {
    return PLOY_FIELDS(ploy_replanner_def, replan_fields);
}

ploy_replanner_def ploy_replanner_def_default(void) {
    ploy_replanner_def def;
    ploy_fields_default(ploy_replanner_fields(), &def);
    return def;
}

ploy_result ploy_replanner_create(const ploy_replanner_def *def, const ploy_env *env,
                                  ploy_replanner **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_replanner_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_replanner *replanner = ploy_env_alloc(env, sizeof *replanner);
    if (replanner == NULL) return PLOY_ERR_MEMORY;
    memset(replanner, 0, sizeof *replanner);
    replanner->env = *env;
    replanner->def = *def;
    ploy_edges_init(&replanner->near_edges, env);
    ploy_edges_init(&replanner->far_edges, env);
    result = ploy_open_list_create(PLOY_OPEN_HEAP, 0.0, env, &replanner->open);
    if (result != PLOY_OK) {
        ploy_env_free(env, replanner, sizeof *replanner);
        return result;
    }
    *out = replanner;
    return PLOY_OK;
}

void ploy_replanner_destroy(ploy_replanner *replanner) {
    if (replanner == NULL) return;
    ploy_env env = replanner->env;
    ploy_open_list_destroy(replanner->open);
    ploy_edges_fini(&replanner->near_edges);
    ploy_edges_fini(&replanner->far_edges);
    ploy_env_free(&env, replanner->records, (size_t)replanner->count * sizeof *replanner->records);
    ploy_env_free(&env, replanner, sizeof *replanner);
}

static int32_t replan_root(const ploy_replanner *replanner) {
    return replanner->def.follow ? replanner->goal : replanner->start;
}

static int32_t replan_target(const ploy_replanner *replanner) {
    return replanner->def.follow ? replanner->start : replanner->goal;
}

// ---- records and keys

static ploy_result replan_reserve(ploy_replanner *replanner, int32_t count) {
    if (count <= replanner->count) return PLOY_OK;
    size_t old = (size_t)replanner->count * sizeof *replanner->records, size = 0;
    if (!ploy_size_add_array(0, count, sizeof *replanner->records, &size)) return PLOY_ERR_MEMORY;
    replan_record *records = ploy_env_resize(&replanner->env, replanner->records, old, size);
    if (records == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = replanner->count; i < count; i++) records[i].cost = records[i].look = INFINITY;
    replanner->records = records;
    replanner->count = count;
    return PLOY_OK;
}

// Makes sure that a state has a record.
static ploy_result replan_touch(ploy_replanner *replanner, int32_t state) {
    if (state < replanner->count) return PLOY_OK;
    int64_t want = (int64_t)replanner->count * 2;
    if (want <= state) want = (int64_t)state + 1;
    if (want < PLOY_CAPACITY(64)) want = PLOY_CAPACITY(64);
    return replan_reserve(replanner, want < INT32_MAX ? (int32_t)want : INT32_MAX);
}

static double replan_known(const ploy_replanner *replanner, int32_t state) {
    return state < replanner->count ? replanner->records[state].cost : INFINITY;
}

static double replan_estimate(const ploy_replanner *replanner, int32_t from, int32_t to) {
    const ploy_space *space = &replanner->space;
    if (space->estimate == NULL) return 0.0;
    double estimate = space->estimate(space->user, from, to);
    return estimate >= 0.0 ? estimate : 0.0; // NaN too: less is always right, only slower
}

static ploy_open_key replan_key(const ploy_replanner *replanner, int32_t state) {
    const replan_record *record = &replanner->records[state];
    double least = record->cost < record->look ? record->cost : record->look;
    double estimate = replanner->def.follow ? replan_estimate(replanner, replanner->start, state)
                                            : replan_estimate(replanner, state, replanner->goal);
    ploy_open_key key = {least + estimate + replanner->shift, least};
    return key;
}

// Puts the open list right for one state; keeps (2).
static ploy_result replan_queue(ploy_replanner *replanner, int32_t state) {
    const replan_record *record = &replanner->records[state];
    if (record->cost == record->look) {
        ploy_open_list_remove(replanner->open, state);
        return PLOY_OK;
    }
    ploy_open_key key = replan_key(replanner, state);
    if (ploy_open_list_has(replanner->open, state)) {
        return ploy_open_list_update(replanner->open, state, key);
    }
    return ploy_open_list_add(replanner->open, state, key);
}

// ---- edges

// The edges of a state towards the root or away from it, checked.
static ploy_result replan_edges(ploy_replanner *replanner, int32_t state, bool nearer,
                                ploy_edges *out) {
    const ploy_space *space = &replanner->space;
    ploy_edges_clear(out);
    ploy_result result = nearer == replanner->def.follow
                             ? space->expand(space->user, state, out)
                             : space->expand_back(space->user, state, out);
    if (result != PLOY_OK) return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
    for (int32_t i = 0; i < out->count; i++) {
        const ploy_edge *edge = &out->view[i];
        bool within = edge->to >= 0 && (space->count == 0 || edge->to < space->count);
        if (within && edge->cost > 0.0) continue;
        // With edges for nothing two states could keep each other up after both lost their way.
        ploy_env_log(&replanner->env, PLOY_SEVERITY_ERROR,
                     "an edge leads out of the space, or does not cost more than 0");
        return PLOY_ERR_CALLBACK;
    }
    return PLOY_OK;
}

// Works out anew what a state's neighbours make of it; keeps (1) and (2).
static ploy_result replan_look(ploy_replanner *replanner, int32_t state) {
    ploy_result result = replan_touch(replanner, state);
    if (result != PLOY_OK) return result;
    if (state != replan_root(replanner)) {
        result = replan_edges(replanner, state, true, &replanner->near_edges);
        if (result != PLOY_OK) return result;
        double least = INFINITY;
        for (int32_t i = 0; i < replanner->near_edges.count; i++) {
            const ploy_edge *edge = &replanner->near_edges.view[i];
            double cost = edge->cost + replan_known(replanner, edge->to);
            if (cost < least) least = cost;
        }
        replanner->records[state].look = least;
    }
    return replan_queue(replanner, state);
}

// ---- the calls

ploy_result ploy_replanner_begin(ploy_replanner *replanner, const ploy_space *space, int32_t start,
                                 int32_t goal) {
    if (replanner == NULL) return PLOY_ERR_ARGUMENT;
    replanner->outcome = PLOY_SEARCH_IDLE;
    if (space == NULL || space->expand == NULL || space->expand_back == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    bool within = start >= 0 && goal >= 0 && space->count >= 0;
    if (space->count > 0) within = within && start < space->count && goal < space->count;
    if (!within) return PLOY_ERR_ARGUMENT;
    replanner->space = *space;
    replanner->start = replanner->last = start;
    replanner->goal = goal;
    replanner->shift = 0.0;
    replanner->taken = 0;
    ploy_open_list_clear(replanner->open);
    for (int32_t i = 0; i < replanner->count; i++) {
        replanner->records[i].cost = replanner->records[i].look = INFINITY;
    }
    ploy_result result = PLOY_OK;
    if (space->count > 0) {
        result = replan_reserve(replanner, space->count);
        if (result == PLOY_OK) result = ploy_open_list_reserve(replanner->open, space->count);
    }
    if (result == PLOY_OK) result = replan_touch(replanner, start > goal ? start : goal);
    if (result != PLOY_OK) return result;
    replanner->records[replan_root(replanner)].look = 0.0;
    result = replan_queue(replanner, replan_root(replanner));
    if (result == PLOY_OK) replanner->outcome = PLOY_SEARCH_OPEN;
    return result;
}

static bool replan_state_ok(const ploy_replanner *replanner, int32_t state) {
    return state >= 0 && (replanner->space.count == 0 || state < replanner->space.count);
}

// After an error half of a change may be done: only begin helps.
static ploy_result replan_failed(ploy_replanner *replanner, ploy_result result) {
    replanner->outcome = PLOY_SEARCH_IDLE;
    return result;
}

ploy_result ploy_replanner_changed(ploy_replanner *replanner, int32_t from, int32_t to) {
    if (replanner == NULL || replanner->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    if (!replan_state_ok(replanner, from) || !replan_state_ok(replanner, to)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = replan_look(replanner, replanner->def.follow ? from : to);
    if (result != PLOY_OK) return replan_failed(replanner, result);
    replanner->outcome = PLOY_SEARCH_OPEN;
    return PLOY_OK;
}

ploy_result ploy_replanner_move(ploy_replanner *replanner, int32_t start) {
    if (replanner == NULL || replanner->outcome == PLOY_SEARCH_IDLE || !replanner->def.follow) {
        return PLOY_ERR_STATE;
    }
    if (!replan_state_ok(replanner, start)) return PLOY_ERR_ARGUMENT;
    ploy_result result = replan_touch(replanner, start);
    if (result != PLOY_OK) return result;
    // Estimates of all states may have shrunk by as much as it moved: instead of lowering every key
    // on the list, those made from now on are raised.
    replanner->shift += replan_estimate(replanner, replanner->last, start);
    replanner->start = replanner->last = start;
    replanner->outcome = PLOY_SEARCH_OPEN;
    return PLOY_OK;
}

static bool replan_done(ploy_replanner *replanner) {
    ploy_open_entry first;
    if (!ploy_open_list_peek(replanner->open, &first)) return true;
    int32_t target = replan_target(replanner);
    const replan_record *record = &replanner->records[target];
    // Equal keys may still hide a state on the way, so only a truly smaller target ends it; a
    // target that is to get dearer has to be looked at as well.
    if (record->look > record->cost) return false;
    ploy_open_key key = replan_key(replanner, target);
    return ploy_open_key_compare(first.key, 0, key, 0) >= 0 && record->look == record->cost;
}

// A state got cheaper: those further out may, too.
static ploy_result replan_lower(ploy_replanner *replanner, int32_t state) {
    replan_record *record = &replanner->records[state];
    record->cost = record->look;
    ploy_open_list_remove(replanner->open, state);
    double cost = record->cost;
    ploy_result result = replan_edges(replanner, state, false, &replanner->far_edges);
    for (int32_t i = 0; i < replanner->far_edges.count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &replanner->far_edges.view[i];
        if (edge->to == replan_root(replanner)) continue;
        result = replan_touch(replanner, edge->to);
        if (result != PLOY_OK) break;
        replan_record *other = &replanner->records[edge->to];
        if (!(edge->cost + cost < other->look)) continue;
        other->look = edge->cost + cost;
        result = replan_queue(replanner, edge->to);
    }
    return result;
}

// A state got dearer: it starts anew, and so do those whose look came from it.
static ploy_result replan_raise(ploy_replanner *replanner, int32_t state) {
    double old = replanner->records[state].cost;
    replanner->records[state].cost = INFINITY;
    ploy_result result = replan_look(replanner, state);
    if (result != PLOY_OK) return result;
    result = replan_edges(replanner, state, false, &replanner->far_edges);
    for (int32_t i = 0; i < replanner->far_edges.count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &replanner->far_edges.view[i];
        result = replan_touch(replanner, edge->to);
        if (result != PLOY_OK) break;
        if (replanner->records[edge->to].look == edge->cost + old) {
            result = replan_look(replanner, edge->to);
        }
    }
    return result;
}

static ploy_result replan_take(ploy_replanner *replanner) {
    ploy_open_entry first;
    if (!ploy_open_list_peek(replanner->open, &first)) return PLOY_OK;
    replanner->taken++;
    ploy_open_key key = replan_key(replanner, first.state);
    if (ploy_open_key_compare(first.key, 0, key, 0) < 0) {
        return ploy_open_list_update(replanner->open, first.state, key); // (3): out of date
    }
    const replan_record *record = &replanner->records[first.state];
    return record->cost > record->look ? replan_lower(replanner, first.state)
                                       : replan_raise(replanner, first.state);
}

ploy_result ploy_replanner_step(ploy_replanner *replanner, ploy_budget *budget) {
    if (replanner == NULL || replanner->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    while (!replan_done(replanner)) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_result result = replan_take(replanner);
        if (result != PLOY_OK) return replan_failed(replanner, result);
    }
    bool found = replanner->records[replan_target(replanner)].cost < INFINITY;
    replanner->outcome = found ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE;
    return PLOY_OK;
}

ploy_search_outcome ploy_replanner_outcome(const ploy_replanner *replanner) {
    return replanner->outcome;
}

// The edge that a state's cost came by: the best of its nearer edges.
static bool replan_best(ploy_replanner *replanner, int32_t state, ploy_edge *out) {
    if (replan_edges(replanner, state, true, &replanner->near_edges) != PLOY_OK) return false;
    double least = INFINITY;
    for (int32_t i = 0; i < replanner->near_edges.count; i++) {
        const ploy_edge *edge = &replanner->near_edges.view[i];
        double cost = edge->cost + replan_known(replanner, edge->to);
        if (!(cost < INFINITY) || cost > least) continue;
        if (cost == least && edge->to >= out->to) continue;
        least = cost;
        *out = *edge;
    }
    return least < INFINITY;
}

int32_t ploy_replanner_path(ploy_replanner *replanner, ploy_edge *out, int32_t capacity,
                            double *cost) {
    if (replanner->outcome != PLOY_SEARCH_FOUND) return -1;
    int32_t root = replan_root(replanner), target = replan_target(replanner), count = 0;
    ploy_edge edge;
    int32_t state = target;
    for (; state != root && count <= replanner->count; count++) {
        if (!replan_best(replanner, state, &edge)) return -1;
        if (replanner->def.follow && count < capacity) out[count] = edge;
        state = edge.to;
    }
    if (state != root) return -1;
    if (!replanner->def.follow) { // found from its end: walked again, now that its length is known
        int32_t to = target;
        for (int32_t i = count - 1; i >= 0; i--) {
            if (!replan_best(replanner, to, &edge)) return -1;
            int32_t from = edge.to;
            edge.to = to;
            if (i < capacity) out[i] = edge;
            to = from;
        }
    }
    if (cost != NULL) *cost = replanner->records[target].cost;
    return count;
}

double ploy_replanner_cost(const ploy_replanner *replanner, int32_t state) {
    return state >= 0 ? replan_known(replanner, state) : INFINITY;
}

int64_t ploy_replanner_taken(const ploy_replanner *replanner) {
    return replanner->taken;
}

void ploy_replanner_describe(const ploy_replanner *replanner, ploy_describe *out) {
    uint64_t hash = 0;
    for (int32_t i = 0; i < replanner->count; i++) {
        uint64_t bits[2];
        memcpy(bits, &replanner->records[i], sizeof bits);
        if (replanner->records[i].cost == INFINITY && replanner->records[i].look == INFINITY) {
            continue; // untouched: how much room there is, is no state
        }
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)i);
        hash = ploy_hash_combine(ploy_hash_combine(hash, bits[0]), bits[1]);
    }
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(replanner->outcome));
    ploy_describe_i64(out, "start", PLOY_STATE, replanner->start);
    ploy_describe_i64(out, "goal", PLOY_STATE, replanner->goal);
    ploy_describe_f64(out, "shift", PLOY_STATE, replanner->shift);
    ploy_describe_i64(out, "taken", PLOY_STATE, replanner->taken);
    ploy_describe_u64(out, "records", PLOY_STATE, hash);
    ploy_describe_i64(out, "open", PLOY_DERIVED, ploy_open_list_count(replanner->open));
}

void ploy_replanner_memory(const ploy_replanner *replanner, ploy_memory_fn fn, void *user) {
    size_t edges = (size_t)(replanner->near_edges.capacity + replanner->far_edges.capacity);
    ploy_memory_item item = {"replanner",
                             sizeof *replanner + edges * sizeof(ploy_edge) +
                                 (size_t)replanner->count * sizeof *replanner->records,
                             4};
    fn(user, &item);
    ploy_open_list_memory(replanner->open, fn, user);
}
