// The behaviors of the plane as steering sources: each row translates the context, and checks the
// settings once.
#include "move/source_internal.h"

// ---- state ----

void ployi_source_along_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_visit_f32(v, "along", PLOY_STATE, source->state);
}

void ployi_source_next_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_visit_i32(v, "next", PLOY_STATE, source->state);
}

void ployi_source_drift_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_visit_f32(v, "drift", PLOY_STATE, source->state);
}

void ployi_source_drift3_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_vec3 *drift = source->state;
    ploy_visit_vec3(v, "drift", PLOY_STATE, &drift->x, &drift->y, &drift->z);
}

void ployi_source_jump_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_jump_visit(v, source->state);
}

void ployi_source_feelers_visit(ploy_visit *v, const ploy_steering_source *source) {
    if (source->state != NULL) ploy_feelers_visit(v, source->state);
}

ploy_result ployi_source_publish(ploy_fields fields, const ploy_steering_source *source,
                                 bool missing, const ploy_env *env, ploy_steering_source *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = ploy_steering_source_make(NULL, NULL);
    if (missing) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(fields, source->def, env);
    if (result == PLOY_OK) *out = *source;
    return result;
}

// ---- behaviors ----

static ploy_steering sources_seek(const ploy_steering_source *source,
                                  const ploy_steering_context *context) {
    return ploy_seek(source->def, context->agent, *(const ploy_vec2 *)source->target);
}

static const ploy_steering_type sources_seek_type = {"seek", sources_seek, NULL, NULL,
                                                     0,      false,        true};

ploy_result ploy_seek_source(const ploy_seek_def *def, const ploy_vec2 *target, const ploy_env *env,
                             ploy_steering_source *out) {
    ploy_steering_source source = {&sources_seek_type, def, target, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_seek_fields(), &source, target == NULL, env, out);
}

static ploy_steering sources_flee(const ploy_steering_source *source,
                                  const ploy_steering_context *context) {
    return ploy_flee(source->def, context->agent, *(const ploy_vec2 *)source->target);
}

static const ploy_steering_type sources_flee_type = {"flee", sources_flee, NULL, NULL,
                                                     0,      false,        true};

ploy_result ploy_flee_source(const ploy_flee_def *def, const ploy_vec2 *threat, const ploy_env *env,
                             ploy_steering_source *out) {
    ploy_steering_source source = {&sources_flee_type, def, threat, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_flee_fields(), &source, threat == NULL, env, out);
}

static ploy_steering sources_arrive(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    return ploy_arrive(source->def, context->agent, *(const ploy_vec2 *)source->target);
}

static const ploy_steering_type sources_arrive_type = {"arrive", sources_arrive, NULL, NULL,
                                                       0,        false,          true};

ploy_result ploy_arrive_source(const ploy_arrive_def *def, const ploy_vec2 *target,
                               const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_arrive_type, def, target, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_arrive_fields(), &source, target == NULL, env, out);
}

static ploy_steering sources_pursue(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    return ploy_pursue(source->def, context->agent, *(const ploy_kinematic *)source->target);
}

static const ploy_steering_type sources_pursue_type = {"pursue", sources_pursue, NULL, NULL,
                                                       0,        false,          true};

ploy_result ploy_pursue_source(const ploy_pursue_def *def, const ploy_kinematic *target,
                               const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_pursue_type, def, target, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_pursue_fields(), &source, target == NULL, env, out);
}

static ploy_steering sources_evade(const ploy_steering_source *source,
                                   const ploy_steering_context *context) {
    return ploy_evade(source->def, context->agent, *(const ploy_kinematic *)source->target);
}

static const ploy_steering_type sources_evade_type = {"evade", sources_evade, NULL, NULL,
                                                      0,       false,         true};

ploy_result ploy_evade_source(const ploy_evade_def *def, const ploy_kinematic *pursuer,
                              const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_evade_type, def, pursuer, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_evade_fields(), &source, pursuer == NULL, env, out);
}

static ploy_steering sources_intercept(const ploy_steering_source *source,
                                       const ploy_steering_context *context) {
    return ploy_intercept(source->def, context->agent, *(const ploy_kinematic *)source->target);
}

static const ploy_steering_type sources_intercept_type = {
    "intercept", sources_intercept, NULL, NULL, 0, false, true};

ploy_result ploy_intercept_source(const ploy_intercept_def *def, const ploy_kinematic *prey,
                                  const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_intercept_type, def, prey, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_intercept_fields(), &source, prey == NULL, env, out);
}

static ploy_steering sources_fly_by(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    return ploy_fly_by(source->def, context->agent, *(const ploy_kinematic *)source->target);
}

static const ploy_steering_type sources_fly_by_type = {"fly by", sources_fly_by, NULL, NULL,
                                                       0,        false,          true};

ploy_result ploy_fly_by_source(const ploy_fly_by_def *def, const ploy_kinematic *target,
                               const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_fly_by_type, def, target, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_fly_by_fields(), &source, target == NULL, env, out);
}

static ploy_steering sources_follow(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    return ploy_follow(source->def, context->agent, *(const ploy_kinematic *)source->target);
}

static const ploy_steering_type sources_follow_type = {"follow", sources_follow, NULL, NULL,
                                                       0,        false,          true};

ploy_result ploy_follow_source(const ploy_follow_def *def, const ploy_kinematic *leader,
                               const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_follow_type, def, leader, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_follow_fields(), &source, leader == NULL, env, out);
}

static ploy_steering sources_interpose(const ploy_steering_source *source,
                                       const ploy_steering_context *context) {
    return ploy_interpose(source->def, context->agent, *(const ploy_kinematic *)source->target,
                          *(const ploy_kinematic *)source->other);
}

static const ploy_steering_type sources_interpose_type = {
    "interpose", sources_interpose, NULL, NULL, 0, false, true};

ploy_result ploy_interpose_source(const ploy_interpose_def *def, const ploy_kinematic *a,
                                  const ploy_kinematic *b, const ploy_env *env,
                                  ploy_steering_source *out) {
    ploy_steering_source source = {&sources_interpose_type, def, a, b, NULL, 0, false};
    return ployi_source_publish(ploy_interpose_fields(), &source, a == NULL || b == NULL, env, out);
}

static ploy_steering sources_offset_pursuit(const ploy_steering_source *source,
                                            const ploy_steering_context *context) {
    return ploy_offset_pursuit(source->def, context->agent, *(const ploy_kinematic *)source->target,
                               *(const ploy_vec2 *)source->other);
}

static const ploy_steering_type sources_offset_pursuit_type = {
    "offset pursuit", sources_offset_pursuit, NULL, NULL, 0, false, true};

ploy_result ploy_offset_pursuit_source(const ploy_offset_pursuit_def *def,
                                       const ploy_kinematic *leader, const ploy_vec2 *offset,
                                       const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources_offset_pursuit_type, def, leader, offset, NULL, 0, false};
    return ployi_source_publish(ploy_offset_pursuit_fields(), &source,
                                leader == NULL || offset == NULL, env, out);
}

static ploy_steering sources_align(const ploy_steering_source *source,
                                   const ploy_steering_context *context) {
    return ploy_align(source->def, context->agent, *(const float *)source->target);
}

static const ploy_steering_type sources_align_type = {"align", sources_align, NULL, NULL,
                                                      0,       true,          true};

ploy_result ploy_align_source(const ploy_align_def *def, const float *orientation,
                              const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_align_type, def, orientation, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_align_fields(), &source, orientation == NULL, env, out);
}

static ploy_steering sources_face(const ploy_steering_source *source,
                                  const ploy_steering_context *context) {
    return ploy_face(source->def, context->agent, *(const ploy_vec2 *)source->target);
}

static const ploy_steering_type sources_face_type = {"face", sources_face, NULL, NULL,
                                                     0,      true,         true};

ploy_result ploy_face_source(const ploy_align_def *def, const ploy_vec2 *point, const ploy_env *env,
                             ploy_steering_source *out) {
    ploy_steering_source source = {&sources_face_type, def, point, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_align_fields(), &source, point == NULL, env, out);
}

static ploy_steering sources_look(const ploy_steering_source *source,
                                  const ploy_steering_context *context) {
    return ploy_look(source->def, context->agent);
}

static const ploy_steering_type sources_look_type = {"look", sources_look, NULL, NULL,
                                                     0,      true,         true};

ploy_result ploy_look_source(const ploy_align_def *def, const ploy_env *env,
                             ploy_steering_source *out) {
    ploy_steering_source source = {&sources_look_type, def, NULL, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_align_fields(), &source, false, env, out);
}

static ploy_steering sources_match_velocity(const ploy_steering_source *source,
                                            const ploy_steering_context *context) {
    return ploy_match_velocity(source->def, context->agent, *(const ploy_vec2 *)source->target);
}

static const ploy_steering_type sources_match_velocity_type = {
    "match velocity", sources_match_velocity, NULL, NULL, 0, false, true};

ploy_result ploy_match_velocity_source(const ploy_match_def *def, const ploy_vec2 *velocity,
                                       const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources_match_velocity_type, def, velocity, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_match_fields(), &source, velocity == NULL, env, out);
}

static ploy_steering sources_match_rotation(const ploy_steering_source *source,
                                            const ploy_steering_context *context) {
    return ploy_match_rotation(source->def, context->agent, *(const float *)source->target);
}

static const ploy_steering_type sources_match_rotation_type = {
    "match rotation", sources_match_rotation, NULL, NULL, 0, true, true};

ploy_result ploy_match_rotation_source(const ploy_match_def *def, const float *rotation,
                                       const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources_match_rotation_type, def, rotation, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_match_fields(), &source, rotation == NULL, env, out);
}

static ploy_steering sources_path_follow(const ploy_steering_source *source,
                                         const ploy_steering_context *context) {
    return ploy_path_follow(source->def, context->agent, source->target, source->state);
}

static const ploy_steering_type sources_path_follow_type = {
    "path follow", sources_path_follow, NULL, ployi_source_along_visit, sizeof(float), false, true};

ploy_result ploy_path_follow_source(const ploy_path_follow_def *def, const ploy_polyline *path,
                                    float *along, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_path_follow_type, def, path, NULL, along, 0, false};
    return ployi_source_publish(ploy_path_follow_fields(), &source, path == NULL || along == NULL,
                                env, out);
}

static ploy_steering sources_spline_follow(const ploy_steering_source *source,
                                           const ploy_steering_context *context) {
    return ploy_spline_follow(source->def, context->agent, source->target, source->state);
}

static const ploy_steering_type sources_spline_follow_type = {"spline follow",
                                                              sources_spline_follow,
                                                              NULL,
                                                              ployi_source_along_visit,
                                                              sizeof(float),
                                                              false,
                                                              true};

ploy_result ploy_spline_follow_source(const ploy_path_follow_def *def, const ploy_spline2 *spline,
                                      float *along, const ploy_env *env,
                                      ploy_steering_source *out) {
    ploy_steering_source source = {&sources_spline_follow_type, def, spline, NULL, along, 0, false};
    return ployi_source_publish(ploy_path_follow_fields(), &source, spline == NULL || along == NULL,
                                env, out);
}

static ploy_steering sources_waypoints(const ploy_steering_source *source,
                                       const ploy_steering_context *context) {
    return ploy_waypoints(source->def, context->agent, source->target, source->state);
}

static const ploy_steering_type sources_waypoints_type = {
    "waypoints", sources_waypoints, NULL, ployi_source_next_visit, sizeof(int32_t), false, true};

ploy_result ploy_waypoints_source(const ploy_waypoints_def *def, const ploy_polyline *path,
                                  int32_t *next, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_waypoints_type, def, path, NULL, next, 0, false};
    return ployi_source_publish(ploy_waypoints_fields(), &source, path == NULL || next == NULL, env,
                                out);
}

static ploy_steering sources_flow_follow(const ploy_steering_source *source,
                                         const ploy_steering_context *context) {
    return ploy_flow_follow(source->def, context->agent, source->target);
}

static const ploy_steering_type sources_flow_follow_type = {
    "flow follow", sources_flow_follow, NULL, NULL, 0, false, true};

ploy_result ploy_flow_follow_source(const ploy_flow_def *def, const ploy_flow_field *field,
                                    const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_flow_follow_type, def, field, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_flow_fields(), &source, field == NULL, env, out);
}

static ploy_steering sources_contain(const ploy_steering_source *source,
                                     const ploy_steering_context *context) {
    return ploy_contain(source->def, context->agent, *(const ploy_box2 *)source->target);
}

static const ploy_steering_type sources_contain_type = {"contain", sources_contain, NULL, NULL,
                                                        0,         false,           true};

ploy_result ploy_contain_source(const ploy_contain_def *def, const ploy_box2 *box,
                                const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_contain_type, def, box, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_contain_fields(), &source, box == NULL, env, out);
}

static ploy_steering sources_avoid_obstacles(const ploy_steering_source *source,
                                             const ploy_steering_context *context) {
    return ploy_avoid_obstacles(source->def, context->agent, source->target, source->number);
}

static const ploy_steering_type sources_avoid_obstacles_type = {
    "avoid obstacles", sources_avoid_obstacles, NULL, NULL, 0, false, true};

ploy_result ploy_avoid_obstacles_source(const ploy_obstacle_def *def, const ploy_circle *obstacles,
                                        int32_t count, const ploy_env *env,
                                        ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources_avoid_obstacles_type, def, obstacles, NULL, NULL, count, false};
    return ployi_source_publish(ploy_obstacle_fields(), &source,
                                (obstacles == NULL && count > 0) || count < 0, env, out);
}

static ploy_steering sources_avoid_walls(const ploy_steering_source *source,
                                         const ploy_steering_context *context) {
    return ploy_avoid_walls(source->def, source->state, context->agent, source->target,
                            context->dt);
}

static const ploy_steering_type sources_avoid_walls_type = {"avoid walls",
                                                            sources_avoid_walls,
                                                            NULL,
                                                            ployi_source_feelers_visit,
                                                            sizeof(ploy_feelers),
                                                            false,
                                                            true};

ploy_result ploy_avoid_walls_source(const ploy_feelers_def *def, const ploy_scene *scene,
                                    ploy_feelers *state, const ploy_env *env,
                                    ploy_steering_source *out) {
    ploy_steering_source source = {&sources_avoid_walls_type, def, scene, NULL, state, 0, false};
    return ployi_source_publish(ploy_feelers_fields(), &source, scene == NULL, env, out);
}

static ploy_steering sources_avoid_walls_swept(const ploy_steering_source *source,
                                               const ploy_steering_context *context) {
    return ploy_avoid_walls_swept(source->def, context->agent, source->target);
}

static const ploy_steering_type sources_avoid_walls_swept_type = {
    "avoid walls swept", sources_avoid_walls_swept, NULL, NULL, 0, false, true};

ploy_result ploy_avoid_walls_swept_source(const ploy_feelers_def *def, const ploy_scene *scene,
                                          const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources_avoid_walls_swept_type, def, scene, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_feelers_fields(), &source, scene == NULL, env, out);
}

static ploy_steering sources_wall_follow(const ploy_steering_source *source,
                                         const ploy_steering_context *context) {
    return ploy_wall_follow(source->def, context->agent, source->target);
}

static const ploy_steering_type sources_wall_follow_type = {
    "wall follow", sources_wall_follow, NULL, NULL, 0, false, true};

ploy_result ploy_wall_follow_source(const ploy_wall_follow_def *def, const ploy_scene *scene,
                                    const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_wall_follow_type, def, scene, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_wall_follow_fields(), &source, scene == NULL, env, out);
}

static ploy_steering sources_avoid_collision(const ploy_steering_source *source,
                                             const ploy_steering_context *context) {
    return ploy_avoid_collision(source->def, context->agent, source->target, source->number);
}

static const ploy_steering_type sources_avoid_collision_type = {
    "avoid collision", sources_avoid_collision, NULL, NULL, 0, false, true};

ploy_result ploy_avoid_collision_source(const ploy_collision_def *def,
                                        const ploy_kinematics *others, int32_t self,
                                        const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources_avoid_collision_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_collision_fields(), &source, others == NULL, env, out);
}

static ploy_steering sources_avoid_cone(const ploy_steering_source *source,
                                        const ploy_steering_context *context) {
    return ploy_avoid_cone(source->def, context->agent, source->target, source->number);
}

static const ploy_steering_type sources_avoid_cone_type = {
    "avoid cone", sources_avoid_cone, NULL, NULL, 0, false, true};

ploy_result ploy_avoid_cone_source(const ploy_cone_def *def, const ploy_kinematics *others,
                                   int32_t self, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_avoid_cone_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_cone_fields(), &source, others == NULL, env, out);
}

static ploy_steering sources_hide(const ploy_steering_source *source,
                                  const ploy_steering_context *context) {
    return ploy_hide(source->def, context->agent, *(const ploy_kinematic *)source->target,
                     source->other, source->number);
}

static const ploy_steering_type sources_hide_type = {"hide", sources_hide, NULL, NULL,
                                                     0,      false,        true};

ploy_result ploy_hide_source(const ploy_hide_def *def, const ploy_kinematic *hunter,
                             const ploy_circle *obstacles, int32_t count, const ploy_env *env,
                             ploy_steering_source *out) {
    ploy_steering_source source = {&sources_hide_type, def, hunter, obstacles, NULL, count, false};
    return ployi_source_publish(ploy_hide_fields(), &source,
                                hunter == NULL || (obstacles == NULL && count > 0) || count < 0,
                                env, out);
}

static ploy_steering sources_flock(const ploy_steering_source *source,
                                   const ploy_steering_context *context) {
    ploy_neighbours seen =
        ploy_neighbours_find(source->def, context->agent, source->target, source->number);
    return ploy_flock_steer(source->def, context->agent, &seen);
}

static const ploy_steering_type sources_flock_type = {"flock", sources_flock, NULL, NULL,
                                                      0,       false,         true};

ploy_result ploy_flock_source(const ploy_flock_def *def, const ploy_kinematics *others,
                              int32_t self, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_flock_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_flock_fields(), &source, others == NULL, env, out);
}

static ploy_steering sources_separate(const ploy_steering_source *source,
                                      const ploy_steering_context *context) {
    ploy_neighbours seen =
        ploy_neighbours_find(source->def, context->agent, source->target, source->number);
    return ploy_separate(source->def, &seen);
}

static const ploy_steering_type sources_separate_type = {
    "separate", sources_separate, NULL, NULL, 0, false, true};

ploy_result ploy_separate_source(const ploy_flock_def *def, const ploy_kinematics *others,
                                 int32_t self, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_separate_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_flock_fields(), &source, others == NULL, env, out);
}

static ploy_steering sources_conform(const ploy_steering_source *source,
                                     const ploy_steering_context *context) {
    ploy_neighbours seen =
        ploy_neighbours_find(source->def, context->agent, source->target, source->number);
    return ploy_conform(source->def, context->agent, &seen);
}

static const ploy_steering_type sources_conform_type = {"conform", sources_conform, NULL, NULL,
                                                        0,         false,           true};

ploy_result ploy_conform_source(const ploy_flock_def *def, const ploy_kinematics *others,
                                int32_t self, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_conform_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_flock_fields(), &source, others == NULL, env, out);
}

static ploy_steering sources_cohere(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    ploy_neighbours seen =
        ploy_neighbours_find(source->def, context->agent, source->target, source->number);
    return ploy_cohere(source->def, context->agent, &seen);
}

static const ploy_steering_type sources_cohere_type = {"cohere", sources_cohere, NULL, NULL,
                                                       0,        false,          true};

ploy_result ploy_cohere_source(const ploy_flock_def *def, const ploy_kinematics *others,
                               int32_t self, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_cohere_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_flock_fields(), &source, others == NULL, env, out);
}

static ploy_steering sources_wander(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    return ploy_wander_steer(source->def, context->agent, source->state, context->dt, context->key,
                             context->id.id.index, context->tick);
}

static const ploy_steering_type sources_wander_type = {
    "wander", sources_wander, NULL, ployi_source_drift_visit, sizeof(float), true, false};

ploy_result ploy_wander_source(const ploy_wander_def *def, float *drift, const ploy_env *env,
                               ploy_steering_source *out) {
    ploy_steering_source source = {&sources_wander_type, def, NULL, NULL, drift, 0, false};
    return ployi_source_publish(ploy_wander_fields(), &source, drift == NULL, env, out);
}

static ploy_steering sources_jump(const ploy_steering_source *source,
                                  const ploy_steering_context *context) {
    return ploy_jump_steer(source->def, source->state, context->agent);
}

static const ploy_steering_type sources_jump_type = {
    "jump", sources_jump, NULL, ployi_source_jump_visit, sizeof(ploy_jump), false, true};

ploy_result ploy_jump_source(const ploy_jump_def *def, ploy_jump *jump, const ploy_env *env,
                             ploy_steering_source *out) {
    ploy_steering_source source = {&sources_jump_type, def, NULL, NULL, jump, 0, false};
    return ployi_source_publish(ploy_jump_fields(), &source, jump == NULL, env, out);
}

static ploy_steering sources_craft(const ploy_steering_source *source,
                                   const ploy_steering_context *context) {
    return ploy_craft_forces(source->def, context->agent,
                             *(const ploy_craft_controls *)source->target);
}

static const ploy_steering_type sources_craft_type = {"craft", sources_craft, NULL, NULL,
                                                      0,       true,          true};

ploy_result ploy_craft_source(const ploy_craft_def *def, const ploy_craft_controls *controls,
                              const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources_craft_type, def, controls, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_craft_fields(), &source, controls == NULL, env, out);
}

// ---- what a body can do of another source's request ----

enum { SOURCES_RESCALE = 1, SOURCES_FALLBACK = 2 };

static ploy_steering sources_motor_filter(const ploy_steering_source *source,
                                          const ploy_steering_context *context) {
    ploy_steering request = ploy_steering_source_steer(source->target, context);
    return ploy_motor_filter(source->def, context->agent, request,
                             (source->number & SOURCES_RESCALE) != 0,
                             (source->number & SOURCES_FALLBACK) != 0);
}

static void sources_motor_filter_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_visit_begin(v, "filtered", PLOY_STATE);
    ploy_steering_source_visit(v, (void *)(uintptr_t)source->target);
    ploy_visit_end(v);
}

static const ploy_steering_type sources_motor_filter_type = {
    "motor filter", sources_motor_filter, NULL, sources_motor_filter_visit, 0, true, false};

ploy_result ploy_motor_filter_source(const ploy_motor_def *def,
                                     const ploy_steering_source *filtered, bool rescale,
                                     bool fallback, const ploy_env *env,
                                     ploy_steering_source *out) {
    int32_t bits = (rescale ? SOURCES_RESCALE : 0) | (fallback ? SOURCES_FALLBACK : 0);
    ploy_steering_source source = {
        &sources_motor_filter_type, def, filtered, NULL, NULL, bits, false};
    return ployi_source_publish(ploy_motor_fields(), &source, filtered == NULL, env, out);
}
