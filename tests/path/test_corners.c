#include "ploy/path/corners.h"

#include "ploy/geom/line_of_sight.h"
#include "ploy/geom/offset.h"
#include "ploy/geom/predicates.h"
#include "ploy/search/search.h"
#include "tests/path/toy_graph.h"

static void add_square(test_context *t, ploy_rings *rings, float x, float y, float size) {
    ploy_vec2 corners[] = {{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}};
    CHECK_OK(ploy_rings_add(rings, corners, 4));
}

typedef struct bench {
    ploy_env env;
    ploy_rings *rings;
    ploy_arena *arena;
    ploy_graph *graph;
} bench;

static bench bench_make(test_context *t) {
    bench b = {ploy_env_default(), NULL, NULL, NULL};
    CHECK_OK(ploy_rings_create(&b.env, &b.rings));
    CHECK_OK(ploy_arena_create(0, 0, &b.env, &b.arena));
    b.graph = toy_graph_make(t, true, 0, NULL, 0);
    return b;
}

static void bench_free(bench *b) {
    ploy_graph_destroy(b->graph);
    ploy_rings_destroy(b->rings);
    ploy_arena_destroy(b->arena);
}

TEST(a_square_has_four_corners_and_four_ways) { // PTH-20
    bench b = bench_make(t);
    add_square(t, b.rings, 0, 0, 4);
    int32_t first = -1, added = -1;
    CHECK_OK(
        ploy_graph_add_corners(b.graph, b.rings, 1.0f, INFINITY, false, b.arena, &first, &added));
    CHECK_INT(first, 0);
    CHECK_INT(added, 4);
    CHECK_INT(ploy_graph_edge_count(b.graph), 8); // each way in both directions, no diagonals
    for (int32_t e = 0; e < 8; e++) {
        ploy_graph_edge edge;
        CHECK(ploy_graph_edge_at(b.graph, e, &edge));
        CHECK_NEAR(edge.cost, 6.0, 1e-3);
    }
    // The way round it bends at two corners at most.
    ploy_vec2 from = {-3, 2}, to = {7, 2};
    CHECK(!ploy_rings_sees(b.rings, PLOY_SOLID_INSIDE, from, to));
    int32_t seen_from = 0;
    for (int32_t i = 0; i < 4; i++) {
        ploy_vec2 corner = ploy_vec2_from_vec3(ploy_graph_position(b.graph, i));
        seen_from += ploy_rings_sees(b.rings, PLOY_SOLID_INSIDE, from, corner);
    }
    CHECK_INT(seen_from, 2);
    ploy_graph_clear(b.graph);
    CHECK_OK(ploy_graph_add_corners(b.graph, b.rings, 1.0f, 5.0, false, b.arena, NULL, NULL));
    CHECK_INT(ploy_graph_edge_count(b.graph), 0); // too far apart
    CHECK_INT(ploy_graph_add_corners(b.graph, b.rings, 0.0f, 5.0, false, b.arena, NULL, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_graph_add_corners(b.graph, b.rings, NAN, 5.0, false, b.arena, NULL, NULL),
              PLOY_ERR_ARGUMENT);
    bench_free(&b);
}

// The length of the shortest way between two points over a graph of corners; both see what they see.
static double corner_way(test_context *t, const bench *b, const ploy_rings *grown, ploy_vec2 from,
                         ploy_vec2 to) {
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    ploy_search_start starts[128];
    int32_t count = 0;
    double best = INFINITY;
    if (ploy_rings_sees(grown, PLOY_SOLID_INSIDE, from, to)) {
        return (double)ploy_vec2_distance(from, to);
    }
    CHECK_OK(ploy_search_create(&def, &b->env, &search));
    for (int32_t i = 0; i < ploy_graph_node_slots(b->graph) && count < 128; i++) {
        ploy_vec2 at = ploy_vec2_from_vec3(ploy_graph_position(b->graph, i));
        if (!ploy_rings_sees(grown, PLOY_SOLID_INSIDE, from, at)) continue;
        starts[count].state = i;
        starts[count++].cost = (double)ploy_vec2_distance(from, at);
    }
    ploy_space space = ploy_graph_space(b->graph);
    ploy_search_query query = ploy_search_query_make(&space, starts, PLOY_STATE_NONE);
    query.start_count = count;
    if (count > 0) CHECK_OK(ploy_search_run(search, &query));
    for (int32_t i = 0; i < ploy_graph_node_slots(b->graph) && count > 0; i++) {
        ploy_vec2 at = ploy_vec2_from_vec3(ploy_graph_position(b->graph, i));
        ploy_search_node node;
        if (!ploy_rings_sees(grown, PLOY_SOLID_INSIDE, at, to)) continue;
        if (!ploy_search_get(search, i, &node)) continue;
        best = fmin(best, node.cost + (double)ploy_vec2_distance(at, to));
    }
    ploy_search_destroy(search);
    return best;
}

TEST(tangents_alone_hold_every_shortest_way) { // PTH-20: searched, over both graphs
    int32_t edges[2] = {0, 0}, bent = 0;
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round);
        bench b[2] = {bench_make(t), bench_make(t)};
        for (int32_t k = 0; k < 2; k++) {
            ploy_rng rng = ploy_rng_make((uint64_t)round);
            for (int32_t i = 0; i < 6; i++) {
                add_square(t, b[k].rings, ploy_rng_range(&rng, 2, 36), ploy_rng_range(&rng, 2, 36),
                           ploy_rng_range(&rng, 1, 6));
            }
            CHECK_OK(ploy_graph_add_corners(b[k].graph, b[k].rings, 0.5f, INFINITY, k == 1,
                                            b[k].arena, NULL, NULL));
            edges[k] += ploy_graph_edge_count(b[k].graph);
        }
        ploy_rng rng = ploy_rng_make((uint64_t)round + 99);
        ploy_offset_style style = ploy_offset_style_default();
        ploy_rings *grown = NULL;
        style.join = PLOY_JOIN_MITER;
        CHECK_OK(ploy_rings_create(&b[0].env, &grown));
        CHECK_OK(
            ploy_rings_offset(b[0].rings, PLOY_FILL_NON_ZERO, 0.5f, &style, b[0].arena, grown));
        for (int32_t i = 0; i < 8; i++) {
            ploy_vec2 from = {0.5f, ploy_rng_range(&rng, 0, 40)};
            ploy_vec2 to = {43.0f, ploy_rng_range(&rng, 0, 40)};
            double all = corner_way(t, &b[0], grown, from, to);
            double few = corner_way(t, &b[1], grown, from, to);
            CHECK(all < (double)INFINITY);
            CHECK_NEAR(few, all, 1e-3 * all);
            bent += all > (double)ploy_vec2_distance(from, to) + 1e-3;
        }
        ploy_rings_destroy(grown);
        for (int32_t k = 0; k < 2; k++) bench_free(&b[k]);
    }
    CHECK(bent > 20);
    CHECK(edges[1] * 3 < edges[0] * 2); // a third and more are no tangents
}

TEST(no_way_comes_nearer_to_an_obstacle_than_the_radius) {
    for (int64_t round = 0; round < test_rounds(20); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        bench b = bench_make(t);
        for (int32_t i = 0; i < 5; i++) {
            add_square(t, b.rings, ploy_rng_range(&rng, 0, 40), ploy_rng_range(&rng, 0, 40),
                       ploy_rng_range(&rng, 1, 6));
        }
        int32_t added = 0;
        CHECK_OK(
            ploy_graph_add_corners(b.graph, b.rings, 0.5f, INFINITY, false, b.arena, NULL, &added));
        CHECK(added >= 4);
        for (int32_t e = 0; e < ploy_graph_edge_slots(b.graph); e++) {
            ploy_graph_edge edge;
            CHECK(ploy_graph_edge_at(b.graph, e, &edge));
            ploy_vec2 from = ploy_vec2_from_vec3(ploy_graph_position(b.graph, edge.from));
            ploy_vec2 to = ploy_vec2_from_vec3(ploy_graph_position(b.graph, edge.to));
            for (int32_t k = 0; k <= 40; k++) {
                ploy_vec2 at = ploy_vec2_lerp(from, to, (float)k / 40.0f);
                for (int32_t i = 0; i < ploy_rings_count(b.rings); i++) {
                    CHECK(ploy_polygon_distance_sq(ploy_rings_get(b.rings, i), at) >
                          0.499f * 0.499f);
                }
            }
        }
        bench_free(&b);
    }
}

static bool same_side(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user;
    return (from.x < 5.0f) == (to.x < 5.0f);
}

TEST(nodes_that_see_each_other_are_joined_once) { // PTH-18, by ray casts
    bench b = bench_make(t);
    for (int32_t i = 0; i < 6; i++) {
        CHECK_OK(ploy_graph_add_node(b.graph, ploy_vec3_make((float)i * 2, 0, 0), NULL));
    }
    int32_t added = 0;
    CHECK_OK(ploy_graph_join_visible(b.graph, 3.0, same_side, NULL, &added));
    CHECK_INT(added, 4); // 0-2-4 and 6-8-10
    CHECK_INT(ploy_graph_edge_count(b.graph), 8);
    CHECK_OK(ploy_graph_join_visible(b.graph, INFINITY, same_side, NULL, &added));
    CHECK_INT(added, 2);
    CHECK_INT(ploy_graph_join_visible(b.graph, NAN, NULL, NULL, NULL), PLOY_ERR_ARGUMENT);
    bench_free(&b);
}

// An edge is Delaunay's if some circle through its ends holds no other point: with exact questions
// alone, if of the points to either side none lies within the circle through the others.
static bool is_delaunay(const ploy_vec2 *points, int32_t count, int32_t a, int32_t b) {
    for (int32_t c = 0; c < count; c++) {
        bool good = c != a && c != b && ploy_orient2(points[a], points[b], points[c]) != 0;
        for (int32_t d = 0; d < count && good; d++) {
            if (d == a || d == b || d == c) continue;
            int32_t turn = ploy_orient2(points[a], points[b], points[c]);
            good = ploy_in_circle(points[a], points[b], points[c], points[d]) * turn <= 0;
        }
        if (good) return true;
    }
    return false;
}

TEST(neighbours_are_those_of_an_empty_circle) { // PTH-18
    enum { POINTS = 14 };
    for (int64_t round = 0; round < test_rounds(40); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        bench b = bench_make(t);
        ploy_vec2 points[POINTS];
        for (int32_t i = 0; i < POINTS; i++) {
            points[i] = ploy_vec2_make(ploy_rng_range(&rng, 0, 9), ploy_rng_range(&rng, 0, 9));
            CHECK_OK(ploy_graph_add_node(b.graph, ploy_vec3_from_vec2(points[i], 0), NULL));
        }
        CHECK_OK(ploy_graph_join_delaunay(b.graph, INFINITY, NULL, NULL, NULL));
        for (int32_t i = 0; i < POINTS; i++) {
            for (int32_t k = 0; k < POINTS; k++) {
                if (i == k) continue;
                CHECK_INT(ploy_graph_find_edge(b.graph, i, k) >= 0,
                          is_delaunay(points, POINTS, i, k));
            }
        }
        bench_free(&b);
    }
}

TEST(neighbours_of_a_square_on_a_line_and_in_one_place) { // PTH-18
    static const struct {
        const char *row;
        ploy_vec3 points[4];
        int32_t count, pairs;
    } rows[] = {
        {"a square: four sides and one diagonal",
         {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
         4,
         5},
        {"on a line: each with the next", {{3, 3, 0}, {0, 0, 0}, {1, 1, 0}, {9, 9, 0}}, 4, 3},
        {"straight up", {{0, 3, 0}, {0, 0, 0}, {0, 1, 0}, {0, 2, 0}}, 4, 3},
        {"two in one place", {{0, 0, 0}, {0, 0, 5}, {2, 0, 0}, {0, 2, 0}}, 4, 4},
        {"alone", {{0, 0, 0}}, 1, 0},
        {"nobody", {{0, 0, 0}}, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        bench b = bench_make(t);
        int32_t added = -1;
        for (int32_t k = 0; k < rows[i].count; k++) {
            CHECK_OK(ploy_graph_add_node(b.graph, rows[i].points[k], NULL));
        }
        CHECK_OK(ploy_graph_join_delaunay(b.graph, INFINITY, NULL, NULL, &added));
        CHECK_INT(added, rows[i].pairs);
        CHECK_INT(ploy_graph_edge_count(b.graph), 2 * rows[i].pairs);
        CHECK_INT(ploy_graph_join_delaunay(b.graph, -1.0, NULL, NULL, &added), PLOY_ERR_ARGUMENT);
        bench_free(&b);
    }
}

static ploy_result corners_body(const ploy_env *env, void *arg) {
    const ploy_rings *rings = arg;
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    ploy_arena *arena = NULL;
    ploy_result result = ploy_graph_create(&def, env, &graph);
    if (result == PLOY_OK) result = ploy_arena_create(0, 0, env, &arena);
    if (result == PLOY_OK) {
        result = ploy_graph_add_corners(graph, rings, 1.0f, INFINITY, false, arena, NULL, NULL);
        if (result != PLOY_OK && ploy_graph_node_count(graph) != 0) result = PLOY_ERR_STATE;
    }
    if (result == PLOY_OK) {
        result = ploy_graph_join_delaunay(graph, INFINITY, NULL, NULL, NULL);
    }
    ploy_arena_destroy(arena);
    ploy_graph_destroy(graph);
    return result;
}

TEST(corners_survive_a_failure_of_every_allocation) {
    bench b = bench_make(t);
    add_square(t, b.rings, 0, 0, 4);
    CHECK_FAIL_NTH(corners_body, b.rings);
    bench_free(&b);
}
