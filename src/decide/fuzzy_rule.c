// The language of fuzzy rules, read into postfix; the grammar is in ploy/decide/fuzzy.h.
//
// Invariant of what was read without a fault: (1) running the steps of a part never needs more than
// PLOY_FUZZY_DEPTH_MAX degrees at a time, nor one that is not there; reading counts them.
#include <string.h>

#include "fuzzy_internal.h"

#include "decide/decide_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

bool ployi_fuzzy_word_is(const char *word, size_t size, const char *text) {
    for (size_t i = 0; i < size; i++) {
        char a = word[i], b = text[i];
        if (a >= 'A' && a <= 'Z') a = (char)(a - 'A' + 'a');
        if (b >= 'A' && b <= 'Z') b = (char)(b - 'A' + 'a');
        if (b == '\0' || a != b) return false;
    }
    return text[size] == '\0';
}

typedef struct rule_reader {
    const ploy_fuzzy_type *type;
    const ploy_fuzzy_source *source;
    const char *text;
    size_t at;         // behind the present word
    size_t word, size; // the present word; size 0 at the end
    ploy_array *ops;
    ploy_array *ends; // NULL: a part alone
    ploy_array *hedges;
    int32_t depth, nesting;
    bool ands, ors;
    bool syntax; // what follows would be a guess
    ploy_result result;
} rule_reader;

// Goes to the next word: a bracket, a comma, or anything up to a blank or one of those.
static void rule_next(rule_reader *reader) {
    const char *text = reader->text;
    while (ployi_fuzzy_is_blank(text[reader->at])) reader->at++;
    reader->word = reader->at;
    char c = text[reader->at];
    if (c == '(' || c == ')' || c == ',') {
        reader->at++;
    } else {
        while (c != '\0' && c != '(' && c != ')' && c != ',' && !ployi_fuzzy_is_blank(c)) {
            c = text[++reader->at];
        }
    }
    reader->size = reader->at - reader->word;
}

static bool rule_is(const rule_reader *reader, const char *text) {
    return ployi_fuzzy_word_is(reader->text + reader->word, reader->size, text);
}

static bool rule_take(rule_reader *reader, const char *text) {
    if (reader->size == 0 || !rule_is(reader, text)) return false;
    rule_next(reader);
    return true;
}

static const char *rule_copy(const rule_reader *reader, char name[PLOY_DIAG_TEXT_MAX]) {
    size_t size = reader->size < PLOY_DIAG_TEXT_MAX - 1 ? reader->size : PLOY_DIAG_TEXT_MAX - 1;
    memcpy(name, reader->text + reader->word, size);
    name[size] = '\0';
    return name;
}

static void rule_fault(rule_reader *reader, ploy_result code, const char *message,
                       const char *expected, const char *nearest) {
    char name[PLOY_DIAG_TEXT_MAX];
    if (reader->syntax) return;
    ploy_result result =
        ployi_fuzzy_fault(reader->type, reader->source, reader->text, reader->word, code, message,
                          reader->size > 0 ? rule_copy(reader, name) : NULL, expected, nearest);
    if (reader->result == PLOY_OK) reader->result = result;
    // Unknown names leave the shape of the rule intact: more may be wrong, and is worth saying.
    if (code != PLOY_ERR_NOT_FOUND) reader->syntax = true;
}

static void rule_memory(rule_reader *reader, ploy_result result) {
    if (result == PLOY_OK) return;
    reader->result = result;
    reader->syntax = true;
}

static void rule_emit(rule_reader *reader, int32_t code, int32_t variable, int32_t term) {
    if (reader->syntax) return;
    ployi_fuzzy_op op = {code, variable, term, 0};
    reader->depth += code == PLOYI_FUZZY_TERM ? 1 : code == PLOYI_FUZZY_HEDGE ? 0 : -1;
    if (reader->depth > PLOY_FUZZY_DEPTH_MAX) {
        rule_fault(reader, PLOY_ERR_LIMIT, "rule is nested too deeply", NULL, NULL);
        return;
    }
    rule_memory(reader, ploy_array_push(reader->ops, &op));
}

// The hedge that the present word is, or -1.
static int32_t rule_hedge(const rule_reader *reader) {
    for (int32_t i = 0; i < PLOY_FUZZY_HEDGE_COUNT; i++) {
        if (rule_is(reader, ployi_fuzzy_hedge_text((ploy_fuzzy_hedge)i))) return i;
    }
    return rule_is(reader, "fairly") ? PLOY_FUZZY_SOMEWHAT : -1;
}

// True if the present word joins or ends propositions.
static bool rule_is_joint(const rule_reader *reader) {
    static const char *const joints[] = {"and", "or", "xor", "then", "with", ")", ","};
    if (reader->size == 0) return true;
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        if (rule_is(reader, joints[i])) return true;
    }
    return false;
}

// The variable that the present word names, or -1.
static int32_t rule_variable(rule_reader *reader, bool output_only) {
    char name[PLOY_DIAG_TEXT_MAX];
    const ploy_fuzzy_type *type = reader->type;
    int32_t variable = ploy_fuzzy_type_find(type, rule_copy(reader, name));
    if (variable >= (output_only ? PLOY_FUZZY_OUTPUT : 0)) return variable;
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < ploy_fuzzy_type_inputs(type) && !output_only; i++) {
        ploy_nearest_offer(&nearest, ployi_fuzzy_input_at(type, i)->name);
    }
    for (int32_t i = 0; i < ploy_fuzzy_type_outputs(type); i++) {
        ploy_nearest_offer(&nearest, ployi_fuzzy_output_at(type, i)->name);
    }
    rule_fault(reader, PLOY_ERR_NOT_FOUND, output_only ? "unknown output" : "unknown variable",
               NULL, nearest.best);
    return -1;
}

// `is HEDGE* TERM` of a variable. Hedges go to `hedges`, in the order written; *term is -1 for "any"
// alone.
static void rule_proposition(rule_reader *reader, int32_t variable, int32_t *hedges, int32_t *count,
                             int32_t *term) {
    *count = 0;
    *term = -1;
    if (!rule_take(reader, "is")) {
        rule_fault(reader, PLOY_ERR_FORMAT, "missing 'is' after the variable", "is", NULL);
        return;
    }
    for (int32_t hedge = rule_hedge(reader); hedge >= 0; hedge = rule_hedge(reader)) {
        rule_reader behind = *reader;
        rule_next(&behind);
        char name[PLOY_DIAG_TEXT_MAX];
        // A term may be called "any": the last word is the term if there is one of that name.
        if (rule_is_joint(&behind) &&
            ploy_fuzzy_type_find_term(reader->type, variable, rule_copy(reader, name)) >= 0) {
            break;
        }
        if (*count == PLOY_FUZZY_DEPTH_MAX) {
            rule_fault(reader, PLOY_ERR_LIMIT, "too many hedges", NULL, NULL);
            return;
        }
        hedges[(*count)++] = hedge;
        *reader = behind;
    }
    bool any = *count > 0 && hedges[*count - 1] == PLOY_FUZZY_ANY;
    if (rule_is_joint(reader)) {
        if (!any) rule_fault(reader, PLOY_ERR_FORMAT, "missing term", "a term", NULL);
        return;
    }
    char name[PLOY_DIAG_TEXT_MAX];
    *term = ploy_fuzzy_type_find_term(reader->type, variable, rule_copy(reader, name));
    if (*term < 0 && variable >= 0) {
        ploy_nearest nearest = ploy_nearest_make(name);
        for (int32_t i = 0; i < ploy_fuzzy_type_terms(reader->type, variable); i++) {
            ploy_nearest_offer(&nearest, ploy_fuzzy_type_term_of(reader->type, variable, i).name);
        }
        for (int32_t i = 0; i < PLOY_FUZZY_HEDGE_COUNT; i++) {
            ploy_nearest_offer(&nearest, ployi_fuzzy_hedge_text((ploy_fuzzy_hedge)i));
        }
        rule_fault(reader, PLOY_ERR_NOT_FOUND, "unknown term", NULL, nearest.best);
    }
    rule_next(reader);
}

static void rule_either(rule_reader *reader);

static void rule_primary(rule_reader *reader) {
    if (++reader->nesting > PLOY_FUZZY_DEPTH_MAX) {
        rule_fault(reader, PLOY_ERR_LIMIT, "rule is nested too deeply", NULL, NULL);
    }
    int32_t hedge = rule_hedge(reader);
    if (reader->syntax) {
        // Nothing is read any more.
    } else if (rule_take(reader, "(")) {
        rule_either(reader);
        if (!rule_take(reader, ")")) {
            rule_fault(reader, PLOY_ERR_FORMAT, "unclosed '('", ")", NULL);
        }
    } else if (hedge >= 0 && hedge != PLOY_FUZZY_ANY) {
        rule_next(reader); // before a bracket or a proposition: `not (a is b)`, `not a is b`
        rule_primary(reader);
        rule_emit(reader, PLOYI_FUZZY_HEDGE, hedge, 0);
    } else if (rule_is_joint(reader)) {
        rule_fault(reader, PLOY_ERR_FORMAT, "missing proposition", "a variable", NULL);
    } else {
        int32_t hedges[PLOY_FUZZY_DEPTH_MAX], count, term;
        int32_t variable = rule_variable(reader, false);
        rule_next(reader);
        rule_proposition(reader, variable, hedges, &count, &term);
        rule_emit(reader, PLOYI_FUZZY_TERM, variable, term);
        for (int32_t i = count - 1; i >= 0; i--) {
            rule_emit(reader, PLOYI_FUZZY_HEDGE, hedges[i], 0);
        }
    }
    reader->nesting--;
}

static void rule_both(rule_reader *reader) {
    rule_primary(reader);
    while (!reader->syntax && rule_take(reader, "and")) {
        reader->ands = true;
        rule_primary(reader);
        rule_emit(reader, PLOYI_FUZZY_AND, 0, 0);
    }
}

static void rule_either(rule_reader *reader) {
    rule_both(reader);
    while (!reader->syntax) {
        bool exclusive = rule_is(reader, "xor") && reader->size > 0;
        if (!exclusive && !rule_is(reader, "or")) return;
        rule_next(reader);
        reader->ors = true;
        reader->ands |= exclusive;
        rule_both(reader);
        rule_emit(reader, exclusive ? PLOYI_FUZZY_XOR : PLOYI_FUZZY_OR, 0, 0);
    }
}

// `OUTPUT is HEDGE* TERM`, joined by "and" or commas.
static void rule_conclusions(rule_reader *reader) {
    do {
        if (rule_is_joint(reader)) {
            rule_fault(reader, PLOY_ERR_FORMAT, "missing conclusion", "an output", NULL);
            return;
        }
        int32_t hedges[PLOY_FUZZY_DEPTH_MAX], count;
        ployi_fuzzy_end end = {.term = -1, .hedge_first = reader->hedges->count};
        int32_t variable = rule_variable(reader, true);
        rule_next(reader);
        rule_proposition(reader, variable, hedges, &count, &end.term);
        if (end.term < 0 && variable >= 0 && reader->result == PLOY_OK) {
            rule_fault(reader, PLOY_ERR_FORMAT, "unexpected 'any' for an output", "a term", NULL);
        }
        if (reader->syntax) return;
        end.output = variable - PLOY_FUZZY_OUTPUT;
        end.hedge_count = count;
        rule_memory(reader, ploy_array_push_many(reader->hedges, hedges, count));
        if (!reader->syntax) rule_memory(reader, ploy_array_push(reader->ends, &end));
    } while (!reader->syntax && (rule_take(reader, "and") || rule_take(reader, ",")));
}

static double rule_weight(rule_reader *reader) {
    double weight = 1.0;
    if (!rule_take(reader, "with")) return weight;
    if (ploy_parse_f64(reader->text + reader->word, reader->size, NULL, &weight) != PLOY_OK ||
        !ploy_is_finite_d(weight)) {
        rule_fault(reader, PLOY_ERR_FORMAT, "invalid weight", "a number", NULL);
    }
    rule_next(reader);
    return weight;
}

static rule_reader rule_open(const ploy_fuzzy_type *type, const char *text,
                             const ploy_fuzzy_source *source, ploy_array *ops) {
    rule_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.type = type;
    reader.source = source;
    reader.text = text;
    reader.ops = ops;
    rule_next(&reader);
    return reader;
}

static void rule_done(rule_reader *reader) {
    if (reader->size > 0) {
        rule_fault(reader, PLOY_ERR_FORMAT, "unexpected text after the rule", NULL, NULL);
    }
}

ploy_result ployi_fuzzy_read_part(const ploy_fuzzy_type *type, const char *text, ploy_array *ops) {
    rule_reader reader = rule_open(type, text, NULL, ops);
    rule_either(&reader);
    rule_done(&reader);
    return reader.result;
}

ploy_result ploy_fuzzy_type_rule(ploy_fuzzy_type *type, int32_t block, const char *text,
                                 const ploy_fuzzy_source *source) {
    if (type == NULL || text == NULL || type->finished || block < 0 ||
        block >= type->blocks.count) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_array *rules = &ployi_fuzzy_block_at(type, block)->rules;
    rule_reader reader = rule_open(type, text, source, &type->ops);
    reader.ends = &type->ends;
    reader.hedges = &type->hedges;
    ployi_fuzzy_rule rule = {
        .weight = 1.0, .op_first = type->ops.count, .end_first = type->ends.count};
    int32_t hedge_first = type->hedges.count;
    if (!rule_take(&reader, "if")) {
        rule_fault(&reader, PLOY_ERR_FORMAT, "missing 'if' at the start of the rule", "if", NULL);
    }
    rule_either(&reader);
    if (!reader.syntax && !rule_take(&reader, "then")) {
        rule_fault(&reader, PLOY_ERR_FORMAT, "missing 'and', 'or' or 'then'", "then", NULL);
    }
    if (!reader.syntax) rule_conclusions(&reader);
    if (!reader.syntax) rule.weight = rule_weight(&reader);
    rule_done(&reader);
    rule.op_count = type->ops.count - rule.op_first;
    rule.end_count = type->ends.count - rule.end_first;
    rule.ands = reader.ands;
    rule.ors = reader.ors;
    if (reader.result == PLOY_OK && rules->count >= PLOY_FUZZY_COUNT_MAX) {
        rule_fault(&reader, PLOY_ERR_LIMIT, "too many rules in the block", NULL, NULL);
    }
    if (reader.result == PLOY_OK) {
        rule.text = ployi_fuzzy_keep(type, text, strlen(text));
        reader.result = rule.text != NULL ? ploy_array_push(rules, &rule) : PLOY_ERR_MEMORY;
    }
    if (reader.result != PLOY_OK) { // nothing of it stays
        (void)ploy_array_resize(&type->ops, rule.op_first);
        (void)ploy_array_resize(&type->ends, rule.end_first);
        (void)ploy_array_resize(&type->hedges, hedge_first);
        if (type->result == PLOY_OK) type->result = reader.result;
    }
    return reader.result;
}

double ployi_fuzzy_part_degree(const ployi_fuzzy_op *ops, int32_t count,
                               const ploy_fuzzy_block_def *norms,
                               double (*degree_of)(const void *user, const ployi_fuzzy_op *op),
                               const void *user) {
    double stack[PLOY_FUZZY_DEPTH_MAX];
    int32_t top = 0; // within bounds by (1)
    for (int32_t i = 0; i < count; i++) {
        const ployi_fuzzy_op *op = &ops[i];
        if (op->code == PLOYI_FUZZY_TERM) {
            stack[top++] = op->term < 0 ? 0.0 : degree_of(user, op);
        } else if (op->code == PLOYI_FUZZY_HEDGE) {
            stack[top - 1] = ploy_fuzzy_bend((ploy_fuzzy_hedge)op->variable, stack[top - 1]);
        } else {
            double b = stack[--top], a = stack[top - 1];
            if (op->code == PLOYI_FUZZY_XOR) {
                double only_a = ploy_fuzzy_join(norms->conjunction, a, 1.0 - b);
                double only_b = ploy_fuzzy_join(norms->conjunction, 1.0 - a, b);
                a = ploy_fuzzy_join(norms->disjunction, only_a, only_b);
            } else {
                a = ploy_fuzzy_join(
                    op->code == PLOYI_FUZZY_AND ? norms->conjunction : norms->disjunction, a, b);
            }
            stack[top - 1] = a;
        }
    }
    return stack[0];
}

bool ployi_fuzzy_same_part(const ploy_fuzzy_type *type, const ployi_fuzzy_rule *a,
                           const ployi_fuzzy_rule *b) {
    if (a->op_count != b->op_count) return false;
    const ployi_fuzzy_op *ops = PLOY_ARRAY_ITEMS(&type->ops, ployi_fuzzy_op);
    for (int32_t i = 0; i < a->op_count; i++) {
        const ployi_fuzzy_op *x = &ops[a->op_first + i], *y = &ops[b->op_first + i];
        if (x->code != y->code || x->variable != y->variable || x->term != y->term) return false;
    }
    return true;
}
