// The nearest point of a spline.
//
// On one span the square of the distance is a polynomial of degree six in u. Its least value lies
// at an end or at a root of its derivative, of degree five. All roots are found, not searched for:
// the roots of a polynomial's derivative cut the line into stretches where it only rises or only
// falls, and each stretch that changes sign holds one root. So from degree one up to five.
//
// Few spans are looked at so closely. One is first, that of the place asked before or of the
// nearest start; what it holds bounds the answer. With a table of lengths L another span cannot hold
// it if its two ends are farther away together than twice the bound plus L: no point of it is nearer
// than half of what is left. Those that remain are asked by their hull, and by the same rule cell by
// cell of the table.
#include "ploy/geom/spline.h"

#include "geom/geom_internal.h"
#include "geom/spline_internal.h"

enum { SPLINE_DEGREE = 5 };

// The best answer so far.
typedef struct spline_best {
    double distance_sq;
    ployi_spline_place place;
    double point[3];
    bool found;
    double bound; // m^2, no less than the answer will be
} spline_best;

static double spline_poly_at(const double *c, int32_t degree, double u) {
    double value = c[degree];
    for (int32_t i = degree - 1; i >= 0; i--) value = value * u + c[i];
    return value;
}

// The root of a polynomial between low and high, where it differs in sign: Newton's method, halving
// wherever that would leave the bounds or lags behind.
static double spline_poly_root(const double *c, const double *slope, int32_t degree, double low,
                               double high) {
    bool rises = spline_poly_at(c, degree, low) < 0.0;
    double u = 0.5 * (low + high), width = high - low;
    for (int32_t i = 0; i < 80; i++) {
        double value = spline_poly_at(c, degree, u);
        if (value == 0.0) return u;
        if ((value < 0.0) == rises) {
            low = u;
        } else {
            high = u;
        }
        double rate = spline_poly_at(slope, degree - 1, u);
        double next = rate != 0.0 ? u - value / rate : low;
        // Newton steps that shrink the bounds from one side only are mixed with halving.
        bool lags = i % 3 == 2 && high - low > 0.5 * width;
        if (i % 3 == 2) width = high - low;
        if (lags || !(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - u) <= 1e-16 || next == low || next == high) return next;
        u = next;
    }
    return u;
}

// True if a polynomial of degree five only rises between 0 and 1, as it does for a point that is
// near beside the span's bends. Its derivative lies within the numbers that are its coefficients in
// Bernstein's form, so if those are above 0, it is. False says nothing.
static bool spline_poly_rises(const double c[SPLINE_DEGREE + 1]) {
    double d1 = 2.0 * c[2], d2 = 3.0 * c[3], d3 = 4.0 * c[4], d4 = 5.0 * c[5];
    return c[1] > 0.0 && c[1] + d1 / 4.0 > 0.0 && c[1] + d1 / 2.0 + d2 / 6.0 > 0.0 &&
           c[1] + 0.75 * d1 + d2 / 2.0 + d3 / 4.0 > 0.0 && c[1] + d1 + d2 + d3 + d4 > 0.0;
}

// The roots within (low, high) where the sign changes, in order. @return how many.
static int32_t spline_poly_roots(const double c[SPLINE_DEGREE + 1], double low, double high,
                                 double roots[SPLINE_DEGREE]) {
    // derived[k] has degree k: the polynomial itself differentiated 5 - k times.
    double derived[SPLINE_DEGREE + 1][SPLINE_DEGREE + 1];
    for (int32_t i = 0; i <= SPLINE_DEGREE; i++) derived[SPLINE_DEGREE][i] = c[i];
    bool rises = spline_poly_rises(c);
    for (int32_t k = SPLINE_DEGREE - 1; k >= (rises ? SPLINE_DEGREE - 1 : 0); k--) {
        for (int32_t i = 0; i <= k; i++) derived[k][i] = derived[k + 1][i + 1] * (double)(i + 1);
    }
    int32_t count = 0;
    // What only rises has one root, and its derivatives' would cut nothing.
    for (int32_t k = rises ? SPLINE_DEGREE : 1; k <= SPLINE_DEGREE; k++) {
        double cuts[SPLINE_DEGREE + 2];
        int32_t pieces = count + 1;
        cuts[0] = low;
        for (int32_t i = 0; i < count; i++) cuts[i + 1] = roots[i];
        cuts[pieces] = high;
        count = 0;
        double left = spline_poly_at(derived[k], k, cuts[0]);
        for (int32_t i = 0; i < pieces; i++) {
            double right = spline_poly_at(derived[k], k, cuts[i + 1]);
            bool changes = (left < 0.0 && right > 0.0) || (left > 0.0 && right < 0.0);
            if (changes) {
                roots[count++] =
                    spline_poly_root(derived[k], derived[k - 1], k, cuts[i], cuts[i + 1]);
            } else if (right == 0.0 && i + 1 < pieces) {
                roots[count++] = cuts[i + 1]; // a root that is a turning point too
            }
            left = right;
        }
    }
    return count;
}

static void spline_look_at(const ployi_cubic *cubic, const double to[3], int32_t span, double u,
                           spline_best *best) {
    double at[3];
    ployi_cubic_from_start(cubic, u, at);
    if (u >= 1.0) {
        for (int32_t i = 0; i < 3; i++) at[i] = cubic->end[i] - cubic->start[i];
    }
    double gap[3] = {at[0] - to[0], at[1] - to[1], at[2] - to[2]};
    double distance_sq = ployi_dot3(gap, gap);
    if (best->found && !(distance_sq < best->distance_sq)) return;
    best->found = true;
    best->distance_sq = distance_sq;
    if (distance_sq < best->bound) best->bound = distance_sq;
    best->place.span = span;
    best->place.u = u;
    for (int32_t i = 0; i < 3; i++) best->point[i] = cubic->start[i] + at[i];
}

// True if the span's hull, the box of its Bezier points, is no nearer than the best.
static bool spline_is_far(const ployi_cubic *cubic, const double to[3], const spline_best *best) {
    double sum = 0.0;
    for (int32_t i = 0; i < 3; i++) {
        double a = cubic->c[0][i] / 3.0, b = (2.0 * cubic->c[0][i] + cubic->c[1][i]) / 3.0;
        double p[3] = {a, b, cubic->end[i] - cubic->start[i]};
        double low = 0.0, high = 0.0;
        for (int32_t k = 0; k < 3; k++) {
            low = p[k] < low ? p[k] : low;
            high = p[k] > high ? p[k] : high;
        }
        double below = low - to[i], above = to[i] - high;
        double gap = below > above ? below : above;
        if (gap > 0.0) sum += gap * gap;
    }
    // A little farther, because the hull is rounded too.
    return sum > best->bound * (1.0 + 1e-9);
}

// m along the table from cell `cell` over `cells` of them, not less than it is: the numbers there are
// rounded.
static double spline_reach(const ployi_spline *spline, int32_t cell, int32_t cells) {
    double rounding = 4e-6 * (double)spline->along[(size_t)spline->spans * PLOY_SPLINE_CELLS];
    const float *along = spline->along + cell;
    return (double)along[cells] - (double)along[0] + rounding;
}

// True if a stretch that is `reach` metres long cannot hold the answer, its ends being so far away
// together: of every point of it one end is no farther along than half the reach.
static bool spline_reach_is_far(double both, double reach, const spline_best *best) {
    double rest = both - reach;
    return rest > 0.0 && rest * rest > 4.000001 * best->bound;
}

// True if no cell of a span can. Costs a tenth of finding the roots.
static bool spline_cells_are_far(const ployi_spline *spline, int32_t span, const ployi_cubic *cubic,
                                 const double to[3], const spline_best *best) {
    double from = sqrt(ployi_dot3(to, to));
    for (int32_t i = 1; i <= PLOY_SPLINE_CELLS; i++) {
        double at[3], gap[3];
        ployi_cubic_from_start(cubic, (double)i / PLOY_SPLINE_CELLS, at);
        for (int32_t k = 0; k < 3; k++) gap[k] = at[k] - to[k];
        double end = sqrt(ployi_dot3(gap, gap));
        double reach = spline_reach(spline, span * PLOY_SPLINE_CELLS + i - 1, 1);
        if (!spline_reach_is_far(from + end, reach, best)) return false;
        from = end;
    }
    return true;
}

static void spline_look(const ployi_spline *spline, int32_t span, const double point[3], double low,
                        double high, spline_best *best) {
    ployi_cubic cubic = ployi_spline_cubic(spline, span);
    double to[3];
    for (int32_t i = 0; i < 3; i++) to[i] = point[i] - cubic.start[i];
    if (spline_is_far(&cubic, to, best)) return;
    if (spline->along != NULL && spline_cells_are_far(spline, span, &cubic, to, best)) return;
    // (p - q) . p', with p = c0 u + c1 u^2 + c2 u^3.
    const double *a = cubic.c[0], *b = cubic.c[1], *c = cubic.c[2];
    double g[SPLINE_DEGREE + 1] = {
        -ployi_dot3(to, a),
        ployi_dot3(a, a) - 2.0 * ployi_dot3(to, b),
        3.0 * ployi_dot3(a, b) - 3.0 * ployi_dot3(to, c),
        4.0 * ployi_dot3(a, c) + 2.0 * ployi_dot3(b, b),
        5.0 * ployi_dot3(b, c),
        3.0 * ployi_dot3(c, c),
    };
    double roots[SPLINE_DEGREE];
    int32_t count = spline_poly_roots(g, low, high, roots);
    spline_look_at(&cubic, to, span, low, best);
    for (int32_t i = 0; i < count; i++) spline_look_at(&cubic, to, span, roots[i], best);
    spline_look_at(&cubic, to, span, high, best);
}

static void spline_look_between(const ployi_spline *spline, const double point[3], float low,
                                float high, spline_best *best) {
    ployi_spline_place from = ployi_spline_place_at(spline, low);
    ployi_spline_place to = ployi_spline_place_at(spline, high);
    for (int32_t span = from.span; span <= to.span; span++) {
        spline_look(spline, span, point, span == from.span ? from.u : 0.0,
                    span == to.span ? to.u : 1.0, best);
    }
}

// m^2 from the start of span number `span`; the end of the last is a start too.
static double spline_start_sq(const ployi_spline *spline, const double point[3], int32_t span) {
    int32_t step = spline->kind == PLOY_SPLINE_BEZIER ? 3 : 1; // points from start to start
    if (spline->kind == PLOY_SPLINE_HERMITE) step = 2;
    if (spline->closed && span == spline->spans) span = 0;
    const float *at = spline->points + (size_t)(span * step) * (size_t)spline->dims;
    double sum = 0.0;
    for (int32_t i = 0; i < spline->dims; i++) {
        double gap = (double)at[i] - point[i];
        sum += gap * gap;
    }
    return sum;
}

// The span with the nearest start, and how far that is, in m^2.
static int32_t spline_nearest_start(const ployi_spline *spline, const double point[3],
                                    double *least) {
    int32_t nearest = 0;
    *least = INFINITY;
    for (int32_t span = 0; span < spline->spans; span++) {
        double sum = spline_start_sq(spline, point, span);
        if (!(sum < *least)) continue;
        *least = sum;
        nearest = span;
    }
    return nearest;
}

// The nearest point of all. Whichever span is looked at first, the answer is that of asking every
// span in turn, because only what is truly farther away is left out.
// @param first  the span to begin with, if there is a table; below 0: the one with the nearest start.
static spline_best spline_find_all(const ployi_spline *spline, const double point[3],
                                   int32_t first) {
    spline_best best = {0.0, {0, 0.0}, {0.0, 0.0, 0.0}, false, (double)INFINITY}, one = best;
    if (first >= 0) {
        spline_look(spline, first, point, 0.0, 1.0, &one);
        best.bound = one.distance_sq;
        // Far from where it was: then that is a poor bound.
        double reach = spline_reach(spline, first * PLOY_SPLINE_CELLS, PLOY_SPLINE_CELLS);
        if (best.bound > reach * reach) {
            double least = INFINITY;
            spline_nearest_start(spline, point, &least);
            best.bound = least < best.bound ? least : best.bound;
        }
    } else {
        first = spline_nearest_start(spline, point, &best.bound);
        one.bound = best.bound;
        spline_look(spline, first, point, 0.0, 1.0, &one);
        best.bound = one.bound;
    }
    double from = sqrt(spline_start_sq(spline, point, 0));
    for (int32_t span = 0; span < spline->spans; span++) {
        double to = sqrt(spline_start_sq(spline, point, span + 1)), both = from + to;
        from = to;
        if (span == first) {
            if (!best.found || one.distance_sq < best.distance_sq) {
                one.bound = best.bound < one.bound ? best.bound : one.bound;
                best = one;
            }
            continue;
        }
        if (spline->along != NULL) {
            double reach = spline_reach(spline, span * PLOY_SPLINE_CELLS, PLOY_SPLINE_CELLS);
            if (spline_reach_is_far(both, reach, &best)) continue;
        }
        spline_look(spline, span, point, 0.0, 1.0, &best);
    }
    return best;
}

// From the place `last`; NaN: from anywhere.
static spline_best spline_find_from(const ployi_spline *spline, const double point[3], float last) {
    // Without a table finding the place costs more than it saves.
    if (spline->along == NULL || !(fabsf(last) <= FLT_MAX)) {
        return spline_find_all(spline, point, -1);
    }
    last = ployi_spline_wrap_along(spline, last, ployi_spline_length(spline));
    return spline_find_all(spline, point, ployi_spline_span_at(spline, last));
}

static spline_best spline_find_near(const ployi_spline *spline, const double point[3], float last,
                                    float window) {
    spline_best best = {0.0, {0, 0.0}, {0.0, 0.0, 0.0}, false, (double)INFINITY};
    float reach = window > 0.0f ? window : 0.0f;
    float length = reach < INFINITY ? ployi_spline_length(spline) : 0.0f;
    bool whole = spline->closed ? reach >= length * 0.5f : reach >= length;
    if (whole) return spline_find_from(spline, point, last);
    last = ployi_spline_wrap_along(spline, last, length);
    float low = last - reach, high = last + reach;
    if (spline->closed && low < 0.0f) { // round the start, in two parts
        spline_look_between(spline, point, low + length, length, &best);
    }
    spline_look_between(spline, point, low > 0.0f ? low : 0.0f, high < length ? high : length,
                        &best);
    if (spline->closed && high >= length) {
        spline_look_between(spline, point, 0.0f, high - length, &best);
    }
    return best;
}

// What both dimensions report of an answer.
static void spline_tell(const ployi_spline *spline, const spline_best *best, float *t,
                        float *along) {
    *along = ployi_spline_along_of(spline, best->place);
    *t = (float)((double)best->place.span + best->place.u);
    if (spline->closed && *t >= (float)spline->spans) *t = 0.0f;
}

static void spline_parts2(ploy_vec2 v, double out[3]) {
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = 0.0;
}

static void spline_parts3(ploy_vec3 v, double out[3]) {
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static ploy_vec2 spline_whole2(const double v[3]) {
    return ploy_vec2_make((float)v[0], (float)v[1]);
}

static ploy_vec3 spline_whole3(const double v[3]) {
    return ploy_vec3_make((float)v[0], (float)v[1], (float)v[2]);
}

#define SPLINE_N 2
#include "geom/spline_find.inc"

#define SPLINE_N 3
#include "geom/spline_find.inc"
