// States, requests and views; the lanes that carry views to kernels.
#include "ploy/move/kinematic.h"

#include <string.h>

#include "move/move_internal.h"
#include "ploy/base/env.h"
#include "ploy/geom/angle.h"

ploy_kinematic ploy_kinematic_make(ploy_vec2 position, float orientation) {
    ploy_kinematic agent = {position, orientation, {0.0f, 0.0f}, 0.0f};
    return agent;
}

ploy_kinematic3 ploy_kinematic3_make(ploy_vec3 position) {
    ploy_kinematic3 agent = {
        position, {1.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    return agent;
}

ploy_steering ploy_steering_add(ploy_steering a, ploy_steering b) {
    ploy_steering out = {ploy_vec2_add(a.linear, b.linear), a.angular + b.angular,
                         a.requested | b.requested};
    return out;
}

ploy_steering3 ploy_steering3_add(ploy_steering3 a, ploy_steering3 b) {
    ploy_steering3 out = {ploy_vec3_add(a.linear, b.linear), ploy_vec3_add(a.angular, b.angular),
                          a.requested | b.requested};
    return out;
}

ploy_steering ploy_steering_scale(ploy_steering steering, float factor) {
    ploy_steering out = {ploy_vec2_scale(steering.linear, factor), steering.angular * factor,
                         steering.requested};
    return out;
}

ploy_steering3 ploy_steering3_scale(ploy_steering3 steering, float factor) {
    ploy_steering3 out = {ploy_vec3_scale(steering.linear, factor),
                          ploy_vec3_scale(steering.angular, factor), steering.requested};
    return out;
}

ploy_steering ploy_steering_from_force(ploy_vec2 force, float mass) {
    if (!(mass > 0.0f)) return ploy_steering_invalid();
    ploy_vec2 linear = {force.x / mass, force.y / mass};
    return ploy_steering_make(linear, 0.0f);
}

ploy_steering3 ploy_steering3_from_force(ploy_vec3 force, float mass) {
    if (!(mass > 0.0f)) return ploy_steering3_invalid();
    ploy_vec3 linear = {force.x / mass, force.y / mass, force.z / mass};
    return ploy_steering3_make(linear, ploy_vec3_make(0.0f, 0.0f, 0.0f));
}

ploy_steering_parts ploy_steering_split(ploy_steering steering, ploy_kinematic agent) {
    ploy_vec2 heading = ploy_angle_heading(agent.orientation);
    ploy_steering_parts parts = {ploy_vec2_dot(heading, steering.linear),
                                 ploy_vec2_cross(heading, steering.linear), 0.0f};
    return parts;
}

ploy_steering_parts ploy_steering3_split(ploy_steering3 steering, ploy_kinematic3 agent) {
    ploy_vec3 local = ploy_quat_unrotate(agent.orientation, steering.linear);
    ploy_steering_parts parts = {local.x, local.y, local.z};
    return parts;
}

ploy_steering ploy_steering_join(ploy_steering_parts parts, ploy_kinematic agent) {
    ploy_vec2 local = {parts.forward, parts.side};
    return ploy_steering_make(ploy_vec2_rotate_by(local, ploy_angle_heading(agent.orientation)),
                              0.0f);
}

ploy_steering3 ploy_steering3_join(ploy_steering_parts parts, ploy_kinematic3 agent) {
    ploy_vec3 local = {parts.forward, parts.side, parts.up};
    return ploy_steering3_make(ploy_quat_rotate(agent.orientation, local), ploy_vec3_zero());
}

ploy_kinematic ploy_kinematic_output_apply(ploy_kinematic_output output, ploy_kinematic agent) {
    agent.velocity = output.velocity;
    agent.rotation = output.rotation;
    return agent;
}

ploy_kinematic3 ploy_kinematic3_output_apply(ploy_kinematic3_output output, ploy_kinematic3 agent) {
    agent.velocity = output.velocity;
    agent.rotation = output.rotation;
    return agent;
}

ploy_kinematics ploy_kinematics_make(int32_t count, float *x, float *y, float *orientation,
                                     float *vx, float *vy, float *rotation, size_t stride) {
    ploy_kinematics view = {count,    x,      y,      orientation, vx,    vy,
                            rotation, stride, stride, stride,      stride};
    return view;
}

ploy_kinematics ploy_kinematics_of(ploy_kinematic *agents, int32_t count) {
    if (agents == NULL) return ploy_kinematics_make(0, NULL, NULL, NULL, NULL, NULL, NULL, 0);
    return ploy_kinematics_make(count, &agents->position.x, &agents->position.y,
                                &agents->orientation, &agents->velocity.x, &agents->velocity.y,
                                &agents->rotation, sizeof *agents);
}

ploy_kinematics3 ploy_kinematics3_of(ploy_kinematic3 *agents, int32_t count) {
    ploy_kinematics3 view;
    memset(&view, 0, sizeof view);
    if (agents == NULL) return view;
    view.count = count;
    view.x = &agents->position.x;
    view.y = &agents->position.y;
    view.z = &agents->position.z;
    view.qw = &agents->orientation.w;
    view.qx = &agents->orientation.x;
    view.qy = &agents->orientation.y;
    view.qz = &agents->orientation.z;
    view.vx = &agents->velocity.x;
    view.vy = &agents->velocity.y;
    view.vz = &agents->velocity.z;
    view.rx = &agents->rotation.x;
    view.ry = &agents->rotation.y;
    view.rz = &agents->rotation.z;
    view.position_stride = sizeof *agents;
    view.orientation_stride = sizeof *agents;
    view.velocity_stride = sizeof *agents;
    view.rotation_stride = sizeof *agents;
    return view;
}

// Number i of a column, without promising more alignment than a float's.
static float *kinematic_at(float *at, size_t stride, int32_t i) {
    return (float *)(void *)((char *)at + stride * (size_t)i);
}

static const float *kinematic_const_at(const float *at, size_t stride, int32_t i) {
    return (const float *)(const void *)((const char *)at + stride * (size_t)i);
}

static float kinematic_read(const float *at, size_t stride, int32_t i) {
    return at == NULL ? 0.0f : *kinematic_const_at(at, stride, i);
}

static void kinematic_write(float *at, size_t stride, int32_t i, float value) {
    if (at != NULL) *kinematic_at(at, stride, i) = value;
}

ploy_kinematic ploy_kinematics_get(const ploy_kinematics *view, int32_t i) {
    ploy_kinematic agent;
    agent.position.x = kinematic_read(view->x, view->position_stride, i);
    agent.position.y = kinematic_read(view->y, view->position_stride, i);
    agent.orientation = kinematic_read(view->orientation, view->orientation_stride, i);
    agent.velocity.x = kinematic_read(view->vx, view->velocity_stride, i);
    agent.velocity.y = kinematic_read(view->vy, view->velocity_stride, i);
    agent.rotation = kinematic_read(view->rotation, view->rotation_stride, i);
    return agent;
}

void ploy_kinematics_set(const ploy_kinematics *view, int32_t i, ploy_kinematic agent) {
    kinematic_write(view->x, view->position_stride, i, agent.position.x);
    kinematic_write(view->y, view->position_stride, i, agent.position.y);
    kinematic_write(view->orientation, view->orientation_stride, i, agent.orientation);
    kinematic_write(view->vx, view->velocity_stride, i, agent.velocity.x);
    kinematic_write(view->vy, view->velocity_stride, i, agent.velocity.y);
    kinematic_write(view->rotation, view->rotation_stride, i, agent.rotation);
}

ploy_kinematic3 ploy_kinematics3_get(const ploy_kinematics3 *view, int32_t i) {
    ploy_kinematic3 agent;
    agent.position.x = kinematic_read(view->x, view->position_stride, i);
    agent.position.y = kinematic_read(view->y, view->position_stride, i);
    agent.position.z = kinematic_read(view->z, view->position_stride, i);
    agent.orientation.w =
        view->qw == NULL ? 1.0f : kinematic_read(view->qw, view->orientation_stride, i);
    agent.orientation.x = kinematic_read(view->qx, view->orientation_stride, i);
    agent.orientation.y = kinematic_read(view->qy, view->orientation_stride, i);
    agent.orientation.z = kinematic_read(view->qz, view->orientation_stride, i);
    agent.velocity.x = kinematic_read(view->vx, view->velocity_stride, i);
    agent.velocity.y = kinematic_read(view->vy, view->velocity_stride, i);
    agent.velocity.z = kinematic_read(view->vz, view->velocity_stride, i);
    agent.rotation.x = kinematic_read(view->rx, view->rotation_stride, i);
    agent.rotation.y = kinematic_read(view->ry, view->rotation_stride, i);
    agent.rotation.z = kinematic_read(view->rz, view->rotation_stride, i);
    return agent;
}

void ploy_kinematics3_set(const ploy_kinematics3 *view, int32_t i, ploy_kinematic3 agent) {
    kinematic_write(view->x, view->position_stride, i, agent.position.x);
    kinematic_write(view->y, view->position_stride, i, agent.position.y);
    kinematic_write(view->z, view->position_stride, i, agent.position.z);
    kinematic_write(view->qw, view->orientation_stride, i, agent.orientation.w);
    kinematic_write(view->qx, view->orientation_stride, i, agent.orientation.x);
    kinematic_write(view->qy, view->orientation_stride, i, agent.orientation.y);
    kinematic_write(view->qz, view->orientation_stride, i, agent.orientation.z);
    kinematic_write(view->vx, view->velocity_stride, i, agent.velocity.x);
    kinematic_write(view->vy, view->velocity_stride, i, agent.velocity.y);
    kinematic_write(view->vz, view->velocity_stride, i, agent.velocity.z);
    kinematic_write(view->rx, view->rotation_stride, i, agent.rotation.x);
    kinematic_write(view->ry, view->rotation_stride, i, agent.rotation.y);
    kinematic_write(view->rz, view->rotation_stride, i, agent.rotation.z);
}

ploy_steerings ploy_steerings_make(int32_t count, float *x, float *y, float *angular,
                                   uint32_t *requested, size_t stride) {
    ploy_steerings view = {count, x, y, angular, requested, stride};
    return view;
}

ploy_steerings ploy_steerings_of(ploy_steering *steerings, int32_t count) {
    if (steerings == NULL) return ploy_steerings_make(0, NULL, NULL, NULL, NULL, 0);
    return ploy_steerings_make(count, &steerings->linear.x, &steerings->linear.y,
                               &steerings->angular, &steerings->requested, sizeof *steerings);
}

ploy_steerings3 ploy_steerings3_of(ploy_steering3 *steerings, int32_t count) {
    ploy_steerings3 view;
    memset(&view, 0, sizeof view);
    if (steerings == NULL) return view;
    view.count = count;
    view.x = &steerings->linear.x;
    view.y = &steerings->linear.y;
    view.z = &steerings->linear.z;
    view.ax = &steerings->angular.x;
    view.ay = &steerings->angular.y;
    view.az = &steerings->angular.z;
    view.requested = &steerings->requested;
    view.stride = sizeof *steerings;
    return view;
}

static uint32_t kinematic_read_requested(const uint32_t *at, size_t stride, int32_t i) {
    if (at == NULL) return 1;
    return *(const uint32_t *)(const void *)((const char *)at + stride * (size_t)i);
}

static void kinematic_write_requested(uint32_t *at, size_t stride, int32_t i, uint32_t value) {
    if (at != NULL) *(uint32_t *)(void *)((char *)at + stride * (size_t)i) = value;
}

ploy_steering ploy_steerings_get(const ploy_steerings *view, int32_t i) {
    ploy_steering out;
    out.linear.x = kinematic_read(view->x, view->stride, i);
    out.linear.y = kinematic_read(view->y, view->stride, i);
    out.angular = kinematic_read(view->angular, view->stride, i);
    out.requested = kinematic_read_requested(view->requested, view->stride, i);
    return out;
}

void ploy_steerings_set(const ploy_steerings *view, int32_t i, ploy_steering steering) {
    kinematic_write(view->x, view->stride, i, steering.linear.x);
    kinematic_write(view->y, view->stride, i, steering.linear.y);
    kinematic_write(view->angular, view->stride, i, steering.angular);
    kinematic_write_requested(view->requested, view->stride, i, steering.requested);
}

ploy_steering3 ploy_steerings3_get(const ploy_steerings3 *view, int32_t i) {
    ploy_steering3 out;
    out.linear.x = kinematic_read(view->x, view->stride, i);
    out.linear.y = kinematic_read(view->y, view->stride, i);
    out.linear.z = kinematic_read(view->z, view->stride, i);
    out.angular.x = kinematic_read(view->ax, view->stride, i);
    out.angular.y = kinematic_read(view->ay, view->stride, i);
    out.angular.z = kinematic_read(view->az, view->stride, i);
    out.requested = kinematic_read_requested(view->requested, view->stride, i);
    return out;
}

void ploy_steerings3_set(const ploy_steerings3 *view, int32_t i, ploy_steering3 steering) {
    kinematic_write(view->x, view->stride, i, steering.linear.x);
    kinematic_write(view->y, view->stride, i, steering.linear.y);
    kinematic_write(view->z, view->stride, i, steering.linear.z);
    kinematic_write(view->ax, view->stride, i, steering.angular.x);
    kinematic_write(view->ay, view->stride, i, steering.angular.y);
    kinematic_write(view->az, view->stride, i, steering.angular.z);
    kinematic_write_requested(view->requested, view->stride, i, steering.requested);
}

ploy_points3 ploy_points3_make(const ploy_vec3 *points, int32_t count) {
    ploy_points3 view = {NULL, NULL, NULL, sizeof(ploy_vec3), 0};
    if (points == NULL) return view;
    view.x = &points->x;
    view.y = &points->y;
    view.z = &points->z;
    view.count = count;
    return view;
}

ploy_points ploy_points_one(const ploy_vec2 *point) {
    ploy_points view = {&point->x, &point->y, 0, INT32_MAX};
    return view;
}

ploy_points3 ploy_points3_one(const ploy_vec3 *point) {
    ploy_points3 view = {&point->x, &point->y, &point->z, 0, INT32_MAX};
    return view;
}

ploy_points ploy_points_of_agents(const ploy_kinematics *agents) {
    ploy_points view = {agents->x, agents->y, agents->position_stride, agents->count};
    return view;
}

ploy_points3 ploy_points3_of_agents(const ploy_kinematics3 *agents) {
    ploy_points3 view = {agents->x, agents->y, agents->z, agents->position_stride, agents->count};
    return view;
}

// ---- checks ----

// A column that may be used: aligned, and with a stride that keeps it so. Only points may have a
// stride of 0: agents and requests in one place would overwrite each other.
static bool kinematic_column_ok(const void *at, size_t stride) {
    return at == NULL ||
           ((uintptr_t)at % sizeof(float) == 0 && stride % sizeof(float) == 0 && stride != 0);
}

static bool kinematic_points_ok(const float *at, size_t stride) {
    return at != NULL && (uintptr_t)at % sizeof(float) == 0 && stride % sizeof(float) == 0;
}

// Clipping a speed to the largest one rounds, so the check leaves it a little room.
#define KINEMATIC_SPEED_LIMIT (PLOY_SPEED_MAX_MPS * 1.001f)

// Debug builds look at the numbers themselves; release builds trust them.
static bool kinematic_numbers_ok(const float *at, size_t stride, int32_t first, int32_t count,
                                 float limit) {
#if PLOY_DEBUG_CHECKS
    if (at == NULL) return true;
    int32_t looked_at = stride == 0 ? ploy_mini(count, 1) : count;
    for (int32_t i = first; i < first + looked_at; i++) {
        if (!ploy_in_range(*kinematic_const_at(at, stride, i), -limit, limit)) return false;
    }
#else
    (void)at, (void)stride, (void)first, (void)count, (void)limit;
#endif
    return true;
}

ploy_result ployi_kinematics_check(const ploy_kinematics *view, int32_t first, int32_t count) {
    if (view == NULL || !ploy_range_within(first, count, view->count)) return PLOY_ERR_ARGUMENT;
    if (count == 0) return PLOY_OK;
    bool ok = view->x != NULL && view->y != NULL && view->vx != NULL && view->vy != NULL &&
              kinematic_column_ok(view->x, view->position_stride) &&
              kinematic_column_ok(view->y, view->position_stride) &&
              kinematic_column_ok(view->orientation, view->orientation_stride) &&
              kinematic_column_ok(view->vx, view->velocity_stride) &&
              kinematic_column_ok(view->vy, view->velocity_stride) &&
              kinematic_column_ok(view->rotation, view->rotation_stride);
    ok = ok &&
         kinematic_numbers_ok(view->x, view->position_stride, first, count, PLOY_POSITION_MAX_M) &&
         kinematic_numbers_ok(view->y, view->position_stride, first, count, PLOY_POSITION_MAX_M) &&
         kinematic_numbers_ok(view->orientation, view->orientation_stride, first, count, FLT_MAX) &&
         kinematic_numbers_ok(view->vx, view->velocity_stride, first, count,
                              KINEMATIC_SPEED_LIMIT) &&
         kinematic_numbers_ok(view->vy, view->velocity_stride, first, count,
                              KINEMATIC_SPEED_LIMIT) &&
         kinematic_numbers_ok(view->rotation, view->rotation_stride, first, count,
                              PLOYI_ROTATION_MAX);
    return ok ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

ploy_result ployi_kinematics3_check(const ploy_kinematics3 *view, int32_t first, int32_t count) {
    if (view == NULL || !ploy_range_within(first, count, view->count)) return PLOY_ERR_ARGUMENT;
    if (count == 0) return PLOY_OK;
    if (view->x == NULL || view->y == NULL || view->z == NULL) return PLOY_ERR_ARGUMENT;
    if (view->vx == NULL || view->vy == NULL || view->vz == NULL) return PLOY_ERR_ARGUMENT;
    int facing = (view->qw != NULL) + (view->qx != NULL) + (view->qy != NULL) + (view->qz != NULL);
    int turning = (view->rx != NULL) + (view->ry != NULL) + (view->rz != NULL);
    if ((facing != 0 && facing != 4) || (turning != 0 && turning != 3)) return PLOY_ERR_ARGUMENT;
    const float *columns[13] = {view->x,  view->y,  view->z,  view->qw, view->qx,
                                view->qy, view->qz, view->vx, view->vy, view->vz,
                                view->rx, view->ry, view->rz};
    for (int c = 0; c < 13; c++) {
        size_t stride = c < 3    ? view->position_stride
                        : c < 7  ? view->orientation_stride
                        : c < 10 ? view->velocity_stride
                                 : view->rotation_stride;
        float limit = c < 3    ? PLOY_POSITION_MAX_M
                      : c < 7  ? 2.0f // unit quaternions, with room for sloppy ones
                      : c < 10 ? KINEMATIC_SPEED_LIMIT
                               : PLOYI_ROTATION_MAX;
        if (!kinematic_column_ok(columns[c], stride)) return PLOY_ERR_ARGUMENT;
        if (!kinematic_numbers_ok(columns[c], stride, first, count, limit))
            return PLOY_ERR_ARGUMENT;
    }
    return PLOY_OK;
}

ploy_result ployi_steerings_check(const ploy_steerings *view, int32_t first, int32_t count) {
    if (view == NULL || !ploy_range_within(first, count, view->count)) return PLOY_ERR_ARGUMENT;
    if (count == 0) return PLOY_OK;
    bool ok = view->x != NULL && view->y != NULL && kinematic_column_ok(view->x, view->stride) &&
              kinematic_column_ok(view->y, view->stride) &&
              kinematic_column_ok(view->angular, view->stride) &&
              kinematic_column_ok(view->requested, view->stride);
    return ok ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

ploy_result ployi_steerings3_check(const ploy_steerings3 *view, int32_t first, int32_t count) {
    if (view == NULL || !ploy_range_within(first, count, view->count)) return PLOY_ERR_ARGUMENT;
    if (count == 0) return PLOY_OK;
    int angular = (view->ax != NULL) + (view->ay != NULL) + (view->az != NULL);
    bool ok =
        view->x != NULL && view->y != NULL && view->z != NULL && (angular == 0 || angular == 3) &&
        kinematic_column_ok(view->x, view->stride) && kinematic_column_ok(view->y, view->stride) &&
        kinematic_column_ok(view->z, view->stride) && kinematic_column_ok(view->ax, view->stride) &&
        kinematic_column_ok(view->ay, view->stride) &&
        kinematic_column_ok(view->az, view->stride) &&
        kinematic_column_ok(view->requested, view->stride);
    return ok ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

ploy_result ployi_points_check(const ploy_points *view, int32_t first, int32_t count) {
    if (view == NULL || !ploy_range_within(first, count, view->count)) return PLOY_ERR_ARGUMENT;
    if (count == 0) return PLOY_OK;
    bool ok = kinematic_points_ok(view->x, view->stride) &&
              kinematic_points_ok(view->y, view->stride) &&
              kinematic_numbers_ok(view->x, view->stride, first, count, PLOY_POSITION_MAX_M) &&
              kinematic_numbers_ok(view->y, view->stride, first, count, PLOY_POSITION_MAX_M);
    return ok ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

ploy_result ployi_points3_check(const ploy_points3 *view, int32_t first, int32_t count) {
    if (view == NULL) return PLOY_ERR_ARGUMENT;
    ploy_points flat = {view->x, view->y, view->stride, view->count};
    ploy_result result = ployi_points_check(&flat, first, count);
    if (result != PLOY_OK || count == 0) return result;
    bool ok = kinematic_points_ok(view->z, view->stride) &&
              kinematic_numbers_ok(view->z, view->stride, first, count, PLOY_POSITION_MAX_M);
    return ok ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

#undef KINEMATIC_SPEED_LIMIT

ploy_result ployi_steerings_check_in(const ploy_steerings *view, int32_t first, int32_t count) {
    ploy_result result = ployi_steerings_check(view, first, count);
    if (result != PLOY_OK || count == 0) return result;
    bool ok = kinematic_numbers_ok(view->x, view->stride, first, count, FLT_MAX) &&
              kinematic_numbers_ok(view->y, view->stride, first, count, FLT_MAX) &&
              kinematic_numbers_ok(view->angular, view->stride, first, count, FLT_MAX);
    return ok ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

ploy_result ployi_steerings3_check_in(const ploy_steerings3 *view, int32_t first, int32_t count) {
    ploy_result result = ployi_steerings3_check(view, first, count);
    if (result != PLOY_OK || count == 0) return result;
    bool ok = kinematic_numbers_ok(view->x, view->stride, first, count, FLT_MAX) &&
              kinematic_numbers_ok(view->y, view->stride, first, count, FLT_MAX) &&
              kinematic_numbers_ok(view->z, view->stride, first, count, FLT_MAX) &&
              kinematic_numbers_ok(view->ax, view->stride, first, count, FLT_MAX) &&
              kinematic_numbers_ok(view->ay, view->stride, first, count, FLT_MAX) &&
              kinematic_numbers_ok(view->az, view->stride, first, count, FLT_MAX);
    return ok ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

// ---- lanes ----

void ployi_lane_gather(const float *at, size_t stride, int32_t first, int32_t n, float *buffer) {
    if (at == NULL || stride == 0) {
        float value = at == NULL ? 0.0f : *at;
        for (int32_t i = 0; i < n; i++) buffer[i] = value;
        return;
    }
    const char *from = (const char *)at + stride * (size_t)first;
    for (int32_t i = 0; i < n; i++) {
        buffer[i] = *(const float *)(const void *)(from + stride * (size_t)i);
    }
}

void ployi_lane_scatter(float *at, size_t stride, int32_t first, int32_t n, const float *buffer) {
    char *to = (char *)at + stride * (size_t)first;
    for (int32_t i = 0; i < n; i++) *(float *)(void *)(to + stride * (size_t)i) = buffer[i];
}

void ployi_lane_scatter_u32(uint32_t *at, size_t stride, int32_t first, int32_t n,
                            const uint32_t *buffer) {
    char *to = (char *)at + stride * (size_t)first;
    for (int32_t i = 0; i < n; i++) *(uint32_t *)(void *)(to + stride * (size_t)i) = buffer[i];
}

void ployi_lane_zero(float *at, size_t stride, int32_t first, int32_t n) {
    char *to = (char *)at + stride * (size_t)first;
    for (int32_t i = 0; i < n; i++) *(float *)(void *)(to + stride * (size_t)i) = 0.0f;
}

// ---- sight ----

void ployi_kinematic_visit(ploy_visit *v, ploy_mark mark, ploy_kinematic *agent) {
    ploy_visit_struct(v, "kinematic", agent, sizeof *agent);
    ploy_visit_vec2(v, "position", mark, &agent->position.x, &agent->position.y);
    ploy_visit_f32(v, "orientation", mark, &agent->orientation);
    ploy_visit_vec2(v, "velocity", mark, &agent->velocity.x, &agent->velocity.y);
    ploy_visit_f32(v, "rotation", mark, &agent->rotation);
    ploy_describe_f32(v->describe, "speed", PLOY_DERIVED, ploy_vec2_length(agent->velocity));
}

static void kinematic_visit3(ploy_visit *v, ploy_mark mark, ploy_kinematic3 *agent) {
    ploy_vec3 *at = &agent->position, *velocity = &agent->velocity, *turn = &agent->rotation;
    ploy_quat *q = &agent->orientation;
    ploy_visit_struct(v, "kinematic3", agent, sizeof *agent);
    ploy_visit_vec3(v, "position", mark, &at->x, &at->y, &at->z);
    ploy_visit_vec4(v, "orientation", mark, &q->w, &q->x, &q->y, &q->z);
    ploy_visit_vec3(v, "velocity", mark, &velocity->x, &velocity->y, &velocity->z);
    ploy_visit_vec3(v, "rotation", mark, &turn->x, &turn->y, &turn->z);
    ploy_describe_f32(v->describe, "speed", PLOY_DERIVED, ploy_vec3_length(agent->velocity));
}

void ploy_kinematic_visit(ploy_visit *v, void *agent) {
    ployi_kinematic_visit(v, PLOY_STATE, agent);
}

void ploy_kinematic3_visit(ploy_visit *v, void *agent) {
    kinematic_visit3(v, PLOY_STATE, agent);
}

// For descriptions with another mark, which is the context then.
static void kinematic_visit_marked(ploy_visit *v, void *agent) {
    ployi_kinematic_visit(v, *(const ploy_mark *)v->context, agent);
}

static void kinematic_visit3_marked(ploy_visit *v, void *agent) {
    kinematic_visit3(v, *(const ploy_mark *)v->context, agent);
}

void ploy_kinematic_describe(const ploy_kinematic *agent, ploy_mark mark, ploy_describe *out) {
    ploy_visit_describe(kinematic_visit_marked, agent, &mark, out);
}

void ploy_kinematic3_describe(const ploy_kinematic3 *agent, ploy_mark mark, ploy_describe *out) {
    ploy_visit_describe(kinematic_visit3_marked, agent, &mark, out);
}

void ploy_steering_describe(const ploy_steering *steering, ploy_mark mark, ploy_describe *out) {
    ploy_describe_vec2(out, "linear", mark, steering->linear.x, steering->linear.y);
    ploy_describe_f32(out, "angular", mark, steering->angular);
    ploy_describe_bool(out, "requested", mark,
                       (steering->requested & PLOY_STEERING_REQUESTED) != 0);
}

void ploy_steering3_describe(const ploy_steering3 *steering, ploy_mark mark, ploy_describe *out) {
    ploy_describe_vec3(out, "linear", mark, steering->linear.x, steering->linear.y,
                       steering->linear.z);
    ploy_describe_vec3(out, "angular", mark, steering->angular.x, steering->angular.y,
                       steering->angular.z);
    ploy_describe_bool(out, "requested", mark,
                       (steering->requested & PLOY_STEERING_REQUESTED) != 0);
}

void ploy_kinematic_draw(const ploy_kinematic *agent, float radius, ploy_style style,
                         ploy_agent_id owner, ploy_draw *out) {
    ploy_draw_agent(out, style, owner, agent->position, agent->orientation, radius);
    ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_VELOCITY, owner, agent->position,
                    ploy_vec2_add(agent->position, agent->velocity));
}

void ploy_steering_draw(const ploy_steering *steering, ploy_vec2 from, float scale,
                        ploy_agent_id owner, ploy_draw *out) {
    if ((steering->requested & PLOY_STEERING_REQUESTED) == 0) return;
    ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_FORCE, owner, from,
                    ploy_vec2_add(from, ploy_vec2_scale(steering->linear, scale)));
}
