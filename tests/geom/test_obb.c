// Oriented boxes against polygons of their corners, and against axis-aligned ones.
#include "geom/geom_internal.h"
#include "tests/geom/polygon_test.h"

#include "ploy/geom/obb.h"
#include "ploy/geom/polygon_hit.h"

static ploy_obb2 random_obb(ploy_rng *rng) {
    ploy_vec2 centre = test_random_vec2(rng, 10.0f), axis = test_random_vec2(rng, 1.0f);
    float x = ploy_rng_range(rng, 0.1f, 5.0f);
    return ploy_obb2_make(centre, axis, ploy_vec2_make(x, ploy_rng_range(rng, 0.1f, 5.0f)));
}

TEST(an_oriented_box_is_the_polygon_of_its_corners) {
    for (int64_t seed = 0; seed < test_rounds(5000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_obb2 a = random_obb(&rng), b = random_obb(&rng);
        ploy_vec2 corners[2][4];
        ploy_obb2_corners(a, corners[0]);
        ploy_obb2_corners(b, corners[1]);
        ploy_polygon pa = ploy_polygon_make(corners[0], 4), pb = ploy_polygon_make(corners[1], 4);
        CHECK_INT(ploy_polygon_turn(pa), 1);
        CHECK_NEAR(ploy_obb2_area(a), ploy_polygon_area(pa), 1e-4);
        ploy_vec2 point = test_random_vec2(&rng, 15.0f);
        float distance_sq = ploy_polygon_distance_sq(pa, point);
        CHECK_NEAR(sqrtf(ploy_obb2_distance_sq(a, point)), sqrtf(distance_sq), 1e-4f);
        ploy_vec2 closest = ploy_obb2_closest(a, point);
        CHECK_NEAR(ploy_vec2_distance(closest, point), sqrtf(distance_sq), 1e-4f);
        if (distance_sq > 1e-6f) CHECK(!ploy_obb2_contains(a, point));
        CHECK(ploy_obb2_contains(a, point) == (ploy_obb2_distance_sq(a, point) == 0.0f));
        float gap_sq = ploy_polygon_gap_sq(pa, pb);
        CHECK(ploy_obb2_overlaps(a, b) == ploy_obb2_overlaps(b, a));
        if (gap_sq > 1e-6f) CHECK(!ploy_obb2_overlaps(a, b));
        ploy_obb2 smaller = b;
        smaller.half = ploy_vec2_scale(b.half, 0.9999f);
        if (gap_sq == 0.0f && ploy_obb2_overlaps(a, smaller)) CHECK(ploy_obb2_overlaps(a, b));
        if (gap_sq == 0.0f) {
            ploy_obb2 wider = b;
            wider.half = ploy_vec2_scale(b.half, 1.0001f);
            CHECK(ploy_obb2_overlaps(a, wider));
        }
        float radius = ploy_rng_range(&rng, 0, 5);
        if (fabsf(radius * radius - distance_sq) > 1e-3f) {
            CHECK(ploy_obb2_overlaps_circle(a, ploy_circle_make(point, radius)) ==
                  (distance_sq < radius * radius));
        }
        ploy_box2 around = ployi_box2_of_obb(a);
        for (int32_t i = 0; i < 4; i++) CHECK(ploy_box2_contains(around, corners[0][i]));
        ploy_ray2 ray = ploy_ray2_make(test_random_vec2(&rng, 15.0f), test_random_vec2(&rng, 1.0f));
        if (ploy_polygon_distance_sq(pa, ray.origin) < 1e-6f &&
            ploy_obb2_contains(a, ray.origin) !=
                (ploy_polygon_locate(pa, ray.origin) == PLOY_LOCATION_INSIDE)) {
            continue; // on the edge to the last digit
        }
        ploy_hit2 got, want;
        bool met = ploy_ray2_hit_obb(ray, a, &got);
        CHECK(met == ploy_ray2_hit_obb(ray, a, NULL));
        CHECK(met == ploy_ray2_hit_polygon(ray, pa, &want));
        if (!met) continue;
        CHECK(got.inside == want.inside);
        CHECK_NEAR(got.distance, want.distance, 1e-3f);
        CHECK_VEC2(got.point, want.point.x, want.point.y, 1e-3f);
        CHECK_NEAR(ploy_vec2_length(got.normal), 1, 1e-5f);
    }
}

TEST(not_turned_it_is_a_plain_box) {
    for (int64_t seed = 0; seed < test_rounds(5000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_box2 plain = ploy_box2_make(test_lattice_vec2(&rng, 3), test_lattice_vec2(&rng, 3));
        ploy_box2 other = ploy_box2_make(test_lattice_vec2(&rng, 3), test_lattice_vec2(&rng, 3));
        ploy_obb2 box = ploy_obb2_of_box(plain);
        CHECK(ploy_obb2_overlaps(box, ploy_obb2_of_box(other)) == ploy_box2_overlaps(plain, other));
        ploy_vec2 point = test_lattice_vec2(&rng, 4), way = test_lattice_vec2(&rng, 1);
        CHECK(ploy_obb2_contains(box, point) == ploy_box2_contains(plain, point));
        CHECK_SAME(ploy_obb2_distance_sq(box, point), ploy_box2_distance_sq(plain, point));
        ploy_ray2 ray = ploy_ray2_make(point, way);
        ploy_sweep sweep = {ray, 0.5f};
        ploy_hit2 got, want;
        bool met = ploy_ray2_hit_box(ray, plain, &want);
        CHECK(ploy_ray2_hit_obb(ray, box, &got) == met);
        if (met) {
            CHECK_NEAR(got.distance, want.distance, 1e-6f);
            CHECK(got.inside == want.inside);
        }
        met = ploy_sweep_hit_box(sweep, plain, &want);
        CHECK(ploy_sweep_hit_obb(sweep, box, &got) == met);
        if (met) CHECK_NEAR(got.distance, want.distance, 1e-6f);
        sweep.radius = 0.0f;
        CHECK(ploy_sweep_hit_obb(sweep, box, NULL) == ploy_ray2_hit_box(ray, plain, NULL));
    }
}

TEST(oriented_boxes_of_bad_numbers) {
    ploy_obb2 box = ploy_obb2_make(test_v2(1, 1), test_v2(0, 0), test_v2(-1, NAN));
    CHECK_VEC2(box.axis, 1, 0, 0);
    CHECK(ploy_obb2_contains(box, test_v2(1, 1)) && !ploy_obb2_contains(box, test_v2(1, 1.1)));
    CHECK_SAME(ploy_obb2_area(box), 0);
    ploy_obb2 torn = ploy_obb2_make(test_v2(NAN, 1), test_v2(1, 0), test_v2(1, 1));
    CHECK(!ploy_obb2_contains(torn, test_v2(1, 1)));
    CHECK(!ploy_obb2_overlaps(torn, box) && !ploy_obb2_overlaps(box, torn));
    CHECK(!ploy_ray2_hit_obb(ploy_ray2_make(test_v2(0, 0), test_v2(1, 1)), torn, NULL));
    CHECK_SAME(ploy_obb2_area(ploy_obb2_of_box(ploy_box2_empty())), 0);
}
