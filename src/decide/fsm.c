// One character's state machine; the technique is described in the header.
//
// Besides the header there is one block, so that ploy_fsm_swap can exchange it:
//
//     behaviors of states | private bytes | decisions of rules | fired | past | stack
//
// Invariants of a started machine:
//   (1) current is a state, and its enter was called, or will be by the change under way;
//   (2) each entered state is left exactly once before another is entered;
//   (3) only the present state's behavior is entered.
#include "fsm_internal.h"

#include "base/compiler.h"
#include "decide/decide_internal.h"

#include <string.h>

// The parts of the block of a type's machines.
typedef struct fsm_parts {
    size_t data, decisions, fired, past, stack, size;
} fsm_parts;

static bool fsm_measure(const ploy_fsm_type *type, fsm_parts *out) {
    bool fired = type->def.arbiter == PLOY_FSM_LEAST_RECENT;
    if (!ploy_size_add_array(0, type->makers, sizeof(ploy_nested), &out->data)) return false;
    out->data = (out->data + 15) / 16 * 16;
    if (!ploy_size_add_array(out->data, (int64_t)type->data_size, 1, &out->decisions) ||
        !ploy_size_add_array(out->decisions, type->trees, sizeof(ploy_decision *), &out->fired)) {
        return false;
    }
    out->fired = (out->fired + 7) / 8 * 8;
    return ploy_size_add_array(out->fired, fired ? type->links.count : 0, sizeof(uint64_t),
                               &out->past) &&
           ploy_size_add_array(out->past, type->def.record, sizeof(ployi_fsm_past), &out->stack) &&
           ploy_size_add_array(out->stack, type->def.stack, sizeof(uint32_t), &out->size);
}

void ployi_fsm_free_block(ploy_fsm *fsm) {
    if (fsm->block == NULL) return;
    for (int32_t i = 0; i < fsm->type->makers; i++) ploy_nested_destroy(&fsm->insides[i]);
    for (int32_t i = 0; i < fsm->type->trees; i++) ploy_decision_destroy(fsm->decisions[i]);
    ploy_env_free(&fsm->env, fsm->block, fsm->block_size);
    fsm->block = NULL;
}

ploy_result ployi_fsm_make_block(ploy_fsm *fsm) {
    const ploy_fsm_type *type = fsm->type;
    fsm_parts parts;
    fsm->block = NULL;
    fsm->block_size = 0;
    if (!fsm_measure(type, &parts)) return PLOY_ERR_LIMIT;
    if (parts.size == 0) return PLOY_OK;
    char *block = ploy_env_alloc_zero(&fsm->env, parts.size);
    if (block == NULL) return PLOY_ERR_MEMORY;
    fsm->block = block;
    fsm->block_size = parts.size;
    fsm->insides = (ploy_nested *)(void *)block;
    fsm->data = block + parts.data;
    fsm->decisions = (ploy_decision **)(void *)(block + parts.decisions);
    fsm->fired = (uint64_t *)(void *)(block + parts.fired);
    fsm->past = (ployi_fsm_past *)(void *)(block + parts.past);
    fsm->stack = (uint32_t *)(void *)(block + parts.stack);
    ploy_result result = PLOY_OK;
    for (uint32_t i = 1; i <= (uint32_t)type->items.count && result == PLOY_OK; i++) {
        const ployi_fsm_item *item = ployi_fsm_item_at(type, i);
        if (item->maker < 0) continue;
        result = ploy_nested_make(&fsm->insides[item->maker], item->inside, &fsm->env);
    }
    ploy_decision_def def = ploy_decision_def_default();
    for (int32_t i = 0; i < type->links.count && result == PLOY_OK; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        if (link->tree < 0) continue;
        result =
            ploy_decision_create(&def, link->rule.tree, &fsm->env, &fsm->decisions[link->tree]);
    }
    if (result != PLOY_OK) ployi_fsm_free_block(fsm);
    return result;
}

ploy_result ploy_fsm_create(const ploy_fsm_type *type, void *owner, const ploy_env *env,
                            ploy_fsm **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    ploy_fsm *fsm = ploy_env_alloc_zero(env, sizeof *fsm);
    if (fsm == NULL) return PLOY_ERR_MEMORY;
    fsm->env = *env;
    fsm->type = type;
    fsm->owner = owner;
    fsm->last = -1;
    ploy_result result = ployi_fsm_make_block(fsm);
    if (result != PLOY_OK) {
        ploy_env_free(env, fsm, sizeof *fsm);
        return result;
    }
    *out = fsm;
    return PLOY_OK;
}

void ploy_fsm_destroy(ploy_fsm *fsm) {
    if (fsm == NULL) return;
    ployi_fsm_free_block(fsm);
    ploy_env env = fsm->env;
    ploy_env_free(&env, fsm, sizeof *fsm);
}

// What hooks of a state are called with; state 0 is the global one.
static ploy_fsm_turn fsm_turn(ploy_fsm *fsm, ploy_step_context *context, uint32_t state) {
    ploy_fsm_turn turn = {fsm, context, fsm->owner, NULL};
    if (state != 0) {
        const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, state);
        if (item->data_size > 0) turn.data = fsm->data + item->data_at;
    }
    return turn;
}

static const char *fsm_id(const ploy_fsm *fsm, uint32_t number) {
    ploy_fsm_state state = {number};
    return ploy_fsm_type_id(fsm->type, state);
}

// What a hook of a state returned. An error is blamed on the state.
static ploy_result fsm_hook_result(const ploy_fsm *fsm, ploy_step_context *context, uint32_t state,
                                   ploy_result result) {
    if (result == PLOY_OK) return PLOY_OK;
    ploy_step_blame(context, state != 0 ? fsm_id(fsm, state) : "global state");
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

static void fsm_start_inside(ploy_fsm *fsm, ploy_step_context *context) {
    ploy_nested *inside = ployi_fsm_inside(fsm, fsm->current);
    if (inside == NULL) return;
    (void)ploy_nested_enter(inside, &fsm->env, fsm_id(fsm, fsm->current), context);
}

// Enters the present state. Its hook may go on to another, whose affairs are then the present ones.
static ploy_result fsm_enter_current(ploy_fsm *fsm, ploy_step_context *context, bool hook) {
    const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, fsm->current);
    fsm->elapsed = 0.0;
    if (item->maker >= 0) fsm->insides[item->maker].status = PLOY_STATUS_RUNNING;
    if (item->data_size > 0 && !item->keep) memset(fsm->data + item->data_at, 0, item->data_size);
    uint64_t change = fsm->changes;
    if (hook && item->hooks.enter != NULL) {
        ploy_fsm_turn turn = fsm_turn(fsm, context, fsm->current);
        uint32_t entered = fsm->current;
        ploy_result result = item->hooks.enter(item->hooks.user, &turn);
        if (result != PLOY_OK) return fsm_hook_result(fsm, context, entered, result);
        if (fsm->changes != change) return PLOY_OK;
    }
    if (item->maker >= 0) fsm_start_inside(fsm, context);
    return PLOY_OK;
}

static void fsm_leave_current(ploy_fsm *fsm, ploy_step_context *context, ploy_exit_reason reason) {
    const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, fsm->current);
    fsm->leaving = true;
    if (item->maker >= 0) ploy_nested_exit(&fsm->insides[item->maker], context, reason);
    if (item->hooks.exit != NULL) {
        ploy_fsm_turn turn = fsm_turn(fsm, context, fsm->current);
        item->hooks.exit(item->hooks.user, &turn);
    }
    fsm->leaving = false;
}

// A change: where to, because of which rule (or -1) and leaf (or NULL), and what becomes of the
// states put aside.
typedef struct fsm_change {
    uint32_t to;
    int32_t rule;
    const ployi_fsm_target *leaf;
    ployi_fsm_aside aside;
} fsm_change;

// Between exit and enter: the action of the leaf, or else of the rule.
static ploy_result fsm_act(ploy_fsm *fsm, ploy_step_context *context, const fsm_change *change) {
    if (change->rule < 0) return PLOY_OK;
    const ploy_fsm_rule *fired = &ployi_fsm_link_at(fsm->type, change->rule)->rule;
    if (fsm->type->def.arbiter == PLOY_FSM_LEAST_RECENT) fsm->fired[change->rule] = fsm->changes;
    bool own = change->leaf != NULL && change->leaf->action != NULL;
    ploy_result (*action)(void *, const ploy_fsm_turn *) =
        own ? change->leaf->action : fired->action;
    if (action == NULL) return PLOY_OK;
    ploy_fsm_turn turn = fsm_turn(fsm, context, 0);
    // The machine is between two states; a change that the action asks for comes after.
    fsm->leaving = true;
    ploy_result result = action(own ? change->leaf->user : fired->user, &turn);
    fsm->leaving = false;
    return fsm_hook_result(fsm, context, fsm->current, result);
}

static void fsm_remember(ploy_fsm *fsm, const ploy_step_context *context,
                         const fsm_change *change) {
    int32_t room = fsm->type->def.record;
    if (room == 0) return;
    ployi_fsm_past past = {context->tick, context->now, fsm->current, change->to, change->rule};
    fsm->past[fsm->past_next] = past;
    fsm->past_next = (fsm->past_next + 1) % room;
    if (fsm->past_count < room) fsm->past_count++;
}

// One change: exit, action, enter.
static ploy_result fsm_go_once(ploy_fsm *fsm, ploy_step_context *context,
                               const fsm_change *change) {
    if (change->aside == PLOYI_FSM_PUSH_ASIDE) {
        if (fsm->depth >= fsm->type->def.stack) return PLOY_ERR_CAPACITY;
        fsm->stack[fsm->depth++] = fsm->current;
    }
    if (change->aside == PLOYI_FSM_POP_ASIDE) fsm->depth--;
    fsm->changes++;
    fsm_leave_current(fsm, context, PLOY_EXIT_INTERRUPTED);
    if (context->trace != NULL) ploy_trace_text(context->trace, "state", fsm_id(fsm, change->to));
    fsm_remember(fsm, context, change);
    fsm->previous = fsm->current;
    fsm->current = change->to;
    fsm->last = change->rule;
    ploy_result result = fsm_act(fsm, context, change);
    ploy_result entered = fsm_enter_current(fsm, context, true);
    return result != PLOY_OK ? result : entered;
}

// Takes what waits. A pop goes to what is on top of the stack now.
static bool fsm_take_pending(ploy_fsm *fsm, fsm_change *out) {
    fsm_change change = {fsm->pending, -1, NULL, fsm->pending_aside};
    fsm->pending = 0;
    if (change.aside == PLOYI_FSM_POP_ASIDE) {
        change.to = fsm->depth > 0 ? fsm->stack[fsm->depth - 1] : 0;
    }
    *out = change;
    return change.to != 0;
}

// Changes, and goes on while exits and actions asked for more.
static ploy_result fsm_go(ploy_fsm *fsm, ploy_step_context *context, fsm_change change) {
    if (fsm->nesting >= PLOY_FSM_CHANGES_MAX) return PLOY_ERR_LIMIT;
    fsm->nesting++;
    ploy_result result = fsm_go_once(fsm, context, &change);
    for (int32_t i = 0; fsm->nesting == 1 && result == PLOY_OK && fsm->pending != 0; i++) {
        if (i == PLOY_FSM_CHANGES_MAX) {
            fsm->pending = 0;
            result = PLOY_ERR_LIMIT;
            break;
        }
        if (fsm_take_pending(fsm, &change)) result = fsm_go_once(fsm, context, &change);
    }
    fsm->nesting--;
    return result;
}

// A change that a hook or the game asks for: now, or when the hook has returned.
static ploy_result fsm_ask(ploy_fsm *fsm, ploy_step_context *context, uint32_t to,
                           ployi_fsm_aside aside) {
    if (!fsm->started) return PLOY_ERR_STATE;
    if (context == NULL || to == 0 || to > (uint32_t)fsm->type->items.count) {
        return PLOY_ERR_ARGUMENT;
    }
    if (aside == PLOYI_FSM_PUSH_ASIDE && fsm->depth >= fsm->type->def.stack) {
        return PLOY_ERR_CAPACITY;
    }
    if (fsm->leaving || (fsm->busy && fsm->type->def.deferred)) {
        fsm->pending = to; // the last one counts, with what it does to the stack
        fsm->pending_aside = aside;
        return PLOY_OK;
    }
    fsm_change change = {to, -1, NULL, aside};
    return fsm_go(fsm, context, change);
}

ploy_result ploy_fsm_change(ploy_fsm *fsm, ploy_step_context *context, ploy_fsm_state state) {
    return fsm_ask(fsm, context, state.number, PLOYI_FSM_LEAVE_ASIDE);
}

ploy_result ploy_fsm_revert(ploy_fsm *fsm, ploy_step_context *context) {
    if (fsm->previous == 0) return PLOY_ERR_STATE;
    return fsm_ask(fsm, context, fsm->previous, PLOYI_FSM_LEAVE_ASIDE);
}

ploy_result ploy_fsm_push(ploy_fsm *fsm, ploy_step_context *context, ploy_fsm_state state) {
    return fsm_ask(fsm, context, state.number, PLOYI_FSM_PUSH_ASIDE);
}

ploy_result ploy_fsm_pop(ploy_fsm *fsm, ploy_step_context *context) {
    if (!fsm->started || fsm->depth == 0) return PLOY_ERR_STATE;
    return fsm_ask(fsm, context, fsm->stack[fsm->depth - 1], PLOYI_FSM_POP_ASIDE);
}

// Fires a rule.
static ploy_result fsm_fire(ploy_fsm *fsm, ploy_step_context *context, ployi_fsm_choice choice) {
    const ploy_fsm_rule *fired = &ployi_fsm_link_at(fsm->type, choice.rule)->rule;
    if (fired->effect == PLOY_FSM_STAY) {
        if (fsm->type->def.arbiter == PLOY_FSM_LEAST_RECENT) {
            fsm->fired[choice.rule] = fsm->changes + 1;
        }
        if (fired->action == NULL) return PLOY_OK;
        uint32_t state = fsm->current;
        ploy_fsm_turn turn = fsm_turn(fsm, context, state);
        return fsm_hook_result(fsm, context, state, fired->action(fired->user, &turn));
    }
    fsm_change change = {choice.to, choice.rule, choice.leaf, PLOYI_FSM_LEAVE_ASIDE};
    if (fired->effect == PLOY_FSM_PUSH) change.aside = PLOYI_FSM_PUSH_ASIDE;
    if (fired->effect == PLOY_FSM_POP) change.aside = PLOYI_FSM_POP_ASIDE;
    return fsm_go(fsm, context, change);
}

// Looks at the rules; *fired says whether one did.
static ploy_result fsm_rules(ploy_fsm *fsm, ploy_step_context *context, const ploy_message *message,
                             bool *fired) {
    ployi_fsm_choice choice = ployi_fsm_choose(fsm, context, message);
    *fired = choice.rule >= 0;
    return choice.rule >= 0 ? fsm_fire(fsm, context, choice) : PLOY_OK;
}

// After a hook: what it asked for in deferred mode.
static ploy_result fsm_after_hook(ploy_fsm *fsm, ploy_step_context *context, uint32_t state,
                                  ploy_result result) {
    fsm->busy = false;
    if (fsm->pending == 0 && result == PLOY_OK) return PLOY_OK;
    fsm_change change;
    bool asked = fsm_take_pending(fsm, &change);
    result = fsm_hook_result(fsm, context, state, result);
    return asked && result == PLOY_OK ? fsm_go(fsm, context, change) : result;
}

static ploy_result fsm_execute(ploy_fsm *fsm, ploy_step_context *context) {
    const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, fsm->current);
    if (!item->acts) return PLOY_OK;
    if (item->hooks.execute != NULL) {
        uint64_t change = fsm->changes;
        uint32_t state = fsm->current;
        ploy_fsm_turn turn = fsm_turn(fsm, context, state);
        fsm->busy = true;
        ploy_result result = item->hooks.execute(item->hooks.user, &turn);
        result = fsm_after_hook(fsm, context, state, result);
        // The new state waits for its own turn.
        if (result != PLOY_OK || fsm->changes != change) return result;
    }
    if (item->maker < 0) return PLOY_OK;
    fsm->stepping = true;
    (void)ploy_nested_step(&fsm->insides[item->maker], &fsm->env, fsm_id(fsm, fsm->current),
                           context);
    fsm->stepping = false;
    return PLOY_OK;
}

static ploy_result fsm_global(ploy_fsm *fsm, ploy_step_context *context) {
    const ploy_fsm_hooks *global = &fsm->type->global;
    ploy_fsm_turn turn = fsm_turn(fsm, context, 0);
    fsm->busy = true;
    return fsm_after_hook(fsm, context, 0, global->execute(global->user, &turn));
}

// What a step answers in the present state.
static ploy_status fsm_answer(const ploy_fsm *fsm) {
    const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, fsm->current);
    return item->final ? item->status : PLOY_STATUS_RUNNING;
}

// The first rule of a simple state that holds, or -1. All tests of a row are made: which one holds,
// and how many there are, differs from agent to agent, and wrongly predicted branches cost more.
static inline int32_t fsm_simple_rule(const ploy_fsm_type *type, const ployi_fsm_item *item,
                                      const unsigned char *values) {
    const ployi_fsm_test *test = PLOY_ARRAY_ITEMS(&type->tests, ployi_fsm_test) + item->tests;
    for (int32_t row = 0; row < item->rows; row++, test += PLOYI_FSM_TESTS) {
        uint32_t hits = 0;
        for (int32_t i = 0; i < PLOYI_FSM_TESTS; i++) {
            hits |= (uint32_t)((int32_t)(values[test[i].offset] != 0) == test[i].want) << i;
        }
        if (hits != 0) return item->first + row * PLOYI_FSM_TESTS + ployi_lowest_bit(hits);
    }
    return -1;
}

// The rest of a simple state's step: fires the rule, unless it is -1, and executes.
PLOYI_OUTLINE ploy_result fsm_step_simple(ploy_fsm *fsm, ploy_step_context *context, int32_t rule,
                                          ploy_status *status) {
    ploy_result result = PLOY_OK;
    if (rule >= 0) {
        const ployi_fsm_quick *quick = PLOY_ARRAY_AT(&fsm->type->quick, ployi_fsm_quick, rule);
        fsm_change change = {quick->to, quick->link, NULL, PLOYI_FSM_LEAVE_ASIDE};
        result = fsm_go(fsm, context, change);
    }
    if (result == PLOY_OK) result = fsm_execute(fsm, context);
    if (result == PLOY_OK) *status = fsm_answer(fsm);
    return result;
}

// A step with everything that a machine may have.
PLOYI_OUTLINE ploy_result fsm_step_full(ploy_fsm *fsm, ploy_step_context *context,
                                        ploy_status *status) {
    const ploy_fsm_type *type = fsm->type;
    const ploy_fsm_def *def = &type->def;
    ploy_result result = PLOY_OK;
    bool fired = false;
    if (type->global.execute != NULL) result = fsm_global(fsm, context);
    if (result == PLOY_OK && def->order == PLOY_FSM_EXECUTE_FIRST) {
        result = fsm_execute(fsm, context);
    }
    if (result == PLOY_OK) result = fsm_rules(fsm, context, NULL, &fired);
    if (result == PLOY_OK && !fired && def->idle > 0.0f && type->idle != 0 &&
        fsm->elapsed >= (double)def->idle) {
        fsm_change idle = {type->idle, -1, NULL, PLOYI_FSM_LEAVE_ASIDE};
        result = fsm_go(fsm, context, idle);
        fired = true;
    }
    bool executes = def->order == PLOY_FSM_RULES_FIRST || (def->order == PLOY_FSM_EITHER && !fired);
    if (result == PLOY_OK && executes) result = fsm_execute(fsm, context);
    if (result == PLOY_OK) *status = fsm_answer(fsm);
    return result;
}

// Most machines are in a simple state, and most of their steps change nothing: that takes a dozen
// instructions here, and the compiler keeps the rest apart.
static ploy_result fsm_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_fsm *fsm = self;
    if (!fsm->started) return PLOY_ERR_STATE;
    fsm->elapsed += (double)context->dt;
    const ploy_fsm_type *type = fsm->type;
    const ployi_fsm_item *item = ployi_fsm_item_at(type, fsm->current);
    const unsigned char *values = ploy_blackboard_values(context->blackboard, type->layout);
    if (!item->simple || context->trace != NULL || values == NULL) {
        return fsm_step_full(fsm, context, status);
    }
    int32_t rule = fsm_simple_rule(type, item, values);
    if (rule >= 0 || item->acts) return fsm_step_simple(fsm, context, rule, status);
    *status = item->final ? item->status : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

ploy_result ployi_fsm_enter(void *self, ploy_step_context *context) {
    ploy_fsm *fsm = self;
    if (fsm->started) return PLOY_ERR_STATE;
    uint32_t remembered = fsm->type->def.remember ? fsm->previous : 0;
    fsm->current = remembered != 0 ? remembered : fsm->type->initial;
    fsm->previous = 0;
    fsm->pending = 0;
    fsm->depth = 0;
    fsm->last = -1;
    fsm->started = true;
    return fsm_enter_current(fsm, context, fsm->type->def.enter_initial);
}

void ployi_fsm_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_fsm *fsm = self;
    if (!fsm->started) return;
    fsm_leave_current(fsm, context, reason);
    fsm->previous = fsm->current; // remembered, if the def says so
    fsm->current = 0;
    fsm->pending = 0;
    fsm->started = false;
}

static ploy_result fsm_commit(void *self, ploy_step_context *context) {
    ploy_fsm *fsm = self;
    ploy_nested *inside = ployi_fsm_inside(fsm, fsm->current);
    if (inside != NULL) {
        fsm->stepping = true;
        ploy_nested_commit(inside, &fsm->env, fsm_id(fsm, fsm->current), context);
        fsm->stepping = false;
    }
    return PLOY_OK;
}

// One hook's chance to handle a message.
static ploy_result fsm_offer(ploy_fsm *fsm, ploy_step_context *context, const ploy_fsm_hooks *hooks,
                             uint32_t state, const ploy_message *message, bool *handled) {
    if (hooks->message == NULL) return PLOY_OK;
    ploy_fsm_turn turn = fsm_turn(fsm, context, state);
    bool outer = fsm->busy;
    fsm->busy = true;
    ploy_result result = hooks->message(hooks->user, &turn, message, handled);
    // A message within a hook of this very machine: that hook's end takes what was requested.
    if (outer) return fsm_hook_result(fsm, context, state, result);
    return fsm_after_hook(fsm, context, state, result);
}

// Inside first, then the state, then rules that answer this kind, then the global state.
static ploy_result fsm_message(void *self, ploy_step_context *context, const ploy_message *message,
                               bool *handled) {
    ploy_fsm *fsm = self;
    *handled = false;
    if (!fsm->started) return PLOY_OK;
    ploy_nested *inside = ployi_fsm_inside(fsm, fsm->current);
    if (inside != NULL) {
        const char *id = fsm_id(fsm, fsm->current);
        bool outer = fsm->stepping;
        fsm->stepping = true;
        *handled = ploy_nested_message(inside, &fsm->env, id, context, message);
        fsm->stepping = outer;
    }
    ploy_result result = PLOY_OK;
    if (!*handled) {
        const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, fsm->current);
        result = fsm_offer(fsm, context, &item->hooks, fsm->current, message, handled);
    }
    if (result == PLOY_OK && !*handled && !ploy_name_is_none(message->kind)) {
        result = fsm_rules(fsm, context, message, handled);
    }
    if (result == PLOY_OK && !*handled) {
        result = fsm_offer(fsm, context, &fsm->type->global, 0, message, handled);
    }
    return result;
}

static void fsm_free(void *self) {
    ploy_fsm_destroy(self);
}

static void fsm_draw(const void *self, ploy_draw *out) {
    const ploy_fsm *fsm = self;
    const ploy_nested *inside = ployi_fsm_inside(fsm, fsm->current);
    if (inside != NULL) ploy_nested_draw(inside, out);
}

ploy_behavior ploy_fsm_behavior(ploy_fsm *fsm) {
    static const ploy_behavior_type type = {
        .name = "state machine",
        .enter = ployi_fsm_enter,
        .step = fsm_step,
        .exit = ployi_fsm_exit,
        .commit = fsm_commit,
        .message = fsm_message,
        .destroy = fsm_free,
        .draw = fsm_draw,
        .visit = ployi_fsm_visit,
    };
    ploy_behavior behavior = {&type, fsm};
    return behavior;
}

static ploy_result fsm_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_fsm *fsm = NULL;
    ploy_result result = ploy_fsm_create(user, NULL, env, &fsm);
    if (result == PLOY_OK) *out = ploy_fsm_behavior(fsm);
    return result;
}

static ploy_result fsm_check(const void *user, const ploy_blackboard_layout *layout,
                             ploy_diags *diags) {
    const ploy_fsm_type *type = user;
    if (!type->build.finished) return ployi_build_unfinished("a state machine", diags);
    ploy_result first = ploy_maker_check_layout(type->layout, layout, diags);
    for (uint32_t i = 1; i <= (uint32_t)type->items.count; i++) {
        // Those that this type's own layout refuses were refused by its finish.
        if (type->layout != NULL) break;
        ploy_maker inside = ployi_fsm_item_at(type, i)->inside;
        ploy_result result = ploy_maker_check(inside, layout, &type->build.env, diags);
        if (first == PLOY_OK) first = result;
    }
    return first;
}

ploy_maker ploy_fsm_type_maker(ploy_fsm_type *type) {
    ploy_maker maker = {fsm_make, type, NULL, fsm_check};
    return maker;
}

ploy_fsm_state ploy_fsm_current(const ploy_fsm *fsm) {
    ploy_fsm_state state = {fsm->current};
    return state;
}

ploy_fsm_state ploy_fsm_previous(const ploy_fsm *fsm) {
    ploy_fsm_state state = {fsm->previous};
    return state;
}

int32_t ployi_fsm_depth(const ploy_fsm *fsm) {
    return fsm->depth;
}

bool ploy_fsm_is_in(const ploy_fsm *fsm, const char *id) {
    return fsm->current != 0 &&
           ploy_name_equal(ployi_fsm_item_at(fsm->type, fsm->current)->id, ploy_name_of(id));
}

double ploy_fsm_elapsed(const ploy_fsm *fsm) {
    return fsm->elapsed;
}

uint64_t ployi_fsm_changes(const ploy_fsm *fsm) {
    return fsm->changes;
}

const char *ploy_fsm_last_rule(const ploy_fsm *fsm) {
    if (fsm->last < 0) return "";
    return ployi_build_text(&fsm->type->build, ployi_fsm_link_at(fsm->type, fsm->last)->id);
}

const ploy_fsm_type *ploy_fsm_type_of(const ploy_fsm *fsm) {
    return fsm->type;
}

int32_t ploy_fsm_record_count(const ploy_fsm *fsm) {
    return fsm->past_count;
}

ploy_result ploy_fsm_record_at(const ploy_fsm *fsm, int32_t index, ploy_fsm_record *out) {
    if (out == NULL || index < 0 || index >= fsm->past_count) return PLOY_ERR_ARGUMENT;
    int32_t room = fsm->type->def.record;
    const ployi_fsm_past *past = &fsm->past[(fsm->past_next + room - 1 - index) % room];
    ploy_fsm_record record = {{past->from}, {past->to}, "", past->tick, past->now};
    if (past->rule >= 0) {
        ploy_name id = ployi_fsm_link_at(fsm->type, past->rule)->id;
        record.rule = ployi_build_text(&fsm->type->build, id);
    }
    *out = record;
    return PLOY_OK;
}
