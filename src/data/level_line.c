// Lines of words; see the header.
#include "level_line.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/number.h"

void ployi_level_line_init(ployi_level_line *text, const char *bytes, size_t size, const char *file,
                           ploy_diags *diags) {
    memset(text, 0, sizeof *text);
    text->bytes = bytes;
    text->size = size;
    text->file = file;
    text->diags = diags;
}

void ployi_level_line_fault(ployi_level_line *text, ploy_result code, int32_t word,
                            const char *message, const char *expected, const char *nearest) {
    int32_t column = word < text->count ? text->columns[word]
                     : text->count > 0  ? text->columns[text->count - 1] +
                                             (int32_t)strlen(text->words[text->count - 1])
                                       : 1;
    ploy_diags_add(text->diags, PLOY_SEVERITY_ERROR, code, text->file, text->line, column, message,
                   expected, nearest);
    if (text->result == PLOY_OK) text->result = code;
}

static bool level_line_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// Ends the word that begins at *at and removes its quotes: what follows them moves to the front.
static bool level_line_word(ployi_level_line *text, size_t size, size_t *at) {
    size_t to = *at, quote = 0;
    bool quoted = false;
    for (; *at < size; (*at)++) {
        char c = text->copy[*at];
        if (c == 0) {
            text->columns[text->count - 1] = (int32_t)*at + 1;
            ployi_level_line_fault(text, PLOY_ERR_FORMAT, text->count - 1, "unexpected zero byte",
                                   NULL, NULL);
            return false;
        }
        if (c == '"') {
            quoted = !quoted;
            quote = *at;
        } else if (!quoted && (level_line_is_blank(c) || c == '#')) {
            break;
        } else {
            text->copy[to++] = c;
        }
    }
    if (quoted) {
        text->columns[text->count - 1] = (int32_t)quote + 1;
        ployi_level_line_fault(text, PLOY_ERR_FORMAT, text->count - 1, "unexpected end of line",
                               "a closing quote", NULL);
        return false;
    }
    bool comment = *at < size && text->copy[*at] == '#';
    text->copy[to] = 0; // at or before the blank, the comment or the end
    *at = comment ? size : *at + 1;
    return true;
}

static bool level_line_split(ployi_level_line *text, const char *line, size_t size) {
    text->count = 0;
    if (size >= PLOYI_LEVEL_LINE_SIZE) {
        ployi_level_line_fault(text, PLOY_ERR_FORMAT, 0, "line is too long", NULL, NULL);
        return false;
    }
    memcpy(text->copy, line, size);
    text->copy[size] = 0;
    size_t i = 0;
    while (i < size && text->copy[i] != '#') {
        if (level_line_is_blank(text->copy[i])) {
            text->copy[i++] = 0;
            continue;
        }
        if (text->count == PLOYI_LEVEL_LINE_WORDS) {
            text->columns[text->count - 1] = (int32_t)i + 1;
            ployi_level_line_fault(text, PLOY_ERR_FORMAT, text->count - 1, "too many words", NULL,
                                   NULL);
            return false;
        }
        text->words[text->count] = text->copy + i;
        text->columns[text->count++] = (int32_t)i + 1;
        if (!level_line_word(text, size, &i)) return false;
    }
    return true;
}

bool ployi_level_line_is_number(const char *word, float *out) {
    size_t used = 0, size = strlen(word);
    float number = 0.0f;
    if (ploy_parse_f32(word, size, &used, &number) != PLOY_OK || used != size || size == 0 ||
        !ploy_in_range(number, -1e9f, 1e9f)) {
        return false;
    }
    *out = number;
    return true;
}

bool ployi_level_line_numbers(ployi_level_line *text, int32_t first, int32_t count, float *out) {
    for (int32_t i = 0; i < count; i++) {
        if (first + i < text->count && ployi_level_line_is_number(text->words[first + i], &out[i]))
            continue;
        ployi_level_line_fault(text, PLOY_ERR_FORMAT, first + i,
                               first + i < text->count ? "unexpected word"
                                                       : "unexpected end of line",
                               "a number", NULL);
        return false;
    }
    return true;
}

// A name: any word that is there and not a tag.
bool ployi_level_line_name(ployi_level_line *text, int32_t word) {
    if (word < text->count && text->words[word][0] != 0 && strchr(text->words[word], '=') == NULL) {
        return true;
    }
    ployi_level_line_fault(text, PLOY_ERR_FORMAT, word,
                           word < text->count ? "unexpected word" : "unexpected end of line",
                           "a name", NULL);
    return false;
}

bool ployi_level_line_next(ployi_level_line *text) {
    while (text->at < text->size && text->result != PLOY_ERR_MEMORY) {
        const char *line = text->bytes + text->at;
        const char *end = memchr(line, '\n', text->size - text->at);
        size_t length = end == NULL ? text->size - text->at : (size_t)(end - line);
        text->line++;
        text->at += length + 1;
        if (level_line_split(text, line, length) && text->count > 0) return true;
    }
    return false;
}
