#include "tests/geom/cdt_test.h"

// Every triangle in turn.
static ploy_cdt_place cdt_locate_slow(const ploy_cdt *cdt, ploy_vec2 point) {
    ploy_cdt_view view = ploy_cdt_get(cdt);
    for (int32_t v = 0; v < view.point_count; v++) {
        if (!ploy_cdt_has_vertex(cdt, v)) continue;
        if (view.points[v].x == point.x && view.points[v].y == point.y) return PLOY_CDT_ON_VERTEX;
    }
    ploy_cdt_place place = PLOY_CDT_OUTSIDE;
    for (int32_t k = 0; k < view.triangle_count; k++) {
        const int32_t *c = view.triangles[k].corner;
        bool in = true;
        for (int32_t i = 0; i < 3; i++) {
            ploy_vec2 a = view.points[c[(i + 1) % 3]], b = view.points[c[(i + 2) % 3]];
            if (cdt_test_on(a, b, point)) return PLOY_CDT_ON_EDGE;
            in = in && ploy_orient2(a, b, point) > 0;
        }
        if (in) place = PLOY_CDT_IN_TRIANGLE;
    }
    return place;
}

static void cdt_locate_check(test_context *t, const ploy_cdt *cdt, ploy_vec2 point, int32_t hint) {
    ploy_cdt_view view = ploy_cdt_get(cdt);
    ploy_cdt_location at = ploy_cdt_locate(cdt, point, hint);
    CHECK_INT(at.place, cdt_locate_slow(cdt, point));
    if (at.place == PLOY_CDT_ON_VERTEX) {
        ploy_vec2 found = ploy_cdt_point(cdt, at.vertex);
        CHECK(found.x == point.x && found.y == point.y);
    } else {
        CHECK_INT(at.vertex, -1);
    }
    if (view.triangle_count == 0) {
        CHECK_INT(at.triangle, -1);
        return;
    }
    CHECK(at.triangle >= 0 && at.triangle < view.triangle_count && at.index >= 0 && at.index < 3);
    const ploy_cdt_triangle *tri = &view.triangles[at.triangle];
    ploy_vec2 a = view.points[tri->corner[(at.index + 1) % 3]];
    ploy_vec2 b = view.points[tri->corner[(at.index + 2) % 3]];
    switch (at.place) {
    case PLOY_CDT_ON_VERTEX: CHECK_INT(tri->corner[at.index], at.vertex); break;
    case PLOY_CDT_ON_EDGE:
        CHECK(cdt_test_on(a, b, point));
        CHECK(tri->neighbour[at.index] < 0 || tri->neighbour[at.index] > at.triangle);
        break;
    case PLOY_CDT_OUTSIDE:
        CHECK_INT(tri->neighbour[at.index], -1);
        CHECK_INT(ploy_orient2(a, b, point), -1);
        break;
    default:
        for (int32_t i = 0; i < 3; i++) {
            a = view.points[tri->corner[(i + 1) % 3]];
            b = view.points[tri->corner[(i + 2) % 3]];
            CHECK_INT(ploy_orient2(a, b, point), 1);
        }
    }
}

TEST(locate_agrees_with_asking_every_triangle) {
    ploy_cdt *cdt = cdt_test_make(t);
    static cdt_test_input in;
    for (int64_t round = 0; round < test_rounds(1000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        cdt_test_random(&rng, &in);
        CHECK_OK(ploy_cdt_build(cdt, in.points, in.count, in.edges, in.edge_count, NULL));
        for (int32_t i = 0; i < 20; i++) {
            if (i == 10) { // the hints must stay right, or at least harmless, under changes
                for (int32_t v = 0; v < in.count; v += 2) (void)ploy_cdt_remove_point(cdt, v);
            }
            ploy_vec2 point = cdt_test_point(&rng, ploy_rng_int(&rng, 0, CDT_TEST_KINDS - 1));
            if (in.count > 0 && i % 3 == 0) {
                ploy_vec2 a = in.points[ploy_rng_int(&rng, 0, in.count - 1)];
                point = ploy_vec2_make(a.x * 0.5f + point.x * 0.5f, a.y * 0.5f + point.y * 0.5f);
            } else if (in.count > 0 && i % 3 == 1) {
                point = in.points[ploy_rng_int(&rng, 0, in.count - 1)];
            }
            cdt_locate_check(t, cdt, point, -1);
            cdt_locate_check(t, cdt, point, ploy_rng_int(&rng, -2, 300));
        }
    }
    ploy_cdt_destroy(cdt);
}

TEST(a_point_that_is_not_finite_is_nowhere) {
    static const ploy_vec2 points[] = {{0, 0}, {4, 0}, {0, 4}};
    ploy_cdt *cdt = cdt_test_make(t);
    CHECK_OK(ploy_cdt_build(cdt, points, 3, NULL, 0, NULL));
    ploy_cdt_location at = ploy_cdt_locate(cdt, ploy_vec2_make(NAN, 1), 0);
    CHECK_INT(at.place, PLOY_CDT_OUTSIDE);
    CHECK_INT(at.triangle, -1);
    at = ploy_cdt_locate(cdt, ploy_vec2_make(1, INFINITY), -1);
    CHECK_INT(at.triangle, -1);
    ploy_cdt_destroy(cdt);
}
