#include "geom/geom_internal.h"
#include "tests/geom/geom_test.h"

#include "ploy/geom/angle.h"
#include "ploy/geom/frame.h"

// MTH-10
TEST(local_minus_20_15_is_world_80_15) {
    ploy_frame2 frame = ploy_frame2_make(test_v2(100, 0), 0);
    CHECK_VEC2(ploy_frame2_point_to_world(frame, test_v2(-20, 15)), 80, 15, 0);
    CHECK_VEC2(ploy_frame2_point_to_local(frame, test_v2(80, 15)), -20, 15, 0);
    CHECK_VEC2(ploy_frame2_vector_to_world(frame, test_v2(-20, 15)), -20, 15, 0);
}

TEST(x_is_ahead_and_y_to_the_left) {
    ploy_frame2 north = ployi_frame2_from_heading(test_v2(1, 2), test_v2(0, 3));
    CHECK_VEC2(ploy_frame2_point_to_world(north, test_v2(2, 1)), 0, 4, 0);
    CHECK_VEC2(ploy_frame2_vector_to_local(north, test_v2(0, 5)), 5, 0, 0);
    CHECK_VEC2(ployi_frame2_from_heading(test_v2(1, 2), test_v2(0, 0)).heading, 1, 0, 0);
    ploy_frame3 up = ploy_frame3_make(test_v3(1, 2, 3), ploy_quat_from_orientation(PLOY_HALF_PI_F));
    CHECK_VEC3(ploy_frame3_point_to_world(up, test_v3(2, 1, 7)), 0, 4, 10, 1e-6);
}

TEST(local_and_world_are_each_others_inverse) {
    for (uint64_t seed = 0; seed < 5000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float angle = ploy_rng_range(&rng, -10, 10);
        ploy_frame2 frame = ploy_frame2_make(test_random_vec2(&rng, 100), angle);
        ploy_vec2 p = test_random_vec2(&rng, 100);
        // The definition: d . heading and d . side.
        ploy_vec2 d = ploy_vec2_sub(p, frame.position), side = ploy_vec2_perp(frame.heading);
        ploy_vec2 local = ploy_frame2_point_to_local(frame, p);
        CHECK_VEC2(local, ploy_vec2_dot(d, frame.heading), ploy_vec2_dot(d, side), 1e-4);
        CHECK_VEC2(ploy_frame2_point_to_world(frame, local), p.x, p.y, 1e-4);
        CHECK_VEC2(ploy_frame2_vector_to_world(frame, ploy_frame2_vector_to_local(frame, p)), p.x,
                   p.y, 1e-4);
        ploy_frame3 space = ploy_frame3_make(test_random_vec3(&rng, 100), test_random_quat(&rng));
        ploy_vec3 s = test_random_vec3(&rng, 100);
        CHECK_VEC3(ploy_frame3_point_to_world(space, ploy_frame3_point_to_local(space, s)), s.x,
                   s.y, s.z, 2e-4);
        CHECK_VEC3(ploy_frame3_vector_to_local(space, ploy_frame3_vector_to_world(space, s)), s.x,
                   s.y, s.z, 2e-4);
    }
}

TEST(a_frame_within_a_frame) {
    for (uint64_t seed = 0; seed < 1000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_frame2 car = ploy_frame2_make(test_random_vec2(&rng, 10), ploy_rng_range(&rng, -3, 3));
        ploy_frame2 gun = ploy_frame2_make(test_random_vec2(&rng, 2), ploy_rng_range(&rng, -3, 3));
        ploy_vec2 muzzle = test_random_vec2(&rng, 1);
        ploy_vec2 want = ploy_frame2_point_to_world(car, ploy_frame2_point_to_world(gun, muzzle));
        CHECK_VEC2(ploy_frame2_point_to_world(ploy_frame2_to_world(car, gun), muzzle), want.x,
                   want.y, 1e-5);
        ploy_frame3 ship = ploy_frame3_make(test_random_vec3(&rng, 10), test_random_quat(&rng));
        ploy_frame3 turret = ploy_frame3_make(test_random_vec3(&rng, 2), test_random_quat(&rng));
        ploy_vec3 tip = test_random_vec3(&rng, 1);
        ploy_vec3 at = ploy_frame3_point_to_world(ship, ploy_frame3_point_to_world(turret, tip));
        CHECK_VEC3(ploy_frame3_point_to_world(ploy_frame3_to_world(ship, turret), tip), at.x, at.y,
                   at.z, 1e-5);
    }
}

TEST(polygons_are_scaled_turned_and_moved_also_in_place) {
    ploy_vec2 nose[3] = {{1, 0}, {-1, 0.5f}, {-1, -0.5f}};
    ploy_frame2 frame = ploy_frame2_make(test_v2(10, 20), PLOY_HALF_PI_F);
    ploy_frame2_polygon_to_world(frame, test_v2(2, 4), nose, 3, nose);
    CHECK_VEC2(nose[0], 10, 22, 1e-6);
    CHECK_VEC2(nose[1], 8, 18, 1e-6);
    CHECK_VEC2(nose[2], 12, 18, 1e-6);
    ploy_vec3 fin[1] = {{1, 2, 3}};
    ploy_frame3 space = ploy_frame3_make(test_v3(1, 1, 1), ploy_quat_identity());
    ploy_frame3_polygon_to_world(space, test_v3(4, 2, 3), fin, 1, fin);
    CHECK_VEC3(fin[0], 5, 5, 10, 0);
    ploy_frame2_polygon_to_world(frame, test_v2(1, 1), nose, 0, NULL);
}
