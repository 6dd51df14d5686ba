// The reading of JSON: what is a document and what is not, and where the fault is said to be.
#include "ploy/base/json.h"
#include "ploy/base/rng.h"
#include "tests/test.h"

#include <stdlib.h>

static ploy_diags *make_diags(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(16, &env, &diags));
    return diags;
}

// Loads and writes out again on one line; what went wrong if it does not load.
static const char *round_trip(test_context *t, const char *text, size_t size, bool relaxed) {
    static char out[4096];
    ploy_env env = ploy_env_default();
    ploy_diags *diags = make_diags(t);
    ploy_json_def def = ploy_json_def_default();
    def.relaxed = relaxed;
    // A copy of exactly that size, so that the sanitizer sees a byte read too many.
    char *copy = malloc(size > 0 ? size : 1);
    CHECK(copy != NULL);
    memcpy(copy, text, size);
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(copy, size, "f", &def, &env, diags, &doc);
    free(copy);
    if (result == PLOY_OK) {
        CHECK_INT(ploy_diags_count(diags), 0);
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        ploy_json_write(doc, ploy_json_root(doc), &json);
        CHECK_OK(ploy_json_writer_finish(&json));
        snprintf(out, sizeof out, "%s", ploy_buffer_text(&buffer));
        ploy_buffer_fini(&buffer);
    } else {
        CHECK(doc == NULL);
        CHECK(ploy_diags_count(diags) > 0);
        CHECK_INT(ploy_diags_get(diags, 0)->code, result);
        ploy_diag_print(ploy_diags_get(diags, 0), out, sizeof out);
    }
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
    return out;
}

TEST(whatever_the_standard_allows_is_read) {
    static const struct {
        const char *text, *want; // written again; NULL for the same
    } rows[] = {
        {"null", NULL},
        {"true", NULL},
        {"false", NULL},
        {"0", NULL},
        {"-0", NULL},
        {"42", NULL},
        {"-1.5e+10", NULL},
        {"1E5", NULL},
        {"0.0000000001", NULL},
        {"123456789012345678901234567890", NULL},
        {"1e999", NULL}, // a fault only for who wants a double
        {"\"\"", NULL},
        {"\"a\"", NULL},
        {"[]", NULL},
        {"{}", NULL},
        {"[[]]", NULL},
        {"[{}]", NULL},
        {"{\"\":0}", NULL},
        {"{\"a\":{\"b\":[1,2,{\"c\":null}]},\"d\":\"e\"}", NULL},
        {" \t\r\n[ 1 ,\n2 ]\n ", "[1,2]"},
        {"{ \"a\" : 1 , \"b\" : [ ] }", "{\"a\":1,\"b\":[]}"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\""},
        {"\"\\u0041\\u00e9\\u20AC\"", "\"A\xC3\xA9\xE2\x82\xAC\""},
        {"\"\\uD83D\\uDE42\"", "\"\xF0\x9F\x99\x82\""},
        {"\"\\uD800\\uDC00\\uDBFF\\uDFFF\"", "\"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\""},
        {"\"\\u0000\"", "\"\\u0000\""},
        {"\"\\u001f\x7F\"", "\"\\u001f\x7F\""},
        {"\"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x99\x82\"", NULL},
        {"\"\xEF\xBF\xBF\"", NULL},  // U+FFFF is a character like others here
        {"{\"b\":1,\"a\":2}", NULL}, // in their order
        {"[1,[2,[3,[4,[5]]]],{\"x\":[{}]}]", NULL},
        {"[true,false,null,\"true\"]", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        const char *want = rows[i].want != NULL ? rows[i].want : rows[i].text;
        CHECK_TEXT(round_trip(t, rows[i].text, strlen(rows[i].text), false), want);
        CHECK_TEXT(round_trip(t, rows[i].text, strlen(rows[i].text), true), want);
    }
}

TEST(whatever_the_standard_forbids_is_refused_with_its_place) {
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", "f:1:1: error: unexpected end of text; expected a value"},
        {"  \n ", "f:2:2: error: unexpected end of text; expected a value"},
        {"[", "f:1:2: error: unexpected end of text; expected a value"},
        {"[1", "f:1:3: error: unexpected end of text; expected ',' or ']'"},
        {"[1,", "f:1:4: error: unexpected end of text; expected a value"},
        {"[1,]", "f:1:4: error: unexpected ',' before the closing bracket"},
        {"[,1]", "f:1:2: error: unexpected ','; expected a value"},
        {"[1,,2]", "f:1:4: error: unexpected ','; expected a value"},
        {"[1 2]", "f:1:4: error: unexpected '2'; expected ',' or ']'"},
        {"[1}", "f:1:3: error: unexpected '}'; expected ',' or ']'"},
        {"]", "f:1:1: error: unexpected ']'; expected a value"},
        {"{", "f:1:2: error: unexpected end of text; expected a key in double quotes"},
        {"{1:2}", "f:1:2: error: unexpected '1'; expected a key in double quotes"},
        {"{a:2}", "f:1:2: error: unexpected 'a'; expected a key in double quotes"},
        {"{'a':2}", "f:1:2: error: unexpected '''; expected a key in double quotes"},
        {"{\"a\"}", "f:1:5: error: unexpected '}'; expected ':' after the key"},
        {"{\"a\" 1}", "f:1:6: error: unexpected '1'; expected ':' after the key"},
        {"{\"a\":}", "f:1:6: error: unexpected '}'; expected a value"},
        {"{\"a\":1", "f:1:7: error: unexpected end of text; expected ',' or '}'"},
        {"{\"a\":1,}", "f:1:8: error: unexpected ',' before the closing bracket"},
        {"{\"a\":1]", "f:1:7: error: unexpected ']'; expected ',' or '}'"},
        {"{\"a\":1,\n\"b\"\n:\n  2 3}", "f:4:5: error: unexpected '3'; expected ',' or '}'"},
        {"1 2", "f:1:3: error: unexpected '2'; expected nothing after the document"},
        {"{}{}", "f:1:3: error: unexpected '{'; expected nothing after the document"},
        {"[]]", "f:1:3: error: unexpected ']'; expected nothing after the document"},
        {"01", "f:1:1: error: unexpected leading zero"},
        {"-01", "f:1:1: error: unexpected leading zero"},
        {"-", "f:1:2: error: unexpected end of text; expected a digit"},
        {"-a", "f:1:2: error: unexpected 'a'; expected a digit"},
        {"+1", "f:1:1: error: unexpected '+'; expected a value"},
        {".5", "f:1:1: error: unexpected '.'; expected a value"},
        {"5.", "f:1:3: error: unexpected end of text; expected a digit after the point"},
        {"1.e5", "f:1:3: error: unexpected 'e'; expected a digit after the point"},
        {"1e", "f:1:3: error: unexpected end of text; expected a digit in the exponent"},
        {"1e+", "f:1:4: error: unexpected end of text; expected a digit in the exponent"},
        {"0x10", "f:1:2: error: unexpected 'x'; expected nothing after the document"},
        {"1_000", "f:1:2: error: unexpected '_'; expected nothing after the document"},
        {"True", "f:1:1: error: unexpected 'True' (did you mean 'true'?)"},
        {"FALSE", "f:1:1: error: unexpected 'FALSE'; expected a value; strings need double quotes"},
        {"nul", "f:1:1: error: unexpected 'nul' (did you mean 'null'?)"},
        {"nulls", "f:1:1: error: unexpected 'nulls' (did you mean 'null'?)"},
        {"NaN", "f:1:1: error: unexpected 'NaN'; expected a value; strings need double quotes"},
        {"truetrue",
         "f:1:1: error: unexpected 'truetrue'; expected a value; strings need double quotes"},
        {"hello_world9",
         "f:1:1: error: unexpected 'hello_world9'; expected a value; strings need double quotes"},
        {"'a'", "f:1:1: error: unexpected '''; expected a value"},
        {"\"", "f:1:1: error: unclosed string; expected '\"' on the same line"},
        {"\"abc", "f:1:1: error: unclosed string; expected '\"' on the same line"},
        {"\"a\\\"", "f:1:1: error: unclosed string; expected '\"' on the same line"},
        {"[\"a\nb\"]", "f:1:2: error: unclosed string; expected '\"' on the same line"},
        {"\"\t\"", "f:1:2: error: unescaped control character in a string"},
        {"\"a\\x\"", "f:1:3: error: unknown escape; expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or "
                     "\\u"},
        {"\"\\", "f:1:2: error: unknown escape; expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u"},
        {"\"\\u12\"", "f:1:2: error: incomplete escape; expected four hexadecimal digits after "
                      "\\u"},
        {"\"\\u12G4\"", "f:1:2: error: incomplete escape; expected four hexadecimal digits after "
                        "\\u"},
        {"\"\\u+123\"", "f:1:2: error: incomplete escape; expected four hexadecimal digits after "
                        "\\u"},
        {"\"\\uD800\"",
         "f:1:2: error: unpaired surrogate; expected a pair from \\uD800\\uDC00 to \\uDBFF\\uDFFF"},
        {"\"\\uDC00\"",
         "f:1:2: error: unpaired surrogate; expected a pair from \\uD800\\uDC00 to \\uDBFF\\uDFFF"},
        {"\"\\uD800\\uD800\"",
         "f:1:2: error: unpaired surrogate; expected a pair from \\uD800\\uDC00 to \\uDBFF\\uDFFF"},
        {"\"\\uD800x\"",
         "f:1:2: error: unpaired surrogate; expected a pair from \\uD800\\uDC00 to \\uDBFF\\uDFFF"},
        {"\"\xC3\"", "f:1:2: error: invalid UTF-8"},
        {"\"\xC0\xAF\"", "f:1:2: error: invalid UTF-8"},
        {"\"\xED\xA0\x80\"", "f:1:2: error: invalid UTF-8"},
        {"\"\xF4\x90\x80\x80\"", "f:1:2: error: invalid UTF-8"},
        {"\"\xFF\"", "f:1:2: error: invalid UTF-8"},
        {"\xC3\xA9", "f:1:1: error: unexpected '\xC3\xA9'; expected a value"},
        {"\xFF", "f:1:1: error: unexpected byte 255; expected a value"},
        {"\x01", "f:1:1: error: unexpected byte 1; expected a value"},
        {"\xEF\xBB\xBF[]", "f:1:1: error: unexpected byte order mark"},
        {"// x\n1", "f:1:1: error: unexpected comment"},
        {"[1, /* x */ 2]", "f:1:5: error: unexpected comment"},
        {"{\"a\":1,\n \"a\":2}", "f:2:2: error: duplicate key, first in line 1: 'a'"},
        {"{\"a\":1,\"\\u0061\":2}", "f:1:8: error: duplicate key, first in line 1: 'a'"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        CHECK_TEXT(round_trip(t, rows[i].text, strlen(rows[i].text), false), rows[i].want);
    }
    t->row = "a zero byte";
    CHECK_TEXT(round_trip(t, "[\0]", 3, false),
               "f:1:2: error: unexpected byte 0; expected a value");
    CHECK_TEXT(round_trip(t, "\"a\0b\"", 5, false),
               "f:1:3: error: unescaped control character in a string");
}

TEST(hand_written_files_may_have_comments_and_trailing_commas) {
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"\xEF\xBB\xBF[1]", "[1]"},
        {"// first\n[1, // one\n 2 /* two */, /**/ ] // end", "[1,2]"},
        {"{ /* a */ \"a\" /* b */ : /* c */ 1 /* d */ , }", "{\"a\":1}"},
        {"/***/1/*\n*\n/*/", "1"},
        {"[[1,],]", "[[1]]"},
        {"//", "f:1:3: error: unexpected end of text; expected a value"},
        {"[,]", "f:1:2: error: unexpected ','; expected a value"},
        {"[1,,]", "f:1:4: error: unexpected ','; expected a value"},
        {"{,}", "f:1:2: error: unexpected ','; expected a key in double quotes"},
        {"1/", "f:1:3: error: unexpected end of text; expected '/' or '*' to begin a comment"},
        {"1 /x", "f:1:4: error: unexpected 'x'; expected '/' or '*' to begin a comment"},
        {"[1,\n /* \n\n ", "f:2:2: error: unclosed comment; expected '*/'"},
        {"/*/", "f:1:1: error: unclosed comment; expected '*/'"},
        {"[1,\n"
         "/* a\n"
         " b */ x]",
         "f:3:7: error: unexpected 'x'; expected a value; strings need double quotes"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        CHECK_TEXT(round_trip(t, rows[i].text, strlen(rows[i].text), true), rows[i].want);
    }
}

TEST(faults_inside_texts_are_all_reported) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = make_diags(t);
    const char *text = "[\"\\q\xFF\t\",\n\"\\uDEAD\", \"ok\", {\"\\x\": 1}]";
    ploy_json *doc = NULL;
    CHECK_INT(ploy_json_load(text, strlen(text), "f", NULL, &env, diags, &doc), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_diags_count(diags), 5);
    static const int32_t places[][2] = {{1, 3}, {1, 5}, {1, 6}, {2, 2}, {2, 19}};
    for (int32_t i = 0; i < 5; i++) {
        CHECK_INT(ploy_diags_get(diags, i)->line, places[i][0]);
        CHECK_INT(ploy_diags_get(diags, i)->column, places[i][1]);
    }
    ploy_diags_destroy(diags);
}

TEST(every_key_that_stands_twice_is_reported) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = make_diags(t);
    const char *text = "{\"a\":1,\"b\":{\"c\":1,\"d\":2,\"c\":3},\n\"a\":2,\n\"a\":3}";
    ploy_json *doc = NULL;
    CHECK_INT(ploy_json_load(text, strlen(text), "f", NULL, &env, diags, &doc), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_diags_count(diags), 3);
    CHECK_INT(ploy_diags_get(diags, 0)->line, 2);
    CHECK_INT(ploy_diags_get(diags, 1)->line, 3);
    CHECK_INT(ploy_diags_get(diags, 2)->line, 1);
    ploy_diags_destroy(diags);
}

// A document of `depth` arrays inside each other.
static char *nested(int depth, bool objects) {
    char *text = malloc((size_t)depth * 6 + 16);
    size_t length = 0;
    if (text == NULL) return NULL;
    for (int i = 0; i < depth; i++) {
        const char *open = objects && i % 2 == 1 ? "{\"k\":" : "[";
        memcpy(text + length, open, strlen(open));
        length += strlen(open);
    }
    text[length++] = '1';
    for (int i = depth - 1; i >= 0; i--) text[length++] = objects && i % 2 == 1 ? '}' : ']';
    text[length] = '\0';
    return text;
}

TEST(nesting_ends_at_the_stated_depth) {
    ploy_env env = ploy_env_default();
    static const struct {
        int depth;
        int32_t limit;
        ploy_result want;
    } rows[] = {
        {256, 256, PLOY_OK},   {257, 256, PLOY_ERR_LIMIT},
        {1, 1, PLOY_OK},       {2, 1, PLOY_ERR_LIMIT},
        {1024, 1024, PLOY_OK}, {1025, 1024, PLOY_ERR_LIMIT},
        {63, 1024, PLOY_OK},   {64, 1024, PLOY_OK},
        {65, 1024, PLOY_OK},   {100000, 1024, PLOY_ERR_LIMIT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (int objects = 0; objects < 2; objects++) {
            TEST_SEED(rows[i].depth);
            char *text = nested(rows[i].depth, objects != 0);
            CHECK(text != NULL);
            ploy_json_def def = ploy_json_def_default();
            def.max_depth = rows[i].limit;
            ploy_diags *diags = make_diags(t);
            ploy_json *doc = NULL;
            CHECK_INT(ploy_json_load(text, strlen(text), "f", &def, &env, diags, &doc),
                      rows[i].want);
            if (doc != NULL) {
                ploy_json_node node = ploy_json_root(doc);
                int depth = 0;
                for (; ploy_json_count(doc, node) == 1; depth++) node = ploy_json_at(doc, node, 0);
                CHECK_INT(depth, rows[i].depth);
                CHECK_TEXT(ploy_json_text(doc, node, NULL), "1");
            } else {
                CHECK_TEXT(ploy_diags_get(diags, 0)->message, "values are nested too deeply");
            }
            ploy_json_destroy(doc);
            ploy_diags_destroy(diags);
            free(text);
        }
    }
}

TEST(size_and_number_of_values_are_limited) {
    ploy_env env = ploy_env_default();
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    def.max_kib = 1;
    char text[1026];
    memset(text, ' ', sizeof text);
    text[0] = '1';
    CHECK_OK(ploy_json_load(text, 1024, "f", &def, &env, NULL, &doc));
    ploy_json_destroy(doc);
    CHECK_INT(ploy_json_load(text, 1025, "f", &def, &env, NULL, &doc), PLOY_ERR_LIMIT);
    CHECK(doc == NULL);
    def.max_nodes = 3;
    CHECK_OK(ploy_json_load("[1,2]", 5, "f", &def, &env, NULL, &doc));
    ploy_json_destroy(doc);
    CHECK_INT(ploy_json_load("[1,2,3]", 7, "f", &def, &env, NULL, &doc), PLOY_ERR_LIMIT);
    CHECK_INT(ploy_json_load("[1,2,[]]", 8, "f", &def, &env, NULL, &doc), PLOY_ERR_LIMIT);
}

TEST(load_refuses_bad_arguments) {
    ploy_env env = ploy_env_default();
    ploy_json *doc = NULL;
    CHECK_INT(ploy_json_load("1", 1, "f", NULL, &env, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_json_load("1", 1, "f", NULL, NULL, NULL, &doc), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_json_load(NULL, 1, "f", NULL, &env, NULL, &doc), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_json_load(NULL, 0, NULL, NULL, &env, NULL, &doc), PLOY_ERR_FORMAT);
    ploy_json_def def;
    memset(&def, 0, sizeof def);
    CHECK_INT(ploy_json_load("1", 1, "f", &def, &env, NULL, &doc), PLOY_ERR_ARGUMENT);
    def = ploy_json_def_default();
    def.max_depth = 5000;
    CHECK_INT(ploy_json_load("1", 1, "f", &def, &env, NULL, &doc), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_json_fields(), NULL));
}

static ploy_result load_everything(const ploy_env *env, void *arg) {
    (void)arg;
    static const char text[] = "// all\n{\"a\": [1, -2.5e3, true, false, null, \"\\u00e9\"],"
                               " \"b\": {}, \"c\": {\"d\": []}, }";
    ploy_json_def def = ploy_json_def_default();
    def.relaxed = true;
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(text, sizeof text - 1, "name", &def, env, NULL, &doc);
    ploy_json_destroy(doc);
    if (result != PLOY_OK) return result;
    // Faults that are found only after the block was taken free it again.
    result = ploy_json_load("{\"a\":1,\"a\":2}", 13, "name", NULL, env, NULL, &doc);
    return result == PLOY_ERR_FORMAT ? PLOY_OK : result;
}

TEST(loading_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(load_everything, NULL);
}

TEST(a_document_is_one_block) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load("{\"a\":[1,2,3],\"b\":\"text\"}", 24, "f", NULL, &env, NULL, &doc));
    CHECK_INT(counts.blocks, 1);
    CHECK_INT(counts.calls, 1);
    ploy_json_destroy(doc);
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(counts.bytes, 0);
}

// Writes a random document, and remembers nothing: the reader must give it back.
static void random_value(ploy_rng *rng, ploy_json_writer *json, int depth) {
    char key[32];
    int32_t count = 0;
    uint64_t draw = ploy_rng_u64(rng);
    switch (ploy_rng_below(rng, depth < 6 ? 8 : 6)) {
    case 0: ploy_json_write_null(json); break;
    case 1: ploy_json_write_bool(json, (draw & 1) != 0); break;
    case 2: ploy_json_write_i64(json, (int64_t)draw >> (draw & 63)); break;
    case 3: ploy_json_write_u64(json, draw >> (draw & 63)); break;
    case 4: {
        double real = 0.0;
        memcpy(&real, &draw, sizeof real);
        ploy_json_write_f64(json, real);
        break;
    }
    case 5: {
        char text[24];
        size_t size = (size_t)ploy_rng_below(rng, sizeof text);
        // Any bytes: the writer makes UTF-8 of them.
        for (size_t i = 0; i < size; i++) text[i] = (char)ploy_rng_below(rng, 256);
        ploy_json_write_text_bytes(json, text, size);
        break;
    }
    case 6:
        count = (int32_t)ploy_rng_below(rng, 6);
        ploy_json_write_begin_array(json);
        for (int32_t i = 0; i < count; i++) random_value(rng, json, depth + 1);
        ploy_json_write_end_array(json);
        break;
    default:
        count = (int32_t)ploy_rng_below(rng, 14);
        ploy_json_write_begin_object(json);
        for (int32_t i = 0; i < count; i++) {
            snprintf(key, sizeof key, "%c%d", (char)('a' + ploy_rng_below(rng, 26)), (int)i);
            ploy_json_write_key(json, key);
            random_value(rng, json, depth + 1);
        }
        ploy_json_write_end_object(json);
        break;
    }
}

TEST(what_was_written_reads_back_the_same_indented_or_not) {
    ploy_env env = ploy_env_default();
    size_t bytes = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        TEST_SEED(seed);
        ploy_buffer buffers[3];
        for (int i = 0; i < 3; i++) ploy_buffer_init(&buffers[i], 0, &env);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_writer writer = ploy_buffer_writer(&buffers[0]);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        random_value(&rng, &json, 0);
        CHECK_OK(ploy_json_writer_finish(&json));
        // Compact to indented to compact.
        for (int i = 1; i < 3; i++) {
            ploy_json *doc = NULL;
            CHECK_OK(ploy_json_load(buffers[i - 1].bytes, buffers[i - 1].size, "f", NULL, &env,
                                    NULL, &doc));
            writer = ploy_buffer_writer(&buffers[i]);
            ploy_json_writer_init(&json, &writer, i == 1 ? 2 : 0);
            ploy_json_write(doc, ploy_json_root(doc), &json);
            CHECK_OK(ploy_json_writer_finish(&json));
            ploy_json_destroy(doc);
        }
        CHECK_TEXT(ploy_buffer_text(&buffers[2]), ploy_buffer_text(&buffers[0]));
        bytes += buffers[0].size;
        for (int i = 0; i < 3; i++) ploy_buffer_fini(&buffers[i]);
    }
    CHECK(bytes > 20000); // the documents are not all empty
}

TEST(no_cut_and_no_changed_byte_breaks_the_reader) {
    // Bytes cannot be told apart from a test's point of view here: no crash, no leak, no endless
    // loop.
    static const char text[] =
        "{\"a\":[1,-2.5e3,true,false,null,\"\\u00e9\\uD83D\\uDE42\"],\"b\":{\"c\":[[[]]]}}";
    ploy_env env = ploy_env_default();
    int read = 0;
    for (size_t size = 0; size < sizeof text; size++) {
        char *copy = malloc(size + 1);
        CHECK(copy != NULL);
        memcpy(copy, text, size);
        ploy_json *doc = NULL;
        read += ploy_json_load(copy, size, "f", NULL, &env, NULL, &doc) == PLOY_OK;
        ploy_json_destroy(doc);
        free(copy);
    }
    CHECK_INT(read, 1); // the whole text, and no part of it
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        char copy[sizeof text];
        memcpy(copy, text, sizeof text);
        int32_t changes = 1 + (int32_t)ploy_rng_below(&rng, 3);
        for (int32_t i = 0; i < changes; i++) {
            copy[ploy_rng_below(&rng, sizeof text - 1)] = (char)ploy_rng_below(&rng, 256);
        }
        ploy_json_def def = ploy_json_def_default();
        def.relaxed = (seed & 1) != 0;
        ploy_json *doc = NULL;
        ploy_result result = ploy_json_load(copy, sizeof text - 1, "f", &def, &env, NULL, &doc);
        CHECK_INT(result == PLOY_OK, doc != NULL);
        CHECK(result == PLOY_OK || result == PLOY_ERR_FORMAT);
        ploy_json_destroy(doc);
    }
}
