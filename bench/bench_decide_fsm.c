// State machines: 10,000 guards of four states, each with a separate blackboard, stepped by the
// table and by a hand-written switch that reads the same values.
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/decide/fsm.h"

enum { DECIDE_GUARDS = 10000 };

typedef struct decide_data {
    ploy_blackboard_layout *layout;
    ploy_fsm_type *type;
    ploy_fsm **machines;
    ploy_blackboard **boards;
    int32_t *states; // of the switch
    ploy_slot see, tired;
} decide_data;

static void decide_check(bool fine) {
    if (fine) return;
    fprintf(stderr, "ploy: cannot set up the benchmark\n");
    exit(2);
}

static void decide_by_table(void *self) {
    decide_data *data = self;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
    for (int32_t i = 0; i < DECIDE_GUARDS; i++) {
        ploy_status status;
        context.blackboard = data->boards[i];
        (void)ploy_behavior_step(ploy_fsm_behavior(data->machines[i]), &context, &status);
    }
}

static void decide_by_switch(void *self) {
    decide_data *data = self;
    for (int32_t i = 0; i < DECIDE_GUARDS; i++) {
        const ploy_blackboard *board = data->boards[i];
        switch (data->states[i]) {
        case 0:
            if (ploy_blackboard_get_bool(board, data->see)) {
                data->states[i] = 1;
            } else if (ploy_blackboard_get_bool(board, data->tired)) {
                data->states[i] = 2;
            }
            break;
        case 1:
            if (!ploy_blackboard_get_bool(board, data->see)) data->states[i] = 0;
            break;
        default:
            if (!ploy_blackboard_get_bool(board, data->tired)) data->states[i] = 0;
            break;
        }
    }
}

static void decide_build(decide_data *data, const ploy_env *env) {
    static const ploy_blackboard_key keys[] = {
        {"see", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
        {"tired", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    ploy_fsm_def def = ploy_fsm_def_default();
    decide_check(ploy_blackboard_layout_create(keys, 2, "guard", env, NULL, &data->layout) ==
                 PLOY_OK);
    data->see = ploy_blackboard_layout_find(data->layout, "see");
    data->tired = ploy_blackboard_layout_find(data->layout, "tired");
    def.stack = 0;
    decide_check(ploy_fsm_type_create(&def, data->layout, env, &data->type) == PLOY_OK);
    ploy_maker none = ploy_maker_none();
    ploy_fsm_state patrol = ploy_fsm_type_state(data->type, "patrol", NULL, none);
    ploy_fsm_state defend = ploy_fsm_type_state(data->type, "defend", NULL, none);
    ploy_fsm_state sleep = ploy_fsm_type_state(data->type, "sleep", NULL, none);
    ploy_conditions *set = ploy_fsm_type_conditions(data->type);
    ploy_condition see = ploy_condition_bool(set, "see");
    ploy_condition tired = ploy_condition_bool(set, "tired");
    ploy_fsm_rule rules[] = {
        ploy_fsm_rule_make("1", patrol, see, defend),
        ploy_fsm_rule_make("2", patrol, tired, sleep),
        ploy_fsm_rule_make("3", defend, ploy_condition_not(set, see), patrol),
        ploy_fsm_rule_make("4", sleep, ploy_condition_not(set, tired), patrol),
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        decide_check(ploy_fsm_type_add(data->type, &rules[i]) == PLOY_OK);
    }
    decide_check(ploy_fsm_type_finish(data->type, patrol) == PLOY_OK);
}

void bench_decide_fsm(bench_run *run) {
    ploy_env env = ploy_env_default();
    decide_data data = {0};
    decide_build(&data, &env);
    data.machines = calloc(DECIDE_GUARDS, sizeof *data.machines);
    data.boards = calloc(DECIDE_GUARDS, sizeof *data.boards);
    data.states = calloc(DECIDE_GUARDS, sizeof *data.states);
    decide_check(data.machines != NULL && data.boards != NULL && data.states != NULL);
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < DECIDE_GUARDS; i++) {
        decide_check(ploy_blackboard_create(data.layout, &env, &data.boards[i]) == PLOY_OK);
        decide_check(ploy_fsm_create(data.type, NULL, &env, &data.machines[i]) == PLOY_OK);
        ploy_step_context context =
            ploy_step_context_make(ploy_agent_id_none(), data.boards[i], 0.1f);
        decide_check(ploy_behavior_enter(ploy_fsm_behavior(data.machines[i]), &context) == PLOY_OK);
        (void)ploy_blackboard_set_bool(data.boards[i], data.see, ploy_rng_chance(&rng, 0.3f));
        (void)ploy_blackboard_set_bool(data.boards[i], data.tired, ploy_rng_chance(&rng, 0.3f));
    }
    bench_measure(run, bench_call(decide_by_table, &data, DECIDE_GUARDS), bench_nothing(),
                  bench_call(decide_by_switch, &data, DECIDE_GUARDS));
    for (int32_t i = 0; i < DECIDE_GUARDS; i++) {
        // Both must have come to the same state; the first state has number 1.
        if ((int32_t)ploy_fsm_current(data.machines[i]).number != data.states[i] + 1) {
            bench_fail(run, "the table and the switch disagree");
        }
        ploy_fsm_destroy(data.machines[i]);
        ploy_blackboard_destroy(data.boards[i]);
    }
    ploy_fsm_type_destroy(data.type);
    ploy_blackboard_layout_destroy(data.layout);
    free(data.machines);
    free(data.boards);
    free(data.states);
}
