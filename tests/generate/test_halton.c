// Halton sequences: the catalog's fractions, exactness, discrepancy, boxes.
#include "ploy/generate/halton.h"
#include "tests/test.h"

#include <stdlib.h>

TEST(radical_inverses_are_the_known_fractions) {
    static const int32_t three[] = {1, 2, 1, 4, 7, 2, 5, 8}; // over 3, then over 9
    static const int32_t later[] = {1, 10, 19, 4, 13, 22, 7, 16, 25,
                                    2, 11, 20, 5, 14, 23, 8, 17, 26};                 // over 27
    static const int32_t two[] = {8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}; // over 16
    static const int32_t five[] = {5, 10, 15, 20, 1, 6};                              // over 25
    for (size_t i = 0; i < COUNT_OF(three); i++) {
        CHECK_SAME(ploy_radical_inverse(3, i + 1), three[i] / (i < 2 ? 3.0 : 9.0));
    }
    for (size_t i = 0; i < COUNT_OF(later); i++) {
        CHECK_SAME(ploy_radical_inverse(3, i + 9), later[i] / 27.0);
    }
    CHECK_SAME(ploy_radical_inverse(3, 27), 1.0 / 81.0);
    for (size_t i = 0; i < COUNT_OF(two); i++) {
        CHECK_SAME(ploy_radical_inverse(2, i + 1), two[i] / 16.0);
    }
    for (size_t i = 0; i < COUNT_OF(five); i++) {
        CHECK_SAME(ploy_radical_inverse(5, i + 1), five[i] / 25.0);
    }
    CHECK_SAME(ploy_radical_inverse(2, 1234), 601.0 / 2048.0); // 10011010010 mirrored
    CHECK_SAME(ploy_radical_inverse(3, 0), 0.0);
    CHECK(ploy_radical_inverse(2, UINT64_MAX) < 1.0);
    CHECK(ploy_radical_inverse(1024, UINT64_MAX) < 1.0);
}

TEST(values_are_exact_to_a_million) {
    static const uint32_t bases[] = {2, 3, 5, 7, 11, 13, 29, 31, 1021};
    for (size_t b = 0; b < COUNT_OF(bases); b++) {
        uint64_t base = bases[b];
        for (uint64_t index = 1; index <= 1000000; index += b < 2 ? 1 : 37) {
            // Horner from the other end, in whole numbers.
            uint64_t digits[24], count = 0, power = 1, sum = 0;
            for (uint64_t rest = index; rest > 0; rest /= base) digits[count++] = rest % base;
            for (uint64_t k = count; k-- > 0; power *= base) sum += digits[k] * power;
            double got = ploy_radical_inverse((uint32_t)base, index);
            double want = (double)sum / (double)power;
            if (got != want) CHECK_SAME(got, want);
        }
    }
}

static void check_point(test_context *t, const ploy_halton *halton, uint64_t i, double x,
                        double y) {
    double at[2];
    ploy_halton_at(halton, i, at);
    CHECK_SAME(at[0], x);
    CHECK_SAME(at[1], y);
}

TEST(large_bases_start_as_lines) {
    static const uint32_t eleven[] = {11, 13}, thirty[] = {29, 31};
    ploy_halton halton;
    CHECK_OK(ploy_halton_init(&halton, 2, eleven, 1, 1, NULL));
    for (uint64_t k = 1; k <= 10; k++) {
        check_point(t, &halton, k - 1, (double)k / 11.0, (double)k / 13.0);
    }
    CHECK_OK(ploy_halton_init(&halton, 2, thirty, 0, 1, NULL));
    for (uint64_t k = 1; k <= 28; k++) {
        check_point(t, &halton, k, (double)k / 29.0, (double)k / 31.0);
    }
    static const struct {
        uint64_t index;
        double x, y, y_over;
    } rows[] = {{29, 1, 29, 31},   {30, 30, 30, 31},    {31, 59, 1, 961},
                {32, 88, 32, 961}, {57, 813, 807, 961}, {58, 2, 838, 961}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        check_point(t, &halton, rows[i].index, rows[i].x / 841.0, rows[i].y / rows[i].y_over);
    }
}

TEST(start_stride_and_offset_choose_the_values) {
    static const uint32_t bases[] = {2, 3};
    static const double offsets[] = {0.25, 0.5};
    ploy_halton plain, odd;
    CHECK_OK(ploy_halton_init(&plain, 2, bases, 1, 1, NULL));
    CHECK_OK(ploy_halton_init(&odd, 2, bases, 20, 5, offsets));
    for (uint64_t i = 0; i < 100; i++) {
        double a[2], b[2];
        ploy_halton_at(&plain, 19 + 5 * i, a);
        ploy_halton_next(&odd, b);
        for (int32_t k = 0; k < 2; k++) {
            double moved = a[k] + offsets[k];
            CHECK_SAME(b[k], moved >= 1.0 ? moved - 1.0 : moved);
        }
    }
    static const uint32_t shared[] = {2, 4}, one[] = {1, 3};
    CHECK_INT(ploy_halton_init(&odd, 2, shared, 1, 1, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_halton_init(&odd, 2, one, 1, 1, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_halton_init(&odd, 2, bases, 1, 6, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_halton_init(&odd, 2, bases, 1, 0, NULL), PLOY_ERR_ARGUMENT);
    static const double wrong[] = {1.0, 0.0};
    CHECK_INT(ploy_halton_init(&odd, 2, bases, 1, 1, wrong), PLOY_ERR_ARGUMENT);
}

// The star discrepancy of points, exactly: the largest difference between the share of points in a
// box from the origin and its area. The extremes are at the points' coordinates.
static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double star_discrepancy(double (*points)[2], int32_t n) {
    double *xs = malloc(sizeof *xs * (size_t)(n + 1)), *ys = malloc(sizeof *ys * (size_t)(n + 1));
    int32_t *open = calloc((size_t)n + 1, sizeof *open),
            *closed = calloc((size_t)n + 1, sizeof *open);
    if (xs == NULL || ys == NULL || open == NULL || closed == NULL) abort();
    for (int32_t i = 0; i < n; i++) {
        xs[i] = points[i][0];
        ys[i] = points[i][1];
    }
    xs[n] = ys[n] = 1.0;
    qsort(xs, (size_t)n + 1, sizeof *xs, compare_doubles);
    qsort(ys, (size_t)n + 1, sizeof *ys, compare_doubles);
    double worst = 0.0;
    for (int32_t a = 0; a <= n; a++) {
        // Points with x below xs[a], and not above it, by the rank of their y.
        for (int32_t k = 0; k <= n; k++) open[k] = closed[k] = 0;
        for (int32_t i = 0; i < n; i++) {
            int32_t low = 0, high = n;
            while (low < high) {
                int32_t middle = (low + high) / 2;
                if (ys[middle] < points[i][1])
                    low = middle + 1;
                else
                    high = middle;
            }
            open[low] += points[i][0] < xs[a];
            closed[low] += points[i][0] <= xs[a];
        }
        int32_t below = 0, within = 0;
        for (int32_t b = 0; b <= n; b++) {
            double area = xs[a] * ys[b];
            double less = area - (double)below / n; // open box
            below += open[b];
            within += closed[b];
            double more = (double)within / n - area; // closed box
            if (less > worst) worst = less;
            if (more > worst) worst = more;
        }
    }
    free(xs);
    free(ys);
    free(open);
    free(closed);
    return worst;
}

TEST(a_thousand_points_have_a_low_discrepancy) {
    static double points[1000][2];
    static const uint32_t bases[] = {2, 3};
    ploy_halton halton;
    CHECK_OK(ploy_halton_init(&halton, 2, bases, 1, 1, NULL));
    for (int32_t i = 0; i < 1000; i++) ploy_halton_next(&halton, points[i]);
    double halton_worst = star_discrepancy(points, 1000);
    CHECK(halton_worst <= 0.007);
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 1000; i++) {
        points[i][0] = ploy_rng_double(&rng);
        points[i][1] = ploy_rng_double(&rng);
    }
    CHECK(star_discrepancy(points, 1000) > 3.0 * halton_worst);
}

TEST(find_equals_looking_at_every_point) {
    static const uint32_t pairs[][2] = {{2, 3}, {3, 2}, {11, 13}, {29, 31}, {5, 7}};
    enum { MOST = 3000 };
    static uint64_t found[MOST];
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        double offsets[2] = {0.0, 0.0};
        if (seed % 2 == 1) {
            offsets[0] = ploy_rng_double(&rng);
            offsets[1] = ploy_rng_double(&rng);
        }
        static const uint64_t strides[] = {1, 17, 19, 1009};
        ploy_halton halton;
        CHECK_OK(ploy_halton_init(&halton, 2, pairs[seed % (int64_t)COUNT_OF(pairs)],
                                  ploy_rng_below(&rng, 100), strides[ploy_rng_below(&rng, 4)],
                                  offsets));
        uint64_t count = 1 + ploy_rng_below(&rng, MOST);
        ploy_box2 box = ploy_box2_make(
            ploy_vec2_make(ploy_rng_range(&rng, -0.2f, 1.0f), ploy_rng_range(&rng, 0.0f, 1.0f)),
            ploy_vec2_make(ploy_rng_range(&rng, 0.0f, 1.0f), ploy_rng_range(&rng, 0.0f, 1.2f)));
        int64_t got = ploy_halton_find(&halton, box, count, found, MOST), k = 0;
        for (uint64_t i = 0; i < count; i++) {
            double at[2];
            ploy_halton_at(&halton, i, at);
            bool inside = at[0] >= (double)box.min.x && at[0] <= (double)box.max.x &&
                          at[1] >= (double)box.min.y && at[1] <= (double)box.max.y;
            if (!inside) continue;
            CHECK(k < got);
            CHECK_UINT(found[k], i);
            k++;
        }
        CHECK_INT(got, k);
        CHECK_INT(ploy_halton_find(&halton, box, count, NULL, 0), got);
    }
}

TEST(tiles_repeat_the_pattern) {
    ploy_env env = ploy_env_default();
    ploy_halton_points_def def = ploy_halton_points_def_default();
    def.count = 64;
    def.tiles = 2;
    ploy_halton_points *points = NULL;
    CHECK_OK(ploy_halton_points_begin(&def, ploy_rng_key_make(1), NULL, &env, &points));
    CHECK_OK(ploy_halton_points_step(points, NULL));
    int32_t count = 0;
    const ploy_placed *items = ploy_halton_points_items(points, &count);
    CHECK_INT(count, 64);
    for (int32_t i = 0; i < 16; i++) {
        CHECK_NEAR(items[16 + i].position.x, items[i].position.x + 20.0f, 1e-5);
        CHECK_NEAR(items[32 + i].position.y, items[i].position.y + 20.0f, 1e-5);
    }
    ploy_halton_points_cancel(points);
}
