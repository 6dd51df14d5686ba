#include "geom/geom_internal.h"
#include "tests/geom/cdt_test.h"

static bool cdt_region_is_inside(const ploy_cdt *cdt, int32_t triangle) {
    return (ploy_cdt_get(cdt).triangles[triangle].flags & PLOY_CDT_INSIDE) != 0;
}

// How many triangles count as inside, and twice their area.
static int32_t cdt_region_inside(const ploy_cdt *cdt, double *area) {
    ploy_cdt_view view = ploy_cdt_get(cdt);
    int32_t count = 0;
    *area = 0.0;
    for (int32_t k = 0; k < view.triangle_count; k++) {
        if (!cdt_region_is_inside(cdt, k)) continue;
        const int32_t *c = view.triangles[k].corner;
        ploy_vec2 corners[3] = {view.points[c[0]], view.points[c[1]], view.points[c[2]]};
        *area += cdt_test_area(corners, 3);
        count++;
    }
    return count;
}

// Rings on a lattice, added as long as the triangulation takes them.
static void cdt_region_random(ploy_rng *rng, ploy_cdt *cdt, ploy_rings *rings, ploy_fill fill) {
    ploy_env env = ploy_env_default();
    ploy_rings *more = NULL;
    if (ploy_rings_create(&env, &more) != PLOY_OK) return;
    ploy_rings_clear(rings);
    int32_t tries = ploy_rng_int(rng, 1, 8);
    for (int32_t i = 0; i < tries; i++) {
        ploy_vec2 ring[5];
        int32_t count = ploy_rng_int(rng, 3, 5);
        for (int32_t k = 0; k < count; k++) {
            // Multiples of 16: the middle of a triangle is never on another's edge by rounding.
            ring[k] = ploy_vec2_scale(test_lattice_vec2(rng, 3), 16.0f);
        }
        if (i % 3 == 2) { // one that is there already, or turned round
            ploy_polygon old = ploy_rings_get(rings, 0);
            count = old.count < 5 ? old.count : 5;
            for (int32_t k = 0; k < count; k++) ring[k] = old.points[k];
            if (ploy_rng_int(rng, 0, 1)) ploy_polygon_reverse(ring, count);
        }
        if (ploy_rings_copy(more, rings) != PLOY_OK) break;
        if (ploy_rings_add(more, ring, count) != PLOY_OK) continue;
        if (ploy_cdt_build_rings(cdt, more, fill, NULL) == PLOY_OK) {
            (void)ploy_rings_copy(rings, more);
        }
    }
    ploy_rings_destroy(more);
}

TEST(rings_mark_what_ploy_rings_locate_says) {
    ploy_env env = ploy_env_default();
    ploy_cdt *cdt = cdt_test_make(t);
    ploy_rings *rings = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    int32_t asked = 0;
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_fill fill = round % 2 == 0 ? PLOY_FILL_EVEN_ODD : PLOY_FILL_NON_ZERO;
        cdt_region_random(&rng, cdt, rings, fill);
        if (ploy_rings_count(rings) == 0) continue;
        CHECK_OK(ploy_cdt_build_rings(cdt, rings, fill, NULL));
        cdt_test_check(t, cdt);
        ploy_cdt_view view = ploy_cdt_get(cdt);
        for (int32_t k = 0; k < view.triangle_count; k++) {
            const int32_t *c = view.triangles[k].corner;
            ploy_vec2 a = view.points[c[0]], b = view.points[c[1]], d = view.points[c[2]];
            ploy_vec2 middle = {(a.x + b.x + 2.0f * d.x) / 4.0f, (a.y + b.y + 2.0f * d.y) / 4.0f};
            CHECK_INT(cdt_region_is_inside(cdt, k),
                      ploy_rings_locate(rings, middle, fill) == PLOY_LOCATION_INSIDE);
            asked++;
        }
    }
    CHECK(asked > 2000);
    ploy_rings_destroy(rings);
    ploy_cdt_destroy(cdt);
}

static const ploy_vec2 room_points[] = {{0, 0},  {8, 0}, {8, 8}, {0, 8}, // a room,
                                        {2, 2},  {2, 4}, {4, 4}, {4, 2}, // a pillar in it,
                                        {10, 0}, {6, 1}, {7, 3}};        // a point beyond, a wall
static const ploy_cdt_edge room_edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5},
                                           {5, 6}, {6, 7}, {7, 4}, {9, 10}};

TEST(an_open_wall_divides_nothing) {
    ploy_cdt *cdt = cdt_test_make(t);
    double area = 0.0;
    CHECK_OK(ploy_cdt_build(cdt, room_points, 11, room_edges, 9, NULL));
    (void)cdt_region_inside(cdt, &area);
    CHECK_SAME(area, 144.0); // the whole hull
    for (int32_t fill = 0; fill < 2; fill++) {
        CHECK_OK(ploy_cdt_fill(cdt, (ploy_fill)fill));
        (void)cdt_region_inside(cdt, &area);
        CHECK_SAME(area, 120.0);
    }
    CHECK_INT(ploy_cdt_fill(cdt, (ploy_fill)7), PLOY_ERR_ARGUMENT);
    ploy_cdt_destroy(cdt);
}

TEST(a_flood_stops_at_constraints) {
    ploy_cdt *cdt = cdt_test_make(t);
    double area = 0.0;
    CHECK_OK(ploy_cdt_build(cdt, room_points, 11, room_edges, 9, NULL));
    static const ploy_vec2 in_pillar[] = {{3, 3}, {99, 99}}, on_wall[] = {{2, 3}},
                           bad[] = {{1, 1}, {NAN, 0}};
    CHECK_OK(ploy_cdt_flood(cdt, in_pillar, 2, false)); // a hole
    (void)cdt_region_inside(cdt, &area);
    CHECK_SAME(area, 136.0);
    ployi_cdt_fill_all(cdt, false);
    CHECK_INT(cdt_region_inside(cdt, &area), 0);
    CHECK_OK(ploy_cdt_flood(cdt, in_pillar, 1, true));
    (void)cdt_region_inside(cdt, &area);
    CHECK_SAME(area, 8.0);
    CHECK_OK(ploy_cdt_flood(cdt, on_wall, 1, true)); // both sides of it
    (void)cdt_region_inside(cdt, &area);
    CHECK_SAME(area, 128.0);
    CHECK_INT(ploy_cdt_flood(cdt, bad, 2, false), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_cdt_flood(cdt, NULL, 1, false), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_cdt_flood(cdt, bad, -1, false), PLOY_ERR_ARGUMENT);
    (void)cdt_region_inside(cdt, &area);
    CHECK_SAME(area, 128.0);
    ploy_cdt_destroy(cdt);
}

TEST(marks_are_inherited_by_what_a_point_makes) {
    ploy_cdt *cdt = cdt_test_make(t);
    double area = 0.0;
    CHECK_OK(ploy_cdt_build(cdt, room_points, 8, room_edges, 8, NULL));
    CHECK_OK(ploy_cdt_fill(cdt, PLOY_FILL_EVEN_ODD));
    int32_t vertex = -1;
    static const ploy_vec2 more[] = {{3, 3}, {6, 6}, {4, 0}, {20, 4}, {-3, -3}};
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        CHECK_OK(ploy_cdt_insert_point(cdt, more[i], &vertex));
        (void)cdt_region_inside(cdt, &area);
        CHECK_SAME(area, 120.0);
        if (i % 2 == 0) CHECK_OK(ploy_cdt_remove_point(cdt, vertex));
        (void)cdt_region_inside(cdt, &area);
        CHECK_SAME(area, 120.0);
    }
    ploy_cdt_destroy(cdt);
}

TEST(the_crossing_rings_are_refused_and_nothing_changes) {
    ploy_env env = ploy_env_default();
    ploy_cdt *cdt = cdt_test_make(t);
    ploy_rings *rings = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    static const ploy_vec2 bow[] = {{0, 0}, {4, 4}, {4, 0}, {0, 4}};
    CHECK_OK(ploy_rings_add(rings, bow, 4));
    CHECK_OK(ploy_cdt_build(cdt, room_points, 11, room_edges, 9, NULL));
    uint64_t shape = cdt_test_shape(cdt);
    CHECK_INT(ploy_cdt_build_rings(cdt, rings, PLOY_FILL_EVEN_ODD, NULL), PLOY_ERR_ARGUMENT);
    CHECK_UINT(cdt_test_shape(cdt), shape);
    CHECK_INT(ploy_cdt_build_rings(cdt, rings, (ploy_fill)9, NULL), PLOY_ERR_ARGUMENT);
    ploy_rings_clear(rings);
    CHECK_OK(ploy_cdt_build_rings(cdt, rings, PLOY_FILL_EVEN_ODD, NULL));
    CHECK_INT(ploy_cdt_vertex_count(cdt), 0);
    ploy_rings_destroy(rings);
    ploy_cdt_destroy(cdt);
}
