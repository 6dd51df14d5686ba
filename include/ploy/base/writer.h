/// @file ploy/base/writer.h
/// Where bytes go: a function of the caller's, or a buffer that grows.
///
/// A writer remembers its first failure; writing on is harmless, and the one check at the end
/// (ploy_writer_result) returns whether everything arrived.
#pragma once

#include "ploy/base/env.h"

/// Takes all size bytes (never 0) and returns PLOY_OK, or says why it could not; an answer above
/// PLOY_OK counts as PLOY_ERR_CALLBACK.
typedef ploy_result (*ploy_write_fn)(void *user, const void *bytes, size_t size);

typedef struct ploy_writer {
    ploy_write_fn write;
    void *user;
    ploy_result result; ///< the first failure, PLOY_OK so far otherwise
    uint64_t written;   ///< bytes handed to write
} ploy_writer;

/// A writer over a function of the caller's; then bytes, text and numbers to it.
PLOY_API ploy_writer ploy_writer_make(ploy_write_fn write, void *user);
PLOY_API void ploy_write_bytes(ploy_writer *writer, const void *bytes, size_t size);
PLOY_API void ploy_write_text(ploy_writer *writer, const char *text);
PLOY_API void ploy_write_char(ploy_writer *writer, char c);
PLOY_API void ploy_write_i64(ploy_writer *writer, int64_t value);
PLOY_API void ploy_write_u64(ploy_writer *writer, uint64_t value);
/// Sixteen lower-case hexadecimal digits: how hashes are printed everywhere.
PLOY_API void ploy_write_hex64(ploy_writer *writer, uint64_t value);
/// The shortest text that reads back to the same bits; "nan", "inf", "-inf" for those.
PLOY_API void ploy_write_f32(ploy_writer *writer, float value);
PLOY_API void ploy_write_f64(ploy_writer *writer, double value);
PLOY_API ploy_result ploy_writer_result(const ploy_writer *writer);

/// A byte buffer that grows; bytes[size] is always a zero that is not counted, once there are
/// bytes.
typedef struct ploy_buffer {
    ploy_env env;
    char *bytes; ///< NULL while nothing was written
    size_t size;
    size_t capacity;
    size_t limit; ///< most bytes; writing past it fails with PLOY_ERR_LIMIT
} ploy_buffer;

/// @param limit  0 means SIZE_MAX / 2.
PLOY_API void ploy_buffer_init(ploy_buffer *buffer, size_t limit, const ploy_env *env);
PLOY_API void ploy_buffer_fini(ploy_buffer *buffer);
/// Empties it, keeping the memory.
PLOY_API void ploy_buffer_clear(ploy_buffer *buffer);
/// Removes the first bytes, moving the rest to the front.
PLOY_API void ploy_buffer_consume(ploy_buffer *buffer, size_t size);
/// Makes room for that many more bytes without changing size.
PLOY_API ploy_result ploy_buffer_reserve(ploy_buffer *buffer, size_t more);
/// Appends bytes from outside the buffer; on failure nothing was appended.
PLOY_API ploy_result ploy_buffer_append(ploy_buffer *buffer, const void *bytes, size_t size);
/// A writer that appends to the buffer.
PLOY_API ploy_writer ploy_buffer_writer(ploy_buffer *buffer);
/// The bytes as text, "" while empty.
PLOY_API const char *ploy_buffer_text(const ploy_buffer *buffer);
