// Machines against scripts of what they should do; the form is described in the header.
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/json.h"
#include "ploy/data/machine.h"

typedef struct machine_compare {
    const ploy_json *doc;
    ploy_hsm *hsm;
    ploy_step_context context;
    ploy_env env;
    ploy_diags *diags;
    ploy_machine_report *report;
    ploy_result result;
    bool done; // the machine has reached its end
} machine_compare;

// Puts texts in order of their bytes; there are few.
static void machine_compare_sort(ploy_array *texts) {
    const char **items = PLOY_ARRAY_ITEMS(texts, const char *);
    for (int32_t i = 1; i < texts->count; i++) {
        const char *item = items[i];
        int32_t at = i;
        for (; at > 0 && strcmp(items[at - 1], item) > 0; at--) items[at] = items[at - 1];
        items[at] = item;
    }
}

static void machine_compare_join(ploy_array *texts, ploy_writer *writer) {
    machine_compare_sort(texts);
    for (int32_t i = 0; i < texts->count; i++) {
        if (i > 0) ploy_write_char(writer, ' ');
        ploy_write_text(writer, PLOY_ARRAY_ITEMS(texts, const char *)[i]);
    }
}

ploy_result ploy_machine_write_active(const ploy_hsm *hsm, const ploy_env *env,
                                      ploy_writer *writer) {
    if (hsm == NULL || env == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    const ploy_hsm_type *type = ploy_hsm_type_of(hsm);
    ploy_array texts, states;
    ploy_array_init(&texts, sizeof(const char *), env);
    ploy_array_init(&states, sizeof(ploy_hsm_state), env);
    int32_t count = ploy_hsm_active(hsm, NULL, 0);
    ploy_result result = ploy_array_resize(&states, count);
    if (result == PLOY_OK) {
        (void)ploy_hsm_active(hsm, PLOY_ARRAY_ITEMS(&states, ploy_hsm_state), count);
    }
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_hsm_state state = PLOY_ARRAY_ITEMS(&states, ploy_hsm_state)[i];
        if (!ploy_hsm_type_is_atomic(type, state)) continue;
        const char *id = ploy_hsm_type_id(type, state);
        result = ploy_array_push(&texts, &id);
    }
    if (result == PLOY_OK) machine_compare_join(&texts, writer);
    ploy_array_fini(&texts);
    ploy_array_fini(&states);
    return result == PLOY_OK ? ploy_writer_result(writer) : result;
}

static void machine_compare_wrong(machine_compare *run, ploy_json_node node, const char *message,
                                  const char *expected) {
    ploy_json_fault(run->doc, node, run->diags, message, expected, NULL);
    if (run->result == PLOY_OK) run->result = PLOY_ERR_FORMAT;
}

static void machine_compare_want(machine_compare *run, ploy_json_node list, ploy_writer *writer) {
    ploy_array texts;
    ploy_array_init(&texts, sizeof(const char *), &run->env);
    if (ploy_json_type_of(run->doc, list) != PLOY_JSON_ARRAY) {
        machine_compare_wrong(run, list, "invalid configuration", "an array of ids");
    }
    for (int32_t i = 0; i < ploy_json_count(run->doc, list) && run->result == PLOY_OK; i++) {
        const char *text = ploy_json_text(run->doc, ploy_json_at(run->doc, list, i), NULL);
        if (text == NULL) {
            machine_compare_wrong(run, list, "invalid configuration", "an array of ids");
            break;
        }
        run->result = ploy_array_push(&texts, &text);
    }
    if (run->result == PLOY_OK) machine_compare_join(&texts, writer);
    ploy_array_fini(&texts);
}

static void machine_compare_copy(const ploy_buffer *from, char to[512]) {
    size_t size = from->size < 511 ? from->size : 511;
    if (size > 0) memcpy(to, from->bytes, size);
    to[size] = '\0';
}

// Compares what is active with a list. False at the first difference, or with a result.
static bool machine_compare_check(machine_compare *run, ploy_json_node list, int32_t event) {
    ploy_buffer want, got;
    ploy_buffer_init(&want, 0, &run->env);
    ploy_buffer_init(&got, 0, &run->env);
    ploy_writer to_want = ploy_buffer_writer(&want), to_got = ploy_buffer_writer(&got);
    machine_compare_want(run, list, &to_want);
    if (run->result == PLOY_OK) run->result = ploy_writer_result(&to_want);
    if (run->result == PLOY_OK) {
        run->result = ploy_machine_write_active(run->hsm, &run->env, &to_got);
    }
    bool same = run->result == PLOY_OK && want.size == got.size &&
                (want.size == 0 || memcmp(want.bytes, got.bytes, want.size) == 0);
    if (run->result == PLOY_OK) {
        run->report->checks++;
        run->report->same = same;
        run->report->event = event;
        machine_compare_copy(&want, run->report->want);
        machine_compare_copy(&got, run->report->got);
    }
    ploy_buffer_fini(&want);
    ploy_buffer_fini(&got);
    return same;
}

static void machine_compare_step(machine_compare *run) {
    ploy_status status = PLOY_STATUS_RUNNING;
    if (run->done || run->result != PLOY_OK) return;
    run->result = ploy_behavior_step(ploy_hsm_behavior(run->hsm), &run->context, &status);
    run->done = status != PLOY_STATUS_RUNNING;
    run->context.tick++;
}

// Lets time pass, with a step whenever something is due.
static void machine_compare_wait(machine_compare *run, double until) {
    double due = 0.0;
    while (!run->done && run->result == PLOY_OK && ploy_hsm_next_due(run->hsm, &due) &&
           due <= until) {
        run->context.now = due;
        machine_compare_step(run);
    }
    run->context.now = until;
}

static bool machine_compare_event(machine_compare *run, ploy_json_node step, int32_t index) {
    ploy_json_node after = ploy_json_member(run->doc, step, "after");
    double wait = 0.0;
    if (!ploy_json_is_none(after) &&
        (ploy_json_f64(run->doc, after, &wait) != PLOY_OK || !(wait >= 0.0 && wait <= 1e9))) {
        machine_compare_wrong(run, after, "invalid time", "milliseconds");
    }
    ploy_json_node event = ploy_json_member(run->doc, step, "event");
    const char *name = ploy_json_text(run->doc, ploy_json_member(run->doc, event, "name"), NULL);
    if (name == NULL || name[0] == '\0') {
        machine_compare_wrong(run, step, "missing event", "{\"name\": \"...\"}");
        return false;
    }
    if (wait > 0.0) machine_compare_wait(run, run->context.now + wait / 1000.0);
    ploy_hsm_event made = ploy_hsm_event_make(name);
    if (run->result == PLOY_OK) run->result = ploy_hsm_send(run->hsm, &made);
    machine_compare_step(run);
    if (run->result != PLOY_OK) return false;
    return machine_compare_check(run, ploy_json_member(run->doc, step, "nextConfiguration"), index);
}

static void machine_compare_all(machine_compare *run, double patience) {
    ploy_json_node root = ploy_json_root(run->doc);
    ploy_json_node events = ploy_json_member(run->doc, root, "events");
    int32_t count = ploy_json_count(run->doc, events);
    machine_compare_step(run);
    if (count == 0) machine_compare_wait(run, patience);
    if (run->result != PLOY_OK) return;
    if (!machine_compare_check(run, ploy_json_member(run->doc, root, "initialConfiguration"), -1)) {
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!machine_compare_event(run, ploy_json_at(run->doc, events, i), i)) return;
    }
}

ploy_result ploy_machine_compare(const ploy_hsm_type *type, const void *bytes, size_t size,
                                 const char *name, double patience, const ploy_env *env,
                                 ploy_diags *diags, ploy_machine_report *out) {
    if (type == NULL || env == NULL || out == NULL || (bytes == NULL && size > 0) ||
        !(patience >= 0.0 && patience <= 1e9)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, NULL, env, diags, &doc);
    if (result != PLOY_OK) return result;
    ploy_machine_report report;
    memset(&report, 0, sizeof report);
    machine_compare run;
    memset(&run, 0, sizeof run);
    run.doc = doc;
    run.env = *env;
    run.diags = diags;
    run.report = &report;
    run.result = ploy_hsm_create(type, NULL, env, &run.hsm);
    if (run.result == PLOY_OK) {
        run.result = ploy_behavior_enter(ploy_hsm_behavior(run.hsm), &run.context);
        if (run.result == PLOY_OK) machine_compare_all(&run, patience);
        ploy_behavior_exit(ploy_hsm_behavior(run.hsm), &run.context, PLOY_EXIT_REMOVED);
    }
    ploy_hsm_destroy(run.hsm);
    ploy_json_destroy(doc);
    if (run.result == PLOY_OK) *out = report;
    return run.result;
}
