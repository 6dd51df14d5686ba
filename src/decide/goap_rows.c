// Planning domains from tables: expressions taken apart into needs and gains; see the header.
#include "ploy/decide/goap_rows.h"

#include <string.h>

#include "expression_internal.h"
#include "ploy/base/math.h"

typedef struct goap_rows {
    ploy_goap_type *type; // to which unknown names are added as bools, or NULL: they are faults
    const ploy_goap_type *known;
    const ploy_expression *expression;
    ploy_diags *diags;
    ploy_result result;
    ploy_goap_need *needs;
    ploy_goap_gain *gains;
    int32_t room, count;
} goap_rows;

static const ployi_expression_node *goap_rows_at(const goap_rows *table, int32_t node) {
    return &PLOY_ARRAY_ITEMS(&table->expression->nodes, ployi_expression_node)[node];
}

static void goap_rows_fault(goap_rows *table, const ployi_expression_node *at, ploy_result code,
                            const char *message, const char *expected) {
    if (table->result != PLOY_OK) return;
    table->result =
        ployi_expression_fault(table->expression, table->diags, code, at->at, message, expected);
}

// The variable of a name; none, and a fault, if there is none and none can be added.
static ploy_goap_var goap_rows_var(goap_rows *table, const ployi_expression_node *at) {
    const ployi_expression_name *name =
        &PLOY_ARRAY_ITEMS(&table->expression->names, ployi_expression_name)[at->name];
    const char *id = PLOY_ARRAY_ITEMS(&table->expression->texts, char) + name->text;
    ploy_goap_var var = ploy_goap_type_find(table->known, id);
    if (var.number == 0 && table->type != NULL) var = ploy_goap_type_bool(table->type, id);
    if (var.number == 0) {
        goap_rows_fault(table, at, PLOY_ERR_NOT_FOUND, "unknown variable", NULL);
    }
    return var;
}

// A whole number; a fault if it is something else.
static int32_t goap_rows_number(goap_rows *table, int32_t node) {
    const ployi_expression_node *at = goap_rows_at(table, node);
    double sign = 1.0;
    if (at->op == PLOYI_EXPRESSION_NEGATE) {
        sign = -1.0;
        at = goap_rows_at(table, at->a);
    }
    double number = sign * at->number;
    bool whole = at->op == PLOYI_EXPRESSION_NUMBER && number >= -1e9 && number <= 1e9 &&
                 number == (double)(int32_t)number;
    if (!whole) goap_rows_fault(table, at, PLOY_ERR_FORMAT, "invalid constant", "a whole number");
    return whole ? (int32_t)number : 0;
}

static void goap_rows_need(goap_rows *table, const ployi_expression_node *name, ploy_goap_test test,
                           int32_t value) {
    if (table->count == table->room) {
        goap_rows_fault(table, name, PLOY_ERR_CAPACITY, "too many needs", NULL);
    }
    ploy_goap_var var = goap_rows_var(table, name);
    if (table->result != PLOY_OK) return;
    table->needs[table->count++] = ploy_goap_need_make(var, test, value);
}

// As deep as the expression, which is limited.
static void goap_rows_needs(goap_rows *table, int32_t node) {
    const ployi_expression_node *at = goap_rows_at(table, node);
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_AND:
        goap_rows_needs(table, at->a);
        goap_rows_needs(table, at->b);
        return;
    case PLOYI_EXPRESSION_NAME: goap_rows_need(table, at, PLOY_GOAP_EQUAL, 1); return;
    case PLOYI_EXPRESSION_NOT:
        if (goap_rows_at(table, at->a)->op != PLOYI_EXPRESSION_NAME) break;
        goap_rows_need(table, goap_rows_at(table, at->a), PLOY_GOAP_EQUAL, 0);
        return;
    case PLOYI_EXPRESSION_EQUAL:
    case PLOYI_EXPRESSION_DIFFERENT:
    case PLOYI_EXPRESSION_LESS_EQUAL:
    case PLOYI_EXPRESSION_GREATER_EQUAL:
    case PLOYI_EXPRESSION_LESS:
    case PLOYI_EXPRESSION_GREATER: {
        const ployi_expression_node *name = goap_rows_at(table, at->a);
        if (name->op != PLOYI_EXPRESSION_NAME || at->chained) break;
        int32_t value = goap_rows_number(table, at->b);
        ploy_goap_test test = PLOY_GOAP_EQUAL;
        if (at->op == PLOYI_EXPRESSION_DIFFERENT) test = PLOY_GOAP_DIFFERENT;
        if (at->op == PLOYI_EXPRESSION_LESS_EQUAL) test = PLOY_GOAP_AT_MOST;
        if (at->op == PLOYI_EXPRESSION_GREATER_EQUAL) test = PLOY_GOAP_AT_LEAST;
        if (at->op == PLOYI_EXPRESSION_LESS) {
            test = PLOY_GOAP_AT_MOST;
            value--;
        }
        if (at->op == PLOYI_EXPRESSION_GREATER) {
            test = PLOY_GOAP_AT_LEAST;
            value++;
        }
        goap_rows_need(table, name, test, value);
        return;
    }
    default: break;
    }
    goap_rows_fault(table, at, PLOY_ERR_FORMAT, "invalid need",
                    "a name, !name or a comparison with a whole number");
}

static void goap_rows_gain(goap_rows *table, const ployi_expression_node *at) {
    if (at->op != PLOYI_EXPRESSION_MAKE && at->op != PLOYI_EXPRESSION_SET) {
        goap_rows_fault(table, at, PLOY_ERR_FORMAT, "invalid gain", "an assignment");
        return;
    }
    if (table->count == table->room) {
        goap_rows_fault(table, at, PLOY_ERR_CAPACITY, "too many gains", NULL);
    }
    const ployi_expression_node *value = goap_rows_at(table, at->a);
    bool adds = value->op == PLOYI_EXPRESSION_ADD || value->op == PLOYI_EXPRESSION_SUBTRACT;
    if (adds) { // x += 1 was read as x = x + 1
        const ployi_expression_node *left = goap_rows_at(table, value->a);
        adds = left->op == PLOYI_EXPRESSION_NAME && left->name == at->name;
    }
    int32_t number = goap_rows_number(table, adds ? value->b : at->a);
    ploy_goap_var var = goap_rows_var(table, at);
    if (table->result != PLOY_OK) return;
    if (value->op == PLOYI_EXPRESSION_SUBTRACT) number = -number;
    table->gains[table->count++] =
        adds ? ploy_goap_add_to(var, number) : ploy_goap_set_to(var, number);
}

// Reads a text as needs or, if table->needs is NULL, as gains.
static ploy_result goap_rows_read(goap_rows *table, const char *text, const char *name,
                                  const ploy_env *env) {
    ploy_expression *expression = NULL;
    table->count = 0;
    table->result =
        ploy_expression_create(text, name, 1, 1, NULL, 0, env, table->diags, &expression);
    if (table->result != PLOY_OK) return table->result;
    table->expression = expression;
    for (int32_t at = expression->first; at >= 0 && table->result == PLOY_OK;
         at = goap_rows_at(table, at)->next) {
        if (table->needs != NULL) {
            goap_rows_needs(table, at);
        } else {
            goap_rows_gain(table, goap_rows_at(table, at));
        }
    }
    ploy_expression_destroy(expression);
    return table->result;
}

static ploy_result goap_rows_row(ploy_goap_type *type, const ploy_goap_row *row,
                                 const ploy_env *env, ploy_diags *diags) {
    ploy_goap_need needs[PLOY_GOAP_ROW_MAX];
    ploy_goap_gain gains[PLOY_GOAP_ROW_MAX];
    ploy_result result = PLOY_OK;
    goap_rows left = {
        .type = type, .known = type, .diags = diags, .needs = needs, .room = PLOY_GOAP_ROW_MAX};
    goap_rows right = {
        .type = type, .known = type, .diags = diags, .gains = gains, .room = PLOY_GOAP_ROW_MAX};
    if (row->needs != NULL) result = goap_rows_read(&left, row->needs, row->action, env);
    if (result == PLOY_OK && row->gains != NULL) {
        result = goap_rows_read(&right, row->gains, row->action, env);
    }
    if (result != PLOY_OK) return result;
    ploy_goap_action action = ploy_goap_action_make(row->action, row->cost);
    action.needs = needs;
    action.need_count = left.count;
    action.gains = gains;
    action.gain_count = right.count;
    (void)ploy_goap_type_action(type, &action); // finish reports faults
    return PLOY_OK;
}

ploy_result ploy_goap_type_from(const ploy_goap_range *ranges, int32_t range_count,
                                const ploy_goap_row *rows, int32_t row_count, const ploy_env *env,
                                ploy_diags *diags, ploy_goap_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || range_count < 0 || row_count < 0 || (range_count > 0 && ranges == NULL) ||
        (row_count > 0 && rows == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_goap_type *type = NULL;
    ploy_result result = ploy_goap_type_create(env, &type);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < range_count; i++) {
        (void)ploy_goap_type_int(type, ranges[i].name, ranges[i].min, ranges[i].max);
    }
    for (int32_t i = 0; i < row_count && result == PLOY_OK; i++) {
        result = goap_rows_row(type, &rows[i], env, diags);
    }
    // A variable that could not be added is reported by the domain.
    ploy_result finished = ploy_goap_type_finish(type);
    if (finished == PLOY_ERR_MEMORY || result == PLOY_OK) result = finished;
    if (result != PLOY_OK) {
        ploy_goap_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

ploy_result ploy_goap_needs_text(const ploy_goap_type *type, const char *text, const ploy_env *env,
                                 ploy_diags *diags, ploy_goap_need *out, int32_t room,
                                 int32_t *count) {
    if (type == NULL || text == NULL || env == NULL || out == NULL || count == NULL || room < 1) {
        return PLOY_ERR_ARGUMENT;
    }
    goap_rows table = {.known = type, .diags = diags, .needs = out, .room = room};
    ploy_result result = goap_rows_read(&table, text, "goal", env);
    if (result == PLOY_OK) *count = table.count;
    return result;
}
