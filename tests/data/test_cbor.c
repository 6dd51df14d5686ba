// CBOR, and learners as compact bytes.
#include "ploy/data/cbor.h"

#include "ploy/data/learner_file.h"
#include "ploy/data/table_file.h"
#include "tests/test.h"

// JSON to CBOR and back.
static void cbor_round(test_context *t, const char *text, ploy_buffer *bytes, ploy_buffer *again) {
    ploy_env env = ploy_env_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(text, strlen(text), "a", NULL, &env, NULL, &doc));
    ploy_buffer_init(bytes, 0, &env);
    ploy_buffer_init(again, 0, &env);
    ploy_writer writer = ploy_buffer_writer(bytes), back = ploy_buffer_writer(again);
    CHECK_OK(ploy_cbor_save(doc, ploy_json_root(doc), &writer));
    CHECK(ploy_cbor_is(bytes->bytes, bytes->size));
    CHECK_OK(ploy_cbor_load(bytes->bytes, bytes->size, "a", NULL, &back));
    ploy_json_destroy(doc);
}

TEST(values_come_back_as_they_were) {
    static const char *const rows[] = {"0",
                                       "23",
                                       "24",
                                       "255",
                                       "256",
                                       "65536",
                                       "4294967296",
                                       "9007199254740991",
                                       "-1",
                                       "-24",
                                       "-25",
                                       "-9007199254740991",
                                       "1.5",
                                       "0.1",
                                       "-1e-300",
                                       "true",
                                       "false",
                                       "null",
                                       "\"\"",
                                       "\"a\\u00e9\"",
                                       "[]",
                                       "{}",
                                       "[1,[2,{\"a\":[null,true]}],\"b\"]",
                                       "{\"key\":{\"inner\":-7.25},\"list\":[0.5,3]}"};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i];
        ploy_buffer bytes, again;
        cbor_round(t, rows[i], &bytes, &again);
        ploy_env env = ploy_env_default();
        ploy_json *doc = NULL;
        CHECK_OK(ploy_json_load(rows[i], strlen(rows[i]), "a", NULL, &env, NULL, &doc));
        ploy_buffer plain;
        ploy_buffer_init(&plain, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&plain);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        ploy_json_write(doc, ploy_json_root(doc), &json);
        CHECK_OK(ploy_json_writer_finish(&json));
        CHECK_TEXT(ploy_buffer_text(&again), ploy_buffer_text(&plain));
        ploy_json_destroy(doc);
        ploy_buffer_fini(&plain);
        ploy_buffer_fini(&bytes);
        ploy_buffer_fini(&again);
    }
}

TEST(bytes_of_the_standard_s_examples_are_read) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *json;
        ploy_result want;
    } rows[] = {
        {"\x18\x64", 2, "100", PLOY_OK},
        {"\x38\x63", 2, "-100", PLOY_OK},
        {"\xf9\x3c\x00", 3, "1", PLOY_OK},
        {"\xf9\xc4\x00", 3, "-4", PLOY_OK},
        {"\xf9\x04\x00", 3, "0.00006103515625", PLOY_OK},
        {"\xfa\x47\xc3\x50\x00", 5, "100000", PLOY_OK},
        {"\x83\x01\x02\x03", 4, "[1,2,3]", PLOY_OK},
        {"\xa1\x61\x61\x01", 4, "{\"a\":1}", PLOY_OK},
        {"\x9f\xff", 2, "", PLOY_ERR_UNSUPPORTED},     // a length that is not fixed
        {"\xa1\x01\x02", 3, "", PLOY_ERR_UNSUPPORTED}, // a number as a key
        {"\x41\x00", 2, "", PLOY_ERR_UNSUPPORTED},     // bytes
        {"\xf7", 1, "", PLOY_ERR_UNSUPPORTED},         // undefined
        {"\x83\x01", 2, "", PLOY_ERR_FORMAT},
        {"\x62\x61", 2, "", PLOY_ERR_FORMAT},
        {"\x19\x01", 2, "", PLOY_ERR_FORMAT},
        {"\x01\x01", 2, "", PLOY_ERR_FORMAT},
        {"", 0, "", PLOY_ERR_FORMAT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_buffer out;
        ploy_buffer_init(&out, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&out);
        CHECK_INT(ploy_cbor_load(rows[i].bytes, rows[i].size, "a", NULL, &writer), rows[i].want);
        if (rows[i].want == PLOY_OK) {
            double got = 0.0, want = 0.0;
            if (rows[i].json[0] == '[' || rows[i].json[0] == '{') {
                CHECK_TEXT(ploy_buffer_text(&out), rows[i].json);
            } else {
                CHECK_INT(sscanf(ploy_buffer_text(&out), "%lf", &got), 1);
                CHECK_INT(sscanf(rows[i].json, "%lf", &want), 1);
                CHECK_SAME(got, want);
            }
        }
        ploy_buffer_fini(&out);
    }
    char deep[300];
    memset(deep, (int)0x81, sizeof deep);
    ploy_buffer out;
    ploy_buffer_init(&out, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&out);
    CHECK_INT(ploy_cbor_load(deep, sizeof deep, "a", NULL, &writer), PLOY_ERR_LIMIT);
    ploy_buffer_fini(&out);
}

TEST(every_learner_is_saved_in_fewer_bytes) {
    static const char text[] = "a,b,c,k\n1,0,1.5,x\n0,1,2.25,y\n1,1,0.1,x\n0,0,3.7,y\n1,0,1.1,x\n";
    ploy_env env = ploy_env_default();
    ploy_examples *table = NULL;
    CHECK_OK(ploy_table_load(text, sizeof text - 1, "a.csv", PLOY_TABLE_CSV, &env, NULL, &table));
    for (int32_t i = 0; ploy_learners_at(i) != NULL; i++) {
        const ploy_learner_type *type = ploy_learners_at(i);
        t->row = type->name;
        if (!ploy_learner_takes(type, ploy_examples_schema(table), &env)) continue;
        ploy_learner learner, again;
        CHECK_OK(ploy_learner_create(type, NULL, ploy_examples_schema(table), &env, &learner));
        CHECK_OK(ploy_learner_train(learner, table));
        ploy_buffer plain, compact;
        ploy_buffer_init(&plain, 0, &env);
        ploy_buffer_init(&compact, 0, &env);
        ploy_writer a = ploy_buffer_writer(&plain), b = ploy_buffer_writer(&compact);
        CHECK_OK(ploy_learner_save(learner, &a));
        CHECK_OK(ploy_learner_save_compact(learner, &env, &b));
        CHECK(compact.size < plain.size * 3 / 4);
        CHECK_OK(ploy_learner_load(compact.bytes, compact.size, "a", &env, NULL, &again));
        CHECK_UINT(ploy_learner_hash(again), ploy_learner_hash(learner));
        ploy_learner_destroy(again);
        CHECK(ploy_learner_load(compact.bytes, compact.size - 1, "a", &env, NULL, &again) ==
              PLOY_ERR_FORMAT);
        ploy_learner_destroy(learner);
        ploy_buffer_fini(&plain);
        ploy_buffer_fini(&compact);
    }
    ploy_examples_destroy(table);
}
