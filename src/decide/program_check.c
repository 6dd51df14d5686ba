// Types of operators, for expressions and programs, and of names and calls in programs.
#include <string.h>

#include "decide/decide_internal.h"
#include "decide/program_check.h"

const struct ployi_builtin_row ployi_builtins[PLOYI_BUILTIN_COUNT] = {
    {"abs", {PLOYI_PROGRAM_TYPE_NUMBER}, 1, PLOYI_PROGRAM_TYPE_NUMBER},
    {"floor", {PLOYI_PROGRAM_TYPE_NUMBER}, 1, PLOYI_PROGRAM_TYPE_NUMBER},
    {"sqrt", {PLOYI_PROGRAM_TYPE_NUMBER}, 1, PLOYI_PROGRAM_TYPE_NUMBER},
    {"min", {PLOYI_PROGRAM_TYPE_NUMBER, PLOYI_PROGRAM_TYPE_NUMBER}, 2, PLOYI_PROGRAM_TYPE_NUMBER},
    {"max", {PLOYI_PROGRAM_TYPE_NUMBER, PLOYI_PROGRAM_TYPE_NUMBER}, 2, PLOYI_PROGRAM_TYPE_NUMBER},
    {"vec2", {PLOYI_PROGRAM_TYPE_NUMBER, PLOYI_PROGRAM_TYPE_NUMBER}, 2, PLOYI_PROGRAM_TYPE_VEC2},
    {"vec3",
     {PLOYI_PROGRAM_TYPE_NUMBER, PLOYI_PROGRAM_TYPE_NUMBER, PLOYI_PROGRAM_TYPE_NUMBER},
     3,
     PLOYI_PROGRAM_TYPE_VEC3},
    {"length", {PLOYI_PROGRAM_TYPE_VEC2}, 1, PLOYI_PROGRAM_TYPE_NUMBER},
    {"length", {PLOYI_PROGRAM_TYPE_VEC3}, 1, PLOYI_PROGRAM_TYPE_NUMBER},
    {"dot", {PLOYI_PROGRAM_TYPE_VEC2, PLOYI_PROGRAM_TYPE_VEC2}, 2, PLOYI_PROGRAM_TYPE_NUMBER},
    {"dot", {PLOYI_PROGRAM_TYPE_VEC3, PLOYI_PROGRAM_TYPE_VEC3}, 2, PLOYI_PROGRAM_TYPE_NUMBER},
    {"now", {0}, 0, PLOYI_PROGRAM_TYPE_NUMBER},
    {"tick", {0}, 0, PLOYI_PROGRAM_TYPE_NUMBER},
    {"random", {0}, 0, PLOYI_PROGRAM_TYPE_NUMBER},
};

static const char *const check_list_words[] = {"list", "push", "pop", "count", "clear"};

ployi_expression_node *ployi_check_at(const ployi_program_checker *checker, int32_t node) {
    return &PLOY_ARRAY_ITEMS(&checker->tree->nodes, ployi_expression_node)[node];
}

ployi_symbol *ployi_check_symbol(const ployi_program_checker *checker, int32_t symbol) {
    return &PLOY_ARRAY_ITEMS(&checker->symbols, ployi_symbol)[symbol];
}

const char *ployi_check_name(const ployi_program_checker *checker, int32_t name) {
    return PLOY_ARRAY_ITEMS(&checker->tree->texts, char) +
           PLOY_ARRAY_ITEMS(&checker->tree->names, ployi_expression_name)[name].text;
}

void ployi_check_fault(ployi_program_checker *checker, uint32_t at, ploy_result code,
                       const char *message, const char *expected, const char *nearest) {
    if (!checker->reports) return;
    int32_t line, column;
    ployi_expression_place(checker->tree, at, &line, &column);
    ploy_diags_add(checker->diags, PLOY_SEVERITY_ERROR, code,
                   PLOY_ARRAY_ITEMS(&checker->tree->texts, char) + checker->tree->source, line,
                   column, message, expected, nearest);
    if (checker->result == PLOY_OK) checker->result = code;
}

static void check_wrong(ployi_program_checker *checker, const ployi_expression_node *at,
                        const char *message, const char *expected) {
    ployi_check_fault(checker, at->at, PLOY_ERR_ARGUMENT, message, expected, NULL);
}

int32_t ployi_kind_slots(uint8_t kind) {
    switch (kind) {
    case PLOYI_PROGRAM_TYPE_TEXT: return PLOYI_TEXT_SLOTS;
    case PLOYI_PROGRAM_TYPE_VEC3: return 2;
    case PLOYI_PROGRAM_TYPE_NONE:
    case PLOYI_PROGRAM_TYPE_VOID: return 0;
    default: return 1;
    }
}

int32_t ployi_type_slots(const ployi_program_checker *checker, uint16_t type) {
    if (type < PLOYI_PROGRAM_TYPE_FIRST) return ployi_kind_slots((uint8_t)type);
    return PLOY_ARRAY_ITEMS(&checker->types, ployi_type)[type - PLOYI_PROGRAM_TYPE_FIRST].width;
}

const ployi_type *ployi_check_type(const ployi_program_checker *checker, uint16_t type,
                                   uint8_t kind) {
    if (type < PLOYI_PROGRAM_TYPE_FIRST) return NULL;
    const ployi_type *of =
        &PLOY_ARRAY_ITEMS(&checker->types, ployi_type)[type - PLOYI_PROGRAM_TYPE_FIRST];
    return of->kind == kind ? of : NULL;
}

// ---- operators

// A ploy_name has lost its letters: it is only compared with another or with what was quoted.
static bool check_fits_name(const ployi_expression_node *at) {
    return (at->op == PLOYI_EXPRESSION_NAME && at->type == PLOYI_PROGRAM_TYPE_NAME) ||
           at->op == PLOYI_EXPRESSION_TEXT;
}

// Operators on ids, vectors and what programs alone have. @return the type, NONE after a fault.
static uint16_t check_rich(ployi_program_checker *checker, const ployi_expression_node *at,
                           uint16_t a, uint16_t b, uint16_t c) {
    bool vec = a == PLOYI_PROGRAM_TYPE_VEC2 || a == PLOYI_PROGRAM_TYPE_VEC3;
    bool vec_b = b == PLOYI_PROGRAM_TYPE_VEC2 || b == PLOYI_PROGRAM_TYPE_VEC3;
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_EQUAL:
    case PLOYI_EXPRESSION_DIFFERENT:
        if (a == PLOYI_PROGRAM_TYPE_ID && b == PLOYI_PROGRAM_TYPE_ID && !at->chained)
            return PLOYI_PROGRAM_TYPE_NUMBER;
        break;
    case PLOYI_EXPRESSION_ADD:
    case PLOYI_EXPRESSION_SUBTRACT:
        if (vec && a == b) return a;
        break;
    case PLOYI_EXPRESSION_MULTIPLY:
        if (vec && b == PLOYI_PROGRAM_TYPE_NUMBER) return a;
        if (vec_b && a == PLOYI_PROGRAM_TYPE_NUMBER) return b;
        break;
    case PLOYI_EXPRESSION_DIVIDE:
        if (vec && b == PLOYI_PROGRAM_TYPE_NUMBER) return a;
        break;
    case PLOYI_EXPRESSION_NEGATE:
        if (vec) return a;
        break;
    case PLOYI_EXPRESSION_CHOOSE:
        if (a == PLOYI_PROGRAM_TYPE_NUMBER && b == c && b < PLOYI_PROGRAM_TYPE_VOID) return b;
        break;
    default: break;
    }
    check_wrong(checker, at, "the operator does not accept these types", NULL);
    return PLOYI_PROGRAM_TYPE_NONE;
}

// The type of an assignment's value, with its target's.
static void check_assignment(ployi_program_checker *checker, const ployi_expression_node *at,
                             uint16_t target, uint16_t value) {
    bool rich = value >= PLOYI_PROGRAM_TYPE_ID || target >= PLOYI_PROGRAM_TYPE_ID;
    bool text = value == PLOYI_PROGRAM_TYPE_TEXT || value == PLOYI_PROGRAM_TYPE_NAME;
    bool wants = target == PLOYI_PROGRAM_TYPE_TEXT || target == PLOYI_PROGRAM_TYPE_NAME;
    const ployi_expression_node *from = ployi_check_at(checker, at->a);
    if (rich && target != value) {
        check_wrong(checker, at, "a name keeps its type", NULL);
    } else if (!rich && wants != text) {
        check_wrong(checker, at, "a name keeps its type", wants ? "a text" : "a number");
    } else if ((target == PLOYI_PROGRAM_TYPE_NAME) != (value == PLOYI_PROGRAM_TYPE_NAME) &&
               (value == PLOYI_PROGRAM_TYPE_NAME || !check_fits_name(from))) {
        check_wrong(checker, at, "a name is assigned from a name or a quoted text", NULL);
    }
}

void ployi_check_operator(ployi_program_checker *checker, int32_t node, uint16_t target) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    const int32_t below[3] = {at->a, at->b, at->c};
    uint16_t types[3] = {PLOYI_PROGRAM_TYPE_NONE, PLOYI_PROGRAM_TYPE_NONE, PLOYI_PROGRAM_TYPE_NONE};
    bool text[3] = {false, false, false}, named = false, rich = false, unknown = false;
    for (int32_t i = 0; i < 3 && below[i] >= 0; i++) {
        types[i] = ployi_check_at(checker, below[i])->type;
        text[i] = types[i] == PLOYI_PROGRAM_TYPE_TEXT || types[i] == PLOYI_PROGRAM_TYPE_NAME;
        named = named || types[i] == PLOYI_PROGRAM_TYPE_NAME;
        rich = rich || types[i] >= PLOYI_PROGRAM_TYPE_ID;
        unknown = unknown || types[i] == PLOYI_PROGRAM_TYPE_NONE;
    }
    bool same = at->op == PLOYI_EXPRESSION_ADD || at->op == PLOYI_EXPRESSION_SUBTRACT ||
                at->op == PLOYI_EXPRESSION_MULTIPLY || at->op == PLOYI_EXPRESSION_DIVIDE ||
                at->op == PLOYI_EXPRESSION_NEGATE;
    at->type = PLOYI_PROGRAM_TYPE_NUMBER;
    if (at->op == PLOYI_EXPRESSION_JOIN) at->type = PLOYI_PROGRAM_TYPE_TEXT;
    if (same && text[0]) at->type = PLOYI_PROGRAM_TYPE_TEXT;
    if (at->op == PLOYI_EXPRESSION_CHOOSE) {
        at->type = types[1] != PLOYI_PROGRAM_TYPE_NONE ? types[1] : types[2];
    }
    if (unknown) { // while a program's types are inferred; a fault is reported elsewhere
        if (same) at->type = types[0] != PLOYI_PROGRAM_TYPE_NONE ? types[0] : types[1];
        return;
    }
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_MAKE:
    case PLOYI_EXPRESSION_SET:
        at->type = types[0];
        if (target != PLOYI_PROGRAM_TYPE_NONE) check_assignment(checker, at, target, types[0]);
        return;
    default: break;
    }
    if (rich) {
        at->type = check_rich(checker, at, types[0], types[1], types[2]);
        return;
    }
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_EQUAL:
    case PLOYI_EXPRESSION_DIFFERENT:
        if (named && (at->chained || !check_fits_name(ployi_check_at(checker, at->a)) ||
                      !check_fits_name(ployi_check_at(checker, at->b)))) {
            check_wrong(checker, at, "a name is compared with a name or a quoted text", NULL);
        }
        return;
    case PLOYI_EXPRESSION_CHOOSE:
        if (text[0]) {
            check_wrong(checker, at, "a choice needs a truth", NULL);
            return;
        }
        if (text[1] != text[2]) {
            check_wrong(checker, at, "both sides of a choice are of one type", NULL);
            return;
        }
        break;
    case PLOYI_EXPRESSION_LESS:
    case PLOYI_EXPRESSION_GREATER:
    case PLOYI_EXPRESSION_LESS_EQUAL:
    case PLOYI_EXPRESSION_GREATER_EQUAL:
    case PLOYI_EXPRESSION_JOIN: break;
    case PLOYI_EXPRESSION_ADD:
        if (text[0] != text[1]) {
            check_wrong(checker, at, "a text and a number do not add up", "'..' joins them");
            return;
        }
        break;
    default:
        if (text[0] || text[1]) {
            check_wrong(checker, at, "expected numbers", NULL);
            return;
        }
        break;
    }
    if (named) check_wrong(checker, at, "a name can only be compared for equality", NULL);
}

// ---- names

static ploy_result check_out(ployi_program_checker *checker, ploy_result result) {
    if (result != PLOY_OK) checker->result = result;
    return result;
}

int32_t ployi_check_add_symbol(ployi_program_checker *checker, int32_t name, uint8_t where,
                               uint16_t type) {
    ployi_symbol symbol;
    memset(&symbol, 0, sizeof symbol);
    symbol.name = name;
    symbol.where = where;
    symbol.type = type;
    symbol.owner = where == PLOYI_WHERE_LOCAL ? checker->routine : -1;
    symbol.list = symbol.variable = -1;
    if (checker->symbols.count >= PLOYI_SLOTS_MAX) {
        check_out(checker, PLOY_ERR_LIMIT);
        return -1;
    }
    if (check_out(checker, ploy_array_push(&checker->symbols, &symbol)) != PLOY_OK) return -1;
    return checker->symbols.count - 1;
}

static bool check_is(const ployi_program_checker *checker, int32_t symbol, const char *text,
                     size_t size) {
    const ployi_symbol *at = ployi_check_symbol(checker, symbol);
    if (at->name < 0) return false;
    const char *name = ployi_check_name(checker, at->name);
    return strlen(name) == size && memcmp(name, text, size) == 0;
}

// A key of the layout as a symbol, made when it is first named.
static int32_t check_key(ployi_program_checker *checker, int32_t name, const char *text,
                         size_t size) {
    const ploy_blackboard_layout *layout = checker->scope->layout;
    char copy[PLOY_BLACKBOARD_NAME_MAX + 1];
    if (layout == NULL || size > PLOY_BLACKBOARD_NAME_MAX) return -1;
    memcpy(copy, text, size);
    copy[size] = 0;
    ploy_slot slot = ploy_blackboard_layout_find(layout, copy);
    if (ploy_slot_is_none(slot)) return -1;
    ploy_value_type type = ploy_blackboard_layout_type(layout, slot);
    static const uint8_t types[] = {
        PLOYI_PROGRAM_TYPE_NONE,   PLOYI_PROGRAM_TYPE_NUMBER, PLOYI_PROGRAM_TYPE_NUMBER,
        PLOYI_PROGRAM_TYPE_NUMBER, PLOYI_PROGRAM_TYPE_NUMBER, PLOYI_PROGRAM_TYPE_NUMBER,
        PLOYI_PROGRAM_TYPE_VEC2,   PLOYI_PROGRAM_TYPE_VEC3,   PLOYI_PROGRAM_TYPE_NONE,
        PLOYI_PROGRAM_TYPE_ID,     PLOYI_PROGRAM_TYPE_NAME,   PLOYI_PROGRAM_TYPE_TEXT};
    if (types[type] == PLOYI_PROGRAM_TYPE_NONE) return -1;
    // A dotted prefix of a name is not one of the tree's names: it is looked up by its key.
    ployi_key key = {0, (uint8_t)type, slot};
    int32_t index = 0;
    for (; index < checker->code->keys.count; index++) {
        if (PLOY_ARRAY_ITEMS(&checker->code->keys, ployi_key)[index].slot.number == slot.number) {
            break;
        }
    }
    if (index == checker->code->keys.count) {
        key.name = (uint32_t)checker->code->texts.count;
        if (check_out(checker, ploy_array_push_many(&checker->code->texts, copy,
                                                    (int32_t)size + 1)) != PLOY_OK ||
            check_out(checker, ploy_array_push(&checker->code->keys, &key)) != PLOY_OK) {
            return -1;
        }
    }
    for (int32_t i = 0; i < checker->symbols.count; i++) {
        const ployi_symbol *known = ployi_check_symbol(checker, i);
        if (known->where == PLOYI_WHERE_KEY && known->slot == index) return i;
    }
    int32_t made = ployi_check_add_symbol(checker, name, PLOYI_WHERE_KEY, types[type]);
    if (made >= 0) ployi_check_symbol(checker, made)->slot = (uint16_t)index;
    return made;
}

static int32_t check_find(ployi_program_checker *checker, int32_t name, const char *text,
                          size_t size) {
    const int32_t *scoped = PLOY_ARRAY_ITEMS(&checker->scoped, int32_t);
    for (int32_t i = checker->scoped.count; i-- > 0;) {
        if (check_is(checker, scoped[i], text, size)) return scoped[i];
    }
    for (int32_t i = 0; i < checker->symbols.count; i++) {
        if (ployi_check_symbol(checker, i)->where == PLOYI_WHERE_GLOBAL &&
            check_is(checker, i, text, size)) {
            return i;
        }
    }
    return check_key(checker, name, text, size);
}

// A field of a record; sets its offset. @return its KEEP node, or -1.
static int32_t check_field(const ployi_program_checker *checker, const ployi_type *record,
                           const char *text, size_t size, int32_t *offset) {
    *offset = 0;
    for (int32_t at = ployi_check_at(checker, record->node)->a; at >= 0;
         at = ployi_check_at(checker, at)->next) {
        const ployi_expression_node *field = ployi_check_at(checker, at);
        const char *name = ployi_check_name(checker, field->name);
        if (strlen(name) == size && memcmp(name, text, size) == 0) return at;
        *offset += ployi_type_slots(checker, field->type);
    }
    return -1;
}

bool ployi_check_resolve(ployi_program_checker *checker, ployi_expression_node *at) {
    const char *text = ployi_check_name(checker, at->name);
    size_t size = strlen(text);
    at->field = at->component = 0;
    at->symbol = check_find(checker, at->name, text, size);
    const char *dot = memchr(text, '.', size);
    if (at->symbol < 0 && dot != NULL) {
        at->symbol = check_find(checker, at->name, text, (size_t)(dot - text));
    } else {
        dot = NULL;
    }
    if (at->symbol < 0) {
        at->type = PLOYI_PROGRAM_TYPE_NONE;
        return false;
    }
    at->type = ployi_check_symbol(checker, at->symbol)->type;
    while (dot != NULL) {
        const char *part = dot + 1;
        dot = strchr(part, '.');
        size_t length = dot != NULL ? (size_t)(dot - part) : strlen(part);
        const ployi_type *record = ployi_check_type(checker, at->type, PLOYI_PROGRAM_TYPE_RECORD);
        int32_t offset = 0, field = -1;
        if (record != NULL) field = check_field(checker, record, part, length, &offset);
        int32_t sides = at->component != 0                    ? 0
                        : at->type == PLOYI_PROGRAM_TYPE_VEC2 ? 2
                        : at->type == PLOYI_PROGRAM_TYPE_VEC3 ? 3
                                                              : 0;
        if (field >= 0) {
            at->field = (uint8_t)(at->field + offset);
            at->type = ployi_check_at(checker, field)->type;
        } else if (length == 1 && part[0] >= 'x' && part[0] < 'x' + sides) {
            at->component = (uint8_t)(part[0] - 'x' + 1);
            at->type = PLOYI_PROGRAM_TYPE_NUMBER;
        } else {
            if (at->type != PLOYI_PROGRAM_TYPE_NONE) {
                char message[PLOY_DIAG_TEXT_MAX];
                ploy_nearest nearest = ploy_nearest_make(part);
                for (int32_t of = record != NULL ? ployi_check_at(checker, record->node)->a : -1;
                     of >= 0; of = ployi_check_at(checker, of)->next) {
                    const ployi_expression_node *known = ployi_check_at(checker, of);
                    ploy_nearest_offer(&nearest, ployi_check_name(checker, known->name));
                }
                ployi_build_join("unknown field", part, message);
                ployi_check_fault(checker, at->at, PLOY_ERR_NOT_FOUND, message, NULL, nearest.best);
            }
            at->type = PLOYI_PROGRAM_TYPE_NONE;
            return true;
        }
    }
    return true;
}

void ployi_check_unknown(ployi_program_checker *checker, uint32_t at, const char *text, bool call) {
    if (!checker->reports) return;
    ploy_nearest nearest = ploy_nearest_make(text);
    const int32_t *scoped = PLOY_ARRAY_ITEMS(&checker->scoped, int32_t);
    for (int32_t i = 0; i < checker->symbols.count && !call; i++) {
        const ployi_symbol *symbol = ployi_check_symbol(checker, i);
        bool seen = symbol->where != PLOYI_WHERE_LOCAL;
        for (int32_t k = 0; k < checker->scoped.count; k++) seen = seen || scoped[k] == i;
        if (seen && symbol->name >= 0) {
            ploy_nearest_offer(&nearest, ployi_check_name(checker, symbol->name));
        }
    }
    const ploy_blackboard_layout *layout = checker->scope->layout;
    int32_t keys = layout != NULL ? ploy_blackboard_layout_count(layout) : 0;
    for (int32_t i = 0; i < keys && !call; i++) {
        ploy_slot slot = {(uint32_t)i + 1};
        ploy_nearest_offer(&nearest, ploy_blackboard_layout_name(layout, slot));
    }
    if (checker->program && !call) { // statements of one word
        ploy_nearest_offer(&nearest, "yield");
        ploy_nearest_offer(&nearest, "return");
        ploy_nearest_offer(&nearest, "monitor");
    }
    for (int32_t i = 0; i < checker->tree->nodes.count && call; i++) {
        const ployi_expression_node *node = ployi_check_at(checker, i);
        if (node->op == PLOYI_EXPRESSION_FUNCTION || node->op == PLOYI_EXPRESSION_RECORD) {
            ploy_nearest_offer(&nearest, ployi_check_name(checker, node->name));
        }
    }
    for (int32_t i = 0; i < PLOYI_BUILTIN_COUNT && call; i++) {
        ploy_nearest_offer(&nearest, ployi_builtins[i].name);
    }
    for (int32_t i = 0; i < 5 && call; i++) ploy_nearest_offer(&nearest, check_list_words[i]);
    for (int32_t i = 0; i < checker->code->hosts.count && call; i++) {
        const ployi_host *host = &PLOY_ARRAY_ITEMS(&checker->code->hosts, ployi_host)[i];
        ploy_nearest_offer(&nearest, ployi_code_text(checker->code, host->name));
    }
    char message[PLOY_DIAG_TEXT_MAX];
    ployi_build_join(call ? "unknown function" : "unknown name", text, message);
    ployi_check_fault(checker, at, PLOY_ERR_NOT_FOUND, message, NULL, nearest.best);
}

// ---- calls

const char *ployi_check_callee(const ployi_program_checker *checker,
                               const ployi_expression_node *at, int32_t *count) {
    const ployi_expression_call *call =
        &PLOY_ARRAY_ITEMS(&checker->tree->calls, ployi_expression_call)[at->name];
    *count = call->count;
    return PLOY_ARRAY_ITEMS(&checker->tree->texts, char) + call->text;
}

static void check_count(ployi_program_checker *checker, const ployi_expression_node *at,
                        int32_t found, int32_t wanted) {
    if (found != wanted) check_wrong(checker, at, "wrong number of arguments", NULL);
}

static void check_arg(ployi_program_checker *checker, int32_t node, uint16_t wanted) {
    const ployi_expression_node *at = ployi_check_at(checker, node);
    if (at->type == wanted || at->type == PLOYI_PROGRAM_TYPE_NONE ||
        wanted == PLOYI_PROGRAM_TYPE_NONE)
        return;
    static const char *const texts[] = {NULL,    "a number", "a text", "a name",
                                        "an id", "a vec2",   "a vec3", NULL};
    check_wrong(checker, at, "an argument has the wrong type",
                wanted < PLOYI_PROGRAM_TYPE_FIRST ? texts[wanted] : NULL);
}

// push(xs, v), pop(xs), count(xs), clear(xs). The list is a name.
static void check_list_call(ployi_program_checker *checker, ployi_expression_node *at, int32_t word,
                            int32_t count) {
    check_count(checker, at, count, word == PLOYI_CALL_PUSH ? 2 : 1);
    at->field = (uint8_t)word;
    at->type = PLOYI_PROGRAM_TYPE_VOID;
    const ployi_expression_node *list = count > 0 ? ployi_check_at(checker, at->a) : NULL;
    const ployi_type *type =
        list != NULL ? ployi_check_type(checker, list->type, PLOYI_PROGRAM_TYPE_LIST) : NULL;
    if (type == NULL || list->op != PLOYI_EXPRESSION_NAME) {
        if (list == NULL || list->type != PLOYI_PROGRAM_TYPE_NONE) {
            check_wrong(checker, at, "the first argument is not a list", "the name of a list");
        }
        return;
    }
    at->symbol = list->symbol;
    if (word == PLOYI_CALL_PUSH && count == 2) check_arg(checker, at->b, type->item);
    if (word == PLOYI_CALL_POP) at->type = type->item;
    if (word == PLOYI_CALL_COUNT) at->type = PLOYI_PROGRAM_TYPE_NUMBER;
}

static void check_routine_call(ployi_program_checker *checker, ployi_expression_node *at,
                               int32_t routine, int32_t count) {
    ployi_routine *of = &PLOY_ARRAY_ITEMS(&checker->routines, ployi_routine)[routine];
    const int32_t args[] = {at->a, at->b, at->c, at->d};
    check_count(checker, at, count, of->count);
    at->field = PLOYI_CALL_ROUTINE;
    at->symbol = routine;
    for (int32_t i = 0; i < count && i < of->count; i++) {
        uint16_t type = ployi_check_at(checker, args[i])->type;
        if (of->params[i] == PLOYI_PROGRAM_TYPE_NONE && type != PLOYI_PROGRAM_TYPE_NONE) {
            of->params[i] = type;
            checker->changed = true;
        }
        if (type == PLOYI_PROGRAM_TYPE_VOID ||
            ployi_check_type(checker, type, PLOYI_PROGRAM_TYPE_LIST) != NULL) {
            check_wrong(checker, ployi_check_at(checker, args[i]), "an argument has no value",
                        NULL);
        }
        check_arg(checker, args[i], of->params[i]);
    }
    at->type = of->result;
}

void ployi_check_call(ployi_program_checker *checker, int32_t node) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    int32_t count = 0;
    const char *name = ployi_check_callee(checker, at, &count);
    const int32_t args[] = {at->a, at->b, at->c, at->d};
    if (strcmp(name, "list") == 0) {
        check_wrong(checker, at, "unexpected list", "'local xs = list(8)' or 'keep'");
        at->type = PLOYI_PROGRAM_TYPE_NONE;
        return;
    }
    for (int32_t i = 0; i < count; i++) ployi_check_value(checker, args[i]);
    for (int32_t i = 1; i < 5; i++) {
        if (strcmp(name, check_list_words[i]) == 0) {
            check_list_call(checker, at, PLOYI_CALL_LIST + i, count);
            return;
        }
    }
    for (int32_t i = 1; i < checker->routines.count; i++) {
        const ployi_routine *of = &PLOY_ARRAY_ITEMS(&checker->routines, ployi_routine)[i];
        const ployi_expression_node *function = ployi_check_at(checker, of->node);
        if (strcmp(ployi_check_name(checker, function->name), name) != 0) continue;
        check_routine_call(checker, at, i, count);
        return;
    }
    for (int32_t i = 0; i < checker->types.count; i++) {
        const ployi_type *type = &PLOY_ARRAY_ITEMS(&checker->types, ployi_type)[i];
        if (type->kind != PLOYI_PROGRAM_TYPE_RECORD ||
            strcmp(ployi_check_name(checker, ployi_check_at(checker, type->node)->name), name) !=
                0) {
            continue;
        }
        check_count(checker, at, count, 0);
        at->field = PLOYI_CALL_RECORD;
        at->symbol = i;
        at->type = (uint16_t)(PLOYI_PROGRAM_TYPE_FIRST + i);
        return;
    }
    for (int32_t i = 0; i < checker->code->hosts.count; i++) {
        const ployi_host *host = &PLOY_ARRAY_ITEMS(&checker->code->hosts, ployi_host)[i];
        if (strcmp(ployi_code_text(checker->code, host->name), name) != 0) continue;
        check_count(checker, at, count, host->count);
        for (int32_t k = 0; k < count && k < host->count; k++) {
            check_arg(checker, args[k], host->args[k]);
        }
        at->field = PLOYI_CALL_HOST;
        at->symbol = i;
        at->type = host->result;
        return;
    }
    for (int32_t i = 0; i < PLOYI_BUILTIN_COUNT; i++) {
        if (strcmp(ployi_builtins[i].name, name) != 0) continue;
        // The forms for vectors of three follow those for two.
        bool third = count > 0 && ployi_check_at(checker, args[0])->type == PLOYI_PROGRAM_TYPE_VEC3;
        if (ployi_builtins[i].args[0] == PLOYI_PROGRAM_TYPE_VEC2 && third) i++;
        check_count(checker, at, count, ployi_builtins[i].count);
        for (int32_t k = 0; k < count && k < ployi_builtins[i].count; k++) {
            check_arg(checker, args[k], ployi_builtins[i].args[k]);
        }
        at->field = PLOYI_CALL_BUILTIN;
        at->symbol = i;
        at->type = ployi_builtins[i].result;
        return;
    }
    ployi_check_unknown(checker, at->at, name, true);
    at->type = PLOYI_PROGRAM_TYPE_NONE;
}
