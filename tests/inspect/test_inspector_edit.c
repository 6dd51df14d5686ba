// Definitions that are read, checked and exchanged through the inspector: the simulation's own, and
// the parameters, which are such a text for everybody.
#include "tests/inspect/inspector_harness.h"

static void edit_begin(harness *h, test_context *t) {
    harness_begin(h, t);
    ASK_OK(h, "\"do\":\"open\",\"simulation\":\"drift\",\"seed\":\"7\"");
    ASK_OK(h, "\"do\":\"step\",\"session\":1,\"ticks\":20");
}

TEST(a_session_names_its_definitions) {
    harness h;
    harness_begin(&h, t);
    ASK_OK(&h, "\"do\":\"open\",\"simulation\":\"drift\"");
    CHECK_JSON(h.answer, "session.definitions",
               "[{\"name\":\"winds\",\"format\":\"txt\",\"help\":\"calm or storm, one to a line\"},"
               "{\"name\":\"parameters\",\"format\":\"json\","
               "\"help\":\"every parameter, as the file for --params\"}]");
    harness_end(&h);
}

TEST(a_definition_names_its_parts) {
    harness h;
    edit_begin(&h, t);
    ASK_OK(&h, "\"do\":\"parts\",\"session\":1,\"name\":\"winds\"");
    CHECK_JSON(h.answer, "parts.0.name", "\"gust\"");
    CHECK_JSON(h.answer, "parts.0.fields.0.name", "\"strength\"");
    ASK_OK(&h, "\"do\":\"parts\",\"session\":1,\"name\":\"parameters\"");
    CHECK_JSON(h.answer, "parts", "[]");
    ASK_FAILS(&h, "\"do\":\"parts\",\"session\":1,\"name\":\"wind\"", "not_found");
    ASK_FAILS(&h, "\"do\":\"parts\",\"session\":1", "argument");
    harness_end(&h);
}

TEST(a_definition_is_as_of_the_tick_and_goes_along_with_it) {
    harness h;
    edit_begin(&h, t);
    ASK_OK(&h, "\"do\":\"definition\",\"session\":1,\"name\":\"winds\"");
    CHECK_JSON(h.answer, "text", "\"calm\"");
    ASK_OK(&h, "\"do\":\"reload\",\"session\":1,\"name\":\"winds\",\"text\":\"storm\"");
    ASK_OK(&h, "\"do\":\"definition\",\"session\":1,\"name\":\"winds\"");
    CHECK_JSON(h.answer, "text", "\"calm\""); // until the next tick
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":5");
    ASK_OK(&h, "\"do\":\"definition\",\"session\":1,\"name\":\"winds\"");
    CHECK_JSON(h.answer, "text", "\"storm\"");
    char hash[32];
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    snprintf(hash, sizeof hash, "%.31s", harness_json(h.answer, "session.hash"));
    // Back before it, and over it once more.
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":10");
    ASK_OK(&h, "\"do\":\"definition\",\"session\":1,\"name\":\"winds\"");
    CHECK_JSON(h.answer, "text", "\"calm\"");
    ASK_OK(&h, "\"do\":\"seek\",\"session\":1,\"tick\":25");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    CHECK_JSON(h.answer, "session.hash", hash);
    // A fork executes it again.
    ASK_OK(&h, "\"do\":\"fork\",\"session\":1");
    CHECK_JSON(h.answer, "session.hash", hash);
    ASK_OK(&h, "\"do\":\"definition\",\"session\":2,\"name\":\"winds\"");
    CHECK_JSON(h.answer, "text", "\"storm\"");
    harness_end(&h);
}

TEST(a_text_with_faults_is_refused_with_all_of_them) {
    harness h;
    edit_begin(&h, t);
    static const char *const asks[] = {
        "\"do\":\"reload\",\"session\":1,\"name\":\"winds\",\"text\":\"calm\\nstrom\\nx\"",
        "\"do\":\"reload\",\"session\":1,\"name\":\"winds\",\"text\":\"calm\\nstrom\\nx\","
        "\"check\":true"};
    for (size_t i = 0; i < COUNT_OF(asks); i++) {
        ASK_FAILS(&h, asks[i], "format");
        CHECK_JSON(h.answer, "error.line", "2");
        CHECK_JSON(h.answer, "error.faults.0",
                   "{\"line\":2,\"column\":1,\"severity\":\"error\",\"message\":\"no such wind\","
                   "\"expected\":\"calm or storm\",\"nearest\":\"storm\"}");
        CHECK_JSON(h.answer, "error.faults.1.line", "3");
        CHECK_JSON(h.answer, "error.faults.2", "none");
    }
    ASK_OK(&h,
           "\"do\":\"reload\",\"session\":1,\"name\":\"winds\",\"text\":\"storm\",\"check\":true");
    ASK_OK(&h, "\"do\":\"log\",\"session\":1");
    CHECK_JSON(h.answer, "count", "0"); // nothing of all that was recorded
    ASK_FAILS(&h, "\"do\":\"reload\",\"session\":1,\"name\":\"wind\",\"text\":\"\"", "not_found");
    CHECK_JSON(h.answer, "error.nearest", "\"winds\"");
    ASK_FAILS(&h, "\"do\":\"definition\",\"session\":1,\"name\":\"wind\"", "not_found");
    ASK_FAILS(&h, "\"do\":\"definition\",\"session\":1,\"name\":7", "argument");
    ASK_FAILS(&h, "\"do\":\"definition\",\"session\":9,\"name\":\"winds\"", "not_found");
    harness_end(&h);
}

TEST(parameters_are_a_text_too) {
    harness h;
    edit_begin(&h, t);
    ASK_OK(&h, "\"do\":\"definition\",\"session\":1,\"name\":\"parameters\"");
    CHECK(strstr(harness_json(h.answer, "text"), "\\n  \\\"speed\\\": 1,") != NULL);
    static const struct {
        const char *row, *text, *code, *line;
    } rows[] = {{"no JSON", "{\\n  speed 3", "\"format\"", "2"},
                {"out of range", "{\\n\\n\\\"speed\\\": 99}", "\"format\"", "3"},
                {"a name that is none", "{\\\"sped\\\": 2}", "\"format\"", "1"},
                {"fixed at the start", "{\\\"agents\\\": 4}", "\"denied\"", "none"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char ask[256];
        t->row = rows[i].row;
        snprintf(ask, sizeof ask,
                 "\"do\":\"reload\",\"session\":1,\"name\":\"parameters\",\"text\":\"%s\"",
                 rows[i].text);
        harness_ask(&h, ask);
        CHECK_JSON(h.answer, "error.code", rows[i].code);
        CHECK_JSON(h.answer, "error.line", rows[i].line);
    }
    t->row = NULL;
    ASK_OK(&h, "\"do\":\"reload\",\"session\":1,\"name\":\"parameters\",\"text\":"
               "\"{\\\"agents\\\": 3, \\\"speed\\\": 2.5, \\\"gust\\\": {\\\"strength\\\": 4}}\"");
    ASK_OK(&h, "\"do\":\"log\",\"session\":1");
    CHECK_JSON(h.answer, "count", "2"); // only what is another now
    CHECK_JSON(h.answer, "inputs.0.name", "\"speed\"");
    CHECK_JSON(h.answer, "inputs.1.name", "\"gust.strength\"");
    ASK_OK(&h, "\"do\":\"step\",\"session\":1,\"ticks\":1");
    ASK_OK(&h, "\"do\":\"watch\",\"session\":1");
    CHECK_JSON(h.answer, "session.params.speed", "2.5");
    harness_end(&h);
}
