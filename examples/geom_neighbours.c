// Who is near? A crowd of 2,000 in your own structs, sorted into a hash grid each step. You will
// see one agent's neighbours and its nearest, and that testing all agents gives the same. Shows
// ploy/geom/grid.h.
#include <stdio.h>

#include "ploy/base/rng.h"
#include "ploy/geom/grid.h"

enum { CROWD = 2000 };

typedef struct person {
    int health;
    ploy_vec2 position; // m
    char name[12];
} person;

static person crowd[CROWD];

// The grid reads positions where they are: a pointer to the first and the distance to the next.
static ploy_result sort_crowd(ploy_grid *grid) {
    ploy_points view = {&crowd[0].position.x, &crowd[0].position.y, sizeof crowd[0], CROWD};
    return ploy_grid_rebuild(grid, &view);
}

// All agents within a radius, by testing each: the grid must return the same.
static int count_slowly(ploy_vec2 centre, float radius) {
    int count = 0;
    for (int i = 0; i < CROWD; i++) {
        count += ploy_vec2_distance_sq(crowd[i].position, centre) <= radius * radius;
    }
    return count;
}

int main(void) {
    ploy_rng rng = ploy_rng_make(3);
    for (int i = 0; i < CROWD; i++) {
        crowd[i].position.x = ploy_rng_range(&rng, -50.0f, 50.0f);
        crowd[i].position.y = ploy_rng_range(&rng, -50.0f, 50.0f);
    }
    ploy_grid_def def = ploy_grid_def_default();
    def.capacity = CROWD;
    def.cell_size = 3.0f; // about the usual query radius
    ploy_env env = ploy_env_default();
    ploy_grid *grid = NULL;
    if (ploy_grid_create(&def, &env, &grid) != PLOY_OK) return 1;
    if (sort_crowd(grid) != PLOY_OK) return 1;

    ploy_vec2 me = crowd[7].position;
    ploy_found found[64];
    ploy_query2 near_me = ploy_query2_radius(me, 3.0f);
    int32_t count = ploy_grid_find(grid, &near_me, found, 64, NULL);
    printf("within 3 m of number 7:");
    for (int32_t i = 0; i < count; i++) printf(" %d", (int)found[i].id);
    printf("\ntesting all agents: %d\n", count_slowly(me, 3.0f));

    ploy_query2 nearest = ploy_query2_nearest(me, INFINITY);
    ploy_grid_find(grid, &nearest, found, 2, NULL); // the first is number 7 itself
    printf("nearest to it: %d\n", (int)found[1].id);
    ploy_grid_destroy(grid);
    return 0;
}
