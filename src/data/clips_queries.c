// CLIPS's queries over facts: (find-all-facts ((?f guard) (?g door lift)) (eq ?f:room ?g:room)).
//
// A call has one argument for each member of the set (a local whose arguments are the names of
// templates), then the query, then the actions as one body; its index is the number of members.
#include <string.h>

#include "data/clips_internal.h"

static bool queries_acts(const char *name) {
    return strstr(name, "do-for-") != NULL;
}

static ployi_x *queries_fault(ploy_clips *clips) {
    ployi_clips_syntax(clips, "fact-set query function");
    return NULL;
}

// One member from behind its '(': ?f and templates up to ')'.
static ployi_x *queries_member(ploy_clips *clips, ployi_scope *scope, const char *function,
                               int32_t outer) {
    if (clips->token.kind != PLOYI_TOKEN_VAR) return queries_fault(clips);
    for (int32_t i = outer; i < scope->member_count; i++) {
        if (strcmp(scope->members[i], clips->token.text) != 0) continue;
        const char *parts[] = {"[FACTQPSR1] Duplicate fact member variable name in function ",
                               function, "."};
        ployi_clips_fault_list(clips, parts, 3);
        clips->fault_tight = true;
        return NULL;
    }
    if (scope->member_count == PLOYI_FIXED_MAX) {
        ployi_clips_fault(clips, "too many variables", NULL);
        return NULL;
    }
    ployi_x *member = ployi_clips_new_x(clips, PLOYI_X_LOCAL);
    ployi_body templates;
    if (member == NULL) return NULL;
    member->name = clips->token.text;
    member->index = PLOYI_SCOPE_MAX + scope->member_count;
    ployi_clips_next(clips);
    if (!ployi_clips_parse_body(clips, scope, NULL, NULL, &templates)) return NULL;
    if (templates.count == 0) return queries_fault(clips);
    for (int32_t i = 0; i < templates.count; i++) {
        const ployi_x *x = templates.items[i];
        if (x->kind != PLOYI_X_VALUE) continue;
        if (x->value.type != PLOY_RULE_SYMBOL) return queries_fault(clips);
        const char *name = ployi_clips_get_text(clips, &x->value);
        if (ployi_clips_template(clips, name, false) >= 0) continue;
        const char *parts[] = {"[PRNTUTIL1] Unable to find deftemplate ", name, "."};
        ployi_clips_fault_list(clips, parts, 3);
        clips->fault_tight = true;
        return NULL;
    }
    member->args = templates.items;
    member->count = templates.count;
    scope->members[scope->member_count++] = member->name;
    ployi_clips_next(clips);
    return member;
}

bool ployi_clips_is_query(const char *name) {
    return strcmp(name, "any-factp") == 0 || strcmp(name, "find-fact") == 0 ||
           strcmp(name, "find-all-facts") == 0 || strcmp(name, "do-for-fact") == 0 ||
           strcmp(name, "do-for-all-facts") == 0 || strcmp(name, "delayed-do-for-all-facts") == 0;
}

ployi_x *ployi_clips_parse_query(ploy_clips *clips, ployi_scope *scope, ployi_x *x) {
    const char *name = x->function->name, *loop = scope->loop, *query = scope->query;
    int32_t outer = scope->member_count;
    if (clips->token.kind != PLOYI_TOKEN_OPEN) return queries_fault(clips);
    ployi_clips_next(clips);
    x->args = ployi_clips_alloc(clips, PLOYI_FIXED_MAX + 2, sizeof(*x->args));
    if (x->args == NULL) return NULL;
    while (clips->token.kind == PLOYI_TOKEN_OPEN) {
        ployi_clips_next(clips);
        ployi_x *member = queries_member(clips, scope, name, outer);
        if (member == NULL) return NULL;
        x->args[x->count++] = member;
    }
    x->index = x->count;
    if (x->count == 0 || clips->token.kind != PLOYI_TOKEN_CLOSE) return queries_fault(clips);
    ployi_clips_next(clips);
    if (clips->token.kind == PLOYI_TOKEN_CLOSE) return queries_fault(clips);
    scope->query = name;
    ployi_x *test = ployi_clips_parse_x(clips, scope);
    if (test == NULL) return NULL;
    x->args[x->count++] = test;
    if (queries_acts(name)) {
        ployi_x *body = ployi_clips_new_x(clips, PLOYI_X_CALL);
        ployi_body actions;
        scope->loop = name;
        if (body == NULL || !ployi_clips_parse_body(clips, scope, NULL, NULL, &actions)) {
            return NULL;
        }
        scope->loop = loop;
        body->function = ployi_clips_find(clips, "progn");
        body->args = actions.items;
        body->count = actions.count;
        x->args[x->count++] = body;
    }
    scope->member_count = outer;
    scope->query = query;
    if (clips->token.kind != PLOYI_TOKEN_CLOSE) return queries_fault(clips);
    ployi_clips_next(clips);
    return x;
}

ployi_x *ployi_clips_parse_slot(ploy_clips *clips, ployi_scope *scope, const char *name) {
    const char *colon = strchr(name, ':');
    size_t size = colon == NULL ? 0 : (size_t)(colon - name);
    for (int32_t i = scope->member_count - 1; i >= 0 && size > 0; i--) {
        const char *member = scope->members[i];
        if (strncmp(member, name, size) != 0 || member[size] != '\0') continue;
        ployi_x *x = ployi_clips_new_x(clips, PLOYI_X_CALL);
        ployi_x *fact = ployi_clips_new_x(clips, PLOYI_X_LOCAL);
        ployi_x *slot = ployi_clips_new_x(clips, PLOYI_X_VALUE);
        ployi_x **args = ployi_clips_alloc(clips, 2, sizeof(*args));
        if (x == NULL || fact == NULL || slot == NULL || args == NULL) return NULL;
        fact->name = member;
        fact->index = PLOYI_SCOPE_MAX + i;
        slot->value = ployi_clips_symbol(clips, colon + 1);
        args[0] = fact;
        args[1] = slot;
        x->function = ployi_clips_find(clips, "(fact-set-slot)");
        x->args = args;
        x->count = 2;
        return x;
    }
    return NULL;
}

// ---- Running -------------------------------------------------------------------------------------

typedef struct queries_run {
    ploy_clips *clips;
    ployi_frame *frame;
    const ployi_x *x;
    int32_t **templates; // of each member, as many as it has arguments
    bool first;          // ends with the first set
    bool collect;        // sets are found first and used afterwards
    ploy_array found;    // of ploy_fact *
    ploy_rule_value value;
    bool done, any;
} queries_run;

static void queries_set(queries_run *run, int32_t member, ploy_fact *fact) {
    run->frame->members[run->x->args[member]->index - PLOYI_SCOPE_MAX] = ploy_rule_fact(fact);
}

static void queries_act(queries_run *run) {
    ploy_clips *clips = run->clips;
    run->value = ployi_clips_arg(clips, run->frame, run->x, run->x->index + 1);
    if (clips->flow == PLOYI_FLOW_BREAK) {
        clips->flow = PLOYI_FLOW_NONE;
        run->done = true;
    }
    if (clips->flow == PLOYI_FLOW_RETURN || clips->failed) run->done = true;
}

// All members are set: does the query hold, and what follows from it?
static void queries_test(queries_run *run) {
    ploy_clips *clips = run->clips;
    const ployi_x *x = run->x;
    if (!ployi_clips_spend(clips)) return;
    ploy_rule_value holds = ployi_clips_arg(clips, run->frame, x, x->index);
    if (clips->failed || !ployi_clips_true(clips, &holds)) return;
    run->any = true;
    run->done = run->first;
    if (run->collect) {
        for (int32_t i = 0; i < x->index && !clips->failed; i++) {
            ploy_fact *fact = run->frame->members[x->args[i]->index - PLOYI_SCOPE_MAX].as.fact;
            if (ploy_array_push(&run->found, &fact) != PLOY_OK) {
                ployi_clips_error(clips, "SYSTEM1", "Out of memory.");
                return;
            }
            ploy_rules_hold(clips->rules, fact);
        }
    } else if (queries_acts(x->function->name)) {
        queries_act(run);
    }
}

// The next fact of a template. One that was retracted meanwhile has left the list: search behind it.
static ploy_fact *queries_next(queries_run *run, int32_t form, const ploy_fact *fact) {
    if (fact == NULL || ploy_fact_exists(fact)) {
        return ploy_rules_next_of(run->clips->rules, form, fact);
    }
    ploy_fact *next = ploy_rules_next_of(run->clips->rules, form, NULL);
    while (next != NULL && ploy_fact_index(next) < ploy_fact_index(fact)) {
        next = ploy_rules_next_of(run->clips->rules, form, next);
    }
    return next;
}

static void queries_visit(queries_run *run, int32_t member) {
    if (member == run->x->index) {
        queries_test(run);
        return;
    }
    ploy_rules *rules = run->clips->rules;
    const ployi_x *x = run->x->args[member];
    for (int32_t i = 0; i < x->count && !run->done && !run->clips->failed; i++) {
        int32_t form = run->templates[member][i];
        ploy_fact *fact = queries_next(run, form, NULL);
        while (fact != NULL && !run->done && !run->clips->failed) {
            ploy_rules_hold(rules, fact);
            queries_set(run, member, fact);
            queries_visit(run, member + 1);
            ploy_fact *next = queries_next(run, form, fact);
            ploy_rules_release(rules, fact);
            fact = next;
        }
    }
}

static bool queries_templates(queries_run *run) {
    ploy_clips *clips = run->clips;
    run->templates = ploy_arena_alloc(clips->scratch, (size_t)run->x->index * sizeof(int32_t *));
    for (int32_t m = 0; m < run->x->index && run->templates != NULL; m++) {
        const ployi_x *member = run->x->args[m];
        int32_t *forms = ploy_arena_alloc(clips->scratch, (size_t)member->count * sizeof *forms);
        run->templates[m] = forms;
        for (int32_t i = 0; i < member->count && forms != NULL && !clips->failed; i++) {
            const char *name = NULL;
            if (!ployi_clips_lexeme(clips, run->frame, member, i, &name)) return false;
            forms[i] = ployi_clips_template(clips, name, false);
            if (forms[i] >= 0) continue;
            ployi_clips_out(clips, "[PRNTUTIL1] Unable to find deftemplate ");
            ployi_clips_out(clips, name);
            ployi_clips_out(clips, ".\n");
            clips->failed = true;
        }
        if (forms == NULL) run->templates = NULL;
    }
    if (run->templates == NULL) ployi_clips_error(clips, "SYSTEM1", "Out of memory.");
    return !clips->failed;
}

static ploy_rule_value queries_call(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *name = x->function->name;
    bool delayed = name[0] == 'd' && name[1] == 'e';
    ploy_rule_value members[PLOYI_FIXED_MAX], *outer = frame->members;
    queries_run run = {.clips = clips, .frame = frame, .x = x};
    run.value = ployi_clips_bool(clips, false);
    run.first = strcmp(name, "any-factp") == 0 || strstr(name, "-all-") == NULL;
    run.collect = delayed || name[0] == 'f';
    ploy_arena_mark mark = ploy_arena_mark_of(clips->scratch);
    if (!queries_templates(&run)) return run.value;
    if (outer == NULL) frame->members = members;
    ploy_array_init(&run.found, sizeof(ploy_fact *), &clips->env);
    ploy_rules_keep(clips->rules, true); // what actions retract stays readable
    queries_visit(&run, 0);
    run.done = false;
    for (int32_t i = 0; delayed && i < run.found.count && !run.done && !clips->failed;
         i += x->index) {
        for (int32_t m = 0; m < x->index; m++) {
            queries_set(&run, m, *PLOY_ARRAY_AT(&run.found, ploy_fact *, i + m));
        }
        if (ployi_clips_spend(clips)) queries_act(&run);
    }
    if (name[0] == 'a') run.value = ployi_clips_bool(clips, run.any);
    if (name[0] == 'f') {
        ploy_rule_value *items = ployi_clips_items(clips, run.found.count + 1);
        for (int32_t i = 0; i < run.found.count && !clips->failed; i++) {
            items[i] = ploy_rule_fact(*PLOY_ARRAY_AT(&run.found, ploy_fact *, i));
        }
        run.value = clips->failed ? run.value : ploy_rule_multi(items, run.found.count);
    }
    for (int32_t i = 0; i < run.found.count; i++) {
        ploy_rules_release(clips->rules, *PLOY_ARRAY_AT(&run.found, ploy_fact *, i));
    }
    frame->members = outer;
    ploy_array_fini(&run.found);
    ploy_rules_keep(clips->rules, false);
    // A condition is evaluated often before its memory is taken back, and keeps no values.
    if (frame->match != NULL && name[0] == 'a') ploy_arena_rewind(clips->scratch, mark);
    return clips->flow == PLOYI_FLOW_RETURN ? clips->returned : run.value;
}

// ?f:slot
static ploy_rule_value queries_slot(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value fact = ployi_clips_arg(clips, frame, x, 0);
    if (clips->failed || fact.type != PLOY_RULE_FACT) return ployi_clips_bool(clips, false);
    const char *name = ployi_clips_get_text(clips, &x->args[1]->value);
    int32_t form = ploy_fact_template(fact.as.fact);
    int32_t slot = ploy_rulebase_find_slot(clips->base, form, name);
    if (slot < 0 && ploy_rulebase_template_ordered(clips->base, form) &&
        strcmp(name, "implied") == 0) {
        slot = 0;
    }
    if (slot >= 0) return ploy_fact_slot(fact.as.fact, slot);
    ployi_clips_out(clips, "[INSFUN3] No such slot ");
    ployi_clips_out(clips, name);
    ployi_clips_out(clips, " in function fact-set query.\n");
    clips->failed = true;
    return ployi_clips_bool(clips, false);
}

const ployi_function ployi_clips_queries[] = {
    {"any-factp", 2, -1, queries_call},
    {"find-fact", 2, -1, queries_call},
    {"find-all-facts", 2, -1, queries_call},
    {"do-for-fact", 2, -1, queries_call},
    {"do-for-all-facts", 2, -1, queries_call},
    {"delayed-do-for-all-facts", 2, -1, queries_call},
    {"(fact-set-slot)", 2, 2, queries_slot}, // no text can call it
    {NULL, 0, 0, NULL},
};
