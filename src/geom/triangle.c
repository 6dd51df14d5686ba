// Triangles in space.
//
// Whether a line passes a triangle is decided by three signs, one for each edge: on which side of
// the line the edge runs. Each is computed from the edge's two ends alone and changes sign exactly
// when the ends change places, so of two triangles that share an edge one at least is met.
#include "ploy/geom/triangle.h"

#include "geom/solid_internal.h"

// Not of unit length: twice the area.
static ployi_dvec3 triangle_front(ploy_triangle3 triangle) {
    return ployi_dvec3_cross(ployi_dvec3_between(triangle.b, triangle.a),
                             ployi_dvec3_between(triangle.c, triangle.a));
}

ploy_vec3 ploy_triangle3_normal(ploy_triangle3 triangle) {
    return ployi_dvec3_round(ployi_dvec3_unit(triangle_front(triangle)));
}

float ploy_triangle3_area(ploy_triangle3 triangle) {
    ployi_dvec3 front = triangle_front(triangle);
    return (float)(0.5 * sqrt(ployi_dvec3_dot(front, front)));
}

ploy_box3 ploy_box3_of_triangle(ploy_triangle3 triangle) {
    ploy_vec3 points[3] = {triangle.a, triangle.b, triangle.c};
    return ploy_box3_around(points, 3);
}

// The vector from the nearest point to the point: straight down if the foot of the perpendicular is in
// the triangle, otherwise from the nearest edge. As exact as an edge's for triangles of no area.
static ployi_dvec3 triangle_offset(ploy_triangle3 triangle, ploy_vec3 point) {
    ploy_vec3 corners[3] = {triangle.a, triangle.b, triangle.c};
    ployi_dvec3 front = triangle_front(triangle), best = {0.0, 0.0, 0.0};
    double front_sq = ployi_dvec3_dot(front, front), best_sq = -1.0;
    bool over = front_sq > 0.0;
    for (int32_t i = 0; i < 3; i++) {
        ploy_vec3 from = corners[i], to = corners[(i + 1) % 3];
        double place;
        ployi_dvec3 offset = ployi_segment3_offset(from, to, point, &place);
        double gap_sq = ployi_dvec3_dot(offset, offset);
        if (best_sq < 0.0 || gap_sq < best_sq) {
            best_sq = gap_sq;
            best = offset;
        }
        ployi_dvec3 inward = ployi_dvec3_cross(front, ployi_dvec3_between(to, from));
        over = over && ployi_dvec3_dot(inward, ployi_dvec3_between(point, from)) >= 0.0;
    }
    if (!over) return best;
    double height = ployi_dvec3_dot(front, ployi_dvec3_between(point, triangle.a)) / front_sq;
    ployi_dvec3 down = ployi_dvec3_scale(front, height);
    // A sliver's normal is nearly noise: an edge may then be nearer than the foot.
    return ployi_dvec3_dot(down, down) < best_sq ? down : best;
}

ploy_vec3 ploy_triangle3_closest(ploy_triangle3 triangle, ploy_vec3 point) {
    return ployi_dvec3_round(
        ployi_dvec3_sub(ployi_dvec3_of(point), triangle_offset(triangle, point)));
}

float ploy_triangle3_distance_sq(ploy_triangle3 triangle, ploy_vec3 point) {
    ployi_dvec3 offset = triangle_offset(triangle, point);
    return (float)ployi_dvec3_dot(offset, offset);
}

bool ploy_triangle3_overlaps_sphere(ploy_triangle3 triangle, ploy_sphere sphere) {
    ployi_dvec3 offset = triangle_offset(triangle, sphere.centre);
    double radius = ployi_solid_radius(sphere.radius);
    return ployi_dvec3_dot(offset, offset) <= radius * radius;
}

// True if the axis shows a gap between the corners and a box about the origin.
static bool triangle_axis_parts(ployi_dvec3 axis, const ployi_dvec3 corners[3], ployi_dvec3 half) {
    double reach = fabs(axis.x) * half.x + fabs(axis.y) * half.y + fabs(axis.z) * half.z;
    double low = ployi_dvec3_dot(axis, corners[0]), high = low;
    for (int32_t i = 1; i < 3; i++) {
        double at = ployi_dvec3_dot(axis, corners[i]);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    // Lattice coordinates touch exactly; what rounding adds must not part them.
    double slack = 1e-12 * (reach + fabs(low) + fabs(high));
    return low > reach + slack || high < -reach - slack;
}

bool ploy_triangle3_overlaps_box(ploy_triangle3 triangle, ploy_box3 box) {
    if (ploy_box3_is_empty(box)) return false;
    ployi_dvec3 low = ployi_dvec3_of(box.min), high = ployi_dvec3_of(box.max);
    ployi_dvec3 middle = ployi_dvec3_scale(ployi_dvec3_add_scaled(low, high, 1.0), 0.5);
    ployi_dvec3 half = ployi_dvec3_scale(ployi_dvec3_sub(high, low), 0.5);
    ployi_dvec3 corners[3] = {ployi_dvec3_sub(ployi_dvec3_of(triangle.a), middle),
                              ployi_dvec3_sub(ployi_dvec3_of(triangle.b), middle),
                              ployi_dvec3_sub(ployi_dvec3_of(triangle.c), middle)};
    const ployi_dvec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int32_t i = 0; i < 3; i++) {
        if (triangle_axis_parts(axes[i], corners, half)) return false;
        ployi_dvec3 edge = ployi_dvec3_sub(corners[(i + 1) % 3], corners[i]);
        for (int32_t j = 0; j < 3; j++) {
            if (triangle_axis_parts(ployi_dvec3_cross(axes[j], edge), corners, half)) return false;
        }
    }
    return !triangle_axis_parts(triangle_front(triangle), corners, half);
}

bool ployi_enter_triangle(ployi_dvec3 a, ployi_dvec3 b, ployi_dvec3 c, ployi_dvec3 along,
                          double *distance, ployi_dvec3 *front, double *rate) {
    double sides[3] = {ployi_dvec3_dot(along, ployi_dvec3_cross(b, c)),
                       ployi_dvec3_dot(along, ployi_dvec3_cross(c, a)),
                       ployi_dvec3_dot(along, ployi_dvec3_cross(a, b))};
    bool left = sides[0] >= 0.0 && sides[1] >= 0.0 && sides[2] >= 0.0;
    bool right = sides[0] <= 0.0 && sides[1] <= 0.0 && sides[2] <= 0.0;
    if (!(left || right) || sides[0] + sides[1] + sides[2] == 0.0) return false;
    *front = ployi_dvec3_unit(ployi_dvec3_cross(ployi_dvec3_sub(b, a), ployi_dvec3_sub(c, a)));
    *rate = ployi_dvec3_dot(along, *front);
    if (*rate == 0.0) return false;
    *distance = ployi_dvec3_dot(a, *front) / *rate;
    return *distance >= 0.0;
}

bool ploy_ray3_hit_triangle(ploy_ray3 ray, ploy_triangle3 triangle, ploy_hit3 *out) {
    ployi_dvec3 front;
    ployi_touch touch;
    double rate;
    if (!ployi_enter_triangle(ployi_dvec3_between(triangle.a, ray.origin),
                              ployi_dvec3_between(triangle.b, ray.origin),
                              ployi_dvec3_between(triangle.c, ray.origin),
                              ployi_dvec3_of(ray.direction), &touch.distance, &front, &rate)) {
        return false;
    }
    touch.normal = ployi_dvec3_scale(front, rate > 0.0 ? -1.0 : 1.0);
    return ployi_touch_tell(ray, &touch, 0.0, out);
}

// True if a point of the triangle's plane, given like the corners, is in it.
static bool triangle_covers(ployi_dvec3 front, const ployi_dvec3 corners[3], ployi_dvec3 point) {
    for (int32_t i = 0; i < 3; i++) {
        ployi_dvec3 edge = ployi_dvec3_sub(corners[(i + 1) % 3], corners[i]);
        ployi_dvec3 inward = ployi_dvec3_cross(front, edge);
        if (!(ployi_dvec3_dot(inward, ployi_dvec3_sub(point, corners[i])) >= 0.0)) return false;
    }
    return true;
}

bool ploy_sweep3_hit_triangle(ploy_sweep3 sweep, ploy_triangle3 triangle, ploy_hit3 *out) {
    double radius = ployi_solid_radius(sweep.radius);
    if (!(radius > 0.0)) return ploy_ray3_hit_triangle(sweep.ray, triangle, out);
    ployi_dvec3 along = ployi_dvec3_of(sweep.ray.direction);
    ployi_dvec3 front = ployi_dvec3_unit(triangle_front(triangle));
    double rate = ployi_dvec3_dot(along, front);
    ployi_dvec3 offset = triangle_offset(triangle, sweep.ray.origin);
    if (ployi_dvec3_dot(offset, offset) < radius * radius) {
        ployi_dvec3 against = ployi_dvec3_scale(front, rate > 0.0 ? -1.0 : 1.0);
        return ployi_inside_tell(sweep.ray, offset, against, 0.0, out);
    }
    ployi_dvec3 corners[3] = {ployi_dvec3_between(triangle.a, sweep.ray.origin),
                              ployi_dvec3_between(triangle.b, sweep.ray.origin),
                              ployi_dvec3_between(triangle.c, sweep.ray.origin)};
    ployi_touch touch = {-1.0, {0.0, 0.0, 0.0}};
    double height = -ployi_dvec3_dot(corners[0], front), side = height > 0.0 ? 1.0 : -1.0;
    double sink = -rate * side, above = fabs(height) - radius;
    if (sink > 0.0 && above >= 0.0) { // the flat side, moved out by the radius
        double distance = above / sink;
        ployi_dvec3 foot =
            ployi_dvec3_add_scaled(ployi_dvec3_scale(along, distance), front, -side * radius);
        if (triangle_covers(front, corners, foot)) {
            touch.distance = distance;
            touch.normal = ployi_dvec3_scale(front, side);
        }
    }
    for (int32_t i = 0; i < 3; i++) {
        ployi_touch_capsule(corners[i], corners[(i + 1) % 3], radius, along, &touch);
    }
    return ployi_touch_tell(sweep.ray, &touch, radius, out);
}
