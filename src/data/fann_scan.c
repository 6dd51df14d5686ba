// A scanner for FANN's text files.
#include "data/fann_scan.h"

#include "ploy/base/math.h"
#include "ploy/base/number.h"

#include <string.h>

ployi_fann_scan ployi_fann_scan_make(const void *bytes, size_t size, const char *name,
                                     ploy_diags *diags) {
    ployi_fann_scan s = {bytes, size, 0, 0, 1, name, diags};
    return s;
}

ploy_result ployi_fann_fault(const ployi_fann_scan *s, ploy_result code, const char *message,
                             const char *expected) {
    ploy_diags_add(s->diags, PLOY_SEVERITY_ERROR, code, s->name, s->line,
                   (int32_t)(s->at - s->line_start) + 1, message, expected, NULL);
    return code;
}

static void fann_scan_advance(ployi_fann_scan *s) {
    if (s->text[s->at++] != '\n') return;
    s->line++;
    s->line_start = s->at;
}

void ployi_fann_skip(ployi_fann_scan *s) {
    while (s->at < s->size && (s->text[s->at] == ' ' || s->text[s->at] == '\t' ||
                               s->text[s->at] == '\r' || s->text[s->at] == '\n')) {
        fann_scan_advance(s);
    }
}

bool ployi_fann_match(ployi_fann_scan *s, const char *text) {
    ployi_fann_skip(s);
    size_t length = strlen(text);
    if (s->size - s->at < length || memcmp(s->text + s->at, text, length) != 0) return false;
    s->at += length; // no match holds an end of line
    return true;
}

bool ployi_fann_next_line(ployi_fann_scan *s) {
    while (s->at < s->size && s->text[s->at] != '\n') s->at++;
    if (s->at < s->size) fann_scan_advance(s);
    return s->at < s->size;
}

ploy_result ployi_fann_number(ployi_fann_scan *s, double *out) {
    ployi_fann_skip(s);
    size_t used = 0;
    if (s->at >= s->size ||
        ploy_parse_f64(s->text + s->at, s->size - s->at, &used, out) != PLOY_OK ||
        !ploy_is_finite_d(*out)) {
        return ployi_fann_fault(s, PLOY_ERR_FORMAT, "value is not a number", "a number");
    }
    s->at += used;
    return PLOY_OK;
}

ploy_result ployi_fann_whole(ployi_fann_scan *s, int64_t min, int64_t max, int64_t *out) {
    ployi_fann_skip(s);
    size_t used = 0;
    int64_t value = 0;
    if (s->at >= s->size ||
        ploy_parse_i64(s->text + s->at, s->size - s->at, &used, &value) != PLOY_OK) {
        return ployi_fann_fault(s, PLOY_ERR_FORMAT, "value is not a whole number",
                                "a whole number");
    }
    if (value < min || value > max) {
        return ployi_fann_fault(s, PLOY_ERR_FORMAT, "number is out of range", NULL);
    }
    s->at += used;
    *out = value;
    return PLOY_OK;
}
