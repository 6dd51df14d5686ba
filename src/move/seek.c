// Seek; the technique is described in the header, the law is in move_internal.h.
#include "ploy/move/seek.h"

#include "move/move_internal.h"

#include "move/steer_internal.h"

// Declared once; the default, the checks, the sliders and the manual all read it.
static const ploy_field seek_fields[] = {
    PLOY_FIELD_ENUM(ploy_seek_def, mode, PLOY_PULL_VELOCITY, ployi_pull_modes,
                    "correct the velocity, or accelerate with full strength"),
    PLOY_FIELD_F32(ploy_seek_def, max_speed, 5, 0, PLOY_SPEED_MAX_MPS, "m/s", "desired speed"),
    PLOY_FIELD_F32(ploy_seek_def, max_acceleration, 10, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "largest acceleration asked for"),
    PLOY_FIELD_F32(ploy_seek_def, time_to_target, 0.1, PLOYI_TIME_MIN, PLOYI_TIME_MAX, "s",
                   "time in which the desired velocity is to be reached"),
};

ploy_fields ploy_seek_fields(void) {
    return PLOY_FIELDS(ploy_seek_def, seek_fields);
}

ploy_seek_def ploy_seek_def_default(void) {
    ploy_seek_def def;
    ploy_fields_default(ploy_seek_fields(), &def);
    return def;
}

static bool seek_velocity_law(const ploy_seek_def *def, ployi_approach_law *law) {
    return ployi_approach_pull_velocity(def->max_speed, 1.0f, 0.0f, law);
}

ploy_steering ploy_seek(const ploy_seek_def *def, ploy_kinematic agent, ploy_vec2 target) {
    ployi_approach_law law;
    if (!ployi_seek_law(def, &law)) return ploy_steering_invalid();
    return ployi_approach_one(&law, &agent, target);
}

ploy_steering3 ploy_seek3(const ploy_seek_def *def, ploy_kinematic3 agent, ploy_vec3 target) {
    ployi_approach_law law;
    if (!ployi_seek_law(def, &law)) return ploy_steering3_invalid();
    return ployi_approach3_one(&law, &agent, target);
}

ploy_result ploy_seek_batch(const ploy_seek_def *def, const ploy_kinematics *agents, int32_t first,
                            int32_t count, const ploy_points *targets, const ploy_steerings *out) {
    ployi_approach_law law;
    if (def == NULL || !ployi_seek_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach_batch(&law, agents, first, count, targets, out);
}

ploy_result ploy_seek3_batch(const ploy_seek_def *def, const ploy_kinematics3 *agents,
                             int32_t first, int32_t count, const ploy_points3 *targets,
                             const ploy_steerings3 *out) {
    ployi_approach_law law;
    if (def == NULL || !ployi_seek_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach3_batch(&law, agents, first, count, targets, out);
}

ploy_kinematic_output ploy_seek_velocity(const ploy_seek_def *def, ploy_vec2 position,
                                         ploy_vec2 target) {
    ployi_approach_law law;
    ploy_kinematic_output none = {{0.0f, 0.0f}, 0.0f, PLOY_STEERING_INVALID};
    if (!seek_velocity_law(def, &law)) return none;
    return ployi_approach_velocity_one(&law, position, target);
}

ploy_kinematic3_output ploy_seek3_velocity(const ploy_seek_def *def, ploy_vec3 position,
                                           ploy_vec3 target) {
    ployi_approach_law law;
    ploy_kinematic3_output none = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, PLOY_STEERING_INVALID};
    if (!seek_velocity_law(def, &law)) return none;
    return ployi_approach3_velocity_one(&law, position, target);
}

ploy_result ployi_seek_velocity_batch(const ploy_seek_def *def, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, const ploy_points *targets) {
    ployi_approach_law law;
    if (def == NULL || !seek_velocity_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach_velocity_batch(&law, agents, first, count, targets);
}

ploy_result ployi_seek3_velocity_batch(const ploy_seek_def *def, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, const ploy_points3 *targets) {
    ployi_approach_law law;
    if (def == NULL || !seek_velocity_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach3_velocity_batch(&law, agents, first, count, targets);
}

void ploy_seek_trace(const ploy_seek_def *def, ploy_kinematic agent, ploy_vec2 target,
                     ploy_agent_id id, ploy_trace *trace) {
    ployi_approach_law law;
    if (trace == NULL || !ployi_seek_law(def, &law)) return;
    ploy_vec3 offset = {target.x - agent.position.x, target.y - agent.position.y, 0.0f};
    ploy_trace_begin(trace, id, "steer", "seek");
    ployi_approach_trace(&law, offset, ployi_plane(agent.velocity), 2, trace);
    ploy_trace_end(trace);
}

void ploy_seek3_trace(const ploy_seek_def *def, ploy_kinematic3 agent, ploy_vec3 target,
                      ploy_agent_id id, ploy_trace *trace) {
    ployi_approach_law law;
    if (trace == NULL || !ployi_seek_law(def, &law)) return;
    ploy_trace_begin(trace, id, "steer", "seek");
    ployi_approach_trace(&law, ployi_minus(target, agent.position), agent.velocity, 3, trace);
    ploy_trace_end(trace);
}
