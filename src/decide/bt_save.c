// A behavior tree's run-time state in a file, by the ids of its nodes.
//
//     { "tree": "guard", "cursor": "<id>", "draws": 3,
//       "nodes": { "<id>": { "name": "fight", "kind": "Sequence", "status": "running",
//                            "words": ["<id of a child>"], "bytes": ["00ff"],
//                            "wake": ["..."], "behavior": { a behavior } } },
//       "boards": { "<id>": { "key": value } } }
//
// A word that is a node's number is written as that node's id, because an edited tree numbers its
// nodes anew. Nodes that are idle and have nothing to remember are left out.
//
// Loading goes from the root down onto a fresh instance. A node keeps its state if the tree has a
// node of that id and kind whose words all mean something; else it stays idle with everything below
// it and is told. So whatever ran has ancestors that run, as invariant (1) of bt_step.c wants.
#include <string.h>

#include "decide/bt_walk.h"
#include "decide/decide_internal.h"

static void bt_save_key(const ploy_bt *bt, uint32_t node, char text[PLOYI_SAVE_ID_SIZE]) {
    ployi_save_id(*PLOYI_BT_AT(bt, ids, uint64_t, node), text);
}

// Whether a word of a composite is a node's number; see ployi_bt_compose.
static bool bt_save_is_node(const ployi_bt_node *node, uint32_t word) {
    switch ((ploy_bt_kind)node->kind) {
    case PLOY_BT_CONTROL:
    case PLOY_BT_PARALLEL:
    case PLOY_BT_PARALLEL_ALL: return false;
    case PLOY_BT_SHUFFLED_SEQUENCE:
    case PLOY_BT_SHUFFLED_FALLBACK: return word >= 1;
    case PLOY_BT_UTILITY_FALLBACK: return word >= 2 && word < 2 + (uint32_t)node->children;
    default: return node->kind < PLOY_BT_INVERTER && word == 0;
    }
}

static uint32_t bt_save_words(const ployi_bt_node *node) {
    return ployi_bt_kind_words((ploy_bt_kind)node->kind, node->children);
}

// Changes so far of the key that a node watches on one of the tree's own boards, else 0. Those
// boards count anew when they are loaded, so that what is saved is how far the node is behind.
static uint32_t bt_save_changes(const ploy_bt_instance *instance, const ployi_bt_node *node) {
    if (node->kind != PLOY_BT_SKIP_UNLESS_UPDATED && node->kind != PLOY_BT_WAIT_VALUE_UPDATE &&
        node->kind != PLOY_BT_WAS_ENTRY_UPDATED) {
        return 0;
    }
    uint32_t ref = ployi_bt_extra_of(instance->bt, node)->ref;
    if (PLOYI_BT_AT(instance->bt, refs, ployi_bt_ref, ref)->scope == 0) return 0; // the game's
    ploy_blackboard_ref key = ployi_bt_ref_of(instance, ref);
    return key.board != NULL ? ploy_blackboard_slot_changes(key.board, key.slot) : 0;
}

static void bt_save_write_words(const ploy_bt_instance *instance, uint32_t at,
                                ploy_json_writer *out) {
    const ployi_bt_node *node = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, at);
    ploy_json_write_key(out, "words");
    ploy_json_write_begin_row(out);
    for (uint32_t i = 0; i < bt_save_words(node); i++) {
        uint32_t word = instance->words[node->state + i], child = word & ~PLOYI_BT_RAN;
        if (bt_save_is_node(node, i) && child > at && child < node->end) {
            char id[PLOYI_SAVE_ID_SIZE];
            bt_save_key(instance->bt, child, id);
            ploy_json_write_text(out, id);
        } else if (bt_save_is_node(node, i) && child == node->end) {
            ploy_json_write_text(out, "end"); // a branch that there is not
        } else {
            ploy_json_write_u64(out, word - bt_save_changes(instance, node));
        }
    }
    ploy_json_write_end_array(out);
    bool ran = node->kind < PLOY_BT_INVERTER && bt_save_words(node) > 0 &&
               (instance->words[node->state] & PLOYI_BT_RAN) != 0;
    ploy_json_write_key(out, "ran");
    ploy_json_write_bool(out, ran);
}

static bool bt_save_is_plain(const ploy_bt_instance *instance, uint32_t at) {
    const ployi_bt_node *node = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, at);
    if (instance->status[at] != PLOYI_BT_IDLE) return false;
    for (uint32_t i = 0; i < bt_save_words(node); i++) {
        if (instance->words[node->state + i] != bt_save_changes(instance, node)) return false;
    }
    return true;
}

static void bt_save_node(const ploy_bt_instance *instance, uint32_t at, ploy_json_writer *out) {
    const ploy_bt *bt = instance->bt;
    const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, at);
    char id[PLOYI_SAVE_ID_SIZE];
    bt_save_key(bt, at, id);
    ploy_json_write_key(out, id);
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "name");
    ploy_json_write_text(out, ployi_bt_text(bt, node->name));
    ploy_json_write_key(out, "kind");
    ploy_json_write_text(out, ploy_bt_kind_text((ploy_bt_kind)node->kind));
    bool runs = instance->status[at] == PLOYI_BT_RUNS;
    if (instance->status[at] != PLOYI_BT_IDLE) {
        ploy_json_write_key(out, "status");
        ploy_json_write_text(out, ploy_status_text((ploy_status)(instance->status[at] - 1)));
    }
    if (bt_save_words(node) > 0) bt_save_write_words(instance, at, out);
    if (ployi_bt_has_leaf(node) && runs) {
        const ployi_bt_bound_leaf *bound =
            PLOYI_BT_AT(bt, leaves, ployi_bt_bound_leaf, node->extra);
        ploy_json_write_key(out, "bytes");
        ployi_save_bytes(out, instance->leaf_state + bound->state, (size_t)bound->leaf.state_size);
        if (bound->leaf.sleeps) {
            ploy_json_write_key(out, "wake");
            ployi_save_bytes(out, ployi_bt_wake_of(instance, bound), sizeof(ployi_bt_wake));
        }
    }
    if (node->kind == PLOY_BT_BEHAVIOR && runs) {
        ploy_json_write_key(out, "behavior");
        ploy_nested_save(&instance->behaviors[node->extra], out);
    }
    ploy_json_write_end_object(out);
}

void ployi_bt_save(const void *self, ploy_json_writer *out) {
    const ploy_bt_instance *instance = self;
    const ploy_bt *bt = instance->bt;
    char id[PLOYI_SAVE_ID_SIZE];
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "tree");
    ploy_json_write_text(out, ploy_bt_name(bt));
    ploy_json_write_key(out, "cursor");
    bt_save_key(bt, instance->cursor, id);
    ploy_json_write_text(out, id);
    ploy_json_write_key(out, "draws");
    ploy_json_write_u64(out, instance->draws);
    ploy_json_write_key(out, "nodes");
    ploy_json_write_begin_object(out);
    for (int32_t i = 0; i < bt->nodes.count; i++) {
        if (!bt_save_is_plain(instance, (uint32_t)i)) bt_save_node(instance, (uint32_t)i, out);
    }
    ploy_json_write_end_object(out);
    ploy_json_write_key(out, "boards");
    ploy_json_write_begin_object(out);
    for (int32_t i = 1; i < bt->scopes.count; i++) {
        if (instance->boards[i] == NULL) continue;
        bt_save_key(bt, PLOYI_BT_AT(bt, scopes, ployi_bt_scope, i)->node, id);
        ploy_json_write_key(out, id);
        ploy_blackboard_save(instance->boards[i], out);
    }
    ploy_json_write_end_object(out);
    ploy_json_write_end_object(out);
}

// ---- loading ----

typedef struct bt_load {
    ploy_bt_instance *instance;
    ploy_step_context *context;
    const ploy_json *doc;
    ploy_json_node nodes; // of the file
    ploy_diags *diags;
    int32_t found; // nodes of the file that the tree has
    ploy_result result;
} bt_load;

// The child of a node with that id, or 0.
static uint32_t bt_load_child(const ploy_bt *bt, uint32_t at, const char *id) {
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node);
    for (uint32_t child = at + 1; child < nodes[at].end; child = nodes[child].end) {
        char text[PLOYI_SAVE_ID_SIZE];
        bt_save_key(bt, child, text);
        if (strcmp(text, id) == 0) return child;
    }
    return 0;
}

static bool bt_load_words(const bt_load *load, uint32_t at, ploy_json_node saved) {
    ploy_bt_instance *instance = load->instance;
    const ployi_bt_node *node = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, at);
    ploy_json_node words = ploy_json_member(load->doc, saved, "words");
    uint32_t count = bt_save_words(node);
    if ((uint32_t)ploy_json_count(load->doc, words) != count) return false;
    bool ran = false;
    (void)ploy_json_bool(load->doc, ploy_json_member(load->doc, saved, "ran"), &ran);
    for (int32_t pass = 0; pass < 2;
         pass++) { // nothing is written unless all of it means something
        for (uint32_t i = 0; i < count; i++) {
            ploy_json_node word = ploy_json_at(load->doc, words, (int32_t)i);
            uint64_t value = 0;
            bool refers = bt_save_is_node(node, i);
            if (refers && ploy_json_type_of(load->doc, word) == PLOY_JSON_TEXT) {
                const char *id = ploy_json_text(load->doc, word, NULL);
                value = strcmp(id, "end") == 0 ? node->end : bt_load_child(instance->bt, at, id);
                if (value == 0) return false;
            } else if (ploy_json_u64(load->doc, word, &value) != PLOY_OK || value > UINT32_MAX ||
                       (refers && value != 0)) {
                return false;
            }
            if (i == 0 && ran) value |= PLOYI_BT_RAN;
            if (pass == 0) continue;
            instance->words[node->state + i] = (uint32_t)value + bt_save_changes(instance, node);
        }
    }
    return true;
}

// Places in an order must lie within it: the walk trusts them.
static bool bt_load_sane(const bt_load *load, uint32_t at) {
    const ployi_bt_node *node = PLOYI_BT_AT(load->instance->bt, nodes, ployi_bt_node, at);
    const uint32_t *words = &load->instance->words[node->state];
    bool runs = load->instance->status[at] == PLOYI_BT_RUNS;
    uint32_t children = node->children, place = words[0] & ~PLOYI_BT_RAN;
    switch ((ploy_bt_kind)node->kind) {
    case PLOY_BT_SHUFFLED_SEQUENCE:
    case PLOY_BT_SHUFFLED_FALLBACK:
        for (uint32_t i = 0; i < children && runs; i++) {
            if (words[1 + i] == 0 || words[1 + i] >= node->end) return false;
        }
        return !runs || place < children;
    case PLOY_BT_UTILITY_FALLBACK:
        for (uint32_t i = 0; i < words[1] && i < children && runs; i++) {
            if (words[2 + i] == 0 || words[2 + i] >= node->end) return false;
        }
        return !runs || (words[1] <= children && place < words[1]);
    case PLOY_BT_PARALLEL:
    case PLOY_BT_PARALLEL_ALL: return true;
    case PLOY_BT_REACTIVE_SEQUENCE:
    case PLOY_BT_REACTIVE_FALLBACK:
    case PLOY_BT_WHILE_DO_ELSE:
    case PLOY_BT_SWITCH:
    case PLOY_BT_RANDOM_SELECTOR: return !runs || words[0] < node->end; // 0 or a child
    case PLOY_BT_RUN_ONCE:
    case PLOY_BT_HOLD:
    case PLOY_BT_INTERRUPTER: return words[0] <= PLOY_STATUS_SKIPPED + 1;
    default:
        return node->kind >= PLOY_BT_INVERTER || node->children == 0 || !runs ||
               (place != 0 && place < node->end);
    }
}

static bool bt_load_leaf(const bt_load *load, const ployi_bt_node *node, ploy_json_node saved) {
    const ploy_bt_instance *instance = load->instance;
    const ployi_bt_bound_leaf *bound =
        PLOYI_BT_AT(instance->bt, leaves, ployi_bt_bound_leaf, node->extra);
    if (!ployi_load_bytes(load->doc, ploy_json_member(load->doc, saved, "bytes"),
                          instance->leaf_state + bound->state, (size_t)bound->leaf.state_size)) {
        return false;
    }
    if (!bound->leaf.sleeps) return true;
    ployi_bt_wake wake;
    // A leaf whose sleep is unknown wakes: it is asked once more than it wanted.
    if (!ployi_load_bytes(load->doc, ploy_json_member(load->doc, saved, "wake"), &wake,
                          sizeof wake) ||
        wake.port >= bound->leaf.port_count) {
        return true;
    }
    *ployi_bt_wake_of(instance, bound) = wake;
    return true;
}

// Makes and loads the behavior of a leaf; false: load->result is an error.
static bool bt_load_behavior(bt_load *load, uint32_t at, ploy_json_node saved) {
    const ployi_bt_node *node = PLOYI_BT_AT(load->instance->bt, nodes, ployi_bt_node, at);
    ploy_bt_instance *instance = load->instance;
    ploy_nested *behavior = &instance->behaviors[node->extra];
    const ployi_bt_maker *maker =
        PLOYI_BT_AT(load->instance->bt, makers, ployi_bt_maker, node->extra);
    if (behavior->behavior.type == NULL) {
        load->result = ploy_nested_make(behavior, maker->maker, &instance->env);
        if (load->result != PLOY_OK) return false;
    }
    ploy_blackboard *board = load->context->blackboard;
    load->context->blackboard = ployi_bt_board_of(instance, at);
    load->result = ploy_nested_load(
        behavior, &instance->env, ployi_bt_text(instance->bt, node->name), load->context, load->doc,
        ploy_json_member(load->doc, saved, "behavior"), load->diags);
    load->context->blackboard = board;
    return load->result == PLOY_OK;
}

// Takes up one node. @return what is wrong with it, or NULL.
static const char *bt_load_node(bt_load *load, uint32_t at, ploy_json_node saved, bool above) {
    ploy_bt_instance *instance = load->instance;
    const ployi_bt_node *node = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, at);
    const char *kind = ploy_json_text(load->doc, ploy_json_member(load->doc, saved, "kind"), NULL);
    if (strcmp(kind, ploy_bt_kind_text((ploy_bt_kind)node->kind)) != 0) {
        return "is a node of another kind now: restarts";
    }
    ploy_status status = PLOY_STATUS_RUNNING;
    bool known =
        ployi_load_status(load->doc, ploy_json_member(load->doc, saved, "status"), &status);
    if (known && status == PLOY_STATUS_RUNNING && !above) {
        return "ran below something that restarts";
    }
    if (bt_save_words(node) > 0 && !bt_load_words(load, at, saved)) {
        return "has other children or settings now: restarts";
    }
    if (known) instance->status[at] = (unsigned char)(status + 1);
    bool runs = instance->status[at] == PLOYI_BT_RUNS;
    if (bt_save_words(node) > 0 && !bt_load_sane(load, at)) {
        return "has a place that it never was at: restarts";
    }
    if (node->kind == PLOY_BT_SEMAPHORE_GUARD) {
        uint32_t guard = ployi_bt_extra_of(instance->bt, node)->target;
        uint32_t *held = &instance->words[node->state];
        *held = runs && *held != 0 ? 1 : 0;
        if (*held != 0 && !ploy_semaphores_acquire(instance->semaphores, instance->guards[guard])) {
            return "finds its semaphore taken: restarts";
        }
    }
    if (ployi_bt_has_leaf(node) && runs && !bt_load_leaf(load, node, saved)) {
        return "has private bytes of another size now: restarts";
    }
    if (node->kind == PLOY_BT_BEHAVIOR && runs) (void)bt_load_behavior(load, at, saved);
    return NULL;
}

static void bt_load_nodes(bt_load *load) {
    ploy_bt_instance *instance = load->instance;
    const ploy_bt *bt = instance->bt;
    for (uint32_t at = 0; at < (uint32_t)bt->nodes.count && load->result == PLOY_OK; at++) {
        const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, at);
        char id[PLOYI_SAVE_ID_SIZE];
        bt_save_key(bt, at, id);
        ploy_json_node saved = ploy_json_member(load->doc, load->nodes, id);
        if (ploy_json_type_of(load->doc, saved) == PLOY_JSON_NONE) {
            if (bt_save_words(node) == 1) {
                instance->words[node->state] = bt_save_changes(instance, node);
            }
            continue;
        }
        load->found++;
        bool above =
            node->parent == PLOYI_BT_NONE || instance->status[node->parent] == PLOYI_BT_RUNS;
        const char *wrong = bt_load_node(load, at, saved, above);
        if (wrong == NULL) continue;
        instance->status[at] = PLOYI_BT_IDLE;
        memset(&instance->words[node->state], 0, bt_save_words(node) * sizeof(uint32_t));
        ploy_behavior_lost(load->doc, saved, load->diags, "node", ployi_bt_text(bt, node->name),
                           wrong);
    }
}

// Tells of nodes that ran and that the tree does not have any more.
static void bt_load_tell(const bt_load *load) {
    const ploy_bt *bt = load->instance->bt;
    if (load->found == ploy_json_count(load->doc, load->nodes) || load->diags == NULL) return;
    for (int32_t i = 0; i < ploy_json_count(load->doc, load->nodes); i++) {
        ploy_json_node saved = ploy_json_at(load->doc, load->nodes, i);
        const char *key = ploy_json_key(load->doc, saved, NULL);
        ploy_status status;
        bool ran =
            ployi_load_status(load->doc, ploy_json_member(load->doc, saved, "status"), &status) &&
            status == PLOY_STATUS_RUNNING;
        bool there = false;
        for (int32_t j = 0; j < bt->nodes.count && ran && !there; j++) {
            char id[PLOYI_SAVE_ID_SIZE];
            bt_save_key(bt, (uint32_t)j, id);
            there = strcmp(id, key) == 0;
        }
        if (!ran || there) continue;
        ploy_behavior_lost(
            load->doc, saved, load->diags, "node",
            ploy_json_text(load->doc, ploy_json_member(load->doc, saved, "name"), NULL), "is gone");
    }
}

// A leaf that yields does not tell those above it, so their places may be behind the times while
// the cursor knows better. Without the cursor the walk comes from the root and needs them.
static void bt_load_find_places(ploy_bt_instance *instance) {
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&instance->bt->nodes, ployi_bt_node);
    for (uint32_t at = 1; at < (uint32_t)instance->bt->nodes.count; at++) {
        const ployi_bt_node *parent = &nodes[nodes[at].parent];
        bool keeps = bt_save_is_node(parent, 0) && ployi_bt_kind_holds((ploy_bt_kind)parent->kind);
        if (!keeps || instance->status[at] != PLOYI_BT_RUNS) continue;
        instance->words[parent->state] = at | PLOYI_BT_RAN;
    }
}

ploy_result ployi_bt_load(void *self, ploy_step_context *context, const ploy_json *doc,
                          ploy_json_node state, ploy_diags *diags) {
    ploy_bt_instance *instance = self;
    const ploy_bt *bt = instance->bt;
    if (instance->stepping || instance->status[0] == PLOYI_BT_RUNS) return PLOY_ERR_STATE;
    bt_load load = {instance, context, doc,    ploy_json_member(doc, state, "nodes"),
                    diags,    0,       PLOY_OK};
    ploy_json_node boards = ploy_json_member(doc, state, "boards");
    instance->boards[0] = context->blackboard;
    for (int32_t i = 1; i < bt->scopes.count; i++) {
        char id[PLOYI_SAVE_ID_SIZE];
        bt_save_key(bt, PLOYI_BT_AT(bt, scopes, ployi_bt_scope, i)->node, id);
        ploy_json_node board = ploy_json_member(doc, boards, id);
        if (instance->boards[i] == NULL || ploy_json_type_of(doc, board) == PLOY_JSON_NONE) {
            continue;
        }
        // A board that does not read begins as new; the diags say why.
        (void)ploy_blackboard_load(instance->boards[i], doc, board, diags);
    }
    uint64_t draws = 0;
    ployi_load_u64(doc, state, "draws", &draws);
    instance->draws = (uint32_t)draws;
    bt_load_nodes(&load);
    bt_load_tell(&load);
    instance->cursor = PLOYI_BT_NONE;
    instance->signal = PLOYI_BT_NONE; // a step that was cut begins again
    const char *cursor = ploy_json_text(doc, ploy_json_member(doc, state, "cursor"), NULL);
    for (uint32_t at = 0; at < (uint32_t)bt->nodes.count; at++) {
        char id[PLOYI_SAVE_ID_SIZE];
        bt_save_key(bt, at, id);
        // The walk may begin there only if the node ran; from the root it finds its way itself.
        if (instance->status[at] != PLOYI_BT_RUNS || strcmp(id, cursor) != 0) continue;
        instance->cursor = PLOYI_BT_AT(bt, nodes, ployi_bt_node, at)->resume;
        break;
    }
    if (instance->cursor == PLOYI_BT_NONE) {
        instance->cursor = 0;
        bt_load_find_places(instance);
    }
    return load.result;
}
