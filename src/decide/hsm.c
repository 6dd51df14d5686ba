// Hierarchical machines: the algorithm of SCXML; the technique is described in the header.
//
// Everything lies in one block; sets of states are bits in the order of the document, so that a
// walk over a set is a walk in that order. Names of the functions below follow the W3C's where
// there is one (in comments), so that the two can be compared.
//
// Invariants of a started machine under the policy `scxml`:
//   (1) active holds with each state its parent, with a compound state exactly one child, with a
//       parallel one all children;
//   (2) running is a part of active.
#include "hsm_internal.h"

#include <string.h>

enum { HSM_EXIT, HSM_ENTRY, HSM_DEFAULT, HSM_OTHER, HSM_SETS };

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
    size_t used = (sizeof(ploy_hsm) + 15) / 16 * 16, set = sizeof(uint64_t);
    size_t event = sizeof(ploy_hsm_event);
    hsm->insides = hsm_take(block, &used, type->makers, sizeof(ploy_behavior), &fits);
    hsm->inner.events = hsm_take(block, &used, type->def.queue, event, &fits);
    hsm->outer.events = hsm_take(block, &used, type->def.queue, event, &fits);
    hsm->active = hsm_take(block, &used, words, set, &fits);
    hsm->running = hsm_take(block, &used, words, set, &fits);
    hsm->histories = hsm_take(block, &used, words * type->histories, set, &fits);
    hsm->scratch = hsm_take(block, &used, words * HSM_SETS, set, &fits);
    hsm->enabled = hsm_take(block, &used, nodes, sizeof(int32_t), &fits);
    hsm->content = hsm_take(block, &used, nodes, sizeof(int32_t), &fits);
    hsm->current = hsm_take(block, &used, nodes, sizeof(uint32_t), &fits);
    hsm->words = (int32_t)words;
    return fits ? used : 0;
}

ploy_result ploy_hsm_create(const ploy_hsm_type *type, void *owner, const ploy_env *env,
                            ploy_hsm **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    ploy_hsm measure;
    size_t size = hsm_lay(&measure, type, NULL);
    if (size == 0) return PLOY_ERR_LIMIT;
    ploy_hsm *hsm = ploy_env_alloc_zero(env, size);
    if (hsm == NULL) return PLOY_ERR_MEMORY;
    (void)hsm_lay(hsm, type, (char *)hsm);
    hsm->env = *env;
    hsm->type = type;
    hsm->owner = owner;
    hsm->size = size;
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        if (node->maker < 0) continue;
        ploy_result result = ploy_maker_make(node->inside, env, &hsm->insides[node->maker]);
        if (result != PLOY_OK) {
            ploy_hsm_destroy(hsm);
            return result;
        }
    }
    *out = hsm;
    return PLOY_OK;
}

void ploy_hsm_destroy(ploy_hsm *hsm) {
    if (hsm == NULL) return;
    for (int32_t i = 0; i < hsm->type->makers; i++) ploy_behavior_destroy(hsm->insides[i]);
    ploy_env env = hsm->env;
    ploy_env_free(&env, hsm, hsm->size);
}

// ---- events

static ploy_result hsm_queue_add(ploy_hsm *hsm, ployi_hsm_queue *queue,
                                 const ploy_hsm_event *event) {
    int32_t capacity = hsm->type->def.queue;
    if (event == NULL || event->count < 1 || event->count > PLOY_HSM_EVENT_PARTS) {
        return PLOY_ERR_ARGUMENT;
    }
    if (queue->count == capacity) return PLOY_ERR_CAPACITY;
    queue->events[(queue->first + queue->count++) % capacity] = *event;
    return PLOY_OK;
}

ploy_result ploy_hsm_send(ploy_hsm *hsm, const ploy_hsm_event *event) {
    return hsm_queue_add(hsm, &hsm->outer, event);
}

ploy_result ploy_hsm_raise(ploy_hsm *hsm, const ploy_hsm_event *event) {
    return hsm_queue_add(hsm, &hsm->inner, event);
}

bool ployi_hsm_next_event(ploy_hsm *hsm) {
    ployi_hsm_queue *queue = hsm->inner.count > 0 ? &hsm->inner : &hsm->outer;
    hsm->has_event = queue->count > 0;
    if (!hsm->has_event) return false;
    hsm->event = queue->events[queue->first];
    queue->first = (queue->first + 1) % hsm->type->def.queue;
    queue->count--;
    return true;
}

// Raises an event of the machine's own; a full queue is an error of the step.
static void hsm_raise_own(ploy_hsm *hsm, const ploy_hsm_event *event) {
    ploy_result result = ploy_hsm_raise(hsm, event);
    if (hsm->result == PLOY_OK) hsm->result = result;
}

// ---- hooks, the same for both policies

static void hsm_note(ploy_hsm *hsm, ploy_result result) {
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
    hsm_note(hsm, action(user, &turn));
}

static void hsm_tell(const ploy_hsm *hsm, ploy_step_context *context, const char *what,
                     uint32_t number) {
    if (context->trace == NULL) return;
    ploy_hsm_state state = {number};
    ploy_trace_text(context->trace, what, ploy_hsm_type_id(hsm->type, state));
}

void ployi_hsm_enter_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number) {
    const ployi_hsm_node *node = ployi_hsm_node_at(hsm->type, number);
    hsm_tell(hsm, context, "enter", number);
    ployi_hsm_put(hsm->active, number);
    ployi_hsm_act(hsm, context, node->hooks.enter, node->hooks.user);
    if (node->maker < 0) return;
    ployi_hsm_put(hsm->running, number); // keeps (2)
    hsm_note(hsm, ploy_behavior_enter(hsm->insides[node->maker], context));
}

void ployi_hsm_exit_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number,
                          ploy_exit_reason reason) {
    const ployi_hsm_node *node = ployi_hsm_node_at(hsm->type, number);
    hsm_tell(hsm, context, "exit", number);
    ployi_hsm_drop(hsm->active, number);
    if (ployi_hsm_has(hsm->running, number)) {
        ployi_hsm_drop(hsm->running, number);
        ploy_behavior_exit(hsm->insides[node->maker], context, reason);
    }
    if (node->hooks.exit == NULL) return;
    ploy_hsm_turn turn = hsm_turn(hsm, context);
    node->hooks.exit(node->hooks.user, &turn);
}

void ployi_hsm_execute_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number) {
    const ployi_hsm_node *node = ployi_hsm_node_at(hsm->type, number);
    ployi_hsm_act(hsm, context, node->hooks.execute, node->hooks.user);
    if (!ployi_hsm_has(hsm->running, number)) return;
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_result result = ploy_behavior_step(hsm->insides[node->maker], context, &status);
    hsm_note(hsm, result);
    if (result == PLOY_OK && status == PLOY_STATUS_RUNNING) return;
    ployi_hsm_drop(hsm->running, number);
    bool fine = result == PLOY_OK;
    ploy_behavior_exit(hsm->insides[node->maker], context,
                       fine ? PLOY_EXIT_FINISHED : PLOY_EXIT_ERROR);
    if (!fine) return;
    // "done.invoke.<id>", and below it the names that the done event of a state has not.
    ploy_hsm_state state = {number};
    char text[256] = "done.invoke.";
    strncat(text, ploy_hsm_type_id(hsm->type, state), sizeof text - strlen(text) - 1);
    ploy_hsm_event event = ploy_hsm_event_make(text);
    hsm_raise_own(hsm, &event);
}

bool ployi_hsm_holds(const ploy_hsm *hsm, ploy_step_context *context, const ployi_hsm_link *link) {
    if (hsm->has_event != (link->on_count > 0)) return false;
    if (hsm->has_event) {
        const ploy_name *ons = PLOY_ARRAY_ITEMS(&hsm->type->ons, ploy_name) + link->on_first;
        ploy_name any = ploy_name_of("*");
        bool match = false;
        for (int32_t i = 0; i < link->on_count && !match; i++) {
            match = ploy_name_equal(ons[i], any);
            for (int32_t k = 0; k < hsm->event.count && !match; k++) {
                match = ploy_name_equal(ons[i], hsm->event.names[k]);
            }
        }
        if (!match) return false;
    }
    ploy_moment moment = ploy_moment_make(context);
    if (hsm->has_event) moment.message = &hsm->event.message;
    return ploy_condition_test(hsm->type->conditions, link->when, &moment);
}

// ---- the algorithm

static uint64_t *hsm_set(const ploy_hsm *hsm, int32_t which) {
    return hsm->scratch + (size_t)which * (size_t)hsm->words;
}

static uint64_t *hsm_history(const ploy_hsm *hsm, const ployi_hsm_node *node) {
    return hsm->histories + (size_t)node->history * (size_t)hsm->words;
}

static void hsm_clear(const ploy_hsm *hsm, uint64_t *set) {
    memset(set, 0, (size_t)hsm->words * sizeof *set);
}

static bool hsm_empty(const ploy_hsm *hsm, const uint64_t *set) {
    for (int32_t i = 0; i < hsm->words; i++) {
        if (set[i] != 0) return false;
    }
    return true;
}

// The rule of a history state, or -1.
static int32_t hsm_history_rule(const ploy_hsm_type *type, const ployi_hsm_node *node) {
    if (node->count == 0) return -1;
    return PLOY_ARRAY_ITEMS(&type->order, int32_t)[node->first];
}

// True if all that a rule really leads to, history looked up, lies in the state
// (getEffectiveTargetStates with isDescendant).
static bool hsm_leads_within(const ploy_hsm *hsm, const ployi_hsm_link *link, uint32_t state) {
    const ploy_hsm_type *type = hsm->type;
    const uint32_t *targets = ployi_hsm_targets(type, link->target_first);
    for (int32_t i = 0; i < link->target_count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, targets[i]);
        if (node->history < 0) {
            if (!ployi_hsm_within(type, targets[i], state)) return false;
            continue;
        }
        const uint64_t *remembered = hsm_history(hsm, node);
        int32_t rule = hsm_history_rule(type, node);
        if (hsm_empty(hsm, remembered)) {
            if (rule >= 0 && !hsm_leads_within(hsm, ployi_hsm_link_at(type, rule), state)) {
                return false;
            }
            continue;
        }
        for (uint32_t k = 1; k < (uint32_t)type->nodes.count; k++) {
            if (ployi_hsm_has(remembered, k) && !ployi_hsm_within(type, k, state)) return false;
        }
    }
    return true;
}

// The state inside which everything happens (getTransitionDomain, findLCCA).
static uint32_t hsm_domain(const ploy_hsm *hsm, const ployi_hsm_link *link) {
    const ploy_hsm_type *type = hsm->type;
    const ployi_hsm_node *from = ployi_hsm_node_at(type, link->from);
    bool compound = from->kind == PLOY_HSM_STATE && from->children > 0;
    if (link->internal && compound && hsm_leads_within(hsm, link, link->from)) return link->from;
    uint32_t above = link->from;
    while (above != 0) {
        above = ployi_hsm_node_at(type, above)->parent;
        if (ployi_hsm_node_at(type, above)->kind != PLOY_HSM_STATE) continue; // parallel
        if (hsm_leads_within(hsm, link, above)) break;
    }
    return above;
}

// Adds what a rule leaves (computeExitSet).
static void hsm_add_exits(const ploy_hsm *hsm, const ployi_hsm_link *link, uint64_t *out) {
    if (link->target_count == 0) return;
    uint32_t domain = hsm_domain(hsm, link);
    uint32_t last = ployi_hsm_node_at(hsm->type, domain)->last;
    for (uint32_t i = domain + 1; i <= last; i++) {
        if (ployi_hsm_has(hsm->active, i)) ployi_hsm_put(out, i);
    }
}

// True if both rules leave a common state.
static bool hsm_conflict(const ploy_hsm *hsm, int32_t a, int32_t b) {
    uint64_t *first = hsm_set(hsm, HSM_EXIT), *second = hsm_set(hsm, HSM_OTHER);
    hsm_clear(hsm, first);
    hsm_clear(hsm, second);
    hsm_add_exits(hsm, ployi_hsm_link_at(hsm->type, a), first);
    hsm_add_exits(hsm, ployi_hsm_link_at(hsm->type, b), second);
    for (int32_t i = 0; i < hsm->words; i++) {
        if ((first[i] & second[i]) != 0) return true;
    }
    return false;
}

// Takes a rule among the enabled unless one of them goes before it; those that it goes before are
// dropped (removeConflictingTransitions).
static int32_t hsm_enable(ploy_hsm *hsm, int32_t count, int32_t rule) {
    uint32_t from = ployi_hsm_link_at(hsm->type, rule)->from;
    for (int32_t i = 0; i < count; i++) {
        if (!hsm_conflict(hsm, rule, hsm->enabled[i])) continue;
        uint32_t other = ployi_hsm_link_at(hsm->type, hsm->enabled[i])->from;
        if (!ployi_hsm_within(hsm->type, from, other)) return count;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!hsm_conflict(hsm, rule, hsm->enabled[i])) hsm->enabled[kept++] = hsm->enabled[i];
    }
    hsm->enabled[kept++] = rule;
    return kept;
}

// The rule that an active state without inner ones follows: its own or the nearest ancestor's.
static int32_t hsm_first_rule(ploy_hsm *hsm, ploy_step_context *context, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    for (; number != 0; number = ployi_hsm_node_at(type, number)->parent) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, number);
        for (int32_t k = 0; k < node->count; k++) {
            int32_t rule = PLOY_ARRAY_ITEMS(&type->order, int32_t)[node->first + k];
            const ployi_hsm_link *link = ployi_hsm_link_at(type, rule);
            bool holds = ployi_hsm_holds(hsm, context, link);
            if (context->trace != NULL) {
                ploy_trace_option(context->trace, ployi_build_text(&type->build, link->id),
                                  holds ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, 0.0,
                                  holds ? "enabled" : "does not hold");
            }
            if (holds) return rule;
        }
    }
    return -1;
}

// selectTransitions, selectEventlessTransitions.
static int32_t hsm_select(ploy_hsm *hsm, ploy_step_context *context) {
    const ploy_hsm_type *type = hsm->type;
    int32_t count = 0;
    // All are collected before any is dropped: a rule dropped in favour of a later one must not
    // come back, and the order is that of the states that asked.
    int32_t found = 0;
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        if (!ployi_hsm_has(hsm->active, i) || ployi_hsm_node_at(type, i)->children > 0) continue;
        int32_t rule = hsm_first_rule(hsm, context, i);
        bool again = rule < 0;
        for (int32_t k = 0; k < found && !again; k++) again = hsm->content[k] == rule;
        if (!again) hsm->content[found++] = rule;
    }
    for (int32_t k = 0; k < found; k++) count = hsm_enable(hsm, count, hsm->content[k]);
    return count;
}

static void hsm_add_descendants(ploy_hsm *hsm, uint32_t number);

// Enters every region of a parallel state that nothing inside of is entered yet.
static void hsm_add_regions(ploy_hsm *hsm, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    uint32_t last = ployi_hsm_node_at(type, number)->last;
    for (uint32_t child = number + 1; child <= last;
         child = ployi_hsm_node_at(type, child)->last + 1) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, child);
        if (node->kind >= PLOY_HSM_HISTORY) continue;
        bool entered = false;
        for (uint32_t i = child + 1; i <= node->last && !entered; i++) {
            entered = ployi_hsm_has(hsm_set(hsm, HSM_ENTRY), i);
        }
        if (!entered) hsm_add_descendants(hsm, child);
    }
}

// addAncestorStatesToEnter
static void hsm_add_ancestors(ploy_hsm *hsm, uint32_t number, uint32_t top) {
    uint32_t above = ployi_hsm_node_at(hsm->type, number)->parent;
    for (; above != top && above != 0; above = ployi_hsm_node_at(hsm->type, above)->parent) {
        ployi_hsm_put(hsm_set(hsm, HSM_ENTRY), above);
        if (ployi_hsm_node_at(hsm->type, above)->kind == PLOY_HSM_PARALLEL) {
            hsm_add_regions(hsm, above);
        }
    }
}

static void hsm_add_targets(ploy_hsm *hsm, int32_t first, int32_t count, uint32_t top) {
    const uint32_t *targets = ployi_hsm_targets(hsm->type, first);
    for (int32_t i = 0; i < count; i++) hsm_add_descendants(hsm, targets[i]);
    for (int32_t i = 0; i < count; i++) hsm_add_ancestors(hsm, targets[i], top);
}

// addAncestorStatesToEnter for each of getEffectiveTargetStates.
static void hsm_add_effective_ancestors(ploy_hsm *hsm, const ployi_hsm_link *link, uint32_t top) {
    const ploy_hsm_type *type = hsm->type;
    const uint32_t *targets = ployi_hsm_targets(type, link->target_first);
    for (int32_t k = 0; k < link->target_count; k++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, targets[k]);
        if (node->history < 0) {
            hsm_add_ancestors(hsm, targets[k], top);
            continue;
        }
        const uint64_t *remembered = hsm_history(hsm, node);
        int32_t rule = hsm_history_rule(type, node);
        if (hsm_empty(hsm, remembered)) {
            if (rule >= 0) hsm_add_effective_ancestors(hsm, ployi_hsm_link_at(type, rule), top);
            continue;
        }
        for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
            if (ployi_hsm_has(remembered, i)) hsm_add_ancestors(hsm, i, top);
        }
    }
}

// addDescendantStatesToEnter
static void hsm_add_descendants(ploy_hsm *hsm, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    const ployi_hsm_node *node = ployi_hsm_node_at(type, number);
    if (node->history >= 0) {
        const uint64_t *remembered = hsm_history(hsm, node);
        int32_t rule = hsm_history_rule(type, node);
        if (!hsm_empty(hsm, remembered)) {
            for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
                if (ployi_hsm_has(remembered, i)) hsm_add_descendants(hsm, i);
            }
            for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
                if (ployi_hsm_has(remembered, i)) hsm_add_ancestors(hsm, i, node->parent);
            }
        } else if (rule >= 0) {
            const ployi_hsm_link *link = ployi_hsm_link_at(type, rule);
            hsm->content[node->parent] = rule;
            hsm_add_targets(hsm, link->target_first, link->target_count, node->parent);
        } else {
            // Nothing remembered and nothing said: as if the parent itself were meant.
            const ployi_hsm_node *parent = ployi_hsm_node_at(type, node->parent);
            if (parent->kind == PLOY_HSM_PARALLEL) {
                hsm_add_regions(hsm, node->parent);
            } else {
                hsm_add_targets(hsm, parent->initial_first, parent->initial_count, node->parent);
            }
        }
        return;
    }
    ployi_hsm_put(hsm_set(hsm, HSM_ENTRY), number);
    if (node->kind == PLOY_HSM_PARALLEL) {
        hsm_add_regions(hsm, number);
    } else if (node->children > 0) {
        ployi_hsm_put(hsm_set(hsm, HSM_DEFAULT), number);
        hsm_add_targets(hsm, node->initial_first, node->initial_count, number);
    }
}

// isInFinalState
static bool hsm_is_done(const ploy_hsm *hsm, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    const ployi_hsm_node *node = ployi_hsm_node_at(type, number);
    if (node->children == 0) return false;
    bool parallel = node->kind == PLOY_HSM_PARALLEL;
    for (uint32_t child = number + 1; child <= node->last;
         child = ployi_hsm_node_at(type, child)->last + 1) {
        const ployi_hsm_node *inner = ployi_hsm_node_at(type, child);
        if (inner->kind >= PLOY_HSM_HISTORY) continue;
        bool done = parallel ? hsm_is_done(hsm, child)
                             : inner->kind == PLOY_HSM_FINAL && ployi_hsm_has(hsm->active, child);
        if (done != parallel) return done;
    }
    return parallel;
}

// A final state was entered: its parent is done, and perhaps the parallel state around that.
static void hsm_reach_final(ploy_hsm *hsm, uint32_t number) {
    uint32_t parent = ployi_hsm_node_at(hsm->type, number)->parent;
    if (parent == 0) {
        hsm->done = true;
        return;
    }
    hsm_raise_own(hsm, &ployi_hsm_node_at(hsm->type, parent)->done);
    uint32_t above = ployi_hsm_node_at(hsm->type, parent)->parent;
    const ployi_hsm_node *outer = ployi_hsm_node_at(hsm->type, above);
    if (outer->kind == PLOY_HSM_PARALLEL && hsm_is_done(hsm, above)) {
        hsm_raise_own(hsm, &outer->done);
    }
}

// Enters the states of the entry set (second half of enterStates).
static void hsm_enter_set(ploy_hsm *hsm, ploy_step_context *context) {
    const ploy_hsm_type *type = hsm->type;
    const uint64_t *entry = hsm_set(hsm, HSM_ENTRY), *defaults = hsm_set(hsm, HSM_DEFAULT);
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        // History that leads back to where the rule began names ancestors that were not left. The
        // W3C's text enters them again; here every enter has its exit.
        if (!ployi_hsm_has(entry, i) || ployi_hsm_has(hsm->active, i)) continue;
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        ployi_hsm_enter_state(hsm, context, i);
        if (ployi_hsm_has(defaults, i)) {
            ployi_hsm_act(hsm, context, node->initial_action, node->initial_user);
        }
        if (hsm->content[i] >= 0) {
            const ployi_hsm_link *link = ployi_hsm_link_at(type, hsm->content[i]);
            ployi_hsm_act(hsm, context, link->action, link->user);
        }
        if (node->kind == PLOY_HSM_FINAL) hsm_reach_final(hsm, i);
    }
}

static void hsm_begin_entry(ploy_hsm *hsm) {
    hsm_clear(hsm, hsm_set(hsm, HSM_ENTRY));
    hsm_clear(hsm, hsm_set(hsm, HSM_DEFAULT));
    for (int32_t i = 0; i < hsm->type->nodes.count; i++) hsm->content[i] = -1;
}

// Notes for every history state in a state that is left what was active.
static void hsm_remember(ploy_hsm *hsm, const uint64_t *exits) {
    const ploy_hsm_type *type = hsm->type;
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        if (node->history < 0 || !ployi_hsm_has(exits, node->parent)) continue;
        uint64_t *remembered = hsm_history(hsm, node);
        hsm_clear(hsm, remembered);
        uint32_t last = ployi_hsm_node_at(type, node->parent)->last;
        for (uint32_t k = node->parent + 1; k <= last; k++) {
            const ployi_hsm_node *inner = ployi_hsm_node_at(type, k);
            bool wanted = node->kind == PLOY_HSM_DEEP_HISTORY ? inner->children == 0
                                                              : inner->parent == node->parent;
            if (wanted && ployi_hsm_has(hsm->active, k)) ployi_hsm_put(remembered, k);
        }
    }
}

// Leaves the states of a set, the last of the document first.
static void hsm_exit_set(ploy_hsm *hsm, ploy_step_context *context, const uint64_t *exits,
                         ploy_exit_reason reason) {
    for (uint32_t i = (uint32_t)hsm->type->nodes.count - 1; i > 0; i--) {
        if (!ployi_hsm_has(exits, i) || !ployi_hsm_has(hsm->active, i)) continue;
        ployi_hsm_exit_state(hsm, context, i, reason);
    }
}

// microstep: leave, act, enter.
static void hsm_microstep(ploy_hsm *hsm, ploy_step_context *context, int32_t count) {
    const ploy_hsm_type *type = hsm->type;
    uint64_t *exits = hsm_set(hsm, HSM_EXIT);
    hsm_clear(hsm, exits);
    hsm_begin_entry(hsm);
    for (int32_t i = 0; i < count; i++) {
        hsm_add_exits(hsm, ployi_hsm_link_at(type, hsm->enabled[i]), exits);
    }
    hsm_remember(hsm, exits);
    hsm_exit_set(hsm, context, exits, PLOY_EXIT_INTERRUPTED);
    for (int32_t i = 0; i < count; i++) {
        const ployi_hsm_link *link = ployi_hsm_link_at(type, hsm->enabled[i]);
        ployi_hsm_act(hsm, context, link->action, link->user);
    }
    for (int32_t i = 0; i < count; i++) {
        const ployi_hsm_link *link = ployi_hsm_link_at(type, hsm->enabled[i]);
        if (link->target_count == 0) continue;
        // As in computeEntrySet.
        const uint32_t *targets = ployi_hsm_targets(type, link->target_first);
        for (int32_t k = 0; k < link->target_count; k++) hsm_add_descendants(hsm, targets[k]);
        hsm_add_effective_ancestors(hsm, link, hsm_domain(hsm, link));
    }
    hsm_enter_set(hsm, context);
    hsm->changes++;
}

// mainEventLoop, until nothing waits any more.
static void hsm_run(ploy_hsm *hsm, ploy_step_context *context) {
    for (int32_t changes = 0; !hsm->done && hsm->result == PLOY_OK;) {
        hsm->has_event = false;
        int32_t count = hsm_select(hsm, context);
        if (count == 0) {
            if (!ployi_hsm_next_event(hsm)) break;
            count = hsm_select(hsm, context);
        }
        if (count == 0) continue;
        if (changes++ == hsm->type->def.changes) {
            hsm->result = PLOY_ERR_LIMIT;
            break;
        }
        hsm_microstep(hsm, context, count);
    }
    hsm->has_event = false;
}

// ---- as a behavior

static ploy_result hsm_enter(void *self, ploy_step_context *context) {
    ploy_hsm *hsm = self;
    if (hsm->started) return PLOY_ERR_STATE;
    const ployi_hsm_node *root = ployi_hsm_node_at(hsm->type, 0);
    hsm->started = true;
    hsm->done = false;
    hsm->has_event = false;
    hsm->result = PLOY_OK;
    hsm_clear(hsm, hsm->active);
    hsm_clear(hsm, hsm->running);
    memset(hsm->histories, 0,
           (size_t)hsm->type->histories * (size_t)hsm->words * sizeof *hsm->histories);
    memset(hsm->current, 0, (size_t)hsm->type->nodes.count * sizeof *hsm->current);
    if (hsm->type->def.policy == PLOY_HSM_KEEP_INNER) {
        // The outermost state is current from the start; its entering is no transition.
        hsm->current[0] = ployi_hsm_targets(hsm->type, root->initial_first)[0];
        ployi_hsm_put(hsm->active, hsm->current[0]);
        return PLOY_OK;
    }
    hsm_begin_entry(hsm);
    hsm_add_targets(hsm, root->initial_first, root->initial_count, 0);
    ployi_hsm_act(hsm, context, root->initial_action, root->initial_user);
    hsm_enter_set(hsm, context);
    return hsm->result;
}

static ploy_result hsm_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_hsm *hsm = self;
    if (!hsm->started) return PLOY_ERR_STATE;
    hsm->result = PLOY_OK;
    if (context->trace != NULL) {
        ploy_trace_begin(context->trace, context->agent, "transition", "hierarchical machine");
    }
    if (hsm->type->def.policy == PLOY_HSM_KEEP_INNER) {
        ployi_hsm_levels_step(hsm, context);
    } else {
        hsm_run(hsm, context);
        for (uint32_t i = (uint32_t)hsm->type->nodes.count - 1; i > 0 && !hsm->done; i--) {
            if (ployi_hsm_has(hsm->active, i)) ployi_hsm_execute_state(hsm, context, i);
        }
    }
    ploy_trace_end(context->trace);
    if (hsm->result != PLOY_OK) return hsm->result;
    *status = hsm->done ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void hsm_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_hsm *hsm = self;
    if (!hsm->started) return;
    hsm->has_event = false;
    hsm_exit_set(hsm, context, hsm->active, reason);
    hsm->started = false;
    hsm->inner.count = 0;
    hsm->outer.count = 0;
}

// Inner behaviors are asked first; what none takes becomes an event.
static ploy_result hsm_message(void *self, ploy_step_context *context, const ploy_message *message,
                               bool *handled) {
    ploy_hsm *hsm = self;
    *handled = false;
    if (!hsm->started) return PLOY_OK;
    for (uint32_t i = (uint32_t)hsm->type->nodes.count - 1; i > 0 && !*handled; i--) {
        if (!ployi_hsm_has(hsm->running, i)) continue;
        ploy_behavior inside = hsm->insides[ployi_hsm_node_at(hsm->type, i)->maker];
        ploy_result result = ploy_behavior_message(inside, context, message, handled);
        if (result != PLOY_OK) return result;
    }
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
    for (uint32_t i = 1; i < (uint32_t)hsm->type->nodes.count; i++) {
        if (!ployi_hsm_has(hsm->running, i)) continue;
        ploy_behavior inside = hsm->insides[ployi_hsm_node_at(hsm->type, i)->maker];
        ploy_result result = ploy_behavior_commit(inside, context);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static void hsm_free(void *self) {
    ploy_hsm_destroy(self);
}

static void hsm_describe(const void *self, ploy_describe *out) {
    ploy_hsm_describe(self, out);
}

ploy_behavior ploy_hsm_get(ploy_hsm *hsm) {
    static const ploy_behavior_type type = {
        .name = "hierarchical machine",
        .enter = hsm_enter,
        .step = hsm_step,
        .exit = hsm_exit,
        .commit = hsm_commit,
        .message = hsm_message,
        .destroy = hsm_free,
        .describe = hsm_describe,
    };
    ploy_behavior behavior = {&type, hsm};
    return behavior;
}

static ploy_result hsm_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_hsm *hsm = NULL;
    ploy_result result = ploy_hsm_create(user, NULL, env, &hsm);
    if (result == PLOY_OK) *out = ploy_hsm_get(hsm);
    return result;
}

ploy_maker ploy_hsm_type_maker(ploy_hsm_type *type) {
    ploy_maker maker = {hsm_make, type};
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

bool ploy_hsm_is_in(const ploy_hsm *hsm, const char *id) {
    uint32_t wanted = ploy_hsm_type_find(hsm->type, id).number;
    if (wanted == 0 || !hsm->started) return false;
    if (hsm->type->def.policy == PLOY_HSM_SCXML) return ployi_hsm_has(hsm->active, wanted);
    for (uint32_t i = hsm->current[0]; i != 0; i = hsm->current[i]) {
        if (i == wanted) return true;
    }
    return false;
}

uint64_t ploy_hsm_changes(const ploy_hsm *hsm) {
    return hsm->changes;
}

static void hsm_describe_queue(const ploy_hsm *hsm, const char *name, const ployi_hsm_queue *queue,
                               ploy_describe *out) {
    ploy_describe_begin(out, name);
    for (int32_t i = 0; i < queue->count; i++) {
        int32_t at = (queue->first + i) % hsm->type->def.queue;
        ploy_describe_begin_item(out, i);
        ploy_message_describe(&queue->events[at].message, "event", PLOY_STATE, out);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

void ploy_hsm_describe(const ploy_hsm *hsm, ploy_describe *out) {
    if (hsm == NULL || out == NULL) return;
    const ploy_hsm_type *type = hsm->type;
    ploy_describe_bool(out, "started", PLOY_STATE, hsm->started);
    ploy_describe_bool(out, "done", PLOY_STATE, hsm->done);
    ploy_describe_u64(out, "changes", PLOY_STATE, hsm->changes);
    hsm_describe_queue(hsm, "raised", &hsm->inner, out);
    hsm_describe_queue(hsm, "sent", &hsm->outer, out);
    ploy_describe_begin(out, "states");
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        ploy_hsm_state current = {hsm->current[i]};
        ploy_describe_begin(out, ployi_build_text(&type->build, node->id));
        if (node->history >= 0) {
            uint64_t hash = 0;
            for (int32_t k = 0; k < hsm->words; k++) {
                hash = hash * 31u + hsm_history(hsm, node)[k];
            }
            ploy_describe_u64(out, "remembers", PLOY_STATE, hash);
        } else if (type->def.policy == PLOY_HSM_SCXML) {
            ploy_describe_bool(out, "active", PLOY_STATE, ployi_hsm_has(hsm->active, i));
        } else if (node->children > 0) {
            ploy_describe_text(out, "inner", PLOY_STATE, ploy_hsm_type_id(type, current));
        }
        if (node->maker >= 0) {
            ploy_describe_bool(out, "runs", PLOY_STATE, ployi_hsm_has(hsm->running, i));
            ploy_behavior_describe(hsm->insides[node->maker], out);
        }
        ploy_describe_end(out);
    }
    ploy_hsm_state outermost = {hsm->current[0]};
    ploy_describe_text(out, "outermost", PLOY_STATE, ploy_hsm_type_id(type, outermost));
    ploy_describe_end(out);
}
