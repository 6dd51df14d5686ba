// The visibility polygon against the obvious: a point is seen if no wall crosses the line to it,
// and the area is that of the triangles between all ends and crossings.
#include "geom/geom_internal.h"
#include "tests/geom/polygon_test.h"

#include "ploy/geom/boolean.h"
#include "ploy/geom/predicates.h"
#include "ploy/geom/visibility.h"

#include <stdlib.h>

enum { MOST_WALLS = 64 };

typedef struct seeing {
    ploy_rings *seen, *rings;
    ploy_arena *arena;
    ploy_visibility_def def;
} seeing;

static seeing seeing_make(test_context *t) {
    ploy_env env = ploy_env_default();
    seeing all;
    CHECK_OK(ploy_rings_create(&env, &all.seen));
    CHECK_OK(ploy_rings_create(&env, &all.rings));
    CHECK_OK(ploy_arena_create(1 << 12, 0, &env, &all.arena));
    all.def = ploy_visibility_def_default();
    return all;
}

static void seeing_free(test_context *t, seeing *all) {
    CHECK_UINT(ploy_arena_used(all->arena), 0);
    ploy_rings_destroy(all->seen);
    ploy_rings_destroy(all->rings);
    ploy_arena_destroy(all->arena);
}

static int32_t add_box(ploy_segment2 *walls, int32_t count, float size) {
    const ploy_vec2 c[] = {{-size, -size}, {size, -size}, {size, size}, {-size, size}};
    for (int32_t i = 0; i < 4; i++) walls[count++] = ploy_segment2_make(c[i], c[(i + 1) % 4]);
    return count;
}

static bool crosses(ploy_segment2 a, ploy_segment2 b) {
    return ploy_orient2(a.from, a.to, b.from) * ploy_orient2(a.from, a.to, b.to) < 0 &&
           ploy_orient2(b.from, b.to, a.from) * ploy_orient2(b.from, b.to, a.to) < 0;
}

// The obvious version. Walls through the viewpoint cross nothing.
static bool sees(const ploy_segment2 *walls, int32_t count, ploy_vec2 from, ploy_vec2 to) {
    for (int32_t i = 0; i < count; i++) {
        if (crosses(walls[i], ploy_segment2_make(from, to))) return false;
    }
    return true;
}

// Of a wall in a direction: 1 / distance, 0 if it is not there.
static double nearness(ploy_segment2 wall, ploy_vec2 from, double cosine, double sine) {
    double px = (double)wall.from.x - (double)from.x, py = (double)wall.from.y - (double)from.y;
    double qx = (double)wall.to.x - (double)from.x, qy = (double)wall.to.y - (double)from.y;
    double ex = qx - px, ey = qy - py, whole = px * ey - py * ex;
    double before = px * sine - py * cosine, behind = cosine * qy - sine * qx;
    if (whole == 0.0 || before * behind < 0.0) return 0.0;
    double near = (cosine * ey - sine * ex) / whole;
    return near > 0.0 ? near : 0.0;
}

static double nearest(const ploy_segment2 *walls, int32_t count, ploy_vec2 from, double angle,
                      int32_t *which) {
    double best = 0.0, sine, cosine;
    *which = -1;
    ploy_sincos(angle, &sine, &cosine);
    for (int32_t i = 0; i < count; i++) {
        double near = nearness(walls[i], from, cosine, sine);
        if (near > best) best = near, *which = i;
    }
    return best;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// The area seen within closed walls, a triangle for each interval between two directions in which
// anything can change.
static double slow_area(const ploy_segment2 *walls, int32_t count, ploy_vec2 from) {
    static double angles[MOST_WALLS * (MOST_WALLS + 2)];
    int32_t n = 0;
    for (int32_t i = 0; i < count; i++) {
        const ploy_vec2 ends[2] = {walls[i].from, walls[i].to};
        for (int32_t e = 0; e < 2; e++) {
            angles[n++] =
                ploy_atan2((double)ends[e].y - (double)from.y, (double)ends[e].x - (double)from.x);
        }
        for (int32_t k = 0; k < i; k++) {
            ploy_crossing2 at;
            if (!ploy_segment2_crosses(walls[i], walls[k], &at)) continue;
            angles[n++] = ploy_atan2((double)at.point.y - (double)from.y,
                                     (double)at.point.x - (double)from.x);
        }
    }
    qsort(angles, (size_t)n, sizeof angles[0], by_value);
    double area = 0.0;
    for (int32_t i = 0; i < n; i++) {
        double a = angles[i], b = i + 1 < n ? angles[i + 1] : angles[0] + 2.0 * PLOY_PI, s, c;
        int32_t wall;
        if (nearest(walls, count, from, 0.5 * (a + b), &wall) == 0.0) continue;
        // A little inside, where the wall is seen for certain; cut at the true angles by its line.
        double mid = 0.5 * (a + b), half = 0.5 * (b - a) * 0.999999;
        ploy_sincos(mid - half, &s, &c);
        double r0 = nearness(walls[wall], from, c, s);
        ploy_sincos(mid + half, &s, &c);
        double r1 = nearness(walls[wall], from, c, s);
        if (r0 > 0.0 && r1 > 0.0) area += 0.5 * ploy_sin(b - a) / (r0 * r1);
    }
    return area;
}

TEST(an_empty_plane_is_a_circle_and_a_cone_a_sector) {
    static const struct {
        const char *row;
        float orientation, angle;
    } rows[] = {
        {"all round", 0, PLOY_TWO_PI_F}, {"half", 1, PLOY_PI_F},   {"a quarter", -2, 1.5707964f},
        {"behind", 3.1415927f, 1},       {"three quarters", 2, 5}, {"a slit", 0.5f, 0.01f},
    };
    seeing all = seeing_make(t);
    all.def.radius = 10.0f;
    all.def.tolerance = 0.001f;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        all.def.orientation = rows[i].orientation;
        all.def.angle = rows[i].angle;
        ploy_vec2 from = {3, 4};
        CHECK_OK(ploy_visibility_find(&all.def, from, NULL, 0, all.arena, all.seen));
        CHECK_INT(ploy_rings_count(all.seen), 1);
        CHECK_NEAR(ploy_rings_area(all.seen), 50.0f * rows[i].angle, 0.02f * rows[i].angle);
        for (int32_t k = 0; k < ploy_rings_corners(all.seen); k++) {
            CHECK(ploy_vec2_distance(ploy_rings_get(all.seen, 0).points[k], from) <= 10.00001f);
        }
    }
    all.def.angle = 0.0f;
    CHECK_OK(ploy_visibility_find(&all.def, ploy_vec2_zero(), NULL, 0, all.arena, all.seen));
    CHECK_INT(ploy_rings_count(all.seen), 0);
    seeing_free(t, &all);
}

TEST(corners_that_are_walls_ends_are_exactly_those) {
    seeing all = seeing_make(t);
    ploy_segment2 walls[8];
    int32_t count = add_box(walls, 0, 4.0f);
    walls[count++] = ploy_segment2_make(ploy_vec2_make(1, -1), ploy_vec2_make(1, 1));
    CHECK_OK(ploy_visibility_find(&all.def, ploy_vec2_zero(), walls, count, all.arena, all.seen));
    CHECK_INT(ploy_rings_count(all.seen), 1);
    // The box less the shadow of the wall: a trapezoid from x = 1 to 4.
    CHECK_SAME(ploy_rings_area(all.seen), 64 - 15);
    static const ploy_vec2 want[] = {{1, 1}, {4, 4}, {-4, 4}, {-4, -4}, {4, -4}, {1, -1}};
    ploy_polygon ring = ploy_rings_get(all.seen, 0);
    CHECK_INT(ring.count, 6);
    for (int32_t i = 0; i < 6; i++) CHECK_VEC2(ring.points[i], want[i].x, want[i].y, 0.0);
    seeing_free(t, &all);
}

TEST(walls_through_the_viewpoint_hide_nothing) {
    static const struct {
        const char *row;
        ploy_vec2 from, to;
        float want;
    } rows[] = {
        {"on it", {-1, 0}, {1, 0}, 64},
        {"at its end", {0, 0}, {2, 1}, 64},
        {"in a line with it", {1, 1}, {2, 2}, 64},
        {"a point", {1, 1}, {1, 1}, 64},
        {"beside it", {1, 0}, {1, 1}, 64 - 7.5f},
    };
    seeing all = seeing_make(t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_segment2 walls[5];
        int32_t count = add_box(walls, 0, 4.0f);
        walls[count++] = ploy_segment2_make(rows[i].from, rows[i].to);
        CHECK_OK(
            ploy_visibility_find(&all.def, ploy_vec2_zero(), walls, count, all.arena, all.seen));
        CHECK_SAME(ploy_rings_area(all.seen), rows[i].want);
    }
    seeing_free(t, &all);
}

// Random walls: 0 scattered, 1 on a lattice where all touch and line up, 2 long and crossing.
static int32_t random_walls(ploy_rng *rng, int32_t kind, float size, ploy_segment2 *walls) {
    int32_t count = ploy_rng_int(rng, 0, MOST_WALLS - 8);
    for (int32_t i = 0; i < count; i++) {
        if (kind == 1) {
            walls[i].from = ploy_vec2_scale(test_lattice_vec2(rng, 5), size / 8.0f);
            walls[i].to = ploy_vec2_scale(test_lattice_vec2(rng, 5), size / 8.0f);
        } else {
            walls[i].from = test_random_vec2(rng, size * 0.9f);
            walls[i].to = kind == 2
                              ? test_random_vec2(rng, size * 0.9f)
                              : ploy_vec2_add(walls[i].from, test_random_vec2(rng, size * 0.1f));
        }
    }
    return add_box(walls, count, size);
}

TEST(areas_are_those_of_all_triangles_and_points_are_seen_one_by_one) {
    seeing all = seeing_make(t);
    for (int64_t seed = 0; seed < test_rounds(600); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float size = seed % 7 == 0 ? 1e6f : (seed % 7 == 1 ? 0.01f : 8.0f);
        int32_t kind = (int32_t)(seed % 3);
        ploy_segment2 walls[MOST_WALLS];
        int32_t count = random_walls(&rng, kind, size, walls);
        ploy_vec2 from = kind == 1 ? ploy_vec2_scale(test_lattice_vec2(&rng, 5), size / 8.0f)
                                   : test_random_vec2(&rng, size * 0.99f);
        if (count > 4 && ploy_rng_chance(&rng, 0.2f)) from = walls[0].from; // at an end
        all.def.radius = 3.0f * size;
        CHECK_OK(ploy_visibility_find(&all.def, from, walls, count, all.arena, all.seen));
        CHECK_INT(ploy_rings_count(all.seen), 1);
        CHECK_NEAR(ploy_rings_area(all.seen), slow_area(walls, count, from), size * size * 2e-4f);
        for (int32_t i = 0; i < 30; i++) {
            ploy_vec2 to = test_random_vec2(&rng, size * 0.999f);
            if (!(test_outline_distance(all.seen, to) > size * 2e-6f)) continue;
            CHECK(ploy_rings_contains(all.seen, to, PLOY_FILL_NON_ZERO) ==
                  sees(walls, count, from, to));
        }
    }
    seeing_free(t, &all);
}

TEST(a_cone_with_a_radius_sees_what_is_in_both_and_not_hidden) {
    seeing all = seeing_make(t);
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_segment2 walls[MOST_WALLS];
        int32_t count = random_walls(&rng, (int32_t)(seed % 3), 8.0f, walls);
        ploy_vec2 from = test_random_vec2(&rng, 7.0f);
        all.def.radius = ploy_rng_range(&rng, 0.5f, 9.0f);
        all.def.orientation = ploy_rng_range(&rng, -9.0f, 9.0f);
        all.def.angle = ploy_rng_range(&rng, 0.01f, 6.0f);
        all.def.tolerance = 0.001f;
        CHECK_OK(ploy_visibility_find(&all.def, from, walls, count, all.arena, all.seen));
        double cosine, sine;
        ploy_sincos((double)all.def.orientation, &sine, &cosine);
        for (int32_t i = 0; i < 40; i++) {
            ploy_vec2 to = ploy_vec2_add(from, test_random_vec2(&rng, all.def.radius * 1.2f));
            if (!(test_outline_distance(all.seen, to) > 0.002f)) continue;
            double x = (double)to.x - (double)from.x, y = (double)to.y - (double)from.y;
            double angle = ploy_atan2(cosine * y - sine * x, cosine * x + sine * y);
            bool want = ploy_vec2_distance(from, to) < all.def.radius &&
                        fabs(angle) < 0.5 * (double)all.def.angle && sees(walls, count, from, to);
            CHECK(ploy_rings_contains(all.seen, to, PLOY_FILL_NON_ZERO) == want);
        }
    }
    seeing_free(t, &all);
}

TEST(from_the_outline_of_a_solid_only_what_is_free_is_seen) {
    // A block of 2 by 2, in the middle of a yard of 4 by 4.
    static const struct {
        const char *row;
        ploy_vec2 from;
        float around, within; // area seen of the yard round the block, and of the block
    } rows[] = {
        {"within", {1, 1}, 0, 4},
        {"on an edge", {1, 2}, 4, 4},
        {"on a corner", {2, 2}, 7, 4},
        {"beyond the yard", {5, 1}, 0, 0},
    };
    seeing all = seeing_make(t);
    static const ploy_vec2 block[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    static const ploy_vec2 yard[] = {{-1, -1}, {3, -1}, {3, 3}, {-1, 3}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_rings_clear(all.rings);
        CHECK_OK(ploy_rings_add(all.rings, block, 4));
        CHECK_OK(ploy_visibility_find_rings(&all.def, rows[i].from, all.rings, PLOY_SOLID_OUTSIDE,
                                            all.arena, all.seen));
        CHECK_SAME(ploy_rings_area(all.seen), rows[i].within);
        ploy_rings_clear(all.rings);
        CHECK_OK(ploy_rings_add(all.rings, yard, 4));
        CHECK_OK(ploy_rings_add_reversed(all.rings, block, 4));
        CHECK_OK(ploy_visibility_find_rings(&all.def, rows[i].from, all.rings, PLOY_SOLID_OUTSIDE,
                                            all.arena, all.seen));
        CHECK_SAME(ploy_rings_area(all.seen), rows[i].around);
    }
    seeing_free(t, &all);
}

// What the polygon holds is what ploy_rings_sees says, from anywhere: free, on corners, on edges.
TEST(amid_rings_points_are_seen_one_by_one) {
    seeing all = seeing_make(t);
    for (int64_t seed = 0; seed < test_rounds(400); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_solid solid = seed % 2 == 0 ? PLOY_SOLID_INSIDE : PLOY_SOLID_OUTSIDE;
        ploy_vec2 points[TEST_CORNERS];
        ploy_rings_clear(all.rings);
        for (int32_t i = 0; i < 4; i++) {
            ploy_polygon polygon = test_lattice_polygon(&rng, 5, 6, points);
            if (polygon.count >= 3) CHECK_OK(ploy_rings_add(all.rings, points, polygon.count));
        }
        CHECK_OK(ploy_rings_boolean(all.rings, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_EVEN_ODD,
                                    all.arena, all.rings));
        int32_t count = ploy_rings_count(all.rings);
        ploy_vec2 from = test_random_vec2(&rng, 6.0f);
        if (count > 0 && seed % 5 > 1) {
            ploy_polygon ring = ploy_rings_get(all.rings, ploy_rng_int(&rng, 0, count - 1));
            ploy_segment2 edge = ploy_polygon_edge(ring, ploy_rng_int(&rng, 0, ring.count - 1));
            from = seed % 5 == 2 ? ploy_segment2_at(edge, 0.5f) : edge.from;
        }
        all.def.radius = 30.0f;
        CHECK_OK(ploy_visibility_find_rings(&all.def, from, all.rings, solid, all.arena, all.seen));
        for (int32_t i = 0; i < 30; i++) {
            ploy_vec2 to = test_random_vec2(&rng, 6.0f);
            if (!(test_outline_distance(all.seen, to) > 1e-5f)) continue;
            bool want = ploy_rings_sees(all.rings, solid, from, to);
            CHECK(ploy_rings_contains(all.seen, to, PLOY_FILL_NON_ZERO) == want);
        }
    }
    seeing_free(t, &all);
}

TEST(amid_a_scene_what_is_well_inside_is_met_by_no_ray) {
    seeing all = seeing_make(t);
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(100); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_plain_scene_def def = ploy_plain_scene_def_default();
        ploy_plain_scene *scene = NULL;
        CHECK_OK(ploy_plain_scene_create(&def, &env, &scene));
        for (int32_t i = 0; i < 20; i++) {
            ploy_vec2 at = test_random_vec2(&rng, 10.0f);
            ploy_obstacle obstacle = {{at, ploy_vec2_add(at, test_random_vec2(&rng, 3.0f))},
                                      (float)(i % 3) * 0.5f,
                                      i % 4 == 0 ? 2u : 1u};
            CHECK_OK(ploy_plain_scene_add(scene, &obstacle, NULL));
        }
        ploy_scene face = ploy_plain_scene_interface(scene);
        ploy_vec2 from = test_random_vec2(&rng, 8.0f);
        all.def.radius = 6.0f;
        all.def.tolerance = 0.01f;
        CHECK_OK(ploy_visibility_find_scene(&all.def, from, scene, 1u, all.arena, all.seen));
        ploy_scene_hit hit;
        bool walled_in =
            ploy_scene_ray2(&face, from, ploy_vec2_add(from, ploy_vec2_make(0.01f, 0)), 1u, &hit) &&
            hit.inside;
        CHECK(!walled_in || ploy_rings_count(all.seen) == 0);
        for (int32_t i = 0; i < 40; i++) {
            ploy_vec2 to = ploy_vec2_add(from, test_random_vec2(&rng, 6.0f));
            // The outlines lie up to the tolerance inside the true ones, seen at any slant.
            if (test_outline_distance(all.seen, to) < 0.05f) continue;
            bool in = ploy_rings_contains(all.seen, to, PLOY_FILL_NON_ZERO);
            if (!in) {
                CHECK(!ploy_scene_sees2(&face, from, to, 1u) ||
                      ploy_vec2_distance(from, to) > 5.98f);
                continue;
            }
            // A thick thing's edge may stick out of its outline by the tolerance; thin walls never.
            if (ploy_scene_ray2(&face, from, to, 1u, &hit)) {
                ploy_obstacle obstacle;
                ploy_obstacle_id id = {hit.object};
                CHECK(ploy_plain_scene_get(scene, id, &obstacle));
                CHECK(obstacle.radius > 0.0f);
                CHECK(ploy_segment2_gap_sq(obstacle.segment, ploy_segment2_make(from, to)) >
                      (obstacle.radius - 0.011f) * (obstacle.radius - 0.011f));
            }
        }
        ploy_plain_scene_destroy(scene);
    }
    seeing_free(t, &all);
}

TEST(find_refuses_what_is_not_finite_or_out_of_range) {
    seeing all = seeing_make(t);
    ploy_segment2 walls[2] = {{{0, 0}, {1, 1}}, {{0, 0}, {NAN, 1}}};
    ploy_vec2 zero = ploy_vec2_zero(), nowhere = {INFINITY, 0};
    CHECK_OK(ploy_visibility_find(&all.def, zero, NULL, 0, all.arena, all.seen));
    CHECK_INT(ploy_visibility_find(&all.def, zero, walls, 2, all.arena, all.seen),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_visibility_find(&all.def, zero, walls, -1, all.arena, all.seen),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_visibility_find(&all.def, nowhere, walls, 1, all.arena, all.seen),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_visibility_find_rings(&all.def, nowhere, all.rings, PLOY_SOLID_INSIDE, all.arena,
                                         all.seen),
              PLOY_ERR_ARGUMENT);
    all.def.radius = NAN;
    CHECK_INT(ploy_visibility_find(&all.def, zero, walls, 1, all.arena, all.seen),
              PLOY_ERR_ARGUMENT);
    ploy_visibility_def blank;
    memset(&blank, 0, sizeof blank);
    CHECK_INT(ploy_visibility_find(&blank, zero, walls, 1, all.arena, all.seen), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rings_count(all.seen), 1); // unchanged by all of these
    CHECK_OK(ploy_fields_check_table(ploy_visibility_fields(), NULL));
    seeing_free(t, &all);
}

// Walls as far and as near as floats go: something finite comes out, in the circle.
TEST(huge_and_tiny_coordinates_give_finite_corners) {
    seeing all = seeing_make(t);
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_segment2 walls[12];
        static const float sizes[] = {1e-45f, 1e-30f, 1e-3f, 1.0f, 1e9f, 3e38f};
        for (int32_t i = 0; i < 12; i++) {
            walls[i].from = test_random_vec2(&rng, sizes[ploy_rng_int(&rng, 0, 5)]);
            walls[i].to = test_random_vec2(&rng, sizes[ploy_rng_int(&rng, 0, 5)]);
        }
        ploy_vec2 from = test_random_vec2(&rng, sizes[ploy_rng_int(&rng, 0, 4)]);
        all.def.radius = seed % 2 == 0 ? 1e9f : 0.001f;
        CHECK_OK(ploy_visibility_find(&all.def, from, walls, 12, all.arena, all.seen));
        for (int32_t i = 0; i < ploy_rings_corners(all.seen); i++) {
            ploy_vec2 at = ploy_rings_get(all.seen, 0).points[i];
            double reach = (double)all.def.radius * 1.000001 + fabs((double)from.x) * 2e-7 +
                           fabs((double)from.y) * 2e-7;
            CHECK((double)ploy_vec2_distance(at, from) <= reach);
        }
    }
    seeing_free(t, &all);
}

typedef struct drawn {
    int32_t polygons, points;
} drawn;

static void drawn_item(void *user, const ploy_draw_item *item) {
    drawn *seen = user;
    seen->polygons += item->shape == PLOY_SHAPE_POLYGON && item->layer == PLOY_LAYER_SENSES;
    seen->points += item->shape == PLOY_SHAPE_POINT;
}

TEST(draw_fills_what_is_seen) {
    seeing all = seeing_make(t);
    drawn seen = {0, 0};
    ploy_draw draw = {drawn_item, &seen, ~0u};
    CHECK_OK(ploy_visibility_find(&all.def, ploy_vec2_zero(), NULL, 0, all.arena, all.seen));
    ploy_visibility_draw(all.seen, ploy_vec2_zero(), ploy_agent_id_none(), &draw);
    CHECK_INT(seen.polygons, 1);
    CHECK_INT(seen.points, 1);
    seeing_free(t, &all);
}

TEST(seeing_again_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_rings *seen = NULL;
    ploy_arena *arena = NULL;
    ploy_visibility_def def = ploy_visibility_def_default();
    CHECK_OK(ploy_rings_create(&env, &seen));
    CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
    ploy_segment2 walls[MOST_WALLS];
    ploy_rng rng = ploy_rng_make(1);
    int32_t count = random_walls(&rng, 2, 8.0f, walls);
    int64_t warm = 0;
    for (int32_t i = 0; i < 5; i++) {
        CHECK_OK(ploy_visibility_find(&def, ploy_vec2_zero(), walls, count, arena, seen));
        ploy_arena_reset(arena);
        if (i == 1) warm = counts.calls;
    }
    CHECK_INT(counts.calls, warm);
    ploy_rings_destroy(seen);
    ploy_arena_destroy(arena);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result visibility_body(const ploy_env *env, void *arg) {
    test_context *t = arg;
    static const ploy_vec2 block[] = {{1, 1}, {2, 1}, {2, 2}};
    static const ploy_segment2 walls[] = {{{1, 1}, {2, 1}}, {{2, 0}, {0, 2}}};
    ploy_rings *rings = NULL;
    ploy_arena *arena = NULL;
    ploy_plain_scene *scene = NULL;
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_visibility_def def = ploy_visibility_def_default();
    ploy_vec2 from = {1, 1};
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, block, 3);
    if (result == PLOY_OK) result = ploy_arena_create(64, 0, env, &arena);
    if (result == PLOY_OK) result = ploy_plain_scene_create(&scene_def, env, &scene);
    if (result == PLOY_OK) {
        result = ploy_plain_scene_add_circle(scene, ploy_vec2_make(4, 4), 1.0f, 1u, NULL);
    }
    if (result == PLOY_OK) {
        result = ploy_visibility_find_rings(&def, from, rings, PLOY_SOLID_INSIDE, arena, rings);
        if (result != PLOY_OK) CHECK_INT(ploy_rings_corners(rings), 3);
    }
    if (result == PLOY_OK) {
        int32_t corners = ploy_rings_corners(rings);
        result = ploy_visibility_find(&def, ploy_vec2_zero(), walls, 2, arena, rings);
        if (result != PLOY_OK) CHECK_INT(ploy_rings_corners(rings), corners);
    }
    if (result == PLOY_OK) {
        result = ploy_visibility_find_scene(&def, from, scene, PLOY_SCENE_ALL, arena, rings);
    }
    ploy_plain_scene_destroy(scene);
    ploy_arena_destroy(arena);
    ploy_rings_destroy(rings);
    return result;
}

TEST(visibility_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(visibility_body, t);
}
