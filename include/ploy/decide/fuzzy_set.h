/// @file ploy/decide/fuzzy_set.h
/// Fuzzy sets: how much a number is "warm", and how "and", "or" and "very" change that.
///
/// A set maps a number to a degree of membership, 0 to 1. Sets come in many shapes; degrees are
/// joined by norms (min and max by default) and modified by hedges. These are plain functions
/// without state; ploy/decide/fuzzy.h builds whole systems from them.
///
///     ploy_fuzzy_set warm = ploy_fuzzy_triangle(15, 20, 25);
///     double degree = ploy_fuzzy_membership(&warm, 18); // 0.6
///
/// Techniques: Zadeh, "Fuzzy sets", 1965; the shapes, norms and hedges are those of fuzzylite 6 by
/// Juan Rada-Vilela, with its results. Numbers closer than PLOY_FUZZY_TOLERANCE count as equal, as
/// in fuzzylite, so that a sample at the foot of a steep edge falls on the same side everywhere.
/// Scale up variables whose whole range is that small.
///
/// Cost: O(1), discrete sets O(log points). Threads: callable from any thread.
#pragma once

#include "ploy/base/result.h"

/// Numbers and degrees that differ by less are equal; a rule with a degree of at most this does not
/// fire.
#define PLOY_FUZZY_TOLERANCE 1e-6

/// The shape of a set. The comments list its params, in order.
typedef enum ploy_fuzzy_shape {
    PLOY_FUZZY_TRIANGLE,           ///< foot, peak, foot; infinite feet make shoulders
    PLOY_FUZZY_TRAPEZOID,          ///< foot, top, top, foot; likewise
    PLOY_FUZZY_RECTANGLE,          ///< from, to: 1 between them, both ends included
    PLOY_FUZZY_BINARY,             ///< edge, a number on the side where the degree is 1
    PLOY_FUZZY_RAMP,               ///< where 0, where 1: rises or falls
    PLOY_FUZZY_GAUSSIAN,           ///< mean, standard deviation
    PLOY_FUZZY_GAUSSIAN_PRODUCT,   ///< mean and deviation of the left side, of the right side
    PLOY_FUZZY_BELL,               ///< centre, width, slope
    PLOY_FUZZY_SIGMOID,            ///< inflection, slope: falls if below 0
    PLOY_FUZZY_SIGMOID_DIFFERENCE, ///< left, rising slope, falling slope, right
    PLOY_FUZZY_SIGMOID_PRODUCT,    ///< the same, multiplied
    PLOY_FUZZY_PI_SHAPE,           ///< foot, top, top, foot, joined by parabolas
    PLOY_FUZZY_S_SHAPE,            ///< where 0, where 1, joined by parabolas
    PLOY_FUZZY_Z_SHAPE,            ///< where 1, where 0
    PLOY_FUZZY_COSINE,             ///< centre, width of the whole hill
    PLOY_FUZZY_SPIKE,              ///< centre, width
    PLOY_FUZZY_CONCAVE,            ///< inflection, end, where it is 1
    PLOY_FUZZY_DISCRETE,           ///< values: alternating x and degree, x rising; linear between
    PLOY_FUZZY_SINGLETON,          ///< x; 1 only there
    PLOY_FUZZY_CONSTANT,           ///< of an output: the number itself
    PLOY_FUZZY_LINEAR,   ///< of an output: values are weights of the inputs, then a constant
    PLOY_FUZZY_FUNCTION, ///< formula: of x, the inputs and the outputs
    PLOY_FUZZY_SHAPE_COUNT
} ploy_fuzzy_shape;

/// "Triangle", "Trapezoid", ...: fuzzylite's names.
PLOY_API const char *ploy_fuzzy_shape_text(ploy_fuzzy_shape shape);
/// How many params a shape has; 0 for those that have values or a formula.
PLOY_API int32_t ploy_fuzzy_shape_params(ploy_fuzzy_shape shape);

/// A set. Plain data; values and formula are borrowed.
typedef struct ploy_fuzzy_set {
    ploy_fuzzy_shape shape;
    int32_t count; ///< of values
    double height; ///< factor of every degree; usually 1
    double param[4];
    const double *values;
    const char *formula; ///< "sin(x) / distance"; zero-terminated
} ploy_fuzzy_set;

/// A set of up to four params, height 1; a shape uses as many of them as it has.
PLOY_API ploy_fuzzy_set ploy_fuzzy_set_make(ploy_fuzzy_shape shape, double a, double b, double c,
                                            double d);
/// The common shapes.
PLOY_API ploy_fuzzy_set ploy_fuzzy_triangle(double foot, double peak, double end);
PLOY_API ploy_fuzzy_set ploy_fuzzy_trapezoid(double foot, double top, double top_end, double end);
/// 1 up to the peak, falling to 0 at the end; `min` is where the domain begins, to find the set's
/// middle.
PLOY_API ploy_fuzzy_set ploy_fuzzy_left_shoulder(double min, double peak, double end);
/// 0 at the foot, rising to 1 at the peak, then 1 up to `max` and beyond.
PLOY_API ploy_fuzzy_set ploy_fuzzy_right_shoulder(double foot, double peak, double max);
PLOY_API ploy_fuzzy_set ploy_fuzzy_constant(double value);
/// Alternating x and degree, `points` pairs. A table over 0, 1, 2, ... serves enumerations and
/// Booleans.
PLOY_API ploy_fuzzy_set ploy_fuzzy_discrete(const double *values, int32_t points);
PLOY_API ploy_fuzzy_set ploy_fuzzy_formula(const char *formula);

/// Checks a set: params must be numbers, discrete x must rise.
/// @return PLOY_ERR_ARGUMENT; *why names the fault. why may be NULL.
PLOY_API ploy_result ploy_fuzzy_set_check(const ploy_fuzzy_set *set, const char **why);

/// The degree to which x belongs to the set; NaN for NaN. A constant returns its value for any x;
/// LINEAR and FUNCTION need a fuzzy system and return NaN here.
PLOY_API double ploy_fuzzy_membership(const ploy_fuzzy_set *set, double x);

/// Which number represents a whole set.
typedef enum ploy_fuzzy_point {
    PLOY_FUZZY_POINT_MEAN,     ///< middle of where the set is highest
    PLOY_FUZZY_POINT_SMALLEST, ///< its left end
    PLOY_FUZZY_POINT_LARGEST,  ///< its right end
    PLOY_FUZZY_POINT_BISECTOR, ///< half of the set's area is on either side
    PLOY_FUZZY_POINT_CENTROID  ///< the centre of its area
} ploy_fuzzy_point;

/// The set's number within [min, max]; exact for the tops of shapes made of straight lines,
/// otherwise from 1000 samples.
PLOY_API double ploy_fuzzy_representative(const ploy_fuzzy_set *set, ploy_fuzzy_point point,
                                          double min, double max);

/// How two degrees are joined. The first seven join as "and" does, the rest as "or".
typedef enum ploy_fuzzy_norm {
    PLOY_FUZZY_NONE,
    PLOY_FUZZY_MINIMUM,
    PLOY_FUZZY_ALGEBRAIC_PRODUCT,
    PLOY_FUZZY_BOUNDED_DIFFERENCE,
    PLOY_FUZZY_DRASTIC_PRODUCT,
    PLOY_FUZZY_EINSTEIN_PRODUCT,
    PLOY_FUZZY_HAMACHER_PRODUCT,
    PLOY_FUZZY_NILPOTENT_MINIMUM,
    PLOY_FUZZY_MAXIMUM,
    PLOY_FUZZY_ALGEBRAIC_SUM,
    PLOY_FUZZY_BOUNDED_SUM,
    PLOY_FUZZY_DRASTIC_SUM,
    PLOY_FUZZY_EINSTEIN_SUM,
    PLOY_FUZZY_HAMACHER_SUM,
    PLOY_FUZZY_NILPOTENT_MAXIMUM,
    PLOY_FUZZY_NORMALIZED_SUM,
    PLOY_FUZZY_UNBOUNDED_SUM, ///< not a norm in the strict sense: may exceed 1
    PLOY_FUZZY_NORM_COUNT
} ploy_fuzzy_norm;

/// "none", "Minimum", "AlgebraicProduct", ...: fuzzylite's names.
PLOY_API const char *ploy_fuzzy_norm_text(ploy_fuzzy_norm norm);
/// True for norms that join as "and" does; false for none.
PLOY_API bool ploy_fuzzy_norm_is_and(ploy_fuzzy_norm norm);
/// True for norms that join as "or" does.
PLOY_API bool ploy_fuzzy_norm_is_or(ploy_fuzzy_norm norm);
/// Returns the norm that satisfies De Morgan's laws together with this one: Maximum for Minimum and
/// so on.
PLOY_API ploy_fuzzy_norm ploy_fuzzy_norm_dual(ploy_fuzzy_norm norm);
/// Joins two degrees; NaN for none.
PLOY_API double ploy_fuzzy_join(ploy_fuzzy_norm norm, double a, double b);
/// The other classical operators over min and max: exactly one, neither, not both.
PLOY_API double ploy_fuzzy_xor(double a, double b);

/// Words that modify a degree.
typedef enum ploy_fuzzy_hedge {
    PLOY_FUZZY_ANY,       ///< always 1
    PLOY_FUZZY_NOT,       ///< 1 - m
    PLOY_FUZZY_VERY,      ///< m^2
    PLOY_FUZZY_SOMEWHAT,  ///< sqrt m; "fairly" means the same
    PLOY_FUZZY_EXTREMELY, ///< 2 m^2 below a half, mirrored above
    PLOY_FUZZY_SELDOM,    ///< sqrt (m / 2) below a half, mirrored above
    PLOY_FUZZY_HEDGE_COUNT
} ploy_fuzzy_hedge;

/// "any", "not", "very", ...
PLOY_API double ploy_fuzzy_bend(ploy_fuzzy_hedge hedge, double degree);

/// Defuzzifies to a Boolean: true at or above the cut-off.
PLOY_API bool ploy_fuzzy_to_bool(double degree, double cut_off);
/// Defuzzifies to an unordered enumeration: the index of the highest degree, the first of equals;
/// -1 if all are 0 or NaN.
PLOY_API int32_t ploy_fuzzy_highest(const double *degrees, int32_t count);
/// Defuzzifies to an ordered enumeration: the number of rising bounds at or below the value.
PLOY_API int32_t ploy_fuzzy_rank(double value, const double *bounds, int32_t count);
/// Scales mutually exclusive degrees so that they sum to 1. @return their old sum; they are
/// unchanged if that is 0.
PLOY_API double ploy_fuzzy_normalise(double *degrees, int32_t count);

/// Degrees as bytes, 0 to 255, for tables of many characters: rounded to the nearest. Minimum,
/// maximum and "not" give the rounded result of the exact degrees, because rounding keeps the order
/// and 255 - b is the rounded 1 - d; NaN is 0.
PLOY_API uint8_t ploy_fuzzy_to_byte(double degree);
