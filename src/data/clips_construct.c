// The constructs of CLIPS: templates, facts, functions, globals, modules. Rules: clips_rule.c.
#include <string.h>

#include "data/clips_internal.h"

bool ployi_clips_is_construct(const char *word) {
    static const char *const words[] = {"deftemplate", "deffacts",    "defrule",
                                        "defmodule",   "deffunction", "defglobal"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0) return true;
    }
    return false;
}

int32_t ployi_clips_find_module(const ploy_clips *clips, const char *name) {
    for (int32_t i = 0; i < clips->modules.count; i++) {
        if (strcmp(PLOY_ARRAY_ITEMS(&clips->modules, const char *)[i], name) == 0) return i;
    }
    return -1;
}

int32_t ployi_clips_template(ploy_clips *clips, const char *name, bool make) {
    const char *colon = strstr(name, "::");
    if (colon != NULL) name = colon + 2;
    int32_t index = ploy_rulebase_find_template(clips->base, name);
    if (index >= 0 || !make) return index;
    if (ploy_rulebase_add_relation(clips->base, name, &index) != PLOY_OK) return -1;
    ployi_deftemplate form = {.implied = true};
    form.slots = ployi_clips_alloc(clips, 1, sizeof *form.slots);
    if (form.slots == NULL || ploy_array_push(&clips->templates, &form) != PLOY_OK ||
        ploy_rules_extend(clips->rules) != PLOY_OK) {
        return -1;
    }
    form.slots[0].derived = ploy_rule_multi(NULL, 0);
    return index;
}

// The name of a construct, which may begin with its module's; then a comment.
const char *ployi_clips_construct_name(ploy_clips *clips, int32_t *module) {
    if (clips->token.kind != PLOYI_TOKEN_VALUE || clips->token.value.type != PLOY_RULE_SYMBOL) {
        ployi_clips_fault(clips, "[CSTRCPSR2] Missing name for construct", NULL);
        return NULL;
    }
    const char *name = clips->token.text;
    const char *colon = strstr(name, "::");
    *module = clips->module;
    if (colon != NULL) {
        char *text = ployi_clips_copy(clips, name, (size_t)(colon - name));
        *module = text == NULL ? -1 : ployi_clips_find_module(clips, text);
        if (*module < 0) {
            ployi_clips_fault(clips, "[PRNTUTIL1] Unable to find defmodule ", text);
            return NULL;
        }
        clips->module = *module;
        name = colon + 2;
    }
    ployi_clips_next(clips);
    if (clips->token.kind == PLOYI_TOKEN_VALUE && clips->token.value.type == PLOY_RULE_STRING) {
        ployi_clips_next(clips);
    }
    return name;
}

bool ployi_clips_construct_close(ploy_clips *clips, const char *where) {
    if (clips->parse_failed) return false;
    if (clips->token.kind == PLOYI_TOKEN_CLOSE) {
        ployi_clips_next(clips);
        return true;
    }
    ployi_clips_syntax(clips, where);
    return false;
}

static void construct_skip_list(ploy_clips *clips) { // to behind the ')' that ends it
    int32_t depth = 1;
    while (depth > 0 && clips->token.kind != PLOYI_TOKEN_END) {
        if (clips->token.kind == PLOYI_TOKEN_OPEN) depth++;
        if (clips->token.kind == PLOYI_TOKEN_CLOSE) depth--;
        ployi_clips_next(clips);
    }
}

// ---- Templates ----------------------------------------------------------------------------------

static bool construct_template(ploy_clips *clips) {
    int32_t module;
    const char *name = ployi_clips_construct_name(clips, &module);
    if (name == NULL) return false;
    ploy_rule_slot *slots = NULL;
    ployi_defslot *made = NULL;
    int32_t count = 0, room = 0;
    while (clips->token.kind == PLOYI_TOKEN_OPEN && !clips->parse_failed) {
        if (count == room) {
            room = room * 2 + 8;
            ploy_rule_slot *more = ployi_clips_alloc(clips, room, sizeof *more);
            ployi_defslot *more_made = ployi_clips_alloc(clips, room, sizeof *more_made);
            if (more == NULL || more_made == NULL) return false;
            if (count > 0) {
                memcpy(more, slots, (size_t)count * sizeof *more);
                memcpy(more_made, made, (size_t)count * sizeof *more_made);
            }
            slots = more;
            made = more_made;
        }
        ployi_clips_next(clips);
        if (!ployi_clips_slot(clips, &slots[count], &made[count])) return false;
        count++;
    }
    if (clips->token.kind != PLOYI_TOKEN_CLOSE) {
        ployi_clips_syntax(clips, "deftemplate");
        return false;
    }
    ployi_deftemplate form = {.slots = made};
    ploy_result result = ploy_array_reserve(&clips->templates, clips->templates.count + 1);
    if (result == PLOY_OK) {
        result = ploy_rulebase_add_template(clips->base, name, slots, count, NULL);
    }
    if (result != PLOY_OK) {
        ployi_clips_fault(clips, "[CSTRCPSR4] Cannot redefine deftemplate ", name);
        return false;
    }
    ploy_array_push(&clips->templates, &form);
    ployi_clips_next(clips);
    return ploy_rules_extend(clips->rules) == PLOY_OK;
}

// ---- Facts, globals, functions, modules ---------------------------------------------------------

static bool construct_facts(ploy_clips *clips) {
    int32_t module;
    const char *name = ployi_clips_construct_name(clips, &module);
    if (name == NULL) return false;
    ployi_scope scope = {.count = 0};
    ployi_deffacts made = {.name = name};
    made.body.items = ployi_clips_alloc(clips, 1, sizeof(*made.body.items));
    ployi_x *x = ployi_clips_parse_assert(clips, &scope, true);
    if (x == NULL || made.body.items == NULL || !ployi_clips_construct_close(clips, "deffacts"))
        return false;
    made.body.items[0] = x;
    made.body.count = 1;
    int32_t index = clips->deffacts.count;
    const int32_t *last = ploy_map_find_text(&clips->facts_named, name);
    if (last != NULL) ((ployi_deffacts *)ploy_array_at(&clips->deffacts, *last))->removed = true;
    return ploy_array_push(&clips->deffacts, &made) == PLOY_OK &&
           ploy_map_put_text(&clips->facts_named, name, &index) == PLOY_OK;
}

static bool construct_global(ploy_clips *clips) {
    if (clips->token.kind == PLOYI_TOKEN_VALUE) ployi_clips_next(clips); // the module
    while (clips->token.kind == PLOYI_TOKEN_GLOBAL && !clips->parse_failed) {
        const char *name = clips->token.text;
        ployi_clips_next(clips);
        if (!ployi_clips_is(clips, "=")) {
            ployi_clips_syntax(clips, "defglobal");
            return false;
        }
        ployi_clips_next(clips);
        ployi_scope scope = {.count = 0};
        ployi_x *x = ployi_clips_parse_x(clips, &scope);
        if (x == NULL) return false;
        int32_t index = ployi_clips_find_global(clips, name);
        if (index < 0) {
            index = clips->globals.count;
            ployi_defglobal *added = ploy_array_add(&clips->globals);
            if (added == NULL) return false;
            added->name = name;
            if (ploy_map_put_text(&clips->global_named, name, &index) != PLOY_OK) return false;
        }
        ployi_defglobal *made = ploy_array_at(&clips->globals, index);
        made->initial = x;
        ployi_frame frame = {.count = 0};
        ploy_rule_value value = ployi_clips_eval(clips, &frame, x);
        if (clips->failed || !ployi_clips_set_global(clips, made, value)) return false;
    }
    return ployi_clips_construct_close(clips, "defglobal");
}

static bool construct_function(ploy_clips *clips) {
    int32_t module;
    const char *name = ployi_clips_construct_name(clips, &module);
    if (name == NULL) return false;
    if (clips->token.kind != PLOYI_TOKEN_OPEN) {
        ployi_clips_syntax(clips, "deffunction");
        return false;
    }
    ployi_clips_next(clips);
    ployi_scope scope = {.count = 0};
    ployi_deffunction made = {.name = name, .defined = true};
    while (clips->token.kind == PLOYI_TOKEN_VAR || clips->token.kind == PLOYI_TOKEN_MVAR) {
        if (made.rest) break;
        made.rest = clips->token.kind == PLOYI_TOKEN_MVAR;
        ployi_clips_local(clips, &scope, clips->token.text);
        made.params++;
        ployi_clips_next(clips);
    }
    if (scope.count != made.params) ployi_clips_syntax(clips, "parameter list");
    if (!ployi_clips_construct_close(clips, "parameter list")) return false;
    if (ployi_clips_find(clips, name) != NULL) {
        ployi_clips_fault(clips, "[DFFNXPSR1] Deffunctions are not allowed to replace functions",
                          NULL);
        return false;
    }
    // Known before its body is read, so that it may call itself.
    int32_t index = ployi_clips_find_function(clips, name);
    ployi_deffunction before = {.name = name};
    if (index < 0) {
        if (ploy_array_push(&clips->functions, &made) != PLOY_OK) return false;
        index = clips->functions.count - 1;
        if (ploy_map_put_text(&clips->function_named, name, &index) != PLOY_OK) return false;
        before.params = made.params;
        before.rest = made.rest;
    } else {
        before = *(ployi_deffunction *)ploy_array_at(&clips->functions, index);
        *(ployi_deffunction *)ploy_array_at(&clips->functions, index) = made;
    }
    bool fine = ployi_clips_parse_body(clips, &scope, NULL, NULL, &made.body) &&
                ployi_clips_construct_close(clips, "deffunction");
    made.body.locals = scope.count;
    *(ployi_deffunction *)ploy_array_at(&clips->functions, index) = fine ? made : before;
    return fine;
}

static bool construct_module(ploy_clips *clips) {
    if (clips->token.kind != PLOYI_TOKEN_VALUE) {
        ployi_clips_syntax(clips, "defmodule");
        return false;
    }
    const char *name = clips->token.text;
    int32_t index = ployi_clips_find_module(clips, name);
    if (index < 0) {
        if (ploy_array_push(&clips->modules, &name) != PLOY_OK) return false;
        index = clips->modules.count - 1;
    }
    ployi_clips_next(clips);
    if (clips->token.kind == PLOYI_TOKEN_VALUE) ployi_clips_next(clips); // the comment
    while (clips->token.kind == PLOYI_TOKEN_OPEN) { // import and export: one namespace here
        ployi_clips_next(clips);
        construct_skip_list(clips);
    }
    clips->module = index;
    return ployi_clips_construct_close(clips, "defmodule");
}

bool ployi_clips_construct(ploy_clips *clips) {
    const char *word = clips->token.text;
    size_t begin = clips->token.begin; // of the word; its bracket comes before it
    while (begin > 0 && clips->text[begin] != '(') begin--;
    ployi_clips_next(clips);
    bool made = false;
    if (strcmp(word, "deftemplate") == 0) made = construct_template(clips);
    if (strcmp(word, "deffacts") == 0) made = construct_facts(clips);
    if (strcmp(word, "defrule") == 0) made = ployi_clips_defrule(clips);
    if (strcmp(word, "defmodule") == 0) made = construct_module(clips);
    if (strcmp(word, "deffunction") == 0) made = construct_function(clips);
    if (strcmp(word, "defglobal") == 0) made = construct_global(clips);
    if (!made && !clips->parse_failed) {
        ployi_clips_fault(clips, clips->failed ? "cannot evaluate the construct" : "out of memory",
                          NULL);
    }
    if (!made) ployi_clips_echo(clips, begin);
    return made;
}
