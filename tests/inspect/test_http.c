// The server: pages, refusals, creation, attaching, and the peers curl and node where they are
// installed.
#include "tests/inspect/http_harness.h"

TEST(pages_come_with_their_type_and_the_security_headers) {
    site s;
    site_begin(&s, t);
    site_bytes *answer = malloc(sizeof *answer);
    CHECK(answer != NULL);
    char text[512];
    site_fetch(&s, site_text(&s, "GET / HTTP/1.1\r\n" SITE_HOST SITE_LAST, text, sizeof text),
               answer);
    CHECK_INT(site_status(answer), 200);
    CHECK(answer->ended);
    static const char *const wanted[] = {
        "Content-Type: text/html; charset=utf-8\r\n",
        "Content-Length: 34\r\n",
        "X-Content-Type-Options: nosniff\r\n",
        "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
        "frame-ancestors 'none'",
        "Cache-Control: no-cache\r\n",
        "Connection: close\r\n",
        "ETag: \"",
        "\r\n\r\n<!doctype html><title>test</title>",
    };
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        t->row = wanted[i];
        CHECK(strstr(answer->bytes, wanted[i]) != NULL);
    }
    t->row = NULL;
    // The same tag again: nothing is sent twice.
    char tag[32];
    memcpy(tag, strstr(answer->bytes, "ETag: ") + 6, 18);
    tag[18] = 0;
    char again[512];
    snprintf(again, sizeof again,
             "GET /index.html HTTP/1.1\r\n" SITE_HOST
             "If-None-Match: W/\"x\", %s\r\nConnection: close\r\n\r\n",
             tag);
    site_fetch(&s, site_text(&s, again, text, sizeof text), answer);
    CHECK_INT(site_status(answer), 304);
    CHECK(strstr(answer->bytes, "<!doctype") == NULL);
    site_fetch(&s,
               site_text(&s, "HEAD /app.js HTTP/1.1\r\n" SITE_HOST SITE_LAST, text, sizeof text),
               answer);
    CHECK_INT(site_status(answer), 200);
    CHECK(strstr(answer->bytes, "Content-Length: 13\r\n") != NULL);
    CHECK(strstr(answer->bytes, "use strict") == NULL);
    site_fetch(&s,
               site_text(&s, "GET /large.bin HTTP/1.1\r\n" SITE_HOST SITE_LAST, text, sizeof text),
               answer);
    CHECK(answer->size > sizeof site_large);
    free(answer);
    site_end(&s);
}

TEST(what_is_not_a_request_for_a_file_is_refused) {
    static const struct {
        const char *row, *request;
        int32_t want;
    } rows[] = {
        {"fine", "GET / HTTP/1.1\r\n" SITE_HOST SITE_LAST, 200},
        {"by name", "GET / HTTP/1.1\r\nHost: localhost:@\r\n" SITE_LAST, 200},
        {"a query", "GET /?x=1 HTTP/1.1\r\n" SITE_HOST SITE_LAST, 200},
        {"nothing there", "GET /secret HTTP/1.1\r\n" SITE_HOST "\r\n", 404},
        {"out of the folder", "GET /../../etc/passwd HTTP/1.1\r\n" SITE_HOST "\r\n", 404},
        {"another host", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403},
        {"another port", "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", 403},
        {"no host", "GET / HTTP/1.0\r\n\r\n", 403},
        {"POST", "POST / HTTP/1.1\r\n" SITE_HOST "Content-Length: 2\r\n\r\nhi", 405},
        {"a body", "GET / HTTP/1.1\r\n" SITE_HOST "Content-Length: 2\r\n\r\nhi", 413},
        {"nonsense", "hello there\r\n\r\n", 400},
        {"the socket without an upgrade", "GET /socket HTTP/1.1\r\n" SITE_HOST "\r\n", 426},
    };
    site s;
    site_begin(&s, t);
    site_bytes *answer = malloc(sizeof *answer);
    CHECK(answer != NULL);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char text[512];
        site_fetch(&s, site_text(&s, rows[i].request, text, sizeof text), answer);
        CHECK_INT(site_status(answer), rows[i].want);
        CHECK(answer->ended); // after a refusal there is no second request
        CHECK(strstr(answer->bytes, "nosniff") != NULL);
    }
    t->row = NULL;
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 0);
    free(answer);
    site_end(&s);
}

TEST(a_read_only_server_has_no_token_to_show) {
    ploy_inspect_server_def def = site_def();
    def.writable = false;
    site s;
    site_begin_def(&s, t, &def);
    CHECK(strchr(ploy_inspect_server_url(s.server), '#') == NULL);
    site_end(&s);
}

TEST(a_port_that_is_taken_is_an_error_or_another_one_is_found) {
    site s;
    site_begin(&s, t);
    ploy_inspect_server_def def = site_def();
    def.port = ploy_inspect_server_port(s.server);
    site second;
    memset(&second, 0, sizeof second);
    ploy_env env = ploy_env_default();
    env.log = site_log;
    env.log_user = &second;
    ploy_inspect_server *server = NULL;
    CHECK_INT(ploy_inspect_server_create(&def, NULL, NULL, &env, &server), PLOY_ERR_SYSTEM);
    CHECK(server == NULL);
    char port[16];
    snprintf(port, sizeof port, "%d", def.port);
    CHECK(strstr(second.log, port) != NULL);
    def.any_port = true;
    CHECK_OK(ploy_inspect_server_create(&def, NULL, NULL, &env, &server));
    CHECK(ploy_inspect_server_port(server) != def.port);
    ploy_inspect_server_destroy(server);
    site_end(&s);
}

static ploy_result site_create_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_inspect_server_def def = site_def();
    def.max_connections = 4;
    ploy_inspect_server *server = NULL;
    ploy_result result =
        ploy_inspect_server_create(&def, inspector_sim_types, site_assets, env, &server);
    ploy_inspect_server_destroy(server);
    return result;
}

typedef struct site_totals {
    size_t bytes;
} site_totals;

static void site_add_up(void *user, const ploy_memory_item *item) {
    ((site_totals *)user)->bytes += item->bytes;
}

TEST(create_survives_every_failing_allocation_and_refuses_bad_settings) {
    CHECK_FAIL_NTH(site_create_body, NULL);
    ploy_env env = ploy_env_default();
    ploy_inspect_server *server = NULL;
    ploy_inspect_server_def def = site_def();
    def.idle_s = NAN;
    CHECK_INT(ploy_inspect_server_create(&def, NULL, NULL, &env, &server), PLOY_ERR_ARGUMENT);
    def = site_def();
    def.port = 65536;
    CHECK_INT(ploy_inspect_server_create(&def, NULL, NULL, &env, &server), PLOY_ERR_ARGUMENT);
    def = site_def();
    def.inspector.max_clients = 0;
    CHECK_INT(ploy_inspect_server_create(&def, NULL, NULL, &env, &server), PLOY_ERR_ARGUMENT);
    def = site_def();
    CHECK_INT(ploy_inspect_server_create(&def, NULL, NULL, &env, NULL), PLOY_ERR_ARGUMENT);
    ploy_inspect_server_destroy(NULL);
    site s;
    site_begin(&s, t);
    site_totals totals = {0};
    ploy_inspect_server_memory(s.server, site_add_up, &totals);
    CHECK(totals.bytes > 0 && (int64_t)totals.bytes <= s.counts.bytes);
    site_end(&s);
}

static void site_draw(void *user, ploy_draw *out) {
    (void)user;
    ploy_vec2 at = {1, 2};
    ploy_draw_point(out, PLOY_LAYER_AGENTS, PLOY_STYLE_PLAIN, ploy_agent_id_none(), at);
}

// Attached servers rest between looks at the sockets, so time must pass by itself.
static uint64_t site_clock_that_goes(void *user) {
    return ((site *)user)->now_ns += 2000000;
}

TEST(attach_shows_a_program_with_two_calls) {
    site s;
    memset(&s, 0, sizeof s);
    s.t = t;
    s.now_ns = 1;
    ploy_env env = test_counting_env(&s.counts);
    env.clock = site_clock_that_goes;
    env.clock_user = &s;
    env.log = site_log;
    env.log_user = &s;
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    ploy_inspect_server *server = NULL;
    CHECK_INT(ploy_inspect_attach(&source, &env, &server), PLOY_ERR_ARGUMENT); // no name
    CHECK(server == NULL);
    source.name = "game";
    source.draw = site_draw;
    CHECK_OK(ploy_inspect_attach(&source, &env, &s.server));
    CHECK(strstr(s.log, ploy_inspect_server_url(s.server)) != NULL);
    CHECK(strncmp(ploy_inspect_server_url(s.server), "http://127.0.0.1:", 17) == 0);
    site_socket *socket = site_open(&s);
    site_hello(socket);
    site_say(socket, "{\"id\":2,\"do\":\"watch\",\"session\":1}");
    size_t size = 0;
    const char *picture = site_await(socket, 2, &size);
    CHECK(picture != NULL && size == 32 + 28);
    // The page that is built in is there.
    site_bytes *answer = malloc(sizeof *answer);
    CHECK(answer != NULL);
    char text[512];
    site_fetch(&s, site_text(&s, "GET / HTTP/1.1\r\n" SITE_HOST SITE_LAST, text, sizeof text),
               answer);
    CHECK_INT(site_status(answer), 200);
    CHECK(strstr(answer->bytes, "text/html") != NULL);
    free(answer);
    site_close(socket);
    site_end(&s);
}

// Runs a command while the server works, and returns what it printed; NULL if it cannot be run.
static char *site_run(site *s, const char *command) {
    static char out[65536];
    size_t size = 0;
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) return NULL;
    int fd = fileno(pipe);
    (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    for (int32_t i = 0; i < 20000; i++) {
        s->now_ns += 1000000;
        site_step(s);
        ssize_t got = read(fd, out + size, sizeof out - 1 - size);
        if (got > 0) size += (size_t)got;
        if (got == 0) break;
        struct timespec moment = {0, 1000000};
        if (got < 0) nanosleep(&moment, NULL);
    }
    int status = pclose(pipe);
    out[size] = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? out : NULL;
}

TEST(curl_reads_the_pages) {
    site s;
    site_begin(&s, t);
    if (site_run(&s, "curl --version 2>/dev/null") == NULL) {
        site_end(&s);
        test_skip(t, "curl is not installed");
        return;
    }
    char command[512];
    snprintf(command, sizeof command,
             "curl -sS --max-time 10 -o /dev/null -o /dev/null -o /dev/null -w '%%{http_code} "
             "%%{content_type} "
             "%%{size_download}\\n' http://127.0.0.1:%d/ http://localhost:%d/large.bin "
             "http://127.0.0.1:%d/nothing 2>&1",
             ploy_inspect_server_port(s.server), ploy_inspect_server_port(s.server),
             ploy_inspect_server_port(s.server));
    char *out = site_run(&s, command);
    CHECK(out != NULL);
    CHECK(strstr(out, "200 text/html; charset=utf-8 34") != NULL);
    CHECK(strstr(out, "200 application/octet-stream 300000") != NULL);
    CHECK(strstr(out, "404 text/plain; charset=utf-8") != NULL);
    snprintf(command, sizeof command,
             "curl -sS --max-time 10 -I -H 'Host: evil.example' http://127.0.0.1:%d/ 2>&1",
             ploy_inspect_server_port(s.server));
    out = site_run(&s, command);
    CHECK(out != NULL && strstr(out, "HTTP/1.1 403") != NULL);
    site_end(&s);
}

TEST(nodes_websocket_holds_a_conversation) {
    site s;
    site_begin(&s, t);
    char command[4096];
    snprintf(command, sizeof command,
             // Before version 22 node has it behind this flag, and before 20 not at all.
             "node --experimental-websocket --no-warnings -e '"
             "const url = new URL(\"%s\");"
             "const token = new URLSearchParams(url.hash.slice(1)).get(\"token\");"
             "const ws = new WebSocket(\"ws://\" + url.host + \"/socket\", [\"ploy.inspector.1\"]);"
             "ws.binaryType = \"arraybuffer\"; let pictures = 0;"
             "const ask = (id, m) => ws.send(JSON.stringify({id, ...m}));"
             "ws.onopen = () => ask(1, {do: \"hello\", protocol: 1, token, client: "
             "\"x\".repeat(70000)});"
             "ws.onmessage = (e) => {"
             "  if (typeof e.data !== \"string\") { pictures++; return; }"
             "  const m = JSON.parse(e.data);"
             "  if (m.id === 1) ask(2, {do: \"open\", simulation: \"drift\"});"
             "  if (m.id === 2) ask(3, {do: \"step\", session: m.session.session, ticks: 100});"
             "  if (m.id === 3) { console.log(\"tick\", m.tick, ws.protocol, pictures > 0); "
             "ws.close(1000, \"bye\"); }"
             "};"
             "ws.onclose = (e) => { console.log(\"closed\", e.code, e.wasClean); };' 2>&1",
             ploy_inspect_server_url(s.server));
    char *out = site_run(&s, command);
    if (out == NULL) {
        site_end(&s);
        test_skip(t, "node with a WebSocket is not installed");
        return;
    }
    CHECK(strstr(out, "tick 100 ploy.inspector.1 true") != NULL);
    CHECK(strstr(out, "closed 1000 true") != NULL);
    site_end(&s);
}
