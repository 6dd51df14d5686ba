// Writers and the growing buffer.
//
// Invariants of ploy_buffer:
//   (1) bytes is NULL and capacity 0, or bytes has capacity bytes, size < capacity and
//       bytes[size] is 0;
//   (2) size <= limit < SIZE_MAX;
//   (3) a failed call changes nothing.
#include "ploy/base/writer.h"

#include <string.h>

#include "ploy/base/number.h"

ploy_writer ploy_writer_make(ploy_write_fn write, void *user) {
    ploy_writer writer = {write, user, PLOY_OK, 0};
    return writer;
}

void ploy_write_bytes(ploy_writer *writer, const void *bytes, size_t size) {
    if (writer->result != PLOY_OK || size == 0) return;
    ploy_result result = writer->write(writer->user, bytes, size);
    // Progress makes no sense here; taking it for success would lose bytes.
    if (result > PLOY_OK) result = PLOY_ERR_CALLBACK;
    writer->result = result;
    if (result == PLOY_OK) writer->written += size;
}

void ploy_write_text(ploy_writer *writer, const char *text) {
    ploy_write_bytes(writer, text, strlen(text));
}

void ploy_write_char(ploy_writer *writer, char c) {
    ploy_write_bytes(writer, &c, 1);
}

void ploy_write_i64(ploy_writer *writer, int64_t value) {
    char text[PLOY_PRINT_I64_SIZE];
    ploy_write_bytes(writer, text, ploy_print_i64(value, text));
}

void ploy_write_u64(ploy_writer *writer, uint64_t value) {
    char text[PLOY_PRINT_U64_SIZE];
    ploy_write_bytes(writer, text, ploy_print_u64(value, text));
}

void ploy_write_hex64(ploy_writer *writer, uint64_t value) {
    char text[PLOY_PRINT_HEX64_SIZE];
    ploy_write_bytes(writer, text, ploy_print_hex64(value, text));
}

void ploy_write_f32(ploy_writer *writer, float value) {
    char text[PLOY_PRINT_F32_SIZE];
    ploy_write_bytes(writer, text, ploy_print_f32(value, text));
}

void ploy_write_f64(ploy_writer *writer, double value) {
    char text[PLOY_PRINT_F64_SIZE];
    ploy_write_bytes(writer, text, ploy_print_f64(value, text));
}

ploy_result ploy_writer_result(const ploy_writer *writer) {
    return writer->result;
}

void ploy_buffer_init(ploy_buffer *buffer, size_t limit, const ploy_env *env) {
    buffer->env = *env;
    buffer->bytes = NULL;
    buffer->size = 0;
    buffer->capacity = 0;
    buffer->limit = limit == 0 || limit > SIZE_MAX / 2 ? SIZE_MAX / 2 : limit;
}

void ploy_buffer_fini(ploy_buffer *buffer) {
    ploy_env_free(&buffer->env, buffer->bytes, buffer->capacity);
    buffer->bytes = NULL;
    buffer->size = 0;
    buffer->capacity = 0;
}

void ploy_buffer_clear(ploy_buffer *buffer) {
    buffer->size = 0;
    if (buffer->bytes != NULL) buffer->bytes[0] = 0;
}

void ploy_buffer_consume(ploy_buffer *buffer, size_t size) {
    if (size == 0) return;
    if (size >= buffer->size) {
        ploy_buffer_clear(buffer);
        return;
    }
    memmove(buffer->bytes, buffer->bytes + size, buffer->size - size + 1); // the zero moves too
    buffer->size -= size;
}

ploy_result ploy_buffer_reserve(ploy_buffer *buffer, size_t more) {
    if (more > buffer->limit - buffer->size) return PLOY_ERR_LIMIT;
    size_t need = buffer->size + more + 1;
    if (need <= buffer->capacity) return PLOY_OK;
    // Doubling keeps appending linear in all; the limit caps the last step.
    size_t capacity = buffer->capacity > 0 ? buffer->capacity : PLOY_CAPACITY(64);
    while (capacity < need) capacity = capacity > SIZE_MAX / 2 ? need : capacity * 2;
    if (capacity > buffer->limit + 1) capacity = buffer->limit + 1;
    char *bytes = ploy_env_resize(&buffer->env, buffer->bytes, buffer->capacity, capacity);
    if (bytes == NULL) return PLOY_ERR_MEMORY;
    bytes[buffer->size] = 0; // keeps (1) also for the first block
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return PLOY_OK;
}

ploy_result ploy_buffer_append(ploy_buffer *buffer, const void *bytes, size_t size) {
    if (size == 0) return PLOY_OK;
    ploy_result result = ploy_buffer_reserve(buffer, size);
    if (result != PLOY_OK) return result;
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    buffer->bytes[buffer->size] = 0;
    return PLOY_OK;
}

static ploy_result writer_to_buffer(void *user, const void *bytes, size_t size) {
    return ploy_buffer_append(user, bytes, size);
}

ploy_writer ploy_buffer_writer(ploy_buffer *buffer) {
    return ploy_writer_make(writer_to_buffer, buffer);
}

const char *ploy_buffer_text(const ploy_buffer *buffer) {
    return buffer->bytes != NULL ? buffer->bytes : "";
}
