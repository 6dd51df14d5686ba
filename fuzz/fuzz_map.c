// Any bytes as a MovingAI map: what loads is written and read again, to the same map; then a search
// from corner to corner must cost the same by A* and by jumps.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/movingai.h"
#include "ploy/path/grid_search.h"

static void must(bool condition) {
    if (!condition) abort();
}

static int64_t cost_of(const ploy_grid_map *map, ploy_grid_algorithm algorithm, int32_t start,
                       int32_t goal) {
    ploy_env env = ploy_env_default();
    ploy_grid_search_def def = ploy_grid_search_def_default();
    def.algorithm = algorithm;
    ploy_grid_search *search = NULL;
    must(ploy_grid_search_create(&def, &env, &search) == PLOY_OK);
    must(ploy_grid_search_run(search, map, start, goal) == PLOY_OK);
    ploy_grid_cost cost = {-1, 0, 0, 0.0};
    if (ploy_grid_search_outcome(search) == PLOY_SEARCH_FOUND) {
        must(ploy_grid_search_cost(search, goal, &cost));
    }
    ploy_grid_search_destroy(search);
    return cost.units;
}

static void check_map(const ploy_tiles *tiles) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    must(ploy_movingai_save_map(tiles, &writer) == PLOY_OK);
    ploy_tiles *again = NULL;
    must(ploy_movingai_load_map(buffer.bytes, buffer.size, "again", &env, NULL, &again) == PLOY_OK);
    int32_t count = ploy_tiles_width(tiles) * ploy_tiles_height(tiles);
    must(ploy_tiles_width(again) == ploy_tiles_width(tiles));
    for (int32_t i = 0; i < count; i++) must(ploy_tiles_get(again, i) == ploy_tiles_get(tiles, i));
    ploy_tiles_destroy(again);
    ploy_buffer_fini(&buffer);

    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.tables = true;
    ploy_grid_map *map = NULL;
    if (ploy_grid_map_create(&def, tiles, &env, &map) != PLOY_OK) return;
    int32_t start = 0, goal = count - 1;
    while (start < goal && !ploy_tiles_passable(tiles, start)) start++;
    while (goal > start && !ploy_grid_map_connected(map, start, goal)) goal--;
    int64_t cost = cost_of(map, PLOY_GRID_ASTAR, start, goal);
    must(cost == cost_of(map, PLOY_GRID_JPS, start, goal));
    must(cost == cost_of(map, PLOY_GRID_FAST, start, goal));
    ploy_grid_map_destroy(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_tiles *tiles = NULL;
    ploy_result result = ploy_movingai_load_map(data, size, "fuzz", &env, diags, &tiles);
    must((result == PLOY_OK) == (tiles != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) == 0));
    if (tiles != NULL) check_map(tiles);
    ploy_tiles_destroy(tiles);
    ploy_diags_destroy(diags);
    return 0;
}
