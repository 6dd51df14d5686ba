// Messages of Protocol Buffers.
#include "data/protobuf.h"

#include <string.h>

bool ployi_proto_varint(ployi_proto *bytes, uint64_t *out) {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        if (bytes->at == bytes->end) return false;
        uint8_t byte = *bytes->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = value;
            return true;
        }
    }
    return false;
}

static bool proto_fixed(ployi_proto *message, size_t size, uint64_t *out) {
    if ((size_t)(message->end - message->at) < size) return false;
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) value = value << 8 | message->at[i];
    message->at += size;
    *out = value;
    return true;
}

bool ployi_proto_next(ployi_proto *message, ployi_proto_field *out, bool *broken) {
    memset(out, 0, sizeof *out);
    if (message->at == message->end) return false;
    uint64_t key = 0, size = 0;
    bool ok = ployi_proto_varint(message, &key) && key >> 3 <= UINT32_MAX;
    out->number = (uint32_t)(key >> 3);
    out->wire = (uint32_t)(key & 7);
    switch (out->wire) {
    case 0: ok = ok && ployi_proto_varint(message, &out->value); break;
    case 1: ok = ok && proto_fixed(message, 8, &out->value); break;
    case 5: ok = ok && proto_fixed(message, 4, &out->value); break;
    case 2:
        ok = ok && ployi_proto_varint(message, &size) &&
             size <= (uint64_t)(message->end - message->at);
        if (!ok) break;
        out->bytes.at = message->at;
        message->at += size;
        out->bytes.end = message->at;
        break;
    default: ok = false;
    }
    if (!ok) *broken = true;
    return ok;
}

bool ployi_proto_equals(ployi_proto bytes, const char *text) {
    size_t size = strlen(text);
    return (size_t)(bytes.end - bytes.at) == size &&
           (size == 0 || memcmp(bytes.at, text, size) == 0);
}

static void proto_put(ploy_writer *out, uint64_t value) {
    uint8_t bytes[10];
    size_t size = 0;
    do {
        bytes[size++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value > 0);
    ploy_write_bytes(out, bytes, size);
}

void ployi_proto_write_varint(ploy_writer *out, uint32_t field, uint64_t value) {
    proto_put(out, (uint64_t)field << 3);
    proto_put(out, value);
}

void ployi_proto_write_bytes(ploy_writer *out, uint32_t field, const void *bytes, size_t size) {
    proto_put(out, (uint64_t)field << 3 | 2);
    proto_put(out, size);
    if (size == 0) return;
    ploy_write_bytes(out, bytes, size);
}

void ployi_proto_write_text(ploy_writer *out, uint32_t field, const char *text) {
    ployi_proto_write_bytes(out, field, text, strlen(text));
}

void ployi_proto_write_float(ploy_writer *out, uint32_t field, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    proto_put(out, (uint64_t)field << 3 | 5);
    uint8_t bytes[4];
    for (int32_t i = 0; i < 4; i++) bytes[i] = (uint8_t)(bits >> (8 * i));
    ploy_write_bytes(out, bytes, sizeof bytes);
}
