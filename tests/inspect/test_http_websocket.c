// WebSocket frames and the handshake's answer.
#include <stdlib.h>
#include <string.h>

#include "inspect/http_internal.h"
#include "ploy/base/rng.h"
#include "tests/test.h"

static void websocket_hex(const uint8_t *bytes, size_t size, char *out) {
    for (size_t i = 0; i < size; i++) sprintf(out + 2 * i, "%02x", bytes[i]);
}

TEST(sha1_gives_the_published_digests) {
    static const struct {
        const char *text, *want;
        int32_t times;
    } rows[] = {
        {"", "da39a3ee5e6b4b0d3255bfef95601890afd80709", 1},
        {"abc", "a9993e364706816aba3e25717850c26c9cd0d89d", 1},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "84983e441c3bd26ebaae4aa1f95129e5e54670f1", 1},
        {"a", "34aa973cd4c4daa4f61eeb2bdbad27316534016f", 1000000},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].want;
        size_t length = strlen(rows[i].text);
        size_t size = length * (size_t)rows[i].times;
        char *text = malloc(size + 1);
        CHECK(text != NULL);
        for (int32_t k = 0; k < rows[i].times; k++) {
            memcpy(text + length * (size_t)k, rows[i].text, length);
        }
        uint8_t digest[20];
        ployi_sha1(text, size, digest);
        free(text);
        char hex[41] = {0};
        websocket_hex(digest, 20, hex);
        CHECK_TEXT(hex, rows[i].want);
    }
}

TEST(the_answer_to_a_key_is_that_of_the_rfc) {
    char accept[PLOYI_WS_ACCEPT_SIZE];
    ployi_ws_accept("dGhlIHNhbXBsZSBub25jZQ==", 24, accept); // RFC 6455, 1.3
    CHECK_TEXT(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    CHECK(ployi_ws_key_valid("dGhlIHNhbXBsZSBub25jZQ==", 24));
    CHECK(!ployi_ws_key_valid("dGhlIHNhbXBsZSBub25jZQ=", 23));
    CHECK(!ployi_ws_key_valid("dGhlIHNhbXBsZSBub25jZQQQ", 24));
    CHECK(!ployi_ws_key_valid("dGhlIHNhbXBsZSBub25jZ!==", 24));
    CHECK(!ployi_ws_key_valid(NULL, 0));
}

TEST(the_examples_of_the_rfc_are_read) {
    static const struct {
        const char *row;
        uint8_t bytes[16];
        size_t size;
        ployi_ws_event event;
        const char *text;
    } rows[] = {
        {"a masked text",
         {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58},
         11,
         PLOYI_WS_MESSAGE,
         "Hello"},
        {"a masked pong",
         {0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58},
         11,
         PLOYI_WS_CONTROL,
         "Hello"},
        {"an unmasked text", {0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f}, 7, PLOYI_WS_FAILED, NULL},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ployi_ws_reader reader;
        ployi_ws_reader_init(&reader, 100, &env);
        size_t used = 0;
        CHECK_INT(ployi_ws_reader_feed(&reader, rows[i].bytes, rows[i].size, &used), rows[i].event);
        if (rows[i].event == PLOYI_WS_MESSAGE) {
            CHECK_UINT(used, rows[i].size);
            CHECK_TEXT(ploy_buffer_text(&reader.message), rows[i].text);
            CHECK_INT(reader.kind, PLOYI_WS_TEXT);
        } else if (rows[i].event == PLOYI_WS_CONTROL) {
            CHECK_INT(reader.control_size, 5);
            CHECK_BYTES(reader.control, rows[i].text, 5);
            CHECK_INT(reader.control_kind, PLOYI_WS_PONG);
        }
        ployi_ws_reader_fini(&reader);
    }
}

TEST(frames_that_break_the_rules_fail_with_the_right_code) {
    static const struct {
        const char *row;
        uint8_t bytes[20];
        size_t size;
        int32_t code;
    } rows[] = {
        {"a reserved bit", {0xc1, 0x80, 0, 0, 0, 0}, 6, 1002},
        {"an unknown opcode", {0x83, 0x80, 0, 0, 0, 0}, 6, 1002},
        {"an unknown control", {0x8b, 0x80, 0, 0, 0, 0}, 6, 1002},
        {"no mask", {0x81, 0x00}, 2, 1002},
        {"a control in pieces", {0x09, 0x80, 0, 0, 0, 0}, 6, 1002},
        {"a long control", {0x89, 0xfe, 0, 126, 0, 0, 0, 0}, 8, 1002},
        {"nothing to go on with", {0x80, 0x80, 0, 0, 0, 0}, 6, 1002},
        {"a message in a message", {0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80}, 8, 1002},
        {"a long form for a short length", {0x82, 0xfe, 0, 125, 0, 0, 0, 0}, 8, 1002},
        {"a longer form", {0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0}, 14, 1002},
        {"the top bit", {0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 14, 1002},
        {"more than allowed", {0x82, 0xfe, 0x01, 0x01, 0, 0, 0, 0}, 8, 1009},
        {"far more",
         {0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0},
         14,
         1009},
        {"not UTF-8", {0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28}, 8, 1007},
        {"half a character", {0x81, 0x81, 0, 0, 0, 0, 0xc3}, 7, 1007},
    };
    test_counts counts;
    memset(&counts, 0, sizeof counts);
    ploy_env env = test_counting_env(&counts);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ployi_ws_reader reader;
        ployi_ws_reader_init(&reader, 256, &env);
        size_t used = 0;
        ployi_ws_event event = PLOYI_WS_NOTHING;
        int64_t calls = counts.calls;
        // Byte by byte, so that every cut is tried.
        for (size_t at = 0; at < rows[i].size && event == PLOYI_WS_NOTHING; at++) {
            event = ployi_ws_reader_feed(&reader, rows[i].bytes + at, 1, &used);
        }
        CHECK_INT(event, PLOYI_WS_FAILED);
        CHECK_INT(reader.close_code, rows[i].code);
        // What is announced is refused before anything is allocated for it.
        if (rows[i].code == 1009) CHECK_INT(counts.calls, calls);
        CHECK_INT(ployi_ws_reader_feed(&reader, rows[i].bytes, 2, &used), PLOYI_WS_FAILED);
        ployi_ws_reader_fini(&reader);
        CHECK_INT(counts.bytes, 0);
    }
}

// Appends a masked frame, as a client sends it.
static void websocket_put(ploy_buffer *out, bool fin, int32_t opcode, const uint8_t *payload,
                          size_t size, uint32_t mask) {
    uint8_t head[14];
    size_t at = ployi_ws_head(head, (ployi_ws_opcode)opcode, size);
    if (!fin) head[0] &= 0x7f;
    head[1] |= 0x80;
    for (int32_t i = 0; i < 4; i++) head[at++] = (uint8_t)(mask >> (8 * i));
    (void)ploy_buffer_append(out, head, at);
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)(payload[i] ^ (uint8_t)(mask >> (8 * (i % 4))));
        (void)ploy_buffer_append(out, &byte, 1);
    }
}

TEST(messages_come_out_as_they_went_in_however_they_are_cut) {
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 60; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_buffer stream, want;
        ploy_buffer_init(&stream, 0, &env);
        ploy_buffer_init(&want, 0, &env);
        int32_t messages = 6, pings = 0;
        for (int32_t i = 0; i < messages; i++) {
            // Sizes around the three forms of a length.
            static const size_t sizes[] = {0, 1, 125, 126, 127, 65535, 65536, 70000};
            size_t size = sizes[ploy_rng_below(&rng, COUNT_OF(sizes))];
            uint8_t *payload = malloc(size + 1);
            CHECK(payload != NULL);
            for (size_t k = 0; k < size; k++) payload[k] = (uint8_t)ploy_rng_u32(&rng);
            (void)ploy_buffer_append(&want, payload, size);
            size_t at = 0;
            int32_t pieces = ploy_rng_int(&rng, 1, 4);
            for (int32_t k = 0; k < pieces; k++) {
                size_t part =
                    k + 1 == pieces ? size - at : (size_t)ploy_rng_below(&rng, size - at + 1);
                websocket_put(&stream, k + 1 == pieces, k == 0 ? PLOYI_WS_BINARY : 0, payload + at,
                              part, ploy_rng_u32(&rng));
                at += part;
                if (ploy_rng_chance(&rng, 0.5f)) { // between the pieces of a message
                    pings++;
                    websocket_put(&stream, true, PLOYI_WS_PING, (const uint8_t *)"ping", 4,
                                  ploy_rng_u32(&rng));
                }
            }
            free(payload);
        }
        ployi_ws_reader reader;
        ployi_ws_reader_init(&reader, 70000, &env);
        ploy_buffer got;
        ploy_buffer_init(&got, 0, &env);
        size_t at = 0;
        int32_t got_messages = 0, got_pings = 0;
        while (at < stream.size) {
            size_t size = 1 + (size_t)ploy_rng_below(&rng, 5000), used = 0;
            if (size > stream.size - at) size = stream.size - at;
            ployi_ws_event event =
                ployi_ws_reader_feed(&reader, (const uint8_t *)stream.bytes + at, size, &used);
            CHECK(used <= size && (event != PLOYI_WS_NOTHING || used == size));
            CHECK(event != PLOYI_WS_FAILED);
            at += used;
            if (event == PLOYI_WS_MESSAGE) {
                got_messages++;
                CHECK_INT(reader.kind, PLOYI_WS_BINARY);
                CHECK_OK(ploy_buffer_append(&got, reader.message.bytes, reader.message.size));
            } else if (event == PLOYI_WS_CONTROL) {
                got_pings++;
                CHECK_INT(reader.control_size, 4);
            }
        }
        CHECK_INT(got_messages, messages);
        CHECK_INT(got_pings, pings);
        CHECK_UINT(got.size, want.size);
        if (want.size > 0) CHECK_BYTES(got.bytes, want.bytes, want.size);
        ployi_ws_reader_fini(&reader);
        ploy_buffer_fini(&got);
        ploy_buffer_fini(&want);
        ploy_buffer_fini(&stream);
    }
}

TEST(pieces_together_may_not_pass_the_limit) {
    ploy_env env = ploy_env_default();
    ploy_buffer stream;
    ploy_buffer_init(&stream, 0, &env);
    uint8_t payload[100] = {0};
    websocket_put(&stream, false, PLOYI_WS_BINARY, payload, 100, 1);
    websocket_put(&stream, false, 0, payload, 100, 2);
    websocket_put(&stream, true, 0, payload, 57, 3);
    ployi_ws_reader reader;
    ployi_ws_reader_init(&reader, 256, &env);
    size_t used = 0;
    CHECK_INT(ployi_ws_reader_feed(&reader, (const uint8_t *)stream.bytes, stream.size, &used),
              PLOYI_WS_FAILED);
    CHECK_INT(reader.close_code, 1009);
    CHECK(reader.message.capacity <= 257);
    ployi_ws_reader_fini(&reader);
    ployi_ws_reader_init(&reader, 257, &env);
    CHECK_INT(ployi_ws_reader_feed(&reader, (const uint8_t *)stream.bytes, stream.size, &used),
              PLOYI_WS_MESSAGE);
    CHECK_UINT(reader.message.size, 257);
    ployi_ws_reader_fini(&reader);
    ploy_buffer_fini(&stream);
}

static ploy_result websocket_feed_body(const ploy_env *env, void *arg) {
    const ploy_buffer *stream = arg;
    ployi_ws_reader reader;
    ployi_ws_reader_init(&reader, 1000, env);
    size_t used = 0;
    ployi_ws_event event =
        ployi_ws_reader_feed(&reader, (const uint8_t *)stream->bytes, stream->size, &used);
    int32_t code = reader.close_code;
    ployi_ws_reader_fini(&reader);
    if (event == PLOYI_WS_MESSAGE) return PLOY_OK;
    return code == PLOYI_WS_CLOSE_TROUBLE ? PLOY_ERR_MEMORY : PLOY_ERR_STATE;
}

TEST(a_message_without_memory_fails_cleanly) {
    ploy_env env = ploy_env_default();
    ploy_buffer stream;
    ploy_buffer_init(&stream, 0, &env);
    uint8_t payload[300] = {0};
    websocket_put(&stream, false, PLOYI_WS_BINARY, payload, 10, 1);
    websocket_put(&stream, true, 0, payload, 300, 2);
    CHECK_FAIL_NTH(websocket_feed_body, &stream);
    ploy_buffer_fini(&stream);
}

TEST(heads_of_frames_take_the_shortest_form) {
    static const struct {
        uint64_t size;
        size_t want;
        const char *hex;
    } rows[] = {
        {0, 2, "8200"},
        {125, 2, "827d"},
        {126, 4, "827e007e"},
        {65535, 4, "827effff"},
        {65536, 10, "827f0000000000010000"},
        {0x123456789, 10, "827f0000000123456789"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint8_t head[PLOYI_WS_HEAD_MAX];
        size_t size = ployi_ws_head(head, PLOYI_WS_BINARY, rows[i].size);
        CHECK_UINT(size, rows[i].want);
        char hex[2 * PLOYI_WS_HEAD_MAX + 1] = {0};
        websocket_hex(head, size, hex);
        CHECK_TEXT(hex, rows[i].hex);
    }
}

TEST(codes_of_close_frames_are_checked) {
    static const struct {
        const char *row;
        uint8_t payload[4];
        int32_t size, want;
    } rows[] = {
        {"none", {0}, 0, 1005},
        {"half", {3}, 1, 0},
        {"normal", {3, 0xe8}, 2, 1000},
        {"with a reason", {3, 0xe9, 'x', 'y'}, 4, 1001},
        {"a reason that is not UTF-8", {3, 0xe9, 0xc3, 0x28}, 4, 0},
        {"may not travel", {3, 0xed}, 2, 0},
        {"of nobody", {3, 0xe7}, 2, 0},
        {"a library's own", {0x0b, 0xb8}, 2, 3000},
        {"past all", {0x13, 0x88}, 2, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ployi_ws_close_code(rows[i].payload, rows[i].size), rows[i].want);
    }
}

TEST(random_bytes_never_break_the_reader) {
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 500; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ployi_ws_reader reader;
        ployi_ws_reader_init(&reader, 200, &env);
        ployi_ws_event event = PLOYI_WS_NOTHING;
        for (int32_t i = 0; i < 50 && event != PLOYI_WS_FAILED; i++) {
            uint8_t bytes[40];
            size_t size = (size_t)ploy_rng_int(&rng, 1, 40), at = 0;
            for (size_t k = 0; k < size; k++) bytes[k] = (uint8_t)ploy_rng_u32(&rng);
            // Mostly frames that go a little further than their first byte.
            bytes[0] = (uint8_t)("\x81\x82\x80\x89\x01\x02"[ploy_rng_below(&rng, 6)]);
            if (size > 1) bytes[1] = (uint8_t)(0x80 | ploy_rng_below(&rng, 40));
            while (at < size && event != PLOYI_WS_FAILED) {
                size_t used = 0;
                event = ployi_ws_reader_feed(&reader, bytes + at, size - at, &used);
                CHECK(used > 0 || event == PLOYI_WS_FAILED);
                at += used;
                CHECK(reader.message.size <= 200);
            }
        }
        ployi_ws_reader_fini(&reader);
    }
}
