// A door whose states change themselves: enter, execute and exit of each state, a change asked for
// inside an enter hook, and two states that send each other back and forth without end. Shows
// ploy_fsm_change; the endless change ends with PLOY_ERR_LIMIT.
#include <stdio.h>

#include "ploy/decide/fsm.h"

typedef struct door {
    bool locked;
    ploy_fsm_state shut, open, bounce_a, bounce_b;
} door;

static ploy_result shut_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user, (void)turn;
    printf("  enter shut\n");
    return PLOY_OK;
}

static ploy_result shut_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    door *it = turn->owner;
    printf("  execute shut\n");
    return ploy_fsm_change(turn->fsm, turn->context, it->open);
}

static void shut_exit(void *user, const ploy_fsm_turn *turn) {
    (void)user, (void)turn;
    printf("  exit shut\n");
}

// A change within a change: a locked door does not stay open.
static ploy_result open_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    door *it = turn->owner;
    printf("  enter open%s\n", it->locked ? ", but it is locked" : "");
    return it->locked ? ploy_fsm_change(turn->fsm, turn->context, it->shut) : PLOY_OK;
}

static void open_exit(void *user, const ploy_fsm_turn *turn) {
    (void)user, (void)turn;
    printf("  exit open\n");
}

static ploy_result bounce_enter(void *user, const ploy_fsm_turn *turn) {
    door *it = turn->owner;
    return ploy_fsm_change(turn->fsm, turn->context, user == NULL ? it->bounce_b : it->bounce_a);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    ploy_fsm *fsm = NULL;
    door it = {.locked = true};
    env.log = NULL;
    if (ploy_fsm_type_create(&def, NULL, &env, &type) != PLOY_OK) return 1;
    const ploy_fsm_hooks shut = {.enter = shut_enter, .execute = shut_execute, .exit = shut_exit};
    const ploy_fsm_hooks open = {.enter = open_enter, .exit = open_exit};
    const ploy_fsm_hooks to_b = {.enter = bounce_enter};
    const ploy_fsm_hooks to_a = {.enter = bounce_enter, .user = &it};
    it.shut = ploy_fsm_type_state(type, "shut", &shut, ploy_maker_none());
    it.open = ploy_fsm_type_state(type, "open", &open, ploy_maker_none());
    it.bounce_a = ploy_fsm_type_state(type, "bounce a", &to_b, ploy_maker_none());
    it.bounce_b = ploy_fsm_type_state(type, "bounce b", &to_a, ploy_maker_none());
    if (ploy_fsm_type_finish(type, it.shut) != PLOY_OK ||
        ploy_fsm_create(type, &it, &env, &fsm) != PLOY_OK) {
        return 1;
    }
    printf("before the start: %s\n", ploy_result_text(ploy_fsm_change(fsm, &context, it.open)));
    ploy_behavior machine = ploy_fsm_behavior(fsm);
    ploy_result result = ploy_behavior_enter(machine, &context);
    for (int i = 0; i < 2 && result == PLOY_OK; i++, it.locked = false) {
        ploy_status status;
        printf("%s\n", it.locked ? "locked" : "unlocked");
        result = ploy_behavior_step(machine, &context, &status);
        ploy_step_context_next(&context);
    }
    printf("now %s: %s\n", ploy_fsm_type_id(type, ploy_fsm_current(fsm)), ploy_result_text(result));
    printf("back and forth:\n");
    printf("%s\n", ploy_result_text(ploy_fsm_change(fsm, &context, it.bounce_a)));
    ploy_behavior_exit(machine, &context, PLOY_EXIT_REMOVED);
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(type);
    return result == PLOY_OK ? 0 : 1;
}
