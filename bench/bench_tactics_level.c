// Tactics on real levels: visibility and flooding of maps beside peers, queries and assessments
// beside the same work without the shortcuts.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/base/os.h"
#include "ploy/base/rng.h"
#include "ploy/data/movingai.h"
#include "ploy/geom/scene.h"
#include "ploy/tactics/assess.h"
#include "ploy/tactics/flood.h"
#include "ploy/tactics/query.h"
#include "ploy/tactics/sight_map.h"

enum { LEVEL_LOOKS = 64, LEVEL_SOURCES = 100 };

static const char *const level_maps[] = {"cities/Berlin_0_256", "dao/ost003d", "da2/ht_chantry",
                                         "dao/brc202d"};

typedef struct level_data {
    ploy_env env;
    ploy_tiles *tiles;
    ploy_places places;
    ploy_tiles_walker walker;
    ploy_space space;
    ploy_sight_map *sight;
    ploy_flood *flood;
    ploy_flood_source sources[LEVEL_SOURCES];
    int32_t looks[LEVEL_LOOKS]; // open cells
    double sum;
    char file[1024];
} level_data;

// Open cells, spread over the map: every cell of them is the first open one from a share on. Peers
// choose the same ones.
static bool level_spread(const level_data *data, int32_t *out, int32_t count) {
    int32_t cells = data->places.count;
    for (int32_t i = 0; i < count; i++) {
        int32_t cell = (int32_t)((int64_t)cells * i / count);
        int32_t tried = 0;
        for (; tried < cells && !ploy_tiles_passable(data->tiles, cell); tried++) {
            cell = (cell + 1) % cells;
        }
        if (tried == cells) return false;
        out[i] = cell;
    }
    return true;
}

static bool level_make(level_data *data, const bench_run *run) {
    memset(data, 0, sizeof *data);
    data->env = ploy_env_default();
    const char *folder = getenv("PLOY_DATA"), *name = level_maps[bench_size(run)];
    if (folder == NULL || folder[0] == '\0') folder = PLOY_SOURCE_DIR "/../shared/data";
    snprintf(data->file, sizeof data->file, "%s/maps/%s.map", folder, name);
    ploy_buffer buffer;
    if (ploy_os_read_file(data->file, 0, &data->env, &buffer) != PLOY_OK) return false;
    ploy_result result =
        ploy_movingai_load_map(buffer.bytes, buffer.size, name, &data->env, NULL, &data->tiles);
    ploy_buffer_fini(&buffer);
    if (result != PLOY_OK) return false;
    data->places = ploy_places_tiles(data->tiles);
    data->walker = ploy_tiles_walker_make(data->tiles, NULL);
    data->space = ploy_tiles_space(&data->walker);
    return level_spread(data, data->looks, LEVEL_LOOKS);
}

static void level_free(level_data *data) {
    ploy_sight_map_destroy(data->sight);
    ploy_flood_destroy(data->flood);
    ploy_tiles_destroy(data->tiles);
}

static void level_missing(bench_run *run) {
    bench_fail(run, "missing: the MovingAI maps, below $PLOY_DATA/maps");
}

// ---- visibility

static void level_look(void *self) {
    level_data *data = self;
    data->sum = 0.0;
    for (int32_t i = 0; i < LEVEL_LOOKS; i++) {
        data->sum += (double)ploy_sight_map_at(data->sight, data->looks[i]);
    }
    bench_keep(&data->sum);
}

void bench_tactics_visibility(bench_run *run) {
    level_data data;
    ploy_sight_map_def def = ploy_sight_map_def_default();
    if (level_make(&data, run) &&
        ploy_sight_map_create(&def, &data.places, &data.env, &data.sight) == PLOY_OK) {
        bench_side peer = bench_program(run, "libtcod_sight", data.file);
        bench_measure(run, bench_call(level_look, &data, LEVEL_LOOKS), peer, bench_nothing());
        double seen = 0.0;
        if (bench_ask(run, peer, "seen", &seen)) {
            char text[96];
            snprintf(text, sizeof text, "cells seen: %.0f, the peer %.0f", data.sum, seen);
            bench_note(run, text);
            // The rules for what a wall's edge hides differ a little.
            if (!(fabs(seen - data.sum) < 0.1 * seen)) bench_fail(run, "the peer sees other cells");
        }
    } else {
        level_missing(run);
    }
    level_free(&data);
}

// ---- flooding

static void level_flood(void *self) {
    level_data *data = self;
    (void)ploy_flood_run(data->flood, data->sources, LEVEL_SOURCES);
    bench_keep(data->flood);
}

void bench_tactics_flood(bench_run *run) {
    level_data data;
    ploy_flood_def def = ploy_flood_def_default();
    int32_t cells[LEVEL_SOURCES];
    def.nearest = true;
    if (level_make(&data, run) && level_spread(&data, cells, LEVEL_SOURCES) &&
        ploy_flood_create(&def, &data.places, &data.space, &data.env, &data.flood) == PLOY_OK) {
        for (int32_t i = 0; i < LEVEL_SOURCES; i++) {
            data.sources[i].place = cells[i];
            data.sources[i].strength = 1.0f;
        }
        bench_side peer = bench_program(run, "boost_flood", data.file);
        bench_measure(run, bench_call(level_flood, &data, (double)data.places.count), peer,
                      bench_nothing());
        double sum = 0.0, theirs = 0.0;
        for (int32_t i = 0; i < data.places.count; i++) {
            if (ploy_flood_owner(data.flood, i) >= 0) {
                sum -= (double)ploy_flood_value(data.flood, i);
            }
        }
        if (bench_ask(run, peer, "sum", &theirs) && !(fabs(theirs - sum) < 1e-4 * theirs)) {
            bench_fail(run, "the peer's distances differ");
        }
    } else {
        level_missing(run);
    }
    level_free(&data);
}

// ---- queries

enum { QUERY_ENEMIES = 5, QUERY_WALLS = 200, QUERY_ASKED = 16, QUERY_CANDIDATES_MAX = 1000 };

typedef struct query_data {
    ploy_env env;
    ploy_plain_scene *walls;
    ploy_query_type *types[2];
    ploy_query *queries[2]; // best first, exhaustive
    ploy_query_context context;
    ploy_tactical_threat enemies[QUERY_ENEMIES];
    ploy_vec3 list[QUERY_CANDIDATES_MAX];
    ploy_vec3 selves[QUERY_ASKED];
    int64_t rays[2];
    double scores[2];
    int32_t which;
} query_data;

static bool query_walls(query_data *data, int32_t count, float side) {
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_rng rng = ploy_rng_make(5);
    if (ploy_plain_scene_create(&def, &data->env, &data->walls) != PLOY_OK) return false;
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 a = {ploy_rng_range(&rng, 0, side), ploy_rng_range(&rng, 0, side)};
        ploy_vec2 b = {a.x + ploy_rng_range(&rng, -4, 4), a.y + ploy_rng_range(&rng, -4, 4)};
        if (ploy_plain_scene_add_segment(data->walls, a, b, 1, NULL) != PLOY_OK) return false;
    }
    return true;
}

static void query_ask(query_data *data, int32_t which) {
    data->rays[which] = 0;
    data->scores[which] = 0.0;
    for (int32_t i = 0; i < QUERY_ASKED; i++) {
        ploy_query_result result;
        data->context.self = data->selves[i];
        if (ploy_query_run(data->queries[which], &data->context, &result) != PLOY_OK) return;
        data->rays[which] += result.rays;
        if (result.count > 0) data->scores[which] += (double)result.spots[0].score;
    }
    bench_keep(data->scores);
}

static void query_first(void *self) {
    query_ask(self, 0);
}

static void query_all(void *self) {
    query_ask(self, 1);
}

static bool query_make(query_data *data, int32_t candidates) {
    // Hide from all, near to here, not too near to any enemy.
    static const ploy_query_row rows[] = {
        {.measure = PLOY_QUERY_HIDDEN, .weight = 2.0f, .high = 1.0f},
        {.measure = PLOY_QUERY_DISTANCE, .whom = PLOY_QUERY_SELF, .weight = -1.0f, .high = 80.0f},
        {.measure = PLOY_QUERY_DISTANCE, .whom = PLOY_QUERY_ENEMY, .weight = 1.0f, .high = 80.0f}};
    static const ploy_query_option option = {
        .from = PLOY_QUERY_FROM_LIST, .rows = rows, .row_count = 3};
    memset(data, 0, sizeof *data);
    data->env = ploy_env_default();
    if (!query_walls(data, QUERY_WALLS, 80.0f)) return false;
    ploy_rng rng = ploy_rng_make(6);
    data->context = ploy_query_context_make(ploy_vec3_zero());
    for (int32_t i = 0; i < candidates; i++) {
        data->list[i] =
            ploy_vec3_make(ploy_rng_range(&rng, 0, 80), ploy_rng_range(&rng, 0, 80), 0.0f);
    }
    for (int32_t i = 0; i < QUERY_ENEMIES; i++) {
        data->enemies[i].position =
            ploy_vec3_make(ploy_rng_range(&rng, 0, 80), ploy_rng_range(&rng, 0, 80), 0.0f);
    }
    for (int32_t i = 0; i < QUERY_ASKED; i++) {
        data->selves[i] =
            ploy_vec3_make(ploy_rng_range(&rng, 0, 80), ploy_rng_range(&rng, 0, 80), 0.0f);
    }
    data->context.scene = ploy_plain_scene_interface(data->walls);
    data->context.mask = 1;
    data->context.enemies = data->enemies;
    data->context.enemy_count = QUERY_ENEMIES;
    data->context.list = data->list;
    data->context.list_count = candidates;
    for (int32_t i = 0; i < 2; i++) {
        ploy_query_def def = ploy_query_def_default();
        def.candidates = candidates;
        def.exhaustive = i == 1;
        if (ploy_query_type_create(&def, &option, 1, NULL, NULL, &data->env, &data->types[i]) !=
                PLOY_OK ||
            ploy_query_create(data->types[i], &data->env, &data->queries[i]) != PLOY_OK) {
            return false;
        }
    }
    return true;
}

void bench_tactics_query(bench_run *run) {
    static query_data data;
    if (query_make(&data, (int32_t)bench_size(run))) {
        bench_measure(run, bench_call(query_first, &data, QUERY_ASKED),
                      bench_call(query_all, &data, QUERY_ASKED), bench_nothing());
        char text[96];
        snprintf(text, sizeof text, "rays: %ld of %ld", (long)data.rays[0], (long)data.rays[1]);
        bench_note(run, text);
        if (data.scores[0] != data.scores[1]) bench_fail(run, "the winners differ");
    } else {
        bench_fail(run, "out of memory");
    }
    for (int32_t i = 0; i < 2; i++) {
        ploy_query_destroy(data.queries[i]);
        ploy_query_type_destroy(data.types[i]);
    }
    ploy_plain_scene_destroy(data.walls);
}

// ---- assessments

enum { ASSESS_POINTS = 1000, ASSESS_RAYS = 64, ASSESS_WALLS = 1000 };

typedef struct assess_data {
    query_data level; // its walls
    ploy_assess *assess;
    ploy_assess_world world;
    ploy_vec3 points[ASSESS_POINTS];
    ploy_vec3 from[ASSESS_RAYS]; // around a point
    int64_t blocked;
} assess_data;

static void assess_all(void *self) {
    assess_data *data = self;
    if (ploy_assess_begin(data->assess, data->points, ASSESS_POINTS, &data->world,
                          ploy_rng_key_make(1)) != PLOY_OK ||
        ploy_assess_step(data->assess, NULL, NULL) != PLOY_OK) {
        return;
    }
    bench_keep(data->assess);
}

// As many rays of the same length, and nothing else.
static void assess_rays(void *self) {
    assess_data *data = self;
    data->blocked = 0;
    for (int32_t i = 0; i < ASSESS_POINTS; i++) {
        for (int32_t k = 0; k < ASSESS_RAYS; k++) {
            ploy_vec3 from = ploy_vec3_add(data->points[i], data->from[k]);
            data->blocked += ploy_scene_ray(&data->world.scene, from, data->points[i], 1, NULL);
        }
    }
    bench_keep(&data->blocked);
}

void bench_tactics_assess(bench_run *run) {
    static assess_data data;
    memset(&data, 0, sizeof data);
    data.level.env = ploy_env_default();
    ploy_assess_def def = ploy_assess_def_default();
    def.rays = ASSESS_RAYS;
    def.views = def.lights = 0;
    if (query_walls(&data.level, ASSESS_WALLS, 100.0f) &&
        ploy_assess_create(&def, &data.level.env, &data.assess) == PLOY_OK) {
        ploy_rng rng = ploy_rng_make(7);
        data.world.scene = ploy_plain_scene_interface(data.level.walls);
        data.world.mask = 1;
        for (int32_t i = 0; i < ASSESS_POINTS; i++) {
            data.points[i] =
                ploy_vec3_make(ploy_rng_range(&rng, 0, 100), ploy_rng_range(&rng, 0, 100), 0.0f);
        }
        for (int32_t k = 0; k < ASSESS_RAYS; k++) {
            float angle = ploy_rng_range(&rng, 0.0f, 6.28f);
            data.from[k] =
                ploy_vec3_make(def.radius * cosf(angle), def.radius * sinf(angle), def.eye);
        }
        bench_measure(run, bench_call(assess_all, &data, ASSESS_POINTS), bench_nothing(),
                      bench_call(assess_rays, &data, ASSESS_POINTS));
    } else {
        bench_fail(run, "out of memory");
    }
    ploy_assess_destroy(data.assess);
    ploy_plain_scene_destroy(data.level.walls);
}
