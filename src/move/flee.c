// Flee: seek's law with the sign turned round. The technique is described in the header, the law is
// in move_internal.h.
#include "ploy/move/flee.h"

#include "move/move_internal.h"

#include "move/steer_internal.h"

static const ploy_field flee_fields[] = {
    PLOY_FIELD_ENUM(ploy_flee_def, mode, PLOY_PULL_VELOCITY, ployi_pull_modes,
                    "correct the velocity, or accelerate with full strength"),
    PLOY_FIELD_F32(ploy_flee_def, max_speed, 5, 0, PLOY_SPEED_MAX_MPS, "m/s", "desired speed"),
    PLOY_FIELD_F32(ploy_flee_def, max_acceleration, 10, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "largest acceleration asked for"),
    PLOY_FIELD_F32(ploy_flee_def, time_to_target, 0.1, PLOYI_TIME_MIN, PLOYI_TIME_MAX, "s",
                   "time in which the desired velocity is to be reached"),
    PLOY_FIELD_F32(ploy_flee_def, panic_distance, 0, 0, PLOY_POSITION_MAX_M, "m",
                   "threats farther away are ignored; 0 means none are"),
};

ploy_fields ploy_flee_fields(void) {
    return PLOY_FIELDS(ploy_flee_def, flee_fields);
}

ploy_flee_def ploy_flee_def_default(void) {
    ploy_flee_def def;
    ploy_fields_default(ploy_flee_fields(), &def);
    return def;
}

static bool flee_velocity_law(const ploy_flee_def *def, ployi_approach_law *law) {
    return ployi_approach_pull_velocity(def->max_speed, -1.0f, def->panic_distance, law);
}

ploy_steering ploy_flee(const ploy_flee_def *def, ploy_kinematic agent, ploy_vec2 threat) {
    ployi_approach_law law;
    if (!ployi_flee_law(def, &law)) return ploy_steering_invalid();
    return ployi_approach_one(&law, &agent, threat);
}

ploy_steering3 ploy_flee3(const ploy_flee_def *def, ploy_kinematic3 agent, ploy_vec3 threat) {
    ployi_approach_law law;
    if (!ployi_flee_law(def, &law)) return ploy_steering3_invalid();
    return ployi_approach3_one(&law, &agent, threat);
}

ploy_result ploy_flee_batch(const ploy_flee_def *def, const ploy_kinematics *agents, int32_t first,
                            int32_t count, const ploy_points *threats, const ploy_steerings *out) {
    ployi_approach_law law;
    if (def == NULL || !ployi_flee_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach_batch(&law, agents, first, count, threats, out);
}

ploy_result ploy_flee3_batch(const ploy_flee_def *def, const ploy_kinematics3 *agents,
                             int32_t first, int32_t count, const ploy_points3 *threats,
                             const ploy_steerings3 *out) {
    ployi_approach_law law;
    if (def == NULL || !ployi_flee_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach3_batch(&law, agents, first, count, threats, out);
}

ploy_kinematic_output ploy_flee_velocity(const ploy_flee_def *def, ploy_vec2 position,
                                         ploy_vec2 threat) {
    ployi_approach_law law;
    ploy_kinematic_output none = {{0.0f, 0.0f}, 0.0f, PLOY_STEERING_INVALID};
    if (!flee_velocity_law(def, &law)) return none;
    return ployi_approach_velocity_one(&law, position, threat);
}

ploy_kinematic3_output ployi_flee3_velocity(const ploy_flee_def *def, ploy_vec3 position,
                                            ploy_vec3 threat) {
    ployi_approach_law law;
    ploy_kinematic3_output none = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, PLOY_STEERING_INVALID};
    if (!flee_velocity_law(def, &law)) return none;
    return ployi_approach3_velocity_one(&law, position, threat);
}

ploy_result ployi_flee_velocity_batch(const ploy_flee_def *def, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, const ploy_points *threats) {
    ployi_approach_law law;
    if (def == NULL || !flee_velocity_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach_velocity_batch(&law, agents, first, count, threats);
}

ploy_result ployi_flee3_velocity_batch(const ploy_flee_def *def, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, const ploy_points3 *threats) {
    ployi_approach_law law;
    if (def == NULL || !flee_velocity_law(def, &law)) return PLOY_ERR_ARGUMENT;
    return ployi_approach3_velocity_batch(&law, agents, first, count, threats);
}

void ploy_flee_trace(const ploy_flee_def *def, ploy_kinematic agent, ploy_vec2 threat,
                     ploy_agent_id id, ploy_trace *trace) {
    ployi_approach_law law;
    if (trace == NULL || !ployi_flee_law(def, &law)) return;
    ploy_vec3 offset = {threat.x - agent.position.x, threat.y - agent.position.y, 0.0f};
    ploy_trace_begin(trace, id, "steer", "flee");
    ployi_approach_trace(&law, offset, ployi_plane(agent.velocity), 2, trace);
    ploy_trace_end(trace);
}

void ploy_flee3_trace(const ploy_flee_def *def, ploy_kinematic3 agent, ploy_vec3 threat,
                      ploy_agent_id id, ploy_trace *trace) {
    ployi_approach_law law;
    if (trace == NULL || !ployi_flee_law(def, &law)) return;
    ploy_trace_begin(trace, id, "steer", "flee");
    ployi_approach_trace(&law, ployi_minus(threat, agent.position), agent.velocity, 3, trace);
    ploy_trace_end(trace);
}
