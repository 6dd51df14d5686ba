// Shared between condition.c, condition_text.c and expression.c.
#pragma once

#include "decide_internal.h"
#include "ploy/decide/expression.h"

typedef enum condition_kind {
    CONDITION_ALWAYS,
    CONDITION_BOOL,
    CONDITION_I64,
    CONDITION_U64,
    CONDITION_SET,
    CONDITION_NAME,
    CONDITION_F32,
    CONDITION_F64,
    CONDITION_LENGTH,
    CONDITION_COMPARE,    // of a text: a key of any number with a constant
    CONDITION_EXPRESSION, // of a text: a node of an expression
    CONDITION_CALL,
    CONDITION_ELAPSED,
    CONDITION_STATUS,
    CONDITION_MESSAGE,
    CONDITION_JOIN_NOT,
    CONDITION_JOIN_AND,
    CONDITION_JOIN_OR,
    CONDITION_JOIN_XOR
} condition_kind;

typedef struct condition_node {
    condition_kind kind;
    ploy_slot slot;
    // Parts; the first value and count of a set; the word and first argument of a call; the text
    // and node of an expression.
    uint32_t a, b;
    int32_t depth, size;
    float cost;
    int32_t args;         // of a call
    ploy_value_type type; // of the key of a comparison
    int32_t compare;      // a ployi_expression_op
    union {
        struct {
            int64_t min, max;
        } whole;
        struct {
            double min, max;
        } real;
        ploy_name name;
    } as;
} condition_node;

typedef struct condition_word {
    ploy_name name;
    ploy_condition_fn fn;
    ploy_score_fn score;
    ploy_condition_quoted_fn quoted;
    void *user;
    int32_t arity;
} condition_word;

// Special arities: a function that no text can name, a word that takes a quoted text.
enum { PLOYI_CONDITION_UNNAMED = -1, PLOYI_CONDITION_QUOTED = -2 };

// An expression that conditions and scores of the set refer to.
typedef struct condition_source {
    ploy_expression *expression;
    uint32_t first_slot; // of slots, one for each of its names
} condition_source;

typedef struct condition_score {
    ploy_slot slot; // a key, if there is no text and no word
    ploy_value_type type;
    uint32_t source; // of sources, from 1
    uint32_t word;   // of words, from 1
} condition_score;

struct ploy_conditions {
    ployi_build build;
    const ploy_blackboard_layout *layout;
    ploy_array nodes;   // condition_node; number n is at n - 1
    ploy_array values;  // int64_t, of the sets
    ploy_array words;   // condition_word
    ploy_array args;    // float
    ploy_array scores;  // condition_score
    ploy_array sources; // condition_source
    ploy_array slots;   // ploy_slot, of the sources
};

condition_node ployi_condition_make(condition_kind kind);
ploy_condition ployi_condition_add(ploy_conditions *set, const condition_node *node);
// The number under a slot of a type that has one.
double ployi_condition_number(const ploy_blackboard *board, ploy_slot slot, ploy_value_type type);
// The board of a moment if it has the set's layout, or NULL.
ploy_blackboard *ployi_condition_board(const ploy_conditions *set, const ploy_moment *moment);

// Names of ploy_ties, for field tables.
#define PLOYI_TIES_NAMES \
    { "first", "last", "random" }
// Whether the later of two equal options wins. @param equal  how many are equal so far, from 2 on.
bool ployi_tie(int32_t ties, int32_t equal, const ploy_moment *moment);

// ---- in condition_text.c

// Whether a node of an expression holds.
bool ployi_condition_test_text(const ploy_conditions *set, const condition_node *node,
                               const ploy_moment *moment);
// What an expression of the set comes to; NaN if it fails.
float ployi_score_text_value(const ploy_conditions *set, uint32_t source,
                             const ploy_moment *moment);

// ---- words, for expressions; in condition.c

// The number of a word, from 1; 0 if there is none.
uint32_t ployi_conditions_word(const ploy_conditions *set, const char *name);
int32_t ployi_conditions_arity(const ploy_conditions *set, uint32_t word);
// True if the word is a test and not a score.
bool ployi_conditions_is_test(const ploy_conditions *set, uint32_t word);
// The nearest word or key, or NULL.
const char *ployi_conditions_nearest(const ploy_conditions *set, const char *name);
ploy_condition ployi_conditions_quoted(ploy_conditions *set, uint32_t word, const char *text);
// What a word returns.
double ployi_conditions_call(const ploy_conditions *set, uint32_t word, const ploy_moment *moment,
                             const float *args);
