// A behavior tree's run-time state: what it shows of itself, and what is in its file, by the ids of
// its nodes.
//
//     { "tree": "guard", "cursor": "<id>", "draws": 3,
//       "nodes": { "<id>": { "name": "fight", "kind": "Sequence", "status": "running",
//                            "words": ["<id of a child>"], "bytes": ["00ff"],
//                            "wake": ["..."], "behavior": { a behavior } } },
//       "boards": { "<id>": { "key": value } } }
//
// A word that is a node's number is written as that node's id, because an edited tree numbers its
// nodes again. Nodes that are idle and have nothing to remember are left out.
//
// Loading goes from the root down onto a fresh instance. A node keeps its state if the tree has a
// node of that id and kind whose words all mean something; else it stays idle with everything below
// it and is reported. So whatever ran has ancestors that run, as invariant (1) of bt_step.c requires.
#include <string.h>

#include "decide/bt_walk.h"
#include "decide/decide_internal.h"
#include "ploy/base/hash.h"

static void bt_visit_key(const ploy_bt *bt, uint32_t node, char text[PLOYI_SAVE_ID_SIZE]) {
    ployi_save_id(*PLOYI_BT_AT(bt, ids, uint64_t, node), text);
}

// Whether a word of a composite is a node's number; see ployi_bt_compose.
static bool bt_visit_is_node(const ployi_bt_node *node, uint32_t word) {
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

static uint32_t bt_visit_words(const ployi_bt_node *node) {
    return ployi_bt_kind_words((ploy_bt_kind)node->kind, node->children);
}

// Changes so far of the key that a node watches on one of the tree's own boards, else 0. Those
// boards count from 0 when they are loaded, so that what is saved is how far the node is behind.
static uint32_t bt_visit_changes(const ploy_bt_instance *instance, const ployi_bt_node *node) {
    if (node->kind != PLOY_BT_SKIP_UNLESS_UPDATED && node->kind != PLOY_BT_WAIT_VALUE_UPDATE &&
        node->kind != PLOY_BT_WAS_ENTRY_UPDATED) {
        return 0;
    }
    uint32_t ref = ployi_bt_extra_of(instance->bt, node)->ref;
    if (PLOYI_BT_AT(instance->bt, refs, ployi_bt_ref, ref)->scope == 0) return 0; // the game's
    ploy_blackboard_ref key = ployi_bt_ref_of(instance, ref);
    return key.board != NULL ? ploy_blackboard_slot_changes(key.board, key.slot) : 0;
}

static bool bt_visit_is_plain(const ploy_bt_instance *instance, uint32_t at) {
    const ployi_bt_node *node = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, at);
    if (instance->status[at] != PLOYI_BT_IDLE) return false;
    for (uint32_t i = 0; i < bt_visit_words(node); i++) {
        if (instance->words[node->state + i] != bt_visit_changes(instance, node)) return false;
    }
    return true;
}

// The child of a node with that id, or 0.
static uint32_t bt_visit_child(const ploy_bt *bt, uint32_t at, const char *id) {
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node);
    for (uint32_t child = at + 1; child < nodes[at].end; child = nodes[child].end) {
        char text[PLOYI_SAVE_ID_SIZE];
        bt_visit_key(bt, child, text);
        if (strcmp(text, id) == 0) return child;
    }
    return 0;
}

// Places in an order must lie within it: the walk trusts them.
static bool bt_visit_sane(const ploy_bt_instance *instance, uint32_t at) {
    const ployi_bt_node *node = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, at);
    const uint32_t *words = &instance->words[node->state];
    bool runs = instance->status[at] == PLOYI_BT_RUNS;
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

static void bt_visit_describe_node(const ploy_bt_instance *instance, uint32_t node,
                                   ploy_describe *out) {
    const ploy_bt *bt = instance->bt;
    const ployi_bt_node *at = PLOYI_BT_AT(bt, nodes, ployi_bt_node, node);
    unsigned char status = instance->status[node];
    ploy_describe_begin_item(out, node);
    ploy_describe_text(out, "name", PLOY_NOTE, ployi_bt_text(bt, at->name));
    ploy_describe_text(out, "kind", PLOY_NOTE, ploy_bt_kind_text((ploy_bt_kind)at->kind));
    ploy_describe_text(out, "status", PLOY_STATE,
                       status == PLOYI_BT_IDLE ? "idle"
                                               : ploy_status_text((ploy_status)(status - 1)));
    // The tree's shape is not state; it is described for drawing.
    ploy_describe_i64(out, "parent", PLOY_NOTE,
                      at->parent == PLOYI_BT_NONE ? -1 : (int64_t)at->parent);
    uint32_t words = ployi_bt_kind_words((ploy_bt_kind)at->kind, at->children);
    // These two have a place only while they run; before the next run it says nothing.
    bool placed = at->kind == PLOY_BT_SEQUENCE || at->kind == PLOY_BT_FALLBACK;
    if (placed && status != PLOYI_BT_RUNS) words = 0;
    for (uint32_t i = 0; i < words; i++) {
        ploy_describe_begin_item(out, i);
        ploy_describe_u64(out, "state", PLOY_STATE, instance->words[at->state + i]);
        ploy_describe_end(out);
    }
    if (ployi_bt_has_leaf(at)) {
        const ployi_bt_bound_leaf *bound = PLOYI_BT_AT(bt, leaves, ployi_bt_bound_leaf, at->extra);
        if (bound->leaf.sleeps) {
            const ployi_bt_wake *wake = ployi_bt_wake_of(instance, bound);
            ploy_describe_bool(out, "asleep", PLOY_STATE, wake->asleep);
            ploy_describe_f64(out, "until", PLOY_STATE, wake->until);
            ploy_describe_u64(out, "changes", PLOY_STATE, wake->changes);
        }
        uint64_t hash =
            ploy_hash_bytes(instance->leaf_state + bound->state, (size_t)bound->leaf.state_size, 0);
        // Between two runs it says nothing: each begins with zeros.
        bool says = bound->leaf.state_size > 0 && status == PLOYI_BT_RUNS;
        if (says) ploy_describe_u64(out, "own state", PLOY_STATE, hash);
    }
    if (at->kind == PLOY_BT_BEHAVIOR) {
        ploy_describe_begin(out, "behavior");
        const ploy_nested *behavior = &instance->behaviors[at->extra];
        if (behavior->failed) ploy_describe_bool(out, "failed", PLOY_STATE, true);
        ploy_behavior_describe(behavior->behavior, out);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

// ---- one node ----

// A text that is written and compared; false if a load has another.
static bool bt_visit_text(ploy_visit *v, const char *key, const char *text) {
    const ploy_json *doc = NULL;
    ploy_json_node node;
    ploy_json_writer *json = ploy_visit_writer(v, key);
    if (json != NULL) ploy_json_write_text(json, text);
    if (!ploy_visit_reader(v, key, &doc, &node, NULL)) return !ploy_visit_loads(v);
    return strcmp(ploy_json_text(doc, node, NULL), text) == 0;
}

// One word of a node in the open list. False if a load has one that means nothing.
static bool bt_visit_word(ploy_visit *v, ploy_bt_instance *instance, uint32_t at, uint32_t i) {
    const ployi_bt_node *node = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, at);
    uint32_t *word = &instance->words[node->state + i], child = *word & ~PLOYI_BT_RAN;
    uint32_t changes = bt_visit_changes(instance, node);
    bool refers = bt_visit_is_node(node, i);
    const ploy_json *doc = NULL;
    ploy_json_node read;
    ploy_json_writer *json = ploy_visit_writer(v, "word");
    if (json != NULL && refers && child > at && child < node->end) {
        char id[PLOYI_SAVE_ID_SIZE];
        bt_visit_key(instance->bt, child, id);
        ploy_json_write_text(json, id);
    } else if (json != NULL && refers && child == node->end) {
        ploy_json_write_text(json, "end"); // a branch that there is not
    } else if (json != NULL) {
        ploy_json_write_u64(json, *word - changes);
    }
    if (!ploy_visit_reader(v, "word", &doc, &read, NULL)) return !ploy_visit_loads(v);
    uint64_t value = 0;
    if (refers && ploy_json_type_of(doc, read) == PLOY_JSON_TEXT) {
        const char *id = ploy_json_text(doc, read, NULL);
        value = strcmp(id, "end") == 0 ? node->end : bt_visit_child(instance->bt, at, id);
        if (value == 0) return false;
    } else if (ploy_json_u64(doc, read, &value) != PLOY_OK || value > UINT32_MAX ||
               (refers && value != 0)) {
        return false;
    }
    uint32_t fresh = (uint32_t)value + changes;
    ploy_visit_write(v, word, &fresh, sizeof fresh);
    return true;
}

static bool bt_visit_node_words(ploy_visit *v, ploy_bt_instance *instance, uint32_t at) {
    const ployi_bt_node *node = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, at);
    uint32_t *words = &instance->words[node->state];
    int32_t want = (int32_t)bt_visit_words(node);
    bool ran = node->kind < PLOY_BT_INVERTER && (words[0] & PLOYI_BT_RAN) != 0;
    const ploy_json *doc = NULL;
    ploy_json_node read;
    bool fits = ploy_visit_count(v, "words", PLOY_SAVED, want, INT32_MAX) == want;
    for (int32_t i = 0; i < want && fits; i++) {
        fits = bt_visit_word(v, instance, at, (uint32_t)i);
    }
    ploy_visit_end(v);
    ploy_json_writer *json = ploy_visit_writer(v, "ran");
    if (json != NULL) ploy_json_write_bool(json, ran);
    if (!ploy_visit_reader(v, "ran", &doc, &read, NULL)) return fits;
    ran = false;
    (void)ploy_json_bool(doc, read, &ran);
    uint32_t first = words[0] | (ran ? PLOYI_BT_RAN : 0);
    ploy_visit_write(v, words, &first, sizeof first);
    return fits;
}

// The private bytes of a leaf that runs, and its sleep.
static bool bt_visit_leaf(ploy_visit *v, ploy_bt_instance *instance, const ployi_bt_node *node) {
    const ployi_bt_bound_leaf *bound =
        PLOYI_BT_AT(instance->bt, leaves, ployi_bt_bound_leaf, node->extra);
    bool fits = ploy_visit_bytes(v, "bytes", PLOY_SAVED, instance->leaf_state + bound->state,
                                 (size_t)bound->leaf.state_size);
    if (!bound->leaf.sleeps) return fits;
    ployi_bt_wake *wake = ployi_bt_wake_of(instance, bound), before = *wake;
    // A leaf whose sleep is unknown wakes: it is asked once more than it asked for.
    (void)ploy_visit_bytes(v, "wake", PLOY_SAVED, wake, sizeof *wake);
    if (ploy_visit_loads(v) && wake->port >= bound->leaf.port_count) {
        ploy_visit_write(v, wake, &before, sizeof before);
    }
    return fits;
}

// The behavior of a leaf that runs; a load makes it if need be.
static void bt_visit_behavior(ploy_visit *v, ploy_bt_instance *instance, uint32_t at) {
    const ployi_bt_node *node = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, at);
    ploy_nested *behavior = &instance->behaviors[node->extra];
    const ployi_bt_maker *maker = PLOYI_BT_AT(instance->bt, makers, ployi_bt_maker, node->extra);
    ploy_step_context *context = v->context;
    if (ploy_visit_loads(v) && behavior->behavior.type == NULL &&
        !ploy_visit_result(v, ploy_nested_make(behavior, maker->maker, &instance->env))) {
        return;
    }
    ploy_blackboard *board = context != NULL ? context->blackboard : NULL;
    if (context != NULL) context->blackboard = ployi_bt_board_of(instance, at);
    ploy_visit_nested(v, "behavior", PLOY_SAVED, behavior, &instance->env,
                      ployi_bt_text(instance->bt, node->name));
    if (context != NULL) context->blackboard = board;
}

// Whether the semaphore that a node held can be taken again.
static bool bt_visit_guard(ploy_visit *v, ploy_bt_instance *instance, const ployi_bt_node *node,
                           bool runs) {
    if (node->kind != PLOY_BT_SEMAPHORE_GUARD || !ploy_visit_tolerates(v)) return true;
    uint32_t guard = ployi_bt_extra_of(instance->bt, node)->target;
    uint32_t *held = &instance->words[node->state];
    *held = runs && *held != 0 ? 1 : 0;
    return *held == 0 || ploy_semaphores_acquire(instance->semaphores, instance->guards[guard]);
}

// The members of a node in the open group. @return what is wrong with a loaded one, "" if that was
// reported already, or NULL.
static const char *bt_visit_members(ploy_visit *v, ploy_bt_instance *instance, uint32_t at,
                                    bool above) {
    const ploy_bt *bt = instance->bt;
    const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, at);
    (void)bt_visit_text(v, "name", ployi_bt_text(bt, node->name)); // names may change
    if (!bt_visit_text(v, "kind", ploy_bt_kind_text((ploy_bt_kind)node->kind))) {
        return "is a node of another kind now: restarts";
    }
    unsigned char *status = &instance->status[at];
    if (ploy_visit_optional(v, "status", *status != PLOYI_BT_IDLE)) {
        const ploy_json *doc = NULL;
        ploy_json_node read;
        ploy_status now = PLOY_STATUS_RUNNING;
        ploy_json_writer *json = ploy_visit_writer(v, "status");
        if (json != NULL) ploy_json_write_text(json, ploy_status_text((ploy_status)(*status - 1)));
        if (ploy_visit_reader(v, "status", &doc, &read, NULL) &&
            ployi_load_status(doc, read, &now)) {
            if (now == PLOY_STATUS_RUNNING && !above) return "ran below something that restarts";
            unsigned char fresh = (unsigned char)(now + 1);
            ploy_visit_write(v, status, &fresh, sizeof fresh);
        }
    }
    bool runs = *status == PLOYI_BT_RUNS;
    if (bt_visit_words(node) > 0 && !bt_visit_node_words(v, instance, at)) {
        return "has other children or settings now: restarts";
    }
    if (ploy_visit_loads(v) && bt_visit_words(node) > 0 && !bt_visit_sane(instance, at)) {
        return "has a place that it never was at: restarts";
    }
    if (!bt_visit_guard(v, instance, node, runs)) return "finds its semaphore taken: restarts";
    // Bytes of another size were reported by ploy_visit_bytes.
    if (ployi_bt_has_leaf(node) && runs && !bt_visit_leaf(v, instance, node)) return "";
    if (node->kind == PLOY_BT_BEHAVIOR && runs) bt_visit_behavior(v, instance, at);
    return NULL;
}

static void bt_visit_node(ploy_visit *v, ploy_bt_instance *instance, uint32_t at) {
    const ploy_bt *bt = instance->bt;
    const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, at);
    size_t size = bt_visit_words(node) * sizeof(uint32_t);
    uint32_t *words = &instance->words[node->state];
    char id[PLOYI_SAVE_ID_SIZE];
    bt_visit_key(bt, at, id);
    if (!ploy_visit_optional(v, id, !bt_visit_is_plain(instance, at))) {
        uint32_t changes = bt_visit_changes(instance, node);
        if (bt_visit_words(node) == 1) ploy_visit_write(v, words, &changes, sizeof changes);
        return;
    }
    bool above = node->parent == PLOYI_BT_NONE || instance->status[node->parent] == PLOYI_BT_RUNS;
    ploy_visit_begin(v, id, PLOY_SAVED);
    const char *wrong = bt_visit_members(v, instance, at, above);
    if (wrong != NULL && wrong[0] != '\0')
        ploy_visit_lost(v, "node", ployi_bt_text(bt, node->name), wrong);
    ploy_visit_end(v);
    if (wrong == NULL || !ploy_visit_tolerates(v)) return;
    instance->status[at] = PLOYI_BT_IDLE;
    if (size > 0) memset(words, 0, size);
}

// Reports nodes that ran and that the tree does not have any more.
static void bt_visit_tell(ploy_visit *v, const ploy_bt_instance *instance) {
    const ploy_bt *bt = instance->bt;
    const char *key = NULL;
    for (int32_t i = 0; (key = ploy_visit_member(v, i)) != NULL; i++) {
        bool there = false;
        for (int32_t j = 0; j < bt->nodes.count && !there; j++) {
            char id[PLOYI_SAVE_ID_SIZE];
            bt_visit_key(bt, (uint32_t)j, id);
            there = strcmp(id, key) == 0;
        }
        if (there) continue;
        ploy_visit_begin(v, key, PLOY_SAVED);
        if (strcmp(ploy_visit_peek(v, "status"), ploy_status_text(PLOY_STATUS_RUNNING)) == 0) {
            ploy_visit_lost(v, "node", ploy_visit_peek(v, "name"), "no longer exists");
        }
        ploy_visit_end(v);
    }
}

// ---- the tree ----

static void bt_visit_boards(ploy_visit *v, ploy_bt_instance *instance) {
    const ploy_bt *bt = instance->bt;
    ploy_visit_begin(v, "boards", PLOY_SAVED);
    for (int32_t i = 1; i < bt->scopes.count; i++) {
        char id[PLOYI_SAVE_ID_SIZE];
        const ploy_json *doc = NULL;
        ploy_json_node node;
        ploy_diags *diags = NULL;
        if (instance->boards[i] == NULL) continue;
        if (v->mode == PLOY_VISIT_MEMORY) {
            ploy_visit_memory(ploy_blackboard_visit, instance->boards[i], v->memory,
                              v->memory_user);
        }
        bt_visit_key(bt, PLOYI_BT_AT(bt, scopes, ployi_bt_scope, i)->node, id);
        ploy_json_writer *json = ploy_visit_writer(v, id);
        if (json != NULL) ploy_blackboard_save(instance->boards[i], json);
        if (!ploy_visit_reader(v, id, &doc, &node, &diags)) continue;
        // A board that does not read begins as new; the diags say why.
        ploy_result result = ploy_blackboard_load(instance->boards[i], doc, node, diags);
        if (!ploy_visit_tolerates(v)) ploy_visit_result(v, result);
    }
    ploy_visit_end(v);
}

// A leaf that yields does not notify its ancestors, so their places may be behind the times while
// the cursor knows better. Without the cursor the walk comes from the root and needs them.
static void bt_visit_find_places(ploy_bt_instance *instance) {
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&instance->bt->nodes, ployi_bt_node);
    for (uint32_t at = 1; at < (uint32_t)instance->bt->nodes.count; at++) {
        const ployi_bt_node *parent = &nodes[nodes[at].parent];
        bool keeps = bt_visit_is_node(parent, 0) && ployi_bt_kind_holds((ploy_bt_kind)parent->kind);
        if (!keeps || instance->status[at] != PLOYI_BT_RUNS) continue;
        instance->words[parent->state] = at | PLOYI_BT_RAN;
    }
}

// Where the next step begins: only at a node that ran; from the root, the walk finds the path itself.
static void bt_visit_cursor(ploy_visit *v, ploy_bt_instance *instance) {
    const ploy_bt *bt = instance->bt;
    char id[PLOYI_SAVE_ID_SIZE];
    const ploy_json *doc = NULL;
    ploy_json_node node;
    bt_visit_key(bt, instance->cursor, id);
    ploy_json_writer *json = ploy_visit_writer(v, "cursor");
    if (json != NULL) ploy_json_write_text(json, id);
    const char *cursor = "";
    if (ploy_visit_reader(v, "cursor", &doc, &node, NULL)) cursor = ploy_json_text(doc, node, NULL);
    if (!ploy_visit_loads(v)) return;
    uint32_t none = PLOYI_BT_NONE, found = PLOYI_BT_NONE, root = 0;
    for (uint32_t at = 0; at < (uint32_t)bt->nodes.count && found == PLOYI_BT_NONE; at++) {
        bt_visit_key(bt, at, id);
        if (instance->status[at] != PLOYI_BT_RUNS || strcmp(id, cursor) != 0) continue;
        found = PLOYI_BT_AT(bt, nodes, ployi_bt_node, at)->resume;
    }
    PLOY_VISIT_WRITE(v, instance->signal, none); // a step that was cut begins again
    if (found != PLOYI_BT_NONE) {
        PLOY_VISIT_WRITE(v, instance->cursor, found);
    } else {
        PLOY_VISIT_WRITE(v, instance->cursor, root);
        if (ploy_visit_is_ok(v)) bt_visit_find_places(instance);
    }
}

static void bt_visit_memory(ploy_visit *v, ploy_bt_instance *instance) {
    ploy_visit_block(v, "behavior tree", instance, instance->size);
    ploy_visit_struct(v, "behavior tree", instance, sizeof *instance);
    PLOY_VISIT_SCRATCH(v, instance->bt);
    PLOY_VISIT_SCRATCH(v, instance->env);
    PLOY_VISIT_SCRATCH(v, instance->size);
    PLOY_VISIT_SCRATCH(v, instance->cursor); // by the node's id
    PLOY_VISIT_SCRATCH(v, instance->signal); // only within a step that was cut
    PLOY_VISIT_SCRATCH(v, instance->stepping);
    PLOY_VISIT_SCRATCH(v, instance->semaphores);
    PLOY_VISIT_SCRATCH(v, instance->words);
    PLOY_VISIT_SCRATCH(v, instance->seen); // for drawing
    PLOY_VISIT_SCRATCH(v, instance->status);
    PLOY_VISIT_SCRATCH(v, instance->leaf_state);
    PLOY_VISIT_SCRATCH(v, instance->guards);
    PLOY_VISIT_SCRATCH(v, instance->boards);
    PLOY_VISIT_SCRATCH(v, instance->behaviors);
    for (int32_t i = 0; i < instance->bt->makers.count && v->mode == PLOY_VISIT_MEMORY; i++) {
        ploy_visit_nested(v, "behavior", PLOY_DERIVED, &instance->behaviors[i], &instance->env,
                          NULL);
    }
}

static void bt_visit_describe(const ploy_bt_instance *instance, ploy_describe *out) {
    const ploy_bt *bt = instance->bt;
    ploy_describe_begin(out, "nodes");
    for (int32_t i = 0; i < bt->nodes.count; i++) {
        bt_visit_describe_node(instance, (uint32_t)i, out);
    }
    ploy_describe_end(out);
    for (int32_t i = 1; i < bt->scopes.count; i++) {
        if (instance->boards[i] == NULL) continue;
        ploy_describe_begin(out, "board");
        ploy_blackboard_describe(instance->boards[i], out);
        ploy_describe_end(out);
    }
}

// Nodes are words and bytes; the description shows them as they are, the file by their ids.
void ployi_bt_visit(ploy_visit *v, void *object) {
    ploy_bt_instance *instance = object;
    const ploy_bt *bt = instance->bt;
    const ploy_step_context *context = v->context;
    if (ploy_visit_tolerates(v)) {
        bool busy = instance->stepping || instance->status[0] == PLOYI_BT_RUNS;
        if (!ploy_visit_result(v, busy ? PLOY_ERR_STATE : PLOY_OK)) return;
        instance->draws = 0;
    }
    if (ploy_visit_loads(v)) instance->boards[0] = context->blackboard;
    bt_visit_memory(v, instance);
    ploy_describe_text(v->describe, "tree", PLOY_NOTE, ploy_bt_name(bt));
    (void)bt_visit_text(v, "tree", ploy_bt_name(bt)); // may change
    ploy_describe_u64(v->describe, "cursor", PLOY_STATE, instance->cursor);
    if (instance->signal != PLOYI_BT_NONE) {
        ploy_describe_u64(v->describe, "signal", PLOY_STATE, instance->signal);
    }
    ploy_visit_u32(v, "draws", PLOY_STATE, &instance->draws);
    if (v->describe != NULL) {
        bt_visit_describe(instance, v->describe);
        return;
    }
    bt_visit_boards(v, instance);
    if (v->mode == PLOY_VISIT_MEMORY || v->mode == PLOY_VISIT_COVER) return;
    ploy_visit_begin(v, "nodes", PLOY_SAVED);
    for (uint32_t at = 0; at < (uint32_t)bt->nodes.count && ploy_visit_is_ok(v); at++) {
        bt_visit_node(v, instance, at);
    }
    if (ploy_visit_tolerates(v)) bt_visit_tell(v, instance);
    ploy_visit_end(v);
    bt_visit_cursor(v, instance);
}

void ploy_bt_instance_describe(const ploy_bt_instance *instance, ploy_describe *out) {
    ploy_visit_describe(ployi_bt_visit, instance, NULL, out);
}
