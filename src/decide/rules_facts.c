// The facts of rules at work: asserting, retracting, looking up.
//
// Invariants:
//   (1) every fact that is not gone is in the list of all, in that of its template, and in the
//       tables of equal hashes and of indices;
//   (2) a gone fact's memory stays while it is held: by other facts' slots, by the action that
//       matched it, by the game.
#include <string.h>

#include "decide/rules_internal.h"

static size_t facts_fact_size(int32_t values) {
    return sizeof(ploy_fact) + (size_t)values * sizeof(ploy_rule_value);
}

static bool facts_same_facts(const ploy_fact *fact, int32_t template_index,
                             const ploy_rule_value *values, int32_t count) {
    if (fact->template_index != template_index) return false;
    const ploy_rule_value *mine = ployi_fact_values(fact);
    for (int32_t i = 0; i < count; i++) {
        if (!ployi_rule_same(&mine[i], &values[i])) return false;
    }
    return true;
}

// The values fit the template; counts all of them.
static bool facts_fits(const ploy_rulebase *base, const ployi_template *form,
                       const ploy_rule_value *values, int32_t count, int32_t *all) {
    if (count != form->slots.count || (count > 0 && values == NULL)) return false;
    int64_t sum = count;
    for (int32_t i = 0; i < count; i++) {
        bool multi = PLOYI_SLOT(base, form->slots.first + i)->multi != 0;
        int32_t type = values[i].type;
        if (type <= PLOY_RULE_NONE || type >= PLOY_RULE_TYPE_COUNT) return false;
        if ((type == PLOY_RULE_MULTI) != multi) return false;
        if (type != PLOY_RULE_MULTI) continue;
        if (values[i].count < 0) return false;
        for (int32_t k = 0; k < values[i].count; k++) {
            int32_t item = values[i].as.items[k].type;
            if (item <= PLOY_RULE_NONE || item >= PLOY_RULE_TYPE_COUNT || item == PLOY_RULE_MULTI) {
                return false;
            }
        }
        sum += values[i].count;
    }
    if (sum > INT32_MAX / 64) return false;
    *all = (int32_t)sum;
    return true;
}

// Into the tables of equal hashes and of indices.
static void facts_enter(ploy_rules *rules, ploy_fact *fact) {
    uint32_t mask = (uint32_t)(rules->same_size - 1);
    ploy_fact **same = &rules->same[fact->hash & mask];
    fact->next_same = *same;
    *same = fact;
    ploy_fact **indexed = &rules->indexed[(uint64_t)fact->index & mask];
    fact->next_indexed = *indexed;
    *indexed = fact;
}

// Grows the tables of equal hashes and of indices; without memory they work on as they are.
static bool facts_grow_same(ploy_rules *rules) {
    if (rules->same_size > rules->fact_count) return true;
    int32_t size = rules->same_size == 0 ? PLOY_CAPACITY(64) : rules->same_size * 2;
    size_t bytes = (size_t)size * sizeof(ploy_fact *);
    ploy_fact **same = ploy_env_alloc_zero(&rules->env, bytes);
    ploy_fact **indexed = same == NULL ? NULL : ploy_env_alloc_zero(&rules->env, bytes);
    if (indexed == NULL) {
        ploy_env_free(&rules->env, same, bytes);
        return rules->same_size > 0;
    }
    ployi_facts_fini(rules);
    rules->same = same;
    rules->indexed = indexed;
    rules->same_size = size;
    for (ploy_fact *fact = rules->first_fact; fact != NULL; fact = fact->next) {
        facts_enter(rules, fact);
    }
    return true;
}

// Counts the facts that a fact's values refer to as held, or no longer.
static void facts_hold_values(const ploy_fact *fact, int32_t by) {
    const ploy_rule_value *values = ployi_fact_values(fact);
    for (int32_t i = 0; i < fact->value_count; i++) {
        if (values[i].type == PLOY_RULE_FACT && values[i].as.fact != NULL) {
            values[i].as.fact->holds += by;
        }
    }
}

static void facts_link_fact(ploy_rules *rules, ploy_fact *fact) {
    ployi_fact_list *list = ploy_array_at(&rules->of_template, fact->template_index);
    fact->prev = rules->last_fact;
    if (fact->prev != NULL) {
        fact->prev->next = fact;
    } else {
        rules->first_fact = fact;
    }
    rules->last_fact = fact;
    fact->prev_of_template = list->last;
    if (list->last != NULL) {
        list->last->next_of_template = fact;
    } else {
        list->first = fact;
    }
    list->last = fact;
    list->count++;
    facts_enter(rules, fact);
    rules->fact_count++;
}

static void facts_unlink_fact(ploy_rules *rules, ploy_fact *fact) {
    ployi_fact_list *list = ploy_array_at(&rules->of_template, fact->template_index);
    if (fact->next != NULL) {
        fact->next->prev = fact->prev;
    } else {
        rules->last_fact = fact->prev;
    }
    if (fact->prev != NULL) {
        fact->prev->next = fact->next;
    } else {
        rules->first_fact = fact->next;
    }
    if (fact->next_of_template != NULL) {
        fact->next_of_template->prev_of_template = fact->prev_of_template;
    } else {
        list->last = fact->prev_of_template;
    }
    if (fact->prev_of_template != NULL) {
        fact->prev_of_template->next_of_template = fact->next_of_template;
    } else {
        list->first = fact->next_of_template;
    }
    list->count--;
    ploy_fact **at = &rules->same[fact->hash & (uint32_t)(rules->same_size - 1)];
    while (*at != fact) at = &(*at)->next_same;
    *at = fact->next_same;
    at = &rules->indexed[(uint64_t)fact->index & (uint32_t)(rules->same_size - 1)];
    while (*at != fact) at = &(*at)->next_indexed;
    *at = fact->next_indexed;
    rules->fact_count--;
}

// ---- Batches ------------------------------------------------------------------------------------

// Notes values to be asserted after the action. Items of sequences follow the slots; their
// places are found again from the counts.
static ploy_result facts_note_assert(ploy_rules *rules, int32_t template_index,
                                     const ploy_rule_value *values, int32_t count, int32_t all) {
    ployi_batch item = {NULL, template_index, rules->batch_values.count, count};
    ploy_result result = ploy_array_reserve(&rules->batch_values, item.first + all);
    if (result == PLOY_OK) result = ploy_array_reserve(&rules->batch, rules->batch.count + 1);
    if (result != PLOY_OK) return result;
    if (count > 0) (void)ploy_array_push_many(&rules->batch_values, values, count); // there is room
    for (int32_t i = 0; i < count; i++) {
        if (values[i].type != PLOY_RULE_MULTI || values[i].count == 0) continue;
        (void)ploy_array_push_many(&rules->batch_values, values[i].as.items, values[i].count);
    }
    const ploy_rule_value *noted = PLOY_ARRAY_ITEMS(&rules->batch_values, ploy_rule_value);
    for (int32_t i = item.first; i < rules->batch_values.count; i++) {
        if (noted[i].type == PLOY_RULE_FACT && noted[i].as.fact != NULL) noted[i].as.fact->holds++;
    }
    (void)ploy_array_push(&rules->batch, &item);
    return PLOY_OK;
}

static ploy_result facts_note_retract(ploy_rules *rules, ploy_fact *fact) {
    for (int32_t i = 0; i < rules->batch.count; i++) {
        if (PLOY_ARRAY_AT(&rules->batch, ployi_batch, i)->fact == fact) return PLOY_ERR_NOT_FOUND;
    }
    ployi_batch item = {fact, 0, 0, 0};
    ploy_result result = ploy_array_push(&rules->batch, &item);
    if (result == PLOY_OK) fact->holds++;
    return result;
}

// What follows the slots of a note, as sequences again.
static void facts_join_items(ploy_rule_value *values, int32_t count) {
    const ploy_rule_value *items = values + count;
    for (int32_t i = 0; i < count; i++) {
        if (values[i].type != PLOY_RULE_MULTI) continue;
        values[i] = ploy_rule_multi(items, values[i].count);
        items += values[i].count;
    }
}

ploy_result ployi_rules_apply_batch(ploy_rules *rules) {
    ploy_result result = PLOY_OK;
    rules->applying = true;
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < rules->batch.count; i++) {
            ployi_batch item = *PLOY_ARRAY_AT(&rules->batch, ployi_batch, i);
            ploy_result one = PLOY_OK;
            if (pass == 0 && item.fact != NULL) {
                item.fact->holds--;
                if (!item.fact->gone) one = ploy_rules_retract(rules, item.fact);
            } else if (pass == 1 && item.fact == NULL) {
                ploy_rule_value *values =
                    PLOY_ARRAY_ITEMS(&rules->batch_values, ploy_rule_value) + item.first;
                facts_join_items(values, item.count);
                one = ploy_rules_assert(rules, item.template_index, values, item.count, NULL);
                if (one == PLOY_ERR_EXISTS || one == PLOY_ERR_DENIED) one = PLOY_OK;
            }
            if (result == PLOY_OK) result = one;
        }
    }
    const ploy_rule_value *noted = PLOY_ARRAY_ITEMS(&rules->batch_values, ploy_rule_value);
    for (int32_t i = 0; i < rules->batch_values.count; i++) {
        if (noted[i].type == PLOY_RULE_FACT && noted[i].as.fact != NULL) noted[i].as.fact->holds--;
    }
    ploy_array_clear(&rules->batch);
    ploy_array_clear(&rules->batch_values);
    rules->applying = false;
    return result;
}

ploy_result ploy_rules_assert(ploy_rules *rules, int32_t template_index,
                              const ploy_rule_value *values, int32_t count, ploy_fact **out) {
    if (out != NULL) *out = NULL;
    if (rules->fault != PLOY_OK) return rules->fault;
    if (rules->busy > 0) return PLOY_ERR_STATE;
    const ploy_rulebase *base = rules->base;
    if (template_index < 0 || template_index >= rules->of_template.count) return PLOY_ERR_ARGUMENT;
    const ployi_template *form = PLOYI_TEMPLATE(base, template_index);
    int32_t all = 0;
    if (!facts_fits(base, form, values, count, &all)) return PLOY_ERR_ARGUMENT;
    if (rules->def.batch && rules->firing_rule >= 0 && !rules->applying) {
        return facts_note_assert(rules, template_index, values, count, all);
    }
    uint32_t hash = (uint32_t)template_index;
    for (int32_t i = 0; i < count; i++) hash = ployi_rule_fold(&values[i], hash);
    if (!rules->def.duplicates && rules->same_size > 0) {
        ploy_fact *same = rules->same[hash & (uint32_t)(rules->same_size - 1)];
        while (same != NULL &&
               (same->hash != hash || !facts_same_facts(same, template_index, values, count))) {
            same = same->next_same;
        }
        if (same != NULL) {
            ploy_result supported = ployi_support_add(rules, same, false);
            if (supported != PLOY_OK) return supported;
            if (out != NULL) *out = same;
            return PLOY_ERR_EXISTS;
        }
    }
    if (!facts_grow_same(rules)) return PLOY_ERR_MEMORY;
    ploy_fact *fact = ployi_rules_take(rules, facts_fact_size(all));
    if (fact == NULL) {
        rules->fault = PLOY_OK; // nothing happened yet
        return PLOY_ERR_MEMORY;
    }
    fact->template_index = template_index;
    fact->hash = hash;
    fact->slot_count = count;
    fact->value_count = all;
    fact->rule = rules->firing_rule;
    fact->index = rules->next_index;
    fact->timetag = rules->timetag;
    ploy_rule_value *mine = ployi_fact_values(fact), *items = mine + count;
    for (int32_t i = 0; i < count; i++) {
        mine[i] = values[i];
        if (values[i].type != PLOY_RULE_MULTI) continue;
        if (values[i].count > 0) {
            memcpy(items, values[i].as.items, (size_t)values[i].count * sizeof *items);
        }
        mine[i] = ploy_rule_multi(items, values[i].count);
        items += values[i].count;
    }
    ploy_result result = ployi_support_add(rules, fact, true);
    if (result == PLOY_OK && rules->def.audit) {
        result = ployi_reason_note(rules, fact);
        if (result != PLOY_OK) ployi_support_drop_fact(rules, fact);
    }
    if (result != PLOY_OK) {
        ployi_rules_give(rules, fact, facts_fact_size(all));
        return result;
    }
    rules->next_index++;
    rules->timetag++;
    facts_hold_values(fact, 1);
    facts_link_fact(rules, fact);
    ployi_rules_watch(rules, PLOY_RULE_ASSERTED, fact, NULL, -1);
    ployi_rules_match(rules, fact);
    ployi_support_settle(rules);
    if (rules->fault != PLOY_OK) return rules->fault;
    if (out != NULL) *out = fact;
    return PLOY_OK;
}

ploy_result ploy_rules_assert_ordered(ploy_rules *rules, int32_t relation,
                                      const ploy_rule_value *fields, int32_t count,
                                      ploy_fact **out) {
    if (count < 0 || (count > 0 && fields == NULL)) return PLOY_ERR_ARGUMENT;
    ploy_rule_value multi = ploy_rule_multi(fields, count);
    return ploy_rules_assert(rules, relation, &multi, 1, out);
}

void ployi_rules_remove_fact(ploy_rules *rules, ploy_fact *fact) {
    ployi_rules_watch(rules, PLOY_RULE_RETRACTED, fact, NULL, -1);
    ployi_support_drop_fact(rules, fact);
    facts_unlink_fact(rules, fact);
    if (rules->def.audit) ployi_reason_gone(rules, fact);
    fact->gone = 1;
    ployi_rules_unmatch(rules, fact);
    fact->next = rules->trash; // the list of all is left, so the link is free
    fact->prev = NULL;
    rules->trash = fact;
}

ploy_result ploy_rules_retract(ploy_rules *rules, ploy_fact *fact) {
    if (rules->fault != PLOY_OK) return rules->fault;
    if (rules->busy > 0) return PLOY_ERR_STATE;
    if (fact == NULL || fact->gone) return PLOY_ERR_NOT_FOUND;
    if (rules->def.batch && rules->firing_rule >= 0 && !rules->applying) {
        return facts_note_retract(rules, fact);
    }
    if (rules->firing_rule < 0) ployi_rules_empty_trash(rules);
    ployi_rules_remove_fact(rules, fact);
    ployi_support_settle(rules);
    return rules->fault;
}

void ployi_rules_empty_trash(ploy_rules *rules) {
    if (rules->keep > 0) return;
    ploy_fact **at = &rules->trash;
    while (*at != NULL) {
        ploy_fact *fact = *at;
        if (fact->holds > 0) {
            at = &fact->next;
            continue;
        }
        *at = fact->next;
        facts_hold_values(fact, -1);
        ployi_rules_give(rules, fact, facts_fact_size(fact->value_count));
    }
}

void ploy_rules_keep(ploy_rules *rules, bool keep) {
    rules->keep += keep ? 1 : -1;
    if (rules->keep <= 0) {
        rules->keep = 0;
        if (rules->firing_rule < 0) ployi_rules_empty_trash(rules);
    }
}

ploy_fact *ploy_rules_next_fact(const ploy_rules *rules, const ploy_fact *fact) {
    return fact == NULL ? rules->first_fact : fact->next;
}

ploy_fact *ploy_rules_next_of(const ploy_rules *rules, int32_t template_index,
                              const ploy_fact *fact) {
    if (fact != NULL) return fact->next_of_template;
    const ployi_fact_list *list = ploy_array_at(&rules->of_template, template_index);
    return list == NULL ? NULL : list->first;
}

ploy_fact *ploy_rules_find_fact(const ploy_rules *rules, int64_t index) {
    if (rules->same_size == 0) return NULL;
    ploy_fact *fact = rules->indexed[(uint64_t)index & (uint32_t)(rules->same_size - 1)];
    while (fact != NULL && fact->index != index) fact = fact->next_indexed;
    return fact;
}

int32_t ploy_rules_fact_count(const ploy_rules *rules) {
    return rules->fact_count;
}

int64_t ploy_fact_index(const ploy_fact *fact) {
    return fact->index;
}

int32_t ploy_fact_template(const ploy_fact *fact) {
    return fact->template_index;
}

bool ploy_fact_exists(const ploy_fact *fact) {
    return fact != NULL && !fact->gone;
}

ploy_rule_value ploy_fact_slot(const ploy_fact *fact, int32_t slot) {
    if (slot < 0 || slot >= fact->slot_count) return ploy_rule_none();
    return ployi_fact_values(fact)[slot];
}

void ploy_rules_hold(ploy_rules *rules, ploy_fact *fact) {
    (void)rules;
    if (fact != NULL) fact->holds++;
}

void ploy_rules_release(ploy_rules *rules, ploy_fact *fact) {
    (void)rules;
    if (fact != NULL && fact->holds > 0) fact->holds--;
}

// ---- All of them --------------------------------------------------------------------------------

void ployi_facts_forget(ploy_rules *rules) {
    for (ploy_fact *fact = rules->first_fact; fact != NULL; fact = fact->next) fact->gone = 1;
    rules->first_fact = rules->last_fact = rules->unsupported = rules->trash = NULL;
    rules->fact_count = 0;
    rules->next_index = 0;
    rules->timetag = 1;
    for (int32_t i = 0; i < rules->of_template.count; i++) {
        memset(ploy_array_at(&rules->of_template, i), 0, sizeof(ployi_fact_list));
    }
    if (rules->same_size > 0) {
        memset(rules->same, 0, (size_t)rules->same_size * sizeof *rules->same);
        memset(rules->indexed, 0, (size_t)rules->same_size * sizeof *rules->indexed);
    }
}

void ployi_facts_fini(ploy_rules *rules) {
    size_t bytes = (size_t)rules->same_size * sizeof(ploy_fact *);
    ploy_env_free(&rules->env, rules->same, bytes);
    ploy_env_free(&rules->env, rules->indexed, bytes);
}
