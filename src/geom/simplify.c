// Simpler outlines.
//
// The closed outline is cut at its first corner and at the one furthest from it. Each half is a
// stretch of the walk round, from one kept corner to the next; of a stretch the corner furthest
// from its edge is kept, if it is too far, and the two parts are looked at in turn.
#include "ploy/geom/simplify.h"

#include "geom/geom_internal.h"
#include "geom/polygon_internal.h"
#include "geom/predicates_inline.h"

static bool simplify_same(ploy_vec2 a, ploy_vec2 b) {
    return a.x == b.x && a.y == b.y;
}

int32_t ployi_polygon_drop_straight(ploy_vec2 *points, int32_t count) {
    int32_t kept = 0;
    // A stack: a new corner may show the one before it to be straight, and that the one before.
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 next = points[i];
        while (kept > 0) {
            bool same = simplify_same(points[kept - 1], next);
            bool straight =
                kept > 1 && ployi_orient2(points[kept - 2], points[kept - 1], next) == 0;
            if (!same && !straight) break;
            kept--;
        }
        points[kept++] = next;
    }
    // The same round the end, from both sides.
    int32_t first = 0;
    for (bool changed = true; changed && kept - first >= 3;) {
        changed = false;
        if (simplify_same(points[kept - 1], points[first]) ||
            ployi_orient2(points[kept - 2], points[kept - 1], points[first]) == 0) {
            kept--;
            changed = true;
        } else if (ployi_orient2(points[kept - 1], points[first], points[first + 1]) == 0) {
            first++;
            changed = true;
        }
    }
    int32_t left = kept - first;
    if (left < 3) return 0;
    for (int32_t i = 0; i < left && first > 0; i++) points[i] = points[first + i];
    return left;
}

// A stretch of the walk: corners from to to, where to may be count, the first corner again.
typedef struct simplify_stretch {
    int32_t from, to;
} simplify_stretch;

typedef struct simplify_work {
    ploy_polygon polygon;
    bool *kept;              // by corner
    int32_t *corners;        // those kept, in order
    simplify_stretch *stack; // at most one entry for each corner
    int32_t count;           // of corners
} simplify_work;

static ploy_vec2 simplify_point(const simplify_work *work, int32_t corner) {
    return work->polygon.points[corner < work->polygon.count ? corner : 0];
}

// The corner between the ends that is furthest from the edge between them, the first of equally far
// ones; -1 if there is none. *distance_sq is how far.
static int32_t simplify_furthest(const simplify_work *work, simplify_stretch stretch,
                                 double *distance_sq) {
    ploy_segment2 edge = {simplify_point(work, stretch.from), simplify_point(work, stretch.to)};
    int32_t best = -1;
    *distance_sq = -1.0;
    for (int32_t i = stretch.from + 1; i < stretch.to; i++) {
        double far_sq = ployi_segment2_distance_sq(edge, work->polygon.points[i]);
        if (best >= 0 && !(far_sq > *distance_sq)) continue;
        best = i;
        *distance_sq = far_sq;
    }
    return best;
}

static void simplify_refine(simplify_work *work, simplify_stretch stretch, double limit_sq) {
    int32_t depth = 0;
    work->stack[depth++] = stretch;
    while (depth > 0) {
        simplify_stretch top = work->stack[--depth];
        double far_sq;
        int32_t at = simplify_furthest(work, top, &far_sq);
        if (at < 0 || !(far_sq > limit_sq)) continue;
        work->kept[at] = true;
        // Stretches on the stack do not overlap, so there are never more than corners.
        work->stack[depth++] = (simplify_stretch){top.from, at};
        work->stack[depth++] = (simplify_stretch){at, top.to};
    }
}

static void simplify_collect(simplify_work *work) {
    work->count = 0;
    for (int32_t i = 0; i < work->polygon.count; i++) {
        if (work->kept[i]) work->corners[work->count++] = i;
    }
}

// The stretch that edge k of the corners kept replaces.
static simplify_stretch simplify_edge(const simplify_work *work, int32_t k) {
    simplify_stretch stretch = {work->corners[k],
                                k + 1 < work->count ? work->corners[k + 1] : work->polygon.count};
    return stretch;
}

// Keeps the furthest corner of a stretch though it is near enough. The parts are looked at again:
// a corner near the whole edge may be too far from the half that now replaces it.
static bool simplify_split(simplify_work *work, simplify_stretch stretch, double limit_sq) {
    double far_sq;
    int32_t at = simplify_furthest(work, stretch, &far_sq);
    if (at < 0) return false;
    work->kept[at] = true;
    simplify_stretch part[2] = {{stretch.from, at}, {at, stretch.to}};
    simplify_refine(work, part[0], limit_sq);
    simplify_refine(work, part[1], limit_sq);
    return true;
}

// Whether two edges of the result, k behind i, share more than the corner that neighbours do.
static bool simplify_clash(const simplify_work *work, simplify_stretch a, simplify_stretch b) {
    ploy_segment2 first = {simplify_point(work, a.from), simplify_point(work, a.to)};
    ploy_segment2 second = {simplify_point(work, b.from), simplify_point(work, b.to)};
    bool behind = a.to == b.from, round = b.to == work->polygon.count && a.from == 0;
    if (behind && round) return true; // the only two edges lie on one another
    if (behind) {
        return ployi_segment2_has(first, second.to) || ployi_segment2_has(second, first.from);
    }
    if (round) {
        return ployi_segment2_has(first, second.from) || ployi_segment2_has(second, first.to);
    }
    return ployi_segment2_meets(first, second);
}

// Splits every edge that clashes with another. @return whether something was kept that was not.
static bool simplify_untangle(simplify_work *work, double limit_sq) {
    bool changed = false;
    for (int32_t i = 0; i < work->count; i++) {
        for (int32_t k = i + 1; k < work->count; k++) {
            simplify_stretch a = simplify_edge(work, i), b = simplify_edge(work, k);
            if (a.to - a.from < 2 && b.to - b.from < 2) continue; // both of the input
            if (!simplify_clash(work, a, b)) continue;
            bool split_a = simplify_split(work, a, limit_sq),
                 split_b = simplify_split(work, b, limit_sq);
            changed = changed || split_a || split_b;
        }
    }
    return changed;
}

static bool simplify_alloc(simplify_work *work, ploy_arena *scratch) {
    int64_t n = work->polygon.count;
    work->kept = ploy_arena_alloc_array(scratch, n, sizeof *work->kept);
    work->corners = ploy_arena_alloc_array(scratch, n, sizeof *work->corners);
    work->stack = ploy_arena_alloc_array(scratch, n + 1, sizeof *work->stack);
    return work->kept != NULL && work->corners != NULL && work->stack != NULL;
}

static void simplify_run(simplify_work *work, double limit_sq, bool keep_simple) {
    int32_t n = work->polygon.count;
    double far_sq;
    simplify_stretch whole = {0, n};
    int32_t furthest = simplify_furthest(work, whole, &far_sq);
    work->kept[0] = true;
    work->kept[furthest] = true;
    simplify_stretch half[2] = {{0, furthest}, {furthest, n}};
    simplify_refine(work, half[0], limit_sq);
    simplify_refine(work, half[1], limit_sq);
    simplify_collect(work);
    if (work->count == 2) { // flat within the tolerance: the corner furthest off makes a triangle
        double far_off[2];
        simplify_furthest(work, half[0], &far_off[0]);
        simplify_furthest(work, half[1], &far_off[1]);
        int32_t side = far_off[1] > far_off[0] ? 1 : 0;
        if (far_off[side] > 0.0) simplify_split(work, half[side], limit_sq);
        simplify_collect(work);
    }
    // Each round keeps at least one corner more, so there are no more rounds than corners.
    while (keep_simple && simplify_untangle(work, limit_sq)) simplify_collect(work);
}

ploy_result ploy_polygon_simplify(ploy_polygon polygon, float tolerance, bool keep_simple,
                                  ploy_arena *scratch, ploy_vec2 *out, int32_t *out_count) {
    if (!(tolerance >= 0.0f)) return PLOY_ERR_ARGUMENT;
    int32_t count = polygon.count;
    if (count > 2) {
        ploy_arena_mark mark = ploy_arena_mark_of(scratch);
        simplify_work work = {polygon, NULL, NULL, NULL, 0};
        if (!simplify_alloc(&work, scratch)) {
            ploy_arena_rewind(scratch, mark);
            return PLOY_ERR_MEMORY;
        }
        simplify_run(&work, (double)tolerance * (double)tolerance, keep_simple);
        // Corners only move toward the front, so out may be the polygon's own points.
        for (int32_t i = 0; i < work.count; i++) out[i] = polygon.points[work.corners[i]];
        count = work.count;
        ploy_arena_rewind(scratch, mark);
    } else {
        for (int32_t i = 0; i < count; i++) out[i] = polygon.points[i];
    }
    *out_count = count;
    return PLOY_OK;
}
