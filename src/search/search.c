// The search; the header says what its settings give.
//
// Invariants, while there is something to do:
//   (1) a record is of this search exactly if its stamp is the search's;
//   (2) a state is on the open list exactly if its record says SEEN;
//   (3) following parents from any reached state leads to a start: a parent is a closed state, and
//       a closed state's own parent changes only together with a lower cost;
//   (4) `reached` lists the reached states in the order of first sight.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "search/search_internal.h"

static const char *const search_orders[] = {"best", "greedy", "breadth", "depth"};
static const char *const search_stops[] = {"selected", "seen", "proven"};
static const char *const search_storages[] = {"flat", "pages"};
static const char *const search_opens[] = {"heap",        "binary heap", "buckets", "sorted array",
                                           "sorted list", "unsorted",    "fringe"};

static const ploy_field search_fields[] = {
    PLOY_FIELD_ENUM(ploy_search_def, order, PLOY_SEARCH_BEST, search_orders,
                    "which open state is taken first"),
    PLOY_FIELD_ENUM(ploy_search_def, open, PLOY_OPEN_HEAP, search_opens, "kind of open list"),
    PLOY_FIELD_F64(ploy_search_def, bucket_width, 1, 1e-9, 1e9, "", "keys that share a bucket"),
    PLOY_FIELD_F64(ploy_search_def, weight, 1, 0, 1e6, "", "of the estimate; 0 is Dijkstra"),
    PLOY_FIELD_F64(ploy_search_def, weight_step, 0, 0, 1e6, "",
                   "how much to lower the weight after each path; 0: stop at the first"),
    PLOY_FIELD_BOOL(ploy_search_def, reopen, true, "take closed states again for a cheaper way"),
    PLOY_FIELD_BOOL(ploy_search_def, pathmax, false,
                    "an estimate is at least its parent's less "
                    "the edge"),
    PLOY_FIELD_BOOL(ploy_search_def, last_edge_first, false, "depth first follows the last edge"),
    PLOY_FIELD_ENUM(ploy_search_def, stop, PLOY_SEARCH_STOP_SELECTED, search_stops,
                    "when a goal counts as found"),
    PLOY_FIELD_ENUM(ploy_search_def, storage, PLOY_SEARCH_FLAT, search_storages,
                    "where records lie"),
    PLOY_FIELD_F64(ploy_search_def, max_cost, 1e300, 0, 1e300, "", "do not open states beyond"),
    PLOY_FIELD_I32(ploy_search_def, max_states, INT32_MAX, 1, INT32_MAX, "", "most states reached"),
    PLOY_FIELD_I32(ploy_search_def, frontier, 0, 0, 1 << 28, "", "most open states; 0: no limit"),
    PLOY_FIELD_BOOL(ploy_search_def, frontier_grow, false,
                    "begin again with twice the frontier if it was too little"),
};

ploy_fields ploy_search_fields(void) {
    return PLOY_FIELDS(ploy_search_def, search_fields);
}

ploy_search_def ploy_search_def_default(void) {
    ploy_search_def def;
    ploy_fields_default(ploy_search_fields(), &def);
    return def;
}

static ploy_open_kind search_open_kind(const ploy_search_def *def) {
    if (def->order == PLOY_SEARCH_BREADTH) return PLOY_OPEN_QUEUE;
    return def->order == PLOY_SEARCH_DEPTH ? PLOY_OPEN_STACK : def->open;
}

ploy_result ploy_search_create(const ploy_search_def *def, const ploy_env *env, ploy_search **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_search_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (def->open == PLOY_OPEN_FRINGE && def->weight_step > 0.0) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "an anytime search needs an open list with an order");
        return PLOY_ERR_ARGUMENT;
    }
    ploy_search *search = ploy_env_alloc(env, sizeof *search);
    if (search == NULL) return PLOY_ERR_MEMORY;
    memset(search, 0, sizeof *search);
    search->env = *env;
    search->def = *def;
    search->goal = search->nearest = PLOY_STATE_NONE;
    search->bound = INFINITY;
    ploy_edges_init(&search->edges, env);
    ploy_array_init(&search->reached, sizeof(int32_t), env);
    ploy_array_init(&search->later, sizeof(int32_t), env);
    ploy_array_init(&search->starts, sizeof(ploy_search_start), env);
    result = ploy_open_list_create(search_open_kind(def), def->bucket_width, env, &search->open);
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
    ploy_open_list_destroy(search->open);
    ploy_edges_fini(&search->edges);
    ploy_array_fini(&search->reached);
    ploy_array_fini(&search->later);
    ploy_array_fini(&search->starts);
    ploy_env_free(&env, search->flat, (size_t)search->flat_count * sizeof *search->flat);
    for (int32_t i = 0; i < search->page_count; i++) {
        if (search->pages[i] == NULL) continue;
        ploy_env_free(&env, search->pages[i], PLOYI_SEARCH_PAGE * sizeof **search->pages);
    }
    ploy_env_free(&env, search->pages, (size_t)search->page_count * sizeof *search->pages);
    ploy_env_free(&env, search, sizeof *search);
}

// ---- records

static int32_t search_grown(int32_t count, int64_t least) {
    int64_t want = (int64_t)count * 2;
    if (want < least) want = least;
    if (want < PLOY_CAPACITY(64)) want = PLOY_CAPACITY(64);
    return want < INT32_MAX ? (int32_t)want : INT32_MAX;
}

// Makes room for records of states 0 to count - 1.
static ploy_result search_reserve_flat(ploy_search *search, int32_t count) {
    if (count <= search->flat_count) return PLOY_OK;
    size_t old = (size_t)search->flat_count * sizeof *search->flat, size = 0;
    if (!ploy_size_add_array(0, count, sizeof *search->flat, &size)) return PLOY_ERR_MEMORY;
    ployi_search_record *flat = ploy_env_resize(&search->env, search->flat, old, size);
    if (flat == NULL) return PLOY_ERR_MEMORY;
    memset(flat + search->flat_count, 0, size - old);
    search->flat = flat;
    search->flat_count = count;
    return PLOY_OK;
}

static ploy_result search_reserve_pages(ploy_search *search, int32_t count) {
    if (count <= search->page_count) return PLOY_OK;
    size_t old = (size_t)search->page_count * sizeof *search->pages, size = 0;
    if (!ploy_size_add_array(0, count, sizeof *search->pages, &size)) return PLOY_ERR_MEMORY;
    ployi_search_record **pages = ploy_env_resize(&search->env, search->pages, old, size);
    if (pages == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = search->page_count; i < count; i++) pages[i] = NULL;
    search->pages = pages;
    search->page_count = count;
    return PLOY_OK;
}

// Makes a place for a state's record. The record may be of an earlier search.
static ploy_result search_make(ploy_search *search, int32_t state, ployi_search_record **out) {
    if (search->def.storage == PLOY_SEARCH_FLAT) {
        if (state >= search->flat_count) {
            ploy_result result =
                search_reserve_flat(search, search_grown(search->flat_count, (int64_t)state + 1));
            if (result != PLOY_OK) return result;
        }
        *out = &search->flat[state];
        return PLOY_OK;
    }
    int32_t page = state / PLOYI_SEARCH_PAGE;
    if (page >= search->page_count) {
        ploy_result result =
            search_reserve_pages(search, search_grown(search->page_count, (int64_t)page + 1));
        if (result != PLOY_OK) return result;
    }
    if (search->pages[page] == NULL) {
        size_t size = PLOYI_SEARCH_PAGE * sizeof **search->pages;
        search->pages[page] = ploy_env_alloc(&search->env, size);
        if (search->pages[page] == NULL) return PLOY_ERR_MEMORY;
        memset(search->pages[page], 0, size);
        search->pages_made++;
    }
    *out = &search->pages[page][state % PLOYI_SEARCH_PAGE];
    return PLOY_OK;
}

// A new stamp makes every record one of the past. After 2^32 searches they are wiped once.
static void search_forget(ploy_search *search) {
    ploy_open_list_clear(search->open);
    ploy_array_clear(&search->reached);
    ploy_array_clear(&search->later);
    search->goal = search->nearest = PLOY_STATE_NONE;
    search->goal_cost = INFINITY;
    search->bound = INFINITY;
    search->version = 0;
    search->pruned = false;
    search->round = 0;
    search->weight = search->def.weight;
    if (++search->stamp != 0) return;
    for (int32_t i = 0; i < search->flat_count; i++) search->flat[i].stamp = 0;
    for (int32_t i = 0; i < search->page_count; i++) {
        for (int32_t k = 0; search->pages[i] != NULL && k < PLOYI_SEARCH_PAGE; k++) {
            search->pages[i][k].stamp = 0;
        }
    }
    search->stamp = 1;
}

// ---- opening states

static ploy_open_key search_key(const ploy_search *search, const ployi_search_record *record) {
    ploy_open_key key = {record->estimate, -record->cost};
    if (search->def.order == PLOY_SEARCH_BEST) {
        // 0 x INFINITY is no number: without weight the estimate does not count at all.
        double rest = search->weight > 0.0 ? search->weight * record->estimate : 0.0;
        key.first = record->cost + rest;
    }
    return key;
}

static ploy_result search_estimate(ploy_search *search, int32_t state, double *out) {
    *out = 0.0;
    if (search->space.estimate == NULL) return PLOY_OK;
    search->stats.estimates++;
    double estimate = search->space.estimate(search->space.user, state, search->query.goal);
    if (!(estimate >= 0.0)) {
        char text[96];
        snprintf(text, sizeof text, "the estimate of state %d is below 0 or not a number",
                 (int)state);
        ploy_env_log(&search->env, PLOY_SEVERITY_ERROR, text);
        return PLOY_ERR_CALLBACK;
    }
    *out = estimate;
    return PLOY_OK;
}

static bool search_is_goal(const ploy_search *search, int32_t state) {
    if (state == search->query.goal) return true;
    return search->query.is_goal != NULL && search->query.is_goal(search->query.user, state);
}

static void search_note_nearest(ploy_search *search, int32_t state,
                                const ployi_search_record *record) {
    if (search->nearest != PLOY_STATE_NONE) {
        const ployi_search_record *best = ployi_search_at(search, search->nearest);
        if (record->estimate > best->estimate) return;
        if (record->estimate == best->estimate && record->cost > best->cost) return;
        if (record->estimate == best->estimate && record->cost == best->cost &&
            state > search->nearest) {
            return;
        }
    }
    search->nearest = state;
}

// Keeps the open list within the frontier: forgets the worst, perhaps the one just added.
static void search_trim(ploy_search *search) {
    ploy_open_entry worst;
    while (search->frontier > 0 && ploy_open_list_count(search->open) > search->frontier &&
           ploy_open_list_worst(search->open, &worst)) {
        ploy_open_list_remove(search->open, worst.state);
        ployi_search_at(search, worst.state)->status = PLOY_SEARCH_UNSEEN;
        search->stats.forgotten++;
        search->pruned = true;
    }
}

// Puts a state on the open list, or moves it there. Its record is set.
static ploy_result search_open(ploy_search *search, int32_t state, ployi_search_record *record) {
    ploy_open_key key = search_key(search, record);
    if (record->status == PLOY_SEARCH_SEEN) return ploy_open_list_update(search->open, state, key);
    int32_t before = record->status;
    ploy_result result = ploy_open_list_add(search->open, state, key);
    if (result != PLOY_OK) return result;
    record->status = PLOY_SEARCH_SEEN;
    search->stats.opened++;
    if (before == PLOY_SEARCH_CLOSED) search->stats.reopened++;
    search_trim(search);
    if (ploy_open_list_count(search->open) > search->stats.peak_open) {
        search->stats.peak_open = ploy_open_list_count(search->open);
    }
    return PLOY_OK;
}

// Reaches a state for the first time, or again for less.
static ploy_result search_reach(ploy_search *search, int32_t state, int32_t parent,
                                const ploy_edge *edge) {
    const ployi_search_record *from =
        parent != PLOY_STATE_NONE ? ployi_search_at(search, parent) : NULL;
    double so_far = from != NULL ? from->cost : 0.0, ahead = from != NULL ? from->estimate : 0.0;
    ployi_search_record *record = ployi_search_at(search, state);
    bool fresh = record == NULL;
    if (fresh) {
        if (search->reached.count >= search->def.max_states) {
            search->pruned = true;
            return PLOY_OK;
        }
        double estimate = 0.0;
        ploy_result result = search_estimate(search, state, &estimate);
        if (result != PLOY_OK) return result;
        result = search_make(search, state, &record);
        if (result != PLOY_OK) return result;
        result = ploy_array_push(&search->reached, &state);
        if (result != PLOY_OK) return result;
        memset(record, 0, sizeof *record);
        record->stamp = search->stamp;
        record->estimate = estimate;
    }
    record->cost = so_far + edge->cost;
    record->edge = edge->cost;
    record->parent = parent;
    record->label = edge->label;
    if (search->def.pathmax && ahead - edge->cost > record->estimate) {
        record->estimate = ahead - edge->cost;
    }
    search_note_nearest(search, state, record);
    // From here the goal cannot be reached. Among infinite keys the furthest state would be taken
    // first and all others again and again after it, so these states are never opened.
    bool counts = search->def.order == PLOY_SEARCH_GREEDY ||
                  (search->def.order == PLOY_SEARCH_BEST && search->weight > 0.0);
    if (counts && record->estimate == INFINITY) {
        record->status = PLOY_SEARCH_CLOSED;
        return PLOY_OK;
    }
    bool closed = record->status == PLOY_SEARCH_CLOSED && record->round == search->round;
    if (closed && search->def.weight_step > 0.0) {
        // An anytime search puts it off to the next round.
        if (record->later) return PLOY_OK;
        record->later = 1;
        return ploy_array_push(&search->later, &state);
    }
    return search_open(search, state, record);
}

// Is a way to a state worth following, given what is known of the state?
static bool search_improves(const ploy_search *search, const ployi_search_record *record,
                            double cost) {
    if (record == NULL) return true;
    switch (search->def.order) {
    case PLOY_SEARCH_BREADTH: return false;
    case PLOY_SEARCH_DEPTH: return record->status != PLOY_SEARCH_CLOSED; // the last seen counts
    default: break;
    }
    if (record->status == PLOY_SEARCH_UNSEEN) return true; // forgotten before
    if (!(cost < record->cost)) return false;
    return record->status == PLOY_SEARCH_SEEN || search->def.reopen ||
           search->def.weight_step > 0.0;
}

static ploy_result search_follow(ploy_search *search, int32_t state, double so_far,
                                 const ploy_edge *edge) {
    search->stats.edges++;
    bool within = edge->to >= 0 && (search->space.count == 0 || edge->to < search->space.count);
    if (!within || !(edge->cost >= 0.0)) {
        char text[160];
        snprintf(text, sizeof text, "edge %d from state %d %s", (int)edge->label, (int)state,
                 within ? "costs less than 0 or is not a number" : "leads out of the space");
        ploy_env_log(&search->env, PLOY_SEVERITY_ERROR, text);
        return PLOY_ERR_CALLBACK;
    }
    double cost = so_far + edge->cost;
    if (cost > search->def.max_cost) {
        if (edge->cost < INFINITY) search->pruned = true;
        return PLOY_OK;
    }
    if (search->def.stop == PLOY_SEARCH_STOP_PROVEN && cost >= search->goal_cost) return PLOY_OK;
    if (!search_improves(search, ployi_search_at(search, edge->to), cost)) return PLOY_OK;
    if (search->query.allow != NULL && !search->query.allow(search->query.user, edge->to)) {
        return PLOY_OK;
    }
    return search_reach(search, edge->to, state, edge);
}

// ---- begin and step

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

static ploy_result search_open_starts(ploy_search *search) {
    const ploy_search_start *starts = PLOY_ARRAY_ITEMS(&search->starts, ploy_search_start);
    for (int32_t i = 0; i < search->starts.count; i++) {
        const ployi_search_record *record = ployi_search_at(search, starts[i].state);
        if (record != NULL && !(starts[i].cost < record->cost)) continue;
        ploy_edge paid = {starts[i].state, -1, starts[i].cost};
        ploy_result result = search_reach(search, starts[i].state, PLOY_STATE_NONE, &paid);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_search_begin(ploy_search *search, const ploy_search_query *query) {
    if (search == NULL) return PLOY_ERR_ARGUMENT;
    search->outcome = PLOY_SEARCH_IDLE;
    search_forget(search);
    memset(&search->stats, 0, sizeof search->stats);
    if (!search_query_ok(query)) return PLOY_ERR_ARGUMENT;
    search->query = *query;
    search->query.starts = NULL; // read now and never again
    search->space = *query->space;
    search->query.space = NULL;
    search->frontier = search->def.frontier;
    ploy_array_clear(&search->starts);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < query->start_count && result == PLOY_OK; i++) {
        // Member by member: a gap between them would carry what lay on the caller's stack.
        ploy_search_start *start = ploy_array_add(&search->starts);
        if (start == NULL) {
            result = PLOY_ERR_MEMORY;
        } else {
            start->state = query->starts[i].state;
            start->cost = query->starts[i].cost;
        }
    }
    if (result == PLOY_OK && search->space.count > 0) {
        // Taken at once, so that no step of a warm search allocates.
        result = ploy_open_list_reserve(search->open, search->space.count);
        if (result == PLOY_OK && search->def.storage == PLOY_SEARCH_FLAT) {
            result = search_reserve_flat(search, search->space.count);
        }
    }
    if (result == PLOY_OK) result = search_open_starts(search);
    if (result == PLOY_OK) search->outcome = PLOY_SEARCH_OPEN;
    return result;
}

static void search_finish(ploy_search *search, int32_t goal) {
    if (goal != PLOY_STATE_NONE) {
        search->goal = goal;
        search->outcome = PLOY_SEARCH_FOUND;
        return;
    }
    bool had_goal = search->query.goal != PLOY_STATE_NONE || search->query.is_goal != NULL;
    if (had_goal) {
        search->outcome = search->pruned ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
    } else {
        // Everything within max_cost was asked for, so that limit cuts nothing off here.
        bool cut = search->stats.forgotten > 0 || search->reached.count >= search->def.max_states;
        search->outcome = search->pruned && cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_FOUND;
    }
}

// The least that any open path could still come to.
static double search_least(const ploy_search *search) {
    double least = INFINITY;
    ploy_open_entry entry;
    for (int32_t cursor = 0; ploy_open_list_next(search->open, &cursor, &entry);) {
        const ployi_search_record *record = ployi_search_at(search, entry.state);
        double total = record->cost + record->estimate;
        if (total < least) least = total;
    }
    return least;
}

// A path is there. An anytime search tells how good it is and lowers the weight.
// Sets *more if there is a next round.
static ploy_result search_answer(ploy_search *search, int32_t goal, bool *more) {
    const ployi_search_record *record = ployi_search_at(search, goal);
    *more = false;
    search->goal = goal;
    search->goal_cost = record->cost;
    search->version++;
    bool proven = search->def.stop == PLOY_SEARCH_STOP_PROVEN;
    bool selected =
        search->def.stop == PLOY_SEARCH_STOP_SELECTED && search->def.order == PLOY_SEARCH_BEST;
    search->bound = proven                 ? 1.0
                    : !selected            ? INFINITY
                    : search->weight > 1.0 ? search->weight
                                           : 1.0;
    if (!(search->def.weight_step > 0.0) || !selected) return PLOY_OK;
    // With an estimate that is not consistent some may have improved in the last round too: then
    // the path need not be the best yet, whatever the weight says.
    bool last = !(search->weight > 1.0);
    if (last && search->later.count == 0) return PLOY_OK;
    // Those that improved after they were closed come back, and every key is made anew.
    search->round++;
    const int32_t *later = PLOY_ARRAY_ITEMS(&search->later, int32_t);
    for (int32_t i = 0; i < search->later.count; i++) {
        ployi_search_record *late = ployi_search_at(search, later[i]);
        late->later = 0;
        if (late->status == PLOY_SEARCH_SEEN) continue;
        ploy_result result = search_open(search, later[i], late);
        if (result != PLOY_OK) return result;
    }
    ploy_array_clear(&search->later);
    double least = search_least(search);
    double bound = least > 0.0 ? record->cost / least : 1.0;
    if (last || bound < search->bound) search->bound = bound > 1.0 ? bound : 1.0;
    if (search->bound <= 1.0) return PLOY_OK;
    search->weight -= search->def.weight_step;
    if (!(search->weight > 1.0)) search->weight = 1.0;
    const int32_t *reached = PLOY_ARRAY_ITEMS(&search->reached, int32_t);
    for (int32_t i = 0; i < search->reached.count; i++) {
        ployi_search_record *seen = ployi_search_at(search, reached[i]);
        if (seen->status != PLOY_SEARCH_SEEN) continue;
        ploy_result result =
            ploy_open_list_update(search->open, reached[i], search_key(search, seen));
        if (result != PLOY_OK) return result;
    }
    *more = true;
    return PLOY_OK;
}

// Has an anytime search's round come to its end: can nothing open still improve the goal?
static bool search_round_done(ploy_search *search) {
    if (!(search->def.weight_step > 0.0) || search->goal == PLOY_STATE_NONE) return false;
    ploy_open_entry first;
    if (!ploy_open_list_peek(search->open, &first)) return true;
    return !(first.key.first < ployi_search_at(search, search->goal)->cost);
}

// Takes one state. Sets *done when there is nothing more to do.
static ploy_result search_take(ploy_search *search, bool *done) {
    *done = false;
    bool more = false;
    if (search_round_done(search)) {
        ploy_result result = search_answer(search, search->goal, &more);
        *done = !more;
        if (*done) search_finish(search, search->goal);
        return result;
    }
    ploy_open_entry entry;
    if (!ploy_open_list_pop(search->open, &entry)) {
        if (search->pruned && search->frontier > 0 && search->def.frontier_grow &&
            search->goal == PLOY_STATE_NONE && search->frontier <= (1 << 28)) {
            search_forget(search);
            search->frontier *= 2;
            return search_open_starts(search);
        }
        *done = true;
        search_finish(search, search->goal);
        return PLOY_OK;
    }
    int32_t state = entry.state;
    ployi_search_record *record = ployi_search_at(search, state);
    record->status = PLOY_SEARCH_CLOSED;
    record->round = search->round;
    search->stats.taken++;
    double so_far = record->cost;
    if (search->def.stop != PLOY_SEARCH_STOP_SEEN && search_is_goal(search, state)) {
        if (search->def.stop == PLOY_SEARCH_STOP_PROVEN) {
            if (so_far < search->goal_cost) return search_answer(search, state, &more);
            return PLOY_OK;
        }
        ploy_result result = search_answer(search, state, &more);
        if (more || result != PLOY_OK) return result;
        *done = true;
        search_finish(search, state);
        return PLOY_OK;
    }
    if (search->def.stop == PLOY_SEARCH_STOP_PROVEN && so_far >= search->goal_cost) return PLOY_OK;
    ploy_edges_clear(&search->edges);
    const ploy_space *space = &search->space;
    ploy_result result = search->query.backward
                             ? space->expand_back(space->user, state, &search->edges)
                             : space->expand(space->user, state, &search->edges);
    if (result != PLOY_OK) return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
    int32_t count = search->edges.count;
    // A stack gives back the last first, so a state's edges go in backwards.
    bool reverse = search->def.order == PLOY_SEARCH_DEPTH && !search->def.last_edge_first;
    for (int32_t i = 0; i < count; i++) {
        const ploy_edge *edge = &search->edges.view[reverse ? count - 1 - i : i];
        result = search_follow(search, state, so_far, edge);
        if (result != PLOY_OK) return result;
        if (search->def.stop == PLOY_SEARCH_STOP_SEEN && search_is_goal(search, edge->to)) {
            const ployi_search_record *seen = ployi_search_at(search, edge->to);
            if (seen == NULL || seen->status == PLOY_SEARCH_UNSEEN) continue; // cut off
            *done = true;
            result = search_answer(search, edge->to, &more);
            search_finish(search, edge->to);
            return result;
        }
    }
    return PLOY_OK;
}

ploy_result ploy_search_step(ploy_search *search, ploy_budget *budget) {
    if (search == NULL || search->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    while (search->outcome == PLOY_SEARCH_OPEN) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        bool done = false;
        ploy_result result = PLOY_OK;
        // A start that is a goal is seen already.
        const int32_t *first = PLOY_ARRAY_ITEMS(&search->reached, int32_t);
        if (search->def.stop == PLOY_SEARCH_STOP_SEEN && search->stats.taken == 0) {
            for (int32_t i = 0; i < search->reached.count && !done; i++) {
                if (!search_is_goal(search, first[i])) continue;
                result = search_answer(search, first[i], &done);
                search_finish(search, first[i]);
                done = true;
            }
        }
        if (result == PLOY_OK && !done) result = search_take(search, &done);
        if (result != PLOY_OK) {
            search->outcome = PLOY_SEARCH_IDLE;
            return result;
        }
    }
    return PLOY_OK;
}

void ploy_search_cancel(ploy_search *search) {
    search->outcome = PLOY_SEARCH_IDLE;
}

ploy_result ploy_search_run(ploy_search *search, const ploy_search_query *query) {
    ploy_result result = ploy_search_begin(search, query);
    return result == PLOY_OK ? ploy_search_step(search, NULL) : result;
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
