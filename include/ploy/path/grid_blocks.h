/// @file ploy/path/grid_blocks.h
/// A grid in blocks: long routes in few steps, computed cell by cell only where they are walked.
///
/// The map is divided into square blocks. Where two blocks touch, every stretch of free cells is an
/// entrance: a short one has a crossing in its middle, a long one at each end. The costs between
/// crossings inside a block are precomputed, so a search goes from entrance to entrance; legs are
/// turned into cells on request.
///
///     . . . | . . .      | is the border of two blocks; the cells beside > are its entrances.
///     . . . > . . .      An edit rebuilds its block, and the one beside it if it is on
///     # # # | # . .      their border
///
/// Cells less than 16 apart are also joined directly, by a search of the square around both, so
/// that no short path makes a detour to an entrance. Paths are a little longer than the best;
/// ploy_grid_smooth removes most of the difference. Technique: Botea, Mueller, Schaeffer, "Near
/// Optimal Hierarchical Path-Finding" (2004, HPA*).
///
/// Memory: 19 bytes a cell with blocks of 16. Threads: const blocks may be read by many; a route
/// takes one caller at a time.
#pragma once

#include "ploy/path/finder.h"
#include "ploy/path/grid_search.h"

typedef struct ploy_grid_blocks_def {
    uint32_t cookie;
    int32_t side; ///< cells of a block, 4 to 16
    float
        weight; ///< of the estimate: routes cost at most this many times the best over the entrances
} ploy_grid_blocks_def;

PLOY_API ploy_grid_blocks_def ploy_grid_blocks_def_default(void);
PLOY_API ploy_fields ploy_grid_blocks_fields(void);

/// Opaque.
typedef struct ploy_grid_blocks ploy_grid_blocks;

/// @param map  must outlive the blocks.
/// @return PLOY_ERR_UNSUPPORTED for a map on which steps may pass between two walls
///         (PLOY_TILE_CORNERS_CUT); PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grid_blocks_create(const ploy_grid_blocks_def *def,
                                             const ploy_grid_map *map, const ploy_env *env,
                                             ploy_grid_blocks **out);
/// NULL is allowed.
PLOY_API void ploy_grid_blocks_destroy(ploy_grid_blocks *blocks);
/// Call it after ploy_grid_map_refresh. Rebuilds the blocks that changes touch; all, if there are
/// many. @return how many were rebuilt.
PLOY_API int32_t ploy_grid_blocks_refresh(ploy_grid_blocks *blocks);
/// Returns the number of crossings in all blocks.
PLOY_API int32_t ploy_grid_blocks_places(const ploy_grid_blocks *blocks);
/// Returns a hash of all blocks: blocks updated after edits equal rebuilt ones.
PLOY_API uint64_t ploy_grid_blocks_hash(const ploy_grid_blocks *blocks);
/// Draws borders and crossings.
PLOY_API void ploy_grid_blocks_draw(const ploy_grid_blocks *blocks, ploy_draw *out);
PLOY_API void ploy_grid_blocks_memory(const ploy_grid_blocks *blocks, ploy_memory_fn fn,
                                      void *user);

/// A route request and its result. Opaque.
typedef struct ploy_grid_route ploy_grid_route;

PLOY_API ploy_result ploy_grid_route_create(const ploy_env *env, ploy_grid_route **out);
/// NULL is allowed.
PLOY_API void ploy_grid_route_destroy(ploy_grid_route *route);
/// Drops the last request and begins another. If there is no path, this call already finds out.
/// @return PLOY_ERR_ARGUMENT for an invalid cell, PLOY_ERR_STATE if the blocks are out of date with
/// their
///         map, PLOY_ERR_MEMORY. The route has nothing to do then.
PLOY_API ploy_result ploy_grid_route_begin(ploy_grid_route *route, const ploy_grid_blocks *blocks,
                                           int32_t start, int32_t goal);
/// Works until it is finished (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). One unit is one
/// crossing taken. NULL: until it is finished. @return PLOY_ERR_STATE, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grid_route_step(ploy_grid_route *route, ploy_budget *budget);
PLOY_API void ploy_grid_route_cancel(ploy_grid_route *route);
/// Begins a route and steps it to the end.
PLOY_API ploy_result ploy_grid_route_run(ploy_grid_route *route, const ploy_grid_blocks *blocks,
                                         int32_t start, int32_t goal);
PLOY_API ploy_search_outcome ploy_grid_route_outcome(const ploy_grid_route *route);
/// Returns the length of the path found, in cells, each times its cost; 0 if there is none.
PLOY_API double ploy_grid_route_length(const ploy_grid_route *route);
/// Returns the number of crossings taken since begin.
PLOY_API int64_t ploy_grid_route_taken(const ploy_grid_route *route);
/// Returns the number of legs of the path found: each is inside one block, or a step into the next,
/// or a single one between near cells. 0 from a cell to itself; -1 without a path.
PLOY_API int32_t ploy_grid_route_legs(const ploy_grid_route *route);
/// Returns the cells entered on one leg, computed by this call: one bend, or a search inside the
/// block.
/// @return their number, which may exceed capacity (the last are then left out); -1 for an
///         invalid leg.
PLOY_API int32_t ploy_grid_route_leg(const ploy_grid_route *route, int32_t leg, int32_t *out,
                                     int32_t capacity);
/// Returns the cells entered on all legs, as ploy_grid_search_path.
PLOY_API int32_t ploy_grid_route_path(const ploy_grid_route *route, int32_t *out, int32_t capacity);
/// Draws the cells reached and the path, leg by leg.
PLOY_API void ploy_grid_route_draw(const ploy_grid_route *route, ploy_draw *out);
PLOY_API void ploy_grid_route_describe(const ploy_grid_route *route, ploy_describe *out);
PLOY_API void ploy_grid_route_memory(const ploy_grid_route *route, ploy_memory_fn fn, void *user);

/// Replaces, in place, stretches of a path with shorter ones of at most one bend where the body
/// fits. The path is never longer than before. Paths on maps with costs, and paths with a cell
/// outside the map, are not changed.
/// @param cells  entered after the start. @return how many are left.
PLOY_API int32_t ploy_grid_smooth(const ploy_grid_map *map, int32_t start, int32_t *cells,
                                  int32_t count);

/// Finders over the blocks: "blocks". Not optimal; they refuse cost hooks, goals by predicate,
/// variety, a radius wider than the map's body, and all requests while the blocks are out of date.
/// @param blocks  must outlive the finders.
PLOY_API ploy_finder_factory ploy_grid_blocks_finder(const ploy_grid_blocks *blocks);
