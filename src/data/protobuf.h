// Messages of Protocol Buffers, as far as ONNX needs them: fields of a message in order, and writing.
#pragma once

#include "ploy/base/writer.h"

// A run of bytes inside a file.
typedef struct ployi_proto {
    const uint8_t *at, *end;
} ployi_proto;

typedef struct ployi_proto_field {
    uint32_t number;
    uint32_t wire;     // 0 varint, 1 eight bytes, 2 bytes, 5 four bytes
    uint64_t value;    // of 0, 1 and 5
    ployi_proto bytes; // of 2
} ployi_proto_field;

// The next field of a message. @return false at its end; sets *broken for bytes that are not a field.
bool ployi_proto_next(ployi_proto *message, ployi_proto_field *out, bool *broken);
// A varint at the beginning of packed values. @return false at the end.
bool ployi_proto_varint(ployi_proto *bytes, uint64_t *out);
bool ployi_proto_equals(ployi_proto bytes, const char *text);

void ployi_proto_write_varint(ploy_writer *out, uint32_t field, uint64_t value);
void ployi_proto_write_bytes(ploy_writer *out, uint32_t field, const void *bytes, size_t size);
void ployi_proto_write_text(ploy_writer *out, uint32_t field, const char *text);
void ployi_proto_write_float(ploy_writer *out, uint32_t field, float value);
