// Exact sight past solid areas.
//
// No edge may cross the segment. Then the segment can be inside what is solid only between places
// where it touches the rings (their corners on it, and its own ends on them), or from end to end.
// So its ends are located, and at each touch the directions ahead and back are examined: between
// which of the edges that meet there do they lead? Crossing an edge that leaves the place, counter-
// clockwise, one comes into the area once more, and out of it at one that arrives; as clean rings
// go round a point once or not at all, the least sum on the way round is where one is outside.
#include "ploy/geom/line_of_sight.h"

#include "geom/polygon_internal.h"
#include "ploy/base/math.h"
#include "ploy/geom/predicates.h"

// Whether a and b lie in the same direction from o, which is neither.
static bool sight_same_direction(ploy_vec2 o, ploy_vec2 a, ploy_vec2 b) {
    if (ploy_orient2(o, a, b) != 0) return false;
    return a.x != o.x ? (a.x > o.x) == (b.x > o.x) : (a.y > o.y) == (b.y > o.y);
}

// Whether a comes before b, or with it, counter-clockwise from the direction o -> offset; neither has
// that direction itself.
static bool sight_before(ploy_vec2 o, ploy_vec2 offset, ploy_vec2 a, ploy_vec2 b) {
    bool a_behind = ploy_orient2(o, offset, a) <= 0, b_behind = ploy_orient2(o, offset, b) <= 0;
    if (a_behind != b_behind) return b_behind;
    return ploy_orient2(o, a, b) >= 0;
}

// A walk over the edges at a place, each as one or two spokes that lead from it.
typedef struct sight_spokes {
    const ploy_rings *rings;
    ploy_vec2 at;
    int32_t ring, edge, end; // where to go on; end 0: at the edge's to, 1: at its from
    ploy_vec2 to;            // the present spoke leads there
    int32_t weight;          // +1 if the edge leaves the place that way, -1 if it arrives
} sight_spokes;

static sight_spokes sight_spokes_begin(const ploy_rings *rings, ploy_vec2 at) {
    sight_spokes spokes = {rings, at, 0, 0, 0, {0.0f, 0.0f}, 0};
    return spokes;
}

static bool sight_spokes_next(sight_spokes *spokes) {
    for (; spokes->ring < ploy_rings_count(spokes->rings); spokes->ring++, spokes->edge = 0) {
        ploy_polygon ring = ploy_rings_get(spokes->rings, spokes->ring);
        for (; spokes->edge < ring.count; spokes->edge++, spokes->end = 0) {
            ploy_segment2 edge = ploy_polygon_edge(ring, spokes->edge);
            if (!ployi_segment2_has(edge, spokes->at)) continue;
            while (spokes->end < 2) {
                spokes->to = spokes->end == 0 ? edge.to : edge.from;
                spokes->weight = spokes->end++ == 0 ? 1 : -1;
                if (!ploy_vec2_equal(spokes->to, spokes->at)) return true;
            }
        }
    }
    return false;
}

// The sum of the weights counter-clockwise from a direction at a place up to `to`, with it.
static int32_t sight_sum(const ploy_rings *rings, ploy_vec2 at, ploy_vec2 offset, ploy_vec2 to) {
    int32_t sum = 0;
    for (sight_spokes spokes = sight_spokes_begin(rings, at); sight_spokes_next(&spokes);) {
        if (sight_before(at, offset, spokes.to, to)) sum += spokes.weight;
    }
    return sum;
}

// Whether the direction from a place on the rings leads into what is solid at once. Along an edge it does
// not.
static bool sight_enters(const ploy_rings *rings, ploy_solid solid, ploy_vec2 at,
                         ploy_vec2 offset) {
    int32_t least = 0;
    for (sight_spokes spokes = sight_spokes_begin(rings, at); sight_spokes_next(&spokes);) {
        if (sight_same_direction(at, offset, spokes.to)) return false;
        least = ploy_mini(least, sight_sum(rings, at, offset, spokes.to));
    }
    return (least < 0) == (solid == PLOY_SOLID_INSIDE);
}

static bool sight_crosses(ploy_segment2 a, ploy_segment2 b) {
    return ploy_orient2(a.from, a.to, b.from) * ploy_orient2(a.from, a.to, b.to) < 0 &&
           ploy_orient2(b.from, b.to, a.from) * ploy_orient2(b.from, b.to, a.to) < 0;
}

// Whether the segment leads into what is solid from a place on both.
static bool sight_blocked_at(const ploy_rings *rings, ploy_solid solid, ploy_segment2 segment,
                             ploy_vec2 at) {
    return (!ploy_vec2_equal(at, segment.to) && sight_enters(rings, solid, at, segment.to)) ||
           (!ploy_vec2_equal(at, segment.from) && sight_enters(rings, solid, at, segment.from));
}

bool ploy_rings_sees(const ploy_rings *rings, ploy_solid solid, ploy_vec2 from, ploy_vec2 to) {
    ploy_segment2 segment = {from, to};
    const ploy_vec2 ends[2] = {from, to};
    for (int32_t e = 0; e < 2; e++) {
        if (!ploy_is_finite(ends[e].x) || !ploy_is_finite(ends[e].y)) return false;
        ploy_location location = ploy_rings_locate(rings, ends[e], PLOY_FILL_EVEN_ODD);
        if (location == (solid == PLOY_SOLID_INSIDE ? PLOY_LOCATION_INSIDE : PLOY_LOCATION_OUTSIDE))
            return false;
        if (location == PLOY_LOCATION_ON && sight_blocked_at(rings, solid, segment, ends[e])) {
            return false;
        }
    }
    ploy_box2 box = ploy_box2_of_segment(segment);
    for (int32_t i = 0; i < ploy_rings_count(rings); i++) {
        ploy_polygon ring = ploy_rings_get(rings, i);
        for (int32_t k = 0; k < ring.count; k++) {
            ploy_segment2 edge = ploy_polygon_edge(ring, k);
            if (!ploy_box2_overlaps(box, ploy_box2_of_segment(edge))) continue;
            if (sight_crosses(segment, edge)) return false;
            if (ployi_segment2_has(segment, edge.from) &&
                sight_blocked_at(rings, solid, segment, edge.from)) {
                return false;
            }
        }
    }
    return true;
}

int32_t ploy_rings_bends(const ploy_rings *rings, ploy_solid solid, ploy_vec2 *out,
                         int32_t capacity) {
    int32_t count = 0, wanted = solid == PLOY_SOLID_INSIDE ? 1 : -1;
    for (int32_t i = 0; i < ploy_rings_count(rings); i++) {
        ploy_polygon ring = ploy_rings_get(rings, i);
        for (int32_t k = 0; k < ring.count; k++) {
            ploy_vec2 before = ring.points[ployi_polygon_before(ring, k)];
            ploy_vec2 next = ring.points[ployi_polygon_next(ring, k)];
            if (ploy_orient2(before, ring.points[k], next) != wanted) continue;
            if (count < capacity) out[count] = ring.points[k];
            count++;
        }
    }
    return count;
}
