// A landscape in five steps. You will see how each modifier changes the range of heights, that rain
// moves ground without making or losing any, and that loose ground comes to rest. Shows
// ploy/generate/terrain.h, hills.h and erosion.h.
#include <stdio.h>

#include "ploy/generate/erosion.h"
#include "ploy/generate/hills.h"

static void report(const char *step, const ploy_heightmap *map) {
    float low, high;
    ploy_heightmap_range(map, &low, &high);
    printf("%-10s %5.1f to %5.1f m\n", step, (double)low, (double)high);
}

static double sum(const ploy_heightmap *map, const char *layer) {
    const float *values = ploy_heightmap_layer(map, layer, PLOY_HEIGHTMAP_F32);
    double total = 0.0;
    for (int i = 0; i < ploy_heightmap_cells(map); i++) total += (double)values[i];
    return total;
}

// Rain in slices, as a game would run it: ten passes in each frame.
static ploy_terrain *rain(const ploy_heightmap *map, const ploy_jobs *jobs, const ploy_env *env,
                          int *frames) {
    ploy_hydraulic_def def = ploy_hydraulic_def_default();
    ploy_terrain *terrain = NULL;
    if (ploy_hydraulic_begin(&def, ploy_rng_key_make(1), map, NULL, env, &terrain) != PLOY_OK) {
        return NULL;
    }
    ploy_terrain_set_jobs(terrain, jobs); // NULL: no workers, and the same bits
    for (*frames = 1;; ++*frames) {
        ploy_budget budget = ploy_budget_units(1310);
        if (ploy_terrain_step(terrain, &budget) != PLOY_IN_PROGRESS) return terrain;
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_rng_key key = ploy_rng_key_make(7);
    ploy_heightmap_def size = ploy_heightmap_def_default(); // 128 by 128 cells of 1 m
    ploy_heightmap *map = NULL;
    if (ploy_heightmap_create(&size, &env, &map) != PLOY_OK) return 1;

    ploy_hills_def hills = ploy_hills_def_default();
    if (ploy_hills_run(&hills, key, map, &env) != PLOY_OK) return 1;
    report("hills", map);

    ploy_filter_def desert = ploy_filter_def_default(); // the mesa desert
    if (ploy_filter_run(&desert, key, map, &env) != PLOY_OK) return 1;
    report("desert", map);

    double before = sum(map, "elevation");
    ploy_job_pool *pool = NULL;
    bool threads = ploy_job_pool_create(2, &env, &pool) == PLOY_OK;
    int frames = 0;
    ploy_terrain *terrain = rain(map, threads ? ploy_job_pool_jobs(pool) : NULL, &env, &frames);
    if (terrain == NULL) return 1;
    const ploy_heightmap *wet = ploy_terrain_heights(terrain);
    report("rain", wet);
    double after = sum(wet, "elevation") + sum(wet, "sediment");
    printf("%d frames; ground and sediment changed by %s\n", frames,
           after / before > 0.999999 && after / before < 1.000001 ? "less than a millionth"
                                                                  : "too much");

    ploy_thermal_def slide = ploy_thermal_def_default();
    slide.passes = 5000;
    slide.settle = 1e-4f;
    if (ploy_thermal_run(&slide, key, map, &env) != PLOY_OK) return 1;
    report("slide", map);
    printf("steepest excess below 0.1 mm: %s\n",
           ploy_thermal_excess(map, slide.angle) <= 1e-4f ? "yes" : "no");
    ploy_terrain_cancel(terrain);
    ploy_job_pool_destroy(pool);
    ploy_heightmap_destroy(map);
    return 0;
}
