// Legal moves of chess, making them, and perft.
//
// The generator makes legal moves directly: a mask of squares that answer a check, and for pinned
// pieces the lines they may move on. One body serves both sides, lists and plain counting; counting
// needs no list, so the last ply of perft is a few population counts for each piece.
#include "chess_internal.h"

#include <string.h>

#include "chess_keys.h"

// ---- the generator ----

// What a generator writes: the list, or only the number.
typedef struct chess_out {
    ploy_board_move *moves; // NULL: only count
    int64_t count;
} chess_out;

PLOYI_INLINE void chess_put(chess_out *out, bool list, int32_t from, uint64_t targets,
                            int32_t piece) {
    if (!list) {
        out->count += chess_count(targets);
        return;
    }
    for (; targets != 0; targets &= targets - 1) {
        int32_t to = chess_first(targets);
        out->moves[out->count++] = CHESS_MOVE(from, to, CHESS_QUIET, piece, piece);
    }
}

// Pawn moves that all go the same distance; `targets` on the last rank promote.
PLOYI_INLINE void chess_put_pawns(chess_out *out, bool list, uint64_t targets, int32_t step,
                                  uint64_t last, int32_t kind) {
    if (!list) {
        out->count += chess_count(targets) + 3 * chess_count(targets & last);
        return;
    }
    for (uint64_t left = targets & ~last; left != 0; left &= left - 1) {
        int32_t to = chess_first(left);
        out->moves[out->count++] = CHESS_MOVE(to - step, to, kind, CHESS_PAWN, CHESS_PAWN);
    }
    for (uint64_t left = targets & last; left != 0; left &= left - 1) {
        int32_t to = chess_first(left);
        for (int32_t piece = CHESS_QUEEN; piece >= CHESS_KNIGHT; piece--) {
            out->moves[out->count++] = CHESS_MOVE(to - step, to, CHESS_PROMOTE, CHESS_PAWN, piece);
        }
    }
}

PLOYI_INLINE uint64_t chess_shift(uint64_t set, int32_t step) {
    return step > 0 ? set << step : set >> -step;
}

PLOYI_INLINE void chess_generate_pawns(const ployi_chess *p, int32_t us, bool list, chess_out *out,
                                       uint64_t answers, uint64_t lines, uint64_t diagonals,
                                       int32_t king, uint64_t occupied) {
    const int32_t up = us == CHESS_WHITE ? 8 : -8;
    const uint64_t last = us == CHESS_WHITE ? UINT64_C(0xff) << 56 : UINT64_C(0xff);
    const uint64_t third = us == CHESS_WHITE ? UINT64_C(0xff) << 16 : UINT64_C(0xff) << 40;
    uint64_t pawns = p->piece[CHESS_PAWN] & p->color[us], enemy = p->color[1 - us];
    uint64_t pushed = pawns & ~diagonals;
    uint64_t single =
        (chess_shift(pushed & ~lines, up) | (chess_shift(pushed & lines, up) & lines)) & ~occupied;
    uint64_t twice = chess_shift(single & third, up) & ~occupied & answers;
    chess_put_pawns(out, list, single & answers, up, last, CHESS_QUIET);
    chess_put_pawns(out, list, twice, 2 * up, last, CHESS_DOUBLE);
    uint64_t takers = pawns & ~lines;
    for (int32_t k = 0; k < 2; k++) {
        const int32_t step = up + (k == 0 ? -1 : 1);
        uint64_t inside = takers & ~(k == 0 ? CHESS_FILE_A : CHESS_FILE_H);
        uint64_t taken = chess_shift(inside & ~diagonals, step) |
                         (chess_shift(inside & diagonals, step) & diagonals);
        chess_put_pawns(out, list, taken & enemy & answers, step, last, CHESS_QUIET);
    }
    if (p->ep == CHESS_NO_SQUARE) return;
    uint64_t target = chess_bit(p->ep), victim = chess_shift(target, -up);
    for (uint64_t left = chess_pawns(1 - us, target) & pawns; left != 0; left &= left - 1) {
        // Both pawns leave their rank at once, which pins and checks do not cover: try it.
        uint64_t from = left & (~left + 1);
        uint64_t after = (occupied ^ from ^ victim) | target;
        if ((chess_attackers(p, king, after) & enemy & ~victim) != 0) continue;
        if (list)
            out->moves[out->count] =
                CHESS_MOVE(chess_first(from), p->ep, CHESS_EN_PASSANT, CHESS_PAWN, CHESS_PAWN);
        out->count++;
    }
}

// Whether the enemy attacks a square where only its sliders are left to look at.
PLOYI_INLINE bool chess_slider_attacks(int32_t square, uint64_t occupied, uint64_t lines,
                                       uint64_t diagonals) {
    return (chess_rook(square, occupied) & lines) != 0 ||
           (chess_bishop(square, occupied) & diagonals) != 0;
}

// Squares that must be free to castle, but for the two pieces themselves; `walk` gets those of the king.
PLOYI_INLINE uint64_t chess_castling_squares(const ployi_chess *p, int32_t us, int32_t wing,
                                             int32_t king, uint64_t *walk) {
    int32_t row = us == CHESS_WHITE ? 0 : 56, rook = p->rook[2 * us + wing];
    int32_t king_to = row + (wing == 0 ? 6 : 2), rook_to = row + (wing == 0 ? 5 : 3);
    *walk = chess_between(king, king_to) | chess_bit(king_to);
    return *walk | chess_between(rook, rook_to) | chess_bit(rook_to);
}

PLOYI_INLINE void chess_generate_king(const ployi_chess *p, int32_t us, bool list, chess_out *out,
                                      int32_t king, uint64_t occupied, uint64_t enemy_lines,
                                      uint64_t enemy_diagonals, bool checked) {
    uint64_t enemy = p->color[1 - us];
    uint64_t targets = chess_king[king] & ~p->color[us];
    uint8_t rights = (uint8_t)(checked ? 0 : p->rights >> (2 * us) & 3);
    // A wing with a piece in between is dropped before anything is computed for it.
    for (int32_t wing = 0; wing < 2 && rights != 0; wing++) {
        uint64_t walk = 0;
        if ((rights >> wing & 1) == 0) continue;
        if ((chess_castling_squares(p, us, wing, king, &walk) &
             (occupied ^ chess_bit(king) ^ chess_bit(p->rook[2 * us + wing]))) != 0)
            rights = (uint8_t)(rights & ~(1u << wing));
    }
    if (targets == 0 && rights == 0) return;
    uint64_t attacked =
        chess_pawns(1 - us, p->piece[CHESS_PAWN] & enemy) | chess_king[chess_king_of(p, 1 - us)];
    for (uint64_t left = p->piece[CHESS_KNIGHT] & enemy; left != 0; left &= left - 1) {
        attacked |= chess_knight[chess_first(left)];
    }
    uint64_t without = occupied ^ chess_bit(king);
    for (uint64_t left = targets & ~attacked; left != 0; left &= left - 1) {
        int32_t to = chess_first(left);
        if (chess_slider_attacks(to, without, enemy_lines, enemy_diagonals))
            attacked |= chess_bit(to);
    }
    chess_put(out, list, king, targets & ~attacked, CHESS_KING);
    if (rights == 0) return;
    int32_t row = us == CHESS_WHITE ? 0 : 56;
    for (int32_t wing = 0; wing < 2; wing++) {
        if ((rights >> wing & 1) == 0) continue;
        int32_t rook = p->rook[2 * us + wing];
        int32_t king_to = row + (wing == 0 ? 6 : 2), rook_to = row + (wing == 0 ? 5 : 3);
        uint64_t gone = occupied ^ chess_bit(king) ^ chess_bit(rook), walk = 0;
        (void)chess_castling_squares(p, us, wing, king, &walk);
        if ((walk & attacked) != 0) continue;
        bool safe = true;
        for (uint64_t left = walk & ~chess_bit(king); left != 0 && safe; left &= left - 1) {
            safe = !chess_slider_attacks(chess_first(left), without, enemy_lines, enemy_diagonals);
        }
        // The rook may have shielded the king's new square from its own row (Chess960).
        uint64_t after = gone | chess_bit(king_to) | chess_bit(rook_to);
        if (!safe || (chess_rook(king_to, after) & enemy_lines) != 0) continue;
        if (list)
            out->moves[out->count] = CHESS_MOVE(king, rook, CHESS_CASTLE, CHESS_KING, CHESS_KING);
        out->count++;
    }
}

// ---- counting sliders ----
//
// Along one direction the squares that pieces of one side reach are disjoint, because each piece blocks
// the next. So a count needs no loop over pieces: all rays of a direction are filled at once, and four
// directions fit a vector.
#if PLOYI_GNU
#define CHESS_FILL(pieces, empty, mask, SHIFT, steps)         \
    do {                                                      \
        ployi_w4 open = (empty) & (mask), rays = (pieces);    \
        rays |= open & (rays SHIFT(steps));                   \
        open &= open SHIFT(steps);                            \
        rays |= open & (rays SHIFT(2 * (steps)));             \
        open &= open SHIFT(2 * (steps));                      \
        rays |= open & (rays SHIFT(4 * (steps)));             \
        rays = (rays SHIFT(steps)) & (mask)&reached;          \
        total += chess_count(rays[0]) + chess_count(rays[1]); \
        total += chess_count(rays[2]) + chess_count(rays[3]); \
    } while (0)

PLOYI_INLINE int32_t chess_count_sliders(uint64_t lines, uint64_t diagonals, uint64_t occupied,
                                         uint64_t targets) {
    const uint64_t all = ~UINT64_C(0);
    const ployi_w4 steps = {8, 1, 9, 7};
    const ployi_w4 up = {all, ~CHESS_FILE_A, ~CHESS_FILE_A, ~CHESS_FILE_H};
    const ployi_w4 down = {all, ~CHESS_FILE_H, ~CHESS_FILE_H, ~CHESS_FILE_A};
    ployi_w4 pieces = {lines, lines, diagonals, diagonals};
    ployi_w4 empty = {~occupied, ~occupied, ~occupied, ~occupied};
    ployi_w4 reached = {targets, targets, targets, targets};
    int32_t total = 0;
    CHESS_FILL(pieces, empty, up, <<, steps);
    CHESS_FILL(pieces, empty, down, >>, steps);
    return total;
}
#else
PLOYI_INLINE int32_t chess_count_sliders(uint64_t lines, uint64_t diagonals, uint64_t occupied,
                                         uint64_t targets) {
    int32_t total = 0;
    for (uint64_t left = lines; left != 0; left &= left - 1) {
        total += chess_count(chess_rook(chess_first(left), occupied) & targets);
    }
    for (uint64_t left = diagonals; left != 0; left &= left - 1) {
        total += chess_count(chess_bishop(chess_first(left), occupied) & targets);
    }
    return total;
}
#endif

PLOYI_INLINE void chess_generate_side(const ployi_chess *p, int32_t us, bool list, chess_out *out) {
    uint64_t own = p->color[us], enemy = p->color[1 - us], occupied = own | enemy;
    uint64_t queens = p->piece[CHESS_QUEEN];
    uint64_t enemy_lines = (p->piece[CHESS_ROOK] | queens) & enemy;
    uint64_t enemy_diagonals = (p->piece[CHESS_BISHOP] | queens) & enemy;
    int32_t king = chess_king_of(p, us);
    uint64_t checkers = (chess_knight[king] & p->piece[CHESS_KNIGHT] & enemy) |
                        (chess_pawns(us, chess_bit(king)) & p->piece[CHESS_PAWN] & enemy);
    // Pieces that are alone between the king and an enemy slider may only move along that line.
    uint64_t pin_lines = 0, pin_diagonals = 0, sliders = 0;
    uint64_t file = CHESS_FILE_A << (king & 7), rank = UINT64_C(255) << (king & 56);
    if (((file | rank) & enemy_lines) != 0) {
        uint64_t seen = chess_rook(king, occupied);
        sliders |= seen & enemy_lines;
        uint64_t behind = chess_rook(king, occupied ^ (seen & own)) & enemy_lines & ~seen;
        for (; behind != 0; behind &= behind - 1) {
            int32_t at = chess_first(behind);
            pin_lines |= chess_between(king, at) | chess_bit(at);
        }
    }
    if (((chess_diagonal[king] | chess_antidiagonal[king]) & enemy_diagonals) != 0) {
        uint64_t seen = chess_bishop(king, occupied);
        sliders |= seen & enemy_diagonals;
        uint64_t behind = chess_bishop(king, occupied ^ (seen & own)) & enemy_diagonals & ~seen;
        for (; behind != 0; behind &= behind - 1) {
            int32_t at = chess_first(behind);
            pin_diagonals |= chess_between(king, at) | chess_bit(at);
        }
    }
    checkers |= sliders;
    chess_generate_king(p, us, list, out, king, occupied, enemy_lines, enemy_diagonals,
                        checkers != 0);
    uint64_t answers = ~UINT64_C(0);
    if (checkers != 0) {
        if ((checkers & (checkers - 1)) != 0) return; // double check: only the king moves
        answers = sliders != 0 ? checkers | chess_between(king, chess_first(checkers)) : checkers;
    }
    chess_generate_pawns(p, us, list, out, answers, pin_lines, pin_diagonals, king, occupied);
    uint64_t pinned = pin_lines | pin_diagonals, targets = ~own & answers;
    for (uint64_t left = p->piece[CHESS_KNIGHT] & own & ~pinned; left != 0; left &= left - 1) {
        int32_t from = chess_first(left);
        chess_put(out, list, from, chess_knight[from] & targets, CHESS_KNIGHT);
    }
    if (!list) {
        // Pinned ones are rare and follow one by one.
        uint64_t unpinned = own & ~pinned;
        out->count +=
            chess_count_sliders((p->piece[CHESS_ROOK] | queens) & unpinned,
                                (p->piece[CHESS_BISHOP] | queens) & unpinned, occupied, targets);
        if ((pinned & own) == 0) return;
        own &= pinned;
    }
    for (uint64_t left = p->piece[CHESS_BISHOP] & own & ~pin_lines; left != 0; left &= left - 1) {
        int32_t from = chess_first(left);
        uint64_t to = chess_bishop(from, occupied) & targets;
        if ((chess_bit(from) & pin_diagonals) != 0) to &= pin_diagonals;
        chess_put(out, list, from, to, CHESS_BISHOP);
    }
    for (uint64_t left = p->piece[CHESS_ROOK] & own & ~pin_diagonals; left != 0; left &= left - 1) {
        int32_t from = chess_first(left);
        uint64_t to = chess_rook(from, occupied) & targets;
        if ((chess_bit(from) & pin_lines) != 0) to &= pin_lines;
        chess_put(out, list, from, to, CHESS_ROOK);
    }
    for (uint64_t left = queens & own; left != 0; left &= left - 1) {
        int32_t from = chess_first(left);
        uint64_t bit = chess_bit(from), to = targets;
        if ((bit & pin_lines) != 0) {
            to &= chess_rook(from, occupied) & pin_lines;
        } else if ((bit & pin_diagonals) != 0) {
            to &= chess_bishop(from, occupied) & pin_diagonals;
        } else {
            to &= chess_rook(from, occupied) | chess_bishop(from, occupied);
        }
        chess_put(out, list, from, to, CHESS_QUEEN);
    }
}

PLOYI_INLINE void chess_list_body(const ployi_chess *p, chess_out *out) {
    if (p->side == CHESS_WHITE) {
        chess_generate_side(p, CHESS_WHITE, true, out);
    } else {
        chess_generate_side(p, CHESS_BLACK, true, out);
    }
}
PLOYI_KERNEL(chess_list, (const ployi_chess *p, chess_out *out), (p, out))

int32_t ployi_chess_at(const ployi_chess *p, int32_t square) {
    int32_t type = 0;
    while (type < CHESS_NONE && (p->piece[type] >> square & 1) == 0) type++;
    return type;
}

int32_t ployi_chess_moves(const ployi_chess *p, ploy_board_move *out) {
    chess_out list = {out, 0};
    chess_list(p, &list);
    uint64_t enemy = p->color[1 - p->side];
    for (int64_t i = 0; i < list.count; i++) {
        int32_t to = CHESS_TO(out[i]);
        int32_t captured = CHESS_NONE;
        if ((enemy >> to & 1) != 0) captured = ployi_chess_at(p, to);
        if (CHESS_KIND(out[i]) == CHESS_EN_PASSANT) captured = CHESS_PAWN;
        out[i] = (out[i] & ~((ploy_board_move)7 << 24)) | (ploy_board_move)captured << 24;
    }
    return (int32_t)list.count;
}

PLOYI_INLINE void chess_total_body(const ployi_chess *p, chess_out *out) {
    if (p->side == CHESS_WHITE) {
        chess_generate_side(p, CHESS_WHITE, false, out);
    } else {
        chess_generate_side(p, CHESS_BLACK, false, out);
    }
}
PLOYI_KERNEL(chess_total, (const ployi_chess *p, chess_out *out), (p, out))

bool ployi_chess_can_move(const ployi_chess *p) {
    chess_out counted = {NULL, 0};
    chess_total(p, &counted);
    return counted.count > 0;
}

bool ployi_chess_checked(const ployi_chess *p, int32_t side) {
    return (chess_attackers(p, chess_king_of(p, side), chess_occupied(p)) & p->color[1 - side]) !=
           0;
}

// ---- making moves ----

// Everything but key and counters.
PLOYI_INLINE void chess_apply(ployi_chess *p, int32_t us, ploy_board_move move) {
    int32_t from = CHESS_FROM(move), to = CHESS_TO(move), kind = CHESS_KIND(move);
    uint64_t at = chess_bit(from), target = chess_bit(to);
    p->ep = CHESS_NO_SQUARE;
    p->side = (uint8_t)(1 - us);
    if (kind == CHESS_CASTLE) {
        int32_t row = us == CHESS_WHITE ? 0 : 56;
        bool is_short = to > from;
        uint64_t king_to = chess_bit(row + (is_short ? 6 : 2)),
                 rook_to = chess_bit(row + (is_short ? 5 : 3));
        p->piece[CHESS_KING] = (p->piece[CHESS_KING] & ~at) | king_to;
        p->piece[CHESS_ROOK] = (p->piece[CHESS_ROOK] & ~target) | rook_to;
        p->color[us] = (p->color[us] & ~(at | target)) | king_to | rook_to;
    } else {
        uint64_t cleared = at | target;
        for (int32_t i = 0; i < 6; i++) p->piece[i] &= ~cleared;
        p->piece[CHESS_PLACED(move)] |= target;
        p->color[us] ^= cleared;
        p->color[1 - us] &= ~target;
        if (kind == CHESS_DOUBLE) {
            uint64_t behind = us == CHESS_WHITE ? at << 8 : at >> 8;
            if ((chess_pawns(us, behind) & p->piece[CHESS_PAWN] & p->color[1 - us]) != 0) {
                p->ep = (uint8_t)chess_first(behind);
            }
        } else if (kind == CHESS_EN_PASSANT) {
            uint64_t victim = us == CHESS_WHITE ? target >> 8 : target << 8;
            p->piece[CHESS_PAWN] ^= victim;
            p->color[1 - us] ^= victim;
        }
    }
    // Kings and rooks with rights stand on the back ranks (3).
    if (p->rights == 0 || ((at | target) & UINT64_C(0xff000000000000ff)) == 0) return;
    uint32_t lost = CHESS_PIECE(move) == CHESS_KING ? 3u << (2 * us) : 0;
    for (int32_t i = 0; i < 4; i++) {
        if (p->rook[i] == from || p->rook[i] == to) lost |= 1u << i;
    }
    lost &= p->rights;
    if (lost == 0) return;
    p->rights = (uint8_t)(p->rights & ~lost);
    for (int32_t i = 0; i < 4; i++) {
        if ((lost >> i & 1) != 0) p->rook[i] = CHESS_NO_SQUARE;
    }
}

static uint64_t chess_key_piece(int32_t color, int32_t type, int32_t square) {
    return chess_keys[64 * (2 * type + (color == CHESS_WHITE ? 1 : 0)) + square];
}

static uint64_t chess_key_state(const ployi_chess *p) {
    uint64_t key = p->side == CHESS_WHITE ? chess_keys[780] : 0;
    for (int32_t i = 0; i < 4; i++) {
        if ((p->rights >> i & 1) != 0) key ^= chess_keys[768 + i];
    }
    if (p->ep != CHESS_NO_SQUARE) key ^= chess_keys[772 + (p->ep & 7)];
    return key;
}

uint64_t ployi_chess_key(const ployi_chess *p) {
    uint64_t key = chess_key_state(p);
    for (int32_t type = 0; type < CHESS_NONE; type++) {
        for (uint64_t left = p->piece[type]; left != 0; left &= left - 1) {
            int32_t at = chess_first(left);
            key ^= chess_key_piece(
                (p->color[CHESS_WHITE] >> at & 1) != 0 ? CHESS_WHITE : CHESS_BLACK, type, at);
        }
    }
    return key;
}

void ployi_chess_make(ployi_chess *p, ploy_board_move move) {
    int32_t us = p->side;
    uint64_t key = p->key ^ chess_key_state(p);
    if (p->clock < UINT16_MAX) p->clock++;
    if (us == CHESS_BLACK && p->number < UINT16_MAX) p->number++;
    if (move == CHESS_PASS) {
        p->side = (uint8_t)(1 - us);
        p->ep = CHESS_NO_SQUARE;
        p->key = key ^ chess_key_state(p);
        return;
    }
    int32_t from = CHESS_FROM(move), to = CHESS_TO(move), kind = CHESS_KIND(move);
    int32_t piece = CHESS_PIECE(move), captured = CHESS_CAPTURED(move);
    if (kind == CHESS_CASTLE) {
        int32_t row = us == CHESS_WHITE ? 0 : 56;
        bool is_short = to > from;
        key ^= chess_key_piece(us, CHESS_KING, from) ^ chess_key_piece(us, CHESS_ROOK, to);
        key ^= chess_key_piece(us, CHESS_KING, row + (is_short ? 6 : 2));
        key ^= chess_key_piece(us, CHESS_ROOK, row + (is_short ? 5 : 3));
    } else {
        key ^= chess_key_piece(us, piece, from) ^ chess_key_piece(us, CHESS_PLACED(move), to);
        int32_t victim = kind == CHESS_EN_PASSANT ? (us == CHESS_WHITE ? to - 8 : to + 8) : to;
        if (captured != CHESS_NONE) key ^= chess_key_piece(1 - us, captured, victim);
        if (captured != CHESS_NONE || piece == CHESS_PAWN) p->clock = 0;
    }
    chess_apply(p, us, move);
    p->key = key ^ chess_key_state(p);
}

// ---- perft ----

// Leaves two plies below: the inner loop of perft, which makes a move and counts the replies.
PLOYI_INLINE void chess_perft_two(const ployi_chess *p, int32_t us, int64_t *leaves) {
    ploy_board_move moves[CHESS_MOVES_MAX];
    chess_out list = {moves, 0}, counted = {NULL, 0};
    chess_generate_side(p, us, true, &list);
    for (int64_t i = 0; i < list.count; i++) {
        ployi_chess next = *p;
        chess_apply(&next, us, moves[i]);
        chess_generate_side(&next, 1 - us, false, &counted);
    }
    *leaves += counted.count;
}
PLOYI_INLINE void chess_perft_pair_body(const ployi_chess *p, int64_t *leaves) {
    if (p->side == CHESS_WHITE) {
        chess_perft_two(p, CHESS_WHITE, leaves);
    } else {
        chess_perft_two(p, CHESS_BLACK, leaves);
    }
}
PLOYI_KERNEL(chess_perft_pair, (const ployi_chess *p, int64_t *leaves), (p, leaves))

static void chess_perft_deep(const ployi_chess *p, int32_t depth, int64_t *leaves) {
    if (depth == 2) {
        chess_perft_pair(p, leaves);
        return;
    }
    ploy_board_move moves[CHESS_MOVES_MAX];
    chess_out list = {moves, 0};
    chess_list(p, &list);
    if (depth == 1) {
        *leaves += list.count;
        return;
    }
    for (int64_t i = 0; i < list.count; i++) {
        ployi_chess next = *p;
        chess_apply(&next, p->side, moves[i]);
        chess_perft_deep(&next, depth - 1, leaves);
    }
}

uint64_t ploy_board_chess_perft(const void *position, int32_t depth) {
    if (depth <= 0) return 1;
    int64_t leaves = 0;
    chess_perft_deep(position, depth < 64 ? depth : 64, &leaves);
    return (uint64_t)leaves;
}
