// A hundred people cross a square, half of them in each direction, and keep apart: two behaviors
// as batches over a grid, made one request for each by a running sum. You will see how many are
// across, and how many came how near. Shows ploy_avoid_collision_batch with an index and
// ploy_combine_batch.
#include <stdio.h>

#include "ploy/ploy.h"

enum { PEOPLE = 100 };

// Seconds until all but a few are across; with_avoidance off, only the goal counts.
static void cross(ploy_grid *grid, bool with_avoidance) {
    ploy_kinematic people[PEOPLE];
    ploy_vec2 goals[PEOPLE];
    ploy_steering go[PEOPLE], off[PEOPLE], steering[PEOPLE];
    ploy_rng rng = ploy_rng_make(3);
    for (int i = 0; i < PEOPLE; i++) {
        float side = i % 2 == 0 ? -1.0f : 1.0f;
        float x = side * ploy_rng_range(&rng, 20.0f, 40.0f);
        float y = ploy_rng_range(&rng, -20.0f, 20.0f);
        people[i] = ploy_kinematic_make(ploy_vec2_make(x, y), 0.0f);
        goals[i] = ploy_vec2_make(-x, y);
    }
    ploy_kinematics view = ploy_kinematics_of(people, PEOPLE);
    ploy_points targets = ploy_points_make(goals, PEOPLE);
    ploy_steerings to_go = ploy_steerings_of(go, PEOPLE), to_off = ploy_steerings_of(off, PEOPLE);
    ploy_steerings out = ploy_steerings_of(steering, PEOPLE);
    ploy_arrive_def arrive = ploy_arrive_def_default();
    ploy_collision_def avoid = ploy_collision_def_default();
    avoid.range = 6.0f;
    ploy_combine_def combine = ploy_combine_def_default();
    combine.mode = PLOY_COMBINE_RUNNING_SUM; // avoidance first, the path with what is left
    ploy_integrate_def motion = ploy_integrate_def_default();
    int bumps = 0, there = 0;
    for (int tick = 0; tick < 1500; tick++) {
        ploy_points places = ploy_points_of_agents(&view);
        ploy_grid_rebuild(grid, &places);
        ploy_index2 index = ploy_grid_index(grid);
        ploy_arrive_batch(&arrive, &view, 0, PEOPLE, &targets, &to_go);
        ploy_avoid_collision_batch(&avoid, &view, 0, PEOPLE, &index, &to_off);
        ploy_combine_lane lanes[2] = {ploy_combine_lane_make(to_off, with_avoidance ? 0.7f : 0.0f),
                                      ploy_combine_lane_make(to_go, 1.0f)};
        ploy_combine_batch(&combine, lanes, 2, 0, PEOPLE, ploy_rng_key_make(1), 0, &out);
        ploy_integrate_batch(&motion, &view, 0, PEOPLE, &out, 1.0f / 60.0f);
        for (int i = 0; tick % 60 == 0 && i < PEOPLE; i++) {
            ploy_found near[8];
            ploy_query2 query = ploy_query2_radius(people[i].position, 0.6f);
            bumps += ploy_grid_find(grid, &query, near, 8, NULL) > 1;
        }
    }
    for (int i = 0; i < PEOPLE; i++) {
        there += ploy_vec2_distance(people[i].position, goals[i]) < 3.0f;
    }
    printf("%s avoidance: %d are across, seen near another %d times\n",
           with_avoidance ? "with" : "without", there, bumps);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_grid_def def = ploy_grid_def_default();
    def.capacity = PEOPLE;
    def.cell_size = 6.0f;
    ploy_grid *grid = NULL;
    if (ploy_grid_create(&def, &env, &grid) != PLOY_OK) return 1;
    cross(grid, false);
    cross(grid, true);
    ploy_grid_destroy(grid);
    return 0;
}
