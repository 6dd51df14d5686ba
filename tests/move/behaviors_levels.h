// Behaviors by paths, fields and walls, for the table in behaviors.h.
#pragma once

#include "tests/move/behaviors_others.h"

static ploy_steering waypoints_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_vec2 points[OTHERS];
    points_of(o, points);
    ploy_polyline path = ploy_polyline_make(points, OTHERS, false);
    int32_t next = 1;
    return ploy_waypoints(&def, agent, &path, &next);
}
static ploy_steering3 waypoints_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_vec3 points[OTHERS];
    points_of3(o, points);
    int32_t next = 1;
    return ploy_waypoints3(&def, agent, points, OTHERS, false, &next);
}
static ploy_result waypoints_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                  const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_vec2 points[OTHERS];
    points_of(o, points);
    ploy_polyline path = ploy_polyline_make(points, OTHERS, false);
    int32_t nexts[BATCH];
    for (int32_t i = 0; i < BATCH; i++) nexts[i] = 1;
    return ploy_waypoints_batch(&def, agents, first, count, &path, nexts, out);
}
static ploy_result waypoints_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                   const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_waypoints_def def = ploy_waypoints_def_default();
    ploy_vec3 points[OTHERS];
    points_of3(o, points);
    int32_t nexts[BATCH];
    for (int32_t i = 0; i < BATCH; i++) nexts[i] = 1;
    return ploy_waypoints3_batch(&def, agents, first, count, points, OTHERS, false, nexts, out);
}

static ploy_path_follow_def spline_def(void) {
    ploy_path_follow_def def = ploy_path_follow_def_default();
    def.window = 3.0f;
    return def;
}
static ploy_spline2 spline_of(const ploy_kinematic *o, ploy_vec2 points[OTHERS]) {
    points_of(o, points);
    return ploy_spline2_make(points, OTHERS, PLOY_SPLINE_CENTRIPETAL, false);
}
static ploy_spline3 spline_of3(const ploy_kinematic3 *o, ploy_vec3 points[OTHERS]) {
    points_of3(o, points);
    return ploy_spline3_make(points, OTHERS, PLOY_SPLINE_CENTRIPETAL, false);
}
static ploy_steering spline_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_path_follow_def def = spline_def();
    ploy_vec2 points[OTHERS];
    ploy_spline2 spline = spline_of(o, points);
    float along = 0.0f;
    return ploy_spline_follow(&def, agent, &spline, &along);
}
static ploy_steering3 spline_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_path_follow_def def = spline_def();
    ploy_vec3 points[OTHERS];
    ploy_spline3 spline = spline_of3(o, points);
    float along = 0.0f;
    return ploy_spline_follow3(&def, agent, &spline, &along);
}
static ploy_result spline_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                               const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_path_follow_def def = spline_def();
    ploy_vec2 points[OTHERS];
    ploy_spline2 spline = spline_of(o, points);
    float alongs[BATCH] = {0.0f};
    return ploy_spline_follow_batch(&def, agents, first, count, &spline, alongs, out);
}
static ploy_result spline_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_path_follow_def def = spline_def();
    ploy_vec3 points[OTHERS];
    ploy_spline3 spline = spline_of3(o, points);
    float alongs[BATCH] = {0.0f};
    return ploy_spline_follow3_batch(&def, agents, first, count, &spline, alongs, out);
}

// A current with the first one's velocity that also draws toward it.
static ploy_vec2 current_at(const void *user, ploy_vec2 point) {
    const ploy_kinematic *o = user;
    ploy_vec2 toward = ploy_vec2_limit(ploy_vec2_sub(o[0].position, point), 10.0f);
    return ploy_vec2_add_scaled(o[0].velocity, toward, 0.2f);
}
static ploy_steering flow_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flow_def def = ploy_flow_def_default();
    ploy_flow_field field = {current_at, o};
    return ploy_flow_follow(&def, agent, &field);
}
static ploy_vec3 current_at3(const void *user, ploy_vec3 point) {
    const ploy_kinematic3 *o = user;
    ploy_vec3 toward = ploy_vec3_limit(ploy_vec3_sub(o[0].position, point), 10.0f);
    return ploy_vec3_add_scaled(o[0].velocity, toward, 0.2f);
}
static ploy_steering3 flow_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_flow_def def = ploy_flow_def_default();
    ploy_flow_field3 field = {current_at3, o};
    return ploy_flow_follow3(&def, agent, &field);
}
static ploy_result flow_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                             const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_flow_def def = ploy_flow_def_default();
    ploy_flow_field field = {current_at, o};
    return ploy_flow_follow_batch(&def, agents, first, count, &field, out);
}
static ploy_result flow_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                              const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_flow_def def = ploy_flow_def_default();
    ploy_flow_field3 field = {current_at3, o};
    return ploy_flow_follow3_batch(&def, agents, first, count, &field, out);
}

// The others as balls of three metres, through the interface that a game fills in.
static bool balls_ray(const ploy_vec3 centres[OTHERS], ploy_vec3 from, ploy_vec3 to,
                      ploy_scene_hit *hit) {
    ploy_vec3 way = ploy_vec3_sub(to, from), unit = ploy_vec3_normalise(way);
    float best = ploy_vec3_length(way);
    bool found = false;
    for (int32_t i = 0; i < OTHERS; i++) {
        ploy_vec3 off = ploy_vec3_sub(centres[i], from);
        float along = ploy_vec3_dot(off, unit);
        float square = 9.0f - ploy_vec3_length_sq(ploy_vec3_add_scaled(off, unit, -along));
        float distance = along - sqrtf(ploy_maxf(square, 0.0f));
        if (!(square > 0.0f) || !(distance > 0.0f) || !(distance < best)) continue;
        best = distance;
        found = true;
        hit->distance = distance;
        hit->point = ploy_vec3_add_scaled(from, unit, distance);
        hit->normal = ploy_vec3_normalise(ploy_vec3_sub(hit->point, centres[i]));
        hit->object = ploy_id_none();
        hit->layers = 1;
        hit->inside = false;
    }
    return found;
}
static bool posts_ray(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask,
                      ploy_scene_hit *hit) {
    const ploy_kinematic *o = user;
    ploy_vec3 centres[OTHERS];
    (void)mask;
    for (int32_t i = 0; i < OTHERS; i++) centres[i] = ploy_vec3_from_vec2(o[i].position, 0.0f);
    return balls_ray(centres, from, to, hit);
}
static bool balls_sweep(void *user, ploy_vec3 from, ploy_vec3 to, float radius, uint32_t mask,
                        ploy_scene_hit *hit) {
    const ploy_kinematic3 *o = user;
    ploy_vec3 centres[OTHERS];
    (void)mask, (void)radius; // thin bodies
    points_of3(o, centres);
    return balls_ray(centres, from, to, hit);
}
static ploy_scene balls_of(const ploy_kinematic3 *o) {
    ploy_scene scene = {NULL, balls_sweep, NULL, NULL, (void *)o};
    return scene;
}
static bool posts_sweep(void *user, ploy_vec3 from, ploy_vec3 to, float radius, uint32_t mask,
                        ploy_scene_hit *hit) {
    (void)radius; // thin bodies
    return posts_ray(user, from, to, mask, hit);
}
static ploy_scene posts_of(const ploy_kinematic *o) {
    ploy_scene scene = {posts_ray, posts_sweep, NULL, NULL, (void *)o};
    return scene;
}
static ploy_feelers_def walls_def(ploy_feeler_layout layout, ploy_feeler_response response) {
    ploy_feelers_def def = ploy_feelers_def_default();
    def.layout = layout;
    def.response = response;
    def.length = 25.0f;
    def.whisker_length = 15.0f;
    return def;
}
static ploy_steering walls_of(ploy_feeler_layout layout, ploy_feeler_response response,
                              ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_feelers_def def = walls_def(layout, response);
    ploy_scene scene = posts_of(o);
    ploy_feelers state;
    memset(&state, 0, sizeof state);
    return ploy_avoid_walls(&def, &state, agent, &scene, 0.02f);
}
static ploy_steering walls_single(ploy_kinematic agent, const ploy_kinematic *o) {
    return walls_of(PLOY_FEELERS_SINGLE, PLOY_FEELERS_SEEK, agent, o);
}
static ploy_steering walls_parallel(ploy_kinematic agent, const ploy_kinematic *o) {
    return walls_of(PLOY_FEELERS_PARALLEL, PLOY_FEELERS_PUSH, agent, o);
}
static ploy_steering walls_fan(ploy_kinematic agent, const ploy_kinematic *o) {
    return walls_of(PLOY_FEELERS_FAN, PLOY_FEELERS_SEEK, agent, o);
}
static ploy_result walls_fan_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                  const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_feelers_def def = walls_def(PLOY_FEELERS_FAN, PLOY_FEELERS_SEEK);
    ploy_scene scene = posts_of(o);
    ploy_feelers states[BATCH];
    memset(states, 0, sizeof states);
    return ploy_avoid_walls_batch(&def, states, agents, first, count, &scene, 0.02f, out);
}
static ploy_steering walls_swept(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_feelers_def def = walls_def(PLOY_FEELERS_SINGLE, PLOY_FEELERS_SEEK);
    ploy_scene scene = posts_of(o);
    return ploy_avoid_walls_swept(&def, agent, &scene);
}
static ploy_steering3 walls_swept3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_feelers_def def = walls_def(PLOY_FEELERS_SINGLE, PLOY_FEELERS_SEEK);
    ploy_scene scene = balls_of(o);
    return ploy_avoid_walls_swept3(&def, agent, &scene);
}
static ploy_result walls_swept_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                    const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_feelers_def def = walls_def(PLOY_FEELERS_SINGLE, PLOY_FEELERS_SEEK);
    ploy_scene scene = posts_of(o);
    return ploy_avoid_walls_swept_batch(&def, agents, first, count, &scene, out);
}
static ploy_result walls_swept_many3(const ploy_kinematics3 *agents, int32_t first, int32_t count,
                                     const ploy_kinematic3 *o, const ploy_steerings3 *out) {
    ploy_feelers_def def = walls_def(PLOY_FEELERS_SINGLE, PLOY_FEELERS_SEEK);
    ploy_scene scene = balls_of(o);
    return ploy_avoid_walls_swept3_batch(&def, agents, first, count, &scene, out);
}
static ploy_wall_follow_def wall_follow_def(bool right) {
    ploy_wall_follow_def def = ploy_wall_follow_def_default();
    def.reach = def.ahead = 12.0f;
    def.right = right;
    return def;
}
static ploy_steering wall_follow_at(bool right, ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_wall_follow_def def = wall_follow_def(right);
    ploy_scene scene = posts_of(o);
    return ploy_wall_follow(&def, agent, &scene);
}
static ploy_result wall_follow_many(const ploy_kinematics *agents, int32_t first, int32_t count,
                                    const ploy_kinematic *o, const ploy_steerings *out) {
    ploy_wall_follow_def def = wall_follow_def(false);
    ploy_scene scene = posts_of(o);
    return ploy_wall_follow_batch(&def, agents, first, count, &scene, out);
}
static ploy_steering wall_follow_one(ploy_kinematic agent, const ploy_kinematic *o) {
    return wall_follow_at(false, agent, o);
}
static ploy_steering wall_follow_right(ploy_kinematic agent, const ploy_kinematic *o) {
    return wall_follow_at(true, agent, o);
}
