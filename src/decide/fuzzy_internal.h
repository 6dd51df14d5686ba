// Shared between the files of fuzzy systems.
#pragma once

#include "choice.h"
#include "ploy/base/arena.h"
#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/decide/fuzzy.h"

// ---- formulas ----

// One step of a formula in postfix order.
typedef struct ployi_formula_op {
    int32_t code;
    int32_t arg; // number of a variable: inputs first, then outputs
    double value;
} ployi_formula_op;

// Reads a formula and appends its steps. Reports what is wrong to the source, or else to the log.
// *uses_x and *uses_variables say what it depends on.
ploy_result ployi_formula_read(const ploy_fuzzy_type *type, const char *text,
                               const ploy_fuzzy_source *source, ploy_array *ops, bool *uses_x,
                               bool *uses_variables);
double ployi_formula_eval(const ployi_formula_op *ops, int32_t count, double x,
                          const double *values);

// ---- definitions ----

enum { PLOYI_FUZZY_SPAN = 128 }; // samples worked on at a time, on the stack; a multiple of 4

typedef struct ployi_fuzzy_term {
    const char *name;
    ploy_fuzzy_set set; // values and formula in the type's arena
    int32_t line, column;
    int32_t op_first, op_count; // of its formula
    bool dynamic;               // depends on the variables' values, so it cannot be sampled ahead
    bool used;                  // some rule names it
    bool triangle;              // and its corners are finite
    double point;               // what represents it
    const double *table;        // of an output: its degree at each sample; NULL: not sampled
    int32_t first, last;        // samples outside of [first, last) are 0
    // Of a term in its output's row, see fuzzy_sample.c:
    int32_t peak, peak_end;     // samples [peak, peak_end) are the highest
    int32_t meet;               // the first sample that it has higher than its left neighbour
    int32_t levels;             // how many there are up to the peak
    double scale;               // from degrees to levels
    const int32_t *rise, *fall; // of each level: first sample that reaches it, one past the last
    const double *areas;        // [i]: sum of the samples before i
    const double *moments;      // the same of each times its number
} ployi_fuzzy_term;

typedef struct ployi_fuzzy_variable {
    const char *name;
    const char *description;
    ploy_fuzzy_variable_def def;
    ploy_array terms; // of ployi_fuzzy_term
    int32_t base;     // number of its first term among all
    int32_t active;   // of an output: first of its places in the list of conclusions
    int32_t places;   // how many
    ploy_fuzzy_norm
        implication;    // the one of all blocks that conclude on it, or none if they differ
    double step;        // of an output: from one sample to the next
    bool fast;          // sampled ahead, joined by max, clipped by min or product
    const int32_t *row; // its terms from left to right, if they form a row; or NULL
    int32_t row_count;
    ploy_slot slot;
    bool narrow;      // the slot holds an f32
    ploy_maker maker; // of an output: what runs when it is the largest
} ployi_fuzzy_variable;

// One step of a rule's part in postfix order.
enum { PLOYI_FUZZY_TERM, PLOYI_FUZZY_HEDGE, PLOYI_FUZZY_AND, PLOYI_FUZZY_OR, PLOYI_FUZZY_XOR };
typedef struct ployi_fuzzy_op {
    int32_t code;
    int32_t variable; // of a term, as the header counts; the hedge's number
    int32_t term;
    int32_t number; // of the term among all; set by finish
} ployi_fuzzy_op;

typedef struct ployi_fuzzy_end {
    int32_t output, term;
    int32_t hedge_first, hedge_count; // applied from the last to the first
    // Set by finish:
    int32_t number; // of the term among all
    int32_t active; // the output's first place in the list of conclusions
    bool direct;    // no hedges, an enabled output joined by max
} ployi_fuzzy_end;

typedef struct ployi_fuzzy_rule {
    const char *text;
    double weight;
    int32_t op_first, op_count;
    int32_t end_first, end_count;
    bool ands, ors;
    int32_t plain_first, plain_count; // its terms, if they are joined by min alone; set by finish
} ployi_fuzzy_rule;

// A rule of one or two terms joined by min, with one direct conclusion: all that firing it needs.
typedef struct ployi_fuzzy_quick {
    double weight;
    int32_t a, b;   // numbers of its terms, equal if there is one
    int32_t term;   // of the conclusion
    int32_t number; // of that term among all
} ployi_fuzzy_quick;

typedef struct ployi_fuzzy_block {
    const char *name;
    ploy_fuzzy_block_def def;
    ploy_array rules; // of ployi_fuzzy_rule
    int32_t base;     // number of its first rule among all
    // Set by finish, if all its rules are quick ones that conclude on one output and fire whenever
    // they hold:
    int32_t quick_first;  // of the first; -1: they are not
    int32_t quick_output; // the output
} ployi_fuzzy_block;

struct ploy_fuzzy_type {
    ploy_env env;
    ploy_arena *texts; // names, formulas, values and samples
    const char *name;
    const char *description;
    ploy_array variables[2]; // of ployi_fuzzy_variable: inputs, outputs
    ploy_map by_name;        // of int32_t: number of the first variable or term with that key
    ploy_array blocks;
    ploy_array ops;                   // of ployi_fuzzy_op
    ploy_array ends;                  // of ployi_fuzzy_end
    ploy_array hedges;                // of int32_t
    ploy_array plain;                 // of int32_t: numbers of terms
    ploy_array quick;                 // of ployi_fuzzy_quick
    ploy_array formula;               // of ployi_formula_op
    double numbers[PLOYI_FUZZY_SPAN]; // 0, 1, 2, ...: samples of a span, as numbers
    const ploy_blackboard_layout *layout;
    ploy_slot chosen;   // gets the name of the largest output; may be none
    ploy_result result; // the first fault
    bool finished;
    bool options;                                        // an output has a behavior
    int32_t term_count, rule_count, place_count, widest; // widest: most rules of a block
};

// ---- instances ----

struct ploy_fuzzy {
    ploy_env env;
    const ploy_fuzzy_type *type;
    size_t size;
    double *values;
    double *previous;      // of each output, the last finite value
    double *seen;          // of each input
    double *degrees;       // of each term; of an output's, joined from its conclusions
    double *rules;         // of each rule
    double *active_degree; // of each place
    int32_t *count;        // of each output
    int32_t *active_term;
    int32_t *active_norm; // the implication
    int32_t *fired;       // of each rule
    int32_t *order;       // of the rules of one block
    ployi_choice choice;  // the outputs' behaviors
};

// In fuzzy.c.
void ployi_fuzzy_visit(ploy_visit *v, void *object);

// The outputs' behaviors, made for an instance. In fuzzy_board.c.
ploy_result ployi_fuzzy_make_options(ploy_fuzzy *fuzzy);

static inline double ployi_fuzzy_hold(const ploy_fuzzy_variable_def *def, double value) {
    if (!def->lock_range) return value;
    return value < def->min ? def->min : value > def->max ? def->max : value;
}

// The output's number from its conclusions, of which there are some. In fuzzy_output.c.
double ployi_fuzzy_defuzzify(const ploy_fuzzy *fuzzy, int32_t output);

// ---- access ----

static inline ployi_fuzzy_variable *ployi_fuzzy_input_at(const ploy_fuzzy_type *type, int32_t i) {
    return PLOY_ARRAY_ITEMS(&type->variables[0], ployi_fuzzy_variable) + i;
}
static inline ployi_fuzzy_variable *ployi_fuzzy_output_at(const ploy_fuzzy_type *type, int32_t i) {
    return PLOY_ARRAY_ITEMS(&type->variables[1], ployi_fuzzy_variable) + i;
}
static inline ployi_fuzzy_term *ployi_fuzzy_term_at(const ployi_fuzzy_variable *v, int32_t i) {
    return PLOY_ARRAY_ITEMS(&v->terms, ployi_fuzzy_term) + i;
}
static inline ployi_fuzzy_block *ployi_fuzzy_block_at(const ploy_fuzzy_type *type, int32_t i) {
    return PLOY_ARRAY_ITEMS(&type->blocks, ployi_fuzzy_block) + i;
}
static inline ployi_fuzzy_rule *ployi_fuzzy_rule_at(const ployi_fuzzy_block *block, int32_t i) {
    return PLOY_ARRAY_ITEMS(&block->rules, ployi_fuzzy_rule) + i;
}

// The variable, or NULL.
ployi_fuzzy_variable *ployi_fuzzy_find_variable(const ploy_fuzzy_type *type, int32_t variable);

// A fault: to the source's diags, or the log. The offset is that of a place in text, which may have
// several lines; text may be NULL.
ploy_result ployi_fuzzy_fault(const ploy_fuzzy_type *type, const ploy_fuzzy_source *source,
                              const char *source_text, size_t offset, ploy_result code,
                              const char *message, const char *name, const char *expected,
                              const char *nearest);

// Keeps a text, in one line and without blanks around it. NULL if memory is short.
const char *ployi_fuzzy_keep(ploy_fuzzy_type *type, const char *text, size_t size);
enum { PLOYI_FUZZY_VARIABLES = -1 }; // owner of the variables' names; a variable owns its terms'
// Makes a kept name findable. Of names with equal keys the map holds the first.
ploy_result ployi_fuzzy_index(ploy_fuzzy_type *type, int32_t owner, const char *name,
                              int32_t number);

// Reads the part of a rule alone, for guards; appends to ops.
ploy_result ployi_fuzzy_read_part(const ploy_fuzzy_type *type, const char *text, ploy_array *ops);

// The degree of a part. degree_of gives the degree of a term.
double ployi_fuzzy_part_degree(const ployi_fuzzy_op *ops, int32_t count,
                               const ploy_fuzzy_block_def *norms,
                               double (*degree_of)(const void *user, const ployi_fuzzy_op *op),
                               const void *user);

// The degree of a term at x; values are the inputs' and outputs'.
double ployi_fuzzy_term_degree(const ploy_fuzzy_type *type, const ployi_fuzzy_term *term, double x,
                               const double *values);

// True if the output's conclusions are sets with areas, which have to be sampled.
static inline bool ployi_fuzzy_is_area(const ployi_fuzzy_variable *v) {
    return v->def.defuzzifier <= PLOY_FUZZY_MEAN_OF_MAX ||
           v->def.defuzzifier == PLOY_FUZZY_CENTROID_OF_SETS;
}
// Samples the terms of an output ahead. In fuzzy_sample.c.
ploy_result ployi_fuzzy_sample(ploy_fuzzy_type *type, ployi_fuzzy_variable *v);

// Rules the same but for their conclusion: true if both parts are equal.
bool ployi_fuzzy_same_part(const ploy_fuzzy_type *type, const ployi_fuzzy_rule *a,
                           const ployi_fuzzy_rule *b);

// Letters of words: names may hold anything but blanks and what separates.
static inline bool ployi_fuzzy_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
// Equal but for the case of Latin letters.
bool ployi_fuzzy_word_is(const char *word, size_t size, const char *text);
