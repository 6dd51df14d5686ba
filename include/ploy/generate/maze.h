/// @file ploy/generate/maze.h
/// Mazes on a grid: one route between any two cells, or with loops; with rooms, blocked cells, thin
/// or thick walls.
///
/// Methods, all of which make a spanning tree of the cells within reach of the start:
/// - backtrack: long winding corridors, about 10 % dead ends. Fast; the usual choice.
/// - wilson: every tree is equally likely (Wilson 1996, loop-erased random walks).
/// - prim, kruskal: cheapest tree of random costs; short, bushy. The same key gives both the same
///   maze.
///
/// Walls are thin (between cells), expanded (a row and a column of cells between every two: 2 w - 1
/// by 2 h - 1), or placed by rejecting cells that would touch the maze elsewhere. The last looks
/// more natural, does not fill the space, and always uses backtracking. Technique: Millington, "AI
/// for Games", 8.4.1.
///
/// The entrance is the start; the exit is the farthest room, or the farthest cell. Settings that
/// stop early (max_cells, max_dead_ends, stop_with_rooms) are requests: the maze is complete. Only
/// max_attempts is a limit.
///
/// Unit of budget: one try to connect, one link examined, or one step of a random walk. Memory:
/// about 40 bytes per cell. Room.value is 0.
#pragma once

#include "ploy/generate/floor_plan.h"
#include "ploy/generate/generator.h"

typedef struct ploy_maze ploy_maze;

typedef enum ploy_maze_method {
    PLOY_MAZE_BACKTRACK,
    PLOY_MAZE_WILSON,
    PLOY_MAZE_PRIM,
    PLOY_MAZE_KRUSKAL
} ploy_maze_method;

typedef enum ploy_maze_walls { PLOY_MAZE_THIN, PLOY_MAZE_EXPAND, PLOY_MAZE_REJECT } ploy_maze_walls;

typedef enum ploy_maze_start {
    PLOY_MAZE_CORNER,
    PLOY_MAZE_CENTRE,
    PLOY_MAZE_RANDOM
} ploy_maze_start;

/// Settings. Start from ploy_maze_def_default().
typedef struct ploy_maze_def {
    uint32_t cookie;
    int32_t width, height;      ///< cells of the maze
    int32_t method;             ///< ploy_maze_method
    int32_t walls;              ///< ploy_maze_walls
    int32_t start;              ///< ploy_maze_start
    float blocked;              ///< share of cells that are blocked at random
    float braid;                ///< probability that a dead end is joined to a neighbour
    int32_t rooms;              ///< maximum number of rooms
    float room_chance;          ///< backtrack: probability that a try places a room
    int32_t room_min, room_max; ///< cells, sides of a room
    bool rooms_lead_on;    ///< backtrack: the maze continues from rooms; else they are dead ends
    int32_t max_cells;     ///< stop at this number of cells and rooms; 0: fill
    int32_t max_dead_ends; ///< backtrack: stop at this number of dead ends; 0: no such stop
    bool stop_with_rooms;  ///< backtrack: stop when all rooms are placed
    int32_t max_attempts;  ///< limit of units
    ploy_plan_roles_def roles;
} ploy_maze_def;

PLOY_API ploy_maze_def ploy_maze_def_default(void);
PLOY_API ploy_fields ploy_maze_fields(void);

/// Starts.
/// @param blocked  cells the maze must leave out (not 0), width * height of them,
///                 copied; NULL: none.
/// @param trace    receives rooms placed and rejected; NULL: none.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_maze_begin(const ploy_maze_def *def, ploy_rng_key key,
                                     const uint8_t *blocked, ploy_trace *trace, const ploy_env *env,
                                     ploy_maze **out);
PLOY_API ploy_result ploy_maze_step(ploy_maze *maze, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_maze_outcome(const ploy_maze *maze);
PLOY_API const ploy_floor_plan *ploy_maze_plan(const ploy_maze *maze);
/// Maximum number of places on the backtracking stack so far.
PLOY_API int32_t ploy_maze_peak(const ploy_maze *maze);
PLOY_API void ploy_maze_cancel(ploy_maze *maze);

PLOY_API void ploy_maze_describe(const ploy_maze *maze, ploy_describe *out);
/// Draws the plan and, while it grows, the stack as a path.
PLOY_API void ploy_maze_draw(const ploy_maze *maze, ploy_draw *out);
PLOY_API void ploy_maze_memory(const ploy_maze *maze, ploy_memory_fn fn, void *user);

/// "maze": makes a plan; tiles of the same size that are not 0 are blocked cells.
PLOY_API const ploy_generator_type *ploy_maze_generator(void);
