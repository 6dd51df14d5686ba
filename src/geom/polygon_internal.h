// What the files about polygons share.
#pragma once

#include "ploy/geom/polygon.h"

// The corner before or behind a corner, round the end.
static inline int32_t ployi_polygon_next(ploy_polygon polygon, int32_t corner) {
    return corner + 1 < polygon.count ? corner + 1 : 0;
}

static inline int32_t ployi_polygon_before(ploy_polygon polygon, int32_t corner) {
    return corner > 0 ? corner - 1 : polygon.count - 1;
}

// Whether the point lies on the segment, and whether two segments share a point; both exactly.
bool ployi_segment2_has(ploy_segment2 segment, ploy_vec2 point);
bool ployi_segment2_meets(ploy_segment2 a, ploy_segment2 b);

// Adds how often the outline goes round the point, and whether a ray from it crosses the outline an
// odd number of times. @return true, adding nothing of use, if the point is on the outline.
bool ployi_polygon_round(ploy_polygon polygon, ploy_vec2 point, int32_t *winding, bool *odd);

// Twice the signed area, before it is rounded.
double ployi_polygon_twice_area(ploy_polygon polygon);
