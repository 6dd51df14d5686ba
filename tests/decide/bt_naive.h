// A naive interpreter of behavior trees for tests: recursive, from the root in every step, each kind
// of node as its description says and nothing cleverer.
#pragma once

#include <string.h>

#include "ploy/base/rng.h"
#include "ploy/decide/bt.h"

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

static inline void naive_note(naive_leaf *leaf, char what) {
    naive_log *log = leaf->log;
    if (log->plain && (what == 's' || what == 'f' || what == 'h')) return;
    if (log->length > NAIVE_LOG - 3) return;
    log->text[log->length++] = (char)('0' + leaf->number);
    log->text[log->length++] = what;
}

static inline char naive_next(naive_leaf *leaf) {
    char letter = leaf->script[leaf->at++];
    if (leaf->script[leaf->at] == 0) leaf->at = 0;
    return letter;
}

static inline void naive_set(naive_tree *tree, int32_t slot, int64_t value) {
    if (tree->slots[slot].value != value) tree->slots[slot].changes++;
    tree->slots[slot].value = value;
}

// True if the key has changed since the node looked last.
static inline bool naive_updated(const naive_tree *tree, naive_node *node) {
    uint32_t changes = tree->slots[node->key].changes;
    bool updated = changes != node->seen;
    node->seen = changes;
    return updated;
}

static inline int32_t naive_draw(naive_tree *tree, int32_t count) {
    return ploy_rng_int_at(tree->key, 0, tree->tick, tree->draws++, 0, count - 1);
}

// What ends with a run, however it ends.
static inline void naive_end(naive_tree *tree, naive_node *node) {
    if (node->kind == PLOY_BT_SEMAPHORE_GUARD) tree->taken[node->limit]--;
    if (node->kind == PLOY_BT_COOLDOWN) {
        node->tally = 1;
        node->since = tree->now;
    }
}

static inline void naive_halt(naive_tree *tree, int32_t at) {
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

static inline void naive_halt_others(naive_tree *tree, naive_node *node, int32_t keep) {
    for (int32_t i = 0; i < node->count; i++) {
        if (i != keep) naive_halt(tree, node->children[i]);
    }
}

static inline char naive_tick(naive_tree *tree, int32_t at);

// Sequences: `on` is what lets them go on, 'S', or 'F' for fallbacks.
static inline char naive_line(naive_tree *tree, naive_node *node, char on, bool again, bool slow) {
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

static inline bool naive_holds(const naive_tree *tree, int32_t at, int32_t target) {
    bool found = at == target;
    for (int32_t i = 0; i < tree->nodes[at].count && !found; i++) {
        found = naive_holds(tree, tree->nodes[at].children[i], target);
    }
    return found;
}

static inline char naive_parallel(naive_tree *tree, naive_node *node) {
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

static inline char naive_branch(naive_tree *tree, naive_node *node, bool again) {
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

static inline char naive_try(naive_tree *tree, naive_node *node) {
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
static inline char naive_in_order(naive_tree *tree, naive_node *node, char on) {
    node->running = true;
    for (; node->place < node->candidates; node->place++) {
        char answer = naive_tick(tree, node->order[node->place]);
        if (answer != 'K') node->tally = 0;
        if (answer != 'K' && answer != on) return answer;
    }
    return node->tally != 0 ? 'K' : on;
}

static inline char naive_shuffled(naive_tree *tree, naive_node *node) {
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

static inline char naive_pick(naive_tree *tree, naive_node *node) {
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

static inline char naive_switch(naive_tree *tree, naive_node *node) {
    int64_t value = tree->slots[node->key].value;
    int32_t chosen = value < node->count - 1 ? (int32_t)value : node->count - 1;
    naive_halt_others(tree, node, chosen);
    node->running = true;
    return naive_tick(tree, node->children[chosen]);
}

static inline char naive_signal(naive_tree *tree, const naive_node *node) {
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

static inline char naive_interrupter(naive_tree *tree, naive_node *node) {
    if (!node->running) node->told = 0;
    node->running = true;
    char answer = node->told != 0 ? 'R' : naive_tick(tree, node->children[0]);
    if (node->told == 0) return answer;
    naive_halt(tree, node->children[0]);
    answer = node->told;
    node->told = 0;
    return answer;
}

static inline char naive_hold(naive_tree *tree, naive_node *node) {
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
static inline char naive_reverse(naive_tree *tree, naive_node *node) {
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

static inline char naive_loop(naive_tree *tree, naive_node *node) {
    if (!node->running) node->place = 0;
    if (!tree->nodes[node->children[0]].running) {
        if (node->place >= node->limit) return 'S';
        naive_set(tree, node->key, ++node->place % NAIVE_KEYS);
    }
    node->running = true;
    return naive_tick(tree, node->children[0]) == 'F' ? 'F' : 'R';
}

static inline char naive_utility(naive_tree *tree, naive_node *node) {
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
static inline char naive_before(naive_tree *tree, naive_node *node) {
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

static inline char naive_inner(naive_tree *tree, naive_node *node) {
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

static inline char naive_tick(naive_tree *tree, int32_t at) {
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

static inline char naive_step(naive_tree *tree, uint64_t tick, double now) {
    tree->tick = tick;
    tree->now = now;
    tree->spoken = -1;
    return naive_tick(tree, 0);
}
