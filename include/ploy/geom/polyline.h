/// @file ploy/geom/polyline.h
/// Polylines: places along a path, given by their distance from its start.
///
/// A polyline is a borrowed view of points, open or closed (the last joined to the first). Places
/// on it are given as metres along it, so that "two metres further" is an addition: 0 is the first
/// point, the length is the end. On an open polyline, places are clamped to the ends; on a closed
/// one they wrap around. Points may coincide; edges of length 0 are skipped.
///
/// With `along` (the distance of every point, filled by ploy_polyline_measure) finding a place
/// takes a binary search, and ploy_polyline_find_near examines only the window; without it every
/// call walks the points. Both give bit-identical results. Units: metres. Pure; any thread.
#pragma once

#include "ploy/geom/vec.h"

typedef struct ploy_polyline {
    const ploy_vec2 *points; ///< borrowed
    const float *along;      ///< borrowed, or NULL: see ploy_polyline_measure
    int32_t count;           ///< points; with 0, all results are zero
    bool closed;
} ploy_polyline;

/// The point of a polyline nearest to another.
typedef struct ploy_polyline_nearest {
    float along;       ///< m from the start
    ploy_vec2 point;   ///< on the polyline
    float distance_sq; ///< m^2 from the given point
    int32_t edge;      ///< from point `edge` to the next; -1 if there are no points
} ploy_polyline_nearest;

PLOY_API ploy_polyline ploy_polyline_make(const ploy_vec2 *points, int32_t count, bool closed);

/// Fills the distance of each point from the start; out[0] is 0. A closed polyline needs count + 1
/// numbers; the last is its whole length.
PLOY_API void ploy_polyline_measure(const ploy_polyline *line, float *out);

/// Metres from the first point to the last, or once around if closed.
PLOY_API float ploy_polyline_length(const ploy_polyline *line);

/// Brings a place into range: clamped to [0, length] if open, wrapped into [0, length) if closed.
/// NaN gives 0.
PLOY_API float ploy_polyline_wrap(const ploy_polyline *line, float along);

/// The point at a place, and the unit direction of travel there (at a corner, that of the edge that
/// begins there; zero if no edge has a length).
PLOY_API ploy_vec2 ploy_polyline_at(const ploy_polyline *line, float along);
PLOY_API ploy_vec2 ploy_polyline_direction(const ploy_polyline *line, float along);

/// The edge at a place; -1 without edges. Edges of length 0 are never returned.
PLOY_API int32_t ploy_polyline_edge_at(const ploy_polyline *line, float along);

/// The nearest of all points of the polyline; of equally near ones, the first.
PLOY_API ploy_polyline_nearest ploy_polyline_find(const ploy_polyline *line, ploy_vec2 point);

/// The nearest point within `window` metres, along the polyline, of the place `last`: a follower on
/// a road that comes close to itself stays on its own strand. A window of INFINITY, or of at least
/// half a closed polyline, gives the result of ploy_polyline_find; below 0 or NaN counts as 0. Of
/// equally near points, the first from the window's start.
PLOY_API ploy_polyline_nearest ploy_polyline_find_near(const ploy_polyline *line, ploy_vec2 point,
                                                       float last, float window);

/// The curvature at a point, 1/m: one over the radius of the circle through the point and its two
/// neighbours (Menger's curvature), above 0 where the path turns left. 0 at the ends of an open
/// polyline, where points coincide, and out of range. A full turn back also gives 0, because the
/// three points are on a line.
PLOY_API float ploy_polyline_curvature(const ploy_polyline *line, int32_t index);

/// Fills `out` with `count` points evenly spaced in metres along the polyline: from the first to
/// the last point if open, once around without repeating the start if closed. Corners between them
/// are cut. Each point equals that of ploy_polyline_at, but a single walk finds them all. With a
/// count of 1, the start.
PLOY_API void ploy_polyline_resample(const ploy_polyline *line, ploy_vec2 *out, int32_t count);
