/// @file ploy/world/sight_batch.h
/// Sight for a crowd: many observers, many targets, spread over frames and workers.
///
/// A hash grid finds the few targets near each observer; only those are tested, with
/// ploy_sight_test. The results are the same as testing every pair in turn, whatever the budget,
/// the slices and the number of workers.
///
///     ploy_sight_batch_begin(batch, observers, 1000, targets, 1000, &world);
///     while (ploy_sight_batch_step(batch, &budget, jobs) == PLOY_IN_PROGRESS) next_frame();
///     const ploy_sight_pair *seen = ploy_sight_batch_get(batch, 7, &count);
///
/// Observers and targets are copied by begin, so a round that takes several frames shows the state
/// at its beginning. The world and the observers' defs are borrowed until the round is done.
///
/// Cost: O(targets) to begin; a step's work unit is one observer with all targets near it. Nothing
/// allocates after create. Threads: one caller at a time; a step uses the jobs it is given.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/jobs.h"
#include "ploy/world/sight.h"

/// Opaque.
typedef struct ploy_sight_batch ploy_sight_batch;

typedef struct ploy_sight_batch_def {
    uint32_t cookie;
    int32_t observers; ///< maximum number of observers in a round
    int32_t targets;   ///< maximum number of targets in a round
    int32_t seen;    ///< maximum number of targets reported to one observer: the most visible ones
    float cell_size; ///< m, of the grid; about the typical range
    int32_t grain;   ///< observers that a worker takes at a time
} ploy_sight_batch_def;

/// An observer sees a target.
typedef struct ploy_sight_pair {
    int32_t target; ///< its index in the round
    float visibility;
    float distance; ///< m
    float cover;    ///< share of the body that is not hidden
} ploy_sight_pair;

PLOY_API ploy_sight_batch_def ploy_sight_batch_def_default(void);
PLOY_API ploy_fields ploy_sight_batch_fields(void);
PLOY_API ploy_result ploy_sight_batch_create(const ploy_sight_batch_def *def, const ploy_env *env,
                                             ploy_sight_batch **out);
/// NULL is allowed.
PLOY_API void ploy_sight_batch_destroy(ploy_sight_batch *batch);

/// Begins a round; a round in progress is dropped. Targets whose position is not finite are seen by
/// no observer; observers whose pose is not finite see nothing.
/// @param observers  each with a def. @param world  borrowed until the round is done.
/// @return PLOY_ERR_CAPACITY if there are more than fit, PLOY_ERR_ARGUMENT for a missing def or
///         world; then nothing has changed.
PLOY_API ploy_result ploy_sight_batch_begin(ploy_sight_batch *batch,
                                            const ploy_sight_observer *observers,
                                            int32_t observer_count,
                                            const ploy_sight_target *targets, int32_t target_count,
                                            const ploy_sight_world *world);

/// Tests the next observers, one work unit each.
/// @param budget  NULL: all of them. @param jobs  NULL: runs in the calling thread.
/// @return PLOY_IN_PROGRESS while observers are left, then PLOY_OK; PLOY_ERR_STATE if no round was
/// begun.
PLOY_API ploy_result ploy_sight_batch_step(ploy_sight_batch *batch, ploy_budget *budget,
                                           const ploy_jobs *jobs);

/// Cancels the round; results found so far stay.
PLOY_API void ploy_sight_batch_cancel(ploy_sight_batch *batch);

/// Returns the targets that an observer sees, by ascending index.
/// @param count  how many. @return NULL with count 0 if it is out of range or not done yet.
PLOY_API const ploy_sight_pair *ploy_sight_batch_get(const ploy_sight_batch *batch,
                                                     int32_t observer, int32_t *count);
/// Returns the result for one pair, or NULL if the target is not seen.
PLOY_API const ploy_sight_pair *ploy_sight_batch_find(const ploy_sight_batch *batch,
                                                      int32_t observer, int32_t target);

/// Describes the round's progress and results as STATE.
PLOY_API void ploy_sight_batch_describe(const ploy_sight_batch *batch, ploy_describe *out);
/// Draws a line from each observer to each target that it sees.
PLOY_API void ploy_sight_batch_draw(const ploy_sight_batch *batch, ploy_draw *out);
PLOY_API void ploy_sight_batch_memory(const ploy_sight_batch *batch, ploy_memory_fn fn, void *user);
