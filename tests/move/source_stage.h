// Settings, surroundings and state of every steering source: what tests/move/source_rows.inc refers
// to, shared by the test and the benchmark of sources.
#pragma once

#include <string.h>

#include "ploy/move/agitate.h"
#include "ploy/move/align.h"
#include "ploy/move/arrive.h"
#include "ploy/move/collision.h"
#include "ploy/move/context.h"
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
#include "ploy/move/moves.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/path_follow.h"
#include "ploy/move/pursue.h"
#include "ploy/move/seek.h"
#include "ploy/move/wander.h"

enum { SOURCE_OTHERS = 3 };

// Settings, surroundings and state. Sources point into it, so it is saved and restored in place.
typedef struct source_stage {
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
    ploy_agitate_def agitate;
    ploy_context_def context;
    ploy_pass_by_def pass_by;
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
    ploy_scene walls, walls3;
    ploy_craft_controls controls;
    ploy_context map;
    ploy_steering_source inner, inner3; // what filters work on
    ploy_maneuver turns[2];
    ploy_maneuvers maneuvers;
    // state
    ploy_feelers whiskers;
    ploy_jump leap;
    float drift, along;
    ploy_vec3 drift3;
    int32_t next, last;
    float waited;
    ploy_maneuver_state maneuver;
    ploy_jump_gaps gaps;
} source_stage;

static inline void source_stage_defaults(source_stage *s) {
    s->align = ploy_align_def_default();
    s->arrive = ploy_arrive_def_default();
    s->collision = ploy_collision_def_default();
    s->cone = ploy_cone_def_default();
    s->contain = ploy_contain_def_default();
    s->craft = ploy_craft_def_default();
    s->evade = ploy_evade_def_default();
    s->feelers = ploy_feelers_def_default();
    s->flee = ploy_flee_def_default();
    s->flock = ploy_flock_def_default();
    s->flow = ploy_flow_def_default();
    s->fly_by = ploy_fly_by_def_default();
    s->follow = ploy_follow_def_default();
    s->hide = ploy_hide_def_default();
    s->intercept = ploy_intercept_def_default();
    s->interpose = ploy_interpose_def_default();
    s->jump = ploy_jump_def_default();
    s->match = ploy_match_def_default();
    s->obstacle = ploy_obstacle_def_default();
    s->offset_pursuit = ploy_offset_pursuit_def_default();
    s->path_follow = ploy_path_follow_def_default();
    s->pursue = ploy_pursue_def_default();
    s->seek = ploy_seek_def_default();
    s->wall_follow = ploy_wall_follow_def_default();
    s->wander = ploy_wander_def_default();
    s->waypoints = ploy_waypoints_def_default();
    s->agitate = ploy_agitate_def_default();
    s->context = ploy_context_def_default();
    s->pass_by = ploy_pass_by_def_default();
    s->gaps = ploy_jump_gaps_make(UINT32_MAX);
    s->agitate.patience = 0.05f; // so that a few steps show a kick
    s->agitate.inwards = true;
    s->pass_by.within = 50.0f;
}

// What stands on the others and the points: filters, maps and maneuvers. After those are set.
static inline void source_stage_finish(source_stage *s) {
    ploy_context_init(&s->map, &s->context);
    for (int32_t i = 0; i < SOURCE_OTHERS; i++) {
        ploy_context_add_interest(&s->map, s->points[i], 0.5f + 0.25f * (float)i);
    }
    ploy_context_add_body(&s->map, ploy_vec2_zero(), s->points[0], 1.0f, 20.0f);
    s->last = -1;
    ploy_maneuver left = {0.5f, 1.0f, 1.5f, 0.0f}, ahead = {0.0f, 0.75f, 0.0f, 5.0f};
    s->turns[0] = left;
    s->turns[1] = ahead;
    s->maneuvers.list = s->turns;
    s->maneuvers.count = 2;
    s->maneuvers.floor = 0.05f;
    s->maneuver = ploy_maneuver_begin(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    (void)ploy_seek_source(&s->seek, &s->points[1], NULL, &s->inner);
    (void)ploy_seek3_source(&s->seek, &s->points3[1], NULL, &s->inner3);
}
