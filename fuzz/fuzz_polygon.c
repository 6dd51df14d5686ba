// Arbitrary rings: boolean operations and offsets on them, and the questions about polygons. The
// first byte chooses the operation, the second says how corners are read: as whole floats or as
// points of a small lattice, where everything touches.
#include <stdlib.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/boolean.h"
#include "ploy/geom/hull.h"
#include "ploy/geom/offset.h"
#include "ploy/geom/polygon_hit.h"
#include "ploy/geom/simplify.h"
#include "ploy/geom/visibility.h"

enum { MOST_CORNERS = 48 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
    if (!condition) abort();
}

static void check_clean(const ploy_rings *rings) {
    for (int32_t i = 0; i < ploy_rings_count(rings); i++) {
        check(ploy_polygon_is_simple(ploy_rings_get(rings, i)));
    }
}

// All questions about one polygon: answers, and no trap.
static void ask(const ploy_vec2 *points, int32_t count, ploy_arena *arena) {
    ploy_polygon polygon = ploy_polygon_make(points, count);
    ploy_vec2 out[MOST_CORNERS];
    ploy_vec2 point = points[count / 2];
    bool finite = true;
    for (int32_t i = 0; i < count; i++) {
        finite = finite && ploy_is_finite(points[i].x) && ploy_is_finite(points[i].y);
    }
    (void)ploy_polygon_centroid(polygon);
    (void)ploy_polygon_is_convex(polygon);
    check(!finite || ploy_polygon_contains(polygon, point)); // a corner is on the outline
    (void)ploy_polygon_gap_sq(polygon, ploy_polygon_make(points, count / 2));
    ploy_hit2 hit;
    ploy_ray2 ray = ploy_ray2_between(points[0], point);
    (void)ploy_ray2_hit_polygon(ray, polygon, &hit);
    ploy_sweep sweep = {ray, 1.0f};
    (void)ploy_sweep_hit_polygon(sweep, polygon, &hit);
    int32_t hull = ploy_hull2(points, count, out);
    check(hull < 3 || ploy_polygon_is_convex(ploy_polygon_make(out, hull)));
    (void)ploy_circle_around(points, count);
    ploy_obb2 box;
    check(ploy_obb2_around(points, count, arena, &box) == PLOY_OK);
    int32_t kept = 0;
    check(ploy_polygon_simplify(polygon, 1.0f, true, arena, out, &kept) == PLOY_OK);
    check(!ploy_polygon_is_simple(polygon) || ploy_polygon_is_simple(ploy_polygon_make(out, kept)));
}

// Sight from a corner amid clean rings and amid thin walls: an answer, and what is seen is one ring
// at most, within reach.
static void look(const ploy_rings *rings, const ploy_vec2 *points, int32_t count, ploy_solid solid,
                 ploy_arena *arena) {
    ploy_env env = ploy_env_default();
    ploy_rings *seen = NULL;
    ploy_segment2 walls[MOST_CORNERS];
    ploy_vec2 from = points[0], to = points[count / 2];
    ploy_visibility_def def = ploy_visibility_def_default();
    check(ploy_rings_sees(rings, solid, from, to) == ploy_rings_sees(rings, solid, to, from));
    if (ploy_rings_create(&env, &seen) != PLOY_OK) return;
    bool finite = ploy_is_finite(from.x) && ploy_is_finite(from.y);
    check(ploy_visibility_find_rings(&def, from, rings, solid, arena, seen) ==
          (finite ? PLOY_OK : PLOY_ERR_ARGUMENT));
    for (int32_t i = 0; i < count; i++) {
        walls[i] = ploy_segment2_make(points[i], points[(i + 1) % count]);
        finite = finite && ploy_is_finite(points[i].x) && ploy_is_finite(points[i].y);
    }
    check(ploy_visibility_find(&def, from, walls, count, arena, seen) ==
          (finite ? PLOY_OK : PLOY_ERR_ARGUMENT));
    check(ploy_rings_count(seen) <= 1);
    ploy_rings_destroy(seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3) return 0;
    uint8_t choice = data[0], how = data[1];
    data += 2, size -= 2;
    size_t each = (how & 1) != 0 ? 8 : 2;
    ploy_vec2 points[MOST_CORNERS];
    int32_t count = 0;
    for (; size >= each && count < MOST_CORNERS; data += each, size -= each) {
        if (each == 8) {
            memcpy(&points[count++], data, 8);
        } else {
            points[count++] = ploy_vec2_make((float)(data[0] % 16), (float)(data[1] % 16));
        }
    }
    if (count == 0) return 0;
    ploy_env env = ploy_env_default();
    ploy_rings *a = NULL, *b = NULL;
    ploy_arena *arena = NULL;
    if (ploy_rings_create(&env, &a) == PLOY_OK && ploy_rings_create(&env, &b) == PLOY_OK &&
        ploy_arena_create(0, 0, &env, &arena) == PLOY_OK) {
        ask(points, count, arena);
        // Rings with this number of corners, alternately for the first and the second area.
        int32_t length = 3 + (how >> 1) % 16;
        for (int32_t at = 0, turn = 0; at < count; at += length, turn++) {
            int32_t rest = count - at < length ? count - at : length;
            (void)ploy_rings_add(turn % 2 == 0 ? a : b, points + at, rest);
        }
        ploy_fill fill = (choice & 4) != 0 ? PLOY_FILL_NON_ZERO : PLOY_FILL_EVEN_ODD;
        check(ploy_rings_boolean(a, b, (ploy_boolean)(choice & 3), fill, arena, a) == PLOY_OK);
        check_clean(a);
        look(a, points, count, (choice & 64) != 0 ? PLOY_SOLID_INSIDE : PLOY_SOLID_OUTSIDE, arena);
        ploy_offset_style style = ploy_offset_style_default();
        style.join = (ploy_join)((choice >> 3) % 3);
        style.tolerance = 0.1f;
        float distance = (choice & 32) != 0 ? 0.75f : -0.75f;
        ploy_result result = ploy_rings_offset(b, fill, distance, &style, arena, b);
        check(result == PLOY_OK || result == PLOY_ERR_LIMIT);
        if (result == PLOY_OK) check_clean(b);
        check(ploy_arena_used(arena) == 0);
    }
    ploy_rings_destroy(a);
    ploy_rings_destroy(b);
    ploy_arena_destroy(arena);
    return 0;
}
