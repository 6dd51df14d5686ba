// Driving in the pipeline: COM-15 for the bodies of MOT-04 to MOT-07.
#include "ploy/move/drive.h"

#include "ploy/base/rng.h"
#include "ploy/move/integrate.h"
#include "tests/move/scene.h"
#include "tests/test.h"

static ploy_steering_goal goal_at(float x, float y) {
    return ploy_steering_goal_at(ploy_vec2_make(x, y));
}

TEST(the_way_is_the_one_that_is_driven) {
    for (int64_t seed = 0; seed < test_rounds(100); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_motor_actuator motor = ploy_motor_actuator_of((ploy_motor_body)(seed % 4));
        ploy_actuator actuator = ploy_motor_actuator_make(&motor);
        ploy_kinematic body =
            ploy_kinematic_make(scene_near2(&rng, 20.0f), ploy_rng_range(&rng, -3.0f, 3.0f));
        ploy_steering_goal goal = goal_at(ploy_rng_range(&rng, -20, 20), 3.0f);
        ploy_steering_context context = scene_context(body);
        ploy_steering_path path;
        actuator.path(actuator.user, &context, goal, &path);
        CHECK(path.count >= 2 && path.count <= PLOY_STEERING_PATH_POINTS);
        float dt = motor.horizon / (PLOY_STEERING_PATH_POINTS - 2);
        for (int32_t i = 0; i + 1 < path.count; i++) {
            CHECK_NEAR(path.points[i].x, body.position.x, 0);
            CHECK_NEAR(path.points[i].y, body.position.y, 0);
            ploy_motor_output out =
                ploy_motor_control(&motor.motor, body, ploy_vec2_from_vec3(goal.position));
            body = ploy_motor_drive(&motor.motor, body, out, dt);
        }
        CHECK_NEAR(path.points[path.count - 1].x, goal.position.x, 0);
    }
}

TEST(goals_without_a_place_and_bad_settings_do_no_harm) {
    ploy_motor_actuator motor = ploy_motor_actuator_of(PLOY_MOTOR_CAR);
    ploy_actuator actuator = ploy_motor_actuator_make(&motor);
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    ploy_steering_goal goal = ploy_steering_goal_none();
    ploy_steering_path path;
    actuator.path(actuator.user, &context, goal, &path);
    CHECK_INT(path.count, 1);
    CHECK_INT(actuator.output(actuator.user, &context, &path, goal).requested, 0);
    goal.has = PLOY_GOAL_VELOCITY;
    goal.velocity = ploy_vec3_make(4, 0, 0);
    actuator.path(actuator.user, &context, goal, &path);
    CHECK_NEAR(path.points[path.count - 1].x, 4.0 * 2.5, 1e-5);
    CHECK(actuator.output(actuator.user, &context, &path, goal).linear.x > 0.0f);
    context.agent.velocity.x = 3.0f;
    static const float horizons[] = {NAN, -1.0f, 1e9f};
    for (size_t i = 0; i < COUNT_OF(horizons); i++) {
        motor.horizon = horizons[i];
        actuator.path(actuator.user, &context, goal_at(9, 0), &path);
        CHECK_INT(path.count, 2);
    }
    motor.motor.grip = NAN;
    motor.horizon = 1.0f;
    actuator.path(actuator.user, &context, goal_at(9, 0), &path);
    CHECK_INT(path.count, 2);
    CHECK_UINT(actuator.output(actuator.user, &context, &path, goal_at(9, 0)).requested,
               PLOY_STEERING_INVALID);
}

// Everybody through random posts: nobody stays stuck, whatever the circle of the tightest turn.
TEST(every_body_drives_through_posts_to_its_goal) {
    enum { POSTS = 6 };
    int32_t arrived = 0, tried = 0;
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        for (int body = 0; body <= PLOY_MOTOR_TANK; body++) {
            ploy_rng rng = ploy_rng_make((uint64_t)seed);
            ploy_keep_out posts[POSTS];
            ploy_constraint constraints[POSTS];
            for (int32_t i = 0; i < POSTS; i++) {
                // A row of them across the way.
                ploy_vec2 at = {-15.0f + 6.0f * (float)i, ploy_rng_range(&rng, -3.0f, 3.0f)};
                posts[i] = ploy_keep_out_make(at, 1.2f, 1.5f);
                constraints[i] = ploy_keep_out_constraint(&posts[i]);
            }
            ploy_motor_actuator motor = ploy_motor_actuator_of((ploy_motor_body)body);
            ploy_pipeline_hold hold = ploy_pipeline_hold_default();
            ploy_kinematic agent = ploy_kinematic_make(
                ploy_vec2_make(ploy_rng_range(&rng, -12, 12), -8.0f), ploy_rng_range(&rng, -3, 3));
            ploy_steering_goal goal = goal_at(ploy_rng_range(&rng, -12, 12), 8.0f);
            ploy_targeter targeter = ploy_goal_targeter(&goal);
            ploy_pipeline pipeline = ploy_pipeline_make(ploy_motor_actuator_make(&motor));
            pipeline.tries = 8;
            pipeline.hold = &hold;
            CHECK_OK(ploy_pipeline_add_targeter(&pipeline, targeter));
            for (int32_t i = 0; i < POSTS; i++) {
                CHECK_OK(ploy_pipeline_add_constraint(&pipeline, constraints[i]));
            }
            float nearest = INFINITY;
            for (int32_t i = 0; i < 60 * 40 && nearest > 1.0f; i++) {
                ploy_steering_context context = scene_context(agent);
                ploy_pipeline_report report;
                ploy_pipeline_steer(&pipeline, &context, &report);
                ploy_motor_output out = ploy_motor_control(
                    &motor.motor, agent, ploy_vec2_from_vec3(report.goal.position));
                agent = ploy_motor_drive(&motor.motor, agent, out, 1.0f / 60.0f);
                nearest = fminf(nearest, ploy_vec2_distance(agent.position,
                                                            ploy_vec2_from_vec3(goal.position)));
            }
            tried++;
            arrived += nearest <= 1.0f;
        }
    }
    CHECK_INT(arrived, tried);
}

TEST(the_output_pulls_as_the_controls_say) {
    // A request that is integrated by a plain law goes where the controls go.
    static const struct {
        const char *row;
        ploy_motor_body body;
        float speed, x, y;
        int ahead, left; // signs of the pull and of the turn
    } rows[] = {
        {"car, ahead", PLOY_MOTOR_CAR, 0, 20, 0, 1, 0},
        {"car, rolling, ahead and left", PLOY_MOTOR_CAR, 3, 20, 5, 1, 1},
        {"car, behind", PLOY_MOTOR_CAR, 0, -5, 0, -1, 0},
        {"car, too fast", PLOY_MOTOR_CAR, 15, 6, 0, -1, 0},
        {"car, there and rolling", PLOY_MOTOR_CAR, 2, 0.1f, 0, -1, 0},
        {"tank, behind", PLOY_MOTOR_TANK, 0, -50, -1, 0, -1},
        {"human, a step back", PLOY_MOTOR_HUMAN, 0, -1, 0, -1, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_motor_actuator motor = ploy_motor_actuator_of(rows[i].body);
        ploy_actuator actuator = ploy_motor_actuator_make(&motor);
        ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
        agent.velocity.x = rows[i].speed;
        ploy_steering_context context = scene_context(agent);
        ploy_steering_goal goal = goal_at(rows[i].x, rows[i].y);
        ploy_steering_path path;
        actuator.path(actuator.user, &context, goal, &path);
        ploy_steering out = actuator.output(actuator.user, &context, &path, goal);
        CHECK_INT((out.linear.x > 1e-4f) - (out.linear.x < -1e-4f), rows[i].ahead);
        CHECK_INT((out.angular > 1e-4f) - (out.angular < -1e-4f), rows[i].left);
    }
}

TEST(the_output_alone_drives_every_body_to_its_goal) {
    // COM-15: the request of the pipeline, carried out by a plain integrator, goes where the controls
    // go, and the body does not slide sideways.
    for (int body = 0; body <= PLOY_MOTOR_TANK; body++) {
        t->row = ploy_motor_body_text((ploy_motor_body)body);
        ploy_motor_actuator motor = ploy_motor_actuator_of((ploy_motor_body)body);
        ploy_integrate_def law = ploy_integrate_def_default();
        law.facing = PLOY_FACING_FREE;
        law.max_speed = motor.motor.max_speed;
        int arrived = 0;
        float slip = 0.0f;
        for (int k = 0; k < 16; k++) {
            float angle = (float)k * PLOY_TWO_PI_F / 16.0f;
            ploy_steering_goal goal = ploy_steering_goal_at(
                ploy_vec2_scale(ploy_angle_heading(angle), k % 2 == 0 ? 30.0f : 12.0f));
            ploy_pipeline pipeline = ploy_pipeline_make(ploy_motor_actuator_make(&motor));
            CHECK_OK(ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal)));
            ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
            float nearest = INFINITY;
            for (int i = 0; i < 60 * 40 && nearest > 1.0f; i++) {
                ploy_steering_context context = scene_context(agent);
                ploy_steering steering = ploy_pipeline_steer(&pipeline, &context, NULL);
                agent = ploy_integrate(&law, agent, steering, context.dt);
                ploy_vec2 local =
                    ploy_vec2_resolve(agent.velocity, ploy_angle_heading(agent.orientation));
                if (body != PLOY_MOTOR_HUMAN) slip = fmaxf(slip, fabsf(local.y));
                nearest = fminf(nearest, ploy_vec2_distance(agent.position,
                                                            ploy_vec2_from_vec3(goal.position)));
            }
            arrived += nearest <= 1.0f;
        }
        CHECK_INT(arrived, 16);
        CHECK(slip < 0.5f);
    }
}
