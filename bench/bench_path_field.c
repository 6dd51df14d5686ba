// Flow fields, any-angle paths and blocks, on squares of open cells with pillars thrown in: no
// outside data.
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/base/rng.h"
#include "ploy/path/finders.h"
#include "ploy/path/grid_blocks.h"
#include "ploy/path/grid_flow.h"

typedef struct path_field_data {
    int32_t side;
    ploy_tiles *tiles;
    ploy_grid_map *map;
    ploy_grid_flow *flow;
    ploy_finder angle, anya;
    ploy_path *path;
    ploy_finder_request request; // from the first cell to the last
    ploy_grid_blocks *blocks;
    ploy_grid_route *route;
    ploy_grid_search *search;
    int32_t *cells;
    int32_t start, goal;
} path_field_data;

// One cell of ten is blocked, in bars of 2 x 6; corners stay free.
static bool path_field_make(path_field_data *data, int32_t side) {
    ploy_env env = ploy_env_default();
    memset(data, 0, sizeof *data);
    data->side = side;
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = def.height = side;
    if (ploy_tiles_create(&def, &env, &data->tiles) != PLOY_OK) return false;
    ploy_rng rng = ploy_rng_make(1);
    uint8_t *kinds = malloc((size_t)side * (size_t)side);
    if (kinds == NULL) return false;
    memset(kinds, PLOY_TILE_OPEN, (size_t)side * (size_t)side);
    for (int32_t i = 0; i < side * side / 120; i++) {
        int32_t x = ploy_rng_int(&rng, 4, side - 12), y = ploy_rng_int(&rng, 4, side - 12);
        bool across = ploy_rng_below(&rng, 2) == 0;
        for (int32_t k = 0; k < 12; k++) {
            int32_t dx = across ? k % 6 : k / 6, dy = across ? k / 6 : k % 6;
            kinds[(y + dy) * side + x + dx] = PLOY_TILE_BLOCKED;
        }
    }
    ploy_tiles_set_all(data->tiles, kinds);
    free(kinds);
    ploy_grid_map_def map = ploy_grid_map_def_default();
    data->cells = malloc((size_t)side * (size_t)side * sizeof *data->cells);
    data->goal = side * side - 1;
    return data->cells != NULL &&
           ploy_grid_map_create(&map, data->tiles, &env, &data->map) == PLOY_OK;
}

static void path_field_free(path_field_data *data) {
    free(data->cells);
    ploy_grid_search_destroy(data->search);
    ploy_grid_route_destroy(data->route);
    ploy_grid_blocks_destroy(data->blocks);
    ploy_finder_destroy(data->anya);
    ploy_finder_destroy(data->angle);
    ploy_path_destroy(data->path);
    ploy_grid_flow_destroy(data->flow);
    ploy_grid_map_destroy(data->map);
    ploy_tiles_destroy(data->tiles);
}

static bool path_field_make_flow(path_field_data *data) {
    ploy_env env = ploy_env_default();
    ploy_grid_flow_def def = ploy_grid_flow_def_default();
    return ploy_grid_flow_create(&def, data->map, &env, &data->flow) == PLOY_OK &&
           ploy_grid_flow_run(data->flow, &data->goal, 1) == PLOY_OK;
}

static void path_field_flow(void *self) {
    path_field_data *data = self;
    ploy_grid_flow_run(data->flow, &data->goal, 1);
    bench_keep(ploy_grid_flow_vectors(data->flow));
}

// A cell in the middle, and each time another one beside it.
static void path_field_repair(void *self) {
    path_field_data *data = self;
    for (int32_t i = 0; i < 64; i++) {
        int32_t cell = data->side * (data->side / 2 + i / 2) + data->side / 2;
        ploy_tiles_set(data->tiles, cell, i % 2 == 0 ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
        if (ploy_grid_map_refresh(data->map) != PLOY_OK) return;
        if (data->flow != NULL) {
            ploy_grid_flow_refresh(data->flow);
            ploy_grid_flow_step(data->flow, NULL);
        }
        if (data->blocks != NULL) ploy_grid_blocks_refresh(data->blocks);
    }
}

static void path_field_row(bench_run *run, void (*work)(void *), double operations) {
    path_field_data data;
    if (path_field_make(&data, (int32_t)bench_size(run)) && path_field_make_flow(&data)) {
        bench_measure(run, bench_call(work, &data, operations), bench_nothing(), bench_nothing());
    } else {
        bench_fail(run, "out of memory");
    }
    path_field_free(&data);
}

void bench_path_flow(bench_run *run) {
    path_field_row(run, path_field_flow, (double)bench_size(run) * (double)bench_size(run));
}

void bench_path_flow_repair(bench_run *run) {
    path_field_row(run, path_field_repair, 64);
}

static void path_field_find(path_field_data *data, ploy_finder finder) {
    ploy_finder_run(finder, &data->request, NULL);
    ploy_finder_path(finder, data->path);
    bench_keep(data->path);
}

static void path_field_angle(void *self) {
    path_field_data *data = self;
    path_field_find(data, data->angle);
}

static void path_field_anya(void *self) {
    path_field_data *data = self;
    path_field_find(data, data->anya);
}

// Finders of lines, and what they are asked.
static bool path_field_lines(path_field_data *data, ploy_grid_angle_algorithm algorithm) {
    ploy_env env = ploy_env_default();
    ploy_path_def def = ploy_path_def_default();
    ploy_finder_factory lines = ploy_grid_angle_finder(data->map, algorithm);
    ploy_finder_factory best = ploy_grid_anya_finder(data->map);
    ploy_tiles_walker walker = ploy_tiles_walker_make(data->tiles, NULL);
    ploy_representation level = ploy_tiles_representation(&walker);
    ploy_path_request request =
        ploy_path_request_make(ploy_agent_id_none(), level.localise(level.user, data->start),
                               level.localise(level.user, data->goal));
    data->request = ploy_finder_request_make(&request);
    return ploy_path_create(&def, &env, &data->path) == PLOY_OK &&
           ploy_finder_make(&lines, &env, &data->angle) == PLOY_OK &&
           ploy_finder_make(&best, &env, &data->anya) == PLOY_OK;
}

void bench_path_angle(bench_run *run) {
    path_field_data data;
    ploy_grid_angle_algorithm algorithm = (ploy_grid_angle_algorithm)bench_size(run);
    if (path_field_make(&data, 128) && path_field_lines(&data, algorithm)) {
        bench_measure(run, bench_call(path_field_angle, &data, 1), bench_nothing(),
                      bench_nothing());
    } else {
        bench_fail(run, "out of memory");
    }
    path_field_free(&data);
}

void bench_path_anya(bench_run *run) {
    path_field_data data;
    if (path_field_make(&data, (int32_t)bench_size(run)) &&
        path_field_lines(&data, PLOY_GRID_ANGLE_LAZY)) {
        bench_measure(run, bench_call(path_field_anya, &data, 1),
                      bench_call(path_field_angle, &data, 1), bench_nothing());
    } else {
        bench_fail(run, "out of memory");
    }
    path_field_free(&data);
}

static void path_field_route(void *self) {
    path_field_data *data = self;
    ploy_grid_route_run(data->route, data->blocks, data->start, data->goal);
    int32_t count = ploy_grid_route_path(data->route, data->cells, data->side * data->side);
    if (count > 0) ploy_grid_smooth(data->map, data->start, data->cells, count);
    bench_keep(data->cells);
}

static void path_field_astar(void *self) {
    path_field_data *data = self;
    ploy_grid_search_run(data->search, data->map, data->start, data->goal);
    ploy_grid_search_path(data->search, data->goal, data->cells, data->side * data->side);
    bench_keep(data->cells);
}

static bool path_field_make_blocks(path_field_data *data) {
    ploy_env env = ploy_env_default();
    ploy_grid_blocks_def def = ploy_grid_blocks_def_default();
    ploy_grid_search_def search = ploy_grid_search_def_default();
    search.algorithm = PLOY_GRID_ASTAR;
    return ploy_grid_blocks_create(&def, data->map, &env, &data->blocks) == PLOY_OK &&
           ploy_grid_route_create(&env, &data->route) == PLOY_OK &&
           ploy_grid_search_create(&search, &env, &data->search) == PLOY_OK;
}

void bench_path_blocks(bench_run *run) {
    path_field_data data;
    if (path_field_make(&data, (int32_t)bench_size(run)) && path_field_make_blocks(&data)) {
        bench_measure(run, bench_call(path_field_route, &data, 1),
                      bench_call(path_field_astar, &data, 1), bench_nothing());
    } else {
        bench_fail(run, "out of memory");
    }
    path_field_free(&data);
}

// One wall put up or taken away, tables and landmarks following; then a question is asked.
static void path_field_edit(void *self) {
    path_field_data *data = self;
    for (int32_t i = 0; i < 64; i++) {
        int32_t cell = data->side * (data->side / 2 + i / 2) + data->side / 2;
        ploy_tiles_set(data->tiles, cell, i % 2 == 0 ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
        if (ploy_grid_map_refresh(data->map) != PLOY_OK) return;
        bench_keep(data->map);
    }
}

void bench_path_grid_wall(bench_run *run) {
    path_field_data data;
    ploy_env env = ploy_env_default();
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.tables = true;
    bool made = path_field_make(&data, (int32_t)bench_size(run));
    ploy_grid_map_destroy(data.map);
    data.map = NULL;
    if (made && ploy_grid_map_create(&def, data.tiles, &env, &data.map) == PLOY_OK) {
        bench_measure(run, bench_call(path_field_edit, &data, 64), bench_nothing(),
                      bench_nothing());
    } else {
        bench_fail(run, "out of memory");
    }
    path_field_free(&data);
}

void bench_path_blocks_edit(bench_run *run) {
    path_field_data data;
    if (path_field_make(&data, (int32_t)bench_size(run)) && path_field_make_blocks(&data)) {
        bench_measure(run, bench_call(path_field_repair, &data, 64), bench_nothing(),
                      bench_nothing());
    } else {
        bench_fail(run, "out of memory");
    }
    path_field_free(&data);
}
