// Obstacle avoidance: the vectors of the book, printed and corrected.
#include "ploy/geom/angle.h"
#include "ploy/move/obstacle.h"
#include "tests/move/vectors.h"

static ploy_obstacle_def book_def(bool classic) {
    ploy_obstacle_def def = ploy_obstacle_def_default();
    def.radius = 5.0f;
    def.look_ahead = 40.0f;
    def.max_speed = 150.0f;
    def.strength = 1.0f;
    def.braking = 0.2f;
    def.max_acceleration = 1e6f;
    def.classic = classic;
    return def;
}

TEST(the_push_printed_and_the_push_corrected) {
    // STE-11.
    static const struct {
        const char *row;
        float y;
        bool classic;
        double want_x, want_y;
    } rows[] = {
        {"printed, on the left", 4.0f, true, -8.0, 7.0},
        {"printed, on the right", -4.0f, true, -8.0, 16.3333},
        {"corrected, on the left", 4.0f, false, -8.0, -12.8333},
        {"corrected, on the right", -4.0f, false, -8.0, 12.8333},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_obstacle_def def = book_def(rows[i].classic);
        ploy_kinematic agent = mover(0.0f, 0.0f, 75.0f, 0.0f);
        ploy_circle obstacle = ploy_circle_make(ploy_vec2_make(50.0f, rows[i].y), 10.0f);
        ploy_obstacle_threat threat = ploy_obstacle_find(&def, agent, &obstacle, 1);
        CHECK_INT(threat.index, 0);
        CHECK_NEAR(threat.length, 60.0, 1e-4);
        CHECK_NEAR(threat.distance, 35.5432, 1e-3);
        CHECK_VEC2(ploy_avoid_obstacles(&def, agent, &obstacle, 1).linear, rows[i].want_x,
                   rows[i].want_y, 1e-3);
    }
    ploy_obstacle_def def = book_def(false);
    ploy_circle inside = ploy_circle_make(ploy_vec2_make(5.0f, 3.0f), 10.0f);
    CHECK_NEAR(ploy_obstacle_find(&def, mover(0, 0, 75, 0), &inside, 1).distance, 19.6969, 1e-3);
    // Inside the obstacle the corrected brake does not push forward.
    CHECK(ploy_avoid_obstacles(&def, mover(0, 0, 75, 0), &inside, 1).linear.x <= 0.0f);
}

TEST(only_what_stands_in_the_box_counts_and_of_that_the_nearest) {
    ploy_obstacle_def def = book_def(false);
    ploy_kinematic agent = mover(0.0f, 0.0f, 75.0f, 0.0f);
    ploy_circle obstacles[] = {
        ploy_circle_make(ploy_vec2_make(-20.0f, 0.0f), 10.0f), // behind
        ploy_circle_make(ploy_vec2_make(50.0f, 15.0f), 10.0f), // touches the box from outside
        ploy_circle_make(ploy_vec2_make(80.0f, 0.0f), 10.0f),  // too far
        ploy_circle_make(ploy_vec2_make(55.0f, 0.0f), 3.0f),
        ploy_circle_make(ploy_vec2_make(40.0f, 7.0f), 3.0f),
    };
    CHECK_INT(ploy_obstacle_find(&def, agent, obstacles, 3).index, -1);
    CHECK_UINT(ploy_avoid_obstacles(&def, agent, obstacles, 3).requested, 0);
    CHECK_INT(ploy_obstacle_find(&def, agent, obstacles, 5).index, 4);
    CHECK_INT(ploy_obstacle_find(&def, agent, obstacles, 4).index, 3);
    CHECK_INT(ploy_obstacle_find(&def, agent, NULL, 5).index, -1);
    // Straight ahead: to the right.
    CHECK(ploy_avoid_obstacles(&def, agent, obstacles + 3, 1).linear.y < 0.0f);
}

TEST(an_agent_gets_round_what_stands_on_its_way) {
    static const float sides[] = {0.0f, 0.3f, -0.7f};
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        ploy_obstacle_def def = ploy_obstacle_def_default();
        ploy_seek_def seek = ploy_seek_def_default();
        ploy_circle obstacle = ploy_circle_make(ploy_vec2_make(10.0f, sides[i]), 2.0f);
        ploy_kinematic agent = mover(0.0f, 0.0f, 5.0f, 0.0f);
        float nearest = 1e9f;
        for (int32_t tick = 0; tick < 500; tick++) {
            ploy_steering steering = ploy_avoid_obstacles(&def, agent, &obstacle, 1);
            if (steering.requested == 0)
                steering = ploy_seek(&seek, agent, ploy_vec2_make(30.0f, 0.0f));
            agent.velocity =
                ploy_vec2_limit(ploy_vec2_add_scaled(agent.velocity, steering.linear, 0.02f), 5.0f);
            agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.02f);
            nearest = fminf(nearest, ploy_vec2_distance(agent.position, obstacle.centre));
        }
        CHECK(nearest > 2.0f);
        CHECK(agent.position.x > 20.0f);
    }
}

TEST(bad_settings_ask_for_nothing_and_the_trace_says_why) {
    ploy_obstacle_def def = book_def(false);
    ploy_circle obstacle = ploy_circle_make(ploy_vec2_make(50.0f, 0.0f), 10.0f);
    ploy_kinematic agent = mover(0.0f, 0.0f, 75.0f, 0.0f);
    winner_trace w;
    ploy_avoid_obstacles_trace(&def, agent, &obstacle, 1, somebody(), winner_start(&w));
    CHECK_TEXT(w.winner, "push away");
    CHECK_INT(w.depth, 0);
    obstacle.radius = NAN;
    CHECK_UINT(ploy_avoid_obstacles(&def, agent, &obstacle, 1).requested, 0);
    def.look_ahead = 0.0f;
    CHECK_UINT(ploy_avoid_obstacles(&def, agent, &obstacle, 1).requested, PLOY_STEERING_INVALID);
    ploy_steering got;
    ploy_kinematics view = ploy_kinematics_of(&agent, 1);
    ploy_steerings out = ploy_steerings_of(&got, 1);
    CHECK_INT(ploy_avoid_obstacles_batch(&def, &view, 0, 1, &obstacle, 1, &out), PLOY_ERR_ARGUMENT);
    def = book_def(false);
    CHECK_INT(ploy_avoid_obstacles_batch(&def, &view, 0, 1, NULL, 1, &out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_avoid_obstacles_batch(&def, &view, 0, 1, NULL, -1, &out), PLOY_ERR_ARGUMENT);
}
