/// @file ploy/base/region.h
/// A region: a small heap that can be copied and restored, including its pointers.
///
/// All state of one simulation is in one region: a range of addresses reserved from the system,
/// including the heap's bookkeeping. A snapshot copies the used part; restoring copies it back to
/// the same addresses, so pointers stay valid and no object needs its own save function. Repeated
/// snapshots share the pages that did not change. Addresses depend only on the order of
/// allocations: the same calls give the same bytes.
///
/// Snapshots exist in memory only and belong to their region. Memory beyond the used part is always
/// zero, so the contents of a new block are repeatable too. Technique of the heap: two-level
/// segregated fit (Masmano et al., "TLSF", 2004), constant time, with these differences: block
/// headers hold both sizes, links are offsets, and the free tail is not a block but the end of the
/// used part.
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
///                  PLOY_REGION_MAX; memory is used only as needed where the system supports that
///                  (not in WebAssembly, where it is allocated at once). The bookkeeping takes
///                  about 4.5 KiB of it.
/// @param env       for bookkeeping outside the region (snapshots), log and clock.
/// @return PLOY_ERR_ARGUMENT for a capacity out of range; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_region_create(size_t capacity, const ploy_env *env, ploy_region **out);
/// Frees the region and the memory in it. Its snapshots must be destroyed first (asserted). NULL is
/// allowed.
PLOY_API void ploy_region_destroy(ploy_region *region);

/// Returns an env that allocates in the region; log, clock, zones and user are those given to
/// create. An allocation returns NULL if the region is full.
PLOY_API ploy_env ploy_region_env(ploy_region *region);

/// One pointer that is part of each snapshot: the start of the simulation's state.
PLOY_API void ploy_region_set_root(ploy_region *region, void *root);
PLOY_API void *ploy_region_root(const ploy_region *region);

/// Copies the state. Pages equal to those of the newest existing snapshot are shared, not copied.
PLOY_API ploy_result ploy_region_snapshot(ploy_region *region, ploy_snapshot **out);
/// Restores the state. Copies only the pages that differ; allocates nothing from env.
/// @return PLOY_ERR_ARGUMENT for NULL and for another region's snapshot; otherwise PLOY_OK.
PLOY_API ploy_result ploy_region_restore(ploy_region *region, const ploy_snapshot *snapshot);
/// NULL is allowed.
PLOY_API void ploy_snapshot_destroy(ploy_snapshot *snapshot);

/// Reports the used part and, separately, the memory of the snapshots.
PLOY_API void ploy_region_memory(const ploy_region *region, ploy_memory_fn fn, void *user);
