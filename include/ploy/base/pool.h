/// @file ploy/base/pool.h
/// A pool: items of one size that are added and removed, referenced by ids that detect removal.
///
/// Items are stored in chunks that never move, so a pointer to an item stays valid until that item
/// is removed, however much the pool grows. A reused slot gets the next generation, so a stale id
/// finds nothing. The next slot is deterministic: the one freed last (it is still in the cache), or
/// the next unused index if none is free. Iteration is by index, not by age.
///
/// Cost: add, get and remove O(1); iterating O(slots). Allocates only when it grows. Threads: get
/// and next from many threads at once; everything else one caller at a time.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/id.h"

typedef struct ploy_pool ploy_pool;

/// Most items of a pool.
#define PLOY_POOL_MAX (1 << 28)

/// @param item_size    bytes of an item, 1 to 2^20.
/// @param chunk_items  items allocated at a time, rounded up to a power of two; 0 means 64. At most
///                     2^20.
/// @param limit        most items; 0 means PLOY_POOL_MAX.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_pool_create(size_t item_size, int32_t chunk_items, int32_t limit,
                                      const ploy_env *env, ploy_pool **out);
/// Frees the pool and all items. NULL is allowed.
PLOY_API void ploy_pool_destroy(ploy_pool *pool);

/// Makes room for `count` items in total, so that no add allocates up to that number.
/// @return PLOY_ERR_ARGUMENT if count is negative or above the limit, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_pool_reserve(ploy_pool *pool, int32_t count);

/// Adds a zeroed item.
/// @param item  receives its address; may be NULL.
/// @return PLOY_ERR_CAPACITY at the limit, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_pool_add(ploy_pool *pool, ploy_id *id, void **item);

/// Returns the item of an id, or NULL if the id is stale, from another pool or none.
PLOY_API void *ploy_pool_get(const ploy_pool *pool, ploy_id id);

/// Removes an item. @return false if the id is stale.
PLOY_API bool ploy_pool_remove(ploy_pool *pool, ploy_id id);

/// Removes all items, keeping the memory. Every existing id becomes stale; the next adds use
/// indices 0, 1, 2, ...
PLOY_API void ploy_pool_clear(ploy_pool *pool);

PLOY_API int32_t ploy_pool_count(const ploy_pool *pool);

/// Returns the id of the item at an index, or none if there is none.
PLOY_API ploy_id ploy_pool_id_at(const ploy_pool *pool, uint32_t index);

/// Iterates over the items in index order: start with a cursor of 0 and call until it returns
/// false. Removing during iteration is allowed; an item added during iteration may or may not be
/// visited.
/// @param id, item  set if it returns true; may be NULL.
PLOY_API bool ploy_pool_next(const ploy_pool *pool, uint32_t *cursor, ploy_id *id, void **item);

/// Reports the bytes held.
PLOY_API void ploy_pool_memory(const ploy_pool *pool, ploy_memory_fn fn, void *user);
