// Facts and values as text, as CLIPS writes them, and the rules' state for inspectors.
#include <string.h>

#include "decide/rules_internal.h"
#include "ploy/base/number.h"

// A double with 15 digits, which is what CLIPS prints, and ".0" where that leaves an integer.
static void write_float(double value, ploy_writer *out) {
    char text[PLOY_RULE_FLOAT_TEXT(15)];
    size_t size = ploy_rule_print_float(value, 'g', 15, text);
    bool plain = true;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '.' || text[i] == 'e' || text[i] == 'n') plain = false;
    }
    ploy_write_bytes(out, text, size);
    if (plain) ploy_write_text(out, ".0");
}

static void write_string(const char *text, ploy_writer *out) {
    ploy_write_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') ploy_write_char(out, '\\');
        ploy_write_char(out, *text);
    }
    ploy_write_char(out, '"');
}

void ploy_rules_write_value(const ploy_rules *rules, const ploy_rule_value *value,
                            ploy_writer *out) {
    ploy_name name = {value->as.text};
    switch (value->type) {
    case PLOY_RULE_SYMBOL: ploy_write_text(out, ploy_rules_text_of(rules, name)); break;
    case PLOY_RULE_STRING: write_string(ploy_rules_text_of(rules, name), out); break;
    case PLOY_RULE_NAME:
        ploy_write_char(out, '[');
        ploy_write_text(out, ploy_rules_text_of(rules, name));
        ploy_write_char(out, ']');
        break;
    case PLOY_RULE_INTEGER: ploy_write_i64(out, value->as.integer); break;
    case PLOY_RULE_FLOAT: write_float(value->as.real, out); break;
    case PLOY_RULE_FACT:
        ploy_write_text(out, "<Fact-");
        ploy_write_i64(out, value->as.fact == NULL ? 0 : value->as.fact->index);
        ploy_write_char(out, '>');
        break;
    case PLOY_RULE_MULTI:
        ploy_write_char(out, '(');
        for (int32_t i = 0; i < value->count; i++) {
            if (i > 0) ploy_write_char(out, ' ');
            ploy_rules_write_value(rules, &value->as.items[i], out);
        }
        ploy_write_char(out, ')');
        break;
    default: break;
    }
}

static void write_items(const ploy_rules *rules, const ploy_rule_value *value, ploy_writer *out) {
    if (value->type != PLOY_RULE_MULTI) {
        ploy_write_char(out, ' ');
        ploy_rules_write_value(rules, value, out);
        return;
    }
    for (int32_t i = 0; i < value->count; i++) {
        ploy_write_char(out, ' ');
        ploy_rules_write_value(rules, &value->as.items[i], out);
    }
}

void ploy_rules_write_fact(const ploy_rules *rules, const ploy_fact *fact, ploy_writer *out) {
    const ploy_rulebase *base = rules->base;
    int32_t form = fact->template_index;
    ploy_write_char(out, '(');
    ploy_write_text(out, ploy_rulebase_template_name(base, form));
    const ploy_rule_value *values = ployi_fact_values(fact);
    if (ploy_rulebase_template_ordered(base, form)) {
        write_items(rules, &values[0], out);
    } else {
        for (int32_t i = 0; i < fact->slot_count; i++) {
            ploy_write_text(out, " (");
            ploy_write_text(out, ploy_rulebase_slot(base, form, i).name);
            write_items(rules, &values[i], out);
            ploy_write_char(out, ')');
        }
    }
    ploy_write_char(out, ')');
}

// A text of a fact for describe, cut where it is too long.
static ploy_result write_cut(void *user, const void *bytes, size_t size) {
    ploy_buffer *text = user;
    size_t room = 500 - (text->size < 500 ? text->size : 500);
    return ploy_buffer_append(text, bytes, size < room ? size : room);
}

void ploy_rules_describe(const ploy_rules *rules, ploy_describe *out) {
    ploy_describe_begin(out, "rules");
    ploy_describe_u64(out, "fired", PLOY_STATE, rules->fired);
    ploy_describe_i64(out, "next_index", PLOY_STATE, rules->next_index);
    ploy_describe_u64(out, "timetag", PLOY_STATE, rules->timetag);
    ploy_describe_u64(out, "tag", PLOY_STATE, rules->activation_tag);
    ploy_describe_f64(out, "now", PLOY_STATE, rules->now);
    ploy_rng rng = rules->rng;
    ploy_describe_u64(out, "rng", PLOY_STATE, ploy_rng_u64(&rng));
    ploy_describe_begin(out, "focus");
    for (int32_t i = 0; i < rules->focus.count; i++) {
        ploy_describe_begin_item(out, i);
        ploy_describe_i64(out, "module", PLOY_STATE, PLOY_ARRAY_ITEMS(&rules->focus, int32_t)[i]);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_i64(out, "tokens", PLOY_DERIVED, rules->tokens);
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &rules->env);
    ploy_describe_begin(out, "facts");
    for (const ploy_fact *fact = rules->first_fact; fact != NULL; fact = fact->next) {
        char name[32] = "f-";
        size_t size = ploy_print_i64(fact->index, name + 2);
        name[2 + size] = '\0';
        ploy_buffer_clear(&text);
        ploy_writer writer = ploy_writer_make(write_cut, &text);
        ploy_rules_write_fact(rules, fact, &writer);
        ploy_describe_text(out, name, PLOY_STATE, ploy_buffer_text(&text));
    }
    ploy_describe_end(out);
    ploy_buffer_fini(&text);
    ploy_describe_begin(out, "agenda");
    int64_t item = 0;
    for (int32_t module = 0; module < rules->agendas.count; module++) {
        for (const ployi_activation *at = ployi_agenda_first(rules, module); at != NULL;
             at = ployi_agenda_next(rules, at)) {
            ploy_describe_begin_item(out, item++);
            ploy_describe_text(out, "rule", PLOY_STATE,
                               ploy_rulebase_rule_name(rules->base, at->rule));
            ploy_describe_i64(out, "module", PLOY_STATE, module);
            ploy_describe_i64(out, "salience", PLOY_STATE, at->salience);
            ploy_describe_begin(out, "facts");
            for (int32_t i = 0; i < at->match->pm.count; i++) {
                const ployi_alpha *bind = ployi_binds(at->match)[i];
                char name[16];
                size_t size = ploy_print_i64(i, name);
                name[size] = '\0';
                ploy_describe_i64(out, name, PLOY_STATE, bind == NULL ? -1 : bind->fact->index);
            }
            ploy_describe_end(out);
            ploy_describe_end(out);
        }
    }
    ploy_describe_end(out);
    ploy_describe_end(out);
}
