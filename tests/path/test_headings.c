// Searches that know which way one looks.
#include "path/path_internal.h"
#include "ploy/base/math.h"
#include "ploy/path/headings.h"
#include "tests/path/crowd_help.h"

// The cheapest way to a cell in any heading; its edges.
static int32_t drive(test_context *t, ploy_headings *headings, int32_t cell, int32_t heading,
                     int32_t goal, ploy_edge *out, double *cost) {
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    headings->goal_cell = goal;
    ploy_space space = ploy_headings_space(headings);
    ploy_search_start start = {ploy_headings_state(headings, cell, heading), 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    query.is_goal = ployi_headings_at_goal;
    query.user = headings;
    CHECK_OK(ploy_search_run(search, &query));
    int32_t count = -1;
    if (ploy_search_outcome_of(search) == PLOY_SEARCH_FOUND) {
        count = ploy_search_path(search, ploy_search_goal(search), out, 64, cost);
    }
    ploy_search_destroy(search);
    return count;
}

TEST(turning_round_takes_two_moves_and_ends_elsewhere) { // PTH-25
    ploy_env env = ploy_env_default();
    crowd_map map = crowd_map_make(t, 9, 9, 0.0f, 0);
    ploy_headings_def def = ploy_headings_def_default();
    CHECK_OK(ploy_fields_check_table(ploy_headings_fields(), NULL));
    def.headings = 4;
    ploy_headings headings;
    CHECK_OK(ploy_headings_make(&def, map.walker, &env, &headings));
    ploy_space space = ploy_headings_space(&headings);
    ploy_search_def search_def = ploy_search_def_default();
    search_def.weight = 0.0;
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&search_def, &env, &search));
    ploy_search_start start = {ploy_headings_state(&headings, 40, 0), 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    CHECK_OK(ploy_search_run(search, &query));
    int32_t fewest = 1000;
    for (int32_t cell = 0; cell < 81; cell++) {
        int32_t state = ploy_headings_state(&headings, cell, 2);
        int32_t moves = ploy_search_path(search, state, NULL, 0, NULL);
        if (moves >= 0 && moves < fewest) fewest = moves;
        if (moves == 2) CHECK(cell != 40);
    }
    CHECK_INT(fewest, 2);
    ploy_search_destroy(search);
    CHECK_INT(ployi_headings_quantise(&headings, -0.1f), 0);
    CHECK_INT(ployi_headings_quantise(&headings, PLOY_PI_F / 2), 1);
    CHECK_NEAR(ploy_headings_orientation(&headings, 3), -PLOY_PI_F / 2, 1e-6);
    def.headings = 8; // not on four neighbours
    CHECK_INT(ploy_headings_make(&def, map.walker, &env, &headings), PLOY_ERR_ARGUMENT);
    crowd_map_free(&map);
}

TEST(a_turn_penalty_gives_ways_with_few_corners) { // PLN-16
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        crowd_map map = crowd_map_make(t, 16, 16, 0.2f, (uint64_t)seed);
        CHECK_OK(ploy_tiles_set(map.tiles, 0, 1));
        CHECK_OK(ploy_tiles_set(map.tiles, 255, 1));
        int32_t turns[2] = {0, 0}, counts[2];
        double costs[2] = {0, 0};
        for (int32_t i = 0; i < 2; i++) {
            ploy_headings_def def = ploy_headings_def_default();
            def.headings = 4;
            def.max_turn = 2;
            def.spin = true;
            def.spin_cost = 0.0;
            def.turn_cost = i == 0 ? 0.0 : 5.0;
            if (i == 1) def.spin_cost = 5.0;
            ploy_headings headings;
            ploy_edge edges[64];
            CHECK_OK(ploy_headings_make(&def, map.walker, &env, &headings));
            counts[i] = drive(t, &headings, 0, 0, 255, edges, &costs[i]);
            for (int32_t k = 0; k < counts[i] && k < 64; k++) {
                int32_t turn = PLOY_HEADINGS_TURN(edges[k].label);
                turns[i] += turn < 0 ? -turn : turn;
            }
        }
        CHECK((counts[0] < 0) == (counts[1] < 0)); // the same cells are reached
        if (counts[0] >= 0 && counts[0] < 64 && counts[1] < 64) CHECK(turns[1] <= turns[0]);
        CHECK(costs[1] >= costs[0]);
        crowd_map_free(&map);
    }
}

TEST(sixteen_headings_move_like_knights_between_the_eight) { // PTH-25
    ploy_env env = ploy_env_default();
    ploy_tiles_def map = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    map.width = map.height = 24;
    map.neighbours = PLOY_TILE_EIGHT;
    CHECK_OK(ploy_tiles_create(&map, &env, &tiles));
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_headings_def def = ploy_headings_def_default();
    ploy_headings headings;
    ploy_edge edges[64];
    double cost = 0;
    def.headings = 16;
    CHECK_OK(ploy_headings_make(&def, &walker, &env, &headings));
    CHECK_NEAR(ploy_headings_orientation(&headings, 1), PLOY_PI_F / 8, 1e-6);
    // Straight on along heading 1: two cells on and one aside, ten times.
    int32_t count = drive(t, &headings, 0, 1, 10 * 24 + 20, edges, &cost);
    CHECK_INT(count, 10);
    CHECK_NEAR(cost, 10 * sqrt(5.0), 1e-3);
    for (int32_t i = 0; i < count - 1; i++) CHECK_INT(PLOY_HEADINGS_TURN(edges[i].label), 0);
    // A move turns by 22.5 degrees at most: turning round takes at least 8 of them.
    int32_t middle = 12 * 24 + 12;
    ploy_space space = ploy_headings_space(&headings);
    ploy_search_def search_def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&search_def, &env, &search));
    ploy_search_start start = {ploy_headings_state(&headings, middle, 0), 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    CHECK_OK(ploy_search_run(search, &query));
    int32_t fewest = 1000;
    for (int32_t cell = 0; cell < 24 * 24; cell++) {
        int32_t moves =
            ploy_search_path(search, ploy_headings_state(&headings, cell, 8), NULL, 0, NULL);
        if (moves >= 0) fewest = ploy_mini(fewest, moves);
    }
    CHECK_INT(fewest, 8);
    ploy_search_destroy(search);
    // A wall beside the knight's way stops it.
    CHECK_OK(ploy_tiles_set(tiles, 1, PLOY_TILE_BLOCKED));
    ploy_tiles_refresh(tiles);
    def.max_turn = 0;
    CHECK_OK(ploy_headings_make(&def, &walker, &env, &headings));
    CHECK_INT(drive(t, &headings, 0, 1, 10 * 24 + 20, edges, &cost), -1);
    ploy_tiles_destroy(tiles);
}

TEST(reversing_gets_out_of_a_dead_end) {
    ploy_env env = ploy_env_default();
    crowd_map map = crowd_map_make(t, 6, 1, 0.0f, 0);
    for (int32_t reverse = 0; reverse < 2; reverse++) {
        ploy_headings_def def = ploy_headings_def_default();
        def.headings = 4;
        def.reverse = reverse == 1;
        ploy_headings headings;
        ploy_edge edges[64];
        double cost = 0;
        CHECK_OK(ploy_headings_make(&def, map.walker, &env, &headings));
        int32_t count = drive(t, &headings, 5, 0, 0, edges, &cost); // looking at the wall
        CHECK_INT(count, reverse ? 5 : -1);
        if (reverse) CHECK_NEAR(cost, 10, 1e-9);
    }
    crowd_map_free(&map);
}
