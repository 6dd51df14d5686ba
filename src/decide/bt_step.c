// The walk through a behavior tree.
//
// Two movements in turn, without recursion: down, where a node is visited and either answers or
// sends the walk to a child; and up, where a child's answer reaches its parent, which answers or
// sends the walk to another child. A walk can therefore be left anywhere (the budget is empty) and
// taken up there. A node that answers RUNNING by itself yields; where no ancestor has to
// hear of that the step is over, however deep the node.
//
// Invariants:
//   (1) a node whose byte is RUNS has ancestors whose bytes are RUNS, when a step is over;
//   (2) a leaf that has started, and a behavior that was entered, has the byte RUNS until its stop;
//   (3) the cursor is 0, a node that yielded or its topmost ancestor that asks again, or where the
//       budget ended.
#include "decide/bt_walk.h"

// Leaves the tree whole after a fault: nothing runs any more.
static ploy_result bt_step_fail(ployi_bt_walk *walk, uint32_t node) {
    ploy_step_blame(walk->context, ployi_bt_text(walk->bt, walk->nodes[node].name));
    ployi_bt_halt(walk->instance, walk->context, 0, PLOY_EXIT_ERROR);
    walk->instance->cursor = 0;
    return walk->error;
}

static const ploy_status bt_step_inverted[] = {PLOY_STATUS_RUNNING, PLOY_STATUS_FAILURE,
                                               PLOY_STATUS_SUCCESS, PLOY_STATUS_SKIPPED};

// Asks a plain sub-tree from its first leaf on: each leaf's answer leads to the next leaf, and marks
// what that decided on the way. @return its answer; or, with a leaf in *left, what that said and
// no ancestor has taken up: RUNNING, SKIPPED, or no answer at all.
static ploy_status bt_step_plain(const ploy_bt *bt, unsigned char *statuses, uint32_t first,
                                 ploy_bt_call *call, ploy_result *result,
                                 const ployi_bt_quick **left) {
    const ployi_bt_quick *quick = PLOY_ARRAY_ITEMS(&bt->quick, ployi_bt_quick);
    for (const ployi_bt_quick *leaf = &quick[first];;) {
        ploy_status said;
        // Most go on with the leaf beside them. A processor guesses that, where it would have to
        // wait for an address; and this loop within the loop is as tight as it looks, because the
        // jumps of a longer one would cost more than what it does.
        for (;; leaf++) {
            said = (ploy_status)-1;
            call->node = (int32_t)leaf->node;
            call->user = leaf->user;
            *result = leaf->step(call, &said);
            if (((uint32_t)*result | ((uint32_t)said ^ leaf->on)) != 0) break;
            statuses[leaf->node] = (unsigned char)(leaf->on + 1);
            if (!leaf->decides) continue;
            statuses[leaf->marks[0].node] = (unsigned char)leaf->marks[0].byte;
            statuses[leaf->marks[1].node] = (unsigned char)leaf->marks[1].byte;
        }
        if (*result != PLOY_OK || (said != PLOY_STATUS_SUCCESS && said != PLOY_STATUS_FAILURE)) {
            *left = leaf;
            return said;
        }
        const ployi_bt_turn *turn = PLOYI_BT_AT(bt, turns, ployi_bt_turn, leaf->turn);
        if (said == PLOY_STATUS_FAILURE) turn++;
        statuses[leaf->node] = (unsigned char)(said + 1);
        const ployi_bt_mark *mark = PLOYI_BT_AT(bt, marks, ployi_bt_mark, turn->first_mark);
        for (const ployi_bt_mark *end = mark + turn->mark_count; mark < end; mark++) {
            statuses[mark->node] = (unsigned char)mark->byte;
        }
        if (turn->next >= PLOYI_BT_TURN_FAILURE) {
            return turn->next == PLOYI_BT_TURN_SUCCESS ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
        }
        leaf = &quick[turn->next];
    }
}

// The variables of this function stay in registers: none of the hot ones has its address taken,
// which is what the blocks with copies below are for.
static ploy_result bt_step_run(ployi_bt_walk *walk, ploy_status *out) {
    ploy_bt_instance *instance = walk->instance;
    ploy_step_context *context = walk->context;
    const ployi_bt_node *nodes = walk->nodes;
    const ployi_bt_quick *quick = PLOY_ARRAY_ITEMS(&walk->bt->quick, ployi_bt_quick);
    unsigned char *statuses = walk->status;
    uint32_t *words = walk->words;
    ploy_trace *trace = context->trace;
    bool careful = context->budget != NULL || instance->seen != NULL;
    const bool alone = !careful && trace == NULL; // no trace listens
    ploy_bt_call call = {context, instance, 0, NULL, NULL};
    uint32_t at = instance->cursor, resume = 0, child = 0, sibling = 0;
    uint32_t resumed = statuses[at] == PLOYI_BT_RUNS ? at : PLOYI_BT_NONE;
    const ployi_bt_node *node;
    ploy_status status = PLOY_STATUS_SUCCESS;

down:
    node = &nodes[at];
    if (careful) {
        if (context->budget != NULL && !ploy_budget_spend(context->budget, 1)) {
            instance->cursor = at; // the next step goes on here
            walk->cut = true;
            *out = PLOY_STATUS_RUNNING;
            return PLOY_OK;
        }
        if (instance->seen != NULL) instance->seen[at] = (uint32_t)context->tick + 1;
    }
    if ((node->flags & PLOYI_BT_FLAG_PRE) != 0) {
        ploy_status answer;
        if (ployi_bt_before(walk, at, &answer)) {
            status = answer;
            goto answer;
        }
    }
    if ((node->flags & PLOYI_BT_FLAG_QUICK) != 0) {
        const ployi_bt_quick *leaf = &quick[node->extra];
        ploy_status answer = (ploy_status)-1;
        call.node = (int32_t)at;
        call.user = leaf->user;
        ploy_result result = leaf->step(&call, &answer);
        if (result != PLOY_OK || (uint32_t)answer > PLOY_STATUS_SKIPPED) {
            walk->error = result < PLOY_OK ? result : PLOY_ERR_CALLBACK;
            return bt_step_fail(walk, at);
        }
        status = answer;
        if (status == PLOY_STATUS_RUNNING) goto yield;
        goto answer;
    }
    if ((node->flags & PLOYI_BT_FLAG_PLAIN) != 0 && alone && statuses[at] != PLOYI_BT_RUNS) {
        const ployi_bt_quick *left = NULL;
        ploy_result result = PLOY_OK;
        for (child = at + 1; nodes[child].kind != PLOY_BT_LEAF;) child++;
        status = bt_step_plain(walk->bt, statuses, nodes[child].extra, &call, &result, &left);
        if (left == NULL) goto answer;
        // As if the walk had come down to that leaf.
        uint32_t root = at;
        at = left->node;
        for (child = at; child != root; child = nodes[child].parent) {
            uint32_t above = nodes[child].parent;
            statuses[above] = PLOYI_BT_RUNS;
            if (nodes[above].kind != PLOY_BT_INVERTER) words[nodes[above].state] = above + 1;
        }
        node = &nodes[at];
        if (result != PLOY_OK || (uint32_t)status > PLOY_STATUS_SKIPPED) {
            walk->error = result < PLOY_OK ? result : PLOY_ERR_CALLBACK;
            return bt_step_fail(walk, at);
        }
        if (status == PLOY_STATUS_RUNNING) goto yield;
        goto answer;
    }
    // Tests instead of a jump table for what is frequent: each is easy to predict by itself.
    if ((node->kind == PLOY_BT_SEQUENCE || node->kind == PLOY_BT_FALLBACK) && node->children > 0) {
        uint32_t next = at + 1;
        if (statuses[at] == PLOYI_BT_RUNS) {
            next = words[node->state] & ~PLOYI_BT_RAN;
            words[node->state] |= PLOYI_BT_RAN;
        } else {
            statuses[at] = PLOYI_BT_RUNS;
            words[node->state] = next;
        }
        at = next;
        goto down;
    }
    if (node->kind == PLOY_BT_INVERTER) {
        statuses[at++] = PLOYI_BT_RUNS;
        goto down;
    }
    switch ((ploy_bt_kind)node->kind) {
    case PLOY_BT_FORCE_SUCCESS:
    case PLOY_BT_FORCE_FAILURE:
    case PLOY_BT_SUBTREE:
    case PLOY_BT_KEEP_RUNNING_UNTIL_FAILURE:
    case PLOY_BT_UNTIL_FAIL:
    case PLOY_BT_UNTIL_SUCCESS: statuses[at++] = PLOYI_BT_RUNS; goto down;
    default: break;
    }
    if (node->kind >= PLOY_BT_ALWAYS_SUCCESS) {
        ploy_status answer = PLOY_STATUS_SUCCESS;
        bool fine = node->kind == PLOY_BT_LEAF ? ployi_bt_step_leaf(walk, at, &call, &answer)
                                               : ployi_bt_act(walk, at, &answer);
        if (!fine) return bt_step_fail(walk, at);
        call.state = NULL;
        status = answer;
        if (status == PLOY_STATUS_RUNNING) goto yield;
        goto answer;
    } else {
        ploy_status answer = status;
        uint32_t next = at + 1;
        ployi_bt_way way = node->kind < PLOY_BT_INVERTER
                               ? ployi_bt_compose(walk, at, &next, &answer)
                               : ployi_bt_decorate(walk, at, &answer);
        if (way == PLOYI_BT_YIELD) goto yield;
        if (way == PLOYI_BT_FAULT) return bt_step_fail(walk, at);
        status = answer;
        if (way == PLOYI_BT_ANSWER) goto answer;
        at = next;
        goto down;
    }

yield: // the node runs by itself
    statuses[at] = PLOYI_BT_RUNS;
    if (trace != NULL) ployi_bt_tell(walk, at, PLOY_STATUS_RUNNING);
    resume = node->resume;
    if (resume == at) goto running; // no ancestor has to know
    status = PLOY_STATUS_RUNNING;
    goto up;

answer: // the node has answered, not with RUNNING
    if (at == resumed) {
        ployi_bt_mark_above(walk, at);
        resumed = PLOYI_BT_NONE;
    }
    statuses[at] = (unsigned char)(status + 1);
    if ((node->flags & PLOYI_BT_FLAG_POST) != 0) ployi_bt_after(walk, at, status);
    if (trace != NULL) ployi_bt_tell(walk, at, status);

up:
    if (at == 0) {
        if (status == PLOY_STATUS_RUNNING) goto running;
        instance->cursor = 0;
        *out = status;
        return PLOY_OK;
    }
    child = at;
    at = node->parent;
    sibling = node->end; // of the child, if it has one
    node = &nodes[at];
    if (node->kind == PLOY_BT_SEQUENCE || node->kind == PLOY_BT_FALLBACK) {
        ploy_status through =
            node->kind == PLOY_BT_SEQUENCE ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
        if (status == through && sibling < node->end) {
            at = sibling;
            goto down;
        }
        if (status == PLOY_STATUS_RUNNING) {
            words[node->state] = child | PLOYI_BT_RAN; // its place, for ancestors that ask
            goto up;
        }
        if (status == PLOY_STATUS_SKIPPED) {
            ploy_status answer = status;
            uint32_t next = at;
            if (ployi_bt_go_on(walk, at, child, &next, &answer, through) == PLOYI_BT_DOWN) {
                at = next;
                goto down;
            }
            status = answer;
        }
        goto answer;
    }
    if (node->kind == PLOY_BT_INVERTER) {
        status = bt_step_inverted[status];
        if (status == PLOY_STATUS_RUNNING) goto up;
        goto answer;
    }
    switch ((ploy_bt_kind)node->kind) {
    case PLOY_BT_FORCE_SUCCESS:
        if (status == PLOY_STATUS_FAILURE) status = PLOY_STATUS_SUCCESS;
        break;
    case PLOY_BT_FORCE_FAILURE:
        if (status == PLOY_STATUS_SUCCESS) status = PLOY_STATUS_FAILURE;
        break;
    default: {
        ploy_status answer = status;
        uint32_t next = at;
        ployi_bt_way way = node->kind < PLOY_BT_INVERTER
                               ? ployi_bt_hear(walk, at, child, &next, &answer)
                               : ployi_bt_filter(walk, at, &next, &answer);
        if (way == PLOYI_BT_YIELD) goto yield;
        if (way == PLOYI_BT_FAULT) return bt_step_fail(walk, at);
        status = answer;
        if (way == PLOYI_BT_ANSWER) break;
        at = next;
        goto down;
    }
    }
    if (status == PLOY_STATUS_RUNNING) goto up;
    goto answer;

running:
    instance->cursor = resume;
    *out = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

ploy_result ploy_bt_instance_step(ploy_bt_instance *instance, ploy_step_context *context,
                                  ploy_status *status) {
    if (instance == NULL || context == NULL || status == NULL) return PLOY_ERR_ARGUMENT;
    if (instance->stepping) return PLOY_ERR_STATE;
    const ploy_bt *bt = instance->bt;
    const ployi_bt_scope *own = PLOYI_BT_AT(bt, scopes, ployi_bt_scope, 0);
    if (own->layout != NULL && (context->blackboard == NULL ||
                                ploy_blackboard_layout_of(context->blackboard) != own->layout)) {
        return PLOY_ERR_ARGUMENT;
    }
    instance->boards[0] = context->blackboard;
    ployi_bt_walk walk = {
        instance,         context,         bt,      PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node),
        instance->status, instance->words, PLOY_OK, false};
    instance->stepping = true;
    if (context->trace != NULL) {
        ploy_trace_begin(context->trace, context->agent, ploy_bt_name(bt), "behavior tree");
    }
    ploy_result result = bt_step_run(&walk, status);
    // What was said in a piece of a step is heard in its other pieces.
    if (!walk.cut) instance->signal = PLOYI_BT_NONE;
    if (context->trace != NULL) ploy_trace_end(context->trace);
    instance->stepping = false;
    return result;
}
