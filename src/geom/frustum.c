// Frustums and view cones.
#include "ploy/geom/frustum.h"

#include "geom/solid_internal.h"
#include "ploy/base/math.h"

ploy_frustum ploy_frustum_make(ploy_vec3 eye, ploy_quat orientation, float fov_across, float fov_up,
                               float near_distance, float far_distance) {
    float across_sin, across_cos, up_sin, up_cos;
    ploy_sincosf(0.5f * ploy_clampf(fov_across, 0.001f, 3.1f), &across_sin, &across_cos);
    ploy_sincosf(0.5f * ploy_clampf(fov_up, 0.001f, 3.1f), &up_sin, &up_cos);
    float far_at = far_distance > near_distance ? far_distance : near_distance;
    ploy_vec3 forward = ploy_quat_forward(orientation);
    ploy_vec3 normals[4] = {{across_sin, -across_cos, 0.0f},
                            {across_sin, across_cos, 0.0f},
                            {up_sin, 0.0f, up_cos},
                            {up_sin, 0.0f, -up_cos}};
    ploy_frustum frustum;
    frustum.planes[0] =
        ploy_plane3_make(ploy_vec3_add_scaled(eye, forward, near_distance), forward);
    frustum.planes[1] =
        ploy_plane3_make(ploy_vec3_add_scaled(eye, forward, far_at), ploy_vec3_negate(forward));
    for (int32_t i = 0; i < 4; i++) {
        frustum.planes[i + 2] = ploy_plane3_make(eye, ploy_quat_rotate(orientation, normals[i]));
    }
    return frustum;
}

static double frustum_height(const ploy_plane3 *plane, ployi_dvec3 point) {
    ployi_dvec3 offset = ployi_dvec3_sub(point, ployi_dvec3_of(plane->point));
    return ployi_dvec3_dot(offset, ployi_dvec3_of(plane->normal));
}

bool ploy_frustum_contains(const ploy_frustum *frustum, ploy_vec3 point) {
    for (int32_t i = 0; i < 6; i++) {
        if (!(frustum_height(&frustum->planes[i], ployi_dvec3_of(point)) >= 0.0)) return false;
    }
    return true;
}

ploy_visibility ploy_frustum_see_sphere(const ploy_frustum *frustum, ploy_sphere sphere) {
    double radius = ployi_solid_radius(sphere.radius);
    ploy_visibility seen = PLOY_VISIBILITY_INSIDE;
    for (int32_t i = 0; i < 6; i++) {
        double height = frustum_height(&frustum->planes[i], ployi_dvec3_of(sphere.centre));
        if (!(height >= -radius)) return PLOY_VISIBILITY_OUTSIDE;
        if (height < radius) seen = PLOY_VISIBILITY_CROSSING;
    }
    return seen;
}

ploy_visibility ploy_frustum_see_box(const ploy_frustum *frustum, ploy_box3 box) {
    if (ploy_box3_is_empty(box)) return PLOY_VISIBILITY_OUTSIDE;
    ploy_visibility seen = PLOY_VISIBILITY_INSIDE;
    for (int32_t i = 0; i < 6; i++) {
        // The corners farthest before the plane and farthest behind it.
        ploy_vec3 n = frustum->planes[i].normal;
        ploy_vec3 first = {n.x > 0.0f ? box.max.x : box.min.x, n.y > 0.0f ? box.max.y : box.min.y,
                           n.z > 0.0f ? box.max.z : box.min.z};
        ploy_vec3 last = {n.x > 0.0f ? box.min.x : box.max.x, n.y > 0.0f ? box.min.y : box.max.y,
                          n.z > 0.0f ? box.min.z : box.max.z};
        if (!(frustum_height(&frustum->planes[i], ployi_dvec3_of(first)) >= 0.0)) {
            return PLOY_VISIBILITY_OUTSIDE;
        }
        if (frustum_height(&frustum->planes[i], ployi_dvec3_of(last)) < 0.0) {
            seen = PLOY_VISIBILITY_CROSSING;
        }
    }
    return seen;
}

ploy_cone ploy_cone_make(ploy_vec3 apex, ploy_vec3 axis, float half_angle, float range) {
    ploy_cone cone;
    cone.apex = apex;
    cone.axis = ploy_vec3_normalise(axis);
    ploy_sincosf(ploy_clampf(half_angle, 0.0f, PLOY_PI_F), &cone.sin_half, &cone.cos_half);
    if (!(cone.sin_half > 0.0f)) cone.sin_half = 0.0f;
    cone.range = range > 0.0f ? range : 0.0f;
    return cone;
}

// The edge's direction in the half plane of the axis, of unit length again: for narrow cones the
// sine holds the angle's digits, and the cosine as a float hardly any.
static void frustum_cone_edge(const ploy_cone *cone, double *cos_half, double *sin_half) {
    double c = (double)cone->cos_half, s = (double)cone->sin_half;
    double size = sqrt(c * c + s * s);
    *cos_half = size > 0.0 ? c / size : 1.0;
    *sin_half = size > 0.0 ? s / size : 0.0;
}

// The nearest point of the cone to a place, both from the apex. The cone is the same all around its
// axis, so the question is one of the half plane through the axis and the place: a sector of a
// circle. Beside the sector the nearest point is on its straight edge.
static ployi_dvec3 frustum_cone_nearest(const ploy_cone *cone, ployi_dvec3 place) {
    ployi_dvec3 axis = ployi_dvec3_unit(ployi_dvec3_of(cone->axis)), nothing = {0.0, 0.0, 0.0};
    if (ployi_dvec3_is_zero(axis)) return nothing;
    double range = (double)cone->range, cos_half, sin_half;
    frustum_cone_edge(cone, &cos_half, &sin_half);
    double along = ployi_dvec3_dot(place, axis);
    ployi_dvec3 across = ployi_dvec3_add_scaled(place, axis, -along);
    double beside = sqrt(ployi_dvec3_dot(across, across));
    double distance = sqrt(ployi_dvec3_dot(place, place));
    if (cos_half <= -1.0 || along >= cos_half * distance) { // within the angle
        return distance > range ? ployi_dvec3_scale(place, range / distance) : place;
    }
    double on_edge = along * cos_half + beside * sin_half;
    on_edge = on_edge > 0.0 ? (on_edge < range ? on_edge : range) : 0.0;
    // Straight behind, every side is as near: any will do.
    ployi_dvec3 side = beside > 0.0 ? ployi_dvec3_scale(across, 1.0 / beside)
                                    : ployi_dvec3_of(ploy_vec3_perp(cone->axis));
    return ployi_dvec3_add_scaled(ployi_dvec3_scale(axis, on_edge * cos_half), side,
                                  on_edge * sin_half);
}

static double frustum_cone_distance(const ploy_cone *cone, ploy_vec3 point) {
    ployi_dvec3 place = ployi_dvec3_between(point, cone->apex);
    ployi_dvec3 offset = ployi_dvec3_sub(place, frustum_cone_nearest(cone, place));
    return sqrt(ployi_dvec3_dot(offset, offset));
}

bool ploy_cone_contains(ploy_cone cone, ploy_vec3 point) {
    ployi_dvec3 place = ployi_dvec3_between(point, cone.apex);
    ployi_dvec3 axis = ployi_dvec3_unit(ployi_dvec3_of(cone.axis));
    double distance_sq = ployi_dvec3_dot(place, place), range = (double)cone.range;
    if (distance_sq == 0.0) return true;
    if (!(distance_sq <= range * range) || ployi_dvec3_is_zero(axis)) return false;
    double cos_half, sin_half;
    frustum_cone_edge(&cone, &cos_half, &sin_half);
    if (cos_half <= -1.0) return true; // all around
    return ployi_dvec3_dot(place, axis) >= cos_half * sqrt(distance_sq);
}

float ploy_cone_distance(ploy_cone cone, ploy_vec3 point) {
    return (float)frustum_cone_distance(&cone, point);
}

bool ploy_cone_overlaps_sphere(ploy_cone cone, ploy_sphere sphere) {
    return frustum_cone_distance(&cone, sphere.centre) <= ployi_solid_radius(sphere.radius);
}

// Nearer than the range, and not wholly in the blind cone behind, which is convex: a box is in it
// if its corners are.
static bool frustum_wide_cone_meets(const ploy_cone *cone, ploy_box3 box) {
    double cos_half, sin_half;
    frustum_cone_edge(cone, &cos_half, &sin_half);
    ployi_dvec3 axis = ployi_dvec3_unit(ployi_dvec3_of(cone->axis));
    for (int32_t i = 0; i < 8; i++) {
        ploy_vec3 corner = {(i & 1) != 0 ? box.max.x : box.min.x,
                            (i & 2) != 0 ? box.max.y : box.min.y,
                            (i & 4) != 0 ? box.max.z : box.min.z};
        ployi_dvec3 place = ployi_dvec3_between(corner, cone->apex);
        double along = ployi_dvec3_dot(place, axis);
        double distance = sqrt(ployi_dvec3_dot(place, place));
        if (along >= cos_half * distance) return true;
    }
    return false;
}

bool ploy_cone_overlaps_box(ploy_cone cone, ploy_box3 box) {
    if (ploy_box3_is_empty(box)) return false;
    ploy_sphere ball = {cone.apex, cone.range};
    if (!ploy_sphere_overlaps_box(ball, box)) return false;
    if (ploy_box3_contains(box, cone.apex)) return true;
    if (cone.cos_half < 0.0f) return frustum_wide_cone_meets(&cone, box);
    // Two convex shapes: from the box to the cone and back again (von Neumann's alternating
    // projections). Each turn offers a plane that might part them, which makes a no certain; they
    // stop when they meet, or when nothing has been decided for long, which is a bare miss.
    ployi_dvec3 low = ployi_dvec3_between(box.min, cone.apex);
    ployi_dvec3 high = ployi_dvec3_between(box.max, cone.apex);
    ployi_dvec3 place = ployi_dvec3_scale(ployi_dvec3_add_scaled(low, high, 1.0), 0.5);
    double close_sq = 1e-14 * (double)cone.range * (double)cone.range;
    for (int32_t i = 0; i < 64; i++) {
        ployi_dvec3 on = frustum_cone_nearest(&cone, place);
        ployi_dvec3 offset = ployi_dvec3_sub(place, on);
        double offset_sq = ployi_dvec3_dot(offset, offset);
        if (offset_sq <= close_sq) return true; // there, or as good as there
        // All of the cone is behind the plane through `on`; is all of the box before it?
        ployi_dvec3 last =
            ployi_dvec3_make(offset.x > 0.0 ? low.x : high.x, offset.y > 0.0 ? low.y : high.y,
                             offset.z > 0.0 ? low.z : high.z);
        double before = ployi_dvec3_dot(ployi_dvec3_sub(last, on), offset);
        if (before > 1e-9 * offset_sq) return false;
        place.x = on.x > low.x ? (on.x < high.x ? on.x : high.x) : low.x;
        place.y = on.y > low.y ? (on.y < high.y ? on.y : high.y) : low.y;
        place.z = on.z > low.z ? (on.z < high.z ? on.z : high.z) : low.z;
    }
    return true;
}
