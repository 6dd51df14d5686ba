// Rules at work: memory, facts, firing. The network is in rules_match.c.
//
// Invariants:
//   (1) every fact that is not gone is in the list of all, in that of its template, in the map of
//       indices and in the chain of its hash;
//   (2) pieces of memory come from chunks that live until destroy; a freed piece waits in the list
//       of its size, so a warmed-up step allocates nothing;
//   (3) a gone fact's memory stays while it is held: by other facts' slots, by the action that
//       matched it, by the game.
#include "ploy/decide/rules.h"

#include <string.h>

#include "decide/rules_internal.h"
#include "ploy/base/number.h"

enum { RULES_CHUNK = 65536 };

static const char *const rules_strategies[] = {"depth", "breadth", "simplicity", "complexity",
                                               "lex",   "mea",     "random"};

static const ploy_field rules_fields[] = {
    PLOY_FIELD_ENUM(ploy_rules_def, strategy, PLOY_RULE_DEPTH, rules_strategies,
                    "which of equal salience fires first"),
    PLOY_FIELD_I32(ploy_rules_def, modules, 1, 1, 10000, "", "agendas there are at first"),
    PLOY_FIELD_BOOL(ploy_rules_def, duplicates, false, "a fact may be there twice"),
    PLOY_FIELD_BOOL(ploy_rules_def, audit, false, "facts remember where they came from"),
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

// ---- Memory -------------------------------------------------------------------------------------

// A piece too big for a chunk; it follows this.
typedef struct ployi_large {
    struct ployi_large *next, *prev;
    size_t size;
    size_t spare;
} ployi_large;

void *ployi_rules_take(ploy_rules *rules, size_t size) {
    size_t index = (size + 15) / 16;
    // What is cut from a chunk for the first time is zero already, and so are large pieces.
    bool used = index < PLOYI_SIZE_CLASSES && rules->free_pieces[index] != NULL;
    void *piece = ployi_rules_take_raw(rules, size);
    if (used) memset(piece, 0, size);
    return piece;
}

void *ployi_rules_take_raw(ploy_rules *rules, size_t size) {
    size_t index = (size + 15) / 16;
    void *piece = NULL;
    if (index >= PLOYI_SIZE_CLASSES) {
        ployi_large *large = ploy_env_alloc_zero(&rules->env, sizeof *large + size);
        if (large != NULL) {
            large->size = size;
            large->next = rules->large;
            if (rules->large != NULL) rules->large->prev = large;
            rules->large = large;
            piece = large + 1;
        }
    } else if (rules->free_pieces[index] != NULL) {
        piece = rules->free_pieces[index];
        memcpy(&rules->free_pieces[index], piece, sizeof(void *));
    } else {
        if ((size_t)(rules->chunk_end - rules->chunk_at) < index * 16) {
            void *chunk = ploy_env_alloc_zero(&rules->env, RULES_CHUNK);
            if (chunk != NULL && ploy_array_push(&rules->chunks, &chunk) != PLOY_OK) {
                ploy_env_free(&rules->env, chunk, RULES_CHUNK);
                chunk = NULL;
            }
            if (chunk == NULL) {
                rules->fault = PLOY_ERR_MEMORY;
                return NULL;
            }
            // What is left of the old chunk is not lost: it becomes a free piece.
            size_t left = (size_t)(rules->chunk_end - rules->chunk_at) / 16;
            if (left > 0 && left < PLOYI_SIZE_CLASSES) {
                memcpy(rules->chunk_at, &rules->free_pieces[left], sizeof(void *));
                rules->free_pieces[left] = rules->chunk_at;
            }
            rules->chunk_at = chunk;
            rules->chunk_end = rules->chunk_at + RULES_CHUNK;
        }
        piece = rules->chunk_at;
        rules->chunk_at += index * 16;
    }
    if (piece == NULL) {
        rules->fault = PLOY_ERR_MEMORY;
        return NULL;
    }
    rules->pieces++;
    return piece;
}

void ployi_rules_give(ploy_rules *rules, void *piece, size_t size) {
    if (piece == NULL) return;
    size_t index = (size + 15) / 16;
    rules->pieces--;
    if (index >= PLOYI_SIZE_CLASSES) {
        ployi_large *large = (ployi_large *)piece - 1;
        if (large->next != NULL) large->next->prev = large->prev;
        if (large->prev != NULL) {
            large->prev->next = large->next;
        } else {
            rules->large = large->next;
        }
        ploy_env_free(&rules->env, large, sizeof *large + large->size);
        return;
    }
    memcpy(piece, &rules->free_pieces[index], sizeof(void *));
    rules->free_pieces[index] = piece;
}

static void rules_free_memories(ploy_rules *rules, ploy_array *memories, bool tails) {
    for (int32_t i = 0; i < memories->count; i++) {
        ployi_memory *memory = &PLOY_ARRAY_ITEMS(memories, ployi_memory)[i];
        size_t bytes = (size_t)memory->size * sizeof(ployi_pm *);
        ploy_env_free(&rules->env, memory->heads, bytes);
        if (tails) ploy_env_free(&rules->env, memory->tails, bytes);
    }
    ploy_array_fini(memories);
}

// All pieces are free again; chunks are kept and cut anew.
static void rules_drop_pieces(ploy_rules *rules) {
    memset(rules->free_pieces, 0, sizeof rules->free_pieces);
    while (rules->large != NULL) {
        ployi_large *large = rules->large;
        rules->large = large->next;
        ploy_env_free(&rules->env, large, sizeof *large + large->size);
    }
    rules->chunk_at = rules->chunk_end = NULL;
    void **chunks = PLOY_ARRAY_ITEMS(&rules->chunks, void *);
    for (int32_t i = 1; i < rules->chunks.count; i++) {
        ploy_env_free(&rules->env, chunks[i], RULES_CHUNK);
    }
    if (rules->chunks.count > 0) {
        rules->chunks.count = 1;
        memset(chunks[0], 0, RULES_CHUNK);
        rules->chunk_at = chunks[0];
        rules->chunk_end = rules->chunk_at + RULES_CHUNK;
    }
    rules->pieces = 0;
}

// ---- Life ---------------------------------------------------------------------------------------

void ploy_rules_destroy(ploy_rules *rules) {
    if (rules == NULL) return;
    ploy_env env = rules->env;
    rules_free_memories(rules, &rules->left, false);
    rules_free_memories(rules, &rules->right, true);
    rules_free_memories(rules, &rules->alpha, true);
    rules_drop_pieces(rules);
    if (rules->chunks.count > 0) {
        ploy_env_free(&env, PLOY_ARRAY_ITEMS(&rules->chunks, void *)[0], RULES_CHUNK);
    }
    ploy_array_fini(&rules->chunks);
    ploy_array_fini(&rules->of_template);
    ploy_array_fini(&rules->agendas);
    ploy_array_fini(&rules->groups);
    ploy_array_fini(&rules->focus);
    ploy_array_fini(&rules->rule_states);
    ploy_array_fini(&rules->firing_copies);
    ploy_array_fini(&rules->reasons);
    ploy_array_fini(&rules->reason_basis);
    ploy_array_fini(&rules->reason_text);
    ploy_map_fini(&rules->reason_of);
    ploy_map_fini(&rules->by_index);
    ploy_env_free(&env, rules->same, (size_t)rules->same_size * sizeof *rules->same);
    ploy_names_destroy(rules->names);
    ploy_env_free(&env, rules, sizeof *rules);
}

// Room for what the base has: templates, rules, agendas.
static ploy_result rules_fit(ploy_rules *rules) {
    const ploy_rulebase *base = rules->base;
    ploy_result result = ploy_array_resize(&rules->of_template, base->templates.count);
    int32_t modules = rules->def.modules;
    for (int32_t i = rules->rule_states.count; result == PLOY_OK && i < base->rules.count; i++) {
        ployi_rule_state state = {PLOYI_RULE(base, i)->salience, 0, 0};
        result = ploy_array_push(&rules->rule_states, &state);
    }
    for (int32_t i = 0; i < base->rules.count; i++) {
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
    ploy_array_init(&rules->reasons, sizeof(ployi_reason), env);
    ploy_array_init(&rules->reason_basis, sizeof(int64_t), env);
    ploy_array_init(&rules->reason_text, 1, env);
    ploy_map_init(&rules->reason_of, sizeof(int32_t), env);
    ploy_map_init(&rules->by_index, sizeof(ploy_fact *), env);
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
    for (ploy_fact *fact = rules->first_fact; fact != NULL; fact = fact->next) fact->gone = 1;
    rules_drop_pieces(rules);
    rules->fault = PLOY_OK;
    rules->first_fact = rules->last_fact = rules->unsupported = rules->trash = NULL;
    rules->fact_count = 0;
    rules->next_index = 0;
    rules->timetag = 1;
    rules->activation_tag = 0;
    rules->activation_count = 0;
    rules->halted = false;
    for (int32_t i = 0; i < rules->of_template.count; i++) {
        memset(ploy_array_at(&rules->of_template, i), 0, sizeof(ployi_fact_list));
    }
    ploy_map_clear(&rules->by_index);
    if (rules->same_size > 0) {
        memset(rules->same, 0, (size_t)rules->same_size * sizeof *rules->same);
    }
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

void ployi_rules_watch(ploy_rules *rules, ploy_rule_event event, const ploy_fact *fact,
                       const ployi_activation *activation, int32_t module) {
    if (rules->def.watch == NULL || (rules->events >> event & 1) == 0) return;
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

const char *ploy_rules_get_text(const ploy_rules *rules, ploy_name name) {
    if (name.hash == 0) return "";
    const char *text = ploy_names_text(rules->base->names, name);
    if (text == NULL) text = ploy_names_text(rules->names, name);
    return text == NULL ? "" : text;
}

// ---- Facts --------------------------------------------------------------------------------------

static size_t rules_fact_size(int32_t values) {
    return sizeof(ploy_fact) + (size_t)values * sizeof(ploy_rule_value);
}

static bool rules_same_facts(const ploy_fact *fact, int32_t template_index,
                             const ploy_rule_value *values, int32_t count) {
    if (fact->template_index != template_index) return false;
    const ploy_rule_value *mine = ployi_fact_values(fact);
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_rule_equal(&mine[i], &values[i])) return false;
    }
    return true;
}

// The values fit the template; counts all of them.
static bool rules_fits(const ploy_rulebase *base, const ployi_template *form,
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

// Grows the table of equal hashes; without memory it works on as it is.
static bool rules_grow_same(ploy_rules *rules) {
    if (rules->same_size > rules->fact_count) return true;
    int32_t size = rules->same_size == 0 ? PLOY_CAPACITY(64) : rules->same_size * 2;
    ploy_fact **same = ploy_env_alloc_zero(&rules->env, (size_t)size * sizeof(*same));
    if (same == NULL) return rules->same_size > 0;
    for (ploy_fact *fact = rules->first_fact; fact != NULL; fact = fact->next) {
        uint32_t at = fact->hash & (uint32_t)(size - 1);
        fact->next_same = same[at];
        same[at] = fact;
    }
    ploy_env_free(&rules->env, rules->same, (size_t)rules->same_size * sizeof *same);
    rules->same = same;
    rules->same_size = size;
    return true;
}

// Counts the facts that a fact's values refer to as held, or no longer.
static void rules_hold_values(const ploy_fact *fact, int32_t by) {
    const ploy_rule_value *values = ployi_fact_values(fact);
    for (int32_t i = 0; i < fact->value_count; i++) {
        if (values[i].type == PLOY_RULE_FACT && values[i].as.fact != NULL) {
            values[i].as.fact->holds += by;
        }
    }
}

static void rules_link_fact(ploy_rules *rules, ploy_fact *fact) {
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
    uint32_t at = fact->hash & (uint32_t)(rules->same_size - 1);
    fact->next_same = rules->same[at];
    rules->same[at] = fact;
    rules->fact_count++;
}

static void rules_unlink_fact(ploy_rules *rules, ploy_fact *fact) {
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
    ploy_map_remove(&rules->by_index, (uint64_t)fact->index);
    rules->fact_count--;
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
    if (!rules_fits(base, form, values, count, &all)) return PLOY_ERR_ARGUMENT;
    uint32_t hash = (uint32_t)template_index;
    for (int32_t i = 0; i < count; i++) hash = ploy_rule_hash(&values[i], hash);
    if (!rules->def.duplicates && rules->same_size > 0) {
        ploy_fact *same = rules->same[hash & (uint32_t)(rules->same_size - 1)];
        while (same != NULL &&
               (same->hash != hash || !rules_same_facts(same, template_index, values, count))) {
            same = same->next_same;
        }
        if (same != NULL) {
            ploy_result supported = ployi_support_add(rules, same, false);
            if (supported != PLOY_OK) return supported;
            if (out != NULL) *out = same;
            return PLOY_ERR_EXISTS;
        }
    }
    if (!rules_grow_same(rules)) return PLOY_ERR_MEMORY;
    ploy_fact *fact = ployi_rules_take(rules, rules_fact_size(all));
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
    ploy_result result = ploy_map_put(&rules->by_index, (uint64_t)fact->index, &fact);
    if (result == PLOY_OK) result = ployi_support_add(rules, fact, true);
    if (result == PLOY_OK && rules->def.audit) {
        result = ployi_reason_note(rules, fact);
        if (result != PLOY_OK) ployi_support_drop_fact(rules, fact);
    }
    if (result != PLOY_OK) {
        ploy_map_remove(&rules->by_index, (uint64_t)fact->index);
        ployi_rules_give(rules, fact, rules_fact_size(all));
        return result;
    }
    rules->next_index++;
    rules->timetag++;
    rules_hold_values(fact, 1);
    rules_link_fact(rules, fact);
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
    rules_unlink_fact(rules, fact);
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
        rules_hold_values(fact, -1);
        ployi_rules_give(rules, fact, rules_fact_size(fact->value_count));
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
    ploy_fact **fact = ploy_map_get(&rules->by_index, (uint64_t)index);
    return fact == NULL ? NULL : *fact;
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

// ---- Firing -------------------------------------------------------------------------------------

// Copies what the match holds, so that the action may retract it. False without memory.
static bool rules_copy_match(ploy_rules *rules, const ployi_pm *pm) {
    size_t size = (size_t)pm->count * sizeof(ployi_alpha *);
    ployi_alpha **binds = ployi_binds(pm);
    size = (size + 15) / 16 * 16;
    for (int32_t i = 0; i < pm->count; i++) {
        if (binds[i] == NULL) continue;
        size_t marks = (size_t)binds[i]->mark_count * 2 * sizeof(int32_t);
        size += (sizeof(ployi_alpha) + marks + 15) / 16 * 16;
    }
    if (size > INT32_MAX || ploy_array_resize(&rules->firing_copies, (int32_t)size) != PLOY_OK) {
        return false;
    }
    char *at = rules->firing_copies.items;
    rules->firing_binds = (ployi_alpha **)(void *)at;
    rules->firing_count = pm->count;
    at += ((size_t)pm->count * sizeof(ployi_alpha *) + 15) / 16 * 16;
    for (int32_t i = 0; i < pm->count; i++) {
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
    rules->firing_pm = NULL;
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

// Tells a trace what won and what waits, at most a few of it.
static void rules_tell(ploy_rules *rules, const ployi_activation *chosen, ploy_trace *trace) {
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
        if (!rules_copy_match(rules, next->pm)) return PLOY_ERR_MEMORY;
        if (budget != NULL) ploy_budget_spend(budget, 1);
        rules_tell(rules, next, trace);
        rules->firing_rule = next->rule;
        rules->firing_pm = next->pm;
        rules->fired++;
        ployi_rules_watch(rules, PLOY_RULE_FIRING, NULL, next, -1);
        next->pm->activation = NULL;
        int32_t rule = next->rule;
        ployi_agenda_unlink(rules, next);
        if (rules->def.action != NULL &&
            rules->def.action(rules->def.user, rules, rule) != PLOY_OK) {
            result = PLOY_ERR_CALLBACK;
        }
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

ploy_fact *ploy_rules_matched(const ploy_rules *rules, int32_t pattern) {
    if (rules->firing_rule < 0 || pattern < 0 || pattern >= rules->firing_count) return NULL;
    return rules->firing_binds[pattern] == NULL ? NULL : rules->firing_binds[pattern]->fact;
}

ploy_rules_size ploy_rules_get_size(const ploy_rules *rules) {
    ploy_rules_size size = {rules->tokens, rules->matches,
                            (size_t)rules->chunks.count * RULES_CHUNK};
    return size;
}
