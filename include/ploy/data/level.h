/// @file ploy/data/level.h
/// A level's objects with free key-value slots, as one block of bytes that is used in place.
///
/// Editors put helper objects into levels (waypoints, cover points, spawn points, settings of the
/// whole level) and attach data that only some characters' code reads. A builder collects them;
/// saving writes one block without pointers, with all offsets relative to its start, so that a game
/// can read or map the file and open it: every offset, text and value is checked once, nothing is
/// allocated and nothing is copied.
///
///     ploy_level_builder_add(builder, "tower", "cover", position);
///     ploy_level_builder_set(builder, "height", ploy_value_f32(3));  // of the one added last
///     ploy_level_builder_save(builder, &writer);
///     ...
///     ploy_level_open(bytes, size, &level);
///     ploy_level_get(&level, ploy_level_find(&level, "tower"), "height", &value);
///
/// Technique: Millington, "AI for Games", 3rd edition, 2019, chapter 12: data-driven editors, level
/// data laid out as the code needs it. The block contains version, byte order, size and hash: a
/// truncated, altered or foreign block is refused. Cost: open O(bytes), find O(objects), get
/// O(slots of the object). Threads: an open level may be read by many.
#pragma once

#include "ploy/base/value.h"
#include "ploy/base/writer.h"
#include "ploy/geom/vec.h"

/// Maximum number of bytes of a block.
#define PLOY_LEVEL_BYTES_MAX (1u << 30)

/// Collects objects. Opaque.
typedef struct ploy_level_builder ploy_level_builder;

PLOY_API ploy_result ploy_level_builder_create(const ploy_env *env, ploy_level_builder **out);
/// NULL is allowed.
PLOY_API void ploy_level_builder_destroy(ploy_level_builder *builder);

/// Adds an object. Names need not be unique; find returns the first.
/// @return PLOY_ERR_ARGUMENT for NULL or a position that is not finite; PLOY_ERR_CAPACITY if the
///         block would grow too large; PLOY_ERR_MEMORY. Then nothing was added.
PLOY_API ploy_result ploy_level_builder_add(ploy_level_builder *builder, const char *name,
                                            const char *type, ploy_vec3 position);
/// Adds a slot to the object that was added last; any value except none. A text is copied.
/// @return PLOY_ERR_STATE before the first object, PLOY_ERR_EXISTS if the object already has that
///         key; and as above.
PLOY_API ploy_result ploy_level_builder_set(ploy_level_builder *builder, const char *key,
                                            ploy_value value);
/// Writes the block. The same objects give the same bytes.
PLOY_API ploy_result ploy_level_builder_save(const ploy_level_builder *builder, ploy_writer *out);

/// A checked block. Plain data; the caller owns the bytes.
typedef struct ploy_level {
    const unsigned char *bytes;
    size_t size;
    int32_t object_count;
    int32_t slot_count;
    size_t objects, slots, texts; ///< offsets in bytes
} ploy_level;

/// Opens a block in place. The bytes must be aligned to 8 and stay unchanged while the level is
/// used.
/// @return PLOY_ERR_FORMAT if it is not a level block, or is truncated or altered; PLOY_ERR_VERSION
///         for another version or byte order; PLOY_ERR_ARGUMENT for NULL or bytes that are not
///         aligned.
PLOY_API ploy_result ploy_level_open(const void *bytes, size_t size, ploy_level *out);

/// An object. Texts live as long as the bytes.
typedef struct ploy_level_object {
    const char *name;
    const char *type;
    ploy_vec3 position;
    int32_t slot_count;
} ploy_level_object;

/// @return false, leaving out unchanged, if there is no such object.
PLOY_API bool ploy_level_at(const ploy_level *level, int32_t index, ploy_level_object *out);
/// Returns the first object with that name; -1 if there is none.
PLOY_API int32_t ploy_level_find(const ploy_level *level, const char *name);
/// Returns the next object of that type after `after` (-1: from the start); -1 if there is none.
PLOY_API int32_t ploy_level_next(const ploy_level *level, int32_t after, const char *type);
/// Gets the value of an object's slot. @return false, leaving out unchanged, if the object does not
/// have that key.
PLOY_API bool ploy_level_get(const ploy_level *level, int32_t object, const char *key,
                             ploy_value *out);
/// Gets an object's slot by index. @return false if there is none; key may be NULL.
PLOY_API bool ploy_level_slot(const ploy_level *level, int32_t object, int32_t slot,
                              const char **key, ploy_value *out);
