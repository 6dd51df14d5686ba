// A program of one's own, watched over sockets: what it offers, several pages at once, pages that
// vanish, and that nobody reaches it from beyond this machine.
#include "tests/inspect/http_harness.h"

typedef struct attach_game {
    uint32_t cookie;
    float gravity;
    int32_t kicks;
    int32_t pictures;
} attach_game;

static const ploy_field attach_fields[] = {
    PLOY_FIELD_F32(attach_game, gravity, 9.81f, 0, 30, "m/s^2", "how fast things fall"),
};

static const ploy_command attach_commands[] = {
    {"kick", "kick the ball", PLOY_VALUE_NONE, false, "k"},
};

// Large enough that a picture does not fit in one go into what a socket buffers.
enum { ATTACH_BALLS = 3000 };

static void attach_draw(void *user, ploy_draw *out) {
    attach_game *game = user;
    game->pictures++;
    for (int32_t i = 0; i < ATTACH_BALLS; i++) {
        ploy_draw_agent(out, PLOY_STYLE_AGENT_A, ploy_agent_id_make((uint32_t)i, 1),
                        ploy_vec2_make((float)(i % 100), (float)(i / 100)), 0.0f, 0.5f);
    }
}

static void attach_describe(void *user, ploy_describe *out) {
    const attach_game *game = user;
    ploy_describe_begin_agent(out, "ball", ploy_agent_id_make(1, 1));
    ploy_describe_i64(out, "kicks", PLOY_STATE, game->kicks);
    ploy_describe_end(out);
}

static ploy_result attach_command(void *user, const ploy_input *input) {
    attach_game *game = user;
    (void)input;
    game->kicks++;
    return PLOY_OK;
}

// A server with the defaults of ploy_inspect_attach, but for the port: tests run side by side.
static void attach_begin(site *s, test_context *t, attach_game *game,
                         const ploy_inspect_server_def *def) {
    ploy_fields fields = PLOY_FIELDS(attach_game, attach_fields);
    ploy_fields_default(fields, game);
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    source.name = "balls";
    source.title = "Many balls";
    source.draw = attach_draw;
    source.describe = attach_describe;
    source.fields = fields;
    source.params = game;
    source.user = game;
    source.commands = attach_commands;
    source.command_count = 1;
    source.command = attach_command;
    site_begin_def(s, t, def);
    CHECK_OK(ploy_inspector_add_source(ploy_inspect_server_inspector(s->server), &source));
}

// Asks and gives back the answer with that id, past pictures and events.
static const char *attach_ask(site_socket *socket, int32_t id, const char *what) {
    char text[256], mark[32];
    snprintf(text, sizeof text, "{\"id\":%d,%s}", (int)id, what);
    snprintf(mark, sizeof mark, "\"id\":%d,", (int)id);
    site_say(socket, text);
    size_t size = 0;
    for (int32_t i = 0; i < 20; i++) {
        const char *answer = site_await(socket, 1, &size);
        if (answer == NULL || strstr(answer, mark) != NULL) return answer;
    }
    return NULL;
}

TEST(a_page_lists_what_the_program_offers) { // TLS-18
    site s;
    attach_game game;
    ploy_inspect_server_def def = site_def();
    attach_begin(&s, t, &game, &def);
    site_socket *page = site_open(&s);
    site_hello(page);
    const char *answer = attach_ask(page, 2, "\"do\":\"list\"");
    CHECK(answer != NULL && strstr(answer, "\"title\":\"Many balls\"") != NULL);
    CHECK(strstr(answer, "\"kind\":\"live\"") != NULL);
    answer = attach_ask(page, 3, "\"do\":\"watch\",\"session\":1,\"picture\":false");
    CHECK(answer != NULL && strstr(answer, "\"gravity\"") != NULL);
    CHECK(strstr(answer, "\"name\":\"kick\"") != NULL);
    answer = attach_ask(page, 4, "\"do\":\"command\",\"session\":1,\"name\":\"kick\"");
    CHECK(answer != NULL && strstr(answer, "\"ok\":true") != NULL);
    CHECK_INT(game.kicks, 1);
    answer = attach_ask(page, 5, "\"do\":\"set\",\"session\":1,\"values\":{\"gravity\":1.5}");
    CHECK(answer != NULL && strstr(answer, "\"ok\":true") != NULL);
    CHECK_SAME(game.gravity, 1.5f);
    answer = attach_ask(page, 6, "\"do\":\"describe\",\"session\":1");
    CHECK(answer != NULL && strstr(answer, "kicks") != NULL);
    site_close(page);
    site_end(&s);
}

TEST(without_the_token_a_page_looks_and_changes_nothing) {
    site s;
    attach_game game;
    ploy_inspect_server_def def = site_def();
    attach_begin(&s, t, &game, &def);
    site_socket *page = site_open(&s);
    CHECK(attach_ask(page, 1, "\"do\":\"hello\",\"protocol\":1") != NULL);
    CHECK(strstr(attach_ask(page, 2, "\"do\":\"watch\",\"session\":1,\"picture\":false"),
                 "\"ok\":true") != NULL);
    static const char *const writes[] = {
        "\"do\":\"set\",\"session\":1,\"values\":{\"gravity\":1.5}",
        "\"do\":\"reset\",\"session\":1",
        "\"do\":\"command\",\"session\":1,\"name\":\"kick\"",
        "\"do\":\"open\",\"simulation\":\"drift\"",
    };
    for (size_t i = 0; i < COUNT_OF(writes); i++) {
        t->row = writes[i];
        const char *answer = attach_ask(page, 10 + (int32_t)i, writes[i]);
        CHECK(answer != NULL && strstr(answer, "\"denied\"") != NULL);
    }
    t->row = NULL;
    CHECK_SAME(game.gravity, 9.81f);
    CHECK_INT(game.kicks, 0);
    site_close(page);
    site_end(&s);
}

// Frames of the game pass; a page that reads takes its pictures. Returns how many came.
static int32_t attach_watch(site *s, site_socket *page, int32_t frames) {
    int32_t pictures = 0;
    static char payload[200000];
    size_t size = 0;
    for (int32_t i = 0; i < frames; i++) {
        site_pass(s, 1.0 / 60.0);
        while (page->in.size > 0 || recv(page->fd, payload, 1, MSG_PEEK) > 0) {
            pictures += site_take(page, payload, sizeof payload, &size) == 2 ? 1 : 0;
        }
    }
    return pictures;
}

TEST(three_pages_watch_and_one_vanishes_in_mid_stream) { // TLS-18
    site s;
    attach_game game;
    ploy_inspect_server_def def = site_def();
    attach_begin(&s, t, &game, &def);
    int64_t idle = s.counts.bytes;
    ploy_inspector *inspector = ploy_inspect_server_inspector(s.server);
    for (int32_t round = 0; round < 4; round++) {
        site_socket *pages[3];
        for (int32_t i = 0; i < 3; i++) {
            pages[i] = site_open(&s);
            site_hello(pages[i]);
            CHECK(attach_ask(pages[i], 2, "\"do\":\"watch\",\"session\":1") != NULL);
        }
        CHECK_INT(ploy_inspector_client_count(inspector), 3);
        for (int32_t i = 0; i < 3; i++) CHECK(attach_watch(&s, pages[i], 6) > 0);
        // The first page reads a piece of a picture and is gone: politely, or as a machine whose
        // cable was pulled, or in the middle of a message of its own.
        char some[100];
        for (int32_t i = 0; i < 50 && recv(pages[0]->fd, some, sizeof some, 0) <= 0; i++) {
            site_pass(&s, 1.0 / 60.0);
        }
        if (round == 1 || round == 3) {
            struct linger hard = {1, 0}; // a reset instead of an end
            CHECK(setsockopt(pages[0]->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard) == 0);
        }
        if (round >= 2) {
            uint8_t frame[64];
            size_t size = site_frame(frame, 0x81, "{\"id\":3,\"do\":\"list\"}", 20);
            site_send(&s, pages[0]->fd, frame, size / 2);
        }
        site_close(pages[0]);
        for (int32_t i = 0; i < 10; i++) site_pass(&s, 1.0 / 60.0);
        CHECK_INT(ploy_inspector_client_count(inspector), 2);
        // The others go on as if nothing had happened, and one that asks is answered.
        for (int32_t i = 1; i < 3; i++) CHECK(attach_watch(&s, pages[i], 6) > 0);
        CHECK(attach_ask(pages[1], 9, "\"do\":\"list\"") != NULL);
        for (int32_t i = 1; i < 3; i++) site_close(pages[i]);
        for (int32_t i = 0; i < 10; i++) site_pass(&s, 1.0 / 60.0);
        CHECK_INT(ploy_inspector_client_count(inspector), 0);
        CHECK_INT(ploy_inspect_server_connection_count(s.server), 0);
        if (round == 0) idle = s.counts.bytes; // buffers that stay for the next page
        CHECK_INT(s.counts.bytes, idle);
        int32_t drawn = game.pictures;
        for (int32_t i = 0; i < 10; i++) site_pass(&s, 1.0 / 60.0);
        CHECK_INT(game.pictures, drawn); // nobody watches: nothing is drawn
    }
    site_end(&s);
}

TEST(whoever_stops_reading_costs_the_game_no_pictures) {
    site s;
    attach_game game;
    ploy_inspect_server_def def = site_def();
    attach_begin(&s, t, &game, &def);
    site_socket *page = site_open(&s);
    site_hello(page);
    CHECK(attach_ask(page, 2, "\"do\":\"watch\",\"session\":1") != NULL);
    for (int32_t i = 0; i < 60 && game.pictures < 30; i++) site_pass(&s, 1.0 / 60.0);
    int32_t before = game.pictures;
    for (int32_t i = 0; i < 30; i++) site_pass(&s, 1.0 / 60.0);
    // What the system buffers is full by then or will be soon; a picture that cannot go is not made.
    for (int32_t i = 0; i < 600; i++) site_pass(&s, 1.0 / 600.0);
    int32_t full = game.pictures;
    CHECK(full >= before);
    for (int32_t i = 0; i < 100; i++) site_pass(&s, 1.0 / 600.0);
    CHECK(game.pictures - full <= 1);
    site_close(page);
    site_end(&s);
}

TEST(a_step_that_may_not_wait_rests_between_two_looks) {
    site s;
    attach_game game;
    ploy_inspect_server_def def = site_def();
    CHECK_SAME(ploy_inspect_server_def_default().rest_ms, 1.0f);
    def.rest_ms = 1.0f;
    attach_begin(&s, t, &game, &def);
    site_pass(&s, 0.5);
    int fd = site_connect(&s);
    for (int32_t i = 0; i < 100; i++) site_step(&s); // no time passes: nobody looks
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 0);
    CHECK_OK(ploy_inspect_server_step(s.server, 1)); // who may wait looks at once
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 1);
    close(fd);
    for (int32_t i = 0; i < 20; i++) site_pass(&s, 0.0011);
    CHECK_INT(ploy_inspect_server_connection_count(s.server), 0);
    site_end(&s);
}

// Tries to connect to the server's port at an address of this machine.
static bool attach_reaches(site *s, uint32_t address) {
    test_context *t = s->t;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(fd >= 0);
    struct sockaddr_in to;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_port = htons((uint16_t)ploy_inspect_server_port(s->server));
    to.sin_addr.s_addr = htonl(address);
    bool reached = connect(fd, (const struct sockaddr *)&to, sizeof to) == 0;
    close(fd);
    for (int32_t i = 0; i < 5; i++) site_step(s);
    return reached;
}

// The address that packets to elsewhere would leave from; loopback if there is no way out. Nothing
// is sent.
static uint32_t attach_outer_address(void) {
    struct sockaddr_in far, own;
    socklen_t size = sizeof own;
    memset(&far, 0, sizeof far);
    memset(&own, 0, sizeof own);
    far.sin_family = AF_INET;
    far.sin_port = htons(9);
    far.sin_addr.s_addr = htonl(0xC0000201u); // 192.0.2.1, which is nobody's
    uint32_t address = INADDR_LOOPBACK;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0) return address;
    if (connect(fd, (const struct sockaddr *)&far, sizeof far) == 0 &&
        getsockname(fd, (struct sockaddr *)&own, &size) == 0) {
        address = ntohl(own.sin_addr.s_addr);
    }
    close(fd);
    return address;
}

TEST(nothing_is_reachable_beyond_loopback_unless_asked_for) {
    const uint32_t second = INADDR_LOOPBACK + 1; // 127.0.0.2: this machine, and not that address
    uint32_t outer = attach_outer_address();
    for (int32_t any = 0; any < 2; any++) {
        ploy_inspect_server_def def = site_def();
        CHECK(!def.any_address);
        def.any_address = any == 1;
        site s;
        attach_game game;
        attach_begin(&s, t, &game, &def);
        CHECK(attach_reaches(&s, INADDR_LOOPBACK));
        CHECK_INT(attach_reaches(&s, second), any);
        if (outer != INADDR_LOOPBACK) CHECK_INT(attach_reaches(&s, outer), any);
        if (any == 1) { // and then even looking needs the token
            site_socket *page = site_open(&s);
            CHECK(attach_ask(page, 1, "\"do\":\"hello\",\"protocol\":1") != NULL);
            const char *answer = attach_ask(page, 2, "\"do\":\"watch\",\"session\":1");
            CHECK(answer == NULL || strstr(answer, "\"ok\":true") == NULL);
            site_close(page);
        }
        site_end(&s);
    }
}
