// What a node of a behavior tree does itself: its conditions, the leaves; see bt_step.c.
#include <math.h>
#include <string.h>

#include "decide/bt_walk.h"

// ---- conditions ----

// True if a condition before the node answers for it.
bool ployi_bt_before(ployi_bt_walk *walk, uint32_t node, ploy_status *answer) {
    static const ploy_status answers[] = {PLOY_STATUS_FAILURE, PLOY_STATUS_SUCCESS,
                                          PLOY_STATUS_SKIPPED, PLOY_STATUS_SKIPPED};
    bool runs = ployi_bt_runs(walk, node);
    // The builder keeps the list in the order of their meaning.
    uint32_t next = walk->nodes[node].hook;
    while (next != PLOYI_BT_NONE) {
        const ployi_bt_hook *hook = PLOYI_BT_AT(walk->bt, hooks, ployi_bt_hook, next);
        next = hook->next;
        if (hook->when > PLOY_BT_WHILE || (runs && hook->when != PLOY_BT_WHILE)) continue;
        ploy_bt_call call = ployi_bt_call(walk->instance, walk->context, node);
        if (ployi_bt_holds(&hook->test, &call) == (hook->when == PLOY_BT_WHILE)) continue;
        if (runs) ployi_bt_halt_node(walk, node);
        *answer = answers[hook->when];
        ploy_trace_note(walk->context->trace, "a condition before the next node answers for it");
        return true;
    }
    return false;
}

void ployi_bt_after(ployi_bt_walk *walk, uint32_t node, ploy_status status) {
    if (status != PLOY_STATUS_SUCCESS && status != PLOY_STATUS_FAILURE) return;
    ployi_bt_effects(walk->instance, walk->context, node,
                     status == PLOY_STATUS_SUCCESS ? PLOY_BT_ON_SUCCESS : PLOY_BT_ON_FAILURE);
    ployi_bt_effects(walk->instance, walk->context, node, PLOY_BT_ON_DONE);
}

void ployi_bt_tell(const ployi_bt_walk *walk, uint32_t node, ploy_status status) {
    static const ploy_outcome outcomes[] = {PLOY_OUTCOME_WON, PLOY_OUTCOME_WON,
                                            PLOY_OUTCOME_REJECTED, PLOY_OUTCOME_SKIPPED};
    const ployi_bt_node *at = &walk->nodes[node];
    double none = (double)NAN;
    ploy_trace_option(walk->context->trace, ployi_bt_text(walk->bt, at->name), outcomes[status],
                      none, ploy_status_text(status));
}

// ---- leaves ----

ploy_rng_key ployi_bt_key(const ployi_bt_walk *walk) {
    // By the root's id, so that a tree within a tree draws other numbers.
    return ploy_rng_key_split(walk->context->key, *PLOYI_BT_AT(walk->bt, ids, uint64_t, 0));
}

// Steps a leaf; RUNNING included in the answer. False: walk->error.
bool ployi_bt_step_leaf(ployi_bt_walk *walk, uint32_t node, ploy_bt_call *call,
                        ploy_status *status) {
    const ployi_bt_bound_leaf *bound =
        PLOYI_BT_AT(walk->bt, leaves, ployi_bt_bound_leaf, walk->nodes[node].extra);
    call->node = (int32_t)node;
    call->user = bound->user;
    if (bound->plain && bound->leaf.test != NULL) {
        *status = bound->leaf.test(call) ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
        return true;
    }
    ploy_result result = PLOY_OK;
    if (!bound->plain) {
        const ploy_bt_leaf *leaf = &bound->leaf;
        call->state = leaf->state_size > 0 ? walk->instance->leaf_state + bound->state : NULL;
        if (!ployi_bt_runs(walk, node)) {
            if (call->state != NULL) memset(call->state, 0, (size_t)leaf->state_size);
            if (leaf->sleeps) {
                memset(ployi_bt_wake_of(walk->instance, bound), 0, sizeof(ployi_bt_wake));
            }
            walk->status[node] = PLOYI_BT_RUNS; // keeps (2)
            if (leaf->start != NULL) result = leaf->start(call);
        } else if (leaf->sleeps) {
            if (ployi_bt_asleep(walk->instance, bound, walk->context->now)) {
                *status = PLOY_STATUS_RUNNING;
                return true;
            }
            ployi_bt_wake_of(walk->instance, bound)->asleep = false;
        }
    }
    *status = (ploy_status)-1;
    if (result == PLOY_OK && bound->leaf.step != NULL) {
        result = bound->leaf.step(call, status);
    } else if (result == PLOY_OK) {
        *status = bound->leaf.test(call) ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
    }
    // An invalid answer, or progress in place of a result, is the caller's mistake.
    if (result == PLOY_OK && (uint32_t)*status <= PLOY_STATUS_SKIPPED) {
        if (*status != PLOY_STATUS_RUNNING && !bound->plain && bound->leaf.stop != NULL) {
            bound->leaf.stop(call, PLOY_EXIT_FINISHED);
        }
        return true;
    }
    walk->error = result < PLOY_OK ? result : PLOY_ERR_CALLBACK;
    return false;
}

// Steps the behavior of a leaf. Its errors are failures of the node; only a maker that cannot make
// it is an error of the tree.
static bool bt_act_behavior(ployi_bt_walk *walk, uint32_t node, ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    ploy_bt_instance *instance = walk->instance;
    ploy_nested *behavior = &instance->behaviors[at->extra];
    const ployi_bt_maker *maker = PLOYI_BT_AT(walk->bt, makers, ployi_bt_maker, at->extra);
    if (behavior->behavior.type == NULL) {
        walk->error = ploy_nested_make(behavior, maker->maker, &instance->env);
        if (walk->error != PLOY_OK) return false;
    }
    const char *name = ployi_bt_text(walk->bt, at->name);
    ploy_blackboard *board = walk->context->blackboard;
    walk->context->blackboard = ployi_bt_board_of(instance, node);
    if (!ployi_bt_runs(walk, node)) {
        walk->status[node] = PLOYI_BT_RUNS; // keeps (2)
        (void)ploy_nested_enter(behavior, &instance->env, name, walk->context);
    }
    // One that failed between two steps, in a message or a commit, answers now.
    *status = ploy_nested_step(behavior, &instance->env, name, walk->context);
    walk->context->blackboard = board;
    if (*status != PLOY_STATUS_RUNNING) {
        ployi_bt_leave(instance, walk->context, node, PLOY_EXIT_FINISHED);
    }
    return true;
}

uint32_t ployi_bt_changes(const ployi_bt_walk *walk, const ployi_bt_extra *extra) {
    ploy_blackboard_ref key = ployi_bt_ref_of(walk->instance, extra->ref);
    return key.board != NULL ? ploy_blackboard_slot_changes(key.board, key.slot) : 0;
}

static ploy_status bt_act_sleep(ployi_bt_walk *walk, uint32_t node, const ployi_bt_extra *extra,
                                uint32_t *words) {
    double now = walk->context->now;
    if (!ployi_bt_runs(walk, node)) {
        double span = ployi_bt_seconds(walk, extra, PLOYI_BT_SETTING_SECONDS);
        double most = ployi_bt_seconds(walk, extra, PLOYI_BT_SETTING_SECONDS_MAX);
        if (most > span) {
            double part =
                (double)ploy_rng_float_at(ployi_bt_key(walk), walk->context->agent.id.index,
                                          walk->context->tick, walk->instance->draws++);
            span += part * (most - span);
        }
        ployi_bt_set_time(words, now + span);
    }
    return now >= ployi_bt_time(words) ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
}

// The built-in leaves and those of the game. False: walk->error.
bool ployi_bt_act(ployi_bt_walk *walk, uint32_t node, ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    const ployi_bt_extra *extra = NULL;
    uint32_t *words = &walk->words[at->state];
    *status = PLOY_STATUS_SUCCESS;
    if (at->kind == PLOY_BT_BEHAVIOR) return bt_act_behavior(walk, node, status);
    if (at->kind == PLOY_BT_ALWAYS_SUCCESS) return true;
    if (at->kind == PLOY_BT_ALWAYS_FAILURE) {
        *status = PLOY_STATUS_FAILURE;
        return true;
    }
    extra = ployi_bt_extra_of(walk->bt, at);
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_SLEEP: *status = bt_act_sleep(walk, node, extra, words); break;
    case PLOY_BT_SET_BLACKBOARD:
    case PLOY_BT_UNSET_BLACKBOARD:
        ployi_bt_set(walk->instance, extra->ref,
                     PLOYI_BT_AT(walk->bt, values, ploy_value, extra->first_value));
        break;
    case PLOY_BT_WAS_ENTRY_UPDATED: {
        uint32_t changes = ployi_bt_changes(walk, extra);
        if (changes == words[0]) *status = PLOY_STATUS_FAILURE;
        words[0] = changes;
        break;
    }
    case PLOY_BT_CONDITION: {
        ploy_bt_call call = ployi_bt_call(walk->instance, walk->context, node);
        if (!ployi_bt_holds(&extra->condition, &call)) *status = PLOY_STATUS_FAILURE;
        break;
    }
    case PLOY_BT_SCRIPT:
        walk->error = ployi_bt_run(walk->instance, &extra->condition, walk->context, NULL);
        return walk->error == PLOY_OK;
    case PLOY_BT_SIGNAL:
        ploy_bt_instance_signal(walk->instance, (int32_t)extra->target, extra->result);
        break;
    default: break;
    }
    return true;
}
