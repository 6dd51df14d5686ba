// Conditions and scores from texts; the language is described in ploy/decide/expression.h.
//
// A text is read as an expression, resolved and bound, which finds every mistake. What plain nodes
// can test (keys against constants, words, and their combinations) becomes plain nodes, so that a
// text costs what the same condition made in C costs; the rest stays an expression.
#include <math.h>
#include <string.h>

#include "condition_internal.h"
#include "expression_internal.h"
#include "ploy/base/math.h"

typedef struct condition_text {
    ploy_conditions *set;
    const ploy_expression *expression;
    uint32_t source; // of sources
} condition_text;

static const ployi_expression_node *condition_text_at(const ploy_expression *expression,
                                                      int32_t node) {
    return &PLOY_ARRAY_ITEMS(&expression->nodes, ployi_expression_node)[node];
}

static const ployi_expression_name *condition_text_name(const ploy_expression *expression,
                                                        int32_t index) {
    return &PLOY_ARRAY_ITEMS(&expression->names, ployi_expression_name)[index];
}

static const char *condition_text_chars(const ploy_expression *expression, uint32_t text) {
    return PLOY_ARRAY_ITEMS(&expression->texts, char) + text;
}

// The boards and slots of an expression's names. False if it has names and the board is another.
static bool condition_text_refs(const ploy_conditions *set, const condition_source *source,
                                const ploy_moment *moment,
                                ploy_blackboard_ref refs[PLOY_EXPRESSION_NAMES_MAX]) {
    int32_t count = source->expression->names.count;
    if (count == 0) return true;
    ploy_blackboard *board = ployi_condition_board(set, moment);
    const ploy_slot *slots = PLOY_ARRAY_ITEMS(&set->slots, ploy_slot) + source->first_slot;
    for (int32_t i = 0; i < count; i++) {
        refs[i].board = board;
        refs[i].slot = slots[i];
    }
    return board != NULL;
}

bool ployi_condition_test_text(const ploy_conditions *set, const condition_node *node,
                               const ploy_moment *moment) {
    ploy_blackboard_ref refs[PLOY_EXPRESSION_NAMES_MAX];
    const condition_source *source = &PLOY_ARRAY_ITEMS(&set->sources, condition_source)[node->a];
    double number = 0.0;
    if (!condition_text_refs(set, source, moment, refs)) return false;
    return ployi_expression_number(source->expression, (int32_t)node->b, refs, moment, &number) ==
               PLOY_OK &&
           number != 0.0;
}

float ployi_score_text_value(const ploy_conditions *set, uint32_t source,
                             const ploy_moment *moment) {
    ploy_blackboard_ref refs[PLOY_EXPRESSION_NAMES_MAX];
    const condition_source *from = &PLOY_ARRAY_ITEMS(&set->sources, condition_source)[source];
    double number = 0.0;
    if (!condition_text_refs(set, from, moment, refs) ||
        ployi_expression_number(from->expression, from->expression->last, refs, moment, &number) !=
            PLOY_OK) {
        return (float)NAN;
    }
    return (float)number;
}

// ---- from an expression to nodes

static bool condition_text_constant(const condition_text *text, int32_t node, double *out) {
    const ployi_expression_node *at = condition_text_at(text->expression, node);
    if (at->op == PLOYI_EXPRESSION_NEGATE) {
        if (!condition_text_constant(text, at->a, out)) return false;
        *out = -*out;
        return true;
    }
    *out = at->number;
    return at->op == PLOYI_EXPRESSION_NUMBER;
}

// The slot and type of a node that is a key; false if it is not.
static bool condition_text_key(const condition_text *text, int32_t node, ploy_slot *slot,
                               ploy_value_type *type) {
    const ployi_expression_node *at = condition_text_at(text->expression, node);
    if (at->op != PLOYI_EXPRESSION_NAME) return false;
    const condition_source *source =
        &PLOY_ARRAY_ITEMS(&text->set->sources, condition_source)[text->source];
    *slot = PLOY_ARRAY_ITEMS(&text->set->slots, ploy_slot)[source->first_slot + at->name];
    *type = condition_text_name(text->expression, at->name)->type;
    return true;
}

static bool condition_text_is_number(ploy_value_type type) {
    return type >= PLOY_VALUE_BOOL && type <= PLOY_VALUE_F64;
}

// A key against a constant, in either order; none if it is something else.
static ploy_condition condition_text_compare(condition_text *text,
                                             const ployi_expression_node *at) {
    static const int32_t turned[] = {PLOYI_EXPRESSION_EQUAL,         PLOYI_EXPRESSION_DIFFERENT,
                                     PLOYI_EXPRESSION_GREATER_EQUAL, PLOYI_EXPRESSION_LESS_EQUAL,
                                     PLOYI_EXPRESSION_GREATER,       PLOYI_EXPRESSION_LESS};
    condition_node node = ployi_condition_make(CONDITION_COMPARE);
    node.compare = at->op;
    int32_t other = at->b;
    if (at->chained) return ploy_condition_none();
    if (!condition_text_key(text, at->a, &node.slot, &node.type)) {
        if (!condition_text_key(text, at->b, &node.slot, &node.type)) return ploy_condition_none();
        node.compare = turned[at->op - PLOYI_EXPRESSION_EQUAL];
        other = at->a;
    }
    const ployi_expression_node *value = condition_text_at(text->expression, other);
    if (node.type == PLOY_VALUE_NAME && value->op == PLOYI_EXPRESSION_TEXT) {
        node.kind = CONDITION_NAME;
        node.as.name = ployi_build_name(&text->set->build, "invalid name",
                                        condition_text_chars(text->expression, value->text));
        ploy_condition is = ployi_condition_add(text->set, &node);
        return at->op == PLOYI_EXPRESSION_EQUAL ? is : ploy_condition_not(text->set, is);
    }
    if (!condition_text_is_number(node.type) ||
        !condition_text_constant(text, other, &node.as.real.min)) {
        return ploy_condition_none();
    }
    return ployi_condition_add(text->set, &node);
}

// A word with constant arguments; none if it is something else.
static ploy_condition condition_text_call(condition_text *text, const ployi_expression_node *at) {
    const ployi_expression_call *call =
        &PLOY_ARRAY_ITEMS(&text->expression->calls, ployi_expression_call)[at->name];
    const int32_t below[PLOY_CONDITION_ARGS_MAX] = {at->a, at->b, at->c, at->d};
    float args[PLOY_CONDITION_ARGS_MAX];
    if (call->condition != 0) return (ploy_condition){call->condition};
    for (int32_t i = 0; i < call->count; i++) {
        double number = 0.0;
        if (!condition_text_constant(text, below[i], &number)) return ploy_condition_none();
        args[i] = (float)number;
    }
    if (!ployi_conditions_is_test(text->set, call->word)) return ploy_condition_none();
    return ploy_condition_named(text->set, condition_text_chars(text->expression, call->text), args,
                                call->count);
}

// A condition that runs the code of one node.
static ploy_condition condition_text_node(condition_text *text, int32_t node) {
    condition_node made = ployi_condition_make(CONDITION_EXPRESSION);
    ploy_expression *expression =
        PLOY_ARRAY_ITEMS(&text->set->sources, condition_source)[text->source].expression;
    made.a = text->source;
    made.b = (uint32_t)node;
    ploy_result result = ployi_expression_entry(expression, node);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&text->set->build, result, "cannot compile",
                                ploy_expression_text(expression));
        return ploy_condition_none();
    }
    return ployi_condition_add(text->set, &made);
}

static ploy_condition condition_text_lower(condition_text *text, int32_t node) {
    const ployi_expression_node *at = condition_text_at(text->expression, node);
    ploy_conditions *set = text->set;
    ploy_condition made = ploy_condition_none();
    condition_node plain = ployi_condition_make(CONDITION_EXPRESSION);
    ploy_value_type type;
    double number = 0.0;
    if (set->build.result != PLOY_OK) return made;
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_AND:
    case PLOYI_EXPRESSION_OR: {
        ploy_condition a = condition_text_lower(text, at->a);
        ploy_condition b = condition_text_lower(text, at->b);
        return at->op == PLOYI_EXPRESSION_AND ? ploy_condition_and(set, a, b)
                                              : ploy_condition_or(set, a, b);
    }
    case PLOYI_EXPRESSION_NOT: return ploy_condition_not(set, condition_text_lower(text, at->a));
    case PLOYI_EXPRESSION_NUMBER:
        made = ploy_condition_always(set);
        return at->number != 0.0 ? made : ploy_condition_not(set, made);
    case PLOYI_EXPRESSION_NAME:
        if (condition_text_key(text, node, &plain.slot, &type) && condition_text_is_number(type)) {
            plain.kind = type == PLOY_VALUE_BOOL ? CONDITION_BOOL : CONDITION_COMPARE;
            plain.type = type;
            plain.compare = PLOYI_EXPRESSION_DIFFERENT;
            plain.as.real.min = number;
            return ployi_condition_add(set, &plain);
        }
        break;
    case PLOYI_EXPRESSION_CALL: made = condition_text_call(text, at); break;
    case PLOYI_EXPRESSION_EQUAL:
    case PLOYI_EXPRESSION_DIFFERENT:
    case PLOYI_EXPRESSION_LESS_EQUAL:
    case PLOYI_EXPRESSION_GREATER_EQUAL:
    case PLOYI_EXPRESSION_LESS:
    case PLOYI_EXPRESSION_GREATER: made = condition_text_compare(text, at); break;
    default: break;
    }
    if (!ploy_condition_is_none(made) || set->build.result != PLOY_OK) return made;
    return condition_text_node(text, node);
}

// ---- reading

// Reports names that are neither keys nor words, with the nearest that is.
static ploy_result condition_text_unknown(const ploy_conditions *set,
                                          const ploy_expression *expression, ploy_diags *diags) {
    ploy_result result = PLOY_OK;
    bool told[PLOY_EXPRESSION_NAMES_MAX] = {false};
    for (int32_t i = 0; i < expression->nodes.count; i++) {
        const ployi_expression_node *at = condition_text_at(expression, i);
        if (at->op != PLOYI_EXPRESSION_NAME || told[at->name]) continue;
        told[at->name] = true;
        const char *name =
            condition_text_chars(expression, condition_text_name(expression, at->name)->text);
        if (set->layout != NULL &&
            !ploy_slot_is_none(ploy_blackboard_layout_find(set->layout, name))) {
            continue;
        }
        if (result == PLOY_OK) result = PLOY_ERR_NOT_FOUND;
        char message[PLOY_DIAG_TEXT_MAX];
        bool word = ployi_conditions_word(set, name) != 0;
        ployi_build_join(word ? "missing arguments of" : "unknown key or function", name, message);
        int32_t line, column;
        ployi_expression_place(expression, at->at, &line, &column);
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND,
                       condition_text_chars(expression, expression->source), line, column, message,
                       NULL, word ? NULL : ployi_conditions_nearest(set, name));
    }
    return result;
}

// Reads, resolves and binds a text, and keeps it in the set.
static ploy_result condition_text_read(ploy_conditions *set, const char *text, const char *name,
                                       int32_t line, int32_t column, ploy_diags *diags,
                                       uint32_t *source) {
    ploy_expression *expression = NULL;
    ploy_value_type types[PLOY_EXPRESSION_NAMES_MAX];
    if (set == NULL || text == NULL) return PLOY_ERR_ARGUMENT;
    if (!ployi_build_open(&set->build)) return PLOY_ERR_STATE;
    condition_source item = {NULL, (uint32_t)set->slots.count};
    ploy_result result = ploy_expression_create(text, name, line, column, NULL, 0, &set->build.env,
                                                diags, &expression);
    if (result == PLOY_OK) result = ploy_expression_resolve(expression, set, diags);
    if (result == PLOY_OK) result = condition_text_unknown(set, expression, diags);
    for (int32_t i = 0; result == PLOY_OK && i < expression->names.count; i++) {
        const ployi_expression_name *use = condition_text_name(expression, i);
        const char *key = condition_text_chars(expression, use->text);
        ploy_slot slot =
            set->layout != NULL ? ploy_blackboard_layout_find(set->layout, key) : ploy_slot_none();
        types[i] = set->layout != NULL ? ploy_blackboard_layout_type(set->layout, slot)
                                       : PLOY_VALUE_NONE; // a name that is only assigned
        if (use->writes) {
            result = ployi_expression_fault(expression, diags, PLOY_ERR_ARGUMENT, 0,
                                            "unexpected assignment in a condition or score", NULL);
        } else {
            result = ploy_array_push(&set->slots, &slot);
        }
    }
    if (result == PLOY_OK) result = ploy_expression_bind(expression, types, diags);
    if (result == PLOY_OK && (expression->first != expression->last ||
                              ploy_expression_type(expression) == PLOY_VALUE_TEXT)) {
        result = ployi_expression_fault(expression, diags, PLOY_ERR_ARGUMENT, 0, "wrong type",
                                        "one number or truth value");
    }
    item.expression = expression;
    if (result == PLOY_OK) result = ploy_array_push(&set->sources, &item);
    if (result != PLOY_OK) {
        ploy_expression_destroy(expression);
        return result;
    }
    *source = (uint32_t)set->sources.count - 1;
    return PLOY_OK;
}

ploy_result ploy_condition_read(ploy_conditions *set, const char *text, const char *name,
                                int32_t line, int32_t column, ploy_diags *diags,
                                ploy_condition *out) {
    condition_text reader = {set, NULL, 0};
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = condition_text_read(set, text, name, line, column, diags, &reader.source);
    if (result != PLOY_OK) return result;
    reader.expression = PLOY_ARRAY_ITEMS(&set->sources, condition_source)[reader.source].expression;
    ploy_condition made;
    // Deep ones would exceed what nodes may nest; an expression may.
    if (condition_text_at(reader.expression, reader.expression->last)->depth >=
        PLOY_CONDITION_DEPTH_MAX) {
        made = condition_text_node(&reader, reader.expression->last);
    } else {
        made = condition_text_lower(&reader, reader.expression->last);
    }
    if (set->build.result == PLOY_OK) *out = made;
    return set->build.result;
}

ploy_result ploy_score_read(ploy_conditions *set, const char *text, const char *name, int32_t line,
                            int32_t column, ploy_diags *diags, ploy_score *out) {
    uint32_t source = 0;
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = condition_text_read(set, text, name, line, column, diags, &source);
    if (result != PLOY_OK) return result;
    const ploy_expression *expression =
        PLOY_ARRAY_ITEMS(&set->sources, condition_source)[source].expression;
    condition_text reader = {set, expression, source};
    condition_score score;
    memset(&score, 0, sizeof score);
    score.source = source + 1;
    // A key alone needs no expression.
    if (condition_text_key(&reader, expression->last, &score.slot, &score.type)) score.source = 0;
    result = ploy_array_push(&set->scores, &score);
    if (result != PLOY_OK) {
        return ployi_build_fault(&set->build, result, "out of memory for score", text);
    }
    out->number = (uint32_t)set->scores.count;
    return PLOY_OK;
}

// Notes a fault of a text given in C, and logs what is wrong with it.
static void condition_text_fault(ploy_conditions *set, ploy_result result, const char *text,
                                 ploy_diags *diags) {
    if (set->build.result == PLOY_OK && !set->build.finished) {
        (void)ployi_build_fault(&set->build, result, "invalid condition or score", text);
    }
    if (diags != NULL) ploy_diags_log(diags, &set->build.env);
}

ploy_condition ploy_condition_text(ploy_conditions *set, const char *text) {
    ploy_condition out = {0};
    if (!ployi_build_open(&set->build)) return out;
    ploy_diags *diags = NULL;
    (void)ploy_diags_create(8, &set->build.env, &diags); // without room the code alone is reported
    ploy_result result = ploy_condition_read(set, text, "condition", 1, 1, diags, &out);
    if (result != PLOY_OK) condition_text_fault(set, result, text, diags);
    ploy_diags_destroy(diags);
    return out;
}

ploy_score ploy_score_text(ploy_conditions *set, const char *text) {
    ploy_score out = {0};
    if (!ployi_build_open(&set->build)) return out;
    ploy_diags *diags = NULL;
    (void)ploy_diags_create(8, &set->build.env, &diags);
    ploy_result result = ploy_score_read(set, text, "score", 1, 1, diags, &out);
    if (result != PLOY_OK) condition_text_fault(set, result, text, diags);
    ploy_diags_destroy(diags);
    return out;
}
