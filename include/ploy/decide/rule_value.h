/// @file ploy/decide/rule_value.h
/// What rules talk about: symbols, strings, numbers, sequences of them, and facts.
///
/// A symbol and a string are the 64-bit name of their text (ploy/base/name.h), so comparing two is
/// comparing two numbers; the text is in the rule base, or in the rules at work for those that
/// were made at run time. An integer and a float are never equal, as in CLIPS.
///
/// Cost: all O(1), but O(length) where a sequence is compared or hashed.
/// Threads: plain data.
#pragma once

#include "ploy/base/name.h"
#include "ploy/base/writer.h"

typedef enum ploy_rule_type {
    PLOY_RULE_NONE,    ///< nothing, what an action without a result gives
    PLOY_RULE_SYMBOL,  ///< a word
    PLOY_RULE_STRING,  ///< a text in quotes
    PLOY_RULE_NAME,    ///< a word in brackets: CLIPS's names of instances
    PLOY_RULE_INTEGER, ///< 64 bits with sign
    PLOY_RULE_FLOAT,   ///< a double
    PLOY_RULE_MULTI,   ///< a sequence of the others, never of sequences
    PLOY_RULE_FACT,    ///< the address of a fact
    PLOY_RULE_TYPE_COUNT
} ploy_rule_type;

/// A fact in a working memory. Opaque; see ploy/decide/rules.h.
typedef struct ploy_fact ploy_fact;

typedef struct ploy_rule_value {
    int32_t type;  ///< a ploy_rule_type
    int32_t count; ///< items of a sequence, 0 for all else
    union {
        uint64_t text; ///< the hash of a ploy_name; 0 for the empty text
        int64_t integer;
        double real;
        const struct ploy_rule_value *items;
        ploy_fact *fact;
        uint64_t bits; ///< set to 0 before a pointer is, so that no byte is left over
    } as;
} ploy_rule_value;

/// Makers, one for each type. Items are not copied. Inline, because matching makes values all the
/// time. Every byte is set.
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
/// There is one zero only, so that equal floats have equal hashes.
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

/// Same type and same contents. 3 and 3.0 differ, `a` and "a" too.
PLOY_API bool ploy_rule_equal(const ploy_rule_value *a, const ploy_rule_value *b);

/// Most characters that ploy_rule_print_float writes for a precision, its zero included.
#define PLOY_RULE_FLOAT_TEXT(precision) (336 + (precision))

/// Writes a double as C's printf does in the plain locale: conversion 'e', 'f' or 'g', rounded to
/// the nearest, ties to even. @param precision 0 to 100. @return the length, without the zero.
PLOY_API size_t ploy_rule_print_float(double value, char conversion, int32_t precision, char *out);
