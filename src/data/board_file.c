// Learned evaluations of board games as JSON files; the format is in the header.
#include "ploy/data/board_file.h"

#include "ploy/base/fields_json.h"
#include "ploy/base/json.h"

#include <string.h>

static const char board_file_format[] = "ploy board evaluation";

ploy_result ploy_board_learned_save(const ploy_board_learned *learned, ploy_writer *writer) {
    if (learned == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    ploy_board board = ploy_board_learned_board(learned);
    ploy_json_writer json;
    ploy_json_writer_init(&json, writer, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "format");
    ploy_json_write_text(&json, board_file_format);
    ploy_json_write_key(&json, "version");
    ploy_json_write_i64(&json, PLOY_BOARD_FILE_VERSION);
    ploy_json_write_key(&json, "game");
    ploy_json_write_text(&json, board.type->name);
    ploy_json_write_key(&json, "rules");
    ploy_fields fields = board.type->fields == NULL ? (ploy_fields){0} : board.type->fields();
    ploy_fields_save_json(fields, board.rules, &json);
    ploy_json_write_key(&json, "settings");
    ploy_fields_save_json(ploy_board_learned_fields(), ploy_board_learned_def_of(learned), &json);
    ploy_json_write_key(&json, "state");
    ploy_visit_save(ploy_board_learned_visit, learned, NULL, &json);
    ploy_json_write_end_object(&json);
    return ploy_json_writer_finish(&json);
}

static ploy_result board_file_read(const ploy_json *doc, ploy_board board, const ploy_env *env,
                                   ploy_diags *diags, ploy_board_learned **out) {
    ploy_json_node root = ploy_json_root(doc), format = ploy_json_member(doc, root, "format");
    if (strcmp(ploy_json_text(doc, format, NULL), board_file_format) != 0) {
        ploy_json_fault(doc, ploy_json_is_none(format) ? root : format, diags,
                        "file is not a learned evaluation", board_file_format, NULL);
        return PLOY_ERR_FORMAT;
    }
    ploy_json_node version = ploy_json_member(doc, root, "version");
    int64_t number = 0;
    if (ploy_json_i64(doc, version, &number) != PLOY_OK || number != PLOY_BOARD_FILE_VERSION) {
        ploy_json_fault(doc, version, diags, "unknown version of the format", "1", NULL);
        return PLOY_ERR_FORMAT;
    }
    ploy_json_node game = ploy_json_member(doc, root, "game");
    if (strcmp(ploy_json_text(doc, game, NULL), board.type->name) != 0) {
        ploy_json_fault(doc, game, diags, "the evaluation is for another game", board.type->name,
                        NULL);
        return PLOY_ERR_FORMAT;
    }
    ploy_board_learned_def def = ploy_board_learned_def_default();
    ploy_json_node settings = ploy_json_member(doc, root, "settings");
    ploy_result result =
        ploy_fields_load_json(ploy_board_learned_fields(), &def, doc, settings, diags);
    if (result == PLOY_OK) result = ploy_board_learned_create(&def, board, env, out);
    if (result == PLOY_ERR_ARGUMENT || result == PLOY_ERR_UNSUPPORTED || result == PLOY_ERR_LIMIT) {
        ploy_json_fault(doc, settings, diags, "the game cannot have such an evaluation", NULL,
                        NULL);
        return PLOY_ERR_FORMAT;
    }
    if (result != PLOY_OK) return result;
    result = ploy_visit_load(ploy_board_learned_visit, *out, NULL, doc,
                             ploy_json_member(doc, root, "state"), env, diags);
    if (result == PLOY_OK) return PLOY_OK;
    ploy_board_learned_destroy(*out);
    *out = NULL;
    return result;
}

ploy_result ploy_board_learned_load(const void *bytes, size_t size, const char *name,
                                    ploy_board board, const ploy_env *env, ploy_diags *diags,
                                    ploy_board_learned **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, NULL, env, diags, &doc);
    if (result != PLOY_OK) return result;
    result = board_file_read(doc, board, env, diags, out);
    ploy_json_destroy(doc);
    return result;
}
