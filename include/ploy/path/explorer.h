/// @file ploy/path/explorer.h
/// The explorer walks through a level by itself and writes the log that ploy_graph_mine reads.
///
/// It wanders straight ahead with small turns, away from walls, and with `frontier` above 0
/// preferably toward places where the log has few entries. Runs are short and begin at random
/// places, so that an explorer in a dead end is not stuck for long. A raster counts visits: the
/// share of reachable cells it has entered, those entered only once, and how many were new in the
/// last minute. When fewer than `new_cells` are new, it begins elsewhere; after two such minutes in
/// a row it stops.
///
/// Technique: Millington, "AI for Games", 3rd ed. 2019, 12.4 (data mining of movement); the bias
/// toward thinly logged cells and the stop rule are ours. Units: metres, seconds of simulated time.
/// A unit of the budget is one log entry. Cost: O(1) an entry; create floods the raster. Memory: a
/// few bytes a cell, and the log, all allocated at create. Threads: one caller at a time.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/path/graph_mine.h"
#include "ploy/path/graph_tools.h"

/// Opaque.
typedef struct ploy_explorer ploy_explorer;

typedef struct ploy_explorer_def {
    uint32_t cookie;
    float cell;          ///< m, of the raster that counts visits
    float speed;         ///< m/s
    float interval;      ///< s between two entries
    float run;           ///< s, longest run before it begins elsewhere
    float turn;          ///< rad, largest turn between two entries while nothing is in the way
    float frontier;      ///< 0: plain wandering, 1: only toward cells with few visits
    float new_cells;     ///< cells a minute; with fewer it begins elsewhere, and then stops
    int32_t max_entries; ///< of the log; it stops when the log is full
    uint64_t seed;
} ploy_explorer_def;

PLOY_API ploy_explorer_def ploy_explorer_def_default(void);
PLOY_API ploy_fields ploy_explorer_fields(void);

/// Creates an explorer at a place. Cells are reachable if an agent can walk to them from cell to
/// cell.
/// @param bounds  what the raster covers; finite, with at most 2^22 cells.
/// @param start   within the bounds, where an agent can stand.
/// @param walks   kept, with user.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT for a larger raster, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_explorer_create(const ploy_explorer_def *def, ploy_box2 bounds,
                                          ploy_vec2 start, ploy_walks_fn walks, void *user,
                                          const ploy_env *env, ploy_explorer **out);
/// NULL is allowed.
PLOY_API void ploy_explorer_destroy(ploy_explorer *explorer);

/// Continues the walk. @param budget  one unit an entry; NULL: until it stops.
/// @return PLOY_IN_PROGRESS while it walks, PLOY_OK once it has stopped.
PLOY_API ploy_result ploy_explorer_step(ploy_explorer *explorer, ploy_budget *budget);

/// Returns the log so far, for ploy_graph_mine. Valid until the explorer is destroyed.
PLOY_API const ploy_log_entry *ploy_explorer_entries(const ploy_explorer *explorer, int32_t *count);

/// Why an explorer has stopped.
typedef enum ploy_explorer_end {
    PLOY_EXPLORER_WALKS,    ///< not stopped
    PLOY_EXPLORER_COMPLETE, ///< every cell it can reach was entered
    PLOY_EXPLORER_NO_NEWS,  ///< too few new cells in a minute, from two starts in a row
    PLOY_EXPLORER_FULL      ///< the log is full
} ploy_explorer_end;

/// "walks", "complete", "no news", "full".
PLOY_API const char *ploy_explorer_end_text(ploy_explorer_end end);

/// What the log covers.
typedef struct ploy_explorer_coverage {
    int32_t reachable; ///< cells
    int32_t visited;   ///< of those, entered
    int32_t once;      ///< of those, once only
    int32_t fresh;     ///< entered for the first time within the last minute
    int32_t runs;
    float share;    ///< visited / reachable
    double seconds; ///< walked
    ploy_explorer_end end;
} ploy_explorer_coverage;

PLOY_API ploy_explorer_coverage ploy_explorer_coverage_of(const ploy_explorer *explorer);

/// Draws the cells by visits, the walk of this run and the explorer.
PLOY_API void ploy_explorer_draw(const ploy_explorer *explorer, ploy_agent_id owner,
                                 ploy_draw *out);
/// The explorer's state: the log, the raster of visits and where it walks now.
PLOY_API void ploy_explorer_visit(ploy_visit *v, void *object);
PLOY_API void ploy_explorer_describe(const ploy_explorer *explorer, ploy_describe *out);
PLOY_API void ploy_explorer_memory(const ploy_explorer *explorer, ploy_memory_fn fn, void *user);
