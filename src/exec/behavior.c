// The calls through a behavior's type, in one place: so that every holder treats missing functions
// and wrong answers of a game's own types alike.
#include "ploy/exec/behavior.h"

const char *ploy_status_text(ploy_status status) {
    switch (status) {
    case PLOY_STATUS_RUNNING: return "running";
    case PLOY_STATUS_SUCCESS: return "success";
    case PLOY_STATUS_FAILURE: return "failure";
    case PLOY_STATUS_SKIPPED: return "skipped";
    }
    return "?";
}

const char *ploy_exit_reason_text(ploy_exit_reason reason) {
    switch (reason) {
    case PLOY_EXIT_FINISHED: return "finished";
    case PLOY_EXIT_INTERRUPTED: return "interrupted";
    case PLOY_EXIT_REPLACED: return "replaced";
    case PLOY_EXIT_REMOVED: return "removed";
    case PLOY_EXIT_ERROR: return "error";
    }
    return "?";
}

// "In progress" is no answer to "did it work": running is a status, not a result.
static ploy_result behavior_result(ploy_result result) {
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

ploy_result ploy_behavior_enter(ploy_behavior behavior, ploy_step_context *context) {
    if (behavior.type == NULL || behavior.type->enter == NULL) return PLOY_OK;
    return behavior_result(behavior.type->enter(behavior.self, context));
}

ploy_result ploy_behavior_step(ploy_behavior behavior, ploy_step_context *context,
                               ploy_status *status) {
    if (behavior.type == NULL || behavior.type->step == NULL || status == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_status answer = (ploy_status)-1;
    ploy_result result = behavior_result(behavior.type->step(behavior.self, context, &answer));
    if (result != PLOY_OK) return result;
    switch (answer) {
    case PLOY_STATUS_RUNNING:
    case PLOY_STATUS_SUCCESS:
    case PLOY_STATUS_FAILURE:
    case PLOY_STATUS_SKIPPED: *status = answer; return PLOY_OK;
    }
    return PLOY_ERR_CALLBACK; // it forgot to answer
}

void ploy_behavior_exit(ploy_behavior behavior, ploy_step_context *context,
                        ploy_exit_reason reason) {
    if (behavior.type == NULL || behavior.type->exit == NULL) return;
    behavior.type->exit(behavior.self, context, reason);
}

ploy_result ploy_behavior_commit(ploy_behavior behavior, ploy_step_context *context) {
    if (behavior.type == NULL || behavior.type->commit == NULL) return PLOY_OK;
    return behavior_result(behavior.type->commit(behavior.self, context));
}

ploy_result ploy_behavior_message(ploy_behavior behavior, ploy_step_context *context,
                                  const ploy_message *message, bool *handled) {
    if (message == NULL) return PLOY_ERR_ARGUMENT;
    bool answer = false;
    ploy_result result = PLOY_OK;
    if (behavior.type != NULL && behavior.type->message != NULL) {
        result = behavior_result(behavior.type->message(behavior.self, context, message, &answer));
    }
    if (result == PLOY_OK && handled != NULL) *handled = answer;
    return result;
}

void ploy_behavior_destroy(ploy_behavior behavior) {
    if (behavior.type == NULL || behavior.type->destroy == NULL) return;
    behavior.type->destroy(behavior.self);
}

void ploy_behavior_describe(ploy_behavior behavior, ploy_describe *out) {
    if (behavior.type == NULL || behavior.type->describe == NULL || out == NULL) return;
    behavior.type->describe(behavior.self, out);
}

void ploy_behavior_draw(ploy_behavior behavior, ploy_draw *out) {
    if (behavior.type == NULL || behavior.type->draw == NULL || out == NULL) return;
    behavior.type->draw(behavior.self, out);
}
