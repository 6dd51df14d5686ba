// Many agents that request a path in the same tick.
#include <string.h>

#include "bench/bench.h"
#include "ploy/base/rng.h"
#include "ploy/path/finders.h"
#include "ploy/path/planners.h"

enum { BATCH_SIDE = 48, BATCH_UNITS = 20000 };

typedef struct path_batch_data {
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_grid_map *map;
    ploy_planners *planners;
    int32_t count;
    bool held; // the budget, in every tick so far
} path_batch_data;

// All request; ticks of a counted budget until every agent has a path.
static void path_batch_work(void *self) {
    path_batch_data *data = self;
    ploy_path_service service = ploy_planners_service(data->planners);
    ploy_rng rng = ploy_rng_make(7);
    ploy_path_ticket tickets[1000];
    ploy_planners_changed(data->planners);
    for (int32_t i = 0; i < data->count; i++) {
        ploy_vec3 from = {ploy_rng_range(&rng, 0, BATCH_SIDE), ploy_rng_range(&rng, 0, 4), 0};
        ploy_vec3 to = {ploy_rng_range(&rng, 0, BATCH_SIDE), BATCH_SIDE - 0.5f, 0};
        ploy_path_request request = ploy_path_request_make(ploy_agent_id_none(), from, to);
        if (ploy_path_service_request(&service, &request, &tickets[i]) != PLOY_OK) {
            data->held = false;
        }
    }
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(BATCH_UNITS);
        result = ploy_path_service_step(&service, &budget);
        if (result == PLOY_IN_PROGRESS && budget.spent != BATCH_UNITS) data->held = false;
        if (budget.spent > BATCH_UNITS) data->held = false;
    }
    for (int32_t i = 0; i < data->count; i++) {
        ploy_path_outcome outcome = PLOY_PATH_OPEN;
        if (ploy_path_service_poll(&service, tickets[i], NULL, &outcome) != PLOY_OK ||
            outcome == PLOY_PATH_OPEN) {
            data->held = false;
        }
    }
}

// Over the tiles as a representation, or over a grid map of them.
static bool path_batch_serve(path_batch_data *data, const ploy_planners_def *def, bool grid,
                             const ploy_env *env) {
    data->walker = ploy_tiles_walker_make(data->tiles, NULL);
    ploy_representation representation = ploy_tiles_representation(&data->walker);
    ploy_grid_map_def map = ploy_grid_map_def_default();
    ploy_result result = ploy_planners_create(def, env, &data->planners);
    if (result == PLOY_OK && grid) {
        result = ploy_grid_map_create(&map, data->tiles, env, &data->map);
    }
    ploy_finder_factory jps = ploy_grid_finder(data->map, PLOY_GRID_JPS);
    ploy_finder_factory astar = ploy_representation_finder(&representation, PLOY_SPACE_ASTAR);
    if (result == PLOY_OK && grid)
        result = ploy_planners_add_finder(data->planners, (ploy_name){0}, &jps);
    if (result == PLOY_OK)
        result = ploy_planners_add_finder(data->planners, (ploy_name){0}, &astar);
    return result == PLOY_OK;
}

static void path_batch_row(bench_run *run, bool grid) {
    path_batch_data data;
    ploy_env env = ploy_env_default();
    ploy_tiles_def map = ploy_tiles_def_default();
    ploy_planners_def def = ploy_planners_def_default();
    memset(&data, 0, sizeof data);
    data.count = (int32_t)bench_size(run);
    data.held = true;
    map.width = map.height = BATCH_SIDE;
    def.capacity = data.count;
    def.cached = 0; // every path is searched for
    if (ploy_tiles_create(&map, &env, &data.tiles) == PLOY_OK) {
        ploy_rng rng = ploy_rng_make(1);
        for (int32_t i = 0; i < BATCH_SIDE * BATCH_SIDE; i++) {
            bool rim = i / BATCH_SIDE < 4 || i / BATCH_SIDE == BATCH_SIDE - 1;
            if (!rim && ploy_rng_chance(&rng, 0.25f)) ploy_tiles_set(data.tiles, i, 0);
        }
        if (path_batch_serve(&data, &def, grid, &env)) {
            bench_measure(run, bench_call(path_batch_work, &data, data.count), bench_nothing(),
                          bench_nothing());
        }
    }
    if (!data.held) bench_fail(run, "the budget was not held exactly");
    ploy_planners_destroy(data.planners);
    ploy_grid_map_destroy(data.map);
    ploy_tiles_destroy(data.tiles);
}

void bench_path_batch(bench_run *run) {
    path_batch_row(run, false);
}

void bench_path_batch_grid(bench_run *run) {
    path_batch_row(run, true);
}
