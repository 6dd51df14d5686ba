// A recording scanned: numbers over time, the marks of ticks nobody listened to, the way back; and
// definitions loaded anew.
#include "inspect/inspect_internal.h"
#include "tests/inspect/inspector_harness.h"

static void scan_begin(harness *h, test_context *t) {
    harness_begin(h, t);
    ASK_OK(h, "\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"7\"");
    ASK_OK(h, "\"do\":\"step\",\"session\":1,\"ticks\":100");
    ASK_OK(h, "\"do\":\"set\",\"session\":1,\"values\":{\"mode\":\"run\"}");
    ASK_OK(h, "\"do\":\"step\",\"session\":1,\"ticks\":101");
    ASK_OK(h, "\"do\":\"seek\",\"session\":1,\"tick\":77");
}

TEST(a_scan_tells_numbers_over_time_and_comes_back) {
    harness h;
    scan_begin(&h, t);
    char before[32];
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    snprintf(before, sizeof before, "%.31s", harness_json(h.answer, "session.hash"));
    ASK_OK(&h,
           "\"do\":\"scan\",\"session\":1,\"samples\":50,\"paths\":[[\"tick\"],"
           "[\"@2:1\",\"at\",\"x\"],[\"@2:1\",\"at\",\"y\"],[\"@2:1\",\"at\"],"
           "[\"params\",\"mode\"],[\"state\",\"agents\",\"drifter\",\"number\"],[\"nowhere\"]]");
    CHECK_JSON(h.answer, "tick", "77");
    CHECK_JSON(h.answer, "from", "0");
    CHECK_JSON(h.answer, "every", "5");
    CHECK_JSON(h.answer, "count", "41");
    CHECK_JSON(h.answer, "series.0.40", "200");
    CHECK_JSON(h.answer, "series.5.7", "0"); // of three drifters the first
    CHECK_JSON(h.answer, "series.6.7", "null");
    double x = harness_number(h.answer, "series.1.30"), y = harness_number(h.answer, "series.2.30");
    double length = harness_number(h.answer, "series.3.30");
    CHECK(fabs(length - sqrt(x * x + y * y)) < 1e-9);
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    CHECK_JSON(h.answer, "session.hash", before);
    // The same number where the tick is described.
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":150");
    ASK_OK(&h, "\"do\":\"describe\",\"session\":1,\"agent\":\"2:1\"");
    CHECK_SAME((float)harness_number(h.answer, "tree.0.children.0.value.0"), (float)x);
    harness_end(&h);
}

TEST(a_scan_finds_the_marks_of_the_whole_recording) {
    harness h;
    scan_begin(&h, t);
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1,\"marks\":true");
    CHECK_JSON(h.marks, "count", "0"); // nobody listened so far
    ASK_OK(&h, "\"do\":\"scan\",\"session\":1");
    CHECK_JSON(h.answer, "series", "[]");
    CHECK_JSON(h.marks, "count", "7");
    CHECK_JSON(h.marks, "marks.0", "[1,\"decision\",\"1:1\",\"move: drift\"]");
    CHECK_JSON(h.marks, "marks.3", "[101,\"input\",null,\"mode\"]");
    CHECK_JSON(h.marks, "marks.6", "[101,\"decision\",\"3:1\",\"move: run\"]");
    // Again, with the last sample before the end: the same marks.
    ASK_OK(&h, "\"do\":\"scan\",\"session\":1,\"samples\":1");
    CHECK_JSON(h.answer, "count", "1");
    CHECK_INT(h.mark_count, 7);
    CHECK_JSON(h.marks, "marks.6", "[101,\"decision\",\"3:1\",\"move: run\"]");
    harness_end(&h);
}

TEST(a_scan_gives_way_and_its_client_may_go) {
    harness h;
    scan_begin(&h, t);
    harness_send(&h, "\"do\":\"scan\",\"session\":1,\"paths\":[[\"tick\"]]");
    ploy_budget budget = ploy_budget_units(20);
    CHECK_OK(ploy_inspector_step(h.inspector, 0.2, &budget));
    harness_drain(&h);
    CHECK(h.answer == NULL);
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":10");
    CHECK_JSON(h.answer, "tick", "10");
    harness_send(&h, "\"do\":\"scan\",\"session\":1,\"paths\":[[\"tick\"]]");
    budget = ploy_budget_units(20);
    CHECK_OK(ploy_inspector_step(h.inspector, 0.2, &budget));
    ploy_inspector_disconnect(h.inspector, h.client);
    CHECK_OK(ploy_inspector_step(h.inspector, 0, NULL));
    CHECK(!ployi_inspector_busy(h.inspector));
    harness_end(&h);
}

TEST(an_edited_definition_is_taken_over_at_the_next_tick_and_recorded) {
    harness h;
    scan_begin(&h, t);
    ASK_OK(&h, "\"do\":\"reload\",\"session\":1,\"name\":\"winds\",\"text\":\"calm\"");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1");
    ASK_OK(&h, "\"do\":\"log\",\"session\":1");
    CHECK_JSON(h.answer, "inputs.0.kind", "\"reload\"");
    CHECK_JSON(h.answer, "inputs.0.tick", "77");
    ASK_OK(&h, "\"do\":\"scan\",\"session\":1,\"from\":77,\"paths\":[[\"state\",\"reloads\"]]");
    CHECK_JSON(h.answer, "series", "[[null,1]]");
    harness_end(&h);
}

TEST(scan_and_reload_refuse_what_does_not_fit) {
    static const struct {
        const char *row, *members, *code;
    } rows[] = {
        {"no list", "\"do\":\"scan\",\"session\":1,\"paths\":1", "argument"},
        {"no path", "\"do\":\"scan\",\"session\":1,\"paths\":[1]", "argument"},
        {"an empty path", "\"do\":\"scan\",\"session\":1,\"paths\":[[]]", "argument"},
        {"no name", "\"do\":\"scan\",\"session\":1,\"paths\":[[1]]", "argument"},
        {"nobody", "\"do\":\"scan\",\"session\":1,\"paths\":[[\"@one\",\"at\"]]", "argument"},
        {"only an agent", "\"do\":\"scan\",\"session\":1,\"paths\":[[\"@1:1\"]]", "argument"},
        {"too many",
         "\"do\":\"scan\",\"session\":1,\"paths\":[[\"a\"],[\"a\"],[\"a\"],[\"a\"],"
         "[\"a\"],[\"a\"],[\"a\"],[\"a\"],[\"a\"]]",
         "argument"},
        {"no sample", "\"do\":\"scan\",\"session\":1,\"samples\":0", "argument"},
        {"too many samples", "\"do\":\"scan\",\"session\":1,\"samples\":5000", "argument"},
        {"backwards", "\"do\":\"scan\",\"session\":1,\"from\":9,\"to\":8", "argument"},
        {"no session", "\"do\":\"scan\",\"session\":2", "not_found"},
        {"no name", "\"do\":\"reload\",\"session\":1,\"text\":\"b\"", "argument"},
        {"no text", "\"do\":\"reload\",\"session\":1,\"name\":\"a\"", "argument"},
    };
    harness h;
    scan_begin(&h, t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char code[32];
        snprintf(code, sizeof code, "\"%s\"", rows[i].code);
        harness_ask(&h, rows[i].members);
        CHECK_JSON(h.answer, "error.code", code);
        CHECK(!ployi_inspector_busy(h.inspector));
    }
    harness_end(&h);
}
