// Overlap; described in the header.
#include "ploy/move/overlap.h"

#include "move/flock_internal.h"

static const ploy_field overlap_fields[] = {
    PLOY_FIELD_F32(ploy_overlap_def, share, 0.5, 0, 1, "", "part of a depth that an agent takes"),
    PLOY_FIELD_F32(ploy_overlap_def, max_push, 1, 0, PLOY_POSITION_MAX_M, "m", "in one step"),
    PLOY_FIELD_F32(ploy_overlap_def, max_radius, 1, 0, 1e6, "m", "of the largest body"),
};

ploy_fields ploy_overlap_fields(void) {
    return PLOY_FIELDS(ploy_overlap_def, overlap_fields);
}

ploy_overlap_def ploy_overlap_def_default(void) {
    ploy_overlap_def def;
    ploy_fields_default(ploy_overlap_fields(), &def);
    return def;
}

PLOYI_INLINE ploy_vec3 overlap_push(ploy_vec3 position, float radius, ploy_vec3 other,
                                    float other_radius, int32_t self, int n) {
    ploy_vec3 none = {0.0f, 0.0f, 0.0f}, away = ployi_minus(position, other);
    float reach = radius + other_radius, square = ployi_square(away, n);
    if (!(radius >= 0.0f && other_radius >= 0.0f && square <= reach * reach)) return none;
    if (!(square > PLOYI_TINY_SQUARED)) {
        return ployi_times(ployi_plane(ployi_flock_scatter(self)), reach);
    }
    float distance = sqrtf(square);
    return ployi_times(away, (reach - distance) / distance);
}

ploy_vec2 ploy_overlap_push(ploy_vec2 position, float radius, ploy_vec2 other, float other_radius,
                            int32_t self) {
    return ployi_planar(
        overlap_push(ployi_plane(position), radius, ployi_plane(other), other_radius, self, 2));
}

ploy_vec3 ploy_overlap_push3(ploy_vec3 position, float radius, ploy_vec3 other, float other_radius,
                             int32_t self) {
    return overlap_push(position, radius, other, other_radius, self, 3);
}

int32_t ploy_overlap_leave(const ploy_kinematics *agents, const float *radii, int32_t self) {
    if (agents == NULL || radii == NULL || !ploy_range_within(self, 1, agents->count)) return 0;
    ploy_kinematic agent = ploy_kinematics_get(agents, self);
    int32_t touched = 0;
    for (int32_t i = 0; i < agents->count; i++) {
        if (i == self) continue;
        ploy_vec2 push = ploy_overlap_push(agent.position, radii[self],
                                           ploy_kinematics_get(agents, i).position, radii[i], self);
        touched += !ploy_vec2_is_zero(push);
        agent.position = ploy_vec2_add(agent.position, push);
    }
    ploy_kinematics_set(agents, self, agent);
    return touched;
}

// Who is asked about one agent: those the index found, or everybody.
static ploy_vec2 overlap_sum(const ploy_overlap_def *def, const ploy_kinematics *agents,
                             const float *radii, int32_t self, const ploy_index2 *index) {
    ploy_vec2 at = ploy_kinematics_get(agents, self).position, sum = {0.0f, 0.0f};
    ploy_found found[PLOY_OVERLAP_NEAR_MAX];
    int32_t near = agents->count;
    if (index != NULL) {
        // A hair more than the largest sum of radii, because depths are rounded.
        ploy_query2 query = ploy_query2_radius(at, (radii[self] + def->max_radius) * 1.000001f);
        near = ploy_index2_find(*index, &query, found, PLOY_OVERLAP_NEAR_MAX, NULL);
        near = ploy_mini(near, PLOY_OVERLAP_NEAR_MAX);
    }
    for (int32_t k = 0; k < near; k++) {
        int32_t i = index != NULL ? found[k].id : k;
        if (i == self || !ploy_range_within(i, 1, agents->count)) continue;
        ploy_vec2 other = ploy_kinematics_get(agents, i).position;
        ploy_vec2 push = ploy_overlap_push(at, radii[self], other, radii[i], self);
        sum = ploy_vec2_add_scaled(sum, push, def->share);
    }
    return ploy_vec2_limit(sum, def->max_push);
}

ploy_result ploy_overlap_find(const ploy_overlap_def *def, const ploy_kinematics *agents,
                              const float *radii, int32_t first, int32_t count,
                              const ploy_index2 *index, ploy_vec2 *pushes) {
    if (def == NULL || radii == NULL || pushes == NULL || !ployi_within(def->share, 0, 1) ||
        !ployi_distance_ok(def->max_push) || !ployi_within(def->max_radius, 0, 1e6)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_kinematics_check(agents, first, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = first; i < first + count; i++) {
        pushes[i] = overlap_sum(def, agents, radii, i, index);
    }
    return PLOY_OK;
}

ploy_result ploy_overlap_apply(const ploy_kinematics *agents, int32_t first, int32_t count,
                               const ploy_vec2 *pushes) {
    if (pushes == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_kinematics_check(agents, first, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = first; i < first + count; i++) {
        ploy_kinematic agent = ploy_kinematics_get(agents, i);
        agent.position = ploy_vec2_add(agent.position, pushes[i]);
        ploy_kinematics_set(agents, i, agent);
    }
    return PLOY_OK;
}
