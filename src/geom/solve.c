// Linear and quadratic equations.
#include "ploy/geom/solve.h"
#include "geom/geom_internal.h"

#include "ploy/base/math.h"

// x y as its rounded value and the exact error of that (Dekker 1971, with Veltkamp's splitting).
static double solve_product_error(double x, double y, double product) {
    double split_x = x * 134217729.0, split_y = y * 134217729.0; // 2^27 + 1
    double high_x = split_x - (split_x - x), high_y = split_y - (split_y - y);
    double low_x = x - high_x, low_y = y - high_y;
    return ((high_x * high_y - product) + high_x * low_y + low_x * high_y) + low_x * low_y;
}

static double solve_discriminant(double a, double b, double c) {
    double square = b * b, product = 4.0 * a * c;
    // Where the two are far apart their rounding does not matter.
    if (!(3.0 * fabs(square - product) < square + product)) return square - product;
    double square_error = solve_product_error(b, b, square);
    double product_error = solve_product_error(4.0 * a, c, product);
    return (square - product) + (square_error - product_error);
}

int32_t ploy_solve_linear(double a, double b, double *x) {
    if (!ploy_is_finite_d(a) || !ploy_is_finite_d(b)) return 0;
    if (a == 0.0) return b == 0.0 ? -1 : 0;
    double root = -b / a;
    if (!ploy_is_finite_d(root)) return 0; // beyond what a double can name
    *x = root + 0.0;                       // never -0
    return 1;
}

int32_t ploy_solve_quadratic(double a, double b, double c, double x[2]) {
    if (!ploy_is_finite_d(a) || !ploy_is_finite_d(b) || !ploy_is_finite_d(c)) return 0;
    if (a == 0.0) return ploy_solve_linear(b, c, x);
    // By a power of two, exactly, so that the squares below stay in range.
    double largest = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    largest = largest > fabs(c) ? largest : fabs(c);
    double scale = largest > 0x1p400 ? 0x1p-600 : (largest < 0x1p-400 ? 0x1p600 : 1.0);
    a *= scale;
    b *= scale;
    c *= scale;
    if (a == 0.0) return ploy_solve_linear(b, c, x);
    // b^2 - 4 a c with the rounding errors of both products put back where they nearly cancel
    // (Kahan's discriminant; exact products in place of a fused multiply-add, which not every
    // machine has).
    double discriminant = solve_discriminant(a, b, c);
    if (discriminant < 0.0) return 0;
    // The root where b and the square root add up, and the other from their product c / a: where
    // they would cancel, digits are lost.
    double q = -0.5 * (b + (b < 0.0 ? -sqrt(discriminant) : sqrt(discriminant)));
    if (q == 0.0) { // b and c are both 0
        x[0] = 0.0;
        return 1;
    }
    double first = q / a + 0.0, second = c / q + 0.0;
    bool ok_first = ploy_is_finite_d(first), ok_second = ploy_is_finite_d(second);
    if (ok_first && ok_second && first != second && discriminant > 0.0) {
        x[0] = first < second ? first : second;
        x[1] = first < second ? second : first;
        return 2;
    }
    if (!ok_first && !ok_second) return 0;
    x[0] = ok_second ? second : first;
    return 1;
}

bool ployi_line_through(double x1, double y1, double x2, double y2, double *m, double *c) {
    double slope = (y2 - y1) / (x2 - x1);
    if (x1 == x2 || !ploy_is_finite_d(slope)) return false;
    *m = slope;
    *c = y1 - slope * x1;
    return true;
}
