#include "tests/geom/cdt_test.h"

TEST(random_points_and_constraints_make_a_triangulation) {
    ploy_cdt *cdt = cdt_test_make(t);
    static cdt_test_input in;
    for (int64_t round = 0; round < test_rounds(3000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        cdt_test_random(&rng, &in);
        CHECK_OK(ploy_cdt_build(cdt, in.points, in.count, in.edges, in.edge_count, NULL));
        cdt_test_check(t, cdt);
        // Equal points are one vertex, numbered by their first.
        int32_t next = 0;
        for (int32_t i = 0; i < in.count; i++) {
            int32_t vertex = ploy_cdt_input_vertex(cdt, i);
            CHECK(vertex <= next);
            if (vertex == next) next++;
            ploy_vec2 at = ploy_cdt_point(cdt, vertex);
            CHECK(at.x == in.points[i].x && at.y == in.points[i].y);
        }
        CHECK_INT(next, ploy_cdt_vertex_count(cdt));
    }
    ploy_cdt_destroy(cdt);
}

TEST(the_order_of_points_and_constraints_does_not_matter) {
    ploy_cdt *cdt = cdt_test_make(t);
    static cdt_test_input in;
    for (int64_t round = 0; round < test_rounds(1000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        cdt_test_random(&rng, &in);
        CHECK_OK(ploy_cdt_build(cdt, in.points, in.count, in.edges, in.edge_count, NULL));
        uint64_t shape = cdt_test_shape(cdt);
        static int32_t place[CDT_TEST_POINTS];
        static ploy_vec2 points[CDT_TEST_POINTS];
        for (int32_t i = 0; i < in.count; i++) place[i] = i;
        for (int32_t i = in.count - 1; i > 0; i--) {
            int32_t k = ploy_rng_int(&rng, 0, i), swap = place[i];
            place[i] = place[k];
            place[k] = swap;
        }
        for (int32_t i = 0; i < in.count; i++) points[place[i]] = in.points[i];
        static ploy_cdt_edge edges[CDT_TEST_EDGES];
        for (int32_t i = 0; i < in.edge_count; i++) {
            ploy_cdt_edge edge = {place[in.edges[i].to], place[in.edges[i].from]};
            edges[in.edge_count - 1 - i] = edge;
        }
        CHECK_OK(ploy_cdt_build(cdt, points, in.count, edges, in.edge_count, NULL));
        CHECK_UINT(cdt_test_shape(cdt), shape);
    }
    ploy_cdt_destroy(cdt);
}

TEST(degenerate_input_is_defined) {
    static const struct {
        const char *row;
        ploy_vec2 points[9];
        int32_t count, vertices, triangles;
    } rows[] = {
        {"nothing", {{0, 0}}, 0, 0, 0},
        {"one point", {{1, 2}}, 1, 1, 0},
        {"two", {{1, 2}, {3, 4}}, 2, 2, 0},
        {"one point five times", {{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}}, 5, 1, 0},
        {"0 and -0", {{0.0f, -0.0f}, {-0.0f, 0.0f}, {1, 0}, {0, 1}}, 4, 3, 1},
        {"all on one line", {{0, 0}, {3, 3}, {1, 1}, {2, 2}, {3, 3}}, 5, 4, 0},
        {"a square", {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, 4, 4, 2},
        {"three by three",
         {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}},
         9,
         9,
         8},
        {"the largest floats",
         {{-FLT_MAX, -FLT_MAX},
          {FLT_MAX, -FLT_MAX},
          {FLT_MAX, FLT_MAX},
          {-FLT_MAX, FLT_MAX},
          {1e-45f, 0}},
         5,
         5,
         4},
        {"the smallest floats", {{0, 0}, {1e-45f, 0}, {0, 1e-45f}, {1e-45f, 1e-45f}}, 4, 4, 2},
    };
    ploy_cdt *cdt = cdt_test_make(t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_OK(ploy_cdt_build(cdt, rows[i].points, rows[i].count, NULL, 0, NULL));
        CHECK_INT(ploy_cdt_vertex_count(cdt), rows[i].vertices);
        CHECK_INT(ploy_cdt_triangle_count(cdt), rows[i].triangles);
        cdt_test_check(t, cdt);
    }
    ploy_cdt_destroy(cdt);
}

// PTH-18: four points on a circle give five edges; which diagonal is ruled by the coordinates.
TEST(a_square_has_five_edges_and_always_the_same_diagonal) {
    static const ploy_vec2 points[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    ploy_cdt *cdt = cdt_test_make(t);
    for (int32_t first = 0; first < 4; first++) {
        ploy_vec2 turned[4];
        for (int32_t i = 0; i < 4; i++) turned[i] = points[(first + i) % 4];
        CHECK_OK(ploy_cdt_build(cdt, turned, 4, NULL, 0, NULL));
        int32_t edges = 0;
        for (int32_t a = 0; a < 4; a++) {
            for (int32_t b = a + 1; b < 4; b++) edges += ploy_cdt_find_edge(cdt, a, b, NULL, NULL);
        }
        CHECK_INT(edges, 5);
        // (1, 1), the last by x and y, is left alone.
        CHECK(ploy_cdt_find_edge(cdt, (5 - first) % 4, (7 - first) % 4, NULL, NULL));
    }
    ploy_cdt_destroy(cdt);
}

TEST(bad_input_is_refused_by_name_and_changes_nothing) {
    static const ploy_vec2 good[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {2, 1}};
    static const ploy_vec2 bad[] = {{0, 0}, {4, 0}, {NAN, 4}, {0, INFINITY}, {2, 1}};
    static const ploy_cdt_edge crossing[] = {{0, 1}, {0, 2}, {4, 4}, {1, 3}};
    static const ploy_cdt_edge missing[] = {{0, 5}, {-1, 2}, {0, 1}};
    static const struct {
        const char *row;
        const ploy_vec2 *points;
        int32_t count;
        const ploy_cdt_edge *edges;
        int32_t edge_count;
        int32_t faults;
        const char *first;
    } rows[] = {
        {"not finite", bad, 5, NULL, 0, 2, "point 2 is not finite"},
        {"no such point", good, 5, missing, 3, 2, "edge 0 goes from point 0 to 5, of 5 points"},
        {"crossing", good, 5, crossing, 4, 1,
         "edge 3 (from point 1 to 3) crosses edge 1 (from point 0 to 2)"},
        {"points below 0", good, -1, NULL, 0, 0, NULL},
        {"no points", NULL, 1, NULL, 0, 0, NULL},
        {"no edges", good, 5, NULL, 1, 0, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    ploy_cdt *cdt = cdt_test_make(t);
    CHECK_OK(ploy_cdt_build(cdt, good, 3, crossing, 1, NULL));
    uint64_t shape = cdt_test_shape(cdt);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        CHECK_INT(ploy_cdt_build(cdt, rows[i].points, rows[i].count, rows[i].edges,
                                 rows[i].edge_count, diags),
                  PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_diags_count(diags), rows[i].faults);
        if (rows[i].first != NULL) CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].first);
        CHECK_UINT(cdt_test_shape(cdt), shape);
        CHECK_INT(ploy_cdt_input_vertex(cdt, 2), 2);
        CHECK_INT(ploy_cdt_input_vertex(cdt, 3), -1);
    }
    CHECK_INT(ploy_cdt_build(cdt, good, PLOY_CDT_MAX + 1, NULL, 0, NULL), PLOY_ERR_LIMIT);
    ploy_cdt_destroy(cdt);
    ploy_diags_destroy(diags);
}

TEST(a_constraint_is_divided_by_the_vertices_on_it) {
    static const ploy_vec2 points[] = {{0, 0}, {6, 0}, {2, 0}, {4, 0}, {3, 2}, {3, -2}, {3, 0}};
    static const ploy_cdt_edge edges[] = {{0, 1}, {2, 3}, {4, 5}};
    ploy_cdt *cdt = cdt_test_make(t);
    CHECK_OK(
        ploy_cdt_build(cdt, points, 7, edges, 3, NULL)); // the last crosses the first in (3, 0)
    cdt_test_check(t, cdt);
    CHECK_INT(ploy_cdt_edge_count(cdt), 3);
    static const int32_t way[] = {0, 2, 6, 3, 1};
    for (size_t i = 0; i + 1 < COUNT_OF(way); i++) {
        CHECK(ploy_cdt_find_edge(cdt, way[i], way[i + 1], NULL, NULL));
    }
    ploy_cdt_destroy(cdt);
}

static ploy_result cdt_build_some(const ploy_env *env, void *arg) {
    const cdt_test_input *in = arg;
    ploy_cdt_def def = ploy_cdt_def_default();
    def.capacity = 0;
    ploy_cdt *cdt = NULL;
    ploy_result result = ploy_cdt_create(&def, env, &cdt);
    if (result != PLOY_OK) return result;
    ploy_rings *rings = NULL;
    static const ploy_vec2 square[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    result = ploy_cdt_build(cdt, in->points, in->count, in->edges, in->edge_count, NULL);
    if (result == PLOY_OK) result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, square, 4);
    if (result == PLOY_OK) result = ploy_cdt_build_rings(cdt, rings, PLOY_FILL_EVEN_ODD, NULL);
    ploy_rings_destroy(rings);
    ploy_cdt_destroy(cdt);
    return result;
}

TEST(building_survives_every_failing_allocation) {
    static cdt_test_input in;
    ploy_rng rng = ploy_rng_make(5);
    do cdt_test_random(&rng, &in);
    while (in.count < 60 || in.edge_count < 10);
    CHECK_FAIL_NTH(cdt_build_some, &in);
}

TEST(a_second_build_of_the_same_size_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_cdt_def def = ploy_cdt_def_default();
    ploy_cdt *cdt = NULL;
    CHECK_OK(ploy_cdt_create(&def, &env, &cdt));
    static cdt_test_input in;
    ploy_rng rng = ploy_rng_make(6);
    do cdt_test_random(&rng, &in);
    while (in.count < 60 || in.edge_count < 10);
    int64_t calls = 0;
    for (int32_t i = 0; i < 4; i++) {
        calls = counts.calls;
        CHECK_OK(ploy_cdt_build(cdt, in.points, in.count, in.edges, in.edge_count, NULL));
    }
    CHECK_INT(counts.calls, calls);
    ploy_cdt_destroy(cdt);
    CHECK_INT(counts.bytes, 0);
}
