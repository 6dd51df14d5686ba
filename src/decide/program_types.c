// Checking programs: scopes and statements. Types are inferred by repeating the check until nothing
// changes; the last round reports faults.
#include <string.h>

#include "decide/decide_internal.h"
#include "decide/program_check.h"
#include "ploy/base/hash.h"

static void types_block(ployi_program_checker *checker, int32_t first);

static void types_wrong(ployi_program_checker *checker, uint32_t at, const char *message,
                        const char *expected) {
    ployi_check_fault(checker, at, PLOY_ERR_ARGUMENT, message, expected, NULL);
}

static void types_set(ployi_program_checker *checker, uint16_t *type, uint16_t found) {
    if (*type != PLOYI_PROGRAM_TYPE_NONE || found == PLOYI_PROGRAM_TYPE_NONE) return;
    *type = found;
    checker->changed = true;
}

// A value that a variable can have.
static void types_storable(ployi_program_checker *checker, const ployi_expression_node *value) {
    if (value->type == PLOYI_PROGRAM_TYPE_VOID || value->type == PLOYI_PROGRAM_TYPE_NAME) {
        types_wrong(checker, value->at, "expected a value", NULL);
    } else if (ployi_check_type(checker, value->type, PLOYI_PROGRAM_TYPE_LIST) != NULL) {
        types_wrong(checker, value->at, "a list is not copied", NULL);
    }
}

static void types_assign(ployi_program_checker *checker, int32_t node) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    ployi_check_value(checker, at->a);
    uint16_t value = ployi_check_at(checker, at->a)->type;
    bool known = ployi_check_resolve(checker, at);
    const char *name = ployi_check_name(checker, at->name);
    if (!known && at->op == PLOYI_EXPRESSION_MAKE && strchr(name, '.') == NULL) {
        at->symbol = ployi_check_add_symbol(checker, at->name, PLOYI_WHERE_GLOBAL, value);
        checker->changed = true;
        known = at->symbol >= 0;
        types_storable(checker, ployi_check_at(checker, at->a));
    } else if (!known) {
        ployi_check_unknown(checker, at->at, name, false);
    }
    if (!known) {
        at->type = PLOYI_PROGRAM_TYPE_NONE;
        return;
    }
    ployi_symbol *symbol = ployi_check_symbol(checker, at->symbol);
    bool whole = strchr(name, '.') == NULL || symbol->where == PLOYI_WHERE_KEY;
    if (whole && at->component == 0) types_set(checker, &symbol->type, value);
    uint16_t target = at->component != 0 || at->field != 0 || !whole ? at->type : symbol->type;
    if (at->component != 0 && symbol->where == PLOYI_WHERE_KEY) {
        types_wrong(checker, at->at, "a component of a key cannot be assigned", "the whole vector");
    }
    if (ployi_check_type(checker, target, PLOYI_PROGRAM_TYPE_LIST) != NULL) {
        types_wrong(checker, at->at, "a list is not assigned", "push(), or xs[i] = value");
    }
    ployi_check_operator(checker, node, target);
}

static void types_index(ployi_program_checker *checker, int32_t node) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    ployi_check_value(checker, at->a);
    if (at->b >= 0) ployi_check_value(checker, at->b);
    uint16_t index = ployi_check_at(checker, at->a)->type;
    if (!ployi_check_resolve(checker, at)) {
        ployi_check_unknown(checker, at->at, ployi_check_name(checker, at->name), false);
        return;
    }
    const ployi_type *list = ployi_check_type(checker, at->type, PLOYI_PROGRAM_TYPE_LIST);
    if (list == NULL) {
        if (at->type != PLOYI_PROGRAM_TYPE_NONE)
            types_wrong(checker, at->at, "not a list", "a list");
        at->type = PLOYI_PROGRAM_TYPE_NONE;
        return;
    }
    at->type = list->item;
    if (index != PLOYI_PROGRAM_TYPE_NUMBER && index != PLOYI_PROGRAM_TYPE_NONE) {
        types_wrong(checker, at->at, "an index has the wrong type", "a number");
    }
    if (at->b >= 0) {
        uint16_t value = ployi_check_at(checker, at->b)->type;
        if (value != list->item && value != PLOYI_PROGRAM_TYPE_NONE) {
            types_wrong(checker, at->at, "an element has the wrong type", NULL);
        }
    }
}

void ployi_check_value(ployi_program_checker *checker, int32_t node) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    const int32_t below[4] = {at->a, at->b, at->c, at->d};
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_NUMBER: at->type = PLOYI_PROGRAM_TYPE_NUMBER; return;
    case PLOYI_EXPRESSION_TEXT: at->type = PLOYI_PROGRAM_TYPE_TEXT; return;
    case PLOYI_EXPRESSION_NOTHING: at->type = PLOYI_PROGRAM_TYPE_ID; return;
    case PLOYI_EXPRESSION_NAME:
        if (!ployi_check_resolve(checker, at)) {
            ployi_check_unknown(checker, at->at, ployi_check_name(checker, at->name), false);
        }
        return;
    case PLOYI_EXPRESSION_CALL: ployi_check_call(checker, node); return;
    case PLOYI_EXPRESSION_MAKE:
    case PLOYI_EXPRESSION_SET: types_assign(checker, node); return;
    case PLOYI_EXPRESSION_INDEX:
    case PLOYI_EXPRESSION_SETINDEX: types_index(checker, node); return;
    default: break;
    }
    for (int32_t i = 0; i < 4 && below[i] >= 0; i++) ployi_check_value(checker, below[i]);
    ployi_check_operator(checker, node, PLOYI_PROGRAM_TYPE_NONE);
}

// ---- statements

static void types_condition(ployi_program_checker *checker, int32_t node) {
    ployi_check_value(checker, node);
    const ployi_expression_node *at = ployi_check_at(checker, node);
    if (at->type != PLOYI_PROGRAM_TYPE_NUMBER && at->type != PLOYI_PROGRAM_TYPE_NONE) {
        types_wrong(checker, at->at, "expected a number", NULL);
    }
}

// The symbol that a declaration makes, once; now in scope.
static ployi_symbol *types_declare(ployi_program_checker *checker, int32_t node, uint8_t where) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    if (at->symbol < 0) {
        int32_t made = ployi_check_add_symbol(checker, at->name, where, PLOYI_PROGRAM_TYPE_NONE);
        ployi_check_at(checker, node)->symbol = made;
        checker->changed = true;
        if (made < 0) return NULL;
    }
    if (where == PLOYI_WHERE_LOCAL && ploy_array_push(&checker->scoped, &at->symbol) != PLOY_OK) {
        checker->result = PLOY_ERR_MEMORY;
        return NULL;
    }
    return ployi_check_symbol(checker, at->symbol);
}

// list(8) or list(8, vec2) as a type; NONE after a fault.
static uint16_t types_list(ployi_program_checker *checker, int32_t node) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    static const char *const plain[] = {"number", "text", "id", "vec2", "vec3"};
    static const uint8_t kinds[] = {PLOYI_PROGRAM_TYPE_NUMBER, PLOYI_PROGRAM_TYPE_TEXT,
                                    PLOYI_PROGRAM_TYPE_ID, PLOYI_PROGRAM_TYPE_VEC2,
                                    PLOYI_PROGRAM_TYPE_VEC3};
    int32_t count = 0;
    (void)ployi_check_callee(checker, at, &count);
    const ployi_expression_node *size = count > 0 ? ployi_check_at(checker, at->a) : NULL;
    ployi_type type;
    memset(&type, 0, sizeof type);
    type.kind = PLOYI_PROGRAM_TYPE_LIST;
    type.item = PLOYI_PROGRAM_TYPE_NUMBER;
    type.node = node;
    if (size == NULL || size->op != PLOYI_EXPRESSION_NUMBER || !(size->number >= 1) ||
        !(size->number <= 4096)) {
        types_wrong(checker, at->at, "invalid size of a list", "a number from 1 to 4096");
        return PLOYI_PROGRAM_TYPE_NONE;
    }
    type.capacity = (uint16_t)size->number;
    if (count > 1) {
        const ployi_expression_node *item = ployi_check_at(checker, at->b);
        const char *name =
            item->op == PLOYI_EXPRESSION_NAME ? ployi_check_name(checker, item->name) : "";
        type.item = PLOYI_PROGRAM_TYPE_NONE;
        for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
            if (strcmp(name, plain[i]) == 0) type.item = kinds[i];
        }
        for (int32_t i = 0; i < checker->types.count; i++) {
            const ployi_type *of = &PLOY_ARRAY_ITEMS(&checker->types, ployi_type)[i];
            if (of->kind == PLOYI_PROGRAM_TYPE_RECORD &&
                strcmp(ployi_check_name(checker, ployi_check_at(checker, of->node)->name), name) ==
                    0) {
                type.item = (uint16_t)(PLOYI_PROGRAM_TYPE_FIRST + i);
            }
        }
        if (type.item == PLOYI_PROGRAM_TYPE_NONE) {
            types_wrong(checker, at->at, "unknown type of elements",
                        "number, text, id, vec2, vec3 or a record");
            return PLOYI_PROGRAM_TYPE_NONE;
        }
    }
    int32_t width = 1 + type.capacity * ployi_type_slots(checker, type.item);
    if (width > PLOYI_SLOTS_MAX / 2 || count > 2) {
        types_wrong(checker, at->at, "a list is too large", NULL);
        return PLOYI_PROGRAM_TYPE_NONE;
    }
    type.width = (uint16_t)width;
    for (int32_t i = 0; i < checker->types.count; i++) {
        const ployi_type *of = &PLOY_ARRAY_ITEMS(&checker->types, ployi_type)[i];
        if (of->kind == PLOYI_PROGRAM_TYPE_LIST && of->node == node) {
            return (uint16_t)(PLOYI_PROGRAM_TYPE_FIRST + i);
        }
    }
    if (ploy_array_push(&checker->types, &type) != PLOY_OK) {
        checker->result = PLOY_ERR_MEMORY;
        return PLOYI_PROGRAM_TYPE_NONE;
    }
    return (uint16_t)(PLOYI_PROGRAM_TYPE_FIRST + checker->types.count - 1);
}

static bool types_is_list(const ployi_program_checker *checker, int32_t node) {
    const ployi_expression_node *at = ployi_check_at(checker, node);
    int32_t count = 0;
    return at->op == PLOYI_EXPRESSION_CALL &&
           strcmp(ployi_check_callee(checker, at, &count), "list") == 0;
}

// Values that the code's first values can hold.
static bool types_constant(const ployi_program_checker *checker, int32_t node) {
    const ployi_expression_node *at = ployi_check_at(checker, node);
    if (at->op <= PLOYI_EXPRESSION_TEXT || at->op == PLOYI_EXPRESSION_NOTHING) return true;
    if (at->op == PLOYI_EXPRESSION_NEGATE) {
        return ployi_check_at(checker, at->a)->op == PLOYI_EXPRESSION_NUMBER;
    }
    if (at->op != PLOYI_EXPRESSION_CALL) return false;
    if (at->field == PLOYI_CALL_RECORD) return true;
    const int32_t below[3] = {at->a, at->b, at->c};
    bool vector = at->field == PLOYI_CALL_BUILTIN &&
                  (at->type == PLOYI_PROGRAM_TYPE_VEC2 || at->type == PLOYI_PROGRAM_TYPE_VEC3);
    for (int32_t i = 0; i < 3 && vector; i++) {
        vector = below[i] < 0 || types_constant(checker, below[i]);
    }
    return vector;
}

static void types_variable(ployi_program_checker *checker, int32_t node) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    bool keeps = at->op == PLOYI_EXPRESSION_KEEP;
    uint16_t type;
    if (types_is_list(checker, at->a)) {
        type = types_list(checker, at->a);
        ployi_check_at(checker, at->a)->type = type;
    } else {
        ployi_check_value(checker, at->a);
        const ployi_expression_node *value = ployi_check_at(checker, at->a);
        type = value->type;
        types_storable(checker, value);
        if (keeps && type != PLOYI_PROGRAM_TYPE_NONE && !types_constant(checker, at->a)) {
            types_wrong(checker, value->at, "a first value is not constant",
                        "a number, a text, none, a record or a list");
        }
    }
    if (keeps && checker->scoped.count > 0 && checker->routine != 0) {
        types_wrong(checker, at->at, "unexpected keep in a function", NULL);
    }
    ployi_symbol *symbol =
        types_declare(checker, node, keeps ? PLOYI_WHERE_GLOBAL : PLOYI_WHERE_LOCAL);
    if (symbol == NULL) return;
    types_set(checker, &symbol->type, type);
    if (type != PLOYI_PROGRAM_TYPE_NONE && symbol->type != type) {
        types_wrong(checker, at->at, "a name keeps its type", NULL);
    }
}

static void types_return(ployi_program_checker *checker, int32_t node) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    uint16_t type = PLOYI_PROGRAM_TYPE_VOID;
    if (at->a >= 0) {
        ployi_check_value(checker, at->a);
        type = ployi_check_at(checker, at->a)->type;
        types_storable(checker, ployi_check_at(checker, at->a));
    }
    ployi_routine *routine = &PLOY_ARRAY_ITEMS(&checker->routines, ployi_routine)[checker->routine];
    if (at->a >= 0) types_set(checker, &routine->result, type);
    if (at->a >= 0 && type != PLOYI_PROGRAM_TYPE_NONE && routine->result != type) {
        types_wrong(checker, at->at, "a function returns values of one type", NULL);
    }
    if (checker->atomics > 0) {
        types_wrong(checker, at->at, "unexpected return in an atomic block", NULL);
    }
}

static void types_loop(ployi_program_checker *checker, int32_t node) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    int32_t scoped = checker->scoped.count;
    if (at->op == PLOYI_EXPRESSION_WHILE) {
        types_condition(checker, at->a);
        types_block(checker, at->b);
        return;
    }
    uint16_t type = PLOYI_PROGRAM_TYPE_NUMBER;
    ployi_check_value(checker, at->a);
    if (at->op == PLOYI_EXPRESSION_EACH) {
        const ployi_expression_node *over = ployi_check_at(checker, at->a);
        const ployi_type *list = ployi_check_type(checker, over->type, PLOYI_PROGRAM_TYPE_LIST);
        type = list != NULL ? list->item : PLOYI_PROGRAM_TYPE_NONE;
        if (list == NULL && over->type != PLOYI_PROGRAM_TYPE_NONE) {
            types_wrong(checker, over->at, "not a list", "the name of a list");
        }
    } else {
        types_condition(checker, at->a);
        types_condition(checker, at->b);
    }
    ployi_symbol *symbol = types_declare(checker, node, PLOYI_WHERE_LOCAL);
    if (symbol != NULL) types_set(checker, &symbol->type, type);
    types_block(checker, at->op == PLOYI_EXPRESSION_EACH ? at->b : at->c);
    checker->scoped.count = scoped;
}

static void types_statement(ployi_program_checker *checker, int32_t node) {
    ployi_expression_node *at = ployi_check_at(checker, node);
    bool stops = at->op == PLOYI_EXPRESSION_YIELD || at->op == PLOYI_EXPRESSION_WAIT ||
                 at->op == PLOYI_EXPRESSION_UNTIL;
    if (stops && checker->atomics > 0) {
        types_wrong(checker, at->at, "a stop in an atomic block", NULL);
    }
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_BLOCK: types_block(checker, node); break;
    case PLOYI_EXPRESSION_IF:
    case PLOYI_EXPRESSION_WHEN:
        types_condition(checker, at->a);
        types_block(checker, at->b);
        if (at->c >= 0) types_block(checker, at->c);
        break;
    case PLOYI_EXPRESSION_WHILE:
    case PLOYI_EXPRESSION_FOR:
    case PLOYI_EXPRESSION_EACH: types_loop(checker, node); break;
    case PLOYI_EXPRESSION_FUNCTION:
    case PLOYI_EXPRESSION_RECORD:
        if (at->symbol != PLOYI_TOP_LEVEL) {
            types_wrong(checker, at->at, "a function or record inside a block", NULL);
        }
        break;
    case PLOYI_EXPRESSION_RETURN: types_return(checker, node); break;
    case PLOYI_EXPRESSION_LOCAL:
    case PLOYI_EXPRESSION_KEEP: types_variable(checker, node); break;
    case PLOYI_EXPRESSION_YIELD: break;
    case PLOYI_EXPRESSION_WAIT:
    case PLOYI_EXPRESSION_UNTIL: types_condition(checker, at->a); break;
    case PLOYI_EXPRESSION_ATOMIC:
        checker->atomics++;
        types_block(checker, at->a);
        checker->atomics--;
        break;
    case PLOYI_EXPRESSION_MONITOR:
        if (node != checker->tree->first) {
            types_wrong(checker, at->at, "monitor is the first statement", NULL);
        }
        break;
    default: ployi_check_value(checker, node); break;
    }
}

static void types_list_of(ployi_program_checker *checker, int32_t first) {
    for (int32_t at = first; at >= 0; at = ployi_check_at(checker, at)->next) {
        types_statement(checker, at);
    }
}

static void types_block(ployi_program_checker *checker, int32_t block) {
    int32_t scoped = checker->scoped.count;
    types_list_of(checker, ployi_check_at(checker, block)->a);
    checker->scoped.count = scoped;
}

// ---- declarations

static uint8_t types_kind(const char *text, size_t size) {
    static const char *const texts[] = {"number", "text", "id", "vec2", "vec3"};
    static const uint8_t kinds[] = {PLOYI_PROGRAM_TYPE_NUMBER, PLOYI_PROGRAM_TYPE_TEXT,
                                    PLOYI_PROGRAM_TYPE_ID, PLOYI_PROGRAM_TYPE_VEC2,
                                    PLOYI_PROGRAM_TYPE_VEC3};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strlen(texts[i]) == size && memcmp(texts[i], text, size) == 0) return kinds[i];
    }
    return PLOYI_PROGRAM_TYPE_NONE;
}

bool ployi_host_parse(const char *signature, ployi_host *out) {
    const char *at = signature != NULL ? signature : "";
    size_t size = strcspn(at, "(");
    out->result = size == 0 ? PLOYI_PROGRAM_TYPE_VOID : types_kind(at, size);
    out->count = 0;
    if (out->result == PLOYI_PROGRAM_TYPE_NONE || at[size] != '(') return false;
    at += size + 1;
    while (*at != ')' || out->count > 0) {
        at += strspn(at, " ");
        size = strcspn(at, ",) ");
        if (out->count == PLOY_PROGRAM_ARGS_MAX) return false;
        out->args[out->count] = types_kind(at, size);
        if (out->args[out->count++] == PLOYI_PROGRAM_TYPE_NONE) return false;
        at += size;
        at += strspn(at, " ");
        if (*at == ')') break;
        if (*at++ != ',') return false;
    }
    return *at == ')' && at[1] == 0;
}

static void types_hosts(ployi_program_checker *checker) {
    for (int32_t i = 0; i < checker->scope->host_count; i++) {
        const ploy_program_host *from = &checker->scope->hosts[i];
        ployi_host host;
        memset(&host, 0, sizeof host);
        host.name = (uint32_t)checker->code->texts.count;
        host.fn = from->fn;
        host.user = from->user;
        host.cost = from->cost;
        if (from->name == NULL || from->fn == NULL || from->cost < 0 || from->cost > 1000000 ||
            !ployi_host_parse(from->signature, &host)) {
            char message[PLOY_DIAG_TEXT_MAX];
            ployi_build_join("invalid host function", from->name != NULL ? from->name : "",
                             message);
            bool reports = checker->reports;
            checker->reports = true;
            ployi_check_fault(checker, 0, PLOY_ERR_ARGUMENT, message, NULL, NULL);
            checker->reports = reports;
            return;
        }
        if (ploy_array_push_many(&checker->code->texts, from->name,
                                 (int32_t)strlen(from->name) + 1) != PLOY_OK ||
            ploy_array_push(&checker->code->hosts, &host) != PLOY_OK) {
            checker->result = PLOY_ERR_MEMORY;
            return;
        }
    }
}

static void types_record(ployi_program_checker *checker, int32_t node) {
    ployi_type type;
    memset(&type, 0, sizeof type);
    type.kind = PLOYI_PROGRAM_TYPE_RECORD;
    type.node = node;
    int32_t width = 0;
    for (int32_t at = ployi_check_at(checker, node)->a; at >= 0;
         at = ployi_check_at(checker, at)->next) {
        ployi_expression_node *field = ployi_check_at(checker, at);
        ployi_check_value(checker, field->a);
        const ployi_expression_node *value = ployi_check_at(checker, field->a);
        field->type = value->type;
        if (value->type >= PLOYI_PROGRAM_TYPE_VOID || !types_constant(checker, field->a)) {
            types_wrong(checker, value->at, "a first value is not constant",
                        "a number, a text, none or a vector");
            field->type = PLOYI_PROGRAM_TYPE_NUMBER;
        }
        width += ployi_type_slots(checker, field->type);
    }
    if (width > 240 || width == 0) {
        types_wrong(checker, ployi_check_at(checker, node)->at, "invalid size of a record",
                    "1 to 240 slots");
        width = 1;
    }
    type.width = (uint16_t)width;
    if (ploy_array_push(&checker->types, &type) != PLOY_OK) checker->result = PLOY_ERR_MEMORY;
}

// Functions and records of the whole program, before anything is checked.
static void types_declarations(ployi_program_checker *checker) {
    ployi_routine main;
    memset(&main, 0, sizeof main);
    main.node = -1;
    if (ploy_array_push(&checker->routines, &main) != PLOY_OK) checker->result = PLOY_ERR_MEMORY;
    types_hosts(checker);
    checker->reports = true;
    for (int32_t at = checker->tree->first; at >= 0 && checker->result == PLOY_OK;
         at = ployi_check_at(checker, at)->next) {
        ployi_expression_node *node = ployi_check_at(checker, at);
        if (node->op != PLOYI_EXPRESSION_FUNCTION && node->op != PLOYI_EXPRESSION_RECORD) continue;
        node->symbol = PLOYI_TOP_LEVEL;
        for (int32_t i = checker->tree->first; i != at; i = ployi_check_at(checker, i)->next) {
            const ployi_expression_node *other = ployi_check_at(checker, i);
            if ((other->op == PLOYI_EXPRESSION_FUNCTION || other->op == PLOYI_EXPRESSION_RECORD) &&
                other->name == node->name) {
                ployi_check_fault(checker, node->at, PLOY_ERR_EXISTS,
                                  "duplicate function or record", NULL, NULL);
            }
        }
        if (node->op == PLOYI_EXPRESSION_RECORD) {
            types_record(checker, at);
            continue;
        }
        ployi_routine routine;
        memset(&routine, 0, sizeof routine);
        routine.node = at;
        for (int32_t i = node->a; i >= 0; i = ployi_check_at(checker, i)->next) routine.count++;
        if (ploy_array_push(&checker->routines, &routine) != PLOY_OK) {
            checker->result = PLOY_ERR_MEMORY;
        }
    }
    checker->reports = false;
}

static void types_round(ployi_program_checker *checker) {
    checker->changed = false;
    checker->routine = 0;
    checker->scoped.count = 0;
    types_list_of(checker, checker->tree->first);
    for (int32_t i = 1; i < checker->routines.count; i++) {
        ployi_routine *routine = &PLOY_ARRAY_ITEMS(&checker->routines, ployi_routine)[i];
        checker->routine = i;
        checker->scoped.count = 0;
        const ployi_expression_node *function = ployi_check_at(checker, routine->node);
        int32_t k = 0;
        for (int32_t at = function->a; at >= 0; at = ployi_check_at(checker, at)->next, k++) {
            ployi_symbol *symbol = types_declare(checker, at, PLOYI_WHERE_LOCAL);
            if (symbol != NULL) types_set(checker, &symbol->type, routine->params[k]);
        }
        types_block(checker, function->b);
    }
}

static void types_infer(ployi_program_checker *checker) {
    // Each round settles at least one type, or is the last.
    for (int32_t round = 0; round < 4096 && checker->result == PLOY_OK; round++) {
        types_round(checker);
        if (!checker->changed) break;
    }
}

ploy_result ployi_check_program(ployi_program_checker *checker) {
    types_declarations(checker);
    if (checker->result != PLOY_OK) return checker->result;
    types_infer(checker);
    ployi_routine *routines = PLOY_ARRAY_ITEMS(&checker->routines, ployi_routine);
    for (int32_t i = 1; i < checker->routines.count; i++) {
        for (int32_t k = 0; k < routines[i].count; k++) {
            if (routines[i].params[k] == PLOYI_PROGRAM_TYPE_NONE)
                routines[i].params[k] = PLOYI_PROGRAM_TYPE_NUMBER;
        }
    }
    if (checker->result == PLOY_OK) types_infer(checker);
    for (int32_t i = 0; i < checker->routines.count; i++) {
        if (routines[i].result == PLOYI_PROGRAM_TYPE_NONE)
            routines[i].result = PLOYI_PROGRAM_TYPE_VOID;
    }
    if (checker->result == PLOY_OK) types_infer(checker);
    checker->reports = true;
    if (checker->result == PLOY_OK) types_round(checker);
    return checker->result;
}

void ployi_checker_fini(ployi_program_checker *checker) {
    ploy_array_fini(&checker->types);
    ploy_array_fini(&checker->symbols);
    ploy_array_fini(&checker->routines);
    ploy_array_fini(&checker->scoped);
}
