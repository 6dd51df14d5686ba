// Parsing CLIPS expressions: calls, the functions with a special syntax, the facts of assert.
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/number.h"

enum { PARSE_DEPTH_MAX = 200 };

ployi_x *ployi_clips_new_x(ploy_clips *clips, int32_t kind) {
    ployi_x *x = ployi_clips_alloc(clips, 1, sizeof *x);
    if (x == NULL) return NULL;
    x->kind = kind;
    x->value = ploy_rule_none();
    return x;
}

int32_t ployi_clips_local(ploy_clips *clips, ployi_scope *scope, const char *name) {
    for (int32_t i = scope->member_count - 1; i >= 0; i--) {
        if (strcmp(scope->members[i], name) == 0) return PLOYI_SCOPE_MAX + i;
    }
    for (int32_t i = 0; i < scope->count; i++) {
        if (strcmp(scope->names[i], name) == 0) return i;
    }
    if (scope->count == PLOYI_SCOPE_MAX) {
        ployi_clips_fault(clips, "too many variables", NULL);
        return -1;
    }
    scope->names[scope->count] = name;
    return scope->count++;
}

const ployi_function *ployi_clips_find(const ploy_clips *clips, const char *name) {
    const ployi_function *const *found = ploy_map_find_text(&clips->builtin, name);
    return found == NULL ? NULL : *found;
}

int32_t ployi_clips_find_function(const ploy_clips *clips, const char *name) {
    const int32_t *found = ploy_map_find_text(&clips->function_named, name);
    return found == NULL ? -1 : *found;
}

int32_t ployi_clips_find_global(const ploy_clips *clips, const char *name) {
    const int32_t *found = ploy_map_find_text(&clips->global_named, name);
    return found == NULL ? -1 : *found;
}

static void parse_push(ploy_clips *clips, ployi_x *x, ployi_x *arg, int32_t *room) {
    if (x->count == *room) {
        int32_t larger = *room * 2 + 4;
        ployi_x **args = ployi_clips_alloc(clips, larger, sizeof(*args));
        if (args == NULL) return;
        if (x->count > 0) memcpy(args, x->args, (size_t)x->count * sizeof(*args));
        x->args = args;
        *room = larger;
    }
    x->args[x->count++] = arg;
}

static void parse_count_fault(ploy_clips *clips, const char *name, const char *how, int32_t count) {
    char number[PLOY_PRINT_I64_SIZE];
    ploy_print_i64(count, number);
    const char *parts[] = {"[ARGACCES4] Function ", name, " expected ", how, " ", number,
                           " argument(s)"};
    ployi_clips_fault_list(clips, parts, 7);
    clips->fault_tight = true;
}

static bool parse_check_count(ploy_clips *clips, const char *name, int32_t min, int32_t max,
                              int32_t count) {
    if (count >= min && (max < 0 || count <= max)) return true;
    if (min == max) {
        parse_count_fault(clips, name, "exactly", min);
    } else if (count < min) {
        parse_count_fault(clips, name, "at least", min);
    } else {
        parse_count_fault(clips, name, "no more than", max);
    }
    return false;
}

// Constants of the wrong type are found while reading, as in CLIPS.
static void parse_check_constants(ploy_clips *clips, const ployi_x *x) {
    static const struct {
        char letter;
        uint32_t types;
        const char *text;
    } rows[] = {
        {'n', PLOYI_TYPE_INTEGER | PLOYI_TYPE_FLOAT, "integer or float"},
        {'i', PLOYI_TYPE_INTEGER, "integer"},
        {'j', PLOYI_TYPE_SYMBOL | PLOYI_TYPE_STRING | PLOYI_TYPE_NAME,
         "symbol, string, or instance name"},
        {'k', PLOYI_TYPE_SYMBOL | PLOYI_TYPE_STRING, "symbol or string"},
        {'s', PLOYI_TYPE_STRING, "string"},
        {'w', PLOYI_TYPE_SYMBOL, "symbol"},
        {'m', 0, "multifield"},
        {'q', PLOYI_TYPE_SYMBOL | PLOYI_TYPE_STRING, "multifield, symbol, or string"},
        {'y', PLOYI_TYPE_FACT, "fact-address"},
        {'z', PLOYI_TYPE_FACT | PLOYI_TYPE_INTEGER | PLOYI_TYPE_SYMBOL,
         "fact-address, integer, or symbol"},
    };
    for (int32_t i = 0; i < x->count; i++) {
        if (x->args[i] == NULL || x->args[i]->kind != PLOYI_X_VALUE) continue;
        char letter = ployi_clips_argument_letter(x->function, i + 1);
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
            if (rows[k].letter != letter ||
                (rows[k].types & ployi_type_bit(x->args[i]->value.type)) != 0) {
                continue;
            }
            char number[PLOY_PRINT_I64_SIZE];
            ploy_print_i64(i + 1, number);
            const char *parts[] = {"[ARGACCES5] Function ", x->function->name,
                                   " expected argument #",  number,
                                   " to be of type ",       rows[k].text};
            ployi_clips_fault_list(clips, parts, 6);
            clips->fault_tight = true;
            return;
        }
    }
}

// (bind ?x ...), (loop-for-count (?i 1 n) ...), (progn$ (?x list) ...): the variable is an
// argument like any other, a local or global node that the function sets.
static ployi_x *parse_variable_x(ploy_clips *clips, ployi_scope *scope) {
    ployi_x *x = ployi_clips_new_x(clips, clips->token.kind == PLOYI_TOKEN_GLOBAL ? PLOYI_X_GLOBAL
                                                                                  : PLOYI_X_LOCAL);
    if (x == NULL) return NULL;
    x->name = clips->token.text;
    if (x->kind == PLOYI_X_GLOBAL) {
        x->index = ployi_clips_find_global(clips, x->name);
        if (x->index < 0) {
            const char *parts[] = {"[GLOBLPSR1] \nGlobal variable ?*", x->name,
                                   "* was referenced, but is not defined."};
            ployi_clips_fault_list(clips, parts, 3);
            return NULL;
        }
        return x;
    }
    x->index = ployi_clips_local(clips, scope, x->name);
    return x;
}

// The loops' heads and if/switch have words between their parts; the parts become arguments:
// bodies are calls of progn.
static ployi_x *parse_body_x(ploy_clips *clips, ployi_scope *scope, const char *stop1,
                             const char *stop2) {
    ployi_body body;
    ployi_x *x = ployi_clips_new_x(clips, PLOYI_X_CALL);
    if (x == NULL || !ployi_clips_parse_body(clips, scope, stop1, stop2, &body)) return NULL;
    x->function = ployi_clips_find(clips, "progn");
    x->args = body.items;
    x->count = body.count;
    return x;
}

static bool parse_expect_close(ploy_clips *clips, const char *where) {
    if (clips->token.kind == PLOYI_TOKEN_CLOSE) {
        ployi_clips_next(clips);
        return true;
    }
    ployi_clips_syntax(clips, where);
    return false;
}

static ployi_x *parse_if(ploy_clips *clips, ployi_scope *scope, ployi_x *x) {
    int32_t room = 0;
    parse_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
    if (!ployi_clips_is(clips, "then")) {
        ployi_clips_syntax(clips, "if function");
        return NULL;
    }
    ployi_clips_next(clips);
    parse_push(clips, x, parse_body_x(clips, scope, "else", NULL), &room);
    if (ployi_clips_is(clips, "else")) {
        ployi_clips_next(clips);
        parse_push(clips, x, parse_body_x(clips, scope, NULL, NULL), &room);
    }
    return parse_expect_close(clips, "if function") ? x : NULL;
}

// The variable of a loop, and, for those over lists, a second one with the position: both must not
// be bound inside.
static bool parse_loop_variable(ploy_clips *clips, ployi_scope *scope, ployi_x *x, int32_t *room,
                                bool index_too) {
    const char *names[2] = {clips->token.text, NULL};
    ployi_x *variable = parse_variable_x(clips, scope);
    if (variable == NULL) return false;
    parse_push(clips, x, variable, room);
    if (index_too) {
        size_t size = strlen(names[0]);
        char *index = ployi_clips_alloc(clips, (int64_t)size + 7, 1);
        if (index == NULL) return false;
        memcpy(index, names[0], size);
        memcpy(index + size, "-index", 7);
        x->index = ployi_clips_local(clips, scope, index);
        names[1] = index;
    }
    for (int i = 0; i < 2; i++) {
        if (names[i] != NULL && scope->fixed_count < PLOYI_FIXED_MAX) {
            scope->fixed[scope->fixed_count++] = names[i];
        }
    }
    ployi_clips_next(clips);
    return !clips->parse_failed;
}

static ployi_x *parse_loop(ploy_clips *clips, ployi_scope *scope, ployi_x *x, const char *name) {
    int32_t room = 0, fixed = scope->fixed_count;
    const char *outer = scope->loop;
    bool counted = strcmp(name, "loop-for-count") == 0, each = strcmp(name, "foreach") == 0;
    bool variable = false, constant = false;
    if (strcmp(name, "while") == 0) {
        parse_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
    } else if (each) { // (foreach ?x list ...)
        if (clips->token.kind != PLOYI_TOKEN_VAR) {
            ployi_clips_syntax(clips, name);
            return NULL;
        }
        if (!parse_loop_variable(clips, scope, x, &room, true)) return NULL;
        constant = clips->token.kind == PLOYI_TOKEN_VALUE;
        parse_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
    } else if (clips->token.kind == PLOYI_TOKEN_OPEN) {
        ployi_clips_next(clips);
        variable = clips->token.kind == PLOYI_TOKEN_VAR;
        if (variable) {
            if (!parse_loop_variable(clips, scope, x, &room, !counted)) return NULL;
            constant = clips->token.kind == PLOYI_TOKEN_VALUE;
            parse_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
            if (counted && clips->token.kind != PLOYI_TOKEN_CLOSE) {
                parse_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
            }
            if (!parse_expect_close(clips, name)) return NULL;
        } else { // a call that gives the limit or the list
            parse_push(clips, x, NULL, &room);
            parse_push(clips, x, ployi_clips_parse_call(clips, scope), &room);
        }
    } else {
        constant = clips->token.kind == PLOYI_TOKEN_VALUE;
        parse_push(clips, x, NULL, &room);
        parse_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
    }
    if (constant && !counted) ployi_clips_syntax(clips, name); // a constant is not a list
    if (ployi_clips_is(clips, "do")) ployi_clips_next(clips);
    scope->loop = name;
    parse_push(clips, x, parse_body_x(clips, scope, NULL, NULL), &room);
    scope->loop = outer;
    scope->fixed_count = fixed;
    return parse_expect_close(clips, name) ? x : NULL;
}

// (switch v (case a then ...) ... (default ...)): the value, then pairs of case (NULL: default) and
// body.
static ployi_x *parse_switch(ploy_clips *clips, ployi_scope *scope, ployi_x *x) {
    int32_t room = 0;
    parse_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
    while (clips->token.kind == PLOYI_TOKEN_OPEN && !clips->parse_failed) {
        ployi_clips_next(clips);
        ployi_x *value = NULL;
        if (ployi_clips_is(clips, "case")) {
            ployi_clips_next(clips);
            value = ployi_clips_parse_x(clips, scope);
            if (!ployi_clips_is(clips, "then")) ployi_clips_syntax(clips, "switch function");
        } else if (!ployi_clips_is(clips, "default")) {
            ployi_clips_syntax(clips, "switch function");
        }
        ployi_clips_next(clips);
        parse_push(clips, x, value, &room);
        parse_push(clips, x, parse_body_x(clips, scope, NULL, NULL), &room);
        if (!parse_expect_close(clips, "switch function")) return NULL;
    }
    return parse_expect_close(clips, "switch function") ? x : NULL;
}

// A template's pattern in assert, modify and duplicate: (slot value...)... as calls of create$ in
// the order of the slots; NULL where a slot is not named.
static bool parse_slots(ploy_clips *clips, ployi_scope *scope, int32_t form, ployi_x *x) {
    int32_t count = ploy_rulebase_slot_count(clips->base, form);
    x->args = count == 0 ? NULL : ployi_clips_alloc(clips, count, sizeof(*x->args));
    x->count = count;
    while (clips->token.kind == PLOYI_TOKEN_OPEN && !clips->parse_failed) {
        ployi_clips_next(clips);
        int32_t slot = ploy_rulebase_find_slot(clips->base, form, clips->token.text);
        if (slot < 0) {
            ployi_clips_fault(
                clips, "[TMPLTDEF1] Invalid slot name in template pattern: ", clips->token.text);
            return false;
        }
        ployi_clips_next(clips);
        ployi_body body;
        ployi_x *list = ployi_clips_new_x(clips, PLOYI_X_CALL);
        if (list == NULL || !ployi_clips_parse_body(clips, scope, NULL, NULL, &body)) return false;
        list->function = ployi_clips_find(clips, "create$");
        list->args = body.items;
        list->count = body.count;
        x->args[slot] = list;
        if (!ployi_clips_check_slot(clips, form, slot, body.items, body.count,
                                    "the assert command")) {
            return false;
        }
        if (!parse_expect_close(clips, "template pattern")) return false;
    }
    return true;
}

// One fact from behind its '(': a node with the template as index and the slots as arguments.
static ployi_x *parse_fact(ploy_clips *clips, ployi_scope *scope) {
    if (clips->token.kind != PLOYI_TOKEN_VALUE || clips->token.value.type != PLOY_RULE_SYMBOL) {
        ployi_clips_syntax(clips, "first field of a RHS pattern");
        return NULL;
    }
    ployi_x *x = ployi_clips_new_x(clips, PLOYI_X_CALL);
    if (x == NULL) return NULL;
    x->index = ployi_clips_template(clips, clips->token.text, true);
    if (x->index < 0) {
        ployi_clips_fault(clips, "out of memory for the relation ", clips->token.text);
        return NULL;
    }
    ployi_clips_next(clips);
    if (ploy_rulebase_template_ordered(clips->base, x->index)) {
        ployi_body body;
        if (clips->token.kind == PLOYI_TOKEN_NOT || clips->token.kind == PLOYI_TOKEN_AND ||
            clips->token.kind == PLOYI_TOKEN_OR) {
            ployi_clips_syntax(clips, "RHS patterns");
            return NULL;
        }
        if (!ployi_clips_parse_body(clips, scope, NULL, NULL, &body)) return NULL;
        ployi_x *list = ployi_clips_new_x(clips, PLOYI_X_CALL);
        x->args = ployi_clips_alloc(clips, 1, sizeof(*x->args));
        if (list == NULL || x->args == NULL) return NULL;
        list->function = ployi_clips_find(clips, "create$");
        list->args = body.items;
        list->count = body.count;
        x->args[0] = list;
        x->count = 1;
    } else if (!parse_slots(clips, scope, x->index, x)) {
        return NULL;
    }
    return parse_expect_close(clips, "RHS patterns") ? x : NULL;
}

ployi_x *ployi_clips_parse_assert(ploy_clips *clips, ployi_scope *scope, bool top) {
    ployi_x *x = ployi_clips_new_x(clips, PLOYI_X_CALL);
    if (x == NULL) return NULL;
    x->function = ployi_clips_find(clips, "assert");
    int32_t room = 0;
    while (clips->token.kind == PLOYI_TOKEN_OPEN && !clips->parse_failed) {
        ployi_clips_next(clips);
        ployi_x *fact = parse_fact(clips, scope);
        if (fact == NULL) return NULL;
        parse_push(clips, x, fact, &room);
    }
    if (top) return x;
    if (x->count == 0) {
        ployi_clips_syntax(clips, "assert command");
        return NULL;
    }
    return parse_expect_close(clips, "RHS patterns") ? x : NULL;
}

// (modify ?f (slot v)...) and duplicate: the fact, then one list a slot for each slot named; which
// template it is shows only when it runs, so the slots' names are kept.
static ployi_x *parse_modify(ploy_clips *clips, ployi_scope *scope, ployi_x *x) {
    int32_t room = 0;
    parse_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
    while (clips->token.kind == PLOYI_TOKEN_OPEN && !clips->parse_failed) {
        ployi_clips_next(clips);
        ployi_x *list = ployi_clips_new_x(clips, PLOYI_X_CALL);
        ployi_body body;
        if (list == NULL) return NULL;
        list->name = clips->token.text;
        list->function = ployi_clips_find(clips, "create$");
        ployi_clips_next(clips);
        if (!ployi_clips_parse_body(clips, scope, NULL, NULL, &body)) return NULL;
        list->args = body.items;
        list->count = body.count;
        parse_push(clips, x, list, &room);
        if (!parse_expect_close(clips, "modify command")) return NULL;
    }
    return parse_expect_close(clips, "modify command") ? x : NULL;
}

// True if the present token is the variable of a loop around.
static bool parse_fixed(const ploy_clips *clips, const ployi_scope *scope) {
    for (int32_t i = 0; i < scope->fixed_count; i++) {
        bool local = clips->token.kind != PLOYI_TOKEN_GLOBAL;
        if (local && strcmp(scope->fixed[i], clips->token.text) == 0) return true;
    }
    return false;
}

// True if the present token is a member of a query around.
static bool parse_member(const ploy_clips *clips, const ployi_scope *scope) {
    for (int32_t i = 0; i < scope->member_count; i++) {
        bool local = clips->token.kind != PLOYI_TOKEN_GLOBAL;
        if (local && strcmp(scope->members[i], clips->token.text) == 0) return true;
    }
    return false;
}

ployi_x *ployi_clips_parse_call(ploy_clips *clips, ployi_scope *scope) {
    if (clips->parse_failed || clips->failed) return NULL;
    if (clips->token.kind != PLOYI_TOKEN_VALUE || clips->token.value.type != PLOY_RULE_SYMBOL) {
        ployi_clips_fault(clips, "[EXPRNPSR1] A function name must be a symbol", NULL);
        return NULL;
    }
    if (++clips->depth > PARSE_DEPTH_MAX) {
        ployi_clips_fault(clips, "expressions are nested too deeply", NULL);
        clips->depth--;
        return NULL;
    }
    const char *name = clips->token.text;
    const ployi_function *function = ployi_clips_find(clips, name);
    int32_t user = function == NULL ? ployi_clips_find_function(clips, name) : -1;
    ployi_x *x = NULL;
    if (function == NULL && user < 0) {
        const char *parts[] = {"[EXPRNPSR3] Missing function declaration for ", name, "."};
        ployi_clips_fault_list(clips, parts, 3);
    } else {
        x = ployi_clips_new_x(clips, user >= 0 ? PLOYI_X_USER : PLOYI_X_CALL);
    }
    if (x != NULL) {
        x->function = function;
        x->index = user;
        ployi_clips_next(clips);
        int32_t room = 0;
        if (user < 0 && strcmp(name, "if") == 0) {
            x = parse_if(clips, scope, x);
        } else if (user < 0 &&
                   (strcmp(name, "while") == 0 || strcmp(name, "progn$") == 0 ||
                    strcmp(name, "foreach") == 0 || strcmp(name, "loop-for-count") == 0)) {
            x = parse_loop(clips, scope, x, name);
        } else if (user < 0 && ployi_clips_is_query(name)) {
            x = ployi_clips_parse_query(clips, scope, x);
        } else if (user < 0 && strcmp(name, "switch") == 0) {
            x = parse_switch(clips, scope, x);
        } else if (user < 0 && strcmp(name, "assert") == 0) {
            x = ployi_clips_parse_assert(clips, scope, false);
        } else if (user < 0 && (strcmp(name, "modify") == 0 || strcmp(name, "duplicate") == 0)) {
            x = parse_modify(clips, scope, x);
        } else {
            bool binds = user < 0 && strcmp(name, "bind") == 0;
            if (binds) {
                bool variable = clips->token.kind == PLOYI_TOKEN_VAR ||
                                clips->token.kind == PLOYI_TOKEN_MVAR ||
                                clips->token.kind == PLOYI_TOKEN_GLOBAL;
                if (!variable) {
                    ployi_clips_syntax(clips, "bind function");
                } else if (parse_fixed(clips, scope)) {
                    const char *parts[] = {"[MULTIFUN2] Cannot rebind field variable in function ",
                                           scope->loop, "."};
                    ployi_clips_fault_list(clips, parts, 3);
                } else if (parse_member(clips, scope)) {
                    const char *parts[] = {"[FACTQPSR3] Cannot rebind fact-set member variable ",
                                           clips->token.text, " in function ", scope->query, "."};
                    ployi_clips_fault_list(clips, parts, 5);
                } else {
                    parse_push(clips, x, parse_variable_x(clips, scope), &room);
                    ployi_clips_next(clips);
                }
            }
            while (clips->token.kind != PLOYI_TOKEN_CLOSE && !clips->parse_failed) {
                ployi_x *arg = ployi_clips_parse_x(clips, scope);
                if (arg == NULL) break;
                parse_push(clips, x, arg, &room);
            }
            if (!clips->parse_failed) {
                if (user >= 0) {
                    const ployi_deffunction *made = ploy_array_at(&clips->functions, user);
                    int32_t min = made->params - made->rest;
                    parse_check_count(clips, name, min, made->rest ? -1 : min, x->count);
                } else {
                    parse_check_count(clips, name, function->min, function->max, x->count);
                    if (!clips->parse_failed) parse_check_constants(clips, x);
                }
            }
            if (!clips->parse_failed) ployi_clips_next(clips);
        }
    }
    clips->depth--;
    return clips->parse_failed ? NULL : x;
}

ployi_x *ployi_clips_parse_x(ploy_clips *clips, ployi_scope *scope) {
    if (clips->parse_failed) return NULL;
    ployi_x *x = NULL;
    switch (clips->token.kind) {
    case PLOYI_TOKEN_OPEN: ployi_clips_next(clips); return ployi_clips_parse_call(clips, scope);
    case PLOYI_TOKEN_VALUE:
        // =(...) computes, in the patterns of assert.
        if (ployi_clips_is(clips, "=") && clips->at < clips->size &&
            clips->text[clips->at] == '(') {
            ployi_clips_next(clips);
            return ployi_clips_parse_x(clips, scope);
        }
        x = ployi_clips_new_x(clips, PLOYI_X_VALUE);
        if (x == NULL) return NULL;
        x->value = clips->token.value;
        break;
    case PLOYI_TOKEN_VAR:
    case PLOYI_TOKEN_MVAR:
        x = ployi_clips_parse_slot(clips, scope, clips->token.text);
        if (x != NULL) break;
        x = ployi_clips_new_x(clips, PLOYI_X_LOCAL);
        if (x == NULL) return NULL;
        x->name = clips->token.text;
        x->index = ployi_clips_local(clips, scope, x->name);
        if (x->index < 0) return NULL;
        break;
    case PLOYI_TOKEN_GLOBAL:
        x = parse_variable_x(clips, scope);
        if (x == NULL) return NULL;
        break;
    default:
        ployi_clips_fault(clips, "[EXPRNPSR2] Expected a constant, variable, or expression.", NULL);
        return NULL;
    }
    ployi_clips_next(clips);
    return x;
}

bool ployi_clips_parse_body(ploy_clips *clips, ployi_scope *scope, const char *stop1,
                            const char *stop2, ployi_body *out) {
    ployi_x list = {.count = 0};
    int32_t room = 0;
    memset(out, 0, sizeof *out);
    while (clips->token.kind != PLOYI_TOKEN_CLOSE && !clips->parse_failed) {
        if (stop1 != NULL && ployi_clips_is(clips, stop1)) break;
        if (stop2 != NULL && ployi_clips_is(clips, stop2)) break;
        ployi_x *x = ployi_clips_parse_x(clips, scope);
        if (x == NULL) break;
        parse_push(clips, &list, x, &room);
    }
    out->items = list.args;
    out->count = list.count;
    return !clips->parse_failed;
}
