// CLIPS's functions of values: numbers, predicates, multifields, texts.
#include <math.h>
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

static double values_real(const ploy_rule_value *value) {
    return value->type == PLOY_RULE_INTEGER ? (double)value->as.integer : value->as.real;
}

// Wraps as two's complement does, which is what CLIPS gives on every machine we know.
static int64_t values_wrap(uint64_t bits) {
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

enum { VALUES_ADD, VALUES_SUBTRACT, VALUES_MULTIPLY };

static ploy_rule_value values_fold(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                   int op) {
    ploy_rule_value sum, next;
    if (!ployi_clips_number(clips, frame, x, 0, &sum)) return ploy_rule_integer(0);
    for (int32_t i = 1; i < x->count; i++) {
        if (!ployi_clips_number(clips, frame, x, i, &next)) return ploy_rule_integer(0);
        if (sum.type == PLOY_RULE_INTEGER && next.type == PLOY_RULE_INTEGER) {
            uint64_t a = (uint64_t)sum.as.integer, b = (uint64_t)next.as.integer;
            uint64_t value = op == VALUES_ADD ? a + b : op == VALUES_SUBTRACT ? a - b : a * b;
            sum = ploy_rule_integer(values_wrap(value));
        } else {
            double a = values_real(&sum), b = values_real(&next);
            sum = ploy_rule_float(op == VALUES_ADD ? a + b : op == VALUES_SUBTRACT ? a - b : a * b);
        }
    }
    return sum;
}

static ploy_rule_value values_add(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return values_fold(clips, frame, x, VALUES_ADD);
}
static ploy_rule_value values_subtract(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return values_fold(clips, frame, x, VALUES_SUBTRACT);
}
static ploy_rule_value values_multiply(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return values_fold(clips, frame, x, VALUES_MULTIPLY);
}

static void values_zero(ploy_clips *clips, const ployi_x *x) {
    if (clips->failed) return;
    clips->failed = true;
    ployi_clips_out(clips, "[PRNTUTIL7] Attempt to divide by zero in ");
    ployi_clips_out(clips, x->function->name);
    ployi_clips_out(clips, " function.\n");
}

static ploy_rule_value values_divide(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value;
    if (!ployi_clips_number(clips, frame, x, 0, &value)) return ploy_rule_float(1);
    double result = values_real(&value);
    for (int32_t i = 1; i < x->count; i++) {
        if (!ployi_clips_number(clips, frame, x, i, &value)) return ploy_rule_float(1);
        if (values_real(&value) == 0.0) {
            values_zero(clips, x);
            return ploy_rule_float(1);
        }
        result /= values_real(&value);
    }
    return ploy_rule_float(result);
}

static ploy_rule_value values_div(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t result = 0, by = 0;
    if (!ployi_clips_integer(clips, frame, x, 0, &result)) return ploy_rule_integer(1);
    for (int32_t i = 1; i < x->count; i++) {
        if (!ployi_clips_integer(clips, frame, x, i, &by)) return ploy_rule_integer(1);
        if (by == 0) {
            values_zero(clips, x);
            return ploy_rule_integer(1);
        }
        result = by == -1 ? values_wrap(0 - (uint64_t)result) : result / by;
    }
    return ploy_rule_integer(result);
}

static ploy_rule_value values_mod(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a, b;
    if (!ployi_clips_number(clips, frame, x, 0, &a) ||
        !ployi_clips_number(clips, frame, x, 1, &b)) {
        return ploy_rule_integer(0);
    }
    if (values_real(&b) == 0.0) {
        values_zero(clips, x);
        return ploy_rule_integer(0);
    }
    if (a.type == PLOY_RULE_INTEGER && b.type == PLOY_RULE_INTEGER) {
        return ploy_rule_integer(b.as.integer == -1 ? 0 : a.as.integer % b.as.integer);
    }
    double x1 = values_real(&a), x2 = values_real(&b);
    double quotient = x1 / x2;
    return ploy_rule_float(x1 - x2 * (quotient < 0 ? ceil(quotient) : floor(quotient)));
}

static ploy_rule_value values_abs(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a;
    if (!ployi_clips_number(clips, frame, x, 0, &a)) return ploy_rule_integer(0);
    if (a.type == PLOY_RULE_FLOAT) return ploy_rule_float(fabs(a.as.real));
    return a.as.integer < 0 ? ploy_rule_integer(values_wrap(0 - (uint64_t)a.as.integer)) : a;
}

static bool values_less(const ploy_rule_value *a, const ploy_rule_value *b) {
    if (a->type == PLOY_RULE_INTEGER && b->type == PLOY_RULE_INTEGER) {
        return a->as.integer < b->as.integer;
    }
    return values_real(a) < values_real(b);
}

static bool values_same(const ploy_rule_value *a, const ploy_rule_value *b) {
    if (a->type == PLOY_RULE_INTEGER && b->type == PLOY_RULE_INTEGER) {
        return a->as.integer == b->as.integer;
    }
    return values_real(a) == values_real(b);
}

static ploy_rule_value values_extreme(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                      bool most) {
    ploy_rule_value best, next;
    if (!ployi_clips_number(clips, frame, x, 0, &best)) return ploy_rule_integer(0);
    for (int32_t i = 1; i < x->count; i++) {
        if (!ployi_clips_number(clips, frame, x, i, &next)) return ploy_rule_integer(0);
        if (most ? values_less(&best, &next) : values_less(&next, &best)) best = next;
    }
    return best;
}
static ploy_rule_value values_min(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return values_extreme(clips, frame, x, false);
}
static ploy_rule_value values_max(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return values_extreme(clips, frame, x, true);
}

static ploy_rule_value values_float(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a;
    if (!ployi_clips_number(clips, frame, x, 0, &a)) return ploy_rule_float(0);
    return ploy_rule_float(values_real(&a));
}
static ploy_rule_value values_integer(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t value = 0;
    ployi_clips_integer(clips, frame, x, 0, &value);
    return ploy_rule_integer(value);
}
static ploy_rule_value values_round(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a;
    if (!ployi_clips_number(clips, frame, x, 0, &a)) return ploy_rule_integer(0);
    if (a.type == PLOY_RULE_INTEGER) return a;
    double rounded = ceil(a.as.real - 0.5);
    if (!(rounded > -9e18 && rounded < 9e18)) return ploy_rule_integer(0);
    return ploy_rule_integer((int64_t)rounded);
}

// One number in, a float out.
enum { VALUES_SQRT, VALUES_SIN, VALUES_COS, VALUES_TAN, VALUES_ATAN, VALUES_EXP, VALUES_LOG };
static ploy_rule_value values_real_fn(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                      int op) {
    ploy_rule_value a;
    if (!ployi_clips_number(clips, frame, x, 0, &a)) return ploy_rule_float(0);
    double v = values_real(&a);
    if ((op == VALUES_SQRT && v < 0) || (op == VALUES_LOG && v <= 0)) {
        ployi_clips_error(clips, "EMATHFUN1", "Domain error");
        return ploy_rule_float(0);
    }
    switch (op) {
    case VALUES_SQRT: return ploy_rule_float(sqrt(v));
    case VALUES_SIN: return ploy_rule_float(ploy_sin(v));
    case VALUES_COS: return ploy_rule_float(ploy_cos(v));
    case VALUES_TAN: return ploy_rule_float(ploy_tan(v));
    case VALUES_ATAN: return ploy_rule_float(ploy_atan(v));
    case VALUES_EXP: return ploy_rule_float(ploy_exp(v));
    default: return ploy_rule_float(ploy_log(v));
    }
}
#define VALUES_REAL(fn, op)                                                              \
    static ploy_rule_value fn(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) { \
        return values_real_fn(clips, frame, x, op);                                      \
    }
VALUES_REAL(values_sqrt, VALUES_SQRT)
VALUES_REAL(values_sin, VALUES_SIN)
VALUES_REAL(values_cos, VALUES_COS)
VALUES_REAL(values_tan, VALUES_TAN)
VALUES_REAL(values_atan, VALUES_ATAN)
VALUES_REAL(values_exp, VALUES_EXP)
VALUES_REAL(values_log, VALUES_LOG)
#undef VALUES_REAL

static ploy_rule_value values_power(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a, b;
    if (!ployi_clips_number(clips, frame, x, 0, &a) ||
        !ployi_clips_number(clips, frame, x, 1, &b)) {
        return ploy_rule_float(0);
    }
    // Whole exponents by multiplication: exact where the result is.
    double base = values_real(&a), power = values_real(&b);
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

static ploy_rule_value values_pi(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    (void)clips;
    (void)frame;
    (void)x;
    return ploy_rule_float(3.14159265358979323846);
}

static ploy_rule_value values_random(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t from = 0, to = INT32_MAX;
    if (x->count == 2 && (!ployi_clips_integer(clips, frame, x, 0, &from) ||
                          !ployi_clips_integer(clips, frame, x, 1, &to))) {
        return ploy_rule_integer(0);
    }
    if (to < from) return ploy_rule_integer(from);
    uint64_t width = (uint64_t)to - (uint64_t)from + 1;
    uint64_t draw = width == 0 ? ploy_rng_u64(&clips->rng) : ploy_rng_below(&clips->rng, width);
    return ploy_rule_integer(values_wrap((uint64_t)from + draw));
}

static ploy_rule_value values_seed(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t seed = 0;
    if (ployi_clips_integer(clips, frame, x, 0, &seed)) clips->rng = ploy_rng_make((uint64_t)seed);
    return ploy_rule_none();
}

// ---- Comparing ----------------------------------------------------------------------------------

enum { VALUES_LT, VALUES_GT, VALUES_LE, VALUES_GE, VALUES_EQ, VALUES_NE };
static ploy_rule_value values_compare(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                      int op) {
    ploy_rule_value a, b;
    if (!ployi_clips_number(clips, frame, x, 0, &a)) return ployi_clips_bool(clips, false);
    for (int32_t i = 1; i < x->count; i++) {
        if (!ployi_clips_number(clips, frame, x, i, &b)) return ployi_clips_bool(clips, false);
        bool holds = false;
        switch (op) {
        case VALUES_LT: holds = values_less(&a, &b); break;
        case VALUES_GT: holds = values_less(&b, &a); break;
        case VALUES_LE: holds = !values_less(&b, &a); break;
        case VALUES_GE: holds = !values_less(&a, &b); break;
        case VALUES_EQ: holds = values_same(&a, &b); break;
        default: holds = !values_same(&a, &b); break;
        }
        if (!holds) return ployi_clips_bool(clips, false);
        if (op < VALUES_EQ) a = b; // a chain; equality compares with the first
    }
    return ployi_clips_bool(clips, true);
}
#define VALUES_COMPARE(fn, op)                                                           \
    static ploy_rule_value fn(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) { \
        return values_compare(clips, frame, x, op);                                      \
    }
VALUES_COMPARE(values_lt, VALUES_LT)
VALUES_COMPARE(values_gt, VALUES_GT)
VALUES_COMPARE(values_le, VALUES_LE)
VALUES_COMPARE(values_ge, VALUES_GE)
VALUES_COMPARE(values_num_eq, VALUES_EQ)
VALUES_COMPARE(values_num_ne, VALUES_NE)
#undef VALUES_COMPARE

static ploy_rule_value values_eq_any(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
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
static ploy_rule_value values_eq(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return values_eq_any(clips, frame, x, true);
}
static ploy_rule_value values_neq(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return values_eq_any(clips, frame, x, false);
}

// The predicates of types: true if the type's bit is set.
static ploy_rule_value values_type(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
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

static ploy_rule_value values_parity(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    if (!clips->failed && value.type != PLOY_RULE_INTEGER) {
        ployi_clips_arg_error(clips, x, 0, "integer");
    }
    bool odd = (value.as.integer & 1) != 0;
    return ployi_clips_bool(clips, !clips->failed && odd == (x->function->name[0] == 'o'));
}

// ---- Multifields --------------------------------------------------------------------------------

// All arguments from `first` on in one list, lists opened.
static ploy_rule_value values_gather(ploy_clips *clips, ployi_frame *frame, const ployi_x *x,
                                     int32_t first) {
    int32_t count = x->count - first;
    if (count == 1) { // the usual case, without a second copy
        ploy_rule_value only = ployi_clips_arg(clips, frame, x, first);
        if (only.type == PLOY_RULE_MULTI || clips->failed) return only;
        ploy_rule_value *item = ployi_clips_items(clips, 1);
        if (item == NULL) return ploy_rule_none();
        *item = only;
        return ploy_rule_multi(item, 1);
    }
    ploy_rule_value *args = ployi_clips_items(clips, count + 1);
    int64_t total = 0;
    for (int32_t i = 0; i < count && !clips->failed; i++) {
        args[i] = ployi_clips_arg(clips, frame, x, first + i);
        total += args[i].type == PLOY_RULE_MULTI  ? args[i].count
                 : args[i].type == PLOY_RULE_NONE ? 0
                                                  : 1;
    }
    if (clips->failed) return ploy_rule_none();
    if (total == count) {
        bool flat = true;
        for (int32_t i = 0; i < count; i++) flat = flat && args[i].type != PLOY_RULE_MULTI;
        if (flat) return ploy_rule_multi(args, count);
    }
    ploy_rule_value *items = ployi_clips_items(clips, total + 1);
    int32_t used = 0;
    for (int32_t i = 0; i < count && !clips->failed; i++) {
        if (args[i].type == PLOY_RULE_NONE) continue;
        if (args[i].type != PLOY_RULE_MULTI) {
            items[used++] = args[i];
            continue;
        }
        for (int32_t k = 0; k < args[i].count; k++) items[used++] = args[i].as.items[k];
    }
    return ploy_rule_multi(items, used);
}

static ploy_rule_value values_create(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    return values_gather(clips, frame, x, 0);
}

static ploy_rule_value values_nth(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t n = 0;
    ploy_rule_value list;
    if (!ployi_clips_integer(clips, frame, x, 0, &n) ||
        !ployi_clips_multi(clips, frame, x, 1, &list)) {
        return ploy_rule_symbol(clips->nil);
    }
    if (n < 1 || n > list.count) return ploy_rule_symbol(clips->nil);
    return list.as.items[n - 1];
}

static ploy_rule_value values_length(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    if (clips->failed) return ploy_rule_integer(-1);
    if (value.type == PLOY_RULE_MULTI) return ploy_rule_integer(value.count);
    if (x->function->name[6] == '\0' &&
        (value.type == PLOY_RULE_SYMBOL || value.type == PLOY_RULE_STRING)) {
        return ploy_rule_integer((int64_t)strlen(ployi_clips_get_text(clips, &value)));
    }
    ployi_clips_arg_error(
        clips, x, 0, x->function->name[6] == '\0' ? "multifield, symbol, or string" : "multifield");
    return ploy_rule_integer(-1);
}

// Where a value, or a run of values, begins in a list, from `from` on; -1 if nowhere.
static int32_t values_find(const ploy_rule_value *list, const ploy_rule_value *what, int32_t from) {
    const ploy_rule_value *items = what->type == PLOY_RULE_MULTI ? what->as.items : what;
    int32_t count = what->type == PLOY_RULE_MULTI ? what->count : 1;
    for (int32_t i = from; i + count <= list->count; i++) {
        int32_t k = 0;
        while (k < count && ploy_rule_equal(&list->as.items[i + k], &items[k])) k++;
        if (k == count && count > 0) return i;
    }
    return -1;
}

static ploy_rule_value values_member(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value what = ployi_clips_arg(clips, frame, x, 0), list;
    if (!ployi_clips_multi(clips, frame, x, 1, &list)) return ployi_clips_bool(clips, false);
    int32_t at = values_find(&list, &what, 0);
    if (at < 0) return ployi_clips_bool(clips, false);
    if (what.type != PLOY_RULE_MULTI || what.count == 1) return ploy_rule_integer(at + 1);
    ploy_rule_value *range = ployi_clips_items(clips, 2);
    if (range == NULL) return ploy_rule_none();
    range[0] = ploy_rule_integer(at + 1);
    range[1] = ploy_rule_integer(at + what.count);
    return ploy_rule_multi(range, 2);
}

static ploy_rule_value values_subset(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value a, b;
    if (!ployi_clips_multi(clips, frame, x, 0, &a) || !ployi_clips_multi(clips, frame, x, 1, &b)) {
        return ployi_clips_bool(clips, false);
    }
    for (int32_t i = 0; i < a.count; i++) {
        if (values_find(&b, &a.as.items[i], 0) < 0) return ployi_clips_bool(clips, false);
    }
    return ployi_clips_bool(clips, true);
}

static ploy_rule_value values_first(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list;
    if (!ployi_clips_multi(clips, frame, x, 0, &list)) return ploy_rule_multi(NULL, 0);
    return ploy_rule_multi(list.as.items, list.count > 0 ? 1 : 0);
}

static ploy_rule_value values_rest(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list;
    if (!ployi_clips_multi(clips, frame, x, 0, &list)) return ploy_rule_multi(NULL, 0);
    if (list.count < 2) return ploy_rule_multi(NULL, 0);
    return ploy_rule_multi(list.as.items + 1, list.count - 1);
}

static ploy_rule_value values_subseq(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list;
    int64_t from = 0, to = 0;
    if (!ployi_clips_multi(clips, frame, x, 0, &list) ||
        !ployi_clips_integer(clips, frame, x, 1, &from) ||
        !ployi_clips_integer(clips, frame, x, 2, &to)) {
        return ploy_rule_multi(NULL, 0);
    }
    if (from < 1) from = 1;
    if (to > list.count) to = list.count;
    if (to < from) return ploy_rule_multi(NULL, 0);
    return ploy_rule_multi(list.as.items + from - 1, (int32_t)(to - from + 1));
}

static void values_range_error(ploy_clips *clips, const ployi_x *x, int64_t from, int64_t to) {
    char a[PLOY_PRINT_I64_SIZE], b[PLOY_PRINT_I64_SIZE];
    if (clips->failed) return;
    clips->failed = true;
    ploy_print_i64(from, a);
    ploy_print_i64(to, b);
    ployi_clips_out(clips, "[MULTIFUN1] Multifield index ");
    if (from == to) {
        ployi_clips_out(clips, a);
    } else {
        ployi_clips_out(clips, "range ");
        ployi_clips_out(clips, a);
        ployi_clips_out(clips, "..");
        ployi_clips_out(clips, b);
    }
    ployi_clips_out(clips, " out of range 1..");
    (void)x;
}

// The list with [from, to] replaced by other values.
static ploy_rule_value values_splice(ploy_clips *clips, const ploy_rule_value *list, int64_t from,
                                     int64_t to, const ploy_rule_value *with) {
    int64_t total = list->count - (to - from + 1) + with->count;
    ploy_rule_value *items = ployi_clips_items(clips, total + 1);
    if (items == NULL) return ploy_rule_none();
    int32_t used = 0;
    for (int64_t i = 1; i < from; i++) items[used++] = list->as.items[i - 1];
    for (int32_t i = 0; i < with->count; i++) items[used++] = with->as.items[i];
    for (int64_t i = to + 1; i <= list->count; i++) items[used++] = list->as.items[i - 1];
    return ploy_rule_multi(items, used);
}

static ploy_rule_value values_edit(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list, with = ploy_rule_multi(NULL, 0);
    int64_t from = 0, to = 0;
    char kind = x->function->name[0]; // insert$, delete$, replace$
    if (!ployi_clips_multi(clips, frame, x, 0, &list) ||
        !ployi_clips_integer(clips, frame, x, 1, &from)) {
        return ploy_rule_multi(NULL, 0);
    }
    if (kind == 'i') {
        to = from - 1;
        with = values_gather(clips, frame, x, 2);
        if (!clips->failed && from < 1) {
            values_range_error(clips, x, from, from);
        }
        if (from > list.count + 1) {
            from = list.count + 1;
            to = list.count;
        }
    } else {
        if (!ployi_clips_integer(clips, frame, x, 2, &to)) return ploy_rule_multi(NULL, 0);
        if (kind == 'r') with = values_gather(clips, frame, x, 3);
        if (!clips->failed && (from < 1 || to < from || to > list.count)) {
            values_range_error(clips, x, from, to);
        }
    }
    if (clips->failed) {
        char number[PLOY_PRINT_I64_SIZE];
        ploy_print_i64(list.count, number);
        ployi_clips_out(clips, number);
        ployi_clips_out(clips, " in function ");
        ployi_clips_out(clips, x->function->name);
        ployi_clips_out(clips, ".\n");
        return ploy_rule_multi(NULL, 0);
    }
    return values_splice(clips, &list, from, to, &with);
}

static ploy_rule_value values_delete_member(ploy_clips *clips, ployi_frame *frame,
                                            const ployi_x *x) {
    ploy_rule_value list, none = ploy_rule_multi(NULL, 0);
    if (!ployi_clips_multi(clips, frame, x, 0, &list)) return none;
    bool replace = x->function->name[0] == 'r';
    ploy_rule_value with = none;
    if (replace) {
        with = ployi_clips_arg(clips, frame, x, 1);
        if (with.type != PLOY_RULE_MULTI) {
            ploy_rule_value *item = ployi_clips_items(clips, 1);
            if (item == NULL) return none;
            *item = with;
            with = ploy_rule_multi(item, 1);
        }
    }
    for (int32_t i = replace ? 2 : 1; i < x->count && !clips->failed; i++) {
        ploy_rule_value what = ployi_clips_arg(clips, frame, x, i);
        int32_t count = what.type == PLOY_RULE_MULTI ? what.count : 1;
        int32_t at = 0;
        while (!clips->failed && (at = values_find(&list, &what, at)) >= 0) {
            list = values_splice(clips, &list, at + 1, at + count, &with);
            at += with.count;
        }
    }
    return list;
}

// ---- Texts --------------------------------------------------------------------------------------

static ploy_rule_value values_buffer(ploy_clips *clips, ploy_buffer *text, ploy_rule_type type) {
    ploy_rule_value value = ployi_clips_text(clips, type, ploy_buffer_text(text));
    ploy_buffer_fini(text);
    return value;
}

static ploy_rule_value values_cat(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &clips->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    for (int32_t i = 0; i < x->count && !clips->failed; i++) {
        ploy_rule_value value = ployi_clips_arg(clips, frame, x, i);
        if (!clips->failed) ployi_clips_print(clips, &value, &writer);
    }
    return values_buffer(clips, &text,
                         x->function->name[1] == 'y' ? PLOY_RULE_SYMBOL : PLOY_RULE_STRING);
}

static ploy_rule_value values_case(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    if (!clips->failed && value.type != PLOY_RULE_SYMBOL && value.type != PLOY_RULE_STRING) {
        ployi_clips_arg_error(clips, x, 0, "symbol or string");
    }
    if (clips->failed) return value;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &clips->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    bool up = x->function->name[0] == 'u';
    for (const char *c = ployi_clips_get_text(clips, &value); *c != '\0'; c++) {
        char made = *c;
        if (up && made >= 'a' && made <= 'z') made = (char)(made - 'a' + 'A');
        if (!up && made >= 'A' && made <= 'Z') made = (char)(made - 'A' + 'a');
        ploy_write_char(&writer, made);
    }
    return values_buffer(clips, &text, (ploy_rule_type)value.type);
}

static ploy_rule_value values_str_length(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *text = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &text)) return ploy_rule_integer(-1);
    return ploy_rule_integer((int64_t)strlen(text));
}

static ploy_rule_value values_str_compare(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *a = NULL, *b = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &a) ||
        !ployi_clips_lexeme(clips, frame, x, 1, &b)) {
        return ploy_rule_integer(0);
    }
    int order = strcmp(a, b);
    return ploy_rule_integer(order < 0 ? -1 : order > 0);
}

static ploy_rule_value values_str_index(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *a = NULL, *b = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &a) ||
        !ployi_clips_lexeme(clips, frame, x, 1, &b)) {
        return ployi_clips_bool(clips, false);
    }
    const char *at = strstr(b, a);
    return at == NULL ? ployi_clips_bool(clips, false) : ploy_rule_integer(at - b + 1);
}

static ploy_rule_value values_sub_string(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t from = 0, to = 0;
    const char *text = NULL;
    if (!ployi_clips_integer(clips, frame, x, 0, &from) ||
        !ployi_clips_integer(clips, frame, x, 1, &to) ||
        !ployi_clips_lexeme(clips, frame, x, 2, &text)) {
        return ployi_clips_text(clips, PLOY_RULE_STRING, "");
    }
    int64_t size = (int64_t)strlen(text);
    if (from < 1) from = 1;
    if (to > size) to = size;
    ploy_buffer made;
    ploy_buffer_init(&made, 0, &clips->env);
    if (from <= to &&
        ploy_buffer_append(&made, text + from - 1, (size_t)(to - from + 1)) != PLOY_OK) {
        clips->failed = true;
    }
    return values_buffer(clips, &made, PLOY_RULE_STRING);
}

static ploy_rule_value values_implode(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list;
    if (!ployi_clips_multi(clips, frame, x, 0, &list)) {
        return ployi_clips_text(clips, PLOY_RULE_STRING, "");
    }
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &clips->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    for (int32_t i = 0; i < list.count; i++) {
        if (i > 0) ploy_write_char(&writer, ' ');
        ploy_rules_write_value(clips->rules, &list.as.items[i], &writer);
    }
    return values_buffer(clips, &text, PLOY_RULE_STRING);
}

// The values that a text holds, read with the program's own scanner.
static ploy_rule_value values_explode(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *text = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &text)) return ploy_rule_multi(NULL, 0);
    ploy_clips saved = *clips;
    ploy_array items;
    ploy_array_init(&items, sizeof(ploy_rule_value), &clips->env);
    ployi_clips_open(clips, text, strlen(text), "explode$", NULL);
    while (clips->token.kind != PLOYI_TOKEN_END && !clips->parse_failed) {
        ploy_rule_value value = clips->token.value;
        if (clips->token.kind != PLOYI_TOKEN_VALUE) {
            char piece[64];
            size_t size = clips->token.end - clips->token.begin;
            if (size > 63) size = 63;
            memcpy(piece, text + clips->token.begin, size);
            piece[size] = '\0';
            value = ployi_clips_text(clips, PLOY_RULE_STRING, piece);
        }
        if (ploy_array_push(&items, &value) != PLOY_OK) clips->failed = true;
        ployi_clips_next(clips);
    }
    ployi_clips_restore(clips, &saved);
    ploy_rule_value *kept = ployi_clips_items(clips, items.count + 1);
    if (kept != NULL && items.count > 0) {
        memcpy(kept, items.items, (size_t)items.count * sizeof *kept);
    }
    int32_t count = items.count;
    ploy_array_fini(&items);
    return ploy_rule_multi(kept, kept == NULL ? 0 : count);
}

static ploy_rule_value values_string_to_field(ploy_clips *clips, ployi_frame *frame,
                                              const ployi_x *x) {
    ploy_rule_value list = values_explode(clips, frame, x);
    if (clips->failed) return list;
    return list.count > 0 ? list.as.items[0] : ployi_clips_symbol(clips, "EOF");
}

static ploy_rule_value values_gensym(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    char text[PLOY_PRINT_I64_SIZE + 4] = "gen";
    (void)frame;
    (void)x;
    ploy_print_i64(++clips->gensym, text + 3);
    return ployi_clips_symbol(clips, text);
}

static ploy_rule_value values_setgen(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t n = 0;
    if (ployi_clips_integer(clips, frame, x, 0, &n)) clips->gensym = n - 1;
    return ploy_rule_integer(n);
}

const ployi_function ployi_clips_values[] = {
    {"+", 2, -1, values_add},
    {"-", 2, -1, values_subtract},
    {"*", 2, -1, values_multiply},
    {"/", 2, -1, values_divide},
    {"div", 2, -1, values_div},
    {"mod", 2, 2, values_mod},
    {"abs", 1, 1, values_abs},
    {"min", 1, -1, values_min},
    {"max", 1, -1, values_max},
    {"float", 1, 1, values_float},
    {"integer", 1, 1, values_integer},
    {"round", 1, 1, values_round},
    {"sqrt", 1, 1, values_sqrt},
    {"sin", 1, 1, values_sin},
    {"cos", 1, 1, values_cos},
    {"tan", 1, 1, values_tan},
    {"atan", 1, 1, values_atan},
    {"exp", 1, 1, values_exp},
    {"log", 1, 1, values_log},
    {"**", 2, 2, values_power},
    {"pi", 0, 0, values_pi},
    {"random", 0, 2, values_random},
    {"seed", 1, 1, values_seed},
    {"<", 2, -1, values_lt},
    {">", 2, -1, values_gt},
    {"<=", 2, -1, values_le},
    {">=", 2, -1, values_ge},
    {"=", 2, -1, values_num_eq},
    {"<>", 2, -1, values_num_ne},
    {"!=", 2, -1, values_num_ne},
    {"eq", 2, -1, values_eq},
    {"neq", 2, -1, values_neq},
    {"numberp", 1, 1, values_type},
    {"integerp", 1, 1, values_type},
    {"floatp", 1, 1, values_type},
    {"symbolp", 1, 1, values_type},
    {"wordp", 1, 1, values_type},
    {"stringp", 1, 1, values_type},
    {"lexemep", 1, 1, values_type},
    {"multifieldp", 1, 1, values_type},
    {"sequencep", 1, 1, values_type},
    {"pointerp", 1, 1, values_type},
    {"evenp", 1, 1, values_parity},
    {"oddp", 1, 1, values_parity},
    {"create$", 0, -1, values_create},
    {"mv-append", 0, -1, values_create},
    {"nth$", 2, 2, values_nth},
    {"nth", 2, 2, values_nth},
    {"length$", 1, 1, values_length},
    {"length", 1, 1, values_length},
    {"member$", 2, 2, values_member},
    {"member", 2, 2, values_member},
    {"subsetp", 2, 2, values_subset},
    {"subset", 2, 2, values_subset},
    {"first$", 1, 1, values_first},
    {"rest$", 1, 1, values_rest},
    {"subseq$", 3, 3, values_subseq},
    {"insert$", 3, -1, values_edit},
    {"delete$", 3, 3, values_edit},
    {"replace$", 4, -1, values_edit},
    {"delete-member$", 2, -1, values_delete_member},
    {"replace-member$", 3, -1, values_delete_member},
    {"str-cat", 1, -1, values_cat},
    {"sym-cat", 1, -1, values_cat},
    {"upcase", 1, 1, values_case},
    {"lowcase", 1, 1, values_case},
    {"str-length", 1, 1, values_str_length},
    {"str-compare", 2, 3, values_str_compare},
    {"str-index", 2, 2, values_str_index},
    {"sub-string", 3, 3, values_sub_string},
    {"implode$", 1, 1, values_implode},
    {"str-implode", 1, 1, values_implode},
    {"explode$", 1, 1, values_explode},
    {"str-explode", 1, 1, values_explode},
    {"string-to-field", 1, 1, values_string_to_field},
    {"gensym", 0, 0, values_gensym},
    {"gensym*", 0, 0, values_gensym},
    {"setgen", 1, 1, values_setgen},
    {NULL, 0, 0, NULL},
};
