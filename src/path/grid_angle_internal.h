// Any-angle paths on grids: straight lines between cells, whatever their direction.
//
// A path of eight directions is up to 8 % longer than it need be, and looks it. Here a cell's
// predecessor may be any cell that it sees, so a path turns where walls make it. Cells see each
// other if the straight line between their centres passes only cells that the body fits in; where
// it passes exactly between four cells, the map's corner rule decides, as for a diagonal step.
//
//     algorithm   looks
//     theta       from each neighbour to the cell's predecessor
//     lazy        only once a cell is taken: it assumes the best and mends what was wrong
//
// Neither finds the shortest of all such paths in every case, and both are far nearer to it than
// the grid's own path. That one is found first: it bounds the search, and straightened where it
// allows it is the answer if the search finds nothing better. So a path is never longer than
// the grid's.
//
// Techniques: Daniel, Nash, Koenig, Felner, "Theta*: Any-Angle Path Planning on Grids" (2010);
// Nash, Koenig, Tovey, "Lazy Theta*" (2010).
//
// Lengths are in cells. One unit of work is one cell taken, or 64 cells passed by lines of sight.
// Memory: 36 bytes a cell, and a grid search. Threads: one caller at a time; several may share a
// map, which must not change while one runs.
#pragma once

#include "ploy/path/finders.h"

typedef struct ployi_grid_angle_def {
    uint32_t cookie;
    ploy_grid_angle_algorithm algorithm;
} ployi_grid_angle_def;

ployi_grid_angle_def ployi_grid_angle_def_default(void);
ploy_fields ployi_grid_angle_fields(void);

// Opaque.
typedef struct ployi_grid_angle ployi_grid_angle;

// Creates a search that has nothing to do yet. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
ploy_result ployi_grid_angle_create(const ployi_grid_angle_def *def, const ploy_env *env,
                                    ployi_grid_angle **out);
// NULL is allowed.
void ployi_grid_angle_destroy(ployi_grid_angle *angle);

// Forgets the last search and begins another. If there is no path, this finds out.
// @return PLOY_ERR_ARGUMENT for a cell outside the map; PLOY_ERR_UNSUPPORTED for a map with costs or
//         four neighbours; PLOY_ERR_MEMORY. The search has nothing to do then.
ploy_result ployi_grid_angle_begin(ployi_grid_angle *angle, const ploy_grid_map *map, int32_t start,
                                   int32_t goal);
// Works until it is finished (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). NULL: until it
// is finished. @return PLOY_ERR_STATE if there is nothing to do; PLOY_ERR_MEMORY, likewise then.
ploy_result ployi_grid_angle_step(ployi_grid_angle *angle, ploy_budget *budget);
// Stops.
void ployi_grid_angle_cancel(ployi_grid_angle *angle);
// begin, then step to the end.
ploy_result ployi_grid_angle_run(ployi_grid_angle *angle, const ploy_grid_map *map, int32_t start,
                                 int32_t goal);
// As a task, for a scheduler of long work.
ploy_task ployi_grid_angle_task(ployi_grid_angle *angle);

// How it ended: found, none; open while it works; idle if there is nothing to do.
ploy_search_outcome ployi_grid_angle_outcome(const ployi_grid_angle *angle);
// Of the path found, in cells; 0 if there is none.
double ployi_grid_angle_length(const ployi_grid_angle *angle);
// The cells where the path turns, and the goal last; the start is left out.
// @param out  room for capacity of them; may be NULL with capacity 0.
// @return how many there are, perhaps more than capacity, of which the last are left out; 0 from a
//         cell to itself; -1 without a path.
int32_t ployi_grid_angle_path(const ployi_grid_angle *angle, int32_t *out, int32_t capacity);

typedef struct ployi_grid_angle_stats {
    int64_t taken;     // cells, by the grid's search and then by this one
    int64_t sights;    // lines of sight
    int64_t looked;    // cells that they passed
    int64_t units;     // of work
    bool straightened; // the grid's path, straightened, was the best
} ployi_grid_angle_stats;

// What the search has done since begin.
ployi_grid_angle_stats ployi_grid_angle_stats_of(const ployi_grid_angle *angle);

// The fill, and the path if there is one.
void ployi_grid_angle_draw(const ployi_grid_angle *angle, ploy_draw *out);
void ployi_grid_angle_describe(const ployi_grid_angle *angle, ploy_describe *out);
void ployi_grid_angle_memory(const ployi_grid_angle *angle, ploy_memory_fn fn, void *user);
