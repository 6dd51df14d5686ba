#include "path/path_internal.h"
#include "ploy/path/heuristic.h"
#include "ploy/path/heuristic_tables.h"
#include "tests/path/toy_rooms.h"

TEST(landmark_guesses_are_never_too_large_nor_inconsistent) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(150); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_graph *graph = toy_graph_random(t, &rng, round % 3 != 0, 20);
        ploy_space space = ploy_graph_space(graph);
        int32_t chosen[4], found = 0;
        ploy_landmarks *landmarks = NULL;
        CHECK_OK(ploy_landmarks_choose(&space, 0, 4, &env, chosen, &found));
        CHECK(found >= 1 && found <= 4);
        CHECK_OK(ploy_landmarks_create(&space, chosen, found, &env, &landmarks));
        ploy_guide guide = ploy_guide_make(&space, NULL, NULL, NULL);
        guide.landmarks = landmarks;
        ploy_space guided = ploy_guide_space(&guide);
        for (int32_t goal = 0; goal < space.count; goal++) {
            CHECK_OK(ploy_heuristic_is_admissible(&guided, goal, 0.0, &env, NULL));
            CHECK_OK(ploy_heuristic_is_consistent(&guided, goal, 0.0, &env, NULL));
            double exact[20];
            toy_graph_costs(t, &space, goal, true, exact);
            for (int32_t i = 0; i < found; i++) { // to a landmark they are exact
                CHECK(ployi_landmarks_estimate(landmarks, chosen[i], goal) == exact[chosen[i]]);
            }
        }
        ploy_landmarks_destroy(landmarks);
        ploy_graph_destroy(graph);
    }
}

TEST(landmarks_lie_at_the_ends_and_apart) {
    static const toy_way line[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}};
    ploy_graph *graph = toy_graph_make(t, false, 6, line, COUNT_OF(line));
    ploy_env env = ploy_env_default();
    ploy_space space = ploy_graph_space(graph);
    int32_t chosen[8], found = 0;
    CHECK_OK(ploy_landmarks_choose(&space, 1, 3, &env, chosen, &found));
    CHECK_INT(found, 3);
    CHECK_INT(chosen[0], 4);
    CHECK_INT(chosen[1], 0);
    CHECK_INT(chosen[2], 2);
    CHECK_OK(ploy_landmarks_choose(&space, 1, 8, &env, chosen, &found));
    CHECK_INT(found, 5); // node 5 cannot be reached
    CHECK_INT(ploy_landmarks_choose(&space, 9, 3, &env, chosen, &found), PLOY_ERR_ARGUMENT);
    ploy_graph_destroy(graph);
}

// Among states that all say "never" the furthest came first and the others again and again: two
// million states were taken in a graph of a thousand.
TEST(a_goal_that_cannot_be_reached_costs_nothing) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(5);
    ploy_graph *graph = toy_graph_make(t, false, 60, NULL, 0);
    for (int32_t i = 0; i < 240; i++) {
        int32_t a = ploy_rng_int(&rng, 0, 58), b = ploy_rng_int(&rng, 0, 58);
        double cost = ploy_rng_double(&rng);
        if (a != b) CHECK_OK(ploy_graph_add_edge(graph, a, b, cost, 0, NULL));
    }
    ploy_space space = ploy_graph_space(graph);
    int32_t chosen[4], found = 0;
    ploy_landmarks *landmarks = NULL;
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_landmarks_choose(&space, 0, 4, &env, chosen, &found));
    CHECK_OK(ploy_landmarks_create(&space, chosen, found, &env, &landmarks));
    CHECK_OK(ploy_search_create(&def, &env, &search));
    ploy_guide guide = ploy_guide_make(&space, NULL, NULL, NULL);
    guide.landmarks = landmarks;
    ploy_space guided = ploy_guide_space(&guide);
    CHECK_SAME(toy_graph_search(t, search, &guided, 0, 59), INFINITY);
    CHECK_INT(ploy_search_outcome_of(search), PLOY_SEARCH_NONE);
    CHECK_INT(ploy_search_stats_of(search).taken, 0);
    CHECK_SAME(toy_graph_search(t, search, &space, 0, 59), INFINITY); // blind: everything
    CHECK_INT(ploy_search_stats_of(search).taken, 59);
    ploy_search_destroy(search);
    ploy_landmarks_destroy(landmarks);
    ploy_graph_destroy(graph);
}

static ploy_result landmarks_body(const ploy_env *env, void *arg) {
    int32_t chosen[2], found = 0;
    ploy_landmarks *landmarks = NULL;
    ploy_result result = ploy_landmarks_choose(arg, 0, 2, env, chosen, &found);
    if (result == PLOY_OK) result = ploy_landmarks_create(arg, chosen, found, env, &landmarks);
    TEST_REPORT(result, env, landmarks, ploy_landmarks_memory);
    ploy_landmarks_destroy(landmarks);
    return result;
}

TEST(landmarks_survive_a_failure_of_every_allocation_and_refuse_bad_states) {
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    ploy_space space = ploy_graph_space(graph);
    CHECK_FAIL_NTH(landmarks_body, &space);
    ploy_env env = ploy_env_default();
    ploy_landmarks *landmarks = NULL;
    int32_t bad = EX_NODES;
    CHECK_INT(ploy_landmarks_create(&space, &bad, 1, &env, &landmarks), PLOY_ERR_ARGUMENT);
    CHECK(landmarks == NULL);
    ploy_graph_destroy(graph);
}
