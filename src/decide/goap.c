// The action planner; the techniques are described in the header.
//
// Worlds are numbered by ploy_states and searched by ploy_search; the depth-first methods keep to
// themselves (goap_depth.c). Backward, a state is a range for every variable, what must hold there:
//
//     forward   state = world                     backward  state = (low, high) of each variable
//               edge  = an action done                      edge  = an action undone: what must
//               goal  = the goal holds                              hold before it
//                                                           goal  = the world is within all ranges
//
// Invariants: (1) world and goal are those of the last begin; (2) plan is what the last search
// found, in the order of doing, and empty unless the outcome is FOUND.
#include <math.h>
#include <string.h>

#include "goap_internal.h"

#include "decide/decide_internal.h"
#include "ploy/base/number.h"

static const char *const goap_methods[] = {"astar", "breadth", "greedy", "ida"};
static const char *const goap_heuristics[] = {"blind", "count", "max", "add", "ff", "landmarks"};

static const ploy_field goap_fields[] = {
    PLOY_FIELD_ENUM(ploy_goap_def, method, PLOY_GOAP_ASTAR, goap_methods, "how to search"),
    PLOY_FIELD_ENUM(ploy_goap_def, heuristic, PLOY_GOAP_MAX, goap_heuristics, "what guides it"),
    PLOY_FIELD_BOOL(ploy_goap_def, backward, 0, "from the goal to the world"),
    PLOY_FIELD_F64(ploy_goap_def, weight, 1, 0, 1e6, "", "of the heuristic"),
    PLOY_FIELD_I32(ploy_goap_def, max_depth, 64, 0, 1 << 20, "", "longest plan of ida and value"),
    PLOY_FIELD_I32_FIXED(ploy_goap_def, max_states, 1 << 20, 1, 1 << 28, "", "most worlds"),
    PLOY_FIELD_I32_FIXED(ploy_goap_def, table, 1024, 0, 1 << 26, "", "worlds that ida remembers"),
    PLOY_FIELD_BOOL(ploy_goap_def, anytime, 1, "shorter plans count too"),
    PLOY_FIELD_BOOL(ploy_goap_def, prune, 0, "never through what makes things worse"),
};

// A world that an action makes of the one that is expanded.
typedef struct goap_heir {
    int32_t state, action;
} goap_heir;

// What must hold of a variable, as steps from its least value.
typedef struct goap_range {
    uint16_t low, high;
} goap_range;

struct ploy_goap {
    ploy_env env;
    ploy_goap_def def;
    const ploy_goap_type *type;
    ployi_goap_relax *relax; // NULL until it is needed
    ployi_goap_depth *depth; // NULL until it is needed
    ploy_search *search;
    ploy_states *states;
    ploy_space space;
    double (*estimate)(void *user, const ploy_goap_type *type, const uint64_t *world);
    void *estimate_user;
    ploy_array world;   // uint64_t
    ploy_array scratch; // uint64_t: a world, or goap_range in them
    ploy_array goal;    // ploy_goap_need
    ploy_array plan;    // int32_t
    ploy_array path;    // ploy_edge
    ploy_array heirs;   // goap_heir of the world expanded last
    int32_t asked;      // of the heirs: where the search asked last
    int64_t work;       // actions tried, ever
    int64_t debt;       // units of work that no budget has paid for yet
    int32_t parent;     // that world, if its landmarks are to be had; PLOY_STATE_NONE
    bool learnt;        // its landmarks are known
    double cost;
    bool deep; // the last begin is depth's
    bool begun;
};

ploy_fields ploy_goap_fields(void) {
    return PLOY_FIELDS(ploy_goap_def, goap_fields);
}

ploy_goap_def ploy_goap_def_default(void) {
    ploy_goap_def def;
    ploy_fields_default(ploy_goap_fields(), &def);
    return def;
}

static size_t goap_state_size(const ploy_goap *goap) {
    return goap->def.backward ? (size_t)goap->type->vars.count * sizeof(goap_range)
                              : (size_t)goap->type->words * sizeof(uint64_t);
}

// ---- forward

static ploy_result goap_expand(void *user, int32_t state, ploy_edges *out) {
    ploy_goap *goap = user;
    const ploy_goap_type *type = goap->type;
    size_t bytes = (size_t)type->words * sizeof(uint64_t);
    const uint64_t *world = ploy_states_get(goap->states, state);
    uint64_t *after = PLOY_ARRAY_ITEMS(&goap->scratch, uint64_t);
    bool cuts = goap->def.heuristic == PLOY_GOAP_LANDMARKS && goap->estimate == NULL;
    int32_t known = ploy_states_count(goap->states), fresh = 0;
    ploy_array_clear(&goap->heirs);
    goap->parent = PLOY_STATE_NONE;
    goap->learnt = false;
    goap->asked = 0;
    goap->work += type->actions.count;
    for (int32_t i = 0; i < type->actions.count; i++) {
        double price = ployi_goap_world_price(type, world, i);
        if (!(price < (double)INFINITY)) continue;
        if (price < PLOY_ARRAY_ITEMS(&type->actions, ployi_goap_item)[i].cost) {
            ploy_env_log(&goap->env, PLOY_SEVERITY_ERROR, "price is below its action's cost");
            return PLOY_ERR_CALLBACK;
        }
        int32_t to = 0;
        memcpy(after, world, bytes);
        ploy_goap_world_apply(type, after, i);
        if (memcmp(after, world, bytes) == 0) continue; // changes nothing
        ploy_result result = ploy_states_find(goap->states, after, &to);
        if (result == PLOY_OK) result = ploy_edges_add(out, to, price, i);
        goap_heir heir = {to, i};
        if (result == PLOY_OK && cuts) result = ploy_array_push(&goap->heirs, &heir);
        if (result != PLOY_OK) return result;
        if (to >= known) fresh++;
        world = ploy_states_get(goap->states, state); // a new world may have moved the others
    }
    // For one world alone it does not pay to look for what it shares.
    if (cuts && fresh > 1) goap->parent = state;
    return PLOY_OK;
}

// Conditions unmet, over the most that one action can meet: a variable counts once.
static double goap_count_unmet(const ploy_goap *goap, const uint64_t *world) {
    const ploy_goap_need *goal = PLOY_ARRAY_ITEMS(&goap->goal, ploy_goap_need);
    int32_t unmet = 0;
    for (int32_t i = 0; i < goap->goal.count; i++) {
        if (ployi_goap_world_holds(goap->type, world, &goal[i], 1)) continue;
        bool counted = false;
        for (int32_t k = 0; k < i && !counted; k++) {
            counted = goal[k].var.number == goal[i].var.number &&
                      !ployi_goap_world_holds(goap->type, world, &goal[k], 1);
        }
        if (!counted) unmet++;
    }
    int32_t most = goap->type->most_gains > 0 ? goap->type->most_gains : 1;
    return (double)((unmet + most - 1) / most) * goap->type->least_cost;
}

static double goap_world_estimate(void *user, const uint64_t *world) {
    ploy_goap *goap = user;
    if (goap->estimate != NULL) return goap->estimate(goap->estimate_user, goap->type, world);
    if (goap->def.heuristic == PLOY_GOAP_BLIND) return 0.0;
    if (goap->def.heuristic == PLOY_GOAP_COUNT) return goap_count_unmet(goap, world);
    return ployi_goap_relax_estimate(goap->relax, world, goap->def.heuristic);
}

// The search asks for worlds that it was just given by expand: those share landmarks.
static double goap_estimate(void *user, int32_t state, int32_t goal) {
    ploy_goap *goap = user;
    (void)goal;
    // It asks in the order of the heirs, so that the next one is nearly always at hand.
    for (int32_t i = 0; i < goap->heirs.count && goap->parent != PLOY_STATE_NONE; i++) {
        int32_t at = (goap->asked + i) % goap->heirs.count;
        goap_heir heir = PLOY_ARRAY_ITEMS(&goap->heirs, goap_heir)[at];
        if (heir.state != state) continue;
        goap->asked = at + 1;
        if (!goap->learnt) {
            const uint64_t *parent = ploy_states_get(goap->states, goap->parent);
            double cost = ployi_goap_cut_parent(goap->relax, parent);
            if (!(cost < (double)INFINITY)) return cost; // no way from there
            goap->learnt = true;
        }
        return ployi_goap_cut_child(goap->relax, ploy_states_get(goap->states, state), heir.action);
    }
    return goap_world_estimate(goap, ploy_states_get(goap->states, state));
}

static bool goap_is_goal(void *user, int32_t state) {
    ploy_goap *goap = user;
    return ployi_goap_world_holds(goap->type, ploy_states_get(goap->states, state),
                                  PLOY_ARRAY_ITEMS(&goap->goal, ploy_goap_need), goap->goal.count);
}

// ---- backward

// Narrows a range by a need. @return false if nothing is left.
static bool goap_narrow(const ployi_goap_var *var, const ploy_goap_need *need, goap_range *range) {
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
static bool goap_regress(const ployi_goap_var *var, const ploy_goap_gain *gain, goap_range *range) {
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

static bool goap_restricted(const ployi_goap_var *var, const goap_range *range) {
    return range->low > 0 || (int32_t)range->high < var->max - var->min;
}

// The ranges before an action, into the scratch. @return false if it does not help or cannot be.
static bool goap_undo(ploy_goap *goap, const goap_range *ranges, int32_t action) {
    const ploy_goap_type *type = goap->type;
    const ployi_goap_item *item = &PLOY_ARRAY_ITEMS(&type->actions, ployi_goap_item)[action];
    const ployi_goap_var *vars = PLOY_ARRAY_ITEMS(&type->vars, ployi_goap_var);
    const ploy_goap_gain *gains = PLOY_ARRAY_ITEMS(&type->gains, ploy_goap_gain);
    const ploy_goap_need *needs = PLOY_ARRAY_ITEMS(&type->needs, ploy_goap_need);
    bool helps = false;
    for (int32_t i = item->first_gain; i < item->first_gain + item->gain_count; i++) {
        uint32_t v = gains[i].var.number - 1;
        helps |= goap_restricted(&vars[v], &ranges[v]);
    }
    if (!helps) return false;
    goap_range *before = goap->scratch.items;
    memcpy(before, ranges, goap_state_size(goap));
    for (int32_t i = item->first_gain; i < item->first_gain + item->gain_count; i++) {
        uint32_t v = gains[i].var.number - 1;
        if (!goap_regress(&vars[v], &gains[i], &before[v])) return false;
    }
    for (int32_t i = item->first_need; i < item->first_need + item->need_count; i++) {
        uint32_t v = needs[i].var.number - 1;
        if (!goap_narrow(&vars[v], &needs[i], &before[v])) return false;
    }
    return true;
}

static ploy_result goap_expand_back(void *user, int32_t state, ploy_edges *out) {
    ploy_goap *goap = user;
    const ploy_goap_type *type = goap->type;
    const uint64_t *world = PLOY_ARRAY_ITEMS(&goap->world, uint64_t);
    const goap_range *ranges = ploy_states_get(goap->states, state);
    goap->work += type->actions.count;
    for (int32_t i = 0; i < type->actions.count; i++) {
        const ployi_goap_item *item = &PLOY_ARRAY_ITEMS(&type->actions, ployi_goap_item)[i];
        if (!goap_undo(goap, ranges, i)) continue;
        if (item->allowed != NULL && !item->allowed(item->user, type, world)) continue;
        double price = item->price != NULL ? item->price(item->user, type, world) : item->cost;
        if (!(price < (double)INFINITY)) continue;
        int32_t to = 0;
        ploy_result result = price < item->cost ? PLOY_ERR_CALLBACK : PLOY_OK;
        if (result == PLOY_OK) result = ploy_states_find(goap->states, goap->scratch.items, &to);
        if (result == PLOY_OK) result = ploy_edges_add(out, to, price, i);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Is the start's world within the range?
static bool goap_within(const ploy_goap *goap, uint32_t v, const goap_range *range) {
    const ployi_goap_var *var = &PLOY_ARRAY_ITEMS(&goap->type->vars, ployi_goap_var)[v];
    int32_t have = ployi_goap_read(var, PLOY_ARRAY_ITEMS(&goap->world, uint64_t)) - var->min;
    return have >= range->low && have <= range->high;
}

static double goap_estimate_back(void *user, int32_t state, int32_t goal) {
    ploy_goap *goap = user;
    const goap_range *ranges = ploy_states_get(goap->states, state);
    const ployi_goap_var *vars = PLOY_ARRAY_ITEMS(&goap->type->vars, ployi_goap_var);
    double sum = 0.0, most = 0.0;
    int32_t unmet = 0;
    (void)goal;
    if (goap->def.heuristic == PLOY_GOAP_BLIND) return 0.0;
    for (uint32_t v = 0; v < (uint32_t)goap->type->vars.count; v++) {
        if (!goap_restricted(&vars[v], &ranges[v]) || goap_within(goap, v, &ranges[v])) continue;
        unmet++;
        if (goap->def.heuristic == PLOY_GOAP_COUNT) continue;
        ploy_goap_var var = {v + 1};
        double cost = ployi_goap_relax_cost(goap->relax, var, vars[v].min + ranges[v].low,
                                            vars[v].min + ranges[v].high);
        sum += cost;
        if (cost > most) most = cost;
    }
    int32_t gains = goap->type->most_gains > 0 ? goap->type->most_gains : 1;
    switch (goap->def.heuristic) {
    case PLOY_GOAP_COUNT: return (double)((unmet + gains - 1) / gains) * goap->type->least_cost;
    case PLOY_GOAP_ADD:
    case PLOY_GOAP_FF: return sum;
    default: return most;
    }
}

static bool goap_is_goal_back(void *user, int32_t state) {
    ploy_goap *goap = user;
    const goap_range *ranges = ploy_states_get(goap->states, state);
    for (uint32_t v = 0; v < (uint32_t)goap->type->vars.count; v++) {
        if (!goap_within(goap, v, &ranges[v])) return false;
    }
    return true;
}

// Can ranges say it?
static bool goap_rangeable(const ploy_goap_type *type, const ploy_goap_need *need) {
    const ployi_goap_var *var = ployi_goap_var_at(type, need->var);
    return need->test != PLOY_GOAP_DIFFERENT || need->value <= var->min || need->value >= var->max;
}

// ---- the planner

static ploy_result goap_make_search(ploy_goap *goap) {
    ploy_states_def states_def = ploy_states_def_default();
    states_def.size = (int32_t)goap_state_size(goap);
    states_def.capacity = goap->def.max_states;
    ploy_search_def def = ploy_search_def_default();
    def.weight = goap->def.weight;
    def.max_states = goap->def.max_states;
    if (goap->def.method == PLOY_GOAP_BREADTH) def.order = PLOY_SEARCH_BREADTH;
    if (goap->def.method == PLOY_GOAP_GREEDY) def.order = PLOY_SEARCH_GREEDY;
    ploy_result result = ploy_states_create(&states_def, &goap->env, &goap->states);
    if (result == PLOY_OK) result = ploy_search_create(&def, &goap->env, &goap->search);
    bool guided = goap->def.method != PLOY_GOAP_BREADTH;
    goap->space.expand = goap->def.backward ? goap_expand_back : goap_expand;
    if (guided) goap->space.estimate = goap->def.backward ? goap_estimate_back : goap_estimate;
    goap->space.user = goap;
    return result;
}

ploy_result ploy_goap_create(const ploy_goap_def *def, const ploy_goap_type *type,
                             const ploy_env *env, ploy_goap **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || type == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_goap_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!type->build.finished) return PLOY_ERR_STATE;
    ploy_goap *goap = ploy_env_alloc_zero(env, sizeof *goap);
    if (goap == NULL) return PLOY_ERR_MEMORY;
    goap->env = *env;
    goap->def = *def;
    goap->type = type;
    ploy_array_init(&goap->world, sizeof(uint64_t), env);
    ploy_array_init(&goap->scratch, sizeof(uint64_t), env);
    ploy_array_init(&goap->goal, sizeof(ploy_goap_need), env);
    ploy_array_init(&goap->plan, sizeof(int32_t), env);
    ploy_array_init(&goap->path, sizeof(ploy_edge), env);
    ploy_array_init(&goap->heirs, sizeof(goap_heir), env);
    goap->parent = PLOY_STATE_NONE;
    size_t words = (goap_state_size(goap) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    int32_t least = 2 * type->words;
    result = ploy_array_resize(&goap->world, type->words);
    if (result == PLOY_OK) {
        result = ploy_array_resize(&goap->scratch, (int32_t)words > least ? (int32_t)words : least);
    }
    if (result == PLOY_OK && def->method == PLOY_GOAP_IDA) {
        result = ployi_goap_depth_create(type, def->table, env, &goap->depth);
    } else if (result == PLOY_OK) {
        result = goap_make_search(goap);
    }
    if (result == PLOY_OK && def->heuristic >= PLOY_GOAP_MAX && def->method != PLOY_GOAP_BREADTH) {
        result = ployi_goap_relax_create(type, env, &goap->relax);
    }
    if (result != PLOY_OK) {
        ploy_goap_destroy(goap);
        return result;
    }
    *out = goap;
    return PLOY_OK;
}

void ploy_goap_destroy(ploy_goap *goap) {
    if (goap == NULL) return;
    ploy_env env = goap->env;
    ployi_goap_relax_destroy(goap->relax);
    ployi_goap_depth_destroy(goap->depth);
    ploy_search_destroy(goap->search);
    ploy_states_destroy(goap->states);
    ploy_array_fini(&goap->world);
    ploy_array_fini(&goap->scratch);
    ploy_array_fini(&goap->goal);
    ploy_array_fini(&goap->plan);
    ploy_array_fini(&goap->path);
    ploy_array_fini(&goap->heirs);
    ploy_env_free(&env, goap, sizeof *goap);
}

void ployi_goap_set_estimate(ploy_goap *goap,
                             double (*estimate)(void *user, const ploy_goap_type *type,
                                                const uint64_t *world),
                             void *user) {
    goap->estimate = estimate;
    goap->estimate_user = user;
}

// Where a search begins: the world, or the ranges of the goal. @return false if none are left.
static ploy_result goap_first_state(ploy_goap *goap, bool *possible, int32_t *out) {
    *possible = true;
    if (!goap->def.backward) return ploy_states_find(goap->states, goap->world.items, out);
    const ployi_goap_var *vars = PLOY_ARRAY_ITEMS(&goap->type->vars, ployi_goap_var);
    goap_range *ranges = goap->scratch.items;
    for (int32_t v = 0; v < goap->type->vars.count; v++) {
        ranges[v].low = 0;
        ranges[v].high = (uint16_t)(vars[v].max - vars[v].min);
    }
    for (int32_t i = 0; i < goap->goal.count; i++) {
        const ploy_goap_need *need = &PLOY_ARRAY_ITEMS(&goap->goal, ploy_goap_need)[i];
        uint32_t v = need->var.number - 1;
        if (!goap_narrow(&vars[v], need, &ranges[v])) *possible = false;
    }
    return *possible ? ploy_states_find(goap->states, ranges, out) : PLOY_OK;
}

// Everything a begin has in common. Nothing is changed before it is known to be right.
static ploy_result goap_check(const ploy_goap *goap, const ploy_goap_need *goal, int32_t count) {
    const ploy_goap_type *type = goap->type;
    if (count < 0 || count > PLOY_GOAP_PARTS_MAX || (count > 0 && goal == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!ployi_goap_need_valid(type, &goal[i])) return PLOY_ERR_ARGUMENT;
    }
    if (!goap->def.backward || goap->depth != NULL) return PLOY_OK;
    for (int32_t i = 0; i < count; i++) {
        if (!goap_rangeable(type, &goal[i])) return PLOY_ERR_UNSUPPORTED;
    }
    for (int32_t i = 0; i < type->needs.count; i++) {
        if (!goap_rangeable(type, &PLOY_ARRAY_ITEMS(&type->needs, ploy_goap_need)[i])) {
            return PLOY_ERR_UNSUPPORTED;
        }
    }
    return PLOY_OK;
}

static ploy_result goap_begin_search(ploy_goap *goap) {
    ploy_search_start start = {0, 0.0};
    bool possible = true;
    ploy_states_clear(goap->states);
    ploy_search_cancel(goap->search);
    goap->parent = PLOY_STATE_NONE;
    if (goap->def.backward && goap->relax != NULL) {
        ploy_goap_heuristic by =
            goap->def.heuristic == PLOY_GOAP_ADD || goap->def.heuristic == PLOY_GOAP_FF
                ? PLOY_GOAP_ADD
                : PLOY_GOAP_MAX;
        (void)ployi_goap_relax_estimate(goap->relax, goap->world.items, by);
    }
    ploy_result result = goap_first_state(goap, &possible, &start.state);
    if (result != PLOY_OK) return result;
    // A goal that contradicts itself has no ranges to begin from: no start, nothing found.
    if (!possible) {
        goap->begun = true;
        goap->cost = (double)INFINITY;
        return PLOY_OK;
    }
    ploy_search_query query = ploy_search_query_make(&goap->space, &start, PLOY_STATE_NONE);
    query.is_goal = goap->def.backward ? goap_is_goal_back : goap_is_goal;
    query.user = goap;
    result = ploy_search_begin(goap->search, &query);
    goap->begun = result == PLOY_OK;
    return result;
}

ploy_result ploy_goap_begin(ploy_goap *goap, const uint64_t *world, const ploy_goap_need *goal,
                            int32_t count) {
    if (goap == NULL || world == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = goap_check(goap, goal, count);
    if (result != PLOY_OK) return result;
    goap->begun = false;
    goap->deep = goap->search == NULL;
    goap->cost = 0.0;
    ploy_array_clear(&goap->plan);
    ploy_array_clear(&goap->goal);
    result = ploy_array_push_many(&goap->goal, goal, count);
    if (result != PLOY_OK) return result;
    memcpy(goap->world.items, world, (size_t)goap->type->words * sizeof *world);
    if (goap->relax != NULL) result = ployi_goap_relax_goal(goap->relax, goal, count);
    if (result != PLOY_OK) return result;
    if (!goap->deep) return goap_begin_search(goap);
    static const ploy_goap_need nothing = {{0}, PLOY_GOAP_EQUAL, 0};
    ployi_goap_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.type = goap->type;
    ask.goal = count > 0 ? PLOY_ARRAY_ITEMS(&goap->goal, ploy_goap_need) : &nothing;
    ask.goal_count = count;
    ask.estimate = goap_world_estimate;
    ask.estimate_user = goap;
    ask.max_depth = goap->def.max_depth;
    result = ployi_goap_depth_begin(goap->depth, &ask, world);
    goap->begun = result == PLOY_OK;
    return result;
}

ploy_result ploy_goap_begin_value(ploy_goap *goap, const uint64_t *world,
                                  double (*value)(void *user, const ploy_goap_type *type,
                                                  const uint64_t *world),
                                  void *user) {
    if (goap == NULL || world == NULL || value == NULL) return PLOY_ERR_ARGUMENT;
    goap->begun = false;
    goap->deep = true;
    goap->cost = 0.0;
    ploy_array_clear(&goap->plan);
    ploy_array_clear(&goap->goal);
    memcpy(goap->world.items, world, (size_t)goap->type->words * sizeof *world);
    ploy_result result = PLOY_OK;
    if (goap->depth == NULL) {
        result = ployi_goap_depth_create(goap->type, 0, &goap->env, &goap->depth);
    }
    if (result != PLOY_OK) return result;
    ployi_goap_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.type = goap->type;
    ask.value = value;
    ask.value_user = user;
    ask.max_depth = goap->def.max_depth;
    ask.anytime = goap->def.anytime;
    ask.prune = goap->def.prune;
    result = ployi_goap_depth_begin(goap->depth, &ask, world);
    goap->begun = result == PLOY_OK;
    return result;
}

// The plan out of what was found: keeps (2).
static ploy_result goap_take_plan(ploy_goap *goap) {
    if (goap->deep) {
        int32_t count = ployi_goap_depth_plan(goap->depth, NULL, 0);
        goap->cost = ployi_goap_depth_cost(goap->depth);
        if (count < 0) return PLOY_OK;
        ploy_result result = ploy_array_resize(&goap->plan, count);
        if (result == PLOY_OK) {
            (void)ployi_goap_depth_plan(goap->depth, goap->plan.items, count);
        }
        return result;
    }
    int32_t end = ploy_search_goal(goap->search);
    int32_t count = ploy_search_path(goap->search, end, NULL, 0, &goap->cost);
    if (end == PLOY_STATE_NONE || count < 0) return PLOY_OK;
    ploy_result result = ploy_array_resize(&goap->path, count);
    if (result == PLOY_OK) result = ploy_array_resize(&goap->plan, count);
    if (result != PLOY_OK) return result;
    ploy_edge *path = PLOY_ARRAY_ITEMS(&goap->path, ploy_edge);
    (void)ploy_search_path(goap->search, end, path, count, NULL);
    for (int32_t i = 0; i < count; i++) {
        int32_t at = goap->def.backward ? count - 1 - i : i;
        PLOY_ARRAY_ITEMS(&goap->plan, int32_t)[at] = path[i].label;
    }
    return PLOY_OK;
}

static bool goap_contradiction(const ploy_goap *goap) {
    return !goap->deep && !(goap->cost < (double)INFINITY);
}

// What a unit represents, besides one world taken: so many actions tried, and facts and operators
// looked at in estimates. Worlds of domains with a few dozen actions cost less and count as one.
#define GOAP_WORK_PER_UNIT 4096

static int64_t goap_work(const ploy_goap *goap) {
    int64_t deep = goap->deep && goap->depth != NULL ? ployi_goap_depth_work(goap->depth) : 0;
    return goap->work + deep + ployi_goap_relax_work(goap->relax);
}

// Pays what work of before cost beyond its unit. False if the budget does not suffice.
static bool goap_pay(ploy_goap *goap, ploy_budget *budget) {
    while (goap->debt > 0) {
        if (ploy_budget_empty(budget)) return false;
        int64_t share = budget->units < goap->debt ? budget->units : goap->debt;
        if (!ploy_budget_spend(budget, share)) return false;
        goap->debt -= share;
    }
    return true;
}

// Takes worlds one by one, so that what each really cost is charged before the next.
static ploy_result goap_take_worlds(ploy_goap *goap, ploy_budget *budget) {
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        if (!goap_pay(goap, budget) || !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_budget one = ploy_budget_units(1);
        int64_t before = goap_work(goap);
        result = goap->deep ? ployi_goap_depth_step(goap->depth, &one)
                            : ploy_search_step(goap->search, &one);
        goap->debt += (goap_work(goap) - before) / GOAP_WORK_PER_UNIT;
        if (one.spent > 1) goap->debt += one.spent - 1;
    }
    return result;
}

ploy_result ploy_goap_step(ploy_goap *goap, ploy_budget *budget) {
    if (goap == NULL || !goap->begun) return PLOY_ERR_STATE;
    if (goap_contradiction(goap)) return PLOY_OK;
    ploy_result result = budget != NULL ? goap_take_worlds(goap, budget)
                         : goap->deep   ? ployi_goap_depth_step(goap->depth, NULL)
                                        : ploy_search_step(goap->search, NULL);
    if (result == PLOY_ERR_LIMIT && !goap->deep) {
        // More worlds than may be kept: the search ends, as it does at its own limit.
        ploy_search_cancel(goap->search);
        return PLOY_OK;
    }
    if (result == PLOY_OK) result = goap_take_plan(goap);
    if (result < PLOY_OK) goap->begun = false;
    return result;
}

void ploy_goap_cancel(ploy_goap *goap) {
    if (goap->deep && goap->depth != NULL) ployi_goap_depth_cancel(goap->depth);
    if (goap->search != NULL) ploy_search_cancel(goap->search);
    goap->begun = false;
}

ploy_result ploy_goap_run(ploy_goap *goap, const uint64_t *world, const ploy_goap_need *goal,
                          int32_t count) {
    ploy_result result = ploy_goap_begin(goap, world, goal, count);
    return result == PLOY_OK ? ploy_goap_step(goap, NULL) : result;
}

static ploy_result goap_task_step(void *self, ploy_budget *budget) {
    return ploy_goap_step(self, budget);
}

static void goap_task_cancel(void *self) {
    ploy_goap_cancel(self);
}

static void goap_task_describe(const void *self, ploy_describe *out) {
    ploy_goap_describe(self, out);
}

ploy_task ploy_goap_task(ploy_goap *goap) {
    static const ploy_task_type type = {"goap", goap_task_step, goap_task_cancel,
                                        goap_task_describe};
    ploy_task task = {&type, goap};
    return task;
}

ploy_search_outcome ploy_goap_outcome(const ploy_goap *goap) {
    if (!goap->begun) return PLOY_SEARCH_IDLE;
    if (goap->deep) return ployi_goap_depth_outcome(goap->depth);
    if (goap_contradiction(goap)) return PLOY_SEARCH_NONE;
    ploy_search_outcome outcome = ploy_search_outcome_of(goap->search);
    return outcome == PLOY_SEARCH_IDLE ? PLOY_SEARCH_PRUNED : outcome; // cut off by max_states
}

int32_t ploy_goap_plan(const ploy_goap *goap, int32_t *out, int32_t capacity) {
    if (ploy_goap_outcome(goap) != PLOY_SEARCH_FOUND) return -1;
    for (int32_t i = 0; i < goap->plan.count && i < capacity; i++) {
        out[i] = PLOY_ARRAY_ITEMS(&goap->plan, int32_t)[i];
    }
    return goap->plan.count;
}

double ploy_goap_cost(const ploy_goap *goap) {
    return goap->cost;
}

ploy_goap_stats ploy_goap_stats_of(const ploy_goap *goap) {
    ploy_goap_stats stats;
    memset(&stats, 0, sizeof stats);
    if (goap->deep) {
        if (goap->depth != NULL) ployi_goap_depth_stats(goap->depth, &stats);
        return stats;
    }
    ploy_search_stats own = ploy_search_stats_of(goap->search);
    stats.taken = own.taken;
    stats.edges = own.edges;
    stats.estimates = own.estimates;
    stats.states = ploy_states_count(goap->states);
    return stats;
}

int32_t ploy_goap_explain(ploy_goap *goap, ploy_writer *writer) {
    const ploy_goap_need *goal = PLOY_ARRAY_ITEMS(&goap->goal, ploy_goap_need);
    ploy_result result = PLOY_OK;
    if (goap->relax == NULL) {
        result = ployi_goap_relax_create(goap->type, &goap->env, &goap->relax);
    }
    if (result == PLOY_OK) result = ployi_goap_relax_goal(goap->relax, goal, goap->goal.count);
    if (result != PLOY_OK) {
        ploy_write_text(writer, "there is no memory to look for the reason\n");
        return 0;
    }
    (void)ployi_goap_relax_estimate(goap->relax, goap->world.items, PLOY_GOAP_MAX);
    int32_t missing =
        ployi_goap_why(goap->type, goap->relax, goal, goap->goal.count, &goap->env, writer);
    ploy_search_outcome outcome = ploy_goap_outcome(goap);
    if (missing > 0 || outcome == PLOY_SEARCH_FOUND) return missing;
    ploy_write_text(writer, outcome == PLOY_SEARCH_PRUNED
                                ? "a limit of the planner cut the search off\n"
                                : "each condition can be had, but not all of them together\n");
    return 0;
}

void ploy_goap_trace(ploy_goap *goap, ploy_agent_id agent, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, agent, "plan", "goap");
    ploy_search_outcome outcome = ploy_goap_outcome(goap);
    ploy_trace_text(trace, "outcome", ploy_search_outcome_text(outcome));
    uint64_t *world = PLOY_ARRAY_ITEMS(&goap->scratch, uint64_t);
    memcpy(world, goap->world.items, (size_t)goap->type->words * sizeof *world);
    for (int32_t i = 0; i < goap->plan.count && outcome == PLOY_SEARCH_FOUND; i++) {
        int32_t action = PLOY_ARRAY_ITEMS(&goap->plan, int32_t)[i];
        ploy_trace_option(trace, ploy_goap_type_action_id(goap->type, action), PLOY_OUTCOME_WON,
                          ployi_goap_world_price(goap->type, world, action), "in the plan");
        ploy_goap_world_apply(goap->type, world, action);
    }
    if (outcome == PLOY_SEARCH_NONE || outcome == PLOY_SEARCH_PRUNED) {
        ploy_buffer text;
        ploy_buffer_init(&text, 4096, &goap->env);
        ploy_writer writer = ploy_buffer_writer(&text);
        (void)ploy_goap_explain(goap, &writer);
        ploy_trace_note(trace, ploy_buffer_text(&text));
        ploy_buffer_fini(&text);
    }
    ploy_trace_end(trace);
}

void ploy_goap_describe(const ploy_goap *goap, ploy_describe *out) {
    ploy_describe_text(out, "outcome", PLOY_STATE,
                       ploy_search_outcome_text(ploy_goap_outcome(goap)));
    ploy_describe_f64(out, "cost", PLOY_STATE, goap->cost);
    if (goap->debt > 0) ploy_describe_i64(out, "debt", PLOY_STATE, goap->debt);
    ploy_describe_begin(out, "plan");
    for (int32_t i = 0; i < goap->plan.count; i++) {
        char name[PLOY_PRINT_I64_SIZE];
        (void)ploy_print_i64(i, name);
        ploy_describe_text(
            out, name, PLOY_STATE,
            ploy_goap_type_action_id(goap->type, PLOY_ARRAY_ITEMS(&goap->plan, int32_t)[i]));
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "search");
    if (goap->deep && goap->depth != NULL) {
        ployi_goap_depth_describe(goap->depth, out);
    } else if (!goap->deep) {
        ploy_search_describe(goap->search, out);
        ploy_states_describe(goap->states, out);
    }
    ploy_describe_end(out);
}

void ploy_goap_memory(const ploy_goap *goap, ploy_memory_fn fn, void *user) {
    const ploy_array *arrays[] = {&goap->world, &goap->scratch, &goap->goal,
                                  &goap->plan,  &goap->path,    &goap->heirs};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
    if (goap->relax != NULL) ployi_goap_relax_memory(goap->relax, fn, user);
    if (goap->depth != NULL) ployi_goap_depth_memory(goap->depth, fn, user);
    if (goap->search != NULL) ploy_search_memory(goap->search, fn, user);
    if (goap->states != NULL) ploy_states_memory(goap->states, fn, user);
    ploy_memory_item own = {"goap", sizeof *goap, 1};
    fn(user, &own);
}
