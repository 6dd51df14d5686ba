// Expressions: the types of their names, and running them; see the header.
#include <math.h>
#include <string.h>

#include "decide/condition_internal.h"

#include "decide/decide_internal.h"
#include "decide/expression_internal.h"
#include "ploy/base/number.h"

void ploy_expression_destroy(ploy_expression *expression) {
    if (expression == NULL) return;
    ploy_env env = expression->env;
    ploy_array_fini(&expression->nodes);
    ploy_array_fini(&expression->names);
    ploy_array_fini(&expression->texts);
    ploy_array_fini(&expression->calls);
    ploy_env_free(&env, expression, sizeof *expression);
}

ploy_result ployi_expression_copy(const ploy_expression *from, const ploy_env *env,
                                  ploy_expression **out) {
    *out = NULL;
    ploy_expression *copy = ploy_env_alloc(env, sizeof *copy);
    if (copy == NULL) return PLOY_ERR_MEMORY;
    *copy = *from;
    copy->env = *env;
    ploy_array *to[] = {&copy->nodes, &copy->names, &copy->texts, &copy->calls};
    const ploy_array *all[] = {&from->nodes, &from->names, &from->texts, &from->calls};
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++) {
        ploy_array_init(to[i], all[i]->item_size, env);
    }
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++) {
        if (all[i]->count == 0) continue;
        ploy_result result = ploy_array_push_many(to[i], all[i]->items, all[i]->count);
        if (result == PLOY_OK) continue;
        ploy_expression_destroy(copy);
        return result;
    }
    *out = copy;
    return PLOY_OK;
}

static const char *expression_chars(const ploy_expression *expression, uint32_t text) {
    return PLOY_ARRAY_ITEMS(&expression->texts, char) + text;
}

static const ployi_expression_node *expression_get(const ploy_expression *expression,
                                                   int32_t node) {
    return &PLOY_ARRAY_ITEMS(&expression->nodes, ployi_expression_node)[node];
}

static bool expression_uses_name(const ployi_expression_node *at) {
    return at->op == PLOYI_EXPRESSION_NAME || at->op == PLOYI_EXPRESSION_MAKE ||
           at->op == PLOYI_EXPRESSION_SET;
}

static ployi_expression_name *expression_names(const ploy_expression *expression) {
    return PLOY_ARRAY_ITEMS(&expression->names, ployi_expression_name);
}

const char *ploy_expression_text(const ploy_expression *expression) {
    return expression != NULL ? expression_chars(expression, 0) : "";
}

int32_t ploy_expression_name_count(const ploy_expression *expression) {
    return expression != NULL ? expression->names.count : 0;
}

// ---- types ----

// What a node is, as far as the types of names are known.
static ploy_value_type expression_kind(const ploy_expression *expression, int32_t node,
                                       const ploy_value_type *types) {
    const ployi_expression_node *at = expression_get(expression, node);
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_TEXT:
    case PLOYI_EXPRESSION_JOIN: return PLOY_VALUE_TEXT;
    case PLOYI_EXPRESSION_NAME: {
        ploy_value_type type = types[at->name];
        bool text = type == PLOY_VALUE_TEXT || type == PLOY_VALUE_NAME;
        return type == PLOY_VALUE_NONE ? type : text ? PLOY_VALUE_TEXT : PLOY_VALUE_F64;
    }
    case PLOYI_EXPRESSION_MAKE:
    case PLOYI_EXPRESSION_SET:
    case PLOYI_EXPRESSION_ADD: return expression_kind(expression, at->a, types);
    case PLOYI_EXPRESSION_CHOOSE: {
        ploy_value_type first = expression_kind(expression, at->b, types);
        return first != PLOY_VALUE_NONE ? first : expression_kind(expression, at->c, types);
    }
    default: return PLOY_VALUE_F64;
    }
}

bool ploy_expression_infer(const ploy_expression *expression, ploy_value_type types[]) {
    bool found = false;
    for (int32_t i = 0; i < expression->nodes.count; i++) {
        const ployi_expression_node *at = expression_get(expression, i);
        if (at->op != PLOYI_EXPRESSION_MAKE || types[at->name] != PLOY_VALUE_NONE) continue;
        types[at->name] = expression_kind(expression, at->a, types);
        found = found || types[at->name] != PLOY_VALUE_NONE;
    }
    return found;
}

// Whether a name is compared with a quoted text somewhere.
static bool expression_meets_text(const ploy_expression *expression, int32_t name) {
    for (int32_t i = 0; i < expression->nodes.count; i++) {
        const ployi_expression_node *at = expression_get(expression, i);
        if (at->op != PLOYI_EXPRESSION_EQUAL && at->op != PLOYI_EXPRESSION_DIFFERENT) continue;
        const ployi_expression_node *a = expression_get(expression, at->a);
        const ployi_expression_node *b = expression_get(expression, at->b);
        if (a->op == PLOYI_EXPRESSION_TEXT) {
            const ployi_expression_node *other = a;
            a = b;
            b = other;
        }
        if (a->op == PLOYI_EXPRESSION_NAME && a->name == name && b->op == PLOYI_EXPRESSION_TEXT) {
            return true;
        }
    }
    return false;
}

bool ploy_expression_name(const ploy_expression *expression, int32_t index,
                          ploy_expression_use *out) {
    if (expression == NULL || out == NULL || index < 0 || index >= expression->names.count) {
        return false;
    }
    const ployi_expression_name *name = &expression_names(expression)[index];
    ploy_value_type types[PLOY_EXPRESSION_NAMES_MAX] = {PLOY_VALUE_NONE};
    ploy_expression_infer(expression, types);
    out->name = expression_chars(expression, name->text);
    out->makes = name->makes;
    out->writes = name->writes;
    out->reads = name->reads;
    out->quoted = expression_meets_text(expression, index);
    out->type = types[index];
    return true;
}

bool ploy_expression_call_at(const ploy_expression *expression, int32_t index,
                             ploy_expression_call *out) {
    if (expression == NULL || out == NULL || index < 0 || index >= expression->calls.count) {
        return false;
    }
    const ployi_expression_call *call =
        &PLOY_ARRAY_ITEMS(&expression->calls, ployi_expression_call)[index];
    const ployi_expression_node *at = expression_get(expression, call->node);
    const ployi_expression_node *arg = call->count > 0 ? expression_get(expression, at->a) : NULL;
    out->name = expression_chars(expression, call->text);
    out->count = call->count;
    out->text = NULL;
    if (arg != NULL && arg->op == PLOYI_EXPRESSION_TEXT) {
        out->text = expression_chars(expression, arg->text);
    } else if (arg != NULL && arg->op == PLOYI_EXPRESSION_NAME) {
        out->text = expression_chars(expression, expression_names(expression)[arg->name].text);
    }
    ployi_expression_place(expression, call->at, &out->line, &out->column);
    return true;
}

// Names that no node uses any more go; the rest moves up.
static void expression_drop_names(ploy_expression *expression) {
    uint8_t place[PLOY_EXPRESSION_NAMES_MAX] = {0};
    bool used[PLOY_EXPRESSION_NAMES_MAX] = {false};
    ployi_expression_node *nodes = PLOY_ARRAY_ITEMS(&expression->nodes, ployi_expression_node);
    for (int32_t i = 0; i < expression->nodes.count; i++) {
        if (expression_uses_name(&nodes[i])) used[nodes[i].name] = true;
    }
    ployi_expression_name *names = expression_names(expression);
    int32_t count = 0;
    for (int32_t i = 0; i < expression->names.count; i++) {
        place[i] = (uint8_t)count;
        if (used[i]) names[count++] = names[i];
    }
    expression->names.count = count;
    for (int32_t i = 0; i < expression->nodes.count; i++) {
        if (expression_uses_name(&nodes[i])) nodes[i].name = place[nodes[i].name];
    }
}

// Resolves one call. A quoted word's argument becomes a text, also if it is a plain name.
static ploy_result expression_resolve_call(ploy_expression *expression, int32_t index,
                                           ploy_diags *diags) {
    ployi_expression_call *call =
        &PLOY_ARRAY_ITEMS(&expression->calls, ployi_expression_call)[index];
    ploy_expression_call view;
    (void)ploy_expression_call_at(expression, index, &view);
    const char *name = expression_chars(expression, call->text);
    call->word = ployi_conditions_word(expression->set, name);
    if (call->word == 0) {
        const char *near = ployi_conditions_nearest(expression->set, name);
        const char *source = PLOY_ARRAY_ITEMS(&expression->texts, char) + expression->source;
        char message[PLOY_DIAG_TEXT_MAX];
        ployi_build_join("unknown function", name, message);
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, source, view.line,
                       view.column, message, NULL, near);
        return PLOY_ERR_NOT_FOUND;
    }
    int32_t arity = ployi_conditions_arity(expression->set, call->word);
    if (arity != PLOYI_CONDITION_QUOTED && arity == call->count) return PLOY_OK;
    if (arity == PLOYI_CONDITION_QUOTED && call->count == 1 && view.text != NULL) {
        ploy_condition made = ployi_conditions_quoted(expression->set, call->word, view.text);
        call->condition = made.number;
        ployi_expression_node *nodes = PLOY_ARRAY_ITEMS(&expression->nodes, ployi_expression_node);
        ployi_expression_node *arg = &nodes[nodes[call->node].a];
        if (arg->op == PLOYI_EXPRESSION_NAME) {
            arg->op = PLOYI_EXPRESSION_TEXT;
            arg->text = expression_names(expression)[arg->name].text;
        }
        if (made.number != 0) return PLOY_OK;
        ploy_result result = ploy_conditions_result(expression->set);
        if (result != PLOY_OK) return result;
        return ployi_expression_fault(expression, diags, PLOY_ERR_ARGUMENT, call->at,
                                      "invalid text for the function", NULL);
    }
    return ployi_expression_fault(expression, diags, PLOY_ERR_ARGUMENT, call->at,
                                  arity == PLOYI_CONDITION_QUOTED ? "expected one text in quotes"
                                                                  : "wrong number of arguments",
                                  NULL);
}

ploy_result ploy_expression_resolve(ploy_expression *expression, ploy_conditions *set,
                                    ploy_diags *diags) {
    if (expression == NULL || set == NULL) return PLOY_ERR_ARGUMENT;
    if (expression->bound || expression->set != NULL) return PLOY_ERR_STATE;
    expression->set = set;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < expression->calls.count; i++) {
        ploy_result fault = expression_resolve_call(expression, i, diags);
        if (result == PLOY_OK) result = fault;
    }
    // Names that are words without arguments become calls.
    for (int32_t i = 0; i < expression->nodes.count && result == PLOY_OK; i++) {
        ployi_expression_node *at = &PLOY_ARRAY_ITEMS(&expression->nodes, ployi_expression_node)[i];
        if (at->op != PLOYI_EXPRESSION_NAME) continue;
        ployi_expression_call call;
        memset(&call, 0, sizeof call);
        call.text = expression_names(expression)[at->name].text;
        call.at = at->at;
        call.node = i;
        call.word = ployi_conditions_word(set, expression_chars(expression, call.text));
        if (call.word == 0 || ployi_conditions_arity(set, call.word) != 0) continue;
        if (expression->calls.count > UINT8_MAX) return PLOY_ERR_LIMIT;
        result = ploy_array_push(&expression->calls, &call);
        at->op = PLOYI_EXPRESSION_CALL;
        at->name = (uint8_t)(expression->calls.count - 1);
    }
    if (result == PLOY_OK) expression_drop_names(expression);
    return result;
}

// Reports and returns a fault of types.
static ploy_result expression_wrong(const ploy_expression *expression,
                                    const ployi_expression_node *at, ploy_diags *diags,
                                    const char *message, const char *expected) {
    return ployi_expression_fault(expression, diags, PLOY_ERR_ARGUMENT, at->at, message, expected);
}

static bool expression_is_name(const ploy_expression *expression, int32_t node,
                               const ploy_value_type *types) {
    const ployi_expression_node *at = expression_get(expression, node);
    return at->op == PLOYI_EXPRESSION_NAME && types[at->name] == PLOY_VALUE_NAME;
}

// A ploy_name has lost its letters: it is only compared with another or with what was quoted.
static bool expression_fits_name(const ploy_expression *expression, int32_t node,
                                 const ploy_value_type *types) {
    return expression_is_name(expression, node, types) ||
           expression_get(expression, node)->op == PLOYI_EXPRESSION_TEXT;
}

static const ployi_expression_call *expression_call(const ploy_expression *expression,
                                                    const ployi_expression_node *at) {
    return &PLOY_ARRAY_ITEMS(&expression->calls, ployi_expression_call)[at->name];
}

// A word takes numbers, or one quoted text that was resolved already.
static ploy_result expression_check_call(const ploy_expression *expression,
                                         const ployi_expression_node *at,
                                         const ploy_value_type *types, ploy_diags *diags) {
    const ployi_expression_call *call = expression_call(expression, at);
    if (expression->set == NULL) {
        return ployi_expression_fault(expression, diags, PLOY_ERR_NOT_FOUND, at->at,
                                      "unknown function", NULL);
    }
    const int32_t below[PLOY_CONDITION_ARGS_MAX] = {at->a, at->b, at->c, at->d};
    for (int32_t i = 0; i < call->count && call->condition == 0; i++) {
        if (expression_kind(expression, below[i], types) != PLOY_VALUE_TEXT) continue;
        return expression_wrong(expression, at, diags, "an argument is a text", "a number");
    }
    return PLOY_OK;
}

// Checks one node, whose operands are checked already.
static ploy_result expression_check(const ploy_expression *expression, int32_t node,
                                    const ploy_value_type *types, ploy_diags *diags) {
    const ployi_expression_node *at = expression_get(expression, node);
    bool text[3] = {false, false, false}, named = false;
    const int32_t below[3] = {at->a, at->b, at->c};
    if (at->op == PLOYI_EXPRESSION_CALL) return expression_check_call(expression, at, types, diags);
    for (int32_t i = 0; i < 3 && below[i] >= 0; i++) {
        text[i] = expression_kind(expression, below[i], types) == PLOY_VALUE_TEXT;
        named = named || expression_is_name(expression, below[i], types);
    }
    switch ((ployi_expression_op)at->op) {
    case PLOYI_EXPRESSION_NUMBER:
    case PLOYI_EXPRESSION_TEXT:
    case PLOYI_EXPRESSION_NAME:
    case PLOYI_EXPRESSION_CALL: return PLOY_OK;
    case PLOYI_EXPRESSION_MAKE:
    case PLOYI_EXPRESSION_SET: {
        ploy_value_type type = types[at->name];
        bool wants = type == PLOY_VALUE_TEXT || type == PLOY_VALUE_NAME;
        if (wants != text[0]) {
            return expression_wrong(expression, at, diags, "a name keeps its type",
                                    wants ? "a text" : "a number");
        }
        bool both = type == PLOY_VALUE_NAME;
        if (both != named && (named || !expression_fits_name(expression, at->a, types))) {
            return expression_wrong(expression, at, diags,
                                    "a name is assigned from a name or a quoted text", NULL);
        }
        return PLOY_OK;
    }
    case PLOYI_EXPRESSION_EQUAL:
    case PLOYI_EXPRESSION_DIFFERENT:
        if (named && (at->chained || !expression_fits_name(expression, at->a, types) ||
                      !expression_fits_name(expression, at->b, types))) {
            return expression_wrong(expression, at, diags,
                                    "a name is compared with a name or a quoted text", NULL);
        }
        return PLOY_OK;
    case PLOYI_EXPRESSION_CHOOSE:
        if (text[0]) return expression_wrong(expression, at, diags, "a choice needs a truth", NULL);
        if (text[1] != text[2]) {
            return expression_wrong(expression, at, diags, "both sides of a choice are of one type",
                                    NULL);
        }
        break;
    case PLOYI_EXPRESSION_LESS:
    case PLOYI_EXPRESSION_GREATER:
    case PLOYI_EXPRESSION_LESS_EQUAL:
    case PLOYI_EXPRESSION_GREATER_EQUAL:
    case PLOYI_EXPRESSION_JOIN: break;
    case PLOYI_EXPRESSION_ADD:
        if (text[0] != text[1]) {
            return expression_wrong(expression, at, diags, "a text and a number do not add up",
                                    "'..' joins them");
        }
        break;
    default:
        if (text[0] || text[1]) {
            return expression_wrong(expression, at, diags, "expected numbers", NULL);
        }
        break;
    }
    if (named) {
        return expression_wrong(expression, at, diags, "a name can only be compared for equality",
                                NULL);
    }
    return PLOY_OK;
}

ploy_result ploy_expression_bind(ploy_expression *expression, const ploy_value_type *types,
                                 ploy_diags *diags) {
    if (expression == NULL || (types == NULL && expression->names.count > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = PLOY_OK;
    bool known[PLOY_EXPRESSION_NAMES_MAX] = {false};
    for (int32_t i = 0; i < expression->names.count && expression->bound; i++) {
        if (expression_names(expression)[i].type != types[i]) return PLOY_ERR_STATE;
    }
    if (expression->bound) return PLOY_OK;
    for (int32_t i = 0; i < expression->nodes.count; i++) {
        const ployi_expression_node *at = expression_get(expression, i);
        if (!expression_uses_name(at) || known[at->name]) continue;
        known[at->name] = true;
        ploy_value_type type = types[at->name];
        if (type == PLOY_VALUE_NONE) {
            result = ployi_expression_fault(expression, diags, PLOY_ERR_NOT_FOUND, at->at,
                                            "unknown name", NULL);
        } else if (type >= PLOY_VALUE_VEC2 && type <= PLOY_VALUE_ID) {
            result = expression_wrong(expression, at, diags, "a vector or id in an expression",
                                      "a number, text or name");
        }
    }
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < expression->nodes.count; i++) { // operands first, see (1)
        ploy_result fault = expression_check(expression, i, types, diags);
        if (result == PLOY_OK) result = fault;
    }
    if (result != PLOY_OK) return result;
    ployi_expression_node *nodes = PLOY_ARRAY_ITEMS(&expression->nodes, ployi_expression_node);
    for (int32_t i = 0; i < expression->nodes.count; i++) {
        nodes[i].is_text = expression_kind(expression, i, types) == PLOY_VALUE_TEXT;
    }
    for (int32_t i = 0; i < expression->names.count; i++) {
        expression_names(expression)[i].type = types[i];
    }
    expression->bound = true;
    return PLOY_OK;
}

ploy_result ploy_expression_bind_layout(ploy_expression *expression,
                                        const ploy_blackboard_layout *layout, ploy_diags *diags) {
    ploy_value_type types[PLOY_EXPRESSION_NAMES_MAX] = {PLOY_VALUE_NONE};
    if (expression == NULL || layout == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < expression->names.count; i++) {
        const char *name = expression_chars(expression, expression_names(expression)[i].text);
        types[i] = ploy_blackboard_layout_type(layout, ploy_blackboard_layout_find(layout, name));
    }
    return ploy_expression_bind(expression, types, diags);
}

ploy_value_type ploy_expression_type(const ploy_expression *expression) {
    if (expression == NULL || !expression->bound) return PLOY_VALUE_NONE;
    bool text = expression_get(expression, expression->last)->is_text;
    return text ? PLOY_VALUE_TEXT : PLOY_VALUE_F64;
}

// ---- running ----

// A value on the way. A text is borrowed from the expression or a board, or stands in `room`.
typedef struct expression_value {
    double number;
    const char *text; // NULL for a number
    bool hashed;      // a ploy_name: its hash
    uint64_t hash;
    char room[PLOY_BLACKBOARD_TEXT_MAX + 1];
} expression_value;

typedef struct expression_run {
    const ploy_expression *expression;
    const ploy_blackboard_ref *refs;
    const ploy_moment *moment;
} expression_run;

static void expression_set_number(expression_value *value, double number) {
    value->number = number;
    value->text = NULL;
    value->hashed = false;
}

static ploy_result expression_read_ref(const ploy_blackboard_ref *ref, expression_value *out) {
    ploy_value value = ploy_value_none();
    ploy_result result = ref->board != NULL ? ploy_blackboard_get(ref->board, ref->slot, &value)
                                            : PLOY_ERR_NOT_FOUND;
    if (result != PLOY_OK) return result;
    expression_set_number(out, 0.0);
    if (value.type == PLOY_VALUE_TEXT) {
        // Copied: a later assignment in the same expression may write there.
        memcpy(out->room, value.as.text, strlen(value.as.text) + 1);
        out->text = out->room;
    } else if (value.type == PLOY_VALUE_NAME) {
        out->text = "";
        out->hashed = true;
        out->hash = value.as.name.hash;
    } else if (!ploy_value_number(&value, &out->number)) {
        return PLOY_ERR_ARGUMENT;
    }
    return PLOY_OK;
}

static ploy_result expression_write_ref(const ploy_blackboard_ref *ref, ploy_value_type type,
                                        const expression_value *value) {
    if (ref->board == NULL) return PLOY_ERR_NOT_FOUND;
    if (type == PLOY_VALUE_TEXT)
        return ploy_blackboard_set_text(ref->board, ref->slot, value->text);
    if (type == PLOY_VALUE_NAME) {
        ploy_name name = value->hashed ? (ploy_name){value->hash} : ploy_name_of(value->text);
        return ploy_blackboard_set_name(ref->board, ref->slot, name);
    }
    if (type == PLOY_VALUE_F32) { // the nearest float will do
        return ploy_blackboard_set_f32(ref->board, ref->slot, (float)value->number);
    }
    ploy_value number = ploy_value_f64(value->number);
    return ploy_blackboard_set(ref->board, ref->slot, &number);
}

static ploy_result expression_whole(double number, int64_t *out) {
    if (!(fabs(number) <= 9007199254740992.0) || number != floor(number)) return PLOY_ERR_ARGUMENT;
    *out = (int64_t)number;
    return PLOY_OK;
}

// Joins two values behind each other; numbers as their shortest text.
static ploy_result expression_join(const expression_value *a, const expression_value *b,
                                   expression_value *out) {
    char joined[2 * (PLOY_BLACKBOARD_TEXT_MAX + 1)];
    size_t size = 0;
    const expression_value *parts[2] = {a, b};
    for (int32_t i = 0; i < 2; i++) {
        if (parts[i]->text == NULL) {
            size += ploy_print_f64(parts[i]->number, joined + size);
        } else {
            size_t more = strlen(parts[i]->text);
            memcpy(joined + size, parts[i]->text, more);
            size += more;
        }
    }
    if (size > PLOY_BLACKBOARD_TEXT_MAX) return PLOY_ERR_LIMIT;
    expression_set_number(out, 0.0);
    memcpy(out->room, joined, size);
    out->room[size] = 0;
    out->text = out->room;
    return PLOY_OK;
}

static bool expression_compare(ployi_expression_op op, const expression_value *a,
                               const expression_value *b) {
    double left = a->number, right = b->number;
    if (a->hashed || b->hashed) {
        uint64_t first = a->hashed ? a->hash : ploy_name_of(a->text).hash;
        uint64_t second = b->hashed ? b->hash : ploy_name_of(b->text).hash;
        return (first == second) == (op == PLOYI_EXPRESSION_EQUAL);
    }
    if (a->text != NULL && b->text != NULL) {
        left = (double)strcmp(a->text, b->text);
        right = 0.0;
    } else if (a->text != NULL || b->text != NULL) { // a text that reads as a number is one
        const char *text = a->text != NULL ? a->text : b->text;
        double read = 0.0;
        if (ploy_parse_f64(text, strlen(text), NULL, &read) != PLOY_OK) {
            return op == PLOYI_EXPRESSION_DIFFERENT;
        }
        if (a->text != NULL) {
            left = read;
        } else {
            right = read;
        }
    }
    switch (op) {
    case PLOYI_EXPRESSION_EQUAL: return left == right;
    case PLOYI_EXPRESSION_DIFFERENT: return left != right;
    case PLOYI_EXPRESSION_LESS_EQUAL: return left <= right;
    case PLOYI_EXPRESSION_GREATER_EQUAL: return left >= right;
    case PLOYI_EXPRESSION_LESS: return left < right;
    default: return left > right;
    }
}

static ploy_result expression_eval(const expression_run *run, int32_t node, expression_value *out);

// A comparison, and for one that follows it in a chain its right side.
static ploy_result expression_chain(const expression_run *run, int32_t node, bool *holds,
                                    expression_value *right) {
    const ployi_expression_node *at = expression_get(run->expression, node);
    expression_value left;
    *holds = true;
    ploy_result result = at->chained ? expression_chain(run, at->a, holds, &left)
                                     : expression_eval(run, at->a, &left);
    if (result != PLOY_OK || !*holds) return result;
    result = expression_eval(run, at->b, right);
    if (result == PLOY_OK) *holds = expression_compare((ployi_expression_op)at->op, &left, right);
    return result;
}

static ploy_result expression_arithmetic(ployi_expression_op op, const expression_value *a,
                                         const expression_value *b, expression_value *out) {
    int64_t left = 0, right = 0;
    bool bits = op == PLOYI_EXPRESSION_BIT_OR || op == PLOYI_EXPRESSION_BIT_XOR ||
                op == PLOYI_EXPRESSION_BIT_AND;
    if (op == PLOYI_EXPRESSION_JOIN || (op == PLOYI_EXPRESSION_ADD && a->text != NULL)) {
        return expression_join(a, b, out);
    }
    if (bits && (expression_whole(a->number, &left) != PLOY_OK ||
                 expression_whole(b->number, &right) != PLOY_OK)) {
        return PLOY_ERR_ARGUMENT;
    }
    double number = 0.0;
    switch (op) {
    case PLOYI_EXPRESSION_BIT_OR: number = (double)(left | right); break;
    case PLOYI_EXPRESSION_BIT_XOR: number = (double)(left ^ right); break;
    case PLOYI_EXPRESSION_BIT_AND: number = (double)(left & right); break;
    case PLOYI_EXPRESSION_ADD: number = a->number + b->number; break;
    case PLOYI_EXPRESSION_SUBTRACT: number = a->number - b->number; break;
    case PLOYI_EXPRESSION_MULTIPLY: number = a->number * b->number; break;
    default: number = a->number / b->number; break;
    }
    expression_set_number(out, number);
    return PLOY_OK;
}

static ploy_result expression_eval_call(const expression_run *run, const ployi_expression_node *at,
                                        expression_value *out) {
    const ployi_expression_call *call = expression_call(run->expression, at);
    const int32_t below[PLOY_CONDITION_ARGS_MAX] = {at->a, at->b, at->c, at->d};
    float args[PLOY_CONDITION_ARGS_MAX];
    if (run->moment == NULL) return PLOY_ERR_STATE;
    for (int32_t i = 0; i < call->count && call->condition == 0; i++) {
        ploy_result result = expression_eval(run, below[i], out);
        if (result != PLOY_OK) return result;
        args[i] = (float)out->number;
    }
    double number = call->condition != 0
                        ? (ploy_condition_test(run->expression->set,
                                               (ploy_condition){call->condition}, run->moment)
                               ? 1.0
                               : 0.0)
                        : ployi_conditions_call(run->expression->set, call->word, run->moment,
                                                call->count > 0 ? args : NULL);
    expression_set_number(out, number);
    return PLOY_OK;
}

// As deep as the expression, see (2).
static ploy_result expression_eval(const expression_run *run, int32_t node, expression_value *out) {
    const ploy_expression *expression = run->expression;
    const ployi_expression_node *at = expression_get(expression, node);
    ployi_expression_op op = (ployi_expression_op)at->op;
    ploy_result result;
    int64_t bits = 0;
    switch (op) {
    case PLOYI_EXPRESSION_NUMBER: expression_set_number(out, at->number); return PLOY_OK;
    case PLOYI_EXPRESSION_TEXT:
        expression_set_number(out, 0.0);
        out->text = expression_chars(expression, at->text);
        return PLOY_OK;
    case PLOYI_EXPRESSION_NAME: return expression_read_ref(&run->refs[at->name], out);
    case PLOYI_EXPRESSION_CALL: return expression_eval_call(run, at, out);
    case PLOYI_EXPRESSION_MAKE:
    case PLOYI_EXPRESSION_SET:
        result = expression_eval(run, at->a, out);
        if (result != PLOY_OK) return result;
        return expression_write_ref(&run->refs[at->name],
                                    expression_names(expression)[at->name].type, out);
    case PLOYI_EXPRESSION_CHOOSE:
        result = expression_eval(run, at->a, out);
        if (result != PLOY_OK) return result;
        return expression_eval(run, out->number != 0.0 ? at->b : at->c, out);
    case PLOYI_EXPRESSION_OR:
    case PLOYI_EXPRESSION_AND:
        result = expression_eval(run, at->a, out);
        if (result != PLOY_OK) return result;
        if ((out->number != 0.0) != (op == PLOYI_EXPRESSION_OR)) {
            result = expression_eval(run, at->b, out);
        }
        expression_set_number(out, out->number != 0.0 ? 1.0 : 0.0);
        return result;
    case PLOYI_EXPRESSION_EQUAL:
    case PLOYI_EXPRESSION_DIFFERENT:
    case PLOYI_EXPRESSION_LESS_EQUAL:
    case PLOYI_EXPRESSION_GREATER_EQUAL:
    case PLOYI_EXPRESSION_LESS:
    case PLOYI_EXPRESSION_GREATER: {
        bool holds = false;
        result = expression_chain(run, node, &holds, out);
        expression_set_number(out, holds ? 1.0 : 0.0);
        return result;
    }
    case PLOYI_EXPRESSION_NOT:
        result = expression_eval(run, at->a, out);
        expression_set_number(out, out->number == 0.0 ? 1.0 : 0.0);
        return result;
    case PLOYI_EXPRESSION_INVERT:
        result = expression_eval(run, at->a, out);
        if (result == PLOY_OK) result = expression_whole(out->number, &bits);
        expression_set_number(out, (double)~bits);
        return result;
    case PLOYI_EXPRESSION_NEGATE:
        result = expression_eval(run, at->a, out);
        expression_set_number(out, -out->number);
        return result;
    default: break;
    }
    expression_value left;
    result = expression_eval(run, at->a, &left);
    if (result == PLOY_OK) result = expression_eval(run, at->b, out);
    if (result != PLOY_OK) return result;
    expression_value right = *out;
    if (right.text == out->room) right.text = right.room;
    return expression_arithmetic(op, &left, &right, out);
}

ploy_result ployi_expression_number(const ploy_expression *expression, int32_t node,
                                    const ploy_blackboard_ref *refs, const ploy_moment *moment,
                                    double *out) {
    expression_run run = {expression, refs, moment};
    expression_value value;
    ploy_result result = expression_eval(&run, node, &value);
    if (result == PLOY_OK && value.text != NULL) result = PLOY_ERR_ARGUMENT;
    if (result == PLOY_OK) *out = value.number;
    return result;
}

ploy_result ploy_expression_run(const ploy_expression *expression, const ploy_blackboard_ref *refs,
                                const ploy_moment *moment, ploy_expression_value *out) {
    if (expression == NULL || (refs == NULL && expression->names.count > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (!expression->bound) return PLOY_ERR_STATE;
    expression_run run = {expression, refs, moment};
    expression_value value;
    memset(&value, 0, sizeof value);
    for (int32_t at = expression->first; at >= 0; at = expression_get(expression, at)->next) {
        ploy_result result = expression_eval(&run, at, &value);
        if (result != PLOY_OK) return result;
    }
    if (out == NULL) return PLOY_OK;
    out->number = value.text == NULL ? value.number : 0.0;
    out->is_text = value.text != NULL;
    out->text[0] = 0;
    if (value.hashed) {
        ploy_value name = ploy_value_name((ploy_name){value.hash});
        ploy_value_print(&name, out->text, sizeof out->text);
    } else if (value.text != NULL) {
        memcpy(out->text, value.text, strlen(value.text) + 1);
    }
    return PLOY_OK;
}

ploy_result ploy_expression_run_on(const ploy_expression *expression, ploy_blackboard *board,
                                   ploy_expression_value *out) {
    ploy_blackboard_ref refs[PLOY_EXPRESSION_NAMES_MAX];
    if (expression == NULL || board == NULL) return PLOY_ERR_ARGUMENT;
    const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(board);
    for (int32_t i = 0; i < expression->names.count; i++) {
        const char *name = expression_chars(expression, expression_names(expression)[i].text);
        refs[i].board = board;
        refs[i].slot = ploy_blackboard_layout_find(layout, name);
    }
    return ploy_expression_run(expression, refs, NULL, out);
}

bool ployi_expression_holds(const ploy_expression *expression, const ploy_blackboard_ref *refs,
                            const ploy_moment *moment) {
    ploy_expression_value value;
    return ploy_expression_run(expression, refs, moment, &value) == PLOY_OK && !value.is_text &&
           value.number != 0.0;
}
