#include "tests/geom/solid_test.h"

#include "ploy/geom/triangle.h"

// The nearest point by search over both barycentric directions: convex in each.
static double triangle_gap(const ploy_triangle3 *s, double u, double v, const double at[3]) {
    double w = 1 - u, on[3]; // u from a toward the edge b-c, v along that edge
    on[0] = (double)s->a.x * w + u * ((double)s->b.x * (1 - v) + (double)s->c.x * v);
    on[1] = (double)s->a.y * w + u * ((double)s->b.y * (1 - v) + (double)s->c.y * v);
    on[2] = (double)s->a.z * w + u * ((double)s->b.z * (1 - v) + (double)s->c.z * v);
    return test_distance3(on, at);
}

// For a fixed v, the distance to a segment from a; over v that is quasiconvex, so thirds find it.
static double triangle_gap_at(const ploy_triangle3 *s, double v, const double at[3]) {
    double u, least;
    TEST_LEAST(least, u, triangle_gap(s, u, v, at));
    return least;
}

static double slow_triangle_distance(const ploy_triangle3 *s, const double at[3]) {
    double best = INFINITY;
    for (int32_t turn = 0; turn < 3;
         turn++) { // from each corner: thirds may stop on a level stretch
        ploy_triangle3 r = turn == 0   ? *s
                           : turn == 1 ? ploy_triangle3_make(s->b, s->c, s->a)
                                       : ploy_triangle3_make(s->c, s->a, s->b);
        double v, least;
        TEST_LEAST(least, v, triangle_gap_at(&r, v, at));
        best = fmin(best, least);
        best = fmin(best, fmin(triangle_gap_at(&r, 0, at), triangle_gap_at(&r, 1, at)));
    }
    return best;
}

// For sweeps, where it is asked often; itself checked against the search above.
static double triangle_distance(const void *shape, const double at[3]) {
    const ploy_triangle3 *s = shape;
    return sqrt((double)ploy_triangle3_distance_sq(*s, test_v3(at[0], at[1], at[2])));
}

static ploy_triangle3 random_triangle(ploy_rng *rng, uint64_t seed) {
    bool lattice = seed % 3 == 0;
    ploy_vec3 p[3];
    for (int32_t i = 0; i < 3; i++)
        p[i] = lattice ? test_lattice_vec3(rng, 2) : test_random_vec3(rng, 3);
    if (seed % 13 == 0) p[2] = ploy_vec3_lerp(p[0], p[1], 2); // no area
    if (seed % 17 == 0) p[1] = p[0];
    if (seed % 51 == 0) p[2] = p[0];
    return ploy_triangle3_make(p[0], p[1], p[2]);
}

TEST(nearest_points_of_triangles_agree_with_search) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_triangle3 s = random_triangle(&rng, seed);
        ploy_vec3 p = seed % 3 == 0 ? test_lattice_vec3(&rng, 3) : test_random_vec3(&rng, 5);
        double at[3] = {(double)p.x, (double)p.y, (double)p.z};
        double want = slow_triangle_distance(&s, at);
        CHECK_NEAR(sqrt((double)ploy_triangle3_distance_sq(s, p)), want, 1e-4);
        ploy_vec3 on = ploy_triangle3_closest(s, p);
        CHECK_NEAR(ploy_vec3_distance(on, p), want, 1e-4);
        CHECK(ploy_triangle3_distance_sq(s, on) <= 1e-10f);
        if (fabs(want - 1.5) > 1e-3) {
            CHECK_INT(ploy_triangle3_overlaps_sphere(s, ploy_sphere_make(p, 1.5f)), want < 1.5);
        }
        CHECK(ploy_box3_contains(ploy_box3_grow(ploy_box3_of_triangle(s), 1e-5f), on));
    }
}

TEST(a_triangle_knows_its_front_and_its_area) {
    ploy_triangle3 s = ploy_triangle3_make(test_v3(0, 0, 1), test_v3(4, 0, 1), test_v3(0, 3, 1));
    CHECK_VEC3(ploy_triangle3_normal(s), 0, 0, 1, 0);
    CHECK_SAME(ploy_triangle3_area(s), 6);
    ploy_hit3 hit;
    CHECK(ploy_ray3_hit_triangle(ploy_ray3_make(test_v3(1, 1, 5), test_v3(0, 0, -1)), s, &hit));
    CHECK_SAME(hit.distance, 4);
    CHECK_VEC3(hit.normal, 0, 0, 1, 0);
    CHECK(ploy_ray3_hit_triangle(ploy_ray3_make(test_v3(1, 1, -5), test_v3(0, 0, 1)), s, &hit));
    CHECK_VEC3(hit.normal, 0, 0, -1, 0);
    CHECK_VEC3(hit.point, 1, 1, 1, 0);
    // Corners and edges belong to it; its own plane and its back side's way out do not meet it.
    CHECK(ploy_ray3_hit_triangle(ploy_ray3_make(test_v3(0, 0, 5), test_v3(0, 0, -1)), s, NULL));
    CHECK(ploy_ray3_hit_triangle(ploy_ray3_make(test_v3(2, 0, 5), test_v3(0, 0, -1)), s, NULL));
    CHECK(!ploy_ray3_hit_triangle(ploy_ray3_make(test_v3(-1, 1, 1), test_v3(1, 0, 0)), s, NULL));
    CHECK(!ploy_ray3_hit_triangle(ploy_ray3_make(test_v3(1, 1, 5), test_v3(0, 0, 1)), s, NULL));
    CHECK(
        !ploy_ray3_hit_triangle(ploy_ray3_between(test_v3(1, 1, 5), test_v3(1, 1, 1.5)), s, NULL));
    CHECK(!ploy_ray3_hit_triangle(ploy_ray3_make(test_v3(1, 1, 5), test_v3(0, 0, 0)), s, NULL));
    s.c = test_v3(8, 0, 1); // on a line
    CHECK_VEC3(ploy_triangle3_normal(s), 0, 0, 0, 0);
    CHECK_SAME(ploy_triangle3_area(s), 0);
    CHECK(!ploy_ray3_hit_triangle(ploy_ray3_make(test_v3(2, 0, 5), test_v3(0, 0, -1)), s, NULL));
    CHECK(ploy_sweep3_hit_triangle(ploy_sweep3_between(test_v3(2, 0, 5), test_v3(2, 0, 0), 1), s,
                                   &hit));
    CHECK_SAME(hit.distance, 3);
    s.a.x = NAN;
    CHECK(!ploy_ray3_hit_triangle(ploy_ray3_make(test_v3(2, 0, 5), test_v3(0, 0, -1)), s, NULL));
}

TEST(rays_agree_with_solving_for_the_corners) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_triangle3 s = random_triangle(&rng, seed);
        ploy_vec3 from = test_random_vec3(&rng, 5);
        ploy_vec3 mid = ploy_vec3_lerp(ploy_vec3_lerp(s.a, s.b, ploy_rng_range(&rng, -0.3f, 1.3f)),
                                       s.c, ploy_rng_range(&rng, -0.3f, 1.3f));
        ploy_ray3 ray = ploy_ray3_make(from, ploy_vec3_sub(mid, from));
        // origin + t d = a + u (b - a) + v (c - a), by Cramer's rule.
        double o[3] = {(double)from.x, (double)from.y, (double)from.z};
        double d[3] = {(double)ray.direction.x, (double)ray.direction.y, (double)ray.direction.z};
        double a[3] = {(double)s.a.x, (double)s.a.y, (double)s.a.z};
        double e[3] = {(double)s.b.x - a[0], (double)s.b.y - a[1], (double)s.b.z - a[2]};
        double f[3] = {(double)s.c.x - a[0], (double)s.c.y - a[1], (double)s.c.z - a[2]};
        double r[3] = {o[0] - a[0], o[1] - a[1], o[2] - a[2]};
#define DET(p, q, w)                                                                               \
    ((p)[0] * ((q)[1] * (w)[2] - (q)[2] * (w)[1]) - (p)[1] * ((q)[0] * (w)[2] - (q)[2] * (w)[0]) + \
     (p)[2] * ((q)[0] * (w)[1] - (q)[1] * (w)[0]))
        double den = DET(e, f, d);
        ploy_hit3 hit;
        bool got = ploy_ray3_hit_triangle(ray, s, &hit);
        if (fabs(den) < 1e-4) continue; // nearly edge-on
        double u = DET(r, f, d) / den, v = DET(e, r, d) / den, along = -DET(e, f, r) / den;
#undef DET
        double margin = fmin(fmin(u, v), fmin(1 - u - v, along));
        if (fabs(margin) < 1e-4) continue;
        CHECK_INT(got, margin > 0);
        if (got) CHECK_NEAR(hit.distance, along, 1e-4);
        if (got) CHECK(ploy_triangle3_distance_sq(s, hit.point) < 1e-8f);
    }
}

TEST(nothing_slips_through_a_shared_edge) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        // Four triangles around a point, rays at points of the edges between them.
        ploy_vec3 middle = test_random_vec3(&rng, 1), rim[4];
        for (int32_t i = 0; i < 4; i++) {
            rim[i] = ploy_vec3_make(i % 2 == 0 ? (i == 0 ? 5.0f : -5.0f) : 0,
                                    i % 2 == 1 ? (i == 1 ? 5.0f : -5.0f) : 0,
                                    ploy_rng_range(&rng, -1, 1));
        }
        int32_t edge = ploy_rng_int(&rng, 0, 3);
        ploy_vec3 aim = ploy_vec3_lerp(middle, rim[edge], ploy_rng_range(&rng, 0, 0.8f));
        ploy_vec3 from = ploy_vec3_add(aim, test_random_vec3(&rng, 1));
        from.z += 20;
        ploy_ray3 ray = ploy_ray3_make(from, ploy_vec3_sub(aim, from));
        int32_t met = 0;
        for (int32_t i = 0; i < 4; i++) {
            ploy_triangle3 s = ploy_triangle3_make(middle, rim[i], rim[(i + 1) % 4]);
            met += ploy_ray3_hit_triangle(ray, s, NULL) ? 1 : 0;
        }
        CHECK(met >= 1);
    }
}

TEST(sweeps_against_triangles_agree_with_small_steps) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_triangle3 s = random_triangle(&rng, seed);
        ploy_vec3 from = test_random_vec3(&rng, 6), to = test_random_vec3(&rng, 6);
        float radius = ploy_rng_range(&rng, 0.05f, 1.5f);
        ploy_sweep3 sweep = ploy_sweep3_between(from, to, radius);
        ploy_hit3 hit;
        bool got = ploy_sweep3_hit_triangle(sweep, s, &hit);
        CHECK_SLOW_SWEEP(got, hit, triangle_distance, &s, sweep.ray, (double)radius);
        // As told of the turned and moved triangle.
        test_motion motion = test_random_motion(&rng);
        ploy_triangle3 moved = ploy_triangle3_make(
            test_moved(&motion, s.a), test_moved(&motion, s.b), test_moved(&motion, s.c));
        ploy_hit3 other;
        bool also = ploy_sweep3_hit_triangle(
            ploy_sweep3_between(test_moved(&motion, from), test_moved(&motion, to), radius), moved,
            &other);
        if (got && also && !hit.inside && !other.inside) {
            float slope = fabsf(ploy_vec3_dot(hit.normal, sweep.ray.direction));
            CHECK_NEAR(other.distance, hit.distance, 1e-4 / ((double)slope + 1e-3));
        }
    }
}

TEST(triangles_and_boxes_overlap_where_samples_say) {
    for (uint64_t seed = 0; seed < 1500; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_triangle3 s = random_triangle(&rng, seed);
        ploy_box3 box = ploy_box3_make(test_random_vec3(&rng, 3), test_random_vec3(&rng, 3));
        if (seed % 3 == 0)
            box = ploy_box3_make(test_lattice_vec3(&rng, 2), test_lattice_vec3(&rng, 2));
        double least = INFINITY;
        for (int32_t i = 0; i <= 40; i++) {
            for (int32_t j = 0; j <= 40; j++) {
                ploy_vec3 p =
                    ploy_vec3_lerp(ploy_vec3_lerp(s.b, s.c, (float)j / 40), s.a, (float)i / 40);
                least = fmin(least, (double)ploy_box3_distance_sq(box, p));
            }
        }
        bool got = ploy_triangle3_overlaps_box(s, box);
        if (least == 0) CHECK(got);
        if (sqrt(least) > 0.25) CHECK(!got); // farther than the samples lie apart
        ploy_box3 grown = ploy_box3_grow(box, 0.01f);
        if (got) CHECK(ploy_triangle3_overlaps_box(s, grown));
    }
    ploy_triangle3 s = ploy_triangle3_make(test_v3(1, 0, 0), test_v3(3, 0, 0), test_v3(1, 2, 0));
    CHECK(ploy_triangle3_overlaps_box(s, ploy_box3_make(test_v3(-1, -1, -1), test_v3(1, 1, 1))));
    CHECK(
        !ploy_triangle3_overlaps_box(s, ploy_box3_make(test_v3(-1, -1, -1), test_v3(0.99, 1, 1))));
    CHECK(!ploy_triangle3_overlaps_box(s, ploy_box3_empty()));
    // The hypotenuse passes the corner (2, 1) of a box, but not one a little farther out.
    CHECK(ploy_triangle3_overlaps_box(s, ploy_box3_make(test_v3(2, 1, -1), test_v3(5, 5, 1))));
    CHECK(!ploy_triangle3_overlaps_box(s, ploy_box3_make(test_v3(2.01, 1, -1), test_v3(5, 5, 1))));
}
