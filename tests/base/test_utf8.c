#include "ploy/base/utf8.h"

#include "ploy/base/rng.h"
#include "tests/test.h"

TEST(check_accepts_well_formed_text_and_finds_the_first_fault) {
    static const struct {
        const char *row;
        size_t size;
        size_t bad; // size if there is none
    } rows[] = {
        {"", 0, 0},
        {"plain", 5, 5},
        {"with\0zero", 9, 9},
        {"\xC2\x80", 2, 2},           // U+0080, the least of two bytes
        {"\xDF\xBF", 2, 2},           // U+07FF
        {"\xE0\xA0\x80", 3, 3},       // U+0800
        {"\xED\x9F\xBF", 3, 3},       // U+D7FF, the last before the surrogates
        {"\xEE\x80\x80", 3, 3},       // U+E000, the first after them
        {"\xEF\xBF\xBF", 3, 3},       // U+FFFF
        {"\xF0\x90\x80\x80", 4, 4},   // U+10000
        {"\xF4\x8F\xBF\xBF", 4, 4},   // U+10FFFF
        {"gr\xC3\xBC\xC3\x9F", 6, 6}, // two umlauts
        {"\x80", 1, 0},               // a continuation alone
        {"ab\xBF", 3, 2},             //
        {"\xC0\x80", 2, 0},           // overlong zero
        {"\xC1\xBF", 2, 0},           // overlong
        {"\xE0\x9F\xBF", 3, 0},       // overlong
        {"\xF0\x8F\xBF\xBF", 4, 0},   // overlong
        {"\xED\xA0\x80", 3, 0},       // the first surrogate
        {"\xED\xBF\xBF", 3, 0},       // the last surrogate
        {"\xF4\x90\x80\x80", 4, 0},   // beyond U+10FFFF
        {"\xF5\x80\x80\x80", 4, 0},   //
        {"\xFF", 1, 0},               //
        {"abc\xE2\x82", 5, 3},        // cut short
        {"abc\xE2\x82x", 6, 3},       //
        {"\xC3\xBC\xC3", 3, 2},       //
        {"\xF0\x9F\x98\x80\xF0\x9F\x98", 7, 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        TEST_SEED(i);
        size_t bad = 99;
        bool good = rows[i].bad == rows[i].size;
        CHECK_INT(ploy_utf8_check(rows[i].row, rows[i].size, &bad), good);
        CHECK_UINT(bad, rows[i].bad);
        CHECK_INT(ploy_utf8_check(rows[i].row, rows[i].size, NULL), good);
    }
    CHECK(ploy_utf8_check(NULL, 0, NULL));
}

TEST(every_scalar_value_survives_encoding_and_decoding) {
    for (uint32_t code = 0; code <= 0x110100; code++) {
        bool scalar = code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
        char text[4] = {'?', '?', '?', '?'};
        int32_t size = ploy_utf8_encode(code, text);
        int32_t want = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        if (size != (scalar ? want : 0)) TEST_SEED(code);
        CHECK_INT(size, scalar ? want : 0);
        if (!scalar) {
            CHECK_INT(text[0], '?');
            continue;
        }
        size_t at = 0;
        CHECK_INT(ploy_utf8_next(text, (size_t)size, &at), code);
        CHECK_UINT(at, (size_t)size);
        CHECK_INT(ploy_utf8_next(text, (size_t)size, &at), PLOY_UTF8_END);
        CHECK_UINT(at, (size_t)size);
    }
    CHECK_INT(ploy_utf8_encode(0xFFFFFFFFu, (char[4]){0}), 0);
}

// The slow, obvious version: a sequence is well-formed if encoding its value gives it back.
static bool obvious(const unsigned char *bytes, size_t size, size_t *length) {
    for (size_t n = 1; n <= 4 && n <= size; n++) {
        uint32_t code = bytes[0];
        if (n == 2) code = bytes[0] & 0x1Fu;
        if (n == 3) code = bytes[0] & 0x0Fu;
        if (n == 4) code = bytes[0] & 0x07u;
        for (size_t i = 1; i < n; i++) code = code << 6 | (bytes[i] & 0x3Fu);
        char back[4];
        if (ploy_utf8_encode(code, back) == (int32_t)n && memcmp(back, bytes, n) == 0) {
            *length = n;
            return true;
        }
    }
    return false;
}

TEST(check_agrees_with_encoding_on_all_short_byte_strings) {
    // All strings of two bytes, and of three and four with interesting middles.
    static const unsigned char edge[] = {0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xE0, 0xF4};
    for (uint32_t first = 0; first < 256; first++) {
        for (uint32_t second = 0; second < 256; second++) {
            for (size_t i = 0; i < COUNT_OF(edge); i++) {
                for (size_t k = 0; k < COUNT_OF(edge); k++) {
                    unsigned char bytes[4] = {(unsigned char)first, (unsigned char)second, edge[i],
                                              edge[k]};
                    size_t length = 0, at = 0;
                    bool good = obvious(bytes, 4, &length);
                    int32_t code = ploy_utf8_next((const char *)bytes, 4, &at);
                    if ((code != PLOY_UTF8_BAD) != good || (good && at != length)) {
                        TEST_SEED(first << 8 | second);
                        CHECK_INT(code != PLOY_UTF8_BAD, good);
                        CHECK_UINT(at, length);
                    }
                    CHECK(at >= 1 && at <= 4);
                }
            }
        }
    }
}

TEST(next_groups_faults_as_unicode_recommends_and_count_follows) {
    // The example of the Unicode Standard, table 3-8: maximal subparts.
    static const char text[] = "\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64";
    static const int32_t want[] = {0x61, -1, -1, -1, 0x62, -1, 0x63, -1, -1, 0x64};
    size_t at = 0;
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        TEST_SEED(i);
        CHECK_INT(ploy_utf8_next(text, sizeof text - 1, &at), want[i]);
    }
    CHECK_INT(ploy_utf8_next(text, sizeof text - 1, &at), PLOY_UTF8_END);
    CHECK_UINT(ploy_utf8_count(text, sizeof text - 1), COUNT_OF(want));
    CHECK_UINT(ploy_utf8_count("", 0), 0);
    CHECK_UINT(ploy_utf8_count("gr\xC3\xBC\xC3\x9F e", 8), 6);
}

TEST(decoding_random_bytes_ends_and_agrees_with_check) {
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        char text[64];
        size_t size = (size_t)ploy_rng_int(&rng, 0, 64);
        for (size_t i = 0; i < size; i++) {
            text[i] = (char)(ploy_rng_u32(&rng) | (ploy_rng_chance(&rng, 0.5f) ? 0x80u : 0));
        }
        size_t at = 0, bad = 99, first_bad = size;
        for (;;) {
            size_t before = at;
            int32_t code = ploy_utf8_next(text, size, &at);
            if (code == PLOY_UTF8_END) break;
            CHECK(at > before && at <= size);
            if (code == PLOY_UTF8_BAD && first_bad == size) first_bad = before;
        }
        CHECK_UINT(at, size);
        ploy_utf8_check(text, size, &bad);
        CHECK_UINT(bad, first_bad);
    }
}
