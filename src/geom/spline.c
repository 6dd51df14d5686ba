// Splines: the cubic of a span, and what follows from it at a parameter.
//
// Whatever the kind, a span becomes one cubic in powers of u about its first point; everything else
// is written once over it, for two and three dimensions. Three dimensions with a zero part cost
// little beside the span's set-up.
#include "ploy/geom/spline.h"

#include "geom/geom_internal.h"
#include "geom/spline_internal.h"

static const char *const spline_kind_texts[PLOY_SPLINE_KIND_COUNT] = {
    "uniform", "centripetal", "chordal", "bezier", "hermite",
};

const char *ploy_spline_kind_text(ploy_spline_kind kind) {
    if ((uint32_t)kind >= PLOY_SPLINE_KIND_COUNT) return "?";
    return spline_kind_texts[kind];
}

static int32_t spline_spans(int32_t count, ploy_spline_kind kind, bool closed) {
    switch (kind) {
    case PLOY_SPLINE_BEZIER:
        if (closed) return count / 3;
        return count >= 4 ? (count - 1) / 3 : 0;
    case PLOY_SPLINE_HERMITE:
        if (count < 4) return 0;
        return closed ? count / 2 : count / 2 - 1;
    default:
        if (count < 2) return 0;
        return closed ? count : count - 1;
    }
}

static ployi_spline spline_of(const float *points, const float *along, int32_t dims, int32_t count,
                              ploy_spline_kind kind, bool closed) {
    if ((uint32_t)kind >= PLOY_SPLINE_KIND_COUNT) kind = PLOY_SPLINE_UNIFORM;
    if (points == NULL || count < 0) count = 0;
    ployi_spline spline = {points, along, dims, count, spline_spans(count, kind, closed),
                           kind,   closed};
    return spline;
}

ployi_spline ployi_spline_of2(const ploy_spline2 *spline) {
    return spline_of(spline->points == NULL ? NULL : &spline->points->x, spline->along, 2,
                     spline->count, spline->kind, spline->closed);
}

ployi_spline ployi_spline_of3(const ploy_spline3 *spline) {
    return spline_of(spline->points == NULL ? NULL : &spline->points->x, spline->along, 3,
                     spline->count, spline->kind, spline->closed);
}

static void spline_point(const ployi_spline *spline, int32_t index, double out[3]) {
    const float *from = spline->points + (size_t)index * (size_t)spline->dims;
    out[0] = (double)from[0];
    out[1] = (double)from[1];
    out[2] = spline->dims == 3 ? (double)from[2] : 0.0;
}

// The interpolated point `index`, from one before the first to one behind the last: mirrored beyond
// an open end, going round otherwise. There are two points at least.
static void spline_through(const ployi_spline *spline, int32_t index, double out[3]) {
    int32_t count = spline->count;
    if (index >= 0 && index < count) {
        spline_point(spline, index, out);
    } else if (spline->closed) {
        spline_point(spline, index < 0 ? index + count : index - count, out);
    } else {
        double end[3], next[3];
        spline_point(spline, index < 0 ? 0 : count - 1, end);
        spline_point(spline, index < 0 ? 1 : count - 2, next);
        for (int32_t i = 0; i < 3; i++) out[i] = 2.0 * end[i] - next[i];
    }
}

// The knots' distance for two points.
static double spline_knot_gap(ploy_spline_kind kind, const double a[3], const double b[3]) {
    if (kind == PLOY_SPLINE_UNIFORM) return 1.0;
    double distance[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double length = sqrt(ployi_dot3(distance, distance));
    return kind == PLOY_SPLINE_CENTRIPETAL ? sqrt(length) : length;
}

// The cubic of two points and the derivatives there.
static void spline_fill_hermite(ployi_cubic *cubic, const double from[3], const double to[3],
                                const double leave[3], const double arrive[3]) {
    for (int32_t i = 0; i < 3; i++) {
        double distance = to[i] - from[i];
        cubic->start[i] = from[i];
        cubic->end[i] = to[i];
        cubic->c[0][i] = leave[i];
        cubic->c[1][i] = 3.0 * distance - 2.0 * leave[i] - arrive[i];
        cubic->c[2][i] = leave[i] + arrive[i] - 2.0 * distance;
    }
}

static void spline_fill_bezier(ployi_cubic *cubic, double p[4][3]) {
    for (int32_t i = 0; i < 3; i++) {
        double a = p[1][i] - p[0][i], b = p[2][i] - p[0][i], c = p[3][i] - p[0][i];
        cubic->start[i] = p[0][i];
        cubic->end[i] = p[3][i];
        cubic->c[0][i] = 3.0 * a;
        cubic->c[1][i] = 3.0 * b - 6.0 * a;
        cubic->c[2][i] = c - 3.0 * b + 3.0 * a;
    }
}

static void spline_fill_through(ployi_cubic *cubic, ploy_spline_kind kind, double p[4][3]) {
    double leave[3] = {0, 0, 0}, arrive[3] = {0, 0, 0};
    double gap = spline_knot_gap(kind, p[1], p[2]);
    if (gap > 0.0) {
        // A doubled point before or behind has no distance; it takes the span's.
        double before = spline_knot_gap(kind, p[0], p[1]),
               behind = spline_knot_gap(kind, p[2], p[3]);
        if (!(before > 0.0)) before = gap;
        if (!(behind > 0.0)) behind = gap;
        for (int32_t i = 0; i < 3; i++) {
            double first = p[1][i] - p[0][i], middle = p[2][i] - p[1][i], last = p[3][i] - p[2][i];
            // Barry and Goldman's tangents, times the span's gap as u runs from 0 to 1.
            leave[i] = middle + gap * (first / before - (first + middle) / (before + gap));
            arrive[i] = middle + gap * (last / behind - (middle + last) / (gap + behind));
        }
    }
    spline_fill_hermite(cubic, p[1], p[2], leave, arrive);
}

ployi_cubic ployi_spline_cubic(const ployi_spline *spline, int32_t span) {
    ployi_cubic cubic;
    double p[4][3];
    if (spline->kind == PLOY_SPLINE_BEZIER) {
        for (int32_t i = 0; i < 4; i++) {
            int32_t index = span * 3 + i;
            bool round = spline->closed && i == 3 && span == spline->spans - 1;
            spline_point(spline, round ? 0 : index, p[i]);
        }
        spline_fill_bezier(&cubic, p);
    } else if (spline->kind == PLOY_SPLINE_HERMITE) {
        int32_t next = spline->closed && span == spline->spans - 1 ? 0 : span + 1;
        for (int32_t i = 0; i < 4; i++)
            spline_point(spline, (i < 2 ? span : next) * 2 + i % 2, p[i]);
        spline_fill_hermite(&cubic, p[0], p[2], p[1], p[3]);
    } else {
        for (int32_t i = 0; i < 4; i++) spline_through(spline, span - 1 + i, p[i]);
        spline_fill_through(&cubic, spline->kind, p);
    }
    return cubic;
}

void ployi_cubic_from_start(const ployi_cubic *cubic, double u, double out[3]) {
    for (int32_t i = 0; i < 3; i++) {
        out[i] = u * (cubic->c[0][i] + u * (cubic->c[1][i] + u * cubic->c[2][i]));
    }
}

void ployi_cubic_derivative(const ployi_cubic *cubic, double u, double out[3]) {
    for (int32_t i = 0; i < 3; i++) {
        out[i] = cubic->c[0][i] + u * (2.0 * cubic->c[1][i] + u * 3.0 * cubic->c[2][i]);
    }
}

static void spline_cubic_second(const ployi_cubic *cubic, double u, double out[3]) {
    for (int32_t i = 0; i < 3; i++) out[i] = 2.0 * cubic->c[1][i] + 6.0 * u * cubic->c[2][i];
}

static void spline_cubic_at(const ployi_cubic *cubic, double u, double out[3]) {
    if (u >= 1.0) { // exactly, not nearly
        for (int32_t i = 0; i < 3; i++) out[i] = cubic->end[i];
        return;
    }
    ployi_cubic_from_start(cubic, u, out);
    for (int32_t i = 0; i < 3; i++) out[i] += cubic->start[i];
}

static float spline_wrap(const ployi_spline *spline, float t) {
    float end = (float)spline->spans;
    if (t >= 0.0f && t < end) return t;
    if (!spline->closed) return t > 0.0f ? end : 0.0f; // NaN too gives 0
    if (!(end > 0.0f) || !(fabsf(t) <= FLT_MAX)) return 0.0f;
    double turns = floor((double)t / (double)end);
    float wrapped = (float)((double)t - turns * (double)end);
    return wrapped >= 0.0f && wrapped < end ? wrapped : 0.0f;
}

// Of a spline with spans.
static ployi_spline_place spline_place(const ployi_spline *spline, float t) {
    t = spline_wrap(spline, t);
    int32_t last = spline->spans - 1;
    int32_t span = t < (float)last ? (int32_t)t : last;
    ployi_spline_place place = {span, (double)t - (double)span};
    return place;
}

// The questions at a place; zeros without spans, but for the point.
static void spline_tell_point(const ployi_spline *spline, ployi_spline_place place, double out[3]) {
    if (spline->spans == 0) {
        out[0] = out[1] = out[2] = 0.0;
        if (spline->count > 0) spline_point(spline, 0, out);
        return;
    }
    ployi_cubic cubic = ployi_spline_cubic(spline, place.span);
    spline_cubic_at(&cubic, place.u, out);
}

static void spline_tell_direction(const ployi_spline *spline, ployi_spline_place place,
                                  double out[3]) {
    out[0] = out[1] = out[2] = 0.0;
    if (spline->spans == 0) return;
    ployi_cubic cubic = ployi_spline_cubic(spline, place.span);
    double distance[3], size = 0.0;
    for (int32_t k = 0; k < 3; k++) size += sqrt(ployi_dot3(cubic.c[k], cubic.c[k]));
    // Beside the sizes it was summed from, less than this is nothing but rounding.
    double least = size * 1e-12;
    ployi_cubic_derivative(&cubic, place.u, distance);
    if (!(ployi_dot3(distance, distance) > least * least)) {
        // The first of the higher derivatives that does not vanish says where the curve leaves; at
        // a span's end the direction it came from, where an even one turns round.
        double sign = place.u >= 1.0 ? -1.0 : 1.0;
        spline_cubic_second(&cubic, place.u, distance);
        if (!(ployi_dot3(distance, distance) > least * least)) {
            for (int32_t i = 0; i < 3; i++) distance[i] = 6.0 * cubic.c[2][i];
            sign = 1.0;
        }
        for (int32_t i = 0; i < 3; i++) distance[i] *= sign;
    }
    double length = sqrt(ployi_dot3(distance, distance));
    if (!(length > 0.0)) return;
    for (int32_t i = 0; i < 3; i++) out[i] = distance[i] / length;
}

// |p' x p''| / |p'|^3, with the sign of the turn in the plane.
static float spline_tell_curvature(const ployi_spline *spline, ployi_spline_place place) {
    if (spline->spans == 0) return 0.0f;
    ployi_cubic cubic = ployi_spline_cubic(spline, place.span);
    double v[3], a[3];
    ployi_cubic_derivative(&cubic, place.u, v);
    spline_cubic_second(&cubic, place.u, a);
    double speed_sq = ployi_dot3(v, v);
    double cube = speed_sq * sqrt(speed_sq);
    if (!(cube > 0.0)) return 0.0f;
    double turn = v[0] * a[1] - v[1] * a[0];
    if (spline->dims == 3) {
        double x = v[1] * a[2] - v[2] * a[1], y = v[2] * a[0] - v[0] * a[2];
        turn = sqrt(x * x + y * y + turn * turn);
    }
    double curvature = turn / cube;
    double most = (double)FLT_MAX; // at a near cusp, finite all the same
    return (float)(curvature < most ? (curvature > -most ? curvature : -most) : most);
}

static ploy_vec2 spline_vec2(const double v[3]) {
    return ploy_vec2_make((float)v[0], (float)v[1]);
}

static ploy_vec3 spline_vec3(const double v[3]) {
    return ploy_vec3_make((float)v[0], (float)v[1], (float)v[2]);
}

// The order-th derivative.
static void spline_differentiate(const ployi_spline *spline, float t, int32_t order,
                                 double out[3]) {
    out[0] = out[1] = out[2] = 0.0;
    if (spline->spans == 0) return;
    ployi_spline_place place = spline_place(spline, t);
    ployi_cubic cubic = ployi_spline_cubic(spline, place.span);
    if (order == 1) {
        ployi_cubic_derivative(&cubic, place.u, out);
    } else {
        spline_cubic_second(&cubic, place.u, out);
    }
}

// The place at that many metres along, which may lie outside.
static ployi_spline_place spline_place_along(const ployi_spline *spline, float along) {
    ployi_spline_place none = {0, 0.0};
    if (spline->spans == 0) return none;
    float length = ployi_spline_length(spline);
    return ployi_spline_place_at(spline, ployi_spline_wrap_along(spline, along, length));
}

static float spline_t_of(ployi_spline_place place) {
    return (float)((double)place.span + place.u);
}

// Pieces for a span: a chord over h of the parameter strays no farther than h^2 / 8 times the
// largest second derivative (Wang, "The Subdivision Method for Finding the Intersection between two
// Bezier Curves or Surfaces", 1984), and a cubic's is largest at an end.
static int32_t spline_pieces(const ployi_cubic *cubic, float tolerance) {
    double first[3], last[3];
    spline_cubic_second(cubic, 0.0, first);
    spline_cubic_second(cubic, 1.0, last);
    double a = sqrt(ployi_dot3(first, first)), b = sqrt(ployi_dot3(last, last));
    double most = a > b ? a : b;
    if (most == 0.0) return 1; // straight and even
    if (!(tolerance > 0.0f)) return PLOY_SPLINE_PIECES_MAX;
    double pieces = ceil(sqrt(most / (8.0 * (double)tolerance)));
    if (!(pieces < (double)PLOY_SPLINE_PIECES_MAX)) return PLOY_SPLINE_PIECES_MAX;
    return pieces > 1.0 ? (int32_t)pieces : 1;
}

typedef void (*spline_flatten_fn)(void *user, int64_t index, const double point[3]);

static int64_t spline_flatten(const ployi_spline *spline, float tolerance, spline_flatten_fn fn,
                              void *user) {
    double point[3];
    if (spline->spans == 0) {
        if (spline->count == 0) return 0;
        spline_point(spline, 0, point);
        fn(user, 0, point);
        return 1;
    }
    int64_t index = 0;
    for (int32_t span = 0; span < spline->spans; span++) {
        ployi_cubic cubic = ployi_spline_cubic(spline, span);
        int32_t pieces = spline_pieces(&cubic, tolerance);
        for (int32_t i = 0; i < pieces; i++) {
            spline_cubic_at(&cubic, (double)i / (double)pieces, point);
            fn(user, index++, point);
        }
        if (span == spline->spans - 1 && !spline->closed) fn(user, index++, cubic.end);
    }
    return index;
}

typedef struct spline_out {
    ploy_vec2 *out2;
    ploy_vec3 *out3;
    int32_t capacity;
} spline_out;

static void spline_write(void *user, int64_t index, const double point[3]) {
    spline_out *to = user;
    if (index >= to->capacity) return;
    if (to->out2 != NULL) to->out2[index] = spline_vec2(point);
    if (to->out3 != NULL) to->out3[index] = spline_vec3(point);
}

int32_t ploy_spline2_flatten(const ploy_spline2 *spline, float tolerance, ploy_vec2 *out,
                             int32_t capacity) {
    ployi_spline s = ployi_spline_of2(spline);
    spline_out to = {out, NULL, capacity};
    int64_t count = spline_flatten(&s, tolerance, spline_write, &to);
    return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

int32_t ploy_spline3_flatten(const ploy_spline3 *spline, float tolerance, ploy_vec3 *out,
                             int32_t capacity) {
    ployi_spline s = ployi_spline_of3(spline);
    spline_out to = {NULL, out, capacity};
    int64_t count = spline_flatten(&s, tolerance, spline_write, &to);
    return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

// Points gathered on the stack until a piece of line is full; pieces share their end points.
typedef struct spline_pen {
    ploy_draw *out;
    ploy_draw_item item;
    ploy_vec3 points[64];
} spline_pen;

static void spline_pen_add(void *user, int64_t index, const double point[3]) {
    (void)index;
    spline_pen *pen = user;
    pen->points[pen->item.count++] = spline_vec3(point);
    if (pen->item.count < 64) return;
    ploy_draw_item_out(pen->out, &pen->item);
    pen->points[0] = pen->points[63];
    pen->item.count = 1;
}

static void spline_draw(const ployi_spline *spline, float tolerance, ploy_layer layer,
                        ploy_style style, ploy_agent_id owner, ploy_draw *out) {
    if (!ploy_draw_wants(out, layer) || spline->spans == 0) return;
    spline_pen pen;
    ploy_draw_item item = {
        PLOY_SHAPE_LINE, layer, style, owner.id, pen.points, 0, 0, 0, 1, NULL, NULL};
    pen.out = out;
    pen.item = item;
    spline_flatten(spline, tolerance, spline_pen_add, &pen);
    if (spline->closed) { // back to the start
        ployi_cubic first = ployi_spline_cubic(spline, 0);
        spline_pen_add(&pen, 0, first.start);
    }
    if (pen.item.count > 1) ploy_draw_item_out(out, &pen.item);
}

#define SPLINE_N 2
#include "geom/spline_at.inc"

#define SPLINE_N 3
#include "geom/spline_at.inc"
