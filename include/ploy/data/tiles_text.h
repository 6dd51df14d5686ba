/// @file ploy/data/tiles_text.h
/// A level drawn as text: one character per cell, one line per row.
///
///     ##########
///     #a..#...1#
///     #......A.#
///     ##########
///
/// The kind of a cell is its character, so that a game finds starts, doors and posts by kind; wall
/// characters become PLOY_TILE_BLOCKED. The first line is the top row: y increases upward, lines go
/// down. Cells are squares of 1 m with the lower left corner of the map at the origin.
///
/// Cost: linear. For maps from editors see ploy/data/tiled_use.h and ploy/data/movingai.h.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/path/tiles.h"

/// Reads a level.
/// @param walls  characters that are walls, such as "#".
/// @param name   of the file, for messages. @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT for an empty text, lines of different lengths and characters
///         that are not
///         printable ASCII (diags has the position); PLOY_ERR_LIMIT; PLOY_ERR_ARGUMENT;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tiles_from_text(const char *bytes, size_t size, const char *walls,
                                          const char *name, const ploy_env *env, ploy_diags *diags,
                                          ploy_tiles **out);

/// Gets the centre of the first cell of a kind, row by row from the bottom; false if there is none.
PLOY_API bool ploy_tiles_find_kind(const ploy_tiles *tiles, uint8_t kind, ploy_vec2 *out);

/// A character to print over a level.
typedef struct ploy_tiles_mark {
    ploy_vec2 at; ///< m, in a cell
    char mark;
} ploy_tiles_mark;

/// Writes a level as text, the top row first, for terminals and logs: '#' for blocked cells, '.'
/// for the others, and the marks over them. Marks outside the map are left out; of several in one
/// cell the last one is written.
/// Cost: O(cells x marks). @return PLOY_ERR_UNSUPPORTED for hexagons, or the writer's error.
PLOY_API ploy_result ploy_tiles_write_text(const ploy_tiles *tiles, const ploy_tiles_mark *marks,
                                           int32_t count, ploy_writer *out);
