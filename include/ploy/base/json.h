/// @file ploy/base/json.h
/// Reading JSON (RFC 8259) with a position for every value and key, so that code that interprets
/// the document can report where it is wrong.
///
/// A whole document is read into one block of memory and never changes. Nodes are small handles,
/// passed by value; all zero means none. Every query on none returns none, "" or 0, so that lookups
/// can be chained without a check at each step:
///
///     ploy_json_node speed = ploy_json_member(doc, ploy_json_root(doc), "max_speed");
///     if (ploy_json_f64(doc, speed, &max_speed) != PLOY_OK) {
///         ploy_json_fault(doc, speed, diags, "max_speed is missing or not a number", NULL, NULL);
///     }
///
/// Strict by default. For hand-written files, comments (`// ...` and `/* ... */`), trailing commas
/// and a byte order mark can be allowed. All faults inside strings are reported; a structural fault
/// ends the reading. A duplicate key in an object is a fault, and so is half of a surrogate pair,
/// because neither has an agreed meaning.
///
/// Cost: linear in the text, and about 40 bytes per value; sorting the keys of objects with more
/// than eight members adds O(m log m). Lookup by key is O(log m), by index O(1). Threads: a
/// document may be read from many threads at once.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/base/json_writer.h"

/// Limits and leniency. Start from ploy_json_def_default().
typedef struct ploy_json_def {
    uint32_t cookie;
    bool relaxed;      ///< comments, trailing commas and a byte order mark are allowed
    int32_t max_depth; ///< deepest nesting
    int32_t max_kib;   ///< KiB, largest document
    int32_t max_nodes; ///< most values
} ploy_json_def;

PLOY_API ploy_json_def ploy_json_def_default(void);
PLOY_API ploy_fields ploy_json_fields(void);

typedef enum ploy_json_type {
    PLOY_JSON_NONE, ///< no such node
    PLOY_JSON_NULL,
    PLOY_JSON_BOOL,
    PLOY_JSON_NUMBER,
    PLOY_JSON_TEXT,
    PLOY_JSON_ARRAY,
    PLOY_JSON_OBJECT
} ploy_json_type;

/// "none", "null", "bool", "number", "text", "array", "object".
PLOY_API const char *ploy_json_type_text(ploy_json_type type);

/// A document. Opaque.
typedef struct ploy_json ploy_json;

/// A value of a document; all zero means none. Valid as long as the document.
typedef struct ploy_json_node {
    uint32_t index;
} ploy_json_node;

static inline ploy_json_node ploy_json_none(void) {
    ploy_json_node none = {0};
    return none;
}

static inline bool ploy_json_is_none(ploy_json_node node) {
    return node.index == 0;
}

/// A position in the text.
typedef struct ploy_json_position {
    size_t offset;  ///< bytes from the beginning
    int32_t line;   ///< from 1; 0 if there is none
    int32_t column; ///< from 1, in bytes
} ploy_json_position;

/// Reads a document.
/// @param bytes  need not be zero-terminated; not kept.
/// @param name   of the file, for messages; copied. NULL counts as "".
/// @param def    NULL for the default.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT if it is not JSON, PLOY_ERR_LIMIT if it is too large, too deep or holds
///         too many values (diags have the position), PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_json_load(const void *bytes, size_t size, const char *name,
                                    const ploy_json_def *def, const ploy_env *env,
                                    ploy_diags *diags, ploy_json **out);

/// Frees the document. NULL is allowed.
PLOY_API void ploy_json_destroy(ploy_json *doc);

/// The outermost value, and the type of a value.
PLOY_API ploy_json_node ploy_json_root(const ploy_json *doc);
PLOY_API ploy_json_type ploy_json_type_of(const ploy_json *doc, ploy_json_node node);

/// Returns the number of items of an array or members of an object; 0 for other values.
PLOY_API int32_t ploy_json_count(const ploy_json *doc, ploy_json_node node);
/// Returns an item of an array or the value of an object's member, in the order of the text.
PLOY_API ploy_json_node ploy_json_at(const ploy_json *doc, ploy_json_node node, int32_t index);
/// Return the value of the object's member with the given key.
PLOY_API ploy_json_node ploy_json_member(const ploy_json *doc, ploy_json_node node,
                                         const char *key);
PLOY_API ploy_json_node ploy_json_member_bytes(const ploy_json *doc, ploy_json_node node,
                                               const char *key, size_t size);
/// Returns the key of a value in its object; "" for other values. Zero-terminated; may contain
/// zeros (from \u0000), which size counts. size may be NULL.
PLOY_API const char *ploy_json_key(const ploy_json *doc, ploy_json_node node, size_t *size);
/// Returns the array or object that contains a value; none for the root.
PLOY_API ploy_json_node ploy_json_parent(const ploy_json *doc, ploy_json_node node);

/// Returns the characters of a text with escapes decoded, or the source text of a number; "" for
/// other values.
PLOY_API const char *ploy_json_text(const ploy_json *doc, ploy_json_node node, size_t *size);

/// Read a bool or number. out is set only on PLOY_OK. Reals are rounded to the nearest number of
/// the type. Integers are exact: 3, 3.0 and 30e-1 are all 3. f32 and f64 also read the texts "nan",
/// "inf" and "-inf" as ploy_json_writer writes them.
/// @return PLOY_ERR_ARGUMENT if the type differs, or if the number is not an integer where one is
///         read; PLOY_ERR_LIMIT if it does not fit.
PLOY_API ploy_result ploy_json_bool(const ploy_json *doc, ploy_json_node node, bool *out);
PLOY_API ploy_result ploy_json_f64(const ploy_json *doc, ploy_json_node node, double *out);
PLOY_API ploy_result ploy_json_f32(const ploy_json *doc, ploy_json_node node, float *out);
PLOY_API ploy_result ploy_json_i64(const ploy_json *doc, ploy_json_node node, int64_t *out);
PLOY_API ploy_result ploy_json_u64(const ploy_json *doc, ploy_json_node node, uint64_t *out);

/// The position where a value begins, and where its key begins.
PLOY_API ploy_json_position ploy_json_position_of(const ploy_json *doc, ploy_json_node node);
PLOY_API ploy_json_position ploy_json_key_position(const ploy_json *doc, ploy_json_node node);

/// Returns the name under which the document was loaded.
PLOY_API const char *ploy_json_name(const ploy_json *doc);

/// Adds an error with code PLOY_ERR_FORMAT at the value's position (for none: for the whole
/// document). Every text except the message may be NULL.
PLOY_API void ploy_json_fault(const ploy_json *doc, ploy_json_node node, ploy_diags *diags,
                              const char *message, const char *expected, const char *nearest);

/// Reports every member of an object whose key is not among the given keys, with the nearest key.
/// @return the number of such members.
PLOY_API int32_t ploy_json_check_keys(const ploy_json *doc, ploy_json_node node,
                                      const char *const *keys, int32_t key_count,
                                      ploy_diags *diags);

/// Writes a value and everything in it; numbers are written as their source text.
PLOY_API void ploy_json_write(const ploy_json *doc, ploy_json_node node, ploy_json_writer *json);

PLOY_API void ploy_json_memory(const ploy_json *doc, ploy_memory_fn fn, void *user);
