// The exact halves of the predicates; the first look is in predicates_inline.h.
//
// Written out, the determinant of an orientation is a sum of six products of two coordinates, and
// that of the circle one of 48 products of four. With floats the products of two are exact in
// double already; those of four are split into a double and its error.
#include "ploy/geom/predicates.h"

#include "geom/geom_internal.h"

#include "geom/predicates_inline.h"
#include "ploy/base/math.h"

// Adds a * b exactly: the rounded product, and what was rounded off by the halves of both factors
// (Dekker 1971, Veltkamp's split).
static void predicates_add_product(ployi_expansion *sum, double a, double b) {
    const double splitter = 134217729.0; // 2^27 + 1
    double product = a * b;
    double a_big = splitter * a, b_big = splitter * b;
    double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
    double a_low = a - a_high, b_low = b - b_high;
    double low = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    if (low != 0.0) ployi_expansion_add(sum, low);
    if (product != 0.0) ployi_expansion_add(sum, product);
}

static bool predicates_finite(ploy_vec2 v) {
    return ploy_is_finite(v.x) && ploy_is_finite(v.y);
}

// The six products whose sum is the orientation of three points, each exact.
static void predicates_products(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, double out[6]) {
    double ax = (double)a.x, ay = (double)a.y, bx = (double)b.x, by = (double)b.y;
    double cx = (double)c.x, cy = (double)c.y;
    out[0] = ax * by;
    out[1] = -(ay * bx);
    out[2] = bx * cy;
    out[3] = -(by * cx);
    out[4] = cx * ay;
    out[5] = -(cy * ax);
}

int32_t ployi_orient2_exact(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c) {
    if (!predicates_finite(a) || !predicates_finite(b) || !predicates_finite(c)) return 0;
    double products[6];
    predicates_products(a, b, c, products);
    ployi_expansion sum;
    ployi_expansion_init(&sum);
    for (int32_t i = 0; i < 6; i++) ployi_expansion_add(&sum, products[i]);
    return ployi_expansion_sign(&sum);
}

int32_t ployi_in_circle_exact(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, ploy_vec2 d) {
    ploy_vec2 p[4] = {a, b, c, d};
    for (int32_t i = 0; i < 4; i++) {
        if (!predicates_finite(p[i])) return 0;
    }
    // Laplace along the column of squares: each point's square times the orientation of the other
    // three, signs in turn.
    ployi_expansion sum;
    ployi_expansion_init(&sum);
    for (int32_t i = 0; i < 4; i++) {
        double products[6], sign = i % 2 == 0 ? 1.0 : -1.0;
        predicates_products(p[i == 0 ? 1 : 0], p[i <= 1 ? 2 : 1], p[i <= 2 ? 3 : 2], products);
        double x = (double)p[i].x, y = (double)p[i].y;
        for (int32_t k = 0; k < 6; k++) {
            predicates_add_product(&sum, products[k], sign * (x * x));
            predicates_add_product(&sum, products[k], sign * (y * y));
        }
    }
    return ployi_expansion_sign(&sum);
}

int32_t ploy_orient2(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c) {
    return ployi_orient2(a, b, c);
}

int32_t ployi_orient2_d(double ax, double ay, double bx, double by, double cx, double cy) {
    const double number[6] = {ax, ay, bx, by, cx, cy};
    for (int32_t i = 0; i < 6; i++) {
        double size = fabs(number[i]);
        if (!(size == 0.0 || (size >= 1e-140 && size <= 1e140))) return 0;
    }
    double left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx);
    double turn = left - right, total = fabs(left) + fabs(right);
    double bound = total * 3.3306690738754716e-16;
    if (total > 1e-250) { // below, underflow may be more than the bound
        if (turn > bound) return 1;
        if (-turn > bound) return -1;
    }
    ployi_expansion sum;
    ployi_expansion_init(&sum);
    predicates_add_product(&sum, ax, by);
    predicates_add_product(&sum, -ay, bx);
    predicates_add_product(&sum, bx, cy);
    predicates_add_product(&sum, -by, cx);
    predicates_add_product(&sum, cx, ay);
    predicates_add_product(&sum, -cy, ax);
    return ployi_expansion_sign(&sum);
}

int32_t ploy_in_circle(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, ploy_vec2 d) {
    return ployi_in_circle(a, b, c, d);
}
