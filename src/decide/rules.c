// Rules at work: their life, texts made at run time, firing. The network is in rules_match.c and
// rules_pattern.c, the facts are in rules_facts.c.
#include "ploy/decide/rules.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "decide/rules_internal.h"
#include "ploy/base/number.h"

static const char *const rules_strategies[] = {"depth", "breadth", "simplicity", "complexity",
                                               "lex",   "mea",     "random"};

static const ploy_field rules_fields[] = {
    PLOY_FIELD_ENUM(ploy_rules_def, strategy, PLOY_RULE_DEPTH, rules_strategies,
                    "which of equal salience fires first"),
    PLOY_FIELD_I32(ploy_rules_def, modules, 1, 1, 10000, "", "agendas there are at first"),
    PLOY_FIELD_BOOL(ploy_rules_def, duplicates, false, "a fact may be there twice"),
    PLOY_FIELD_BOOL(ploy_rules_def, audit, false, "facts remember where they came from"),
    PLOY_FIELD_BOOL(ploy_rules_def, batch, false, "effects of an action happen after it"),
    PLOY_FIELD_BOOL(ploy_rules_def, loop, false, "as a behavior it runs on when no rule can fire"),
    PLOY_FIELD_U64(ploy_rules_def, seed, 0, "of the random strategy"),
};

ploy_fields ploy_rules_fields(void) {
    return PLOY_FIELDS(ploy_rules_def, rules_fields);
}

ploy_rules_def ploy_rules_def_default(void) {
    ploy_rules_def def;
    memset(&def, 0, sizeof def);
    ploy_fields_default(ploy_rules_fields(), &def);
    return def;
}

const char *ploy_rule_strategy_text(ploy_rule_strategy strategy) {
    return (int32_t)strategy < 0 || strategy >= PLOY_RULE_STRATEGY_COUNT
               ? "?"
               : rules_strategies[strategy];
}

// ---- Life ---------------------------------------------------------------------------------------

static void rules_free_memories(ploy_rules *rules, ploy_array *memories, bool tails) {
    for (int32_t i = 0; i < memories->count; i++) {
        ployi_memory *memory = &PLOY_ARRAY_ITEMS(memories, ployi_memory)[i];
        size_t bytes = (size_t)memory->size * sizeof(ployi_pm *);
        ploy_env_free(&rules->env, memory->heads, bytes);
        if (tails) ploy_env_free(&rules->env, memory->tails, bytes);
    }
    ploy_array_fini(memories);
}

void ploy_rules_destroy(ploy_rules *rules) {
    if (rules == NULL) return;
    ploy_env env = rules->env;
    rules_free_memories(rules, &rules->left, false);
    rules_free_memories(rules, &rules->right, true);
    rules_free_memories(rules, &rules->alpha, true);
    ployi_rules_drop_pieces(rules, true);
    ploy_array_fini(&rules->chunks);
    ploy_array_fini(&rules->of_template);
    ploy_array_fini(&rules->agendas);
    ploy_array_fini(&rules->groups);
    ploy_array_fini(&rules->focus);
    ploy_array_fini(&rules->rule_states);
    ploy_array_fini(&rules->firing_copies);
    ploy_array_fini(&rules->batch);
    ploy_array_fini(&rules->batch_values);
    ploy_array_fini(&rules->reasons);
    ploy_array_fini(&rules->reason_basis);
    ploy_array_fini(&rules->reason_text);
    ploy_map_fini(&rules->reason_of);
    ployi_facts_fini(rules);
    ploy_names_destroy(rules->names);
    ploy_env_free(&env, rules, sizeof *rules);
}

static void rules_report_memories(const ploy_array *memories, bool tails, ploy_memory_fn fn,
                                  void *user) {
    ploy_array_memory(memories, fn, user);
    for (int32_t i = 0; i < memories->count; i++) {
        const ployi_memory *memory = &PLOY_ARRAY_ITEMS(memories, ployi_memory)[i];
        if (memory->size == 0) continue;
        size_t bytes = (size_t)memory->size * sizeof(ployi_pm *);
        ploy_memory_item item = {"rules.memory", tails ? 2 * bytes : bytes, tails ? 2 : 1};
        fn(user, &item);
    }
}

void ployi_rules_report(const ploy_rules *rules, ploy_memory_fn fn, void *user) {
    const ploy_array *const arrays[] = {
        &rules->chunks,       &rules->of_template, &rules->agendas,       &rules->groups,
        &rules->focus,        &rules->rule_states, &rules->firing_copies, &rules->batch,
        &rules->batch_values, &rules->reasons,     &rules->reason_basis,  &rules->reason_text};
    ploy_memory_item self = {"rules", sizeof *rules, 1};
    fn(user, &self);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
    rules_report_memories(&rules->left, false, fn, user);
    rules_report_memories(&rules->right, true, fn, user);
    rules_report_memories(&rules->alpha, true, fn, user);
    ployi_rules_report_pieces(rules, fn, user);
    ploy_map_memory(&rules->reason_of, fn, user);
    ploy_names_memory(rules->names, fn, user);
    if (rules->same_size > 0) {
        size_t bytes = 2 * (size_t)rules->same_size * sizeof(ploy_fact *);
        ploy_memory_item facts = {"rules.facts", bytes, 2};
        fn(user, &facts);
    }
}

// Room for what the base has: templates, rules, agendas.
static ploy_result rules_fit(ploy_rules *rules) {
    const ploy_rulebase *base = rules->base;
    ploy_result result = ploy_array_resize(&rules->of_template, base->templates.count);
    int32_t modules = rules->def.modules, known = rules->rule_states.count;
    for (int32_t i = known; result == PLOY_OK && i < base->rules.count; i++) {
        ployi_rule_state state = {PLOYI_RULE(base, i)->salience, 0, 0};
        result = ploy_array_push(&rules->rule_states, &state);
    }
    for (int32_t i = known; i < base->rules.count; i++) { // those before have their agendas
        if (PLOYI_RULE(base, i)->module >= modules) modules = PLOYI_RULE(base, i)->module + 1;
    }
    while (result == PLOY_OK && rules->agendas.count < modules) {
        ployi_agenda agenda = {-1, 0};
        result = ploy_array_push(&rules->agendas, &agenda);
    }
    if (result == PLOY_OK) result = ploy_array_reserve(&rules->focus, modules + 16);
    return result;
}

ploy_result ploy_rules_extend(ploy_rules *rules) {
    if (rules->fault != PLOY_OK) return rules->fault;
    if (rules->busy > 0) return PLOY_ERR_STATE;
    ploy_result result = rules_fit(rules);
    if (result == PLOY_OK) result = ployi_rules_grow(rules);
    return result;
}

ploy_result ploy_rules_create(const ploy_rules_def *def, const ploy_rulebase *base,
                              const ploy_env *env, ploy_rules **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (base == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_rules_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_rules *rules = ploy_env_alloc_zero(env, sizeof *rules);
    if (rules == NULL) return PLOY_ERR_MEMORY;
    rules->env = *env;
    rules->base = base;
    rules->def = *def;
    rules->free_group = -1;
    rules->firing_rule = -1;
    rules->timetag = 1;
    rules->events = UINT32_MAX;
    rules->rng = ploy_rng_make(def->seed);
    ploy_array_init(&rules->chunks, sizeof(void *), env);
    ploy_array_init(&rules->of_template, sizeof(ployi_fact_list), env);
    ploy_array_init(&rules->left, sizeof(ployi_memory), env);
    ploy_array_init(&rules->right, sizeof(ployi_memory), env);
    ploy_array_init(&rules->alpha, sizeof(ployi_memory), env);
    ploy_array_init(&rules->agendas, sizeof(ployi_agenda), env);
    ploy_array_init(&rules->groups, sizeof(ployi_agenda_group), env);
    ploy_array_init(&rules->focus, sizeof(int32_t), env);
    ploy_array_init(&rules->rule_states, sizeof(ployi_rule_state), env);
    ploy_array_init(&rules->firing_copies, 1, env);
    ploy_array_init(&rules->batch, sizeof(ployi_batch), env);
    ploy_array_init(&rules->batch_values, sizeof(ploy_rule_value), env);
    ploy_array_init(&rules->reasons, sizeof(ployi_reason), env);
    ploy_array_init(&rules->reason_basis, sizeof(int64_t), env);
    ploy_array_init(&rules->reason_text, 1, env);
    ploy_map_init(&rules->reason_of, sizeof(int32_t), env);
    result = ploy_names_create(env, &rules->names);
    if (result == PLOY_OK) result = rules_fit(rules);
    if (result == PLOY_OK) result = ployi_rules_grow(rules);
    if (result == PLOY_OK) result = ploy_rules_focus(rules, 0);
    if (result != PLOY_OK) {
        ploy_rules_destroy(rules);
        return result;
    }
    *out = rules;
    return PLOY_OK;
}

ploy_result ploy_rules_reset(ploy_rules *rules) {
    if (rules->busy > 0 || rules->firing_rule >= 0) return PLOY_ERR_STATE;
    ployi_facts_forget(rules);
    ployi_rules_drop_pieces(rules, false);
    rules->fault = PLOY_OK;
    rules->activation_tag = 0;
    rules->activation_count = 0;
    rules->halted = false;
    ploy_array_clear(&rules->batch);
    ploy_array_clear(&rules->batch_values);
    ploy_array_clear(&rules->groups);
    rules->free_group = -1;
    for (int32_t i = 0; i < rules->agendas.count; i++) {
        ployi_agenda *agenda = ploy_array_at(&rules->agendas, i);
        agenda->first_group = -1;
        agenda->count = 0;
    }
    ploy_array_clear(&rules->reasons);
    ploy_array_clear(&rules->reason_basis);
    ploy_array_clear(&rules->reason_text);
    ploy_map_clear(&rules->reason_of);
    ploy_rules_clear_focus(rules);
    ployi_rules_forget(rules);
    ploy_result result = ploy_rules_extend(rules);
    if (result == PLOY_OK) result = ploy_rules_focus(rules, 0);
    if (result == PLOY_OK) ployi_rules_prime(rules);
    return rules->fault != PLOY_OK ? rules->fault : result;
}

void ployi_rules_tell(const ploy_rules *rules, ploy_rule_event event, const ploy_fact *fact,
                      const ployi_activation *activation, int32_t module) {
    ploy_rule_activation told = {-1, 0, NULL};
    if (activation != NULL) {
        told.rule = activation->rule;
        told.salience = activation->salience;
        told.handle = activation;
    }
    rules->def.watch(rules->def.user, event, fact, activation == NULL ? NULL : &told, module);
}

void ploy_rules_set_events(ploy_rules *rules, uint32_t events) {
    rules->events = events;
}

// ---- Texts --------------------------------------------------------------------------------------

ploy_result ploy_rules_text(ploy_rules *rules, const char *text, ploy_name *out) {
    if (text == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_name name = {0};
    if (text[0] != '\0') {
        name = ploy_name_of(text);
        const char *known = ploy_names_text(rules->base->names, name);
        if (known == NULL) {
            ploy_result result = ploy_names_add(rules->names, text, &name);
            if (result != PLOY_OK) return result;
        } else if (strcmp(known, text) != 0) {
            return PLOY_ERR_EXISTS;
        }
    }
    *out = name;
    return PLOY_OK;
}

const char *ploy_rules_text_of(const ploy_rules *rules, ploy_name name) {
    if (name.hash == 0) return "";
    const char *text = ploy_names_text(rules->base->names, name);
    if (text == NULL) text = ploy_names_text(rules->names, name);
    return text == NULL ? "" : text;
}

// ---- Firing -------------------------------------------------------------------------------------

// Copies what the match holds, so that the action may retract it. False without memory.
static bool rules_copy_match(ploy_rules *rules, const ployi_joined *match) {
    int32_t count = match->pm.count;
    size_t size = (size_t)count * sizeof(ployi_alpha *);
    ployi_alpha **binds = ployi_binds(match);
    size = (size + 15) / 16 * 16;
    for (int32_t i = 0; i < count; i++) {
        if (binds[i] == NULL) continue;
        size_t marks = (size_t)binds[i]->mark_count * 2 * sizeof(int32_t);
        size += (sizeof(ployi_alpha) + marks + 15) / 16 * 16;
    }
    if (size > INT32_MAX || ploy_array_resize(&rules->firing_copies, (int32_t)size) != PLOY_OK) {
        return false;
    }
    char *at = rules->firing_copies.items;
    rules->firing_binds = (ployi_alpha **)(void *)at;
    rules->firing_count = count;
    at += ((size_t)count * sizeof(ployi_alpha *) + 15) / 16 * 16;
    for (int32_t i = 0; i < count; i++) {
        rules->firing_binds[i] = NULL;
        if (binds[i] == NULL) continue;
        size_t marks = (size_t)binds[i]->mark_count * 2 * sizeof(int32_t);
        memcpy(at, binds[i], sizeof(ployi_alpha) + marks);
        rules->firing_binds[i] = (ployi_alpha *)(void *)at;
        at += (sizeof(ployi_alpha) + marks + 15) / 16 * 16;
        rules->firing_binds[i]->fact->holds++;
    }
    return true;
}

static void rules_drop_copy(ploy_rules *rules) {
    for (int32_t i = 0; i < rules->firing_count; i++) {
        if (rules->firing_binds[i] != NULL) rules->firing_binds[i]->fact->holds--;
    }
    rules->firing_count = 0;
    rules->firing_rule = -1;
    rules->firing_logical = NULL;
}

// The activation that fires next, after leaving modules that have none.
static ployi_activation *rules_next(ploy_rules *rules) {
    if (rules->focus.count == 0 && ploy_rules_focus(rules, 0) != PLOY_OK) return NULL;
    while (rules->focus.count > 0) {
        int32_t module = PLOY_ARRAY_ITEMS(&rules->focus, int32_t)[rules->focus.count - 1];
        ployi_activation *first = ployi_agenda_first(rules, module);
        if (first != NULL) return first;
        ploy_rules_pop_focus(rules);
    }
    return NULL;
}

// What the variables of the match that fires represent: "?who = Sale, ?where = 3".
void ployi_rules_write_bindings(const ploy_rules *rules, ploy_writer *out) {
    if (rules->firing_rule < 0) return;
    const ployi_rule *rule = PLOYI_RULE(rules->base, rules->firing_rule);
    for (int32_t i = 0; i < rule->variables.count; i++) {
        ploy_rule_value value = ploy_rules_variable(rules, i);
        ploy_write_text(out, i > 0 ? ", ?" : "?");
        ploy_write_text(out, ployi_rulebase_variable_name(rules->base, rules->firing_rule, i));
        ploy_write_text(out, " = ");
        ploy_rules_write_value(rules, &value, out);
    }
}

// Traces with what bindings a rule fires, and when.
static void rules_trace_bindings(const ploy_rules *rules, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &rules->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ployi_rules_write_bindings(rules, &writer);
    ploy_trace_i64(trace, "firing", (int64_t)rules->fired);
    if (ploy_writer_result(&writer) == PLOY_OK && text.size > 0) {
        ploy_trace_text(trace, "bindings", ploy_buffer_text(&text));
    }
    ploy_buffer_fini(&text);
}

// Traces what won and what waits, at most a few of it.
static void rules_trace(ploy_rules *rules, const ployi_activation *chosen, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_agent_id nobody = {{0, 0}};
    ploy_trace_begin(trace, nobody, "rule", "rete");
    const ployi_activation *at = chosen;
    for (int i = 0; at != NULL && i < 8; i++, at = ployi_agenda_next(rules, at)) {
        ploy_trace_option(trace, ploy_rulebase_rule_name(rules->base, at->rule),
                          at == chosen ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, at->salience,
                          at == chosen ? "first on the agenda" : "later on the agenda");
    }
    ploy_trace_end(trace);
}

ploy_result ploy_rules_step(ploy_rules *rules, ploy_budget *budget, ploy_trace *trace) {
    if (rules->fault != PLOY_OK) return rules->fault;
    if (rules->busy > 0 || rules->firing_rule >= 0) return PLOY_ERR_STATE;
    rules->halted = false;
    ployi_rules_empty_trash(rules);
    ploy_result result = PLOY_OK;
    while (result == PLOY_OK && !rules->halted) {
        if (ploy_budget_empty(budget)) {
            return rules->activation_count > 0 ? PLOY_IN_PROGRESS : PLOY_OK;
        }
        ployi_activation *next = rules_next(rules);
        if (next == NULL) break;
        if (!rules_copy_match(rules, next->match)) return PLOY_ERR_MEMORY;
        if (budget != NULL) ploy_budget_spend(budget, 1);
        rules_trace(rules, next, trace);
        rules->firing_rule = next->rule;
        rules->firing_logical = ployi_support_match(rules, next->rule, next->match);
        rules->fired++;
        rules_trace_bindings(rules, trace);
        ployi_rules_watch(rules, PLOY_RULE_FIRING, NULL, next, -1);
        next->match->activation = NULL;
        int32_t rule = next->rule;
        ployi_agenda_unlink(rules, next);
        if (rules->def.action != NULL &&
            rules->def.action(rules->def.user, rules, rule) != PLOY_OK) {
            result = PLOY_ERR_CALLBACK;
        }
        if (rules->def.batch) {
            ploy_result applied = ployi_rules_apply_batch(rules);
            if (result == PLOY_OK) result = applied;
        }
        if (result == PLOY_OK && rules->fired_hook != NULL)
            rules->fired_hook(rules->hook_user, rule);
        rules_drop_copy(rules);
        ployi_rules_empty_trash(rules);
        if (rules->fault != PLOY_OK) result = rules->fault;
    }
    return result;
}

void ploy_rules_halt(ploy_rules *rules) {
    rules->halted = true;
}

uint64_t ploy_rules_fired(const ploy_rules *rules) {
    return rules->fired;
}

ploy_rule_value ploy_rules_variable(const ploy_rules *rules, int32_t variable) {
    if (rules->firing_rule < 0) return ploy_rule_none();
    const ployi_rule *rule = PLOYI_RULE(rules->base, rules->firing_rule);
    if (variable < 0 || variable >= rule->variables.count) return ploy_rule_none();
    const ployi_variable *variables = PLOY_ARRAY_ITEMS(&rules->base->variables, ployi_variable);
    return ployi_ref_get(&variables[rule->variables.first + variable].ref, rules->firing_binds,
                         rules->firing_binds);
}

ploy_fact *ployi_rules_matched(const ploy_rules *rules, int32_t pattern) {
    if (rules->firing_rule < 0 || pattern < 0 || pattern >= rules->firing_count) return NULL;
    return rules->firing_binds[pattern] == NULL ? NULL : rules->firing_binds[pattern]->fact;
}

ploy_rules_size ployi_rules_size_of(const ploy_rules *rules) {
    ploy_rules_size size = {rules->tokens, rules->matches, ployi_rules_memory_size(rules)};
    return size;
}
