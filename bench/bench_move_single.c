// What one call of each single behavior costs: agents at random within 40 m, each asked in turn.
//
// The row's size says which behavior; the numbers are those of the list in benches.c.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/geom/scene.h"
#include "ploy/geom/spline.h"
#include "ploy/move/agitate.h"
#include "ploy/move/align.h"
#include "ploy/move/arrive.h"
#include "ploy/move/collision.h"
#include "ploy/move/combine.h"
#include "ploy/move/context.h"
#include "ploy/move/craft.h"
#include "ploy/move/escort.h"
#include "ploy/move/feelers.h"
#include "ploy/move/flee.h"
#include "ploy/move/flock.h"
#include "ploy/move/flow.h"
#include "ploy/move/heading.h"
#include "ploy/move/hide.h"
#include "ploy/move/integrate.h"
#include "ploy/move/intercept.h"
#include "ploy/move/match.h"
#include "ploy/move/motor.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/orca.h"
#include "ploy/move/overlap.h"
#include "ploy/move/path_follow.h"
#include "ploy/move/pipeline.h"
#include "ploy/move/pursue.h"
#include "ploy/move/seek.h"
#include "ploy/move/wander.h"

enum { SINGLE_AGENTS = 256, SINGLE_REPEATS = 20, SINGLE_THINGS = 8 };
#define SINGLE_DT (1.0f / 60.0f)

typedef struct single_bench {
    int64_t which;
    ploy_kinematic agents[SINGLE_AGENTS + 2];
    ploy_steering steerings[SINGLE_AGENTS];
    ploy_circle circles[SINGLE_THINGS];
    ploy_vec2 path[SINGLE_THINGS];
    float lengths[SINGLE_THINGS * PLOY_SPLINE_CELLS + 1]; // of the spline
    ploy_spline2 spline;
    ploy_flow_grid grid;
    ploy_flow_field field;
    ploy_plain_scene *walls;
    ploy_scene scene;
    float alongs[SINGLE_AGENTS];     // each agent's own place, as a game keeps it
    ploy_vec2 beside[SINGLE_AGENTS]; // points of the spline
    float drift, waited;
    int32_t next;
    ploy_moving_mean mean;
    float headings[2 * 10];
    ploy_context context;
    ploy_orca_agent bodies[SINGLE_AGENTS];
    ploy_neighbours seen[SINGLE_AGENTS];
    ploy_feelers feelers;
    ploy_rng_key key;
    ploy_seek_def seek;
    ploy_flee_def flee;
    ploy_arrive_def arrive;
    ploy_wander_def wander;
    ploy_pursue_def pursue;
    ploy_evade_def evade;
    ploy_intercept_def intercept;
    ploy_interpose_def interpose;
    ploy_offset_pursuit_def offset_pursuit;
    ploy_fly_by_def fly_by;
    ploy_follow_def follow;
    ploy_align_def align;
    ploy_match_def match;
    ploy_path_follow_def path_follow;
    ploy_waypoints_def waypoints;
    ploy_agitate_def agitate;
    ploy_flow_def flow;
    ploy_contain_def contain;
    ploy_obstacle_def obstacle;
    ploy_feelers_def feelers_def;
    ploy_wall_follow_def wall_follow;
    ploy_collision_def collision;
    ploy_cone_def cone;
    ploy_hide_def hide;
    ploy_flock_def flock;
    ploy_motor_def motor;
    ploy_integrate_def integrate;
    ploy_orca_def orca;
    ploy_context_def context_def;
    ploy_craft_def craft;
    ploy_bank_def bank;
    ploy_combination combination;
    ploy_steering_goal goal;
    ploy_keep_out keep_out;
    ploy_plain_actuator actuator;
    ploy_pipeline pipeline;
} single_bench;

// A vector as a steering, so that every behavior ends alike.
static ploy_steering single_bench_linear(ploy_vec2 v) {
    return ploy_steering_make(v, 0.0f);
}

static ploy_steering single_bench_combine(single_bench *data, ploy_kinematic agent) {
    ploy_steering_context context = ploy_steering_context_make(agent, ploy_agent_id_make(0, 1),
                                                               SINGLE_DT, 0, ploy_rng_key_make(1));
    return ploy_combine(&data->combination, &context);
}

static ploy_steering single_bench_pipeline(single_bench *data, ploy_kinematic agent,
                                           ploy_kinematic to, ploy_circle circle) {
    data->goal = ploy_steering_goal_at(to.position);
    data->keep_out = ploy_keep_out_make(circle.centre, circle.radius, 1.4f);
    ploy_steering_context context = ploy_steering_context_make(agent, ploy_agent_id_make(0, 1),
                                                               SINGLE_DT, 0, ploy_rng_key_make(1));
    return ploy_pipeline_steer(&data->pipeline, &context, NULL);
}

static ploy_vec2 single_bench_context(single_bench *data, ploy_kinematic agent, ploy_vec2 to) {
    ploy_context_clear(&data->context);
    ploy_context_add_interest(&data->context, ploy_vec2_sub(to, agent.position), 1.0f);
    for (int32_t k = 0; k < SINGLE_THINGS; k++) {
        ploy_context_add_body(&data->context, agent.position, data->circles[k].centre, 1.5f, 5.0f);
    }
    return ploy_context_decide(&data->context, &data->context_def, -1).direction;
}

static ploy_steering single_bench_one(single_bench *data, int32_t i) {
    ploy_kinematic agent = data->agents[i], a = data->agents[i + 1], b = data->agents[i + 2];
    ploy_polyline path = ploy_polyline_make(data->path, SINGLE_THINGS, true);
    ploy_kinematics eight = ploy_kinematics_of(&data->agents[i & ~7], 8);
    ploy_box2 box = {{-15.0f, -15.0f}, {15.0f, 15.0f}};
    ploy_neighbours seen;
    switch (data->which) {
    case 0: return ploy_pursue(&data->pursue, agent, a);
    case 1: return ploy_intercept(&data->intercept, agent, a);
    case 2: return ploy_interpose(&data->interpose, agent, a, b);
    case 3: return ploy_offset_pursuit(&data->offset_pursuit, agent, a, b.position);
    case 4: return ploy_face(&data->align, agent, a.position);
    case 5: return ploy_match_velocity(&data->match, agent, a.velocity);
    case 6: return ploy_path_follow(&data->path_follow, agent, &path, &data->alongs[i]);
    case 7: return ploy_avoid_obstacles(&data->obstacle, agent, data->circles, SINGLE_THINGS);
    case 8: return ploy_avoid_collision(&data->collision, agent, &eight, i & 7);
    case 9: return ploy_hide(&data->hide, agent, a, data->circles, SINGLE_THINGS);
    case 10: return ploy_seek(&data->seek, agent, a.position);
    case 11: return ploy_flee(&data->flee, agent, a.position);
    case 12: return ploy_arrive(&data->arrive, agent, a.position);
    case 13:
        return ploy_wander_steer(&data->wander, agent, &data->drift, SINGLE_DT, data->key,
                                 (uint32_t)i, 0);
    case 14: return ploy_evade(&data->evade, agent, a);
    case 15: return ploy_fly_by(&data->fly_by, agent, a);
    case 16: return ploy_follow(&data->follow, agent, a);
    case 17: return ploy_align(&data->align, agent, a.orientation);
    case 18: return ploy_look(&data->align, agent);
    case 19: return ploy_match_rotation(&data->match, agent, a.rotation);
    case 20:
        agent.position = ploy_vec2_add(data->beside[i], ploy_vec2_scale(a.velocity, 0.2f));
        return ploy_spline_follow(&data->path_follow, agent, &data->spline, &data->alongs[i]);
    case 21: return ploy_waypoints(&data->waypoints, agent, &path, &data->next);
    case 22:
        return single_bench_linear(
            ploy_agitate(&data->agitate, &data->waited, a.velocity, b.position.x, SINGLE_DT));
    case 23: return ploy_flow_follow(&data->flow, agent, &data->field);
    case 24: return ploy_contain(&data->contain, agent, box);
    case 25:
        return ploy_avoid_walls(&data->feelers_def, &data->feelers, agent, &data->scene, SINGLE_DT);
    case 26: return ploy_avoid_walls_swept(&data->feelers_def, agent, &data->scene);
    case 27: return ploy_wall_follow(&data->wall_follow, agent, &data->scene);
    case 28: return ploy_avoid_cone(&data->cone, agent, &eight, i & 7);
    case 29:
        return single_bench_linear(
            ploy_pass_by(agent.position, agent.velocity, a.position, 1.0f, 20.0f));
    case 30:
        seen = ploy_neighbours_find(&data->flock, agent, &eight, i & 7);
        return ploy_flock_steer(&data->flock, agent, &seen);
    case 31: {
        ploy_motor_output out = ploy_motor_control(&data->motor, agent, a.position);
        return ploy_steering_make(ploy_vec2_make(out.throttle, out.brake), out.rotation);
    }
    case 32:
        return single_bench_linear(
            ploy_integrate(&data->integrate, agent, single_bench_linear(a.velocity), SINGLE_DT)
                .position);
    case 33:
        return ploy_steering_make(agent.velocity,
                                  (float)ploy_intercept_turn(agent, a.position, 0.01f));
    case 34: return ploy_separate(&data->flock, &data->seen[i]);
    case 35: return ploy_conform(&data->flock, agent, &data->seen[i]);
    case 36: return ploy_cohere(&data->flock, agent, &data->seen[i]);
    case 37:
        return single_bench_linear(ploy_orca_find(&data->orca, &data->bodies[i & ~7],
                                                  &data->bodies[(i & ~7) + 1], 7, NULL, 0,
                                                  SINGLE_DT, NULL)
                                       .velocity);
    case 38: return single_bench_linear(single_bench_context(data, agent, a.position));
    case 39: return single_bench_combine(data, agent);
    case 40: return single_bench_pipeline(data, agent, a, data->circles[i & 7]);
    case 41: return ploy_motor_filter(&data->motor, agent, single_bench_linear(a.velocity), 1, 1);
    case 42: {
        ploy_craft_controls controls = {1.0f, ploy_craft_toward(agent, a.position, 1.0f)};
        return single_bench_linear(
            ploy_craft_step(&data->craft, agent, controls, SINGLE_DT).position);
    }
    case 43:
        return ploy_steering_make(ploy_vec2_zero(),
                                  ploy_heading_smooth(&data->mean, agent.orientation));
    case 44:
        return ploy_steering_make(ploy_vec2_zero(),
                                  ploy_bank(&data->bank, agent.orientation, a.orientation,
                                            ploy_vec3_from_vec2(agent.velocity, 1.0f))
                                      .w);
    default:
        return single_bench_linear(ploy_overlap_push(agent.position, 1.0f, a.position, 30.0f, i));
    }
}

static void single_bench_calls(void *self) {
    single_bench *data = self;
    for (int32_t repeat = 0; repeat < SINGLE_REPEATS; repeat++) {
        for (int32_t i = 0; i < SINGLE_AGENTS; i++) data->steerings[i] = single_bench_one(data, i);
        bench_keep(data->steerings);
    }
}

static void single_bench_defaults(single_bench *data) {
    data->seek = ploy_seek_def_default();
    data->flee = ploy_flee_def_default();
    data->arrive = ploy_arrive_def_default();
    data->wander = ploy_wander_def_default();
    data->pursue = ploy_pursue_def_default();
    data->evade = ploy_evade_def_default();
    data->intercept = ploy_intercept_def_default();
    data->interpose = ploy_interpose_def_default();
    data->offset_pursuit = ploy_offset_pursuit_def_default();
    data->fly_by = ploy_fly_by_def_default();
    data->follow = ploy_follow_def_default();
    data->align = ploy_align_def_default();
    data->match = ploy_match_def_default();
    data->path_follow = ploy_path_follow_def_default();
    data->waypoints = ploy_waypoints_def_default();
    data->agitate = ploy_agitate_def_default();
    data->flow = ploy_flow_def_default();
    data->contain = ploy_contain_def_default();
    data->obstacle = ploy_obstacle_def_default();
    data->feelers_def = ploy_feelers_def_default();
    data->wall_follow = ploy_wall_follow_def_default();
    data->collision = ploy_collision_def_default();
    data->cone = ploy_cone_def_default();
    data->hide = ploy_hide_def_default();
    data->flock = ploy_flock_def_default();
    data->motor = ploy_motor_def_default();
    data->integrate = ploy_integrate_def_default();
    data->orca = ploy_orca_def_default();
    data->context_def = ploy_context_def_default();
    data->craft = ploy_craft_def_default();
    data->bank = ploy_bank_def_default();
}

// The generator that the peers have too.
static float single_bench_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)((double)(*state >> 8) / 16777216.0 - 0.5);
}

// A room of 30 m with round pillars.
static bool single_bench_walls(single_bench *data) {
    static const ploy_vec2 corners[4] = {{-15, -15}, {15, -15}, {15, 15}, {-15, 15}};
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    if (ploy_plain_scene_create(&def, &env, &data->walls) != PLOY_OK) return false;
    ploy_result result = ploy_plain_scene_add_outline(data->walls, corners, 4, true, 0.0f, 1, NULL);
    for (int32_t i = 0; i < SINGLE_THINGS && result == PLOY_OK; i++) {
        result = ploy_plain_scene_add_circle(data->walls, data->circles[i].centre,
                                             data->circles[i].radius, 1, NULL);
    }
    data->scene = ploy_plain_scene_interface(data->walls);
    return result == PLOY_OK;
}

void bench_move_single(bench_run *run) {
    single_bench data;
    memset(&data, 0, sizeof data);
    data.which = bench_size(run);
    single_bench_defaults(&data);
    uint32_t random = 1;
    for (int32_t i = 0; i < SINGLE_AGENTS + 2; i++) {
        float n[5];
        for (int32_t k = 0; k < 5; k++) n[k] = single_bench_random(&random);
        data.agents[i] = ploy_kinematic_make(ploy_vec2_make(40.0f * n[0], 40.0f * n[1]), n[2]);
        data.agents[i].velocity = ploy_vec2_make(10.0f * n[3], 10.0f * n[4]);
    }
    for (int32_t i = 0; i < SINGLE_THINGS; i++) {
        data.circles[i] = ploy_circle_make(data.agents[i].position, 1.0f);
        data.path[i] = data.agents[i].position;
    }
    data.spline = ploy_spline2_make(data.path, SINGLE_THINGS, PLOY_SPLINE_CENTRIPETAL, true);
    ploy_spline2_measure(&data.spline, data.lengths);
    data.spline.along = data.lengths;
    data.grid.origin = ploy_vec2_make(-20.0f, -20.0f);
    data.grid.spacing = 20.0f;
    data.grid.columns = data.grid.rows = 2;
    data.grid.vectors = data.path;
    data.field = ploy_flow_grid_field(&data.grid);
    data.key = ploy_rng_key_make(1);
    data.mean = ploy_moving_mean_make(data.headings, 2, 10);
    ploy_context_init(&data.context, &data.context_def);
    ploy_combine_def combine = ploy_combine_def_default();
    ploy_steering_source avoid, chase;
    ploy_avoid_obstacles_source(&data.obstacle, data.circles, SINGLE_THINGS, NULL, &avoid);
    ploy_pursue_source(&data.pursue, &data.agents[0], NULL, &chase);
    ploy_combination_init(&data.combination, &combine, NULL);
    ploy_combination_add(&data.combination, "avoid", avoid, 1.0f);
    ploy_combination_add(&data.combination, "chase", chase, 1.0f);
    data.actuator = ploy_plain_actuator_default();
    data.pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&data.actuator));
    ploy_pipeline_add_targeter(&data.pipeline, ploy_goal_targeter(&data.goal));
    ploy_pipeline_add_constraint(&data.pipeline, ploy_keep_out_constraint(&data.keep_out));
    for (int32_t i = 0; i < SINGLE_AGENTS; i++) {
        ploy_kinematics eight = ploy_kinematics_of(&data.agents[i & ~7], 8);
        float along = ploy_spline2_length(&data.spline) * (float)i / SINGLE_AGENTS;
        data.beside[i] = ploy_spline2_point_along(&data.spline, along);
        data.seen[i] = ploy_neighbours_find(&data.flock, data.agents[i], &eight, i & 7);
        data.bodies[i] = ploy_orca_agent_make(data.agents[i].position, 0.5f, 8.0f, (uint32_t)i);
        data.bodies[i].velocity = data.bodies[i].wanted = data.agents[i].velocity;
    }
    if (!single_bench_walls(&data)) {
        fprintf(stderr, "ploy: out of memory\n");
        exit(2);
    }
    bench_measure(run,
                  bench_call(single_bench_calls, &data, (double)SINGLE_AGENTS * SINGLE_REPEATS),
                  bench_nothing(), bench_nothing());
    ploy_plain_scene_destroy(data.walls);
}
