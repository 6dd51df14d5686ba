// The compiler of statements and functions; see program_internal.h.
#include <math.h>
#include <string.h>

#include "decide/program_check.h"
#include "ploy/base/hash.h"

static bool body_block(ployi_compiler *compiler, int32_t block);

static int32_t body_here(const ployi_compiler *compiler) {
    return compiler->code->instructions.count - compiler->start;
}

static const ployi_expression_node *body_at(const ployi_compiler *compiler, int32_t node) {
    return ployi_check_at(compiler->checker, node);
}

static void body_fail(ployi_compiler *compiler, ploy_result result) {
    if (compiler->result == PLOY_OK) compiler->result = result;
}

// ---- variables

// What a type is to saves: equal types have equal hashes, also in an edited program.
static uint64_t body_type_hash(const ployi_compiler *compiler, uint16_t type) {
    const ployi_program_checker *checker = compiler->checker;
    if (type < PLOYI_PROGRAM_TYPE_FIRST) return type;
    const ployi_type *of =
        &PLOY_ARRAY_ITEMS(&checker->types, ployi_type)[type - PLOYI_PROGRAM_TYPE_FIRST];
    if (of->kind == PLOYI_PROGRAM_TYPE_LIST) {
        return ploy_hash_combine(of->capacity, body_type_hash(compiler, of->item));
    }
    uint64_t hash = PLOYI_PROGRAM_TYPE_RECORD;
    for (int32_t at = ployi_check_at(checker, of->node)->a; at >= 0;
         at = ployi_check_at(checker, at)->next) {
        const ployi_expression_node *field = ployi_check_at(checker, at);
        hash = ploy_hash_combine(hash, ploy_name_of(ployi_check_name(checker, field->name)).hash);
        hash = ploy_hash_combine(hash, field->type);
    }
    return hash;
}

// Gives a symbol its slot, and its list; notes the variable.
static void body_place(ployi_compiler *compiler, int32_t index) {
    ployi_symbol *symbol = ployi_check_symbol(compiler->checker, index);
    int32_t width = ployi_type_slots(compiler->checker, symbol->type);
    const ployi_type *list =
        ployi_check_type(compiler->checker, symbol->type, PLOYI_PROGRAM_TYPE_LIST);
    bool local = symbol->where == PLOYI_WHERE_LOCAL;
    int32_t slot;
    if (local) {
        slot = ployi_push_registers(compiler, width);
    } else {
        slot = compiler->code->initial.count;
        if (slot + width > PLOYI_SLOTS_MAX) {
            body_fail(compiler, PLOY_ERR_LIMIT);
            return;
        }
        body_fail(compiler, ploy_array_resize(&compiler->code->initial, slot + width));
        if (compiler->result != PLOY_OK) return;
        memset(&PLOY_ARRAY_ITEMS(&compiler->code->initial, ployi_program_slot)[slot], 0,
               (size_t)width * sizeof(ployi_program_slot));
    }
    symbol->slot = (uint16_t)slot;
    if (list != NULL) {
        ployi_list made = {(uint16_t)slot, list->capacity,
                           (uint16_t)ployi_type_slots(compiler->checker, list->item),
                           (uint16_t)(local ? compiler->routine + 1 : 0)};
        symbol->list = compiler->code->lists.count;
        body_fail(compiler, ploy_array_push(&compiler->code->lists, &made));
    }
    ployi_program_variable variable;
    memset(&variable, 0, sizeof variable);
    variable.name = ployi_code_keep(compiler, ployi_check_name(compiler->checker, symbol->name));
    variable.owner = local ? compiler->routine : -1;
    variable.from = body_here(compiler);
    variable.to = INT32_MAX;
    variable.type = body_type_hash(compiler, symbol->type);
    variable.slot = (uint16_t)slot;
    variable.width = (uint16_t)width;
    variable.kind =
        symbol->type < PLOYI_PROGRAM_TYPE_FIRST ? (uint8_t)symbol->type : PLOYI_PROGRAM_TYPE_VOID;
    symbol->variable = compiler->code->variables.count;
    body_fail(compiler, ploy_array_push(&compiler->code->variables, &variable));
}

// A register without a name in the program, such as the limit of a loop.
static int32_t body_hidden(ployi_compiler *compiler, int32_t name, const char *what) {
    ployi_program_variable variable;
    char text[PLOY_DIAG_TEXT_MAX] = ".";
    memset(&variable, 0, sizeof variable);
    strcat(text, what);
    strncat(text, ployi_check_name(compiler->checker, name), 100);
    variable.name = ployi_code_keep(compiler, text);
    variable.owner = compiler->routine;
    variable.from = body_here(compiler);
    variable.to = INT32_MAX;
    variable.type = variable.kind = PLOYI_PROGRAM_TYPE_NUMBER;
    variable.slot = (uint16_t)ployi_push_registers(compiler, 1);
    variable.width = 1;
    body_fail(compiler, ploy_array_push(&compiler->code->variables, &variable));
    return variable.slot;
}

// Ends the scope of the function's variables from a number on.
static void body_close(ployi_compiler *compiler, int32_t first) {
    ployi_program_variable *all =
        PLOY_ARRAY_ITEMS(&compiler->code->variables, ployi_program_variable);
    for (int32_t i = first; i < compiler->code->variables.count; i++) {
        if (all[i].owner == compiler->routine && all[i].to == INT32_MAX) {
            all[i].to = body_here(compiler);
        }
    }
}

void ployi_compile_initial(const ployi_compiler *compiler, int32_t node, ployi_program_slot *out) {
    const ployi_program_checker *checker = compiler->checker;
    const ployi_expression_node *at = ployi_check_at(checker, node);
    const int32_t args[3] = {at->a, at->b, at->c};
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_NUMBER: out->f = at->number; break;
    case PLOYI_EXPRESSION_NEGATE: out->f = -ployi_check_at(checker, at->a)->number; break;
    case PLOYI_EXPRESSION_TEXT: { // over the borders of slots; the lexer limits its length
        const char *text = PLOY_ARRAY_ITEMS(&checker->tree->texts, char) + at->text;
        memcpy((char *)(void *)out, text, strlen(text));
        break;
    }
    case PLOYI_EXPRESSION_CALL:
        if (at->field == PLOYI_CALL_BUILTIN) {
            for (int32_t i = 0; i < 3 && args[i] >= 0; i++) {
                ployi_program_slot number;
                ployi_compile_initial(compiler, args[i], &number);
                out[i / 2].v[i % 2] = (float)number.f;
            }
        } else if (at->field == PLOYI_CALL_RECORD) {
            const ployi_type *type = &PLOY_ARRAY_ITEMS(&checker->types, ployi_type)[at->symbol];
            for (int32_t field = ployi_check_at(checker, type->node)->a; field >= 0;
                 field = ployi_check_at(checker, field)->next) {
                const ployi_expression_node *of = ployi_check_at(checker, field);
                ployi_compile_initial(compiler, of->a, out);
                out += ployi_type_slots(checker, of->type);
            }
        }
        break;
    default: break;
    }
}

// ---- statements

// Notes where a statement begins, with an id that survives edits elsewhere: its function, its text
// up to a block, and how many equal ones are before it.
static void body_mark(ployi_compiler *compiler, int32_t node) {
    const ployi_expression_node *at = body_at(compiler, node);
    const char *text = PLOY_ARRAY_ITEMS(&compiler->tree->texts, char) + at->at;
    size_t size = at->end > at->at ? at->end - at->at : 0;
    const char *brace = memchr(text, '{', size);
    if (brace != NULL) size = (size_t)(brace - text);
    while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\n')) size--;
    ployi_statement made;
    memset(&made, 0, sizeof made);
    made.pc = compiler->code->instructions.count;
    ployi_expression_place(compiler->tree, at->at, &made.line, &made.column);
    const ployi_routine *routine =
        &PLOY_ARRAY_ITEMS(&compiler->checker->routines, ployi_routine)[compiler->routine];
    made.id = ploy_name_of_bytes(text, size).hash;
    if (routine->node >= 0) {
        const char *name =
            ployi_check_name(compiler->checker, body_at(compiler, routine->node)->name);
        made.id = ploy_hash_combine(made.id, ploy_name_of(name).hash);
    }
    ploy_array *all = &compiler->code->statements;
    uint64_t id = made.id, number = 0;
    for (int32_t i = 0; i < all->count; i++) {
        if (PLOY_ARRAY_ITEMS(all, ployi_statement)[i].id != made.id) continue;
        made.id = ploy_hash_combine(id, ++number);
        i = -1; // an id is unique
    }
    body_fail(compiler, ploy_array_push(all, &made));
}

static void body_stop(ployi_compiler *compiler) {
    ployi_compile_forget(compiler);
}

static void body_while(ployi_compiler *compiler, const ployi_expression_node *at) {
    ployi_compile_forget(compiler);
    int32_t begin = body_here(compiler);
    int32_t end = ployi_compile_jump(compiler, at->a, false);
    (void)body_block(compiler, at->b);
    ployi_emit(compiler, PLOYI_OP_JUMP, 0, 0, 0, begin);
    ployi_patch(compiler, end);
    ployi_compile_forget(compiler);
}

static void body_for(ployi_compiler *compiler, const ployi_expression_node *at) {
    int32_t variables = compiler->code->variables.count, top = compiler->top;
    body_place(compiler, at->symbol);
    int32_t counter = ployi_check_symbol(compiler->checker, at->symbol)->slot;
    int32_t limit = body_hidden(compiler, at->name, "limit ");
    int32_t step = body_hidden(compiler, at->name, "step ");
    ployi_program_slot number;
    number.f = at->number;
    ployi_compile_value(compiler, at->a, counter);
    ployi_compile_value(compiler, at->b, limit);
    ployi_emit(compiler, PLOYI_OP_LOADK, 1, step, ployi_const(compiler, number.u), 0);
    ployi_compile_forget(compiler);
    int32_t end = at->number > 0.0 ? ployi_emit(compiler, PLOYI_OP_JNLE, 0, counter, limit, 0)
                                   : ployi_emit(compiler, PLOYI_OP_JNLE, 0, limit, counter, 0);
    int32_t begin = body_here(compiler);
    (void)body_block(compiler, at->c);
    ployi_emit(compiler, PLOYI_OP_FOR, 0, counter, 0, begin);
    ployi_patch(compiler, end);
    ployi_compile_forget(compiler);
    body_close(compiler, variables);
    compiler->top = top;
}

static void body_each(ployi_compiler *compiler, const ployi_expression_node *at) {
    int32_t variables = compiler->code->variables.count, top = compiler->top;
    int32_t list = ployi_check_symbol(compiler->checker, body_at(compiler, at->a)->symbol)->list;
    body_place(compiler, at->symbol);
    int32_t item = ployi_check_symbol(compiler->checker, at->symbol)->slot;
    int32_t index = body_hidden(compiler, at->name, "index ");
    int32_t count = body_hidden(compiler, at->name, "count ");
    ployi_program_slot one;
    one.f = 1.0;
    ployi_emit(compiler, PLOYI_OP_LOADK, 1, index, ployi_const(compiler, 0), 0);
    ployi_compile_forget(compiler);
    int32_t begin = body_here(compiler);
    ployi_emit(compiler, PLOYI_OP_COUNT_, 0, count, list, 0);
    int32_t end = ployi_emit(compiler, PLOYI_OP_JNLT, 0, index, count, 0);
    ployi_emit(compiler, PLOYI_OP_INDEX, 0, item, list, index);
    (void)body_block(compiler, at->b);
    ployi_emit(compiler, PLOYI_OP_ADDK, 0, index, index, ployi_const(compiler, one.u));
    ployi_emit(compiler, PLOYI_OP_JUMP, 0, 0, 0, begin);
    ployi_patch(compiler, end);
    ployi_compile_forget(compiler);
    body_close(compiler, variables);
    compiler->top = top;
}

// @return whether what follows is never reached.
static bool body_if(ployi_compiler *compiler, const ployi_expression_node *at) {
    double number = 0.0;
    if (compiler->optimize && ployi_compile_constant(compiler, at->a, &number)) {
        int32_t live = number != 0.0 ? at->b : at->c;
        return live >= 0 && body_block(compiler, live);
    }
    int32_t other = ployi_compile_jump(compiler, at->a, false);
    bool ends = body_block(compiler, at->b), both = false;
    ployi_compile_forget(compiler);
    if (at->c >= 0) {
        int32_t end = ends ? -1 : ployi_emit(compiler, PLOYI_OP_JUMP, 0, 0, 0, 0);
        ployi_patch(compiler, other);
        both = body_block(compiler, at->c) && ends;
        ployi_patch(compiler, end);
        ployi_compile_forget(compiler);
    } else {
        ployi_patch(compiler, other);
    }
    return both;
}

static void body_return(ployi_compiler *compiler, int32_t value) {
    const ployi_routine *routine =
        &PLOY_ARRAY_ITEMS(&compiler->checker->routines, ployi_routine)[compiler->routine];
    int32_t slots = ployi_type_slots(compiler->checker, routine->result), from = 0;
    if (value >= 0) {
        from = ployi_compile_value(compiler, value, -1);
    } else if (compiler->routine == 0) {
        slots = 0;
    } else if (slots > 0) {
        from = ployi_push_registers(compiler, slots);
        for (int32_t i = 0; i < slots; i++) {
            ployi_emit(compiler, PLOYI_OP_LOADK, 1, from + i, ployi_const(compiler, 0), 0);
        }
    }
    ployi_emit(compiler, PLOYI_OP_RETURN, slots, from, 0, 0);
}

enum { BODY_RULES_MAX = 64, BODY_RULE_TEXT = 64 };

// Notes where a rule ends and what its condition is, for the reasons of a choice.
static void body_mark_rule(ployi_compiler *compiler, int32_t mark, int32_t node) {
    const ployi_expression_node *at = body_at(compiler, node);
    const char *text = PLOY_ARRAY_ITEMS(&compiler->tree->texts, char) + at->at;
    char condition[BODY_RULE_TEXT];
    size_t size = at->end > at->at ? at->end - at->at : 0, from = size < 5 ? size : 5, to = from;
    while (to < size && to - from < BODY_RULE_TEXT - 1 && text[to] != '\n' &&
           strncmp(text + to, " do ", 4) != 0 && strncmp(text + to, " priority ", 10) != 0) {
        to++;
    }
    memcpy(condition, text + from, to - from);
    condition[to - from] = 0;
    uint32_t kept = ployi_code_keep(compiler, condition);
    if (compiler->result != PLOY_OK) return;
    ployi_statement *rule = &PLOY_ARRAY_ITEMS(&compiler->code->statements, ployi_statement)[mark];
    rule->text = kept;
    rule->end = compiler->code->instructions.count;
}

// Neighboring rules: a chain of conditions in the order of their priorities.
// @return the last of them.
static int32_t body_rules(ployi_compiler *compiler, int32_t first) {
    int32_t rules[BODY_RULES_MAX], ends[BODY_RULES_MAX], count = 0, last = first;
    for (int32_t at = first;
         at >= 0 && body_at(compiler, at)->op == PLOYI_EXPRESSION_WHEN && count < BODY_RULES_MAX;
         at = body_at(compiler, at)->next) {
        int32_t place = count++;
        last = at;
        for (; place > 0 &&
               body_at(compiler, rules[place - 1])->number < body_at(compiler, at)->number;
             place--) {
            rules[place] = rules[place - 1];
        }
        rules[place] = at;
    }
    for (int32_t i = 0; i < count; i++) {
        const ployi_expression_node *at = body_at(compiler, rules[i]);
        int32_t mark = compiler->code->statements.count;
        body_mark(compiler, rules[i]);
        int32_t other = ployi_compile_jump(compiler, at->a, false);
        (void)body_block(compiler, at->b);
        ployi_compile_forget(compiler);
        ends[i] = ployi_emit(compiler, PLOYI_OP_JUMP, 0, 0, 0, 0);
        ployi_patch(compiler, other);
        body_mark_rule(compiler, mark, rules[i]);
    }
    for (int32_t i = 0; i < count; i++) ployi_patch(compiler, ends[i]);
    ployi_compile_forget(compiler);
    return last;
}

// @return whether what follows is never reached.
static bool body_statement(ployi_compiler *compiler, int32_t node) {
    const ployi_expression_node *at = body_at(compiler, node);
    int32_t top = compiler->top, wake, begin;
    bool ends = false;
    body_mark(compiler, node);
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_BLOCK: return body_block(compiler, node);
    case PLOYI_EXPRESSION_IF: ends = body_if(compiler, at); break;
    case PLOYI_EXPRESSION_WHILE: {
        double number = 0.0;
        ployi_compile_forget(compiler);
        if (compiler->optimize && ployi_compile_constant(compiler, at->a, &number) &&
            number == 0.0) {
            break;
        }
        body_while(compiler, at);
        break;
    }
    case PLOYI_EXPRESSION_FOR: body_for(compiler, at); break;
    case PLOYI_EXPRESSION_EACH: body_each(compiler, at); break;
    case PLOYI_EXPRESSION_RETURN:
        body_return(compiler, at->a);
        ends = compiler->optimize;
        break;
    case PLOYI_EXPRESSION_LOCAL: {
        ployi_symbol *symbol = ployi_check_symbol(compiler->checker, at->symbol);
        // The value may name an outer variable that this one hides, so its slot comes after.
        const ployi_type *list =
            ployi_check_type(compiler->checker, symbol->type, PLOYI_PROGRAM_TYPE_LIST);
        body_place(compiler, at->symbol);
        symbol->known = false;
        top = compiler->top;
        if (list != NULL) {
            ployi_emit(compiler, PLOYI_OP_CLEAR, 0, 0, symbol->list, 0);
        } else {
            double number = 0.0;
            bool constant = compiler->optimize && symbol->type == PLOYI_PROGRAM_TYPE_NUMBER &&
                            ployi_compile_constant(compiler, at->a, &number);
            ployi_compile_value(compiler, at->a, symbol->slot);
            symbol->known = constant;
            symbol->value = number;
        }
        break;
    }
    case PLOYI_EXPRESSION_KEEP:
    case PLOYI_EXPRESSION_FUNCTION:
    case PLOYI_EXPRESSION_RECORD:
    case PLOYI_EXPRESSION_MONITOR: break;
    case PLOYI_EXPRESSION_YIELD:
        ployi_emit(compiler, PLOYI_OP_YIELD, 0, 0, 0, 0);
        body_stop(compiler);
        break;
    case PLOYI_EXPRESSION_WAIT: {
        int32_t now = ployi_push_registers(compiler, 1);
        wake = ployi_push_registers(compiler, 1);
        ployi_compile_value(compiler, at->a, wake);
        ployi_emit(compiler, PLOYI_OP_BUILTIN, 0, now, PLOYI_BUILTIN_NOW, 0);
        ployi_emit(compiler, PLOYI_OP_ADD, 0, wake, wake, now);
        ployi_emit(compiler, PLOYI_OP_WAIT, 0, wake, 0, 0);
        body_stop(compiler);
        break;
    }
    case PLOYI_EXPRESSION_UNTIL: {
        ployi_compile_forget(compiler);
        begin = body_here(compiler);
        int32_t end = ployi_compile_jump(compiler, at->a, true);
        ployi_emit(compiler, PLOYI_OP_YIELD, 0, 0, 0, 0);
        ployi_emit(compiler, PLOYI_OP_JUMP, 0, 0, 0, begin);
        ployi_patch(compiler, end);
        body_stop(compiler);
        break;
    }
    case PLOYI_EXPRESSION_ATOMIC:
        ployi_emit(compiler, PLOYI_OP_ATOMIC, 1, 0, 0, 0);
        (void)body_block(compiler, at->a);
        ployi_emit(compiler, PLOYI_OP_ATOMIC, 0, 0, 0, 0);
        break;
    default: (void)ployi_compile_value(compiler, node, -1); break;
    }
    compiler->top = top;
    return ends;
}

static bool body_list(ployi_compiler *compiler, int32_t first) {
    for (int32_t at = first; at >= 0 && compiler->result == PLOY_OK;
         at = body_at(compiler, at)->next) {
        if (body_at(compiler, at)->op == PLOYI_EXPRESSION_WHEN) {
            at = body_rules(compiler, at);
        } else if (body_statement(compiler, at)) {
            return true; // the rest is dead
        }
    }
    return false;
}

static bool body_block(ployi_compiler *compiler, int32_t block) {
    int32_t variables = compiler->code->variables.count, top = compiler->top;
    bool ends = body_list(compiler, body_at(compiler, block)->a);
    body_close(compiler, variables);
    compiler->top = top;
    return ends;
}

// ---- functions

static void body_routine(ployi_compiler *compiler, int32_t index) {
    const ployi_program_checker *checker = compiler->checker;
    const ployi_routine *routine = &PLOY_ARRAY_ITEMS(&checker->routines, ployi_routine)[index];
    ployi_program_function made;
    memset(&made, 0, sizeof made);
    made.first = compiler->start = compiler->code->instructions.count;
    compiler->top = compiler->frame = 0;
    compiler->routine = index;
    ployi_compile_forget(compiler);
    const ployi_expression_node *function =
        routine->node >= 0 ? ployi_check_at(checker, routine->node) : NULL;
    made.name = ployi_code_keep(compiler,
                                function != NULL ? ployi_check_name(checker, function->name) : "");
    for (int32_t at = function != NULL ? function->a : -1; at >= 0;
         at = ployi_check_at(checker, at)->next) {
        body_place(compiler, ployi_check_at(checker, at)->symbol);
    }
    made.params = (uint16_t)compiler->top;
    bool ends = function != NULL ? body_block(compiler, function->b)
                                 : body_list(compiler, checker->tree->first);
    if (!ends || !compiler->optimize) body_return(compiler, -1);
    body_close(compiler, 0);
    made.count = compiler->code->instructions.count - made.first;
    made.frame = (uint16_t)(compiler->frame > 0 ? compiler->frame : 1);
    made.result = (uint16_t)ployi_type_slots(checker, routine->result);
    made.result_type = routine->result < PLOYI_PROGRAM_TYPE_FIRST ? (uint8_t)routine->result
                                                                  : PLOYI_PROGRAM_TYPE_VOID;
    body_fail(compiler, ploy_array_push(&compiler->code->functions, &made));
}

ploy_result ployi_compile_program(ployi_program_checker *checker, bool optimize, ployi_code *code) {
    ployi_compiler compiler;
    memset(&compiler, 0, sizeof compiler);
    compiler.checker = checker;
    compiler.tree = checker->tree;
    compiler.code = code;
    compiler.optimize = optimize;
    for (int32_t i = 0; i < checker->symbols.count && compiler.result == PLOY_OK; i++) {
        ployi_symbol *symbol = ployi_check_symbol(checker, i);
        if (symbol->where == PLOYI_WHERE_GLOBAL) body_place(&compiler, i);
    }
    for (int32_t i = 0; i < checker->tree->nodes.count && compiler.result == PLOY_OK; i++) {
        const ployi_expression_node *at = ployi_check_at(checker, i);
        if (at->op != PLOYI_EXPRESSION_KEEP || at->symbol < 0) continue;
        ployi_program_slot *slots = PLOY_ARRAY_ITEMS(&code->initial, ployi_program_slot);
        ployi_compile_initial(&compiler, at->a,
                              slots + ployi_check_symbol(checker, at->symbol)->slot);
    }
    for (int32_t i = 0; i < checker->routines.count && compiler.result == PLOY_OK; i++) {
        body_routine(&compiler, i);
    }
    if (compiler.result == PLOY_OK) ployi_code_hash(code);
    return compiler.result;
}
