// Alarm, decider and action manager as one behavior; described in the header.
//
// Invariants:
//   (1) a thinker is entered exactly while `entered` says so, and left once for each enter;
//   (2) between a step and its commit the outbox holds what is to be asked for, the alarm's first.
#include "ploy/decide/action_stack.h"

#include "decide_internal.h"

static const ploy_field action_stack_field_table[] = {
    PLOY_FIELD_I32(ploy_action_stack_def, tries, 4, 1, 1000, "",
                   "most calls of the decider in a step"),
    PLOY_FIELD_I32_FIXED(ploy_action_stack_def, room, 8, 1, 1000, "",
                         "most actions that one step may ask for"),
    PLOY_FIELD_F32(ploy_action_stack_def, urgency, 0, -1e6f, 1e6f, "",
                   "added to the priority of what the alarm asks for"),
    PLOY_FIELD_BOOL(ploy_action_stack_def, think_ahead, false,
                    "ask the decider also while something runs"),
    PLOY_FIELD_DEF(ploy_action_stack_def, manager, ploy_action_manager_fields,
                   "the action manager's settings"),
};

typedef struct action_stack_thinker {
    ploy_behavior behavior;
    uint64_t entered; // 0 or 1; as wide as this, so that there is no gap
} action_stack_thinker;

struct ploy_action_stack {
    ploy_env env;
    ploy_action_stack_def def;
    action_stack_thinker alarm, decider;
    ploy_action_manager *manager;
    ploy_actions *actions;
    const ploy_action_book *book;
    ploy_outbox *outbox;
    uint64_t urgent; // of the outbox's actions, those of the alarm
};

ploy_fields ploy_action_stack_fields(void) {
    return PLOY_FIELDS(ploy_action_stack_def, action_stack_field_table);
}

ploy_action_stack_def ploy_action_stack_def_default(void) {
    ploy_action_stack_def def;
    ploy_fields_default(ploy_action_stack_fields(), &def);
    return def;
}

ploy_result ploy_action_stack_create(const ploy_action_stack_def *def, const ploy_action_book *book,
                                     ploy_agent_id agent, ploy_maker alarm, ploy_maker decider,
                                     ploy_actions *actions, const ploy_env *env,
                                     ploy_action_stack **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || actions == NULL || ploy_maker_is_none(decider)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_action_stack_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_action_stack *stack = ploy_env_alloc_zero(env, sizeof *stack);
    if (stack == NULL) return PLOY_ERR_MEMORY;
    stack->env = *env;
    stack->def = *def;
    stack->actions = actions;
    stack->book = book;
    result = ploy_action_manager_create(&def->manager, book, agent, env, &stack->manager);
    if (result == PLOY_OK) {
        result = ploy_outbox_create(agent, def->room, def->room, env, &stack->outbox);
    }
    if (result == PLOY_OK) result = ploy_maker_make(alarm, env, &stack->alarm.behavior);
    if (result == PLOY_OK) result = ploy_maker_make(decider, env, &stack->decider.behavior);
    if (result != PLOY_OK) {
        ploy_action_stack_destroy(stack);
        return result;
    }
    *out = stack;
    return PLOY_OK;
}

// Takes everything that the manager has out of it.
static void action_stack_abandon(ploy_action_stack *stack, double now) {
    ploy_action_manager *manager = stack->manager;
    while (ploy_action_manager_active_count(manager) > 0) {
        (void)ploy_action_manager_cancel(manager, stack->actions,
                                         ploy_action_manager_active(manager, 0), now);
    }
    while (ploy_action_manager_queue_count(manager) > 0) {
        (void)ploy_action_manager_cancel(manager, stack->actions,
                                         ploy_action_manager_queued(manager, 0), now);
    }
}

void ploy_action_stack_destroy(ploy_action_stack *stack) {
    if (stack == NULL) return;
    if (stack->manager != NULL) action_stack_abandon(stack, 0.0);
    ploy_behavior_destroy(stack->alarm.behavior);
    ploy_behavior_destroy(stack->decider.behavior);
    ploy_outbox_destroy(stack->outbox);
    ploy_action_manager_destroy(stack->manager);
    ploy_env env = stack->env;
    ploy_env_free(&env, stack, sizeof *stack);
}

static void action_stack_leave(action_stack_thinker *thinker, ploy_step_context *context,
                               ploy_exit_reason reason) {
    if (thinker->entered == 0) return;
    thinker->entered = 0; // keeps (1)
    ploy_behavior_exit(thinker->behavior, context, reason);
}

// Asks a thinker once; *runs tells whether it wants to be asked again.
static ploy_result action_stack_ask(action_stack_thinker *thinker, ploy_step_context *context,
                                    bool *runs) {
    *runs = false;
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_result result = PLOY_OK;
    if (thinker->entered == 0) {
        thinker->entered = 1;
        result = ploy_behavior_enter(thinker->behavior, context);
    }
    if (result == PLOY_OK) result = ploy_behavior_step(thinker->behavior, context, &status);
    if (result != PLOY_OK) {
        action_stack_leave(thinker, context, PLOY_EXIT_ERROR);
    } else if (status != PLOY_STATUS_RUNNING) {
        action_stack_leave(thinker, context, PLOY_EXIT_FINISHED);
    } else {
        *runs = true;
    }
    return result;
}

static ploy_result action_stack_think(ploy_action_stack *stack, ploy_step_context *context) {
    ploy_result result = PLOY_OK;
    bool runs = false;
    if (stack->alarm.behavior.type != NULL && ploy_budget_spend(context->budget, 1)) {
        result = action_stack_ask(&stack->alarm, context, &runs);
        stack->urgent = (uint64_t)ploy_outbox_action_count(stack->outbox);
    }
    bool waits = ploy_action_manager_queue_count(stack->manager) > 0 || stack->urgent > 0 ||
                 (ploy_action_manager_active_count(stack->manager) > 0 && !stack->def.think_ahead);
    for (int32_t i = 0; i < stack->def.tries && result == PLOY_OK && !waits; i++) {
        if (!ploy_budget_spend(context->budget, 1)) break;
        result = action_stack_ask(&stack->decider, context, &runs);
        waits = ploy_outbox_action_count(stack->outbox) > 0;
    }
    return result;
}

static ploy_result action_stack_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_action_stack *stack = self;
    ploy_outbox_clear(stack->outbox); // what was never committed
    stack->urgent = 0;
    ploy_outbox *outside = context->outbox;
    context->outbox = stack->outbox;
    ploy_result result = action_stack_think(stack, context);
    context->outbox = outside;
    for (int32_t i = 0; i < ploy_outbox_message_count(stack->outbox) && result == PLOY_OK; i++) {
        result = ploy_outbox_message(outside, ploy_outbox_message_at(stack->outbox, i));
    }
    *status = PLOY_STATUS_RUNNING;
    return result;
}

static ploy_result action_stack_commit(void *self, ploy_step_context *context) {
    ploy_action_stack *stack = self;
    ploy_result result = PLOY_OK;
    if (stack->alarm.entered != 0) result = ploy_behavior_commit(stack->alarm.behavior, context);
    if (result == PLOY_OK && stack->decider.entered != 0) {
        result = ploy_behavior_commit(stack->decider.behavior, context);
    }
    for (int32_t i = 0; i < ploy_outbox_action_count(stack->outbox); i++) {
        const ploy_action_request *request = ploy_outbox_action_at(stack->outbox, i);
        bool urgent = (uint64_t)i < stack->urgent;
        int32_t action = ploy_action_book_find(stack->book, request->kind);
        ploy_action_terms terms = ploy_action_book_terms(stack->book, action);
        if (urgent) terms.priority += stack->def.urgency;
        if (ploy_name_is_none(terms.source)) {
            terms.source = ploy_name_of(urgent ? "alarm" : "decider");
        }
        ploy_result asked =
            ploy_action_manager_request(stack->manager, request, &terms, context->now, NULL);
        if (asked != PLOY_OK) ploy_trace_text(context->trace, "dropped", ploy_result_text(asked));
    }
    ploy_outbox_clear(stack->outbox);
    stack->urgent = 0;
    if (result != PLOY_OK) return result;
    return ploy_action_manager_step(stack->manager, stack->actions, context->now, context->dt,
                                    context->trace);
}

static void action_stack_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_action_stack *stack = self;
    action_stack_leave(&stack->alarm, context, reason);
    action_stack_leave(&stack->decider, context, reason);
    ploy_outbox_clear(stack->outbox);
    stack->urgent = 0;
    action_stack_abandon(stack, context->now);
}

static ploy_result action_stack_message(void *self, ploy_step_context *context,
                                        const ploy_message *message, bool *handled) {
    ploy_action_stack *stack = self;
    action_stack_thinker *thinkers[] = {&stack->alarm, &stack->decider};
    *handled = false;
    for (size_t i = 0; i < 2 && !*handled; i++) {
        if (thinkers[i]->entered == 0) continue;
        ploy_result result =
            ploy_behavior_message(thinkers[i]->behavior, context, message, handled);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// { "alarm": { a behavior }, "decider": { a behavior }, "actions": 2 }: who thinks goes on; what
// they asked for belongs to the manager's world, is abandoned and wanted anew.
static const char *const action_stack_thinkers[] = {"alarm", "decider"};

static void action_stack_save(const void *self, ploy_json_writer *out) {
    const ploy_action_stack *stack = self;
    const action_stack_thinker *thinkers[] = {&stack->alarm, &stack->decider};
    ploy_json_write_begin_object(out);
    for (size_t i = 0; i < 2; i++) {
        if (thinkers[i]->entered == 0) continue;
        ploy_json_write_key(out, action_stack_thinkers[i]);
        ploy_behavior_save(thinkers[i]->behavior, out);
    }
    int32_t actions = ploy_action_manager_active_count(stack->manager) +
                      ploy_action_manager_queue_count(stack->manager);
    ployi_save_u64(out, "actions", (uint64_t)actions);
    ploy_json_write_end_object(out);
}

static ploy_result action_stack_load(void *self, ploy_step_context *context, const ploy_json *doc,
                                     ploy_json_node state, ploy_diags *diags) {
    ploy_action_stack *stack = self;
    action_stack_thinker *thinkers[] = {&stack->alarm, &stack->decider};
    if (stack->alarm.entered != 0 || stack->decider.entered != 0) return PLOY_ERR_STATE;
    uint64_t actions = 0;
    ployi_load_u64(doc, state, "actions", &actions);
    if (actions > 0) {
        ploy_behavior_lost(doc, ploy_json_member(doc, state, "actions"), diags, "the actions of",
                           "action stack", "were under way and are asked for anew");
    }
    ploy_outbox *outside = context->outbox;
    context->outbox = stack->outbox;
    ploy_result result = PLOY_OK;
    for (size_t i = 0; i < 2 && result == PLOY_OK; i++) {
        ploy_json_node saved = ploy_json_member(doc, state, action_stack_thinkers[i]);
        if (ploy_json_is_none(saved) || thinkers[i]->behavior.type == NULL) continue;
        thinkers[i]->entered = 1; // keeps (1)
        result = ploy_behavior_load(thinkers[i]->behavior, context, doc, saved, diags);
    }
    context->outbox = outside;
    return result;
}

static void action_stack_free(void *self) {
    ploy_action_stack_destroy(self);
}

static void action_stack_describe_self(const void *self, ploy_describe *out) {
    ploy_action_stack_describe(self, out);
}

ploy_behavior ploy_action_stack_get(ploy_action_stack *stack) {
    static const ploy_behavior_type type = {.name = "action stack",
                                            .step = action_stack_step,
                                            .exit = action_stack_exit,
                                            .commit = action_stack_commit,
                                            .message = action_stack_message,
                                            .destroy = action_stack_free,
                                            .describe = action_stack_describe_self,
                                            .save = action_stack_save,
                                            .load = action_stack_load};
    ploy_behavior behavior = {&type, stack};
    return behavior;
}

ploy_action_manager *ploy_action_stack_manager(ploy_action_stack *stack) {
    return stack->manager;
}

void ploy_action_stack_describe(const ploy_action_stack *stack, ploy_describe *out) {
    if (stack == NULL || out == NULL) return;
    const action_stack_thinker *thinkers[] = {&stack->alarm, &stack->decider};
    for (size_t i = 0; i < 2; i++) {
        if (thinkers[i]->behavior.type == NULL) continue;
        ploy_describe_begin(out, action_stack_thinkers[i]);
        ploy_describe_bool(out, "entered", PLOY_STATE, thinkers[i]->entered != 0);
        ploy_behavior_describe(thinkers[i]->behavior, out);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "manager");
    ploy_action_manager_describe(stack->manager, out);
    ploy_describe_end(out);
}
