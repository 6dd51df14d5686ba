// Clients without the token that send as much as they can: what they take from the game and from
// others is bounded.
#include "tests/inspect/http_harness.h"

// A game with many agents whose description takes time: the clock of the test moves with each.
typedef struct flood_game {
    site *site;
    int32_t described;
} flood_game;

enum { FLOOD_AGENTS = 1000, FLOOD_NS = 4000 }; // 4 ms for a whole description

static void flood_describe(void *user, ploy_describe *out) {
    flood_game *game = user;
    for (int32_t i = 0; i < FLOOD_AGENTS; i++) {
        ploy_describe_begin_agent(out, "agent", ploy_agent_id_make((uint32_t)i, 1));
        ploy_describe_i64(out, "number", PLOY_STATE, i);
        ploy_describe_end(out);
        game->site->now_ns += FLOOD_NS;
    }
    game->described++;
}

static void flood_begin(site *s, test_context *t, flood_game *game,
                        const ploy_inspect_server_def *def) {
    game->site = s;
    game->described = 0;
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    source.name = "crowd";
    source.describe = flood_describe;
    source.user = game;
    site_begin_def(s, t, def);
    CHECK_OK(ploy_inspector_add_source(ploy_inspect_server_inspector(s->server), &source));
}

// Says hello without the token.
static void flood_guest(site_socket *socket) {
    test_context *t = socket->s->t;
    site_say(socket, "{\"id\":1,\"do\":\"hello\",\"protocol\":1}");
    size_t size = 0;
    CHECK(site_await(socket, 1, &size) != NULL);
}

TEST(guests_that_flood_take_a_tenth_of_the_time) {
    site s;
    flood_game game;
    ploy_inspect_server_def def = site_def();
    flood_begin(&s, t, &game, &def);
    site_socket *guests[12];
    for (size_t i = 0; i < COUNT_OF(guests); i++) {
        guests[i] = site_open(&s);
        flood_guest(guests[i]);
    }
    for (size_t i = 0; i < COUNT_OF(guests); i++) {
        for (int32_t k = 0; k < 20; k++) {
            site_say(guests[i], "{\"id\":2,\"do\":\"describe\",\"session\":1}");
        }
    }
    uint64_t spent = 0, worst = 0;
    const int32_t frames = 300;
    for (int32_t i = 0; i < frames; i++) {
        s.now_ns += 12000000; // the game's own work
        uint64_t before = s.now_ns;
        site_step(&s);
        uint64_t took = s.now_ns - before;
        spent += took;
        if (took > worst) worst = took;
    }
    // A tenth of the time, and one description more than that at most.
    CHECK(spent < (uint64_t)frames * 12000000 / 10 * 12 / 10 + 5000000);
    CHECK(worst <= 9000000);
    CHECK(game.described > 10);
    for (size_t i = 0; i < COUNT_OF(guests); i++) site_close(guests[i]);
    site_end(&s);
}

TEST(a_socket_that_does_not_say_hello_is_closed) {
    site s;
    site_begin(&s, t);
    site_socket *socket = site_open(&s);
    site_pass(&s, 4);
    CHECK_INT(ploy_inspector_client_count(ploy_inspect_server_inspector(s.server)), 1);
    site_pass(&s, 2);
    CHECK_INT(site_close_code(socket), 1008);
    CHECK_INT(ploy_inspector_client_count(ploy_inspect_server_inspector(s.server)), 0);
    site_close(socket);
    site_end(&s);
}

TEST(sockets_without_hello_and_guests_do_not_keep_the_page_out) {
    site s;
    site_begin(&s, t);
    site_socket *guests[12], *silent[8];
    for (size_t i = 0; i < COUNT_OF(guests); i++) {
        guests[i] = site_open(&s);
        flood_guest(guests[i]);
    }
    // Of 16 places 12 are for guests: one more guest is refused, the page is not.
    site_socket *late = site_open(&s);
    site_say(late, "{\"id\":1,\"do\":\"hello\",\"protocol\":1}");
    size_t size = 0;
    const char *answer = site_await(late, 1, &size);
    CHECK(answer != NULL && strstr(answer, "\"capacity\"") != NULL);
    for (size_t i = 0; i < COUNT_OF(silent); i++) {
        silent[i] = site_open(&s);
        s.now_ns += 1000000;
    }
    site_socket *page = site_open(&s);
    site_hello(page);
    for (size_t i = 0; i < COUNT_OF(guests); i++) site_close(guests[i]);
    for (size_t i = 0; i < COUNT_OF(silent); i++) site_close(silent[i]);
    site_close(late);
    site_close(page);
    site_end(&s);
}

TEST(slow_connections_give_way_to_the_page) {
    ploy_inspect_server_def def = site_def();
    def.max_connections = 8;
    site s;
    site_begin_def(&s, t, &def);
    int slow[24];
    for (size_t i = 0; i < COUNT_OF(slow); i++) {
        slow[i] = site_connect(&s);
        site_send(&s, slow[i], "GET / HT", 8);
        site_step(&s);
        s.now_ns += 1000000;
    }
    site_socket *page = site_open(&s);
    site_hello(page);
    for (size_t i = 0; i < COUNT_OF(slow); i++) close(slow[i]);
    site_close(page);
    site_end(&s);
}

typedef struct flood_inner {
    ploy_inspect_server *server;
    ploy_result result;
} flood_inner;

static void flood_reenter(void *user, ploy_describe *out) {
    (void)out;
    flood_inner *inner = user;
    inner->result = ploy_inspect_server_step(inner->server, 0);
}

TEST(a_step_inside_a_step_is_refused) {
    site s;
    site_begin(&s, t);
    flood_inner inner = {s.server, PLOY_OK};
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    source.name = "loop";
    source.describe = flood_reenter;
    source.user = &inner;
    CHECK_OK(ploy_inspector_add_source(ploy_inspect_server_inspector(s.server), &source));
    site_socket *page = site_open(&s);
    site_hello(page);
    site_say(page, "{\"id\":2,\"do\":\"describe\",\"session\":1}");
    size_t size = 0;
    CHECK(site_await(page, 1, &size) != NULL);
    CHECK_INT(inner.result, PLOY_ERR_STATE);
    site_close(page);
    site_end(&s);
}
