/// @file ploy/search/states.h
/// States created during a search: numbers for the states of a puzzle, a planner or a movement
/// search.
///
/// A state is a block of bytes of a fixed size (a board, a set of facts, a quantised pose).
/// ploy_states_find gives each distinct block a number, 0, 1, 2, ..., in the order first found, so
/// that searches handle only numbers and no order depends on a hash. Blocks are compared byte by
/// byte: set every byte, including padding.
///
/// With `merge` off, every find creates a new state: the space becomes a tree, as in searches
/// without a visited set.
///
/// Cost: O(size) a find on average. States are stored in chunks that never move: a pointer to one
/// stays valid while its successors are found. Threads: one caller at a time.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"

/// Opaque.
typedef struct ploy_states ploy_states;

typedef struct ploy_states_def {
    uint32_t cookie;
    int32_t size;     ///< bytes of a state
    int32_t capacity; ///< most states; PLOY_ERR_LIMIT beyond it
    bool merge;       ///< equal bytes are one state
} ploy_states_def;

PLOY_API ploy_states_def ploy_states_def_default(void);
PLOY_API ploy_fields ploy_states_fields(void);
/// Creates an empty set of states. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_states_create(const ploy_states_def *def, const ploy_env *env,
                                        ploy_states **out);
/// NULL is allowed.
PLOY_API void ploy_states_destroy(ploy_states *states);
/// Removes all states and keeps the memory.
PLOY_API void ploy_states_clear(ploy_states *states);

/// Returns the number of a state, and adds the state if it is new.
/// @return PLOY_ERR_LIMIT if there are too many, PLOY_ERR_MEMORY; out is untouched then.
PLOY_API ploy_result ploy_states_find(ploy_states *states, const void *bytes, int32_t *out);
/// The number of a known state; -1 if it is unknown, or if states are not merged.
PLOY_API int32_t ploy_states_known(const ploy_states *states, const void *bytes);
/// The bytes of a state, or NULL out of range.
PLOY_API const void *ploy_states_get(const ploy_states *states, int32_t state);
/// The number of states found so far.
PLOY_API int32_t ploy_states_count(const ploy_states *states);

/// Writes the number of states and a hash of all bytes.
PLOY_API void ploy_states_describe(const ploy_states *states, ploy_describe *out);
PLOY_API void ploy_states_memory(const ploy_states *states, ploy_memory_fn fn, void *user);
