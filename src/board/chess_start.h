// The weights of chess from which learning starts, written by hand: for the middle game and the end
// game in turn, in the order of chess_evaluate.c. What learning makes of them is in chess_weights.h.
#pragma once

#include <stdint.h>

// clang-format off
static const int16_t chess_start_weights[504] = {
    // material: pawn to queen
    85, 115, 330, 310, 345, 325, 475, 545, 1010, 980,
    // placement of a pawn, a file to d file, rank 1 to 8
    0, 0, 0, 0, 0, 0, 0, 0,
    -8, 4, 2, 6, -4, 6, -12, 6,
    -6, 0, 0, 4, 2, -2, 4, 0,
    -6, 8, -2, 6, 8, -2, 18, -4,
    0, 20, 4, 16, 12, 8, 24, 2,
    8, 44, 14, 42, 26, 30, 34, 24,
    30, 80, 36, 78, 44, 66, 50, 60,
    0, 0, 0, 0, 0, 0, 0, 0,
    // placement of a knight, a file to d file, rank 1 to 8
    -60, -40, -24, -34, -26, -20, -20, -16,
    -24, -28, -26, -14, -6, -12, 2, -4,
    -16, -20, 0, -4, 10, 0, 14, 12,
    -8, -12, 6, 4, 16, 16, 18, 22,
    0, -12, 10, 6, 22, 18, 32, 24,
    -8, -20, 18, -6, 34, 10, 42, 12,
    -30, -28, -8, -14, 22, -12, 26, -4,
    -90, -60, -50, -36, -24, -18, -16, -20,
    // placement of a bishop, a file to d file, rank 1 to 8
    -12, -18, -4, -8, -12, -14, -10, -6,
    4, -14, 16, -10, 8, -4, 4, 2,
    2, -8, 12, 0, 12, 8, 10, 10,
    0, -4, 8, 4, 10, 10, 20, 14,
    -4, -2, 6, 8, 14, 10, 28, 12,
    -4, 2, 12, 2, 20, 4, 22, 4,
    -18, -8, -4, -2, 2, 2, 2, -4,
    -20, -16, -14, -14, -20, -10, -20, -8,
    // placement of a rook, a file to d file, rank 1 to 8
    -14, -6, -8, -2, 2, 0, 12, -4,
    -28, -6, -10, -4, -6, 0, -2, -2,
    -22, -4, -8, -2, -6, -2, -4, -2,
    -18, 2, -8, 4, -4, 4, 2, 2,
    -8, 6, 0, 4, 8, 8, 14, 4,
    2, 8, 12, 8, 18, 6, 24, 6,
    18, 12, 22, 12, 34, 10, 38, 8,
    14, 12, 18, 12, 20, 14, 24, 12,
    // placement of a queen, a file to d file, rank 1 to 8
    -8, -32, -10, -28, -4, -24, 6, -20,
    -10, -24, -2, -22, 8, -18, 6, -10,
    -6, -14, 2, -8, 0, 6, -2, 4,
    -6, -4, -8, 10, -4, 14, -6, 30,
    -10, 2, -10, 20, -6, 26, -8, 40,
    -2, -8, -4, 8, 6, 24, 10, 38,
    -4, -10, -24, 16, 4, 26, -4, 40,
    0, 0, 12, 14, 20, 20, 24, 24,
    // placement of a king, a file to d file, rank 1 to 8
    14, -54, 32, -34, 4, -22, -14, -26,
    10, -28, 14, -12, -10, 0, -32, 6,
    -16, -18, -14, -4, -26, 10, -40, 18,
    -40, -16, -34, 2, -44, 20, -56, 28,
    -44, -4, -40, 18, -50, 28, -60, 32,
    -40, 4, -34, 24, -40, 30, -48, 28,
    -36, -8, -30, 16, -34, 20, -38, 20,
    -50, -50, -40, -22, -40, -14, -44, -16,
    // mobility of knight, bishop, rook and queen: a square
    4, 4, 4, 5, 2, 4, 1, 3,
    // passed pawn, by rank
    0, 0, 2, 10, 2, 14, 10, 30, 26, 55, 55, 95, 95, 150, 0, 0,
    // passed pawn that is held, by rank
    0, 0, 0, -2, 0, -3, 0, -7, 0, -13, 0, -23, 0, -37, 0, 0,
    // race of the kings to a passed pawn: a square, for each rank from the fourth
    0, 5,
    // pawns: doubled, isolated, supported, supported for each rank, level, backward
    -8, -18, -12, -14, 7, 5, 1, 1, 4, 3, -8, -8,
    // shelter of the king: open file, half open file, pawn two and more steps away, storm
    -28, 0, -18, 0, -8, 0, -15, 0, -4, 0,
    // danger to the king, in steps of four units of attack
    0, 0, -3, -2, -12, -4, -28, -6, -51, -8, -80, -10, -115, -12, -156, -14,
    -204, -16, -259, -18, -320, -20, -387, -22, -460, -24, -540, -26, -627, -28, -720, -30,
    // pieces: attacked by a pawn, rook on an open file, half open, outpost of knight, of bishop, two bishops
    -30, -25, 24, 10, 11, 7, 24, 10, 12, 10, 28, 48,
    // the move
    12, 12,
};
// clang-format on
