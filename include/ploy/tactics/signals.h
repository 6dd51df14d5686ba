/// @file ploy/tactics/signals.h
/// A store of signals: names that are set or not, each in a scope.
///
/// Scripts of several characters synchronise through it, and the game sets signals for its own
/// events ("boom"). A scope is a number that the caller chooses, for instance one per squad, so
/// that two squads with the same script do not release each other's waits. Scope 0 is shared by
/// all.
///
/// Technique: the hash store of Millington, "AI for Games", 3rd ed. 2019, 6.5.5, with scopes, a
/// time for each signal and a purge of old ones. Cost: O(log count); setting a new one O(count).
/// Allocates only when it grows past def.capacity. Threads: one caller at a time, or any number of
/// readers.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/name.h"
#include "ploy/base/visit.h"

typedef struct ploy_signals_def {
    uint32_t cookie;
    int32_t capacity; ///< signals that fit before it grows
    float lifetime;   ///< s after which ploy_signals_purge removes one; 0: never
} ploy_signals_def;

PLOY_API ploy_signals_def ploy_signals_def_default(void);
PLOY_API ploy_fields ploy_signals_fields(void);

/// Opaque.
typedef struct ploy_signals ploy_signals;

PLOY_API ploy_result ploy_signals_create(const ploy_signals_def *def, const ploy_env *env,
                                         ploy_signals **out);
/// NULL is allowed.
PLOY_API void ploy_signals_destroy(ploy_signals *signals);

/// Sets a signal; setting it again updates its time. @return PLOY_ERR_ARGUMENT for none,
/// PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_signals_set(ploy_signals *signals, uint64_t scope, ploy_name name,
                                      double now);
PLOY_API bool ploy_signals_has(const ploy_signals *signals, uint64_t scope, ploy_name name);
/// @return whether it was set.
PLOY_API bool ploy_signals_clear(ploy_signals *signals, uint64_t scope, ploy_name name);
/// Clears all signals of a scope. @return how many there were.
PLOY_API int32_t ploy_signals_clear_scope(ploy_signals *signals, uint64_t scope);
/// Clears signals that were set def.lifetime seconds ago or earlier. @return how many there were.
PLOY_API int32_t ploy_signals_purge(ploy_signals *signals, double now);
PLOY_API int32_t ploy_signals_count(const ploy_signals *signals);

/// Visits a ploy_signals (ploy/base/visit.h).
PLOY_API void ploy_signals_visit(ploy_visit *v, void *signals);
PLOY_API void ploy_signals_describe(const ploy_signals *signals, ploy_describe *out);
PLOY_API void ploy_signals_memory(const ploy_signals *signals, ploy_memory_fn fn, void *user);
