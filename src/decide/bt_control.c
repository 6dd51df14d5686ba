// Composites and decorators of the game's own; see bt_step.c for the walk.
//
// Its word counts the children that were asked in this step, so that a function which never answers
// is an error and no hang.
#include "decide/bt_walk.h"

static ployi_bt_way bt_control_fail(ployi_bt_walk *walk, ploy_result result) {
    walk->error = result < PLOY_OK ? result : PLOY_ERR_CALLBACK;
    return PLOYI_BT_FAULT;
}

static int32_t bt_control_index(const ployi_bt_walk *walk, uint32_t node, uint32_t child) {
    int32_t index = 0;
    for (uint32_t at = node + 1; at != child; at = walk->nodes[at].end) index++;
    return index;
}

ployi_bt_way ployi_bt_choose(ployi_bt_walk *walk, uint32_t node, uint32_t child, uint32_t *next,
                             ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    const ployi_bt_bound_leaf *bound =
        PLOYI_BT_AT(walk->bt, leaves, ployi_bt_bound_leaf, at->extra);
    uint32_t *asked = &walk->words[at->state];
    ploy_bt_call call = ployi_bt_call(walk->instance, walk->context, node);
    bool visit = child == PLOYI_BT_NONE;
    if (visit) *asked = 0;
    if (visit && !ployi_bt_runs(walk, node)) {
        walk->status[node] = PLOYI_BT_RUNS; // until its stop
        if (call.state != NULL) memset(call.state, 0, (size_t)bound->leaf.state_size);
        for (uint32_t i = node + 1; i < at->end; i = walk->nodes[i].end) {
            walk->status[i] = PLOYI_BT_IDLE;
        }
        ploy_result result = bound->leaf.start != NULL ? bound->leaf.start(&call) : PLOY_OK;
        if (result != PLOY_OK) return bt_control_fail(walk, result);
    }
    int32_t chosen = -1;
    ploy_status answer = (ploy_status)-1;
    ploy_result result = bound->leaf.choose(&call, visit ? -1 : bt_control_index(walk, node, child),
                                            *status, &chosen, &answer);
    if (result != PLOY_OK) return bt_control_fail(walk, result);
    if (chosen >= 0) {
        if (chosen >= at->children) return bt_control_fail(walk, PLOY_ERR_CALLBACK);
        if (++*asked > PLOY_BT_CHOICES_MAX) return bt_control_fail(walk, PLOY_ERR_LIMIT);
        *next = node + 1;
        while (chosen-- > 0) *next = walk->nodes[*next].end;
        return PLOYI_BT_DOWN;
    }
    if ((uint32_t)answer > PLOY_STATUS_SKIPPED) return bt_control_fail(walk, PLOY_ERR_CALLBACK);
    if (answer == PLOY_STATUS_RUNNING) return PLOYI_BT_YIELD;
    ployi_bt_halt_children(walk, node);
    if (bound->leaf.stop != NULL) bound->leaf.stop(&call, PLOY_EXIT_FINISHED);
    *status = answer;
    return PLOYI_BT_ANSWER;
}
