// Interpose, offset pursuit, fly by and leader following: the vectors of the books, and what each
// comes to when it runs.
#include "move/move_internal.h"
#include "ploy/geom/angle.h"
#include "ploy/move/escort.h"
#include "tests/move/vectors.h"

TEST(interpose_aims_for_the_middle_of_the_future) {
    // STE-13.
    ploy_interpose_def def = ploy_interpose_def_default();
    def.arrive = plain_arrive(10.0f);
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
    ploy_kinematic a = mover(100.0f, 0.0f, 0.0f, 2.0f), b = mover(100.0f, 100.0f, 0.0f, 0.0f);
    CHECK_VEC2(ploy_interpose_point(&def, agent, a, b), 100.0, 61.1803, 1e-3);
    CHECK_VEC2(ploy_interpose(&def, agent, a, b).linear, 8.53019, 5.2188, 1e-4);
}

TEST(offset_pursuit_aims_for_its_slot) {
    // STE-16.
    ploy_offset_pursuit_def def = ploy_offset_pursuit_def_default();
    def.arrive = plain_arrive(10.0f);
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f), leader = mover(100.0f, 0.0f, 5.0f, 0.0f);
    ploy_vec2 offset = {-20.0f, 15.0f};
    CHECK_VEC2(ploy_offset_pursuit_point(&def, agent, leader, offset), 107.131, 15.0, 1e-3);
    CHECK_VEC2(ploy_offset_pursuit(&def, agent, leader, offset).linear, 9.9034, 1.38662, 1e-4);
}

TEST(fly_by_passes_at_its_distance) {
    // NTU-34.
    static const float sides[] = {2.0f, -2.0f, 0.0f, 9.0f};
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        ploy_fly_by_def def = ploy_fly_by_def_default();
        def.distance = 5.0f;
        ploy_kinematic agent = mover(-40.0f, sides[i], 5.0f, 0.0f);
        ploy_kinematic target = mover(0.0f, 0.0f, 0.0f, 0.0f);
        // The point lies on the side on which the agent is.
        ploy_vec2 point = ploy_fly_by_point(&def, agent, target);
        CHECK_NEAR(ploy_vec2_length(point), 5.0, 1e-4);
        CHECK(sides[i] < 0.0f ? point.y < 0.0f : point.y > 0.0f);
        float nearest = 1e9f;
        for (int32_t tick = 0; tick < 700; tick++) {
            ploy_vec2 a = ploy_fly_by(&def, agent, target).linear;
            agent.velocity = ploy_vec2_limit(ploy_vec2_add_scaled(agent.velocity, a, 0.02f), 5.0f);
            agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.02f);
            nearest = fminf(nearest, ploy_vec2_length(agent.position));
        }
        CHECK_NEAR(nearest, 5.0, 0.6);
    }
}

TEST(a_follower_gets_out_of_the_way_and_then_behind) {
    // NTU-45, STE-30.
    ploy_follow_def def = ploy_follow_def_default();
    ploy_kinematic leader = mover(0.0f, 0.0f, 2.0f, 0.0f);
    CHECK(ployi_follow_blocks(&def, ploy_vec2_make(2.9f, 0.9f), leader));
    CHECK(!ployi_follow_blocks(&def, ploy_vec2_make(3.1f, 0.0f), leader)); // 2 m and half a second
    CHECK(!ployi_follow_blocks(&def, ploy_vec2_make(1.0f, 1.1f), leader));
    CHECK(!ployi_follow_blocks(&def, ploy_vec2_make(-1.0f, 0.0f), leader));
    CHECK(ploy_follow(&def, mover(1.0f, -0.2f, 0.0f, 0.0f), leader).linear.y < -1.0f);
    CHECK(ploy_follow(&def, mover(1.0f, 0.2f, 0.0f, 0.0f), leader).linear.y > 1.0f);
    CHECK(ploy_follow(&def, mover(1.0f, 0.0f, 0.0f, 0.0f), leader).linear.y > 1.0f);
    ploy_kinematic agent = mover(2.0f, 0.1f, 0.0f, 0.0f);
    for (int32_t tick = 0; tick < 1000; tick++) {
        ploy_vec2 a = ploy_follow(&def, agent, leader).linear;
        agent.velocity = ploy_vec2_limit(ploy_vec2_add_scaled(agent.velocity, a, 0.02f), 5.0f);
        agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.02f);
        leader.position = ploy_vec2_add_scaled(leader.position, leader.velocity, 0.02f);
    }
    // It trails its place by the error that keeps it going: the speed of 2 m/s over max / slow.
    ploy_vec2 place = ploy_vec2_sub(agent.position, leader.position);
    CHECK_NEAR(place.y, 0.0, 0.05);
    CHECK(place.x < -2.0f && place.x > -4.5f);
}

TEST(bad_settings_ask_for_nothing) {
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f);
    ploy_interpose_def interpose = ploy_interpose_def_default();
    interpose.max_time = -1.0f;
    CHECK_UINT(ploy_interpose(&interpose, agent, agent, agent).requested, PLOY_STEERING_INVALID);
    ploy_offset_pursuit_def offset = ploy_offset_pursuit_def_default();
    offset.max_time = NAN;
    CHECK_UINT(ploy_offset_pursuit(&offset, agent, agent, ploy_vec2_zero()).requested,
               PLOY_STEERING_INVALID);
    ploy_fly_by_def fly_by = ploy_fly_by_def_default();
    fly_by.distance = NAN;
    CHECK_UINT(ploy_fly_by(&fly_by, agent, agent).requested, PLOY_STEERING_INVALID);
    ploy_follow_def follow = ploy_follow_def_default();
    follow.clear_width = INFINITY;
    CHECK_UINT(ploy_follow(&follow, agent, agent).requested, PLOY_STEERING_INVALID);
    CHECK_INT(ploy_follow_batch(&follow, NULL, 0, 0, NULL, NULL), PLOY_ERR_ARGUMENT);
}

TEST(the_traces_name_their_techniques) {
    winner_trace w;
    ploy_trace *trace = winner_start(&w);
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f), leader = mover(5.0f, 0.0f, 1.0f, 0.0f);
    ploy_interpose_def interpose = ploy_interpose_def_default();
    ploy_interpose_trace(&interpose, agent, leader, agent, somebody(), trace);
    CHECK_TEXT(w.technique, "interpose");
    ploy_offset_pursuit_def offset = ploy_offset_pursuit_def_default();
    ploy_offset_pursuit_trace(&offset, agent, leader, ploy_vec2_zero(), somebody(), trace);
    CHECK_TEXT(w.technique, "offset pursuit");
    ploy_fly_by_def fly_by = ploy_fly_by_def_default();
    ploy_fly_by_trace(&fly_by, agent, leader, somebody(), trace);
    CHECK_TEXT(w.technique, "fly by");
    ploy_follow_def follow = ploy_follow_def_default();
    ploy_follow_trace(&follow, agent, leader, somebody(), trace);
    CHECK_TEXT(w.technique, "follow");
    CHECK_INT(w.depth, 0);
    CHECK_INT(w.begun, 4);
}
