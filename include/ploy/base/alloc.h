/// @file ploy/base/alloc.h
/// Allocators for tests and measurement: one counts, one fails on request. Also the memory report.
///
///     ploy_counting_allocator counting;
///     ploy_counting_allocator_init(&counting, NULL, true);
///     ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
///     ... use env ...
///     bool clean = ploy_counting_allocator_fini(&counting);
///
/// They can wrap any other allocator, including each other. Threads: one caller at a time.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/writer.h"

/// Counts allocations. All members may be read but not changed.
typedef struct ploy_counting_allocator {
    ploy_allocator inner;
    bool check_sizes;
    int64_t live_bytes;  ///< held now, as requested
    int64_t live_blocks; ///< held now
    int64_t peak_bytes;  ///< most ever held
    int64_t peak_blocks;
    int64_t allocations; ///< calls that requested memory: new blocks and resizes
    int64_t frees;
    int64_t failures;    ///< calls that requested memory and failed
    int64_t wrong_sizes; ///< frees and resizes with a wrong old size, if checked
} ploy_counting_allocator;

/// @param inner        where memory comes from; NULL means the default env's allocator.
/// @param check_sizes  stores the size of each block in 16 bytes before it, and compares.
PLOY_API void ploy_counting_allocator_init(ploy_counting_allocator *counting,
                                           const ploy_allocator *inner, bool check_sizes);
/// Ends the counting. @return true if no memory is held and no size was wrong.
PLOY_API bool ploy_counting_allocator_fini(ploy_counting_allocator *counting);
/// Returns the allocator to pass on; valid while `counting` exists and is not moved.
PLOY_API ploy_allocator ploy_counting_allocator_get(ploy_counting_allocator *counting);

/// Fails one allocation, or all from one on, to test how code behaves when out of memory. Run the
/// code with fail_at 1, 2, 3, ... until `allocations` stays below fail_at; every allocation has
/// then failed once.
typedef struct ploy_failing_allocator {
    ploy_allocator inner;
    int64_t fail_at; ///< the allocation to fail, from 1; 0 or less fails none
    bool from_then_on;
    int64_t allocations; ///< calls that requested memory, including failed calls
    int64_t failures;    ///< failed on request
} ploy_failing_allocator;

/// @param inner  where memory comes from; NULL means the default env's allocator.
PLOY_API void ploy_failing_allocator_init(ploy_failing_allocator *failing,
                                          const ploy_allocator *inner, int64_t fail_at,
                                          bool from_then_on);
/// Returns the allocator to pass on; valid while `failing` exists and is not moved. Frees always
/// succeed.
PLOY_API ploy_allocator ploy_failing_allocator_get(ploy_failing_allocator *failing);

/// Writes memory items as a text table:
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

/// Begins a report to the writer.
PLOY_API void ploy_memory_report_init(ploy_memory_report *report, ploy_writer *writer);
/// Adds one item. A ploy_memory_fn: `ploy_map_memory(&map, ploy_memory_report_add, &report)`.
PLOY_API void ploy_memory_report_add(void *report, const ploy_memory_item *item);
/// Writes the total. @return the writer's error.
PLOY_API ploy_result ploy_memory_report_fini(ploy_memory_report *report);
