// A crowd in a lift: forty people who overlap are moved apart, all at once, over a hash grid. Prints the
// deepest overlap as it goes. Then one of them is teleported into another and moved out alone.
// Shows ploy_overlap_find, ploy_overlap_apply and ploy_overlap_leave.
#include <stdio.h>

#include "ploy/base/rng.h"
#include "ploy/geom/grid.h"
#include "ploy/move/overlap.h"

enum { PEOPLE = 40 };

static float deepest(const ploy_kinematic *people, const float *radii) {
    float depth = 0.0f;
    for (int i = 0; i < PEOPLE; i++) {
        for (int j = 0; j < i; j++) {
            float d =
                radii[i] + radii[j] - ploy_vec2_distance(people[i].position, people[j].position);
            depth = d > depth ? d : depth;
        }
    }
    return depth;
}

int main(void) {
    ploy_kinematic people[PEOPLE];
    float radii[PEOPLE];
    ploy_vec2 pushes[PEOPLE];
    ploy_rng rng = ploy_rng_make(5);
    for (int i = 0; i < PEOPLE; i++) {
        float x = ploy_rng_range(&rng, -2.0f, 2.0f), y = ploy_rng_range(&rng, -2.0f, 2.0f);
        people[i] = ploy_kinematic_make(ploy_vec2_make(x, y), 0.0f);
        radii[i] = 0.3f;
    }
    ploy_env env = ploy_env_default();
    ploy_grid_def grid_def = ploy_grid_def_default();
    grid_def.capacity = PEOPLE;
    ploy_grid *grid = NULL;
    if (ploy_grid_create(&grid_def, &env, &grid) != PLOY_OK) return 1;
    ploy_overlap_def def = ploy_overlap_def_default();
    def.max_radius = 0.3f;
    ploy_kinematics view = ploy_kinematics_of(people, PEOPLE);
    for (int step = 0; step <= 60; step++) {
        if (step % 20 == 0) printf("step %d: %.2f m deep\n", step, deepest(people, radii));
        ploy_points points = ploy_points_of_agents(&view);
        if (ploy_grid_rebuild(grid, &points) != PLOY_OK) return 1;
        ploy_index2 index = ploy_grid_index(grid);
        if (ploy_overlap_find(&def, &view, radii, 0, PEOPLE, &index, pushes) != PLOY_OK) return 1;
        if (ploy_overlap_apply(&view, 0, PEOPLE, pushes) != PLOY_OK) return 1;
    }
    people[7].position = people[8].position; // teleported
    printf("teleported: %.2f m deep\n", deepest(people, radii));
    int32_t met = ploy_overlap_leave(&view, radii, 7);
    printf("left %d of them: %.2f m deep\n", (int)met, deepest(people, radii));
    ploy_grid_destroy(grid);
    return 0;
}
