// Integrators and facing policies; both are described in the header.
//
// All three integrators are one formula, position += old * before + new * after + a * half, with
// factors that are 0 where a term is absent: adding such a term changes no bit, and one kernel
// serves all.
#include "ploy/move/integrate.h"

#include "move/move_internal.h"
#include "ploy/geom/angle.h"

static const char *const integrate_integrators[] = {"semi-implicit", "newton-euler",
                                                    "second-order"};
static const char *const integrate_facings[] = {"free", "snap", "smooth"};

#define INTEGRATE_DRAG_MAX 1e4        // 1/s
#define INTEGRATE_PERIOD_MIN 1e-4     // s
#define INTEGRATE_PERIOD_MAX 1e4      // s
#define INTEGRATE_ORIENTATION_MAX 1e3 // rad
#define INTEGRATE_SPEED_MIN 1e-15     // m/s; squares of less are stored with few digits

static const ploy_field integrate_fields[] = {
    PLOY_FIELD_ENUM(ploy_integrate_def, integrator, PLOY_INTEGRATOR_SEMI_IMPLICIT,
                    integrate_integrators, "order of the updates within a step"),
    PLOY_FIELD_F32(ploy_integrate_def, max_speed, PLOY_SPEED_MAX_MPS, 0, PLOY_SPEED_MAX_MPS, "m/s",
                   "largest speed"),
    PLOY_FIELD_F32(ploy_integrate_def, max_rotation, PLOYI_ROTATION_MAX, 0, PLOYI_ROTATION_MAX,
                   "rad/s", "largest rate of turning"),
    PLOY_FIELD_F32(ploy_integrate_def, drag, 0, 0, INTEGRATE_DRAG_MAX, "1/s",
                   "part of the velocity lost each second"),
    PLOY_FIELD_F32(ploy_integrate_def, angular_drag, 0, 0, INTEGRATE_DRAG_MAX, "1/s",
                   "part of the rotation lost each second"),
    PLOY_FIELD_ENUM(ploy_integrate_def, facing, PLOY_FACING_SNAP, integrate_facings,
                    "how the orientation follows the velocity"),
    PLOY_FIELD_F32(ploy_integrate_def, facing_fraction, 0.5, 0, 1, "",
                   "part of the turn that smooth facing makes in a period"),
    PLOY_FIELD_F32(ploy_integrate_def, facing_period, 0.1, INTEGRATE_PERIOD_MIN,
                   INTEGRATE_PERIOD_MAX, "s", "period of smooth facing"),
    PLOY_FIELD_F32(ploy_integrate_def, facing_min_speed, 1e-4, INTEGRATE_SPEED_MIN,
                   PLOY_SPEED_MAX_MPS, "m/s", "slower than this there is no direction of travel"),
    PLOY_FIELD_BOOL(ploy_integrate_def, face_at_rest, false,
                    "take on rest_orientation when slower"),
    PLOY_FIELD_F32(ploy_integrate_def, rest_orientation, 0, -INTEGRATE_ORIENTATION_MAX,
                   INTEGRATE_ORIENTATION_MAX, "rad", "orientation of an agent at rest"),
};

ploy_fields ploy_integrate_fields(void) {
    return PLOY_FIELDS(ploy_integrate_def, integrate_fields);
}

ploy_integrate_def ploy_integrate_def_default(void) {
    ploy_integrate_def def;
    ploy_fields_default(ploy_integrate_fields(), &def);
    return def;
}

// What a step of one length does, prepared once for all agents.
typedef struct integrate_law {
    float dt;
    float before; // factors of the formula above
    float after;
    float half;
    float decay; // of the velocity in dt
    float max_speed;
    float angular_decay;
    float max_rotation;
    float turn;             // the part of the difference that SMOOTH turns in dt
    float min_speed_square; // m^2/s^2
    float keep;             // 1 if agents at rest keep their orientation, 0 if they take on rest
    float rest;             // rad, wrapped; 0 if they keep it
    ploy_facing facing;
} integrate_law;

float ploy_smooth_fraction(float fraction, float period, float dt) {
    float left = ploy_clampf(1.0f - fraction, 0.0f, 1.0f);
    if (!(period > 0.0f) || !(dt > 0.0f)) return 0.0f;
    return 1.0f - ploy_powf(left, dt / period);
}

static bool integrate_law_make(const ploy_integrate_def *def, float dt, integrate_law *law) {
    if ((uint32_t)def->integrator > PLOY_INTEGRATOR_SECOND_ORDER ||
        (uint32_t)def->facing > PLOY_FACING_SMOOTH || !ployi_within(dt, 0, PLOY_DT_MAX_S) ||
        !ployi_speed_ok(def->max_speed) || !ployi_rotation_ok(def->max_rotation) ||
        !ployi_within(def->drag, 0, INTEGRATE_DRAG_MAX) ||
        !ployi_within(def->angular_drag, 0, INTEGRATE_DRAG_MAX) ||
        !ployi_within(def->facing_fraction, 0, 1) ||
        !ployi_within(def->facing_period, INTEGRATE_PERIOD_MIN, INTEGRATE_PERIOD_MAX) ||
        !ployi_within(def->facing_min_speed, INTEGRATE_SPEED_MIN, PLOY_SPEED_MAX_MPS) ||
        !ployi_within(def->rest_orientation, -INTEGRATE_ORIENTATION_MAX,
                      INTEGRATE_ORIENTATION_MAX)) {
        return false;
    }
    bool semi_implicit = def->integrator == PLOY_INTEGRATOR_SEMI_IMPLICIT;
    bool second_order = def->integrator == PLOY_INTEGRATOR_SECOND_ORDER;
    law->dt = dt;
    law->before = semi_implicit ? 0.0f : dt;
    law->after = semi_implicit ? dt : 0.0f;
    law->half = second_order ? 0.5f * dt * dt : 0.0f;
    // The exact decay of v' = -drag v: a step of any length keeps its sign, where v - v drag dt
    // turns round as soon as drag dt passes 1.
    law->decay = def->drag > 0.0f ? ploy_expf(-def->drag * dt) : 1.0f;
    law->angular_decay = def->angular_drag > 0.0f ? ploy_expf(-def->angular_drag * dt) : 1.0f;
    law->max_speed = def->max_speed;
    law->max_rotation = def->max_rotation;
    law->facing = def->facing;
    law->turn = 1.0f;
    if (def->facing == PLOY_FACING_SMOOTH) {
        law->turn = ploy_smooth_fraction(def->facing_fraction, def->facing_period, dt);
    }
    law->min_speed_square = def->facing_min_speed * def->facing_min_speed;
    law->keep = def->face_at_rest ? 0.0f : 1.0f;
    law->rest = def->face_at_rest ? ploy_angle_wrap(def->rest_orientation) : 0.0f;
    return true;
}

// ---- bodies ----

PLOYI_INLINE ploy_vec3 integrate_uncut(integrate_law law, ploy_vec3 v, ploy_vec3 a) {
    ploy_vec3 out = {(v.x + a.x * law.dt) * law.decay, (v.y + a.y * law.dt) * law.decay,
                     (v.z + a.z * law.dt) * law.decay};
    return out;
}

PLOYI_INLINE ploy_vec3 integrate_velocity(integrate_law law, ploy_vec3 v, ploy_vec3 a, int n) {
    return ployi_clip(integrate_uncut(law, v, a), law.max_speed, n);
}

PLOYI_INLINE float integrate_moved(integrate_law law, float before, float after, float a) {
    return before * law.before + after * law.after + a * law.half;
}

PLOYI_INLINE float integrate_rotation(integrate_law law, float r, float a) {
    float out = (r + a * law.dt) * law.angular_decay;
    out = out > law.max_rotation ? law.max_rotation : out;
    return out < -law.max_rotation ? -law.max_rotation : out;
}

// The orientation of a vector, in [-pi, pi), to within 5e-7 rad; 0 for zero. ploy_angle_of is exact
// to the last digit but works in double and calls; this one is plain float arithmetic that
// compilers vectorise. With a = |x| and b = |y|, the angle within the quadrant is
//     atan(b / a)                          for b <= 0.41 a,
//     pi / 4 + atan((b - a) / (b + a))     in between,
//     pi / 2 + atan(-a / b)                for a <= 0.41 b,
// so that one division and one polynomial, a minimax fit for up to tan(pi / 8) with a relative
// error of 2e-8, do for all. Each condition selects numbers that are ready: gcc would rather copy
// the polynomial into both branches of a condition that it meets again later.
PLOYI_INLINE float integrate_angle_of(float x, float y) {
    float a = fabsf(x), b = fabsf(y);
    bool steep = a < b;
    float small = steep ? a : b;
    float large = steep ? b : a;
    float top = steep ? -a : b;
    float offset = steep ? PLOY_HALF_PI_F : 0.0f;
    bool middle = small > 0.41421356f * large;
    top = middle ? b - a : top;
    float bottom = middle ? b + a : large;
    offset = middle ? PLOY_QUARTER_PI_F : offset;
    float t = top / (bottom + FLT_MIN); // 0 / 0 for zero otherwise
    float u = t * t;
    float p = (-0.333329553f + u * 0.199779261f) + (u * u) * (-0.138798499f + u * 0.0806030883f);
    float angle = offset + (t + t * u * p);
    angle = x < 0.0f ? PLOY_PI_F - angle : angle;
    angle = copysignf(angle, y);
    return angle >= PLOY_PI_F ? -PLOY_PI_F : angle;
}

// Where an agent looks next that wants to look along its velocity.
PLOYI_INLINE float integrate_facing(integrate_law law, float vx, float vy, float orientation,
                                    bool smooth) {
    float kept = orientation * law.keep + law.rest;
    float toward = integrate_angle_of(vx, vy);
    toward = vx * vx + vy * vy > law.min_speed_square ? toward : kept;
    if (!smooth) return toward;
    float difference = ploy_angle_wrap_turn(toward - orientation);
    return ploy_angle_wrap_turn(orientation + difference * law.turn);
}

// Most orientations are wrapped as they come; the others cost a call.
static inline float integrate_wrap(float angle) {
    return angle >= -PLOY_PI_F && angle < PLOY_PI_F ? angle : ploy_angle_wrap(angle);
}

// The orientation in space; one agent at a time, as turning needs sines.
static ploy_quat integrate_turn3(const integrate_law *law, ploy_quat q, ploy_vec3 old,
                                 ploy_vec3 rotation, ploy_vec3 angular) {
    ploy_vec3 turned = {integrate_moved(*law, old.x, rotation.x, angular.x),
                        integrate_moved(*law, old.y, rotation.y, angular.y),
                        integrate_moved(*law, old.z, rotation.z, angular.z)};
    return ploy_vec3_is_zero(turned) ? q : ploy_quat_integrate(q, turned, 1.0f);
}

static ploy_quat integrate_facing3(const integrate_law *law, ploy_quat q, ploy_vec3 velocity) {
    ploy_quat toward = law->keep > 0.0f ? q : ploy_quat_from_orientation(law->rest);
    if (ployi_square(velocity, 3) > law->min_speed_square) {
        toward = ploy_quat_from_forward(velocity, ploy_quat_identity());
    }
    return law->facing == PLOY_FACING_SMOOTH ? ploy_quat_slerp(q, toward, law->turn) : toward;
}

// ---- single ----

ploy_kinematic ploy_integrate(const ploy_integrate_def *def, ploy_kinematic agent,
                              ploy_steering steering, float dt) {
    integrate_law law;
    if (!integrate_law_make(def, dt, &law)) return agent;
    ploy_kinematic out = agent;
    ploy_vec2 a = steering.linear;
    out.velocity = ployi_planar(integrate_velocity(law, ployi_velocity(&agent), ployi_plane(a), 2));
    out.position.x += integrate_moved(law, agent.velocity.x, out.velocity.x, a.x);
    out.position.y += integrate_moved(law, agent.velocity.y, out.velocity.y, a.y);
    switch (law.facing) {
    case PLOY_FACING_FREE:
        out.rotation = integrate_rotation(law, agent.rotation, steering.angular);
        out.orientation =
            integrate_wrap(agent.orientation +
                           integrate_moved(law, agent.rotation, out.rotation, steering.angular));
        break;
    case PLOY_FACING_SNAP:
        out.orientation =
            integrate_facing(law, out.velocity.x, out.velocity.y, agent.orientation, false);
        break;
    case PLOY_FACING_SMOOTH:
        out.orientation = integrate_facing(law, out.velocity.x, out.velocity.y,
                                           integrate_wrap(agent.orientation), true);
        break;
    }
    return out;
}

ploy_kinematic3 ploy_integrate3(const ploy_integrate_def *def, ploy_kinematic3 agent,
                                ploy_steering3 steering, float dt) {
    integrate_law law;
    if (!integrate_law_make(def, dt, &law)) return agent;
    ploy_kinematic3 out = agent;
    ploy_vec3 a = steering.linear;
    out.velocity = integrate_velocity(law, agent.velocity, a, 3);
    out.position.x += integrate_moved(law, agent.velocity.x, out.velocity.x, a.x);
    out.position.y += integrate_moved(law, agent.velocity.y, out.velocity.y, a.y);
    out.position.z += integrate_moved(law, agent.velocity.z, out.velocity.z, a.z);
    if (law.facing == PLOY_FACING_FREE) {
        integrate_law turning = law;
        turning.decay = law.angular_decay;
        turning.max_speed = law.max_rotation;
        out.rotation = integrate_velocity(turning, agent.rotation, steering.angular, 3);
        out.orientation = integrate_turn3(&law, agent.orientation, agent.rotation, out.rotation,
                                          steering.angular);
    } else {
        out.orientation = integrate_facing3(&law, agent.orientation, out.velocity);
    }
    return out;
}

// ---- kernels ----

// Whether any agent of the chunk will have to be slowed down; see ployi_clip_factor.
PLOYI_INLINE void integrate_speeding_kernel_body(int32_t n, integrate_law law,
                                                 const float *restrict ax, const float *restrict ay,
                                                 const float *restrict vx, const float *restrict vy,
                                                 uint32_t *restrict any_over) {
    uint32_t over = 0;
    float max_square = law.max_speed * law.max_speed;
    for (int32_t i = 0; i < n; i++) {
        ploy_vec3 a = {ax[i], ay[i], 0.0f};
        ploy_vec3 v = {vx[i], vy[i], 0.0f};
        over |= (uint32_t)(ployi_square(integrate_uncut(law, v, a), 2) > max_square);
    }
    *any_over = over;
}
PLOYI_KERNEL(integrate_speeding_kernel,
             (int32_t n, integrate_law law, const float *restrict ax, const float *restrict ay,
              const float *restrict vx, const float *restrict vy, uint32_t *restrict any_over),
             (n, law, ax, ay, vx, vy, any_over))

PLOYI_INLINE void integrate_chunk_body(int32_t n, integrate_law law, bool clip,
                                       const float *restrict ax, const float *restrict ay,
                                       float *restrict x, float *restrict y, float *restrict vx,
                                       float *restrict vy) {
    for (int32_t i = 0; i < n; i++) {
        ploy_vec3 a = {ax[i], ay[i], 0.0f};
        ploy_vec3 before = {vx[i], vy[i], 0.0f};
        ploy_vec3 after = integrate_uncut(law, before, a);
        if (clip) after = ployi_clip(after, law.max_speed, 2);
        x[i] += integrate_moved(law, before.x, after.x, a.x);
        y[i] += integrate_moved(law, before.y, after.y, a.y);
        vx[i] = after.x;
        vy[i] = after.y;
    }
}
PLOYI_INLINE void integrate_kernel_body(int32_t n, integrate_law law, const float *restrict ax,
                                        const float *restrict ay, float *restrict x,
                                        float *restrict y, float *restrict vx, float *restrict vy) {
    integrate_chunk_body(n, law, true, ax, ay, x, y, vx, vy);
}
PLOYI_KERNEL(integrate_kernel,
             (int32_t n, integrate_law law, const float *restrict ax, const float *restrict ay,
              float *restrict x, float *restrict y, float *restrict vx, float *restrict vy),
             (n, law, ax, ay, x, y, vx, vy))
PLOYI_INLINE void integrate_coast_kernel_body(int32_t n, integrate_law law,
                                              const float *restrict ax, const float *restrict ay,
                                              float *restrict x, float *restrict y,
                                              float *restrict vx, float *restrict vy) {
    integrate_chunk_body(n, law, false, ax, ay, x, y, vx, vy);
}
PLOYI_KERNEL(integrate_coast_kernel,
             (int32_t n, integrate_law law, const float *restrict ax, const float *restrict ay,
              float *restrict x, float *restrict y, float *restrict vx, float *restrict vy),
             (n, law, ax, ay, x, y, vx, vy))

PLOYI_INLINE void integrate3_kernel_body(int32_t n, integrate_law law, const float *restrict ax,
                                         const float *restrict ay, const float *restrict az,
                                         float *restrict x, float *restrict y, float *restrict z,
                                         float *restrict vx, float *restrict vy,
                                         float *restrict vz) {
    for (int32_t i = 0; i < n; i++) {
        ploy_vec3 a = {ax[i], ay[i], az[i]};
        ploy_vec3 before = {vx[i], vy[i], vz[i]};
        ploy_vec3 after = integrate_velocity(law, before, a, 3);
        x[i] += integrate_moved(law, before.x, after.x, a.x);
        y[i] += integrate_moved(law, before.y, after.y, a.y);
        z[i] += integrate_moved(law, before.z, after.z, a.z);
        vx[i] = after.x;
        vy[i] = after.y;
        vz[i] = after.z;
    }
}
PLOYI_KERNEL(integrate3_kernel,
             (int32_t n, integrate_law law, const float *restrict ax, const float *restrict ay,
              const float *restrict az, float *restrict x, float *restrict y, float *restrict z,
              float *restrict vx, float *restrict vy, float *restrict vz),
             (n, law, ax, ay, az, x, y, z, vx, vy, vz))

PLOYI_INLINE void integrate_turn_kernel_body(int32_t n, integrate_law law,
                                             const float *restrict angular,
                                             float *restrict orientation,
                                             float *restrict rotation) {
    for (int32_t i = 0; i < n; i++) {
        float before = rotation[i];
        float after = integrate_rotation(law, before, angular[i]);
        orientation[i] += integrate_moved(law, before, after, angular[i]);
        rotation[i] = after;
    }
}
PLOYI_KERNEL(integrate_turn_kernel,
             (int32_t n, integrate_law law, const float *restrict angular,
              float *restrict orientation, float *restrict rotation),
             (n, law, angular, orientation, rotation))

PLOYI_INLINE void integrate_snap_kernel_body(int32_t n, integrate_law law, const float *restrict vx,
                                             const float *restrict vy,
                                             float *restrict orientation) {
    for (int32_t i = 0; i < n; i++) {
        orientation[i] = integrate_facing(law, vx[i], vy[i], orientation[i], false);
    }
}
PLOYI_KERNEL(integrate_snap_kernel,
             (int32_t n, integrate_law law, const float *restrict vx, const float *restrict vy,
              float *restrict orientation),
             (n, law, vx, vy, orientation))

PLOYI_INLINE void integrate_smooth_kernel_body(int32_t n, integrate_law law,
                                               const float *restrict vx, const float *restrict vy,
                                               float *restrict orientation) {
    for (int32_t i = 0; i < n; i++) {
        orientation[i] = integrate_facing(law, vx[i], vy[i], orientation[i], true);
    }
}
PLOYI_KERNEL(integrate_smooth_kernel,
             (int32_t n, integrate_law law, const float *restrict vx, const float *restrict vy,
              float *restrict orientation),
             (n, law, vx, vy, orientation))

// ---- batch ----

// Whether turning a chunk takes no buffer.
static bool integrate_turns_in_place(const integrate_law *law, const ploy_kinematics *agents,
                                     const ploy_steerings *steerings) {
    if (agents->orientation == NULL) return true;
    if (agents->orientation_stride != sizeof(float)) return false;
    return law->facing != PLOY_FACING_FREE ||
           (ployi_lane_packed(agents->rotation, agents->rotation_stride) && steerings != NULL &&
            ployi_lane_packed(steerings->angular, steerings->stride));
}

// Turns agents [at, at + n); vx and vy are their new velocities, packed.
static void integrate_turn_chunk(const integrate_law *law, const ploy_kinematics *agents,
                                 int32_t at, int32_t n, const ploy_steerings *steerings,
                                 const float *vx, const float *vy) {
    float buffer[3][PLOYI_CHUNK];
    float *orientation =
        ployi_lane_inout(agents->orientation, agents->orientation_stride, at, n, buffer[0]);
    if (law->facing == PLOY_FACING_FREE) {
        const float *column = steerings == NULL ? NULL : steerings->angular;
        size_t stride = steerings == NULL ? 0 : steerings->stride;
        const float *angular = ployi_lane_in(column, stride, at, n, buffer[2]);
        float *rotation =
            ployi_lane_inout(agents->rotation, agents->rotation_stride, at, n, buffer[1]);
        integrate_turn_kernel(n, *law, angular, orientation, rotation);
        for (int32_t i = 0; i < n; i++) orientation[i] = integrate_wrap(orientation[i]);
        ployi_lane_store(agents->rotation, agents->rotation_stride, at, n, rotation);
    } else if (law->facing == PLOY_FACING_SNAP) {
        integrate_snap_kernel(n, *law, vx, vy, orientation);
    } else {
        for (int32_t i = 0; i < n; i++) orientation[i] = integrate_wrap(orientation[i]);
        integrate_smooth_kernel(n, *law, vx, vy, orientation);
    }
    ployi_lane_store(agents->orientation, agents->orientation_stride, at, n, orientation);
}

ploy_result ploy_integrate_batch(const ploy_integrate_def *def, const ploy_kinematics *agents,
                                 int32_t first, int32_t count, const ploy_steerings *steerings,
                                 float dt) {
    integrate_law law;
    if (def == NULL || !integrate_law_make(def, dt, &law)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result == PLOY_OK && steerings != NULL) {
        result = ployi_steerings_check_in(steerings, first, count);
    }
    if (result != PLOY_OK) return result;
    const float *column_x = steerings == NULL ? NULL : steerings->x;
    const float *column_y = steerings == NULL ? NULL : steerings->y;
    size_t stride = steerings == NULL ? 0 : steerings->stride;
    size_t p = agents->position_stride, v = agents->velocity_stride;
    float buffer[6][PLOYI_CHUNK];
    bool in_place = p == sizeof(float) && v == sizeof(float) && stride == sizeof(float) &&
                    integrate_turns_in_place(&law, agents, steerings);
    int32_t chunk = ployi_chunk(in_place);
    for (int32_t done = 0; done < count; done += chunk) {
        int32_t at = first + done;
        int32_t n = ploy_mini(count - done, chunk);
        float *x = ployi_lane_inout(agents->x, p, at, n, buffer[0]);
        float *y = ployi_lane_inout(agents->y, p, at, n, buffer[1]);
        float *vx = ployi_lane_inout(agents->vx, v, at, n, buffer[2]);
        float *vy = ployi_lane_inout(agents->vy, v, at, n, buffer[3]);
        const float *ax = ployi_lane_in(column_x, stride, at, n, buffer[4]);
        const float *ay = ployi_lane_in(column_y, stride, at, n, buffer[5]);
        uint32_t speeding = 0;
        integrate_speeding_kernel(n, law, ax, ay, vx, vy, &speeding);
        if (speeding != 0) {
            integrate_kernel(n, law, ax, ay, x, y, vx, vy);
        } else {
            integrate_coast_kernel(n, law, ax, ay, x, y, vx, vy);
        }
        if (agents->orientation != NULL) {
            integrate_turn_chunk(&law, agents, at, n, steerings, vx, vy);
        }
        ployi_lane_store(agents->x, p, at, n, x);
        ployi_lane_store(agents->y, p, at, n, y);
        ployi_lane_store(agents->vx, v, at, n, vx);
        ployi_lane_store(agents->vy, v, at, n, vy);
    }
    return PLOY_OK;
}

// Turns agents [at, at + n) in space, after their velocities are new.
static void integrate_turn3_chunk(const integrate_law *law, const ploy_kinematics3 *agents,
                                  int32_t at, int32_t n, const ploy_steerings3 *steerings) {
    integrate_law turning = *law;
    turning.decay = law->angular_decay;
    turning.max_speed = law->max_rotation;
    for (int32_t i = at; i < at + n; i++) {
        ploy_kinematic3 agent = ploy_kinematics3_get(agents, i);
        if (law->facing == PLOY_FACING_FREE) {
            ploy_vec3 angular =
                steerings == NULL ? ploy_vec3_zero() : ploy_steerings3_get(steerings, i).angular;
            ploy_vec3 old = agent.rotation;
            agent.rotation = integrate_velocity(turning, old, angular, 3);
            agent.orientation =
                integrate_turn3(law, agent.orientation, old, agent.rotation, angular);
        } else {
            agent.orientation = integrate_facing3(law, agent.orientation, agent.velocity);
        }
        ploy_kinematics3_set(agents, i, agent);
    }
}

ploy_result ploy_integrate3_batch(const ploy_integrate_def *def, const ploy_kinematics3 *agents,
                                  int32_t first, int32_t count, const ploy_steerings3 *steerings,
                                  float dt) {
    integrate_law law;
    if (def == NULL || !integrate_law_make(def, dt, &law)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics3_check(agents, first, count);
    if (result == PLOY_OK && steerings != NULL) {
        result = ployi_steerings3_check_in(steerings, first, count);
    }
    if (result != PLOY_OK) return result;
    const float *column[3] = {NULL, NULL, NULL};
    size_t stride = 0;
    if (steerings != NULL) {
        column[0] = steerings->x;
        column[1] = steerings->y;
        column[2] = steerings->z;
        stride = steerings->stride;
    }
    size_t p = agents->position_stride, v = agents->velocity_stride;
    float buffer[9][PLOYI_CHUNK];
    for (int32_t done = 0; done < count; done += PLOYI_CHUNK) {
        int32_t at = first + done;
        int32_t n = ploy_mini(count - done, PLOYI_CHUNK);
        float *x = ployi_lane_inout(agents->x, p, at, n, buffer[0]);
        float *y = ployi_lane_inout(agents->y, p, at, n, buffer[1]);
        float *z = ployi_lane_inout(agents->z, p, at, n, buffer[2]);
        float *vx = ployi_lane_inout(agents->vx, v, at, n, buffer[3]);
        float *vy = ployi_lane_inout(agents->vy, v, at, n, buffer[4]);
        float *vz = ployi_lane_inout(agents->vz, v, at, n, buffer[5]);
        integrate3_kernel(n, law, ployi_lane_in(column[0], stride, at, n, buffer[6]),
                          ployi_lane_in(column[1], stride, at, n, buffer[7]),
                          ployi_lane_in(column[2], stride, at, n, buffer[8]), x, y, z, vx, vy, vz);
        ployi_lane_store(agents->x, p, at, n, x);
        ployi_lane_store(agents->y, p, at, n, y);
        ployi_lane_store(agents->z, p, at, n, z);
        ployi_lane_store(agents->vx, v, at, n, vx);
        ployi_lane_store(agents->vy, v, at, n, vy);
        ployi_lane_store(agents->vz, v, at, n, vz);
        if (agents->qw != NULL) integrate_turn3_chunk(&law, agents, at, n, steerings);
    }
    return PLOY_OK;
}

#undef INTEGRATE_DRAG_MAX
#undef INTEGRATE_PERIOD_MIN
#undef INTEGRATE_PERIOD_MAX
#undef INTEGRATE_ORIENTATION_MAX
#undef INTEGRATE_SPEED_MIN
