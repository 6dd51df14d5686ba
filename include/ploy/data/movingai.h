/// @file ploy/data/movingai.h
/// Grid maps and scenarios in the MovingAI format of Sturtevant's "Benchmarks for Grid-Based
/// Pathfinding" (2012).
///
///     type octile          version 1
///     height 3             0  maze.map  4  3  0  0  3  2  4.41421356
///     width 4              bucket, map, its width and height, start x y, goal x y, length
///     map
///     ..@.
///     .GST
///     ....
///
/// In a map '.' and 'G' are floor, 'S' swamp, 'W' water, 'T' trees, '@' and 'O' out of bounds.
/// Floor and swamp are walkable; the others are separate kinds that are blocked by default, so that
/// a game can open water for boats. Moves are those of the benchmarks: eight neighbours, no cutting
/// of corners. Row 0 is the first line and y = 0; lines end in LF or CR LF, which may be missing on
/// the last line.
///
/// Readers never trust a size in a file before the bytes for it are present. Cost: linear. Threads:
/// pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/path/tiles.h"

/// Kinds of tiles in a loaded map.
enum {
    PLOY_MOVINGAI_OUTSIDE = PLOY_TILE_BLOCKED,
    PLOY_MOVINGAI_GROUND = PLOY_TILE_OPEN,
    PLOY_MOVINGAI_SWAMP = 2,
    PLOY_MOVINGAI_WATER = 3, ///< blocked
    PLOY_MOVINGAI_TREES = 4  ///< blocked
};

/// Reads a map.
/// @param name   of the file, for messages.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT with the reasons in diags; PLOY_ERR_LIMIT for more cells than ploy_tiles
///         supports; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_movingai_load_map(const void *bytes, size_t size, const char *name,
                                            const ploy_env *env, ploy_diags *diags,
                                            ploy_tiles **out);
/// Writes a map. Kinds that the format does not have are written as floor if they are walkable and
/// as '@' if not. @return PLOY_ERR_UNSUPPORTED for hexagons, or the writer's error.
PLOY_API ploy_result ploy_movingai_save_map(const ploy_tiles *tiles, ploy_writer *writer);

/// One problem of a scenario.
typedef struct ploy_movingai_problem {
    const char *map; ///< as named in the file; owned by the scenario
    int32_t bucket;
    int32_t width, height; ///< of the map
    int32_t start_x, start_y, goal_x, goal_y;
    double length; ///< of the shortest path, as printed: five or six digits
    int32_t line;  ///< of the file
} ploy_movingai_problem;

/// Problems on a map. Opaque.
typedef struct ploy_movingai_scenario ploy_movingai_scenario;

/// Reads a scenario. @return as for maps.
PLOY_API ploy_result ploy_movingai_load_scenario(const void *bytes, size_t size, const char *name,
                                                 const ploy_env *env, ploy_diags *diags,
                                                 ploy_movingai_scenario **out);
/// NULL is allowed.
PLOY_API void ploy_movingai_scenario_destroy(ploy_movingai_scenario *scenario);
PLOY_API int32_t ploy_movingai_scenario_count(const ploy_movingai_scenario *scenario);
/// NULL out of range.
PLOY_API const ploy_movingai_problem *
ploy_movingai_scenario_get(const ploy_movingai_scenario *scenario, int32_t index);
/// Checks that a scenario fits a map of that size: equal sizes, starts and goals inside.
/// @return PLOY_ERR_FORMAT; diags has each fault with its line.
PLOY_API ploy_result ploy_movingai_scenario_check(const ploy_movingai_scenario *scenario,
                                                  int32_t width, int32_t height, const char *name,
                                                  ploy_diags *diags);
/// Writes the version line with which a file begins.
PLOY_API void ploy_movingai_save_version(ploy_writer *writer);
/// Writes one problem as a line.
/// @return PLOY_ERR_ARGUMENT for a map name that is empty or has blanks in it, or the writer's
///         error.
PLOY_API ploy_result ploy_movingai_save_problem(const ploy_movingai_problem *problem,
                                                ploy_writer *writer);
