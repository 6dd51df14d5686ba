/// @file ploy/move/hide.h
/// Hide: keep something solid between oneself and the hunter.
///
/// Every obstacle has a spot behind it as seen from the hunter, `gap` beyond its edge. The agent
/// arrives at the nearest one; without any it evades. A bias prefers spots beside or behind the
/// hunter's back to those in its view. A threat beyond threat_range is ignored. To hide only when
/// seen, ask the scene first and remember the sighting for a while: an agent that stops hiding as
/// soon as the hunter is out of sight looks foolish.
/// Technique: Buckland, *Programming Game AI by Example*, chapter 3.
///
/// Units: metres, seconds. Cost: O(obstacles), no allocation. Threads: pure functions.
#pragma once

#include "ploy/geom/circle.h"
#include "ploy/geom/sphere.h"
#include "ploy/move/arrive.h"
#include "ploy/move/pursue.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_hide_def_default() and change what you need.
typedef struct ploy_hide_def {
    uint32_t cookie;        ///< set by the default; leave alone
    ploy_arrive_def arrive; ///< how it goes to the spot
    ploy_evade_def evade;   ///< what it does without one
    float gap;              ///< m, from the obstacle's edge to the spot
    float threat_range;     ///< m, beyond which the hunter is no threat; 0: any distance
    float behind_bias;      ///< 0 to 1: how much less far a spot behind the hunter's back counts
} ploy_hide_def;

PLOY_API ploy_hide_def ploy_hide_def_default(void);
PLOY_API ploy_fields ploy_hide_fields(void);

/// The spot behind one obstacle. On the obstacle's centre the hunter hides nothing: the spot is
/// then along +x.
PLOY_API ploy_vec2 ploy_hide_spot(const ploy_hide_def *def, ploy_circle obstacle, ploy_vec2 hunter);
PLOY_API ploy_vec3 ploy_hide3_spot(const ploy_hide_def *def, ploy_sphere obstacle,
                                   ploy_vec3 hunter);

/// The obstacle whose spot is nearest, by the bias; of equally near ones the first. -1: none.
PLOY_API int32_t ploy_hide_find(const ploy_hide_def *def, ploy_kinematic agent,
                                ploy_kinematic hunter, const ploy_circle *obstacles, int32_t count);
PLOY_API int32_t ploy_hide3_find(const ploy_hide_def *def, ploy_kinematic3 agent,
                                 ploy_kinematic3 hunter, const ploy_sphere *obstacles,
                                 int32_t count);

/// The acceleration of one agent. Requests nothing when the hunter is too far away, when it is
/// there and at rest. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_hide(const ploy_hide_def *def, ploy_kinematic agent,
                                 ploy_kinematic hunter, const ploy_circle *obstacles,
                                 int32_t count);
PLOY_API ploy_steering3 ploy_hide3(const ploy_hide_def *def, ploy_kinematic3 agent,
                                   ploy_kinematic3 hunter, const ploy_sphere *obstacles,
                                   int32_t count);

/// The same for agents [first, first + count) of a view, bit for bit.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is not right.
PLOY_API ploy_result ploy_hide_batch(const ploy_hide_def *def, const ploy_kinematics *agents,
                                     int32_t first, int32_t count, ploy_kinematic hunter,
                                     const ploy_circle *obstacles, int32_t obstacle_count,
                                     const ploy_steerings *out);
PLOY_API ploy_result ploy_hide3_batch(const ploy_hide_def *def, const ploy_kinematics3 *agents,
                                      int32_t first, int32_t count, ploy_kinematic3 hunter,
                                      const ploy_sphere *obstacles, int32_t obstacle_count,
                                      const ploy_steerings3 *out);

/// Reports to a trace every spot and how far it counts.
PLOY_API void ploy_hide_trace(const ploy_hide_def *def, ploy_kinematic agent, ploy_kinematic hunter,
                              const ploy_circle *obstacles, int32_t count, ploy_agent_id id,
                              ploy_trace *trace);

/// As steering sources (ploy/move/source.h); all that is pointed to is borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; out is none then.
PLOY_API ploy_result ploy_hide_source(const ploy_hide_def *def, const ploy_kinematic *hunter,
                                      const ploy_circle *obstacles, int32_t count,
                                      const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_hide3_source(const ploy_hide_def *def, const ploy_kinematic3 *hunter,
                                       const ploy_sphere *obstacles, int32_t count,
                                       const ploy_env *env, ploy_steering_source *out);
