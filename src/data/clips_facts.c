// CLIPS's functions of facts: asserting, changing, looking.
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/number.h"

// The value of a slot that assert does not name.
static ploy_rule_value facts_default(ploy_clips *clips, int32_t form, int32_t slot) {
    const ployi_deftemplate *made = ploy_array_at(&clips->templates, form);
    const ployi_defslot *from = &made->slots[slot];
    bool multi = ploy_rulebase_slot(clips->base, form, slot).multi;
    if (from->required) {
        ployi_clips_error(clips, "TMPLTRHS1",
                          "Slot requires a value because of its (default ?NONE) attribute.");
    }
    if (from->initial == NULL || clips->failed) return from->derived;
    ployi_frame frame = {.count = 0};
    ploy_rule_value list = ployi_clips_eval(clips, &frame, from->initial);
    if (clips->failed || multi) return list;
    return list.count > 0 ? list.as.items[0] : from->derived;
}

// A list as the value of a slot: itself, or its only item.
static bool facts_slot_value(ploy_clips *clips, int32_t form, int32_t slot, ploy_rule_value list,
                             ploy_rule_value *out) {
    *out = list;
    if (clips->failed) return false;
    if (ploy_rulebase_slot(clips->base, form, slot).multi) return true;
    if (list.count != 1) {
        ployi_clips_error(clips, "TMPLTRHS2", "A single field slot takes one value.");
        return false;
    }
    *out = list.as.items[0];
    return true;
}

static ploy_rule_value facts_assert_values(ploy_clips *clips, int32_t form,
                                           const ploy_rule_value *values, int32_t count) {
    ploy_fact *fact = NULL;
    ploy_result result = ploy_rules_assert(clips->rules, form, values, count, &fact);
    if (result == PLOY_OK) return ploy_rule_fact(fact);
    if (result == PLOY_ERR_EXISTS || result == PLOY_ERR_DENIED) {
        return ployi_clips_bool(clips, false);
    }
    ployi_clips_error(clips, "FACTMNGR1",
                      result == PLOY_ERR_STATE ? "Facts may not be asserted during pattern-matching"
                                               : ploy_result_text(result));
    return ployi_clips_bool(clips, false);
}

static ploy_rule_value facts_assert(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value made = ployi_clips_bool(clips, false);
    for (int32_t i = 0; i < x->count && !clips->failed; i++) {
        const ployi_x *fact = x->args[i];
        int32_t form = fact->index;
        ploy_rule_value *values = ployi_clips_items(clips, fact->count + 1);
        for (int32_t k = 0; k < fact->count && !clips->failed; k++) {
            if (fact->args[k] == NULL) {
                values[k] = facts_default(clips, form, k);
            } else {
                ploy_rule_value list = ployi_clips_eval(clips, frame, fact->args[k]);
                facts_slot_value(clips, form, k, list, &values[k]);
            }
        }
        bool failed = clips->failed;
        if (failed) {
            // CLIPS asserts an ordered fact all the same, without its values.
            if (!ploy_rulebase_template_ordered(clips->base, form) || clips->exited) break;
            values[0] = ploy_rule_multi(NULL, 0);
        }
        made = facts_assert_values(clips, form, values, fact->count);
        clips->failed = clips->failed || failed;
    }
    return made;
}

static void facts_no_fact(ploy_clips *clips, int64_t index) {
    char number[PLOY_PRINT_I64_SIZE];
    ploy_print_i64(index, number);
    ployi_clips_out(clips, "[PRNTUTIL1] Unable to find fact f-");
    ployi_clips_out(clips, number);
    ployi_clips_out(clips, ".\n");
}

// A fact by address or index. `quiet`: none is no fault.
static ploy_fact *facts_get_fact(ploy_clips *clips, const ployi_x *x, int32_t i,
                                 const ploy_rule_value *value, bool quiet) {
    if (clips->failed) return NULL;
    if (value->type == PLOY_RULE_FACT) {
        if (ploy_fact_exists(value->as.fact) || quiet) return value->as.fact;
        facts_no_fact(clips, ploy_fact_index(value->as.fact));
        clips->failed = true;
        return NULL;
    }
    if (value->type == PLOY_RULE_INTEGER && value->as.integer >= 0) {
        ploy_fact *fact = ploy_rules_find_fact(clips->rules, value->as.integer);
        if (fact == NULL && !quiet) {
            facts_no_fact(clips, value->as.integer);
            clips->failed = true;
        }
        return fact;
    }
    ployi_clips_arg_error(clips, x, i, "fact-address or fact-index");
    return NULL;
}

static void facts_retract_fact(ploy_clips *clips, ploy_fact *fact) {
    ploy_result result = ploy_rules_retract(clips->rules, fact);
    if (result == PLOY_OK || result == PLOY_ERR_NOT_FOUND) return;
    ployi_clips_error(clips, "FACTMNGR2",
                      result == PLOY_ERR_STATE
                          ? "Facts may not be retracted during pattern-matching"
                          : ploy_result_text(result));
}

static ploy_rule_value facts_retract(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    for (int32_t i = 0; i < x->count && !clips->failed; i++) {
        ploy_rule_value value = ployi_clips_arg(clips, frame, x, i);
        if (clips->failed) break;
        if (value.type == PLOY_RULE_SYMBOL &&
            strcmp(ployi_clips_get_text(clips, &value), "*") == 0) {
            ploy_fact *fact = NULL;
            while ((fact = ploy_rules_next_fact(clips->rules, NULL)) != NULL && !clips->failed) {
                facts_retract_fact(clips, fact);
            }
            continue;
        }
        if (value.type == PLOY_RULE_FACT) { // one that is gone is passed over in silence
            if (ploy_fact_exists(value.as.fact)) facts_retract_fact(clips, value.as.fact);
            continue;
        }
        if (value.type == PLOY_RULE_INTEGER && value.as.integer >= 0) {
            ploy_fact *fact = ploy_rules_find_fact(clips->rules, value.as.integer);
            if (fact != NULL) {
                facts_retract_fact(clips, fact);
            } else {
                facts_no_fact(clips, value.as.integer);
            }
            continue;
        }
        ployi_clips_arg_error(clips, x, i, "fact-address, fact-index, or the symbol *");
    }
    return ploy_rule_none();
}

// modify takes the old one out first; duplicate leaves it.
static ploy_rule_value facts_modify(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    ploy_fact *fact = facts_get_fact(clips, x, 0, &value, false);
    if (fact == NULL) return ployi_clips_bool(clips, false);
    int32_t form = ploy_fact_template(fact);
    int32_t count = ploy_rulebase_slot_count(clips->base, form);
    ploy_rule_value *values = ployi_clips_items(clips, count + 1);
    for (int32_t i = 0; i < count && !clips->failed; i++) values[i] = ploy_fact_slot(fact, i);
    for (int32_t i = 1; i < x->count && !clips->failed; i++) {
        int32_t slot = ploy_rulebase_find_slot(clips->base, form, x->args[i]->name);
        if (slot < 0 || ploy_rulebase_template_ordered(clips->base, form)) {
            ployi_clips_error(clips, "TMPLTDEF1", "Invalid slot in modify or duplicate.");
            break;
        }
        ploy_rule_value list = ployi_clips_eval(clips, frame, x->args[i]);
        facts_slot_value(clips, form, slot, list, &values[slot]);
    }
    if (clips->failed) return ployi_clips_bool(clips, false);
    if (x->function->name[0] == 'm') {
        ploy_rules_keep(clips->rules, true); // the values are still in the old one
        facts_retract_fact(clips, fact);
    }
    value = facts_assert_values(clips, form, values, count);
    if (x->function->name[0] == 'm') ploy_rules_keep(clips->rules, false);
    return value;
}

bool ployi_clips_assert_text(ploy_clips *clips, const char *text, size_t size, const char *name,
                             ploy_diags *diags, ploy_fact **out) {
    ploy_clips saved = *clips;
    if (out != NULL) *out = NULL;
    ployi_clips_open(clips, text, size, name, diags);
    ployi_scope scope = {.count = 0};
    bool fine = true;
    while (clips->token.kind != PLOYI_TOKEN_END && fine) {
        if (clips->token.kind != PLOYI_TOKEN_OPEN) {
            ployi_clips_syntax(clips, "facts");
            fine = false;
            break;
        }
        ploy_arena_mark mark = ploy_arena_mark_of(clips->scratch);
        ployi_x *x = ployi_clips_parse_assert(clips, &scope, true);
        fine = x != NULL && !clips->parse_failed;
        ployi_frame frame = {.count = 0};
        if (fine) {
            ploy_rule_value made = facts_assert(clips, &frame, x);
            if (out != NULL && made.type == PLOY_RULE_FACT) *out = made.as.fact;
            fine = !clips->failed;
        }
        ploy_arena_rewind(clips->scratch, mark);
    }
    ployi_clips_restore(clips, &saved);
    return fine;
}

static ploy_rule_value facts_assert_string(ploy_clips *clips, ployi_frame *frame,
                                           const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    if (clips->failed) return value;
    if (value.type != PLOY_RULE_STRING) {
        ployi_clips_arg_error(clips, x, 0, "string");
        return ployi_clips_bool(clips, false);
    }
    const char *text = ployi_clips_get_text(clips, &value);
    ploy_fact *fact = NULL;
    if (!ployi_clips_assert_text(clips, text, strlen(text), "assert-string", NULL, &fact) ||
        fact == NULL) {
        return ployi_clips_bool(clips, false);
    }
    return ploy_rule_fact(fact);
}

static ploy_rule_value facts_facts(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t count = 0;
    (void)frame;
    (void)x;
    for (ploy_fact *fact = ploy_rules_next_fact(clips->rules, NULL); fact != NULL;
         fact = ploy_rules_next_fact(clips->rules, fact)) {
        ployi_clips_show_fact(clips, fact);
        count++;
    }
    if (count == 0) return ploy_rule_none();
    ployi_clips_out(clips, "For a total of ");
    ployi_clips_out_i64(clips, count, 0, true);
    ployi_clips_out(clips, count == 1 ? " fact.\n" : " facts.\n");
    return ploy_rule_none();
}

static ploy_rule_value facts_fact_index(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    if (clips->failed) return value;
    if (value.type != PLOY_RULE_FACT) {
        ployi_clips_arg_error(clips, x, 0, "fact-address");
        return ploy_rule_integer(-1);
    }
    return ploy_rule_integer(ploy_fact_exists(value.as.fact) ? ploy_fact_index(value.as.fact) : -1);
}

static ploy_rule_value facts_fact_existp(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    ploy_fact *fact = facts_get_fact(clips, x, 0, &value, true);
    return ployi_clips_bool(clips, ploy_fact_exists(fact));
}

static ploy_rule_value facts_fact_relation(ploy_clips *clips, ployi_frame *frame,
                                           const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    ploy_fact *fact = facts_get_fact(clips, x, 0, &value, true);
    if (!ploy_fact_exists(fact)) return ployi_clips_bool(clips, false);
    return ployi_clips_symbol(clips,
                              ploy_rulebase_template_name(clips->base, ploy_fact_template(fact)));
}

static ploy_rule_value facts_fact_slot(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    ploy_fact *fact = facts_get_fact(clips, x, 0, &value, false);
    if (!ploy_fact_exists(fact)) return ployi_clips_bool(clips, false);
    ploy_rule_value slot_name = ployi_clips_arg(clips, frame, x, 1);
    if (!clips->failed && slot_name.type != PLOY_RULE_SYMBOL) {
        ployi_clips_arg_error(clips, x, 1, "symbol");
    }
    if (clips->failed) return ployi_clips_bool(clips, false);
    const char *name = ployi_clips_get_text(clips, &slot_name);
    int32_t slot = ploy_rulebase_find_slot(clips->base, ploy_fact_template(fact), name);
    if (slot < 0) {
        ployi_clips_out(clips, "[TMPLTDEF1] Invalid slot ");
        ployi_clips_out(clips, name);
        ployi_clips_out(clips, " not defined in corresponding deftemplate ");
        ployi_clips_out(clips, ploy_rulebase_template_name(clips->base, ploy_fact_template(fact)));
        ployi_clips_out(clips, ".\n");
        clips->failed = true;
        return ployi_clips_bool(clips, false);
    }
    return ploy_fact_slot(fact, slot);
}

static ploy_rule_value facts_fact_slots(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    ploy_fact *fact = facts_get_fact(clips, x, 0, &value, false);
    if (!ploy_fact_exists(fact)) return ployi_clips_bool(clips, false);
    int32_t form = ploy_fact_template(fact), count = ploy_rulebase_slot_count(clips->base, form);
    ploy_rule_value *items = ployi_clips_items(clips, count + 1);
    for (int32_t i = 0; i < count && !clips->failed; i++) {
        items[i] = ployi_clips_symbol(clips, ploy_rulebase_slot(clips->base, form, i).name);
    }
    return ploy_rule_multi(items, count);
}

static ploy_rule_value facts_load_facts(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *path = NULL;
    ploy_buffer text;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &path)) return ployi_clips_bool(clips, false);
    if (clips->def.read == NULL || clips->def.read(clips->def.user, path, &text) != PLOY_OK) {
        return ployi_clips_bool(clips, false);
    }
    bool fine =
        ployi_clips_assert_text(clips, ploy_buffer_text(&text), text.size, path, NULL, NULL);
    ploy_buffer_fini(&text);
    return ployi_clips_bool(clips, fine);
}

const ployi_function ployi_clips_facts[] = {
    {"assert", 1, -1, facts_assert},
    {"retract", 1, -1, facts_retract},
    {"modify", 1, -1, facts_modify},
    {"duplicate", 1, -1, facts_modify},
    {"assert-string", 1, 1, facts_assert_string},
    {"facts", 0, 4, facts_facts},
    {"fact-index", 1, 1, facts_fact_index},
    {"fact-existp", 1, 1, facts_fact_existp},
    {"fact-relation", 1, 1, facts_fact_relation},
    {"fact-slot-value", 2, 2, facts_fact_slot},
    {"fact-slot-names", 1, 1, facts_fact_slots},
    {"load-facts", 1, -1, facts_load_facts},
    {NULL, 0, 0, NULL},
};
