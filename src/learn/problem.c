// The front of problems: seeds, limits, masks. The small problems are in problems.c.
#include "ploy/learn/problem.h"

#include <string.h>

struct ploy_problem {
    ploy_env env;
    const ploy_problem_type *type;
    void *self;
    ploy_rng rng;
    int32_t steps;
    bool over;
};

ploy_result ploy_problem_create(const ploy_problem_type *type, const ploy_env *env,
                                ploy_problem **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || type->create == NULL || type->reset == NULL || type->step == NULL ||
        type->space.actions < 1 || type->space.actions > PLOY_PROBLEM_ACTIONS_MAX ||
        type->space.observed > PLOY_PROBLEM_OBSERVED_MAX ||
        (type->state == NULL && type->observe == NULL)) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "the problem's type is incomplete");
        return PLOY_ERR_ARGUMENT;
    }
    ploy_problem *problem = ploy_env_alloc_zero(env, sizeof *problem);
    if (problem == NULL) return PLOY_ERR_MEMORY;
    problem->env = *env;
    problem->type = type;
    ploy_result result = type->create(type, env, &problem->self);
    if (result != PLOY_OK) {
        ploy_env_free(env, problem, sizeof *problem);
        return result;
    }
    ploy_problem_reset(problem, 0);
    *out = problem;
    return PLOY_OK;
}

void ploy_problem_destroy(ploy_problem *problem) {
    if (problem == NULL) return;
    ploy_env env = problem->env;
    problem->type->destroy(problem->self);
    ploy_env_free(&env, problem, sizeof *problem);
}

const ploy_problem_type *ploy_problem_type_of(const ploy_problem *problem) {
    return problem->type;
}

void ploy_problem_restart(ploy_problem *problem, int64_t state) {
    problem->steps = 0;
    problem->over = false;
    problem->type->reset(problem->self, &problem->rng, state);
}

void ploy_problem_reset(ploy_problem *problem, uint64_t seed) {
    problem->rng = ploy_rng_make(seed);
    ploy_problem_restart(problem, -1);
}

int32_t ploy_problem_allowed(const ploy_problem *problem, bool *out) {
    int32_t actions = problem->type->space.actions, count = 0;
    for (int32_t i = 0; i < actions; i++) out[i] = true;
    if (problem->type->allowed != NULL) problem->type->allowed(problem->self, out);
    for (int32_t i = 0; i < actions; i++) count += out[i] ? 1 : 0;
    return count;
}

ploy_problem_result ploy_problem_step(ploy_problem *problem, int32_t action) {
    ploy_problem_result result = {0.0f, true, false};
    if (problem->over) return result; // an episode that has ended gives nothing more
    bool allowed[PLOY_PROBLEM_ACTIONS_MAX];
    (void)ploy_problem_allowed(problem, allowed);
    int32_t actions = problem->type->space.actions;
    if (action < 0 || action >= actions || !allowed[action]) {
        for (action = 0; action < actions - 1 && !allowed[action]; action++) {
        }
    }
    result = problem->type->step(problem->self, &problem->rng, action);
    problem->steps++;
    int32_t limit = problem->type->space.step_limit;
    if (limit > 0 && problem->steps >= limit && !result.terminated) result.truncated = true;
    problem->over = result.terminated || result.truncated;
    return result;
}

int64_t ploy_problem_state(const ploy_problem *problem) {
    return problem->type->state == NULL ? -1 : problem->type->state(problem->self);
}

void ploy_problem_observe(const ploy_problem *problem, float *out) {
    if (problem->type->observe != NULL) problem->type->observe(problem->self, out);
}

int32_t ploy_problem_steps(const ploy_problem *problem) {
    return problem->steps;
}

typedef struct problem_batch {
    ploy_problem *const *problems;
    const int32_t *actions;
    ploy_problem_result *results;
} problem_batch;

static void problem_batch_run(void *user, int32_t first, int32_t count, int32_t worker) {
    problem_batch *batch = user;
    (void)worker;
    for (int32_t i = first; i < first + count; i++) {
        batch->results[i] = ploy_problem_step(batch->problems[i], batch->actions[i]);
    }
}

ploy_result ploy_problem_step_batch(ploy_problem *const *problems, int32_t count,
                                    const int32_t *actions, const ploy_jobs *jobs,
                                    ploy_problem_result *results) {
    problem_batch batch = {problems, actions, results};
    if (count < 0 || (count > 0 && (problems == NULL || actions == NULL || results == NULL))) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_jobs_run(jobs, problem_batch_run, &batch, count, 1);
    return PLOY_OK;
}

void ploy_problem_visit(ploy_visit *v, void *object) {
    ploy_problem *problem = object;
    ploy_visit_object(v, "problem", problem, sizeof *problem);
    PLOY_VISIT_SCRATCH(v, problem->env);
    PLOY_VISIT_SCRATCH(v, problem->type);
    PLOY_VISIT_SCRATCH(v, problem->self);
    ploy_visit_rng(v, "rng", PLOY_STATE, &problem->rng);
    ploy_visit_i32_in(v, "steps", PLOY_STATE, &problem->steps, 0, 1 << 30);
    ploy_visit_bool(v, "over", PLOY_STATE, &problem->over);
    ploy_visit_begin(v, "state", PLOY_STATE);
    problem->type->visit(v, problem->self);
    ploy_visit_end(v);
}

void ploy_problem_draw(const ploy_problem *problem, ploy_draw *out) {
    if (problem->type->draw != NULL) problem->type->draw(problem->self, out);
}
