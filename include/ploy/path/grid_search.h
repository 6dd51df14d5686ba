/// @file ploy/path/grid_search.h
/// Searching a grid with what only grids have.
///
/// Costs are whole numbers: a straight step is PLOY_GRID_STRAIGHT units, a diagonal one
/// PLOY_GRID_DIAGONAL. The second is to the first almost as sqrt(2) is to 1: p/q is a convergent of
/// sqrt(2), so no fraction with a smaller denominator comes as near, and therefore two sums of
/// steps compare in units exactly as their true lengths do, as long as their diagonal steps differ
/// by less than q = 93,222,358. Maps have at most 2^26 cells; every path on one obeys. Equal means
/// equal, too: the number of straight and diagonal steps can be read back from the units.
///
///     algorithm   takes
///     dijkstra    the nearest cell first; the oracle, and without a goal the cost to everywhere
///     astar       the cell with the least octile estimate, from buckets instead of a heap. Where
///                 all cells cost the same, only steps of paths that go diagonally before straight
///     jps         jump points only: cells where an optimal path may have to turn. Rows and columns
///                 are scanned 64 cells at a time. Refuses maps whose cells differ in cost
///     fast        the same with jump tables and landmarks, while they are right; jps otherwise
///
/// All are optimal and give the same cost. One unit of work is one cell taken from the open list,
/// or 64 words scanned by jumps. The same query gives the same path in one step or in a thousand.
///
/// Techniques: Dial's buckets (1969), here with re-opening, because a bucket holds more than one
/// cost: the last bucket is emptied of what could still be better before an answer counts. Harabor
/// and Grastien, "Online Graph Pruning" (2011) and "Improving Jump Point Search" (2014), in the
/// form that cuts no corners and opens no diagonal jump points; where two jumps reach a cell at the
/// same cost, the directions of both are followed, so optimality needs no argument about ties.
///
/// Memory: 16 bytes a cell, 16 for each open one. Nothing allocates in a search that needs no more
/// than an earlier one did. Threads: one caller at a time; several searches may share a map, which
/// must not change while one runs.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/path/grid_map.h"
#include "ploy/search/search.h"

/// Cost units of a step: consecutive convergent of sqrt(2), numerator and denominator.
#define PLOY_GRID_STRAIGHT INT64_C(93222358)
#define PLOY_GRID_DIAGONAL INT64_C(131836323)

typedef enum ploy_grid_algorithm {
    PLOY_GRID_DIJKSTRA,
    PLOY_GRID_ASTAR,
    PLOY_GRID_JPS,
    PLOY_GRID_FAST,
    PLOY_GRID_ALGORITHM_COUNT
} ploy_grid_algorithm;

/// "dijkstra", "astar", "jps", "fast".
PLOY_API const char *ploy_grid_algorithm_text(ploy_grid_algorithm algorithm);

typedef struct ploy_grid_search_def {
    uint32_t cookie;
    ploy_grid_algorithm algorithm;
} ploy_grid_search_def;

PLOY_API ploy_grid_search_def ploy_grid_search_def_default(void);
PLOY_API ploy_fields ploy_grid_search_fields(void);

/// Opaque.
typedef struct ploy_grid_search ploy_grid_search;

/// Creates a search that has nothing to do yet. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grid_search_create(const ploy_grid_search_def *def, const ploy_env *env,
                                             ploy_grid_search **out);
/// NULL is allowed.
PLOY_API void ploy_grid_search_destroy(ploy_grid_search *search);

/// A layer of costs on top of the map's: what is added to entering each cell, in whole numbers, for
/// danger and similar. With one only dijkstra and astar search, and jumps refuse. What it points
/// to must stay, and stay the same while a search runs. @param extra  a byte a cell of the map of
/// begin; NULL: none.
PLOY_API void ploy_grid_search_set_layer(ploy_grid_search *search, const uint8_t *extra);

/// Forgets the last search and begins another. If there is no path, this finds out.
/// @param goal  PLOY_STATE_NONE with dijkstra: reach everything.
/// @return PLOY_ERR_ARGUMENT for an invalid cell; PLOY_ERR_UNSUPPORTED for jumps on a map with
///         costs, four neighbours or corners that may be cut, or with a layer; PLOY_ERR_MEMORY. The
///         search has nothing to do then.
PLOY_API ploy_result ploy_grid_search_begin(ploy_grid_search *search, const ploy_grid_map *map,
                                            int32_t start, int32_t goal);

/// Works until it is finished (PLOY_OK: ask for the outcome) or the budget is empty
/// (PLOY_IN_PROGRESS). NULL: until it is finished.
/// @return PLOY_ERR_STATE if there is nothing to do; PLOY_ERR_MEMORY, and there is nothing to do.
PLOY_API ploy_result ploy_grid_search_step(ploy_grid_search *search, ploy_budget *budget);
/// Stops; what was found so far can still be read.
PLOY_API void ploy_grid_search_cancel(ploy_grid_search *search);
/// begin, then step to the end.
PLOY_API ploy_result ploy_grid_search_run(ploy_grid_search *search, const ploy_grid_map *map,
                                          int32_t start, int32_t goal);
/// As a task for schedulers of long work.
PLOY_API ploy_task ploy_grid_search_task(ploy_grid_search *search);

/// How it ended: found, none; open while it works; idle if there is nothing to do.
PLOY_API ploy_search_outcome ploy_grid_search_outcome(const ploy_grid_search *search);

/// A cost taken apart.
typedef struct ploy_grid_cost {
    int64_t units;
    int64_t straight, diagonal; ///< steps, each times the cost of the cell it enters
    double length;              ///< straight + diagonal x sqrt(2), in cells
} ploy_grid_cost;

PLOY_API ploy_grid_cost ploy_grid_cost_make(int64_t straight, int64_t diagonal);
/// @return false, leaving out alone, if the cell was not reached. Jumps reach few.
PLOY_API bool ploy_grid_search_cost(const ploy_grid_search *search, int32_t cell,
                                    ploy_grid_cost *out);

/// Every cell entered on the path from the start to a reached one, in order: one for each step, the
/// start itself left out.
/// @param out  room for capacity of them; may be NULL with capacity 0.
/// @return how many there are, perhaps more than capacity, of which the last are left out; 0 for
///         the start; -1 for a cell that was not reached.
PLOY_API int32_t ploy_grid_search_path(const ploy_grid_search *search, int32_t cell, int32_t *out,
                                       int32_t capacity);

/// The fill: what the search knows of a cell.
PLOY_API ploy_search_status ploy_grid_search_status(const ploy_grid_search *search, int32_t cell);

typedef struct ploy_grid_search_stats {
    int64_t taken;     ///< cells taken from the open list and followed
    int64_t opened;    ///< put on it
    int64_t reopened;  ///< taken again, for a cheaper path or another direction
    int64_t words;     ///< of 64 cells, scanned by jumps
    int64_t units;     ///< of work
    int32_t peak_open; ///< most open at once
} ploy_grid_search_stats;

/// What the search has done since begin.
PLOY_API ploy_grid_search_stats ploy_grid_search_stats_of(const ploy_grid_search *search);

/// The fill, and the path if there is one.
PLOY_API void ploy_grid_search_draw(const ploy_grid_search *search, ploy_draw *out);
/// Outcome, statistics and all records folded into one number.
PLOY_API void ploy_grid_search_describe(const ploy_grid_search *search, ploy_describe *out);
PLOY_API void ploy_grid_search_memory(const ploy_grid_search *search, ploy_memory_fn fn,
                                      void *user);
