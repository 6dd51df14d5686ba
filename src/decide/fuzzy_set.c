// Fuzzy sets, norms and hedges; described in the header.
//
// The formulas follow fuzzylite 6, its comparisons within PLOY_FUZZY_TOLERANCE too. Its inverses of
// S, Z and concave sets in release 6.0 are not everywhere the inverse; ours are, as are those behind
// the tables that it publishes.
#include "ploy/decide/fuzzy_set.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "ploy/base/math.h"

static const struct {
    const char *name;
    int32_t params;
} fuzzy_set_shapes[PLOY_FUZZY_SHAPE_COUNT] = {
    {"Triangle", 3},
    {"Trapezoid", 4},
    {"Rectangle", 2},
    {"Binary", 2},
    {"Ramp", 2},
    {"Gaussian", 2},
    {"GaussianProduct", 4},
    {"Bell", 3},
    {"Sigmoid", 2},
    {"SigmoidDifference", 4},
    {"SigmoidProduct", 4},
    {"PiShape", 4},
    {"SShape", 2},
    {"ZShape", 2},
    {"Cosine", 2},
    {"Spike", 2},
    {"Concave", 2},
    {"Discrete", 0},
    {"Singleton", 1},
    {"Constant", 1},
    {"Linear", 0},
    {"Function", 0},
};

static const char *const fuzzy_set_norms[PLOY_FUZZY_NORM_COUNT] = {
    "none",           "Minimum",         "AlgebraicProduct", "BoundedDifference",
    "DrasticProduct", "EinsteinProduct", "HamacherProduct",  "NilpotentMinimum",
    "Maximum",        "AlgebraicSum",    "BoundedSum",       "DrasticSum",
    "EinsteinSum",    "HamacherSum",     "NilpotentMaximum", "NormalizedSum",
    "UnboundedSum"};

static const char *const fuzzy_set_hedges[PLOY_FUZZY_HEDGE_COUNT] = {
    "any", "not", "very", "somewhat", "extremely", "seldom"};

const char *ploy_fuzzy_shape_text(ploy_fuzzy_shape shape) {
    return (uint32_t)shape < PLOY_FUZZY_SHAPE_COUNT ? fuzzy_set_shapes[shape].name : "";
}

int32_t ploy_fuzzy_shape_params(ploy_fuzzy_shape shape) {
    return (uint32_t)shape < PLOY_FUZZY_SHAPE_COUNT ? fuzzy_set_shapes[shape].params : 0;
}

ploy_fuzzy_set ploy_fuzzy_set_make(ploy_fuzzy_shape shape, double a, double b, double c, double d) {
    ploy_fuzzy_set set;
    memset(&set, 0, sizeof set);
    const double given[4] = {a, b, c, d};
    set.shape = shape;
    set.height = 1.0;
    for (int32_t i = 0; i < ploy_fuzzy_shape_params(shape); i++) set.param[i] = given[i];
    return set;
}

ploy_fuzzy_set ploy_fuzzy_triangle(double foot, double peak, double end) {
    return ploy_fuzzy_set_make(PLOY_FUZZY_TRIANGLE, foot, peak, end, 0.0);
}

ploy_fuzzy_set ploy_fuzzy_trapezoid(double foot, double top, double top_end, double end) {
    return ploy_fuzzy_set_make(PLOY_FUZZY_TRAPEZOID, foot, top, top_end, end);
}

ploy_fuzzy_set ploy_fuzzy_left_shoulder(double min, double peak, double end) {
    return ploy_fuzzy_trapezoid(-INFINITY, min, peak, end);
}

ploy_fuzzy_set ploy_fuzzy_right_shoulder(double foot, double peak, double max) {
    return ploy_fuzzy_trapezoid(foot, peak, max, INFINITY);
}

ploy_fuzzy_set ploy_fuzzy_constant(double value) {
    return ploy_fuzzy_set_make(PLOY_FUZZY_CONSTANT, value, 0.0, 0.0, 0.0);
}

ploy_fuzzy_set ploy_fuzzy_discrete(const double *values, int32_t points) {
    ploy_fuzzy_set set = ploy_fuzzy_set_make(PLOY_FUZZY_DISCRETE, 0.0, 0.0, 0.0, 0.0);
    set.values = values;
    set.count = points > 0 && points < INT32_MAX / 2 ? 2 * points : 0;
    return set;
}

ploy_fuzzy_set ploy_fuzzy_formula(const char *formula) {
    ploy_fuzzy_set set = ploy_fuzzy_set_make(PLOY_FUZZY_FUNCTION, 0.0, 0.0, 0.0, 0.0);
    set.formula = formula;
    return set;
}

static ploy_result fuzzy_set_refuse(const char *text, const char **why) {
    if (why != NULL) *why = text;
    return PLOY_ERR_ARGUMENT;
}

ploy_result ploy_fuzzy_set_check(const ploy_fuzzy_set *set, const char **why) {
    if (set == NULL || (uint32_t)set->shape >= PLOY_FUZZY_SHAPE_COUNT) {
        return fuzzy_set_refuse("unknown shape", why);
    }
    if (!ploy_is_finite_d(set->height)) return fuzzy_set_refuse("invalid height", why);
    for (int32_t i = 0; i < ploy_fuzzy_shape_params(set->shape); i++) {
        // Infinite numbers make shoulders; a constant may be undefined, as files have it.
        if (set->param[i] != set->param[i] && set->shape != PLOY_FUZZY_CONSTANT) {
            return fuzzy_set_refuse("missing number of the set", why);
        }
    }
    bool discrete = set->shape == PLOY_FUZZY_DISCRETE;
    if (discrete || set->shape == PLOY_FUZZY_LINEAR) {
        if (set->count < 0 || (set->count > 0 && set->values == NULL) ||
            (discrete && (set->count < 2 || set->count % 2 != 0))) {
            return fuzzy_set_refuse("expected pairs of x and degree", why);
        }
        for (int32_t i = 0; i < set->count; i++) {
            if (set->values[i] != set->values[i])
                return fuzzy_set_refuse("a number is missing", why);
            if (discrete && i % 2 == 0 && i > 0 && set->values[i] < set->values[i - 2]) {
                return fuzzy_set_refuse("x values must rise", why);
            }
        }
    }
    if (set->shape == PLOY_FUZZY_FUNCTION && set->formula == NULL) {
        return fuzzy_set_refuse("missing formula", why);
    }
    return PLOY_OK;
}

// ---- comparing as fuzzylite does ----

static bool fuzzy_set_eq(double a, double b) {
    return a == b || fabs(a - b) < PLOY_FUZZY_TOLERANCE;
}
static bool fuzzy_set_lt(double a, double b) {
    return a < b && !fuzzy_set_eq(a, b);
}
static bool fuzzy_set_le(double a, double b) {
    return a < b || fuzzy_set_eq(a, b);
}

// ---- degrees ----

static double fuzzy_set_triangle_at(const double *p, double x) {
    if (fuzzy_set_lt(x, p[0]) || fuzzy_set_lt(p[2], x)) return 0.0;
    if (fuzzy_set_eq(x, p[1])) return 1.0;
    if (x < p[1]) return p[0] == (double)-INFINITY ? 1.0 : (x - p[0]) / (p[1] - p[0]);
    return p[2] == (double)INFINITY ? 1.0 : (p[2] - x) / (p[2] - p[1]);
}

static double fuzzy_set_trapezoid_at(const double *p, double x) {
    if (fuzzy_set_lt(x, p[0]) || fuzzy_set_lt(p[3], x)) return 0.0;
    if (fuzzy_set_lt(x, p[1])) {
        if (p[0] == (double)-INFINITY) return 1.0;
        double share = (x - p[0]) / (p[1] - p[0]);
        return share < 1.0 ? share : 1.0;
    }
    if (fuzzy_set_le(x, p[2]) || p[3] == (double)INFINITY) return 1.0;
    return fuzzy_set_lt(x, p[3]) ? (p[3] - x) / (p[3] - p[2]) : 0.0;
}

static double fuzzy_set_ramp_at(double from, double to, double x) {
    if (fuzzy_set_eq(from, to)) return 0.0;
    if (from < to) {
        if (fuzzy_set_le(x, from)) return 0.0;
        return fuzzy_set_le(to, x) ? 1.0 : (x - from) / (to - from);
    }
    if (fuzzy_set_le(from, x)) return 0.0;
    return fuzzy_set_le(x, to) ? 1.0 : (from - x) / (from - to);
}

static double fuzzy_set_gauss_at(double mean, double deviation, double x) {
    return ploy_exp(-(x - mean) * (x - mean) / (2.0 * deviation * deviation));
}

static double fuzzy_set_sigmoid_at(double inflection, double slope, double x) {
    return 1.0 / (1.0 + ploy_exp(-slope * (x - inflection)));
}

// Rises from 0 to 1 in two parabolas.
static double fuzzy_set_s_at(double from, double to, double x) {
    if (fuzzy_set_le(x, from)) return 0.0;
    double width = to - from;
    if (fuzzy_set_le(x, 0.5 * (from + to))) {
        double share = (x - from) / width;
        return 2.0 * share * share;
    }
    if (!fuzzy_set_lt(x, to)) return 1.0;
    double share = (x - to) / width;
    return 1.0 - 2.0 * share * share;
}

static double fuzzy_set_z_at(double from, double to, double x) {
    if (fuzzy_set_le(x, from)) return 1.0;
    double width = to - from;
    if (fuzzy_set_le(x, 0.5 * (from + to))) {
        double share = (x - from) / width;
        return 1.0 - 2.0 * share * share;
    }
    if (!fuzzy_set_lt(x, to)) return 0.0;
    double share = (x - to) / width;
    return 2.0 * share * share;
}

static double fuzzy_set_concave_at(double inflection, double end, double x) {
    if (fuzzy_set_le(inflection, end)) {
        if (fuzzy_set_lt(x, end)) return (end - inflection) / (2.0 * end - inflection - x);
    } else if (fuzzy_set_lt(end, x)) {
        return (inflection - end) / (inflection - 2.0 * end + x);
    }
    return 1.0;
}

static double fuzzy_set_discrete_at(const double *pairs, int32_t points, double x) {
    if (points < 1) return 0.0;
    if (fuzzy_set_le(x, pairs[0])) return pairs[1];
    if (fuzzy_set_le(pairs[2 * points - 2], x)) return pairs[2 * points - 1];
    // The last point at or left of x; (low, high] shrinks to it.
    int32_t low = 0, high = points - 1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (pairs[2 * middle] <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const double *a = pairs + 2 * low, *b = pairs + 2 * high;
    if (fuzzy_set_eq(x, a[0])) return a[1];
    if (fuzzy_set_eq(x, b[0])) return b[1];
    return a[1] + (b[1] - a[1]) * ((x - a[0]) / (b[0] - a[0]));
}

// The degree before the height.
static double fuzzy_set_at(const ploy_fuzzy_set *set, double x) {
    const double *p = set->param;
    switch (set->shape) {
    case PLOY_FUZZY_TRIANGLE: return fuzzy_set_triangle_at(p, x);
    case PLOY_FUZZY_TRAPEZOID: return fuzzy_set_trapezoid_at(p, x);
    case PLOY_FUZZY_RECTANGLE: return fuzzy_set_le(p[0], x) && fuzzy_set_le(x, p[1]) ? 1.0 : 0.0;
    case PLOY_FUZZY_BINARY:
        if (p[1] > p[0]) return fuzzy_set_le(p[0], x) ? 1.0 : 0.0;
        return p[1] < p[0] && fuzzy_set_le(x, p[0]) ? 1.0 : 0.0;
    case PLOY_FUZZY_RAMP: return fuzzy_set_ramp_at(p[0], p[1], x);
    case PLOY_FUZZY_GAUSSIAN: return fuzzy_set_gauss_at(p[0], p[1], x);
    case PLOY_FUZZY_GAUSSIAN_PRODUCT: {
        double left = fuzzy_set_lt(x, p[0]) ? fuzzy_set_gauss_at(p[0], p[1], x) : 1.0;
        double right = fuzzy_set_lt(p[2], x) ? fuzzy_set_gauss_at(p[2], p[3], x) : 1.0;
        return left * right;
    }
    case PLOY_FUZZY_BELL: return 1.0 / (1.0 + ploy_pow(fabs((x - p[0]) / p[1]), 2.0 * p[2]));
    case PLOY_FUZZY_SIGMOID: return fuzzy_set_sigmoid_at(p[0], p[1], x);
    case PLOY_FUZZY_SIGMOID_DIFFERENCE:
        return fabs(fuzzy_set_sigmoid_at(p[0], p[1], x) - fuzzy_set_sigmoid_at(p[3], p[2], x));
    case PLOY_FUZZY_SIGMOID_PRODUCT:
        return fuzzy_set_sigmoid_at(p[0], p[1], x) * fuzzy_set_sigmoid_at(p[3], p[2], x);
    case PLOY_FUZZY_PI_SHAPE: return fuzzy_set_s_at(p[0], p[1], x) * fuzzy_set_z_at(p[2], p[3], x);
    case PLOY_FUZZY_S_SHAPE: return fuzzy_set_s_at(p[0], p[1], x);
    case PLOY_FUZZY_Z_SHAPE: return fuzzy_set_z_at(p[0], p[1], x);
    case PLOY_FUZZY_COSINE: {
        double half = 0.5 * p[1];
        if (fuzzy_set_lt(x, p[0] - half) || fuzzy_set_lt(p[0] + half, x)) return 0.0;
        return 0.5 * (1.0 + ploy_cos(2.0 / p[1] * PLOY_PI * (x - p[0])));
    }
    case PLOY_FUZZY_SPIKE: return ploy_exp(-fabs(10.0 / p[1] * (x - p[0])));
    case PLOY_FUZZY_CONCAVE: return fuzzy_set_concave_at(p[0], p[1], x);
    case PLOY_FUZZY_DISCRETE: return fuzzy_set_discrete_at(set->values, set->count / 2, x);
    case PLOY_FUZZY_SINGLETON: return fuzzy_set_eq(x, p[0]) ? 1.0 : 0.0;
    case PLOY_FUZZY_CONSTANT:
    case PLOY_FUZZY_LINEAR:
    case PLOY_FUZZY_FUNCTION:
    case PLOY_FUZZY_SHAPE_COUNT: break;
    }
    return (double)NAN;
}

double ploy_fuzzy_membership(const ploy_fuzzy_set *set, double x) {
    if (set->shape == PLOY_FUZZY_CONSTANT) return set->param[0];
    return x != x ? x : set->height * fuzzy_set_at(set, x);
}

// ---- from degrees back ----

bool ployi_fuzzy_set_is_monotonic(const ploy_fuzzy_set *set) {
    switch (set->shape) {
    case PLOY_FUZZY_RAMP:
    case PLOY_FUZZY_SIGMOID:
    case PLOY_FUZZY_S_SHAPE:
    case PLOY_FUZZY_Z_SHAPE:
    case PLOY_FUZZY_CONCAVE: return true;
    default: return false;
    }
}

double ployi_fuzzy_tsukamoto(const ploy_fuzzy_set *set, double degree) {
    const double *p = set->param;
    double w = degree / set->height, width = p[1] - p[0];
    switch (set->shape) {
    case PLOY_FUZZY_RAMP: return p[0] + width * w;
    case PLOY_FUZZY_SIGMOID: return p[0] + ploy_log(1.0 / w - 1.0) / -p[1];
    case PLOY_FUZZY_S_SHAPE:
        return w <= 0.5 ? p[0] + sqrt(0.5 * w) * width : p[1] - sqrt(0.5 * (1.0 - w)) * width;
    case PLOY_FUZZY_Z_SHAPE:
        return w <= 0.5 ? p[1] - sqrt(0.5 * w) * width : p[0] + sqrt(0.5 * (1.0 - w)) * width;
    case PLOY_FUZZY_CONCAVE: return -width / w + 2.0 * p[1] - p[0];
    default: return ploy_fuzzy_membership(set, degree);
    }
}

// ---- one number for a set ----

enum { FUZZY_SET_SAMPLES = 1000 };

// Where a sampled set is highest.
static void fuzzy_set_sampled_top(const ploy_fuzzy_set *set, double min, double max, double *from,
                                  double *to) {
    double best = -1.0;
    *from = min;
    *to = max;
    for (int32_t i = 0; i < FUZZY_SET_SAMPLES; i++) {
        double x = min + (i + 0.5) * (max - min) / FUZZY_SET_SAMPLES;
        double y = ploy_fuzzy_membership(set, x);
        if (fuzzy_set_lt(best, y)) {
            best = y;
            *from = x;
        }
        if (!fuzzy_set_lt(y, best)) *to = x;
    }
}

static void fuzzy_set_top(const ploy_fuzzy_set *set, double min, double max, double *from,
                          double *to) {
    const double *p = set->param;
    switch (set->shape) {
    case PLOY_FUZZY_TRIANGLE: *from = *to = p[1]; return;
    case PLOY_FUZZY_TRAPEZOID:
    case PLOY_FUZZY_PI_SHAPE:
        *from = p[1];
        *to = p[2];
        return;
    case PLOY_FUZZY_RECTANGLE:
        *from = p[0];
        *to = p[1];
        return;
    case PLOY_FUZZY_RAMP:
    case PLOY_FUZZY_CONCAVE:
        *from = p[0] < p[1] ? p[1] : min;
        *to = p[0] < p[1] ? max : p[1];
        return;
    case PLOY_FUZZY_S_SHAPE:
        *from = p[1];
        *to = max;
        return;
    case PLOY_FUZZY_Z_SHAPE:
        *from = min;
        *to = p[0];
        return;
    case PLOY_FUZZY_GAUSSIAN:
    case PLOY_FUZZY_BELL:
    case PLOY_FUZZY_COSINE:
    case PLOY_FUZZY_SPIKE:
    case PLOY_FUZZY_SINGLETON:
    case PLOY_FUZZY_CONSTANT: *from = *to = p[0]; return;
    case PLOY_FUZZY_DISCRETE: {
        double best = -1.0;
        for (int32_t i = 0; i + 1 < set->count; i += 2) {
            double y = set->values[i + 1];
            if (fuzzy_set_lt(best, y)) *from = set->values[i];
            if (!fuzzy_set_lt(y, best)) *to = set->values[i];
            if (y > best) best = y;
        }
        return;
    }
    default: fuzzy_set_sampled_top(set, min, max, from, to); return;
    }
}

double ploy_fuzzy_representative(const ploy_fuzzy_set *set, ploy_fuzzy_point point, double min,
                                 double max) {
    if (set->shape == PLOY_FUZZY_CONSTANT) return set->param[0];
    if (point != PLOY_FUZZY_POINT_BISECTOR && point != PLOY_FUZZY_POINT_CENTROID) {
        double from = min, to = max;
        fuzzy_set_top(set, min, max, &from, &to);
        return point == PLOY_FUZZY_POINT_SMALLEST  ? from
               : point == PLOY_FUZZY_POINT_LARGEST ? to
                                                   : 0.5 * (from + to);
    }
    double width = (max - min) / FUZZY_SET_SAMPLES, area = 0.0, moment = 0.0;
    for (int32_t i = 0; i < FUZZY_SET_SAMPLES; i++) {
        double x = min + (i + 0.5) * width, y = ploy_fuzzy_membership(set, x);
        area += y;
        moment += x * y;
    }
    if (!(area > 0.0) || point == PLOY_FUZZY_POINT_CENTROID) return moment / area;
    double left = 0.0;
    for (int32_t i = 0; i < FUZZY_SET_SAMPLES; i++) {
        double y = ploy_fuzzy_membership(set, min + (i + 0.5) * width);
        // The half falls into this slice, in which the set counts as flat.
        if (left + y >= 0.5 * area) return min + (i + (0.5 * area - left) / y) * width;
        left += y;
    }
    return max;
}

bool ployi_fuzzy_set_extent(const ploy_fuzzy_set *set, double *min, double *max) {
    const double *p = set->param;
    double spread = 0.0, places[4];
    int32_t count = 0;
    switch (set->shape) {
    case PLOY_FUZZY_GAUSSIAN: spread = 3.0 * fabs(p[1]); break;
    case PLOY_FUZZY_COSINE:
    case PLOY_FUZZY_SPIKE: spread = 0.5 * fabs(p[1]); break;
    case PLOY_FUZZY_BELL: spread = 3.0 * fabs(p[1]); break;
    case PLOY_FUZZY_SIGMOID: spread = p[1] != 0.0 ? 6.0 / fabs(p[1]) : 0.0; break;
    case PLOY_FUZZY_SINGLETON: break;
    case PLOY_FUZZY_BINARY: break;
    case PLOY_FUZZY_GAUSSIAN_PRODUCT:
        places[count++] = p[0] - 3.0 * fabs(p[1]);
        places[count++] = p[2] + 3.0 * fabs(p[3]);
        break;
    case PLOY_FUZZY_SIGMOID_DIFFERENCE:
    case PLOY_FUZZY_SIGMOID_PRODUCT:
        places[count++] = p[0];
        places[count++] = p[3];
        break;
    case PLOY_FUZZY_DISCRETE:
        if (set->count < 2) return false;
        places[count++] = set->values[0];
        places[count++] = set->values[set->count - 2];
        break;
    case PLOY_FUZZY_CONSTANT:
    case PLOY_FUZZY_LINEAR:
    case PLOY_FUZZY_FUNCTION:
    case PLOY_FUZZY_SHAPE_COUNT: return false;
    default:
        for (int32_t i = 0; i < ploy_fuzzy_shape_params(set->shape); i++) places[count++] = p[i];
        break;
    }
    if (count == 0) {
        places[count++] = p[0] - spread;
        places[count++] = p[0] + spread;
    }
    bool any = false;
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_is_finite_d(places[i])) continue;
        if (!any || places[i] < *min) *min = places[i];
        if (!any || places[i] > *max) *max = places[i];
        any = true;
    }
    return any;
}

// ---- norms ----

const char *ploy_fuzzy_norm_text(ploy_fuzzy_norm norm) {
    return (uint32_t)norm < PLOY_FUZZY_NORM_COUNT ? fuzzy_set_norms[norm] : "";
}

bool ploy_fuzzy_norm_is_and(ploy_fuzzy_norm norm) {
    return norm >= PLOY_FUZZY_MINIMUM && norm <= PLOY_FUZZY_NILPOTENT_MINIMUM;
}

bool ploy_fuzzy_norm_is_or(ploy_fuzzy_norm norm) {
    return norm >= PLOY_FUZZY_MAXIMUM && norm < PLOY_FUZZY_NORM_COUNT;
}

ploy_fuzzy_norm ploy_fuzzy_norm_dual(ploy_fuzzy_norm norm) {
    if (ploy_fuzzy_norm_is_and(norm)) {
        return (ploy_fuzzy_norm)(norm - PLOY_FUZZY_MINIMUM + PLOY_FUZZY_MAXIMUM);
    }
    if (norm >= PLOY_FUZZY_MAXIMUM && norm <= PLOY_FUZZY_NILPOTENT_MAXIMUM) {
        return (ploy_fuzzy_norm)(norm - PLOY_FUZZY_MAXIMUM + PLOY_FUZZY_MINIMUM);
    }
    // The sums that have no twin among the products behave most like the bounded one.
    return ploy_fuzzy_norm_is_or(norm) ? PLOY_FUZZY_BOUNDED_DIFFERENCE : PLOY_FUZZY_NONE;
}

double ploy_fuzzy_join(ploy_fuzzy_norm norm, double a, double b) {
    double low = a < b ? a : b, high = a < b ? b : a, sum = a + b, product = a * b;
    switch (norm) {
    case PLOY_FUZZY_MINIMUM: return low;
    case PLOY_FUZZY_ALGEBRAIC_PRODUCT: return product;
    case PLOY_FUZZY_BOUNDED_DIFFERENCE: return sum > 1.0 ? sum - 1.0 : 0.0;
    case PLOY_FUZZY_DRASTIC_PRODUCT: return fuzzy_set_eq(high, 1.0) ? low : 0.0;
    case PLOY_FUZZY_EINSTEIN_PRODUCT: return product / (2.0 - (sum - product));
    case PLOY_FUZZY_HAMACHER_PRODUCT:
        return fuzzy_set_eq(sum, 0.0) ? 0.0 : product / (sum - product);
    case PLOY_FUZZY_NILPOTENT_MINIMUM: return fuzzy_set_lt(1.0, sum) ? low : 0.0;
    case PLOY_FUZZY_MAXIMUM: return high;
    case PLOY_FUZZY_ALGEBRAIC_SUM: return sum - product;
    case PLOY_FUZZY_BOUNDED_SUM: return sum < 1.0 ? sum : 1.0;
    case PLOY_FUZZY_DRASTIC_SUM: return fuzzy_set_eq(low, 0.0) ? high : 1.0;
    case PLOY_FUZZY_EINSTEIN_SUM: return sum / (1.0 + product);
    case PLOY_FUZZY_HAMACHER_SUM:
        return fuzzy_set_eq(product, 1.0) ? 1.0 : (sum - 2.0 * product) / (1.0 - product);
    case PLOY_FUZZY_NILPOTENT_MAXIMUM: return fuzzy_set_lt(sum, 1.0) ? high : 1.0;
    case PLOY_FUZZY_NORMALIZED_SUM: return sum / (sum > 1.0 ? sum : 1.0);
    case PLOY_FUZZY_UNBOUNDED_SUM: return sum;
    case PLOY_FUZZY_NONE:
    case PLOY_FUZZY_NORM_COUNT: break;
    }
    return (double)NAN;
}

double ploy_fuzzy_xor(double a, double b) {
    double only_a = ploy_fuzzy_join(PLOY_FUZZY_MINIMUM, a, 1.0 - b);
    return ploy_fuzzy_join(PLOY_FUZZY_MAXIMUM, only_a,
                           ploy_fuzzy_join(PLOY_FUZZY_MINIMUM, 1.0 - a, b));
}

double ployi_fuzzy_nor(double a, double b) {
    return 1.0 - ploy_fuzzy_join(PLOY_FUZZY_MAXIMUM, a, b);
}

double ployi_fuzzy_nand(double a, double b) {
    return 1.0 - ploy_fuzzy_join(PLOY_FUZZY_MINIMUM, a, b);
}

// ---- hedges ----

const char *ployi_fuzzy_hedge_text(ploy_fuzzy_hedge hedge) {
    return (uint32_t)hedge < PLOY_FUZZY_HEDGE_COUNT ? fuzzy_set_hedges[hedge] : "";
}

double ploy_fuzzy_bend(ploy_fuzzy_hedge hedge, double degree) {
    double other = 1.0 - degree;
    switch (hedge) {
    case PLOY_FUZZY_ANY: return 1.0;
    case PLOY_FUZZY_NOT: return other;
    case PLOY_FUZZY_VERY: return degree * degree;
    // A sum may round to a hair beyond 0 or 1, which has no root.
    case PLOY_FUZZY_SOMEWHAT: return degree > 0.0 ? sqrt(degree) : 0.0;
    case PLOY_FUZZY_EXTREMELY:
        return degree <= 0.5 ? 2.0 * degree * degree : 1.0 - 2.0 * other * other;
    case PLOY_FUZZY_SELDOM:
        if (!(degree > 0.0)) return 0.0;
        return degree <= 0.5 ? sqrt(0.5 * degree) : other > 0.0 ? 1.0 - sqrt(0.5 * other) : 1.0;
    case PLOY_FUZZY_HEDGE_COUNT: break;
    }
    return (double)NAN;
}

// ---- to other kinds of answers ----

bool ploy_fuzzy_to_bool(double degree, double cut_off) {
    return degree >= cut_off;
}

int32_t ploy_fuzzy_highest(const double *degrees, int32_t count) {
    int32_t best = -1;
    double highest = 0.0;
    for (int32_t i = 0; i < count; i++) {
        if (!(degrees[i] > highest)) continue;
        highest = degrees[i];
        best = i;
    }
    return best;
}

int32_t ploy_fuzzy_rank(double value, const double *bounds, int32_t count) {
    int32_t rank = 0;
    while (rank < count && bounds[rank] <= value) rank++;
    return rank;
}

double ploy_fuzzy_normalise(double *degrees, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) sum += degrees[i];
    if (sum != 0.0) {
        for (int32_t i = 0; i < count; i++) degrees[i] /= sum;
    }
    return sum;
}

uint8_t ploy_fuzzy_to_byte(double degree) {
    if (!(degree > 0.0)) return 0; // NaN, too
    return degree >= 1.0 ? 255 : (uint8_t)(degree * 255.0 + 0.5);
}

double ployi_fuzzy_from_byte(uint8_t degree) {
    return (double)degree / 255.0;
}
