/// @file ploy/move/combine.h
/// Combining: one request out of many.
///
/// Anything that steers is a `ploy_steering_source`: a function, what it needs, and a name. A
/// combination runs several and makes one request of theirs, by one of five ways:
/// - SUM: all of them, weighted and added, then cut to what the body can do. For open spaces.
/// - RUNNING_SUM: added in order until the sum is as long as the largest acceleration; what comes
///   last gets what is left. Avoidance first, then the rest.
/// - DITHER: in order, each looked at with its probability, the first that asks for something is
///   taken alone. Cheapest.
/// - PRIORITY: groups in order, each a weighted sum; the first whose sum is worth mentioning
///   (above epsilon) is taken, so that urgent ones are not diluted. Put a wander in the last group:
///   it frees those who stand in an equilibrium. The order may depend on the situation.
/// - COOPERATE: in order, each sees what those before it want and may put its own wish in place
///   of it: a wall avoidance that slides toward the goal (ploy_slide) instead of away from the
///   wall.
/// A combination is a source again, so they nest.
///
/// No way is best: sums get stuck between a wish and its opposite, and in doorways; priorities
/// in traps larger than the fallback gets out of; none of them sees around a corner
/// (ploy/move/pipeline.h does). docs/guide/move-formations.md says which to take.
/// Techniques: Reynolds, GDC 1999; Buckland, "Programming Game AI by Example", 3; Millington, "AI
/// for Games", 3.4.
///
/// Units: metres, seconds, radians. Cost: O(sources) and what they cost; no allocation.
/// Threads: pure, if the sources are.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"
#include "ploy/geom/scene.h"
#include "ploy/move/kinematic.h"

/// What a source is told.
typedef struct ploy_steering_context {
    ploy_kinematic agent;
    ploy_agent_id id;
    float dt;           ///< s
    uint64_t tick;      ///< for draws
    ploy_rng_key key;   ///< for draws
    ploy_steering wish; ///< of COOPERATE: what those before want; none otherwise
    ploy_trace *trace;  ///< NULL in production
} ploy_steering_context;

/// Anything that steers.
typedef struct ploy_steering_source {
    const char *name;
    ploy_steering (*steer)(void *user, const ploy_steering_context *context);
    void *user;
} ploy_steering_source;

typedef enum ploy_combine_mode {
    PLOY_COMBINE_SUM,
    PLOY_COMBINE_RUNNING_SUM,
    PLOY_COMBINE_DITHER,
    PLOY_COMBINE_PRIORITY,
    PLOY_COMBINE_COOPERATE
} ploy_combine_mode;

/// Settings. Start from ploy_combine_def_default().
typedef struct ploy_combine_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_combine_mode mode;
    float max_acceleration;         ///< m/s^2, of the result
    float max_angular_acceleration; ///< rad/s^2
    float epsilon;                  ///< of PRIORITY: what is worth mentioning; above 0
    bool normalise;                 ///< bring each linear request to length 1 before weighting
} ploy_combine_def;
PLOY_API ploy_combine_def ploy_combine_def_default(void);
PLOY_API ploy_fields ploy_combine_fields(void);

/// One source of a combination.
typedef struct ploy_combine_part {
    ploy_steering_source source;
    float weight;      ///< 0: off, not run
    float probability; ///< of DITHER, 0 to 1
    int32_t group;     ///< of PRIORITY: 0 to PLOY_COMBINE_GROUPS - 1, lowest first
} ploy_combine_part;
/// A part of group 0 that is always looked at.
PLOY_API ploy_combine_part ploy_combine_part_make(ploy_steering_source source, float weight);

#define PLOY_COMBINE_GROUPS 16

/// How urgent a group is now; larger goes first, equal ones by number.
typedef float (*ploy_combine_urgency_fn)(void *user, int32_t group,
                                         const ploy_steering_context *context);

/// A combination; the caller's memory.
typedef struct ploy_combination {
    ploy_combine_def def;
    const ploy_combine_part *parts;
    int32_t part_count;
    ploy_combine_urgency_fn urgency; ///< NULL: groups in the order of their numbers
    void *urgency_user;
} ploy_combination;

/// The one request. No request if the settings are out of range.
PLOY_API ploy_steering ploy_combine(const ploy_combination *combination,
                                    const ploy_steering_context *context);
/// A combination as a source of another; it is only read, and must stay.
PLOY_API ploy_steering_source ploy_combination_source(const char *name,
                                                      ploy_combination *combination);

/// One source of a crowd: what a batch form asked for, agent by agent.
typedef struct ploy_combine_lane {
    ploy_steerings steerings;
    float weight;      ///< 0: off
    float probability; ///< of DITHER, 0 to 1
    int32_t group;     ///< of PRIORITY, as in ploy_combine_part
} ploy_combine_lane;
/// A lane of group 0 that is always looked at.
PLOY_API ploy_combine_lane ploy_combine_lane_make(ploy_steerings steerings, float weight);

/// Most lanes of one batch.
#define PLOY_COMBINE_LANES_MAX 32

/// What ploy_combine makes of agents [first, first + count) whose requests are made already, bit for
/// bit: for crowds, whose behaviors run as batches. With COOPERATE the last lane that asks decides, as
/// finished requests do not look at each other.
/// @param key, tick  for DITHER's draws, by the agents' numbers.
/// @param out        may be one of the lanes; only the range is written, and only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is not right, or lanes are too many.
PLOY_API ploy_result ploy_combine_batch(const ploy_combine_def *def, const ploy_combine_lane *lanes,
                                        int32_t lane_count, int32_t first, int32_t count,
                                        ploy_rng_key key, uint64_t tick, const ploy_steerings *out);

/// Sliding along a wall, for COOPERATE: takes away only the part of a wish that leads into the
/// wall, keeps what leads along it (toward `toward` if nothing is left), and pushes off a little
/// the nearer it is.
/// @param normal  unit, out of the wall.
/// @param time    s until the wall is met; beyond `horizon` the wish comes back unchanged.
/// @param push    m/s^2 away from the wall when it is touched.
PLOY_API ploy_vec2 ploy_slide(ploy_vec2 wish, ploy_vec2 normal, float time, float horizon,
                              float push, ploy_vec2 toward);
