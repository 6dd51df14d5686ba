// The worlds of a plan search: expanding them and estimating what is left, in slices.
//
// Backward, a state is a range for every variable: what must hold there.
//
//     forward   state = world                     backward  state = (low, high) of each variable
//               edge  = an action done                      edge  = an action undone: what must
//               goal  = the goal holds                              hold before it
//                                                           goal  = the world is within all ranges
//
// A state is expanded action by action and stops where the unit's work is used up: an action is
// tried, what it leads to is an heir, and the heir is estimated and given to the search. Only
// landmarks need all heirs at once, to know whether what they share is worth looking for: these are
// listed first and then estimated and given. New states are numbered in the order of the heirs, so
// that `estimates` grows by the state that is estimated: invariant (1) states 0 to
// estimates.count - 1 have an estimate.
#include <math.h>
#include <string.h>

#include "goap_planner.h"

#include "decide/decide_internal.h"

size_t ployi_goap_worlds_size(const ploy_goap *goap) {
    return goap->def.backward ? (size_t)goap->type->vars.count * sizeof(ployi_goap_range)
                              : (size_t)goap->type->words * sizeof(uint64_t);
}

// ---- forward

// Tries an action in the world that is expanded. heir->state is PLOY_STATE_NONE if it leads nowhere.
static inline ploy_result goap_worlds_try(ploy_goap *goap, const uint64_t *world, int32_t action,
                                          ployi_goap_heir *heir) {
    const ploy_goap_type *type = goap->type;
    const ployi_goap_item *item = &PLOY_ARRAY_ITEMS(&type->actions, ployi_goap_item)[action];
    uint64_t *after = PLOY_ARRAY_ITEMS(&goap->scratch, uint64_t);
    heir->state = PLOY_STATE_NONE;
    goap->allow -= ployi_goap_try_work(item);
    if (!ployi_goap_bits_hold(type, world, item)) return PLOY_OK;
    double price = item->cost;
    if (item->range_count > 0 || item->allowed != NULL || item->price != NULL) {
        price = ployi_goap_world_price(type, world, action);
        if (!(price < (double)INFINITY)) return PLOY_OK;
    }
    if (price < item->cost) {
        ploy_env_log(&goap->env, PLOY_SEVERITY_ERROR, "price is below its action's cost");
        return PLOY_ERR_CALLBACK;
    }
    int32_t words = type->words;
    goap->allow -= ployi_goap_apply_work(item, words);
    bool changed = false;
    if (words == 1) { // without calls: most domains have one word
        after[0] = world[0];
        ploy_goap_world_apply(type, after, action);
        changed = after[0] != world[0];
    } else {
        memcpy(after, world, (size_t)words * sizeof *after);
        ploy_goap_world_apply(type, after, action);
        changed = memcmp(after, world, (size_t)words * sizeof *after) != 0;
    }
    if (!changed) return PLOY_OK;
    heir->action = action;
    heir->price = price;
    return ploy_states_find(goap->states, after, &heir->state);
}

// Conditions unmet, over the most that one action can meet: a variable counts once.
static double goap_worlds_count_unmet(ploy_goap *goap, const uint64_t *world) {
    const ploy_goap_need *goal = PLOY_ARRAY_ITEMS(&goap->goal, ploy_goap_need);
    uint64_t *counted = PLOY_ARRAY_ITEMS(&goap->counted, uint64_t);
    int32_t unmet = 0;
    goap->count++;
    for (int32_t i = 0; i < goap->goal.count; i++) {
        uint32_t var = goal[i].var.number - 1;
        if (counted[var] == goap->count) continue;
        if (ployi_goap_world_holds(goap->type, world, &goal[i], 1)) continue;
        counted[var] = goap->count;
        unmet++;
    }
    int32_t most = goap->type->most_gains > 0 ? goap->type->most_gains : 1;
    return (double)((unmet + most - 1) / most) * goap->type->least_cost;
}

bool ployi_goap_worlds_estimate(void *user, const uint64_t *world, int64_t *allow, double *out) {
    ploy_goap *goap = user;
    if (goap->estimate != NULL) {
        *out = goap->estimate(goap->estimate_user, goap->type, world);
        return true;
    }
    if (goap->def.heuristic == PLOY_GOAP_BLIND) {
        *out = 0.0;
        return true;
    }
    if (goap->def.heuristic == PLOY_GOAP_COUNT) {
        *allow -= goap->goal.count;
        *out = goap_worlds_count_unmet(goap, world);
        return true;
    }
    if (!goap->estimating) ployi_goap_relax_begin(goap->relax, world, goap->def.heuristic);
    goap->estimating = !ployi_goap_relax_run(goap->relax, allow, out);
    return !goap->estimating;
}

// Continues the estimate of a world that shares landmarks with the one that is expanded.
static bool goap_worlds_estimate_shared(ploy_goap *goap, int32_t state, const ployi_goap_heir *heir,
                                        double *out) {
    if (!goap->learnt) {
        const uint64_t *parent = ploy_states_get(goap->states, state);
        if (!goap->estimating) ployi_goap_relax_begin_parent(goap->relax, parent);
        goap->estimating = !ployi_goap_relax_run(goap->relax, &goap->allow, &goap->parent_cost);
        if (goap->estimating) return false;
        goap->learnt = true;
    }
    if (!(goap->parent_cost < (double)INFINITY)) { // the goal is out of reach from there
        *out = goap->parent_cost;
        return true;
    }
    const uint64_t *world = ploy_states_get(goap->states, heir->state);
    if (!goap->estimating) ployi_goap_relax_begin_child(goap->relax, world, heir->action);
    goap->estimating = !ployi_goap_relax_run(goap->relax, &goap->allow, out);
    return !goap->estimating;
}

static bool goap_worlds_is_goal(void *user, int32_t state) {
    ploy_goap *goap = user;
    return ployi_goap_world_holds(goap->type, ploy_states_get(goap->states, state),
                                  PLOY_ARRAY_ITEMS(&goap->goal, ploy_goap_need), goap->goal.count);
}

// ---- backward

// Narrows a range by a need. @return false if nothing is left.
static bool goap_worlds_narrow(const ployi_goap_var *var, const ploy_goap_need *need,
                               ployi_goap_range *range) {
    int64_t low = (int64_t)range->low + var->min, high = (int64_t)range->high + var->min;
    int64_t value = need->value;
    switch (need->test) {
    case PLOY_GOAP_EQUAL:
        if (value > low) low = value;
        if (value < high) high = value;
        if (value < low || value > high) return false;
        break;
    case PLOY_GOAP_DIFFERENT:
        if (value == low) low++;
        if (value == high) high--;
        break;
    case PLOY_GOAP_AT_LEAST:
        if (value > low) low = value;
        break;
    case PLOY_GOAP_AT_MOST:
        if (value < high) high = value;
        break;
    }
    if (low > high) return false;
    range->low = (uint16_t)(low - var->min);
    range->high = (uint16_t)(high - var->min);
    return true;
}

// What must hold before a change so that the range holds after it. @return false if nothing can.
static bool goap_worlds_regress(const ployi_goap_var *var, const ploy_goap_gain *gain,
                                ployi_goap_range *range) {
    int32_t top = var->max - var->min;
    if (!gain->add) {
        int32_t value = gain->value - var->min;
        if (value < range->low || value > range->high) return false;
        range->low = 0;
        range->high = (uint16_t)top;
        return true;
    }
    // v + d, stopped at the ends: an end that the range reaches is reached from beyond it too.
    int64_t low = (int64_t)range->low - gain->value, high = (int64_t)range->high - gain->value;
    if (range->low == 0 || low < 0) low = 0;
    if (range->high == (uint16_t)top || high > top) high = top;
    if (low > high) return false;
    range->low = (uint16_t)low;
    range->high = (uint16_t)high;
    return true;
}

static bool goap_worlds_restricted(const ployi_goap_var *var, const ployi_goap_range *range) {
    return range->low > 0 || (int32_t)range->high < var->max - var->min;
}

// The ranges before an action, into the scratch. @return false if it does not help or cannot be.
static bool goap_worlds_undo(ploy_goap *goap, const ployi_goap_range *ranges, int32_t action) {
    const ploy_goap_type *type = goap->type;
    const ployi_goap_item *item = &PLOY_ARRAY_ITEMS(&type->actions, ployi_goap_item)[action];
    const ployi_goap_var *vars = PLOY_ARRAY_ITEMS(&type->vars, ployi_goap_var);
    const ploy_goap_gain *gains = PLOY_ARRAY_ITEMS(&type->gains, ploy_goap_gain);
    const ploy_goap_need *needs = PLOY_ARRAY_ITEMS(&type->needs, ploy_goap_need);
    bool helps = false;
    for (int32_t i = item->first_gain; i < item->first_gain + item->gain_count; i++) {
        uint32_t v = gains[i].var.number - 1;
        helps |= goap_worlds_restricted(&vars[v], &ranges[v]);
    }
    if (!helps) return false;
    ployi_goap_range *before = goap->scratch.items;
    memcpy(before, ranges, ployi_goap_worlds_size(goap));
    for (int32_t i = item->first_gain; i < item->first_gain + item->gain_count; i++) {
        uint32_t v = gains[i].var.number - 1;
        if (!goap_worlds_regress(&vars[v], &gains[i], &before[v])) return false;
    }
    for (int32_t i = item->first_need; i < item->first_need + item->need_count; i++) {
        uint32_t v = needs[i].var.number - 1;
        if (!goap_worlds_narrow(&vars[v], &needs[i], &before[v])) return false;
    }
    return true;
}

// Undoes an action from the ranges that are expanded; as goap_worlds_try.
static ploy_result goap_worlds_try_back(ploy_goap *goap, const ployi_goap_range *ranges,
                                        int32_t action, ployi_goap_heir *heir) {
    const ploy_goap_type *type = goap->type;
    const ployi_goap_item *item = &PLOY_ARRAY_ITEMS(&type->actions, ployi_goap_item)[action];
    const uint64_t *world = PLOY_ARRAY_ITEMS(&goap->world, uint64_t);
    heir->state = PLOY_STATE_NONE;
    goap->allow -= 1 + item->gain_count;
    if (!goap_worlds_undo(goap, ranges, action)) return PLOY_OK;
    goap->allow -= type->vars.count + item->need_count;
    if (item->allowed != NULL && !item->allowed(item->user, type, world)) return PLOY_OK;
    double price = item->price != NULL ? item->price(item->user, type, world) : item->cost;
    if (!(price < (double)INFINITY)) return PLOY_OK;
    if (price < item->cost) return PLOY_ERR_CALLBACK;
    heir->action = action;
    heir->price = price;
    return ploy_states_find(goap->states, goap->scratch.items, &heir->state);
}

// Is the start's world within the range?
static bool goap_worlds_within(const ploy_goap *goap, uint32_t v, const ployi_goap_range *range) {
    const ployi_goap_var *var = &PLOY_ARRAY_ITEMS(&goap->type->vars, ployi_goap_var)[v];
    int32_t have = ployi_goap_read(var, PLOY_ARRAY_ITEMS(&goap->world, uint64_t)) - var->min;
    return have >= range->low && have <= range->high;
}

// Continues the estimate of ranges, variable by variable.
static bool goap_worlds_estimate_back(ploy_goap *goap, int32_t state, double *out) {
    const ployi_goap_range *ranges = ploy_states_get(goap->states, state);
    const ployi_goap_var *vars = PLOY_ARRAY_ITEMS(&goap->type->vars, ployi_goap_var);
    ployi_goap_sum *back = &goap->back;
    *out = 0.0;
    if (goap->def.heuristic == PLOY_GOAP_BLIND) return true;
    if (!goap->estimating) memset(back, 0, sizeof *back);
    for (; back->var < (uint32_t)goap->type->vars.count; back->var++) {
        uint32_t v = back->var;
        goap->estimating = goap->allow <= 0;
        if (goap->estimating) return false;
        goap->allow--;
        if (!goap_worlds_restricted(&vars[v], &ranges[v])) continue;
        if (goap_worlds_within(goap, v, &ranges[v])) continue;
        back->unmet++;
        if (goap->def.heuristic == PLOY_GOAP_COUNT) continue;
        ploy_goap_var var = {v + 1};
        goap->allow -= ranges[v].high - ranges[v].low;
        double cost = ployi_goap_relax_cost(goap->relax, var, vars[v].min + ranges[v].low,
                                            vars[v].min + ranges[v].high);
        back->sum += cost;
        if (cost > back->most) back->most = cost;
    }
    goap->estimating = false;
    int32_t gains = goap->type->most_gains > 0 ? goap->type->most_gains : 1;
    switch (goap->def.heuristic) {
    case PLOY_GOAP_COUNT:
        *out = (double)((back->unmet + gains - 1) / gains) * goap->type->least_cost;
        break;
    case PLOY_GOAP_ADD:
    case PLOY_GOAP_FF: *out = back->sum; break;
    default: *out = back->most; break;
    }
    return true;
}

static bool goap_worlds_is_goal_back(void *user, int32_t state) {
    ploy_goap *goap = user;
    const ployi_goap_range *ranges = ploy_states_get(goap->states, state);
    for (uint32_t v = 0; v < (uint32_t)goap->type->vars.count; v++) {
        if (!goap_worlds_within(goap, v, &ranges[v])) return false;
    }
    return true;
}

bool ployi_goap_worlds_rangeable(const ploy_goap_type *type, const ploy_goap_need *need) {
    const ployi_goap_var *var = ployi_goap_var_at(type, need->var);
    return need->test != PLOY_GOAP_DIFFERENT || need->value <= var->min || need->value >= var->max;
}

// ---- the space

// Gives an heir to the search, with its estimate if it is new.
static ploy_result goap_worlds_give(ploy_goap *goap, int32_t state, const ployi_goap_heir *heir,
                                    ploy_edges *out) {
    if (heir->state == goap->estimates.count && goap->space.estimate != NULL) { // (1)
        double estimate = 0.0;
        bool done;
        if (goap->def.backward) {
            done = goap_worlds_estimate_back(goap, heir->state, &estimate);
        } else if (goap->shares) {
            done = goap_worlds_estimate_shared(goap, state, heir, &estimate);
        } else {
            const uint64_t *world = ploy_states_get(goap->states, heir->state);
            done = ployi_goap_worlds_estimate(goap, world, &goap->allow, &estimate);
        }
        if (!done) return PLOY_IN_PROGRESS;
        if (goap->estimates.count < goap->estimates.capacity) {
            PLOY_ARRAY_ITEMS(&goap->estimates, double)[goap->estimates.count++] = estimate;
        } else {
            ploy_result result = ploy_array_push(&goap->estimates, &estimate);
            if (result != PLOY_OK) return result;
        }
    }
    goap->allow--;
    return ploy_edges_add(out, heir->state, heir->price, heir->action);
}

// Lists what the actions lead to, then gives it to the search.
static ploy_result goap_worlds_expand_listed(ploy_goap *goap, int32_t state, ploy_edges *out) {
    int32_t actions = goap->type->actions.count;
    while (goap->tried < actions) {
        if (goap->allow <= 0) return PLOY_IN_PROGRESS;
        ployi_goap_heir heir;
        ploy_result result =
            goap_worlds_try(goap, ploy_states_get(goap->states, state), goap->tried, &heir);
        if (result == PLOY_OK && heir.state != PLOY_STATE_NONE) {
            if (heir.state >= goap->known) goap->fresh++;
            result = ploy_array_push(&goap->heirs, &heir);
        }
        if (result != PLOY_OK) return result;
        // For one world alone it does not pay to look for what it shares.
        if (++goap->tried == actions) goap->shares = goap->fresh > 1;
    }
    for (; goap->given < goap->heirs.count; goap->given++) {
        if (goap->allow <= 0) return PLOY_IN_PROGRESS;
        const ployi_goap_heir *heir = &PLOY_ARRAY_ITEMS(&goap->heirs, ployi_goap_heir)[goap->given];
        ploy_result result = goap_worlds_give(goap, state, heir, out);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Gives what an action leads to at once.
static ploy_result goap_worlds_expand_each(ploy_goap *goap, int32_t state, ploy_edges *out) {
    int32_t actions = goap->type->actions.count;
    const void *from = ploy_states_get(goap->states, state); // it stays there
    for (; goap->tried < actions; goap->tried++) {
        ploy_result result = PLOY_OK;
        if (goap->heir.state == PLOY_STATE_NONE) {
            if (goap->allow <= 0) return PLOY_IN_PROGRESS;
            result = goap->def.backward ? goap_worlds_try_back(goap, from, goap->tried, &goap->heir)
                                        : goap_worlds_try(goap, from, goap->tried, &goap->heir);
            if (result != PLOY_OK) return result;
            if (goap->heir.state == PLOY_STATE_NONE) continue;
        }
        result = goap_worlds_give(goap, state, &goap->heir, out);
        if (result != PLOY_OK) return result;
        goap->heir.state = PLOY_STATE_NONE;
    }
    return PLOY_OK;
}

static ploy_result goap_worlds_expand(void *user, int32_t state, ploy_edges *out) {
    ploy_goap *goap = user;
    bool listed = goap->def.heuristic == PLOY_GOAP_LANDMARKS && goap->estimate == NULL &&
                  goap->space.estimate != NULL && !goap->def.backward;
    if (!goap->expanding) {
        goap->tried = 0;
        goap->heir.state = PLOY_STATE_NONE;
        goap->estimating = goap->learnt = goap->shares = false;
        goap->expanding = true;
        if (listed) {
            ploy_array_clear(&goap->heirs);
            goap->given = goap->fresh = 0;
            goap->known = ploy_states_count(goap->states);
        }
    }
    ploy_result result = listed ? goap_worlds_expand_listed(goap, state, out)
                                : goap_worlds_expand_each(goap, state, out);
    goap->expanding = result == PLOY_IN_PROGRESS;
    return result;
}

// Expand has estimated every state that it gave to the search.
static double goap_worlds_known_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_goap *goap = user;
    (void)goal;
    return PLOY_ARRAY_ITEMS(&goap->estimates, double)[state];
}

void ployi_goap_worlds_space(ploy_goap *goap, bool guided) {
    goap->space.expand = goap_worlds_expand;
    goap->space.estimate = guided ? goap_worlds_known_estimate : NULL;
    goap->space.user = goap;
}

ploy_result ployi_goap_worlds_first(ploy_goap *goap, bool *possible, int32_t *out) {
    *possible = true;
    if (!goap->def.backward) return ploy_states_find(goap->states, goap->world.items, out);
    const ployi_goap_var *vars = PLOY_ARRAY_ITEMS(&goap->type->vars, ployi_goap_var);
    ployi_goap_range *ranges = goap->scratch.items;
    for (int32_t v = 0; v < goap->type->vars.count; v++) {
        ranges[v].low = 0;
        ranges[v].high = (uint16_t)(vars[v].max - vars[v].min);
    }
    for (int32_t i = 0; i < goap->goal.count; i++) {
        const ploy_goap_need *need = &PLOY_ARRAY_ITEMS(&goap->goal, ploy_goap_need)[i];
        uint32_t v = need->var.number - 1;
        if (!goap_worlds_narrow(&vars[v], need, &ranges[v])) *possible = false;
    }
    return *possible ? ploy_states_find(goap->states, ranges, out) : PLOY_OK;
}

ploy_result ployi_goap_worlds_start(ploy_goap *goap) {
    double estimate = 0.0;
    if (goap->starting == PLOYI_GOAP_START_COSTS) {
        ploy_goap_heuristic by =
            goap->def.heuristic == PLOY_GOAP_ADD || goap->def.heuristic == PLOY_GOAP_FF
                ? PLOY_GOAP_ADD
                : PLOY_GOAP_MAX;
        if (!goap->estimating) ployi_goap_relax_begin(goap->relax, goap->world.items, by);
        goap->estimating = !ployi_goap_relax_run(goap->relax, &goap->allow, &estimate);
        if (goap->estimating) return PLOY_IN_PROGRESS;
        goap->starting = PLOYI_GOAP_START_STATE;
    }
    if (goap->starting == PLOYI_GOAP_START_STATE && goap->space.estimate != NULL) {
        bool done = goap->def.backward ? goap_worlds_estimate_back(goap, goap->start, &estimate)
                                       : ployi_goap_worlds_estimate(goap, goap->world.items,
                                                                    &goap->allow, &estimate);
        if (!done) return PLOY_IN_PROGRESS;
        ploy_result result = ploy_array_push(&goap->estimates, &estimate);
        if (result != PLOY_OK) return result;
    }
    ploy_search_start start = {goap->start, 0.0};
    ploy_search_query query = ploy_search_query_make(&goap->space, &start, PLOY_STATE_NONE);
    query.is_goal = goap->def.backward ? goap_worlds_is_goal_back : goap_worlds_is_goal;
    query.user = goap;
    ploy_result result = ploy_search_begin(goap->search, &query);
    if (result == PLOY_OK) goap->starting = PLOYI_GOAP_STARTED;
    return result;
}
