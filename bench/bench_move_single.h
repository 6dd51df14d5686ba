// What the rows of move.single and their floors work on.
#pragma once

#include "bench/orca_plain.h"
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
    orca_plain plain; // of eight, for the floor
    orca_plain_agent plain_agents[8];
    orca_plain_node plain_nodes[16];
    int32_t plain_order[8];
    ploy_neighbours seen[SINGLE_AGENTS];
    ploy_kinematics eights[SINGLE_AGENTS / 8];
    ploy_polyline line;
    ploy_box2 box;
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
    ploy_steering_context steering_context;
    ploy_combination combination;
    ploy_steering_goal goal;
    ploy_keep_out keep_out;
    ploy_plain_actuator actuator;
    ploy_pipeline pipeline;
} single_bench;

// A vector as a steering, so that every row ends alike.
static inline ploy_steering single_bench_linear(ploy_vec2 v) {
    return ploy_steering_make(v, 0.0f);
}

// One row: the expression for every agent in turn. agents[0] is the one that is asked, agents[1] and
// agents[2] are two others. They are read where they are: a copy would be read across the pieces that
// it was written in, and that stall would be measured instead.
#define SINGLE_LOOP(function, ...)                                    \
    static void function(void *self) {                                \
        single_bench *data = self;                                    \
        for (int32_t repeat = 0; repeat < SINGLE_REPEATS; repeat++) { \
            for (int32_t i = 0; i < SINGLE_AGENTS; i++) {             \
                const ploy_kinematic *agents = &data->agents[i];      \
                (void)agents;                                         \
                __VA_ARGS__                                           \
            }                                                         \
            bench_keep(data->steerings);                              \
        }                                                             \
    }
#define SINGLE_ROW(function, ...) SINGLE_LOOP(function, data->steerings[i] = (__VA_ARGS__);)

// The floor of a row, in bench_move_floor.c.
typedef void (*single_bench_fn)(void *self);
single_bench_fn single_bench_floor(int64_t row);
