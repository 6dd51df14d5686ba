// Alarm, decider and action manager as one behavior; described in the header.
//
// Invariants:
//   (1) the manager has actions only while the stack is entered;
//   (2) between a step and its commit the outbox holds what is to be asked for, the alarm's first.
#include "ploy/decide/action_stack.h"

#include "decide/decide_internal.h"

#include "action_internal.h"

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

struct ploy_action_stack {
    ploy_env env;
    ploy_action_stack_def def;
    ploy_nested alarm, decider;
    ploy_action_manager *manager;
    ploy_actions *actions;
    const ploy_action_book *book;
    ploy_outbox *outbox;
    uint64_t urgent; // of the outbox's actions, those of the alarm
    bool nobody;     // made for no agent: the one that enters it acts
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
    if (env == NULL || actions == NULL) return PLOY_ERR_ARGUMENT;
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
    if (result == PLOY_OK) result = ploy_nested_make(&stack->alarm, alarm, env);
    if (result == PLOY_OK) result = ploy_nested_make(&stack->decider, decider, env);
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
    while (ployi_action_manager_active_count(manager) > 0) {
        (void)ploy_action_manager_cancel(manager, stack->actions,
                                         ploy_action_manager_active(manager, 0), now);
    }
    while (ployi_action_manager_queue_count(manager) > 0) {
        (void)ploy_action_manager_cancel(manager, stack->actions,
                                         ploy_action_manager_queued(manager, 0), now);
    }
}

void ploy_action_stack_destroy(ploy_action_stack *stack) {
    if (stack == NULL) return;
    if (stack->manager != NULL) action_stack_abandon(stack, 0.0);
    ploy_nested_destroy(&stack->alarm);
    ploy_nested_destroy(&stack->decider);
    ploy_outbox_destroy(stack->outbox);
    ploy_action_manager_destroy(stack->manager);
    ploy_env env = stack->env;
    ploy_env_free(&env, stack, sizeof *stack);
}

// Asks a thinker once, entering it if need be. An error is a failure of it: it is asked again later.
static void action_stack_ask(ploy_action_stack *stack, ploy_nested *thinker, const char *place,
                             ploy_step_context *context) {
    ploy_status status = PLOY_STATUS_RUNNING;
    if (!thinker->entered) status = ploy_nested_enter(thinker, &stack->env, place, context);
    if (status == PLOY_STATUS_RUNNING) {
        (void)ploy_nested_step(thinker, &stack->env, place, context);
    }
}

static void action_stack_think(ploy_action_stack *stack, ploy_step_context *context) {
    if (stack->alarm.behavior.type != NULL && ploy_budget_spend(context->budget, 1)) {
        action_stack_ask(stack, &stack->alarm, "alarm", context);
        stack->urgent = (uint64_t)ploy_outbox_action_count(stack->outbox);
    }
    bool waits = stack->decider.behavior.type == NULL ||
                 ployi_action_manager_queue_count(stack->manager) > 0 || stack->urgent > 0 ||
                 (ployi_action_manager_active_count(stack->manager) > 0 && !stack->def.think_ahead);
    for (int32_t i = 0; i < stack->def.tries && !waits; i++) {
        if (!ploy_budget_spend(context->budget, 1)) break;
        action_stack_ask(stack, &stack->decider, "decider", context);
        waits = ploy_outbox_action_count(stack->outbox) > 0 || stack->decider.failed;
    }
}

static ploy_result action_stack_enter(void *self, ploy_step_context *context) {
    ploy_action_stack *stack = self;
    if (!stack->nobody) return PLOY_OK;
    if (ploy_id_is_none(context->agent.id)) return PLOY_ERR_ARGUMENT; // no agent to act
    ployi_action_manager_act_as(stack->manager, context->agent);
    return PLOY_OK;
}

static ploy_result action_stack_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_action_stack *stack = self;
    ploy_outbox_clear(stack->outbox); // what was never committed
    stack->urgent = 0;
    ploy_outbox *outside = context->outbox;
    context->outbox = stack->outbox;
    action_stack_think(stack, context);
    ploy_result result = PLOY_OK;
    context->outbox = outside;
    for (int32_t i = 0; i < ploy_outbox_message_count(stack->outbox) && result == PLOY_OK; i++) {
        ploy_message message = *ploy_outbox_message_at(stack->outbox, i);
        ploy_agent_id made_for = ploy_agent_id_make(0, 1);
        if (stack->nobody && ploy_id_equal(message.sender.id, made_for.id)) {
            message.sender = context->agent; // the outbox was made for no agent
        }
        result = ploy_outbox_message(outside, &message);
    }
    *status = PLOY_STATUS_RUNNING;
    return result;
}

static ploy_result action_stack_commit(void *self, ploy_step_context *context) {
    ploy_action_stack *stack = self;
    ploy_nested_commit(&stack->alarm, &stack->env, "alarm", context);
    ploy_nested_commit(&stack->decider, &stack->env, "decider", context);
    for (int32_t i = 0; i < ploy_outbox_action_count(stack->outbox); i++) {
        const ploy_action_request *request = ploy_outbox_action_at(stack->outbox, i);
        bool urgent = (uint64_t)i < stack->urgent;
        int32_t action = ploy_action_book_find(stack->book, request->kind);
        ploy_action_terms terms = ployi_action_book_terms(stack->book, action);
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
    return ploy_action_manager_step(stack->manager, stack->actions, context->now, context->dt,
                                    context->trace);
}

static void action_stack_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_action_stack *stack = self;
    ploy_nested_exit(&stack->alarm, context, reason);
    ploy_nested_exit(&stack->decider, context, reason);
    ploy_outbox_clear(stack->outbox);
    stack->urgent = 0;
    action_stack_abandon(stack, context->now);
}

static ploy_result action_stack_message(void *self, ploy_step_context *context,
                                        const ploy_message *message, bool *handled) {
    ploy_action_stack *stack = self;
    *handled = ploy_nested_message(&stack->alarm, &stack->env, "alarm", context, message) ||
               ploy_nested_message(&stack->decider, &stack->env, "decider", context, message);
    return PLOY_OK;
}

static void action_stack_free(void *self) {
    ploy_action_stack_destroy(self);
}

// Continues a thinker; one that was not entered is asked later.
static void action_stack_visit_one(ploy_visit *v, ploy_action_stack *stack, const char *key,
                                   ploy_nested *thinker) {
    ploy_step_context *context = v->context;
    PLOY_VISIT_SCRATCH(v, *thinker);
    if (thinker->behavior.type == NULL && v->mode != PLOY_VISIT_SAVE) {
        (void)ploy_visit_reader(v, key, NULL, NULL, NULL);
        return;
    }
    if (!ploy_visit_optional(v, key, true)) return;
    ploy_outbox *outside = context != NULL ? context->outbox : NULL;
    if (context != NULL) context->outbox = stack->outbox;
    ploy_visit_nested(v, key, PLOY_STATE, thinker, &stack->env, key);
    if (context != NULL) context->outbox = outside;
}

// { "alarm": a nested behavior, "decider": likewise, "actions": what the manager writes }
static void action_stack_visit(ploy_visit *v, void *object) {
    ploy_action_stack *stack = object;
    if (ploy_visit_loads(v)) {
        bool busy = stack->alarm.entered || stack->decider.entered;
        if (!ploy_visit_result(v, busy ? PLOY_ERR_STATE : PLOY_OK)) return;
        if (!ploy_visit_result(v, action_stack_enter(stack, v->context))) return;
    }
    ploy_visit_object(v, "action stack", stack, sizeof *stack);
    PLOY_VISIT_SCRATCH(v, stack->env);
    PLOY_VISIT_SCRATCH(v, stack->def);
    PLOY_VISIT_SCRATCH(v, stack->manager);
    PLOY_VISIT_SCRATCH(v, stack->actions);
    PLOY_VISIT_SCRATCH(v, stack->book);
    PLOY_VISIT_SCRATCH(v, stack->outbox); // empty between a commit and the next step, as is
    PLOY_VISIT_SCRATCH(v, stack->urgent);
    PLOY_VISIT_SCRATCH(v, stack->nobody);
    if (v->mode == PLOY_VISIT_MEMORY) {
        ploy_visit_memory(ploy_outbox_visit, stack->outbox, v->memory, v->memory_user);
    }
    action_stack_visit_one(v, stack, "alarm", &stack->alarm);
    action_stack_visit_one(v, stack, "decider", &stack->decider);
    ploy_visit_key(v, "actions");
    ploy_visit_begin(v, "manager", PLOY_STATE);
    if (ploy_visit_is_ok(v)) ploy_action_manager_visit(v, stack->manager);
    ploy_visit_end(v);
}

void ploy_action_stack_describe(const ploy_action_stack *stack, ploy_describe *out) {
    ploy_visit_describe(action_stack_visit, stack, NULL, out);
}

static const ploy_behavior_type action_stack_behavior = {.name = "action stack",
                                                         .enter = action_stack_enter,
                                                         .step = action_stack_step,
                                                         .exit = action_stack_exit,
                                                         .commit = action_stack_commit,
                                                         .message = action_stack_message,
                                                         .destroy = action_stack_free,
                                                         .visit = action_stack_visit};

ploy_behavior ploy_action_stack_behavior(ploy_action_stack *stack) {
    ploy_behavior behavior = {&action_stack_behavior, stack};
    return behavior;
}

ploy_action_manager *ployi_action_stack_manager(ploy_action_stack *stack) {
    return stack->manager;
}

// ---- as a definition ----

struct ploy_action_stack_type {
    ploy_env env;
    ploy_action_stack_def def;
    const ploy_action_book *book;
    ploy_maker alarm, decider;
    ploy_actions *actions;
};

ploy_result ploy_action_stack_type_create(const ploy_action_stack_def *def,
                                          const ploy_action_book *book, ploy_maker alarm,
                                          ploy_maker decider, ploy_actions *actions,
                                          const ploy_env *env, ploy_action_stack_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || book == NULL || actions == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_action_stack_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!book->build.finished) return PLOY_ERR_STATE;
    if (book->most_parts > def->manager.parts) return PLOY_ERR_LIMIT;
    ploy_action_stack_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->env = *env;
    type->def = *def;
    type->book = book;
    type->alarm = alarm;
    type->decider = decider;
    type->actions = actions;
    *out = type;
    return PLOY_OK;
}

void ploy_action_stack_type_destroy(ploy_action_stack_type *type) {
    if (type == NULL) return;
    ploy_env env = type->env;
    ploy_env_free(&env, type, sizeof *type);
}

static ploy_result action_stack_make(void *user, const ploy_env *env, ploy_behavior *out) {
    const ploy_action_stack_type *type = user;
    // Some agent, until one enters it: the manager and the outbox need one.
    ploy_action_stack *stack = NULL;
    ploy_result result =
        ploy_action_stack_create(&type->def, type->book, ploy_agent_id_make(0, 1), type->alarm,
                                 type->decider, type->actions, env, &stack);
    if (result != PLOY_OK) return result;
    stack->nobody = true;
    *out = ploy_action_stack_behavior(stack);
    return PLOY_OK;
}

static ploy_result action_stack_check(const void *user, const ploy_blackboard_layout *layout,
                                      ploy_diags *diags) {
    const ploy_action_stack_type *type = user;
    ploy_result result = ploy_maker_check(type->alarm, layout, &type->env, diags);
    ploy_result other = ploy_maker_check(type->decider, layout, &type->env, diags);
    return result != PLOY_OK ? result : other;
}

ploy_maker ploy_action_stack_type_maker(ploy_action_stack_type *type) {
    ploy_maker maker = {action_stack_make, type, NULL, action_stack_check};
    return maker;
}
