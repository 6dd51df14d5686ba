#include "tests/geom/solid_test.h"

#include "ploy/geom/frustum.h"

static const float quarter = 1.57079633f;

// A point of the frustum: parts across and up in [-1, 1], along in [0, 1] from near to far.
static ploy_vec3 frustum_point(ploy_vec3 eye, ploy_quat q, float across, float up, float along,
                               const float def[4]) {
    float x = def[2] + (def[3] - def[2]) * along;
    ploy_vec3 local = {x, x * across * tanf(def[0] / 2), x * up * tanf(def[1] / 2)};
    return ploy_vec3_add(eye, ploy_quat_rotate(q, local));
}

TEST(a_frustum_holds_the_points_that_its_angles_say) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float def[4] = {ploy_rng_range(&rng, 0.3f, 2), ploy_rng_range(&rng, 0.3f, 2), 0.5f,
                        ploy_rng_range(&rng, 2, 20)};
        ploy_vec3 eye = test_random_vec3(&rng, 5);
        ploy_quat q = test_random_quat(&rng);
        ploy_frustum f = ploy_frustum_make(eye, q, def[0], def[1], def[2], def[3]);
        float a = ploy_rng_range(&rng, -1.5f, 1.5f), b = ploy_rng_range(&rng, -1.5f, 1.5f);
        float c = ploy_rng_range(&rng, 0, 1.5f);
        float margin = fminf(fminf(1 - fabsf(a), 1 - fabsf(b)), fminf(c, 1 - c));
        if (fabsf(margin) < 1e-3f) continue;
        ploy_vec3 p = frustum_point(eye, q, a, b, c, def);
        CHECK_INT(ploy_frustum_contains(&f, p), margin > 0);
        if (margin > 0) CHECK(ploy_frustum_see_sphere(&f, ploy_sphere_make(p, 0.01f)) > 0);
        // What is thrown away holds no point of the frustum; what is inside holds no other.
        ploy_sphere s = ploy_sphere_make(test_random_vec3(&rng, 12), ploy_rng_range(&rng, 0, 4));
        ploy_box3 box = ploy_box3_make(test_random_vec3(&rng, 10), test_random_vec3(&rng, 10));
        ploy_visibility sphere = ploy_frustum_see_sphere(&f, s),
                        seen = ploy_frustum_see_box(&f, box);
        for (int32_t i = 0; i < 20; i++) {
            ploy_vec3 in = frustum_point(eye, q, ploy_rng_range(&rng, -1, 1) * 0.99f,
                                         ploy_rng_range(&rng, -1, 1) * 0.99f,
                                         ploy_rng_range(&rng, 0.01f, 0.99f), def);
            if (sphere == PLOY_VISIBILITY_OUTSIDE) CHECK(!ploy_sphere_contains(s, in));
            if (seen == PLOY_VISIBILITY_OUTSIDE) CHECK(!ploy_box3_contains(box, in));
            ploy_vec3 part = {ploy_rng_range(&rng, box.min.x, box.max.x),
                              ploy_rng_range(&rng, box.min.y, box.max.y),
                              ploy_rng_range(&rng, box.min.z, box.max.z)};
            if (seen == PLOY_VISIBILITY_INSIDE) CHECK(ploy_frustum_contains(&f, part));
            if (seen == PLOY_VISIBILITY_OUTSIDE) CHECK(!ploy_frustum_contains(&f, part));
        }
    }
}

TEST(what_a_frustum_says_of_spheres_and_boxes) {
    ploy_frustum f =
        ploy_frustum_make(test_v3(0, 0, 0), ploy_quat_identity(), quarter, quarter, 1, 10);
    static const struct {
        const char *row;
        float x, y, z, radius;
        ploy_visibility want;
    } rows[] = {
        {"well ahead", 5, 0, 0, 1, PLOY_VISIBILITY_INSIDE},
        {"behind", -5, 0, 0, 1, PLOY_VISIBILITY_OUTSIDE},
        {"over the near plane", 1, 0, 0, 0.5f, PLOY_VISIBILITY_CROSSING},
        {"too far", 12, 0, 0, 1, PLOY_VISIBILITY_OUTSIDE},
        {"over the left edge", 5, 5, 0, 1, PLOY_VISIBILITY_CROSSING},
        {"beyond the left edge", 5, 7, 0, 1, PLOY_VISIBILITY_OUTSIDE},
        {"beyond the upper edge", 5, 0, 7, 1, PLOY_VISIBILITY_OUTSIDE},
        {"around everything", 5, 0, 0, 50, PLOY_VISIBILITY_CROSSING},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_vec3 at = ploy_vec3_make(rows[i].x, rows[i].y, rows[i].z);
        CHECK_INT(ploy_frustum_see_sphere(&f, ploy_sphere_make(at, rows[i].radius)), rows[i].want);
        float half = rows[i].radius * 0.577f; // the box in the sphere
        ploy_vec3 reach = {half, half, half};
        ploy_box3 box = {ploy_vec3_sub(at, reach), ploy_vec3_add(at, reach)};
        CHECK_INT(ploy_frustum_see_box(&f, box), rows[i].want);
    }
    t->row = NULL;
    CHECK_INT(ploy_frustum_see_box(&f, ploy_box3_empty()), PLOY_VISIBILITY_OUTSIDE);
    CHECK_INT(ploy_frustum_see_sphere(&f, ploy_sphere_make(test_v3(NAN, 0, 0), 1)),
              PLOY_VISIBILITY_OUTSIDE);
    CHECK(!ploy_frustum_contains(&f, test_v3(NAN, 0, 0)));
}

static ploy_cone random_cone(ploy_rng *rng, uint64_t seed, float most) {
    ploy_vec3 axis = test_random_vec3(rng, 1);
    if (seed % 4 == 0) axis = test_v3(0, 0, 2);
    return ploy_cone_make(test_random_vec3(rng, 2), axis, ploy_rng_range(rng, 0.05f, most),
                          ploy_rng_range(rng, 1, 6));
}

// A random point of the cone.
static ploy_vec3 cone_point(ploy_rng *rng, const ploy_cone *cone) {
    for (;;) {
        ploy_vec3 p = ploy_vec3_add(cone->apex, test_random_vec3(rng, cone->range));
        if (ploy_cone_contains(*cone, p)) return p;
    }
}

TEST(a_cone_holds_what_is_near_enough_and_within_its_angle) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float half = ploy_rng_range(&rng, 0.05f, 3.1f), range = ploy_rng_range(&rng, 1, 6);
        ploy_vec3 axis = test_random_vec3(&rng, 1), apex = test_random_vec3(&rng, 2);
        ploy_cone cone = ploy_cone_make(apex, axis, half, range);
        ploy_vec3 p = test_random_vec3(&rng, 8), way = ploy_vec3_sub(p, apex);
        double angle = (double)ploy_vec3_angle_between(axis, way);
        double distance = (double)ploy_vec3_length(way);
        if (fabs(angle - (double)half) < 1e-4 || fabs(distance - (double)range) < 1e-4) continue;
        bool want = angle < (double)half && distance < (double)range;
        CHECK_INT(ploy_cone_contains(cone, p), want);
        // The distance, by the law of cosines in the half plane of axis and point.
        double beyond = angle - (double)half, gap;
        if (beyond <= 0) {
            gap = fmax(0, distance - (double)range);
        } else {
            double along = fmin(fmax(distance * cos(beyond), 0), (double)range);
            gap = sqrt(
                fmax(0, distance * distance + along * along - 2 * distance * along * cos(beyond)));
        }
        CHECK_NEAR(ploy_cone_distance(cone, p), gap, 1e-3);
        if (fabs(gap - 1) > 2e-3) {
            CHECK_INT(ploy_cone_overlaps_sphere(cone, ploy_sphere_make(p, 1)), gap < 1);
        }
    }
}

TEST(no_point_of_a_cone_is_nearer_than_its_distance) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_cone cone = random_cone(&rng, seed, 3);
        if (cone.cos_half > 0.9f) continue; // too few random points fall in
        ploy_vec3 p = test_random_vec3(&rng, 8);
        float distance = ploy_cone_distance(cone, p);
        for (int32_t i = 0; i < 50; i++) {
            CHECK(ploy_vec3_distance(cone_point(&rng, &cone), p) >= distance - 1e-4f);
        }
    }
}

TEST(a_box_is_passed_over_only_if_it_holds_no_point_of_the_cone) {
    int32_t yes = 0, no = 0, wrong = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_cone cone = random_cone(&rng, seed, seed % 3 == 0 ? 3.0f : 1.5f);
        ploy_vec3 middle = test_random_vec3(&rng, 6);
        ploy_vec3 reach = {ploy_rng_range(&rng, 0, 2), ploy_rng_range(&rng, 0, 2),
                           ploy_rng_range(&rng, 0, 2)};
        ploy_box3 box = {ploy_vec3_sub(middle, reach), ploy_vec3_add(middle, reach)};
        bool got = ploy_cone_overlaps_box(cone, box), found = false;
        for (int32_t i = 0; i < 400 && !found; i++) {
            ploy_vec3 p = {ploy_rng_range(&rng, box.min.x, box.max.x),
                           ploy_rng_range(&rng, box.min.y, box.max.y),
                           ploy_rng_range(&rng, box.min.z, box.max.z)};
            found = ploy_cone_contains(cone, p);
        }
        if (found) CHECK(got);
        yes += got ? 1 : 0;
        no += got ? 0 : 1;
        wrong += got && !found && cone.cos_half >= 0 ? 1 : 0;
    }
    CHECK(yes > 200 && no > 200); // both happen
    CHECK(wrong < yes / 10);      // and a yes is hardly ever vain
}

TEST(odd_cones_are_defined) {
    ploy_cone all = ploy_cone_make(test_v3(0, 0, 0), test_v3(1, 0, 0), 9, 5);
    CHECK(ploy_cone_contains(all, test_v3(-5, 0, 0)));
    CHECK(ploy_cone_contains(all, test_v3(-3, 1e-6, 0)));
    CHECK(!ploy_cone_contains(all, test_v3(-5.1, 0, 0)));
    CHECK_NEAR(ploy_cone_distance(all, test_v3(-7, 0, 0)), 2, 1e-6);
    CHECK(ploy_cone_overlaps_box(all, ploy_box3_make(test_v3(-3, -1, -1), test_v3(-2, 1, 1))));
    ploy_cone thin = ploy_cone_make(test_v3(0, 0, 0), test_v3(3, 0, 0), 0, 5);
    CHECK(ploy_cone_contains(thin, test_v3(4, 0, 0)));
    CHECK(!ploy_cone_contains(thin, test_v3(4, 0.01, 0)));
    CHECK_NEAR(ploy_cone_distance(thin, test_v3(4, 3, 0)), 3, 1e-6);
    CHECK_NEAR(ploy_cone_distance(thin, test_v3(-4, 0, 0)), 4, 1e-6);
    ploy_cone blind = ploy_cone_make(test_v3(0, 0, 0), test_v3(0, 0, 0), 1, 5);
    CHECK(ploy_cone_contains(blind, test_v3(0, 0, 0)));
    CHECK(!ploy_cone_contains(blind, test_v3(0.1, 0, 0)));
    CHECK_NEAR(ploy_cone_distance(blind, test_v3(3, 4, 0)), 5, 1e-6);
    ploy_cone near_only = ploy_cone_make(test_v3(0, 0, 0), test_v3(1, 0, 0), 1, NAN);
    CHECK_SAME(near_only.range, 0);
    CHECK(!ploy_cone_contains(near_only, test_v3(0.1, 0, 0)));
    CHECK(!ploy_cone_contains(all, test_v3(NAN, 0, 0)));
    CHECK(!ploy_cone_overlaps_box(all, ploy_box3_empty()));
}
