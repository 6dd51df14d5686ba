// Documents: looking values up, numbers, positions.
#include "ploy/base/json.h"
#include "ploy/base/rng.h"
#include "tests/test.h"

#include <stdlib.h>

static ploy_json *load(test_context *t, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(text, strlen(text), "file.json", NULL, &env, NULL, &doc));
    return doc;
}

TEST(values_are_found_by_key_and_index_in_their_order) {
    ploy_json *doc =
        load(t, "{\"b\": [10, 20, [30]], \"a\": {\"x\": \"y\"}, \"\": null, \"t\": true}");
    ploy_json_node root = ploy_json_root(doc);
    CHECK_INT(ploy_json_type_of(doc, root), PLOY_JSON_OBJECT);
    CHECK_INT(ploy_json_count(doc, root), 4);
    CHECK_TEXT(ploy_json_key(doc, ploy_json_at(doc, root, 0), NULL), "b");
    CHECK_TEXT(ploy_json_key(doc, ploy_json_at(doc, root, 1), NULL), "a");
    CHECK_TEXT(ploy_json_key(doc, ploy_json_at(doc, root, 2), NULL), "");
    ploy_json_node b = ploy_json_member(doc, root, "b");
    CHECK_INT(ploy_json_type_of(doc, b), PLOY_JSON_ARRAY);
    CHECK_INT(ploy_json_count(doc, b), 3);
    CHECK_TEXT(ploy_json_text(doc, ploy_json_at(doc, b, 1), NULL), "20");
    ploy_json_node thirty = ploy_json_at(doc, ploy_json_at(doc, b, 2), 0);
    CHECK_TEXT(ploy_json_text(doc, thirty, NULL), "30");
    CHECK_TEXT(
        ploy_json_text(doc, ploy_json_member(doc, ploy_json_member(doc, root, "a"), "x"), NULL),
        "y");
    CHECK_INT(ploy_json_type_of(doc, ploy_json_member(doc, root, "")), PLOY_JSON_NULL);
    CHECK_INT(ploy_json_parent(doc, ploy_json_parent(doc, thirty)).index, b.index);
    CHECK(ploy_json_is_none(ploy_json_parent(doc, root)));
    CHECK_TEXT(ploy_json_key(doc, thirty, NULL), "");
    CHECK_TEXT(ploy_json_name(doc), "file.json");
    ploy_json_destroy(doc);
}

TEST(asking_of_none_gives_none) {
    ploy_json *doc = load(t, "{\"a\": 1}");
    ploy_json_node foreign = {1000000};
    const ploy_json *docs[] = {doc, doc, NULL, NULL};
    ploy_json_node nodes[] = {ploy_json_none(), foreign, ploy_json_root(doc), ploy_json_none()};
    for (size_t i = 0; i < COUNT_OF(docs); i++) {
        TEST_SEED(i);
        const ploy_json *d = docs[i];
        ploy_json_node node = nodes[i];
        size_t size = 77;
        double f64 = 77.0;
        int64_t i64 = 77;
        bool flag = true;
        CHECK_INT(ploy_json_type_of(d, node), PLOY_JSON_NONE);
        CHECK_INT(ploy_json_count(d, node), 0);
        CHECK(ploy_json_is_none(ploy_json_at(d, node, 0)));
        CHECK(ploy_json_is_none(ploy_json_member(d, node, "a")));
        CHECK(ploy_json_is_none(ploy_json_parent(d, node)));
        CHECK_TEXT(ploy_json_key(d, node, &size), "");
        CHECK_UINT(size, 0);
        CHECK_TEXT(ploy_json_text(d, node, NULL), "");
        CHECK_INT(ploy_json_f64(d, node, &f64), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_json_i64(d, node, &i64), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_json_bool(d, node, &flag), PLOY_ERR_ARGUMENT);
        CHECK(f64 == 77.0 && i64 == 77 && flag);
        CHECK_INT(ploy_json_position_of(d, node).line, 0);
        CHECK_INT(ploy_json_key_position(d, node).line, 0);
        CHECK_INT(ploy_json_check_keys(d, node, NULL, 0, NULL), 0);
    }
    CHECK(ploy_json_is_none(ploy_json_root(NULL)));
    CHECK_TEXT(ploy_json_name(NULL), "");
    CHECK(ploy_json_is_none(ploy_json_member(doc, ploy_json_root(doc), NULL)));
    CHECK(ploy_json_is_none(ploy_json_at(doc, ploy_json_root(doc), -1)));
    CHECK(ploy_json_is_none(ploy_json_at(doc, ploy_json_root(doc), 1)));
    ploy_json_memory(NULL, NULL, NULL);
    ploy_json_destroy(doc);
    ploy_json_destroy(NULL);
}

TEST(every_member_of_a_large_object_is_found) {
    for (uint64_t seed = 1; seed <= 30; seed++) {
        TEST_SEED(seed);
        ploy_env env = ploy_env_default();
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        ploy_rng rng = ploy_rng_make(seed);
        int32_t count = (int32_t)ploy_rng_below(&rng, 300);
        uint64_t keys[300];
        ploy_json_write_begin_object(&json);
        for (int32_t i = 0; i < count; i++) {
            char key[32];
            keys[i] = ploy_rng_u64(&rng) >> (4 * ploy_rng_below(&rng, 12)) << 9 | (uint64_t)i;
            snprintf(key, sizeof key, "%llx", (unsigned long long)keys[i]);
            ploy_json_write_key(&json, key);
            ploy_json_write_i64(&json, i);
        }
        ploy_json_write_end_object(&json);
        CHECK_OK(ploy_json_writer_finish(&json));
        ploy_json *doc = NULL;
        CHECK_OK(ploy_json_load(buffer.bytes, buffer.size, "f", NULL, &env, NULL, &doc));
        ploy_json_node root = ploy_json_root(doc);
        CHECK_INT(ploy_json_count(doc, root), count);
        for (int32_t i = 0; i < count; i++) {
            char key[32];
            snprintf(key, sizeof key, "%llx", (unsigned long long)keys[i]);
            int64_t value = -1;
            CHECK_OK(ploy_json_i64(doc, ploy_json_member(doc, root, key), &value));
            CHECK_INT(value, i);
            CHECK_TEXT(ploy_json_key(doc, ploy_json_at(doc, root, i), NULL), key);
            snprintf(key, sizeof key, "%llxx", (unsigned long long)keys[i]);
            CHECK(ploy_json_is_none(ploy_json_member(doc, root, key)));
        }
        ploy_json_destroy(doc);
        ploy_buffer_fini(&buffer);
    }
}

TEST(zeros_inside_texts_and_keys_survive) {
    ploy_json *doc = load(t, "{\"a\\u0000b\": \"x\\u0000y\", \"a\": 1}");
    ploy_json_node root = ploy_json_root(doc);
    ploy_json_node node = ploy_json_member_bytes(doc, root, "a\0b", 3);
    size_t size = 0;
    CHECK_BYTES(ploy_json_text(doc, node, &size), "x\0y", 4);
    CHECK_UINT(size, 3);
    CHECK_BYTES(ploy_json_key(doc, node, &size), "a\0b", 4);
    CHECK_UINT(size, 3);
    CHECK_TEXT(ploy_json_text(doc, ploy_json_member(doc, root, "a"), NULL), "1");
    ploy_json_destroy(doc);
}

TEST(positions_are_those_of_the_text) {
    const char *text = "{\r\n  \"a\": [1,\n\t\"\xC3\xA9\", {}],\n\"b\"\n:\n  null }";
    ploy_json *doc = load(t, text);
    ploy_json_node root = ploy_json_root(doc);
    ploy_json_node a = ploy_json_member(doc, root, "a");
    ploy_json_node b = ploy_json_member(doc, root, "b");
    const struct {
        const char *row;
        ploy_json_position got;
        size_t offset;
        int32_t line, column;
    } rows[] = {
        {"root", ploy_json_position_of(doc, root), 0, 1, 1},
        {"key a", ploy_json_key_position(doc, a), 5, 2, 3},
        {"a", ploy_json_position_of(doc, a), 10, 2, 8},
        {"1", ploy_json_position_of(doc, ploy_json_at(doc, a, 0)), 11, 2, 9},
        {"text", ploy_json_position_of(doc, ploy_json_at(doc, a, 1)), 15, 3, 2},
        {"object", ploy_json_position_of(doc, ploy_json_at(doc, a, 2)), 21, 3, 8},
        {"key b", ploy_json_key_position(doc, b), 26, 4, 1},
        {"b", ploy_json_position_of(doc, b), 34, 6, 3},
        {"items have no key", ploy_json_key_position(doc, ploy_json_at(doc, a, 0)), 0, 0, 0},
        {"the root has no key", ploy_json_key_position(doc, root), 0, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_UINT(rows[i].got.offset, rows[i].offset);
        CHECK_INT(rows[i].got.line, rows[i].line);
        CHECK_INT(rows[i].got.column, rows[i].column);
    }
    CHECK(memcmp(text + rows[7].offset, "null", 4) == 0);
    ploy_json_destroy(doc);
}

TEST(whole_numbers_are_exact_or_do_not_fit) {
    enum { NOT_WHOLE = PLOY_ERR_ARGUMENT, NO_FIT = PLOY_ERR_LIMIT };
    static const struct {
        const char *text;
        int64_t i64;
        int i64_result;
        uint64_t u64;
        int u64_result;
    } rows[] = {
        {"0", 0, PLOY_OK, 0, PLOY_OK},
        {"-0", 0, PLOY_OK, 0, PLOY_OK},
        {"0.000", 0, PLOY_OK, 0, PLOY_OK},
        {"0e999999999999999999999", 0, PLOY_OK, 0, PLOY_OK},
        {"7", 7, PLOY_OK, 7, PLOY_OK},
        {"-7", -7, PLOY_OK, 0, NO_FIT},
        {"7.0", 7, PLOY_OK, 7, PLOY_OK},
        {"7.5", 0, NOT_WHOLE, 0, NOT_WHOLE},
        {"75e-1", 0, NOT_WHOLE, 0, NOT_WHOLE},
        {"70e-1", 7, PLOY_OK, 7, PLOY_OK},
        {"0.07e2", 7, PLOY_OK, 7, PLOY_OK},
        {"0.07E+3", 70, PLOY_OK, 70, PLOY_OK},
        {"1e3", 1000, PLOY_OK, 1000, PLOY_OK},
        {"12.34e2", 1234, PLOY_OK, 1234, PLOY_OK},
        {"12.345e2", 0, NOT_WHOLE, 0, NOT_WHOLE},
        {"9223372036854775807", INT64_MAX, PLOY_OK, INT64_MAX, PLOY_OK},
        {"9223372036854775808", 0, NO_FIT, (uint64_t)INT64_MAX + 1, PLOY_OK},
        {"-9223372036854775808", INT64_MIN, PLOY_OK, 0, NO_FIT},
        {"-9223372036854775809", 0, NO_FIT, 0, NO_FIT},
        {"18446744073709551615", 0, NO_FIT, UINT64_MAX, PLOY_OK},
        {"18446744073709551616", 0, NO_FIT, 0, NO_FIT},
        {"1844674407370955161.5e1", 0, NO_FIT, UINT64_MAX, PLOY_OK},
        {"99999999999999999999", 0, NO_FIT, 0, NO_FIT},
        {"10000000000000000000", 0, NO_FIT, 10000000000000000000u, PLOY_OK},
        {"1e18", 1000000000000000000, PLOY_OK, 1000000000000000000, PLOY_OK},
        {"1e19", 0, NO_FIT, 10000000000000000000u, PLOY_OK},
        {"1e20", 0, NO_FIT, 0, NO_FIT},
        {"1e99999999999999999999", 0, NO_FIT, 0, NO_FIT},
        {"1e-99999999999999999999", 0, NOT_WHOLE, 0, NOT_WHOLE},
        {"9007199254740993", 9007199254740993, PLOY_OK, 9007199254740993u, PLOY_OK},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_json *doc = load(t, rows[i].text);
        int64_t i64 = 77;
        uint64_t u64 = 77;
        CHECK_INT(ploy_json_i64(doc, ploy_json_root(doc), &i64), rows[i].i64_result);
        CHECK_INT(i64, rows[i].i64_result == PLOY_OK ? rows[i].i64 : 77);
        CHECK_INT(ploy_json_u64(doc, ploy_json_root(doc), &u64), rows[i].u64_result);
        CHECK_UINT(u64, rows[i].u64_result == PLOY_OK ? rows[i].u64 : 77);
        ploy_json_destroy(doc);
    }
}

TEST(very_long_numbers_are_read_exactly) {
    // 1000...0005 with a point far inside, and an exponent that brings it back.
    char text[3000];
    memset(text, '0', sizeof text);
    text[0] = '1';
    text[1] = '.';
    snprintf(text + 2000, 32, "e3");
    ploy_json *doc = load(t, text);
    int64_t i64 = 0;
    CHECK_OK(ploy_json_i64(doc, ploy_json_root(doc), &i64));
    CHECK_INT(i64, 1000);
    ploy_json_destroy(doc);
    text[1999] = '1'; // a digit two thousand places behind the point
    doc = load(t, text);
    double f64 = 0.0;
    CHECK_INT(ploy_json_i64(doc, ploy_json_root(doc), &i64), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_json_f64(doc, ploy_json_root(doc), &f64));
    CHECK_SAME(f64, 1000.0);
    ploy_json_destroy(doc);
}

TEST(real_numbers_round_to_the_nearest_or_do_not_fit) {
    ploy_json *doc = load(t, "[0.1, -0, 1e999, 1e39, 1e-999, 16777217, \"nan\", \"inf\", \"-inf\","
                             " \"1\", \"NaN\", true, null, 1.7976931348623157e308]");
    ploy_json_node root = ploy_json_root(doc);
    double f64 = 0.0;
    float f32 = 0.0f;
    CHECK_OK(ploy_json_f64(doc, ploy_json_at(doc, root, 0), &f64));
    CHECK_SAME(f64, 0.1);
    CHECK_OK(ploy_json_f32(doc, ploy_json_at(doc, root, 0), &f32));
    CHECK_SAME(f32, 0.1f);
    CHECK_OK(ploy_json_f64(doc, ploy_json_at(doc, root, 1), &f64));
    CHECK(f64 == 0.0 && signbit(f64));
    CHECK_INT(ploy_json_f64(doc, ploy_json_at(doc, root, 2), &f64), PLOY_ERR_LIMIT);
    CHECK_INT(ploy_json_f32(doc, ploy_json_at(doc, root, 3), &f32), PLOY_ERR_LIMIT);
    CHECK_OK(ploy_json_f64(doc, ploy_json_at(doc, root, 4), &f64));
    CHECK_SAME(f64, 0.0);
    CHECK_OK(ploy_json_f32(doc, ploy_json_at(doc, root, 5), &f32));
    CHECK_SAME(f32, 16777216.0f);
    CHECK_OK(ploy_json_f64(doc, ploy_json_at(doc, root, 6), &f64));
    CHECK(isnan(f64));
    CHECK_OK(ploy_json_f32(doc, ploy_json_at(doc, root, 7), &f32));
    CHECK_SAME(f32, INFINITY);
    CHECK_OK(ploy_json_f64(doc, ploy_json_at(doc, root, 8), &f64));
    CHECK_SAME(f64, -INFINITY);
    for (int32_t i = 9; i <= 12; i++) {
        CHECK_INT(ploy_json_f64(doc, ploy_json_at(doc, root, i), &f64), PLOY_ERR_ARGUMENT);
    }
    CHECK_OK(ploy_json_f64(doc, ploy_json_at(doc, root, 13), &f64));
    CHECK_SAME(f64, DBL_MAX);
    bool flag = false;
    CHECK_OK(ploy_json_bool(doc, ploy_json_at(doc, root, 11), &flag));
    CHECK(flag);
    CHECK_INT(ploy_json_bool(doc, ploy_json_at(doc, root, 0), &flag), PLOY_ERR_ARGUMENT);
    ploy_json_destroy(doc);
}

TEST(faults_of_meaning_are_said_at_their_place) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    ploy_json *doc = load(t, "{\"speed\": 5,\n \"sped\": 6, \"colour\": 7}");
    static const char *const keys[] = {"speed", "colors"};
    char text[256];
    ploy_json_fault(doc, ploy_json_member(doc, ploy_json_root(doc), "sped"), diags, "too slow",
                    "more", NULL);
    ploy_json_fault(doc, ploy_json_none(), diags, "incomplete", NULL, NULL);
    CHECK_INT(ploy_json_check_keys(doc, ploy_json_root(doc), keys, 2, diags), 2);
    static const char *const want[] = {
        "file.json:2:10: error: too slow; expected more",
        "file.json: error: incomplete",
        "file.json:2:2: error: unknown key 'sped' (did you mean 'speed'?)",
        "file.json:2:13: error: unknown key 'colour' (did you mean 'colors'?)",
    };
    CHECK_INT(ploy_diags_count(diags), COUNT_OF(want));
    for (int32_t i = 0; i < (int32_t)COUNT_OF(want); i++) {
        ploy_diag_print(ploy_diags_get(diags, i), text, sizeof text);
        CHECK_TEXT(text, want[i]);
    }
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
}

TEST(any_part_of_a_document_can_be_written) {
    ploy_env env = ploy_env_default();
    ploy_json *doc = load(t, "{\"a\":[1,{\"b\":[[],{}],\"c\":\"\\n\"},3],\"d\":4}");
    ploy_json_node root = ploy_json_root(doc);
    ploy_json_node a = ploy_json_member(doc, root, "a");
    const struct {
        ploy_json_node node;
        const char *want;
    } rows[] = {
        {root, "{\"a\":[1,{\"b\":[[],{}],\"c\":\"\\n\"},3],\"d\":4}"},
        {a, "[1,{\"b\":[[],{}],\"c\":\"\\n\"},3]"},
        {ploy_json_at(doc, a, 1), "{\"b\":[[],{}],\"c\":\"\\n\"}"},
        {ploy_json_member(doc, ploy_json_at(doc, a, 1), "b"), "[[],{}]"},
        {ploy_json_member(doc, ploy_json_at(doc, a, 1), "c"), "\"\\n\""},
        {ploy_json_at(doc, a, 0), "1"},
        {ploy_json_member(doc, root, "d"), "4"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].want;
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        ploy_json_write(doc, rows[i].node, &json);
        CHECK_OK(ploy_json_writer_finish(&json));
        CHECK_TEXT(ploy_buffer_text(&buffer), rows[i].want);
        ploy_buffer_fini(&buffer);
    }
    ploy_json_destroy(doc);
}

static void add_memory(void *user, const ploy_memory_item *item) {
    *(size_t *)user += item->bytes;
}

TEST(the_memory_report_tells_all_of_it) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load("[1,2,3]", 7, "f", NULL, &env, NULL, &doc));
    size_t bytes = 0;
    ploy_json_memory(doc, add_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ploy_json_destroy(doc);
}

TEST(types_have_names) {
    static const char *const names[] = {"none", "null",  "bool",  "number",
                                        "text", "array", "object"};
    for (int i = 0; i < (int)COUNT_OF(names); i++) {
        CHECK_TEXT(ploy_json_type_text((ploy_json_type)i), names[i]);
    }
    CHECK_TEXT(ploy_json_type_text((ploy_json_type)99), "?");
}
