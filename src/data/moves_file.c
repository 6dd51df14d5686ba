// Patterns of movement from JSON.
//
// Invariants, from load to destroy:
//   (1) patterns, weights and names have `count` entries; names differ;
//   (2) all of them, and the moves, are in the arena; nothing changes.
#include "ploy/data/moves_file.h"

#include "ploy/base/arena.h"
#include "ploy/base/json.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"

#include <string.h>

struct ploy_moves_file {
    ploy_env env;
    ploy_arena *arena;
    int32_t count;
    ploy_moves *patterns;
    float *weights;
    ploy_name *names;
};

typedef struct moves_reader {
    const ploy_json *doc;
    ploy_diags *diags;
    ploy_moves_file *file;
    ploy_result result;
} moves_reader;

static void moves_reader_fault(moves_reader *reader, ploy_json_node node, const char *message,
                               const char *expected) {
    ploy_json_fault(reader->doc, node, reader->diags, message, expected, NULL);
    reader->result = PLOY_ERR_FORMAT;
}

// A member that is a number within the range; the value is kept if there is none.
static void moves_reader_number(moves_reader *reader, ploy_json_node object, const char *key,
                                float least, float most, float *out) {
    ploy_json_node node = ploy_json_member(reader->doc, object, key);
    float value = 0.0f;
    if (ploy_json_type_of(reader->doc, node) == PLOY_JSON_NONE) return;
    if (ploy_json_f32(reader->doc, node, &value) == PLOY_OK && ploy_in_range(value, least, most)) {
        *out = value;
    } else {
        moves_reader_fault(reader, node, "invalid number", "a number within the range of its key");
    }
}

// A member that is a name; none if it is not there.
static ploy_name moves_reader_name(moves_reader *reader, ploy_json_node object, const char *key) {
    ploy_json_node node = ploy_json_member(reader->doc, object, key);
    ploy_name none = {0};
    size_t size = 0;
    if (ploy_json_type_of(reader->doc, node) == PLOY_JSON_NONE) return none;
    const char *text = ploy_json_text(reader->doc, node, &size);
    if (ploy_json_type_of(reader->doc, node) != PLOY_JSON_TEXT || size == 0 ||
        strlen(text) != size) {
        moves_reader_fault(reader, node, "invalid name", "a text that is not empty");
        return none;
    }
    return ploy_name_of(text);
}

static ploy_move moves_reader_move(moves_reader *reader, ploy_json_node node) {
    static const char *const keys[] = {"left", "right", "forward", "back", "action"};
    ploy_move move;
    memset(&move, 0, sizeof move);
    if (ploy_json_type_of(reader->doc, node) != PLOY_JSON_OBJECT) {
        moves_reader_fault(reader, node, "invalid move", "an object");
        return move;
    }
    if (ploy_json_check_keys(reader->doc, node, keys, 5, reader->diags) > 0) {
        reader->result = PLOY_ERR_FORMAT;
    }
    float left = 0.0f, right = 0.0f, forward = 0.0f, back = 0.0f;
    moves_reader_number(reader, node, "left", -3600.0f, 3600.0f, &left);
    moves_reader_number(reader, node, "right", -3600.0f, 3600.0f, &right);
    moves_reader_number(reader, node, "forward", -1e6f, 1e6f, &forward);
    moves_reader_number(reader, node, "back", -1e6f, 1e6f, &back);
    move.turn = (left - right) * (PLOY_PI_F / 180.0f);
    move.forward = forward - back;
    move.action = moves_reader_name(reader, node, "action");
    return move;
}

static ploy_moves_end moves_reader_end(moves_reader *reader, ploy_json_node pattern) {
    static const char *const ends[] = {"stop", "loop", "ping-pong"};
    ploy_json_node node = ploy_json_member(reader->doc, pattern, "end");
    if (ploy_json_type_of(reader->doc, node) == PLOY_JSON_NONE) return PLOY_MOVES_STOP;
    const char *text = ploy_json_text(reader->doc, node, NULL);
    for (int32_t i = 0; i < 3; i++) {
        bool is_text = ploy_json_type_of(reader->doc, node) == PLOY_JSON_TEXT;
        if (is_text && strcmp(text, ends[i]) == 0) return (ploy_moves_end)i;
    }
    moves_reader_fault(reader, node, "unknown end of a pattern", "stop, loop or ping-pong");
    return PLOY_MOVES_STOP;
}

static void moves_reader_pattern(moves_reader *reader, ploy_json_node node, int32_t index) {
    static const char *const keys[] = {"name", "weight", "end", "moves"};
    ploy_moves_file *file = reader->file;
    if (ploy_json_type_of(reader->doc, node) != PLOY_JSON_OBJECT) {
        moves_reader_fault(reader, node, "invalid pattern", "an object");
        return;
    }
    if (ploy_json_check_keys(reader->doc, node, keys, 4, reader->diags) > 0) {
        reader->result = PLOY_ERR_FORMAT;
    }
    file->names[index] = moves_reader_name(reader, node, "name");
    file->weights[index] = 1.0f;
    moves_reader_number(reader, node, "weight", 0.0f, 1e6f, &file->weights[index]);
    file->patterns[index].end = moves_reader_end(reader, node);
    if (file->names[index].hash == 0) {
        moves_reader_fault(reader, node, "pattern has no name", "a member 'name'");
    }
    ploy_json_node list = ploy_json_member(reader->doc, node, "moves");
    int32_t count = ploy_json_count(reader->doc, list);
    if (ploy_json_type_of(reader->doc, list) != PLOY_JSON_ARRAY || count == 0) {
        moves_reader_fault(reader, node, "pattern has no moves", "a list 'moves'");
        return;
    }
    ploy_move *moves = ploy_arena_alloc_array(file->arena, count, sizeof *moves);
    if (moves == NULL) {
        reader->result = PLOY_ERR_MEMORY;
        return;
    }
    for (int32_t i = 0; i < count && reader->result != PLOY_ERR_MEMORY; i++) {
        moves[i] = moves_reader_move(reader, ploy_json_at(reader->doc, list, i));
    }
    file->patterns[index].moves = moves;
    file->patterns[index].count = count;
}

static void moves_reader_root(moves_reader *reader) {
    static const char *const keys[] = {"patterns"};
    const ploy_json *doc = reader->doc;
    ploy_moves_file *file = reader->file;
    ploy_json_node root = ploy_json_root(doc), list = ploy_json_member(doc, root, "patterns");
    if (ploy_json_type_of(doc, root) != PLOY_JSON_OBJECT ||
        ploy_json_type_of(doc, list) != PLOY_JSON_ARRAY) {
        moves_reader_fault(reader, root, "file has no patterns",
                           "an object with a list 'patterns'");
        return;
    }
    if (ploy_json_check_keys(doc, root, keys, 1, reader->diags) > 0) {
        reader->result = PLOY_ERR_FORMAT;
    }
    file->count = ploy_json_count(doc, list);
    file->patterns = ploy_arena_alloc_array(file->arena, file->count, sizeof *file->patterns);
    file->weights = ploy_arena_alloc_array(file->arena, file->count, sizeof *file->weights);
    file->names = ploy_arena_alloc_array(file->arena, file->count, sizeof *file->names);
    bool room = file->patterns != NULL && file->weights != NULL && file->names != NULL;
    if (!room && file->count > 0) {
        reader->result = PLOY_ERR_MEMORY;
        return;
    }
    int64_t total = 0;
    for (int32_t i = 0; i < file->count; i++) {
        memset(&file->patterns[i], 0, sizeof file->patterns[i]);
        file->names[i].hash = 0;
    }
    for (int32_t i = 0; i < file->count && reader->result != PLOY_ERR_MEMORY; i++) {
        ploy_json_node node = ploy_json_at(doc, list, i);
        total += ploy_json_count(doc, ploy_json_member(doc, node, "moves"));
        if (total > PLOY_MOVES_FILE_MAX) {
            moves_reader_fault(reader, node, "too many moves", NULL);
            reader->result = PLOY_ERR_LIMIT;
            return;
        }
        moves_reader_pattern(reader, node, i);
    }
}

// Names differ: keeps (1).
static ploy_result moves_reader_names(moves_reader *reader) {
    const ploy_moves_file *file = reader->file;
    ploy_map seen;
    ploy_map_init(&seen, 0, &file->env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < file->count && result == PLOY_OK; i++) {
        bool again = ploy_map_has(&seen, file->names[i].hash);
        if (!again) result = ploy_map_put(&seen, file->names[i].hash, NULL);
        if (again) {
            ploy_json_node list =
                ploy_json_member(reader->doc, ploy_json_root(reader->doc), "patterns");
            moves_reader_fault(reader, ploy_json_at(reader->doc, list, i),
                               "duplicate name of a pattern", NULL);
        }
    }
    ploy_map_fini(&seen);
    return result;
}

ploy_result ploy_moves_file_load(const void *bytes, size_t size, const char *name,
                                 const ploy_env *env, ploy_diags *diags, ploy_moves_file **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, NULL, env, diags, &doc);
    if (result != PLOY_OK) return result;
    ploy_moves_file *file = ploy_env_alloc_zero(env, sizeof *file);
    result = file != NULL ? ploy_arena_create(0, 0, env, &file->arena) : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        file->env = *env;
        moves_reader reader = {doc, diags, file, PLOY_OK};
        moves_reader_root(&reader);
        if (reader.result == PLOY_OK) {
            result = moves_reader_names(&reader);
        }
        if (result == PLOY_OK) result = reader.result;
    }
    ploy_json_destroy(doc);
    if (result == PLOY_OK) {
        *out = file;
    } else if (file != NULL) {
        file->env = *env;
        ploy_moves_file_destroy(file);
    }
    return result;
}

void ploy_moves_file_destroy(ploy_moves_file *file) {
    if (file == NULL) return;
    ploy_env env = file->env;
    ploy_arena_destroy(file->arena);
    ploy_env_free(&env, file, sizeof *file);
}

int32_t ploy_moves_file_count(const ploy_moves_file *file) {
    return file->count;
}

ploy_moves ploy_moves_file_at(const ploy_moves_file *file, int32_t index) {
    ploy_moves none = {NULL, 0, PLOY_MOVES_STOP};
    return index >= 0 && index < file->count ? file->patterns[index] : none;
}

int32_t ploy_moves_file_find(const ploy_moves_file *file, const char *name) {
    ploy_name wanted = ploy_name_of(name);
    for (int32_t i = 0; i < file->count; i++) {
        if (file->names[i].hash == wanted.hash) return i;
    }
    return -1;
}

const float *ploy_moves_file_weights(const ploy_moves_file *file) {
    return file->weights;
}
