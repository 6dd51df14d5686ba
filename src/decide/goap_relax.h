// The relaxed domain, shared between its estimates.
#pragma once

#include <math.h>

#include "goap_internal.h"
#include "ploy/base/heap.h"

typedef struct ployi_goap_op {
    int32_t first_pre, pre_count;
    int32_t first_add, add_count;
    double cost;
    int32_t action; // that it represents, -1 for none
    int32_t reserved;
} ployi_goap_op;

// Facts that are open, the cheapest first. It is emptied each time, so that the buckets are empty
// before and after.
typedef struct ployi_goap_wave {
    ployi_goap_relax *relax;
    double *costs;
    int32_t *heads, *nexts, *befores;
    int32_t at, open; // bucket that is taken from; facts in buckets
    bool sorted;      // by buckets
} ployi_goap_wave;

// An estimate in slices. The stages come in this order; a cut begins again at CUT until the goal
// costs nothing.
typedef enum ployi_goap_stage {
    PLOYI_GOAP_DONE,
    PLOYI_GOAP_FACTS, // costs of facts become infinite
    PLOYI_GOAP_OPS,   // operators have all their needs before them, and their whole cost
    PLOYI_GOAP_KNOWN, // landmarks that a world shares are paid
    PLOYI_GOAP_GIVEN, // facts of the world
    PLOYI_GOAP_OPEN,  // are opened
    PLOYI_GOAP_WAVE,  // Dijkstra's algorithm
    PLOYI_GOAP_FF_FACTS,
    PLOYI_GOAP_FF_OPS,
    PLOYI_GOAP_FF,
    PLOYI_GOAP_CUT, // marks are cleared
    PLOYI_GOAP_CUT_ZONE,
    PLOYI_GOAP_CUT_GIVEN,
    PLOYI_GOAP_CUT_FIND,
    PLOYI_GOAP_CUT_KEEP,
    PLOYI_GOAP_CUT_PAY,
    PLOYI_GOAP_CUT_WAVE
} ployi_goap_stage;

typedef enum ployi_goap_share {
    PLOYI_GOAP_ALONE,
    PLOYI_GOAP_PARENT, // its landmarks are remembered
    PLOYI_GOAP_CHILD   // it shares those of its parent, but those that hold `action`
} ployi_goap_share;

typedef struct ployi_goap_job {
    ployi_goap_stage stage;
    ploy_goap_heuristic heuristic;
    ployi_goap_share share;
    int32_t action;
    const uint64_t *world; // borrowed until it is done
    int32_t at, in;        // how far the stage has come
    int32_t fact;          // that is followed, -1 for none
    int32_t kept_ops, kept_ends;
    bool paying;         // KNOWN: the landmark counts
    double cost;         // of the fact
    double known;        // sum of landmarks that are shared
    double total, least; // sum of cuts; cost of the last cut
    ployi_goap_wave wave;
} ployi_goap_job;

struct ployi_goap_relax {
    ploy_env env;
    const ploy_goap_type *type;
    ploy_array firsts;     // int32_t of each variable: its first fact, -1 if left out
    ploy_map derived;      // need -> fact
    ploy_array ops;        // ployi_goap_op
    ploy_array pres, adds; // int32_t
    int32_t facts;
    int32_t base_facts, base_ops, base_pres, base_adds; // without the goal
    int32_t never;                                      // a fact that nothing adds
    int32_t goal;
    // Of each operator what it adds that is needed; operators + 1 starts.
    ploy_array live_starts, live_adds;
    // By fact: runs of operators that need it, and that add it; facts + 1 starts each.
    ploy_array need_starts, need_ops, add_starts, add_ops;
    // Scratch of an estimate.
    ploy_array costs;      // double, of facts
    ploy_array op_costs;   // double: what is left to pay
    ploy_array sums;       // double, of operators: of their needs so far
    ploy_array left;       // int32_t, needs not yet had
    ploy_array support;    // int32_t, of operators: the most expensive need
    ploy_array best;       // int32_t, of facts: the operator that gives it cheapest
    ploy_array marks;      // uint8_t, of facts
    ploy_array used;       // uint8_t, of operators
    ploy_array stack, cut; // int32_t
    ploy_array given;      // int32_t, facts of the world that are needed
    // int32_t: of each fact an operator that is had and whose most expensive need it is; of each operator
    // the others of that fact. -1 at the ends.
    ploy_array held, held_nexts, held_befores;
    // Open facts in the order of cost: by buckets if costs are whole, else by the heap.
    int32_t buckets;  // 0: the heap
    ploy_array heads; // int32_t of each bucket: a fact, or -1
    // int32_t of each fact, in its bucket: -1 at the ends, -2 in none
    ploy_array nexts, befores;
    ploy_heap heap;
    bool starved; // the heap had no memory
    // Landmarks of a world, for those that one action makes of it: operators, one after another.
    ploy_array known_ops, known_ends; // int32_t
    ploy_array known_costs;           // double
    ployi_goap_job job;
};

static inline ployi_goap_wave ployi_goap_wave_make(ployi_goap_relax *relax, bool bounded) {
    ployi_goap_wave wave = {relax,
                            PLOY_ARRAY_ITEMS(&relax->costs, double),
                            PLOY_ARRAY_ITEMS(&relax->heads, int32_t),
                            PLOY_ARRAY_ITEMS(&relax->nexts, int32_t),
                            PLOY_ARRAY_ITEMS(&relax->befores, int32_t),
                            0,
                            0,
                            bounded && relax->buckets > 0};
    if (!wave.sorted) ploy_heap_clear(&relax->heap);
    wave.at = relax->buckets;
    return wave;
}

static inline void ployi_goap_wave_unlink(ployi_goap_wave *wave, int32_t fact, int32_t bucket) {
    int32_t next = wave->nexts[fact], before = wave->befores[fact];
    if (before >= 0) {
        wave->nexts[before] = next;
    } else {
        wave->heads[bucket] = next;
    }
    if (next >= 0) wave->befores[next] = before;
    wave->nexts[fact] = -2;
    wave->open--;
}

// Lowers a fact's cost and opens it.
static inline void ployi_goap_wave_lower(ployi_goap_wave *wave, int32_t fact, double cost) {
    if (!wave->sorted) {
        wave->costs[fact] = cost;
        if (ploy_heap_push(&wave->relax->heap, cost, (uint64_t)fact) != PLOY_OK) {
            wave->relax->starved = true;
        }
        return;
    }
    if (wave->nexts[fact] != -2) ployi_goap_wave_unlink(wave, fact, (int32_t)wave->costs[fact]);
    int32_t bucket = (int32_t)cost, head = wave->heads[bucket];
    wave->costs[fact] = cost;
    wave->nexts[fact] = head;
    wave->befores[fact] = -1;
    if (head >= 0) wave->befores[head] = fact;
    wave->heads[bucket] = fact;
    wave->open++;
    if (bucket < wave->at) wave->at = bucket;
}

// Takes the cheapest. @return false if none is open.
static inline bool ployi_goap_wave_take(ployi_goap_wave *wave, int32_t *fact, double *cost) {
    if (!wave->sorted) {
        uint64_t payload = 0;
        while (ploy_heap_pop(&wave->relax->heap, cost, &payload)) {
            *fact = (int32_t)payload;
            if (*cost <= wave->costs[*fact]) return true; // else it was lowered since
        }
        return false;
    }
    if (wave->open == 0) return false;
    while (wave->heads[wave->at] < 0) wave->at++;
    *fact = wave->heads[wave->at];
    *cost = wave->costs[*fact];
    ployi_goap_wave_unlink(wave, *fact, wave->at);
    return true;
}

// Marks a fact and puts it onto the stack, unless it is marked. There is room for all of them.
static inline void ployi_goap_relax_mark(ployi_goap_relax *relax, int32_t fact, uint8_t mark) {
    uint8_t *marks = PLOY_ARRAY_ITEMS(&relax->marks, uint8_t);
    if (marks[fact] != 0) return;
    marks[fact] = mark;
    PLOY_ARRAY_ITEMS(&relax->stack, int32_t)[relax->stack.count++] = fact;
}

// Takes a fact from the stack. @return false if there is none.
static inline bool ployi_goap_relax_pop(ployi_goap_relax *relax, int32_t *fact) {
    if (relax->stack.count == 0) return false;
    *fact = PLOY_ARRAY_ITEMS(&relax->stack, int32_t)[--relax->stack.count];
    return true;
}

// Notes that a fact is the most expensive need of an operator.
static inline void ployi_goap_relax_hold(const ployi_goap_relax *relax, int32_t fact, int32_t op) {
    int32_t *held = PLOY_ARRAY_ITEMS(&relax->held, int32_t);
    int32_t *befores = PLOY_ARRAY_ITEMS(&relax->held_befores, int32_t);
    int32_t head = held[fact];
    PLOY_ARRAY_ITEMS(&relax->support, int32_t)[op] = fact;
    PLOY_ARRAY_ITEMS(&relax->held_nexts, int32_t)[op] = head;
    befores[op] = -1;
    if (head >= 0) befores[head] = op;
    held[fact] = op;
}

// How far a stage of `count` items may go now; it is paid for.
static inline int32_t ployi_goap_job_end(const ployi_goap_job *job, int32_t count, int64_t *allow) {
    int64_t left = (int64_t)count - job->at, most = *allow < left ? *allow : left;
    *allow -= most;
    return job->at + (int32_t)most;
}

// The stage has come to `end`; the next one follows after `count`.
static inline void ployi_goap_job_reach(ployi_goap_job *job, int32_t end, int32_t count,
                                        ployi_goap_stage next) {
    job->at = end;
    if (end < count) return;
    job->at = 0;
    job->stage = next;
}

// Continues the stages KNOWN and CUT to CUT_WAVE of the job (goap_cut.c).
void ployi_goap_cut_run(ployi_goap_relax *relax, int64_t *allow);
