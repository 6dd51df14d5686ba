// One character's state machine; the technique is described in the header.
//
// Besides the header there is one block, so that ploy_fsm_swap can exchange it:
//
//     behaviors of states | private bytes | decisions of rules | fired | stack
//
// Invariants of a started machine:
//   (1) current is a state, and its enter was called, or will be by the change under way;
//   (2) each entered state is left exactly once before another is entered;
//   (3) inside is true exactly while the present state's behavior is entered.
#include "fsm_internal.h"

#include <string.h>

// The parts of the block of a type's machines.
typedef struct fsm_parts {
    size_t data, decisions, fired, stack, size;
} fsm_parts;

static bool fsm_measure(const ploy_fsm_type *type, fsm_parts *out) {
    bool fired = type->def.arbiter == PLOY_FSM_LEAST_RECENT;
    if (!ploy_size_add_array(0, type->makers, sizeof(ploy_behavior), &out->data)) return false;
    out->data = (out->data + 15) / 16 * 16;
    if (!ploy_size_add_array(out->data, (int64_t)type->data_size, 1, &out->decisions) ||
        !ploy_size_add_array(out->decisions, type->trees, sizeof(ploy_decision *), &out->fired)) {
        return false;
    }
    out->fired = (out->fired + 7) / 8 * 8;
    return ploy_size_add_array(out->fired, fired ? type->links.count : 0, sizeof(uint64_t),
                               &out->stack) &&
           ploy_size_add_array(out->stack, type->def.stack, sizeof(uint32_t), &out->size);
}

// Frees the block with all that it owns.
static void fsm_free_block(ploy_fsm *fsm) {
    if (fsm->block == NULL) return;
    for (int32_t i = 0; i < fsm->type->makers; i++) ploy_behavior_destroy(fsm->insides[i]);
    for (int32_t i = 0; i < fsm->type->trees; i++) ploy_decision_destroy(fsm->decisions[i]);
    ploy_env_free(&fsm->env, fsm->block, fsm->block_size);
    fsm->block = NULL;
}

// Makes the block for fsm->type. On failure nothing is left.
static ploy_result fsm_make_block(ploy_fsm *fsm) {
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
    fsm->insides = (ploy_behavior *)(void *)block;
    fsm->data = block + parts.data;
    fsm->decisions = (ploy_decision **)(void *)(block + parts.decisions);
    fsm->fired = (uint64_t *)(void *)(block + parts.fired);
    fsm->stack = (uint32_t *)(void *)(block + parts.stack);
    ploy_result result = PLOY_OK;
    for (uint32_t i = 1; i <= (uint32_t)type->items.count && result == PLOY_OK; i++) {
        const ployi_fsm_item *item = ployi_fsm_item_at(type, i);
        if (item->maker < 0) continue;
        result = ploy_maker_make(item->inside, &fsm->env, &fsm->insides[item->maker]);
    }
    ploy_decision_def def = ploy_decision_def_default();
    for (int32_t i = 0; i < type->links.count && result == PLOY_OK; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        if (link->tree < 0) continue;
        result =
            ploy_decision_create(&def, link->rule.tree, &fsm->env, &fsm->decisions[link->tree]);
    }
    if (result != PLOY_OK) fsm_free_block(fsm);
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
    ploy_result result = fsm_make_block(fsm);
    if (result != PLOY_OK) {
        ploy_env_free(env, fsm, sizeof *fsm);
        return result;
    }
    *out = fsm;
    return PLOY_OK;
}

void ploy_fsm_destroy(ploy_fsm *fsm) {
    if (fsm == NULL) return;
    fsm_free_block(fsm);
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

// The behavior of the present state if it is entered, else none.
static ploy_behavior fsm_inside(const ploy_fsm *fsm) {
    ploy_behavior none = {NULL, NULL};
    if (!fsm->inside) return none;
    return fsm->insides[ployi_fsm_item_at(fsm->type, fsm->current)->maker];
}

static void fsm_stop_inside(ploy_fsm *fsm, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_behavior behavior = fsm_inside(fsm);
    fsm->inside = false; // keeps (3)
    ploy_behavior_exit(behavior, context, reason);
}

static ploy_result fsm_hook_result(ploy_result result) {
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

static ploy_result fsm_start_inside(ploy_fsm *fsm, ploy_step_context *context) {
    const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, fsm->current);
    if (item->maker < 0) return PLOY_OK;
    fsm->inside = true;
    return ploy_behavior_enter(fsm->insides[item->maker], context);
}

// Enters the present state. Its hook may go on to another, whose affairs are then the present ones.
static ploy_result fsm_enter_current(ploy_fsm *fsm, ploy_step_context *context, bool hook) {
    const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, fsm->current);
    fsm->elapsed = 0.0;
    fsm->idle = 0.0;
    fsm->status = PLOY_STATUS_RUNNING;
    if (item->data_size > 0 && !item->keep) memset(fsm->data + item->data_at, 0, item->data_size);
    uint64_t change = fsm->changes;
    if (hook && item->hooks.enter != NULL) {
        ploy_fsm_turn turn = fsm_turn(fsm, context, fsm->current);
        ploy_result result = fsm_hook_result(item->hooks.enter(item->hooks.user, &turn));
        if (result != PLOY_OK) return result;
        if (fsm->changes != change) return PLOY_OK;
    }
    return fsm_start_inside(fsm, context);
}

static void fsm_leave_current(ploy_fsm *fsm, ploy_step_context *context, ploy_exit_reason reason) {
    const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, fsm->current);
    fsm->leaving = true;
    fsm_stop_inside(fsm, context, reason);
    if (item->hooks.exit != NULL) {
        ploy_fsm_turn turn = fsm_turn(fsm, context, fsm->current);
        item->hooks.exit(item->hooks.user, &turn);
    }
    fsm->leaving = false;
}

// One change: exit, action, enter.
static ploy_result fsm_go_once(ploy_fsm *fsm, ploy_step_context *context, uint32_t to,
                               int32_t rule) {
    fsm->changes++;
    fsm_leave_current(fsm, context, PLOY_EXIT_INTERRUPTED);
    if (context->trace != NULL) {
        ploy_fsm_state state = {to};
        ploy_trace_text(context->trace, "state", ploy_fsm_type_id(fsm->type, state));
    }
    fsm->previous = fsm->current;
    fsm->current = to;
    fsm->last = rule;
    ploy_result result = PLOY_OK;
    if (rule >= 0) {
        const ploy_fsm_rule *fired = &ployi_fsm_link_at(fsm->type, rule)->rule;
        if (fsm->type->def.arbiter == PLOY_FSM_LEAST_RECENT) fsm->fired[rule] = fsm->changes;
        if (fired->action != NULL) {
            ploy_fsm_turn turn = fsm_turn(fsm, context, 0);
            // The machine is between two states; a change that the action asks for comes after.
            fsm->leaving = true;
            result = fsm_hook_result(fired->action(fired->user, &turn));
            fsm->leaving = false;
        }
    }
    ploy_result entered = fsm_enter_current(fsm, context, true);
    return result != PLOY_OK ? result : entered;
}

// Changes, and goes on while exits and actions asked for more.
static ploy_result fsm_go(ploy_fsm *fsm, ploy_step_context *context, uint32_t to, int32_t rule) {
    if (fsm->nesting >= PLOY_FSM_CHANGES_MAX) return PLOY_ERR_LIMIT;
    fsm->nesting++;
    ploy_result result = fsm_go_once(fsm, context, to, rule);
    for (int32_t i = 0; fsm->nesting == 1 && result == PLOY_OK && fsm->pending != 0; i++) {
        if (i == PLOY_FSM_CHANGES_MAX) {
            fsm->pending = 0;
            result = PLOY_ERR_LIMIT;
            break;
        }
        to = fsm->pending;
        fsm->pending = 0;
        result = fsm_go_once(fsm, context, to, -1);
    }
    fsm->nesting--;
    return result;
}

ploy_result ploy_fsm_change(ploy_fsm *fsm, ploy_step_context *context, ploy_fsm_state state) {
    if (!fsm->started) return PLOY_ERR_STATE;
    if (context == NULL || state.number == 0 || state.number > (uint32_t)fsm->type->items.count) {
        return PLOY_ERR_ARGUMENT;
    }
    if (fsm->leaving || (fsm->busy && fsm->type->def.deferred)) {
        fsm->pending = state.number;
        return PLOY_OK;
    }
    return fsm_go(fsm, context, state.number, -1);
}

ploy_result ploy_fsm_revert(ploy_fsm *fsm, ploy_step_context *context) {
    ploy_fsm_state state = {fsm->previous};
    if (state.number == 0) return PLOY_ERR_STATE;
    return ploy_fsm_change(fsm, context, state);
}

ploy_result ploy_fsm_push(ploy_fsm *fsm, ploy_step_context *context, ploy_fsm_state state) {
    if (!fsm->started) return PLOY_ERR_STATE;
    if (state.number == 0 || state.number > (uint32_t)fsm->type->items.count) {
        return PLOY_ERR_ARGUMENT;
    }
    if (fsm->depth >= fsm->type->def.stack) return PLOY_ERR_CAPACITY;
    fsm->stack[fsm->depth++] = fsm->current;
    return ploy_fsm_change(fsm, context, state);
}

ploy_result ploy_fsm_pop(ploy_fsm *fsm, ploy_step_context *context) {
    if (!fsm->started || fsm->depth == 0) return PLOY_ERR_STATE;
    ploy_fsm_state state = {fsm->stack[--fsm->depth]};
    return ploy_fsm_change(fsm, context, state);
}

// Fires a rule.
static ploy_result fsm_fire(ploy_fsm *fsm, ploy_step_context *context, int32_t rule, uint32_t to) {
    const ploy_fsm_rule *fired = &ployi_fsm_link_at(fsm->type, rule)->rule;
    if (fired->effect == PLOY_FSM_STAY) {
        if (fsm->type->def.arbiter == PLOY_FSM_LEAST_RECENT) fsm->fired[rule] = fsm->changes + 1;
        if (fired->action == NULL) return PLOY_OK;
        ploy_fsm_turn turn = fsm_turn(fsm, context, fsm->current);
        return fsm_hook_result(fired->action(fired->user, &turn));
    }
    if (fired->effect == PLOY_FSM_PUSH) fsm->stack[fsm->depth++] = fsm->current;
    if (fired->effect == PLOY_FSM_POP) fsm->depth--;
    return fsm_go(fsm, context, to, rule);
}

static ploy_moment fsm_moment(const ploy_fsm *fsm, ploy_step_context *context,
                              const ploy_message *message) {
    ploy_moment moment = {context, message, fsm->elapsed, fsm->status, NULL};
    return moment;
}

// Looks at the rules; *fired tells whether one did.
static ploy_result fsm_rules(ploy_fsm *fsm, ploy_step_context *context, const ploy_message *message,
                             bool *fired) {
    ploy_moment moment = fsm_moment(fsm, context, message);
    uint32_t to = 0;
    int32_t rule = ployi_fsm_choose(fsm, &moment, &to);
    *fired = rule >= 0;
    return rule >= 0 ? fsm_fire(fsm, context, rule, to) : PLOY_OK;
}

// After a hook: what it asked for in deferred mode.
static ploy_result fsm_after_hook(ploy_fsm *fsm, ploy_step_context *context, ploy_result result) {
    fsm->busy = false;
    result = fsm_hook_result(result);
    uint32_t to = fsm->pending;
    fsm->pending = 0;
    if (result != PLOY_OK || to == 0) return result;
    return fsm_go(fsm, context, to, -1);
}

static ploy_result fsm_execute(ploy_fsm *fsm, ploy_step_context *context) {
    const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, fsm->current);
    uint64_t change = fsm->changes;
    if (item->hooks.execute != NULL) {
        ploy_fsm_turn turn = fsm_turn(fsm, context, fsm->current);
        fsm->busy = true;
        ploy_result result = item->hooks.execute(item->hooks.user, &turn);
        result = fsm_after_hook(fsm, context, result);
        // The new state waits for its own turn.
        if (result != PLOY_OK || fsm->changes != change) return result;
    }
    if (!fsm->inside) return PLOY_OK;
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_result result = ploy_behavior_step(fsm_inside(fsm), context, &status);
    if (fsm->changes != change) return result;
    fsm->status = status;
    if (result != PLOY_OK) {
        fsm_stop_inside(fsm, context, PLOY_EXIT_ERROR);
    } else if (status != PLOY_STATUS_RUNNING) {
        fsm_stop_inside(fsm, context, PLOY_EXIT_FINISHED);
    }
    return result;
}

static ploy_result fsm_global(ploy_fsm *fsm, ploy_step_context *context) {
    const ploy_fsm_hooks *global = &fsm->type->global;
    if (global->execute == NULL) return PLOY_OK;
    ploy_fsm_turn turn = fsm_turn(fsm, context, 0);
    fsm->busy = true;
    return fsm_after_hook(fsm, context, global->execute(global->user, &turn));
}

static ploy_result fsm_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_fsm *fsm = self;
    const ploy_fsm_def *def = &fsm->type->def;
    if (!fsm->started) return PLOY_ERR_STATE;
    fsm->elapsed += (double)context->dt;
    fsm->idle += (double)context->dt;
    ploy_result result = fsm_global(fsm, context);
    bool fired = false;
    if (result == PLOY_OK && def->order == PLOY_FSM_EXECUTE_FIRST) {
        result = fsm_execute(fsm, context);
    }
    if (result == PLOY_OK) result = fsm_rules(fsm, context, NULL, &fired);
    if (result == PLOY_OK && !fired && def->idle > 0.0f && fsm->type->idle != 0 &&
        fsm->idle >= (double)def->idle) {
        result = fsm_go(fsm, context, fsm->type->idle, -1);
        fired = true;
    }
    bool executes = def->order == PLOY_FSM_RULES_FIRST || (def->order == PLOY_FSM_EITHER && !fired);
    if (result == PLOY_OK && executes) result = fsm_execute(fsm, context);
    if (result != PLOY_OK) return result;
    const ployi_fsm_item *item = ployi_fsm_item_at(fsm->type, fsm->current);
    *status = item->final ? item->status : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result fsm_enter(void *self, ploy_step_context *context) {
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

static void fsm_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_fsm *fsm = self;
    if (!fsm->started) return;
    fsm_leave_current(fsm, context, reason);
    fsm->previous = fsm->current; // remembered, if the def says so
    fsm->current = 0;
    fsm->pending = 0;
    fsm->started = false;
}

static ploy_result fsm_commit(void *self, ploy_step_context *context) {
    return ploy_behavior_commit(fsm_inside(self), context);
}

// One hook's chance to handle a message.
static ploy_result fsm_offer(ploy_fsm *fsm, ploy_step_context *context, const ploy_fsm_hooks *hooks,
                             uint32_t state, const ploy_message *message, bool *handled) {
    if (hooks->message == NULL) return PLOY_OK;
    ploy_fsm_turn turn = fsm_turn(fsm, context, state);
    bool outer = fsm->busy;
    fsm->busy = true;
    ploy_result result = hooks->message(hooks->user, &turn, message, handled);
    if (outer) return fsm_hook_result(result); // a message within a hook of this very machine
    return fsm_after_hook(fsm, context, result);
}

// Inside first, then the state, then rules that answer this kind, then the global state.
static ploy_result fsm_message(void *self, ploy_step_context *context, const ploy_message *message,
                               bool *handled) {
    ploy_fsm *fsm = self;
    *handled = false;
    if (!fsm->started) return PLOY_OK;
    ploy_result result = ploy_behavior_message(fsm_inside(fsm), context, message, handled);
    if (result == PLOY_OK && !*handled) {
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

static void fsm_describe(const void *self, ploy_describe *out) {
    ploy_fsm_describe(self, out);
}

static void fsm_draw(const void *self, ploy_draw *out) {
    ploy_behavior_draw(fsm_inside(self), out);
}

ploy_behavior ploy_fsm_get(ploy_fsm *fsm) {
    static const ploy_behavior_type type = {
        .name = "state machine",
        .enter = fsm_enter,
        .step = fsm_step,
        .exit = fsm_exit,
        .commit = fsm_commit,
        .message = fsm_message,
        .destroy = fsm_free,
        .describe = fsm_describe,
        .draw = fsm_draw,
        .save = ployi_fsm_save,
        .load = ployi_fsm_load,
    };
    ploy_behavior behavior = {&type, fsm};
    return behavior;
}

static ploy_result fsm_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_fsm *fsm = NULL;
    ploy_result result = ploy_fsm_create(user, NULL, env, &fsm);
    if (result == PLOY_OK) *out = ploy_fsm_get(fsm);
    return result;
}

ploy_maker ploy_fsm_type_maker(ploy_fsm_type *type) {
    ploy_maker maker = ploy_maker_of(fsm_make, type);
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

int32_t ploy_fsm_depth(const ploy_fsm *fsm) {
    return fsm->depth;
}

bool ploy_fsm_is_in(const ploy_fsm *fsm, const char *id) {
    return fsm->current != 0 &&
           ploy_name_equal(ployi_fsm_item_at(fsm->type, fsm->current)->id, ploy_name_of(id));
}

double ploy_fsm_elapsed(const ploy_fsm *fsm) {
    return fsm->elapsed;
}

uint64_t ploy_fsm_changes(const ploy_fsm *fsm) {
    return fsm->changes;
}

const char *ploy_fsm_last_rule(const ploy_fsm *fsm) {
    if (fsm->last < 0) return "";
    return ployi_build_text(&fsm->type->build, ployi_fsm_link_at(fsm->type, fsm->last)->id);
}

const ploy_fsm_type *ploy_fsm_type_of(const ploy_fsm *fsm) {
    return fsm->type;
}

// The state of the new type with the same id, or 0.
static uint32_t fsm_match(const ploy_fsm *fsm, const ploy_fsm_type *type, uint32_t number) {
    ploy_fsm_state state = {number};
    return ploy_fsm_type_find(type, ploy_fsm_type_id(fsm->type, state)).number;
}

// Moves private bytes and behaviors of states that are in both types.
static void fsm_move_states(ploy_fsm *old, ploy_fsm *fresh) {
    for (uint32_t i = 1; i <= (uint32_t)old->type->items.count; i++) {
        uint32_t match = fsm_match(old, fresh->type, i);
        if (match == 0) continue;
        const ployi_fsm_item *from = ployi_fsm_item_at(old->type, i);
        const ployi_fsm_item *to = ployi_fsm_item_at(fresh->type, match);
        if (from->data_size > 0 && from->data_size == to->data_size) {
            memcpy(fresh->data + to->data_at, old->data + from->data_at, from->data_size);
        }
        if (from->maker < 0 || to->maker < 0 || from->inside.make != to->inside.make ||
            from->inside.user != to->inside.user) {
            continue;
        }
        ploy_behavior kept = old->insides[from->maker];
        old->insides[from->maker] = fresh->insides[to->maker];
        fresh->insides[to->maker] = kept;
    }
    for (int32_t i = 0; i < old->depth; i++) {
        uint32_t match = fsm_match(old, fresh->type, old->stack[i]);
        if (match != 0 && fresh->depth < fresh->type->def.stack) {
            fresh->stack[fresh->depth++] = match;
        }
    }
}

ploy_result ploy_fsm_swap(ploy_fsm *fsm, ploy_step_context *context, const ploy_fsm_type *type,
                          bool keep, bool *kept) {
    if (context == NULL || type == NULL) return PLOY_ERR_ARGUMENT;
    // A hook of the old type is still on its way: it must not return into another one.
    if (!type->build.finished || fsm->leaving || fsm->busy || fsm->nesting > 0) {
        return PLOY_ERR_STATE;
    }
    ploy_fsm fresh;
    memset(&fresh, 0, sizeof fresh);
    fresh.env = fsm->env;
    fresh.type = type;
    fresh.owner = fsm->owner;
    fresh.last = -1;
    ploy_result result = fsm_make_block(&fresh);
    if (result != PLOY_OK) return result;
    uint32_t match = keep && fsm->started ? fsm_match(fsm, type, fsm->current) : 0;
    if (kept != NULL) *kept = match != 0;
    fresh.changes = fsm->changes + 1;
    if (match == 0) {
        bool started = fsm->started;
        fsm_exit(fsm, context, PLOY_EXIT_REPLACED);
        fsm_free_block(fsm);
        *fsm = fresh;
        return started ? fsm_enter(fsm, context) : PLOY_OK;
    }
    fsm_move_states(fsm, &fresh);
    fresh.current = match;
    if (fsm->previous != 0) fresh.previous = fsm_match(fsm, type, fsm->previous);
    fresh.elapsed = fsm->elapsed;
    fresh.idle = fsm->idle;
    fresh.status = fsm->status;
    fresh.started = true;
    const ployi_fsm_item *from = ployi_fsm_item_at(fsm->type, fsm->current);
    const ployi_fsm_item *to = ployi_fsm_item_at(type, match);
    bool same = from->maker >= 0 && to->maker >= 0 && from->inside.make == to->inside.make &&
                from->inside.user == to->inside.user;
    if (same) {
        fresh.inside = fsm->inside;
    } else if (fsm->inside) {
        fsm_stop_inside(fsm, context, PLOY_EXIT_REPLACED);
    }
    fsm_free_block(fsm);
    *fsm = fresh;
    if (same || to->maker < 0) return PLOY_OK;
    fsm->status = PLOY_STATUS_RUNNING;
    return fsm_start_inside(fsm, context);
}

void ploy_fsm_describe(const ploy_fsm *fsm, ploy_describe *out) {
    if (fsm == NULL || out == NULL) return;
    const ploy_fsm_type *type = fsm->type;
    ploy_describe_text(out, "state", PLOY_STATE, ploy_fsm_type_id(type, ploy_fsm_current(fsm)));
    ploy_describe_text(out, "previous", PLOY_STATE, ploy_fsm_type_id(type, ploy_fsm_previous(fsm)));
    ploy_describe_f64(out, "elapsed", PLOY_STATE, fsm->elapsed);
    ploy_describe_f64(out, "idle", PLOY_STATE, fsm->idle);
    ploy_describe_u64(out, "changes", PLOY_STATE, fsm->changes);
    ploy_describe_text(out, "status", PLOY_STATE, ploy_status_text(fsm->status));
    ploy_describe_text(out, "last rule", PLOY_NOTE, ploy_fsm_last_rule(fsm));
    if (fsm->depth > 0) {
        ploy_describe_begin(out, "stack");
        for (int32_t i = 0; i < fsm->depth; i++) {
            ploy_fsm_state state = {fsm->stack[i]};
            ploy_describe_begin_item(out, i);
            ploy_describe_text(out, "state", PLOY_STATE, ploy_fsm_type_id(type, state));
            ploy_describe_end(out);
        }
        ploy_describe_end(out);
    }
    for (uint32_t i = 1; i <= (uint32_t)type->items.count; i++) {
        const ployi_fsm_item *item = ployi_fsm_item_at(type, i);
        bool tells = item->data_size > 0 && item->hooks.describe != NULL;
        if (item->maker < 0 && !tells) continue;
        ploy_describe_begin(out, ployi_build_text(&type->build, item->id));
        if (item->maker >= 0) {
            ploy_describe_bool(out, "runs", PLOY_STATE, fsm->inside && i == fsm->current);
            ploy_behavior_describe(fsm->insides[item->maker], out);
        }
        if (tells) item->hooks.describe(item->hooks.user, fsm->data + item->data_at, out);
        ploy_describe_end(out);
    }
    for (int32_t i = 0; i < type->links.count; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        bool fired = type->def.arbiter == PLOY_FSM_LEAST_RECENT;
        if (link->tree < 0 && !fired) continue;
        ploy_describe_begin(out, ployi_build_text(&type->build, link->id));
        if (fired) ploy_describe_u64(out, "fired", PLOY_STATE, fsm->fired[i]);
        if (link->tree >= 0) ploy_decision_describe(fsm->decisions[link->tree], out);
        ploy_describe_end(out);
    }
}
