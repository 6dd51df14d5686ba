// The inspector's conversation: who may say what, what is answered, what a client costs.
#include "tests/inspect/inspector_harness.h"

TEST(hello_tells_version_access_palette_and_limits) {
    harness h;
    harness_begin(&h, t);
    CHECK_JSON(h.answer, "do", "\"hello\"");
    CHECK_JSON(h.answer, "protocol", "1");
    CHECK_JSON(h.answer, "access", "\"write\"");
    CHECK(strncmp(harness_json(h.answer, "server"), "\"ploy ", 6) == 0);
    CHECK_JSON(h.answer, "layers",
               "[\"world\",\"regions\",\"influence\",\"paths\",\"senses\",\"forces\",\"agents\","
               "\"labels\"]");
    CHECK_JSON(h.answer, "shapes",
               "[\"point\",\"line\",\"polygon\",\"circle\",\"disc\",\"arrow\",\"agent\",\"text\","
               "\"table\",\"key\",\"map\"]");
    CHECK_JSON(h.answer, "revision", "3");
    CHECK_INT(ploy_json_count(h.answer, harness_find(h.answer, "styles")), PLOY_STYLE_COUNT);
    CHECK_JSON(h.answer, "styles.1.name", "\"wall\"");
    char color[16];
    snprintf(color, sizeof color, "\"#%06x\"", (unsigned)ploy_style_color(PLOY_STYLE_WALL));
    CHECK_JSON(h.answer, "styles.1.color", color);
    CHECK_JSON(h.answer, "limits.message_bytes", "1048576");
    CHECK_JSON(h.answer, "limits.frame_rate", "60");
    harness_end(&h);
}

TEST(nothing_but_hello_is_heard_before_hello) {
    harness h;
    ploy_inspector_def def = ploy_inspector_def_default();
    harness_begin_def(&h, t, &def);
    ASK_FAILS(&h, "\"do\":\"list\"", "denied");
    ASK_FAILS(&h, "\"do\":\"open\",\"simulation\":\"drift\"", "denied");
    ASK_FAILS(&h, "\"do\":\"jump\"", "unsupported");
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1");
    CHECK_JSON(h.answer, "access", "\"look\"");
    ASK_OK(&h, "\"do\":\"list\"");
    harness_end(&h);
}

TEST(a_wrong_token_is_refused_and_three_of_them_end_it) {
    harness h;
    ploy_inspector_def def = ploy_inspector_def_default();
    harness_begin_def(&h, t, &def);
    static const char *const wrong[] = {
        "\"do\":\"hello\",\"protocol\":1,\"token\":\"0123456789abcdef0123456789abcdee\"",
        "\"do\":\"hello\",\"protocol\":1,\"token\":\"\"",
        "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "0\"",
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        CHECK(!h.over);
        ASK_FAILS(&h, wrong[i], "denied");
    }
    CHECK_JSON(h.event, "event", "\"goodbye\"");
    CHECK_JSON(h.event, "code", "\"denied\"");
    CHECK(h.over);
    harness_end(&h);
}

TEST(a_mistaken_token_can_be_mended) {
    harness h;
    ploy_inspector_def def = ploy_inspector_def_default();
    harness_begin_def(&h, t, &def);
    ASK_FAILS(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":7", "denied");
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1");
    CHECK_JSON(h.answer, "access", "\"look\"");
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "\"");
    CHECK_JSON(h.answer, "access", "\"write\"");
    // No token is right where none was set, not even an empty one.
    CHECK_OK(ploy_inspector_set_token(h.inspector, NULL, PLOY_INSPECT_WRITE));
    ASK_FAILS(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"\"", "denied");
    harness_end(&h);
}

TEST(a_client_that_needs_the_token_may_not_even_look_without_it) {
    harness h;
    ploy_inspector_def def = ploy_inspector_def_default();
    harness_begin_def(&h, t, &def);
    ploy_inspector_disconnect(h.inspector, h.client);
    CHECK_OK(ploy_inspector_connect(h.inspector, PLOY_INSPECT_NONE, &h.client));
    ASK_FAILS(&h, "\"do\":\"hello\",\"protocol\":1", "denied");
    ASK_FAILS(&h, "\"do\":\"list\"", "denied");
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "\"");
    ASK_OK(&h, "\"do\":\"list\"");
    harness_end(&h);
}

TEST(another_version_is_refused_with_a_list_of_those_that_are_spoken) {
    harness h;
    ploy_inspector_def def = ploy_inspector_def_default();
    harness_begin_def(&h, t, &def);
    ASK_FAILS(&h, "\"do\":\"hello\",\"protocol\":2", "version");
    CHECK_JSON(h.answer, "error.supported", "[1]");
    CHECK_JSON(h.event, "event", "\"goodbye\"");
    CHECK(h.over);
    harness_end(&h);
}

TEST(clients_without_the_token_look_and_do_not_drive) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":5");
    harness reader;
    memset(&reader, 0, sizeof reader);
    reader.t = t;
    reader.inspector = h.inspector;
    ploy_buffer_init(&reader.picture, 0, &h.env);
    ploy_buffer_init(&reader.recording, 0, &h.env);
    CHECK_OK(ploy_inspector_connect(h.inspector, PLOY_INSPECT_LOOK, &reader.client));
    ASK_OK(&reader, "\"do\":\"hello\",\"protocol\":1");
    static const char *const denied[] = {
        "\"do\":\"open\",\"simulation\":\"drift\"",
        "\"do\":\"close\",\"session\":1",
        "\"do\":\"play\",\"session\":1",
        "\"do\":\"pause\",\"session\":1",
        "\"do\":\"speed\",\"session\":1,\"speed\":2",
        "\"do\":\"step\",\"session\":1",
        "\"do\":\"seek\",\"session\":1,\"tick\":0",
        "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":2}",
        "\"do\":\"reset\",\"session\":1",
        "\"do\":\"command\",\"session\":1,\"name\":\"fail\"",
        "\"do\":\"fork\",\"session\":1",
    };
    for (size_t i = 0; i < COUNT_OF(denied); i++) {
        t->row = denied[i];
        ASK_FAILS(&reader, denied[i], "denied");
    }
    static const char *const allowed[] = {
        "\"do\":\"list\"",
        "\"do\":\"schema\",\"simulation\":\"drift\"",
        "\"do\":\"watch\",\"session\":1",
        "\"do\":\"describe\",\"session\":1",
        "\"do\":\"why\",\"session\":1",
        "\"do\":\"log\",\"session\":1",
        "\"do\":\"unwatch\",\"session\":1",
    };
    for (size_t i = 0; i < COUNT_OF(allowed); i++) {
        t->row = allowed[i];
        ASK_OK(&reader, allowed[i]);
    }
    t->row = NULL;
    CHECK_INT(reader.pictures, 1); // from watching
    // A recording cannot be put in either.
    harness_send(&reader, "\"do\":\"save\",\"session\":1");
    harness_drain(&reader);
    CHECK(reader.recording.size > 8);
    CHECK_OK(ploy_inspector_receive(reader.inspector, reader.client, reader.recording.bytes,
                                    reader.recording.size, false));
    harness_drain(&reader);
    CHECK_JSON(reader.answer, "error.code", "\"denied\"");
    CHECK_JSON(reader.answer, "do", "\"load\"");
    CHECK_INT(ploy_inspector_session_count(h.inspector), 1);
    reader.inspector = NULL;
    harness_end(&reader);
    harness_end(&h);
}

TEST(what_is_no_request_is_answered_with_an_error) {
    static const struct {
        const char *row, *text, *id, *code;
    } rows[] = {
        {"not JSON", "hello", "null", "\"format\""},
        {"nothing", "", "null", "\"format\""},
        {"cut off", "{\"id\":1,\"do\":\"list\"", "null", "\"format\""},
        {"twice the same key", "{\"id\":1,\"id\":2,\"do\":\"list\"}", "null", "\"format\""},
        {"no object", "[1]", "null", "\"format\""},
        {"no id", "{\"do\":\"list\"}", "null", "\"format\""},
        {"negative id", "{\"id\":-1,\"do\":\"list\"}", "null", "\"format\""},
        {"id past 2^53", "{\"id\":9007199254740992,\"do\":\"list\"}", "null", "\"format\""},
        {"largest id", "{\"id\":9007199254740991,\"do\":\"jump\"}", "9007199254740991",
         "\"unsupported\""},
        {"nothing to do", "{\"id\":7}", "7", "\"format\""},
        {"something odd to do", "{\"id\":7,\"do\":[]}", "7", "\"format\""},
        {"a zero inside", "{\"id\":7,\"do\":\"list\\u0000\"}", "7", "\"format\""},
        {"a very long name", "{\"id\":7,\"do\":\"listlistlistlistlistlistlistlistlist\"}", "7",
         "\"format\""},
        {"unknown", "{\"id\":7,\"do\":\"lisp\"}", "7", "\"unsupported\""},
        {"too deep",
         "{\"id\":7,\"do\":\"list\",\"x\":[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]}",
         "null", "\"format\""},
    };
    harness h;
    harness_begin(&h, t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        harness_keep(&h.answer, NULL);
        CHECK_OK(ploy_inspector_receive(h.inspector, h.client, rows[i].text, strlen(rows[i].text),
                                        true));
        harness_drain(&h);
        CHECK_JSON(h.answer, "id", rows[i].id);
        CHECK_JSON(h.answer, "error.code", rows[i].code);
    }
    t->row = NULL;
    ASK_FAILS(&h, "\"do\":\"lisp\"", "unsupported");
    CHECK_JSON(h.answer, "error.nearest", "\"list\"");
    // Where the fault is.
    const char *text = "{\"id\":1,\n  \"do\" \"list\"}";
    CHECK_OK(ploy_inspector_receive(h.inspector, h.client, text, strlen(text), true));
    harness_drain(&h);
    CHECK_JSON(h.answer, "error.line", "2");
    CHECK_JSON(h.answer, "error.column", "8");
    harness_end(&h);
}

TEST(binary_messages_that_are_none_are_refused) {
    static const struct {
        const char *row;
        uint8_t bytes[12];
        size_t size;
    } rows[] = {
        {"empty", {0}, 0},
        {"too short", {2, 1, 0, 0, 7, 0, 0}, 7},
        {"a picture", {1, 1, 0, 0, 7, 0, 0, 0}, 8},
        {"another version", {2, 2, 0, 0, 7, 0, 0, 0}, 8},
        {"no zeros", {2, 1, 1, 0, 7, 0, 0, 0}, 8},
        {"a recording of nothing", {2, 1, 0, 0, 7, 0, 0, 0}, 8},
        {"a recording of nonsense", {2, 1, 0, 0, 7, 0, 0, 0, 1, 2, 3, 4}, 12},
    };
    harness h;
    harness_begin(&h, t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        harness_keep(&h.answer, NULL);
        CHECK_OK(ploy_inspector_receive(h.inspector, h.client, rows[i].bytes, rows[i].size, false));
        harness_drain(&h);
        CHECK_JSON(h.answer, "error.code", "\"format\"");
        CHECK_JSON(h.answer, "do", "\"load\"");
    }
    harness_end(&h);
}

TEST(list_and_schema_tell_what_there_is) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"list\"");
    CHECK_JSON(h.answer, "simulations",
               "[{\"name\":\"drift\",\"title\":\"Drifting about\",\"help\":\"Agents that drift "
               "about.\",\"dt\":0.016666668,\"view\":[-10,-10,10,10],\"capabilities\":"
               "[\"interactive\",\"reloads\"],\"version\":1}]");
    CHECK_JSON(h.answer, "sessions", "[]");
    ASK_OK(&h, "\"do\":\"schema\",\"simulation\":\"drift\"");
    CHECK_JSON(h.answer, "fields.0",
               "{\"path\":\"agents\",\"name\":\"agents\",\"type\":\"i32\",\"unit\":\"\",\"min\":1,"
               "\"max\":100000,\"default\":3,\"help\":\"how many\",\"live\":false}");
    CHECK_JSON(h.answer, "fields.3",
               "{\"path\":\"mode\",\"name\":\"mode\",\"type\":\"enum\",\"unit\":\"\",\"choices\":"
               "[\"walk\",\"run\"],\"default\":\"walk\",\"help\":\"how they go\",\"live\":true}");
    CHECK_JSON(h.answer, "fields.5.default", "\"0\"");
    CHECK_JSON(h.answer, "fields.7.path", "\"gust.along\"");
    CHECK_JSON(h.answer, "fields.7.default", "[1,0]");
    CHECK_JSON(h.answer, "commands.0",
               "{\"name\":\"target\",\"help\":\"where they go\",\"value\":\"vec2\",\"needs_agent\":"
               "false,\"key\":\"Pointer\"}");
    CHECK_JSON(h.answer, "commands.2.key", "null");
    ASK_FAILS(&h, "\"do\":\"schema\",\"simulation\":\"drif\"", "not_found");
    CHECK_JSON(h.answer, "error.nearest", "\"drift\"");
    ASK_FAILS(&h, "\"do\":\"schema\"", "argument");
    harness_end(&h);
}

TEST(an_inspector_without_simulations_says_so) {
    ploy_inspector_def def = ploy_inspector_def_default();
    ploy_env env = ploy_env_default();
    harness h;
    memset(&h, 0, sizeof h);
    h.t = t;
    CHECK_OK(ploy_inspector_create(&def, NULL, &env, &h.inspector));
    CHECK_OK(ploy_inspector_connect(h.inspector, PLOY_INSPECT_WRITE, &h.client));
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1");
    CHECK_JSON(h.answer, "access", "\"write\"");
    ASK_OK(&h, "\"do\":\"list\"");
    CHECK_JSON(h.answer, "simulations", "[]");
    ASK_FAILS(&h, "\"do\":\"open\",\"simulation\":\"drift\"", "not_found");
    ploy_buffer_init(&h.picture, 0, &env);
    ploy_buffer_init(&h.recording, 0, &env);
    harness_end(&h);
}

TEST(more_clients_than_allowed_are_refused_and_old_ids_find_nobody) {
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_clients = 2;
    harness h;
    harness_begin_def(&h, t, &def);
    ploy_id second, third;
    CHECK_OK(ploy_inspector_connect(h.inspector, PLOY_INSPECT_LOOK, &second));
    CHECK_INT(ploy_inspector_connect(h.inspector, PLOY_INSPECT_LOOK, &third), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_inspector_client_count(h.inspector), 2);
    ploy_inspector_disconnect(h.inspector, second);
    ploy_inspector_disconnect(h.inspector, second);
    CHECK_OK(ploy_inspector_connect(h.inspector, PLOY_INSPECT_LOOK, &third));
    CHECK(!ploy_id_equal(second, third));
    CHECK_INT(ploy_inspector_receive(h.inspector, second, "{}", 2, true), PLOY_ERR_NOT_FOUND);
    const void *bytes;
    size_t size;
    bool is_text;
    CHECK_INT(ploy_inspector_send(h.inspector, second, NULL, &bytes, &size, &is_text),
              PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_inspector_send(h.inspector, ploy_id_make(99, 1), NULL, &bytes, &size, &is_text),
              PLOY_ERR_NOT_FOUND);
    harness_end(&h);
}

TEST(a_client_that_does_not_read_its_answers_is_sent_away) {
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_queue_kib = 16;
    harness h;
    harness_begin_def(&h, t, &def);
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1");
    for (int32_t i = 0; i < 1000; i++) harness_send(&h, "\"do\":\"list\"");
    // Never more than the limit, and one clear word at the end.
    harness_drain(&h);
    CHECK_JSON(h.event, "event", "\"goodbye\"");
    CHECK_JSON(h.event, "code", "\"limit\"");
    CHECK(h.over);
    harness_end(&h);
}

TEST(an_answer_that_cannot_fit_is_an_error_and_not_the_end) {
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_queue_kib = 4;
    def.max_tree_kib = 64;
    harness h;
    harness_begin_def(&h, t, &def);
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "\"");
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"agents\":100}");
    ASK_FAILS(&h, "\"do\":\"describe\",\"session\":1", "limit");
    ASK_OK(&h, "\"do\":\"describe\",\"session\":1,\"agent\":\"7:1\"");
    harness_end(&h);
}

typedef struct inspector_totals {
    size_t bytes;
    int64_t blocks;
} inspector_totals;

static void inspector_add_up(void *user, const ploy_memory_item *item) {
    inspector_totals *totals = user;
    totals->bytes += item->bytes;
    totals->blocks += item->blocks;
}

TEST(create_refuses_settings_out_of_range) {
    static const struct {
        const char *row;
        int32_t clients;
        float rate;
        ploy_result want;
    } rows[] = {
        {"the default is fine", 16, 60, PLOY_OK},
        {"room for nobody", 0, 60, PLOY_ERR_ARGUMENT},
        {"not a number", 16, NAN, PLOY_ERR_ARGUMENT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_inspector_def def = ploy_inspector_def_default();
        def.max_clients = rows[i].clients;
        def.frame_rate = rows[i].rate;
        ploy_inspector *inspector = NULL;
        CHECK_INT(ploy_inspector_create(&def, NULL, &env, &inspector), rows[i].want);
        CHECK((inspector != NULL) == (rows[i].want == PLOY_OK));
        if (inspector != NULL) {
            inspector_totals totals = {0, 0};
            ploy_inspector_memory(inspector, inspector_add_up, &totals);
            CHECK(totals.bytes > 0 && totals.blocks >= 4);
        }
        ploy_inspector_destroy(inspector);
    }
    t->row = NULL;
    ploy_inspector_def zero;
    memset(&zero, 0, sizeof zero);
    ploy_inspector *inspector = NULL;
    CHECK_INT(ploy_inspector_create(&zero, NULL, &env, &inspector), PLOY_ERR_ARGUMENT);
    ploy_inspector_def def = ploy_inspector_def_default();
    CHECK_INT(ploy_inspector_create(&def, NULL, &env, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_inspector_create(&def, NULL, NULL, &inspector), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_inspector_create(&def, NULL, &env, &inspector));
    char long_token[70];
    memset(long_token, 'a', sizeof long_token - 1);
    long_token[sizeof long_token - 1] = 0;
    CHECK_INT(ploy_inspector_set_token(inspector, long_token, PLOY_INSPECT_WRITE),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_inspector_set_token(inspector, "", PLOY_INSPECT_WRITE), PLOY_ERR_ARGUMENT);
    ploy_inspector_destroy(inspector);
    CHECK_TEXT(ploy_inspect_access_text(PLOY_INSPECT_NONE), "none");
}

// ---- out of memory

static ploy_result inspector_create_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_clients = 2;
    ploy_inspector *inspector = NULL;
    ploy_result result = ploy_inspector_create(&def, inspector_sim_types, env, &inspector);
    if (result != PLOY_OK) return result;
    ploy_id client;
    result = ploy_inspector_connect(inspector, PLOY_INSPECT_WRITE, &client);
    ploy_inspector_destroy(inspector);
    return result;
}

// Says hello, sends the messages one by one, and reads all answers. PLOY_ERR_MEMORY if any of them
// tells of too little memory, or the client is sent away because of it.
typedef struct inspector_talk {
    test_context *t;
    const char *const *messages;
} inspector_talk;

static ploy_result inspector_talk_body(const ploy_env *env, void *arg) {
    inspector_talk *talk = arg;
    test_context *t = talk->t;
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_clients = 1;
    def.recorder.sim.region_mib = 1;
    ploy_inspector *inspector = NULL;
    ploy_result result = ploy_inspector_create(&def, inspector_sim_types, env, &inspector);
    if (result != PLOY_OK) return result;
    ploy_id client;
    CHECK_OK(ploy_inspector_connect(inspector, PLOY_INSPECT_WRITE, &client));
    for (int32_t i = 0; talk->messages[i] != NULL && result == PLOY_OK; i++) {
        const char *message = talk->messages[i];
        CHECK_OK(ploy_inspector_receive(inspector, client, message, strlen(message), true));
        CHECK_OK(ploy_inspector_step(inspector, 0.02, NULL));
        const void *bytes;
        size_t size;
        bool is_text;
        bool answered = false;
        ploy_result sent;
        while ((sent = ploy_inspector_send(inspector, client, NULL, &bytes, &size, &is_text)) ==
               PLOY_OK) {
            char text[64] = {0};
            memcpy(text, bytes, size < sizeof text - 1 ? size : sizeof text - 1);
            if (strstr(text, "\"memory\"") != NULL) result = PLOY_ERR_MEMORY;
            answered = answered || !is_text || strstr(text, "\"id\"") != NULL;
        }
        // Sent away without a word is allowed only if there was no memory for the word.
        if (sent == PLOY_ERR_CANCELLED) result = PLOY_ERR_MEMORY;
        CHECK(answered || result == PLOY_ERR_MEMORY);
    }
    ploy_inspector_destroy(inspector);
    return result;
}

TEST(out_of_memory_is_an_answer_and_leaks_nothing) {
    CHECK_FAIL_NTH(inspector_create_body, NULL);
    static const char *const look[] = {
        "{\"id\":1,\"do\":\"hello\",\"protocol\":1}",
        "{\"id\":2,\"do\":\"schema\",\"simulation\":\"drift\"}",
        "{\"id\":3,\"do\":\"list\"}",
        NULL,
    };
    inspector_talk talk = {t, look};
    CHECK_FAIL_NTH(inspector_talk_body, &talk);
    static const char *const drive[] = {
        "{\"id\":1,\"do\":\"hello\",\"protocol\":1}",
        "{\"id\":2,\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"speed\":2}}",
        "{\"id\":3,\"do\":\"set\",\"session\":1,\"values\":{\"speed\":3}}",
        "{\"id\":4,\"do\":\"step\",\"session\":1}",
        "{\"id\":5,\"do\":\"reset\",\"session\":1}",
        "{\"id\":6,\"do\":\"why\",\"session\":1}",
        "{\"id\":7,\"do\":\"fork\",\"session\":1}",
        "{\"id\":8,\"do\":\"save\",\"session\":1}",
        NULL,
    };
    talk.messages = drive;
    CHECK_FAIL_NTH(inspector_talk_body, &talk);
    static const char *const study[] = {
        "{\"id\":1,\"do\":\"hello\",\"protocol\":1}",
        "{\"id\":2,\"do\":\"open\",\"simulation\":\"drift\"}",
        "{\"id\":3,\"do\":\"watch\",\"session\":1,\"marks\":true}",
        "{\"id\":4,\"do\":\"step\",\"session\":1,\"ticks\":3}",
        "{\"id\":5,\"do\":\"fork\",\"session\":1}",
        "{\"id\":6,\"do\":\"compare\",\"session\":1,\"with\":2,\"until\":5}",
        "{\"id\":7,\"do\":\"scan\",\"session\":1,\"paths\":[[\"@1:1\",\"at\",\"x\"]]}",
        NULL,
    };
    talk.messages = study;
    CHECK_FAIL_NTH(inspector_talk_body, &talk);
}

// ---- nonsense

TEST(any_bytes_get_an_answer_each_and_never_more) {
    // Good requests with a few bytes changed: most are no JSON any more, some are other requests.
    static const char *const seeds[] = {
        "{\"id\":3,\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"7\"}",
        "{\"id\":4,\"do\":\"watch\",\"session\":1,\"layers\":[\"agents\"],\"rate\":30}",
        "{\"id\":5,\"do\":\"set\",\"session\":1,\"values\":{\"gust.along\":[0,1],\"speed\":2}}",
        "{\"id\":6,\"do\":\"command\",\"session\":1,\"name\":\"jump\",\"agent\":\"2:1\"}",
        "{\"id\":7,\"do\":\"step\",\"session\":1,\"ticks\":20}",
        "{\"id\":8,\"do\":\"seek\",\"session\":1,\"tick\":3}",
        "{\"id\":9,\"do\":\"play\",\"session\":1,\"speed\":2.5}",
        "{\"id\":10,\"do\":\"why\",\"session\":1,\"agent\":\"1:1\"}",
        "{\"id\":11,\"do\":\"watch\",\"session\":1,\"marks\":true}",
        "{\"id\":12,\"do\":\"scan\",\"session\":1,\"samples\":9,\"paths\":[[\"tick\"]]}",
        "{\"id\":13,\"do\":\"fork\",\"session\":1}",
        "{\"id\":14,\"do\":\"compare\",\"session\":1,\"with\":2,\"from\":2,\"until\":9}",
        "{\"id\":15,\"do\":\"reload\",\"session\":1,\"name\":\"a\",\"text\":\"b\"}",
    };
    for (uint64_t seed = 1; seed <= 4; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        harness h;
        harness_begin(&h, t);
        ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
        for (int32_t i = 0; i < 400; i++) {
            char text[256];
            const char *from = seeds[ploy_rng_below(&rng, COUNT_OF(seeds))];
            size_t size = strlen(from);
            memcpy(text, from, size);
            int32_t changes = ploy_rng_int(&rng, 0, 3);
            for (int32_t k = 0; k < changes; k++) {
                text[ploy_rng_below(&rng, size)] = (char)ploy_rng_int(&rng, -128, 127);
            }
            CHECK_OK(ploy_inspector_receive(h.inspector, h.client, text, size,
                                            ploy_rng_below(&rng, 8) != 0));
            harness_step(&h, 0.01);
            CHECK(!h.over);
        }
        ASK_OK(&h, "\"do\":\"list\""); // still in its right mind
        harness_end(&h);
    }
}
