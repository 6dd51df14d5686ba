// Random trees with random leaf scripts against a naive recursive interpreter, which visits the
// whole tree from its root in every step. What happens to each leaf must be the same, in order.
#include <stdio.h>

#include "ploy/base/rng.h"
#include "tests/decide/bt_script.h"
#include "tests/decide/saved.h"

enum { NAIVE_NODES = 60, NAIVE_LEAVES = 60, NAIVE_LOG = 4000, NAIVE_KEYS = 3, NAIVE_SLOTS = 64 };

typedef struct naive_leaf {
    char script[8];
    int32_t at, number;
    struct naive_log *log;
} naive_leaf;

typedef struct naive_log {
    char text[NAIVE_LOG];
    int32_t length;
    bool plain; // the leaves are steps alone: no starts and stops are noted
} naive_log;

typedef struct naive_node {
    ploy_bt_kind kind;
    int32_t children[4], count, limit, leaf; // limit: of repeats and parallels
    // state
    bool running;
    int32_t place, tally, answers[4];
    double since;                 // of what looks at the clock
    int32_t order[4], candidates; // of a UtilityFallback
    int32_t score;                // as a child of one
    int32_t key;                  // of slots
    int32_t own;                  // of slots: a BlackboardScope's own
    uint32_t seen;                // changes of the key at the last look
    int32_t region;               // the SubTree around it, or -1
    int32_t target;               // of a Signal
    char result;                  // of a Signal: what it tells
    char told, held;              // of what listens
} naive_node;

// A key's value on its board, and how often it has changed.
typedef struct naive_slot {
    int64_t value;
    uint32_t changes;
} naive_slot;

// Which kinds a tree is grown of: any; sequences, fallbacks and inverters, now and then a reactive
// one; those that are spoken to; those that watch keys.
typedef enum naive_taste { TASTE_ALL, TASTE_SIMPLE, TASTE_LISTENING, TASTE_WATCHING } naive_taste;

typedef struct naive_tree {
    naive_taste taste;
    naive_node nodes[NAIVE_NODES];
    int32_t count, leaf_count;
    double now;       // s, which are steps
    int32_t taken[4]; // of the semaphore whose maximum that is
    bool cut;         // its steps are cut into pieces: nothing that draws numbers
    bool saved;       // it is saved and loaded: nothing whose state lies elsewhere
    int32_t spoken;   // an Interrupter that was told something in this step, or -1
    naive_slot slots[NAIVE_SLOTS];
    int32_t slot_count;
    uint64_t tick;
    uint32_t draws;
    ploy_rng_key key;
    naive_leaf leaves[NAIVE_LEAVES];
} naive_tree;

static void naive_note(naive_leaf *leaf, char what) {
    naive_log *log = leaf->log;
    if (log->plain && (what == 's' || what == 'f' || what == 'h')) return;
    if (log->length > NAIVE_LOG - 3) return;
    log->text[log->length++] = (char)('0' + leaf->number);
    log->text[log->length++] = what;
}

static char naive_next(naive_leaf *leaf) {
    char letter = leaf->script[leaf->at++];
    if (leaf->script[leaf->at] == 0) leaf->at = 0;
    return letter;
}

static void naive_set(naive_tree *tree, int32_t slot, int64_t value) {
    if (tree->slots[slot].value != value) tree->slots[slot].changes++;
    tree->slots[slot].value = value;
}

// True if the key has changed since the node looked last.
static bool naive_updated(const naive_tree *tree, naive_node *node) {
    uint32_t changes = tree->slots[node->key].changes;
    bool updated = changes != node->seen;
    node->seen = changes;
    return updated;
}

static int32_t naive_draw(naive_tree *tree, int32_t count) {
    return ploy_rng_int_at(tree->key, 0, tree->tick, tree->draws++, 0, count - 1);
}

// What ends with a run, however it ends.
static void naive_end(naive_tree *tree, naive_node *node) {
    if (node->kind == PLOY_BT_SEMAPHORE_GUARD) tree->taken[node->limit]--;
    if (node->kind == PLOY_BT_COOLDOWN) {
        node->tally = 1;
        node->since = tree->now;
    }
}

static void naive_halt(naive_tree *tree, int32_t at) {
    naive_node *node = &tree->nodes[at];
    if (!node->running) return;
    for (int32_t i = 0; i < node->count; i++) naive_halt(tree, node->children[i]);
    bool leaf = node->kind == PLOY_BT_LEAF || node->kind == PLOY_BT_BEHAVIOR ||
                node->kind == PLOY_BT_CONTROL;
    if (leaf) naive_note(&tree->leaves[node->leaf], 'h');
    if (node->kind == PLOY_BT_REPEAT || node->kind == PLOY_BT_RETRY) node->tally = 0;
    naive_end(tree, node);
    node->running = false;
}

static void naive_halt_others(naive_tree *tree, naive_node *node, int32_t keep) {
    for (int32_t i = 0; i < node->count; i++) {
        if (i != keep) naive_halt(tree, node->children[i]);
    }
}

static char naive_tick(naive_tree *tree, int32_t at);

// Sequences: `on` is what lets them go on, 'S', or 'F' for fallbacks.
static char naive_line(naive_tree *tree, naive_node *node, char on, bool again, bool slow) {
    if (again || (!node->running && node->kind != PLOY_BT_SEQUENCE_WITH_MEMORY)) node->place = 0;
    if (!node->running) node->tally = 1; // all skipped so far
    node->running = true;
    for (int32_t i = node->place; i < node->count; i++) {
        char answer = naive_tick(tree, node->children[i]);
        node->place = i;
        if (again && i == 0) node->tally = 1;
        if (answer != 'K') node->tally = 0;
        if (answer == 'R') {
            if (again) naive_halt_others(tree, node, i);
            return 'R';
        }
        if (answer != 'K' && answer != on) {
            naive_halt_others(tree, node, -1);
            return answer;
        }
        node->place = i + 1;
        if (slow && answer != 'K' && i + 1 < node->count) return 'R';
    }
    node->place = 0;
    return node->tally != 0 ? 'K' : on;
}

static bool naive_holds(const naive_tree *tree, int32_t at, int32_t target) {
    bool found = at == target;
    for (int32_t i = 0; i < tree->nodes[at].count && !found; i++) {
        found = naive_holds(tree, tree->nodes[at].children[i], target);
    }
    return found;
}

static char naive_parallel(naive_tree *tree, naive_node *node) {
    bool all = node->kind == PLOY_BT_PARALLEL_ALL;
    if (!node->running) memset(node->answers, 0, sizeof node->answers);
    node->running = true;
    int32_t good = 0, bad = 0, skipped = 0;
    for (int32_t i = 0; i < node->count; i++) {
        good += node->answers[i] == 'S';
        bad += node->answers[i] == 'F';
    }
    // After the last one, the one with an Interrupter that was told to stop meanwhile comes again.
    for (int32_t k = 0; k <= node->count; k++) {
        int32_t i = k;
        if (k == node->count) {
            for (i = 0; i < node->count && tree->spoken >= 0; i++) {
                if (naive_holds(tree, node->children[i], tree->spoken)) break;
            }
            if (tree->spoken < 0 || i == node->count) break;
            if (!tree->nodes[node->children[i]].running) break;
            tree->spoken = -1;
        }
        if (node->answers[i] != 0) continue;
        char answer = naive_tick(tree, node->children[i]);
        if (answer == 'S' || answer == 'F') node->answers[i] = answer;
        good += answer == 'S';
        bad += answer == 'F';
        skipped += answer == 'K';
        if (all) continue;
        if (good >= node->limit) {
            naive_halt_others(tree, node, -1);
            return 'S';
        }
        if (bad >= 1) { // one failure is the default
            naive_halt_others(tree, node, -1);
            return 'F';
        }
    }
    if (skipped == node->count) return 'K';
    if (all && good + bad + skipped == node->count) return bad >= 1 ? 'F' : 'S';
    return 'R';
}

static char naive_branch(naive_tree *tree, naive_node *node, bool again) {
    if (!node->running || again) node->place = 0;
    node->running = true;
    if (node->place == 0) {
        char answer = naive_tick(tree, node->children[0]);
        if (answer == 'R') return 'R';
        node->place = answer == 'S' ? 1 : 2;
        if (answer == 'K' || node->place >= node->count) {
            naive_halt_others(tree, node, -1);
            return answer;
        }
        naive_halt_others(tree, node, node->place);
    }
    return naive_tick(tree, node->children[node->place]);
}

static char naive_try(naive_tree *tree, naive_node *node) {
    if (!node->running) {
        node->place = 0;
        node->tally = 1; // all skipped so far
    }
    node->running = true;
    while (node->place < node->count - 1) {
        char answer = naive_tick(tree, node->children[node->place]);
        if (answer != 'K') node->tally = 0;
        if (answer == 'R') return 'R';
        node->place = answer == 'F' ? node->count : node->place + 1;
    }
    if (node->place == node->count - 1) return node->tally != 0 ? 'K' : 'S';
    return naive_tick(tree, node->children[node->count - 1]) == 'R' ? 'R' : 'F';
}

// Those in a random order end with what does not let them go on; so does a UtilityFallback.
static char naive_in_order(naive_tree *tree, naive_node *node, char on) {
    node->running = true;
    for (; node->place < node->candidates; node->place++) {
        char answer = naive_tick(tree, node->order[node->place]);
        if (answer != 'K') node->tally = 0;
        if (answer != 'K' && answer != on) return answer;
    }
    return node->tally != 0 ? 'K' : on;
}

static char naive_shuffled(naive_tree *tree, naive_node *node) {
    if (!node->running) {
        node->place = 0;
        node->tally = 1;
        node->candidates = node->count;
        memcpy(node->order, node->children, sizeof node->order);
        for (int32_t left = node->count; left > 1; left--) {
            int32_t drawn = naive_draw(tree, left), swap = node->order[left - 1];
            node->order[left - 1] = node->order[drawn];
            node->order[drawn] = swap;
        }
    }
    return naive_in_order(tree, node, node->kind == PLOY_BT_SHUFFLED_SEQUENCE ? 'S' : 'F');
}

static char naive_pick(naive_tree *tree, naive_node *node) {
    if (!node->running) node->tally = 0;
    if (!node->running || !tree->nodes[node->children[node->place]].running) {
        node->place = naive_draw(tree, node->count);
        node->tally++;
    }
    node->running = true;
    char answer = naive_tick(tree, node->children[node->place]);
    if (answer == 'R' || answer == 'S') return answer;
    return node->tally < node->limit ? 'R' : 'F';
}

static char naive_switch(naive_tree *tree, naive_node *node) {
    int64_t value = tree->slots[node->key].value;
    int32_t chosen = value < node->count - 1 ? (int32_t)value : node->count - 1;
    naive_halt_others(tree, node, chosen);
    node->running = true;
    return naive_tick(tree, node->children[chosen]);
}

static char naive_signal(naive_tree *tree, const naive_node *node) {
    naive_node *target = &tree->nodes[node->target];
    if (target->kind == PLOY_BT_GATE) target->limit = node->result == 'S' ? 2 : 1;
    if (target->kind == PLOY_BT_LIMIT) target->tally = 0;
    if (!target->running) return 'S';
    if (target->kind == PLOY_BT_HOLD) target->told = 'S';
    if (target->kind != PLOY_BT_INTERRUPTER) return 'S';
    target->told = node->result;
    tree->spoken = node->target;
    return 'S';
}

static char naive_interrupter(naive_tree *tree, naive_node *node) {
    if (!node->running) node->told = 0;
    node->running = true;
    char answer = node->told != 0 ? 'R' : naive_tick(tree, node->children[0]);
    if (node->told == 0) return answer;
    naive_halt(tree, node->children[0]);
    answer = node->told;
    node->told = 0;
    return answer;
}

static char naive_hold(naive_tree *tree, naive_node *node) {
    if (!node->running) node->told = node->held = 0;
    node->running = true;
    if (node->held == 0) {
        char answer = naive_tick(tree, node->children[0]);
        if (answer == 'R') return 'R';
        if (node->told != 0) return answer;
        node->held = answer;
        return 'R';
    }
    return node->told != 0 ? node->held : 'R';
}

// A control of the test's own: a sequence from the last child to the first.
static char naive_reverse(naive_tree *tree, naive_node *node) {
    naive_leaf *leaf = &tree->leaves[node->leaf];
    if (!node->running) {
        naive_note(leaf, 's');
        node->place = 0;
        node->tally = 1;
    }
    node->running = true;
    char answer = 'S';
    for (; node->place < node->count; node->place++) {
        answer = naive_tick(tree, node->children[node->count - 1 - node->place]);
        if (answer != 'K') node->tally = 0;
        if (answer == 'R') return 'R';
        if (answer == 'F') break;
    }
    if (answer != 'F') answer = node->tally != 0 ? 'K' : 'S';
    naive_note(leaf, 'f');
    return answer;
}

static char naive_loop(naive_tree *tree, naive_node *node) {
    if (!node->running) node->place = 0;
    if (!tree->nodes[node->children[0]].running) {
        if (node->place >= node->limit) return 'S';
        naive_set(tree, node->key, ++node->place % NAIVE_KEYS);
    }
    node->running = true;
    return naive_tick(tree, node->children[0]) == 'F' ? 'F' : 'R';
}

static char naive_utility(naive_tree *tree, naive_node *node) {
    if (!node->running) {
        node->place = node->candidates = 0;
        node->tally = 1;
        for (int32_t score = 3; score > 0; score--) {
            for (int32_t i = 0; i < node->count; i++) {
                if (tree->nodes[node->children[i]].score != score) continue;
                node->order[node->candidates++] = node->children[i];
            }
        }
    }
    return node->candidates == 0 ? 'F' : naive_in_order(tree, node, 'F');
}

// Decorators that decide before their child is asked: 0 if it is to be asked.
static char naive_before(naive_tree *tree, naive_node *node) {
    bool child_runs = tree->nodes[node->children[0]].running;
    bool clocked = node->kind == PLOY_BT_TIMEOUT || node->kind == PLOY_BT_DELAY;
    if (clocked && !node->running) node->since = tree->now;
    bool over = tree->now - node->since >= node->limit;
    switch (node->kind) {
    case PLOY_BT_TIMEOUT:
        if (!node->running || !over) return 0;
        naive_halt(tree, node->children[0]);
        return 'F';
    case PLOY_BT_DELAY: return child_runs || over ? 0 : 'R';
    case PLOY_BT_COOLDOWN: return !node->running && node->tally != 0 && !over ? 'F' : 0;
    case PLOY_BT_PRECONDITION:
        return child_runs || naive_next(&tree->leaves[node->leaf]) == 'S' ? 0 : 'F';
    case PLOY_BT_GATE:
        if (node->limit == 1) naive_halt(tree, node->children[0]);
        return node->limit == 1 ? 'F' : 0;
    case PLOY_BT_SEMAPHORE_GUARD:
        if (node->running) return 0;
        if (tree->taken[node->limit] >= node->limit) return 'F';
        tree->taken[node->limit]++;
        return 0;
    case PLOY_BT_RESTART:
        if (!node->running) node->tally = 0;
        return 0;
    case PLOY_BT_SKIP_UNLESS_UPDATED: return child_runs || naive_updated(tree, node) ? 0 : 'K';
    case PLOY_BT_WAIT_VALUE_UPDATE: return child_runs || naive_updated(tree, node) ? 0 : 'R';
    case PLOY_BT_BLACKBOARD_SCOPE:
        if (!node->running) naive_set(tree, node->own, 0);
        return 0;
    default: return 0;
    }
}

static char naive_inner(naive_tree *tree, naive_node *node) {
    char answer;
    switch (node->kind) {
    case PLOY_BT_ALWAYS_SUCCESS: return 'S';
    case PLOY_BT_ALWAYS_FAILURE: return 'F';
    case PLOY_BT_SLEEP:
        if (!node->running) node->since = tree->now;
        return tree->now - node->since >= node->limit ? 'S' : 'R';
    case PLOY_BT_SET_BLACKBOARD: naive_set(tree, node->key, node->limit); return 'S';
    case PLOY_BT_UNSET_BLACKBOARD: naive_set(tree, node->key, 0); return 'S';
    case PLOY_BT_WAS_ENTRY_UPDATED: return naive_updated(tree, node) ? 'S' : 'F';
    case PLOY_BT_CONDITION: return tree->slots[node->key].value == node->limit ? 'S' : 'F';
    case PLOY_BT_SIGNAL: return naive_signal(tree, node);
    case PLOY_BT_CONTROL: return naive_reverse(tree, node);
    case PLOY_BT_SWITCH: return naive_switch(tree, node);
    case PLOY_BT_LOOP: return naive_loop(tree, node);
    case PLOY_BT_HOLD: return naive_hold(tree, node);
    case PLOY_BT_INTERRUPTER: return naive_interrupter(tree, node);
    case PLOY_BT_RANDOM_SELECTOR: return naive_pick(tree, node);
    case PLOY_BT_SHUFFLED_SEQUENCE:
    case PLOY_BT_SHUFFLED_FALLBACK: return naive_shuffled(tree, node);
    case PLOY_BT_TRY_CATCH: return naive_try(tree, node);
    case PLOY_BT_UTILITY_FALLBACK: return naive_utility(tree, node);
    case PLOY_BT_SEQUENCE: return naive_line(tree, node, 'S', false, false);
    case PLOY_BT_SEQUENCE_WITH_MEMORY: return naive_line(tree, node, 'S', false, false);
    case PLOY_BT_ASYNC_SEQUENCE: return naive_line(tree, node, 'S', false, true);
    case PLOY_BT_REACTIVE_SEQUENCE: return naive_line(tree, node, 'S', true, false);
    case PLOY_BT_FALLBACK: return naive_line(tree, node, 'F', false, false);
    case PLOY_BT_ASYNC_FALLBACK: return naive_line(tree, node, 'F', false, true);
    case PLOY_BT_REACTIVE_FALLBACK: return naive_line(tree, node, 'F', true, false);
    case PLOY_BT_PARALLEL:
    case PLOY_BT_PARALLEL_ALL: return naive_parallel(tree, node);
    case PLOY_BT_IF_THEN_ELSE: return naive_branch(tree, node, false);
    case PLOY_BT_WHILE_DO_ELSE: return naive_branch(tree, node, true);
    default: break;
    }
    bool was_running = node->running;
    char before = naive_before(tree, node);
    if (before != 0) return before;
    if (node->kind == PLOY_BT_RUN_ONCE && node->tally != 0) return 'K';
    if (node->kind == PLOY_BT_LIMIT && !was_running && node->tally++ >= node->limit) return 'F';
    node->running = true;
    do {
        answer = naive_tick(tree, node->children[0]);
        char again = node->kind == PLOY_BT_REPEAT ? 'S' : 'F';
        if (node->kind != PLOY_BT_REPEAT && node->kind != PLOY_BT_RETRY) break;
        if (answer == 'R' || answer == 'K') return answer;
        if (answer == again && ++node->tally < node->limit) continue;
        node->tally = 0;
        return answer;
    } while (true);
    if (answer == 'R') return 'R';
    naive_end(tree, node);
    switch (node->kind) {
    case PLOY_BT_UNTIL_SUCCESS: return answer == 'F' ? 'R' : answer;
    case PLOY_BT_RESTART: return ++node->tally < node->limit ? 'R' : 'S';
    case PLOY_BT_INVERTER: return answer == 'K' ? 'K' : answer == 'S' ? 'F' : 'S';
    case PLOY_BT_FORCE_SUCCESS: return answer == 'K' ? 'K' : 'S';
    case PLOY_BT_FORCE_FAILURE: return answer == 'K' ? 'K' : 'F';
    case PLOY_BT_KEEP_RUNNING_UNTIL_FAILURE: return answer == 'F' ? 'F' : 'R';
    case PLOY_BT_UNTIL_FAIL: return answer == 'K' ? 'K' : answer == 'F' ? 'S' : 'R';
    case PLOY_BT_RUN_ONCE: node->tally = answer != 'K'; return answer;
    default: return answer;
    }
}

static char naive_tick(naive_tree *tree, int32_t at) {
    naive_node *node = &tree->nodes[at];
    char answer;
    if (node->kind == PLOY_BT_LEAF || node->kind == PLOY_BT_BEHAVIOR) {
        naive_leaf *leaf = &tree->leaves[node->leaf];
        if (!node->running) naive_note(leaf, 's');
        answer = naive_next(leaf);
        naive_note(leaf, answer);
        if (answer != 'R') naive_note(leaf, 'f');
    } else {
        answer = naive_inner(tree, node);
    }
    node->running = answer == 'R';
    return answer;
}

// ---- the same tree as ours ----

static ploy_result random_start(ploy_bt_call *call) {
    naive_note(call->user, 's');
    return PLOY_OK;
}

static ploy_result random_step(ploy_bt_call *call, ploy_status *status) {
    char answer = naive_next(call->user);
    naive_note(call->user, answer);
    *status = answer == 'S'   ? PLOY_STATUS_SUCCESS
              : answer == 'F' ? PLOY_STATUS_FAILURE
              : answer == 'R' ? PLOY_STATUS_RUNNING
                              : PLOY_STATUS_SKIPPED;
    return PLOY_OK;
}

static void random_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    naive_note(call->user, reason == PLOY_EXIT_FINISHED ? 'f' : 'h');
}

static const ploy_bt_leaf random_leaf = {
    .name = "random", .start = random_start, .step = random_step, .stop = random_stop};

typedef struct random_place_kept {
    int32_t place;
    bool ran;
    char reserved[3];
} random_place_kept;

static ploy_result random_choose(ploy_bt_call *call, int32_t child, ploy_status answer,
                                 int32_t *next, ploy_status *status) {
    random_place_kept *kept = call->state;
    ploy_bt_node_info info;
    ploy_result result =
        ploy_bt_get_node(ploy_bt_instance_get_bt(call->instance), call->node, &info);
    if (child >= 0) {
        kept->ran = kept->ran || answer != PLOY_STATUS_SKIPPED;
        *status = answer;
        if (answer == PLOY_STATUS_RUNNING || answer == PLOY_STATUS_FAILURE) return result;
        kept->place++;
    }
    *status = kept->ran ? PLOY_STATUS_SUCCESS : PLOY_STATUS_SKIPPED;
    *next = info.children - 1 - kept->place;
    return result;
}

static const ploy_bt_leaf random_control = {.name = "reverse",
                                            .start = random_start,
                                            .stop = random_stop,
                                            .choose = random_choose,
                                            .state_size = sizeof(random_place_kept)};

// The same as a behavior.
static ploy_result random_behave(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_bt_call call = {context, NULL, 0, self, NULL};
    return random_step(&call, status);
}

static ploy_result random_enter(void *self, ploy_step_context *context) {
    (void)context;
    naive_note(self, 's');
    return PLOY_OK;
}

static void random_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context;
    naive_note(self, reason == PLOY_EXIT_FINISHED ? 'f' : 'h');
}

static const ploy_behavior_type random_behavior = {
    .name = "random", .enter = random_enter, .step = random_behave, .exit = random_exit};

static ploy_result random_make(void *user, const ploy_env *env, ploy_behavior *out) {
    (void)env;
    out->type = &random_behavior;
    out->self = user;
    return PLOY_OK;
}

static const ploy_bt_leaf random_plain_leaf = {.name = "plain", .step = random_step};

// A script of up to six of the ten letters.
static int32_t random_script(naive_tree *tree, ploy_rng *rng, const char *ten) {
    naive_leaf *leaf = &tree->leaves[tree->leaf_count];
    memset(leaf, 0, sizeof *leaf);
    leaf->number = tree->leaf_count;
    int32_t letters = ploy_rng_int(rng, 1, 6);
    for (int32_t i = 0; i < letters; i++) leaf->script[i] = ten[ploy_rng_int(rng, 0, 9)];
    return tree->leaf_count++;
}

// The keys that a node sees: one of them may be a scope's own.
typedef struct random_place {
    int32_t slots[NAIVE_KEYS];
    int32_t region; // the SubTree around it, or -1
} random_place;

static int32_t random_grow(naive_tree *tree, ploy_rng *rng, int32_t depth, random_place place) {
    static const ploy_bt_kind kinds[] = {
        PLOY_BT_SEQUENCE,
        PLOY_BT_SEQUENCE_WITH_MEMORY,
        PLOY_BT_ASYNC_SEQUENCE,
        PLOY_BT_REACTIVE_SEQUENCE,
        PLOY_BT_FALLBACK,
        PLOY_BT_ASYNC_FALLBACK,
        PLOY_BT_REACTIVE_FALLBACK,
        PLOY_BT_PARALLEL,
        PLOY_BT_PARALLEL_ALL,
        PLOY_BT_IF_THEN_ELSE,
        PLOY_BT_WHILE_DO_ELSE,
        PLOY_BT_INVERTER,
        PLOY_BT_FORCE_SUCCESS,
        PLOY_BT_FORCE_FAILURE,
        PLOY_BT_REPEAT,
        PLOY_BT_RETRY,
        PLOY_BT_KEEP_RUNNING_UNTIL_FAILURE,
        PLOY_BT_UNTIL_FAIL,
        PLOY_BT_RUN_ONCE,
        PLOY_BT_LIMIT,
        PLOY_BT_TRY_CATCH,
        PLOY_BT_UTILITY_FALLBACK,
        PLOY_BT_UNTIL_SUCCESS,
        PLOY_BT_RESTART,
        PLOY_BT_TIMEOUT,
        PLOY_BT_DELAY,
        PLOY_BT_COOLDOWN,
        PLOY_BT_PRECONDITION,
        PLOY_BT_SEMAPHORE_GUARD,
        PLOY_BT_GATE,
        PLOY_BT_SUBTREE,
        PLOY_BT_SWITCH,
        PLOY_BT_LOOP,
        PLOY_BT_SKIP_UNLESS_UPDATED,
        PLOY_BT_WAIT_VALUE_UPDATE,
        PLOY_BT_HOLD,
        PLOY_BT_INTERRUPTER,
        PLOY_BT_BLACKBOARD_SCOPE,
        PLOY_BT_CONTROL,
        PLOY_BT_RANDOM_SELECTOR, // what draws numbers stands last
        PLOY_BT_SHUFFLED_SEQUENCE,
        PLOY_BT_SHUFFLED_FALLBACK,
    };
    enum { DRAWING = 3 };
    int32_t at = tree->count++;
    naive_node *node = &tree->nodes[at];
    memset(node, 0, sizeof *node);
    node->key = place.slots[ploy_rng_int(rng, 0, NAIVE_KEYS - 1)];
    node->region = place.region;
    if (depth == 0 || tree->count > NAIVE_NODES - 16 || ploy_rng_chance(rng, 0.25f)) {
        static const ploy_bt_kind quiet[] = {PLOY_BT_ALWAYS_SUCCESS,
                                             PLOY_BT_ALWAYS_FAILURE,
                                             PLOY_BT_SLEEP,
                                             PLOY_BT_SET_BLACKBOARD,
                                             PLOY_BT_SET_BLACKBOARD,
                                             PLOY_BT_SET_BLACKBOARD,
                                             PLOY_BT_UNSET_BLACKBOARD,
                                             PLOY_BT_WAS_ENTRY_UPDATED,
                                             PLOY_BT_CONDITION,
                                             PLOY_BT_SIGNAL,
                                             PLOY_BT_SIGNAL,
                                             PLOY_BT_SIGNAL};
        node->kind = PLOY_BT_LEAF;
        node->limit = ploy_rng_int(rng, 1, 3);
        node->score = ploy_rng_int(rng, 0, 3);
        bool simple = tree->taste == TASTE_SIMPLE;
        if (!simple && ploy_rng_chance(rng, tree->taste == TASTE_ALL ? 0.25f : 0.5f)) {
            node->kind = quiet[ploy_rng_int(rng, 0, (int32_t)COUNT_OF(quiet) - 1)];
            node->result = "SFK"[ploy_rng_int(rng, 0, 2)];
        } else {
            if (!simple && !tree->saved && ploy_rng_chance(rng, 0.1f)) {
                node->kind = PLOY_BT_BEHAVIOR;
            }
            node->leaf = random_script(tree, rng, "SSSFFFRRRK");
        }
        return at;
    }
    static const ploy_bt_kind simple[] = {
        PLOY_BT_SEQUENCE, PLOY_BT_FALLBACK, PLOY_BT_SEQUENCE,         PLOY_BT_FALLBACK,
        PLOY_BT_INVERTER, PLOY_BT_INVERTER, PLOY_BT_REACTIVE_FALLBACK};
    static const ploy_bt_kind listening[] = {
        PLOY_BT_PARALLEL, PLOY_BT_PARALLEL_ALL, PLOY_BT_INTERRUPTER, PLOY_BT_INTERRUPTER,
        PLOY_BT_HOLD,     PLOY_BT_GATE,         PLOY_BT_SEQUENCE,    PLOY_BT_REACTIVE_SEQUENCE};
    static const ploy_bt_kind watching[] = {PLOY_BT_BLACKBOARD_SCOPE,
                                            PLOY_BT_WAIT_VALUE_UPDATE,
                                            PLOY_BT_SKIP_UNLESS_UPDATED,
                                            PLOY_BT_SWITCH,
                                            PLOY_BT_LOOP,
                                            PLOY_BT_SEQUENCE,
                                            PLOY_BT_FALLBACK,
                                            PLOY_BT_PARALLEL_ALL};
    static const struct {
        const ploy_bt_kind *kinds;
        int32_t count;
    } tastes[] = {{kinds, COUNT_OF(kinds)},
                  {simple, COUNT_OF(simple)},
                  {listening, COUNT_OF(listening)},
                  {watching, COUNT_OF(watching)}};
    int32_t last = tastes[tree->taste].count - 1;
    if (tree->taste == TASTE_ALL && tree->cut) last -= DRAWING;
    node->kind = tastes[tree->taste].kinds[ploy_rng_int(rng, 0, last)];
    bool branch = node->kind == PLOY_BT_IF_THEN_ELSE || node->kind == PLOY_BT_WHILE_DO_ELSE;
    int32_t children = node->kind >= PLOY_BT_INVERTER    ? 1
                       : branch                          ? ploy_rng_int(rng, 2, 3)
                       : node->kind == PLOY_BT_TRY_CATCH ? ploy_rng_int(rng, 2, 4)
                       : node->kind == PLOY_BT_SWITCH    ? ploy_rng_int(rng, 2, 4)
                                                         : ploy_rng_int(rng, 1, 4);
    node->limit =
        node->kind == PLOY_BT_PARALLEL ? ploy_rng_int(rng, 1, children) : ploy_rng_int(rng, 1, 3);
    node->count = children;
    node->score = ploy_rng_int(rng, 0, 3);
    if (node->kind == PLOY_BT_BLACKBOARD_SCOPE) {
        place.slots[NAIVE_KEYS - 1] = node->own = tree->slot_count++;
    }
    if (node->kind == PLOY_BT_SUBTREE) place.region = at;
    if (node->kind == PLOY_BT_CONTROL) node->leaf = random_script(tree, rng, "SSSSSSSSSS");
    if (node->kind == PLOY_BT_PRECONDITION) node->leaf = random_script(tree, rng, "SSSSSFFFFF");
    for (int32_t i = 0; i < children; i++) {
        int32_t child = random_grow(tree, rng, depth - 1, place);
        tree->nodes[at].children[i] = child;
    }
    return at;
}

static bool random_listens(const naive_tree *tree, int32_t at, int32_t region) {
    ploy_bt_kind kind = tree->nodes[at].kind;
    return tree->nodes[at].region == region &&
           (kind == PLOY_BT_INTERRUPTER || kind == PLOY_BT_HOLD || kind == PLOY_BT_GATE ||
            kind == PLOY_BT_LIMIT);
}

// A tree, and for each Signal a node of the same sub-tree that listens; without any it is quiet.
static void random_tree(naive_tree *tree, ploy_rng *rng, int32_t depth) {
    random_place place = {{0, 1, 2}, -1};
    tree->count = tree->leaf_count = 0;
    tree->slot_count = NAIVE_KEYS;
    tree->draws = 0;
    memset(tree->taken, 0, sizeof tree->taken);
    memset(tree->slots, 0, sizeof tree->slots);
    random_grow(tree, rng, depth, place);
    for (int32_t i = 0; i < tree->count; i++) {
        naive_node *node = &tree->nodes[i];
        if (node->kind != PLOY_BT_SIGNAL) continue;
        int32_t found = 0;
        for (int32_t k = 0; k < tree->count; k++) {
            if (!random_listens(tree, k, node->region)) continue;
            if (ploy_rng_int(rng, 0, found++) == 0) node->target = k;
        }
        if (found == 0) node->kind = PLOY_BT_ALWAYS_SUCCESS;
    }
}

static float random_score(ploy_bt_call *call) {
    const naive_node *node = call->user;
    return (float)node->score;
}

static bool random_test(ploy_bt_call *call) {
    return naive_next(call->user) == 'S';
}

// The layouts of the boards: of the tree and its sub-trees, and of each scope.
typedef struct random_boards {
    ploy_blackboard_layout *main, *scope;
} random_boards;

static const char *const random_names[NAIVE_KEYS] = {"k0", "k1", "k2"};

static void random_boards_open(test_context *t, random_boards *boards) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_key keys[NAIVE_KEYS];
    memset(keys, 0, sizeof keys);
    for (int32_t i = 0; i < NAIVE_KEYS; i++) {
        keys[i].name = random_names[i];
        keys[i].type = PLOY_VALUE_I64;
    }
    CHECK_OK(ploy_blackboard_layout_create(keys, NAIVE_KEYS, "main", &env, NULL, &boards->main));
    CHECK_OK(ploy_blackboard_layout_create(&keys[NAIVE_KEYS - 1], 1, "scope", &env, NULL,
                                           &boards->scope));
}

static void random_boards_close(random_boards *boards) {
    ploy_blackboard_layout_destroy(boards->scope);
    ploy_blackboard_layout_destroy(boards->main);
}

// What a def points to.
typedef struct random_texts {
    char name[16], target[16];
    ploy_value values[4];
} random_texts;

static ploy_bt_node_def random_def(naive_tree *tree, const naive_node *node,
                                   const random_boards *boards, random_texts *texts) {
    static const char *const semaphores[] = {"", "one", "two", "three"};
    snprintf(texts->name, sizeof texts->name, "n%d", (int)(node - tree->nodes));
    snprintf(texts->target, sizeof texts->target, "n%d", node->target);
    ploy_bt_node_def def = ploy_bt_node_make(node->kind, texts->name);
    def.key = random_names[node->key < NAIVE_KEYS ? node->key : NAIVE_KEYS - 1];
    def.values = texts->values;
    switch (node->kind) {
    case PLOY_BT_SWITCH:
        def.value_count = node->count - 1;
        for (int32_t i = 0; i < 4; i++) texts->values[i] = ploy_value_i64(i);
        break;
    case PLOY_BT_LOOP:
        def.value_count = node->limit;
        for (int32_t i = 0; i < 4; i++) texts->values[i] = ploy_value_i64((i + 1) % NAIVE_KEYS);
        break;
    case PLOY_BT_SET_BLACKBOARD:
        def.value_count = 1;
        texts->values[0] = ploy_value_i64(node->limit);
        break;
    case PLOY_BT_CONDITION:
        def.condition = ploy_bt_condition_make(def.key, PLOY_BT_EQUAL, ploy_value_i64(node->limit));
        break;
    case PLOY_BT_SIGNAL:
        def.text = texts->target;
        def.result = node->result == 'S'   ? PLOY_STATUS_SUCCESS
                     : node->result == 'F' ? PLOY_STATUS_FAILURE
                                           : PLOY_STATUS_SKIPPED;
        break;
    case PLOY_BT_BLACKBOARD_SCOPE: def.layout = boards->scope; break;
    case PLOY_BT_RANDOM_SELECTOR:
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY:
    case PLOY_BT_PARALLEL:
    case PLOY_BT_RESTART:
    case PLOY_BT_LIMIT: def.count = node->limit; break;
    case PLOY_BT_SEMAPHORE_GUARD:
        def.count = node->limit;
        def.text = semaphores[node->limit];
        break;
    case PLOY_BT_PRECONDITION:
        def.condition = ploy_bt_condition_call(random_test, &tree->leaves[node->leaf]);
        break;
    case PLOY_BT_GATE: def.flag = node->limit != 1; break;
    default: def.seconds = node->limit; break;
    }
    return def;
}

// A SubTree is built for itself and copied in.
static void random_build(naive_tree *tree, int32_t at, bool plain, const random_boards *boards,
                         ploy_bt_builder *builder) {
    naive_node *node = &tree->nodes[at];
    const ploy_bt_leaf *leaf = plain ? &random_plain_leaf : &random_leaf;
    bool leafless = node->count == 0;
    if (node->kind == PLOY_BT_LEAF) {
        ploy_bt_add_leaf(builder, leaf, NULL, &tree->leaves[node->leaf], NULL, 0);
    } else if (node->kind == PLOY_BT_BEHAVIOR) {
        ploy_bt_add_behavior(builder, NULL, random_make, &tree->leaves[node->leaf],
                             node->limit == 1);
    } else if (node->kind == PLOY_BT_CONTROL) {
        ploy_bt_open_control(builder, &random_control, NULL, &tree->leaves[node->leaf], NULL, 0);
    } else if (node->kind == PLOY_BT_SUBTREE) {
        ploy_env env = ploy_env_default();
        ploy_bt_builder *inner = NULL;
        ploy_bt *bt = NULL;
        ploy_bt_bind binds[NAIVE_KEYS];
        memset(binds, 0, sizeof binds);
        for (int32_t i = 0; i < NAIVE_KEYS; i++) {
            binds[i].port = binds[i].key = random_names[i];
        }
        (void)ploy_bt_builder_create("inner", boards->main, &env, &inner);
        random_build(tree, node->children[0], plain, boards, inner);
        (void)ploy_bt_build(inner, NULL, &bt);
        ploy_bt_add_subtree(builder, bt, NULL, binds, NAIVE_KEYS, false);
        ploy_bt_destroy(bt);
        ploy_bt_builder_destroy(inner);
        leafless = true;
    } else {
        random_texts texts;
        ploy_bt_node_def def = random_def(tree, node, boards, &texts);
        (void)(leafless ? ploy_bt_add_node(builder, &def) : ploy_bt_open_node(builder, &def));
    }
    if (tree->taste != TASTE_SIMPLE) ploy_bt_score(builder, random_score, node);
    if (leafless) return;
    for (int32_t i = 0; i < node->count; i++) {
        random_build(tree, node->children[i], plain, boards, builder);
    }
    ploy_bt_close(builder);
}

static void random_set_log(naive_tree *tree, naive_log *log) {
    log->length = 0;
    for (int32_t i = 0; i < tree->leaf_count; i++) tree->leaves[i].log = log;
}

static uint64_t random_hash(const ploy_bt_instance *instance) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_bt_instance_describe(instance, &out);
    return ploy_hash_sink_result(&sink);
}

// Plain sub-trees are asked another way while nobody looks on: with a budget nobody could use up
// they are walked through node by node. What is described afterwards must be the same.
TEST(looking_on_changes_nothing_in_plain_trees) {
    static naive_tree alone, watched;
    static naive_log first, second;
    for (int64_t round = 0; round < test_rounds(1500); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        alone.taste = TASTE_SIMPLE;
        random_tree(&alone, &rng, 5);
        watched = alone;
        first.plain = second.plain = true;
        bt_bench one, other;
        bt_bench_begin(t, &one, NULL);
        bt_bench_begin(t, &other, NULL);
        random_build(&alone, 0, true, NULL, one.builder);
        random_build(&watched, 0, true, NULL, other.builder);
        bt_bench_build(t, &one);
        bt_bench_build(t, &other);
        for (int32_t step = 0; step < 12; step++) {
            ploy_budget budget = ploy_budget_units(1000000);
            random_set_log(&alone, &first);
            random_set_log(&watched, &second);
            other.context.budget = &budget;
            CHECK_INT(bt_bench_step(&one), bt_bench_step(&other));
            first.text[first.length] = second.text[second.length] = 0;
            CHECK_TEXT(first.text, second.text);
            CHECK_UINT(random_hash(one.instance), random_hash(other.instance));
        }
        bt_bench_end(&one);
        bt_bench_end(&other);
    }
}

// A random tree, twice, and the bench that runs the second one on a board of its own.
static void random_open(test_context *t, int64_t round, naive_tree *naive, naive_tree *ours,
                        bool plain, const random_boards *boards, bt_bench *bench) {
    ploy_rng rng = ploy_rng_make((uint64_t)round);
    static const naive_taste tastes[] = {TASTE_SIMPLE, TASTE_ALL, TASTE_LISTENING, TASTE_ALL,
                                         TASTE_WATCHING};
    naive->taste = tastes[round % 5];
    random_tree(naive, &rng, 4);
    *ours = *naive;
    bt_bench_begin(t, bench, boards->main);
    random_build(ours, 0, plain, boards, bench->builder);
    bt_bench_build(t, bench);
    CHECK_OK(ploy_blackboard_create(boards->main, &bench->env, &bench->context.blackboard));
    ploy_bt_node_info root;
    CHECK_OK(ploy_bt_get_node(bench->bt, 0, &root));
    naive->key = ploy_rng_key_split(bench->context.key, root.id);
}

static void random_close(bt_bench *bench) {
    ploy_blackboard *board = bench->context.blackboard;
    bt_bench_end(bench);
    ploy_blackboard_destroy(board);
}

static char naive_step(naive_tree *tree, uint64_t tick, double now) {
    tree->tick = tick;
    tree->now = now;
    tree->spoken = -1;
    return naive_tick(tree, 0);
}

// Saves the bench's tree and takes it up in a fresh instance.
static void random_reload(test_context *t, bt_bench *bench) {
    ploy_json *doc = saved_take(t, ploy_bt_instance_behavior(bench->instance), &bench->env);
    ploy_bt_instance_destroy(bench->instance);
    ploy_bt_instance_def plain = ploy_bt_instance_def_default();
    CHECK_OK(ploy_bt_instance_create(&plain, bench->bt, bench->semaphores, &bench->env,
                                     &bench->instance));
    CHECK_INT(saved_give(t, ploy_bt_instance_behavior(bench->instance), &bench->context, doc,
                         &bench->env),
              0);
}

TEST(a_saved_tree_goes_on_as_a_naive_interpreter_does_that_was_never_saved) {
    static naive_tree naive, ours;
    static naive_log want, got, unheard;
    random_boards boards;
    random_boards_open(t, &boards);
    naive.cut = false;
    naive.saved = true;
    for (int64_t round = 0; round < test_rounds(1000); round++) {
        TEST_SEED(round);
        bt_bench bench;
        want.plain = got.plain = round % 3 == 0;
        random_open(t, round, &naive, &ours, want.plain, &boards, &bench);
        for (int32_t step = 0; step < 12; step++) {
            random_set_log(&naive, &want);
            random_set_log(&ours, &got);
            bench.context.now = step;
            char answer = naive_step(&naive, bench.context.tick, step);
            CHECK_INT(bt_bench_step(&bench), answer);
            want.text[want.length] = got.text[got.length] = 0;
            CHECK_TEXT(got.text, want.text);
            random_set_log(&ours, &unheard); // the old instance stops its leaves when it goes
            uint64_t hash = random_hash(bench.instance);
            random_reload(t, &bench);
            // Boards of the tree's own count their changes anew, which their description tells.
            bool scopes = naive.slot_count > NAIVE_KEYS;
            if (!scopes) CHECK_UINT(random_hash(bench.instance), hash);
        }
        random_close(&bench);
    }
    random_boards_close(&boards);
}

TEST(random_trees_do_what_a_naive_interpreter_does) {
    static naive_tree naive, ours;
    static naive_log want, got;
    random_boards boards;
    random_boards_open(t, &boards);
    naive.saved = false;
    for (int64_t round = 0; round < test_rounds(6000); round++) {
        TEST_SEED(round);
        bt_bench bench;
        want.plain = got.plain = round % 3 == 0;
        naive.cut = round % 2 == 1;
        random_open(t, round, &naive, &ours, want.plain, &boards, &bench);
        for (int32_t step = 0; step < 12; step++) {
            random_set_log(&naive, &want);
            random_set_log(&ours, &got);
            char answer = naive_step(&naive, bench.context.tick, step);
            // In half of the rounds the budget cuts our steps into pieces.
            char mine = 'R';
            int32_t pieces = 0;
            do {
                ploy_budget budget = ploy_budget_units(round % 2 == 0 ? 1000000 : 1 + step % 3);
                bench.context.budget = round % 4 == 0 ? NULL : &budget;
                bench.context.now = step;
                mine = bt_bench_step(&bench);
                pieces++;
                if (mine != 'R' || !ploy_budget_empty(&budget)) break;
                // Empty: cut off, or done with the last unit. The cursor tells which.
            } while (round % 2 == 1 && got.length < want.length && pieces < 1000);
            want.text[want.length] = got.text[got.length] = 0;
            if (round % 2 == 0) {
                CHECK_TEXT(got.text, want.text);
                CHECK_INT(mine, answer);
            } else {
                CHECK_TEXT(got.text, want.text);
                break; // one step in pieces; after it the two may be out of phase
            }
            if (step == 8) { // halted at the same time, they stay together
                random_set_log(&naive, &want);
                random_set_log(&ours, &got);
                naive_halt(&naive, 0);
                bench.context.now = step; // the bench's clock has gone on
                ploy_bt_instance_halt(bench.instance, &bench.context, PLOY_EXIT_INTERRUPTED);
                want.text[want.length] = got.text[got.length] = 0;
                CHECK_TEXT(got.text, want.text);
            }
        }
        bench.context.budget = NULL;
        random_close(&bench);
    }
    random_boards_close(&boards);
}
