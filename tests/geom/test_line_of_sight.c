// Sight past solid areas against sampled points, and the expanded obstacles that it is for.
#include "geom/geom_internal.h"
#include "tests/geom/polygon_test.h"

#include "ploy/geom/boolean.h"
#include "ploy/geom/line_of_sight.h"
#include "ploy/geom/offset.h"

typedef struct sights {
    ploy_rings *rings, *grown;
    ploy_arena *arena;
} sights;

static sights sights_make(test_context *t) {
    ploy_env env = ploy_env_default();
    sights all;
    CHECK_OK(ploy_rings_create(&env, &all.rings));
    CHECK_OK(ploy_rings_create(&env, &all.grown));
    CHECK_OK(ploy_arena_create(1 << 16, 0, &env, &all.arena));
    return all;
}

static void sights_free(sights *all) {
    ploy_rings_destroy(all->rings);
    ploy_rings_destroy(all->grown);
    ploy_arena_destroy(all->arena);
}

TEST(rows_of_a_block_with_a_court) {
    static const struct {
        const char *row;
        ploy_vec2 from, to;
        bool obstacle, floor; // seen with either side solid
    } rows[] = {
        {"past it", {-1, -1}, {7, -1}, true, false},
        {"along its edge", {-1, 0}, {7, 0}, true, false},
        {"along a part of it", {1, 0}, {5, 0}, true, true},
        {"through it", {-1, 1}, {7, 1}, false, false},
        {"round the corner", {-1, 1}, {1, -1}, true, false},
        {"across the corner", {-1, 2}, {2, -1}, false, false},
        {"from corner to corner", {0, 0}, {6, 6}, false, false},
        {"from the corner away", {6, 6}, {9, 9}, true, false},
        {"from the corner in", {0, 0}, {1, 1}, false, true},
        {"within the court", {3, 3}, {3.5f, 2.5f}, true, false},
        {"out of the court", {3, 3}, {3, 9}, false, false},
        {"from edge to court", {3, 0}, {3, 2}, false, true},
        {"across the court", {3, 2}, {3, 4}, true, false},
        {"along the court and into the wall", {2, 2}, {5, 2}, false, true},
        {"nowhere", {NAN, 0}, {9, 9}, false, false},
        {"a free point", {9, 9}, {9, 9}, true, false},
        {"a solid point", {1, 1}, {1, 1}, false, true},
        {"a corner", {6, 6}, {6, 6}, true, true},
    };
    static const ploy_vec2 block[] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}};
    static const ploy_vec2 court[] = {{2, 2}, {4, 2}, {4, 4}, {2, 4}};
    sights all = sights_make(t);
    CHECK_OK(ploy_rings_add(all.rings, block, 4));
    CHECK_OK(ploy_rings_add_reversed(all.rings, court, 4));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_vec2 from = rows[i].from, to = rows[i].to;
        CHECK(ploy_rings_sees(all.rings, PLOY_SOLID_INSIDE, from, to) == rows[i].obstacle);
        CHECK(ploy_rings_sees(all.rings, PLOY_SOLID_INSIDE, to, from) == rows[i].obstacle);
        CHECK(ploy_rings_sees(all.rings, PLOY_SOLID_OUTSIDE, from, to) == rows[i].floor);
        CHECK(ploy_rings_sees(all.rings, PLOY_SOLID_OUTSIDE, to, from) == rows[i].floor);
    }
    // The corners that stick out: the block's, or those of the court for who walks on the block.
    ploy_vec2 bends[8];
    CHECK_INT(ploy_rings_bends(all.rings, PLOY_SOLID_INSIDE, NULL, 0), 4);
    CHECK_INT(ploy_rings_bends(all.rings, PLOY_SOLID_OUTSIDE, bends, 8), 4);
    for (int32_t i = 0; i < 4; i++) CHECK(bends[i].x >= 2 && bends[i].x <= 4);
    sights_free(&all);
}

// On a lattice of whole numbers, looking at points of the segment a 12th or less apart: rings of such small
// lattices leave none of them between two of those.
TEST(what_is_seen_has_no_point_within_a_solid) {
    sights all = sights_make(t);
    int32_t seen = 0, blocked = 0;
    for (int64_t seed = 0; seed < test_rounds(120); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_rings_clear(all.rings);
        for (int32_t i = 0; i < 3; i++) { // boxes, so that all corners stay on the lattice
            ploy_vec2 a = test_lattice_vec2(&rng, 4), b = test_lattice_vec2(&rng, 4);
            const ploy_vec2 box[] = {a, {b.x, a.y}, b, {a.x, b.y}};
            memcpy(points, box, sizeof box);
            CHECK_OK(ploy_rings_add(all.rings, points, 4));
        }
        CHECK_OK(ploy_rings_boolean(all.rings, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_EVEN_ODD,
                                    all.arena, all.rings));
        for (int32_t i = 0; i < 20; i++) {
            ploy_vec2 from = test_lattice_vec2(&rng, 5), to = test_lattice_vec2(&rng, 5);
            bool inside = false, outside = false;
            for (int32_t k = 0; k <= 128; k++) {
                double share = (double)k / 128.0;
                ploy_vec2 at = test_v2((double)from.x + share * ((double)to.x - (double)from.x),
                                       (double)from.y + share * ((double)to.y - (double)from.y));
                ploy_location location = ploy_rings_locate(all.rings, at, PLOY_FILL_NON_ZERO);
                inside = inside || location == PLOY_LOCATION_INSIDE;
                outside = outside || location == PLOY_LOCATION_OUTSIDE;
            }
            CHECK(ploy_rings_sees(all.rings, PLOY_SOLID_INSIDE, from, to) == !inside);
            CHECK(ploy_rings_sees(all.rings, PLOY_SOLID_OUTSIDE, from, to) == !outside);
            seen += !inside;
            blocked += inside;
        }
    }
    CHECK(seen > 100 && blocked > 100); // the loop looked at both
    sights_free(&all);
}

// PLN-03, the part of it that is geometry: polygons expanded by the agent's radius or more; corners
// as nodes, none of them within another polygon; edges where the line is clear. A path along such
// lines keeps the radius from the walls as they were.
TEST(ways_over_expanded_corners_keep_the_radius) {
    sights all = sights_make(t);
    int32_t edges = 0;
    for (int64_t seed = 0; seed < test_rounds(10); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS], nodes[256];
        ploy_rings_clear(all.rings);
        for (int32_t i = 0; i < 4; i++) {
            ploy_polygon star = test_star(&rng, test_random_vec2(&rng, 10.0f), 3.0f, points);
            CHECK_OK(ploy_rings_add(all.rings, points, star.count));
        }
        CHECK_OK(ploy_rings_boolean(all.rings, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_EVEN_ODD,
                                    all.arena, all.rings));
        float radius = ploy_rng_range(&rng, 0.1f, 1.0f), slack = 0.1f * radius;
        CHECK_OK(
            ploy_rings_expand(all.rings, PLOY_FILL_NON_ZERO, radius, slack, all.arena, all.grown));
        int32_t count = ploy_rings_bends(all.grown, PLOY_SOLID_INSIDE, nodes, 256);
        CHECK(count <= 256);
        for (int32_t i = 0; i < count; i++) {
            float nearest = INFINITY;
            for (int32_t r = 0; r < ploy_rings_count(all.rings); r++) {
                nearest = fminf(nearest,
                                ploy_polygon_distance_sq(ploy_rings_get(all.rings, r), nodes[i]));
            }
            CHECK(!ploy_rings_contains(all.rings, nodes[i], PLOY_FILL_NON_ZERO));
            CHECK(sqrtf(nearest) <= radius + slack + 1e-5f);
            for (int32_t k = 0; k < i; k++) {
                if (!ploy_rings_sees(all.grown, PLOY_SOLID_INSIDE, nodes[i], nodes[k])) continue;
                ploy_segment2 way = {nodes[i], nodes[k]};
                for (int32_t r = 0; r < ploy_rings_count(all.rings); r++) {
                    ploy_polygon ring = ploy_rings_get(all.rings, r);
                    for (int32_t e = 0; e < ring.count; e++) {
                        float gap = ploy_segment2_gap_sq(way, ploy_polygon_edge(ring, e));
                        CHECK(gap >= radius * radius);
                    }
                }
                edges++;
            }
        }
    }
    CHECK(edges > 500);
    sights_free(&all);
}

TEST(expand_refuses_bad_numbers_and_too_little_slack) {
    static const struct {
        const char *row;
        float radius, slack;
        ploy_result want;
    } rows[] = {
        {"fine", 1, 0.1f, PLOY_OK},
        {"nobody's radius", 0, 0.1f, PLOY_OK},
        {"a radius below 0", -1, 0.1f, PLOY_ERR_ARGUMENT},
        {"no slack", 1, 0, PLOY_ERR_ARGUMENT},
        {"not a number", NAN, 0.1f, PLOY_ERR_ARGUMENT},
        {"endless slack", 1, INFINITY, PLOY_ERR_ARGUMENT},
        {"less than the lattice can tell", 1, 1e-7f, PLOY_ERR_LIMIT},
        {"out of all floats", 3e38f, 3e38f, PLOY_ERR_ARGUMENT},
    };
    sights all = sights_make(t);
    static const ploy_vec2 block[] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}};
    CHECK_OK(ploy_rings_add(all.rings, block, 4));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_rings_expand(all.rings, PLOY_FILL_NON_ZERO, rows[i].radius, rows[i].slack,
                                    all.arena, all.grown),
                  rows[i].want);
    }
    ploy_rings_clear(all.rings);
    CHECK_OK(ploy_rings_expand(all.rings, PLOY_FILL_NON_ZERO, 1, 0.1f, all.arena, all.grown));
    CHECK_INT(ploy_rings_count(all.grown), 0);
    sights_free(&all);
}
