/// @file ploy/data/pgn.h
/// PGN: chess games with tags and moves in standard algebraic notation; PDN: the same for draughts.
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
#include "ploy/board/draughts.h"

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
    int32_t draughts; ///< a ploy_board_draughts_rules for games of PDN files; -1: chess
} ploy_pgn_game;

/// A file of games. Opaque.
typedef struct ploy_pgn ploy_pgn;

/// Reads a file. A fault ends its game; reading continues with the next game.
/// @return PLOY_ERR_FORMAT with the faults in diags (may be NULL), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_pgn_load(const void *bytes, size_t size, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_pgn **out);
/// Reads a PDN file: games of draughts with the same tags, comments and variations. The GameType
/// tag selects the rules (20 international, 21 English, 22 Italian, 23 pool, 24 Spanish, 25 Russian,
/// 26 Brazilian; English without it), FEN the start position. Moves are "11-15" and "22x15", with
/// landing squares where they are needed or given. The results "2-0", "0-2" and "1-1" of older files
/// are read as "1-0", "0-1" and "1/2-1/2". Squares are numbered by rows from the top under all rules.
/// @return as ploy_pgn_load.
PLOY_API ploy_result ploy_pdn_load(const void *bytes, size_t size, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_pgn **out);
/// The GameType of draughts rules in PDN files; 0: it has none.
PLOY_API int32_t ploy_pdn_game_type(int32_t rules);
PLOY_API void ploy_pgn_destroy(ploy_pgn *pgn);
PLOY_API int32_t ploy_pgn_count(const ploy_pgn *pgn);
/// NULL out of range.
PLOY_API const ploy_pgn_game *ploy_pgn_at(const ploy_pgn *pgn, int32_t index);
PLOY_API const ploy_pgn_tag *ploy_pgn_tag_at(const ploy_pgn *pgn, int32_t index);
/// Returns the value of a tag of the game, or NULL.
PLOY_API const char *ploy_pgn_find(const ploy_pgn *pgn, const ploy_pgn_game *game, const char *tag);
/// All moves of the file.
PLOY_API const ploy_board_move *ploy_pgn_moves(const ploy_pgn *pgn);
/// The board of a game, with its rules, which are written to `rules`.
PLOY_API ploy_board ploy_pgn_board(const ploy_pgn_game *game, ploy_board_rules *rules);
/// Writes the start position of a game: that of the FEN tag, or the standard one.
PLOY_API void ploy_pgn_start(const ploy_pgn *pgn, const ploy_pgn_game *game, void *position);
/// Writes a game: tags, an empty line, moves at most 80 columns wide, the result.
PLOY_API ploy_result ploy_pgn_save(const ploy_pgn *pgn, const ploy_pgn_game *game,
                                   ploy_writer *writer);
