/// @file ploy/base/arena.h
/// An arena: scratch memory that is allocated quickly and freed all at once.
///
/// Allocation moves a pointer; reset moves it back. The arena grows by blocks when needed and joins
/// them into one at the next reset, so a warmed-up frame allocates nothing. An arena never holds
/// state: anything that must survive the step is stored elsewhere. Debug builds overwrite freed
/// memory, so that a stale pointer is noticed.
///
/// Threads: one caller at a time; each worker has its own.
#pragma once

#include "ploy/base/env.h"

typedef struct ploy_arena ploy_arena;

/// @param first_size  bytes of the first block, allocated now; 0 waits for the first request.
/// @param limit       most bytes of all blocks together; 0 means no limit.
/// @return PLOY_ERR_ARGUMENT if first_size is above the limit; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_arena_create(size_t first_size, size_t limit, const ploy_env *env,
                                       ploy_arena **out);
/// NULL is allowed.
PLOY_API void ploy_arena_destroy(ploy_arena *arena);

/// Returns size uninitialised bytes aligned to PLOY_ALIGNMENT, or NULL if out of memory or above
/// the limit. Valid until reset or rewind. Size 0 also returns a pointer, so that NULL always means
/// failure.
PLOY_API void *ploy_arena_alloc(ploy_arena *arena, size_t size);
/// Returns count * size zeroed bytes, or NULL (also if the product overflows or count is negative).
PLOY_API void *ploy_arena_alloc_array(ploy_arena *arena, int64_t count, size_t size);

/// A position to rewind to. Valid until the next reset, or a rewind to an earlier mark.
typedef struct ploy_arena_mark {
    void *block;
    size_t used;
} ploy_arena_mark;
PLOY_API ploy_arena_mark ploy_arena_mark_of(const ploy_arena *arena);
/// Frees everything allocated since the mark. The arena keeps the memory for later allocations.
PLOY_API void ploy_arena_rewind(ploy_arena *arena, ploy_arena_mark mark);

/// Frees everything; joins blocks if there were several. The old blocks are freed before the joined
/// one is allocated, so the limit always holds; if that allocation fails, the arena starts again
/// without a block.
PLOY_API void ploy_arena_reset(ploy_arena *arena);

/// Returns the bytes allocated since the last reset, each allocation rounded up to PLOY_ALIGNMENT.
PLOY_API size_t ploy_arena_used(const ploy_arena *arena);
/// Reports the blocks held.
PLOY_API void ploy_arena_memory(const ploy_arena *arena, ploy_memory_fn fn, void *user);
