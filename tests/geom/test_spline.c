#include "tests/draw_count.h"
#include "tests/geom/geom_test.h"

#include "ploy/geom/polyline.h"
#include "ploy/geom/spline.h"

enum { POINTS = 16, SPANS = 16, TABLE = SPANS * PLOY_SPLINE_CELLS + 1 };

static const ploy_spline_kind all_kinds[] = {
    PLOY_SPLINE_UNIFORM, PLOY_SPLINE_CENTRIPETAL, PLOY_SPLINE_CHORDAL,
    PLOY_SPLINE_BEZIER,  PLOY_SPLINE_HERMITE,
};

// The slow version, from the textbook of each kind, at u of a span, in double.
static void slow_point(const ploy_spline3 *s, int32_t index, double out[3]) {
    int32_t n = s->count;
    bool mirror = !s->closed && (index < 0 || index >= n);
    int32_t end = index < 0 ? 0 : n - 1, next = index < 0 ? 1 : n - 2;
    ploy_vec3 a = s->points[mirror ? end : (index + n) % n], b = s->points[mirror ? next : 0];
    out[0] = mirror ? 2 * (double)a.x - (double)b.x : (double)a.x;
    out[1] = mirror ? 2 * (double)a.y - (double)b.y : (double)a.y;
    out[2] = mirror ? 2 * (double)a.z - (double)b.z : (double)a.z;
}

static void slow_mix(const double a[3], const double b[3], double ta, double tb, double t,
                     double out[3]) {
    for (int32_t i = 0; i < 3; i++) {
        out[i] = tb == ta ? b[i] : a[i] * (tb - t) / (tb - ta) + b[i] * (t - ta) / (tb - ta);
    }
}

static void slow_at(const ploy_spline3 *s, int32_t span, double u, double out[3]) {
    double p[4][3], v = 1 - u;
    if (s->kind == PLOY_SPLINE_BEZIER) {
        for (int32_t i = 0; i < 4; i++) {
            bool round = s->closed && i == 3 && span == s->count / 3 - 1;
            slow_point(s, round ? 0 : span * 3 + i, p[i]);
        }
        for (int32_t i = 0; i < 3; i++) {
            out[i] = v * v * v * p[0][i] + 3 * v * v * u * p[1][i] + 3 * v * u * u * p[2][i] +
                     u * u * u * p[3][i];
        }
        return;
    }
    if (s->kind == PLOY_SPLINE_HERMITE) {
        int32_t next = (span + 1) % (s->count / 2);
        for (int32_t i = 0; i < 4; i++) slow_point(s, (i < 2 ? span : next) * 2 + i % 2, p[i]);
        for (int32_t i = 0; i < 3; i++) {
            out[i] = (1 + 2 * u) * v * v * p[0][i] + u * v * v * p[1][i] +
                     u * u * (3 - 2 * u) * p[2][i] - u * u * v * p[3][i];
        }
        return;
    }
    // Barry and Goldman's pyramid of linear mixtures.
    double power = s->kind == PLOY_SPLINE_UNIFORM ? 0 : s->kind == PLOY_SPLINE_CHORDAL ? 1 : 0.5;
    double k[4] = {0, 0, 0, 0};
    for (int32_t i = 0; i < 4; i++) slow_point(s, span - 1 + i, p[i]);
    for (int32_t i = 0; i < 3; i++) {
        double d = 0;
        for (int32_t j = 0; j < 3; j++) d += (p[i + 1][j] - p[i][j]) * (p[i + 1][j] - p[i][j]);
        k[i + 1] = k[i] + pow(sqrt(d), power);
    }
    double t = k[1] + (k[2] - k[1]) * u;
    double a[3][3], b[2][3];
    for (int32_t i = 0; i < 3; i++) slow_mix(p[i], p[i + 1], k[i], k[i + 1], t, a[i]);
    for (int32_t i = 0; i < 2; i++) slow_mix(a[i], a[i + 1], k[i], k[i + 2], t, b[i]);
    slow_mix(b[0], b[1], k[1], k[2], t, out);
}

// A random spline of each kind in turn; z is 0 in the flat ones.
static ploy_spline3 random_spline(ploy_rng *rng, uint64_t seed, ploy_vec3 *points, bool flat,
                                  bool lattice) {
    int32_t count = ploy_rng_int(rng, 4, POINTS);
    for (int32_t i = 0; i < count; i++) {
        points[i] = test_random_vec3(rng, 10);
        if (lattice) points[i] = ploy_vec3_from_vec2(test_lattice_vec2(rng, 2), 0);
        if (lattice) points[i].z = (float)ploy_rng_int(rng, 0, 1);
        if (flat) points[i].z = 0;
    }
    return ploy_spline3_make(points, count, all_kinds[seed % 5], seed / 5 % 2 == 0);
}

static ploy_spline2 flat_spline(const ploy_spline3 *s, ploy_vec2 *points) {
    for (int32_t i = 0; i < s->count; i++) points[i] = ploy_vec2_from_vec3(s->points[i]);
    return ploy_spline2_make(points, s->count, s->kind, s->closed);
}

TEST(points_are_those_of_the_textbook) {
    for (uint64_t seed = 0; seed < 1000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 p[POINTS];
        ploy_vec2 flat[POINTS];
        ploy_spline3 s = random_spline(&rng, seed, p, seed % 2 == 0, false);
        ploy_spline2 s2 = flat_spline(&s, flat);
        int32_t spans = ploy_spline3_spans(&s);
        CHECK_INT(ploy_spline2_spans(&s2), spans);
        for (int32_t i = 0; i < 20; i++) {
            int32_t span = ploy_rng_int(&rng, 0, spans - 1);
            float at = (float)span + ploy_rng_range(&rng, 0, 1);
            if (at >= (float)(span + 1)) continue;
            double want[3];
            slow_at(&s, span, (double)at - span, want);
            CHECK_VEC3(ploy_spline3_at(&s, at), want[0], want[1], want[2], 2e-5);
            if (seed % 2 == 0) CHECK_VEC2(ploy_spline2_at(&s2, at), want[0], want[1], 2e-5);
        }
    }
}

// NTU-14
TEST(the_middle_of_a_uniform_span_is_where_the_formula_says) {
    ploy_vec2 stairs[4] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}};
    ploy_vec2 line[4] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
    ploy_spline2 s = ploy_spline2_make(stairs, 4, PLOY_SPLINE_UNIFORM, false);
    CHECK_VEC2(ploy_spline2_at(&s, 1.5f), 1, 0.5, 0);
    s.points = line;
    CHECK_VEC2(ploy_spline2_at(&s, 1.5f), 1.5, 0, 0);
}

TEST(control_points_are_met_exactly) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 p[POINTS];
        ploy_spline3 s = random_spline(&rng, seed, p, false, false);
        int32_t spans = ploy_spline3_spans(&s);
        int32_t step = s.kind == PLOY_SPLINE_BEZIER ? 3 : s.kind == PLOY_SPLINE_HERMITE ? 2 : 1;
        for (int32_t i = 0; i < spans + (s.closed ? 0 : 1); i++) {
            CHECK(ploy_vec3_equal(ploy_spline3_at(&s, (float)i), p[i * step]));
        }
        ploy_vec3 beyond = ploy_spline3_at(&s, (float)spans);
        CHECK(ploy_vec3_equal(beyond, p[s.closed ? 0 : spans * step]));
    }
}

TEST(few_points_make_a_point_and_none_make_zeros) {
    ploy_vec2 p[8] = {{3, 4}, {5, 6}, {7, 8}, {1, 1}, {0, 2}, {9, 9}, {4, 3}, {2, 1}};
    static const struct {
        const char *row;
        ploy_spline_kind kind;
        bool closed;
        int32_t spans[9]; // for 0 to 8 points
    } rows[] = {
        {"uniform", PLOY_SPLINE_UNIFORM, false, {0, 0, 1, 2, 3, 4, 5, 6, 7}},
        {"uniform, closed", PLOY_SPLINE_UNIFORM, true, {0, 0, 2, 3, 4, 5, 6, 7, 8}},
        {"bezier", PLOY_SPLINE_BEZIER, false, {0, 0, 0, 0, 1, 1, 1, 2, 2}},
        {"bezier, closed", PLOY_SPLINE_BEZIER, true, {0, 0, 0, 1, 1, 1, 2, 2, 2}},
        {"hermite", PLOY_SPLINE_HERMITE, false, {0, 0, 0, 0, 1, 1, 2, 2, 3}},
        {"hermite, closed", PLOY_SPLINE_HERMITE, true, {0, 0, 0, 0, 2, 2, 3, 3, 4}},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].row;
        for (int32_t n = 0; n <= 8; n++) {
            ploy_spline2 s = ploy_spline2_make(p, n, rows[r].kind, rows[r].closed);
            CHECK_INT(ploy_spline2_spans(&s), rows[r].spans[n]);
            CHECK_INT(ploy_spline2_table_size(&s), rows[r].spans[n] * PLOY_SPLINE_CELLS + 1);
            if (rows[r].spans[n] > 0) continue;
            ploy_vec2 want = n > 0 ? p[0] : ploy_vec2_zero(), out[2] = {{9, 9}, {9, 9}};
            float table[1] = {5};
            ploy_spline2_measure(&s, table);
            CHECK_SAME(table[0], 0);
            CHECK_VEC2(ploy_spline2_at(&s, 0.5f), want.x, want.y, 0);
            CHECK_VEC2(ploy_spline2_point_along(&s, 5), want.x, want.y, 0);
            CHECK_VEC2(ploy_spline2_derivative(&s, 0), 0, 0, 0);
            CHECK_VEC2(ploy_spline2_second(&s, 0), 0, 0, 0);
            CHECK_VEC2(ploy_spline2_direction(&s, 0), 0, 0, 0);
            CHECK_SAME(ploy_spline2_curvature(&s, 0), 0);
            CHECK_SAME(ploy_spline2_length(&s), 0);
            CHECK_SAME(ploy_spline2_t_at(&s, 3), 0);
            CHECK_SAME(ploy_spline2_along_at(&s, 3), 0);
            CHECK_INT(ploy_spline2_flatten(&s, 0.1f, out, 2), n > 0 ? 1 : 0);
            if (n > 0) CHECK_VEC2(out[0], 3, 4, 0);
            ploy_spline_nearest2 got = ploy_spline2_find(&s, test_v2(0, 0));
            CHECK_SAME(got.distance_sq, n > 0 ? 25 : 0);
        }
    }
    ploy_spline2 s = ploy_spline2_make(NULL, 7, PLOY_SPLINE_UNIFORM, false);
    CHECK_INT(s.count, 0);
    s = ploy_spline2_make(p, -7, PLOY_SPLINE_UNIFORM, false);
    CHECK_INT(s.count, 0);
    CHECK_TEXT(ploy_spline_kind_text(PLOY_SPLINE_CENTRIPETAL), "centripetal");
    CHECK_TEXT(ploy_spline_kind_text(PLOY_SPLINE_HERMITE), "hermite");
    CHECK_TEXT(ploy_spline_kind_text(PLOY_SPLINE_KIND_COUNT), "?");
}

TEST(parameters_are_held_or_go_round) {
    ploy_vec2 p[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    ploy_spline2 s = ploy_spline2_make(p, 4, PLOY_SPLINE_CENTRIPETAL, false);
    CHECK_SAME(ploy_spline2_wrap(&s, -2), 0);
    CHECK_SAME(ploy_spline2_wrap(&s, 2.5f), 2.5);
    CHECK_SAME(ploy_spline2_wrap(&s, 9), 3);
    CHECK_SAME(ploy_spline2_wrap(&s, NAN), 0);
    CHECK_SAME(ploy_spline2_wrap(&s, INFINITY), 3);
    s.closed = true;
    CHECK_SAME(ploy_spline2_wrap(&s, -0.5f), 3.5);
    CHECK_SAME(ploy_spline2_wrap(&s, 4), 0);
    CHECK_SAME(ploy_spline2_wrap(&s, 9), 1);
    CHECK_SAME(ploy_spline2_wrap(&s, INFINITY), 0);
}

TEST(derivatives_are_what_differences_say) {
    for (uint64_t seed = 0; seed < 400; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 p[POINTS];
        ploy_spline3 s = random_spline(&rng, seed, p, false, false);
        int32_t span = ploy_rng_int(&rng, 0, ploy_spline3_spans(&s) - 1);
        double u = 0.125 + 0.125 * ploy_rng_int(&rng, 0, 6), h = 1e-4;
        double a[3], b[3], c[3];
        slow_at(&s, span, u - h, a);
        slow_at(&s, span, u, b);
        slow_at(&s, span, u + h, c);
        float at = (float)(span + u);
        ploy_vec3 first = ploy_spline3_derivative(&s, at), second = ploy_spline3_second(&s, at);
        CHECK_VEC3(first, (c[0] - a[0]) / (2 * h), (c[1] - a[1]) / (2 * h), (c[2] - a[2]) / (2 * h),
                   1e-4);
        CHECK_VEC3(second, (c[0] - 2 * b[0] + a[0]) / (h * h), (c[1] - 2 * b[1] + a[1]) / (h * h),
                   (c[2] - 2 * b[2] + a[2]) / (h * h), 1e-2);
        ploy_vec3 unit = ploy_vec3_normalise(first), got = ploy_spline3_direction(&s, at);
        CHECK_VEC3(got, unit.x, unit.y, unit.z, 1e-5);
    }
}

TEST(directions_are_continuous_and_uniform_ones_have_a_continuous_derivative) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 p[POINTS];
        ploy_spline3 s = random_spline(&rng, seed, p, false, false);
        s.kind = all_kinds[seed % 3];
        if (seed % 4 == 3) s.kind = PLOY_SPLINE_HERMITE;
        for (int32_t i = 1; i < ploy_spline3_spans(&s); i++) {
            float before = nextafterf((float)i, 0.0f);
            ploy_vec3 a = ploy_spline3_direction(&s, before),
                      b = ploy_spline3_direction(&s, (float)i);
            CHECK_VEC3(a, b.x, b.y, b.z, 2e-3);
            if (s.kind != PLOY_SPLINE_UNIFORM && s.kind != PLOY_SPLINE_HERMITE) continue;
            a = ploy_spline3_derivative(&s, before);
            b = ploy_spline3_derivative(&s, (float)i);
            CHECK_VEC3(a, b.x, b.y, b.z, 1e-3);
        }
    }
}

TEST(straight_lines_stay_straight) {
    for (uint64_t seed = 0; seed < 100; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec2 p[6], from = test_random_vec2(&rng, 100);
        float step = ploy_rng_range(&rng, 0.5f, 3);
        for (int32_t i = 0; i < 6; i++) p[i] = ploy_vec2_make(from.x + (float)i * step, from.y);
        ploy_spline2 s = ploy_spline2_make(p, 6, all_kinds[seed % 3], false);
        CHECK_NEAR(ploy_spline2_length(&s), (double)p[5].x - (double)p[0].x, 2e-5);
        for (int32_t i = 0; i <= 50; i++) {
            float at = (float)i * 0.1f;
            CHECK_SAME(ploy_spline2_at(&s, at).y, from.y);
            CHECK_NEAR(ploy_spline2_at(&s, at).x, from.x + at * step, 3e-5);
            CHECK_NEAR(ploy_spline2_curvature(&s, at), 0, 1e-6);
            CHECK_VEC2(ploy_spline2_direction(&s, at), 1, 0, 0);
        }
    }
    // Two points: a straight line at an even pace, whatever the kind.
    ploy_vec2 two[2] = {{1, 2}, {4, 6}};
    for (size_t k = 0; k < 3; k++) {
        ploy_spline2 s = ploy_spline2_make(two, 2, all_kinds[k], false);
        CHECK_SAME(ploy_spline2_length(&s), 5);
        CHECK_VEC2(ploy_spline2_at(&s, 0.5f), 2.5, 4, 0);
        CHECK_INT(ploy_spline2_flatten(&s, 1e-6f, NULL, 0), 2);
    }
}

// The usual four-span circle: the radius is off by 2.7253e-4 of it at most.
TEST(a_circle_of_bezier_spans_has_its_known_error) {
    const float k = 0.5522847498f;
    ploy_vec2 p[12] = {{1, 0},  {1, k},   {k, 1},   {0, 1},  {-k, 1}, {-1, k},
                       {-1, 0}, {-1, -k}, {-k, -1}, {0, -1}, {k, -1}, {1, -k}};
    ploy_spline2 s = ploy_spline2_make(p, 12, PLOY_SPLINE_BEZIER, true);
    CHECK_INT(ploy_spline2_spans(&s), 4);
    float table[4 * PLOY_SPLINE_CELLS + 1];
    ploy_spline2_measure(&s, table);
    s.along = table;
    double most = 0;
    for (int32_t i = 0; i < 4000; i++) {
        float at = (float)i / 1000;
        ploy_vec2 v = ploy_spline2_at(&s, at);
        double error = hypot((double)v.x, (double)v.y) - 1;
        most = fmax(most, error);
        CHECK(error > -1e-6);
        CHECK_NEAR(ploy_spline2_curvature(&s, at), 1, 0.035);
    }
    CHECK_NEAR(most, 2.7253e-4, 1e-6);
    CHECK_NEAR(ploy_spline2_length(&s), 2 * 3.14159265358979, 2e-3);
    // By symmetry the quarters are a quarter of the length each.
    float length = ploy_spline2_length(&s);
    for (int32_t i = 0; i < 4; i++) {
        CHECK_NEAR(ploy_spline2_t_at(&s, length * (float)i / 4), i, 1e-6);
        CHECK_NEAR(ploy_spline2_t_at(&s, length * ((float)i + 0.5f) / 4), i + 0.5, 1e-6);
    }
    // From the middle all is nearly as near; from outside the nearest is straight ahead.
    for (int32_t i = 0; i < 100; i++) {
        double a = i * 0.0628;
        ploy_spline_nearest2 got = ploy_spline2_find(&s, test_v2(5 * cos(a), 5 * sin(a)));
        CHECK_VEC2(got.point, cos(a), sin(a), 1.5e-3);
        CHECK_NEAR(sqrt((double)got.distance_sq), 4, 3e-4);
    }
    // Mirrored, it turns the other way.
    for (int32_t i = 0; i < 12; i++) p[i].y = -p[i].y;
    CHECK_NEAR(ploy_spline2_curvature(&s, 0.5f), -1, 0.035);
}

TEST(direction_is_told_where_the_derivative_vanishes) {
    // Both handles on their points: a straight line with standing starts.
    ploy_vec2 p[4] = {{0, 0}, {0, 0}, {3, 4}, {3, 4}};
    ploy_spline2 s = ploy_spline2_make(p, 4, PLOY_SPLINE_BEZIER, false);
    CHECK_VEC2(ploy_spline2_derivative(&s, 0), 0, 0, 0);
    CHECK_VEC2(ploy_spline2_direction(&s, 0), 0.6, 0.8, 1e-6);
    CHECK_VEC2(ploy_spline2_direction(&s, 1), 0.6, 0.8, 1e-6);
    CHECK_SAME(ploy_spline2_curvature(&s, 0), 0);
    CHECK_NEAR(ploy_spline2_length(&s), 5, 1e-6);
    CHECK_NEAR(ploy_spline2_t_at(&s, 2.5f), 0.5, 1e-6);
    // Three on the first point.
    ploy_vec2 q[4] = {{0, 0}, {0, 0}, {0, 0}, {3, 4}};
    s.points = q;
    CHECK_VEC2(ploy_spline2_direction(&s, 0), 0.6, 0.8, 1e-6);
    // A cusp in the middle: up, stop, down.
    ploy_vec2 cusp[4] = {{0, 0}, {4, 4}, {0, 4}, {4, 0}};
    s.points = cusp;
    CHECK_VEC2(ploy_spline2_derivative(&s, 0.5f), 0, 0, 1e-6);
    CHECK_VEC2(ploy_spline2_direction(&s, 0.5f), 0, -1, 1e-6);
}

TEST(a_span_of_one_point_is_no_trouble) {
    ploy_vec2 p[5] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    for (size_t k = 0; k < COUNT_OF(all_kinds); k++) {
        for (int32_t closed = 0; closed < 2; closed++) {
            TEST_SEED((int32_t)k * 2 + closed);
            ploy_spline2 s = ploy_spline2_make(p, 5, all_kinds[k], closed != 0);
            if (s.kind == PLOY_SPLINE_HERMITE) continue; // its tangents are not zero
            CHECK_SAME(ploy_spline2_length(&s), 0);
            CHECK_VEC2(ploy_spline2_direction(&s, 0.5f), 0, 0, 0);
            CHECK_SAME(ploy_spline2_curvature(&s, 0.5f), 0);
            CHECK_VEC2(ploy_spline2_point_along(&s, 3), 1, 1, 0);
            CHECK_SAME(ploy_spline2_find(&s, test_v2(4, 5)).distance_sq, 25);
        }
    }
}

static double slow_length(const ploy_spline3 *s, int32_t spans, int32_t steps) {
    double sum = 0;
    for (int32_t i = 0; i < spans; i++) {
        double last[3], at[3];
        slow_at(s, i, 0, last);
        for (int32_t j = 1; j <= steps; j++) {
            slow_at(s, i, (double)j / steps, at);
            sum +=
                sqrt((at[0] - last[0]) * (at[0] - last[0]) + (at[1] - last[1]) * (at[1] - last[1]) +
                     (at[2] - last[2]) * (at[2] - last[2]));
            memcpy(last, at, sizeof last);
        }
    }
    return sum;
}

TEST(lengths_agree_with_fine_samples) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 p[POINTS];
        ploy_spline3 s = random_spline(&rng, seed, p, seed % 3 == 0, false);
        int32_t spans = ploy_spline3_spans(&s);
        // Chords fall short by a part that shrinks with the square of the step: Richardson.
        double rough = slow_length(&s, spans, 1000), fine = slow_length(&s, spans, 2000);
        double want = fine + (fine - rough) / 3;
        CHECK_NEAR(ploy_spline3_length(&s), want, want * 1e-6);
    }
    // Where everything is known: u^3 along a line, back and forth over a cusp at u = 1/2.
    ploy_vec2 line[4] = {{0, 0}, {0, 0}, {0, 0}, {8, 0}},
              back[4] = {{0, 0}, {8, 0}, {-8, 0}, {0, 0}};
    ploy_spline2 s = ploy_spline2_make(line, 4, PLOY_SPLINE_BEZIER, false);
    for (int32_t i = 0; i <= 64; i++) {
        float at = (float)i / 64;
        CHECK_NEAR(ploy_spline2_along_at(&s, at), 8 * at * at * at, 1e-6);
        CHECK_NEAR(ploy_spline2_t_at(&s, 8 * at * at * at), at, 1e-3);
        CHECK_NEAR(ploy_spline2_point_along(&s, 8 * at).x, 8 * at, 1e-6);
    }
    // x = 24 u (1-u)^2 - 24 u^2 (1-u) has its turns at u = (3 -+ sqrt 3) / 6, x = 4 / sqrt 3.
    s.points = back;
    CHECK_NEAR(ploy_spline2_length(&s), 4 * 2.3094010767585034, 1e-5);
}

TEST(distance_and_parameter_are_inverse_and_the_table_changes_no_bit) {
    for (uint64_t seed = 0; seed < 150; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 p[POINTS];
        ploy_vec2 flat[POINTS];
        float table[TABLE], table2[TABLE];
        ploy_spline3 s = random_spline(&rng, seed, p, false, seed % 4 == 3), with = s;
        ploy_spline2 s2 = flat_spline(&s, flat), with2 = s2;
        ploy_spline3_measure(&s, table);
        ploy_spline2_measure(&s2, table2);
        with.along = table;
        with2.along = table2;
        int32_t size = ploy_spline3_table_size(&s);
        for (int32_t i = 1; i < size; i++) CHECK(table[i] >= table[i - 1]);
        float length = ploy_spline3_length(&s), last = -1;
        CHECK_SAME(length, table[size - 1]);
        CHECK_SAME(ploy_spline3_length(&with), length);
        for (int32_t i = 0; i < 20; i++) {
            float along = length * (float)i / 20;
            float at = ploy_spline3_t_at(&with, along);
            CHECK_SAME(at, ploy_spline3_t_at(&s, along));
            CHECK(at >= last); // a monotone map
            last = at;
            float back = ploy_spline3_along_at(&with, at);
            CHECK_SAME(back, ploy_spline3_along_at(&s, at));
            // Rounding t to float moves a place by the speed there times half a unit of t.
            double speed = (double)ploy_vec3_length(ploy_spline3_derivative(&s, at));
            double off = fabs((double)back - (double)along);
            if (s.closed) off = fmin(off, fabs(off - (double)length));
            CHECK_NEAR(off, 0, (double)length * 2e-6 + speed * 2e-6 + 1e-6);
            ploy_vec3 a = ploy_spline3_point_along(&with, along);
            ploy_vec3 b = ploy_spline3_point_along(&s, along);
            CHECK(ploy_vec3_equal(a, b));
            ploy_vec2 c = ploy_spline2_point_along(&with2, along);
            CHECK(ploy_vec2_equal(c, ploy_spline2_point_along(&s2, along)));
            CHECK_SAME(ploy_spline2_curvature_along(&with2, along),
                       ploy_spline2_curvature_along(&s2, along));
            CHECK_SAME(ploy_spline2_direction_along(&with2, along).x,
                       ploy_spline2_direction_along(&s2, along).x);
        }
        CHECK_SAME(ploy_spline3_t_at(&with, 0), ploy_spline3_t_at(&s, -0.0f));
        float beyond = ploy_spline3_t_at(&with, length * 1.25f);
        if (!s.closed) CHECK_NEAR(beyond, ploy_spline3_spans(&s), 0.0);
        CHECK_SAME(ploy_spline3_t_at(&with, NAN), ploy_spline3_t_at(&with, 0));
    }
}

TEST(even_steps_along_are_even_in_metres) {
    ploy_vec2 p[5] = {{0, 0}, {1, 0}, {20, 3}, {21, 8}, {0, 30}};
    for (size_t k = 0; k < 3; k++) {
        ploy_spline2 s = ploy_spline2_make(p, 5, all_kinds[k], false);
        float length = ploy_spline2_length(&s);
        double sum = 0, step = (double)length / 2000;
        ploy_vec2 last = p[0];
        for (int32_t i = 1; i <= 2000; i++) {
            ploy_vec2 at = ploy_spline2_point_along(&s, length * (float)i / 2000);
            double gap = (double)ploy_vec2_distance(at, last);
            CHECK(gap <= step * 1.001);
            // A chord is shorter than its arc in a tight bend; a uniform one may even turn back.
            CHECK(gap >= step * 0.6 || all_kinds[k] == PLOY_SPLINE_UNIFORM);
            sum += gap;
            last = at;
        }
        CHECK_NEAR(sum, length, 2e-2);
    }
}

TEST(the_nearest_point_is_nearest) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 p[POINTS];
        ploy_vec2 flat[POINTS];
        float table[TABLE];
        bool is_flat = seed % 2 == 0;
        ploy_spline3 s = random_spline(&rng, seed, p, is_flat, seed % 3 == 0);
        ploy_spline3_measure(&s, table);
        s.along = table;
        int32_t spans = ploy_spline3_spans(&s);
        ploy_vec3 q = test_random_vec3(&rng, 14);
        if (is_flat) q.z = 0;
        float length = ploy_spline3_length(&s);
        float last = ploy_rng_range(&rng, 0, length);
        float window = seed % 5 == 0 ? INFINITY : ploy_rng_range(&rng, 0, length * 0.45f);
        ploy_spline_nearest3 got = ploy_spline3_find_near(&s, q, last, window);
        // What is told fits together.
        ploy_vec3 there = ploy_spline3_at(&s, got.t);
        CHECK_VEC3(got.point, there.x, there.y, there.z, 1e-4);
        double distance = (double)ploy_vec3_distance(got.point, q);
        CHECK_NEAR(sqrt((double)got.distance_sq), distance, 1e-4);
        double off = fabs((double)got.along - (double)last);
        if (s.closed) off = fmin(off, (double)length - off);
        if (window < INFINITY) CHECK(off <= (double)window + 1e-3);
        // No sample within the window is nearer.
        for (int32_t i = 0; i < spans * 40; i++) {
            float at = (float)i / 40;
            double along = (double)ploy_spline3_along_at(&s, at);
            double gap = fabs(along - (double)last);
            if (s.closed) gap = fmin(gap, (double)length - gap);
            if (gap > (double)window) continue;
            CHECK((double)ploy_vec3_distance(ploy_spline3_at(&s, at), q) >= distance - 2e-4);
        }
        if (window == INFINITY) {
            ploy_spline_nearest3 all = ploy_spline3_find(&s, q);
            CHECK_SAME(all.t, got.t);
        }
        if (is_flat) { // the plane gives what space with z = 0 gives
            ploy_spline2 s2 = flat_spline(&s, flat);
            ploy_spline_nearest2 got2 =
                ploy_spline2_find_near(&s2, ploy_vec2_from_vec3(q), last, window);
            CHECK_SAME(got2.t, got.t);
            CHECK_SAME(got2.along, got.along);
            CHECK_SAME(got2.distance_sq, got.distance_sq);
        }
    }
}

TEST(wherever_the_search_begins_the_nearest_point_is_the_same) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 p[POINTS];
        ploy_vec2 flat[POINTS];
        float table[TABLE];
        bool is_flat = seed % 2 == 0;
        ploy_spline3 bare = random_spline(&rng, seed, p, is_flat, seed % 3 == 0), s = bare;
        ploy_spline3_measure(&s, table);
        s.along = table;
        ploy_vec3 q = test_random_vec3(&rng, seed % 7 == 0 ? 1e4 : 14);
        if (is_flat) q.z = 0;
        // Without a table every span is asked by its hull alone.
        ploy_spline_nearest3 want = ploy_spline3_find(&bare, q);
        float length = ploy_spline3_length(&s);
        float lasts[] = {want.along, 0, length, NAN, -INFINITY, -3 * length, 0};
        lasts[COUNT_OF(lasts) - 1] = ploy_rng_range(&rng, 0, length);
        for (size_t i = 0; i < COUNT_OF(lasts); i++) {
            ploy_spline_nearest3 got = ploy_spline3_find_from(&s, q, lasts[i]);
            CHECK_BYTES(&got, &want, sizeof want);
            got = ploy_spline3_find_from(&bare, q, lasts[i]);
            CHECK_BYTES(&got, &want, sizeof want);
            if (!is_flat) continue;
            ploy_spline2 s2 = flat_spline(&s, flat);
            CHECK_SAME(ploy_spline2_find_from(&s2, ploy_vec2_from_vec3(q), lasts[i]).t, want.t);
        }
    }
}

TEST(a_window_keeps_a_follower_on_its_own_strand_of_a_curve) {
    ploy_vec2 p[6] = {{0, 0}, {5, 0}, {10, 0}, {10, 1}, {5, 1}, {0, 1}};
    ploy_spline2 s = ploy_spline2_make(p, 6, PLOY_SPLINE_CENTRIPETAL, false);
    float there = ploy_spline2_find(&s, test_v2(2, -5)).along;
    CHECK_NEAR(there, 2, 0.1);
    CHECK(ploy_spline2_find(&s, test_v2(2, 0.6)).along > 15);
    CHECK_NEAR(ploy_spline2_find_near(&s, test_v2(2, 0.6), there, 3).along, 2, 0.2);
    CHECK_NEAR(ploy_spline2_find_near(&s, test_v2(9, 0), there, -1).along, there, 1e-5);
    CHECK_NEAR(ploy_spline2_find_near(&s, test_v2(9, 0), there, NAN).along, there, 1e-5);
}

TEST(flattening_stays_within_its_tolerance) {
    for (uint64_t seed = 0; seed < 150; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 p[POINTS];
        ploy_vec2 flat[POINTS], out[2048], few[3] = {{9, 9}, {9, 9}, {9, 9}};
        ploy_spline3 s = random_spline(&rng, seed, p, true, seed % 4 == 0);
        ploy_spline2 s2 = flat_spline(&s, flat);
        float tolerance = seed % 2 == 0 ? 0.1f : 0.01f;
        int32_t count = ploy_spline2_flatten(&s2, tolerance, out, 2048);
        CHECK(count >= 2 && count <= 2048);
        CHECK_INT(ploy_spline2_flatten(&s2, tolerance, NULL, 0), count);
        CHECK_INT(ploy_spline2_flatten(&s2, tolerance, few, 2), count);
        CHECK_VEC2(few[1], out[1].x, out[1].y, 0);
        CHECK_VEC2(few[2], 9, 9, 0);
        ploy_polyline line = ploy_polyline_make(out, count, s.closed);
        int32_t spans = ploy_spline2_spans(&s2);
        for (int32_t i = 0; i <= spans * 25; i++) {
            ploy_vec2 at = ploy_spline2_at(&s2, (float)i / 25);
            double gap = sqrt((double)ploy_polyline_find(&line, at).distance_sq);
            CHECK(gap <= (double)tolerance * 1.0001 + 1e-6);
        }
        for (int32_t i = 0; i < count; i++) {
            CHECK(ploy_spline2_find(&s2, out[i]).distance_sq <= 1e-8f);
        }
    }
    ploy_vec2 p[4] = {{0, 0}, {1, 2}, {3, -2}, {4, 0}};
    ploy_spline2 s = ploy_spline2_make(p, 4, PLOY_SPLINE_BEZIER, false);
    CHECK_INT(ploy_spline2_flatten(&s, 0, NULL, 0), PLOY_SPLINE_PIECES_MAX + 1);
    CHECK_INT(ploy_spline2_flatten(&s, NAN, NULL, 0), PLOY_SPLINE_PIECES_MAX + 1);
    CHECK_INT(ploy_spline2_flatten(&s, INFINITY, NULL, 0), 2);
}

TEST(far_away_and_tiny_curves_keep_their_shape) {
    ploy_vec2 shape[5] = {{0, 0}, {64, 128}, {256, 64}, {320, -128}, {512, 0}}, p[5];
    ploy_spline2 here = ploy_spline2_make(shape, 5, PLOY_SPLINE_CENTRIPETAL, false);
    ploy_spline2 there = ploy_spline2_make(p, 5, PLOY_SPLINE_CENTRIPETAL, false);
    // 2^29: a float counts in steps of 64 m there, so the points are exact.
    for (int32_t i = 0; i < 5; i++)
        p[i] = ploy_vec2_make(shape[i].x + 0x1p29f, shape[i].y - 0x1p29f);
    CHECK_SAME(ploy_spline2_length(&there), ploy_spline2_length(&here));
    CHECK_SAME(ploy_spline2_curvature(&there, 1.3f), ploy_spline2_curvature(&here, 1.3f));
    CHECK_SAME(ploy_spline2_t_at(&there, 300), ploy_spline2_t_at(&here, 300));
    ploy_vec2 q = {256, 320}, far_q = {256 + 0x1p29f, 320 - 0x1p29f};
    CHECK_SAME(ploy_spline2_find(&there, far_q).t, ploy_spline2_find(&here, q).t);
    CHECK_SAME(ploy_spline2_find(&there, far_q).distance_sq,
               ploy_spline2_find(&here, q).distance_sq);
    for (int32_t i = 0; i < 5; i++) p[i] = ploy_vec2_scale(shape[i], 0x1p-40f);
    CHECK_NEAR(ploy_spline2_length(&there) * 0x1p40f, ploy_spline2_length(&here), 1e-3);
    CHECK_NEAR(ploy_spline2_find(&there, ploy_vec2_scale(q, 0x1p-40f)).t,
               ploy_spline2_find(&here, q).t, 1e-6);
    for (int32_t i = 0; i < 5; i++) p[i] = ploy_vec2_scale(shape[i], 1e15f);
    CHECK(ploy_vec2_is_finite(ploy_spline2_at(&there, 2.5f)));
    CHECK(ploy_spline2_length(&there) > 0 && ploy_spline2_length(&there) < INFINITY);
    // Rubbish ends, and traps nothing.
    p[2].x = NAN;
    (void)ploy_spline2_find(&there, q);
    (void)ploy_spline2_t_at(&there, 10);
    (void)ploy_spline2_flatten(&there, 0.1f, NULL, 0);
    p[2].x = INFINITY;
    (void)ploy_spline2_find_near(&there, q, 1, 1);
    (void)ploy_spline2_curvature(&there, 1.5f);
}

TEST(turning_and_moving_a_curve_turns_and_moves_its_answers) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 p[POINTS], moved[POINTS];
        ploy_spline3 s = random_spline(&rng, seed, p, false, false);
        ploy_quat turn = test_random_quat(&rng);
        ploy_vec3 by = test_random_vec3(&rng, 10), q = test_random_vec3(&rng, 12);
        for (int32_t i = 0; i < s.count; i++) {
            moved[i] = ploy_quat_rotate(turn, p[i]);
            bool tangent = s.kind == PLOY_SPLINE_HERMITE && i % 2 == 1;
            if (!tangent) moved[i] = ploy_vec3_add(moved[i], by);
        }
        ploy_spline3 other = ploy_spline3_make(moved, s.count, s.kind, s.closed);
        CHECK_NEAR(ploy_spline3_length(&other), ploy_spline3_length(&s), 2e-4);
        CHECK_DRAWS(1, ploy_spline3_draw(&other, 0.05f, PLOY_LAYER_PATHS, PLOY_STYLE_PLAIN,
                                         ploy_agent_id_none(), &drawing));
        float at = ploy_rng_range(&rng, 0, (float)ploy_spline3_spans(&s));
        double bend = (double)ploy_spline3_curvature(&s, at);
        CHECK(bend >= 0);
        CHECK_NEAR(ploy_spline3_curvature(&other, at), bend, 1e-4 + bend * 1e-3 * (1 + bend));
        ploy_vec3 q_moved = ploy_vec3_add(ploy_quat_rotate(turn, q), by);
        CHECK_NEAR(sqrt((double)ploy_spline3_find(&other, q_moved).distance_sq),
                   sqrt((double)ploy_spline3_find(&s, q).distance_sq), 1e-4);
    }
}

static void count_points(void *user, const ploy_draw_item *item) {
    int32_t *sum = user;
    sum[0]++;
    sum[1] += item->count - 1; // pieces of line
}

TEST(drawing_tells_every_piece_once) {
    ploy_vec2 p[6] = {{0, 0}, {5, 0}, {10, 3}, {10, 9}, {5, 12}, {0, 10}};
    ploy_agent_id owner = {{0, 0}};
    for (int32_t closed = 0; closed < 2; closed++) {
        ploy_spline2 s = ploy_spline2_make(p, 6, PLOY_SPLINE_CENTRIPETAL, closed != 0);
        int32_t points = ploy_spline2_flatten(&s, 0.0005f, NULL, 0), sum[2] = {0, 0};
        ploy_draw draw = {count_points, sum, 1u << PLOY_LAYER_PATHS};
        ploy_spline2_draw(&s, 0.0005f, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, owner, &draw);
        CHECK(sum[0] > 1); // more than one stretch
        CHECK_INT(sum[1], closed != 0 ? points : points - 1);
        ploy_spline2_draw(&s, 0.0005f, PLOY_LAYER_FORCES, PLOY_STYLE_PATH, owner, &draw);
        CHECK_INT(sum[1], closed != 0 ? points : points - 1);
    }
}
