// Shared by program_check.c (operators, names, calls) and program_types.c (statements).
#pragma once

#include "decide/program_internal.h"

// What a CALL calls, in its `field`; `symbol` is the index. The list words are in the order of their
// table.
enum {
    PLOYI_CALL_ROUTINE,
    PLOYI_CALL_RECORD,
    PLOYI_CALL_HOST,
    PLOYI_CALL_BUILTIN,
    PLOYI_CALL_LIST,
    PLOYI_CALL_PUSH,
    PLOYI_CALL_POP,
    PLOYI_CALL_COUNT,
    PLOYI_CALL_CLEAR
};

ployi_expression_node *ployi_check_at(const ployi_program_checker *checker, int32_t node);
ployi_symbol *ployi_check_symbol(const ployi_program_checker *checker, int32_t symbol);
const char *ployi_check_name(const ployi_program_checker *checker, int32_t name);
// The type if it is of that kind, or NULL.
const ployi_type *ployi_check_type(const ployi_program_checker *checker, uint16_t type,
                                   uint8_t kind);
// @return the symbol, or -1.
int32_t ployi_check_add_symbol(ployi_program_checker *checker, int32_t name, uint8_t where,
                               uint16_t type);
// Finds what a name means and sets its type. @return false if it is unknown.
bool ployi_check_resolve(ployi_program_checker *checker, ployi_expression_node *at);
void ployi_check_unknown(ployi_program_checker *checker, uint32_t at, const char *text, bool call);
const char *ployi_check_callee(const ployi_program_checker *checker,
                               const ployi_expression_node *at, int32_t *count);
void ployi_check_call(ployi_program_checker *checker, int32_t node);
void ployi_check_value(ployi_program_checker *checker, int32_t node);
