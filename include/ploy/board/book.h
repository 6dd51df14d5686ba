/// @file ploy/board/book.h
/// Opening books: good moves for positions that occur often.
///
///     create --> add lines and games --> seal --> choose while the position is in the book
///                                    learn(result of a game) --> seal
///
/// An entry is a position's hash, a move, the line that it came from, a strength and the results of
/// games. Transpositions share their entries, because the key is the position. The weight of a move
/// is its strength at first and moves towards its results with each game; `prior` is the number of
/// games that the strength is worth. A move that keeps losing falls to weight 0 and is no longer
/// played. Technique: Millington, "AI for Games", 9.6; Buro, "Toward opening book learning", 1999.
///
/// Cost: a lookup is a binary search and one move generation. Threads: a sealed book may be read by
/// many.
#pragma once

#include "ploy/board/chess.h"

typedef struct ploy_board_book_def {
    uint32_t cookie; ///< set by the default; leave alone
    int32_t prior;   ///< games that the strength of an entry counts for
    int32_t plies;   ///< deepest ply added from games
    int32_t least;   ///< weight below which a move is not played
    bool best;       ///< always the heaviest move; otherwise drawn by weight
} ploy_board_book_def;

PLOY_API ploy_board_book_def ploy_board_book_def_default(void);
PLOY_API ploy_fields ploy_board_book_fields(void);

typedef struct ploy_board_book_entry {
    uint64_t key;     ///< hash of the position
    uint64_t code;    ///< of the move: for chess as in Polyglot, otherwise the move itself
    int32_t strength; ///< 0 to 65535, from the mover's point of view
    int32_t line;     ///< index of the line, -1: none
    int64_t games, wins, draws;
} ploy_board_book_entry;

/// A book. Opaque.
typedef struct ploy_board_book ploy_board_book;

PLOY_API ploy_result ploy_board_book_create(const ploy_board_book_def *def, ploy_board board,
                                            const ploy_env *env, ploy_board_book **out);
PLOY_API void ploy_board_book_destroy(ploy_board_book *book);
/// Adds an entry; seal merges it with one of the same key and move.
PLOY_API ploy_result ploy_board_book_add(ploy_board_book *book, const ploy_board_book_entry *entry);
/// Adds every move of a line, from a position (NULL: the start).
/// @param name  of the line, kept; may be NULL.
/// @return PLOY_ERR_ARGUMENT if a move is illegal; the moves before it stay in the book.
PLOY_API ploy_result ploy_board_book_add_line(ploy_board_book *book, const void *position,
                                              const ploy_board_move *moves, int32_t count,
                                              int32_t strength, const char *name);
/// Learns from a game: counts its result in the entries on its path; with `grow`, moves that are
/// not in the book are added, down to the def's ply. @param result  of player 0: above 0 won, below
/// 0 lost.
PLOY_API ploy_result ploy_board_book_learn(ploy_board_book *book, const void *position,
                                           const ploy_board_move *moves, int32_t count,
                                           int32_t result, bool grow);
/// Sorts and merges the entries. Lookups ignore entries that were added after the last seal.
/// @return PLOY_OK.
PLOY_API ploy_result ploy_board_book_seal(ploy_board_book *book);

/// Number of entries of the sealed book, and one of them in order of key and code; NULL out of
/// range.
PLOY_API int32_t ploy_board_book_count(const ploy_board_book *book);
PLOY_API const ploy_board_book_entry *ploy_board_book_at(const ploy_board_book *book,
                                                         int32_t index);
/// Name of a line, or "".
PLOY_API const char *ploy_board_book_line(const ploy_board_book *book, int32_t line);
/// Weight of an entry: strength and results.
PLOY_API int32_t ploy_board_book_weight(const ploy_board_book *book,
                                        const ploy_board_book_entry *entry);
/// The entry of a move in a position, or NULL.
PLOY_API const ploy_board_book_entry *
ploy_board_book_find(const ploy_board_book *book, const void *position, ploy_board_move move);
/// A move of the book that is legal here. @param rng  not used if the def sets `best`.
/// @return PLOY_BOARD_NO_MOVE: the position is not in the book.
PLOY_API ploy_board_move ploy_board_book_choose(const ploy_board_book *book, const void *position,
                                                ploy_rng *rng);
/// Part of an evaluation: how far the book's results here are above even for the side to move, in
/// thousandths; 0 outside the book.
PLOY_API int32_t ploy_board_book_score(const ploy_board_book *book, const void *position);
