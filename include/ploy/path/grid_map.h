/// @file ploy/path/grid_map.h
/// A map of tiles prepared for the grid searches (ploy/path/grid_search.h).
///
/// Each cell has one bit for being free, in rows and again in columns, and two bits for each
/// straight direction: where a jump in that direction has to stop, and whether a jump from there
/// ends at a turning point. A jump therefore tests 64 cells at a time. Connected cells share a
/// label. On request the map also stores for every cell how far each of the eight jumps from it
/// goes, and its distance to a few landmarks: two cells are at least as far apart as their
/// distances from any landmark differ, which around walls is a far better estimate than the octile
/// distance.
///
/// One map serves any number of searches, for bodies of one size. ploy_grid_map_refresh updates it
/// from the tiles: a few single cells in microseconds, other changes by reading everything.
///
/// Technique: Harabor and Grastien, "Improving Jump Point Search" (2014): scanning by blocks, jump
/// tables (JPS+). Goldberg and Harrelson, "Computing the Shortest Path: A* Search Meets Graph
/// Theory" (2005): landmarks, here chosen far from each other in every part of the map.
///
/// Memory: 5.375 bytes a cell (and the ends of lines), 1 more if costs differ, 16 more for the
/// tables and 4 for each landmark. Threads: a const map may be read by many.
#pragma once

#include "ploy/path/tiles.h"

typedef struct ploy_grid_map_def {
    uint32_t cookie;
    int32_t size;      ///< side of the body, in cells
    bool tables;       ///< make jump tables, for PLOY_GRID_FAST
    int32_t landmarks; ///< for the tables; with 0, prepare is faster
} ploy_grid_map_def;

PLOY_API ploy_grid_map_def ploy_grid_map_def_default(void);
PLOY_API ploy_fields ploy_grid_map_fields(void);

/// Opaque.
typedef struct ploy_grid_map ploy_grid_map;

/// Reads the tiles, which must outlive the map.
/// @return PLOY_ERR_UNSUPPORTED for hexagons, wrapped maps, costs that are not whole numbers up to
///         255, tables of a map that has costs, more than 32,766 cells on a side, four neighbours
///         or corners that may be cut: search those as a space (the log gives the reason);
///         PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grid_map_create(const ploy_grid_map_def *def, const ploy_tiles *tiles,
                                          const ploy_env *env, ploy_grid_map **out);
/// NULL is allowed.
PLOY_API void ploy_grid_map_destroy(ploy_grid_map *map);

/// Updates the map after changes of the tiles. Up to 16 changed cells also update the jump tables,
/// and landmarks stay usable with a little slack, so searches are optimal and fast at once; prepare
/// restores the full precision of the landmarks. After more changes the tables are out of date, and
/// searches jump without them until prepare.
/// @return PLOY_ERR_UNSUPPORTED if create would now refuse the costs, leaving the
///         map unchanged; PLOY_ERR_MEMORY likewise (only if costs begin to differ).
PLOY_API ploy_result ploy_grid_map_refresh(ploy_grid_map *map);
/// Rebuilds the jump tables and landmarks if the def has them and they are out of date. O(cells).
/// @return PLOY_ERR_MEMORY if a flood of the map does not fit in memory: searches use the tables
///         without landmarks.
PLOY_API ploy_result ploy_grid_map_prepare(ploy_grid_map *map);

/// Returns the side of the body, in cells.
PLOY_API int32_t ploy_grid_map_size(const ploy_grid_map *map);
/// Identifies the contents, like ploy_tiles_generation: different after a refresh that found
/// changes, and after the jump tables were rebuilt.
PLOY_API uint64_t ploy_grid_map_generation(const ploy_grid_map *map);
/// Returns true if the body fits in a cell.
PLOY_API bool ploy_grid_map_fits(const ploy_grid_map *map, int32_t cell);
/// Returns true if there is a path. Always exact.
PLOY_API bool ploy_grid_map_connected(const ploy_grid_map *map, int32_t a, int32_t b);
/// Reports the bytes held.
PLOY_API void ploy_grid_map_memory(const ploy_grid_map *map, ploy_memory_fn fn, void *user);

/// Returns true if the straight line between two cells' centres passes only cells that the body
/// fits in. O(cells passed).
PLOY_API bool ploy_grid_sight(const ploy_grid_map *map, int32_t a, int32_t b);
