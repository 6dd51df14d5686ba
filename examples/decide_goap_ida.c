// Five switches that must all be on, in any order: iterative deepening A* finds the plan round by
// round, and its table saves it from worlds that it met by another order. You see the work with
// tables of three sizes, in slices of 50 units, and a plan that is longer than the allowed depth.
// Shows ploy_goap_begin and ploy_goap_step with PLOY_GOAP_IDA.
#include <stdio.h>

#include "ploy/decide/goap.h"

enum { SWITCHES = 5 };

static ploy_result plan(const ploy_goap_type *type, const ploy_goap_need *goal, int32_t table,
                        int32_t depth, const ploy_env *env) {
    ploy_goap_def def = ploy_goap_def_default();
    ploy_goap *goap = NULL;
    uint64_t world[1];
    def.method = PLOY_GOAP_IDA;
    def.heuristic = PLOY_GOAP_BLIND;
    def.table = table;
    def.max_depth = depth;
    ploy_result result = ploy_goap_create(&def, type, env, &goap);
    if (result != PLOY_OK) return result;
    ploy_goap_world_clear(type, world);
    result = ploy_goap_begin(goap, world, goal, SWITCHES);
    if (result == PLOY_OK) result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(50);
        result = ploy_goap_step(goap, &budget);
    }
    ploy_goap_stats stats = ploy_goap_stats_of(goap);
    int32_t actions[16];
    int32_t count = ploy_goap_plan(goap, actions, 16);
    printf("table %d, depth %d: ", (int)table, (int)depth);
    if (count >= 0) {
        printf("%d actions", (int)count);
    } else {
        printf("no plan");
    }
    printf(", %d rounds, %d worlds looked at, %d skipped by the table\n", (int)stats.rounds,
           (int)stats.taken, (int)stats.remembered);
    ploy_goap_destroy(goap);
    return result;
}

int main(void) {
    static const char *const names[SWITCHES] = {"a", "b", "c", "d", "e"};
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    ploy_goap_need goal[SWITCHES];
    if (ploy_goap_type_create(&env, &type) != PLOY_OK) return 1;
    for (int i = 0; i < SWITCHES; i++) {
        ploy_goap_var var = ploy_goap_type_bool(type, names[i]);
        ploy_goap_action press = ploy_goap_action_make(names[i], 1);
        ploy_goap_need off = ploy_goap_is(var, 0);
        ploy_goap_gain on = ploy_goap_set_to(var, 1);
        press.needs = &off;
        press.need_count = 1;
        press.gains = &on;
        press.gain_count = 1;
        (void)ploy_goap_type_action(type, &press); // finish reports the first fault
        goal[i] = ploy_goap_is(var, 1);
    }
    ploy_result result = ploy_goap_type_finish(type);
    if (result == PLOY_OK) result = plan(type, goal, 0, 8, &env);
    if (result == PLOY_OK) result = plan(type, goal, 8, 8, &env);
    if (result == PLOY_OK) result = plan(type, goal, 64, 8, &env);
    if (result == PLOY_OK) result = plan(type, goal, 64, 4, &env);
    ploy_goap_type_destroy(type);
    return result == PLOY_OK ? 0 : 1;
}
