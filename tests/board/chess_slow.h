// Legal moves of chess the slow way, straight from the rules: an array of squares, every piece walks
// step by step, and a move is legal if the own king cannot be captured afterwards. Shares no code with
// the library; positions come in and moves go out as text.
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct slow_board {
    char at[8][8]; // [rank][file], ' ' is empty
    bool white;
    int rook_file[2][2];  // [black][queen side], -1: no right
    int ep_file, ep_rank; // -1: none
} slow_board;

static bool slow_is_white(char c) {
    return c >= 'A' && c <= 'Z';
}
static char slow_lower(char c) {
    return slow_is_white(c) ? (char)(c - 'A' + 'a') : c;
}
static bool slow_inside(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

static void slow_king(const slow_board *b, bool white, int *file, int *rank) {
    for (int r = 0; r < 8; r++) {
        for (int f = 0; f < 8; f++) {
            if (b->at[r][f] == (white ? 'K' : 'k')) *file = f, *rank = r;
        }
    }
}

static void slow_read(const char *fen, slow_board *b) {
    memset(b->at, ' ', sizeof b->at);
    int f = 0, r = 7;
    for (; *fen != ' '; fen++) {
        if (*fen == '/')
            r--, f = 0;
        else if (*fen >= '1' && *fen <= '8')
            f += *fen - '0';
        else
            b->at[r][f++] = *fen;
    }
    b->white = fen[1] == 'w';
    b->rook_file[0][0] = b->rook_file[0][1] = b->rook_file[1][0] = b->rook_file[1][1] = -1;
    for (fen += 3; *fen != ' '; fen++) {
        if (*fen == '-') continue;
        bool white = slow_is_white(*fen);
        int row = white ? 0 : 7, kf = 0, kr = 0, file = -1;
        slow_king(b, white, &kf, &kr);
        char c = slow_lower(*fen), rook = white ? 'R' : 'r';
        if (c == 'k') {
            for (int i = kf + 1; i < 8; i++) file = b->at[row][i] == rook ? i : file;
        } else if (c == 'q') {
            for (int i = kf - 1; i >= 0; i--) file = b->at[row][i] == rook ? i : file;
        } else {
            file = c - 'a';
        }
        b->rook_file[white ? 0 : 1][file > kf ? 0 : 1] = file;
    }
    b->ep_file = fen[1] == '-' ? -1 : fen[1] - 'a';
    b->ep_rank = fen[1] == '-' ? -1 : fen[2] - '1';
}

static bool slow_attacked(const slow_board *b, int file, int rank, bool by_white) {
    static const int steps[16][2] = {{1, 0},   {-1, 0},  {0, 1},  {0, -1}, {1, 1},  {1, -1},
                                     {-1, 1},  {-1, -1}, {1, 2},  {2, 1},  {2, -1}, {1, -2},
                                     {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    for (int d = 0; d < 16; d++) {
        for (int n = 1; n < 8; n++) {
            int f = file + n * steps[d][0], r = rank + n * steps[d][1];
            if (!slow_inside(f, r)) break;
            char c = b->at[r][f], kind = slow_lower(c);
            if (c != ' ' && slow_is_white(c) == by_white) {
                if (d >= 8 && kind == 'n') return true;
                if (d < 4 && (kind == 'r' || kind == 'q')) return true;
                if (d >= 4 && d < 8 && (kind == 'b' || kind == 'q')) return true;
                if (d < 8 && n == 1 && kind == 'k') return true;
                if (d >= 4 && d < 8 && n == 1 && kind == 'p' && (by_white ? r < rank : r > rank))
                    return true;
            }
            if (c != ' ' || d >= 8) break;
        }
    }
    return false;
}

typedef struct slow_move {
    int ff, fr, tf, tr; // castling: king takes rook
    char promoted;      // 'q', or 0
    bool castle;
} slow_move;

static void slow_make(slow_board *b, slow_move m) {
    char piece = b->at[m.fr][m.ff];
    bool white = b->white;
    int ep_file = b->ep_file, ep_rank = b->ep_rank;
    b->ep_file = b->ep_rank = -1;
    b->white = !white;
    if (m.castle) {
        bool is_short = m.tf > m.ff;
        b->at[m.fr][m.ff] = b->at[m.fr][m.tf] = ' ';
        b->at[m.fr][is_short ? 6 : 2] = white ? 'K' : 'k';
        b->at[m.fr][is_short ? 5 : 3] = white ? 'R' : 'r';
    } else {
        if (slow_lower(piece) == 'p' && m.tf == ep_file && m.tr == ep_rank) b->at[m.fr][m.tf] = ' ';
        b->at[m.fr][m.ff] = ' ';
        b->at[m.tr][m.tf] = m.promoted == 0 ? piece
                            : white         ? (char)(m.promoted - 'a' + 'A')
                                            : m.promoted;
        if (slow_lower(piece) == 'p' && abs(m.tr - m.fr) == 2)
            b->ep_file = m.ff, b->ep_rank = (m.fr + m.tr) / 2;
    }
    for (int side = 0; side < 2; side++) {
        int row = side == 0 ? 0 : 7;
        for (int wing = 0; wing < 2; wing++) {
            int file = b->rook_file[side][wing];
            bool king = slow_lower(piece) == 'k' && white == (side == 0);
            if (king || (m.fr == row && m.ff == file) || (m.tr == row && m.tf == file))
                b->rook_file[side][wing] = -1;
        }
    }
}

static void slow_add(const slow_board *b, slow_move m, slow_move *out, int *count) {
    slow_board next = *b;
    slow_make(&next, m);
    int f = 0, r = 0;
    slow_king(&next, b->white, &f, &r);
    if (!slow_attacked(&next, f, r, !b->white)) out[(*count)++] = m;
}

static void slow_add_pawn(const slow_board *b, slow_move m, slow_move *out, int *count) {
    if (m.tr != 0 && m.tr != 7) {
        slow_add(b, m, out, count);
        return;
    }
    for (const char *c = "qrbn"; *c != 0; c++) {
        m.promoted = *c;
        slow_add(b, m, out, count);
    }
}

static void slow_castle(const slow_board *b, slow_move *out, int *count) {
    int row = b->white ? 0 : 7, kf = 0, kr = 0;
    slow_king(b, b->white, &kf, &kr);
    for (int wing = 0; wing < 2; wing++) {
        int rf = b->rook_file[b->white ? 0 : 1][wing];
        if (rf < 0) continue;
        int king_to = wing == 0 ? 6 : 2, rook_to = wing == 0 ? 5 : 3;
        bool possible = true;
        slow_board lifted = *b;
        lifted.at[row][kf] = ' ';
        for (int f = 0; f < 8; f++) {
            bool king_walks = (f >= kf && f <= king_to) || (f <= kf && f >= king_to);
            bool rook_walks = (f >= rf && f <= rook_to) || (f <= rf && f >= rook_to);
            if ((king_walks || rook_walks) && f != kf && f != rf && b->at[row][f] != ' ')
                possible = false;
            if (king_walks && slow_attacked(&lifted, f, row, !b->white)) possible = false;
        }
        if (possible) slow_add(b, (slow_move){kf, row, rf, row, 0, true}, out, count);
    }
}

static int slow_moves(const slow_board *b, slow_move *out) {
    static const int steps[16][2] = {{1, 0},   {-1, 0},  {0, 1},  {0, -1}, {1, 1},  {1, -1},
                                     {-1, 1},  {-1, -1}, {1, 2},  {2, 1},  {2, -1}, {1, -2},
                                     {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    int count = 0;
    for (int r = 0; r < 8; r++) {
        for (int f = 0; f < 8; f++) {
            char c = b->at[r][f], kind = slow_lower(c);
            if (c == ' ' || slow_is_white(c) != b->white) continue;
            if (kind == 'p') {
                int up = b->white ? 1 : -1;
                if (b->at[r + up][f] == ' ') {
                    slow_add_pawn(b, (slow_move){f, r, f, r + up, 0, false}, out, &count);
                    if (r == (b->white ? 1 : 6) && b->at[r + 2 * up][f] == ' ')
                        slow_add(b, (slow_move){f, r, f, r + 2 * up, 0, false}, out, &count);
                }
                for (int df = -1; df <= 1; df += 2) {
                    if (!slow_inside(f + df, r + up)) continue;
                    char victim = b->at[r + up][f + df];
                    bool takes = victim != ' ' && slow_is_white(victim) != b->white;
                    bool passes = f + df == b->ep_file && r + up == b->ep_rank;
                    if (takes || passes)
                        slow_add_pawn(b, (slow_move){f, r, f + df, r + up, 0, false}, out, &count);
                }
                continue;
            }
            int first = kind == 'b'   ? 4
                        : kind == 'n' ? 8
                                      : 0,
                last = kind == 'r'   ? 4
                       : kind == 'n' ? 16
                                     : 8;
            int far = kind == 'n' || kind == 'k' ? 1 : 7;
            for (int d = first; d < last; d++) {
                for (int n = 1; n <= far; n++) {
                    int tf = f + n * steps[d][0], tr = r + n * steps[d][1];
                    if (!slow_inside(tf, tr)) break;
                    char there = b->at[tr][tf];
                    if (there != ' ' && slow_is_white(there) == b->white) break;
                    slow_add(b, (slow_move){f, r, tf, tr, 0, false}, out, &count);
                    if (there != ' ') break;
                }
            }
        }
    }
    slow_castle(b, out, &count);
    return count;
}

// The move as king takes rook, as in Chess960.
static void slow_text(slow_move m, char out[8]) {
    snprintf(out, 8, "%c%c%c%c%c", 'a' + m.ff, '1' + m.fr, 'a' + m.tf, '1' + m.tr, m.promoted);
}

static unsigned long long slow_perft(const slow_board *b, int depth) {
    slow_move moves[512];
    int count = slow_moves(b, moves);
    if (depth <= 1) return (unsigned long long)count;
    unsigned long long sum = 0;
    for (int i = 0; i < count; i++) {
        slow_board next = *b;
        slow_make(&next, moves[i]);
        sum += slow_perft(&next, depth - 1);
    }
    return sum;
}
