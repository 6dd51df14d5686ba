// Align, face and look: the vectors of the book, and that they get there.
#include "ploy/geom/angle.h"
#include "ploy/move/align.h"

#include "ploy/move/integrate.h"
#include "tests/move/vectors.h"

TEST(the_short_way_round_is_taken) {
    // MOV-13: 350 degrees to 10 degrees is 20 degrees to the left.
    ploy_align_def def = ploy_align_def_default();
    def.max_angular_acceleration = 1e6f;
    def.time_to_target = 1.0f;
    def.slow_angle = 0.0f;
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
    agent.orientation = ploy_angle_wrap(ploy_angle_from_degrees(350.0f));
    ploy_steering out = ploy_align(&def, agent, ploy_angle_from_degrees(10.0f));
    CHECK_NEAR(out.angular, def.max_rotation, 1e-5);
    CHECK(ploy_vec2_is_zero(out.linear));
    CHECK_NEAR(ploy_angle_wrap(1.5f * PLOY_PI_F), -PLOY_HALF_PI_F, 1e-6);
    CHECK_NEAR(ploy_angle_wrap(7.0f), 0.7168147, 1e-6);
    CHECK_NEAR(ploy_angle_wrap(0.1f - 6.2f), 0.1831853, 1e-6);
}

TEST(within_the_slow_angle_it_turns_in_proportion) {
    ploy_align_def def = ploy_align_def_default();
    def.max_angular_acceleration = 1e6f;
    def.time_to_target = 0.5f;
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
    agent.rotation = 0.5f;
    // A quarter of slow_angle: a quarter of 4 rad/s, less the rotation it has, over half a second.
    CHECK_NEAR(ploy_align(&def, agent, 0.25f).angular, (1.0 - 0.5) / 0.5, 1e-5);
    CHECK_NEAR(ploy_align(&def, agent, -0.25f).angular, (-1.0 - 0.5) / 0.5, 1e-5);
    CHECK_UINT(ploy_align(&def, agent, 0.005f).requested, 0);
    def.max_angular_acceleration = 0.1f;
    CHECK_NEAR(ploy_align(&def, agent, 3.0f).angular, 0.1, 1e-6);
    def.target_angle = 0.0f;
    CHECK_UINT(ploy_align(&def, agent, 0.0f).requested, 0);
}

TEST(face_and_look_turn_to_where_they_should) {
    // MOV-17, MOV-18.
    for (int32_t degrees = -170; degrees < 180; degrees += 20) {
        float want = ploy_angle_from_degrees((float)degrees);
        ploy_align_def def = ploy_align_def_default();
        ploy_kinematic facing = mover(3.0f, 4.0f, 0.0f, 0.0f), looking = facing;
        ploy_vec2 heading = ploy_angle_heading(want);
        ploy_vec2 point = ploy_vec2_add_scaled(facing.position, heading, 7.0f);
        looking.velocity = ploy_vec2_scale(heading, 0.01f);
        for (int32_t tick = 0; tick < 400; tick++) {
            facing.rotation += ploy_face(&def, facing, point).angular * 0.01f;
            facing.orientation = ploy_angle_wrap(facing.orientation + facing.rotation * 0.01f);
            looking.rotation += ploy_look(&def, looking).angular * 0.01f;
            looking.orientation = ploy_angle_wrap(looking.orientation + looking.rotation * 0.01f);
        }
        CHECK(fabsf(ploy_angle_difference(facing.orientation, want)) < 0.03f);
        CHECK(fabsf(ploy_angle_difference(looking.orientation, want)) < 0.03f);
    }
    ploy_align_def def = ploy_align_def_default();
    ploy_kinematic agent = mover(1.0f, 1.0f, 0.0f, 0.0f);
    CHECK_UINT(ploy_face(&def, agent, agent.position).requested, 0);
    CHECK_UINT(ploy_look(&def, agent).requested, 0);
}

TEST(in_space_a_body_turns_to_any_orientation) {
    // M3D-04.
    ploy_align_def def = ploy_align_def_default();
    static const ploy_vec3 axes[] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {1, 2, -3}};
    for (size_t i = 0; i < COUNT_OF(axes); i++) {
        ploy_quat want = ploy_quat_from_axis_angle(axes[i], 2.5f);
        ploy_kinematic3 bird = ploy_kinematic3_make(ploy_vec3_zero());
        ploy_kinematic3 other = bird;
        ploy_vec3 point = ploy_vec3_scale(ploy_quat_forward(want), 9.0f);
        for (int32_t tick = 0; tick < 500; tick++) {
            bird.rotation =
                ploy_vec3_add_scaled(bird.rotation, ploy_align3(&def, bird, want).angular, 0.01f);
            bird.orientation = ploy_quat_integrate(bird.orientation, bird.rotation, 0.01f);
            other.rotation =
                ploy_vec3_add_scaled(other.rotation, ploy_face3(&def, other, point).angular, 0.01f);
            other.orientation = ploy_quat_integrate(other.orientation, other.rotation, 0.01f);
        }
        CHECK(ploy_quat_angle_between(bird.orientation, want) < 0.03f);
        CHECK(ploy_vec3_angle_between(ploy_quat_forward(other.orientation), point) < 0.03f);
    }
}

TEST(batches_of_orientations_equal_single_calls) {
    ploy_align_def def = ploy_align_def_default();
    ploy_kinematic agents[5];
    ploy_kinematic3 birds[5];
    float wanted[5];
    ploy_quat wanted3[5];
    for (int32_t i = 0; i < 5; i++) {
        agents[i] = mover(0.0f, 0.0f, 1.0f, 0.0f);
        agents[i].orientation = 0.5f * (float)i;
        birds[i] = ploy_kinematic3_make(ploy_vec3_zero());
        wanted[i] = 1.0f - 0.7f * (float)i;
        wanted3[i] = ploy_quat_from_axis_angle(ploy_vec3_make(1.0f, (float)i, 1.0f), 1.0f);
    }
    ploy_steering got[5];
    ploy_steering3 got3[5];
    ploy_kinematics view = ploy_kinematics_of(agents, 5);
    ploy_kinematics3 view3 = ploy_kinematics3_of(birds, 5);
    ploy_steerings out = ploy_steerings_of(got, 5);
    ploy_steerings3 out3 = ploy_steerings3_of(got3, 5);
    CHECK_OK(ploy_align_batch(&def, &view, 0, 5, wanted, &out));
    CHECK_OK(ploy_align3_batch(&def, &view3, 0, 5, wanted3, &out3));
    for (int32_t i = 0; i < 5; i++) {
        ploy_steering want = ploy_align(&def, agents[i], wanted[i]);
        ploy_steering3 want3 = ploy_align3(&def, birds[i], wanted3[i]);
        CHECK_BYTES(&got[i], &want, sizeof want);
        CHECK_BYTES(&got3[i], &want3, sizeof want3);
    }
    CHECK_INT(ploy_align_batch(&def, &view, 0, 5, NULL, &out), PLOY_ERR_ARGUMENT);
    def.slow_angle = NAN;
    CHECK_INT(ploy_align_batch(&def, &view, 0, 5, wanted, &out), PLOY_ERR_ARGUMENT);
    CHECK_UINT(ploy_align(&def, agents[0], 1.0f).requested, PLOY_STEERING_INVALID);
}

TEST(the_trace_says_when_it_is_there) {
    winner_trace w;
    ploy_trace *trace = winner_start(&w);
    ploy_align_def def = ploy_align_def_default();
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f);
    ploy_align_trace(&def, agent, 0.0f, somebody(), trace);
    CHECK_TEXT(w.winner, "request nothing");
    ploy_align_trace(&def, agent, 3.0f, somebody(), trace);
    CHECK_TEXT(w.winner, "cut to the largest acceleration");
    ploy_face_trace(&def, agent, ploy_vec2_make(9.0f, 1.0f), somebody(), trace);
    CHECK_TEXT(w.winner, "as desired");
    ploy_look_trace(&def, mover(0.0f, 0.0f, 0.0f, 0.0f), somebody(), trace);
    CHECK_TEXT(w.winner, "request nothing");
    CHECK_INT(w.depth, 0);
}

TEST(facing_in_space_keeps_the_head_up) {
    // M3D-06, M3D-07: up, then left, then ahead, then behind; the head is up at the end of each but
    // the first.
    static const ploy_vec3 directions[] = {{0, 0, 1},         {0, 1, 0.2f}, {1, 0, 0},
                                           {-1, 0.1f, -0.5f}, {1, 1, 1},    {1, 0, 0}};
    ploy_align_def def = ploy_align_def_default();
    ploy_integrate_def law = ploy_integrate_def_default();
    law.facing = PLOY_FACING_FREE;
    for (int look = 0; look < 2; look++) {
        ploy_kinematic3 agent = ploy_kinematic3_make(ploy_vec3_zero());
        for (size_t i = 0; i < COUNT_OF(directions); i++) {
            for (int tick = 0; tick < 300; tick++) {
                ploy_kinematic3 seen = agent;
                seen.velocity = directions[i];
                ploy_steering3 turn =
                    look ? ploy_look3(&def, seen)
                         : ploy_face3(&def, agent, ploy_vec3_add(agent.position, directions[i]));
                agent = ploy_integrate3(&law, agent, turn, 1.0f / 60.0f);
            }
            ploy_vec3 ahead = ploy_quat_forward(agent.orientation);
            ploy_vec3 up = ploy_quat_rotate(agent.orientation, ploy_vec3_make(0, 0, 1));
            CHECK(ploy_vec3_dot(ahead, ploy_vec3_normalise(directions[i])) > 0.99f);
            if (i == 0) continue;
            // As upright as the direction allows: no roll.
            ploy_vec3 left = ploy_quat_rotate(agent.orientation, ploy_vec3_make(0, 1, 0));
            CHECK_NEAR(left.z, 0.0, 0.05);
            CHECK(up.z > 0.0f);
        }
    }
}
