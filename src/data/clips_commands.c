// CLIPS's functions that do something: running, the agenda, modules, files, settings.
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/number.h"

// ---- Running ------------------------------------------------------------------------------------

int32_t ployi_clips_salience(void *user, int32_t rule, int32_t salience) {
    ploy_clips *clips = user;
    if (clips->salience_when == 0) return salience;
    const int32_t *index = ploy_map_get(&clips->rule_of, (uint64_t)rule);
    if (index == NULL) return salience;
    const ployi_defrule *made = ploy_array_at(&clips->defrules, *index);
    if (made->salience == NULL) return salience;
    ployi_frame frame = {.count = 0};
    ploy_rule_value value = ployi_clips_eval(clips, &frame, made->salience);
    return value.type == PLOY_RULE_INTEGER && value.as.integer >= -10000 &&
                   value.as.integer <= 10000
               ? (int32_t)value.as.integer
               : salience;
}

static void commands_count(ploy_clips *clips) {
    int64_t facts = ploy_rules_fact_count(clips->rules);
    int64_t activations = ploy_rules_activation_count(clips->rules);
    clips->sum_facts += facts;
    clips->sum_activations += activations;
    if (facts > clips->max_facts) clips->max_facts = facts;
    if (activations > clips->max_activations) clips->max_activations = activations;
}

ploy_result ployi_clips_action(void *user, ploy_rules *rules, int32_t rule) {
    ploy_clips *clips = user;
    (void)rules;
    const int32_t *index = ploy_map_get(&clips->rule_of, (uint64_t)rule);
    if (index == NULL) return PLOY_OK;
    const ployi_defrule *found = ploy_array_at(&clips->defrules, *index);
    ployi_defrule made = *found;
    ploy_arena_mark mark = ploy_arena_mark_of(clips->scratch);
    clips->work = 0;
    clips->halted = false;
    int32_t module = clips->module;
    clips->module = made.module;
    ployi_frame frame = {.count = made.body.locals};
    frame.locals = ployi_clips_items(clips, frame.count + 1);
    for (int32_t i = 0; i < frame.count && !clips->failed; i++) frame.locals[i].type = -1;
    frame.lhs = made.lhs + (int64_t)(rule - made.first) * frame.count;
    if (!clips->failed) ployi_clips_body(clips, &frame, &made.body);
    if (clips->flow == PLOYI_FLOW_RETURN) ploy_rules_pop_focus(clips->rules);
    clips->flow = PLOYI_FLOW_NONE;
    clips->module = module;
    ploy_arena_rewind(clips->scratch, mark);
    // CLIPS says so of a rule that is watched and halts, too.
    bool watched = clips->halted && (clips->watch & PLOYI_WATCH_RULES) != 0;
    if ((clips->failed && !clips->exited) || watched) {
        ployi_clips_out(clips, "[PRCCODE4] Execution halted during the actions of defrule ");
        ployi_clips_out(clips, made.name);
        ployi_clips_out(clips, ".\n");
    }
    if (clips->failed) return PLOY_ERR_CALLBACK;
    commands_count(clips);
    if (clips->def.progress != NULL) clips->def.progress(clips->def.user, clips->run_fired);
    return PLOY_OK;
}

static void commands_mean(ploy_clips *clips, int64_t sum, int64_t most, const char *what) {
    double mean = (double)sum / (double)(clips->run_fired + 1) + 0.5;
    ployi_clips_out_i64(clips, (int64_t)mean, 0, true);
    ployi_clips_out(clips, " mean number of ");
    ployi_clips_out(clips, what);
    ployi_clips_out(clips, " (");
    ployi_clips_out_i64(clips, most, 0, true);
    ployi_clips_out(clips, " maximum).\n");
}

ploy_result ploy_clips_run(ploy_clips *clips, int64_t limit, int64_t *fired) {
    if (fired != NULL) *fired = 0;
    if (clips->running) return PLOY_ERR_STATE;
    clips->running = true;
    clips->failed = false;
    if (clips->depth == 0) clips->limited = false; // not called by the program itself
    bool all = limit < 0;
    if (all && clips->def.firings > 0 && clips->def.firings <= INT64_MAX) {
        limit = (int64_t)clips->def.firings;
    }
    clips->run_fired = 0;
    clips->sum_facts = clips->max_facts = clips->sum_activations = clips->max_activations = 0;
    int32_t depth = clips->depth;
    commands_count(clips);
    uint64_t before = ploy_rules_fired(clips->rules);
    ploy_budget budget = ploy_budget_units(limit < 0 ? PLOY_BUDGET_UNLIMITED : limit);
    ploy_result result = PLOY_OK;
    if (clips->salience_when == 2) {
        do { // every cycle asks for the saliences again
            ploy_rules_refresh_saliences(clips->rules);
            ploy_budget one = ploy_budget_units(1);
            if (!ploy_budget_spend(&budget, 1)) break;
            result = ploy_rules_step(clips->rules, &one, NULL);
        } while (result == PLOY_IN_PROGRESS);
    } else {
        result = ploy_rules_step(clips->rules, &budget, NULL);
    }
    clips->depth = depth;
    clips->running = false;
    if ((clips->watch & PLOYI_WATCH_STATISTICS) != 0) {
        ployi_clips_out_i64(clips, clips->run_fired, 0, true);
        ployi_clips_out(clips, " rules fired\n");
        commands_mean(clips, clips->sum_facts, clips->max_facts, "facts");
        commands_mean(clips, clips->run_fired + 1, 1, "instances");
        commands_mean(clips, clips->sum_activations, clips->max_activations, "activations");
    }
    if (fired != NULL) *fired = (int64_t)(ploy_rules_fired(clips->rules) - before);
    if (result == PLOY_IN_PROGRESS && all) {
        clips->limited = true;
        result = PLOY_ERR_LIMIT;
    }
    return result == PLOY_IN_PROGRESS ? PLOY_OK : ployi_clips_end(clips, result);
}

ploy_result ploy_clips_reset(ploy_clips *clips) {
    clips->failed = false;
    if (clips->depth == 0) {
        clips->limited = false; // not called by the program itself
        clips->work = 0;
    }
    ployi_frame frame = {.count = 0};
    // Globals first, because saliences may depend on them when rules are activated.
    for (int32_t i = 0; i < clips->globals.count && !clips->failed; i++) {
        ployi_defglobal *global = ploy_array_at(&clips->globals, i);
        ployi_clips_set_global(clips, global, ployi_clips_eval(clips, &frame, global->initial));
    }
    for (int32_t i = 0; i < clips->globals.count; i++) { // what holds a fact would outlive it
        ployi_defglobal *global = ploy_array_at(&clips->globals, i);
        bool facts = global->value.type == PLOY_RULE_FACT;
        for (int32_t k = 0; global->value.type == PLOY_RULE_MULTI && k < global->value.count; k++) {
            facts = facts || global->value.as.items[k].type == PLOY_RULE_FACT;
        }
        if (facts) ployi_clips_set_global(clips, global, ployi_clips_bool(clips, false));
    }
    if ((clips->watch & PLOYI_WATCH_FACTS) != 0) {
        for (ploy_fact *fact = ploy_rules_next_fact(clips->rules, NULL); fact != NULL;
             fact = ploy_rules_next_fact(clips->rules, fact)) {
            ployi_clips_watch(clips, PLOY_RULE_RETRACTED, fact, NULL, -1);
        }
    }
    ploy_result result = ploy_rules_reset(clips->rules);
    if (result != PLOY_OK) return ployi_clips_end(clips, result);
    int32_t initial = ploy_rulebase_find_template(clips->base, "initial-fact");
    result = ploy_rules_assert(clips->rules, initial, NULL, 0, NULL);
    for (int32_t i = 0; i < clips->deffacts.count && result == PLOY_OK && !clips->failed; i++) {
        const ployi_deffacts *facts = ploy_array_at(&clips->deffacts, i);
        ployi_body body = facts->body;
        if (!facts->removed) ployi_clips_body(clips, &frame, &body);
    }
    clips->module = 0;
    return ployi_clips_end(clips, clips->failed ? PLOY_ERR_FORMAT : result);
}

static ploy_rule_value commands_reset(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    (void)frame;
    (void)x;
    ploy_clips_reset(clips);
    return ploy_rule_none();
}

static ploy_rule_value commands_run(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t limit = -1;
    if (x->count > 0 && !ployi_clips_integer(clips, frame, x, 0, &limit)) return ploy_rule_none();
    ploy_clips_run(clips, limit, NULL);
    clips->failed = false; // a rule's fault ends the run, not who called it
    return ploy_rule_none();
}

static ploy_rule_value commands_halt(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    (void)frame;
    (void)x;
    clips->halted = true;
    ploy_rules_halt(clips->rules);
    return ploy_rule_none();
}

static ploy_rule_value commands_clear(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    (void)frame;
    (void)x;
    clips->clear_wanted = true; // when the command is through, whose own text lives in the program
    return ploy_rule_none();
}

static ploy_rule_value commands_exit(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    (void)frame;
    (void)x;
    clips->exited = true;
    clips->failed = true; // unwinds everything
    return ploy_rule_none();
}

static ploy_rule_value commands_agenda(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    (void)frame;
    (void)x;
    int32_t module = ploy_rules_current_focus(clips->rules, 0);
    ploy_rule_activation activation = {0, 0, NULL};
    int64_t count = 0;
    if (module < 0) module = 0;
    while (ploy_rules_next_activation(clips->rules, module, &activation)) {
        ployi_clips_out_i64(clips, activation.salience, 6, true);
        ployi_clips_out(clips, " ");
        ployi_clips_show_activation(clips, &activation);
        count++;
    }
    if (count == 0) return ploy_rule_none();
    ployi_clips_out(clips, "For a total of ");
    ployi_clips_out_i64(clips, count, 0, true);
    ployi_clips_out(clips, count == 1 ? " activation.\n" : " activations.\n");
    return ploy_rule_none();
}

static ploy_rule_value commands_focus(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    for (int32_t i = x->count; i-- > 0 && !clips->failed;) {
        const char *name = NULL;
        if (!ployi_clips_lexeme(clips, frame, x, i, &name)) break;
        int32_t module = ployi_clips_find_module(clips, name);
        if (module < 0) {
            ployi_clips_error(clips, "PRNTUTIL1", "Unable to find defmodule.");
        } else if (ploy_rules_focus(clips->rules, module) != PLOY_OK) {
            clips->failed = true;
        }
    }
    return ployi_clips_bool(clips, !clips->failed);
}

static ploy_rule_value commands_get_focus(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    (void)frame;
    bool pop = x->function->name[0] == 'p';
    int32_t module =
        pop ? ploy_rules_pop_focus(clips->rules) : ploy_rules_current_focus(clips->rules, 0);
    if (module < 0) return ployi_clips_bool(clips, false);
    return ployi_clips_symbol(clips, ployi_clips_module_name(clips, module));
}

static ploy_rule_value commands_focus_stack(ploy_clips *clips, ployi_frame *frame,
                                            const ployi_x *x) {
    (void)frame;
    (void)x;
    int32_t count = 0;
    while (ploy_rules_current_focus(clips->rules, count) >= 0) count++;
    ploy_rule_value *items = ployi_clips_items(clips, count + 1);
    for (int32_t i = 0; i < count && !clips->failed; i++) {
        int32_t module = ploy_rules_current_focus(clips->rules, i);
        items[i] = ployi_clips_symbol(clips, ployi_clips_module_name(clips, module));
    }
    return ploy_rule_multi(items, clips->failed ? 0 : count);
}

static ploy_rule_value commands_clear_focus(ploy_clips *clips, ployi_frame *frame,
                                            const ployi_x *x) {
    (void)frame;
    (void)x;
    ploy_rules_clear_focus(clips->rules);
    return ploy_rule_none();
}

static ploy_rule_value commands_current_module(ploy_clips *clips, ployi_frame *frame,
                                               const ployi_x *x) {
    const char *name = NULL;
    int32_t old = clips->module;
    if (x->count > 0) {
        if (!ployi_clips_lexeme(clips, frame, x, 0, &name)) return ploy_rule_none();
        int32_t module = ployi_clips_find_module(clips, name);
        if (module >= 0) clips->module = module;
    }
    return ployi_clips_symbol(clips, ployi_clips_module_name(clips, old));
}

static ploy_rule_value commands_strategy(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *name = NULL;
    int32_t old = clips->strategy;
    if (x->count > 0) {
        if (!ployi_clips_lexeme(clips, frame, x, 0, &name)) return ploy_rule_none();
        int32_t found = -1;
        for (int32_t i = 0; i < PLOY_RULE_STRATEGY_COUNT; i++) {
            if (strcmp(name, ploy_rule_strategy_text((ploy_rule_strategy)i)) == 0) found = i;
        }
        if (found < 0) {
            ployi_clips_arg_error(clips, x, 0,
                                  "symbol with value depth, breadth, lex, mea, complexity, "
                                  "simplicity, or random");
            return ploy_rule_none();
        }
        clips->strategy = found;
        ploy_rules_set_strategy(clips->rules, (ploy_rule_strategy)found);
    }
    return ployi_clips_symbol(clips, ploy_rule_strategy_text((ploy_rule_strategy)old));
}

static ploy_rule_value commands_evaluation(ploy_clips *clips, ployi_frame *frame,
                                           const ployi_x *x) {
    static const char *const words[] = {"when-defined", "when-activated", "every-cycle"};
    const char *name = NULL;
    int32_t old = clips->salience_when;
    if (x->count > 0) {
        if (!ployi_clips_lexeme(clips, frame, x, 0, &name)) return ploy_rule_none();
        for (int32_t i = 0; i < 3; i++) {
            if (strcmp(name, words[i]) == 0) clips->salience_when = i;
        }
    }
    return ployi_clips_symbol(clips, words[old]);
}

ployi_defrule *ployi_clips_find_rule(ploy_clips *clips, const char *name) {
    const char *colon = strstr(name, "::");
    if (colon != NULL) name = colon + 2;
    for (int32_t i = clips->defrules.count; i-- > 0;) {
        ployi_defrule *rule = ploy_array_at(&clips->defrules, i);
        if (!rule->removed && strcmp(rule->name, name) == 0) return rule;
    }
    ployi_clips_out(clips, "[PRNTUTIL1] Unable to find defrule ");
    ployi_clips_out(clips, name);
    ployi_clips_out(clips, ".\n");
    return NULL;
}

static ploy_rule_value commands_rule(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *name = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &name)) return ploy_rule_none();
    ployi_defrule *rule = ployi_clips_find_rule(clips, name);
    if (rule == NULL) return ploy_rule_none();
    bool refresh = x->function->name[0] == 'r';
    for (int32_t i = 0; i < rule->count; i++) {
        if (refresh) {
            ploy_rules_refresh(clips->rules, rule->first + i);
        } else {
            ploy_rules_remove_rule(clips->rules, rule->first + i);
        }
    }
    if (!refresh) rule->removed = true;
    return ploy_rule_none();
}

static ploy_rule_value commands_refresh_agenda(ploy_clips *clips, ployi_frame *frame,
                                               const ployi_x *x) {
    (void)frame;
    (void)x;
    ploy_rules_refresh_saliences(clips->rules);
    return ploy_rule_none();
}

// ---- Files and texts ----------------------------------------------------------------------------

static ploy_rule_value commands_load(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *path = NULL;
    ploy_buffer text;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &path)) return ployi_clips_bool(clips, false);
    if (clips->def.read == NULL || clips->def.read(clips->def.user, path, &text) != PLOY_OK) {
        ployi_clips_error(clips, "ARGACCES2", "The file could not be opened.");
        return ployi_clips_bool(clips, false);
    }
    ploy_clips saved = *clips;
    ploy_result result = PLOY_OK;
    if (clips->loads < 16) {
        clips->loads++;
        if (x->function->name[0] == 'b') {
            result = ploy_clips_batch(clips, ploy_buffer_text(&text), text.size, path, false);
        } else {
            result = ploy_clips_load(clips, ploy_buffer_text(&text), text.size, path, NULL);
        }
        clips->loads--;
    }
    ployi_clips_restore(clips, &saved);
    ploy_buffer_fini(&text);
    return ployi_clips_bool(clips, result == PLOY_OK);
}

ploy_rule_value ployi_clips_eval_text(ploy_clips *clips, const char *text) {
    ploy_clips saved = *clips;
    ployi_scope scope = {.count = 0};
    ployi_clips_open(clips, text, strlen(text), "eval", NULL);
    ployi_x *x = ployi_clips_parse_x(clips, &scope);
    bool fine = x != NULL && !clips->parse_failed;
    ployi_clips_restore(clips, &saved);
    if (!fine) return ployi_clips_bool(clips, false);
    ployi_frame frame = {.count = scope.count};
    frame.locals = ployi_clips_items(clips, scope.count + 1);
    for (int32_t i = 0; i < scope.count && !clips->failed; i++) frame.locals[i].type = -1;
    return clips->failed ? ploy_rule_none() : ployi_clips_eval(clips, &frame, x);
}

static ploy_rule_value commands_eval(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *text = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &text)) return ployi_clips_bool(clips, false);
    return ployi_clips_eval_text(clips, text);
}

static ploy_rule_value commands_build(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *text = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &text)) return ployi_clips_bool(clips, false);
    ploy_clips saved = *clips;
    ploy_result result = ploy_clips_load(clips, text, strlen(text), "build", NULL);
    ployi_clips_restore(clips, &saved);
    return ployi_clips_bool(clips, result == PLOY_OK);
}

static ploy_rule_value commands_duplication(ploy_clips *clips, ployi_frame *frame,
                                            const ployi_x *x) {
    for (int32_t i = 0; i < x->count; i++) ployi_clips_arg(clips, frame, x, i);
    return ployi_clips_bool(clips, false); // settings that have no effect here
}

// (set-static-constraint-checking value), (get-static-constraint-checking): what was set before.
static ploy_rule_value commands_check(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    bool before = !clips->unchecked;
    if (x->count > 0) {
        ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
        if (!clips->failed) clips->unchecked = !ployi_clips_true(clips, &value);
    }
    return ployi_clips_bool(clips, before);
}

// The names of a module's rules in the order of their definition.
static int64_t commands_list_rules(ploy_clips *clips, int32_t module, const char *indent) {
    int64_t count = 0;
    for (int32_t i = 0; i < clips->defrules.count; i++) {
        const ployi_defrule *rule = ploy_array_at(&clips->defrules, i);
        if (rule->removed || rule->module != module) continue;
        ployi_clips_out(clips, indent);
        ployi_clips_out(clips, rule->name);
        ployi_clips_out(clips, "\n");
        count++;
    }
    return count;
}

// (rules), (rules MODULE), (rules *).
static ploy_rule_value commands_rules(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *name = "";
    if (x->count > 0 && !ployi_clips_lexeme(clips, frame, x, 0, &name)) return ploy_rule_none();
    bool all = strcmp(name, "*") == 0;
    int32_t only = x->count == 0 ? clips->module : ployi_clips_find_module(clips, name);
    if (!all && only < 0) {
        ployi_clips_out(clips, "\n[PRNTUTIL1] Unable to find defmodule ");
        ployi_clips_out(clips, name);
        ployi_clips_out(clips, ".\n");
        clips->failed = true;
        return ploy_rule_none();
    }
    int64_t count = 0;
    for (int32_t i = 0; i < clips->modules.count; i++) {
        if (all) {
            ployi_clips_out(clips, ployi_clips_module_name(clips, i));
            ployi_clips_out(clips, ":\n");
        }
        if (all || i == only) count += commands_list_rules(clips, i, all ? "   " : "");
    }
    if (count == 0) return ploy_rule_none();
    ployi_clips_out(clips, "For a total of ");
    ployi_clips_out_i64(clips, count, 0, true);
    ployi_clips_out(clips, count == 1 ? " defrule.\n" : " defrules.\n");
    return ploy_rule_none();
}

const ployi_function ployi_clips_commands[] = {
    {"reset", 0, 0, commands_reset},
    {"run", 0, 1, commands_run},
    {"halt", 0, 0, commands_halt},
    {"clear", 0, 0, commands_clear},
    {"exit", 0, 1, commands_exit},
    {"agenda", 0, 1, commands_agenda},
    {"focus", 1, -1, commands_focus},
    {"get-focus", 0, 0, commands_get_focus},
    {"pop-focus", 0, 0, commands_get_focus},
    {"get-focus-stack", 0, 0, commands_focus_stack},
    {"clear-focus-stack", 0, 0, commands_clear_focus},
    {"get-current-module", 0, 0, commands_current_module},
    {"set-current-module", 1, 1, commands_current_module},
    {"set-strategy", 1, 1, commands_strategy},
    {"get-strategy", 0, 0, commands_strategy},
    {"set-salience-evaluation", 1, 1, commands_evaluation},
    {"get-salience-evaluation", 0, 0, commands_evaluation},
    {"refresh", 1, 1, commands_rule},
    {"undefrule", 1, 1, commands_rule},
    {"refresh-agenda", 0, 1, commands_refresh_agenda},
    {"load", 1, 1, commands_load},
    {"load*", 1, 1, commands_load},
    {"batch*", 1, 1, commands_load},
    {"batch", 1, 1, commands_load},
    {"eval", 1, 1, commands_eval},
    {"build", 1, 1, commands_build},
    {"set-dynamic-constraint-checking", 1, 1, commands_duplication},
    {"set-static-constraint-checking", 1, 1, commands_check},
    {"get-static-constraint-checking", 0, 0, commands_check},
    {"rules", 0, 1, commands_rules},
    {"list-defrules", 0, 1, commands_rules},
    {"set-sequence-operator-recognition", 1, 1, commands_duplication},
    {NULL, 0, 0, NULL},
};
