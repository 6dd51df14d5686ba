// Code: its arrays, the table of operations, its text and its hashes; see program_internal.h.
#include <string.h>

#include "decide/program_internal.h"
#include "ploy/base/hash.h"

// Letters: 1 a register, 3 three of them, T a text, r w registers, v a vector of w numbers, z a
// vector with component w, p and q a number or a text (bits 1 and 2 of w), y a value of key b,
// e an element of list b; k a constant, t a text, K a key, g a variable of the program, f a
// function, h a host function, B a built-in function, n a list, W a word, j a jump.
const struct ployi_op_row ployi_op_rows[PLOYI_OP_COUNT] = {
    {"move", "rr-"},      {"load", "1k-"},      {"load", "Tt-"},      {"add", "111"},
    {"sub", "111"},       {"mul", "111"},       {"div", "111"},       {"add", "11k"},
    {"sub", "11k"},       {"mul", "11k"},       {"div", "11k"},       {"negate", "11-"},
    {"not", "11-"},       {"invert", "11-"},    {"truth", "11-"},     {"or", "111"},
    {"xor", "111"},       {"and", "111"},       {"lt", "111"},        {"le", "111"},
    {"eq", "111"},        {"ne", "111"},        {"same", "111"},      {"text", "1TT"},
    {"mixed", "1T1"},     {"join", "Tpq"},      {"jump", "--j"},      {"if not", "1-j"},
    {"if", "1-j"},        {"unless lt", "11j"}, {"unless le", "11j"}, {"unless eq", "11j"},
    {"unless ne", "11j"}, {"unless lt", "1kj"}, {"unless le", "1kj"}, {"unless gt", "1kj"},
    {"unless ge", "1kj"}, {"unless eq", "1kj"}, {"unless ne", "1kj"}, {"for", "3-j"},
    {"get", "yK-"},       {"set", "yK-"},       {"get", "rg-"},       {"set", "rg-"},
    {"call", "cf-"},      {"return", "r--"},    {"host", "ch-"},      {"word", "cW-"},
    {"built-in", "cB-"},  {"vadd", "vvv"},      {"vsub", "vvv"},      {"vmul", "vv1"},
    {"vdiv", "vv1"},      {"vneg", "vv-"},      {"vget", "1z-"},      {"vset", "z1-"},
    {"index", "en1"},     {"set index", "en1"}, {"push", "en-"},      {"pop", "en-"},
    {"count", "1n-"},     {"clear", "-n-"},     {"yield", "---"},     {"wait", "1--"},
    {"atomic", "---"},
};

void ployi_code_init(ployi_code *code, const ploy_env *env) {
    static const size_t sizes[10] = {sizeof(ployi_instruction),
                                     sizeof(ployi_program_slot),
                                     1,
                                     sizeof(ployi_key),
                                     sizeof(ployi_program_function),
                                     sizeof(ployi_statement),
                                     sizeof(ployi_program_variable),
                                     sizeof(ployi_list),
                                     sizeof(ployi_host),
                                     sizeof(ployi_program_slot)};
    ploy_array *arrays[10];
    memset(code, 0, sizeof *code);
    int32_t count = ployi_code_arrays(code, arrays);
    for (int32_t i = 0; i < count; i++) ploy_array_init(arrays[i], sizes[i], env);
}

int32_t ployi_code_arrays(ployi_code *code, ploy_array *out[10]) {
    ploy_array *const all[10] = {
        &code->instructions, &code->consts,    &code->texts, &code->keys,  &code->functions,
        &code->statements,   &code->variables, &code->lists, &code->hosts, &code->initial};
    memcpy(out, all, sizeof all);
    return 10;
}

void ployi_code_fini(ployi_code *code) {
    ploy_array *arrays[10];
    int32_t count = ployi_code_arrays(code, arrays);
    for (int32_t i = 0; i < count; i++) ploy_array_fini(arrays[i]);
}

ploy_result ployi_code_copy(ployi_code *to, const ployi_code *from, const ploy_env *env) {
    ployi_code source = *from; // the arrays are only read
    ploy_array *into[10], *of[10];
    ployi_code_init(to, env);
    to->frame = from->frame;
    int32_t count = ployi_code_arrays(to, into);
    (void)ployi_code_arrays(&source, of);
    for (int32_t i = 0; i < count; i++) {
        if (of[i]->count == 0) continue;
        ploy_result result = ploy_array_push_many(into[i], of[i]->items, of[i]->count);
        if (result == PLOY_OK) continue;
        ployi_code_fini(to);
        return result;
    }
    return PLOY_OK;
}

const char *ployi_code_text(const ployi_code *code, uint32_t text) {
    return PLOY_ARRAY_ITEMS(&code->texts, char) + text;
}

int32_t ployi_code_function(const ployi_code *code, int32_t pc) {
    const ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function);
    for (int32_t i = 1; i < code->functions.count; i++) {
        if (pc >= functions[i].first && pc < functions[i].first + functions[i].count) return i;
    }
    return 0;
}

int32_t ployi_code_statement(const ployi_code *code, int32_t pc) {
    const ployi_statement *all = PLOY_ARRAY_ITEMS(&code->statements, ployi_statement);
    const ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function);
    int32_t first = functions[ployi_code_function(code, pc)].first, found = -1;
    for (int32_t i = 0; i < code->statements.count && all[i].pc <= pc; i++) {
        if (all[i].pc >= first) found = i;
    }
    return found;
}

int32_t ployi_op_slots(const ployi_code *code, const ployi_instruction *at, int32_t operand) {
    const ployi_list *lists = PLOY_ARRAY_ITEMS(&code->lists, ployi_list);
    const ployi_key *keys = PLOY_ARRAY_ITEMS(&code->keys, ployi_key);
    switch (ployi_op_rows[at->op].format[operand]) {
    case '1': return 1;
    case '3': return 3;
    case 'T': return PLOYI_TEXT_SLOTS;
    case 'r': return at->w;
    case 'v': return at->w == 3 ? 2 : 1;
    case 'z': return at->w == 2 ? 2 : 1;
    case 'p': return (at->w & 1) != 0 ? 1 : PLOYI_TEXT_SLOTS;
    case 'q': return (at->w & 2) != 0 ? 1 : PLOYI_TEXT_SLOTS;
    case 'e': return at->b < code->lists.count ? lists[at->b].width : 0;
    case 'y':
        if (at->b >= code->keys.count) return 0;
        switch (keys[at->b].type) {
        case PLOY_VALUE_TEXT: return PLOYI_TEXT_SLOTS;
        case PLOY_VALUE_VEC3: return 2;
        default: return 1;
        }
    default: return -1;
    }
}

// ---- as text

static void code_print_operand(const ployi_code *code, const ployi_instruction *at, int32_t operand,
                               ploy_writer *out) {
    const uint16_t values[3] = {at->a, at->b, at->c};
    uint16_t value = values[operand];
    char letter = ployi_op_rows[at->op].format[operand];
    if (letter == '-') return;
    ploy_write_char(out, ' ');
    switch (letter) {
    case 'k':
        ploy_write_f64(out, PLOY_ARRAY_ITEMS(&code->consts, ployi_program_slot)[value].f);
        break;
    case 't':
        ploy_write_char(out, '\'');
        ploy_write_text(out, ployi_code_text(code, value));
        ploy_write_char(out, '\'');
        break;
    case 'K':
        ploy_write_text(
            out, ployi_code_text(code, PLOY_ARRAY_ITEMS(&code->keys, ployi_key)[value].name));
        break;
    case 'h':
        ploy_write_text(
            out, ployi_code_text(code, PLOY_ARRAY_ITEMS(&code->hosts, ployi_host)[value].name));
        break;
    case 'f':
        ploy_write_text(
            out, ployi_code_text(
                     code, PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function)[value].name));
        break;
    case 'g':
        for (int32_t i = 0; i < code->variables.count; i++) {
            const ployi_program_variable *at_variable =
                &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[i];
            if (at_variable->owner >= 0 || value < at_variable->slot ||
                value >= at_variable->slot + at_variable->width) {
                continue;
            }
            ploy_write_text(out, ployi_code_text(code, at_variable->name));
            break;
        }
        break;
    case 'B': ploy_write_text(out, ployi_builtins[value].name); break;
    case 'n':
        ploy_write_text(out, "list ");
        ploy_write_i64(out, value);
        break;
    case 'j':
        ploy_write_text(out, "-> ");
        ploy_write_i64(out, value);
        break;
    default:
        ploy_write_char(out, 'r');
        ploy_write_i64(out, value);
        break;
    }
}

void ploy_program_print_code(const ploy_program *program, ploy_writer *out) {
    const ployi_code *code = &program->code;
    const ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function);
    for (int32_t i = 0; i < code->functions.count; i++) {
        const char *name = ployi_code_text(code, functions[i].name);
        ploy_write_text(out, name[0] == 0 ? "program" : name);
        ploy_write_text(out, ": ");
        ploy_write_i64(out, functions[i].count);
        ploy_write_text(out, " instructions, ");
        ploy_write_i64(out, functions[i].frame);
        ploy_write_text(out, " registers\n");
        for (int32_t k = 0; k < functions[i].count; k++) {
            const ployi_instruction *at =
                &PLOY_ARRAY_ITEMS(&code->instructions, ployi_instruction)[functions[i].first + k];
            ploy_write_text(out, "  ");
            ploy_write_i64(out, k);
            ploy_write_char(out, ' ');
            ploy_write_text(out, ployi_op_rows[at->op].name);
            for (int32_t n = 0; n < 3; n++) code_print_operand(code, at, n, out);
            ploy_write_char(out, '\n');
        }
    }
}

// ---- hashes

static uint64_t code_hash_text(uint64_t hash, const ployi_code *code, uint32_t text) {
    return ploy_hash_combine(hash, ploy_name_of(ployi_code_text(code, text)).hash);
}

static uint64_t code_hash_operand(uint64_t hash, const ployi_code *code,
                                  const ployi_instruction *at, int32_t operand) {
    const uint16_t values[3] = {at->a, at->b, at->c};
    uint16_t value = values[operand];
    const ployi_list *list;
    switch (ployi_op_rows[at->op].format[operand]) {
    case 'k':
        return ploy_hash_combine(hash,
                                 PLOY_ARRAY_ITEMS(&code->consts, ployi_program_slot)[value].u);
    case 't': return code_hash_text(hash, code, value);
    case 'K':
        return code_hash_text(hash, code, PLOY_ARRAY_ITEMS(&code->keys, ployi_key)[value].name);
    case 'h':
        return code_hash_text(hash, code, PLOY_ARRAY_ITEMS(&code->hosts, ployi_host)[value].name);
    case 'f':
        return code_hash_text(
            hash, code, PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function)[value].name);
    case 'g':
        for (int32_t i = 0; i < code->variables.count; i++) {
            const ployi_program_variable *of =
                &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[i];
            if (of->owner < 0 && value >= of->slot && value < of->slot + of->width) {
                return code_hash_text(ploy_hash_combine(hash, (uint64_t)(value - of->slot)), code,
                                      of->name);
            }
        }
        return hash;
    case 'n':
        list = &PLOY_ARRAY_ITEMS(&code->lists, ployi_list)[value];
        hash = ploy_hash_combine(hash, ((uint64_t)list->capacity << 16) | list->width);
        return list->owner == 0 ? hash : ploy_hash_combine(hash, list->base);
    default: return ploy_hash_combine(hash, value);
    }
}

void ployi_code_hash(ployi_code *code) {
    ployi_program_function *functions = PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function);
    for (int32_t i = 0; i < code->functions.count; i++) {
        uint64_t hash = ploy_name_of(ployi_code_text(code, functions[i].name)).hash;
        hash = ploy_hash_combine(hash, functions[i].frame);
        hash = ploy_hash_combine(hash, ((uint64_t)functions[i].params << 16) | functions[i].result);
        for (int32_t k = 0; k < functions[i].count; k++) {
            const ployi_instruction *at =
                &PLOY_ARRAY_ITEMS(&code->instructions, ployi_instruction)[functions[i].first + k];
            hash = ploy_hash_combine(hash, ((uint64_t)at->op << 8) | at->w);
            for (int32_t n = 0; n < 3; n++) hash = code_hash_operand(hash, code, at, n);
        }
        functions[i].hash = hash;
    }
}
