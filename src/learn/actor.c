// The front of actors, and playing.
#include "ploy/learn/actor.h"

#include <string.h>

#include "learn/actor_internal.h"
#include "ploy/base/math.h"

const ploy_actor_type *ploy_actors_at(int32_t index) {
    static const ploy_actor_type *const all[] = {&ployi_actor_q,        &ployi_actor_sarsa,
                                                 &ployi_actor_expected, &ployi_actor_td,
                                                 &ployi_actor_critic,   &ployi_actor_dqn};
    return index < 0 || index >= (int32_t)(sizeof all / sizeof *all) ? NULL : all[index];
}

const ploy_actor_type *ploy_actors_find(const char *name) {
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        if (strcmp(ploy_actors_at(i)->name, name) == 0) return ploy_actors_at(i);
    }
    return NULL;
}

int32_t ployi_actor_best(const ploy_actor_common *common, const ploy_situation *now,
                         const double *values) {
    int32_t best = -1;
    for (int32_t a = 0; a < common->space.actions; a++) {
        if (now->allowed != NULL && !now->allowed[a]) continue;
        if (best < 0 || values[a] > values[best]) best = a;
    }
    return best;
}

// One draw decides whether to explore, one which of several.
int32_t ployi_actor_explore(ploy_actor_common *common, const ploy_situation *now,
                            void (*values)(const void *self, const ploy_situation *now,
                                           double *out),
                            const void *self, float explore) {
    double all[PLOY_PROBLEM_ACTIONS_MAX];
    values(self, now, all);
    int32_t best = ployi_actor_best(common, now, all), count = 0;
    if (best < 0) return 0;
    bool random = ploy_rng_chance(&common->rng, explore);
    for (int32_t a = 0; a < common->space.actions; a++) {
        bool allowed = now->allowed == NULL || now->allowed[a];
        if (allowed && (random || all[a] == all[best])) count++;
    }
    int32_t pick = ploy_rng_int(&common->rng, 0, count - 1);
    for (int32_t a = 0; a < common->space.actions; a++) {
        bool allowed = now->allowed == NULL || now->allowed[a];
        if (allowed && (random || all[a] == all[best]) && pick-- == 0) return a;
    }
    return best;
}

// Another stream than a problem of the same seed has: draws that agree would be learned from.
static ploy_rng actor_rng(uint64_t seed) {
    return ploy_rng_from_key(ploy_rng_key_make(seed), 2);
}

ploy_result ploy_actor_create(const ploy_actor_type *type, const void *def,
                              const ploy_problem_space *space, uint64_t seed, const ploy_env *env,
                              ploy_actor *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    out->type = NULL;
    out->self = NULL;
    if (type == NULL || space == NULL || space->actions < 1 ||
        space->actions > PLOY_PROBLEM_ACTIONS_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_fields fields = type->fields();
    ploy_actor_common common;
    memset(&common, 0, sizeof common);
    common.env = *env;
    common.type = type;
    common.space = *space;
    common.seed = seed;
    common.rng = actor_rng(seed);
    common.def = ploy_env_alloc(env, fields.size);
    if (common.def == NULL) return PLOY_ERR_MEMORY;
    if (def != NULL) {
        memcpy(common.def, def, fields.size);
    } else {
        ploy_fields_default(fields, common.def);
    }
    ploy_result result = ploy_fields_check(fields, common.def, env);
    if (result == PLOY_OK) result = type->create(common.def, &common, &out->self);
    if (result != PLOY_OK) {
        ploy_env_free(env, common.def, fields.size);
        return result;
    }
    out->type = type;
    return PLOY_OK;
}

void ploy_actor_destroy(ploy_actor actor) {
    if (actor.type == NULL) return;
    ploy_actor_common common = *(const ploy_actor_common *)actor.self;
    actor.type->destroy(actor.self);
    ploy_env_free(&common.env, common.def, common.type->fields().size);
}

const ploy_problem_space *ploy_actor_space(ploy_actor actor) {
    return actor.type == NULL ? NULL : &((const ploy_actor_common *)actor.self)->space;
}

const void *ploy_actor_def(ploy_actor actor) {
    return actor.type == NULL ? NULL : ((const ploy_actor_common *)actor.self)->def;
}

// Whether the actor has a place for the situation: tables for its state, tiles and networks for its
// numbers. A game's blackboard or command may hold anything.
static bool actor_takes(ploy_actor actor, const ploy_situation *now) {
    const ploy_actor_common *common = actor.self;
    const ploy_problem_space *space = &common->space;
    bool q = actor.type == &ployi_actor_q || actor.type == &ployi_actor_sarsa ||
             actor.type == &ployi_actor_expected;
    bool tiles = q && ((const ploy_q_def *)common->def)->store == PLOY_Q_TILES;
    if (now == NULL) return false;
    if (!tiles && !(actor.type == &ployi_actor_dqn && space->observed > 0)) {
        return space->states == 0 || (now->state >= 0 && now->state < space->states);
    }
    if (now->observation == NULL) return false;
    for (int32_t i = 0; i < space->observed; i++) {
        if (!ploy_is_finite(now->observation[i])) return false;
    }
    return true;
}

int32_t ploy_actor_choose(ploy_actor actor, const ploy_situation *now) {
    const ploy_actor_common *common = actor.self;
    if (!actor_takes(actor, now)) return 0;
    if (common->frozen) return ploy_maxi(ploy_actor_best(actor, now), 0);
    return actor.type->choose(actor.self, now);
}

int32_t ploy_actor_best(ploy_actor actor, const ploy_situation *now) {
    double values[PLOY_PROBLEM_ACTIONS_MAX];
    if (!actor_takes(actor, now)) return -1;
    actor.type->values(actor.self, now, values);
    return ployi_actor_best(actor.self, now, values);
}

ploy_result ploy_actor_learn(ploy_actor actor, const ploy_situation *now, int32_t action,
                             ploy_problem_result result, const ploy_situation *next,
                             int32_t next_action) {
    ploy_actor_common *common = actor.self;
    if (common->frozen) return PLOY_OK;
    if (action < 0 || action >= common->space.actions || next_action >= common->space.actions) {
        return PLOY_ERR_ARGUMENT;
    }
    // Behind the end of an episode only the buffer of a network looks.
    bool looks = !result.terminated || actor.type == &ployi_actor_dqn;
    if (!actor_takes(actor, now) || (looks && !actor_takes(actor, next)) ||
        !ploy_is_finite(result.reward)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result learned = actor.type->learn(actor.self, now, action, result, next, next_action);
    if (learned == PLOY_OK) common->steps++;
    return learned;
}

void ploy_actor_values(ploy_actor actor, const ploy_situation *now, double *out) {
    if (actor_takes(actor, now)) {
        actor.type->values(actor.self, now, out);
        return;
    }
    const ploy_actor_common *common = actor.self;
    for (int32_t a = 0; a < common->space.actions; a++) out[a] = 0.0;
}

void ploy_actor_freeze(ploy_actor actor, bool frozen) {
    ((ploy_actor_common *)actor.self)->frozen = frozen;
}

bool ploy_actor_frozen(ploy_actor actor) {
    return actor.type != NULL && ((const ploy_actor_common *)actor.self)->frozen;
}

void ploy_actor_reset(ploy_actor actor) {
    if (actor.type == NULL || ploy_actor_frozen(actor)) return;
    ploy_actor_common *common = actor.self;
    common->steps = 0;
    common->rng = actor_rng(common->seed);
    actor.type->reset(actor.self);
}

bool ploy_actor_keep_best(ploy_actor actor, double score) {
    const ploy_actor_common *common = actor.self;
    return !common->frozen && actor.type->keep_best != NULL &&
           actor.type->keep_best(actor.self, score);
}

int64_t ploy_actor_steps(ploy_actor actor) {
    return ((const ploy_actor_common *)actor.self)->steps;
}

void ploy_actor_visit(ploy_visit *v, void *object) {
    ploy_actor *actor = object;
    ploy_actor_common *common = actor->self;
    PLOY_VISIT_SCRATCH(v, common->env);
    PLOY_VISIT_SCRATCH(v, common->type);
    PLOY_VISIT_SCRATCH(v, common->space);
    PLOY_VISIT_SCRATCH(v, common->def);
    PLOY_VISIT_SCRATCH(v, common->seed);
    ploy_visit_block(v, "actor.settings", common->def, common->type->fields().size);
    ploy_visit_bool(v, "frozen", PLOY_STATE, &common->frozen);
    ploy_visit_i64_in(v, "steps", PLOY_STATE, &common->steps, 0, INT64_MAX);
    ploy_visit_rng(v, "rng", PLOY_STATE, &common->rng);
    ploy_visit_begin(v, actor->type->name, PLOY_STATE);
    actor->type->visit(v, actor->self);
    ploy_visit_end(v);
}

uint64_t ploy_actor_hash(ploy_actor actor) {
    return ploy_visit_hash(ploy_actor_visit, &actor, NULL);
}

void ploy_actor_describe(ploy_actor actor, ploy_describe *out) {
    ploy_visit_describe(ploy_actor_visit, &actor, NULL, out);
}

void ploy_actor_memory(ploy_actor actor, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_actor_visit, &actor, fn, user);
}

void ploy_actor_explain(ploy_actor actor, const ploy_situation *now, ploy_agent_id agent,
                        ploy_trace *trace) {
    if (trace == NULL || !actor_takes(actor, now)) return;
    const ploy_actor_common *common = actor.self;
    double values[PLOY_PROBLEM_ACTIONS_MAX];
    ploy_actor_values(actor, now, values);
    int32_t best = ployi_actor_best(common, now, values);
    ploy_trace_begin(trace, agent, "action", actor.type->name);
    for (int32_t a = 0; a < common->space.actions; a++) {
        char name[16] = "action 00";
        name[7] = (char)('0' + a / 10);
        name[8] = (char)('0' + a % 10);
        bool allowed = now->allowed == NULL || now->allowed[a];
        ploy_trace_option(trace, name,
                          a == best ? PLOY_OUTCOME_WON
                          : allowed ? PLOY_OUTCOME_LOST
                                    : PLOY_OUTCOME_REJECTED,
                          (float)values[a],
                          !allowed    ? "not allowed in this state"
                          : a == best ? "the largest value learned so far"
                                      : "a smaller value was learned for it");
        if (actor.type->visits != NULL)
            ploy_trace_i64(trace, "visits", actor.type->visits(actor.self, now, a));
    }
    ploy_trace_end(trace);
}

// ---- playing

struct ploy_play_task {
    ploy_env env;
    ploy_problem *problem;
    ploy_actor actor;
    int64_t steps;
    float restart;
    ploy_rng rng; // of restarts
    ploy_play_report report;
    double returned, recent[100];
    int32_t recent_count, action; // -1: an episode begins
};

// May the actor play the problem? Its tables and networks have the size of the space that it was created for.
static bool play_suits(const ploy_problem *problem, ploy_actor actor) {
    if (problem == NULL || actor.type == NULL || actor.self == NULL) return false;
    const ploy_problem_space *has = &((const ploy_actor_common *)actor.self)->space;
    const ploy_problem_space *needs = &ploy_problem_type_of(problem)->space;
    return has->states == needs->states && has->actions == needs->actions &&
           has->observed == needs->observed;
}

ploy_result ploy_play_begin(ploy_problem *problem, ploy_actor actor, int64_t steps, float restart,
                            uint64_t seed, const ploy_env *env, ploy_play_task **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (!play_suits(problem, actor) || steps < 0 || !ploy_in_range(restart, 0.0f, 1.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_play_task *task = ploy_env_alloc_zero(env, sizeof *task);
    if (task == NULL) return PLOY_ERR_MEMORY;
    task->env = *env;
    task->problem = problem;
    task->actor = actor;
    task->steps = steps;
    task->restart = restart;
    task->rng = ploy_rng_from_key(ploy_rng_key_make(seed), 1);
    task->action = -1;
    ploy_problem_reset(problem, seed);
    *out = task;
    return PLOY_OK;
}

typedef struct play_view {
    float observation[PLOY_PROBLEM_OBSERVED_MAX];
    bool allowed[PLOY_PROBLEM_ACTIONS_MAX];
} play_view;

static ploy_situation play_look(const ploy_problem *problem, play_view *view) {
    ploy_situation now = {ploy_problem_state(problem), NULL, view->allowed};
    if (ploy_problem_type_of(problem)->space.observed > 0) {
        ploy_problem_observe(problem, view->observation);
        now.observation = view->observation;
    }
    (void)ploy_problem_allowed(problem, view->allowed);
    return now;
}

static void play_end_episode(ploy_play_task *task, bool counts) {
    if (counts) {
        task->recent[task->report.episodes % 100] = task->returned;
        task->report.episodes++;
        task->recent_count = ploy_mini(task->recent_count + 1, 100);
        task->report.last_return = task->returned;
        double sum = 0.0;
        for (int32_t i = 0; i < task->recent_count; i++) sum += task->recent[i];
        task->report.mean_return = sum / task->recent_count;
    }
    task->returned = 0.0;
    task->action = -1;
}

static ploy_result play_one(ploy_play_task *task) {
    play_view before, after;
    if (task->action < 0) {
        bool random = task->restart > 0.0f;
        int64_t states = ploy_problem_type_of(task->problem)->space.states;
        int64_t state =
            random && states > 0 ? (int64_t)ploy_rng_below(&task->rng, (uint64_t)states) : -1;
        if (ploy_problem_steps(task->problem) > 0 || state >= 0)
            ploy_problem_restart(task->problem, state);
        ploy_situation first = play_look(task->problem, &before);
        task->action = ploy_actor_choose(task->actor, &first);
    }
    ploy_situation now = play_look(task->problem, &before);
    int32_t action = task->action;
    ploy_problem_result result = ploy_problem_step(task->problem, action);
    task->report.steps++;
    task->returned += (double)result.reward;
    ploy_situation next = play_look(task->problem, &after);
    bool ends = result.terminated || result.truncated;
    // Breaking off is no end of the problem: what would have come still counts.
    bool breaks = !ends && ploy_rng_chance(&task->rng, task->restart);
    task->action = ends || breaks ? -1 : ploy_actor_choose(task->actor, &next);
    ploy_result learned = ploy_actor_learn(task->actor, &now, action, result, &next, task->action);
    if (ends || breaks) play_end_episode(task, ends);
    return learned;
}

ploy_result ploy_play_step(ploy_play_task *task, ploy_budget *budget) {
    while (task->report.steps < task->steps) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_result result = play_one(task);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_play_report ploy_play_result(const ploy_play_task *task) {
    return task->report;
}

void ploy_play_visit(ploy_visit *v, void *object) {
    ploy_play_task *task = object;
    ploy_visit_object(v, "play", task, sizeof *task);
    PLOY_VISIT_SCRATCH(v, task->env);
    PLOY_VISIT_SCRATCH(v, task->problem);
    PLOY_VISIT_SCRATCH(v, task->actor);
    PLOY_VISIT_SCRATCH(v, task->steps);
    PLOY_VISIT_SCRATCH(v, task->restart);
    ploy_visit_rng(v, "rng", PLOY_STATE, &task->rng);
    ploy_visit_i64_in(v, "steps", PLOY_STATE, &task->report.steps, 0, INT64_MAX);
    ploy_visit_i64_in(v, "episodes", PLOY_STATE, &task->report.episodes, 0, INT64_MAX);
    ploy_visit_f64(v, "mean_return", PLOY_STATE, &task->report.mean_return);
    ploy_visit_f64(v, "last_return", PLOY_STATE, &task->report.last_return);
    ploy_visit_f64(v, "returned", PLOY_STATE, &task->returned);
    int32_t most = ploy_problem_type_of(task->problem)->space.actions - 1;
    ploy_visit_i32_in(v, "action", PLOY_STATE, &task->action, -1, most);
    int32_t count = ploy_visit_list(v, "recent", PLOY_STATE, &task->recent_count, 100);
    for (int32_t i = 0; i < count; i++) ploy_visit_f64(v, "return", PLOY_STATE, &task->recent[i]);
    ploy_visit_end(v);
    for (int32_t i = count < 0 ? 0 : count; i < 100; i++) PLOY_VISIT_SCRATCH(v, task->recent[i]);
}

void ploy_play_cancel(ploy_play_task *task) {
    if (task == NULL) return;
    ploy_env env = task->env;
    ploy_env_free(&env, task, sizeof *task);
}

static double play_episodes(ploy_problem *problem, ploy_actor actor, int32_t episodes,
                            uint64_t seed) {
    double sum = 0.0;
    for (int32_t e = 0; e < episodes; e++) {
        ploy_problem_reset(problem, seed + (uint64_t)e);
        for (;;) {
            play_view view;
            ploy_situation now = play_look(problem, &view);
            ploy_problem_result result = ploy_problem_step(problem, ploy_actor_best(actor, &now));
            sum += (double)result.reward;
            if (result.terminated || result.truncated) break;
        }
    }
    return episodes > 0 ? sum / episodes : 0.0;
}

double ploy_play_greedy(ploy_problem *problem, ploy_actor actor, int32_t episodes, uint64_t seed) {
    if (!play_suits(problem, actor)) return 0.0;
    ploy_actor_common *common = actor.self;
    bool frozen = common->frozen;
    common->frozen = true;
    double mean = play_episodes(problem, actor, episodes, seed);
    common->frozen = frozen;
    return mean;
}

bool ploy_play_keep_best(ploy_problem *problem, ploy_actor actor, int32_t episodes, uint64_t seed,
                         double *score) {
    if (score != NULL) *score = 0.0;
    if (!play_suits(problem, actor)) return false;
    ploy_actor_common *common = actor.self;
    bool frozen = common->frozen;
    common->frozen = false; // the present net
    double mean = play_episodes(problem, actor, episodes, seed);
    common->frozen = frozen;
    if (score != NULL) *score = mean;
    return ploy_actor_keep_best(actor, mean);
}
