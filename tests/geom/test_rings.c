// Sets of rings against the polygons they were made of.
#include "tests/geom/polygon_test.h"

#include "ploy/geom/rings.h"

static const ploy_vec2 outer[] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}};
static const ploy_vec2 inner[] = {{2, 2}, {4, 2}, {4, 4}, {2, 4}};

static ploy_rings *rings_make(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_rings *rings = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    return rings;
}

static uint64_t rings_hash(const ploy_rings *rings) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_rings_describe(rings, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(a_room_with_a_pillar) {
    ploy_rings *rings = rings_make(t);
    CHECK(ploy_box2_is_empty(ploy_rings_box(rings)));
    CHECK_SAME(ploy_rings_area(rings), 0);
    CHECK_OK(ploy_rings_add(rings, outer, 4));
    CHECK_OK(ploy_rings_add_reversed(rings, inner, 4));
    CHECK_INT(ploy_rings_count(rings), 2);
    CHECK_INT(ploy_rings_corners(rings), 8);
    CHECK(!ploy_rings_is_hole(rings, 0) && ploy_rings_is_hole(rings, 1));
    CHECK_SAME(ploy_rings_area(rings), 32);
    CHECK_SAME(ploy_rings_box(rings).max.x, 6);
    CHECK_INT(ploy_rings_get(rings, -1).count, 0);
    CHECK_INT(ploy_rings_get(rings, 2).count, 0);
    CHECK_VEC2(ploy_rings_get(rings, 1).points[1], 2, 4, 0);
    for (int32_t fill = 0; fill < 2; fill++) {
        CHECK_INT(ploy_rings_locate(rings, test_v2(1, 1), (ploy_fill)fill), PLOY_LOCATION_INSIDE);
        CHECK_INT(ploy_rings_locate(rings, test_v2(3, 3), (ploy_fill)fill), PLOY_LOCATION_OUTSIDE);
        CHECK_INT(ploy_rings_locate(rings, test_v2(4, 3), (ploy_fill)fill), PLOY_LOCATION_ON);
        CHECK(ploy_rings_contains(rings, test_v2(4, 3), (ploy_fill)fill));
    }
    CHECK_OK(ploy_rings_add(rings, inner, 4)); // now the turns in the middle add up to one
    CHECK(ploy_rings_contains(rings, test_v2(3, 3), PLOY_FILL_NON_ZERO));
    CHECK(ploy_rings_contains(rings, test_v2(3, 3), PLOY_FILL_EVEN_ODD));
    CHECK_OK(ploy_rings_add(rings, inner, 4));
    CHECK(ploy_rings_contains(rings, test_v2(3, 3), PLOY_FILL_NON_ZERO));
    CHECK(!ploy_rings_contains(rings, test_v2(3, 3), PLOY_FILL_EVEN_ODD));
    ploy_rings_destroy(rings);
    ploy_rings_destroy(NULL);
}

TEST(fill_rules_count_all_rings) {
    ploy_rings *rings = rings_make(t);
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[4][TEST_CORNERS];
        ploy_polygon polygon[4];
        ploy_rings_clear(rings);
        int32_t count = ploy_rng_int(&rng, 0, 4), added = 0;
        for (int32_t i = 0; i < count; i++) {
            polygon[added] = test_lattice_polygon(&rng, 4, 8, points[added]);
            ploy_result result = ploy_rings_add(rings, points[added], polygon[added].count);
            CHECK_INT(result, polygon[added].count < 3 ? PLOY_ERR_ARGUMENT : PLOY_OK);
            added += result == PLOY_OK;
        }
        CHECK_INT(ploy_rings_count(rings), added);
        for (int32_t k = 0; k < 10; k++) {
            ploy_vec2 point = test_lattice_vec2(&rng, 5);
            int32_t winding = 0, inside = 0;
            bool on = false;
            for (int32_t i = 0; i < added; i++) {
                int32_t round;
                ploy_location at = test_locate(polygon[i], point, &round);
                on = on || at == PLOY_LOCATION_ON;
                inside += at == PLOY_LOCATION_INSIDE;
                winding += round;
            }
            CHECK_INT(ploy_rings_locate(rings, point, PLOY_FILL_EVEN_ODD),
                      on ? PLOY_LOCATION_ON
                         : (inside % 2 == 1 ? PLOY_LOCATION_INSIDE : PLOY_LOCATION_OUTSIDE));
            CHECK_INT(ploy_rings_locate(rings, point, PLOY_FILL_NON_ZERO),
                      on ? PLOY_LOCATION_ON
                         : (winding != 0 ? PLOY_LOCATION_INSIDE : PLOY_LOCATION_OUTSIDE));
        }
    }
    ploy_rings_destroy(rings);
}

TEST(rings_refuse_what_is_no_ring) {
    ploy_rings *rings = rings_make(t);
    const ploy_vec2 torn[] = {{0, 0}, {1, 0}, {NAN, 1}},
                    far_off[] = {{0, 0}, {1, 0}, {1, INFINITY}};
    CHECK_INT(ploy_rings_add(rings, NULL, 3), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rings_add(rings, outer, 2), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rings_add(rings, outer, -4), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rings_add(rings, torn, 3), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rings_add_reversed(rings, far_off, 3), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rings_count(rings), 0);
    CHECK_INT(ploy_rings_corners(rings), 0);
    ploy_rings_destroy(rings);
    ploy_env env = ploy_env_default();
    CHECK_INT(ploy_rings_create(&env, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rings_create(NULL, &rings), PLOY_ERR_ARGUMENT);
    CHECK(rings == NULL);
}

TEST(a_copy_is_equal_and_the_hash_sees_every_corner) {
    ploy_rings *a = rings_make(t), *b = rings_make(t);
    CHECK_OK(ploy_rings_add(a, outer, 4));
    CHECK_OK(ploy_rings_add(a, inner, 4));
    CHECK_OK(ploy_rings_copy(b, a));
    CHECK_OK(ploy_rings_copy(b, b));
    CHECK_UINT(rings_hash(a), rings_hash(b));
    CHECK_BYTES(ploy_rings_get(b, 1).points, inner, sizeof inner);
    ploy_vec2 moved[4];
    for (int32_t i = 0; i < 4; i++) {
        memcpy(moved, inner, sizeof moved);
        moved[i].y += 0.25f;
        ploy_rings_clear(b);
        CHECK_OK(ploy_rings_add(b, outer, 4));
        CHECK_OK(ploy_rings_add(b, moved, 4));
        CHECK(rings_hash(a) != rings_hash(b));
    }
    ploy_rings_destroy(a);
    ploy_rings_destroy(b);
}

TEST(refilling_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_rings *rings = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_INT(ploy_rings_reserve(rings, -1, 5), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rings_reserve(rings, 5, -1), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_rings_reserve(rings, 20, 80));
    CHECK_INT(ploy_rings_count(rings), 0);
    int64_t warm = counts.calls;
    for (int32_t round = 0; round < 5; round++) {
        ploy_rings_clear(rings);
        for (int32_t i = 0; i < 20; i++) CHECK_OK(ploy_rings_add(rings, outer, 4));
    }
    CHECK_INT(counts.calls, warm);
    ploy_rings_destroy(rings);
    CHECK_INT(counts.bytes, 0);
}

typedef struct drawn {
    int32_t lines, holes, points;
} drawn;

static void draw_seen(void *user, const ploy_draw_item *item) {
    drawn *seen = user;
    seen->lines += item->shape == PLOY_SHAPE_LINE;
    seen->holes += item->style == PLOY_STYLE_GHOST;
    seen->points += item->count;
}

TEST(every_ring_is_drawn_closed) {
    ploy_rings *rings = rings_make(t);
    CHECK_OK(ploy_rings_add(rings, outer, 4));
    CHECK_OK(ploy_rings_add_reversed(rings, inner, 4));
    drawn seen = {0, 0, 0};
    ploy_draw out = {draw_seen, &seen, 1u << PLOY_LAYER_WORLD};
    ploy_rings_draw(rings, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, &out);
    CHECK_INT(seen.lines, 4);
    CHECK_INT(seen.holes, 2);
    CHECK_INT(seen.points, 12);
    ploy_rings_draw(rings, PLOY_LAYER_REGIONS, PLOY_STYLE_WALL, &out);
    CHECK_INT(seen.lines, 4);
    ploy_rings_destroy(rings);
}

static void memory_sum(void *user, const ploy_memory_item *item) {
    *(size_t *)user += item->bytes;
}

TEST(the_memory_report_is_what_is_held) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_rings *rings = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_add(rings, outer, 4));
    size_t sum = 0;
    ploy_rings_memory(rings, memory_sum, &sum);
    CHECK_INT(sum, counts.bytes);
    ploy_rings_destroy(rings);
}

static ploy_result rings_body(const ploy_env *env, void *arg) {
    test_context *t = arg;
    ploy_rings *rings = NULL, *copy = NULL;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_create(env, &copy);
    for (int32_t i = 0; i < 8 && result == PLOY_OK; i++) {
        uint64_t before = rings_hash(rings);
        result =
            i % 2 == 0 ? ploy_rings_add(rings, outer, 4) : ploy_rings_add_reversed(rings, inner, 4);
        if (result != PLOY_OK) CHECK_UINT(rings_hash(rings), before);
    }
    if (result == PLOY_OK) result = ploy_rings_add(copy, inner, 4);
    if (result == PLOY_OK) {
        uint64_t before = rings_hash(copy);
        result = ploy_rings_copy(copy, rings);
        CHECK_UINT(rings_hash(copy), result == PLOY_OK ? rings_hash(rings) : before);
    }
    ploy_rings_destroy(copy);
    ploy_rings_destroy(rings);
    return result;
}

TEST(rings_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(rings_body, t);
}
