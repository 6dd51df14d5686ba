// Reading CLIPS text: tokens, expressions, the patterns of assert.
//
// Faults go to the diagnostics of the caller with line and column; where the text is typed as
// commands there are none, and the fault is printed as CLIPS does.
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/number.h"

enum { SCAN_DEPTH_MAX = 200 };

void *ployi_clips_alloc(ploy_clips *clips, int64_t count, size_t size) {
    void *made = ploy_arena_alloc_array(clips->program, count, size);
    if (made == NULL) clips->parse_failed = clips->failed = true;
    return made;
}

char *ployi_clips_copy(ploy_clips *clips, const char *text, size_t size) {
    char *made = ployi_clips_alloc(clips, (int64_t)size + 1, 1);
    if (made != NULL && size > 0) memcpy(made, text, size);
    return made;
}

void ployi_clips_open(ploy_clips *clips, const char *text, size_t size, const char *name,
                      ploy_diags *diags) {
    clips->text = text;
    clips->size = size;
    clips->at = 0;
    clips->line_at = 0;
    clips->line = 1;
    clips->name = name;
    clips->diags = diags;
    clips->faults = 0;
    clips->parse_failed = false;
    ployi_clips_next(clips);
}

void ployi_clips_restore(ploy_clips *clips, const ploy_clips *saved) {
    clips->text = saved->text;
    clips->size = saved->size;
    clips->at = saved->at;
    clips->line_at = saved->line_at;
    clips->line = saved->line;
    clips->name = saved->name;
    clips->diags = saved->diags;
    clips->faults = saved->faults;
    clips->token = saved->token;
    clips->parse_failed = saved->parse_failed;
}

static bool scan_ends_symbol(char c) {
    return c == '\0' || (c >= 0 && c <= ' ') || strchr("()&|<~\";", c) != NULL;
}

static void scan_blanks(ploy_clips *clips) {
    while (clips->at < clips->size) {
        char c = clips->text[clips->at];
        if (c == '\n') {
            clips->line++;
            clips->line_at = clips->at + 1;
        } else if (c == ';') {
            while (clips->at < clips->size && clips->text[clips->at] != '\n') clips->at++;
            continue;
        } else if (c < 0 || c > ' ') {
            return;
        }
        clips->at++;
    }
}

static void scan_name_value(ploy_clips *clips, ploy_rule_type type) {
    ploy_name name = {0};
    if (ploy_rulebase_text(clips->base, clips->token.text, &name) != PLOY_OK) {
        clips->parse_failed = true;
        return;
    }
    clips->token.value = ploy_rule_symbol(name);
    clips->token.value.type = (int32_t)type;
}

static void scan_string(ploy_clips *clips) {
    size_t from = ++clips->at;
    char *text = ployi_clips_alloc(clips, (int64_t)(clips->size - from) + 1, 1);
    size_t used = 0;
    if (text == NULL) return;
    while (clips->at < clips->size && clips->text[clips->at] != '"') {
        char c = clips->text[clips->at++];
        if (c == '\\' && clips->at < clips->size) c = clips->text[clips->at++];
        if (c == '\n') {
            clips->line++;
            clips->line_at = clips->at;
        }
        if (c != '\0') text[used++] = c;
    }
    text[used] = '\0';
    if (clips->at >= clips->size) {
        clips->token.kind = PLOYI_TOKEN_BAD;
    } else {
        clips->at++;
        clips->token.kind = PLOYI_TOKEN_VALUE;
    }
    clips->token.text = text;
    scan_name_value(clips, PLOY_RULE_STRING);
}

static void scan_symbol(ploy_clips *clips) {
    size_t from = clips->at++;
    while (clips->at < clips->size && !scan_ends_symbol(clips->text[clips->at])) clips->at++;
    const char *text = clips->text + from;
    size_t size = clips->at - from;
    clips->token.text = ployi_clips_copy(clips, text, size);
    if (clips->token.text == NULL) return;
    clips->token.kind = PLOYI_TOKEN_VALUE;
    int64_t integer = 0;
    double real = 0.0;
    bool digit = false;
    for (size_t i = 0; i < size && i < 3; i++) digit = digit || (text[i] >= '0' && text[i] <= '9');
    if (digit && ploy_parse_i64(text, size, NULL, &integer) == PLOY_OK) {
        clips->token.value = ploy_rule_integer(integer);
    } else if (digit && ploy_parse_f64(text, size, NULL, &real) == PLOY_OK) {
        clips->token.value = ploy_rule_float(real);
    } else if (size > 2 && text[0] == '[' && text[size - 1] == ']') {
        clips->token.text = ployi_clips_copy(clips, text + 1, size - 2);
        if (clips->token.text != NULL) scan_name_value(clips, PLOY_RULE_NAME);
    } else {
        scan_name_value(clips, PLOY_RULE_SYMBOL);
    }
}

static void scan_variable(ploy_clips *clips, size_t skip, bool multi) {
    clips->at += skip;
    size_t from = clips->at;
    while (clips->at < clips->size && !scan_ends_symbol(clips->text[clips->at])) clips->at++;
    size_t size = clips->at - from;
    const char *text = clips->text + from;
    if (size == 0) {
        clips->token.kind = multi ? PLOYI_TOKEN_MANY : PLOYI_TOKEN_ANY;
        return;
    }
    if (!multi && size > 2 && text[0] == '*' && text[size - 1] == '*') {
        clips->token.kind = PLOYI_TOKEN_GLOBAL;
        clips->token.text = ployi_clips_copy(clips, text + 1, size - 2);
        return;
    }
    clips->token.kind = multi ? PLOYI_TOKEN_MVAR : PLOYI_TOKEN_VAR;
    clips->token.text = ployi_clips_copy(clips, text, size);
}

void ployi_clips_next(ploy_clips *clips) {
    scan_blanks(clips);
    ployi_token *token = &clips->token;
    memset(token, 0, sizeof *token);
    token->text = "";
    token->value = ploy_rule_none();
    token->line = clips->line;
    token->column = (int32_t)(clips->at - clips->line_at) + 1;
    token->begin = clips->at;
    token->kind = PLOYI_TOKEN_END;
    if (clips->at >= clips->size || clips->parse_failed) return;
    char c = clips->text[clips->at];
    char c2 = clips->at + 1 < clips->size ? clips->text[clips->at + 1] : '\0';
    static const char marks[] = "()&|~";
    static const ployi_token_kind kinds[] = {PLOYI_TOKEN_OPEN, PLOYI_TOKEN_CLOSE, PLOYI_TOKEN_AND,
                                             PLOYI_TOKEN_OR, PLOYI_TOKEN_NOT};
    const char *mark = c == '\0' ? NULL : strchr(marks, c);
    if (mark != NULL) {
        token->kind = kinds[mark - marks];
        clips->at++;
    } else if (c == '"') {
        scan_string(clips);
    } else if (c == '?') {
        scan_variable(clips, 1, false);
    } else if (c == '$' && c2 == '?') {
        scan_variable(clips, 2, true);
    } else {
        scan_symbol(clips);
    }
    token->end = clips->at;
}

bool ployi_clips_is(const ploy_clips *clips, const char *symbol) {
    return clips->token.kind == PLOYI_TOKEN_VALUE && clips->token.value.type == PLOY_RULE_SYMBOL &&
           strcmp(clips->token.text, symbol) == 0;
}

void ployi_clips_fault(ploy_clips *clips, const char *message, const char *what) {
    clips->faults++;
    if (clips->parse_failed) return;
    clips->parse_failed = true;
    if (clips->diags != NULL) {
        ploy_diags_add(clips->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, clips->name,
                       clips->token.line, clips->token.column, message, what, NULL);
        return;
    }
    if (strncmp(message, "[ARGACCES", 9) != 0) ployi_clips_out(clips, "\n");
    ployi_clips_out(clips, message);
    if (what != NULL) ployi_clips_out(clips, what);
    ployi_clips_out(clips, "\n");
}

void ployi_clips_syntax(ploy_clips *clips, const char *where) {
    char text[160] = "[PRNTUTIL2] Syntax Error:  Check appropriate syntax for ";
    size_t used = strlen(text), size = strlen(where);
    if (size > sizeof text - used - 2) size = sizeof text - used - 2;
    memcpy(text + used, where, size);
    memcpy(text + used + size, ".", 2);
    ployi_clips_fault(clips, text, NULL);
}

// To the '(' that begins the next construct: the first in column 1 after the present token.
void ployi_clips_skip_construct(ploy_clips *clips) {
    clips->parse_failed = false;
    for (;;) {
        ployi_clips_next(clips);
        if (clips->token.kind == PLOYI_TOKEN_END) return;
        if (clips->token.kind != PLOYI_TOKEN_OPEN) continue;
        size_t at = clips->at;
        int32_t line = clips->line;
        size_t line_at = clips->line_at;
        ployi_token open = clips->token;
        ployi_clips_next(clips);
        bool construct =
            clips->token.kind == PLOYI_TOKEN_VALUE && ployi_clips_is_construct(clips->token.text);
        clips->at = at;
        clips->line = line;
        clips->line_at = line_at;
        clips->token = open;
        if (construct) return;
    }
}

// ---- Expressions --------------------------------------------------------------------------------

ployi_x *ployi_clips_new_x(ploy_clips *clips, int32_t kind) {
    ployi_x *x = ployi_clips_alloc(clips, 1, sizeof *x);
    if (x == NULL) return NULL;
    x->kind = kind;
    x->value = ploy_rule_none();
    return x;
}

int32_t ployi_clips_local(ploy_clips *clips, ployi_scope *scope, const char *name) {
    for (int32_t i = 0; i < scope->count; i++) {
        if (strcmp(scope->names[i], name) == 0) return i;
    }
    if (scope->count == 256) {
        ployi_clips_fault(clips, "too many variables", NULL);
        return -1;
    }
    scope->names[scope->count] = name;
    return scope->count++;
}

const ployi_function *ployi_clips_find(const ploy_clips *clips, const char *name) {
    const ployi_function *const *found = ploy_map_get_text(&clips->builtin, name);
    return found == NULL ? NULL : *found;
}

static int32_t scan_find_user(const ploy_clips *clips, const char *name) {
    for (int32_t i = 0; i < clips->functions.count; i++) {
        const ployi_deffunction *made = ploy_array_at(&clips->functions, i);
        if (strcmp(made->name, name) == 0) return i;
    }
    return -1;
}

static void scan_push(ploy_clips *clips, ployi_x *x, ployi_x *arg, int32_t *room) {
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

static void scan_count_fault(ploy_clips *clips, const char *name, const char *how, int32_t count) {
    char text[200] = "[ARGACCES4] Function ";
    char number[PLOY_PRINT_I64_SIZE];
    ploy_print_i64(count, number);
    const char *parts[] = {name, " expected ", how, " ", number, " argument(s)"};
    size_t used = strlen(text);
    for (int i = 0; i < 6; i++) {
        size_t size = strlen(parts[i]);
        if (used + size + 1 > sizeof text) break;
        memcpy(text + used, parts[i], size + 1);
        used += size;
    }
    ployi_clips_fault(clips, text, NULL);
}

static bool scan_check_count(ploy_clips *clips, const char *name, int32_t min, int32_t max,
                             int32_t count) {
    if (count >= min && (max < 0 || count <= max)) return true;
    if (min == max) {
        scan_count_fault(clips, name, "exactly", min);
    } else if (count < min) {
        scan_count_fault(clips, name, "at least", min);
    } else {
        scan_count_fault(clips, name, "no more than", max);
    }
    return false;
}

// Constants of the wrong type are found while reading, as in CLIPS.
static void scan_check_constants(ploy_clips *clips, const ployi_x *x) {
    static const char *const numeric[] = {"+", "-",  "*",  "/",   "div", "=",   "<>", "<",
                                          ">", "<=", ">=", "min", "max", "mod", "!=", "abs"};
    bool wants = false;
    for (size_t i = 0; i < sizeof numeric / sizeof numeric[0]; i++) {
        wants = wants || strcmp(numeric[i], x->function->name) == 0;
    }
    for (int32_t i = 0; wants && i < x->count; i++) {
        const ploy_rule_value *value = &x->args[i]->value;
        if (x->args[i]->kind != PLOYI_X_VALUE || value->type == PLOY_RULE_INTEGER ||
            value->type == PLOY_RULE_FLOAT) {
            continue;
        }
        char text[160] = "[ARGACCES5] Function ";
        char number[PLOY_PRINT_I64_SIZE];
        ploy_print_i64(i + 1, number);
        const char *parts[] = {x->function->name, " expected argument #", number,
                               " to be of type integer or float"};
        size_t used = strlen(text);
        for (int k = 0; k < 4; k++) {
            size_t size = strlen(parts[k]);
            memcpy(text + used, parts[k], size + 1);
            used += size;
        }
        ployi_clips_fault(clips, text, NULL);
        return;
    }
}

// (bind ?x ...), (loop-for-count (?i 1 n) ...), (progn$ (?x list) ...): the variable is an
// argument like any other, a local or global node that the function sets.
static ployi_x *scan_variable_x(ploy_clips *clips, ployi_scope *scope) {
    ployi_x *x = ployi_clips_new_x(clips, clips->token.kind == PLOYI_TOKEN_GLOBAL ? PLOYI_X_GLOBAL
                                                                                  : PLOYI_X_LOCAL);
    if (x == NULL) return NULL;
    x->name = clips->token.text;
    if (x->kind == PLOYI_X_GLOBAL) {
        x->index = -1;
        for (int32_t i = 0; i < clips->globals.count; i++) {
            const ployi_defglobal *global = ploy_array_at(&clips->globals, i);
            if (strcmp(global->name, x->name) == 0) x->index = i;
        }
        if (x->index < 0) {
            char text[160] = "[GLOBLPSR1] Global variable ?*";
            size_t used = strlen(text), size = strlen(x->name);
            if (size > 60) size = 60;
            memcpy(text + used, x->name, size);
            memcpy(text + used + size, "* was referenced, but is not defined.", 38);
            ployi_clips_fault(clips, text, NULL);
            return NULL;
        }
        return x;
    }
    x->index = ployi_clips_local(clips, scope, x->name);
    return x;
}

// The loops' heads and if/switch have words between their parts; the parts become arguments:
// bodies are calls of progn.
static ployi_x *scan_body_x(ploy_clips *clips, ployi_scope *scope, const char *stop1,
                            const char *stop2) {
    ployi_body body;
    ployi_x *x = ployi_clips_new_x(clips, PLOYI_X_CALL);
    if (x == NULL || !ployi_clips_parse_body(clips, scope, stop1, stop2, &body)) return NULL;
    x->function = ployi_clips_find(clips, "progn");
    x->args = body.items;
    x->count = body.count;
    return x;
}

static bool scan_expect_close(ploy_clips *clips, const char *where) {
    if (clips->token.kind == PLOYI_TOKEN_CLOSE) {
        ployi_clips_next(clips);
        return true;
    }
    ployi_clips_syntax(clips, where);
    return false;
}

static ployi_x *scan_if(ploy_clips *clips, ployi_scope *scope, ployi_x *x) {
    int32_t room = 0;
    scan_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
    if (!ployi_clips_is(clips, "then")) {
        ployi_clips_syntax(clips, "if function");
        return NULL;
    }
    ployi_clips_next(clips);
    scan_push(clips, x, scan_body_x(clips, scope, "else", NULL), &room);
    if (ployi_clips_is(clips, "else")) {
        ployi_clips_next(clips);
        scan_push(clips, x, scan_body_x(clips, scope, NULL, NULL), &room);
    }
    return scan_expect_close(clips, "if function") ? x : NULL;
}

static ployi_x *scan_loop(ploy_clips *clips, ployi_scope *scope, ployi_x *x, const char *name) {
    int32_t room = 0;
    bool counted = strcmp(name, "loop-for-count") == 0;
    if (strcmp(name, "while") == 0) {
        scan_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
    } else if (clips->token.kind == PLOYI_TOKEN_OPEN) {
        ployi_clips_next(clips);
        if (clips->token.kind == PLOYI_TOKEN_VAR) {
            size_t size = strlen(clips->token.text);
            char *index = ployi_clips_alloc(clips, (int64_t)size + 7, 1);
            if (index == NULL) return NULL;
            memcpy(index, clips->token.text, size);
            memcpy(index + size, "-index", 7);
            scan_push(clips, x, scan_variable_x(clips, scope), &room);
            // progn$ and foreach have a second variable with the position.
            if (!counted) x->index = ployi_clips_local(clips, scope, index);
            ployi_clips_next(clips);
            scan_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
            if (counted && clips->token.kind != PLOYI_TOKEN_CLOSE) {
                scan_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
            }
            if (!scan_expect_close(clips, name)) return NULL;
        } else { // a call that gives the limit or the list
            scan_push(clips, x, NULL, &room);
            scan_push(clips, x, ployi_clips_parse_call(clips, scope), &room);
        }
    } else {
        scan_push(clips, x, NULL, &room);
        scan_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
    }
    if (ployi_clips_is(clips, "do")) ployi_clips_next(clips);
    scan_push(clips, x, scan_body_x(clips, scope, NULL, NULL), &room);
    return scan_expect_close(clips, name) ? x : NULL;
}

// (switch v (case a then ...) ... (default ...)): the value, then pairs of case (NULL: default) and
// body.
static ployi_x *scan_switch(ploy_clips *clips, ployi_scope *scope, ployi_x *x) {
    int32_t room = 0;
    scan_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
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
        scan_push(clips, x, value, &room);
        scan_push(clips, x, scan_body_x(clips, scope, NULL, NULL), &room);
        if (!scan_expect_close(clips, "switch function")) return NULL;
    }
    return scan_expect_close(clips, "switch function") ? x : NULL;
}

// A template's pattern in assert, modify and duplicate: (slot value...)... as calls of create$ in
// the order of the slots; NULL where a slot is not named.
static bool scan_slots(ploy_clips *clips, ployi_scope *scope, int32_t form, ployi_x *x) {
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
        if (!scan_expect_close(clips, "template pattern")) return false;
    }
    return true;
}

// One fact from behind its '(': a node with the template as index and the slots as arguments.
static ployi_x *scan_fact(ploy_clips *clips, ployi_scope *scope) {
    if (clips->token.kind != PLOYI_TOKEN_VALUE || clips->token.value.type != PLOY_RULE_SYMBOL) {
        ployi_clips_syntax(clips, "first field of a RHS pattern");
        return NULL;
    }
    ployi_x *x = ployi_clips_new_x(clips, PLOYI_X_CALL);
    if (x == NULL) return NULL;
    x->index = ployi_clips_template(clips, clips->token.text, true);
    if (x->index < 0) {
        ployi_clips_fault(clips, "no room for the relation ", clips->token.text);
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
    } else if (!scan_slots(clips, scope, x->index, x)) {
        return NULL;
    }
    return scan_expect_close(clips, "RHS patterns") ? x : NULL;
}

ployi_x *ployi_clips_parse_assert(ploy_clips *clips, ployi_scope *scope, bool top) {
    ployi_x *x = ployi_clips_new_x(clips, PLOYI_X_CALL);
    if (x == NULL) return NULL;
    x->function = ployi_clips_find(clips, "assert");
    int32_t room = 0;
    while (clips->token.kind == PLOYI_TOKEN_OPEN && !clips->parse_failed) {
        ployi_clips_next(clips);
        ployi_x *fact = scan_fact(clips, scope);
        if (fact == NULL) return NULL;
        scan_push(clips, x, fact, &room);
    }
    if (top) return x;
    if (x->count == 0) {
        ployi_clips_syntax(clips, "assert command");
        return NULL;
    }
    return scan_expect_close(clips, "RHS patterns") ? x : NULL;
}

// (modify ?f (slot v)...) and duplicate: the fact, then one list a slot for each slot named; which
// template it is shows only when it runs, so the slots' names are kept.
static ployi_x *scan_modify(ploy_clips *clips, ployi_scope *scope, ployi_x *x) {
    int32_t room = 0;
    scan_push(clips, x, ployi_clips_parse_x(clips, scope), &room);
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
        scan_push(clips, x, list, &room);
        if (!scan_expect_close(clips, "modify command")) return NULL;
    }
    return scan_expect_close(clips, "modify command") ? x : NULL;
}

ployi_x *ployi_clips_parse_call(ploy_clips *clips, ployi_scope *scope) {
    if (clips->parse_failed || clips->failed) return NULL;
    if (clips->token.kind != PLOYI_TOKEN_VALUE || clips->token.value.type != PLOY_RULE_SYMBOL) {
        ployi_clips_fault(clips, "[EXPRNPSR1] A function name must be a symbol", NULL);
        return NULL;
    }
    if (++clips->depth > SCAN_DEPTH_MAX) {
        ployi_clips_fault(clips, "expressions nest too deep", NULL);
        clips->depth--;
        return NULL;
    }
    const char *name = clips->token.text;
    const ployi_function *function = ployi_clips_find(clips, name);
    int32_t user = function == NULL ? scan_find_user(clips, name) : -1;
    ployi_x *x = NULL;
    if (function == NULL && user < 0) {
        char text[160] = "[EXPRNPSR3] Missing function declaration for ";
        size_t used = strlen(text), size = strlen(name);
        if (size > 100) size = 100;
        memcpy(text + used, name, size);
        memcpy(text + used + size, ".", 2);
        ployi_clips_fault(clips, text, NULL);
    } else {
        x = ployi_clips_new_x(clips, user >= 0 ? PLOYI_X_USER : PLOYI_X_CALL);
    }
    if (x != NULL) {
        x->function = function;
        x->index = user;
        ployi_clips_next(clips);
        int32_t room = 0;
        if (user < 0 && strcmp(name, "if") == 0) {
            x = scan_if(clips, scope, x);
        } else if (user < 0 &&
                   (strcmp(name, "while") == 0 || strcmp(name, "progn$") == 0 ||
                    strcmp(name, "foreach") == 0 || strcmp(name, "loop-for-count") == 0)) {
            x = scan_loop(clips, scope, x, name);
        } else if (user < 0 && strcmp(name, "switch") == 0) {
            x = scan_switch(clips, scope, x);
        } else if (user < 0 && strcmp(name, "assert") == 0) {
            x = ployi_clips_parse_assert(clips, scope, false);
        } else if (user < 0 && (strcmp(name, "modify") == 0 || strcmp(name, "duplicate") == 0)) {
            x = scan_modify(clips, scope, x);
        } else {
            bool binds = user < 0 && strcmp(name, "bind") == 0;
            if (binds) {
                bool variable = clips->token.kind == PLOYI_TOKEN_VAR ||
                                clips->token.kind == PLOYI_TOKEN_MVAR ||
                                clips->token.kind == PLOYI_TOKEN_GLOBAL;
                if (!variable) {
                    ployi_clips_syntax(clips, "bind function");
                } else {
                    scan_push(clips, x, scan_variable_x(clips, scope), &room);
                    ployi_clips_next(clips);
                }
            }
            while (clips->token.kind != PLOYI_TOKEN_CLOSE && !clips->parse_failed) {
                ployi_x *arg = ployi_clips_parse_x(clips, scope);
                if (arg == NULL) break;
                scan_push(clips, x, arg, &room);
            }
            if (!clips->parse_failed) {
                if (user >= 0) {
                    const ployi_deffunction *made = ploy_array_at(&clips->functions, user);
                    int32_t min = made->params - made->rest;
                    scan_check_count(clips, name, min, made->rest ? -1 : min, x->count);
                } else {
                    scan_check_count(clips, name, function->min, function->max, x->count);
                    if (!clips->parse_failed) scan_check_constants(clips, x);
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
        x = ployi_clips_new_x(clips, PLOYI_X_LOCAL);
        if (x == NULL) return NULL;
        x->name = clips->token.text;
        x->index = ployi_clips_local(clips, scope, x->name);
        if (x->index < 0) return NULL;
        break;
    case PLOYI_TOKEN_GLOBAL:
        x = scan_variable_x(clips, scope);
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
        scan_push(clips, &list, x, &room);
    }
    out->items = list.args;
    out->count = list.count;
    return !clips->parse_failed;
}
