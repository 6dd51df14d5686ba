/// @file ploy/path/grid_map.h
/// A map of tiles made ready for the grid's own searches (ploy/path/grid_search.h).
///
/// One bit a cell for being free, in rows and again in columns, and two for each straight direction
/// that say where a jump in it has to stop and whether one from there ends at a place to turn; so a
/// jump looks at 64 cells at a time. What hangs
/// together is labelled. On request every cell also knows how far each of the eight jumps from it
/// goes, and how far it is from a few landmarks: two cells are at least as far apart as their
/// distances from any landmark differ, which around walls says far more than the octile estimate.
///
/// One map serves any number of searches, for bodies of one size. It follows the tiles when asked
/// to (ploy_grid_map_refresh): a few single cells in microseconds, other changes by reading
/// everything.
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
    int32_t size;      ///< cells a body's side is long
    bool tables;       ///< make jump tables, for PLOY_GRID_FAST
    int32_t landmarks; ///< of the tables; without any prepare is faster
} ploy_grid_map_def;

PLOY_API ploy_grid_map_def ploy_grid_map_def_default(void);
PLOY_API ploy_fields ploy_grid_map_fields(void);

/// Opaque.
typedef struct ploy_grid_map ploy_grid_map;

/// Reads the tiles, which must outlive the map.
/// @return PLOY_ERR_UNSUPPORTED for hexagons, wrapped maps, costs that are not whole numbers up to
///         255, tables of a map that has costs, more than 32,766 cells on a side, four neighbours
///         or corners that may be cut: search those as a space (the log names it);
///         PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grid_map_create(const ploy_grid_map_def *def, const ploy_tiles *tiles,
                                          const ploy_env *env, ploy_grid_map **out);
/// NULL is allowed.
PLOY_API void ploy_grid_map_destroy(ploy_grid_map *map);

/// Follows the changes of the tiles. Jump tables follow up to 16 changed cells, and landmarks stay
/// usable with a little slack, so searches are optimal and fast at once; prepare makes the landmarks
/// sharp again. After more changes the tables are out of date, and searches jump without them, until
/// prepare.
/// @return PLOY_ERR_UNSUPPORTED if costs are such now that create would have refused, leaving the
///         map as it was; PLOY_ERR_MEMORY likewise (only if costs begin to differ).
PLOY_API ploy_result ploy_grid_map_refresh(ploy_grid_map *map);
/// Makes the jump tables and landmarks again, if the def has them and they are out of date. O(cells).
/// @return PLOY_ERR_MEMORY if there is no room for a flood of the map: searches use the tables
///         without landmarks.
PLOY_API ploy_result ploy_grid_map_prepare(ploy_grid_map *map);

/// Cells that a body's side is long.
PLOY_API int32_t ploy_grid_map_size(const ploy_grid_map *map);
/// Names the contents, as ploy_tiles_generation: different after a refresh that found changes, and
/// after the jump tables were made again.
PLOY_API uint64_t ploy_grid_map_generation(const ploy_grid_map *map);
/// Does the body fit there?
PLOY_API bool ploy_grid_map_fits(const ploy_grid_map *map, int32_t cell);
/// Is there a path? Always certain.
PLOY_API bool ploy_grid_map_connected(const ploy_grid_map *map, int32_t a, int32_t b);
/// All that was made, folded into one number: a map that followed edits equals a rebuilt one.
/// Labels count by what they say, not by how they are kept.
PLOY_API void ploy_grid_map_memory(const ploy_grid_map *map, ploy_memory_fn fn, void *user);

/// Does the straight line between two cells' centres pass only cells that the body fits in?
/// O(cells passed).
PLOY_API bool ploy_grid_sight(const ploy_grid_map *map, int32_t a, int32_t b);
