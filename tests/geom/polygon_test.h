// Random polygons for the tests, and slow, obvious versions over whole numbers.
#pragma once

#include "tests/geom/geom_test.h"

#include "ploy/geom/polygon.h"
#include "ploy/geom/rings.h"

enum { TEST_CORNERS = 24 };

// Corners on a small lattice; the outline may do anything.
static inline ploy_polygon test_lattice_polygon(ploy_rng *rng, int32_t size, int32_t most,
                                                ploy_vec2 *points) {
    int32_t count = ploy_rng_int(rng, 1, most);
    for (int32_t i = 0; i < count; i++) points[i] = test_lattice_vec2(rng, size);
    return ploy_polygon_make(points, count);
}

// A star round a centre: simple, of either turn, with deep notches.
static inline ploy_polygon test_star(ploy_rng *rng, ploy_vec2 centre, float size,
                                     ploy_vec2 *points) {
    int32_t count = ploy_rng_int(rng, 3, TEST_CORNERS);
    bool back = ploy_rng_chance(rng, 0.5f);
    for (int32_t i = 0; i < count; i++) {
        double share = ((double)i + 0.8 * ploy_rng_double(rng)) / (double)count;
        double angle = (back ? -2.0 : 2.0) * PLOY_PI * share, sine, cosine;
        double radius = (double)size * (0.1 + 0.9 * ploy_rng_double(rng));
        ploy_sincos(angle, &sine, &cosine);
        points[i] = test_v2((double)centre.x + radius * cosine, (double)centre.y + radius * sine);
    }
    return ploy_polygon_make(points, count);
}

static inline int64_t test_cross(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c) {
    int64_t x = (int64_t)b.x - (int64_t)a.x, y = (int64_t)b.y - (int64_t)a.y;
    return x * ((int64_t)c.y - (int64_t)a.y) - y * ((int64_t)c.x - (int64_t)a.x);
}

static inline int32_t test_sign(int64_t number) {
    return number > 0 ? 1 : (number < 0 ? -1 : 0);
}

// Whether p lies on a..b; whole numbers.
static inline bool test_on(ploy_vec2 a, ploy_vec2 b, ploy_vec2 p) {
    return test_cross(a, b, p) == 0 && p.x >= fminf(a.x, b.x) && p.x <= fmaxf(a.x, b.x) &&
           p.y >= fminf(a.y, b.y) && p.y <= fmaxf(a.y, b.y);
}

static inline bool test_meet(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, ploy_vec2 d) {
    if (test_on(a, b, c) || test_on(a, b, d) || test_on(c, d, a) || test_on(c, d, b)) return true;
    return test_sign(test_cross(a, b, c)) * test_sign(test_cross(a, b, d)) < 0 &&
           test_sign(test_cross(c, d, a)) * test_sign(test_cross(c, d, b)) < 0;
}

// By a ray to a point so far and so askew that it passes no lattice point on its way.
static inline ploy_location test_locate(ploy_polygon polygon, ploy_vec2 point, int32_t *winding) {
    ploy_vec2 far_off = {point.x + 1000003.0f, point.y + 1.0f};
    *winding = 0;
    bool odd = false;
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_segment2 edge = ploy_polygon_edge(polygon, i);
        if (test_on(edge.from, edge.to, point)) return PLOY_LOCATION_ON;
        if (!test_meet(point, far_off, edge.from, edge.to)) continue;
        odd = !odd;
        *winding += test_cross(edge.from, edge.to, point) > 0 ? 1 : -1;
    }
    return odd ? PLOY_LOCATION_INSIDE : PLOY_LOCATION_OUTSIDE;
}

static inline bool test_simple(ploy_polygon polygon) {
    int32_t n = polygon.count;
    for (int32_t i = 0; i < n; i++) {
        ploy_segment2 a = ploy_polygon_edge(polygon, i);
        if (ploy_vec2_equal(a.from, a.to)) return false;
        for (int32_t k = 0; k < n; k++) {
            ploy_segment2 b = ploy_polygon_edge(polygon, k);
            if (k == i) continue;
            if (k == (i + 1) % n) { // they may share a.to and nothing else
                if (test_on(a.from, a.to, b.to) || test_on(b.from, b.to, a.from)) return false;
            } else if (k != (i + n - 1) % n && test_meet(a.from, a.to, b.from, b.to)) {
                return false;
            }
        }
    }
    return n >= 3;
}

static inline ploy_polygon test_moved(ploy_polygon polygon, ploy_vec2 by, ploy_vec2 *points) {
    for (int32_t i = 0; i < polygon.count; i++) points[i] = ploy_vec2_add(polygon.points[i], by);
    return ploy_polygon_make(points, polygon.count);
}

// From a point to the nearest outline of the rings; INFINITY without any.
static inline float test_outline_distance(const ploy_rings *rings, ploy_vec2 point) {
    float best = INFINITY;
    for (int32_t i = 0; i < ploy_rings_count(rings); i++) {
        ploy_polyline outline = ploy_polygon_outline(ploy_rings_get(rings, i));
        best = fminf(best, sqrtf(ploy_polyline_find(&outline, point).distance_sq));
    }
    return best;
}
