// Align, face and look; described in the header.
#include "ploy/move/align.h"

#include "move/move_internal.h"

#include "move/steer_internal.h"
#include "ploy/geom/angle.h"

static const ploy_field align_fields[] = {
    PLOY_FIELD_F32(ploy_align_def, max_rotation, 4, 0, PLOYI_ROTATION_MAX, "rad/s", "fastest turn"),
    PLOY_FIELD_F32(ploy_align_def, max_angular_acceleration, 20, 0, PLOYI_ACCELERATION_MAX,
                   "rad/s^2", "largest angular acceleration asked for"),
    PLOY_FIELD_F32(ploy_align_def, slow_angle, 1, 0, 10, "rad", "angle at which braking begins"),
    PLOY_FIELD_F32(ploy_align_def, target_angle, 0.01, 0, 10, "rad", "angle that is near enough"),
    PLOY_FIELD_F32(ploy_align_def, time_to_target, 0.1, PLOYI_TIME_MIN, PLOYI_TIME_MAX, "s",
                   "time in which the desired rotation is to be reached"),
};

ploy_fields ploy_align_fields(void) {
    return PLOY_FIELDS(ploy_align_def, align_fields);
}

ploy_align_def ploy_align_def_default(void) {
    ploy_align_def def;
    ploy_fields_default(ploy_align_fields(), &def);
    return def;
}

static bool align_ok(const ploy_align_def *def) {
    return ployi_rotation_ok(def->max_rotation) &&
           ployi_acceleration_ok(def->max_angular_acceleration) &&
           ployi_within(def->slow_angle, 0, 10) && ployi_within(def->target_angle, 0, 10) &&
           ployi_time_ok(def->time_to_target);
}

// The rotation needed for an angle that is left, not below 0.
static float align_rotation(const ploy_align_def *def, float angle) {
    if (angle > def->slow_angle) return def->max_rotation;
    return def->slow_angle > 0.0f ? def->max_rotation * (angle / def->slow_angle) : 0.0f;
}

// There: near enough, or, with a target_angle of 0, exactly.
static bool align_there(const ploy_align_def *def, float angle) {
    return angle < def->target_angle || angle == 0.0f;
}

static ploy_steering align_by(const ploy_align_def *def, float difference, float rotation) {
    float angle = fabsf(difference);
    if (align_there(def, angle)) return ploy_steering_none();
    float wanted = copysignf(align_rotation(def, angle), difference);
    float angular = (wanted - rotation) / def->time_to_target;
    float max = def->max_angular_acceleration;
    return ploy_steering_make(ploy_vec2_zero(), ploy_clampf(angular, -max, max));
}

// turn is the rotation vector that leads to the target orientation, radians about an axis.
static ploy_steering3 align_by3(const ploy_align_def *def, ploy_vec3 turn, ploy_vec3 rotation) {
    float angle = ployi_length(turn, 3);
    if (align_there(def, angle)) return ploy_steering3_none();
    ploy_vec3 wanted = ployi_times(ployi_unit(turn, 3), align_rotation(def, angle));
    ploy_vec3 angular = ployi_times(ployi_minus(wanted, rotation), 1.0f / def->time_to_target);
    return ploy_steering3_make(ploy_vec3_zero(),
                               ployi_clip(angular, def->max_angular_acceleration, 3));
}

ploy_steering ploy_align(const ploy_align_def *def, ploy_kinematic agent, float orientation) {
    if (!align_ok(def)) return ploy_steering_invalid();
    return align_by(def, ploy_angle_difference(agent.orientation, orientation), agent.rotation);
}

ploy_steering3 ploy_align3(const ploy_align_def *def, ploy_kinematic3 agent,
                           ploy_quat orientation) {
    if (!align_ok(def)) return ploy_steering3_invalid();
    // q = target * present^-1 leads from one to the other in the world's axes; of q and -q, which
    // are the same orientation, the one that turns less.
    ploy_quat q = ploy_quat_multiply(orientation, ploy_quat_conjugate(agent.orientation));
    if (q.w < 0.0f) q = ploy_quat_make(-q.w, -q.x, -q.y, -q.z);
    return align_by3(def, ploy_quat_to_rotation(q), agent.rotation);
}

static bool align_direction(ploy_vec3 direction, int n) {
    return ployi_square(direction, n) > PLOYI_TINY_SQUARED;
}

static ploy_steering align_along(const ploy_align_def *def, ploy_kinematic agent,
                                 ploy_vec2 direction) {
    if (!align_ok(def)) return ploy_steering_invalid();
    if (!align_direction(ployi_plane(direction), 2)) return ploy_steering_none();
    return ploy_align(def, agent, ploy_angle_of(direction));
}

static ploy_steering3 align_along3(const ploy_align_def *def, ploy_kinematic3 agent,
                                   ploy_vec3 direction) {
    if (!align_ok(def)) return ploy_steering3_invalid();
    if (!align_direction(direction, 3)) return ploy_steering3_none();
    // The head is kept up; straight up or down has no upright orientation, and there, and all but
    // there, the shortest turn from the present one does.
    ploy_vec3 unit = ploy_vec3_normalise(direction);
    if (fabsf(unit.z) < 0.9995f) {
        return ploy_align3(def, agent, ploy_quat_look(unit, ploy_vec3_make(0.0f, 0.0f, 1.0f)));
    }
    ploy_quat q = ploy_quat_between(ploy_quat_forward(agent.orientation), unit);
    return align_by3(def, ploy_quat_to_rotation(q), agent.rotation);
}

ploy_steering ploy_face(const ploy_align_def *def, ploy_kinematic agent, ploy_vec2 point) {
    return align_along(def, agent, ploy_vec2_sub(point, agent.position));
}

ploy_steering3 ploy_face3(const ploy_align_def *def, ploy_kinematic3 agent, ploy_vec3 point) {
    return align_along3(def, agent, ploy_vec3_sub(point, agent.position));
}

ploy_steering ploy_look(const ploy_align_def *def, ploy_kinematic agent) {
    return align_along(def, agent, ployi_planar(ployi_velocity(&agent)));
}

ploy_steering3 ploy_look3(const ploy_align_def *def, ploy_kinematic3 agent) {
    return align_along3(def, agent, agent.velocity);
}

// ---- batch forms ----

typedef struct align_rule {
    const ploy_align_def *def;
    const float *orientations;
    const ploy_quat *orientations3;
    const ploy_points *points;
    const ploy_points3 *points3;
} align_rule;

static ploy_steering align_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const align_rule *r = rule;
    if (r->orientations != NULL) return ploy_align(r->def, agent, r->orientations[i]);
    if (r->points != NULL) return ploy_face(r->def, agent, ploy_points_get(r->points, i));
    return ploy_look(r->def, agent);
}

static ploy_steering3 align_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const align_rule *r = rule;
    if (r->orientations3 != NULL) return ploy_align3(r->def, agent, r->orientations3[i]);
    if (r->points3 != NULL) return ploy_face3(r->def, agent, ployi_point3(r->points3, i));
    return ploy_look3(r->def, agent);
}

ploy_result ploy_align_batch(const ploy_align_def *def, const ploy_kinematics *agents,
                             int32_t first, int32_t count, const float *orientations,
                             const ploy_steerings *out) {
    if (def == NULL || orientations == NULL || !align_ok(def)) return PLOY_ERR_ARGUMENT;
    align_rule rule = {def, orientations, NULL, NULL, NULL};
    return ployi_each(agents, first, count, align_one, &rule, out);
}

ploy_result ploy_face_batch(const ploy_align_def *def, const ploy_kinematics *agents, int32_t first,
                            int32_t count, const ploy_points *points, const ploy_steerings *out) {
    if (def == NULL || !align_ok(def)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_points_check(points, first, count);
    align_rule rule = {def, NULL, NULL, points, NULL};
    return result != PLOY_OK ? result : ployi_each(agents, first, count, align_one, &rule, out);
}

ploy_result ploy_look_batch(const ploy_align_def *def, const ploy_kinematics *agents, int32_t first,
                            int32_t count, const ploy_steerings *out) {
    if (def == NULL || !align_ok(def)) return PLOY_ERR_ARGUMENT;
    align_rule rule = {def, NULL, NULL, NULL, NULL};
    return ployi_each(agents, first, count, align_one, &rule, out);
}

ploy_result ploy_align3_batch(const ploy_align_def *def, const ploy_kinematics3 *agents,
                              int32_t first, int32_t count, const ploy_quat *orientations,
                              const ploy_steerings3 *out) {
    if (def == NULL || orientations == NULL || !align_ok(def)) return PLOY_ERR_ARGUMENT;
    align_rule rule = {def, NULL, orientations, NULL, NULL};
    return ployi_each3(agents, first, count, align_one3, &rule, out);
}

ploy_result ploy_face3_batch(const ploy_align_def *def, const ploy_kinematics3 *agents,
                             int32_t first, int32_t count, const ploy_points3 *points,
                             const ploy_steerings3 *out) {
    if (def == NULL || !align_ok(def)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_points3_check(points, first, count);
    align_rule rule = {def, NULL, NULL, NULL, points};
    return result != PLOY_OK ? result : ployi_each3(agents, first, count, align_one3, &rule, out);
}

ploy_result ploy_look3_batch(const ploy_align_def *def, const ploy_kinematics3 *agents,
                             int32_t first, int32_t count, const ploy_steerings3 *out) {
    if (def == NULL || !align_ok(def)) return PLOY_ERR_ARGUMENT;
    align_rule rule = {def, NULL, NULL, NULL, NULL};
    return ployi_each3(agents, first, count, align_one3, &rule, out);
}

// ---- why ----

static void align_trace(const char *technique, const ploy_align_def *def, ploy_kinematic agent,
                        float orientation, bool directed, ploy_agent_id id, ploy_trace *trace) {
    if (trace == NULL || !align_ok(def)) return;
    ploy_trace_begin(trace, id, "turn", technique);
    float difference = ploy_angle_difference(agent.orientation, orientation);
    float angle = fabsf(difference);
    bool there = !directed || align_there(def, angle);
    float wanted = copysignf(align_rotation(def, angle), difference);
    float angular = (wanted - agent.rotation) / def->time_to_target;
    bool cut = fabsf(angular) > def->max_angular_acceleration;
    if (!directed) {
        ploy_trace_note(trace, "There is no direction to turn to.");
    } else {
        ploy_trace_f32(trace, "angle left", difference);
        ploy_trace_f32(trace, "desired rotation", there ? 0.0f : wanted);
        ploy_trace_f32(trace, "requested acceleration", there ? 0.0f : angular);
    }
    ploy_trace_option(trace, "request nothing", there ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN, there ? "it is there" : "the angle is not small enough");
    ploy_trace_option(trace, "as desired", there || cut ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON,
                      (double)NAN,
                      cut ? "more than the largest acceleration" : "the rotation can be had");
    ploy_trace_option(trace, "cut to the largest acceleration",
                      !there && cut ? PLOY_OUTCOME_WON : PLOY_OUTCOME_SKIPPED, (double)NAN,
                      cut ? "towards the desired rotation" : "not needed");
    ploy_trace_end(trace);
}

void ploy_align_trace(const ploy_align_def *def, ploy_kinematic agent, float orientation,
                      ploy_agent_id id, ploy_trace *trace) {
    align_trace("align", def, agent, orientation, true, id, trace);
}

void ploy_face_trace(const ploy_align_def *def, ploy_kinematic agent, ploy_vec2 point,
                     ploy_agent_id id, ploy_trace *trace) {
    ploy_vec2 to = ploy_vec2_sub(point, agent.position);
    align_trace("face", def, agent, ploy_angle_of(to), align_direction(ployi_plane(to), 2), id,
                trace);
}

void ploy_look_trace(const ploy_align_def *def, ploy_kinematic agent, ploy_agent_id id,
                     ploy_trace *trace) {
    align_trace("look", def, agent, ploy_angle_of(agent.velocity),
                align_direction(ployi_plane(agent.velocity), 2), id, trace);
}
