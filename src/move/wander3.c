// Wander in space: the circle becomes a sphere, the drift a unit vector in the agent's own axes.
//
// Invariants of a group, from create to destroy:
//   (1) drift holds `capacity` vectors, each finite and of length 1 but for rounding;
//   (2) a failed call leaves the object and out exactly as they were.
#include "move/move_internal.h"
#include "ploy/geom/quat.h"
#include "ploy/move/wander.h"

struct ploy_wander3 {
    ploy_env env;
    ploy_wander_def def;
    size_t size;
    int32_t capacity;
    ploy_vec3 drift[];
};

// ---- one agent ----

static ploy_vec3 wander3_drift_next(const ployi_wander_law *law, ploy_vec3 drift, ploy_rng_key key,
                                    uint32_t id, uint64_t tick) {
    bool jitter = law->def.form == PLOY_WANDER_JITTER;
    // On the unit sphere a jitter in metres is a part of the radius.
    float rate = jitter ? law->def.jitter / law->def.circle_radius : law->def.drift_rate;
    float shift = rate * law->scale;
    ploy_vec3 moved = {drift.x + ploy_rng_binomial_at(key, id, tick, 0) * shift,
                       drift.y + ploy_rng_binomial_at(key, id, tick, 1) * shift,
                       drift.z + ploy_rng_binomial_at(key, id, tick, 2) * shift};
    ploy_vec3 unit = ploy_vec3_normalise(moved);
    // Only a step right into the centre has no direction to be pulled back to.
    return ploy_vec3_is_zero(unit) ? drift : unit;
}

static ploy_vec3 wander3_local(const ploy_wander_def *def, ploy_vec3 drift) {
    ploy_vec3 point = {def->circle_offset + drift.x * def->circle_radius,
                       drift.y * def->circle_radius, drift.z * def->circle_height};
    return point;
}

// The acceleration that turns towards a direction, along the shorter arc and as upright as it allows.
static ploy_vec3 wander3_face(const ploy_wander_def *def, ploy_kinematic3 agent,
                              ploy_vec3 direction) {
    ploy_quat goal = ploy_quat_from_forward(direction, ploy_quat_identity());
    ploy_quat turn = ploy_quat_multiply(goal, ploy_quat_conjugate(agent.orientation));
    ploy_vec3 difference = ploy_quat_to_rotation(turn);
    float angle = ploy_vec3_length(difference);
    float part = ploy_minf(angle / def->slow_angle, 1.0f);
    ploy_vec3 wanted = ploy_vec3_with_length(difference, def->max_rotation * part);
    ploy_vec3 error = ploy_vec3_sub(wanted, agent.rotation);
    return ployi_clip(ploy_vec3_scale(error, 1.0f / def->time_to_turn),
                      def->max_angular_acceleration, 3);
}

static ploy_steering3 wander3_steer(const ployi_wander_law *law, ploy_kinematic3 agent,
                                    ploy_vec3 drift) {
    ploy_vec3 offset = ploy_quat_rotate(agent.orientation, wander3_local(&law->def, drift));
    ploy_steering3 out = ploy_steering3_none();
    switch (law->def.form) {
    case PLOY_WANDER_SEEK:
        out.linear = ployi_approach(law->seek, offset, agent.velocity, 3, &out.requested);
        break;
    case PLOY_WANDER_FACE:
        out.linear =
            ploy_vec3_scale(ploy_quat_forward(agent.orientation), law->def.max_acceleration);
        out.angular = wander3_face(&law->def, agent, offset);
        out.requested = 1;
        break;
    case PLOY_WANDER_JITTER:
        out.linear = ployi_clip(offset, law->def.max_acceleration, 3);
        out.requested = 1;
        break;
    }
    return out;
}

ploy_steering3 ploy_wander3_steer(const ploy_wander_def *def, ploy_kinematic3 agent,
                                  ploy_vec3 *drift, float dt, ploy_rng_key key, uint32_t id,
                                  uint64_t tick) {
    ployi_wander_law law;
    if (!ployi_wander_law_make(def, dt, &law)) return ploy_steering3_invalid();
    *drift = wander3_drift_next(&law, *drift, key, id, tick);
    return wander3_steer(&law, agent, *drift);
}

ploy_vec3 ployi_wander3_point(const ploy_wander_def *def, ploy_kinematic3 agent, ploy_vec3 drift) {
    return ploy_vec3_add(agent.position,
                         ploy_quat_rotate(agent.orientation, wander3_local(def, drift)));
}

ploy_kinematic3_output ploy_wander3_velocity(const ploy_wander_def *def, ploy_kinematic3 agent,
                                             ploy_rng_key key, uint32_t id, uint64_t tick) {
    ploy_kinematic3_output out = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0};
    if (!ployi_speed_ok(def->max_speed) || !ployi_rotation_ok(def->max_rotation)) {
        out.requested = PLOY_STEERING_INVALID;
        return out;
    }
    out.velocity = ploy_vec3_scale(ploy_quat_forward(agent.orientation), def->max_speed);
    // About its own left and up: it pitches and yaws, and never rolls.
    ploy_vec3 local = {0.0f, ploy_rng_binomial_at(key, id, tick, 0) * def->max_rotation,
                       ploy_rng_binomial_at(key, id, tick, 1) * def->max_rotation};
    local = ployi_clip(local, def->max_rotation, 3);
    out.rotation = ploy_quat_rotate(agent.orientation, local);
    out.requested = 1;
    return out;
}

// ---- groups ----

ploy_result ploy_wander3_create(const ploy_wander_def *def, int32_t capacity, const ploy_env *env,
                                ploy_wander3 **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_wander_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (capacity < 1 || capacity > PLOYI_WANDER_CAPACITY_MAX ||
        !ploy_size_add_array(sizeof(ploy_wander3), capacity, sizeof(ploy_vec3), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_wander3 *wander = ploy_env_alloc(env, size);
    if (wander == NULL) return PLOY_ERR_MEMORY;
    wander->env = *env;
    wander->def = *def;
    wander->size = size;
    wander->capacity = capacity;
    for (int32_t i = 0; i < capacity; i++) wander->drift[i] = ploy_vec3_make(1.0f, 0.0f, 0.0f);
    *out = wander;
    return PLOY_OK;
}

void ploy_wander3_destroy(ploy_wander3 *wander) {
    if (wander == NULL) return;
    ploy_env env = wander->env;
    ploy_env_free(&env, wander, wander->size);
}

ploy_result ploy_wander3_set_def(ploy_wander3 *wander, const ploy_wander_def *def) {
    ploy_result result = ploy_fields_check(ploy_wander_fields(), def, &wander->env);
    if (result == PLOY_OK) wander->def = *def;
    return result;
}

ploy_result ploy_wander3_step(ploy_wander3 *wander, const ploy_kinematics3 *agents, int32_t first,
                              int32_t count, float dt, ploy_rng_key key, uint64_t tick,
                              const ploy_steerings3 *out) {
    ployi_wander_law law;
    if (!ploy_range_within(first, count, wander->capacity)) return PLOY_ERR_ARGUMENT;
    if (!ployi_wander_law_make(&wander->def, dt, &law)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics3_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_steerings3_check(out, first, count);
    if (result != PLOY_OK) return result; // keeps (2)
    for (int32_t i = first; i < first + count; i++) {
        ploy_vec3 drift = wander3_drift_next(&law, wander->drift[i], key, (uint32_t)i, tick);
        wander->drift[i] = drift; // keeps (1)
        ploy_steerings3_set(out, i, wander3_steer(&law, ploy_kinematics3_get(agents, i), drift));
    }
    return PLOY_OK;
}

void ployi_wander3_scatter(ploy_wander3 *wander, ploy_rng_key key) {
    for (int32_t i = 0; i < wander->capacity; i++) {
        // Normal along each axis is even over the sphere. All three zero never happens twice over,
        // and then straight ahead is as random as any direction.
        ploy_vec3 drift = {ploy_rng_normal_at(key, (uint32_t)i, 0, 0),
                           ploy_rng_normal_at(key, (uint32_t)i, 0, 1),
                           ploy_rng_normal_at(key, (uint32_t)i, 0, 2)};
        drift = ploy_vec3_normalise(drift);
        wander->drift[i] = ploy_vec3_is_zero(drift) ? ploy_vec3_make(1.0f, 0.0f, 0.0f) : drift;
    }
}

int32_t ployi_wander3_capacity(const ploy_wander3 *wander) {
    return wander->capacity;
}

ploy_vec3 ploy_wander3_drift(const ploy_wander3 *wander, int32_t i) {
    return ploy_range_within(i, 1, wander->capacity) ? wander->drift[i]
                                                     : ploy_vec3_make(1.0f, 0.0f, 0.0f);
}

ploy_result ployi_wander3_set_drift(ploy_wander3 *wander, int32_t i, ploy_vec3 drift) {
    if (!ploy_range_within(i, 1, wander->capacity)) return PLOY_ERR_ARGUMENT;
    if (!ploy_vec3_is_finite(drift) || ploy_vec3_is_zero(drift)) return PLOY_ERR_ARGUMENT;
    wander->drift[i] = ploy_vec3_normalise(drift);
    return PLOY_OK;
}

void ploy_wander3_visit(ploy_visit *v, void *object) {
    ploy_wander3 *wander = object;
    ploy_visit_struct(v, "wander3", wander, sizeof *wander);
    ploy_visit_block(v, "wander3", wander, wander->size);
    PLOY_VISIT_SCRATCH(v, wander->env);
    PLOY_VISIT_SCRATCH(v, wander->size);
    PLOY_VISIT_SCRATCH(v, wander->capacity);
    ploy_visit_begin(v, "settings", PLOY_DERIVED);
    ploy_visit_fields(v, "settings", PLOY_STATE, ploy_wander_fields(), &wander->def);
    ploy_visit_end(v);
    int32_t count = ploy_visit_fixed(v, "drift", PLOY_STATE, wander->capacity);
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 *drift = &wander->drift[i];
        ploy_visit_begin_item(v, i, PLOY_DERIVED);
        ploy_visit_vec3(v, "direction", PLOY_STATE, &drift->x, &drift->y, &drift->z);
        float length = ploy_vec3_length(*drift);
        ploy_visit_check(v, length > 0.999f && length < 1.001f, "direction is not a unit vector",
                         "length 1");
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_wander3_describe(const ploy_wander3 *wander, ploy_describe *out) {
    ploy_visit_describe(ploy_wander3_visit, wander, NULL, out);
}

void ploy_wander3_memory(const ploy_wander3 *wander, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_wander3_visit, wander, fn, user);
}
