// Rays and moving bodies against polygons: on a lattice against the stretches of a line that lie
// inside, elsewhere against small steps along the way.
#include "tests/geom/polygon_test.h"

#include "ploy/geom/polygon_hit.h"

// Where a line along x enters the inside, by looking between every two places where an edge is met.
// @return the first entrance at or behind origin.x in the sense of the direction, or INFINITY.
static double enter_slow(ploy_polygon polygon, ploy_vec2 origin, double direction) {
    double at[4 * TEST_CORNERS];
    int32_t count = 0;
    at[count++] = (double)origin.x;
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_segment2 edge = ploy_polygon_edge(polygon, i);
        double ay = (double)(edge.from.y - origin.y), by = (double)(edge.to.y - origin.y);
        if (ay * by > 0.0) continue;
        if (ay == by) {
            at[count++] = (double)edge.from.x;
            at[count++] = (double)edge.to.x;
        } else {
            at[count++] =
                (double)edge.from.x + ((double)edge.to.x - (double)edge.from.x) * (ay / (ay - by));
        }
    }
    for (int32_t i = 1; i < count; i++) { // by distance along the ray
        double value = at[i];
        int32_t k = i;
        for (; k > 0 && (at[k - 1] - value) * direction > 0.0; k--) at[k] = at[k - 1];
        at[k] = value;
    }
    for (int32_t i = 0; i + 1 < count; i++) {
        double distance = (at[i] - (double)origin.x) * direction;
        if (distance < 0.0 || (at[i + 1] - at[i]) * direction < 1e-6) continue;
        ploy_vec2 middle = test_v2((at[i] + at[i + 1]) * 0.5, (double)origin.y);
        if (ploy_polygon_locate(polygon, middle) == PLOY_LOCATION_INSIDE) return distance;
    }
    return INFINITY;
}

TEST(a_ray_along_an_axis_enters_where_the_inside_begins) {
    int64_t met = 0, tried = 0;
    for (int64_t seed = 0; seed < test_rounds(30000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_polygon polygon = test_lattice_polygon(&rng, 4, 8, points);
        ploy_vec2 origin = test_lattice_vec2(&rng, 5);
        double way = ploy_rng_chance(&rng, 0.5f) ? 1.0 : -1.0;
        if (!ploy_polygon_is_simple(polygon)) continue;
        tried++;
        ploy_ray2 ray = ploy_ray2_make(origin, test_v2(way, 0));
        ploy_hit2 hit = {-1, {0, 0}, {0, 0}, false};
        bool got = ploy_ray2_hit_polygon(ray, polygon, &hit);
        CHECK(got == ploy_ray2_hit_polygon(ray, polygon, NULL));
        if (ploy_polygon_locate(polygon, origin) == PLOY_LOCATION_INSIDE) {
            CHECK(got && hit.inside);
            CHECK_SAME(hit.distance, 0);
            CHECK(ploy_polygon_distance_sq(polygon, hit.point) < 1e-10f);
            CHECK_NEAR(ploy_vec2_length(hit.normal), 1, 1e-5f);
            continue;
        }
        double want = enter_slow(polygon, origin, way);
        CHECK(got == (want < INFINITY));
        if (!got) continue;
        met++;
        CHECK_NEAR(hit.distance, want, 1e-5);
        CHECK(!hit.inside);
        CHECK_VEC2(hit.point, (double)origin.x + way * want, origin.y, 1e-5);
        CHECK((double)hit.normal.x * way <= 1e-6);
        ray.length = hit.distance * 0.999f - 1e-4f; // too short
        CHECK(!ploy_ray2_hit_polygon(ray, polygon, NULL));
    }
    CHECK(met > 100 && tried > 1000);
}

TEST(a_ray_from_outside_meets_the_first_edge) {
    for (int64_t seed = 0; seed < test_rounds(5000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        float size = seed % 3 == 0 ? 1e9f : (seed % 3 == 1 ? 1e-3f : 10.0f);
        ploy_polygon star = test_star(&rng, ploy_vec2_zero(), size, points);
        ploy_ray2 ray =
            ploy_ray2_make(test_random_vec2(&rng, size * 2), test_random_vec2(&rng, 1.0f));
        if (ploy_polygon_contains(star, ray.origin)) continue;
        float first = INFINITY;
        for (int32_t i = 0; i < star.count; i++) {
            ploy_hit2 at;
            if (ploy_ray2_hit_segment(ray, ploy_polygon_edge(star, i), &at)) {
                first = fminf(first, at.distance);
            }
        }
        ploy_hit2 hit;
        bool met = ploy_ray2_hit_polygon(ray, star, &hit);
        CHECK(met == (first < INFINITY));
        if (!met) continue;
        CHECK_NEAR(hit.distance, first, size * 1e-5f);
        CHECK(ploy_vec2_dot(hit.normal, ray.direction) <= 0.0f);
        CHECK_NEAR(ploy_vec2_length(hit.normal), 1, 1e-5f);
    }
}

TEST(touching_and_leaving_meet_nothing) {
    static const ploy_vec2 box[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    static const struct {
        const char *row;
        ploy_vec2 from, way;
        float want; // -1: nothing
    } rows[] = {
        {"into the left side", {-1, 1}, {1, 0}, 1},
        {"into a corner", {-1, -1}, {1, 1}, 1.41421356f},
        {"past a corner", {-1, 1}, {1, -1}, -1},
        {"along an edge", {-1, 0}, {1, 0}, -1},
        {"on an edge, out", {1, 0}, {0, -1}, -1},
        {"on an edge, in", {1, 0}, {0, 1}, 0},
        {"on a corner, away", {0, 0}, {1, -1}, -1},
        {"on a corner, in", {0, 0}, {1, 1}, 0},
        {"on a corner, along", {0, 0}, {1, 0}, -1},
        {"without direction", {-1, 1}, {0, 0}, -1},
        {"away", {-1, 1}, {-1, 0}, -1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_hit2 hit = {-1, {0, 0}, {0, 0}, false};
        ploy_ray2 ray = ploy_ray2_make(rows[i].from, rows[i].way);
        CHECK(ploy_ray2_hit_polygon(ray, ploy_polygon_make(box, 4), &hit) == (rows[i].want >= 0));
        CHECK_NEAR(hit.distance, rows[i].want, 1e-6f);
        ploy_vec2 back[4];
        memcpy(back, box, sizeof back);
        ploy_polygon_reverse(back, 4);
        CHECK(ploy_ray2_hit_polygon(ray, ploy_polygon_make(back, 4), NULL) == (rows[i].want >= 0));
    }
    t->row = "thin";
    ploy_hit2 hit;
    CHECK(ploy_ray2_hit_polygon(ploy_ray2_make(test_v2(1, -1), test_v2(0, 1)),
                                ploy_polygon_make(box, 2), &hit));
    CHECK_SAME(hit.distance, 1);
    CHECK(!ploy_ray2_hit_polygon(ploy_ray2_make(test_v2(1, -1), test_v2(0, 1)),
                                 ploy_polygon_make(NULL, 0), &hit));
    ploy_ray2 bad = {{NAN, 0}, {1, 0}, 5};
    CHECK(!ploy_ray2_hit_polygon(bad, ploy_polygon_make(box, 4), &hit));
}

// The gap between a body that went so far and the polygon, in metres.
typedef float (*gap_fn)(const void *body, ploy_vec2 moved, ploy_polygon polygon);

static float circle_gap(const void *body, ploy_vec2 moved, ploy_polygon polygon) {
    const ploy_sweep *sweep = body;
    ploy_vec2 at = ploy_vec2_add(sweep->ray.origin, moved);
    return sqrtf(ploy_polygon_distance_sq(polygon, at)) - sweep->radius;
}

static float box_gap(const void *body, ploy_vec2 moved, ploy_polygon polygon) {
    const ploy_box2 *box = body;
    ploy_vec2 corners[4] = {box->min, {box->max.x, box->min.y}, box->max, {box->min.x, box->max.y}};
    for (int32_t i = 0; i < 4; i++) corners[i] = ploy_vec2_add(corners[i], moved);
    return sqrtf(ploy_polygon_gap_sq(ploy_polygon_make(corners, 4), polygon));
}

// Nothing is touched on the way there, and there it is.
static void check_first(test_context *t, gap_fn gap, const void *body, ploy_vec2 way, float length,
                        ploy_polygon polygon, bool met, const ploy_hit2 *hit) {
    float until = met ? hit->distance : length;
    for (int32_t i = 0; i < 40; i++) {
        float at = until * (float)i / 40.0f;
        CHECK(gap(body, ploy_vec2_scale(way, at), polygon) > -1e-4f);
        // Nearer than a step may shrink, the touch would be before the next step.
        if (met && until - at > 1e-2f && gap == box_gap) {
            CHECK(gap(body, ploy_vec2_scale(way, at), polygon) > 0.0f);
        }
    }
    if (!met) return;
    ploy_vec2 moved = ploy_vec2_scale(way, hit->distance);
    CHECK_NEAR(gap(body, moved, polygon), 0, 1e-4f);
    CHECK(ploy_polygon_distance_sq(polygon, hit->point) < 1e-8f);
    CHECK_NEAR(ploy_vec2_length(hit->normal), 1, 1e-5f);
    CHECK(ploy_vec2_dot(hit->normal, way) <= 1e-5f);
}

TEST(a_moving_circle_stops_where_it_touches) {
    int64_t hits = 0;
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_polygon star = test_star(&rng, ploy_vec2_zero(), 10.0f, points);
        ploy_sweep sweep =
            ploy_sweep_between(test_random_vec2(&rng, 20.0f), test_random_vec2(&rng, 20.0f),
                               ploy_rng_range(&rng, 0.01f, 3.0f));
        float start = circle_gap(&sweep, ploy_vec2_zero(), star);
        if (fabsf(start) < 1e-4f) continue;
        ploy_hit2 hit;
        bool met = ploy_sweep_hit_polygon(sweep, star, &hit);
        if (start < 0.0f) {
            CHECK(met && hit.inside);
            CHECK_SAME(hit.distance, 0);
            CHECK_NEAR(ploy_vec2_length(hit.normal), 1, 1e-5f);
            ploy_vec2 way = ploy_vec2_sub(sweep.ray.origin, hit.point);
            bool within = ploy_polygon_contains(star, sweep.ray.origin);
            CHECK((ploy_vec2_dot(way, hit.normal) > 0.0f) == !within);
            continue;
        }
        hits += met;
        check_first(t, circle_gap, &sweep, sweep.ray.direction, sweep.ray.length, star, met, &hit);
    }
    CHECK(hits > 200);
    ploy_sweep sweep = ploy_sweep_between(test_v2(0, 0), test_v2(5, 0), 1.0f);
    CHECK(!ploy_sweep_hit_polygon(sweep, ploy_polygon_make(NULL, 0), NULL));
    const ploy_vec2 post[] = {{4, 0}}; // a single corner is a post
    ploy_hit2 hit;
    CHECK(ploy_sweep_hit_polygon(sweep, ploy_polygon_make(post, 1), &hit));
    CHECK_NEAR(hit.distance, 3, 1e-6f);
    sweep.radius = 0.0f; // no thicker than a ray
    const ploy_vec2 wall[] = {{2, -1}, {3, -1}, {3, 1}, {2, 1}};
    CHECK(ploy_sweep_hit_polygon(sweep, ploy_polygon_make(wall, 4), &hit));
    CHECK_NEAR(hit.distance, 2, 1e-6f);
}

TEST(a_moving_box_stops_where_it_touches) {
    int64_t hits = 0;
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_polygon star = test_star(&rng, ploy_vec2_zero(), 10.0f, points);
        ploy_vec2 low = test_random_vec2(&rng, 20.0f);
        ploy_box2 box = {low,
                         {low.x + ploy_rng_range(&rng, 0, 4), low.y + ploy_rng_range(&rng, 0, 4)}};
        ploy_vec2 way = ploy_vec2_normalise(test_random_vec2(&rng, 1.0f));
        if (seed % 4 == 0) way = test_v2(seed % 8 == 0 ? 1 : -1, 0);
        float start = box_gap(&box, ploy_vec2_zero(), star);
        ploy_hit2 hit;
        bool met = ploy_box2_sweep_hit_polygon(box, way, 40.0f, star, &hit);
        CHECK(met == ploy_box2_sweep_hit_polygon(box, way, 40.0f, star, NULL));
        if (start == 0.0f) {
            CHECK(met);
            if (hit.distance > 0.0f) CHECK(hit.distance < 1e-3f); // in touch to the last digit
            continue;
        }
        hits += met;
        check_first(t, box_gap, &box, way, 40.0f, star, met, &hit);
    }
    CHECK(hits > 200);
}

TEST(a_box_slides_along_a_wall) {
    static const ploy_vec2 wall[] = {{0, 0}, {4, 0}, {4, 2}, {0, 2}};
    ploy_polygon polygon = ploy_polygon_make(wall, 4);
    ploy_box2 above = {{-2, 2}, {-1, 3}}, before = {{-2, 0.5f}, {-1, 1}}, within = {{1, 1}, {9, 9}};
    ploy_box2 dot = {{-3, 1}, {-3, 1}};
    ploy_hit2 hit;
    CHECK(!ploy_box2_sweep_hit_polygon(above, test_v2(1, 0), 20, polygon, &hit));
    CHECK(ploy_box2_sweep_hit_polygon(before, test_v2(1, 0), 20, polygon, &hit));
    CHECK_SAME(hit.distance, 1);
    CHECK_VEC2(hit.normal, -1, 0, 0);
    CHECK_VEC2(hit.point, 0, 0.75, 0);
    CHECK(!ploy_box2_sweep_hit_polygon(before, test_v2(1, 0), 0.5f, polygon, &hit));
    CHECK(!ploy_box2_sweep_hit_polygon(before, test_v2(0, 0), 5, polygon, &hit));
    CHECK(ploy_box2_sweep_hit_polygon(within, test_v2(0, 0), 5, polygon, &hit));
    CHECK(hit.inside);
    CHECK(ploy_box2_sweep_hit_polygon(dot, test_v2(1, 0), 5, polygon, &hit));
    CHECK_SAME(hit.distance, 3);
    CHECK(!ploy_box2_sweep_hit_polygon(ploy_box2_empty(), test_v2(1, 0), 5, polygon, &hit));
}
