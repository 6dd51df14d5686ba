#include "tests/geom/cdt_test.h"
#include "tests/rewind.h"

// Builds the same set afresh, by the vertices and constraints that `cdt` holds, and compares.
static void cdt_edit_compare(test_context *t, const ploy_cdt *cdt, ploy_cdt *fresh) {
    static ploy_vec2 points[4096];
    static int32_t place[4096];
    static ploy_cdt_edge edges[4096];
    ploy_cdt_view view = ploy_cdt_get(cdt);
    int32_t count = 0;
    for (int32_t v = 0; v < view.point_count; v++) {
        place[v] = count;
        if (ploy_cdt_has_vertex(cdt, v)) points[count++] = view.points[v];
    }
    int32_t edge_count = ploy_cdt_edges(cdt, edges, 4096);
    for (int32_t i = 0; i < edge_count; i++) {
        edges[i].from = place[edges[i].from];
        edges[i].to = place[edges[i].to];
    }
    CHECK_OK(ploy_cdt_build(fresh, points, count, edges, edge_count, NULL));
    CHECK_UINT(cdt_test_shape(fresh), cdt_test_shape(cdt));
}

// Whether a constraint would cross one that is there; the slow way.
static bool cdt_edit_would_cross(const ploy_cdt *cdt, ploy_cdt_edge edge) {
    static cdt_test_input in;
    static ploy_cdt_edge edges[4096];
    ploy_cdt_view view = ploy_cdt_get(cdt);
    in.count = view.point_count;
    for (int32_t v = 0; v < in.count; v++) {
        // A number that is free must not count as a point: the edge's own end stands in for it.
        in.points[v] = view.points[ploy_cdt_has_vertex(cdt, v) ? v : edge.from];
    }
    int32_t count = ploy_cdt_edges(cdt, edges, 4096);
    for (int32_t i = 0; i < count; i++) {
        if (cdt_test_crosses(&in, edge, edges[i])) return true;
    }
    return false;
}

TEST(any_sequence_of_changes_gives_what_a_fresh_build_gives) {
    ploy_cdt *fresh = cdt_test_make(t);
    for (int64_t round = 0; round < test_rounds(400); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_cdt *cdt = cdt_test_make(t);
        int32_t kind = ploy_rng_int(&rng, 0, CDT_TEST_KINDS - 1);
        int32_t most = ploy_rng_int(&rng, 3, 60);
        for (int32_t step = 0; step < 100; step++) {
            int32_t slots = ploy_cdt_get(cdt).point_count;
            ploy_cdt_edge edge = {ploy_rng_int(&rng, 0, slots), ploy_rng_int(&rng, 0, slots)};
            int32_t before = ploy_cdt_vertex_count(cdt);
            int32_t what = ploy_rng_int(&rng, 0, 9);
            if (what < 4 && before < most) {
                ploy_vec2 point = cdt_test_point(&rng, kind);
                int32_t vertex = -1;
                CHECK_OK(ploy_cdt_insert_point(cdt, point, &vertex));
                ploy_vec2 at = ploy_cdt_point(cdt, vertex);
                CHECK(at.x == point.x && at.y == point.y);
            } else if (what < 6) {
                uint64_t shape = cdt_test_shape(cdt);
                bool there = ploy_cdt_has_vertex(cdt, edge.from);
                ploy_result result = ploy_cdt_remove_point(cdt, edge.from);
                if (result != PLOY_OK) CHECK_UINT(cdt_test_shape(cdt), shape);
                CHECK_INT(result == PLOY_ERR_NOT_FOUND, !there);
                CHECK(result == PLOY_OK || result == PLOY_ERR_NOT_FOUND ||
                      result == PLOY_ERR_STATE);
                if (result == PLOY_OK) CHECK_INT(ploy_cdt_vertex_count(cdt), before - 1);
            } else if (what < 8) {
                uint64_t shape = cdt_test_shape(cdt);
                bool fine = ploy_cdt_has_vertex(cdt, edge.from) &&
                            ploy_cdt_has_vertex(cdt, edge.to) && edge.from != edge.to;
                ploy_result want = !fine                             ? PLOY_ERR_ARGUMENT
                                   : cdt_edit_would_cross(cdt, edge) ? PLOY_ERR_STATE
                                                                     : PLOY_OK;
                CHECK_INT(ploy_cdt_insert_edge(cdt, edge.from, edge.to, NULL), want);
                if (want != PLOY_OK) CHECK_UINT(cdt_test_shape(cdt), shape);
            } else {
                static ploy_cdt_edge edges[4096];
                int32_t count = ploy_cdt_edges(cdt, edges, 4096);
                if (count > 0) {
                    edge = edges[ploy_rng_int(&rng, 0, count - 1)];
                    CHECK_OK(ploy_cdt_remove_edge(cdt, edge.from, edge.to));
                }
            }
            if (step % 4 == 3) {
                cdt_test_check(t, cdt);
                cdt_edit_compare(t, cdt, fresh);
            }
        }
        ploy_cdt_destroy(cdt);
    }
    ploy_cdt_destroy(fresh);
}

TEST(constraints_are_counted_and_overlaps_stay) {
    static const ploy_vec2 points[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 2}, {2, -2}};
    ploy_cdt *cdt = cdt_test_make(t);
    CHECK_OK(ploy_cdt_build(cdt, points, 6, NULL, 0, NULL));
    CHECK_OK(ploy_cdt_insert_edge(cdt, 0, 2, NULL));
    CHECK_OK(ploy_cdt_insert_edge(cdt, 1, 3, NULL));
    CHECK_OK(ploy_cdt_insert_edge(cdt, 1, 3, NULL));
    CHECK_INT(ploy_cdt_insert_edge(cdt, 4, 5, NULL), PLOY_ERR_STATE); // between 1 and 2
    CHECK_OK(ploy_cdt_remove_edge(cdt, 1, 3));
    CHECK_OK(ploy_cdt_remove_edge(cdt, 2, 0)); // the other way round
    CHECK_INT(ploy_cdt_insert_edge(cdt, 4, 5, NULL), PLOY_ERR_STATE);
    CHECK_OK(ploy_cdt_remove_edge(cdt, 1, 3));
    CHECK_INT(ploy_cdt_remove_edge(cdt, 1, 3), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_cdt_remove_edge(cdt, 1, 77), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_cdt_insert_edge(cdt, 4, 5, NULL));
    cdt_test_check(t, cdt);
    ploy_cdt_destroy(cdt);
}

TEST(a_refused_constraint_names_both) {
    static const ploy_vec2 points[] = {{0, 0}, {4, 0}, {2, 0}, {3, 2}, {3, -2}};
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(2, &env, &diags));
    ploy_cdt *cdt = cdt_test_make(t);
    CHECK_OK(ploy_cdt_build(cdt, points, 5, NULL, 0, NULL));
    CHECK_OK(ploy_cdt_insert_edge(cdt, 0, 1, diags));
    CHECK_INT(ploy_cdt_insert_edge(cdt, 3, 4, diags), PLOY_ERR_STATE);
    CHECK_INT(ploy_diags_count(diags), 1);
    CHECK_TEXT(ploy_diags_get(diags, 0)->message,
               "the constraint from vertex 3 to 4 crosses the one from 0 to 1");
    ploy_cdt_destroy(cdt);
    ploy_diags_destroy(diags);
}

TEST(a_point_on_a_constraint_divides_it_and_its_removal_joins_it) {
    static const ploy_vec2 points[] = {{0, 0}, {4, 0}, {2, 3}, {2, -3}};
    ploy_cdt *cdt = cdt_test_make(t);
    CHECK_OK(ploy_cdt_build(cdt, points, 4, NULL, 0, NULL));
    CHECK_OK(ploy_cdt_insert_edge(cdt, 0, 1, NULL));
    uint64_t shape = cdt_test_shape(cdt);
    int32_t vertex = -1, again = -1;
    CHECK_OK(ploy_cdt_insert_point(cdt, ploy_vec2_make(1, 0), &vertex));
    CHECK_OK(ploy_cdt_insert_point(cdt, ploy_vec2_make(1, -0.0f), &again));
    CHECK_INT(again, vertex);
    CHECK(!ploy_cdt_find_edge(cdt, 0, 1, NULL, NULL));
    cdt_test_check(t, cdt);
    CHECK_INT(ploy_cdt_remove_point(cdt, 0), PLOY_ERR_STATE);
    CHECK_OK(ploy_cdt_remove_point(cdt, vertex));
    CHECK_UINT(cdt_test_shape(cdt), shape);
    CHECK_INT(ploy_cdt_insert_point(cdt, ploy_vec2_make(NAN, 0), NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_cdt_remove_point(cdt, vertex), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_cdt_remove_point(cdt, -1), PLOY_ERR_NOT_FOUND);
    ploy_cdt_destroy(cdt);
}

static ploy_result cdt_edit_some(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_cdt_def def = ploy_cdt_def_default();
    def.capacity = 0;
    ploy_cdt *cdt = NULL;
    ploy_result result = ploy_cdt_create(&def, env, &cdt);
    for (int32_t i = 0; i < 40 && result == PLOY_OK; i++) {
        ploy_vec2 point = {(float)(i * 7 % 11), i < 5 ? 0.0f : (float)(i * 5 % 13)};
        result = ploy_cdt_insert_point(cdt, point, NULL);
        if (result == PLOY_OK && i == 4) result = ploy_cdt_insert_edge(cdt, 0, 3, NULL);
    }
    if (result == PLOY_OK) result = ploy_cdt_insert_edge(cdt, 5, 20, NULL);
    if (result == PLOY_OK) result = ploy_cdt_fill(cdt, PLOY_FILL_NON_ZERO);
    for (int32_t i = 6; i < 12 && result == PLOY_OK; i++) {
        result = ploy_cdt_remove_point(cdt, i);
        if (result == PLOY_ERR_STATE) result = PLOY_OK;
    }
    ploy_cdt_destroy(cdt);
    return result;
}

TEST(changes_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(cdt_edit_some, NULL);
}

// Some turns of changes, the same for the same number. Refusals are part of life.
static void cdt_edit_turns(test_context *t, void *object, uint64_t number) {
    ploy_cdt *cdt = object;
    ploy_rng rng = ploy_rng_make(number);
    for (int32_t turn = 0; turn < 120; turn++) {
        int32_t last = ploy_cdt_get(cdt).point_count - 1;
        int32_t a = last > 0 ? ploy_rng_int(&rng, 0, last) : 0;
        int32_t b = last > 0 ? ploy_rng_int(&rng, 0, last) : 0;
        switch (ploy_rng_int(&rng, 0, 6)) {
        case 0: (void)ploy_cdt_remove_point(cdt, a); break;
        case 1: (void)ploy_cdt_insert_edge(cdt, a, b, NULL); break;
        case 2: (void)ploy_cdt_remove_edge(cdt, a, b); break;
        case 3: CHECK_OK(ploy_cdt_fill(cdt, PLOY_FILL_EVEN_ODD)); break;
        default: CHECK_OK(ploy_cdt_insert_point(cdt, cdt_test_point(&rng, turn % 3), NULL)); break;
        }
    }
}

TEST(a_mesh_goes_back_in_time_and_comes_again_byte_by_byte) {
    ploy_region *region = test_region(t);
    ploy_env inside = ploy_region_env(region);
    ploy_cdt_def def = ploy_cdt_def_default();
    ploy_cdt *cdt = NULL;
    CHECK_OK(ploy_cdt_create(&def, &inside, &cdt));
    test_rewind(t, region, cdt, cdt_edit_turns, NULL);
    ploy_cdt_destroy(cdt);
    ploy_region_destroy(region);
}
