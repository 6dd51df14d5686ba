/// @file ploy/world/sense_log.h
/// Which agents sensed what, when and through what; and which did not, and why.
///
/// A ring buffer of the last tests that sense managers made. "Why did the guard not hear me?" is
/// one call. The log is for people only: nothing reads it to make decisions, describe marks it as
/// NOTE, and managers work the same without it.
///
/// Cost: adding is a copy; allocates only in create. Units: metres, seconds.
/// Threads: one caller at a time.
#pragma once

#include "ploy/base/visit.h"
#include "ploy/world/sense.h"

/// One test.
typedef struct ploy_sense_entry {
    ploy_agent_id sensor;
    ploy_agent_id source;
    ploy_name cause;
    uint64_t order;  ///< of the signal
    double time;     ///< s
    float intensity; ///< intensity that arrived
    float threshold; ///< minimum that the sensor required
    float distance;  ///< m
    int32_t modality;
    ploy_sense_method method;
    int32_t through;
    ploy_sense_reason reason;
    int32_t detail;
} ploy_sense_entry;

/// The ring buffer. Opaque.
typedef struct ploy_sense_log ploy_sense_log;

/// @param capacity  entries kept, 1 to 2^20.
PLOY_API ploy_result ploy_sense_log_create(int32_t capacity, const ploy_env *env,
                                           ploy_sense_log **out);
/// NULL is allowed.
PLOY_API void ploy_sense_log_destroy(ploy_sense_log *log);
/// Returns the number of entries kept now.
PLOY_API int32_t ploy_sense_log_count(const ploy_sense_log *log);
/// @param age  0 is the newest. NULL out of range.
PLOY_API const ploy_sense_entry *ploy_sense_log_get(const ploy_sense_log *log, int32_t age);
/// Returns the newest entry of a sensor about a source, or about one signal: "why did it not hear?"
/// @param order  of the signal; UINT64_MAX for any. @return NULL if none is kept.
PLOY_API const ploy_sense_entry *ploy_sense_log_find(const ploy_sense_log *log,
                                                     ploy_agent_id sensor, ploy_agent_id source,
                                                     uint64_t order);
PLOY_API void ploy_sense_log_clear(ploy_sense_log *log);
/// Describes the newest entries, newest first, as NOTE. @param most  maximum number of entries
/// described.
PLOY_API void ploy_sense_log_describe(const ploy_sense_log *log, int32_t most, ploy_describe *out);
/// The log's visitor, for saves; a load needs a log of the same capacity. Nothing is hashed: all
/// entries are notes. The context is the maximum number of entries described, a const int32_t *, or
/// NULL for all.
PLOY_API void ploy_sense_log_visit(ploy_visit *v, void *log);
PLOY_API void ploy_sense_log_memory(const ploy_sense_log *log, ploy_memory_fn fn, void *user);
