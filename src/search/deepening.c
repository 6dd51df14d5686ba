// Depth-first methods that keep only the path they are on: depth limited, deepening, ida*.
//
// The path is a stack of frames; each owns a run of branches, behind those of the frame below it:
//
//     frames:    [start][    ][top]
//     branches:  | a b c | d e | f g h |
//                   ^ taken ^     ^ next
//
// With query.states, states found by expanding a frame are removed when the frame is left, so that
// they are a third stack.
//
// Invariants, while there is something to do:
//   (1) frames[i] for i > 0 is the branch that frames[i - 1] took last;
//   (2) the branches of a frame begin where those of the frame below it end;
//   (3) every frame's cost and estimate are within the limit;
//   (4) a place of the table belongs to this round exactly if its round does, and holds the least
//       cost at which its state was visited in it.
#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "search/search_internal.h"

typedef struct deepening_frame {
    double cost; // so far
    int32_t state;
    int32_t first, next, end;
    int32_t mark; // query.states held this many before the frame was expanded
    int32_t reserved;
} deepening_frame;

typedef struct deepening_place {
    double cost;
    int32_t round; // 0: empty
} deepening_place;

typedef struct deepening_search {
    ploy_search base;
    ploy_array frames;   // deepening_frame
    ploy_array branches; // ploy_edge
    deepening_place *places;
    ploy_array table;  // bytes of the places' states, or their numbers
    double next_limit; // least that was cut off in this round
    double max_limit;
    bool by_depth; // the limit is on edges, not on cost and estimate
    bool cut;      // by max_depth or max_cost
} deepening_search;

static ploy_result deepening_create(ploy_search *base) {
    deepening_search *search = (deepening_search *)base;
    const ploy_env *env = &base->env;
    ploy_array_init(&search->frames, sizeof(deepening_frame), env);
    ploy_array_init(&search->branches, sizeof(ploy_edge), env);
    ploy_array_init(&search->table, sizeof(int32_t), env);
    search->by_depth = base->def.method != PLOY_SEARCH_METHOD_IDA_STAR;
    size_t size = (size_t)base->def.table * sizeof *search->places;
    if (size == 0) return PLOY_OK;
    search->places = ploy_env_alloc(env, size);
    if (search->places == NULL) return PLOY_ERR_MEMORY;
    memset(search->places, 0, size);
    return PLOY_OK;
}

static void deepening_destroy(ploy_search *base) {
    deepening_search *search = (deepening_search *)base;
    ploy_array_fini(&search->frames);
    ploy_array_fini(&search->branches);
    ploy_array_fini(&search->table);
    ploy_env_free(&base->env, search->places, (size_t)base->def.table * sizeof *search->places);
}

static void deepening_clear(ploy_search *base) {
    deepening_search *search = (deepening_search *)base;
    ploy_array_clear(&search->frames);
    ploy_array_clear(&search->branches);
    search->cut = false;
    for (int32_t i = 0; search->places != NULL && i < base->def.table; i++) {
        search->places[i].round = 0;
    }
}

static ploy_result deepening_begin(ploy_search *base) {
    deepening_search *search = (deepening_search *)base;
    size_t size = base->query.states != NULL ? (size_t)ployi_states_size(base->query.states)
                                             : sizeof(int32_t);
    if (search->table.item_size != size) {
        ploy_array_fini(&search->table);
        ploy_array_init(&search->table, size, &base->env);
    }
    ploy_result result = ploy_array_resize(&search->table, base->def.table);
    if (result != PLOY_OK) return result;
    // Before the first round, so that the start's own cost sets the first limit.
    search->next_limit = base->def.first_limit;
    search->max_limit = base->def.max_cost;
    if (search->by_depth) search->max_limit = base->def.max_depth;
    if (base->def.method == PLOY_SEARCH_METHOD_DEPTH_LIMITED) {
        search->next_limit = base->def.max_depth;
    }
    base->stats.limit = -INFINITY;
    return PLOY_OK;
}

// ---- one state

static deepening_frame *deepening_frame_at(const deepening_search *search, int32_t index) {
    return ploy_array_at(&search->frames, index);
}

static deepening_frame *deepening_top(const deepening_search *search) {
    return deepening_frame_at(search, search->frames.count - 1);
}

static bool deepening_same(const deepening_search *search, int32_t a, int32_t b) {
    const ploy_states *states = search->base.query.states;
    return states != NULL ? ployi_states_same(states, a, b) : a == b;
}

static bool deepening_is_goal(const deepening_search *search, int32_t state) {
    int32_t goal = search->base.query.goal;
    if (goal != PLOY_STATE_NONE && deepening_same(search, goal, state)) return true;
    return ployi_search_is_goal(&search->base, state);
}

// Is the state on the path already?
static bool deepening_repeats(const deepening_search *search, int32_t state) {
    ploy_search_cycles cycles = search->base.def.cycles;
    int32_t last = search->frames.count - 1, first = 0;
    if (cycles == PLOY_SEARCH_CYCLES_ALLOWED) return false;
    if (cycles == PLOY_SEARCH_CYCLES_PARENT) first = last > 0 ? last - 1 : 0;
    for (int32_t i = last; i >= first; i--) {
        if (deepening_same(search, deepening_frame_at(search, i)->state, state)) return true;
    }
    return false;
}

// Was the state visited in this round for no more? Otherwise notes that it is now.
static bool deepening_remembers(deepening_search *search, int32_t state, double cost) {
    int32_t count = search->base.def.table;
    if (count == 0) return false;
    size_t size = search->table.item_size;
    const ploy_states *states = search->base.query.states;
    const void *key = states != NULL ? ploy_states_get(states, state) : &state;
    int32_t index = (int32_t)(ploy_hash_bytes(key, size, 0) % (uint64_t)count);
    deepening_place *place = &search->places[index];
    void *bytes = ploy_array_at(&search->table, index);
    bool known = place->round == search->base.stats.rounds && memcmp(bytes, key, size) == 0;
    if (known && place->cost <= cost) return true;
    memcpy(bytes, key, size);
    place->round = search->base.stats.rounds;
    place->cost = cost;
    return false;
}

// Is a state within the limit? If not, the limit of the next round may be its own.
static ploy_result deepening_within(deepening_search *search, int32_t state, double cost,
                                    bool *within) {
    double total = (double)search->frames.count; // edges of the path to it
    if (search->by_depth) {
        if (cost > search->base.def.max_cost) {
            search->cut = true;
            *within = false;
            return PLOY_OK;
        }
    } else {
        double estimate = 0.0;
        ploy_result result =
            ployi_search_estimate(&search->base, state, search->base.query.goal, &estimate);
        if (result != PLOY_OK) return result;
        total = cost + ployi_search_weighted(search->base.def.weight, estimate);
    }
    *within = total <= search->base.stats.limit;
    if (!*within && total < search->next_limit) search->next_limit = total;
    return PLOY_OK;
}

static void deepening_found(deepening_search *search, int32_t state) {
    ploy_search *base = &search->base;
    base->outcome = PLOY_SEARCH_FOUND;
    base->goal = state;
    base->version = 1;
    bool exact = !search->by_depth && base->def.limit_step == 0.0 && !search->cut;
    base->bound = !exact ? INFINITY : base->def.weight > 1.0 ? base->def.weight : 1.0;
}

// Puts a state, which is the branch taken last, on the path and finds its branches.
static ploy_result deepening_visit(deepening_search *search, int32_t state, double cost) {
    ploy_search *base = &search->base;
    deepening_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.cost = cost;
    frame.state = state;
    frame.first = frame.next = frame.end = search->branches.count;
    frame.mark = base->query.states != NULL ? ploy_states_count(base->query.states) : 0;
    base->stats.taken++;
    ploy_result result = ploy_array_push(&search->frames, &frame);
    if (result != PLOY_OK) return result;
    if (deepening_is_goal(search, state)) {
        deepening_found(search, state);
        return PLOY_OK;
    }
    if (!search->by_depth && search->frames.count > base->def.max_depth) {
        search->cut = true;
        return PLOY_OK;
    }
    result = ployi_search_expand(base, state, false, &base->edges);
    for (int32_t i = 0; i < base->edges.count && result == PLOY_OK; i++) {
        const ploy_edge *edge = &base->edges.view[i];
        result = ployi_search_check_edge(base, state, edge);
        if (result != PLOY_OK || edge->cost == INFINITY) continue;
        result = ploy_array_push(&search->branches, edge);
    }
    deepening_top(search)->end = search->branches.count;
    return result;
}

static void deepening_leave(deepening_search *search) {
    const deepening_frame *top = deepening_top(search);
    ploy_states *states = search->base.query.states;
    if (states != NULL) ployi_states_cut(states, top->mark);
    (void)ploy_array_resize(&search->branches, top->first); // cutting down cannot fail
    ploy_array_pop(&search->frames, NULL);
}

// ---- rounds

static ploy_result deepening_start_round(deepening_search *search) {
    ploy_search *base = &search->base;
    double limit = search->next_limit, old = base->stats.limit;
    if (limit == INFINITY || limit > search->max_limit) {
        bool cut = search->cut || limit < INFINITY;
        base->outcome = cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    if (old > -INFINITY && limit < old + base->def.limit_step) {
        limit = old + base->def.limit_step;
        if (limit > search->max_limit) limit = search->max_limit;
    }
    base->stats.limit = limit;
    search->next_limit = INFINITY;
    bool within = false;
    const ploy_search_start *start = ployi_search_first(base);
    ploy_result result = deepening_within(search, start->state, start->cost, &within);
    if (result != PLOY_OK) return result;
    if (!within && base->stats.rounds == 0) return PLOY_OK; // the start sets the first limit
    base->stats.rounds++;
    if (!within) return PLOY_OK;
    deepening_remembers(search, start->state, search->by_depth ? 0.0 : start->cost);
    return deepening_visit(search, start->state, start->cost);
}

// Visits one state, or finds out that there is none left in this round.
static ploy_result deepening_take(ploy_search *base) {
    deepening_search *search = (deepening_search *)base;
    while (search->frames.count > 0) {
        deepening_frame *top = deepening_top(search);
        if (top->next == top->end) {
            deepening_leave(search);
            continue;
        }
        const ploy_edge *branch = ploy_array_at(&search->branches, top->next++);
        int32_t state = branch->to;
        double cost = top->cost + branch->cost;
        base->stats.edges++;
        if (deepening_repeats(search, state)) continue;
        if (!ployi_search_allows(base, state)) continue;
        bool within = false;
        ploy_result result = deepening_within(search, state, cost, &within);
        if (result != PLOY_OK) return result;
        if (!within) continue;
        double known = search->by_depth ? (double)search->frames.count : cost;
        if (deepening_remembers(search, state, known)) {
            base->stats.remembered++;
            continue;
        }
        return deepening_visit(search, state, cost);
    }
    return deepening_start_round(search);
}

// ---- results

// The frame of a state on the path, or -1.
static int32_t deepening_find(const deepening_search *search, int32_t state) {
    for (int32_t i = search->frames.count - 1; i >= 0; i--) {
        if (deepening_frame_at(search, i)->state == state) return i;
    }
    return -1;
}

// The edge into a frame above the first.
static const ploy_edge *deepening_edge(const deepening_search *search, int32_t index) {
    return ploy_array_at(&search->branches, deepening_frame_at(search, index - 1)->next - 1);
}

static int32_t deepening_path(const ploy_search *base, int32_t state, ploy_edge *out,
                              int32_t capacity, double *cost) {
    const deepening_search *search = (const deepening_search *)base;
    int32_t count = deepening_find(search, state);
    if (count < 0) return -1;
    for (int32_t i = 0; i < count && i < capacity; i++) out[i] = *deepening_edge(search, i + 1);
    if (cost != NULL) *cost = deepening_frame_at(search, count)->cost;
    return count;
}

static bool deepening_get(const ploy_search *base, int32_t state, ploy_search_node *out) {
    const deepening_search *search = (const deepening_search *)base;
    int32_t index = deepening_find(search, state);
    if (index < 0) return false;
    out->status = PLOY_SEARCH_CLOSED;
    out->parent = index > 0 ? deepening_frame_at(search, index - 1)->state : PLOY_STATE_NONE;
    out->label = index > 0 ? deepening_edge(search, index)->label : -1;
    out->start = deepening_frame_at(search, 0)->state;
    out->cost = deepening_frame_at(search, index)->cost;
    out->estimate = 0.0;
    const ploy_space *space = &base->space;
    if (space->estimate != NULL) {
        out->estimate = space->estimate(space->user, state, base->query.goal);
    }
    return true;
}

static int32_t deepening_reached(const ploy_search *base) {
    return ((const deepening_search *)base)->frames.count;
}

static int32_t deepening_reached_at(const ploy_search *base, int32_t index) {
    return deepening_frame_at((const deepening_search *)base, index)->state;
}

static void deepening_describe(const ploy_search *base, ploy_describe *out) {
    const deepening_search *search = (const deepening_search *)base;
    uint64_t path = 0, known = 0;
    for (int32_t i = 0; i < search->frames.count; i++) {
        const deepening_frame *frame = deepening_frame_at(search, i);
        path = ploy_hash_combine(path, (uint64_t)(uint32_t)frame->state);
        path = ploy_hash_combine(path, (uint64_t)(uint32_t)frame->next);
    }
    for (int32_t i = 0; search->places != NULL && i < base->def.table; i++) {
        if (search->places[i].round != base->stats.rounds) continue;
        uint64_t bits = 0;
        memcpy(&bits, &search->places[i].cost, sizeof bits);
        known = ploy_hash_combine(known, bits ^ (uint64_t)(uint32_t)i);
    }
    ploy_describe_f64(out, "limit", PLOY_STATE, base->stats.limit);
    ploy_describe_f64(out, "next limit", PLOY_STATE, search->next_limit);
    ploy_describe_i64(out, "rounds", PLOY_STATE, base->stats.rounds);
    ploy_describe_i64(out, "depth", PLOY_DERIVED, search->frames.count);
    ploy_describe_u64(out, "path", PLOY_STATE, path);
    ploy_describe_u64(out, "table", PLOY_STATE, known);
    ploy_describe_i64(out, "remembered", PLOY_STATE, base->stats.remembered);
    ploy_describe_bool(out, "cut", PLOY_STATE, search->cut);
}

static void deepening_memory(const ploy_search *base, ploy_memory_fn fn, void *user) {
    const deepening_search *search = (const deepening_search *)base;
    size_t size = search->places != NULL ? (size_t)base->def.table * sizeof *search->places : 0;
    ploy_memory_item places = {"search table", size, size > 0};
    fn(user, &places);
    ploy_array_memory(&search->frames, fn, user);
    ploy_array_memory(&search->branches, fn, user);
    ploy_array_memory(&search->table, fn, user);
}

const ployi_search_method ployi_search_deepening = {
    .size = sizeof(deepening_search),
    .flags = PLOYI_SEARCH_PAID | PLOYI_SEARCH_IS_GOAL | PLOYI_SEARCH_ALLOW,
    .create = deepening_create,
    .destroy = deepening_destroy,
    .clear = deepening_clear,
    .begin = deepening_begin,
    .take = deepening_take,
    .path = deepening_path,
    .get = deepening_get,
    .reached = deepening_reached,
    .reached_at = deepening_reached_at,
    .describe = deepening_describe,
    .memory = deepening_memory,
};
