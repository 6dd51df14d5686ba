// Q-learning on a grid: 12 by 4 cells along a cliff. You will see the path that each learner prefers: Q-learning
// walks the edge, SARSA, which knows that it stumbles, keeps away. Shows ploy/learn/actor.h.
#include <stdio.h>

#include "ploy/ploy.h"

static int show(const char *name, const ploy_env *env) {
    const ploy_problem_type *cliff = ploy_problems_find("cliff");
    ploy_q_def def = ploy_q_def_default();
    def.explore = 0.1f; // one action in ten is random
    def.rate_schedule = PLOY_Q_GEOMETRIC;
    def.rate_last = 0.01f;
    def.schedule_steps = 300000;
    ploy_problem *problem = NULL;
    ploy_actor actor = {NULL, NULL};
    ploy_play_task *task = NULL;
    if (ploy_problem_create(cliff, env, &problem) != PLOY_OK ||
        ploy_actor_create(ploy_actors_find(name), &def, &cliff->space, 1, env, &actor) != PLOY_OK ||
        ploy_play_begin(problem, actor, 400000, 0.0f, 1, env, &task) != PLOY_OK ||
        ploy_play_step(task, NULL) != PLOY_OK) { // or some steps in each frame, with a budget
        return 1;
    }
    char map[4][13] = {"............", "............", "............", "SCCCCCCCCCCG"};
    ploy_problem_reset(problem, 1);
    ploy_problem_result step = {0.0f, false, false};
    float total = 0.0f;
    while (!step.terminated && !step.truncated) {
        ploy_situation now = {ploy_problem_state(problem), NULL, NULL};
        map[now.state / 12][now.state % 12] = '*';
        step = ploy_problem_step(problem, ploy_actor_best(actor, &now));
        total += step.reward;
    }
    printf("%s, return %.0f:\n%s\n%s\n%s\n%s\n", name, (double)total, map[0], map[1], map[2],
           map[3]);
    ploy_play_cancel(task);
    ploy_actor_destroy(actor);
    ploy_problem_destroy(problem);
    return 0;
}

int main(void) {
    ploy_env env = ploy_env_default();
    return show("q", &env) + show("sarsa", &env);
}
