// Interception: the table of meetings, and the ways in which it fails.
#include "ploy/geom/angle.h"
#include "ploy/move/intercept.h"
#include "tests/move/vectors.h"

// INT's axes are y forward and x to starboard: only words change, the numbers are kept.
static ploy_kinematic craft(float x, float y, float vx, float vy) {
    ploy_kinematic agent = mover(x, y, vx, vy);
    agent.orientation = ploy_angle_of(agent.velocity);
    return agent;
}

TEST(the_time_to_close_is_range_over_relative_speed) {
    // INT-01, INT-03.
    static const struct {
        const char *row;
        float predator[4], prey[4];
        ploy_intercept_status status;
        double time, x, y;
    } rows[] = {
        {"head on", {0, 0, 10, 0}, {100, 0, -10, 0}, PLOY_INTERCEPT_OK, 5, 50, 0},
        {"exactly there at 10", {0, 0, 0, 4}, {30, 40, -3, 0}, PLOY_INTERCEPT_OK, 10, 0, 40},
        {"ahead of its prey", {0, 10, 0, 5}, {0, 0, 0, 4}, PLOY_INTERCEPT_BEHIND, 10, 0, 40},
        {"prey at rest", {0, 0, 10, 0}, {0, 50, 0, 0}, PLOY_INTERCEPT_OK, 5, 0, 50},
        {"the same velocity", {0, 0, 3, 4}, {9, 12, 3, 4}, PLOY_INTERCEPT_NONE, 0, 9, 12},
        {"a long way", {0, 0, 1, 0}, {1000, 0, 0, 0}, PLOY_INTERCEPT_TOO_LATE, 1000, 1000, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        const float *p = rows[i].predator, *q = rows[i].prey;
        ploy_intercept_def def = ploy_intercept_def_default();
        ploy_kinematic agent = craft(p[0], p[1], p[2], p[3]), prey = craft(q[0], q[1], q[2], q[3]);
        ploy_interception found = ploy_intercept_find(&def, agent, prey);
        CHECK_INT(found.status, rows[i].status);
        CHECK_NEAR(found.time, rows[i].time, 1e-4);
        CHECK_VEC2(found.meeting, rows[i].x, rows[i].y, 1e-3);
        ploy_vec2 want = found.status == PLOY_INTERCEPT_OK ? found.meeting : prey.position;
        CHECK(ploy_vec2_equal(found.point, want));
    }
}

TEST(the_exact_form_says_when_a_prey_cannot_be_met) {
    ploy_intercept_def def = ploy_intercept_def_default();
    def.method = PLOY_INTERCEPT_EXACT;
    def.seek.max_speed = 5.0f;
    def.check_behind = false;
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
    // INT-03 (a): slower, and behind.
    ploy_interception found = ploy_intercept_find(&def, agent, mover(10.0f, 0.0f, 6.0f, 0.0f));
    CHECK_INT(found.status, PLOY_INTERCEPT_NONE);
    // Faster prey that comes by can be met all the same: 5 t = |(10 - 6 t, 3)|.
    found = ploy_intercept_find(&def, agent, mover(10.0f, 3.0f, -6.0f, 0.0f));
    CHECK_INT(found.status, PLOY_INTERCEPT_OK);
    CHECK_NEAR(ploy_vec2_length(found.meeting), 5.0f * found.time, 1e-4);
    CHECK(found.time < 1.0f / 0.7f);
    // The same speed, side by side and head on.
    CHECK_INT(ploy_intercept_find(&def, agent, mover(10.0f, 0.0f, 5.0f, 0.0f)).status,
              PLOY_INTERCEPT_NONE);
    found = ploy_intercept_find(&def, agent, mover(10.0f, 0.0f, -5.0f, 0.0f));
    CHECK_NEAR(found.time, 1.0, 1e-6);
}

TEST(a_chaser_that_intercepts_meets_its_prey) {
    ploy_intercept_def def = ploy_intercept_def_default();
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.1f, 0.0f), prey = mover(40.0f, 0.0f, 0.0f, 3.0f);
    float nearest = 1e9f;
    for (int32_t tick = 0; tick < 2000 && nearest > 0.5f; tick++) {
        ploy_vec2 a = ploy_intercept(&def, agent, prey).linear;
        agent.velocity = ploy_vec2_limit(ploy_vec2_add_scaled(agent.velocity, a, 0.02f), 5.0f);
        agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.02f);
        agent.orientation = ploy_angle_of(agent.velocity);
        prey.position = ploy_vec2_add_scaled(prey.position, prey.velocity, 0.02f);
        nearest = fminf(nearest, ploy_vec2_distance(agent.position, prey.position));
    }
    CHECK(nearest <= 0.5f);
}

TEST(the_rudder_goes_to_the_side_of_the_point) {
    // INT-02.
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
    agent.orientation = PLOY_HALF_PI_F; // the bow points along +y
    CHECK_INT(ploy_intercept_turn(agent, ploy_vec2_make(-1.0f, 5.0f), 0.01f), PLOY_TURN_LEFT);
    CHECK_INT(ploy_intercept_turn(agent, ploy_vec2_make(1.0f, 5.0f), 0.01f), PLOY_TURN_RIGHT);
    CHECK_INT(ploy_intercept_turn(agent, ploy_vec2_make(0.01f, 5.0f), 0.01f), PLOY_TURN_NONE);
    CHECK_INT(ploy_intercept_turn(agent, ploy_vec2_make(0.0f, -5.0f), 0.01f), PLOY_TURN_LEFT);
    CHECK_INT(ploy_intercept_turn(agent, agent.position, 0.01f), PLOY_TURN_NONE);
}

TEST(bad_settings_ask_for_nothing_and_statuses_have_names) {
    ploy_intercept_def def = ploy_intercept_def_default();
    def.max_time = NAN;
    ploy_kinematic agent = mover(0.0f, 0.0f, 1.0f, 0.0f);
    CHECK_UINT(ploy_intercept(&def, agent, agent).requested, PLOY_STEERING_INVALID);
    CHECK_INT(ploy_intercept_find(&def, agent, agent).status, PLOY_INTERCEPT_NONE);
    CHECK_TEXT(ploy_intercept_status_text(PLOY_INTERCEPT_TOO_LATE), "too late");
    CHECK_TEXT(ploy_intercept_status_text((ploy_intercept_status)77), "?");
    def = ploy_intercept_def_default();
    def.method = (ploy_intercept_method)5;
    CHECK_UINT(ploy_intercept(&def, agent, agent).requested, PLOY_STEERING_INVALID);
    winner_trace w;
    ploy_trace *trace = winner_start(&w);
    def = ploy_intercept_def_default();
    def.seek.max_acceleration = 1e9f;
    ploy_intercept_trace(&def, agent, mover(9.0f, 0.0f, -1.0f, 0.0f), somebody(), trace);
    CHECK_TEXT(w.winner, "as desired");
    CHECK_INT(w.depth, 0);
}
