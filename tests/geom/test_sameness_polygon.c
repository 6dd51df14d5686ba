// The same bits from every compiler, optimisation level and machine, for polygons and what is built
// on them: answers folded into one number. If somebody changes a formula the number changes; then
// say so in the changelog.
#include "tests/geom/polygon_test.h"

#include "ploy/geom/hull.h"
#include "ploy/geom/offset.h"
#include "ploy/geom/polygon_hit.h"
#include "ploy/geom/predicates.h"
#include "ploy/geom/simplify.h"

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

static uint64_t fold_points(uint64_t hash, const ploy_vec2 *points, int32_t count) {
    hash = fold_bits(hash, (uint32_t)count);
    for (int32_t i = 0; i < count; i++) hash = fold2(hash, points[i]);
    return hash;
}

static uint64_t fold_rings(uint64_t hash, const ploy_rings *rings) {
    hash = fold_bits(hash, (uint32_t)ploy_rings_count(rings));
    for (int32_t i = 0; i < ploy_rings_count(rings); i++) {
        ploy_polygon ring = ploy_rings_get(rings, i);
        hash = fold_points(hash, ring.points, ring.count);
    }
    return hash;
}

static uint64_t fold_hit(uint64_t hash, bool met, const ploy_hit2 *hit) {
    if (!met) return fold_bits(hash, 0);
    return fold2(fold2(fold(hash, hit->distance), hit->point), hit->normal);
}

TEST(polygons_give_the_same_bits_everywhere) {
    uint64_t hash = 0;
    ploy_env env = ploy_env_default();
    ploy_rings *a = NULL, *out = NULL;
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_rings_create(&env, &a));
    CHECK_OK(ploy_rings_create(&env, &out));
    CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
    for (uint64_t seed = 0; seed < 100; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = seed % 3 == 0 ? 1e9f : (seed % 3 == 1 ? 1e-3f : 10.0f);
        ploy_vec2 points[2][TEST_CORNERS], some[TEST_CORNERS];
        for (int32_t k = 0; k < 2; k++) {
            for (int32_t i = 0; i < TEST_CORNERS; i++) {
                points[k][i] = ploy_vec2_scale(test_random_vec2(&rng, 1.0f), size);
            }
        }
        ploy_polygon p = ploy_polygon_make(points[0], 7), q = ploy_polygon_make(points[1], 5);
        ploy_vec2 at = points[1][9];
        hash = fold2(fold(hash, ploy_polygon_signed_area(p)), ploy_polygon_centroid(p));
        hash = fold(fold2(hash, ploy_polygon_closest(p, at)), ploy_polygon_gap_sq(p, q));
        hash = fold_bits(hash, (uint32_t)ploy_polygon_locate(p, at));
        hash = fold_bits(
            hash, (uint32_t)(ploy_in_circle(at, points[0][0], points[0][1], points[0][2]) + 1));
        ploy_sweep sweep = ploy_sweep_between(points[1][10], at, size * 0.1f);
        ploy_hit2 hit;
        hash = fold_hit(hash, ploy_ray2_hit_polygon(sweep.ray, p, &hit), &hit);
        hash = fold_hit(hash, ploy_sweep_hit_polygon(sweep, p, &hit), &hit);
        ploy_box2 box = ploy_box2_make(points[1][11], points[1][12]);
        hash = fold_hit(hash, ploy_box2_sweep_hit_polygon(box, sweep.ray.direction, size, p, &hit),
                        &hit);
        int32_t count = ploy_hull2(points[0], TEST_CORNERS, some);
        hash = fold_points(hash, some, count);
        ploy_circle circle = ploy_circle_around(points[0], TEST_CORNERS);
        hash = fold(fold2(hash, circle.centre), circle.radius);
        ploy_obb2 turned;
        CHECK_OK(ploy_obb2_around(points[0], TEST_CORNERS, arena, &turned));
        hash = fold2(fold2(fold2(hash, turned.centre), turned.axis), turned.half);
        CHECK_OK(ploy_polygon_simplify(p, size * 0.3f, true, arena, some, &count));
        hash = fold_points(hash, some, count);
        ploy_rings_clear(a);
        CHECK_OK(ploy_rings_add(a, p.points, p.count));
        CHECK_OK(ploy_rings_add(a, q.points, q.count));
        ploy_offset_style style = ploy_offset_style_default();
        style.join = (ploy_join)(seed % 3);
        style.tolerance = size * 0.01f;
        float distance = size * (seed % 2 == 0 ? 0.2f : -0.05f);
        CHECK_OK(ploy_rings_offset(a, PLOY_FILL_EVEN_ODD, distance, &style, arena, out));
        hash = fold_rings(hash, out);
        ploy_polyline line = ploy_polyline_make(points[1], 4, false);
        CHECK_OK(ploy_polyline_widen(&line, size * 0.1f, &style, arena, out));
        hash = fold_rings(hash, out);
    }
    ploy_rings_destroy(a);
    ploy_rings_destroy(out);
    ploy_arena_destroy(arena);
    CHECK_UINT(hash, 0x397f456e44048d57u);
}
