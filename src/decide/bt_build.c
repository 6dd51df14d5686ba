// The last step of building a behavior tree: checks of the whole, warnings, and the layout of
// instances.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decide/bt_internal.h"
#include "ploy/base/hash.h"

static void bt_build_say(const ploy_bt *bt, ploy_diags *diags, ploy_severity severity,
                         ploy_result code, uint32_t node, const char *what) {
    const ployi_bt_node *at = PLOYI_BT_AT(bt, nodes, ployi_bt_node, node);
    char message[PLOY_DIAG_TEXT_MAX];
    snprintf(message, sizeof message, "%s '%.60s' %s", ploy_bt_kind_text((ploy_bt_kind)at->kind),
             ployi_bt_text(bt, at->name), what);
    ploy_diags_add(diags, severity, code, ploy_bt_name(bt), 0, 0, message, NULL, NULL);
}

static ploy_result bt_build_fault(const ploy_bt *bt, ploy_diags *diags, uint32_t node,
                                  const char *what) {
    bt_build_say(bt, diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, node, what);
    return PLOY_ERR_ARGUMENT;
}

// Thresholds of a Parallel as plain counts.
static ploy_result bt_build_parallel(const ploy_bt *bt, ploy_diags *diags, uint32_t node) {
    const ployi_bt_node *at = PLOYI_BT_AT(bt, nodes, ployi_bt_node, node);
    ployi_bt_extra *extra = PLOYI_BT_AT(bt, extras, ployi_bt_extra, at->extra);
    int32_t children = at->children;
    if (at->kind == PLOY_BT_PARALLEL) {
        if (extra->share > 0.0f) {
            extra->count = (int32_t)ceil((double)extra->share * children);
        }
        if (extra->share2 > 0.0f) {
            extra->count2 = (int32_t)ceil((double)extra->share2 * children);
        }
        if (extra->count < 0) extra->count += children + 1;
        if (extra->count2 < 0) extra->count2 += children + 1;
        if (extra->count < 1 || extra->count > children) {
            return bt_build_fault(bt, diags, node, "needs more successes than it has children");
        }
    }
    if (extra->count2 < 1 || extra->count2 > children) {
        return bt_build_fault(bt, diags, node, "needs more failures than it has children");
    }
    return PLOY_OK;
}

static ploy_result bt_build_signal(const ploy_bt *bt, ploy_diags *diags, uint32_t node) {
    ployi_bt_extra *extra =
        PLOYI_BT_AT(bt, extras, ployi_bt_extra, PLOYI_BT_AT(bt, nodes, ployi_bt_node, node)->extra);
    if (extra->target != PLOYI_BT_NONE) return PLOY_OK; // of a sub-tree, resolved there
    int32_t target = ploy_bt_find_node(bt, ployi_bt_text(bt, extra->text));
    if (target < 0) {
        bt_build_say(bt, diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, node,
                     "refers to an unknown node");
        return PLOY_ERR_NOT_FOUND;
    }
    uint8_t kind = PLOYI_BT_AT(bt, nodes, ployi_bt_node, target)->kind;
    bool listens = kind == PLOY_BT_INTERRUPTER || kind == PLOY_BT_GATE || kind == PLOY_BT_HOLD ||
                   kind == PLOY_BT_LIMIT;
    if (!listens) return bt_build_fault(bt, diags, node, "refers to a node that takes no messages");
    if (kind == PLOY_BT_INTERRUPTER && extra->result == PLOY_STATUS_RUNNING) {
        return bt_build_fault(bt, diags, node, "cannot end an Interrupter with RUNNING");
    }
    extra->target = (uint32_t)target;
    return PLOY_OK;
}

static ploy_result bt_build_check(const ploy_bt *bt, ploy_diags *diags, uint32_t node) {
    const ployi_bt_node *at = PLOYI_BT_AT(bt, nodes, ployi_bt_node, node);
    ploy_bt_kind kind = (ploy_bt_kind)at->kind;
    int32_t children = at->children;
    if (children < ployi_bt_kind_least(kind) || children > ployi_bt_kind_most(kind)) {
        return bt_build_fault(bt, diags, node, "has the wrong number of children");
    }
    switch (kind) {
    case PLOY_BT_PARALLEL:
    case PLOY_BT_PARALLEL_ALL: return bt_build_parallel(bt, diags, node);
    case PLOY_BT_SIGNAL: return bt_build_signal(bt, diags, node);
    case PLOY_BT_SWITCH:
        if ((int32_t)ployi_bt_extra_of(bt, at)->value_count + 1 != children) {
            return bt_build_fault(bt, diags, node, "needs a child for each value and a default");
        }
        return PLOY_OK;
    default: return PLOY_OK;
    }
}

// ---- warnings ----

static bool bt_build_is_sequence(uint8_t kind) {
    return kind == PLOY_BT_SEQUENCE || kind == PLOY_BT_SEQUENCE_WITH_MEMORY ||
           kind == PLOY_BT_ASYNC_SEQUENCE || kind == PLOY_BT_REACTIVE_SEQUENCE;
}

static bool bt_build_is_fallback(uint8_t kind) {
    return kind == PLOY_BT_FALLBACK || kind == PLOY_BT_ASYNC_FALLBACK ||
           kind == PLOY_BT_REACTIVE_FALLBACK;
}

// True if the node always answers at once with success, or with failure.
static bool bt_build_always(const ployi_bt_node *node, bool success) {
    if ((node->flags & PLOYI_BT_FLAG_PRE) != 0) return false;
    return node->kind == (success ? PLOY_BT_ALWAYS_SUCCESS : PLOY_BT_ALWAYS_FAILURE);
}

static void bt_build_warn(const ploy_bt *bt, ploy_diags *diags, uint32_t node) {
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node);
    const ployi_bt_node *at = &nodes[node];
    bool sequence = bt_build_is_sequence(at->kind), fallback = bt_build_is_fallback(at->kind);
    bool composite = at->kind < PLOY_BT_INVERTER && at->kind != PLOY_BT_CONTROL;
    if (composite && at->children < 2) {
        bt_build_say(bt, diags, PLOY_SEVERITY_WARNING, PLOY_OK, node,
                     at->children == 0 ? "has no children" : "has only one child");
    }
    bool simple = at->kind == PLOY_BT_SEQUENCE || at->kind == PLOY_BT_FALLBACK;
    if (simple && node > 0 && nodes[at->parent].kind == at->kind && at->hook == PLOYI_BT_NONE) {
        bt_build_say(bt, diags, PLOY_SEVERITY_WARNING, PLOY_OK, node,
                     "is inside a node of the same kind and could be merged with it");
    }
    if (!sequence && !fallback) return;
    for (uint32_t child = node + 1; child < at->end; child = nodes[child].end) {
        if (!bt_build_always(&nodes[child], fallback) || nodes[child].end >= at->end) continue;
        bt_build_say(bt, diags, PLOY_SEVERITY_WARNING, PLOY_OK, nodes[child].end,
                     "can never run because an earlier node always decides");
        return;
    }
}

// ---- layout ----

static bool bt_build_asks_again(const ploy_bt *bt, const ployi_bt_node *node) {
    if (!ployi_bt_kind_holds((ploy_bt_kind)node->kind)) return true;
    for (uint32_t next = node->hook; next != PLOYI_BT_NONE;) {
        const ployi_bt_hook *hook = PLOYI_BT_AT(bt, hooks, ployi_bt_hook, next);
        if (hook->when == PLOY_BT_WHILE) return true;
        next = hook->next;
    }
    return false;
}

// A node's number for its id: that of its like among its siblings, so that an id outlives edits
// around the node. Past the first BT_BUILD_ALIKE siblings it is the place, because looking at all of
// them would take too long in a wide tree.
#define BT_BUILD_ALIKE 64

static uint32_t bt_build_number(const ploy_bt *bt, uint32_t node, uint32_t place) {
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node);
    if (node == 0 || place >= BT_BUILD_ALIKE) return place;
    uint32_t alike = 0;
    const char *name = ployi_bt_text(bt, nodes[node].name);
    for (uint32_t at = nodes[node].parent + 1; at < node; at = nodes[at].end) {
        if (strcmp(ployi_bt_text(bt, nodes[at].name), name) == 0) alike++;
    }
    return alike;
}

// Parents come before children, so one pass is enough.
static void bt_build_place(ploy_bt *bt, uint32_t node, uint32_t place) {
    ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node);
    ployi_bt_node *at = &nodes[node];
    uint64_t *ids = PLOY_ARRAY_ITEMS(&bt->ids, uint64_t);
    at->resume = node;
    // A sub-tree brings what was found out about it alone.
    at->flags &= (uint8_t) ~(PLOYI_BT_FLAG_QUICK | PLOYI_BT_FLAG_INVERTS | PLOYI_BT_FLAG_PLAIN);
    if (node > 0) {
        const ployi_bt_node *parent = &nodes[at->parent];
        bool above = parent->resume != at->parent;
        if (above || bt_build_asks_again(bt, parent)) at->resume = parent->resume;
    }
    uint64_t name = ploy_name_of(ployi_bt_text(bt, at->name)).hash;
    uint64_t around = node > 0 ? ids[at->parent] : ploy_name_of(ploy_bt_name(bt)).hash;
    ids[node] =
        ploy_hash_combine(ploy_hash_combine(around, name), bt_build_number(bt, node, place));
    uint32_t words = ployi_bt_kind_words((ploy_bt_kind)at->kind, at->children);
    at->state = words > 0 ? bt->words : 0;
    bt->words += words;
    if (ployi_bt_has_leaf(at)) {
        ployi_bt_bound_leaf *bound = PLOYI_BT_AT(bt, leaves, ployi_bt_bound_leaf, at->extra);
        size_t room = bound->leaf.sleeps ? sizeof(ployi_bt_wake) : 0;
        bound->state = (uint32_t)(bt->leaf_bytes + room);
        bt->leaf_bytes += room + ((size_t)bound->leaf.state_size + 7) / 8 * 8;
        ployi_bt_quick *quick = PLOYI_BT_AT(bt, quick, ployi_bt_quick, at->extra);
        memset(quick, 0, sizeof *quick);
        quick->step = bound->leaf.step;
        quick->user = bound->user;
        quick->node = node;
        quick->on = PLOYI_BT_NEVER;
        if (bound->plain && bound->leaf.step != NULL) at->flags |= PLOYI_BT_FLAG_QUICK;
        ployi_bt_node *above = node > 0 ? &nodes[at->parent] : at;
        if (at->flags == PLOYI_BT_FLAG_QUICK && above->kind == PLOY_BT_INVERTER &&
            above->flags == 0) {
            above->flags = PLOYI_BT_FLAG_INVERTS;
        }
    }
}

// True for a Sequence or Fallback of leaves that do nothing but step, inverted or not, and of its
// like, none of them below it with conditions or effects. Asked for children before parents.
static bool bt_build_is_plain(const ployi_bt_node *nodes, uint32_t node) {
    const ployi_bt_node *at = &nodes[node];
    if (at->kind != PLOY_BT_SEQUENCE && at->kind != PLOY_BT_FALLBACK) return false;
    for (uint32_t child = node + 1; child < at->end; child = nodes[child].end) {
        uint8_t flags = nodes[child].flags;
        if (flags != PLOYI_BT_FLAG_QUICK && flags != PLOYI_BT_FLAG_INVERTS &&
            flags != PLOYI_BT_FLAG_PLAIN) {
            return false;
        }
    }
    return at->children > 0;
}

static uint32_t bt_build_first_leaf(const ployi_bt_node *nodes, uint32_t node) {
    while (nodes[node].kind != PLOY_BT_LEAF) node++;
    return nodes[node].extra;
}

// Where an answer of a leaf leads within a plain sub-tree, and what it decides on the way.
static ploy_result bt_build_turn(ploy_bt *bt, uint32_t root, uint32_t node, ploy_status status,
                                 ployi_bt_turn *turn) {
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node);
    turn->first_mark = (uint32_t)bt->marks.count;
    while (node != root) {
        uint32_t above = nodes[node].parent;
        const ployi_bt_node *at = &nodes[above];
        if (at->kind == PLOY_BT_INVERTER) {
            status = status == PLOY_STATUS_SUCCESS ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
        } else if ((status == PLOY_STATUS_SUCCESS) == (at->kind == PLOY_BT_SEQUENCE) &&
                   nodes[node].end < at->end) {
            turn->next = bt_build_first_leaf(nodes, nodes[node].end);
            return PLOY_OK;
        }
        ployi_bt_mark mark = {above, (uint32_t)status + 1};
        ploy_result result = ploy_array_push(&bt->marks, &mark);
        if (result != PLOY_OK) return result;
        turn->mark_count++;
        node = above;
    }
    turn->next = status == PLOY_STATUS_SUCCESS ? PLOYI_BT_TURN_SUCCESS : PLOYI_BT_TURN_FAILURE;
    return PLOY_OK;
}

// Both ways of a leaf, and which of them is the short one to the leaf beside it.
static ploy_result bt_build_turns(ploy_bt *bt, uint32_t root, uint32_t node,
                                  ployi_bt_quick *quick) {
    static const ploy_status answers[] = {PLOY_STATUS_SUCCESS, PLOY_STATUS_FAILURE};
    uint32_t beside = PLOYI_BT_AT(bt, nodes, ployi_bt_node, node)->extra + 1;
    quick->turn = (uint32_t)bt->turns.count;
    for (int32_t i = 0; i < 2; i++) {
        ployi_bt_turn turn = {0};
        ploy_result result = bt_build_turn(bt, root, node, answers[i], &turn);
        if (result == PLOY_OK) result = ploy_array_push(&bt->turns, &turn);
        if (result != PLOY_OK) return result;
        if (turn.next != beside || turn.mark_count > 2 || quick->on != PLOYI_BT_NEVER) continue;
        quick->on = (uint32_t)answers[i];
        quick->decides = turn.mark_count > 0;
        for (uint32_t k = 0; k < 2 && quick->decides; k++) {
            uint32_t mark = turn.first_mark + (k < turn.mark_count ? k : 0);
            quick->marks[k] = *PLOYI_BT_AT(bt, marks, ployi_bt_mark, mark);
        }
    }
    return PLOY_OK;
}

// Finds the plain sub-trees, none within another, and computes the paths of their leaves.
static ploy_result bt_build_plain(ploy_bt *bt) {
    ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node);
    ployi_bt_quick *quick = PLOY_ARRAY_ITEMS(&bt->quick, ployi_bt_quick);
    uint32_t count = (uint32_t)bt->nodes.count;
    ploy_array_clear(&bt->marks);
    ploy_array_clear(&bt->turns);
    for (uint32_t i = count; i-- > 0;) {
        if (bt_build_is_plain(nodes, i)) nodes[i].flags |= PLOYI_BT_FLAG_PLAIN;
    }
    for (uint32_t root = 0; root < count; root++) {
        if ((nodes[root].flags & PLOYI_BT_FLAG_PLAIN) == 0) continue;
        for (uint32_t i = root + 1; i < nodes[root].end; i++) {
            nodes[i].flags &= (uint8_t)~PLOYI_BT_FLAG_PLAIN;
            if (nodes[i].kind != PLOY_BT_LEAF) continue;
            ploy_result result = bt_build_turns(bt, root, i, &quick[nodes[i].extra]);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

static void bt_build_count_children(ploy_bt *bt) {
    ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node);
    for (int32_t i = 0; i < bt->nodes.count; i++) {
        int32_t count = 0;
        for (uint32_t child = (uint32_t)i + 1; child < nodes[i].end; child = nodes[child].end) {
            if (count < UINT16_MAX) count++;
        }
        nodes[i].children = (uint16_t)count;
    }
}

// The layout of the boards that a node's behavior runs on; `own` of the tree's.
static const ploy_blackboard_layout *bt_build_layout(const ploy_bt *bt, uint32_t node,
                                                     const ploy_blackboard_layout *own) {
    uint32_t up = PLOYI_BT_AT(bt, nodes, ployi_bt_node, node)->parent;
    while (up != PLOYI_BT_NONE) {
        const ployi_bt_node *around = PLOYI_BT_AT(bt, nodes, ployi_bt_node, up);
        if (around->kind == PLOY_BT_SUBTREE || around->kind == PLOY_BT_BLACKBOARD_SCOPE) {
            uint32_t scope = ployi_bt_extra_of(bt, around)->scope;
            return PLOYI_BT_AT(bt, scopes, ployi_bt_scope, scope)->layout;
        }
        up = around->parent;
    }
    return own;
}

ploy_result ployi_bt_check_makers(const ploy_bt *bt, const ploy_blackboard_layout *layout,
                                  ploy_diags *diags) {
    ploy_result first = PLOY_OK;
    for (int32_t i = 0; i < bt->makers.count; i++) {
        const ployi_bt_maker *maker = PLOYI_BT_AT(bt, makers, ployi_bt_maker, i);
        ploy_result result = ploy_maker_check(
            maker->maker, bt_build_layout(bt, maker->node, layout), &bt->env, diags);
        if (result == PLOY_OK) continue;
        bt_build_say(bt, diags, PLOY_SEVERITY_ERROR, result, maker->node,
                     "contains a behavior for another blackboard layout");
        if (first == PLOY_OK) first = result;
    }
    return first;
}

ploy_result ployi_bt_finish(ploy_bt *bt, ploy_diags *diags) {
    ploy_result result = PLOY_OK;
    bt_build_count_children(bt);
    for (int32_t i = 0; i < bt->nodes.count; i++) {
        ploy_result fault = bt_build_check(bt, diags, (uint32_t)i);
        if (result == PLOY_OK) result = fault; // the others' faults are worth hearing too
        const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, i);
        if (node->kind != PLOY_BT_BEHAVIOR) continue;
        PLOYI_BT_AT(bt, makers, ployi_bt_maker, node->extra)->node = (uint32_t)i;
    }
    if (result == PLOY_OK) {
        result =
            ployi_bt_check_makers(bt, PLOYI_BT_AT(bt, scopes, ployi_bt_scope, 0)->layout, diags);
    }
    if (result == PLOY_OK) result = ploy_array_resize(&bt->ids, bt->nodes.count);
    if (result == PLOY_OK) result = ploy_array_resize(&bt->quick, bt->leaves.count);
    if (result != PLOY_OK) return result;
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node);
    bt->words = 1; // so that a node without words points somewhere too
    bt->leaf_bytes = 0;
    bt_build_place(bt, 0, 0);
    for (int32_t i = 0; i < bt->nodes.count; i++) {
        uint32_t place = 0;
        for (uint32_t child = (uint32_t)i + 1; child < nodes[i].end; child = nodes[child].end) {
            place++;
            PLOYI_BT_AT(bt, nodes, ployi_bt_node, child)->resume = place; // for the pass below
        }
        bt_build_warn(bt, diags, (uint32_t)i);
    }
    for (int32_t i = 1; i < bt->nodes.count; i++) {
        bt_build_place(bt, (uint32_t)i, nodes[i].resume);
    }
    bt->board_bytes = 0;
    for (int32_t i = 1; i < bt->scopes.count; i++) {
        const ploy_blackboard_layout *layout = PLOYI_BT_AT(bt, scopes, ployi_bt_scope, i)->layout;
        if (layout != NULL) bt->board_bytes += (ploy_blackboard_size(layout) + 7) / 8 * 8;
    }
    return bt_build_plain(bt);
}

#undef BT_BUILD_ALIKE
