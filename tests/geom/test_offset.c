// Offsets: round ones against the distance to the input, the others against known areas and
// against the round ones.
#include "tests/geom/polygon_test.h"

#include "ploy/geom/offset.h"
#include "ploy/geom/predicates.h"

#include <float.h>

typedef struct offset_room {
    ploy_rings *in, *out;
    ploy_arena *arena;
} offset_room;

static offset_room room_make(test_context *t) {
    ploy_env env = ploy_env_default();
    offset_room room;
    CHECK_OK(ploy_rings_create(&env, &room.in));
    CHECK_OK(ploy_rings_create(&env, &room.out));
    CHECK_OK(ploy_arena_create(1 << 16, 0, &env, &room.arena));
    return room;
}

static void room_free(test_context *t, offset_room *room) {
    CHECK_UINT(ploy_arena_used(room->arena), 0);
    ploy_rings_destroy(room->in);
    ploy_rings_destroy(room->out);
    ploy_arena_destroy(room->arena);
}

static ploy_offset_style style_of(ploy_join join, ploy_cap cap, float limit) {
    ploy_offset_style style = ploy_offset_style_default();
    style.join = join;
    style.cap = cap;
    style.miter_limit = limit;
    return style;
}

TEST(a_box_grows_and_shrinks) {
    static const ploy_vec2 box[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    static const struct {
        const char *row;
        ploy_join join;
        float limit, distance, want;
        int32_t corners;
    } rows[] = {
        {"mitred", PLOY_JOIN_MITER, 2, 1, 144, 4},
        {"the miter is too long", PLOY_JOIN_MITER, 1.4f, 1, 142, 8},
        {"bevelled", PLOY_JOIN_BEVEL, 2, 1, 142, 8},
        {"smaller", PLOY_JOIN_MITER, 2, -1, 64, 4},
        {"smaller, convex corners have no joins", PLOY_JOIN_ROUND, 2, -1, 64, 4},
        {"nothing is left", PLOY_JOIN_ROUND, 2, -5, 0, 0},
        {"less than nothing", PLOY_JOIN_ROUND, 2, -7, 0, 0},
        {"as it was", PLOY_JOIN_ROUND, 2, 0, 100, 4},
    };
    offset_room room = room_make(t);
    CHECK_OK(ploy_rings_add(room.in, box, 4));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_offset_style style = style_of(rows[i].join, PLOY_CAP_BUTT, rows[i].limit);
        CHECK_OK(ploy_rings_offset(room.in, PLOY_FILL_NON_ZERO, rows[i].distance, &style,
                                   room.arena, room.out));
        CHECK_NEAR(ploy_rings_area(room.out), rows[i].want, 1e-3);
        CHECK_INT(ploy_rings_corners(room.out), rows[i].corners);
    }
    t->row = "rounded: the tolerance keeps what it says";
    ploy_offset_style style = ploy_offset_style_default();
    style.tolerance = 0.001f;
    CHECK_OK(ploy_rings_offset(room.in, PLOY_FILL_NON_ZERO, 1, &style, room.arena, room.out));
    CHECK_NEAR(ploy_rings_area(room.out), 140 + PLOY_PI, 0.01);
    t->row = "two grow together, a hole closes";
    ploy_rings_clear(room.in);
    const ploy_vec2 hole[] = {{4, 4}, {6, 4}, {6, 6}, {4, 6}}, next[] = {{11, 0}, {15, 0}, {15, 4}};
    CHECK_OK(ploy_rings_add(room.in, box, 4));
    CHECK_OK(ploy_rings_add_reversed(room.in, hole, 4));
    CHECK_OK(ploy_rings_add(room.in, next, 3));
    CHECK_OK(ploy_rings_offset(room.in, PLOY_FILL_NON_ZERO, 1.25f, &style, room.arena, room.in));
    CHECK_INT(ploy_rings_count(room.in), 1);
    room_free(t, &room);
}

TEST(round_offsets_hold_what_is_within_the_distance) {
    offset_room room = room_make(t);
    int64_t inside = 0, outside = 0;
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_rings_clear(room.in);
        float size = seed % 4 == 0 ? 1e6f : (seed % 4 == 1 ? 1e-2f : 10.0f);
        for (int32_t i = 0; i < 2; i++) { // lattices touch and cross themselves
            ploy_polygon polygon = test_star(&rng, test_random_vec2(&rng, size), size, points);
            if (seed % 3 == 0) {
                polygon = test_lattice_polygon(&rng, 3, 7, points);
                for (int32_t k = 0; k < 7; k++) points[k] = ploy_vec2_scale(points[k], size * 0.5f);
            }
            if (polygon.count >= 3) CHECK_OK(ploy_rings_add(room.in, points, polygon.count));
        }
        ploy_fill fill = seed % 2 == 0 ? PLOY_FILL_EVEN_ODD : PLOY_FILL_NON_ZERO;
        ploy_offset_style style = ploy_offset_style_default();
        style.tolerance = size * 1e-3f;
        float distance = ploy_rng_range(&rng, -0.3f, 0.6f) * size;
        CHECK_OK(ploy_rings_offset(room.in, fill, distance, &style, room.arena, room.out));
        // What bounds the area: lines within it, between rings that overlap, do not.
        ploy_env env = ploy_env_default();
        ploy_rings *clean = NULL;
        CHECK_OK(ploy_rings_create(&env, &clean));
        CHECK_OK(ploy_rings_offset(room.in, fill, 0, &style, room.arena, clean));
        for (int32_t i = 0; i < 40; i++) {
            ploy_vec2 point = test_random_vec2(&rng, size * 2.5f);
            bool within = ploy_rings_contains(clean, point, fill);
            float far_off = test_outline_distance(clean, point) * (within ? -1.0f : 1.0f);
            // Arcs may be short of the distance by the tolerance, rounding does the rest.
            if (fabsf(far_off - distance) < size * 1.1e-3f) continue;
            bool want = far_off < distance;
            inside += want;
            outside += !want;
            CHECK(ploy_rings_contains(room.out, point, PLOY_FILL_NON_ZERO) == want);
            CHECK(ploy_rings_contains(room.out, point, PLOY_FILL_EVEN_ODD) == want);
        }
        ploy_rings_destroy(clean);
    }
    CHECK(inside > 500 && outside > 500);
    room_free(t, &room);
}

TEST(a_bevel_is_within_the_arc_and_the_arc_within_the_miter) {
    offset_room room = room_make(t);
    ploy_env env = ploy_env_default();
    ploy_rings *other[2] = {NULL, NULL};
    for (int32_t i = 0; i < 2; i++) CHECK_OK(ploy_rings_create(&env, &other[i]));
    for (int64_t seed = 0; seed < test_rounds(150); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_polygon star = test_star(&rng, ploy_vec2_zero(), 10, points);
        ploy_rings_clear(room.in);
        CHECK_OK(ploy_rings_add(room.in, points, star.count));
        float distance = ploy_rng_range(&rng, 0.1f, 4.0f) * (seed % 2 == 0 ? 1.0f : -0.5f);
        const ploy_join joins[] = {PLOY_JOIN_BEVEL, PLOY_JOIN_ROUND, PLOY_JOIN_MITER};
        ploy_rings *outs[] = {other[0], room.out, other[1]};
        for (int32_t i = 0; i < 3; i++) {
            ploy_offset_style style = style_of(joins[i], PLOY_CAP_BUTT, 1e4f);
            CHECK_OK(ploy_rings_offset(room.in, PLOY_FILL_EVEN_ODD, distance, &style, room.arena,
                                       outs[i]));
        }
        for (int32_t i = 0; i < 40; i++) {
            ploy_vec2 point = test_random_vec2(&rng, 15.0f);
            bool in[3], clear = true;
            for (int32_t k = 0; k < 3; k++) {
                in[k] = ploy_rings_contains(outs[k], point, PLOY_FILL_NON_ZERO);
                clear = clear && test_outline_distance(outs[k], point) > 0.02f;
            }
            if (!clear) continue;
            if (distance > 0.0f) CHECK((!in[0] || in[1]) && (!in[1] || in[2]));
            if (distance < 0.0f) CHECK((!in[2] || in[1]) && (!in[1] || in[0]));
        }
    }
    for (int32_t i = 0; i < 2; i++) ploy_rings_destroy(other[i]);
    room_free(t, &room);
}

TEST(a_line_becomes_a_wall) {
    static const ploy_vec2 straight[] = {{0, 0}, {4, 0}, {4, 0}, {10, 0}};
    static const ploy_vec2 bend[] = {{0, 0}, {10, 0}, {10, 10}};
    static const ploy_vec2 back[] = {{0, 0}, {10, 0}, {5, 0}};
    static const struct {
        const char *row;
        const ploy_vec2 *points;
        int32_t count;
        bool closed;
        ploy_join join;
        ploy_cap cap;
        double want;
    } rows[] = {
        {"cut", straight, 4, false, PLOY_JOIN_MITER, PLOY_CAP_BUTT, 20},
        {"square", straight, 4, false, PLOY_JOIN_MITER, PLOY_CAP_SQUARE, 24},
        {"round", straight, 4, false, PLOY_JOIN_MITER, PLOY_CAP_ROUND, 20 + PLOY_PI},
        {"a bend, mitred", bend, 3, false, PLOY_JOIN_MITER, PLOY_CAP_BUTT, 40},
        {"a bend, bevelled", bend, 3, false, PLOY_JOIN_BEVEL, PLOY_CAP_BUTT, 39.5},
        {"a bend, rounded", bend, 3, false, PLOY_JOIN_ROUND, PLOY_CAP_BUTT, 39 + PLOY_PI / 4},
        {"and back, rounded", back, 3, false, PLOY_JOIN_ROUND, PLOY_CAP_BUTT, 20 + PLOY_PI / 2},
        {"and back, mitred", back, 3, false, PLOY_JOIN_MITER, PLOY_CAP_BUTT, 20},
        {"a square dot", straight, 1, false, PLOY_JOIN_MITER, PLOY_CAP_SQUARE, 4},
        {"a round dot", straight, 1, true, PLOY_JOIN_MITER, PLOY_CAP_ROUND, PLOY_PI},
        {"no dot", straight, 1, false, PLOY_JOIN_MITER, PLOY_CAP_BUTT, 0},
        {"no line", straight, 0, false, PLOY_JOIN_MITER, PLOY_CAP_ROUND, 0},
    };
    offset_room room = room_make(t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_offset_style style = style_of(rows[i].join, rows[i].cap, 2);
        style.tolerance = 1e-4f;
        ploy_polyline line = ploy_polyline_make(rows[i].points, rows[i].count, rows[i].closed);
        CHECK_OK(ploy_polyline_widen(&line, 1.0f, &style, room.arena, room.out));
        CHECK_NEAR(ploy_rings_area(room.out), rows[i].want, 2e-3);
    }
    room_free(t, &room);
}

TEST(round_walls_hold_what_is_within_the_distance) {
    offset_room room = room_make(t);
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_polygon polygon = test_lattice_polygon(&rng, 4, 8, points);
        ploy_polyline line = ploy_polyline_make(points, polygon.count, seed % 2 == 0);
        ploy_offset_style style = ploy_offset_style_default();
        style.tolerance = 1e-3f;
        float distance = ploy_rng_range(&rng, 0.01f, 3.0f);
        CHECK_OK(ploy_polyline_widen(&line, distance, &style, room.arena, room.out));
        for (int32_t i = 0; i < 40; i++) {
            ploy_vec2 point = test_random_vec2(&rng, 8.0f);
            float far_off = sqrtf(ploy_polyline_find(&line, point).distance_sq);
            if (fabsf(far_off - distance) < 1.1e-3f) continue;
            CHECK(ploy_rings_contains(room.out, point, PLOY_FILL_NON_ZERO) == (far_off < distance));
        }
    }
    room_free(t, &room);
}

TEST(offset_refuses_bad_numbers) {
    static const ploy_vec2 box[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    static const ploy_vec2 torn[] = {{0, 0}, {NAN, 0}};
    offset_room room = room_make(t);
    CHECK_OK(ploy_rings_add(room.in, box, 4));
    ploy_offset_style good = ploy_offset_style_default(), bad;
    ploy_polyline line = ploy_polyline_make(box, 4, false),
                  broken = ploy_polyline_make(torn, 2, false);
    const float distances[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT_OF(distances); i++) {
        CHECK_INT(ploy_rings_offset(room.in, PLOY_FILL_NON_ZERO, distances[i], &good, room.arena,
                                    room.out),
                  PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_polyline_widen(&line, distances[i], &good, room.arena, room.out),
                  PLOY_ERR_ARGUMENT);
    }
    CHECK_INT(ploy_polyline_widen(&line, -1, &good, room.arena, room.out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_polyline_widen(&broken, 1, &good, room.arena, room.out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rings_offset(room.in, PLOY_FILL_NON_ZERO, FLT_MAX, &good, room.arena, room.out),
              PLOY_OK); // 10 m beside 3e38 m is nothing
    CHECK_INT(ploy_rings_offset(room.out, PLOY_FILL_NON_ZERO, FLT_MAX, &good, room.arena, room.out),
              PLOY_ERR_LIMIT);
    for (int32_t i = 0; i < 4; i++) {
        bad = good;
        if (i == 0) bad.tolerance = 0.0f;
        if (i == 1) bad.miter_limit = 0.5f;
        if (i == 2) bad.tolerance = NAN;
        if (i == 3) bad.join = (ploy_join)7;
        CHECK_INT(ploy_rings_offset(room.in, PLOY_FILL_NON_ZERO, 1, &bad, room.arena, room.out),
                  PLOY_ERR_ARGUMENT);
    }
    CHECK_INT(ploy_rings_offset(room.in, PLOY_FILL_NON_ZERO, 1, NULL, room.arena, room.out),
              PLOY_ERR_ARGUMENT);
    room_free(t, &room);
}

static ploy_result offset_body(const ploy_env *env, void *arg) {
    test_context *t = arg;
    static const ploy_vec2 box[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    ploy_rings *rings = NULL;
    ploy_arena *arena = NULL;
    ploy_offset_style style = ploy_offset_style_default();
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, box, 4);
    if (result == PLOY_OK) result = ploy_arena_create(64, 0, env, &arena);
    if (result == PLOY_OK) {
        result = ploy_rings_offset(rings, PLOY_FILL_EVEN_ODD, 1, &style, arena, rings);
        if (result != PLOY_OK) CHECK_INT(ploy_rings_corners(rings), 4);
    }
    if (result == PLOY_OK) {
        ploy_polyline line = ploy_polyline_make(box, 4, false);
        result = ploy_polyline_widen(&line, 1, &style, arena, rings);
    }
    ploy_arena_destroy(arena);
    ploy_rings_destroy(rings);
    return result;
}

TEST(offset_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(offset_body, t);
}

// TLS-10: what is too narrow to be of use vanishes when it is shrunk and grown again; the rest keeps
// its place.
TEST(crevices_close_when_shrunk_and_grown_again) {
    static const ploy_vec2 floor_plan[] = {{0, 0},     {8, 0},  {8, 8}, {4.1f, 8},
                                           {4.1f, 12}, {4, 12}, {4, 8}, {0, 8}};
    offset_room room = room_make(t);
    ploy_offset_style style = style_of(PLOY_JOIN_MITER, PLOY_CAP_BUTT, 2.0f);
    CHECK_OK(ploy_rings_add(room.in, floor_plan, 8));
    CHECK_OK(ploy_rings_offset(room.in, PLOY_FILL_NON_ZERO, -0.1f, &style, room.arena, room.out));
    CHECK_OK(ploy_rings_offset(room.out, PLOY_FILL_NON_ZERO, 0.1f, &style, room.arena, room.out));
    CHECK_NEAR(ploy_rings_area(room.out), 64, 1e-3);
    CHECK(ploy_rings_locate(room.out, ploy_vec2_make(4.05f, 10), PLOY_FILL_NON_ZERO) ==
          PLOY_LOCATION_OUTSIDE);
    CHECK(ploy_rings_contains(room.out, ploy_vec2_make(0.01f, 0.01f), PLOY_FILL_NON_ZERO));
    room_free(t, &room);
}
