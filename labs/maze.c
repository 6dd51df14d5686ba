// The maze lab: a maze grows cell by cell, with the stack of backtracking as a path.
#include "ploy/generate/maze.h"
#include "labs/lab_generate.h"
#include "labs/labs.h"

LAB_GENERATE(
    maze, ploy_maze_generator, "Mazes",
    "Backtracking leaves a winding path; the line is its stack, from the entrance to where it "
    "digs. Try the other methods, thick walls, rooms, blocked cells and loops.",
    "places", 2, -1.0f, -3.0f, 25.0f, 17.0f)
