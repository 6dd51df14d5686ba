// Shared by maze.c and maze_grow.c.
#pragma once

#include "generate/plan_internal.h"
#include "ploy/base/heap.h"
#include "ploy/generate/backtrack.h"
#include "ploy/generate/maze.h"

enum {
    MAZE_FREE = 0,
    MAZE_USED = 1,
    MAZE_BLOCKED = 2,
    MAZE_PLANNED = 3
}; // PLANNED: of a room to be

typedef struct maze_room {
    int32_t x, y, width, height;
    int32_t link;   // Wilson: cell * 4 + direction of the walk's last exit
    int32_t number; // in the plan; -1: not placed yet
} maze_room;

struct ploy_maze {
    ployi_level level;
    ploy_maze_def def;
    int32_t phase;
    int32_t cursor; // of the phase
    int32_t scale;  // 2 with expanded walls
    int32_t start;
    int32_t cells;   // places in the maze: cells, and rooms as one each
    int32_t placed;  // rooms
    int32_t refused; // rooms that did not fit
    ploy_rng rng, room_rng;
    ploy_rng_key costs;
    ploy_backtrack work;
    ploy_array rooms; // maze_room; of all methods but backtracking
    ploy_heap heap;   // Prim, Kruskal: links by cost
    uint64_t word;    // of the random numbers, four choices in each
    int32_t word_left;
    size_t bytes;
    void *block;    // what follows
    uint8_t *state; // by cell, with a guard of a row and a cell at either end
    uint8_t *sides; // by cell: directions of free cells, likewise guarded; backtracking keeps it
    int32_t *plan_cells; // by cell: the cell of the plan
    uint8_t *exits;      // by cell: where the maze leads, in the maze's own cells
    int32_t *parents;    // Kruskal: union-find; Wilson: last exit
    int32_t *room_of;    // planned room of a cell; -1: none
    // Of plain mazes: distances from the start are written into the plan's queue while the maze grows.
    bool depths;
    int32_t deep;        // the first of the deepest cells, by the directions that lead to it
    int32_t deep_count;  // places on the stack when it was entered
    int32_t deep_shared; // of them still on the stack
    int32_t deep_branch; // the first that is not
    int32_t walk;        // Wilson: where the present walk began; -1: none
    int32_t at;          // Wilson: where it is
};

int32_t ployi_maze_beside(const ploy_maze *maze, int32_t cell, int32_t direction);
// The cell of the plan that a cell of the maze is.
int32_t ployi_maze_plan_cell(const ploy_maze *maze, int32_t cell);
// Takes a cell into the maze, with the room that was planned on it. PLOY_ERR_MEMORY.
ploy_result ployi_maze_enter(ploy_maze *maze, int32_t cell);
// Joins a cell of the maze to the one beside it, with a door where one is in a room.
ploy_result ployi_maze_link(ploy_maze *maze, int32_t cell, int32_t direction);
// Places a room in the plan, cells of the maze.
ploy_result ployi_maze_place_room(ploy_maze *maze, int32_t x, int32_t y, int32_t width,
                                  int32_t height);
// The methods: PLOY_IN_PROGRESS, PLOY_OK, PLOY_ERR_MEMORY.
ploy_result ployi_maze_grow_begin(ploy_maze *maze);
ploy_result ployi_maze_grow(ploy_maze *maze, ploy_budget *budget);
