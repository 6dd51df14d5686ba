// Axis-aligned boxes. The plane and space share their bodies, written once over n parts.
#include "ploy/geom/box.h"

#include "geom/geom_internal.h"

// What the shared bodies work on: parts as arrays, so that 2 and 3 are a count.
typedef struct box_parts {
    double min[3], max[3];
    int32_t count;
} box_parts;

static box_parts box_parts2(ploy_box2 box) {
    box_parts parts = {{(double)box.min.x, (double)box.min.y, 0.0},
                       {(double)box.max.x, (double)box.max.y, 0.0},
                       2};
    return parts;
}

static box_parts box_parts3(ploy_box3 box) {
    box_parts parts = {{(double)box.min.x, (double)box.min.y, (double)box.min.z},
                       {(double)box.max.x, (double)box.max.y, (double)box.max.z},
                       3};
    return parts;
}

static double box_distance_sq(const box_parts *box, const double point[3]) {
    double sum = 0.0;
    for (int32_t i = 0; i < box->count; i++) {
        double below = box->min[i] - point[i], above = point[i] - box->max[i];
        double gap = below > above ? below : above;
        if (gap > 0.0) sum += gap * gap;
    }
    return sum;
}

// Slabs (Kay and Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986): the ray is in the box while
// it is between both faces of every pair. Strictly inside counts as a start inside; a start in bare
// touch does not. On true, *axis is the pair met last and *distance where, or *axis -1 inside.
static bool box_enter(const box_parts *box, const double origin[3], const double along[3],
                      double length, double *distance, int32_t *axis) {
    double enter = -1.0, leave = length;
    int32_t last = -1;
    bool inside = true;
    for (int32_t i = 0; i < box->count; i++) {
        if (!(box->min[i] <= box->max[i])) return false;
        bool within = origin[i] > box->min[i] && origin[i] < box->max[i];
        inside = inside && within;
        if (along[i] == 0.0) {
            // Sliding along a face meets nothing, but a flat box has only its face to meet.
            bool flat = box->min[i] == box->max[i] && origin[i] == box->min[i];
            if (!within && !flat) return false;
            continue;
        }
        double near_face = along[i] > 0.0 ? box->min[i] : box->max[i];
        double far_face = along[i] > 0.0 ? box->max[i] : box->min[i];
        double near_at = (near_face - origin[i]) / along[i];
        double far_at = (far_face - origin[i]) / along[i];
        if (near_at > enter) {
            enter = near_at;
            last = i;
        }
        leave = far_at < leave ? far_at : leave;
    }
    if (inside) {
        *distance = 0.0;
        *axis = -1;
        return true;
    }
    if (last < 0 || !(enter >= 0.0 && enter <= length && enter <= leave)) return false;
    *distance = enter;
    *axis = last;
    return true;
}

// From inside: the face nearest to the point. @return its axis; *sign is the way out.
static int32_t box_exit(const box_parts *box, const double point[3], double *sign, double *depth) {
    int32_t best = 0;
    *depth = -1.0;
    for (int32_t i = 0; i < box->count; i++) {
        double below = point[i] - box->min[i], above = box->max[i] - point[i];
        double nearest = below < above ? below : above;
        if (*depth >= 0.0 && nearest >= *depth) continue;
        *depth = nearest;
        best = i;
        *sign = below < above ? -1.0 : 1.0;
    }
    return best;
}

ploy_box2 ploy_box2_make(ploy_vec2 a, ploy_vec2 b) {
    ploy_box2 box = {ploy_vec2_min(a, b), ploy_vec2_max(a, b)};
    return box;
}

ploy_box3 ploy_box3_make(ploy_vec3 a, ploy_vec3 b) {
    ploy_box3 box = {ploy_vec3_min(a, b), ploy_vec3_max(a, b)};
    return box;
}

ploy_box2 ploy_box2_empty(void) {
    ploy_box2 box = {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}};
    return box;
}

ploy_box3 ploy_box3_empty(void) {
    ploy_box3 box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    return box;
}

bool ploy_box2_is_empty(ploy_box2 box) {
    return !(box.min.x <= box.max.x && box.min.y <= box.max.y);
}

bool ploy_box3_is_empty(ploy_box3 box) {
    return !(box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z);
}

ploy_box2 ploy_box2_around(const ploy_vec2 *points, int32_t count) {
    ploy_box2 box = ploy_box2_empty();
    for (int32_t i = 0; i < count; i++) {
        box.min = ploy_vec2_min(box.min, points[i]);
        box.max = ploy_vec2_max(box.max, points[i]);
    }
    return box;
}

ploy_box3 ploy_box3_around(const ploy_vec3 *points, int32_t count) {
    ploy_box3 box = ploy_box3_empty();
    for (int32_t i = 0; i < count; i++) {
        box.min = ploy_vec3_min(box.min, points[i]);
        box.max = ploy_vec3_max(box.max, points[i]);
    }
    return box;
}

ploy_box2 ploy_box2_of_circle(ploy_circle circle) {
    ploy_box2 box = {circle.centre, circle.centre};
    return ploy_box2_grow(box, circle.radius > 0.0f ? circle.radius : 0.0f);
}

ploy_box2 ploy_box2_of_segment(ploy_segment2 segment) {
    return ploy_box2_make(segment.from, segment.to);
}

ploy_box2 ploy_box2_merge(ploy_box2 a, ploy_box2 b) {
    if (ploy_box2_is_empty(a)) return b;
    if (ploy_box2_is_empty(b)) return a;
    ploy_box2 box = {ploy_vec2_min(a.min, b.min), ploy_vec2_max(a.max, b.max)};
    return box;
}

ploy_box3 ploy_box3_merge(ploy_box3 a, ploy_box3 b) {
    if (ploy_box3_is_empty(a)) return b;
    if (ploy_box3_is_empty(b)) return a;
    ploy_box3 box = {ploy_vec3_min(a.min, b.min), ploy_vec3_max(a.max, b.max)};
    return box;
}

ploy_box2 ploy_box2_grow(ploy_box2 box, float margin) {
    if (ploy_box2_is_empty(box)) return box;
    ploy_vec2 by = ploy_vec2_make(margin, margin);
    ploy_box2 grown = {ploy_vec2_sub(box.min, by), ploy_vec2_add(box.max, by)};
    return ploy_box2_is_empty(grown) ? ploy_box2_empty() : grown;
}

ploy_box3 ploy_box3_grow(ploy_box3 box, float margin) {
    if (ploy_box3_is_empty(box)) return box;
    ploy_vec3 by = ploy_vec3_make(margin, margin, margin);
    ploy_box3 grown = {ploy_vec3_sub(box.min, by), ploy_vec3_add(box.max, by)};
    return ploy_box3_is_empty(grown) ? ploy_box3_empty() : grown;
}

bool ploy_box2_overlaps(ploy_box2 a, ploy_box2 b) {
    return !ploy_box2_is_empty(a) && !ploy_box2_is_empty(b) && a.min.x <= b.max.x &&
           b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

bool ploy_box3_overlaps(ploy_box3 a, ploy_box3 b) {
    return !ploy_box3_is_empty(a) && !ploy_box3_is_empty(b) && a.min.x <= b.max.x &&
           b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
           b.min.z <= a.max.z;
}

bool ploy_box2_overlaps_circle(ploy_box2 box, ploy_circle circle) {
    if (ploy_box2_is_empty(box)) return false;
    double radius = circle.radius > 0.0f ? (double)circle.radius : 0.0;
    double centre[3] = {(double)circle.centre.x, (double)circle.centre.y, 0.0};
    if (!(centre[0] == centre[0] && centre[1] == centre[1])) return false;
    box_parts parts = box_parts2(box);
    return box_distance_sq(&parts, centre) <= radius * radius;
}

ploy_vec2 ploy_box2_closest(ploy_box2 box, ploy_vec2 point) {
    if (ploy_box2_is_empty(box)) return point;
    return ploy_vec2_max(box.min, ploy_vec2_min(box.max, point));
}

ploy_vec3 ploy_box3_closest(ploy_box3 box, ploy_vec3 point) {
    if (ploy_box3_is_empty(box)) return point;
    return ploy_vec3_max(box.min, ploy_vec3_min(box.max, point));
}

float ploy_box2_distance_sq(ploy_box2 box, ploy_vec2 point) {
    if (ploy_box2_is_empty(box)) return 0.0f;
    double at[3] = {(double)point.x, (double)point.y, 0.0};
    box_parts parts = box_parts2(box);
    return (float)box_distance_sq(&parts, at);
}

float ploy_box3_distance_sq(ploy_box3 box, ploy_vec3 point) {
    if (ploy_box3_is_empty(box)) return 0.0f;
    double at[3] = {(double)point.x, (double)point.y, (double)point.z};
    box_parts parts = box_parts3(box);
    return (float)box_distance_sq(&parts, at);
}

// The hit in n parts: where, with which normal. @return whether the start was inside.
static bool box_tell(const box_parts *box, const double origin[3], const double along[3],
                     double distance, int32_t axis, double point[3], double normal[3]) {
    for (int32_t i = 0; i < 3; i++) {
        point[i] = origin[i] + along[i] * distance;
        normal[i] = 0.0;
    }
    if (axis >= 0) {
        normal[axis] = along[axis] > 0.0 ? -1.0 : 1.0;
        // On the face exactly, not a digit off it.
        point[axis] = along[axis] > 0.0 ? box->min[axis] : box->max[axis];
        return false;
    }
    double sign = 1.0, depth = 0.0;
    axis = box_exit(box, origin, &sign, &depth);
    normal[axis] = sign;
    point[axis] = sign > 0.0 ? box->max[axis] : box->min[axis];
    return true;
}

bool ploy_ray2_hit_box(ploy_ray2 ray, ploy_box2 box, ploy_hit2 *out) {
    box_parts parts = box_parts2(box);
    double origin[3] = {(double)ray.origin.x, (double)ray.origin.y, 0.0};
    double along[3] = {(double)ray.direction.x, (double)ray.direction.y, 0.0};
    double distance, point[3], normal[3];
    int32_t axis;
    if (!box_enter(&parts, origin, along, (double)ray.length, &distance, &axis)) return false;
    if (out == NULL) return true;
    out->inside = box_tell(&parts, origin, along, distance, axis, point, normal);
    out->distance = (float)distance;
    out->point = ploy_vec2_make((float)point[0], (float)point[1]);
    out->normal = ploy_vec2_make((float)normal[0], (float)normal[1]);
    return true;
}

bool ploy_ray3_hit_box(ploy_ray3 ray, ploy_box3 box, ploy_hit3 *out) {
    box_parts parts = box_parts3(box);
    double origin[3] = {(double)ray.origin.x, (double)ray.origin.y, (double)ray.origin.z};
    double along[3] = {(double)ray.direction.x, (double)ray.direction.y, (double)ray.direction.z};
    double distance, point[3], normal[3];
    int32_t axis;
    if (!box_enter(&parts, origin, along, (double)ray.length, &distance, &axis)) return false;
    if (out == NULL) return true;
    out->inside = box_tell(&parts, origin, along, distance, axis, point, normal);
    out->distance = (float)distance;
    out->point = ploy_vec3_make((float)point[0], (float)point[1], (float)point[2]);
    out->normal = ploy_vec3_make((float)normal[0], (float)normal[1], (float)normal[2]);
    return true;
}

bool ploy_sweep_hit_box(ploy_sweep sweep, ploy_box2 box, ploy_hit2 *out) {
    if (!(sweep.radius > 0.0f)) return ploy_ray2_hit_box(sweep.ray, box, out);
    if (ploy_box2_is_empty(box)) return false;
    ploy_hit2 best = {0.0f, {0.0f, 0.0f}, {0.0f, 0.0f}, false};
    ploy_vec2 closest = ploy_box2_closest(box, sweep.ray.origin);
    ployi_dvec2 offset = ployi_dvec2_between(sweep.ray.origin, closest);
    double gap_sq = ployi_dvec2_dot(offset, offset);
    if (gap_sq == 0.0) { // the centre is in the box: out by the nearest face
        box_parts parts = box_parts2(box);
        double origin[3] = {(double)sweep.ray.origin.x, (double)sweep.ray.origin.y, 0.0};
        double still[3] = {0.0, 0.0, 0.0}, point[3], normal[3];
        best.inside = box_tell(&parts, origin, still, 0.0, -1, point, normal);
        best.point = ploy_vec2_make((float)point[0], (float)point[1]);
        best.normal = ploy_vec2_make((float)normal[0], (float)normal[1]);
        if (out != NULL) *out = best;
        return true;
    }
    if (gap_sq < (double)sweep.radius * (double)sweep.radius) {
        best.inside = true;
        best.point = closest;
        best.normal = ployi_dvec2_round(ployi_dvec2_unit(offset));
        if (out != NULL) *out = best;
        return true;
    }
    // Grown by a circle a box is round at its corners: its four edges as capsules, as the path in
    // leads through one of them. The nearest is met first.
    ploy_vec2 corners[4] = {box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
    bool met = false;
    for (int32_t i = 0; i < 4; i++) {
        ploy_segment2 edge = {corners[i], corners[(i + 1) % 4]};
        ploy_hit2 hit;
        if (!ploy_sweep_hit_segment(sweep, edge, &hit)) continue;
        if (met && hit.distance >= best.distance) continue;
        best = hit;
        met = true;
    }
    if (met && out != NULL) *out = best;
    return met;
}
