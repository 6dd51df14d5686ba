/// @file ploy/path/grid_search.h
/// Grid searches: algorithms that exploit the structure of a grid.
///
/// Costs are whole numbers: a straight step is PLOY_GRID_STRAIGHT units, a diagonal one
/// PLOY_GRID_DIAGONAL. Their ratio is almost sqrt(2): p/q is a convergent of sqrt(2), so no
/// fraction with a smaller denominator is closer. Two sums of steps therefore compare in units
/// exactly as their true lengths do, as long as their diagonal steps differ by less than q =
/// 93,222,358. Maps have at most 2^26 cells, so every path satisfies this. Equal units also mean
/// equal lengths: the number of straight and diagonal steps can be recovered from the units.
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
/// cost: before an answer counts, all entries of the last bucket that could still be better are
/// taken. Harabor and Grastien, "Online Graph Pruning" (2011) and "Improving Jump Point Search"
/// (2014), in the form that cuts no corners and opens no diagonal jump points. Where two jumps
/// reach a cell at the same cost, the directions of both are followed, so optimality does not
/// depend on ties.
///
/// Memory: 16 bytes a cell, 16 for each open one. A search that needs no more memory than an
/// earlier one allocates nothing. Threads: one caller at a time; several searches may share a map,
/// which must not change while one runs.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/path/grid_map.h"
#include "ploy/search/search.h"

/// Cost units of a step: denominator and numerator of a convergent of sqrt(2).
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

/// Sets a layer of costs on top of the map's: a whole number added to the cost of entering each
/// cell, for danger and similar. Only dijkstra and astar support it; jumps refuse. The array must
/// stay valid, and must not change while a search runs. @param extra  one byte for each cell of the
/// map passed to begin; NULL: none.
PLOY_API void ploy_grid_search_set_layer(ploy_grid_search *search, const uint8_t *extra);

/// Drops the last search and begins another. If there is no path, this call already finds out.
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
/// Stops the search; results so far can still be read.
PLOY_API void ploy_grid_search_cancel(ploy_grid_search *search);
/// Begins a search and steps it to the end.
PLOY_API ploy_result ploy_grid_search_run(ploy_grid_search *search, const ploy_grid_map *map,
                                          int32_t start, int32_t goal);
/// Returns the search as a task for schedulers of long work.
PLOY_API ploy_task ploy_grid_search_task(ploy_grid_search *search);

/// Returns how the search ended: found or none; open while it runs; idle if there is nothing to do.
PLOY_API ploy_search_outcome ploy_grid_search_outcome(const ploy_grid_search *search);

/// A cost and its parts.
typedef struct ploy_grid_cost {
    int64_t units;
    int64_t straight, diagonal; ///< steps, each times the cost of the cell it enters
    double length;              ///< straight + diagonal x sqrt(2), in cells
} ploy_grid_cost;

PLOY_API ploy_grid_cost ploy_grid_cost_make(int64_t straight, int64_t diagonal);
/// @return false, leaving out alone, if the cell was not reached. Jump searches reach few cells.
PLOY_API bool ploy_grid_search_cost(const ploy_grid_search *search, int32_t cell,
                                    ploy_grid_cost *out);

/// Returns every cell entered on the path from the start to a reached cell, in order: one for each
/// step, without the start itself.
/// @param out  room for capacity of them; may be NULL with capacity 0.
/// @return their number, which may exceed capacity (the last are then left out); 0 for
///         the start; -1 for a cell that was not reached.
PLOY_API int32_t ploy_grid_search_path(const ploy_grid_search *search, int32_t cell, int32_t *out,
                                       int32_t capacity);

/// Returns the status of a cell in the search.
PLOY_API ploy_search_status ploy_grid_search_status(const ploy_grid_search *search, int32_t cell);

typedef struct ploy_grid_search_stats {
    int64_t taken;     ///< cells taken from the open list and followed
    int64_t opened;    ///< put on it
    int64_t reopened;  ///< cells taken again, for a cheaper path or another direction
    int64_t words;     ///< of 64 cells, scanned by jumps
    int64_t units;     ///< of work
    int32_t peak_open; ///< most open at once
} ploy_grid_search_stats;

/// Returns the statistics since begin.
PLOY_API ploy_grid_search_stats ploy_grid_search_stats_of(const ploy_grid_search *search);

/// Draws the cells reached, and the path if there is one.
PLOY_API void ploy_grid_search_draw(const ploy_grid_search *search, ploy_draw *out);
/// Describes outcome, statistics and a hash of all records.
PLOY_API void ploy_grid_search_describe(const ploy_grid_search *search, ploy_describe *out);
PLOY_API void ploy_grid_search_memory(const ploy_grid_search *search, ploy_memory_fn fn,
                                      void *user);
