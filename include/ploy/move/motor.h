/// @file ploy/move/motor.h
/// Motor control: from what steering wants to what this body can do.
///
/// Two methods:
/// - `ploy_motor_filter` drops what the body cannot do from a request: a car has no sideways, and
///   does not turn at rest. Simple; curves come of it by themselves. It can make the kept
///   part as long as the request was, and if nothing is kept, drive on and turn hard.
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
/// Arcs shrink with speed, because grip limits the turn. Those of a car touch up to a low speed
/// (else it would brake to a stop, where it cannot turn); those of a tank only at rest, where
/// it turns on the spot; a motorbike has no rear arc. A human steps aside when slow and near, turns
/// on the spot when slow and far, bends its path when the target is ahead, else stops and turns.
/// Do it last, on the one request that is left.
/// Technique: Millington, "AI for Games", 3.8.
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

/// What a body can do. Start from ploy_motor_def_default() or ploy_motor_def_of().
typedef struct ploy_motor_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_motor_body body;
    float max_speed;       ///< m/s, forward
    float max_reverse;     ///< m/s, backward; of a human sideways too
    float acceleration;    ///< m/s^2
    float braking;         ///< m/s^2
    float max_turn;        ///< rad/s, when slow
    float turn_radius;     ///< m, tightest; a body on wheels turns at most speed / turn_radius
    float grip;            ///< m/s^2 sideways before it skids: turns at most grip / speed
    float slow_speed;      ///< m/s; up to here it is slow
    float arc_slow;        ///< rad, half of the forward arc when slow
    float arc_fast;        ///< rad, half of it at max_speed
    float rear_range;      ///< m within which it backs up
    float sidestep_radius; ///< m within which a human steps aside
    float near_distance;   ///< m from the target that is near enough
} ploy_motor_def;
PLOY_API ploy_motor_def ploy_motor_def_default(void);
PLOY_API ploy_fields ploy_motor_fields(void);
/// Settings that suit a body.
PLOY_API ploy_motor_def ploy_motor_def_of(ploy_motor_body body);

/// Drops what the body cannot do from a request. A human can do everything.
/// @param rescale   make what is kept as long as what was requested.
/// @param fallback  if nothing is kept of something: forward with full acceleration, turning to
///                  the side that was requested. Also if it hardly rolls on wheels and most of what
///                  is asked leads aside, then backward if that is behind; and if it would have to
///                  go backward faster than it can, as a motorbike always would.
PLOY_API ploy_steering ploy_motor_filter(const ploy_motor_def *def, ploy_kinematic agent,
                                         ploy_steering request, bool rescale, bool fallback);

typedef enum ploy_motor_maneuver {
    PLOY_MOTOR_STAND,   ///< there
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

/// How the body drives at a point now. A slow body that has the point inside the circle of its
/// tightest turn backs up until it is outside, if it can; else it goes on straight. Stays if a
/// setting is out of range. The agent's rotation must be the one it really has: it distinguishes a
/// turn that was begun from one that has to wait.
PLOY_API ploy_motor_output ploy_motor_control(const ploy_motor_def *def, ploy_kinematic agent,
                                              ploy_vec2 target);
/// The body after dt seconds of those controls, without slip: a stand-in for the game's physics.
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

/// How bad it is to be in a state; INFINITY: out of the question.
typedef float (*ploy_motor_score_fn)(void *user, ploy_kinematic agent);
/// The other way to know one's body: drives each of a dozen controls (hard left, straight and hard
/// right; faster, rolling, braking and backward) in the mind for `horizon` seconds, and takes the
/// one with the least score in the end that was never out of the question. Equal ones by order.
/// @param horizon  s, 0.01 to 100; in steps of a twentieth of it.
/// @return false, leaving out alone, if none is possible, none ends better than it is now (who must
///         go away first to come nearer later needs a longer horizon, or ploy_motor_control), or an
///         argument is out of range.
PLOY_API bool ploy_motor_search(const ploy_motor_def *def, ploy_kinematic agent, float horizon,
                                ploy_motor_score_fn score, void *user, ploy_motor_output *out);
/// The fastest that it can turn at a speed.
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
/// Filter the request first (ploy_motor_filter), so that the body can do it. Zero for a request of
/// nothing, for an invalid one, and if mass or inertia is not above 0 and finite.
/// @param mass     kg.  @param inertia  kg m^2; in space the same about every axis, as of a ball.
PLOY_API ploy_force ploy_steering_force(ploy_steering request, float mass, float inertia);
PLOY_API ploy_force3 ploy_steering3_force(ploy_steering3 request, float mass, float inertia);

/// Speeds for which there are animations: from `min` to `max` each, in rising order.
typedef struct ploy_speed_band {
    float min, max; ///< m/s
} ploy_speed_band;
/// The nearest speed that has an animation; standing always has one. A speed in a gap goes to the
/// nearer end, but stays in band `current` (-1: standing) until it is `hysteresis` past the middle.
/// @param band  the band chosen, -1 for standing; may be NULL.
PLOY_API float ploy_speed_snap(const ploy_speed_band *bands, int32_t count, float speed,
                               int32_t current, float hysteresis, int32_t *band);

/// A steering source whose request is another's, filtered by ploy_motor_filter; both are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_motor_filter_source(const ploy_motor_def *def,
                                              const ploy_steering_source *filtered, bool rescale,
                                              bool fallback, const ploy_env *env,
                                              ploy_steering_source *out);
