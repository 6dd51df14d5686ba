// Bidirectional search: two fills that meet.
//
// Each side is a best-first search without a goal; the backward one runs in a space
// turned round. When a state is taken that the other side has reached, the two halves are a path.
// That is enough to find the best one: on it there is an edge from a state that one side has taken
// to a state that the other has, and whichever of the two was taken later had been reached from the
// other side by then.
#include <math.h>
#include <string.h>

#include "search/search_internal.h"

typedef struct both_search {
    ploy_search base;
    ploy_search *sides[2]; // best first
    int32_t start;
    int32_t turn; // whose: 0 forward, 1 backward
    int32_t meeting;
    double best; // cost of the best meeting
    bool blind;  // without estimates
    bool shut;   // the goal may not be entered; the backward side would not notice
} both_search;

static const char *both_fault(const ploy_search_def *def) {
    if (def->weight > 1.0) return "the weight must be at most 1";
    if (def->open == PLOY_OPEN_FRINGE) return "the open list must have an order";
    return NULL;
}

static const ployi_best_first *both_side(const both_search *both, int32_t side) {
    return (const ployi_best_first *)both->sides[side];
}

static void both_clear(ploy_search *base) {
    both_search *both = (both_search *)base;
    both->meeting = PLOY_STATE_NONE;
    both->best = INFINITY;
    both->turn = 0;
    for (int32_t i = 0; i < 2; i++) both->sides[i]->method->clear(both->sides[i]);
}

static ploy_result both_create(ploy_search *base) {
    both_search *both = (both_search *)base;
    ploy_search_def def = base->def;
    def.method = PLOY_SEARCH_METHOD_BEST_FIRST;
    for (int32_t i = 0; i < 2; i++) {
        ploy_result result = ploy_search_create(&def, &base->env, &both->sides[i]);
        if (result != PLOY_OK) return result;
    }
    both_clear(base);
    return PLOY_OK;
}

static void both_destroy(ploy_search *base) {
    both_search *both = (both_search *)base;
    ploy_search_destroy(both->sides[0]);
    ploy_search_destroy(both->sides[1]);
}

static ploy_result both_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_space *space = &((const both_search *)user)->base.space;
    return space->expand(space->user, state, out);
}

static ploy_result both_expand_back(void *user, int32_t state, ploy_edges *out) {
    const ploy_space *space = &((const both_search *)user)->base.space;
    return space->expand_back(space->user, state, out);
}

static double both_estimate(void *user, int32_t state, int32_t goal) {
    const both_search *both = user;
    (void)goal; // a side has none, so that it goes on past the other's start
    return both->base.space.estimate(both->base.space.user, state, both->base.query.goal);
}

static double both_estimate_back(void *user, int32_t state, int32_t goal) {
    const both_search *both = user;
    (void)goal;
    return both->base.space.estimate(both->base.space.user, both->start, state);
}

static ploy_result both_begin(ploy_search *base) {
    both_search *both = (both_search *)base;
    const ploy_space *space = &base->space;
    const ploy_search_start *start = ployi_search_first(base);
    both->start = start->state;
    both->shut = start->state != base->query.goal && !ployi_search_allows(base, base->query.goal);
    both->blind = space->estimate == NULL || base->def.weight == 0.0;
    ploy_space turned[2] = {{space->count, both_expand, NULL, NULL, both},
                            {space->count, both_expand_back, NULL, NULL, both}};
    if (space->estimate != NULL) {
        turned[0].estimate = both_estimate;
        turned[1].estimate = both_estimate_back;
    }
    ploy_search_start goal = {base->query.goal, 0.0};
    for (int32_t i = 0; i < 2; i++) {
        ploy_search_query query =
            ploy_search_query_make(&turned[i], i == 0 ? start : &goal, PLOY_STATE_NONE);
        query.allow = base->query.allow;
        query.user = base->query.user;
        ploy_result result = ploy_search_begin(both->sides[i], &query);
        if (result != PLOY_OK) return result;
    }
    base->nearest = both->sides[0]->nearest;
    return PLOY_OK;
}

// The least key on a side's open list; INFINITY if it is empty.
static double both_least(const both_search *both, int32_t side) {
    ploy_open_entry first;
    if (!ployi_open_list_peek(both_side(both, side)->open, &first)) return INFINITY;
    return first.key.first;
}

static ploy_result both_settle(ploy_search *base) {
    const both_search *both = (const both_search *)base;
    double forward = both_least(both, 0), backward = both_least(both, 1);
    // Any path not found yet leaves each side's closed states through its open list. Without
    // estimates it also needs what both have to pay.
    bool done = both->best <= forward || both->best <= backward ||
                (both->blind && both->best <= forward + backward);
    if (both->shut) {
        base->outcome = PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    if (!done) return PLOY_OK;
    bool cut = both_side(both, 0)->pruned || both_side(both, 1)->pruned;
    if (both->meeting == PLOY_STATE_NONE || both->best > base->def.max_cost) {
        cut = cut || both->meeting != PLOY_STATE_NONE;
        base->outcome = cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    base->outcome = PLOY_SEARCH_FOUND;
    base->goal = base->query.goal;
    base->version = 1;
    base->bound = cut || !base->def.reopen ? INFINITY : 1.0;
    return PLOY_OK;
}

static ploy_result both_take(ploy_search *base) {
    both_search *both = (both_search *)base;
    ploy_search *side = both->sides[both->turn];
    ploy_open_entry taken;
    // Neither list is empty, or it would have been settled.
    ployi_open_list_peek(both_side(both, both->turn)->open, &taken);
    const ployi_search_record *mine = ployi_search_at(both_side(both, both->turn), taken.state);
    const ployi_search_record *theirs =
        ployi_search_at(both_side(both, 1 - both->turn), taken.state);
    if (theirs != NULL && mine->cost + theirs->cost < both->best) {
        both->best = mine->cost + theirs->cost;
        both->meeting = taken.state;
    }
    ploy_budget one = ploy_budget_units(1);
    ploy_result result = ploy_search_step(side, &one);
    if (result < PLOY_OK) return result;
    if (both_side(both, both->turn)->expanding != PLOY_STATE_NONE) return PLOY_ERR_CALLBACK;
    both->turn = 1 - both->turn;
    base->nearest = both->sides[0]->nearest;
    return PLOY_OK;
}

// ---- results

static int32_t both_path(const ploy_search *base, int32_t state, ploy_edge *out, int32_t capacity,
                         double *cost) {
    const both_search *both = (const both_search *)base;
    if (state != base->goal) return ploy_search_path(both->sides[0], state, out, capacity, cost);
    double first = 0.0;
    int32_t count = ploy_search_path(both->sides[0], both->meeting, out, capacity, &first);
    // The backward side's parents lead to the goal: its edges follow in the order of travel.
    const ployi_search_record *record = ployi_search_at(both_side(both, 1), both->meeting);
    if (cost != NULL) *cost = first + record->cost;
    while (record->parent != PLOY_STATE_NONE) {
        if (count < capacity) {
            out[count].to = record->parent;
            out[count].label = record->label;
            out[count].cost = record->edge;
        }
        count++;
        record = ployi_search_at(both_side(both, 1), record->parent);
    }
    return count;
}

static bool both_get(const ploy_search *base, int32_t state, ploy_search_node *out) {
    const both_search *both = (const both_search *)base;
    return ploy_search_get(both->sides[0], state, out) ||
           ploy_search_get(both->sides[1], state, out);
}

static int32_t both_reached(const ploy_search *base) {
    const both_search *both = (const both_search *)base;
    return ploy_search_reached(both->sides[0]) + ploy_search_reached(both->sides[1]);
}

static int32_t both_reached_at(const ploy_search *base, int32_t index) {
    const both_search *both = (const both_search *)base;
    int32_t forward = ploy_search_reached(both->sides[0]);
    return index < forward ? ploy_search_reached_at(both->sides[0], index)
                           : ploy_search_reached_at(both->sides[1], index - forward);
}

static void both_stats(const ploy_search *base, ploy_search_stats *out) {
    const both_search *both = (const both_search *)base;
    for (int32_t i = 0; i < 2; i++) {
        const ploy_search_stats *side = &both->sides[i]->stats;
        out->taken += side->taken;
        out->opened += side->opened;
        out->reopened += side->reopened;
        out->edges += side->edges;
        out->estimates += side->estimates;
        out->peak_open += side->peak_open;
    }
}

static void both_describe(const ploy_search *base, ploy_describe *out) {
    static const char *const names[] = {"forward", "backward"};
    const both_search *both = (const both_search *)base;
    ploy_describe_i64(out, "meeting", PLOY_STATE, both->meeting);
    ploy_describe_f64(out, "best", PLOY_STATE, both->best);
    ploy_describe_i64(out, "turn", PLOY_STATE, both->turn);
    for (int32_t i = 0; i < 2; i++) {
        ploy_describe_begin(out, names[i]);
        ploy_search_describe(both->sides[i], out);
        ploy_describe_end(out);
    }
}

static void both_memory(const ploy_search *base, ploy_memory_fn fn, void *user) {
    const both_search *both = (const both_search *)base;
    ploy_search_memory(both->sides[0], fn, user);
    ploy_search_memory(both->sides[1], fn, user);
}

const ployi_search_method ployi_search_bidirectional = {
    .size = sizeof(both_search),
    .flags = PLOYI_SEARCH_PAID | PLOYI_SEARCH_ALLOW | PLOYI_SEARCH_NEEDS_BACK,
    .fault = both_fault,
    .create = both_create,
    .destroy = both_destroy,
    .clear = both_clear,
    .begin = both_begin,
    .settle = both_settle,
    .take = both_take,
    .path = both_path,
    .get = both_get,
    .reached = both_reached,
    .reached_at = both_reached_at,
    .stats = both_stats,
    .describe = both_describe,
    .memory = both_memory,
};
