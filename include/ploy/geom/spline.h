/// @file ploy/geom/spline.h
/// Splines: smooth curves through or near control points, in 2D and 3D.
///
/// A spline is a borrowed view of control points and the rule that joins them, open or closed. It
/// consists of cubic spans, and the parameter t counts them: span 2 runs from t = 2 to t = 3.
/// Motion along a curve needs metres instead of t: `along` is the distance from the start, as for
/// polylines (ploy/geom/polyline.h). Every query exists in both forms.
///
///     kind                       control points                    spans, open and closed
///     uniform                    the curve goes through each        n - 1, n
///     centripetal                the same; no loops, no cusps       n - 1, n
///     chordal                    the same; rounder after long gaps  n - 1, n
///     bezier                     p c c p c c p ...                  (n - 1) / 3, n / 3
///     hermite                    p v p v ..., v is dp/dt            n / 2 - 1, n / 2
///
/// The first three are Catmull and Rom's ("A Class of Local Interpolating Splines", 1974) with the
/// knots spaced by distance^0, ^1/2 and ^1 (Barry and Goldman, "A Recursive Evaluation Algorithm
/// for a Class of Catmull-Rom Splines", 1988; Yuksel, Schaefer and Keyser, "On the Parameterization
/// of Catmull-Rom Curves", 2009). At an open end, the missing neighbour is the next point mirrored
/// in the end. The direction is continuous; the derivative by t is continuous only for uniform
/// splines, because in the others t rises by 1 over every span, short or long. A repeated control
/// point makes a span of length 0, and a corner. Points that do not fill a span are ignored.
///
/// `along` of the view is a table of lengths, filled by ploy_spline2_measure into the caller's
/// memory; with it, finding a place is a binary search; without it, every query in metres measures
/// the curve again. Both give bit-identical results. Lengths are Gauss-Legendre integrals, halved
/// until two estimates agree to 1e-9 of a span's hull: within 1e-6 of the true length (relative,
/// and rounded to float).
///
/// Inner sums are double and relative to the span's first point, so coordinates up to 1e9 m are
/// fine. With too few points for a span, the spline is a single point, or zero without any. With
/// NaN input, results are unspecified, but every call returns. Units: metres. Pure, nothing
/// allocated; any thread.
#pragma once

#include "ploy/geom/draw.h"
#include "ploy/geom/vec.h"

typedef enum ploy_spline_kind {
    PLOY_SPLINE_UNIFORM,
    PLOY_SPLINE_CENTRIPETAL,
    PLOY_SPLINE_CHORDAL,
    PLOY_SPLINE_BEZIER,
    PLOY_SPLINE_HERMITE,
    PLOY_SPLINE_KIND_COUNT
} ploy_spline_kind;

/// "uniform", "centripetal", "chordal", "bezier", "hermite".
PLOY_API const char *ploy_spline_kind_text(ploy_spline_kind kind);

/// The table has this many lengths for each span, plus one.
#define PLOY_SPLINE_CELLS 8

/// ploy_spline2_flatten divides a span into at most this many pieces.
#define PLOY_SPLINE_PIECES_MAX 4096

typedef struct ploy_spline2 {
    const ploy_vec2 *points; ///< borrowed
    const float *along;      ///< borrowed, or NULL: see ploy_spline2_measure
    int32_t count;           ///< control points
    ploy_spline_kind kind;
    bool closed;
} ploy_spline2;

typedef struct ploy_spline3 {
    const ploy_vec3 *points; ///< borrowed
    const float *along;      ///< borrowed, or NULL
    int32_t count;
    ploy_spline_kind kind;
    bool closed;
} ploy_spline3;

/// The point of a spline nearest to another.
typedef struct ploy_spline_nearest2 {
    float t;           ///< its parameter
    float along;       ///< m from the start
    ploy_vec2 point;   ///< on the spline
    float distance_sq; ///< m^2 from the given point
} ploy_spline_nearest2;

typedef struct ploy_spline_nearest3 {
    float t;
    float along;
    ploy_vec3 point;
    float distance_sq;
} ploy_spline_nearest3;

/// Makes a view of the caller's control points.
PLOY_API ploy_spline2 ploy_spline2_make(const ploy_vec2 *points, int32_t count,
                                        ploy_spline_kind kind, bool closed);
PLOY_API ploy_spline3 ploy_spline3_make(const ploy_vec3 *points, int32_t count,
                                        ploy_spline_kind kind, bool closed);

/// The number of spans; 0 if there are too few points.
PLOY_API int32_t ploy_spline2_spans(const ploy_spline2 *spline);
PLOY_API int32_t ploy_spline3_spans(const ploy_spline3 *spline);

/// Brings a parameter into range: clamped to [0, spans] if open, wrapped into [0, spans) if closed.
/// NaN gives 0. Every call that takes t does this.
PLOY_API float ploy_spline2_wrap(const ploy_spline2 *spline, float t);
PLOY_API float ploy_spline3_wrap(const ploy_spline3 *spline, float t);

/// The point at a parameter; exactly the control point where a span begins or ends.
PLOY_API ploy_vec2 ploy_spline2_at(const ploy_spline2 *spline, float t);
PLOY_API ploy_vec3 ploy_spline3_at(const ploy_spline3 *spline, float t);

/// The first and the second derivative by t: m and m per span. Between two spans: those of the
/// later one.
PLOY_API ploy_vec2 ploy_spline2_derivative(const ploy_spline2 *spline, float t);
PLOY_API ploy_vec3 ploy_spline3_derivative(const ploy_spline3 *spline, float t);
PLOY_API ploy_vec2 ploy_spline2_second(const ploy_spline2 *spline, float t);
PLOY_API ploy_vec3 ploy_spline3_second(const ploy_spline3 *spline, float t);

/// The unit direction of travel. Where the derivative is zero (at the end of a Bezier span whose
/// handle is on its point), it is the direction in which the curve leaves, or at the end of the
/// span the direction in which it arrives; zero if the whole span is one point.
PLOY_API ploy_vec2 ploy_spline2_direction(const ploy_spline2 *spline, float t);
PLOY_API ploy_vec3 ploy_spline3_direction(const ploy_spline3 *spline, float t);

/// The curvature, 1/m: one over the radius of the osculating circle. In 2D above 0 where the curve
/// bends to the left; in 3D never below 0. 0 where the derivative is zero.
PLOY_API float ploy_spline2_curvature(const ploy_spline2 *spline, float t);
PLOY_API float ploy_spline3_curvature(const ploy_spline3 *spline, float t);

/// The number of floats that ploy_spline2_measure writes: spans * PLOY_SPLINE_CELLS + 1; -1 if that
/// does not fit in an int32_t.
PLOY_API int32_t ploy_spline2_table_size(const ploy_spline2 *spline);
PLOY_API int32_t ploy_spline3_table_size(const ploy_spline3 *spline);

/// Fills the table of lengths. Set spline.along to it afterwards.
PLOY_API void ploy_spline2_measure(const ploy_spline2 *spline, float *out);
PLOY_API void ploy_spline3_measure(const ploy_spline3 *spline, float *out);

/// Metres from the start to the end, or once around if closed.
PLOY_API float ploy_spline2_length(const ploy_spline2 *spline);
PLOY_API float ploy_spline3_length(const ploy_spline3 *spline);

/// Converts a distance to the parameter, and back. A distance is clamped or wrapped as for a
/// polyline. A round trip is accurate to 2e-6 of the length, if no span is much shorter than that.
PLOY_API float ploy_spline2_t_at(const ploy_spline2 *spline, float along);
PLOY_API float ploy_spline3_t_at(const ploy_spline3 *spline, float along);
PLOY_API float ploy_spline2_along_at(const ploy_spline2 *spline, float t);
PLOY_API float ploy_spline3_along_at(const ploy_spline3 *spline, float t);

/// The point, the unit direction and the curvature at a distance along the spline. t is not rounded
/// to float in between, which would be visible far along a spline of many spans.
PLOY_API ploy_vec2 ploy_spline2_point_along(const ploy_spline2 *spline, float along);
PLOY_API ploy_vec3 ploy_spline3_point_along(const ploy_spline3 *spline, float along);
PLOY_API ploy_vec2 ploy_spline2_direction_along(const ploy_spline2 *spline, float along);
PLOY_API ploy_vec3 ploy_spline3_direction_along(const ploy_spline3 *spline, float along);
PLOY_API float ploy_spline2_curvature_along(const ploy_spline2 *spline, float along);
PLOY_API float ploy_spline3_curvature_along(const ploy_spline3 *spline, float along);

/// The nearest of all points of the spline; of equally near ones, the first. The curve is not
/// sampled: all places where the line to the point is perpendicular to the curve are found (the
/// roots of a polynomial of degree five for each span) and compared. Spans whose hull is farther
/// away than the best point so far are skipped.
PLOY_API ploy_spline_nearest2 ploy_spline2_find(const ploy_spline2 *spline, ploy_vec2 point);
PLOY_API ploy_spline_nearest3 ploy_spline3_find(const ploy_spline3 *spline, ploy_vec3 point);

/// The same result, to the bit, for an agent that moves along the spline: with a table of lengths,
/// the search begins with the span of the place `last` and then visits almost no other. Far from
/// there it costs as much as find.
/// @param last  m along, the place found last; NaN: none.
PLOY_API ploy_spline_nearest2 ploy_spline2_find_from(const ploy_spline2 *spline, ploy_vec2 point,
                                                     float last);
PLOY_API ploy_spline_nearest3 ploy_spline3_find_from(const ploy_spline3 *spline, ploy_vec3 point,
                                                     float last);

/// The nearest point within `window` metres, along the spline, of the place `last`, so that a
/// follower stays on its own strand; see ploy_polyline_find_near.
PLOY_API ploy_spline_nearest2 ploy_spline2_find_near(const ploy_spline2 *spline, ploy_vec2 point,
                                                     float last, float window);
PLOY_API ploy_spline_nearest3 ploy_spline3_find_near(const ploy_spline3 *spline, ploy_vec3 point,
                                                     float last, float window);

/// Converts the spline to a polyline that is nowhere farther from it than tolerance (up to
/// PLOY_SPLINE_PIECES_MAX pieces a span): each span is divided evenly in t, as finely as its
/// largest second derivative requires. A tolerance that is NaN or not above 0 gives the maximum
/// number of pieces. The last point of a closed spline, equal to the first, is left out: make the
/// polyline closed.
/// @param out  may be NULL to count; no more than capacity points are written.
/// @return the number of points (INT32_MAX if more); 1 for a single point, 0 without any.
PLOY_API int32_t ploy_spline2_flatten(const ploy_spline2 *spline, float tolerance, ploy_vec2 *out,
                                      int32_t capacity);
PLOY_API int32_t ploy_spline3_flatten(const ploy_spline3 *spline, float tolerance, ploy_vec3 *out,
                                      int32_t capacity);

/// Draws the curve as lines within a tolerance of it.
PLOY_API void ploy_spline2_draw(const ploy_spline2 *spline, float tolerance, ploy_layer layer,
                                ploy_style style, ploy_agent_id owner, ploy_draw *out);
PLOY_API void ploy_spline3_draw(const ploy_spline3 *spline, float tolerance, ploy_layer layer,
                                ploy_style style, ploy_agent_id owner, ploy_draw *out);
