// WebSocket frames (RFC 6455, section 5), the server's side.
//
// The reader is a small state machine over single frames, fed with whatever bytes arrived:
//
//        head (2 to 14 bytes) ──► payload ──┬─ control frame ──► event
//              ▲                            ├─ data frame, fin ─► event
//              └────────────────────────────┴─ data frame, more to come
//
// Invariants, from init to fini:
//   (1) message.size never passes message.limit: the length that a frame announces is checked when
//       its head is whole, before a byte of its payload is taken or a byte is allocated for it;
//   (2) memory grows with the bytes that arrived, not with those that were announced;
//   (3) control holds at most PLOYI_WS_CONTROL_MAX bytes;
//   (4) after PLOYI_WS_FAILED nothing is read any more.
#include "inspect/http_internal.h"

#include "ploy/base/utf8.h"

#include <string.h>

static ployi_ws_event ws_reader_fail(ployi_ws_reader *reader, int32_t code) {
    reader->close_code = code; // keeps (4)
    return PLOYI_WS_FAILED;
}

static bool ws_is_control(ployi_ws_opcode opcode) {
    return opcode >= PLOYI_WS_CLOSE;
}

// The first two bytes are there: what kind of frame, and how long is its head?
static int32_t ws_reader_begin(ployi_ws_reader *reader) {
    uint8_t first = reader->head[0];
    uint8_t second = reader->head[1];
    reader->fin = (first & 0x80) != 0;
    if ((first & 0x70) != 0) return PLOYI_WS_CLOSE_PROTOCOL;  // no extension was agreed on
    if ((second & 0x80) == 0) return PLOYI_WS_CLOSE_PROTOCOL; // clients must mask
    switch (first & 0x0f) {
    case PLOYI_WS_CONTINUATION:
        if (reader->kind == PLOYI_WS_CONTINUATION) return PLOYI_WS_CLOSE_PROTOCOL;
        reader->opcode = PLOYI_WS_CONTINUATION;
        break;
    case PLOYI_WS_TEXT:
    case PLOYI_WS_BINARY:
        // A message within a message.
        if (reader->kind != PLOYI_WS_CONTINUATION) return PLOYI_WS_CLOSE_PROTOCOL;
        reader->opcode = (first & 0x0f) == PLOYI_WS_TEXT ? PLOYI_WS_TEXT : PLOYI_WS_BINARY;
        break;
    case PLOYI_WS_CLOSE: reader->opcode = PLOYI_WS_CLOSE; break;
    case PLOYI_WS_PING: reader->opcode = PLOYI_WS_PING; break;
    case PLOYI_WS_PONG: reader->opcode = PLOYI_WS_PONG; break;
    default: return PLOYI_WS_CLOSE_PROTOCOL;
    }
    uint8_t length = second & 0x7f;
    if (ws_is_control(reader->opcode) && (!reader->fin || length > PLOYI_WS_CONTROL_MAX)) {
        return PLOYI_WS_CLOSE_PROTOCOL; // keeps (3)
    }
    reader->head_need = 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + 4;
    return 0;
}

// The head is whole: how much payload, and may it be that much?
static int32_t ws_reader_announce(ployi_ws_reader *reader) {
    int32_t bytes = reader->head_need - 6;
    uint64_t length = (uint64_t)(reader->head[1] & 0x7f);
    if (bytes > 0) {
        length = 0;
        for (int32_t i = 0; i < bytes; i++) length = (length << 8) | reader->head[2 + i];
        // The shortest form is demanded, and the top bit must be zero.
        if (length < (bytes == 2 ? 126u : 65536u)) return PLOYI_WS_CLOSE_PROTOCOL;
        if (length >> 63) return PLOYI_WS_CLOSE_PROTOCOL;
    }
    reader->payload_left = length;
    reader->mask_at = 0;
    if (ws_is_control(reader->opcode)) {
        reader->control_size = 0;
    } else {
        if (length > reader->message.limit - reader->message.size) return PLOYI_WS_CLOSE_TOO_BIG;
        if (reader->opcode != PLOYI_WS_CONTINUATION) reader->kind = reader->opcode;
    }
    return 0;
}

static void ws_unmask(ployi_ws_reader *reader, uint8_t *bytes, size_t size) {
    const uint8_t *mask = reader->head + reader->head_need - 4;
    for (size_t i = 0; i < size; i++) bytes[i] ^= mask[(reader->mask_at + i) & 3];
    reader->mask_at = (uint32_t)((reader->mask_at + size) & 3);
}

// Takes payload; returns a code on failure.
static int32_t ws_reader_payload(ployi_ws_reader *reader, const uint8_t *bytes, size_t size) {
    if (size == 0) return 0;
    reader->payload_left -= size;
    if (ws_is_control(reader->opcode)) {
        memcpy(reader->control + reader->control_size, bytes, size);
        ws_unmask(reader, reader->control + reader->control_size, size);
        reader->control_size += (int32_t)size;
        return 0;
    }
    size_t at = reader->message.size;
    if (ploy_buffer_append(&reader->message, bytes, size) != PLOY_OK) {
        return PLOYI_WS_CLOSE_TROUBLE; // out of memory
    }
    ws_unmask(reader, (uint8_t *)reader->message.bytes + at, size);
    return 0;
}

// A frame is whole.
static ployi_ws_event ws_reader_frame(ployi_ws_reader *reader) {
    reader->head_size = 0;
    reader->head_need = 2;
    if (ws_is_control(reader->opcode)) {
        reader->control_kind = reader->opcode;
        return PLOYI_WS_CONTROL;
    }
    if (!reader->fin) return PLOYI_WS_NOTHING;
    if (reader->kind == PLOYI_WS_TEXT && reader->message.size > 0 &&
        !ploy_utf8_check(reader->message.bytes, reader->message.size, NULL)) {
        return ws_reader_fail(reader, PLOYI_WS_CLOSE_NOT_UTF8);
    }
    reader->delivered = true;
    return PLOYI_WS_MESSAGE;
}

void ployi_ws_reader_init(ployi_ws_reader *reader, size_t limit, const ploy_env *env) {
    memset(reader, 0, sizeof *reader);
    ploy_buffer_init(&reader->message, limit, env);
    reader->head_need = 2;
}

void ployi_ws_reader_fini(ployi_ws_reader *reader) {
    ploy_buffer_fini(&reader->message);
}

ployi_ws_event ployi_ws_reader_feed(ployi_ws_reader *reader, const uint8_t *bytes, size_t size,
                                    size_t *used) {
    size_t at = 0;
    *used = 0;
    if (reader->close_code != 0) return PLOYI_WS_FAILED;
    if (reader->delivered) {
        reader->delivered = false;
        reader->kind = PLOYI_WS_CONTINUATION;
        // Large messages are rare; between them their memory goes back.
        if (reader->message.capacity > 65536) {
            ploy_env env = reader->message.env;
            size_t limit = reader->message.limit;
            ploy_buffer_fini(&reader->message);
            ploy_buffer_init(&reader->message, limit, &env);
        } else {
            ploy_buffer_clear(&reader->message);
        }
    }
    for (;;) {
        while (reader->head_size < reader->head_need && at < size) {
            reader->head[reader->head_size++] = bytes[at++];
            int32_t code = 0;
            if (reader->head_size == 2) code = ws_reader_begin(reader);
            if (code == 0 && reader->head_size > 2 && reader->head_size == reader->head_need) {
                code = ws_reader_announce(reader);
            }
            if (code != 0) {
                *used = at;
                return ws_reader_fail(reader, code);
            }
        }
        *used = at;
        if (reader->head_size < reader->head_need) return PLOYI_WS_NOTHING;
        size_t take = size - at;
        if (take > reader->payload_left) take = (size_t)reader->payload_left;
        int32_t code = ws_reader_payload(reader, bytes + at, take);
        if (code != 0) return ws_reader_fail(reader, code);
        at += take;
        *used = at;
        if (reader->payload_left > 0) return PLOYI_WS_NOTHING;
        ployi_ws_event event = ws_reader_frame(reader);
        if (event != PLOYI_WS_NOTHING) return event;
    }
}

size_t ployi_ws_head(uint8_t out[PLOYI_WS_HEAD_MAX], ployi_ws_opcode opcode, uint64_t size) {
    out[0] = (uint8_t)(0x80 | (int32_t)opcode);
    if (size < 126) {
        out[1] = (uint8_t)size;
        return 2;
    }
    int32_t bytes = size < 65536 ? 2 : 8;
    out[1] = bytes == 2 ? 126 : 127;
    for (int32_t i = 0; i < bytes; i++) out[2 + i] = (uint8_t)(size >> (8 * (bytes - 1 - i)));
    return (size_t)(2 + bytes);
}

int32_t ployi_ws_close_code(const uint8_t *payload, int32_t size) {
    if (size == 0) return 1005;
    if (size == 1) return 0;
    int32_t code = (payload[0] << 8) | payload[1];
    // 1004 to 1006 and 1015 must not travel, 1012 to 1014 are registered, 3000 on are free.
    bool known = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
                 (code >= 3000 && code <= 4999);
    if (!known) return 0;
    if (!ploy_utf8_check((const char *)payload + 2, (size_t)size - 2, NULL)) return 0;
    return code;
}
