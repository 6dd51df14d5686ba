#include "ploy/inspect/sinks.h"
#include "tests/inspect/sink_example.h"
#include "tests/test.h"

TEST(a_described_thing_is_indented_text) {
    sink_out out;
    sink_out_begin(&out);
    ploy_text_sink sink;
    ploy_text_sink_init(&sink, &out.writer, true);
    ploy_describe describe = ploy_text_sink_describe(&sink);
    sink_describe_example(&describe);
    CHECK_OK(ploy_text_sink_finish(&sink));
    CHECK_TEXT(sink_out_text(&out), "tick 7\n"
                                    "seeker (agent 2:1)\n"
                                    "  velocity (1.5, 0)\n"
                                    "  speed 1.5\n"
                                    "  why line break \"quoted\"\n"
                                    "  path\n"
                                    "    0\n"
                                    "      at (1, 2, 3)\n"
                                    "    1\n"
                                    "      last true\n"
                                    "seed 18446744073709551615\n"
                                    "leader none\n"
                                    "goal #00000000000000ff\n");
    sink_out_end(&out);
}

TEST(without_notes_only_state_is_written) {
    sink_out out;
    sink_out_begin(&out);
    ploy_text_sink sink;
    ploy_text_sink_init(&sink, &out.writer, false);
    ploy_describe describe = ploy_text_sink_describe(&sink);
    sink_describe_example(&describe);
    CHECK_OK(ploy_text_sink_finish(&sink));
    CHECK(strstr(sink_out_text(&out), "velocity") != NULL);
    CHECK(strstr(sink_out_text(&out), "speed") == NULL);
    CHECK(strstr(sink_out_text(&out), "why") == NULL);
    sink_out_end(&out);
}

TEST(absurd_input_stays_one_value_a_line) {
    static const int depths[] = {0, 1, 32, 33, 1000};
    for (size_t i = 0; i < COUNT_OF(depths); i++) {
        TEST_SEED(depths[i]);
        sink_out out;
        sink_out_begin(&out);
        ploy_text_sink sink;
        ploy_text_sink_init(&sink, &out.writer, true);
        ploy_describe describe = ploy_text_sink_describe(&sink);
        sink_describe_absurd(&describe, depths[i]);
        CHECK_OK(ploy_text_sink_finish(&sink));
        int lines = 0;
        size_t widest = 0, width = 0;
        for (const char *c = sink_out_text(&out); *c != '\0'; c++) {
            CHECK(*c == '\n' || (unsigned char)*c >= 0x20);
            width = *c == '\n' ? 0 : width + 1;
            if (width > widest) widest = width;
            lines += *c == '\n';
        }
        CHECK_INT(lines, depths[i] + 6);
        CHECK(widest < 100); // however deep it is
        sink_out_end(&out);
    }
}

TEST(begins_and_ends_that_do_not_match_are_told) {
    sink_out out;
    sink_out_begin(&out);
    ploy_text_sink sink;
    ploy_text_sink_init(&sink, &out.writer, true);
    ploy_describe describe = ploy_text_sink_describe(&sink);
    ploy_describe_end(&describe);
    ploy_describe_i64(&describe, "x", PLOY_STATE, 1);
    CHECK_INT(ploy_text_sink_finish(&sink), PLOY_ERR_STATE);
    CHECK_TEXT(sink_out_text(&out), "x 1\n");
    ploy_text_sink_init(&sink, &out.writer, true);
    ploy_describe_begin(&describe, "open");
    CHECK_INT(ploy_text_sink_finish(&sink), PLOY_ERR_STATE);
    sink_out_end(&out);
}

TEST(long_texts_are_not_cut) {
    char text[5000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    sink_out out;
    sink_out_begin(&out);
    ploy_text_sink sink;
    ploy_text_sink_init(&sink, &out.writer, true);
    ploy_describe describe = ploy_text_sink_describe(&sink);
    ploy_describe_text(&describe, "t", PLOY_STATE, text);
    CHECK_OK(ploy_text_sink_finish(&sink));
    CHECK_UINT(out.buffer.size, 2 + sizeof text);
    sink_out_end(&out);
}

TEST(the_writers_failure_comes_out_at_the_end) {
    ploy_writer writer = ploy_writer_make(sink_refuse, NULL);
    ploy_text_sink sink;
    ploy_text_sink_init(&sink, &writer, true);
    ploy_describe describe = ploy_text_sink_describe(&sink);
    sink_describe_example(&describe);
    CHECK_INT(ploy_text_sink_finish(&sink), PLOY_ERR_SYSTEM);
}
