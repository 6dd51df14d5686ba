#include "geom/geom_internal.h"
#include "tests/geom/geom_test.h"

#include "ploy/geom/angle.h"
#include "ploy/geom/polyline.h"

// The slow version: samples the polyline finely.
static ploy_vec2 slow_at(const ploy_polyline *line, double along) {
    int32_t edges = ployi_polyline_edges(line);
    for (int32_t i = 0; i < edges; i++) {
        ploy_vec2 a = line->points[i], b = line->points[(i + 1) % line->count];
        double length = hypot((double)b.x - (double)a.x, (double)b.y - (double)a.y);
        if (along <= length || i == edges - 1) {
            double share = length > 0 ? fmin(along / length, 1) : 0;
            return test_v2((double)a.x + ((double)b.x - (double)a.x) * share,
                           (double)a.y + ((double)b.y - (double)a.y) * share);
        }
        along -= length;
    }
    return line->points[0];
}

// MOV-22
TEST(a_window_keeps_a_follower_on_its_own_strand) {
    ploy_vec2 u[4] = {{0, 0}, {10, 0}, {10, 1}, {0, 1}};
    ploy_polyline line = ploy_polyline_make(u, 4, false);
    CHECK_NEAR(ploy_polyline_find(&line, test_v2(2, 0.6)).along, 19, 1e-6);
    CHECK_NEAR(ploy_polyline_find_near(&line, test_v2(2, 0.6), 2, 3).along, 2, 1e-6);
    CHECK_NEAR(ploy_polyline_find_near(&line, test_v2(2, 0.6), 2, INFINITY).along, 19, 1e-6);
    CHECK_NEAR(ploy_polyline_find_near(&line, test_v2(9, 0), 2, 3).along, 5, 1e-6); // its edge
    CHECK_NEAR(ploy_polyline_find_near(&line, test_v2(9, 0), 2, -1).along, 2, 1e-6);
    CHECK_NEAR(ploy_polyline_find_near(&line, test_v2(9, 0), 2, NAN).along, 2, 1e-6);
}

TEST(places_are_metres_from_the_start) {
    ploy_vec2 l[3] = {{0, 0}, {4, 0}, {4, 3}};
    ploy_polyline line = ploy_polyline_make(l, 3, false);
    CHECK_SAME(ploy_polyline_length(&line), 7);
    CHECK_VEC2(ploy_polyline_at(&line, 0), 0, 0, 0);
    CHECK_VEC2(ploy_polyline_at(&line, 4), 4, 0, 0);
    CHECK_VEC2(ploy_polyline_at(&line, 5.5f), 4, 1.5, 0);
    CHECK_VEC2(ploy_polyline_at(&line, 7), 4, 3, 0);
    CHECK_VEC2(ploy_polyline_at(&line, 99), 4, 3, 0);
    CHECK_VEC2(ploy_polyline_at(&line, -99), 0, 0, 0);
    CHECK_VEC2(ploy_polyline_at(&line, NAN), 0, 0, 0);
    CHECK_VEC2(ploy_polyline_direction(&line, 1), 1, 0, 0);
    CHECK_VEC2(ploy_polyline_direction(&line, 4), 0, 1, 0); // the edge that begins there
    CHECK_VEC2(ploy_polyline_direction(&line, 7), 0, 1, 0);
    CHECK_INT(ploy_polyline_edge_at(&line, 3.9f), 0);
    CHECK_INT(ploy_polyline_edge_at(&line, 4), 1);
    CHECK_INT(ploy_polyline_edge_at(&line, 70), 1);
    line.closed = true;
    CHECK_SAME(ploy_polyline_length(&line), 12);
    CHECK_SAME(ploy_polyline_wrap(&line, 12), 0);
    CHECK_SAME(ploy_polyline_wrap(&line, -1), 11);
    CHECK_SAME(ploy_polyline_wrap(&line, 25), 1);
    CHECK_SAME(ploy_polyline_wrap(&line, INFINITY), 0);
    CHECK_VEC2(ploy_polyline_at(&line, 9.5f), 2, 1.5, 1e-6);
    CHECK_VEC2(ploy_polyline_at(&line, -2.5f), 2, 1.5, 1e-6);
    CHECK_VEC2(ploy_polyline_direction(&line, 8), -0.8, -0.6, 1e-7);
    CHECK_NEAR(ploy_polyline_find(&line, test_v2(-1, -1)).along, 0, 0);
    // Around the seam of a closed one.
    CHECK_NEAR(ploy_polyline_find_near(&line, test_v2(1, -1), 11.5f, 2).along, 1, 1e-6);
    CHECK_NEAR(ploy_polyline_find_near(&line, test_v2(0.8, 0.6), 0.5f, 2).along, 11, 1e-6);
}

TEST(few_points_and_points_that_coincide_are_no_trouble) {
    ploy_vec2 p[4] = {{3, 4}, {3, 4}, {3, 4}, {3, 4}};
    for (int32_t closed = 0; closed < 2; closed++) {
        for (int32_t count = 0; count <= 4; count++) {
            TEST_SEED(closed * 10 + count);
            float along[5] = {9, 9, 9, 9, 9};
            ploy_polyline line = ploy_polyline_make(p, count, closed != 0);
            for (int32_t with = 0; with < 2; with++) {
                float x = count > 0 ? 3.0f : 0.0f, y = count > 0 ? 4.0f : 0.0f;
                CHECK_SAME(ploy_polyline_length(&line), 0);
                CHECK_VEC2(ploy_polyline_at(&line, 5), x, y, 0);
                CHECK_VEC2(ploy_polyline_direction(&line, 0), 0, 0, 0);
                CHECK_INT(ploy_polyline_edge_at(&line, 0), -1);
                ploy_polyline_nearest got = ploy_polyline_find_near(&line, test_v2(0, 0), 1, 2);
                CHECK_INT(got.edge, count > 0 ? 0 : -1);
                CHECK_SAME(got.along, 0);
                CHECK_SAME(got.distance_sq, count > 0 ? 25 : 0);
                CHECK_VEC2(got.point, x, y, 0);
                ploy_polyline_measure(&line, along);
                line.along = along;
            }
        }
    }
    CHECK_INT(ploy_polyline_make(NULL, 7, false).count, 0);
    CHECK_INT(ploy_polyline_make(p, -7, false).count, 0);
    // Doubled points inside a line are walked over.
    ploy_vec2 q[6] = {{0, 0}, {0, 0}, {2, 0}, {2, 0}, {2, 2}, {2, 2}};
    ploy_polyline line = ploy_polyline_make(q, 6, false);
    CHECK_INT(ploy_polyline_edge_at(&line, 0), 1);
    CHECK_INT(ploy_polyline_edge_at(&line, 2), 3);
    CHECK_INT(ploy_polyline_edge_at(&line, 4), 3);
    CHECK_VEC2(ploy_polyline_direction(&line, 4), 0, 1, 0);
}

TEST(nearest_agrees_with_fine_samples) {
    for (uint64_t seed = 0; seed < 400; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec2 p[12];
        int32_t count = ploy_rng_int(&rng, 2, 12);
        for (int32_t i = 0; i < count; i++) {
            p[i] = seed % 2 == 0 ? test_lattice_vec2(&rng, 3) : test_random_vec2(&rng, 5);
        }
        ploy_polyline line = ploy_polyline_make(p, count, seed % 3 == 0);
        ploy_vec2 point = test_random_vec2(&rng, 6);
        double length = (double)ploy_polyline_length(&line), slow = 0;
        for (int32_t i = 0; i < ployi_polyline_edges(&line); i++) {
            slow += (double)ploy_vec2_distance(p[i], p[(i + 1) % count]);
        }
        CHECK_NEAR(length, slow, 1e-4);
        float last = ploy_rng_range(&rng, 0, (float)length);
        float window = seed % 4 == 0 ? INFINITY : ploy_rng_range(&rng, 0, (float)length * 0.4f);
        ploy_polyline_nearest got = ploy_polyline_find_near(&line, point, last, window);
        double best = INFINITY;
        for (int32_t i = 0; i <= 600; i++) {
            double at = length * (double)i / 600, apart = fabs(at - (double)last);
            if (line.closed) apart = fmin(apart, length - apart);
            if (apart > (double)window) continue;
            ploy_vec2 sample = slow_at(&line, at);
            best = fmin(best, (double)ploy_vec2_distance(sample, point));
            CHECK_VEC2(ploy_polyline_at(&line, (float)at), sample.x, sample.y, 2e-5);
        }
        double distance = sqrt((double)got.distance_sq);
        if (best < INFINITY) {
            CHECK(distance <= best + 1e-4);
            CHECK(distance >= best - length / 600 - 1e-4);
        }
        // What is told belongs together.
        CHECK_NEAR(ploy_vec2_distance(got.point, point), distance, 1e-5);
        CHECK_VEC2(ploy_polyline_at(&line, got.along), got.point.x, got.point.y, 1e-4);
        double apart = fabs((double)got.along - (double)last);
        if (line.closed) apart = fmin(apart, length - apart);
        CHECK(apart <= (double)window + 1e-4);
    }
}

TEST(measured_or_not_the_bits_are_the_same) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec2 p[9];
        float along[10];
        int32_t count = ploy_rng_int(&rng, 1, 9);
        float size = seed % 5 == 0 ? 1e9f : 10.0f;
        for (int32_t i = 0; i < count; i++) {
            p[i] = seed % 2 == 0 ? test_lattice_vec2(&rng, 2) : test_random_vec2(&rng, size);
        }
        ploy_polyline plain = ploy_polyline_make(p, count, seed % 3 == 0), measured = plain;
        ploy_polyline_measure(&plain, along);
        measured.along = along;
        CHECK_SAME(ploy_polyline_length(&plain), ploy_polyline_length(&measured));
        for (int32_t k = 0; k < 10; k++) {
            float length = ploy_polyline_length(&plain);
            float at = ploy_rng_range(&rng, -length, 2 * length);
            if (k < count) at = along[k];
            float window = k % 2 == 0 ? ploy_rng_range(&rng, 0, length) : along[k % count];
            ploy_vec2 a = ploy_polyline_at(&plain, at), b = ploy_polyline_at(&measured, at);
            CHECK_BYTES(&a, &b, sizeof a);
            CHECK_INT(ploy_polyline_edge_at(&plain, at), ploy_polyline_edge_at(&measured, at));
            ploy_vec2 point =
                seed % 2 == 0 ? test_lattice_vec2(&rng, 3) : test_random_vec2(&rng, size);
            ploy_polyline_nearest c = ploy_polyline_find_near(&plain, point, at, window);
            ploy_polyline_nearest d = ploy_polyline_find_near(&measured, point, at, window);
            CHECK_BYTES(&c, &d, sizeof c);
            CHECK(ploy_vec2_is_finite(c.point) && ploy_is_finite(c.along));
        }
    }
}

TEST(following_a_circle_of_many_points_makes_steady_progress) {
    enum { COUNT = 1000 };
    static ploy_vec2 p[COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        p[i] = ploy_vec2_scale(ploy_angle_heading((float)i * PLOY_TWO_PI_F / COUNT), 100);
    }
    ploy_polyline line = ploy_polyline_make(p, COUNT, true);
    float length = ploy_polyline_length(&line), last = 0;
    CHECK_NEAR(length, 2 * PLOY_PI * 100, 2e-3);
    for (int32_t i = 1; i < 3000; i++) { // three times around
        TEST_SEED(i);
        ploy_vec2 at = ploy_vec2_scale(ploy_angle_heading((float)i * 0.00628318f), 101);
        float along = ploy_polyline_find_near(&line, at, last, 5).along;
        float step = along - last;
        if (step < -length / 2) step += length;
        CHECK_NEAR(step, 0.628318, 0.02);
        last = along;
    }
}

TEST(curvature_is_one_over_the_radius_of_the_circle_through_three_points) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        double radius = (double)ploy_rng_range(&rng, 0.5f, 20.0f);
        double turn = seed % 2 == 0 ? 1 : -1, angle = 0;
        ploy_vec2 p[9], middle = test_random_vec2(&rng, 10);
        for (int32_t i = 0; i < 9; i++) {
            p[i] = test_v2((double)middle.x + radius * cos(angle),
                           (double)middle.y + radius * sin(angle));
            angle += turn * (double)ploy_rng_range(&rng, 0.2f, 0.6f);
        }
        ploy_polyline line = ploy_polyline_make(p, 9, seed % 3 == 0);
        for (int32_t i = 1; i < 8; i++) {
            CHECK_NEAR(ploy_polyline_curvature(&line, i) * (float)radius, turn, 2e-3);
        }
        bool closed = line.closed;
        CHECK((ploy_polyline_curvature(&line, 0) != 0.0f) == closed);
        CHECK((ploy_polyline_curvature(&line, 8) != 0.0f) == closed);
        CHECK_SAME(ploy_polyline_curvature(&line, -1), 0);
        CHECK_SAME(ploy_polyline_curvature(&line, 9), 0);
    }
    ploy_vec2 bad[5] = {{0, 0}, {1, 1}, {1, 1}, {0, 0}, {-1, -1}};
    ploy_polyline line = ploy_polyline_make(bad, 5, true);
    for (int32_t i = 0; i < 5; i++) CHECK_SAME(ploy_polyline_curvature(&line, i), 0);
}

TEST(resampling_gives_the_points_that_asking_one_by_one_gives) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec2 p[12], out[40];
        float along[13];
        int32_t count = ploy_rng_int(&rng, 0, 12), samples = ploy_rng_int(&rng, 1, 40);
        for (int32_t i = 0; i < count; i++) {
            p[i] = seed % 2 == 0 ? test_lattice_vec2(&rng, 1) : test_random_vec2(&rng, 5);
        }
        ploy_polyline line = ploy_polyline_make(p, count, seed % 3 == 0);
        for (int32_t with = 0; with < 2; with++) {
            float length = ploy_polyline_length(&line);
            double parts = line.closed ? samples : samples - 1;
            ploy_polyline_resample(&line, out, samples);
            for (int32_t i = 0; i < samples; i++) {
                float at = parts > 0 ? (float)((double)length * i / parts) : 0;
                ploy_vec2 want = ploy_polyline_at(&line, at);
                CHECK_VEC2(out[i], want.x, want.y, 0);
            }
            ploy_polyline_measure(&line, along);
            line.along = along;
        }
    }
    ploy_vec2 nothing = {7, 7};
    ploy_polyline line = ploy_polyline_make(&nothing, 1, false);
    ploy_polyline_resample(&line, &nothing, 0); // writes nothing
    CHECK_VEC2(nothing, 7, 7, 0);
}
