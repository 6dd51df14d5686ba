// What one call of each single behavior costs: agents at random within 40 m, each asked in turn, beside
// the same computation written inline without checks (bench_move_floor.c).
//
// The row's size says which behavior; the numbers are those of the list in benches.c.
#include "bench/bench_move_single.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

static ploy_steering single_bench_combine(single_bench *data, ploy_kinematic agent) {
    data->steering_context.agent = agent;
    return ploy_combine(&data->combination, &data->steering_context);
}

static ploy_steering single_bench_pipeline(single_bench *data, ploy_kinematic agent,
                                           ploy_kinematic to, ploy_circle circle) {
    data->goal = ploy_steering_goal_at(to.position);
    data->keep_out = ploy_keep_out_make(circle.centre, circle.radius, 1.4f);
    data->steering_context.agent = agent;
    return ploy_pipeline_steer(&data->pipeline, &data->steering_context, NULL);
}

static ploy_vec2 single_bench_context(single_bench *data, ploy_kinematic agent, ploy_vec2 to) {
    ploy_context_clear(&data->context);
    ploy_context_add_interest(&data->context, ploy_vec2_sub(to, agent.position), 1.0f);
    for (int32_t k = 0; k < SINGLE_THINGS; k++) {
        ploy_context_add_body(&data->context, agent.position, data->circles[k].centre, 1.5f, 5.0f);
    }
    return ploy_context_decide(&data->context, &data->context_def, -1).direction;
}

SINGLE_ROW(single_pursue, ploy_pursue(&data->pursue, agents[0], agents[1]))
SINGLE_ROW(single_intercept, ploy_intercept(&data->intercept, agents[0], agents[1]))
SINGLE_ROW(single_interpose, ploy_interpose(&data->interpose, agents[0], agents[1], agents[2]))
SINGLE_ROW(single_offset_pursuit,
           ploy_offset_pursuit(&data->offset_pursuit, agents[0], agents[1], agents[2].position))
SINGLE_ROW(single_face, ploy_face(&data->align, agents[0], agents[1].position))
SINGLE_ROW(single_match_velocity, ploy_match_velocity(&data->match, agents[0], agents[1].velocity))
SINGLE_ROW(single_path_follow,
           ploy_path_follow(&data->path_follow, agents[0], &data->line, &data->alongs[i]))
SINGLE_ROW(single_avoid_obstacles,
           ploy_avoid_obstacles(&data->obstacle, agents[0], data->circles, SINGLE_THINGS))
SINGLE_ROW(single_avoid_collision,
           ploy_avoid_collision(&data->collision, agents[0], &data->eights[i >> 3], i & 7))
SINGLE_ROW(single_hide, ploy_hide(&data->hide, agents[0], agents[1], data->circles, SINGLE_THINGS))
SINGLE_ROW(single_seek, ploy_seek(&data->seek, agents[0], agents[1].position))
SINGLE_ROW(single_flee, ploy_flee(&data->flee, agents[0], agents[1].position))
SINGLE_ROW(single_arrive, ploy_arrive(&data->arrive, agents[0], agents[1].position))
SINGLE_ROW(single_wander, ploy_wander_steer(&data->wander, agents[0], &data->drift, SINGLE_DT,
                                            data->key, (uint32_t)i, 0))
SINGLE_ROW(single_evade, ploy_evade(&data->evade, agents[0], agents[1]))
SINGLE_ROW(single_fly_by, ploy_fly_by(&data->fly_by, agents[0], agents[1]))
SINGLE_ROW(single_follow, ploy_follow(&data->follow, agents[0], agents[1]))
SINGLE_ROW(single_align, ploy_align(&data->align, agents[0], agents[1].orientation))
SINGLE_ROW(single_look, ploy_look(&data->align, agents[0]))
SINGLE_ROW(single_match_rotation, ploy_match_rotation(&data->match, agents[0], agents[1].rotation))
SINGLE_LOOP(single_spline_follow, ploy_kinematic agent = agents[0];
            agent.position = ploy_vec2_add(data->beside[i],
                                           ploy_vec2_scale(agents[1].velocity, 0.2f));
            data->steerings[i] = ploy_spline_follow(&data->path_follow, agent, &data->spline,
                                                    &data->alongs[i]);)
SINGLE_ROW(single_waypoints, ploy_waypoints(&data->waypoints, agents[0], &data->line, &data->next))
SINGLE_ROW(single_agitate,
           single_bench_linear(ploy_agitate(&data->agitate, &data->waited, agents[1].velocity,
                                            agents[2].position.x, SINGLE_DT)))
SINGLE_ROW(single_flow_follow, ploy_flow_follow(&data->flow, agents[0], &data->field))
SINGLE_ROW(single_contain, ploy_contain(&data->contain, agents[0], data->box))
SINGLE_ROW(single_avoid_walls,
           ploy_avoid_walls(&data->feelers_def, &data->feelers, agents[0], &data->scene, SINGLE_DT))
SINGLE_ROW(single_avoid_walls_swept,
           ploy_avoid_walls_swept(&data->feelers_def, agents[0], &data->scene))
SINGLE_ROW(single_wall_follow, ploy_wall_follow(&data->wall_follow, agents[0], &data->scene))
SINGLE_ROW(single_avoid_cone, ploy_avoid_cone(&data->cone, agents[0], &data->eights[i >> 3], i & 7))
SINGLE_ROW(single_pass_by, single_bench_linear(ploy_pass_by(agents[0].position, agents[0].velocity,
                                                            agents[1].position, 1.0f, 20.0f)))
SINGLE_LOOP(single_flock, ploy_neighbours seen = ploy_neighbours_find(&data->flock, agents[0],
                                                                      &data->eights[i >> 3], i & 7);
            data->steerings[i] = ploy_flock_steer(&data->flock, agents[0], &seen);)
SINGLE_LOOP(single_motor_control,
            ploy_motor_output out = ploy_motor_control(&data->motor, agents[0], agents[1].position);
            data->steerings[i] = ploy_steering_make(ploy_vec2_make(out.throttle, out.brake),
                                                    out.rotation);)
SINGLE_ROW(single_integrate,
           single_bench_linear(ploy_integrate(&data->integrate, agents[0],
                                              single_bench_linear(agents[1].velocity), SINGLE_DT)
                                   .position))
SINGLE_ROW(single_intercept_turn,
           ploy_steering_make(agents[0].velocity,
                              (float)ploy_intercept_turn(agents[0], agents[1].position, 0.01f)))
SINGLE_ROW(single_separate, ploy_separate(&data->flock, &data->seen[i]))
SINGLE_ROW(single_conform, ploy_conform(&data->flock, agents[0], &data->seen[i]))
SINGLE_ROW(single_cohere, ploy_cohere(&data->flock, agents[0], &data->seen[i]))
SINGLE_ROW(single_orca, single_bench_linear(ploy_orca_find(&data->orca, &data->bodies[i & ~7],
                                                           &data->bodies[(i & ~7) + 1], 7, NULL, 0,
                                                           SINGLE_DT, NULL)
                                                .velocity))
SINGLE_ROW(single_context,
           single_bench_linear(single_bench_context(data, agents[0], agents[1].position)))
SINGLE_ROW(single_combine, single_bench_combine(data, agents[0]))
SINGLE_ROW(single_pipeline, single_bench_pipeline(data, agents[0], agents[1], data->circles[i & 7]))
SINGLE_ROW(single_motor_filter,
           ploy_motor_filter(&data->motor, agents[0], single_bench_linear(agents[1].velocity), true,
                             true))
SINGLE_LOOP(single_craft,
            ploy_craft_controls controls = {1.0f,
                                            ploy_craft_toward(agents[0], agents[1].position, 1.0f)};
            data->steerings[i] = single_bench_linear(
                ploy_craft_step(&data->craft, agents[0], controls, SINGLE_DT).position);)
SINGLE_ROW(single_heading_smooth,
           ploy_steering_make(ploy_vec2_zero(),
                              ploy_heading_smooth(&data->mean, agents[0].orientation)))
SINGLE_ROW(single_bank,
           ploy_steering_make(ploy_vec2_zero(),
                              ploy_bank(&data->bank, agents[0].orientation, agents[1].orientation,
                                        ploy_vec3_from_vec2(agents[0].velocity, 1.0f))
                                  .w))
SINGLE_ROW(single_overlap, single_bench_linear(ploy_overlap_push(agents[0].position, 1.0f,
                                                                 agents[1].position, 30.0f, i)))

static const single_bench_fn single_rows[] = {
    single_pursue,
    single_intercept,
    single_interpose,
    single_offset_pursuit,
    single_face,
    single_match_velocity,
    single_path_follow,
    single_avoid_obstacles,
    single_avoid_collision,
    single_hide,
    single_seek,
    single_flee,
    single_arrive,
    single_wander,
    single_evade,
    single_fly_by,
    single_follow,
    single_align,
    single_look,
    single_match_rotation,
    single_spline_follow,
    single_waypoints,
    single_agitate,
    single_flow_follow,
    single_contain,
    single_avoid_walls,
    single_avoid_walls_swept,
    single_wall_follow,
    single_avoid_cone,
    single_pass_by,
    single_flock,
    single_motor_control,
    single_integrate,
    single_intercept_turn,
    single_separate,
    single_conform,
    single_cohere,
    single_orca,
    single_context,
    single_combine,
    single_pipeline,
    single_motor_filter,
    single_craft,
    single_heading_smooth,
    single_bank,
    single_overlap,
};

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
    data->flock.radius = 20.0f; // so that most see some of the seven others
    data->flock.separation_radius = 10.0f;
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
    data.plain.agents = data.plain_agents;
    data.plain.count = 8;
    data.plain.horizon = data.orca.horizon;
    data.plain.range = data.orca.range;
    data.plain.max_neighbours = data.orca.max_neighbours;
    data.plain.order = data.plain_order;
    data.plain.nodes = data.plain_nodes;
    data.key = ploy_rng_key_make(1);
    data.line = ploy_polyline_make(data.path, SINGLE_THINGS, true);
    data.box = ploy_box2_make(ploy_vec2_make(-15.0f, -15.0f), ploy_vec2_make(15.0f, 15.0f));
    for (int32_t i = 0; i < SINGLE_AGENTS / 8; i++) {
        data.eights[i] = ploy_kinematics_of(&data.agents[8 * i], 8);
    }
    data.mean = ploy_moving_mean_make(data.headings, 2, 10);
    ploy_context_init(&data.context, &data.context_def);
    data.steering_context = ploy_steering_context_make(data.agents[0], ploy_agent_id_make(0, 1),
                                                       SINGLE_DT, 0, data.key);
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
    int64_t row = bench_size(run);
    double calls = (double)SINGLE_AGENTS * SINGLE_REPEATS;
    single_bench_fn floor = single_bench_floor(row);
    bench_measure(run, bench_call(single_rows[row], &data, calls), bench_nothing(),
                  floor != NULL ? bench_call(floor, &data, calls) : bench_nothing());
    ploy_plain_scene_destroy(data.walls);
}
