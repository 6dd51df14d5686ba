// What the behaviors share that turn an agent's surroundings into a point to go for: movers of plane
// and space in one shape, the laws of seek, flee and arrive, and the loops behind batch forms.
//
// A behavior is one body over movers and `n` components (2 or 3, a constant where it is inlined):
//
//     static ployi_pull pursue_body(const ploy_pursue_def *def, const ployi_mover *agent, ..., int n)
//
// The public forms of plane and space only translate. Batch forms call the single form for each
// agent, so equal bits need no proof.
#pragma once

#include "move/move_internal.h"
#include "ploy/geom/angle.h"
#include "ploy/move/arrive.h"
#include "ploy/move/flee.h"
#include "ploy/move/seek.h"

// Who moves, in space; on the plane z is 0.
typedef struct ployi_mover {
    ploy_vec3 position;
    ploy_vec3 velocity;
    ploy_vec3 forward; // unit
} ployi_mover;

// True if the agent's course is its heading, because it is at rest.
static inline bool ployi_at_rest(ploy_vec2 velocity) {
    return !(velocity.x * velocity.x + velocity.y * velocity.y > PLOYI_TINY_SQUARED);
}

// A request before its world is set.
typedef struct ployi_pull {
    ploy_vec3 linear;
    uint32_t requested;
} ployi_pull;

// The heading costs a sine and a cosine, so callers that do not read it leave it out.
PLOYI_INLINE ployi_mover ployi_mover_of(ploy_kinematic agent, bool heading) {
    ploy_vec2 forward = {0.0f, 0.0f};
    if (heading) forward = ploy_angle_heading(agent.orientation);
    ployi_mover mover = {ployi_plane(agent.position), ployi_velocity(&agent), ployi_plane(forward)};
    return mover;
}

PLOYI_INLINE ployi_mover ployi_mover3_of(ploy_kinematic3 agent) {
    ployi_mover mover = {agent.position, agent.velocity, ploy_quat_forward(agent.orientation)};
    return mover;
}

static inline ployi_pull ployi_pull_none(void) {
    ployi_pull pull = {{0.0f, 0.0f, 0.0f}, 0};
    return pull;
}

static inline ployi_pull ployi_pull_invalid(void) {
    ployi_pull pull = {{0.0f, 0.0f, 0.0f}, PLOY_STEERING_INVALID};
    return pull;
}

static inline ploy_steering ployi_pull_planar(ployi_pull pull) {
    ploy_steering out = {{pull.linear.x, pull.linear.y}, 0.0f, pull.requested};
    return out;
}

static inline ploy_steering3 ployi_pull_spatial(ployi_pull pull) {
    ploy_steering3 out = {pull.linear, {0.0f, 0.0f, 0.0f}, pull.requested};
    return out;
}

static inline float ployi_dot(ploy_vec3 a, ploy_vec3 b, int n) {
    float sum = a.x * b.x + a.y * b.y;
    return n == 3 ? sum + a.z * b.z : sum;
}

static inline ploy_vec3 ployi_plus_scaled(ploy_vec3 a, ploy_vec3 b, float s) {
    ploy_vec3 out = {a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
    return out;
}

static inline float ployi_length(ploy_vec3 v, int n) {
    return sqrtf(ployi_square(v, n));
}

// Zero where there is no direction.
static inline ploy_vec3 ployi_unit(ploy_vec3 v, int n) {
    return ployi_times(v, ployi_over_length(1.0f, ployi_square(v, n)));
}

// A unit vector across a unit vector: level and to the left, also in space, so that what happens at
// one height is what happens on the plane. Straight up or down there is no left: any one then.
static inline ploy_vec3 ployi_across(ploy_vec3 forward, int n) {
    ploy_vec3 left = {-forward.y, forward.x, 0.0f};
    if (n == 2) return left;
    if (ployi_square(left, 2) > 1e-12f) return ployi_unit(left, 2);
    return ploy_vec3_normalise(ploy_vec3_perp(forward));
}

// The laws behind the settings. False if one is out of range.
PLOYI_INLINE bool ployi_seek_law(const ploy_seek_def *def, ployi_approach_law *law) {
    return ployi_approach_pull((int32_t)def->mode, def->max_speed, def->max_acceleration,
                               def->time_to_target, 1.0f, 0.0f, law);
}

PLOYI_INLINE bool ployi_flee_law(const ploy_flee_def *def, ployi_approach_law *law) {
    return ployi_approach_pull((int32_t)def->mode, def->max_speed, def->max_acceleration,
                               def->time_to_target, -1.0f, def->panic_distance, law);
}

PLOYI_INLINE bool ployi_arrive_velocity_law(const ploy_arrive_def *def, ployi_approach_law *law) {
    if (!ployi_distance_ok(def->slow_radius) || !ployi_distance_ok(def->target_radius))
        return false;
    if (!ployi_approach_pull_velocity(def->max_speed, 1.0f, 0.0f, law)) return false;
    law->slow_squared = def->slow_radius * def->slow_radius;
    // Without a slow radius every distance is beyond it, and the slope is never used.
    law->slope = def->slow_radius > 0.0f ? def->max_speed / def->slow_radius : 0.0f;
    law->inside_squared = def->target_radius * def->target_radius;
    // Slower than a micrometre a second is standing: braking in proportion never quite ends.
    law->still_squared = 1e-12f;
    return true;
}

PLOYI_INLINE bool ployi_arrive_law(const ploy_arrive_def *def, ployi_approach_law *law) {
    if (!ployi_acceleration_ok(def->max_acceleration)) return false;
    if (!ployi_time_ok(def->time_to_target) || !ployi_arrive_velocity_law(def, law)) return false;
    law->rate = 1.0f / def->time_to_target;
    law->brake = def->stop_inside ? 1.0f : 0.0f;
    law->max_acceleration = def->max_acceleration;
    return true;
}

// The law for a mover and a point.
PLOYI_INLINE ployi_pull ployi_approach_point(const ployi_approach_law *law,
                                             const ployi_mover *agent, ploy_vec3 point, int n) {
    ployi_pull pull = ployi_pull_none();
    ploy_vec3 offset = ployi_minus(point, agent->position);
    pull.linear = ployi_approach_single(*law, offset, agent->velocity, n, &pull.requested);
    return pull;
}

// Traces which point was chosen and what the law makes of it, within an open decision.
void ployi_approach_point_trace(const ployi_approach_law *law, const ployi_mover *agent,
                                ploy_vec3 point, int n, ploy_trace *trace);

// Cuts a sum of requests to the largest acceleration; none if nothing was requested.
PLOYI_INLINE ployi_pull ployi_pull_clipped(ploy_vec3 sum, bool asked, float max_acceleration,
                                           int n) {
    ployi_pull pull = ployi_pull_none();
    if (!asked) return pull;
    pull.linear = ployi_cut(sum, max_acceleration, n);
    pull.requested = 1;
    return pull;
}

// The velocity error over time_to_target, cut: for behaviors that know their desired velocity.
PLOYI_INLINE ployi_pull ployi_match_velocity(ploy_vec3 wanted, ploy_vec3 velocity,
                                             float time_to_target, float max_acceleration, int n) {
    ploy_vec3 error = ployi_times(ployi_minus(wanted, velocity), 1.0f / time_to_target);
    return ployi_pull_clipped(error, true, max_acceleration, n);
}

// ---- batch forms by the single form ----

typedef ploy_steering (*ployi_one_fn)(const void *rule, int32_t i, ploy_kinematic agent);
typedef ploy_steering3 (*ployi_one3_fn)(const void *rule, int32_t i, ploy_kinematic3 agent);

// Checks the views, then asks fn for each agent of the range.
ploy_result ployi_each(const ploy_kinematics *agents, int32_t first, int32_t count, ployi_one_fn fn,
                       const void *rule, const ploy_steerings *out);
ploy_result ployi_each3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                        ployi_one3_fn fn, const void *rule, const ploy_steerings3 *out);

// As ploy_kinematics_get and ploy_kinematics3_get, inline: what loops over neighbours read.
PLOYI_INLINE float ployi_read(const float *at, size_t stride, int32_t i) {
    return at == NULL ? 0.0f
                      : *(const float *)(const void *)((const char *)at + stride * (size_t)i);
}
PLOYI_INLINE ploy_vec3 ployi_view_position(const ploy_kinematics *view, int32_t i) {
    ploy_vec3 out = {ployi_read(view->x, view->position_stride, i),
                     ployi_read(view->y, view->position_stride, i), 0.0f};
    return out;
}
PLOYI_INLINE ploy_vec3 ployi_view_velocity(const ploy_kinematics *view, int32_t i) {
    ploy_vec3 out = {ployi_read(view->vx, view->velocity_stride, i),
                     ployi_read(view->vy, view->velocity_stride, i), 0.0f};
    return out;
}

// Others that batch forms look at: number i for agent i, or, when there is only one, that one for
// all agents.
ploy_result ployi_others_check(const ploy_kinematics *others, int32_t first, int32_t count);
ploy_result ployi_others3_check(const ploy_kinematics3 *others, int32_t first, int32_t count);
static inline ploy_kinematic ployi_other(const ploy_kinematics *others, int32_t i) {
    return ploy_kinematics_get(others, others->count == 1 ? 0 : i);
}
static inline ploy_kinematic3 ployi_other3(const ploy_kinematics3 *others, int32_t i) {
    return ploy_kinematics3_get(others, others->count == 1 ? 0 : i);
}
// Likewise of points: a stride of 0 is one for all.
static inline ploy_vec3 ployi_point3(const ploy_points3 *points, int32_t i) {
    size_t offset = (size_t)i * points->stride;
    ploy_vec3 v = {*(const float *)(const void *)((const char *)points->x + offset),
                   *(const float *)(const void *)((const char *)points->y + offset),
                   *(const float *)(const void *)((const char *)points->z + offset)};
    return v;
}
