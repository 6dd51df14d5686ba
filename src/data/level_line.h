// One line of a level's text or of its overrides, split into words. Shared inside data.
#pragma once

#include "ploy/base/diags.h"

enum { PLOYI_LEVEL_LINE_WORDS = 40, PLOYI_LEVEL_LINE_SIZE = 1024 };

typedef struct ployi_level_line {
    const char *bytes; // of the whole text
    size_t size, at;
    const char *file;
    ploy_diags *diags;
    ploy_result result; // the first fault
    int32_t line;       // from 1
    char copy[PLOYI_LEVEL_LINE_SIZE];
    const char *words[PLOYI_LEVEL_LINE_WORDS]; // in copy, without quotes
    int32_t columns[PLOYI_LEVEL_LINE_WORDS];
    int32_t count;
} ployi_level_line;

void ployi_level_line_init(ployi_level_line *text, const char *bytes, size_t size, const char *file,
                           ploy_diags *diags);
// Reads the next line with words. Faulty lines are reported and skipped. @return false at the end,
// and out of memory.
bool ployi_level_line_next(ployi_level_line *text);
// Reports a fault at a word; a word beyond the last is the end of the line.
void ployi_level_line_fault(ployi_level_line *text, ploy_result code, int32_t word,
                            const char *message, const char *expected, const char *nearest);
bool ployi_level_line_is_number(const char *word, float *out);
// Reads numbers from a word on; reports the first word that is not a number.
bool ployi_level_line_numbers(ployi_level_line *text, int32_t first, int32_t count, float *out);
// True if the word is there and not a tag; otherwise reports it.
bool ployi_level_line_name(ployi_level_line *text, int32_t word);
