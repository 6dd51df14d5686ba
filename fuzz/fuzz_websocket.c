// Bytes of a WebSocket client. The first byte says how the rest is cut; cut or whole, the same
// messages must come out.
#include <stdlib.h>
#include <string.h>

#include "inspect/http_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/utf8.h"
#include "ploy/inspect/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_LIMIT 4096

static void check(bool condition) {
    if (!condition) abort();
}

// A hash of all bytes that are reported.
static uint64_t feed(const uint8_t *data, size_t size, size_t step) {
    ploy_env env = ploy_env_default();
    ployi_ws_reader reader;
    ployi_ws_reader_init(&reader, FUZZ_LIMIT, &env);
    uint64_t hash = 0;
    size_t at = 0;
    while (at < size) {
        size_t piece = size - at < step ? size - at : step;
        size_t used = 0;
        ployi_ws_event event = ployi_ws_reader_feed(&reader, data + at, piece, &used);
        check(used <= piece && (used == piece || event != PLOYI_WS_NOTHING));
        check(reader.message.size <= FUZZ_LIMIT && reader.message.capacity <= FUZZ_LIMIT + 1);
        at += used;
        if (event == PLOYI_WS_MESSAGE) {
            check(reader.kind == PLOYI_WS_TEXT || reader.kind == PLOYI_WS_BINARY);
            const char *text = ploy_buffer_text(&reader.message);
            check(reader.kind != PLOYI_WS_TEXT || ploy_utf8_check(text, reader.message.size, NULL));
            hash = ploy_hash_combine(hash, ploy_hash_bytes(text, reader.message.size, 1));
        } else if (event == PLOYI_WS_CONTROL) {
            check(reader.control_size >= 0 && reader.control_size <= PLOYI_WS_CONTROL_MAX);
            int32_t code = ployi_ws_close_code(reader.control, reader.control_size);
            check(code == 0 || (code >= 1000 && code < 5000));
            hash = ploy_hash_combine(
                hash, ploy_hash_bytes(reader.control, (size_t)reader.control_size, 2));
        } else if (event == PLOYI_WS_FAILED) {
            hash = ploy_hash_combine(hash, (uint64_t)reader.close_code);
            break;
        }
    }
    ployi_ws_reader_fini(&reader);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    size_t step = 1 + (size_t)data[0];
    check(feed(data + 1, size - 1, step) == feed(data + 1, size - 1, SIZE_MAX));
    return 0;
}
