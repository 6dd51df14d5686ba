/// @file ploy/base/heap.h
/// Priority queues: return the smallest key first while items are added.
///
/// ploy_heap holds (key, payload) pairs; ploy_indexed_heap holds items numbered 0 to n - 1, whose
/// keys may change while they wait: the open list of a search. The smallest key comes first, and
/// ties are stable: in ploy_heap the pair pushed first wins, in ploy_indexed_heap the lower index.
/// The order of pops therefore depends only on what was pushed, not on the shape of the heap.
///
/// Technique: d-ary heaps (Johnson, "Priority queues with update and finding minimum spanning
/// trees", 1975). A wider heap is shallower: pushing and lowering a key pass fewer nodes, but
/// popping compares more children at each node. Four is a good first choice.
///
/// Cost: push O(log count), pop O(arity * log count) with base arity; peek O(1). Allocates only
/// when it grows, never after a large enough reserve. Keys are doubles, so that float keys, times
/// and costs keep every bit; NaN is refused, infinities are fine.
/// Threads: one caller at a time.
#pragma once

#include "ploy/base/env.h"

/// One pair in a ploy_heap.
typedef struct ploy_heap_entry {
    double key;
    uint64_t payload; ///< the caller's data: an index, a ploy_id as a number, ...
    uint64_t order;   ///< number of the push; breaks ties
} ploy_heap_entry;

/// Set up with ploy_heap_init. Read count; everything else is private.
typedef struct ploy_heap {
    ploy_env env;
    ploy_heap_entry *entries;
    int32_t count;
    int32_t capacity;
    int32_t shift; ///< log2 of the arity
    uint64_t next_order;
} ploy_heap;

/// An empty heap. Allocates nothing.
/// @param arity  children of a node: 2, 4 or 8.
/// @return PLOY_ERR_ARGUMENT for any other arity; the heap is still usable, with arity 2.
PLOY_API ploy_result ploy_heap_init(ploy_heap *heap, int32_t arity, const ploy_env *env);
/// Frees everything. The heap is then empty and may be used again.
PLOY_API void ploy_heap_fini(ploy_heap *heap);
/// Makes room for `capacity` pairs in total.
PLOY_API ploy_result ploy_heap_reserve(ploy_heap *heap, int32_t capacity);
/// @return PLOY_ERR_ARGUMENT if the key is NaN, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_heap_push(ploy_heap *heap, double key, uint64_t payload);
/// Removes the pair with the smallest key; among equal keys, the one pushed first. key and payload
/// may be NULL.
/// @return false if the heap is empty.
PLOY_API bool ploy_heap_pop(ploy_heap *heap, double *key, uint64_t *payload);
/// The same without removing it.
PLOY_API bool ploy_heap_peek(const ploy_heap *heap, double *key, uint64_t *payload);
/// Removes all pairs, keeping the memory.
PLOY_API void ploy_heap_clear(ploy_heap *heap);
PLOY_API int32_t ploy_heap_count(const ploy_heap *heap);
/// Reports the bytes held.
PLOY_API void ploy_heap_memory(const ploy_heap *heap, ploy_memory_fn fn, void *user);

/// Set up with ploy_indexed_heap_init. Read count; everything else is private.
typedef struct ploy_indexed_heap {
    ploy_env env;
    void *nodes;        ///< the one block: the heap's nodes, then the positions
    int32_t *positions; ///< position of each item in nodes; -1 if it is not in the heap
    int32_t count;
    int32_t capacity; ///< items 0 to capacity - 1 have a place
    int32_t shift;
} ploy_indexed_heap;

/// Makes an empty heap, as ploy_heap_init does. Allocates nothing.
PLOY_API ploy_result ploy_indexed_heap_init(ploy_indexed_heap *heap, int32_t arity,
                                            const ploy_env *env);
PLOY_API void ploy_indexed_heap_fini(ploy_indexed_heap *heap);
/// Makes room for items 0 to capacity - 1; pushing these items then allocates nothing.
PLOY_API ploy_result ploy_indexed_heap_reserve(ploy_indexed_heap *heap, int32_t capacity);
/// @return PLOY_ERR_EXISTS if the item is in the heap, PLOY_ERR_ARGUMENT if it is negative or the
///         key is NaN, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_indexed_heap_push(ploy_indexed_heap *heap, int32_t item, double key);
/// Changes an item's key, up or down.
/// @return PLOY_ERR_NOT_FOUND if it is not in the heap, PLOY_ERR_ARGUMENT if the key is NaN.
PLOY_API ploy_result ploy_indexed_heap_update(ploy_indexed_heap *heap, int32_t item, double key);
/// Removes the item with the smallest key; among equal keys, the lowest item. item and key may be
/// NULL. @return false if the heap is empty.
PLOY_API bool ploy_indexed_heap_pop(ploy_indexed_heap *heap, int32_t *item, double *key);
/// The same without removing it.
PLOY_API bool ploy_indexed_heap_peek(const ploy_indexed_heap *heap, int32_t *item, double *key);
/// Removes the given item. @return false if it is not in the heap.
PLOY_API bool ploy_indexed_heap_remove(ploy_indexed_heap *heap, int32_t item);
PLOY_API bool ploy_indexed_heap_contains(const ploy_indexed_heap *heap, int32_t item);
/// Gets the key of an item. @return false, with key unchanged, if the item is not in the heap.
PLOY_API bool ploy_indexed_heap_key(const ploy_indexed_heap *heap, int32_t item, double *key);
/// Removes all items, keeping the memory. O(count).
PLOY_API void ploy_indexed_heap_clear(ploy_indexed_heap *heap);
PLOY_API int32_t ploy_indexed_heap_count(const ploy_indexed_heap *heap);
/// Reports the bytes held.
PLOY_API void ploy_indexed_heap_memory(const ploy_indexed_heap *heap, ploy_memory_fn fn,
                                       void *user);
