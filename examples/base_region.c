// Rewind: everything of a small world lies in one region, so going back in time is one call. You
// will see a herd grow, the world put back, and the same herd grow again. Shows ploy_region,
// ploy_snapshot and a container that lives inside.
#include <stdio.h>

#include "ploy/base/array.h"
#include "ploy/base/region.h"
#include "ploy/base/rng.h"

// The world. Pointers in it stay right after a rewind, because restored bytes return to their
// addresses; so nothing here knows how to save itself.
typedef struct world {
    ploy_rng rng;
    ploy_array sheep; // of float: the position of each, m
} world;

static world *world_create(ploy_region *region) {
    ploy_env env = ploy_region_env(region); // what is allocated with it lies in the region
    world *w = ploy_env_alloc_zero(&env, sizeof *w);
    if (w == NULL) return NULL;
    w->rng = ploy_rng_make(7);
    ploy_array_init(&w->sheep, sizeof(float), &env);
    ploy_region_set_root(region, w);
    return w;
}

static void world_step(world *w) {
    float *sheep = PLOY_ARRAY_ITEMS(&w->sheep, float);
    for (int32_t i = 0; i < w->sheep.count; i++) sheep[i] += ploy_rng_range(&w->rng, -1, 1);
    float lamb = ploy_rng_range(&w->rng, 0, 100);
    if (ploy_rng_chance(&w->rng, 0.5f)) (void)ploy_array_push(&w->sheep, &lamb);
}

static void show(const char *when, const world *w) {
    printf("%-12s %2d sheep, the first at %.3f m\n", when, (int)w->sheep.count,
           (double)*PLOY_ARRAY_AT(&w->sheep, float, 0));
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    ploy_snapshot *then = NULL;
    if (ploy_region_create(1 << 20, &env, &region) != PLOY_OK) return 1;
    world *w = world_create(region);
    if (w == NULL) return 1;

    for (int tick = 0; tick < 10; tick++) world_step(w);
    show("tick 10", w);
    if (ploy_region_snapshot(region, &then) != PLOY_OK) return 1;
    for (int tick = 10; tick < 40; tick++) world_step(w);
    show("tick 40", w);
    (void)ploy_region_restore(region, then); // cannot fail for a snapshot of this region
    show("rewound", w);
    for (int tick = 10; tick < 40; tick++) world_step(w);
    show("tick 40 again", w);

    ploy_snapshot_destroy(then);
    ploy_region_destroy(region); // and with it all that lies inside
    return 0;
}
