#include "geom/geom_internal.h"
#include "tests/geom/geom_test.h"

#include "ploy/geom/solve.h"

// MTH-01
TEST(the_worked_equations_come_out) {
    double x = 0, roots[2];
    // y = 2 x
    double m, c;
    CHECK(ployi_line_through(0, 0, 1, 2, &m, &c));
    CHECK_SAME(m * 5 + c, 10);
    CHECK_SAME(m * 7 + c, 14);
    // Powers and roots.
    CHECK_NEAR(ploy_pow(5, 3), 125, 1e-12);
    CHECK_SAME(sqrt(4.0), 2);
    CHECK_NEAR(ploy_pow(27, 1.0 / 3.0), 3, 1e-14);
    // 3x + 7 = 22 - 2x
    CHECK_INT(ploy_solve_linear(3 + 2, 7 - 22, &x), 1);
    CHECK_SAME(x, 3);
    // y = 2 (3x - 5y) + x / 3, so y (1 + 10) - x (6 + 1/3) = 0 and y = 19/33 x
    for (int32_t i = -50; i <= 50; i++) {
        TEST_SEED(i + 50);
        double given = (double)i * 0.7, y = 0;
        CHECK_INT(ploy_solve_linear(11, -given * (6 + 1.0 / 3.0), &y), 1);
        CHECK_NEAR(y, given * 19 / 33, 1e-13);
    }
    // 5x - 2y = ((y - x) / sqrt(x))^2, so y^2 = 4 x^2; the branch y = -2x is discarded.
    for (int32_t i = 1; i <= 50; i++) {
        TEST_SEED(i);
        double given = (double)i * 0.3;
        // (y - x)^2 = x (5x - 2y) as a quadratic in y: y^2 + (2x - 2x) y + x^2 - 5x^2 = 0.
        CHECK_INT(ploy_solve_quadratic(1, -2 * given + 2 * given, given * given - 5 * given * given,
                                       roots),
                  2);
        CHECK_NEAR(roots[1], 2 * given, 1e-12);
        CHECK_NEAR(roots[0], -2 * given, 1e-12);
        double side = (roots[1] - given) / sqrt(given);
        CHECK_NEAR(5 * given - 2 * roots[1], side * side, 1e-11);
    }
}

// MTH-01: the identities that the text gives.
TEST(the_identities_hold) {
    for (uint64_t seed = 0; seed < 1000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        double a = ploy_rng_double(&rng), b = ploy_rng_double(&rng);
        double x = ploy_rng_double(&rng) + 0.1, y = ploy_rng_double(&rng) + 0.1;
        CHECK_NEAR(a / x + b / y, (a * y + b * x) / (x * y), 1e-12);
        CHECK_NEAR((x + y) * (x + y), x * x + y * y + 2 * x * y, 1e-12);
        CHECK_NEAR((x / y) * (x / y), x * x / (y * y), 1e-10);
        CHECK_NEAR(sqrt(x / y), sqrt(x) / sqrt(y), 1e-12);
        CHECK_NEAR(ploy_pow(x, 1.0 / 2.0), sqrt(x), 1e-14);
    }
}

TEST(linear_equations_know_none_one_and_all) {
    double x = 77;
    CHECK_INT(ploy_solve_linear(0, 0, &x), -1);
    CHECK_INT(ploy_solve_linear(0, 3, &x), 0);
    CHECK_INT(ploy_solve_linear(NAN, 3, &x), 0);
    CHECK_INT(ploy_solve_linear(3, INFINITY, &x), 0);
    CHECK_INT(ploy_solve_linear(1e-300, 1e300, &x), 0); // beyond any number
    CHECK_SAME(x, 77);
    CHECK_INT(ploy_solve_linear(5, 0, &x), 1);
    CHECK(!signbit(x));
}

TEST(quadratic_equations_know_none_one_two_and_all) {
    double x[2] = {77, 77};
    CHECK_INT(ploy_solve_quadratic(1, 0, 1, x), 0);
    CHECK_INT(ploy_solve_quadratic(0, 0, 1, x), 0);
    CHECK_INT(ploy_solve_quadratic(0, 0, 0, x), -1);
    CHECK_INT(ploy_solve_quadratic(1, INFINITY, 0, x), 0);
    CHECK_SAME(x[0], 77);
    CHECK_INT(ploy_solve_quadratic(0, 2, -6, x), 1);
    CHECK_SAME(x[0], 3);
    CHECK_INT(ploy_solve_quadratic(1, -4, 4, x), 1);
    CHECK_SAME(x[0], 2);
    CHECK_INT(ploy_solve_quadratic(3, 0, 0, x), 1);
    CHECK_SAME(x[0], 0);
    CHECK_INT(ploy_solve_quadratic(-2, 2, 12, x), 2);
    CHECK_SAME(x[0], -2);
    CHECK_SAME(x[1], 3);
    CHECK_INT(ploy_solve_quadratic(1, -1e9, 1, x), 2); // one tiny, one huge
    CHECK_NEAR(x[0] * 1e9, 1, 1e-15);
    CHECK_NEAR(x[1], 1e9, 1e-6);
}

TEST(roots_come_back_from_the_equation_built_of_them) {
    for (uint64_t seed = 0; seed < 20000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        // Whole numbers, so that the equation is exact.
        double p = ploy_rng_int(&rng, -4000, 4000), q = ploy_rng_int(&rng, -4000, 4000);
        double a = ploy_rng_int(&rng, 1, 100) * (seed % 2 == 0 ? 1.0 : -1.0);
        if (seed % 5 == 0) q = p;
        if (seed % 5 == 1) q = p + 1;
        double scale = seed % 3 == 0 ? 0x1p500 : (seed % 3 == 1 ? 0x1p-480 : 1.0);
        double x[2];
        int32_t count = ploy_solve_quadratic(a * scale, -a * (p + q) * scale, a * p * q * scale, x);
        CHECK_INT(count, p == q ? 1 : 2);
        double low = p < q ? p : q, high = p < q ? q : p;
        CHECK_NEAR(x[0], low, fabs(low) * 1e-15);
        if (count == 2) CHECK_NEAR(x[1], high, fabs(high) * 1e-15);
    }
}

// Kahan's example: b^2 and 4 a c agree in 16 digits, so their rounded difference is noise.
TEST(nearly_equal_roots_are_told_apart) {
    double x[2] = {0, 0};
    CHECK_INT(ploy_solve_quadratic(94906265.625, -2.0 * 94906267.0, 94906268.375, x), 2);
    CHECK_NEAR(x[0], 1, 1e-15);
    CHECK_NEAR(x[1], 1.000000028975958, 1e-15);
}

TEST(a_line_through_two_points_is_not_upright) {
    double m = 0, c = 0;
    CHECK(ployi_line_through(1, 5, 3, 9, &m, &c));
    CHECK_SAME(m, 2);
    CHECK_SAME(c, 3);
    CHECK(!ployi_line_through(1, 5, 1, 9, &m, &c));
    CHECK(!ployi_line_through(NAN, 5, 1, 9, &m, &c));
}
