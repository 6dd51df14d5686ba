// Simultaneous perturbation (Spall 1992): the slope along one random direction.
#include "ploy/base/math.h"

#include "learn/tune_internal.h"

void ployi_tune_spsa_points(ploy_tune *tune) {
    // Spall's gains: the step shrinks slowly, the difference more slowly.
    double c = ploy_pow((double)tune->iteration + 1.0, -0.101) * tune->scale;
    for (int32_t i = 0; i < tune->n; i++) {
        tune->start[i] = ploy_rng_u32(&tune->rng) % 2 == 0 ? 1.0 : -1.0;
    }
    for (int32_t side = 0; side < 2; side++) {
        double *point = ployi_tune_candidate(tune, side);
        for (int32_t i = 0; i < tune->n; i++) {
            double change = (side == 0 ? c : -c) * tune->start[i] * tune->ranges[i].step;
            point[i] = ployi_tune_clamp(tune->x[i] + change, &tune->ranges[i]);
        }
        tune->moves[side] = -1;
        tune->known[side] = false;
        tune->order[side] = side;
    }
    tune->count = 2;
}

void ployi_tune_spsa(ploy_tune *tune) {
    double k = (double)tune->iteration + 1.0;
    double a = ploy_pow(k + 0.1 * tune->def.max_steps / (1.0 + tune->def.max_steps), -0.602);
    double c = ploy_pow(k, -0.101) * tune->scale;
    double slope = (tune->scores[0] - tune->scores[1]) / (2.0 * c);
    double before = tune->score;
    for (int32_t i = 0; i < tune->n; i++) {
        double sign =
            ployi_tune_candidate(tune, 0)[i] >= ployi_tune_candidate(tune, 1)[i] ? 1.0 : -1.0;
        double change = a * slope * sign;
        if (change > 2.0) change = 2.0; // no more than two steps at once
        if (change < -2.0) change = -2.0;
        tune->x[i] = ployi_tune_clamp(tune->x[i] + change * tune->ranges[i].step, &tune->ranges[i]);
    }
    tune->score = 0.5 * (tune->scores[0] + tune->scores[1]); // an estimate
    tune->iteration++;
    ployi_tune_end_step(tune, tune->score > before);
}
