// Shared between the files of geom: vectors in double, for sums whose digits matter, and the glue of
// bodies that are included several times.
//
// The difference of two floats of like size and the product of any two are exact in double, so
// orientation tests on differences are decided by the shapes and hardly ever by rounding.
#pragma once

#include "ploy/geom/capsule.h"
#include "ploy/geom/cdt.h"
#include "ploy/geom/frame.h"
#include "ploy/geom/heightfield.h"
#include "ploy/geom/merge.h"
#include "ploy/geom/motion.h"
#include "ploy/geom/obb.h"
#include "ploy/geom/path.h"
#include "ploy/geom/polygon.h"
#include "ploy/geom/polyline.h"
#include "ploy/geom/predicates.h"
#include "ploy/geom/scene.h"
#include "ploy/geom/segment.h"
#include "ploy/geom/simplify.h"
#include "ploy/geom/solve.h"
#include "ploy/geom/spline.h"
#include "ploy/geom/vec.h"

// Names made of others, for the bodies that are included once for each type.
#define PLOYI_JOIN_(a, b) a##b
#define PLOYI_JOIN(a, b) PLOYI_JOIN_(a, b)

typedef struct ployi_dvec2 {
    double x, y;
} ployi_dvec2;

static inline ployi_dvec2 ployi_dvec2_make(double x, double y) {
    ployi_dvec2 v = {x, y};
    return v;
}

static inline ployi_dvec2 ployi_dvec2_of(ploy_vec2 v) {
    return ployi_dvec2_make((double)v.x, (double)v.y);
}

// a - b
static inline ployi_dvec2 ployi_dvec2_between(ploy_vec2 a, ploy_vec2 b) {
    return ployi_dvec2_make((double)a.x - (double)b.x, (double)a.y - (double)b.y);
}

static inline ployi_dvec2 ployi_dvec2_scale(ployi_dvec2 v, double factor) {
    return ployi_dvec2_make(v.x * factor, v.y * factor);
}

static inline ployi_dvec2 ployi_dvec2_add_scaled(ployi_dvec2 a, ployi_dvec2 b, double factor) {
    return ployi_dvec2_make(a.x + b.x * factor, a.y + b.y * factor);
}

static inline double ployi_dvec2_dot(ployi_dvec2 a, ployi_dvec2 b) {
    return a.x * b.x + a.y * b.y;
}

static inline double ployi_dvec2_cross(ployi_dvec2 a, ployi_dvec2 b) {
    return a.x * b.y - a.y * b.x;
}

static inline ploy_vec2 ployi_dvec2_round(ployi_dvec2 v) {
    return ploy_vec2_make((float)v.x, (float)v.y);
}

// A unit vector, or zero. No scaling: floats squared fit a double from the smallest to the largest.
static inline ployi_dvec2 ployi_dvec2_unit(ployi_dvec2 v) {
    double length = sqrt(ployi_dvec2_dot(v, v));
    return length > 0.0 ? ployi_dvec2_make(v.x / length, v.y / length) : ployi_dvec2_make(0.0, 0.0);
}

// In segment.c: ploy_segment2_distance_sq before it is rounded.
double ployi_segment2_distance_sq(ploy_segment2 segment, ploy_vec2 point);

// Edges: count - 1, or count if closed; 0 below two points.
int32_t ployi_polyline_edges(const ploy_polyline *line);

// Marks every triangle.
void ployi_cdt_fill_all(ploy_cdt *cdt, bool inside);

// A triangle that has the vertex as a corner; -1 if there is none.
int32_t ployi_cdt_vertex_triangle(const ploy_cdt *cdt, int32_t vertex);

// True if there is terrain at all: see above. Every other call asks for itself.
bool ployi_heightfield_is_valid(const ploy_heightfield *field);

// Goes through all obstacles by index. Those that come and go meanwhile may be missed.
// @param cursor  0 to begin with. @param id, out  may be NULL.
// @return false, setting neither, when there are no more.
bool ployi_plain_scene_next(const ploy_plain_scene *scene, int32_t *cursor, ploy_obstacle_id *id,
                            ploy_obstacle *out);

// A polygon's outline, valid until the next build; one without corners if there is none.
ploy_polygon ployi_merge_polygon_at(const ploy_merge *merge, int32_t polygon);

// Drops, in place, corners that are repeated, that lie exactly on a straight stretch, or at the
// tip of a spike that goes straight back. The order of the rest is kept.
// @return how many are left; below 3 there is no area and nothing is left: 0.
int32_t ployi_polygon_drop_straight(ploy_vec2 *points, int32_t count);

// The same on doubles. Exact where each coordinate is 0 or of a size between 1e-140 and 1e140; a
// coordinate beyond that gives 0.
int32_t ployi_orient2_d(double ax, double ay, double bx, double by, double cx, double cy);

// The box around the terrain, empty if there is none. Looks at every sample.
ploy_box3 ployi_box3_of_heightfield(const ploy_heightfield *field);

// The infinite plane of a wall.
ploy_plane2 ployi_wall_plane(ploy_wall wall);

// Replaces everything by points with ordinary edges, at height 0.
ploy_result ployi_path_set(ploy_path *path, const ploy_vec2 *points, int32_t count);

// Joins the last point to the first, or not. @param edge  of the closing edge; NULL as in append.
ploy_result ployi_path_set_closed(ploy_path *path, bool closed, const ploy_path_edge *edge);

// ---- of ploy/geom/frame.h, for its sources and tests

// Makes a frame from a direction of any length; zero counts as +x.
ploy_frame2 ployi_frame2_from_heading(ploy_vec2 position, ploy_vec2 direction);

// ---- of ploy/geom/solve.h, for its sources and tests

// Finds the line y = m x + c through two points. @return false if it is vertical (equal x).
bool ployi_line_through(double x1, double y1, double x2, double y2, double *m, double *c);

// ---- of ploy/geom/motion.h, for its sources and tests

// Change divided by time: m / s is a speed, (m/s) / s an acceleration. 0 if t is 0.
float ployi_motion_rate(float change, float t);

// ---- of ploy/geom/polygon.h, for its sources and tests

// How often the outline goes round the point, counter-clockwise; unspecified on the outline.
int32_t ployi_polygon_winding(ploy_polygon polygon, ploy_vec2 point);

// ---- of ploy/geom/obb.h, for its sources and tests

// The axis-aligned box around an oriented one.
ploy_box2 ployi_box2_of_obb(ploy_obb2 box);

// ---- of ploy/geom/cdt.h, for its sources and tests

// The vertices around the hull, counter-clockwise from the one with the least x (of several, the
// least y), including those on straight sides. 0 without triangles.
// @return their number, which may be above capacity.
int32_t ployi_cdt_hull(const ploy_cdt *cdt, int32_t *out, int32_t capacity);
