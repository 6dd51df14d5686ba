// Hull, circle and oriented box around points.
#include "ploy/geom/hull.h"

#include "geom/geom_internal.h"
#include "geom/obb_internal.h"
#include "geom/predicates_inline.h"
#include "ploy/base/math.h"

static bool hull_finite(ploy_vec2 v) {
    return ploy_is_finite(v.x) && ploy_is_finite(v.y);
}

// By x, then by y.
static bool hull_less(ploy_vec2 a, ploy_vec2 b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// Around the pivot, counter-clockwise; on one ray the nearer first. The pivot is the least of all,
// so all others lie within half a turn, and on a ray from it nearer is less. Equal points are equal
// to the bit (there is no -0), so the order among them cannot show.
static bool hull_before(ploy_vec2 pivot, ploy_vec2 a, ploy_vec2 b) {
    int32_t turn = ployi_orient2(pivot, a, b);
    return turn != 0 ? turn > 0 : hull_less(a, b);
}

// Heap sort (Williams 1964): in place and never worse than n log n.
static void hull_sift(ploy_vec2 pivot, ploy_vec2 *items, int32_t at, int32_t count) {
    ploy_vec2 item = items[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && hull_before(pivot, items[child], items[child + 1])) child++;
        if (!hull_before(pivot, item, items[child])) break;
        items[at] = items[child];
        at = child;
    }
    items[at] = item;
}

static void hull_sort(ploy_vec2 pivot, ploy_vec2 *items, int32_t count) {
    for (int32_t i = count / 2; i-- > 0;) hull_sift(pivot, items, i, count);
    for (int32_t last = count - 1; last > 0; last--) {
        ploy_vec2 greatest = items[0];
        items[0] = items[last];
        items[last] = greatest;
        hull_sift(pivot, items, 0, last);
    }
}

int32_t ploy_hull2(const ploy_vec2 *points, int32_t count, ploy_vec2 *out) {
    int32_t n = 0, least = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!hull_finite(points[i])) continue;
        out[n] = ploy_vec2_make(points[i].x + 0.0f, points[i].y + 0.0f); // -0 becomes 0
        if (hull_less(out[n], out[least])) least = n;
        n++;
    }
    if (n < 2) return n;
    ploy_vec2 pivot = out[least];
    out[least] = out[0];
    out[0] = pivot;
    hull_sort(pivot, out + 1, n - 1);
    int32_t kept = 1;
    for (int32_t i = 1; i < n; i++) {
        ploy_vec2 next = out[i];
        if (ploy_vec2_equal(next, pivot)) continue;
        while (kept > 1 && ployi_orient2(out[kept - 2], out[kept - 1], next) <= 0) kept--;
        out[kept++] = next;
    }
    return kept;
}

typedef struct hull_circle {
    ployi_dvec2 centre;
    double radius_sq;
} hull_circle;

static double hull_distance_sq(hull_circle circle, ploy_vec2 point) {
    double x = (double)point.x - circle.centre.x, y = (double)point.y - circle.centre.y;
    return x * x + y * y;
}

static double hull_spread_sq(hull_circle circle, const ploy_vec2 *points, int32_t count) {
    double most = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double distance_sq = hull_distance_sq(circle, points[i]);
        most = distance_sq > most ? distance_sq : most;
    }
    return most;
}

// The circle on two points as its diameter.
static hull_circle hull_circle2(ploy_vec2 a, ploy_vec2 b) {
    hull_circle circle = {{((double)a.x + (double)b.x) * 0.5, ((double)a.y + (double)b.y) * 0.5},
                          0.0};
    const ploy_vec2 points[2] = {a, b};
    circle.radius_sq = hull_spread_sq(circle, points, 2);
    return circle;
}

// The circle through three; false if they lie on one line.
static bool hull_circle3(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, hull_circle *out) {
    ployi_dvec2 u = ployi_dvec2_between(b, a), v = ployi_dvec2_between(c, a);
    double turn = 2.0 * ployi_dvec2_cross(u, v);
    if (turn == 0.0) return false;
    double uu = ployi_dvec2_dot(u, u), vv = ployi_dvec2_dot(v, v);
    out->centre.x = (double)a.x + (v.y * uu - u.y * vv) / turn;
    out->centre.y = (double)a.y + (u.x * vv - v.x * uu) / turn;
    const ploy_vec2 points[3] = {a, b, c};
    out->radius_sq = hull_spread_sq(*out, points, 3);
    return ploy_is_finite_d(out->radius_sq);
}

// A point counts as within up to this share of the radius squared; far below a float's last bit.
#define HULL_SLACK (1.0 + 1e-13)

// The smallest circle around up to four points, by trying all twos and threes that hold the rest.
// On return support is what carries it.
static hull_circle hull_circle_few(ploy_vec2 *support, int32_t *count) {
    hull_circle best = {ployi_dvec2_of(support[0]), INFINITY};
    ploy_vec2 carried[3] = {support[0], support[0], support[0]};
    int32_t n = *count, carriers = 1;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = i + 1; k < n; k++) {
            hull_circle circle = hull_circle2(support[i], support[k]);
            double spread = hull_spread_sq(circle, support, n);
            if (spread <= circle.radius_sq * HULL_SLACK && spread < best.radius_sq) {
                best = circle;
                best.radius_sq = spread;
                carried[0] = support[i], carried[1] = support[k], carriers = 2;
            }
            for (int32_t m = k + 1; m < n; m++) {
                if (!hull_circle3(support[i], support[k], support[m], &circle)) continue;
                spread = hull_spread_sq(circle, support, n);
                if (spread > circle.radius_sq * HULL_SLACK || spread >= best.radius_sq) continue;
                best = circle;
                best.radius_sq = spread;
                carried[0] = support[i], carried[1] = support[k], carried[2] = support[m];
                carriers = 3;
            }
        }
    }
    for (int32_t i = 0; i < carriers; i++) support[i] = carried[i];
    *count = carriers;
    return best;
}

ploy_circle ploy_circle_around(const ploy_vec2 *points, int32_t count) {
    ploy_circle out = {{0.0f, 0.0f}, 0.0f};
    ploy_vec2 support[4];
    int32_t carriers = 0;
    hull_circle circle = {{0.0, 0.0}, 0.0};
    for (int32_t i = 0; i < count && carriers == 0; i++) {
        if (!hull_finite(points[i])) continue;
        support[carriers++] = points[i];
        circle.centre = ployi_dvec2_of(points[i]);
    }
    if (carriers == 0) return out;
    for (;;) {
        double most = circle.radius_sq * HULL_SLACK;
        int32_t furthest = -1;
        for (int32_t i = 0; i < count; i++) {
            if (!hull_finite(points[i])) continue;
            double distance_sq = hull_distance_sq(circle, points[i]);
            if (!(distance_sq > most)) continue;
            most = distance_sq;
            furthest = i;
        }
        if (furthest < 0) break;
        support[carriers++] = points[furthest];
        hull_circle larger = hull_circle_few(support, &carriers);
        // In theory it always grows; where rounding says otherwise this is as good as it gets.
        if (!(larger.radius_sq > circle.radius_sq) || !(larger.radius_sq < INFINITY)) break;
        circle = larger;
    }
    out.centre = ployi_dvec2_round(circle.centre);
    // Around the rounded centre, and rounded up.
    hull_circle rounded = {ployi_dvec2_of(out.centre), 0.0};
    for (int32_t i = 0; i < count; i++) {
        if (!hull_finite(points[i])) continue;
        double distance_sq = hull_distance_sq(rounded, points[i]);
        rounded.radius_sq = distance_sq > rounded.radius_sq ? distance_sq : rounded.radius_sq;
    }
    out.radius = (float)sqrt(rounded.radius_sq);
    while ((double)out.radius * (double)out.radius < rounded.radius_sq) {
        out.radius = nextafterf(out.radius, INFINITY);
    }
    return out;
}

// A float no smaller than the number.
static float hull_round_up(double number) {
    float rounded = (float)number;
    return (double)rounded < number ? nextafterf(rounded, INFINITY) : rounded;
}

// The box with this axis around the corners: first in double about the first corner, then from the
// rounded centre, so that what ploy_obb2_contains compares is within.
static ploy_obb2 hull_box(const ploy_vec2 *corners, int32_t count, ploy_vec2 axis) {
    ploy_obb2 box = {corners[0], axis, {0.0f, 0.0f}};
    ployi_dvec2 low = {0.0, 0.0}, high = {0.0, 0.0};
    for (int32_t i = 0; i < count; i++) {
        ployi_dvec2 at = ployi_obb2_within(box, corners[i]);
        low = ployi_dvec2_make(at.x < low.x ? at.x : low.x, at.y < low.y ? at.y : low.y);
        high = ployi_dvec2_make(at.x > high.x ? at.x : high.x, at.y > high.y ? at.y : high.y);
    }
    double x = (low.x + high.x) * 0.5, y = (low.y + high.y) * 0.5;
    ployi_dvec2 unit = ployi_dvec2_of(axis);
    box.centre =
        ployi_dvec2_round(ployi_dvec2_make((double)corners[0].x + x * unit.x - y * unit.y,
                                           (double)corners[0].y + x * unit.y + y * unit.x));
    for (int32_t i = 0; i < count; i++) {
        ployi_dvec2 at = ployi_obb2_within(box, corners[i]);
        box.half.x = ploy_maxf(box.half.x, hull_round_up(fabs(at.x)));
        box.half.y = ploy_maxf(box.half.y, hull_round_up(fabs(at.y)));
    }
    return box;
}

// One caliper: the corner furthest along a direction, which only moves on as the direction turns.
static int32_t hull_caliper(const ploy_vec2 *corners, int32_t count, int32_t at,
                            ployi_dvec2 along) {
    for (int32_t i = 0; i < count; i++) {
        int32_t next = at + 1 < count ? at + 1 : 0;
        if (ployi_dvec2_dot(ployi_dvec2_between(corners[next], corners[at]), along) <= 0.0) break;
        at = next;
    }
    return at;
}

// The direction of the hull's edge whose box is least.
static ploy_vec2 hull_least_axis(const ploy_vec2 *corners, int32_t count) {
    int32_t right = 1, top = 1, left = 1;
    double least = INFINITY;
    ploy_vec2 axis = {1.0f, 0.0f};
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 from = corners[i], to = corners[i + 1 < count ? i + 1 : 0];
        ployi_dvec2 along = ployi_dvec2_unit(ployi_dvec2_between(to, from));
        ployi_dvec2 across = {-along.y, along.x}, back = {-along.x, -along.y};
        if (i == 0) { // from each start the direction's furthest corner lies ahead
            right = hull_caliper(corners, count, 1 % count, along);
            top = hull_caliper(corners, count, right, across);
            left = hull_caliper(corners, count, top, back);
        } else {
            right = hull_caliper(corners, count, right, along);
            top = hull_caliper(corners, count, top, across);
            left = hull_caliper(corners, count, left, back);
        }
        double width = ployi_dvec2_dot(ployi_dvec2_between(corners[right], corners[left]), along);
        double height = ployi_dvec2_dot(ployi_dvec2_between(corners[top], from), across);
        if (!(width * height < least)) continue;
        least = width * height;
        axis = ployi_dvec2_round(along);
    }
    return axis;
}

ploy_result ploy_obb2_around(const ploy_vec2 *points, int32_t count, ploy_arena *scratch,
                             ploy_obb2 *out) {
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    ploy_vec2 *corners = ploy_arena_alloc_array(scratch, count > 0 ? count : 0, sizeof *corners);
    if (corners == NULL) return PLOY_ERR_MEMORY;
    int32_t n = ploy_hull2(points, count, corners);
    ploy_obb2 box = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 0.0f}};
    if (n == 1) box.centre = corners[0];
    if (n > 1) box = hull_box(corners, n, hull_least_axis(corners, n));
    ploy_arena_rewind(scratch, mark);
    *out = box;
    return PLOY_OK;
}

#undef HULL_SLACK
