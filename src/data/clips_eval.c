// Evaluating CLIPS expressions: a walk over the tree, and the functions that steer it.
//
// A fault prints a message and sets `failed`; then every function returns at once, until the
// command or the firing ends.
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/number.h"

ploy_rule_value ployi_clips_bool(const ploy_clips *clips, bool value) {
    return ploy_rule_symbol(value ? clips->yes : clips->no);
}

bool ployi_clips_true(const ploy_clips *clips, const ploy_rule_value *value) {
    return value->type != PLOY_RULE_SYMBOL || value->as.text != clips->no.hash;
}

ploy_rule_value ployi_clips_text(ploy_clips *clips, ploy_rule_type type, const char *text) {
    ploy_name name = {0};
    if (ploy_rules_text(clips->rules, text, &name) != PLOY_OK) clips->failed = true;
    ploy_rule_value value = ploy_rule_symbol(name);
    value.type = (int32_t)type;
    return value;
}

ploy_rule_value ployi_clips_symbol(ploy_clips *clips, const char *text) {
    return ployi_clips_text(clips, PLOY_RULE_SYMBOL, text);
}

const char *ployi_clips_get_text(const ploy_clips *clips, const ploy_rule_value *value) {
    ploy_name name = {value->as.text};
    return ploy_rules_text_of(clips->rules, name);
}

void ployi_clips_error(ploy_clips *clips, const char *code, const char *message) {
    if (clips->failed) return;
    clips->failed = true;
    ployi_clips_out(clips, "[");
    ployi_clips_out(clips, code);
    ployi_clips_out(clips, "] ");
    ployi_clips_out(clips, message);
    ployi_clips_out(clips, "\n");
}

void ployi_clips_arg_error(ploy_clips *clips, const ployi_x *x, int32_t i, const char *type) {
    char number[PLOY_PRINT_I64_SIZE];
    ploy_print_i64(i + 1, number);
    if (clips->failed) return;
    clips->failed = true;
    ployi_clips_out(clips, "[ARGACCES5] Function ");
    ployi_clips_out(clips, x->function->name);
    ployi_clips_out(clips, " expected argument #");
    ployi_clips_out(clips, number);
    ployi_clips_out(clips, " to be of type ");
    ployi_clips_out(clips, type);
    ployi_clips_out(clips, "\n");
}

// CLIPS says that an argument is not a number also when it could not be evaluated: an unbound variable
// counts as the symbol FALSE.
void ployi_clips_number_error(ploy_clips *clips, const ployi_x *x, int32_t i,
                              const ploy_rule_value *value) {
    if (clips->failed && (value->type != PLOY_RULE_SYMBOL || clips->exited)) return;
    clips->failed = false;
    ployi_clips_arg_error(clips, x, i, "integer or float");
}

ploy_rule_value *ployi_clips_items(ploy_clips *clips, int64_t count) {
    ploy_rule_value *items = NULL;
    if (count >= 0 && count < INT32_MAX / 64) { // not zeroed: who takes them sets them
        items = ploy_arena_alloc(clips->scratch, (size_t)count * sizeof *items);
    }
    if (items == NULL) ployi_clips_error(clips, "SYSTEM1", "Out of memory.");
    return items;
}

static ploy_rule_value eval_local(ploy_clips *clips, const ployi_frame *frame, const ployi_x *x) {
    if (x->index >= PLOYI_SCOPE_MAX) return frame->members[x->index - PLOYI_SCOPE_MAX];
    if (frame->match != NULL) return ploy_rule_frame_get(frame->match, x->index);
    if (x->index < frame->count) {
        if (frame->locals[x->index].type != PLOYI_LOCAL_UNSET) return frame->locals[x->index];
        if (frame->lhs != NULL && frame->lhs[x->index] >= 0) {
            return ploy_rules_variable(clips->rules, frame->lhs[x->index]);
        }
    }
    char text[128] = "Variable ";
    size_t size = strlen(x->name);
    if (size > 80) size = 80;
    memcpy(text + 9, x->name, size);
    memcpy(text + 9 + size, " is unbound", 12);
    ployi_clips_error(clips, "EVALUATN1", text);
    return ployi_clips_bool(clips, false);
}

bool ployi_clips_spend(ploy_clips *clips) {
    if (clips->def.work == 0 || ++clips->work <= clips->def.work) return true;
    clips->limited = true;
    ployi_clips_error(clips, "LIMIT1", "Too many nested function calls.");
    return false;
}

ploy_rule_value ployi_clips_eval(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    if (clips->failed) return ploy_rule_none();
    switch (x->kind) {
    case PLOYI_X_VALUE: return x->value;
    case PLOYI_X_LOCAL: return eval_local(clips, frame, x);
    case PLOYI_X_GLOBAL:
        return ((const ployi_defglobal *)ploy_array_at(&clips->globals, x->index))->value;
    default: break;
    }
    if (!ployi_clips_spend(clips)) return ploy_rule_none();
    if (++clips->depth > clips->def.depth) {
        ployi_clips_error(clips, "LIMIT2", "Function calls are nested too deeply.");
        clips->depth--;
        return ploy_rule_none();
    }
    ploy_rule_value value = ploy_rule_none();
    if (x->kind == PLOYI_X_CALL) {
        value = x->function->call(clips, frame, x);
    } else {
        ploy_rule_value *args = ployi_clips_items(clips, x->count + 1);
        for (int32_t i = 0; i < x->count && !clips->failed; i++) {
            args[i] = ployi_clips_eval(clips, frame, x->args[i]);
        }
        ployi_deffunction function = // a copy: the list may grow meanwhile
            *(const ployi_deffunction *)ploy_array_at(&clips->functions, x->index);
        if (!clips->failed) value = ployi_clips_call_user(clips, &function, args, x->count);
    }
    clips->depth--;
    return value;
}

ploy_rule_value ployi_clips_body(ploy_clips *clips, ployi_frame *frame, const ployi_body *body) {
    ploy_rule_value value = ployi_clips_bool(clips, false);
    for (int32_t i = 0; i < body->count; i++) {
        value = ployi_clips_eval(clips, frame, body->items[i]);
        if (clips->failed || clips->flow != PLOYI_FLOW_NONE) break;
    }
    return value;
}

ploy_rule_value ployi_clips_call_user(ploy_clips *clips, const ployi_deffunction *function,
                                      const ploy_rule_value *args, int32_t count) {
    ployi_frame frame = {.count = function->body.locals};
    frame.locals = ployi_clips_items(clips, frame.count + 1);
    if (clips->failed) return ploy_rule_none();
    for (int32_t i = 0; i < frame.count; i++) frame.locals[i].type = PLOYI_LOCAL_UNSET;
    int32_t plain = function->params - function->rest;
    for (int32_t i = 0; i < plain && i < count; i++) frame.locals[i] = args[i];
    if (function->rest) {
        int64_t total = 0;
        for (int32_t i = plain; i < count; i++) {
            total += args[i].type == PLOY_RULE_MULTI ? args[i].count : 1;
        }
        ploy_rule_value *items = ployi_clips_items(clips, total + 1);
        if (clips->failed) return ploy_rule_none();
        int32_t used = 0;
        for (int32_t i = plain; i < count; i++) {
            if (args[i].type != PLOY_RULE_MULTI) {
                items[used++] = args[i];
                continue;
            }
            for (int32_t k = 0; k < args[i].count; k++) items[used++] = args[i].as.items[k];
        }
        frame.locals[plain] = ploy_rule_multi(items, used);
    }
    ployi_body body = function->body;
    ploy_rule_value value = ployi_clips_body(clips, &frame, &body);
    if (clips->flow == PLOYI_FLOW_RETURN) value = clips->returned;
    clips->flow = PLOYI_FLOW_NONE;
    if (clips->failed && !clips->exited) {
        ployi_clips_out(clips, "[PRCCODE4] Execution halted during the actions of deffunction ");
        ployi_clips_out(clips, function->name);
        ployi_clips_out(clips, ".\n");
    }
    return value;
}

// ---- Arguments of a type ------------------------------------------------------------------------

bool ployi_clips_integer(ploy_clips *clips, ployi_frame *frame, const ployi_x *x, int32_t i,
                         int64_t *out) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, i);
    if (clips->failed) return false;
    if (value.type == PLOY_RULE_INTEGER) {
        *out = value.as.integer;
    } else if (value.type == PLOY_RULE_FLOAT && value.as.real > -9e18 && value.as.real < 9e18) {
        *out = (int64_t)value.as.real;
    } else {
        ployi_clips_arg_error(clips, x, i, "integer");
        return false;
    }
    return true;
}

bool ployi_clips_lexeme(ploy_clips *clips, ployi_frame *frame, const ployi_x *x, int32_t i,
                        const char **out) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, i);
    if (clips->failed) return false;
    if (value.type == PLOY_RULE_SYMBOL || value.type == PLOY_RULE_STRING ||
        value.type == PLOY_RULE_NAME) {
        *out = ployi_clips_get_text(clips, &value);
        return true;
    }
    ployi_clips_arg_error(clips, x, i, "symbol or string");
    return false;
}

bool ployi_clips_string(ploy_clips *clips, ployi_frame *frame, const ployi_x *x, int32_t i,
                        const char **out) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, i);
    if (clips->failed) return false;
    if (value.type == PLOY_RULE_STRING) {
        *out = ployi_clips_get_text(clips, &value);
        return true;
    }
    ployi_clips_arg_error(clips, x, i, "string");
    return false;
}

bool ployi_clips_multi(ploy_clips *clips, ployi_frame *frame, const ployi_x *x, int32_t i,
                       ploy_rule_value *out) {
    *out = ployi_clips_arg(clips, frame, x, i);
    if (clips->failed) return false;
    if (out->type == PLOY_RULE_MULTI) return true;
    ployi_clips_arg_error(clips, x, i, "multifield");
    return false;
}

// ---- Globals ------------------------------------------------------------------------------------

static void eval_hold(ploy_clips *clips, const ploy_rule_value *value, bool hold) {
    int32_t count = value->type == PLOY_RULE_MULTI ? value->count : 1;
    for (int32_t i = 0; i < count; i++) {
        const ploy_rule_value *item = value->type == PLOY_RULE_MULTI ? &value->as.items[i] : value;
        if (item->type != PLOY_RULE_FACT) continue;
        if (hold) {
            ploy_rules_hold(clips->rules, item->as.fact);
        } else {
            ploy_rules_release(clips->rules, item->as.fact);
        }
    }
}

bool ployi_clips_set_global(ploy_clips *clips, ployi_defglobal *global, ploy_rule_value value) {
    ploy_rule_value kept = value;
    int32_t room = 0;
    if (value.type == PLOY_RULE_MULTI && value.count > 0) {
        room = value.count;
        ploy_rule_value *items =
            ploy_env_alloc(&clips->env, (size_t)room * sizeof(ploy_rule_value));
        if (items == NULL) {
            ployi_clips_error(clips, "SYSTEM1", "Out of memory.");
            return false;
        }
        memcpy(items, value.as.items, (size_t)room * sizeof *items);
        kept = ploy_rule_multi(items, room);
    }
    eval_hold(clips, &kept, true);
    eval_hold(clips, &global->value, false);
    if (global->room > 0) {
        ploy_env_free(&clips->env, (void *)(uintptr_t)global->value.as.items,
                      (size_t)global->room * sizeof(ploy_rule_value));
    }
    global->value = kept;
    global->room = room;
    return true;
}

// ---- Steering -----------------------------------------------------------------------------------

static ploy_rule_value eval_progn(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ployi_body body = {x->args, x->count, 0};
    return ployi_clips_body(clips, frame, &body);
}

static ploy_rule_value eval_if(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value test = ployi_clips_arg(clips, frame, x, 0);
    if (clips->failed) return test;
    if (ployi_clips_true(clips, &test)) return ployi_clips_arg(clips, frame, x, 1);
    return x->count > 2 ? ployi_clips_arg(clips, frame, x, 2) : ployi_clips_bool(clips, false);
}

// True if a loop goes on; ends a break.
static bool eval_goes_on(ploy_clips *clips) {
    if (clips->flow == PLOYI_FLOW_BREAK) {
        clips->flow = PLOYI_FLOW_NONE;
        return false;
    }
    // A turn costs work even if nothing is called in it.
    return !clips->failed && clips->flow == PLOYI_FLOW_NONE && ployi_clips_spend(clips);
}

static ploy_rule_value eval_while(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    for (;;) {
        ploy_rule_value test = ployi_clips_arg(clips, frame, x, 0);
        if (clips->failed || !ployi_clips_true(clips, &test)) break;
        ployi_clips_arg(clips, frame, x, 1);
        if (!eval_goes_on(clips)) break;
    }
    return clips->flow == PLOYI_FLOW_RETURN ? clips->returned : ployi_clips_bool(clips, false);
}

static void eval_set_local(ployi_frame *frame, int32_t index, ploy_rule_value value) {
    if (index >= 0 && index < frame->count) frame->locals[index] = value;
}

static ploy_rule_value eval_count(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t from = 1, to = 0;
    int32_t last = x->count - 2;
    if (last == 2 && !ployi_clips_integer(clips, frame, x, 1, &from)) return ploy_rule_none();
    if (!ployi_clips_integer(clips, frame, x, last, &to)) return ploy_rule_none();
    for (int64_t i = from; i <= to; i++) {
        if (x->args[0] != NULL) eval_set_local(frame, x->args[0]->index, ploy_rule_integer(i));
        ployi_clips_arg(clips, frame, x, x->count - 1);
        if (!eval_goes_on(clips)) break;
    }
    return clips->flow == PLOYI_FLOW_RETURN ? clips->returned : ployi_clips_bool(clips, false);
}

static ploy_rule_value eval_each(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list = ploy_rule_none();
    ploy_rule_value value = ployi_clips_bool(clips, false);
    if (!ployi_clips_multi(clips, frame, x, 1, &list)) return ploy_rule_none();
    for (int32_t i = 0; i < list.count; i++) {
        if (x->args[0] != NULL) {
            eval_set_local(frame, x->args[0]->index, list.as.items[i]);
            eval_set_local(frame, x->index, ploy_rule_integer(i + 1));
        }
        value = ployi_clips_arg(clips, frame, x, 2);
        if (!eval_goes_on(clips)) break;
    }
    return clips->flow == PLOYI_FLOW_RETURN ? clips->returned : value;
}

static ploy_rule_value eval_switch(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    for (int32_t i = 1; i + 1 < x->count && !clips->failed; i += 2) {
        if (x->args[i] != NULL) {
            ploy_rule_value other = ployi_clips_arg(clips, frame, x, i);
            if (clips->failed || !ploy_rule_equal(&value, &other)) continue;
        }
        ploy_rule_value result = ployi_clips_arg(clips, frame, x, i + 1);
        if (clips->flow == PLOYI_FLOW_BREAK) clips->flow = PLOYI_FLOW_NONE;
        return result;
    }
    return ployi_clips_bool(clips, false);
}

static ploy_rule_value eval_return(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    clips->returned = x->count > 0 ? ployi_clips_arg(clips, frame, x, 0) : ploy_rule_none();
    clips->flow = PLOYI_FLOW_RETURN;
    return clips->returned;
}

static ploy_rule_value eval_break(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    (void)frame;
    (void)x;
    clips->flow = PLOYI_FLOW_BREAK;
    return ploy_rule_none();
}

static ploy_rule_value eval_bind(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const ployi_x *to = x->args[0];
    ploy_rule_value value;
    if (x->count == 2) {
        value = ployi_clips_arg(clips, frame, x, 1);
    } else { // several values make a multifield, none unbinds
        ploy_rule_value *items = ployi_clips_items(clips, x->count);
        int32_t used = 0;
        for (int32_t i = 1; i < x->count && !clips->failed; i++) {
            items[used++] = ployi_clips_arg(clips, frame, x, i);
        }
        value = ploy_rule_multi(items, used);
    }
    if (clips->failed) return value;
    if (to->kind == PLOYI_X_GLOBAL) {
        ployi_defglobal *global = ploy_array_at(&clips->globals, to->index);
        if (x->count == 1) {
            value = ployi_clips_eval(clips, frame, global->initial);
            if (clips->failed) return value;
        }
        ployi_clips_set_global(clips, global, value);
        return value;
    }
    if (x->count == 1) {
        value.type = PLOYI_LOCAL_UNSET;
        eval_set_local(frame, to->index, value);
        return ployi_clips_bool(clips, false);
    }
    eval_set_local(frame, to->index, value);
    return value;
}

static ploy_rule_value eval_and(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    for (int32_t i = 0; i < x->count; i++) {
        ploy_rule_value value = ployi_clips_arg(clips, frame, x, i);
        if (clips->failed || !ployi_clips_true(clips, &value)) {
            return ployi_clips_bool(clips, false);
        }
    }
    return ployi_clips_bool(clips, true);
}

static ploy_rule_value eval_or(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    for (int32_t i = 0; i < x->count && !clips->failed; i++) {
        ploy_rule_value value = ployi_clips_arg(clips, frame, x, i);
        if (!clips->failed && ployi_clips_true(clips, &value)) {
            return ployi_clips_bool(clips, true);
        }
    }
    return ployi_clips_bool(clips, false);
}

static ploy_rule_value eval_not(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    return ployi_clips_bool(clips, !ployi_clips_true(clips, &value));
}

static ploy_rule_value eval_funcall(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *name = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &name)) return ploy_rule_none();
    ployi_x call = {.kind = PLOYI_X_CALL, .count = x->count - 1, .args = x->args + 1};
    call.function = ployi_clips_find(clips, name);
    if (call.function == NULL) {
        call.kind = PLOYI_X_USER;
        call.index = ployi_clips_find_function(clips, name);
    }
    bool fits = call.function != NULL && call.count >= call.function->min &&
                (call.function->max < 0 || call.count <= call.function->max);
    if (call.kind == PLOYI_X_USER && call.index >= 0) {
        const ployi_deffunction *made = ploy_array_at(&clips->functions, call.index);
        fits = made->rest ? call.count >= made->params - 1 : call.count == made->params;
    }
    // Those with a special syntax cannot be called through their name.
    static const char *const own[] = {"if",     "while",  "loop-for-count", "progn$",    "foreach",
                                      "switch", "assert", "modify",         "duplicate", "bind"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (strcmp(name, own[i]) == 0) fits = false;
    }
    if (ployi_clips_is_query(name)) fits = false;
    if (!fits) {
        ployi_clips_arg_error(clips, x, 0, "function, deffunction, or generic function name");
        return ploy_rule_none();
    }
    return ployi_clips_eval(clips, frame, &call);
}

const ployi_function ployi_clips_core[] = {
    {"progn", 0, -1, eval_progn},
    {"if", 1, -1, eval_if},
    {"while", 1, -1, eval_while},
    {"loop-for-count", 1, -1, eval_count},
    {"progn$", 1, -1, eval_each},
    {"foreach", 1, -1, eval_each},
    {"switch", 1, -1, eval_switch},
    {"return", 0, 1, eval_return},
    {"break", 0, 0, eval_break},
    {"bind", 1, -1, eval_bind},
    {"and", 2, -1, eval_and},
    {"or", 2, -1, eval_or},
    {"not", 1, 1, eval_not},
    {"funcall", 1, -1, eval_funcall},
    {NULL, 0, 0, NULL},
};
