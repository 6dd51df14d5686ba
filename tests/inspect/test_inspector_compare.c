// Two sessions compared: the first decision that differs, the way there, and what is refused.
#include "inspect/inspect_internal.h"
#include "tests/inspect/inspector_harness.h"

// Two sessions with the same past of 100 ticks.
static void compare_begin(harness *h, test_context *t) {
    harness_begin(h, t);
    ASK_OK(h, "\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"7\"");
    ASK_OK(h, "\"do\":\"step\",\"session\":1,\"ticks\":100");
    ASK_OK(h, "\"do\":\"fork\",\"session\":1");
    CHECK_JSON(h->answer, "session.session", "2");
}

TEST(two_equal_runs_differ_nowhere) {
    harness h;
    compare_begin(&h, t);
    ASK_OK(&h, "\"do\":\"compare\",\"session\":1,\"with\":2,\"until\":200");
    CHECK_JSON(h.answer, "differs", "null");
    CHECK_JSON(h.answer, "tick", "200");
    CHECK_JSON(h.answer, "state_tick", "null");
    CHECK_JSON(h.answer, "with", "2");
    harness_end(&h);
}

TEST(an_edit_shows_at_the_first_decision_that_it_changes) {
    harness h;
    compare_begin(&h, t);
    ASK_OK(&h, "\"do\":\"seek\",\"session\":2,\"tick\":40");
    ASK_OK(&h, "\"do\":\"set\",\"session\":2,\"values\":{\"mode\":\"run\"}");
    ASK_OK(&h, "\"do\":\"step\",\"session\":2,\"ticks\":5");
    ASK_OK(&h, "\"do\":\"compare\",\"session\":1,\"with\":2");
    CHECK_JSON(h.answer, "tick", "41");
    CHECK_JSON(h.answer, "differs",
               "{\"agent\":\"1:1\",\"here\":\"move: drift\",\"there\":\"move: run\"}");
    // Both stand there, and can be asked why and driven on.
    ASK_OK(&h, "\"do\":\"why\",\"session\":2,\"agent\":\"1:1\"");
    CHECK_JSON(h.answer, "tick", "41");
    ASK_OK(&h, "\"do\":\"why\",\"session\":1,\"agent\":\"1:1\"");
    CHECK_JSON(h.answer, "tick", "41");
    // The other way round.
    ASK_OK(&h, "\"do\":\"compare\",\"session\":2,\"with\":1,\"from\":40");
    CHECK_JSON(h.answer, "differs.here", "\"move: run\"");
    // From behind that tick on they differ at once.
    ASK_OK(&h, "\"do\":\"compare\",\"session\":1,\"with\":2,\"from\":43,\"until\":45");
    CHECK_JSON(h.answer, "tick", "44");
    harness_end(&h);
}

TEST(a_change_of_numbers_alone_is_no_other_decision) {
    harness h;
    compare_begin(&h, t);
    ASK_OK(&h, "\"do\":\"set\",\"session\":2,\"values\":{\"speed\":3}");
    ASK_OK(&h, "\"do\":\"compare\",\"session\":1,\"with\":2,\"until\":300");
    CHECK_JSON(h.answer, "differs", "null");
    CHECK_JSON(h.answer, "state_tick", "101"); // the edit was taken over by that tick
    harness_end(&h);
}

TEST(a_decision_that_only_one_takes_differs) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"agents\":2}");
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\",\"params\":{\"agents\":3}");
    ASK_OK(&h, "\"do\":\"compare\",\"session\":1,\"with\":2,\"until\":10");
    CHECK_JSON(h.answer, "tick", "1");
    CHECK_JSON(h.answer, "differs", "{\"agent\":\"3:1\",\"here\":null,\"there\":\"move: drift\"}");
    ASK_OK(&h, "\"do\":\"compare\",\"session\":2,\"with\":1,\"until\":10");
    CHECK_JSON(h.answer, "differs", "{\"agent\":\"3:1\",\"here\":\"move: drift\",\"there\":null}");
    harness_end(&h);
}

TEST(a_long_comparison_goes_in_slices_and_gives_way) {
    harness h;
    compare_begin(&h, t);
    harness_send(&h, "\"do\":\"compare\",\"session\":1,\"with\":2,\"until\":5000");
    int32_t compared = h.next_id;
    for (int32_t i = 0; i < 20; i++) {
        ploy_budget budget = ploy_budget_units(50);
        CHECK_OK(ploy_inspector_step(h.inspector, 0.2, &budget));
        harness_drain(&h);
    }
    CHECK(h.answer == NULL);
    CHECK(h.progresses > 3);
    CHECK(ployi_inspector_busy(h.inspector));
    // Neither can be changed meanwhile.
    harness_send(&h, "\"do\":\"set\",\"session\":2,\"values\":{\"speed\":3}");
    harness_drain(&h);
    CHECK_JSON(h.answer, "error.code", "\"state\"");
    // A word to the partner ends it for both; who asked hears so.
    harness_send(&h, "\"do\":\"pause\",\"session\":2");
    const void *bytes = NULL;
    size_t size = 0;
    bool is_text = false;
    CHECK_OK(ploy_inspector_send(h.inspector, h.client, NULL, &bytes, &size, &is_text));
    harness_text(&h, bytes, size);
    CHECK_INT(harness_number(h.answer, "id"), compared);
    CHECK_JSON(h.answer, "error.code", "\"cancelled\"");
    harness_drain(&h);
    CHECK(!ployi_inspector_busy(h.inspector));
    ASK_OK(&h, "\"do\":\"set\",\"session\":1,\"values\":{\"speed\":3}");
    harness_end(&h);
}

TEST(a_partner_may_be_closed_and_a_client_may_go_on_the_way) {
    for (int32_t way = 0; way < 3; way++) {
        harness h;
        compare_begin(&h, t);
        harness_send(&h, "\"do\":\"compare\",\"session\":1,\"with\":2,\"until\":5000");
        ploy_budget budget = ploy_budget_units(150);
        CHECK_OK(ploy_inspector_step(h.inspector, 0, &budget));
        if (way == 2) {
            ploy_inspector_disconnect(h.inspector, h.client);
            CHECK_OK(ploy_inspector_step(h.inspector, 0, NULL));
        } else {
            harness_send(&h, way == 0 ? "\"do\":\"close\",\"session\":1"
                                      : "\"do\":\"close\",\"session\":2");
            harness_step(&h, 0);
            CHECK_INT(ploy_inspector_session_count(h.inspector), 1);
        }
        CHECK(!ployi_inspector_busy(h.inspector));
        harness_end(&h);
    }
}

TEST(a_simulation_that_fails_on_the_way_ends_the_comparison) {
    harness h;
    compare_begin(&h, t);
    ASK_OK(&h, "\"do\":\"command\",\"session\":2,\"name\":\"fail\"");
    ASK_FAILS(&h, "\"do\":\"compare\",\"session\":1,\"with\":2,\"until\":150", "callback");
    CHECK(!ployi_inspector_busy(h.inspector));
    harness_end(&h);
}

TEST(compare_refuses_what_cannot_be_compared) {
    static const struct {
        const char *row, *members, *code;
    } rows[] = {
        {"nobody", "\"session\":1", "not_found"},
        {"itself", "\"session\":1,\"with\":1", "not_found"},
        {"no such session", "\"session\":1,\"with\":9", "not_found"},
        {"no number", "\"session\":1,\"with\":\"2\"", "argument"},
        {"huge", "\"session\":1,\"with\":4294967298", "not_found"},
        {"a future", "\"session\":1,\"with\":2,\"from\":101", "argument"},
        {"backwards", "\"session\":1,\"with\":2,\"from\":50,\"until\":49", "argument"},
        {"for ever", "\"session\":1,\"with\":2,\"until\":9000000000", "argument"},
    };
    harness h;
    compare_begin(&h, t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char text[128], code[32];
        snprintf(text, sizeof text, "\"do\":\"compare\",%s", rows[i].members);
        snprintf(code, sizeof code, "\"%s\"", rows[i].code);
        harness_ask(&h, text);
        CHECK_JSON(h.answer, "error.code", code);
        CHECK(!ployi_inspector_busy(h.inspector));
    }
    harness_end(&h);
}
