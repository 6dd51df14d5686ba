/// @file ploy/base/map.h
/// A hash map from 64-bit keys to values of one size, walked in the order of adding.
///
/// Keys and values lie packed in that order; a table beside them finds a key by linear probing
/// (Knuth, "The Art of Computer Programming" 3, 6.4, algorithms L and R) over well-mixed keys, so
/// neighbouring ids and names do equally well. No order ever depends on a hash.
///
/// A removed key leaves a gap that the walk skips; gaps are closed, without allocating, when the
/// space is needed. Putting a key that is there replaces its value and keeps its place; removing
/// and putting again moves it to the end.
///
/// Cost: put, get and remove O(1) on average; walking O(count + gaps). Allocates only when it
/// grows, never after a large enough reserve.
/// Pointers to values stay valid until the next put, ensure, reserve or fini of the map.
/// Threads: get, has and next from many at a time; everything else one caller.
#pragma once

#include "ploy/base/env.h"

/// Most keys of a map.
#define PLOY_MAP_MAX (1 << 28)

/// Set up with ploy_map_init. Read count; everything else is private.
typedef struct ploy_map {
    ploy_env env;
    size_t value_size;
    int32_t count;    ///< keys in the map
    int32_t used;     ///< places taken, gaps counted
    int32_t capacity; ///< places there are
    uint32_t mask;    ///< slots of the table less one; 0 while nothing is allocated
    uint64_t *keys;   ///< the one block: keys, values, table, gap bits
    void *values;
    void *table;
    uint32_t *gaps;
    size_t size; ///< bytes of the block
} ploy_map;

/// An empty map. Allocates nothing.
/// @param value_size  bytes of a value; 0 makes it a set of keys.
PLOY_API void ploy_map_init(ploy_map *map, size_t value_size, const ploy_env *env);
/// Frees everything. The map is empty then and may be used again.
PLOY_API void ploy_map_fini(ploy_map *map);

/// Makes room for `count` keys in all: until there are more, no put allocates, whatever is removed
/// in between.
/// @return PLOY_ERR_ARGUMENT if count is negative or above PLOY_MAP_MAX, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_map_reserve(ploy_map *map, int32_t count);

/// Sets the value of a key.
/// @param value  copied; NULL means all zero. Not a pointer into this map.
/// @return PLOY_ERR_MEMORY, or PLOY_ERR_LIMIT at PLOY_MAP_MAX keys; the map is unchanged then.
PLOY_API ploy_result ploy_map_put(ploy_map *map, uint64_t key, const void *value);

/// Finds a key's value, adding an all-zero one if the key is new.
/// @param value  where it lies. In a set it points nowhere useful.
/// @param added  may be NULL.
PLOY_API ploy_result ploy_map_ensure(ploy_map *map, uint64_t key, void **value, bool *added);

/// The value of a key, or NULL if it is not there. (In a set use ploy_map_has.)
PLOY_API void *ploy_map_get(const ploy_map *map, uint64_t key);
PLOY_API bool ploy_map_has(const ploy_map *map, uint64_t key);

/// Removes a key. @return false if it was not there.
PLOY_API bool ploy_map_remove(ploy_map *map, uint64_t key);

/// Removes all keys, keeping the memory.
PLOY_API void ploy_map_clear(ploy_map *map);

PLOY_API int32_t ploy_map_count(const ploy_map *map);

/// Walks the keys in the order of adding: start with a cursor of 0 and call until it returns false.
/// Removing while walking is allowed, putting is not.
/// @param key, value  set if it returns true; may be NULL.
PLOY_API bool ploy_map_next(const ploy_map *map, int32_t *cursor, uint64_t *key, void **value);

/// The same by text: the key is ploy_name_of(text). The text is not kept; where two texts might
/// meet in one hash, ploy_names_add refuses the second. NULL and "" are refused or not found.
PLOY_API ploy_result ploy_map_put_text(ploy_map *map, const char *text, const void *value);
PLOY_API void *ploy_map_find_text(const ploy_map *map, const char *text);
PLOY_API bool ploy_map_remove_text(ploy_map *map, const char *text);

/// Reports the bytes held.
PLOY_API void ploy_map_memory(const ploy_map *map, ploy_memory_fn fn, void *user);
