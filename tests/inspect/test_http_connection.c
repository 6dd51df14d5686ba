// Connections over real sockets on loopback: requests in pieces, sockets, and clients that are slow,
// silent or hostile.
#include "tests/inspect/http_harness.h"

TEST(a_head_that_never_ends_is_refused_before_it_is_read) {
    ploy_inspect_server_def def = site_def();
    def.max_header_kib = 2;
    site s;
    site_begin_def(&s, t, &def);
    site_bytes *answer = malloc(sizeof *answer);
    CHECK(answer != NULL);
    memset(answer, 0, sizeof *answer);
    int fd = site_connect(&s);
    site_send_text(&s, fd, "GET / HTTP/1.1\r\nX: ");
    int64_t bytes = s.counts.bytes;
    char junk[1000];
    memset(junk, 'a', sizeof junk);
    for (int32_t i = 0; i < 40; i++) site_send(&s, fd, junk, sizeof junk);
    CHECK(s.counts.bytes <= bytes + 2 * 2048 + 2048);
    site_read(&s, fd, sizeof answer->bytes - 1, answer);
    CHECK_INT(site_status(answer), 431);
    CHECK(answer->ended);
    close(fd);
    free(answer);
    site_end(&s);
}

TEST(requests_come_byte_by_byte_or_several_at_once) {
    site s;
    site_begin(&s, t);
    site_bytes *answer = malloc(sizeof *answer);
    CHECK(answer != NULL);
    memset(answer, 0, sizeof *answer);
    char text[512];
    site_text(&s, "GET /app.js HTTP/1.1\r\n" SITE_HOST "\r\n", text, sizeof text);
    int fd = site_connect(&s);
    for (size_t i = 0; text[i] != 0; i++) {
        site_send(&s, fd, text + i, 1);
        site_step(&s);
    }
    site_read(&s, fd, 600, answer);
    CHECK_INT(site_status(answer), 200);
    CHECK(!answer->ended);
    // Two and a half requests in one piece, on the same connection.
    char many[2048];
    snprintf(many, sizeof many, "%s%s%.20s", text, text, text);
    answer->size = 0;
    site_send_text(&s, fd, many);
    site_read(&s, fd, sizeof answer->bytes - 1, answer);
    const char *second = strstr(answer->bytes + 1, "HTTP/1.1 200 OK");
    CHECK(second != NULL);
    CHECK(strstr(second + 1, "HTTP/1.1") == NULL);
    answer->size = 0;
    site_send_text(&s, fd, text + 20);
    site_read(&s, fd, 600, answer);
    CHECK_INT(site_status(answer), 200);
    close(fd);
    free(answer);
    site_end(&s);
}

TEST(silent_and_dawdling_clients_are_closed) {
    ploy_inspect_server_def def = site_def();
    def.idle_s = 5;
    site s;
    site_begin_def(&s, t, &def);
    site_bytes *answer = malloc(sizeof *answer);
    CHECK(answer != NULL);
    memset(answer, 0, sizeof *answer);
    int silent = site_connect(&s), dawdler = site_connect(&s), stalled = site_connect(&s);
    char text[512];
    site_text(&s, "GET /large.bin HTTP/1.1\r\n" SITE_HOST "\r\n", text, sizeof text);
    int small = 4096;
    CHECK(setsockopt(stalled, SOL_SOCKET, SO_RCVBUF, &small, sizeof small) == 0);
    for (int32_t i = 0; i < 20; i++) site_send_text(&s, stalled, text); // and reads nothing
    site_step(&s);
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 3);
    // A byte each second does not buy more time.
    for (int32_t i = 0; i < 4; i++) {
        site_send(&s, dawdler, "G", 1);
        site_pass(&s, 1);
    }
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 3);
    site_pass(&s, 1.5);
    site_read(&s, dawdler, sizeof answer->bytes - 1, answer);
    CHECK_INT(site_status(answer), 408);
    CHECK(answer->ended);
    answer->size = 0;
    answer->ended = false;
    site_read(&s, silent, sizeof answer->bytes - 1, answer);
    CHECK(answer->ended && answer->size == 0);
    site_pass(&s, 6);
    site_pass(&s, 2);
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 0);
    close(silent);
    close(dawdler);
    close(stalled);
    free(answer);
    site_end(&s);
}

TEST(two_hundred_connections_come_and_go) {
    ploy_inspect_server_def def = site_def();
    def.max_connections = 32;
    site s;
    site_begin_def(&s, t, &def);
    int64_t before = s.counts.bytes;
    int fds[200];
    for (int32_t round = 0; round < 3; round++) {
        for (int32_t i = 0; i < 200; i++) {
            fds[i] = site_connect(&s);
            if (i % 3 == 0) site_send_text(&s, fds[i], "GET / HT");
            site_step(&s);
            CHECK(ploy_inspect_server_connection_count(s.server) <= 32);
        }
        for (int32_t i = 0; i < 200; i++) close(fds[(i * 7) % 200]);
        for (int32_t i = 0; i < 20; i++) site_step(&s);
        CHECK_INT(ploy_inspect_server_connection_count(s.server), 0);
        CHECK_INT(s.counts.bytes, before);
    }
    // And there is room again.
    site_bytes *answer = malloc(sizeof *answer);
    CHECK(answer != NULL);
    char text[512];
    site_fetch(&s, site_text(&s, "GET / HTTP/1.1\r\n" SITE_HOST SITE_LAST, text, sizeof text),
               answer);
    CHECK_INT(site_status(answer), 200);
    free(answer);
    site_end(&s);
}

TEST(upgrades_are_judged_by_host_origin_version_key_and_protocol) {
    static const struct {
        const char *row, *request;
        int32_t want;
    } rows[] = {
        {"a program", SITE_UPGRADE "\r\n", 101},
        {"the page itself", SITE_UPGRADE "Origin: http://127.0.0.1:@\r\n\r\n", 101},
        {"another page", SITE_UPGRADE "Origin: http://evil.example\r\n\r\n", 403},
        {"another port's page", SITE_UPGRADE "Origin: http://127.0.0.1:1\r\n\r\n", 403},
        {"a file", SITE_UPGRADE "Origin: null\r\n\r\n", 403},
        {"a rebound name",
         "GET /socket HTTP/1.1\r\nHost: evil.example:@\r\nOrigin: http://evil.example:@\r\n"
         "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
         403},
        {"no subprotocol",
         "GET /socket HTTP/1.1\r\n" SITE_HOST
         "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
         101},
        {"another subprotocol",
         "GET /socket HTTP/1.1\r\n" SITE_HOST
         "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: chat\r\n\r\n",
         400},
        {"version 8",
         "GET /socket HTTP/1.1\r\n" SITE_HOST
         "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
         426},
        {"no key",
         "GET /socket HTTP/1.1\r\n" SITE_HOST
         "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n",
         400},
        {"elsewhere",
         "GET / HTTP/1.1\r\n" SITE_HOST
         "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
         404},
    };
    site s;
    site_begin(&s, t);
    site_bytes *answer = malloc(sizeof *answer);
    CHECK(answer != NULL);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char text[1024];
        site_fetch(&s, site_text(&s, rows[i].request, text, sizeof text), answer);
        CHECK_INT(site_status(answer), rows[i].want);
        if (rows[i].want == 101) {
            CHECK(strstr(answer->bytes, "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n") !=
                  NULL);
            CHECK((strstr(answer->bytes, "Sec-WebSocket-Protocol: ploy.inspector.1") != NULL) ==
                  (strstr(rows[i].request, "ploy.inspector.1") != NULL));
        }
    }
    t->row = NULL;
    CHECK_INT(ploy_inspector_client_count(ploy_inspect_server_inspector(s.server)), 0);
    free(answer);
    site_end(&s);
}

TEST(a_whole_conversation_over_a_socket) {
    site s;
    site_begin(&s, t);
    site_socket *socket = site_open(&s);
    site_hello(socket);
    site_say(socket, "{\"id\":2,\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"7\"}");
    size_t size = 0;
    const char *text = site_await(socket, 1, &size);
    CHECK(text != NULL && strstr(text, "\"do\":\"open\",\"ok\":true") != NULL);
    text = site_await(socket, 2, &size);
    CHECK(text != NULL && text[0] == 1 && size > 32);
    site_say(socket, "{\"id\":3,\"do\":\"step\",\"session\":1,\"ticks\":1000}");
    text = site_await(socket, 1, &size);
    CHECK(text != NULL && strstr(text, "\"tick\":1000") != NULL);
    // A request in three frames, a byte at a time, with a ping between them.
    static const char request[] = "{\"id\":4,\"do\":\"list\"}";
    uint8_t bytes[256];
    size_t total = site_frame(bytes, 0x01, request, 5);
    total += site_frame(bytes + total, 0x89, "are you there", 13);
    total += site_frame(bytes + total, 0x00, request + 5, 0);
    total += site_frame(bytes + total, 0x80, request + 5, sizeof request - 1 - 5);
    for (size_t i = 0; i < total; i++) site_send(&s, socket->fd, bytes + i, 1);
    text = site_await(socket, 10, &size);
    CHECK(text != NULL && size == 13 && memcmp(text, "are you there", 13) == 0);
    bool listed = false;
    for (int32_t i = 0; i < 5 && !listed; i++) {
        text = site_await(socket, 1, &size);
        CHECK(text != NULL);
        listed = strstr(text, "\"do\":\"list\"") != NULL;
    }
    CHECK(listed);
    // And a proper end.
    total = site_frame(bytes, 0x88, "\x03\xe8", 2);
    site_send(&s, socket->fd, bytes, total);
    CHECK_INT(site_close_code(socket), 1000);
    site_read(&s, socket->fd, sizeof socket->in.bytes - 1, &socket->in);
    CHECK(socket->in.ended);
    site_close(socket);
    for (int32_t i = 0; i < 5; i++) site_step(&s);
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 0);
    CHECK_INT(ploy_inspector_client_count(ploy_inspect_server_inspector(s.server)), 0);
    site_end(&s);
}

TEST(a_client_without_the_token_only_looks) {
    site s;
    site_begin(&s, t);
    site_socket *socket = site_open(&s);
    site_say(socket, "{\"id\":1,\"do\":\"hello\",\"protocol\":1}");
    size_t size = 0;
    const char *text = site_await(socket, 1, &size);
    CHECK(text != NULL && strstr(text, "\"access\":\"look\"") != NULL);
    site_say(socket, "{\"id\":2,\"do\":\"open\",\"simulation\":\"drift\"}");
    text = site_await(socket, 1, &size);
    CHECK(text != NULL && strstr(text, "\"denied\"") != NULL);
    site_close(socket);
    site_end(&s);
}

TEST(frames_that_break_the_rules_close_the_socket_with_a_code) {
    static const struct {
        const char *row;
        uint8_t bytes[16];
        size_t size;
        int32_t want;
    } rows[] = {
        {"no mask", {0x81, 0x02, 'h', 'i'}, 4, 1002},
        {"not UTF-8", {0x81, 0x81, 0, 0, 0, 0, 0xff}, 7, 1007},
        {"one byte too many", {0x82, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 1, 0, 0, 0, 0}, 14, 1009},
        {"an endless frame",
         {0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0},
         14,
         1009},
        {"a bad code", {0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed}, 8, 1002},
        {"an early goodbye", {0x88, 0x80, 0, 0, 0, 0}, 6, 1000},
    };
    site s;
    site_begin(&s, t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        site_socket *socket = site_open(&s);
        int64_t bytes = s.counts.bytes;
        site_send(&s, socket->fd, rows[i].bytes, rows[i].size);
        CHECK_INT(site_close_code(socket), rows[i].want);
        CHECK(s.counts.bytes <= bytes + 8192);
        CHECK_INT(ploy_inspector_client_count(ploy_inspect_server_inspector(s.server)), 0);
        site_close(socket);
        for (int32_t k = 0; k < 5; k++) site_step(&s);
    }
    t->row = NULL;
    site_pass(&s, 3);
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 0);
    site_end(&s);
}

TEST(a_client_that_answers_no_close_is_not_waited_for) {
    site s;
    site_begin(&s, t);
    site_socket *socket = site_open(&s);
    site_say(socket, "{\"id\":1,\"do\":\"hello\",\"protocol\":9}"); // goodbye follows
    CHECK_INT(site_close_code(socket), 1008);
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 1);
    site_pass(&s, 2.5);
    site_pass(&s, 2.5);
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 0);
    site_close(socket);
    site_end(&s);
}

TEST(silent_sockets_are_pinged_and_then_closed) {
    ploy_inspect_server_def def = site_def();
    def.ping_s = 10;
    site s;
    site_begin_def(&s, t, &def);
    site_socket *alive = site_open(&s), *dead = site_open(&s);
    site_hello(alive);
    site_hello(dead);
    site_pass(&s, 11);
    size_t size = 0;
    CHECK(site_await(alive, 9, &size) != NULL);
    uint8_t pong[16];
    site_send(&s, alive->fd, pong, site_frame(pong, 0x8a, "", 0));
    site_pass(&s, 15);
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 2);
    site_send(&s, alive->fd, pong, site_frame(pong, 0x8a, "", 0));
    site_pass(&s, 15);
    CHECK_INT(site_close_code(dead), 1008);
    CHECK_INT(ploy_inspector_client_count(ploy_inspect_server_inspector(s.server)), 1);
    site_close(alive);
    site_close(dead);
    site_end(&s);
}

TEST(a_program_that_stood_still_keeps_its_clients) {
    site s;
    site_begin(&s, t);
    site_socket *socket = site_open(&s);
    site_hello(socket);
    site_pass(&s, 3600); // in a debugger
    size_t size = 0;
    CHECK(site_await(socket, 9, &size) != NULL);
    uint8_t pong[16];
    site_send(&s, socket->fd, pong, site_frame(pong, 0x8a, "", 0));
    site_say(socket, "{\"id\":2,\"do\":\"list\"}");
    CHECK(site_await(socket, 1, &size) != NULL);
    site_close(socket);
    site_end(&s);
}

TEST(a_slow_reader_costs_a_bounded_memory_and_stops_nobody) {
    ploy_inspect_server_def def = site_def();
    def.ping_s = 10;
    site s;
    site_begin_def(&s, t, &def);
    site_socket *slow = site_open(&s), *quick = site_open(&s);
    int small = 4096;
    CHECK(setsockopt(slow->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small) == 0);
    site_hello(slow);
    site_hello(quick);
    site_say(slow,
             "{\"id\":2,\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"agents\":1000}}");
    site_say(slow, "{\"id\":3,\"do\":\"play\",\"session\":1}");
    site_say(quick, "{\"id\":2,\"do\":\"watch\",\"session\":1,\"rate\":10}");
    // A second and a half of pictures of 76 kB each, 60 a second, that nobody reads.
    size_t size = 0;
    for (int32_t i = 0; i < 30; i++) site_pass(&s, 0.016);
    int64_t bytes = s.counts.bytes;
    int32_t pictures = 0;
    for (int32_t i = 0; i < 60; i++) {
        site_pass(&s, 0.016);
        char first[200000];
        if (quick->in.size > 0 || i % 10 == 0) {
            int32_t opcode = site_take(quick, first, sizeof first, &size);
            pictures += opcode == 2;
        }
    }
    CHECK(pictures >= 3); // the other one is served
    // One picture may wait for it here; the simulation's own snapshots may come and go.
    CHECK(s.counts.bytes <= bytes + 1000000);
    // It never reads: it is let go, and the game goes on.
    uint8_t pong[16];
    for (int32_t i = 0; i < 5; i++) {
        site_pass(&s, 8);
        site_send(&s, slow->fd, pong, site_frame(pong, 0x8a, "", 0)); // it still talks
        site_send(&s, quick->fd, pong, site_frame(pong, 0x8a, "", 0));
        while (site_take(quick, (char[200000]){0}, 200000, &size) >= 0) {
        }
    }
    CHECK_INT(ploy_inspector_client_count(ploy_inspect_server_inspector(s.server)), 1);
    site_close(slow);
    site_close(quick);
    site_end(&s);
}

TEST(random_bytes_on_sockets_harm_nobody) {
    site s;
    site_begin(&s, t);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        site_socket *socket = seed % 2 == 0 ? site_open(&s) : NULL;
        int fd = socket != NULL ? socket->fd : site_connect(&s);
        for (int32_t i = 0; i < 20; i++) {
            uint8_t bytes[64];
            size_t size = (size_t)ploy_rng_int(&rng, 1, 64);
            for (size_t k = 0; k < size; k++) bytes[k] = (uint8_t)ploy_rng_u32(&rng);
            site_send(&s, fd, bytes, size);
        }
        if (socket != NULL) {
            site_close(socket);
        } else {
            close(fd);
        }
    }
    for (int32_t i = 0; i < 20; i++) site_step(&s);
    site_pass(&s, 3);
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 0);
    site_end(&s);
}

TEST(too_many_clients_are_told_so) {
    ploy_inspect_server_def def = site_def();
    def.inspector.max_clients = 1;
    site s;
    site_begin_def(&s, t, &def);
    site_socket *socket = site_open(&s);
    site_hello(socket); // one that did not say hello would give way
    site_bytes *answer = malloc(sizeof *answer);
    CHECK(answer != NULL);
    char text[1024];
    site_fetch(&s, site_text(&s, SITE_UPGRADE "\r\n", text, sizeof text), answer);
    CHECK_INT(site_status(answer), 503);
    free(answer);
    site_close(socket);
    site_end(&s);
}

TEST(the_end_of_the_server_is_announced) {
    site s;
    site_begin(&s, t);
    site_socket *socket = site_open(&s);
    site_hello(socket);
    ploy_inspect_server_destroy(s.server);
    CHECK_INT(s.counts.bytes, 0);
    ssize_t got = 0;
    for (int32_t i = 0; i < 100 && got <= 0; i++) {
        struct timespec moment = {0, 1000000};
        nanosleep(&moment, NULL);
        got = recv(socket->fd, socket->in.bytes, 1000, 0);
    }
    CHECK(got > 0);
    socket->in.bytes[got] = 0;
    CHECK(strstr(socket->in.bytes, "goodbye") != NULL);
    CHECK(strstr(socket->in.bytes, "the program ends") != NULL);
    site_close(socket);
}

// A whole conversation with a server that has that memory. PLOY_ERR_MEMORY if it was cut short or
// an answer told of too little.
static ploy_result connection_talk_body(const ploy_env *env, void *arg) {
    test_context *t = arg;
    site s;
    memset(&s, 0, sizeof s);
    s.t = t;
    s.now_ns = 1000000000;
    ploy_env own = *env;
    own.clock = site_clock;
    own.clock_user = &s;
    ploy_inspect_server_def def = site_def();
    def.max_connections = 2;
    def.inspector.max_clients = 1;
    def.inspector.recorder.sim.region_mib = 1;
    ploy_result result =
        ploy_inspect_server_create(&def, inspector_sim_types, site_assets, &own, &s.server);
    if (result != PLOY_OK) return result;
    site_socket *socket = calloc(1, sizeof *socket);
    CHECK(socket != NULL);
    socket->s = &s;
    socket->fd = site_connect(&s);
    char text[1024];
    site_send_text(&s, socket->fd, site_text(&s, SITE_UPGRADE "\r\n", text, sizeof text));
    site_read(&s, socket->fd, 1, &socket->in);
    if (socket->in.size == 0 || site_status(&socket->in) != 101) result = PLOY_ERR_MEMORY;
    socket->in.size = 0;
    snprintf(text, sizeof text, "{\"id\":1,\"do\":\"hello\",\"protocol\":1,\"token\":\"%s\"}",
             strchr(ploy_inspect_server_url(s.server), '=') + 1);
    const char *const messages[] = {
        text,
        "{\"id\":2,\"do\":\"open\",\"simulation\":\"drift\"}",
        "{\"id\":3,\"do\":\"step\",\"session\":1}",
    };
    for (size_t i = 0; i < COUNT_OF(messages) && result == PLOY_OK; i++) {
        site_say(socket, messages[i]);
        bool answered = false;
        while (!answered && result == PLOY_OK) {
            size_t size = 0;
            char *payload = malloc(200000);
            CHECK(payload != NULL);
            int32_t opcode = site_take(socket, payload, 200000, &size);
            if (opcode == 1 && strstr(payload, "\"id\":") != NULL) {
                answered = true;
                if (strstr(payload, "\"memory\"") != NULL) result = PLOY_ERR_MEMORY;
            } else if (opcode < 0 || opcode == 8) {
                CHECK(opcode == 8 || socket->in.ended);
                result = PLOY_ERR_MEMORY;
            }
            free(payload);
        }
    }
    site_close(socket);
    ploy_inspect_server_destroy(s.server);
    return result;
}

TEST(a_server_without_memory_drops_the_client_and_nothing_else) {
    CHECK_FAIL_NTH(connection_talk_body, t);
}
