/// @file ploy/base/stack.h
/// A stack of fixed capacity in the caller's memory: last in, first out.
///
///     int32_t room[5];
///     ploy_stack stack = ploy_stack_make(room, sizeof room[0], 5);
///
/// Caller-owned plain data; nothing allocates. Cost: O(size of an item). Threads: one caller.
#pragma once

#include "ploy/base/result.h"

typedef struct ploy_stack {
    void *items;
    size_t item_size;
    int32_t count;
    int32_t capacity;
} ploy_stack;

/// Returns an empty stack over `room`, which has space for capacity items.
PLOY_API ploy_stack ploy_stack_make(void *room, size_t item_size, int32_t capacity);
/// @return PLOY_ERR_CAPACITY if the stack is full; it is then unchanged.
PLOY_API ploy_result ploy_stack_push(ploy_stack *stack, const void *item);
/// Removes the last item and copies it to out, which may be NULL. @return false, with out
/// unchanged, if the stack is empty.
PLOY_API bool ploy_stack_pop(ploy_stack *stack, void *out);
/// Returns the last item without removing it; NULL if there is none.
PLOY_API void *ploy_stack_top(const ploy_stack *stack);

static inline bool ploy_stack_is_empty(const ploy_stack *stack) {
    return stack->count == 0;
}

static inline bool ploy_stack_is_full(const ploy_stack *stack) {
    return stack->count >= stack->capacity;
}
