// A stack with a fixed room; described in the header.
#include "ploy/base/stack.h"

#include <string.h>

ploy_stack ploy_stack_make(void *room, size_t item_size, int32_t capacity) {
    ploy_stack stack = {room, item_size, 0, room != NULL && capacity > 0 ? capacity : 0};
    return stack;
}

void *ploy_stack_top(const ploy_stack *stack) {
    if (stack->count == 0) return NULL;
    return (char *)stack->items + (size_t)(stack->count - 1) * stack->item_size;
}

ploy_result ploy_stack_push(ploy_stack *stack, const void *item) {
    if (ploy_stack_is_full(stack)) return PLOY_ERR_CAPACITY;
    stack->count++;
    memcpy(ploy_stack_top(stack), item, stack->item_size);
    return PLOY_OK;
}

bool ploy_stack_pop(ploy_stack *stack, void *out) {
    const void *top = ploy_stack_top(stack);
    if (top == NULL) return false;
    if (out != NULL) memcpy(out, top, stack->item_size);
    stack->count--;
    return true;
}
