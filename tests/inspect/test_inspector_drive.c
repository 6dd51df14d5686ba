// Sessions through the protocol: opening, time travel, parameters, commands, forks, recordings.
#include "inspect/inspect_internal.h"
#include "tests/inspect/inspector_harness.h"

static void drive_open(harness *h) {
    test_context *t = h->t;
    ASK_OK(h, "\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"7\"");
}

// The hash that a session tells now; copied, because every look overwrites the last one.
static void drive_hash(harness *h, int32_t session, char out[32]) {
    test_context *t = h->t;
    char text[64];
    snprintf(text, sizeof text, "\"do\":\"watch\",\"session\":%d", session);
    ASK_OK(h, text);
    snprintf(out, 32, "%.31s", harness_json(h->answer, "session.hash"));
    CHECK(strlen(out) == 18);
}

TEST(open_answers_with_the_whole_session) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"18446744073709551615\","
               "\"params\":{\"speed\":2.5,\"mode\":\"run\",\"agents\":5,\"gust.along\":[0,-1],"
               "\"salt\":\"9007199254740993\",\"scale\":0.75,\"loud\":true}");
    CHECK_JSON(h.answer, "session.session", "1");
    CHECK_JSON(h.answer, "session.kind", "\"simulation\"");
    CHECK_JSON(h.answer, "session.name", "\"drift\"");
    CHECK_JSON(h.answer, "session.title", "\"Drifting about\"");
    CHECK_JSON(h.answer, "session.watchers", "1");
    CHECK_JSON(h.answer, "session.seed", "\"18446744073709551615\"");
    CHECK_JSON(h.answer, "session.tick", "0");
    CHECK_JSON(h.answer, "session.end", "0");
    CHECK_JSON(h.answer, "session.playing", "false");
    CHECK_JSON(h.answer, "session.speed", "1");
    CHECK_JSON(h.answer, "session.seeking", "null");
    CHECK_JSON(h.answer, "session.failed", "null");
    CHECK_JSON(h.answer, "session.dt", "0.016666668");
    CHECK_JSON(h.answer, "session.view", "[-10,-10,10,10]");
    CHECK_JSON(h.answer, "session.capabilities", "[\"interactive\",\"reloads\"]");
    CHECK_JSON(h.answer, "session.pending", "{}");
    CHECK_JSON(h.answer, "session.params",
               "{\"agents\":5,\"speed\":2.5,\"scale\":0.75,\"mode\":\"run\",\"loud\":true,\"salt\":"
               "\"9007199254740993\",\"gust.strength\":0,\"gust.along\":[0,-1]}");
    CHECK_INT(ploy_json_count(h.answer, harness_find(h.answer, "session.fields")), 8);
    CHECK_INT(ploy_json_count(h.answer, harness_find(h.answer, "session.commands")), 4);
    CHECK_INT(h.pictures, 1);
    ASK_OK(&h, "\"do\":\"list\"");
    CHECK_JSON(h.answer, "sessions",
               "[{\"session\":1,\"kind\":\"simulation\",\"name\":\"drift\",\"title\":\"Drifting "
               "about\",\"watchers\":1,\"tick\":0,\"end\":0,\"playing\":false}]");
    harness_end(&h);
}

TEST(open_refuses_what_does_not_fit) {
    static const struct {
        const char *row, *members, *code, *path, *nearest;
    } rows[] = {
        {"nothing", "\"x\":1", "\"argument\"", "\"simulation\"", "none"},
        {"unknown", "\"simulation\":\"dift\"", "\"not_found\"", "\"simulation\"", "\"drift\""},
        {"a seed below 0", "\"simulation\":\"drift\",\"seed\":-1", "\"argument\"", "\"seed\"",
         "none"},
        {"a seed with a point", "\"simulation\":\"drift\",\"seed\":1.5", "\"argument\"", "\"seed\"",
         "none"},
        {"a seed in words", "\"simulation\":\"drift\",\"seed\":\"one\"", "\"argument\"", "\"seed\"",
         "none"},
        {"a seed too large", "\"simulation\":\"drift\",\"seed\":\"18446744073709551616\"",
         "\"argument\"", "\"seed\"", "none"},
        {"no object", "\"simulation\":\"drift\",\"params\":[1]", "\"argument\"", "\"params\"",
         "none"},
        {"unknown field", "\"simulation\":\"drift\",\"params\":{\"sped\":1}", "\"not_found\"",
         "\"sped\"", "\"speed\""},
        {"a zero in the name", "\"simulation\":\"drift\",\"params\":{\"speed\\u0000\":1}",
         "\"not_found\"", "none", "none"},
        {"a whole table", "\"simulation\":\"drift\",\"params\":{\"gust\":1}", "\"argument\"",
         "\"gust\"", "none"},
        {"out of range", "\"simulation\":\"drift\",\"params\":{\"speed\":11}", "\"argument\"",
         "\"speed\"", "none"},
        {"not a number", "\"simulation\":\"drift\",\"params\":{\"speed\":\"nan\"}", "\"argument\"",
         "\"speed\"", "none"},
        {"wrong type", "\"simulation\":\"drift\",\"params\":{\"loud\":1}", "\"argument\"",
         "\"loud\"", "none"},
        {"three of two", "\"simulation\":\"drift\",\"params\":{\"gust.along\":[0,0,0]}",
         "\"argument\"", "\"gust.along\"", "none"},
        {"no such choice", "\"simulation\":\"drift\",\"params\":{\"mode\":\"wlk\"}", "\"argument\"",
         "\"mode\"", "\"walk\""},
        {"choice out of range", "\"simulation\":\"drift\",\"params\":{\"mode\":2}", "\"argument\"",
         "\"mode\"", "none"},
    };
    harness h;
    harness_begin(&h, t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char text[256];
        snprintf(text, sizeof text, "\"do\":\"open\",%s", rows[i].members);
        harness_ask(&h, text);
        CHECK_JSON(h.answer, "error.code", rows[i].code);
        CHECK_JSON(h.answer, "error.path", rows[i].path);
        CHECK_JSON(h.answer, "error.nearest", rows[i].nearest);
        CHECK_INT(ploy_inspector_session_count(h.inspector), 0);
    }
    harness_end(&h);
}

TEST(rewind_through_the_protocol_gives_the_same_hash) {
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    char at_zero[32], at_300[32], first[32], again[32];
    drive_hash(&h, 1, at_zero);
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":300");
    CHECK_JSON(h.answer, "tick", "300");
    drive_hash(&h, 1, at_300);
    // A change and a command in the middle, so that the log matters.
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":4}");
    ASK_OK(&h, "\"do\":\"command\",\"session\":1,\"name\":\"target\",\"value\":[3,4]");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":700");
    CHECK_JSON(h.state, "tick", "1000");
    drive_hash(&h, 1, first);
    CHECK(strcmp(first, at_300) != 0);
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":300");
    CHECK_JSON(h.answer, "tick", "300");
    CHECK_JSON(h.state, "end", "1000");
    drive_hash(&h, 1, again);
    CHECK_TEXT(again, at_300);
    ASK_OK(&h, "\"do\":\"why\",\"session\":1"); // looking changes nothing
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":700");
    drive_hash(&h, 1, again);
    CHECK_TEXT(again, first);
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":-1");
    CHECK_JSON(h.answer, "tick", "999");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1");
    drive_hash(&h, 1, again);
    CHECK_TEXT(again, first);
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":99999999");
    CHECK_JSON(h.answer, "tick", "1000");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":-1000000");
    CHECK_JSON(h.answer, "tick", "0");
    drive_hash(&h, 1, again);
    CHECK_TEXT(again, at_zero);
    harness_end(&h);
}

TEST(long_ways_are_cut_into_slices_with_progress) {
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    harness_send(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1000");
    int32_t slices = 0;
    while (h.answer == NULL && slices < 100) {
        CHECK(ployi_inspector_busy(h.inspector));
        CHECK(ploy_inspector_due_s(h.inspector) == 0.0);
        ploy_budget budget = ploy_budget_units(50);
        CHECK_OK(ploy_inspector_step(h.inspector, 0.05, &budget));
        harness_drain(&h);
        slices++;
    }
    CHECK_INT(slices, 20);
    CHECK_JSON(h.answer, "tick", "1000");
    CHECK(h.progresses >= 5 && h.progresses <= 12); // ten a second, over one second
    CHECK_JSON(h.event, "event", "\"progress\"");
    CHECK_JSON(h.event, "id", harness_json(h.answer, "id"));
    CHECK_JSON(h.event, "target", "1000");
    CHECK(!ployi_inspector_busy(h.inspector));
    CHECK(h.pictures > 10); // it can be watched on its way
    // What comes before the arrival takes the other's place.
    harness_send(&h, "\"do\":\"seek\",\"session\":1,\"tick\":30");
    int32_t first = h.next_id;
    ploy_budget budget = ploy_budget_units(5);
    CHECK_OK(ploy_inspector_step(h.inspector, 0.2, &budget));
    harness_drain(&h);
    CHECK(h.answer == NULL);
    CHECK_JSON(h.state, "seeking", "30");
    harness_send(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":1}");
    harness_drain(&h);
    CHECK_JSON(h.answer, "error.code", "\"state\"");
    harness_step(&h, 0);
    CHECK_INT(harness_number(h.answer, "id"), first);
    CHECK_JSON(h.state, "tick", "30");
    harness_send(&h, "\"do\":\"seek\",\"session\":1,\"tick\":999");
    first = h.next_id;
    static const char pause[] = "{\"id\":777,\"do\":\"pause\",\"session\":1}";
    CHECK_OK(ploy_inspector_receive(h.inspector, h.client, pause, sizeof pause - 1, true));
    const void *bytes;
    size_t size;
    bool is_text;
    CHECK_OK(ploy_inspector_send(h.inspector, h.client, NULL, &bytes, &size, &is_text));
    harness_text(&h, bytes, size);
    CHECK_INT(harness_number(h.answer, "id"), first);
    CHECK_JSON(h.answer, "error.code", "\"cancelled\"");
    harness_drain(&h);
    CHECK_JSON(h.answer, "id", "777");
    CHECK_JSON(h.state, "seeking", "null");
    harness_end(&h);
}

TEST(play_follows_the_clock_and_the_speed) {
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    ASK_OK(&h, "\"do\":\"play\",\"session\":1");
    CHECK_JSON(h.state, "playing", "true");
    for (int32_t i = 0; i < 100; i++) harness_step(&h, 0.01);
    ASK_OK(&h, "\"do\":\"pause\",\"session\":1");
    double ticks = harness_number(h.state, "tick");
    CHECK(ticks >= 59 && ticks <= 61);
    CHECK(h.pictures >= 40 && h.pictures <= 63);
    CHECK(h.states >= 8 && h.states <= 16);
    ASK_OK(&h, "\"do\":\"speed\",\"session\":1,\"speed\":0.25");
    ASK_OK(&h, "\"do\":\"play\",\"session\":1");
    for (int32_t i = 0; i < 100; i++) harness_step(&h, 0.01);
    ASK_OK(&h, "\"do\":\"pause\",\"session\":1");
    double slow = harness_number(h.state, "tick") - ticks;
    CHECK(slow >= 14 && slow <= 16);
    // A pause of the whole program is not made up for.
    ASK_OK(&h, "\"do\":\"play\",\"session\":1,\"speed\":1");
    ticks = harness_number(h.state, "tick");
    harness_step(&h, 10);
    ASK_OK(&h, "\"do\":\"pause\",\"session\":1");
    CHECK(harness_number(h.state, "tick") - ticks <= 16);
    // Nor is a machine that is too slow.
    ASK_OK(&h, "\"do\":\"play\",\"session\":1,\"speed\":100");
    ticks = harness_number(h.state, "tick");
    for (int32_t i = 0; i < 10; i++) {
        ploy_budget budget = ploy_budget_units(3);
        CHECK_OK(ploy_inspector_step(h.inspector, 0.1, &budget));
    }
    ASK_OK(&h, "\"do\":\"pause\",\"session\":1");
    CHECK_NEAR(harness_number(h.state, "tick") - ticks, 30, 1);
    static const char *const bad[] = {"0", "-1", "101", "\"fast\"", "null", "\"nan\""};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        t->row = bad[i];
        char text[96];
        snprintf(text, sizeof text, "\"do\":\"speed\",\"session\":1,\"speed\":%s", bad[i]);
        ASK_FAILS(&h, text, "argument");
    }
    harness_end(&h);
}

TEST(odd_numbers_for_step_and_seek_are_refused) {
    static const char *const rows[] = {
        "\"do\":\"step\",\"session\":1,\"ticks\":1000001",
        "\"do\":\"step\",\"session\":1,\"ticks\":-1000001",
        "\"do\":\"step\",\"session\":1,\"ticks\":0.5",
        "\"do\":\"step\",\"session\":1,\"ticks\":\"1\"",
        "\"do\":\"seek\",\"session\":1",
        "\"do\":\"seek\",\"session\":1,\"tick\":-1",
        "\"do\":\"seek\",\"session\":1,\"tick\":1.5",
        "\"do\":\"seek\",\"session\":-1,\"tick\":1",
        "\"do\":\"seek\",\"session\":4294967297,\"tick\":1",
    };
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i];
        ASK_FAILS(&h, rows[i], "argument");
    }
    t->row = NULL;
    ASK_FAILS(&h, "\"do\":\"seek\",\"session\":2,\"tick\":1", "not_found");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":0");
    CHECK_JSON(h.answer, "tick", "0");
    harness_end(&h);
}

TEST(set_waits_for_the_next_tick_and_is_all_or_nothing) {
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":2,\"mode\":\"run\"}");
    CHECK_JSON(h.state, "pending", "{\"speed\":2,\"mode\":\"run\"}");
    CHECK_JSON(h.state, "params.speed", "1");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1");
    CHECK_JSON(h.state, "pending", "{}");
    CHECK_JSON(h.state, "params.speed", "2");
    CHECK_JSON(h.state, "params.mode", "\"run\"");
    // One bad value refuses the good ones too.
    ASK_FAILS(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":3,\"scale\":9}", "argument");
    CHECK_JSON(h.answer, "error.path", "\"scale\"");
    ASK_FAILS(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":3,\"agents\":9}", "state");
    ASK_FAILS(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"speeed\":3}", "not_found");
    CHECK_JSON(h.answer, "error.nearest", "\"speed\"");
    ASK_FAILS(&h, "\"do\":\"set\",\"session\":1,\"values\":[]", "argument");
    ASK_FAILS(&h, "\"do\":\"set\",\"session\":1", "argument");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    CHECK_JSON(h.answer, "session.params.speed", "2");
    CHECK_JSON(h.answer, "session.pending", "{}");
    ASK_OK(&h, "\"do\":\"log\",\"session\":1");
    CHECK_JSON(h.answer, "count", "2");
    CHECK_JSON(h.answer, "inputs.1",
               "{\"tick\":0,\"kind\":\"parameter\",\"name\":\"mode\",\"agent\":null,\"value\":"
               "\"run\"}");
    ASK_OK(&h, "\"do\":\"log\",\"session\":1,\"from\":1");
    CHECK_INT(ploy_json_count(h.answer, harness_find(h.answer, "inputs")), 1);
    ASK_OK(&h, "\"do\":\"log\",\"session\":1,\"from\":9");
    CHECK_JSON(h.answer, "inputs", "[]");
    ASK_FAILS(&h, "\"do\":\"log\",\"session\":1,\"from\":-1", "argument");
    harness_end(&h);
}

TEST(a_change_in_the_past_makes_another_future) {
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":100");
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":40");
    CHECK_JSON(h.state, "end", "100");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":9}");
    CHECK_JSON(h.state, "end", "40");
    CHECK_JSON(h.state, "pending", "{\"speed\":9}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":10");
    CHECK_JSON(h.state, "end", "50");
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":30");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    CHECK_JSON(h.answer, "session.params.speed", "1");
    CHECK_JSON(h.answer, "session.end", "50");
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":40");
    CHECK_JSON(h.state, "pending", "{\"speed\":9}"); // recorded, and to come
    harness_end(&h);
}

TEST(reset_goes_back_to_the_defaults_of_live_fields) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"agents\":4,\"speed\":2,"
               "\"loud\":true,\"gust.strength\":3}");
    ASK_OK(&h, "\"do\":\"reset\",\"session\":1,\"paths\":[\"speed\",\"scale\"]");
    CHECK_JSON(h.state, "pending", "{\"speed\":1}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1");
    ASK_OK(&h, "\"do\":\"log\",\"session\":1");
    CHECK_JSON(h.answer, "count", "1"); // what has its default already needs no input
    ASK_OK(&h, "\"do\":\"reset\",\"session\":1");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    CHECK_JSON(h.answer, "session.params.loud", "false");
    CHECK_JSON(h.answer, "session.params.(gust.strength)", "0");
    CHECK_JSON(h.answer, "session.params.agents", "4"); // not live
    ASK_FAILS(&h, "\"do\":\"reset\",\"session\":1,\"paths\":[\"sped\"]", "not_found");
    ASK_FAILS(&h, "\"do\":\"reset\",\"session\":1,\"paths\":[\"agents\"]", "state");
    ASK_FAILS(&h, "\"do\":\"reset\",\"session\":1,\"paths\":[1]", "not_found");
    ASK_FAILS(&h, "\"do\":\"reset\",\"session\":1,\"paths\":\"speed\"", "argument");
    harness_end(&h);
}

TEST(commands_are_checked_and_applied_at_the_next_tick) {
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    ASK_OK(&h, "\"do\":\"command\",\"session\":1,\"name\":\"target\",\"value\":[3,4]");
    ASK_OK(&h, "\"do\":\"command\",\"session\":1,\"name\":\"jump\",\"agent\":\"2:1\"");
    ASK_OK(&h, "\"do\":\"command\",\"session\":1,\"name\":\"shout\",\"value\":\"h\\u00e9\"");
    ASK_OK(&h, "\"do\":\"describe\",\"session\":1");
    CHECK_JSON(h.answer, "tree.2.children.0.value", "[0,0]");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1");
    ASK_OK(&h, "\"do\":\"describe\",\"session\":1");
    CHECK_JSON(h.answer, "tree.2.children.0.value", "[3,4]");
    ASK_OK(&h, "\"do\":\"log\",\"session\":1");
    CHECK_JSON(h.answer, "inputs.1.agent", "\"2:1\"");
    static const struct {
        const char *members, *code;
    } rows[] = {
        {"\"name\":\"targt\",\"value\":[3,4]", "\"not_found\""},
        {"\"name\":7", "\"not_found\""},
        {"\"value\":[3,4]", "\"not_found\""},
        {"\"name\":\"target\"", "\"argument\""},
        {"\"name\":\"target\",\"value\":[3]", "\"argument\""},
        {"\"name\":\"target\",\"value\":[3,\"x\"]", "\"argument\""},
        {"\"name\":\"target\",\"value\":[3,1e99]", "\"argument\""},
        {"\"name\":\"jump\"", "\"argument\""},
        {"\"name\":\"jump\",\"agent\":2", "\"argument\""},
        {"\"name\":\"jump\",\"agent\":\"2\"", "\"argument\""},
        {"\"name\":\"jump\",\"agent\":\"2:1\",\"value\":1", "\"argument\""},
        {"\"name\":\"shout\",\"value\":\"a\\u0000b\"", "\"argument\""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].members;
        char text[160];
        snprintf(text, sizeof text, "\"do\":\"command\",\"session\":1,%s", rows[i].members);
        harness_ask(&h, text);
        CHECK_JSON(h.answer, "error.code", rows[i].code);
    }
    t->row = NULL;
    ASK_OK(&h, "\"do\":\"log\",\"session\":1");
    CHECK_JSON(h.answer, "count", "3");
    harness_end(&h);
}

TEST(a_simulation_that_fails_says_so_and_can_go_back) {
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":10");
    ASK_OK(&h, "\"do\":\"command\",\"session\":1,\"name\":\"fail\"");
    ASK_FAILS(&h, "\"do\":\"step\",\"session\":1,\"ticks\":5", "callback");
    CHECK_JSON(h.state, "failed.code", "\"callback\"");
    CHECK_JSON(h.state, "tick", "10");
    ASK_OK(&h, "\"do\":\"play\",\"session\":1");
    harness_step(&h, 0.1);
    CHECK_JSON(h.state, "playing", "false");
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":5");
    CHECK_JSON(h.state, "failed", "null");
    CHECK_JSON(h.state, "tick", "5");
    harness_end(&h);
}

TEST(a_fork_has_the_same_past_and_a_future_of_its_own) {
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":3}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":200");
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":150");
    char before[32], fork[32], after[32];
    drive_hash(&h, 1, before);
    harness_send(&h, "\"do\":\"fork\",\"session\":1");
    ploy_budget budget = ploy_budget_units(100);
    CHECK_OK(ploy_inspector_step(h.inspector, 0.05, &budget));
    harness_drain(&h);
    CHECK(h.answer == NULL); // in slices
    harness_step(&h, 0.05);
    CHECK_JSON(h.answer, "do", "\"fork\"");
    CHECK_JSON(h.answer, "session.session", "2");
    CHECK_JSON(h.answer, "session.tick", "150");
    CHECK_JSON(h.answer, "session.end", "200");
    CHECK_JSON(h.answer, "session.params.speed", "3");
    CHECK_JSON(h.answer, "session.seed", "\"7\"");
    drive_hash(&h, 2, fork);
    CHECK_TEXT(fork, before);
    ASK_OK(&h, "\"do\":\"set\",\"session\":2,\"values\":{\"speed\":9}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":2,\"ticks\":50");
    drive_hash(&h, 2, fork);
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":50");
    drive_hash(&h, 1, after);
    CHECK(strcmp(fork, after) != 0);
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":150");
    drive_hash(&h, 1, after);
    CHECK_TEXT(after, before);
    harness_end(&h);
}

TEST(a_recording_goes_out_and_comes_back) {
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    ASK_OK(&h, "\"do\":\"command\",\"session\":1,\"name\":\"target\",\"value\":[-3,4]");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":333");
    char saved[32], loaded[32];
    drive_hash(&h, 1, saved);
    harness_send(&h, "\"do\":\"save\",\"session\":1");
    harness_drain(&h);
    CHECK(h.answer == NULL); // the binary message is the answer
    CHECK(h.recording.size > 8);
    CHECK_INT(h.recording.bytes[0], 2);
    CHECK_INT(h.recording.bytes[1], 1);
    CHECK_INT(harness_u32(&h.recording, 4), h.next_id);
    h.recording.bytes[4] = 77;
    CHECK_OK(
        ploy_inspector_receive(h.inspector, h.client, h.recording.bytes, h.recording.size, false));
    harness_drain(&h);
    CHECK_JSON(h.answer, "id", "77");
    CHECK_JSON(h.answer, "do", "\"load\"");
    CHECK_JSON(h.answer, "ok", "true");
    CHECK_JSON(h.answer, "session.session", "2");
    CHECK_JSON(h.answer, "session.tick", "0");
    CHECK_JSON(h.answer, "session.end", "333");
    ASK_OK(&h, "\"do\":\"seek\",\"session\":2,\"tick\":333");
    drive_hash(&h, 2, loaded);
    CHECK_TEXT(loaded, saved);
    // One byte less is no recording.
    CHECK_OK(ploy_inspector_receive(h.inspector, h.client, h.recording.bytes, h.recording.size - 1,
                                    false));
    harness_drain(&h);
    CHECK_JSON(h.answer, "error.code", "\"format\"");
    CHECK_INT(ploy_inspector_session_count(h.inspector), 2);
    harness_keep(&h.answer, NULL);
    const char *far = "{\"id\":4294967296,\"do\":\"save\",\"session\":1}";
    CHECK_OK(ploy_inspector_receive(h.inspector, h.client, far, strlen(far), true));
    harness_drain(&h);
    CHECK_JSON(h.answer, "error.code", "\"argument\"");
    harness_end(&h);
}

TEST(sessions_are_limited_kept_for_a_while_and_closed) {
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_sessions = 2;
    def.max_watches = 3;
    def.keep_s = 10;
    harness h;
    harness_begin_def(&h, t, &def);
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "\"");
    drive_open(&h);
    drive_open(&h);
    CHECK_JSON(h.event, "event", "\"sessions\"");
    ASK_FAILS(&h, "\"do\":\"open\",\"simulation\":\"drift\"", "capacity");
    ASK_OK(&h, "\"do\":\"play\",\"session\":1");
    ASK_OK(&h, "\"do\":\"unwatch\",\"session\":1");
    ASK_OK(&h, "\"do\":\"unwatch\",\"session\":1"); // twice is no fault
    harness_step(&h, 1);
    ASK_OK(&h, "\"do\":\"list\"");
    CHECK_JSON(h.answer, "sessions.0.playing", "false"); // nobody watches
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");        // a page that came back
    harness_step(&h, 20);
    ASK_OK(&h, "\"do\":\"unwatch\",\"session\":1");
    harness_step(&h, 9);
    CHECK_INT(ploy_inspector_session_count(h.inspector), 2);
    drive_open(&h); // takes the place of the one that nobody watches
    CHECK_JSON(h.answer, "session.session", "3");
    CHECK_INT(ploy_inspector_session_count(h.inspector), 2);
    ASK_FAILS(&h, "\"do\":\"watch\",\"session\":1", "not_found");
    ASK_OK(&h, "\"do\":\"unwatch\",\"session\":2");
    harness_step(&h, 11);
    CHECK_INT(ploy_inspector_session_count(h.inspector), 1);
    ASK_OK(&h, "\"do\":\"close\",\"session\":3");
    CHECK_INT(ploy_inspector_session_count(h.inspector), 0);
    CHECK_JSON(h.answer, "session", "3");
    // All of a client's sessions go unwatched with it.
    drive_open(&h);
    ploy_inspector_disconnect(h.inspector, h.client);
    CHECK_OK(ploy_inspector_step(h.inspector, 11, NULL));
    CHECK_INT(ploy_inspector_session_count(h.inspector), 0);
    CHECK_INT(ploy_inspector_client_count(h.inspector), 0);
    harness_end(&h);
}

TEST(closing_tells_the_watchers_and_whoever_waits) {
    harness h;
    harness_begin(&h, t);
    drive_open(&h);
    harness_send(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1000");
    int32_t waiting = h.next_id;
    harness other;
    memset(&other, 0, sizeof other);
    other.t = t;
    other.inspector = h.inspector;
    CHECK_OK(ploy_inspector_connect(h.inspector, PLOY_INSPECT_WRITE, &other.client));
    harness_send(&other, "\"do\":\"hello\",\"protocol\":1");
    harness_send(&other, "\"do\":\"close\",\"session\":1");
    harness_drain(&other);
    CHECK_JSON(other.answer, "ok", "true");
    const void *bytes;
    size_t size;
    bool is_text;
    CHECK_OK(ploy_inspector_send(h.inspector, h.client, NULL, &bytes, &size, &is_text));
    harness_text(&h, bytes, size);
    CHECK_INT(harness_number(h.answer, "id"), waiting);
    CHECK_JSON(h.answer, "error.code", "\"cancelled\"");
    CHECK_OK(ploy_inspector_send(h.inspector, h.client, NULL, &bytes, &size, &is_text));
    harness_text(&h, bytes, size);
    CHECK_JSON(h.event, "event", "\"closed\"");
    CHECK_JSON(h.event, "session", "1");
    harness_drain(&h);
    ASK_FAILS(&h, "\"do\":\"step\",\"session\":1", "not_found");
    other.inspector = NULL;
    ploy_buffer_init(&other.picture, 0, &h.env);
    ploy_buffer_init(&other.recording, 0, &h.env);
    harness_end(&other);
    harness_end(&h);
}
