// Queries: their life, filters, slices and memory.
#include "tests/path/navmesh_help.h"

TEST(bad_requests_and_filters_are_refused) {
    nav_floor floor = nav_hall(t, 1, 0.0f);
    ploy_navmesh_place a = nav_at(t, floor.query, 0.2f, 0.2f), none = {-1, {0, 0, 0}, 0};
    ploy_navmesh_place nowhere = a, beyond = a;
    nowhere.point.x = NAN;
    beyond.polygon = 100000;
    ploy_navmesh_request bad[5];
    for (int32_t i = 0; i < 5; i++) bad[i] = ploy_navmesh_request_make(a, a);
    bad[0].from = none;
    bad[1].to = beyond;
    bad[2].to = nowhere;
    bad[3].radius = NAN;
    bad[4].method = (ploy_navmesh_method)7;
    for (int32_t i = 0; i < 5; i++) {
        CHECK_INT(ploy_navmesh_query_begin(floor.query, &bad[i]), PLOY_ERR_ARGUMENT);
    }
    CHECK_INT(ploy_navmesh_query_begin(floor.query, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_navmesh_query_step(floor.query, NULL), PLOY_ERR_STATE);
    CHECK_INT(ploy_navmesh_query_answer(floor.query).outcome, PLOY_PATH_NONE);
    ploy_path *path = nav_path(t);
    CHECK_INT(ploy_navmesh_query_path(floor.query, path), PLOY_ERR_STATE);
    ploy_path_destroy(path);
    ploy_navmesh_filter filter = ploy_navmesh_filter_default();
    filter.cost[3] = 0.0f;
    CHECK_INT(ploy_navmesh_query_set_filter(floor.query, &filter), PLOY_ERR_ARGUMENT);
    filter = ploy_navmesh_filter_default();
    filter.exclude = 1;
    CHECK_OK(ploy_navmesh_query_set_filter(floor.query, &filter));
    ploy_navmesh_request request = ploy_navmesh_request_make(a, a);
    CHECK_INT(ploy_navmesh_query_begin(floor.query, &request), PLOY_ERR_DENIED);
    nav_close(&floor);
}

static uint64_t query_hash(const ploy_navmesh_query *query) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_navmesh_query_describe(query, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(one_node_at_a_time_gives_what_one_shot_gives) {
    ploy_path *path = nav_path(t), *sliced = nav_path(t);
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_navmesh_place a, b;
        CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &a));
        CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &b));
        ploy_navmesh_request request = ploy_navmesh_request_make(a, b);
        request.method = seed % 2 == 0 ? PLOY_NAVMESH_EDGES : PLOY_NAVMESH_POLYGONS;
        ploy_navmesh_answer answer;
        CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, &answer));
        uint64_t hash = query_hash(floor.query);
        CHECK_INT(answer.outcome, PLOY_PATH_FOUND);
        CHECK_OK(ploy_navmesh_query_begin(floor.query, &request));
        int64_t steps = 0;
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget one = ploy_budget_units(1);
            result = ploy_navmesh_query_step(floor.query, &one);
            CHECK_INT(one.spent, 1);
            steps++;
        }
        CHECK_OK(result);
        CHECK_INT(steps, answer.pops);
        CHECK_UINT(query_hash(floor.query), hash);
        CHECK_OK(ploy_navmesh_query_path(floor.query, sliced));
        CHECK_INT(ploy_path_count(sliced), ploy_path_count(path));
        for (int32_t i = 0; i < ploy_path_count(path); i++) {
            CHECK(ploy_vec2_equal(ploy_path_point(sliced, i), ploy_path_point(path, i)));
        }
        nav_close(&floor);
    }
    ploy_path_destroy(path);
    ploy_path_destroy(sliced);
}

TEST(no_question_allocates_once_the_path_is_warm) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    nav_floor floor = nav_hall(t, 3, 0.0f);
    ploy_navmesh_query *query = NULL;
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    def.capacity = 200;
    CHECK_OK(ploy_navmesh_query_create(floor.mesh, &env, &query));
    CHECK_OK(ploy_path_create(&def, &env, &path));
    int64_t before = counts.calls;
    ploy_rng rng = ploy_rng_make(3);
    for (int32_t i = 0; i < 200; i++) {
        ploy_navmesh_place a, b, moved;
        ploy_navmesh_hit hit;
        ploy_segment2 walls[8];
        int32_t count;
        float gap;
        CHECK_OK(ploy_navmesh_find_random(query, &rng, &a));
        CHECK_OK(ploy_navmesh_find_random_near(query, a, 5.0f, &rng, &b));
        ploy_navmesh_request request = ploy_navmesh_request_make(a, b);
        CHECK_OK(ploy_navmesh_find_path(query, &request, path, NULL));
        CHECK_OK(ploy_navmesh_find_ray(query, a, ploy_vec2_make(b.point.x, b.point.y), &hit));
        CHECK_OK(ploy_navmesh_find_move(query, a, ploy_vec2_make(0, 0), &moved));
        CHECK_OK(ploy_navmesh_find_wall(query, a, 9.0f, &gap, NULL, NULL));
        CHECK_OK(ploy_navmesh_find_walls(query, a, 9.0f, walls, 8, &count));
        CHECK_OK(ploy_navmesh_find_nearest(query, b.point, a.polygon, NULL, &moved));
    }
    CHECK_INT(counts.calls, before);
    ploy_path_destroy(path);
    ploy_navmesh_query_destroy(query);
    CHECK_INT(counts.bytes, 0);
    nav_close(&floor);
}

// A strip of 60 triangles needs 59 nodes from end to end.
TEST(a_query_with_too_few_nodes_gives_what_it_reached) {
    ploy_vec3 vertices[62];
    int32_t sizes[60], corners[180];
    nav_floor floor = nav_soup(t, nav_strip(60, vertices, sizes, corners));
    ploy_navmesh_place from, to;
    CHECK_OK(
        ploy_navmesh_find_nearest(floor.query, ploy_vec3_make(0.9f, 0.5f, 0), -1, NULL, &from));
    CHECK_OK(ploy_navmesh_find_nearest(floor.query, ploy_vec3_make(60, 1, 0), -1, NULL, &to));
    ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
    ploy_navmesh_answer answer;
    CHECK_OK(ploy_navmesh_find_path(floor.query, &request, NULL, &answer));
    CHECK_INT(answer.outcome, PLOY_PATH_FOUND);
    CHECK(!answer.limited);
    CHECK_INT(ploy_navmesh_query_set_nodes(floor.query, PLOY_NAVMESH_NODES_MIN - 1),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_navmesh_query_set_nodes(floor.query, 20));
    CHECK_OK(ploy_navmesh_find_path(floor.query, &request, NULL, &answer));
    CHECK_INT(answer.outcome, PLOY_PATH_PARTIAL);
    CHECK(answer.limited);
    int32_t count = 0;
    ploy_navmesh_query_corridor(floor.query, &count);
    CHECK_INT(count, 21); // the start, and one polygon for each node
    // Floods that do not fit are refused.
    float gap = 0.0f;
    ploy_segment2 walls[4];
    CHECK_INT(ploy_navmesh_find_walls(floor.query, from, 50.0f, walls, 4, &count), PLOY_ERR_LIMIT);
    CHECK_OK(ploy_navmesh_find_walls(floor.query, from, 3.0f, walls, 4, &count));
    CHECK_OK(ploy_navmesh_find_wall(floor.query, from, 50.0f, &gap, NULL, NULL));
    // With room again all is as it was.
    CHECK_OK(ploy_navmesh_query_set_nodes(floor.query, 64));
    for (int32_t round = 0; round < 3; round++) {
        CHECK_OK(ploy_navmesh_find_path(floor.query, &request, NULL, &answer));
        CHECK_INT(answer.outcome, PLOY_PATH_FOUND);
        CHECK(!answer.limited);
    }
    nav_close(&floor);
}

static ploy_result create_query(const ploy_env *env, void *arg) {
    ploy_navmesh_query *query = NULL;
    ploy_result result = ploy_navmesh_query_create(arg, env, &query);
    if (result == PLOY_OK) {
        result = ploy_navmesh_query_set_nodes(query, 32);
        // Without memory the query is as it was.
        if (result != PLOY_OK) {
            ploy_navmesh_place place;
            if (ploy_navmesh_find_nearest(query, ploy_vec3_make(1, 1, 0), -1, NULL, &place) < 0) {
                result = PLOY_ERR_STATE;
            }
        }
    }
    ploy_navmesh_query_destroy(query);
    return result;
}

TEST(create_query_survives_every_failing_allocation) {
    nav_floor floor = nav_hall(t, 3, 0.0f);
    CHECK_FAIL_NTH(create_query, floor.mesh);
    nav_close(&floor);
}
