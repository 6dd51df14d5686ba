// A sniper who moves on: four points, each with a number that says how safe it is. A shot makes its
// own point unsafe and the others safer; with time all recover. You see where it shoots from, and what
// a report of a fighter's states predicts about its next ones. Shows ploy_markov: matrices triggered by
// events, a default one when nothing happens, and matrices learned from a sequence.
#include <stdio.h>
#include <string.h>

#include "ploy/decide/markov.h"

enum { POINTS = 4 };

typedef struct sniper {
    int32_t shot_from; // -1: not in this step
} sniper;

static bool sniper_shot(void *user, const ploy_moment *moment, const float *args) {
    (void)moment;
    return ((const sniper *)user)->shot_from == (int32_t)args[0];
}

// A shot from a point leaves a tenth of its safety there; every other loses a fifth and gains some.
static void sniper_matrix(int32_t from, double *matrix) {
    ploy_markov_fill(matrix, POINTS, 0.8, 0);
    for (int32_t j = 0; j < POINTS; j++) matrix[from * POINTS + j] = j == from ? 0.1 : 0.3;
}

static ploy_result sniper_build(ploy_markov_type *type, sniper *who) {
    static const double safe[POINTS] = {1, 0.5, 1, 1.5};
    double matrix[POINTS * POINTS];
    ploy_conditions *set = ploy_markov_type_conditions(type);
    (void)ploy_conditions_register(set, "shot from", sniper_shot, who, 1);
    for (int32_t i = 0; i < POINTS; i++) {
        char id[] = "shot from 0";
        float point = (float)i;
        id[10] = (char)('0' + i);
        sniper_matrix(i, matrix);
        (void)ploy_markov_type_add(type, id, ploy_condition_named(set, "shot from", &point, 1),
                                   matrix, NULL, NULL);
    }
    ploy_markov_fill(matrix, POINTS, 1, 0.05);
    (void)ploy_markov_type_set_default(type, matrix);
    (void)ploy_markov_type_set_initial(type, safe);
    return ploy_markov_type_finish(type);
}

// Learned from what was seen: how a fighter divides its time in the long run. With a tenth of a fighter
// joining in each step, the same vector counts fighters.
static void predict(void) {
    enum { PATROL, FIGHT, REST, STATES };
    static const int32_t seen[] = {PATROL, PATROL, FIGHT, FIGHT,  FIGHT, REST,
                                   PATROL, PATROL, FIGHT, PATROL, REST,  PATROL};
    static const double reinforcements[STATES] = {0.1, 0, 0};
    double learned[STATES * STATES], joined[(STATES + 1) * (STATES + 1)], scratch[STATES + 1];
    double share[STATES] = {1, 0, 0}, team[STATES + 1] = {1, 0, 0, 1};
    if (ploy_markov_learn(seen, 12, STATES, 0, learned) != PLOY_OK) return;
    int64_t steps = ploy_markov_settle(learned, STATES, 1e-3, 1000, share, scratch);
    printf("after %d steps: %.2f patrol, %.2f fight, %.2f rest\n", (int)steps, share[PATROL],
           share[FIGHT], share[REST]);
    ploy_markov_affine(learned, STATES, reinforcements, joined);
    for (int step = 0; step < 10; step++) {
        ploy_markov_step(joined, STATES + 1, team, scratch);
        memcpy(team, scratch, sizeof team);
    }
    printf("ten steps later a team of 1 is %.1f\n", team[PATROL] + team[FIGHT] + team[REST]);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_markov_def def = ploy_markov_def_default();
    ploy_markov_type *type = NULL;
    ploy_markov *markov = NULL;
    sniper who = {-1};
    def.count = POINTS;
    def.reset_steps = 2; // two quiet steps, and the points recover
    def.max = 2;
    if (ploy_markov_type_create(&def, NULL, &env, &type) != PLOY_OK ||
        sniper_build(type, &who) != PLOY_OK || ploy_markov_create(type, &env, &markov) != PLOY_OK) {
        return 1;
    }
    for (int step = 0; step < 9; step++) {
        const double *safe = ploy_markov_vector(markov);
        int32_t fired = 0, best = ploy_markov_largest(safe, POINTS);
        who.shot_from = step % 3 == 0 ? best : -1;
        printf("%.2f %.2f %.2f %.2f", safe[0], safe[1], safe[2], safe[3]);
        ploy_moment moment = ploy_moment_make(NULL);
        if (ploy_markov_update(markov, &moment, &fired) != PLOY_OK) return 1;
        if (fired >= 0) {
            printf("  shoots from %d\n", (int)fired);
        } else {
            printf("%s\n", fired == -2 ? "  it has been quiet" : "");
        }
    }
    ploy_markov_destroy(markov);
    ploy_markov_type_destroy(type);
    predict();
    return 0;
}
