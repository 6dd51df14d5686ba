// Hierarchical machines: the algorithm of SCXML; the technique is described in the header.
//
// Sets of states are bits in the order of the document, so that a walk over a set is a walk in that
// order. Names of the W3C's functions are in comments, so that the two can be compared.
//
// Where the W3C's text is odd it is followed all the same: a history state that leads back to where
// the rule began names ancestors that were not left, and those are entered again without an exit; and
// if its default target lies in one region of a parallel state that was not left, the other regions
// get their initial states beside those that are active.
#include "base/compiler.h"
#include "hsm_internal.h"

#include <string.h>

enum { HSM_EXIT, HSM_ENTRY, HSM_DEFAULT, HSM_OTHER }; // hsm_prepare.c knows the second and third

static uint64_t *hsm_run_set(const ploy_hsm *hsm, int32_t which) {
    return hsm->scratch + (size_t)which * (size_t)hsm->words;
}

static void hsm_run_clear(const ploy_hsm *hsm, uint64_t *set) {
    set[0] = 0; // almost always the only word
    for (int32_t i = 1; i < hsm->words; i++) set[i] = 0;
}

static bool hsm_run_empty(const ploy_hsm *hsm, const uint64_t *set) {
    if (set[0] != 0) return false;
    for (int32_t i = 1; i < hsm->words; i++) {
        if (set[i] != 0) return false;
    }
    return true;
}

// The rule of a history state, or -1.
static int32_t hsm_run_history_rule(const ploy_hsm_type *type, const ployi_hsm_node *node) {
    if (node->count == 0) return -1;
    return PLOY_ARRAY_ITEMS(&type->order, int32_t)[node->first];
}

// True if all that a rule really leads to, history looked up, lies in the state
// (getEffectiveTargetStates with isDescendant).
static bool hsm_run_leads_within(const ploy_hsm *hsm, const ployi_hsm_link *link, uint32_t state) {
    const ploy_hsm_type *type = hsm->type;
    const uint32_t *targets = ployi_hsm_targets(type, link->target_first);
    for (int32_t i = 0; i < link->target_count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, targets[i]);
        if (node->history < 0) {
            if (!ployi_hsm_within(type, targets[i], state)) return false;
            continue;
        }
        const uint64_t *remembered = ployi_hsm_history(hsm, node);
        int32_t rule = hsm_run_history_rule(type, node);
        if (hsm_run_empty(hsm, remembered)) {
            // Without a rule its parent is meant, see hsm_run_add_descendants.
            bool within = rule >= 0
                              ? hsm_run_leads_within(hsm, ployi_hsm_link_at(type, rule), state)
                              : ployi_hsm_within(type, targets[i], state);
            if (!within) return false;
            continue;
        }
        for (uint32_t k = 1; k < (uint32_t)type->nodes.count; k++) {
            if (ployi_hsm_has(remembered, k) && !ployi_hsm_within(type, k, state)) return false;
        }
    }
    return true;
}

// The state inside which everything happens (getTransitionDomain, findLCCA).
uint32_t ployi_hsm_domain(const ploy_hsm *hsm, const ployi_hsm_link *link) {
    if (link->fixed_exit) return link->domain;
    const ploy_hsm_type *type = hsm->type;
    const ployi_hsm_node *from = ployi_hsm_node_at(type, link->from);
    bool compound = from->kind == PLOY_HSM_STATE && from->children > 0;
    if (link->internal && compound && hsm_run_leads_within(hsm, link, link->from))
        return link->from;
    uint32_t above = link->from;
    while (above != 0) {
        above = ployi_hsm_node_at(type, above)->parent;
        if (ployi_hsm_node_at(type, above)->kind != PLOY_HSM_STATE) continue; // parallel
        if (hsm_run_leads_within(hsm, link, above)) break;
    }
    return above;
}

// Adds what a rule leaves (computeExitSet).
static void hsm_run_add_exits(const ploy_hsm *hsm, const ployi_hsm_link *link, uint64_t *out) {
    if (link->target_count == 0) return;
    if (link->fixed_exit) {
        int32_t rule = (int32_t)(link - ployi_hsm_link_at(hsm->type, 0));
        const uint64_t *inside = ployi_hsm_link_set(hsm->type, rule, PLOYI_HSM_INSIDE);
        out[0] |= hsm->active[0] & inside[0];
        for (int32_t i = 1; i < hsm->words; i++) out[i] |= hsm->active[i] & inside[i];
        return;
    }
    uint32_t domain = ployi_hsm_domain(hsm, link);
    uint32_t last = ployi_hsm_node_at(hsm->type, domain)->last;
    for (uint32_t i = domain + 1; i <= last; i++) {
        if (ployi_hsm_has(hsm->active, i)) ployi_hsm_put(out, i);
    }
}

// True if both rules leave a common state.
static bool hsm_run_conflict(const ploy_hsm *hsm, int32_t a, int32_t b) {
    uint64_t *first = hsm_run_set(hsm, HSM_EXIT), *second = hsm_run_set(hsm, HSM_OTHER);
    hsm_run_clear(hsm, first);
    hsm_run_clear(hsm, second);
    hsm_run_add_exits(hsm, ployi_hsm_link_at(hsm->type, a), first);
    hsm_run_add_exits(hsm, ployi_hsm_link_at(hsm->type, b), second);
    for (int32_t i = 0; i < hsm->words; i++) {
        if ((first[i] & second[i]) != 0) return true;
    }
    return false;
}

// Takes a rule among the enabled unless one of them goes before it; those that it goes before are
// dropped (removeConflictingTransitions).
static int32_t hsm_run_enable(ploy_hsm *hsm, int32_t count, int32_t rule) {
    uint32_t from = ployi_hsm_link_at(hsm->type, rule)->from;
    for (int32_t i = 0; i < count; i++) {
        if (!hsm_run_conflict(hsm, rule, hsm->enabled[i])) continue;
        uint32_t other = ployi_hsm_link_at(hsm->type, hsm->enabled[i])->from;
        if (!ployi_hsm_within(hsm->type, from, other)) return count;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!hsm_run_conflict(hsm, rule, hsm->enabled[i])) hsm->enabled[kept++] = hsm->enabled[i];
    }
    hsm->enabled[kept++] = rule;
    return kept;
}

// The rule that an active state without inner ones follows: its own or the nearest ancestor's.
static int32_t hsm_run_first_rule(ploy_hsm *hsm, ploy_step_context *context, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    const ployi_hsm_node *node;
    for (; number != 0; number = node->parent) {
        node = ployi_hsm_node_at(type, number);
        if (node->count == 0) continue;
        int32_t rule = ployi_hsm_rule_of(hsm, context, number);
        if (rule >= 0) return rule;
    }
    return -1;
}

// True if entering or leaving these states is nothing but a change of the set.
static bool hsm_run_silent(const ploy_hsm *hsm, const ploy_step_context *context,
                           const uint64_t *set) {
    const uint64_t *loud = ployi_hsm_type_set(hsm->type, PLOYI_HSM_LOUD);
    if (context->trace != NULL || (set[0] & loud[0]) != 0) return false;
    for (int32_t i = 1; i < hsm->words; i++) {
        if ((set[i] & loud[i]) != 0) return false;
    }
    return true;
}

// selectTransitions, selectEventlessTransitions.
static int32_t hsm_run_select(ploy_hsm *hsm, ploy_step_context *context) {
    const uint64_t *atomic = ployi_hsm_type_set(hsm->type, PLOYI_HSM_ATOMIC);
    int32_t count = 0;
    // All are collected before any is dropped: a rule dropped in favour of a later one must not
    // come back, and the order is that of the states that asked.
    int32_t found = 0;
    for (int32_t word = 0; word < hsm->words; word++) {
        for (uint64_t left = hsm->active[word] & atomic[word]; left != 0; left &= left - 1) {
            uint32_t number = (uint32_t)word * 64 + (uint32_t)ployi_lowest_bit(left);
            int32_t rule = hsm_run_first_rule(hsm, context, number);
            bool again = rule < 0;
            for (int32_t k = 0; k < found && !again; k++) again = hsm->content[k] == rule;
            if (!again) hsm->content[found++] = rule;
        }
    }
    if (found == 1) { // nothing to conflict with
        hsm->enabled[0] = hsm->content[0];
        return 1;
    }
    for (int32_t k = 0; k < found; k++) count = hsm_run_enable(hsm, count, hsm->content[k]);
    return count;
}

static void hsm_run_add_descendants(ploy_hsm *hsm, uint32_t number);

// Enters every region of a parallel state that nothing inside of is entered yet.
static void hsm_run_add_regions(ploy_hsm *hsm, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    uint32_t last = ployi_hsm_node_at(type, number)->last;
    for (uint32_t child = number + 1; child <= last;
         child = ployi_hsm_node_at(type, child)->last + 1) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, child);
        if (node->kind >= PLOY_HSM_HISTORY) continue;
        bool entered = false;
        for (uint32_t i = child + 1; i <= node->last && !entered; i++) {
            entered = ployi_hsm_has(hsm_run_set(hsm, HSM_ENTRY), i);
        }
        if (!entered) hsm_run_add_descendants(hsm, child);
    }
}

// addAncestorStatesToEnter
static void hsm_run_add_ancestors(ploy_hsm *hsm, uint32_t number, uint32_t top) {
    uint32_t above = ployi_hsm_node_at(hsm->type, number)->parent;
    for (; above != top && above != 0; above = ployi_hsm_node_at(hsm->type, above)->parent) {
        // The regions of one that is to be entered already are, too: many targets, one look at them.
        if (ployi_hsm_has(hsm_run_set(hsm, HSM_ENTRY), above)) continue;
        ployi_hsm_put(hsm_run_set(hsm, HSM_ENTRY), above);
        if (ployi_hsm_node_at(hsm->type, above)->kind == PLOY_HSM_PARALLEL) {
            hsm_run_add_regions(hsm, above);
        }
    }
}

static void hsm_run_add_targets(ploy_hsm *hsm, int32_t first, int32_t count, uint32_t top) {
    const uint32_t *targets = ployi_hsm_targets(hsm->type, first);
    for (int32_t i = 0; i < count; i++) hsm_run_add_descendants(hsm, targets[i]);
    for (int32_t i = 0; i < count; i++) hsm_run_add_ancestors(hsm, targets[i], top);
}

// addAncestorStatesToEnter for each of getEffectiveTargetStates.
static void hsm_run_add_effective_ancestors(ploy_hsm *hsm, const ployi_hsm_link *link,
                                            uint32_t top) {
    const ploy_hsm_type *type = hsm->type;
    const uint32_t *targets = ployi_hsm_targets(type, link->target_first);
    for (int32_t k = 0; k < link->target_count; k++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, targets[k]);
        if (node->history < 0) {
            hsm_run_add_ancestors(hsm, targets[k], top);
            continue;
        }
        const uint64_t *remembered = ployi_hsm_history(hsm, node);
        int32_t rule = hsm_run_history_rule(type, node);
        if (hsm_run_empty(hsm, remembered)) {
            if (rule >= 0) {
                hsm_run_add_effective_ancestors(hsm, ployi_hsm_link_at(type, rule), top);
            } else {
                hsm_run_add_ancestors(hsm, targets[k], top);
            }
            continue;
        }
        for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
            if (ployi_hsm_has(remembered, i)) hsm_run_add_ancestors(hsm, i, top);
        }
    }
}

// addDescendantStatesToEnter
static void hsm_run_add_descendants(ploy_hsm *hsm, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    const ployi_hsm_node *node = ployi_hsm_node_at(type, number);
    if (node->history >= 0) {
        const uint64_t *remembered = ployi_hsm_history(hsm, node);
        int32_t rule = hsm_run_history_rule(type, node);
        hsm->recalled = true;
        if (!hsm_run_empty(hsm, remembered)) {
            for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
                if (ployi_hsm_has(remembered, i)) hsm_run_add_descendants(hsm, i);
            }
            for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
                if (ployi_hsm_has(remembered, i)) hsm_run_add_ancestors(hsm, i, node->parent);
            }
        } else if (rule >= 0) {
            const ployi_hsm_link *link = ployi_hsm_link_at(type, rule);
            hsm->content[node->parent] = rule;
            hsm_run_add_targets(hsm, link->target_first, link->target_count, node->parent);
        } else {
            // Nothing remembered and nothing said: as if the parent itself were meant.
            const ployi_hsm_node *parent = ployi_hsm_node_at(type, node->parent);
            if (parent->kind == PLOY_HSM_PARALLEL) {
                hsm_run_add_regions(hsm, node->parent);
            } else {
                hsm_run_add_targets(hsm, parent->initial_first, parent->initial_count,
                                    node->parent);
            }
        }
        return;
    }
    ployi_hsm_put(hsm_run_set(hsm, HSM_ENTRY), number);
    if (node->kind == PLOY_HSM_PARALLEL) {
        hsm_run_add_regions(hsm, number);
    } else if (node->children > 0) {
        ployi_hsm_put(hsm_run_set(hsm, HSM_DEFAULT), number);
        hsm_run_add_targets(hsm, node->initial_first, node->initial_count, number);
    }
}

// isInFinalState
static bool hsm_run_is_done(const ploy_hsm *hsm, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    const ployi_hsm_node *node = ployi_hsm_node_at(type, number);
    if (node->children == 0) return false;
    bool parallel = node->kind == PLOY_HSM_PARALLEL;
    for (uint32_t child = number + 1; child <= node->last;
         child = ployi_hsm_node_at(type, child)->last + 1) {
        const ployi_hsm_node *inner = ployi_hsm_node_at(type, child);
        if (inner->kind >= PLOY_HSM_HISTORY) continue;
        bool done = parallel ? hsm_run_is_done(hsm, child)
                             : inner->kind == PLOY_HSM_FINAL && ployi_hsm_has(hsm->active, child);
        if (done != parallel) return done;
    }
    return parallel;
}

// A final state was entered: its parent is done, and perhaps the parallel state around that.
static void hsm_run_reach_final(ploy_hsm *hsm, uint32_t number) {
    uint32_t parent = ployi_hsm_node_at(hsm->type, number)->parent;
    if (parent == 0) {
        hsm->done = true;
        return;
    }
    ployi_hsm_raise_own(hsm, &ployi_hsm_node_at(hsm->type, parent)->done);
    uint32_t above = ployi_hsm_node_at(hsm->type, parent)->parent;
    const ployi_hsm_node *outer = ployi_hsm_node_at(hsm->type, above);
    if (outer->kind == PLOY_HSM_PARALLEL && hsm_run_is_done(hsm, above)) {
        ployi_hsm_raise_own(hsm, &outer->done);
    }
}

// Enters the states of a set (second half of enterStates).
// @param defaults  those whose initial states are entered by default.
// @param recalled  whether a history's rule may have to follow an enter: hsm->content.
static void hsm_run_enter_set(ploy_hsm *hsm, ploy_step_context *context, const uint64_t *entry,
                              const uint64_t *defaults, bool recalled) {
    const ploy_hsm_type *type = hsm->type;
    if (!(recalled && type->defaults) && hsm_run_silent(hsm, context, entry)) {
        hsm->active[0] |= entry[0];
        for (int32_t i = 1; i < hsm->words; i++) hsm->active[i] |= entry[i];
        return;
    }
    for (int32_t word = 0; word < hsm->words; word++) {
        for (uint64_t left = entry[word]; left != 0; left &= left - 1) {
            uint32_t i = (uint32_t)word * 64 + (uint32_t)ployi_lowest_bit(left);
            const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
            ployi_hsm_enter_state(hsm, context, i);
            if (ployi_hsm_has(defaults, i)) {
                ployi_hsm_act(hsm, context, node->initial_action, node->initial_user);
                ployi_hsm_do(hsm, context, node->on_initial);
            }
            if (recalled && type->defaults && hsm->content[i] >= 0) {
                ployi_hsm_fire(hsm, context, hsm->content[i]);
            }
            if (node->kind == PLOY_HSM_FINAL) hsm_run_reach_final(hsm, i);
        }
    }
}

// Enters what was collected.
static void hsm_run_enter_collected(ploy_hsm *hsm, ploy_step_context *context) {
    hsm_run_enter_set(hsm, context, hsm_run_set(hsm, HSM_ENTRY), hsm_run_set(hsm, HSM_DEFAULT),
                      true);
}

void ployi_hsm_begin_entry(ploy_hsm *hsm) {
    hsm_run_clear(hsm, hsm_run_set(hsm, HSM_ENTRY));
    hsm_run_clear(hsm, hsm_run_set(hsm, HSM_DEFAULT));
    if (!hsm->type->defaults) return; // it is not read
    for (int32_t i = 0; i < hsm->type->nodes.count; i++) hsm->content[i] = -1;
}

// As in computeEntrySet.
void ployi_hsm_collect(ploy_hsm *hsm, const ployi_hsm_link *link, uint32_t domain) {
    const uint32_t *targets = ployi_hsm_targets(hsm->type, link->target_first);
    for (int32_t k = 0; k < link->target_count; k++) hsm_run_add_descendants(hsm, targets[k]);
    hsm_run_add_effective_ancestors(hsm, link, domain);
}

// Notes for every history state in a state that is left what was active.
static void hsm_run_remember(ploy_hsm *hsm, const uint64_t *exits) {
    const ploy_hsm_type *type = hsm->type;
    const uint32_t *recalls = PLOY_ARRAY_ITEMS(&type->recalls, uint32_t);
    for (int32_t k = 0; k < type->histories; k++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, recalls[k]);
        if (!ployi_hsm_has(exits, node->parent)) continue;
        const uint64_t *wanted = ployi_hsm_wanted(type, node->history);
        uint64_t *remembered = ployi_hsm_history(hsm, node);
        remembered[0] = hsm->active[0] & wanted[0];
        for (int32_t i = 1; i < hsm->words; i++) remembered[i] = hsm->active[i] & wanted[i];
    }
}

// Leaves the states of a set, the last of the document first.
void ployi_hsm_exit_set(ploy_hsm *hsm, ploy_step_context *context, const uint64_t *exits,
                        ploy_exit_reason reason) {
    if (hsm_run_silent(hsm, context, exits)) {
        hsm->active[0] &= ~exits[0];
        for (int32_t i = 1; i < hsm->words; i++) hsm->active[i] &= ~exits[i];
        return;
    }
    for (int32_t word = hsm->words - 1; word >= 0; word--) {
        // The set may be that of the active states itself, which changes.
        for (uint64_t left = exits[word] & hsm->active[word]; left != 0;) {
            uint32_t bit = (uint32_t)ployi_highest_bit(left);
            left ^= (uint64_t)1 << bit;
            ployi_hsm_exit_state(hsm, context, (uint32_t)word * 64 + bit, reason);
        }
    }
}

// microstep: leave, act, enter.
static void hsm_run_microstep(ploy_hsm *hsm, ploy_step_context *context, int32_t count) {
    const ploy_hsm_type *type = hsm->type;
    uint64_t *exits = hsm_run_set(hsm, HSM_EXIT);
    hsm_run_clear(hsm, exits);
    for (int32_t i = 0; i < count; i++) {
        hsm_run_add_exits(hsm, ployi_hsm_link_at(type, hsm->enabled[i]), exits);
    }
    hsm_run_remember(hsm, exits);
    ployi_hsm_exit_set(hsm, context, exits, PLOY_EXIT_INTERRUPTED);
    for (int32_t i = 0; i < count; i++) ployi_hsm_fire(hsm, context, hsm->enabled[i]);
    if (count == 1 && ployi_hsm_link_at(type, hsm->enabled[0])->fixed_entry) {
        int32_t rule = hsm->enabled[0];
        hsm_run_enter_set(hsm, context, ployi_hsm_link_set(type, rule, PLOYI_HSM_ENTRY),
                          ployi_hsm_link_set(type, rule, PLOYI_HSM_DEFAULT), false);
        hsm->changes++;
        return;
    }
    ployi_hsm_begin_entry(hsm);
    for (int32_t i = 0; i < count; i++) {
        const ployi_hsm_link *link = ployi_hsm_link_at(type, hsm->enabled[i]);
        if (link->target_count == 0) continue;
        ployi_hsm_collect(hsm, link, ployi_hsm_domain(hsm, link));
    }
    hsm_run_enter_collected(hsm, context);
    hsm->changes++;
}

// mainEventLoop, until nothing waits any more.
void ployi_hsm_run(ploy_hsm *hsm, ploy_step_context *context) {
    for (int32_t changes = 0; !hsm->done && hsm->result == PLOY_OK;) {
        hsm->has_event = false;
        // A trace gets the rules that wait for an event, too.
        bool asks = hsm->type->eventless > 0 || context->trace != NULL;
        int32_t count = asks ? hsm_run_select(hsm, context) : 0;
        if (count == 0) {
            if (!ployi_hsm_next_event(hsm)) break;
            count = hsm_run_select(hsm, context);
        }
        if (count == 0) continue;
        if (changes++ == hsm->type->def.changes) {
            hsm->result = PLOY_ERR_LIMIT;
            break;
        }
        hsm_run_microstep(hsm, context, count);
    }
    hsm->has_event = false;
}

void ployi_hsm_start(ploy_hsm *hsm, ploy_step_context *context) {
    const ployi_hsm_node *root = ployi_hsm_node_at(hsm->type, 0);
    ployi_hsm_begin_entry(hsm);
    hsm_run_add_targets(hsm, root->initial_first, root->initial_count, 0);
    ployi_hsm_act(hsm, context, root->initial_action, root->initial_user);
    ployi_hsm_do(hsm, context, root->on_initial);
    hsm_run_enter_collected(hsm, context);
}

void ployi_hsm_fill(ploy_hsm *hsm, ploy_step_context *context) {
    const ploy_hsm_type *type = hsm->type;
    ployi_hsm_begin_entry(hsm);
    for (uint32_t i = 0; i < (uint32_t)type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        if (i != 0 && !ployi_hsm_has(hsm->active, i)) continue;
        bool some = false;
        for (uint32_t child = i + 1; child <= node->last;
             child = ployi_hsm_node_at(type, child)->last + 1) {
            if (ployi_hsm_has(hsm->active, child)) {
                some = true;
            } else if (node->kind == PLOY_HSM_PARALLEL &&
                       ployi_hsm_node_at(type, child)->kind < PLOY_HSM_HISTORY) {
                hsm_run_add_descendants(hsm, child);
            }
        }
        if (some || node->kind != PLOY_HSM_STATE || node->children == 0) continue;
        hsm_run_add_targets(hsm, node->initial_first, node->initial_count, i);
    }
    hsm_run_enter_collected(hsm, context);
}
