// Motor control: MOT-01 to MOT-07. The book's (x, z) is ploy's (y, x).
#include "ploy/move/motor.h"

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"

TEST(the_filter_keeps_what_a_car_can_do) {
    // MOT-02: facing ahead, standing; (3, 4) with angular 1 gives (0, 4) and 0, rescaled (0, 5).
    ploy_motor_def def = ploy_motor_def_of(PLOY_MOTOR_CAR);
    ploy_kinematic car = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_steering request = ploy_steering_make(ploy_vec2_make(4, 3), 1.0f);
    ploy_steering out = ploy_motor_filter(&def, car, request, false, false);
    CHECK_NEAR(out.linear.x, 4.0, 1e-6);
    CHECK_NEAR(out.linear.y, 0.0, 1e-6);
    CHECK_SAME(out.angular, 0.0f);
    CHECK_NEAR(ploy_motor_filter(&def, car, request, true, false).linear.x, 5.0, 1e-6);
    request = ploy_steering_make(ploy_vec2_make(0, 5), 0.0f);
    CHECK_NEAR(ploy_vec2_length(ploy_motor_filter(&def, car, request, true, false).linear), 0.0, 0);
    CHECK_NEAR(ploy_motor_filter(&def, car, request, true, true).linear.x, def.acceleration, 1e-5);
    // Rolling, it turns; a human does as asked.
    car.velocity.x = 4.0f;
    request.angular = 1.0f;
    CHECK(ploy_motor_filter(&def, car, request, false, false).angular > 0.3f);
    def.body = PLOY_MOTOR_HUMAN;
    CHECK_SAME(ploy_motor_filter(&def, car, request, false, false).linear.y, 5.0f);
}

TEST(the_filter_falls_back_where_what_is_kept_leads_nowhere) {
    static const struct {
        const char *row;
        ploy_motor_body body;
        float speed, ahead, left; // of the request
        double want;              // of its length that is kept, ahead
    } rows[] = {
        {"car, ahead", PLOY_MOTOR_CAR, 0, 4, 0, 4},
        {"car, mostly ahead", PLOY_MOTOR_CAR, 0, 4, 3, 4},
        {"car, mostly aside", PLOY_MOTOR_CAR, 0, 1, 4, 5},
        {"car, aside and behind: backs up", PLOY_MOTOR_CAR, 0, -1, 4, -5},
        {"car, back", PLOY_MOTOR_CAR, 0, -4, 0, -4},
        {"car, back, as fast as it goes", PLOY_MOTOR_CAR, -4, -4, 0, 5},
        {"car, fast, aside", PLOY_MOTOR_CAR, 10, 1, 4, 1},
        {"motorbike, back", PLOY_MOTOR_MOTORBIKE, 0, -4, 0, 8},
        {"motorbike, rolling, back", PLOY_MOTOR_MOTORBIKE, 0.5f, -4, 0, 8},
        {"motorbike, fast: brakes", PLOY_MOTOR_MOTORBIKE, 5, -4, 0, -4},
        {"tank, aside", PLOY_MOTOR_TANK, 0, 1, 4, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_motor_def def = ploy_motor_def_of(rows[i].body);
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
        agent.velocity.x = rows[i].speed;
        ploy_steering request =
            ploy_steering_make(ploy_vec2_make(rows[i].ahead, rows[i].left), 0.0f);
        ploy_steering out = ploy_motor_filter(&def, agent, request, false, true);
        CHECK_NEAR(out.linear.x, rows[i].want, 1e-5);
        CHECK_NEAR(out.linear.y, 0.0, 1e-5);
    }
}

TEST(maneuvers_follow_the_arcs) {
    // MOT-04 to MOT-07.
    static const struct {
        const char *row;
        ploy_motor_body body;
        float speed, x, y;
        ploy_motor_maneuver want;
    } rows[] = {
        {"human, near and slow", PLOY_MOTOR_HUMAN, 0, -0.5f, 0.5f, PLOY_MOTOR_SIDESTEP},
        {"human, far behind", PLOY_MOTOR_HUMAN, 0, -9, 1, PLOY_MOTOR_PIVOT},
        {"human, ahead", PLOY_MOTOR_HUMAN, 4, 9, 3, PLOY_MOTOR_FORWARD},
        {"human, running the wrong way", PLOY_MOTOR_HUMAN, 4, -9, 1, PLOY_MOTOR_BRAKE},
        {"car, ahead", PLOY_MOTOR_CAR, 10, 30, 3, PLOY_MOTOR_FORWARD},
        {"car, standing, beside", PLOY_MOTOR_CAR, 0, 1, 20, PLOY_MOTOR_FORWARD},
        {"car, near behind", PLOY_MOTOR_CAR, 0, -5, 0.5f, PLOY_MOTOR_REVERSE},
        {"car, far behind", PLOY_MOTOR_CAR, 0, -50, 0.5f, PLOY_MOTOR_FORWARD},
        {"car, standing, within its circle", PLOY_MOTOR_CAR, 0, 3, 3, PLOY_MOTOR_REVERSE},
        {"car, backing, hardly outside", PLOY_MOTOR_CAR, -1, 4.5f, 4.5f, PLOY_MOTOR_REVERSE},
        {"car, rolling, hardly outside", PLOY_MOTOR_CAR, 4, 6, 4, PLOY_MOTOR_FORWARD},
        {"motorbike, within its circle", PLOY_MOTOR_MOTORBIKE, 0, 2, 2, PLOY_MOTOR_FORWARD},
        {"car, fast, beside", PLOY_MOTOR_CAR, 14, 1, 20, PLOY_MOTOR_BRAKE},
        {"motorbike, near behind", PLOY_MOTOR_MOTORBIKE, 0, -5, 0.5f, PLOY_MOTOR_FORWARD},
        {"tank, far behind", PLOY_MOTOR_TANK, 0, -50, 1, PLOY_MOTOR_PIVOT},
        {"tank, moving, behind", PLOY_MOTOR_TANK, 6, -50, 1, PLOY_MOTOR_BRAKE},
        {"there", PLOY_MOTOR_CAR, 0, 0.1f, 0, PLOY_MOTOR_STAND},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_motor_def def = ploy_motor_def_of(rows[i].body);
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
        agent.velocity.x = rows[i].speed;
        ploy_motor_output out =
            ploy_motor_control(&def, agent, ploy_vec2_make(rows[i].x, rows[i].y));
        CHECK_TEXT(ploy_motor_maneuver_text(out.maneuver), ploy_motor_maneuver_text(rows[i].want));
        // Mirrored, the same the other way.
        ploy_motor_output mirror =
            ploy_motor_control(&def, agent, ploy_vec2_make(rows[i].x, -rows[i].y));
        CHECK_INT(mirror.maneuver, out.maneuver);
        CHECK_NEAR(mirror.rotation, -out.rotation, 1e-5);
    }
}

TEST(every_body_gets_there_from_everywhere) {
    for (int64_t seed = 0; seed < test_rounds(100); seed++) {
        TEST_SEED(seed);
        for (int body = 0; body <= PLOY_MOTOR_TANK; body++) {
            ploy_rng rng = ploy_rng_make((uint64_t)seed);
            ploy_motor_def def = ploy_motor_def_of((ploy_motor_body)body);
            t->row = ploy_motor_body_text(def.body);
            ploy_kinematic agent =
                ploy_kinematic_make(scene_near2(&rng, 40.0f), ploy_rng_range(&rng, -3.0f, 3.0f));
            ploy_vec2 target = scene_near2(&rng, 40.0f);
            float nearest = INFINITY;
            for (int i = 0; i < 60 * 60 && nearest > def.near_distance; i++) {
                ploy_motor_output out = ploy_motor_control(&def, agent, target);
                agent = ploy_motor_drive(&def, agent, out, 1.0f / 60.0f);
                nearest = fminf(nearest, ploy_vec2_distance(agent.position, target));
                float speed = ploy_vec2_length(agent.velocity);
                CHECK(speed <= def.max_speed * 1.001f);
                // No body turns faster than its grip allows.
                CHECK(fabsf(agent.rotation) * speed <= def.grip * 1.01f + 1e-3f ||
                      def.body == PLOY_MOTOR_HUMAN);
            }
            CHECK(nearest <= def.near_distance);
        }
    }
}

TEST(a_car_that_stands_cannot_turn_and_a_tank_can) {
    ploy_motor_def car = ploy_motor_def_of(PLOY_MOTOR_CAR),
                   tank = ploy_motor_def_of(PLOY_MOTOR_TANK);
    CHECK_SAME(ploy_motor_turn_limit(&car, 0.0f), 0.0f);
    CHECK_SAME(ploy_motor_turn_limit(&tank, 0.0f), tank.max_turn);
    CHECK_NEAR(ploy_motor_turn_limit(&car, 2.0f), 0.5, 1e-6);         // the wheels' lock
    CHECK_NEAR(ploy_motor_turn_limit(&car, 15.0f), 8.0 / 15.0, 1e-6); // the grip
    car.grip = NAN;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    CHECK_INT(ploy_motor_control(&car, agent, ploy_vec2_make(9, 0)).maneuver, PLOY_MOTOR_STAND);
}

TEST(speeds_snap_to_animations_and_do_not_flicker) {
    // MOT-01: walk 0.8 to 1.2, jog 2 to 4.
    static const ploy_speed_band bands[2] = {{0.8f, 1.2f}, {2.0f, 4.0f}};
    static const struct {
        float speed;
        int32_t current;
        double want;
        int32_t band;
    } rows[] = {{0.1f, -1, 0, -1}, {0.7f, -1, 0.8, 0}, {1.0f, 0, 1.0, 0},
                {1.5f, 0, 1.2, 0}, {1.65f, 0, 1.2, 0}, {1.65f, 1, 2.0, 1},
                {1.9f, 0, 2.0, 1}, {9.0f, 1, 4.0, 1},  {1.55f, 1, 2.0, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int32_t band = -2;
        CHECK_NEAR(ploy_speed_snap(bands, 2, rows[i].speed, rows[i].current, 0.15f, &band),
                   rows[i].want, 1e-6);
        CHECK_INT(band, rows[i].band);
    }
}

static float far_from_wall(void *user, ploy_kinematic agent) {
    // A wall across the way ahead: being beyond it is out of the question.
    return agent.position.x > *(float *)user
               ? INFINITY
               : ploy_vec2_distance(agent.position, ploy_vec2_make(6, 6));
}

TEST(trying_maneuvers_finds_the_one_that_fits) {
    // MOT-03: fast toward a wall, the target to the left: not straight on, whatever a filter keeps.
    ploy_motor_def def = ploy_motor_def_of(PLOY_MOTOR_CAR);
    ploy_kinematic car = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    car.velocity.x = 6.0f;
    float wall = 5.0f;
    ploy_motor_output out;
    CHECK(ploy_motor_search(&def, car, 1.0f, far_from_wall, &wall, &out));
    CHECK(out.rotation > 0.0f);
    wall = -1.0f; // nothing helps any more
    CHECK(!ploy_motor_search(&def, car, 1.0f, far_from_wall, &wall, &out));
    CHECK(!ploy_motor_search(&def, car, NAN, far_from_wall, &wall, &out));
    // Behind a motorbike: within a second nothing gets nearer, and standing there is no answer.
    def = ploy_motor_def_of(PLOY_MOTOR_MOTORBIKE);
    wall = 100.0f;
    car = ploy_kinematic_make(ploy_vec2_make(20, 6), 0.0f);
    CHECK(!ploy_motor_search(&def, car, 1.0f, far_from_wall, &wall, &out));
    car.orientation = PLOY_PI_F;
    CHECK(ploy_motor_search(&def, car, 1.0f, far_from_wall, &wall, &out));
    CHECK_SAME(out.throttle, 1.0f);
}

TEST(the_trace_names_the_maneuver) {
    ploy_motor_def def = ploy_motor_def_of(PLOY_MOTOR_TANK);
    ploy_kinematic tank = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_motor_output out = ploy_motor_control(&def, tank, ploy_vec2_make(-50, 1));
    scene_told told;
    ploy_trace trace = scene_trace(&told);
    ploy_motor_trace(&def, &out, ploy_agent_id_make(1, 1), &trace);
    CHECK_INT(told.depth, 0);
    CHECK_INT(told.winners, 1);
    CHECK_TEXT(told.winner, "pivot");
    ploy_draw draw = scene_draw(&told);
    ploy_motor_draw(&def, tank, ploy_agent_id_make(1, 1), &draw);
    CHECK_INT(told.items, 2);
}

TEST(requests_become_forces) {
    // MOT-01: force = mass * a, torque = inertia * alpha.
    ploy_steering request = ploy_steering_make(ploy_vec2_make(3.0f, -1.0f), 0.5f);
    ploy_force push = ploy_steering_force(request, 1200.0f, 1800.0f);
    CHECK_VEC2(push.force, 3600.0, -1200.0, 1e-3);
    CHECK_NEAR(push.torque, 900.0, 1e-3);
    ploy_steering3 climb = ploy_steering3_make(ploy_vec3_make(0, 0, 4), ploy_vec3_make(1, 0, 0));
    CHECK_NEAR(ploy_steering3_force(climb, 2.0f, 0.5f).force.z, 8.0, 1e-6);
    CHECK_NEAR(ploy_steering3_force(climb, 2.0f, 0.5f).torque.x, 0.5, 1e-6);
    static const float bad[] = {0.0f, -1.0f, NAN, INFINITY};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        CHECK_VEC2(ploy_steering_force(request, bad[i], 1.0f).force, 0.0, 0.0, 0.0);
        CHECK_SAME(ploy_steering_force(request, 1.0f, bad[i]).torque, 0.0f);
    }
    CHECK_VEC2(ploy_steering_force(ploy_steering_none(), 1.0f, 1.0f).force, 0.0, 0.0, 0.0);
    CHECK_VEC2(ploy_steering_force(ploy_steering_invalid(), 1.0f, 1.0f).force, 0.0, 0.0, 0.0);
}
