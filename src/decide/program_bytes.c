// Code as bytes, and its verifier; see program_internal.h for what it checks.
//
// Format: "PLYP", version, def, monitor, then each array: its count and its items, field by field,
// little-endian. Hosts and keys are saved by name and bound to the scope when loaded.
#include <string.h>

#include "decide/decide_internal.h"
#include "decide/program_internal.h"

enum { BYTES_VERSION = 2, BYTES_COUNT_MAX = 1 << 20 };

// ---- verifying

static bool verify_operand(const ployi_code *code, const ployi_program_function *function,
                           const ployi_instruction *at, int32_t operand) {
    const uint16_t values[3] = {at->a, at->b, at->c};
    uint32_t value = values[operand];
    switch (ployi_op_rows[at->op].format[operand]) {
    case '-':
    case 'c': return true; // windows are checked with what they call
    case 'k': return value < (uint32_t)code->consts.count;
    case 't': return value < (uint32_t)code->texts.count;
    case 'K': return value < (uint32_t)code->keys.count;
    case 'g': return value + at->w <= (uint32_t)code->initial.count;
    case 'f': return value < (uint32_t)code->functions.count;
    case 'h': return value < (uint32_t)code->hosts.count;
    case 'B': return value < PLOYI_BUILTIN_COUNT;
    case 'n': return value < (uint32_t)code->lists.count;
    case 'j': return value < (uint32_t)function->count;
    case 'W': return false; // only expressions have words, and they are not saved
    default: return value + (uint32_t)ployi_op_slots(code, at, operand) <= function->frame;
    }
}

// Whether a window of a call is inside the frame.
static bool verify_window(const ployi_code *code, const ployi_program_function *function,
                          const ployi_instruction *at) {
    int32_t needs = 0, result = 0;
    if (at->op == PLOYI_OP_CALL) {
        const ployi_program_function *callee =
            &PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function)[at->b];
        needs = 1 + callee->params;
        result = callee->result;
    } else if (at->op == PLOYI_OP_HOST) {
        const ployi_host *host = &PLOY_ARRAY_ITEMS(&code->hosts, ployi_host)[at->b];
        for (int32_t i = 0; i < host->count; i++) needs += ployi_kind_slots(host->args[i]);
        result = ployi_kind_slots(host->result);
    } else {
        const struct ployi_builtin_row *row = &ployi_builtins[at->b];
        for (int32_t i = 0; i < row->count; i++) needs += ployi_kind_slots(row->args[i]);
        result = ployi_kind_slots(row->result);
    }
    return at->a + (needs > result ? needs : result) <= function->frame;
}

static bool verify_instruction(const ployi_code *code, int32_t index,
                               const ployi_program_function *function,
                               const ployi_instruction *at) {
    if (at->op >= PLOYI_OP_COUNT) return false;
    for (int32_t i = 0; i < 3; i++) {
        if (!verify_operand(code, function, at, i)) return false;
    }
    switch ((ployi_op)at->op) {
    case PLOYI_OP_CALL: return at->b > 0 && verify_window(code, function, at);
    case PLOYI_OP_HOST:
    case PLOYI_OP_BUILTIN: return verify_window(code, function, at);
    case PLOYI_OP_RETURN: return at->w == function->result || (index == 0 && at->w == 0);
    case PLOYI_OP_VADD:
    case PLOYI_OP_VSUB:
    case PLOYI_OP_VMUL:
    case PLOYI_OP_VDIV:
    case PLOYI_OP_VNEG: return at->w == 2 || at->w == 3;
    case PLOYI_OP_VGET:
    case PLOYI_OP_VSET: return at->w < 3;
    case PLOYI_OP_INDEX:
    case PLOYI_OP_SETINDEX:
    case PLOYI_OP_PUSH:
    case PLOYI_OP_POP:
    case PLOYI_OP_COUNT_:
    case PLOYI_OP_CLEAR: {
        uint16_t owner = PLOY_ARRAY_ITEMS(&code->lists, ployi_list)[at->b].owner;
        return owner == 0 || owner == index + 1;
    }
    default: return true;
    }
}

static bool verify_text(const ployi_code *code, uint32_t text) {
    return text < (uint32_t)code->texts.count;
}

static bool verify_tables(const ployi_code *code) {
    const ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function);
    const char *texts = PLOY_ARRAY_ITEMS(&code->texts, char);
    if (code->functions.count < 1 || code->functions.count > UINT16_MAX || code->texts.count < 1 ||
        texts[code->texts.count - 1] != 0 || code->initial.count > PLOYI_SLOTS_MAX) {
        return false;
    }
    for (int32_t i = 0; i < code->lists.count; i++) {
        const ployi_list *list = &PLOY_ARRAY_ITEMS(&code->lists, ployi_list)[i];
        int32_t end = list->base + 1 + list->capacity * list->width;
        if (list->owner > code->functions.count || list->capacity == 0 || list->width == 0) {
            return false;
        }
        if (end > (list->owner == 0 ? code->initial.count : functions[list->owner - 1].frame)) {
            return false;
        }
    }
    for (int32_t i = 0; i < code->variables.count; i++) {
        const ployi_program_variable *at =
            &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[i];
        if (at->owner < -1 || at->owner >= code->functions.count || !verify_text(code, at->name) ||
            at->kind > PLOYI_PROGRAM_TYPE_VOID || at->width < ployi_kind_slots(at->kind) ||
            at->slot + at->width >
                (at->owner < 0 ? code->initial.count : functions[at->owner].frame)) {
            return false;
        }
    }
    for (int32_t i = 0; i < code->statements.count; i++) {
        const ployi_statement *at = &PLOY_ARRAY_ITEMS(&code->statements, ployi_statement)[i];
        if (at->pc < 0 || at->pc > code->instructions.count || (i > 0 && at->pc < at[-1].pc) ||
            at->end < 0 || !verify_text(code, at->text)) {
            return false;
        }
    }
    return true;
}

bool ployi_code_verify(const ployi_code *code, int32_t stack) {
    const ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function);
    const ployi_instruction *all = PLOY_ARRAY_ITEMS(&code->instructions, ployi_instruction);
    if (!verify_tables(code) || functions[0].frame + 1 > stack || functions[0].params != 0) {
        return false;
    }
    int32_t first = 0; // functions are side by side
    for (int32_t i = 0; i < code->functions.count; i++) {
        const ployi_program_function *function = &functions[i];
        if (function->first != first || function->count < 1 || function->count > UINT16_MAX ||
            function->count > code->instructions.count - first || function->frame < 1 ||
            function->frame < function->params || function->result > 240 ||
            function->result + 1 > stack || function->result_type > PLOYI_PROGRAM_TYPE_VOID ||
            !verify_text(code, function->name) ||
            function->result < ployi_kind_slots(function->result_type)) {
            return false;
        }
        for (int32_t k = 0; k < function->count; k++) {
            if (!verify_instruction(code, i, function, &all[first + k])) return false;
        }
        uint8_t last = all[first + function->count - 1].op;
        if (last != PLOYI_OP_RETURN && last != PLOYI_OP_JUMP) return false;
        first += function->count;
    }
    return first == code->instructions.count;
}

// ---- writing and reading

// One stream for both directions, so that the format is written down once.
typedef struct bytes_stream {
    ploy_writer *out; // or NULL: reading
    const uint8_t *at, *end;
    bool broken;
} bytes_stream;

static uint64_t bytes_value(bytes_stream *stream, uint64_t value, int32_t size) {
    uint8_t raw[8];
    if (stream->out != NULL) {
        for (int32_t i = 0; i < size; i++) raw[i] = (uint8_t)(value >> (8 * i));
        ploy_write_bytes(stream->out, raw, (size_t)size);
        return value;
    }
    if (stream->end - stream->at < size) {
        stream->broken = true;
        return 0;
    }
    value = 0;
    for (int32_t i = 0; i < size; i++) value |= (uint64_t)stream->at[i] << (8 * i);
    stream->at += size;
    return value;
}

#define BYTES_FIELD(stream, field, type, size) \
    (field) = (type)bytes_value((stream), (uint64_t)(field), (size))

// The length of an array; makes room for it when reading.
static int32_t bytes_count(bytes_stream *stream, ploy_array *array, int32_t least) {
    uint64_t count = bytes_value(stream, (uint64_t)array->count, 4);
    if (stream->out != NULL) return array->count;
    if (stream->broken || count > BYTES_COUNT_MAX ||
        count > (uint64_t)(stream->end - stream->at) / (uint64_t)least) {
        stream->broken = true;
        return 0;
    }
    if (ploy_array_resize(array, (int32_t)count) != PLOY_OK) return -1;
    if (count > 0) memset(array->items, 0, (size_t)count * array->item_size);
    return (int32_t)count;
}

static ploy_result bytes_code(bytes_stream *stream, ployi_code *code) {
    int32_t count = bytes_count(stream, &code->instructions, 8);
    for (int32_t i = 0; i < count; i++) {
        ployi_instruction *at = &PLOY_ARRAY_ITEMS(&code->instructions, ployi_instruction)[i];
        BYTES_FIELD(stream, at->op, uint8_t, 1);
        BYTES_FIELD(stream, at->w, uint8_t, 1);
        BYTES_FIELD(stream, at->a, uint16_t, 2);
        BYTES_FIELD(stream, at->b, uint16_t, 2);
        BYTES_FIELD(stream, at->c, uint16_t, 2);
    }
    if (count >= 0) count = bytes_count(stream, &code->consts, 8);
    for (int32_t i = 0; i < count; i++) {
        ployi_program_slot *at = &PLOY_ARRAY_ITEMS(&code->consts, ployi_program_slot)[i];
        BYTES_FIELD(stream, at->u, uint64_t, 8);
    }
    if (count >= 0) count = bytes_count(stream, &code->texts, 1);
    for (int32_t i = 0; i < count; i++) {
        char *at = &PLOY_ARRAY_ITEMS(&code->texts, char)[i];
        *at = (char)(uint8_t)bytes_value(stream, (uint8_t)*at, 1);
    }
    if (count >= 0) count = bytes_count(stream, &code->keys, 5);
    for (int32_t i = 0; i < count; i++) {
        ployi_key *at = &PLOY_ARRAY_ITEMS(&code->keys, ployi_key)[i];
        BYTES_FIELD(stream, at->name, uint32_t, 4);
        BYTES_FIELD(stream, at->type, uint8_t, 1);
    }
    if (count >= 0) count = bytes_count(stream, &code->functions, 19);
    for (int32_t i = 0; i < count; i++) {
        ployi_program_function *at = &PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function)[i];
        BYTES_FIELD(stream, at->name, uint32_t, 4);
        BYTES_FIELD(stream, at->first, int32_t, 4);
        BYTES_FIELD(stream, at->count, int32_t, 4);
        BYTES_FIELD(stream, at->frame, uint16_t, 2);
        BYTES_FIELD(stream, at->params, uint16_t, 2);
        BYTES_FIELD(stream, at->result, uint16_t, 2);
        BYTES_FIELD(stream, at->result_type, uint8_t, 1);
    }
    if (count >= 0) count = bytes_count(stream, &code->statements, 28);
    for (int32_t i = 0; i < count; i++) {
        ployi_statement *at = &PLOY_ARRAY_ITEMS(&code->statements, ployi_statement)[i];
        BYTES_FIELD(stream, at->pc, int32_t, 4);
        BYTES_FIELD(stream, at->line, int32_t, 4);
        BYTES_FIELD(stream, at->column, int32_t, 4);
        BYTES_FIELD(stream, at->id, uint64_t, 8);
        BYTES_FIELD(stream, at->end, int32_t, 4);
        BYTES_FIELD(stream, at->text, uint32_t, 4);
    }
    if (count >= 0) count = bytes_count(stream, &code->variables, 29);
    for (int32_t i = 0; i < count; i++) {
        ployi_program_variable *at = &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[i];
        BYTES_FIELD(stream, at->name, uint32_t, 4);
        BYTES_FIELD(stream, at->owner, int32_t, 4);
        BYTES_FIELD(stream, at->from, int32_t, 4);
        BYTES_FIELD(stream, at->to, int32_t, 4);
        BYTES_FIELD(stream, at->type, uint64_t, 8);
        BYTES_FIELD(stream, at->slot, uint16_t, 2);
        BYTES_FIELD(stream, at->width, uint16_t, 2);
        BYTES_FIELD(stream, at->kind, uint8_t, 1);
    }
    if (count >= 0) count = bytes_count(stream, &code->lists, 8);
    for (int32_t i = 0; i < count; i++) {
        ployi_list *at = &PLOY_ARRAY_ITEMS(&code->lists, ployi_list)[i];
        BYTES_FIELD(stream, at->base, uint16_t, 2);
        BYTES_FIELD(stream, at->capacity, uint16_t, 2);
        BYTES_FIELD(stream, at->width, uint16_t, 2);
        BYTES_FIELD(stream, at->owner, uint16_t, 2);
    }
    if (count >= 0) count = bytes_count(stream, &code->hosts, 10);
    for (int32_t i = 0; i < count; i++) {
        ployi_host *at = &PLOY_ARRAY_ITEMS(&code->hosts, ployi_host)[i];
        BYTES_FIELD(stream, at->name, uint32_t, 4);
        for (int32_t k = 0; k < PLOY_PROGRAM_ARGS_MAX; k++) {
            BYTES_FIELD(stream, at->args[k], uint8_t, 1);
        }
        BYTES_FIELD(stream, at->count, uint8_t, 1);
        BYTES_FIELD(stream, at->result, uint8_t, 1);
    }
    if (count >= 0) count = bytes_count(stream, &code->initial, 8);
    for (int32_t i = 0; i < count; i++) {
        ployi_program_slot *at = &PLOY_ARRAY_ITEMS(&code->initial, ployi_program_slot)[i];
        BYTES_FIELD(stream, at->u, uint64_t, 8);
    }
    return count < 0 ? PLOY_ERR_MEMORY : PLOY_OK;
}

static void bytes_head(bytes_stream *stream, ploy_program_def *def, bool *monitor) {
    uint8_t flags = (uint8_t)((def->optimize ? 1 : 0) | (*monitor ? 2 : 0));
    BYTES_FIELD(stream, def->stack, int32_t, 4);
    BYTES_FIELD(stream, def->step_units, int32_t, 4);
    BYTES_FIELD(stream, flags, uint8_t, 1);
    def->optimize = (flags & 1) != 0;
    *monitor = (flags & 2) != 0;
}

ploy_result ploy_program_save(const ploy_program *program, ploy_writer *out) {
    if (program == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    bytes_stream stream = {out, NULL, NULL, false};
    ploy_program_def def = program->def;
    bool monitor = program->monitor;
    ployi_code code = program->code; // only read
    ploy_write_bytes(out, "PLYP", 4);
    (void)bytes_value(&stream, BYTES_VERSION, 4);
    bytes_head(&stream, &def, &monitor);
    (void)bytes_code(&stream, &code);
    return ploy_writer_result(out);
}

static ploy_result bytes_fault(const ploy_program *program, ploy_diags *diags, ploy_result code,
                               const char *what, const char *name, const char *nearest) {
    char message[PLOY_DIAG_TEXT_MAX];
    ployi_build_join(what, name, message);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, code, program->name, 0, 0, message, NULL, nearest);
    return code;
}

// Finds the host functions and keys of the scope by their names.
static ploy_result bytes_bind(ploy_program *program, ploy_diags *diags) {
    ploy_result result = PLOY_OK;
    const ploy_program_scope *scope = &program->scope;
    for (int32_t i = 0; i < program->code.hosts.count; i++) {
        ployi_host *host = &PLOY_ARRAY_ITEMS(&program->code.hosts, ployi_host)[i];
        const char *name = ployi_code_text(&program->code, host->name);
        ploy_nearest nearest = ploy_nearest_make(name);
        ployi_host found;
        memset(&found, 0, sizeof found);
        for (int32_t k = 0; k < scope->host_count && host->fn == NULL; k++) {
            const ploy_program_host *of = &scope->hosts[k];
            if (of->name == NULL || of->fn == NULL || of->cost < 0) continue;
            ploy_nearest_offer(&nearest, of->name);
            if (strcmp(of->name, name) != 0) continue;
            if (!ployi_host_parse(of->signature, &found) || found.count != host->count ||
                found.result != host->result || memcmp(found.args, host->args, host->count) != 0) {
                result = bytes_fault(program, diags, PLOY_ERR_ARGUMENT,
                                     "wrong signature of host function", name, NULL);
            }
            host->fn = of->fn;
            host->user = of->user;
            host->cost = of->cost;
        }
        if (host->fn == NULL) {
            result = bytes_fault(program, diags, PLOY_ERR_NOT_FOUND, "unknown host function", name,
                                 nearest.best);
        }
    }
    for (int32_t i = 0; i < program->code.keys.count; i++) {
        ployi_key *key = &PLOY_ARRAY_ITEMS(&program->code.keys, ployi_key)[i];
        const char *name = ployi_code_text(&program->code, key->name);
        if (scope->layout != NULL) key->slot = ploy_blackboard_layout_find(scope->layout, name);
        if (ploy_slot_is_none(key->slot)) {
            result = bytes_fault(program, diags, PLOY_ERR_NOT_FOUND, "unknown key", name, NULL);
        } else if (ploy_blackboard_layout_type(scope->layout, key->slot) !=
                   (ploy_value_type)key->type) {
            result =
                bytes_fault(program, diags, PLOY_ERR_ARGUMENT, "wrong type of key", name, NULL);
        }
    }
    return result;
}

// Names of hosts and keys must be texts before they are looked up.
static bool bytes_names(const ployi_code *code) {
    const char *texts = PLOY_ARRAY_ITEMS(&code->texts, char);
    if (code->texts.count < 1 || texts[code->texts.count - 1] != 0) return false;
    for (int32_t i = 0; i < code->hosts.count; i++) {
        const ployi_host *host = &PLOY_ARRAY_ITEMS(&code->hosts, ployi_host)[i];
        if (!verify_text(code, host->name) || host->count > PLOY_PROGRAM_ARGS_MAX) return false;
        for (int32_t k = 0; k < host->count; k++) {
            if (host->args[k] > PLOYI_PROGRAM_TYPE_VEC3) return false;
        }
        if (host->result > PLOYI_PROGRAM_TYPE_VOID) return false;
    }
    for (int32_t i = 0; i < code->keys.count; i++) {
        const ployi_key *key = &PLOY_ARRAY_ITEMS(&code->keys, ployi_key)[i];
        if (!verify_text(code, key->name) || key->type > PLOY_VALUE_TEXT ||
            key->type == PLOY_VALUE_VEC4 || key->type == PLOY_VALUE_NONE) {
            return false;
        }
    }
    return true;
}

ploy_result ploy_program_load(const void *bytes, size_t size, const char *name,
                              const ploy_program_scope *scope, const ploy_env *env,
                              ploy_diags *diags, ploy_program **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if ((bytes == NULL && size > 0) || env == NULL) return PLOY_ERR_ARGUMENT;
    bytes_stream stream = {NULL, bytes, (const uint8_t *)bytes + size, false};
    ploy_program_def def = ploy_program_def_default();
    ploy_program *program = NULL;
    ploy_result result = ployi_program_make(&def, name, scope, env, &program);
    if (result != PLOY_OK) return result;
    bool known = size >= 8 && memcmp(bytes, "PLYP", 4) == 0;
    if (known) stream.at += 4;
    known = known && bytes_value(&stream, 0, 4) == BYTES_VERSION;
    if (known) {
        bytes_head(&stream, &program->def, &program->monitor);
        result = bytes_code(&stream, &program->code);
    }
    if (result == PLOY_OK && (!known || stream.broken || stream.at != stream.end ||
                              program->def.stack < 16 || program->def.stack > 60000 ||
                              program->def.step_units < 1 || !bytes_names(&program->code))) {
        result = PLOY_ERR_FORMAT;
    }
    if (result == PLOY_OK && !ployi_code_verify(&program->code, program->def.stack)) {
        result = PLOY_ERR_FORMAT;
    }
    if (result == PLOY_ERR_FORMAT) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, program->name, 0, 0, "invalid code",
                       "the output of ploy script compile", NULL);
    }
    if (result == PLOY_OK) result = bytes_bind(program, diags);
    if (result != PLOY_OK) {
        ploy_program_destroy(program);
        return result;
    }
    ployi_code_hash(&program->code);
    ployi_program_finish(program);
    *out = program;
    return PLOY_OK;
}
