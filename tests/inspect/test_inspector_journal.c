// Marks on the timeline: what is marked, when, and what becomes of marks when a future is
// forgotten.
#include "tests/inspect/inspector_harness.h"

static void journal_open(harness *h) {
    test_context *t = h->t;
    ASK_OK(h, "\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"7\",\"params\":{\"agents\":2}");
    ASK_OK(h, "\"do\":\"watch\",\"session\":1,\"marks\":true");
}

// Everything that is marked, one mark after the other as "tick kind agent text".
static const char *journal_all(harness *h) {
    test_context *t = h->t;
    static char text[8192];
    // Who begins to listen is told all of them from the first on.
    ASK_OK(h, "\"do\":\"watch\",\"session\":1,\"marks\":false");
    ASK_OK(h, "\"do\":\"watch\",\"session\":1,\"marks\":true");
    CHECK_JSON(h->marks, "from", "0");
    snprintf(text, sizeof text, "%s", harness_json(h->marks, "marks"));
    return text;
}

TEST(decisions_are_marked_when_they_change) {
    harness h;
    harness_begin(&h, t);
    journal_open(&h);
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":5");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"mode\":\"run\"}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":5");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"gust.strength\":10}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":5");
    CHECK_TEXT(journal_all(&h), "[[1,\"decision\",\"1:1\",\"move: drift\"],"
                                "[1,\"decision\",\"2:1\",\"move: drift\"],"
                                "[6,\"input\",null,\"mode\"],"
                                "[6,\"decision\",\"1:1\",\"move: run\"],"
                                "[6,\"decision\",\"2:1\",\"move: run\"],"
                                "[11,\"input\",null,\"gust.strength\"],"
                                "[11,\"failed\",\"1:1\",\"move: nothing\"],"
                                "[11,\"failed\",\"2:1\",\"move: nothing\"]]");
    harness_end(&h);
}

TEST(an_agent_that_decided_something_else_has_not_failed) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"7\","
               "\"params\":{\"agents\":1,\"scale\":0.5}");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"marks\":true");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":3");
    const char *all = journal_all(&h);
    CHECK(strstr(all, "[1,\"decision\",\"1:1\",\"fly: nothing\"]") != NULL);
    CHECK(strstr(all, "failed") == NULL);
    // In a storm it cannot move either.
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"gust.strength\":10}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":3");
    CHECK(strstr(journal_all(&h), "[4,\"failed\",\"1:1\",\"move: nothing\"]") != NULL);
    harness_end(&h);
}

TEST(events_and_states_are_read_from_the_description) {
    harness h;
    harness_begin(&h, t);
    journal_open(&h);
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":5");
    ASK_OK(&h, "\"do\":\"command\",\"session\":1,\"name\":\"jump\",\"agent\":\"2:1\"");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":30");
    CHECK_TEXT(journal_all(&h), "[[1,\"decision\",\"1:1\",\"move: drift\"],"
                                "[1,\"decision\",\"2:1\",\"move: drift\"],"
                                "[6,\"input\",\"2:1\",\"jump\"],"
                                "[6,\"state\",\"2:1\",\"jumping\"],"
                                "[6,\"state\",\"98:1\",\"watching\"],"
                                "[6,\"event\",\"2:1\",\"a jump of a drifter\"]]");
    harness_end(&h);
}

TEST(overruns_are_marked_where_they_begin_and_end_and_the_state_tells_the_load) {
    harness h;
    harness_begin(&h, t);
    journal_open(&h);
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":2");
    CHECK_JSON(h.state, "load",
               "{\"units\":100,\"spent\":30,\"due\":2,\"ran\":2,\"put_off\":0,\"top\":[{\"name\":"
               "\"drift\",\"agent\":\"1:1\",\"units\":10}]}");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"scale\":2}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":3");
    CHECK_JSON(h.state, "load.put_off", "1");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"scale\":1}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":3");
    const char *all = journal_all(&h);
    CHECK(strstr(all, "[3,\"overrun\",null,\"turns are put off\"]") != NULL);
    CHECK(strstr(all, "[6,\"overrun\",null,\"all turns had again\"]") != NULL);
    CHECK(strstr(all, "[4,\"overrun\"") == NULL);
    harness_end(&h);
}

TEST(a_journal_that_begins_late_knows_what_the_simulation_still_tells) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    ASK_OK(&h, "\"do\":\"command\",\"session\":1,\"name\":\"jump\",\"agent\":\"1:1\"");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":50");
    CHECK_TEXT(journal_all(&h), "[[1,\"event\",\"1:1\",\"a jump of a drifter\"]]");
    harness_end(&h);
}

TEST(going_back_and_forth_marks_nothing_twice) {
    harness h;
    harness_begin(&h, t);
    journal_open(&h);
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":100");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"mode\":\"run\"}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":100");
    char before[4096];
    snprintf(before, sizeof before, "%s", journal_all(&h));
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":3");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":150");
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":200");
    CHECK_TEXT(journal_all(&h), before);
    harness_end(&h);
}

TEST(a_forgotten_future_takes_its_marks_along) {
    harness h;
    harness_begin(&h, t);
    journal_open(&h);
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":50");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"mode\":\"run\"}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":50");
    CHECK_INT(h.mark_count, 5);
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":20");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":2}");
    harness_step(&h, 0.5);
    CHECK_INT(h.mark_count, 2); // the client was told, and has only what is still true
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1");
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"mode\":\"run\"}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1");
    CHECK_TEXT(journal_all(&h), "[[1,\"decision\",\"1:1\",\"move: drift\"],"
                                "[1,\"decision\",\"2:1\",\"move: drift\"],"
                                "[21,\"input\",null,\"speed\"],"
                                "[22,\"input\",null,\"mode\"],"
                                "[22,\"decision\",\"1:1\",\"move: run\"],"
                                "[22,\"decision\",\"2:1\",\"move: run\"]]");
    harness_end(&h);
}

TEST(marks_never_change_a_hash_and_a_fork_has_them_too) {
    harness h;
    harness_begin(&h, t);
    journal_open(&h);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"7\",\"params\":{\"agents\":2}");
    char hashes[3][32];
    for (int32_t i = 1; i <= 2; i++) {
        char text[64];
        snprintf(text, sizeof text, "\"do\":\"step\",\"session\":%d,\"ticks\":70", (int)i);
        ASK_OK(&h, text);
    }
    ASK_OK(&h, "\"do\":\"fork\",\"session\":1");
    for (int32_t i = 1; i <= 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "\"do\":\"watch\",\"session\":%d,\"marks\":true", (int)i);
        ASK_OK(&h, text);
        snprintf(hashes[i - 1], sizeof hashes[0], "%.31s", harness_json(h.answer, "session.hash"));
    }
    CHECK_TEXT(hashes[0], hashes[1]);
    CHECK_TEXT(hashes[0], hashes[2]);
    CHECK_JSON(h.marks, "session", "3");
    CHECK_JSON(h.marks, "count", "2");
    harness_end(&h);
}

TEST(a_full_journal_forgets_the_oldest_and_says_so) {
    ploy_inspector_def def = ploy_inspector_def_default();
    def.max_marks = 16;
    harness h;
    harness_begin_def(&h, t, &def);
    ASK_OK(&h, "\"do\":\"hello\",\"protocol\":1,\"token\":\"" HARNESS_TOKEN "\"");
    journal_open(&h);
    for (int32_t i = 0; i < 40; i++) {
        ASK_OK(&h, i % 2 == 0 ? "\"do\":\"set\",\"session\":1,\"values\":{\"mode\":\"run\"}"
                              : "\"do\":\"set\",\"session\":1,\"values\":{\"mode\":\"walk\"}");
        ASK_OK(&h, "\"do\":\"step\",\"session\":1");
        CHECK(h.mark_count <= 16);
        CHECK_INT(harness_number(h.marks, "count"), h.mark_count);
    }
    const char *all = journal_all(&h);
    CHECK(strstr(all, "[40,\"decision\",\"2:1\",\"move: drift\"]]") != NULL);
    CHECK(strstr(all, "[1,") == NULL);
    harness_end(&h);
}

TEST(a_live_program_has_no_marks_and_nobody_minds) {
    harness h;
    harness_begin(&h, t);
    ploy_inspect_source source;
    memset(&source, 0, sizeof source);
    source.name = "live";
    CHECK_OK(ploy_inspector_add_source(h.inspector, &source));
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"marks\":true");
    harness_step(&h, 0.5);
    CHECK_INT(h.mark_count, 0);
    ASK_FAILS(&h, "\"do\":\"watch\",\"session\":1,\"marks\":1", "argument");
    harness_end(&h);
}
