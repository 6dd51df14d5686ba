/// @file ploy/data/pgn.h
/// PGN: chess games with tags and moves in standard algebraic notation.
///
/// Every move of the main line is checked by the rules of chess; the start position is that of the
/// FEN tag if there is one, with the castling of Chess960 if the Variant tag names it. Comments,
/// variations, annotations and move numbers are skipped. A passed turn ("--", "Z0") is kept as a
/// null move. Files contain any number of games; a byte-order mark, empty lines anywhere and a game
/// without moves are accepted.
///
/// Cost: linear, and one move generation for each move. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/board/chess.h"

typedef struct ploy_pgn_tag {
    const char *name, *value;
} ploy_pgn_tag;

typedef struct ploy_pgn_game {
    int32_t line;      ///< of its first tag or move
    int32_t tag_first; ///< tags are ploy_pgn_tag_at(pgn, tag_first) and the following
    int32_t tag_count;
    int32_t move_first; ///< moves are ploy_pgn_moves(pgn)[move_first] and the following
    int32_t move_count;
    const char *result; ///< "1-0", "0-1", "1/2-1/2" or "*"
    bool chess960;
} ploy_pgn_game;

/// A file of games. Opaque.
typedef struct ploy_pgn ploy_pgn;

/// Reads a file. A fault ends its game; reading continues with the next game.
/// @return PLOY_ERR_FORMAT with the faults in diags (may be NULL), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_pgn_load(const void *bytes, size_t size, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_pgn **out);
PLOY_API void ploy_pgn_destroy(ploy_pgn *pgn);
PLOY_API int32_t ploy_pgn_count(const ploy_pgn *pgn);
/// NULL out of range.
PLOY_API const ploy_pgn_game *ploy_pgn_at(const ploy_pgn *pgn, int32_t index);
PLOY_API const ploy_pgn_tag *ploy_pgn_tag_at(const ploy_pgn *pgn, int32_t index);
/// Returns the value of a tag of the game, or NULL.
PLOY_API const char *ploy_pgn_find(const ploy_pgn *pgn, const ploy_pgn_game *game, const char *tag);
/// All moves of the file.
PLOY_API const ploy_board_move *ploy_pgn_moves(const ploy_pgn *pgn);
/// Writes the start position of a game: that of the FEN tag, or the standard one.
PLOY_API void ploy_pgn_start(const ploy_pgn *pgn, const ploy_pgn_game *game, void *position);
/// Writes a game: tags, an empty line, moves at most 80 columns wide, the result.
PLOY_API ploy_result ploy_pgn_save(const ploy_pgn *pgn, const ploy_pgn_game *game,
                                   ploy_writer *writer);
