/// @file ploy/decide/semaphore.h
/// Semaphores by name: limited resources that characters share, such as a speech channel, ten
/// path finders or a place behind a wall.
///
/// A registry holds the semaphores. The first request for a name creates the semaphore; later
/// requests get the same one. A behavior tree's SemaphoreGuard holds a semaphore while its child
/// runs and releases it however the child ends (Millington, "AI for Games", resource guarding).
///
/// The registry is state: create it in the simulation's env, so that it rewinds with the
/// characters. Cost: acquire and release O(1); get O(semaphores). Threads: one caller at a time, so
/// characters that share a registry think one after the other.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"

/// Maximum length of a semaphore's name, including the terminating zero.
#define PLOY_SEMAPHORE_NAME_MAX 64

/// A registry of semaphores. Opaque.
typedef struct ploy_semaphores ploy_semaphores;

PLOY_API ploy_result ploy_semaphores_create(const ploy_env *env, ploy_semaphores **out);
/// NULL is allowed.
PLOY_API void ploy_semaphores_destroy(ploy_semaphores *semaphores);

/// Gets the semaphore with that name, created with room for `maximum` users if it is new.
/// @param out  its number, from 0, valid as long as the registry exists.
/// @return PLOY_ERR_EXISTS if it exists with a different maximum: *out is set and the old maximum
///         holds; PLOY_ERR_ARGUMENT for a maximum below 1 or a name that is empty or too long;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_semaphores_get(ploy_semaphores *semaphores, const char *name,
                                         int32_t maximum, int32_t *out);

/// Takes one place. @return false if all are taken or there is no such semaphore.
PLOY_API bool ploy_semaphores_acquire(ploy_semaphores *semaphores, int32_t semaphore);
/// Gives one place back; nothing happens if none is taken.
PLOY_API void ploy_semaphores_release(ploy_semaphores *semaphores, int32_t semaphore);

/// Shows the users and the maximum of each semaphore under its name.
PLOY_API void ploy_semaphores_describe(const ploy_semaphores *semaphores, ploy_describe *out);
