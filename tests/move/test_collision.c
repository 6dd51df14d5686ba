// Closest approach, the cone, and passing by: the vectors of the books with their signs put right.
#include "ploy/geom/angle.h"
#include "ploy/move/collision.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"

TEST(two_movers_are_nearest_when_the_book_says) {
    // MOV-25, exercise 3.11; ploy (x, y) is the book's (z, x).
    ploy_kinematic a = mover(2.0f, 4.0f, 4.0f, 3.0f), b = mover(12.0f, 20.0f, -1.0f, -5.0f);
    ploy_approach meeting = ploy_closest_approach(a, b);
    CHECK_NEAR(meeting.time, 2.0, 1e-6);
    CHECK_NEAR(meeting.separation, 0.0, 1e-5);
    ploy_collision_def def = ploy_collision_def_default();
    def.max_acceleration = 1.0f;
    def.sidestep = false;
    ploy_kinematics others = ploy_kinematics_of(&b, 1);
    CHECK_VEC2(ploy_avoid_collision(&def, a, &others, -1).linear, -0.529999, -0.847998, 1e-5);
    // With a side step it goes to its own right instead.
    def.sidestep = true;
    CHECK_VEC2(ploy_avoid_collision(&def, a, &others, -1).linear, 0.847998, -0.529999, 1e-5);
}

TEST(it_steps_away_from_where_the_other_will_be) {
    // MOV-25, derived.
    ploy_collision_def def = ploy_collision_def_default();
    def.max_acceleration = 1.0f;
    ploy_kinematic a = mover(0.0f, 0.0f, 1.0f, 0.0f), b = mover(10.0f, 0.5f, -1.0f, 0.0f);
    ploy_kinematics others = ploy_kinematics_of(&b, 1);
    ploy_approach meeting = ploy_collision_find(&def, a, &others, -1);
    CHECK_NEAR(meeting.time, 5.0, 1e-6);
    CHECK_NEAR(meeting.separation, 0.5, 1e-6);
    CHECK_VEC2(ploy_avoid_collision(&def, a, &others, -1).linear, 0.0, -1.0, 1e-6);
    b.position.y = 3.0f;
    CHECK_UINT(ploy_avoid_collision(&def, a, &others, -1).requested, 0);
    b.position.y = 0.5f;
    def.horizon = 4.9f;
    CHECK_UINT(ploy_avoid_collision(&def, a, &others, -1).requested, 0);
}

TEST(bodies_that_overlap_part_whatever_their_velocities) {
    ploy_collision_def def = ploy_collision_def_default();
    ploy_kinematic a = mover(0.0f, 0.0f, 1.0f, 0.0f);
    ploy_kinematic crowd[] = {mover(0.9f, 0.0f, 1.0f, 0.0f), mover(0.3f, 0.0f, 9.0f, 0.0f)};
    ploy_kinematics others = ploy_kinematics_of(crowd, 2);
    CHECK_INT(ploy_collision_find(&def, a, &others, -1).index, 0);
    CHECK_SAME(ploy_collision_find(&def, a, &others, -1).time, 0.0f);
    CHECK_INT(ploy_collision_find(&def, a, &others, 0).index, 1);
    CHECK_VEC2(ploy_avoid_collision(&def, a, &others, 0).linear, -10.0, 0.0, 1e-5);
    crowd[1].position = a.position; // on the very same point it goes in a direction of its number
    ploy_vec2 away = ploy_avoid_collision(&def, a, &others, 0).linear;
    CHECK_NEAR(ploy_vec2_length(away), 10.0, 1e-5);
    ploy_vec2 other = ploy_avoid_collision(&def, a, &others, 1).linear;
    CHECK(ploy_vec2_distance(away, other) > 1.0f);
    // Without a number it backs off.
    CHECK_VEC2(ploy_avoid_collision(&def, crowd[1], &others, -1).linear, -10.0, 0.0, 1e-5);
}

TEST(no_moment_is_nearer_than_the_closest_approach) {
    for (int64_t round = 0; round < test_rounds(500); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_kinematic a = scene_agent(&rng), b = scene_agent(&rng);
        a.position = scene_near2(&rng, 20.0f), b.position = scene_near2(&rng, 20.0f);
        a.velocity = scene_near2(&rng, 5.0f), b.velocity = scene_near2(&rng, 5.0f);
        ploy_approach nearest = ploy_closest_approach(a, b);
        for (float time = 0.0f; time < 20.0f; time += 0.05f) {
            ploy_vec2 pa = ploy_vec2_add_scaled(a.position, a.velocity, time);
            ploy_vec2 pb = ploy_vec2_add_scaled(b.position, b.velocity, time);
            CHECK(ploy_vec2_distance(pa, pb) >= nearest.separation - 1e-3f);
        }
    }
}

TEST(two_who_meet_head_on_pass_each_other) {
    ploy_collision_def def = ploy_collision_def_default();
    ploy_seek_def seek = ploy_seek_def_default();
    ploy_kinematic pair[2] = {mover(-10.0f, 0.0f, 3.0f, 0.0f), mover(10.0f, 0.0f, -3.0f, 0.0f)};
    ploy_vec2 goals[2] = {{30.0f, 0.0f}, {-30.0f, 0.0f}};
    pair[1].orientation = -PLOY_PI_F;
    ploy_kinematics view = ploy_kinematics_of(pair, 2);
    ploy_steering got[2];
    ploy_steerings out = ploy_steerings_of(got, 2);
    float nearest = 1e9f;
    for (int32_t tick = 0; tick < 800; tick++) {
        CHECK_OK(ploy_avoid_collision_batch(&def, &view, 0, 2, NULL, &out));
        for (int32_t i = 0; i < 2; i++) {
            ploy_steering want = ploy_avoid_collision(&def, pair[i], &view, i);
            CHECK_BYTES(&got[i], &want, sizeof want);
        }
        for (int32_t i = 0; i < 2; i++) {
            if (got[i].requested == 0) got[i] = ploy_seek(&seek, pair[i], goals[i]);
            ploy_vec2 v = ploy_vec2_add_scaled(pair[i].velocity, got[i].linear, 0.02f);
            pair[i].velocity = ploy_vec2_limit(v, 3.0f);
        }
        for (int32_t i = 0; i < 2; i++) {
            pair[i].position = ploy_vec2_add_scaled(pair[i].position, pair[i].velocity, 0.02f);
        }
        nearest = fminf(nearest, ploy_vec2_distance(pair[0].position, pair[1].position));
    }
    CHECK(nearest > 0.9f);
    CHECK(pair[0].position.x > 15.0f && pair[1].position.x < -15.0f);
}

TEST(the_cone_sees_who_is_ahead) {
    // MOV-24.
    ploy_cone_def def = ploy_cone_def_default();
    ploy_kinematic a = mover(0.0f, 0.0f, 0.0f, 0.0f);
    ploy_kinematic crowd[] = {mover(4.0f, 0.0f, 0.0f, 0.0f), mover(2.0f, 1.0f, 0.0f, 0.0f),
                              mover(-1.0f, 0.0f, 0.0f, 0.0f)};
    ploy_kinematics others = ploy_kinematics_of(crowd, 3);
    ploy_vec2 away = ploy_vec2_with_length(ploy_vec2_make(-2.0f, -1.0f), 10.0f);
    CHECK_VEC2(ploy_avoid_cone(&def, a, &others, -1).linear, away.x, away.y, 1e-4);
    def.average = true;
    away = ploy_vec2_with_length(ploy_vec2_make(-6.0f, -1.0f), 10.0f);
    CHECK_VEC2(ploy_avoid_cone(&def, a, &others, -1).linear, away.x, away.y, 1e-4);
    a.orientation = PLOY_HALF_PI_F;
    CHECK_UINT(ploy_avoid_cone(&def, a, &others, -1).requested, 0);
    def.half_angle = NAN;
    CHECK_UINT(ploy_avoid_cone(&def, a, &others, -1).requested, PLOY_STEERING_INVALID);
}

TEST(the_cone_evades_where_the_other_will_be) {
    // MOV-24: evade, so by the predicted place. It crosses from the right to the left.
    ploy_cone_def def = ploy_cone_def_default();
    ploy_kinematic a = mover(0.0f, 0.0f, 2.0f, 0.0f), b = mover(4.0f, -1.0f, 0.0f, 3.0f);
    ploy_kinematics others = ploy_kinematics_of(&b, 1);
    ploy_vec2 away = ploy_avoid_cone(&def, a, &others, -1).linear;
    ploy_vec2 want = ploy_vec2_with_length(ploy_vec2_make(-4.0f, -2.0f), 10.0f); // from (4, 2)
    CHECK_VEC2(away, want.x, want.y, 1e-4);
    def.max_prediction = 0.0f;
    want = ploy_vec2_with_length(ploy_vec2_make(-4.0f, 1.0f), 10.0f);
    CHECK_VEC2(ploy_avoid_cone(&def, a, &others, -1).linear, want.x, want.y, 1e-4);
    // The mean of positions and of velocities.
    def.max_prediction = 1.0f;
    def.average = true;
    ploy_kinematic two[] = {b, mover(4.0f, 1.0f, 0.0f, 1.0f)};
    others = ploy_kinematics_of(two, 2);
    want = ploy_vec2_with_length(ploy_vec2_make(-4.0f, -2.0f), 10.0f);
    CHECK_VEC2(ploy_avoid_cone(&def, a, &others, -1).linear, want.x, want.y, 1e-4);
}

TEST(every_body_has_a_radius) {
    // MOV-25: the sum of both radii. A lorry is met that a child would slip past.
    ploy_collision_def def = ploy_collision_def_default();
    ploy_kinematic all[] = {mover(0.0f, 0.0f, 1.0f, 0.0f), mover(10.0f, 1.5f, -1.0f, 0.0f)};
    ploy_kinematics view = ploy_kinematics_of(all, 2);
    float radii[] = {0.5f, 0.5f};
    def.radii = radii;
    CHECK_INT(ploy_collision_find(&def, all[0], &view, 0).index, -1);
    radii[1] = 1.2f;
    CHECK_INT(ploy_collision_find(&def, all[0], &view, 0).index, 1);
    CHECK_VEC2(ploy_avoid_collision(&def, all[0], &view, 0).linear, 0.0, -10.0, 1e-5);
    CHECK_INT(ploy_collision_find(&def, all[1], &view, 1).index, 0);
    radii[0] = 0.25f;
    CHECK_INT(ploy_collision_find(&def, all[0], &view, 0).index, -1);
    def.radius = 2.0f; // who is not among them has this one
    CHECK_INT(ploy_collision_find(&def, all[0], &view, -1).index, 0);
    ploy_steering got[2];
    ploy_steerings out = ploy_steerings_of(got, 2);
    radii[0] = 0.5f;
    CHECK_OK(ploy_avoid_collision_batch(&def, &view, 0, 2, NULL, &out));
    for (int32_t i = 0; i < 2; i++) {
        ploy_steering want = ploy_avoid_collision(&def, all[i], &view, i);
        CHECK_UINT(want.requested, 1);
        CHECK_BYTES(&got[i], &want, sizeof want);
    }
    radii[1] = NAN;
    CHECK_INT(ploy_collision_find(&def, all[0], &view, 0).index, -1);
}

TEST(passing_by_takes_the_tangent) {
    // WAY-15: r 0.75 at 1.5 m is 45 degrees, at 3 m 26.565.
    ploy_vec2 here = {0.0f, 0.0f}, steering = {2.0f, 0.1f};
    ploy_vec2 out = ploy_pass_by(here, steering, ploy_vec2_make(1.5f, 0.0f), 0.75f, 5.0f);
    CHECK_NEAR(ploy_angle_to_degrees(ploy_angle_of(out)), 45.0, 1e-3);
    CHECK_NEAR(ploy_vec2_length(out), ploy_vec2_length(steering), 1e-5);
    out = ploy_pass_by(here, steering, ploy_vec2_make(3.0f, 0.0f), 0.75f, 5.0f);
    CHECK_NEAR(ploy_angle_to_degrees(ploy_angle_of(out)), 26.565, 1e-3);
    steering.y = -0.1f;
    out = ploy_pass_by(here, steering, ploy_vec2_make(3.0f, 0.0f), 0.75f, 5.0f);
    CHECK_NEAR(ploy_angle_to_degrees(ploy_angle_of(out)), -26.565, 1e-3);
    CHECK(ploy_vec2_equal(ploy_pass_by(here, steering, ploy_vec2_make(6.0f, 0.0f), 0.75f, 5.0f),
                          steering));
    CHECK(ploy_vec2_equal(ploy_pass_by(here, steering, here, 0.75f, 5.0f), steering));
}

TEST(bad_settings_ask_for_nothing) {
    ploy_collision_def def = ploy_collision_def_default();
    ploy_kinematic a = mover(0.0f, 0.0f, 1.0f, 0.0f);
    ploy_kinematics others = ploy_kinematics_of(&a, 1);
    ploy_steering got;
    ploy_steerings out = ploy_steerings_of(&got, 1);
    winner_trace w;
    ploy_avoid_collision_trace(&def, a, &others, -1, somebody(), winner_start(&w));
    CHECK_TEXT(w.winner, "step away");
    CHECK_INT(w.depth, 0);
    CHECK_UINT(ploy_avoid_collision(&def, a, NULL, -1).requested, 0);
    def.radius = NAN;
    CHECK_UINT(ploy_avoid_collision(&def, a, &others, -1).requested, PLOY_STEERING_INVALID);
    CHECK_INT(ploy_avoid_collision_batch(&def, &others, 0, 1, NULL, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_avoid_collision_batch(NULL, &others, 0, 1, NULL, &out), PLOY_ERR_ARGUMENT);
}

TEST(two_on_the_same_point_part) {
    // MOV-25: the same place, the same facing, at rest.
    ploy_collision_def def = ploy_collision_def_default();
    ploy_kinematic two[2] = {mover(1, 2, 0, 0), mover(1, 2, 0, 0)};
    ploy_kinematics both = ploy_kinematics_of(two, 2);
    for (int tick = 0; tick < 60; tick++) {
        ploy_steering away[2] = {ploy_avoid_collision(&def, two[0], &both, 0),
                                 ploy_avoid_collision(&def, two[1], &both, 1)};
        for (int i = 0; i < 2; i++) {
            two[i].velocity = ploy_vec2_add_scaled(two[i].velocity, away[i].linear, 1.0f / 60.0f);
            two[i].position = ploy_vec2_add_scaled(two[i].position, two[i].velocity, 1.0f / 60.0f);
        }
    }
    CHECK(ploy_vec2_distance(two[0].position, two[1].position) > 2.0f * def.radius);
}
