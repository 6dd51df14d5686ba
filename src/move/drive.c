// Driving in the steering pipeline; the technique is described in the header.
#include "ploy/move/drive.h"

#include "move/move_internal.h"
#include "ploy/geom/angle.h"

// Pieces that are driven; one point is where the vehicle is, one is the goal.
enum { DRIVE_PIECES = PLOY_STEERING_PATH_POINTS - 2 };

ploy_motor_actuator ploy_motor_actuator_of(ploy_motor_body body) {
    ploy_motor_actuator out = {ploy_motor_def_of(body), 2.5f, 0.1f};
    return out;
}

// The point of a goal. False: there is none.
static bool drive_target(const ploy_motor_actuator *actuator, ploy_kinematic agent,
                         ploy_steering_goal goal, ploy_vec2 *out) {
    if (goal.has & PLOY_GOAL_POSITION) {
        *out = ploy_vec2_from_vec3(goal.position);
        return true;
    }
    if (!(goal.has & PLOY_GOAL_VELOCITY)) return false;
    *out =
        ploy_vec2_add_scaled(agent.position, ploy_vec2_from_vec3(goal.velocity), actuator->horizon);
    return true;
}

static void drive_append(ploy_steering_path *path, ploy_vec2 point) {
    path->points[path->count++] = ploy_vec3_from_vec2(point, 0.0f);
}

static void drive_path(void *user, const ploy_steering_context *context, ploy_steering_goal goal,
                       ploy_steering_path *out) {
    const ploy_motor_actuator *actuator = user;
    ploy_kinematic body = context->agent;
    ploy_vec2 target;
    out->count = 0;
    drive_append(out, body.position);
    if (!drive_target(actuator, body, goal, &target)) return;
    float dt = actuator->horizon / DRIVE_PIECES;
    bool drives = ployi_within(actuator->horizon, 0.1, DRIVE_PIECES);
    for (int32_t i = 0; i < DRIVE_PIECES && drives; i++) {
        ploy_motor_output controls = ploy_motor_control(&actuator->motor, body, target);
        if (controls.maneuver == PLOY_MOTOR_STAND) break;
        body = ploy_motor_drive(&actuator->motor, body, controls, dt);
        drive_append(out, body.position);
    }
    drive_append(out, target);
}

// What the controls do in one step, as an acceleration: along the heading what throttle and brakes
// give, across it what keeps the velocity on the heading while that turns. Tyres that slide, because
// something pushed the body, get hold again with twice the grip of a curve at most.
static ploy_steering drive_output(void *user, const ploy_steering_context *context,
                                  const ploy_steering_path *path, ploy_steering_goal goal) {
    const ploy_motor_actuator *actuator = user;
    const ploy_motor_def *motor = &actuator->motor;
    ploy_kinematic body = context->agent;
    ploy_vec2 target, heading = ploy_angle_heading(body.orientation);
    (void)path;
    if (!ployi_motor_ok(motor)) return ploy_steering_invalid();
    if (!drive_target(actuator, body, goal, &target)) return ploy_steering_none();
    float dt = context->dt > 0.0f ? context->dt : ploy_maxf(actuator->turn_time, 1e-3f);
    ploy_motor_output controls = ploy_motor_control(motor, body, target);
    ploy_kinematic after = ploy_motor_drive(motor, body, controls, dt);
    ploy_vec2 change = ploy_vec2_scale(ploy_vec2_sub(after.velocity, body.velocity), 1.0f / dt);
    ploy_vec2 local = ploy_vec2_resolve(change, heading); // ahead, left
    if (controls.maneuver != PLOY_MOTOR_SIDESTEP) {
        local.y = ploy_clampf(local.y, -2.0f * motor->grip, 2.0f * motor->grip);
    }
    ploy_vec2 linear = ploy_vec2_scale(heading, local.x);
    linear = ploy_vec2_add_scaled(linear, ploy_vec2_perp(heading), local.y);
    return ploy_steering_make(linear, (after.rotation - body.rotation) / dt);
}

ploy_actuator ploy_motor_actuator_make(ploy_motor_actuator *actuator) {
    ploy_actuator out = {"motor", drive_path, drive_output, NULL, actuator};
    return out;
}
