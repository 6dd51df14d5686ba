// Line-based text formats of the module: words of one line at a time, with places for messages.
#pragma once

#include "ploy/base/diags.h"

enum { PLOYI_LINES_WORDS = 16 };

typedef struct ployi_lines {
    const char *bytes;
    size_t size, at; // at: behind the present line
    const char *name;
    ploy_diags *diags;
    int32_t line; // from 1
    const char *start;
    const char *words[PLOYI_LINES_WORDS];
    size_t lengths[PLOYI_LINES_WORDS];
    int32_t count;      // of words; those beyond the array are counted only
    ploy_result result; // of the first fault
} ployi_lines;

void ployi_lines_init(ployi_lines *lines, const void *bytes, size_t size, const char *name,
                      ploy_diags *diags);
// Goes to the next line that holds a word. False at the end.
bool ployi_lines_next(ployi_lines *lines);
// Reports a fault at a word (0: at the line's first; beyond the last: behind it) and remembers it.
void ployi_lines_fault(ployi_lines *lines, int32_t word, ploy_result code, const char *message,
                       const char *expected);
bool ployi_lines_is(const ployi_lines *lines, int32_t word, const char *text);
// Each reports a fault and returns false if the word is missing or no such number.
bool ployi_lines_f64(ployi_lines *lines, int32_t word, double min, double max, double *out);
bool ployi_lines_f32(ployi_lines *lines, int32_t word, float min, float max, float *out);
bool ployi_lines_i32(ployi_lines *lines, int32_t word, int32_t min, int32_t max, int32_t *out);
bool ployi_lines_u64(ployi_lines *lines, int32_t word, bool hexadecimal, uint64_t max,
                     uint64_t *out);
// Reports a fault if the line has fewer or more words than that.
bool ployi_lines_counts(ployi_lines *lines, int32_t min, int32_t max);
// The first line of a file: its kind and version 1.
bool ployi_lines_header(ployi_lines *lines, const char *kind);
