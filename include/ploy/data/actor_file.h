/// @file ploy/data/actor_file.h
/// Actors as JSON files or compact bytes: the kind of actor, its space, its settings and what it
/// learned.
///
///     {"format": "ploy actor", "version": 1, "actor": "q", "seed": 1,
///      "space": {...}, "settings": {...}, "state": {...}}
///
/// Train an actor while the game is made, ship the file, and let it act frozen in play or learn on.
/// Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/learn/actor.h"

#define PLOY_ACTOR_FILE_VERSION 1

/// Writes an actor, one item per line, so that files diff well. @return the writer's error.
PLOY_API ploy_result ploy_actor_save(ploy_actor actor, ploy_writer *writer);
/// Writes the same as CBOR (ploy/data/cbor.h): fewer bytes, not readable by people.
/// @return the writer's error, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_actor_save_compact(ploy_actor actor, const ploy_env *env,
                                             ploy_writer *writer);
/// Reads either form; the caller destroys the actor.
/// @param problem  that it will act in: a file for another space is refused, and a "td" actor gets
///                 its model. NULL: any space, and "td" has no model.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT with the reasons in diags, PLOY_ERR_MEMORY; then *out is none.
PLOY_API ploy_result ploy_actor_load(const void *bytes, size_t size, const char *name,
                                     const ploy_problem_type *problem, const ploy_env *env,
                                     ploy_diags *diags, ploy_actor *out);
