// A maze by backtracking, printed as tiles, and the same size by Wilson's method. Shows ploy/generate/maze.h
// and the tiles of a floor plan.
#include "ploy/generate/maze.h"

#include <stdio.h>

static void print_plan(const ploy_floor_plan *plan) {
    static const char letters[PLOY_PLAN_KINDS] = {'#', '.', '.', '+'};
    uint8_t tiles[64 * 64];
    ploy_plan_grid grid = ploy_floor_plan_grid(plan, 1);
    ploy_floor_plan_tiles(plan, 1, tiles);
    for (int32_t y = grid.height - 1; y >= 0; y--) { // y up
        for (int32_t x = 0; x < grid.width; x++) putchar(letters[tiles[y * grid.width + x]]);
        putchar('\n');
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    for (int32_t method = PLOY_MAZE_BACKTRACK; method <= PLOY_MAZE_WILSON; method++) {
        ploy_maze_def def = ploy_maze_def_default();
        def.width = 16;
        def.height = 6;
        def.method = method;
        def.rooms = 1;
        def.room_chance = 0.5f;
        ploy_maze *maze = NULL;
        if (ploy_maze_begin(&def, ploy_rng_key_make(7), NULL, NULL, &env, &maze) != PLOY_OK)
            return 1;
        if (ploy_maze_step(maze, NULL) != PLOY_OK) return 1;
        print_plan(ploy_maze_plan(maze));
        ploy_floor_plan_stats stats = ploy_floor_plan_stats_of(ploy_maze_plan(maze));
        printf("%d places, %d dead ends, %d loops, stack %d\n\n",
               (int)ploy_maze_outcome(maze).count, (int)stats.dead_ends, (int)stats.loops,
               (int)ploy_maze_peak(maze));
        ploy_maze_cancel(maze);
    }
    return 0;
}
