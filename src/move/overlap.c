// Overlap; described in the header.
#include "ploy/move/overlap.h"

#include "move/move_internal.h"

#include "move/flock_internal.h"
#include "move/near_internal.h"

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

// The bodies, of plane or space, and an index of them or none.
typedef struct overlap_bodies {
    const ploy_kinematics *planar;
    const ploy_kinematics3 *spatial; // if planar is NULL
    const ploy_index2 *index;
    const ploy_index3 *index3;
    const float *radii;
    int32_t count;
} overlap_bodies;

static overlap_bodies overlap_planar(const ploy_kinematics *agents, const float *radii) {
    overlap_bodies bodies = {agents, NULL, NULL, NULL, radii, agents->count};
    return bodies;
}

static overlap_bodies overlap_spatial(const ploy_kinematics3 *agents, const float *radii) {
    overlap_bodies bodies = {NULL, agents, NULL, NULL, radii, agents->count};
    return bodies;
}

static ploy_vec3 overlap_at(const overlap_bodies *bodies, int32_t i) {
    if (bodies->planar != NULL) return ployi_plane(ploy_kinematics_get(bodies->planar, i).position);
    return ploy_kinematics3_get(bodies->spatial, i).position;
}

static void overlap_put(const overlap_bodies *bodies, int32_t i, ploy_vec3 at) {
    if (bodies->planar != NULL) {
        ploy_kinematic agent = ploy_kinematics_get(bodies->planar, i);
        agent.position = ployi_planar(at);
        ploy_kinematics_set(bodies->planar, i, agent);
    } else {
        ploy_kinematic3 agent = ploy_kinematics3_get(bodies->spatial, i);
        agent.position = at;
        ploy_kinematics3_set(bodies->spatial, i, agent);
    }
}

static ploy_vec3 overlap_between(const overlap_bodies *bodies, ploy_vec3 at, int32_t self,
                                 int32_t i) {
    ploy_vec3 other = overlap_at(bodies, i);
    float radius = bodies->radii[self], other_radius = bodies->radii[i];
    if (bodies->planar != NULL) return overlap_push(at, radius, other, other_radius, self, 2);
    return overlap_push(at, radius, other, other_radius, self, 3);
}

static int32_t overlap_leave(const overlap_bodies *bodies, int32_t self) {
    if (!ploy_range_within(self, 1, bodies->count)) return 0;
    ploy_vec3 at = overlap_at(bodies, self);
    int32_t touched = 0;
    for (int32_t i = 0; i < bodies->count; i++) {
        if (i == self) continue;
        ploy_vec3 push = overlap_between(bodies, at, self, i);
        touched += !ploy_vec3_is_zero(push);
        at = ploy_vec3_add(at, push);
    }
    overlap_put(bodies, self, at);
    return touched;
}

int32_t ploy_overlap_leave(const ploy_kinematics *agents, const float *radii, int32_t self) {
    if (agents == NULL || radii == NULL) return 0;
    overlap_bodies bodies = overlap_planar(agents, radii);
    return overlap_leave(&bodies, self);
}

int32_t ploy_overlap_leave3(const ploy_kinematics3 *agents, const float *radii, int32_t self) {
    if (agents == NULL || radii == NULL) return 0;
    overlap_bodies bodies = overlap_spatial(agents, radii);
    return overlap_leave(&bodies, self);
}

static bool overlap_ok(const ploy_overlap_def *def, const float *radii, const void *pushes) {
    return def != NULL && radii != NULL && pushes != NULL && ployi_within(def->share, 0, 1) &&
           ployi_distance_ok(def->max_push) && ployi_within(def->max_radius, 0, 1e6);
}

// Those whom an index finds around an agent, at most PLOY_OVERLAP_NEAR_MAX; -1 without an index.
static int32_t overlap_near(const overlap_bodies *bodies, ploy_vec3 at, float reach,
                            ploy_found found[PLOY_OVERLAP_NEAR_MAX]) {
    int32_t near = -1;
    if (bodies->index != NULL) {
        ploy_query2 query = ploy_query2_radius(ployi_planar(at), reach);
        near = ploy_index2_find(*bodies->index, &query, found, PLOY_OVERLAP_NEAR_MAX, NULL);
    } else if (bodies->index3 != NULL) {
        ploy_query3 query = ploy_query3_radius(at, reach);
        near = ploy_index3_find(*bodies->index3, &query, found, PLOY_OVERLAP_NEAR_MAX, NULL);
    }
    return ploy_mini(near, PLOY_OVERLAP_NEAR_MAX);
}

static ploy_vec3 overlap_sum(const ploy_overlap_def *def, const overlap_bodies *bodies,
                             int32_t self) {
    ploy_vec3 at = overlap_at(bodies, self), sum = {0.0f, 0.0f, 0.0f};
    ploy_found found[PLOY_OVERLAP_NEAR_MAX];
    float reach = ployi_near_reach(bodies->radii[self] + def->max_radius);
    int32_t near = overlap_near(bodies, at, reach, found);
    int32_t asked = near >= 0 ? near : bodies->count;
    for (int32_t k = 0; k < asked; k++) {
        int32_t i = near >= 0 ? found[k].id : k;
        if (i == self || !ploy_range_within(i, 1, bodies->count)) continue;
        sum = ployi_plus_scaled(sum, overlap_between(bodies, at, self, i), def->share);
    }
    return sum;
}

ploy_result ploy_overlap_find(const ploy_overlap_def *def, const ploy_kinematics *agents,
                              const float *radii, int32_t first, int32_t count,
                              const ploy_index2 *index, ploy_vec2 *pushes) {
    if (!overlap_ok(def, radii, pushes)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result != PLOY_OK) return result;
    overlap_bodies bodies = overlap_planar(agents, radii);
    bodies.index = index;
    for (int32_t i = first; i < first + count; i++) {
        ploy_vec3 sum = overlap_sum(def, &bodies, i);
        pushes[i] = ploy_vec2_limit(ployi_planar(sum), def->max_push);
    }
    return PLOY_OK;
}

ploy_result ploy_overlap_find3(const ploy_overlap_def *def, const ploy_kinematics3 *agents,
                               const float *radii, int32_t first, int32_t count,
                               const ploy_index3 *index, ploy_vec3 *pushes) {
    if (!overlap_ok(def, radii, pushes)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics3_check(agents, first, count);
    if (result != PLOY_OK) return result;
    overlap_bodies bodies = overlap_spatial(agents, radii);
    bodies.index3 = index;
    for (int32_t i = first; i < first + count; i++) {
        pushes[i] = ploy_vec3_limit(overlap_sum(def, &bodies, i), def->max_push);
    }
    return PLOY_OK;
}

ploy_result ploy_overlap_apply(const ploy_kinematics *agents, int32_t first, int32_t count,
                               const ploy_vec2 *pushes) {
    if (pushes == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result != PLOY_OK) return result;
    overlap_bodies bodies = overlap_planar(agents, NULL);
    for (int32_t i = first; i < first + count; i++) {
        overlap_put(&bodies, i, ploy_vec3_add(overlap_at(&bodies, i), ployi_plane(pushes[i])));
    }
    return PLOY_OK;
}

ploy_result ploy_overlap_apply3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                const ploy_vec3 *pushes) {
    if (pushes == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics3_check(agents, first, count);
    if (result != PLOY_OK) return result;
    overlap_bodies bodies = overlap_spatial(agents, NULL);
    for (int32_t i = first; i < first + count; i++) {
        overlap_put(&bodies, i, ploy_vec3_add(overlap_at(&bodies, i), pushes[i]));
    }
    return PLOY_OK;
}
