/// @file ploy/move/motor.h
/// Motor control: turns a steering request into controls that this body can carry out.
///
/// Two methods:
/// - `ploy_motor_filter` removes from a request what the body cannot do: a car cannot move sideways
///   or turn at rest. Simple, and produces curves without extra code. Optionally it scales the kept
///   part to the length of the request, and drives on and turns hard if nothing is kept.
/// - `ploy_motor_control` uses the body's abilities (capability-sensitive): looks where the target
///   is, picks the maneuver that gets there, and answers with throttle, brake and steering.
///
///                   forward arc: steer and go
///                \                             /
///     between:    \                           /    between:
///     brake and    \          car            /     brake and
///     turn hard    /                         \     turn hard
///                 /   rear arc, near: back up \.
///
/// Arcs shrink with speed, because grip limits the turn. A car's arcs touch at low speeds
/// (otherwise it would brake to a stop, where it cannot turn); a tank's arcs touch only at rest,
/// where it turns on the spot; a motorbike has no rear arc. A human steps aside when slow and near,
/// turns on the spot when slow and far, curves when the target is ahead, and otherwise stops and
/// turns. Run motor control last, on the final request. Technique: Millington, "AI for Games", 3.8.
///
/// Units: metres, seconds, radians. Cost: O(1); no allocation. Threads: pure functions;
/// disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

typedef enum ploy_motor_body {
    PLOY_MOTOR_HUMAN,
    PLOY_MOTOR_CAR,
    PLOY_MOTOR_MOTORBIKE,
    PLOY_MOTOR_TANK
} ploy_motor_body;

/// "human", "car", "motorbike", "tank".
PLOY_API const char *ploy_motor_body_text(ploy_motor_body body);

/// The abilities of a body. Start from ploy_motor_def_default() or ploy_motor_def_of().
typedef struct ploy_motor_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_motor_body body;
    float max_speed;       ///< m/s, forward
    float max_reverse;     ///< m/s, backward; for a human also sideways
    float acceleration;    ///< m/s^2
    float braking;         ///< m/s^2
    float max_turn;        ///< rad/s, when slow
    float turn_radius;     ///< m, tightest; a body on wheels turns at most speed / turn_radius
    float grip;            ///< m/s^2 sideways before skidding: turns at most grip / speed
    float slow_speed;      ///< m/s; up to this speed the body is slow
    float arc_slow;        ///< rad, half of the forward arc when slow
    float arc_fast;        ///< rad, half of the forward arc at max_speed
    float rear_range;      ///< m within which it backs up
    float sidestep_radius; ///< m within which a human steps aside
    float near_distance;   ///< m from the target that is near enough
} ploy_motor_def;
PLOY_API ploy_motor_def ploy_motor_def_default(void);
PLOY_API ploy_fields ploy_motor_fields(void);
/// Returns settings that suit a body.
PLOY_API ploy_motor_def ploy_motor_def_of(ploy_motor_body body);

/// Removes from a request what the body cannot do. A human can do everything.
/// @param rescale   scale the kept part to the length of the request.
/// @param fallback  if nothing is kept of a request: go forward with full acceleration, turning to
///                  the requested side. Also if a wheeled body hardly rolls and most of the request
///                  is sideways (backward, if the request points behind), and if the body would
///                  have to go backward faster than it can, as a motorbike always would.
PLOY_API ploy_steering ploy_motor_filter(const ploy_motor_def *def, ploy_kinematic agent,
                                         ploy_steering request, bool rescale, bool fallback);

typedef enum ploy_motor_maneuver {
    PLOY_MOTOR_STAND,   ///< at the target
    PLOY_MOTOR_FORWARD, ///< go, steering
    PLOY_MOTOR_REVERSE, ///< back up, steering
    PLOY_MOTOR_BRAKE,   ///< slow down, turning hard
    PLOY_MOTOR_PIVOT,   ///< turn on the spot
    PLOY_MOTOR_SIDESTEP ///< step straight there without turning
} ploy_motor_maneuver;

/// "stand", "forward", "reverse", "brake", "pivot", "sidestep".
PLOY_API const char *ploy_motor_maneuver_text(ploy_motor_maneuver maneuver);

/// The controls.
typedef struct ploy_motor_output {
    ploy_motor_maneuver maneuver;
    float throttle;     ///< -1 full reverse to 1 full forward
    float brake;        ///< 0 to 1
    float rotation;     ///< rad/s of turning, within what the body can do now
    ploy_vec2 velocity; ///< m/s, of a sidestep; else zero
    float arc;          ///< rad, half of the forward arc at this speed
} ploy_motor_output;

/// Returns the controls that drive the body to a point. If the point is inside the circle of the
/// tightest turn, a slow body backs up until the point is outside; if it cannot back up, it
/// continues straight. Stays in place if a setting is out of range. The agent's rotation must be
/// its actual one: it distinguishes a turn under way from one that has to wait.
PLOY_API ploy_motor_output ploy_motor_control(const ploy_motor_def *def, ploy_kinematic agent,
                                              ploy_vec2 target);
/// Returns the body after dt seconds of those controls, without slip: a substitute for the game's
/// physics.
PLOY_API ploy_kinematic ploy_motor_drive(const ploy_motor_def *def, ploy_kinematic agent,
                                         ploy_motor_output output, float dt);
/// Both for bodies [first, first + count) of a view, bit for bit; drive moves them in place.
/// @param targets  number i for body i, or one for all (ploy_points_one).
/// @param outputs  number i of body i; control writes only the range, and only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if dt, a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_motor_control_batch(const ploy_motor_def *def,
                                              const ploy_kinematics *agents, int32_t first,
                                              int32_t count, const ploy_points *targets,
                                              ploy_motor_output *outputs);
PLOY_API ploy_result ploy_motor_drive_batch(const ploy_motor_def *def,
                                            const ploy_kinematics *agents, int32_t first,
                                            int32_t count, const ploy_motor_output *outputs,
                                            float dt);

/// Returns how bad a state is; INFINITY: forbidden.
typedef float (*ploy_motor_score_fn)(void *user, ploy_kinematic agent);
/// The alternative to ploy_motor_control: simulates each of a dozen controls (hard left, straight
/// and hard right; faster, rolling, braking and backward) for `horizon` seconds, and takes the one
/// with the lowest final score that was never forbidden. Ties go to the first.
/// @param horizon  s, 0.01 to 100; simulated in 20 steps.
/// @return false, leaving out unchanged, if no control is possible, none ends better than the
///         present state (a body that must move away first needs a longer horizon, or
///         ploy_motor_control), or an argument is out of range.
PLOY_API bool ploy_motor_search(const ploy_motor_def *def, ploy_kinematic agent, float horizon,
                                ploy_motor_score_fn score, void *user, ploy_motor_output *out);
/// Returns the fastest turn that the body can make at a speed, in rad/s.
PLOY_API float ploy_motor_turn_limit(const ploy_motor_def *def, float speed);
PLOY_API void ploy_motor_trace(const ploy_motor_def *def, const ploy_motor_output *output,
                               ploy_agent_id id, ploy_trace *trace);
/// Draws the arcs.
PLOY_API void ploy_motor_draw(const ploy_motor_def *def, ploy_kinematic agent, ploy_agent_id owner,
                              ploy_draw *out);

/// What a physics engine needs to carry out a request.
typedef struct ploy_force {
    ploy_vec2 force; ///< N
    float torque;    ///< N m, counter-clockwise
} ploy_force;
typedef struct ploy_force3 {
    ploy_vec3 force;  ///< N
    ploy_vec3 torque; ///< N m, about the world's axes
} ploy_force3;

/// The simplest actuator: force = mass * acceleration, torque = inertia * angular acceleration.
/// Filter the request first (ploy_motor_filter), so that the body can carry it out. Zero if nothing
/// is requested, if the request is invalid, and unless mass and inertia are finite and above 0.
/// @param mass     kg.  @param inertia  kg m^2; in space the same about every axis, as for a ball.
PLOY_API ploy_force ploy_steering_force(ploy_steering request, float mass, float inertia);
PLOY_API ploy_force3 ploy_steering3_force(ploy_steering3 request, float mass, float inertia);

/// A range of speeds that has an animation, `min` to `max`. Bands are in rising order.
typedef struct ploy_speed_band {
    float min, max; ///< m/s
} ploy_speed_band;
/// Returns the nearest speed that has an animation; standing always has one. A speed in a gap snaps
/// to the nearer end, but stays in band `current` (-1: standing) until it is `hysteresis` past the
/// middle of the gap.
/// @param band  the chosen band, -1 for standing; may be NULL.
PLOY_API float ploy_speed_snap(const ploy_speed_band *bands, int32_t count, float speed,
                               int32_t current, float hysteresis, int32_t *band);

/// Makes a steering source that filters another source's request with ploy_motor_filter; both are
/// borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_motor_filter_source(const ploy_motor_def *def,
                                              const ploy_steering_source *filtered, bool rescale,
                                              bool fallback, const ploy_env *env,
                                              ploy_steering_source *out);
