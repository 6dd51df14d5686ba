// A small stored graph as a space: for the tests of every search.
#pragma once

#include <math.h>
#include <string.h>

#include "ploy/base/rng.h"
#include "ploy/search/space.h"
#include "tests/test.h"

enum { TOY_STATES = 64, TOY_EDGES = 16 };

typedef struct toy_space {
    ploy_space space;
    ploy_edge out[TOY_STATES][TOY_EDGES];
    ploy_edge in[TOY_STATES][TOY_EDGES * 4];
    int32_t out_count[TOY_STATES], in_count[TOY_STATES];
    double estimates[TOY_STATES]; // to the goal
    int32_t labels;
    int32_t expanded[1024]; // which were asked for, in order
    int32_t expanded_count;
} toy_space;

static inline ploy_result toy_expand(void *user, int32_t state, ploy_edges *out) {
    toy_space *toy = user;
    if (toy->expanded_count < 1024) toy->expanded[toy->expanded_count++] = state;
    if (state % 2 == 0) { // both ways of handing edges over are used
        ploy_edges_lend(out, toy->out[state], toy->out_count[state]);
        return PLOY_OK;
    }
    for (int32_t i = 0; i < toy->out_count[state]; i++) {
        const ploy_edge *edge = &toy->out[state][i];
        ploy_result result = ploy_edges_add(out, edge->to, edge->cost, edge->label);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static inline ploy_result toy_expand_back(void *user, int32_t state, ploy_edges *out) {
    const toy_space *toy = user;
    ploy_edges_lend(out, toy->in[state], toy->in_count[state]);
    return PLOY_OK;
}

static inline double toy_estimate(void *user, int32_t state, int32_t goal) {
    (void)goal;
    const toy_space *toy = user;
    return toy->estimates[state];
}

static inline void toy_init(toy_space *toy, int32_t count) {
    memset(toy, 0, sizeof *toy);
    toy->space.count = count;
    toy->space.expand = toy_expand;
    toy->space.expand_back = toy_expand_back;
    toy->space.estimate = toy_estimate;
    toy->space.user = toy;
}

static inline void toy_add(toy_space *toy, int32_t from, int32_t to, double cost) {
    if (toy->out_count[from] == TOY_EDGES || toy->in_count[to] == TOY_EDGES * 4) return;
    ploy_edge out = {to, toy->labels, cost}, in = {from, toy->labels, cost};
    toy->labels++;
    toy->out[from][toy->out_count[from]++] = out;
    toy->in[to][toy->in_count[to]++] = in;
}

// What each state costs from a start, or to it: Bellman and Ford, over and over until it rests.
static inline void toy_costs(const toy_space *toy, int32_t start, bool backward, double *costs) {
    for (int32_t i = 0; i < toy->space.count; i++) costs[i] = INFINITY;
    costs[start] = 0.0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t s = 0; s < toy->space.count; s++) {
            for (int32_t i = 0; i < toy->out_count[s]; i++) {
                const ploy_edge *edge = &toy->out[s][i];
                int32_t from = backward ? edge->to : s, to = backward ? s : edge->to;
                if (!(costs[from] + edge->cost < costs[to])) continue;
                costs[to] = costs[from] + edge->cost;
                changed = true;
            }
        }
    }
}

typedef enum toy_estimates {
    TOY_ZERO,
    TOY_EXACT,
    TOY_CONSISTENT,
    TOY_ADMISSIBLE, // but not consistent
    TOY_ANY,        // too large in places
    TOY_ESTIMATES
} toy_estimates;

// A random graph with whole costs, so that sums are exact, zero costs and parallel edges among
// them, and estimates of the wanted quality towards `goal`.
static inline void toy_random(toy_space *toy, ploy_rng *rng, toy_estimates quality, int32_t goal) {
    int32_t count = goal + 1 + (int32_t)ploy_rng_below(rng, (uint64_t)(TOY_STATES - goal));
    toy_init(toy, count < TOY_STATES ? count : TOY_STATES);
    count = toy->space.count;
    int32_t edges = (int32_t)ploy_rng_below(rng, (uint64_t)count * 4 + 1);
    for (int32_t i = 0; i < edges; i++) {
        int32_t from = (int32_t)ploy_rng_below(rng, (uint64_t)count);
        int32_t to = (int32_t)ploy_rng_below(rng, (uint64_t)count);
        toy_add(toy, from, to, (double)ploy_rng_below(rng, 12));
    }
    double exact[TOY_STATES];
    toy_costs(toy, goal, true, exact);
    for (int32_t i = 0; i < count; i++) {
        double most = exact[i] < INFINITY ? exact[i] : 50.0, draw = ploy_rng_double(rng);
        switch (quality) {
        case TOY_ZERO: toy->estimates[i] = 0.0; break;
        case TOY_EXACT: toy->estimates[i] = exact[i]; break;
        case TOY_CONSISTENT: toy->estimates[i] = floor(most / 2.0); break;
        case TOY_ADMISSIBLE: toy->estimates[i] = floor(most * draw); break;
        default: toy->estimates[i] = i == goal ? 0.0 : floor(most * draw * 3.0); break;
        }
    }
}

// Checks that a path is one: each edge leaves where the last one led, and the costs add up.
static inline void toy_check_path(test_context *t, const toy_space *toy, int32_t from, int32_t to,
                                  const ploy_edge *path, int32_t count, double cost) {
    double sum = 0.0;
    CHECK(count >= 0 && count < TOY_STATES);
    for (int32_t i = 0; i < count; i++) {
        bool there = false;
        for (int32_t k = 0; k < toy->out_count[from]; k++) {
            const ploy_edge *edge = &toy->out[from][k];
            there = there || (edge->to == path[i].to && edge->label == path[i].label &&
                              edge->cost == path[i].cost);
        }
        CHECK(there);
        from = path[i].to;
        sum += path[i].cost;
    }
    CHECK_INT(from, to);
    CHECK_SAME(sum, cost);
}
