/// @file ploy/data/level.h
/// A level's objects with free key-value slots, as one block of bytes that is used where it lies.
///
/// Editors put helpers into levels (waypoints, cover points, spawn places, settings of the whole)
/// and hang data on them that only some character's code reads. A builder gathers them; saving
/// writes one block without pointers, all places in it counted from its start, so that a game reads
/// or maps the file and opens it: every place, text and value is checked once, nothing is allocated
/// and nothing is copied.
///
///     ploy_level_builder_add(builder, "tower", "cover", position);
///     ploy_level_builder_set(builder, "height", ploy_value_f32(3));  // of the one added last
///     ploy_level_builder_save(builder, &writer);
///     ...
///     ploy_level_open(bytes, size, &level);
///     ploy_level_get(&level, ploy_level_find(&level, "tower"), "height", &value);
///
/// Technique: Millington, "AI for Games", 3rd edition, 2019, chapter 12: editors driven by data,
/// level data laid out as the code needs it. The block carries version, byte order, size and hash:
/// a truncated, altered or foreign one is refused.
/// Cost: open O(bytes), find and get O(objects), O(slots of the object). Threads: an open level may
/// be read by many.
#pragma once

#include "ploy/base/value.h"
#include "ploy/base/writer.h"
#include "ploy/geom/vec.h"

/// Most bytes of a block.
#define PLOY_LEVEL_BYTES_MAX (1u << 30)

/// Gathers objects. Opaque.
typedef struct ploy_level_builder ploy_level_builder;

PLOY_API ploy_result ploy_level_builder_create(const ploy_env *env, ploy_level_builder **out);
/// NULL is allowed.
PLOY_API void ploy_level_builder_destroy(ploy_level_builder *builder);

/// Adds an object. Names need not differ; find gives the first.
/// @return PLOY_ERR_ARGUMENT for NULL or a position that is not finite; PLOY_ERR_CAPACITY if the
///         block would grow too large; PLOY_ERR_MEMORY. Nothing was added then.
PLOY_API ploy_result ploy_level_builder_add(ploy_level_builder *builder, const char *name,
                                            const char *type, ploy_vec3 position);
/// Gives the object that was added last a slot; any value but none. The text of one is copied.
/// @return PLOY_ERR_STATE before the first object, PLOY_ERR_EXISTS if it has that key; and as
///         above.
PLOY_API ploy_result ploy_level_builder_set(ploy_level_builder *builder, const char *key,
                                            ploy_value value);
/// Writes the block. The same objects give the same bytes.
PLOY_API ploy_result ploy_level_builder_save(const ploy_level_builder *builder, ploy_writer *out);

/// A block that was checked. Plain data; what it points to belongs to the caller.
typedef struct ploy_level {
    const unsigned char *bytes;
    size_t size;
    int32_t object_count;
    int32_t slot_count;
    size_t objects, slots, texts; ///< places in bytes
} ploy_level;

/// Opens a block where it lies. It must stay as it is, aligned to 8 bytes, while the level is used.
/// @return PLOY_ERR_FORMAT if it is none, is truncated or was altered; PLOY_ERR_VERSION for another
///         version or byte order; PLOY_ERR_ARGUMENT for NULL or bytes that are not aligned.
PLOY_API ploy_result ploy_level_open(const void *bytes, size_t size, ploy_level *out);

/// An object. Texts live as long as the bytes.
typedef struct ploy_level_object {
    const char *name;
    const char *type;
    ploy_vec3 position;
    int32_t slot_count;
} ploy_level_object;

/// @return false, leaving out alone, if there is no such object.
PLOY_API bool ploy_level_at(const ploy_level *level, int32_t index, ploy_level_object *out);
/// The first object of that name, -1 if there is none.
PLOY_API int32_t ploy_level_find(const ploy_level *level, const char *name);
/// The next object of that type after one (-1: from the start), -1 if there is none.
PLOY_API int32_t ploy_level_next(const ploy_level *level, int32_t after, const char *type);
/// The value of an object's slot. @return false, leaving out alone, if it has none of that key.
PLOY_API bool ploy_level_get(const ploy_level *level, int32_t object, const char *key,
                             ploy_value *out);
/// An object's slot by number. @return false if there is none; key may be NULL.
PLOY_API bool ploy_level_slot(const ploy_level *level, int32_t object, int32_t slot,
                              const char **key, ploy_value *out);
