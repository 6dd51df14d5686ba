#include "ploy/base/json.h"
#include "ploy/inspect/sinks.h"
#include "tests/inspect/sink_example.h"
#include "tests/test.h"

// What two agents decided: one by a choice inside a choice.
static void trace_example(ploy_trace *trace) {
    ploy_trace_begin(trace, ploy_agent_id_make(2, 1), "steer", "wander");
    ploy_trace_f32(trace, "drift", 0.25f);
    ploy_trace_option(trace, "forward", PLOY_OUTCOME_WON, 1.0, "keeps moving");
    ploy_trace_option(trace, "brake", PLOY_OUTCOME_LOST, 0.25, "nothing ahead");
    ploy_trace_option(trace, "left turn", PLOY_OUTCOME_REJECTED, (double)NAN, "wall");
    ploy_trace_option(trace, "rest", PLOY_OUTCOME_SKIPPED, (double)NAN, NULL);
    ploy_trace_note(trace, "The way was free.");
    ploy_trace_begin(trace, ploy_agent_id_make(2, 1), "target", "nearest");
    ploy_trace_option(trace, "tree", PLOY_OUTCOME_LOST, -3.5, "");
    ploy_trace_option(trace, "house", PLOY_OUTCOME_WON, (double)-0.1f, "");
    ploy_trace_end(trace);
    ploy_trace_option(trace, "late", PLOY_OUTCOME_LOST, 0.5, "came after");
    ploy_trace_end(trace);
    ploy_trace_begin(trace, ploy_agent_id_make(3, 1), "steer", "");
    ploy_trace_option(trace, "a", PLOY_OUTCOME_WON, 0.9, "");
    ploy_trace_option(trace, "b", PLOY_OUTCOME_LOST, 0.8, "");
    ploy_trace_option(trace, "c", PLOY_OUTCOME_LOST, 0.9, "by order");
    ploy_trace_option(trace, "d", PLOY_OUTCOME_LOST, 2.0, "too dear");
    ploy_trace_end(trace);
}

static const char example_agent_2[] = "agent 2:1 decides steer by wander\n"
                                      "  drift = 0.25\n"
                                      "  won       forward    1                    keeps moving\n"
                                      "  lost      brake      0.25  (0.75 behind)  nothing ahead\n"
                                      "  rejected  left turn                       wall\n"
                                      "  skipped   rest\n"
                                      "  The way was free.\n"
                                      "  agent 2:1 decides target by nearest\n"
                                      "    lost  tree   -3.5  (3.4 behind)\n"
                                      "    won   house  -0.1\n"
                                      "  lost  late  0.5  (0.5 behind)  came after\n";
static const char example_agent_3[] = "agent 3:1 decides steer\n"
                                      "  won   a  0.9\n"
                                      "  lost  b  0.8  (0.1 behind)\n"
                                      "  lost  c  0.9  (level)       by order\n"
                                      "  lost  d  2    (1.1 ahead)   too dear\n";

TEST(reasons_read_as_tables) {
    sink_out out;
    sink_out_begin(&out);
    ploy_trace_text_sink sink;
    ploy_trace_text_sink_init(&sink, &out.writer, ploy_agent_id_none());
    ploy_trace trace = ploy_trace_text_sink_trace(&sink);
    trace_example(&trace);
    CHECK_OK(ploy_trace_text_sink_finish(&sink));
    char want[2048];
    snprintf(want, sizeof want, "%s%s", example_agent_2, example_agent_3);
    CHECK_TEXT(sink_out_text(&out), want);
    CHECK_INT(sink.decisions, 3);
    sink_out_end(&out);
}

TEST(one_agent_can_be_asked_alone) {
    static const struct {
        uint32_t index;
        const char *want;
        int64_t decisions;
    } rows[] = {{2, example_agent_2, 2}, {3, example_agent_3, 1}, {4, "", 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        TEST_SEED(rows[i].index);
        sink_out out;
        sink_out_begin(&out);
        ploy_trace_text_sink sink;
        ploy_trace_text_sink_init(&sink, &out.writer, ploy_agent_id_make(rows[i].index, 1));
        ploy_trace trace = ploy_trace_text_sink_trace(&sink);
        trace_example(&trace);
        CHECK_OK(ploy_trace_text_sink_finish(&sink));
        CHECK_TEXT(sink_out_text(&out), rows[i].want);
        CHECK_INT(sink.decisions, rows[i].decisions);
        sink_out_end(&out);
    }
}

TEST(a_wanted_decision_inside_another_is_shown_alone) {
    sink_out out;
    sink_out_begin(&out);
    ploy_trace_text_sink sink;
    ploy_trace_text_sink_init(&sink, &out.writer, ploy_agent_id_make(5, 1));
    ploy_trace trace = ploy_trace_text_sink_trace(&sink);
    ploy_trace_begin(&trace, ploy_agent_id_none(), "squad", "vote");
    ploy_trace_option(&trace, "hidden", PLOY_OUTCOME_WON, 1.0, "");
    ploy_trace_begin(&trace, ploy_agent_id_make(5, 1), "role", "order");
    ploy_trace_begin(&trace, ploy_agent_id_none(), "detail", "");
    ploy_trace_note(&trace, "shown");
    ploy_trace_end(&trace);
    ploy_trace_end(&trace);
    ploy_trace_note(&trace, "hidden");
    ploy_trace_end(&trace);
    CHECK_OK(ploy_trace_text_sink_finish(&sink));
    CHECK_TEXT(sink_out_text(&out), "agent 5:1 decides role by order\n"
                                    "  decides detail\n"
                                    "    shown\n");
    sink_out_end(&out);
}

TEST(more_options_than_fit_are_printed_in_several_tables) {
    sink_out out;
    sink_out_begin(&out);
    ploy_trace_text_sink sink;
    ploy_trace_text_sink_init(&sink, &out.writer, ploy_agent_id_none());
    ploy_trace trace = ploy_trace_text_sink_trace(&sink);
    ploy_trace_begin(&trace, ploy_agent_id_none(), "many", "");
    for (int i = 0; i < 100; i++) {
        // The winner is known from the second table on.
        ploy_trace_option(&trace, "option", i == 40 ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          i == 40 ? 10.0 : 1.0, "");
    }
    ploy_trace_end(&trace);
    CHECK_OK(ploy_trace_text_sink_finish(&sink));
    int lines = 0, behind = 0;
    for (const char *c = sink_out_text(&out); *c != '\0'; c++) {
        lines += *c == '\n';
        behind += strncmp(c, "(9 behind)", 10) == 0;
    }
    CHECK_INT(lines, 101);
    CHECK_INT(behind, 100 - PLOY_TRACE_OPTIONS_MAX - 1);
    sink_out_end(&out);
}

static void trace_absurd(ploy_trace *trace, int depth) {
    for (int i = 0; i < depth; i++) {
        ploy_trace_begin(trace, ploy_agent_id_make((uint32_t)i, 1), "t\nu", NULL);
        ploy_trace_option(trace, "\xFF\x01", (ploy_outcome)77, (double)INFINITY, "\xC3");
        ploy_trace_option(trace, NULL, PLOY_OUTCOME_WON, (double)INFINITY, NULL);
        ploy_trace_option(trace, "x", PLOY_OUTCOME_LOST, (double)INFINITY, NULL);
        ploy_trace_option(trace, "y", PLOY_OUTCOME_LOST, -1e300, NULL);
        ploy_trace_f32(trace, NULL, NAN);
        ploy_trace_note(trace, "a\nb");
    }
    for (int i = 0; i < depth; i++) ploy_trace_end(trace);
}

TEST(absurd_input_stays_text) {
    static const int depths[] = {0, 1, 31, 32, 33, 1000};
    for (size_t i = 0; i < COUNT_OF(depths); i++) {
        TEST_SEED(depths[i]);
        sink_out out;
        sink_out_begin(&out);
        ploy_trace_text_sink sink;
        ploy_trace_text_sink_init(&sink, &out.writer, ploy_agent_id_none());
        ploy_trace trace = ploy_trace_text_sink_trace(&sink);
        trace_absurd(&trace, depths[i]);
        CHECK_OK(ploy_trace_text_sink_finish(&sink));
        int lines = 0;
        for (const char *c = sink_out_text(&out); *c != '\0'; c++) {
            CHECK(*c == '\n' || (unsigned char)*c >= 0x20);
            CHECK(!(c[0] == ' ' && c[1] == '\n')); // no line ends with blanks
            lines += *c == '\n';
        }
        CHECK_INT(lines, depths[i] * 7);
        sink_out_end(&out);
    }
}

TEST(long_names_and_reasons_are_cut_between_characters) {
    char name[600];
    for (int i = 0; i < 299; i++) memcpy(name + 2 * i, "\xC3\xA9", 2);
    name[598] = '\0';
    sink_out out;
    sink_out_begin(&out);
    ploy_trace_text_sink sink;
    ploy_trace_text_sink_init(&sink, &out.writer, ploy_agent_id_none());
    ploy_trace trace = ploy_trace_text_sink_trace(&sink);
    ploy_trace_begin(&trace, ploy_agent_id_none(), "t", "");
    ploy_trace_option(&trace, name, PLOY_OUTCOME_WON, 1.0, name);
    ploy_trace_end(&trace);
    CHECK_OK(ploy_trace_text_sink_finish(&sink));
    int letters = 0;
    for (const char *c = sink_out_text(&out); *c != '\0'; c++) letters += *c == '\xC3';
    CHECK_INT(letters, (PLOY_TRACE_NAME_MAX - 1) / 2 + (PLOY_TRACE_REASON_MAX - 1) / 2);
    CHECK(strstr(sink_out_text(&out), "\xC3 ") == NULL);
    sink_out_end(&out);
}

TEST(begins_and_ends_that_do_not_match_are_told) {
    sink_out out;
    sink_out_begin(&out);
    ploy_trace_text_sink sink;
    ploy_trace_text_sink_init(&sink, &out.writer, ploy_agent_id_none());
    ploy_trace trace = ploy_trace_text_sink_trace(&sink);
    ploy_trace_end(&trace);
    ploy_trace_option(&trace, "outside", PLOY_OUTCOME_WON, 1.0, "");
    ploy_trace_value(&trace, "outside", NULL);
    ploy_trace_note(&trace, "outside");
    CHECK_INT(ploy_trace_text_sink_finish(&sink), PLOY_ERR_STATE);
    CHECK_TEXT(sink_out_text(&out), "");
    ploy_trace_text_sink_init(&sink, &out.writer, ploy_agent_id_none());
    ploy_trace_begin(&trace, ploy_agent_id_none(), "t", "");
    ploy_trace_option(&trace, "waiting", PLOY_OUTCOME_WON, 1.0, "");
    CHECK_INT(ploy_trace_text_sink_finish(&sink), PLOY_ERR_STATE);
    CHECK_TEXT(sink_out_text(&out), "decides t\n  won  waiting  1\n");
    sink_out_end(&out);
}

TEST(reasons_are_an_array_in_json) {
    sink_out out;
    sink_out_begin(&out);
    ploy_trace_json_sink sink;
    ploy_trace_json_sink_init(&sink, &out.writer, ploy_agent_id_none());
    ploy_trace trace = ploy_trace_json_sink_trace(&sink);
    trace_example(&trace);
    CHECK_OK(ploy_trace_json_sink_finish(&sink));
    CHECK_TEXT(
        sink_out_text(&out),
        "[{\"agent\":\"2:1\",\"topic\":\"steer\",\"technique\":\"wander\",\"children\":["
        "{\"value\":\"drift\",\"type\":\"f32\",\"is\":0.25},"
        "{\"option\":\"forward\",\"outcome\":\"won\",\"score\":1,\"reason\":\"keeps moving\"},"
        "{\"option\":\"brake\",\"outcome\":\"lost\",\"score\":0.25,\"reason\":\"nothing ahead\"},"
        "{\"option\":\"left turn\",\"outcome\":\"rejected\",\"score\":null,\"reason\":\"wall\"},"
        "{\"option\":\"rest\",\"outcome\":\"skipped\",\"score\":null,\"reason\":\"\"},"
        "{\"note\":\"The way was free.\"},"
        "{\"agent\":\"2:1\",\"topic\":\"target\",\"technique\":\"nearest\",\"children\":["
        "{\"option\":\"tree\",\"outcome\":\"lost\",\"score\":-3.5,\"reason\":\"\"},"
        "{\"option\":\"house\",\"outcome\":\"won\",\"score\":-0.10000000149011612,"
        "\"reason\":\"\"}]},"
        "{\"option\":\"late\",\"outcome\":\"lost\",\"score\":0.5,\"reason\":\"came after\"}]},"
        "{\"agent\":\"3:1\",\"topic\":\"steer\",\"technique\":\"\",\"children\":["
        "{\"option\":\"a\",\"outcome\":\"won\",\"score\":0.9,\"reason\":\"\"},"
        "{\"option\":\"b\",\"outcome\":\"lost\",\"score\":0.8,\"reason\":\"\"},"
        "{\"option\":\"c\",\"outcome\":\"lost\",\"score\":0.9,\"reason\":\"by order\"},"
        "{\"option\":\"d\",\"outcome\":\"lost\",\"score\":2,\"reason\":\"too dear\"}]}]");
    sink_out_end(&out);
}

TEST(one_agent_can_be_asked_alone_in_json) {
    static const struct {
        uint32_t index;
        int32_t count;
    } rows[] = {{2, 1}, {3, 1}, {4, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        TEST_SEED(rows[i].index);
        sink_out out;
        sink_out_begin(&out);
        ploy_trace_json_sink sink;
        ploy_trace_json_sink_init(&sink, &out.writer, ploy_agent_id_make(rows[i].index, 1));
        ploy_trace trace = ploy_trace_json_sink_trace(&sink);
        trace_example(&trace);
        CHECK_OK(ploy_trace_json_sink_finish(&sink));
        ploy_env env = ploy_env_default();
        ploy_json *doc = NULL;
        CHECK_OK(ploy_json_load(out.buffer.bytes, out.buffer.size, "t", NULL, &env, NULL, &doc));
        CHECK_INT(ploy_json_count(doc, ploy_json_root(doc)), rows[i].count);
        ploy_json_destroy(doc);
        sink_out_end(&out);
    }
}

TEST(absurd_input_still_gives_json) {
    static const int depths[] = {0, 1, 400, 510, 511, 1000};
    for (size_t i = 0; i < COUNT_OF(depths); i++) {
        for (int open = 0; open < 2; open++) {
            TEST_SEED(depths[i]);
            sink_out out;
            sink_out_begin(&out);
            ploy_trace_json_sink sink;
            ploy_trace_json_sink_init(&sink, &out.writer, ploy_agent_id_none());
            ploy_trace trace = ploy_trace_json_sink_trace(&sink);
            if (open != 0) ploy_trace_begin(&trace, ploy_agent_id_none(), "open", "");
            trace_absurd(&trace, depths[i]);
            ploy_result want = depths[i] + open > 510 ? PLOY_ERR_LIMIT
                               : open                 ? PLOY_ERR_STATE
                                                      : PLOY_OK;
            CHECK_INT(ploy_trace_json_sink_finish(&sink), want);
            ploy_env env = ploy_env_default();
            ploy_json_def def = ploy_json_def_default();
            def.max_depth = 1024;
            ploy_json *doc = NULL;
            CHECK_OK(
                ploy_json_load(out.buffer.bytes, out.buffer.size, "t", &def, &env, NULL, &doc));
            ploy_json_destroy(doc);
            sink_out_end(&out);
        }
    }
}

TEST(the_writers_failure_comes_out_at_the_end) {
    ploy_writer writer = ploy_writer_make(sink_refuse, NULL);
    ploy_trace_text_sink text_sink;
    ploy_trace_text_sink_init(&text_sink, &writer, ploy_agent_id_none());
    ploy_trace trace = ploy_trace_text_sink_trace(&text_sink);
    trace_example(&trace);
    CHECK_INT(ploy_trace_text_sink_finish(&text_sink), PLOY_ERR_SYSTEM);
    writer = ploy_writer_make(sink_refuse, NULL);
    ploy_trace_json_sink json_sink;
    ploy_trace_json_sink_init(&json_sink, &writer, ploy_agent_id_none());
    trace = ploy_trace_json_sink_trace(&json_sink);
    trace_example(&trace);
    CHECK_INT(ploy_trace_json_sink_finish(&json_sink), PLOY_ERR_SYSTEM);
}
