// Halton: tufts of grass that need no seed and no memory. You will see the first values, a patch of
// a meadow of a million tufts, and the ones in it. Shows ploy/generate/halton.h.
#include <stdio.h>

#include "ploy/ploy.h"

int main(void) {
    printf("base 3:");
    for (unsigned i = 1; i <= 5; i++) printf(" %.4f", ploy_radical_inverse(3, i));
    printf("\n");

    // The meadow is 1 km wide; only what the camera sees is computed.
    static const uint32_t bases[] = {2, 3};
    ploy_halton meadow;
    if (ploy_halton_init(&meadow, 2, bases, 1, 1, NULL) != PLOY_OK) return 1;
    ploy_box2 camera =
        ploy_box2_make(ploy_vec2_make(0.500f, 0.250f), ploy_vec2_make(0.504f, 0.254f));
    uint64_t seen[64];
    int64_t count = ploy_halton_find(&meadow, camera, 1000000, seen, 64);
    printf("%lld tufts in view of a million, the first is number %llu\n", (long long)count,
           (unsigned long long)seen[0]);
    double at[2];
    ploy_halton_at(&meadow, seen[0], at);
    printf("it is at (%.1f, %.1f) m\n", at[0] * 1000.0, at[1] * 1000.0);

    // The same as a generator, in steps of any size.
    ploy_env env = ploy_env_default();
    ploy_halton_points_def def = ploy_halton_points_def_default();
    ploy_halton_points *points = NULL;
    if (ploy_halton_points_begin(&def, ploy_rng_key_make(1), NULL, &env, &points) != PLOY_OK)
        return 1;
    ploy_budget budget = ploy_budget_units(150);
    ploy_result result = ploy_halton_points_step(points, &budget);
    int32_t made = 0;
    const ploy_placed *items = ploy_halton_points_items(points, &made);
    printf("%d points so far, the last at (%.2f, %.2f), %s\n", (int)made,
           (double)items[made - 1].position.x, (double)items[made - 1].position.y,
           ploy_halton_points_outcome(points).done ? "done" : "more to come");
    ploy_halton_points_cancel(points);
    return result < 0 ? 1 : 0;
}
