// Learning while the game runs: the game owns the world, the learner gets one step at a time. You will see a guard
// learn which of 16 rooms is next to an exit, why it turns as it does, and how far it is from the best policy, which
// a small model gives exactly. Shows ploy_actor_choose, ploy_actor_learn and the oracle of ploy/learn/actor.h.
#include <stdio.h>

#include "ploy/ploy.h"

static void print_option(void *user, const char *name, ploy_outcome outcome, double score,
                         const char *reason) {
    (void)user;
    (void)reason;
    printf("  %s: %.2f%s\n", name, score, outcome == PLOY_OUTCOME_WON ? " (chosen)" : "");
}

// The game's own world: 4 by 4 rooms, -1 a step, exits in two corners.
static int64_t move(int64_t room, int32_t action) {
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    int64_t x = room % 4 + dx[action], y = room / 4 + dy[action];
    return x < 0 || y < 0 || x > 3 || y > 3 ? room : y * 4 + x;
}

int main(void) {
    ploy_env env = ploy_env_default();
    const ploy_problem_type *rooms = ploy_problems_find("grid4"); // the same, for the oracle
    ploy_q_def def = ploy_q_def_default();
    ploy_actor guard = {NULL, NULL};
    if (ploy_actor_create(ploy_actors_find("q"), &def, &rooms->space, 1, &env, &guard) != PLOY_OK)
        return 1;
    for (int night = 0; night < 3000; night++) {
        int64_t room = 1 + night % 14;
        ploy_situation now = {room, NULL, NULL};
        int32_t action = ploy_actor_choose(guard, &now);
        while (action >= 0) {
            ploy_situation next = {move(now.state, action), NULL, NULL};
            ploy_problem_result result = {-1.0f, next.state == 0 || next.state == 15, false};
            int32_t then = result.terminated ? -1 : ploy_actor_choose(guard, &next);
            if (ploy_actor_learn(guard, &now, action, result, &next, then) != PLOY_OK) return 1;
            now = next;
            action = then;
        }
    }
    ploy_actor_freeze(guard, true); // acts, and learns nothing more
    printf("%lld steps learned, state %016llx\n", (long long)ploy_actor_steps(guard),
           (unsigned long long)ploy_actor_hash(guard));

    ploy_trace trace = {NULL, print_option, NULL, NULL, NULL, NULL};
    ploy_situation now = {1, NULL, NULL};
    printf("in room 1:\n");
    ploy_actor_explain(guard, &now, ploy_agent_id_none(), &trace);

    double q[64], random[16], best[16];
    int32_t policy[16], rounds = 0;
    if (ploy_oracle_best(rooms, 0.9, q) != PLOY_OK ||
        ploy_oracle_policy(rooms, 1.0, NULL, random) != PLOY_OK ||
        ploy_oracle_improve(rooms, 0.9, policy, best, &rounds) != PLOY_OK) {
        return 1;
    }
    printf("a random walk from room 5 takes %.0f steps; the best policy is known after %s\n",
           -random[5], rounds < 10 ? "a few rounds" : "many rounds");
    printf("the guard's choices are %s\n",
           ploy_oracle_agrees(rooms, guard, q, 1e-6) ? "the best" : "not the best");
    ploy_actor_destroy(guard);
    return 0;
}
