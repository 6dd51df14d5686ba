// One character's path through a decision tree.
//
// Everything lies in one block:
//
//     ploy_decision | decision_memory of each random node | behavior of each maker | visits
//
// Invariants:
//   (1) leaf is 0 or a leaf of the tree;
//   (2) inside is the number of the leaf whose behavior is entered, or 0; no other one is.
#include "decision_internal.h"

#include "decide/decide_internal.h"

#include <math.h>

#include "ploy/base/math.h"

static const ploy_field decision_fields[] = {
    PLOY_FIELD_BOOL(ploy_decision_def, count, false, "counts how often each node is met"),
};

// What a random node remembers.
typedef struct decision_memory {
    uint64_t last;       // the evaluation that came through it, from 1; 0: none did
    uint64_t until;      // the evaluation from which on it draws again
    double until_second; // s of the engine's clock, likewise
    int32_t choice;      // child
    int32_t reserved;
} decision_memory;

struct ploy_decision {
    ploy_env env;
    const ploy_decision_tree *tree;
    size_t size;
    uint64_t evaluations, draws;
    uint32_t leaf, inside;
    decision_memory *memories;
    ploy_nested *behaviors;
    uint64_t *visits; // of each node, or NULL
};

ploy_decision_def ploy_decision_def_default(void) {
    ploy_decision_def def;
    ploy_fields_default(ploy_decision_fields(), &def);
    return def;
}

ploy_fields ploy_decision_fields(void) {
    return PLOY_FIELDS(ploy_decision_def, decision_fields);
}

ploy_result ploy_decision_create(const ploy_decision_def *def, const ploy_decision_tree *tree,
                                 const ploy_env *env, ploy_decision **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (tree == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_decision_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!tree->build.finished) return PLOY_ERR_STATE;
    size_t memories = sizeof(ploy_decision), behaviors, visits, size;
    if (!ploy_size_add_array(memories, tree->randoms.count, sizeof(decision_memory), &behaviors) ||
        !ploy_size_add_array(behaviors, tree->makers.count, sizeof(ploy_nested), &visits) ||
        !ploy_size_add_array(visits, def->count ? tree->items.count : 0, sizeof(uint64_t), &size)) {
        return PLOY_ERR_LIMIT;
    }
    ploy_decision *decision = ploy_env_alloc_zero(env, size);
    if (decision == NULL) return PLOY_ERR_MEMORY;
    char *block = (char *)decision;
    decision->env = *env;
    decision->tree = tree;
    decision->size = size;
    decision->memories = (decision_memory *)(void *)(block + memories);
    decision->behaviors = (ploy_nested *)(void *)(block + behaviors);
    if (def->count) decision->visits = (uint64_t *)(void *)(block + visits);
    const ploy_maker *makers = PLOY_ARRAY_ITEMS(&tree->makers, ploy_maker);
    for (int32_t i = 0; i < tree->makers.count; i++) {
        result = ploy_nested_make(&decision->behaviors[i], makers[i], env);
        if (result != PLOY_OK) {
            ploy_decision_destroy(decision);
            return result;
        }
    }
    *out = decision;
    return PLOY_OK;
}

void ploy_decision_destroy(ploy_decision *decision) {
    if (decision == NULL) return;
    for (int32_t i = 0; i < decision->tree->makers.count; i++) {
        ploy_nested_destroy(&decision->behaviors[i]);
    }
    ploy_env env = decision->env;
    ploy_env_free(&env, decision, decision->size);
}

// Draws a child by weight. With `other` at 0 or above that child is left out.
static int32_t decision_draw(const ploy_decision_tree *tree, const ployi_decision_item *item,
                             float draw, int32_t other) {
    const float *weights = PLOY_ARRAY_ITEMS(&tree->weights, float) + item->table;
    float sum = item->weight_sum;
    if (other >= 0) sum -= weights[other];
    if (!(sum > 0.0f)) return other; // nothing else has any weight
    float at = draw * sum;
    int32_t last = other;
    for (int32_t i = 0; i < item->count; i++) {
        if (i == other || !(weights[i] > 0.0f)) continue;
        last = i;
        if (at < weights[i]) break;
        at -= weights[i];
    }
    return last;
}

static int32_t decision_random(ploy_decision *decision, const ployi_decision_item *item,
                               const ploy_moment *moment) {
    const ploy_decision_tree *tree = decision->tree;
    const ploy_decision_random *settings =
        &PLOY_ARRAY_ITEMS(&tree->randoms, ploy_decision_random)[item->extra];
    decision_memory *memory = &decision->memories[item->extra];
    const ploy_step_context *context = moment->context;
    double now = context != NULL ? context->now : 0.0;
    uint64_t turn = decision->evaluations;
    bool fresh = memory->last == 0 || memory->last + 1 < turn || !settings->stable;
    bool over = !fresh && ((settings->evaluations > 0 && turn >= memory->until) ||
                           (settings->seconds > 0.0f && now >= memory->until_second));
    memory->last = turn;
    if (!fresh && !over) return memory->choice;
    // Drawn by the node's id: the same tree in two places, or two nodes of it, are independent.
    ploy_rng_key key = ploy_rng_key_make(0);
    uint32_t agent = 0;
    if (context != NULL) key = context->key, agent = context->agent.id.index;
    key = ploy_rng_key_split(key, item->id.hash);
    float draw = ploy_rng_float_at(key, agent, turn, 0);
    bool another = over && settings->alternate;
    memory->choice = decision_draw(tree, item, draw, another ? memory->choice : -1);
    int32_t later = 0;
    if (settings->spread > 0) later = ploy_rng_int_at(key, agent, turn, 1, 0, settings->spread);
    memory->until = turn + (uint64_t)settings->evaluations + (uint64_t)later;
    float late = ploy_rng_float_at(key, agent, turn, 2) * settings->seconds_spread;
    memory->until_second = now + (double)settings->seconds + (double)late;
    decision->draws++;
    return memory->choice;
}

static int32_t decision_switch(const ploy_decision_tree *tree, const ployi_decision_item *item,
                               const ploy_moment *moment) {
    const ploy_blackboard *board = moment->context != NULL ? moment->context->blackboard : NULL;
    if (board == NULL || ploy_blackboard_layout_of(board) != tree->layout) return item->count;
    int64_t value = ploy_blackboard_get_i64(board, item->slot);
    const int64_t *values = PLOY_ARRAY_ITEMS(&tree->values, int64_t) + item->table;
    int32_t low = 0, high = item->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (values[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == item->count || values[low] != value) return item->count;
    return PLOY_ARRAY_ITEMS(&tree->places, int32_t)[item->table + low];
}

static void decision_tell(const ploy_decision_tree *tree, const ployi_decision_item *item,
                          int32_t way, ploy_trace *trace) {
    static const char *const answers[] = {"yes", "no"};
    const char *reason = "drawn";
    if (item->kind == PLOYI_DECISION_TEST) reason = answers[way];
    if (item->kind == PLOYI_DECISION_SWITCH) reason = way < item->count ? "value" : "other value";
    ploy_trace_option(trace, ployi_build_text(&tree->build, item->id), PLOY_OUTCOME_WON,
                      (double)NAN, reason);
}

ploy_decision_node ploy_decision_evaluate(ploy_decision *decision, const ploy_moment *moment) {
    const ploy_decision_tree *tree = decision->tree;
    ploy_trace *trace = moment->context != NULL ? moment->context->trace : NULL;
    decision->evaluations++;
    if (trace != NULL) {
        ploy_trace_begin(trace, moment->context->agent, "decision", "decision tree");
    }
    uint32_t number = tree->root;
    while (number != 0) {
        const ployi_decision_item *item = ployi_decision_item_at(tree, number);
        if (decision->visits != NULL) decision->visits[number - 1]++;
        if (item->kind == PLOYI_DECISION_LEAF) break;
        int32_t way = 0;
        switch (item->kind) {
        case PLOYI_DECISION_TEST:
            way = ploy_condition_test(tree->conditions, item->condition, moment) ? 0 : 1;
            break;
        case PLOYI_DECISION_SWITCH: way = decision_switch(tree, item, moment); break;
        case PLOYI_DECISION_RANDOM: way = decision_random(decision, item, moment); break;
        case PLOYI_DECISION_LEAF: break;
        }
        if (trace != NULL) decision_tell(tree, item, way, trace);
        number = ployi_decision_children(tree, item)[way];
    }
    decision->leaf = number; // keeps (1)
    ploy_decision_node leaf = {number};
    if (trace != NULL) {
        ploy_trace_text(trace, "leaf", number != 0 ? ploy_decision_tree_id(tree, leaf) : "none");
        ploy_trace_end(trace);
    }
    return leaf;
}

ploy_decision_node ployi_decision_leaf(const ploy_decision *decision) {
    ploy_decision_node leaf = {decision->leaf};
    return leaf;
}

uint64_t ployi_decision_draws(const ploy_decision *decision) {
    return decision->draws;
}

uint64_t ployi_decision_visits(const ploy_decision *decision, ploy_decision_node node) {
    if (decision->visits == NULL || ploy_decision_node_is_none(node) ||
        node.number > (uint32_t)decision->tree->items.count) {
        return 0;
    }
    return decision->visits[node.number - 1];
}

// The behavior of a leaf; NULL for 0 and leaves without.
static ploy_nested *decision_inside(const ploy_decision *decision, uint32_t leaf) {
    if (leaf == 0) return NULL;
    int32_t maker = ployi_decision_item_at(decision->tree, leaf)->extra;
    return maker < 0 ? NULL : &decision->behaviors[maker];
}

static const char *decision_id(const ploy_decision *decision, uint32_t leaf) {
    ploy_decision_node node = {leaf};
    return ploy_decision_tree_id(decision->tree, node);
}

static void decision_leave(ploy_decision *decision, ploy_step_context *context,
                           ploy_exit_reason reason) {
    ploy_nested *inside = decision_inside(decision, decision->inside);
    decision->inside = 0; // keeps (2)
    if (inside != NULL) ploy_nested_exit(inside, context, reason);
}

// After a call of the behavior: keeps (2) if it has ended.
static void decision_settle(ploy_decision *decision) {
    const ploy_nested *inside = decision_inside(decision, decision->inside);
    if (inside != NULL && !inside->entered) decision->inside = 0;
}

static ploy_result decision_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_decision *decision = self;
    ploy_moment moment = ploy_moment_make(context);
    uint32_t leaf = ploy_decision_evaluate(decision, &moment).number;
    if (leaf != decision->inside) decision_leave(decision, context, PLOY_EXIT_INTERRUPTED);
    ploy_nested *inside = decision_inside(decision, leaf);
    if (inside == NULL) {
        *status = leaf != 0 ? PLOY_STATUS_RUNNING : PLOY_STATUS_FAILURE;
        return PLOY_OK;
    }
    const char *id = decision_id(decision, leaf);
    if (decision->inside == 0) {
        decision->inside = leaf;
        (void)ploy_nested_enter(inside, &decision->env, id, context);
    }
    *status = ploy_nested_step(inside, &decision->env, id, context);
    decision_settle(decision);
    return PLOY_OK;
}

static void decision_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    decision_leave(self, context, reason);
}

static ploy_result decision_commit(void *self, ploy_step_context *context) {
    ploy_decision *decision = self;
    ploy_nested *inside = decision_inside(decision, decision->inside);
    if (inside == NULL) return PLOY_OK;
    ploy_nested_commit(inside, &decision->env, decision_id(decision, decision->inside), context);
    decision_settle(decision);
    return PLOY_OK;
}

static ploy_result decision_message(void *self, ploy_step_context *context,
                                    const ploy_message *message, bool *handled) {
    ploy_decision *decision = self;
    ploy_nested *inside = decision_inside(decision, decision->inside);
    if (inside == NULL) return PLOY_OK;
    *handled = ploy_nested_message(inside, &decision->env, decision_id(decision, decision->inside),
                                   context, message);
    decision_settle(decision);
    return PLOY_OK;
}

static void decision_free(void *self) {
    ploy_decision_destroy(self);
}

static void decision_draw_self(const void *self, ploy_draw *out) {
    const ploy_decision *decision = self;
    const ploy_nested *inside = decision_inside(decision, decision->inside);
    if (inside != NULL) ploy_nested_draw(inside, out);
}

// ---- in a file, by the ids of nodes
//
//     { "evaluations": 7, "draws": 2, "leaf": "hide", "inside": { a behavior },
//       "memories": { "where": { "last": 7, "until": 9, "until_second": 0, "choice": "left",
//                                "branch": 0 } } }

static const char *decision_visit_text(const void *user, uint32_t number) {
    ploy_decision_node node = {number};
    return ploy_decision_tree_id(user, node);
}

// A node's choice: by the child's id, and by the number of the branch because two branches may lead
// to one node. False if a load names a child that is not among the branches.
static bool decision_visit_choice(ploy_visit *v, ploy_decision *decision,
                                  const ployi_decision_item *item, decision_memory *memory) {
    const uint32_t *children = ployi_decision_children(decision->tree, item);
    const ploy_json *doc = NULL;
    ploy_json_node node;
    int64_t branch = memory->choice;
    PLOY_VISIT_SCRATCH(v, memory->choice);
    ploy_json_writer *json = ploy_visit_writer(v, "choice");
    if (json != NULL) {
        ploy_json_write_text(json, decision_visit_text(decision->tree, children[memory->choice]));
    }
    bool read = ploy_visit_reader(v, "choice", &doc, &node, NULL);
    if (!ploy_visit_packed(v, "branch", PLOY_SAVED, branch, 0, INT32_MAX, &branch)) branch = 0;
    if (!ploy_visit_loads(v)) return true;
    const char *id = read ? ploy_json_text(doc, node, NULL) : "";
    uint32_t child = ploy_decision_tree_find(decision->tree, id).number;
    if (branch >= item->count || children[branch] != child) {
        for (branch = 0; branch < item->count && children[branch] != child;) branch++;
    }
    if (child == 0 || branch == item->count) return false;
    int32_t choice = (int32_t)branch;
    PLOY_VISIT_WRITE(v, memory->choice, choice);
    return true;
}

static void decision_visit_memory(ploy_visit *v, ploy_decision *decision,
                                  const ployi_decision_item *item) {
    decision_memory *memory = &decision->memories[item->extra];
    const char *id = ployi_build_text(&decision->tree->build, item->id);
    ploy_visit_struct(v, "memory", memory, sizeof *memory);
    PLOY_VISIT_SCRATCH(v, memory->reserved);
    uint64_t none = 0;
    if (!ploy_visit_optional(v, id, memory->last != 0)) {
        PLOY_VISIT_SCRATCH(v, *memory);
        PLOY_VISIT_WRITE(v, memory->last, none);
        return;
    }
    ploy_visit_begin(v, id, PLOY_SAVED);
    ploy_visit_u64(v, "last", PLOY_SAVED, &memory->last);
    ploy_visit_u64(v, "until", PLOY_SAVED, &memory->until);
    ploy_visit_f64(v, "until_second", PLOY_SAVED, &memory->until_second);
    if (!decision_visit_choice(v, decision, item, memory)) {
        ploy_visit_lost(v, "node", id, "has other branches now: draws again");
        PLOY_VISIT_WRITE(v, memory->last, none);
    }
    ploy_visit_end(v);
}

// Node by node, what it remembers, holds and counts.
static void decision_describe_nodes(const ploy_decision *decision, ploy_describe *out) {
    const ploy_decision_tree *tree = decision->tree;
    for (uint32_t i = 1; i <= (uint32_t)tree->items.count; i++) {
        const ployi_decision_item *item = ployi_decision_item_at(tree, i);
        bool random = item->kind == PLOYI_DECISION_RANDOM;
        bool holds = item->kind == PLOYI_DECISION_LEAF && item->extra >= 0;
        if (!random && !holds && decision->visits == NULL) continue;
        ploy_describe_begin(out, ployi_build_text(&tree->build, item->id));
        if (random) {
            const decision_memory *memory = &decision->memories[item->extra];
            ploy_describe_u64(out, "last", PLOY_STATE, memory->last);
            ploy_describe_u64(out, "until", PLOY_STATE, memory->until);
            ploy_describe_f64(out, "until_second", PLOY_STATE, memory->until_second);
            ploy_describe_i64(out, "choice", PLOY_STATE, memory->choice);
        }
        if (holds) ploy_nested_describe(&decision->behaviors[item->extra], out);
        if (decision->visits != NULL) {
            ploy_describe_u64(out, "visits", PLOY_NOTE, decision->visits[i - 1]);
        }
        ploy_describe_end(out);
    }
}

static void decision_visit_nodes(ploy_visit *v, ploy_decision *decision) {
    const ploy_decision_tree *tree = decision->tree;
    ploy_visit_table nodes = {
        decision_visit_text, NULL, tree, (uint32_t)tree->items.count + 1, "node", NULL};
    ploy_visit_begin(v, "memories", PLOY_SAVED);
    for (uint32_t i = 1; i <= (uint32_t)tree->items.count; i++) {
        const ployi_decision_item *item = ployi_decision_item_at(tree, i);
        if (item->kind == PLOYI_DECISION_RANDOM) decision_visit_memory(v, decision, item);
    }
    ploy_visit_gone(v, &nodes);
    ploy_visit_end(v);
    if (decision->visits == NULL) return;
    ploy_visit_begin(v, "visits", PLOY_SAVED);
    for (uint32_t i = 1; i <= (uint32_t)tree->items.count; i++) {
        ploy_visit_u64(v, decision_visit_text(tree, i), PLOY_SAVED, &decision->visits[i - 1]);
    }
    ploy_visit_end(v);
}

// The behavior that runs, under the id of its leaf.
static void decision_visit_inside(ploy_visit *v, ploy_decision *decision) {
    const ploy_decision_tree *tree = decision->tree;
    ploy_visit_table leaves = {decision_visit_text,
                               NULL,
                               tree,
                               (uint32_t)tree->items.count + 1,
                               "leaf",
                               "no longer exists: decides again"};
    for (int32_t i = 0; i < tree->makers.count && v->mode == PLOY_VISIT_MEMORY; i++) {
        ploy_visit_nested(v, "inside", PLOY_DERIVED, &decision->behaviors[i], &decision->env, NULL);
    }
    if (v->mode == PLOY_VISIT_MEMORY) return;
    if (!ploy_visit_optional(v, "inside", decision->inside != 0)) return;
    PLOY_VISIT_SCRATCH(v, decision->inside);
    uint32_t none = 0;
    bool known = ploy_visit_ref(v, "runs", PLOY_SAVED, &decision->inside, &leaves);
    ploy_decision_node node = {decision->inside};
    bool leaf = ploy_decision_tree_is_leaf(tree, node);
    ploy_nested *inside = known && leaf ? decision_inside(decision, decision->inside) : NULL;
    if (inside == NULL) {
        if (known) ploy_visit_lost(v, "leaf", ploy_visit_peek(v, "runs"), leaves.lost);
        PLOY_VISIT_WRITE(v, decision->inside, none);
        return;
    }
    ploy_visit_nested(v, "inside", PLOY_SAVED, inside, &decision->env,
                      decision_visit_text(tree, decision->inside));
    if (ploy_visit_loads(v) && !inside->entered) decision->inside = 0; // keeps (2)
}

static void decision_visit(ploy_visit *v, void *object) {
    ploy_decision *decision = object;
    const ploy_decision_tree *tree = decision->tree;
    ploy_visit_table leaves = {
        decision_visit_text, NULL, tree, (uint32_t)tree->items.count + 1, "leaf", NULL};
    if (ploy_visit_tolerates(v)) {
        ploy_visit_result(v, decision->inside != 0 ? PLOY_ERR_STATE : PLOY_OK);
        decision->leaf = 0;
    }
    ploy_visit_object(v, "decision", decision, decision->size);
    PLOY_VISIT_SCRATCH(v, decision->env);
    PLOY_VISIT_SCRATCH(v, decision->tree);
    PLOY_VISIT_SCRATCH(v, decision->size);
    PLOY_VISIT_SCRATCH(v, decision->memories);
    PLOY_VISIT_SCRATCH(v, decision->behaviors);
    PLOY_VISIT_SCRATCH(v, decision->visits);
    PLOY_VISIT_SCRATCH(v, decision->inside); // visited if one runs
    ploy_visit_scratch(v, decision->behaviors,
                       (size_t)tree->makers.count * sizeof *decision->behaviors);
    (void)ploy_visit_ref(v, "leaf", PLOY_STATE, &decision->leaf, &leaves);
    ploy_decision_node leaf = {decision->leaf};
    uint32_t none = 0;
    if (ploy_visit_loads(v) && !ploy_decision_tree_is_leaf(tree, leaf)) {
        PLOY_VISIT_WRITE(v, decision->leaf, none); // keeps (1)
    }
    ploy_describe_text(v->describe, "inside", PLOY_STATE,
                       decision_visit_text(tree, decision->inside));
    ploy_visit_u64(v, "evaluations", PLOY_STATE, &decision->evaluations);
    ploy_visit_u64(v, "draws", PLOY_NOTE, &decision->draws);
    if (v->describe != NULL) decision_describe_nodes(decision, v->describe);
    decision_visit_nodes(v, decision);
    if (v->describe == NULL) decision_visit_inside(v, decision);
}

void ploy_decision_describe(const ploy_decision *decision, ploy_describe *out) {
    ploy_visit_describe(decision_visit, decision, NULL, out);
}

ploy_behavior ploy_decision_behavior(ploy_decision *decision) {
    static const ploy_behavior_type type = {
        .name = "decision tree",
        .step = decision_step,
        .exit = decision_exit,
        .commit = decision_commit,
        .message = decision_message,
        .destroy = decision_free,
        .draw = decision_draw_self,
        .visit = decision_visit,
    };
    ploy_behavior behavior = {&type, decision};
    return behavior;
}

static ploy_result decision_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_decision_def def = ploy_decision_def_default();
    ploy_decision *decision = NULL;
    ploy_result result = ploy_decision_create(&def, user, env, &decision);
    if (result == PLOY_OK) *out = ploy_decision_behavior(decision);
    return result;
}

static ploy_result decision_check(const void *user, const ploy_blackboard_layout *layout,
                                  ploy_diags *diags) {
    const ploy_decision_tree *tree = user;
    if (!tree->build.finished) return ployi_build_unfinished("a decision tree", diags);
    ploy_result first = ploy_maker_check_layout(tree->layout, layout, diags);
    // What this tree's own layout refuses was refused by its finish.
    for (int32_t i = 0; i < tree->makers.count && tree->layout == NULL; i++) {
        ploy_maker maker = PLOY_ARRAY_ITEMS(&tree->makers, ploy_maker)[i];
        ploy_result result = ploy_maker_check(maker, layout, &tree->build.env, diags);
        if (first == PLOY_OK) first = result;
    }
    return first;
}

ploy_maker ploy_decision_tree_maker(ploy_decision_tree *tree) {
    ploy_maker maker = {decision_make, tree, NULL, decision_check};
    return maker;
}
