// What the behaviors share; described in steer_internal.h.
#include "move/steer_internal.h"

#include "move/move_internal.h"

#include "ploy/geom/angle.h"

void ployi_approach_point_trace(const ployi_approach_law *law, const ployi_mover *agent,
                                ploy_vec3 point, int n, ploy_trace *trace) {
    ployi_trace_vec(trace, "point", point, n);
    ployi_approach_trace(law, ployi_minus(point, agent->position), agent->velocity, n, trace);
}

ploy_result ployi_each(const ploy_kinematics *agents, int32_t first, int32_t count, ployi_one_fn fn,
                       const void *rule, const ploy_steerings *out) {
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_steerings_check(out, first, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = first; i < first + count; i++) {
        ploy_steerings_set(out, i, fn(rule, i, ploy_kinematics_get(agents, i)));
    }
    return PLOY_OK;
}

ploy_result ployi_each3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                        ployi_one3_fn fn, const void *rule, const ploy_steerings3 *out) {
    ploy_result result = ployi_kinematics3_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_steerings3_check(out, first, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = first; i < first + count; i++) {
        ploy_steerings3_set(out, i, fn(rule, i, ploy_kinematics3_get(agents, i)));
    }
    return PLOY_OK;
}

ploy_result ployi_others_check(const ploy_kinematics *others, int32_t first, int32_t count) {
    if (others == NULL) return PLOY_ERR_ARGUMENT;
    if (others->count == 1) return ployi_kinematics_check(others, 0, 1);
    return ployi_kinematics_check(others, first, count);
}

ploy_result ployi_others3_check(const ploy_kinematics3 *others, int32_t first, int32_t count) {
    if (others == NULL) return PLOY_ERR_ARGUMENT;
    if (others->count == 1) return ployi_kinematics3_check(others, 0, 1);
    return ployi_kinematics3_check(others, first, count);
}
