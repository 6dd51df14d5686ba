// Behaviors inside others: the rules of maker.h, kept in one place.
//
// Invariants of a ploy_nested:
//   (1) entered exactly between an enter (or load) of the behavior and its exit;
//   (2) failed only while not entered, and then the status is FAILURE.
#include <math.h>
#include <string.h>

#include "exec_internal.h"
#include "ploy/exec/maker.h"

// The longest line with a path; longer ones lose their beginning.
#define NESTED_TEXT_MAX 256

ploy_result ploy_nested_make(ploy_nested *nested, ploy_maker maker, const ploy_env *env) {
    if (nested == NULL) return PLOY_ERR_ARGUMENT;
    memset(nested, 0, sizeof *nested);
    return ploy_maker_make(maker, env, &nested->behavior);
}

void ploy_nested_destroy(ploy_nested *nested) {
    if (nested == NULL) return;
    ploy_behavior_destroy(nested->behavior);
    memset(nested, 0, sizeof *nested);
}

// Writes text in front of what begins at `at`. @return where it begins now.
static size_t nested_prepend(char *line, size_t at, const char *text) {
    size_t size = strlen(text);
    if (size > at) {
        text += size - at;
        size = at;
    }
    memcpy(line + at - size, text, size);
    return at - size;
}

// "agent 7: guard/attack", built from its end, because the path begins at the innermost place.
static const char *nested_path_text(const ploy_step_context *context, char line[NESTED_TEXT_MAX]) {
    size_t at = NESTED_TEXT_MAX - 1;
    line[at] = '\0';
    const ploy_step_path *innermost = context->path;
    if (innermost->fault != NULL) {
        at = nested_prepend(line, at, innermost->fault);
        at = nested_prepend(line, at, "/");
    }
    for (const ploy_step_path *path = innermost; path != NULL; path = path->outer) {
        at = nested_prepend(line, at, path->name != NULL ? path->name : "?");
        if (path->outer != NULL) at = nested_prepend(line, at, "/");
    }
    uint32_t index = context->agent.id.index;
    if (ploy_id_is_none(context->agent.id)) return line + at;
    at = nested_prepend(line, at, ": ");
    do {
        char digit[2] = {(char)('0' + index % 10), '\0'};
        at = nested_prepend(line, at, digit);
        index /= 10;
    } while (index > 0);
    return line + nested_prepend(line, at, "agent ");
}

// Exits what returned an error, with the path still in place, and reports it.
static void nested_fail(ploy_nested *nested, const ploy_env *env, ploy_step_context *context,
                        ploy_result result) {
    char line[NESTED_TEXT_MAX];
    char text[NESTED_TEXT_MAX + PLOY_DIAG_TEXT_MAX] = "";
    const char *path = nested_path_text(context, line);
    strcat(text, path);
    strcat(text, ": ");
    strncat(text, ploy_result_text(result), PLOY_DIAG_TEXT_MAX - 3);
    if (env != NULL) ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
    if (context->trace != NULL) {
        ploy_trace_begin(context->trace, context->agent, "error", "nested behavior");
        ploy_trace_option(context->trace, path, PLOY_OUTCOME_REJECTED, (double)NAN,
                          ploy_result_text(result));
        ploy_trace_end(context->trace);
    }
    nested->entered = false; // keeps (1)
    nested->failed = true;
    nested->status = PLOY_STATUS_FAILURE;
    ploy_behavior_exit(nested->behavior, context, PLOY_EXIT_ERROR);
}

// What a call could have changed outside the behavior, to take it back after an error.
typedef struct nested_call {
    ploy_step_path path;
    int32_t messages, actions;
    uint16_t run;
} nested_call;

static inline void nested_begin(nested_call *call, const ploy_nested *nested, const char *place,
                                ploy_step_context *context) {
    call->path.outer = context->path;
    call->path.name = place;
    call->path.fault = NULL;
    call->run = nested->run;
    if (context->outbox != NULL) {
        call->messages = context->outbox->message_count;
        call->actions = context->outbox->action_count;
    }
    context->path = &call->path;
}

// After the call. The holder may have left the behavior within it; then its result counts for
// nothing more. @return whether the run goes on.
static inline bool nested_end(nested_call *call, ploy_nested *nested, const ploy_env *env,
                              ploy_step_context *context, ploy_result result) {
    bool current = nested->entered && nested->run == call->run;
    if (result != PLOY_OK && current) {
        // A serial engine delivers at once; only what still waits can be taken back.
        if (context->outbox != NULL) {
            ployi_outbox_cut(context->outbox, call->messages, call->actions);
        }
        nested_fail(nested, env, context, result);
    }
    context->path = call->path.outer;
    return current && result == PLOY_OK;
}

// Marks it as entered.
static void nested_start(ploy_nested *nested) {
    nested->entered = true;
    nested->failed = false;
    nested->status = PLOY_STATUS_RUNNING;
    nested->run++;
}

ploy_status ploy_nested_enter(ploy_nested *nested, const ploy_env *env, const char *place,
                              ploy_step_context *context) {
    if (nested->behavior.type == NULL) return PLOY_STATUS_RUNNING;
    nested_start(nested);
    if (nested->behavior.type->enter == NULL) return PLOY_STATUS_RUNNING;
    nested_call call;
    nested_begin(&call, nested, place, context);
    ploy_result result = ploy_behavior_enter(nested->behavior, context);
    (void)nested_end(&call, nested, env, context, result);
    return nested->status;
}

ploy_status ploy_nested_step(ploy_nested *nested, const ploy_env *env, const char *place,
                             ploy_step_context *context) {
    if (!nested->entered) return nested->status;
    nested_call call;
    nested_begin(&call, nested, place, context);
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_result result = ploy_behavior_step(nested->behavior, context, &status);
    if (!nested_end(&call, nested, env, context, result)) return nested->status;
    nested->status = status;
    if (status != PLOY_STATUS_RUNNING) ploy_nested_exit(nested, context, PLOY_EXIT_FINISHED);
    return status;
}

void ploy_nested_exit(ploy_nested *nested, ploy_step_context *context, ploy_exit_reason reason) {
    if (!nested->entered) return;
    nested->entered = false;
    ploy_behavior_exit(nested->behavior, context, reason);
}

void ploy_nested_commit(ploy_nested *nested, const ploy_env *env, const char *place,
                        ploy_step_context *context) {
    if (!nested->entered || nested->behavior.type->commit == NULL) return;
    nested_call call;
    nested_begin(&call, nested, place, context);
    ploy_result result = ploy_behavior_commit(nested->behavior, context);
    (void)nested_end(&call, nested, env, context, result);
}

bool ploy_nested_message(ploy_nested *nested, const ploy_env *env, const char *place,
                         ploy_step_context *context, const ploy_message *message) {
    if (!nested->entered || nested->behavior.type->message == NULL) return false;
    nested_call call;
    nested_begin(&call, nested, place, context);
    bool handled = false;
    ploy_result result = ploy_behavior_message(nested->behavior, context, message, &handled);
    (void)nested_end(&call, nested, env, context, result);
    return result == PLOY_OK && handled;
}

void ploy_nested_describe(const ploy_nested *nested, ploy_describe *out) {
    if (nested->behavior.type == NULL || out == NULL) return;
    ploy_describe_bool(out, "runs", PLOY_STATE, nested->entered);
    if (nested->failed) ploy_describe_bool(out, "failed", PLOY_STATE, true);
    ploy_behavior_describe(nested->behavior, out);
}

void ploy_nested_draw(const ploy_nested *nested, ploy_draw *out) {
    if (nested->entered) ploy_behavior_draw(nested->behavior, out);
}

void ploy_nested_save(const ploy_nested *nested, ploy_json_writer *out) {
    if (nested->entered) {
        ploy_behavior_save(nested->behavior, out);
        return;
    }
    if (nested->behavior.type == NULL || nested->run == 0) {
        ploy_json_write_null(out);
        return;
    }
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "ended");
    ploy_json_write_text(out, ploy_status_text(nested->status));
    if (nested->failed) {
        ploy_json_write_key(out, "failed");
        ploy_json_write_bool(out, true);
    }
    ploy_json_write_end_object(out);
}

// Whether the value says that the behavior had ended; takes over with which status.
static bool nested_load_ended(ploy_nested *nested, const ploy_json *doc, ploy_json_node saved) {
    ploy_json_node ended = ploy_json_member(doc, saved, "ended");
    if (ploy_json_is_none(ended)) return false;
    const char *text = ploy_json_text(doc, ended, NULL);
    nested->status = PLOY_STATUS_RUNNING;
    for (int32_t i = PLOY_STATUS_RUNNING; i <= PLOY_STATUS_SKIPPED; i++) {
        if (strcmp(text, ploy_status_text((ploy_status)i)) == 0) nested->status = (ploy_status)i;
    }
    bool failed = false;
    (void)ploy_json_bool(doc, ploy_json_member(doc, saved, "failed"), &failed);
    nested->failed = failed && nested->status == PLOY_STATUS_FAILURE; // keeps (2)
    nested->run = 1;
    return true;
}

ploy_result ploy_nested_load(ploy_nested *nested, const ploy_env *env, const char *place,
                             ploy_step_context *context, const ploy_json *doc, ploy_json_node saved,
                             ploy_diags *diags) {
    if (nested->behavior.type == NULL) return PLOY_OK;
    if (ploy_json_is_none(saved)) {
        (void)ploy_nested_enter(nested, env, place, context);
        return PLOY_OK;
    }
    if (ploy_json_type_of(doc, saved) == PLOY_JSON_NULL) return PLOY_OK;
    if (nested_load_ended(nested, doc, saved)) return PLOY_OK;
    nested_start(nested);
    ploy_step_path path = {context->path, place, NULL};
    context->path = &path;
    ploy_result result = ploy_behavior_load(nested->behavior, context, doc, saved, diags);
    context->path = path.outer;
    return result;
}

ploy_result ploy_nested_hand_over(ploy_nested *old, ploy_nested *fresh, bool same_maker,
                                  const ploy_env *env, const char *place,
                                  ploy_step_context *context, ploy_diags *diags) {
    if (same_maker) {
        ploy_nested kept = *old;
        *old = *fresh;
        *fresh = kept;
        return PLOY_OK;
    }
    if (fresh->behavior.type == NULL) {
        ploy_nested_exit(old, context, PLOY_EXIT_REPLACED);
        return PLOY_OK;
    }
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_nested_save(old, &json);
    ploy_result result = ploy_json_writer_finish(&json);
    ploy_json *doc = NULL;
    ploy_json_def def = ploy_json_def_default();
    if (result == PLOY_OK) {
        result = ploy_json_load(buffer.bytes, buffer.size, "reload", &def, env, diags, &doc);
    }
    ploy_buffer_fini(&buffer);
    if (result != PLOY_OK) return result;
    ploy_nested_exit(old, context, PLOY_EXIT_REPLACED);
    nested_call call;
    result = ploy_nested_load(fresh, env, place, context, doc, ploy_json_root(doc), diags);
    nested_begin(&call, fresh, place, context);
    (void)nested_end(&call, fresh, env, context, result);
    ploy_json_destroy(doc);
    return PLOY_OK;
}
