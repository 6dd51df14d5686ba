// Policies where actions may have several outcomes; described in the header.
//
//     worlds   states[w]: bits | info[w]: cost, chance, its moves, its choice
//     moves    of each world: a gamble that is possible there, its price | targets, one a branch
//
// Invariants:
//   (1) info[w] of a world that was looked at has its moves side by side, in the gambles' order;
//   (2) costs only fall and chances only rise from sweep to sweep.
#include "ploy/decide/goap_policy.h"

#include "decide/decide_internal.h"

#include <math.h>
#include <string.h>

#include "goap_internal.h"

static const ploy_field goap_policy_table[] = {
    PLOY_FIELD_I32(ploy_goap_policy_def, max_worlds, 100000, 1, 1 << 28, "", "most worlds"),
    PLOY_FIELD_I32(ploy_goap_policy_def, max_sweeps, 1000, 1, 1 << 28, "", "most sweeps"),
    PLOY_FIELD_F64(ploy_goap_policy_def, give_up, 1000.0, 0.0, 1e12, "", "cost of giving up"),
    PLOY_FIELD_F64(ploy_goap_policy_def, tolerance, 1e-9, 0.0, 1.0, "", "when sweeps end"),
};

enum {
    GOAP_POLICY_NOTHING,
    GOAP_POLICY_LOOKS,
    GOAP_POLICY_COSTS,
    GOAP_POLICY_CHANCES,
    GOAP_POLICY_DONE
};

enum { GOAP_POLICY_BEYOND = -1 }; // a target that was not kept

typedef struct goap_policy_world {
    double cost, chance;
    int32_t first_move, move_count;
    int32_t choice; // a gamble, or -1
    int32_t move;   // the choice's, or -1
    bool goal;
} goap_policy_world;

typedef struct goap_policy_move {
    double price;
    int32_t gamble, first_target;
} goap_policy_move;

struct ploy_goap_policy {
    ploy_env env;
    ploy_goap_policy_def def;
    const ploy_goap_type *type;
    ploy_states *states;
    ploy_array gambles;  // ploy_goap_gamble; branches point into the next
    ploy_array branches; // ploy_goap_branch
    ploy_array goal;     // ploy_goap_need
    ploy_array worlds;   // goap_policy_world
    ploy_array moves;    // goap_policy_move
    ploy_array targets;  // int32_t
    ploy_array scratch;  // uint64_t: one world
    int32_t phase;
    int32_t at;        // the world that is next
    int32_t in;        // of its gambles or moves: how many were looked at
    int32_t first;     // LOOKS: its first move
    int32_t best_move; // COSTS: the best so far, -1 for the one it has
    double best;       // and its cost
    int64_t allow;     // work that the unit may still do
    int32_t sweeps, turn;
    double change; // largest of this sweep
};

ploy_fields ploy_goap_policy_fields(void) {
    return PLOY_FIELDS(ploy_goap_policy_def, goap_policy_table);
}

ploy_goap_policy_def ploy_goap_policy_def_default(void) {
    ploy_goap_policy_def def;
    ploy_fields_default(ploy_goap_policy_fields(), &def);
    return def;
}

// ---- life ----

static ploy_result goap_policy_copy(ploy_goap_policy *policy, const ploy_goap_gamble *gambles,
                                    int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        double sum = 0.0;
        if (gambles[i].count < 1 || gambles[i].count > PLOY_GOAP_BRANCHES_MAX ||
            gambles[i].branches == NULL) {
            return PLOY_ERR_ARGUMENT;
        }
        for (int32_t k = 0; k < gambles[i].count; k++) {
            const ploy_goap_branch *branch = &gambles[i].branches[k];
            if (branch->action < 0 || branch->action >= ploy_goap_type_actions(policy->type) ||
                !(branch->chance >= 0.0 && branch->chance <= 1.0)) {
                return PLOY_ERR_ARGUMENT;
            }
            sum += branch->chance;
        }
        if (!(fabs(sum - 1.0) <= 1e-6)) return PLOY_ERR_ARGUMENT;
        ploy_result result =
            ploy_array_push_many(&policy->branches, gambles[i].branches, gambles[i].count);
        if (result == PLOY_OK) result = ploy_array_push(&policy->gambles, &gambles[i]);
        if (result != PLOY_OK) return result;
    }
    ploy_goap_branch *branches = PLOY_ARRAY_ITEMS(&policy->branches, ploy_goap_branch);
    for (int32_t i = 0; i < count; i++) {
        double sum = 0.0;
        for (int32_t k = 0; k < gambles[i].count; k++) sum += branches[k].chance;
        for (int32_t k = 0; k < gambles[i].count; k++) branches[k].chance /= sum;
        PLOY_ARRAY_ITEMS(&policy->gambles, ploy_goap_gamble)[i].branches = branches;
        branches += gambles[i].count;
    }
    return PLOY_OK;
}

ploy_result ploy_goap_policy_create(const ploy_goap_policy_def *def, const ploy_goap_type *type,
                                    const ploy_goap_gamble *gambles, int32_t count,
                                    const ploy_env *env, ploy_goap_policy **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_goap_policy_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (type == NULL || count < 0 || (count > 0 && gambles == NULL)) return PLOY_ERR_ARGUMENT;
    ploy_goap_policy *policy = ploy_env_alloc_zero(env, sizeof *policy);
    if (policy == NULL) return PLOY_ERR_MEMORY;
    policy->env = *env;
    policy->def = *def;
    policy->type = type;
    ploy_array_init(&policy->gambles, sizeof(ploy_goap_gamble), env);
    ploy_array_init(&policy->branches, sizeof(ploy_goap_branch), env);
    ploy_array_init(&policy->goal, sizeof(ploy_goap_need), env);
    ploy_array_init(&policy->worlds, sizeof(goap_policy_world), env);
    ploy_array_init(&policy->moves, sizeof(goap_policy_move), env);
    ploy_array_init(&policy->targets, sizeof(int32_t), env);
    ploy_array_init(&policy->scratch, sizeof(uint64_t), env);
    ploy_states_def states = ploy_states_def_default();
    states.size = ploy_goap_type_words(type) * (int32_t)sizeof(uint64_t);
    states.capacity = def->max_worlds;
    result = goap_policy_copy(policy, gambles, count);
    if (result == PLOY_OK) result = ploy_states_create(&states, env, &policy->states);
    if (result == PLOY_OK) {
        result = ploy_array_resize(&policy->scratch, ploy_goap_type_words(type));
    }
    if (result != PLOY_OK) {
        ploy_goap_policy_destroy(policy);
        return result;
    }
    *out = policy;
    return PLOY_OK;
}

void ploy_goap_policy_destroy(ploy_goap_policy *policy) {
    if (policy == NULL) return;
    ploy_states_destroy(policy->states);
    ploy_array *arrays[] = {&policy->gambles, &policy->branches, &policy->goal,   &policy->worlds,
                            &policy->moves,   &policy->targets,  &policy->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) ploy_array_fini(arrays[i]);
    ploy_env env = policy->env;
    ploy_env_free(&env, policy, sizeof *policy);
}

void ploy_goap_policy_cancel(ploy_goap_policy *policy) {
    ploy_states_clear(policy->states);
    ploy_array_clear(&policy->worlds);
    ploy_array_clear(&policy->moves);
    ploy_array_clear(&policy->targets);
    policy->phase = GOAP_POLICY_NOTHING;
    policy->at = policy->in = policy->sweeps = policy->turn = 0;
    policy->change = 0.0;
}

// ---- work ----

// The number of a world, with an entry for it.
static ploy_result goap_policy_world_of(ploy_goap_policy *policy, const uint64_t *world,
                                        int32_t *out) {
    int32_t before = ploy_states_count(policy->states);
    ploy_result result = ploy_states_find(policy->states, world, out);
    if (result != PLOY_OK || *out < before) return result;
    bool goal = ployi_goap_world_holds(
        policy->type, world, PLOY_ARRAY_ITEMS(&policy->goal, ploy_goap_need), policy->goal.count);
    goap_policy_world entry = {
        goal ? 0.0 : policy->def.give_up, goal ? 1.0 : 0.0, 0, 0, -1, -1, goal};
    return ploy_array_push(&policy->worlds, &entry);
}

ploy_result ploy_goap_policy_begin(ploy_goap_policy *policy, const uint64_t *world,
                                   const ploy_goap_need *goal, int32_t count) {
    if (policy == NULL || world == NULL || count < 0 || (count > 0 && goal == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!ployi_goap_need_valid(policy->type, &goal[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_goap_policy_cancel(policy);
    ploy_array_clear(&policy->goal);
    int32_t first;
    ploy_result result = ploy_array_push_many(&policy->goal, goal, count);
    if (result == PLOY_OK) result = goap_policy_world_of(policy, world, &first);
    if (result == PLOY_OK) {
        policy->phase = GOAP_POLICY_LOOKS;
    } else {
        ploy_goap_policy_cancel(policy);
    }
    return result;
}

// Looks whether a gamble is possible in a world, and where it leads.
static ploy_result goap_policy_look_at(ploy_goap_policy *policy, int32_t at, int32_t g) {
    const uint64_t *world = ploy_states_get(policy->states, at);
    uint64_t *next = PLOY_ARRAY_ITEMS(&policy->scratch, uint64_t);
    const ploy_goap_gamble *gamble = PLOY_ARRAY_AT(&policy->gambles, ploy_goap_gamble, g);
    const ployi_goap_item *items = PLOY_ARRAY_ITEMS(&policy->type->actions, ployi_goap_item);
    policy->allow -= ployi_goap_try_work(&items[gamble->branches[0].action]);
    double price = ployi_goap_world_price(policy->type, world, gamble->branches[0].action);
    bool possible = price < (double)INFINITY;
    for (int32_t k = 1; k < gamble->count && possible; k++) {
        policy->allow -= ployi_goap_try_work(&items[gamble->branches[k].action]);
        possible = ployi_goap_world_allows(policy->type, world, gamble->branches[k].action);
    }
    if (!possible) return PLOY_OK;
    goap_policy_move move = {price, g, policy->targets.count};
    ploy_result result = ploy_array_push(&policy->moves, &move);
    for (int32_t k = 0; k < gamble->count && result == PLOY_OK; k++) {
        int32_t target = GOAP_POLICY_BEYOND;
        int32_t action = gamble->branches[k].action;
        policy->allow -= ployi_goap_apply_work(&items[action], policy->scratch.count);
        world = ploy_states_get(policy->states, at); // a new world may have moved the others
        memcpy(next, world, (size_t)policy->scratch.count * sizeof *next);
        ploy_goap_world_apply(policy->type, next, action);
        result = goap_policy_world_of(policy, next, &target);
        if (result == PLOY_ERR_LIMIT) {
            target = GOAP_POLICY_BEYOND;
            result = PLOY_OK;
        }
        if (result == PLOY_OK) result = ploy_array_push(&policy->targets, &target);
    }
    return result;
}

// Which gambles are possible in the next world, and where they lead.
// @return PLOY_IN_PROGRESS while some were not looked at.
static ploy_result goap_policy_look(ploy_goap_policy *policy) {
    int32_t at = policy->at;
    if (policy->in == 0) policy->first = policy->moves.count;
    if (PLOY_ARRAY_AT(&policy->worlds, goap_policy_world, at)->goal) {
        policy->in = policy->gambles.count;
    }
    for (; policy->in < policy->gambles.count; policy->in++) {
        if (policy->allow <= 0) return PLOY_IN_PROGRESS;
        ploy_result result = goap_policy_look_at(policy, at, policy->in);
        if (result != PLOY_OK) return result;
    }
    goap_policy_world *entry = PLOY_ARRAY_AT(&policy->worlds, goap_policy_world, at);
    entry->first_move = policy->first; // keeps (1)
    entry->move_count = policy->moves.count - policy->first;
    policy->in = 0;
    return PLOY_OK;
}

// What a move is worth: the mean over its branches of the number that `cost` chooses. A branch that
// leaves the world as it is only makes for another try, so that the rest is worth the more.
static double goap_policy_value(const ploy_goap_policy *policy, int32_t world, int32_t move_at,
                                bool cost) {
    const goap_policy_move *move = PLOY_ARRAY_AT(&policy->moves, goap_policy_move, move_at);
    const ploy_goap_gamble *gamble =
        PLOY_ARRAY_AT(&policy->gambles, ploy_goap_gamble, move->gamble);
    const int32_t *targets = PLOY_ARRAY_ITEMS(&policy->targets, int32_t) + move->first_target;
    double sum = cost ? move->price : 0.0, stays = 0.0;
    for (int32_t k = 0; k < gamble->count; k++) {
        double chance = gamble->branches[k].chance;
        if (targets[k] == world) {
            stays += chance;
        } else if (targets[k] == GOAP_POLICY_BEYOND) {
            sum += cost ? chance * policy->def.give_up : 0.0;
        } else {
            const goap_policy_world *to =
                &PLOY_ARRAY_ITEMS(&policy->worlds, goap_policy_world)[targets[k]];
            sum += chance * (cost ? to->cost : to->chance);
        }
    }
    // Nothing else ever happens: it costs without end, or leads nowhere.
    if (!(stays < 1.0)) return cost ? (double)INFINITY : 0.0;
    return sum / (1.0 - stays);
}

static int32_t goap_policy_branches(const ploy_goap_policy *policy, int32_t move_at) {
    const goap_policy_move *move = PLOY_ARRAY_AT(&policy->moves, goap_policy_move, move_at);
    return PLOY_ARRAY_AT(&policy->gambles, ploy_goap_gamble, move->gamble)->count;
}

// Looks for a better move. @return false while some were not looked at.
static bool goap_policy_improve(ploy_goap_policy *policy, int32_t world) {
    goap_policy_world *entry = PLOY_ARRAY_AT(&policy->worlds, goap_policy_world, world);
    if (policy->in == 0) {
        policy->best = entry->cost;
        policy->best_move = -1;
    }
    for (; policy->in < entry->move_count; policy->in++) {
        int32_t move = entry->first_move + policy->in;
        if (policy->allow <= 0) return false;
        policy->allow -= 1 + goap_policy_branches(policy, move);
        double value = goap_policy_value(policy, world, move, true);
        if (!(value < policy->best)) continue; // keeps (2); of equal ones the first stays
        policy->best = value;
        policy->best_move = move;
    }
    policy->in = 0;
    if (policy->best_move < 0) return true;
    entry->move = policy->best_move;
    entry->choice = PLOY_ARRAY_AT(&policy->moves, goap_policy_move, entry->move)->gamble;
    if (entry->cost - policy->best > policy->change) policy->change = entry->cost - policy->best;
    entry->cost = policy->best;
    return true;
}

static void goap_policy_weigh(ploy_goap_policy *policy, int32_t world) {
    goap_policy_world *entry = PLOY_ARRAY_AT(&policy->worlds, goap_policy_world, world);
    if (entry->goal || entry->move < 0) return;
    double chance = goap_policy_value(policy, world, entry->move, false);
    if (chance > 1.0) chance = 1.0; // by rounding
    if (chance - entry->chance > policy->change) policy->change = chance - entry->chance;
    if (chance > entry->chance) entry->chance = chance;
}

// One world in turn, the last first: what is far from the start is near to the goal.
static void goap_policy_sweep(ploy_goap_policy *policy) {
    int32_t count = policy->worlds.count, world = count - 1 - policy->at;
    if (policy->phase == GOAP_POLICY_COSTS) {
        if (!goap_policy_improve(policy, world)) return;
    } else {
        goap_policy_weigh(policy, world);
    }
    if (++policy->at < count) return;
    bool settled =
        policy->change <= policy->def.tolerance || ++policy->turn >= policy->def.max_sweeps;
    policy->sweeps++;
    policy->at = 0;
    policy->change = 0.0;
    if (!settled) return;
    policy->turn = 0;
    policy->phase++;
}

ploy_result ploy_goap_policy_step(ploy_goap_policy *policy, ploy_budget *budget) {
    if (policy == NULL) return PLOY_ERR_ARGUMENT;
    if (policy->phase == GOAP_POLICY_NOTHING) return PLOY_ERR_STATE;
    while (policy->phase != GOAP_POLICY_DONE) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        policy->allow = budget != NULL ? PLOYI_GOAP_UNIT : PLOYI_GOAP_ENDLESS;
        if (policy->phase != GOAP_POLICY_LOOKS) {
            goap_policy_sweep(policy);
            continue;
        }
        ploy_result result = goap_policy_look(policy);
        if (result == PLOY_IN_PROGRESS) continue;
        if (result != PLOY_OK) {
            ploy_goap_policy_cancel(policy);
            return result;
        }
        if (++policy->at < policy->worlds.count) continue;
        policy->at = 0;
        policy->phase = GOAP_POLICY_COSTS;
    }
    return PLOY_OK;
}

// ---- results ----

static const goap_policy_world *goap_policy_find(const ploy_goap_policy *policy,
                                                 const uint64_t *world) {
    if (policy == NULL || world == NULL || policy->phase == GOAP_POLICY_NOTHING) return NULL;
    int32_t at = ploy_states_known(policy->states, world);
    return at >= 0 ? PLOY_ARRAY_AT(&policy->worlds, goap_policy_world, at) : NULL;
}

int32_t ploy_goap_policy_choice(const ploy_goap_policy *policy, const uint64_t *world) {
    const goap_policy_world *entry = goap_policy_find(policy, world);
    return entry != NULL ? entry->choice : -1;
}

double ploy_goap_policy_cost(const ploy_goap_policy *policy, const uint64_t *world) {
    const goap_policy_world *entry = goap_policy_find(policy, world);
    return entry != NULL ? entry->cost : (double)NAN;
}

double ploy_goap_policy_chance(const ploy_goap_policy *policy, const uint64_t *world) {
    const goap_policy_world *entry = goap_policy_find(policy, world);
    return entry != NULL ? entry->chance : (double)NAN;
}

int32_t ployi_goap_policy_worlds(const ploy_goap_policy *policy, int32_t *sweeps) {
    if (sweeps != NULL) *sweeps = policy->sweeps;
    return policy->worlds.count;
}

void ployi_goap_policy_memory(const ploy_goap_policy *policy, ploy_memory_fn fn, void *user) {
    const ploy_array *arrays[] = {&policy->gambles, &policy->branches, &policy->goal,
                                  &policy->worlds,  &policy->moves,    &policy->targets,
                                  &policy->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
    ploy_states_memory(policy->states, fn, user);
    ploy_memory_item own = {"policy", sizeof *policy, 1};
    fn(user, &own);
}

void ploy_goap_policy_describe(const ploy_goap_policy *policy, ploy_describe *out) {
    if (policy == NULL || out == NULL) return;
    ploy_describe_i64(out, "phase", PLOY_STATE, policy->phase);
    ploy_describe_i64(out, "at", PLOY_STATE, policy->at);
    ploy_describe_i64(out, "worlds", PLOY_STATE, policy->worlds.count);
    ploy_describe_i64(out, "sweeps", PLOY_STATE, policy->sweeps);
    if (policy->worlds.count == 0) return;
    const goap_policy_world *start = PLOY_ARRAY_AT(&policy->worlds, goap_policy_world, 0);
    ploy_describe_f64(out, "cost", PLOY_STATE, start->cost);
    ploy_describe_f64(out, "chance", PLOY_STATE, start->chance);
    ploy_describe_i64(out, "choice", PLOY_STATE, start->choice);
}
