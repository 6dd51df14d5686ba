/// @file ploy/data/sgf.h
/// SGF (FF[4]): records of Go and Othello games, read and written.
///
/// The main line of every game tree is read: the first variation at each branch. Setup stones (AB,
/// AW, AE with rectangles) and the side to move (PL) are collected up to the first move; later
/// setup ends the main line there. Moves are checked by the rules. Other properties are kept as
/// text: KM, PB, PW, RE and so on of the root. Text before the first parenthesis and lower-case
/// letters of names are ignored.
///
/// Cost: linear, and one move generation for each move. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/board/game.h"

typedef struct ploy_sgf_property {
    const char *name, *value;
} ploy_sgf_property;

typedef struct ploy_sgf_game {
    int32_t line;                           ///< of its parenthesis
    int32_t kind;                           ///< GM: 1 Go, 2 Othello
    int32_t size;                           ///< SZ: rows and columns
    float komi;                             ///< KM
    int32_t property_first, property_count; ///< of the root
    int32_t move_first, move_count;
    const char *start; ///< position text of the game where the moves begin; NULL: the start
} ploy_sgf_game;

/// A file of games. Opaque.
typedef struct ploy_sgf ploy_sgf;

/// Reads a file. A fault ends its game tree; reading continues with the next one.
/// @return PLOY_ERR_FORMAT with the faults in diags (may be NULL), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_sgf_load(const void *bytes, size_t size, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_sgf **out);
PLOY_API void ploy_sgf_destroy(ploy_sgf *sgf);
PLOY_API int32_t ploy_sgf_count(const ploy_sgf *sgf);
/// NULL out of range.
PLOY_API const ploy_sgf_game *ploy_sgf_at(const ploy_sgf *sgf, int32_t index);
/// Returns the value of a property of the root, or NULL.
PLOY_API const char *ploy_sgf_find(const ploy_sgf *sgf, const ploy_sgf_game *game,
                                   const char *name);
/// Moves of the file; those of a game are [move_first, move_first + move_count).
PLOY_API const ploy_board_move *ploy_sgf_moves(const ploy_sgf *sgf);
/// Returns the game with the rules of the record, which are written to `rules`.
PLOY_API ploy_board ploy_sgf_board(const ploy_sgf_game *game, ploy_board_rules *rules);

/// Properties of a game other than its moves; each may be NULL.
typedef struct ploy_sgf_header {
    const char *black, *white, *result;
} ploy_sgf_header;
/// Writes a game of Go or Othello from its start.
/// @return PLOY_ERR_UNSUPPORTED for other games, or the writer's error.
PLOY_API ploy_result ploy_sgf_save(ploy_board board, const ploy_board_move *moves, int32_t count,
                                   const ploy_sgf_header *header, ploy_writer *writer);
