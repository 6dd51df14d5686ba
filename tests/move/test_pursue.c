// Pursue and evade: the vectors of the books.
#include "ploy/move/pursue.h"

#include "ploy/base/math.h"
#include "tests/move/vectors.h"

TEST(pursue_and_evade_of_the_first_book) {
    // MOV-15, MOV-16, exercises 3.7 and 3.8; ploy (x, y) is the book's (z, x).
    ploy_kinematic agent = mover(6.0f, 5.0f, 3.0f, 3.0f), target = mover(2.0f, 8.0f, 4.0f, 3.0f);
    ploy_pursue_def pursue = ploy_pursue_def_default();
    pursue.seek.mode = PLOY_PULL_FULL;
    pursue.seek.max_acceleration = 4.0f;
    pursue.predict.max_time = 0.5f;
    CHECK_VEC2(ploy_pursue_point(&pursue, agent, target), 4.0, 9.5, 1e-6);
    CHECK_VEC2(ploy_pursue(&pursue, agent, target).linear, -1.6245539, 3.6552462, 1e-5);
    ploy_evade_def evade = ploy_evade_def_default();
    evade.flee.mode = PLOY_PULL_FULL;
    evade.flee.max_acceleration = 4.0f;
    evade.predict.max_time = 0.5f;
    CHECK_VEC2(ploy_evade(&evade, agent, target).linear, 1.6245539, -3.6552462, 1e-5);
}

TEST(pursue_and_evade_of_the_second_book) {
    // STE-08, STE-09.
    ploy_pursue_def def = ploy_pursue_def_default();
    def.seek = plain_seek(10.0f);
    def.predict.method = PLOY_PREDICTION_BOTH_SPEEDS;
    def.predict.max_time = 100.0f;
    def.head_on = true;
    ploy_kinematic agent = mover(0.0f, 0.0f, 5.0f, 0.0f), evader = mover(30.0f, 40.0f, 10.0f, 0.0f);
    CHECK_NEAR(ploy_predict_time(&def.predict, 10.0f, agent, evader), 2.5, 1e-6);
    CHECK_VEC2(ploy_pursue_point(&def, agent, evader), 55.0, 40.0, 1e-4);
    CHECK_VEC2(ploy_pursue(&def, agent, evader).linear, 3.08736, 5.88172, 1e-4);
    // Head on: it is sought where it is.
    evader = mover(50.0f, 0.0f, -10.0f, 0.0f);
    evader.orientation = -3.14159265f;
    CHECK_VEC2(ploy_pursue(&def, agent, evader).linear, 5.0, 0.0, 1e-5);
    ploy_evade_def evade = ploy_evade_def_default();
    evade.flee.max_speed = 10.0f;
    evade.flee.time_to_target = 1.0f;
    evade.flee.max_acceleration = 1e6f;
    evade.predict = def.predict;
    agent.velocity = ploy_vec2_zero();
    evader = mover(30.0f, 40.0f, 10.0f, 0.0f);
    CHECK_VEC2(ploy_evade(&evade, agent, evader).linear, -8.08736, -5.88172, 1e-4);
    evade.threat_range = 50.0f;
    CHECK_UINT(ploy_evade(&evade, agent, evader).requested, 1);
    evade.threat_range = 49.9f;
    CHECK_UINT(ploy_evade(&evade, agent, evader).requested, 0);
}

TEST(pursue_catches_a_slower_target_sooner_than_seek) {
    float times[2] = {0.0f, 0.0f};
    for (int32_t form = 0; form < 2; form++) {
        ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
        ploy_kinematic target = mover(20.0f, 0.0f, 0.0f, 4.0f);
        ploy_pursue_def def = ploy_pursue_def_default();
        def.predict.max_time = form == 0 ? 0.0f : 20.0f; // no look ahead is seek
        int32_t tick = 0;
        for (; tick < 6000 && ploy_vec2_distance(agent.position, target.position) > 0.3f; tick++) {
            ploy_vec2 a = ploy_pursue(&def, agent, target).linear;
            agent.velocity = ploy_vec2_add_scaled(agent.velocity, a, 0.01f);
            agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.01f);
            target.position = ploy_vec2_add_scaled(target.position, target.velocity, 0.01f);
        }
        times[form] = (float)tick * 0.01f;
    }
    CHECK(times[1] < 0.9f * times[0]);
}

TEST(relative_pursuit_catches_and_stays_in_any_current) {
    // No top speed: in its own eyes it stands, and the wish brakes as it comes near.
    ploy_pursue_def def = ploy_pursue_def_default();
    def.predict.method = PLOY_PREDICTION_RELATIVE;
    def.predict.max_time = 2.0f;
    for (int current = 0; current <= 20; current += 10) {
        ploy_kinematic agent = mover(0, 0, (float)current, 0);
        ploy_kinematic target = mover(15, 10, 1.0f + (float)current, -2);
        float nearest = 1e9f;
        for (int tick = 0; tick < 1500; tick++) {
            ploy_steering wish = ploy_pursue(&def, agent, target);
            agent.velocity = ploy_vec2_add_scaled(agent.velocity, wish.linear, 0.01f);
            agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.01f);
            target.position = ploy_vec2_add_scaled(target.position, target.velocity, 0.01f);
            nearest = ploy_minf(nearest, ploy_vec2_distance(agent.position, target.position));
        }
        CHECK(nearest < 0.5f);
    }
}

TEST(bad_settings_ask_for_nothing) {
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f), other = mover(9.0f, 0.0f, 1.0f, 0.0f);
    ploy_kinematics view = ploy_kinematics_of(&agent, 1), others = ploy_kinematics_of(&other, 1);
    ploy_steering out;
    ploy_steerings steerings = ploy_steerings_of(&out, 1);
    ploy_pursue_def pursue = ploy_pursue_def_default();
    pursue.predict.scale = NAN;
    CHECK_UINT(ploy_pursue(&pursue, agent, other).requested, 0);
    CHECK_INT(ploy_pursue_batch(&pursue, &view, 0, 1, &others, &steerings), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_pursue_batch(NULL, &view, 0, 1, &others, &steerings), PLOY_ERR_ARGUMENT);
    pursue = ploy_pursue_def_default();
    CHECK_INT(ploy_pursue_batch(&pursue, &view, 0, 1, NULL, &steerings), PLOY_ERR_ARGUMENT);
    ploy_evade_def evade = ploy_evade_def_default();
    evade.threat_range = -1.0f;
    CHECK_UINT(ploy_evade(&evade, agent, other).requested, 0);
    CHECK_INT(ploy_evade_batch(&evade, &view, 0, 1, &others, &steerings), PLOY_ERR_ARGUMENT);
}

TEST(the_trace_tells_what_evade_does) {
    winner_trace w;
    ploy_trace *trace = winner_start(&w);
    ploy_evade_def def = ploy_evade_def_default();
    def.threat_range = 5.0f;
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
    ploy_evade_trace(&def, agent, mover(9.0f, 0.0f, 0.0f, 0.0f), somebody(), trace);
    CHECK_TEXT(w.winner, "ask for nothing");
    ploy_evade_trace(&def, agent, mover(3.0f, 0.0f, 0.0f, 0.0f), somebody(), trace);
    CHECK_TEXT(w.winner, "cut to the largest acceleration");
    ploy_pursue_def pursue = ploy_pursue_def_default();
    ploy_pursue_trace(&pursue, agent, mover(3.0f, 0.0f, 0.0f, 0.0f), somebody(), trace);
    CHECK_TEXT(w.technique, "pursue");
    ploy_pursue3_trace(&pursue, ploy_kinematic3_make(ploy_vec3_zero()),
                       ploy_kinematic3_make(ploy_vec3_zero()), somebody(), trace);
    CHECK_INT(w.depth, 0);
    ploy_pursue_trace(&pursue, agent, agent, somebody(), NULL);
}
