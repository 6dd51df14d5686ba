// ploy learn play: actors in problems.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/learn.h"
#include "ploy/base/name.h"

static int play_list(const learn_options *o) {
    for (int32_t i = 0; ploy_problems_at(i) != NULL; i++) {
        const ploy_problem_type *type = ploy_problems_at(i);
        if (o->json) {
            printf("{\"kind\":\"problem\",\"name\":\"%s\",\"help\":\"%s\",\"states\":%lld,"
                   "\"actions\":%d,"
                   "\"observed\":%d}\n",
                   type->name, type->help, (long long)type->space.states, type->space.actions,
                   type->space.observed);
        } else {
            printf("problem  %-14s %s\n", type->name, type->help);
        }
    }
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        const ploy_actor_type *type = ploy_actors_at(i);
        if (o->json) {
            printf("{\"kind\":\"learner\",\"name\":\"%s\",\"help\":\"%s\"}\n", type->name,
                   type->help);
        } else {
            printf("learner  %-14s %s\n", type->name, type->help);
        }
    }
    return CLI_OK;
}

static const ploy_problem_type *play_problem(const char *name) {
    const ploy_problem_type *type = ploy_problems_find(name);
    if (type != NULL) return type;
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; ploy_problems_at(i) != NULL; i++) {
        ploy_nearest_offer(&nearest, ploy_problems_at(i)->name);
    }
    (void)cli_error_unknown("unknown problem", name, nearest.best, "learn play list");
    return NULL;
}

static const ploy_actor_type *play_actor(const char *name) {
    const ploy_actor_type *type = name == NULL ? NULL : ploy_actors_find(name);
    if (type != NULL) return type;
    if (name == NULL) {
        (void)cli_error("--learner is missing; see `ploy learn play list`", NULL);
        return NULL;
    }
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        ploy_nearest_offer(&nearest, ploy_actors_at(i)->name);
    }
    (void)cli_error_unknown("unknown learner for problems", name, nearest.best, "learn play list");
    return NULL;
}

// How far the values are from the exact ones; below 0 where it is unknown.
static double play_error(const ploy_problem_type *type, ploy_actor actor, double discount) {
    if (type->model == NULL || actor.type == ploy_actors_find("actor_critic")) return -1.0;
    double *q = calloc((size_t)(type->space.states * type->space.actions), sizeof *q);
    double worst = -1.0;
    if (q != NULL && ploy_oracle_best(type, discount, q) == PLOY_OK)
        worst = ploy_oracle_error(type, actor, q);
    free(q);
    return worst;
}

// Loops of the greedy policy, where a model shows them.
typedef struct play_loops {
    ploy_trap traps[8];
    int32_t count; // of those kept
} play_loops;

static play_loops play_find_loops(const learn_options *o, const ploy_problem_type *type,
                                  ploy_actor actor) {
    play_loops loops;
    memset(&loops, 0, sizeof loops);
    if (type->model == NULL) return loops;
    int32_t room = (int32_t)(sizeof loops.traps / sizeof loops.traps[0]);
    loops.count = ploy_oracle_traps(type, actor, &o->env, loops.traps, room);
    if (loops.count > room) loops.count = room;
    return loops;
}

static void play_print(const learn_options *o, ploy_play_report report, double greedy, double worst,
                       const play_loops *loops) {
    if (o->json) {
        printf("{\"steps\":%lld,\"episodes\":%lld,\"mean_return\":%.6g,\"greedy_return\":%.6g",
               (long long)report.steps, (long long)report.episodes, report.mean_return, greedy);
        if (worst >= 0.0) printf(",\"worst_q_error\":%.6g", worst);
        for (int32_t i = 0; i < loops->count; i++) {
            const ploy_trap *trap = &loops->traps[i];
            printf("%s{\"state\":%lld,\"length\":%d,\"trapped\":%d,\"reward\":%.6g}%s",
                   i == 0 ? ",\"traps\":[" : ",", (long long)trap->state, trap->length,
                   trap->trapped, trap->reward, i + 1 == loops->count ? "]" : "");
        }
        printf("}\n");
        return;
    }
    printf("%lld steps, %lld episodes, mean return %.6g, greedy return %.6g\n",
           (long long)report.steps, (long long)report.episodes, report.mean_return, greedy);
    if (worst >= 0.0) printf("worst error of a value %.6g\n", worst);
    for (int32_t i = 0; i < loops->count; i++) {
        const ploy_trap *trap = &loops->traps[i];
        printf("loop of %d steps at state %lld pays %.4g a step; %d states end in it\n",
               trap->length, (long long)trap->state, trap->reward, trap->trapped);
    }
}

// Learns, and scores the net after every 10,000 steps, in a problem apart, if the actor can keep one.
static ploy_result play_learn(const learn_options *o, const ploy_problem_type *type,
                              ploy_problem *problem, ploy_actor actor, ploy_play_report *report) {
    enum { SLICE = 10000, EPISODES = 100, SEED_APART = 2000000 };
    ploy_play_task *task = NULL;
    ploy_problem *apart = NULL;
    ploy_result result = ploy_play_begin(problem, actor, o->steps, (float)o->restart / 100.0f,
                                         o->seed, &o->env, &task);
    if (result == PLOY_OK && actor.type->keep_best != NULL) {
        result = ploy_problem_create(type, &o->env, &apart);
    }
    if (result == PLOY_OK) result = PLOY_IN_PROGRESS;
    cli_progress progress = cli_progress_begin(type->name, (uint64_t)o->steps, true);
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(SLICE);
        result = ploy_play_step(task, &budget);
        if (apart != NULL)
            (void)ploy_play_keep_best(apart, actor, EPISODES, o->seed + SEED_APART, NULL);
        cli_progress_step(&progress, (uint64_t)ploy_play_result(task).steps);
    }
    cli_progress_end(&progress);
    if (result == PLOY_OK) *report = ploy_play_result(task);
    ploy_play_cancel(task);
    ploy_problem_destroy(apart);
    return result;
}

static int play_run(const learn_options *o, const ploy_problem_type *type, ploy_problem *problem,
                    ploy_actor actor, double discount) {
    ploy_play_report report;
    ploy_result result = play_learn(o, type, problem, actor, &report);
    if (result != PLOY_OK) return cli_error_result("play", result);
    double greedy = ploy_play_greedy(problem, actor, (int32_t)o->eval, o->seed + 1000000);
    play_loops loops = play_find_loops(o, type, actor);
    play_print(o, report, greedy, play_error(type, actor, discount), &loops);
    int status = o->save == NULL ? -1 : learn_save_actor(o, o->save, actor);
    return status < 0 ? CLI_OK : status;
}

int learn_play(const learn_options *options, const char *name) {
    learn_options own = *options, *o = &own;
    if (!o->seeded) o->seed = 1;
    if (strcmp(name, "list") == 0) return play_list(o);
    if (o->steps < 1 || o->eval < 1 || o->eval > 1000000)
        return cli_error("--steps and --eval must be above 0", NULL);
    if (o->restart > 100) return cli_error("--restart must be 0 to 100", NULL);
    const ploy_problem_type *type = play_problem(name);
    const ploy_actor_type *kind = type == NULL ? NULL : play_actor(o->learner);
    if (kind == NULL) return CLI_USAGE;
    if (o->restart < 0) o->restart = type->space.states > 0 ? 10 : 0;
    union {
        ploy_q_def q;
        ploy_td_def td;
        ploy_actor_critic_def critic;
        ploy_dqn_def dqn;
    } def;
    ploy_fields_default(kind->fields(), &def);
    int status = cli_load_fields(kind->fields(), &def, NULL, &o->sets, &o->env);
    if (status >= 0) return status;
    if (strcmp(kind->name, "td") == 0) def.td.model = type->model;
    uint32_t offset = 0;
    float set = 0.0f; // every def has a discount, which 0 leaves to the problem
    if (ploy_fields_find(kind->fields(), "discount", &offset) != NULL) {
        memcpy(&set, (const char *)&def + offset, sizeof set);
    }
    ploy_problem *problem = NULL;
    ploy_actor actor = {NULL, NULL};
    ploy_result result = ploy_problem_create(type, &o->env, &problem);
    if (result == PLOY_OK)
        result = ploy_actor_create(kind, &def, &type->space, o->seed, &o->env, &actor);
    status = result == PLOY_OK ? play_run(o, type, problem, actor,
                                          (double)(set > 0.0f ? set : type->space.discount))
                               : cli_error_result(kind->name, result);
    ploy_actor_destroy(actor);
    ploy_problem_destroy(problem);
    return status;
}
