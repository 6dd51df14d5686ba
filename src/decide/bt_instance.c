// Instances of behavior trees: one block, laid out as
//
//     struct | boards of scopes | leaf states | board pointers | behaviors | guards | words | seen |
//     a byte for each node
//
// Invariants:
//   (1) every pointer into the block, so that a rewound block is whole at its address;
//   (2) boards[0] is set during a step, a halt and a message only.
#include <string.h>

#include "decide/bt_walk.h"

#include "decide/decide_internal.h"
#include "ploy/base/hash.h"

static const ploy_field bt_instance_field_table[] = {
    PLOY_FIELD_BOOL(ploy_bt_instance_def, watch, false, "notes when each node was visited last"),
};

ploy_fields ploy_bt_instance_fields(void) {
    return PLOY_FIELDS(ploy_bt_instance_def, bt_instance_field_table);
}

ploy_bt_instance_def ploy_bt_instance_def_default(void) {
    ploy_bt_instance_def def;
    ploy_fields_default(ploy_bt_instance_fields(), &def);
    return def;
}

// Adds a part to the block and returns where it begins. All parts together are far below 4 GiB: the
// builder limits nodes, and each has a few words.
static size_t bt_instance_part(size_t *size, size_t count, size_t item) {
    size_t at = (*size + 7) / 8 * 8;
    *size = at + count * item;
    return at;
}

static size_t bt_instance_board_size(const ployi_bt_scope *scope) {
    return scope->layout != NULL ? (ploy_blackboard_size(scope->layout) + 7) / 8 * 8 : 0;
}

static void bt_instance_make_boards(ploy_bt_instance *instance, unsigned char *memory) {
    const ploy_bt *bt = instance->bt;
    for (int32_t i = 1; i < bt->scopes.count; i++) {
        const ployi_bt_scope *scope = PLOYI_BT_AT(bt, scopes, ployi_bt_scope, i);
        if (scope->layout == NULL) continue;
        size_t size = bt_instance_board_size(scope);
        ploy_blackboard_init(memory, size, scope->layout, &instance->boards[i]);
        memory += size;
    }
}

static void bt_instance_write_literals(ploy_bt_instance *instance) {
    const ploy_bt *bt = instance->bt;
    for (int32_t i = 0; i < bt->literals.count; i++) {
        const ployi_bt_literal *literal = PLOYI_BT_AT(bt, literals, ployi_bt_literal, i);
        ploy_blackboard_set(instance->boards[literal->ref.scope], literal->ref.slot,
                            &literal->value);
    }
}

static ploy_result bt_instance_find_guards(ploy_bt_instance *instance) {
    const ploy_bt *bt = instance->bt;
    if (bt->guards > 0 && instance->semaphores == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < bt->nodes.count; i++) {
        const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, i);
        if (node->kind != PLOY_BT_SEMAPHORE_GUARD) continue;
        const ployi_bt_extra *extra = ployi_bt_extra_of(bt, node);
        ploy_result result =
            ploy_semaphores_get(instance->semaphores, ployi_bt_text(bt, extra->text), extra->count,
                                &instance->guards[extra->target]);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_bt_instance_create(const ploy_bt_instance_def *def, const ploy_bt *bt,
                                    ploy_semaphores *semaphores, const ploy_env *env,
                                    ploy_bt_instance **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (bt == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_bt_instance_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t nodes = (size_t)bt->nodes.count, size = sizeof(ploy_bt_instance);
    size_t boards_at = bt_instance_part(&size, bt->board_bytes, 1);
    size_t leaves_at = bt_instance_part(&size, bt->leaf_bytes, 1);
    size_t pointers_at = bt_instance_part(&size, (size_t)bt->scopes.count, sizeof(void *));
    size_t behaviors_at = bt_instance_part(&size, (size_t)bt->makers.count, sizeof(ploy_nested));
    size_t guards_at = bt_instance_part(&size, bt->guards, sizeof(int32_t));
    size_t words_at = bt_instance_part(&size, bt->words, sizeof(uint32_t));
    size_t seen_at = bt_instance_part(&size, def->watch ? nodes : 0, sizeof(uint32_t));
    size_t status_at = bt_instance_part(&size, nodes, 1);
    unsigned char *block = ploy_env_alloc_zero(env, size);
    if (block == NULL) return PLOY_ERR_MEMORY;
    ploy_bt_instance *instance = (ploy_bt_instance *)(void *)block;
    instance->bt = bt;
    instance->env = *env;
    instance->size = size;
    instance->signal = PLOYI_BT_NONE;
    instance->semaphores = semaphores != NULL ? semaphores : bt->semaphores;
    instance->leaf_state = block + leaves_at;
    instance->boards = (ploy_blackboard **)(void *)(block + pointers_at);
    instance->behaviors = (ploy_nested *)(void *)(block + behaviors_at);
    instance->guards = (int32_t *)(void *)(block + guards_at);
    instance->words = (uint32_t *)(void *)(block + words_at);
    instance->seen = def->watch ? (uint32_t *)(void *)(block + seen_at) : NULL;
    instance->status = block + status_at;
    bt_instance_make_boards(instance, block + boards_at);
    bt_instance_write_literals(instance);
    result = bt_instance_find_guards(instance);
    if (result != PLOY_OK) {
        ploy_env_free(env, block, size);
        return result;
    }
    *out = instance;
    return PLOY_OK;
}

void ploy_bt_instance_halt(ploy_bt_instance *instance, ploy_step_context *context,
                           ploy_exit_reason reason) {
    if (instance == NULL || context == NULL || instance->stepping) return;
    instance->boards[0] = context->blackboard;
    instance->stepping = true; // what is halted cannot step or halt the tree
    ployi_bt_halt(instance, context, 0, reason);
    instance->stepping = false;
    instance->cursor = 0;
    instance->signal = PLOYI_BT_NONE;
}

void ploy_bt_instance_destroy(ploy_bt_instance *instance) {
    if (instance == NULL) return;
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    ploy_bt_instance_halt(instance, &context, PLOY_EXIT_REMOVED);
    for (int32_t i = 0; i < instance->bt->makers.count; i++) {
        ploy_nested_destroy(&instance->behaviors[i]);
    }
    ploy_env env = instance->env;
    ploy_env_free(&env, instance, instance->size);
}

size_t ploy_bt_instance_size(const ploy_bt_instance *instance) {
    return instance->size;
}

const ploy_bt *ploy_bt_instance_bt(const ploy_bt_instance *instance) {
    return instance->bt;
}

void ployi_bt_instance_reset(ploy_bt_instance *instance, ploy_step_context *context) {
    if (instance == NULL || context == NULL || instance->stepping) return;
    ploy_bt_instance_halt(instance, context, PLOY_EXIT_INTERRUPTED);
    const ploy_bt *bt = instance->bt;
    memset(instance->words, 0, bt->words * sizeof(uint32_t));
    memset(instance->status, PLOYI_BT_IDLE, (size_t)bt->nodes.count);
    if (instance->seen != NULL) {
        memset(instance->seen, 0, (size_t)bt->nodes.count * sizeof(uint32_t));
    }
    if (bt->leaf_bytes > 0) memset(instance->leaf_state, 0, bt->leaf_bytes);
    for (int32_t i = 1; i < bt->scopes.count; i++) {
        if (instance->boards[i] != NULL) ploy_blackboard_reset(instance->boards[i]);
    }
    bt_instance_write_literals(instance);
    instance->draws = 0;
}

ploy_result ployi_bt_instance_message(ploy_bt_instance *instance, ploy_step_context *context,
                                      const ploy_message *message, bool *handled) {
    if (instance == NULL || context == NULL || message == NULL) return PLOY_ERR_ARGUMENT;
    const ploy_bt *bt = instance->bt;
    bool any = false;
    instance->boards[0] = context->blackboard;
    for (int32_t i = 0; i < bt->nodes.count; i++) {
        if (instance->status[i] != PLOYI_BT_RUNS) continue;
        const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, i);
        ploy_result result = PLOY_OK;
        bool mine = false;
        if (node->kind == PLOY_BT_BEHAVIOR) {
            ploy_blackboard *board = context->blackboard;
            context->blackboard = ployi_bt_board_of(instance, (uint32_t)i);
            mine = ploy_nested_message(&instance->behaviors[node->extra], &instance->env,
                                       ployi_bt_text(bt, node->name), context, message);
            context->blackboard = board;
        } else if (ployi_bt_has_leaf(node)) {
            const ployi_bt_bound_leaf *bound =
                PLOYI_BT_AT(bt, leaves, ployi_bt_bound_leaf, node->extra);
            ploy_bt_call call = ployi_bt_call(instance, context, (uint32_t)i);
            if (bound->leaf.message != NULL) result = bound->leaf.message(&call, message, &mine);
            if (bound->leaf.sleeps && ployi_bt_wake_of(instance, bound)->message) {
                ployi_bt_wake_of(instance, bound)->asleep = false;
            }
        }
        if (result != PLOY_OK) {
            ploy_step_blame(context, ployi_bt_text(bt, node->name));
            return result < PLOY_OK ? result : PLOY_ERR_CALLBACK;
        }
        any = any || mine;
    }
    if (handled != NULL) *handled = any;
    return PLOY_OK;
}

ploy_result ploy_bt_instance_signal(ploy_bt_instance *instance, int32_t node, ploy_status status) {
    if (instance == NULL || node < 0 || node >= instance->bt->nodes.count) return PLOY_ERR_ARGUMENT;
    const ployi_bt_node *at = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, node);
    uint32_t *words = &instance->words[at->state];
    bool runs = instance->status[node] == PLOYI_BT_RUNS;
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_INTERRUPTER:
        if (status <= PLOY_STATUS_RUNNING || status > PLOY_STATUS_SKIPPED) {
            return PLOY_ERR_ARGUMENT;
        }
        if (!runs) return PLOY_OK; // nothing to interrupt
        words[0] = (uint32_t)status + 1;
        if (instance->stepping) instance->signal = (uint32_t)node;
        return PLOY_OK;
    case PLOY_BT_GATE: words[0] = status == PLOY_STATUS_SUCCESS ? 1 : 2; return PLOY_OK;
    case PLOY_BT_HOLD:
        if (runs) words[1] = 1;
        return PLOY_OK;
    case PLOY_BT_LIMIT: words[0] = 0; return PLOY_OK;
    default: return PLOY_ERR_ARGUMENT;
    }
}

bool ploy_bt_instance_node_status(const ploy_bt_instance *instance, int32_t node,
                                  ploy_status *status) {
    if (instance == NULL || status == NULL || node < 0 || node >= instance->bt->nodes.count ||
        instance->status[node] == PLOYI_BT_IDLE) {
        return false;
    }
    *status = (ploy_status)(instance->status[node] - 1);
    return true;
}

bool ploy_bt_instance_node_seen(const ploy_bt_instance *instance, int32_t node, uint32_t *tick) {
    if (instance == NULL || tick == NULL || instance->seen == NULL || node < 0 ||
        node >= instance->bt->nodes.count || instance->seen[node] == 0) {
        return false;
    }
    *tick = instance->seen[node] - 1;
    return true;
}

bool ploy_bt_instance_asleep(const ploy_bt_instance *instance, double *until) {
    if (instance == NULL) return false;
    const ployi_bt_node *node = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, instance->cursor);
    if (instance->status[instance->cursor] != PLOYI_BT_RUNS) return false;
    double wake_at = 0.0;
    if (node->kind == PLOY_BT_SLEEP) {
        memcpy(&wake_at, &instance->words[node->state], sizeof wake_at);
    } else {
        if (node->kind != PLOY_BT_LEAF) return false;
        const ployi_bt_bound_leaf *bound =
            PLOYI_BT_AT(instance->bt, leaves, ployi_bt_bound_leaf, node->extra);
        if (!bound->leaf.sleeps || !ployi_bt_wake_of(instance, bound)->asleep) return false;
        wake_at = ployi_bt_wake_of(instance, bound)->until;
    }
    if (until != NULL) *until = wake_at;
    return true;
}

// ---- as a behavior ----

static ploy_result bt_instance_type_step(void *self, ploy_step_context *context,
                                         ploy_status *status) {
    return ploy_bt_instance_step(self, context, status);
}

static void bt_instance_type_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_bt_instance_halt(self, context, reason);
}

// Behaviors that run within the tree apply what they decided.
static ploy_result bt_instance_type_commit(void *self, ploy_step_context *context) {
    ploy_bt_instance *instance = self;
    const ploy_bt *bt = instance->bt;
    instance->boards[0] = context->blackboard;
    for (int32_t i = 0; i < bt->makers.count; i++) {
        if (!instance->behaviors[i].entered) continue;
        uint32_t at = PLOYI_BT_AT(bt, makers, ployi_bt_maker, i)->node;
        const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, at);
        ploy_blackboard *board = context->blackboard;
        context->blackboard = ployi_bt_board_of(instance, at);
        ploy_nested_commit(&instance->behaviors[i], &instance->env, ployi_bt_text(bt, node->name),
                           context);
        context->blackboard = board;
    }
    return PLOY_OK;
}

static ploy_result bt_instance_type_message(void *self, ploy_step_context *context,
                                            const ploy_message *message, bool *handled) {
    return ployi_bt_instance_message(self, context, message, handled);
}

static void bt_instance_type_destroy(void *self) {
    ploy_bt_instance_destroy(self);
}

static void bt_instance_type_draw(const void *self, ploy_draw *out) {
    const ploy_bt_instance *instance = self;
    for (int32_t i = 0; i < instance->bt->makers.count; i++) {
        ploy_nested_draw(&instance->behaviors[i], out);
    }
}

ploy_behavior ploy_bt_instance_behavior(ploy_bt_instance *instance) {
    static const ploy_behavior_type type = {.name = "behavior tree",
                                            .step = bt_instance_type_step,
                                            .exit = bt_instance_type_exit,
                                            .commit = bt_instance_type_commit,
                                            .message = bt_instance_type_message,
                                            .destroy = bt_instance_type_destroy,
                                            .draw = bt_instance_type_draw,
                                            .visit = ployi_bt_visit};
    ploy_behavior behavior = {&type, instance};
    return behavior;
}

static ploy_result bt_instance_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_bt_instance *instance = NULL;
    ploy_result result = ploy_bt_instance_create(&def, user, NULL, env, &instance);
    if (result == PLOY_OK) *out = ploy_bt_instance_behavior(instance);
    return result;
}

static ploy_result bt_instance_check(const void *user, const ploy_blackboard_layout *layout,
                                     ploy_diags *diags) {
    const ploy_bt *bt = user;
    const ploy_blackboard_layout *own = PLOYI_BT_AT(bt, scopes, ployi_bt_scope, 0)->layout;
    if (bt->guards > 0 && bt->semaphores == NULL) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, ploy_bt_name(bt), 0, 0,
                       "missing semaphores for a SemaphoreGuard", NULL, NULL);
        return PLOY_ERR_ARGUMENT;
    }
    if (own == NULL) return ployi_bt_check_makers(bt, layout, diags);
    return ploy_maker_check_layout(own, layout, diags);
}

ploy_maker ploy_bt_maker(const ploy_bt *bt) {
    ploy_maker maker = {bt_instance_make, (void *)bt, NULL, bt_instance_check};
    if (bt != NULL) maker.name = ploy_bt_name(bt);
    return maker;
}

void ploy_bt_set_semaphores(ploy_bt *bt, ploy_semaphores *semaphores) {
    bt->semaphores = semaphores;
}
