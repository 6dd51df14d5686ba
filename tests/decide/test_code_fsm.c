// State machines written as code: NTU-19's macros, and SMC-05's hard-coded patroller.
#include "ploy/decide/code_fsm.h"
#include "tests/test.h"

enum { GATHER, FLEE, FIGHT };

typedef struct hunter {
    bool see, cornered;
    int enters, exits;
} hunter;

// NTU-19 with its errata mended: no unconditional change, a fight in state 2, no stray semicolon.
PLOY_CODE_FSM(hunter_states, hunter) {
    PLOY_CODE_STATE(GATHER)
    PLOY_ON_UPDATE {
        if (owner->see) PLOY_SET_STATE(FLEE);
    }
    PLOY_ON_EXIT {
        owner->exits++;
    }
    PLOY_CODE_STATE(FLEE)
    PLOY_ON_ENTER {
        owner->enters++;
    }
    PLOY_ON_UPDATE {
        if (!owner->see) PLOY_SET_STATE(GATHER);
        if (owner->cornered) PLOY_SET_STATE(FIGHT);
    }
    PLOY_CODE_STATE(FIGHT)
    PLOY_ON_UPDATE {
        if (!owner->see) PLOY_SET_STATE(GATHER);
    }
    PLOY_ON_MESSAGE("surrender") {
        PLOY_SET_STATE(GATHER);
    }
}
PLOY_CODE_FSM_END

TEST(the_macros_give_the_hunters_table) { // NTU-18, NTU-19
    static const struct {
        int from;
        bool see, cornered;
        int want;
    } rows[] = {{GATHER, true, false, FLEE},  {FLEE, true, false, FLEE},
                {FLEE, false, false, GATHER}, {FLEE, true, true, FIGHT},
                {FLEE, false, true, FIGHT},   {FIGHT, true, true, FIGHT},
                {FIGHT, false, false, GATHER}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        hunter owner = {rows[i].see, rows[i].cornered, 0, 0};
        ploy_code_fsm machine = ploy_code_fsm_make(rows[i].from);
        CHECK_OK(ploy_code_fsm_step(&machine, hunter_states, &owner, NULL));
        CHECK_INT(machine.state, rows[i].want);
    }
}

TEST(enter_exit_and_messages_come_by_themselves) {
    hunter owner = {true, false, 0, 0};
    ploy_code_fsm machine = ploy_code_fsm_make(GATHER);
    CHECK_OK(ploy_code_fsm_step(&machine, hunter_states, &owner, NULL));
    CHECK_INT(owner.enters, 1);
    CHECK_INT(owner.exits, 1);
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("surrender"));
    bool handled = true;
    CHECK_OK(ploy_code_fsm_message(&machine, hunter_states, &owner, &message, NULL, &handled));
    CHECK(!handled); // a fleeing hunter does not listen
    machine.state = FIGHT;
    CHECK_OK(ploy_code_fsm_message(&machine, hunter_states, &owner, &message, NULL, &handled));
    CHECK(handled);
    CHECK_INT(machine.state, GATHER);
}

// SMC-05 as one switch, without macros.
enum { PATROL, DEFEND, SLEEP };

typedef struct patroller {
    bool see, tired;
} patroller;

static void patroller_states(void *owner, ploy_code_fsm *machine, ploy_code_event event,
                             const ploy_message *message) {
    const patroller *self = owner;
    if (event == PLOY_CODE_MESSAGE) {
        float volume;
        memcpy(&volume, message->payload, sizeof volume);
        if (machine->state == SLEEP && volume > 10.0f) ploy_code_fsm_set(machine, DEFEND);
    }
    if (event != PLOY_CODE_UPDATE) return;
    switch (machine->state) {
    case PATROL:
        if (self->see) {
            ploy_code_fsm_set(machine, DEFEND);
        } else if (self->tired) {
            ploy_code_fsm_set(machine, SLEEP);
        }
        break;
    case DEFEND:
        if (!self->see) ploy_code_fsm_set(machine, PATROL);
        break;
    default:
        if (!self->tired) ploy_code_fsm_set(machine, PATROL);
        break;
    }
}

TEST(a_noise_wakes_the_patroller_only_above_ten) { // SMC-05
    static const float volumes[] = {9.0f, 10.0f, 10.001f};
    static const int want[] = {SLEEP, SLEEP, DEFEND};
    for (int i = 0; i < 3; i++) {
        patroller owner = {false, true};
        ploy_code_fsm machine = ploy_code_fsm_make(PATROL);
        CHECK_OK(ploy_code_fsm_step(&machine, patroller_states, &owner, NULL));
        CHECK_INT(machine.state, SLEEP);
        ploy_message noise =
            ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("noise"));
        CHECK_OK(ploy_message_set_payload(&noise, &volumes[i], sizeof volumes[i]));
        CHECK_OK(ploy_code_fsm_message(&machine, patroller_states, &owner, &noise, NULL, NULL));
        CHECK_INT(machine.state, want[i]);
    }
}

static void restless(void *owner, ploy_code_fsm *machine, ploy_code_event event,
                     const ploy_message *message) {
    (void)owner, (void)message;
    if (event == PLOY_CODE_ENTER) ploy_code_fsm_set(machine, 1 - machine->state);
}

TEST(a_machine_without_rest_ends_in_an_error) {
    ploy_code_fsm machine = ploy_code_fsm_make(0);
    CHECK_INT(ploy_code_fsm_step(&machine, restless, NULL, NULL), PLOY_ERR_LIMIT);
}
