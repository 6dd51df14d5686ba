/// @file ploy/base/alloc.h
/// Allocators for tests and for looking: one that counts, one that fails on request; and the
/// memory report.
///
///     ploy_counting_allocator counting;
///     ploy_counting_allocator_init(&counting, NULL, true);
///     ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
///     ... use env ...
///     bool clean = ploy_counting_allocator_fini(&counting);
///
/// They wrap any other allocator and each other. Threads: one caller at a time.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/writer.h"

/// Counts what goes through it. Read any member, change none.
typedef struct ploy_counting_allocator {
    ploy_allocator inner;
    bool check_sizes;
    int64_t live_bytes;  ///< held right now, as asked for
    int64_t live_blocks; ///< held right now
    int64_t peak_bytes;  ///< the most there ever were
    int64_t peak_blocks;
    int64_t allocations; ///< calls that requested memory: new blocks and resizes
    int64_t frees;
    int64_t failures;    ///< calls that requested memory and got none
    int64_t wrong_sizes; ///< frees and resizes with another old size than was requested, if checked
} ploy_counting_allocator;

/// @param inner        where memory comes from; NULL means the default env's allocator.
/// @param check_sizes  remembers the size of each block, in 16 bytes before it, and compares.
PLOY_API void ploy_counting_allocator_init(ploy_counting_allocator *counting,
                                           const ploy_allocator *inner, bool check_sizes);
/// Ends the counting. @return true if nothing is held any more and no size was wrong.
PLOY_API bool ploy_counting_allocator_fini(ploy_counting_allocator *counting);
/// The allocator to hand on; valid while `counting` stays where it is.
PLOY_API ploy_allocator ploy_counting_allocator_get(ploy_counting_allocator *counting);

/// Fails one allocation, or all from one on: for testing how code behaves when memory is short.
/// Run the code with fail_at 1, 2, 3, ... until `allocations` stays below it: then every
/// allocation has failed once.
typedef struct ploy_failing_allocator {
    ploy_allocator inner;
    int64_t fail_at; ///< the allocation to fail, from 1; 0 or less fails none
    bool from_then_on;
    int64_t allocations; ///< calls that requested memory, failed ones counted
    int64_t failures;    ///< failed on request
} ploy_failing_allocator;

/// @param inner  where memory comes from; NULL means the default env's allocator.
PLOY_API void ploy_failing_allocator_init(ploy_failing_allocator *failing,
                                          const ploy_allocator *inner, int64_t fail_at,
                                          bool from_then_on);
/// The allocator to hand on; valid while `failing` stays where it is. Frees always work.
PLOY_API ploy_allocator ploy_failing_allocator_get(ploy_failing_allocator *failing);

/// Collects memory items into a table of text:
///
///     engine
///       arena                         4160 bytes      2 blocks
///       map                            520 bytes      1 block
///     total                           4680 bytes      3 blocks
typedef struct ploy_memory_report {
    ploy_writer *writer;
    uint64_t bytes; ///< of all items so far
    int64_t blocks;
} ploy_memory_report;

/// Begins a report that goes to the writer.
PLOY_API void ploy_memory_report_init(ploy_memory_report *report, ploy_writer *writer);
/// A heading for the items that follow.
PLOY_API void ploy_memory_report_section(ploy_memory_report *report, const char *name);
/// Adds one item. A ploy_memory_fn: `ploy_map_memory(&map, ploy_memory_report_add, &report)`.
PLOY_API void ploy_memory_report_add(void *report, const ploy_memory_item *item);
/// Writes the total. @return the writer's error.
PLOY_API ploy_result ploy_memory_report_fini(ploy_memory_report *report);
