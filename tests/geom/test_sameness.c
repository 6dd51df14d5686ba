// The same bits from every compiler, optimisation level and machine: what many calls answer, folded
// into one number. Only exact operations and square roots are behind these, so the number changes
// if a compiler contracts or reorders something, or if somebody changes a formula; then say so in
// the changelog.
#include "geom/geom_internal.h"
#include "tests/geom/geom_test.h"

#include "ploy/geom/box.h"
#include "ploy/geom/circle.h"
#include "ploy/geom/frame.h"
#include "ploy/geom/motion.h"
#include "ploy/geom/polyline.h"
#include "ploy/geom/segment.h"
#include "ploy/geom/solve.h"

static uint64_t fold_bits(uint64_t hash, uint32_t bits) {
    return (hash ^ bits) * 0x100000001b3u;
}

static uint64_t fold(uint64_t hash, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return fold_bits(hash, bits);
}

static uint64_t fold2(uint64_t hash, ploy_vec2 v) {
    return fold(fold(hash, v.x), v.y);
}

static uint64_t fold3(uint64_t hash, ploy_vec3 v) {
    return fold(fold(fold(hash, v.x), v.y), v.z);
}

static uint64_t fold_hit(uint64_t hash, bool met, const ploy_hit2 *hit) {
    if (!met) return fold_bits(hash, 0);
    return fold2(fold2(fold(hash, hit->distance), hit->point), hit->normal);
}

TEST(geometry_gives_the_same_bits_everywhere) {
    uint64_t hash = 0;
    for (uint64_t seed = 0; seed < 5000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = seed % 3 == 0 ? 1e9f : (seed % 3 == 1 ? 1e-3f : 10.0f);
        ploy_vec2 p[8];
        for (int32_t i = 0; i < 8; i++) p[i] = test_random_vec2(&rng, size);
        float radius = ploy_rng_range(&rng, 0, size * 0.2f);
        hash = fold2(hash, ploy_vec2_normalise(p[0]));
        hash = fold2(hash, ploy_vec2_limit(p[1], size * 0.5f));
        hash = fold2(hash, ploy_vec2_toward(p[0], p[1], size * 0.5f));
        hash = fold(hash, ploy_vec2_distance(p[0], p[1]));
        hash = fold2(hash, ploy_vec2_reflect(p[0], ploy_vec2_normalise(p[1])));
        ploy_segment2 a = {p[0], p[1]}, b = {p[2], p[3]};
        ploy_crossing2 x = {0, 0, {0, 0}, 0};
        ploy_hit2 hit;
        hash = fold_bits(hash, ploy_segment2_touches(a, b, &x));
        hash = fold(fold(fold2(hash, x.point), x.r), x.s);
        hash = fold(hash, ploy_segment2_gap_sq(a, b));
        ploy_sweep sweep = ploy_sweep_between(p[4], p[5], radius);
        hash = fold_hit(hash, ploy_ray2_hit_segment(sweep.ray, a, &hit), &hit);
        hash = fold_hit(hash, ploy_sweep_hit_capsule(sweep, a, radius, &hit), &hit);
        hash = fold_hit(hash, ploy_sweep_hit_box(sweep, ploy_box2_make(p[0], p[1]), &hit), &hit);
        ploy_circle c = {p[6], radius}, d = {p[7], size};
        ploy_vec2 points[2];
        int32_t count = ploy_circle_cross_circle(c, d, points);
        for (int32_t i = 0; i < count; i++) hash = fold2(hash, points[i]);
        count = ploy_circle_tangents(c, p[0], points);
        for (int32_t i = 0; i < count; i++) hash = fold2(hash, points[i]);
        ploy_polyline line = ploy_polyline_make(p, 8, seed % 2 == 0);
        ploy_polyline_nearest nearest = ploy_polyline_find_near(&line, c.centre, size, size * 2);
        hash = fold(fold2(hash, nearest.point), nearest.along);
        ploy_quat q = ploy_quat_normalise(ploy_quat_make(p[0].x, p[0].y, p[1].x, p[1].y));
        ploy_vec3 v = ploy_vec3_from_vec2(p[2], p[3].x), w = ploy_vec3_from_vec2(p[4], p[3].y);
        hash = fold3(hash, ploy_quat_rotate(q, v));
        hash = fold3(hash, ploy_quat_forward(ploy_quat_between(v, w)));
        hash = fold3(hash, ploy_quat_up(ploy_quat_look(v, w)));
        float time = 0;
        hash = fold_bits(hash, ploy_motion_time_to_distance(p[0].x, p[0].y, p[1].x, &time));
        hash = fold(hash, time);
    }
    CHECK_UINT(hash, 0xf088159408836331u);
}
