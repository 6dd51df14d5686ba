// One character's hierarchical machine: memory, events, hooks, and its face as a behavior; the
// technique is described in the header, the algorithm lies in hsm_run.c.
//
// Besides the header there is one block, so that ploy_hsm_swap can exchange it.
//
// Invariants of a started machine under the policy `scxml`:
//   (1) active holds with each state its parent, with a compound state a child, with a parallel one
//       all children (and one child only, but for the oddity described in hsm_run.c);
//   (2) only behaviors of active states are entered;
//   (3) later is sorted by due.
#include "base/compiler.h"
#include "hsm_internal.h"

#include "decide/decide_internal.h"

#include <stdio.h>
#include <string.h>

// Takes the next part of the block, or only counts if there is no block yet.
static void *hsm_take(char *block, size_t *used, int64_t count, size_t size, bool *fits) {
    size_t begin = *used, end;
    if (!ploy_size_add_array(begin, count, size, &end) || end > SIZE_MAX - 16) {
        *fits = false;
        return NULL;
    }
    *used = (end + 15) / 16 * 16;
    return block != NULL ? block + begin : NULL;
}

// Lays the parts of a machine out behind its header; returns the bytes of all, 0 if too many.
static size_t hsm_lay(ploy_hsm *hsm, const ploy_hsm_type *type, char *block) {
    int64_t nodes = type->nodes.count, words = (nodes + 63) / 64;
    bool fits = true;
    size_t used = 0, set = sizeof(uint64_t);
    size_t event = sizeof(ploy_hsm_event);
    hsm->insides = hsm_take(block, &used, type->makers, sizeof(ploy_nested), &fits);
    hsm->active = hsm_take(block, &used, words, set, &fits);
    hsm->histories = hsm_take(block, &used, words * type->histories, set, &fits);
    hsm->scratch = hsm_take(block, &used, words * PLOYI_HSM_SETS, set, &fits);
    hsm->taken = hsm_take(block, &used, ((int64_t)type->links.count + 63) / 64, set, &fits);
    hsm->enabled = hsm_take(block, &used, nodes, sizeof(int32_t), &fits);
    hsm->content = hsm_take(block, &used, nodes, sizeof(int32_t), &fits);
    hsm->current = hsm_take(block, &used, nodes, sizeof(uint32_t), &fits);
    // What is large and mostly unused comes last, so that the rest lies close together.
    hsm->inner.events = hsm_take(block, &used, type->def.queue, event, &fits);
    hsm->outer.events = hsm_take(block, &used, type->def.queue, event, &fits);
    hsm->later = hsm_take(block, &used, type->def.queue, sizeof(ployi_hsm_later), &fits);
    hsm->words = (int32_t)words;
    return fits ? used : 0;
}

void ployi_hsm_free_block(ploy_hsm *hsm) {
    if (hsm->block == NULL) return;
    for (int32_t i = 0; i < hsm->type->makers; i++) ploy_nested_destroy(&hsm->insides[i]);
    ploy_env_free(&hsm->env, hsm->block, hsm->size);
    hsm->block = NULL;
}

ploy_result ployi_hsm_make_block(ploy_hsm *hsm) {
    const ploy_hsm_type *type = hsm->type;
    hsm->size = hsm_lay(hsm, type, NULL);
    if (hsm->size == 0) return PLOY_ERR_LIMIT;
    hsm->block = ploy_env_alloc_zero(&hsm->env, hsm->size);
    if (hsm->block == NULL) return PLOY_ERR_MEMORY;
    (void)hsm_lay(hsm, type, hsm->block);
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        if (node->maker < 0) continue;
        ploy_result result = ploy_nested_make(&hsm->insides[node->maker], node->inside, &hsm->env);
        if (result == PLOY_OK) continue;
        ployi_hsm_free_block(hsm);
        return result;
    }
    return PLOY_OK;
}

ploy_result ploy_hsm_create(const ploy_hsm_type *type, void *owner, const ploy_env *env,
                            ploy_hsm **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    ploy_hsm *hsm = ploy_env_alloc_zero(env, sizeof *hsm);
    if (hsm == NULL) return PLOY_ERR_MEMORY;
    hsm->env = *env;
    hsm->type = type;
    hsm->owner = owner;
    ploy_result result = ployi_hsm_make_block(hsm);
    if (result != PLOY_OK) {
        ploy_env_free(env, hsm, sizeof *hsm);
        return result;
    }
    *out = hsm;
    return PLOY_OK;
}

void ploy_hsm_destroy(ploy_hsm *hsm) {
    if (hsm == NULL) return;
    ployi_hsm_free_block(hsm);
    ploy_env env = hsm->env;
    ploy_env_free(&env, hsm, sizeof *hsm);
}

// ---- events

static ploy_result hsm_queue_add(ploy_hsm *hsm, ployi_hsm_queue *queue,
                                 const ploy_hsm_event *event) {
    int32_t capacity = hsm->type->def.queue;
    if (event == NULL || event->count < 1 || event->count > PLOY_HSM_EVENT_PARTS) {
        return PLOY_ERR_ARGUMENT;
    }
    if (queue->count == capacity) return PLOY_ERR_CAPACITY;
    int32_t at = queue->first + queue->count++;
    queue->events[at < capacity ? at : at - capacity] = *event;
    return PLOY_OK;
}

ploy_result ploy_hsm_send(ploy_hsm *hsm, const ploy_hsm_event *event) {
    return hsm_queue_add(hsm, &hsm->outer, event);
}

ploy_result ployi_hsm_raise(ploy_hsm *hsm, const ploy_hsm_event *event) {
    return hsm_queue_add(hsm, &hsm->inner, event);
}

bool ployi_hsm_next_event(ploy_hsm *hsm) {
    ployi_hsm_queue *queue = hsm->inner.count > 0 ? &hsm->inner : &hsm->outer;
    hsm->has_event = queue->count > 0;
    if (!hsm->has_event) return false;
    hsm->event = queue->events[queue->first];
    queue->count--;
    // An empty queue begins at its front again: the next event finds memory that was just used.
    bool wraps = queue->first + 1 == hsm->type->def.queue || queue->count == 0;
    queue->first = wraps ? 0 : queue->first + 1;
    return true;
}

void ployi_hsm_raise_own(ploy_hsm *hsm, const ploy_hsm_event *event) {
    ployi_hsm_note(hsm, ployi_hsm_raise(hsm, event));
}

// ---- hooks, the same for both policies

void ployi_hsm_note(ploy_hsm *hsm, ploy_result result) {
    if (result > PLOY_OK) result = PLOY_ERR_CALLBACK;
    if (hsm->result == PLOY_OK) hsm->result = result;
}

static ploy_hsm_turn hsm_turn(ploy_hsm *hsm, ploy_step_context *context) {
    ploy_hsm_turn turn = {hsm, context, hsm->owner, hsm->has_event ? &hsm->event : NULL};
    return turn;
}

void ployi_hsm_act(ploy_hsm *hsm, ploy_step_context *context, ploy_hsm_action_fn action,
                   void *user) {
    if (action == NULL) return;
    ploy_hsm_turn turn = hsm_turn(hsm, context);
    ployi_hsm_note(hsm, action(user, &turn));
}

static const char *hsm_id(const ploy_hsm *hsm, uint32_t number) {
    ploy_hsm_state state = {number};
    return ploy_hsm_type_id(hsm->type, state);
}

// After a call of a state's behavior that was entered: the event that reports its end, if it has
// ended. "done.invoke.<id>" or "error.execution.<id>"; rules on the front parts match too.
static void hsm_after_inside(ploy_hsm *hsm, uint32_t number) {
    const ploy_nested *inside = ployi_hsm_inside(hsm, number);
    if (inside->entered) return;
    char text[256];
    snprintf(text, sizeof text, "%s.%s", inside->failed ? "error.execution" : "done.invoke",
             hsm_id(hsm, number));
    ploy_hsm_event event = ploy_hsm_event_make(text);
    ployi_hsm_raise_own(hsm, &event);
}

void ployi_hsm_enter_inside(ploy_hsm *hsm, ploy_step_context *context, uint32_t number) {
    ploy_nested *inside = ployi_hsm_inside(hsm, number);
    (void)ploy_nested_enter(inside, &hsm->env, hsm_id(hsm, number), context);
    hsm_after_inside(hsm, number);
}

void ployi_hsm_fire(ploy_hsm *hsm, ploy_step_context *context, int32_t rule) {
    const ployi_hsm_link *link = ployi_hsm_link_at(hsm->type, rule);
    if (!hsm->fresh) {
        int32_t words = (hsm->type->links.count + 63) / 64;
        hsm->taken[0] = 0; // almost always the only word
        for (int32_t i = 1; i < words; i++) hsm->taken[i] = 0;
        hsm->fresh = true;
    }
    ployi_hsm_put(hsm->taken, (uint32_t)rule);
    if (link->action != NULL) ployi_hsm_act(hsm, context, link->action, link->user);
    if (link->content.number != 0) ployi_hsm_do(hsm, context, link->content);
    if (hsm->result != PLOY_OK) {
        ploy_step_blame(context, ployi_build_text(&hsm->type->build, link->id));
    }
}

static void hsm_tell(const ploy_hsm *hsm, ploy_step_context *context, const char *what,
                     uint32_t number) {
    if (context->trace == NULL) return;
    ploy_trace_text(context->trace, what, hsm_id(hsm, number));
}

void ployi_hsm_enter_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number) {
    const ployi_hsm_node *node = ployi_hsm_node_at(hsm->type, number);
    hsm_tell(hsm, context, "enter", number);
    ployi_hsm_put(hsm->active, number);
    if (node->hooks.enter != NULL) {
        ployi_hsm_act(hsm, context, node->hooks.enter, node->hooks.user);
    }
    if (node->on_enter.number != 0) ployi_hsm_do(hsm, context, node->on_enter);
    if (hsm->result != PLOY_OK) ploy_step_blame(context, hsm_id(hsm, number));
    // A state that is entered again without an exit (see hsm_run.c) keeps its behavior going.
    if (node->maker < 0 || hsm->insides[node->maker].entered) return;
    ployi_hsm_enter_inside(hsm, context, number);
}

void ployi_hsm_exit_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number,
                          ploy_exit_reason reason) {
    const ployi_hsm_node *node = ployi_hsm_node_at(hsm->type, number);
    hsm_tell(hsm, context, "exit", number);
    if (node->maker >= 0) ploy_nested_exit(&hsm->insides[node->maker], context, reason);
    if (node->hooks.exit != NULL) {
        ploy_hsm_turn turn = hsm_turn(hsm, context);
        node->hooks.exit(node->hooks.user, &turn);
    }
    if (node->on_exit.number != 0) ployi_hsm_do(hsm, context, node->on_exit);
    ployi_hsm_drop(hsm->active, number); // last: a state is still in while it is left
}

void ployi_hsm_execute_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number) {
    const ployi_hsm_node *node = ployi_hsm_node_at(hsm->type, number);
    ployi_hsm_act(hsm, context, node->hooks.execute, node->hooks.user);
    if (hsm->result != PLOY_OK) ploy_step_blame(context, hsm_id(hsm, number));
    if (node->maker < 0 || !hsm->insides[node->maker].entered) return;
    (void)ploy_nested_step(&hsm->insides[node->maker], &hsm->env, hsm_id(hsm, number), context);
    hsm_after_inside(hsm, number);
}

ploy_moment ployi_hsm_moment(const ploy_hsm *hsm, ploy_step_context *context) {
    ploy_moment moment = ploy_moment_make(context);
    if (hsm->has_event) moment.message = &hsm->event.message;
    moment.asker = hsm;
    return moment;
}

bool ployi_hsm_holds(const ploy_hsm *hsm, ploy_step_context *context, const ployi_hsm_link *link) {
    if (hsm->has_event != (link->on_count > 0)) return false;
    if (hsm->has_event) {
        const ploy_name *ons = PLOY_ARRAY_ITEMS(&hsm->type->ons, ploy_name) + link->on_first;
        bool match = link->any;
        for (int32_t i = 0; i < link->on_count && !match; i++) {
            for (int32_t k = 0; k < hsm->event.count && !match; k++) {
                match = ploy_name_equal(ons[i], hsm->event.names[k]);
            }
        }
        if (!match) return false;
    }
    if (ploy_condition_is_none(link->when)) return true;
    ploy_moment moment = ployi_hsm_moment(hsm, context);
    return ploy_condition_test(hsm->type->conditions, link->when, &moment);
}

// A transition by its states, because ids such as "menu#0" are made up for those that have none.
static void hsm_tell_rule(const ploy_hsm *hsm, ploy_trace *trace, const ployi_hsm_link *link,
                          bool holds) {
    const ploy_hsm_type *type = hsm->type;
    const char *id = ployi_build_text(&type->build, link->id);
    const char *from = ployi_build_text(&type->build, ployi_hsm_node_at(type, link->from)->id);
    char name[128];
    if (strchr(id, '#') == NULL) {
        snprintf(name, sizeof name, "%.120s", id);
    } else if (link->target_count > 0) {
        uint32_t target = ployi_hsm_targets(type, link->target_first)[0];
        snprintf(name, sizeof name, "%.56s to %.56s", from,
                 ployi_build_text(&type->build, ployi_hsm_node_at(type, target)->id));
    } else {
        snprintf(name, sizeof name, "within %.100s", from);
    }
    ploy_trace_option(trace, name, holds ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, 0.0,
                      holds                                   ? "enabled"
                      : link->on_count > 0 && !hsm->has_event ? "waits for an event"
                      : link->on_count > 0 ? "the event is another one, or its condition is false"
                      : hsm->has_event     ? "only for when there is no event"
                                           : "its condition is false");
}

int32_t ployi_hsm_rule_of(const ploy_hsm *hsm, ploy_step_context *context, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    const ployi_hsm_node *node = ployi_hsm_node_at(type, number);
    for (int32_t k = 0; k < node->count; k++) {
        int32_t rule = PLOY_ARRAY_ITEMS(&type->order, int32_t)[node->first + k];
        const ployi_hsm_link *link = ployi_hsm_link_at(type, rule);
        bool holds = ployi_hsm_holds(hsm, context, link);
        if (context->trace != NULL) hsm_tell_rule(hsm, context->trace, link, holds);
        if (holds) return rule;
    }
    return -1;
}

// ---- as a behavior

void ployi_hsm_clear(ploy_hsm *hsm) {
    size_t set = (size_t)hsm->words * sizeof(uint64_t);
    memset(hsm->active, 0, set);
    memset(hsm->histories, 0, (size_t)hsm->type->histories * set);
    memset(hsm->current, 0, (size_t)hsm->type->nodes.count * sizeof *hsm->current);
    hsm->done = false;
    hsm->has_event = false;
}

static ploy_result hsm_enter(void *self, ploy_step_context *context) {
    ploy_hsm *hsm = self;
    if (hsm->started) return PLOY_ERR_STATE;
    const ployi_hsm_node *root = ployi_hsm_node_at(hsm->type, 0);
    hsm->started = true;
    hsm->result = PLOY_OK;
    ployi_hsm_clear(hsm);
    if (hsm->type->def.policy == PLOY_HSM_KEEP_INNER) {
        // The outermost state is current from the start; its entering is no transition.
        hsm->current[0] = ployi_hsm_targets(hsm->type, root->initial_first)[0];
        ployi_hsm_put(hsm->active, hsm->current[0]);
        return PLOY_OK;
    }
    hsm->busy = true;
    ployi_hsm_start(hsm, context);
    hsm->busy = false;
    return hsm->result;
}

// Executes the active states that do anything, inner ones first.
static void hsm_execute_all(ploy_hsm *hsm, ploy_step_context *context) {
    const uint64_t *acts = ployi_hsm_type_set(hsm->type, PLOYI_HSM_ACTS);
    for (int32_t word = hsm->words - 1; word >= 0; word--) {
        for (uint64_t left = hsm->active[word] & acts[word]; left != 0 && !hsm->done;) {
            uint32_t bit = (uint32_t)ployi_highest_bit(left);
            left ^= (uint64_t)1 << bit;
            ployi_hsm_execute_state(hsm, context, (uint32_t)word * 64 + bit);
        }
    }
}

static ploy_result hsm_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_hsm *hsm = self;
    if (!hsm->started) return PLOY_ERR_STATE;
    hsm->result = PLOY_OK;
    hsm->busy = true;
    hsm->fresh = false;
    if (hsm->later_count > 0) ployi_hsm_deliver(hsm, context->now);
    if (context->trace != NULL) {
        ploy_trace_begin(context->trace, context->agent, "transition", "hierarchical machine");
    }
    if (hsm->type->def.policy == PLOY_HSM_KEEP_INNER) {
        ployi_hsm_levels_step(hsm, context);
    } else {
        ployi_hsm_run(hsm, context);
        hsm_execute_all(hsm, context);
    }
    ploy_trace_end(context->trace);
    hsm->busy = false;
    if (hsm->result != PLOY_OK) return hsm->result;
    *status = hsm->done ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void hsm_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_hsm *hsm = self;
    if (!hsm->started) return;
    hsm->has_event = false;
    hsm->busy = true;
    ployi_hsm_exit_set(hsm, context, hsm->active, reason);
    hsm->busy = false;
    hsm->started = false;
    hsm->inner.count = 0;
    hsm->outer.count = 0;
    hsm->later_count = 0;
}

// Inner behaviors are asked first; what none takes becomes an event.
static ploy_result hsm_message(void *self, ploy_step_context *context, const ploy_message *message,
                               bool *handled) {
    ploy_hsm *hsm = self;
    *handled = false;
    if (!hsm->started) return PLOY_OK;
    bool outer = hsm->busy;
    hsm->busy = true;
    if (!outer) hsm->result = PLOY_OK;
    const uint32_t *holders = PLOY_ARRAY_ITEMS(&hsm->type->holders, uint32_t);
    for (int32_t i = hsm->type->makers - 1; i >= 0 && !*handled; i--) {
        if (!hsm->insides[i].entered) continue;
        *handled = ploy_nested_message(&hsm->insides[i], &hsm->env, hsm_id(hsm, holders[i]),
                                       context, message);
        hsm_after_inside(hsm, holders[i]);
    }
    hsm->busy = outer;
    if (hsm->result != PLOY_OK) return hsm->result;
    if (*handled || ploy_name_is_none(message->kind)) return PLOY_OK;
    // Only kinds that some rule answers are kept.
    const ploy_name *ons = PLOY_ARRAY_ITEMS(&hsm->type->ons, ploy_name);
    bool wanted = false;
    for (int32_t i = 0; i < hsm->type->ons.count && !wanted; i++) {
        wanted =
            ploy_name_equal(ons[i], message->kind) || ploy_name_equal(ons[i], ploy_name_of("*"));
    }
    if (!wanted) return PLOY_OK;
    ploy_hsm_event event;
    memset(&event, 0, sizeof event);
    event.names[0] = message->kind;
    event.count = 1;
    event.message = *message;
    *handled = true;
    return ploy_hsm_send(hsm, &event);
}

static ploy_result hsm_commit(void *self, ploy_step_context *context) {
    ploy_hsm *hsm = self;
    const uint32_t *holders = PLOY_ARRAY_ITEMS(&hsm->type->holders, uint32_t);
    hsm->busy = true;
    hsm->result = PLOY_OK;
    for (int32_t i = 0; i < hsm->type->makers; i++) {
        if (!hsm->insides[i].entered) continue;
        ploy_nested_commit(&hsm->insides[i], &hsm->env, hsm_id(hsm, holders[i]), context);
        hsm_after_inside(hsm, holders[i]);
    }
    hsm->busy = false;
    return hsm->result;
}

static void hsm_draw(const void *self, ploy_draw *out) {
    const ploy_hsm *hsm = self;
    for (int32_t i = 0; i < hsm->type->makers; i++) ploy_nested_draw(&hsm->insides[i], out);
}

static void hsm_free(void *self) {
    ploy_hsm_destroy(self);
}

ploy_behavior ploy_hsm_behavior(ploy_hsm *hsm) {
    static const ploy_behavior_type type = {
        .name = "hierarchical machine",
        .enter = hsm_enter,
        .step = hsm_step,
        .exit = hsm_exit,
        .commit = hsm_commit,
        .message = hsm_message,
        .destroy = hsm_free,
        .draw = hsm_draw,
        .visit = ployi_hsm_visit,
    };
    ploy_behavior behavior = {&type, hsm};
    return behavior;
}

static ploy_result hsm_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_hsm *hsm = NULL;
    ploy_result result = ploy_hsm_create(user, NULL, env, &hsm);
    if (result == PLOY_OK) *out = ploy_hsm_behavior(hsm);
    return result;
}

static ploy_result hsm_check(const void *user, const ploy_blackboard_layout *layout,
                             ploy_diags *diags) {
    const ploy_hsm_type *type = user;
    if (!type->build.finished) return ployi_build_unfinished("a hierarchical machine", diags);
    ploy_result first = ploy_maker_check_layout(type->layout, layout, diags);
    const uint32_t *holders = PLOY_ARRAY_ITEMS(&type->holders, uint32_t);
    // What this type's own layout refuses was refused by its finish.
    for (int32_t i = 0; i < type->makers && type->layout == NULL; i++) {
        ploy_maker inside = ployi_hsm_node_at(type, holders[i])->inside;
        ploy_result result = ploy_maker_check(inside, layout, &type->build.env, diags);
        if (first == PLOY_OK) first = result;
    }
    return first;
}

ploy_maker ploy_hsm_type_maker(ploy_hsm_type *type) {
    ploy_maker maker = {hsm_make, type, NULL, hsm_check};
    return maker;
}

int32_t ploy_hsm_active(const ploy_hsm *hsm, ploy_hsm_state *out, int32_t capacity) {
    int32_t count = 0;
    if (!hsm->started) return 0;
    bool keep = hsm->type->def.policy == PLOY_HSM_KEEP_INNER;
    uint32_t next = keep ? hsm->current[0] : 1;
    while (next != 0 && next < (uint32_t)hsm->type->nodes.count) {
        if (keep || ployi_hsm_has(hsm->active, next)) {
            if (count < capacity) out[count].number = next;
            count++;
        }
        next = keep ? hsm->current[next] : next + 1;
    }
    return count;
}

bool ployi_hsm_is_active(const ploy_hsm *hsm, uint32_t number) {
    if (number == 0 || !hsm->started) return false;
    if (hsm->type->def.policy == PLOY_HSM_SCXML) return ployi_hsm_has(hsm->active, number);
    for (uint32_t i = hsm->current[0]; i != 0; i = hsm->current[i]) {
        if (i == number) return true;
    }
    return false;
}

bool ploy_hsm_is_in(const ploy_hsm *hsm, const char *id) {
    return ployi_hsm_is_active(hsm, ploy_hsm_type_find(hsm->type, id).number);
}

uint64_t ployi_hsm_changes(const ploy_hsm *hsm) {
    return hsm->changes;
}

bool ployi_hsm_has_taken(const ploy_hsm *hsm, int32_t rule) {
    return rule >= 0 && rule < hsm->type->links.count && ployi_hsm_has(hsm->taken, (uint32_t)rule);
}

const ploy_hsm_type *ploy_hsm_type_of(const ploy_hsm *hsm) {
    return hsm->type;
}

bool ploy_hsm_next_due(const ploy_hsm *hsm, double *out) {
    if (hsm->later_count == 0) return false;
    *out = hsm->later[0].due;
    return true;
}
