/// @file ploy/move/integrate.h
/// Integrate: turns accelerations into motion, one step of dt at a time.
///
/// The integrators differ in the order within a step:
/// - semi-implicit (the default): velocity first, then position by the new velocity. Stable where
///   Newton-Euler gains energy, at the same cost.
/// - Newton-Euler: position by the old velocity, then velocity.
/// - second order: position by the old velocity and half the acceleration, exact for a constant
///   one; then velocity.
/// Drag, then the speed limit, act on the new velocity: limits belong here and not in behaviors.
///
/// Then the agent may turn toward its velocity. FREE leaves the orientation to the agent's
/// rotation, for agents that strafe, aim, or are turned by an align behavior. SNAP faces along the
/// velocity at once. SMOOTH turns by a fraction of the difference, the same fraction per second at
/// any frame rate. SNAP and SMOOTH neither read nor write the rotation. Below facing_min_speed an
/// agent keeps its orientation, or takes on rest_orientation.
///
/// Units: metres, seconds, radians. SNAP and SMOOTH face along the velocity to within 5e-7 rad.
/// Cost: O(1), O(count) in a batch; no allocation. Threads: pure functions; disjoint ranges of one
/// batch may run at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/move/kinematic.h"

typedef enum ploy_integrator {
    PLOY_INTEGRATOR_SEMI_IMPLICIT,
    PLOY_INTEGRATOR_NEWTON_EULER,
    PLOY_INTEGRATOR_SECOND_ORDER
} ploy_integrator;

typedef enum ploy_facing { PLOY_FACING_FREE, PLOY_FACING_SNAP, PLOY_FACING_SMOOTH } ploy_facing;

/// Settings. Start from ploy_integrate_def_default() and change what you need.
typedef struct ploy_integrate_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_integrator integrator;
    float max_speed;    ///< m/s
    float max_rotation; ///< rad/s
    float drag;         ///< 1/s; velocity falls to 1/e in 1 / drag seconds; top speed is a / drag
    float angular_drag; ///< 1/s, the same for the rotation
    ploy_facing facing;
    float facing_fraction;  ///< of SMOOTH: fraction of the difference turned in facing_period
    float facing_period;    ///< s
    float facing_min_speed; ///< m/s; below this there is no direction of travel
    bool face_at_rest;      ///< take on rest_orientation below facing_min_speed
    float rest_orientation; ///< rad
} ploy_integrate_def;

PLOY_API ploy_integrate_def ploy_integrate_def_default(void);
PLOY_API ploy_fields ploy_integrate_fields(void);

/// Returns the agent after dt seconds.
/// @param dt  s; 0 <= dt <= PLOY_DT_MAX_S.
/// @return the unchanged agent if dt or a setting is out of range.
PLOY_API ploy_kinematic ploy_integrate(const ploy_integrate_def *def, ploy_kinematic agent,
                                       ploy_steering steering, float dt);

/// The same in space. The orientation turns exactly for a constant rotation; SNAP and SMOOTH face
/// along the velocity, as upright as that direction allows.
PLOY_API ploy_kinematic3 ploy_integrate3(const ploy_integrate_def *def, ploy_kinematic3 agent,
                                         ploy_steering3 steering, float dt);

/// Steps agents [first, first + count) of a view in place, bit for bit as the single form.
/// @param steerings  number i for agent i; NULL: no acceleration, for kinematic movers.
/// @return PLOY_ERR_ARGUMENT if dt, a setting, a view or the range is invalid; then nothing
///         changes.
PLOY_API ploy_result ploy_integrate_batch(const ploy_integrate_def *def,
                                          const ploy_kinematics *agents, int32_t first,
                                          int32_t count, const ploy_steerings *steerings, float dt);
PLOY_API ploy_result ploy_integrate3_batch(const ploy_integrate_def *def,
                                           const ploy_kinematics3 *agents, int32_t first,
                                           int32_t count, const ploy_steerings3 *steerings,
                                           float dt);

/// Returns the part of a difference to close in dt so that `fraction` of it is closed in `period`:
/// 1 - (1 - fraction)^(dt / period). SMOOTH uses it; it suits any smoothing that must not depend on
/// the frame rate.
PLOY_API float ploy_smooth_fraction(float fraction, float period, float dt);
