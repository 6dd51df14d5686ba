// Offsets by boolean operations.
//
// An area is cleaned first, so that its inside is to the left of every edge. To grow it, each edge
// gets a strip on its right and each left turn a join there; to shrink it, strips and joins lie on
// the left, and are cut off. All pieces go counter-clockwise, so that under the non-zero rule they
// are one area, however they overlap.
#include "ploy/geom/offset.h"

#include "geom/boolean_internal.h"
#include "geom/geom_internal.h"
#include "ploy/base/math.h"

#include <float.h>

#define OFFSET_HALF_CIRCLE_EDGES 256

typedef struct offset_work {
    ploy_offset_style style;
    double distance; // m, above 0
    double step;     // rad, largest between two points of an arc
    ploy_polygon *pieces;
    int32_t count;
    ploy_vec2 *points; // where the next piece goes
    bool overflow;     // a point was not finite
} offset_work;

ploy_offset_style ploy_offset_style_default(void) {
    ploy_offset_style style = {PLOY_JOIN_ROUND, PLOY_CAP_ROUND, 2.0f, 0.01f};
    return style;
}

static bool offset_style_ok(const ploy_offset_style *style) {
    return style != NULL && style->join >= PLOY_JOIN_MITER && style->join <= PLOY_JOIN_ROUND &&
           style->cap >= PLOY_CAP_BUTT && style->cap <= PLOY_CAP_ROUND &&
           ploy_in_range(style->miter_limit, 1.0f, 1e6f) &&
           ploy_in_range(style->tolerance, FLT_MIN, FLT_MAX);
}

// Room for the pieces of that many edges and corners, each with an arc of up to a half
// circle.
static bool offset_begin(offset_work *work, int64_t edges, int64_t corners, ploy_arena *scratch) {
    // The sagitta of an arc of angle s is r (1 - cos(s / 2)).
    double least = PLOY_PI / OFFSET_HALF_CIRCLE_EDGES;
    double ratio = 1.0 - (double)work->style.tolerance / work->distance;
    double step = ratio > 0.0 ? 2.0 * ploy_acos(ratio) : PLOY_PI / 2.0;
    step = step < PLOY_PI / 2.0 ? step : PLOY_PI / 2.0;
    work->step = step > least ? step : least;
    int64_t arc = (int64_t)(PLOY_PI / work->step) + 4;
    work->pieces = ploy_arena_alloc_array(scratch, edges + corners, sizeof *work->pieces);
    work->points =
        ploy_arena_alloc_array(scratch, 4 * edges + (arc + 2) * corners, sizeof *work->points);
    return work->pieces != NULL && work->points != NULL;
}

static void offset_put(offset_work *work, int32_t *count, ployi_dvec2 at) {
    ploy_vec2 point = ployi_dvec2_round(at);
    if (!ploy_is_finite(point.x) || !ploy_is_finite(point.y)) work->overflow = true;
    work->points[(*count)++] = point;
}

// The points put since the last piece become one, turned counter-clockwise.
static void offset_end(offset_work *work, int32_t count) {
    ploy_polygon piece = ploy_polygon_make(work->points, count);
    int32_t turn = ploy_polygon_turn(piece);
    if (turn == 0) return; // no area: the next piece goes over it
    if (turn < 0) ploy_polygon_reverse(work->points, count);
    work->pieces[work->count++] = piece;
    work->points += count;
}

// The unit normal to the right of from -> to, or to the left for side -1.
static ployi_dvec2 offset_normal(ploy_vec2 from, ploy_vec2 to, double side) {
    ployi_dvec2 along = ployi_dvec2_unit(ployi_dvec2_between(to, from));
    return ployi_dvec2_make(side * along.y, -side * along.x);
}

static void offset_strip(offset_work *work, ploy_vec2 from, ploy_vec2 to, ployi_dvec2 normal) {
    int32_t count = 0;
    offset_put(work, &count, ployi_dvec2_of(from));
    offset_put(work, &count, ployi_dvec2_of(to));
    offset_put(work, &count, ployi_dvec2_add_scaled(ployi_dvec2_of(to), normal, work->distance));
    offset_put(work, &count, ployi_dvec2_add_scaled(ployi_dvec2_of(from), normal, work->distance));
    offset_end(work, count);
}

// The wedge at a corner between two normals, an arc that turns by `angle` from the first.
static void offset_arc(offset_work *work, ploy_vec2 corner, ployi_dvec2 normal, double angle) {
    int32_t count = 0, edges = (int32_t)ceil(fabs(angle) / work->step);
    ployi_dvec2 at = ployi_dvec2_of(corner);
    offset_put(work, &count, at);
    for (int32_t i = 0; i <= edges; i++) {
        double sine, cosine;
        ploy_sincos(angle * (double)i / (double)(edges > 0 ? edges : 1), &sine, &cosine);
        ployi_dvec2 turned = {normal.x * cosine - normal.y * sine,
                              normal.x * sine + normal.y * cosine};
        offset_put(work, &count, ployi_dvec2_add_scaled(at, turned, work->distance));
    }
    offset_end(work, count);
}

static void offset_join(offset_work *work, ploy_vec2 corner, ployi_dvec2 first,
                        ployi_dvec2 second) {
    double dot = ployi_dvec2_dot(first, second), cross = ployi_dvec2_cross(first, second);
    if (work->style.join == PLOY_JOIN_ROUND) {
        offset_arc(work, corner, first, ploy_atan2(cross, dot));
        return;
    }
    int32_t count = 0;
    ployi_dvec2 at = ployi_dvec2_of(corner);
    offset_put(work, &count, at);
    offset_put(work, &count, ployi_dvec2_add_scaled(at, first, work->distance));
    // The tip is sqrt(2 / (1 + dot)) distances from the corner.
    double limit = (double)work->style.miter_limit;
    if (work->style.join == PLOY_JOIN_MITER && 2.0 <= limit * limit * (1.0 + dot)) {
        ployi_dvec2 both = {first.x + second.x, first.y + second.y};
        offset_put(work, &count, ployi_dvec2_add_scaled(at, both, work->distance / (1.0 + dot)));
    }
    offset_put(work, &count, ployi_dvec2_add_scaled(at, second, work->distance));
    offset_end(work, count);
}

// Strips along a ring and joins at the corners that open, on the right of its edges or the left.
static void offset_ring(offset_work *work, ploy_polygon ring, double side) {
    for (int32_t i = 0; i < ring.count; i++) {
        ploy_segment2 edge = ploy_polygon_edge(ring, i);
        ploy_vec2 next = ring.points[(i + 2) % ring.count];
        ployi_dvec2 normal = offset_normal(edge.from, edge.to, side);
        ployi_dvec2 next_normal = offset_normal(edge.to, next, side);
        offset_strip(work, edge.from, edge.to, normal);
        if (side * ployi_dvec2_cross(normal, next_normal) > 0.0) {
            offset_join(work, edge.to, normal, next_normal);
        }
    }
}

ploy_result ploy_rings_offset(const ploy_rings *rings, ploy_fill fill, float distance,
                              const ploy_offset_style *style, ploy_arena *scratch,
                              ploy_rings *out) {
    if (!offset_style_ok(style) || !ploy_is_finite(distance)) return PLOY_ERR_ARGUMENT;
    offset_work work = {*style, fabs((double)distance), 0.0, NULL, 0, NULL, false};
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    ployi_areas given, clean, none = {NULL, 0};
    ploy_result result = ployi_areas_of(rings, scratch, &given);
    if (result == PLOY_OK) {
        result = ployi_areas_combine(given, fill, none, fill, PLOY_BOOLEAN_UNION, scratch, &clean);
    }
    if (result == PLOY_OK && distance != 0.0f) {
        int64_t corners = 0;
        for (int32_t i = 0; i < clean.count; i++) corners += clean.rings[i].count;
        if (!offset_begin(&work, corners, corners, scratch)) result = PLOY_ERR_MEMORY;
        for (int32_t i = 0; i < clean.count && result == PLOY_OK; i++) {
            offset_ring(&work, clean.rings[i], distance > 0.0f ? 1.0 : -1.0);
        }
        if (work.overflow) result = PLOY_ERR_LIMIT;
        ployi_areas pieces = {work.pieces, work.count};
        if (result == PLOY_OK) {
            result = ployi_areas_combine(
                clean, PLOY_FILL_NON_ZERO, pieces, PLOY_FILL_NON_ZERO,
                distance > 0.0f ? PLOY_BOOLEAN_UNION : PLOY_BOOLEAN_DIFFERENCE, scratch, &clean);
        }
    }
    if (result == PLOY_OK) result = ployi_areas_publish(clean, out);
    ploy_arena_rewind(scratch, mark);
    return result;
}

ploy_result ploy_rings_expand(const ploy_rings *rings, ploy_fill fill, float radius, float slack,
                              ploy_arena *scratch, ploy_rings *out) {
    if (!ploy_in_range(radius, 0.0f, FLT_MAX) || !ploy_in_range(slack, FLT_MIN, FLT_MAX)) {
        return PLOY_ERR_ARGUMENT;
    }
    // Arcs use half of the slack. The other half must outweigh the lattice, whose step depends on
    // the largest coordinate: rounded twice, corners may be off by one and a half of its diagonals.
    ploy_box2 box = ploy_rings_box(rings);
    double largest = 0.0;
    if (!ploy_box2_is_empty(box)) {
        double x = fmax(fabs((double)box.min.x), fabs((double)box.max.x));
        double y = fmax(fabs((double)box.min.y), fabs((double)box.max.y));
        largest = fmax(x, y) + (double)radius + (double)slack;
    }
    int exponent = 0;
    (void)frexp(largest, &exponent);
    if ((double)slack < ldexp(4.0, exponent - 24)) return PLOY_ERR_LIMIT;
    ploy_offset_style style = ploy_offset_style_default();
    style.tolerance = slack * 0.5f;
    return ploy_rings_offset(rings, fill, radius + slack, &style, scratch, out);
}

// The end of a line, `normal` to its right on the way out.
static void offset_cap(offset_work *work, ploy_vec2 end, ployi_dvec2 normal) {
    if (work->style.cap == PLOY_CAP_ROUND) offset_arc(work, end, normal, PLOY_PI);
    if (work->style.cap != PLOY_CAP_SQUARE) return;
    ployi_dvec2 at = ployi_dvec2_of(end), out = {-normal.y, normal.x};
    int32_t count = 0;
    double by = work->distance;
    ployi_dvec2 right = ployi_dvec2_add_scaled(at, normal, by);
    ployi_dvec2 left = ployi_dvec2_add_scaled(at, normal, -by);
    offset_put(work, &count, left);
    offset_put(work, &count, right);
    offset_put(work, &count, ployi_dvec2_add_scaled(right, out, by));
    offset_put(work, &count, ployi_dvec2_add_scaled(left, out, by));
    offset_end(work, count);
}

static void offset_line(offset_work *work, const ploy_vec2 *points, int32_t count, bool closed) {
    if (count == 1) { // two caps back to back
        offset_cap(work, points[0], ployi_dvec2_make(0.0, -1.0));
        offset_cap(work, points[0], ployi_dvec2_make(0.0, 1.0));
        return;
    }
    int32_t edges = closed ? count : count - 1;
    for (int32_t i = 0; i < edges; i++) {
        ploy_vec2 from = points[i], to = points[(i + 1) % count];
        ployi_dvec2 normal = offset_normal(from, to, 1.0);
        offset_strip(work, from, to, normal);
        offset_strip(work, from, to, ployi_dvec2_scale(normal, -1.0));
        if (!closed && i == 0) offset_cap(work, from, ployi_dvec2_scale(normal, -1.0));
        if (!closed && i == edges - 1) {
            offset_cap(work, to, normal);
            continue;
        }
        ployi_dvec2 next = offset_normal(to, points[(i + 2) % count], 1.0);
        double turn = ployi_dvec2_cross(normal, next);
        if (turn == 0.0 && work->style.join == PLOY_JOIN_ROUND) {
            // Straight on needs nothing; straight back is round like an end.
            if (ployi_dvec2_dot(normal, next) < 0.0) offset_arc(work, to, normal, PLOY_PI);
            continue;
        }
        // A left turn opens on the right, where the normals are; a right turn on the left.
        double side = turn > 0.0 ? 1.0 : -1.0;
        offset_join(work, to, ployi_dvec2_scale(normal, side), ployi_dvec2_scale(next, side));
    }
}

ploy_result ploy_polyline_widen(const ploy_polyline *line, float distance,
                                const ploy_offset_style *style, ploy_arena *scratch,
                                ploy_rings *out) {
    if (!offset_style_ok(style) || !ploy_in_range(distance, 0.0f, FLT_MAX))
        return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < line->count; i++) {
        if (!ploy_is_finite(line->points[i].x) || !ploy_is_finite(line->points[i].y)) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    offset_work work = {*style, (double)distance, 0.0, NULL, 0, NULL, false};
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    ploy_result result = PLOY_OK;
    ployi_areas none = {NULL, 0}, wide = {NULL, 0};
    ploy_vec2 *points = ploy_arena_alloc_array(scratch, line->count, sizeof *points);
    if (points == NULL) result = PLOY_ERR_MEMORY;
    int32_t count = 0;
    for (int32_t i = 0; i < line->count && result == PLOY_OK; i++) {
        if (count > 0 && ploy_vec2_equal(points[count - 1], line->points[i])) continue;
        points[count++] = line->points[i];
    }
    while (line->closed && count > 1 && ploy_vec2_equal(points[count - 1], points[0])) count--;
    if (result == PLOY_OK && count > 0 && distance > 0.0f) {
        if (!offset_begin(&work, 2 * (int64_t)count, (int64_t)count + 2, scratch)) {
            result = PLOY_ERR_MEMORY;
        } else {
            offset_line(&work, points, count, line->closed && count > 1);
            if (work.overflow) result = PLOY_ERR_LIMIT;
        }
        ployi_areas pieces = {work.pieces, work.count};
        if (result == PLOY_OK) {
            result = ployi_areas_combine(pieces, PLOY_FILL_NON_ZERO, none, PLOY_FILL_NON_ZERO,
                                         PLOY_BOOLEAN_UNION, scratch, &wide);
        }
    }
    if (result == PLOY_OK) result = ployi_areas_publish(wide, out);
    ploy_arena_rewind(scratch, mark);
    return result;
}

#undef OFFSET_HALF_CIRCLE_EDGES
