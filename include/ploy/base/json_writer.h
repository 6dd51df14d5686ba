/// @file ploy/base/json_writer.h
/// Writing JSON (RFC 8259), straight to a ploy_writer as the calls come; nothing is allocated.
///
///     ploy_json_writer json;
///     ploy_json_writer_init(&json, &writer, 2);
///     ploy_json_write_begin_object(&json);
///     ploy_json_write_key(&json, "speed");
///     ploy_json_write_f32(&json, 1.5f);
///     ploy_json_write_end_object(&json);
///     ploy_result result = ploy_json_writer_finish(&json);
///
/// The writer watches over the nesting: a value without its key, a key in an array, an end that
/// does not match and a second document are refused, nothing more is written, and finish says so.
/// Finite numbers are written exactly (the shortest text that reads back to the same bits); JSON
/// has no others, so NaN and the infinities become the strings "nan", "inf" and "-inf". Text that
/// is not UTF-8 has its faults replaced by U+FFFD, so that the output always is.
#pragma once

#include "ploy/base/value.h"
#include "ploy/base/writer.h"

/// Deepest nesting that can be written.
#define PLOY_JSON_WRITER_DEPTH 1024

/// Caller-owned; its contents are private.
typedef struct ploy_json_writer {
    ploy_writer *writer;
    int32_t indent;    ///< blanks a level; 0: all on one line
    int32_t depth;     ///< open objects and arrays
    int32_t row_depth; ///< depth outside the outermost row, -1 if in none
    bool after_key;    ///< a key was written, its value not yet
    bool started;      ///< the document has begun
    ploy_result result;
    uint64_t is_object[PLOY_JSON_WRITER_DEPTH / 64];
    uint64_t has_items[PLOY_JSON_WRITER_DEPTH / 64];
} ploy_json_writer;

/// @param indent  0 writes one line without blanks, 1 to 8 one item a line with this many blanks a
///                level.
PLOY_API void ploy_json_writer_init(ploy_json_writer *json, ploy_writer *writer, int32_t indent);

/// Objects and arrays, opened and closed.
PLOY_API void ploy_json_write_begin_object(ploy_json_writer *json);
PLOY_API void ploy_json_write_end_object(ploy_json_writer *json);
PLOY_API void ploy_json_write_begin_array(ploy_json_writer *json);
PLOY_API void ploy_json_write_end_array(ploy_json_writer *json);
/// An array, and everything in it, on one line: for vectors. Ends with ploy_json_write_end_array.
PLOY_API void ploy_json_write_begin_row(ploy_json_writer *json);

/// The key of the value that comes next.
PLOY_API void ploy_json_write_key(ploy_json_writer *json, const char *key);
PLOY_API void ploy_json_write_key_bytes(ploy_json_writer *json, const char *key, size_t size);

/// NULL is written as "".
PLOY_API void ploy_json_write_text(ploy_json_writer *json, const char *text);
PLOY_API void ploy_json_write_text_bytes(ploy_json_writer *json, const char *text, size_t size);
PLOY_API void ploy_json_write_f64(ploy_json_writer *json, double value);
PLOY_API void ploy_json_write_f32(ploy_json_writer *json, float value);
PLOY_API void ploy_json_write_i64(ploy_json_writer *json, int64_t value);
/// All digits, also past 2^53, where some readers lose the last ones.
PLOY_API void ploy_json_write_u64(ploy_json_writer *json, uint64_t value);
PLOY_API void ploy_json_write_bool(ploy_json_writer *json, bool value);
PLOY_API void ploy_json_write_null(ploy_json_writer *json);
/// Text that is one whole JSON value already; not checked.
PLOY_API void ploy_json_write_raw(ploy_json_writer *json, const char *text);
PLOY_API void ploy_json_write_raw_bytes(ploy_json_writer *json, const char *text, size_t size);

/// A tagged value: vectors as arrays in one row, ids as text "index:generation", names as text
/// "#hash" in hexadecimal, none and the id that names nothing as null.
PLOY_API void ploy_json_write_value(ploy_json_writer *json, const ploy_value *value);

/// Ends the document, with a newline if it is indented.
/// @return PLOY_ERR_STATE if calls did not match or nothing was written, PLOY_ERR_LIMIT if it
///         nested too deeply, or the writer's own failure.
PLOY_API ploy_result ploy_json_writer_finish(ploy_json_writer *json);
