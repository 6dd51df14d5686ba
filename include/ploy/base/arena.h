/// @file ploy/base/arena.h
/// An arena: scratch memory that is handed out quickly and given back all at once.
///
/// Allocation moves a pointer; reset moves it back. The arena grows by blocks when it must and, at
/// the next reset, joins them into one, so a warmed-up frame allocates nothing. Never holds state:
/// what must survive the step goes elsewhere. Debug builds overwrite memory that is given back, so
/// that a pointer kept too long shows.
///
/// Threads: one caller at a time; each worker has its own.
#pragma once

#include "ploy/base/env.h"

typedef struct ploy_arena ploy_arena;

/// @param first_size  bytes of the first block, taken now; 0 waits until something is requested.
/// @param limit       most bytes of all blocks together; 0 means no limit.
/// @return PLOY_ERR_ARGUMENT if first_size is above the limit; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_arena_create(size_t first_size, size_t limit, const ploy_env *env,
                                       ploy_arena **out);
/// NULL is allowed.
PLOY_API void ploy_arena_destroy(ploy_arena *arena);

/// Returns size bytes aligned to PLOY_ALIGNMENT, not initialised, or NULL if memory or the limit
/// is short. Valid until reset or rewind. Size 0 gives a pointer too, so that NULL always means
/// failure.
PLOY_API void *ploy_arena_alloc(ploy_arena *arena, size_t size);
/// Returns count * size zero bytes, or NULL (also if the product overflows or count is negative).
PLOY_API void *ploy_arena_alloc_array(ploy_arena *arena, int64_t count, size_t size);

/// A moment to come back to. Good until the next reset, or a rewind to an earlier one.
typedef struct ploy_arena_mark {
    void *block;
    size_t used;
} ploy_arena_mark;
PLOY_API ploy_arena_mark ploy_arena_mark_of(const ploy_arena *arena);
/// Frees everything allocated since the mark. Its memory stays for what comes next.
PLOY_API void ploy_arena_rewind(ploy_arena *arena, ploy_arena_mark mark);

/// Frees everything; joins blocks if there were several. The old blocks go back before the joined
/// one is taken, so the limit holds throughout; if that allocation fails, the arena restarts.
PLOY_API void ploy_arena_reset(ploy_arena *arena);

/// Bytes handed out since the last reset (each rounded up to PLOY_ALIGNMENT), and the most there
/// ever were.
PLOY_API size_t ploy_arena_used(const ploy_arena *arena);
/// Reports the blocks held.
PLOY_API void ploy_arena_memory(const ploy_arena *arena, ploy_memory_fn fn, void *user);
