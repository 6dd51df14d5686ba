// The agenda: which activation fires next, module by module.
//
// An agenda is a list of groups of one salience, the highest first; inside a group the strategy
// orders. Depth and breadth put a new activation at one end, the others walk the group.
#include <string.h>

#include "decide/rules_internal.h"

static ployi_agenda_group *agenda_group(const ploy_rules *rules, int32_t index) {
    return &PLOY_ARRAY_ITEMS(&rules->groups, ployi_agenda_group)[index];
}

// The n-th largest timetag of the facts of a match; negations count as 0.
static void agenda_sorted_tags(const ployi_joined *match, uint64_t *tags) {
    ployi_alpha **binds = ployi_binds(match);
    for (int32_t i = 0; i < match->pm.count; i++) {
        uint64_t tag = binds[i] == NULL ? 0 : binds[i]->fact->timetag;
        int32_t at = i;
        while (at > 0 && tags[at - 1] < tag) {
            tags[at] = tags[at - 1];
            at--;
        }
        tags[at] = tag;
    }
}

static int agenda_compare_number(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

static int agenda_compare_lex(const ploy_rules *rules, const ployi_activation *a,
                              const ployi_activation *b) {
    uint64_t a_tags[PLOY_RULE_PATTERNS_MAX + 2], b_tags[PLOY_RULE_PATTERNS_MAX + 2];
    agenda_sorted_tags(a->match, a_tags);
    agenda_sorted_tags(b->match, b_tags);
    for (int32_t i = 0; i < a->match->pm.count && i < b->match->pm.count; i++) {
        if (a_tags[i] != b_tags[i]) return -agenda_compare_number(a_tags[i], b_tags[i]);
    }
    if (a->match->pm.count != b->match->pm.count)
        return a->match->pm.count > b->match->pm.count ? -1 : 1;
    int32_t a_cost = PLOYI_RULE(rules->base, a->rule)->cost;
    int32_t b_cost = PLOYI_RULE(rules->base, b->rule)->cost;
    return a_cost == b_cost ? 0 : a_cost > b_cost ? -1 : 1;
}

// Below 0 if a fires before b.
static int agenda_compare(const ploy_rules *rules, const ployi_activation *a,
                          const ployi_activation *b) {
    int32_t a_cost = PLOYI_RULE(rules->base, a->rule)->cost;
    int32_t b_cost = PLOYI_RULE(rules->base, b->rule)->cost;
    int order = 0;
    switch (rules->def.strategy) {
    case PLOY_RULE_DEPTH: return -agenda_compare_number(a->timetag, b->timetag);
    case PLOY_RULE_SIMPLICITY: order = a_cost < b_cost ? -1 : a_cost > b_cost; break;
    case PLOY_RULE_COMPLEXITY: order = a_cost > b_cost ? -1 : a_cost < b_cost; break;
    case PLOY_RULE_LEX: order = agenda_compare_lex(rules, a, b); break;
    case PLOY_RULE_MEA: {
        ployi_alpha *a_first = a->match->pm.count > 0 ? ployi_binds(a->match)[0] : NULL;
        ployi_alpha *b_first = b->match->pm.count > 0 ? ployi_binds(b->match)[0] : NULL;
        order = -agenda_compare_number(a_first == NULL ? 0 : a_first->fact->timetag,
                                       b_first == NULL ? 0 : b_first->fact->timetag);
        if (order == 0) order = agenda_compare_lex(rules, a, b);
        break;
    }
    case PLOY_RULE_RANDOM: order = agenda_compare_number(a->draw, b->draw); break;
    default: break;
    }
    return order != 0 ? order : agenda_compare_number(a->timetag, b->timetag);
}

// Finds or makes the group of a salience; -1 without memory.
static int32_t agenda_find_group(ploy_rules *rules, ployi_agenda *agenda, int32_t salience) {
    int32_t before = -1, at = agenda->first_group;
    while (at >= 0 && agenda_group(rules, at)->salience > salience) {
        before = at;
        at = agenda_group(rules, at)->next;
    }
    if (at >= 0 && agenda_group(rules, at)->salience == salience) return at;
    int32_t made = rules->free_group;
    if (made >= 0) {
        rules->free_group = agenda_group(rules, made)->next;
    } else {
        if (ploy_array_push(&rules->groups, NULL) != PLOY_OK) return -1;
        made = rules->groups.count - 1;
    }
    ployi_agenda_group *group = agenda_group(rules, made);
    group->first = group->last = NULL;
    group->salience = salience;
    group->next = at;
    if (before >= 0) {
        agenda_group(rules, before)->next = made;
    } else {
        agenda->first_group = made;
    }
    return made;
}

static bool agenda_place(ploy_rules *rules, ployi_activation *made) {
    int32_t module = PLOYI_RULE(rules->base, made->rule)->module;
    ployi_agenda *agenda = &PLOY_ARRAY_ITEMS(&rules->agendas, ployi_agenda)[module];
    int32_t index = agenda_find_group(rules, agenda, made->salience);
    if (index < 0) return false;
    ployi_agenda_group *group = agenda_group(rules, index);
    made->group = index;
    ployi_activation *before = NULL, *after = group->first;
    bool newest =
        rules->def.strategy == PLOY_RULE_DEPTH && (after == NULL || after->timetag < made->timetag);
    if (!newest && group->last != NULL && agenda_compare(rules, group->last, made) < 0) {
        before = group->last; // at the end, where breadth has it
        after = NULL;
    }
    while (!newest && after != NULL && agenda_compare(rules, after, made) < 0) {
        before = after;
        after = after->next;
    }
    made->prev = before;
    made->next = after;
    if (before != NULL) {
        before->next = made;
    } else {
        group->first = made;
    }
    if (after != NULL) {
        after->prev = made;
    } else {
        group->last = made;
    }
    agenda->count++;
    rules->activation_count++;
    return true;
}

static void agenda_take_out(ploy_rules *rules, ployi_activation *activation) {
    int32_t module = PLOYI_RULE(rules->base, activation->rule)->module;
    ployi_agenda *agenda = &PLOY_ARRAY_ITEMS(&rules->agendas, ployi_agenda)[module];
    ployi_agenda_group *group = agenda_group(rules, activation->group);
    if (activation->next != NULL) {
        activation->next->prev = activation->prev;
    } else {
        group->last = activation->prev;
    }
    if (activation->prev != NULL) {
        activation->prev->next = activation->next;
    } else {
        group->first = activation->next;
    }
    agenda->count--;
    rules->activation_count--;
    if (group->first != NULL) return;
    int32_t *at = &agenda->first_group;
    while (*at != activation->group) at = &agenda_group(rules, *at)->next;
    *at = group->next;
    group->next = rules->free_group;
    rules->free_group = activation->group;
}

static int32_t agenda_salience(const ploy_rules *rules, int32_t rule) {
    const ployi_rule_state *state = &PLOY_ARRAY_ITEMS(&rules->rule_states, ployi_rule_state)[rule];
    if (rules->def.salience == NULL) return state->salience;
    int32_t asked = rules->def.salience(rules->def.user, rule, state->salience);
    return asked < -10000 ? -10000 : asked > 10000 ? 10000 : asked;
}

void ployi_agenda_add(ploy_rules *rules, int32_t rule, ployi_joined *match) {
    const ployi_rule_state *state = &PLOY_ARRAY_ITEMS(&rules->rule_states, ployi_rule_state)[rule];
    if (state->removed) return;
    ployi_activation *made = ployi_joined_activation(match);
    made->match = match;
    made->rule = rule;
    made->salience = agenda_salience(rules, rule);
    made->timetag = rules->activation_tag++;
    made->draw = rules->def.strategy == PLOY_RULE_RANDOM ? ploy_rng_u32(&rules->rng) : 0;
    if (!agenda_place(rules, made)) {
        rules->fault = PLOY_ERR_MEMORY;
        return;
    }
    match->activation = made;
    ployi_rules_watch(rules, PLOY_RULE_ACTIVATED, NULL, made, -1);
    const ployi_rule *form = PLOYI_RULE(rules->base, rule);
    if (form->auto_focus && ploy_rules_focus(rules, form->module) != PLOY_OK) {
        rules->fault = PLOY_ERR_MEMORY;
    }
}

void ployi_agenda_restore(ploy_rules *rules, int32_t rule, ployi_joined *match, int32_t salience,
                          uint64_t timetag, uint32_t draw) {
    ployi_activation *made = ployi_joined_activation(match);
    made->match = match;
    made->rule = rule;
    made->salience = salience;
    made->timetag = timetag;
    made->draw = draw;
    if (!agenda_place(rules, made)) {
        rules->fault = PLOY_ERR_MEMORY;
        return;
    }
    match->activation = made;
}

void ployi_agenda_unlink(ploy_rules *rules, ployi_activation *activation) {
    agenda_take_out(rules, activation);
}

void ployi_agenda_remove(ploy_rules *rules, ployi_activation *activation) {
    ployi_rules_watch(rules, PLOY_RULE_DEACTIVATED, NULL, activation, -1);
    activation->match->activation = NULL;
    ployi_agenda_unlink(rules, activation);
}

ployi_activation *ployi_agenda_first(const ploy_rules *rules, int32_t module) {
    const ployi_agenda *agenda = ploy_array_at(&rules->agendas, module);
    if (agenda == NULL || agenda->first_group < 0) return NULL;
    return agenda_group(rules, agenda->first_group)->first;
}

ployi_activation *ployi_agenda_next(const ploy_rules *rules, const ployi_activation *activation) {
    if (activation->next != NULL) return activation->next;
    int32_t next = agenda_group(rules, activation->group)->next;
    return next < 0 ? NULL : agenda_group(rules, next)->first;
}

bool ploy_rules_next_activation(const ploy_rules *rules, int32_t module,
                                ploy_rule_activation *activation) {
    const ployi_activation *next = activation->handle == NULL
                                       ? ployi_agenda_first(rules, module)
                                       : ployi_agenda_next(rules, activation->handle);
    if (next == NULL) return false;
    activation->rule = next->rule;
    activation->salience = next->salience;
    activation->handle = next;
    return true;
}

int32_t ploy_rules_activation_patterns(const ploy_rule_activation *activation) {
    return ((const ployi_activation *)activation->handle)->match->pm.count;
}

ploy_fact *ploy_rules_activation_fact(const ploy_rule_activation *activation, int32_t pattern) {
    const ployi_joined *match = ((const ployi_activation *)activation->handle)->match;
    if (pattern < 0 || pattern >= match->pm.count) return NULL;
    const ployi_alpha *bind = ployi_binds(match)[pattern];
    return bind == NULL ? NULL : bind->fact;
}

int32_t ploy_rules_activation_count(const ploy_rules *rules) {
    return rules->activation_count;
}

// Sorts an agenda again: all activations out, and in again in the order they had. The groups that
// this frees are there for what comes back, so it cannot run out of memory.
static void agenda_sort(ploy_rules *rules, int32_t module, bool ask) {
    ployi_activation *list = NULL, **end = &list, *at;
    while ((at = ployi_agenda_first(rules, module)) != NULL) {
        agenda_take_out(rules, at);
        at->next = NULL;
        *end = at;
        end = &at->next;
    }
    while ((at = list) != NULL) {
        list = at->next;
        if (ask) {
            int32_t asked = agenda_salience(rules, at->rule);
            // A new salience may need a new group; without memory the old one stays.
            if (ploy_array_reserve(&rules->groups, rules->groups.count + 1) == PLOY_OK) {
                at->salience = asked;
            }
        }
        if (!agenda_place(rules, at)) rules->fault = PLOY_ERR_MEMORY;
    }
}

void ploy_rules_set_strategy(ploy_rules *rules, ploy_rule_strategy strategy) {
    if ((int32_t)strategy < 0 || strategy >= PLOY_RULE_STRATEGY_COUNT) return;
    if (rules->def.strategy == (int32_t)strategy) return;
    rules->def.strategy = (int32_t)strategy;
    for (int32_t i = 0; i < rules->agendas.count; i++) agenda_sort(rules, i, false);
}

void ploy_rules_refresh_saliences(ploy_rules *rules) {
    for (int32_t i = 0; i < rules->agendas.count; i++) agenda_sort(rules, i, true);
}

void ploy_rules_refresh(ploy_rules *rules, int32_t rule) {
    const ployi_rule *found = ploy_array_at(&rules->base->rules, rule);
    if (found == NULL || found->terminal >= rules->known_joins) return;
    const ployi_memory *memory = ployi_match_left(rules, found->terminal);
    for (int32_t i = 0; i < memory->size; i++) {
        for (ployi_pm *pm = memory->heads[i]; pm != NULL; pm = pm->next) {
            ployi_joined *match = (ployi_joined *)(void *)pm;
            if (match->activation == NULL) ployi_agenda_add(rules, rule, match);
        }
    }
}

void ploy_rules_remove_rule(ploy_rules *rules, int32_t rule) {
    ployi_rule_state *state = ploy_array_at(&rules->rule_states, rule);
    if (state == NULL) return;
    state->removed = 1;
    const ployi_rule *found = PLOYI_RULE(rules->base, rule);
    if (found->terminal >= rules->known_joins) return;
    const ployi_memory *memory = ployi_match_left(rules, found->terminal);
    for (int32_t i = 0; i < memory->size; i++) {
        for (ployi_pm *pm = memory->heads[i]; pm != NULL; pm = pm->next) {
            const ployi_joined *match = (const ployi_joined *)(void *)pm;
            if (match->activation != NULL) ployi_agenda_remove(rules, match->activation);
        }
    }
}

// ---- Focus --------------------------------------------------------------------------------------

ploy_result ploy_rules_focus(ploy_rules *rules, int32_t module) {
    if (module < 0 || module >= 10000) return PLOY_ERR_ARGUMENT;
    int32_t count = rules->focus.count;
    if (count > 0 && PLOY_ARRAY_ITEMS(&rules->focus, int32_t)[count - 1] == module) return PLOY_OK;
    ploy_result result = ploy_array_push(&rules->focus, &module);
    if (result != PLOY_OK) return result;
    ployi_rules_watch(rules, PLOY_RULE_FOCUSED, NULL, NULL, module);
    return PLOY_OK;
}

int32_t ploy_rules_pop_focus(ploy_rules *rules) {
    int32_t module = -1;
    if (!ploy_array_pop(&rules->focus, &module)) return -1;
    ployi_rules_watch(rules, PLOY_RULE_UNFOCUSED, NULL, NULL, module);
    return module;
}

int32_t ploy_rules_current_focus(const ploy_rules *rules, int32_t depth) {
    if (depth < 0 || depth >= rules->focus.count) return -1;
    return PLOY_ARRAY_ITEMS(&rules->focus, int32_t)[rules->focus.count - 1 - depth];
}

void ploy_rules_clear_focus(ploy_rules *rules) {
    while (ploy_rules_pop_focus(rules) >= 0) {
    }
}
