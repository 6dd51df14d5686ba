// State machines written as code; the technique is described in the header.
#include "ploy/decide/code_fsm.h"

#include "decide_internal.h"

#include <string.h>

ploy_code_fsm ploy_code_fsm_make(int32_t initial) {
    ploy_code_fsm machine;
    memset(&machine, 0, sizeof machine);
    machine.state = initial;
    machine.status = PLOY_STATUS_RUNNING;
    return machine;
}

void ploy_code_fsm_set(ploy_code_fsm *machine, int32_t state) {
    machine->next = state;
    machine->changing = true;
}

void ploy_code_fsm_finish(ploy_code_fsm *machine, ploy_status status) {
    machine->status = (uint8_t)status;
}

// Applies what handlers asked for, until none asks any more.
static ploy_result code_fsm_settle(ploy_code_fsm *machine, ploy_code_fsm_fn fn, void *owner,
                                   ploy_trace *trace) {
    for (int32_t i = 0; machine->changing; i++) {
        if (i == PLOY_CODE_FSM_CHANGES_MAX) {
            machine->changing = false;
            return PLOY_ERR_LIMIT;
        }
        int32_t next = machine->next;
        machine->changing = false;
        fn(owner, machine, PLOY_CODE_EXIT, NULL);
        // Asked for while leaving: the later request counts, and the state between is never entered.
        if (machine->changing) next = machine->next;
        machine->changing = false;
        ploy_trace_i64(trace, "from", machine->state);
        ploy_trace_i64(trace, "to", next);
        machine->state = next;
        machine->changes++;
        fn(owner, machine, PLOY_CODE_ENTER, NULL);
    }
    return PLOY_OK;
}

ploy_result ployi_code_fsm_start(ploy_code_fsm *machine, ploy_code_fsm_fn fn, void *owner,
                                 ploy_trace *trace) {
    if (machine->started) return PLOY_OK;
    machine->started = true;
    fn(owner, machine, PLOY_CODE_ENTER, NULL);
    return code_fsm_settle(machine, fn, owner, trace);
}

ploy_result ploy_code_fsm_step(ploy_code_fsm *machine, ploy_code_fsm_fn fn, void *owner,
                               ploy_trace *trace) {
    ploy_result result = ployi_code_fsm_start(machine, fn, owner, trace);
    if (result != PLOY_OK) return result;
    fn(owner, machine, PLOY_CODE_UPDATE, NULL);
    return code_fsm_settle(machine, fn, owner, trace);
}

ploy_result ploy_code_fsm_message(ploy_code_fsm *machine, ploy_code_fsm_fn fn, void *owner,
                                  const ploy_message *message, ploy_trace *trace, bool *handled) {
    ploy_result result = ployi_code_fsm_start(machine, fn, owner, trace);
    if (result != PLOY_OK) return result;
    machine->handled = false;
    fn(owner, machine, PLOY_CODE_MESSAGE, message);
    if (handled != NULL) *handled = machine->handled;
    return code_fsm_settle(machine, fn, owner, trace);
}

bool ploy_code_fsm_is(ploy_code_fsm *machine, const ploy_message *message, const char *kind) {
    if (message == NULL || !ploy_name_equal(message->kind, ploy_name_of(kind))) return false;
    machine->handled = true;
    return true;
}

void ploy_code_fsm_describe(const ploy_code_fsm *machine, ploy_describe *out) {
    ploy_describe_i64(out, "state", PLOY_STATE, machine->state);
    ploy_describe_bool(out, "started", PLOY_STATE, machine->started);
    ploy_describe_u64(out, "changes", PLOY_STATE, machine->changes);
}
