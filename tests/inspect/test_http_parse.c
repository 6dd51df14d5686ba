// Requests' heads: what is read, and what is refused.
#include <stdlib.h>
#include <string.h>

#include "inspect/http_internal.h"
#include "ploy/base/rng.h"
#include "tests/test.h"

static ployi_slice parse_slice(const char *text) {
    ployi_slice slice = {text, strlen(text)};
    return slice;
}

#define CHECK_SLICE(slice, want)                          \
    do {                                                  \
        CHECK((slice).bytes != NULL);                     \
        CHECK_UINT((slice).size, strlen(want));           \
        CHECK_BYTES((slice).bytes, (want), (slice).size); \
    } while (0)

TEST(a_browsers_request_is_read_whole) {
    static const char text[] = "GET /app.js?v=1 HTTP/1.1\r\n"
                               "Host: 127.0.0.1:7373\r\n"
                               "Connection: keep-alive, Upgrade\r\n"
                               "upgrade: WebSocket\r\n"
                               "ORIGIN:http://127.0.0.1:7373 \r\n"
                               "Sec-WebSocket-Version: 13\r\n"
                               "Sec-WebSocket-Key:\t dGhlIHNhbXBsZSBub25jZQ== \r\n"
                               "Sec-WebSocket-Protocol: other, ploy.inspector.1\r\n"
                               "If-None-Match: \"abc\"\r\n"
                               "X-Empty:\r\n"
                               "\r\n";
    ployi_http_request request;
    CHECK_INT(ployi_http_parse(text, sizeof text - 1, &request), 0);
    CHECK(!request.head && request.keep && request.upgrade && request.protocol);
    CHECK(request.protocols);
    CHECK_INT(request.minor, 1);
    CHECK_SLICE(request.path, "/app.js");
    CHECK_SLICE(request.host, "127.0.0.1:7373");
    CHECK_SLICE(request.origin, "http://127.0.0.1:7373");
    CHECK_SLICE(request.ws_version, "13");
    CHECK_SLICE(request.ws_key, "dGhlIHNhbXBsZSBub25jZQ==");
    CHECK_SLICE(request.none_match, "\"abc\"");
}

TEST(requests_that_could_be_read_in_two_ways_are_refused) {
    static const struct {
        const char *row, *text;
        int32_t want;
    } rows[] = {
        {"the shortest", "GET / HTTP/1.1\r\nHost: h\r\n\r\n", 0},
        {"HEAD", "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", 0},
        {"1.0 needs no host", "GET / HTTP/1.0\r\n\r\n", 0},
        {"1.1 does", "GET / HTTP/1.1\r\n\r\n", 400},
        {"POST", "POST / HTTP/1.1\r\nHost: h\r\n\r\n", 405},
        {"small letters", "get / HTTP/1.1\r\nHost: h\r\n\r\n", 405},
        {"CONNECT", "CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n", 405},
        {"another protocol", "GET / FTP/1.1\r\nHost: h\r\n\r\n", 400},
        {"version 2", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505},
        {"version with letters", "GET / HTTP/1.x\r\nHost: h\r\n\r\n", 400},
        {"version too long", "GET / HTTP/1.10\r\nHost: h\r\n\r\n", 400},
        {"no version", "GET /\r\nHost: h\r\n\r\n", 400},
        {"two blanks", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        {"a blank behind", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n", 400},
        {"a proxy's target", "GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        {"an asterisk", "GET * HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        {"a fragment", "GET /#x HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        {"a byte beyond ASCII", "GET /\xc3\xa9 HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        {"no line end", "GET / HTTP/1.1\nHost: h\n\n", 400},
        {"a mixed line end", "GET / HTTP/1.1\r\nHost: h\nX: y\r\n\r\n", 400},
        {"a lone return", "GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n", 400},
        {"blank before the colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400},
        {"a folded line", "GET / HTTP/1.1\r\nHost: h\r\n more\r\n\r\n", 400},
        {"no name", "GET / HTTP/1.1\r\n: h\r\n\r\n", 400},
        {"no colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", 400},
        {"two hosts", "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", 400},
        {"two origins", "GET / HTTP/1.1\r\nHost: h\r\nOrigin: a\r\nOrigin: b\r\n\r\n", 400},
        {"a control character", "GET / HTTP/1.1\r\nHost: h\x01\r\n\r\n", 400},
        {"a delete character", "GET / HTTP/1.1\r\nHost: h\x7f\r\n\r\n", 400},
        {"a body", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n", 413},
        {"an empty body", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", 0},
        {"an odd length", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 0, 0\r\n\r\n", 413},
        {"chunks", "GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", 413},
        {"nothing", "\r\n\r\n", 400},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ployi_http_request request;
        memset(&request, 0x55, sizeof request);
        ployi_http_request before = request;
        CHECK_INT(ployi_http_parse(rows[i].text, strlen(rows[i].text), &request), rows[i].want);
        if (rows[i].want != 0) CHECK_BYTES(&request, &before, sizeof request);
    }
    t->row = NULL;
    // A zero byte does not end a header early.
    static const char zero[] = "GET / HTTP/1.1\r\nHost: h\0X\r\n\r\n";
    ployi_http_request request;
    CHECK_INT(ployi_http_parse(zero, sizeof zero - 1, &request), 400);
}

TEST(too_many_headers_and_too_long_a_target_are_refused) {
    char text[8192] = "GET / HTTP/1.1\r\nHost: h\r\n";
    for (int32_t i = 0; i < 99; i++) strcat(text, "X: y\r\n");
    ployi_http_request request;
    size_t size = strlen(text);
    memcpy(text + size, "\r\n", 3);
    CHECK_INT(ployi_http_parse(text, size + 2, &request), 0);
    memcpy(text + size, "X: y\r\n\r\n", 9);
    CHECK_INT(ployi_http_parse(text, size + 8, &request), 431);
    memset(text, 'a', 4096);
    memcpy(text, "GET /", 5);
    strcpy(text + 4096, " HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK_INT(ployi_http_parse(text, strlen(text), &request), 414);
}

TEST(keep_alive_follows_version_and_header) {
    static const struct {
        const char *text;
        bool keep;
    } rows[] = {
        {"GET / HTTP/1.1\r\nHost: h\r\n\r\n", true},
        {"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", false},
        {"GET / HTTP/1.1\r\nHost: h\r\nConnection: x , Close\r\n\r\n", false},
        {"GET / HTTP/1.0\r\nHost: h\r\n\r\n", false},
        {"GET / HTTP/1.0\r\nHost: h\r\nConnection: Keep-Alive\r\n\r\n", true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ployi_http_request request;
        CHECK_INT(ployi_http_parse(rows[i].text, strlen(rows[i].text), &request), 0);
        CHECK_INT(request.keep, rows[i].keep);
        CHECK(!request.upgrade);
    }
}

TEST(only_this_machines_own_names_are_its_hosts) {
    static const struct {
        const char *host;
        bool want;
    } rows[] = {
        {"127.0.0.1:7373", true},   {"localhost:7373", true},
        {"LocalHost:7373", true},   {"[::1]:7373", true},
        {"127.0.0.1", false},       {"127.0.0.1:", false},
        {"127.0.0.1:07373", false}, {"127.0.0.1:7374", false},
        {"127.0.0.1:73730", false}, {"localhost.evil.org:7373", false},
        {"evil.org:7373", false},   {"127.0.0.1:7373 ", false},
        {"127.0.0.2:7373", false},  {"", false},
        {"localhost:7373x", false}, {"localhost:999999999999", false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].host;
        CHECK_INT(ployi_http_host_is_loopback(parse_slice(rows[i].host), 7373), rows[i].want);
    }
    t->row = NULL;
    CHECK(ployi_http_host_is_loopback(parse_slice("localhost"), 80));
    ployi_slice none = {NULL, 0};
    CHECK(!ployi_http_host_is_loopback(none, 80));
}

TEST(an_origin_is_the_same_only_if_it_is_the_host) {
    static const struct {
        const char *origin, *host;
        bool want;
    } rows[] = {
        {"http://127.0.0.1:7373", "127.0.0.1:7373", true},
        {"HTTP://LOCALHOST:7373", "localhost:7373", true},
        {"http://localhost:7373", "127.0.0.1:7373", false},
        {"https://127.0.0.1:7373", "127.0.0.1:7373", false},
        {"http://127.0.0.1:7374", "127.0.0.1:7373", false},
        {"http://evil.org", "127.0.0.1:7373", false},
        {"http://127.0.0.1:7373.evil.org", "127.0.0.1:7373", false},
        {"null", "127.0.0.1:7373", false},
        {"", "127.0.0.1:7373", false},
        {"http://", "", false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].origin;
        CHECK_INT(ployi_http_origin_is_same(parse_slice(rows[i].origin), parse_slice(rows[i].host)),
                  rows[i].want);
    }
}

TEST(the_end_of_a_head_is_found_however_it_is_cut) {
    for (uint64_t seed = 1; seed <= 500; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        // Texts full of near misses.
        char text[64];
        size_t size = (size_t)ploy_rng_int(&rng, 0, 40);
        for (size_t i = 0; i < size; i++) text[i] = "\r\n\r\nx"[ploy_rng_below(&rng, 5)];
        text[size] = 0;
        size_t want = 0;
        for (size_t i = 0; want == 0 && i + 4 <= size; i++) {
            if (memcmp(text + i, "\r\n\r\n", 4) == 0) want = i + 4;
        }
        size_t from = 0, have = 0, got = 0;
        while (have < size && got == 0) {
            have += 1 + (size_t)ploy_rng_below(&rng, 3);
            if (have > size) have = size;
            got = ployi_http_head_end(text, have, &from);
        }
        CHECK_UINT(got, want);
    }
}

TEST(random_bytes_never_break_the_parser) {
    static const char good[] =
        "GET /a?b HTTP/1.1\r\nHost: localhost:1\r\nConnection: upgrade\r\n\r\n";
    int32_t fine = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        size_t size = 1 + (size_t)ploy_rng_below(&rng, sizeof good - 1);
        char *text = malloc(size); // its own block, so that a sanitizer sees every byte too far
        CHECK(text != NULL);
        memcpy(text, good, size);
        int32_t changes = ploy_rng_int(&rng, 0, 4);
        for (int32_t i = 0; i < changes; i++) {
            text[ploy_rng_below(&rng, size)] = (char)ploy_rng_int(&rng, -128, 127);
        }
        ployi_http_request request;
        int32_t status = ployi_http_parse(text, size, &request);
        fine += status == 0;
        CHECK(status == 0 || (status >= 400 && status < 600));
        free(text);
    }
    CHECK(fine > 0);
}
