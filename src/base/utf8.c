// UTF-8, decoded by the ranges of table 3-7 of the Unicode Standard: the first byte fixes the
// length and narrows what the second may be, which alone excludes overlong forms, surrogates and
// code points above U+10FFFF.
#include "ploy/base/utf8.h"

static bool utf8_is_continuation(unsigned char byte) {
    return (byte & 0xC0u) == 0x80u;
}

// Decodes at text[at], at < size. Returns the code point or PLOY_UTF8_BAD, and in *length how many
// bytes that took.
static int32_t utf8_decode(const unsigned char *text, size_t size, size_t at, size_t *length) {
    unsigned char first = text[at];
    *length = 1;
    if (first < 0x80) return first;
    unsigned char second_min = 0x80, second_max = 0xBF;
    size_t need; // bytes behind the first
    uint32_t code;
    if (first >= 0xC2 && first <= 0xDF) {
        need = 1;
        code = first & 0x1Fu;
    } else if (first >= 0xE0 && first <= 0xEF) {
        need = 2;
        code = first & 0x0Fu;
        if (first == 0xE0) second_min = 0xA0; // below is overlong
        if (first == 0xED) second_max = 0x9F; // above are surrogates
    } else if (first >= 0xF0 && first <= 0xF4) {
        need = 3;
        code = first & 0x07u;
        if (first == 0xF0) second_min = 0x90; // below is overlong
        if (first == 0xF4) second_max = 0x8F; // above is beyond U+10FFFF
    } else {
        return PLOY_UTF8_BAD;
    }
    for (size_t i = 1; i <= need; i++) {
        if (size - at <= i) return PLOY_UTF8_BAD; // cut short
        unsigned char byte = text[at + i];
        if (!utf8_is_continuation(byte)) return PLOY_UTF8_BAD;
        if (i == 1 && (byte < second_min || byte > second_max)) return PLOY_UTF8_BAD;
        code = code << 6 | (byte & 0x3Fu);
        *length = i + 1;
    }
    return (int32_t)code;
}

bool ploy_utf8_check(const char *text, size_t size, size_t *bad) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t at = 0;
    while (at < size) {
        size_t length = 1;
        if (bytes[at] >= 0x80 && utf8_decode(bytes, size, at, &length) == PLOY_UTF8_BAD) break;
        at += length;
    }
    if (bad != NULL) *bad = at;
    return at == size;
}

int32_t ploy_utf8_next(const char *text, size_t size, size_t *at) {
    if (*at >= size) return PLOY_UTF8_END;
    size_t length;
    int32_t code = utf8_decode((const unsigned char *)text, size, *at, &length);
    *at += length;
    return code;
}

int32_t ploy_utf8_encode(uint32_t code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(unsigned char)(0xC0u | code >> 6);
        out[1] = (char)(unsigned char)(0x80u | (code & 0x3Fu));
        return 2;
    }
    if (code >= 0xD800 && code <= 0xDFFF) return 0;
    if (code < 0x10000) {
        out[0] = (char)(unsigned char)(0xE0u | code >> 12);
        out[1] = (char)(unsigned char)(0x80u | (code >> 6 & 0x3Fu));
        out[2] = (char)(unsigned char)(0x80u | (code & 0x3Fu));
        return 3;
    }
    if (code > 0x10FFFF) return 0;
    out[0] = (char)(unsigned char)(0xF0u | code >> 18);
    out[1] = (char)(unsigned char)(0x80u | (code >> 12 & 0x3Fu));
    out[2] = (char)(unsigned char)(0x80u | (code >> 6 & 0x3Fu));
    out[3] = (char)(unsigned char)(0x80u | (code & 0x3Fu));
    return 4;
}

size_t ploy_utf8_count(const char *text, size_t size) {
    size_t at = 0, count = 0;
    while (ploy_utf8_next(text, size, &at) != PLOY_UTF8_END) count++;
    return count;
}
