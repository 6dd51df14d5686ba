// Number text: whatever is read must be what the C library reads, and whatever is printed must read
// back to the same bits. The input serves twice: as text, and its first bytes as a number's bits.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                           \
    do {                                                             \
        if (!(condition)) {                                          \
            fprintf(stderr, "%d: %s fails\n", __LINE__, #condition); \
            abort();                                                 \
        }                                                            \
    } while (0)

static void print_and_read_f64(double value) {
    char text[PLOY_PRINT_F64_SIZE];
    size_t length = ploy_print_f64(value, text);
    REQUIRE(length < sizeof text && strlen(text) == length);
    double back = 0.0;
    REQUIRE(ploy_parse_f64(text, length, NULL, &back) == PLOY_OK);
    REQUIRE(value != value ? back != back : memcmp(&back, &value, sizeof value) == 0);
}

static void print_and_read_f32(float value) {
    char text[PLOY_PRINT_F32_SIZE];
    size_t length = ploy_print_f32(value, text);
    REQUIRE(length < sizeof text && strlen(text) == length);
    float back = 0.0f;
    REQUIRE(ploy_parse_f32(text, length, NULL, &back) == PLOY_OK);
    REQUIRE(value != value ? back != back : memcmp(&back, &value, sizeof value) == 0);
}

static void print_and_read_integers(uint64_t bits) {
    char text[PLOY_PRINT_U64_SIZE];
    uint64_t back_u = 0;
    size_t length = ploy_print_u64(bits, text);
    REQUIRE(ploy_parse_u64(text, length, NULL, &back_u) == PLOY_OK && back_u == bits);
    int64_t value, back_i = 0;
    memcpy(&value, &bits, sizeof value);
    length = ploy_print_i64(value, text);
    REQUIRE(ploy_parse_i64(text, length, NULL, &back_i) == PLOY_OK && back_i == value);
    length = ploy_print_hex64(bits, text);
    REQUIRE(ploy_parse_hex64(text, length, NULL, &back_u) == PLOY_OK && back_u == bits);
}

// text has a zero behind its size bytes.
static void read_f64(char *text, size_t size) {
    size_t used = 0;
    double value = 0.0;
    ploy_result result = ploy_parse_f64(text, size, &used, &value);
    if (result == PLOY_ERR_FORMAT) return;
    REQUIRE(result == PLOY_OK || result == PLOY_ERR_LIMIT);
    REQUIRE(used > 0 && used <= size);
    char cut = text[used];
    text[used] = 0;
    char *end = NULL;
    double want = strtod(text, &end);
    REQUIRE(end == text + used);
    text[used] = cut;
    if (result == PLOY_ERR_LIMIT) {
        REQUIRE(isinf(want));
        return;
    }
    REQUIRE(want != want ? value != value : memcmp(&value, &want, sizeof want) == 0);
    print_and_read_f64(value);
}

static void read_f32(char *text, size_t size) {
    size_t used = 0;
    float value = 0.0f;
    ploy_result result = ploy_parse_f32(text, size, &used, &value);
    if (result == PLOY_ERR_FORMAT) return;
    char cut = text[used];
    text[used] = 0;
    float want = strtof(text, NULL);
    text[used] = cut;
    if (result == PLOY_ERR_LIMIT) {
        REQUIRE(isinf(want));
        return;
    }
    REQUIRE(want != want ? value != value : memcmp(&value, &want, sizeof want) == 0);
    print_and_read_f32(value);
}

static void read_i64(const char *text, size_t size) {
    size_t used = 0;
    int64_t value = 0;
    ploy_result result = ploy_parse_i64(text, size, &used, &value);
    if (result == PLOY_ERR_FORMAT) return;
    errno = 0;
    char *end = NULL;
    long long want = strtoll(text, &end, 10);
    REQUIRE(end == text + used);
    REQUIRE((errno == ERANGE) == (result == PLOY_ERR_LIMIT));
    REQUIRE(result != PLOY_OK || value == want);
}

static void read_u64(const char *text, size_t size) {
    size_t used = 0;
    uint64_t value = 0;
    ploy_result result = ploy_parse_u64(text, size, &used, &value);
    if (result == PLOY_ERR_FORMAT) return;
    errno = 0;
    char *end = NULL;
    unsigned long long want = strtoull(text, &end, 10);
    REQUIRE(end == text + used);
    REQUIRE((errno == ERANGE) == (result == PLOY_ERR_LIMIT));
    REQUIRE(result != PLOY_OK || value == want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (text == NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = 0;
    read_f64(text, size);
    read_f32(text, size);
    read_i64(text, size);
    read_u64(text, size);
    // Without the zero behind it: an address sanitizer then sees any read past the end.
    char *bare = malloc(size > 0 ? size : 1);
    if (bare != NULL) {
        if (size > 0) memcpy(bare, data, size);
        double d;
        uint64_t u;
        (void)ploy_parse_f64(bare, size, NULL, &d);
        (void)ploy_parse_hex64(bare, size, NULL, &u);
        free(bare);
    }
    free(text);
    if (size >= 8) {
        uint64_t bits;
        memcpy(&bits, data, sizeof bits);
        double wide;
        memcpy(&wide, &bits, sizeof wide);
        print_and_read_f64(wide);
        uint32_t word = (uint32_t)bits;
        float narrow;
        memcpy(&narrow, &word, sizeof narrow);
        print_and_read_f32(narrow);
        print_and_read_integers(bits);
    }
    return 0;
}
