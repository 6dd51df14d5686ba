// A treasure hunter as code: three states in one function, by macros that read like a language.
// You see each change of state, and then the same machine as a behavior that ends with a message.
// Shows ploy_code_fsm and ploy_code_machine_maker.
#include <stdio.h>

#include "ploy/decide/code_fsm.h"

enum { GATHER, FLEE, FIGHT };

typedef struct hunter {
    bool sees, cornered;
} hunter;

PLOY_CODE_FSM(hunter_states, hunter) {
    PLOY_CODE_STATE(GATHER)
    PLOY_ON_ENTER {
        printf("  gathers treasure\n");
    }
    PLOY_ON_UPDATE {
        if (owner->sees) PLOY_SET_STATE(FLEE);
    }
    PLOY_ON_MESSAGE("sunset") {
        PLOY_FINISH(PLOY_STATUS_SUCCESS);
    }
    PLOY_CODE_STATE(FLEE)
    PLOY_ON_ENTER {
        printf("  runs\n");
    }
    PLOY_ON_UPDATE {
        if (!owner->sees) PLOY_SET_STATE(GATHER);
        if (owner->cornered) PLOY_SET_STATE(FIGHT);
    }
    PLOY_CODE_STATE(FIGHT)
    PLOY_ON_ENTER {
        printf("  fights\n");
    }
    PLOY_ON_EXIT {
        printf("  wipes the sword\n");
    }
    PLOY_ON_UPDATE {
        if (!owner->sees) PLOY_SET_STATE(GATHER);
    }
    PLOY_ON_MESSAGE("truce") {
        PLOY_SET_STATE(FLEE);
    }
}
PLOY_CODE_FSM_END

int main(void) {
    static const hunter days[] = {{false, false}, {true, false}, {true, true}, {true, true}};
    ploy_code_fsm machine = ploy_code_fsm_make(GATHER);
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        hunter now = days[i];
        printf("sees %d, cornered %d\n", now.sees, now.cornered);
        if (ploy_code_fsm_step(&machine, hunter_states, &now, NULL) != PLOY_OK) return 1;
    }
    hunter now = days[3];
    ploy_message truce =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("truce"));
    printf("truce\n");
    if (ploy_code_fsm_message(&machine, hunter_states, &now, &truce, NULL, NULL) != PLOY_OK) {
        return 1;
    }
    // As a behavior it fits into trees and other machines; each character has a separate hunter.
    static const ploy_code_machine hunter_machine = {"hunter", hunter_states, GATHER,
                                                     .owner_size = sizeof(hunter)};
    ploy_env env = ploy_env_default();
    ploy_behavior mind = {NULL, NULL};
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_message sunset =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("sunset"));
    ploy_status status = PLOY_STATUS_RUNNING;
    printf("as a behavior\n");
    if (ploy_maker_make(ploy_code_machine_maker(&hunter_machine), &env, &mind) != PLOY_OK ||
        ploy_behavior_enter(mind, &context) != PLOY_OK ||
        ploy_behavior_message(mind, &context, &sunset, NULL) != PLOY_OK ||
        ploy_behavior_step(mind, &context, &status) != PLOY_OK) {
        return 1;
    }
    printf("  %s\n", ploy_status_text(status));
    ploy_behavior_exit(mind, &context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    return 0;
}
