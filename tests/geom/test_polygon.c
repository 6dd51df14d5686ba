// Polygons: on a lattice against whole numbers, elsewhere against slow sums.
#include "geom/geom_internal.h"
#include "tests/geom/polygon_test.h"

#include <float.h>

static const ploy_vec2 square[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
static const ploy_vec2 ell[] = {{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 3}, {0, 3}};

TEST(measures_of_known_shapes) {
    ploy_polygon box = ploy_polygon_make(square, 4), corner = ploy_polygon_make(ell, 6);
    CHECK_SAME(ploy_polygon_area(box), 4);
    CHECK_SAME(ploy_polygon_signed_area(corner), 6);
    CHECK_VEC2(ploy_polygon_centroid(box), 1, 1, 0);
    // Two rectangles: 4 x 1 about (2, 0.5) and 1 x 2 about (0.5, 2).
    CHECK_VEC2(ploy_polygon_centroid(corner), (4 * 2 + 2 * 0.5) / 6, (4 * 0.5 + 2 * 2.0) / 6, 1e-6);
    CHECK(ploy_polygon_is_convex(box) && !ploy_polygon_is_convex(corner));
    CHECK(ploy_polygon_is_simple(box) && ploy_polygon_is_simple(corner));
    ploy_vec2 points[4];
    memcpy(points, square, sizeof points);
    ploy_polygon_reverse(points, 4);
    CHECK_VEC2(points[0], 0, 0, 0);
    CHECK_VEC2(points[1], 0, 2, 0);
    CHECK_INT(ploy_polygon_turn(ploy_polygon_make(points, 4)), -1);
    CHECK_SAME(ploy_polygon_signed_area(ploy_polygon_make(points, 4)), -4);
}

TEST(few_corners_are_a_segment_a_point_or_nothing) {
    ploy_polygon none = ploy_polygon_make(NULL, 3), one = ploy_polygon_make(square, 1);
    ploy_polygon two = ploy_polygon_make(square, 2), box = ploy_polygon_make(square, 4);
    CHECK_INT(none.count, 0);
    CHECK_INT(ploy_polygon_make(square, -1).count, 0);
    CHECK_SAME(ploy_polygon_area(none), 0);
    CHECK_SAME(ploy_polygon_area(two), 0);
    CHECK_INT(ploy_polygon_turn(two), 0);
    CHECK_VEC2(ploy_polygon_centroid(none), 0, 0, 0);
    CHECK_VEC2(ploy_polygon_centroid(one), 0, 0, 0);
    CHECK_VEC2(ploy_polygon_centroid(two), 1, 0, 0);
    CHECK(!ploy_polygon_is_convex(two) && !ploy_polygon_is_simple(two));
    CHECK_INT(ploy_polygon_locate(none, square[0]), PLOY_LOCATION_OUTSIDE);
    CHECK_INT(ploy_polygon_locate(one, square[0]), PLOY_LOCATION_ON);
    CHECK_INT(ploy_polygon_locate(two, test_v2(1.5, 0)), PLOY_LOCATION_ON);
    CHECK_INT(ploy_polygon_locate(two, test_v2(2.5, 0)), PLOY_LOCATION_OUTSIDE);
    CHECK_VEC2(ploy_polygon_closest(none, test_v2(7, 8)), 7, 8, 0);
    CHECK_SAME(ploy_polygon_distance_sq(none, square[0]), INFINITY);
    CHECK_SAME(ploy_polygon_gap_sq(none, box), INFINITY);
    CHECK_SAME(ploy_polygon_gap_sq(box, none), INFINITY);
    CHECK(!ploy_polygon_overlaps(none, box) && !ploy_polygon_overlaps(box, none));
    CHECK(ploy_polygon_overlaps(one, box) && ploy_polygon_overlaps(box, one));
    CHECK(!ploy_polygon_overlaps_circle(none, ploy_circle_make(square[0], 1)));
    CHECK_INT(ploy_polygon_cross_segment(none, ploy_segment2_make(square[0], square[2]), NULL, 0),
              0);
}

TEST(numbers_that_are_not_finite_are_nowhere) {
    const float bad[] = {NAN, INFINITY, -INFINITY};
    ploy_polygon box = ploy_polygon_make(square, 4);
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ploy_vec2 p = {bad[i], 1}, points[4] = {{0, 0}, {2, bad[i]}, {2, 2}, {0, 2}};
        ploy_polygon torn = ploy_polygon_make(points, 4);
        CHECK_INT(ploy_polygon_locate(box, p), PLOY_LOCATION_OUTSIDE);
        CHECK(!ploy_polygon_overlaps_circle(box, ploy_circle_make(p, 1)));
        CHECK(!ploy_polygon_is_convex(torn) && !ploy_polygon_is_simple(torn));
        CHECK_INT(ploy_polygon_turn(torn), 0);
        ploy_polygon_centroid(torn);
        ploy_polygon_gap_sq(torn, box);
        ploy_polygon_cross_segment(torn, ploy_segment2_make(p, points[0]), NULL, 0);
    }
}

TEST(places_on_a_lattice_are_those_of_whole_numbers) {
    for (int64_t seed = 0; seed < test_rounds(4000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        int32_t size = ploy_rng_int(&rng, 1, 6);
        ploy_polygon polygon = test_lattice_polygon(&rng, size, 9, points);
        for (int32_t i = 0; i < 8; i++) {
            ploy_vec2 point = test_lattice_vec2(&rng, size + 1);
            int32_t winding;
            ploy_location want = test_locate(polygon, point, &winding);
            CHECK_INT(ploy_polygon_locate(polygon, point), want);
            CHECK(ploy_polygon_contains(polygon, point) == (want != PLOY_LOCATION_OUTSIDE));
            if (want != PLOY_LOCATION_ON) {
                CHECK_INT(ployi_polygon_winding(polygon, point), winding);
            }
        }
        int64_t twice = 0;
        for (int32_t i = 0; i < polygon.count; i++) {
            ploy_segment2 edge = ploy_polygon_edge(polygon, i);
            twice += (int64_t)edge.from.x * (int64_t)edge.to.y -
                     (int64_t)edge.from.y * (int64_t)edge.to.x;
        }
        CHECK_SAME(ploy_polygon_signed_area(polygon), (double)twice * 0.5);
        CHECK_INT(ploy_polygon_turn(polygon), test_sign(twice));
        CHECK(ploy_polygon_is_simple(polygon) == test_simple(polygon));
    }
}

// A convex outline turns once by the sum of its angles, all of one sign, never straight back.
static bool convex_slow(ploy_polygon polygon) {
    ploy_vec2 kept[TEST_CORNERS];
    int32_t n = 0;
    for (int32_t i = 0; i < polygon.count; i++) {
        if (n == 0 || !ploy_vec2_equal(kept[n - 1], polygon.points[i]))
            kept[n++] = polygon.points[i];
    }
    while (n > 1 && ploy_vec2_equal(kept[n - 1], kept[0])) n--;
    if (n < 3) return false;
    double sum = 0.0;
    bool left = false, right = false;
    for (int32_t i = 0; i < n; i++) {
        ploy_vec2 a = kept[i], b = kept[(i + 1) % n], c = kept[(i + 2) % n];
        ploy_vec2 u = ploy_vec2_sub(b, a), v = ploy_vec2_sub(c, b);
        double cross = (double)u.x * (double)v.y - (double)u.y * (double)v.x;
        double dot = (double)u.x * (double)v.x + (double)u.y * (double)v.y;
        if (cross == 0.0 && dot < 0.0) return false;
        left = left || cross > 0.0;
        right = right || cross < 0.0;
        sum += atan2(cross, dot);
    }
    return left != right && fabs(fabs(sum) - 2.0 * PLOY_PI) < 1e-6;
}

TEST(convex_is_one_turn_round) {
    int64_t convex = 0;
    for (int64_t seed = 0; seed < test_rounds(20000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_polygon polygon = test_lattice_polygon(&rng, ploy_rng_int(&rng, 1, 3), 6, points);
        bool want = convex_slow(polygon);
        convex += want;
        CHECK(ploy_polygon_is_convex(polygon) == want);
    }
    CHECK(convex > 100);
    const ploy_vec2 twice[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 0}, {2, 0}, {2, 2}, {0, 2}};
    CHECK(!ploy_polygon_is_convex(ploy_polygon_make(twice, 8)));
    const ploy_vec2 repeated[] = {{0, 0}, {0, 0}, {1, 0}, {2, 0}, {2, 2}, {2, 2}, {0, 2}, {0, 0}};
    CHECK(ploy_polygon_is_convex(ploy_polygon_make(repeated, 8)));
}

TEST(the_turn_is_exact_where_the_area_rounds_away) {
    // A sliver one step high across the whole plane.
    float up = nextafterf(1e9f, INFINITY);
    const ploy_vec2 flat[] = {{-1e9f, -1e9f}, {1e9f, 1e9f}, {0, 0}};
    const ploy_vec2 thin[] = {{-1e9f, -1e9f}, {1e9f, up}, {0, 0}};
    const ploy_vec2 tiny[] = {{0, 0}, {1.4e-45f, 0}, {0, 1.4e-45f}};
    CHECK_INT(ploy_polygon_turn(ploy_polygon_make(flat, 3)), 0);
    CHECK_INT(ploy_polygon_turn(ploy_polygon_make(thin, 3)), -1);
    CHECK_INT(ploy_polygon_turn(ploy_polygon_make(tiny, 3)), 1);
    for (int64_t seed = 0; seed < test_rounds(2000);
         seed++) { // a triangle's turn is its orientation
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 p[3];
        for (int32_t i = 0; i < 3; i++) {
            float x = ploy_rng_range(&rng, 0.5f, 0.6f);
            p[i] = ploy_vec2_make(x, ploy_rng_chance(&rng, 0.5f) ? x : nextafterf(x, 1.0f));
        }
        ploy_polygon polygon = ploy_polygon_make(p, 3);
        ploy_polygon_centroid(polygon);
        int32_t winding = ploy_polygon_turn(polygon);
        CHECK_INT(ploy_polygon_is_simple(polygon), winding != 0);
    }
}

TEST(the_centroid_of_parts_is_that_of_the_whole) {
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS + 2], part[TEST_CORNERS + 2];
        ploy_vec2 centre = test_random_vec2(&rng, 100.0f);
        ploy_polygon star = test_star(&rng, centre, 10.0f, points);
        // Cut into triangles from the centre, which sees every corner.
        double x = 0.0, y = 0.0, sum = 0.0;
        for (int32_t i = 0; i < star.count; i++) {
            ploy_segment2 edge = ploy_polygon_edge(star, i);
            part[0] = centre, part[1] = edge.from, part[2] = edge.to;
            ploy_polygon triangle = ploy_polygon_make(part, 3);
            double area = (double)ploy_polygon_signed_area(triangle);
            ploy_vec2 middle = ploy_polygon_centroid(triangle);
            CHECK_VEC2(middle, ((double)part[0].x + (double)part[1].x + (double)part[2].x) / 3,
                       ((double)part[0].y + (double)part[1].y + (double)part[2].y) / 3, 2e-4);
            x += (double)middle.x * area, y += (double)middle.y * area, sum += area;
        }
        CHECK_NEAR(ploy_polygon_signed_area(star), sum, 1e-3);
        CHECK_VEC2(ploy_polygon_centroid(star), x / sum, y / sum, 1e-3);
        CHECK(ploy_polygon_is_simple(star));
    }
}

TEST(the_closest_point_is_as_near_as_any_sample) {
    for (int64_t seed = 0; seed < test_rounds(1500); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_polygon star = test_star(&rng, test_random_vec2(&rng, 5.0f), 10.0f, points);
        ploy_vec2 point = test_random_vec2(&rng, 20.0f);
        float distance_sq = ploy_polygon_distance_sq(star, point);
        ploy_vec2 closest = ploy_polygon_closest(star, point);
        CHECK_NEAR(ploy_vec2_distance_sq(closest, point), distance_sq, 1e-3f);
        CHECK((distance_sq == 0.0f) == ploy_polygon_contains(star, point));
        CHECK(ploy_polygon_distance_sq(star, closest) <= 1e-10f);
        float nearest = INFINITY;
        for (int32_t i = 0; i < star.count; i++) {
            for (int32_t k = 0; k < 20; k++) {
                ploy_vec2 at = ploy_segment2_at(ploy_polygon_edge(star, i), (float)k / 20.0f);
                nearest = fminf(nearest, ploy_vec2_distance_sq(at, point));
            }
        }
        CHECK(distance_sq <= nearest * 1.00001f);
        if (distance_sq > 0.0f) CHECK(sqrtf(nearest) <= sqrtf(distance_sq) + 1.0f);
        float radius = ploy_rng_range(&rng, 0, 10);
        if (fabsf(radius * radius - distance_sq) > 1e-3f) {
            CHECK(ploy_polygon_overlaps_circle(star, ploy_circle_make(point, radius)) ==
                  (distance_sq < radius * radius));
        }
    }
}

// Outlines that meet, or one holding the other, over whole numbers.
static bool overlap_slow(ploy_polygon a, ploy_polygon b) {
    int32_t winding;
    for (int32_t i = 0; i < a.count; i++) {
        if (test_locate(b, a.points[i], &winding) != PLOY_LOCATION_OUTSIDE) return true;
        ploy_segment2 e = ploy_polygon_edge(a, i);
        for (int32_t k = 0; k < b.count; k++) {
            ploy_segment2 f = ploy_polygon_edge(b, k);
            if (test_locate(a, f.from, &winding) != PLOY_LOCATION_OUTSIDE) return true;
            if (test_meet(e.from, e.to, f.from, f.to)) return true;
        }
    }
    return false;
}

TEST(overlaps_and_gaps_are_those_of_all_pairs) {
    int64_t apart = 0;
    for (int64_t seed = 0; seed < test_rounds(4000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[2][TEST_CORNERS], moved[TEST_CORNERS];
        ploy_polygon a = test_lattice_polygon(&rng, 3, 6, points[0]);
        ploy_polygon b = test_lattice_polygon(&rng, 3, 6, points[1]);
        b = test_moved(b, test_lattice_vec2(&rng, 6), moved);
        bool want = overlap_slow(a, b);
        apart += !want;
        CHECK(ploy_polygon_overlaps(a, b) == want);
        CHECK(ploy_polygon_overlaps(b, a) == want);
        float gap = INFINITY;
        for (int32_t i = 0; i < a.count; i++) {
            for (int32_t k = 0; k < b.count; k++) {
                gap = fminf(gap,
                            ploy_segment2_gap_sq(ploy_polygon_edge(a, i), ploy_polygon_edge(b, k)));
            }
        }
        CHECK_NEAR(ploy_polygon_gap_sq(a, b), want ? 0.0f : gap, 1e-5f);
        CHECK(ploy_polygon_overlaps_segment(a, ploy_segment2_make(b.points[0], b.points[0])) ==
              ploy_polygon_contains(a, b.points[0]));
    }
    CHECK(apart > 500);
    const ploy_vec2 inner[] = {{0.5f, 0.5f}, {1, 0.5f}, {1, 1}};
    CHECK(ploy_polygon_overlaps(ploy_polygon_make(square, 4), ploy_polygon_make(inner, 3)));
    CHECK_SAME(ploy_polygon_gap_sq(ploy_polygon_make(inner, 3), ploy_polygon_make(square, 4)), 0);
}

TEST(crossings_come_in_order_and_change_sides) {
    for (int64_t seed = 0; seed < test_rounds(3000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_polygon star = test_star(&rng, ploy_vec2_zero(), 10.0f, points);
        ploy_segment2 segment = {test_random_vec2(&rng, 14.0f), test_random_vec2(&rng, 14.0f)};
        ploy_polygon_crossing all[TEST_CORNERS], few[2];
        int32_t count = ploy_polygon_cross_segment(star, segment, all, TEST_CORNERS);
        bool from = ploy_polygon_contains(star, segment.from);
        CHECK_INT(count % 2, from != ploy_polygon_contains(star, segment.to));
        float along = 0.0f;
        for (int32_t i = 0; i <= count; i++) { // between two crossings all is inside or all outside
            float next = i < count ? all[i].along : 1.0f;
            CHECK(next >= along && next <= 1.0f);
            if (next - along > 1e-4f) {
                ploy_vec2 middle = ploy_segment2_at(segment, (along + next) * 0.5f);
                CHECK(ploy_polygon_contains(star, middle) == ((i % 2 == 0) == from));
            }
            along = next;
            if (i == count) continue;
            CHECK(ploy_segment2_distance(segment, all[i].point) < 1e-5f);
            CHECK(ploy_segment2_distance(ploy_polygon_edge(star, all[i].edge), all[i].point) <
                  1e-5f);
        }
        CHECK_INT(ploy_polygon_cross_segment(star, segment, few, 2), count);
        CHECK_INT(ploy_polygon_cross_segment(star, segment, NULL, 0), count);
        for (int32_t i = 0; i < count && i < 2; i++) CHECK_INT(few[i].edge, all[i].edge);
    }
}

TEST(a_corner_on_the_segment_is_told_once) {
    ploy_polygon_crossing out[8];
    ploy_polygon box = ploy_polygon_make(square, 4);
    CHECK_INT(
        ploy_polygon_cross_segment(box, ploy_segment2_make(test_v2(-1, -1), test_v2(3, 3)), out, 8),
        2);
    CHECK_INT(out[0].edge, 0);
    CHECK_SAME(out[0].along, 0.25);
    CHECK_INT(out[1].edge, 2);
    // Along the bottom edge: its two corners. Within it: where the segment begins.
    CHECK_INT(
        ploy_polygon_cross_segment(box, ploy_segment2_make(test_v2(-1, 0), test_v2(3, 0)), out, 8),
        2);
    CHECK_VEC2(out[0].point, 0, 0, 0);
    CHECK_VEC2(out[1].point, 2, 0, 0);
    CHECK_INT(
        ploy_polygon_cross_segment(box, ploy_segment2_make(test_v2(0.5, 0), test_v2(1, 0)), out, 8),
        1);
    CHECK_VEC2(out[0].point, 0.5, 0, 0);
}

TEST(huge_polygons_are_fine) {
    const ploy_vec2 huge[] = {{-1e9f, -1e9f}, {1e9f, -1e9f}, {1e9f, 1e9f}, {-1e9f, 1e9f}};
    ploy_polygon polygon = ploy_polygon_make(huge, 4);
    CHECK_NEAR(ploy_polygon_area(polygon), 4e18, 1e12);
    CHECK_VEC2(ploy_polygon_centroid(polygon), 0, 0, 1e-6);
    CHECK_INT(ploy_polygon_locate(polygon, test_v2(1e9, 5)), PLOY_LOCATION_ON);
    CHECK_INT(ploy_polygon_locate(polygon, ploy_vec2_make(nextafterf(1e9f, 0), 5)),
              PLOY_LOCATION_INSIDE);
    const ploy_vec2 largest[] = {{-FLT_MAX, -FLT_MAX}, {FLT_MAX, -FLT_MAX}, {0, FLT_MAX}};
    CHECK_INT(ploy_polygon_locate(ploy_polygon_make(largest, 3), test_v2(0, 0)),
              PLOY_LOCATION_INSIDE);
    CHECK(ploy_polygon_is_convex(ploy_polygon_make(largest, 3)));
}
