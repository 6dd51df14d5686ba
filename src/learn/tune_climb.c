// Climbing and annealing: the neighbours of the present point, and which of them is taken.
#include "ploy/base/math.h"

#include "learn/tune_internal.h"

#include <string.h>

static void tune_add(ploy_tune *tune, int32_t move, double change) {
    double *point = ployi_tune_candidate(tune, tune->count);
    memcpy(point, tune->x, (size_t)tune->n * sizeof *point);
    if (move >= 0) {
        int32_t i = move / 2;
        point[i] = ployi_tune_clamp(point[i] + change, &tune->ranges[i]);
        if (point[i] == tune->x[i]) return; // at the edge
    }
    tune->moves[tune->count] = move;
    tune->known[tune->count] = false;
    tune->order[tune->count] = tune->count;
    tune->count++;
}

void ployi_tune_begin_step(ploy_tune *tune) {
    tune->count = tune->cursor = 0;
    if (!tune->scored) {
        tune_add(tune, -1, 0.0);
        return;
    }
    if (tune->def.method == PLOY_TUNE_SPSA) {
        ployi_tune_spsa_points(tune);
        return;
    }
    if (tune->cma != NULL) {
        ployi_tune_cma_points(tune);
        return;
    }
    if (tune->def.reevaluate) tune_add(tune, -1, 0.0);
    int32_t first = tune->count;
    for (int32_t i = 0; i < tune->n; i++) {
        double step = tune->ranges[i].step * tune->scale;
        tune_add(tune, 2 * i, -step);
        tune_add(tune, 2 * i + 1, step);
    }
    if (ployi_tune_sequential(tune) && tune->def.random_order) {
        ploy_rng_shuffle(&tune->rng, tune->order + first, tune->count - first, sizeof(int32_t));
    }
}

static void tune_move(ploy_tune *tune, int32_t candidate) {
    double gain = tune->scores[candidate] - tune->score;
    memcpy(tune->x, ployi_tune_candidate(tune, candidate), (size_t)tune->n * sizeof *tune->x);
    tune->score = tune->scores[candidate];
    bool repeats = tune->def.accumulate && tune->moves[candidate] == tune->last_move;
    // Accumulating: what is carried over is m (M + gain); the bonus multiplies by m once more.
    tune->improvement = gain + (repeats ? tune->def.momentum * tune->improvement : 0.0);
    tune->last_move = tune->moves[candidate];
    if (tune->def.adaptive && gain > 0.0) {
        tune->scale *= tune->def.step_up;
        if (tune->scale > tune->def.max_step) tune->scale = tune->def.max_step;
    }
}

static void tune_steepest(ploy_tune *tune) {
    int32_t best = -1;
    double best_value = tune->score;
    for (int32_t i = 0; i < tune->count; i++) {
        if (tune->moves[i] < 0) continue;
        double value = tune->scores[i];
        if (tune->def.method == PLOY_TUNE_DIRECT) {
            double noise = (double)ploy_rng_binomial(&tune->rng);
            value += noise * (tune->temperature > 0.0 ? tune->temperature : 0.0);
        }
        if (tune->moves[i] == tune->last_move) value += tune->def.momentum * tune->improvement;
        if (!(value > best_value)) continue; // the first of equal ones wins
        best_value = value;
        best = i;
    }
    if (best >= 0) tune_move(tune, best);
    ployi_tune_end_step(tune, best >= 0);
}

// Looks at the known candidate under the cursor. @return true if the step is over.
static bool tune_sequence(ploy_tune *tune) {
    int32_t i = tune->order[tune->cursor++];
    if (tune->moves[i] < 0) return false;
    double value = tune->scores[i], loss = tune->score - value;
    if (tune->moves[i] == tune->last_move) value += tune->def.momentum * tune->improvement;
    bool take = value > tune->score;
    if (!take && tune->def.method == PLOY_TUNE_BOLTZMANN && tune->temperature > 0.0) {
        double chance = loss <= 0.0 ? 1.0 : ploy_exp(-loss / tune->temperature);
        take = ploy_rng_double(&tune->rng) < chance;
    }
    if (take) tune_move(tune, i);
    return take;
}

// Uses the scores that are known. @return true if it got on without asking.
bool ployi_tune_advance(ploy_tune *tune) {
    if (!tune->scored) {
        if (!tune->known[0]) return false;
        tune->score = tune->scores[0];
        tune->scored = true;
        tune->count = 0;
        return true;
    }
    if (ployi_tune_sequential(tune)) {
        while (tune->cursor < tune->count) {
            if (!tune->known[tune->order[tune->cursor]]) return false;
            if (tune_sequence(tune)) {
                ployi_tune_end_step(tune, true);
                return true;
            }
        }
        ployi_tune_end_step(tune, false);
        return true;
    }
    for (int32_t i = 0; i < tune->count; i++) {
        if (!tune->known[i]) return false;
    }
    if (tune->def.method == PLOY_TUNE_SPSA) {
        ployi_tune_spsa(tune);
    } else if (tune->cma != NULL) {
        ployi_tune_cma(tune);
    } else {
        tune_steepest(tune);
    }
    return true;
}
