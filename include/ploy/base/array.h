/// @file ploy/base/array.h
/// An array that grows: items of one size, contiguous in one block.
///
///     ploy_array points;
///     ploy_array_init(&points, sizeof(my_point), &env);
///     if (ploy_array_push(&points, &p) != PLOY_OK) ...
///     my_point *items = PLOY_ARRAY_ITEMS(&points, my_point);
///     for (int32_t i = 0; i < points.count; i++) use(&items[i]);
///     ploy_array_fini(&points);
///
/// PLOY_ARRAY_TYPE makes a wrapper for one item type, so that the compiler checks types.
///
/// Cost: push and pop O(1) on average, insert and remove O(items after it), remove_swap O(1). Grows
/// by half, so it allocates O(log count) times; never after a large enough reserve. Pointers to
/// items stay valid until the array grows or the items move. Threads: many threads may read at
/// once; everything else one caller at a time.
#pragma once

#include "ploy/base/env.h"

/// Set up with ploy_array_init. All members may be read. Items may be changed through the pointer;
/// other members may not be changed.
typedef struct ploy_array {
    ploy_env env;
    void *items; ///< NULL while nothing is allocated
    int32_t count;
    int32_t capacity;
    size_t item_size;
} ploy_array;

/// Makes an empty array. Allocates nothing.
/// @param item_size  bytes of an item, at least 1.
PLOY_API void ploy_array_init(ploy_array *array, size_t item_size, const ploy_env *env);
/// Frees everything. The array is then empty and may be used again.
PLOY_API void ploy_array_fini(ploy_array *array);

/// Makes room for exactly `capacity` items in total.
/// @return PLOY_ERR_ARGUMENT if it is negative, PLOY_ERR_MEMORY; the array is then unchanged. The
///         same holds for all functions here that can fail.
PLOY_API ploy_result ploy_array_reserve(ploy_array *array, int32_t capacity);

/// Appends a copy of the item; NULL appends zeros. The item may be in the array itself.
PLOY_API ploy_result ploy_array_push(ploy_array *array, const void *item);
/// Appends count items, which must not be in the array itself; NULL appends zeros.
PLOY_API ploy_result ploy_array_push_many(ploy_array *array, const void *items, int32_t count);
/// Appends a zeroed item and returns it, or NULL if out of memory.
PLOY_API void *ploy_array_add(ploy_array *array);
/// Inserts before index, 0 to count; later items move up. NULL inserts zeros; the item must not be
/// in the array itself. @return PLOY_ERR_ARGUMENT if index is out of range.
PLOY_API ploy_result ploy_array_insert(ploy_array *array, int32_t index, const void *item);
/// Sets count: removes items from the end, or appends zeros.
PLOY_API ploy_result ploy_array_resize(ploy_array *array, int32_t count);

/// Removes an item, keeping the order of the rest. @return false if index is out of range.
PLOY_API bool ploy_array_remove(ploy_array *array, int32_t index);
/// Removes an item and puts the last one in its place.
PLOY_API bool ploy_array_remove_swap(ploy_array *array, int32_t index);
/// Removes the last item and copies it to out, which may be NULL. @return false if there is none.
PLOY_API bool ploy_array_pop(ploy_array *array, void *out);
/// Removes all items, keeping the memory.
PLOY_API void ploy_array_clear(ploy_array *array);

/// Returns the item, or NULL if index is out of range.
PLOY_API void *ploy_array_at(const ploy_array *array, int32_t index);
PLOY_API int32_t ploy_array_count(const ploy_array *array);

/// Reports the bytes held.
PLOY_API void ploy_array_memory(const ploy_array *array, ploy_memory_fn fn, void *user);

/// The items as an array of their type: `my_point *items = PLOY_ARRAY_ITEMS(&points, my_point)`.
/// The equivalent function is ploy_array_at(array, 0).
#define PLOY_ARRAY_ITEMS(array, type) ((type *)(array)->items)

/// One item as its type, or NULL if out of range; ploy_array_at with a cast.
#define PLOY_ARRAY_AT(array, type, index) ((type *)ploy_array_at((array), (index)))

/// The functions of PLOY_ARRAY_TYPE: unused ones cause no warning.
#define PLOY_ARRAY_INLINE PLOY_UNUSED static inline

/// Declares `name`, an array of `type`, with functions name_init, name_fini, name_reserve,
/// name_push (by value), name_insert, name_resize, name_pop, name_at, name_items and name_count,
/// each the ploy_array function of that name with the type checked. For everything else, call the
/// ploy_array functions on the member `array`. Use the macro once for each name, at file scope:
/// `PLOY_ARRAY_TYPE(my_points, my_point);` (Its parameters have long names, to avoid shadowing
/// yours.)
#define PLOY_ARRAY_TYPE(name, type)                                                          \
    typedef struct name {                                                                    \
        ploy_array array;                                                                    \
    } name;                                                                                  \
    PLOY_ARRAY_INLINE void name##_init(name *ploy_self_, const ploy_env *ploy_env_) {        \
        ploy_array_init(&ploy_self_->array, sizeof(type), ploy_env_);                        \
    }                                                                                        \
    PLOY_ARRAY_INLINE void name##_fini(name *ploy_self_) {                                   \
        ploy_array_fini(&ploy_self_->array);                                                 \
    }                                                                                        \
    PLOY_ARRAY_INLINE ploy_result name##_reserve(name *ploy_self_, int32_t ploy_capacity_) { \
        return ploy_array_reserve(&ploy_self_->array, ploy_capacity_);                       \
    }                                                                                        \
    PLOY_ARRAY_INLINE ploy_result name##_push(name *ploy_self_, type ploy_item_) {           \
        return ploy_array_push(&ploy_self_->array, &ploy_item_);                             \
    }                                                                                        \
    PLOY_ARRAY_INLINE ploy_result name##_insert(name *ploy_self_, int32_t ploy_index_,       \
                                                type ploy_item_) {                           \
        return ploy_array_insert(&ploy_self_->array, ploy_index_, &ploy_item_);              \
    }                                                                                        \
    PLOY_ARRAY_INLINE ploy_result name##_resize(name *ploy_self_, int32_t ploy_count_) {     \
        return ploy_array_resize(&ploy_self_->array, ploy_count_);                           \
    }                                                                                        \
    PLOY_ARRAY_INLINE bool name##_pop(name *ploy_self_, type *ploy_out_) {                   \
        return ploy_array_pop(&ploy_self_->array, ploy_out_);                                \
    }                                                                                        \
    PLOY_ARRAY_INLINE type *name##_at(const name *ploy_self_, int32_t ploy_index_) {         \
        return (type *)ploy_array_at(&ploy_self_->array, ploy_index_);                       \
    }                                                                                        \
    PLOY_ARRAY_INLINE type *name##_items(const name *ploy_self_) {                           \
        return (type *)ploy_self_->array.items;                                              \
    }                                                                                        \
    PLOY_ARRAY_INLINE int32_t name##_count(const name *ploy_self_) {                         \
        return ploy_self_->array.count;                                                      \
    }                                                                                        \
    struct name /* the caller's semicolon ends this declaration */
