#include "ploy/path/heuristic.h"

#include "ploy/path/graph_frozen.h"
#include "tests/path/toy_graph.h"

TEST(every_kind_measures_as_it_says) {
    static const struct {
        const char *row;
        ploy_heuristic_kind kind;
        ploy_vec3 to;
        double want;
    } rows[] = {
        {"zero", PLOY_HEURISTIC_ZERO, {6, 4, 0}, 0.0},
        {"the straight line", PLOY_HEURISTIC_EUCLID, {3, -4, 0}, 5.0},
        {"the straight line in space", PLOY_HEURISTIC_EUCLID, {2, 3, -6}, 7.0},
        {"blocks, GRA-21", PLOY_HEURISTIC_MANHATTAN, {6, 4, 0}, 10.0},
        {"blocks in space", PLOY_HEURISTIC_MANHATTAN, {-6, 4, 2}, 12.0},
        {"octile", PLOY_HEURISTIC_OCTILE, {6, -4, 0}, 2.0 + 4.0 * 1.4142135623730951},
        {"octile in space",
         PLOY_HEURISTIC_OCTILE,
         {1, 3, 2},
         1.7320508075688772 + 1.4142135623730951 + 1.0},
        {"chebyshev", PLOY_HEURISTIC_CHEBYSHEV, {6, -4, 0}, 6.0},
        {"hex, both the same way", PLOY_HEURISTIC_HEX, {3, 2, 0}, 5.0},
        {"hex, against each other", PLOY_HEURISTIC_HEX, {3, -2, 0}, 3.0},
        {"squared", PLOY_HEURISTIC_SQUARED, {3, 4, 0}, 25.0},
    };
    ploy_heuristic_def def = ploy_heuristic_def_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        def.kind = rows[i].kind;
        CHECK_NEAR(ploy_heuristic_between(&def, ploy_vec3_zero(), rows[i].to), rows[i].want, 1e-12);
        CHECK_NEAR(ploy_heuristic_between(&def, rows[i].to, ploy_vec3_zero()), rows[i].want, 1e-12);
    }
    t->row = NULL;
    def.kind = PLOY_HEURISTIC_EUCLID;
    def.scale = 2.0;
    def.speed = 5.0; // seconds at 5 m/s, of which each counts twice
    CHECK_NEAR(ploy_heuristic_between(&def, ploy_vec3_zero(), ploy_vec3_make(3, 4, 0)), 2.0, 1e-12);
    CHECK_OK(ploy_fields_check_table(ploy_heuristic_fields(), NULL));
    CHECK_TEXT(ploy_heuristic_kind_text(PLOY_HEURISTIC_HEX), "hex");
    CHECK_TEXT(ploy_heuristic_kind_text((ploy_heuristic_kind)99), "?");
}

// Steps in empty worlds that heuristics must never overrate: counted by brute force.
TEST(octile_and_hex_are_exact_in_an_empty_world) {
    enum { SIDE = 9, CELLS = SIDE * SIDE };
    for (int32_t hex = 0; hex < 2; hex++) {
        ploy_graph *graph = toy_graph_make(t, true, 0, NULL, 0);
        for (int32_t i = 0; i < CELLS; i++) {
            ploy_vec3 at = {(float)(i % SIDE), (float)(i / SIDE), 0};
            CHECK_OK(ploy_graph_add_node(graph, at, NULL));
        }
        for (int32_t i = 0; i < CELLS; i++) {
            for (int32_t dy = -1; dy <= 1; dy++) {
                for (int32_t dx = -1; dx <= 1; dx++) {
                    int32_t x = i % SIDE + dx, y = i / SIDE + dy;
                    if ((dx == 0 && dy == 0) || (hex == 1 && dx == dy)) continue;
                    if (x < 0 || x >= SIDE || y < 0 || y >= SIDE) continue;
                    double cost = hex == 1 || dx == 0 || dy == 0 ? 1.0 : sqrt(2.0);
                    CHECK_OK(ploy_graph_add_edge(graph, i, y * SIDE + x, cost, 0, NULL));
                }
            }
        }
        ploy_space space = ploy_graph_space(graph);
        ploy_heuristic_def def = ploy_heuristic_def_default();
        def.kind = hex == 1 ? PLOY_HEURISTIC_HEX : PLOY_HEURISTIC_OCTILE;
        double costs[CELLS];
        toy_graph_costs(t, &space, CELLS / 2, false, costs);
        for (int32_t i = 0; i < CELLS; i++) {
            CHECK_NEAR(ploy_heuristic_between(&def, ploy_graph_position(graph, CELLS / 2),
                                              ploy_graph_position(graph, i)),
                       costs[i], 1e-9);
        }
        ploy_graph_destroy(graph);
    }
}

static double ex_estimate(void *user, int32_t state, int32_t goal) {
    (void)goal;
    static const double guesses[EX_NODES] = {0, 6, 9, 3, 3, 0};
    (void)user;
    return guesses[state];
}

static double ex_too_large(void *user, int32_t state, int32_t goal) {
    return state == EX_D ? 6.5 : ex_estimate(user, state, goal); // PTH-09: 6 is the most
}

static double ex_nan(void *user, int32_t state, int32_t goal) {
    return state == EX_A ? NAN : ex_estimate(user, state, goal);
}

TEST(the_validators_name_the_state_and_the_edge) { // PTH-09 on EX
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    ploy_env env = ploy_env_default();
    ploy_space space = ploy_graph_space(graph);
    space.estimate = ex_estimate;
    ploy_heuristic_fault fault = {0, 0, {0, 0, 0}, 0};
    CHECK_OK(ploy_heuristic_is_admissible(&space, EX_G, 0.0, &env, &fault));
    CHECK_INT(ploy_heuristic_is_consistent(&space, EX_G, 0.0, &env, &fault), PLOY_ERR_CALLBACK);
    CHECK_INT(fault.state, EX_B); // edge B to D: 9 > 3 + 3
    CHECK_INT(fault.edge.to, EX_D);
    CHECK_SAME(fault.estimate, 9.0);
    CHECK_SAME(fault.allowed, 6.0);
    space.estimate = ex_too_large;
    CHECK_INT(ploy_heuristic_is_admissible(&space, EX_G, 0.0, &env, &fault), PLOY_ERR_CALLBACK);
    CHECK_INT(fault.state, EX_D);
    CHECK_SAME(fault.allowed, 6.0);
    CHECK_OK(ploy_heuristic_is_admissible(&space, EX_G, 0.1, &env, &fault));
    space.estimate = ex_nan;
    CHECK_INT(ploy_heuristic_is_admissible(&space, EX_G, 0.1, &env, &fault), PLOY_ERR_CALLBACK);
    CHECK_INT(fault.state, EX_A);
    CHECK_INT(ploy_heuristic_is_consistent(&space, EX_G, 0.1, &env, &fault), PLOY_ERR_CALLBACK);
    space.expand_back = NULL;
    CHECK_INT(ploy_heuristic_is_admissible(&space, EX_G, 0.0, &env, &fault), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_heuristic_is_consistent(&space, 99, 0.0, &env, &fault), PLOY_ERR_ARGUMENT);
    ploy_graph_destroy(graph);
}

// A graph whose costs are distances: the straight line is right there.
static ploy_graph *map_random(test_context *t, ploy_rng *rng, int32_t nodes) {
    ploy_graph *graph = toy_graph_make(t, false, 0, NULL, 0);
    ploy_heuristic_def def = ploy_heuristic_def_default();
    for (int32_t i = 0; i < nodes; i++) {
        ploy_vec3 at = {ploy_rng_range(rng, 0, 50), ploy_rng_range(rng, 0, 50),
                        ploy_rng_range(rng, 0, 5)};
        CHECK_OK(ploy_graph_add_node(graph, at, NULL));
    }
    for (int32_t i = 0; i < nodes * 2; i++) {
        int32_t a = ploy_rng_int(rng, 0, nodes - 1), b = ploy_rng_int(rng, 0, nodes - 1);
        double cost = ploy_heuristic_between(&def, ploy_graph_position(graph, a),
                                             ploy_graph_position(graph, b));
        if (a != b) CHECK_OK(ploy_graph_add_edge(graph, a, b, cost, 0, NULL));
    }
    return graph;
}

TEST(guided_searches_find_the_cheapest_way_and_look_at_less) {
    ploy_env env = ploy_env_default();
    ploy_search_def search_def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&search_def, &env, &search));
    int64_t blind_taken = 0, guided_taken = 0;
    for (int64_t round = 0; round < test_rounds(40); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_graph *graph = map_random(t, &rng, 60);
        ploy_space space = ploy_graph_space(graph);
        ploy_guide guide = ploy_guide_make(&space, NULL, ploy_graph_position, graph);
        ploy_space guided = ploy_guide_space(&guide);
        CHECK_OK(ploy_heuristic_is_admissible(&guided, 1, 1e-12, &env, NULL));
        CHECK_OK(ploy_heuristic_is_consistent(&guided, 1, 1e-12, &env, NULL));
        double want = toy_graph_search(t, search, &space, 0, 1);
        blind_taken += ploy_search_stats_of(search).taken;
        CHECK_NEAR(toy_graph_search(t, search, &guided, 0, 1), want, 1e-9);
        guided_taken += ploy_search_stats_of(search).taken;
        guide.heuristic.kind = PLOY_HEURISTIC_SQUARED; // finds a way, and a longer one at times
        double squared = toy_graph_search(t, search, &guided, 0, 1);
        CHECK(squared >= want - 1e-9 && (squared < INFINITY) == (want < INFINITY));
        ploy_graph_destroy(graph);
    }
    CHECK(3 * guided_taken < 2 * blind_taken); // about half, in the long run
    ploy_search_destroy(search);
}

TEST(noise_belongs_to_the_state_and_the_seed) { // GRA-21
    ploy_heuristic_def def = ploy_heuristic_def_default();
    CHECK_SAME(ploy_heuristic_noise(&def, 7), 1.0);
    def.noise = 0.1;
    double least = 2.0, most = 0.0;
    for (int32_t i = 0; i < 2000; i++) {
        double noise = ploy_heuristic_noise(&def, i);
        CHECK_SAME(ploy_heuristic_noise(&def, i), noise);
        least = noise < least ? noise : least;
        most = noise > most ? noise : most;
    }
    CHECK(least >= 0.9 && least < 0.905 && most <= 1.1 && most > 1.095);
    double first = ploy_heuristic_noise(&def, 7);
    def.seed = 2;
    CHECK(ploy_heuristic_noise(&def, 7) != first);
}

TEST(without_a_goal_the_nearest_of_several_counts) {
    ploy_rng rng = ploy_rng_make(3);
    ploy_graph *graph = map_random(t, &rng, 20);
    ploy_space space = ploy_graph_space(graph);
    ploy_guide guide = ploy_guide_make(&space, NULL, ploy_graph_position, graph);
    CHECK_SAME(ploy_guide_estimate(&guide, 4, PLOY_STATE_NONE), 0.0);
    static const int32_t goals[] = {7, 9};
    guide.goals = goals;
    guide.goal_count = 2;
    double a = ploy_guide_estimate(&guide, 4, 7), b = ploy_guide_estimate(&guide, 4, 9);
    CHECK_SAME(ploy_guide_estimate(&guide, 4, PLOY_STATE_NONE), a < b ? a : b);
    guide.position = NULL;
    CHECK_SAME(ploy_guide_estimate(&guide, 4, 7), 0.0);
    ploy_graph_destroy(graph);
}

static ploy_result validate_body(const ploy_env *env, void *arg) {
    ploy_result result = ploy_heuristic_is_admissible(arg, EX_G, 0.0, env, NULL);
    if (result != PLOY_OK) return result;
    result = ploy_heuristic_is_consistent(arg, EX_G, 0.0, env, NULL);
    return result == PLOY_ERR_CALLBACK ? PLOY_OK : result;
}

TEST(the_validators_survive_a_failure_of_every_allocation) {
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    ploy_space space = ploy_graph_space(graph);
    space.estimate = ex_estimate;
    CHECK_FAIL_NTH(validate_body, &space);
    ploy_graph_destroy(graph);
}
