// Rules at work in a file, by the names of templates, slots and rules.
//
//     { "fired": 3, "next_index": 9, "timetag": 12, "tag": 7, "now": 0, "rng": [...], "focus": [0],
//       "rules": ["swap", "rest", "rest"], "removed": [],
//       "facts": [{ "template": "monkey", "index": 4, "tag": 5, "values": { "at": "tree" } }],
//       "agenda": [{ "rule": "swap", "alternative": 0, "salience": 0, "tag": 6, "draw": 0,
//                    "facts": [4, -1], "marks": [] }],
//       "supports": [{ "fact": 8, "rule": "swap", "alternative": 0, "facts": [4], "marks": [] }],
//       "reasons": [{ "fact": 8, "rule": "swap", "alternative": 0, "alive": true, "firing": 2,
//                     "now": 0, "basis": [4], "text": "(x)", "bound": "?a = 1" }] }
//
// Values: a symbol is a text, a string {"string": "..."}, an instance name {"name": "..."}, an
// integer a number, a float {"float": ...} or its bits if it is not finite, a symbol whose text is
// not known {"hash": ...}, a fact {"fact": 4}, a sequence an array. A rule with several alternatives
// is in "rules" as often as it has them. Matches are found again by the indexes of their facts and,
// where sequences were matched, by what each field took. What fired is what matches and is not on the
// agenda.
#include <string.h>

#include "decide/rules_internal.h"
#include "decide_internal.h"
#include "ploy/base/math.h"

// ---- saving ----

static void rules_save_text(const ploy_rules *rules, const char *key, uint64_t hash,
                            ploy_json_writer *out) {
    ploy_name name = {hash};
    const char *text = ploy_rules_text_of(rules, name);
    char id[PLOYI_SAVE_ID_SIZE];
    bool known = text[0] != '\0' || hash == 0;
    if (!known) ployi_save_id(hash, id);
    if (known && key == NULL) {
        ploy_json_write_text(out, text);
        return;
    }
    ploy_json_write_begin_object(out);
    ployi_save_text(out, known ? key : "hash", known ? text : id);
    if (!known && key != NULL) ployi_save_text(out, "type", key);
    ploy_json_write_end_object(out);
}

static void rules_save_value(const ploy_rules *rules, const ploy_rule_value *value,
                             ploy_json_writer *out) {
    char id[PLOYI_SAVE_ID_SIZE];
    switch (value->type) {
    case PLOY_RULE_SYMBOL: rules_save_text(rules, NULL, value->as.text, out); break;
    case PLOY_RULE_STRING: rules_save_text(rules, "string", value->as.text, out); break;
    case PLOY_RULE_NAME: rules_save_text(rules, "name", value->as.text, out); break;
    case PLOY_RULE_INTEGER: ploy_json_write_i64(out, value->as.integer); break;
    case PLOY_RULE_FLOAT:
        ploy_json_write_begin_object(out);
        if (ploy_is_finite_d(value->as.real)) {
            ployi_save_f64(out, "float", value->as.real);
        } else {
            ployi_save_id(value->as.bits, id);
            ployi_save_text(out, "float", id);
        }
        ploy_json_write_end_object(out);
        break;
    case PLOY_RULE_FACT:
        ploy_json_write_begin_object(out);
        ploy_json_write_key(out, "fact");
        ploy_json_write_i64(out, value->as.fact != NULL ? value->as.fact->index : -1);
        ploy_json_write_end_object(out);
        break;
    case PLOY_RULE_MULTI:
        ploy_json_write_begin_row(out);
        for (int32_t i = 0; i < value->count; i++) {
            rules_save_value(rules, &value->as.items[i], out);
        }
        ploy_json_write_end_array(out);
        break;
    default: ploy_json_write_null(out); break;
    }
}

// The number of a rule among those of its name.
static int32_t rules_save_alternative(const ploy_rulebase *base, int32_t rule) {
    int32_t before = 0;
    ploy_name name = PLOYI_RULE(base, rule)->name;
    for (int32_t i = rule - 1; i >= 0; i--) {
        if (ploy_name_equal(PLOYI_RULE(base, i)->name, name)) before++;
    }
    return before;
}

static void rules_save_rule(const ploy_rules *rules, int32_t rule, ploy_json_writer *out) {
    ployi_save_text(out, "rule", ploy_rulebase_rule_name(rules->base, rule));
    ployi_save_u64(out, "alternative", (uint64_t)rules_save_alternative(rules->base, rule));
}

static void rules_save_match(const ployi_joined *match, ploy_json_writer *out) {
    ployi_alpha **binds = ployi_binds(match);
    ploy_json_write_key(out, "facts");
    ploy_json_write_begin_row(out);
    for (int32_t i = 0; i < match->pm.count; i++) {
        ploy_json_write_i64(out, binds[i] == NULL ? -1 : binds[i]->fact->index);
    }
    ploy_json_write_end_array(out);
    ploy_json_write_key(out, "marks");
    ploy_json_write_begin_row(out);
    for (int32_t i = 0; i < match->pm.count; i++) {
        for (int32_t k = 0; binds[i] != NULL && k < 2 * binds[i]->mark_count; k++) {
            ploy_json_write_i64(out, ployi_marks(binds[i])[k]);
        }
    }
    ploy_json_write_end_array(out);
}

static void rules_save_facts(const ploy_rules *rules, ploy_json_writer *out) {
    ploy_json_write_key(out, "facts");
    ploy_json_write_begin_array(out);
    for (const ploy_fact *fact = rules->first_fact; fact != NULL; fact = fact->next) {
        ploy_json_write_begin_object(out);
        ployi_save_text(out, "template",
                        ploy_rulebase_template_name(rules->base, fact->template_index));
        ployi_save_u64(out, "index", (uint64_t)fact->index);
        ployi_save_u64(out, "tag", fact->timetag);
        if (fact->rule >= 0) rules_save_rule(rules, fact->rule, out);
        ploy_json_write_key(out, "values");
        ploy_json_write_begin_object(out);
        for (int32_t i = 0; i < fact->slot_count; i++) {
            ploy_json_write_key(out, ploy_rulebase_slot(rules->base, fact->template_index, i).name);
            rules_save_value(rules, &ployi_fact_values(fact)[i], out);
        }
        ploy_json_write_end_object(out);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_array(out);
}

static void rules_save_agenda(const ploy_rules *rules, ploy_json_writer *out) {
    ploy_json_write_key(out, "agenda");
    ploy_json_write_begin_array(out);
    for (int32_t module = 0; module < rules->agendas.count; module++) {
        for (const ployi_activation *at = ployi_agenda_first(rules, module); at != NULL;
             at = ployi_agenda_next(rules, at)) {
            ploy_json_write_begin_object(out);
            rules_save_rule(rules, at->rule, out);
            ploy_json_write_key(out, "salience");
            ploy_json_write_i64(out, at->salience);
            ployi_save_u64(out, "tag", at->timetag);
            ployi_save_u64(out, "draw", at->draw);
            rules_save_match(at->match, out);
            ploy_json_write_end_object(out);
        }
    }
    ploy_json_write_end_array(out);
}

// True if the joins of a rule lead through a join.
static bool rules_save_passes(const ploy_rulebase *base, int32_t rule, int32_t join) {
    for (int32_t at = PLOYI_RULE(base, rule)->terminal; at >= 0; at = PLOYI_JOINS(base, at)->left) {
        if (at == join) return true;
    }
    return false;
}

static void rules_save_supports(const ploy_rules *rules, ploy_json_writer *out) {
    ploy_json_write_key(out, "supports");
    ploy_json_write_begin_array(out);
    for (const ploy_fact *fact = rules->first_fact; fact != NULL; fact = fact->next) {
        for (const ployi_support *at = fact->supports; at != NULL; at = at->next_of_fact) {
            // Any rule whose logical conditions are these serves to find the match again.
            int32_t rule = -1;
            for (int32_t i = 0; i < rules->base->rules.count && rule < 0; i++) {
                if (PLOYI_RULE(rules->base, i)->logical == at->match->pm.count &&
                    rules_save_passes(rules->base, i, at->match->pm.owner)) {
                    rule = i;
                }
            }
            if (rule < 0) continue;
            ploy_json_write_begin_object(out);
            ployi_save_u64(out, "fact", (uint64_t)fact->index);
            rules_save_rule(rules, rule, out);
            rules_save_match(at->match, out);
            ploy_json_write_end_object(out);
        }
    }
    ploy_json_write_end_array(out);
}

// A piece of the justifications' text; it is not zero-terminated there, so it is written in parts.
static void rules_save_piece(const ploy_rules *rules, const char *key, int64_t from, int64_t size,
                             ploy_json_writer *out) {
    const char *text = PLOY_ARRAY_ITEMS(&rules->reason_text, char) + from;
    ploy_json_write_key(out, key);
    ploy_json_write_begin_row(out);
    for (int64_t at = 0; at < size;) {
        char part[65];
        int64_t count = size - at < 64 ? size - at : 64;
        // A character of several bytes is not cut.
        while (count > 1 && at + count < size && ((unsigned char)text[at + count] & 0xC0) == 0x80) {
            count--;
        }
        memcpy(part, text + at, (size_t)count);
        part[count] = '\0';
        ploy_json_write_text(out, part);
        at += count;
    }
    ploy_json_write_end_array(out);
}

static void rules_save_reasons(const ploy_rules *rules, ploy_json_writer *out) {
    ploy_json_write_key(out, "reasons");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < rules->reasons.count; i++) {
        const ployi_reason *reason = ploy_array_at(&rules->reasons, i);
        ploy_json_write_begin_object(out);
        ployi_save_u64(out, "fact", (uint64_t)reason->fact);
        if (reason->rule >= 0) rules_save_rule(rules, reason->rule, out);
        ployi_save_bool(out, "alive", reason->alive != 0);
        ployi_save_u64(out, "firing", reason->firing);
        ployi_save_f64(out, "now", reason->now);
        ploy_json_write_key(out, "basis");
        ploy_json_write_begin_row(out);
        for (int32_t k = 0; k < reason->basis_count; k++) {
            ploy_json_write_i64(out,
                                PLOY_ARRAY_ITEMS(&rules->reason_basis, int64_t)[reason->basis + k]);
        }
        ploy_json_write_end_array(out);
        rules_save_piece(rules, "text", reason->text, reason->text_size, out);
        rules_save_piece(rules, "bound", reason->text + reason->text_size, reason->bound_size, out);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_array(out);
}

void ploy_rules_save(const ploy_rules *rules, ploy_json_writer *out) {
    ploy_json_write_begin_object(out);
    ployi_save_u64(out, "fired", rules->fired);
    ployi_save_u64(out, "next_index", (uint64_t)rules->next_index);
    ployi_save_u64(out, "timetag", rules->timetag);
    ployi_save_u64(out, "tag", rules->activation_tag);
    ployi_save_f64(out, "now", rules->now);
    ploy_json_write_key(out, "rng");
    ployi_save_bytes(out, &rules->rng, sizeof rules->rng);
    ploy_json_write_key(out, "focus");
    ploy_json_write_begin_row(out);
    for (int32_t i = 0; i < rules->focus.count; i++) {
        ploy_json_write_i64(out, PLOY_ARRAY_ITEMS(&rules->focus, int32_t)[i]);
    }
    ploy_json_write_end_array(out);
    static const char *const lists[] = {"rules", "removed"};
    for (int32_t list = 0; list < 2; list++) {
        ploy_json_write_key(out, lists[list]);
        ploy_json_write_begin_array(out);
        for (int32_t i = 0; i < rules->rule_states.count; i++) {
            const ployi_rule_state *state = ploy_array_at(&rules->rule_states, i);
            if (list == 1 && !state->removed) continue;
            ploy_json_write_text(out, ploy_rulebase_rule_name(rules->base, i));
        }
        ploy_json_write_end_array(out);
    }
    rules_save_facts(rules, out);
    rules_save_agenda(rules, out);
    rules_save_supports(rules, out);
    rules_save_reasons(rules, out);
    ploy_json_write_end_object(out);
}

// ---- loading ----

typedef struct rules_load {
    ploy_rules *rules;
    const ploy_json *doc;
    ploy_diags *diags;
    ploy_array values;   // ploy_rule_value: slots of a fact, then items of its sequences
    ploy_array doubtful; // int64_t: facts that lost a ground
    ploy_buffer text;
} rules_load;

// The rule of that name and alternative, or -1.
static int32_t rules_load_rule(const rules_load *load, ploy_json_node item) {
    const ploy_rulebase *base = load->rules->base;
    const char *text = ploy_json_text(load->doc, ploy_json_member(load->doc, item, "rule"), NULL);
    uint64_t alternative = 0;
    if (text[0] == '\0') return -1;
    ployi_load_u64(load->doc, item, "alternative", &alternative);
    ploy_name name = ploy_name_of(text);
    for (int32_t i = 0; i < base->rules.count; i++) {
        if (!ploy_name_equal(PLOYI_RULE(base, i)->name, name)) continue;
        if (alternative-- == 0) return i;
    }
    return -1;
}

static ploy_result rules_load_text(rules_load *load, int32_t type, ploy_json_node node,
                                   ploy_rule_value *out) {
    ploy_name name = {0};
    ploy_result result = ploy_rules_text(load->rules, ploy_json_text(load->doc, node, NULL), &name);
    if (result != PLOY_OK) return result == PLOY_ERR_MEMORY ? result : PLOY_ERR_FORMAT;
    *out = ploy_rule_symbol(name);
    out->type = type;
    return PLOY_OK;
}

// A value that is no sequence. @return PLOY_ERR_FORMAT if it means nothing.
static ploy_result rules_load_single(rules_load *load, ploy_json_node node, ploy_rule_value *out) {
    const ploy_json *doc = load->doc;
    int64_t number = 0;
    double real = 0.0;
    switch (ploy_json_type_of(doc, node)) {
    case PLOY_JSON_TEXT: return rules_load_text(load, PLOY_RULE_SYMBOL, node, out);
    case PLOY_JSON_NUMBER:
        if (ploy_json_i64(doc, node, &number) != PLOY_OK) return PLOY_ERR_FORMAT;
        *out = ploy_rule_integer(number);
        return PLOY_OK;
    case PLOY_JSON_OBJECT: break;
    default: return PLOY_ERR_FORMAT;
    }
    ploy_json_node string = ploy_json_member(doc, node, "string");
    ploy_json_node name = ploy_json_member(doc, node, "name");
    ploy_json_node fact = ploy_json_member(doc, node, "fact");
    ploy_json_node real_node = ploy_json_member(doc, node, "float");
    if (!ploy_json_is_none(string)) return rules_load_text(load, PLOY_RULE_STRING, string, out);
    if (!ploy_json_is_none(name)) return rules_load_text(load, PLOY_RULE_NAME, name, out);
    if (ploy_json_i64(doc, fact, &number) == PLOY_OK) {
        ploy_fact *found = ploy_rules_find_fact(load->rules, number);
        if (found == NULL) return PLOY_ERR_FORMAT; // it is gone
        *out = ploy_rule_fact(found);
        return PLOY_OK;
    }
    uint64_t hash = 0;
    if (ploy_json_f64(doc, real_node, &real) == PLOY_OK) {
        *out = ploy_rule_float(real);
        return PLOY_OK;
    }
    if (ployi_load_id(doc, real_node, &hash)) {
        *out = ploy_rule_float(0.0);
        out->as.bits = hash;
        return PLOY_OK;
    }
    if (!ployi_load_id(doc, ploy_json_member(doc, node, "hash"), &hash)) return PLOY_ERR_FORMAT;
    const char *type = ploy_json_text(doc, ploy_json_member(doc, node, "type"), NULL);
    ploy_name known = {hash};
    *out = ploy_rule_symbol(known);
    if (strcmp(type, "string") == 0) out->type = PLOY_RULE_STRING;
    if (strcmp(type, "name") == 0) out->type = PLOY_RULE_NAME;
    return PLOY_OK;
}

// The values of a fact, in the order of the template's slots as they are now.
static ploy_result rules_load_values(rules_load *load, int32_t form, ploy_json_node saved) {
    const ploy_rulebase *base = load->rules->base;
    const ploy_json *doc = load->doc;
    int32_t slots = PLOYI_TEMPLATE(base, form)->slots.count, all = slots;
    for (int32_t i = 0; i < slots; i++) {
        ploy_json_node node = ploy_json_member(doc, saved, ploy_rulebase_slot(base, form, i).name);
        bool multi = ploy_json_type_of(doc, node) == PLOY_JSON_ARRAY;
        if (multi != ploy_rulebase_slot(base, form, i).multi) return PLOY_ERR_FORMAT;
        if (multi) all += ploy_json_count(doc, node);
    }
    ploy_result result = ploy_array_resize(&load->values, all);
    ploy_rule_value *values = PLOY_ARRAY_ITEMS(&load->values, ploy_rule_value);
    ploy_rule_value *items = values + slots;
    for (int32_t i = 0; i < slots && result == PLOY_OK; i++) {
        ploy_json_node node = ploy_json_member(doc, saved, ploy_rulebase_slot(base, form, i).name);
        if (!ploy_rulebase_slot(base, form, i).multi) {
            result = rules_load_single(load, node, &values[i]);
            continue;
        }
        int32_t count = ploy_json_count(doc, node);
        for (int32_t k = 0; k < count && result == PLOY_OK; k++) {
            result = rules_load_single(load, ploy_json_at(doc, node, k), &items[k]);
        }
        values[i] = ploy_rule_multi(items, count);
        items += count;
    }
    return result;
}

// @return PLOY_ERR_FORMAT if the fact cannot be had any more.
static ploy_result rules_load_fact(rules_load *load, ploy_json_node item) {
    ploy_rules *rules = load->rules;
    const ploy_json *doc = load->doc;
    const char *name = ploy_json_text(doc, ploy_json_member(doc, item, "template"), NULL);
    int32_t form = ploy_rulebase_find_template(rules->base, name);
    uint64_t index = 0, tag = 0;
    ployi_load_u64(doc, item, "index", &index);
    ployi_load_u64(doc, item, "tag", &tag);
    if (form < 0 || form >= rules->of_template.count || index < (uint64_t)rules->next_index ||
        index > INT64_MAX / 2 || tag < rules->timetag || tag > INT64_MAX / 2) {
        return PLOY_ERR_FORMAT;
    }
    ploy_result result = rules_load_values(load, form, ploy_json_member(doc, item, "values"));
    if (result != PLOY_OK) return result;
    int64_t old_index = rules->next_index;
    uint64_t old_tag = rules->timetag;
    rules->next_index = (int64_t)index;
    rules->timetag = tag;
    ploy_fact *fact = NULL;
    result = ploy_rules_assert(rules, form, PLOY_ARRAY_ITEMS(&load->values, ploy_rule_value),
                               PLOYI_TEMPLATE(rules->base, form)->slots.count, &fact);
    if (result == PLOY_OK) {
        fact->rule = rules_load_rule(load, item);
        return PLOY_OK;
    }
    rules->next_index = old_index;
    rules->timetag = old_tag;
    return result == PLOY_ERR_MEMORY || rules->fault != PLOY_OK ? PLOY_ERR_MEMORY : PLOY_ERR_FORMAT;
}

// True if a match is the saved one.
static bool rules_load_same(const ploy_json *doc, ploy_json_node item, const ployi_joined *match) {
    ploy_json_node facts = ploy_json_member(doc, item, "facts");
    ploy_json_node marks = ploy_json_member(doc, item, "marks");
    ployi_alpha **binds = ployi_binds(match);
    int32_t mark = 0;
    if (ploy_json_count(doc, facts) != match->pm.count) return false;
    for (int32_t i = 0; i < match->pm.count; i++) {
        int64_t index = -2;
        (void)ploy_json_i64(doc, ploy_json_at(doc, facts, i), &index);
        if (index != (binds[i] == NULL ? -1 : binds[i]->fact->index)) return false;
        for (int32_t k = 0; binds[i] != NULL && k < 2 * binds[i]->mark_count; k++, mark++) {
            int64_t value = -1;
            (void)ploy_json_i64(doc, ploy_json_at(doc, marks, mark), &value);
            if (value != ployi_marks(binds[i])[k]) return false;
        }
    }
    return mark == ploy_json_count(doc, marks);
}

// The saved match in the left memory of a join; NULL if there is none.
static ployi_joined *rules_load_find(const rules_load *load, int32_t join, ploy_json_node item) {
    if (join < 0 || join >= load->rules->known_joins) return NULL;
    const ployi_memory *memory = ployi_match_left(load->rules, join);
    for (int32_t i = 0; i < memory->size; i++) {
        for (ployi_pm *pm = memory->heads[i]; pm != NULL; pm = pm->next) {
            ployi_joined *match = (ployi_joined *)(void *)pm;
            if (rules_load_same(load->doc, item, match)) return match;
        }
    }
    return NULL;
}

// Takes the activations of rules that the file knows off the agenda: it says which are there.
static void rules_load_clear_agenda(const rules_load *load, ploy_json_node names) {
    ploy_rules *rules = load->rules;
    const ploy_rulebase *base = rules->base;
    for (int32_t k = 0; k < ploy_json_count(load->doc, names); k++) {
        ploy_json_node item = ploy_json_at(load->doc, names, k);
        ploy_name name = ploy_name_of(ploy_json_text(load->doc, item, NULL));
        bool known = false;
        for (int32_t i = 0; i < base->rules.count && !known; i++) {
            known = ploy_name_equal(PLOYI_RULE(base, i)->name, name);
        }
        if (known) continue;
        ploy_behavior_lost(load->doc, item, load->diags, "rule",
                           ploy_json_text(load->doc, item, NULL), "no longer exists");
    }
    for (int32_t i = 0; i < base->rules.count; i++) {
        int32_t before = rules_save_alternative(base, i), found = 0;
        for (int32_t k = 0; k < ploy_json_count(load->doc, names); k++) {
            const char *name = ploy_json_text(load->doc, ploy_json_at(load->doc, names, k), NULL);
            if (strcmp(name, ploy_rulebase_rule_name(base, i)) == 0) found++;
        }
        int32_t terminal = PLOYI_RULE(base, i)->terminal;
        if (found <= before || terminal >= rules->known_joins) continue; // the rule is new
        const ployi_memory *memory = ployi_match_left(rules, terminal);
        for (int32_t k = 0; k < memory->size; k++) {
            for (ployi_pm *pm = memory->heads[k]; pm != NULL; pm = pm->next) {
                ployi_joined *match = (ployi_joined *)(void *)pm;
                if (match->activation == NULL) continue;
                ployi_agenda_unlink(rules, match->activation);
                match->activation = NULL;
            }
        }
    }
}

static void rules_load_agenda(rules_load *load, ploy_json_node saved) {
    ploy_rules *rules = load->rules;
    for (int32_t i = 0; i < ploy_json_count(load->doc, saved) && rules->fault == PLOY_OK; i++) {
        ploy_json_node item = ploy_json_at(load->doc, saved, i);
        int32_t rule = rules_load_rule(load, item);
        ployi_joined *match =
            rule >= 0 ? rules_load_find(load, PLOYI_RULE(rules->base, rule)->terminal, item) : NULL;
        if (match == NULL || match->activation != NULL) {
            ploy_behavior_lost(
                load->doc, item, load->diags, "an activation of rule",
                ploy_json_text(load->doc, ploy_json_member(load->doc, item, "rule"), NULL),
                rule < 0 ? "is dropped: the rule no longer exists"
                         : "is dropped: it does not match");
            continue;
        }
        int64_t salience = 0;
        uint64_t tag = 0, draw = 0;
        (void)ploy_json_i64(load->doc, ploy_json_member(load->doc, item, "salience"), &salience);
        ployi_load_u64(load->doc, item, "tag", &tag);
        ployi_load_u64(load->doc, item, "draw", &draw);
        salience = salience < -10000 ? -10000 : salience > 10000 ? 10000 : salience;
        ployi_agenda_restore(rules, rule, match, (int32_t)salience, tag, (uint32_t)draw);
    }
}

static ploy_result rules_load_supports(rules_load *load, ploy_json_node saved) {
    ploy_rules *rules = load->rules;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < ploy_json_count(load->doc, saved) && result == PLOY_OK; i++) {
        ploy_json_node item = ploy_json_at(load->doc, saved, i);
        int64_t index = -1;
        (void)ploy_json_i64(load->doc, ploy_json_member(load->doc, item, "fact"), &index);
        ploy_fact *fact = ploy_rules_find_fact(rules, index);
        if (fact == NULL) continue;
        int32_t rule = rules_load_rule(load, item);
        ployi_joined *match = NULL;
        int32_t join = rule >= 0 ? PLOYI_RULE(rules->base, rule)->terminal : -1;
        int32_t logical = rule >= 0 ? PLOYI_RULE(rules->base, rule)->logical : -1;
        int32_t count = ploy_json_count(load->doc, ploy_json_member(load->doc, item, "facts"));
        while (join >= 0 && match == NULL && logical == count) {
            match = rules_load_find(load, join, item);
            join = PLOYI_JOINS(rules->base, join)->left;
        }
        if (match != NULL) {
            result = ployi_support_link(rules, fact, match);
        } else {
            result = ploy_array_push(&load->doubtful, &index);
            ploy_behavior_lost(
                load->doc, item, load->diags, "a logical fact of rule",
                ploy_json_text(load->doc, ploy_json_member(load->doc, item, "rule"), NULL),
                "has lost its support");
        }
    }
    // A fact that hung on what is not there any more goes, as truth maintenance has it.
    for (int32_t i = 0; i < load->doubtful.count && result == PLOY_OK; i++) {
        ploy_fact *fact =
            ploy_rules_find_fact(rules, PLOY_ARRAY_ITEMS(&load->doubtful, int64_t)[i]);
        if (fact != NULL && fact->supports == NULL) result = ploy_rules_retract(rules, fact);
    }
    return result;
}

static const char *rules_load_piece(rules_load *load, ploy_json_node node) {
    ploy_buffer_clear(&load->text);
    ploy_writer writer = ploy_buffer_writer(&load->text);
    for (int32_t i = 0; i < ploy_json_count(load->doc, node); i++) {
        ploy_write_text(&writer, ploy_json_text(load->doc, ploy_json_at(load->doc, node, i), NULL));
    }
    return ploy_writer_result(&writer) == PLOY_OK ? ploy_buffer_text(&load->text) : NULL;
}

static ploy_result rules_load_reasons(rules_load *load, ploy_json_node saved) {
    ploy_rules *rules = load->rules;
    ploy_array_clear(&rules->reasons);
    ploy_array_clear(&rules->reason_basis);
    ploy_array_clear(&rules->reason_text);
    ploy_map_clear(&rules->reason_of);
    ploy_array basis, bound;
    ploy_array_init(&basis, sizeof(int64_t), &rules->env);
    ploy_array_init(&bound, 1, &rules->env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < ploy_json_count(load->doc, saved) && result == PLOY_OK; i++) {
        ploy_json_node item = ploy_json_at(load->doc, saved, i);
        ploy_json_node list = ploy_json_member(load->doc, item, "basis");
        ployi_reason reason;
        memset(&reason, 0, sizeof reason);
        (void)ploy_json_i64(load->doc, ploy_json_member(load->doc, item, "fact"), &reason.fact);
        reason.rule = rules_load_rule(load, item);
        reason.alive = ploy_rules_find_fact(rules, reason.fact) != NULL;
        ployi_load_u64(load->doc, item, "firing", &reason.firing);
        (void)ployi_load_f64(load->doc, item, "now", &reason.now);
        reason.basis_count = ploy_json_count(load->doc, list);
        result = ploy_array_resize(&basis, reason.basis_count);
        for (int32_t k = 0; k < reason.basis_count && result == PLOY_OK; k++) {
            int64_t index = -1;
            (void)ploy_json_i64(load->doc, ploy_json_at(load->doc, list, k), &index);
            // Only an older fact can be a ground, so that explanations end.
            PLOY_ARRAY_ITEMS(&basis, int64_t)[k] = index < reason.fact ? index : -1;
        }
        if (result != PLOY_OK) break;
        const char *text = rules_load_piece(load, ploy_json_member(load->doc, item, "bound"));
        result =
            text == NULL ? PLOY_ERR_MEMORY : ploy_array_resize(&bound, (int32_t)strlen(text) + 1);
        if (result != PLOY_OK) break;
        memcpy(bound.items, text, (size_t)bound.count);
        text = rules_load_piece(load, ploy_json_member(load->doc, item, "text"));
        result = text == NULL
                     ? PLOY_ERR_MEMORY
                     : ployi_reason_restore(rules, reason, PLOY_ARRAY_ITEMS(&basis, int64_t), text,
                                            PLOY_ARRAY_ITEMS(&bound, char));
    }
    ploy_array_fini(&basis);
    ploy_array_fini(&bound);
    return result;
}

static void rules_load_focus(ploy_rules *rules, const ploy_json *doc, ploy_json_node saved) {
    ploy_array_clear(&rules->focus);
    for (int32_t i = 0; i < ploy_json_count(doc, saved) && i < 10000; i++) {
        int64_t module = -1;
        (void)ploy_json_i64(doc, ploy_json_at(doc, saved, i), &module);
        if (module < 0 || module >= rules->agendas.count) continue;
        if (ploy_rules_focus(rules, (int32_t)module) != PLOY_OK) rules->fault = PLOY_ERR_MEMORY;
    }
}

// The number of the next activation: matching the facts again has used some that are not on the
// agenda any more.
static uint64_t rules_load_next_tag(const ploy_rules *rules, uint64_t tag) {
    for (int32_t module = 0; module < rules->agendas.count; module++) {
        for (const ployi_activation *at = ployi_agenda_first(rules, module); at != NULL;
             at = ployi_agenda_next(rules, at)) {
            if (at->timetag >= tag) tag = at->timetag + 1;
        }
    }
    return tag;
}

static ploy_result rules_load_all(rules_load *load, ploy_json_node saved) {
    ploy_rules *rules = load->rules;
    const ploy_json *doc = load->doc;
    ploy_json_node removed = ploy_json_member(doc, saved, "removed");
    for (int32_t i = 0; i < ploy_json_count(doc, removed); i++) {
        const char *name = ploy_json_text(doc, ploy_json_at(doc, removed, i), NULL);
        for (int32_t k = 0; k < rules->base->rules.count; k++) {
            if (strcmp(ploy_rulebase_rule_name(rules->base, k), name) == 0) {
                ploy_rules_remove_rule(rules, k);
            }
        }
    }
    uint64_t tag = 0, next = 0, timetag = 0;
    ployi_load_u64(doc, saved, "tag", &tag);
    rules->activation_tag = tag; // what new rules match comes after all that was there
    ploy_json_node facts = ploy_json_member(doc, saved, "facts");
    for (int32_t i = 0; i < ploy_json_count(doc, facts); i++) {
        ploy_json_node item = ploy_json_at(doc, facts, i);
        ploy_result result = rules_load_fact(load, item);
        if (result == PLOY_ERR_FORMAT) {
            ploy_behavior_lost(doc, item, load->diags, "a fact of template",
                               ploy_json_text(doc, ploy_json_member(doc, item, "template"), NULL),
                               "does not fit any more: it is dropped");
        } else if (result != PLOY_OK) {
            return result;
        }
    }
    rules_load_clear_agenda(load, ploy_json_member(doc, saved, "rules"));
    rules_load_agenda(load, ploy_json_member(doc, saved, "agenda"));
    ploy_result result = rules_load_supports(load, ploy_json_member(doc, saved, "supports"));
    if (result == PLOY_OK && rules->def.audit) {
        result = rules_load_reasons(load, ploy_json_member(doc, saved, "reasons"));
    }
    rules->activation_tag = rules_load_next_tag(rules, tag);
    rules_load_focus(rules, doc, ploy_json_member(doc, saved, "focus"));
    ployi_load_u64(doc, saved, "fired", &rules->fired);
    ployi_load_u64(doc, saved, "next_index", &next);
    ployi_load_u64(doc, saved, "timetag", &timetag);
    (void)ployi_load_f64(doc, saved, "now", &rules->now);
    if (next > (uint64_t)rules->next_index && next < INT64_MAX / 2) {
        rules->next_index = (int64_t)next;
    }
    if (timetag > rules->timetag && timetag < INT64_MAX / 2) rules->timetag = timetag;
    ploy_rng rng;
    if (ployi_load_bytes(doc, ploy_json_member(doc, saved, "rng"), &rng, sizeof rng) &&
        rng.left <= 4) {
        rules->rng = rng;
    }
    return result;
}

ploy_result ploy_rules_load(ploy_rules *rules, const ploy_json *doc, ploy_json_node saved,
                            ploy_diags *diags) {
    if (rules == NULL || doc == NULL) return PLOY_ERR_ARGUMENT;
    uint32_t events = rules->events;
    rules->events = 0; // nothing happens, it had happened
    ploy_result result = ploy_rules_reset(rules);
    rules_load load;
    memset(&load, 0, sizeof load);
    load.rules = rules;
    load.doc = doc;
    load.diags = diags;
    ploy_array_init(&load.values, sizeof(ploy_rule_value), &rules->env);
    ploy_array_init(&load.doubtful, sizeof(int64_t), &rules->env);
    ploy_buffer_init(&load.text, 0, &rules->env);
    if (result == PLOY_OK) result = rules_load_all(&load, saved);
    ploy_array_fini(&load.values);
    ploy_array_fini(&load.doubtful);
    ploy_buffer_fini(&load.text);
    rules->events = events;
    if (result == PLOY_OK) result = rules->fault;
    if (result == PLOY_ERR_MEMORY) rules->fault = PLOY_ERR_MEMORY; // half of it is missing
    return result;
}

void ployi_rules_visit(ploy_visit *v, const char *name, ploy_rules *rules) {
    const ploy_json *doc = NULL;
    ploy_json_node node;
    ploy_diags *diags = NULL;
    if (v->describe != NULL) ploy_rules_describe(rules, v->describe);
    if (v->memory != NULL) ployi_rules_report(rules, v->memory, v->memory_user);
    ploy_json_writer *json = ploy_visit_writer(v, name);
    if (json != NULL) ploy_rules_save(rules, json);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    if (!ploy_visit_reader(v, name, &doc, &node, &diags)) {
        ploy_visit_result(v, ploy_rules_reset(rules));
    } else {
        ploy_visit_result(v, ploy_rules_load(rules, doc, node, diags));
    }
}
