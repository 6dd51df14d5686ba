// A miner digs, banks his gold, drinks and sleeps: a state machine of four states, and a cook who
// interrupts him. You see what he does in each step. Shows ploy_fsm: hooks, rules over the
// blackboard, a message that puts a state aside for a while.
#include <stdio.h>

#include "ploy/decide/fsm.h"

static const ploy_blackboard_key miner_keys[] = {
    {"gold", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "nuggets in his pockets"},
    {"thirst", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "grows with every nugget"},
};

// Adds to a number on the blackboard and says what he does.
static ploy_result miner_work(const ploy_fsm_turn *turn, const char *what, const char *key,
                              int64_t set, int64_t add) {
    ploy_blackboard *board = turn->context->blackboard;
    ploy_slot slot = ploy_blackboard_layout_find(ploy_blackboard_layout_of(board), key);
    int64_t value = set >= 0 ? set : ploy_blackboard_get_i64(board, slot) + add;
    printf("%d: %s\n", (int)turn->context->tick, what);
    return ploy_blackboard_set_i64(board, slot, value);
}

static ploy_result miner_dig(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    ploy_result result = miner_work(turn, "picks up a nugget", "gold", -1, 1);
    return result == PLOY_OK ? miner_work(turn, "is thirstier", "thirst", -1, 1) : result;
}

static ploy_result miner_bank(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    return miner_work(turn, "puts his gold into the bank", "gold", 0, 0);
}

static ploy_result miner_drink(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    return miner_work(turn, "drinks", "thirst", 0, 0);
}

static ploy_result miner_eat(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    printf("%d: eats stew\n", (int)turn->context->tick);
    return ploy_fsm_pop(turn->fsm, turn->context); // back to whatever it was
}

static ploy_result miner_build(ploy_fsm_type *type) {
    ploy_fsm_hooks dig_hooks = {.execute = miner_dig}, bank_hooks = {.execute = miner_bank};
    ploy_fsm_hooks drink_hooks = {.execute = miner_drink}, eat_hooks = {.execute = miner_eat};
    ploy_maker none = ploy_maker_none();
    ploy_fsm_state dig = ploy_fsm_type_state(type, "dig", &dig_hooks, none);
    ploy_fsm_state bank = ploy_fsm_type_state(type, "bank", &bank_hooks, none);
    ploy_fsm_state drink = ploy_fsm_type_state(type, "drink", &drink_hooks, none);
    ploy_fsm_state eat = ploy_fsm_type_state(type, "eat", &eat_hooks, none);
    ploy_conditions *set = ploy_fsm_type_conditions(type);
    ploy_fsm_rule rules[] = {
        ploy_fsm_rule_make("full", dig, ploy_condition_int(set, "gold", 2, INT64_MAX), bank),
        ploy_fsm_rule_make("dry", dig, ploy_condition_int(set, "thirst", 3, INT64_MAX), drink),
        ploy_fsm_rule_make("banked", bank, ploy_condition_none(), dig),
        ploy_fsm_rule_make("drunk", drink, ploy_condition_none(), dig),
        ploy_fsm_rule_make("stew", ploy_fsm_state_none(), ploy_condition_none(), eat),
    };
    rules[4].on = "stew_ready"; // in every state
    rules[4].effect = PLOY_FSM_PUSH;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        (void)ploy_fsm_type_add(type, &rules[i]); // finish reports the first fault
    }
    return ploy_fsm_type_finish(type, dig);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    ploy_fsm *fsm = NULL;
    if (ploy_blackboard_layout_create(miner_keys, 2, "miner", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &context.blackboard) != PLOY_OK ||
        ploy_fsm_type_create(&def, layout, &env, &type) != PLOY_OK ||
        miner_build(type) != PLOY_OK || ploy_fsm_create(type, NULL, &env, &fsm) != PLOY_OK) {
        return 1;
    }
    ploy_behavior miner = ploy_fsm_behavior(fsm);
    ploy_result result = ploy_behavior_enter(miner, &context);
    ploy_status status;
    for (; context.tick < 8 && result == PLOY_OK; ploy_step_context_next(&context)) {
        bool handled = false;
        ploy_message stew = ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(),
                                              ploy_name_of("stew_ready"));
        if (context.tick == 3) result = ploy_behavior_message(miner, &context, &stew, &handled);
        if (result == PLOY_OK) result = ploy_behavior_step(miner, &context, &status);
    }
    printf("done: %s, in state %s\n", ploy_result_text(result),
           ploy_fsm_type_id(type, ploy_fsm_current(fsm)));
    ploy_behavior_exit(miner, &context, PLOY_EXIT_REMOVED);
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(type);
    ploy_blackboard_destroy(context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    return result == PLOY_OK ? 0 : 1;
}
