// The behaviors of space as steering sources; as in sources.c.
#include "move/source_internal.h"

static ploy_steering3 sources3_seek(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    return ploy_seek3(source->def, context->agent3, *(const ploy_vec3 *)source->target);
}

static const ploy_steering_type sources3_seek_type = {"seek", NULL,  sources3_seek, NULL,
                                                      0,      false, true};

ploy_result ploy_seek3_source(const ploy_seek_def *def, const ploy_vec3 *target,
                              const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_seek_type, def, target, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_seek_fields(), &source, target == NULL, env, out);
}

static ploy_steering3 sources3_flee(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    return ploy_flee3(source->def, context->agent3, *(const ploy_vec3 *)source->target);
}

static const ploy_steering_type sources3_flee_type = {"flee", NULL,  sources3_flee, NULL,
                                                      0,      false, true};

ploy_result ploy_flee3_source(const ploy_flee_def *def, const ploy_vec3 *threat,
                              const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_flee_type, def, threat, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_flee_fields(), &source, threat == NULL, env, out);
}

static ploy_steering3 sources3_arrive(const ploy_steering_source *source,
                                      const ploy_steering_context *context) {
    return ploy_arrive3(source->def, context->agent3, *(const ploy_vec3 *)source->target);
}

static const ploy_steering_type sources3_arrive_type = {"arrive", NULL, sources3_arrive, NULL, 0,
                                                        false,    true};

ploy_result ploy_arrive3_source(const ploy_arrive_def *def, const ploy_vec3 *target,
                                const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_arrive_type, def, target, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_arrive_fields(), &source, target == NULL, env, out);
}

static ploy_steering3 sources3_pursue(const ploy_steering_source *source,
                                      const ploy_steering_context *context) {
    return ploy_pursue3(source->def, context->agent3, *(const ploy_kinematic3 *)source->target);
}

static const ploy_steering_type sources3_pursue_type = {"pursue", NULL, sources3_pursue, NULL, 0,
                                                        false,    true};

ploy_result ploy_pursue3_source(const ploy_pursue_def *def, const ploy_kinematic3 *target,
                                const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_pursue_type, def, target, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_pursue_fields(), &source, target == NULL, env, out);
}

static ploy_steering3 sources3_evade(const ploy_steering_source *source,
                                     const ploy_steering_context *context) {
    return ploy_evade3(source->def, context->agent3, *(const ploy_kinematic3 *)source->target);
}

static const ploy_steering_type sources3_evade_type = {"evade", NULL, sources3_evade, NULL, 0,
                                                       false,   true};

ploy_result ploy_evade3_source(const ploy_evade_def *def, const ploy_kinematic3 *pursuer,
                               const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_evade_type, def, pursuer, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_evade_fields(), &source, pursuer == NULL, env, out);
}

static ploy_steering3 sources3_intercept(const ploy_steering_source *source,
                                         const ploy_steering_context *context) {
    return ploy_intercept3(source->def, context->agent3, *(const ploy_kinematic3 *)source->target);
}

static const ploy_steering_type sources3_intercept_type = {
    "intercept", NULL, sources3_intercept, NULL, 0, false, true};

ploy_result ploy_intercept3_source(const ploy_intercept_def *def, const ploy_kinematic3 *prey,
                                   const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_intercept_type, def, prey, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_intercept_fields(), &source, prey == NULL, env, out);
}

static ploy_steering3 sources3_fly_by(const ploy_steering_source *source,
                                      const ploy_steering_context *context) {
    return ploy_fly_by3(source->def, context->agent3, *(const ploy_kinematic3 *)source->target);
}

static const ploy_steering_type sources3_fly_by_type = {"fly by", NULL, sources3_fly_by, NULL, 0,
                                                        false,    true};

ploy_result ploy_fly_by3_source(const ploy_fly_by_def *def, const ploy_kinematic3 *target,
                                const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_fly_by_type, def, target, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_fly_by_fields(), &source, target == NULL, env, out);
}

static ploy_steering3 sources3_follow(const ploy_steering_source *source,
                                      const ploy_steering_context *context) {
    return ploy_follow3(source->def, context->agent3, *(const ploy_kinematic3 *)source->target);
}

static const ploy_steering_type sources3_follow_type = {"follow", NULL, sources3_follow, NULL, 0,
                                                        false,    true};

ploy_result ploy_follow3_source(const ploy_follow_def *def, const ploy_kinematic3 *leader,
                                const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_follow_type, def, leader, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_follow_fields(), &source, leader == NULL, env, out);
}

static ploy_steering3 sources3_interpose(const ploy_steering_source *source,
                                         const ploy_steering_context *context) {
    return ploy_interpose3(source->def, context->agent3, *(const ploy_kinematic3 *)source->target,
                           *(const ploy_kinematic3 *)source->other);
}

static const ploy_steering_type sources3_interpose_type = {
    "interpose", NULL, sources3_interpose, NULL, 0, false, true};

ploy_result ploy_interpose3_source(const ploy_interpose_def *def, const ploy_kinematic3 *a,
                                   const ploy_kinematic3 *b, const ploy_env *env,
                                   ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_interpose_type, def, a, b, NULL, 0, false};
    return ployi_source_publish(ploy_interpose_fields(), &source, a == NULL || b == NULL, env, out);
}

static ploy_steering3 sources3_offset_pursuit(const ploy_steering_source *source,
                                              const ploy_steering_context *context) {
    return ploy_offset_pursuit3(source->def, context->agent3,
                                *(const ploy_kinematic3 *)source->target,
                                *(const ploy_vec3 *)source->other);
}

static const ploy_steering_type sources3_offset_pursuit_type = {
    "offset pursuit", NULL, sources3_offset_pursuit, NULL, 0, false, true};

ploy_result ploy_offset_pursuit3_source(const ploy_offset_pursuit_def *def,
                                        const ploy_kinematic3 *leader, const ploy_vec3 *offset,
                                        const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources3_offset_pursuit_type, def, leader, offset, NULL, 0, false};
    return ployi_source_publish(ploy_offset_pursuit_fields(), &source,
                                leader == NULL || offset == NULL, env, out);
}

static ploy_steering3 sources3_align(const ploy_steering_source *source,
                                     const ploy_steering_context *context) {
    return ploy_align3(source->def, context->agent3, *(const ploy_quat *)source->target);
}

static const ploy_steering_type sources3_align_type = {"align", NULL, sources3_align, NULL, 0,
                                                       true,    true};

ploy_result ploy_align3_source(const ploy_align_def *def, const ploy_quat *orientation,
                               const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_align_type, def, orientation, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_align_fields(), &source, orientation == NULL, env, out);
}

static ploy_steering3 sources3_face(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    return ploy_face3(source->def, context->agent3, *(const ploy_vec3 *)source->target);
}

static const ploy_steering_type sources3_face_type = {"face", NULL, sources3_face, NULL,
                                                      0,      true, true};

ploy_result ploy_face3_source(const ploy_align_def *def, const ploy_vec3 *point,
                              const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_face_type, def, point, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_align_fields(), &source, point == NULL, env, out);
}

static ploy_steering3 sources3_look(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    return ploy_look3(source->def, context->agent3);
}

static const ploy_steering_type sources3_look_type = {"look", NULL, sources3_look, NULL,
                                                      0,      true, true};

ploy_result ploy_look3_source(const ploy_align_def *def, const ploy_env *env,
                              ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_look_type, def, NULL, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_align_fields(), &source, false, env, out);
}

static ploy_steering3 sources3_match_velocity(const ploy_steering_source *source,
                                              const ploy_steering_context *context) {
    return ploy_match_velocity3(source->def, context->agent3, *(const ploy_vec3 *)source->target);
}

static const ploy_steering_type sources3_match_velocity_type = {
    "match velocity", NULL, sources3_match_velocity, NULL, 0, false, true};

ploy_result ploy_match_velocity3_source(const ploy_match_def *def, const ploy_vec3 *velocity,
                                        const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources3_match_velocity_type, def, velocity, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_match_fields(), &source, velocity == NULL, env, out);
}

static ploy_steering3 sources3_match_rotation(const ploy_steering_source *source,
                                              const ploy_steering_context *context) {
    return ploy_match_rotation3(source->def, context->agent3, *(const ploy_vec3 *)source->target);
}

static const ploy_steering_type sources3_match_rotation_type = {
    "match rotation", NULL, sources3_match_rotation, NULL, 0, true, true};

ploy_result ploy_match_rotation3_source(const ploy_match_def *def, const ploy_vec3 *rotation,
                                        const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources3_match_rotation_type, def, rotation, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_match_fields(), &source, rotation == NULL, env, out);
}

static ploy_steering3 sources3_path_follow(const ploy_steering_source *source,
                                           const ploy_steering_context *context) {
    return ploy_path_follow3(source->def, context->agent3, source->target, source->number,
                             source->closed, source->state);
}

static const ploy_steering_type sources3_path_follow_type = {
    "path follow", NULL, sources3_path_follow, ployi_source_along_visit, sizeof(float),
    false,         true};

ploy_result ploy_path_follow3_source(const ploy_path_follow_def *def, const ploy_vec3 *points,
                                     int32_t count, bool closed, float *along, const ploy_env *env,
                                     ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources3_path_follow_type, def, points, NULL, along, count, closed};
    return ployi_source_publish(ploy_path_follow_fields(), &source,
                                points == NULL || count < 0 || along == NULL, env, out);
}

static ploy_steering3 sources3_spline_follow(const ploy_steering_source *source,
                                             const ploy_steering_context *context) {
    return ploy_spline_follow3(source->def, context->agent3, source->target, source->state);
}

static const ploy_steering_type sources3_spline_follow_type = {
    "spline follow", NULL, sources3_spline_follow, ployi_source_along_visit, sizeof(float),
    false,           true};

ploy_result ploy_spline_follow3_source(const ploy_path_follow_def *def, const ploy_spline3 *spline,
                                       float *along, const ploy_env *env,
                                       ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources3_spline_follow_type, def, spline, NULL, along, 0, false};
    return ployi_source_publish(ploy_path_follow_fields(), &source, spline == NULL || along == NULL,
                                env, out);
}

static ploy_steering3 sources3_waypoints(const ploy_steering_source *source,
                                         const ploy_steering_context *context) {
    return ploy_waypoints3(source->def, context->agent3, source->target, source->number,
                           source->closed, source->state);
}

static const ploy_steering_type sources3_waypoints_type = {
    "waypoints", NULL, sources3_waypoints, ployi_source_next_visit, sizeof(int32_t), false, true};

ploy_result ploy_waypoints3_source(const ploy_waypoints_def *def, const ploy_vec3 *points,
                                   int32_t count, bool closed, int32_t *next, const ploy_env *env,
                                   ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources3_waypoints_type, def, points, NULL, next, count, closed};
    return ployi_source_publish(ploy_waypoints_fields(), &source,
                                points == NULL || count < 0 || next == NULL, env, out);
}

static ploy_steering3 sources3_flow_follow(const ploy_steering_source *source,
                                           const ploy_steering_context *context) {
    return ploy_flow_follow3(source->def, context->agent3, source->target);
}

static const ploy_steering_type sources3_flow_follow_type = {
    "flow follow", NULL, sources3_flow_follow, NULL, 0, false, true};

ploy_result ploy_flow_follow3_source(const ploy_flow_def *def, const ploy_flow_field3 *field,
                                     const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_flow_follow_type, def, field, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_flow_fields(), &source, field == NULL, env, out);
}

static ploy_steering3 sources3_contain(const ploy_steering_source *source,
                                       const ploy_steering_context *context) {
    return ploy_contain3(source->def, context->agent3, *(const ploy_box3 *)source->target);
}

static const ploy_steering_type sources3_contain_type = {"contain", NULL, sources3_contain, NULL, 0,
                                                         false,     true};

ploy_result ploy_contain3_source(const ploy_contain_def *def, const ploy_box3 *box,
                                 const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_contain_type, def, box, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_contain_fields(), &source, box == NULL, env, out);
}

static ploy_steering3 sources3_avoid_obstacles(const ploy_steering_source *source,
                                               const ploy_steering_context *context) {
    return ploy_avoid_obstacles3(source->def, context->agent3, source->target, source->number);
}

static const ploy_steering_type sources3_avoid_obstacles_type = {
    "avoid obstacles", NULL, sources3_avoid_obstacles, NULL, 0, false, true};

ploy_result ploy_avoid_obstacles3_source(const ploy_obstacle_def *def, const ploy_sphere *obstacles,
                                         int32_t count, const ploy_env *env,
                                         ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources3_avoid_obstacles_type, def, obstacles, NULL, NULL, count, false};
    return ployi_source_publish(ploy_obstacle_fields(), &source,
                                (obstacles == NULL && count > 0) || count < 0, env, out);
}

static ploy_steering3 sources3_avoid_walls_swept(const ploy_steering_source *source,
                                                 const ploy_steering_context *context) {
    return ploy_avoid_walls_swept3(source->def, context->agent3, source->target);
}

static const ploy_steering_type sources3_avoid_walls_swept_type = {
    "avoid walls swept", NULL, sources3_avoid_walls_swept, NULL, 0, false, true};

ploy_result ploy_avoid_walls_swept3_source(const ploy_feelers_def *def, const ploy_scene *scene,
                                           const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources3_avoid_walls_swept_type, def, scene, NULL, NULL, 0, false};
    return ployi_source_publish(ploy_feelers_fields(), &source, scene == NULL, env, out);
}

static ploy_steering3 sources3_avoid_collision(const ploy_steering_source *source,
                                               const ploy_steering_context *context) {
    return ploy_avoid_collision3(source->def, context->agent3, source->target, source->number);
}

static const ploy_steering_type sources3_avoid_collision_type = {
    "avoid collision", NULL, sources3_avoid_collision, NULL, 0, false, true};

ploy_result ploy_avoid_collision3_source(const ploy_collision_def *def,
                                         const ploy_kinematics3 *others, int32_t self,
                                         const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {
        &sources3_avoid_collision_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_collision_fields(), &source, others == NULL, env, out);
}

static ploy_steering3 sources3_avoid_cone(const ploy_steering_source *source,
                                          const ploy_steering_context *context) {
    return ploy_avoid_cone3(source->def, context->agent3, source->target, source->number);
}

static const ploy_steering_type sources3_avoid_cone_type = {
    "avoid cone", NULL, sources3_avoid_cone, NULL, 0, false, true};

ploy_result ploy_avoid_cone3_source(const ploy_cone_def *def, const ploy_kinematics3 *others,
                                    int32_t self, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_avoid_cone_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_cone_fields(), &source, others == NULL, env, out);
}

static ploy_steering3 sources3_hide(const ploy_steering_source *source,
                                    const ploy_steering_context *context) {
    return ploy_hide3(source->def, context->agent3, *(const ploy_kinematic3 *)source->target,
                      source->other, source->number);
}

static const ploy_steering_type sources3_hide_type = {"hide", NULL,  sources3_hide, NULL,
                                                      0,      false, true};

ploy_result ploy_hide3_source(const ploy_hide_def *def, const ploy_kinematic3 *hunter,
                              const ploy_sphere *obstacles, int32_t count, const ploy_env *env,
                              ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_hide_type, def, hunter, obstacles, NULL, count, false};
    return ployi_source_publish(ploy_hide_fields(), &source,
                                hunter == NULL || (obstacles == NULL && count > 0) || count < 0,
                                env, out);
}

static ploy_steering3 sources3_flock(const ploy_steering_source *source,
                                     const ploy_steering_context *context) {
    ploy_neighbours3 seen =
        ploy_neighbours3_find(source->def, context->agent3, source->target, source->number);
    return ploy_flock3_steer(source->def, context->agent3, &seen);
}

static const ploy_steering_type sources3_flock_type = {"flock", NULL, sources3_flock, NULL, 0,
                                                       false,   true};

ploy_result ploy_flock3_source(const ploy_flock_def *def, const ploy_kinematics3 *others,
                               int32_t self, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_flock_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_flock_fields(), &source, others == NULL, env, out);
}

static ploy_steering3 sources3_separate(const ploy_steering_source *source,
                                        const ploy_steering_context *context) {
    ploy_neighbours3 seen =
        ploy_neighbours3_find(source->def, context->agent3, source->target, source->number);
    return ploy_separate3(source->def, &seen);
}

static const ploy_steering_type sources3_separate_type = {
    "separate", NULL, sources3_separate, NULL, 0, false, true};

ploy_result ploy_separate3_source(const ploy_flock_def *def, const ploy_kinematics3 *others,
                                  int32_t self, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_separate_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_flock_fields(), &source, others == NULL, env, out);
}

static ploy_steering3 sources3_conform(const ploy_steering_source *source,
                                       const ploy_steering_context *context) {
    ploy_neighbours3 seen =
        ploy_neighbours3_find(source->def, context->agent3, source->target, source->number);
    return ploy_conform3(source->def, context->agent3, &seen);
}

static const ploy_steering_type sources3_conform_type = {"conform", NULL, sources3_conform, NULL, 0,
                                                         false,     true};

ploy_result ploy_conform3_source(const ploy_flock_def *def, const ploy_kinematics3 *others,
                                 int32_t self, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_conform_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_flock_fields(), &source, others == NULL, env, out);
}

static ploy_steering3 sources3_cohere(const ploy_steering_source *source,
                                      const ploy_steering_context *context) {
    ploy_neighbours3 seen =
        ploy_neighbours3_find(source->def, context->agent3, source->target, source->number);
    return ploy_cohere3(source->def, context->agent3, &seen);
}

static const ploy_steering_type sources3_cohere_type = {"cohere", NULL, sources3_cohere, NULL, 0,
                                                        false,    true};

ploy_result ploy_cohere3_source(const ploy_flock_def *def, const ploy_kinematics3 *others,
                                int32_t self, const ploy_env *env, ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_cohere_type, def, others, NULL, NULL, self, false};
    return ployi_source_publish(ploy_flock_fields(), &source, others == NULL, env, out);
}

static ploy_steering3 sources3_wander(const ploy_steering_source *source,
                                      const ploy_steering_context *context) {
    return ploy_wander3_steer(source->def, context->agent3, source->state, context->dt,
                              context->key, context->id.id.index, context->tick);
}

static const ploy_steering_type sources3_wander_type = {
    "wander", NULL, sources3_wander, ployi_source_drift3_visit, sizeof(ploy_vec3), true, false};

ploy_result ploy_wander3_source(const ploy_wander_def *def, ploy_vec3 *drift, const ploy_env *env,
                                ploy_steering_source *out) {
    ploy_steering_source source = {&sources3_wander_type, def, NULL, NULL, drift, 0, false};
    return ployi_source_publish(ploy_wander_fields(), &source, drift == NULL, env, out);
}
