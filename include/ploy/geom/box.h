/// @file ploy/geom/box.h
/// Axis-aligned boxes in 2D and 3D.
///
/// A box is its minimum and maximum corner, edges included. On a screen with y down, the minimum
/// corner is the upper left one and every function works unchanged. A box with min > max in any
/// component is empty: it contains and overlaps nothing, and merging it adds nothing. Boxes are
/// solid for rays and sweeps, as circles are (ploy/geom/circle.h). Units: metres. Pure; any thread.
#pragma once

#include "ploy/geom/circle.h"
#include "ploy/geom/segment.h"

typedef struct ploy_box2 {
    ploy_vec2 min, max;
} ploy_box2;

typedef struct ploy_box3 {
    ploy_vec3 min, max;
} ploy_box3;

/// Makes a box from any two opposite corners.
PLOY_API ploy_box2 ploy_box2_make(ploy_vec2 a, ploy_vec2 b);
PLOY_API ploy_box3 ploy_box3_make(ploy_vec3 a, ploy_vec3 b);

/// An empty box, to merge points into.
PLOY_API ploy_box2 ploy_box2_empty(void);
PLOY_API ploy_box3 ploy_box3_empty(void);
PLOY_API bool ploy_box2_is_empty(ploy_box2 box);
PLOY_API bool ploy_box3_is_empty(ploy_box3 box);

/// The smallest box around points; empty for none.
PLOY_API ploy_box2 ploy_box2_around(const ploy_vec2 *points, int32_t count);
PLOY_API ploy_box3 ploy_box3_around(const ploy_vec3 *points, int32_t count);

/// The box around a circle, and around a segment.
PLOY_API ploy_box2 ploy_box2_of_circle(ploy_circle circle);
PLOY_API ploy_box2 ploy_box2_of_segment(ploy_segment2 segment);

/// The smallest box around both.
PLOY_API ploy_box2 ploy_box2_merge(ploy_box2 a, ploy_box2 b);
PLOY_API ploy_box3 ploy_box3_merge(ploy_box3 a, ploy_box3 b);

/// The box grown by a margin on every side; a margin below 0 shrinks it. An empty box stays empty.
PLOY_API ploy_box2 ploy_box2_grow(ploy_box2 box, float margin);
PLOY_API ploy_box3 ploy_box3_grow(ploy_box3 box, float margin);

static inline ploy_vec2 ploy_box2_centre(ploy_box2 box) {
    return ploy_vec2_lerp(box.min, box.max, 0.5f);
}

static inline ploy_vec3 ploy_box3_centre(ploy_box3 box) {
    return ploy_vec3_lerp(box.min, box.max, 0.5f);
}

static inline bool ploy_box2_contains(ploy_box2 box, ploy_vec2 point) {
    return point.x >= box.min.x && point.x <= box.max.x && point.y >= box.min.y &&
           point.y <= box.max.y;
}

static inline bool ploy_box3_contains(ploy_box3 box, ploy_vec3 point) {
    return point.x >= box.min.x && point.x <= box.max.x && point.y >= box.min.y &&
           point.y <= box.max.y && point.z >= box.min.z && point.z <= box.max.z;
}

/// True if the two share a point; touching counts.
PLOY_API bool ploy_box2_overlaps(ploy_box2 a, ploy_box2 b);
PLOY_API bool ploy_box3_overlaps(ploy_box3 a, ploy_box3 b);
PLOY_API bool ploy_box2_overlaps_circle(ploy_box2 box, ploy_circle circle);

/// The point of the box nearest to a point: the point itself if it is inside or if the box is
/// empty.
PLOY_API ploy_vec2 ploy_box2_closest(ploy_box2 box, ploy_vec2 point);
PLOY_API ploy_vec3 ploy_box3_closest(ploy_box3 box, ploy_vec3 point);

/// The squared distance from the point to the box; 0 inside.
PLOY_API float ploy_box2_distance_sq(ploy_box2 box, ploy_vec2 point);
PLOY_API float ploy_box3_distance_sq(ploy_box3 box, ploy_vec3 point);

/// Finds where a ray or a moving circle enters a box.
/// @param out  set only if true is returned; may be NULL.
PLOY_API bool ploy_ray2_hit_box(ploy_ray2 ray, ploy_box2 box, ploy_hit2 *out);
PLOY_API bool ploy_ray3_hit_box(ploy_ray3 ray, ploy_box3 box, ploy_hit3 *out);
PLOY_API bool ploy_sweep_hit_box(ploy_sweep sweep, ploy_box2 box, ploy_hit2 *out);
