// Scatter: trees and rocks on a hillside. You will see how many of each there are, that no two
// overlap, and why places were refused. Shows ploy/generate/scatter.h.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ploy/ploy.h"

enum { SIDE = 33 };

int main(void) {
    // A hill, 64 m wide: trees grow below 12 m and where it is not too steep.
    static float heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        float x = (float)(i % SIDE) - 16.0f, y = (float)(i / SIDE) - 16.0f;
        heights[i] = 20.0f - 0.08f * (x * x + y * y);
    }
    ploy_scatter_terrain slopes = {
        ploy_heightfield_make(heights, SIDE, SIDE, ploy_vec2_make(0, 0), 2.0f), -50.0f, 12.0f,
        0.9f};

    // Oaks need room among themselves; mushrooms never grow near rocks.
    static const ploy_scatter_type types[] = {{20, 1.0f, 1.8f}, {5, 0.5f, 1.0f}, {1, 0.2f, 0.2f}};
    static const float margins[] = {1.0f, 0, 0, 0, 0, 0, 0, 0, 0};
    static const bool forbidden[] = {false, false, false, false, false, true, false, true, false};
    ploy_scatter_types kinds = {types, 3, margins, forbidden, 4.0f};
    ploy_scatter_input input;
    memset(&input, 0, sizeof input);
    input.area = ploy_scatter_area_terrain(&slopes);
    input.types = &kinds;

    ploy_env env = ploy_env_default();
    ploy_scatter_def def = ploy_scatter_def_default();
    def.width = def.height = 64.0f;
    def.centre_start = false;
    ploy_scatter *scatter = NULL;
    if (ploy_scatter_begin(&def, ploy_rng_key_make(7), &input, NULL, &env, &scatter) != PLOY_OK) {
        return 1;
    }
    // A game spends a few attempts each frame; here 100 a frame.
    int frames = 0;
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(100);
        result = ploy_scatter_step(scatter, &budget);
        frames++;
    }
    int32_t count = 0, by_type[3] = {0, 0, 0};
    const ploy_placed *items = ploy_scatter_points(scatter, &count);
    float nearest = 1e9f;
    for (int32_t i = 0; i < count; i++) {
        by_type[items[i].type]++;
        for (int32_t k = 0; k < i; k++) {
            float gap = ploy_vec2_distance(items[i].position, items[k].position);
            nearest = fminf(nearest, gap - items[i].radius - items[k].radius);
        }
    }
    ploy_generate_outcome outcome = ploy_scatter_outcome(scatter);
    printf("%d oaks, %d rocks, %d mushrooms in %d frames\n", (int)by_type[0], (int)by_type[1],
           (int)by_type[2], frames);
    printf("smallest gap %s, %lld of %lld places refused\n", nearest >= 0 ? "above 0" : "below 0",
           (long long)outcome.rejected, (long long)outcome.attempts);
    ploy_scatter_cancel(scatter);
    return 0;
}
