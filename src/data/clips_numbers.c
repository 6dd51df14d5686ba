// CLIPS's functions of numbers, comparisons and predicates.
#include <math.h>
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

static double numbers_real(const ploy_rule_value *value) {
    return value->type == PLOY_RULE_INTEGER ? (double)value->as.integer : value->as.real;
}

// Wraps as two's complement does, which is what CLIPS gives on every machine we know.
static int64_t numbers_wrap(uint64_t bits) {
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

enum { NUMBERS_ADD, NUMBERS_SUBTRACT, NUMBERS_MULTIPLY };

static ploy_rule_value numbers_fold(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                    int op) {
    ploy_rule_value sum, next;
    if (!ployi_clips_number(clips, frame, x, 0, &sum)) return ploy_rule_integer(0);
    for (int32_t i = 1; i < x->count; i++) {
        if (!ployi_clips_number(clips, frame, x, i, &next)) return ploy_rule_integer(0);
        if (sum.type == PLOY_RULE_INTEGER && next.type == PLOY_RULE_INTEGER) {
            uint64_t a = (uint64_t)sum.as.integer, b = (uint64_t)next.as.integer;
            uint64_t value = op == NUMBERS_ADD ? a + b : op == NUMBERS_SUBTRACT ? a - b : a * b;
            sum = ploy_rule_integer(numbers_wrap(value));
        } else {
            double a = numbers_real(&sum), b = numbers_real(&next);
            sum = ploy_rule_float(op == NUMBERS_ADD        ? a + b
                                  : op == NUMBERS_SUBTRACT ? a - b
                                                           : a * b);
        }
    }
    return sum;
}

static ploy_rule_value numbers_add(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return numbers_fold(clips, frame, x, NUMBERS_ADD);
}
static ploy_rule_value numbers_subtract(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return numbers_fold(clips, frame, x, NUMBERS_SUBTRACT);
}
static ploy_rule_value numbers_multiply(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return numbers_fold(clips, frame, x, NUMBERS_MULTIPLY);
}

static void numbers_zero(ploy_clips *clips, const ployi_x *x) {
    if (clips->failed) return;
    clips->failed = true;
    ployi_clips_out(clips, "[PRNTUTIL7] Attempt to divide by zero in ");
    ployi_clips_out(clips, x->function->name);
    ployi_clips_out(clips, " function.\n");
}

static ploy_rule_value numbers_divide(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value;
    if (!ployi_clips_number(clips, frame, x, 0, &value)) return ploy_rule_float(1);
    double result = numbers_real(&value);
    for (int32_t i = 1; i < x->count; i++) {
        if (!ployi_clips_number(clips, frame, x, i, &value)) return ploy_rule_float(1);
        if (numbers_real(&value) == 0.0) {
            numbers_zero(clips, x);
            return ploy_rule_float(1);
        }
        result /= numbers_real(&value);
    }
    return ploy_rule_float(result);
}

static ploy_rule_value numbers_div(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t result = 0, by = 0;
    if (!ployi_clips_integer(clips, frame, x, 0, &result)) return ploy_rule_integer(1);
    for (int32_t i = 1; i < x->count; i++) {
        if (!ployi_clips_integer(clips, frame, x, i, &by)) return ploy_rule_integer(1);
        if (by == 0) {
            numbers_zero(clips, x);
            return ploy_rule_integer(1);
        }
        result = by == -1 ? numbers_wrap(0 - (uint64_t)result) : result / by;
    }
    return ploy_rule_integer(result);
}

static ploy_rule_value numbers_mod(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a, b;
    if (!ployi_clips_number(clips, frame, x, 0, &a) ||
        !ployi_clips_number(clips, frame, x, 1, &b)) {
        return ploy_rule_integer(0);
    }
    if (numbers_real(&b) == 0.0) {
        numbers_zero(clips, x);
        return ploy_rule_integer(0);
    }
    if (a.type == PLOY_RULE_INTEGER && b.type == PLOY_RULE_INTEGER) {
        return ploy_rule_integer(b.as.integer == -1 ? 0 : a.as.integer % b.as.integer);
    }
    double x1 = numbers_real(&a), x2 = numbers_real(&b);
    double quotient = x1 / x2;
    return ploy_rule_float(x1 - x2 * (quotient < 0 ? ceil(quotient) : floor(quotient)));
}

static ploy_rule_value numbers_abs(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a;
    if (!ployi_clips_number(clips, frame, x, 0, &a)) return ploy_rule_integer(0);
    if (a.type == PLOY_RULE_FLOAT) return ploy_rule_float(fabs(a.as.real));
    return a.as.integer < 0 ? ploy_rule_integer(numbers_wrap(0 - (uint64_t)a.as.integer)) : a;
}

static bool numbers_less(const ploy_rule_value *a, const ploy_rule_value *b) {
    if (a->type == PLOY_RULE_INTEGER && b->type == PLOY_RULE_INTEGER) {
        return a->as.integer < b->as.integer;
    }
    return numbers_real(a) < numbers_real(b);
}

static bool numbers_same(const ploy_rule_value *a, const ploy_rule_value *b) {
    if (a->type == PLOY_RULE_INTEGER && b->type == PLOY_RULE_INTEGER) {
        return a->as.integer == b->as.integer;
    }
    return numbers_real(a) == numbers_real(b);
}

static ploy_rule_value numbers_extreme(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                       bool most) {
    ploy_rule_value best, next;
    if (!ployi_clips_number(clips, frame, x, 0, &best)) return ploy_rule_integer(0);
    for (int32_t i = 1; i < x->count; i++) {
        if (!ployi_clips_number(clips, frame, x, i, &next)) return ploy_rule_integer(0);
        if (most ? numbers_less(&best, &next) : numbers_less(&next, &best)) best = next;
    }
    return best;
}
static ploy_rule_value numbers_min(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return numbers_extreme(clips, frame, x, false);
}
static ploy_rule_value numbers_max(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return numbers_extreme(clips, frame, x, true);
}

static ploy_rule_value numbers_float(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a;
    if (!ployi_clips_number(clips, frame, x, 0, &a)) return ploy_rule_float(0);
    return ploy_rule_float(numbers_real(&a));
}
static ploy_rule_value numbers_integer(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t value = 0;
    ployi_clips_integer(clips, frame, x, 0, &value);
    return ploy_rule_integer(value);
}
static ploy_rule_value numbers_round(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a;
    if (!ployi_clips_number(clips, frame, x, 0, &a)) return ploy_rule_integer(0);
    if (a.type == PLOY_RULE_INTEGER) return a;
    double rounded = ceil(a.as.real - 0.5);
    if (!(rounded > -9e18 && rounded < 9e18)) return ploy_rule_integer(0);
    return ploy_rule_integer((int64_t)rounded);
}

// One number in, a float out.
enum {
    NUMBERS_SQRT,
    NUMBERS_SIN,
    NUMBERS_COS,
    NUMBERS_TAN,
    NUMBERS_ATAN,
    NUMBERS_EXP,
    NUMBERS_LOG
};
static ploy_rule_value numbers_real_fn(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                       int op) {
    ploy_rule_value a;
    if (!ployi_clips_number(clips, frame, x, 0, &a)) return ploy_rule_float(0);
    double v = numbers_real(&a);
    if ((op == NUMBERS_SQRT && v < 0) || (op == NUMBERS_LOG && v <= 0)) {
        ployi_clips_error(clips, "EMATHFUN1", "Domain error");
        return ploy_rule_float(0);
    }
    switch (op) {
    case NUMBERS_SQRT: return ploy_rule_float(sqrt(v));
    case NUMBERS_SIN: return ploy_rule_float(ploy_sin(v));
    case NUMBERS_COS: return ploy_rule_float(ploy_cos(v));
    case NUMBERS_TAN: return ploy_rule_float(ploy_tan(v));
    case NUMBERS_ATAN: return ploy_rule_float(ploy_atan(v));
    case NUMBERS_EXP: return ploy_rule_float(ploy_exp(v));
    default: return ploy_rule_float(ploy_log(v));
    }
}
#define NUMBERS_REAL(fn, op)                                                             \
    static ploy_rule_value fn(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) { \
        return numbers_real_fn(clips, frame, x, op);                                     \
    }
NUMBERS_REAL(numbers_sqrt, NUMBERS_SQRT)
NUMBERS_REAL(numbers_sin, NUMBERS_SIN)
NUMBERS_REAL(numbers_cos, NUMBERS_COS)
NUMBERS_REAL(numbers_tan, NUMBERS_TAN)
NUMBERS_REAL(numbers_atan, NUMBERS_ATAN)
NUMBERS_REAL(numbers_exp, NUMBERS_EXP)
NUMBERS_REAL(numbers_log, NUMBERS_LOG)
#undef NUMBERS_REAL

static ploy_rule_value numbers_power(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a, b;
    if (!ployi_clips_number(clips, frame, x, 0, &a) ||
        !ployi_clips_number(clips, frame, x, 1, &b)) {
        return ploy_rule_float(0);
    }
    // Whole exponents by multiplication: exact where the result is.
    double base = numbers_real(&a), power = numbers_real(&b);
    if (power == floor(power) && fabs(power) <= 1024) {
        double result = 1.0, factor = base;
        for (int32_t n = (int32_t)fabs(power); n > 0; n /= 2) {
            if (n % 2 == 1) result *= factor;
            factor *= factor;
        }
        return ploy_rule_float(power < 0 ? 1.0 / result : result);
    }
    return ploy_rule_float(ploy_pow(base, power));
}

static ploy_rule_value numbers_pi(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    (void)clips;
    (void)frame;
    (void)x;
    return ploy_rule_float(3.14159265358979323846);
}

static ploy_rule_value numbers_random(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t from = 0, to = INT32_MAX;
    if (x->count == 2 && (!ployi_clips_integer(clips, frame, x, 0, &from) ||
                          !ployi_clips_integer(clips, frame, x, 1, &to))) {
        return ploy_rule_integer(0);
    }
    if (to < from) return ploy_rule_integer(from);
    uint64_t width = (uint64_t)to - (uint64_t)from + 1;
    uint64_t draw = width == 0 ? ploy_rng_u64(&clips->rng) : ploy_rng_below(&clips->rng, width);
    return ploy_rule_integer(numbers_wrap((uint64_t)from + draw));
}

static ploy_rule_value numbers_seed(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t seed = 0;
    if (ployi_clips_integer(clips, frame, x, 0, &seed)) clips->rng = ploy_rng_make((uint64_t)seed);
    return ploy_rule_none();
}

// ---- Comparing ----------------------------------------------------------------------------------

enum { NUMBERS_LT, NUMBERS_GT, NUMBERS_LE, NUMBERS_GE, NUMBERS_EQ, NUMBERS_NE };
static ploy_rule_value numbers_compare(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                       int op) {
    ploy_rule_value a, b;
    if (!ployi_clips_number(clips, frame, x, 0, &a)) return ployi_clips_bool(clips, false);
    for (int32_t i = 1; i < x->count; i++) {
        if (!ployi_clips_number(clips, frame, x, i, &b)) return ployi_clips_bool(clips, false);
        bool holds = false;
        switch (op) {
        case NUMBERS_LT: holds = numbers_less(&a, &b); break;
        case NUMBERS_GT: holds = numbers_less(&b, &a); break;
        case NUMBERS_LE: holds = !numbers_less(&b, &a); break;
        case NUMBERS_GE: holds = !numbers_less(&a, &b); break;
        case NUMBERS_EQ: holds = numbers_same(&a, &b); break;
        default: holds = !numbers_same(&a, &b); break;
        }
        if (!holds) return ployi_clips_bool(clips, false);
        if (op < NUMBERS_EQ) a = b; // a chain; equality compares with the first
    }
    return ployi_clips_bool(clips, true);
}
#define NUMBERS_COMPARE(fn, op)                                                          \
    static ploy_rule_value fn(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) { \
        return numbers_compare(clips, frame, x, op);                                     \
    }
NUMBERS_COMPARE(numbers_lt, NUMBERS_LT)
NUMBERS_COMPARE(numbers_gt, NUMBERS_GT)
NUMBERS_COMPARE(numbers_le, NUMBERS_LE)
NUMBERS_COMPARE(numbers_ge, NUMBERS_GE)
NUMBERS_COMPARE(numbers_num_eq, NUMBERS_EQ)
NUMBERS_COMPARE(numbers_num_ne, NUMBERS_NE)
#undef NUMBERS_COMPARE

// ---- Comparing the variables of a condition ----

// Two integers are compared where they lie; anything else, and work beyond its limit, is for the
// evaluation of the call, which knows the errors.
static inline bool numbers_pair(void *user, const ploy_rule_value *a, const ploy_rule_value *b) {
    ploy_clips *clips = user;
    if (a->type != PLOY_RULE_INTEGER || b->type != PLOY_RULE_INTEGER || clips->failed) return false;
    if (clips->def.work != 0) {
        if (clips->work >= clips->def.work) return false;
        clips->work++;
    }
    return true;
}
#define NUMBERS_PAIR(fn, op)                                                                      \
    static bool fn(void *user, const ploy_rule_value *a, const ploy_rule_value *b, bool *holds) { \
        if (!numbers_pair(user, a, b)) return false;                                              \
        *holds = a->as.integer op b->as.integer;                                                  \
        return true;                                                                              \
    }
NUMBERS_PAIR(numbers_pair_lt, <)
NUMBERS_PAIR(numbers_pair_gt, >)
NUMBERS_PAIR(numbers_pair_le, <=)
NUMBERS_PAIR(numbers_pair_ge, >=)
NUMBERS_PAIR(numbers_pair_eq, ==)
NUMBERS_PAIR(numbers_pair_ne, !=)
#undef NUMBERS_PAIR

ploy_rule_pair_fn ployi_clips_pair(const ployi_x *x) {
    static const struct {
        ploy_rule_value (*call)(ploy_clips *clips, ployi_frame *frame, const ployi_x *x);
        ploy_rule_pair_fn pair;
    } rows[] = {{numbers_lt, numbers_pair_lt},     {numbers_gt, numbers_pair_gt},
                {numbers_le, numbers_pair_le},     {numbers_ge, numbers_pair_ge},
                {numbers_num_eq, numbers_pair_eq}, {numbers_num_ne, numbers_pair_ne}};
    // The variables of a condition are numbered as they occur, so that these two are 0 and 1.
    if (x->kind != PLOYI_X_CALL || x->count != 2 || x->args[0]->kind != PLOYI_X_LOCAL ||
        x->args[1]->kind != PLOYI_X_LOCAL || x->args[0]->index != 0 || x->args[1]->index != 1) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (x->function->call == rows[i].call) return rows[i].pair;
    }
    return NULL;
}

static ploy_rule_value numbers_eq_any(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                      bool equal) {
    ploy_rule_value a = ployi_clips_arg(clips, frame, x, 0);
    for (int32_t i = 1; i < x->count && !clips->failed; i++) {
        ploy_rule_value b = ployi_clips_arg(clips, frame, x, i);
        if (clips->failed || ploy_rule_equal(&a, &b) != equal) {
            return ployi_clips_bool(clips, false);
        }
    }
    return ployi_clips_bool(clips, !clips->failed);
}
static ploy_rule_value numbers_eq(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return numbers_eq_any(clips, frame, x, true);
}
static ploy_rule_value numbers_neq(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return numbers_eq_any(clips, frame, x, false);
}

// The predicates of types: true if the type's bit is set.
static ploy_rule_value numbers_type(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    static const struct {
        const char *name;
        int32_t types;
    } rows[] = {
        {"numberp", 1 << PLOY_RULE_INTEGER | 1 << PLOY_RULE_FLOAT},
        {"integerp", 1 << PLOY_RULE_INTEGER},
        {"floatp", 1 << PLOY_RULE_FLOAT},
        {"symbolp", 1 << PLOY_RULE_SYMBOL},
        {"wordp", 1 << PLOY_RULE_SYMBOL},
        {"stringp", 1 << PLOY_RULE_STRING},
        {"lexemep", 1 << PLOY_RULE_SYMBOL | 1 << PLOY_RULE_STRING},
        {"multifieldp", 1 << PLOY_RULE_MULTI},
        {"sequencep", 1 << PLOY_RULE_MULTI},
        {"pointerp", 0},
    };
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    bool holds = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, x->function->name) == 0) {
            holds = (rows[i].types >> value.type & 1) != 0;
        }
    }
    return ployi_clips_bool(clips, holds && !clips->failed);
}

static ploy_rule_value numbers_parity(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    if (!clips->failed && value.type != PLOY_RULE_INTEGER) {
        ployi_clips_arg_error(clips, x, 0, "integer");
    }
    bool odd = (value.as.integer & 1) != 0;
    return ployi_clips_bool(clips, !clips->failed && odd == (x->function->name[0] == 'o'));
}

const ployi_function ployi_clips_numbers[] = {
    {"+", 2, -1, numbers_add},
    {"-", 2, -1, numbers_subtract},
    {"*", 2, -1, numbers_multiply},
    {"/", 2, -1, numbers_divide},
    {"div", 2, -1, numbers_div},
    {"mod", 2, 2, numbers_mod},
    {"abs", 1, 1, numbers_abs},
    {"min", 1, -1, numbers_min},
    {"max", 1, -1, numbers_max},
    {"float", 1, 1, numbers_float},
    {"integer", 1, 1, numbers_integer},
    {"round", 1, 1, numbers_round},
    {"sqrt", 1, 1, numbers_sqrt},
    {"sin", 1, 1, numbers_sin},
    {"cos", 1, 1, numbers_cos},
    {"tan", 1, 1, numbers_tan},
    {"atan", 1, 1, numbers_atan},
    {"exp", 1, 1, numbers_exp},
    {"log", 1, 1, numbers_log},
    {"**", 2, 2, numbers_power},
    {"pi", 0, 0, numbers_pi},
    {"random", 0, 2, numbers_random},
    {"seed", 1, 1, numbers_seed},
    {"<", 2, -1, numbers_lt},
    {">", 2, -1, numbers_gt},
    {"<=", 2, -1, numbers_le},
    {">=", 2, -1, numbers_ge},
    {"=", 2, -1, numbers_num_eq},
    {"<>", 2, -1, numbers_num_ne},
    {"!=", 2, -1, numbers_num_ne},
    {"eq", 2, -1, numbers_eq},
    {"neq", 2, -1, numbers_neq},
    {"numberp", 1, 1, numbers_type},
    {"integerp", 1, 1, numbers_type},
    {"floatp", 1, 1, numbers_type},
    {"symbolp", 1, 1, numbers_type},
    {"wordp", 1, 1, numbers_type},
    {"stringp", 1, 1, numbers_type},
    {"lexemep", 1, 1, numbers_type},
    {"multifieldp", 1, 1, numbers_type},
    {"sequencep", 1, 1, numbers_type},
    {"pointerp", 1, 1, numbers_type},
    {"evenp", 1, 1, numbers_parity},
    {"oddp", 1, 1, numbers_parity},
    {NULL, 0, 0, NULL},
};
