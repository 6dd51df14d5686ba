#include "path/path_internal.h"
#include "ploy/path/heuristic.h"
#include "ploy/path/heuristic_tables.h"
#include "tests/path/toy_rooms.h"

TEST(cluster_guesses_are_never_too_large) { // PTH-11
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(150); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_graph *graph = toy_graph_random(t, &rng, round % 3 != 0, 20);
        ploy_space space = ploy_graph_space(graph);
        int32_t groups[20], count = 0;
        CHECK_OK(ployi_clusters_balls(&space, ploy_rng_int(&rng, 0, 3), &env, groups, &count));
        ploy_clusters *clusters = NULL;
        CHECK_OK(ploy_clusters_create(&space, groups, count, &env, &clusters));
        CHECK_INT(ployi_clusters_count(clusters), count);
        for (int32_t from = 0; from < space.count; from++) {
            double costs[20], least[20];
            toy_graph_costs(t, &space, from, false, costs);
            for (int32_t i = 0; i < count; i++) least[i] = INFINITY;
            for (int32_t to = 0; to < space.count; to++) {
                CHECK(ployi_clusters_estimate(clusters, from, to, 0.0) <= costs[to]);
                if (costs[to] < least[groups[to]]) least[groups[to]] = costs[to];
            }
            for (int32_t i = 0; i < count; i++) { // and somebody pays just that
                CHECK(ployi_clusters_between(clusters, groups[from], i) <= least[i]);
            }
        }
        ploy_clusters_destroy(clusters);
        ploy_graph_destroy(graph);
    }
}

TEST(among_rooms_tables_look_at_less_than_the_straight_line) { // PTH-10
    ploy_env env = ploy_env_default();
    static int32_t groups[ROOMS_CELLS * ROOMS_CELLS];
    ploy_graph *graph = toy_rooms_make(t, groups);
    ploy_space space = ploy_graph_space(graph);
    ploy_clusters *clusters = NULL;
    ploy_landmarks *landmarks = NULL;
    int32_t chosen[4], found = 0;
    CHECK_OK(ploy_clusters_create(&space, groups, ROOMS_SIDE * ROOMS_SIDE, &env, &clusters));
    CHECK_OK(ploy_landmarks_choose(&space, 0, 4, &env, chosen, &found));
    CHECK_OK(ploy_landmarks_create(&space, chosen, found, &env, &landmarks));
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    ploy_guide guide = ploy_guide_make(&space, NULL, ploy_graph_position, graph);
    ploy_space guided = ploy_guide_space(&guide);
    int32_t from = 2, to = ROOMS_CELLS * ROOM_SIDE * 2 + 3; // two rows of rooms apart, far to walk
    double want = toy_graph_search(t, search, &space, from, to);
    int64_t zero = ploy_search_stats_of(search).taken;
    CHECK_SAME(toy_graph_search(t, search, &guided, from, to), want);
    int64_t straight = ploy_search_stats_of(search).taken;
    guide.clusters = clusters;
    CHECK_SAME(toy_graph_search(t, search, &guided, from, to), want);
    int64_t rooms = ploy_search_stats_of(search).taken;
    guide.clusters = NULL;
    guide.landmarks = landmarks;
    CHECK_SAME(toy_graph_search(t, search, &guided, from, to), want);
    int64_t marked = ploy_search_stats_of(search).taken;
    CHECK(rooms < straight && straight <= zero);
    CHECK(marked < straight);
    ploy_search_destroy(search);
    ploy_landmarks_destroy(landmarks);
    ploy_clusters_destroy(clusters);
    ploy_graph_destroy(graph);
}

TEST(balls_are_grown_to_their_radius) {
    static const toy_way line[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1}};
    ploy_graph *graph = toy_graph_make(t, true, 6, line, COUNT_OF(line));
    ploy_env env = ploy_env_default();
    ploy_space space = ploy_graph_space(graph);
    int32_t groups[6], count = 0;
    CHECK_OK(ployi_clusters_balls(&space, 1, &env, groups, &count));
    static const int32_t want[] = {0, 0, 1, 1, 2, 2};
    CHECK_INT(count, 3);
    CHECK_BYTES(groups, want, sizeof want);
    CHECK_OK(ployi_clusters_balls(&space, 0, &env, groups, &count));
    CHECK_INT(count, 6);
    CHECK_OK(ployi_clusters_balls(&space, 9, &env, groups, &count));
    CHECK_INT(count, 1);
    CHECK_INT(ployi_clusters_balls(&space, -1, &env, groups, &count), PLOY_ERR_ARGUMENT);
    groups[3] = 1;
    ploy_clusters *clusters = NULL;
    CHECK_INT(ploy_clusters_create(&space, groups, 1, &env, &clusters), PLOY_ERR_ARGUMENT);
    CHECK(clusters == NULL);
    ploy_graph_destroy(graph);
}

static ploy_result clusters_body(const ploy_env *env, void *arg) {
    int32_t groups[EX_NODES], count = 0;
    ploy_clusters *clusters = NULL;
    ploy_result result = ployi_clusters_balls(arg, 1, env, groups, &count);
    if (result == PLOY_OK) result = ploy_clusters_create(arg, groups, count, env, &clusters);
    TEST_REPORT(result, env, clusters, ploy_clusters_memory);
    ploy_clusters_destroy(clusters);
    return result;
}

TEST(clusters_survive_a_failure_of_every_allocation) {
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    ploy_space space = ploy_graph_space(graph);
    CHECK_FAIL_NTH(clusters_body, &space);
    ploy_graph_destroy(graph);
}
