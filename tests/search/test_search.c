// The search: the textbooks' examples, and every setting against costs found the slow way.
#include "ploy/search/search.h"
#include "search/search_internal.h"

#include <stdlib.h>

#include "ploy/base/describe.h"
#include "tests/search/toy_space.h"
#include "tests/test.h"

static ploy_search *made(test_context *t, const ploy_search_def *def, const ploy_env *env) {
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(def, env, &search));
    return search;
}

static ploy_search_outcome run_to(test_context *t, ploy_search *search, toy_space *toy,
                                  int32_t from, int32_t goal) {
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(&toy->space, &start, goal);
    toy->expanded_count = 0;
    CHECK_OK(ploy_search_run(search, &query));
    return ploy_search_outcome_of(search);
}

static void check_path(test_context *t, const ploy_search *search, const toy_space *toy,
                       int32_t from, int32_t to, double want) {
    ploy_edge path[TOY_STATES];
    double cost = -1.0;
    // A backward search reached `from`, and its path leads from there to where it began.
    ploy_search_node node;
    bool backward = ploy_search_get(search, to, &node) && node.parent == PLOY_STATE_NONE;
    int32_t count = ploy_search_path(search, backward ? from : to, path, TOY_STATES, &cost);
    CHECK_SAME(cost, want);
    toy_check_path(t, toy, from, to, path, count, cost);
}

static void check_states(test_context *t, const ploy_search *search, int32_t goal,
                         const int32_t *want, int32_t count) {
    ploy_edge path[TOY_STATES];
    CHECK_INT(ploy_search_path(search, goal, path, TOY_STATES, NULL), count);
    for (int32_t i = 0; i < count; i++) CHECK_INT(path[i].to, want[i]);
}

// PTH-03's example: S A B C D G are 0 to 5; PTH-05's estimates.
static void make_exercise(toy_space *toy) {
    enum { S, A, B, C, D, G };
    static const int32_t edges[][3] = {{S, A, 6}, {S, B, 15}, {A, C, 6}, {A, D, 12},
                                       {B, D, 3}, {B, G, 15}, {D, C, 9}, {D, G, 6}};
    static const double estimates[] = {0, 6, 9, 3, 3, 0};
    toy_init(toy, 6);
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        toy_add(toy, edges[i][0], edges[i][1], edges[i][2]);
    }
    memcpy(toy->estimates, estimates, sizeof estimates);
}

TEST(the_exercise_graph_opens_what_the_text_says) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    make_exercise(toy);
    static const struct {
        const char *row;
        double weight;
        ploy_search_stop stop;
        double cost;
        int32_t expanded[6], count;
    } rows[] = {
        {"Dijkstra", 0, PLOY_SEARCH_STOP_SELECTED, 24, {0, 1, 3, 2, 4}, 5},
        {"Dijkstra, first sight", 0, PLOY_SEARCH_STOP_SEEN, 30, {0, 1, 3, 2}, 4},
        // G and B tie at 24: the one further along comes first.
        {"A*", 1, PLOY_SEARCH_STOP_SELECTED, 24, {0, 1, 3, 4}, 4},
        {"A*, proven", 1, PLOY_SEARCH_STOP_PROVEN, 24, {0, 1, 3, 4, 2}, 5},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_search_def def = ploy_search_def_default();
        def.weight = rows[i].weight;
        def.stop = rows[i].stop;
        ploy_search *search = made(t, &def, &env);
        CHECK_INT(run_to(t, search, toy, 0, 5), PLOY_SEARCH_FOUND);
        check_path(t, search, toy, 0, 5, rows[i].cost);
        CHECK_INT(toy->expanded_count, rows[i].count);
        for (int32_t k = 0; k < rows[i].count; k++) {
            CHECK_INT(toy->expanded[k], rows[i].expanded[k]);
        }
        ploy_search_destroy(search);
    }
    free(toy);
}

TEST(a_search_that_was_never_begun_has_reached_nothing) {
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    CHECK_OK(ploy_search_reserve(search, 8)); // zeroed records, which are of no search
    ploy_search_node node;
    ploy_edge edges[4];
    for (int32_t state = 0; state < 8; state++) {
        CHECK(!ploy_search_get(search, state, &node));
        CHECK_INT(ploy_search_path(search, state, edges, 4, NULL), -1);
    }
    ploy_search_destroy(search);
}

TEST(open_lists_hold_what_the_text_says_at_each_step) {
    // PTH-03 and PTH-05: state and key of everything open, step by step.
    static const struct {
        double weight;
        struct {
            int32_t state;
            double key;
        } open[3];
        int32_t count;
    } rows[] = {
        {0, {{1, 6}, {2, 15}}, 2},
        {0, {{3, 12}, {2, 15}, {4, 18}}, 3},
        {0, {{2, 15}, {4, 18}}, 2},
        {0, {{4, 18}, {5, 30}}, 2},
        {0, {{5, 24}}, 1},
        {1, {{1, 12}, {2, 24}}, 2},
        {1, {{3, 15}, {4, 21}, {2, 24}}, 3},
        {1, {{4, 21}, {2, 24}}, 2},
        {1, {{2, 24}, {5, 24}}, 2},
    };
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    make_exercise(toy);
    ploy_search_def def = ploy_search_def_default();
    size_t row = 0;
    for (int32_t weight = 0; weight < 2; weight++) {
        def.weight = weight;
        ploy_search *search = made(t, &def, &env);
        ploy_search_start start = {0, 0.0};
        ploy_search_query query = ploy_search_query_make(&toy->space, &start, 5);
        CHECK_OK(ploy_search_begin(search, &query));
        for (; row < COUNT_OF(rows) && rows[row].weight == weight; row++) {
            ploy_budget one = ploy_budget_units(1);
            CHECK_INT(ploy_search_step(search, &one), PLOY_IN_PROGRESS);
            int32_t open = 0;
            for (int32_t i = 0; i < ploy_search_reached(search); i++) {
                ploy_search_node node;
                int32_t state = ploy_search_reached_at(search, i);
                CHECK(ploy_search_get(search, state, &node));
                if (node.status != PLOY_SEARCH_SEEN) continue;
                open++;
                bool listed = false;
                for (int32_t k = 0; k < rows[row].count; k++) {
                    double key = node.cost + rows[row].weight * node.estimate;
                    listed = listed ||
                             (rows[row].open[k].state == state && rows[row].open[k].key == key);
                }
                CHECK(listed);
            }
            CHECK_INT(open, rows[row].count);
        }
        ploy_search_destroy(search);
    }
    CHECK_INT(row, COUNT_OF(rows));
    free(toy);
}

TEST(closed_states_are_taken_again_when_a_cheaper_way_appears) {
    // PTH-05: A B C E G are 0 to 4; admissible, not consistent.
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    toy_init(toy, 5);
    toy_add(toy, 0, 1, 1);
    toy_add(toy, 0, 2, 1);
    toy_add(toy, 1, 3, 3);
    toy_add(toy, 2, 3, 1);
    toy_add(toy, 3, 4, 10);
    toy->estimates[2] = 5;
    static const int32_t again[] = {0, 1, 3, 2, 3}, once[] = {0, 1, 3, 2};
    for (int32_t reopen = 0; reopen < 2; reopen++) {
        ploy_search_def def = ploy_search_def_default();
        def.reopen = reopen == 1;
        ploy_search *search = made(t, &def, &env);
        CHECK_INT(run_to(t, search, toy, 0, 4), PLOY_SEARCH_FOUND);
        double cost = 0.0;
        CHECK_INT(ploy_search_path(search, 4, NULL, 0, &cost), 3);
        if (reopen == 1) CHECK_SAME(cost, 12);
        CHECK_INT(toy->expanded_count, reopen == 1 ? 5 : 4);
        for (int32_t i = 0; i < toy->expanded_count; i++) {
            CHECK_INT(toy->expanded[i], reopen == 1 ? again[i] : once[i]);
        }
        CHECK_INT(ploy_search_stats_of(search).reopened, reopen);
        ploy_search_node node;
        CHECK(ploy_search_get(search, 4, &node));
        CHECK_SAME(node.cost, reopen == 1 ? 12 : 14);
        ploy_search_destroy(search);
    }
    free(toy);
}

TEST(an_estimate_too_large_costs_no_more_than_its_excess) {
    // PTH-09: S A G are 0 to 2; h(A) is 3 too large.
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    toy_init(toy, 3);
    toy_add(toy, 0, 2, 10);
    toy_add(toy, 0, 1, 4);
    toy_add(toy, 1, 2, 4);
    toy->estimates[1] = 7;
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = made(t, &def, &env);
    CHECK_INT(run_to(t, search, toy, 0, 2), PLOY_SEARCH_FOUND);
    check_path(t, search, toy, 0, 2, 10);
    ploy_search_destroy(search);
    def.stop = PLOY_SEARCH_STOP_PROVEN;
    search = made(t, &def, &env);
    CHECK_INT(run_to(t, search, toy, 0, 2), PLOY_SEARCH_FOUND);
    check_path(t, search, toy, 0, 2, 8);
    CHECK_SAME(ployi_search_bound(search), 1.0);
    ploy_search_destroy(search);
    free(toy);
}

static void add_both(toy_space *toy, int32_t a, int32_t b) {
    toy_add(toy, a, b, 1);
    toy_add(toy, b, a, 1);
}

TEST(depth_and_breadth_first_follow_the_texts_orders) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    toy_init(toy, 7); // GRA-10 and GRA-14; the edges of 5 in the order 6, 4, 2
    add_both(toy, 1, 2);
    add_both(toy, 1, 3);
    add_both(toy, 5, 6);
    add_both(toy, 5, 4);
    add_both(toy, 5, 2);
    add_both(toy, 4, 3);
    add_both(toy, 4, 6);
    ploy_search_def def = ploy_search_def_default();
    def.order = PLOY_SEARCH_DEPTH;
    def.last_edge_first = true;
    ploy_search *search = made(t, &def, &env);
    CHECK_INT(run_to(t, search, toy, 5, 3), PLOY_SEARCH_FOUND);
    static const int32_t deep[] = {2, 1, 3}, wide[] = {4, 3}, seen[] = {5, 6, 4, 2};
    check_states(t, search, 3, deep, 3);
    ploy_search_destroy(search);
    def.order = PLOY_SEARCH_BREADTH;
    search = made(t, &def, &env);
    CHECK_INT(run_to(t, search, toy, 5, 3), PLOY_SEARCH_FOUND);
    check_states(t, search, 3, wide, 2);
    CHECK_INT(toy->expanded_count, 4);
    for (int32_t i = 0; i < 4; i++) CHECK_INT(toy->expanded[i], seen[i]);
    ploy_search_destroy(search);
    // NTU-02 and NTU-03: the tree A -> B C, B -> D E, C -> F G.
    toy_init(toy, 7);
    for (int32_t i = 1; i < 7; i++) toy_add(toy, (i - 1) / 2, i, 1);
    static const struct {
        ploy_search_order order;
        int32_t goal, taken;
        int32_t expanded[7], count;
    } rows[] = {
        {PLOY_SEARCH_DEPTH, -1, 7, {0, 1, 3, 4, 2, 5, 6}, 7},
        {PLOY_SEARCH_BREADTH, -1, 7, {0, 1, 2, 3, 4, 5, 6}, 7},
        {PLOY_SEARCH_DEPTH, 5, 6, {0, 1, 3, 4, 2}, 5},
        {PLOY_SEARCH_BREADTH, 5, 6, {0, 1, 2, 3, 4}, 5},
        {PLOY_SEARCH_DEPTH, 2, 5, {0, 1, 3, 4}, 4},
        {PLOY_SEARCH_BREADTH, 2, 3, {0, 1}, 2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        def = ploy_search_def_default();
        def.order = rows[i].order;
        search = made(t, &def, &env);
        CHECK_INT(run_to(t, search, toy, 0, rows[i].goal), PLOY_SEARCH_FOUND);
        CHECK_INT(ploy_search_stats_of(search).taken, rows[i].taken);
        CHECK_INT(toy->expanded_count, rows[i].count);
        for (int32_t k = 0; k < rows[i].count; k++) {
            CHECK_INT(toy->expanded[k], rows[i].expanded[k]);
        }
        ploy_search_destroy(search);
    }
    free(toy);
}

// NTU-11: Arad 0, Bucharest 1, ... in alphabetical order; distances to Bucharest.
enum {
    ARAD,
    BUCHAREST,
    CRAIOVA,
    DOBRETA,
    EFORIE,
    FAGARAS,
    GIURGIU,
    HIRSOVA,
    IASI,
    LUGOJ,
    MEHADIA,
    NEAMT,
    ORADEA,
    PITESTI,
    RIMNICU,
    SIBIU,
    TIMISOARA,
    URZICENI,
    VASLUI,
    ZERIND,
    CITIES
};

static void make_romania(toy_space *toy) {
    static const double far[] = {366, 0,   160, 242, 161, 178, 77,  151, 226, 244,
                                 241, 234, 380, 98,  193, 253, 329, 80,  199, 374};
    static const int32_t roads[][3] = {
        {ARAD, ZERIND, 75},        {ARAD, SIBIU, 140},       {ARAD, TIMISOARA, 118},
        {ZERIND, ORADEA, 71},      {ORADEA, SIBIU, 151},     {TIMISOARA, LUGOJ, 111},
        {LUGOJ, MEHADIA, 70},      {MEHADIA, DOBRETA, 75},   {DOBRETA, CRAIOVA, 120},
        {CRAIOVA, RIMNICU, 146},   {CRAIOVA, PITESTI, 138},  {SIBIU, RIMNICU, 80},
        {SIBIU, FAGARAS, 99},      {RIMNICU, PITESTI, 97},   {FAGARAS, BUCHAREST, 211},
        {PITESTI, BUCHAREST, 101}, {BUCHAREST, GIURGIU, 90}, {BUCHAREST, URZICENI, 85},
        {URZICENI, HIRSOVA, 98},   {HIRSOVA, EFORIE, 86},    {URZICENI, VASLUI, 142},
        {VASLUI, IASI, 92},        {IASI, NEAMT, 87},
    };
    toy_init(toy, CITIES);
    memcpy(toy->estimates, far, sizeof far);
    for (size_t i = 0; i < COUNT_OF(roads); i++) {
        toy_add(toy, roads[i][0], roads[i][1], roads[i][2]);
        toy_add(toy, roads[i][1], roads[i][0], roads[i][2]);
    }
}

TEST(the_way_to_bucharest_is_found_as_the_text_finds_it) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    make_romania(toy);
    static const struct {
        const char *row;
        ploy_search_order order;
        double weight, cost;
        int32_t taken, states[4], count;
    } rows[] = {
        {"A*", PLOY_SEARCH_BEST, 1, 418, 6, {SIBIU, RIMNICU, PITESTI, BUCHAREST}, 4},
        {"Dijkstra", PLOY_SEARCH_BEST, 0, 418, 13, {SIBIU, RIMNICU, PITESTI, BUCHAREST}, 4},
        {"greedy", PLOY_SEARCH_GREEDY, 1, 450, 4, {SIBIU, FAGARAS, BUCHAREST, 0}, 3},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_search_def def = ploy_search_def_default();
        def.order = rows[i].order;
        def.weight = rows[i].weight;
        ploy_search *search = made(t, &def, &env);
        CHECK_INT(run_to(t, search, toy, ARAD, BUCHAREST), PLOY_SEARCH_FOUND);
        check_states(t, search, BUCHAREST, rows[i].states, rows[i].count);
        check_path(t, search, toy, ARAD, BUCHAREST, rows[i].cost);
        CHECK_INT(ploy_search_stats_of(search).taken, rows[i].taken);
        ploy_search_destroy(search);
    }
    free(toy);
}

TEST(all_optimal_searches_find_what_the_slow_way_finds) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    // The last is one that an anytime search answered before it was sure: with estimates that are
    // not consistent its last round may leave something to improve.
    int64_t rounds = test_rounds(1500);
    for (int64_t round = 0; round <= rounds; round++) {
        int64_t seed = round < rounds ? round : 12628;
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        toy_estimates quality = (toy_estimates)(seed % TOY_ESTIMATES);
        int32_t goal = (int32_t)ploy_rng_below(&rng, TOY_STATES);
        toy_random(toy, &rng, quality, goal);
        int32_t from = (int32_t)ploy_rng_below(&rng, (uint64_t)toy->space.count);
        double costs[TOY_STATES];
        toy_costs(toy, from, false, costs);
        ploy_search_def def = ploy_search_def_default();
        def.open = (ploy_open_kind)ploy_rng_below(&rng, PLOY_OPEN_ORDERED + 1); // and the fringe
        def.bucket_width = 0.5 + (double)ploy_rng_below(&rng, 4);
        def.storage = seed % 3 == 0 ? PLOY_SEARCH_PAGES : PLOY_SEARCH_FLAT;
        def.pathmax = seed % 7 == 0;
        def.weight = quality == TOY_ANY ? 1.0 : (double)ploy_rng_below(&rng, 3) / 2.0;
        if (quality == TOY_ANY) def.stop = PLOY_SEARCH_STOP_PROVEN;
        if (quality != TOY_ANY && seed % 4 == 0) {
            def.weight = 3.0;
            def.weight_step = 0.5;
            def.open = PLOY_OPEN_HEAP;
        }
        ploy_search *search = made(t, &def, &env);
        for (int32_t again = 0; again < 2; again++) { // the second in used memory
            ploy_search_outcome outcome = run_to(t, search, toy, from, goal);
            CHECK_INT(outcome, costs[goal] < INFINITY ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE);
            if (outcome == PLOY_SEARCH_FOUND) {
                check_path(t, search, toy, from, goal, costs[goal]);
                CHECK_SAME(ployi_search_bound(search), 1.0);
            } else {
                CHECK_INT(ploy_search_goal(search), PLOY_STATE_NONE);
                CHECK_INT(ploy_search_path(search, goal, NULL, 0, NULL), -1);
            }
        }
        ploy_search_destroy(search);
    }
    free(toy);
}

TEST(every_open_list_gives_the_same_search) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        toy_random(toy, &rng, (toy_estimates)(seed % TOY_ESTIMATES), 20);
        uint64_t first = 0;
        int32_t order[1024], count = 0;
        for (int32_t kind = 0; kind < PLOY_OPEN_ORDERED; kind++) {
            ploy_search_def def = ploy_search_def_default();
            def.open = (ploy_open_kind)kind;
            def.bucket_width = 3.0;
            def.frontier = seed % 5 == 0 ? 3 : 0;
            ploy_search *search = made(t, &def, &env);
            run_to(t, search, toy, 0, 20);
            ploy_hash_sink sink;
            ploy_hash_sink_init(&sink);
            ploy_describe out = ploy_hash_sink_describe(&sink);
            ploy_search_describe(search, &out);
            if (kind == 0) {
                first = ploy_hash_sink_result(&sink);
                count = toy->expanded_count;
                memcpy(order, toy->expanded, sizeof order);
            }
            CHECK_UINT(ploy_hash_sink_result(&sink), first);
            CHECK_INT(toy->expanded_count, count);
            CHECK_BYTES(toy->expanded, order, (size_t)count * sizeof *order);
            ploy_search_destroy(search);
        }
    }
    free(toy);
}

static uint64_t search_hash(const ploy_search *search) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_search_describe(search, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(one_state_at_a_time_equals_all_at_once) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        toy_random(toy, &rng, (toy_estimates)(seed % TOY_ESTIMATES), 30);
        ploy_search_def def = ploy_search_def_default();
        def.order = (ploy_search_order)(seed / 5 % 4);
        def.stop = (ploy_search_stop)(seed / 20 % 3);
        def.frontier = seed % 3 == 0 ? 2 : 0;
        def.frontier_grow = seed % 2 == 0;
        if (seed % 7 == 0) def.weight = 2.5, def.weight_step = 0.5;
        ploy_search *search = made(t, &def, &env);
        ploy_search_outcome outcome = run_to(t, search, toy, 0, 30);
        uint64_t whole = search_hash(search);
        int32_t order[1024], count = toy->expanded_count;
        memcpy(order, toy->expanded, sizeof order);
        ploy_search_start start = {0, 0.0};
        ploy_search_query query = ploy_search_query_make(&toy->space, &start, 30);
        toy->expanded_count = 0;
        CHECK_OK(ploy_search_begin(search, &query));
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget one = ploy_budget_units(1);
            result = ploy_search_step(search, &one);
        }
        CHECK_OK(result);
        CHECK_INT(ploy_search_outcome_of(search), outcome);
        CHECK_UINT(search_hash(search), whole);
        CHECK_INT(toy->expanded_count, count);
        CHECK_BYTES(toy->expanded, order, (size_t)count * sizeof *order);
        ploy_search_destroy(search);
    }
    free(toy);
}

TEST(an_anytime_search_gives_a_path_soon_and_a_better_one_later) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    int32_t improved = 0;
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        toy_random(toy, &rng, TOY_CONSISTENT, 40);
        double costs[TOY_STATES];
        toy_costs(toy, 0, false, costs);
        ploy_search_def def = ploy_search_def_default();
        def.weight = 5.0;
        def.weight_step = 1.0;
        ploy_search *search = made(t, &def, &env);
        ploy_search_start start = {0, 0.0};
        ploy_search_query query = ploy_search_query_make(&toy->space, &start, 40);
        CHECK_OK(ploy_search_begin(search, &query));
        double last = INFINITY;
        int32_t version = 0;
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget one = ploy_budget_units(1);
            result = ploy_search_step(search, &one);
            if (ployi_search_version(search) == version) continue;
            version = ployi_search_version(search);
            double cost = 0.0;
            CHECK(ploy_search_path(search, ploy_search_goal(search), NULL, 0, &cost) >= 0);
            CHECK(cost <= last);
            CHECK(cost <= costs[40] * ployi_search_bound(search) + 1e-9);
            improved += cost < last && last < INFINITY;
            last = cost;
        }
        CHECK_OK(result);
        if (costs[40] < INFINITY) CHECK_SAME(last, costs[40]);
        ploy_search_destroy(search);
    }
    CHECK(improved > 0);
    free(toy);
}

static bool is_multiple_of_seven(void *user, int32_t state) {
    (void)user;
    return state > 0 && state % 7 == 0;
}

static bool is_even(void *user, int32_t state) {
    (void)user;
    return state % 2 == 0;
}

TEST(goals_starts_directions_and_limits_are_free) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        toy_random(toy, &rng, TOY_ZERO, 40);
        ploy_search_start starts[3] = {{0, 4.0}, {5, 0.0}, {0, 2.0}};
        double a[TOY_STATES], b[TOY_STATES], back[TOY_STATES];
        toy_costs(toy, 0, false, a);
        toy_costs(toy, 5, false, b);
        toy_costs(toy, 5, true, back);
        ploy_search_def def = ploy_search_def_default();
        def.weight = 0.0;
        def.max_cost = seed % 2 == 0 ? 15.0 : 1e300;
        ploy_search *search = made(t, &def, &env);
        ploy_search_query query = ploy_search_query_make(&toy->space, starts, PLOY_STATE_NONE);
        query.start_count = 3;
        CHECK_OK(ploy_search_run(search, &query)); // PTH-04: from several, to all
        CHECK_INT(ploy_search_outcome_of(search), PLOY_SEARCH_FOUND);
        double nearest = INFINITY;
        for (int32_t i = 0; i < toy->space.count; i++) {
            double want = a[i] + 2.0 < b[i] ? a[i] + 2.0 : b[i];
            if (want > def.max_cost) want = INFINITY;
            if (is_multiple_of_seven(NULL, i) && want < nearest) nearest = want;
            ploy_search_node node;
            CHECK_INT(ploy_search_get(search, i, &node), want < INFINITY);
            if (want == INFINITY) continue;
            CHECK_SAME(node.cost, want);
            CHECK(node.start == 0 || node.start == 5);
        }
        query.is_goal = is_multiple_of_seven; // PTH-35: the nearest of a kind
        CHECK_OK(ploy_search_run(search, &query));
        CHECK_INT(ploy_search_goal(search) != PLOY_STATE_NONE, nearest < INFINITY);
        if (nearest < INFINITY) {
            double cost = 0.0;
            ploy_search_path(search, ploy_search_goal(search), NULL, 0, &cost);
            CHECK_SAME(cost, nearest);
            CHECK(is_multiple_of_seven(NULL, ploy_search_goal(search)));
        }
        query = ploy_search_query_make(&toy->space, &starts[1], PLOY_STATE_NONE);
        query.backward = true;
        CHECK_OK(ploy_search_run(search, &query));
        for (int32_t i = 0; i < toy->space.count; i++) {
            ploy_search_node node;
            CHECK_INT(ploy_search_get(search, i, &node), back[i] <= def.max_cost);
            if (back[i] <= def.max_cost) check_path(t, search, toy, i, 5, back[i]);
        }
        query = ploy_search_query_make(&toy->space, starts, PLOY_STATE_NONE);
        query.allow = is_even;
        CHECK_OK(ploy_search_run(search, &query));
        for (int32_t i = 0; i < ploy_search_reached(search); i++) {
            CHECK(is_even(NULL, ploy_search_reached_at(search, i)));
        }
        ploy_search_destroy(search);
    }
    free(toy);
}

TEST(a_bounded_frontier_says_when_it_cut_the_answer_off) {
    // PTH-41: on the exercise graph one place is too few, two are enough.
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    make_exercise(toy);
    static const struct {
        int32_t frontier;
        bool grow;
        ploy_search_outcome want;
    } rows[] = {{1, false, PLOY_SEARCH_PRUNED},
                {2, false, PLOY_SEARCH_FOUND},
                {3, false, PLOY_SEARCH_FOUND},
                {1, true, PLOY_SEARCH_FOUND}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_search_def def = ploy_search_def_default();
        def.frontier = rows[i].frontier;
        def.frontier_grow = rows[i].grow;
        ploy_search *search = made(t, &def, &env);
        CHECK_INT(run_to(t, search, toy, 0, 5), rows[i].want);
        if (rows[i].want == PLOY_SEARCH_FOUND) check_path(t, search, toy, 0, 5, 24);
        ploy_search_destroy(search);
    }
    ploy_search_def def = ploy_search_def_default();
    def.max_states = 3;
    ploy_search *search = made(t, &def, &env);
    CHECK_INT(run_to(t, search, toy, 0, 5), PLOY_SEARCH_PRUNED);
    CHECK_INT(ploy_search_reached(search), 3);
    CHECK_INT(ploy_search_nearest(search), 0);
    ploy_search_destroy(search);
    free(toy);
}

TEST(a_broken_contract_is_an_error_and_not_a_loop) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    toy_space *toy = malloc(sizeof *toy);
    static const struct {
        const char *row;
        int32_t to;
        double cost, estimate;
        ploy_result want;
    } rows[] = {
        {"fine", 2, 1, 0, PLOY_OK},
        {"closed", 2, INFINITY, 0, PLOY_OK},
        {"below zero", 2, -1, 0, PLOY_ERR_CALLBACK},
        {"not a number", 2, NAN, 0, PLOY_ERR_CALLBACK},
        {"out of the space", 3, 1, 0, PLOY_ERR_CALLBACK},
        {"estimate below zero", 2, 1, -1, PLOY_ERR_CALLBACK},
        {"estimate invalid number", 2, 1, NAN, PLOY_ERR_CALLBACK},
        {"estimate without end", 2, 1, INFINITY, PLOY_OK},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        toy_init(toy, 3);
        ploy_edge edge = {rows[i].to, 0, rows[i].cost};
        toy->out[0][toy->out_count[0]++] = edge;
        toy->estimates[2] = rows[i].estimate;
        ploy_search_def def = ploy_search_def_default();
        ploy_search *search = made(t, &def, &env);
        ploy_search_start start = {0, 0.0};
        ploy_search_query query = ploy_search_query_make(&toy->space, &start, 2);
        CHECK_INT(ploy_search_run(search, &query), rows[i].want);
        if (rows[i].want != PLOY_OK) CHECK_INT(ploy_search_step(search, NULL), PLOY_ERR_STATE);
        ploy_search_destroy(search);
    }
    free(toy);
}

TEST(bad_queries_are_refused) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    make_exercise(toy);
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = made(t, &def, &env);
    ploy_search_start fine = {0, 0.0}, far = {6, 0.0}, owes = {0, -1.0};
    ploy_search_query query = ploy_search_query_make(&toy->space, &fine, 5);
    CHECK_INT(ploy_search_step(search, NULL), PLOY_ERR_STATE);
    CHECK_INT(ploy_search_begin(search, NULL), PLOY_ERR_ARGUMENT);
    query.starts = &far;
    CHECK_INT(ploy_search_begin(search, &query), PLOY_ERR_ARGUMENT);
    query.starts = &owes;
    CHECK_INT(ploy_search_begin(search, &query), PLOY_ERR_ARGUMENT);
    query = ploy_search_query_make(&toy->space, &fine, 6);
    CHECK_INT(ploy_search_begin(search, &query), PLOY_ERR_ARGUMENT);
    query = ploy_search_query_make(&toy->space, &fine, 0);
    CHECK_OK(ploy_search_run(search, &query)); // there already: an empty path, not none
    CHECK_INT(ploy_search_path(search, 0, NULL, 0, NULL), 0);
    toy->space.expand_back = NULL;
    query.backward = true;
    CHECK_INT(ploy_search_begin(search, &query), PLOY_ERR_ARGUMENT);
    ploy_search_destroy(search);
    def.open = PLOY_OPEN_FRINGE;
    def.weight_step = 1.0;
    env.log = NULL;
    CHECK_INT(ploy_search_create(&def, &env, &search), PLOY_ERR_ARGUMENT);
    def.weight_step = 0.0;
    def.weight = NAN;
    CHECK_INT(ploy_search_create(&def, &env, &search), PLOY_ERR_ARGUMENT);
    CHECK(search == NULL);
    free(toy);
}

typedef struct fail_arg {
    toy_space *toy;
    ploy_search_def def;
} fail_arg;

static ploy_result searched(const ploy_env *env, void *arg) {
    fail_arg *fail = arg;
    ploy_search *search = NULL;
    ploy_result result = ploy_search_create(&fail->def, env, &search);
    ploy_search_start start = {0, 0.0};
    ploy_search_query query = ploy_search_query_make(&fail->toy->space, &start, 40);
    if (result == PLOY_OK) result = ploy_search_run(search, &query);
    ploy_search_destroy(search);
    return result;
}

TEST(memory_may_run_out_and_cancelling_leaks_nothing) {
    fail_arg arg;
    arg.toy = malloc(sizeof *arg.toy);
    ploy_rng rng = ploy_rng_make(3);
    toy_random(arg.toy, &rng, TOY_ADMISSIBLE, 40);
    for (int32_t i = 0; i < 4; i++) {
        arg.def = ploy_search_def_default();
        arg.def.storage = i % 2 == 0 ? PLOY_SEARCH_FLAT : PLOY_SEARCH_PAGES;
        if (i >= 2) arg.def.weight = 3.0, arg.def.weight_step = 1.0;
        arg.toy->space.count = i == 1 ? 0 : arg.toy->space.count; // unknown
        CHECK_FAIL_NTH(searched, &arg);
    }
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_search_start start = {0, 0.0};
    ploy_search_query query = ploy_search_query_make(&arg.toy->space, &start, 40);
    for (int64_t k = 0; k < 40; k++) {
        ploy_search *search = made(t, &arg.def, &env);
        CHECK_OK(ploy_search_begin(search, &query));
        ploy_budget budget = ploy_budget_units(k);
        ploy_result result = ploy_search_step(search, &budget);
        CHECK(result == PLOY_OK || result == PLOY_IN_PROGRESS);
        ploy_search_cancel(search);
        ploy_search_destroy(search);
        CHECK_INT(counts.blocks, 0);
    }
    ploy_search *search = made(t, &arg.def, &env);
    CHECK_OK(ploy_search_run(search, &query));
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 5; i++) CHECK_OK(ploy_search_run(search, &query));
    CHECK_INT(counts.calls, calls); // warm: nothing is allocated
    ploy_search_destroy(search);
    free(arg.toy);
}

// A space that gives the edges of a state in parts of two.
typedef struct parted_space {
    toy_space *toy;
    ploy_edges all; // of the state that is expanded
    int32_t given;
    bool open;
} parted_space;

static ploy_result parted_expand(void *user, int32_t state, ploy_edges *out) {
    parted_space *parted = user;
    if (!parted->open) {
        ploy_edges_clear(&parted->all);
        const ploy_space *space = &parted->toy->space;
        ploy_result result = space->expand(space->user, state, &parted->all);
        if (result != PLOY_OK) return result;
        parted->given = 0;
        parted->open = true;
    }
    for (int32_t i = 0; i < 2 && parted->given < parted->all.count; i++) {
        const ploy_edge *edge = &parted->all.view[parted->given++];
        ploy_result result = ploy_edges_add(out, edge->to, edge->cost, edge->label);
        if (result != PLOY_OK) return result;
    }
    parted->open = parted->given < parted->all.count;
    return parted->open ? PLOY_IN_PROGRESS : PLOY_OK;
}

static double parted_estimate(void *user, int32_t state, int32_t goal) {
    const parted_space *parted = user;
    return parted->toy->space.estimate(parted->toy->space.user, state, goal);
}

TEST(states_expanded_in_parts_are_searched_like_whole_ones) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    make_exercise(toy);
    parted_space parted;
    memset(&parted, 0, sizeof parted);
    parted.toy = toy;
    ploy_edges_init(&parted.all, &env);
    ploy_space space = toy->space;
    space.expand = parted_expand;
    space.expand_back = NULL;
    space.estimate = parted_estimate;
    space.user = &parted;
    static const ploy_search_order orders[] = {PLOY_SEARCH_BEST, PLOY_SEARCH_GREEDY,
                                               PLOY_SEARCH_BREADTH};
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        ploy_search_def def = ploy_search_def_default();
        def.order = orders[i];
        ploy_search *whole = made(t, &def, &env), *parts = made(t, &def, &env);
        CHECK_INT(run_to(t, whole, toy, 0, 5), PLOY_SEARCH_FOUND);
        ploy_search_start start = {0, 0.0};
        ploy_search_query query = ploy_search_query_make(&space, &start, 5);
        CHECK_OK(ploy_search_begin(parts, &query));
        int64_t units = 0;
        ploy_result result = PLOY_IN_PROGRESS;
        for (; result == PLOY_IN_PROGRESS; units++) {
            ploy_budget one = ploy_budget_units(1);
            result = ploy_search_step(parts, &one);
        }
        CHECK_OK(result);
        ploy_search_stats a = ploy_search_stats_of(whole), b = ploy_search_stats_of(parts);
        CHECK_INT(a.taken, b.taken);
        CHECK_INT(a.edges, b.edges);
        CHECK_INT(a.opened, b.opened);
        ploy_edge paths[2][TOY_STATES];
        double costs[2] = {0.0, 1.0};
        int32_t count = ploy_search_path(whole, 5, paths[0], TOY_STATES, &costs[0]);
        CHECK_INT(ploy_search_path(parts, 5, paths[1], TOY_STATES, &costs[1]), count);
        CHECK_SAME(costs[0], costs[1]);
        for (int32_t k = 0; k < count; k++) CHECK_INT(paths[0][k].label, paths[1][k].label);
        ploy_search_destroy(whole);
        ploy_search_destroy(parts);
    }
    // Methods that need all edges of a state at once refuse it.
    static const ploy_search_method methods[] = {
        PLOY_SEARCH_METHOD_DEPTH_LIMITED, PLOY_SEARCH_METHOD_IDA_STAR, PLOY_SEARCH_METHOD_SMA_STAR};
    for (size_t i = 0; i < COUNT_OF(methods); i++) {
        ploy_search_def def = ploy_search_def_default();
        def.method = methods[i];
        ploy_search *search = made(t, &def, &env);
        ploy_search_start start = {2, 0.0};
        ploy_search_query query = ploy_search_query_make(&space, &start, 5);
        toy_add(toy, 2, 1, 4); // a third edge out of B
        parted.open = false;
        CHECK_INT(ploy_search_run(search, &query), PLOY_ERR_CALLBACK);
        ploy_search_destroy(search);
    }
    ploy_edges_fini(&parted.all);
    free(toy);
}
