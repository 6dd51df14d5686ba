/// @file ploy/base/region.h
/// A region: a small heap that can be copied and put back, pointers and all.
///
/// All state of one simulation lives in one region: a range of addresses reserved from the system,
/// with the heap's own bookkeeping inside. A snapshot copies the used part; restoring copies it
/// back to the same addresses, so pointers stay right and nothing needs to know how to save itself.
/// Repeated snapshots share the pages that did not change. Allocation order decides addresses,
/// nothing else does: the same calls give the same bytes.
///
/// Snapshots live in memory only and belong to their region. Memory past the used part is always
/// zero, so what a new block holds is repeatable too. Technique of the heap: two-level segregated
/// fit (Masmano et al., "TLSF", 2004), constant time, with these differences: block headers hold
/// both sizes, links are offsets, and the free tail is not a block but the end of the used part.
///
/// Cost: 16 bytes for each block, sizes rounded up to 16; allocating, freeing and resizing in place
/// O(1), plus the bytes zeroed when a free tail of 64 KiB or more leaves the used part. Snapshot
/// and restore O(used part).
/// Threads: one caller at a time; workers never allocate from a region.
#pragma once

#include "ploy/base/env.h"

typedef struct ploy_region ploy_region;
typedef struct ploy_snapshot ploy_snapshot;

/// Bytes of a page, the unit that snapshots share.
#define PLOY_REGION_PAGE 4096

/// Smallest and largest capacity, in bytes.
#define PLOY_REGION_MIN 16384
#define PLOY_REGION_MAX (INT64_C(1) << 40)

/// @param capacity  bytes of addresses reserved, rounded up to pages, PLOY_REGION_MIN to
///                  PLOY_REGION_MAX; memory is used only as it is needed where the system can do
///                  that (not in WebAssembly, where it is taken at once). About 4.5 KiB of it hold
///                  the bookkeeping.
/// @param env       for the bookkeeping outside (snapshots), log and clock.
/// @return PLOY_ERR_ARGUMENT for another capacity; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_region_create(size_t capacity, const ploy_env *env, ploy_region **out);
/// Frees it and the memory in it. Its snapshots must be gone before (asserted). NULL is allowed.
PLOY_API void ploy_region_destroy(ploy_region *region);

/// An env that allocates in the region (log, clock, zones and user as given to create). Out of
/// addresses is NULL.
PLOY_API ploy_env ploy_region_env(ploy_region *region);

/// One pointer that survives snapshots: where the simulation's state begins.
PLOY_API void ploy_region_set_root(ploy_region *region, void *root);
PLOY_API void *ploy_region_root(const ploy_region *region);

/// Copies the state. Pages equal to those of the newest living snapshot are shared, not copied.
PLOY_API ploy_result ploy_region_snapshot(ploy_region *region, ploy_snapshot **out);
/// Puts the state back. Copies only the pages that differ, allocates nothing from env.
/// @return PLOY_ERR_ARGUMENT for NULL and for another region's snapshot; otherwise PLOY_OK.
PLOY_API ploy_result ploy_region_restore(ploy_region *region, const ploy_snapshot *snapshot);
/// NULL is allowed.
PLOY_API void ploy_snapshot_destroy(ploy_snapshot *snapshot);

/// Reports the used part and, apart from it, what the snapshots hold.
PLOY_API void ploy_region_memory(const ploy_region *region, ploy_memory_fn fn, void *user);
