/// @file ploy/board/chess.h
/// Chess with Chess960: bitboards, a generator of legal moves, Polyglot keys, a tapered evaluation.
///
/// Positions are written as FEN; castling rights are read as KQkq, X-FEN and Shredder-FEN and
/// written as X-FEN. Moves are written as in UCI (e2e4, e7e8q, castling e1g1, in Chess960 e1h1) and
/// read in that form, as SAN (Nbd7, exd8=Q+, O-O) and in long algebraic form (Bh8-f6+).
///
/// The game is over at mate, stalemate, after 100 plies without a capture or a pawn move, and when
/// no series of moves can mate. Repetitions depend on the game's history, which is passed to a
/// search at begin. The hash is the key of Polyglot's opening books. Scores are centipawns.
#pragma once

#include "ploy/board/game.h"

typedef struct ploy_board_chess_def {
    uint32_t cookie; ///< set by the default; leave alone
    bool chess960;   ///< castling is written as the king taking its rook
    int32_t start;   ///< number of the start position in Scharnagl's order; 518 is standard chess
} ploy_board_chess_def;

PLOY_API ploy_board_chess_def ploy_board_chess_def_default(void);
PLOY_API ploy_fields ploy_board_chess_fields(void);

/// The rules of chess.
PLOY_API const ploy_board_type *ploy_board_chess(void);

/// The number of leaves of the tree of legal moves at exactly that depth; a mate or stalemate above
/// it has none. Draws by rule are not considered. Cost: moves of the last ply are counted, not
/// played.
PLOY_API uint64_t ploy_board_chess_perft(const void *position, int32_t depth);

/// Writes a legal move in standard algebraic notation with + and #.
PLOY_API void ploy_board_chess_san(const void *position, ploy_board_move move,
                                   char out[PLOY_BOARD_MOVE_TEXT]);

/// A legal move as Polyglot books store it, and back.
PLOY_API uint16_t ploy_board_chess_book_move(ploy_board_move move);
/// @return PLOY_BOARD_NO_MOVE if it is not legal here.
PLOY_API ploy_board_move ploy_board_chess_from_book(const void *position, uint16_t move);
