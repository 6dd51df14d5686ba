/// @file ploy/move/combine.h
/// Combinations: one request from many.
///
/// A combination holds sources (ploy/move/source.h) as named parts and combines their requests into
/// one, by one of five methods:
/// - SUM: all requests, weighted and added, then cut to the largest acceleration. For open spaces.
/// - RUNNING_SUM: added in order until the sum is as long as the largest acceleration; the part
///   that reaches the limit is shortened to fit, and later ones are not run (unless they turn and
///   some turn is left). Avoidance first, then the rest.
/// - DITHER: in order, each run with its probability; the first that requests something is taken
///   alone. Cheapest.
/// - PRIORITY: groups in order, each a weighted sum; the first whose sum is above epsilon is taken,
///   so that urgent parts are not diluted. Put a wander in the last group: it frees agents that are
///   stuck in an equilibrium. The order may depend on the situation.
/// - COOPERATE: in order, each sees what the parts before it requested (`earlier` in the context)
///   and may replace it: a wall avoidance that slides toward the goal (ploy_slide) instead of
///   away from the wall.
/// A combination is a source again, so they nest, and one combination serves the plane and space.
/// Each part draws random numbers from a stream of its name below the combination's own, so equal
/// behaviors in different places, and the method itself, never share a draw.
///
/// No method is best: sums get stuck between opposite requests, and in doorways; priorities get
/// stuck in traps that are too large for the fallback; none of them looks around corners
/// (ploy/move/pipeline.h does). docs/guide/move-formations.md helps to choose. Techniques:
/// Reynolds, GDC 1999; Buckland, "Programming Game AI by Example", 3; Millington, "AI for Games",
/// 3.4.
///
/// Units: metres, seconds, radians. Cost: O(parts) plus the cost of the parts; no allocation.
/// Threads: as for the sources; a combination itself is only read.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/name.h"
#include "ploy/move/source.h"

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
    float epsilon;                  ///< of PRIORITY: smaller sums are skipped; above 0
    bool normalise;                 ///< bring each linear request to length 1 before weighting
} ploy_combine_def;
PLOY_API ploy_combine_def ploy_combine_def_default(void);
PLOY_API ploy_fields ploy_combine_fields(void);

#define PLOY_COMBINE_GROUPS 16
#define PLOY_COMBINE_PARTS_MAX 16

/// One source of a combination. Set by ploy_combination_add; weight, probability, group and `off`
/// may be changed at any time.
typedef struct ploy_combine_part {
    const char *name; ///< unique within the combination; borrowed
    ploy_steering_source source;
    ploy_name stream;  ///< of its random numbers
    float weight;      ///< 0: off
    float probability; ///< of DITHER, 0 to 1
    int32_t group;     ///< of PRIORITY: 0 to PLOY_COMBINE_GROUPS - 1, lowest first
    bool off;          ///< not run
} ploy_combine_part;

/// Returns the present urgency of a group. Larger goes first; equal ones by number.
typedef float (*ploy_combine_urgency_fn)(void *user, int32_t group,
                                         const ploy_steering_context *context);

/// A combination: plain data in the caller's memory.
typedef struct ploy_combination {
    ploy_combine_def def;
    ploy_combine_part parts[PLOY_COMBINE_PARTS_MAX];
    int32_t part_count;
    ploy_combine_urgency_fn urgency; ///< NULL: groups in the order of their numbers
    void *urgency_user;
    /// NULL, or room for PLOY_COMBINE_PARTS_MAX: receives what each part requested in the last
    /// step, before weighting; none for parts that were not run. For display.
    ploy_steering3 *requests;
} ploy_combination;

/// Makes an empty combination.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range; then it is empty, and its requests are
///         invalid.
PLOY_API ploy_result ploy_combination_init(ploy_combination *combination,
                                           const ploy_combine_def *def, const ploy_env *env);
/// Appends a part with group 0 and probability 1.
/// @param name  borrowed.
/// @return PLOY_ERR_ARGUMENT for a source without a type, a name that is missing or taken, a
///         weight that is not finite, or a source that contains this combination;
///         PLOY_ERR_CAPACITY. Then nothing changes.
PLOY_API ploy_result ploy_combination_add(ploy_combination *combination, const char *name,
                                          ploy_steering_source source, float weight);
/// Returns the part of that name, or NULL.
PLOY_API ploy_combine_part *ploy_combination_part(ploy_combination *combination, const char *name);
/// Switches a part on or off. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_combination_switch(ploy_combination *combination, const char *name,
                                             bool on);
/// Visits a ploy_combination (ploy/base/visit.h): method, parts and the state of their sources. A
/// load needs the same parts.
PLOY_API void ploy_combination_visit(ploy_visit *v, void *combination);
PLOY_API void ploy_combination_describe(const ploy_combination *combination, ploy_describe *out);

/// Returns the combined request. Invalid if a setting, a weight or a group is out of range, or a
/// part is invalid; it still includes the requests of the other parts.
PLOY_API ploy_steering ploy_combine(const ploy_combination *combination,
                                    const ploy_steering_context *context);
PLOY_API ploy_steering3 ploy_combine3(const ploy_combination *combination,
                                      const ploy_steering_context *context);
/// Makes a source of a combination, which is borrowed; for the plane and for space.
PLOY_API ploy_steering_source ploy_combination_source(const ploy_combination *combination);

/// One source of a crowd: the requests of a batch form, agent by agent.
typedef struct ploy_combine_lane {
    ploy_steerings steerings;
    float weight;      ///< 0: off
    float probability; ///< of DITHER, 0 to 1
    int32_t group;     ///< of PRIORITY, as in ploy_combine_part
} ploy_combine_lane;
/// Makes a lane with group 0 and probability 1.
PLOY_API ploy_combine_lane ploy_combine_lane_make(ploy_steerings steerings, float weight);

/// Most lanes of one batch.
#define PLOY_COMBINE_LANES_MAX PLOY_COMBINE_PARTS_MAX

/// Combines finished requests for agents [first, first + count), bit for bit as ploy_combine does:
/// for crowds, whose behaviors run as batches. With COOPERATE the last lane that requests something
/// wins, because finished requests cannot depend on each other.
/// @param key, tick  for DITHER's draws, by the agents' numbers.
/// @param out        may be one of the lanes; only the range is written, and only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if a setting, a weight, a group, a view or the range is wrong, or
///         there are too many lanes.
PLOY_API ploy_result ploy_combine_batch(const ploy_combine_def *def, const ploy_combine_lane *lanes,
                                        int32_t lane_count, int32_t first, int32_t count,
                                        ploy_rng_key key, uint64_t tick, const ploy_steerings *out);

/// Slides along a wall, for COOPERATE: removes the part of a requested acceleration that points
/// into the wall, keeps the part along the wall (toward `toward` if nothing is left), and pushes
/// away from the wall, more the nearer it is.
/// @param normal  unit, out of the wall.
/// @param time    s until contact; beyond `horizon` the request is returned unchanged.
/// @param push    m/s^2 away from the wall at contact.
PLOY_API ploy_vec2 ploy_slide(ploy_vec2 requested, ploy_vec2 normal, float time, float horizon,
                              float push, ploy_vec2 toward);
