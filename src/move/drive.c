// Driving in the steering pipeline; the technique is described in the header.
#include "ploy/move/drive.h"

#include "move/move_internal.h"
#include "ploy/geom/angle.h"

// Pieces that are driven; one point is where it stands, one is the goal.
enum { DRIVE_PIECES = PLOY_STEERING_WAY_POINTS - 2 };

ploy_motor_actuator ploy_motor_actuator_of(ploy_motor_body body) {
    ploy_motor_actuator out = {ploy_motor_def_of(body), 2.5f, 0.1f};
    return out;
}

// The point of a goal. False: there is none.
static bool drive_target(const ploy_motor_actuator *actuator, ploy_kinematic agent,
                         ploy_steering_goal goal, ploy_vec2 *out) {
    if (goal.has & PLOY_GOAL_POSITION) {
        *out = goal.position;
        return true;
    }
    if (!(goal.has & PLOY_GOAL_VELOCITY)) return false;
    *out = ploy_vec2_add_scaled(agent.position, goal.velocity, actuator->horizon);
    return true;
}

static void drive_way(void *user, const ploy_steering_context *context, ploy_steering_goal goal,
                      ploy_steering_way *out) {
    const ploy_motor_actuator *actuator = user;
    ploy_kinematic body = context->agent;
    ploy_vec2 target;
    out->points[0] = body.position;
    out->count = 1;
    if (!drive_target(actuator, body, goal, &target)) return;
    float dt = actuator->horizon / DRIVE_PIECES;
    bool drives = ployi_within(actuator->horizon, 0.1, DRIVE_PIECES);
    for (int32_t i = 0; i < DRIVE_PIECES && drives; i++) {
        ploy_motor_output controls = ploy_motor_control(&actuator->motor, body, target);
        if (controls.maneuver == PLOY_MOTOR_STAND) break;
        body = ploy_motor_drive(&actuator->motor, body, controls, dt);
        out->points[out->count++] = body.position;
    }
    out->points[out->count++] = target;
}

static ploy_steering drive_output(void *user, const ploy_steering_context *context,
                                  const ploy_steering_way *way, ploy_steering_goal goal) {
    const ploy_motor_actuator *actuator = user;
    const ploy_motor_def *motor = &actuator->motor;
    ploy_kinematic body = context->agent;
    ploy_vec2 target, heading = ploy_angle_heading(body.orientation);
    (void)way;
    if (!drive_target(actuator, body, goal, &target)) return ploy_steering_none();
    ploy_motor_output controls = ploy_motor_control(motor, body, target);
    float over = 1.0f / ploy_maxf(actuator->turn_time, 1e-3f);
    ploy_vec2 linear;
    if (controls.maneuver == PLOY_MOTOR_SIDESTEP) {
        linear = ploy_vec2_scale(ploy_vec2_sub(controls.velocity, body.velocity), over);
        linear = ploy_vec2_limit(linear, motor->acceleration);
    } else {
        // Brakes pull against the motion, but never further than to a stop.
        float speed = ploy_vec2_dot(body.velocity, heading);
        float stop = ploy_minf(controls.brake * motor->braking, fabsf(speed) * over);
        float pull = controls.throttle * motor->acceleration - copysignf(stop, speed);
        linear = ploy_vec2_scale(heading, pull);
    }
    return ploy_steering_make(linear, (controls.rotation - body.rotation) * over);
}

ploy_actuator ploy_motor_actuator_make(ploy_motor_actuator *actuator) {
    ploy_actuator out = {"motor", drive_way, drive_output, actuator};
    return out;
}
