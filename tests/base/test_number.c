#include "ploy/base/number.h"

#include <float.h>
#include <stdlib.h>

#include "ploy/base/rng.h"
#include "tests/test.h"

// The whole text as a double; the C library's strtod in the "C" locale is the reference. glibc's is
// exact for any length.
static double parse(test_context *t, const char *text) {
    double value = -77.0;
    CHECK_OK(ploy_parse_f64(text, strlen(text), NULL, &value));
    return value;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int64_t rounds(int64_t normal) {
    return getenv("PLOY_SOAK") != NULL ? normal * 50 : normal;
}

// Both formats of one text against the C library.
static void check_against_strtod(test_context *t, const char *text) {
    t->row = text;
    size_t size = strlen(text);
    double value = -77.0;
    double want = strtod(text, NULL);
    ploy_result result = ploy_parse_f64(text, size, NULL, &value);
    if (isinf(want)) {
        CHECK_INT(result, PLOY_ERR_LIMIT);
        CHECK_SAME(value, -77.0);
    } else {
        CHECK_INT(result, PLOY_OK);
        CHECK_UINT(bits_of(value), bits_of(want));
    }
    float value_f = -77.0f;
    float want_f = strtof(text, NULL);
    result = ploy_parse_f32(text, size, NULL, &value_f);
    if (isinf(want_f)) {
        CHECK_INT(result, PLOY_ERR_LIMIT);
    } else {
        CHECK_INT(result, PLOY_OK);
        CHECK_UINT(bits_of_float(value_f), bits_of_float(want_f));
    }
    t->row = NULL;
}

TEST(parse_f64_gives_the_nearest_double_of_known_hard_texts) {
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "+1",
        ".5",
        "5.",
        "0.1",
        "1e23",
        "9007199254740993",
        "9007199254740992.99999999999999999",
        "9007199254740993.00000000000000000000000000000000000001",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.47032822920623272088284396434110686182e-324",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
        "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704"
        "342711559699508093042880",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
        "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704"
        "342711559699508093042879.9999",
        "3.4028234663852886e38",
        "3.4028235677973366e38",
        "3.40282356779733661637539395458142568447e38",
        "1.17549435e-38",
        "1.401298464324817e-45",
        "7.006492321624085354618e-46",
        "7.006492321624085e-46",
        "1e-400",
        "-1e-400",
        "1e400",
        "0e999999999999999999999999",
        "1e-999999999999999999999999",
        "1e999999999999999999999999",
        "1e9999999996999999999", // an exponent that once overflowed while it was read
        "-1e-9999999996999999999",
        "8.5e-46",
        "6250000000000000000000000000000000000000000000000000e-70",
        "16777217",
        "16777219",
        "16777217.0000000001",
        "33554433.99999999999",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000001401298464324817070923729583289916131280e0",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) check_against_strtod(t, texts[i]);
}

// Writes (a + b) / 2 in full: both printed to the same length, added and halved digit by digit. No
// type of C holds every such middle exactly.
static void print_middle(double a, double b, char *out) {
    static char left[1500], right[1500];
    snprintf(left, sizeof left, "%01400.1080f", a);
    snprintf(right, sizeof right, "%01400.1080f", b);
    int over = 0;
    for (int i = (int)strlen(left) - 1; i >= 0; i--) {
        if (left[i] == '.') continue;
        int sum = left[i] - '0' + (right[i] - '0') + over;
        left[i] = (char)('0' + sum % 10);
        over = sum / 10;
    }
    int rest = 0, at = 0;
    for (int i = 0; left[i] != 0; i++) {
        if (left[i] == '.') {
            out[at++] = '.';
            continue;
        }
        int digit = rest * 10 + (left[i] - '0');
        out[at++] = (char)('0' + digit / 2);
        rest = digit % 2;
    }
    while (out[at - 1] == '0') at--; // ends behind the last digit that counts
    out[at] = 0;
}

TEST(parse_f64_reads_thousands_of_digits_exactly) {
    static char text[6000];
    char half[1500], above[1600];
    print_middle(0.0, 0x1p-1074, half); // half of the smallest denormal
    size_t at = strlen(half);
    CHECK_UINT(bits_of(parse(t, half)), 0); // a tie goes to the even zero
    snprintf(above, sizeof above, "%s0000000000000000001", half);
    CHECK_UINT(bits_of(parse(t, above)), 1);
    half[at - 1] = '4';
    snprintf(above, sizeof above, "%s99999999999999999999", half);
    CHECK_UINT(bits_of(parse(t, above)), 0);

    // A tie decided by one digit thousands of places behind the point.
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    text[5998] = 0;
    CHECK_SAME(parse(t, text), 9007199254740992.0);
    text[5997] = '1';
    CHECK_SAME(parse(t, text), 9007199254740994.0);
    // Many zeros in front are no digits.
    memset(text, '0', sizeof text);
    memcpy(text, "0.", 2);
    memcpy(text + 5900, "15e5901", 8);
    check_against_strtod(t, text);
    memset(text, '0', sizeof text);
    memcpy(text, "15", 2);
    memcpy(text + 5900, "e-5898", 7);
    check_against_strtod(t, text);
}

TEST(parse_f64_equals_strtod_on_random_decimal_texts) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        for (int64_t i = 0; i < rounds(30000); i++) {
            char text[400];
            int at = 0;
            if (ploy_rng_chance(&rng, 0.3f)) text[at++] = '-';
            int digits = ploy_rng_int(&rng, 1, ploy_rng_chance(&rng, 0.1f) ? 300 : 24);
            int point = ploy_rng_int(&rng, 0, 2 * digits);
            for (int d = 0; d < digits; d++) {
                if (d == point) text[at++] = '.';
                text[at++] = (char)('0' + ploy_rng_int(&rng, 0, 9));
            }
            if (ploy_rng_chance(&rng, 0.7f)) {
                int most = ploy_rng_chance(&rng, 0.5f) ? 350 : 45;
                at += snprintf(text + at, 10, "e%d", (int)ploy_rng_int(&rng, -most, most));
            }
            text[at] = 0;
            check_against_strtod(t, text);
        }
    }
}

// Texts on the middle of two neighbours and just beside it: the cases that need all their digits.
TEST(parse_decides_ties_and_near_ties_of_random_numbers) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        for (int64_t i = 0; i < rounds(500); i++) {
            static char text[1600];
            double below, above;
            if (i % 2 == 0) {
                uint64_t bits = ploy_rng_u64(&rng) & 0x7FFFFFFFFFFFFFFFu;
                if (bits >= 0x7FE0000000000000u) continue;
                if (ploy_rng_chance(&rng, 0.1f)) bits &= 0x000FFFFFFFFFFFFFu; // denormal
                below = from_bits(bits);
                above = from_bits(bits + 1);
            } else {
                uint32_t bits = ploy_rng_u32(&rng) & 0x7FFFFFFFu;
                if (bits >= 0x7F7FFFFFu) continue;
                below = (double)float_from_bits(bits);
                above = (double)float_from_bits(bits + 1);
            }
            print_middle(below, above, text);
            size_t size = strlen(text);
            check_against_strtod(t, text);
            snprintf(text + size, 8, "0001");
            check_against_strtod(t, text);
            text[size] = 0;
            if (text[size - 1] == '.') continue;
            text[size - 1]--; // the last digit is not 0
            snprintf(text + size, 8, "9999");
            check_against_strtod(t, text);
        }
    }
}

TEST(parse_stops_behind_the_number_and_says_how_far_it_read) {
    static const struct {
        const char *row;
        size_t used;
        double want;
    } rows[] = {
        {"1,2", 1, 1.0},           {"1.5.5", 3, 1.5},      {"1e", 1, 1.0},
        {"1e+", 1, 1.0},           {"1e+x", 1, 1.0},       {"1E2e3", 3, 100.0},
        {"-2]", 2, -2.0},          {"0x10", 1, 0.0},       {"5.e1z", 4, 50.0},
        {".5-", 2, 0.5},           {"00012", 5, 12.0},     {"inf!", 3, INFINITY},
        {"infinity", 3, INFINITY}, {"-inf", 4, -INFINITY}, {"1_000", 1, 1.0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        double value = 0.0;
        size_t used = 99, size = strlen(rows[i].row);
        CHECK_OK(ploy_parse_f64(rows[i].row, size, &used, &value));
        CHECK_UINT(used, rows[i].used);
        CHECK_SAME(value, rows[i].want);
        float value_f = 0.0f;
        CHECK_OK(ploy_parse_f32(rows[i].row, size, &used, &value_f));
        CHECK_UINT(used, rows[i].used);
        CHECK_SAME(value_f, (float)rows[i].want);
        // Without used the rest makes it no number.
        ploy_result want = rows[i].used == size ? PLOY_OK : PLOY_ERR_FORMAT;
        CHECK_INT(ploy_parse_f64(rows[i].row, size, NULL, &value), want);
    }
    double value = 0.0;
    CHECK_OK(ploy_parse_f64("nan", 3, NULL, &value));
    CHECK_UINT(bits_of(value), 0x7FF8000000000000u);
    CHECK_OK(ploy_parse_f64("1234", 2, NULL, &value)); // never reads past size
    CHECK_SAME(value, 12.0);
}

TEST(parse_refuses_what_is_no_number_and_leaves_the_output_alone) {
    static const char *const texts[] = {"",   "-",  "+",   ".",   "-.",  "e5",   ".e5",
                                        " 1", "x",  "--1", "NaN", "Inf", "-nan", "in",
                                        "na", ",5", "+-1", "\t1", "-i"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        t->row = texts[i];
        size_t used = 99, size = strlen(texts[i]);
        double value = -77.0;
        float value_f = -77.0f;
        CHECK_INT(ploy_parse_f64(texts[i], size, &used, &value), PLOY_ERR_FORMAT);
        CHECK_INT(ploy_parse_f32(texts[i], size, &used, &value_f), PLOY_ERR_FORMAT);
        CHECK_UINT(used, 99);
        CHECK_SAME(value, -77.0);
        CHECK_SAME(value_f, -77.0f);
    }
    double value = -77.0;
    CHECK_INT(ploy_parse_f64(NULL, 0, NULL, &value), PLOY_ERR_FORMAT);
    // Too large: the text is consumed, the output not touched.
    size_t used = 0;
    CHECK_INT(ploy_parse_f64("-1e309 ", 7, &used, &value), PLOY_ERR_LIMIT);
    CHECK_UINT(used, 6);
    CHECK_SAME(value, -77.0);
    float value_f = -77.0f;
    CHECK_INT(ploy_parse_f32("1e39", 4, &used, &value_f), PLOY_ERR_LIMIT);
    CHECK_SAME(value_f, -77.0f);
}

TEST(parse_integers_up_to_their_limits_and_not_beyond) {
    static const struct {
        const char *row;
        ploy_result result_i, result_u;
        int64_t want_i;
        uint64_t want_u;
    } rows[] = {
        {"0", PLOY_OK, PLOY_OK, 0, 0},
        {"-0", PLOY_OK, PLOY_ERR_FORMAT, 0, 0},
        {"+7", PLOY_OK, PLOY_OK, 7, 7},
        {"-7", PLOY_OK, PLOY_ERR_FORMAT, -7, 0},
        {"0000000000000000000000000000001", PLOY_OK, PLOY_OK, 1, 1},
        {"9223372036854775807", PLOY_OK, PLOY_OK, INT64_MAX, INT64_MAX},
        {"9223372036854775808", PLOY_ERR_LIMIT, PLOY_OK, 0, UINT64_C(9223372036854775808)},
        {"-9223372036854775808", PLOY_OK, PLOY_ERR_FORMAT, INT64_MIN, 0},
        {"-9223372036854775809", PLOY_ERR_LIMIT, PLOY_ERR_FORMAT, 0, 0},
        {"18446744073709551615", PLOY_ERR_LIMIT, PLOY_OK, 0, UINT64_MAX},
        {"18446744073709551616", PLOY_ERR_LIMIT, PLOY_ERR_LIMIT, 0, 0},
        {"184467440737095516150", PLOY_ERR_LIMIT, PLOY_ERR_LIMIT, 0, 0},
        {"99999999999999999999999999999", PLOY_ERR_LIMIT, PLOY_ERR_LIMIT, 0, 0},
        {"", PLOY_ERR_FORMAT, PLOY_ERR_FORMAT, 0, 0},
        {"-", PLOY_ERR_FORMAT, PLOY_ERR_FORMAT, 0, 0},
        {"a", PLOY_ERR_FORMAT, PLOY_ERR_FORMAT, 0, 0},
        {" 1", PLOY_ERR_FORMAT, PLOY_ERR_FORMAT, 0, 0},
        {"1a", PLOY_ERR_FORMAT, PLOY_ERR_FORMAT, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        int64_t value_i = -77;
        uint64_t value_u = 77;
        size_t size = strlen(rows[i].row);
        CHECK_INT(ploy_parse_i64(rows[i].row, size, NULL, &value_i), rows[i].result_i);
        CHECK_INT(value_i, rows[i].result_i == PLOY_OK ? rows[i].want_i : -77);
        CHECK_INT(ploy_parse_u64(rows[i].row, size, NULL, &value_u), rows[i].result_u);
        CHECK_UINT(value_u, rows[i].result_u == PLOY_OK ? rows[i].want_u : 77);
    }
    size_t used = 0;
    int64_t value_i = 0;
    uint64_t value_u = 0;
    CHECK_OK(ploy_parse_i64("-12.5", 5, &used, &value_i));
    CHECK_UINT(used, 3);
    CHECK_INT(value_i, -12);
    CHECK_OK(ploy_parse_hex64("EF46DB3751D8e999", 16, NULL, &value_u));
    CHECK_UINT(value_u, UINT64_C(0xEF46DB3751D8E999));
    CHECK_OK(ploy_parse_hex64("ffg", 3, &used, &value_u));
    CHECK_UINT(value_u, 255);
    CHECK_UINT(used, 2);
    CHECK_INT(ploy_parse_hex64("10000000000000000", 17, &used, &value_u), PLOY_ERR_LIMIT);
    CHECK_INT(ploy_parse_hex64("0x1", 3, NULL, &value_u), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_parse_hex64("", 0, NULL, &value_u), PLOY_ERR_FORMAT);
}

TEST(print_uses_the_stated_format) {
    static const struct {
        double value;
        const char *row;
    } rows[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {100.0, "100"},
        {123456.789, "123456.789"},
        {16777216.0, "16777216"},
        {1e16, "10000000000000000"},
        {99999999999999984.0, "99999999999999980"},
        {1e17, "1e17"},
        {1e22, "1e22"},
        {1e23, "1e23"},
        {9.5e-5, "0.000095"},
        {1e-5, "0.00001"},
        {9.999999999999999e-6, "9.999999999999999e-6"},
        {1.5e-7, "1.5e-7"},
        {5e-324, "5e-324"},
        {1e-323, "1e-323"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {-1.7976931348623157e308, "-1.7976931348623157e308"},
        {9007199254740991.0, "9007199254740991"},
        {9007199254740993.0, "9007199254740992"},
        {4.35, "4.35"},
        {2.98023223876953125e-8, "2.9802322387695312e-8"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
        {-NAN, "nan"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char text[PLOY_PRINT_F64_SIZE];
        CHECK_UINT(ploy_print_f64(rows[i].value, text), strlen(rows[i].row));
        CHECK_TEXT(text, rows[i].row);
    }
    static const struct {
        float value;
        const char *row;
    } rows_f[] = {
        {0.1f, "0.1"},
        {16777216.0f, "16777216"},
        {3.4028235e38f, "3.4028235e38"},
        {1e-45f, "1e-45"},
        {3.14159274f, "3.1415927"},
        {1.17549435e-38f, "1.1754944e-38"},
        {-0.0f, "-0"},
        {33554432.0f, "33554432"},
        {8388608.5f, "8388608"},
        {1e10f, "10000000000"},
        {0.3f, "0.3"},
        {1.0f / 3.0f, "0.33333334"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    for (size_t i = 0; i < COUNT_OF(rows_f); i++) {
        t->row = rows_f[i].row;
        char text[PLOY_PRINT_F32_SIZE];
        CHECK_UINT(ploy_print_f32(rows_f[i].value, text), strlen(rows_f[i].row));
        CHECK_TEXT(text, rows_f[i].row);
    }
}

// Checks one printed double: it reads back to the same bits, no text with fewer digits does, and of
// those with as many none is nearer. "%.*e" rounds correctly, so if any text with n digits reads
// back, the nearest one does; the count is then the smallest n, and the digits are those.
static int digits_in(const char *text, char *digits) {
    int count = 0;
    for (; *text != 0 && *text != 'e'; text++) {
        if (*text < '0' || *text > '9') continue;
        if (count == 0 && *text == '0') continue;
        digits[count++] = *text;
    }
    while (count > 1 && digits[count - 1] == '0') count--;
    digits[count] = 0;
    return count;
}

static void check_print(test_context *t, double value) {
    char text[PLOY_PRINT_F64_SIZE], reference[40], got[32], want[32];
    size_t size = ploy_print_f64(value, text);
    CHECK_UINT(size, strlen(text));
    t->row = text;
    CHECK_UINT(bits_of(strtod(text, NULL)), bits_of(value));
    double back = 0.0;
    CHECK_OK(ploy_parse_f64(text, size, NULL, &back));
    CHECK_UINT(bits_of(back), bits_of(value));
    int count = digits_in(text, got);
    // At a power of two the nearest text of a length may miss the narrower side while a further
    // one on the wide side reads back; both are the shortest, and reading back is what counts.
    bool power = (bits_of(value) & 0x000FFFFFFFFFFFFFu) == 0;
    if (count > 1) {
        snprintf(reference, sizeof reference, "%.*e", count - 2, value);
        CHECK(strtod(reference, NULL) != value);
    }
    snprintf(reference, sizeof reference, "%.*e", count - 1, value);
    if (!power) CHECK_SAME(strtod(reference, NULL), value);
    if (strtod(reference, NULL) == value) {
        digits_in(reference, want);
        CHECK_TEXT(got, want);
    }
    t->row = NULL;
}

static void check_print_f32(test_context *t, float value) {
    char text[PLOY_PRINT_F32_SIZE], reference[40], got[32], want[32];
    size_t size = ploy_print_f32(value, text);
    t->row = text;
    float back = 0.0f;
    CHECK_OK(ploy_parse_f32(text, size, NULL, &back));
    CHECK_UINT(bits_of_float(back), bits_of_float(value));
    int count = digits_in(text, got);
    if (count > 1) {
        snprintf(reference, sizeof reference, "%.*e", count - 2, (double)value);
        CHECK(strtof(reference, NULL) != value);
    }
    snprintf(reference, sizeof reference, "%.*e", count - 1, (double)value);
    if (strtof(reference, NULL) == value) {
        digits_in(reference, want);
        CHECK_TEXT(got, want);
    } else {
        CHECK_UINT(bits_of_float(value) & 0x007FFFFFu, 0);
    }
    t->row = NULL;
}

TEST(print_f64_is_shortest_and_nearest_on_random_bits) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        for (int64_t i = 0; i < rounds(20000); i++) {
            uint64_t bits = ploy_rng_u64(&rng) & 0x7FFFFFFFFFFFFFFFu;
            if (bits >= 0x7FF0000000000000u || bits == 0) continue;
            check_print(t, from_bits(bits));
        }
        // Numbers people write: few digits, whole numbers, products of both.
        for (int64_t i = 0; i < rounds(5000); i++) {
            double value = (double)ploy_rng_int(&rng, 1, 100000);
            check_print(t, value);
            check_print(t, value / 1000.0);
            check_print(t, value * 1e-9 * ploy_rng_double(&rng) + 1e-3);
            check_print(t, (double)(ploy_rng_u64(&rng) >> ploy_rng_int(&rng, 0, 63)) + 1.0);
        }
    }
}

TEST(print_f64_is_shortest_at_every_power_of_two_and_ten_and_beside_them) {
    for (int e = -1074; e < 1024; e++) {
        TEST_SEED(e + 1074);
        uint64_t bits = bits_of(ldexp(1.0, e));
        check_print(t, from_bits(bits));
        check_print(t, from_bits(bits + 1));
        if (bits > 1) check_print(t, from_bits(bits - 1));
    }
    for (int e = -323; e < 309; e++) {
        TEST_SEED(e + 323);
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        uint64_t bits = bits_of(strtod(text, NULL));
        for (uint64_t d = 0; d < 6; d++) {
            if (bits + d >= 4) check_print(t, from_bits(bits + d - 3));
        }
    }
}

TEST(print_f32_is_shortest_and_nearest_on_a_grid_of_all_bits) {
    // A prime step visits every exponent and all kinds of mantissas.
    uint32_t step = getenv("PLOY_SOAK") != NULL ? 997 : 39989;
    for (uint32_t bits = 1; bits < 0x7F800000u; bits += step)
        check_print_f32(t, float_from_bits(bits));
    for (uint32_t field = 0; field < 255; field++) {
        TEST_SEED(field);
        for (uint32_t d = 0; d < 5; d++) {
            uint32_t bits = (field << 23) + d;
            if (bits > 2) check_print_f32(t, float_from_bits(bits - 2));
        }
    }
}

TEST(print_integers_like_printf) {
    static const int64_t values[] = {0,  1,   -1,        9,         10,       -10,
                                     99, 100, INT32_MIN, INT64_MAX, INT64_MIN};
    char text[PLOY_PRINT_I64_SIZE], want[32];
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        snprintf(want, sizeof want, "%lld", (long long)values[i]);
        CHECK_UINT(ploy_print_i64(values[i], text), strlen(want));
        CHECK_TEXT(text, want);
        snprintf(want, sizeof want, "%llu", (unsigned long long)values[i]);
        CHECK_UINT(ploy_print_u64((uint64_t)values[i], text), strlen(want));
        CHECK_TEXT(text, want);
        snprintf(want, sizeof want, "%016llx", (unsigned long long)values[i]);
        CHECK_UINT(ploy_print_hex64((uint64_t)values[i], text), 16);
        CHECK_TEXT(text, want);
    }
    ploy_rng rng = ploy_rng_make(5);
    for (int i = 0; i < 20000; i++) {
        int64_t value = (int64_t)(ploy_rng_u64(&rng) >> ploy_rng_int(&rng, 0, 63));
        if (ploy_rng_chance(&rng, 0.5f)) value = -value;
        int64_t back = 0;
        CHECK_OK(ploy_parse_i64(text, ploy_print_i64(value, text), NULL, &back));
        CHECK_INT(back, value);
    }
}
