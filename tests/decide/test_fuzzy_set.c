// Fuzzy sets, norms and hedges: the texts' values, bounds of every shape, laws of every norm.
#include "decide/decide_internal.h"
#include "ploy/base/rng.h"
#include "ploy/decide/fuzzy_set.h"
#include "tests/test.h"

// FUZ-02, FZL-02, FUZ-03.
TEST(shapes_have_the_texts_degrees) {
    const ploy_fuzzy_set triangle = ploy_fuzzy_triangle(25, 150, 300);
    const ploy_fuzzy_set right = ploy_fuzzy_right_shoulder(150, 300, 400);
    const ploy_fuzzy_set left = ploy_fuzzy_left_shoulder(0, 25, 150);
    const ploy_fuzzy_set average = ploy_fuzzy_triangle(80, 100, 120);
    const ploy_fuzzy_set clever = ploy_fuzzy_triangle(100, 120, 140);
    const struct {
        const char *row;
        const ploy_fuzzy_set *set;
        double x, want;
    } rows[] = {
        {"triangle's foot", &triangle, 25, 0},
        {"triangle rising", &triangle, 87.5, 0.5},
        {"triangle's peak", &triangle, 150, 1},
        {"triangle falling", &triangle, 200, 2.0 / 3.0},
        {"triangle falling on", &triangle, 225, 0.5},
        {"triangle's end", &triangle, 300, 0},
        {"right shoulder's foot", &right, 150, 0},
        {"right shoulder rising", &right, 200, 1.0 / 3.0},
        {"right shoulder's peak", &right, 300, 1},
        {"right shoulder's bound", &right, 400, 1},
        {"beyond the right shoulder", &right, 1000, 1},
        {"left shoulder's bound", &left, 0, 1},
        {"before the left shoulder", &left, -1000, 1},
        {"left shoulder's peak", &left, 25, 1},
        {"left shoulder falling", &left, 87.5, 0.5},
        {"left shoulder's end", &left, 150, 0},
        {"an IQ of 115 is average", &average, 115, 0.25},
        {"an IQ of 115 is clever", &clever, 115, 0.75},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_NEAR(ploy_fuzzy_membership(rows[i].set, rows[i].x), rows[i].want, 1e-12);
    }
    t->row = NULL;
    double a = 0.25, c = 0.75;
    CHECK_NEAR(ploy_fuzzy_join(PLOY_FUZZY_MINIMUM, a, c), 0.25, 0);
    CHECK_NEAR(ploy_fuzzy_join(PLOY_FUZZY_MAXIMUM, a, c), 0.75, 0);
    CHECK_NEAR(ploy_fuzzy_bend(PLOY_FUZZY_NOT, c), 0.25, 0);
    CHECK(isnan(ploy_fuzzy_membership(&triangle, (double)NAN)));
}

// FUZ-01, FZL-03: crisp sets are rectangles, or tables.
TEST(crisp_sets_and_tables_jump) {
    ploy_fuzzy_set medium = ploy_fuzzy_set_make(PLOY_FUZZY_RECTANGLE, 2, 5, 0, 0);
    CHECK_NEAR(ploy_fuzzy_membership(&medium, 4.99), 1, 0);
    CHECK_NEAR(ploy_fuzzy_membership(&medium, 5.01), 0, 0);
    static const double sash[] = {0, 0.0, 1, 0.25, 2, 1.0}; // white, brown, black
    ploy_fuzzy_set fearsome = ploy_fuzzy_discrete(sash, 3);
    CHECK_NEAR(ploy_fuzzy_membership(&fearsome, 0), 0, 0);
    CHECK_NEAR(ploy_fuzzy_membership(&fearsome, 1), 0.25, 0);
    CHECK_NEAR(ploy_fuzzy_membership(&fearsome, 2), 1, 0);
    CHECK_NEAR(ploy_fuzzy_membership(&fearsome, 1.5), 0.625, 1e-12);
    // Odd and even of 1 to 15, {1, 2, 3, 4} and {3, 5, 7}: union and intersection.
    for (int32_t i = 1; i <= 15; i++) {
        double odd = i % 2, first = i <= 4, second = i == 3 || i == 5 || i == 7;
        CHECK_NEAR(ploy_fuzzy_join(PLOY_FUZZY_MAXIMUM, odd, 1 - odd), 1, 0);
        CHECK_NEAR(ploy_fuzzy_join(PLOY_FUZZY_MINIMUM, first, second), i == 3, 0);
        CHECK_NEAR(ploy_fuzzy_join(PLOY_FUZZY_MAXIMUM, first, second), i <= 5 || i == 7, 0);
    }
}

static ploy_fuzzy_set random_set(ploy_rng *rng, ploy_fuzzy_shape shape) {
    double p[4];
    for (int32_t i = 0; i < 4; i++) p[i] = (i > 0 ? p[i - 1] : 0) + 0.1 + 3 * ploy_rng_double(rng);
    if (shape == PLOY_FUZZY_GAUSSIAN_PRODUCT || shape == PLOY_FUZZY_SIGMOID_DIFFERENCE) p[3] = 0.9;
    if (shape == PLOY_FUZZY_SIGMOID_DIFFERENCE || shape == PLOY_FUZZY_SIGMOID_PRODUCT) {
        p[1] = 1 + ploy_rng_double(rng) * 5;
        p[2] = -1 - ploy_rng_double(rng) * 5;
        p[3] = p[0] + 2;
    }
    return ploy_fuzzy_set_make(shape, p[0], p[1], p[2], p[3]);
}

TEST(every_shape_stays_within_0_and_1_and_reaches_its_top) {
    for (int64_t round = 0; round < test_rounds(40); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        for (int32_t s = 0; s < PLOY_FUZZY_DISCRETE; s++) {
            t->row = ploy_fuzzy_shape_text((ploy_fuzzy_shape)s);
            ploy_fuzzy_set set = random_set(&rng, (ploy_fuzzy_shape)s);
            CHECK_OK(ploy_fuzzy_set_check(&set, NULL));
            double most = 0;
            for (int32_t i = 0; i <= 400; i++) {
                double y = ploy_fuzzy_membership(&set, -10 + 0.1 * i);
                CHECK(y >= 0 && y <= 1);
                if (y > most) most = y;
            }
            double top = ploy_fuzzy_representative(&set, PLOY_FUZZY_POINT_MEAN, -10, 30);
            if (s != PLOY_FUZZY_BINARY) CHECK(ploy_fuzzy_membership(&set, top) >= most - 0.02);
            set.height = 0.5;
            CHECK(ploy_fuzzy_membership(&set, top) <= 0.5);
            double min, max;
            CHECK(ployi_fuzzy_set_extent(&set, &min, &max));
            CHECK(min <= max);
        }
    }
}

TEST(tsukamoto_turns_monotonic_sets_around) {
    const ploy_fuzzy_set sets[] = {
        ploy_fuzzy_set_make(PLOY_FUZZY_RAMP, 1, 3, 0, 0),
        ploy_fuzzy_set_make(PLOY_FUZZY_RAMP, 3, 1, 0, 0),
        ploy_fuzzy_set_make(PLOY_FUZZY_SIGMOID, 2, 4, 0, 0),
        ploy_fuzzy_set_make(PLOY_FUZZY_SIGMOID, 2, -4, 0, 0),
        ploy_fuzzy_set_make(PLOY_FUZZY_S_SHAPE, 1, 3, 0, 0),
        ploy_fuzzy_set_make(PLOY_FUZZY_Z_SHAPE, 1, 3, 0, 0),
        ploy_fuzzy_set_make(PLOY_FUZZY_CONCAVE, 1, 3, 0, 0),
        ploy_fuzzy_set_make(PLOY_FUZZY_CONCAVE, 3, 1, 0, 0),
    };
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        t->row = ploy_fuzzy_shape_text(sets[i].shape);
        CHECK(ployi_fuzzy_set_is_monotonic(&sets[i]));
        for (int32_t k = 1; k < 20; k++) {
            double w = k / 20.0;
            CHECK_NEAR(ploy_fuzzy_membership(&sets[i], ployi_fuzzy_tsukamoto(&sets[i], w)), w,
                       1e-9);
        }
    }
    ploy_fuzzy_set triangle = ploy_fuzzy_triangle(0, 1, 2);
    CHECK(!ployi_fuzzy_set_is_monotonic(&triangle));
    CHECK_NEAR(ployi_fuzzy_tsukamoto(&triangle, 0.3), 0.3, 1e-12); // its own membership
}

// FZL-04: trapezoid (1.2, 2.4, 4, 4).
TEST(a_set_is_represented_by_its_top_its_bisector_or_its_centre) {
    ploy_fuzzy_set run = ploy_fuzzy_trapezoid(1.2, 2.4, 4, 4);
    CHECK_NEAR(ploy_fuzzy_representative(&run, PLOY_FUZZY_POINT_SMALLEST, 0, 4), 2.4, 1e-12);
    CHECK_NEAR(ploy_fuzzy_representative(&run, PLOY_FUZZY_POINT_LARGEST, 0, 4), 4, 1e-12);
    CHECK_NEAR(ploy_fuzzy_representative(&run, PLOY_FUZZY_POINT_MEAN, 0, 4), 3.2, 1e-12);
    CHECK_NEAR(ploy_fuzzy_representative(&run, PLOY_FUZZY_POINT_BISECTOR, 0, 4), 2.9, 1e-3);
    CHECK_NEAR(ploy_fuzzy_representative(&run, PLOY_FUZZY_POINT_CENTROID, 0, 4), 2.872727, 1e-3);
    // FUZ-02: shoulders by the middle of their plateaus.
    ploy_fuzzy_set low = ploy_fuzzy_left_shoulder(0, 25, 50);
    ploy_fuzzy_set high = ploy_fuzzy_right_shoulder(50, 75, 100);
    CHECK_NEAR(ploy_fuzzy_representative(&low, PLOY_FUZZY_POINT_MEAN, 0, 100), 12.5, 1e-12);
    CHECK_NEAR(ploy_fuzzy_representative(&high, PLOY_FUZZY_POINT_MEAN, 0, 100), 87.5, 1e-12);
}

// FZL-10: raining 0.5, cold 0.2; and all corners.
TEST(operators_are_those_of_logic_at_the_corners) {
    CHECK_NEAR(ploy_fuzzy_xor(0.5, 0.2), 0.5, 0);
    CHECK_NEAR(ployi_fuzzy_nor(0.5, 0.2), 0.5, 0);
    CHECK_NEAR(ployi_fuzzy_nand(0.5, 0.2), 0.8, 1e-15);
    for (int32_t a = 0; a < 2; a++) {
        for (int32_t b = 0; b < 2; b++) {
            CHECK_NEAR(ploy_fuzzy_xor(a, b), a ^ b, 0);
            CHECK_NEAR(ployi_fuzzy_nor(a, b), !(a || b), 0);
            CHECK_NEAR(ployi_fuzzy_nand(a, b), !(a && b), 0);
            for (int32_t n = PLOY_FUZZY_MINIMUM; n < PLOY_FUZZY_UNBOUNDED_SUM; n++) {
                ploy_fuzzy_norm norm = (ploy_fuzzy_norm)n;
                t->row = ploy_fuzzy_norm_text(norm);
                double want = ploy_fuzzy_norm_is_and(norm) ? a && b : a || b;
                CHECK_NEAR(ploy_fuzzy_join(norm, a, b), want, 1e-15);
            }
        }
    }
}

TEST(norms_commute_grow_and_keep_their_neutral_element_and_de_morgan) {
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        double a = ploy_rng_double(&rng), b = ploy_rng_double(&rng);
        double more = b + (1 - b) * ploy_rng_double(&rng);
        for (int32_t n = PLOY_FUZZY_MINIMUM; n < PLOY_FUZZY_NORM_COUNT; n++) {
            ploy_fuzzy_norm norm = (ploy_fuzzy_norm)n, dual = ploy_fuzzy_norm_dual(norm);
            t->row = ploy_fuzzy_norm_text(norm);
            double ab = ploy_fuzzy_join(norm, a, b);
            CHECK_NEAR(ab, ploy_fuzzy_join(norm, b, a), 1e-15);
            CHECK(ploy_fuzzy_join(norm, a, more) >= ab - 1e-15);
            CHECK_NEAR(ploy_fuzzy_join(norm, a, ploy_fuzzy_norm_is_and(norm) ? 1 : 0), a, 1e-15);
            CHECK(ploy_fuzzy_norm_is_and(norm) != ploy_fuzzy_norm_is_or(norm));
            if (n >= PLOY_FUZZY_NORMALIZED_SUM) continue; // no twin among the products
            CHECK_NEAR(1 - ploy_fuzzy_join(dual, 1 - a, 1 - b), ab, 1e-12);
            CHECK_INT(ploy_fuzzy_norm_dual(dual), norm);
        }
    }
    CHECK(isnan(ploy_fuzzy_join(PLOY_FUZZY_NONE, 0.5, 0.5)));
}

// FUZ-04.
TEST(hedges_bend_and_keep_0_and_1) {
    CHECK_NEAR(ploy_fuzzy_bend(PLOY_FUZZY_VERY, 0.25), 0.0625, 0);
    CHECK_NEAR(ploy_fuzzy_bend(PLOY_FUZZY_SOMEWHAT, 0.25), 0.5, 0);
    CHECK_NEAR(ploy_fuzzy_bend(PLOY_FUZZY_EXTREMELY, 0.25), 0.125, 0);
    CHECK_NEAR(ploy_fuzzy_bend(PLOY_FUZZY_SELDOM, 0.125), 0.25, 0);
    for (int32_t i = 0; i <= 10; i++) {
        double m = i / 10.0;
        CHECK_NEAR(ploy_fuzzy_bend(PLOY_FUZZY_SOMEWHAT, ploy_fuzzy_bend(PLOY_FUZZY_VERY, m)), m,
                   1e-12);
        CHECK_NEAR(ploy_fuzzy_bend(PLOY_FUZZY_SELDOM, ploy_fuzzy_bend(PLOY_FUZZY_EXTREMELY, m)), m,
                   1e-7);
        CHECK_NEAR(ploy_fuzzy_bend(PLOY_FUZZY_ANY, m), 1, 0);
    }
    for (int32_t h = PLOY_FUZZY_VERY; h < PLOY_FUZZY_HEDGE_COUNT; h++) {
        t->row = ployi_fuzzy_hedge_text((ploy_fuzzy_hedge)h);
        CHECK_NEAR(ploy_fuzzy_bend((ploy_fuzzy_hedge)h, 0), 0, 0);
        CHECK_NEAR(ploy_fuzzy_bend((ploy_fuzzy_hedge)h, 1), 1, 0);
    }
}

// FZL-01, 08, 09.
TEST(degrees_become_booleans_and_enumerations) {
    CHECK(ploy_fuzzy_to_bool(0.5, 0.5));
    CHECK(!ploy_fuzzy_to_bool(0.49, 0.5));
    static const double belts[] = {0.2, 0.5, 0.8};
    CHECK_INT(ploy_fuzzy_rank(0.1, belts, 3), 0);
    CHECK_INT(ploy_fuzzy_rank(0.5, belts, 3), 2);
    CHECK_INT(ploy_fuzzy_rank(0.95, belts, 3), 3);
    static const double wishes[] = {0.2, 0.7, 0.7, (double)NAN}, none[] = {0, 0};
    CHECK_INT(ploy_fuzzy_highest(wishes, 4), 1);
    CHECK_INT(ploy_fuzzy_highest(none, 2), -1);
    double mood[] = {0.4, 0.7}; // hurt and healthy exclude one another, and sum to 1.1
    CHECK_NEAR(ploy_fuzzy_normalise(mood, 2), 1.1, 1e-12);
    CHECK_NEAR(mood[0] + mood[1], 1, 1e-12);
}

TEST(faulty_sets_are_refused_with_a_reason) {
    static const double falling[] = {1, 0, 0, 1};
    ploy_fuzzy_set sets[] = {
        ploy_fuzzy_triangle((double)NAN, 1, 2), ploy_fuzzy_discrete(falling, 2),
        ploy_fuzzy_discrete(falling, 0),        ploy_fuzzy_formula(NULL),
        ploy_fuzzy_triangle(0, 1, 2),           ploy_fuzzy_triangle(0, 1, 2),
    };
    sets[4].height = (double)INFINITY;
    sets[5].shape = PLOY_FUZZY_SHAPE_COUNT;
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        const char *why = NULL;
        CHECK_INT(ploy_fuzzy_set_check(&sets[i], &why), PLOY_ERR_ARGUMENT);
        CHECK(why != NULL);
    }
    CHECK_INT(ploy_fuzzy_set_check(NULL, NULL), PLOY_ERR_ARGUMENT);
}

TEST(hedges_bear_degrees_that_rounded_beyond_0_and_1) {
    for (int32_t hedge = 0; hedge < PLOY_FUZZY_HEDGE_COUNT; hedge++) {
        double above = ploy_fuzzy_bend((ploy_fuzzy_hedge)hedge, 1.0 + 2.3e-16);
        double below = ploy_fuzzy_bend((ploy_fuzzy_hedge)hedge, -2.3e-16);
        CHECK_NEAR(above, ploy_fuzzy_bend((ploy_fuzzy_hedge)hedge, 1.0), 1e-15);
        CHECK_NEAR(below, ploy_fuzzy_bend((ploy_fuzzy_hedge)hedge, 0.0), 1e-15);
    }
}
