// Levels of 200 by 200 cells beside rot.js (bench/peers/rot_levels.mjs): the whole level, which on our side
// includes distances, roles and keys. Both must have about the same share of floor.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/data/tiled_use.h"
#include "ploy/generate/caves.h"
#include "ploy/generate/dungeon.h"
#include "ploy/generate/maze.h"
#include "ploy/generate/wfc.h"

enum { LEVELS_SIDE = 200, LEVELS_EACH = 8 };

typedef struct levels_bench {
    const ploy_generator_type *type;
    const void *def;
    uint64_t seed;
    bool measure; // the floor too
    double floor; // share of the last level
} levels_bench;

static void levels_bench_make(void *self) {
    levels_bench *data = self;
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < LEVELS_EACH; i++) {
        ploy_generator generator;
        ploy_rng_key key = ploy_rng_key_make(data->seed++);
        if (ploy_generator_run(data->type, data->def, key, NULL, NULL, &env, &generator) !=
            PLOY_OK) {
            fprintf(stderr, "ploy: out of memory\n");
            exit(2);
        }
        if (data->measure) {
            const ploy_floor_plan *plan = ploy_generator_content(generator).plan;
            data->floor = ploy_floor_plan_stats_of(plan).open / (double)(LEVELS_SIDE * LEVELS_SIDE);
        }
        ploy_generator_cancel(generator);
    }
}

static void levels_bench_run(bench_run *run, const ploy_generator_type *type, const void *def,
                             const char *peer_name) {
    levels_bench data = {type, def, 1, false, 0.0};
    bench_side peer = bench_node_with(run, "rot_levels.mjs", peer_name);
    bench_measure(run, bench_call(levels_bench_make, &data, LEVELS_EACH), peer, bench_nothing());
    double theirs = 0.0;
    data.measure = true;
    levels_bench_make(&data);
    if (bench_ask(run, peer, "floor", &theirs)) {
        char text[96];
        snprintf(text, sizeof text, "floor: %.1f %% of the cells, the peer %.1f %%",
                 100.0 * data.floor, 100.0 * theirs);
        bench_note(run, text);
        if (!(data.floor > 0.85 * theirs)) bench_fail(run, "less floor than the peer");
    }
}

void bench_generate_dungeon(bench_run *run) {
    ploy_dungeon_def def = ploy_dungeon_def_default();
    def.width = def.height = LEVELS_SIDE;
    def.max_attempts = 600; // as much floor as the peer digs
    def.room_max = 12;
    levels_bench_run(run, ploy_dungeon_generator(), &def, "dungeon");
}

void bench_generate_maze(bench_run *run) {
    ploy_maze_def def = ploy_maze_def_default();
    def.width = def.height = LEVELS_SIDE / 2;
    def.walls = PLOY_MAZE_EXPAND;
    levels_bench_run(run, ploy_maze_generator(), &def, "maze");
}

void bench_generate_cave(bench_run *run) {
    ploy_caves_def def = ploy_caves_def_default();
    def.width = def.height = LEVELS_SIDE;
    levels_bench_run(run, ploy_caves_generator(), &def, "cave");
}

// The published sample Rooms, highest row first.
static const char wfc_rooms[] =
    "###.########.###/###.#####......#/#.....###......#/#.....###......#/"
    "#..............#/......###......./#.....###......#/##.######......#/"
    "##.########.####/##.########.####/##......##....##/........##....../"
    "##............##/##......##....##/##......####.###/###.########.###";

enum { WFC_SAMPLE_SIDE = 16, WFC_BENCH_SIDE = 48, WFC_BENCH_EACH = 4 };

typedef struct wfc_bench {
    ploy_wfc_def def;
    ploy_wfc_model *model;
    uint64_t seed;
} wfc_bench;

static void wfc_bench_make(void *self) {
    wfc_bench *data = self;
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < WFC_BENCH_EACH; i++) {
        ploy_wfc *wfc = NULL;
        ploy_rng_key key = ploy_rng_key_make(data->seed++);
        bool made = ploy_wfc_begin(&data->def, key, data->model, NULL, &env, &wfc) == PLOY_OK &&
                    ploy_wfc_step(wfc, NULL) == PLOY_OK && !ploy_wfc_outcome(wfc).partial;
        if (!made) {
            fprintf(stderr, "ploy: out of memory or of restarts\n");
            exit(2);
        }
        ploy_wfc_cancel(wfc);
    }
}

void bench_generate_wfc(bench_run *run) {
    wfc_bench data = {ploy_wfc_def_default(), NULL, 1};
    data.def.columns = data.def.rows = WFC_BENCH_SIDE;
    data.def.n = 3;
    data.def.symmetry = 8;
    data.def.periodic = true;
    data.def.sample_periodic = true;
    int32_t tiles[WFC_SAMPLE_SIDE * WFC_SAMPLE_SIDE];
    for (int32_t i = 0; i < WFC_SAMPLE_SIDE * WFC_SAMPLE_SIDE; i++) {
        int32_t row = WFC_SAMPLE_SIDE - 1 - i / WFC_SAMPLE_SIDE;
        tiles[i] = wfc_rooms[row * (WFC_SAMPLE_SIDE + 1) + i % WFC_SAMPLE_SIDE] == '#';
    }
    ploy_env env = ploy_env_default();
    if (ploy_wfc_model_from_sample(&data.def, tiles, WFC_SAMPLE_SIDE, WFC_SAMPLE_SIDE, &env,
                                   &data.model) != PLOY_OK) {
        bench_fail(run, "the sample does not load");
        return;
    }
    bench_side peer = bench_node_with(run, "wfc_rooms.mjs", wfc_rooms);
    bench_measure(run, bench_call(wfc_bench_make, &data, WFC_BENCH_EACH), peer, bench_nothing());
    ploy_wfc_model_destroy(data.model);
}

typedef struct tiled_bench {
    ploy_tiled *map;
    ploy_buffer text;
} tiled_bench;

static void tiled_bench_round(void *self) {
    tiled_bench *data = self;
    ploy_env env = ploy_env_default();
    ploy_tiled *again = NULL;
    ploy_buffer_clear(&data->text);
    ploy_writer writer = ploy_buffer_writer(&data->text);
    bool made = ploy_tiled_save(data->map, NULL, &writer) == PLOY_OK &&
                ploy_tiled_load(ploy_buffer_text(&data->text), data->text.size, "level.tmx", NULL,
                                &env, NULL, &again) == PLOY_OK;
    if (!made) {
        fprintf(stderr, "ploy: a map does not read back\n");
        exit(2);
    }
    ploy_tiled_destroy(again);
}

void bench_data_tiled(bench_run *run) {
    ploy_env env = ploy_env_default();
    ploy_dungeon_def def = ploy_dungeon_def_default();
    def.width = def.height = LEVELS_SIDE;
    ploy_generator level;
    tiled_bench data;
    data.map = NULL;
    ploy_buffer_init(&data.text, 0, &env);
    if (ploy_generator_run(ploy_dungeon_generator(), &def, ploy_rng_key_make(1), NULL, NULL, &env,
                           &level) != PLOY_OK) {
        bench_fail(run, "no level");
        return;
    }
    ploy_content content = ploy_generator_content(level);
    if (ploy_tiled_from_content(&content, &env, &data.map) == PLOY_OK) {
        bench_measure(run, bench_call(tiled_bench_round, &data, LEVELS_SIDE * LEVELS_SIDE),
                      bench_nothing(), bench_nothing());
    } else {
        bench_fail(run, "no map");
    }
    ploy_tiled_destroy(data.map);
    ploy_buffer_fini(&data.text);
    ploy_generator_cancel(level);
}
