/// @file ploy/learn/experience.h
/// The experience log: everything that a learner or an actor was given, so that it can be rebuilt.
///
/// A bug in a learner is often found hours later. The log of a learner keeps each example, that of
/// an actor each situation, action, reward and score; both keep resets and freezes. Replaying it
/// into a learner or actor of the same kind, schema or space, settings and seed gives the same
/// bytes.
///
///     ploy_experience_create_actor(actor, 1 << 20, &env, &log);
///     ploy_experience_choose(log, &now, &action);                           // instead of
///     ploy_experience_learn(log, &now, action, result, &next, next_action); // ploy_actor_...
///     bytes = ploy_experience_bytes(log, &size);          // into the report of the bug
///     ploy_experience_replay_actor(fresh, bytes, size);   // the same actor, to the bit
///
/// Header: "PLOYEXP1" and a little-endian hash of kind, schema or space, settings and seed; then
/// records of one byte and what belongs to it, little-endian: an example has one double for each
/// column; a situation its state, which parts it has, its observation and a bit for each allowed
/// action.
///
/// Cost: 1 + 8 x columns bytes per example; about 30 + 8 x observed bytes per step of an actor.
/// Threads: one caller.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/learn/actor.h"
#include "ploy/learn/learner.h"

/// A log under way. Opaque.
typedef struct ploy_experience ploy_experience;

/// Starts a log for a learner, which must be newly created.
/// @param max_bytes  of the log; later records are refused.
PLOY_API ploy_result ploy_experience_create(ploy_learner learner, size_t max_bytes,
                                            const ploy_env *env, ploy_experience **out);
/// The same for an actor.
PLOY_API ploy_result ploy_experience_create_actor(ploy_actor actor, size_t max_bytes,
                                                  const ploy_env *env, ploy_experience **out);
/// NULL is allowed.
PLOY_API void ploy_experience_destroy(ploy_experience *log);

/// Each calls the function of that name of the learner or actor and records the call if it
/// succeeded.
/// @return as that function; PLOY_ERR_LIMIT or PLOY_ERR_MEMORY if the log is full, and then nothing
///         has changed; PLOY_ERR_ARGUMENT for a log of the other sort.
PLOY_API ploy_result ploy_experience_reset(ploy_experience *log);
PLOY_API ploy_result ploy_experience_freeze(ploy_experience *log, bool frozen);
/// Of learners.
PLOY_API ploy_result ploy_experience_observe(ploy_experience *log, const double *example);
/// Of actors. Choosing is recorded because exploration draws random numbers.
/// @return PLOY_ERR_ARGUMENT also for a situation that the actor's space does not have.
PLOY_API ploy_result ploy_experience_choose(ploy_experience *log, const ploy_situation *now,
                                            int32_t *action);
PLOY_API ploy_result ploy_experience_learn(ploy_experience *log, const ploy_situation *now,
                                           int32_t action, ploy_problem_result result,
                                           const ploy_situation *next, int32_t next_action);
/// @param kept  whether the net was kept; may be NULL.
PLOY_API ploy_result ploy_experience_keep_best(ploy_experience *log, double score, bool *kept);

/// The log so far, valid until the next record.
PLOY_API const void *ploy_experience_bytes(const ploy_experience *log, size_t *size);

/// The visitor of a log. It saves the records; learner and actor have their own visitors, so a game
/// that goes on after a load saves both. A load refuses records of another kind, schema, space,
/// settings or seed.
PLOY_API void ploy_experience_visit(ploy_visit *v, void *object);

/// Applies a log to a newly created learner.
/// @return PLOY_ERR_FORMAT if the bytes are not a log of such a learner, PLOY_ERR_MEMORY; the
///         learner is unchanged after PLOY_ERR_FORMAT.
PLOY_API ploy_result ploy_experience_replay(ploy_learner learner, const void *bytes, size_t size);
/// Applies a log to a newly created actor. @return as ploy_experience_replay.
PLOY_API ploy_result ploy_experience_replay_actor(ploy_actor actor, const void *bytes, size_t size);
