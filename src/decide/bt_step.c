// The walk through a behavior tree.
//
// Two movements in turn, without recursion: down, where a node is visited and either answers or
// sends the walk to a child; and up, where a child's answer reaches its parent, which answers or
// sends the walk to another child. A walk can therefore be left anywhere (the budget is empty) and
// taken up there. A node that answers RUNNING of its own accord yields; where no ancestor has to
// hear of that the step is over, however deep the node.
//
// Invariants:
//   (1) a node whose byte is RUNS has ancestors whose bytes are RUNS, when a step is over;
//   (2) a leaf that has started, and a behavior that was entered, has the byte RUNS until its stop;
//   (3) the cursor is 0, a node that yielded or its topmost ancestor that asks again, or where the
//       budget ended.
#include <math.h>
#include <string.h>

#include "decide/bt_internal.h"

// What the walk holds in hand.
typedef struct bt_walk {
    ploy_bt_instance *instance;
    ploy_step_context *context;
    const ploy_bt *bt;
    const ployi_bt_node *nodes;
    unsigned char *status;
    uint32_t *words;
    ploy_result error;
} bt_walk;

static bool bt_walk_runs(const bt_walk *walk, uint32_t node) {
    return walk->status[node] == PLOYI_BT_RUNS;
}

static double bt_walk_time(const uint32_t *words) {
    double time;
    memcpy(&time, words, sizeof time);
    return time;
}

static void bt_walk_set_time(uint32_t *words, double time) {
    memcpy(words, &time, sizeof time);
}

// ---- halting ----

static void bt_walk_effects(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node,
                            uint32_t when) {
    const ploy_bt *bt = instance->bt;
    uint32_t next = PLOYI_BT_AT(bt, nodes, ployi_bt_node, node)->hook;
    while (next != PLOYI_BT_NONE) {
        const ployi_bt_hook *hook = PLOYI_BT_AT(bt, hooks, ployi_bt_hook, next);
        next = hook->next;
        if (hook->when != when) continue;
        if (hook->act != NULL) {
            ploy_bt_call call = ployi_bt_call(instance, context, node);
            call.user = hook->test.user;
            hook->act(&call);
        } else {
            ployi_bt_set(instance, hook->test.ref, &hook->test.value);
        }
    }
}

// The board that a behavior leaf is shown: that of its own scope.
static ploy_blackboard *bt_walk_board(const ploy_bt_instance *instance, uint32_t node) {
    const ploy_bt *bt = instance->bt;
    uint32_t up = PLOYI_BT_AT(bt, nodes, ployi_bt_node, node)->parent;
    while (up != PLOYI_BT_NONE) {
        const ployi_bt_node *around = PLOYI_BT_AT(bt, nodes, ployi_bt_node, up);
        if (around->kind == PLOY_BT_SUBTREE || around->kind == PLOY_BT_BLACKBOARD_SCOPE) {
            return instance->boards[ployi_bt_extra_of(bt, around)->scope];
        }
        up = around->parent;
    }
    return instance->boards[0];
}

static void bt_walk_leave(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node,
                          ploy_exit_reason reason) {
    const ployi_bt_node *at = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, node);
    ploy_behavior *behavior = &instance->behaviors[at->extra];
    ploy_blackboard *board = context->blackboard;
    context->blackboard = bt_walk_board(instance, node);
    ploy_behavior_exit(*behavior, context, reason);
    context->blackboard = board;
    if (!PLOYI_BT_AT(instance->bt, makers, ployi_bt_maker, at->extra)->keep) {
        ploy_behavior_destroy(*behavior);
        behavior->type = NULL;
        behavior->self = NULL;
    }
}

// What a node does when its run ends, however it ends.
static void bt_walk_end(ploy_bt_instance *instance, const ploy_step_context *context,
                        const ployi_bt_node *node) {
    uint32_t *words = &instance->words[node->state];
    if (node->kind == PLOY_BT_SEMAPHORE_GUARD) {
        uint32_t guard = ployi_bt_extra_of(instance->bt, node)->target;
        if (words[0] != 0) ploy_semaphores_release(instance->semaphores, instance->guards[guard]);
        words[0] = 0;
    } else if (node->kind == PLOY_BT_COOLDOWN) {
        words[0] = 1;
        bt_walk_set_time(&words[1], context->now);
    }
}

void ployi_bt_halt(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node,
                   ploy_exit_reason reason) {
    if (instance->status[node] != PLOYI_BT_RUNS) return;
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&instance->bt->nodes, ployi_bt_node);
    const ployi_bt_node *at = &nodes[node];
    // As deep as the tree, which is PLOY_BT_DEPTH_MAX at most.
    for (uint32_t child = node + 1; child < at->end; child = nodes[child].end) {
        ployi_bt_halt(instance, context, child, reason);
    }
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_LEAF: {
        ploy_bt_call call = ployi_bt_call(instance, context, node);
        const ployi_bt_bound_leaf *bound =
            PLOYI_BT_AT(instance->bt, leaves, ployi_bt_bound_leaf, at->extra);
        if (bound->leaf.stop != NULL) bound->leaf.stop(&call, reason);
        break;
    }
    case PLOY_BT_BEHAVIOR: bt_walk_leave(instance, context, node, reason); break;
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY: instance->words[at->state] = 0; break;
    case PLOY_BT_SEMAPHORE_GUARD:
    case PLOY_BT_COOLDOWN: bt_walk_end(instance, context, at); break;
    default: break;
    }
    instance->status[node] = PLOYI_BT_IDLE;
    if ((at->flags & PLOYI_BT_FLAG_HALTED) != 0) {
        bt_walk_effects(instance, context, node, PLOY_BT_ON_HALTED);
    }
}

static void bt_walk_halt(const bt_walk *walk, uint32_t node) {
    ployi_bt_halt(walk->instance, walk->context, node, PLOY_EXIT_INTERRUPTED);
}

static void bt_walk_halt_children(const bt_walk *walk, uint32_t node) {
    for (uint32_t child = node + 1; child < walk->nodes[node].end; child = walk->nodes[child].end) {
        if (bt_walk_runs(walk, child)) bt_walk_halt(walk, child);
    }
}

// Halts the child that a reactive node had running, if it is not the one it wants now.
static void bt_walk_switch(const bt_walk *walk, uint32_t *running, uint32_t wanted) {
    if (*running != 0 && *running != wanted && bt_walk_runs(walk, *running)) {
        bt_walk_halt(walk, *running);
    }
    *running = wanted;
}

// ---- random order and scores ----

void ployi_bt_shuffle(uint32_t *order, int32_t count, int32_t (*draw)(void *user, int32_t count),
                      void *user) {
    while (count > 1) {
        int32_t k = draw(user, count);
        count--;
        uint32_t swap = order[count];
        order[count] = order[k];
        order[k] = swap;
    }
}

static ploy_rng_key bt_walk_key(const bt_walk *walk) {
    // By the root's id, so that a tree within a tree draws other numbers.
    return ploy_rng_key_split(walk->context->key, *PLOYI_BT_AT(walk->bt, ids, uint64_t, 0));
}

static int32_t bt_walk_draw(void *user, int32_t count) {
    const bt_walk *walk = user;
    return ploy_rng_int_at(bt_walk_key(walk), walk->context->agent.id.index, walk->context->tick,
                           walk->instance->draws++, 0, count - 1);
}

static void bt_walk_list_children(const bt_walk *walk, uint32_t node, uint32_t *order) {
    uint32_t child = node + 1;
    for (int32_t i = 0; i < walk->nodes[node].children; i++) {
        order[i] = child;
        child = walk->nodes[child].end;
    }
}

static float bt_walk_score(bt_walk *walk, uint32_t node) {
    uint32_t next = walk->nodes[node].hook;
    while (next != PLOYI_BT_NONE) {
        const ployi_bt_hook *hook = PLOYI_BT_AT(walk->bt, hooks, ployi_bt_hook, next);
        if (hook->when == PLOYI_BT_SCORE) {
            ploy_bt_call call = ployi_bt_call(walk->instance, walk->context, node);
            call.user = hook->test.user;
            return hook->score(&call);
        }
        next = hook->next;
    }
    return 1.0f;
}

// Fills the order of a UtilityFallback: words are place, candidates, order, then scores.
static void bt_walk_rank(bt_walk *walk, uint32_t node, uint32_t *words) {
    uint32_t children = walk->nodes[node].children, found = 0;
    uint32_t *order = &words[2], *scores = &words[2 + children];
    for (uint32_t child = node + 1; child < walk->nodes[node].end; child = walk->nodes[child].end) {
        float score = bt_walk_score(walk, child);
        bool possible = score > 0.0f; // false for NaN too
        ploy_trace_option(walk->context->trace, ployi_bt_text(walk->bt, walk->nodes[child].name),
                          possible ? PLOY_OUTCOME_LOST : PLOY_OUTCOME_REJECTED, (double)score,
                          possible ? "a candidate" : "its score is not above 0");
        if (!possible) continue;
        uint32_t place = found++;
        for (; place > 0; place--) {
            float other;
            memcpy(&other, &scores[place - 1], sizeof other);
            if (other >= score) break; // equal ones stay in order
            scores[place] = scores[place - 1];
            order[place] = order[place - 1];
        }
        memcpy(&scores[place], &score, sizeof score);
        order[place] = child;
    }
    words[0] = 0;
    words[1] = found;
}

// ---- conditions ----

// True if a condition before the node answers for it.
static bool bt_walk_before(bt_walk *walk, uint32_t node, ploy_status *answer) {
    static const ploy_status answers[] = {PLOY_STATUS_FAILURE, PLOY_STATUS_SUCCESS,
                                          PLOY_STATUS_SKIPPED, PLOY_STATUS_SKIPPED};
    bool runs = bt_walk_runs(walk, node);
    // The builder keeps the list in the order of their meaning.
    uint32_t next = walk->nodes[node].hook;
    while (next != PLOYI_BT_NONE) {
        const ployi_bt_hook *hook = PLOYI_BT_AT(walk->bt, hooks, ployi_bt_hook, next);
        next = hook->next;
        if (hook->when > PLOY_BT_WHILE || (runs && hook->when != PLOY_BT_WHILE)) continue;
        ploy_bt_call call = ployi_bt_call(walk->instance, walk->context, node);
        if (ployi_bt_holds(&hook->test, &call) == (hook->when == PLOY_BT_WHILE)) continue;
        if (runs) bt_walk_halt(walk, node);
        *answer = answers[hook->when];
        ploy_trace_note(walk->context->trace, "a condition before the next node answers for it");
        return true;
    }
    return false;
}

static void bt_walk_after(bt_walk *walk, uint32_t node, ploy_status status) {
    if (status != PLOY_STATUS_SUCCESS && status != PLOY_STATUS_FAILURE) return;
    bt_walk_effects(walk->instance, walk->context, node,
                    status == PLOY_STATUS_SUCCESS ? PLOY_BT_ON_SUCCESS : PLOY_BT_ON_FAILURE);
    bt_walk_effects(walk->instance, walk->context, node, PLOY_BT_ON_DONE);
}

static void bt_walk_tell(const bt_walk *walk, uint32_t node, ploy_status status) {
    static const ploy_outcome outcomes[] = {PLOY_OUTCOME_WON, PLOY_OUTCOME_WON,
                                            PLOY_OUTCOME_REJECTED, PLOY_OUTCOME_SKIPPED};
    const ployi_bt_node *at = &walk->nodes[node];
    double none = (double)NAN;
    ploy_trace_option(walk->context->trace, ployi_bt_text(walk->bt, at->name), outcomes[status],
                      none, ploy_status_text(status));
}

// ---- leaves ----

// Steps a leaf; RUNNING included in the answer. False: walk->error.
static bool bt_walk_leaf(bt_walk *walk, uint32_t node, ploy_bt_call *call, ploy_status *status) {
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
        if (!bt_walk_runs(walk, node)) {
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
    // An answer that is none, or progress in place of a result, is the caller's mistake.
    if (result == PLOY_OK && (uint32_t)*status <= PLOY_STATUS_SKIPPED) {
        if (*status != PLOY_STATUS_RUNNING && !bound->plain && bound->leaf.stop != NULL) {
            bound->leaf.stop(call, PLOY_EXIT_FINISHED);
        }
        return true;
    }
    walk->error = result < PLOY_OK ? result : PLOY_ERR_CALLBACK;
    return false;
}

static bool bt_walk_behavior(bt_walk *walk, uint32_t node, ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    ploy_behavior *behavior = &walk->instance->behaviors[at->extra];
    const ployi_bt_maker *maker = PLOYI_BT_AT(walk->bt, makers, ployi_bt_maker, at->extra);
    if (behavior->type == NULL) {
        ploy_behavior made = {NULL, NULL};
        ploy_result result = maker->make(maker->user, &walk->instance->env, &made);
        if (result == PLOY_OK && made.type == NULL) result = PLOY_ERR_CALLBACK;
        walk->error = result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
        if (walk->error != PLOY_OK) return false;
        *behavior = made;
    }
    ploy_blackboard *board = walk->context->blackboard;
    walk->context->blackboard = bt_walk_board(walk->instance, node);
    if (!bt_walk_runs(walk, node)) {
        walk->status[node] = PLOYI_BT_RUNS; // keeps (2)
        walk->error = ploy_behavior_enter(*behavior, walk->context);
    }
    if (walk->error == PLOY_OK) {
        walk->error = ploy_behavior_step(*behavior, walk->context, status);
    }
    walk->context->blackboard = board;
    if (walk->error != PLOY_OK) return false;
    if (*status != PLOY_STATUS_RUNNING) {
        bt_walk_leave(walk->instance, walk->context, node, PLOY_EXIT_FINISHED);
    }
    return true;
}

static uint32_t bt_walk_changes(const bt_walk *walk, const ployi_bt_extra *extra) {
    ploy_blackboard_ref key = ployi_bt_ref_of(walk->instance, extra->ref);
    return key.board != NULL ? ploy_blackboard_slot_changes(key.board, key.slot) : 0;
}

static ploy_status bt_walk_sleep(bt_walk *walk, uint32_t node, const ployi_bt_extra *extra,
                                 uint32_t *words) {
    double now = walk->context->now;
    if (!bt_walk_runs(walk, node)) {
        double span = extra->seconds;
        if (extra->seconds_max > span) {
            double part =
                (double)ploy_rng_float_at(bt_walk_key(walk), walk->context->agent.id.index,
                                          walk->context->tick, walk->instance->draws++);
            span += part * (extra->seconds_max - span);
        }
        bt_walk_set_time(words, now + span);
    }
    return now >= bt_walk_time(words) ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
}

// The built-in leaves and those of the game. False: walk->error.
static bool bt_walk_act(bt_walk *walk, uint32_t node, ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    const ployi_bt_extra *extra = NULL;
    uint32_t *words = &walk->words[at->state];
    *status = PLOY_STATUS_SUCCESS;
    if (at->kind == PLOY_BT_BEHAVIOR) return bt_walk_behavior(walk, node, status);
    if (at->kind == PLOY_BT_ALWAYS_SUCCESS) return true;
    if (at->kind == PLOY_BT_ALWAYS_FAILURE) {
        *status = PLOY_STATUS_FAILURE;
        return true;
    }
    extra = ployi_bt_extra_of(walk->bt, at);
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_SLEEP: *status = bt_walk_sleep(walk, node, extra, words); break;
    case PLOY_BT_SET_BLACKBOARD:
    case PLOY_BT_UNSET_BLACKBOARD:
        ployi_bt_set(walk->instance, extra->ref,
                     PLOYI_BT_AT(walk->bt, values, ploy_value, extra->first_value));
        break;
    case PLOY_BT_WAS_ENTRY_UPDATED: {
        uint32_t changes = bt_walk_changes(walk, extra);
        if (changes == words[0]) *status = PLOY_STATUS_FAILURE;
        words[0] = changes;
        break;
    }
    case PLOY_BT_CONDITION: {
        ploy_bt_call call = ployi_bt_call(walk->instance, walk->context, node);
        if (!ployi_bt_holds(&extra->condition, &call)) *status = PLOY_STATUS_FAILURE;
        break;
    }
    case PLOY_BT_SIGNAL:
        ploy_bt_instance_signal(walk->instance, (int32_t)extra->target, extra->result);
        break;
    default: break;
    }
    return true;
}

// ---- composites ----

// A sequence or fallback is through: SKIPPED if all its children were.
static bool bt_walk_all_skipped(const bt_walk *walk, uint32_t node) {
    for (uint32_t child = node + 1; child < walk->nodes[node].end; child = walk->nodes[child].end) {
        unsigned char status = walk->status[child];
        if (status != PLOYI_BT_IDLE && status != PLOY_STATUS_SKIPPED + 1) return false;
    }
    return true;
}

// The mark in a composite's place that one of its children has answered RUNNING in this run: then
// not all were skipped, even if that one is in the end. Set when the child is taken up again,
// because a leaf that yields does not bother those above it.
#define BT_WALK_RAN 0x80000000u

static bool bt_walk_keeps_place(const ployi_bt_node *node) {
    switch ((ploy_bt_kind)node->kind) {
    case PLOY_BT_SEQUENCE:
    case PLOY_BT_SEQUENCE_WITH_MEMORY:
    case PLOY_BT_ASYNC_SEQUENCE:
    case PLOY_BT_FALLBACK:
    case PLOY_BT_ASYNC_FALLBACK:
    case PLOY_BT_TRY_CATCH:
    case PLOY_BT_SHUFFLED_SEQUENCE:
    case PLOY_BT_SHUFFLED_FALLBACK:
    case PLOY_BT_UTILITY_FALLBACK: return true;
    default: return false;
    }
}

static void bt_walk_mark_above(const bt_walk *walk, uint32_t node) {
    for (node = walk->nodes[node].parent; node != PLOYI_BT_NONE; node = walk->nodes[node].parent) {
        const ployi_bt_node *at = &walk->nodes[node];
        if (bt_walk_keeps_place(at)) walk->words[at->state] |= BT_WALK_RAN;
    }
}

static uint32_t bt_walk_nth_child(const bt_walk *walk, uint32_t node, int32_t n) {
    uint32_t child = node + 1;
    while (n-- > 0) child = walk->nodes[child].end;
    return child;
}

static uint32_t bt_walk_case(const bt_walk *walk, uint32_t node, const ployi_bt_extra *extra) {
    ploy_blackboard_ref key = ployi_bt_ref_of(walk->instance, extra->ref);
    ploy_value value = ploy_value_none();
    if (key.board != NULL) ploy_blackboard_get(key.board, key.slot, &value);
    const ploy_value *values = PLOYI_BT_AT(walk->bt, values, ploy_value, extra->first_value);
    uint32_t n = 0;
    while (n < extra->value_count && !ploy_value_equal(&values[n], &value)) n++;
    return bt_walk_nth_child(walk, node, (int32_t)n);
}

// A Parallel's words: successes (or finished ones), failures, and skipped ones of this pass with
// the mark of a second visit.
#define BT_WALK_AGAIN 0x80000000u

static uint32_t bt_walk_unfinished(const bt_walk *walk, uint32_t child, uint32_t end) {
    while (child < end && (walk->status[child] == PLOY_STATUS_SUCCESS + 1 ||
                           walk->status[child] == PLOY_STATUS_FAILURE + 1)) {
        child = walk->nodes[child].end;
    }
    return child;
}

// The running child that holds an Interrupter which was spoken to in this pass, or NONE.
static uint32_t bt_walk_signalled(const bt_walk *walk, uint32_t node) {
    uint32_t target = walk->instance->signal;
    if (target <= node || target >= walk->nodes[node].end) return PLOYI_BT_NONE; // NONE too
    uint32_t child = node + 1;
    while (walk->nodes[child].end <= target) child = walk->nodes[child].end;
    return bt_walk_runs(walk, child) ? child : PLOYI_BT_NONE;
}

// Counts a child's answer. True if that settles the matter: *status is set.
static bool bt_walk_count(const bt_walk *walk, uint32_t node, const ployi_bt_extra *extra,
                          uint32_t *words, ploy_status *status) {
    bool all = walk->nodes[node].kind == PLOY_BT_PARALLEL_ALL;
    if (*status == PLOY_STATUS_SUCCESS) words[0]++;
    if (*status == PLOY_STATUS_FAILURE) words[1]++;
    if (*status == PLOY_STATUS_SKIPPED) words[2]++;
    if (all) return false;
    int32_t skipped = (int32_t)(words[2] & ~BT_WALK_AGAIN);
    int32_t successes = (int32_t)words[0], failures = (int32_t)words[1];
    // The builder made the thresholds positive; flag tells that successes were counted from all.
    if (successes >= extra->count || (extra->flag && successes + skipped >= extra->count)) {
        if (successes == 0) return false; // all skipped so far is no success
        *status = PLOY_STATUS_SUCCESS;
        return true;
    }
    if (walk->nodes[node].children - failures < extra->count || failures >= extra->count2) {
        *status = PLOY_STATUS_FAILURE;
        return true;
    }
    return false;
}

// A pass is over. RUNNING, or what it comes to.
static ploy_status bt_walk_sum_up(const bt_walk *walk, uint32_t node, const ployi_bt_extra *extra,
                                  const uint32_t *words) {
    int32_t skipped = (int32_t)(words[2] & ~BT_WALK_AGAIN), children = walk->nodes[node].children;
    if (skipped >= children) return PLOY_STATUS_SKIPPED;
    if (walk->nodes[node].kind == PLOY_BT_PARALLEL_ALL &&
        (int32_t)(words[0] + words[1]) + skipped >= children) {
        return (int32_t)words[1] >= extra->count2 ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
    }
    return PLOY_STATUS_RUNNING;
}

// ---- down ----

// Where a visit leads.
typedef enum bt_walk_way { BT_WALK_DOWN, BT_WALK_ANSWER, BT_WALK_YIELD } bt_walk_way;

// Visits a composite that starts or goes on: *next is the child, or *status the answer.
static bt_walk_way bt_walk_compose(bt_walk *walk, uint32_t node, uint32_t *next,
                                   ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    uint32_t *words = &walk->words[at->state];
    bool runs = bt_walk_runs(walk, node);
    const ployi_bt_extra *extra =
        at->extra != PLOYI_BT_NONE ? ployi_bt_extra_of(walk->bt, at) : NULL;
    if (at->children == 0) {
        bool fails = at->kind == PLOY_BT_FALLBACK || at->kind == PLOY_BT_REACTIVE_FALLBACK ||
                     at->kind == PLOY_BT_ASYNC_FALLBACK || at->kind == PLOY_BT_SHUFFLED_FALLBACK;
        *status = fails ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
        return BT_WALK_ANSWER;
    }
    walk->status[node] = PLOYI_BT_RUNS;
    if (runs && bt_walk_keeps_place(at)) words[0] |= BT_WALK_RAN;
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_SEQUENCE_WITH_MEMORY:
        if (!runs) words[0] &= ~BT_WALK_RAN;
        if (words[0] == 0) words[0] = node + 1;
        // What it need not do again says nothing about this run.
        for (uint32_t child = node + 1; !runs && child < words[0]; child = walk->nodes[child].end) {
            walk->status[child] = PLOYI_BT_IDLE;
        }
        *next = words[0] & ~BT_WALK_RAN;
        return BT_WALK_DOWN;
    case PLOY_BT_REACTIVE_SEQUENCE:
    case PLOY_BT_REACTIVE_FALLBACK:
    case PLOY_BT_WHILE_DO_ELSE:
        if (!runs) words[0] = 0;
        *next = node + 1;
        return BT_WALK_DOWN;
    case PLOY_BT_SWITCH:
        if (!runs) words[0] = 0;
        *next = bt_walk_case(walk, node, extra);
        bt_walk_switch(walk, &words[0], *next);
        return BT_WALK_DOWN;
    case PLOY_BT_PARALLEL:
    case PLOY_BT_PARALLEL_ALL:
        if (!runs) {
            words[0] = words[1] = 0;
            for (uint32_t child = node + 1; child < at->end; child = walk->nodes[child].end) {
                walk->status[child] = PLOYI_BT_IDLE;
            }
        }
        words[2] = 0;
        *next = bt_walk_unfinished(walk, node + 1, at->end);
        return BT_WALK_DOWN;
    case PLOY_BT_SHUFFLED_SEQUENCE:
    case PLOY_BT_SHUFFLED_FALLBACK:
        if (!runs) {
            words[0] = 0;
            bt_walk_list_children(walk, node, &words[1]);
            ployi_bt_shuffle(&words[1], at->children, bt_walk_draw, walk);
        }
        *next = words[1 + (words[0] & ~BT_WALK_RAN)];
        return BT_WALK_DOWN;
    case PLOY_BT_UTILITY_FALLBACK:
        if (!runs) bt_walk_rank(walk, node, words);
        *status = PLOY_STATUS_FAILURE;
        if (words[1] == 0) return BT_WALK_ANSWER;
        *next = words[2 + (words[0] & ~BT_WALK_RAN)];
        return BT_WALK_DOWN;
    case PLOY_BT_RANDOM_SELECTOR:
        if (!runs) words[0] = words[1] = 0;
        if (words[0] == 0 || !bt_walk_runs(walk, words[0])) {
            words[0] = bt_walk_nth_child(walk, node, bt_walk_draw(walk, at->children));
            words[1]++;
        }
        *next = words[0];
        return BT_WALK_DOWN;
    default: // the rest keep their place
        if (!runs) words[0] = node + 1;
        *next = words[0] & ~BT_WALK_RAN;
        return BT_WALK_DOWN;
    }
}

// Visits a decorator; its child is the next node.
static bt_walk_way bt_walk_decorate(bt_walk *walk, uint32_t node, ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    uint32_t *words = &walk->words[at->state];
    bool runs = bt_walk_runs(walk, node), child_runs = bt_walk_runs(walk, node + 1);
    double now = walk->context->now;
    const ployi_bt_extra *extra =
        at->extra != PLOYI_BT_NONE ? ployi_bt_extra_of(walk->bt, at) : NULL;
    *status = PLOY_STATUS_FAILURE;
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY:
        if (extra->count < 0 || (int32_t)words[0] < extra->count) break;
        words[0] = 0;
        if (at->kind == PLOY_BT_REPEAT) *status = PLOY_STATUS_SUCCESS;
        return BT_WALK_ANSWER;
    case PLOY_BT_RESTART:
        if (!runs) words[0] = 0;
        break;
    case PLOY_BT_TIMEOUT:
        if (!runs) bt_walk_set_time(words, now);
        if (!runs || now - bt_walk_time(words) < extra->seconds) break;
        bt_walk_halt_children(walk, node);
        *status = extra->result;
        return BT_WALK_ANSWER;
    case PLOY_BT_DELAY:
        if (!runs) bt_walk_set_time(words, now);
        if (child_runs || now - bt_walk_time(words) >= extra->seconds) break;
        return BT_WALK_YIELD;
    case PLOY_BT_COOLDOWN:
        if (runs || words[0] == 0 || now - bt_walk_time(&words[1]) >= extra->seconds) break;
        return BT_WALK_ANSWER;
    case PLOY_BT_RUN_ONCE:
        if (words[0] == 0) break;
        *status = extra->flag ? PLOY_STATUS_SKIPPED : (ploy_status)(words[0] - 1);
        return BT_WALK_ANSWER;
    case PLOY_BT_LIMIT:
        if (runs) break;
        if ((int32_t)words[0] >= extra->count) return BT_WALK_ANSWER;
        words[0]++;
        break;
    case PLOY_BT_PRECONDITION: {
        if (child_runs) break;
        ploy_bt_call call = ployi_bt_call(walk->instance, walk->context, node);
        if (ployi_bt_holds(&extra->condition, &call)) break;
        *status = extra->result;
        return extra->result == PLOY_STATUS_RUNNING ? BT_WALK_YIELD : BT_WALK_ANSWER;
    }
    case PLOY_BT_LOOP:
        if (!runs) words[0] = 0;
        if (child_runs) break;
        *status = extra->result;
        if (words[0] >= extra->value_count) return BT_WALK_ANSWER;
        ployi_bt_set(walk->instance, extra->ref,
                     PLOYI_BT_AT(walk->bt, values, ploy_value, extra->first_value + words[0]));
        words[0]++;
        break;
    case PLOY_BT_SKIP_UNLESS_UPDATED:
    case PLOY_BT_WAIT_VALUE_UPDATE: {
        if (child_runs) break;
        uint32_t changes = bt_walk_changes(walk, extra);
        bool same = changes == words[0];
        words[0] = changes;
        if (!same) break;
        *status = PLOY_STATUS_SKIPPED;
        return at->kind == PLOY_BT_WAIT_VALUE_UPDATE ? BT_WALK_YIELD : BT_WALK_ANSWER;
    }
    case PLOY_BT_SEMAPHORE_GUARD:
        if (runs) break;
        if (!ploy_semaphores_acquire(walk->instance->semaphores,
                                     walk->instance->guards[extra->target])) {
            return BT_WALK_ANSWER;
        }
        words[0] = 1;
        break;
    case PLOY_BT_INTERRUPTER:
        if (!runs) words[0] = 0;
        if (words[0] == 0) break;
        bt_walk_halt_children(walk, node);
        *status = (ploy_status)(words[0] - 1);
        words[0] = 0;
        return BT_WALK_ANSWER;
    case PLOY_BT_GATE:
        if (words[0] == 1 || (words[0] == 0 && extra->flag)) break;
        bt_walk_halt_children(walk, node);
        return BT_WALK_ANSWER;
    case PLOY_BT_HOLD:
        if (!runs) words[0] = words[1] = 0;
        if (words[0] == 0) break;
        if (words[1] == 0) return BT_WALK_YIELD;
        *status = (ploy_status)(words[0] - 1);
        return BT_WALK_ANSWER;
    case PLOY_BT_BLACKBOARD_SCOPE:
        if (runs) break;
        ploy_blackboard_reset(walk->instance->boards[extra->scope]);
        ploy_blackboard_set_parent(
            walk->instance->boards[extra->scope],
            walk->instance
                ->boards[PLOYI_BT_AT(walk->bt, scopes, ployi_bt_scope, extra->scope)->parent]);
        break;
    default: break;
    }
    walk->status[node] = PLOYI_BT_RUNS;
    return BT_WALK_DOWN;
}

// ---- up ----

// The next child in a sequence or fallback after one that did not decide.
static bt_walk_way bt_walk_go_on(bt_walk *walk, uint32_t node, uint32_t child, uint32_t *next,
                                 ploy_status *status, ploy_status through) {
    const ployi_bt_node *at = &walk->nodes[node];
    uint32_t sibling = walk->nodes[child].end;
    uint32_t *place = &walk->words[at->state];
    if (sibling < at->end) {
        *place = sibling | (*place & BT_WALK_RAN);
        *next = sibling;
        return BT_WALK_DOWN;
    }
    bool ran = bt_walk_keeps_place(at) && (*place & BT_WALK_RAN) != 0;
    bool skipped = *status == PLOY_STATUS_SKIPPED && !ran && bt_walk_all_skipped(walk, node);
    *status = skipped ? PLOY_STATUS_SKIPPED : through;
    return BT_WALK_ANSWER;
}

// The rarer composites: a child answered *status, RUNNING too. Answers with RUNNING mean: pass on.
static bt_walk_way bt_walk_hear(bt_walk *walk, uint32_t node, uint32_t child, uint32_t *next,
                                ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    uint32_t *words = &walk->words[at->state];
    const ployi_bt_extra *extra =
        at->extra != PLOYI_BT_NONE ? ployi_bt_extra_of(walk->bt, at) : NULL;
    bool running = *status == PLOY_STATUS_RUNNING;
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_REACTIVE_SEQUENCE:
    case PLOY_BT_REACTIVE_FALLBACK: {
        bool sequence = at->kind == PLOY_BT_REACTIVE_SEQUENCE;
        ploy_status through = sequence ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
        if (running || (*status != through && *status != PLOY_STATUS_SKIPPED)) {
            bt_walk_switch(walk, words, running ? child : 0); // 0 halts whatever ran
            return BT_WALK_ANSWER;
        }
        uint32_t ran = words[0];
        bt_walk_way way = bt_walk_go_on(walk, node, child, next, status, through);
        words[0] = ran; // not its place: which one runs
        return way;
    }
    case PLOY_BT_ASYNC_SEQUENCE:
    case PLOY_BT_ASYNC_FALLBACK: {
        bool sequence = at->kind == PLOY_BT_ASYNC_SEQUENCE;
        ploy_status through = sequence ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
        if (running || (*status != through && *status != PLOY_STATUS_SKIPPED)) {
            return BT_WALK_ANSWER;
        }
        bool skipped = *status == PLOY_STATUS_SKIPPED;
        bt_walk_way way = bt_walk_go_on(walk, node, child, next, status, through);
        return way == BT_WALK_DOWN && !skipped ? BT_WALK_YIELD : way;
    }
    case PLOY_BT_SEQUENCE_WITH_MEMORY: {
        if (running || *status == PLOY_STATUS_FAILURE) return BT_WALK_ANSWER;
        bt_walk_way way = bt_walk_go_on(walk, node, child, next, status, PLOY_STATUS_SUCCESS);
        if (way == BT_WALK_ANSWER) words[0] = 0;
        return way;
    }
    case PLOY_BT_IF_THEN_ELSE:
        if (running || child != node + 1 || *status == PLOY_STATUS_SKIPPED) return BT_WALK_ANSWER;
        *next = walk->nodes[child].end;
        if (*status == PLOY_STATUS_FAILURE) *next = walk->nodes[*next].end;
        words[0] = *next;
        return *next < at->end ? BT_WALK_DOWN : BT_WALK_ANSWER; // FAILURE without an else
    case PLOY_BT_WHILE_DO_ELSE: {
        if (child != node + 1 || running) return BT_WALK_ANSWER;
        uint32_t branch = walk->nodes[child].end;
        if (*status == PLOY_STATUS_FAILURE) branch = walk->nodes[branch].end;
        bool there = branch < at->end && *status != PLOY_STATUS_SKIPPED;
        bt_walk_switch(walk, words, there ? branch : 0);
        *next = branch;
        return there ? BT_WALK_DOWN : BT_WALK_ANSWER;
    }
    case PLOY_BT_TRY_CATCH: {
        if (running) return BT_WALK_ANSWER;
        uint32_t last = bt_walk_nth_child(walk, node, at->children - 1);
        if (child == last) {
            *status = PLOY_STATUS_FAILURE; // whatever the cleaning up came to
            return BT_WALK_ANSWER;
        }
        if (*status == PLOY_STATUS_FAILURE) {
            words[0] = *next = last;
            return BT_WALK_DOWN;
        }
        *next = walk->nodes[child].end;
        words[0] = *next | (words[0] & BT_WALK_RAN);
        if (*next != last) return BT_WALK_DOWN;
        walk->status[last] = PLOYI_BT_IDLE;
        bool skipped = *status == PLOY_STATUS_SKIPPED && (words[0] & BT_WALK_RAN) == 0 &&
                       bt_walk_all_skipped(walk, node);
        *status = skipped ? PLOY_STATUS_SKIPPED : PLOY_STATUS_SUCCESS;
        return BT_WALK_ANSWER;
    }
    case PLOY_BT_PARALLEL:
    case PLOY_BT_PARALLEL_ALL: {
        if (bt_walk_count(walk, node, extra, words, status)) {
            bt_walk_halt_children(walk, node);
            return BT_WALK_ANSWER;
        }
        *next = bt_walk_unfinished(walk, walk->nodes[child].end, at->end);
        bool again = (words[2] & BT_WALK_AGAIN) != 0;
        if (!again && *next < at->end) return BT_WALK_DOWN;
        uint32_t spoken = bt_walk_signalled(walk, node);
        if (!again && spoken != PLOYI_BT_NONE) {
            words[2] |= BT_WALK_AGAIN;
            walk->instance->signal = PLOYI_BT_NONE;
            *next = spoken;
            return BT_WALK_DOWN;
        }
        *status = bt_walk_sum_up(walk, node, extra, words);
        return BT_WALK_ANSWER;
    }
    case PLOY_BT_SHUFFLED_SEQUENCE:
    case PLOY_BT_SHUFFLED_FALLBACK:
    case PLOY_BT_UTILITY_FALLBACK: {
        bool sequence = at->kind == PLOY_BT_SHUFFLED_SEQUENCE;
        bool utility = at->kind == PLOY_BT_UTILITY_FALLBACK;
        ploy_status through = sequence ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
        if (running || (*status != through && *status != PLOY_STATUS_SKIPPED)) {
            return BT_WALK_ANSWER;
        }
        uint32_t count = utility ? words[1] : at->children;
        uint32_t place = (++words[0]) & ~BT_WALK_RAN;
        if (place < count) {
            *next = words[(utility ? 2 : 1) + place];
            return BT_WALK_DOWN;
        }
        bool skipped = *status == PLOY_STATUS_SKIPPED && (words[0] & BT_WALK_RAN) == 0;
        for (uint32_t i = 0; i < count && skipped; i++) {
            uint32_t other = words[(utility ? 2 : 1) + i];
            skipped = walk->status[other] == PLOY_STATUS_SKIPPED + 1;
        }
        *status = skipped ? PLOY_STATUS_SKIPPED : through;
        return BT_WALK_ANSWER;
    }
    case PLOY_BT_RANDOM_SELECTOR:
        if (running || *status == PLOY_STATUS_SUCCESS) return BT_WALK_ANSWER;
        if (extra->count <= 0 || (int32_t)words[1] < extra->count) return BT_WALK_YIELD;
        *status = PLOY_STATUS_FAILURE;
        return BT_WALK_ANSWER;
    default: return BT_WALK_ANSWER; // a Switch
    }
}

// A decorator's child answered.
static bt_walk_way bt_walk_filter(bt_walk *walk, uint32_t node, uint32_t *next,
                                  ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    uint32_t *words = &walk->words[at->state];
    const ployi_bt_extra *extra =
        at->extra != PLOYI_BT_NONE ? ployi_bt_extra_of(walk->bt, at) : NULL;
    bool running = *status == PLOY_STATUS_RUNNING, skipped = *status == PLOY_STATUS_SKIPPED;
    bool success = *status == PLOY_STATUS_SUCCESS;
    if (at->kind == PLOY_BT_INTERRUPTER && words[0] != 0) {
        bt_walk_halt_children(walk, node);
        *status = (ploy_status)(words[0] - 1);
        words[0] = 0;
        return BT_WALK_ANSWER;
    }
    if (running) return BT_WALK_ANSWER;
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY:
        if (skipped) return BT_WALK_ANSWER;
        if (success == (at->kind == PLOY_BT_REPEAT)) {
            if (extra->count < 0) return BT_WALK_YIELD;
            *next = node + 1;
            if ((int32_t)++words[0] < extra->count) return BT_WALK_DOWN;
        }
        words[0] = 0;
        return BT_WALK_ANSWER;
    case PLOY_BT_KEEP_RUNNING_UNTIL_FAILURE:
        return success || skipped ? BT_WALK_YIELD : BT_WALK_ANSWER;
    case PLOY_BT_UNTIL_FAIL:
    case PLOY_BT_UNTIL_SUCCESS:
        if (skipped) return BT_WALK_ANSWER;
        if (success == (at->kind == PLOY_BT_UNTIL_FAIL)) return BT_WALK_YIELD;
        *status = extra->result;
        return BT_WALK_ANSWER;
    case PLOY_BT_RESTART:
        if (extra->count <= 0 || (int32_t)++words[0] < extra->count) return BT_WALK_YIELD;
        *status = PLOY_STATUS_SUCCESS;
        return BT_WALK_ANSWER;
    case PLOY_BT_RUN_ONCE:
        if (!skipped) words[0] = (uint32_t)*status + 1;
        return BT_WALK_ANSWER;
    case PLOY_BT_LOOP: return *status == PLOY_STATUS_FAILURE ? BT_WALK_ANSWER : BT_WALK_YIELD;
    case PLOY_BT_HOLD:
        if (words[1] != 0) return BT_WALK_ANSWER;
        words[0] = (uint32_t)*status + 1;
        return BT_WALK_YIELD;
    case PLOY_BT_SEMAPHORE_GUARD:
    case PLOY_BT_COOLDOWN: bt_walk_end(walk->instance, walk->context, at); return BT_WALK_ANSWER;
    default: return BT_WALK_ANSWER;
    }
}

// ---- the walk ----

// Leaves the tree whole after a fault: nothing runs any more.
static ploy_result bt_walk_fail(bt_walk *walk) {
    ployi_bt_halt(walk->instance, walk->context, 0, PLOY_EXIT_ERROR);
    walk->instance->cursor = 0;
    return walk->error;
}

static const ploy_status bt_walk_inverted[] = {PLOY_STATUS_RUNNING, PLOY_STATUS_FAILURE,
                                               PLOY_STATUS_SUCCESS, PLOY_STATUS_SKIPPED};

// The variables of this function stay in registers: none of the hot ones has its address taken,
// which is what the blocks with copies below are for.
static ploy_result bt_walk_run(bt_walk *walk, ploy_status *out) {
    ploy_bt_instance *instance = walk->instance;
    ploy_step_context *context = walk->context;
    const ployi_bt_node *nodes = walk->nodes;
    const ployi_bt_quick *quick = PLOY_ARRAY_ITEMS(&walk->bt->quick, ployi_bt_quick);
    unsigned char *statuses = walk->status;
    uint32_t *words = walk->words;
    ploy_trace *trace = context->trace;
    bool careful = context->budget != NULL || instance->seen != NULL;
    const bool alone = !careful && trace == NULL; // nobody looks on
    ploy_bt_call call = {context, instance, 0, NULL, NULL};
    uint32_t at = instance->cursor, resume = 0, child = 0, sibling = 0;
    uint32_t resumed = statuses[at] == PLOYI_BT_RUNS ? at : PLOYI_BT_NONE;
    const ployi_bt_node *node;
    bool fast;
    ploy_status status = PLOY_STATUS_SUCCESS;

down:
    node = &nodes[at];
    if (careful) {
        if (context->budget != NULL && !ploy_budget_spend(context->budget, 1)) {
            instance->cursor = at; // the next step goes on here
            *out = PLOY_STATUS_RUNNING;
            return PLOY_OK;
        }
        if (instance->seen != NULL) instance->seen[at] = (uint32_t)context->tick + 1;
    }
    if ((node->flags & PLOYI_BT_FLAG_PRE) != 0) {
        ploy_status answer;
        if (bt_walk_before(walk, at, &answer)) {
            status = answer;
            goto answer;
        }
    }
    fast = alone && resumed == PLOYI_BT_NONE;
    if ((node->flags & PLOYI_BT_FLAG_QUICK) != 0 ||
        (fast && node->flags == PLOYI_BT_FLAG_INVERTS)) {
        // Most visits are quick leaves side by side, inverted or not: as long as each lets its
        // parent go on and nobody looks, they are called in a row.
        const ployi_bt_node *around = at != 0 ? &nodes[node->parent] : node;
        uint32_t last = at;
        ploy_status through = PLOY_STATUS_SUCCESS;
        if (fast && around->kind == PLOY_BT_SEQUENCE) last = around->end - 1;
        if (fast && around->kind == PLOY_BT_FALLBACK) {
            last = around->end - 1;
            through = PLOY_STATUS_FAILURE;
        }
        for (;;) {
            uint32_t inverts = node->flags == PLOYI_BT_FLAG_INVERTS ? 1 : 0;
            const ployi_bt_quick *leaf = &quick[node[inverts].extra];
            ploy_status answer = (ploy_status)-1;
            call.node = (int32_t)(at + inverts);
            call.user = leaf->user;
            ploy_result result = leaf->step(&call, &answer);
            if (result != PLOY_OK || (uint32_t)answer > PLOY_STATUS_SKIPPED) {
                walk->error = result < PLOY_OK ? result : PLOY_ERR_CALLBACK;
                return bt_walk_fail(walk);
            }
            status = answer;
            if (inverts != 0) {
                statuses[at + 1] = (unsigned char)(status + 1);
                if (status == PLOY_STATUS_RUNNING) {
                    statuses[at++] = PLOYI_BT_RUNS; // it is the leaf that yields
                    node++;
                    break;
                }
                status = bt_walk_inverted[status];
            }
            if (status != through || at + inverts >= last) break;
            unsigned char flags = node[1 + inverts].flags;
            bool on = flags == PLOYI_BT_FLAG_QUICK || flags == PLOYI_BT_FLAG_INVERTS;
            if (!on || (node->flags & ~(PLOYI_BT_FLAG_QUICK | PLOYI_BT_FLAG_INVERTS)) != 0) break;
            statuses[at] = (unsigned char)(status + 1);
            at += 1 + inverts;
            node += 1 + inverts;
        }
        if (status == PLOY_STATUS_RUNNING) goto yield;
        goto answer;
    }
    // Tests instead of a jump table for what is frequent: each is easy to predict by itself.
    if ((node->kind == PLOY_BT_SEQUENCE || node->kind == PLOY_BT_FALLBACK) && node->children > 0) {
        uint32_t next = at + 1;
        if (statuses[at] == PLOYI_BT_RUNS) {
            next = words[node->state] & ~BT_WALK_RAN;
            words[node->state] |= BT_WALK_RAN;
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
        bool fine = node->kind == PLOY_BT_LEAF ? bt_walk_leaf(walk, at, &call, &answer)
                                               : bt_walk_act(walk, at, &answer);
        if (!fine) return bt_walk_fail(walk);
        call.state = NULL;
        status = answer;
        if (status == PLOY_STATUS_RUNNING) goto yield;
        goto answer;
    } else {
        ploy_status answer = status;
        uint32_t next = at + 1;
        bt_walk_way way = node->kind < PLOY_BT_INVERTER ? bt_walk_compose(walk, at, &next, &answer)
                                                        : bt_walk_decorate(walk, at, &answer);
        if (way == BT_WALK_YIELD) goto yield;
        status = answer;
        if (way == BT_WALK_ANSWER) goto answer;
        at = next;
        goto down;
    }

yield: // the node runs of its own accord
    statuses[at] = PLOYI_BT_RUNS;
    if (trace != NULL) bt_walk_tell(walk, at, PLOY_STATUS_RUNNING);
    resume = node->resume;
    if (resume == at) goto running; // nobody above has to hear of it
    status = PLOY_STATUS_RUNNING;
    goto up;

answer: // the node has answered, not with RUNNING
    if (at == resumed) {
        bt_walk_mark_above(walk, at);
        resumed = PLOYI_BT_NONE;
    }
    statuses[at] = (unsigned char)(status + 1);
    if ((node->flags & PLOYI_BT_FLAG_POST) != 0) bt_walk_after(walk, at, status);
    if (trace != NULL) bt_walk_tell(walk, at, status);

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
            words[node->state] = child | BT_WALK_RAN; // its place, for whoever asks from above
            goto up;
        }
        if (status == PLOY_STATUS_SKIPPED) {
            ploy_status answer = status;
            uint32_t next = at;
            if (bt_walk_go_on(walk, at, child, &next, &answer, through) == BT_WALK_DOWN) {
                at = next;
                goto down;
            }
            status = answer;
        }
        goto answer;
    }
    if (node->kind == PLOY_BT_INVERTER) {
        status = bt_walk_inverted[status];
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
        bt_walk_way way = node->kind < PLOY_BT_INVERTER
                              ? bt_walk_hear(walk, at, child, &next, &answer)
                              : bt_walk_filter(walk, at, &next, &answer);
        if (way == BT_WALK_YIELD) goto yield;
        status = answer;
        if (way == BT_WALK_ANSWER) break;
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
                                ploy_blackboard_get_layout(context->blackboard) != own->layout)) {
        return PLOY_ERR_ARGUMENT;
    }
    instance->boards[0] = context->blackboard;
    bt_walk walk = {
        instance,         context,         bt,     PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node),
        instance->status, instance->words, PLOY_OK};
    instance->stepping = true;
    instance->signal = PLOYI_BT_NONE;
    if (context->trace != NULL) {
        ploy_trace_begin(context->trace, context->agent, ploy_bt_name(bt), "behavior tree");
    }
    ploy_result result = bt_walk_run(&walk, status);
    if (context->trace != NULL) ploy_trace_end(context->trace);
    instance->stepping = false;
    return result;
}

#undef BT_WALK_AGAIN
#undef BT_WALK_RAN
