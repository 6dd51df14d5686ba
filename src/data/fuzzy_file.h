// Shared between the readers and writers of fuzzy systems.
#pragma once

#include "ploy/data/fuzzy_file.h"

// Bytes of a file with the place of each: positions are offsets.
typedef struct ployi_fuzzy_file {
    const char *text;
    size_t size;
    const char *name;
    ploy_diags *diags;
    ploy_env env;
    ploy_result result; // the first fault
    size_t line_at;     // start of the line of the last place asked for
    int32_t line;
} ployi_fuzzy_file;

// A stretch of the file.
typedef struct ployi_fuzzy_span {
    size_t at, end;
} ployi_fuzzy_span;

ployi_fuzzy_file ployi_fuzzy_open(const char *text, size_t size, const char *name,
                                  const ploy_env *env, ploy_diags *diags);
// The line and column of a place; cheapest asked in rising order.
ploy_fuzzy_source ployi_fuzzy_place(ployi_fuzzy_file *file, size_t at);
// Says what is wrong, with the word (if it is not empty) behind the message.
void ployi_fuzzy_wrong(ployi_fuzzy_file *file, ployi_fuzzy_span word, ploy_result code,
                       const char *message, const char *expected, const char *nearest);
// Reports a fault that does not stop the reader.
void ployi_fuzzy_warn(ployi_fuzzy_file *file, ployi_fuzzy_span word, const char *message);
// Without blanks around it.
ployi_fuzzy_span ployi_fuzzy_trim(const ployi_fuzzy_file *file, ployi_fuzzy_span span);
// Takes the next word off the span: up to a blank. Empty at its end.
ployi_fuzzy_span ployi_fuzzy_take(const ployi_fuzzy_file *file, ployi_fuzzy_span *span);
bool ployi_fuzzy_span_is(const ployi_fuzzy_file *file, ployi_fuzzy_span span, const char *text);
// A copy with its zero, cut to what a diagnostic holds.
const char *ployi_fuzzy_copy(const ployi_fuzzy_file *file, ployi_fuzzy_span span,
                             char text[PLOY_DIAG_TEXT_MAX]);
// A number, or a fault.
bool ployi_fuzzy_number(ployi_fuzzy_file *file, ployi_fuzzy_span word, double *out);
// Which of the texts the word is, in any case, or -1 and a fault with the nearest.
int32_t ployi_fuzzy_choose(ployi_fuzzy_file *file, ployi_fuzzy_span word, const char *what,
                           const char *const *texts, int32_t count);
// Adds `NAME SHAPE number...` or `NAME Function formula` as a term; `shape` begins at the shape.
void ployi_fuzzy_add_term(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t variable,
                          ployi_fuzzy_span name, ployi_fuzzy_span shape);
// Adds a term of a set that was read already.
void ployi_fuzzy_add_set(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t variable,
                         ployi_fuzzy_span name, const ploy_fuzzy_set *set);
// Adds an input or output, or says why not. -1 then.
int32_t ployi_fuzzy_add_variable(ployi_fuzzy_file *file, ploy_fuzzy_type *type, bool output,
                                 ployi_fuzzy_span name, const ploy_fuzzy_variable_def *def);
// Adds a rule.
void ployi_fuzzy_add_rule(ployi_fuzzy_file *file, ploy_fuzzy_type *type, int32_t block,
                          ployi_fuzzy_span rule);
// Finishes the type; hands it out or destroys it.
ploy_result ployi_fuzzy_close(ployi_fuzzy_file *file, ploy_fuzzy_type *type, ploy_fuzzy_type **out);

// "Triangle 0 1 2", as both languages write it.
void ployi_fuzzy_write_set(const ploy_fuzzy_set *set, ploy_writer *writer);
