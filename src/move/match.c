// Velocity and rotation match; described in the header.
#include "ploy/move/match.h"

#include "move/move_internal.h"

#include "move/steer_internal.h"

static const ploy_field match_fields[] = {
    PLOY_FIELD_F32(ploy_match_def, max_acceleration, 10, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "largest acceleration asked for"),
    PLOY_FIELD_F32(ploy_match_def, max_angular_acceleration, 20, 0, PLOYI_ACCELERATION_MAX,
                   "rad/s^2", "largest angular acceleration asked for"),
    PLOY_FIELD_F32(ploy_match_def, time_to_target, 0.1, PLOYI_TIME_MIN, PLOYI_TIME_MAX, "s",
                   "time in which the other's motion is to be reached"),
};

ploy_fields ploy_match_fields(void) {
    return PLOY_FIELDS(ploy_match_def, match_fields);
}

ploy_match_def ploy_match_def_default(void) {
    ploy_match_def def;
    ploy_fields_default(ploy_match_fields(), &def);
    return def;
}

static bool match_ok(const ploy_match_def *def) {
    return ployi_acceleration_ok(def->max_acceleration) &&
           ployi_acceleration_ok(def->max_angular_acceleration) &&
           ployi_time_ok(def->time_to_target);
}

static ployi_pull match_velocity(const ploy_match_def *def, ploy_vec3 wanted, ploy_vec3 velocity,
                                 int n) {
    if (!match_ok(def)) return ployi_pull_invalid();
    return ployi_match_velocity(wanted, velocity, def->time_to_target, def->max_acceleration, n);
}

ploy_steering ploy_match_velocity(const ploy_match_def *def, ploy_kinematic agent,
                                  ploy_vec2 velocity) {
    return ployi_pull_planar(match_velocity(def, ployi_plane(velocity), ployi_velocity(&agent), 2));
}

ploy_steering3 ploy_match_velocity3(const ploy_match_def *def, ploy_kinematic3 agent,
                                    ploy_vec3 velocity) {
    return ployi_pull_spatial(match_velocity(def, velocity, agent.velocity, 3));
}

ploy_steering ploy_match_rotation(const ploy_match_def *def, ploy_kinematic agent, float rotation) {
    if (!match_ok(def)) return ploy_steering_invalid();
    float max = def->max_angular_acceleration;
    float angular = (rotation - agent.rotation) / def->time_to_target;
    return ploy_steering_make(ploy_vec2_zero(), ploy_clampf(angular, -max, max));
}

ploy_steering3 ploy_match_rotation3(const ploy_match_def *def, ploy_kinematic3 agent,
                                    ploy_vec3 rotation) {
    if (!match_ok(def)) return ploy_steering3_invalid();
    ploy_vec3 angular =
        ployi_times(ployi_minus(rotation, agent.rotation), 1.0f / def->time_to_target);
    return ploy_steering3_make(ploy_vec3_zero(),
                               ployi_clip(angular, def->max_angular_acceleration, 3));
}

// Of the targets one is there.
typedef struct match_rule {
    const ploy_match_def *def;
    const ploy_points *velocities;
    const ploy_points3 *velocities3;
    const float *rotations;
    const ploy_points3 *rotations3;
} match_rule;

static ploy_steering match_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const match_rule *r = rule;
    if (r->rotations != NULL) return ploy_match_rotation(r->def, agent, r->rotations[i]);
    return ploy_match_velocity(r->def, agent, ploy_points_get(r->velocities, i));
}

static ploy_steering3 match_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const match_rule *r = rule;
    if (r->rotations3 != NULL) {
        return ploy_match_rotation3(r->def, agent, ployi_point3(r->rotations3, i));
    }
    return ploy_match_velocity3(r->def, agent, ployi_point3(r->velocities3, i));
}

ploy_result ploy_match_velocity_batch(const ploy_match_def *def, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, const ploy_points *velocities,
                                      const ploy_steerings *out) {
    if (def == NULL || !match_ok(def)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_points_check(velocities, first, count);
    match_rule rule = {def, velocities, NULL, NULL, NULL};
    return result != PLOY_OK ? result : ployi_each(agents, first, count, match_one, &rule, out);
}

ploy_result ploy_match_velocity3_batch(const ploy_match_def *def, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, const ploy_points3 *velocities,
                                       const ploy_steerings3 *out) {
    if (def == NULL || !match_ok(def)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_points3_check(velocities, first, count);
    match_rule rule = {def, NULL, velocities, NULL, NULL};
    return result != PLOY_OK ? result : ployi_each3(agents, first, count, match_one3, &rule, out);
}

ploy_result ploy_match_rotation_batch(const ploy_match_def *def, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, const float *rotations,
                                      const ploy_steerings *out) {
    if (def == NULL || rotations == NULL || !match_ok(def)) return PLOY_ERR_ARGUMENT;
    match_rule rule = {def, NULL, NULL, rotations, NULL};
    return ployi_each(agents, first, count, match_one, &rule, out);
}

ploy_result ploy_match_rotation3_batch(const ploy_match_def *def, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, const ploy_points3 *rotations,
                                       const ploy_steerings3 *out) {
    if (def == NULL || !match_ok(def)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_points3_check(rotations, first, count);
    match_rule rule = {def, NULL, NULL, NULL, rotations};
    return result != PLOY_OK ? result : ployi_each3(agents, first, count, match_one3, &rule, out);
}

void ploy_match_velocity_trace(const ploy_match_def *def, ploy_kinematic agent, ploy_vec2 velocity,
                               ploy_agent_id id, ploy_trace *trace) {
    if (trace == NULL || !match_ok(def)) return;
    ploy_vec2 error = ploy_vec2_sub(velocity, agent.velocity);
    float strength = ploy_vec2_length(error) / def->time_to_target;
    bool cut = strength > def->max_acceleration;
    ploy_trace_begin(trace, id, "steer", "match velocity");
    ploy_trace_vec2(trace, "velocity error", error.x, error.y);
    ploy_trace_f32(trace, "requested acceleration", strength);
    ploy_trace_option(trace, "as desired", cut ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON,
                      (double)NAN, cut ? "more than the largest acceleration" : "it can be had");
    ploy_trace_option(trace, "cut to the largest acceleration",
                      cut ? PLOY_OUTCOME_WON : PLOY_OUTCOME_SKIPPED, (double)NAN,
                      cut ? "in the direction of the error" : "not needed");
    ploy_trace_end(trace);
}
