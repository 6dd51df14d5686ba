/// @file ploy/base/json_writer.h
/// Writing JSON (RFC 8259) directly to a ploy_writer during each call; nothing is allocated.
///
///     ploy_json_writer json;
///     ploy_json_writer_init(&json, &writer, 2);
///     ploy_json_write_begin_object(&json);
///     ploy_json_write_key(&json, "speed");
///     ploy_json_write_f32(&json, 1.5f);
///     ploy_json_write_end_object(&json);
///     ploy_result result = ploy_json_writer_finish(&json);
///
/// The writer checks the nesting: after a value without its key, a key in an array, an end that
/// does not match or a second document, nothing more is written, and finish returns an error.
/// Finite numbers are written exactly (the shortest text that reads back to the same bits); NaN and
/// the infinities, which JSON lacks, become the strings "nan", "inf" and "-inf". Invalid UTF-8 in
/// texts is replaced by U+FFFD, so that the output is always valid UTF-8.
#pragma once

#include "ploy/base/value.h"
#include "ploy/base/writer.h"

/// Deepest nesting that can be written.
#define PLOY_JSON_WRITER_DEPTH 1024

/// Caller-owned; its contents are private.
typedef struct ploy_json_writer {
    ploy_writer *writer;
    int32_t indent;    ///< blanks per level; 0: all on one line
    int32_t depth;     ///< open objects and arrays
    int32_t row_depth; ///< depth outside the outermost row, -1 if in none
    bool after_key;    ///< a key was written, but not yet its value
    bool started;      ///< the document has begun
    ploy_result result;
    uint64_t is_object[PLOY_JSON_WRITER_DEPTH / 64];
    uint64_t has_items[PLOY_JSON_WRITER_DEPTH / 64];
} ploy_json_writer;

/// @param indent  0 writes one line without blanks; 1 to 8 writes one item per line with this many
///                blanks per level.
PLOY_API void ploy_json_writer_init(ploy_json_writer *json, ploy_writer *writer, int32_t indent);

/// Open and close objects and arrays.
PLOY_API void ploy_json_write_begin_object(ploy_json_writer *json);
PLOY_API void ploy_json_write_end_object(ploy_json_writer *json);
PLOY_API void ploy_json_write_begin_array(ploy_json_writer *json);
PLOY_API void ploy_json_write_end_array(ploy_json_writer *json);
/// Opens an array that is written on one line with everything in it, for vectors. Close it with
/// ploy_json_write_end_array.
PLOY_API void ploy_json_write_begin_row(ploy_json_writer *json);

/// Write the key of the next value.
PLOY_API void ploy_json_write_key(ploy_json_writer *json, const char *key);
PLOY_API void ploy_json_write_key_bytes(ploy_json_writer *json, const char *key, size_t size);

/// NULL is written as "".
PLOY_API void ploy_json_write_text(ploy_json_writer *json, const char *text);
PLOY_API void ploy_json_write_text_bytes(ploy_json_writer *json, const char *text, size_t size);
PLOY_API void ploy_json_write_f64(ploy_json_writer *json, double value);
PLOY_API void ploy_json_write_f32(ploy_json_writer *json, float value);
PLOY_API void ploy_json_write_i64(ploy_json_writer *json, int64_t value);
/// Writes all digits, even beyond 2^53, where some readers lose the last digits.
PLOY_API void ploy_json_write_u64(ploy_json_writer *json, uint64_t value);
PLOY_API void ploy_json_write_bool(ploy_json_writer *json, bool value);
PLOY_API void ploy_json_write_null(ploy_json_writer *json);
/// Write text that is already one complete JSON value; not checked.
PLOY_API void ploy_json_write_raw(ploy_json_writer *json, const char *text);
PLOY_API void ploy_json_write_raw_bytes(ploy_json_writer *json, const char *text, size_t size);

/// Writes a tagged value: vectors as arrays in one row, ids as text "index:generation", names as
/// text "#hash" in hexadecimal, none and the id that means none as null.
PLOY_API void ploy_json_write_value(ploy_json_writer *json, const ploy_value *value);

/// Ends the document, with a newline if it is indented.
/// @return PLOY_ERR_STATE if calls did not match or nothing was written, PLOY_ERR_LIMIT if the
///         nesting was too deep, or the writer's failure.
PLOY_API ploy_result ploy_json_writer_finish(ploy_json_writer *json);
