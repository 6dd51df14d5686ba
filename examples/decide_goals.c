// Eric needs a sword. You see his goals as a tree at every step, expanded only as far as he has come,
// and a thief who interrupts him. Shows ploy_goals: composites, order, interruption and resumption.
#include <stdio.h>

#include "ploy/decide/goals.h"

// Atomic goals that take a number of steps each.
static ploy_result work(const ploy_goal_turn *turn, ploy_goal_status *status) {
    int32_t *done = turn->data;
    if (++*done >= *(const int32_t *)turn->params) *status = PLOY_GOAL_COMPLETED;
    return PLOY_OK;
}

static ploy_result keep_place(const ploy_goal_turn *turn) {
    (void)turn; // goes on where it was, instead of being activated again
    return PLOY_OK;
}

static const ploy_goal_type walk = {.name = "walk", .process = work, .resume = keep_place};
static const ploy_goal_type pick_up = {.name = "pick up nugget", .process = work};
static const ploy_goal_type pay = {.name = "pay", .process = work};
static const ploy_goal_type fight = {.name = "defend", .process = work};

static ploy_result add_step(const ploy_goal_turn *turn, const ploy_goal_type *type, int32_t steps) {
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_REAR, type, &steps,
                          sizeof steps, NULL);
}

static ploy_result plan_gold(const ploy_goal_turn *turn) {
    ploy_result result = add_step(turn, &walk, 2);
    return result == PLOY_OK ? add_step(turn, &pick_up, 1) : result;
}

static ploy_result plan_smithy(const ploy_goal_turn *turn) {
    return add_step(turn, &walk, 2);
}

static const ploy_goal_type get_gold = {
    .name = "get gold", .composite = true, .activate = plan_gold};
static const ploy_goal_type go_to_smithy = {
    .name = "go to smithy", .composite = true, .activate = plan_smithy};

static ploy_result plan_sword(const ploy_goal_turn *turn) {
    ploy_result result = add_step(turn, &get_gold, 0);
    if (result == PLOY_OK) result = add_step(turn, &go_to_smithy, 0);
    return result == PLOY_OK ? add_step(turn, &pay, 1) : result;
}

static const ploy_goal_type buy_sword = {
    .name = "buy sword", .composite = true, .activate = plan_sword};

static ploy_result print_text(void *user, const void *bytes, size_t size) {
    (void)user;
    fwrite(bytes, 1, size, stdout);
    return PLOY_OK;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_goals_def def = ploy_goals_def_default();
    ploy_goals *goals = NULL;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    if (ploy_goals_create(&def, NULL, &env, &goals) != PLOY_OK) return 1;
    ploy_goal root = ploy_goals_root(goals);
    ploy_result result =
        ploy_goals_add(goals, &context, root, PLOY_GOAL_REAR, &buy_sword, NULL, 0, NULL);
    ploy_goal_status status = PLOY_GOAL_ACTIVE;
    ploy_writer out = ploy_writer_make(print_text, NULL);
    for (; result == PLOY_OK && status == PLOY_GOAL_ACTIVE; ploy_step_context_next(&context)) {
        int32_t blows = 1;
        if (context.tick == 4) { // a thief
            result = ploy_goals_add(goals, &context, root, PLOY_GOAL_FRONT, &fight, &blows,
                                    sizeof blows, NULL);
        }
        if (result == PLOY_OK) result = ploy_goals_step(goals, &context, &status);
        printf("step %d\n", (int)context.tick);
        ploy_goals_print(goals, &out);
    }
    printf("%s\n", ploy_goal_status_text(status));
    ploy_goals_destroy(goals);
    return result == PLOY_OK ? 0 : 1;
}
