// Benchmarks of landscapes and plants: erosion beside the book's passes over structs, rivers, strings.
#include "bench/bench.h"

#include <stdlib.h>

#include "bench/erosion_plain.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/generate/erosion.h"
#include "ploy/generate/lsystem.h"
#include "ploy/generate/water.h"

enum { LAND_PASSES = 4 };

static ploy_heightmap *land_map(int32_t side) {
    ploy_env env = ploy_env_default();
    ploy_heightmap_def def = ploy_heightmap_def_default();
    def.columns = def.rows = side;
    ploy_heightmap *map = NULL;
    if (ploy_heightmap_create(&def, &env, &map) != PLOY_OK) return NULL;
    ploy_faults_def faults = ploy_faults_def_default();
    faults.fade = (float)side / 8.0f;
    if (ploy_faults_run(&faults, ploy_rng_key_make(7), map, &env) != PLOY_OK) return NULL;
    ploy_heightmap_rescale(map, 0.0f, (float)side / 8.0f);
    return map;
}

typedef struct land_erosion {
    ploy_terrain *terrain;
    erosion_plain plain;
    int32_t side;
} land_erosion;

static void land_erosion_ours(void *self) {
    land_erosion *data = self;
    ploy_budget budget = ploy_budget_units((int64_t)LAND_PASSES * (data->side + 3));
    ploy_terrain_step(data->terrain, &budget);
    bench_keep(ploy_terrain_heights(data->terrain));
}

static void land_erosion_plain(void *self) {
    land_erosion *data = self;
    for (int32_t i = 0; i < LAND_PASSES; i++) erosion_plain_step(&data->plain);
    bench_keep(data->plain.cells);
}

void bench_generate_erosion(bench_run *run) {
    int32_t side = (int32_t)bench_size(run);
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = land_map(side);
    ploy_hydraulic_def def = ploy_hydraulic_def_default();
    def.passes = 1000000;
    land_erosion data = {NULL, {0}, side};
    data.plain = (erosion_plain){calloc((size_t)side * (size_t)side, sizeof(erosion_plain_cell)),
                                 side,
                                 side,
                                 def.rain,
                                 def.flow_rate,
                                 def.carry,
                                 def.pick,
                                 def.drop,
                                 def.solubility,
                                 def.evaporation,
                                 false};
    if (map == NULL || data.plain.cells == NULL ||
        ploy_hydraulic_begin(&def, ploy_rng_key_make(1), map, NULL, &env, &data.terrain) !=
            PLOY_OK) {
        bench_fail(run, "out of memory");
    } else {
        for (int32_t i = 0; i < side * side; i++) {
            data.plain.cells[i].elevation = ploy_heightmap_elevation(map)[i];
        }
        double cells = (double)LAND_PASSES * side * side;
        bench_measure(run, bench_call(land_erosion_ours, &data, cells),
                      bench_call(land_erosion_plain, &data, cells), bench_nothing());
    }
    ploy_terrain_cancel(data.terrain);
    free(data.plain.cells);
    ploy_heightmap_destroy(map);
}

// ---- rivers

typedef struct land_river {
    ploy_heightmap *map;
    ploy_water_def def;
    bool failed;
} land_river;

static void land_river_run(void *self) {
    land_river *data = self;
    ploy_env env = ploy_env_default();
    ploy_water *water = NULL;
    if (ploy_water_begin(&data->def, ploy_rng_key_make(1), data->map, NULL, &env, &water) !=
            PLOY_OK ||
        ploy_water_step(water, NULL) != PLOY_OK) {
        data->failed = true;
    }
    bench_keep(water);
    ploy_water_cancel(water);
}

void bench_generate_river(bench_run *run) {
    int32_t side = (int32_t)bench_size(run);
    land_river data = {land_map(side), ploy_water_def_default(), false};
    if (data.map != NULL) {
        bench_measure(run, bench_call(land_river_run, &data, (double)side * side), bench_nothing(),
                      bench_nothing());
    }
    if (data.map == NULL || data.failed) bench_fail(run, "out of memory");
    ploy_heightmap_destroy(data.map);
}

// ---- letters

static void land_lsystem_run(void *self) {
    bool *failed = self;
    ploy_env env = ploy_env_default();
    ploy_lsystem_def def = ploy_lsystem_def_default();
    ploy_lsystem *lsystem = NULL;
    def.generations = 6;
    if (ploy_lsystem_begin(&def, ploy_rng_key_make(1), NULL, NULL, &env, &lsystem) != PLOY_OK ||
        ploy_lsystem_step(lsystem, NULL) != PLOY_OK) {
        *failed = true;
    }
    bench_keep(lsystem);
    ploy_lsystem_cancel(lsystem);
}

void bench_generate_lsystem(bench_run *run) {
    bool failed = false;
    // The weed has 25159 letters after six generations; one operation is one of them.
    bench_measure(run, bench_call(land_lsystem_run, &failed, 25159.0), bench_nothing(),
                  bench_nothing());
    if (failed) bench_fail(run, "out of memory");
}
