// Formulas of terms: numbers, x, the variables' names, operators and functions, compiled to postfix.
//
// From the loosest: or, and, + -, * / %, - as a sign, ^ (from the right), ! and ~, calls. As in
// fuzzylite 6, with the plain minus sign besides its ~.
//
// Invariant of compiled code: (1) running it never takes more than FORMULA_DEPTH numbers, nor takes
// one that is not there; reading counts them.
#include <string.h>

#include "fuzzy_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

enum { FORMULA_DEPTH = 64, FORMULA_NESTING = 64 };

// The order is that of formula_functions, then of what has no name.
enum {
    FORMULA_ABS,
    FORMULA_ACOS,
    FORMULA_ACOSH,
    FORMULA_ASIN,
    FORMULA_ASINH,
    FORMULA_ATAN,
    FORMULA_ATANH,
    FORMULA_CEIL,
    FORMULA_COS,
    FORMULA_COSH,
    FORMULA_EXP,
    FORMULA_FABS,
    FORMULA_FLOOR,
    FORMULA_LN,
    FORMULA_LOG,
    FORMULA_LOG10,
    FORMULA_LOG1P,
    FORMULA_ROUND,
    FORMULA_SIN,
    FORMULA_SINH,
    FORMULA_SQRT,
    FORMULA_TAN,
    FORMULA_TANH,
    FORMULA_NOT,
    FORMULA_NEGATE,
    FORMULA_ATAN2, // from here on of two numbers
    FORMULA_EQ,
    FORMULA_FMOD,
    FORMULA_GE,
    FORMULA_GT,
    FORMULA_LE,
    FORMULA_LT,
    FORMULA_MAX,
    FORMULA_MIN,
    FORMULA_NEQ,
    FORMULA_POW,
    FORMULA_ADD,
    FORMULA_SUB,
    FORMULA_MUL,
    FORMULA_DIV,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_NUMBER, // from here on of none
    FORMULA_X,
    FORMULA_VARIABLE
};

static const char *const formula_functions[] = {
    "abs",  "acos", "acosh", "asin",  "asinh", "atan", "atanh", "ceil",  "cos",
    "cosh", "exp",  "fabs",  "floor", "ln",    "log",  "log10", "log1p", "round",
    "sin",  "sinh", "sqrt",  "tan",   "tanh",  NULL,   NULL,    "atan2", "eq",
    "fmod", "ge",   "gt",    "le",    "lt",    "max",  "min",   "neq",   "pow"};

typedef struct formula_reader {
    const ploy_fuzzy_type *type;
    const ploy_fuzzy_source *source;
    const char *text;
    size_t at;
    ploy_array *ops;
    int32_t depth, nesting;
    ploy_result result;
    bool *uses_x, *uses_variables;
} formula_reader;

static void formula_fault(formula_reader *reader, size_t at, ploy_result code, const char *message,
                          const char *name, const char *nearest) {
    if (reader->result != PLOY_OK) return; // what follows a fault is a guess
    reader->result = ployi_fuzzy_fault(reader->type, reader->source, reader->text, at, code,
                                       message, name, NULL, nearest);
}

static void formula_emit(formula_reader *reader, int32_t code, int32_t arg, double value) {
    if (reader->result != PLOY_OK) return;
    ployi_formula_op op = {code, arg, value};
    reader->depth += code >= FORMULA_NUMBER ? 1 : code >= FORMULA_ATAN2 ? -1 : 0;
    if (reader->depth > FORMULA_DEPTH) {
        formula_fault(reader, reader->at, PLOY_ERR_LIMIT, "formula is nested too deeply", NULL,
                      NULL);
    } else if (ploy_array_push(reader->ops, &op) != PLOY_OK) {
        reader->result = PLOY_ERR_MEMORY;
    }
}

static char formula_peek(formula_reader *reader) {
    while (ployi_fuzzy_is_blank(reader->text[reader->at])) reader->at++;
    return reader->text[reader->at];
}

static bool formula_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static size_t formula_word(const formula_reader *reader) {
    size_t size = 0;
    const char *word = reader->text + reader->at;
    while (formula_is_letter(word[size]) || (size > 0 && word[size] >= '0' && word[size] <= '9') ||
           (size > 0 && word[size] == '.')) {
        size++;
    }
    return size;
}

// Takes the word if it comes next.
static bool formula_take_word(formula_reader *reader, const char *text) {
    (void)formula_peek(reader);
    size_t size = formula_word(reader);
    if (!ployi_fuzzy_word_is(reader->text + reader->at, size, text)) return false;
    reader->at += size;
    return true;
}

static bool formula_take(formula_reader *reader, char c) {
    if (formula_peek(reader) != c) return false;
    reader->at++;
    return true;
}

static void formula_expression(formula_reader *reader);

static void formula_close(formula_reader *reader) {
    if (!formula_take(reader, ')')) {
        formula_fault(reader, reader->at, PLOY_ERR_FORMAT, "unclosed '('", NULL, NULL);
    }
}

// A name: x, a variable, or a function with its arguments.
static void formula_name(formula_reader *reader, size_t size) {
    size_t start = reader->at;
    const char *word = reader->text + start;
    char name[PLOY_DIAG_TEXT_MAX];
    size_t kept = size < sizeof name - 1 ? size : sizeof name - 1;
    memcpy(name, word, kept);
    name[kept] = '\0';
    reader->at += size;
    ploy_nearest nearest = ploy_nearest_make(name);
    if (formula_peek(reader) == '(') {
        for (int32_t i = 0; i <= FORMULA_POW; i++) {
            if (formula_functions[i] == NULL) continue;
            ploy_nearest_offer(&nearest, formula_functions[i]);
            if (!ployi_fuzzy_word_is(word, size, formula_functions[i])) continue;
            reader->at++;
            formula_expression(reader);
            if (i >= FORMULA_ATAN2) {
                if (!formula_take(reader, ',')) {
                    formula_fault(reader, reader->at, PLOY_ERR_FORMAT, "expected two numbers", name,
                                  NULL);
                }
                formula_expression(reader);
            }
            formula_close(reader);
            formula_emit(reader, i, 0, 0.0);
            return;
        }
        formula_fault(reader, start, PLOY_ERR_NOT_FOUND, "unknown function", name, nearest.best);
        return;
    }
    if (size == 1 && word[0] == 'x' && ploy_fuzzy_type_find(reader->type, "x") < 0) {
        *reader->uses_x = true;
        formula_emit(reader, FORMULA_X, 0, 0.0);
        return;
    }
    int32_t inputs = ploy_fuzzy_type_inputs(reader->type);
    int32_t variable = ploy_fuzzy_type_find(reader->type, name);
    if (variable >= 0) {
        *reader->uses_variables = true;
        formula_emit(
            reader, FORMULA_VARIABLE,
            variable < PLOY_FUZZY_OUTPUT ? variable : variable - PLOY_FUZZY_OUTPUT + inputs, 0.0);
        return;
    }
    if (ployi_fuzzy_word_is(word, size, "pi")) {
        formula_emit(reader, FORMULA_NUMBER, 0, PLOY_PI);
        return;
    }
    for (int32_t i = 0; i < inputs; i++) {
        ploy_nearest_offer(&nearest, ployi_fuzzy_input_at(reader->type, i)->name);
    }
    for (int32_t i = 0; i < ploy_fuzzy_type_outputs(reader->type); i++) {
        ploy_nearest_offer(&nearest, ployi_fuzzy_output_at(reader->type, i)->name);
    }
    formula_fault(reader, start, PLOY_ERR_NOT_FOUND, "unknown name", name, nearest.best);
}

static void formula_primary(formula_reader *reader) {
    if (++reader->nesting > FORMULA_NESTING) {
        formula_fault(reader, reader->at, PLOY_ERR_LIMIT, "formula is nested too deeply", NULL,
                      NULL);
    }
    char c = formula_peek(reader);
    size_t used = 0, size = formula_word(reader);
    double value = 0.0;
    if (reader->result != PLOY_OK) {
        // Nothing is read any more.
    } else if (c == '!' || c == '~') {
        reader->at++;
        formula_primary(reader);
        formula_emit(reader, c == '!' ? FORMULA_NOT : FORMULA_NEGATE, 0, 0.0);
    } else if (c == '(') {
        reader->at++;
        formula_expression(reader);
        formula_close(reader);
    } else if (size > 0) {
        formula_name(reader, size);
    } else if (c != '-' && c != '+' &&
               ploy_parse_f64(reader->text + reader->at, strlen(reader->text + reader->at), &used,
                              &value) == PLOY_OK) {
        reader->at += used;
        formula_emit(reader, FORMULA_NUMBER, 0, value);
    } else {
        formula_fault(reader, reader->at, PLOY_ERR_FORMAT, "expected a number, a name or '('", NULL,
                      NULL);
    }
    reader->nesting--;
}

// A power, with a sign before it: -x^2 is -(x^2), as on paper.
static void formula_power(formula_reader *reader) {
    bool negative = false;
    for (char c = formula_peek(reader); c == '-' || c == '+'; c = formula_peek(reader)) {
        negative ^= c == '-';
        reader->at++;
    }
    formula_primary(reader);
    if (reader->result == PLOY_OK && formula_take(reader, '^')) {
        if (++reader->nesting > FORMULA_NESTING) {
            formula_fault(reader, reader->at, PLOY_ERR_LIMIT, "formula is nested too deeply", NULL,
                          NULL);
        } else {
            formula_power(reader);
        }
        reader->nesting--;
        formula_emit(reader, FORMULA_POW, 0, 0.0);
    }
    if (negative) formula_emit(reader, FORMULA_NEGATE, 0, 0.0);
}

static void formula_product(formula_reader *reader) {
    formula_power(reader);
    while (reader->result == PLOY_OK) {
        char c = formula_peek(reader);
        if (c != '*' && c != '/' && c != '%') return;
        reader->at++;
        formula_power(reader);
        formula_emit(reader, c == '*' ? FORMULA_MUL : c == '/' ? FORMULA_DIV : FORMULA_FMOD, 0, 0);
    }
}

static void formula_sum(formula_reader *reader) {
    formula_product(reader);
    while (reader->result == PLOY_OK) {
        char c = formula_peek(reader);
        if (c != '+' && c != '-') return;
        reader->at++;
        formula_product(reader);
        formula_emit(reader, c == '+' ? FORMULA_ADD : FORMULA_SUB, 0, 0.0);
    }
}

static void formula_both(formula_reader *reader) {
    formula_sum(reader);
    while (reader->result == PLOY_OK && formula_take_word(reader, "and")) {
        formula_sum(reader);
        formula_emit(reader, FORMULA_AND, 0, 0.0);
    }
}

static void formula_expression(formula_reader *reader) {
    formula_both(reader);
    while (reader->result == PLOY_OK && formula_take_word(reader, "or")) {
        formula_both(reader);
        formula_emit(reader, FORMULA_OR, 0, 0.0);
    }
}

ploy_result ployi_formula_read(const ploy_fuzzy_type *type, const char *text,
                               const ploy_fuzzy_source *source, ploy_array *ops, bool *uses_x,
                               bool *uses_variables) {
    *uses_x = *uses_variables = false;
    formula_reader reader = {type, source, text, 0, ops, 0, 0, PLOY_OK, uses_x, uses_variables};
    formula_expression(&reader);
    if (reader.result == PLOY_OK && formula_peek(&reader) != '\0') {
        formula_fault(&reader, reader.at, PLOY_ERR_FORMAT, "unexpected text after the formula",
                      NULL, NULL);
    }
    return reader.result;
}

// ---- running ----

static bool formula_equal(double a, double b) {
    return a == b || fabs(a - b) < PLOY_FUZZY_TOLERANCE;
}

static double formula_apply_one(int32_t code, double a) {
    switch (code) {
    case FORMULA_ABS:
    case FORMULA_FABS: return fabs(a);
    case FORMULA_ACOS: return ploy_acos(a);
    case FORMULA_ACOSH: return ploy_log(a + sqrt(a * a - 1.0));
    case FORMULA_ASIN: return ploy_asin(a);
    case FORMULA_ASINH: {
        double size = ploy_log(fabs(a) + sqrt(a * a + 1.0));
        return a < 0.0 ? -size : size;
    }
    case FORMULA_ATAN: return ploy_atan(a);
    case FORMULA_ATANH: return 0.5 * ploy_log((1.0 + a) / (1.0 - a));
    case FORMULA_CEIL: return ceil(a);
    case FORMULA_COS: return ploy_cos(a);
    case FORMULA_COSH: return 0.5 * (ploy_exp(a) + ploy_exp(-a));
    case FORMULA_EXP: return ploy_exp(a);
    case FORMULA_FLOOR: return floor(a);
    case FORMULA_LN:
    case FORMULA_LOG: return ploy_log(a);
    case FORMULA_LOG10: return ploy_log10(a);
    case FORMULA_LOG1P: return ploy_log(1.0 + a);
    case FORMULA_ROUND: return a < 0.0 ? ceil(a - 0.5) : floor(a + 0.5);
    case FORMULA_SIN: return ploy_sin(a);
    case FORMULA_SINH: return 0.5 * (ploy_exp(a) - ploy_exp(-a));
    case FORMULA_SQRT: return sqrt(a);
    case FORMULA_TAN: return ploy_tan(a);
    case FORMULA_TANH: return ploy_tanh(a);
    case FORMULA_NOT: return formula_equal(a, 1.0) ? 0.0 : 1.0;
    default: return -a;
    }
}

// The remainder with the sign of a; exact steps, so that it is the same everywhere.
static double formula_remainder(double a, double b) {
    double size = fabs(b), rest = fabs(a);
    if (!(size > 0.0) || !ploy_is_finite_d(a) || b != b) return (double)NAN;
    while (rest >= size) {
        double part = size;
        while (part <= 0.5 * rest) part *= 2.0;
        rest -= part;
    }
    return a < 0.0 ? -rest : rest;
}

static double formula_apply_two(int32_t code, double a, double b) {
    switch (code) {
    case FORMULA_ATAN2: return ploy_atan2(a, b);
    case FORMULA_EQ: return formula_equal(a, b) ? 1.0 : 0.0;
    case FORMULA_NEQ: return formula_equal(a, b) ? 0.0 : 1.0;
    case FORMULA_FMOD: return formula_remainder(a, b);
    case FORMULA_GE: return a > b || formula_equal(a, b) ? 1.0 : 0.0;
    case FORMULA_GT: return a > b && !formula_equal(a, b) ? 1.0 : 0.0;
    case FORMULA_LE: return a < b || formula_equal(a, b) ? 1.0 : 0.0;
    case FORMULA_LT: return a < b && !formula_equal(a, b) ? 1.0 : 0.0;
    case FORMULA_MAX: return a > b ? a : b;
    case FORMULA_MIN: return a < b ? a : b;
    case FORMULA_POW: return ploy_pow(a, b);
    case FORMULA_ADD: return a + b;
    case FORMULA_SUB: return a - b;
    case FORMULA_MUL: return a * b;
    case FORMULA_DIV: return a / b;
    case FORMULA_AND: return formula_equal(a, 1.0) && formula_equal(b, 1.0) ? 1.0 : 0.0;
    default: return formula_equal(a, 1.0) || formula_equal(b, 1.0) ? 1.0 : 0.0;
    }
}

double ployi_formula_eval(const ployi_formula_op *ops, int32_t count, double x,
                          const double *values) {
    double stack[FORMULA_DEPTH];
    int32_t top = 0; // numbers on the stack, within bounds by (1)
    for (int32_t i = 0; i < count; i++) {
        int32_t code = ops[i].code;
        if (code >= FORMULA_NUMBER) {
            stack[top++] = code == FORMULA_X          ? x
                           : code == FORMULA_VARIABLE ? values[ops[i].arg]
                                                      : ops[i].value;
        } else if (code >= FORMULA_ATAN2) {
            top--;
            stack[top - 1] = formula_apply_two(code, stack[top - 1], stack[top]);
        } else {
            stack[top - 1] = formula_apply_one(code, stack[top - 1]);
        }
    }
    return top > 0 ? stack[0] : (double)NAN;
}
