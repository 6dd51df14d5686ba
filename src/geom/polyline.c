// Polylines.
//
// The distance of a point from the start is the sum of the edges' lengths in double, rounded to
// float at each point; measure stores those numbers and the walk recomputes them, so that both ways
// agree to the bit. Every place is looked up between two of them.
#include "ploy/geom/polyline.h"

#include "geom/geom_internal.h"

// Walks over the edges and knows where each begins and ends. With `along` it can start anywhere.
typedef struct polyline_walk {
    const ploy_polyline *line;
    int32_t edge, edges;
    double sum;       // unrounded, at the edge's end; only without `along`
    float begin, end; // m along, of the edge
} polyline_walk;

static ploy_vec2 polyline_point(const ploy_polyline *line, int32_t index) {
    return line->points[index < line->count ? index : 0];
}

static double polyline_edge_length(const ploy_polyline *line, int32_t edge) {
    ployi_dvec2 offset = ployi_dvec2_between(polyline_point(line, edge + 1), line->points[edge]);
    return sqrt(ployi_dvec2_dot(offset, offset));
}

static void polyline_walk_load(polyline_walk *walk) {
    const ploy_polyline *line = walk->line;
    if (walk->edge >= walk->edges) return;
    if (line->along != NULL) {
        walk->begin = line->along[walk->edge];
        walk->end = line->along[walk->edge + 1];
    } else {
        walk->begin = walk->edge == 0 ? 0.0f : walk->end;
        walk->sum += polyline_edge_length(line, walk->edge);
        walk->end = (float)walk->sum;
    }
}

static polyline_walk polyline_walk_from(const ploy_polyline *line, int32_t edge) {
    polyline_walk walk = {line, edge, ployi_polyline_edges(line), 0.0, 0.0f, 0.0f};
    polyline_walk_load(&walk);
    return walk;
}

static bool polyline_walk_done(const polyline_walk *walk) {
    return walk->edge >= walk->edges;
}

static void polyline_walk_next(polyline_walk *walk) {
    walk->edge++;
    polyline_walk_load(walk);
}

// The walk at the edge that holds a place: the first that ends beyond it, so that a corner belongs
// to the edge that begins there; at the very end, the last edge with a length.
static polyline_walk polyline_walk_to(const ploy_polyline *line, float along) {
    int32_t edges = ployi_polyline_edges(line);
    if (line->along != NULL) {
        int32_t low = 0, high = edges; // the first edge whose end is beyond `along`
        while (low < high) {
            int32_t middle = low + (high - low) / 2;
            if (line->along[middle + 1] > along) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if (low == edges) { // at the end: back over edges of no length
            low = edges - 1;
            while (low > 0 && line->along[low] == line->along[low + 1]) low--;
        }
        return polyline_walk_from(line, low);
    }
    polyline_walk walk = polyline_walk_from(line, 0), last = walk;
    for (; !polyline_walk_done(&walk); polyline_walk_next(&walk)) {
        if (walk.end > walk.begin || walk.edge == 0) last = walk;
        if (walk.end > along) return walk;
    }
    return last;
}

ploy_polyline ploy_polyline_make(const ploy_vec2 *points, int32_t count, bool closed) {
    ploy_polyline line = {points, NULL, points != NULL && count > 0 ? count : 0, closed};
    return line;
}

int32_t ployi_polyline_edges(const ploy_polyline *line) {
    if (line->count < 2) return 0;
    return line->closed ? line->count : line->count - 1;
}

void ploy_polyline_measure(const ploy_polyline *line, float *out) {
    double sum = 0.0;
    if (line->count > 0 || line->closed) out[0] = 0.0f;
    int32_t edges = ployi_polyline_edges(line);
    for (int32_t i = 0; i < edges; i++) {
        sum += polyline_edge_length(line, i);
        out[i + 1] = (float)sum;
    }
    if (line->closed && line->count == 1) out[1] = 0.0f;
}

float ploy_polyline_length(const ploy_polyline *line) {
    int32_t edges = ployi_polyline_edges(line);
    if (edges == 0) return 0.0f;
    if (line->along != NULL) return line->along[edges];
    double sum = 0.0;
    for (int32_t i = 0; i < edges; i++) sum += polyline_edge_length(line, i);
    return (float)sum;
}

static float polyline_wrap_into(float along, float length, bool closed) {
    if (along >= 0.0f && along < length) return along; // exactly as it is
    if (!closed) return along > 0.0f ? length : 0.0f;  // NaN too gives 0
    if (!(length > 0.0f) || !(fabsf(along) <= FLT_MAX)) return 0.0f;
    double turns = floor((double)along / (double)length);
    float wrapped = (float)((double)along - turns * (double)length);
    return wrapped >= 0.0f && wrapped < length ? wrapped : 0.0f;
}

float ploy_polyline_wrap(const ploy_polyline *line, float along) {
    return polyline_wrap_into(along, ploy_polyline_length(line), line->closed);
}

// The place's share of its edge, 0 to 1.
static double polyline_share(const polyline_walk *walk, float along) {
    double length = (double)walk->end - (double)walk->begin;
    if (!(length > 0.0)) return 0.0;
    double share = ((double)along - (double)walk->begin) / length;
    return share > 0.0 ? (share < 1.0 ? share : 1.0) : 0.0;
}

static ployi_dvec2 polyline_between(const ploy_polyline *line, int32_t edge, double share) {
    ploy_vec2 from = line->points[edge], to = polyline_point(line, edge + 1);
    if (share >= 1.0) return ployi_dvec2_of(to); // exactly
    return ployi_dvec2_add_scaled(ployi_dvec2_of(from), ployi_dvec2_between(to, from), share);
}

ploy_vec2 ploy_polyline_at(const ploy_polyline *line, float along) {
    if (line->count == 0) return ploy_vec2_zero();
    if (line->count == 1) return line->points[0];
    along = ploy_polyline_wrap(line, along);
    polyline_walk walk = polyline_walk_to(line, along);
    return ployi_dvec2_round(polyline_between(line, walk.edge, polyline_share(&walk, along)));
}

int32_t ploy_polyline_edge_at(const ploy_polyline *line, float along) {
    if (line->count < 2 || !(ploy_polyline_length(line) > 0.0f)) return -1;
    polyline_walk walk = polyline_walk_to(line, ploy_polyline_wrap(line, along));
    return walk.edge;
}

ploy_vec2 ploy_polyline_direction(const ploy_polyline *line, float along) {
    int32_t edge = ploy_polyline_edge_at(line, along);
    if (edge < 0) return ploy_vec2_zero();
    return ployi_dvec2_round(
        ployi_dvec2_unit(ployi_dvec2_between(polyline_point(line, edge + 1), line->points[edge])));
}

// The best answer so far, its distance still in double.
typedef struct polyline_best {
    double distance_sq;
    ploy_polyline_nearest nearest;
} polyline_best;

// Looks at the part of an edge that lies within [low, high] metres along.
static void polyline_look(const polyline_walk *walk, ploy_vec2 point, float low, float high,
                          polyline_best *best) {
    const ploy_polyline *line = walk->line;
    ploy_vec2 from = line->points[walk->edge];
    ployi_dvec2 edge = ployi_dvec2_between(polyline_point(line, walk->edge + 1), from);
    ployi_dvec2 offset = ployi_dvec2_between(point, from);
    double length_sq = ployi_dvec2_dot(edge, edge);
    double share = length_sq > 0.0 ? ployi_dvec2_dot(offset, edge) / length_sq : 0.0;
    double share_low = low > walk->begin ? polyline_share(walk, low) : 0.0;
    double share_high = high < walk->end ? polyline_share(walk, high) : 1.0;
    share = share > share_low ? share : share_low; // NaN too
    share = share < share_high ? share : share_high;
    ployi_dvec2 gap = ployi_dvec2_add_scaled(offset, edge, -share);
    double distance_sq = ployi_dvec2_dot(gap, gap);
    if (best->nearest.edge >= 0 && !(distance_sq < best->distance_sq)) return;
    best->distance_sq = distance_sq;
    best->nearest.edge = walk->edge;
    best->nearest.point = ployi_dvec2_round(polyline_between(line, walk->edge, share));
    best->nearest.distance_sq = (float)distance_sq;
    float along = (float)((double)walk->begin + share * ((double)walk->end - (double)walk->begin));
    best->nearest.along = along < walk->end ? along : walk->end;
}

static void polyline_look_between(const ploy_polyline *line, ploy_vec2 point, float low, float high,
                                  polyline_best *best) {
    int32_t first = 0;
    if (line->along != NULL) { // the first edge that reaches `low`
        int32_t end = ployi_polyline_edges(line);
        while (first < end) {
            int32_t middle = first + (end - first) / 2;
            if (line->along[middle + 1] >= low) {
                end = middle;
            } else {
                first = middle + 1;
            }
        }
    }
    polyline_walk walk = polyline_walk_from(line, first);
    for (; !polyline_walk_done(&walk) && walk.begin <= high; polyline_walk_next(&walk)) {
        if (walk.end >= low) polyline_look(&walk, point, low, high, best);
    }
}

ploy_polyline_nearest ploy_polyline_find(const ploy_polyline *line, ploy_vec2 point) {
    return ploy_polyline_find_near(line, point, 0.0f, INFINITY);
}

ploy_polyline_nearest ploy_polyline_find_near(const ploy_polyline *line, ploy_vec2 point,
                                              float last, float window) {
    polyline_best best = {0.0, {0.0f, {0.0f, 0.0f}, 0.0f, -1}};
    if (line->count == 0) return best.nearest;
    if (line->count == 1) {
        best.nearest.edge = 0;
        best.nearest.point = line->points[0];
        best.nearest.distance_sq = ploy_vec2_distance_sq(line->points[0], point);
        return best.nearest;
    }
    float length = ploy_polyline_length(line);
    float reach = window > 0.0f ? window : 0.0f;
    bool whole = line->closed ? reach >= length * 0.5f : reach >= length;
    if (whole) {
        polyline_walk walk = polyline_walk_from(line, 0);
        for (; !polyline_walk_done(&walk); polyline_walk_next(&walk)) {
            polyline_look(&walk, point, 0.0f, length, &best);
        }
    } else {
        last = polyline_wrap_into(last, length, line->closed);
        float low = last - reach, high = last + reach;
        if (line->closed && low < 0.0f) { // round the start, in two parts
            polyline_look_between(line, point, low + length, length, &best);
        }
        polyline_look_between(line, point, low > 0.0f ? low : 0.0f, high < length ? high : length,
                              &best);
        if (line->closed && high >= length) {
            polyline_look_between(line, point, 0.0f, high - length, &best);
        }
    }
    // The end of a closed one is its start.
    if (line->closed && best.nearest.along >= length) best.nearest.along = 0.0f;
    return best.nearest;
}

float ploy_polyline_curvature(const ploy_polyline *line, int32_t index) {
    if (index < 0 || index >= line->count || line->count < 3) return 0.0f;
    bool end = index == 0 || index == line->count - 1;
    if (end && !line->closed) return 0.0f;
    ploy_vec2 before = line->points[index > 0 ? index - 1 : line->count - 1];
    ploy_vec2 at = line->points[index], next = polyline_point(line, index + 1);
    ployi_dvec2 a = ployi_dvec2_between(at, before), b = ployi_dvec2_between(next, at);
    ployi_dvec2 c = ployi_dvec2_between(next, before);
    double sides =
        sqrt(ployi_dvec2_dot(a, a)) * sqrt(ployi_dvec2_dot(b, b)) * sqrt(ployi_dvec2_dot(c, c));
    if (!(sides > 0.0)) return 0.0f;
    double curvature = 2.0 * ployi_dvec2_cross(a, b) / sides;
    double most = (double)FLT_MAX;
    return (float)(curvature < most ? (curvature > -most ? curvature : -most) : most);
}

void ploy_polyline_resample(const ploy_polyline *line, ploy_vec2 *out, int32_t count) {
    if (count < 1) return;
    if (line->count < 2) {
        ploy_vec2 only = line->count > 0 ? line->points[0] : ploy_vec2_zero();
        for (int32_t i = 0; i < count; i++) out[i] = only;
        return;
    }
    float length = ploy_polyline_length(line);
    double parts = line->closed ? (double)count : (double)count - 1.0;
    polyline_walk walk = polyline_walk_from(line, 0), last = walk;
    for (int32_t i = 0; i < count; i++) {
        float along = parts > 0.0 ? (float)((double)length * (double)i / parts) : 0.0f;
        along = polyline_wrap_into(along, length, line->closed);
        // As polyline_walk_to, but on from where the last one stopped.
        while (!polyline_walk_done(&walk)) {
            if (walk.end > walk.begin || walk.edge == 0) last = walk;
            if (walk.end > along) break;
            polyline_walk_next(&walk);
        }
        const polyline_walk *at = polyline_walk_done(&walk) ? &last : &walk;
        out[i] = ployi_dvec2_round(polyline_between(line, at->edge, polyline_share(at, along)));
    }
}
