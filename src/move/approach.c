// The law behind seek, flee and arrive: kernels over packed lanes, and the views around them.
// The law itself is in move_internal.h.
#include <stddef.h>

#include "move/move_internal.h"
#include "ploy/move/seek.h"

const char *const ployi_pull_modes[2] = {"velocity", "full"};

ploy_kinematic_output ployi_approach_velocity_one(const ployi_approach_law *law, ploy_vec2 position,
                                                  ploy_vec2 target) {
    ploy_vec3 offset = {target.x - position.x, target.y - position.y, 0.0f};
    ploy_kinematic_output out = {{0.0f, 0.0f}, 0.0f, 0};
    out.velocity = ployi_planar(ployi_approach_velocity(*law, offset, 2, &out.requested));
    return out;
}

ploy_kinematic3_output ployi_approach3_velocity_one(const ployi_approach_law *law,
                                                    ploy_vec3 position, ploy_vec3 target) {
    ploy_kinematic3_output out = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0};
    out.velocity = ployi_approach_velocity(*law, ployi_minus(target, position), 3, &out.requested);
    return out;
}

// ---- kernels ----

PLOYI_INLINE void approach_kernel_body(int32_t n, ployi_approach_law law, const float *restrict x,
                                       const float *restrict y, const float *restrict vx,
                                       const float *restrict vy, const float *restrict tx,
                                       const float *restrict ty, float *restrict ox,
                                       float *restrict oy, uint32_t *restrict requested,
                                       uint32_t *restrict any_over) {
    uint32_t over = 0;
    float max_square = law.max_acceleration * law.max_acceleration;
    for (int32_t i = 0; i < n; i++) {
        ploy_vec3 offset = {tx[i] - x[i], ty[i] - y[i], 0.0f};
        ploy_vec3 velocity = {vx[i], vy[i], 0.0f};
        uint32_t asked;
        ploy_vec3 out = ployi_approach_uncut(law, offset, velocity, 2, &asked);
        over |= (uint32_t)(ployi_square(out, 2) > max_square);
        ox[i] = out.x;
        oy[i] = out.y;
        requested[i] = asked;
    }
    *any_over = over;
}
PLOYI_KERNEL(approach_kernel,
             (int32_t n, ployi_approach_law law, const float *restrict x, const float *restrict y,
              const float *restrict vx, const float *restrict vy, const float *restrict tx,
              const float *restrict ty, float *restrict ox, float *restrict oy,
              uint32_t *restrict requested, uint32_t *restrict any_over),
             (n, law, x, y, vx, vy, tx, ty, ox, oy, requested, any_over))

// An open law, when no caller reads what was requested.
PLOYI_INLINE void approach_open_kernel_body(int32_t n, ployi_approach_law law,
                                            const float *restrict x, const float *restrict y,
                                            const float *restrict vx, const float *restrict vy,
                                            const float *restrict tx, const float *restrict ty,
                                            float *restrict ox, float *restrict oy,
                                            uint32_t *restrict any_over) {
    uint32_t over = 0;
    float max_square = law.max_acceleration * law.max_acceleration;
    for (int32_t i = 0; i < n; i++) {
        ploy_vec3 offset = {tx[i] - x[i], ty[i] - y[i], 0.0f};
        ploy_vec3 velocity = {vx[i], vy[i], 0.0f};
        float factor = ployi_over_length(law.reach, ployi_square(offset, 2));
        ploy_vec3 out = ployi_minus(ployi_times(offset, factor), ployi_times(velocity, law.match));
        out = ployi_times(out, law.rate);
        over |= (uint32_t)(ployi_square(out, 2) > max_square);
        ox[i] = out.x;
        oy[i] = out.y;
    }
    *any_over = over;
}
PLOYI_KERNEL(approach_open_kernel,
             (int32_t n, ployi_approach_law law, const float *restrict x, const float *restrict y,
              const float *restrict vx, const float *restrict vy, const float *restrict tx,
              const float *restrict ty, float *restrict ox, float *restrict oy,
              uint32_t *restrict any_over),
             (n, law, x, y, vx, vy, tx, ty, ox, oy, any_over))

PLOYI_INLINE void approach3_kernel_body(int32_t n, ployi_approach_law law, const float *restrict x,
                                        const float *restrict y, const float *restrict z,
                                        const float *restrict vx, const float *restrict vy,
                                        const float *restrict vz, const float *restrict tx,
                                        const float *restrict ty, const float *restrict tz,
                                        float *restrict ox, float *restrict oy, float *restrict oz,
                                        uint32_t *restrict requested, uint32_t *restrict any_over) {
    uint32_t over = 0;
    float max_square = law.max_acceleration * law.max_acceleration;
    for (int32_t i = 0; i < n; i++) {
        ploy_vec3 offset = {tx[i] - x[i], ty[i] - y[i], tz[i] - z[i]};
        ploy_vec3 velocity = {vx[i], vy[i], vz[i]};
        uint32_t asked;
        ploy_vec3 out = ployi_approach_uncut(law, offset, velocity, 3, &asked);
        over |= (uint32_t)(ployi_square(out, 3) > max_square);
        ox[i] = out.x;
        oy[i] = out.y;
        oz[i] = out.z;
        requested[i] = asked;
    }
    *any_over = over;
}
PLOYI_KERNEL(approach3_kernel,
             (int32_t n, ployi_approach_law law, const float *restrict x, const float *restrict y,
              const float *restrict z, const float *restrict vx, const float *restrict vy,
              const float *restrict vz, const float *restrict tx, const float *restrict ty,
              const float *restrict tz, float *restrict ox, float *restrict oy, float *restrict oz,
              uint32_t *restrict requested, uint32_t *restrict any_over),
             (n, law, x, y, z, vx, vy, vz, tx, ty, tz, ox, oy, oz, requested, any_over))

PLOYI_INLINE void approach_clip_kernel_body(int32_t n, float max, float *restrict x,
                                            float *restrict y) {
    for (int32_t i = 0; i < n; i++) {
        ploy_vec3 v = {x[i], y[i], 0.0f};
        v = ployi_clip(v, max, 2);
        x[i] = v.x;
        y[i] = v.y;
    }
}
PLOYI_KERNEL(approach_clip_kernel, (int32_t n, float max, float *restrict x, float *restrict y),
             (n, max, x, y))

PLOYI_INLINE void approach_clip3_kernel_body(int32_t n, float max, float *restrict x,
                                             float *restrict y, float *restrict z) {
    for (int32_t i = 0; i < n; i++) {
        ploy_vec3 v = {x[i], y[i], z[i]};
        v = ployi_clip(v, max, 3);
        x[i] = v.x;
        y[i] = v.y;
        z[i] = v.z;
    }
}
PLOYI_KERNEL(approach_clip3_kernel,
             (int32_t n, float max, float *restrict x, float *restrict y, float *restrict z),
             (n, max, x, y, z))

PLOYI_INLINE void approach_velocity_kernel_body(int32_t n, ployi_approach_law law,
                                                const float *restrict x, const float *restrict y,
                                                const float *restrict tx, const float *restrict ty,
                                                float *restrict vx, float *restrict vy) {
    for (int32_t i = 0; i < n; i++) {
        ploy_vec3 offset = {tx[i] - x[i], ty[i] - y[i], 0.0f};
        uint32_t asked;
        ploy_vec3 out = ployi_approach_velocity(law, offset, 2, &asked);
        vx[i] = out.x;
        vy[i] = out.y;
    }
}
PLOYI_KERNEL(approach_velocity_kernel,
             (int32_t n, ployi_approach_law law, const float *restrict x, const float *restrict y,
              const float *restrict tx, const float *restrict ty, float *restrict vx,
              float *restrict vy),
             (n, law, x, y, tx, ty, vx, vy))

PLOYI_INLINE void approach3_velocity_kernel_body(int32_t n, ployi_approach_law law,
                                                 const float *restrict x, const float *restrict y,
                                                 const float *restrict z, const float *restrict tx,
                                                 const float *restrict ty, const float *restrict tz,
                                                 float *restrict vx, float *restrict vy,
                                                 float *restrict vz) {
    for (int32_t i = 0; i < n; i++) {
        ploy_vec3 offset = {tx[i] - x[i], ty[i] - y[i], tz[i] - z[i]};
        uint32_t asked;
        ploy_vec3 out = ployi_approach_velocity(law, offset, 3, &asked);
        vx[i] = out.x;
        vy[i] = out.y;
        vz[i] = out.z;
    }
}
PLOYI_KERNEL(approach3_velocity_kernel,
             (int32_t n, ployi_approach_law law, const float *restrict x, const float *restrict y,
              const float *restrict z, const float *restrict tx, const float *restrict ty,
              const float *restrict tz, float *restrict vx, float *restrict vy, float *restrict vz),
             (n, law, x, y, z, tx, ty, tz, vx, vy, vz))

// ---- views ----

ploy_result ployi_approach_batch(const ployi_approach_law *law, const ploy_kinematics *agents,
                                 int32_t first, int32_t count, const ploy_points *targets,
                                 const ploy_steerings *out) {
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_points_check(targets, first, count);
    if (result == PLOY_OK) result = ployi_steerings_check(out, first, count);
    if (result != PLOY_OK) return result;
    float buffer[8][PLOYI_CHUNK];
    uint32_t asked[PLOYI_CHUNK];
    size_t p = agents->position_stride, v = agents->velocity_stride, s = targets->stride;
    bool open = ployi_approach_is_open(law) && out->requested == NULL;
    bool in_place = p == sizeof(float) && v == sizeof(float) && s == sizeof(float) &&
                    out->stride == sizeof(float) && (open || out->requested != NULL);
    int32_t chunk = ployi_chunk(in_place);
    for (int32_t done = 0; done < count; done += chunk) {
        int32_t at = first + done;
        int32_t n = ploy_mini(count - done, chunk);
        uint32_t over = 0;
        const float *x = ployi_lane_in(agents->x, p, at, n, buffer[0]);
        const float *y = ployi_lane_in(agents->y, p, at, n, buffer[1]);
        const float *vx = ployi_lane_in(agents->vx, v, at, n, buffer[2]);
        const float *vy = ployi_lane_in(agents->vy, v, at, n, buffer[3]);
        const float *tx = ployi_lane_in(targets->x, s, at, n, buffer[4]);
        const float *ty = ployi_lane_in(targets->y, s, at, n, buffer[5]);
        float *ox = ployi_lane_out(out->x, out->stride, at, buffer[6]);
        float *oy = ployi_lane_out(out->y, out->stride, at, buffer[7]);
        if (open) {
            approach_open_kernel(n, *law, x, y, vx, vy, tx, ty, ox, oy, &over);
        } else {
            uint32_t *requested = ployi_lane_out_u32(out->requested, out->stride, at, asked);
            approach_kernel(n, *law, x, y, vx, vy, tx, ty, ox, oy, requested, &over);
            ployi_lane_store_u32(out->requested, out->stride, at, n, requested);
        }
        if (over != 0) approach_clip_kernel(n, law->max_acceleration, ox, oy);
        ployi_lane_store(out->x, out->stride, at, n, ox);
        ployi_lane_store(out->y, out->stride, at, n, oy);
        ployi_lane_clear(out->angular, out->stride, at, n);
    }
    return PLOY_OK;
}

ploy_result ployi_approach3_batch(const ployi_approach_law *law, const ploy_kinematics3 *agents,
                                  int32_t first, int32_t count, const ploy_points3 *targets,
                                  const ploy_steerings3 *out) {
    ploy_result result = ployi_kinematics3_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_points3_check(targets, first, count);
    if (result == PLOY_OK) result = ployi_steerings3_check(out, first, count);
    if (result != PLOY_OK) return result;
    float buffer[12][PLOYI_CHUNK];
    uint32_t asked[PLOYI_CHUNK];
    for (int32_t done = 0; done < count; done += PLOYI_CHUNK) {
        int32_t at = first + done;
        int32_t n = ploy_mini(count - done, PLOYI_CHUNK);
        size_t p = agents->position_stride, v = agents->velocity_stride;
        uint32_t over = 0;
        float *ox = ployi_lane_out(out->x, out->stride, at, buffer[9]);
        float *oy = ployi_lane_out(out->y, out->stride, at, buffer[10]);
        float *oz = ployi_lane_out(out->z, out->stride, at, buffer[11]);
        uint32_t *requested = ployi_lane_out_u32(out->requested, out->stride, at, asked);
        approach3_kernel(n, *law, ployi_lane_in(agents->x, p, at, n, buffer[0]),
                         ployi_lane_in(agents->y, p, at, n, buffer[1]),
                         ployi_lane_in(agents->z, p, at, n, buffer[2]),
                         ployi_lane_in(agents->vx, v, at, n, buffer[3]),
                         ployi_lane_in(agents->vy, v, at, n, buffer[4]),
                         ployi_lane_in(agents->vz, v, at, n, buffer[5]),
                         ployi_lane_in(targets->x, targets->stride, at, n, buffer[6]),
                         ployi_lane_in(targets->y, targets->stride, at, n, buffer[7]),
                         ployi_lane_in(targets->z, targets->stride, at, n, buffer[8]), ox, oy, oz,
                         requested, &over);
        if (over != 0) approach_clip3_kernel(n, law->max_acceleration, ox, oy, oz);
        ployi_lane_store(out->x, out->stride, at, n, ox);
        ployi_lane_store(out->y, out->stride, at, n, oy);
        ployi_lane_store(out->z, out->stride, at, n, oz);
        ployi_lane_clear(out->ax, out->stride, at, n);
        ployi_lane_clear(out->ay, out->stride, at, n);
        ployi_lane_clear(out->az, out->stride, at, n);
        ployi_lane_store_u32(out->requested, out->stride, at, n, requested);
    }
    return PLOY_OK;
}

ploy_result ployi_approach_velocity_batch(const ployi_approach_law *law,
                                          const ploy_kinematics *agents, int32_t first,
                                          int32_t count, const ploy_points *targets) {
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_points_check(targets, first, count);
    if (result != PLOY_OK) return result;
    float buffer[6][PLOYI_CHUNK];
    for (int32_t done = 0; done < count; done += PLOYI_CHUNK) {
        int32_t at = first + done;
        int32_t n = ploy_mini(count - done, PLOYI_CHUNK);
        size_t p = agents->position_stride, v = agents->velocity_stride;
        float *vx = ployi_lane_out(agents->vx, v, at, buffer[4]);
        float *vy = ployi_lane_out(agents->vy, v, at, buffer[5]);
        approach_velocity_kernel(n, *law, ployi_lane_in(agents->x, p, at, n, buffer[0]),
                                 ployi_lane_in(agents->y, p, at, n, buffer[1]),
                                 ployi_lane_in(targets->x, targets->stride, at, n, buffer[2]),
                                 ployi_lane_in(targets->y, targets->stride, at, n, buffer[3]), vx,
                                 vy);
        ployi_lane_store(agents->vx, v, at, n, vx);
        ployi_lane_store(agents->vy, v, at, n, vy);
        ployi_lane_clear(agents->rotation, agents->rotation_stride, at, n);
    }
    return PLOY_OK;
}

ploy_result ployi_approach3_velocity_batch(const ployi_approach_law *law,
                                           const ploy_kinematics3 *agents, int32_t first,
                                           int32_t count, const ploy_points3 *targets) {
    ploy_result result = ployi_kinematics3_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_points3_check(targets, first, count);
    if (result != PLOY_OK) return result;
    float buffer[9][PLOYI_CHUNK];
    for (int32_t done = 0; done < count; done += PLOYI_CHUNK) {
        int32_t at = first + done;
        int32_t n = ploy_mini(count - done, PLOYI_CHUNK);
        size_t p = agents->position_stride, v = agents->velocity_stride;
        float *vx = ployi_lane_out(agents->vx, v, at, buffer[6]);
        float *vy = ployi_lane_out(agents->vy, v, at, buffer[7]);
        float *vz = ployi_lane_out(agents->vz, v, at, buffer[8]);
        approach3_velocity_kernel(n, *law, ployi_lane_in(agents->x, p, at, n, buffer[0]),
                                  ployi_lane_in(agents->y, p, at, n, buffer[1]),
                                  ployi_lane_in(agents->z, p, at, n, buffer[2]),
                                  ployi_lane_in(targets->x, targets->stride, at, n, buffer[3]),
                                  ployi_lane_in(targets->y, targets->stride, at, n, buffer[4]),
                                  ployi_lane_in(targets->z, targets->stride, at, n, buffer[5]), vx,
                                  vy, vz);
        ployi_lane_store(agents->vx, v, at, n, vx);
        ployi_lane_store(agents->vy, v, at, n, vy);
        ployi_lane_store(agents->vz, v, at, n, vz);
        ployi_lane_clear(agents->rx, agents->rotation_stride, at, n);
        ployi_lane_clear(agents->ry, agents->rotation_stride, at, n);
        ployi_lane_clear(agents->rz, agents->rotation_stride, at, n);
    }
    return PLOY_OK;
}

// ---- why ----

void ployi_trace_vec(ploy_trace *trace, const char *name, ploy_vec3 v, int n) {
    ploy_value value = n == 3 ? ploy_value_vec3(v.x, v.y, v.z) : ploy_value_vec2(v.x, v.y);
    ploy_trace_value(trace, name, &value);
}

void ployi_approach_trace(const ployi_approach_law *law, ploy_vec3 offset, ploy_vec3 velocity,
                          int n, ploy_trace *trace) {
    float square = ployi_square(offset, n);
    bool inside = ployi_approach_inside(*law, square);
    bool full = law->match == 0.0f;
    ploy_vec3 wanted = ployi_approach_wanted(*law, offset, square, inside);
    ploy_vec3 error = ployi_minus(wanted, ployi_times(velocity, law->match));
    bool still = !(ployi_square(velocity, n) > law->still_squared);
    bool idle = inside && (still || law->brake == 0.0f);
    float strength = idle ? 0.0f : sqrtf(ployi_square(error, n)) * law->rate;
    // Full acceleration is as long as it may be but for rounding, and that is no cut.
    bool cut = !full && strength > law->max_acceleration;
    ploy_trace_f32(trace, "distance", sqrtf(square));
    if (square > law->within_squared) {
        ploy_trace_option(trace, "move", PLOY_OUTCOME_REJECTED, (double)NAN,
                          "it is farther away than the panic distance");
        ploy_trace_option(trace, "request nothing", PLOY_OUTCOME_WON, (double)NAN,
                          "nothing is near");
        return;
    }
    if (!full) {
        ployi_trace_vec(trace, "desired velocity", wanted, n);
        ployi_trace_vec(trace, "velocity error", error, n);
    }
    ploy_trace_f32(trace, "requested acceleration", strength);
    // These are not weighed against each other, so they have no scores.
    ploy_trace_option(trace, "as desired", cut ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON,
                      (double)NAN,
                      cut    ? "more than the largest acceleration"
                      : idle ? "there is nothing to do"
                      : full ? "full acceleration along the line"
                             : "the error can be mended in time_to_target");
    ploy_trace_option(trace, "cut to the largest acceleration",
                      cut ? PLOY_OUTCOME_WON : PLOY_OUTCOME_SKIPPED, (double)NAN,
                      cut ? "in the direction of the error" : "not needed");
    if (!(square > PLOYI_TINY_SQUARED)) {
        ploy_trace_note(trace, "It is on the very point, where there is no direction.");
    }
}
