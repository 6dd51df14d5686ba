#include "ploy/base/rng.h"
#include "ploy/base/value.h"
#include "tests/test.h"

static const char *printed(ploy_value value) {
    static char text[256];
    ploy_value_print(&value, text, sizeof text);
    return text;
}

TEST(every_type_has_a_name) {
    static const char *const names[] = {"none", "bool", "i64",  "u64", "f32",  "f64",
                                        "vec2", "vec3", "vec4", "id",  "name", "text"};
    for (int i = 0; i < (int)COUNT_OF(names); i++) {
        CHECK_TEXT(ploy_value_type_text((ploy_value_type)i), names[i]);
    }
    CHECK_TEXT(ploy_value_type_text((ploy_value_type)99), "?");
}

TEST(values_print_short_and_exact) {
    CHECK_TEXT(printed(ploy_value_none()), "none");
    CHECK_TEXT(printed(ploy_value_bool(true)), "true");
    CHECK_TEXT(printed(ploy_value_bool(false)), "false");
    CHECK_TEXT(printed(ploy_value_i64(INT64_MIN)), "-9223372036854775808");
    CHECK_TEXT(printed(ploy_value_u64(UINT64_MAX)), "18446744073709551615");
    CHECK_TEXT(printed(ploy_value_f32(0.1f)), "0.1");
    CHECK_TEXT(printed(ploy_value_f64(0.1)), "0.1");
    CHECK_TEXT(printed(ploy_value_f64(-0.0)), "-0");
    CHECK_TEXT(printed(ploy_value_f32(NAN)), "nan");
    CHECK_TEXT(printed(ploy_value_vec2(1.0f, 2.5f)), "(1, 2.5)");
    CHECK_TEXT(printed(ploy_value_vec3(1.0f, 2.0f, -INFINITY)), "(1, 2, -inf)");
    CHECK_TEXT(printed(ploy_value_vec4(1.0f, 0.0f, 0.0f, 0.5f)), "(1, 0, 0, 0.5)");
    CHECK_TEXT(printed(ploy_value_id(ploy_id_make(3, 1))), "3:1");
    CHECK_TEXT(printed(ploy_value_id(ploy_id_none())), "none");
    ploy_name name = {0x0123456789abcdefu};
    CHECK_TEXT(printed(ploy_value_name(name)), "#0123456789abcdef");
    CHECK_TEXT(printed(ploy_value_text("hello")), "hello");
    CHECK_TEXT(printed(ploy_value_text(NULL)), "");
    char text[4];
    ploy_value value = ploy_value_text("hello");
    CHECK_UINT(ploy_value_print(&value, text, sizeof text), 5);
    CHECK_TEXT(text, "hel");
    CHECK_UINT(ploy_value_print(NULL, text, sizeof text), 0);
    CHECK_TEXT(text, "");
}

TEST(what_is_printed_reads_back_to_the_same_bits) {
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        uint64_t bits[2] = {ploy_rng_u64(&rng), ploy_rng_u64(&rng)};
        float vec[4];
        double f64;
        memcpy(vec, bits, sizeof vec);
        memcpy(&f64, bits, sizeof f64);
        for (int i = 0; i < 4; i++) {
            if (vec[i] != vec[i]) vec[i] = NAN; // the payload of a NaN has no text
        }
        if (f64 != f64) f64 = (double)NAN;
        ploy_name name = {bits[0]};
        ploy_value values[] = {
            ploy_value_bool((bits[0] & 1) != 0),
            ploy_value_i64((int64_t)bits[0]),
            ploy_value_u64(bits[0]),
            ploy_value_f32(vec[0]),
            ploy_value_f64(f64),
            ploy_value_vec2(vec[0], vec[1]),
            ploy_value_vec3(vec[0], vec[1], vec[2]),
            ploy_value_vec4(vec[0], vec[1], vec[2], vec[3]),
            ploy_value_id(ploy_id_make((uint32_t)bits[0], (uint32_t)bits[1] | 1)),
            ploy_value_id(ploy_id_none()),
            ploy_value_name(name),
            ploy_value_none(),
        };
        for (size_t i = 0; i < COUNT_OF(values); i++) {
            t->row = ploy_value_type_text(values[i].type);
            char text[256];
            ploy_value_print(&values[i], text, sizeof text);
            ploy_value back = ploy_value_none();
            CHECK_OK(ploy_value_parse(values[i].type, text, &back));
            CHECK_TEXT(printed(back), text);
            CHECK(ploy_value_equal(&back, &values[i]));
        }
    }
}

TEST(reading_accepts_what_people_write_and_nothing_else) {
    static const struct {
        const char *text;
        ploy_value_type type;
        const char *want; // as printed; NULL if refused
    } rows[] = {
        {"true", PLOY_VALUE_BOOL, "true"},
        {" false\t", PLOY_VALUE_BOOL, "false"},
        {"1", PLOY_VALUE_BOOL, "true"},
        {"0", PLOY_VALUE_BOOL, "false"},
        {"2", PLOY_VALUE_BOOL, NULL},
        {"yes", PLOY_VALUE_BOOL, NULL},
        {"", PLOY_VALUE_BOOL, NULL},
        {"-3", PLOY_VALUE_I64, "-3"},
        {" 3 ", PLOY_VALUE_I64, "3"},
        {"3.0", PLOY_VALUE_I64, NULL},
        {"9223372036854775808", PLOY_VALUE_I64, NULL},
        {"-9223372036854775808", PLOY_VALUE_I64, "-9223372036854775808"},
        {"-1", PLOY_VALUE_U64, NULL},
        {"18446744073709551616", PLOY_VALUE_U64, NULL},
        {"1.5", PLOY_VALUE_F32, "1.5"},
        {"1e39", PLOY_VALUE_F32, NULL},
        {"1e39", PLOY_VALUE_F64, "1e39"},
        {"1.5x", PLOY_VALUE_F64, NULL},
        {"0x10", PLOY_VALUE_F64, NULL},
        {"", PLOY_VALUE_F64, NULL},
        {"(1, 2)", PLOY_VALUE_VEC2, "(1, 2)"},
        {"1,2", PLOY_VALUE_VEC2, "(1, 2)"},
        {"1 2", PLOY_VALUE_VEC2, "(1, 2)"},
        {"( 1 ,2 )", PLOY_VALUE_VEC2, "(1, 2)"},
        {"(1, 2", PLOY_VALUE_VEC2, NULL},
        {"1, 2)", PLOY_VALUE_VEC2, NULL},
        {"1", PLOY_VALUE_VEC2, NULL},
        {"1,2,3", PLOY_VALUE_VEC2, NULL},
        {"1,,2", PLOY_VALUE_VEC2, NULL},
        {"1,2,3", PLOY_VALUE_VEC3, "(1, 2, 3)"},
        {"1,2,3,4", PLOY_VALUE_VEC4, "(1, 2, 3, 4)"},
        {"3:1", PLOY_VALUE_ID, "3:1"},
        {"none", PLOY_VALUE_ID, "none"},
        {"0:0", PLOY_VALUE_ID, "none"},
        {"3:0", PLOY_VALUE_ID, NULL},
        {"3", PLOY_VALUE_ID, NULL},
        {"3:", PLOY_VALUE_ID, NULL},
        {"4294967296:1", PLOY_VALUE_ID, NULL},
        {"4294967295:4294967295", PLOY_VALUE_ID, "4294967295:4294967295"},
        {"#00000000000000ff", PLOY_VALUE_NAME, "#00000000000000ff"},
        {"", PLOY_VALUE_NAME, NULL},
        {"none", PLOY_VALUE_NONE, "none"},
        {"null", PLOY_VALUE_NONE, NULL},
        {"", PLOY_VALUE_TEXT, ""},
        {" a b ", PLOY_VALUE_TEXT, " a b "},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_value value = ploy_value_i64(77);
        ploy_result result = ploy_value_parse(rows[i].type, rows[i].text, &value);
        CHECK_INT(result, rows[i].want != NULL ? PLOY_OK : PLOY_ERR_FORMAT);
        CHECK_TEXT(printed(value), rows[i].want != NULL ? rows[i].want : "77");
    }
    ploy_value value = ploy_value_none();
    CHECK_OK(ploy_value_parse(PLOY_VALUE_NAME, "patrol", &value));
    CHECK(ploy_name_equal(value.as.name, ploy_name_of("patrol")));
    // A '#' that is not followed by sixteen digits belongs to the name.
    CHECK_OK(ploy_value_parse(PLOY_VALUE_NAME, "#1", &value));
    CHECK(ploy_name_equal(value.as.name, ploy_name_of("#1")));
    CHECK_INT(ploy_value_parse(PLOY_VALUE_I64, NULL, &value), PLOY_ERR_ARGUMENT);
}

TEST(equality_is_of_type_and_bits) {
    ploy_value zero = ploy_value_f32(0.0f), minus = ploy_value_f32(-0.0f);
    ploy_value nan = ploy_value_f32(NAN), one = ploy_value_i64(1), other = ploy_value_u64(1);
    CHECK(!ploy_value_equal(&zero, &minus));
    CHECK(ploy_value_equal(&nan, &nan));
    CHECK(!ploy_value_equal(&one, &other));
    char a[] = "same", b[] = "same";
    ploy_value text_a = ploy_value_text(a), text_b = ploy_value_text(b);
    CHECK(ploy_value_equal(&text_a, &text_b));
    b[3] = 'p';
    CHECK(!ploy_value_equal(&text_a, &text_b));
    ploy_value v3 = ploy_value_vec3(1, 2, 3), v3_other = ploy_value_vec3(1, 2, 4);
    CHECK(!ploy_value_equal(&v3, &v3_other));
    v3_other.as.vec[2] = 3;
    v3_other.as.vec[3] = 9; // not a part of a vec3
    CHECK(ploy_value_equal(&v3, &v3_other));
    CHECK(!ploy_value_equal(&v3, NULL));
    CHECK(ploy_value_equal(NULL, NULL));
}

TEST(conversion_loses_nothing_or_refuses) {
    const double two63 = 9223372036854775808.0, two64 = 18446744073709551616.0;
    const struct {
        const char *row;
        ploy_value from;
        ploy_value_type to;
        const char *want; // as printed; NULL if refused
    } rows[] = {
        {"i64 to f32", ploy_value_i64(3), PLOY_VALUE_F32, "3"},
        {"i64 past 24 bits to f32", ploy_value_i64(16777217), PLOY_VALUE_F32, NULL},
        {"i64 past 53 bits to f64", ploy_value_i64(9007199254740993), PLOY_VALUE_F64, NULL},
        {"largest i64 to f64", ploy_value_i64(INT64_MAX), PLOY_VALUE_F64, NULL},
        {"smallest i64 to f64", ploy_value_i64(INT64_MIN), PLOY_VALUE_F64, "-9.223372036854776e18"},
        {"largest u64 to f64", ploy_value_u64(UINT64_MAX), PLOY_VALUE_F64, NULL},
        {"f64 to i64", ploy_value_f64(3.0), PLOY_VALUE_I64, "3"},
        {"half to i64", ploy_value_f64(3.5), PLOY_VALUE_I64, NULL},
        {"minus zero to i64", ploy_value_f64(-0.0), PLOY_VALUE_I64, NULL},
        {"2^63 to i64", ploy_value_f64(two63), PLOY_VALUE_I64, NULL},
        {"-2^63 to i64", ploy_value_f64(-two63), PLOY_VALUE_I64, "-9223372036854775808"},
        {"2^63 to u64", ploy_value_f64(two63), PLOY_VALUE_U64, "9223372036854775808"},
        {"2^64 to u64", ploy_value_f64(two64), PLOY_VALUE_U64, NULL},
        {"-1 to u64", ploy_value_i64(-1), PLOY_VALUE_U64, NULL},
        {"-1.0 to u64", ploy_value_f64(-1.0), PLOY_VALUE_U64, NULL},
        {"u64 past i64", ploy_value_u64((uint64_t)INT64_MAX + 1), PLOY_VALUE_I64, NULL},
        {"NaN to i64", ploy_value_f64((double)NAN), PLOY_VALUE_I64, NULL},
        {"infinity to u64", ploy_value_f64((double)INFINITY), PLOY_VALUE_U64, NULL},
        {"NaN to f32", ploy_value_f64((double)NAN), PLOY_VALUE_F32, "nan"},
        {"infinity to f32", ploy_value_f64(-(double)INFINITY), PLOY_VALUE_F32, "-inf"},
        {"1e300 to f32", ploy_value_f64(1e300), PLOY_VALUE_F32, NULL},
        {"0.1 to f32", ploy_value_f64(0.1), PLOY_VALUE_F32, NULL},
        {"0.1f to f64", ploy_value_f32(0.1f), PLOY_VALUE_F64, "0.10000000149011612"},
        {"one to bool", ploy_value_i64(1), PLOY_VALUE_BOOL, "true"},
        {"zero to bool", ploy_value_f32(0.0f), PLOY_VALUE_BOOL, "false"},
        {"two to bool", ploy_value_i64(2), PLOY_VALUE_BOOL, NULL},
        {"bool to u64", ploy_value_bool(true), PLOY_VALUE_U64, "1"},
        {"text to i64", ploy_value_text("3"), PLOY_VALUE_I64, NULL},
        {"vec2 to vec3", ploy_value_vec2(1, 2), PLOY_VALUE_VEC3, NULL},
        {"vec2 to vec2", ploy_value_vec2(1, 2), PLOY_VALUE_VEC2, "(1, 2)"},
        {"none to i64", ploy_value_none(), PLOY_VALUE_I64, NULL},
        {"i64 to none", ploy_value_i64(3), PLOY_VALUE_NONE, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_value out = ploy_value_text("untouched");
        ploy_result result = ploy_value_convert(&rows[i].from, rows[i].to, &out);
        CHECK_INT(result, rows[i].want != NULL ? PLOY_OK : PLOY_ERR_ARGUMENT);
        CHECK_TEXT(printed(out), rows[i].want != NULL ? rows[i].want : "untouched");
        if (result == PLOY_OK) CHECK_INT(out.type, rows[i].to);
    }
}

TEST(converting_there_and_back_gives_the_same_value) {
    static const ploy_value_type types[] = {PLOY_VALUE_BOOL, PLOY_VALUE_I64, PLOY_VALUE_U64,
                                            PLOY_VALUE_F32, PLOY_VALUE_F64};
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        uint64_t bits = ploy_rng_u64(&rng) >> (seed % 64); // all magnitudes
        double real = (double)(int64_t)bits;
        ploy_value values[] = {ploy_value_bool((bits & 1) != 0),
                               ploy_value_i64(-(int64_t)(bits / 2)), ploy_value_u64(bits),
                               ploy_value_f32((float)real), ploy_value_f64(real)};
        for (size_t v = 0; v < COUNT_OF(values); v++) {
            for (size_t i = 0; i < COUNT_OF(types); i++) {
                ploy_value there = ploy_value_none(), back = ploy_value_none();
                if (ploy_value_convert(&values[v], types[i], &there) != PLOY_OK) continue;
                CHECK_OK(ploy_value_convert(&there, values[v].type, &back));
                CHECK(ploy_value_equal(&back, &values[v]));
            }
        }
    }
}

TEST(numbers_come_out_of_number_types_only) {
    double out = 77.0;
    ploy_value value = ploy_value_bool(true);
    CHECK(ploy_value_number(&value, &out));
    CHECK_SAME(out, 1.0);
    value = ploy_value_u64(UINT64_MAX);
    CHECK(ploy_value_number(&value, &out));
    CHECK_SAME(out, 18446744073709551616.0);
    out = 77.0;
    value = ploy_value_text("1");
    CHECK(!ploy_value_number(&value, &out));
    value = ploy_value_vec2(1, 1);
    CHECK(!ploy_value_number(&value, &out));
    CHECK_SAME(out, 77.0);
    CHECK(!ploy_value_number(NULL, &out));
}

TEST(unused_bytes_are_zero_so_that_snapshots_compare) {
    ploy_value a, b;
    memset(&a, 0xAA, sizeof a);
    memset(&b, 0x55, sizeof b);
    a = ploy_value_bool(true);
    b = ploy_value_bool(true);
    CHECK_BYTES(&a.as, &b.as, sizeof a.as);
    a = ploy_value_f32(1.0f);
    b = ploy_value_f32(1.0f);
    CHECK_BYTES(&a.as, &b.as, sizeof a.as);
}
