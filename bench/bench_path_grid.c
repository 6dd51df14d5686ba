// Paths on grids: problems of the MovingAI benchmarks, each answered with every cell of the path.
//
// Boost.Graph's astar_search solves the same problems in its own process (bench/peers). Both must
// come to the same lengths in sum. A row takes every tenth problem of its map's scenario. The maps
// are outside data and are read when the row runs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/base/os.h"
#include "ploy/data/movingai.h"
#include "ploy/path/grid_search.h"

enum { PATH_GRID_EVERY = 10 };

// The rows' sizes are numbers of these.
static const char *const path_grid_maps[] = {
    "dao/brc202d",    "dao/lak303d",           "dao/ost003d",      "sc1/Aftershock",
    "sc1/Triskelion", "random/random512-40-0", "mazes/maze512-1-0"};

typedef struct path_grid_data {
    char file[1024];
    ploy_tiles *tiles;
    ploy_movingai_scenario *scenario;
    ploy_grid_map *map;
    ploy_grid_search *search;
    int32_t problems; // of a pass
    int32_t *cells;
    double length, steps; // of the last pass, in sum
} path_grid_data;

static bool path_grid_read(const char *path, ploy_buffer *out) {
    ploy_env env = ploy_env_default();
    return ploy_os_read_file(path, 0, &env, out) == PLOY_OK;
}

static bool path_grid_load(path_grid_data *data, const char *name) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    const char *folder = getenv("PLOY_DATA");
    if (folder == NULL || folder[0] == '\0') folder = PLOY_SOURCE_DIR "/../shared/data";
    snprintf(data->file, sizeof data->file, "%s/maps/%s.map", folder, name);
    if (!path_grid_read(data->file, &buffer)) return false;
    ploy_result result =
        ploy_movingai_load_map(buffer.bytes, buffer.size, name, &env, NULL, &data->tiles);
    ploy_buffer_fini(&buffer);
    char scenario[1100];
    snprintf(scenario, sizeof scenario, "%s.scen", data->file);
    if (result != PLOY_OK || !path_grid_read(scenario, &buffer)) return false;
    result =
        ploy_movingai_load_scenario(buffer.bytes, buffer.size, name, &env, NULL, &data->scenario);
    ploy_buffer_fini(&buffer);
    if (result != PLOY_OK) return false;
    data->problems =
        (ploy_movingai_scenario_count(data->scenario) + PATH_GRID_EVERY - 1) / PATH_GRID_EVERY;
    return true;
}

static bool path_grid_make(path_grid_data *data, const bench_run *run,
                           ploy_grid_algorithm algorithm) {
    ploy_env env = ploy_env_default();
    memset(data, 0, sizeof *data);
    if (!path_grid_load(data, path_grid_maps[bench_size(run)])) return false;
    ploy_grid_map_def map_def = ploy_grid_map_def_default();
    map_def.tables = algorithm == PLOY_GRID_FAST;
    ploy_grid_search_def def = ploy_grid_search_def_default();
    def.algorithm = algorithm;
    int32_t count = ploy_tiles_width(data->tiles) * ploy_tiles_height(data->tiles);
    data->cells = malloc((size_t)count * sizeof *data->cells);
    return data->cells != NULL &&
           ploy_grid_map_create(&map_def, data->tiles, &env, &data->map) == PLOY_OK &&
           ploy_grid_search_create(&def, &env, &data->search) == PLOY_OK;
}

static void path_grid_free(path_grid_data *data) {
    free(data->cells);
    ploy_grid_search_destroy(data->search);
    ploy_grid_map_destroy(data->map);
    ploy_movingai_scenario_destroy(data->scenario);
    ploy_tiles_destroy(data->tiles);
}

static void path_grid_solve(void *self) {
    path_grid_data *data = self;
    int32_t width = ploy_tiles_width(data->tiles);
    int32_t room = width * ploy_tiles_height(data->tiles);
    data->length = data->steps = 0.0;
    for (int32_t i = 0; i < data->problems; i++) {
        const ploy_movingai_problem *problem =
            ploy_movingai_scenario_get(data->scenario, i * PATH_GRID_EVERY);
        int32_t goal = problem->goal_y * width + problem->goal_x;
        ploy_grid_cost cost;
        if (ploy_grid_search_run(data->search, data->map,
                                 problem->start_y * width + problem->start_x, goal) != PLOY_OK ||
            !ploy_grid_search_cost(data->search, goal, &cost)) {
            continue; // the sums will differ
        }
        data->length += cost.length;
        data->steps += ploy_grid_search_path(data->search, goal, data->cells, room);
    }
    bench_keep(data->cells);
}

// `node`: the peer's script, if it runs under Node.
static void path_grid_row(bench_run *run, ploy_grid_algorithm algorithm, const char *node) {
    path_grid_data data;
    if (!path_grid_make(&data, run, algorithm)) {
        bench_fail(run, "missing: the MovingAI maps, below $PLOY_DATA/maps");
        path_grid_free(&data);
        return;
    }
    char argument[1100];
    snprintf(argument, sizeof argument, "%s:%d", data.file, (int)PATH_GRID_EVERY);
    bench_side peer = node != NULL ? bench_node_with(run, node, argument)
                                   : bench_program(run, "boost_astar", argument);
    bench_measure(run, bench_call(path_grid_solve, &data, data.problems), peer, bench_nothing());
    double length = 0.0;
    if (bench_ask(run, peer, "length", &length) && !(fabs(length - data.length) < 1e-6 * length)) {
        bench_fail(run, "the two find paths of other lengths");
    }
    path_grid_free(&data);
}

void bench_path_grid_astar(bench_run *run) {
    path_grid_row(run, PLOY_GRID_ASTAR, NULL);
}

void bench_path_grid_jps(bench_run *run) {
    path_grid_row(run, PLOY_GRID_JPS, NULL);
}

void bench_path_grid_fast(bench_run *run) {
    path_grid_row(run, PLOY_GRID_FAST, NULL);
}

void bench_path_grid_js(bench_run *run) {
    path_grid_row(run, PLOY_GRID_JPS, "pathfinding_jps.mjs");
}

// ---- what a change costs, and a question without an answer ----

// A cell closed and opened again, the map following each time, tables made again.
static void path_grid_change(void *self) {
    path_grid_data *data = self;
    int32_t width = ploy_tiles_width(data->tiles);
    const ploy_movingai_problem *problem = ploy_movingai_scenario_get(data->scenario, 0);
    int32_t cell = problem->start_y * width + problem->start_x;
    for (int32_t i = 0; i < 2; i++) {
        ploy_tiles_set(data->tiles, cell, i == 0 ? PLOY_MOVINGAI_OUTSIDE : PLOY_MOVINGAI_GROUND);
        if (ploy_grid_map_refresh(data->map) == PLOY_OK) ploy_grid_map_prepare(data->map);
    }
}

static void path_grid_walled_in(void *self) {
    path_grid_data *data = self;
    for (int32_t i = 0; i < 1000; i++) {
        ploy_grid_search_run(data->search, data->map, 1, ploy_tiles_width(data->tiles) * 2 + 1);
    }
}

static void path_grid_lone_row(bench_run *run, void (*work)(void *), double operations) {
    path_grid_data data;
    if (path_grid_make(&data, run, PLOY_GRID_FAST)) {
        if (work == path_grid_walled_in) {
            // One free cell with walls all around, in the corner.
            int32_t width = ploy_tiles_width(data.tiles);
            for (int32_t y = 0; y < 3; y++) {
                for (int32_t x = 0; x < 3; x++) {
                    ploy_tiles_set(data.tiles, y * width + x,
                                   x == 1 && y == 0 ? PLOY_MOVINGAI_GROUND : PLOY_MOVINGAI_OUTSIDE);
                }
            }
            ploy_tiles_set(data.tiles, 2 * width + 1, PLOY_MOVINGAI_GROUND);
            if (ploy_grid_map_refresh(data.map) != PLOY_OK) bench_fail(run, "no refresh");
        }
        bench_measure(run, bench_call(work, &data, operations), bench_nothing(), bench_nothing());
    } else {
        bench_fail(run, "missing: the MovingAI maps, below $PLOY_DATA/maps");
    }
    path_grid_free(&data);
}

void bench_path_grid_edit(bench_run *run) {
    path_grid_lone_row(run, path_grid_change, 2);
}

void bench_path_grid_unreachable(bench_run *run) {
    path_grid_lone_row(run, path_grid_walled_in, 1000);
}
