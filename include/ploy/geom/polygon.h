/// @file ploy/geom/polygon.h
/// Polygons (rooms, obstacles, trigger areas): containment, area and distance.
///
/// A polygon is a borrowed view of its corners, the last joined to the first. It is solid: the
/// inside and the outline both belong to it. Corners may be in either orientation, which affects
/// only the sign of ploy_polygon_signed_area and ploy_polygon_turn. An outline that crosses itself
/// is filled by the even-odd rule (ploy_rings supports others). A polygon with fewer than three
/// corners is a segment, a point or nothing: it has an outline but no inside.
///
/// Inside, on the outline and touching are decided exactly (ploy/geom/predicates.h), for all finite
/// coordinates; distances and areas are summed in double. A corner or point that is not finite
/// touches nothing. Rays and moving bodies: ploy/geom/polygon_hit.h. Cost: O(corners), or their
/// product for two polygons. Units: metres. Pure; any thread.
#pragma once

#include "ploy/geom/circle.h"
#include "ploy/geom/polyline.h"
#include "ploy/geom/segment.h"

/// A view of a closed outline.
typedef struct ploy_polygon {
    const ploy_vec2 *points; ///< borrowed
    int32_t count;
} ploy_polygon;

/// Where a point is. Outside is 0, so the value is true in a condition unless the point is outside.
typedef enum ploy_location {
    PLOY_LOCATION_OUTSIDE,
    PLOY_LOCATION_ON, ///< on the outline
    PLOY_LOCATION_INSIDE
} ploy_location;

/// Where a segment meets an outline.
typedef struct ploy_polygon_crossing {
    float along;     ///< share of the segment, 0 at from, 1 at to
    ploy_vec2 point; ///< on both
    int32_t edge;    ///< from corner `edge` to the next
} ploy_polygon_crossing;

/// Makes a view of these corners; empty for NULL or a count below 0.
PLOY_API ploy_polygon ploy_polygon_make(const ploy_vec2 *points, int32_t count);

/// The outline as a closed polyline, to find the nearest place or a place by distance along it.
PLOY_API ploy_polyline ploy_polygon_outline(ploy_polygon polygon);
/// The edge from a corner to the next; not checked.
static inline ploy_segment2 ploy_polygon_edge(ploy_polygon polygon, int32_t edge) {
    ploy_segment2 segment = {polygon.points[edge],
                             polygon.points[edge + 1 < polygon.count ? edge + 1 : 0]};
    return segment;
}

/// m^2; above 0 if the corners go counter-clockwise (with y up), below 0 clockwise.
PLOY_API float ploy_polygon_signed_area(ploy_polygon polygon);
/// m^2, never below 0.
PLOY_API float ploy_polygon_area(ploy_polygon polygon);
/// The sign of the area, exactly: +1 counter-clockwise, -1 clockwise, 0 if there is no area.
PLOY_API int32_t ploy_polygon_turn(ploy_polygon polygon);
/// Reverses the order of the corners; the first stays first.
PLOY_API void ploy_polygon_reverse(ploy_vec2 *points, int32_t count);

/// The centre of mass. Without area: the centre of mass of the edges; without length: the first
/// corner. Always within the bounding box of the corners.
PLOY_API ploy_vec2 ploy_polygon_centroid(ploy_polygon polygon);

/// True if the polygon has area, turns in one direction only and goes round once. Straight corners
/// and repeated corners are allowed.
PLOY_API bool ploy_polygon_is_convex(ploy_polygon polygon);
/// True if there are at least three corners and no two edges share a point, except neighbours the
/// corner between them. A polygon with repeated corners is not simple. Cost: O(corners^2), boxes
/// compared first.
PLOY_API bool ploy_polygon_is_simple(ploy_polygon polygon);

/// Whether a point is inside, on the outline or outside.
PLOY_API ploy_location ploy_polygon_locate(ploy_polygon polygon, ploy_vec2 point);
/// True if the point is inside or on the outline.
PLOY_API bool ploy_polygon_contains(ploy_polygon polygon, ploy_vec2 point);

/// The point of the polygon nearest to a point: the point itself if it is inside or if the polygon
/// has no corners.
PLOY_API ploy_vec2 ploy_polygon_closest(ploy_polygon polygon, ploy_vec2 point);
/// The squared distance from the point to the polygon; 0 inside, INFINITY for no corners.
PLOY_API float ploy_polygon_distance_sq(ploy_polygon polygon, ploy_vec2 point);
/// The squared distance between two polygons; 0 if they overlap or touch, INFINITY if one has no
/// corners.
PLOY_API float ploy_polygon_gap_sq(ploy_polygon a, ploy_polygon b);

/// True if the two share a point; touching counts.
PLOY_API bool ploy_polygon_overlaps(ploy_polygon a, ploy_polygon b);
PLOY_API bool ploy_polygon_overlaps_segment(ploy_polygon polygon, ploy_segment2 segment);
PLOY_API bool ploy_polygon_overlaps_circle(ploy_polygon polygon, ploy_circle circle);

/// Finds where a segment meets the outline, ordered along the segment, then by edge. A corner is
/// reported once, by the edge that begins there. An edge along the segment is reported at its first
/// corner, or at segment.from if that is on the edge, past the corner.
/// @param out  the first `capacity` of them. May be NULL with capacity 0, to count.
/// @return the number of crossings, which may be above capacity.
PLOY_API int32_t ploy_polygon_cross_segment(ploy_polygon polygon, ploy_segment2 segment,
                                            ploy_polygon_crossing *out, int32_t capacity);
