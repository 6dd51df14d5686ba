// A behavior whose every function does what the test says, and a log, for the tests of holders.
#pragma once

#include "ploy/exec/maker.h"
#include "tests/test.h"

typedef struct nested_probe {
    ploy_result enter, step, commit, message;
    ploy_status status;
    int32_t enters, steps, exits;
    ploy_exit_reason reason;
} nested_probe;

static inline ploy_result nested_probe_enter(void *self, ploy_step_context *context) {
    (void)context;
    ((nested_probe *)self)->enters++;
    return ((nested_probe *)self)->enter;
}

static inline ploy_result nested_probe_step(void *self, ploy_step_context *context,
                                            ploy_status *status) {
    (void)context;
    ((nested_probe *)self)->steps++;
    *status = ((nested_probe *)self)->status;
    return ((nested_probe *)self)->step;
}

static inline void nested_probe_exit(void *self, ploy_step_context *context,
                                     ploy_exit_reason reason) {
    (void)context;
    ((nested_probe *)self)->exits++;
    ((nested_probe *)self)->reason = reason;
}

static inline ploy_result nested_probe_commit(void *self, ploy_step_context *context) {
    (void)context;
    return ((nested_probe *)self)->commit;
}

static inline ploy_result nested_probe_message(void *self, ploy_step_context *context,
                                               const ploy_message *message, bool *handled) {
    (void)context;
    (void)message;
    *handled = true;
    return ((nested_probe *)self)->message;
}

static inline ploy_result nested_probe_make(void *user, const ploy_env *env, ploy_behavior *out) {
    static const ploy_behavior_type type = {
        .name = "probe",
        .enter = nested_probe_enter,
        .step = nested_probe_step,
        .exit = nested_probe_exit,
        .commit = nested_probe_commit,
        .message = nested_probe_message,
    };
    (void)env;
    out->type = &type;
    out->self = user;
    return PLOY_OK;
}

static inline ploy_maker nested_probe_maker(nested_probe *probe) {
    return ploy_maker_of(nested_probe_make, probe);
}

// Lines that were logged: how many, and the last.
typedef struct nested_lines {
    char text[512];
    int32_t count;
} nested_lines;

static inline void nested_lines_add(void *user, ploy_severity severity, const char *text) {
    nested_lines *lines = user;
    (void)severity;
    lines->count++;
    snprintf(lines->text, sizeof lines->text, "%s", text);
}

static inline ploy_env nested_lines_env(nested_lines *lines) {
    ploy_env env = ploy_env_default();
    memset(lines, 0, sizeof *lines);
    env.log = nested_lines_add;
    env.log_user = lines;
    return env;
}
