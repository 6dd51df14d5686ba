// Oriented boxes of space: everything happens in the box's own frame, where they are plain boxes.
#include "ploy/geom/obb3.h"

#include "geom/solid_internal.h"

// The box in double: its axes as unit vectors of the world.
typedef struct obb3_frame {
    ployi_dvec3 axes[3];
    double half[3];
} obb3_frame;

static double obb3_half(float half) {
    return half > 0.0f ? (double)half : 0.0;
}

static obb3_frame obb3_frame_of(ploy_obb3 box) {
    obb3_frame frame;
    double w = (double)box.orientation.w, x = (double)box.orientation.x;
    double y = (double)box.orientation.y, z = (double)box.orientation.z;
    // Made of unit length again, because a float's is not quite.
    double size = sqrt(w * w + x * x + y * y + z * z);
    if (size > 0.0) {
        w /= size;
        x /= size;
        y /= size;
        z /= size;
    } else {
        w = 1.0;
    }
    frame.axes[0] =
        ployi_dvec3_make(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y));
    frame.axes[1] =
        ployi_dvec3_make(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x));
    frame.axes[2] =
        ployi_dvec3_make(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y));
    frame.half[0] = obb3_half(box.half.x);
    frame.half[1] = obb3_half(box.half.y);
    frame.half[2] = obb3_half(box.half.z);
    return frame;
}

static ployi_dvec3 obb3_to_local(const obb3_frame *frame, ployi_dvec3 v) {
    return ployi_dvec3_make(ployi_dvec3_dot(v, frame->axes[0]), ployi_dvec3_dot(v, frame->axes[1]),
                            ployi_dvec3_dot(v, frame->axes[2]));
}

static ployi_dvec3 obb3_to_world(const obb3_frame *frame, ployi_dvec3 v) {
    ployi_dvec3 out = ployi_dvec3_scale(frame->axes[0], v.x);
    out = ployi_dvec3_add_scaled(out, frame->axes[1], v.y);
    return ployi_dvec3_add_scaled(out, frame->axes[2], v.z);
}

ploy_obb3 ploy_obb3_of_box(ploy_box3 box) {
    ploy_vec3 centre = ploy_box3_centre(box);
    ploy_vec3 half = ploy_vec3_scale(ploy_vec3_sub(box.max, box.min), 0.5f);
    if (ploy_box3_is_empty(box)) half = ploy_vec3_zero();
    if (!ploy_vec3_is_finite(centre)) centre = ploy_vec3_zero();
    return ploy_obb3_make(centre, half, ploy_quat_identity());
}

ploy_box3 ploy_box3_of_obb3(ploy_obb3 box) {
    obb3_frame frame = obb3_frame_of(box);
    ployi_dvec3 reach = {0.0, 0.0, 0.0}, centre = ployi_dvec3_of(box.centre);
    for (int32_t i = 0; i < 3; i++) {
        reach.x += fabs(frame.axes[i].x) * frame.half[i];
        reach.y += fabs(frame.axes[i].y) * frame.half[i];
        reach.z += fabs(frame.axes[i].z) * frame.half[i];
    }
    ploy_box3 out = {ployi_dvec3_round(ployi_dvec3_sub(centre, reach)),
                     ployi_dvec3_round(ployi_dvec3_add_scaled(centre, reach, 1.0))};
    return out;
}

static double obb3_held(double value, double half) {
    return value > -half ? (value < half ? value : half) : -half;
}

// The nearest point of the box from its centre, in the world's directions; *gap_sq how far it is.
static ployi_dvec3 obb3_nearest(const obb3_frame *frame, ployi_dvec3 from_centre, double *gap_sq) {
    ployi_dvec3 local = obb3_to_local(frame, from_centre);
    ployi_dvec3 on =
        ployi_dvec3_make(obb3_held(local.x, frame->half[0]), obb3_held(local.y, frame->half[1]),
                         obb3_held(local.z, frame->half[2]));
    ployi_dvec3 offset = ployi_dvec3_sub(local, on);
    *gap_sq = ployi_dvec3_dot(offset, offset);
    return *gap_sq == 0.0 ? from_centre : obb3_to_world(frame, on);
}

float ploy_obb3_distance_sq(ploy_obb3 box, ploy_vec3 point) {
    obb3_frame frame = obb3_frame_of(box);
    double gap_sq;
    (void)obb3_nearest(&frame, ployi_dvec3_between(point, box.centre), &gap_sq);
    return (float)gap_sq;
}

bool ploy_obb3_contains(ploy_obb3 box, ploy_vec3 point) {
    obb3_frame frame = obb3_frame_of(box);
    double gap_sq;
    (void)obb3_nearest(&frame, ployi_dvec3_between(point, box.centre), &gap_sq);
    return gap_sq == 0.0;
}

ploy_vec3 ploy_obb3_closest(ploy_obb3 box, ploy_vec3 point) {
    obb3_frame frame = obb3_frame_of(box);
    double gap_sq;
    ployi_dvec3 on = obb3_nearest(&frame, ployi_dvec3_between(point, box.centre), &gap_sq);
    if (gap_sq == 0.0) return point; // exactly
    return ployi_dvec3_round(ployi_dvec3_add_scaled(ployi_dvec3_of(box.centre), on, 1.0));
}

bool ploy_obb3_overlaps_sphere(ploy_obb3 box, ploy_sphere sphere) {
    obb3_frame frame = obb3_frame_of(box);
    double gap_sq, radius = ployi_solid_radius(sphere.radius);
    (void)obb3_nearest(&frame, ployi_dvec3_between(sphere.centre, box.centre), &gap_sq);
    return gap_sq <= radius * radius;
}

static double obb3_reach(const obb3_frame *frame, ployi_dvec3 axis) {
    double reach = 0.0;
    for (int32_t i = 0; i < 3; i++) {
        reach += fabs(ployi_dvec3_dot(frame->axes[i], axis)) * frame->half[i];
    }
    return reach;
}

static bool obb3_axis_parts(const obb3_frame *a, const obb3_frame *b, ployi_dvec3 between,
                            ployi_dvec3 axis) {
    double room = obb3_reach(a, axis) + obb3_reach(b, axis);
    double gap = fabs(ployi_dvec3_dot(between, axis));
    return gap > room + 1e-12 * (gap + room); // what rounding adds must not part what touches
}

bool ploy_obb3_overlaps(ploy_obb3 a, ploy_obb3 b) {
    obb3_frame fa = obb3_frame_of(a), fb = obb3_frame_of(b);
    ployi_dvec3 between = ployi_dvec3_between(b.centre, a.centre);
    for (int32_t i = 0; i < 3; i++) {
        if (obb3_axis_parts(&fa, &fb, between, fa.axes[i])) return false;
        if (obb3_axis_parts(&fa, &fb, between, fb.axes[i])) return false;
        for (int32_t j = 0; j < 3; j++) {
            ployi_dvec3 axis = ployi_dvec3_cross(fa.axes[i], fb.axes[j]);
            // Parallel edges have no axis; what is left of one would be noise.
            if (ployi_dvec3_dot(axis, axis) < 1e-16) continue;
            if (obb3_axis_parts(&fa, &fb, between, axis)) return false;
        }
    }
    return between.x == between.x && between.y == between.y && between.z == between.z; // NaN: no
}

bool ploy_sweep3_hit_obb3(ploy_sweep3 sweep, ploy_obb3 box, ploy_hit3 *out) {
    obb3_frame frame = obb3_frame_of(box);
    ploy_sweep3 local = sweep;
    ployi_dvec3 origin = ployi_dvec3_between(sweep.ray.origin, box.centre);
    local.ray.origin = ployi_dvec3_round(obb3_to_local(&frame, origin));
    local.ray.direction =
        ployi_dvec3_round(obb3_to_local(&frame, ployi_dvec3_of(sweep.ray.direction)));
    ploy_vec3 half =
        ploy_vec3_make((float)frame.half[0], (float)frame.half[1], (float)frame.half[2]);
    ploy_box3 plain = {ploy_vec3_negate(half), half};
    ploy_hit3 hit;
    if (!ploy_sweep3_hit_box(local, plain, &hit)) return false;
    if (out == NULL) return true;
    *out = hit;
    ployi_dvec3 point = obb3_to_world(&frame, ployi_dvec3_of(hit.point));
    out->point = ployi_dvec3_round(ployi_dvec3_add_scaled(ployi_dvec3_of(box.centre), point, 1.0));
    out->normal = ployi_dvec3_round(obb3_to_world(&frame, ployi_dvec3_of(hit.normal)));
    return true;
}

bool ploy_ray3_hit_obb3(ploy_ray3 ray, ploy_obb3 box, ploy_hit3 *out) {
    ploy_sweep3 thin = {ray, 0.0f};
    return ploy_sweep3_hit_obb3(thin, box, out);
}
