/// @file ploy/move/intercept.h
/// Intercept: meet a target that keeps its course, and detect when that is impossible.
///
/// Pursue only looks ahead; intercept computes the meeting and returns the outcome:
///
///     closing  the time to close is the range over the relative speed. Correct if the two close
///              in on each other; converges if computed again every step. Does not need the
///              chaser's top speed.
///     exact    the first moment at which a chaser moving straight at max_speed can be at the
///              prey's position: the root of a quadratic.
///
/// Interception can fail: prey that is faster and ahead cannot be met (NONE), prey behind the
/// chaser makes the meeting recede forever (BEHIND), and prey too far away is met too late to
/// matter (TOO_LATE). In all these cases the chaser heads for the prey itself, which turns the
/// chaser until the prey is ahead. Technique: Bourg and Seemann, *AI for Game Developers*, chapter
/// 2; the exact form is common.
///
/// Units: metres, seconds. Cost: O(1), O(count) in a batch; no allocation.
/// Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/move/seek.h"
#include "ploy/move/source.h"

typedef enum ploy_intercept_method {
    PLOY_INTERCEPT_CLOSING,
    PLOY_INTERCEPT_EXACT
} ploy_intercept_method;

typedef enum ploy_intercept_status {
    PLOY_INTERCEPT_OK,
    PLOY_INTERCEPT_BEHIND,  ///< the prey is behind the chaser
    PLOY_INTERCEPT_NONE,    ///< they never meet
    PLOY_INTERCEPT_TOO_LATE ///< later than max_time
} ploy_intercept_status;

/// "ok", "behind", "none", "too late".
PLOY_API const char *ploy_intercept_status_text(ploy_intercept_status status);

/// Settings. Start from ploy_intercept_def_default() and change what you need.
typedef struct ploy_intercept_def {
    uint32_t cookie;    ///< set by the default; leave alone
    ploy_seek_def seek; ///< how it seeks the point
    ploy_intercept_method method;
    float max_time;    ///< s, later meetings are TOO_LATE
    bool check_behind; ///< both methods: return BEHIND while the prey is behind
} ploy_intercept_def;

PLOY_API ploy_intercept_def ploy_intercept_def_default(void);
PLOY_API ploy_fields ploy_intercept_fields(void);

typedef struct ploy_interception {
    ploy_intercept_status status;
    float time;        ///< s to the meeting; 0 if NONE
    ploy_vec2 meeting; ///< where the two would meet; the prey's position if NONE
    ploy_vec2 point;   ///< where to go: the meeting if OK, otherwise the prey's position
} ploy_interception;

typedef struct ploy_interception3 {
    ploy_intercept_status status;
    float time;
    ploy_vec3 meeting;
    ploy_vec3 point;
} ploy_interception3;

/// Computes the meeting. NONE if a setting is out of range.
PLOY_API ploy_interception ploy_intercept_find(const ploy_intercept_def *def, ploy_kinematic agent,
                                               ploy_kinematic prey);
PLOY_API ploy_interception3 ploy_intercept3_find(const ploy_intercept_def *def,
                                                 ploy_kinematic3 agent, ploy_kinematic3 prey);

/// The acceleration of one agent. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_intercept(const ploy_intercept_def *def, ploy_kinematic agent,
                                      ploy_kinematic prey);
PLOY_API ploy_steering3 ploy_intercept3(const ploy_intercept_def *def, ploy_kinematic3 agent,
                                        ploy_kinematic3 prey);

/// The same for agents [first, first + count) of a view, bit for bit.
/// @param prey  number i for agent i; a view of one is the same for all.
/// @param out   only the range is written, and only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_intercept_batch(const ploy_intercept_def *def,
                                          const ploy_kinematics *agents, int32_t first,
                                          int32_t count, const ploy_kinematics *prey,
                                          const ploy_steerings *out);
PLOY_API ploy_result ploy_intercept3_batch(const ploy_intercept_def *def,
                                           const ploy_kinematics3 *agents, int32_t first,
                                           int32_t count, const ploy_kinematics3 *prey,
                                           const ploy_steerings3 *out);

/// Reports to a trace when and where they meet, or why not. Does nothing for NULL.
PLOY_API void ploy_intercept_trace(const ploy_intercept_def *def, ploy_kinematic agent,
                                   ploy_kinematic prey, ploy_agent_id id, ploy_trace *trace);
PLOY_API void ploy_intercept3_trace(const ploy_intercept_def *def, ploy_kinematic3 agent,
                                    ploy_kinematic3 prey, ploy_agent_id id, ploy_trace *trace);

/// The direction to turn, for craft that steer only left or right.
typedef enum ploy_turn_side {
    PLOY_TURN_RIGHT = -1,
    PLOY_TURN_NONE = 0,
    PLOY_TURN_LEFT = 1
} ploy_turn_side;

/// Returns the turn that brings the agent's nose to a point.
/// @param tolerance  of the sine of the angle: below it the result is NONE, which keeps the rudder
///                   from chattering. For a point straight behind the result is LEFT.
PLOY_API ploy_turn_side ploy_intercept_turn(ploy_kinematic agent, ploy_vec2 point, float tolerance);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_intercept_source(const ploy_intercept_def *def,
                                           const ploy_kinematic *prey, const ploy_env *env,
                                           ploy_steering_source *out);
PLOY_API ploy_result ploy_intercept3_source(const ploy_intercept_def *def,
                                            const ploy_kinematic3 *prey, const ploy_env *env,
                                            ploy_steering_source *out);
