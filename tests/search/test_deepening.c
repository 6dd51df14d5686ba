// Depth limited, deepening and ida*: the texts' limits, every setting against costs found the slow
// way, puzzles.
#include <stdlib.h>

#include "ploy/search/search.h"
#include "search/search_internal.h"
#include "tests/search/toy_space.h"
#include "tests/test.h"

static ploy_search *made(test_context *t, const ploy_search_def *def, const ploy_env *env) {
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(def, env, &search));
    return search;
}

static ploy_search_def method_def(ploy_search_method method) {
    ploy_search_def def = ploy_search_def_default();
    def.method = method;
    return def;
}

TEST(limits_on_the_exercise_graph_are_the_texts) {
    // PTH-40: with the estimates of PTH-05, and without any.
    enum { S, A, B, C, D, G };
    static const int32_t edges[][3] = {{S, A, 6}, {S, B, 15}, {A, C, 6}, {A, D, 12},
                                       {B, D, 3}, {B, G, 15}, {D, C, 9}, {D, G, 6}};
    static const double estimates[] = {0, 6, 9, 3, 3, 0};
    static const double limits[2][6] = {{0, 12, 15, 21, 24, -1}, {0, 6, 12, 15, 18, 24}};
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    toy_init(toy, 6);
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        toy_add(toy, edges[i][0], edges[i][1], edges[i][2]);
    }
    memcpy(toy->estimates, estimates, sizeof estimates);
    for (int32_t blind = 0; blind < 2; blind++) {
        if (blind) toy->space.estimate = NULL;
        ploy_search_def def = method_def(PLOY_SEARCH_METHOD_IDA_STAR);
        ploy_search *search = made(t, &def, &env);
        int32_t seen = 0;
        ploy_search_start start = {S, 0.0};
        ploy_search_query query = ploy_search_query_make(&toy->space, &start, G);
        CHECK_OK(ploy_search_begin(search, &query));
        while (ploy_search_outcome_of(search) == PLOY_SEARCH_OPEN) {
            ploy_budget one = ploy_budget_units(1);
            ploy_search_step(search, &one);
            ploy_search_stats stats = ploy_search_stats_of(search);
            if (stats.rounds == seen) continue;
            CHECK_INT(stats.rounds, seen + 1);
            CHECK_SAME(stats.limit, limits[blind][seen]);
            seen++;
        }
        CHECK_INT(seen, blind ? 6 : 5);
        ploy_edge path[8];
        double cost = 0.0;
        CHECK_INT(ploy_search_path(search, G, path, 8, &cost), 3);
        CHECK_SAME(cost, 24);
        CHECK_SAME(ployi_search_bound(search), 1.0);
        toy_check_path(t, toy, S, G, path, 3, cost);
        static const int32_t want[] = {0, 3, 7}; // S-A, A-D, D-G
        for (int32_t i = 0; i < 3; i++) CHECK_INT(path[i].label, want[i]);
        ploy_search_destroy(search);
    }
    free(toy);
}

// The fewest edges between two states, the slow way: every edge costs 1.
static double fewest_edges(const toy_space *toy, int32_t from, int32_t goal) {
    toy_space *flat = malloc(sizeof *flat);
    *flat = *toy;
    for (int32_t s = 0; s < flat->space.count; s++) {
        for (int32_t i = 0; i < flat->out_count[s]; i++) flat->out[s][i].cost = 1.0;
    }
    double costs[TOY_STATES];
    toy_costs(flat, from, false, costs);
    free(flat);
    return costs[goal];
}

TEST(the_first_path_is_the_best_whatever_is_left_out) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    for (int64_t seed = 0; seed < test_rounds(400); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t goal = (int32_t)ploy_rng_below(&rng, 9);
        toy_random(toy, &rng, (toy_estimates)(seed % TOY_ANY), goal);
        toy->space.count = toy->space.count < 12 ? toy->space.count : 12; // small: paths are many
        for (int32_t s = 0; s < 12; s++) {
            int32_t kept = 0;
            for (int32_t i = 0; i < toy->out_count[s]; i++) {
                if (toy->out[s][i].to < toy->space.count) toy->out[s][kept++] = toy->out[s][i];
            }
            toy->out_count[s] = kept < 4 ? kept : 4;
        }
        int32_t from = (int32_t)ploy_rng_below(&rng, (uint64_t)toy->space.count);
        double exact[TOY_STATES], costs[TOY_STATES];
        toy_costs(toy, goal, true, exact);
        for (int32_t s = 0; s < toy->space.count;
             s++) { // edges went: estimates must not grow wrong
            if (toy->estimates[s] > exact[s]) toy->estimates[s] = exact[s];
        }
        toy_costs(toy, from, false, costs);
        bool by_depth = seed % 3 == 0;
        ploy_search_def def =
            method_def(by_depth ? PLOY_SEARCH_METHOD_DEEPENING : PLOY_SEARCH_METHOD_IDA_STAR);
        def.table = seed % 2 == 0 ? 7 : 0;
        ploy_search *search = made(t, &def, &env);
        double best = by_depth ? fewest_edges(toy, from, goal) : costs[goal];
        for (int32_t slices = 0; slices < 2; slices++) {
            ploy_search_start start = {from, 0.0};
            ploy_search_query query = ploy_search_query_make(&toy->space, &start, goal);
            CHECK_OK(ploy_search_begin(search, &query));
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(slices == 0 ? PLOY_BUDGET_UNLIMITED : 1);
                result = ploy_search_step(search, &budget);
            }
            CHECK_OK(result);
            double cost = 0.0;
            ploy_edge path[TOY_STATES];
            int32_t count = ploy_search_path(search, goal, path, TOY_STATES, &cost);
            CHECK_INT(ploy_search_outcome_of(search),
                      best < INFINITY ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE);
            if (best == INFINITY) continue;
            CHECK_SAME(by_depth ? (double)count : cost, best);
            toy_check_path(t, toy, from, goal, path, count, cost);
            CHECK_INT(ploy_search_reached_at(search, count), goal);
        }
        ploy_search_destroy(search);
    }
    free(toy);
}

// States of bytes, as query.states holds them: the search removes those it has left.
static ploy_states *make_states(test_context *t, int32_t size, bool merge, const ploy_env *env) {
    ploy_states_def def = ploy_states_def_default();
    def.size = size;
    def.merge = merge;
    ploy_states *states = NULL;
    CHECK_OK(ploy_states_create(&def, env, &states));
    return states;
}

static bool never(void *user, int32_t state) {
    (void)user;
    (void)state;
    return false;
}

// GRA-13: a tree of eight children; a state is its depth.
static ploy_result eight_expand(void *user, int32_t state, ploy_edges *out) {
    unsigned char next = *(const unsigned char *)ploy_states_get(user, state);
    next++;
    for (int32_t i = 0; i < 8; i++) {
        int32_t to = 0;
        ploy_result result = ploy_states_find(user, &next, &to);
        if (result == PLOY_OK) result = ploy_edges_add(out, to, 1.0, i);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

TEST(a_depth_limit_visits_what_the_texts_table_counts) {
    static const int64_t totals[] = {1, 9, 73, 585, 4681, 37449};
    ploy_env env = ploy_env_default();
    for (int32_t depth = 0; depth < 6; depth++) {
        ploy_search_def def = method_def(PLOY_SEARCH_METHOD_DEPTH_LIMITED);
        def.max_depth = depth;
        def.cycles = PLOY_SEARCH_CYCLES_ALLOWED;
        ploy_search *search = made(t, &def, &env);
        ploy_states *states = make_states(t, 1, false, &env);
        unsigned char root = 0;
        ploy_search_start start = {0, 0.0};
        CHECK_OK(ploy_states_find(states, &root, &start.state));
        ploy_space space = {0, eight_expand, NULL, NULL, states};
        ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
        query.is_goal = never;
        query.states = states;
        CHECK_OK(ploy_search_run(search, &query));
        CHECK_INT(ploy_search_outcome_of(search), PLOY_SEARCH_PRUNED);
        CHECK_INT(ploy_search_stats_of(search).taken, totals[depth]);
        CHECK_INT(ploy_search_stats_of(search).rounds, 1);
        CHECK_INT(ploy_states_count(states), 1); // all it found is gone again
        ploy_states_destroy(states);
        ploy_search_destroy(search);
    }
}

// The 15-puzzle: four bits a tile, tile i at home in place i, the blank is 0.
static double board_estimate(uint64_t board) {
    int32_t sum = 0;
    for (int32_t at = 0; at < 16; at++) {
        int32_t tile = (int32_t)(board >> (4 * at)) & 15;
        if (tile != 0) sum += abs(at % 4 - tile % 4) + abs(at / 4 - tile / 4);
    }
    return sum;
}

static uint64_t board_at(const ploy_states *states, int32_t state) {
    uint64_t board = 0;
    memcpy(&board, ploy_states_get(states, state), sizeof board);
    return board;
}

static double tiles_estimate(void *user, int32_t state, int32_t goal) {
    (void)goal;
    return board_estimate(board_at(user, state));
}

static bool tiles_is_goal(void *user, int32_t state) {
    return board_at(user, state) == 0xFEDCBA9876543210u;
}

static ploy_result tiles_expand(void *user, int32_t state, ploy_edges *out) {
    uint64_t board = board_at(user, state);
    int32_t blank = 0;
    while ((board >> (4 * blank) & 15) != 0) blank++;
    static const int32_t dx[] = {0, -1, 1, 0}, dy[] = {-1, 0, 0, 1};
    for (int32_t i = 0; i < 4; i++) {
        int32_t x = blank % 4 + dx[i], y = blank / 4 + dy[i], to = 0;
        if (x < 0 || x > 3 || y < 0 || y > 3) continue;
        int32_t at = y * 4 + x;
        uint64_t tile = board >> (4 * at) & 15;
        uint64_t next = (board & ~(UINT64_C(15) << (4 * at))) | tile << (4 * blank);
        ploy_result result = ploy_states_find(user, &next, &to);
        if (result == PLOY_OK) result = ploy_edges_add(out, to, 1.0, (int32_t)tile);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Runs a search from a board to home.
static ploy_result solve_tiles(ploy_search *search, ploy_states *states, uint64_t board) {
    ploy_search_start start = {0, 0.0};
    ploy_states_clear(states);
    ploy_result result = ploy_states_find(states, &board, &start.state);
    if (result != PLOY_OK) return result;
    ploy_space space = {0, tiles_expand, NULL, tiles_estimate, states};
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    query.is_goal = tiles_is_goal;
    query.user = states;
    query.states = states;
    return ploy_search_run(search, &query);
}

TEST(scrambled_tiles_come_home_by_a_shortest_way) {
    // Walks of up to 22 steps from home: never longer back, of the same parity, and A* agrees.
    // With numbers for equal boards (merge) and without, with a table and without: the same path.
    ploy_env env = ploy_env_default();
    ploy_search_def a_star = ploy_search_def_default();
    ploy_search *reference = made(t, &a_star, &env);
    ploy_states *all = make_states(t, 8, true, &env);
    for (int32_t variant = 0; variant < 4; variant++) {
        ploy_search_def def = method_def(PLOY_SEARCH_METHOD_IDA_STAR);
        def.cycles = PLOY_SEARCH_CYCLES_PARENT;
        def.table = variant / 2 == 0 ? 0 : 97;
        ploy_search *search = made(t, &def, &env);
        ploy_states *states = make_states(t, 8, variant % 2 == 0, &env);
        for (int64_t seed = 0; seed < test_rounds(20); seed++) {
            TEST_SEED(seed);
            ploy_rng rng = ploy_rng_make((uint64_t)seed);
            uint64_t board = 0xFEDCBA9876543210u;
            int32_t steps = (int32_t)ploy_rng_below(&rng, 23), blank = 0;
            for (int32_t i = 0; i < steps;) {
                int32_t at = (int32_t)ploy_rng_below(&rng, 16);
                if (abs(at % 4 - blank % 4) + abs(at / 4 - blank / 4) != 1) continue;
                uint64_t tile = board >> (4 * at) & 15;
                board = (board & ~(UINT64_C(15) << (4 * at))) | tile << (4 * blank);
                blank = at;
                i++;
            }
            CHECK_OK(solve_tiles(search, states, board));
            double cost = 0.0;
            int32_t count = ploy_search_path(search, ploy_search_goal(search), NULL, 0, &cost);
            CHECK(count >= 0 && count <= steps);
            CHECK_INT(count % 2, steps % 2);
            CHECK(count >= board_estimate(board));
            CHECK(tiles_is_goal(states, ploy_search_goal(search)));
            // A path of n boards found at most four each: the rest is gone.
            CHECK(ploy_states_count(states) <= 1 + 4 * (count + 1));
            CHECK_OK(solve_tiles(reference, all, board));
            double best = 0.0;
            ploy_search_path(reference, ploy_search_goal(reference), NULL, 0, &best);
            CHECK_SAME(cost, best);
        }
        ploy_states_destroy(states);
        ploy_search_destroy(search);
    }
    ploy_states_destroy(all);
    ploy_search_destroy(reference);
}

TEST(korfs_puzzles_have_korfs_lengths_and_node_counts) {
    char path[512];
    const char *dir = test_data_dir();
    if (dir == NULL) {
        test_skip(t, "no outside data");
        return;
    }
    snprintf(path, sizeof path, "%s/planning/puzzles/korf15-odd.txt", dir);
    char *text = test_read_file(path, NULL);
    if (text == NULL) {
        test_skip(t, "no puzzles");
        return;
    }
    ploy_env env = ploy_env_default();
    ploy_search_def def = method_def(PLOY_SEARCH_METHOD_IDA_STAR);
    def.cycles = PLOY_SEARCH_CYCLES_PARENT;
    ploy_search *search = made(t, &def, &env);
    ploy_states *states = make_states(t, 8, false, &env);
    int32_t solved = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (line[0] == '#') continue;
        long values[19];
        int32_t count = 0;
        for (char *at = line, *end = NULL; count < 19; at = end) {
            values[count] = strtol(at, &end, 10);
            if (end == at) break;
            count++;
        }
        if (count < 19 || values[2] > test_rounds(1000000)) continue;
        uint64_t board = 0;
        for (int32_t i = 0; i < 16; i++) board |= (uint64_t)values[i + 3] << (4 * i);
        CHECK_OK(solve_tiles(search, states, board));
        CHECK_INT(ploy_search_path(search, ploy_search_goal(search), NULL, 0, NULL), values[1]);
        solved++;
        // Korf counted states made and not taken back; ours is cut off elsewhere in the last round.
        ploy_search_stats stats = ploy_search_stats_of(search);
        CHECK_NEAR(stats.edges - stats.taken, values[2], 100);
    }
    CHECK(solved > 0);
    ploy_states_destroy(states);
    ploy_search_destroy(search);
    free(text);
}

static ploy_result loop_expand(void *user, int32_t state, ploy_edges *out) {
    return ploy_edges_add(out, state, *(double *)user, 0);
}

static double bad_estimate(void *user, int32_t state, int32_t goal) {
    (void)user;
    (void)state;
    (void)goal;
    return NAN;
}

TEST(broken_spaces_and_bad_arguments_are_errors) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_search_def def = method_def(PLOY_SEARCH_METHOD_IDA_STAR);
    ploy_search *search = made(t, &def, &env);
    double below = -1.0;
    ploy_space space = {0, loop_expand, NULL, NULL, &below};
    ploy_search_start start = {0, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, 1);
    CHECK_INT(ploy_search_step(search, NULL), PLOY_ERR_STATE);
    CHECK_OK(ploy_search_begin(search, &query));
    CHECK_INT(ploy_search_step(search, NULL), PLOY_ERR_CALLBACK);
    CHECK_INT(ploy_search_step(search, NULL), PLOY_ERR_STATE);
    space.estimate = bad_estimate;
    CHECK_OK(ploy_search_begin(search, &query));
    CHECK_INT(ploy_search_step(search, NULL), PLOY_ERR_CALLBACK);
    // A loop costs a round or two and no more; without the check only the limits end it.
    double one = 1.0;
    ploy_space loop = {0, loop_expand, NULL, NULL, &one};
    query.space = &loop;
    CHECK_OK(ploy_search_run(search, &query));
    CHECK_INT(ploy_search_outcome_of(search), PLOY_SEARCH_NONE);
    ploy_search_destroy(search);
    def.cycles = PLOY_SEARCH_CYCLES_ALLOWED;
    def.max_depth = 9;
    def.first_limit = 100;
    search = made(t, &def, &env);
    CHECK_OK(ploy_search_run(search, &query));
    CHECK_INT(ploy_search_outcome_of(search), PLOY_SEARCH_PRUNED);
    CHECK_INT(ploy_search_stats_of(search).taken, 10);
    ploy_search_destroy(search);
}

static ploy_result deepened(const ploy_env *env, void *arg) {
    uint64_t board = 0xFEDCBA9876503214u; // the blank went four steps
    bool *merge = arg;
    ploy_states_def states_def = ploy_states_def_default();
    states_def.size = 8;
    states_def.merge = *merge;
    ploy_search_def def = method_def(PLOY_SEARCH_METHOD_IDA_STAR);
    def.table = 64;
    ploy_search *search = NULL;
    ploy_states *states = NULL;
    ploy_result result = ploy_search_create(&def, env, &search);
    if (result == PLOY_OK) result = ploy_states_create(&states_def, env, &states);
    if (result == PLOY_OK) result = solve_tiles(search, states, board);
    ploy_search_destroy(search);
    ploy_states_destroy(states);
    return result;
}

TEST(memory_may_run_out_on_the_way_down) {
    bool merge = false;
    CHECK_FAIL_NTH(deepened, &merge);
    merge = true;
    CHECK_FAIL_NTH(deepened, &merge);
}
