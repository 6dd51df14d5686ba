// Wall avoidance and wall following; described in the header.
#include "ploy/move/feelers.h"

#include <string.h>

#include "move/steer_internal.h"
#include "ploy/geom/angle.h"

static const char *const feelers_layouts[] = {"single", "parallel", "fan"};
static const char *const feelers_responses[] = {"seek", "push"};

#define FEELERS_LENGTH_MAX 1e6
#define FEELERS_ANGLE_MAX 1.55 // rad; at a right angle a whisker reacts too late to help

static const ploy_field feelers_fields[] = {
    PLOY_FIELD_ENUM(ploy_feelers_def, layout, PLOY_FEELERS_FAN, feelers_layouts,
                    "which rays are cast"),
    PLOY_FIELD_ENUM(ploy_feelers_def, response, PLOY_FEELERS_SEEK, feelers_responses,
                    "what a hit leads to"),
    PLOY_FIELD_DEF(ploy_feelers_def, seek, ploy_seek_fields, "how it goes for the point"),
    PLOY_FIELD_F32(ploy_feelers_def, length, 4, 1e-3, FEELERS_LENGTH_MAX, "m",
                   "length of the ray ahead"),
    PLOY_FIELD_F32(ploy_feelers_def, whisker_length, 2, 1e-3, FEELERS_LENGTH_MAX, "m",
                   "length of the side rays"),
    PLOY_FIELD_F32(ploy_feelers_def, angle, 0.785398163, 0, FEELERS_ANGLE_MAX, "rad",
                   "angle of the whiskers"),
    PLOY_FIELD_F32(ploy_feelers_def, max_angle, 1.3, 0, FEELERS_ANGLE_MAX, "rad",
                   "largest angle of a fan that adapts"),
    PLOY_FIELD_F32(ploy_feelers_def, widen_rate, 0, 0, 1e3, "rad/s",
                   "how fast the fan opens at a wall; 0 means it does not"),
    PLOY_FIELD_F32(ploy_feelers_def, narrow_rate, 0.5, 0, 1e3, "rad/s", "how fast it closes again"),
    PLOY_FIELD_F32(ploy_feelers_def, radius, 0.4, 0, FEELERS_LENGTH_MAX, "m",
                   "half the distance of parallel rays"),
    PLOY_FIELD_F32(ploy_feelers_def, avoid_distance, 1.5, 0, FEELERS_LENGTH_MAX, "m",
                   "distance from the wall to the point sought"),
    PLOY_FIELD_F32(ploy_feelers_def, strength, 10, 0, 1e6, "1/s^2",
                   "acceleration for each metre gone in, of response push"),
    PLOY_FIELD_BOOL(ploy_feelers_def, one_sided, false, "ignore walls met from behind"),
    PLOY_FIELD_I32(ploy_feelers_def, trap_count, 4, 0, 1000, "",
                   "changes of side that make a corner trap; 0 means never"),
    PLOY_FIELD_F32(ploy_feelers_def, trap_time, 1, 0, 1e3, "s", "time within which they count"),
    PLOY_FIELD_F32(ploy_feelers_def, hold_time, 1, 0, 1e3, "s",
                   "time for which it backs out of a corner trap"),
    PLOY_FIELD_U64(ploy_feelers_def, mask, 0, "layers of the scene that are walls; 0 means all"),
};

static const ploy_field feelers_follow_fields[] = {
    PLOY_FIELD_DEF(ploy_wall_follow_def, seek, ploy_seek_fields, "how it goes"),
    PLOY_FIELD_F32(ploy_wall_follow_def, distance, 1, 0, FEELERS_LENGTH_MAX, "m",
                   "distance to keep from the wall"),
    PLOY_FIELD_F32(ploy_wall_follow_def, ahead, 1.5, 0, FEELERS_LENGTH_MAX, "m",
                   "distance along the wall to the point sought"),
    PLOY_FIELD_F32(ploy_wall_follow_def, reach, 4, 1e-3, FEELERS_LENGTH_MAX, "m",
                   "walls farther away are not seen"),
    PLOY_FIELD_BOOL(ploy_wall_follow_def, right, false, "keep the wall at the right"),
};

ploy_fields ploy_feelers_fields(void) {
    return PLOY_FIELDS(ploy_feelers_def, feelers_fields);
}

ploy_feelers_def ploy_feelers_def_default(void) {
    ploy_feelers_def def;
    ploy_fields_default(ploy_feelers_fields(), &def);
    return def;
}

ploy_fields ploy_wall_follow_fields(void) {
    return PLOY_FIELDS(ploy_wall_follow_def, feelers_follow_fields);
}

ploy_wall_follow_def ploy_wall_follow_def_default(void) {
    ploy_wall_follow_def def;
    ploy_fields_default(ploy_wall_follow_fields(), &def);
    return def;
}

static bool feelers_length_ok(float length) {
    return ployi_within(length, 1e-3, FEELERS_LENGTH_MAX);
}

static bool feelers_law(const ploy_feelers_def *def, ployi_approach_law *law) {
    return (size_t)def->layout < 3 && (size_t)def->response < 2 && feelers_length_ok(def->length) &&
           feelers_length_ok(def->whisker_length) &&
           ployi_within(def->angle, 0, FEELERS_ANGLE_MAX) &&
           ployi_within(def->max_angle, 0, FEELERS_ANGLE_MAX) &&
           ployi_within(def->widen_rate, 0, 1e3) && ployi_within(def->narrow_rate, 0, 1e3) &&
           ployi_within(def->radius, 0, FEELERS_LENGTH_MAX) &&
           ployi_within(def->avoid_distance, 0, FEELERS_LENGTH_MAX) &&
           ployi_within(def->strength, 0, 1e6) && def->trap_count >= 0 &&
           ployi_within(def->trap_time, 0, 1e3) && ployi_within(def->hold_time, 0, 1e3) &&
           ployi_seek_law(&def->seek, law);
}

static uint32_t feelers_mask(const ploy_feelers_def *def) {
    return def->mask == 0 ? PLOY_SCENE_ALL : (uint32_t)def->mask;
}

// Where the agent goes, or looks while at rest.
static ploy_vec2 feelers_heading(ploy_kinematic agent) {
    ploy_vec2 direction = ployi_planar(ployi_unit(ployi_velocity(&agent), 2));
    return ploy_vec2_is_zero(direction) ? ploy_angle_heading(agent.orientation) : direction;
}

static ploy_feeler feelers_ray(ploy_vec2 from, ploy_vec2 offset, float length, int32_t side) {
    ploy_feeler feeler = {from, ploy_vec2_add_scaled(from, offset, length), side};
    return feeler;
}

int32_t ploy_feelers_make(const ploy_feelers_def *def, const ploy_feelers *state,
                          ploy_kinematic agent, ploy_feeler out[3]) {
    ployi_approach_law law;
    if (!feelers_law(def, &law)) return 0;
    ploy_vec2 direction = feelers_heading(agent), left = ploy_vec2_perp(direction);
    if (def->layout == PLOY_FEELERS_PARALLEL) {
        for (int32_t i = 0; i < 2; i++) {
            int32_t side = i == 0 ? 1 : -1;
            ploy_vec2 from = ploy_vec2_add_scaled(agent.position, left, (float)side * def->radius);
            out[i] = feelers_ray(from, direction, def->length, side);
        }
        return 2;
    }
    out[0] = feelers_ray(agent.position, direction, def->length, 0);
    if (def->layout == PLOY_FEELERS_SINGLE) return 1;
    float angle = def->angle + (state != NULL ? state->spread : 0.0f), s = 0.0f, c = 0.0f;
    ploy_sincosf(angle, &s, &c);
    for (int32_t i = 1; i < 3; i++) {
        int32_t side = i == 1 ? 1 : -1;
        ploy_vec2 turn = {c, (float)side * s};
        out[i] = feelers_ray(agent.position, ploy_vec2_rotate_by(direction, turn),
                             def->whisker_length, side);
    }
    return 3;
}

// What the feelers meet.
typedef struct feelers_found {
    ploy_feeler rays[3];
    ploy_scene_hit hits[3];
    float free[3]; // part of each that is free, 1 without a hit
    int32_t count;
    int32_t best; // -1: no hit
} feelers_found;

static feelers_found feelers_cast(const ploy_feelers_def *def, const ploy_feelers *state,
                                  ploy_kinematic agent, const ploy_scene *scene) {
    feelers_found found;
    found.count = ploy_feelers_make(def, state, agent, found.rays);
    found.best = -1;
    for (int32_t i = 0; i < found.count; i++) {
        const ploy_feeler *ray = &found.rays[i];
        found.free[i] = 1.0f;
        if (!ploy_scene_ray2(scene, ray->from, ray->to, feelers_mask(def), &found.hits[i])) {
            continue;
        }
        ploy_vec2 along = ploy_vec2_sub(ray->to, ray->from);
        ploy_vec2 normal = ploy_vec2_from_vec3(found.hits[i].normal);
        if (ploy_vec2_dot(along, normal) > 0.0f) {
            if (def->one_sided) continue;
            // Met from inside: the way out is against the ray.
            found.hits[i].normal = ploy_vec3_negate(found.hits[i].normal);
        }
        found.free[i] = ploy_minf(found.hits[i].distance / ploy_vec2_length(along), 1.0f);
        if (found.best < 0 || found.free[i] < found.free[found.best]) found.best = i;
    }
    return found;
}

// Lets what is longer ago than trap_time go, part by part.
static void feelers_forget(const ploy_feelers_def *def, ploy_feelers *state, float dt) {
    float length = def->trap_time / (float)PLOY_FEELERS_SLICES;
    state->slice_time += dt;
    for (int32_t i = 0; i < PLOY_FEELERS_SLICES && state->slice_time >= length; i++) {
        state->slice_time -= length;
        state->slice = (state->slice + 1) % PLOY_FEELERS_SLICES;
        state->changes[state->slice] = 0;
        state->left_free[state->slice] = state->right_free[state->slice] = 0.0f;
    }
    state->slice_time = ploy_minf(state->slice_time, length);
}

// Moves the fan and watches for corner traps. `offset` is the direction of motion.
static void feelers_learn(const ploy_feelers_def *def, ploy_feelers *state,
                          const feelers_found *found, ploy_vec2 offset, float dt) {
    bool hit = found->best >= 0;
    if (def->widen_rate > 0.0f) {
        float step = (hit ? def->widen_rate : -def->narrow_rate) * dt;
        float most = ploy_maxf(def->max_angle - def->angle, 0.0f);
        state->spread = ploy_clampf(state->spread + step, 0.0f, most);
    } else {
        state->spread = 0.0f;
    }
    state->hold_left = ploy_maxf(state->hold_left - dt, 0.0f);
    if (def->trap_count == 0) return;
    feelers_forget(def, state, dt);
    for (int32_t i = 0; i < found->count; i++) {
        float length = found->free[i];
        if (found->rays[i].side > 0) state->left_free[state->slice] += length;
        if (found->rays[i].side < 0) state->right_free[state->slice] += length;
    }
    int32_t side = hit ? found->rays[found->best].side : 0;
    if (side == 0) return;
    // Walls that close in meet the ray ahead of a fan too; those of a corridor leave it free.
    bool closes = found->rays[0].side != 0 || found->free[0] < 1.0f;
    if (state->side == -side && closes) state->changes[state->slice]++;
    state->side = side;
    int32_t changes = 0;
    float left = 0.0f, right = 0.0f;
    for (int32_t i = 0; i < PLOY_FEELERS_SLICES; i++) {
        changes += state->changes[i];
        left += state->left_free[i];
        right += state->right_free[i];
    }
    if (changes < def->trap_count || state->hold_left > 0.0f) return;
    // Back, and a little toward the freer side; left in ties.
    state->held = left >= right ? 1 : -1;
    state->hold_left = def->hold_time;
    ploy_vec2 aside = ploy_vec2_scale(ploy_vec2_perp(offset), 0.2f * (float)state->held);
    state->escape = ploy_vec2_normalise(ploy_vec2_sub(aside, offset));
    memset(state->changes, 0, sizeof state->changes);
}

static ploy_steering feelers_respond(const ploy_feelers_def *def, const ployi_approach_law *law,
                                     const feelers_found *found, ploy_kinematic agent) {
    if (found->best < 0) return ploy_steering_none();
    const ploy_scene_hit *hit = &found->hits[found->best];
    const ploy_feeler *ray = &found->rays[found->best];
    ploy_vec2 point = ploy_vec2_from_vec3(hit->point), normal = ploy_vec2_from_vec3(hit->normal);
    if (def->response == PLOY_FEELERS_PUSH) {
        float depth = ploy_vec2_distance(ray->to, point);
        ploy_vec3 push = ployi_plane(ploy_vec2_scale(normal, depth * def->strength));
        return ployi_pull_planar(ployi_pull_clipped(push, true, def->seek.max_acceleration, 2));
    }
    return ployi_approach_one(law, &agent,
                              ploy_vec2_add_scaled(point, normal, def->avoid_distance));
}

ploy_steering ploy_avoid_walls(const ploy_feelers_def *def, ploy_feelers *state,
                               ploy_kinematic agent, const ploy_scene *scene, float dt) {
    ployi_approach_law law;
    if (!feelers_law(def, &law) || !ployi_within(dt, 0, PLOY_DT_MAX_S)) {
        return ploy_steering_invalid();
    }
    feelers_found found = feelers_cast(def, state, agent, scene);
    if (state != NULL) feelers_learn(def, state, &found, feelers_heading(agent), dt);
    if (state != NULL && state->hold_left > 0.0f) {
        if (def->response == PLOY_FEELERS_PUSH) {
            return ploy_steering_make(ploy_vec2_scale(state->escape, def->seek.max_acceleration),
                                      0.0f);
        }
        ploy_vec2 out = ploy_vec2_add_scaled(agent.position, state->escape, def->length);
        return ployi_approach_one(&law, &agent, out);
    }
    return feelers_respond(def, &law, &found, agent);
}

// Where the centre of the body would touch, and the wall's normal there. False without a wall.
static bool feelers_sweep(const ploy_feelers_def *def, ploy_vec3 from, ploy_vec3 offset,
                          const ploy_scene *scene, ploy_vec3 *point) {
    ploy_scene_hit hit;
    ploy_vec3 to = ployi_plus_scaled(from, offset, def->length);
    if (!ploy_scene_sweep(scene, from, to, def->radius, feelers_mask(def), &hit)) return false;
    ploy_vec3 centre = ployi_plus_scaled(from, offset, hit.distance);
    *point = ployi_plus_scaled(centre, hit.normal, def->avoid_distance);
    return true;
}

ploy_steering ploy_avoid_walls_swept(const ploy_feelers_def *def, ploy_kinematic agent,
                                     const ploy_scene *scene) {
    ployi_approach_law law;
    ploy_vec3 point;
    if (!feelers_law(def, &law)) return ploy_steering_invalid();
    if (!feelers_sweep(def, ployi_plane(agent.position), ployi_plane(feelers_heading(agent)), scene,
                       &point)) {
        return ploy_steering_none();
    }
    return ployi_approach_one(&law, &agent, ployi_planar(point));
}

ploy_steering3 ploy_avoid_walls_swept3(const ploy_feelers_def *def, ploy_kinematic3 agent,
                                       const ploy_scene *scene) {
    ployi_approach_law law;
    ploy_vec3 point, direction = ployi_unit(agent.velocity, 3);
    if (ployi_square(direction, 3) == 0.0f) direction = ploy_quat_forward(agent.orientation);
    if (!feelers_law(def, &law)) return ploy_steering3_invalid();
    if (!feelers_sweep(def, agent.position, direction, scene, &point)) return ploy_steering3_none();
    return ployi_approach3_one(&law, &agent, point);
}

static const char *feelers_side_text(int32_t side) {
    return side > 0 ? "left" : side < 0 ? "right" : "centre";
}

void ploy_avoid_walls_trace(const ploy_feelers_def *def, const ploy_feelers *state,
                            ploy_kinematic agent, const ploy_scene *scene, ploy_agent_id id,
                            ploy_trace *trace) {
    ployi_approach_law law;
    if (trace == NULL || !feelers_law(def, &law)) return;
    feelers_found found = feelers_cast(def, state, agent, scene);
    bool held = state != NULL && state->hold_left > 0.0f;
    ploy_trace_begin(trace, id, "steer", "avoid walls");
    for (int32_t i = 0; i < found.count; i++) {
        bool hit = found.free[i] < 1.0f;
        ploy_trace_option(trace, feelers_side_text(found.rays[i].side),
                          i == found.best ? PLOY_OUTCOME_WON
                          : hit           ? PLOY_OUTCOME_LOST
                                          : PLOY_OUTCOME_REJECTED,
                          1.0 - (double)found.free[i],
                          i == found.best ? "it has gone in furthest"
                          : hit           ? "another one has gone in further, or it is not heard"
                                          : "it meets no wall");
    }
    if (held) ploy_trace_note(trace, "A corner trap: it backs out for a while.");
    ploy_trace_end(trace);
}

void ploy_feelers_visit(ploy_visit *v, void *object) {
    ploy_feelers *state = object;
    ploy_visit_struct(v, "feelers", state, sizeof *state);
    ploy_visit_f32_in(v, "spread", PLOY_STATE, &state->spread, 0.0f, PLOY_PI_F);
    ploy_visit_i32_in(v, "side", PLOY_STATE, &state->side, -1, 1);
    ploy_visit_i32_in(v, "held", PLOY_STATE, &state->held, -1, 1);
    ploy_visit_f32_in(v, "hold left", PLOY_STATE, &state->hold_left, -INFINITY, 1e3f);
    ploy_visit_vec2(v, "escape", PLOY_STATE, &state->escape.x, &state->escape.y);
    ploy_visit_i32_in(v, "slice", PLOY_STATE, &state->slice, 0, PLOY_FEELERS_SLICES - 1);
    ploy_visit_f32_in(v, "slice time", PLOY_STATE, &state->slice_time, 0.0f, 1e3f);
    int32_t count = ploy_visit_fixed(v, "slices", PLOY_SAVED, PLOY_FEELERS_SLICES);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_i32_in(v, "changes", PLOY_STATE, &state->changes[i], 0, INT32_MAX / 8);
        ploy_visit_f32(v, "left free", PLOY_STATE, &state->left_free[i]);
        ploy_visit_f32(v, "right free", PLOY_STATE, &state->right_free[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_feelers_describe(const ploy_feelers *state, ploy_describe *out) {
    ploy_visit_describe(ploy_feelers_visit, state, NULL, out);
}

void ploy_feelers_draw(const ploy_feelers_def *def, const ploy_feelers *state, ploy_kinematic agent,
                       ploy_agent_id owner, ploy_draw *out) {
    ploy_feeler rays[3];
    int32_t count = ploy_feelers_make(def, state, agent, rays);
    for (int32_t i = 0; i < count; i++) {
        ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, owner, rays[i].from, rays[i].to);
    }
}

// ---- wall following ----

static bool feelers_follow_law(const ploy_wall_follow_def *def, ployi_approach_law *law) {
    return ployi_within(def->distance, 0, FEELERS_LENGTH_MAX) &&
           ployi_within(def->ahead, 0, FEELERS_LENGTH_MAX) && feelers_length_ok(def->reach) &&
           ployi_seek_law(&def->seek, law);
}

ploy_steering ploy_wall_follow(const ploy_wall_follow_def *def, ploy_kinematic agent,
                               const ploy_scene *scene) {
    ployi_approach_law law;
    if (!feelers_follow_law(def, &law)) return ploy_steering_invalid();
    ploy_vec2 offset = feelers_heading(agent);
    float sign = def->right ? -1.0f : 1.0f;
    ploy_vec2 side = ploy_vec2_scale(ploy_vec2_perp(offset), sign);
    ploy_vec2 back = ploy_vec2_sub(side, offset);
    // Ahead first, or an inside corner would be run into; then beside; then behind the shoulder,
    // where a wall that has just ended still is.
    ploy_vec2 tips[3] = {
        ploy_vec2_add_scaled(agent.position, offset, def->ahead + def->distance),
        ploy_vec2_add_scaled(agent.position, side, def->reach),
        ploy_vec2_add_scaled(agent.position, back, def->reach),
    };
    for (int32_t i = 0; i < 3; i++) {
        ploy_scene_hit hit;
        if (!ploy_scene_ray2(scene, agent.position, tips[i], PLOY_SCENE_ALL, &hit)) continue;
        ploy_vec2 normal = ploy_vec2_from_vec3(hit.normal);
        if (ploy_vec2_dot(ploy_vec2_sub(tips[i], agent.position), normal) > 0.0f) {
            normal = ploy_vec2_negate(normal);
        }
        ploy_vec2 along = ploy_vec2_scale(ploy_vec2_perp(normal), sign);
        ploy_vec2 point =
            ploy_vec2_add_scaled(ploy_vec2_from_vec3(hit.point), normal, def->distance);
        return ployi_approach_one(&law, &agent, ploy_vec2_add_scaled(point, along, def->ahead));
    }
    return ploy_steering_none();
}

// ---- batch forms ----

// Settings of the feelers or of wall following.
typedef struct feelers_rule {
    const ploy_feelers_def *def;
    const ploy_wall_follow_def *follow;
    ploy_feelers *states; // may be NULL
    const ploy_scene *scene;
    float dt;
    bool swept;
} feelers_rule;

static ploy_steering feelers_one(const void *rule, int32_t i, ploy_kinematic agent) {
    const feelers_rule *r = rule;
    if (r->follow != NULL) return ploy_wall_follow(r->follow, agent, r->scene);
    if (r->swept) return ploy_avoid_walls_swept(r->def, agent, r->scene);
    ploy_feelers *state = r->states != NULL ? &r->states[i] : NULL;
    return ploy_avoid_walls(r->def, state, agent, r->scene, r->dt);
}

static ploy_steering3 feelers_one3(const void *rule, int32_t i, ploy_kinematic3 agent) {
    const feelers_rule *r = rule;
    (void)i;
    return ploy_avoid_walls_swept3(r->def, agent, r->scene);
}

ploy_result ploy_avoid_walls_batch(const ploy_feelers_def *def, ploy_feelers *states,
                                   const ploy_kinematics *agents, int32_t first, int32_t count,
                                   const ploy_scene *scene, float dt, const ploy_steerings *out) {
    ployi_approach_law law;
    if (def == NULL || !feelers_law(def, &law) || !ployi_within(dt, 0, PLOY_DT_MAX_S)) {
        return PLOY_ERR_ARGUMENT;
    }
    feelers_rule rule = {def, NULL, states, scene, dt, false};
    return ployi_each(agents, first, count, feelers_one, &rule, out);
}

ploy_result ploy_avoid_walls_swept_batch(const ploy_feelers_def *def, const ploy_kinematics *agents,
                                         int32_t first, int32_t count, const ploy_scene *scene,
                                         const ploy_steerings *out) {
    ployi_approach_law law;
    if (def == NULL || !feelers_law(def, &law)) return PLOY_ERR_ARGUMENT;
    feelers_rule rule = {def, NULL, NULL, scene, 0.0f, true};
    return ployi_each(agents, first, count, feelers_one, &rule, out);
}

ploy_result ploy_avoid_walls_swept3_batch(const ploy_feelers_def *def,
                                          const ploy_kinematics3 *agents, int32_t first,
                                          int32_t count, const ploy_scene *scene,
                                          const ploy_steerings3 *out) {
    ployi_approach_law law;
    if (def == NULL || !feelers_law(def, &law)) return PLOY_ERR_ARGUMENT;
    feelers_rule rule = {def, NULL, NULL, scene, 0.0f, true};
    return ployi_each3(agents, first, count, feelers_one3, &rule, out);
}

ploy_result ploy_wall_follow_batch(const ploy_wall_follow_def *def, const ploy_kinematics *agents,
                                   int32_t first, int32_t count, const ploy_scene *scene,
                                   const ploy_steerings *out) {
    ployi_approach_law law;
    if (def == NULL || !feelers_follow_law(def, &law)) return PLOY_ERR_ARGUMENT;
    feelers_rule rule = {NULL, def, NULL, scene, 0.0f, false};
    return ployi_each(agents, first, count, feelers_one, &rule, out);
}

#undef FEELERS_LENGTH_MAX
#undef FEELERS_ANGLE_MAX
