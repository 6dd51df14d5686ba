#include "ploy/base/json_writer.h"
#include "ploy/base/utf8.h"
#include "tests/test.h"

// A writer into a buffer that is freed at the end of each check.
typedef struct test_out {
    ploy_buffer buffer;
    ploy_writer writer;
    ploy_json_writer json;
} test_out;

static void begin(test_out *out, int32_t indent) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(&out->buffer, 0, &env);
    out->writer = ploy_buffer_writer(&out->buffer);
    ploy_json_writer_init(&out->json, &out->writer, indent);
}

static void write_sample(ploy_json_writer *json) {
    ploy_json_write_begin_object(json);
    ploy_json_write_key(json, "name");
    ploy_json_write_text(json, "seeker");
    ploy_json_write_key(json, "at");
    ploy_json_write_begin_row(json);
    ploy_json_write_f32(json, 0.1f);
    ploy_json_write_f64(json, -2.0);
    ploy_json_write_begin_object(json);
    ploy_json_write_key(json, "in");
    ploy_json_write_bool(json, true);
    ploy_json_write_end_object(json);
    ploy_json_write_end_array(json);
    ploy_json_write_key(json, "list");
    ploy_json_write_begin_array(json);
    ploy_json_write_i64(json, INT64_MIN);
    ploy_json_write_u64(json, UINT64_MAX);
    ploy_json_write_null(json);
    ploy_json_write_raw(json, "{\"raw\": [1]}");
    ploy_json_write_end_array(json);
    ploy_json_write_key(json, "empty");
    ploy_json_write_begin_array(json);
    ploy_json_write_end_array(json);
    ploy_json_write_key(json, "none");
    ploy_json_write_begin_object(json);
    ploy_json_write_end_object(json);
    ploy_json_write_end_object(json);
}

TEST(a_document_goes_out_on_one_line) {
    test_out out;
    begin(&out, 0);
    write_sample(&out.json);
    CHECK_OK(ploy_json_writer_finish(&out.json));
    CHECK_TEXT(ploy_buffer_text(&out.buffer),
               "{\"name\":\"seeker\",\"at\":[0.1,-2,{\"in\":true}],\"list\":[-9223372036854775808,"
               "18446744073709551615,null,{\"raw\": [1]}],\"empty\":[],\"none\":{}}");
    ploy_buffer_fini(&out.buffer);
}

TEST(a_document_goes_out_indented_with_rows_on_one_line) {
    test_out out;
    begin(&out, 2);
    write_sample(&out.json);
    CHECK_OK(ploy_json_writer_finish(&out.json));
    CHECK_TEXT(ploy_buffer_text(&out.buffer), "{\n"
                                              "  \"name\": \"seeker\",\n"
                                              "  \"at\": [0.1, -2, {\"in\": true}],\n"
                                              "  \"list\": [\n"
                                              "    -9223372036854775808,\n"
                                              "    18446744073709551615,\n"
                                              "    null,\n"
                                              "    {\"raw\": [1]}\n"
                                              "  ],\n"
                                              "  \"empty\": [],\n"
                                              "  \"none\": {}\n"
                                              "}\n");
    ploy_buffer_fini(&out.buffer);
}

TEST(numbers_that_json_does_not_have_become_texts) {
    test_out out;
    begin(&out, 0);
    ploy_json_write_begin_array(&out.json);
    ploy_json_write_f64(&out.json, (double)NAN);
    ploy_json_write_f64(&out.json, (double)INFINITY);
    ploy_json_write_f32(&out.json, -INFINITY);
    ploy_json_write_f32(&out.json, -NAN);
    ploy_json_write_f64(&out.json, -0.0);
    ploy_json_write_f64(&out.json, 1e300);
    ploy_json_write_f64(&out.json, 5e-324);
    ploy_json_write_end_array(&out.json);
    CHECK_OK(ploy_json_writer_finish(&out.json));
    CHECK_TEXT(ploy_buffer_text(&out.buffer), "[\"nan\",\"inf\",\"-inf\",\"nan\",-0,1e300,5e-324]");
    ploy_buffer_fini(&out.buffer);
}

TEST(texts_are_escaped_and_always_utf8) {
    static const struct {
        const char *text;
        size_t size;
        const char *want;
    } rows[] = {
        {"", 0, "\"\""},
        {"plain", 5, "\"plain\""},
        {"a\"b\\c/d", 7, "\"a\\\"b\\\\c/d\""},
        {"\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\""},
        {"\x01\x1F\x7F", 3, "\"\\u0001\\u001f\x7F\""},
        {"a\0b", 3, "\"a\\u0000b\""},
        {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x99\x82", 9, "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x99\x82\""},
        {"x\xFFy", 3, "\"x\xEF\xBF\xBDy\""},
        {"x\xC3", 2, "\"x\xEF\xBF\xBD\""},
        {"\xED\xA0\x80", 3, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].want;
        test_out out;
        begin(&out, 0);
        ploy_json_write_text_bytes(&out.json, rows[i].text, rows[i].size);
        CHECK_OK(ploy_json_writer_finish(&out.json));
        CHECK_TEXT(ploy_buffer_text(&out.buffer), rows[i].want);
        CHECK(ploy_utf8_check(out.buffer.bytes, out.buffer.size, NULL));
        ploy_buffer_fini(&out.buffer);
    }
    test_out out;
    begin(&out, 0);
    ploy_json_write_begin_object(&out.json);
    ploy_json_write_key(&out.json, NULL);
    ploy_json_write_text(&out.json, NULL);
    ploy_json_write_key_bytes(&out.json, "k\0", 2);
    ploy_json_write_raw(&out.json, "1");
    ploy_json_write_end_object(&out.json);
    CHECK_OK(ploy_json_writer_finish(&out.json));
    CHECK_TEXT(ploy_buffer_text(&out.buffer), "{\"\":\"\",\"k\\u0000\":1}");
    ploy_buffer_fini(&out.buffer);
}

TEST(values_of_every_type_have_a_form) {
    ploy_name name = {255};
    const struct {
        ploy_value value;
        const char *want;
    } rows[] = {
        {ploy_value_none(), "null"},
        {ploy_value_bool(false), "false"},
        {ploy_value_i64(-5), "-5"},
        {ploy_value_u64(5), "5"},
        {ploy_value_f32(0.1f), "0.1"},
        {ploy_value_f64(0.1), "0.1"},
        {ploy_value_vec2(1, NAN), "[1,\"nan\"]"},
        {ploy_value_vec3(1, 2, 3), "[1,2,3]"},
        {ploy_value_vec4(1, 2, 3, 4), "[1,2,3,4]"},
        {ploy_value_id(ploy_id_make(3, 4)), "\"3:4\""},
        {ploy_value_id(ploy_id_none()), "null"},
        {ploy_value_name(name), "\"#00000000000000ff\""},
        {ploy_value_text("x\n"), "\"x\\n\""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].want;
        test_out out;
        begin(&out, 0);
        ploy_json_write_value(&out.json, &rows[i].value);
        CHECK_OK(ploy_json_writer_finish(&out.json));
        CHECK_TEXT(ploy_buffer_text(&out.buffer), rows[i].want);
        ploy_buffer_fini(&out.buffer);
    }
    test_out out;
    begin(&out, 0);
    ploy_json_write_value(&out.json, NULL);
    CHECK_OK(ploy_json_writer_finish(&out.json));
    CHECK_TEXT(ploy_buffer_text(&out.buffer), "null");
    ploy_buffer_fini(&out.buffer);
}

// Each letter is a call: { } [ ] ( for a row, k a key, v a value.
static void play(ploy_json_writer *json, const char *calls) {
    for (; *calls != '\0'; calls++) {
        switch (*calls) {
        case '{': ploy_json_write_begin_object(json); break;
        case '}': ploy_json_write_end_object(json); break;
        case '[': ploy_json_write_begin_array(json); break;
        case '(': ploy_json_write_begin_row(json); break;
        case ']': ploy_json_write_end_array(json); break;
        case 'k': ploy_json_write_key(json, "k"); break;
        default: ploy_json_write_i64(json, 1); break;
        }
    }
}

TEST(calls_that_do_not_match_are_refused_and_nothing_more_is_written) {
    static const struct {
        const char *calls;
        ploy_result want;
        const char *written;
    } rows[] = {
        {"v", PLOY_OK, "1"},
        {"{kv}", PLOY_OK, "{\"k\":1}"},
        {"[v[]]", PLOY_OK, "[1,[]]"},
        {"(v(v]v]", PLOY_OK, "[1,[1],1]"},
        {"", PLOY_ERR_STATE, ""},
        {"vv", PLOY_ERR_STATE, "1"},
        {"[]v", PLOY_ERR_STATE, "[]"},
        {"[]{}", PLOY_ERR_STATE, "[]"},
        {"{v}", PLOY_ERR_STATE, "{"},
        {"{k}", PLOY_ERR_STATE, "{\"k\":"},
        {"{kk", PLOY_ERR_STATE, "{\"k\":"},
        {"{kvv}", PLOY_ERR_STATE, "{\"k\":1"},
        {"{k{v", PLOY_ERR_STATE, "{\"k\":{"},
        {"[k", PLOY_ERR_STATE, "["},
        {"k", PLOY_ERR_STATE, ""},
        {"[}", PLOY_ERR_STATE, "["},
        {"{]", PLOY_ERR_STATE, "{"},
        {"]", PLOY_ERR_STATE, ""},
        {"[]]", PLOY_ERR_STATE, "[]"},
        {"[", PLOY_ERR_STATE, "["},
        {"[]]v", PLOY_ERR_STATE, "[]"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].calls;
        test_out out;
        begin(&out, 0);
        play(&out.json, rows[i].calls);
        CHECK_INT(ploy_json_writer_finish(&out.json), rows[i].want);
        CHECK_TEXT(ploy_buffer_text(&out.buffer), rows[i].written);
        ploy_buffer_fini(&out.buffer);
    }
}

TEST(nesting_ends_at_the_stated_depth) {
    for (int over = 0; over < 2; over++) {
        test_out out;
        begin(&out, 0);
        int depth = PLOY_JSON_WRITER_DEPTH + over;
        for (int i = 0; i < depth; i++) {
            if (i % 3 == 1) {
                ploy_json_write_begin_object(&out.json);
                ploy_json_write_key(&out.json, "k");
            } else {
                ploy_json_write_begin_array(&out.json);
            }
        }
        ploy_json_write_i64(&out.json, 1);
        for (int i = depth - 1; i >= 0; i--) {
            if (i % 3 == 1)
                ploy_json_write_end_object(&out.json);
            else
                ploy_json_write_end_array(&out.json);
        }
        CHECK_INT(ploy_json_writer_finish(&out.json), over ? PLOY_ERR_LIMIT : PLOY_OK);
        ploy_buffer_fini(&out.buffer);
    }
}

static ploy_result refuse(void *user, const void *bytes, size_t size) {
    (void)user;
    (void)bytes;
    (void)size;
    return PLOY_ERR_SYSTEM;
}

TEST(the_failure_of_the_writer_below_comes_out_at_the_end) {
    ploy_writer writer = ploy_writer_make(refuse, NULL);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 2);
    write_sample(&json);
    CHECK_INT(ploy_json_writer_finish(&json), PLOY_ERR_SYSTEM);
}

TEST(the_indentation_is_held_within_its_range) {
    test_out out;
    begin(&out, 1000);
    ploy_json_write_begin_array(&out.json);
    ploy_json_write_i64(&out.json, 1);
    ploy_json_write_end_array(&out.json);
    CHECK_OK(ploy_json_writer_finish(&out.json));
    CHECK_TEXT(ploy_buffer_text(&out.buffer), "[\n        1\n]\n");
    ploy_buffer_fini(&out.buffer);
    begin(&out, -1);
    ploy_json_write_begin_array(&out.json);
    ploy_json_write_i64(&out.json, 1);
    ploy_json_write_end_array(&out.json);
    CHECK_OK(ploy_json_writer_finish(&out.json));
    CHECK_TEXT(ploy_buffer_text(&out.buffer), "[1]");
    ploy_buffer_fini(&out.buffer);
}
