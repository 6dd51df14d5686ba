// Words of lines; see the header.
#include "path/path_lines.h"

#include <string.h>

#include "ploy/base/number.h"

void ployi_lines_init(ployi_lines *lines, const void *bytes, size_t size, const char *name,
                      ploy_diags *diags) {
    memset(lines, 0, sizeof *lines);
    lines->bytes = bytes;
    lines->size = size;
    lines->name = name;
    lines->diags = diags;
}

static bool lines_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

bool ployi_lines_next(ployi_lines *lines) {
    while (lines->at < lines->size) {
        lines->start = lines->bytes + lines->at;
        lines->line++;
        lines->count = 0;
        const char *end = memchr(lines->start, '\n', lines->size - lines->at);
        const char *stop = end != NULL ? end : lines->bytes + lines->size;
        lines->at = (size_t)(stop - lines->bytes) + (end != NULL ? 1 : 0);
        const char *comment = memchr(lines->start, '#', (size_t)(stop - lines->start));
        if (comment != NULL) stop = comment;
        for (const char *c = lines->start; c < stop;) {
            if (lines_blank(*c)) {
                c++;
                continue;
            }
            const char *word = c;
            while (c < stop && !lines_blank(*c)) c++;
            if (lines->count < PLOYI_LINES_WORDS) {
                lines->words[lines->count] = word;
                lines->lengths[lines->count] = (size_t)(c - word);
            }
            lines->count++;
        }
        if (lines->count > 0) return true;
    }
    return false;
}

void ployi_lines_fault(ployi_lines *lines, int32_t word, ploy_result code, const char *message,
                       const char *expected) {
    if (lines->result == PLOY_OK) lines->result = code;
    int32_t line = lines->line, column = 0;
    int32_t known = lines->count < PLOYI_LINES_WORDS ? lines->count : PLOYI_LINES_WORDS;
    if (known > 0) {
        bool behind = word >= known;
        const char *at = lines->words[behind ? known - 1 : word];
        size_t offset = (size_t)(at - lines->start) + (behind ? lines->lengths[known - 1] : 0);
        column = offset < INT32_MAX ? (int32_t)offset + 1 : 0;
    }
    ploy_diags_add(lines->diags, PLOY_SEVERITY_ERROR, code, lines->name, line, column, message,
                   expected, NULL);
}

bool ployi_lines_is(const ployi_lines *lines, int32_t word, const char *text) {
    return word < lines->count && word < PLOYI_LINES_WORDS &&
           lines->lengths[word] == strlen(text) &&
           memcmp(lines->words[word], text, lines->lengths[word]) == 0;
}

static bool lines_has(ployi_lines *lines, int32_t word, const char *expected) {
    if (word < lines->count && word < PLOYI_LINES_WORDS) return true;
    ployi_lines_fault(lines, word, PLOY_ERR_FORMAT, "missing word", expected);
    return false;
}

bool ployi_lines_f64(ployi_lines *lines, int32_t word, double min, double max, double *out) {
    if (!lines_has(lines, word, "a number")) return false;
    double value = 0.0;
    if (ploy_parse_f64(lines->words[word], lines->lengths[word], NULL, &value) != PLOY_OK) {
        ployi_lines_fault(lines, word, PLOY_ERR_FORMAT, "invalid number", "a number");
        return false;
    }
    if (!(value >= min && value <= max)) { // false for NaN
        ployi_lines_fault(lines, word, PLOY_ERR_FORMAT, "number is out of range", NULL);
        return false;
    }
    *out = value;
    return true;
}

bool ployi_lines_f32(ployi_lines *lines, int32_t word, float min, float max, float *out) {
    double value = 0.0;
    float rounded = 0.0f;
    if (!ployi_lines_f64(lines, word, (double)min, (double)max, &value)) return false;
    // Read again as a float: rounding twice can miss the nearest one.
    if (ploy_parse_f32(lines->words[word], lines->lengths[word], NULL, &rounded) != PLOY_OK) {
        ployi_lines_fault(lines, word, PLOY_ERR_FORMAT, "number is out of range", NULL);
        return false;
    }
    *out = rounded;
    return true;
}

bool ployi_lines_i32(ployi_lines *lines, int32_t word, int32_t min, int32_t max, int32_t *out) {
    if (!lines_has(lines, word, "a whole number")) return false;
    int64_t value = 0;
    if (ploy_parse_i64(lines->words[word], lines->lengths[word], NULL, &value) != PLOY_OK) {
        ployi_lines_fault(lines, word, PLOY_ERR_FORMAT, "invalid number", "a whole number");
        return false;
    }
    if (value < min || value > max) {
        ployi_lines_fault(lines, word, PLOY_ERR_FORMAT, "number is out of range", NULL);
        return false;
    }
    *out = (int32_t)value;
    return true;
}

bool ployi_lines_u64(ployi_lines *lines, int32_t word, bool hexadecimal, uint64_t max,
                     uint64_t *out) {
    const char *expected = hexadecimal ? "hexadecimal digits" : "a whole number";
    if (!lines_has(lines, word, expected)) return false;
    uint64_t value = 0;
    ploy_result result =
        hexadecimal ? ploy_parse_hex64(lines->words[word], lines->lengths[word], NULL, &value)
                    : ploy_parse_u64(lines->words[word], lines->lengths[word], NULL, &value);
    if (result != PLOY_OK || value > max) {
        ployi_lines_fault(lines, word, PLOY_ERR_FORMAT,
                          result == PLOY_OK ? "number is out of range" : "invalid number",
                          expected);
        return false;
    }
    *out = value;
    return true;
}

bool ployi_lines_counts(ployi_lines *lines, int32_t min, int32_t max) {
    if (lines->count < min) {
        ployi_lines_fault(lines, lines->count, PLOY_ERR_FORMAT, "missing word", NULL);
        return false;
    }
    if (lines->count > max) {
        ployi_lines_fault(lines, max, PLOY_ERR_FORMAT, "unexpected text", "the end of the line");
        return false;
    }
    return true;
}

bool ployi_lines_header(ployi_lines *lines, const char *kind) {
    if (!ployi_lines_next(lines) || !ployi_lines_is(lines, 0, kind)) {
        ployi_lines_fault(lines, 0, PLOY_ERR_FORMAT, "missing format name in the first line", kind);
        return false;
    }
    if (!ployi_lines_is(lines, 1, "1")) {
        ployi_lines_fault(lines, 1, PLOY_ERR_VERSION, "unsupported version", "1");
        return false;
    }
    return ployi_lines_counts(lines, 2, 2);
}
