/// @file ploy/base/stack.h
/// A stack with a fixed room in the caller's memory: what is pushed last comes first.
///
///     int32_t room[5];
///     ploy_stack stack = ploy_stack_make(room, sizeof room[0], 5);
///
/// Plain data of the caller; nothing allocates. Cost: O(size of an item). Threads: one caller.
#pragma once

#include "ploy/base/result.h"

typedef struct ploy_stack {
    void *items;
    size_t item_size;
    int32_t count;
    int32_t capacity;
} ploy_stack;

/// An empty stack over room for capacity items.
PLOY_API ploy_stack ploy_stack_make(void *room, size_t item_size, int32_t capacity);
/// @return PLOY_ERR_CAPACITY if it is full; nothing changes then.
PLOY_API ploy_result ploy_stack_push(ploy_stack *stack, const void *item);
/// Takes the last one out. @return false, leaving out alone, if it is empty. out may be NULL.
PLOY_API bool ploy_stack_pop(ploy_stack *stack, void *out);
/// The last one, left where it is; NULL if there is none.
PLOY_API void *ploy_stack_top(const ploy_stack *stack);

static inline bool ploy_stack_is_empty(const ploy_stack *stack) {
    return stack->count == 0;
}

static inline bool ploy_stack_is_full(const ploy_stack *stack) {
    return stack->count >= stack->capacity;
}
