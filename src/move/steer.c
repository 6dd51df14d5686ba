// What the behaviors share; described in steer_internal.h.
#include "move/steer_internal.h"

#include "ploy/geom/angle.h"

ployi_mover ployi_mover_of(ploy_kinematic agent, bool heading) {
    ploy_vec2 forward = {0.0f, 0.0f};
    if (heading) forward = ploy_angle_heading(agent.orientation);
    ployi_mover mover = {ployi_plane(agent.position), ployi_plane(agent.velocity),
                         ployi_plane(forward)};
    return mover;
}

ployi_mover ployi_mover3_of(ploy_kinematic3 agent) {
    ployi_mover mover = {agent.position, agent.velocity, ploy_quat_forward(agent.orientation)};
    return mover;
}

ployi_pull ployi_approach_point(const ployi_approach_law *law, const ployi_mover *agent,
                                ploy_vec3 point, int n) {
    ployi_pull pull = ployi_pull_none();
    ploy_vec3 offset = ployi_minus(point, agent->position);
    pull.linear = ployi_approach(*law, offset, agent->velocity, n, &pull.requested);
    return pull;
}

void ployi_approach_point_trace(const ployi_approach_law *law, const ployi_mover *agent,
                                ploy_vec3 point, int n, ploy_trace *trace) {
    ployi_trace_vec(trace, "point", point, n);
    ployi_approach_trace(law, ployi_minus(point, agent->position), agent->velocity, n, trace);
}

ployi_pull ployi_pull_clipped(ploy_vec3 sum, bool asked, float max_acceleration, int n) {
    ployi_pull pull = ployi_pull_none();
    if (!asked) return pull;
    pull.linear = ployi_clip(sum, max_acceleration, n);
    pull.requested = 1;
    return pull;
}

ployi_pull ployi_match_velocity(ploy_vec3 wanted, ploy_vec3 velocity, float time_to_target,
                                float max_acceleration, int n) {
    ploy_vec3 error = ployi_times(ployi_minus(wanted, velocity), 1.0f / time_to_target);
    return ployi_pull_clipped(error, true, max_acceleration, n);
}

ploy_result ployi_each(const ploy_kinematics *agents, int32_t first, int32_t count, ployi_one_fn fn,
                       const void *rule, const ploy_steerings *out) {
    ploy_result result = ploy_kinematics_check(agents, first, count);
    if (result == PLOY_OK) result = ploy_steerings_check(out, first, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = first; i < first + count; i++) {
        ploy_steerings_set(out, i, fn(rule, i, ploy_kinematics_get(agents, i)));
    }
    return PLOY_OK;
}

ploy_result ployi_each3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                        ployi_one3_fn fn, const void *rule, const ploy_steerings3 *out) {
    ploy_result result = ploy_kinematics3_check(agents, first, count);
    if (result == PLOY_OK) result = ploy_steerings3_check(out, first, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = first; i < first + count; i++) {
        ploy_steerings3_set(out, i, fn(rule, i, ploy_kinematics3_get(agents, i)));
    }
    return PLOY_OK;
}

ploy_result ployi_others_check(const ploy_kinematics *others, int32_t first, int32_t count) {
    if (others == NULL) return PLOY_ERR_ARGUMENT;
    if (others->count == 1) return ploy_kinematics_check(others, 0, 1);
    return ploy_kinematics_check(others, first, count);
}

ploy_result ployi_others3_check(const ploy_kinematics3 *others, int32_t first, int32_t count) {
    if (others == NULL) return PLOY_ERR_ARGUMENT;
    if (others->count == 1) return ploy_kinematics3_check(others, 0, 1);
    return ploy_kinematics3_check(others, first, count);
}
