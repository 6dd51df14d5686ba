// Best-first search; the header says what its settings give.
//
// Invariants, while there is something to do:
//   (1) a record is of this search exactly if its stamp is the search's;
//   (2) a state is on the open list exactly if its record says SEEN;
//   (3) following parents from any reached state leads to a start: a parent is a closed state, and
//       a closed state's own parent changes only together with a lower cost;
//   (4) `reached` lists the reached states in the order of first sight.
#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "search/search_internal.h"

static const char *best_first_fault(const ploy_search_def *def) {
    if (def->open == PLOY_OPEN_FRINGE && def->weight_step > 0.0) {
        return "an anytime search needs an open list with an order";
    }
    return NULL;
}

static ploy_open_kind best_first_open_kind(const ploy_search_def *def) {
    if (def->order == PLOY_SEARCH_BREADTH) return PLOY_OPEN_QUEUE;
    return def->order == PLOY_SEARCH_DEPTH ? PLOY_OPEN_STACK : def->open;
}

static ploy_result best_first_create(ploy_search *base) {
    ployi_best_first *search = (ployi_best_first *)base;
    search->stamp = 1; // fresh records have 0: none is of a search that was never begun
    const ploy_env *env = &base->env;
    ploy_array_init(&search->reached, sizeof(int32_t), env);
    ploy_array_init(&search->later, sizeof(int32_t), env);
    return ploy_open_list_create(best_first_open_kind(&base->def), base->def.bucket_width, env,
                                 &search->open);
}

static void best_first_destroy(ploy_search *base) {
    ployi_best_first *search = (ployi_best_first *)base;
    const ploy_env *env = &base->env;
    ploy_open_list_destroy(search->open);
    ploy_array_fini(&search->reached);
    ploy_array_fini(&search->later);
    ploy_env_free(env, search->flat, (size_t)search->flat_count * sizeof *search->flat);
    for (int32_t i = 0; i < search->page_count; i++) {
        if (search->pages[i] == NULL) continue;
        ploy_env_free(env, search->pages[i], PLOYI_SEARCH_PAGE * sizeof **search->pages);
    }
    ploy_env_free(env, search->pages, (size_t)search->page_count * sizeof *search->pages);
}

// ---- records

// Makes room for records of states 0 to count - 1.
static ploy_result best_first_reserve_flat(ployi_best_first *search, int32_t count) {
    if (count <= search->flat_count) return PLOY_OK;
    size_t old = (size_t)search->flat_count * sizeof *search->flat, size = 0;
    if (!ploy_size_add_array(0, count, sizeof *search->flat, &size)) return PLOY_ERR_MEMORY;
    ployi_search_record *flat = ploy_env_resize(&search->base.env, search->flat, old, size);
    if (flat == NULL) return PLOY_ERR_MEMORY;
    memset(flat + search->flat_count, 0, size - old);
    search->flat = flat;
    search->flat_count = count;
    return PLOY_OK;
}

static ploy_result best_first_reserve_pages(ployi_best_first *search, int32_t count) {
    if (count <= search->page_count) return PLOY_OK;
    size_t old = (size_t)search->page_count * sizeof *search->pages, size = 0;
    if (!ploy_size_add_array(0, count, sizeof *search->pages, &size)) return PLOY_ERR_MEMORY;
    ployi_search_record **pages = ploy_env_resize(&search->base.env, search->pages, old, size);
    if (pages == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = search->page_count; i < count; i++) pages[i] = NULL;
    search->pages = pages;
    search->page_count = count;
    return PLOY_OK;
}

// Makes a place for a state's record. The record may be of an earlier search.
static ploy_result best_first_make(ployi_best_first *search, int32_t state,
                                   ployi_search_record **out) {
    if (search->base.def.storage == PLOY_SEARCH_FLAT) {
        if (state >= search->flat_count) {
            ploy_result result = best_first_reserve_flat(
                search, ployi_search_grown(search->flat_count, (int64_t)state + 1));
            if (result != PLOY_OK) return result;
        }
        *out = &search->flat[state];
        return PLOY_OK;
    }
    int32_t page = state / PLOYI_SEARCH_PAGE;
    if (page >= search->page_count) {
        ploy_result result = best_first_reserve_pages(
            search, ployi_search_grown(search->page_count, (int64_t)page + 1));
        if (result != PLOY_OK) return result;
    }
    if (search->pages[page] == NULL) {
        size_t size = PLOYI_SEARCH_PAGE * sizeof **search->pages;
        search->pages[page] = ploy_env_alloc(&search->base.env, size);
        if (search->pages[page] == NULL) return PLOY_ERR_MEMORY;
        memset(search->pages[page], 0, size);
        search->pages_made++;
    }
    *out = &search->pages[page][state % PLOYI_SEARCH_PAGE];
    return PLOY_OK;
}

// A new stamp makes every record one of the past. After 2^32 searches they are wiped once.
static void best_first_forget(ployi_best_first *search) {
    ploy_open_list_clear(search->open);
    ploy_array_clear(&search->reached);
    ploy_array_clear(&search->later);
    search->base.nearest = PLOY_STATE_NONE;
    search->expanding = PLOY_STATE_NONE;
    search->goal_cost = INFINITY;
    search->pruned = false;
    search->round = 0;
    search->weight = search->base.def.weight;
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

static ploy_open_key best_first_key(const ployi_best_first *search,
                                    const ployi_search_record *record) {
    ploy_open_key key = {record->estimate, -record->cost};
    if (search->base.def.order == PLOY_SEARCH_BEST) {
        key.first = record->cost + ployi_search_weighted(search->weight, record->estimate);
    }
    return key;
}

static void best_first_note_nearest(ployi_best_first *search, int32_t state,
                                    const ployi_search_record *record) {
    if (search->base.nearest != PLOY_STATE_NONE) {
        const ployi_search_record *best = ployi_search_at(search, search->base.nearest);
        if (record->estimate > best->estimate) return;
        if (record->estimate == best->estimate && record->cost > best->cost) return;
        if (record->estimate == best->estimate && record->cost == best->cost &&
            state > search->base.nearest) {
            return;
        }
    }
    search->base.nearest = state;
}

// Keeps the open list within the frontier: forgets the worst, perhaps the one just added.
static void best_first_trim(ployi_best_first *search) {
    ploy_open_entry worst;
    while (search->frontier > 0 && ploy_open_list_count(search->open) > search->frontier &&
           ployi_open_list_worst(search->open, &worst)) {
        ploy_open_list_remove(search->open, worst.state);
        ployi_search_at(search, worst.state)->status = PLOY_SEARCH_UNSEEN;
        search->base.stats.forgotten++;
        search->pruned = true;
    }
}

// Puts a state on the open list, or moves it there. Its record is set.
static ploy_result best_first_open(ployi_best_first *search, int32_t state,
                                   ployi_search_record *record) {
    ploy_open_key key = best_first_key(search, record);
    if (record->status == PLOY_SEARCH_SEEN) return ploy_open_list_update(search->open, state, key);
    int32_t before = record->status;
    ploy_result result = ploy_open_list_add(search->open, state, key);
    if (result != PLOY_OK) return result;
    record->status = PLOY_SEARCH_SEEN;
    search->base.stats.opened++;
    if (before == PLOY_SEARCH_CLOSED) search->base.stats.reopened++;
    best_first_trim(search);
    if (ploy_open_list_count(search->open) > search->base.stats.peak_open) {
        search->base.stats.peak_open = ploy_open_list_count(search->open);
    }
    return PLOY_OK;
}

// Reaches a state for the first time, or again for less.
static ploy_result best_first_reach(ployi_best_first *search, int32_t state, int32_t parent,
                                    const ploy_edge *edge) {
    const ployi_search_record *from =
        parent != PLOY_STATE_NONE ? ployi_search_at(search, parent) : NULL;
    double so_far = from != NULL ? from->cost : 0.0, ahead = from != NULL ? from->estimate : 0.0;
    ployi_search_record *record = ployi_search_at(search, state);
    bool fresh = record == NULL;
    if (fresh) {
        if (search->reached.count >= search->base.def.max_states) {
            search->pruned = true;
            return PLOY_OK;
        }
        double estimate = 0.0;
        ploy_result result =
            ployi_search_estimate(&search->base, state, search->base.query.goal, &estimate);
        if (result != PLOY_OK) return result;
        result = best_first_make(search, state, &record);
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
    if (search->base.def.pathmax && ahead - edge->cost > record->estimate) {
        record->estimate = ahead - edge->cost;
    }
    best_first_note_nearest(search, state, record);
    // From here the goal cannot be reached. Among infinite keys the furthest state would be taken
    // first and all others again and again after it, so these states are never opened.
    bool counts = search->base.def.order == PLOY_SEARCH_GREEDY ||
                  (search->base.def.order == PLOY_SEARCH_BEST && search->weight > 0.0);
    if (counts && record->estimate == INFINITY) {
        record->status = PLOY_SEARCH_CLOSED;
        return PLOY_OK;
    }
    bool closed = record->status == PLOY_SEARCH_CLOSED && record->round == search->round;
    if (closed && search->base.def.weight_step > 0.0) {
        // An anytime search puts it off to the next round.
        if (record->later) return PLOY_OK;
        record->later = 1;
        return ploy_array_push(&search->later, &state);
    }
    return best_first_open(search, state, record);
}

// Is a path to a state worth following, given what is known of the state?
static bool best_first_improves(const ployi_best_first *search, const ployi_search_record *record,
                                double cost) {
    if (record == NULL) return true;
    switch (search->base.def.order) {
    case PLOY_SEARCH_BREADTH: return false;
    case PLOY_SEARCH_DEPTH: return record->status != PLOY_SEARCH_CLOSED; // the last seen counts
    default: break;
    }
    if (record->status == PLOY_SEARCH_UNSEEN) return true; // forgotten before
    if (!(cost < record->cost)) return false;
    return record->status == PLOY_SEARCH_SEEN || search->base.def.reopen ||
           search->base.def.weight_step > 0.0;
}

static ploy_result best_first_follow(ployi_best_first *search, int32_t state, double so_far,
                                     const ploy_edge *edge) {
    search->base.stats.edges++;
    ploy_result checked = ployi_search_check_edge(&search->base, state, edge);
    if (checked != PLOY_OK) return checked;
    double cost = so_far + edge->cost;
    if (cost > search->base.def.max_cost) {
        if (edge->cost < INFINITY) search->pruned = true;
        return PLOY_OK;
    }
    if (search->base.def.stop == PLOY_SEARCH_STOP_PROVEN && cost >= search->goal_cost)
        return PLOY_OK;
    if (!best_first_improves(search, ployi_search_at(search, edge->to), cost)) return PLOY_OK;
    if (!ployi_search_allows(&search->base, edge->to)) return PLOY_OK;
    return best_first_reach(search, edge->to, state, edge);
}

// ---- begin and take

static ploy_result best_first_open_starts(ployi_best_first *search) {
    const ploy_search_start *starts = PLOY_ARRAY_ITEMS(&search->base.starts, ploy_search_start);
    for (int32_t i = 0; i < search->base.starts.count; i++) {
        const ployi_search_record *record = ployi_search_at(search, starts[i].state);
        if (record != NULL && !(starts[i].cost < record->cost)) continue;
        ploy_edge paid = {starts[i].state, -1, starts[i].cost};
        ploy_result result = best_first_reach(search, starts[i].state, PLOY_STATE_NONE, &paid);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static void best_first_clear(ploy_search *base) {
    best_first_forget((ployi_best_first *)base);
}

static ploy_result best_first_reserve(ploy_search *base, int32_t states) {
    ployi_best_first *search = (ployi_best_first *)base;
    ploy_result result = ploy_array_reserve(&search->reached, states);
    if (result == PLOY_OK) result = ploy_open_list_reserve(search->open, states);
    if (result == PLOY_OK && base->def.storage == PLOY_SEARCH_FLAT) {
        result = best_first_reserve_flat(search, states);
    }
    return result;
}

static ploy_result best_first_begin(ploy_search *base) {
    ployi_best_first *search = (ployi_best_first *)base;
    search->frontier = base->def.frontier;
    ploy_result result = PLOY_OK;
    if (base->space.count > 0) {
        // Taken at once, so that no step of a warm search allocates.
        result = ploy_open_list_reserve(search->open, base->space.count);
        if (result == PLOY_OK && base->def.storage == PLOY_SEARCH_FLAT) {
            result = best_first_reserve_flat(search, base->space.count);
        }
    }
    return result == PLOY_OK ? best_first_open_starts(search) : result;
}

static void best_first_finish(ployi_best_first *search, int32_t goal) {
    if (goal != PLOY_STATE_NONE) {
        search->base.goal = goal;
        search->base.outcome = PLOY_SEARCH_FOUND;
        return;
    }
    bool had_goal =
        search->base.query.goal != PLOY_STATE_NONE || search->base.query.is_goal != NULL;
    if (had_goal) {
        search->base.outcome = search->pruned ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
    } else {
        // Everything within max_cost was requested, so that limit cuts nothing off here.
        bool cut = search->base.stats.forgotten > 0 ||
                   search->reached.count >= search->base.def.max_states;
        search->base.outcome = search->pruned && cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_FOUND;
    }
}

// The least that any open path could still come to.
static double best_first_least(const ployi_best_first *search) {
    double least = INFINITY;
    ploy_open_entry entry;
    for (int32_t cursor = 0; ployi_open_list_next(search->open, &cursor, &entry);) {
        const ployi_search_record *record = ployi_search_at(search, entry.state);
        double total = record->cost + record->estimate;
        if (total < least) least = total;
    }
    return least;
}

// A path is there. An anytime search reports how good it is and lowers the weight.
// Sets *more if there is a next round.
static ploy_result best_first_answer(ployi_best_first *search, int32_t goal, bool *more) {
    const ployi_search_record *record = ployi_search_at(search, goal);
    *more = false;
    search->base.goal = goal;
    search->goal_cost = record->cost;
    search->base.version++;
    bool proven = search->base.def.stop == PLOY_SEARCH_STOP_PROVEN;
    bool selected = search->base.def.stop == PLOY_SEARCH_STOP_SELECTED &&
                    search->base.def.order == PLOY_SEARCH_BEST;
    search->base.bound = proven                 ? 1.0
                         : !selected            ? INFINITY
                         : search->weight > 1.0 ? search->weight
                                                : 1.0;
    if (!(search->base.def.weight_step > 0.0) || !selected) return PLOY_OK;
    // With an estimate that is not consistent some may have improved in the last round too: then
    // the path need not be the best yet, whatever the weight says.
    bool last = !(search->weight > 1.0);
    if (last && search->later.count == 0) return PLOY_OK;
    // Those that improved after they were closed come back, and every key is computed again.
    search->round++;
    const int32_t *later = PLOY_ARRAY_ITEMS(&search->later, int32_t);
    for (int32_t i = 0; i < search->later.count; i++) {
        ployi_search_record *late = ployi_search_at(search, later[i]);
        late->later = 0;
        if (late->status == PLOY_SEARCH_SEEN) continue;
        ploy_result result = best_first_open(search, later[i], late);
        if (result != PLOY_OK) return result;
    }
    ploy_array_clear(&search->later);
    double least = best_first_least(search);
    double bound = least > 0.0 ? record->cost / least : 1.0;
    if (last || bound < search->base.bound) search->base.bound = bound > 1.0 ? bound : 1.0;
    if (search->base.bound <= 1.0) return PLOY_OK;
    search->weight -= search->base.def.weight_step;
    if (!(search->weight > 1.0)) search->weight = 1.0;
    const int32_t *reached = PLOY_ARRAY_ITEMS(&search->reached, int32_t);
    for (int32_t i = 0; i < search->reached.count; i++) {
        ployi_search_record *seen = ployi_search_at(search, reached[i]);
        if (seen->status != PLOY_SEARCH_SEEN) continue;
        ploy_result result =
            ploy_open_list_update(search->open, reached[i], best_first_key(search, seen));
        if (result != PLOY_OK) return result;
    }
    *more = true;
    return PLOY_OK;
}

// Has an anytime search's round come to its end: can nothing open still improve the goal?
static bool best_first_round_done(ployi_best_first *search) {
    if (!(search->base.def.weight_step > 0.0) || search->base.goal == PLOY_STATE_NONE) return false;
    ploy_open_entry first;
    if (!ployi_open_list_peek(search->open, &first)) return true;
    return !(first.key.first < ployi_search_at(search, search->base.goal)->cost);
}

// A start that is a goal counts as seen before anything is taken.
static ploy_result best_first_take_seen(ployi_best_first *search) {
    const int32_t *first = PLOY_ARRAY_ITEMS(&search->reached, int32_t);
    for (int32_t i = 0; i < search->reached.count; i++) {
        if (!ployi_search_is_goal(&search->base, first[i])) continue;
        bool more = false;
        ploy_result result = best_first_answer(search, first[i], &more);
        best_first_finish(search, first[i]);
        return result;
    }
    return PLOY_OK;
}

// The open list is empty: starts again with a larger frontier, or ends the search.
static ploy_result best_first_run_out(ployi_best_first *search) {
    if (search->pruned && search->frontier > 0 && search->base.def.frontier_grow &&
        search->base.goal == PLOY_STATE_NONE && search->frontier <= (1 << 28)) {
        best_first_forget(search);
        search->frontier *= 2;
        return best_first_open_starts(search);
    }
    best_first_finish(search, search->base.goal);
    return PLOY_OK;
}

// Follows the edges out of a state, or those of the next part of them.
static ploy_result best_first_expand(ployi_best_first *search, int32_t state) {
    ploy_search *base = &search->base;
    ploy_search_stop stop = base->def.stop;
    double so_far = ployi_search_at(search, state)->cost;
    // A stack gives back the last first, so a state's edges go in backwards.
    bool reverse = base->def.order == PLOY_SEARCH_DEPTH && !base->def.last_edge_first, more = false;
    search->expanding = PLOY_STATE_NONE;
    ploy_result result = ployi_search_expand_part(base, state, base->query.backward, &base->edges);
    if (result == PLOY_IN_PROGRESS && base->def.order == PLOY_SEARCH_DEPTH) {
        return PLOY_ERR_CALLBACK; // the last part would have to come first
    }
    if (result == PLOY_IN_PROGRESS) search->expanding = state;
    if (result < PLOY_OK) return result;
    int32_t count = base->edges.count;
    for (int32_t i = 0; i < count; i++) {
        const ploy_edge *edge = &base->edges.view[reverse ? count - 1 - i : i];
        result = best_first_follow(search, state, so_far, edge);
        if (result != PLOY_OK) return result;
        if (stop == PLOY_SEARCH_STOP_SEEN && ployi_search_is_goal(base, edge->to)) {
            const ployi_search_record *seen = ployi_search_at(search, edge->to);
            if (seen == NULL || seen->status == PLOY_SEARCH_UNSEEN) continue; // cut off
            result = best_first_answer(search, edge->to, &more);
            best_first_finish(search, edge->to);
            return result;
        }
    }
    return PLOY_OK;
}

static ploy_result best_first_take(ploy_search *base) {
    ployi_best_first *search = (ployi_best_first *)base;
    ploy_search_stop stop = base->def.stop;
    bool more = false;
    if (search->expanding != PLOY_STATE_NONE) return best_first_expand(search, search->expanding);
    if (stop == PLOY_SEARCH_STOP_SEEN && base->stats.taken == 0) {
        ploy_result result = best_first_take_seen(search);
        if (result != PLOY_OK || base->outcome != PLOY_SEARCH_OPEN) return result;
    }
    if (best_first_round_done(search)) {
        ploy_result result = best_first_answer(search, base->goal, &more);
        if (!more) best_first_finish(search, base->goal);
        return result;
    }
    ploy_open_entry entry;
    if (!ploy_open_list_pop(search->open, &entry)) return best_first_run_out(search);
    int32_t state = entry.state;
    ployi_search_record *record = ployi_search_at(search, state);
    record->status = PLOY_SEARCH_CLOSED;
    record->round = search->round;
    base->stats.taken++;
    double so_far = record->cost;
    if (stop != PLOY_SEARCH_STOP_SEEN && ployi_search_is_goal(base, state)) {
        if (stop == PLOY_SEARCH_STOP_PROVEN) {
            if (so_far < search->goal_cost) return best_first_answer(search, state, &more);
            return PLOY_OK;
        }
        ploy_result result = best_first_answer(search, state, &more);
        if (!more && result == PLOY_OK) best_first_finish(search, state);
        return result;
    }
    if (stop == PLOY_SEARCH_STOP_PROVEN && so_far >= search->goal_cost) return PLOY_OK;
    return best_first_expand(search, state);
}

// ---- results

static int32_t best_first_path(const ploy_search *base, int32_t state, ploy_edge *out,
                               int32_t capacity, double *cost) {
    const ployi_best_first *search = (const ployi_best_first *)base;
    const ployi_search_record *record = ployi_search_at(search, state);
    if (record == NULL) return -1;
    int32_t count = 0;
    for (const ployi_search_record *at = record; at->parent != PLOY_STATE_NONE; count++) {
        at = ployi_search_at(search, at->parent);
    }
    if (cost != NULL) *cost = record->cost;
    bool backward = base->query.backward;
    int32_t to = state;
    for (int32_t index = count - 1; index >= 0; index--) {
        // A backward search went against the edges: the path is turned round again.
        int32_t place = backward ? count - 1 - index : index;
        if (place < capacity) {
            out[place].to = backward ? record->parent : to;
            out[place].label = record->label;
            out[place].cost = record->edge;
        }
        to = record->parent;
        record = ployi_search_at(search, to);
    }
    return count;
}

static bool best_first_get(const ploy_search *base, int32_t state, ploy_search_node *out) {
    const ployi_best_first *search = (const ployi_best_first *)base;
    const ployi_search_record *record = ployi_search_at(search, state);
    if (record == NULL) return false;
    out->status = (ploy_search_status)record->status;
    out->parent = record->parent;
    out->label = record->label;
    out->cost = record->cost;
    out->estimate = record->estimate;
    out->start = state;
    while (record->parent != PLOY_STATE_NONE) {
        out->start = record->parent;
        record = ployi_search_at(search, record->parent);
    }
    return true;
}

static int32_t best_first_reached(const ploy_search *base) {
    return ((const ployi_best_first *)base)->reached.count;
}

static int32_t best_first_reached_at(const ploy_search *base, int32_t index) {
    const ployi_best_first *search = (const ployi_best_first *)base;
    return PLOY_ARRAY_ITEMS(&search->reached, int32_t)[index];
}

static void best_first_describe(const ploy_search *base, ploy_describe *out) {
    const ployi_best_first *search = (const ployi_best_first *)base;
    uint64_t hash = 0;
    for (int32_t i = 0; i < search->reached.count; i++) {
        int32_t state = best_first_reached_at(base, i);
        const ployi_search_record *record = ployi_search_at(search, state);
        uint64_t bits[2];
        memcpy(bits, &record->cost, sizeof bits[0]);
        memcpy(bits + 1, &record->estimate, sizeof bits[1]);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)state);
        hash = ploy_hash_combine(hash, bits[0]);
        hash = ploy_hash_combine(hash, bits[1]);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)record->parent);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)record->label);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)(record->status + 4 * record->later));
    }
    ploy_describe_f64(out, "weight", PLOY_STATE, search->weight);
    ploy_describe_i64(out, "frontier", PLOY_STATE, search->frontier);
    ploy_describe_u64(out, "records", PLOY_STATE, hash);
    ploy_describe_i64(out, "reached", PLOY_DERIVED, search->reached.count);
    ploy_describe_i64(out, "open", PLOY_DERIVED, ploy_open_list_count(search->open));
}

static void best_first_memory(const ploy_search *base, ploy_memory_fn fn, void *user) {
    const ployi_best_first *search = (const ployi_best_first *)base;
    size_t bytes = (size_t)search->flat_count * sizeof *search->flat +
                   (size_t)search->page_count * sizeof *search->pages +
                   (size_t)search->pages_made * PLOYI_SEARCH_PAGE * sizeof *search->flat;
    int64_t blocks = search->pages_made + (search->flat != NULL) + (search->pages != NULL);
    ploy_memory_item records = {"search records", bytes, blocks};
    fn(user, &records);
    ploy_array_memory(&search->reached, fn, user);
    ploy_array_memory(&search->later, fn, user);
    ploy_open_list_memory(search->open, fn, user);
}

const ployi_search_method ployi_search_best_first = {
    .size = sizeof(ployi_best_first),
    .flags = PLOYI_SEARCH_STARTS | PLOYI_SEARCH_PAID | PLOYI_SEARCH_BACKWARD |
             PLOYI_SEARCH_IS_GOAL | PLOYI_SEARCH_NO_GOAL | PLOYI_SEARCH_ALLOW,
    .fault = best_first_fault,
    .create = best_first_create,
    .destroy = best_first_destroy,
    .clear = best_first_clear,
    .begin = best_first_begin,
    .reserve = best_first_reserve,
    .take = best_first_take,
    .path = best_first_path,
    .get = best_first_get,
    .reached = best_first_reached,
    .reached_at = best_first_reached_at,
    .describe = best_first_describe,
    .memory = best_first_memory,
};
