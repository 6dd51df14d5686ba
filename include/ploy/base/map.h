/// @file ploy/base/map.h
/// A hash map from 64-bit keys to values of one size, iterated in insertion order.
///
/// Keys and values are packed in that order. A separate table finds a key by linear probing (Knuth,
/// "The Art of Computer Programming" 3, 6.4, algorithms L and R) over well-mixed keys, so
/// consecutive ids work as well as names. No order depends on a hash.
///
/// A removed key leaves a gap that iteration skips; gaps are closed, without allocating, when the
/// space is needed. Putting an existing key replaces its value and keeps its position; removing a
/// key and putting it again moves it to the end.
///
/// Cost: put, get and remove O(1) on average; iterating O(count + gaps). Allocates only when it
/// grows, never after a large enough reserve. Pointers to values stay valid until the next put,
/// ensure, reserve or fini of the map. Threads: get, has and next from many threads at once;
/// everything else one caller at a time.
#pragma once

#include "ploy/base/env.h"

/// Most keys of a map.
#define PLOY_MAP_MAX (1 << 28)

/// Set up with ploy_map_init. Read count; everything else is private.
typedef struct ploy_map {
    ploy_env env;
    size_t value_size;
    int32_t count;    ///< keys in the map
    int32_t used;     ///< entries used, including gaps
    int32_t capacity; ///< entries that fit
    uint32_t mask;    ///< number of table slots minus one; 0 while nothing is allocated
    uint64_t *keys;   ///< the one block: keys, values, table, gap bits
    void *values;
    void *table;
    uint32_t *gaps;
    size_t size; ///< bytes of the block
} ploy_map;

/// Makes an empty map. Allocates nothing.
/// @param value_size  bytes of a value; 0 makes it a set of keys.
PLOY_API void ploy_map_init(ploy_map *map, size_t value_size, const ploy_env *env);
/// Frees everything. The map is then empty and may be used again.
PLOY_API void ploy_map_fini(ploy_map *map);

/// Makes room for `count` keys in total: no put allocates up to that number of keys, whatever is
/// removed in between.
/// @return PLOY_ERR_ARGUMENT if count is negative or above PLOY_MAP_MAX, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_map_reserve(ploy_map *map, int32_t count);

/// Sets the value of a key.
/// @param value  copied; NULL means all zero. Not a pointer into this map.
/// @return PLOY_ERR_MEMORY, or PLOY_ERR_LIMIT at PLOY_MAP_MAX keys; the map is then unchanged.
PLOY_API ploy_result ploy_map_put(ploy_map *map, uint64_t key, const void *value);

/// Finds the value of a key; adds a zeroed value if the key is new.
/// @param value  receives the address of the value; not usable in a set.
/// @param added  may be NULL.
PLOY_API ploy_result ploy_map_ensure(ploy_map *map, uint64_t key, void **value, bool *added);

/// Returns the value of a key, or NULL if there is none. (In a set, use ploy_map_has.)
PLOY_API void *ploy_map_get(const ploy_map *map, uint64_t key);
PLOY_API bool ploy_map_has(const ploy_map *map, uint64_t key);

/// Removes a key. @return false if it was not in the map.
PLOY_API bool ploy_map_remove(ploy_map *map, uint64_t key);

/// Removes all keys, keeping the memory.
PLOY_API void ploy_map_clear(ploy_map *map);

PLOY_API int32_t ploy_map_count(const ploy_map *map);

/// Iterates over the keys in insertion order: start with a cursor of 0 and call until it returns
/// false. Removing during iteration is allowed, putting is not.
/// @param key, value  set if it returns true; may be NULL.
PLOY_API bool ploy_map_next(const ploy_map *map, int32_t *cursor, uint64_t *key, void **value);

/// The same by text: the key is ploy_name_of(text). The text is not kept; to rule out two texts
/// with the same hash, use ploy_names_add, which refuses the second. NULL and "" are refused or not
/// found.
PLOY_API ploy_result ploy_map_put_text(ploy_map *map, const char *text, const void *value);
PLOY_API void *ploy_map_find_text(const ploy_map *map, const char *text);
PLOY_API bool ploy_map_remove_text(ploy_map *map, const char *text);

/// Reports the bytes held.
PLOY_API void ploy_map_memory(const ploy_map *map, ploy_memory_fn fn, void *user);
