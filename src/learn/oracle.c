// Exact values of small problems, and what a greedy policy does in them.
#include <math.h>
#include <string.h>

#include "learn/actor_internal.h"

enum { ORACLE_SWEEPS = 100000 };

// The value of one action: over its outcomes, with later values from v. False for an end.
static bool oracle_action(const ploy_problem_type *type, double discount, const double *v,
                          int64_t state, int32_t action, double *out) {
    ploy_problem_outcome outcomes[PLOY_PROBLEM_OUTCOMES_MAX];
    int32_t count = type->model(state, action, outcomes);
    *out = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double later = outcomes[i].terminated ? 0.0 : v[outcomes[i].state];
        *out += outcomes[i].probability * (outcomes[i].reward + discount * later);
    }
    return count > 0;
}

// Value iteration on Q, in place: each state's best is read from its row.
ploy_result ploy_oracle_best(const ploy_problem_type *type, double discount, double *q) {
    if (type == NULL || q == NULL) return PLOY_ERR_ARGUMENT;
    if (type->model == NULL) return PLOY_ERR_UNSUPPORTED;
    int32_t actions = type->space.actions;
    memset(q, 0, (size_t)(type->space.states * actions) * sizeof(double));
    for (int32_t sweep = 0; sweep < ORACLE_SWEEPS; sweep++) {
        double change = 0.0;
        for (int64_t s = 0; s < type->space.states; s++) {
            for (int32_t a = 0; a < actions; a++) {
                ploy_problem_outcome outcomes[PLOY_PROBLEM_OUTCOMES_MAX];
                int32_t count = type->model(s, a, outcomes);
                double sum = 0.0;
                for (int32_t i = 0; i < count; i++) {
                    double later = -INFINITY;
                    const double *row = q + outcomes[i].state * actions;
                    for (int32_t b = 0; b < actions; b++) later = row[b] > later ? row[b] : later;
                    if (outcomes[i].terminated) later = 0.0;
                    sum += outcomes[i].probability * (outcomes[i].reward + discount * later);
                }
                double by = fabs(sum - q[s * actions + a]);
                change = by > change ? by : change;
                q[s * actions + a] = sum;
            }
        }
        if (change < 1e-12) return PLOY_OK;
    }
    return PLOY_ERR_LIMIT;
}

ploy_result ploy_oracle_policy(const ploy_problem_type *type, double discount, const double *shares,
                               double *values) {
    if (type == NULL || values == NULL) return PLOY_ERR_ARGUMENT;
    if (type->model == NULL) return PLOY_ERR_UNSUPPORTED;
    int32_t actions = type->space.actions;
    memset(values, 0, (size_t)type->space.states * sizeof(double));
    for (int32_t sweep = 0; sweep < ORACLE_SWEEPS; sweep++) {
        double change = 0.0;
        for (int64_t s = 0; s < type->space.states; s++) {
            double sum = 0.0, value;
            for (int32_t a = 0; a < actions; a++) {
                double share = shares == NULL ? 1.0 / actions : shares[s * actions + a];
                if (share > 0.0 && oracle_action(type, discount, values, s, a, &value))
                    sum += share * value;
            }
            double by = fabs(sum - values[s]);
            change = by > change ? by : change;
            values[s] = sum;
        }
        if (change < 1e-12) return PLOY_OK;
    }
    return PLOY_ERR_LIMIT;
}

// Howard's policy iteration; the policy is evaluated by sweeps that are cut off, since a policy without an end has
// no value at discount 1.
ploy_result ploy_oracle_improve(const ploy_problem_type *type, double discount, int32_t *policy,
                                double *values, int32_t *sweeps) {
    if (type == NULL || policy == NULL || values == NULL) return PLOY_ERR_ARGUMENT;
    if (type->model == NULL) return PLOY_ERR_UNSUPPORTED;
    int64_t states = type->space.states;
    memset(policy, 0, (size_t)states * sizeof(int32_t));
    memset(values, 0, (size_t)states * sizeof(double));
    for (int32_t round = 0; round < 1000; round++) {
        for (int32_t sweep = 0; sweep < 2000; sweep++) {
            double change = 0.0, value;
            for (int64_t s = 0; s < states; s++) {
                (void)oracle_action(type, discount, values, s, policy[s], &value);
                double by = fabs(value - values[s]);
                change = by > change ? by : change;
                values[s] = value;
            }
            if (change < 1e-13) break;
        }
        bool stable = true;
        for (int64_t s = 0; s < states; s++) {
            double best, value;
            (void)oracle_action(type, discount, values, s, policy[s], &best);
            for (int32_t a = 0; a < type->space.actions; a++) {
                (void)oracle_action(type, discount, values, s, a, &value);
                if (value > best + 1e-9) {
                    best = value;
                    policy[s] = a;
                    stable = false;
                }
            }
        }
        if (sweeps != NULL) *sweeps = round + 1;
        if (stable) return PLOY_OK;
    }
    return PLOY_ERR_LIMIT;
}

static bool oracle_is_end(const ploy_problem_type *type, int64_t state) {
    ploy_problem_outcome outcomes[PLOY_PROBLEM_OUTCOMES_MAX];
    return type->model(state, 0, outcomes) == 0;
}

double ploy_oracle_error(const ploy_problem_type *type, ploy_actor actor, const double *q) {
    double worst = 0.0, values[PLOY_PROBLEM_ACTIONS_MAX];
    for (int64_t s = 0; s < type->space.states; s++) {
        if (oracle_is_end(type, s)) continue;
        ploy_situation now = {s, NULL, NULL};
        ploy_actor_values(actor, &now, values);
        for (int32_t a = 0; a < type->space.actions; a++) {
            double by = fabs(values[a] - q[s * type->space.actions + a]);
            worst = by > worst ? by : worst;
        }
    }
    return worst;
}

bool ploy_oracle_agrees(const ploy_problem_type *type, ploy_actor actor, const double *q,
                        double tolerance) {
    int32_t actions = type->space.actions;
    for (int64_t s = 0; s < type->space.states; s++) {
        if (oracle_is_end(type, s)) continue;
        ploy_situation now = {s, NULL, NULL};
        int32_t best = ploy_actor_best(actor, &now);
        for (int32_t a = 0; a < actions; a++) {
            if (best < 0 || q[s * actions + a] > q[s * actions + best] + tolerance) return false;
        }
    }
    return true;
}

// Where the greedy policy goes next, along the likeliest outcome; -1 at an end.
static int64_t oracle_next(const ploy_problem_type *type, ploy_actor actor, int64_t state,
                           double *reward) {
    ploy_problem_outcome outcomes[PLOY_PROBLEM_OUTCOMES_MAX];
    ploy_situation now = {state, NULL, NULL};
    int32_t count = type->model(state, ploy_actor_best(actor, &now), outcomes), best = 0;
    *reward = 0.0;
    if (count == 0) return -1;
    for (int32_t i = 1; i < count; i++) {
        if (outcomes[i].probability > outcomes[best].probability) best = i;
    }
    *reward = outcomes[best].reward;
    return outcomes[best].terminated ? -1 : outcomes[best].state;
}

// The loop that starts at a state which is on one.
static ploy_trap oracle_loop(const ploy_problem_type *type, ploy_actor actor, int64_t start) {
    ploy_trap trap = {start, 0, 0, 0.0};
    int64_t at = start;
    do {
        double reward;
        trap.state = at < trap.state ? at : trap.state;
        at = oracle_next(type, actor, at, &reward);
        trap.reward += reward;
        trap.length++;
    } while (at != start);
    trap.reward /= trap.length;
    return trap;
}

int32_t ploy_oracle_traps(const ploy_problem_type *type, ploy_actor actor, const ploy_env *env,
                          ploy_trap *traps, int32_t room) {
    if (type == NULL || type->model == NULL || type->space.states < 1) return -1;
    size_t size = (size_t)type->space.states * sizeof(int64_t);
    int64_t *met = ploy_env_alloc_zero(
        env, size); // 0: not yet; s + 1: on the walk from s; below 0: loop -n, or -1000000: none
    if (met == NULL) return -1;
    int32_t count = 0;
    for (int64_t s = 0; s < type->space.states; s++) {
        int64_t at = s, ends = INT64_MIN;
        double reward;
        while (at >= 0 && met[at] == 0) {
            met[at] = s + 1;
            at = oracle_next(type, actor, at, &reward);
        }
        if (at >= 0 && met[at] == s + 1) { // a new loop
            ploy_trap trap = oracle_loop(type, actor, at);
            if (count < room) traps[count] = trap;
            ends = -++count;
        } else if (at >= 0) {
            ends = met[at];
        }
        for (at = s; at >= 0 && met[at] == s + 1; at = oracle_next(type, actor, at, &reward)) {
            met[at] = ends;
            if (ends > INT64_MIN && -ends <= room) traps[-ends - 1].trapped++;
        }
    }
    ploy_env_free(env, met, size);
    return count;
}
