// A thief plans with luck: picking a lock may fail, breaking the door may do damage. You see what
// to do and what to expect, a thief who keeps to the policy until the door is open, and which steps
// of a plan could be done at once. Shows ploy_goap_policy, ploy_goap_policy_type,
// ploy_goap_type_keep and ploy_goap_plan_stages.
#include <stdio.h>

#include "ploy/decide/goap_plans.h"
#include "ploy/decide/goap_policy.h"

static void add(ploy_goap_type *type, const char *id, double cost, ploy_goap_gain gain) {
    ploy_goap_action action = ploy_goap_action_make(id, cost);
    action.gains = &gain;
    action.gain_count = 1;
    (void)ploy_goap_type_action(type, &action); // finish reports the first fault
}

static void ask(const ploy_goap_type *type, const char *title, ploy_goap_need goal,
                const ploy_env *env) {
    static const char *const names[] = {"pick the lock", "break the door"};
    static const ploy_goap_branch pick[] = {{0, 0.4}, {1, 0.6}}, smash[] = {{2, 0.7}, {3, 0.3}};
    static const ploy_goap_gamble gambles[] = {{pick, 2}, {smash, 2}};
    ploy_goap_policy_def def = ploy_goap_policy_def_default();
    ploy_goap_policy *policy = NULL;
    uint64_t world[1];
    ploy_goap_world_clear(type, world);
    def.give_up = 50.0;
    if (ploy_goap_policy_create(&def, type, gambles, 2, env, &policy) == PLOY_OK &&
        ploy_goap_policy_begin(policy, world, &goal, 1) == PLOY_OK &&
        ploy_goap_policy_step(policy, NULL) == PLOY_OK) {
        int32_t choice = ploy_goap_policy_choice(policy, world);
        printf("%s: %s, expected cost %.2f, chance %.2f\n", title,
               choice >= 0 ? names[choice] : "give up", ploy_goap_policy_cost(policy, world),
               ploy_goap_policy_chance(policy, world));
    }
    ploy_goap_policy_destroy(policy);
}

// A mind that tries until the door is open; what each attempt comes to is drawn.
static void act(const ploy_goap_type *type, ploy_goap_need goal, const ploy_env *env) {
    static const ploy_goap_branch pick[] = {{0, 0.4}, {1, 0.6}};
    static const ploy_goap_gamble gambles[] = {{pick, 2}};
    ploy_goap_policy_def def = ploy_goap_policy_def_default();
    ploy_goap_policy_type *thief = NULL;
    ploy_behavior mind = {NULL, NULL};
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    def.give_up = 50.0;
    if (ploy_goap_policy_type_create(&def, type, gambles, 1, NULL, env, &thief) == PLOY_OK &&
        ploy_goap_policy_type_set_goal(thief, &goal, 1) == PLOY_OK &&
        ploy_maker_make(ploy_goap_policy_type_maker(thief), env, &mind) == PLOY_OK &&
        ploy_behavior_enter(mind, &context) == PLOY_OK) {
        ploy_status status = PLOY_STATUS_RUNNING;
        while (status == PLOY_STATUS_RUNNING &&
               ploy_behavior_step(mind, &context, &status) == PLOY_OK) {
            ploy_step_context_next(&context);
        }
        printf("after %d steps: %s\n", (int)context.tick, ploy_status_text(status));
        ploy_behavior_exit(mind, &context, PLOY_EXIT_FINISHED);
    }
    ploy_behavior_destroy(mind);
    ploy_goap_policy_type_destroy(thief);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL, *quiet = NULL;
    if (ploy_goap_type_create(&env, &type) != PLOY_OK) return 1;
    ploy_goap_var open = ploy_goap_type_bool(type, "open");
    ploy_goap_var damage = ploy_goap_type_int(type, "damage", 0, 2);
    ploy_goap_var mask = ploy_goap_type_bool(type, "mask");
    add(type, "pick", 4.0, ploy_goap_set_to(open, 1));
    add(type, "pick fails", 4.0, ploy_goap_set_to(open, 0));
    add(type, "smash", 1.0, ploy_goap_set_to(open, 1));
    add(type, "smash hurts", 1.0, ploy_goap_add_to(damage, 1));
    add(type, "mask on", 1.0, ploy_goap_set_to(mask, 1));
    if (ploy_goap_type_finish(type) != PLOY_OK) return 1;
    ask(type, "by any method", ploy_goap_is(open, 1), &env);
    act(type, ploy_goap_is(open, 1), &env);
    // Nothing may be damaged: what could damage something is no longer done.
    ploy_goap_need keep = ploy_goap_is(damage, 0);
    if (ploy_goap_type_keep(type, &keep, 1, &env, &quiet) != PLOY_OK) return 1;
    ask(quiet, "without damage", ploy_goap_is(open, 1), &env);
    int32_t plan[] = {4, 1, 0}, stages[3], count = ploy_goap_plan_stages(type, plan, 3, stages);
    for (int32_t i = 0; i < 3; i++) {
        printf("%s: stage %d of %d\n", ploy_goap_type_action_id(type, plan[i]), (int)stages[i] + 1,
               (int)count);
    }
    ploy_goap_type_destroy(quiet);
    ploy_goap_type_destroy(type);
    return 0;
}
