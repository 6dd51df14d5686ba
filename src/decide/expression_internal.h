// Shared between program_read.c, which makes expressions, and expression.c, which runs them.
//
// Invariants:
//   (1) nodes refer to nodes before them, but for `next`, which leads from statement to statement;
//   (2) no path down through the operands is longer than PLOY_EXPRESSION_DEPTH_MAX;
//   (3) texts[0] is the source; literals and names follow, each ended by a zero.
#pragma once

#include "ploy/base/array.h"
#include "ploy/decide/expression.h"

typedef enum ployi_expression_op {
    PLOYI_EXPRESSION_NUMBER,
    PLOYI_EXPRESSION_TEXT,
    PLOYI_EXPRESSION_NAME,
    PLOYI_EXPRESSION_CALL, // a word, with up to four operands
    PLOYI_EXPRESSION_MAKE, // name := a
    PLOYI_EXPRESSION_SET,  // name = a
    PLOYI_EXPRESSION_CHOOSE,
    PLOYI_EXPRESSION_OR,
    PLOYI_EXPRESSION_AND,
    PLOYI_EXPRESSION_EQUAL, // the six comparisons, in the order of the table in the reader
    PLOYI_EXPRESSION_DIFFERENT,
    PLOYI_EXPRESSION_LESS_EQUAL,
    PLOYI_EXPRESSION_GREATER_EQUAL,
    PLOYI_EXPRESSION_LESS,
    PLOYI_EXPRESSION_GREATER,
    PLOYI_EXPRESSION_BIT_OR,
    PLOYI_EXPRESSION_BIT_XOR,
    PLOYI_EXPRESSION_BIT_AND,
    PLOYI_EXPRESSION_ADD,
    PLOYI_EXPRESSION_SUBTRACT,
    PLOYI_EXPRESSION_JOIN,
    PLOYI_EXPRESSION_MULTIPLY,
    PLOYI_EXPRESSION_DIVIDE,
    PLOYI_EXPRESSION_NOT,
    PLOYI_EXPRESSION_INVERT,
    PLOYI_EXPRESSION_NEGATE,
    // Only in programs:
    PLOYI_EXPRESSION_INDEX,    // name[a]
    PLOYI_EXPRESSION_SETINDEX, // name[a] = b
    PLOYI_EXPRESSION_NOTHING,  // none
    // Statements. Blocks are lists by `next`; -1 is an empty one.
    PLOYI_EXPRESSION_BLOCK,    // { a }
    PLOYI_EXPRESSION_IF,       // if a { b } else { c }
    PLOYI_EXPRESSION_WHILE,    // while a { b }
    PLOYI_EXPRESSION_FOR,      // for name = a, b, number { c }
    PLOYI_EXPRESSION_EACH,     // for name in a { b }
    PLOYI_EXPRESSION_FUNCTION, // function name(a) { b }
    PLOYI_EXPRESSION_RETURN,   // return a
    PLOYI_EXPRESSION_LOCAL,    // local name = a
    PLOYI_EXPRESSION_KEEP,     // keep name = a
    PLOYI_EXPRESSION_YIELD,
    PLOYI_EXPRESSION_WAIT,    // wait a
    PLOYI_EXPRESSION_UNTIL,   // until a
    PLOYI_EXPRESSION_ATOMIC,  // atomic { a }
    PLOYI_EXPRESSION_WHEN,    // when a priority number do b
    PLOYI_EXPRESSION_MONITOR, //
    PLOYI_EXPRESSION_RECORD   // record name { a }: KEEPs
} ployi_expression_op;

typedef struct ployi_expression_node {
    double number;
    uint32_t at;        // bytes from the beginning of the source
    uint32_t text;      // of texts, of a literal
    int32_t a, b, c, d; // operands, -1 for none
    int32_t next;       // the next statement, -1 for none
    uint16_t depth;     // of the path down from here
    uint16_t name;      // of names; of calls for a CALL
    uint16_t type;      // a ployi_type_kind or composite type, once checked
    uint8_t op;         //
    bool chained;       // a comparison whose left side is the comparison before it
    // Of programs, once checked:
    uint8_t field;     // slot inside the symbol's value
    uint8_t component; // 1 + that of a vector, 0 for the whole
    int32_t symbol;    // of a name
    int32_t entry;     // code of this node alone, -1 for none
    uint32_t end;      // of a statement's text
} ployi_expression_node;

typedef struct ployi_expression_name {
    uint32_t text; // of texts
    ploy_value_type type;
    bool makes, writes, reads;
} ployi_expression_name;

typedef struct ployi_expression_call {
    uint32_t text; // of texts: the word
    uint32_t at;   // bytes from the beginning of the source
    int32_t count; // of arguments
    int32_t node;  // of the CALL
    // After resolve: the word's number in the set, or the condition that a quoted text represents.
    uint32_t word;
    uint32_t condition;
} ployi_expression_call;

struct ployi_code;

struct ploy_expression {
    ploy_env env;
    ploy_array nodes, names, texts, calls;
    ploy_conditions *set; // whose words it calls, or NULL
    int32_t first;        // statement, -1 for none
    int32_t last;
    int32_t line, column; // where the source begins
    uint32_t source;      // the file's name in texts
    bool bound;
    struct ployi_code *code; // once bound
};

// Reports a fault at a place of the source. In program_read.c.
ploy_result ployi_expression_fault(const ploy_expression *expression, ploy_diags *diags,
                                   ploy_result code, uint32_t at, const char *message,
                                   const char *expected);

// The line and column of a place of the source. In program_read.c.
void ployi_expression_place(const ploy_expression *expression, uint32_t at, int32_t *line,
                            int32_t *column);
// A copy, bound as the original. In expression.c.
ploy_result ployi_expression_copy(const ploy_expression *from, const ploy_env *env,
                                  ploy_expression **out);
// Reports its blocks, as ploy_array_memory does. In expression.c.
void ployi_expression_memory(const ploy_expression *expression, ploy_memory_fn fn, void *user);
// Compiles one node of a bound expression, so that it can run alone. In expression.c.
ploy_result ployi_expression_entry(ploy_expression *expression, int32_t node);
// The number that one node of a bound expression comes to; it needs an entry. In expression.c.
ploy_result ployi_expression_number(const ploy_expression *expression, int32_t node,
                                    const ploy_blackboard_ref *refs, const ploy_moment *moment,
                                    double *out);
