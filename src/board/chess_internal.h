// Positions and attacks of chess, shared by the files src/board/chess*.c.
//
// Bitboards: bit 0 is a1, bit 7 h1, bit 63 h8. Sliding attacks are looked up line by line with tables
// of 12 KB that stay in the first cache ("kindergarten bitboards", G. Isenberg); magic bitboards would
// need 800 KB that have to be filled at run time.
//
// Invariants of a position that the reader accepted or that make produced:
//   (1) each side has one king, at most 16 pieces, and no pawn on the first or last rank;
//   (2) the side that is not to move is not in check;
//   (3) a castling right has its king on the back rank and its rook at rook[right];
//   (4) ep is set only if a pawn of the side to move attacks it, as in Polyglot's keys;
//   (5) key is the Polyglot key.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "ploy/board/chess.h"

#include "chess_tables.h"

enum { CHESS_PAWN, CHESS_KNIGHT, CHESS_BISHOP, CHESS_ROOK, CHESS_QUEEN, CHESS_KING, CHESS_NONE };
enum { CHESS_WHITE, CHESS_BLACK };
// Castling rights, bits of `rights` and indices of `rook`.
enum { CHESS_WHITE_SHORT, CHESS_WHITE_LONG, CHESS_BLACK_SHORT, CHESS_BLACK_LONG };
enum { CHESS_NO_SQUARE = 64 };

typedef struct ployi_chess {
    uint64_t piece[6]; // of both sides, by type
    uint64_t color[2];
    uint8_t side;
    uint8_t rights;
    uint8_t ep;      // square behind a pawn that may be captured, or CHESS_NO_SQUARE
    uint8_t unused;  // 0
    uint8_t rook[4]; // castling rooks; CHESS_NO_SQUARE without the right
    uint64_t key;
    uint16_t clock;  // plies since a capture or a pawn move
    uint16_t number; // of the full move, from 1
    uint32_t unused2;
} ployi_chess;

// Moves: from, to, kind, piece, captured piece (CHESS_NONE: none). Castling goes from the king's square
// to the rook's, which also serves Chess960.
enum { CHESS_QUIET, CHESS_DOUBLE, CHESS_CASTLE, CHESS_EN_PASSANT, CHESS_PROMOTE };
#define CHESS_MOVE(from, to, kind, piece, placed)                                           \
    ((ploy_board_move)(from) | (ploy_board_move)(to) << 6 | (ploy_board_move)(kind) << 12 | \
     (ploy_board_move)(piece) << 16 | (ploy_board_move)(placed) << 20 |                     \
     (ploy_board_move)CHESS_NONE << 24)
#define CHESS_FROM(move) ((int32_t)((move)&63))
#define CHESS_TO(move) ((int32_t)((move) >> 6 & 63))
#define CHESS_KIND(move) ((int32_t)((move) >> 12 & 7))
#define CHESS_PIECE(move) ((int32_t)((move) >> 16 & 7))
#define CHESS_PLACED(move) ((int32_t)((move) >> 20 & 7)) // what is on `to` afterwards
#define CHESS_CAPTURED(move) ((int32_t)((move) >> 24 & 7))
// A move that only passes the turn, for null-move pruning.
#define CHESS_PASS ((ploy_board_move)7 << 12)

enum { CHESS_MOVES_MAX = 448 }; // 15 queens of 27 moves, a king of 8 and castling fit

PLOYI_INLINE uint64_t chess_bit(int32_t square) {
    return UINT64_C(1) << square;
}
PLOYI_INLINE int32_t chess_first(uint64_t set) {
    return ployi_lowest_bit(set);
}
PLOYI_INLINE int32_t chess_count(uint64_t set) {
    return ployi_popcount_kernel(set);
}

#define CHESS_FILE_A UINT64_C(0x0101010101010101)
#define CHESS_FILE_B UINT64_C(0x0202020202020202)
#define CHESS_FILE_H UINT64_C(0x8080808080808080)

PLOYI_INLINE uint64_t chess_bishop(int32_t square, uint64_t occupied) {
    const uint64_t *fill = chess_fill[square & 7];
    uint64_t diagonal = chess_diagonal[square], anti = chess_antidiagonal[square];
    uint64_t a = fill[(diagonal & occupied) * CHESS_FILE_B >> 58] & diagonal;
    uint64_t b = fill[(anti & occupied) * CHESS_FILE_B >> 58] & anti;
    return a | b;
}
PLOYI_INLINE uint64_t chess_rook(int32_t square, uint64_t occupied) {
    int32_t file = square & 7, row = square & 56;
    uint64_t rank = chess_fill[file][occupied >> (row + 1) & 63] & UINT64_C(255) << row;
    uint64_t column = occupied >> file & CHESS_FILE_A;
    return rank | chess_column[square >> 3][column * UINT64_C(0x0080402010080400) >> 58] << file;
}

// Squares strictly between two squares of a line; 0 for others.
PLOYI_INLINE uint64_t chess_between(int32_t a, int32_t b) {
    const uint64_t all = ~UINT64_C(0);
    uint64_t span = (all << a) ^ (all << b);
    uint64_t file = (uint64_t)(b & 7) - (uint64_t)(a & 7);
    uint64_t rank = ((uint64_t)(b | 7) - (uint64_t)a) >> 3;
    uint64_t line = ((file & 7) - 1) & UINT64_C(0x0001010101010100);
    line += 2 * (((rank & 7) - 1) >> 58);
    line += (((rank - file) & 15) - 1) & UINT64_C(0x0040201008040200);
    line += (((rank + file) & 15) - 1) & UINT64_C(0x0002040810204080);
    line *= span & (~span + 1);
    return line & span;
}

// Squares that pawns of a side attack.
PLOYI_INLINE uint64_t chess_pawns(int32_t side, uint64_t pawns) {
    return side == CHESS_WHITE ? (pawns & ~CHESS_FILE_A) << 7 | (pawns & ~CHESS_FILE_H) << 9
                               : (pawns & ~CHESS_FILE_A) >> 9 | (pawns & ~CHESS_FILE_H) >> 7;
}

// Pieces of both sides that attack a square, with these squares occupied.
PLOYI_INLINE uint64_t chess_attackers(const ployi_chess *p, int32_t square, uint64_t occupied) {
    uint64_t at = chess_bit(square);
    uint64_t lines = p->piece[CHESS_ROOK] | p->piece[CHESS_QUEEN];
    uint64_t diagonals = p->piece[CHESS_BISHOP] | p->piece[CHESS_QUEEN];
    return (chess_pawns(CHESS_WHITE, at) & p->piece[CHESS_PAWN] & p->color[CHESS_BLACK]) |
           (chess_pawns(CHESS_BLACK, at) & p->piece[CHESS_PAWN] & p->color[CHESS_WHITE]) |
           (chess_knight[square] & p->piece[CHESS_KNIGHT]) |
           (chess_king[square] & p->piece[CHESS_KING]) | (chess_rook(square, occupied) & lines) |
           (chess_bishop(square, occupied) & diagonals);
}

PLOYI_INLINE int32_t chess_king_of(const ployi_chess *p, int32_t side) {
    return chess_first(p->piece[CHESS_KING] & p->color[side]);
}
PLOYI_INLINE uint64_t chess_occupied(const ployi_chess *p) {
    return p->color[CHESS_WHITE] | p->color[CHESS_BLACK];
}

// Type of the piece on a square, CHESS_NONE if it is empty.
int32_t ployi_chess_at(const ployi_chess *p, int32_t square);
// Whether the king of a side is attacked.
bool ployi_chess_checked(const ployi_chess *p, int32_t side);
// All legal moves with everything that CHESS_MOVE holds.
int32_t ployi_chess_moves(const ployi_chess *p, ploy_board_move *out);
// Whether the side to move has a legal move.
bool ployi_chess_can_move(const ployi_chess *p);
void ployi_chess_make(ployi_chess *p, ploy_board_move move);
// The key computed from nothing.
uint64_t ployi_chess_key(const ployi_chess *p);
// Neither side can mate by any series of moves: bare kings, one minor piece, bishops of one colour.
bool ployi_chess_dead(const ployi_chess *p);
// For White; fn (may be NULL) gets the parts.
int32_t ployi_chess_evaluate(const ployi_chess *p, const int16_t *weights, ploy_board_part_fn fn,
                             void *user);
extern const ploy_board_weights ployi_chess_weights;

// Text, for the type.
void ployi_chess_move_text(const void *rules, const void *position, ploy_board_move move,
                           char out[PLOY_BOARD_MOVE_TEXT]);
ploy_result ployi_chess_move_parse(const void *rules, const void *position, const char *text,
                                   const char *name, ploy_board_move *out, ploy_diags *diags);
void ployi_chess_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]);
ploy_result ployi_chess_parse(const void *rules, const char *text, const char *name, void *position,
                              ploy_diags *diags);
