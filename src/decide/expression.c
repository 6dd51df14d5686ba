// Expressions: the types of their names, and their code; see the header.
#include <math.h>
#include <string.h>

#include "decide/condition_internal.h"

#include "decide/decide_internal.h"
#include "decide/program_internal.h"

// Registers that an expression may need: a text for each level of its depth, and some.
enum { EXPRESSION_SLOTS_MAX = PLOYI_TEXT_SLOTS * (PLOY_EXPRESSION_DEPTH_MAX * 2 + 8) };

static void expression_drop_code(ploy_expression *expression) {
    if (expression->code == NULL) return;
    ployi_code_fini(expression->code);
    ploy_env_free(&expression->env, expression->code, sizeof *expression->code);
    expression->code = NULL;
}

void ploy_expression_destroy(ploy_expression *expression) {
    if (expression == NULL) return;
    ploy_env env = expression->env;
    expression_drop_code(expression);
    ploy_array_fini(&expression->nodes);
    ploy_array_fini(&expression->names);
    ploy_array_fini(&expression->texts);
    ploy_array_fini(&expression->calls);
    ploy_env_free(&env, expression, sizeof *expression);
}

void ployi_expression_memory(const ploy_expression *expression, ploy_memory_fn fn, void *user) {
    const ploy_array *arrays[] = {&expression->nodes, &expression->names, &expression->texts,
                                  &expression->calls};
    ploy_memory_item item = {"expression", sizeof *expression, 1};
    fn(user, &item);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
    if (expression->code == NULL) return;
    ploy_array *code[10];
    int32_t count = ployi_code_arrays(expression->code, code);
    item = (ploy_memory_item){"expression code", sizeof *expression->code, 1};
    fn(user, &item);
    for (int32_t i = 0; i < count; i++) ploy_array_memory(code[i], fn, user);
}

ploy_result ployi_expression_copy(const ploy_expression *from, const ploy_env *env,
                                  ploy_expression **out) {
    *out = NULL;
    ploy_expression *copy = ploy_env_alloc(env, sizeof *copy);
    if (copy == NULL) return PLOY_ERR_MEMORY;
    *copy = *from;
    copy->env = *env;
    copy->code = NULL;
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
    if (from->code != NULL) {
        copy->code = ploy_env_alloc(env, sizeof *copy->code);
        ploy_result result =
            copy->code != NULL ? ployi_code_copy(copy->code, from->code, env) : PLOY_ERR_MEMORY;
        if (result != PLOY_OK) {
            if (copy->code != NULL) ploy_env_free(env, copy->code, sizeof *copy->code);
            copy->code = NULL;
            ploy_expression_destroy(copy);
            return result;
        }
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
        at->name = (uint16_t)(expression->calls.count - 1);
    }
    if (result == PLOY_OK) expression_drop_names(expression);
    return result;
}

// ---- code

static uint16_t expression_type_of(ploy_value_type type) {
    return type == PLOY_VALUE_TEXT   ? PLOYI_PROGRAM_TYPE_TEXT
           : type == PLOY_VALUE_NAME ? PLOYI_PROGRAM_TYPE_NAME
                                     : PLOYI_PROGRAM_TYPE_NUMBER;
}

// A word takes numbers, or one quoted text that was resolved already.
static void expression_check_call(ployi_program_checker *checker, ployi_expression_node *at) {
    const ploy_expression *expression = checker->tree;
    const ployi_expression_call *call =
        &PLOY_ARRAY_ITEMS(&expression->calls, ployi_expression_call)[at->name];
    const int32_t below[PLOY_CONDITION_ARGS_MAX] = {at->a, at->b, at->c, at->d};
    at->type = PLOYI_PROGRAM_TYPE_NUMBER;
    if (expression->set == NULL) {
        ployi_check_fault(checker, at->at, PLOY_ERR_NOT_FOUND, "unknown function", NULL, NULL);
        return;
    }
    for (int32_t i = 0; i < call->count && call->condition == 0; i++) {
        if (expression_get(expression, below[i])->type == PLOYI_PROGRAM_TYPE_NUMBER) continue;
        ployi_check_fault(checker, at->at, PLOY_ERR_ARGUMENT, "an argument is a text", "a number",
                          NULL);
        return;
    }
}

// Checks every node, operands first, and sets its type.
static ploy_result expression_check(ploy_expression *expression, const ploy_value_type *types,
                                    ploy_diags *diags) {
    ployi_program_checker checker;
    memset(&checker, 0, sizeof checker);
    checker.tree = expression;
    checker.diags = diags;
    checker.reports = true;
    for (int32_t i = 0; i < expression->nodes.count; i++) {
        ployi_expression_node *at = &PLOY_ARRAY_ITEMS(&expression->nodes, ployi_expression_node)[i];
        switch ((ployi_expression_op)at->op) {
        case PLOYI_EXPRESSION_NUMBER: at->type = PLOYI_PROGRAM_TYPE_NUMBER; break;
        case PLOYI_EXPRESSION_TEXT: at->type = PLOYI_PROGRAM_TYPE_TEXT; break;
        case PLOYI_EXPRESSION_NAME: at->type = expression_type_of(types[at->name]); break;
        case PLOYI_EXPRESSION_CALL: expression_check_call(&checker, at); break;
        case PLOYI_EXPRESSION_MAKE:
        case PLOYI_EXPRESSION_SET:
            ployi_check_operator(&checker, i, expression_type_of(types[at->name]));
            break;
        default: ployi_check_operator(&checker, i, PLOYI_PROGRAM_TYPE_NONE); break;
        }
    }
    return checker.result;
}

// Compiles a node, or all statements, behind the code so far. @return its first instruction.
static ploy_result expression_compile(ploy_expression *expression, int32_t node, int32_t *entry) {
    ployi_compiler compiler;
    memset(&compiler, 0, sizeof compiler);
    compiler.tree = expression;
    compiler.code = expression->code;
    compiler.optimize = true;
    *entry = compiler.start = expression->code->instructions.count;
    int32_t register_of = 0;
    for (int32_t at = node >= 0 ? node : expression->first; at >= 0 && compiler.result == PLOY_OK;
         at = node >= 0 ? -1 : expression_get(expression, at)->next) {
        compiler.top = 0;
        register_of = ployi_compile_value(&compiler, at, -1);
    }
    const ployi_expression_node *last =
        expression_get(expression, node >= 0 ? node : expression->last);
    (void)ployi_emit(&compiler, PLOYI_OP_RETURN, ployi_kind_slots((uint8_t)last->type), register_of,
                     0, 0);
    // Jumps count from the entry; the machine counts from the code's first.
    ployi_instruction *all = PLOY_ARRAY_ITEMS(&expression->code->instructions, ployi_instruction);
    for (int32_t i = *entry; i < expression->code->instructions.count; i++) {
        if (ployi_op_rows[all[i].op].format[2] == 'j') all[i].c = (uint16_t)(all[i].c + *entry);
    }
    if (expression->code->instructions.count > PLOYI_SLOTS_MAX ||
        compiler.frame > EXPRESSION_SLOTS_MAX) {
        return PLOY_ERR_LIMIT;
    }
    if (compiler.frame > expression->code->frame) expression->code->frame = compiler.frame;
    return compiler.result;
}

ploy_result ployi_expression_entry(ploy_expression *expression, int32_t node) {
    ployi_expression_node *at = &PLOY_ARRAY_ITEMS(&expression->nodes, ployi_expression_node)[node];
    if (at->entry >= 0) return PLOY_OK;
    int32_t entry = 0;
    ploy_result result = expression_compile(expression, node, &entry);
    if (result == PLOY_OK) at->entry = entry;
    return result;
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
            result = ployi_expression_fault(expression, diags, PLOY_ERR_ARGUMENT, at->at,
                                            "unexpected vector or id in an expression",
                                            "a number, text or name");
        }
    }
    if (result != PLOY_OK) return result;
    result = expression_check(expression, types, diags);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < expression->names.count; i++) {
        expression_names(expression)[i].type = types[i];
    }
    ployi_code *code = ploy_env_alloc(&expression->env, sizeof *code);
    if (code == NULL) return PLOY_ERR_MEMORY;
    ployi_code_init(code, &expression->env);
    expression->code = code;
    int32_t entry = 0;
    result = expression_compile(expression, -1, &entry);
    if (result != PLOY_OK) {
        expression_drop_code(expression);
        return result;
    }
    if (expression->first == expression->last) {
        PLOY_ARRAY_ITEMS(&expression->nodes, ployi_expression_node)[expression->last].entry = entry;
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
    bool text = expression_get(expression, expression->last)->type != PLOYI_PROGRAM_TYPE_NUMBER;
    return text ? PLOY_VALUE_TEXT : PLOY_VALUE_F64;
}

// ---- running ----

static ploy_result expression_machine(const ploy_expression *expression, int32_t entry,
                                      const ploy_blackboard_ref *refs, const ploy_moment *moment,
                                      ployi_program_slot slots[1 + EXPRESSION_SLOTS_MAX]) {
    ployi_vm vm;
    memset(&vm, 0, sizeof vm);
    vm.code = expression->code;
    vm.stack = slots;
    vm.stack_count = 1 + EXPRESSION_SLOTS_MAX;
    vm.base = 1;
    vm.pc = entry;
    vm.units = PLOY_BUDGET_UNLIMITED;
    vm.expression = expression;
    vm.refs = refs;
    vm.moment = moment;
    slots[0].u = 0; // the link
    return ployi_vm_run(&vm) == PLOYI_VM_DONE ? PLOY_OK : vm.result;
}

ploy_result ployi_expression_number(const ploy_expression *expression, int32_t node,
                                    const ploy_blackboard_ref *refs, const ploy_moment *moment,
                                    double *out) {
    ployi_program_slot slots[1 + EXPRESSION_SLOTS_MAX];
    const ployi_expression_node *at = expression_get(expression, node);
    if (at->entry < 0) return PLOY_ERR_STATE;
    ploy_result result = expression_machine(expression, at->entry, refs, moment, slots);
    if (result == PLOY_OK && at->type != PLOYI_PROGRAM_TYPE_NUMBER) result = PLOY_ERR_ARGUMENT;
    if (result == PLOY_OK) *out = slots[0].f;
    return result;
}

ploy_result ploy_expression_run(const ploy_expression *expression, const ploy_blackboard_ref *refs,
                                const ploy_moment *moment, ploy_expression_value *out) {
    if (expression == NULL || (refs == NULL && expression->names.count > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (!expression->bound) return PLOY_ERR_STATE;
    ployi_program_slot slots[1 + EXPRESSION_SLOTS_MAX];
    ploy_result result = expression_machine(expression, 0, refs, moment, slots);
    if (result != PLOY_OK || out == NULL) return result;
    uint16_t type = expression_get(expression, expression->last)->type;
    out->number = type == PLOYI_PROGRAM_TYPE_NUMBER ? slots[0].f : 0.0;
    out->is_text = type != PLOYI_PROGRAM_TYPE_NUMBER;
    out->text[0] = 0;
    if (type == PLOYI_PROGRAM_TYPE_NAME) {
        ploy_value name = ploy_value_name((ploy_name){slots[0].u});
        ploy_value_print(&name, out->text, sizeof out->text);
    } else if (type == PLOYI_PROGRAM_TYPE_TEXT) {
        memcpy(out->text, slots, sizeof out->text);
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
