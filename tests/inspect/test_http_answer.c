// Answers to requests, without a socket: which file, which head, who may upgrade.
#include <string.h>

#include "inspect/http_internal.h"
#include "tests/test.h"

static const ploy_asset answer_assets[] = {
    {"/index.html", "text/html; charset=utf-8", (const unsigned char *)"<p>", 3},
    {"/empty.txt", "text/plain; charset=utf-8", (const unsigned char *)"", 0},
    {NULL, NULL, NULL, 0},
};
static const uint64_t answer_hashes[] = {0x0123456789abcdefu, 7};

typedef struct answer_case {
    ploy_buffer out;
    ployi_http_body body;
    int32_t status;
} answer_case;

// Parses the request and answers it, as an upgrade or as a request for a file.
static void answer_make(test_context *t, answer_case *c, const char *text, bool any_address,
                        bool upgrade) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(&c->out, 0, &env);
    ployi_http_site site = {answer_assets, answer_hashes, 7373, any_address};
    ployi_http_request request;
    CHECK_INT(ployi_http_parse(text, strlen(text), &request), 0);
    ploy_writer writer = ploy_buffer_writer(&c->out);
    if (upgrade) {
        c->status = ployi_http_upgrade(&site, &request, &writer);
    } else {
        c->status = ployi_http_answer(&site, &request, &writer, &c->body);
    }
    CHECK_OK(ploy_writer_result(&writer));
}

TEST(files_are_answered_with_exactly_this_head) {
    answer_case c;
    answer_make(t, &c, "GET / HTTP/1.1\r\nHost: 127.0.0.1:7373\r\n\r\n", false, false);
    CHECK_INT(c.status, 200);
    CHECK_TEXT(ploy_buffer_text(&c.out),
               "HTTP/1.1 200 OK\r\n"
               "ETag: \"0123456789abcdef\"\r\n"
               "Cache-Control: no-cache\r\n"
               "Content-Security-Policy: default-src 'none'; script-src 'self' "
               "'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
               "font-src 'self'; worker-src 'self' blob:; manifest-src 'self'; connect-src 'self' "
               "ws://127.0.0.1:7373 ws://localhost:7373; base-uri 'none'; form-action 'none'; "
               "frame-ancestors 'none'\r\n"
               "X-Content-Type-Options: nosniff\r\n"
               "Referrer-Policy: no-referrer\r\n"
               "Cross-Origin-Opener-Policy: same-origin\r\n"
               "Cross-Origin-Resource-Policy: same-origin\r\n"
               "Content-Type: text/html; charset=utf-8\r\n"
               "Content-Length: 3\r\n"
               "\r\n");
    CHECK_UINT(c.body.size, 3);
    ploy_buffer_fini(&c.out);
}

TEST(tags_that_match_save_the_body) {
    static const struct {
        const char *tags;
        int32_t want;
    } rows[] = {
        {"\"0123456789abcdef\"", 304},
        {"W/\"0123456789abcdef\"", 304},
        {"\"a\", \"0123456789abcdef\"", 304},
        {"*", 304},
        {"\"0123456789abcdee\"", 200},
        {"0123456789abcdef", 200},
        {"", 200},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].tags;
        char text[160];
        snprintf(text, sizeof text,
                 "GET /index.html HTTP/1.1\r\nHost: localhost:7373\r\nIf-None-Match: %s\r\n\r\n",
                 rows[i].tags);
        answer_case c;
        answer_make(t, &c, text, false, false);
        CHECK_INT(c.status, rows[i].want);
        CHECK_INT(c.body.size, rows[i].want == 200 ? 3 : 0);
        CHECK((strstr(c.out.bytes, "Content-Length") != NULL) == (rows[i].want == 200));
        ploy_buffer_fini(&c.out);
    }
}

TEST(beyond_loopback_any_host_is_good_and_the_origin_still_must_be_it) {
    static const struct {
        const char *row, *request;
        bool any_address, upgrade;
        int32_t want;
    } rows[] = {
        {"a page", "GET / HTTP/1.1\r\nHost: 192.168.1.7:7373\r\n\r\n", true, false, 200},
        {"on loopback", "GET / HTTP/1.1\r\nHost: 192.168.1.7:7373\r\n\r\n", false, false, 403},
        {"an empty file", "GET /empty.txt HTTP/1.1\r\nHost: a\r\n\r\n", true, false, 200},
        {"its own page",
         "GET /socket HTTP/1.1\r\nHost: 192.168.1.7:7373\r\nOrigin: http://192.168.1.7:7373\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
         true, true, 0},
        {"another page",
         "GET /socket HTTP/1.1\r\nHost: 192.168.1.7:7373\r\nOrigin: http://evil.example\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
         true, true, 403},
        {"HEAD", "HEAD /socket HTTP/1.1\r\nHost: a\r\n\r\n", true, true, 400},
        {"an old version", "GET /socket HTTP/1.0\r\nHost: a\r\n\r\n", true, true, 400},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        answer_case c;
        answer_make(t, &c, rows[i].request, rows[i].any_address, rows[i].upgrade);
        CHECK_INT(c.status, rows[i].want);
        if (rows[i].want == 200) CHECK(strstr(c.out.bytes, "ws://127.0.0.1") == NULL);
        ploy_buffer_fini(&c.out);
    }
}

TEST(every_refusal_has_a_reason_a_sentence_and_an_end) {
    static const int32_t rows[] = {400, 403, 404, 405, 408, 413, 414, 426, 431, 500, 503, 505};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (int32_t head = 0; head < 2; head++) {
            ploy_buffer out;
            ploy_buffer_init(&out, 0, &env);
            ploy_writer writer = ploy_buffer_writer(&out);
            ployi_http_refuse(rows[i], head != 0, &writer);
            char line[32];
            snprintf(line, sizeof line, "HTTP/1.1 %d ", rows[i]);
            CHECK(strncmp(out.bytes, line, strlen(line)) == 0);
            CHECK(strstr(out.bytes, "Connection: close\r\n") != NULL);
            CHECK((strstr(out.bytes, "Allow: GET, HEAD\r\n") != NULL) == (rows[i] == 405));
            const char *body = strstr(out.bytes, "\r\n\r\n") + 4;
            size_t size = 0;
            CHECK(sscanf(strstr(out.bytes, "Content-Length: "), "Content-Length: %zu", &size) == 1);
            CHECK(size > 10);
            CHECK_UINT(strlen(body), head != 0 ? 0 : size);
            ploy_buffer_fini(&out);
        }
    }
}
