#include "geom/geom_internal.h"
#include "tests/geom/solid_test.h"

#include "ploy/geom/capsule.h"

static void capsule_axis_at(const ploy_segment3 *s, double u, double out[3]) {
    out[0] = (double)s->from.x * (1 - u) + (double)s->to.x * u;
    out[1] = (double)s->from.y * (1 - u) + (double)s->to.y * u;
    out[2] = (double)s->from.z * (1 - u) + (double)s->to.z * u;
}

static double axis_distance(const ploy_segment3 *s, double u, const double at[3]) {
    double on[3];
    capsule_axis_at(s, u, on);
    return test_distance3(on, at);
}

// By cutting into thirds: the distance to a line is convex.
static double slow_segment_distance(const ploy_segment3 *s, const double at[3]) {
    double u, least;
    TEST_LEAST(least, u, axis_distance(s, u, at));
    return least;
}

static double capsule_distance(const void *shape, const double at[3]) {
    const ploy_capsule *c = shape;
    return fmax(0, slow_segment_distance(&c->segment, at) - fmax(0, (double)c->radius));
}

static ploy_segment3 random_segment(ploy_rng *rng, uint64_t seed, float size) {
    bool lattice = seed % 3 == 0;
    ploy_segment3 s = {lattice ? test_lattice_vec3(rng, 3) : test_random_vec3(rng, size),
                       lattice ? test_lattice_vec3(rng, 3) : test_random_vec3(rng, size)};
    if (seed % 11 == 0) s.to = s.from;
    return s;
}

TEST(nearest_points_of_segments_agree_with_search) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_segment3 s = random_segment(&rng, seed, 4);
        ploy_vec3 p = seed % 3 == 0 ? test_lattice_vec3(&rng, 4) : test_random_vec3(&rng, 6);
        double at[3] = {(double)p.x, (double)p.y, (double)p.z};
        double want = slow_segment_distance(&s, at);
        float place = -1;
        ploy_vec3 on = ploy_segment3_closest(s, p, &place);
        CHECK(place >= 0 && place <= 1);
        CHECK_NEAR(ploy_vec3_distance(on, p), want, 1e-5);
        CHECK_NEAR(sqrt((double)ploy_segment3_distance_sq(s, p)), want, 1e-5);
        ploy_vec3 there = ploy_vec3_lerp(s.from, s.to, place);
        CHECK_VEC3(on, there.x, there.y, there.z, 1e-5);
        CHECK(ploy_vec3_equal(ploy_segment3_closest(s, p, NULL), on));
        ploy_capsule c = {s, 1};
        CHECK_INT(ploy_capsule_contains(c, p), ploy_segment3_distance_sq(s, p) <= 1.0f);
        CHECK_NEAR(ploy_vec3_distance(ploy_capsule_closest(c, p), p), fmax(0, want - 1), 1e-5);
        CHECK(ploy_box3_contains(ploy_box3_grow(ploy_box3_of_capsule(c), 1e-5f),
                                 ploy_capsule_closest(c, p)));
    }
}

TEST(the_gap_between_segments_agrees_with_search) {
    for (uint64_t seed = 0; seed < 600; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_segment3 a = random_segment(&rng, seed, 4), b = random_segment(&rng, seed + 5, 4);
        if (seed % 7 == 0) { // parallel
            b.to = ploy_vec3_add(b.from, ploy_vec3_scale(ploy_vec3_sub(a.to, a.from), -0.5f));
        }
        float s = -1, place = -1;
        double got = sqrt((double)ploy_segment3_gap_sq(a, b, &s, &place)), u, want, on[3];
        CHECK(s >= 0 && s <= 1 && place >= 0 && place <= 1);
        TEST_LEAST(want, u, (capsule_axis_at(&a, u, on), slow_segment_distance(&b, on)));
        CHECK_NEAR(got, want, 2e-4);
        ploy_vec3 p = ploy_vec3_lerp(a.from, a.to, s), q = ploy_vec3_lerp(b.from, b.to, place);
        CHECK_NEAR(ploy_vec3_distance(p, q), got, 1e-4);
        CHECK_NEAR(sqrt((double)ploy_segment3_gap_sq(b, a, NULL, NULL)), got, 1e-5);
        ploy_capsule ca = {a, 0.5f}, cb = {b, 0.25f};
        if (fabs(got - 0.75) > 1e-3) CHECK_INT(ploy_capsule_overlaps(ca, cb), got < 0.75);
        ploy_sphere ball = ploy_sphere_make(b.from, 0.25f);
        double gap = sqrt((double)ploy_segment3_distance_sq(a, b.from));
        if (fabs(gap - 0.75) > 1e-5) CHECK_INT(ploy_capsule_overlaps_sphere(ca, ball), gap < 0.75);
    }
}

TEST(sweeps_against_capsules_agree_with_small_steps) {
    for (uint64_t seed = 0; seed < 1500; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_capsule c = {random_segment(&rng, seed, 3), ploy_rng_range(&rng, 0.05f, 1.5f)};
        ploy_vec3 from = test_random_vec3(&rng, 6), to = test_random_vec3(&rng, 6);
        if (seed % 5 == 0) { // along the axis
            to = ploy_vec3_add(from,
                               ploy_vec3_scale(ploy_vec3_sub(c.segment.to, c.segment.from), 3));
        }
        float radius = seed % 2 == 0 ? 0 : ploy_rng_range(&rng, 0, 1);
        ploy_sweep3 sweep = ploy_sweep3_between(from, to, radius);
        ploy_hit3 hit;
        bool got = ploy_sweep3_hit_capsule(sweep, c, &hit);
        CHECK_SLOW_SWEEP(got, hit, capsule_distance, &c, sweep.ray, (double)radius);
        if (radius == 0) CHECK_INT(ploy_ray3_hit_capsule(sweep.ray, c, NULL), got);
    }
}

TEST(what_a_ray_tells_of_a_capsule) {
    ploy_capsule c = ploy_capsule_upright(test_v3(0, 0, 0), 2, 0.5f);
    CHECK_VEC3(c.segment.from, 0, 0, 0.5, 0);
    CHECK_VEC3(c.segment.to, 0, 0, 1.5, 0);
    ploy_hit3 hit;
    CHECK(ploy_ray3_hit_capsule(ploy_ray3_make(test_v3(-5, 0, 1), test_v3(1, 0, 0)), c, &hit));
    CHECK_SAME(hit.distance, 4.5);
    CHECK_VEC3(hit.normal, -1, 0, 0, 0);
    CHECK(ploy_ray3_hit_capsule(ploy_ray3_make(test_v3(0, 0, 9), test_v3(0, 0, -1)), c, &hit));
    CHECK_SAME(hit.distance, 7);
    CHECK_VEC3(hit.normal, 0, 0, 1, 0);
    CHECK(!ploy_ray3_hit_capsule(ploy_ray3_make(test_v3(0.5, 0, -9), test_v3(0, 0, 1)), c, NULL));
    CHECK(!ploy_ray3_hit_capsule(ploy_ray3_make(test_v3(-5, 0, 2.01), test_v3(1, 0, 0)), c, NULL));
    // Inside: beside the axis, and on it, where the way out is square to the axis.
    CHECK(ploy_ray3_hit_capsule(ploy_ray3_make(test_v3(0, 0.25, 1), test_v3(1, 0, 0)), c, &hit));
    CHECK(hit.inside);
    CHECK_VEC3(hit.normal, 0, 1, 0, 0);
    CHECK_VEC3(hit.point, 0, 0.5, 1, 0);
    CHECK(ploy_ray3_hit_capsule(ploy_ray3_make(test_v3(0, 0, 1), test_v3(1, 0, 1)), c, &hit));
    CHECK_VEC3(hit.normal, -1, 0, 0, 1e-6);
    CHECK(ploy_ray3_hit_capsule(ploy_ray3_make(test_v3(0, 0, 1), test_v3(0, 0, 1)), c, &hit));
    CHECK_NEAR(hit.normal.z, 0, 1e-6);
    CHECK_NEAR(ploy_vec3_length(hit.normal), 1, 1e-6);
    // Too low for its radius: a sphere.
    c = ploy_capsule_upright(test_v3(0, 0, 0), 0.1f, 0.5f);
    CHECK(ploy_vec3_equal(c.segment.from, c.segment.to));
    // No radius at all: rays pass, balls do not.
    c = ploy_capsule_make(test_v3(0, -1, 0), test_v3(0, 1, 0), -3);
    CHECK(!ploy_ray3_hit_capsule(ploy_ray3_make(test_v3(-5, 0, 0), test_v3(1, 0, 0)), c, NULL));
    CHECK(ploy_sweep3_hit_capsule(ploy_sweep3_between(test_v3(-5, 0, 0), test_v3(5, 0, 0), 1), c,
                                  &hit));
    CHECK_SAME(hit.distance, 4);
    c.segment.to.x = NAN;
    CHECK(!ploy_sweep3_hit_capsule(ploy_sweep3_between(test_v3(-5, 0, 9), test_v3(5, 0, 9), 1), c,
                                   NULL));
}
