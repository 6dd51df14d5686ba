/// @file ploy/move/craft.h
/// Craft: a rigid body with an engine and a bow thruster, and flocking by its rudder alone.
///
///            ^ thruster, to the left or to the right
///     stern =====> bow        engine: forward through the middle
///
/// A push at the bow turns the craft and moves it sideways at once; a keel (`side_drag`) makes the
/// one into a curve. Nothing sets a position or a heading: whatever steers says thrust and steer,
/// and the body does what forces do to it.
///
/// Flocking in this model is one number: every rule adds to the net steer, to the left or to the
/// right, by a response curve that keeps it from drowning the others. Cohesion and alignment count
/// by the angle to the neighbours' middle and to their mean course, separation by one over the
/// distance of each. Settings and view models are those of ploy/move/flock.h.
/// Technique: Bourg and Seemann, "AI for Game Developers", 2 to 4.
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
    float length;       ///< m; the thruster is half of it ahead of the middle
    float thrust;       ///< N, of the engine in full
    float thruster;     ///< N, of the bow thruster in full
    float drag;         ///< kg/s; top speed is thrust / drag
    float side_drag;    ///< kg/s more against sliding sideways: the keel
    float angular_drag; ///< kg m^2/s
} ploy_craft_def;

PLOY_API ploy_craft_def ploy_craft_def_default(void);
PLOY_API ploy_fields ploy_craft_fields(void);

/// The controls of a craft.
typedef struct ploy_craft_controls {
    float thrust; ///< part of the engine's force, 0 to 1
    float steer;  ///< part of the thruster's, -1 hard right to 1 hard left
} ploy_craft_controls;

/// The accelerations of the controls, before drag; controls out of range are held within it, those
/// that are not a number count as 0. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_craft_forces(const ploy_craft_def *def, ploy_kinematic craft,
                                         ploy_craft_controls controls);
/// The craft after dt seconds, as it was if dt or a setting is out of range. Drag is exact for any
/// dt.
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

/// The steer that brings the bow to a point: its angle over `full_angle`, held within -1 and 1, so
/// that small angles give small corrections. 0 on the point itself. ploy_intercept_turn knows only
/// hard left and hard right.
/// @param full_angle  rad, above 0, from which on it steers hard.
PLOY_API float ploy_craft_toward(ploy_kinematic craft, ploy_vec2 point, float full_angle);

/// The net steer of the three rules, held within -1 and 1; 0 if it sees no other. Rules count by
/// the weights of the def: cohesion and alignment weight * angle / pi, separation weight *
/// separation_radius / distance for each that is nearer than that radius.
/// @param self  the craft's own number among the others, which is left out; -1 if it is not there.
PLOY_API float ploy_craft_flock(const ploy_flock_def *def, ploy_kinematic craft,
                                const ploy_kinematics *others, int32_t self);
/// The same for craft [first, first + count) of a view among all of it, bit for bit.
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
