// A scanner for FANN's text files: numbers with their places.
#pragma once

#include "ploy/base/diags.h"

typedef struct ployi_fann_scan {
    const char *text;
    size_t size, at;
    size_t line_start;
    int32_t line;
    const char *name;
    ploy_diags *diags;
} ployi_fann_scan;

ployi_fann_scan ployi_fann_scan_make(const void *bytes, size_t size, const char *name,
                                     ploy_diags *diags);
// Adds an error at the present place. @return the code.
ploy_result ployi_fann_fault(const ployi_fann_scan *s, ploy_result code, const char *message,
                             const char *expected);
// Blanks, tabs and ends of lines.
void ployi_fann_skip(ployi_fann_scan *s);
// Skips blanks, then that text. @return false, at the place, if another text is there.
bool ployi_fann_match(ployi_fann_scan *s, const char *text);
// Skips to the beginning of the next line; false at the end.
bool ployi_fann_next_line(ployi_fann_scan *s);
// A number after blanks; a fault otherwise.
ploy_result ployi_fann_number(ployi_fann_scan *s, double *out);
ploy_result ployi_fann_whole(ployi_fann_scan *s, int64_t min, int64_t max, int64_t *out);
