// Saved games; the format is described in the header.
//
//     {"save": "ploy", "format": 1, "game": "mygame", "version": 3, "state": {...}, "engine": {...}}
//
// Loading is all or nothing: the visitor's load undoes itself, the engine's changes nothing if it
// fails. If the engine fails behind a visitor that succeeded, the visitor's old state, kept as a
// save in memory, is loaded again.
#include "ploy/data/save.h"

#include <string.h>

#include "ploy/base/os.h"

// A save that is undone is our own text; more than this is not kept.
#define SAVE_UNDO_MAX ((size_t)1 << 30)

ploy_save ploy_save_make(const char *game, uint32_t version) {
    ploy_save save;
    memset(&save, 0, sizeof save);
    save.game = game;
    save.version = version;
    return save;
}

static void save_key_text(ploy_json_writer *json, const char *key, const char *text) {
    ploy_json_write_key(json, key);
    ploy_json_write_text(json, text);
}

ploy_result ploy_save_write(const ploy_save *save, ploy_writer *out) {
    if (save == NULL || save->game == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_json_writer json;
    ploy_json_writer_init(&json, out, 2);
    ploy_json_write_begin_object(&json);
    save_key_text(&json, "save", "ploy");
    ploy_json_write_key(&json, "format");
    ploy_json_write_i64(&json, PLOY_SAVE_FORMAT);
    save_key_text(&json, "game", save->game);
    ploy_json_write_key(&json, "version");
    ploy_json_write_u64(&json, save->version);
    if (save->visit != NULL) {
        ploy_json_write_key(&json, "state");
        ploy_visit_save(save->visit, save->object, save->context, &json);
    }
    if (save->engine != NULL) {
        ploy_json_write_key(&json, "engine");
        ploy_visit_save(ploy_engine_visit, save->engine, NULL, &json);
    }
    ploy_json_write_end_object(&json);
    return ploy_json_writer_finish(&json);
}

ploy_result ploy_save_write_file(const ploy_save *save, const char *path, const ploy_env *env) {
    if (path == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    ploy_result result = ploy_save_write(save, &writer);
    if (result == PLOY_OK) result = ploy_os_write_file(path, bytes.bytes, bytes.size, env);
    ploy_buffer_fini(&bytes);
    return result;
}

static ploy_result save_refuse(const ploy_json *doc, ploy_json_node node, ploy_diags *diags,
                               ploy_result result, const char *message, const char *expected) {
    ploy_json_fault(doc, node, diags, message, expected, NULL);
    return result;
}

// Checks the members before the state; *version is the game's.
static ploy_result save_check_head(const ploy_json *doc, const char *game, ploy_diags *diags,
                                   uint32_t *version) {
    ploy_json_node root = ploy_json_root(doc);
    ploy_json_node kind = ploy_json_member(doc, root, "save");
    if (ploy_json_type_of(doc, root) != PLOY_JSON_OBJECT ||
        strcmp(ploy_json_text(doc, kind, NULL), "ploy") != 0) {
        return save_refuse(doc, root, diags, PLOY_ERR_FORMAT, "file is not a saved game",
                           "\"save\": \"ploy\"");
    }
    uint64_t format = 0, number = 0;
    ploy_json_node node = ploy_json_member(doc, root, "format");
    if (ploy_json_u64(doc, node, &format) != PLOY_OK || format == 0) {
        return save_refuse(doc, root, diags, PLOY_ERR_FORMAT, "missing format", "a whole number");
    }
    if (format > PLOY_SAVE_FORMAT) {
        return save_refuse(doc, node, diags, PLOY_ERR_VERSION, "format is newer than this program",
                           NULL);
    }
    node = ploy_json_member(doc, root, "game");
    if (strcmp(ploy_json_text(doc, node, NULL), game) != 0) {
        return save_refuse(doc, ploy_json_is_none(node) ? root : node, diags, PLOY_ERR_FORMAT,
                           "save is of another game", game);
    }
    node = ploy_json_member(doc, root, "version");
    if (ploy_json_u64(doc, node, &number) != PLOY_OK || number > UINT32_MAX) {
        return save_refuse(doc, root, diags, PLOY_ERR_FORMAT, "missing version", "a whole number");
    }
    *version = (uint32_t)number;
    return PLOY_OK;
}

static ploy_result save_open(const char *game, const void *bytes, size_t size, const char *name,
                             const ploy_env *env, ploy_diags *diags, uint32_t *version,
                             ploy_json **out) {
    *out = NULL;
    if (game == NULL || (bytes == NULL && size > 0) || name == NULL || env == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, NULL, env, diags, &doc);
    if (result != PLOY_OK) return result;
    result = save_check_head(doc, game, diags, version);
    if (result != PLOY_OK) {
        ploy_json_destroy(doc);
        return result;
    }
    *out = doc;
    return PLOY_OK;
}

// Writes the visitor's state as it is now.
static ploy_result save_keep(const ploy_save *save, ploy_buffer *old) {
    ploy_writer writer = ploy_buffer_writer(old);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_visit_save(save->visit, save->object, save->context, &json);
    return ploy_json_writer_finish(&json);
}

// Brings back what save_keep wrote. Without memory for it the state stays as it was loaded.
static void save_undo(const ploy_save *save, const ploy_buffer *old, const ploy_env *env) {
    ploy_json *doc = NULL;
    if (ploy_json_load(old->bytes, old->size, "undo", NULL, env, NULL, &doc) != PLOY_OK) return;
    (void)ploy_visit_load(save->visit, save->object, save->context, doc, ploy_json_root(doc), env,
                          NULL);
    ploy_json_destroy(doc);
}

static ploy_result save_take(const ploy_save *save, const ploy_json *doc, const ploy_env *env,
                             ploy_diags *diags) {
    ploy_json_node root = ploy_json_root(doc);
    ploy_json_node state = ploy_json_member(doc, root, "state");
    ploy_json_node engine = ploy_json_member(doc, root, "engine");
    if (save->visit != NULL && ploy_json_is_none(state)) {
        return save_refuse(doc, root, diags, PLOY_ERR_FORMAT, "missing state", NULL);
    }
    if (save->engine != NULL && ploy_json_is_none(engine)) {
        return save_refuse(doc, root, diags, PLOY_ERR_FORMAT, "missing engine", NULL);
    }
    ploy_buffer old;
    ploy_buffer_init(&old, SAVE_UNDO_MAX, env);
    ploy_result result = PLOY_OK;
    bool both = save->visit != NULL && save->engine != NULL;
    if (both) result = save_keep(save, &old);
    if (result == PLOY_OK && save->visit != NULL) {
        result = ploy_visit_load(save->visit, save->object, save->context, doc, state, env, diags);
    }
    if (result == PLOY_OK && save->engine != NULL) {
        result = ploy_engine_load(save->engine, save->frame, doc, engine, diags);
        if (result != PLOY_OK && both) save_undo(save, &old, env);
    }
    ploy_buffer_fini(&old);
    return result;
}

ploy_result ploy_save_load(const ploy_save *save, const void *bytes, size_t size, const char *name,
                           const ploy_env *env, ploy_diags *diags) {
    if (save == NULL) return PLOY_ERR_ARGUMENT;
    ploy_json *doc = NULL;
    uint32_t version = 0;
    ploy_result result = save_open(save->game, bytes, size, name, env, diags, &version, &doc);
    if (result != PLOY_OK) return result;
    if (version > save->version) {
        result = save_refuse(doc, ploy_json_member(doc, ploy_json_root(doc), "version"), diags,
                             PLOY_ERR_VERSION, "save is newer than this game", NULL);
    } else {
        result = save_take(save, doc, env, diags);
    }
    ploy_json_destroy(doc);
    return result;
}

#undef SAVE_UNDO_MAX
