// A server on loopback and a client of it, for the tests of inspect_http. Include it first.
//
// Server and client take turns in one thread; the server's clock is a number of the test, so
// time-outs need no waiting.
#pragma once

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "inspect/http_internal.h"
#include "ploy/base/json.h"
#include "ploy/base/rng.h"
#include "ploy/inspect/http.h"
#include "tests/inspect/inspector_sim.h"
#include "tests/test.h"

static const unsigned char site_index[] = "<!doctype html><title>test</title>";
static const unsigned char site_script[] = "'use strict';";
static unsigned char site_large[300000];

static const ploy_asset site_assets[] = {
    {"/index.html", "text/html; charset=utf-8", site_index, sizeof site_index - 1},
    {"/app.js", "text/javascript; charset=utf-8", site_script, sizeof site_script - 1},
    {"/large.bin", "application/octet-stream", site_large, sizeof site_large},
    {NULL, NULL, NULL, 0},
};

typedef struct site {
    test_context *t;
    ploy_inspect_server *server;
    test_counts counts;
    uint64_t now_ns;
    char log[256];
} site;

static inline uint64_t site_clock(void *user) {
    return ((site *)user)->now_ns;
}

static inline void site_log(void *user, ploy_severity severity, const char *text) {
    (void)severity;
    site *s = user;
    snprintf(s->log, sizeof s->log, "%s", text);
}

static inline ploy_inspect_server_def site_def(void) {
    ploy_inspect_server_def def = ploy_inspect_server_def_default();
    def.port = 0;
    def.rest_ms = 0; // every step counts: the clock stands still
    return def;
}

static inline void site_begin_def(site *s, test_context *t, const ploy_inspect_server_def *def) {
    memset(s, 0, sizeof *s);
    s->t = t;
    s->now_ns = 1000000000;
    ploy_env env = test_counting_env(&s->counts);
    env.clock = site_clock;
    env.clock_user = s;
    env.log = site_log;
    env.log_user = s;
    CHECK_OK(ploy_inspect_server_create(def, inspector_sim_types, site_assets, &env, &s->server));
}

static inline void site_begin(site *s, test_context *t) {
    ploy_inspect_server_def def = site_def();
    site_begin_def(s, t, &def);
}

static inline void site_end(site *s) {
    test_context *t = s->t;
    ploy_inspect_server_destroy(s->server);
    CHECK_INT(s->counts.bytes, 0);
    CHECK_INT(s->counts.blocks, 0);
}

static inline void site_step(site *s) {
    test_context *t = s->t;
    CHECK_OK(ploy_inspect_server_step(s->server, 0));
}

static inline void site_pass(site *s, double seconds) {
    s->now_ns += (uint64_t)(seconds * 1e9);
    site_step(s);
}

// ---- a client

static inline int site_connect(site *s) {
    test_context *t = s->t;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(fd >= 0);
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)ploy_inspect_server_port(s->server));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(connect(fd, (const struct sockaddr *)&address, sizeof address) == 0);
    CHECK(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
    int on = 1; // single bytes should not wait for each other
    CHECK(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0);
    return fd;
}

static inline void site_send(site *s, int fd, const void *bytes, size_t size) {
    test_context *t = s->t;
    size_t at = 0;
    for (int32_t i = 0; at < size && i < 100000; i++) {
        ssize_t put = send(fd, (const char *)bytes + at, size - at, MSG_NOSIGNAL);
        if (put > 0) at += (size_t)put;
        if (put < 0 && errno != EAGAIN) return; // the server is allowed to hang up
        site_step(s);
    }
    CHECK(at == size);
}

static inline void site_send_text(site *s, int fd, const char *text) {
    site_send(s, fd, text, strlen(text));
}

typedef struct site_bytes {
    char bytes[400000];
    size_t size;
    bool ended; // the server hung up
} site_bytes;

// Reads what comes until `enough` bytes are there, the server hangs up, or nothing more happens.
static inline void site_read(site *s, int fd, size_t enough, site_bytes *out) {
    int32_t quiet = 0;
    while (out->size < enough && !out->ended && quiet < 250) {
        site_step(s);
        ssize_t got = recv(fd, out->bytes + out->size, sizeof out->bytes - 1 - out->size, 0);
        if (got > 0) {
            out->size += (size_t)got;
            quiet = 0;
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            out->ended = true;
        } else {
            // Loopback needs a moment now and then.
            struct timespec moment = {0, 200000};
            nanosleep(&moment, NULL);
            quiet++;
        }
    }
    out->bytes[out->size] = 0;
}

// Sends a request on a new connection and reads the whole answer.
static inline void site_fetch(site *s, const char *request, site_bytes *out) {
    int fd = site_connect(s);
    out->size = 0;
    out->ended = false;
    site_send_text(s, fd, request);
    site_read(s, fd, sizeof out->bytes - 1, out);
    close(fd);
    for (int32_t i = 0; i < 3; i++) site_step(s);
}

static inline int32_t site_status(const site_bytes *answer) {
    if (strncmp(answer->bytes, "HTTP/1.1 ", 9) != 0) return -1;
    return atoi(answer->bytes + 9);
}

// Puts the server's own port where the text has a '@'.
static inline const char *site_text(site *s, const char *format, char *out, size_t size) {
    size_t at = 0;
    for (; *format != 0 && at + 8 < size; format++) {
        if (*format == '@') {
            at += (size_t)snprintf(out + at, size - at, "%d", ploy_inspect_server_port(s->server));
        } else {
            out[at++] = *format;
        }
    }
    out[at] = 0;
    return out;
}

#define SITE_HOST "Host: 127.0.0.1:@\r\n"
#define SITE_LAST "Connection: close\r\n\r\n"

#define SITE_UPGRADE                                                                     \
    "GET /socket HTTP/1.1\r\n" SITE_HOST "Upgrade: websocket\r\nConnection: Upgrade\r\n" \
    "Sec-WebSocket-Version: 13\r\n"                                                      \
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"                                    \
    "Sec-WebSocket-Protocol: ploy.inspector.1\r\n"

typedef struct site_socket {
    site *s;
    int fd;
    site_bytes in; // what was read and not taken
} site_socket;

static inline site_socket *site_open(site *s) {
    test_context *t = s->t;
    site_socket *socket = calloc(1, sizeof *socket);
    CHECK(socket != NULL);
    socket->s = s;
    socket->fd = site_connect(s);
    char text[1024];
    site_send_text(s, socket->fd, site_text(s, SITE_UPGRADE "\r\n", text, sizeof text));
    site_read(s, socket->fd, 1, &socket->in);
    site_read(s, socket->fd, 150, &socket->in);
    CHECK_INT(site_status(&socket->in), 101);
    char *end = strstr(socket->in.bytes, "\r\n\r\n");
    CHECK(end != NULL);
    socket->in.size -= (size_t)(end + 4 - socket->in.bytes);
    memmove(socket->in.bytes, end + 4, socket->in.size);
    return socket;
}

static inline void site_close(site_socket *socket) {
    close(socket->fd);
    free(socket);
}

// A masked frame.
static inline size_t site_frame(uint8_t *out, uint8_t first, const void *payload, size_t size) {
    size_t at = ployi_ws_head(out, PLOYI_WS_TEXT, size);
    out[0] = first;
    out[1] |= 0x80;
    static const uint8_t mask[4] = {0x12, 0x34, 0x56, 0x78};
    memcpy(out + at, mask, 4);
    at += 4;
    for (size_t i = 0; i < size; i++) {
        out[at + i] = (uint8_t)(((const uint8_t *)payload)[i] ^ mask[i % 4]);
    }
    return at + size;
}

static inline void site_say(site_socket *socket, const char *text) {
    uint8_t frame[4096];
    size_t size = site_frame(frame, 0x81, text, strlen(text));
    site_send(socket->s, socket->fd, frame, size);
}

// Takes the next frame; returns its opcode, or -1 if none comes.
static inline int32_t site_take(site_socket *socket, char *payload, size_t room, size_t *size) {
    test_context *t = socket->s->t;
    site_bytes *in = &socket->in;
    if (in->size < 2) site_read(socket->s, socket->fd, 2, in);
    if (in->size < 2) return -1;
    const uint8_t *b = (const uint8_t *)in->bytes;
    CHECK((b[1] & 0x80) == 0); // servers do not mask
    CHECK((b[0] & 0xf0) == 0x80);
    size_t head = 2 + ((b[1] & 127) == 126 ? 2 : (b[1] & 127) == 127 ? 8 : 0);
    if (in->size < head) site_read(socket->s, socket->fd, head, in);
    CHECK(in->size >= head);
    uint64_t length = b[1] & 127;
    if (head > 2) {
        length = 0;
        for (size_t i = 2; i < head; i++) length = length << 8 | b[i];
    }
    CHECK(length < room);
    int32_t opcode = b[0] & 15;
    if (in->size < head + length) site_read(socket->s, socket->fd, head + length, in);
    CHECK(in->size >= head + length);
    memcpy(payload, in->bytes + head, length);
    payload[length] = 0;
    *size = length;
    in->size -= head + length;
    memmove(in->bytes, in->bytes + head + length, in->size + 1);
    return opcode;
}

// Takes frames until one of that opcode comes; its payload, or NULL.
static inline const char *site_await(site_socket *socket, int32_t opcode, size_t *size) {
    static char payload[200000];
    for (int32_t i = 0; i < 200; i++) {
        int32_t got = site_take(socket, payload, sizeof payload, size);
        if (got == opcode) return payload;
        if (got < 0) return NULL;
    }
    return NULL;
}

// The code of the close frame that comes, -1 if none does.
static inline int32_t site_close_code(site_socket *socket) {
    size_t size = 0;
    const char *payload = site_await(socket, 8, &size);
    if (payload == NULL || size < 2) return -1;
    return (uint8_t)payload[0] << 8 | (uint8_t)payload[1];
}

static inline void site_hello(site_socket *socket) {
    test_context *t = socket->s->t;
    char hello[160];
    const char *token = strchr(ploy_inspect_server_url(socket->s->server), '=');
    CHECK(token != NULL);
    CHECK_UINT(strlen(token + 1), 32);
    snprintf(hello, sizeof hello, "{\"id\":1,\"do\":\"hello\",\"protocol\":1,\"token\":\"%s\"}",
             token + 1);
    site_say(socket, hello);
    size_t size = 0;
    const char *answer = site_await(socket, 1, &size);
    CHECK(answer != NULL && strstr(answer, "\"access\":\"write\"") != NULL);
}
