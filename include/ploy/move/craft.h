/// @file ploy/move/craft.h
/// Craft: a rigid body with an engine and a bow thruster, and flocking by steering alone.
///
///            ^ thruster, to the left or to the right
///     stern =====> bow        engine: forward through the middle
///
/// A push at the bow turns the craft and moves it sideways at the same time; a keel (`side_drag`)
/// turns the sideways motion into a curve. Nothing sets a position or a heading directly:
/// controllers set thrust and steer, and forces move the body.
///
/// Flocking in this model is one number: every rule adds to the net steer, to the left or to the
/// right, with a response curve that keeps it from dominating the others. Cohesion and alignment
/// depend on the angle to the neighbours' centre and to their mean course, separation on one over
/// the distance of each. Settings and view models are those of ploy/move/flock.h. Technique: Bourg
/// and Seemann, "AI for Game Developers", 2 to 4.
///
/// Units: metres, seconds, radians, kilograms, newtons. Cost: O(1), flocking O(others); no
/// allocation. Threads: pure functions.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/move/flock.h"
#include "ploy/move/integrate.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_craft_def_default() and change what you need.
typedef struct ploy_craft_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_integrator integrator;
    float mass;         ///< kg
    float inertia;      ///< kg m^2, about its middle
    float length;       ///< m; the thruster is half a length ahead of the middle
    float thrust;       ///< N, of the engine in full
    float thruster;     ///< N, of the bow thruster in full
    float drag;         ///< kg/s; top speed is thrust / drag
    float side_drag;    ///< kg/s, extra drag against sliding sideways: the keel
    float angular_drag; ///< kg m^2/s
} ploy_craft_def;

PLOY_API ploy_craft_def ploy_craft_def_default(void);
PLOY_API ploy_fields ploy_craft_fields(void);

/// The controls of a craft.
typedef struct ploy_craft_controls {
    float thrust; ///< part of the engine's force, 0 to 1
    float steer;  ///< part of the thruster's, -1 hard right to 1 hard left
} ploy_craft_controls;

/// The accelerations of the controls, before drag; controls are clamped to their ranges; NaN counts
/// as 0. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_craft_forces(const ploy_craft_def *def, ploy_kinematic craft,
                                         ploy_craft_controls controls);
/// Returns the craft after dt seconds; unchanged if dt or a setting is out of range. Drag is exact
/// for any dt.
PLOY_API ploy_kinematic ploy_craft_step(const ploy_craft_def *def, ploy_kinematic craft,
                                        ploy_craft_controls controls, float dt);
/// The same for craft [first, first + count) of a view, bit for bit; disjoint ranges may step at
/// the same time.
/// @param controls  number i for craft i.
/// @return PLOY_ERR_ARGUMENT, changing nothing, if the view, the range, dt or a setting is not
///         right.
PLOY_API ploy_result ploy_craft_step_batch(const ploy_craft_def *def, const ploy_kinematics *craft,
                                           int32_t first, int32_t count,
                                           const ploy_craft_controls *controls, float dt);

/// Returns the steer that turns the bow to a point: the angle over `full_angle`, clamped to -1 and
/// 1, so that small angles give small corrections. 0 at the point itself. ploy_intercept_turn
/// returns only hard left or hard right.
/// @param full_angle  rad, above 0; at larger angles it steers hard.
PLOY_API float ploy_craft_toward(ploy_kinematic craft, ploy_vec2 point, float full_angle);

/// Returns the net steer of the three rules, clamped to -1 and 1; 0 if the craft sees no other.
/// Each rule is weighted: cohesion and alignment are weight * angle / pi, separation is weight *
/// separation_radius / distance for each neighbour nearer than that radius.
/// @param self  the craft's own number among the others, which is left out; -1 if it is not there.
PLOY_API float ploy_craft_flock(const ploy_flock_def *def, ploy_kinematic craft,
                                const ploy_kinematics *others, int32_t self);
/// The same for craft [first, first + count) of a view among all of its agents, bit for bit.
/// @param steers  number i of craft i; only the range is written, and only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if the view or the range is invalid.
PLOY_API ploy_result ploy_craft_flock_batch(const ploy_flock_def *def, const ploy_kinematics *craft,
                                            int32_t first, int32_t count, float *steers);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_craft_source(const ploy_craft_def *def,
                                       const ploy_craft_controls *controls, const ploy_env *env,
                                       ploy_steering_source *out);
