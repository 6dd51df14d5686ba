/// @file ploy/data/learner_file.h
/// Learners as JSON files or compact bytes: the kind of learner, its schema, its settings and what
/// it learned.
///
///     {"format": "ploy learner", "version": 1, "learner": "id3",
///      "schema": {...}, "settings": {...}, "state": {...}}
///
/// Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/learn/learner.h"

#define PLOY_LEARNER_FILE_VERSION 1

/// Writes a learner, one item per line, so that files diff well. @return PLOY_ERR_STATE while it
///         trains, or the writer's error.
PLOY_API ploy_result ploy_learner_save(ploy_learner learner, ploy_writer *writer);
/// Writes the same as CBOR (ploy/data/cbor.h): fewer bytes, not readable by people.
/// @return as ploy_learner_save, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_learner_save_compact(ploy_learner learner, const ploy_env *env,
                                               ploy_writer *writer);
/// Reads either form; the caller destroys the learner.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT with the reasons in diags, PLOY_ERR_MEMORY; then *out is none.
PLOY_API ploy_result ploy_learner_load(const void *bytes, size_t size, const char *name,
                                       const ploy_env *env, ploy_diags *diags, ploy_learner *out);
