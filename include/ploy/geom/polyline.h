/// @file ploy/geom/polyline.h
/// Polylines: places along a path, by their distance from its start.
///
/// A polyline is a borrowed view of points, open or closed (the last joined to the first). Places
/// on it are given as metres along it, so that "two metres further" is an addition: 0 is the first
/// point, the length is the end. On an open one places are held within the ends, on a closed one
/// they go round. Points may coincide; edges of no length are skipped.
///
/// With `along` (the distance of every point, filled by ploy_polyline_measure) finding a place
/// takes a binary search and a coherent search only looks at the window; without it every call
/// walks the points. Both give the same bits. Units: metres. Pure; any thread.
#pragma once

#include "ploy/geom/vec.h"

typedef struct ploy_polyline {
    const ploy_vec2 *points; ///< borrowed
    const float *along;      ///< borrowed, or NULL: see ploy_polyline_measure
    int32_t count;           ///< points; 0 gives zeros everywhere
    bool closed;
} ploy_polyline;

/// The point of a polyline nearest to another.
typedef struct ploy_polyline_nearest {
    float along;       ///< m from the start
    ploy_vec2 point;   ///< on the polyline
    float distance_sq; ///< m^2 from what was asked about
    int32_t edge;      ///< from point `edge` to the next; -1 if there are no points
} ploy_polyline_nearest;

PLOY_API ploy_polyline ploy_polyline_make(const ploy_vec2 *points, int32_t count, bool closed);

/// Fills the distance of each point from the start; out[0] is 0. A closed one needs count + 1
/// numbers, the last being its whole length.
PLOY_API void ploy_polyline_measure(const ploy_polyline *line, float *out);

/// Metres from the first point to the end; around, if closed.
PLOY_API float ploy_polyline_length(const ploy_polyline *line);

/// Brings a place into the polyline: held within [0, length] if open, wrapped into [0, length) if
/// closed. NaN gives 0.
PLOY_API float ploy_polyline_wrap(const ploy_polyline *line, float along);

/// The point at a place, and the unit direction of travel there (of the edge that begins there at a
/// corner; zero if nothing has a length).
PLOY_API ploy_vec2 ploy_polyline_at(const ploy_polyline *line, float along);
PLOY_API ploy_vec2 ploy_polyline_direction(const ploy_polyline *line, float along);

/// The edge at a place; -1 without edges. Edges of no length are never returned.
PLOY_API int32_t ploy_polyline_edge_at(const ploy_polyline *line, float along);

/// The nearest of all points of the polyline; of equally near ones the first.
PLOY_API ploy_polyline_nearest ploy_polyline_find(const ploy_polyline *line, ploy_vec2 point);

/// The nearest point within `window` metres along the polyline of the place `last`: a follower on a
/// road that comes close to itself stays on its own strand. A window of INFINITY, or of half a
/// closed polyline and more, is ploy_polyline_find; below 0 or NaN counts as 0. Of equally near
/// ones the first met from the window's start.
PLOY_API ploy_polyline_nearest ploy_polyline_find_near(const ploy_polyline *line, ploy_vec2 point,
                                                       float last, float window);

/// 1/m at a point: one over the radius of the circle through it and its two neighbours (Menger's
/// curvature), above 0 where the path turns left. 0 at the ends of an open one, where points
/// coincide, and out of range. A full turn back gives 0 too, as three points on a line do.
PLOY_API float ploy_polyline_curvature(const ploy_polyline *line, int32_t index);

/// Fills `out` with `count` points evenly spaced in metres along the polyline: from the first to
/// the last of an open one, all around a closed one without repeating its start. Corners between
/// are cut. Each is what ploy_polyline_at would give, in one walk. One point: the start.
PLOY_API void ploy_polyline_resample(const ploy_polyline *line, ploy_vec2 *out, int32_t count);
