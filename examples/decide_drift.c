// Time counts: a short soda against a long meal while the bladder fills. You see the score of each
// action without and with its time, and a motive's rate of growth learned from looks at its value,
// with the character's own meal left out. Shows ploy_gob_score, ploy_motive_after and
// ploy_gob_rate_step.
#include <stdio.h>

#include "ploy/decide/gob.h"

int main(void) {
    static const float soda[] = {-2, 2}, meal[] = {-4, 0};
    const ploy_gob_action actions[] = {{"soda", soda, 0.25f, 0, {0, 0}},
                                       {"meal", meal, 2.0f, 0, {0, 0}}};
    ploy_motive motives[] = {ploy_motive_make("eat", 4), ploy_motive_make("bathroom", 1)};
    motives[1].rate = 4.0f; // in an hour
    ploy_gob_def overall = ploy_gob_def_default(), timed = overall;
    overall.mode = PLOY_GOB_OVERALL;
    timed.mode = PLOY_GOB_TIMED;
    for (int i = 0; i < 2; i++) {
        printf("%s: bathroom %g after it, score %g, with its time %g\n", actions[i].name,
               (double)ploy_motive_after(&motives[1], actions[i].changes[1], actions[i].duration),
               (double)ploy_gob_score(&overall, motives, 2, &actions[i]),
               (double)ploy_gob_score(&timed, motives, 2, &actions[i]));
    }
    // Hunger grows by 2 in an hour, which the character does not know. In hour 3 it eats 5 of it.
    ploy_gob_rate rate = {0}, naive = {0};
    float hunger = 3;
    for (int hour = 0; hour <= 6; hour++) {
        ploy_gob_rate_step(&rate, hunger, 1.0f, 0.5f);
        ploy_gob_rate_step(&naive, hunger, 1.0f, 0.5f);
        printf("hour %d: hunger %g, rate %.3f, with the meal counted as drift %.3f\n", hour,
               (double)hunger, (double)rate.estimate, (double)naive.estimate);
        if (hour == 3) {
            hunger -= 5;
            ploy_gob_rate_own(&rate, -5);
        }
        hunger += 2;
    }
    return 0;
}
