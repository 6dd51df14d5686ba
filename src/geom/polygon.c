// Polygons: measures, places and distances.
//
// Whatever is a decision is made with exact orientations; whatever is a number is summed in double.
#include "ploy/geom/polygon.h"

#include "geom/geom_internal.h"
#include "geom/polygon_internal.h"
#include "geom/predicates_inline.h"
#include "ploy/base/math.h"
#include "ploy/geom/box.h"

bool ployi_segment2_has(ploy_segment2 segment, ploy_vec2 point) {
    return ploy_box2_contains(ploy_box2_of_segment(segment), point) &&
           ployi_orient2(segment.from, segment.to, point) == 0;
}

bool ployi_segment2_meets(ploy_segment2 a, ploy_segment2 b) {
    if (!ploy_box2_overlaps(ploy_box2_of_segment(a), ploy_box2_of_segment(b))) return false;
    int32_t b_from = ployi_orient2(a.from, a.to, b.from), b_to = ployi_orient2(a.from, a.to, b.to);
    if (b_from * b_to > 0) return false;
    int32_t a_from = ployi_orient2(b.from, b.to, a.from), a_to = ployi_orient2(b.from, b.to, a.to);
    if (a_from * a_to > 0) return false;
    if (b_from * b_to < 0 && a_from * a_to < 0) return true;
    return ployi_segment2_has(a, b.from) || ployi_segment2_has(a, b.to) ||
           ployi_segment2_has(b, a.from) || ployi_segment2_has(b, a.to);
}

bool ployi_polygon_round(ploy_polygon polygon, ploy_vec2 point, int32_t *winding, bool *odd) {
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_segment2 edge = ploy_polygon_edge(polygon, i);
        // The upper end of an edge belongs to it and the lower does not, so that a ray to the right
        // through a corner counts it once or twice, as it should.
        bool up = edge.from.y <= point.y && edge.to.y > point.y;
        bool down = edge.to.y <= point.y && edge.from.y > point.y;
        if (up || down) {
            int32_t side = ployi_orient2(edge.from, edge.to, point);
            if (side == 0 && ploy_box2_contains(ploy_box2_of_segment(edge), point)) return true;
            if (up && side > 0) *winding += 1, *odd = !*odd;
            if (down && side < 0) *winding -= 1, *odd = !*odd;
        } else if ((edge.from.y == point.y || edge.to.y == point.y) &&
                   ployi_segment2_has(edge, point)) {
            return true;
        }
    }
    return false;
}

ploy_polygon ploy_polygon_make(const ploy_vec2 *points, int32_t count) {
    ploy_polygon polygon = {points, points != NULL && count > 0 ? count : 0};
    return polygon;
}

ploy_polyline ploy_polygon_outline(ploy_polygon polygon) {
    return ploy_polyline_make(polygon.points, polygon.count, true);
}

// Twice the area. Corners are taken from the first, so that a small polygon far out keeps its
// digits.
double ployi_polygon_twice_area(ploy_polygon polygon) {
    double sum = 0.0;
    for (int32_t i = 1; i + 1 < polygon.count; i++) {
        sum += ployi_dvec2_cross(ployi_dvec2_between(polygon.points[i], polygon.points[0]),
                                 ployi_dvec2_between(polygon.points[i + 1], polygon.points[0]));
    }
    return sum;
}

float ploy_polygon_signed_area(ploy_polygon polygon) {
    return (float)(ployi_polygon_twice_area(polygon) * 0.5);
}

float ploy_polygon_area(ploy_polygon polygon) {
    return fabsf(ploy_polygon_signed_area(polygon));
}

int32_t ploy_polygon_turn(ploy_polygon polygon) {
    double sum = 0.0, total = 0.0;
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_segment2 edge = ploy_polygon_edge(polygon, i);
        double left = (double)edge.from.x * (double)edge.to.y; // both exact
        double right = (double)edge.from.y * (double)edge.to.x;
        sum += left - right;
        total += fabs(left) + fabs(right);
    }
    // Each of 2 * count additions rounds by at most 2^-53 of the total; twice that to be safe.
    double bound = total * (4.0 * (double)polygon.count * 1.1102230246251565e-16);
    if (sum > bound) return 1;
    if (-sum > bound) return -1;
    if (!ploy_is_finite_d(total)) return 0;
    ployi_expansion exact;
    ployi_expansion_init(&exact);
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_segment2 edge = ploy_polygon_edge(polygon, i);
        ployi_expansion_add(&exact, (double)edge.from.x * (double)edge.to.y);
        ployi_expansion_add(&exact, -((double)edge.from.y * (double)edge.to.x));
    }
    return ployi_expansion_sign(&exact);
}

void ploy_polygon_reverse(ploy_vec2 *points, int32_t count) {
    for (int32_t low = 1, high = count - 1; low < high; low++, high--) {
        ploy_vec2 swap = points[low];
        points[low] = points[high];
        points[high] = swap;
    }
}

ploy_vec2 ploy_polygon_centroid(ploy_polygon polygon) {
    if (polygon.count == 0) return ploy_vec2_zero();
    ploy_vec2 first = polygon.points[0];
    ployi_dvec2 moment = {0.0, 0.0};
    double weight = 0.0;
    if (ploy_polygon_turn(polygon) != 0) {
        for (int32_t i = 1; i + 1 < polygon.count; i++) {
            ployi_dvec2 a = ployi_dvec2_between(polygon.points[i], first);
            ployi_dvec2 b = ployi_dvec2_between(polygon.points[i + 1], first);
            double area = ployi_dvec2_cross(a, b);
            moment = ployi_dvec2_add_scaled(moment, ployi_dvec2_make(a.x + b.x, a.y + b.y), area);
            weight += area;
        }
        weight *= 3.0;
    }
    if (weight == 0.0) { // no area, or less than double can tell
        moment = ployi_dvec2_make(0.0, 0.0);
        for (int32_t i = 0; i < polygon.count; i++) {
            ploy_segment2 edge = ploy_polygon_edge(polygon, i);
            ployi_dvec2 a = ployi_dvec2_between(edge.from, first);
            ployi_dvec2 b = ployi_dvec2_between(edge.to, first);
            ployi_dvec2 offset = ployi_dvec2_between(edge.to, edge.from);
            double length = sqrt(ployi_dvec2_dot(offset, offset));
            moment = ployi_dvec2_add_scaled(moment, ployi_dvec2_make(a.x + b.x, a.y + b.y), length);
            weight += length;
        }
        weight *= 2.0;
    }
    if (!(fabs(weight) > 0.0)) return first;
    ployi_dvec2 centre = {(double)first.x + moment.x / weight, (double)first.y + moment.y / weight};
    ploy_box2 box = ploy_box2_around(polygon.points, polygon.count);
    return ploy_box2_closest(box, ployi_dvec2_round(centre));
}

// The direction from a to b along the order "by x, then by y": +1, -1, or 0 if they are one.
static int32_t polygon_order(ploy_vec2 a, ploy_vec2 b) {
    if (a.x != b.x) return a.x < b.x ? 1 : -1;
    if (a.y != b.y) return a.y < b.y ? 1 : -1;
    return 0;
}

// A convex outline goes up in that order once and down once; one that winds twice does so more
// often.
bool ploy_polygon_is_convex(ploy_polygon polygon) {
    int32_t turn = 0, changes = 0, last_direction = 0, n = polygon.count;
    if (n < 3) return false;
    // Begin behind a corner that differs from the first, so that the walk round is closed.
    int32_t start = n - 1;
    while (start > 0 && polygon_order(polygon.points[start], polygon.points[0]) == 0) start--;
    if (start == 0) return false;
    ploy_vec2 a = polygon.points[start], b = polygon.points[0];
    last_direction = polygon_order(a, b);
    for (int32_t i = 1; i <= n; i++) {
        ploy_vec2 c = polygon.points[i < n ? i : 0];
        if (i == n && polygon_order(b, c) == 0) break; // b is the first again
        int32_t direction = polygon_order(b, c);
        if (!(ploy_is_finite(c.x) && ploy_is_finite(c.y))) return false;
        if (direction == 0) continue;
        int32_t side = ployi_orient2(a, b, c);
        if (side == 0 && direction != last_direction) return false; // back on itself
        if (side != 0) {
            if (turn == -side) return false;
            turn = side;
        }
        changes += direction != last_direction;
        last_direction = direction;
        a = b;
        b = c;
    }
    return turn != 0 && changes == 2;
}

bool ploy_polygon_is_simple(ploy_polygon polygon) {
    int32_t n = polygon.count;
    if (n < 3) return false;
    for (int32_t i = 0; i < n; i++) {
        ploy_vec2 before = polygon.points[ployi_polygon_before(polygon, i)];
        ploy_vec2 at = polygon.points[i], next = polygon.points[ployi_polygon_next(polygon, i)];
        if (!(ploy_is_finite(at.x) && ploy_is_finite(at.y))) return false;
        int32_t direction = polygon_order(at, next);
        if (direction == 0) return false;
        if (direction == polygon_order(at, before) && ployi_orient2(before, at, next) == 0)
            return false;
    }
    for (int32_t i = 0; i < n; i++) {
        ploy_segment2 edge = ploy_polygon_edge(polygon, i);
        for (int32_t k = i + 2; k < n; k++) {
            if (i == 0 && k == n - 1) continue; // neighbours round the end
            if (ployi_segment2_meets(edge, ploy_polygon_edge(polygon, k))) return false;
        }
    }
    return true;
}

ploy_location ploy_polygon_locate(ploy_polygon polygon, ploy_vec2 point) {
    int32_t winding = 0;
    bool odd = false;
    if (ployi_polygon_round(polygon, point, &winding, &odd)) return PLOY_LOCATION_ON;
    return odd ? PLOY_LOCATION_INSIDE : PLOY_LOCATION_OUTSIDE;
}

bool ploy_polygon_contains(ploy_polygon polygon, ploy_vec2 point) {
    return ploy_polygon_locate(polygon, point) != PLOY_LOCATION_OUTSIDE;
}

int32_t ployi_polygon_winding(ploy_polygon polygon, ploy_vec2 point) {
    int32_t winding = 0;
    bool odd = false;
    ployi_polygon_round(polygon, point, &winding, &odd);
    return winding;
}

ploy_vec2 ploy_polygon_closest(ploy_polygon polygon, ploy_vec2 point) {
    if (polygon.count == 0 || ploy_polygon_contains(polygon, point)) return point;
    ploy_polyline outline = ploy_polygon_outline(polygon);
    return ploy_polyline_find(&outline, point).point;
}

// Before it is rounded, and whatever is inside.
static double polygon_outline_distance_sq(ploy_polygon polygon, ploy_vec2 point) {
    double best = INFINITY;
    for (int32_t i = 0; i < polygon.count; i++) {
        double distance_sq = ployi_segment2_distance_sq(ploy_polygon_edge(polygon, i), point);
        best = distance_sq < best ? distance_sq : best;
    }
    return best;
}

float ploy_polygon_distance_sq(ploy_polygon polygon, ploy_vec2 point) {
    if (ploy_polygon_contains(polygon, point)) return 0.0f;
    return (float)polygon_outline_distance_sq(polygon, point);
}

static double polygon_box_gap_sq(ploy_box2 a, ploy_box2 b) {
    double left = (double)a.min.x - (double)b.max.x, right = (double)b.min.x - (double)a.max.x;
    double below = (double)a.min.y - (double)b.max.y, above = (double)b.min.y - (double)a.max.y;
    double x = left > right ? left : right, y = below > above ? below : above;
    return (x > 0.0 ? x * x : 0.0) + (y > 0.0 ? y * y : 0.0);
}

float ploy_polygon_gap_sq(ploy_polygon a, ploy_polygon b) {
    if (ploy_polygon_overlaps(a, b)) return 0.0f;
    // Apart, the nearest two points are a corner of one and a point of the other's outline.
    double best = INFINITY;
    for (int32_t turn = 0; turn < 2; turn++) {
        ploy_polygon corners = turn == 0 ? a : b, edges = turn == 0 ? b : a;
        ploy_box2 box = ploy_box2_around(edges.points, edges.count);
        for (int32_t i = 0; i < corners.count; i++) {
            ploy_box2 at = {corners.points[i], corners.points[i]};
            if (edges.count == 0 || polygon_box_gap_sq(at, box) >= best) continue;
            double gap_sq = polygon_outline_distance_sq(edges, corners.points[i]);
            best = gap_sq < best ? gap_sq : best;
        }
    }
    return (float)best;
}

bool ploy_polygon_overlaps(ploy_polygon a, ploy_polygon b) {
    ploy_box2 b_box = ploy_box2_around(b.points, b.count);
    if (!ploy_box2_overlaps(ploy_box2_around(a.points, a.count), b_box)) return false;
    // Apart from touching outlines one may lie in the other; then any corner decides.
    if (ploy_polygon_contains(a, b.points[0]) || ploy_polygon_contains(b, a.points[0])) return true;
    for (int32_t i = 0; i < a.count; i++) {
        ploy_segment2 edge = ploy_polygon_edge(a, i);
        if (!ploy_box2_overlaps(ploy_box2_of_segment(edge), b_box)) continue;
        for (int32_t k = 0; k < b.count; k++) {
            if (ployi_segment2_meets(edge, ploy_polygon_edge(b, k))) return true;
        }
    }
    return false;
}

bool ploy_polygon_overlaps_segment(ploy_polygon polygon, ploy_segment2 segment) {
    const ploy_vec2 ends[2] = {segment.from, segment.to};
    return ploy_polygon_overlaps(polygon, ploy_polygon_make(ends, 2));
}

bool ploy_polygon_overlaps_circle(ploy_polygon polygon, ploy_circle circle) {
    double radius = circle.radius > 0.0f ? (double)circle.radius : 0.0;
    if (ploy_polygon_contains(polygon, circle.centre)) return true;
    return polygon_outline_distance_sq(polygon, circle.centre) <= radius * radius;
}

// The share of the segment at which it meets an edge that it is known to meet.
static double polygon_share(ploy_segment2 segment, ploy_segment2 edge) {
    ployi_dvec2 offset = ployi_dvec2_between(segment.to, segment.from);
    ployi_dvec2 along = ployi_dvec2_between(edge.to, edge.from);
    double turn = ployi_dvec2_cross(offset, along);
    if (ployi_segment2_has(edge, segment.from)) return 0.0;
    if (ployi_segment2_has(edge, segment.to) || turn == 0.0) return 1.0;
    double share = ployi_dvec2_cross(ployi_dvec2_between(edge.from, segment.from), along) / turn;
    return share > 0.0 ? (share < 1.0 ? share : 1.0) : 0.0;
}

int32_t ploy_polygon_cross_segment(ploy_polygon polygon, ploy_segment2 segment,
                                   ploy_polygon_crossing *out, int32_t capacity) {
    ployi_dvec2 offset = ployi_dvec2_between(segment.to, segment.from);
    int32_t met = 0, kept = 0;
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_segment2 edge = ploy_polygon_edge(polygon, i);
        if (polygon_order(edge.from, edge.to) == 0) continue;
        if (!ployi_segment2_meets(segment, edge)) continue;
        ploy_polygon_crossing crossing = {0.0f, edge.from, i};
        double share;
        if (ployi_segment2_has(segment, edge.from)) {
            ployi_dvec2 from = ployi_dvec2_between(edge.from, segment.from);
            double length_sq = ployi_dvec2_dot(offset, offset);
            share = length_sq > 0.0 ? ployi_dvec2_dot(from, offset) / length_sq : 0.0;
        } else if (ployi_segment2_has(segment, edge.to)) {
            continue; // the next edge begins there
        } else {
            share = polygon_share(segment, edge);
            crossing.point = share >= 1.0 ? segment.to
                                          : ployi_dvec2_round(ployi_dvec2_add_scaled(
                                                ployi_dvec2_of(segment.from), offset, share));
        }
        crossing.along = (float)share;
        met++;
        int32_t at = kept; // sorted in; equal ones keep the order of the edges
        while (at > 0 && out[at - 1].along > crossing.along) at--;
        if (at >= capacity) continue;
        if (kept < capacity) kept++;
        for (int32_t k = kept - 1; k > at; k--) out[k] = out[k - 1];
        out[at] = crossing;
    }
    return met;
}
