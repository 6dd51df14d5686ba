// What the interface of sources costs: every behavior requested through its source, beside the plain
// calls of the same behaviors.
#include <string.h>

#include "bench/bench.h"
#include "ploy/move/align.h"
#include "ploy/move/arrive.h"
#include "ploy/move/collision.h"
#include "ploy/move/craft.h"
#include "ploy/move/escort.h"
#include "ploy/move/feelers.h"
#include "ploy/move/flee.h"
#include "ploy/move/flock.h"
#include "ploy/move/flow.h"
#include "ploy/move/hide.h"
#include "ploy/move/intercept.h"
#include "ploy/move/jump.h"
#include "ploy/move/match.h"
#include "ploy/move/motor.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/path_follow.h"
#include "ploy/move/pursue.h"
#include "ploy/move/seek.h"
#include "ploy/move/wander.h"

enum { SOURCE_OTHERS = 3, SOURCE_MOST = 48, SOURCE_REPEATS = 100 };

typedef struct source_bench {
    ploy_align_def align;
    ploy_arrive_def arrive;
    ploy_collision_def collision;
    ploy_cone_def cone;
    ploy_contain_def contain;
    ploy_craft_def craft;
    ploy_evade_def evade;
    ploy_feelers_def feelers;
    ploy_flee_def flee;
    ploy_flock_def flock;
    ploy_flow_def flow;
    ploy_fly_by_def fly_by;
    ploy_follow_def follow;
    ploy_hide_def hide;
    ploy_intercept_def intercept;
    ploy_interpose_def interpose;
    ploy_jump_def jump;
    ploy_match_def match;
    ploy_obstacle_def obstacle;
    ploy_offset_pursuit_def offset_pursuit;
    ploy_path_follow_def path_follow;
    ploy_pursue_def pursue;
    ploy_seek_def seek;
    ploy_wall_follow_def wall_follow;
    ploy_wander_def wander;
    ploy_waypoints_def waypoints;
    ploy_kinematic others[SOURCE_OTHERS];
    ploy_kinematic3 others3[SOURCE_OTHERS];
    ploy_kinematics view;
    ploy_kinematics3 view3;
    ploy_vec2 point, offset, points[SOURCE_OTHERS];
    ploy_vec3 point3, offset3, points3[SOURCE_OTHERS];
    float number;
    ploy_quat facing;
    ploy_polyline path;
    ploy_spline2 spline;
    ploy_spline3 spline3;
    ploy_flow_field field;
    ploy_flow_field3 field3;
    ploy_box2 box;
    ploy_box3 box3;
    ploy_circle circles[SOURCE_OTHERS];
    ploy_sphere spheres[SOURCE_OTHERS];
    ploy_scene walls, walls3; // empty
    ploy_craft_controls controls;
    ploy_feelers whiskers;
    ploy_jump leap;
    float drift, along;
    ploy_vec3 drift3;
    int32_t next;
    ploy_steering_context context;
    ploy_steering_source sources[SOURCE_MOST];
    int32_t count;
    ploy_steering steerings[SOURCE_MOST];
    ploy_steering3 steerings3[SOURCE_MOST];
} source_bench;

static ploy_vec2 source_bench_flow(const void *user, ploy_vec2 point) {
    (void)user;
    return ploy_vec2_make(-point.y, point.x);
}

static ploy_vec3 source_bench_flow3(const void *user, ploy_vec3 point) {
    (void)user;
    return ploy_vec3_make(-point.y, point.x, 1.0f);
}

static void source_bench_init(source_bench *data) {
    memset(data, 0, sizeof *data);
    data->align = ploy_align_def_default();
    data->arrive = ploy_arrive_def_default();
    data->collision = ploy_collision_def_default();
    data->cone = ploy_cone_def_default();
    data->contain = ploy_contain_def_default();
    data->craft = ploy_craft_def_default();
    data->evade = ploy_evade_def_default();
    data->feelers = ploy_feelers_def_default();
    data->flee = ploy_flee_def_default();
    data->flock = ploy_flock_def_default();
    data->flow = ploy_flow_def_default();
    data->fly_by = ploy_fly_by_def_default();
    data->follow = ploy_follow_def_default();
    data->hide = ploy_hide_def_default();
    data->intercept = ploy_intercept_def_default();
    data->interpose = ploy_interpose_def_default();
    data->jump = ploy_jump_def_default();
    data->match = ploy_match_def_default();
    data->obstacle = ploy_obstacle_def_default();
    data->offset_pursuit = ploy_offset_pursuit_def_default();
    data->path_follow = ploy_path_follow_def_default();
    data->pursue = ploy_pursue_def_default();
    data->seek = ploy_seek_def_default();
    data->wall_follow = ploy_wall_follow_def_default();
    data->wander = ploy_wander_def_default();
    data->waypoints = ploy_waypoints_def_default();
    for (int32_t i = 0; i < SOURCE_OTHERS; i++) {
        float x = 3.0f + 4.0f * (float)i, y = 2.0f - (float)i;
        data->points[i] = ploy_vec2_make(x, y);
        data->points3[i] = ploy_vec3_make(x, y, 1.0f);
        data->others[i] = ploy_kinematic_make(data->points[i], 0.5f);
        data->others[i].velocity = ploy_vec2_make(1.0f, 0.5f);
        data->others3[i] = ploy_kinematic3_make(data->points3[i]);
        data->others3[i].velocity = ploy_vec3_make(1.0f, 0.5f, 0.1f);
        data->circles[i] = ploy_circle_make(data->points[i], 1.0f);
        data->spheres[i] = ploy_sphere_make(data->points3[i], 1.0f);
    }
    data->view = ploy_kinematics_of(data->others, SOURCE_OTHERS);
    data->view3 = ploy_kinematics3_of(data->others3, SOURCE_OTHERS);
    data->point = ploy_vec2_make(9.0f, -2.0f);
    data->point3 = ploy_vec3_make(9.0f, -2.0f, 3.0f);
    data->facing = ploy_quat_from_orientation(1.0f);
    data->path = ploy_polyline_make(data->points, SOURCE_OTHERS, false);
    data->spline = ploy_spline2_make(data->points, SOURCE_OTHERS, PLOY_SPLINE_CENTRIPETAL, false);
    data->spline3 = ploy_spline3_make(data->points3, SOURCE_OTHERS, PLOY_SPLINE_CENTRIPETAL, false);
    data->field.at = source_bench_flow;
    data->field3.at = source_bench_flow3;
    data->box = ploy_box2_make(ploy_vec2_make(-5, -5), ploy_vec2_make(5, 5));
    data->box3 = ploy_box3_make(ploy_vec3_make(-5, -5, 0), ploy_vec3_make(5, 5, 5));
    data->drift3 = ploy_vec3_make(1.0f, 0.0f, 0.0f);
    ploy_jump_point point = {{5, 0, 0}, {8, 0, 0}, PLOY_JUMP_AT_LEAST, 1.0f, {0, 0}};
    data->leap = ploy_jump_begin(&data->jump, &point, ploy_vec2_zero());
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.1f);
    agent.velocity = ploy_vec2_make(2.0f, 0.3f);
    ploy_rng_key key = ploy_rng_key_make(1);
    data->context = ploy_steering_context_make(agent, ploy_agent_id_make(1, 1), 0.02f, 0, key);
    data->context.agent3.velocity = ploy_vec3_make(2.0f, 0.3f, 0.1f);
}

static int32_t source_bench_plane(source_bench *data) {
    int32_t count = 0;
    ploy_steering_source source;
    if (ploy_seek_source(&data->seek, &data->point, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_flee_source(&data->flee, &data->point, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_arrive_source(&data->arrive, &data->point, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_pursue_source(&data->pursue, &data->others[0], NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_evade_source(&data->evade, &data->others[0], NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_intercept_source(&data->intercept, &data->others[0], NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_fly_by_source(&data->fly_by, &data->others[0], NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_follow_source(&data->follow, &data->others[0], NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_interpose_source(&data->interpose, &data->others[0], &data->others[1], NULL,
                              &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_offset_pursuit_source(&data->offset_pursuit, &data->others[0], &data->offset, NULL,
                                   &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_align_source(&data->align, &data->number, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_face_source(&data->align, &data->point, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_look_source(&data->align, NULL, &source) == PLOY_OK) data->sources[count++] = source;
    if (ploy_match_velocity_source(&data->match, &data->point, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_match_rotation_source(&data->match, &data->number, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_path_follow_source(&data->path_follow, &data->path, &data->along, NULL, &source) ==
        PLOY_OK)
        data->sources[count++] = source;
    if (ploy_spline_follow_source(&data->path_follow, &data->spline, &data->along, NULL, &source) ==
        PLOY_OK)
        data->sources[count++] = source;
    if (ploy_waypoints_source(&data->waypoints, &data->path, &data->next, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_flow_follow_source(&data->flow, &data->field, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_contain_source(&data->contain, &data->box, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_avoid_obstacles_source(&data->obstacle, data->circles, 3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_avoid_walls_source(&data->feelers, &data->walls, &data->whiskers, NULL, &source) ==
        PLOY_OK)
        data->sources[count++] = source;
    if (ploy_avoid_walls_swept_source(&data->feelers, &data->walls, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_wall_follow_source(&data->wall_follow, &data->walls, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_avoid_collision_source(&data->collision, &data->view, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_avoid_cone_source(&data->cone, &data->view, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_hide_source(&data->hide, &data->others[0], data->circles, 3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_flock_source(&data->flock, &data->view, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_separate_source(&data->flock, &data->view, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_conform_source(&data->flock, &data->view, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_cohere_source(&data->flock, &data->view, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_wander_source(&data->wander, &data->drift, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_jump_source(&data->jump, &data->leap, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_craft_source(&data->craft, &data->controls, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    return count;
}

static int32_t source_bench_space(source_bench *data) {
    int32_t count = 0;
    ploy_steering_source source;
    if (ploy_seek3_source(&data->seek, &data->point3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_flee3_source(&data->flee, &data->point3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_arrive3_source(&data->arrive, &data->point3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_pursue3_source(&data->pursue, &data->others3[0], NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_evade3_source(&data->evade, &data->others3[0], NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_intercept3_source(&data->intercept, &data->others3[0], NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_fly_by3_source(&data->fly_by, &data->others3[0], NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_follow3_source(&data->follow, &data->others3[0], NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_interpose3_source(&data->interpose, &data->others3[0], &data->others3[1], NULL,
                               &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_offset_pursuit3_source(&data->offset_pursuit, &data->others3[0], &data->offset3, NULL,
                                    &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_align3_source(&data->align, &data->facing, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_face3_source(&data->align, &data->point3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_look3_source(&data->align, NULL, &source) == PLOY_OK) data->sources[count++] = source;
    if (ploy_match_velocity3_source(&data->match, &data->point3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_match_rotation3_source(&data->match, &data->point3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_path_follow3_source(&data->path_follow, data->points3, 3, false, &data->along, NULL,
                                 &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_spline_follow3_source(&data->path_follow, &data->spline3, &data->along, NULL,
                                   &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_waypoints3_source(&data->waypoints, data->points3, 3, false, &data->next, NULL,
                               &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_flow_follow3_source(&data->flow, &data->field3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_contain3_source(&data->contain, &data->box3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_avoid_obstacles3_source(&data->obstacle, data->spheres, 3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_avoid_walls_swept3_source(&data->feelers, &data->walls3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_avoid_collision3_source(&data->collision, &data->view3, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_avoid_cone3_source(&data->cone, &data->view3, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_hide3_source(&data->hide, &data->others3[0], data->spheres, 3, NULL, &source) ==
        PLOY_OK)
        data->sources[count++] = source;
    if (ploy_flock3_source(&data->flock, &data->view3, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_separate3_source(&data->flock, &data->view3, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_conform3_source(&data->flock, &data->view3, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_cohere3_source(&data->flock, &data->view3, -1, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    if (ploy_wander3_source(&data->wander, &data->drift3, NULL, &source) == PLOY_OK)
        data->sources[count++] = source;
    return count;
}

static void source_bench_plain(void *self) {
    source_bench *data = self;
    const ploy_steering_context *c = &data->context;
    ploy_steering *out = data->steerings;
    for (int32_t repeat = 0; repeat < SOURCE_REPEATS; repeat++) {
        out[0] = ploy_seek(&data->seek, c->agent, data->point);
        out[1] = ploy_flee(&data->flee, c->agent, data->point);
        out[2] = ploy_arrive(&data->arrive, c->agent, data->point);
        out[3] = ploy_pursue(&data->pursue, c->agent, data->others[0]);
        out[4] = ploy_evade(&data->evade, c->agent, data->others[0]);
        out[5] = ploy_intercept(&data->intercept, c->agent, data->others[0]);
        out[6] = ploy_fly_by(&data->fly_by, c->agent, data->others[0]);
        out[7] = ploy_follow(&data->follow, c->agent, data->others[0]);
        out[8] = ploy_interpose(&data->interpose, c->agent, data->others[0], data->others[1]);
        out[9] =
            ploy_offset_pursuit(&data->offset_pursuit, c->agent, data->others[0], data->offset);
        out[10] = ploy_align(&data->align, c->agent, data->number);
        out[11] = ploy_face(&data->align, c->agent, data->point);
        out[12] = ploy_look(&data->align, c->agent);
        out[13] = ploy_match_velocity(&data->match, c->agent, data->point);
        out[14] = ploy_match_rotation(&data->match, c->agent, data->number);
        out[15] = ploy_path_follow(&data->path_follow, c->agent, &data->path, &data->along);
        out[16] = ploy_spline_follow(&data->path_follow, c->agent, &data->spline, &data->along);
        out[17] = ploy_waypoints(&data->waypoints, c->agent, &data->path, &data->next);
        out[18] = ploy_flow_follow(&data->flow, c->agent, &data->field);
        out[19] = ploy_contain(&data->contain, c->agent, data->box);
        out[20] = ploy_avoid_obstacles(&data->obstacle, c->agent, data->circles, 3);
        out[21] = ploy_avoid_walls(&data->feelers, &data->whiskers, c->agent, &data->walls, c->dt);
        out[22] = ploy_avoid_walls_swept(&data->feelers, c->agent, &data->walls);
        out[23] = ploy_wall_follow(&data->wall_follow, c->agent, &data->walls);
        out[24] = ploy_avoid_collision(&data->collision, c->agent, &data->view, -1);
        out[25] = ploy_avoid_cone(&data->cone, c->agent, &data->view, -1);
        out[26] = ploy_hide(&data->hide, c->agent, data->others[0], data->circles, 3);
        {
            ploy_neighbours seen = ploy_neighbours_find(&data->flock, c->agent, &data->view, -1);
            out[27] = ploy_flock_steer(&data->flock, c->agent, &seen);
        }
        {
            ploy_neighbours seen = ploy_neighbours_find(&data->flock, c->agent, &data->view, -1);
            out[28] = ploy_separate(&data->flock, &seen);
        }
        {
            ploy_neighbours seen = ploy_neighbours_find(&data->flock, c->agent, &data->view, -1);
            out[29] = ploy_conform(&data->flock, c->agent, &seen);
        }
        {
            ploy_neighbours seen = ploy_neighbours_find(&data->flock, c->agent, &data->view, -1);
            out[30] = ploy_cohere(&data->flock, c->agent, &seen);
        }
        out[31] = ploy_wander_steer(&data->wander, c->agent, &data->drift, c->dt, c->key,
                                    c->id.id.index, c->tick);
        out[32] = ploy_jump_steer(&data->jump, &data->leap, c->agent);
        out[33] = ploy_craft_forces(&data->craft, c->agent, data->controls);
        bench_keep(out);
    }
}

static void source_bench_plain3(void *self) {
    source_bench *data = self;
    const ploy_steering_context *c = &data->context;
    ploy_steering3 *out = data->steerings3;
    for (int32_t repeat = 0; repeat < SOURCE_REPEATS; repeat++) {
        out[0] = ploy_seek3(&data->seek, c->agent3, data->point3);
        out[1] = ploy_flee3(&data->flee, c->agent3, data->point3);
        out[2] = ploy_arrive3(&data->arrive, c->agent3, data->point3);
        out[3] = ploy_pursue3(&data->pursue, c->agent3, data->others3[0]);
        out[4] = ploy_evade3(&data->evade, c->agent3, data->others3[0]);
        out[5] = ploy_intercept3(&data->intercept, c->agent3, data->others3[0]);
        out[6] = ploy_fly_by3(&data->fly_by, c->agent3, data->others3[0]);
        out[7] = ploy_follow3(&data->follow, c->agent3, data->others3[0]);
        out[8] = ploy_interpose3(&data->interpose, c->agent3, data->others3[0], data->others3[1]);
        out[9] =
            ploy_offset_pursuit3(&data->offset_pursuit, c->agent3, data->others3[0], data->offset3);
        out[10] = ploy_align3(&data->align, c->agent3, data->facing);
        out[11] = ploy_face3(&data->align, c->agent3, data->point3);
        out[12] = ploy_look3(&data->align, c->agent3);
        out[13] = ploy_match_velocity3(&data->match, c->agent3, data->point3);
        out[14] = ploy_match_rotation3(&data->match, c->agent3, data->point3);
        out[15] =
            ploy_path_follow3(&data->path_follow, c->agent3, data->points3, 3, false, &data->along);
        out[16] = ploy_spline_follow3(&data->path_follow, c->agent3, &data->spline3, &data->along);
        out[17] =
            ploy_waypoints3(&data->waypoints, c->agent3, data->points3, 3, false, &data->next);
        out[18] = ploy_flow_follow3(&data->flow, c->agent3, &data->field3);
        out[19] = ploy_contain3(&data->contain, c->agent3, data->box3);
        out[20] = ploy_avoid_obstacles3(&data->obstacle, c->agent3, data->spheres, 3);
        out[21] = ploy_avoid_walls_swept3(&data->feelers, c->agent3, &data->walls3);
        out[22] = ploy_avoid_collision3(&data->collision, c->agent3, &data->view3, -1);
        out[23] = ploy_avoid_cone3(&data->cone, c->agent3, &data->view3, -1);
        out[24] = ploy_hide3(&data->hide, c->agent3, data->others3[0], data->spheres, 3);
        {
            ploy_neighbours3 seen =
                ploy_neighbours3_find(&data->flock, c->agent3, &data->view3, -1);
            out[25] = ploy_flock3_steer(&data->flock, c->agent3, &seen);
        }
        {
            ploy_neighbours3 seen =
                ploy_neighbours3_find(&data->flock, c->agent3, &data->view3, -1);
            out[26] = ploy_separate3(&data->flock, &seen);
        }
        {
            ploy_neighbours3 seen =
                ploy_neighbours3_find(&data->flock, c->agent3, &data->view3, -1);
            out[27] = ploy_conform3(&data->flock, c->agent3, &seen);
        }
        {
            ploy_neighbours3 seen =
                ploy_neighbours3_find(&data->flock, c->agent3, &data->view3, -1);
            out[28] = ploy_cohere3(&data->flock, c->agent3, &seen);
        }
        out[29] = ploy_wander3_steer(&data->wander, c->agent3, &data->drift3, c->dt, c->key,
                                     c->id.id.index, c->tick);
        bench_keep(out);
    }
}

static void source_bench_run(void *self) {
    source_bench *data = self;
    for (int32_t repeat = 0; repeat < SOURCE_REPEATS; repeat++) {
        for (int32_t i = 0; i < data->count; i++) {
            data->steerings[i] = ploy_steering_source_steer(&data->sources[i], &data->context);
        }
        bench_keep(data->steerings);
    }
}

static void source_bench_run3(void *self) {
    source_bench *data = self;
    for (int32_t repeat = 0; repeat < SOURCE_REPEATS; repeat++) {
        for (int32_t i = 0; i < data->count; i++) {
            data->steerings3[i] = ploy_steering_source_steer3(&data->sources[i], &data->context);
        }
        bench_keep(data->steerings3);
    }
}

void bench_move_sources(bench_run *run) {
    static source_bench ours, plain;
    bool space = bench_size(run) == 3;
    source_bench_init(&ours);
    source_bench_init(&plain);
    ours.context.spatial = plain.context.spatial = space;
    ours.count = space ? source_bench_space(&ours) : source_bench_plane(&ours);
    double calls = (double)ours.count * SOURCE_REPEATS;
    bench_measure(run, bench_call(space ? source_bench_run3 : source_bench_run, &ours, calls),
                  bench_nothing(),
                  bench_call(space ? source_bench_plain3 : source_bench_plain, &plain, calls));
}
