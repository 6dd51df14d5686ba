/// @file ploy/learn/experience.h
/// The experience log: every example that a learner was given, so that the learner can be rebuilt.
///
/// A bug in a learner is often found hours later. The log keeps each example, reset and freeze in
/// the order of play; replaying it into a learner of the same kind, schema and settings gives the
/// same bytes. Header: "PLOYEXP1", name and hash of schema and settings; then records of one byte
/// and, for an example, one little-endian double for each column.
///
/// Cost: 1 + 8 x columns bytes per example. Threads: one caller.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/learn/learner.h"

/// A log under way. Opaque.
typedef struct ploy_experience ploy_experience;

/// Starts a log for a learner, which must be newly created.
/// @param max_bytes  of the log; later records are refused.
PLOY_API ploy_result ploy_experience_create(ploy_learner learner, size_t max_bytes,
                                            const ploy_env *env, ploy_experience **out);
/// NULL is allowed.
PLOY_API void ploy_experience_destroy(ploy_experience *log);

/// Each calls the learner's function of that name and records the call if it succeeded.
/// @return as that function; PLOY_ERR_LIMIT or PLOY_ERR_MEMORY if the log is full, and then the
///         learner has not changed.
PLOY_API ploy_result ploy_experience_observe(ploy_experience *log, const double *example);
PLOY_API ploy_result ploy_experience_reset(ploy_experience *log);
PLOY_API ploy_result ploy_experience_freeze(ploy_experience *log, bool frozen);

/// The log so far, valid until the next record.
PLOY_API const void *ploy_experience_bytes(const ploy_experience *log, size_t *size);

/// Applies a log to a newly created learner.
/// @return PLOY_ERR_FORMAT if the bytes are not a log of such a learner, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_experience_replay(ploy_learner learner, const void *bytes, size_t size);
