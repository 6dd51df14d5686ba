/// @file ploy/base/writer.h
/// Output of bytes: to a function of the caller, or to a buffer that grows.
///
/// A writer stores its first failure. Further writes are harmless, so one check at the end
/// (ploy_writer_result) is enough.
#pragma once

#include "ploy/base/env.h"

/// Writes all size bytes (never 0) and returns PLOY_OK, or an error. A result above PLOY_OK counts
/// as PLOY_ERR_CALLBACK.
typedef ploy_result (*ploy_write_fn)(void *user, const void *bytes, size_t size);

typedef struct ploy_writer {
    ploy_write_fn write;
    void *user;
    ploy_result result; ///< the first failure, or PLOY_OK
    uint64_t written;   ///< bytes handed to write
} ploy_writer;

/// Makes a writer that calls a function of the caller. The functions below write bytes, text and
/// numbers.
PLOY_API ploy_writer ploy_writer_make(ploy_write_fn write, void *user);
PLOY_API void ploy_write_bytes(ploy_writer *writer, const void *bytes, size_t size);
PLOY_API void ploy_write_text(ploy_writer *writer, const char *text);
PLOY_API void ploy_write_char(ploy_writer *writer, char c);
PLOY_API void ploy_write_i64(ploy_writer *writer, int64_t value);
PLOY_API void ploy_write_u64(ploy_writer *writer, uint64_t value);
/// Writes sixteen lower-case hexadecimal digits, the format of all printed hashes.
PLOY_API void ploy_write_hex64(ploy_writer *writer, uint64_t value);
/// Write the shortest text that reads back to the same bits, or "nan", "inf", "-inf".
PLOY_API void ploy_write_f32(ploy_writer *writer, float value);
PLOY_API void ploy_write_f64(ploy_writer *writer, double value);
PLOY_API ploy_result ploy_writer_result(const ploy_writer *writer);

/// A byte buffer that grows. Once there are bytes, bytes[size] is always a zero that size does not
/// count.
typedef struct ploy_buffer {
    ploy_env env;
    char *bytes; ///< NULL until something is written
    size_t size;
    size_t capacity;
    size_t limit; ///< most bytes; writing beyond that fails with PLOY_ERR_LIMIT
} ploy_buffer;

/// @param limit  0 means SIZE_MAX / 2.
PLOY_API void ploy_buffer_init(ploy_buffer *buffer, size_t limit, const ploy_env *env);
PLOY_API void ploy_buffer_fini(ploy_buffer *buffer);
/// Empties the buffer, keeping the memory.
PLOY_API void ploy_buffer_clear(ploy_buffer *buffer);
/// Removes the first bytes, moving the rest to the front.
PLOY_API void ploy_buffer_consume(ploy_buffer *buffer, size_t size);
/// Makes room for `more` further bytes without changing size.
PLOY_API ploy_result ploy_buffer_reserve(ploy_buffer *buffer, size_t more);
/// Appends bytes from outside the buffer; on failure nothing is appended.
PLOY_API ploy_result ploy_buffer_append(ploy_buffer *buffer, const void *bytes, size_t size);
/// Returns a writer that appends to the buffer.
PLOY_API ploy_writer ploy_buffer_writer(ploy_buffer *buffer);
/// Returns the bytes as text; "" while empty.
PLOY_API const char *ploy_buffer_text(const ploy_buffer *buffer);
