// Spheres, and the first touch of a moving sphere with the shapes that others are made of.
#include "ploy/geom/sphere.h"

#include "geom/solid_internal.h"

double ployi_enter_sphere(ployi_dvec3 centre, double radius, ployi_dvec3 along) {
    double speed_sq = ployi_dvec3_dot(along, along);
    double approach = ployi_dvec3_dot(centre, along);
    if (!(approach > 0.0)) return -1.0;
    // From the foot of the perpendicular, as subtracting squares of long distances would drown a
    // small radius far away.
    ployi_dvec3 foot = ployi_dvec3_add_scaled(centre, along, -approach / speed_sq);
    double room = radius * radius - ployi_dvec3_dot(foot, foot);
    if (!(room > 0.0)) return -1.0; // passing in bare touch stops nothing
    // The smaller root as product of the roots over the larger: no cancellation near the surface.
    double gap = sqrt(ployi_dvec3_dot(centre, centre));
    double product = (gap - radius) * (gap + radius);
    if (product < 0.0) product = 0.0; // touching, as far as rounding can tell
    return product / (approach + sqrt(speed_sq * room));
}

static void sphere_keep(double distance, ployi_dvec3 normal, ployi_touch *best) {
    if (distance < 0.0 || (best->distance >= 0.0 && best->distance <= distance)) return;
    best->distance = distance;
    best->normal = normal;
}

void ployi_touch_capsule(ployi_dvec3 from, ployi_dvec3 to, double radius, ployi_dvec3 along,
                         ployi_touch *best) {
    if (!(radius > 0.0)) return;
    ployi_dvec3 axis = ployi_dvec3_sub(to, from);
    double length = sqrt(ployi_dvec3_dot(axis, axis));
    axis = ployi_dvec3_unit(axis);
    if (length > 0.0) {
        // Seen along the axis the long side is a circle.
        ployi_dvec3 centre = ployi_dvec3_add_scaled(from, axis, -ployi_dvec3_dot(from, axis));
        ployi_dvec3 across = ployi_dvec3_add_scaled(along, axis, -ployi_dvec3_dot(along, axis));
        double gap_sq = ployi_dvec3_dot(centre, centre);
        double distance = -1.0; // from within the endless cylinder only an end can be met
        if (gap_sq >= radius * radius) distance = ployi_enter_sphere(centre, radius, across);
        double place = ployi_dvec3_dot(along, axis) * distance - ployi_dvec3_dot(from, axis);
        if (distance >= 0.0 && place >= 0.0 && place <= length) {
            ployi_dvec3 normal = ployi_dvec3_sub(ployi_dvec3_scale(across, distance), centre);
            sphere_keep(distance, ployi_dvec3_unit(normal), best);
        }
    }
    ployi_dvec3 ends[2] = {from, to};
    for (int32_t i = 0; i < (length > 0.0 ? 2 : 1); i++) {
        double distance = ployi_enter_sphere(ends[i], radius, along);
        ployi_dvec3 normal = ployi_dvec3_sub(ployi_dvec3_scale(along, distance), ends[i]);
        sphere_keep(distance, ployi_dvec3_unit(normal), best);
    }
}

bool ployi_touch_tell(ploy_ray3 ray, const ployi_touch *touch, double moving, ploy_hit3 *out) {
    if (!(touch->distance >= 0.0 && touch->distance <= (double)ray.length)) return false;
    if (out == NULL) return true;
    ployi_dvec3 at = ployi_dvec3_add_scaled(ployi_dvec3_of(ray.origin),
                                            ployi_dvec3_of(ray.direction), touch->distance);
    out->distance = (float)touch->distance;
    out->point = ployi_dvec3_round(ployi_dvec3_add_scaled(at, touch->normal, -moving));
    out->normal = ployi_dvec3_round(touch->normal);
    out->inside = false;
    return true;
}

bool ployi_inside_tell(ploy_ray3 ray, ployi_dvec3 offset, ployi_dvec3 fallback, double still,
                       ploy_hit3 *out) {
    if (out == NULL) return true;
    ployi_dvec3 normal = ployi_dvec3_unit(offset);
    if (ployi_dvec3_is_zero(normal)) normal = ployi_dvec3_unit(fallback);
    if (ployi_dvec3_is_zero(normal)) {
        normal = ployi_dvec3_scale(ployi_dvec3_of(ray.direction), -1.0);
    }
    if (ployi_dvec3_is_zero(normal)) normal.z = 1.0; // any way out is as short
    ployi_dvec3 skeleton = ployi_dvec3_sub(ployi_dvec3_of(ray.origin), offset);
    out->distance = 0.0f;
    out->point = ployi_dvec3_round(ployi_dvec3_add_scaled(skeleton, normal, still));
    out->normal = ployi_dvec3_round(normal);
    out->inside = true;
    return true;
}

ploy_sweep3 ploy_sweep3_between(ploy_vec3 from, ploy_vec3 to, float radius) {
    ploy_sweep3 sweep = {ploy_ray3_between(from, to), radius};
    return sweep;
}

ploy_box3 ploy_box3_of_sphere(ploy_sphere sphere) {
    float radius = (float)ployi_solid_radius(sphere.radius);
    ploy_vec3 reach = ploy_vec3_make(radius, radius, radius);
    ploy_box3 box = {ploy_vec3_sub(sphere.centre, reach), ploy_vec3_add(sphere.centre, reach)};
    return box;
}

bool ploy_sphere_contains(ploy_sphere sphere, ploy_vec3 point) {
    ployi_dvec3 offset = ployi_dvec3_between(point, sphere.centre);
    double radius = ployi_solid_radius(sphere.radius);
    return ployi_dvec3_dot(offset, offset) <= radius * radius;
}

ploy_vec3 ploy_sphere_closest(ploy_sphere sphere, ploy_vec3 point) {
    if (ploy_sphere_contains(sphere, point)) return point;
    ployi_dvec3 direction = ployi_dvec3_unit(ployi_dvec3_between(point, sphere.centre));
    return ployi_dvec3_round(ployi_dvec3_add_scaled(ployi_dvec3_of(sphere.centre), direction,
                                                    ployi_solid_radius(sphere.radius)));
}

bool ploy_sphere_overlaps(ploy_sphere a, ploy_sphere b) {
    ployi_dvec3 offset = ployi_dvec3_between(b.centre, a.centre);
    double radius = ployi_solid_radius(a.radius) + ployi_solid_radius(b.radius);
    return ployi_dvec3_dot(offset, offset) <= radius * radius;
}

// The vector from the nearest point of a box that is not empty to a point.
static ployi_dvec3 sphere_offset_from_box(ploy_box3 box, ploy_vec3 point) {
    return ployi_dvec3_between(point, ploy_box3_closest(box, point));
}

bool ploy_sphere_overlaps_box(ploy_sphere sphere, ploy_box3 box) {
    if (ploy_box3_is_empty(box)) return false;
    ployi_dvec3 offset = sphere_offset_from_box(box, sphere.centre);
    double radius = ployi_solid_radius(sphere.radius);
    return ployi_dvec3_dot(offset, offset) <= radius * radius;
}

static double sphere_height(ploy_plane3 plane, ploy_vec3 point) {
    return ployi_dvec3_dot(ployi_dvec3_between(point, plane.point), ployi_dvec3_of(plane.normal));
}

int32_t ploy_sphere_side(ploy_sphere sphere, ploy_plane3 plane) {
    double height = sphere_height(plane, sphere.centre);
    double radius = ployi_solid_radius(sphere.radius);
    return (height > radius) - (height < -radius);
}

static bool sphere_sweep(ploy_ray3 ray, double moving, ploy_sphere sphere, ploy_hit3 *out) {
    double still = ployi_solid_radius(sphere.radius), radius = moving + still;
    ployi_dvec3 centre = ployi_dvec3_between(sphere.centre, ray.origin);
    if (ployi_dvec3_dot(centre, centre) < radius * radius) {
        ployi_dvec3 none = {0.0, 0.0, 0.0};
        return ployi_inside_tell(ray, ployi_dvec3_scale(centre, -1.0), none, still, out);
    }
    ployi_touch touch = {-1.0, {0.0, 0.0, 0.0}};
    ployi_touch_capsule(centre, centre, radius, ployi_dvec3_of(ray.direction), &touch);
    return ployi_touch_tell(ray, &touch, moving, out);
}

bool ploy_ray3_hit_sphere(ploy_ray3 ray, ploy_sphere sphere, ploy_hit3 *out) {
    return sphere_sweep(ray, 0.0, sphere, out);
}

bool ploy_sweep3_hit_sphere(ploy_sweep3 sweep, ploy_sphere sphere, ploy_hit3 *out) {
    return sphere_sweep(sweep.ray, ployi_solid_radius(sweep.radius), sphere, out);
}

bool ploy_sweep3_hit_plane(ploy_sweep3 sweep, ploy_plane3 plane, ploy_hit3 *out) {
    double radius = ployi_solid_radius(sweep.radius);
    if (!(radius > 0.0)) return ploy_ray3_hit_plane(sweep.ray, plane, out);
    ployi_dvec3 front = ployi_dvec3_of(plane.normal), along = ployi_dvec3_of(sweep.ray.direction);
    if (ployi_dvec3_is_zero(front)) return false; // such a plane has no sides
    double height = sphere_height(plane, sweep.ray.origin);
    double rate = ployi_dvec3_dot(along, front);
    if (fabs(height) < radius) {
        // On the plane itself both ways out are as short; against the motion.
        ployi_dvec3 against = ployi_dvec3_scale(front, rate > 0.0 ? -1.0 : 1.0);
        return ployi_inside_tell(sweep.ray, ployi_dvec3_scale(front, height), against, 0.0, out);
    }
    double side = height > 0.0 ? 1.0 : -1.0, sink = -rate * side;
    if (!(sink > 0.0)) return false;
    ployi_touch touch = {(fabs(height) - radius) / sink, ployi_dvec3_scale(front, side)};
    return ployi_touch_tell(sweep.ray, &touch, radius, out);
}

// Strictly inside a box: the way out through the nearest face, as a hit of a moving sphere.
static bool sphere_tell_in_box(ploy_ray3 ray, ploy_box3 box, ploy_hit3 *out) {
    if (out == NULL) return true;
    double at[3] = {(double)ray.origin.x, (double)ray.origin.y, (double)ray.origin.z};
    double min[3] = {(double)box.min.x, (double)box.min.y, (double)box.min.z};
    double max[3] = {(double)box.max.x, (double)box.max.y, (double)box.max.z};
    double normal[3] = {0.0, 0.0, 0.0}, depth = -1.0, sign = 1.0;
    int32_t axis = 0;
    for (int32_t i = 0; i < 3; i++) {
        double below = at[i] - min[i], above = max[i] - at[i];
        double nearest = below < above ? below : above;
        if (depth >= 0.0 && nearest >= depth) continue;
        depth = nearest;
        axis = i;
        sign = below < above ? -1.0 : 1.0;
    }
    normal[axis] = sign;
    at[axis] += sign * depth;
    out->distance = 0.0f;
    out->point = ploy_vec3_make((float)at[0], (float)at[1], (float)at[2]);
    out->normal = ploy_vec3_make((float)normal[0], (float)normal[1], (float)normal[2]);
    out->inside = true;
    return true;
}

bool ploy_sweep3_hit_box(ploy_sweep3 sweep, ploy_box3 box, ploy_hit3 *out) {
    double radius = ployi_solid_radius(sweep.radius);
    if (!(radius > 0.0)) return ploy_ray3_hit_box(sweep.ray, box, out);
    if (ploy_box3_is_empty(box)) return false;
    ployi_dvec3 offset = sphere_offset_from_box(box, sweep.ray.origin), none = {0.0, 0.0, 0.0};
    if (ployi_dvec3_is_zero(offset)) return sphere_tell_in_box(sweep.ray, box, out);
    if (ployi_dvec3_dot(offset, offset) < radius * radius) {
        return ployi_inside_tell(sweep.ray, offset, none, 0.0, out);
    }
    ployi_dvec3 low = ployi_dvec3_between(box.min, sweep.ray.origin);
    ployi_dvec3 high = ployi_dvec3_between(box.max, sweep.ray.origin);
    ployi_dvec3 along = ployi_dvec3_of(sweep.ray.direction);
    double min[3] = {low.x, low.y, low.z}, max[3] = {high.x, high.y, high.z};
    double step[3] = {along.x, along.y, along.z};
    ployi_touch touch = {-1.0, {0.0, 0.0, 0.0}};
    for (int32_t i = 0; i < 3; i++) { // the flat faces, moved out by the radius
        double gap = step[i] > 0.0 ? min[i] - radius : -(max[i] + radius);
        if (step[i] == 0.0 || gap < 0.0) continue;
        double distance = gap / fabs(step[i]);
        int32_t j = (i + 1) % 3, k = (i + 2) % 3;
        double across_j = step[j] * distance, across_k = step[k] * distance;
        if (!(across_j >= min[j] && across_j <= max[j])) continue;
        if (!(across_k >= min[k] && across_k <= max[k])) continue;
        double normal[3] = {0.0, 0.0, 0.0};
        normal[i] = step[i] > 0.0 ? -1.0 : 1.0;
        sphere_keep(distance, ployi_dvec3_make(normal[0], normal[1], normal[2]), &touch);
    }
    for (int32_t edge = 0; edge < 12; edge++) { // and the rounded edges
        int32_t i = edge / 4, j = (i + 1) % 3, k = (i + 2) % 3;
        double from[3], to[3];
        from[i] = min[i];
        to[i] = max[i];
        from[j] = to[j] = (edge & 1) != 0 ? max[j] : min[j];
        from[k] = to[k] = (edge & 2) != 0 ? max[k] : min[k];
        ployi_touch_capsule(ployi_dvec3_make(from[0], from[1], from[2]),
                            ployi_dvec3_make(to[0], to[1], to[2]), radius, along, &touch);
    }
    return ployi_touch_tell(sweep.ray, &touch, radius, out);
}
