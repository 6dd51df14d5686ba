#include "ploy/base/json.h"
#include "ploy/inspect/sinks.h"
#include "tests/inspect/sink_example.h"
#include "tests/test.h"

// Reads what was written back: it must be JSON, whatever came in.
static ploy_json *read_back(test_context *t, const sink_out *out) {
    ploy_env env = ploy_env_default();
    ploy_json_def def = ploy_json_def_default();
    def.max_depth = 1024;
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(out->buffer.bytes, out->buffer.size, "sink", &def, &env, NULL, &doc));
    return doc;
}

TEST(a_described_thing_is_one_object) {
    sink_out out;
    sink_out_begin(&out);
    ploy_json_sink sink;
    ploy_json_sink_init(&sink, &out.writer, false);
    ploy_describe describe = ploy_json_sink_describe(&sink);
    sink_describe_example(&describe);
    CHECK_OK(ploy_json_sink_finish(&sink));
    CHECK_TEXT(sink_out_text(&out),
               "{\"tick\":7,\"seeker\":{\"velocity\":[1.5,0],\"speed\":1.5,"
               "\"why\":\"line\\nbreak \\\"quoted\\\"\",\"path\":{\"0\":{\"at\":[1,2,3]},"
               "\"1\":{\"last\":true}}},\"seed\":18446744073709551615,\"leader\":null,"
               "\"goal\":\"#00000000000000ff\"}");
    ploy_json_destroy(read_back(t, &out));
    sink_out_end(&out);
}

TEST(with_marks_each_value_tells_what_it_is) {
    sink_out out;
    sink_out_begin(&out);
    ploy_json_sink sink;
    ploy_json_sink_init(&sink, &out.writer, true);
    ploy_describe describe = ploy_json_sink_describe(&sink);
    ploy_describe_begin_agent(&describe, "seeker", ploy_agent_id_make(2, 1));
    ploy_describe_f32(&describe, "speed", PLOY_DERIVED, 0.1f);
    ploy_describe_begin(&describe, "inner");
    ploy_describe_text(&describe, "why", PLOY_NOTE, "x");
    ploy_describe_end(&describe);
    ploy_describe_end(&describe);
    CHECK_OK(ploy_json_sink_finish(&sink));
    CHECK_TEXT(sink_out_text(&out),
               "{\"seeker\":{\"owner\":\"2:1\","
               "\"speed\":{\"value\":0.1,\"mark\":\"derived\",\"type\":\"f32\"},"
               "\"inner\":{\"why\":{\"value\":\"x\",\"mark\":\"note\",\"type\":\"text\"}}}}");
    sink_out_end(&out);
}

TEST(a_thing_without_state_is_an_empty_object) {
    sink_out out;
    sink_out_begin(&out);
    ploy_json_sink sink;
    ploy_json_sink_init(&sink, &out.writer, true);
    CHECK_OK(ploy_json_sink_finish(&sink));
    CHECK_TEXT(sink_out_text(&out), "{}");
    sink_out_end(&out);
}

TEST(absurd_input_still_gives_json) {
    static const int depths[] = {0, 1, 63, 64, 65, 1000, 1020, 1021, 1022, 1030, 5000};
    for (size_t i = 0; i < COUNT_OF(depths); i++) {
        for (int marks = 0; marks < 2; marks++) {
            TEST_SEED(depths[i]);
            sink_out out;
            sink_out_begin(&out);
            ploy_json_sink sink;
            ploy_json_sink_init(&sink, &out.writer, marks != 0);
            ploy_describe describe = ploy_json_sink_describe(&sink);
            sink_describe_absurd(&describe, depths[i]);
            ploy_describe_i64(&describe, "behind", PLOY_STATE, 1);
            CHECK_INT(ploy_json_sink_finish(&sink), depths[i] > 1021 ? PLOY_ERR_LIMIT : PLOY_OK);
            ploy_json *doc = read_back(t, &out);
            CHECK(!ploy_json_is_none(ploy_json_member(doc, ploy_json_root(doc), "behind")));
            ploy_json_destroy(doc);
            sink_out_end(&out);
        }
    }
}

TEST(begins_and_ends_that_do_not_match_are_told) {
    for (int row = 0; row < 3; row++) {
        sink_out out;
        sink_out_begin(&out);
        ploy_json_sink sink;
        ploy_json_sink_init(&sink, &out.writer, false);
        ploy_describe describe = ploy_json_sink_describe(&sink);
        if (row == 0) ploy_describe_begin(&describe, "open");
        if (row == 1) ploy_describe_end(&describe);
        if (row == 2) {
            for (int i = 0; i < 2000; i++) ploy_describe_begin(&describe, "open");
        }
        if (row != 2) ploy_describe_i64(&describe, "x", PLOY_STATE, 1);
        CHECK_INT(ploy_json_sink_finish(&sink), row == 2 ? PLOY_ERR_LIMIT : PLOY_ERR_STATE);
        ploy_json_destroy(read_back(t, &out));
        if (row == 0) CHECK_TEXT(sink_out_text(&out), "{\"open\":{\"x\":1}}");
        if (row == 1) CHECK_TEXT(sink_out_text(&out), "{\"x\":1}");
        sink_out_end(&out);
    }
}

TEST(the_writers_failure_comes_out_at_the_end) {
    ploy_writer writer = ploy_writer_make(sink_refuse, NULL);
    ploy_json_sink sink;
    ploy_json_sink_init(&sink, &writer, true);
    ploy_describe describe = ploy_json_sink_describe(&sink);
    sink_describe_example(&describe);
    CHECK_INT(ploy_json_sink_finish(&sink), PLOY_ERR_SYSTEM);
}
