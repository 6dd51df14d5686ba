// The blackboard of a lab as a definition: its values as one JSON object, which can be edited while
// the lab runs. Keys that a text leaves out keep their values, so one value can be set alone.
#pragma once

#include <string.h>

#include "ploy/base/json.h"
#include "ploy/exec/blackboard.h"
#include "ploy/exec/sim.h"

#define LAB_BOARD_NAME "board"
#define LAB_BOARD_DEFINITION \
    { LAB_BOARD_NAME, "json", "the values of the blackboard, by key" }

static inline bool lab_board_is(const ploy_input *input) {
    return input->kind == PLOY_INPUT_RELOAD && strcmp(input->name, LAB_BOARD_NAME) == 0;
}

static inline ploy_result lab_board_write(const ploy_blackboard *board, ploy_writer *out) {
    ploy_json_writer json;
    ploy_json_writer_init(&json, out, 2);
    ploy_blackboard_save(board, &json);
    ploy_result result = ploy_json_writer_finish(&json);
    ploy_write_char(out, '\n');
    return result;
}

// Sets the values that the text has; a text with faults changes nothing.
static inline ploy_result lab_board_take(ploy_blackboard *board, const void *bytes, size_t size,
                                         const ploy_env *env, ploy_diags *diags) {
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, LAB_BOARD_NAME, NULL, env, diags, &doc);
    if (result != PLOY_OK) return result;
    result = ploy_blackboard_load(board, doc, ploy_json_root(doc), diags);
    ploy_json_destroy(doc);
    return result;
}

// The same on a board of that layout that is thrown away.
static inline ploy_result lab_board_check(const ploy_blackboard *board, const void *bytes,
                                          size_t size, const ploy_env *env, ploy_diags *diags) {
    ploy_blackboard *copy = NULL;
    ploy_result result = ploy_blackboard_create(ploy_blackboard_layout_of(board), env, &copy);
    if (result == PLOY_OK) result = lab_board_take(copy, bytes, size, env, diags);
    ploy_blackboard_destroy(copy);
    return result;
}
