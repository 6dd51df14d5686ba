// The predicates' first look, inlined, and the sum without rounding behind them: for the files of
// geom that ask in their inner loops.
//
// Everything relies on IEEE doubles rounded to nearest and on no contraction (-ffp-contract=off).
// With floats nothing can over- or underflow: a product of up to four lies between 2^-596 and
// 2^512.
#pragma once

#include <math.h>

#include "ploy/geom/vec.h"

// A sum kept as doubles whose bits do not overlap, smallest first, without zeros; so its sign is
// that of the last. Non-adjacent parts are at least two bits apart: sums of products of two floats,
// even of 2^31 of them, have fewer than 300 parts, and of in_circle's 96 terms at most 96.
#define PLOYI_EXPANSION_PARTS 320

typedef struct ployi_expansion {
    int32_t count;
    double part[PLOYI_EXPANSION_PARTS];
} ployi_expansion;

static inline void ployi_expansion_init(ployi_expansion *sum) {
    sum->count = 0;
}

// Adds a number (Shewchuk's GROW-EXPANSION with zeros left out). Knuth's two-sum finds what each
// addition rounded off.
static inline void ployi_expansion_add(ployi_expansion *sum, double number) {
    int32_t kept = 0;
    double high = number;
    for (int32_t i = 0; i < sum->count; i++) {
        double part = sum->part[i], next = high + part;
        double of_part = next - high, of_high = next - of_part;
        double low = (high - of_high) + (part - of_part);
        if (low != 0.0) sum->part[kept++] = low;
        high = next;
    }
    if (high != 0.0) sum->part[kept++] = high;
    sum->count = kept;
}

static inline int32_t ployi_expansion_sign(const ployi_expansion *sum) {
    if (sum->count == 0) return 0;
    return sum->part[sum->count - 1] > 0.0 ? 1 : -1;
}

// In predicates.c: without rounding.
int32_t ployi_orient2_exact(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c);
int32_t ployi_in_circle_exact(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, ploy_vec2 d);

// ploy_orient2. The bound is Shewchuk's: (3 + 16 e) e with e = 2^-53.
static inline int32_t ployi_orient2(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c) {
    double left = ((double)a.x - (double)c.x) * ((double)b.y - (double)c.y);
    double right = ((double)a.y - (double)c.y) * ((double)b.x - (double)c.x);
    double turn = left - right;
    double bound = fabs(left) + fabs(right);
    bound *= 3.3306690738754716e-16;
    if (turn > bound) return 1;
    if (-turn > bound) return -1;
    return ployi_orient2_exact(a, b, c); // infinities and NaN end here too
}

// ploy_in_circle. The bound is Shewchuk's: (10 + 96 e) e of the terms' sum without signs. That is
// not computed: |bc| + |cb| is at most half of b_lift + c_lift, and so the sum is at most
// a_lift b_lift + b_lift c_lift + c_lift a_lift. The factor has room for their rounding.
static inline int32_t ployi_in_circle(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, ploy_vec2 d) {
    double ax = (double)a.x - (double)d.x, ay = (double)a.y - (double)d.y;
    double bx = (double)b.x - (double)d.x, by = (double)b.y - (double)d.y;
    double cx = (double)c.x - (double)d.x, cy = (double)c.y - (double)d.y;
    double bc = bx * cy, cb = cx * by, ca = cx * ay, ac = ax * cy, ab = ax * by, ba = bx * ay;
    double a_lift = ax * ax + ay * ay, b_lift = bx * bx + by * by, c_lift = cx * cx + cy * cy;
    double inside = a_lift * (bc - cb) + b_lift * (ca - ac) + c_lift * (ab - ba);
    double bound = a_lift * b_lift + b_lift * c_lift + c_lift * a_lift;
    bound *= 1.1102230246252e-15;
    if (inside > bound) return 1;
    if (-inside > bound) return -1;
    return ployi_in_circle_exact(a, b, c, d);
}
