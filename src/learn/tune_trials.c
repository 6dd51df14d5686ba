// Trials of a parameter search: where they start and when they end.
#include "ploy/base/math.h"

#include "learn/tune_internal.h"

static double tune_radical_inverse(int64_t index, int64_t base) {
    double sum = 0.0, share = 1.0 / (double)base;
    for (; index > 0; index /= base, share /= (double)base) sum += share * (double)(index % base);
    return sum;
}

static int64_t tune_prime(int32_t index) {
    int64_t prime = 2;
    for (;; prime++) {
        bool is_prime = true;
        for (int64_t d = 2; d * d <= prime && is_prime; d++) is_prime = prime % d != 0;
        if (is_prime && index-- == 0) return prime;
    }
}

static void tune_place(ploy_tune *tune) {
    int32_t side = 1;
    while (ploy_pow(side, tune->n) < tune->def.starts - 1) side++;
    int64_t cell = tune->trial - 1;
    for (int32_t i = 0; i < tune->n; i++) {
        const ploy_tune_range *r = &tune->ranges[i];
        double share = 0.0;
        switch (tune->def.spread) {
        case PLOY_TUNE_RANDOM: share = ploy_rng_double(&tune->rng); break;
        case PLOY_TUNE_HALTON: share = tune_radical_inverse(tune->trial, tune_prime(i)); break;
        case PLOY_TUNE_GRID:
            share = ((double)(cell % side) + 0.5) / side;
            cell /= side;
            break;
        }
        tune->x[i] = r->min + share * (r->max - r->min);
    }
}

// Ends a trial, and the search if it was the last one or the reason ends all.
void ployi_tune_end_trial(ploy_tune *tune, tune_reason reason) {
    tune->reason = (int32_t)reason;
    tune->count = 0;
    bool all = reason == TUNE_EVALUATIONS || reason == TUNE_TARGET;
    if (all || tune->trial + 1 >= tune->def.starts) {
        tune->done = true;
        return;
    }
    tune->trial++;
    tune_place(tune);
    tune->scored = false;
    tune->scale = 1.0;
    tune->temperature = tune->def.temperature;
    tune->improvement = 0.0;
    tune->last_move = -1;
    tune->trial_steps = tune->iteration = 0;
    tune->stale = 0;
    tune->reason = TUNE_GOES_ON;
    if (tune->cma != NULL) ployi_tune_cma_reset(tune);
}

// Ends a step: cools, and applies the rules that stop.
void ployi_tune_end_step(ploy_tune *tune, bool moved) {
    tune->count = 0;
    tune->steps++;
    tune->trial_steps++;
    tune->stale++;
    bool anneals = tune->def.method == PLOY_TUNE_DIRECT || tune->def.method == PLOY_TUNE_BOLTZMANN;
    if (anneals) {
        if (tune->def.schedule == PLOY_TUNE_GEOMETRIC) {
            tune->temperature *= tune->def.cooling;
        } else {
            tune->temperature -= tune->def.cooling * tune->def.temperature;
        }
    }
    tune_reason reason = TUNE_GOES_ON;
    if (!moved && tune->cma != NULL) {
        reason = TUNE_OPTIMUM; // the distribution is narrow
    } else if (!moved && tune->def.adaptive) {
        tune->scale *= tune->def.step_down;
        if (tune->scale < tune->def.min_step) reason = TUNE_OPTIMUM;
    } else if (!moved && !anneals && tune->def.method != PLOY_TUNE_SPSA && !tune->def.reevaluate) {
        reason = TUNE_OPTIMUM;
    }
    if (anneals && !(tune->temperature > tune->def.min_temperature)) reason = TUNE_COLD;
    if (tune->trial_steps >= tune->def.max_steps) reason = TUNE_STEPS;
    if (tune->def.stagnation > 0 && tune->stale >= tune->def.stagnation) reason = TUNE_STAGNATION;
    if (reason != TUNE_GOES_ON) ployi_tune_end_trial(tune, reason);
}
