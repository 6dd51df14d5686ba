// The compiler of values: expressions of both kinds to registers; see program_internal.h.
//
// A value goes to the register that the caller names, or to any. A variable of the function is
// returned as its own register, without a copy, unless a later part of the expression assigns.
#include <math.h>
#include <string.h>

#include "decide/program_check.h"

static const ployi_expression_node *compile_at(const ployi_compiler *compiler, int32_t node) {
    return &PLOY_ARRAY_ITEMS(&compiler->tree->nodes, ployi_expression_node)[node];
}

static int32_t compile_slots(const ployi_compiler *compiler, uint16_t type) {
    return compiler->checker != NULL ? ployi_type_slots(compiler->checker, type)
                                     : ployi_kind_slots((uint8_t)type);
}

static void compile_fail(ployi_compiler *compiler, ploy_result result) {
    if (compiler->result == PLOY_OK) compiler->result = result;
}

int32_t ployi_push_registers(ployi_compiler *compiler, int32_t count) {
    int32_t made = compiler->top;
    compiler->top += count;
    if (compiler->top > compiler->frame) compiler->frame = compiler->top;
    if (compiler->top > PLOYI_SLOTS_MAX) {
        compile_fail(compiler, PLOY_ERR_LIMIT);
        compiler->top = made;
    }
    return made;
}

int32_t ployi_emit(ployi_compiler *compiler, ployi_op op, int32_t w, int32_t a, int32_t b,
                   int32_t c) {
    ployi_instruction made = {(uint8_t)op, (uint8_t)w, (uint16_t)a, (uint16_t)b, (uint16_t)c};
    ploy_array *all = &compiler->code->instructions;
    if (all->count - compiler->start >= PLOYI_SLOTS_MAX) compile_fail(compiler, PLOY_ERR_LIMIT);
    if (compiler->result == PLOY_OK) compile_fail(compiler, ploy_array_push(all, &made));
    return all->count - 1;
}

void ployi_patch(ployi_compiler *compiler, int32_t jump) {
    if (jump < 0 || compiler->result != PLOY_OK) return;
    ploy_array *all = &compiler->code->instructions;
    PLOY_ARRAY_ITEMS(all, ployi_instruction)[jump].c = (uint16_t)(all->count - compiler->start);
}

int32_t ployi_const(ployi_compiler *compiler, uint64_t bits) {
    ploy_array *consts = &compiler->code->consts;
    ployi_program_slot slot;
    slot.u = bits;
    for (int32_t i = 0; i < consts->count; i++) {
        if (PLOY_ARRAY_ITEMS(consts, ployi_program_slot)[i].u == bits) return i;
    }
    if (consts->count >= UINT16_MAX) compile_fail(compiler, PLOY_ERR_LIMIT);
    if (compiler->result == PLOY_OK) compile_fail(compiler, ploy_array_push(consts, &slot));
    return compiler->result == PLOY_OK ? consts->count - 1 : 0;
}

static int32_t compile_number(ployi_compiler *compiler, double number) {
    ployi_program_slot slot;
    slot.f = number;
    return ployi_const(compiler, slot.u);
}

uint32_t ployi_code_keep(ployi_compiler *compiler, const char *text) {
    ploy_array *texts = &compiler->code->texts;
    size_t size = strlen(text) + 1;
    const char *all = PLOY_ARRAY_ITEMS(texts, char);
    for (int32_t at = 0; at < texts->count; at += (int32_t)strlen(all + at) + 1) {
        if (strcmp(all + at, text) == 0) return (uint32_t)at;
    }
    uint32_t at = (uint32_t)texts->count;
    if (at + size > UINT16_MAX) compile_fail(compiler, PLOY_ERR_LIMIT);
    if (compiler->result == PLOY_OK) {
        compile_fail(compiler, ploy_array_push_many(texts, text, (int32_t)size));
    }
    return compiler->result == PLOY_OK ? at : 0;
}

static const char *compile_chars(const ployi_compiler *compiler, uint32_t text) {
    return PLOY_ARRAY_ITEMS(&compiler->tree->texts, char) + text;
}

void ployi_compile_forget(ployi_compiler *compiler) {
    if (compiler->checker == NULL) return;
    ploy_array *symbols = &compiler->checker->symbols;
    for (int32_t i = 0; i < symbols->count; i++) {
        PLOY_ARRAY_ITEMS(symbols, ployi_symbol)[i].known = false;
    }
}

// ---- constants

static bool compile_whole(double number) {
    return fabs(number) <= 9007199254740992.0 && number == floor(number);
}

static bool compile_fold(ployi_expression_op op, double a, double b, double *out) {
    switch (op) {
    case PLOYI_EXPRESSION_ADD: *out = a + b; return true;
    case PLOYI_EXPRESSION_SUBTRACT: *out = a - b; return true;
    case PLOYI_EXPRESSION_MULTIPLY: *out = a * b; return true;
    case PLOYI_EXPRESSION_DIVIDE: *out = a / b; return true;
    case PLOYI_EXPRESSION_EQUAL: *out = a == b ? 1.0 : 0.0; return true;
    case PLOYI_EXPRESSION_DIFFERENT: *out = a != b ? 1.0 : 0.0; return true;
    case PLOYI_EXPRESSION_LESS: *out = a < b ? 1.0 : 0.0; return true;
    case PLOYI_EXPRESSION_LESS_EQUAL: *out = a <= b ? 1.0 : 0.0; return true;
    case PLOYI_EXPRESSION_GREATER: *out = a > b ? 1.0 : 0.0; return true;
    case PLOYI_EXPRESSION_GREATER_EQUAL: *out = a >= b ? 1.0 : 0.0; return true;
    default: break;
    }
    if (!compile_whole(a) || !compile_whole(b)) return false; // fails when it runs
    int64_t left = (int64_t)a, right = (int64_t)b;
    switch (op) {
    case PLOYI_EXPRESSION_BIT_OR: *out = (double)(left | right); return true;
    case PLOYI_EXPRESSION_BIT_XOR: *out = (double)(left ^ right); return true;
    case PLOYI_EXPRESSION_BIT_AND: *out = (double)(left & right); return true;
    default: return false;
    }
}

bool ployi_compile_constant(const ployi_compiler *compiler, int32_t node, double *out) {
    const ployi_expression_node *at = compile_at(compiler, node);
    double a = 0.0, b = 0.0;
    if (at->op == PLOYI_EXPRESSION_NUMBER) {
        *out = at->number;
        return true;
    }
    if (!compiler->optimize) return false;
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_NAME:
        if (compiler->checker == NULL || at->symbol < 0) return false;
        *out = ployi_check_symbol(compiler->checker, at->symbol)->value;
        return at->field == 0 && at->component == 0 &&
               ployi_check_symbol(compiler->checker, at->symbol)->known;
    case PLOYI_EXPRESSION_NOT:
        if (!ployi_compile_constant(compiler, at->a, &a)) return false;
        *out = a == 0.0 ? 1.0 : 0.0;
        return true;
    case PLOYI_EXPRESSION_NEGATE:
        if (!ployi_compile_constant(compiler, at->a, &a)) return false;
        *out = -a;
        return true;
    case PLOYI_EXPRESSION_AND:
    case PLOYI_EXPRESSION_OR:
        if (!ployi_compile_constant(compiler, at->a, &a)) return false;
        if ((a != 0.0) == (at->op == PLOYI_EXPRESSION_OR)) {
            *out = a != 0.0 ? 1.0 : 0.0;
            return true;
        }
        if (!ployi_compile_constant(compiler, at->b, &b)) return false;
        *out = b != 0.0 ? 1.0 : 0.0;
        return true;
    case PLOYI_EXPRESSION_CHOOSE:
        return ployi_compile_constant(compiler, at->a, &a) &&
               ployi_compile_constant(compiler, a != 0.0 ? at->b : at->c, out);
    default: break;
    }
    bool binary = at->op >= PLOYI_EXPRESSION_EQUAL && at->op <= PLOYI_EXPRESSION_DIVIDE &&
                  at->op != PLOYI_EXPRESSION_JOIN && !at->chained;
    return binary && ployi_compile_constant(compiler, at->a, &a) &&
           ployi_compile_constant(compiler, at->b, &b) &&
           compile_fold((ployi_expression_op)at->op, a, b, out);
}

// Whether evaluating a node may assign a variable.
static bool compile_assigns(const ployi_compiler *compiler, int32_t node) {
    if (node < 0) return false;
    const ployi_expression_node *at = compile_at(compiler, node);
    if (at->op == PLOYI_EXPRESSION_SET || at->op == PLOYI_EXPRESSION_MAKE ||
        at->op == PLOYI_EXPRESSION_SETINDEX) {
        return true;
    }
    return compile_assigns(compiler, at->a) || compile_assigns(compiler, at->b) ||
           compile_assigns(compiler, at->c) || compile_assigns(compiler, at->d);
}

// ---- values

// Where a value goes: the register that is requested, or a new one.
static int32_t compile_target(ployi_compiler *compiler, int32_t want, int32_t slots) {
    return want >= 0 ? want : ployi_push_registers(compiler, slots);
}

static void compile_move(ployi_compiler *compiler, int32_t to, int32_t from, int32_t slots) {
    if (to == from || slots == 0) return;
    for (int32_t done = 0; done < slots; done += 240) {
        int32_t part = slots - done < 240 ? slots - done : 240;
        ployi_emit(compiler, PLOYI_OP_MOVE, part, to + done, from + done, 0);
    }
}

// A name compared with or assigned from a text in quotes: its hash.
static int32_t compile_hash(ployi_compiler *compiler, int32_t node, int32_t want) {
    const ployi_expression_node *at = compile_at(compiler, node);
    if (at->op != PLOYI_EXPRESSION_TEXT) return ployi_compile_value(compiler, node, want);
    int32_t to = compile_target(compiler, want, 1);
    uint64_t hash = ploy_name_of(compile_chars(compiler, at->text)).hash;
    ployi_emit(compiler, PLOYI_OP_LOADK, 1, to, ployi_const(compiler, hash), 0);
    return to;
}

static int32_t compile_name(ployi_compiler *compiler, const ployi_expression_node *at,
                            int32_t want) {
    if (compiler->checker == NULL) {
        int32_t to = compile_target(compiler, want, compile_slots(compiler, at->type));
        ployi_emit(compiler, PLOYI_OP_KEY, 0, to, at->name, 0);
        return to;
    }
    const ployi_symbol *symbol = ployi_check_symbol(compiler->checker, at->symbol);
    int32_t slots = compile_slots(compiler, at->type), whole = symbol->slot + at->field;
    if (symbol->where == PLOYI_WHERE_LOCAL) {
        if (at->component == 0 && want < 0) return whole;
        int32_t to = compile_target(compiler, want, slots);
        if (at->component != 0) {
            ployi_emit(compiler, PLOYI_OP_VGET, at->component - 1, to, whole, 0);
        } else {
            compile_move(compiler, to, whole, slots);
        }
        return to;
    }
    int32_t to = compile_target(compiler, want, slots), from = to;
    if (at->component != 0) from = ployi_push_registers(compiler, 2);
    if (symbol->where == PLOYI_WHERE_KEY) {
        ployi_emit(compiler, PLOYI_OP_KEY, 0, from, symbol->slot, 0);
    } else {
        // Three components need two slots, fewer one.
        int32_t read = at->component == 0 ? slots : at->component == 3 ? 2 : 1;
        ployi_emit(compiler, PLOYI_OP_GLOBAL, read, from, whole, 0);
    }
    if (at->component != 0) {
        ployi_emit(compiler, PLOYI_OP_VGET, at->component - 1, to, from, 0);
    }
    return to;
}

static void compile_store(ployi_compiler *compiler, const ployi_expression_node *at, int32_t from,
                          int32_t slots) {
    const ployi_symbol *symbol = ployi_check_symbol(compiler->checker, at->symbol);
    int32_t whole = symbol->slot + at->field;
    if (at->component != 0) {
        int32_t read = at->component == 3 ? 2 : 1, vector = whole;
        if (symbol->where == PLOYI_WHERE_GLOBAL) {
            vector = ployi_push_registers(compiler, read);
            ployi_emit(compiler, PLOYI_OP_GLOBAL, read, vector, whole, 0);
        }
        ployi_emit(compiler, PLOYI_OP_VSET, at->component - 1, vector, from, 0);
        if (symbol->where == PLOYI_WHERE_GLOBAL) {
            ployi_emit(compiler, PLOYI_OP_SETGLOBAL, read, vector, whole, 0);
        }
    } else if (symbol->where == PLOYI_WHERE_LOCAL) {
        compile_move(compiler, whole, from, slots);
    } else if (symbol->where == PLOYI_WHERE_GLOBAL) {
        ployi_emit(compiler, PLOYI_OP_SETGLOBAL, slots, from, whole, 0);
    } else {
        ployi_emit(compiler, PLOYI_OP_SETKEY, 0, from, symbol->slot, 0);
    }
}

static int32_t compile_assign(ployi_compiler *compiler, const ployi_expression_node *at,
                              int32_t want) {
    int32_t slots = compile_slots(compiler, at->type);
    const ployi_expression_node *value = compile_at(compiler, at->a);
    ployi_symbol *symbol =
        compiler->checker != NULL ? ployi_check_symbol(compiler->checker, at->symbol) : NULL;
    bool key_name =
        symbol != NULL
            ? symbol->type == PLOYI_PROGRAM_TYPE_NAME
            : PLOY_ARRAY_ITEMS(&compiler->tree->names, ployi_expression_name)[at->name].type ==
                  PLOY_VALUE_NAME;
    double number = 0.0;
    bool constant =
        at->type == PLOYI_PROGRAM_TYPE_NUMBER && ployi_compile_constant(compiler, at->a, &number);
    // What writes its register last may write the variable's.
    bool last = value->op == PLOYI_EXPRESSION_NUMBER || value->op == PLOYI_EXPRESSION_CALL ||
                (value->op >= PLOYI_EXPRESSION_ADD && value->op <= PLOYI_EXPRESSION_DIVIDE);
    bool direct = symbol != NULL && symbol->where == PLOYI_WHERE_LOCAL && at->component == 0 &&
                  (last || constant) && want < 0;
    int32_t from = ployi_compile_value(compiler, at->a, direct ? symbol->slot + at->field : want);
    if (key_name && value->op == PLOYI_EXPRESSION_TEXT) {
        int32_t hash = compile_hash(compiler, at->a, -1);
        int32_t key = symbol != NULL ? symbol->slot : at->name;
        ployi_emit(compiler, PLOYI_OP_SETKEY, 0, hash, key, 0);
        return from;
    }
    if (symbol == NULL) {
        ployi_emit(compiler, PLOYI_OP_SETKEY, 0, from, at->name, 0);
        return from;
    }
    if (!direct) compile_store(compiler, at, from, slots);
    symbol->known = constant && symbol->where != PLOYI_WHERE_KEY && at->field == 0 &&
                    at->component == 0 && compiler->optimize &&
                    symbol->type == PLOYI_PROGRAM_TYPE_NUMBER;
    symbol->value = number;
    return from;
}

// A comparison of two registers.
static void compile_compare_registers(ployi_compiler *compiler, int32_t op, int32_t to,
                                      int32_t left, int32_t right, uint16_t a, uint16_t b) {
    bool text = a == PLOYI_PROGRAM_TYPE_TEXT, text_b = b == PLOYI_PROGRAM_TYPE_TEXT;
    if (a == PLOYI_PROGRAM_TYPE_NAME || b == PLOYI_PROGRAM_TYPE_NAME ||
        a == PLOYI_PROGRAM_TYPE_ID) {
        ployi_emit(compiler, PLOYI_OP_SAME, op == PLOYI_EXPRESSION_DIFFERENT, to, left, right);
    } else if (text && text_b) {
        ployi_emit(compiler, PLOYI_OP_TEXT, op - (int32_t)PLOYI_EXPRESSION_EQUAL, to, left, right);
    } else if (text || text_b) {
        ployi_emit(compiler, PLOYI_OP_MIXED,
                   (op - (int32_t)PLOYI_EXPRESSION_EQUAL) | (text ? 0 : 8), to, text ? left : right,
                   text ? right : left);
    } else {
        bool turned = op == PLOYI_EXPRESSION_GREATER || op == PLOYI_EXPRESSION_GREATER_EQUAL;
        ployi_op code = op == PLOYI_EXPRESSION_EQUAL       ? PLOYI_OP_EQ
                        : op == PLOYI_EXPRESSION_DIFFERENT ? PLOYI_OP_NE
                        : op == PLOYI_EXPRESSION_LESS || op == PLOYI_EXPRESSION_GREATER
                            ? PLOYI_OP_LT
                            : PLOYI_OP_LE;
        ployi_emit(compiler, code, 0, to, turned ? right : left, turned ? left : right);
    }
}

// A comparison into `to`; the register of its right side is returned for the next of a chain.
// Failed parts of a chain jump to the end: *jumps counts them.
static int32_t compile_chain(ployi_compiler *compiler, const ployi_expression_node *at, int32_t to,
                             int32_t jumps[PLOY_EXPRESSION_DEPTH_MAX], int32_t *count) {
    const ployi_expression_node *right = compile_at(compiler, at->b);
    const ployi_expression_node *left = compile_at(compiler, at->a);
    bool names = left->type == PLOYI_PROGRAM_TYPE_NAME || right->type == PLOYI_PROGRAM_TYPE_NAME;
    int32_t a;
    uint16_t type = left->type;
    if (at->chained) {
        a = compile_chain(compiler, left, to, jumps, count);
        type = compile_at(compiler, left->b)->type;
        jumps[(*count)++] = ployi_emit(compiler, PLOYI_OP_JF, 0, to, 0, 0);
    } else if (names) {
        a = compile_hash(compiler, at->a, -1);
    } else {
        int32_t slots = compile_slots(compiler, type);
        bool copy = compile_assigns(compiler, at->b);
        a = ployi_compile_value(compiler, at->a, copy ? ployi_push_registers(compiler, slots) : -1);
    }
    int32_t b =
        names ? compile_hash(compiler, at->b, -1) : ployi_compile_value(compiler, at->b, -1);
    compile_compare_registers(compiler, at->op, to, a, b, type, right->type);
    return b;
}

static int32_t compile_comparison(ployi_compiler *compiler, const ployi_expression_node *at,
                                  int32_t want) {
    int32_t jumps[PLOY_EXPRESSION_DEPTH_MAX], count = 0;
    int32_t to = at->chained || want < 0 ? ployi_push_registers(compiler, 1) : want;
    (void)compile_chain(compiler, at, to, jumps, &count);
    for (int32_t i = 0; i < count; i++) ployi_patch(compiler, jumps[i]);
    if (want < 0 || want == to) return to;
    compile_move(compiler, want, to, 1);
    return want;
}

static int32_t compile_logic(ployi_compiler *compiler, const ployi_expression_node *at,
                             int32_t want) {
    double number = 0.0;
    // A constant that decides was folded with the whole, so this one does not.
    bool known = compiler->optimize && ployi_compile_constant(compiler, at->a, &number);
    int32_t to = ployi_push_registers(compiler, 1), jump = -1;
    if (!known) {
        ployi_compile_value(compiler, at->a, to);
        jump = ployi_emit(compiler, at->op == PLOYI_EXPRESSION_OR ? PLOYI_OP_JT : PLOYI_OP_JF, 0,
                          to, 0, 0);
    }
    ployi_compile_value(compiler, at->b, to);
    ployi_patch(compiler, jump);
    int32_t end = want >= 0 ? want : to;
    ployi_emit(compiler, PLOYI_OP_TRUTH, 0, end, to, 0);
    if (compile_assigns(compiler, at->b)) ployi_compile_forget(compiler);
    return end;
}

static int32_t compile_choice(ployi_compiler *compiler, const ployi_expression_node *at,
                              int32_t want) {
    double number = 0.0;
    if (ployi_compile_constant(compiler, at->a, &number)) {
        return ployi_compile_value(compiler, number != 0.0 ? at->b : at->c, want);
    }
    int32_t to = compile_target(compiler, want, compile_slots(compiler, at->type));
    bool assigns = compile_assigns(compiler, at->b) || compile_assigns(compiler, at->c);
    int32_t other = ployi_compile_jump(compiler, at->a, false);
    ployi_compile_value(compiler, at->b, to);
    if (assigns) ployi_compile_forget(compiler);
    int32_t end = ployi_emit(compiler, PLOYI_OP_JUMP, 0, 0, 0, 0);
    ployi_patch(compiler, other);
    ployi_compile_value(compiler, at->c, to);
    ployi_patch(compiler, end);
    if (assigns) ployi_compile_forget(compiler);
    return to;
}

static int32_t compile_binary(ployi_compiler *compiler, const ployi_expression_node *at,
                              int32_t want) {
    const ployi_expression_node *a = compile_at(compiler, at->a), *b = compile_at(compiler, at->b);
    ployi_expression_op op = (ployi_expression_op)at->op;
    int32_t to = compile_target(compiler, want, compile_slots(compiler, at->type));
    bool text = at->type == PLOYI_PROGRAM_TYPE_TEXT, vector = at->type >= PLOYI_PROGRAM_TYPE_VEC2;
    bool turned = vector && a->type == PLOYI_PROGRAM_TYPE_NUMBER; // number * vector
    bool copy = compile_assigns(compiler, at->b);
    int32_t left = ployi_compile_value(
        compiler, at->a,
        copy ? ployi_push_registers(compiler, compile_slots(compiler, a->type)) : -1);
    double number = 0.0;
    bool arithmetic = op == PLOYI_EXPRESSION_ADD || op == PLOYI_EXPRESSION_SUBTRACT ||
                      op == PLOYI_EXPRESSION_MULTIPLY || op == PLOYI_EXPRESSION_DIVIDE;
    if (arithmetic && !text && !vector && compiler->optimize &&
        ployi_compile_constant(compiler, at->b, &number)) {
        static const ployi_op constant[] = {PLOYI_OP_ADDK, PLOYI_OP_SUBK, PLOYI_OP_COUNT,
                                            PLOYI_OP_MULK, PLOYI_OP_DIVK};
        ployi_emit(compiler, constant[op - PLOYI_EXPRESSION_ADD], 0, to, left,
                   compile_number(compiler, number));
        return to;
    }
    int32_t right = ployi_compile_value(compiler, at->b, -1);
    if (text) {
        int32_t numbers = (a->type == PLOYI_PROGRAM_TYPE_NUMBER ? 1 : 0) |
                          (b->type == PLOYI_PROGRAM_TYPE_NUMBER ? 2 : 0);
        ployi_emit(compiler, PLOYI_OP_JOIN, numbers, to, left, right);
        return to;
    }
    static const ployi_op plain[] = {PLOYI_OP_OR,  PLOYI_OP_XOR,   PLOYI_OP_AND, PLOYI_OP_ADD,
                                     PLOYI_OP_SUB, PLOYI_OP_COUNT, PLOYI_OP_MUL, PLOYI_OP_DIV};
    static const ployi_op vectors[] = {PLOYI_OP_VADD, PLOYI_OP_VSUB, PLOYI_OP_COUNT, PLOYI_OP_VMUL,
                                       PLOYI_OP_VDIV};
    if (vector) {
        ployi_emit(compiler, vectors[op - PLOYI_EXPRESSION_ADD],
                   at->type == PLOYI_PROGRAM_TYPE_VEC3 ? 3 : 2, to, turned ? right : left,
                   turned ? left : right);
    } else {
        ployi_emit(compiler, plain[op - PLOYI_EXPRESSION_BIT_OR], 0, to, left, right);
    }
    return to;
}

// ---- calls

// A word of a set of conditions, in an expression: numbers side by side.
static int32_t compile_word(ployi_compiler *compiler, const ployi_expression_node *at,
                            int32_t want) {
    const ployi_expression_call *call =
        &PLOY_ARRAY_ITEMS(&compiler->tree->calls, ployi_expression_call)[at->name];
    const int32_t args[] = {at->a, at->b, at->c, at->d};
    int32_t count = call->condition == 0 ? call->count : 0;
    int32_t window = ployi_push_registers(compiler, count > 0 ? count : 1);
    for (int32_t i = 0; i < count; i++) ployi_compile_value(compiler, args[i], window + i);
    ployi_emit(compiler, PLOYI_OP_WORD, count, window, at->name, 0);
    if (want < 0) return window;
    compile_move(compiler, want, window, 1);
    return want;
}

static int32_t compile_record(ployi_compiler *compiler, const ployi_expression_node *at,
                              int32_t want) {
    const ployi_program_checker *checker = compiler->checker;
    const ployi_type *type = &PLOY_ARRAY_ITEMS(&checker->types, ployi_type)[at->symbol];
    int32_t to = compile_target(compiler, want, type->width);
    int32_t offset = 0;
    for (int32_t field = ployi_check_at(checker, type->node)->a; field >= 0;
         field = ployi_check_at(checker, field)->next) {
        const ployi_expression_node *of = ployi_check_at(checker, field);
        ployi_compile_value(compiler, of->a, to + offset);
        offset += compile_slots(compiler, of->type);
    }
    return to;
}

static int32_t compile_list_call(ployi_compiler *compiler, const ployi_expression_node *at,
                                 int32_t want) {
    int32_t list = ployi_check_symbol(compiler->checker, at->symbol)->list;
    int32_t slots = compile_slots(compiler, at->type), to = -1;
    if (at->field == PLOYI_CALL_PUSH) {
        int32_t value = ployi_compile_value(compiler, at->b, -1);
        ployi_emit(compiler, PLOYI_OP_PUSH, 0, value, list, 0);
        return 0;
    }
    if (slots > 0) to = compile_target(compiler, want, slots);
    ployi_emit(compiler,
               at->field == PLOYI_CALL_POP     ? PLOYI_OP_POP
               : at->field == PLOYI_CALL_COUNT ? PLOYI_OP_COUNT_
                                               : PLOYI_OP_CLEAR,
               0, to >= 0 ? to : 0, list, 0);
    return to >= 0 ? to : 0;
}

static int32_t compile_call(ployi_compiler *compiler, const ployi_expression_node *at,
                            int32_t want) {
    if (compiler->checker == NULL) return compile_word(compiler, at, want);
    if (at->field == PLOYI_CALL_RECORD) return compile_record(compiler, at, want);
    if (at->field >= PLOYI_CALL_LIST) return compile_list_call(compiler, at, want);
    const int32_t args[] = {at->a, at->b, at->c, at->d};
    int32_t slots = compile_slots(compiler, at->type), link = at->field == PLOYI_CALL_ROUTINE;
    int32_t size = link;
    for (int32_t i = 0; i < 4 && args[i] >= 0; i++) {
        size += compile_slots(compiler, compile_at(compiler, args[i])->type);
    }
    int32_t window = ployi_push_registers(compiler, size > slots ? size : slots), offset = link;
    for (int32_t i = 0; i < 4 && args[i] >= 0; i++) {
        int32_t top = compiler->top;
        ployi_compile_value(compiler, args[i], window + offset);
        compiler->top = top;
        offset += compile_slots(compiler, compile_at(compiler, args[i])->type);
    }
    ployi_emit(compiler,
               at->field == PLOYI_CALL_ROUTINE ? PLOYI_OP_CALL
               : at->field == PLOYI_CALL_HOST  ? PLOYI_OP_HOST
                                               : PLOYI_OP_BUILTIN,
               0, window, at->symbol, 0);
    if (at->field == PLOYI_CALL_ROUTINE) ployi_compile_forget(compiler);
    if (want < 0 || slots == 0) return window;
    compile_move(compiler, want, window, slots);
    return want;
}

static int32_t compile_index(ployi_compiler *compiler, const ployi_expression_node *at,
                             int32_t want) {
    int32_t list = ployi_check_symbol(compiler->checker, at->symbol)->list;
    bool copy = at->b >= 0 && compile_assigns(compiler, at->b);
    int32_t index =
        ployi_compile_value(compiler, at->a, copy ? ployi_push_registers(compiler, 1) : -1);
    if (at->op == PLOYI_EXPRESSION_SETINDEX) {
        int32_t value = ployi_compile_value(compiler, at->b, want);
        ployi_emit(compiler, PLOYI_OP_SETINDEX, 0, value, list, index);
        return value;
    }
    int32_t to = compile_target(compiler, want, compile_slots(compiler, at->type));
    ployi_emit(compiler, PLOYI_OP_INDEX, 0, to, list, index);
    return to;
}

static int32_t compile_any(ployi_compiler *compiler, int32_t node, int32_t want) {
    const ployi_expression_node *at = compile_at(compiler, node);
    double number = 0.0;
    int32_t to;
    if (at->op == PLOYI_EXPRESSION_NUMBER || (at->type == PLOYI_PROGRAM_TYPE_NUMBER &&
                                              ployi_compile_constant(compiler, node, &number))) {
        if (at->op == PLOYI_EXPRESSION_NUMBER) number = at->number;
        to = compile_target(compiler, want, 1);
        ployi_emit(compiler, PLOYI_OP_LOADK, 1, to, compile_number(compiler, number), 0);
        return to;
    }
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_TEXT:
        to = compile_target(compiler, want, PLOYI_TEXT_SLOTS);
        ployi_emit(compiler, PLOYI_OP_LOADT, 0, to,
                   (int32_t)ployi_code_keep(compiler, compile_chars(compiler, at->text)), 0);
        return to;
    case PLOYI_EXPRESSION_NOTHING:
        to = compile_target(compiler, want, 1);
        ployi_emit(compiler, PLOYI_OP_LOADK, 1, to, ployi_const(compiler, 0), 0);
        return to;
    case PLOYI_EXPRESSION_NAME: return compile_name(compiler, at, want);
    case PLOYI_EXPRESSION_CALL: return compile_call(compiler, at, want);
    case PLOYI_EXPRESSION_MAKE:
    case PLOYI_EXPRESSION_SET: return compile_assign(compiler, at, want);
    case PLOYI_EXPRESSION_INDEX:
    case PLOYI_EXPRESSION_SETINDEX: return compile_index(compiler, at, want);
    case PLOYI_EXPRESSION_CHOOSE: return compile_choice(compiler, at, want);
    case PLOYI_EXPRESSION_OR:
    case PLOYI_EXPRESSION_AND: return compile_logic(compiler, at, want);
    case PLOYI_EXPRESSION_EQUAL:
    case PLOYI_EXPRESSION_DIFFERENT:
    case PLOYI_EXPRESSION_LESS_EQUAL:
    case PLOYI_EXPRESSION_GREATER_EQUAL:
    case PLOYI_EXPRESSION_LESS:
    case PLOYI_EXPRESSION_GREATER: return compile_comparison(compiler, at, want);
    case PLOYI_EXPRESSION_NOT:
    case PLOYI_EXPRESSION_INVERT:
    case PLOYI_EXPRESSION_NEGATE: {
        to = compile_target(compiler, want, compile_slots(compiler, at->type));
        int32_t from = ployi_compile_value(compiler, at->a, -1);
        bool vector = at->type >= PLOYI_PROGRAM_TYPE_VEC2;
        ployi_emit(compiler,
                   at->op == PLOYI_EXPRESSION_NOT      ? PLOYI_OP_NOT
                   : at->op == PLOYI_EXPRESSION_INVERT ? PLOYI_OP_INVERT
                   : vector                            ? PLOYI_OP_VNEG
                                                       : PLOYI_OP_NEG,
                   vector ? (at->type == PLOYI_PROGRAM_TYPE_VEC3 ? 3 : 2) : 0, to, from, 0);
        return to;
    }
    default: return compile_binary(compiler, at, want);
    }
}

// As deep as the tree, which is limited. Registers of parts are free again afterwards.
int32_t ployi_compile_value(ployi_compiler *compiler, int32_t node, int32_t want) {
    int32_t top = compiler->top;
    int32_t made = compile_any(compiler, node, want);
    int32_t end = made + compile_slots(compiler, compile_at(compiler, node)->type);
    compiler->top = want < 0 && made >= top && end > top ? end : top;
    return made;
}

int32_t ployi_compile_jump(ployi_compiler *compiler, int32_t node, bool when) {
    const ployi_expression_node *at = compile_at(compiler, node);
    double number = 0.0;
    if (ployi_compile_constant(compiler, node, &number) && compiler->optimize) {
        return (number != 0.0) == when ? ployi_emit(compiler, PLOYI_OP_JUMP, 0, 0, 0, 0) : -1;
    }
    if (at->op == PLOYI_EXPRESSION_NOT) return ployi_compile_jump(compiler, at->a, !when);
    bool compares = at->op >= PLOYI_EXPRESSION_EQUAL && at->op <= PLOYI_EXPRESSION_GREATER;
    int32_t top = compiler->top, jump;
    if (compares && !at->chained && !when &&
        compile_at(compiler, at->a)->type == PLOYI_PROGRAM_TYPE_NUMBER &&
        compile_at(compiler, at->b)->type == PLOYI_PROGRAM_TYPE_NUMBER) {
        static const struct {
            ployi_op registers, constant;
            bool turned;
        } rows[] = {{PLOYI_OP_JNEQ, PLOYI_OP_JNEQK, false}, {PLOYI_OP_JNNE, PLOYI_OP_JNNEK, false},
                    {PLOYI_OP_JNLE, PLOYI_OP_JNLEK, false}, {PLOYI_OP_JNLE, PLOYI_OP_JNGEK, true},
                    {PLOYI_OP_JNLT, PLOYI_OP_JNLTK, false}, {PLOYI_OP_JNLT, PLOYI_OP_JNGTK, true}};
        int32_t row = at->op - PLOYI_EXPRESSION_EQUAL;
        bool copy = compile_assigns(compiler, at->b);
        int32_t left =
            ployi_compile_value(compiler, at->a, copy ? ployi_push_registers(compiler, 1) : -1);
        if (compiler->optimize && ployi_compile_constant(compiler, at->b, &number)) {
            jump = ployi_emit(compiler, rows[row].constant, 0, left,
                              compile_number(compiler, number), 0);
        } else {
            int32_t right = ployi_compile_value(compiler, at->b, -1);
            jump = ployi_emit(compiler, rows[row].registers, 0, rows[row].turned ? right : left,
                              rows[row].turned ? left : right, 0);
        }
    } else {
        int32_t value = ployi_compile_value(compiler, node, -1);
        jump = ployi_emit(compiler, when ? PLOYI_OP_JT : PLOYI_OP_JF, 0, value, 0, 0);
    }
    compiler->top = top;
    return jump;
}
