// The benchmarks' problems: every optimal search within the printed length's rounding, and equal to
// Dijkstra to the unit; lines at any angle not longer than steps; the others' worst ratios, told
// and asserted. A sample of each map; all problems in `make soak`.
#include <stdlib.h>

#include "path/grid_angle_internal.h"
#include "path/grid_anya_internal.h"
#include "path/path_internal.h"
#include "ploy/data/movingai.h"
#include "ploy/path/grid_blocks.h"
#include "tests/test.h"

static void *load_file(test_context *t, const char *name, const char *ending, bool map) {
    char path[1024];
    snprintf(path, sizeof path, "%s/maps/%s.map%s", test_data_dir(), name, ending);
    size_t size = 0;
    char *bytes = test_read_file(path, &size);
    CHECK(bytes != NULL);
    ploy_env env = ploy_env_default();
    ploy_tiles *tiles = NULL;
    ploy_movingai_scenario *scenario = NULL;
    if (map) {
        CHECK_OK(ploy_movingai_load_map(bytes, size, name, &env, NULL, &tiles));
    } else {
        CHECK_OK(ploy_movingai_load_scenario(bytes, size, name, &env, NULL, &scenario));
    }
    free(bytes);
    return map ? (void *)tiles : (void *)scenario;
}

// Steps are neighbours, cells are free, no corner is cut: asked of the tiles alone.
static double walked(test_context *t, const ploy_tiles *tiles, const ploy_grid_search *search,
                     int32_t start, int32_t goal, int32_t *cells, int32_t room) {
    int32_t width = ploy_tiles_width(tiles), at = start;
    int32_t count = ploy_grid_search_path(search, goal, cells, room);
    double length = 0.0;
    CHECK(count >= 0 && count <= room);
    for (int32_t i = 0; i < count; i++) {
        int32_t dx = cells[i] % width - at % width, dy = cells[i] / width - at / width;
        CHECK(abs(dx) <= 1 && abs(dy) <= 1 && (dx != 0 || dy != 0));
        CHECK(ploy_tiles_passable(tiles, cells[i]));
        CHECK(ploy_tiles_passable(tiles, at + dx) && ploy_tiles_passable(tiles, at + dy * width));
        length += dx != 0 && dy != 0 ? sqrt(2.0) : 1.0;
        at = cells[i];
    }
    CHECK_INT(at, goal);
    return length;
}

// The searches whose ways are not the grid's best: shorter, because lines are, or a little longer.
typedef struct other_searches {
    ployi_grid_anya *anya;
    ployi_grid_angle *lazy;
    ploy_grid_route *route;
    double worst_lazy, worst_blocks; // to the shortest line, to the best of steps
} other_searches;

static void check_others(test_context *t, other_searches *others, const ploy_grid_map *map,
                         const ploy_grid_blocks *blocks, int32_t start, int32_t goal, double best,
                         int32_t *cells, int32_t room) {
    CHECK_OK(ployi_grid_anya_run(others->anya, map, start, goal));
    double line = ployi_grid_anya_length(others->anya);
    CHECK(line <= best + 1e-9);
    if (blocks == NULL || start == goal) return;
    CHECK_OK(ployi_grid_anya_run(others->anya, map, goal, start));
    CHECK_NEAR(ployi_grid_anya_length(others->anya), line, 1e-9 * line);
    CHECK_OK(ployi_grid_angle_run(others->lazy, map, start, goal));
    double lazy = ployi_grid_angle_length(others->lazy);
    CHECK(lazy >= line - 1e-9 && lazy <= best + 1e-9);
    others->worst_lazy = fmax(others->worst_lazy, lazy / line);
    CHECK_OK(ploy_grid_route_run(others->route, blocks, start, goal));
    int32_t count = ploy_grid_route_path(others->route, cells, room);
    CHECK(count > 0 && count <= room);
    count = ploy_grid_smooth(map, start, cells, count);
    int32_t width = ploy_tiles_width(ployi_grid_map_tiles(map)), diagonal = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t from = i == 0 ? start : cells[i - 1];
        diagonal += from % width != cells[i] % width && from / width != cells[i] / width;
    }
    double steps = ploy_grid_cost_make(count - diagonal, diagonal).length;
    CHECK(steps >= best - 1e-9);
    others->worst_blocks = fmax(others->worst_blocks, steps / best);
}

TEST(problems_are_solved_optimally) {
    static const char *const maps[] = {"dao/arena",
                                       "dao/brc202d",
                                       "dao/den011d",
                                       "dao/lak303d",
                                       "dao/ost003d",
                                       "sc1/Aftershock",
                                       "sc1/Triskelion",
                                       "da2/ca_cave",
                                       "da2/ht_chantry",
                                       "da2/lt_hangedman",
                                       "bg512/AR0011SR",
                                       "bg512/AR0204SR",
                                       "bg512/AR0411SR",
                                       "cities/Berlin_0_256",
                                       "cities/Paris_0_512",
                                       "mazes/maze512-1-0",
                                       "mazes/maze512-32-0",
                                       "mazes/maze512-8-0",
                                       "rooms/16room_000",
                                       "rooms/64room_000",
                                       "random/random512-10-0",
                                       "random/random512-40-0",
                                       "wc3maps512/dustwallowkeys",
                                       "wc3maps512/heart2heart",
                                       "wc3maps512/scorchedbasin"};
    if (test_data_dir() == NULL) {
        test_skip(t, "the MovingAI maps are not there");
        return;
    }
    ploy_env env = ploy_env_default();
    ploy_grid_search *searches[PLOY_GRID_ALGORITHM_COUNT];
    for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) {
        ploy_grid_search_def def = ploy_grid_search_def_default();
        def.algorithm = (ploy_grid_algorithm)i;
        CHECK_OK(ploy_grid_search_create(&def, &env, &searches[i]));
    }
    other_searches others = {NULL, NULL, NULL, 1.0, 1.0};
    ployi_grid_angle_def lazy_def = ployi_grid_angle_def_default();
    ploy_grid_blocks_def blocks_def = ploy_grid_blocks_def_default();
    CHECK_OK(ployi_grid_anya_create(&env, &others.anya));
    CHECK_OK(ployi_grid_angle_create(&lazy_def, &env, &others.lazy));
    CHECK_OK(ploy_grid_route_create(&env, &others.route));
    int32_t sample = (int32_t)test_rounds(4); // of about 400
    for (size_t m = 0; m < COUNT_OF(maps); m++) {
        t->row = maps[m];
        ploy_tiles *tiles = load_file(t, maps[m], "", true);
        ploy_movingai_scenario *scenario = load_file(t, maps[m], ".scen", false);
        int32_t width = ploy_tiles_width(tiles), room = width * ploy_tiles_height(tiles);
        CHECK_OK(ploy_movingai_scenario_check(scenario, width, room / width, maps[m], NULL));
        ploy_grid_map_def def = ploy_grid_map_def_default();
        def.tables = true;
        def.landmarks = 1; // each takes a flood of the whole map
        ploy_grid_map *map = NULL;
        CHECK_OK(ploy_grid_map_create(&def, tiles, &env, &map));
        ploy_grid_blocks *blocks = NULL; // of a few maps only: making them takes long
        if (sample > 4 || m % 8 == 0) {
            CHECK_OK(ploy_grid_blocks_create(&blocks_def, map, &env, &blocks));
        }
        int32_t *cells = malloc((size_t)room * sizeof *cells);
        int32_t count = ploy_movingai_scenario_count(scenario);
        int32_t stride = count / sample > 0 ? count / sample : 1;
        for (int32_t k = (int32_t)m % stride; k < count; k += stride) {
            const ploy_movingai_problem *problem = ploy_movingai_scenario_get(scenario, k);
            TEST_SEED(problem->line);
            int32_t start = problem->start_y * width + problem->start_x;
            int32_t goal = problem->goal_y * width + problem->goal_x;
            int64_t want = 0;
            double best = 0.0;
            for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) {
                ploy_grid_cost cost;
                CHECK_OK(ploy_grid_search_run(searches[i], map, start, goal));
                CHECK(ploy_grid_search_cost(searches[i], goal, &cost));
                if (i == 0) want = cost.units;
                if (i == 0) best = cost.length;
                CHECK_INT(cost.units, want);
                CHECK_NEAR(cost.length, problem->length, 0.006);
                CHECK_NEAR(walked(t, tiles, searches[i], start, goal, cells, room), cost.length,
                           1e-6);
                if (i < PLOY_GRID_JPS) continue;
                CHECK_OK(ploy_grid_search_run(searches[i], map, goal, start));
                CHECK(ploy_grid_search_cost(searches[i], start, &cost));
                CHECK_INT(cost.units, want);
            }
            check_others(t, &others, map, blocks, start, goal, best, cells, room);
        }
        ploy_grid_blocks_destroy(blocks);
        free(cells);
        ploy_grid_map_destroy(map);
        ploy_movingai_scenario_destroy(scenario);
        ploy_tiles_destroy(tiles);
    }
    printf("worst: lazy %.3f times the shortest line, blocks %.3f times the best of steps\n",
           others.worst_lazy, others.worst_blocks);
    CHECK(others.worst_lazy < 1.5); // in corridors one cell wide, where a line cuts every corner
    CHECK(others.worst_blocks < 1.12);
    ploy_grid_route_destroy(others.route);
    ployi_grid_angle_destroy(others.lazy);
    ployi_grid_anya_destroy(others.anya);
    for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) ploy_grid_search_destroy(searches[i]);
}
