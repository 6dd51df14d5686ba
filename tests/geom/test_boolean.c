// Boolean operations: what a point is in before and after, areas that must add up, and results that
// must be clean.
#include "tests/geom/polygon_test.h"

#include "ploy/geom/boolean.h"
#include "ploy/geom/predicates.h"

#include <float.h>

typedef struct ring_pair {
    ploy_rings *a, *b, *out, *other;
    ploy_arena *arena;
} ring_pair;

static ring_pair pair_make(test_context *t) {
    ploy_env env = ploy_env_default();
    ring_pair pair;
    CHECK_OK(ploy_rings_create(&env, &pair.a));
    CHECK_OK(ploy_rings_create(&env, &pair.b));
    CHECK_OK(ploy_rings_create(&env, &pair.out));
    CHECK_OK(ploy_rings_create(&env, &pair.other));
    CHECK_OK(ploy_arena_create(1 << 16, 0, &env, &pair.arena));
    return pair;
}

static void pair_free(test_context *t, ring_pair *pair) {
    CHECK_UINT(ploy_arena_used(pair->arena), 0);
    ploy_rings_destroy(pair->a);
    ploy_rings_destroy(pair->b);
    ploy_rings_destroy(pair->out);
    ploy_rings_destroy(pair->other);
    ploy_arena_destroy(pair->arena);
}

static uint64_t hash_of(const ploy_rings *rings) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_rings_describe(rings, &out);
    return ploy_hash_sink_result(&sink);
}

static void add_box(test_context *t, ploy_rings *rings, float x, float y, float w, float h) {
    const ploy_vec2 box[] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
    CHECK_OK(ploy_rings_add(rings, box, 4));
}

// The kinds of input: small lattices, where everything touches; stars of any size; a mixture.
static void random_rings(ploy_rng *rng, int32_t kind, float size, ploy_rings *rings) {
    ploy_vec2 points[TEST_CORNERS];
    ploy_rings_clear(rings);
    int32_t count = ploy_rng_int(rng, 0, 3);
    for (int32_t i = 0; i < count; i++) {
        ploy_polygon polygon;
        if (kind == 0) {
            polygon = test_lattice_polygon(rng, ploy_rng_int(rng, 1, 5), 8, points);
            for (int32_t k = 0; k < polygon.count; k++)
                points[k] = ploy_vec2_scale(points[k], size);
        } else if (kind == 1) {
            polygon = test_star(rng, test_random_vec2(rng, size), size, points);
        } else {
            int32_t corners = ploy_rng_int(rng, 3, 12);
            for (int32_t k = 0; k < corners; k++) points[k] = test_random_vec2(rng, size);
            polygon = ploy_polygon_make(points, corners);
        }
        if (polygon.count >= 3) (void)ploy_rings_add(rings, polygon.points, polygon.count);
    }
}

static bool combine(bool a, bool b, int32_t operation) {
    switch (operation) {
    case PLOY_BOOLEAN_UNION: return a || b;
    case PLOY_BOOLEAN_INTERSECTION: return a && b;
    case PLOY_BOOLEAN_DIFFERENCE: return a && !b;
    default: return a != b;
    }
}

// Each ring simple, without straight corners; no two edges cross.
static void check_clean(test_context *t, const ploy_rings *rings) {
    for (int32_t i = 0; i < ploy_rings_count(rings); i++) {
        ploy_polygon ring = ploy_rings_get(rings, i);
        CHECK(ploy_polygon_is_simple(ring));
        for (int32_t k = 0; k < ring.count; k++) {
            ploy_segment2 e = ploy_polygon_edge(ring, k);
            CHECK(ploy_orient2(e.from, e.to, ring.points[(k + 2) % ring.count]) != 0);
            for (int32_t m = i + 1; m < ploy_rings_count(rings); m++) {
                ploy_polygon other = ploy_rings_get(rings, m);
                for (int32_t n = 0; n < other.count; n++) {
                    ploy_segment2 f = ploy_polygon_edge(other, n);
                    CHECK(ploy_orient2(e.from, e.to, f.from) * ploy_orient2(e.from, e.to, f.to) >=
                              0 ||
                          ploy_orient2(f.from, f.to, e.from) * ploy_orient2(f.from, f.to, e.to) >=
                              0);
                }
            }
        }
    }
}

TEST(two_boxes) {
    static const struct {
        const char *row;
        float x, y;         // of the second, both 4 by 4, the first at the origin
        float want[4];      // areas
        int32_t corners[4]; // of the results
    } rows[] = {
        {"overlapping", 2, 2, {28, 4, 12, 24}, {8, 4, 6, 12}},
        {"apart", 9, 0, {32, 0, 16, 32}, {8, 0, 4, 8}},
        {"side by side", 4, 0, {32, 0, 16, 32}, {4, 0, 4, 4}},
        {"side by side, shifted", 4, 2, {32, 0, 16, 32}, {8, 0, 4, 8}},
        {"corner to corner", 4, 4, {32, 0, 16, 32}, {8, 0, 4, 8}},
        {"the same", 0, 0, {16, 16, 0, 0}, {4, 4, 0, 0}},
    };
    ring_pair pair = pair_make(t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_rings_clear(pair.a);
        ploy_rings_clear(pair.b);
        add_box(t, pair.a, 0, 0, 4, 4);
        add_box(t, pair.b, rows[i].x, rows[i].y, 4, 4);
        for (int32_t k = 0; k < 8; k++) {
            CHECK_OK(ploy_rings_boolean(pair.a, pair.b, (ploy_boolean)(k % 4), (ploy_fill)(k / 4),
                                        pair.arena, pair.out));
            CHECK_SAME(ploy_rings_area(pair.out), rows[i].want[k % 4]);
            CHECK_INT(ploy_rings_corners(pair.out), rows[i].corners[k % 4]);
            check_clean(t, pair.out);
        }
    }
    pair_free(t, &pair);
}

TEST(a_box_within_a_box_is_a_hole) {
    ring_pair pair = pair_make(t);
    add_box(t, pair.a, 0, 0, 9, 9);
    add_box(t, pair.b, 3, 3, 3, 3);
    CHECK_OK(ploy_rings_boolean(pair.a, pair.b, PLOY_BOOLEAN_DIFFERENCE, PLOY_FILL_NON_ZERO,
                                pair.arena, pair.out));
    CHECK_INT(ploy_rings_count(pair.out), 2);
    CHECK_SAME(ploy_rings_area(pair.out), 72);
    CHECK(ploy_rings_is_hole(pair.out, 0) != ploy_rings_is_hole(pair.out, 1));
    // A frame of four overlapping bars, all the same way round, joined into one with a hole.
    ploy_rings_clear(pair.a);
    add_box(t, pair.a, 0, 0, 9, 1);
    add_box(t, pair.a, 0, 8, 9, 1);
    add_box(t, pair.a, 0, 0, 1, 9);
    add_box(t, pair.a, 8, 0, 1, 9);
    CHECK_OK(ploy_rings_boolean(pair.a, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_NON_ZERO, pair.arena,
                                pair.out));
    CHECK_INT(ploy_rings_count(pair.out), 2);
    CHECK_INT(ploy_rings_corners(pair.out), 8);
    CHECK_SAME(ploy_rings_area(pair.out), 32);
    pair_free(t, &pair);
}

// Everything that must hold for two inputs of that size.
static void check_pair(test_context *t, ring_pair *pair, ploy_rng *rng, double size) {
    float areas[4];
    ploy_fill fill = ploy_rng_chance(rng, 0.5f) ? PLOY_FILL_EVEN_ODD : PLOY_FILL_NON_ZERO;
    for (int32_t operation = 0; operation < 4; operation++) {
        CHECK_OK(ploy_rings_boolean(pair->a, pair->b, (ploy_boolean)operation, fill, pair->arena,
                                    pair->out));
        check_clean(t, pair->out);
        areas[operation] = ploy_rings_area(pair->out);
        CHECK(areas[operation] >= 0.0f);
        for (int32_t i = 0; i < 12; i++) {
            ploy_vec2 point = test_random_vec2(rng, (float)size * 2.0f);
            float near =
                fminf(test_outline_distance(pair->a, point), test_outline_distance(pair->b, point));
            if (!((double)near > size * 2e-6)) continue;
            bool want = combine(ploy_rings_contains(pair->a, point, fill),
                                ploy_rings_contains(pair->b, point, fill), operation);
            CHECK(ploy_rings_contains(pair->out, point, PLOY_FILL_EVEN_ODD) == want);
            CHECK(ploy_rings_contains(pair->out, point, PLOY_FILL_NON_ZERO) == want);
        }
        // With itself: its own area, and nothing.
        CHECK_OK(ploy_rings_boolean(pair->out, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_EVEN_ODD,
                                    pair->arena, pair->other));
        check_clean(t, pair->other);
        CHECK_NEAR(ploy_rings_area(pair->other), areas[operation], size * size * 1e-4);
        CHECK_OK(ploy_rings_copy(pair->other, pair->out));
        CHECK_OK(ploy_rings_boolean(pair->other, pair->out, PLOY_BOOLEAN_XOR, fill, pair->arena,
                                    pair->other));
        CHECK_INT(ploy_rings_count(pair->other), 0);
        CHECK_OK(ploy_rings_boolean(pair->out, NULL, PLOY_BOOLEAN_UNION, fill, pair->arena,
                                    pair->other));
        CHECK_OK(ploy_rings_boolean(pair->out, pair->out, PLOY_BOOLEAN_INTERSECTION, fill,
                                    pair->arena, pair->out));
        CHECK_UINT(hash_of(pair->out), hash_of(pair->other));
    }
    // Areas add up.
    double tolerance = size * size * 1e-4;
    CHECK_OK(ploy_rings_boolean(pair->a, NULL, PLOY_BOOLEAN_UNION, fill, pair->arena, pair->out));
    CHECK_OK(ploy_rings_boolean(pair->b, NULL, PLOY_BOOLEAN_UNION, fill, pair->arena, pair->other));
    double a = (double)ploy_rings_area(pair->out), b = (double)ploy_rings_area(pair->other);
    CHECK_NEAR((double)areas[0] + (double)areas[1], a + b, tolerance);
    CHECK_NEAR(areas[2], a - (double)areas[1], tolerance);
    CHECK_NEAR(areas[3], (double)areas[0] - (double)areas[1], tolerance);
}

TEST(lattice_rings_combine_point_by_point) {
    ring_pair pair = pair_make(t);
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float size = seed % 5 == 0 ? 1e8f : (seed % 5 == 1 ? 1e-3f : 1.0f);
        random_rings(&rng, 0, size, pair.a);
        random_rings(&rng, 0, size, pair.b);
        check_pair(t, &pair, &rng, (double)size * 3.0);
    }
    pair_free(t, &pair);
}

TEST(stars_and_scribbles_combine_point_by_point) {
    ring_pair pair = pair_make(t);
    for (int64_t seed = 0; seed < test_rounds(150); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float size = seed % 5 == 0 ? 1e9f : (seed % 5 == 1 ? 1e-3f : 10.0f);
        random_rings(&rng, 1 + (int32_t)(seed % 2), size, pair.a);
        random_rings(&rng, 1 + ploy_rng_int(&rng, 0, 1), size, pair.b);
        check_pair(t, &pair, &rng, (double)size);
    }
    pair_free(t, &pair);
}

// On the coarsest lattice, a few steps wide, where every crossing is rounded and edges bend much.
TEST(crossings_closer_than_a_step_stay_clean) {
    ring_pair pair = pair_make(t);
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        // A far corner makes the step 1 m.
        float base = seed % 2 == 0 ? 16777200.0f : 1.4e-45f;
        for (int32_t side = 0; side < 2; side++) {
            ploy_rings *rings = side == 0 ? pair.a : pair.b;
            ploy_rings_clear(rings);
            for (int32_t i = 0; i < 3; i++) {
                int32_t count = ploy_rng_int(&rng, 3, 10);
                for (int32_t k = 0; k < count; k++) {
                    ploy_vec2 at = test_lattice_vec2(&rng, 7);
                    points[k] = seed % 2 == 0 ? ploy_vec2_make(base + at.x, at.y)
                                              : ploy_vec2_scale(at, base);
                }
                CHECK_OK(ploy_rings_add(rings, points, count));
            }
        }
        for (int32_t k = 0; k < 8; k++) {
            CHECK_OK(ploy_rings_boolean(pair.a, pair.b, (ploy_boolean)(k % 4), (ploy_fill)(k / 4),
                                        pair.arena, pair.out));
            check_clean(t, pair.out);
            CHECK_OK(ploy_rings_boolean(pair.out, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_NON_ZERO,
                                        pair.arena, pair.out));
            check_clean(t, pair.out);
        }
    }
    pair_free(t, &pair);
}

TEST(the_largest_floats_and_nothing_at_all) {
    ring_pair pair = pair_make(t);
    const ploy_vec2 huge[] = {{-FLT_MAX, -FLT_MAX}, {FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX}};
    CHECK_OK(ploy_rings_boolean(pair.a, pair.b, PLOY_BOOLEAN_UNION, PLOY_FILL_NON_ZERO, pair.arena,
                                pair.out));
    CHECK_INT(ploy_rings_count(pair.out), 0);
    CHECK_OK(ploy_rings_add(pair.a, huge, 3));
    CHECK_OK(ploy_rings_boolean(pair.a, pair.a, PLOY_BOOLEAN_UNION, PLOY_FILL_NON_ZERO, pair.arena,
                                pair.out));
    CHECK_INT(ploy_rings_count(pair.out), 1);
    ploy_polygon ring = ploy_rings_get(pair.out, 0);
    for (int32_t i = 0; i < ring.count; i++) CHECK(fabsf(ring.points[i].x) <= FLT_MAX);
    const ploy_vec2 flat[] = {{0, 0}, {5, 5}, {2, 2}, {1, 1}}; // no area
    ploy_rings_clear(pair.a);
    CHECK_OK(ploy_rings_add(pair.a, flat, 4));
    CHECK_OK(ploy_rings_boolean(pair.a, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_NON_ZERO, pair.arena,
                                pair.out));
    CHECK_INT(ploy_rings_count(pair.out), 0);
    pair_free(t, &pair);
}

TEST(combining_again_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_rings *a = NULL, *out = NULL;
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_rings_create(&env, &a));
    CHECK_OK(ploy_rings_create(&env, &out));
    CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
    for (int32_t i = 0; i < 10; i++) add_box(t, a, (float)i, (float)(i % 3), 2, 2);
    int64_t warm = 0;
    for (int32_t i = 0; i < 5; i++) {
        CHECK_OK(ploy_rings_boolean(a, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_NON_ZERO, arena, out));
        ploy_arena_reset(arena);
        if (i == 1) warm = counts.calls;
    }
    CHECK_INT(counts.calls, warm);
    ploy_rings_destroy(a);
    ploy_rings_destroy(out);
    ploy_arena_destroy(arena);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result boolean_body(const ploy_env *env, void *arg) {
    test_context *t = arg;
    static const ploy_vec2 bow[] = {{0, 0}, {4, 4}, {4, 0}, {0, 4}};
    ploy_rings *rings = NULL;
    ploy_arena *arena = NULL;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, bow, 4);
    if (result == PLOY_OK) result = ploy_arena_create(64, 0, env, &arena);
    if (result == PLOY_OK) {
        uint64_t before = hash_of(rings);
        result =
            ploy_rings_boolean(rings, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_EVEN_ODD, arena, rings);
        if (result != PLOY_OK) CHECK_UINT(hash_of(rings), before);
        if (result == PLOY_OK) CHECK_INT(ploy_rings_count(rings), 2);
    }
    ploy_arena_destroy(arena);
    ploy_rings_destroy(rings);
    return result;
}

TEST(boolean_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(boolean_body, t);
}
