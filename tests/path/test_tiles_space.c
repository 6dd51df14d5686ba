// Walking on tiles: costs, corners, sizes, slopes, and the space that searches see.
#include "path/path_internal.h"
#include "ploy/search/search.h"
#include "tests/path/tile_maps.h"

static double search_cost(test_context *t, const ploy_tiles_walker *walker, int32_t start,
                          int32_t goal, double weight) {
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    def.weight = weight;
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    ploy_space space = ploy_tiles_space(walker);
    ploy_search_start from = {start, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &from, goal);
    CHECK_OK(ploy_search_run(search, &query));
    double cost = INFINITY;
    if (ploy_search_outcome_of(search) == PLOY_SEARCH_FOUND) {
        CHECK(ploy_search_path(search, goal, NULL, 0, &cost) >= 0);
    }
    ploy_search_destroy(search);
    return cost;
}

// PTH-14, GRA-07: the grid of an exercise, its 3s dear or less dear, four ways or eight.
TEST(the_exercise_costs_what_it_should) {
    static const char map[] = "1111111111111"
                              "1111131111111"
                              "1113333331331"
                              "1111333111111"
                              "1111133111111"
                              "1111111111111"
                              "1111111111111"
                              "1111311111313"
                              "3313313313333"
                              "1113311113333"
                              "1111311111313"
                              "1111111111111";
    static const struct {
        const char *row;
        int32_t from_x, from_y, to_x, to_y;
        double dear, less, eight;
    } rows[] = {
        {"corner to corner", 0, 0, 12, 11, 23, 23, 17.1421},
        {"through the middle", 5, 0, 5, 6, 12, 8, 9.0711},
        {"down and right", 0, 0, 5, 11, 16, 16, 13.0711},
        {"down the right side", 12, 0, 12, 11, 17, 13, 15.4853},
        {"a short way", 10, 6, 10, 9, 9, 4.5, 8.6569},
        {"across", 3, 0, 7, 5, 11, 9.5, 8.6569},
    };
    for (int32_t eight = 0; eight < 2; eight++) {
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = 13;
        def.height = 12;
        def.neighbours = eight != 0 ? PLOY_TILE_EIGHT : PLOY_TILE_FOUR;
        def.corners = PLOY_TILE_CORNERS_CUT;
        ploy_tiles *tiles = maps_make(t, &def);
        for (int32_t i = 0; i < 156; i++)
            CHECK_OK(ploy_tiles_set(tiles, i, (uint8_t)(map[i] - '0')));
        CHECK_OK(ploy_tiles_set_cost(tiles, 3, 3.0f));
        float less[PLOY_TILE_KINDS];
        for (int32_t i = 0; i < PLOY_TILE_KINDS; i++) less[i] = 1.0f;
        less[3] = 1.5f; // the same map as seen by one who minds less
        ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
        ploy_tiles_walker light = ploy_tiles_walker_make(tiles, less);
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            t->row = rows[i].row;
            int32_t start = ploy_tiles_cell(tiles, rows[i].from_x, rows[i].from_y);
            int32_t goal = ploy_tiles_cell(tiles, rows[i].to_x, rows[i].to_y);
            CHECK_NEAR(search_cost(t, &walker, start, goal, 1.0),
                       eight != 0 ? rows[i].eight : rows[i].dear, 1e-4);
            if (eight == 0)
                CHECK_NEAR(search_cost(t, &light, start, goal, 1.0), rows[i].less, 1e-9);
        }
        ploy_tiles_destroy(tiles);
    }
}

TEST(corners_are_cut_only_where_the_rule_says) {
    //  0 1 2     from 0 to 4: past 1 and 3
    //  3 4 5
    static const struct {
        const char *row;
        ploy_tile_corners corners;
        bool block_1, block_3, want;
    } rows[] = {
        {"clear, nothing there", PLOY_TILE_CORNERS_CLEAR, false, false, true},
        {"clear, one wall", PLOY_TILE_CORNERS_CLEAR, true, false, false},
        {"clear, the other wall", PLOY_TILE_CORNERS_CLEAR, false, true, false},
        {"one, one wall", PLOY_TILE_CORNERS_ONE, true, false, true},
        {"one, the other wall", PLOY_TILE_CORNERS_ONE, false, true, true},
        {"one, two walls", PLOY_TILE_CORNERS_ONE, true, true, false},
        {"cut, two walls", PLOY_TILE_CORNERS_CUT, true, true, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = 3;
        def.height = 2;
        def.corners = rows[i].corners;
        ploy_tiles *tiles = maps_make(t, &def);
        if (rows[i].block_1) CHECK_OK(ploy_tiles_set(tiles, 1, 0));
        if (rows[i].block_3) CHECK_OK(ploy_tiles_set(tiles, 3, 0));
        ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
        double cost = ploy_tiles_walker_step(&walker, 0, 1);
        CHECK_NEAR(cost, rows[i].want ? sqrt(2.0) : (double)INFINITY, 1e-12);
        ploy_tiles_refresh(tiles);
        CHECK_INT(ploy_tiles_connected(tiles, 0, 4),
                  rows[i].want || !(rows[i].block_1 && rows[i].block_3));
        ploy_tiles_destroy(tiles);
    }
}

// PTH-15: longer over the slope, dearer up than down, and not at all where it is too steep.
TEST(slopes_cost_more_up_than_down) {
    ploy_tiles *tiles = maps_plain(t, 4, 2);
    const float heights[8] = {0.0f, 1.0f, 1.0f, 4.0f, 0.0f, 1.0f, 1.0f, 4.0f};
    ploy_heightfield field = ploy_heightfield_make(heights, 4, 2, ploy_vec2_make(0.5f, 0.5f), 1.0f);
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    walker.heights = &field;
    walker.uphill = 2.0f;
    walker.downhill = 0.5f;
    CHECK_NEAR(ploy_tiles_walker_step(&walker, 0, 0), sqrt(2.0) * 3.0, 1e-9);
    CHECK_NEAR(ploy_tiles_walker_step(&walker, 1, 4), sqrt(2.0) * 1.5, 1e-9);
    CHECK_NEAR(ploy_tiles_walker_step(&walker, 1, 0), 1.0, 1e-12);
    CHECK_NEAR(ploy_tiles_walker_step(&walker, 2, 0), sqrt(10.0) * 7.0, 1e-9);
    walker.max_slope = 2.0f;
    CHECK_SAME(ploy_tiles_walker_step(&walker, 2, 0), INFINITY);
    CHECK_NEAR(search_cost(t, &walker, 0, 2, 1.0), sqrt(2.0) * 3.0 + 1.0, 1e-9);
    ploy_tiles_destroy(tiles);
}

// Estimates never exceed what is left, along any edge of any kind of map; backward edges mirror
// forward ones; A* costs what Dijkstra costs.
TEST(estimates_are_consistent_and_the_way_back_mirrors_the_way_there) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(36); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles_def def = ploy_tiles_def_default();
        def.neighbours = (ploy_tile_neighbours)(seed % 3);
        def.corners = (ploy_tile_corners)(seed / 3 % 3);
        def.wrap_x = seed % 4 == 1;
        def.wrap_y = seed % 8 >= 6;
        def.width = ploy_rng_int(&rng, 3, 12);
        def.height = 2 * ploy_rng_int(&rng, 2, 6);
        ploy_tiles *tiles = maps_make(t, &def);
        maps_scatter(tiles, &rng, 0.25f);
        int32_t count = maps_count(tiles);
        for (int32_t i = 0; i < count; i++) {
            if (ploy_tiles_passable(tiles, i) && ploy_rng_below(&rng, 4) == 0) {
                CHECK_OK(ploy_tiles_set(tiles, i, 2));
            }
        }
        CHECK_OK(ploy_tiles_set_cost(tiles, 2, 2.5f));
        ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
        if (def.neighbours != PLOY_TILE_HEX && !def.wrap_x && !def.wrap_y) {
            walker.size = 1 + (int32_t)(seed % 2);
        }
        ploy_space space = ploy_tiles_space(&walker);
        ploy_edges out, back;
        ploy_edges_init(&out, &env);
        ploy_edges_init(&back, &env);
        int32_t goal = (int32_t)ploy_rng_below(&rng, (uint64_t)count), forward = 0, backward = 0;
        for (int32_t from = 0; from < count; from++) {
            ploy_edges_clear(&back);
            CHECK_OK(space.expand_back(space.user, from, &back));
            backward += back.count;
            if (!ployi_tiles_walker_fits(&walker, from)) continue;
            ploy_edges_clear(&out);
            CHECK_OK(space.expand(space.user, from, &out));
            forward += out.count;
            for (int32_t i = 0; i < out.count; i++) {
                const ploy_edge *edge = &out.view[i];
                CHECK(space.estimate(space.user, from, goal) <=
                      edge->cost + space.estimate(space.user, edge->to, goal) + 1e-9);
                ploy_edges_clear(&back);
                CHECK_OK(space.expand_back(space.user, edge->to, &back));
                bool found = false;
                for (int32_t k = 0; k < back.count; k++) {
                    found = found || (back.view[k].to == from && back.view[k].cost == edge->cost &&
                                      back.view[k].label == edge->label);
                }
                CHECK(found);
            }
        }
        CHECK_INT(backward, forward);
        CHECK_SAME(space.estimate(space.user, goal, goal), 0.0);
        int32_t start = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
        if (ployi_tiles_walker_fits(&walker, start)) {
            CHECK_NEAR(search_cost(t, &walker, start, goal, 1.0),
                       search_cost(t, &walker, start, goal, 0.0), 1e-9);
        }
        ploy_edges_fini(&out);
        ploy_edges_fini(&back);
        ploy_tiles_destroy(tiles);
    }
}

// A body of two cells with costs of its own: where it fits is asked cell by cell.
TEST(a_walker_with_costs_of_its_own_sees_another_map) {
    ploy_tiles *tiles = maps_text(t,
                                  ".2.."
                                  ".2..",
                                  4, 2);
    float boat[PLOY_TILE_KINDS];
    for (int32_t i = 0; i < PLOY_TILE_KINDS; i++) boat[i] = INFINITY;
    boat[2] = 1.0f;
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, boat);
    CHECK(ployi_tiles_walker_fits(&walker, 1));
    CHECK(!ployi_tiles_walker_fits(&walker, 0));
    walker.size = 2;
    CHECK(!ployi_tiles_walker_fits(&walker, 1));
    boat[1] = 3.0f;
    walker = ploy_tiles_walker_make(tiles, boat);
    walker.size = 2;
    CHECK(ployi_tiles_walker_fits(&walker, 1));
    CHECK(!ployi_tiles_walker_fits(&walker, 3));
    CHECK(!ployi_tiles_walker_fits(&walker, 5));
    CHECK_SAME(ploy_tiles_walker_step(&walker, 0, 0), 1.0);
    CHECK_SAME(ploy_tiles_walker_step(&walker, 1, 0), 3.0);
    ploy_tiles_destroy(tiles);
}

TEST(steps_of_all_cells_equal_those_of_a_walker) {
    for (int64_t seed = 1; seed <= test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_env env = ploy_env_default();
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = ploy_rng_int(&rng, 1, 70);
        def.height = ploy_rng_int(&rng, 1, 12);
        def.neighbours = (ploy_tile_neighbours)(seed % 3);
        def.corners = (ploy_tile_corners)(seed / 3 % 3);
        def.wrap_x = seed % 4 == 0 && def.width >= 3;
        ploy_tiles *tiles = NULL;
        CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
        for (int32_t i = 0; i < def.width * def.height; i++) {
            CHECK_OK(ploy_tiles_set(tiles, i, ploy_rng_chance(&rng, 0.4f) ? PLOY_TILE_BLOCKED : 1));
        }
        uint8_t steps[70 * 12];
        ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
        ploy_tiles_steps(tiles, steps);
        int32_t directions = def.neighbours == PLOY_TILE_FOUR  ? 4
                             : def.neighbours == PLOY_TILE_HEX ? 6
                                                               : 8;
        for (int32_t i = 0; i < def.width * def.height; i++) {
            CHECK_INT(ploy_tiles_kinds(tiles)[i], ploy_tiles_get(tiles, i));
            for (int32_t k = 0; k < 8; k++) {
                bool possible = k < directions && ploy_tiles_walker_step(&walker, i, k) < INFINITY;
                CHECK_INT(steps[i] >> k & 1, possible);
            }
        }
        ploy_tiles_destroy(tiles);
    }
}
