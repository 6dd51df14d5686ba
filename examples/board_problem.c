// A board game as a problem of reinforcement learning. You will see a network that learns tic-tac-toe against a
// random opponent from rewards alone, and how much better it became.
// Shows ploy_board_problem_init with any actor of ploy/learn/actor.h.
#include <stdio.h>

#include "ploy/ploy.h"

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_board_tictactoe_def rules = ploy_board_tictactoe_def_default();
    ploy_board_problem kind;
    if (ploy_board_problem_init(&kind, ploy_board_of(ploy_board_tictactoe(), &rules), 1.0f) !=
        PLOY_OK) {
        return 1;
    }
    printf("%d actions, %d observed numbers\n", kind.type.space.actions, kind.type.space.observed);
    ploy_problem *problem = NULL;
    ploy_actor actor = {NULL, NULL};
    ploy_play_task *task = NULL;
    ploy_dqn_def def = ploy_dqn_def_default();
    def.discount = 0.95f;
    if (ploy_problem_create(&kind.type, &env, &problem) != PLOY_OK) return 1;
    if (ploy_actor_create(ploy_actors_find("dqn"), &def, &kind.type.space, 1, &env, &actor) !=
        PLOY_OK) {
        return 1;
    }
    double before = ploy_play_greedy(problem, actor, 200, 5000);
    if (ploy_play_begin(problem, actor, 15000, 0.0f, 1, &env, &task) != PLOY_OK) return 1;
    if (ploy_play_step(task, NULL) != PLOY_OK) return 1;
    ploy_play_cancel(task);
    double after = ploy_play_greedy(problem, actor, 200, 5000);
    printf("%s\n", after > before + 0.3 ? "much better than at first" : "not much better");
    ploy_actor_destroy(actor);
    ploy_problem_destroy(problem);
    return 0;
}
