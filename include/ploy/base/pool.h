/// @file ploy/base/pool.h
/// A pool: items of one size that come and go, named by ids that know when theirs is gone.
///
/// Items lie in chunks that never move, so a pointer to an item stays valid until that item is
/// removed, however much the pool grows. A place that is used again gets the next generation, so
/// an old id finds nothing. Which place comes next is fixed: the one freed last (it is still in the
/// cache); if none is free, the next unused index. Walking goes by index, not by age.
///
/// Cost: add, get and remove O(1); walking O(places). Allocates only when it grows.
/// Threads: get and next from many at a time; everything else one caller.
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

/// Makes room for `count` items in all, so that no add allocates until there are more.
/// @return PLOY_ERR_ARGUMENT if count is negative or above the limit, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_pool_reserve(ploy_pool *pool, int32_t count);

/// Adds an item, all zero.
/// @param item  where it lies; may be NULL.
/// @return PLOY_ERR_CAPACITY at the limit, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_pool_add(ploy_pool *pool, ploy_id *id, void **item);

/// The item of an id, or NULL if it is gone, of another pool's making or none.
PLOY_API void *ploy_pool_get(const ploy_pool *pool, ploy_id id);

/// Removes an item. @return false if the id is stale.
PLOY_API bool ploy_pool_remove(ploy_pool *pool, ploy_id id);

/// Removes all items, keeping the memory. Every id given out becomes stale; the next adds take
/// indexes 0, 1, 2, ...
PLOY_API void ploy_pool_clear(ploy_pool *pool);

PLOY_API int32_t ploy_pool_count(const ploy_pool *pool);

/// The id of the item at an index, or none if there is none.
PLOY_API ploy_id ploy_pool_id_at(const ploy_pool *pool, uint32_t index);

/// Walks the items in the order of their indexes: start with a cursor of 0 and call until it
/// returns false. Removing while walking is allowed; an item added may or may not be met.
/// @param id, item  set if it returns true; may be NULL.
PLOY_API bool ploy_pool_next(const ploy_pool *pool, uint32_t *cursor, ploy_id *id, void **item);

/// Reports the bytes held.
PLOY_API void ploy_pool_memory(const ploy_pool *pool, ploy_memory_fn fn, void *user);
