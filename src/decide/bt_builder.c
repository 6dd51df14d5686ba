// The builder of behavior trees: nodes in the order in which they are opened, which is depth first.
// The invariants are in bt_builder_internal.h.
#include "ploy/decide/bt_builder.h"

#include <stdio.h>
#include <string.h>

#include "decide/bt_builder_internal.h"
#include "decide/decide_internal.h"

enum { BT_BUILDER_FAULTS = 64 };

ploy_result ployi_bt_builder_fault(ploy_bt_builder *builder, ploy_result code, const char *what,
                                   const char *name) {
    char message[PLOY_DIAG_TEXT_MAX];
    snprintf(message, sizeof message, "%s '%.100s'", what, name != NULL ? name : "");
    bool named = builder->draft.texts.count > 0; // not after it was built
    ploy_diags_add(builder->diags, PLOY_SEVERITY_ERROR, code,
                   named ? ploy_bt_name(&builder->draft) : "", 0, 0, message, NULL, NULL);
    if (builder->fault == PLOY_OK) builder->fault = code;
    return builder->fault;
}

// Memory is not a fault of the tree: nothing is said, and the builder remembers.
ploy_result ployi_bt_builder_memory(ploy_bt_builder *builder) {
    if (builder->fault == PLOY_OK) builder->fault = PLOY_ERR_MEMORY;
    return builder->fault;
}

// Adds a copy of an item. @return its index, NONE if memory is short.
uint32_t ployi_bt_builder_push(ploy_bt_builder *builder, ploy_array *array, const void *item) {
    if (ploy_array_push(array, item) == PLOY_OK) return (uint32_t)array->count - 1;
    ployi_bt_builder_memory(builder);
    return PLOYI_BT_NONE;
}

static uint32_t bt_builder_text(ploy_bt_builder *builder, const char *text) {
    ploy_array *texts = &builder->draft.texts;
    uint32_t at = (uint32_t)texts->count;
    if (ploy_array_push_many(texts, text, (int32_t)strlen(text) + 1) == PLOY_OK) return at;
    ployi_bt_builder_memory(builder);
    return PLOYI_BT_NONE;
}

ploy_result ploy_bt_builder_create(const char *name, const ploy_blackboard_layout *layout,
                                   const ploy_env *env, ploy_bt_builder **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (name == NULL || env == NULL || strlen(name) >= PLOY_DIAG_TEXT_MAX) return PLOY_ERR_ARGUMENT;
    ploy_bt_builder *builder = ploy_env_alloc_zero(env, sizeof *builder);
    if (builder == NULL) return PLOY_ERR_MEMORY;
    builder->env = *env;
    builder->last = PLOYI_BT_NONE;
    ployi_bt_init(&builder->draft, env);
    ployi_bt_scope own = {layout, PLOYI_BT_NONE, 0, false};
    builder->draft.name = bt_builder_text(builder, name);
    ployi_bt_builder_push(builder, &builder->draft.scopes, &own);
    ploy_result result = ploy_diags_create(BT_BUILDER_FAULTS, env, &builder->diags);
    if (result == PLOY_OK) result = builder->fault;
    if (result != PLOY_OK) {
        ploy_bt_builder_destroy(builder);
        return result;
    }
    *out = builder;
    return PLOY_OK;
}

void ploy_bt_builder_destroy(ploy_bt_builder *builder) {
    if (builder == NULL) return;
    ployi_bt_fini(&builder->draft);
    ploy_diags_destroy(builder->diags);
    ploy_env env = builder->env;
    ploy_env_free(&env, builder, sizeof *builder);
}

// ---- keys ----

// Finds a key in the present scope, or, below a BlackboardScope, in those around it.
uint32_t ployi_bt_builder_key(ploy_bt_builder *builder, const char *name, ploy_value_type *type) {
    ploy_bt *draft = &builder->draft;
    for (uint32_t at = builder->scope[builder->depth]; at != PLOYI_BT_NONE;) {
        const ployi_bt_scope *scope = PLOYI_BT_AT(draft, scopes, ployi_bt_scope, at);
        ploy_slot slot = ploy_slot_none();
        if (scope->layout != NULL) slot = ploy_blackboard_layout_find(scope->layout, name);
        if (!ploy_slot_is_none(slot)) {
            *type = ploy_blackboard_layout_type(scope->layout, slot);
            ployi_bt_ref ref = {at, slot};
            return ployi_bt_builder_push(builder, &draft->refs, &ref);
        }
        at = scope->parent;
    }
    ployi_bt_builder_fault(builder, PLOY_ERR_NOT_FOUND, "unknown key", name);
    return PLOYI_BT_NONE;
}

// A literal in the type of what it is for.
bool ployi_bt_builder_convert(ploy_bt_builder *builder, const ploy_value *value,
                              ploy_value_type type, const char *name, ploy_value *out) {
    ploy_value named;
    if (type == PLOY_VALUE_NAME && value->type == PLOY_VALUE_TEXT) {
        named = ploy_value_name(ploy_name_of(value->as.text));
        value = &named;
    }
    if (ploy_value_convert(value, type, out) == PLOY_OK) return true;
    ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "wrong type of value for key", name);
    return false;
}

// Finds the keys of an expression and binds it to their types. Their references lie side by side.
static bool bt_builder_expression(ploy_bt_builder *builder, ploy_expression *expression,
                                  ployi_bt_test *out) {
    ploy_value_type types[PLOY_EXPRESSION_NAMES_MAX] = {PLOY_VALUE_NONE};
    out->expression = expression;
    out->ref = PLOYI_BT_NONE;
    for (int32_t i = 0; i < ploy_expression_name_count(expression); i++) {
        ploy_expression_use use;
        ploy_expression_name(expression, i, &use);
        uint32_t ref = ployi_bt_builder_key(builder, use.name, &types[i]);
        if (ref == PLOYI_BT_NONE) return false;
        if (i == 0) out->ref = ref;
    }
    ploy_result result = ploy_expression_bind(expression, types, builder->diags);
    if (result != PLOY_OK && builder->fault == PLOY_OK) builder->fault = result; // diags have it
    return result == PLOY_OK;
}

// Whether a set of conditions can be asked where the next node is.
static bool bt_builder_set(ploy_bt_builder *builder, const ploy_conditions *set, bool valid) {
    ploy_result result = ploy_conditions_result(set);
    const ploy_blackboard_layout *layout =
        PLOYI_BT_AT(&builder->draft, scopes, ployi_bt_scope, builder->scope[builder->depth])
            ->layout;
    const ploy_blackboard_layout *own = ployi_conditions_layout(set);
    if (result == PLOY_OK && (!valid || (own != NULL && own != layout))) {
        result = PLOY_ERR_ARGUMENT;
    }
    if (result == PLOY_OK) return true;
    ployi_bt_builder_fault(builder, result, "condition belongs to another set or layout", "");
    return false;
}

// Reads a text; the tree owns the expression.
static ploy_expression *bt_builder_read(ploy_bt_builder *builder, const char *text) {
    ploy_expression *expression = NULL;
    ploy_result result = ploy_expression_create(text, ploy_bt_name(&builder->draft), 0, 0, NULL, 0,
                                                &builder->env, builder->diags, &expression);
    if (result == PLOY_OK) {
        result = ploy_array_push(&builder->draft.expressions, &expression);
        if (result == PLOY_OK) return expression;
        ploy_expression_destroy(expression);
    }
    if (builder->fault == PLOY_OK) builder->fault = result; // diags have it
    return NULL;
}

static bool bt_builder_condition(ploy_bt_builder *builder, const ploy_bt_condition *condition,
                                 ployi_bt_test *out) {
    memset(out, 0, sizeof *out);
    out->set = condition->set;
    out->condition = condition->condition;
    out->ref = PLOYI_BT_NONE;
    ploy_expression *expression = condition->expression;
    if (condition->text != NULL) {
        out->set = NULL;
        expression = bt_builder_read(builder, condition->text);
        if (expression == NULL) return false;
    } else if (condition->set != NULL) {
        return bt_builder_set(builder, condition->set,
                              ployi_condition_valid(condition->set, condition->condition));
    }
    if (expression != NULL) return bt_builder_expression(builder, expression, out);
    ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT,
                           "expected a text, a condition or an expression", "");
    return false;
}

ploy_bt_condition ploy_bt_condition_text(const char *text) {
    ploy_bt_condition condition = {.text = text};
    return condition;
}

ploy_bt_condition ploy_bt_condition_expression(ploy_expression *expression) {
    ploy_bt_condition condition = {.expression = expression};
    return condition;
}

ploy_bt_condition ploy_bt_condition_of(const ploy_conditions *set, ploy_condition condition) {
    ploy_bt_condition out = {.set = set, .condition = condition};
    return out;
}

ploy_bt_effect ploy_bt_effect_make(const char *key, ploy_value value) {
    ploy_bt_effect effect = {NULL, NULL, key, value, NULL};
    return effect;
}

ploy_bt_effect ploy_bt_effect_expression(ploy_expression *expression) {
    ploy_bt_effect effect = {NULL, NULL, NULL, {PLOY_VALUE_NONE, {0}}, expression};
    return effect;
}

ploy_bt_effect ployi_bt_effect_call(void (*act)(ploy_bt_call *call), void *user) {
    ploy_bt_effect effect = {act, user, NULL, {PLOY_VALUE_NONE, {0}}, NULL};
    return effect;
}

// ---- nodes ----

ploy_bt_node_def ploy_bt_node_make(ploy_bt_kind kind, const char *name) {
    ploy_bt_node_def def;
    memset(&def, 0, sizeof def);
    def.kind = kind;
    def.name = name;
    def.flag = true;
    def.result = PLOY_STATUS_SUCCESS;
    switch (kind) {
    case PLOY_BT_PARALLEL:
        def.count = -1;
        def.count2 = 1;
        break;
    case PLOY_BT_PARALLEL_ALL: def.count2 = 1; break;
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY:
    case PLOY_BT_LIMIT:
    case PLOY_BT_SEMAPHORE_GUARD: def.count = 1; break;
    case PLOY_BT_TIMEOUT:
    case PLOY_BT_PRECONDITION: def.result = PLOY_STATUS_FAILURE; break;
    default: break;
    }
    return def;
}

// Adds a node as a child of the open one.
uint32_t ployi_bt_builder_node(ploy_bt_builder *builder, ploy_bt_kind kind, const char *name,
                               uint32_t extra) {
    ploy_bt *draft = &builder->draft;
    if (builder->depth == 0 && draft->nodes.count > 0) {
        ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "unexpected second root", name);
    } else if (draft->nodes.count >= PLOY_BT_NODES_MAX) {
        ployi_bt_builder_fault(builder, PLOY_ERR_LIMIT, "too many nodes at", name);
    }
    if (builder->fault != PLOY_OK) return PLOYI_BT_NONE;
    ployi_bt_node node;
    memset(&node, 0, sizeof node);
    node.kind = (uint8_t)kind;
    node.parent = builder->depth > 0 ? builder->stack[builder->depth - 1] : PLOYI_BT_NONE;
    node.extra = extra;
    node.hook = PLOYI_BT_NONE;
    node.name = bt_builder_text(builder, name != NULL ? name : ploy_bt_kind_text(kind));
    if (node.name == PLOYI_BT_NONE) return PLOYI_BT_NONE;
    uint32_t at = ployi_bt_builder_push(builder, &draft->nodes, &node);
    if (at == PLOYI_BT_NONE) return at;
    PLOYI_BT_AT(draft, nodes, ployi_bt_node, at)->end = at + 1;
    builder->last = at;
    return at;
}

// Copies the values of a Switch, a Loop or a SetBlackboard in the type of their key.
static bool bt_builder_values(ploy_bt_builder *builder, const ploy_bt_node_def *def,
                              ploy_value_type type, ployi_bt_extra *extra) {
    ploy_bt *draft = &builder->draft;
    extra->first_value = (uint32_t)draft->values.count;
    if (def->kind == PLOY_BT_UNSET_BLACKBOARD) {
        ploy_value zero;
        memset(&zero, 0, sizeof zero);
        zero.type = type;
        return ployi_bt_builder_push(builder, &draft->values, &zero) != PLOYI_BT_NONE;
    }
    if (def->value_count < 0 || (def->value_count > 0 && def->values == NULL) ||
        (def->kind == PLOY_BT_SET_BLACKBOARD && def->value_count != 1)) {
        ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "missing values at", def->key);
        return false;
    }
    for (int32_t i = 0; i < def->value_count; i++) {
        ploy_value value;
        if (!ployi_bt_builder_convert(builder, &def->values[i], type, def->key, &value))
            return false;
        if (ployi_bt_builder_push(builder, &draft->values, &value) == PLOYI_BT_NONE) return false;
    }
    extra->value_count = (uint32_t)def->value_count;
    return true;
}

static bool bt_builder_needs_key(ploy_bt_kind kind) {
    return kind == PLOY_BT_SWITCH || kind == PLOY_BT_LOOP || kind == PLOY_BT_SKIP_UNLESS_UPDATED ||
           kind == PLOY_BT_WAIT_VALUE_UPDATE || kind == PLOY_BT_SET_BLACKBOARD ||
           kind == PLOY_BT_UNSET_BLACKBOARD || kind == PLOY_BT_WAS_ENTRY_UPDATED;
}

// True if the settings are in range; false for NaN.
static bool bt_builder_in_range(const ploy_bt_node_def *def) {
    bool text = def->text != NULL && def->text[0] != 0;
    bool runs = def->result == PLOY_STATUS_RUNNING && def->kind != PLOY_BT_PRECONDITION &&
                def->kind != PLOY_BT_SIGNAL;
    if ((uint32_t)def->result > PLOY_STATUS_SKIPPED || runs) return false;
    if (!(def->seconds >= 0.0 && def->seconds <= 1e9)) return false;
    if (!(def->key_scale >= 0.0 && def->key_scale <= 1e9)) return false;
    if (!(def->seconds_max >= 0.0 && def->seconds_max <= 1e9)) return false;
    if (!ploy_in_range(def->share, 0, 1) || !ploy_in_range(def->share2, 0, 1)) return false;
    switch (def->kind) {
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY: return def->count >= -1;
    case PLOY_BT_RESTART:
    case PLOY_BT_LIMIT:
    case PLOY_BT_RANDOM_SELECTOR: return def->count >= 0;
    case PLOY_BT_SEMAPHORE_GUARD:
        return def->count >= 1 && text && strlen(def->text) < PLOY_SEMAPHORE_NAME_MAX;
    case PLOY_BT_SIGNAL: return text;
    case PLOY_BT_PARALLEL: return def->count != 0 && def->count2 != 0;
    case PLOY_BT_PARALLEL_ALL: return def->count2 > 0;
    case PLOY_BT_BLACKBOARD_SCOPE: return def->layout != NULL;
    case PLOY_BT_SCRIPT:
        return (def->condition.expression != NULL || def->condition.text != NULL) &&
               def->condition.set == NULL;
    default: return true;
    }
}

static bool bt_builder_reads(ploy_bt_kind kind, int32_t setting) {
    switch (kind) {
    case PLOY_BT_PARALLEL: return setting <= PLOYI_BT_SETTING_COUNT2;
    case PLOY_BT_PARALLEL_ALL: return setting == PLOYI_BT_SETTING_COUNT2;
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY:
    case PLOY_BT_RESTART:
    case PLOY_BT_LIMIT:
    case PLOY_BT_RANDOM_SELECTOR: return setting == PLOYI_BT_SETTING_COUNT;
    case PLOY_BT_TIMEOUT:
    case PLOY_BT_DELAY:
    case PLOY_BT_COOLDOWN: return setting == PLOYI_BT_SETTING_SECONDS;
    case PLOY_BT_SLEEP:
        return setting == PLOYI_BT_SETTING_SECONDS || setting == PLOYI_BT_SETTING_SECONDS_MAX;
    case PLOY_BT_LOOP: return setting == PLOYI_BT_SETTING_QUEUE;
    default: return false;
    }
}

// Settings that come from keys.
static bool bt_builder_settings(ploy_bt_builder *builder, const ploy_bt_node_def *def,
                                ployi_bt_extra *extra) {
    const char *const names[PLOYI_BT_SETTINGS] = {def->count_key, def->count2_key, def->seconds_key,
                                                  def->seconds_max_key, def->queue_key};
    extra->scale = def->key_scale == 0.0 ? 1.0 : def->key_scale;
    for (int32_t i = 0; i < PLOYI_BT_SETTINGS; i++) {
        ploy_value zero;
        double number;
        memset(&zero, 0, sizeof zero);
        extra->keys[i] = PLOYI_BT_NONE;
        if (names[i] == NULL) continue;
        if (!bt_builder_reads(def->kind, i)) {
            ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT,
                                   "unexpected key for a setting of this node:", names[i]);
            return false;
        }
        extra->keys[i] = ployi_bt_builder_key(builder, names[i], &zero.type);
        if (extra->keys[i] == PLOYI_BT_NONE) return false;
        bool fits = i == PLOYI_BT_SETTING_QUEUE ? zero.type == PLOY_VALUE_TEXT
                                                : ploy_value_number(&zero, &number);
        if (fits) continue;
        ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT,
                               i == PLOYI_BT_SETTING_QUEUE
                                   ? "expected a text key for a queue, found"
                                   : "expected a numeric key for a setting, found",
                               names[i]);
        return false;
    }
    return true;
}

static bool bt_builder_extra(ploy_bt_builder *builder, const ploy_bt_node_def *def,
                             ployi_bt_extra *extra) {
    memset(extra, 0, sizeof *extra);
    extra->seconds = def->seconds;
    extra->seconds_max = def->seconds_max;
    extra->count = def->count;
    extra->count2 = def->count2;
    extra->share = def->share;
    extra->share2 = def->share2;
    extra->result = def->result;
    extra->flag = def->flag;
    // Of a Parallel: that its successes are counted from all, so that skipped ones count too.
    if (def->kind == PLOY_BT_PARALLEL) extra->flag = def->count < 0 && !(def->share > 0.0f);
    extra->ref = extra->text = extra->target = extra->scope = PLOYI_BT_NONE;
    extra->condition.ref = PLOYI_BT_NONE;
    if (!bt_builder_in_range(def)) {
        ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "settings are out of range at",
                               def->name != NULL ? def->name : ploy_bt_kind_text(def->kind));
        return false;
    }
    if (!bt_builder_settings(builder, def, extra)) return false;
    if (bt_builder_needs_key(def->kind)) {
        ploy_value_type type = PLOY_VALUE_NONE;
        extra->ref = ployi_bt_builder_key(builder, def->key != NULL ? def->key : "", &type);
        if (extra->ref == PLOYI_BT_NONE || !bt_builder_values(builder, def, type, extra)) {
            return false;
        }
    }
    if (def->kind == PLOY_BT_SEMAPHORE_GUARD) extra->target = builder->draft.guards++;
    if (def->text != NULL) extra->text = bt_builder_text(builder, def->text);
    if (def->kind == PLOY_BT_CONDITION || def->kind == PLOY_BT_PRECONDITION ||
        def->kind == PLOY_BT_SCRIPT) {
        return bt_builder_condition(builder, &def->condition, &extra->condition);
    }
    return builder->fault == PLOY_OK;
}

ploy_result ployi_bt_builder_add(ploy_bt_builder *builder, const ploy_bt_node_def *def,
                                 uint32_t *out) {
    if (builder->fault != PLOY_OK) return builder->fault;
    ployi_bt_extra extra;
    if (!bt_builder_extra(builder, def, &extra)) return builder->fault;
    if (def->kind == PLOY_BT_BLACKBOARD_SCOPE) {
        ployi_bt_scope scope = {def->layout, builder->scope[builder->depth],
                                (uint32_t)builder->draft.nodes.count, true};
        extra.scope = ployi_bt_builder_push(builder, &builder->draft.scopes, &scope);
        if (extra.scope == PLOYI_BT_NONE) return builder->fault;
    }
    uint32_t at = ployi_bt_builder_push(builder, &builder->draft.extras, &extra);
    if (at == PLOYI_BT_NONE) return builder->fault;
    *out = ployi_bt_builder_node(builder, def->kind, def->name, at);
    return builder->fault;
}

// Makes the node the one that takes children.
ploy_result ployi_bt_builder_enter(ploy_bt_builder *builder, uint32_t node, uint32_t scope) {
    if (builder->depth >= PLOY_BT_DEPTH_MAX - 1) {
        return ployi_bt_builder_fault(builder, PLOY_ERR_LIMIT, "nodes are nested too deeply", "");
    }
    builder->stack[builder->depth++] = node;
    builder->scope[builder->depth] = scope;
    return builder->fault;
}

ploy_result ploy_bt_builder_open_node(ploy_bt_builder *builder, const ploy_bt_node_def *def) {
    if (builder == NULL || def == NULL) return PLOY_ERR_ARGUMENT;
    if ((uint32_t)def->kind >= PLOY_BT_ALWAYS_SUCCESS || def->kind == PLOY_BT_SUBTREE ||
        def->kind == PLOY_BT_CONTROL) {
        return ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "cannot open",
                                      ploy_bt_kind_text(def->kind));
    }
    uint32_t node = PLOYI_BT_NONE;
    ploy_result result = ployi_bt_builder_add(builder, def, &node);
    if (result != PLOY_OK) return result;
    uint32_t scope = builder->scope[builder->depth];
    if (def->kind == PLOY_BT_BLACKBOARD_SCOPE) scope = (uint32_t)builder->draft.scopes.count - 1;
    return ployi_bt_builder_enter(builder, node, scope);
}

ploy_result ploy_bt_builder_open(ploy_bt_builder *builder, ploy_bt_kind kind, const char *name) {
    ploy_bt_node_def def = ploy_bt_node_make(kind, name);
    return ploy_bt_builder_open_node(builder, &def);
}

ploy_result ploy_bt_builder_close(ploy_bt_builder *builder) {
    if (builder == NULL) return PLOY_ERR_ARGUMENT;
    if (builder->fault != PLOY_OK) return builder->fault;
    if (builder->depth == 0) {
        return ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT,
                                      "unexpected close without an open node", "");
    }
    uint32_t node = builder->stack[--builder->depth];
    PLOYI_BT_AT(&builder->draft, nodes, ployi_bt_node, node)->end =
        (uint32_t)builder->draft.nodes.count;
    return PLOY_OK;
}

ploy_result ploy_bt_builder_add_node(ploy_bt_builder *builder, const ploy_bt_node_def *def) {
    if (builder == NULL || def == NULL) return PLOY_ERR_ARGUMENT;
    if ((uint32_t)def->kind < PLOY_BT_ALWAYS_SUCCESS || (uint32_t)def->kind >= PLOY_BT_LEAF) {
        return ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "unknown built-in leaf",
                                      ploy_bt_kind_text(def->kind));
    }
    uint32_t node;
    return ployi_bt_builder_add(builder, def, &node);
}

ploy_result ploy_bt_builder_add(ploy_bt_builder *builder, ploy_bt_kind kind, const char *name) {
    ploy_bt_node_def def = ploy_bt_node_make(kind, name);
    return ploy_bt_builder_add_node(builder, &def);
}

// ---- hooks ----

// Puts a hook into the last node's list, by what it is for and then in order of adding.
static ploy_result bt_builder_hook(ploy_bt_builder *builder, ployi_bt_hook *hook) {
    ploy_bt *draft = &builder->draft;
    uint32_t at = (uint32_t)draft->hooks.count;
    uint32_t before = PLOYI_BT_NONE;
    ployi_bt_node *node = PLOYI_BT_AT(draft, nodes, ployi_bt_node, builder->last);
    hook->next = node->hook;
    while (hook->next != PLOYI_BT_NONE) {
        const ployi_bt_hook *other = PLOYI_BT_AT(draft, hooks, ployi_bt_hook, hook->next);
        if (other->when > hook->when) break;
        before = hook->next;
        hook->next = other->next;
    }
    if (ployi_bt_builder_push(builder, &draft->hooks, hook) == PLOYI_BT_NONE) return builder->fault;
    if (before == PLOYI_BT_NONE) {
        node->hook = at;
    } else {
        PLOYI_BT_AT(draft, hooks, ployi_bt_hook, before)->next = at;
    }
    if (hook->when <= PLOY_BT_WHILE) node->flags |= PLOYI_BT_FLAG_PRE;
    if (hook->when >= PLOY_BT_ON_SUCCESS && hook->when <= PLOY_BT_ON_DONE) {
        node->flags |= PLOYI_BT_FLAG_POST;
    }
    if (hook->when == PLOY_BT_ON_HALTED) node->flags |= PLOYI_BT_FLAG_HALTED;
    return PLOY_OK;
}

static bool bt_builder_has_last(ploy_bt_builder *builder, bool fits) {
    if (builder->fault != PLOY_OK) return false;
    if (builder->last != PLOYI_BT_NONE && fits) return true;
    ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT,
                           "expected an open node before a condition or effect", "");
    return false;
}

ploy_result ploy_bt_builder_when_holds(ploy_bt_builder *builder, ploy_bt_when when,
                                       const ploy_bt_condition *condition) {
    if (builder == NULL || condition == NULL) return PLOY_ERR_ARGUMENT;
    if (!bt_builder_has_last(builder, (uint32_t)when <= PLOY_BT_WHILE)) return builder->fault;
    ployi_bt_hook hook;
    memset(&hook, 0, sizeof hook);
    hook.when = (uint32_t)when;
    if (!bt_builder_condition(builder, condition, &hook.test)) return builder->fault;
    return bt_builder_hook(builder, &hook);
}

ploy_result ploy_bt_builder_then(ploy_bt_builder *builder, ploy_bt_when when,
                                 const ploy_bt_effect *effect) {
    if (builder == NULL || effect == NULL) return PLOY_ERR_ARGUMENT;
    bool fits = when >= PLOY_BT_ON_SUCCESS && when <= PLOY_BT_ON_HALTED &&
                (effect->act != NULL || effect->key != NULL || effect->expression != NULL);
    if (!bt_builder_has_last(builder, fits)) return builder->fault;
    ployi_bt_hook hook;
    memset(&hook, 0, sizeof hook);
    hook.when = (uint32_t)when;
    hook.act = effect->act;
    hook.test.user = effect->user;
    hook.test.ref = PLOYI_BT_NONE;
    if (effect->act == NULL && effect->key == NULL) {
        if (!bt_builder_expression(builder, effect->expression, &hook.test)) return builder->fault;
    } else if (effect->act == NULL) {
        ploy_value_type type = PLOY_VALUE_NONE;
        hook.test.ref = ployi_bt_builder_key(builder, effect->key, &type);
        if (hook.test.ref == PLOYI_BT_NONE ||
            !ployi_bt_builder_convert(builder, &effect->value, type, effect->key,
                                      &hook.test.value)) {
            return builder->fault;
        }
    }
    return bt_builder_hook(builder, &hook);
}

ploy_result ploy_bt_builder_score(ploy_bt_builder *builder, const ploy_conditions *set,
                                  ploy_score score) {
    if (builder == NULL) return PLOY_ERR_ARGUMENT;
    if (!bt_builder_has_last(builder, set != NULL && !ploy_score_is_none(score))) {
        return builder->fault;
    }
    if (!bt_builder_set(builder, set, ployi_score_valid(set, score))) return builder->fault;
    ployi_bt_hook hook;
    memset(&hook, 0, sizeof hook);
    hook.when = PLOYI_BT_SCORE;
    hook.test.set = set;
    hook.test.score = score;
    hook.test.ref = PLOYI_BT_NONE;
    return bt_builder_hook(builder, &hook);
}

ploy_result ploy_bt_builder_build(ploy_bt_builder *builder, ploy_diags *diags, ploy_bt **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (builder == NULL) return PLOY_ERR_ARGUMENT;
    if (builder->fault == PLOY_OK && builder->depth > 0) {
        ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "unclosed node", "");
    }
    if (builder->fault == PLOY_OK && builder->draft.nodes.count == 0) {
        ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "tree has no nodes", "");
    }
    for (int32_t i = 0; i < ploy_diags_count(builder->diags); i++) {
        const ploy_diag *diag = ploy_diags_get(builder->diags, i);
        ploy_diags_add(diags, diag->severity, diag->code, diag->name, diag->line, diag->column,
                       diag->message, NULL, NULL);
    }
    if (builder->fault != PLOY_OK) return builder->fault;
    ploy_bt *bt = ploy_env_alloc(&builder->env, sizeof *bt);
    if (bt == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ployi_bt_finish(&builder->draft, diags);
    if (result != PLOY_OK) {
        ploy_env_free(&builder->env, bt, sizeof *bt);
        return result;
    }
    *bt = builder->draft;
    ployi_bt_init(&builder->draft, &builder->env);
    builder->fault = PLOY_ERR_STATE; // it has given everything away
    *out = bt;
    return PLOY_OK;
}
