/// @file ploy/move/pursue.h
/// Pursue and evade: seek and flee that look ahead.
///
/// Pursue seeks the point where its target will be; evade flees from the point where its pursuer
/// will be (ploy/move/predict.h). Pursue intercepts a target that keeps its course, where seek
/// would end up trailing it. To stop at the target rather than overshoot it, give the predicted
/// point to arrive: `ploy_arrive(&arrive, agent, ploy_pursue_point(&pursue, agent, target))`.
///
/// With head_on, the agent seeks the present position of a target that is ahead and comes straight
/// at it: they meet soon, and a prediction would overshoot the agent. evade's threat_range is
/// the distance beyond which a pursuer is no threat. Techniques: Reynolds, GDC 1999; the prediction
/// times as in ploy/move/predict.h.
///
/// Units: metres, seconds. Cost: O(1), O(count) in a batch; no allocation.
/// Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/move/flee.h"
#include "ploy/move/predict.h"
#include "ploy/move/seek.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_pursue_def_default() and change what you need.
typedef struct ploy_pursue_def {
    uint32_t cookie;          ///< set by the default; leave alone
    ploy_seek_def seek;       ///< how it seeks the point
    ploy_predict_def predict; ///< how far it looks ahead
    bool head_on;             ///< seek the target itself while it comes straight at the agent
} ploy_pursue_def;

typedef struct ploy_evade_def {
    uint32_t cookie;          ///< set by the default; leave alone
    ploy_flee_def flee;       ///< how it flees; panic_distance is from the predicted point
    ploy_predict_def predict; ///< how far it looks ahead
    float threat_range;       ///< m, from the pursuer itself; 0: any distance
} ploy_evade_def;

PLOY_API ploy_pursue_def ploy_pursue_def_default(void);
PLOY_API ploy_fields ploy_pursue_fields(void);
PLOY_API ploy_evade_def ploy_evade_def_default(void);
PLOY_API ploy_fields ploy_evade_fields(void);

/// Returns the point that pursue seeks; the target's position if a setting is out of range.
PLOY_API ploy_vec2 ploy_pursue_point(const ploy_pursue_def *def, ploy_kinematic agent,
                                     ploy_kinematic target);
PLOY_API ploy_vec3 ploy_pursue3_point(const ploy_pursue_def *def, ploy_kinematic3 agent,
                                      ploy_kinematic3 target);

/// The acceleration of one agent. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_pursue(const ploy_pursue_def *def, ploy_kinematic agent,
                                   ploy_kinematic target);
PLOY_API ploy_steering3 ploy_pursue3(const ploy_pursue_def *def, ploy_kinematic3 agent,
                                     ploy_kinematic3 target);
/// Likewise for evade; also requests nothing if the pursuer is out of range.
PLOY_API ploy_steering ploy_evade(const ploy_evade_def *def, ploy_kinematic agent,
                                  ploy_kinematic pursuer);
PLOY_API ploy_steering3 ploy_evade3(const ploy_evade_def *def, ploy_kinematic3 agent,
                                    ploy_kinematic3 pursuer);

/// The same for agents [first, first + count) of a view, bit for bit.
/// @param targets, pursuers  number i for agent i; a view of one is the same for all.
/// @param out      only the range is written, and only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_pursue_batch(const ploy_pursue_def *def, const ploy_kinematics *agents,
                                       int32_t first, int32_t count, const ploy_kinematics *targets,
                                       const ploy_steerings *out);
PLOY_API ploy_result ploy_pursue3_batch(const ploy_pursue_def *def, const ploy_kinematics3 *agents,
                                        int32_t first, int32_t count,
                                        const ploy_kinematics3 *targets,
                                        const ploy_steerings3 *out);
PLOY_API ploy_result ploy_evade_batch(const ploy_evade_def *def, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, const ploy_kinematics *pursuers,
                                      const ploy_steerings *out);
PLOY_API ploy_result ploy_evade3_batch(const ploy_evade_def *def, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count,
                                       const ploy_kinematics3 *pursuers,
                                       const ploy_steerings3 *out);

/// Reports to a trace how far the behavior looked ahead, to which point, and the resulting request.
/// Does nothing for NULL.
PLOY_API void ploy_pursue_trace(const ploy_pursue_def *def, ploy_kinematic agent,
                                ploy_kinematic target, ploy_agent_id id, ploy_trace *trace);
PLOY_API void ploy_pursue3_trace(const ploy_pursue_def *def, ploy_kinematic3 agent,
                                 ploy_kinematic3 target, ploy_agent_id id, ploy_trace *trace);
PLOY_API void ploy_evade_trace(const ploy_evade_def *def, ploy_kinematic agent,
                               ploy_kinematic pursuer, ploy_agent_id id, ploy_trace *trace);
PLOY_API void ploy_evade3_trace(const ploy_evade_def *def, ploy_kinematic3 agent,
                                ploy_kinematic3 pursuer, ploy_agent_id id, ploy_trace *trace);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_pursue_source(const ploy_pursue_def *def, const ploy_kinematic *target,
                                        const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_evade_source(const ploy_evade_def *def, const ploy_kinematic *pursuer,
                                       const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_pursue3_source(const ploy_pursue_def *def, const ploy_kinematic3 *target,
                                         const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_evade3_source(const ploy_evade_def *def, const ploy_kinematic3 *pursuer,
                                        const ploy_env *env, ploy_steering_source *out);
