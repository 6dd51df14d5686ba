/// @file ploy/move/hide.h
/// Hide: keep an obstacle between the agent and the hunter.
///
/// Every obstacle has a spot behind it as seen from the hunter, `gap` beyond its edge. The agent
/// arrives at the nearest spot; if there is none, it evades. A bias makes spots beside or behind
/// the hunter cheaper than those in front of it. A hunter farther away than threat_range is
/// ignored. ploy_hide_aware decides when to hide: always, only when the agent sees the hunter, or
/// only when each sees the other. It remembers a sighting for a while, because an agent that stops
/// hiding the moment the hunter is out of sight looks foolish. Technique: Buckland, *Programming
/// Game AI by Example*, chapter 3.
///
/// Units: metres, seconds. Cost: O(obstacles), no allocation. Threads: pure functions.
#pragma once

#include "ploy/geom/circle.h"
#include "ploy/geom/sphere.h"
#include "ploy/move/arrive.h"
#include "ploy/move/pursue.h"
#include "ploy/move/source.h"

/// When ploy_hide_aware is true.
typedef enum ploy_hide_when {
    PLOY_HIDE_ALWAYS,
    PLOY_HIDE_SEES,  ///< the agent sees the hunter
    PLOY_HIDE_MUTUAL ///< each sees the other
} ploy_hide_when;

/// Settings. Start from ploy_hide_def_default() and change what you need.
typedef struct ploy_hide_def {
    uint32_t cookie;        ///< set by the default; leave alone
    ploy_arrive_def arrive; ///< how it moves to the spot
    ploy_evade_def evade;   ///< how it evades without a spot
    float gap;              ///< m, from the obstacle's edge to the spot
    float threat_range;     ///< m, beyond which the hunter is ignored; 0: no limit
    float behind_bias;      ///< 0 to 1: how much nearer a spot behind the hunter's back counts
    ploy_hide_when when;    ///< of ploy_hide_aware
    float view_angle;       ///< rad to each side of the heading, of both; pi: all around
    float memory;           ///< s for which a sighting is remembered
} ploy_hide_def;

PLOY_API ploy_hide_def ploy_hide_def_default(void);
PLOY_API ploy_fields ploy_hide_fields(void);

/// Returns the spot behind one obstacle. If the hunter is at the obstacle's centre, the spot is
/// along +x.
PLOY_API ploy_vec2 ploy_hide_spot(const ploy_hide_def *def, ploy_circle obstacle, ploy_vec2 hunter);
PLOY_API ploy_vec3 ploy_hide3_spot(const ploy_hide_def *def, ploy_sphere obstacle,
                                   ploy_vec3 hunter);

/// Returns the obstacle whose spot is nearest, including the bias; of equally near ones, the first.
/// -1: none.
PLOY_API int32_t ploy_hide_find(const ploy_hide_def *def, ploy_kinematic agent,
                                ploy_kinematic hunter, const ploy_circle *obstacles, int32_t count);
PLOY_API int32_t ploy_hide3_find(const ploy_hide_def *def, ploy_kinematic3 agent,
                                 ploy_kinematic3 hunter, const ploy_sphere *obstacles,
                                 int32_t count);

/// An agent's memory of a hunter. All zero: nothing remembered.
typedef struct ploy_hide_memory {
    bool seen;   ///< a sighting is remembered
    float since; ///< s since the last one
} ploy_hide_memory;

/// Returns whether the agent should hide now, and updates the memory; if true, call ploy_hide. An
/// agent sees another that is within view_angle if no obstacle is on the line between them.
/// @param dt  s since the last call.
PLOY_API bool ploy_hide_aware(const ploy_hide_def *def, ploy_hide_memory *memory,
                              ploy_kinematic agent, ploy_kinematic hunter,
                              const ploy_circle *obstacles, int32_t count, float dt);
PLOY_API bool ploy_hide3_aware(const ploy_hide_def *def, ploy_hide_memory *memory,
                               ploy_kinematic3 agent, ploy_kinematic3 hunter,
                               const ploy_sphere *obstacles, int32_t count, float dt);

/// The acceleration of one agent. Requests nothing if the hunter is too far away, or if the agent
/// is at the spot and at rest. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_hide(const ploy_hide_def *def, ploy_kinematic agent,
                                 ploy_kinematic hunter, const ploy_circle *obstacles,
                                 int32_t count);
PLOY_API ploy_steering3 ploy_hide3(const ploy_hide_def *def, ploy_kinematic3 agent,
                                   ploy_kinematic3 hunter, const ploy_sphere *obstacles,
                                   int32_t count);

/// The same for agents [first, first + count) of a view, bit for bit.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_hide_batch(const ploy_hide_def *def, const ploy_kinematics *agents,
                                     int32_t first, int32_t count, ploy_kinematic hunter,
                                     const ploy_circle *obstacles, int32_t obstacle_count,
                                     const ploy_steerings *out);
PLOY_API ploy_result ploy_hide3_batch(const ploy_hide_def *def, const ploy_kinematics3 *agents,
                                      int32_t first, int32_t count, ploy_kinematic3 hunter,
                                      const ploy_sphere *obstacles, int32_t obstacle_count,
                                      const ploy_steerings3 *out);

/// Reports to a trace every spot and its biased distance.
PLOY_API void ploy_hide_trace(const ploy_hide_def *def, ploy_kinematic agent, ploy_kinematic hunter,
                              const ploy_circle *obstacles, int32_t count, ploy_agent_id id,
                              ploy_trace *trace);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_hide_source(const ploy_hide_def *def, const ploy_kinematic *hunter,
                                      const ploy_circle *obstacles, int32_t count,
                                      const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_hide3_source(const ploy_hide_def *def, const ploy_kinematic3 *hunter,
                                       const ploy_sphere *obstacles, int32_t count,
                                       const ploy_env *env, ploy_steering_source *out);
