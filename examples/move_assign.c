// Two hundred soldiers take two hundred places; the sum of their distances is the smallest possible. That takes longer than a frame,
// so it is done in slices of a fixed size. You will see how many frames it took. Shows
// ploy_assign_begin, ploy_assign_step and ploy_assign_result.
#include <stdio.h>

#include "ploy/base/rng.h"
#include "ploy/geom/vec.h"
#include "ploy/move/assign.h"

enum { SOLDIERS = 200 };

int main(void) {
    static float costs[SOLDIERS * SOLDIERS];
    static int32_t place_of[SOLDIERS];
    ploy_vec2 soldiers[SOLDIERS], places[SOLDIERS];
    ploy_rng rng = ploy_rng_make(7);
    for (int i = 0; i < SOLDIERS; i++) {
        soldiers[i].x = ploy_rng_range(&rng, -50.0f, 50.0f);
        soldiers[i].y = ploy_rng_range(&rng, -50.0f, 50.0f);
        places[i] = ploy_vec2_make(2.0f * (float)(i % 20), 2.0f * (float)(i / 20));
    }
    for (int i = 0; i < SOLDIERS; i++) {
        for (int j = 0; j < SOLDIERS; j++) {
            costs[i * SOLDIERS + j] = ploy_vec2_distance(soldiers[i], places[j]);
        }
    }
    ploy_env env = ploy_env_default();
    ploy_assign *assign = NULL;
    double total = 0.0;
    int frames = 0;
    ploy_result result = ploy_assign_create(&env, &assign);
    if (result == PLOY_OK) result = ploy_assign_begin(assign, costs, SOLDIERS, SOLDIERS, 1e6f);
    while (result == PLOY_OK || result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(500); // what a frame may spend on it
        result = ploy_assign_step(assign, &budget);
        frames++;
        if (result == PLOY_OK) break;
    }
    if (result == PLOY_OK) result = ploy_assign_result(assign, place_of, &total);
    if (result == PLOY_OK) {
        printf("after %d frames the first one goes to place %d\n", frames, (int)place_of[0]);
        printf("all of them walk %.0f m\n", total);
    }
    ploy_assign_destroy(assign);
    return result == PLOY_OK ? 0 : 1;
}
