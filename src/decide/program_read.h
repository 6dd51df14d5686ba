// The parser, shared between program_read.c (expressions) and program_statement.c.
#pragma once

#include "decide/program_internal.h"

typedef struct ployi_reader {
    ploy_expression *made;
    const char *text;
    size_t size, at; // at: behind the present token
    ployi_program_token token, last;
    const ploy_expression_constant *constants;
    int32_t constant_count;
    int32_t names_max;
    ploy_diags *diags;
    int32_t depth;  // of parentheses, signs and blocks
    int32_t parens; // inside which lines do not end
    bool program;
    bool failed; // in the present statement
    ploy_result result;
} ployi_reader;

ploy_result ployi_reader_init(ployi_reader *reader, const char *text, size_t size, const char *name,
                              int32_t line, int32_t column, const ploy_env *env, ploy_diags *diags);
int32_t ployi_read_fail(ployi_reader *reader, ploy_result code, size_t at, const char *message,
                        const char *expected);
int32_t ployi_read_fail_near(ployi_reader *reader, ploy_result code, size_t at, const char *message,
                             const char *expected, const char *nearest);
int32_t ployi_read_unexpected(ployi_reader *reader, const char *message, const char *expected);
void ployi_read_next(ployi_reader *reader);
bool ployi_read_at(const ployi_reader *reader, const char *text);
bool ployi_read_word(const ployi_reader *reader, const char *word);
bool ployi_read_take(ployi_reader *reader, const char *text);
uint32_t ployi_read_keep(ployi_reader *reader, const char *text, size_t size);
ployi_expression_node ployi_read_node(uint8_t op, size_t at);
int32_t ployi_read_add(ployi_reader *reader, ployi_expression_node node);
int32_t ployi_read_find_name(ployi_reader *reader, size_t begin, size_t size);
// An expression, also an assignment.
int32_t ployi_read_value(ployi_reader *reader);
