// Oriented boxes.
//
// A point is seen in the box's own frame by two dot products in double; there the box is an
// axis-aligned one about the origin.
#include "ploy/geom/obb.h"

#include "geom/geom_internal.h"
#include "geom/obb_internal.h"
#include "ploy/base/math.h"
#include "ploy/geom/polygon_hit.h"

static double obb_half(float half) {
    return half > 0.0f ? (double)half : 0.0;
}

ployi_dvec2 ployi_obb2_within(ploy_obb2 box, ploy_vec2 point) {
    ployi_dvec2 offset = ployi_dvec2_between(point, box.centre), axis = ployi_dvec2_of(box.axis);
    return ployi_dvec2_make(ployi_dvec2_dot(offset, axis), ployi_dvec2_cross(axis, offset));
}

static ployi_dvec2 obb_turn_back(ploy_obb2 box, ployi_dvec2 v) {
    ployi_dvec2 axis = ployi_dvec2_of(box.axis);
    return ployi_dvec2_make(v.x * axis.x - v.y * axis.y, v.x * axis.y + v.y * axis.x);
}

static ploy_vec2 obb_point(ploy_obb2 box, double x, double y) {
    ployi_dvec2 turned = obb_turn_back(box, ployi_dvec2_make(x, y));
    return ployi_dvec2_round(ployi_dvec2_add_scaled(ployi_dvec2_of(box.centre), turned, 1.0));
}

ploy_obb2 ploy_obb2_make(ploy_vec2 centre, ploy_vec2 axis, ploy_vec2 half) {
    ploy_vec2 unit = ploy_vec2_normalise(axis);
    ploy_obb2 box = {centre, unit.x == 0.0f && unit.y == 0.0f ? ploy_vec2_make(1.0f, 0.0f) : unit,
                     half};
    return box;
}

ploy_obb2 ploy_obb2_of_box(ploy_box2 box) {
    ploy_obb2 none = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 0.0f}};
    if (ploy_box2_is_empty(box)) return none;
    ploy_vec2 centre = ploy_box2_centre(box);
    // Rounded centres may lie off the middle by a bit: the half reaches the further side.
    ploy_vec2 half = ploy_vec2_max(ploy_vec2_sub(box.max, centre), ploy_vec2_sub(centre, box.min));
    ploy_obb2 out = {centre, {1.0f, 0.0f}, half};
    return out;
}

ploy_box2 ployi_box2_of_obb(ploy_obb2 box) {
    ploy_vec2 corners[4];
    ploy_obb2_corners(box, corners);
    return ploy_box2_around(corners, 4);
}

void ploy_obb2_corners(ploy_obb2 box, ploy_vec2 corners[4]) {
    double x = obb_half(box.half.x), y = obb_half(box.half.y);
    corners[0] = obb_point(box, -x, -y);
    corners[1] = obb_point(box, x, -y);
    corners[2] = obb_point(box, x, y);
    corners[3] = obb_point(box, -x, y);
}

float ploy_obb2_area(ploy_obb2 box) {
    return (float)(4.0 * obb_half(box.half.x) * obb_half(box.half.y));
}

bool ploy_obb2_contains(ploy_obb2 box, ploy_vec2 point) {
    ployi_dvec2 at = ployi_obb2_within(box, point);
    return fabs(at.x) <= obb_half(box.half.x) && fabs(at.y) <= obb_half(box.half.y);
}

static double obb_clamp(double x, double limit) {
    return x < -limit ? -limit : (x > limit ? limit : x);
}

ploy_vec2 ploy_obb2_closest(ploy_obb2 box, ploy_vec2 point) {
    if (ploy_obb2_contains(box, point)) return point;
    ployi_dvec2 at = ployi_obb2_within(box, point);
    return obb_point(box, obb_clamp(at.x, obb_half(box.half.x)),
                     obb_clamp(at.y, obb_half(box.half.y)));
}

static double obb_distance_sq(ploy_obb2 box, ploy_vec2 point) {
    ployi_dvec2 at = ployi_obb2_within(box, point);
    double x = at.x - obb_clamp(at.x, obb_half(box.half.x));
    double y = at.y - obb_clamp(at.y, obb_half(box.half.y));
    return x * x + y * y;
}

float ploy_obb2_distance_sq(ploy_obb2 box, ploy_vec2 point) {
    return (float)obb_distance_sq(box, point);
}

// Whether one of a's own axes has a on one side and b on the other.
static bool obb_separates(ploy_obb2 a, ploy_obb2 b) {
    ployi_dvec2 offset = ployi_obb2_within(a, b.centre);
    double dot = fabs(ployi_dvec2_dot(ployi_dvec2_of(a.axis), ployi_dvec2_of(b.axis)));
    double cross = fabs(ployi_dvec2_cross(ployi_dvec2_of(a.axis), ployi_dvec2_of(b.axis)));
    double x = obb_half(b.half.x), y = obb_half(b.half.y);
    // Written so that NaN separates.
    return !(fabs(offset.x) <= obb_half(a.half.x) + x * dot + y * cross) ||
           !(fabs(offset.y) <= obb_half(a.half.y) + x * cross + y * dot);
}

bool ploy_obb2_overlaps(ploy_obb2 a, ploy_obb2 b) {
    return !obb_separates(a, b) && !obb_separates(b, a);
}

bool ploy_obb2_overlaps_circle(ploy_obb2 box, ploy_circle circle) {
    double radius = circle.radius > 0.0f ? (double)circle.radius : 0.0;
    return obb_distance_sq(box, circle.centre) <= radius * radius;
}

// The entry of a ray into |x| <= half.x, |y| <= half.y, as in box.c.
bool ploy_ray2_hit_obb(ploy_ray2 ray, ploy_obb2 box, ploy_hit2 *out) {
    ployi_dvec2 from = ployi_obb2_within(box, ray.origin);
    ployi_dvec2 axis = ployi_dvec2_of(box.axis), along = ployi_dvec2_of(ray.direction);
    const double at[2] = {from.x, from.y};
    const double speed[2] = {ployi_dvec2_dot(along, axis), ployi_dvec2_cross(axis, along)};
    const double half[2] = {obb_half(box.half.x), obb_half(box.half.y)};
    double enter = -1.0, leave = (double)ray.length;
    int32_t face = -1;
    bool inside = true;
    for (int32_t i = 0; i < 2; i++) {
        bool within = fabs(at[i]) < half[i];
        inside = inside && within;
        if (speed[i] == 0.0) {
            if (!within && !(half[i] == 0.0 && at[i] == 0.0)) return false;
            continue;
        }
        double sign = speed[i] > 0.0 ? 1.0 : -1.0;
        double near_at = (-sign * half[i] - at[i]) / speed[i];
        double far_at = (sign * half[i] - at[i]) / speed[i];
        if (near_at > enter) {
            enter = near_at;
            face = i;
        }
        leave = far_at < leave ? far_at : leave;
    }
    double point[2] = {at[0], at[1]}, normal[2] = {0.0, 0.0};
    if (inside) { // out by the nearest face
        enter = 0.0;
        face = half[1] - fabs(at[1]) < half[0] - fabs(at[0]) ? 1 : 0;
        normal[face] = at[face] < 0.0 ? -1.0 : 1.0;
    } else {
        if (face < 0 || !(enter >= 0.0 && enter <= (double)ray.length && enter <= leave)) {
            return false;
        }
        point[0] = at[0] + speed[0] * enter;
        point[1] = at[1] + speed[1] * enter;
        normal[face] = speed[face] > 0.0 ? -1.0 : 1.0;
    }
    point[face] = normal[face] * half[face];
    if (out == NULL) return true;
    ployi_dvec2 turned = obb_turn_back(box, ployi_dvec2_make(normal[0], normal[1]));
    ploy_hit2 hit = {(float)enter, obb_point(box, point[0], point[1]), ployi_dvec2_round(turned),
                     inside};
    *out = hit;
    return true;
}

bool ploy_sweep_hit_obb(ploy_sweep sweep, ploy_obb2 box, ploy_hit2 *out) {
    if (!(sweep.radius > 0.0f)) return ploy_ray2_hit_obb(sweep.ray, box, out);
    ploy_vec2 corners[4];
    ploy_obb2_corners(box, corners);
    return ploy_sweep_hit_polygon(sweep, ploy_polygon_make(corners, 4), out);
}
