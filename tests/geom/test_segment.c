#include "geom/geom_internal.h"
#include "tests/geom/geom_test.h"

#include "ploy/geom/angle.h"
#include "ploy/geom/segment.h"

static ploy_segment2 seg(double x1, double y1, double x2, double y2) {
    return ploy_segment2_make(test_v2(x1, y1), test_v2(x2, y2));
}

// Exact answers for whole coordinates: sides by integer cross products.
static int64_t whole_side(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c) {
    int64_t ax = (int64_t)a.x, ay = (int64_t)a.y;
    return ((int64_t)b.x - ax) * ((int64_t)c.y - ay) - ((int64_t)b.y - ay) * ((int64_t)c.x - ax);
}

static int32_t sign_of(int64_t v) {
    return (v > 0) - (v < 0);
}

static bool whole_on(ploy_segment2 s, ploy_vec2 p) {
    return whole_side(s.from, s.to, p) == 0 && p.x >= fminf(s.from.x, s.to.x) &&
           p.x <= fmaxf(s.from.x, s.to.x) && p.y >= fminf(s.from.y, s.to.y) &&
           p.y <= fmaxf(s.from.y, s.to.y);
}

static bool whole_crosses(ploy_segment2 a, ploy_segment2 b) {
    return sign_of(whole_side(a.from, a.to, b.from)) * sign_of(whole_side(a.from, a.to, b.to)) <
               0 &&
           sign_of(whole_side(b.from, b.to, a.from)) * sign_of(whole_side(b.from, b.to, a.to)) < 0;
}

static bool whole_touches(ploy_segment2 a, ploy_segment2 b) {
    return whole_crosses(a, b) || whole_on(a, b.from) || whole_on(a, b.to) || whole_on(b, a.from) ||
           whole_on(b, a.to);
}

// MTH-11
TEST(segments_cross_at_the_point_both_share) {
    ploy_crossing2 x;
    CHECK(ploy_segment2_crosses(seg(0, 0, 10, 0), seg(4, -3, 4, 9), &x));
    CHECK_NEAR(x.r, 0.4, 1e-7);
    CHECK_NEAR(x.s, 0.25, 1e-7);
    CHECK_VEC2(x.point, 4, 0, 0);
    CHECK_SAME(x.distance, 4);
}

TEST(open_and_inclusive_forms_differ_at_the_ends) {
    static const struct {
        const char *row;
        double a[4], b[4];
        bool crosses, touches;
        double x, y; // of the shared point nearest to a's start
    } rows[] = {
        {"crossing", {0, 0, 4, 4}, {0, 4, 4, 0}, true, true, 2, 2},
        {"apart", {0, 0, 4, 4}, {5, 0, 9, 1}, false, false, 0, 0},
        {"end on inside", {0, 0, 4, 0}, {2, 0, 2, 5}, false, true, 2, 0},
        {"ends meet", {0, 0, 4, 0}, {4, 0, 9, 5}, false, true, 4, 0},
        {"parallel", {0, 0, 4, 0}, {0, 1, 4, 1}, false, false, 0, 0},
        {"one line, apart", {0, 0, 4, 0}, {5, 0, 9, 0}, false, false, 0, 0},
        {"one line, touching", {0, 0, 4, 0}, {4, 0, 9, 0}, false, true, 4, 0},
        {"one line, overlapping", {0, 0, 4, 0}, {9, 0, 2, 0}, false, true, 2, 0},
        {"one line, inside", {0, 0, 9, 0}, {3, 0, 5, 0}, false, true, 3, 0},
        {"one line, around", {3, 0, 5, 0}, {9, 0, 0, 0}, false, true, 3, 0},
        {"the same", {1, 2, 3, 4}, {1, 2, 3, 4}, false, true, 1, 2},
        {"a point on it", {2, 2, 2, 2}, {0, 0, 4, 4}, false, true, 2, 2},
        {"a point off it", {2, 3, 2, 3}, {0, 0, 4, 4}, false, false, 0, 0},
        {"a point beyond it", {5, 5, 5, 5}, {0, 0, 4, 4}, false, false, 0, 0},
        {"b is a point on it", {0, 0, 4, 4}, {2, 2, 2, 2}, false, true, 2, 2},
        {"b is a point off it", {0, 0, 4, 4}, {2, 3, 2, 3}, false, false, 0, 0},
        {"two points, equal", {2, 3, 2, 3}, {2, 3, 2, 3}, false, true, 2, 3},
        {"two points, not", {2, 3, 2, 3}, {2, 4, 2, 4}, false, false, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        const double *a = rows[i].a, *b = rows[i].b;
        ploy_segment2 first = seg(a[0], a[1], a[2], a[3]), second = seg(b[0], b[1], b[2], b[3]);
        ploy_crossing2 x = {-1, -1, {-1, -1}, -1};
        CHECK(ploy_segment2_crosses(first, second, NULL) == rows[i].crosses);
        CHECK(ploy_segment2_touches(first, second, &x) == rows[i].touches);
        if (!rows[i].touches) {
            CHECK_SAME(x.r, -1); // not written
            continue;
        }
        CHECK_VEC2(x.point, rows[i].x, rows[i].y, 1e-6);
        CHECK_VEC2(ploy_segment2_at(second, x.s), rows[i].x, rows[i].y, 1e-6);
        CHECK_NEAR(x.distance, ploy_vec2_distance(first.from, x.point), 1e-6);
    }
}

TEST(crossing_and_touching_agree_with_exact_integers) {
    for (uint64_t seed = 0; seed < 40000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        int32_t size = seed % 2 == 0 ? 3 : 2000; // small: full of degenerate cases
        ploy_vec2 p[4];
        for (int32_t i = 0; i < 4; i++) p[i] = test_lattice_vec2(&rng, size);
        ploy_segment2 a = {p[0], p[1]}, b = {p[2], p[3]};
        ploy_crossing2 x;
        CHECK(ploy_segment2_crosses(a, b, NULL) == whole_crosses(a, b));
        bool touches = ploy_segment2_touches(a, b, &x);
        CHECK(touches == whole_touches(a, b));
        CHECK((ploy_segment2_gap_sq(a, b) == 0.0f) == touches);
        if (!touches) continue;
        CHECK(x.r >= 0 && x.r <= 1 && x.s >= 0 && x.s <= 1);
        CHECK_NEAR(ploy_segment2_distance(a, x.point), 0, 1e-3);
        CHECK_NEAR(ploy_segment2_distance(b, x.point), 0, 1e-3);
    }
}

TEST(the_nearest_point_of_a_segment_beats_every_sample) {
    CHECK_VEC2(ploy_segment2_closest(seg(0, 0, 10, 0), test_v2(3, 4), NULL), 3, 0, 0);
    CHECK_SAME(ploy_segment2_distance(seg(0, 0, 10, 0), test_v2(13, 4)), 5);
    CHECK_SAME(ploy_segment2_distance_sq(seg(2, 1, 2, 1), test_v2(5, 5)), 25);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = seed % 3 == 0 ? 1e9f : 10.0f;
        ploy_segment2 s = {test_random_vec2(&rng, size), test_random_vec2(&rng, size)};
        if (seed % 7 == 0) s.to = s.from;
        ploy_vec2 p = test_random_vec2(&rng, size);
        float at = -1, got = ploy_segment2_distance(s, p);
        ploy_vec2 nearest = ploy_segment2_closest(s, p, &at);
        CHECK(at >= 0 && at <= 1);
        CHECK_NEAR(ploy_vec2_distance(nearest, p), got, size * 2e-7);
        for (int32_t i = 0; i <= 50; i++) {
            ploy_vec2 sample = ploy_segment2_at(s, (float)i / 50);
            CHECK(ploy_vec2_distance(sample, p) >= got - size * 2e-7f);
        }
    }
}

TEST(the_gap_between_segments_beats_every_pair_of_samples) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_segment2 a = {test_random_vec2(&rng, 10), test_random_vec2(&rng, 10)};
        ploy_segment2 b = {test_random_vec2(&rng, 10), test_random_vec2(&rng, 10)};
        float gap = sqrtf(ploy_segment2_gap_sq(a, b)), best = INFINITY;
        for (int32_t i = 0; i <= 200; i++) {
            best = fminf(best, ploy_segment2_distance(a, ploy_segment2_at(b, (float)i / 200)));
        }
        CHECK(gap <= best + 1e-5f && gap >= best - 0.15f);
    }
}

TEST(a_ray_meets_a_segment_from_either_side) {
    ploy_hit2 hit;
    ploy_ray2 ray = ploy_ray2_make(test_v2(0, 0), test_v2(5, 0));
    CHECK(ploy_ray2_hit_segment(ray, seg(3, -1, 3, 1), &hit));
    CHECK_SAME(hit.distance, 3);
    CHECK_VEC2(hit.point, 3, 0, 0);
    CHECK_VEC2(hit.normal, -1, 0, 0);
    CHECK(!hit.inside);
    CHECK(ploy_ray2_hit_segment(ray, seg(3, 1, 3, -1), &hit));
    CHECK_VEC2(hit.normal, -1, 0, 0);
    CHECK(!ploy_ray2_hit_segment(ray, seg(-3, -1, -3, 1), NULL)); // behind
    CHECK(!ploy_ray2_hit_segment(ray, seg(3, 1, 3, 2), NULL));    // beside
    ray.length = 2.5f;
    CHECK(!ploy_ray2_hit_segment(ray, seg(3, -1, 3, 1), NULL)); // too far
    ray.length = 3;
    CHECK(ploy_ray2_hit_segment(ray, seg(3, -1, 3, 1), NULL)); // ends count
    // So do the segment's own, whichever way it runs and lies.
    CHECK(ploy_ray2_hit_segment(ray, seg(2, 0, 3, 1), NULL));
    CHECK(ploy_ray2_hit_segment(ray, seg(3, 1, 2, 0), NULL));
    CHECK(ploy_ray2_hit_segment(ray, seg(2, 0, 3, -1), NULL));
    CHECK(ploy_ray2_hit_segment(ray, seg(3, -1, 2, 0), NULL));
    // Along the segment: its nearer end, or at once.
    CHECK(ploy_ray2_hit_segment(ray, seg(9, 0, 2, 0), &hit));
    CHECK_SAME(hit.distance, 2);
    CHECK_VEC2(hit.normal, -1, 0, 0);
    CHECK(ploy_ray2_hit_segment(ray, seg(0.5, 0, 2, 0), &hit));
    CHECK_SAME(hit.distance, 0.5);
    CHECK(ploy_ray2_hit_segment(ray, seg(-9, 0, 2, 0), &hit));
    CHECK_SAME(hit.distance, 0);
    CHECK(!ploy_ray2_hit_segment(ray, seg(-9, 0, -2, 0), NULL));
    // A ray without direction meets only what it stands on.
    ploy_ray2 still = ploy_ray2_between(test_v2(1, 1), test_v2(1, 1));
    CHECK(ploy_ray2_hit_segment(still, seg(0, 0, 2, 2), &hit));
    CHECK_SAME(hit.distance, 0);
    CHECK(!ploy_ray2_hit_segment(still, seg(0, 0, 2, 1), NULL));
    CHECK(!ploy_ray2_hit_segment(ray, seg(NAN, 0, 3, 1), NULL));
    CHECK(!ploy_segment2_touches(seg(NAN, 0, 3, 1), seg(0, 0, 1, 1), NULL));
    CHECK(!ploy_segment2_crosses(seg(NAN, 0, 3, 1), seg(0, 0, 1, 1), NULL));
}

TEST(a_miss_writes_nothing) {
    ploy_hit2 hit = {7, {7, 7}, {7, 7}, true}, before = hit;
    ploy_crossing2 x = {7, 7, {7, 7}, 7};
    ploy_ray2 ray = ploy_ray2_make(test_v2(0, 0), test_v2(1, 0));
    CHECK(!ploy_ray2_hit_segment(ray, seg(3, 1, 3, 2), &hit));
    CHECK(!ploy_ray2_hit_plane(ray, ploy_plane2_make(test_v2(0, 1), test_v2(0, 1)), &hit));
    CHECK_BYTES(&hit, &before, offsetof(ploy_hit2, inside) + 1); // not the padding
    CHECK(!ploy_segment2_crosses(seg(0, 0, 1, 0), seg(0, 1, 1, 1), &x));
    CHECK(!ploy_segment2_touches(seg(0, 0, 1, 0), seg(0, 1, 1, 1), &x));
    CHECK(x.r == 7 && x.s == 7 && x.distance == 7);
}

TEST(nothing_slips_out_of_a_closed_room_not_even_through_its_corners) {
    for (uint64_t seed = 0; seed < 400; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        int32_t n = ploy_rng_int(&rng, 4, 12);
        ploy_vec2 corner[12], centre = test_random_vec2(&rng, seed % 2 == 0 ? 10 : 1e5f);
        for (int32_t i = 0; i < n; i++) { // star-shaped: every corner is in sight of the centre
            float angle = ((float)i + ploy_rng_range(&rng, 0.1f, 0.9f)) * PLOY_TWO_PI_F / (float)n;
            corner[i] = ploy_vec2_add_scaled(centre, ploy_angle_heading(angle),
                                             ploy_rng_range(&rng, 1, 50));
        }
        for (int32_t k = 0; k < 60; k++) {
            // Half of the rays go exactly at a corner and beyond.
            ploy_vec2 to =
                k % 2 == 0 ? corner[(k / 2) % n] : ploy_vec2_add(centre, test_random_vec2(&rng, 1));
            ploy_vec2 way = ploy_vec2_sub(to, centre);
            if (ploy_vec2_is_zero(way)) continue;
            ploy_ray2 ray = ploy_ray2_make(centre, way);
            ploy_segment2 line = {centre, ploy_ray2_at(ray, 200)};
            int32_t met = 0, touched = 0;
            for (int32_t i = 0; i < n; i++) {
                ploy_segment2 wall = {corner[i], corner[(i + 1) % n]};
                met += ploy_ray2_hit_segment(ray, wall, NULL);
                touched += ploy_segment2_touches(line, wall, NULL);
            }
            CHECK(met >= 1);
            CHECK(touched >= 1);
        }
    }
}

TEST(a_ray_agrees_with_the_segment_it_covers) {
    for (uint64_t seed = 0; seed < 10000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = seed % 3 == 0 ? 1e9f : (seed % 3 == 1 ? 1e-3f : 10.0f);
        ploy_segment2 way = {test_random_vec2(&rng, size), test_random_vec2(&rng, size)};
        ploy_segment2 wall = {test_random_vec2(&rng, size), test_random_vec2(&rng, size)};
        ploy_crossing2 x;
        ploy_hit2 hit;
        bool crosses = ploy_segment2_touches(way, wall, &x);
        if (crosses && (x.r < 1e-5f || x.r > 1 - 1e-5f || x.s < 1e-5f || x.s > 1 - 1e-5f)) continue;
        if (!crosses && ploy_segment2_gap_sq(way, wall) < size * size * 1e-8f) continue;
        bool met = ploy_ray2_hit_segment(ploy_ray2_between(way.from, way.to), wall, &hit);
        CHECK(met == crosses);
        if (!met) continue;
        ploy_vec2 along = ploy_vec2_normalise(ploy_vec2_sub(way.to, way.from));
        ploy_vec2 across = ploy_vec2_normalise(ploy_vec2_sub(wall.to, wall.from));
        float slope = fabsf(ploy_vec2_cross(along, across));
        CHECK_NEAR(hit.distance, x.distance, size * 4e-7f / slope);
        CHECK(ploy_vec2_dot(hit.normal, along) <= 0);
        CHECK_NEAR(ploy_vec2_length(hit.normal), 1, 2e-7);
        CHECK_NEAR(ploy_vec2_dot(hit.normal, across), 0, 2e-7);
    }
}

// MTH-11: a boundary listed clockwise on a y-down screen has inward normals; the numbers stay.
TEST(walls_listed_around_a_room_face_inward) {
    ploy_vec2 corner[4] = {{0, 0}, {10, 0}, {10, 8}, {0, 8}};
    for (int32_t i = 0; i < 4; i++) {
        TEST_SEED(i);
        ploy_wall wall = ploy_wall_make(corner[i], corner[(i + 1) % 4]);
        CHECK_INT(ploy_plane2_side(ployi_wall_plane(wall), test_v2(5, 4)), 1);
        CHECK_INT(ploy_plane2_side(ployi_wall_plane(wall), test_v2(50, 4)), i == 1 ? -1 : 1);
        CHECK_NEAR(ploy_vec2_length(wall.normal), 1, 0);
    }
    CHECK_VEC2(ploy_wall_make(corner[0], corner[1]).normal, 0, 1, 0);
    CHECK_VEC2(ploy_wall_make(corner[0], corner[0]).normal, 0, 0, 0);
}

// MTH-11: ray and plane, for a ball and a wall.
TEST(planes_know_their_sides_and_where_rays_meet_them) {
    ploy_plane2 plane = ploy_plane2_make(test_v2(0, 2), test_v2(0, 9));
    CHECK_SAME(ploy_plane2_distance(plane, test_v2(7, 5)), 3);
    CHECK_SAME(ploy_plane2_distance(plane, test_v2(7, -1)), -3);
    CHECK_INT(ploy_plane2_side(plane, test_v2(7, 2)), 0);
    ploy_hit2 hit;
    CHECK(ploy_ray2_hit_plane(ploy_ray2_make(test_v2(0, 0), test_v2(3, 4)), plane, &hit));
    CHECK_NEAR(hit.distance, 2.5, 1e-6);
    CHECK_VEC2(hit.point, 1.5, 2, 1e-6);
    CHECK_VEC2(hit.normal, 0, -1, 0); // toward the ray
    CHECK(!ploy_ray2_hit_plane(ploy_ray2_make(test_v2(0, 0), test_v2(0, -1)), plane, NULL));
    CHECK(!ploy_ray2_hit_plane(ploy_ray2_make(test_v2(0, 0), test_v2(1, 0)), plane, NULL));
    CHECK(ploy_ray2_hit_plane(ploy_ray2_make(test_v2(0, 2), test_v2(1, 0)), plane, &hit));
    CHECK_SAME(hit.distance, 0);
    ploy_plane3 floor_plane = ploy_plane3_make(test_v3(0, 0, 1), test_v3(0, 0, 2));
    CHECK_SAME(ploy_plane3_distance(floor_plane, test_v3(1, 2, 3)), 2);
    CHECK_INT(ploy_plane3_side(floor_plane, test_v3(1, 2, 0)), -1);
    ploy_plane3 slope = ploy_plane3_make(test_v3(2, 3, 4), test_v3(1, 1, 1));
    CHECK_NEAR(ploy_plane3_distance(slope, test_v3(3, 5, 7)), 6 / sqrt(3.0), 1e-6);
    ploy_hit3 hit3;
    ploy_ray3 down = ploy_ray3_make(test_v3(0, 0, 5), test_v3(3, 0, -4));
    CHECK(ploy_ray3_hit_plane(down, floor_plane, &hit3));
    CHECK_NEAR(hit3.distance, 5, 1e-6);
    CHECK_VEC3(hit3.point, 3, 0, 1, 1e-6);
    CHECK_VEC3(hit3.normal, 0, 0, 1, 0);
    ploy_ray3 level = ploy_ray3_make(test_v3(5, 5, 1), test_v3(1, 0, 0)); // in the plane
    CHECK(ploy_ray3_hit_plane(level, floor_plane, &hit3));
    CHECK_SAME(hit3.distance, 0);
    level.origin.z = 2;
    CHECK(!ploy_ray3_hit_plane(level, floor_plane, &hit3));
    down.length = 4.9f;
    CHECK(!ploy_ray3_hit_plane(down, floor_plane, NULL));
    CHECK_VEC3(ploy_ray3_at(ploy_ray3_between(test_v3(1, 1, 1), test_v3(1, 1, 3)), 2), 1, 1, 3, 0);
    CHECK(!ploy_ray2_hit_plane(ploy_ray2_make(test_v2(NAN, 0), test_v2(3, 4)), plane, NULL));
}

TEST(far_and_tiny_shapes_give_finite_answers) {
    static const float sizes[] = {1e9f, 1e-9f, 1e-30f, 1e15f};
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        for (uint64_t seed = 0; seed < 500; seed++) {
            TEST_SEED(seed);
            ploy_rng rng = ploy_rng_make(seed);
            float size = sizes[k];
            ploy_segment2 a = {test_random_vec2(&rng, size), test_random_vec2(&rng, size)};
            ploy_segment2 b = {test_random_vec2(&rng, size), test_random_vec2(&rng, size)};
            ploy_crossing2 x;
            ploy_hit2 hit;
            CHECK(ploy_is_finite(ploy_segment2_gap_sq(a, b)));
            CHECK(ploy_is_finite(ploy_segment2_length(a)));
            if (ploy_segment2_touches(a, b, &x)) {
                CHECK(ploy_vec2_is_finite(x.point) && ploy_is_finite(x.distance));
            }
            if (ploy_ray2_hit_segment(ploy_ray2_make(a.from, a.to), b, &hit)) {
                CHECK(ploy_vec2_is_finite(hit.point) && ploy_vec2_is_finite(hit.normal));
                CHECK(ploy_is_finite(hit.distance));
            }
        }
    }
}
