// Opening recording files: builds a recorder and fills its log, trusting nothing.
// docs/recording-format.md is the specification; recording_save.c writes.
//
// The first line is looked at first (is it a recording, and not a newer one?), then the last (is it
// whole and unchanged?), then everything from the beginning. The memory taken is bounded by the
// file's size and the simulation's own.
#include "ploy/inspect/recorder.h"

#include <stdio.h>
#include <string.h>

#include "inspect/recorder_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/json.h"
#include "ploy/base/number.h"

// One file while it is read. The document is that of the present line.
typedef struct recording_reader {
    const char *bytes;
    size_t size;
    size_t at; // where the next line begins
    int32_t line;
    const char *name;
    const ploy_env *env;
    ploy_diags *diags;      // the caller's, or NULL
    ploy_diags *line_diags; // of one line, whose positions know nothing of the file
    ploy_json *doc;
    ploy_json_node root;
    ploy_recorder *recorder;
    uint64_t last_tick; // of the inputs so far
    bool truncated;     // there is no end line: up to the last hash
    uint64_t end;
    uint64_t end_hash;
} recording_reader;

static ploy_result recording_fault_at(recording_reader *reader, ploy_result code, int32_t column,
                                      const char *message, const char *expected,
                                      const char *nearest) {
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, code, reader->name, reader->line, column,
                   message, expected, nearest);
    return code;
}

static ploy_result recording_fault(recording_reader *reader, ploy_json_node node,
                                   const char *message, const char *expected) {
    ploy_json_node where = ploy_json_is_none(node) ? reader->root : node;
    int32_t column = ploy_json_position_of(reader->doc, where).column;
    return recording_fault_at(reader, PLOY_ERR_FORMAT, column, message, expected, NULL);
}

// Passes on what a line's own reader found, with the file's line.
static ploy_result recording_pass_on(recording_reader *reader, ploy_result code, int32_t column) {
    for (int32_t i = 0; i < ploy_diags_count(reader->line_diags); i++) {
        const ploy_diag *diag = ploy_diags_get(reader->line_diags, i);
        ploy_diags_add(reader->diags, diag->severity, code, reader->name, reader->line,
                       diag->column > 0 ? diag->column : column, diag->message,
                       diag->expected[0] != 0 ? diag->expected : NULL,
                       diag->nearest[0] != 0 ? diag->nearest : NULL);
    }
    ploy_diags_clear(reader->line_diags);
    return code;
}

// Reads the line from `begin` up to and without its newline at `end`.
static ploy_result recording_read_line(recording_reader *reader, size_t begin, size_t end) {
    ploy_json_destroy(reader->doc);
    reader->doc = NULL;
    ploy_json_def def = ploy_json_def_default();
    def.max_kib = 1 << 20;
    ploy_result result = ploy_json_load(reader->bytes + begin, end - begin, reader->name, &def,
                                        reader->env, reader->line_diags, &reader->doc);
    if (result == PLOY_ERR_MEMORY) return result;
    if (result != PLOY_OK) return recording_pass_on(reader, result, 1);
    reader->root = ploy_json_root(reader->doc);
    if (ploy_json_type_of(reader->doc, reader->root) != PLOY_JSON_OBJECT) {
        return recording_fault(reader, reader->root, "expected an object on each line", "{");
    }
    return PLOY_OK;
}

static ploy_json_node recording_member(const recording_reader *reader, const char *key) {
    return ploy_json_member(reader->doc, reader->root, key);
}

static ploy_result recording_get_u64(recording_reader *reader, const char *key, uint64_t *out) {
    ploy_json_node node = recording_member(reader, key);
    if (ploy_json_type_of(reader->doc, node) == PLOY_JSON_NUMBER &&
        ploy_json_u64(reader->doc, node, out) == PLOY_OK) {
        return PLOY_OK;
    }
    char message[64];
    snprintf(message, sizeof message, "missing whole number '%s'", key);
    return recording_fault(reader, node, message, NULL);
}

// A text without zeros inside.
static const char *recording_get_text(const recording_reader *reader, const char *key) {
    ploy_json_node node = recording_member(reader, key);
    if (ploy_json_type_of(reader->doc, node) != PLOY_JSON_TEXT) return NULL;
    size_t size = 0;
    const char *text = ploy_json_text(reader->doc, node, &size);
    return strlen(text) == size ? text : NULL;
}

// Sixteen hexadecimal digits in small letters, and nothing else.
static bool recording_parse_hex(const char *text, uint64_t *out) {
    if (text == NULL || strlen(text) != 16) return false;
    for (int32_t i = 0; i < 16; i++) {
        bool digit = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
        if (!digit) return false;
    }
    return ploy_parse_hex64(text, 16, NULL, out) == PLOY_OK;
}

static ploy_result recording_get_hex(recording_reader *reader, const char *key, uint64_t *out) {
    if (recording_parse_hex(recording_get_text(reader, key), out)) return PLOY_OK;
    char message[64];
    snprintf(message, sizeof message, "missing hash '%s'", key);
    return recording_fault(reader, recording_member(reader, key), message, "16 hexadecimal digits");
}

static ploy_result recording_check_keys(recording_reader *reader, const char *const *keys,
                                        int32_t count) {
    if (ploy_json_check_keys(reader->doc, reader->root, keys, count, reader->line_diags) == 0) {
        return PLOY_OK;
    }
    return recording_pass_on(reader, PLOY_ERR_FORMAT, 1);
}

// The first line, as far as it says what the file is: before anything else, because a newer
// version may do everything else differently.
static ploy_result recording_read_version(recording_reader *reader) {
    const char *newline = reader->size > 0 ? memchr(reader->bytes, '\n', reader->size) : NULL;
    size_t end = newline != NULL ? (size_t)(newline - reader->bytes) : reader->size;
    static const char begin[] = "{\"ploy_recording\":";
    reader->line = 1;
    if (reader->size < sizeof begin || memcmp(reader->bytes, begin, sizeof begin - 1) != 0) {
        return recording_fault_at(reader, PLOY_ERR_FORMAT, 1, "invalid recording", begin, NULL);
    }
    if (newline == NULL) {
        return recording_fault_at(reader, PLOY_ERR_FORMAT, 1,
                                  "recording is truncated in its first line", NULL, NULL);
    }
    ploy_result result = recording_read_line(reader, 0, end);
    if (result != PLOY_OK) return result;
    uint64_t format = 0;
    result = recording_get_u64(reader, "ploy_recording", &format);
    if (result != PLOY_OK) return result;
    if (format > PLOYI_RECORDING_FORMAT) {
        char message[96];
        snprintf(message, sizeof message, "unsupported format %llu, this version reads up to %d",
                 (unsigned long long)format, PLOYI_RECORDING_FORMAT);
        return recording_fault_at(reader, PLOY_ERR_VERSION, 1, message, NULL, NULL);
    }
    if (format == 0) {
        return recording_fault(reader, recording_member(reader, "ploy_recording"),
                               "unsupported format 0", "1");
    }
    reader->at = end + 1;
    return PLOY_OK;
}

// Goes on without an end line.
static ploy_result recording_cut(recording_reader *reader) {
    reader->truncated = true;
    reader->end = UINT64_MAX;
    return PLOY_OK;
}

// The last line: proves that the file is whole and unchanged. Sets size to where it begins.
static ploy_result recording_read_end(recording_reader *reader) {
    int32_t lines = 0;
    size_t begin = 0;
    bool whole = reader->bytes[reader->size - 1] == '\n';
    for (size_t i = 0; i + 1 < reader->size; i++) {
        if (reader->bytes[i] != '\n') continue;
        begin = i + 1;
        if (lines < INT32_MAX) lines++;
    }
    reader->line = lines + 1;
    if (!whole) {
        // A run that was killed ends in the middle of a line. One with a checksum was whole once.
        static const char sum[] = "\"checksum\":\"";
        size_t left = reader->size - begin, length = sizeof sum - 1;
        for (size_t i = 0; i + length <= left; i++) {
            if (memcmp(reader->bytes + begin + i, sum, length) == 0) {
                return recording_fault_at(reader, PLOY_ERR_FORMAT, 1,
                                          "recording is truncated in its end line", NULL, NULL);
            }
        }
        reader->size = begin;
        return recording_cut(reader);
    }
    ploy_result result = recording_read_line(reader, begin, reader->size - 1);
    if (result != PLOY_OK) return result;
    if (ploy_json_is_none(recording_member(reader, "end"))) return recording_cut(reader);
    static const char *const keys[] = {"end", "hash", "lines", "checksum"};
    result = recording_check_keys(reader, keys, 4);
    if (result != PLOY_OK) return result;
    uint64_t checksum = 0, want_lines = 0;
    result = recording_get_hex(reader, "checksum", &checksum);
    if (result != PLOY_OK) return result;
    // Everything up to the key "checksum" is summed; what follows can only be what was written.
    size_t key = ploy_json_key_position(reader->doc, recording_member(reader, "checksum")).offset;
    char tail[48];
    snprintf(tail, sizeof tail, "\"checksum\":\"%016llx\"}\n", (unsigned long long)checksum);
    bool exact = reader->size - begin - key == strlen(tail) &&
                 memcmp(reader->bytes + begin + key, tail, strlen(tail)) == 0;
    if (!exact || ploy_hash_bytes(reader->bytes, begin + key, 0) != checksum) {
        return recording_fault(reader, recording_member(reader, "checksum"),
                               "recording was altered: wrong checksum", NULL);
    }
    result = recording_get_u64(reader, "lines", &want_lines);
    if (result != PLOY_OK) return result;
    if (want_lines != (uint64_t)lines) {
        return recording_fault(reader, recording_member(reader, "lines"),
                               "number of lines differs from the end line", NULL);
    }
    result = recording_get_u64(reader, "end", &reader->end);
    if (result != PLOY_OK) return result;
    result = recording_get_hex(reader, "hash", &reader->end_hash);
    reader->size = begin;
    return result;
}

// A value of a type that its own line names.
static ploy_result recording_read_value(recording_reader *reader, ploy_json_node node,
                                        ploy_value_type type, ploy_value *out) {
    const ploy_json *doc = reader->doc;
    bool text = ploy_json_type_of(doc, node) == PLOY_JSON_TEXT;
    size_t size = 0;
    const char *characters = text ? ploy_json_text(doc, node, &size) : "";
    text = text && strlen(characters) == size;
    ploy_value value = ploy_value_none();
    bool fine = false;
    float v[4] = {0, 0, 0, 0};
    switch (type) {
    case PLOY_VALUE_NONE: break;
    case PLOY_VALUE_BOOL:
        value = ploy_value_bool(false);
        fine = ploy_json_bool(doc, node, &value.as.b) == PLOY_OK;
        break;
    case PLOY_VALUE_I64:
        value = ploy_value_i64(0);
        fine = ploy_json_i64(doc, node, &value.as.i64) == PLOY_OK;
        break;
    case PLOY_VALUE_U64:
        value = ploy_value_u64(0);
        fine = ploy_json_u64(doc, node, &value.as.u64) == PLOY_OK;
        break;
    case PLOY_VALUE_F32:
        value = ploy_value_f32(0);
        fine = ploy_json_f32(doc, node, &value.as.f32) == PLOY_OK;
        break;
    case PLOY_VALUE_F64:
        value = ploy_value_f64(0);
        fine = ploy_json_f64(doc, node, &value.as.f64) == PLOY_OK;
        break;
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4: {
        int32_t count = 2 + (int32_t)type - (int32_t)PLOY_VALUE_VEC2;
        fine =
            ploy_json_type_of(doc, node) == PLOY_JSON_ARRAY && ploy_json_count(doc, node) == count;
        for (int32_t i = 0; fine && i < count; i++) {
            fine = ploy_json_f32(doc, ploy_json_at(doc, node, i), &v[i]) == PLOY_OK;
        }
        value = ploy_value_vec4(v[0], v[1], v[2], v[3]);
        value.type = type;
        break;
    }
    case PLOY_VALUE_ID: fine = text && ploy_value_parse(type, characters, &value) == PLOY_OK; break;
    case PLOY_VALUE_NAME:
        value = ploy_value_name(ploy_name_of(NULL));
        fine = text && recording_parse_hex(characters, &value.as.name.hash);
        break;
    case PLOY_VALUE_TEXT:
        value = ploy_value_text(characters);
        fine = text;
        break;
    }
    if (!fine) {
        return recording_fault(reader, node, "missing or wrong type of value",
                               ploy_value_type_text(type));
    }
    *out = value;
    return PLOY_OK;
}

static ploy_value_type recording_field_type(const ploy_field *field) {
    switch (field->type) {
    case PLOY_FIELD_TYPE_BOOL: return PLOY_VALUE_BOOL;
    case PLOY_FIELD_TYPE_I32: return PLOY_VALUE_I64;
    case PLOY_FIELD_TYPE_U64: return PLOY_VALUE_U64;
    case PLOY_FIELD_TYPE_F32: return PLOY_VALUE_F32;
    case PLOY_FIELD_TYPE_F64: return PLOY_VALUE_F64;
    case PLOY_FIELD_TYPE_ENUM: return PLOY_VALUE_TEXT;
    case PLOY_FIELD_TYPE_VEC2: return PLOY_VALUE_VEC2;
    case PLOY_FIELD_TYPE_VEC3: return PLOY_VALUE_VEC3;
    case PLOY_FIELD_TYPE_DEF: break;
    }
    return PLOY_VALUE_NONE;
}

static ploy_result recording_read_params(recording_reader *reader, ploy_fields fields,
                                         void *params) {
    ploy_json_node node = recording_member(reader, "params");
    int32_t count = ploy_json_count(reader->doc, node);
    if (ploy_json_type_of(reader->doc, node) != PLOY_JSON_OBJECT ||
        count != ploy_fields_leaf_count(fields)) {
        return recording_fault(reader, node, "'params' must contain every parameter", NULL);
    }
    ploy_fields_default(fields, params);
    for (int32_t i = 0; i < count; i++) {
        ploy_json_node item = ploy_json_at(reader->doc, node, i);
        const char *path = ploy_json_key(reader->doc, item, NULL);
        const ploy_field *field = ploy_fields_find(fields, path, NULL);
        ploy_value value = ploy_value_none();
        if (field != NULL && field->type != PLOY_FIELD_TYPE_DEF) {
            ploy_result result =
                recording_read_value(reader, item, recording_field_type(field), &value);
            if (result != PLOY_OK) return result;
        }
        // Unknown names and ranges are the field table's to report.
        if (ploy_fields_set(fields, params, path, &value, reader->line_diags) != PLOY_OK) {
            int32_t column = ploy_json_position_of(reader->doc, item).column;
            return recording_pass_on(reader, PLOY_ERR_FORMAT, column);
        }
    }
    return PLOY_OK;
}

// Another release of an interpreter executes other instructions, so budgets end in other places.
static ploy_result recording_check_runtime(recording_reader *reader, const ploy_sim_type *type) {
    ploy_json_node node = recording_member(reader, "runtime");
    bool given = !ploy_json_is_none(node);
    const char *recorded = recording_get_text(reader, "runtime");
    const char *own = type->runtime != NULL ? type->runtime() : NULL;
    if (given && recorded == NULL)
        return recording_fault(reader, node, "invalid 'runtime'", "text");
    if (!given && own == NULL) return PLOY_OK;
    if (given && own != NULL && strcmp(recorded, own) == 0) return PLOY_OK;
    char message[512];
    snprintf(message, sizeof message, "recording was made with %s, this program has %s",
             given ? recorded : "no interpreter", own != NULL ? own : "no interpreter");
    int32_t column = given ? ploy_json_position_of(reader->doc, node).column : 1;
    return recording_fault_at(reader, PLOY_ERR_VERSION, column, message, NULL, NULL);
}

// The first line again, for the simulation in it.
static ploy_result recording_read_header(recording_reader *reader,
                                         const ploy_sim_type *const *types,
                                         const ploy_recorder_def *def, const ploy_jobs *jobs) {
    reader->line = 1;
    ploy_result result = recording_read_line(reader, 0, reader->at - 1);
    if (result != PLOY_OK) return result;
    static const char *const keys[] = {"ploy_recording", "ploy",       "sim",    "type_hash",
                                       "seed",           "hash_every", "params", "runtime"};
    result = recording_check_keys(reader, keys, 8);
    if (result != PLOY_OK) return result;
    const char *sim = recording_get_text(reader, "sim");
    if (sim == NULL || recording_get_text(reader, "ploy") == NULL) {
        return recording_fault(reader, recording_member(reader, "sim"),
                               "missing text 'ploy' or 'sim'", NULL);
    }
    const char *nearest = NULL;
    const ploy_sim_type *type = ploy_sim_type_find(types, sim, &nearest);
    int32_t sim_column = ploy_json_position_of(reader->doc, recording_member(reader, "sim")).column;
    if (type == NULL) {
        char message[512]; // longer than is kept: the diagnostics cut between characters
        snprintf(message, sizeof message, "unknown simulation '%s'", sim);
        return recording_fault_at(reader, PLOY_ERR_NOT_FOUND, sim_column, message, NULL, nearest);
    }
    uint64_t type_hash = 0, hash_every = 0;
    result = recording_get_hex(reader, "type_hash", &type_hash);
    if (result != PLOY_OK) return result;
    if (type_hash != ploy_sim_type_hash(type)) {
        char message[512];
        snprintf(message, sizeof message,
                 "recording is for another version of '%s' (written by ploy %s)", type->name,
                 recording_get_text(reader, "ploy"));
        return recording_fault_at(reader, PLOY_ERR_VERSION, sim_column, message, NULL, NULL);
    }
    result = recording_check_runtime(reader, type);
    if (result != PLOY_OK) return result;
    ploy_recorder_def own = *def;
    result = recording_get_u64(reader, "seed", &own.sim.seed);
    if (result != PLOY_OK) return result;
    result = recording_get_u64(reader, "hash_every", &hash_every);
    if (result != PLOY_OK) return result;
    own.hash_every = hash_every <= INT32_MAX ? (int32_t)hash_every : 0;
    if (ploy_fields_check_diags(ploy_recorder_fields(), &own, reader->name, reader->line_diags) !=
        PLOY_OK) {
        return recording_pass_on(reader, PLOY_ERR_FORMAT, 1);
    }
    ploy_fields fields = type->fields();
    void *params = ploy_env_alloc_zero(reader->env, fields.size);
    if (params == NULL) return PLOY_ERR_MEMORY;
    result = recording_read_params(reader, fields, params);
    if (result == PLOY_OK) {
        result = ploy_recorder_create(&own, type, params, jobs, reader->env, &reader->recorder);
        if (result != PLOY_OK && result != PLOY_ERR_MEMORY) {
            recording_fault_at(reader, result, 1, "cannot start the simulation", NULL, NULL);
        }
    }
    ploy_env_free(reader->env, params, fields.size);
    return result;
}

static int32_t recording_hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

// Decodes hexadecimal digits to new memory of half their number.
static ploy_result recording_read_bytes(recording_reader *reader, ploy_input *input,
                                        unsigned char **block) {
    ploy_json_node node = recording_member(reader, "bytes");
    size_t size = 0;
    const char *text = ploy_json_text(reader->doc, node, &size);
    bool fine = ploy_json_type_of(reader->doc, node) == PLOY_JSON_TEXT && size % 2 == 0;
    for (size_t i = 0; fine && i < size; i++) fine = recording_hex_digit(text[i]) >= 0;
    if (!fine) {
        return recording_fault(reader, node, "missing or invalid 'bytes'",
                               "pairs of hexadecimal digits");
    }
    input->size = size / 2;
    if (input->size == 0) return PLOY_OK;
    *block = ploy_env_alloc(reader->env, input->size);
    if (*block == NULL) return PLOY_ERR_MEMORY;
    for (size_t i = 0; i < input->size; i++) {
        int32_t high = recording_hex_digit(text[2 * i]);
        int32_t low = recording_hex_digit(text[2 * i + 1]);
        (*block)[i] = (unsigned char)(high * 16 + low);
    }
    input->bytes = *block;
    return PLOY_OK;
}

static bool recording_find_kind(const char *text, ploy_input_kind *out) {
    for (int32_t i = PLOY_INPUT_PARAMETER; i <= PLOY_INPUT_UNITS; i++) {
        if (strcmp(text, ploy_input_kind_text((ploy_input_kind)i)) != 0) continue;
        *out = (ploy_input_kind)i;
        return true;
    }
    return false;
}

static bool recording_find_type(const char *text, ploy_value_type *out) {
    for (int32_t i = PLOY_VALUE_BOOL; i <= PLOY_VALUE_TEXT; i++) {
        if (strcmp(text, ploy_value_type_text((ploy_value_type)i)) != 0) continue;
        *out = (ploy_value_type)i;
        return true;
    }
    return false;
}

// Reads what an input consists of, without its bytes.
static ploy_result recording_read_fields(recording_reader *reader, ploy_input *input) {
    const char *kind = recording_get_text(reader, "kind");
    if (kind == NULL || !recording_find_kind(kind, &input->kind)) {
        return recording_fault(reader, recording_member(reader, "kind"),
                               "missing or unknown 'kind'", "parameter, command, reload or units");
    }
    input->name = recording_get_text(reader, "name");
    if (input->name == NULL) {
        return recording_fault(reader, recording_member(reader, "name"), "missing text 'name'",
                               NULL);
    }
    ploy_json_node agent = recording_member(reader, "agent");
    if (!ploy_json_is_none(agent)) {
        ploy_value id;
        ploy_result result = recording_read_value(reader, agent, PLOY_VALUE_ID, &id);
        if (result != PLOY_OK) return result;
        input->agent.id = id.as.id;
    }
    ploy_json_node type_node = recording_member(reader, "type");
    ploy_json_node value_node = recording_member(reader, "value");
    if (ploy_json_is_none(type_node) && ploy_json_is_none(value_node)) return PLOY_OK;
    const char *type_text = recording_get_text(reader, "type");
    ploy_value_type type = PLOY_VALUE_NONE;
    if (type_text == NULL || !recording_find_type(type_text, &type)) {
        return recording_fault(reader, type_node, "missing or unknown 'type'",
                               "bool, i64, u64, f32, f64, vec2, vec3, vec4, id, name or text");
    }
    return recording_read_value(reader, value_node, type, &input->value);
}

static ploy_result recording_read_input(recording_reader *reader, uint64_t tick) {
    static const char *const keys[] = {"t", "kind", "name", "agent", "type", "value", "bytes"};
    ploy_result result = recording_check_keys(reader, keys, 7);
    if (result != PLOY_OK) return result;
    ploy_recorder *recorder = reader->recorder;
    uint64_t hashes = tick / (uint64_t)recorder->def.hash_every + 1;
    if (tick < reader->last_tick || tick > reader->end ||
        hashes != (uint64_t)recorder->hash_count) {
        return recording_fault(reader, recording_member(reader, "t"), "input is out of order",
                               NULL);
    }
    if (recorder->input_count >= recorder->def.max_inputs) {
        return recording_fault_at(reader, PLOY_ERR_LIMIT, 1, "too many inputs in the recording",
                                  NULL, NULL);
    }
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.value = ploy_value_none();
    result = recording_read_fields(reader, &input);
    if (result != PLOY_OK) return result;
    unsigned char *block = NULL;
    bool reload = input.kind == PLOY_INPUT_RELOAD;
    if (reload != !ploy_json_is_none(recording_member(reader, "bytes"))) {
        return recording_fault(reader, reader->root,
                               "'bytes' must be present in a reload and only there", NULL);
    }
    if (reload) result = recording_read_bytes(reader, &input, &block);
    if (result == PLOY_OK) {
        result = ploy_sim_check_input(recorder->sim, &input, reader->line_diags);
        if (result != PLOY_OK && result != PLOY_ERR_MEMORY) {
            result = recording_pass_on(reader, PLOY_ERR_FORMAT, 1);
        }
    }
    if (result == PLOY_OK) result = ployi_recorder_append_input(recorder, tick, &input);
    ploy_env_free(reader->env, block, input.size);
    reader->last_tick = tick;
    return result;
}

static ploy_result recording_read_hash(recording_reader *reader, uint64_t tick) {
    static const char *const keys[] = {"t", "hash"};
    ploy_result result = recording_check_keys(reader, keys, 2);
    if (result != PLOY_OK) return result;
    uint64_t hash = 0;
    result = recording_get_hex(reader, "hash", &hash);
    if (result != PLOY_OK) return result;
    ploy_recorder *recorder = reader->recorder;
    // The recorder has hashed tick 0 itself; the file's must be the same.
    if (tick == 0 && reader->line == 2) {
        if (recorder->hashes[0] == hash) return PLOY_OK;
        return recording_fault_at(reader, PLOY_ERR_VERSION, 1,
                                  "initial state differs from the recorded one", NULL, NULL);
    }
    uint64_t due = (uint64_t)recorder->hash_count * (uint64_t)recorder->def.hash_every;
    if (tick != due || tick > reader->end) {
        return recording_fault(reader, recording_member(reader, "t"), "hash is out of order", NULL);
    }
    return ployi_recorder_append_hash(recorder, hash);
}

static ploy_result recording_read_body(recording_reader *reader) {
    while (reader->at < reader->size) {
        reader->line++;
        const char *begin = reader->bytes + reader->at;
        const char *newline = memchr(begin, '\n', reader->size - reader->at);
        size_t end = reader->at + (size_t)(newline - begin); // every line before the last has one
        ploy_result result = recording_read_line(reader, reader->at, end);
        if (result != PLOY_OK) return result;
        uint64_t tick = 0;
        result = recording_get_u64(reader, "t", &tick);
        if (result != PLOY_OK) return result;
        bool is_hash = !ploy_json_is_none(recording_member(reader, "hash"));
        if (reader->line == 2 && !(is_hash && tick == 0)) {
            return recording_fault(reader, reader->root, "missing hash of tick 0", NULL);
        }
        result = is_hash ? recording_read_hash(reader, tick) : recording_read_input(reader, tick);
        if (result != PLOY_OK) return result;
        reader->at = end + 1;
    }
    ploy_recorder *recorder = reader->recorder;
    uint64_t every = (uint64_t)recorder->def.hash_every;
    if (reader->truncated) {
        if (reader->line < 2) {
            return recording_fault_at(reader, PLOY_ERR_FORMAT, 1,
                                      "recording is truncated before its first hash", NULL, NULL);
        }
        reader->end = (uint64_t)(recorder->hash_count - 1) * every;
        reader->end_hash = recorder->hashes[recorder->hash_count - 1];
        ployi_recorder_cut_inputs(recorder, reader->end);
        char message[96];
        snprintf(message, sizeof message, "recording is truncated, opened up to tick %llu",
                 (unsigned long long)reader->end);
        ploy_diags_add(reader->diags, PLOY_SEVERITY_WARNING, PLOY_OK, reader->name, reader->line, 1,
                       message, NULL, NULL);
    }
    bool complete = reader->line >= 2 && reader->end / every + 1 == (uint64_t)recorder->hash_count;
    bool agrees = reader->end % every != 0 ||
                  (complete && recorder->hashes[recorder->hash_count - 1] == reader->end_hash);
    reader->line++;
    if (!complete || !agrees) {
        return recording_fault_at(reader, PLOY_ERR_FORMAT, 1, "final hash is missing or differs",
                                  NULL, NULL);
    }
    recorder->end = reader->end;
    recorder->end_hash = reader->end_hash;
    recorder->end_hash_known = true;
    return PLOY_OK;
}

ploy_result ploy_recorder_load(const void *bytes, size_t size, const char *name,
                               const ploy_sim_type *const *types, const ploy_recorder_def *def,
                               const ploy_jobs *jobs, const ploy_env *env, ploy_diags *diags,
                               ploy_recorder **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || types == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ploy_recorder_def own = ploy_recorder_def_default();
    if (def != NULL) {
        ploy_result result = ploy_fields_check(ploy_recorder_fields(), def, env);
        if (result != PLOY_OK) return result;
        own = *def;
    }
    recording_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.bytes = bytes;
    reader.size = size;
    reader.name = name != NULL ? name : "";
    reader.env = env;
    reader.diags = diags;
    ploy_result result = ploy_diags_create(8, env, &reader.line_diags);
    if (result == PLOY_OK) result = recording_read_version(&reader);
    if (result == PLOY_OK) result = recording_read_end(&reader);
    if (result == PLOY_OK) result = recording_read_header(&reader, types, &own, jobs);
    if (result == PLOY_OK) result = recording_read_body(&reader);
    ploy_json_destroy(reader.doc);
    ploy_diags_destroy(reader.line_diags);
    if (result != PLOY_OK) {
        ploy_recorder_destroy(reader.recorder);
        return result;
    }
    *out = reader.recorder;
    return PLOY_OK;
}
