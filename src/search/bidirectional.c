// Two searches that meet; see the header.
//
// The backward side is an ordinary search in a space turned round. When a state is taken that the
// other side has reached, the two halves are a path. That is enough to find the best one: on its
// way there is an edge from a state that the one side has taken to a state that the other has, and
// whichever of the two was taken later had been reached from the other side by then.
#include "ploy/search/bidirectional.h"

#include <math.h>
#include <string.h>

#include "search/search_internal.h"

struct ploy_bidirectional {
    ploy_env env;
    ploy_space space; // as it was given
    ploy_search *sides[2];
    ploy_search_outcome outcome;
    int32_t start, goal;
    int32_t turn; // whose: 0 forward, 1 backward
    int32_t meeting;
    double best; // cost of the best meeting
    bool blind;  // without estimates
};

ploy_result ploy_bidirectional_create(const ploy_search_def *def, const ploy_env *env,
                                      ploy_bidirectional **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_search_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (def->order != PLOY_SEARCH_BEST || def->weight > 1.0 || def->weight_step > 0.0 ||
        def->frontier > 0 || def->open == PLOY_OPEN_FRINGE) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_bidirectional *both = ploy_env_alloc(env, sizeof *both);
    if (both == NULL) return PLOY_ERR_MEMORY;
    memset(both, 0, sizeof *both);
    both->env = *env;
    both->meeting = PLOY_STATE_NONE;
    for (int32_t i = 0; i < 2 && result == PLOY_OK; i++) {
        result = ploy_search_create(def, env, &both->sides[i]);
    }
    if (result != PLOY_OK) {
        ploy_bidirectional_destroy(both);
        return result;
    }
    *out = both;
    return PLOY_OK;
}

void ploy_bidirectional_destroy(ploy_bidirectional *both) {
    if (both == NULL) return;
    ploy_env env = both->env;
    ploy_search_destroy(both->sides[0]);
    ploy_search_destroy(both->sides[1]);
    ploy_env_free(&env, both, sizeof *both);
}

static ploy_result both_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_bidirectional *both = user;
    return both->space.expand(both->space.user, state, out);
}

static ploy_result both_expand_back(void *user, int32_t state, ploy_edges *out) {
    const ploy_bidirectional *both = user;
    return both->space.expand_back(both->space.user, state, out);
}

static double both_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_bidirectional *both = user;
    (void)goal; // a side has none, so that it goes on past the other's start
    return both->space.estimate(both->space.user, state, both->goal);
}

static double both_estimate_back(void *user, int32_t state, int32_t goal) {
    const ploy_bidirectional *both = user;
    (void)goal;
    return both->space.estimate(both->space.user, both->start, state);
}

ploy_result ploy_bidirectional_begin(ploy_bidirectional *both, const ploy_space *space,
                                     int32_t start, int32_t goal) {
    if (both == NULL) return PLOY_ERR_ARGUMENT;
    both->outcome = PLOY_SEARCH_IDLE;
    if (space == NULL || space->expand == NULL || space->expand_back == NULL || goal < 0) {
        return PLOY_ERR_ARGUMENT;
    }
    both->space = *space;
    both->start = start;
    both->goal = goal;
    both->turn = 0;
    both->meeting = PLOY_STATE_NONE;
    both->best = INFINITY;
    both->blind = space->estimate == NULL || both->sides[0]->def.weight == 0.0;
    ploy_space turned[2] = {{space->count, both_expand, NULL, NULL, both},
                            {space->count, both_expand_back, NULL, NULL, both}};
    if (space->estimate != NULL) {
        turned[0].estimate = both_estimate;
        turned[1].estimate = both_estimate_back;
    }
    for (int32_t i = 0; i < 2; i++) {
        ploy_search_start from = {i == 0 ? start : goal, 0.0};
        ploy_search_query query = ploy_search_query_make(&turned[i], &from, PLOY_STATE_NONE);
        ploy_result result = ploy_search_begin(both->sides[i], &query);
        if (result != PLOY_OK) return result;
    }
    both->outcome = PLOY_SEARCH_OPEN;
    return PLOY_OK;
}

// The least key on a side's open list; INFINITY if it is empty.
static double both_least(const ploy_bidirectional *both, int32_t side) {
    ploy_open_entry first;
    if (!ploy_open_list_peek(both->sides[side]->open, &first)) return INFINITY;
    return first.key.first;
}

static bool both_done(const ploy_bidirectional *both) {
    double forward = both_least(both, 0), backward = both_least(both, 1);
    // Any path not found yet leaves each side's closed states through its open list.
    if (both->best <= forward || both->best <= backward) return true;
    // Without estimates it also needs what both have to pay.
    return both->blind && both->best <= forward + backward;
}

ploy_result ploy_bidirectional_step(ploy_bidirectional *both, ploy_budget *budget) {
    if (both == NULL || both->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    while (both->outcome == PLOY_SEARCH_OPEN) {
        if (both_done(both)) {
            bool found = both->meeting != PLOY_STATE_NONE;
            bool cut = both->sides[0]->pruned || both->sides[1]->pruned;
            both->outcome = found ? PLOY_SEARCH_FOUND : cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
            return PLOY_OK;
        }
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_search *side = both->sides[both->turn];
        const ploy_search *other = both->sides[1 - both->turn];
        ploy_open_entry taken;
        ploy_open_list_peek(side->open, &taken); // neither list is empty, or it would be done
        const ployi_search_record *mine = ployi_search_at(side, taken.state);
        const ployi_search_record *theirs = ployi_search_at(other, taken.state);
        if (theirs != NULL && mine->cost + theirs->cost < both->best) {
            both->best = mine->cost + theirs->cost;
            both->meeting = taken.state;
        }
        ploy_budget one = ploy_budget_units(1);
        ploy_result result = ploy_search_step(side, &one);
        if (result < PLOY_OK) {
            both->outcome = PLOY_SEARCH_IDLE;
            return result;
        }
        both->turn = 1 - both->turn;
    }
    return PLOY_OK;
}

void ploy_bidirectional_cancel(ploy_bidirectional *both) {
    both->outcome = PLOY_SEARCH_IDLE;
}

ploy_search_outcome ploy_bidirectional_outcome(const ploy_bidirectional *both) {
    return both->outcome;
}

int32_t ploy_bidirectional_path(const ploy_bidirectional *both, ploy_edge *out, int32_t capacity,
                                double *cost) {
    if (both->outcome != PLOY_SEARCH_FOUND) return -1;
    double first = 0.0, rest = 0.0;
    int32_t count = ploy_search_path(both->sides[0], both->meeting, out, capacity, &first);
    // The backward side's parents lead to the goal: its edges follow in the order of travel.
    const ployi_search_record *record = ployi_search_at(both->sides[1], both->meeting);
    rest = record->cost;
    while (record->parent != PLOY_STATE_NONE) {
        if (count < capacity) {
            out[count].to = record->parent;
            out[count].label = record->label;
            out[count].cost = record->edge;
        }
        count++;
        record = ployi_search_at(both->sides[1], record->parent);
    }
    if (cost != NULL) *cost = first + rest;
    return count;
}

int32_t ploy_bidirectional_meeting(const ploy_bidirectional *both) {
    return both->meeting;
}

const ploy_search *ploy_bidirectional_forward(const ploy_bidirectional *both) {
    return both->sides[0];
}

const ploy_search *ploy_bidirectional_backward(const ploy_bidirectional *both) {
    return both->sides[1];
}

void ploy_bidirectional_describe(const ploy_bidirectional *both, ploy_describe *out) {
    static const char *const names[] = {"forward", "backward"};
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(both->outcome));
    ploy_describe_i64(out, "meeting", PLOY_STATE, both->meeting);
    ploy_describe_f64(out, "best", PLOY_STATE, both->best);
    ploy_describe_i64(out, "turn", PLOY_STATE, both->turn);
    for (int32_t i = 0; i < 2; i++) {
        ploy_describe_begin(out, names[i]);
        ploy_search_describe(both->sides[i], out);
        ploy_describe_end(out);
    }
}

void ploy_bidirectional_memory(const ploy_bidirectional *both, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"bidirectional", sizeof *both, 1};
    fn(user, &self);
    ploy_search_memory(both->sides[0], fn, user);
    ploy_search_memory(both->sides[1], fn, user);
}
