// Draughts: the table of rules and the move generator, shared by the game's files.
#pragma once

#include "ploy/board/draughts.h"

typedef enum draughts_promotion {
    DRAUGHTS_STOPS, // a man that reaches the last row ends its capture there
    DRAUGHTS_MAN,   // it goes on as a man, and becomes a king only if it ends there
    DRAUGHTS_KING   // it becomes a king and goes on as one
} draughts_promotion;

typedef enum draughts_duty {
    DRAUGHTS_FREE,    // any capture
    DRAUGHTS_MOST,    // the most pieces
    DRAUGHTS_ITALIAN, // the most pieces, with a king, the most kings, kings as early as possible
    DRAUGHTS_SPANISH, // the most pieces, then the most kings
    DRAUGHTS_CZECH,   // with a king if one can
    DRAUGHTS_FRISIAN  // the highest value, then with a king
} draughts_duty;

typedef struct draughts_row {
    const char *name;
    int8_t size;
    bool black_first;
    bool backward;   // men capture backward too
    bool straight;   // captures also along rows and columns
    bool long_king;  // kings move and capture over any distance
    bool kings_safe; // men cannot capture kings
    draughts_promotion promotion;
    draughts_duty duty;
} draughts_row;

const draughts_row *ployi_draughts_row(const void *rules);

enum { DRAUGHTS_MOVES = 512 }; // more than any position has

// Moves: bits 0 to 49 captured squares, 50 to 55 from, 56 to 61 to, 62 becomes a king, 63 always set.
#define DRAUGHTS_CAPTURED ((UINT64_C(1) << 50) - 1)
#define DRAUGHTS_CROWNED (UINT64_C(1) << 62)
static inline int32_t draughts_from(ploy_board_move move) {
    return (int32_t)(move >> 50 & 63);
}
static inline int32_t draughts_to(ploy_board_move move) {
    return (int32_t)(move >> 56 & 63);
}

int32_t ployi_draughts_moves(const void *rules, const ploy_board_draughts_position *p,
                             ploy_board_move *out, int32_t capacity);
bool ployi_draughts_can_move(const void *rules, const ploy_board_draughts_position *p);
// The squares of one route of a capture, from the first to the last. @return their number.
int32_t ployi_draughts_route(const void *rules, const ploy_board_draughts_position *p,
                             ploy_board_move move, uint8_t out[32]);
int32_t ployi_draughts_near(int32_t size, int32_t square, int32_t direction);
