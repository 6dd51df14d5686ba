/// @file ploy/base/name.h
/// Names: text hashed to 64 bits, so that a comparison is one instruction.
///
/// The text itself stays in its definition. Two different texts with the same hash are refused when
/// a definition is loaded (ploy_names_add), so equal names mean equal texts.
#pragma once

#include "ploy/base/env.h"

typedef struct ploy_name {
    uint64_t hash; ///< 0 means none
} ploy_name;

/// Returns the name of zero-terminated text: its 64-bit hash (ploy/base/hash.h, seed 0; the one
/// text in 2^64 whose hash is 0 counts as 1). NULL and "" give none.
PLOY_API ploy_name ploy_name_of(const char *text);

/// Returns the name of `size` bytes of text.
PLOY_API ploy_name ploy_name_of_bytes(const char *text, size_t size);

static inline bool ploy_name_equal(ploy_name a, ploy_name b) {
    return a.hash == b.hash;
}

static inline bool ploy_name_is_none(ploy_name name) {
    return name.hash == 0;
}

/// A table of the texts of names: the part of a definition that keeps them. Threads: adding takes
/// one caller at a time; the other functions may run on many threads at once.
typedef struct ploy_names ploy_names;

PLOY_API ploy_result ploy_names_create(const ploy_env *env, ploy_names **out);
/// NULL is allowed.
PLOY_API void ploy_names_destroy(ploy_names *names);

/// Adds a text (copied) if it is new.
/// @param out  its name; may be NULL.
/// @return PLOY_ERR_EXISTS if another text has the same hash; PLOY_ERR_ARGUMENT for NULL and "";
///         PLOY_ERR_MEMORY. Nothing is added then.
PLOY_API ploy_result ploy_names_add(ploy_names *names, const char *text, ploy_name *out);

/// Returns the text of a name, or NULL if it was never added. Valid while the table exists.
PLOY_API const char *ploy_names_text(const ploy_names *names, ploy_name name);

PLOY_API int32_t ploy_names_count(const ploy_names *names);

/// Returns a text by index, in the order in which they were added; NULL if out of range.
PLOY_API const char *ploy_names_at(const ploy_names *names, int32_t index);

PLOY_API void ploy_names_memory(const ploy_names *names, ploy_memory_fn fn, void *user);

/// Returns the number of single-character edits (insert, delete, replace, swap of neighbours)
/// between two texts of at most 63 bytes each. If either is longer, the distance is the length of
/// the longer one, or 0 if they are equal. NULL counts as "". Characters are bytes, so an accented
/// letter may count twice.
PLOY_API int32_t ploy_edit_distance(const char *a, const char *b);

/// Finds the text that was probably meant: offer every valid text, then read `best`. The edit
/// distance may be at most a third of the letters, but one edit is always allowed. Among equals,
/// the first wins.
typedef struct ploy_nearest {
    const char *wanted; ///< borrowed
    const char *best;   ///< borrowed from the offer; NULL if nothing was similar enough
    int32_t distance;   ///< an offer must be nearer than this
} ploy_nearest;

PLOY_API ploy_nearest ploy_nearest_make(const char *wanted);
PLOY_API void ploy_nearest_offer(ploy_nearest *nearest, const char *text);
