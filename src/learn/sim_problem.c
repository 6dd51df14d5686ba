// Simulations as problems.
//
// Invariants of a run:
//   (1) actions lists what was done since the episode began, so that seed and actions are all of its
//       state: the simulation is what executing them gives;
//   (2) values holds the probed numbers of the present tick: observations, reward, end.
#include "ploy/learn/sim_problem.h"

#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/base/probe.h"

#include <stdio.h>
#include <string.h>

typedef struct sim_run {
    ploy_env env;
    const ploy_sim_problem *problem;
    ploy_sim *sim; // NULL after a failure: the episode ends
    uint64_t seed;
    ploy_array actions; // int32_t
    double values[PLOY_PROBE_PATHS_MAX];
    const char *paths[PLOY_PROBE_PATHS_MAX];
    int32_t path_count;
} sim_run;

ploy_sim_problem_def ploy_sim_problem_def_default(void) {
    ploy_sim_problem_def def;
    memset(&def, 0, sizeof def);
    def.ticks = 1;
    def.step_limit = 1000;
    def.discount = 0.95f;
    def.states_max = 1000000;
    def.region_mib = 16;
    return def;
}

static void sim_run_stop(sim_run *run) {
    ploy_sim_destroy(run->sim);
    run->sim = NULL;
}

static ploy_result sim_run_read(sim_run *run) {
    ploy_probe probe;
    ploy_probe_init(&probe, run->paths, run->path_count, run->values);
    ploy_describe sink = ploy_probe_describe(&probe);
    ploy_sim_describe(run->sim, &sink);
    int32_t missing = ploy_probe_missing(&probe);
    if (missing < 0) return PLOY_OK;
    char text[PLOY_PROBE_PATH_MAX + 64];
    snprintf(text, sizeof text, "no number is described as '%.200s'", run->paths[missing]);
    ploy_env_log(&run->env, PLOY_SEVERITY_ERROR, text);
    return PLOY_ERR_NOT_FOUND;
}

static ploy_result sim_run_start(sim_run *run) {
    const ploy_sim_problem_def *def = &run->problem->def;
    sim_run_stop(run);
    ploy_sim_def sim = ploy_sim_def_default();
    sim.seed = run->seed;
    sim.region_mib = def->region_mib;
    ploy_result result = ploy_sim_create(&sim, def->sim, def->params, NULL, &run->env, &run->sim);
    if (result == PLOY_OK) result = sim_run_read(run);
    if (result != PLOY_OK) sim_run_stop(run);
    return result;
}

// Executes an action. A simulation that reports an error is stopped.
static void sim_run_act(sim_run *run, int32_t action) {
    const ploy_sim_problem_def *def = &run->problem->def;
    const ploy_sim_action *what = &def->actions[action];
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = what->command;
    input.agent = what->agent;
    input.value = what->value;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < def->ticks && result == PLOY_OK; i++) {
        bool acts = i == 0 && what->command != NULL;
        result = ploy_sim_step(run->sim, acts ? &input : NULL, acts ? 1 : 0, NULL);
    }
    if (result == PLOY_OK) result = sim_run_read(run);
    if (result != PLOY_OK) sim_run_stop(run);
}

static void sim_problem_destroy(void *self) {
    sim_run *run = self;
    ploy_env env = run->env;
    sim_run_stop(run);
    ploy_array_fini(&run->actions);
    ploy_env_free(&env, run, sizeof *run);
}

static ploy_result sim_problem_create(const ploy_problem_type *type, const ploy_env *env,
                                      void **out) {
    // The type is the first member of what ploy_sim_problem_init filled.
    const ploy_sim_problem *problem = (const ploy_sim_problem *)(const void *)type;
    sim_run *run = ploy_env_alloc_zero(env, sizeof *run);
    if (run == NULL) return PLOY_ERR_MEMORY;
    run->env = *env;
    run->problem = problem;
    for (int32_t i = 0; i < problem->def.observed_count; i++) {
        run->paths[run->path_count++] = problem->def.observed[i].path;
    }
    run->paths[run->path_count++] = problem->def.reward;
    if (problem->def.ended != NULL) run->paths[run->path_count++] = problem->def.ended;
    ploy_array_init(&run->actions, sizeof(int32_t), env);
    ploy_result result = ploy_array_reserve(&run->actions, problem->def.step_limit);
    if (result == PLOY_OK) result = sim_run_start(run); // a wrong path is reported here
    if (result != PLOY_OK) {
        sim_problem_destroy(run);
        return result;
    }
    *out = run;
    return PLOY_OK;
}

static void sim_problem_reset(void *self, ploy_rng *rng, int64_t state) {
    sim_run *run = self;
    (void)state; // a simulation starts where its seed puts it
    run->seed = ploy_rng_u64(rng);
    ploy_array_clear(&run->actions);
    (void)sim_run_start(run);
}

static double sim_run_reward(const sim_run *run) {
    return run->values[run->problem->def.observed_count];
}

static ploy_problem_result sim_problem_step(void *self, ploy_rng *rng, int32_t action) {
    sim_run *run = self;
    (void)rng; // everything random in a simulation comes from its seed
    ploy_problem_result result = {0.0f, true, false};
    if (run->sim == NULL || ploy_array_push(&run->actions, &action) != PLOY_OK) return result;
    double before = sim_run_reward(run);
    sim_run_act(run, action);
    if (run->sim == NULL) return result;
    result.reward = (float)(sim_run_reward(run) - before);
    result.terminated = run->problem->def.ended != NULL && run->values[run->path_count - 1] != 0.0;
    return result;
}

static int64_t sim_problem_state(const void *self) {
    const sim_run *run = self;
    const ploy_sim_problem *problem = run->problem;
    int32_t parts[PLOY_STATE_PARTS_MAX], count = 0;
    for (int32_t i = 0; i < problem->def.observed_count; i++) {
        const ploy_sim_observation *o = &problem->def.observed[i];
        if (o->levels < 1) continue;
        double share = (run->values[i] - (double)o->low) / ((double)o->high - (double)o->low);
        double level = share * o->levels;
        parts[count++] = !(level > 0.0)           ? 0
                         : level >= o->levels - 1 ? o->levels - 1
                                                  : (int32_t)level;
    }
    return (int64_t)ploy_state_encode(&problem->code, parts);
}

static void sim_problem_observe(const void *self, float *out) {
    const sim_run *run = self;
    for (int32_t i = 0; i < run->problem->def.observed_count; i++) out[i] = (float)run->values[i];
}

static void sim_problem_draw(const void *self, ploy_draw *out) {
    const sim_run *run = self;
    if (run->sim != NULL) ploy_sim_draw(run->sim, out);
}

static void sim_problem_restore(void *object) {
    sim_run *run = object;
    (void)sim_run_start(run);
    for (int32_t i = 0; i < run->actions.count && run->sim != NULL; i++) {
        sim_run_act(run, *PLOY_ARRAY_AT(&run->actions, int32_t, i)); // keeps (1)
    }
}

static void sim_problem_visit(ploy_visit *v, void *object) {
    sim_run *run = object;
    ploy_visit_object(v, "sim_problem", run, sizeof *run);
    ploy_visit_after(v, sim_problem_restore, run);
    PLOY_VISIT_SCRATCH(v, run->env);
    PLOY_VISIT_SCRATCH(v, run->problem);
    PLOY_VISIT_SCRATCH(v, run->sim);
    PLOY_VISIT_SCRATCH(v, run->values);
    PLOY_VISIT_SCRATCH(v, run->paths);
    PLOY_VISIT_SCRATCH(v, run->path_count);
    if (v->memory != NULL && run->sim != NULL) ploy_sim_memory(run->sim, v->memory, v->memory_user);
    ploy_visit_u64(v, "seed", PLOY_STATE, &run->seed);
    int32_t count =
        ploy_visit_array(v, "actions", PLOY_STATE, &run->actions, run->problem->def.step_limit);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "action", PLOY_STATE, PLOY_ARRAY_AT(&run->actions, int32_t, i), 0,
                          run->problem->def.action_count - 1);
    }
    ploy_visit_end(v);
}

static ploy_result sim_problem_refuse(const ploy_env *env, ploy_result result, const char *what,
                                      const char *name) {
    char text[256];
    snprintf(text, sizeof text, "problem of a simulation: %s%.160s", what, name);
    ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
    return result;
}

static ploy_result sim_problem_check(const ploy_sim_problem_def *def, const ploy_env *env) {
    if (def->sim == NULL || def->actions == NULL || def->observed == NULL ||
        def->observed_count < 1 || def->reward == NULL || def->ticks < 1 || def->step_limit < 1 ||
        def->action_count < 1 || def->action_count > PLOY_PROBLEM_ACTIONS_MAX) {
        return sim_problem_refuse(env, PLOY_ERR_ARGUMENT, "a part is missing or out of range", "");
    }
    if (def->observed_count > PLOY_PROBE_PATHS_MAX - 2) {
        return sim_problem_refuse(env, PLOY_ERR_LIMIT, "too many observations, at most 62", "");
    }
    for (int32_t i = 0; i < def->action_count; i++) {
        const char *name = def->actions[i].command;
        bool known = name == NULL;
        for (int32_t k = 0; k < def->sim->command_count && !known; k++) {
            known = strcmp(def->sim->commands[k].name, name) == 0;
        }
        if (!known) return sim_problem_refuse(env, PLOY_ERR_NOT_FOUND, "unknown command ", name);
    }
    for (int32_t i = 0; i < def->observed_count; i++) {
        const ploy_sim_observation *o = &def->observed[i];
        if (o->path != NULL && o->levels >= 0 && o->low < o->high) continue;
        return sim_problem_refuse(env, PLOY_ERR_ARGUMENT, "invalid range or levels of ",
                                  o->path == NULL ? "" : o->path);
    }
    return PLOY_OK;
}

ploy_result ploy_sim_problem_init(ploy_sim_problem *out, const ploy_sim_problem_def *def,
                                  const ploy_env *env) {
    if (out == NULL || def == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    memset(out, 0, sizeof *out);
    ploy_result result = sim_problem_check(def, env);
    int32_t radix[PLOY_STATE_PARTS_MAX + 1], parts = 0;
    for (int32_t i = 0; result == PLOY_OK && i < def->observed_count; i++) {
        if (def->observed[i].levels < 1) continue;
        if (parts == PLOY_STATE_PARTS_MAX) {
            return sim_problem_refuse(env, PLOY_ERR_LIMIT,
                                      "too many counted observations, at most 16", "");
        }
        radix[parts++] = def->observed[i].levels;
    }
    ploy_state_code code;
    memset(&code, 0, sizeof code);
    if (result == PLOY_OK && parts > 0) {
        uint64_t limit = def->states_max < 1 ? 1 : (uint64_t)def->states_max;
        result = ploy_state_code_make(radix, parts, limit, env, &code);
    }
    if (result != PLOY_OK) return result;
    out->def = *def;
    out->code = code;
    ploy_problem_type *type = &out->type;
    type->name = def->sim->name;
    type->help = def->sim->help;
    type->space.states = (int64_t)code.states;
    type->space.actions = def->action_count;
    type->space.observed = def->observed_count;
    type->space.step_limit = def->step_limit;
    type->space.discount = def->discount;
    for (int32_t i = 0; i < def->observed_count && i < PLOY_PROBLEM_RANGES_MAX; i++) {
        type->space.low[i] = def->observed[i].low;
        type->space.high[i] = def->observed[i].high;
    }
    type->create = sim_problem_create;
    type->destroy = sim_problem_destroy;
    type->reset = sim_problem_reset;
    type->step = sim_problem_step;
    type->state = parts > 0 ? sim_problem_state : NULL;
    type->observe = sim_problem_observe;
    type->visit = sim_problem_visit;
    type->draw = sim_problem_draw;
    return PLOY_OK;
}
