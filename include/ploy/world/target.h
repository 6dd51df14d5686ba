/// @file ploy/world/target.h
/// Target selection among remembered agents.
///
/// Chooses among recently sensed agents, so that a character never attacks an agent that it cannot
/// know about. By default it chooses the closest by last known position; a game may provide its own
/// score. A margin keeps the current target until another is clearly better.
///
/// Technique: Buckland, "Programming Game AI by Example", target selection. Units: metres, seconds.
/// Cost: O(records) for a choice. Plain data, owned by the caller; all of it is state. Threads: one
/// caller at a time for each target.
#pragma once

#include "ploy/base/trace.h"
#include "ploy/base/visit.h"
#include "ploy/world/sense_memory.h"

typedef struct ploy_target {
    ploy_agent_id current; ///< none: no target
    double since;          ///< s, when it was chosen
} ploy_target;

/// How to choose. All zero: the closest, without a margin.
typedef struct ploy_target_choice {
    /// Returns whether an agent may be a target at all: alive, not a friend. NULL: all agents.
    bool (*valid)(void *user, ploy_agent_id other);
    /// Larger is better; NaN refuses. NULL: minus the distance to its last known position; agents
    /// without one come last.
    float (*score)(void *user, const ploy_sense_record *record);
    void *user;
    float margin; ///< by how much another must be better than the current target
} ploy_target_choice;

/// Returns a ploy_target without a target.
PLOY_API ploy_target ploy_target_make(void);
/// Chooses again; none if no valid agent was sensed recently. Among equals, the lowest id wins.
/// @param from    where the owner is. @param choice  NULL: the closest.
/// @param trace   NULL, or receives all candidates.
/// @return true if the target changed.
PLOY_API bool ploy_target_step(ploy_target *target, const ploy_sense_memory *memory, ploy_vec3 from,
                               const ploy_target_choice *choice, double now, ploy_trace *trace);
PLOY_API void ploy_target_clear(ploy_target *target);

/// What memory contains about the target. Without a target: false, 0 and INFINITY.
PLOY_API bool ploy_target_present(const ploy_target *target);
PLOY_API bool ploy_target_visible(const ploy_target *target, const ploy_sense_memory *memory);
/// @return PLOY_ERR_NOT_FOUND, leaving out unchanged, if there is no target or its position is not
/// known.
PLOY_API ploy_result ploy_target_position(const ploy_target *target,
                                          const ploy_sense_memory *memory, ploy_vec3 *out);
/// Visits a ploy_target (ploy/base/visit.h).
PLOY_API void ploy_target_visit(ploy_visit *v, void *target);
PLOY_API void ploy_target_describe(const ploy_target *target, ploy_describe *out);
