// The composites of a behavior tree: which child is next, and what their answers come to; see
// bt_step.c for the walk.
#include <string.h>

#include "decide/bt_walk.h"

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

static int32_t bt_compose_draw(void *user, int32_t count) {
    const ployi_bt_walk *walk = user;
    return ploy_rng_int_at(ployi_bt_key(walk), walk->context->agent.id.index, walk->context->tick,
                           walk->instance->draws++, 0, count - 1);
}

static void bt_compose_list_children(const ployi_bt_walk *walk, uint32_t node, uint32_t *order) {
    uint32_t child = node + 1;
    for (int32_t i = 0; i < walk->nodes[node].children; i++) {
        order[i] = child;
        child = walk->nodes[child].end;
    }
}

static float bt_compose_score(ployi_bt_walk *walk, uint32_t node) {
    uint32_t next = walk->nodes[node].hook;
    while (next != PLOYI_BT_NONE) {
        const ployi_bt_hook *hook = PLOYI_BT_AT(walk->bt, hooks, ployi_bt_hook, next);
        if (hook->when == PLOYI_BT_SCORE) {
            ploy_step_context *context = walk->context;
            ploy_blackboard *board = context->blackboard;
            ploy_moment moment = ploy_moment_make(context);
            context->blackboard = ployi_bt_board_of(walk->instance, node);
            float score = ploy_score_value(hook->test.set, hook->test.score, &moment);
            context->blackboard = board;
            return score;
        }
        next = hook->next;
    }
    return 1.0f;
}

// Fills the order of a UtilityFallback: words are place, candidates, order, then scores.
static void bt_compose_rank(ployi_bt_walk *walk, uint32_t node, uint32_t *words) {
    uint32_t children = walk->nodes[node].children, found = 0;
    uint32_t *order = &words[2], *scores = &words[2 + children];
    for (uint32_t child = node + 1; child < walk->nodes[node].end; child = walk->nodes[child].end) {
        float score = bt_compose_score(walk, child);
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

// ---- places and counts ----

// Halts the child that a reactive node had running, if it is not the one it needs now.
static void bt_compose_switch(const ployi_bt_walk *walk, uint32_t *running, uint32_t wanted) {
    if (*running != 0 && *running != wanted && ployi_bt_runs(walk, *running)) {
        ployi_bt_halt_node(walk, *running);
    }
    *running = wanted;
}

// A sequence or fallback is through: SKIPPED if all its children were.
static bool bt_compose_all_skipped(const ployi_bt_walk *walk, uint32_t node) {
    for (uint32_t child = node + 1; child < walk->nodes[node].end; child = walk->nodes[child].end) {
        unsigned char status = walk->status[child];
        if (status != PLOYI_BT_IDLE && status != PLOY_STATUS_SKIPPED + 1) return false;
    }
    return true;
}

static bool bt_compose_keeps_place(const ployi_bt_node *node) {
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

void ployi_bt_mark_above(const ployi_bt_walk *walk, uint32_t node) {
    for (node = walk->nodes[node].parent; node != PLOYI_BT_NONE; node = walk->nodes[node].parent) {
        const ployi_bt_node *at = &walk->nodes[node];
        if (bt_compose_keeps_place(at)) walk->words[at->state] |= PLOYI_BT_RAN;
    }
}

static uint32_t bt_compose_nth_child(const ployi_bt_walk *walk, uint32_t node, int32_t n) {
    uint32_t child = node + 1;
    while (n-- > 0) child = walk->nodes[child].end;
    return child;
}

static uint32_t bt_compose_case(const ployi_bt_walk *walk, uint32_t node,
                                const ployi_bt_extra *extra) {
    ploy_blackboard_ref key = ployi_bt_ref_of(walk->instance, extra->ref);
    ploy_value value = ploy_value_none();
    if (key.board != NULL) ploy_blackboard_get(key.board, key.slot, &value);
    const ploy_value *values = PLOYI_BT_AT(walk->bt, values, ploy_value, extra->first_value);
    uint32_t n = 0;
    while (n < extra->value_count && !ploy_value_equal(&values[n], &value)) n++;
    return bt_compose_nth_child(walk, node, (int32_t)n);
}

// A Parallel's words: successes (or finished ones), failures, and skipped ones of this pass with
// the mark of a second visit.
#define BT_COMPOSE_AGAIN 0x80000000u

static uint32_t bt_compose_unfinished(const ployi_bt_walk *walk, uint32_t child, uint32_t end) {
    while (child < end && (walk->status[child] == PLOY_STATUS_SUCCESS + 1 ||
                           walk->status[child] == PLOY_STATUS_FAILURE + 1)) {
        child = walk->nodes[child].end;
    }
    return child;
}

// The running child that holds an Interrupter which was spoken to in this pass, or NONE.
static uint32_t bt_compose_signalled(const ployi_bt_walk *walk, uint32_t node) {
    uint32_t target = walk->instance->signal;
    if (target <= node || target >= walk->nodes[node].end) return PLOYI_BT_NONE; // NONE too
    uint32_t child = node + 1;
    while (walk->nodes[child].end <= target) child = walk->nodes[child].end;
    return ployi_bt_runs(walk, child) ? child : PLOYI_BT_NONE;
}

// Counts a child's answer. True if that settles the matter: *status is set.
static bool bt_compose_count(const ployi_bt_walk *walk, uint32_t node, const ployi_bt_extra *extra,
                             uint32_t *words, ploy_status *status) {
    bool all = walk->nodes[node].kind == PLOY_BT_PARALLEL_ALL;
    if (*status == PLOY_STATUS_SUCCESS) words[0]++;
    if (*status == PLOY_STATUS_FAILURE) words[1]++;
    if (*status == PLOY_STATUS_SKIPPED) words[2]++;
    if (all) return false;
    int32_t skipped = (int32_t)(words[2] & ~BT_COMPOSE_AGAIN);
    int32_t successes = (int32_t)words[0], failures = (int32_t)words[1];
    bool from_all, unused;
    int32_t wanted = ployi_bt_threshold(walk, node, extra, PLOYI_BT_SETTING_COUNT, &from_all);
    int32_t borne = ployi_bt_threshold(walk, node, extra, PLOYI_BT_SETTING_COUNT2, &unused);
    if (successes >= wanted || (from_all && successes + skipped >= wanted)) {
        if (successes == 0) return false; // all skipped so far is no success
        *status = PLOY_STATUS_SUCCESS;
        return true;
    }
    if (walk->nodes[node].children - failures < wanted || failures >= borne) {
        *status = PLOY_STATUS_FAILURE;
        return true;
    }
    return false;
}

// A pass is over. RUNNING, or what it comes to.
static ploy_status bt_compose_sum_up(const ployi_bt_walk *walk, uint32_t node,
                                     const ployi_bt_extra *extra, const uint32_t *words) {
    int32_t skipped = (int32_t)(words[2] & ~BT_COMPOSE_AGAIN),
            children = walk->nodes[node].children;
    if (skipped >= children) return PLOY_STATUS_SKIPPED;
    if (walk->nodes[node].kind == PLOY_BT_PARALLEL_ALL &&
        (int32_t)(words[0] + words[1]) + skipped >= children) {
        bool unused;
        int32_t borne = ployi_bt_threshold(walk, node, extra, PLOYI_BT_SETTING_COUNT2, &unused);
        return (int32_t)words[1] >= borne ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
    }
    return PLOY_STATUS_RUNNING;
}

// ---- down ----

// Visits a composite that starts or goes on: *next is the child, or *status the answer.
ployi_bt_way ployi_bt_compose(ployi_bt_walk *walk, uint32_t node, uint32_t *next,
                              ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    uint32_t *words = &walk->words[at->state];
    bool runs = ployi_bt_runs(walk, node);
    if (at->kind == PLOY_BT_CONTROL) {
        return ployi_bt_choose(walk, node, PLOYI_BT_NONE, next, status);
    }
    const ployi_bt_extra *extra =
        at->extra != PLOYI_BT_NONE ? ployi_bt_extra_of(walk->bt, at) : NULL;
    if (at->children == 0) {
        bool fails = at->kind == PLOY_BT_FALLBACK || at->kind == PLOY_BT_REACTIVE_FALLBACK ||
                     at->kind == PLOY_BT_ASYNC_FALLBACK || at->kind == PLOY_BT_SHUFFLED_FALLBACK;
        *status = fails ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
        return PLOYI_BT_ANSWER;
    }
    walk->status[node] = PLOYI_BT_RUNS;
    if (runs && bt_compose_keeps_place(at)) words[0] |= PLOYI_BT_RAN;
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_SEQUENCE_WITH_MEMORY:
        if (!runs) words[0] &= ~PLOYI_BT_RAN;
        if (words[0] == 0) words[0] = node + 1;
        // What it need not do again says nothing about this run.
        for (uint32_t child = node + 1; !runs && child < words[0]; child = walk->nodes[child].end) {
            walk->status[child] = PLOYI_BT_IDLE;
        }
        *next = words[0] & ~PLOYI_BT_RAN;
        return PLOYI_BT_DOWN;
    case PLOY_BT_REACTIVE_SEQUENCE:
    case PLOY_BT_REACTIVE_FALLBACK:
    case PLOY_BT_WHILE_DO_ELSE:
        if (!runs) words[0] = 0;
        *next = node + 1;
        return PLOYI_BT_DOWN;
    case PLOY_BT_SWITCH:
        if (!runs) words[0] = 0;
        *next = bt_compose_case(walk, node, extra);
        bt_compose_switch(walk, &words[0], *next);
        return PLOYI_BT_DOWN;
    case PLOY_BT_PARALLEL:
    case PLOY_BT_PARALLEL_ALL:
        if (!runs) {
            words[0] = words[1] = 0;
            for (uint32_t child = node + 1; child < at->end; child = walk->nodes[child].end) {
                walk->status[child] = PLOYI_BT_IDLE;
            }
        }
        words[2] = 0;
        *next = bt_compose_unfinished(walk, node + 1, at->end);
        return PLOYI_BT_DOWN;
    case PLOY_BT_SHUFFLED_SEQUENCE:
    case PLOY_BT_SHUFFLED_FALLBACK:
        if (!runs) {
            words[0] = 0;
            bt_compose_list_children(walk, node, &words[1]);
            ployi_bt_shuffle(&words[1], at->children, bt_compose_draw, walk);
        }
        *next = words[1 + (words[0] & ~PLOYI_BT_RAN)];
        return PLOYI_BT_DOWN;
    case PLOY_BT_UTILITY_FALLBACK:
        if (!runs) bt_compose_rank(walk, node, words);
        *status = PLOY_STATUS_FAILURE;
        if (words[1] == 0) return PLOYI_BT_ANSWER;
        *next = words[2 + (words[0] & ~PLOYI_BT_RAN)];
        return PLOYI_BT_DOWN;
    case PLOY_BT_RANDOM_SELECTOR:
        if (!runs) words[0] = words[1] = 0;
        if (words[0] == 0 || !ployi_bt_runs(walk, words[0])) {
            words[0] = bt_compose_nth_child(walk, node, bt_compose_draw(walk, at->children));
            words[1]++;
        }
        *next = words[0];
        return PLOYI_BT_DOWN;
    default: // the rest keep their place
        if (!runs) words[0] = node + 1;
        *next = words[0] & ~PLOYI_BT_RAN;
        return PLOYI_BT_DOWN;
    }
}

// ---- up ----

// The next child in a sequence or fallback after one that did not decide.
ployi_bt_way ployi_bt_go_on(ployi_bt_walk *walk, uint32_t node, uint32_t child, uint32_t *next,
                            ploy_status *status, ploy_status through) {
    const ployi_bt_node *at = &walk->nodes[node];
    uint32_t sibling = walk->nodes[child].end;
    uint32_t *place = &walk->words[at->state];
    if (sibling < at->end) {
        *place = sibling | (*place & PLOYI_BT_RAN);
        *next = sibling;
        return PLOYI_BT_DOWN;
    }
    bool ran = bt_compose_keeps_place(at) && (*place & PLOYI_BT_RAN) != 0;
    bool skipped = *status == PLOY_STATUS_SKIPPED && !ran && bt_compose_all_skipped(walk, node);
    *status = skipped ? PLOY_STATUS_SKIPPED : through;
    return PLOYI_BT_ANSWER;
}

// The rarer composites: a child answered *status, RUNNING too. Answers with RUNNING mean: pass on.
ployi_bt_way ployi_bt_hear(ployi_bt_walk *walk, uint32_t node, uint32_t child, uint32_t *next,
                           ploy_status *status) {
    const ployi_bt_node *at = &walk->nodes[node];
    uint32_t *words = &walk->words[at->state];
    if (at->kind == PLOY_BT_CONTROL) return ployi_bt_choose(walk, node, child, next, status);
    const ployi_bt_extra *extra =
        at->extra != PLOYI_BT_NONE ? ployi_bt_extra_of(walk->bt, at) : NULL;
    bool running = *status == PLOY_STATUS_RUNNING;
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_REACTIVE_SEQUENCE:
    case PLOY_BT_REACTIVE_FALLBACK: {
        bool sequence = at->kind == PLOY_BT_REACTIVE_SEQUENCE;
        ploy_status through = sequence ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
        if (running || (*status != through && *status != PLOY_STATUS_SKIPPED)) {
            bt_compose_switch(walk, words, running ? child : 0); // 0 halts whatever ran
            return PLOYI_BT_ANSWER;
        }
        uint32_t ran = words[0];
        ployi_bt_way way = ployi_bt_go_on(walk, node, child, next, status, through);
        words[0] = ran; // not its place: which one runs
        return way;
    }
    case PLOY_BT_ASYNC_SEQUENCE:
    case PLOY_BT_ASYNC_FALLBACK: {
        bool sequence = at->kind == PLOY_BT_ASYNC_SEQUENCE;
        ploy_status through = sequence ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
        if (running || (*status != through && *status != PLOY_STATUS_SKIPPED)) {
            return PLOYI_BT_ANSWER;
        }
        bool skipped = *status == PLOY_STATUS_SKIPPED;
        ployi_bt_way way = ployi_bt_go_on(walk, node, child, next, status, through);
        return way == PLOYI_BT_DOWN && !skipped ? PLOYI_BT_YIELD : way;
    }
    case PLOY_BT_SEQUENCE_WITH_MEMORY: {
        if (running || *status == PLOY_STATUS_FAILURE) return PLOYI_BT_ANSWER;
        ployi_bt_way way = ployi_bt_go_on(walk, node, child, next, status, PLOY_STATUS_SUCCESS);
        if (way == PLOYI_BT_ANSWER) words[0] = 0;
        return way;
    }
    case PLOY_BT_IF_THEN_ELSE:
        if (running || child != node + 1 || *status == PLOY_STATUS_SKIPPED) return PLOYI_BT_ANSWER;
        *next = walk->nodes[child].end;
        if (*status == PLOY_STATUS_FAILURE) *next = walk->nodes[*next].end;
        words[0] = *next;
        return *next < at->end ? PLOYI_BT_DOWN : PLOYI_BT_ANSWER; // FAILURE without an else
    case PLOY_BT_WHILE_DO_ELSE: {
        if (child != node + 1 || running) return PLOYI_BT_ANSWER;
        uint32_t branch = walk->nodes[child].end;
        if (*status == PLOY_STATUS_FAILURE) branch = walk->nodes[branch].end;
        bool there = branch < at->end && *status != PLOY_STATUS_SKIPPED;
        bt_compose_switch(walk, words, there ? branch : 0);
        *next = branch;
        return there ? PLOYI_BT_DOWN : PLOYI_BT_ANSWER;
    }
    case PLOY_BT_TRY_CATCH: {
        if (running) return PLOYI_BT_ANSWER;
        uint32_t last = bt_compose_nth_child(walk, node, at->children - 1);
        if (child == last) {
            *status = PLOY_STATUS_FAILURE; // whatever the cleaning up came to
            return PLOYI_BT_ANSWER;
        }
        if (*status == PLOY_STATUS_FAILURE) {
            words[0] = *next = last;
            return PLOYI_BT_DOWN;
        }
        *next = walk->nodes[child].end;
        words[0] = *next | (words[0] & PLOYI_BT_RAN);
        if (*next != last) return PLOYI_BT_DOWN;
        walk->status[last] = PLOYI_BT_IDLE;
        bool skipped = *status == PLOY_STATUS_SKIPPED && (words[0] & PLOYI_BT_RAN) == 0 &&
                       bt_compose_all_skipped(walk, node);
        *status = skipped ? PLOY_STATUS_SKIPPED : PLOY_STATUS_SUCCESS;
        return PLOYI_BT_ANSWER;
    }
    case PLOY_BT_PARALLEL:
    case PLOY_BT_PARALLEL_ALL: {
        if (bt_compose_count(walk, node, extra, words, status)) {
            ployi_bt_halt_children(walk, node);
            return PLOYI_BT_ANSWER;
        }
        *next = bt_compose_unfinished(walk, walk->nodes[child].end, at->end);
        bool again = (words[2] & BT_COMPOSE_AGAIN) != 0;
        if (!again && *next < at->end) return PLOYI_BT_DOWN;
        uint32_t spoken = bt_compose_signalled(walk, node);
        if (!again && spoken != PLOYI_BT_NONE) {
            words[2] |= BT_COMPOSE_AGAIN;
            walk->instance->signal = PLOYI_BT_NONE;
            *next = spoken;
            return PLOYI_BT_DOWN;
        }
        *status = bt_compose_sum_up(walk, node, extra, words);
        return PLOYI_BT_ANSWER;
    }
    case PLOY_BT_SHUFFLED_SEQUENCE:
    case PLOY_BT_SHUFFLED_FALLBACK:
    case PLOY_BT_UTILITY_FALLBACK: {
        bool sequence = at->kind == PLOY_BT_SHUFFLED_SEQUENCE;
        bool utility = at->kind == PLOY_BT_UTILITY_FALLBACK;
        ploy_status through = sequence ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
        if (running || (*status != through && *status != PLOY_STATUS_SKIPPED)) {
            return PLOYI_BT_ANSWER;
        }
        uint32_t count = utility ? words[1] : at->children;
        uint32_t place = (++words[0]) & ~PLOYI_BT_RAN;
        if (place < count) {
            *next = words[(utility ? 2 : 1) + place];
            return PLOYI_BT_DOWN;
        }
        bool skipped = *status == PLOY_STATUS_SKIPPED && (words[0] & PLOYI_BT_RAN) == 0;
        for (uint32_t i = 0; i < count && skipped; i++) {
            uint32_t other = words[(utility ? 2 : 1) + i];
            skipped = walk->status[other] == PLOY_STATUS_SKIPPED + 1;
        }
        *status = skipped ? PLOY_STATUS_SKIPPED : through;
        return PLOYI_BT_ANSWER;
    }
    case PLOY_BT_RANDOM_SELECTOR: {
        if (running || *status == PLOY_STATUS_SUCCESS) return PLOYI_BT_ANSWER;
        int32_t tries = ployi_bt_count(walk, extra, 0);
        if (tries <= 0 || (int32_t)words[1] < tries) return PLOYI_BT_YIELD;
        *status = PLOY_STATUS_FAILURE;
        return PLOYI_BT_ANSWER;
    }
    default: return PLOYI_BT_ANSWER; // a Switch
    }
}

#undef BT_COMPOSE_AGAIN
