// Finds the angle of a shot by trying. A wall in front of the best angle stops plain climbing; steps
// that adapt, with momentum, pass it, and several starts find the angle too. Shows ploy_tune_ask,
// ploy_tune_tell and ploy_tune_step.
#include "ploy/base/math.h"
#include "ploy/learn/tune.h"

#include <stdio.h>

// What is tuned: any settings with a field table.
typedef struct shot_def {
    uint32_t cookie;
    float angle; // degrees
} shot_def;

static const ploy_field shot_table[] = {
    PLOY_FIELD_F32(shot_def, angle, 10, 5, 44, "deg", "angle of the shot"),
};

static ploy_fields shot_fields(void) {
    return PLOY_FIELDS(shot_def, shot_table);
}

// How near a shell comes to the target. Between 20 and 24 degrees a wall is in the way.
static double miss(void *user, const double *angle, int32_t parameters) {
    (void)user, (void)parameters;
    double radians = angle[0] * 0.017453292519943295;
    double range = 400.0 / 9.81 * ploy_sin(2.0 * radians);
    double off = range - 35.0;
    bool wall = angle[0] > 20.0 && angle[0] < 24.0;
    return (off < 0.0 ? -off : off) + (wall ? 3.0 : 0.0);
}

int main(void) {
    ploy_env env = ploy_env_default();
    shot_def shot;
    ploy_fields_default(shot_fields(), &shot);
    ploy_tune_range range;
    if (ploy_tune_range_of(shot_fields(), &shot, "angle", &range) != PLOY_OK) return 1;
    range.step = 1.0;
    for (int32_t i = 0; i < 3; i++) {
        ploy_tune_def def = ploy_tune_def_default();
        def.minimise = true;
        def.adaptive = i > 0; // whole degrees at first, finer at the end
        if (i == 1) def.momentum = 0.9;
        if (i == 2) def.starts = 5;
        if (i == 2) def.spread = PLOY_TUNE_HALTON;
        ploy_tune *tune = NULL;
        if (ploy_tune_create(&def, &range, 1, &env, &tune) != PLOY_OK ||
            ploy_tune_step(tune, miss, NULL, NULL) != PLOY_OK) {
            return 1;
        }
        ploy_tune_outcome outcome = ploy_tune_outcome_of(tune);
        static const char *const names[] = {"climbing", "momentum", "5 starts"};
        printf("%-9s %.2f degrees, misses by %.2f m, %lld shots, ended: %s\n", names[i],
               ploy_tune_best(tune)[0], outcome.best, (long long)outcome.evaluations,
               outcome.reason);
        ploy_tune_destroy(tune);
    }
    // The same by hand, as a program does that plays its matches on many threads.
    ploy_tune_def def = ploy_tune_def_default();
    def.minimise = true;
    ploy_tune *tune = NULL;
    if (ploy_tune_create(&def, &range, 1, &env, &tune) != PLOY_OK) return 1;
    int32_t count = 0;
    for (const double *angles; (angles = ploy_tune_ask(tune, &count)) != NULL;) {
        double scores[8];
        for (int32_t k = 0; k < count; k++) scores[k] = miss(NULL, angles + k, 1);
        if (ploy_tune_tell(tune, scores) != PLOY_OK) return 1;
    }
    double best = ploy_tune_best(tune)[0];
    if (ploy_tune_apply(shot_fields(), &shot, "angle", best) != PLOY_OK) return 1;
    printf("in whole degrees: %.0f\n", (double)shot.angle);
    ploy_tune_destroy(tune);
    return 0;
}
