/// @file ploy/base/env.h
/// The services a game hands to ploy: memory, log, clock, profiling zones.
///
/// Every create takes a `const ploy_env *` and keeps a copy, so the caller's may leave scope. The
/// objects behind the callbacks' `user` pointers must stay valid. There are no globals: two objects
/// with separate envs share nothing. ploy_env_default() is malloc, the system's clock, no zones,
/// and in debug builds a log on standard error.
///
/// Threads: the default env may be used from any thread. Whether a custom env may depends on its
/// callbacks. ploy never allocates from worker threads.
#pragma once

#include "ploy/base/result.h"

/// One function allocates, grows, shrinks and frees, and always receives the old size.
/// - ptr NULL, new_size > 0: allocate. - new_size 0: free, the return value is ignored.
/// - otherwise: resize, contents kept up to the smaller size. NULL on failure, ptr still valid.
///   Blocks are aligned to at least PLOY_ALIGNMENT bytes.
typedef void *(*ploy_resize_fn)(void *user, void *ptr, size_t old_size, size_t new_size);

/// Alignment of every block an allocator returns, in bytes.
#define PLOY_ALIGNMENT 16

typedef struct ploy_allocator {
    ploy_resize_fn resize;
    void *user;
} ploy_allocator;

typedef enum ploy_severity {
    PLOY_SEVERITY_DEBUG,
    PLOY_SEVERITY_INFO,
    PLOY_SEVERITY_WARNING,
    PLOY_SEVERITY_ERROR
} ploy_severity;

/// "debug", "info", "warning", "error".
PLOY_API const char *ploy_severity_text(ploy_severity severity);

/// Receives one message, a single line without a newline, valid only during the call.
typedef void (*ploy_log_fn)(void *user, ploy_severity severity, const char *text);

/// Returns the nanoseconds of a clock that never goes back. Only deadlines, zones and statistics
/// read it; no result depends on it.
typedef uint64_t (*ploy_clock_fn)(void *user);

/// Marks the begin or end of a stretch of work for the host's profiler. Names are string constants.
typedef void (*ploy_zone_fn)(void *user, const char *name);

typedef struct ploy_env {
    ploy_allocator allocator;
    ploy_log_fn log; ///< NULL: messages are dropped
    void *log_user;
    ploy_clock_fn clock; ///< NULL: the system's
    void *clock_user;
    ploy_zone_fn zone_begin; ///< NULL: none
    ploy_zone_fn zone_end;
    void *zone_user;
    void *user; ///< the game's own; ploy never reads it
} ploy_env;

/// Returns an env with malloc, the system's clock and no zones. The log is ploy_log_stderr if ploy
/// was compiled without NDEBUG, otherwise none.
PLOY_API ploy_env ploy_env_default(void);

/// A log that writes warnings and errors to standard error, one line each: `ploy: error: ...`. Set
/// env.log to it to see why a call returned an error.
PLOY_API void ploy_log_stderr(void *user, ploy_severity severity, const char *text);

/// Returns an env with the given allocator, the system's clock, no log and no zones.
PLOY_API ploy_env ploy_env_with_allocator(ploy_allocator allocator);

/// Returns size uninitialised bytes, or NULL. Also returns NULL for size 0, if env is NULL or if it
/// has no allocator.
PLOY_API void *ploy_env_alloc(const ploy_env *env, size_t size);

/// Returns size zeroed bytes, or NULL.
PLOY_API void *ploy_env_alloc_zero(const ploy_env *env, size_t size);

/// Resizes a block. If it returns NULL, the old block is unchanged.
PLOY_API void *ploy_env_resize(const ploy_env *env, void *ptr, size_t old_size, size_t new_size);

/// Frees a block of the given size. NULL is allowed.
PLOY_API void ploy_env_free(const ploy_env *env, void *ptr, size_t size);

/// Sends a message to the log, if there is one.
PLOY_API void ploy_env_log(const ploy_env *env, ploy_severity severity, const char *text);

/// Returns the nanoseconds of the env's clock.
PLOY_API uint64_t ploy_env_clock(const ploy_env *env);

/// Mark the begin and the end of a stretch of work for the host's profiler, if there is one.
PLOY_API void ploy_env_zone_begin(const ploy_env *env, const char *name);
PLOY_API void ploy_env_zone_end(const ploy_env *env, const char *name);

/// Computes base + count * size, the size in bytes of a struct with a trailing array.
/// @return false, with out unchanged, if count is negative or the sum overflows size_t.
PLOY_API bool ploy_size_add_array(size_t base, int64_t count, size_t size, size_t *out);

/// Returns true if [first, first + count) is within [0, length). Never overflows.
PLOY_API bool ploy_range_within(int32_t first, int32_t count, int32_t length);

/// Returns true if min <= value <= max; false for NaN.
PLOY_API bool ploy_in_range(float value, float min, float max);

/// One line of a memory report: the memory of one part of an object.
typedef struct ploy_memory_item {
    const char *name;
    size_t bytes;
    int64_t blocks;
} ploy_memory_item;

/// Receives the parts of an object's memory one by one. Objects that own memory have
/// `ploy_x_memory(const ploy_x *, ploy_memory_fn, void *user)`.
typedef void (*ploy_memory_fn)(void *user, const ploy_memory_item *item);
