// Wander on the plane; the technique is described in the header.
//
// Invariants of a group, from create to destroy:
//   (1) drift holds `capacity` angles, each finite and in [-pi, pi);
//   (2) a failed call leaves the object and out exactly as they were.
#include "ploy/move/wander.h"

#include "move/move_internal.h"
#include "ploy/geom/angle.h"
#include "ploy/move/seek.h"

static const char *const wander_forms[] = {"seek", "face", "jitter"};
static const char *const wander_paces[] = {"per second", "per root second", "per step"};

#define WANDER_LENGTH_MAX 1e4 // m, of circle and jitter
#define WANDER_RADIUS_MIN 1e-3
#define WANDER_DRIFT_MAX 1e4 // rad/s
#define WANDER_ANGLE_MIN 1e-3
#define WANDER_ANGLE_MAX 3.1415927 // rad

// Declared once; the default, the checks, the sliders and the manual all read it.
static const ploy_field wander_fields[] = {
    PLOY_FIELD_ENUM(ploy_wander_def, form, PLOY_WANDER_SEEK, wander_forms,
                    "seek the point, face it, or be pulled by it"),
    PLOY_FIELD_ENUM(ploy_wander_def, pace, PLOY_WANDER_PER_SECOND, wander_paces,
                    "how the drift depends on the length of a step"),
    PLOY_FIELD_F32(ploy_wander_def, circle_offset, 2, 0, WANDER_LENGTH_MAX, "m",
                   "distance to the circle"),
    PLOY_FIELD_F32(ploy_wander_def, circle_radius, 1, WANDER_RADIUS_MIN, WANDER_LENGTH_MAX, "m",
                   "size of the circle"),
    PLOY_FIELD_F32(ploy_wander_def, circle_height, 1, 0, WANDER_LENGTH_MAX, "m",
                   "size of the sphere along up, in space"),
    PLOY_FIELD_F32(ploy_wander_def, drift_rate, 20, 0, WANDER_DRIFT_MAX, "rad/s", "largest drift"),
    PLOY_FIELD_F32(ploy_wander_def, jitter, 20, 0, WANDER_LENGTH_MAX, "m/s",
                   "largest shift of the point, of the form jitter"),
    PLOY_FIELD_F32(ploy_wander_def, max_speed, 3, 0, PLOY_SPEED_MAX_MPS, "m/s", "desired speed"),
    PLOY_FIELD_F32(ploy_wander_def, max_acceleration, 5, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "largest acceleration asked for"),
    PLOY_FIELD_F32(ploy_wander_def, time_to_target, 0.25, PLOYI_TIME_MIN, PLOYI_TIME_MAX, "s",
                   "time in which the desired velocity is to be reached"),
    PLOY_FIELD_F32(ploy_wander_def, max_rotation, 3, 0, PLOYI_ROTATION_MAX, "rad/s",
                   "largest rate of turning"),
    PLOY_FIELD_F32(ploy_wander_def, max_angular_acceleration, 20, 0, PLOYI_ACCELERATION_MAX,
                   "rad/s^2", "largest angular acceleration asked for, of the form face"),
    PLOY_FIELD_F32(ploy_wander_def, slow_angle, 0.5, WANDER_ANGLE_MIN, WANDER_ANGLE_MAX, "rad",
                   "turns more slowly within it, of the form face"),
    PLOY_FIELD_F32(ploy_wander_def, time_to_turn, 0.1, PLOYI_TIME_MIN, PLOYI_TIME_MAX, "s",
                   "time in which the desired rotation is to be reached, of the form face"),
};

struct ploy_wander {
    ploy_env env; // a copy, so the caller's may leave scope
    ploy_wander_def def;
    size_t size; // bytes of this block, which the allocator needs back
    int32_t capacity;
    float drift[]; // rad from the heading; one block, so create can fail in one place only
};

ploy_fields ploy_wander_fields(void) {
    return PLOY_FIELDS(ploy_wander_def, wander_fields);
}

ploy_wander_def ploy_wander_def_default(void) {
    ploy_wander_def def;
    ploy_fields_default(ploy_wander_fields(), &def);
    return def;
}

// ---- shared with wander3.c ----

bool ployi_wander_law_make(const ploy_wander_def *def, float dt, ployi_wander_law *out) {
    if ((uint32_t)def->form > PLOY_WANDER_JITTER || (uint32_t)def->pace > PLOY_WANDER_PER_STEP ||
        !ployi_within(dt, 0, PLOY_DT_MAX_S) ||
        !ployi_within(def->circle_offset, 0, WANDER_LENGTH_MAX) ||
        !ployi_within(def->circle_radius, WANDER_RADIUS_MIN, WANDER_LENGTH_MAX) ||
        !ployi_within(def->circle_height, 0, WANDER_LENGTH_MAX) ||
        !ployi_within(def->drift_rate, 0, WANDER_DRIFT_MAX) ||
        !ployi_within(def->jitter, 0, WANDER_LENGTH_MAX) || !ployi_rotation_ok(def->max_rotation) ||
        !ployi_acceleration_ok(def->max_angular_acceleration) ||
        !ployi_within(def->slow_angle, WANDER_ANGLE_MIN, WANDER_ANGLE_MAX) ||
        !ployi_time_ok(def->time_to_turn)) {
        return false;
    }
    out->def = *def;
    out->scale = def->pace == PLOY_WANDER_PER_SECOND        ? dt
                 : def->pace == PLOY_WANDER_PER_ROOT_SECOND ? sqrtf(dt)
                                                            : 1.0f;
    return ployi_approach_pull(PLOY_PULL_VELOCITY, def->max_speed, def->max_acceleration,
                               def->time_to_target, 1.0f, 0.0f, &out->seek);
}

float ployi_align(const ploy_wander_def *def, float difference, float rotation) {
    float part = fabsf(difference) / def->slow_angle;
    float goal = copysignf(def->max_rotation * (part < 1.0f ? part : 1.0f), difference);
    float angular = (goal - rotation) / def->time_to_turn;
    return ploy_clampf(angular, -def->max_angular_acceleration, def->max_angular_acceleration);
}

// ---- one agent ----

// Moves the drift on by one step. A triangular draw in (-1, 1) favours small turns; a flat one
// looks drunk.
static float wander_drift_next(const ployi_wander_law *law, float drift, ploy_rng_key key,
                               uint32_t id, uint64_t tick) {
    float noise = ploy_rng_binomial_at(key, id, tick, 0);
    if (law->def.form != PLOY_WANDER_JITTER) {
        return ploy_angle_wrap(drift + noise * law->def.drift_rate * law->scale);
    }
    float shift = law->def.jitter * law->scale;
    ploy_vec2 point = ploy_vec2_scale(ploy_angle_heading(drift), law->def.circle_radius);
    point.x += noise * shift;
    point.y += ploy_rng_binomial_at(key, id, tick, 1) * shift;
    // Only a step right into the centre has no direction to be pulled back to.
    return ploy_vec2_is_zero(point) ? drift : ploy_angle_of(point);
}

// From the agent to its point, in the agent's own axes.
static ploy_vec2 wander_local(const ploy_wander_def *def, float drift) {
    ploy_vec2 point = ploy_vec2_scale(ploy_angle_heading(drift), def->circle_radius);
    point.x += def->circle_offset;
    return point;
}

static ploy_steering wander_steer(const ployi_wander_law *law, ploy_kinematic agent, float drift) {
    ploy_vec2 local = wander_local(&law->def, drift);
    ploy_vec2 heading = ploy_angle_heading(agent.orientation);
    ploy_vec2 offset = ploy_vec2_rotate_by(local, heading);
    ploy_steering out = ploy_steering_none();
    switch (law->def.form) {
    case PLOY_WANDER_SEEK:
        out.linear = ployi_planar(ployi_approach(law->seek, ployi_plane(offset),
                                                 ployi_velocity(&agent), 2, &out.requested));
        break;
    case PLOY_WANDER_FACE:
        out.linear = ploy_vec2_scale(heading, law->def.max_acceleration);
        out.angular = ployi_align(&law->def, ploy_angle_of(local), agent.rotation);
        out.requested = 1;
        break;
    case PLOY_WANDER_JITTER:
        out.linear = ployi_planar(ployi_clip(ployi_plane(offset), law->def.max_acceleration, 2));
        out.requested = 1;
        break;
    }
    return out;
}

ploy_steering ploy_wander_steer(const ploy_wander_def *def, ploy_kinematic agent, float *drift,
                                float dt, ploy_rng_key key, uint32_t id, uint64_t tick) {
    ployi_wander_law law;
    if (!ployi_wander_law_make(def, dt, &law)) return ploy_steering_invalid();
    *drift = wander_drift_next(&law, *drift, key, id, tick);
    return wander_steer(&law, agent, *drift);
}

ploy_vec2 ployi_wander_point(const ploy_wander_def *def, ploy_kinematic agent, float drift) {
    ploy_vec2 heading = ploy_angle_heading(agent.orientation);
    return ploy_vec2_add(agent.position, ploy_vec2_rotate_by(wander_local(def, drift), heading));
}

ploy_kinematic_output ploy_wander_velocity(const ploy_wander_def *def, ploy_kinematic agent,
                                           ploy_rng_key key, uint32_t id, uint64_t tick) {
    ploy_kinematic_output out = {{0.0f, 0.0f}, 0.0f, 0};
    if (!ployi_speed_ok(def->max_speed) || !ployi_rotation_ok(def->max_rotation)) {
        out.requested = PLOY_STEERING_INVALID;
        return out;
    }
    out.velocity = ploy_vec2_scale(ploy_angle_heading(agent.orientation), def->max_speed);
    out.rotation = ploy_rng_binomial_at(key, id, tick, 0) * def->max_rotation;
    out.requested = 1;
    return out;
}

void ploy_wander_trace(const ploy_wander_def *def, ploy_kinematic agent, float drift,
                       ploy_agent_id id, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_vec2 heading = ploy_angle_heading(agent.orientation);
    ploy_vec2 centre = ploy_vec2_add_scaled(agent.position, heading, def->circle_offset);
    ploy_vec2 point = ployi_wander_point(def, agent, drift);
    float turn = ploy_angle_of(wander_local(def, drift));
    ploy_trace_begin(trace, id, "steer", "wander");
    ploy_trace_vec2(trace, "circle centre", centre.x, centre.y);
    ploy_trace_f32(trace, "drift", drift);
    ploy_trace_vec2(trace, "point", point.x, point.y);
    ploy_trace_f32(trace, "turn", turn);
    // The point has drifted to one side; the distance in each direction to bring it there.
    ploy_trace_option(trace, "bend left", turn > 0.0f ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                      (double)turn, turn > 0.0f ? "the point is on the left" : "it is not");
    ploy_trace_option(trace, "bend right", turn < 0.0f ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                      (double)-turn, turn < 0.0f ? "the point is on the right" : "it is not");
    if (turn == 0.0f) ploy_trace_note(trace, "The point is straight ahead.");
    ploy_trace_end(trace);
}

void ploy_wander_draw(const ploy_wander_def *def, ploy_kinematic agent, float drift,
                      ploy_agent_id owner, ploy_draw *out) {
    ploy_vec2 heading = ploy_angle_heading(agent.orientation);
    ploy_vec2 centre = ploy_vec2_add_scaled(agent.position, heading, def->circle_offset);
    ploy_vec2 point = ployi_wander_point(def, agent, drift);
    ploy_draw_circle(out, PLOY_LAYER_FORCES, PLOY_STYLE_GHOST, owner, centre, def->circle_radius);
    ploy_draw_line(out, PLOY_LAYER_FORCES, PLOY_STYLE_GHOST, owner, agent.position, centre);
    ploy_draw_point(out, PLOY_LAYER_FORCES, PLOY_STYLE_TARGET, owner, point);
}

// ---- groups ----

ploy_result ploy_wander_create(const ploy_wander_def *def, int32_t capacity, const ploy_env *env,
                               ploy_wander **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    // Ranges are inclusive and false for NaN, so bad numbers stop here and not in a replay.
    ploy_result result = ploy_fields_check(ploy_wander_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (capacity < 1 || capacity > PLOYI_WANDER_CAPACITY_MAX ||
        !ploy_size_add_array(sizeof(ploy_wander), capacity, sizeof(float), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_wander *wander = ploy_env_alloc(env, size);
    if (wander == NULL) return PLOY_ERR_MEMORY;
    wander->env = *env;
    wander->def = *def;
    wander->size = size;
    wander->capacity = capacity;
    for (int32_t i = 0; i < capacity; i++) wander->drift[i] = 0.0f;
    *out = wander; // last, when nothing can fail any more
    return PLOY_OK;
}

void ploy_wander_destroy(ploy_wander *wander) {
    if (wander == NULL) return;
    ploy_env env = wander->env;
    ploy_env_free(&env, wander, wander->size);
}

ploy_result ploy_wander_set_def(ploy_wander *wander, const ploy_wander_def *def) {
    ploy_result result = ploy_fields_check(ploy_wander_fields(), def, &wander->env);
    if (result == PLOY_OK) wander->def = *def;
    return result;
}

ploy_result ploy_wander_step(ploy_wander *wander, const ploy_kinematics *agents, int32_t first,
                             int32_t count, float dt, ploy_rng_key key, uint64_t tick,
                             const ploy_steerings *out) {
    ployi_wander_law law;
    if (!ploy_range_within(first, count, wander->capacity)) return PLOY_ERR_ARGUMENT;
    if (!ployi_wander_law_make(&wander->def, dt, &law)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_steerings_check(out, first, count);
    if (result != PLOY_OK) return result; // keeps (2)
    for (int32_t i = first; i < first + count; i++) {
        float drift = wander_drift_next(&law, wander->drift[i], key, (uint32_t)i, tick);
        wander->drift[i] = drift; // keeps (1)
        ploy_steerings_set(out, i, wander_steer(&law, ploy_kinematics_get(agents, i), drift));
    }
    return PLOY_OK;
}

void ployi_wander_scatter(ploy_wander *wander, ploy_rng_key key) {
    for (int32_t i = 0; i < wander->capacity; i++) {
        float part = ploy_rng_float_at(key, (uint32_t)i, 0, 0); // [0, 1)
        wander->drift[i] = ploy_angle_wrap((part - 0.5f) * PLOY_TWO_PI_F);
    }
}

int32_t ployi_wander_capacity(const ploy_wander *wander) {
    return wander->capacity;
}

float ploy_wander_drift(const ploy_wander *wander, int32_t i) {
    return ploy_range_within(i, 1, wander->capacity) ? wander->drift[i] : 0.0f;
}

ploy_result ployi_wander_set_drift(ploy_wander *wander, int32_t i, float drift) {
    if (!ploy_range_within(i, 1, wander->capacity)) return PLOY_ERR_ARGUMENT;
    if (!ploy_is_finite(drift)) return PLOY_ERR_ARGUMENT;
    wander->drift[i] = ploy_angle_wrap(drift);
    return PLOY_OK;
}

void ploy_wander_visit(ploy_visit *v, void *object) {
    ploy_wander *wander = object;
    ploy_visit_struct(v, "wander", wander, sizeof *wander);
    ploy_visit_block(v, "wander", wander, wander->size);
    PLOY_VISIT_SCRATCH(v, wander->env);
    PLOY_VISIT_SCRATCH(v, wander->size);
    PLOY_VISIT_SCRATCH(v, wander->capacity);
    ploy_visit_begin(v, "settings", PLOY_DERIVED);
    ploy_visit_fields(v, "settings", PLOY_STATE, ploy_wander_fields(), &wander->def);
    ploy_visit_end(v);
    int32_t count = ploy_visit_fixed(v, "drift", PLOY_STATE, wander->capacity);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_DERIVED);
        ploy_visit_f32_in(v, "angle", PLOY_STATE, &wander->drift[i], -PLOY_PI_F, PLOY_PI_F);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_wander_describe(const ploy_wander *wander, ploy_describe *out) {
    ploy_visit_describe(ploy_wander_visit, wander, NULL, out);
}

void ploy_wander_memory(const ploy_wander *wander, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_wander_visit, wander, fn, user);
}

#undef WANDER_LENGTH_MAX
#undef WANDER_RADIUS_MIN
#undef WANDER_DRIFT_MAX
#undef WANDER_ANGLE_MIN
#undef WANDER_ANGLE_MAX
