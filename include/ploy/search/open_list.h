/// @file ploy/search/open_list.h
/// The open list of a search: the states seen but not yet examined, the most promising first.
///
/// Every search uses the same four operations: add, take the first, change a key, test membership.
/// How often each is used depends on the graph, so the list comes in several kinds. The order is
/// total (first key, second key, state), so that all kinds down to `unsorted` return the same
/// states in the same order, and a search finds the same path with any of them; only the cost
/// differs:
///
///     kind           add        take first   good for
///     heap           log n      4 log n      most searches (four children a node)
///     binary heap    log n      2 log n      the textbook's
///     buckets        1          scan one     keys of a small range; very many states
///     sorted array   n moved    1            short lists; bounded frontiers
///     sorted list    n          1            the textbook's; very short lists
///     unsorted       1          n            the baseline
///     fringe         1          scan         A* without an order: passes over the list, each with
///                                            the least key that the last one left behind
///     queue, stack   1          1            breadth and depth first; keys are ignored
///
/// The fringe follows Bjornsson, Enzenberger, Holte, Schaeffer, "Fringe Search", 2005: an added
/// state comes next in the pass, so the search goes deep first. The key of a state taken is never
/// above the least key with which the pass began, which is all that A* needs.
///
/// Cost: as above; allocates only when it grows. Threads: one caller at a time.
#pragma once

#include "ploy/base/env.h"

typedef enum ploy_open_kind {
    PLOY_OPEN_HEAP,
    PLOY_OPEN_BINARY_HEAP,
    PLOY_OPEN_BUCKETS,
    PLOY_OPEN_SORTED_ARRAY,
    PLOY_OPEN_SORTED_LIST,
    PLOY_OPEN_UNSORTED,
    PLOY_OPEN_FRINGE,
    PLOY_OPEN_QUEUE,
    PLOY_OPEN_STACK
} ploy_open_kind;

/// The number of kinds that keep the total order: those before PLOY_OPEN_FRINGE.
#define PLOY_OPEN_ORDERED 6

/// The sort key of a state: the smaller `first` wins, then the smaller `second`, then the lower
/// state.
typedef struct ploy_open_key {
    double first;
    double second;
} ploy_open_key;

/// A state in the list.
typedef struct ploy_open_entry {
    ploy_open_key key;
    int32_t state;
    int32_t reserved; ///< 0: fills the gap, so that lists in a region have the same bytes
} ploy_open_entry;

/// Opaque.
typedef struct ploy_open_list ploy_open_list;

/// @param bucket_width  of PLOY_OPEN_BUCKETS: keys from 0 to the width share a bucket, and so on;
///                      above 0. Other kinds ignore it.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_open_list_create(ploy_open_kind kind, double bucket_width,
                                           const ploy_env *env, ploy_open_list **out);
/// NULL is allowed.
PLOY_API void ploy_open_list_destroy(ploy_open_list *list);
/// Makes room for states 0 to count - 1: nothing allocates until a higher state is added.
PLOY_API ploy_result ploy_open_list_reserve(ploy_open_list *list, int32_t count);
/// Removes all states and keeps the memory. O(states in the list).
PLOY_API void ploy_open_list_clear(ploy_open_list *list);

/// @return PLOY_ERR_EXISTS if the state is already in the list, PLOY_ERR_ARGUMENT if it is negative
///         or a key is NaN, PLOY_ERR_MEMORY; nothing changes then.
PLOY_API ploy_result ploy_open_list_add(ploy_open_list *list, int32_t state, ploy_open_key key);
/// Changes a state's key, up or down. A stack moves it to the top, a queue leaves it.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_open_list_update(ploy_open_list *list, int32_t state, ploy_open_key key);
/// Removes the first state. out may be NULL. @return false if the list is empty.
PLOY_API bool ploy_open_list_pop(ploy_open_list *list, ploy_open_entry *out);
/// Removes a state. @return false if it is not in the list.
PLOY_API bool ploy_open_list_remove(ploy_open_list *list, int32_t state);
PLOY_API int32_t ploy_open_list_count(const ploy_open_list *list);

/// Checks the list's order, for tests.
PLOY_API void ploy_open_list_memory(const ploy_open_list *list, ploy_memory_fn fn, void *user);
