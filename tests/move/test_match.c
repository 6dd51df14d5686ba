// Velocity and rotation match.
#include "ploy/move/match.h"
#include "tests/move/vectors.h"

TEST(the_error_over_the_time) {
    // MOV-14, exercise 3.15; ploy (x, y) is the book's (z, x).
    ploy_match_def def = ploy_match_def_default();
    def.max_acceleration = 100.0f;
    ploy_kinematic agent = mover(0.0f, 0.0f, 5.0f, 0.0f);
    CHECK_VEC2(ploy_match_velocity(&def, agent, ploy_vec2_make(7.0f, 0.0f)).linear, 20.0, 0.0,
               1e-4);
    def.max_acceleration = 6.0f;
    CHECK_VEC2(ploy_match_velocity(&def, agent, ploy_vec2_make(7.0f, 0.0f)).linear, 6.0, 0.0, 1e-5);
    agent.rotation = 1.0f;
    CHECK_NEAR(ploy_match_rotation(&def, agent, 2.0f).angular, 10.0, 1e-4);
    CHECK_NEAR(ploy_match_rotation(&def, agent, -9.0f).angular, -20.0, 1e-4);
    ploy_kinematic3 bird = ploy_kinematic3_make(ploy_vec3_zero());
    CHECK_NEAR(ploy_match_rotation3(&def, bird, ploy_vec3_make(0.0f, 0.0f, 1.0f)).angular.z, 10.0,
               1e-4);
}

TEST(rotations_in_a_batch_equal_single_calls) {
    ploy_match_def def = ploy_match_def_default();
    ploy_kinematic agents[3] = {mover(0, 0, 1, 0), mover(0, 0, 1, 0), mover(0, 0, 1, 0)};
    float rotations[3] = {1.0f, -7.0f, 0.0f};
    ploy_steering got[3];
    ploy_kinematics view = ploy_kinematics_of(agents, 3);
    ploy_steerings out = ploy_steerings_of(got, 3);
    CHECK_OK(ploy_match_rotation_batch(&def, &view, 0, 3, rotations, &out));
    for (int32_t i = 0; i < 3; i++) {
        ploy_steering want = ploy_match_rotation(&def, agents[i], rotations[i]);
        CHECK_BYTES(&got[i], &want, sizeof want);
    }
    CHECK_INT(ploy_match_rotation_batch(&def, &view, 0, 3, NULL, &out), PLOY_ERR_ARGUMENT);
    def.time_to_target = 0.0f;
    CHECK_INT(ploy_match_rotation_batch(&def, &view, 0, 3, rotations, &out), PLOY_ERR_ARGUMENT);
    CHECK_UINT(ploy_match_rotation(&def, agents[0], 1.0f).requested, PLOY_STEERING_INVALID);
    CHECK_UINT(ploy_match_velocity(&def, agents[0], ploy_vec2_zero()).requested,
               PLOY_STEERING_INVALID);
}

TEST(the_trace_says_when_it_is_cut) {
    winner_trace w;
    ploy_trace *trace = winner_start(&w);
    ploy_match_def def = ploy_match_def_default();
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
    ploy_match_velocity_trace(&def, agent, ploy_vec2_make(0.5f, 0.0f), somebody(), trace);
    CHECK_TEXT(w.winner, "as desired");
    ploy_match_velocity_trace(&def, agent, ploy_vec2_make(5.0f, 0.0f), somebody(), trace);
    CHECK_TEXT(w.winner, "cut to the largest acceleration");
    CHECK_INT(w.depth, 0);
}
