// The shortest path over a grid for a point, at any angle: exact, and without preparation.
//
// Theta* (grid_angle_internal.h) turns at cells' centres and looks for lines of sight. Here the
// walls are what they are, squares, and a path is a string pulled tight between two centres: it
// bends at corners of walls and touches them, and no shorter one exists. The search never looks at
// single cells: it takes pieces of the lines between two rows, each with the corner (the root)
// from which all of the piece is seen.
//
//     ---[==== a piece ====]---    what the root sees of the next line goes on with the same root;
//          \              /        what lies beyond can only be reached round an end of the piece
//           \    row     /         that is a corner of a wall, which is the root then
//     -------\----------/------
//              \  root /
//
// A path may run along a wall, but not between two walls that meet in a corner. It is never longer
// than that of any other search of a grid, because every step of theirs is a line of this one. A
// body needs room beside the corners: use a map of its size (ploy_grid_map_def), or the paths of
// theta and lazy, which keep half a cell away.
//
// Technique: Harabor, Grastien, Oz, Aksakalli, "Optimal Any-Angle Pathfinding in Practice" (2016),
// Anya. Here ends of pieces are exact: each is where a line through two whole-numbered points
// crosses a row, divided once, and two different ones can never round to the same number. As there,
// a piece that leads nowhere is not opened, and one that only leads on to another is passed over;
// here a bend round a corner that is known to be nearer does not count, nor does what lies beyond
// it along a line.
//
// Lengths are in cells. One unit of work is one piece taken, or 64 words of bits scanned.
// Memory: 16 bytes a cell, 72 a piece. Nothing allocates in a search that needs no more than an
// earlier one did. Threads: one caller at a time; several may share a map, which must not change
// while one runs.
#pragma once

#include "ploy/path/grid_search.h"

// Opaque.
typedef struct ployi_grid_anya ployi_grid_anya;

// Creates a search that has nothing to do yet. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
ploy_result ployi_grid_anya_create(const ploy_env *env, ployi_grid_anya **out);
// NULL is allowed.
void ployi_grid_anya_destroy(ployi_grid_anya *anya);

// Forgets the last search and begins another, between the centres of two cells. If there is no
// path, this finds out.
// @return PLOY_ERR_ARGUMENT for a cell outside the map; PLOY_ERR_UNSUPPORTED for a map with costs,
//         four neighbours, or steps that may pass between two walls (PLOY_TILE_CORNERS_CUT);
//         PLOY_ERR_MEMORY. The search has nothing to do then.
ploy_result ployi_grid_anya_begin(ployi_grid_anya *anya, const ploy_grid_map *map, int32_t start,
                                  int32_t goal);
// Works until it is finished (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). NULL: until it
// is finished. @return PLOY_ERR_STATE if there is nothing to do; PLOY_ERR_MEMORY, likewise then.
ploy_result ployi_grid_anya_step(ployi_grid_anya *anya, ploy_budget *budget);
// Stops.
void ployi_grid_anya_cancel(ployi_grid_anya *anya);
// begin, then step to the end.
ploy_result ployi_grid_anya_run(ployi_grid_anya *anya, const ploy_grid_map *map, int32_t start,
                                int32_t goal);
// As a task, for a scheduler of long work.
ploy_task ployi_grid_anya_task(ployi_grid_anya *anya);

// How it ended: found, none; open while it works; idle if there is nothing to do.
ploy_search_outcome ployi_grid_anya_outcome(const ployi_grid_anya *anya);
// Of the path found, in cells; 0 if there is none.
double ployi_grid_anya_length(const ployi_grid_anya *anya);
// The corners where the path bends, and the goal's centre last; the start is left out. In metres,
// as ploy_tiles_localise.
// @param out  room for capacity of them; may be NULL with capacity 0.
// @return how many there are, perhaps more than capacity, of which the last are left out; 0 from a
//         cell to itself; -1 without a path.
int32_t ployi_grid_anya_path(const ployi_grid_anya *anya, ploy_vec2 *out, int32_t capacity);

typedef struct ployi_grid_anya_stats {
    int64_t taken;  // pieces taken from the open list and followed
    int64_t opened; // put on it
    int64_t roots;  // corners that became one, again for each shorter path to them
    int64_t words;  // of 64 cells, scanned
    int64_t units;  // of work
} ployi_grid_anya_stats;

// What the search has done since begin.
ployi_grid_anya_stats ployi_grid_anya_stats_of(const ployi_grid_anya *anya);

// The pieces, and the path if there is one.
void ployi_grid_anya_draw(const ployi_grid_anya *anya, ploy_draw *out);
void ployi_grid_anya_describe(const ployi_grid_anya *anya, ploy_describe *out);
void ployi_grid_anya_memory(const ployi_grid_anya *anya, ploy_memory_fn fn, void *user);
