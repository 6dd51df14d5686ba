// A parameter search's state, shared by the files of the search.
//
// Inside, larger is always better: scores are negated if they are energies. A step makes a list of
// candidates, requests the scores of those that are not known yet, and moves when it has enough of
// them. Candidate 0 is the present point where it must be scored too.
//
// Invariants:
//   (1) candidates[0..count) are within their ranges; known[i] is true once scores[i] is set;
//   (2) asked lists the unknown candidates that the caller is scoring, each `repeats` times.
#pragma once

#include "ploy/base/map.h"
#include "ploy/learn/tune.h"

typedef enum tune_reason {
    TUNE_GOES_ON,
    TUNE_OPTIMUM,
    TUNE_EVALUATIONS,
    TUNE_STEPS,
    TUNE_TARGET,
    TUNE_STAGNATION,
    TUNE_COLD,
    TUNE_REASONS
} tune_reason;

typedef struct tune_memo {
    uint64_t key; // hash of the point
    double score;
} tune_memo;

struct ploy_tune {
    ploy_env env;
    ploy_tune_def def;
    int32_t n;    // parameters
    int32_t room; // candidates
    size_t size;  // of the block that starts at `ranges`
    ploy_tune_range *ranges;
    double *x, *best;    // n each
    double *candidates;  // room * n
    double *scores;      // room
    double *asked;       // room * repeats * n, scratch
    double *start;       // n, scratch
    double *cma;         // state of CMA-ES; its file has the layout. NULL for other methods
    int32_t *moves;      // room: 2 * parameter + (up ? 1 : 0); -1 for the present point
    int32_t *order;      // room: candidates in the order in which they are tried
    bool *known;         // room
    int32_t count;       // candidates of this step; 0: a step begins
    int32_t cursor;      // first and boltzmann: place in `order`
    int32_t asked_count; // candidates asked for; 0: none
    ploy_rng rng;
    double score, best_score, temperature, scale, improvement;
    bool scored, has_best, done;
    int32_t last_move; // -1: none
    int32_t trial, stale, reason;
    int64_t steps, trial_steps, evaluations, saved, iteration;
    double pairs, sum_a, sum_b, sum_aa, sum_bb, sum_ab; // of neighbouring scores
    ploy_array memo;                                    // tune_memo, in the order of evaluation
    ploy_map index; // key to int32_t in memo; rebuilt after a load
};

extern const char *const ployi_tune_reasons[TUNE_REASONS];

static inline double ployi_tune_clamp(double value, const ploy_tune_range *range) {
    return value < range->min ? range->min : value > range->max ? range->max : value;
}

static inline bool ployi_tune_sequential(const ploy_tune *tune) {
    return tune->def.method == PLOY_TUNE_FIRST || tune->def.method == PLOY_TUNE_BOLTZMANN;
}

// Candidates are drawn around the point and are not neighbours of it.
static inline bool ployi_tune_samples(const ploy_tune *tune) {
    return tune->def.method == PLOY_TUNE_SPSA || tune->def.method == PLOY_TUNE_CMA;
}

static inline double *ployi_tune_candidate(const ploy_tune *tune, int32_t index) {
    return tune->candidates + (size_t)index * (size_t)tune->n;
}

// Fills the candidates of the next step.
void ployi_tune_begin_step(ploy_tune *tune);
// Uses the scores that are known. @return true if it advanced without a request.
bool ployi_tune_advance(ploy_tune *tune);
// Ends a step: cools, and applies the rules that stop.
void ployi_tune_end_step(ploy_tune *tune, bool moved);
// Ends a trial, and the search if it was the last one or the reason ends all.
void ployi_tune_end_trial(ploy_tune *tune, tune_reason reason);

// SPSA: the two points of a step, and the step.
void ployi_tune_spsa_points(ploy_tune *tune);
void ployi_tune_spsa(ploy_tune *tune);

// CMA-ES: points in a generation, doubles of its state, where a trial starts, the points of a
// generation, and what is learned from their scores.
int32_t ployi_tune_cma_population(const ploy_tune_def *def, int32_t parameters);
size_t ployi_tune_cma_doubles(int32_t parameters);
void ployi_tune_cma_reset(ploy_tune *tune);
void ployi_tune_cma_points(ploy_tune *tune);
void ployi_tune_cma(ploy_tune *tune);
void ployi_tune_cma_visit(ploy_visit *v, ploy_tune *tune);
