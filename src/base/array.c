// Growing array.
//
// Invariants:
//   (1) 0 <= count <= capacity, and items is one block of capacity * item_size bytes;
//   (2) items is NULL exactly while capacity is 0;
//   (3) a failed call leaves the array as it was.
#include "ploy/base/array.h"

#include <string.h>

static void *array_item(const ploy_array *array, int32_t index) {
    return (char *)array->items + (size_t)index * array->item_size;
}

static ploy_result array_set_capacity(ploy_array *array, int32_t capacity) {
    size_t size = 0;
    if (!ploy_size_add_array(0, capacity, array->item_size, &size)) return PLOY_ERR_MEMORY;
    void *items = ploy_env_resize(&array->env, array->items,
                                  (size_t)array->capacity * array->item_size, size);
    if (items == NULL) return PLOY_ERR_MEMORY;
    // Zeroed, so that a region has the same bytes whatever lay there before.
    if (capacity > array->capacity) {
        size_t old = (size_t)array->capacity * array->item_size;
        memset((char *)items + old, 0, size - old);
    }
    array->items = items;
    array->capacity = capacity;
    return PLOY_OK;
}

// Makes room for `more` items behind the last.
static ploy_result array_make_room(ploy_array *array, int32_t more) {
    if (more <= array->capacity - array->count) return PLOY_OK;
    int64_t needed = (int64_t)array->count + more;
    if (needed > INT32_MAX) return PLOY_ERR_MEMORY;
    // Half as much again: doubling could never reuse the blocks it left behind.
    int64_t wanted = (int64_t)array->capacity + array->capacity / 2;
    if (wanted < PLOY_CAPACITY(8)) wanted = PLOY_CAPACITY(8);
    if (wanted < needed) wanted = needed;
    if (wanted > INT32_MAX) wanted = INT32_MAX;
    return array_set_capacity(array, (int32_t)wanted);
}

// Copies items, or writes zeros for NULL.
static void array_fill(const ploy_array *array, int32_t index, const void *items, int32_t count) {
    if (count == 0) return;
    size_t size = (size_t)count * array->item_size;
    if (items == NULL) {
        memset(array_item(array, index), 0, size);
    } else {
        memcpy(array_item(array, index), items, size);
    }
}

void ploy_array_init(ploy_array *array, size_t item_size, const ploy_env *env) {
    PLOY_ASSERT(item_size > 0);
    memset(array, 0, sizeof *array);
    array->env = *env;
    array->item_size = item_size == 0 ? 1 : item_size;
}

void ploy_array_fini(ploy_array *array) {
    ploy_env_free(&array->env, array->items, (size_t)array->capacity * array->item_size);
    array->items = NULL;
    array->count = 0;
    array->capacity = 0;
}

ploy_result ploy_array_reserve(ploy_array *array, int32_t capacity) {
    if (capacity < 0) return PLOY_ERR_ARGUMENT;
    if (capacity <= array->capacity) return PLOY_OK;
    return array_set_capacity(array, capacity);
}

ploy_result ploy_array_push(ploy_array *array, const void *item) {
    // An item of this very array moves with it when it grows; remember where it was.
    const char *begin = array->items, *at = item;
    bool inside = begin != NULL && at != NULL && (uintptr_t)at >= (uintptr_t)begin &&
                  (uintptr_t)at < (uintptr_t)begin + (size_t)array->count * array->item_size;
    size_t offset = inside ? (size_t)(at - begin) : 0;
    ploy_result result = array_make_room(array, 1);
    if (result != PLOY_OK) return result;
    if (inside) item = (const char *)array->items + offset;
    array_fill(array, array->count, item, 1);
    array->count++;
    return PLOY_OK;
}

ploy_result ploy_array_push_many(ploy_array *array, const void *items, int32_t count) {
    if (count < 0) return PLOY_ERR_ARGUMENT;
    ploy_result result = array_make_room(array, count);
    if (result != PLOY_OK) return result;
    array_fill(array, array->count, items, count);
    array->count += count;
    return PLOY_OK;
}

void *ploy_array_add(ploy_array *array) {
    if (ploy_array_push(array, NULL) != PLOY_OK) return NULL;
    return array_item(array, array->count - 1);
}

ploy_result ploy_array_insert(ploy_array *array, int32_t index, const void *item) {
    if (index < 0 || index > array->count) return PLOY_ERR_ARGUMENT;
    ploy_result result = array_make_room(array, 1);
    if (result != PLOY_OK) return result;
    size_t behind = (size_t)(array->count - index) * array->item_size;
    if (behind != 0) memmove(array_item(array, index + 1), array_item(array, index), behind);
    array_fill(array, index, item, 1);
    array->count++;
    return PLOY_OK;
}

ploy_result ploy_array_resize(ploy_array *array, int32_t count) {
    if (count < 0) return PLOY_ERR_ARGUMENT;
    if (count > array->count) return ploy_array_push_many(array, NULL, count - array->count);
    array->count = count;
    return PLOY_OK;
}

bool ploy_array_remove(ploy_array *array, int32_t index) {
    if (index < 0 || index >= array->count) return false;
    size_t behind = (size_t)(array->count - index - 1) * array->item_size;
    if (behind != 0) memmove(array_item(array, index), array_item(array, index + 1), behind);
    array->count--;
    return true;
}

bool ploy_array_remove_swap(ploy_array *array, int32_t index) {
    if (index < 0 || index >= array->count) return false;
    array->count--;
    if (index != array->count) {
        memcpy(array_item(array, index), array_item(array, array->count), array->item_size);
    }
    return true;
}

bool ploy_array_pop(ploy_array *array, void *out) {
    if (array->count == 0) return false;
    array->count--;
    if (out != NULL) memcpy(out, array_item(array, array->count), array->item_size);
    return true;
}

void ploy_array_clear(ploy_array *array) {
    array->count = 0;
}

void *ploy_array_at(const ploy_array *array, int32_t index) {
    return index < 0 || index >= array->count ? NULL : array_item(array, index);
}

int32_t ploy_array_count(const ploy_array *array) {
    return array->count;
}

void ploy_array_memory(const ploy_array *array, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"array", (size_t)array->capacity * array->item_size,
                             array->items == NULL ? 0 : 1};
    fn(user, &item);
}
