// Sets of rings.
//
//     points:  | ring 0 | ring 1    | ring 2 |
//     ends:            ^           ^        ^     one past each ring's last point
//
// Invariants, from create to destroy:
//   (1) ends ascend, each at least 3 above the one before (0 before the first), and the last is
//       points.count;
//   (2) every point is finite;
//   (3) a failed call leaves the set exactly as it was.
#include "ploy/geom/rings.h"

#include "geom/geom_internal.h"
#include "geom/polygon_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include <string.h>

struct ploy_rings {
    ploy_env env;
    ploy_array points; // ploy_vec2
    ploy_array ends;   // int32_t
};

ploy_result ploy_rings_create(const ploy_env *env, ploy_rings **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_rings *rings = ploy_env_alloc(env, sizeof *rings);
    if (rings == NULL) return PLOY_ERR_MEMORY;
    rings->env = *env;
    ploy_array_init(&rings->points, sizeof(ploy_vec2), env);
    ploy_array_init(&rings->ends, sizeof(int32_t), env);
    *out = rings;
    return PLOY_OK;
}

void ploy_rings_destroy(ploy_rings *rings) {
    if (rings == NULL) return;
    ploy_env env = rings->env;
    ploy_array_fini(&rings->points);
    ploy_array_fini(&rings->ends);
    ploy_env_free(&env, rings, sizeof *rings);
}

void ploy_rings_clear(ploy_rings *rings) {
    ploy_array_clear(&rings->points);
    ploy_array_clear(&rings->ends);
}

ploy_result ploy_rings_add(ploy_rings *rings, const ploy_vec2 *points, int32_t count) {
    if (points == NULL || count < 3) return PLOY_ERR_ARGUMENT;
    if (count > INT32_MAX - rings->points.count) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_is_finite(points[i].x) || !ploy_is_finite(points[i].y)) return PLOY_ERR_ARGUMENT;
    }
    int32_t end = rings->points.count + count;
    ploy_result result = ploy_array_push(&rings->ends, &end);
    if (result != PLOY_OK) return result;
    result = ploy_array_push_many(&rings->points, points, count);
    if (result != PLOY_OK) ploy_array_pop(&rings->ends, NULL); // keeps (3)
    return result;
}

ploy_result ploy_rings_add_reversed(ploy_rings *rings, const ploy_vec2 *points, int32_t count) {
    ploy_result result = ploy_rings_add(rings, points, count);
    if (result != PLOY_OK) return result;
    ploy_vec2 *items = PLOY_ARRAY_ITEMS(&rings->points, ploy_vec2);
    ploy_polygon_reverse(items + (rings->points.count - count), count);
    return PLOY_OK;
}

ploy_result ploy_rings_reserve(ploy_rings *rings, int32_t count, int32_t corners) {
    ploy_result result = ploy_array_reserve(&rings->ends, count);
    return result == PLOY_OK ? ploy_array_reserve(&rings->points, corners) : result;
}

ploy_result ploy_rings_copy(ploy_rings *rings, const ploy_rings *from) {
    if (rings == from) return PLOY_OK;
    ploy_result result = ploy_rings_reserve(rings, from->ends.count, from->points.count);
    if (result != PLOY_OK) return result;
    ploy_rings_clear(rings); // there is room, so nothing fails from here on
    result = ploy_array_push_many(&rings->points, from->points.items, from->points.count);
    if (result != PLOY_OK) return result;
    return ploy_array_push_many(&rings->ends, from->ends.items, from->ends.count);
}

int32_t ploy_rings_count(const ploy_rings *rings) {
    return rings->ends.count;
}

int32_t ploy_rings_corners(const ploy_rings *rings) {
    return rings->points.count;
}

ploy_polygon ploy_rings_get(const ploy_rings *rings, int32_t index) {
    if (index < 0 || index >= rings->ends.count) return ploy_polygon_make(NULL, 0);
    const int32_t *ends = rings->ends.items;
    const ploy_vec2 *points = rings->points.items;
    int32_t first = index > 0 ? ends[index - 1] : 0;
    return ploy_polygon_make(points + first, ends[index] - first);
}

bool ploy_rings_is_hole(const ploy_rings *rings, int32_t index) {
    return ploy_polygon_turn(ploy_rings_get(rings, index)) < 0;
}

float ploy_rings_area(const ploy_rings *rings) {
    double sum = 0.0;
    for (int32_t i = 0; i < rings->ends.count; i++) {
        sum += ployi_polygon_twice_area(ploy_rings_get(rings, i));
    }
    return (float)(sum * 0.5);
}

ploy_box2 ploy_rings_box(const ploy_rings *rings) {
    return ploy_box2_around(rings->points.items, rings->points.count);
}

ploy_location ploy_rings_locate(const ploy_rings *rings, ploy_vec2 point, ploy_fill fill) {
    int32_t winding = 0;
    bool odd = false;
    for (int32_t i = 0; i < rings->ends.count; i++) {
        if (ployi_polygon_round(ploy_rings_get(rings, i), point, &winding, &odd)) {
            return PLOY_LOCATION_ON;
        }
    }
    bool inside = fill == PLOY_FILL_NON_ZERO ? winding != 0 : odd;
    return inside ? PLOY_LOCATION_INSIDE : PLOY_LOCATION_OUTSIDE;
}

bool ploy_rings_contains(const ploy_rings *rings, ploy_vec2 point, ploy_fill fill) {
    return ploy_rings_locate(rings, point, fill) != PLOY_LOCATION_OUTSIDE;
}

void ploy_rings_describe(const ploy_rings *rings, ploy_describe *out) {
    // The corners as one number, as a hash grid describes its points.
    uint64_t hash = 0;
    for (int32_t i = 0; i < rings->ends.count; i++) {
        ploy_polygon ring = ploy_rings_get(rings, i);
        hash = ploy_hash_combine(hash, (uint64_t)ring.count);
        for (int32_t k = 0; k < ring.count; k++) {
            uint32_t x, y; // one by one: the same on machines of either byte order
            memcpy(&x, &ring.points[k].x, sizeof x);
            memcpy(&y, &ring.points[k].y, sizeof y);
            hash = ploy_hash_combine(hash, (uint64_t)x << 32 | y);
        }
    }
    ploy_describe_i64(out, "count", PLOY_STATE, rings->ends.count);
    ploy_describe_i64(out, "corners", PLOY_STATE, rings->points.count);
    ploy_describe_u64(out, "points", PLOY_STATE, hash);
    ploy_describe_f32(out, "area", PLOY_DERIVED, ploy_rings_area(rings));
}

void ploy_rings_draw(const ploy_rings *rings, ploy_layer layer, ploy_style style, ploy_draw *out) {
    if (!ploy_draw_wants(out, layer)) return;
    for (int32_t i = 0; i < rings->ends.count; i++) {
        ploy_polygon ring = ploy_rings_get(rings, i);
        ploy_style own = ploy_rings_is_hole(rings, i) ? PLOY_STYLE_GHOST : style;
        ploy_agent_id nobody = ploy_agent_id_none();
        ploy_draw_polyline(out, layer, own, nobody, ring.points, ring.count);
        ploy_draw_line(out, layer, own, nobody, ring.points[ring.count - 1], ring.points[0]);
    }
}

void ploy_rings_memory(const ploy_rings *rings, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"rings", sizeof *rings, 1};
    fn(user, &item);
    ploy_array_memory(&rings->points, fn, user);
    ploy_array_memory(&rings->ends, fn, user);
}
