/// @file ploy/decide/rule_value.h
/// Values in rules: symbols, strings, numbers, sequences of them, and facts.
///
/// A symbol or string is stored as the 64-bit name of its text (ploy/base/name.h), so comparing two
/// of them compares two numbers. The text is stored in the rule base, or in the ploy_rules if it
/// was made at run time. An integer and a float are never equal, as in CLIPS.
///
/// Cost: O(1); O(length) to compare or hash a sequence. Threads: plain data.
#pragma once

#include "ploy/base/name.h"
#include "ploy/base/writer.h"

typedef enum ploy_rule_type {
    PLOY_RULE_NONE,    ///< nothing: the value of an action without a result
    PLOY_RULE_SYMBOL,  ///< a word
    PLOY_RULE_STRING,  ///< a text in quotes
    PLOY_RULE_NAME,    ///< a word in brackets: CLIPS's names of instances
    PLOY_RULE_INTEGER, ///< signed, 64 bits
    PLOY_RULE_FLOAT,   ///< a double
    PLOY_RULE_MULTI,   ///< a sequence of the others, never of sequences
    PLOY_RULE_FACT,    ///< the address of a fact
    PLOY_RULE_TYPE_COUNT
} ploy_rule_type;

/// A fact in a working memory. Opaque; see ploy/decide/rules.h.
typedef struct ploy_fact ploy_fact;

typedef struct ploy_rule_value {
    int32_t type;  ///< a ploy_rule_type
    int32_t count; ///< items of a sequence, otherwise 0
    union {
        uint64_t text; ///< the hash of a ploy_name; 0 for the empty text
        int64_t integer;
        double real;
        const struct ploy_rule_value *items;
        ploy_fact *fact;
        uint64_t bits; ///< set to 0 before a pointer is set, so that every byte is defined
    } as;
} ploy_rule_value;

/// Makers, one for each type. Items are not copied. Inline, because matching makes many values.
/// Every byte is set.
static inline ploy_rule_value ploy_rule_none(void) {
    ploy_rule_value value;
    value.type = PLOY_RULE_NONE;
    value.count = 0;
    value.as.bits = 0;
    return value;
}
static inline ploy_rule_value ploy_rule_symbol(ploy_name name) {
    ploy_rule_value value = ploy_rule_none();
    value.type = PLOY_RULE_SYMBOL;
    value.as.text = name.hash;
    return value;
}
static inline ploy_rule_value ploy_rule_string(ploy_name name) {
    ploy_rule_value value = ploy_rule_symbol(name);
    value.type = PLOY_RULE_STRING;
    return value;
}
static inline ploy_rule_value ploy_rule_integer(int64_t number) {
    ploy_rule_value value = ploy_rule_none();
    value.type = PLOY_RULE_INTEGER;
    value.as.integer = number;
    return value;
}
/// Converts -0.0 to 0.0, so that equal floats have equal hashes.
static inline ploy_rule_value ploy_rule_float(double number) {
    ploy_rule_value value = ploy_rule_none();
    value.type = PLOY_RULE_FLOAT;
    value.as.real = number == 0.0 ? 0.0 : number;
    return value;
}
static inline ploy_rule_value ploy_rule_multi(const ploy_rule_value *items, int32_t count) {
    ploy_rule_value value = ploy_rule_none();
    value.type = PLOY_RULE_MULTI;
    value.count = count;
    if (count > 0) value.as.items = items;
    return value;
}
static inline ploy_rule_value ploy_rule_fact(ploy_fact *fact) {
    ploy_rule_value value = ploy_rule_none();
    value.type = PLOY_RULE_FACT;
    value.as.fact = fact;
    return value;
}

/// True if type and contents are equal. 3 and 3.0 differ, and so do `a` and "a".
PLOY_API bool ploy_rule_equal(const ploy_rule_value *a, const ploy_rule_value *b);

/// Maximum number of characters that ploy_rule_print_float writes for a precision, including the
/// terminating zero.
#define PLOY_RULE_FLOAT_TEXT(precision) (336 + (precision))

/// Writes a double as C's printf does in the plain locale: conversion 'e', 'f' or 'g', rounded to
/// the nearest, ties to even. @param precision 0 to 100. @return the length, without the
/// terminating zero.
PLOY_API size_t ploy_rule_print_float(double value, char conversion, int32_t precision, char *out);
