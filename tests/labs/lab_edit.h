// What the tests of labs and games share that have definitions: reading one, editing it, going back.
#pragma once

#include <stdlib.h>

#include "base/base_internal.h"
#include "tests/labs/lab_test.h"

static inline ploy_input lab_reload_input(const char *name, const char *text) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_RELOAD;
    input.name = name;
    input.bytes = text;
    input.size = strlen(text);
    return input;
}

// A definition as it is now; free it.
static inline char *lab_definition(test_context *t, const ploy_sim *sim, const char *name) {
    ploy_env env = ploy_env_default();
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer out = ploy_buffer_writer(&text);
    CHECK_OK(ploy_sim_write_definition(sim, name, &out));
    char *copy = malloc(text.size + 1);
    CHECK(copy != NULL);
    memcpy(copy, ploy_buffer_text(&text), text.size + 1);
    ploy_buffer_fini(&text);
    return copy;
}

// A copy of a text in which `to` stands for the first `from`; free it.
static inline char *lab_replace(test_context *t, const char *text, const char *from,
                                const char *to) {
    const char *at = strstr(text, from);
    CHECK(at != NULL);
    size_t size = strlen(text) + strlen(to) + 1;
    char *out = malloc(size);
    CHECK(out != NULL);
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

// One edit of a definition: `to` for the first `from`. The simulation goes on with it, a rewind
// brings the old text and the same bytes back, and the same edit spoilt is refused with its line.
typedef struct lab_edit {
    const char *name, *from, *to;
    const char *bad; // for `from`, to be refused
    int32_t line;    // where the fault is; 0: somewhere
} lab_edit;

static inline void lab_check_edit(test_context *t, ploy_sim *sim, const lab_edit *edit) {
    ploy_env env = ploy_env_default();
    char *old = lab_definition(t, sim, edit->name);
    char *edited = lab_replace(t, old, edit->from, edit->to);
    char *spoilt = lab_replace(t, old, edit->from, edit->bad);
    ploy_snapshot *early = NULL, *late[2] = {NULL, NULL};
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    uint64_t hash = ploy_sim_hash(sim);
    ploy_input input = lab_reload_input(edit->name, spoilt);
    CHECK(ploy_sim_check_input(sim, &input, diags) < PLOY_OK);
    CHECK(ploy_diags_count(diags) > 0);
    CHECK(ploy_diags_get(diags, 0)->message[0] != 0);
    if (edit->line > 0) CHECK_INT(ploy_diags_get(diags, 0)->line, edit->line);
    CHECK(ploy_sim_step(sim, &input, 1, NULL) < PLOY_OK);
    CHECK_UINT(ploy_sim_hash(sim), hash);
    CHECK_OK(ploy_sim_snapshot(sim, &early));
    for (int32_t turn = 0; turn < 2; turn++) {
        input = lab_reload_input(edit->name, edited);
        CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
        char *now = lab_definition(t, sim, edit->name);
        CHECK_TEXT(now, edited);
        free(now);
        lab_run(t, sim, 200);
        CHECK(lab_number(t, sim, "definition/reloads") >= 1.0);
        CHECK_OK(ploy_sim_snapshot(sim, &late[turn]));
        if (turn > 0) break;
        CHECK_OK(ploy_sim_restore(sim, early));
        now = lab_definition(t, sim, edit->name);
        CHECK_TEXT(now, old);
        free(now);
        CHECK_UINT(ploy_sim_hash(sim), hash);
    }
    CHECK_INT(ployi_snapshot_difference(late[0], late[1]), -1);
    for (int32_t turn = 0; turn < 2; turn++) ploy_snapshot_destroy(late[turn]);
    ploy_snapshot_destroy(early);
    ploy_diags_destroy(diags);
    free(spoilt);
    free(edited);
    free(old);
}

// Starts one, lets it live for a while, edits it and looks whether all memory came back.
static inline void lab_check_edited(test_context *t, const char *lab, const lab_edit *edit) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, lab, NULL, &env);
    lab_run(t, sim, 150);
    lab_check_edit(t, sim, edit);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}
