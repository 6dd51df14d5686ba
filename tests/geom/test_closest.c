// The nearest places of two shapes, against many sampled pairs of places.
#include "geom/geom_internal.h"
#include "ploy/geom/closest.h"

#include "ploy/base/rng.h"
#include "tests/test.h"

static ploy_vec2 random_point(ploy_rng *rng, bool lattice) {
    float x = ploy_rng_range(rng, -4, 4), y = ploy_rng_range(rng, -4, 4);
    return lattice ? ploy_vec2_make(floorf(x), floorf(y)) : ploy_vec2_make(x, y);
}

static ploy_segment2 random_segment(ploy_rng *rng, bool lattice) {
    ploy_vec2 from = random_point(rng, lattice);
    return ploy_segment2_make(from, random_point(rng, lattice));
}

// A convex polygon about a place: corners at rising angles.
static ploy_polygon random_polygon(ploy_rng *rng, ploy_vec2 *points) {
    ploy_vec2 centre = random_point(rng, false);
    int32_t count = 3 + (int32_t)ploy_rng_below(rng, 4);
    float radius = ploy_rng_range(rng, 0.2f, 2.0f);
    for (int32_t i = 0; i < count; i++) {
        float angle = 6.2831853f * ((float)i + ploy_rng_range(rng, 0, 0.8f)) / (float)count;
        points[i] =
            ploy_vec2_make(centre.x + radius * cosf(angle), centre.y + radius * sinf(angle));
    }
    ploy_polygon polygon = {points, count};
    return polygon;
}

TEST(no_two_places_of_segments_are_nearer) {
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        bool lattice = seed % 2 == 0; // touching, collinear, without length
        ploy_segment2 a = random_segment(&rng, lattice), b = random_segment(&rng, lattice);
        ploy_closest2 got = ploy_segment2_closest_segment(a, b);
        CHECK_NEAR(got.distance, sqrtf(ploy_segment2_gap_sq(a, b)), 1e-5);
        CHECK_NEAR(ploy_segment2_distance(a, got.a), 0, 1e-5);
        CHECK_NEAR(ploy_segment2_distance(b, got.b), 0, 1e-5);
        CHECK_NEAR(ploy_vec2_distance(got.a, got.b), got.distance, 1e-5);
        for (int32_t i = 0; i <= 20; i++) {
            ploy_vec2 at = ploy_vec2_lerp(a.from, a.to, (float)i / 20.0f);
            CHECK(ploy_segment2_distance(b, at) >= got.distance - 1e-5f);
        }
    }
}

TEST(no_two_places_of_polygons_are_nearer) {
    for (int64_t seed = 0; seed < test_rounds(1000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 pa[8], pb[8];
        ploy_polygon a = random_polygon(&rng, pa), b = random_polygon(&rng, pb);
        ploy_closest2 got = ploy_polygon_closest_polygon(a, b);
        ploy_closest2 back = ploy_polygon_closest_polygon(b, a);
        CHECK_NEAR(got.distance, back.distance, 1e-5);
        CHECK_INT(got.distance == 0, ploy_polygon_overlaps(a, b));
        CHECK(ploy_polygon_distance_sq(a, got.a) < 1e-9f);
        CHECK(ploy_polygon_distance_sq(b, got.b) < 1e-9f);
        for (int32_t i = 0; i < 40; i++) {
            ploy_segment2 edge = ploy_polygon_edge(a, i % a.count);
            ploy_vec2 at = ploy_vec2_lerp(edge.from, edge.to, ploy_rng_float(&rng));
            CHECK(sqrtf(ploy_polygon_distance_sq(b, at)) >= got.distance - 1e-4f);
        }
        ploy_segment2 segment = random_segment(&rng, false);
        ploy_closest2 thin = ploy_polygon_closest_segment(a, segment);
        CHECK_INT(thin.distance == 0, ploy_polygon_overlaps_segment(a, segment));
        for (int32_t i = 0; i <= 20; i++) {
            ploy_vec2 at = ploy_vec2_lerp(segment.from, segment.to, (float)i / 20.0f);
            CHECK(sqrtf(ploy_polygon_distance_sq(a, at)) >= thin.distance - 1e-4f);
        }
    }
}

TEST(nothing_is_far_and_what_lies_within_shares_a_point) {
    static const ploy_vec2 outer[] = {{-5, -5}, {5, -5}, {5, 5}, {-5, 5}};
    static const ploy_vec2 inner[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    ploy_polygon big = {outer, 4}, small = {inner, 4}, none = {NULL, 0};
    CHECK_SAME(ploy_polygon_closest_polygon(big, small).distance, 0);
    CHECK_SAME(ploy_polygon_closest_polygon(small, big).distance, 0);
    CHECK_SAME(ploy_polygon_closest_polygon(big, none).distance, INFINITY);
    ploy_segment2 within = ploy_segment2_make(ploy_vec2_make(2, 2), ploy_vec2_make(3, 3));
    CHECK_SAME(ploy_polygon_closest_segment(big, within).distance, 0);
    CHECK_SAME(ploy_polygon_closest_segment(none, within).distance, INFINITY);
}

TEST(round_shapes_are_nearer_by_their_radii) {
    ploy_segment2 a = ploy_segment2_make(ploy_vec2_make(0, 0), ploy_vec2_make(0, 0));
    ploy_segment2 b = ploy_segment2_make(ploy_vec2_make(10, 0), ploy_vec2_make(10, 0));
    ploy_closest2 thin = ploy_segment2_closest_segment(a, b);
    ploy_closest2 got = ploy_closest2_round(thin, 2, 3);
    CHECK_NEAR(got.distance, 5, 1e-6);
    CHECK_NEAR(got.a.x, 2, 1e-6);
    CHECK_NEAR(got.b.x, 7, 1e-6);
    got = ploy_closest2_round(thin, 6, 6);
    CHECK_SAME(got.distance, 0);
    CHECK_NEAR(got.a.x, 5, 1e-6);
    CHECK_NEAR(ploy_closest2_round(thin, -1, NAN).distance, 10, 1e-6);
}

TEST(a_moving_box_stops_where_it_touches) {
    for (int64_t seed = 0; seed < test_rounds(1000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_box2 box = ploy_box2_make(random_point(&rng, false), random_point(&rng, false));
        ploy_vec2 direction = ploy_vec2_normalise(random_point(&rng, false));
        ploy_circle circle = ploy_circle_make(random_point(&rng, false), 0.5f);
        ploy_hit2 hit;
        bool met = ploy_box2_sweep_hit_circle(box, direction, 6, circle, &hit);
        for (int32_t i = 0; i <= 60; i++) {
            float way = (float)i * 0.1f;
            ploy_vec2 moved = ploy_vec2_scale(direction, way);
            ploy_box2 there = {ploy_vec2_add(box.min, moved), ploy_vec2_add(box.max, moved)};
            float gap = sqrtf(ploy_box2_distance_sq(there, circle.centre)) - circle.radius;
            if (!met || way < hit.distance - 1e-3f) CHECK(gap > -2e-3f);
        }
        if (met && !hit.inside) {
            CHECK_NEAR(ploy_vec2_distance(hit.point, circle.centre), 0.5, 1e-3);
            CHECK(ploy_vec2_dot(hit.normal, direction) < 1e-4f);
        }
        ploy_segment2 wall = random_segment(&rng, false);
        const ploy_vec2 corners[3] = {wall.from, wall.to, wall.to};
        ploy_polygon thin = {corners, 3};
        ploy_hit2 one, two;
        bool a = ploy_box2_sweep_hit_segment(box, direction, 6, wall, &one);
        bool b = ploy_box2_sweep_hit_polygon(box, direction, 6, thin, &two);
        CHECK_INT(a, b);
        if (a) CHECK_SAME(one.distance, two.distance);
    }
    ploy_box2 box = ploy_box2_make(ploy_vec2_make(0, 0), ploy_vec2_make(2, 2));
    ploy_hit2 hit;
    CHECK(ploy_box2_sweep_hit_circle(box, ploy_vec2_make(1, 0), 10,
                                     ploy_circle_make(ploy_vec2_make(6, 1), 1), &hit));
    CHECK_NEAR(hit.distance, 3, 1e-6);
    CHECK_NEAR(hit.point.x, 5, 1e-6);
    CHECK_NEAR(hit.normal.x, -1, 1e-6);
}
