// The evaluation of chess: material, placement, mobility, pawns, king safety, pieces, the move. Each part
// has a value for the middle game and one for the end game; the phase blends them (BRD-45, BRD-46).
//
// Parts are computed for White minus Black with the same code for both, and each is rounded by itself, so
// the evaluation is antisymmetric and equals the sum of what it explains.
//
// Every number is a weight times how often something occurs, so ploy/board/learn.h can fit the weights
// to games: a trace counts the occurrences.
#include <string.h>

#include "chess_internal.h"
#include "chess_start.h"
#include "chess_weights.h"

typedef struct chess_pair {
    int32_t middle, end;
} chess_pair;

enum {
    CHESS_PART_MATERIAL,
    CHESS_PART_PLACEMENT,
    CHESS_PART_MOBILITY,
    CHESS_PART_PAWNS,
    CHESS_PART_KING,
    CHESS_PART_PIECES,
    CHESS_PART_MOVE,
    CHESS_PARTS
};
static const char *const chess_part_names[CHESS_PARTS] = {
    "material", "placement", "mobility", "pawns", "king safety", "pieces", "move"};

// Numbers of the weights, in pairs: one for the middle game, one for the end game.
enum {
    CHESS_W_VALUE = 0,                      // pawn to queen
    CHESS_W_PLACE = 5,                      // piece, rank from the own side, file from the edge
    CHESS_W_MOBILITY = CHESS_W_PLACE + 192, // knight to queen, for each square
    CHESS_W_PASSED = CHESS_W_MOBILITY + 4,  // by rank
    CHESS_W_HELD = CHESS_W_PASSED + 8,      // by rank: and the square in front is occupied
    CHESS_W_RACE = CHESS_W_HELD + 8,
    CHESS_W_DOUBLED,
    CHESS_W_ISOLATED,
    CHESS_W_SUPPORTED,
    CHESS_W_SUPPORTED_RANK,
    CHESS_W_LEVEL,
    CHESS_W_BACKWARD,
    CHESS_W_OPEN,
    CHESS_W_HALF_OPEN,
    CHESS_W_SHIELD_FAR,
    CHESS_W_SHIELD_GONE,
    CHESS_W_STORM,
    CHESS_W_DANGER, // in steps of four units of attack
    CHESS_W_ATTACKED = CHESS_W_DANGER + 16,
    CHESS_W_ROOK_OPEN,
    CHESS_W_ROOK_HALF_OPEN,
    CHESS_W_OUTPOST_KNIGHT,
    CHESS_W_OUTPOST_BISHOP,
    CHESS_W_TWO_BISHOPS,
    CHESS_W_MOVE,
    CHESS_W_PAIRS
};
enum { CHESS_WEIGHTS = 2 * CHESS_W_PAIRS };
_Static_assert(CHESS_WEIGHTS == sizeof chess_start_weights / sizeof chess_start_weights[0],
               "a start for each");
_Static_assert(CHESS_WEIGHTS == sizeof chess_weights / sizeof chess_weights[0], "all learned");

static const int32_t chess_phases[6] = {0, 1, 1, 2, 4, 0};
enum { CHESS_PHASE_ALL = 24 };
static const int32_t chess_mobility_mean[6] = {0, 4, 6, 7, 13, 0};
// Units of attack against a king, by piece; the danger grows faster than they do.
static const int32_t chess_attack_units[6] = {0, 3, 3, 4, 7, 0};
enum { CHESS_DANGER_STEP = 4, CHESS_DANGER_MOST = 60 };

// What both sides of the evaluation share.
typedef struct chess_view {
    const ployi_chess *p;
    uint64_t occupied;
    uint64_t pawns[2], pawn_attacks[2], zone[2];
    int32_t king[2];
    chess_pair part[CHESS_PARTS];
    const int16_t *weights;
    int32_t *trace; // quarters of occurrences of each pair; NULL: none are kept
} chess_view;

PLOYI_INLINE void chess_add(chess_view *v, int32_t part, int32_t pair, int32_t times) {
    v->part[part].middle += times * v->weights[2 * pair];
    v->part[part].end += times * v->weights[2 * pair + 1];
    if (v->trace != NULL) v->trace[pair] += 4 * times;
}

static uint64_t chess_file_of(int32_t square) {
    return CHESS_FILE_A << (square & 7);
}

static uint64_t chess_neighbours(int32_t square) {
    uint64_t file = chess_file_of(square);
    return (file & ~CHESS_FILE_A) >> 1 | (file & ~CHESS_FILE_H) << 1;
}

// Ranks in front of a square, for a side.
static uint64_t chess_ahead(int32_t side, int32_t square) {
    int32_t rank = square >> 3;
    if (side == CHESS_WHITE) return rank == 7 ? 0 : ~UINT64_C(0) << (8 * (rank + 1));
    return rank == 0 ? 0 : ~UINT64_C(0) >> (8 * (8 - rank));
}

static int32_t chess_distance(int32_t a, int32_t b) {
    int32_t files = (a & 7) - (b & 7), ranks = (a >> 3) - (b >> 3);
    if (files < 0) files = -files;
    if (ranks < 0) ranks = -ranks;
    return files > ranks ? files : ranks;
}

PLOYI_INLINE void chess_weigh_pawns(chess_view *v, int32_t us, int32_t sign) {
    uint64_t own = v->pawns[us], enemy = v->pawns[1 - us];
    for (uint64_t left = own; left != 0; left &= left - 1) {
        int32_t at = chess_first(left), rank = us == CHESS_WHITE ? at >> 3 : 7 - (at >> 3);
        uint64_t file = chess_file_of(at), sides = chess_neighbours(at),
                 ahead = chess_ahead(us, at);
        if ((own & file & ahead) != 0) chess_add(v, CHESS_PART_PAWNS, CHESS_W_DOUBLED, sign);
        bool isolated = (own & sides) == 0;
        if (isolated) chess_add(v, CHESS_PART_PAWNS, CHESS_W_ISOLATED, sign);
        bool supported = (v->pawn_attacks[us] >> at & 1) != 0;
        uint64_t level = sides & UINT64_C(255) << (at & 56);
        if (supported) {
            chess_add(v, CHESS_PART_PAWNS, CHESS_W_SUPPORTED, sign);
            chess_add(v, CHESS_PART_PAWNS, CHESS_W_SUPPORTED_RANK, sign * rank);
        } else if ((own & level) != 0) {
            chess_add(v, CHESS_PART_PAWNS, CHESS_W_LEVEL, sign);
        } else if (!isolated && (own & sides & ~ahead) == 0) {
            chess_add(v, CHESS_PART_PAWNS, CHESS_W_BACKWARD, sign);
        }
        if ((enemy & (file | sides) & ahead) != 0 || (own & file & ahead) != 0) continue;
        chess_add(v, CHESS_PART_PAWNS, CHESS_W_PASSED + rank, sign);
        int32_t front = us == CHESS_WHITE ? at + 8 : at - 8;
        // In the end game the kings race to the square in front of it.
        int32_t race = chess_distance(v->king[1 - us], front) - chess_distance(v->king[us], front);
        if (rank >= 3) chess_add(v, CHESS_PART_PAWNS, CHESS_W_RACE, sign * (rank - 2) * race);
        if ((v->occupied >> front & 1) != 0)
            chess_add(v, CHESS_PART_PAWNS, CHESS_W_HELD + rank, sign);
    }
}

// Between two weights of the curve of danger.
PLOYI_INLINE void chess_add_danger(chess_view *v, int32_t sign, int32_t units) {
    int32_t danger = units > CHESS_DANGER_MOST ? CHESS_DANGER_MOST : units;
    int32_t low = CHESS_W_DANGER + danger / CHESS_DANGER_STEP, part = danger % CHESS_DANGER_STEP;
    int32_t high = part > 0 ? low + 1 : low, rest = CHESS_DANGER_STEP - part;
    const int16_t *w = v->weights;
    v->part[CHESS_PART_KING].middle +=
        sign * ((w[2 * low] * rest + w[2 * high] * part) / CHESS_DANGER_STEP);
    v->part[CHESS_PART_KING].end +=
        sign * ((w[2 * low + 1] * rest + w[2 * high + 1] * part) / CHESS_DANGER_STEP);
    if (v->trace == NULL) return;
    v->trace[low] += sign * rest;
    v->trace[high] += sign * part;
}

PLOYI_INLINE void chess_weigh_king(chess_view *v, int32_t us, int32_t sign, int32_t units,
                                   int32_t attackers) {
    // Pawns in front of the own king, and open files beside it.
    int32_t king = v->king[us];
    for (int32_t file = (king & 7) - 1; file <= (king & 7) + 1; file++) {
        if (file < 0 || file > 7) continue;
        uint64_t column = CHESS_FILE_A << file;
        uint64_t shield = v->pawns[us] & column & chess_ahead(us, king);
        if (shield == 0) {
            bool open = (v->pawns[1 - us] & column) == 0;
            chess_add(v, CHESS_PART_KING, open ? CHESS_W_OPEN : CHESS_W_HALF_OPEN, sign);
        } else {
            int32_t pawn = us == CHESS_WHITE ? chess_first(shield) : ployi_highest_bit(shield);
            int32_t steps = (pawn >> 3) - (king >> 3);
            if (steps < 0) steps = -steps;
            if (steps == 2) chess_add(v, CHESS_PART_KING, CHESS_W_SHIELD_FAR, sign);
            if (steps > 2) chess_add(v, CHESS_PART_KING, CHESS_W_SHIELD_GONE, sign);
        }
        uint64_t storm = v->pawns[1 - us] & column & chess_ahead(us, king);
        if (storm != 0) {
            int32_t pawn = us == CHESS_WHITE ? chess_first(storm) : ployi_highest_bit(storm);
            int32_t steps = (pawn >> 3) - (king >> 3);
            if (steps < 0) steps = -steps;
            if (steps <= 3) chess_add(v, CHESS_PART_KING, CHESS_W_STORM, sign * (4 - steps));
        }
    }
    chess_add_danger(v, sign, attackers < 2 ? units / 3 : units);
}

// Material, placement, mobility and what single pieces add. Returns the attack on the enemy king.
PLOYI_INLINE void chess_weigh_pieces(chess_view *v, int32_t us, int32_t sign, int32_t *units,
                                     int32_t *attackers) {
    const ployi_chess *p = v->p;
    uint64_t own = p->color[us], safe = ~own & ~v->pawn_attacks[1 - us];
    for (int32_t type = 0; type < CHESS_NONE; type++) {
        for (uint64_t left = p->piece[type] & own; left != 0; left &= left - 1) {
            int32_t at = chess_first(left);
            int32_t rank = us == CHESS_WHITE ? at >> 3 : 7 - (at >> 3), file = at & 7;
            if (file > 3) file = 7 - file;
            if (type != CHESS_KING) chess_add(v, CHESS_PART_MATERIAL, CHESS_W_VALUE + type, sign);
            chess_add(v, CHESS_PART_PLACEMENT, CHESS_W_PLACE + (type * 8 + rank) * 4 + file, sign);
            if (type == CHESS_PAWN || type == CHESS_KING) continue;
            // Sliders see through pieces of the same kind: batteries.
            uint64_t queens = p->piece[CHESS_QUEEN] & own, rooks = p->piece[CHESS_ROOK] & own;
            uint64_t reached = type == CHESS_KNIGHT   ? chess_knight[at]
                               : type == CHESS_BISHOP ? chess_bishop(at, v->occupied & ~queens)
                               : type == CHESS_ROOK
                                   ? chess_rook(at, v->occupied & ~(queens | rooks))
                                   : chess_rook(at, v->occupied) | chess_bishop(at, v->occupied);
            int32_t squares = chess_count(reached & safe) - chess_mobility_mean[type];
            chess_add(v, CHESS_PART_MOBILITY, CHESS_W_MOBILITY + type - CHESS_KNIGHT,
                      sign * squares);
            uint64_t hits = reached & v->zone[1 - us];
            if (hits != 0) {
                (*attackers)++;
                *units += chess_attack_units[type] + chess_count(hits);
            }
            if ((v->pawn_attacks[1 - us] >> at & 1) != 0)
                chess_add(v, CHESS_PART_PIECES, CHESS_W_ATTACKED, sign);
            if (type == CHESS_ROOK) {
                uint64_t column = chess_file_of(at);
                if ((v->pawns[us] & column) == 0) {
                    bool open = (v->pawns[1 - us] & column) == 0;
                    chess_add(v, CHESS_PART_PIECES,
                              open ? CHESS_W_ROOK_OPEN : CHESS_W_ROOK_HALF_OPEN, sign);
                }
            } else if (type == CHESS_KNIGHT || type == CHESS_BISHOP) {
                bool outpost = rank >= 3 && rank <= 5 && (v->pawn_attacks[us] >> at & 1) != 0 &&
                               (v->pawns[1 - us] & chess_neighbours(at) & chess_ahead(us, at)) == 0;
                if (outpost)
                    chess_add(v, CHESS_PART_PIECES, CHESS_W_OUTPOST_KNIGHT + (type == CHESS_BISHOP),
                              sign);
            }
        }
    }
    uint64_t bishops = p->piece[CHESS_BISHOP] & own;
    if ((bishops & (bishops - 1)) != 0) chess_add(v, CHESS_PART_PIECES, CHESS_W_TWO_BISHOPS, sign);
}

// Material that cannot win without pawns counts little; 64 is all of it.
static int32_t chess_scale(const ployi_chess *p, const int16_t *weights, int32_t strong) {
    if ((p->piece[CHESS_PAWN] & p->color[strong]) != 0) return 64;
    int32_t lead = 0;
    for (int32_t type = CHESS_KNIGHT; type <= CHESS_QUEEN; type++) {
        int32_t value = weights[2 * (CHESS_W_VALUE + type) + 1];
        lead += value * (chess_count(p->piece[type] & p->color[strong]) -
                         chess_count(p->piece[type] & p->color[1 - strong]));
    }
    return lead <= weights[2 * (CHESS_W_VALUE + CHESS_BISHOP) + 1] + 40 ? 12 : 64;
}

// What a position is worth for White: how much of the middle game is left, and of the end game.
typedef struct chess_blend {
    int32_t phase, scale;
} chess_blend;

PLOYI_INLINE chess_blend chess_look(chess_view *v) {
    const ployi_chess *p = v->p;
    int32_t phase = 0, units[2] = {0, 0}, attackers[2] = {0, 0};
    v->occupied = chess_occupied(p);
    for (int32_t type = 0; type < CHESS_NONE; type++)
        phase += chess_phases[type] * chess_count(p->piece[type]);
    if (phase > CHESS_PHASE_ALL) phase = CHESS_PHASE_ALL;
    for (int32_t side = 0; side < 2; side++) {
        v->king[side] = chess_king_of(p, side);
        v->pawns[side] = p->piece[CHESS_PAWN] & p->color[side];
        v->pawn_attacks[side] = chess_pawns(side, v->pawns[side]);
        uint64_t zone = chess_king[v->king[side]] | chess_bit(v->king[side]);
        v->zone[side] = zone | (side == CHESS_WHITE ? zone << 8 : zone >> 8);
    }
    for (int32_t side = 0; side < 2; side++) {
        int32_t sign = side == CHESS_WHITE ? 1 : -1;
        chess_weigh_pieces(v, side, sign, &units[1 - side], &attackers[1 - side]);
        chess_weigh_pawns(v, side, sign);
    }
    for (int32_t side = 0; side < 2; side++) {
        chess_weigh_king(v, side, side == CHESS_WHITE ? 1 : -1, units[side], attackers[side]);
    }
    chess_add(v, CHESS_PART_MOVE, CHESS_W_MOVE, p->side == CHESS_WHITE ? 1 : -1);
    int32_t rough = 0;
    for (int32_t i = 0; i < CHESS_PARTS; i++) rough += v->part[i].end;
    chess_blend blend = {phase, chess_scale(p, v->weights, rough >= 0 ? CHESS_WHITE : CHESS_BLACK)};
    return blend;
}

PLOYI_INLINE int32_t chess_part_score(chess_pair part, chess_blend blend) {
    return (part.middle * blend.phase +
            part.end * blend.scale / 64 * (CHESS_PHASE_ALL - blend.phase)) /
           CHESS_PHASE_ALL;
}

int32_t ployi_chess_evaluate(const ployi_chess *p, const int16_t *weights, ploy_board_part_fn fn,
                             void *user) {
    chess_view v = {.p = p, .weights = weights};
    chess_blend blend = chess_look(&v);
    int32_t total = 0;
    for (int32_t i = 0; i < CHESS_PARTS; i++) {
        int32_t score = chess_part_score(v.part[i], blend);
        total += score;
        if (fn != NULL) fn(user, chess_part_names[i], score);
    }
    return total;
}

// ---- weights

static int16_t chess_weights_start(int32_t weight) {
    return chess_start_weights[weight];
}

static int32_t chess_weights_evaluate(const void *rules, const void *position, int32_t player,
                                      const int16_t *weights) {
    (void)rules;
    int32_t white = ployi_chess_evaluate(position, weights, NULL, NULL);
    return player == CHESS_WHITE ? white : -white;
}

static int32_t chess_weights_terms(const void *rules, const void *position, int32_t player,
                                   ploy_board_weight_term *out) {
    (void)rules;
    int32_t trace[CHESS_W_PAIRS];
    memset(trace, 0, sizeof trace);
    chess_view v = {.p = position, .weights = chess_start_weights, .trace = trace};
    chess_blend blend = chess_look(&v);
    float middle = (float)blend.phase / (float)CHESS_PHASE_ALL, sign = player == 0 ? 1.0f : -1.0f;
    float end = (1.0f - middle) * (float)blend.scale / 64.0f;
    int32_t count = 0;
    for (int32_t i = 0; i < CHESS_W_PAIRS; i++) {
        if (trace[i] == 0) continue;
        float times = sign * (float)trace[i] / 4.0f;
        if (middle > 0.0f) out[count++] = (ploy_board_weight_term){2 * i, middle * times};
        if (end > 0.0f) out[count++] = (ploy_board_weight_term){2 * i + 1, end * times};
    }
    return count;
}

const ploy_board_weights ployi_chess_weights = {
    .count = CHESS_WEIGHTS,
    .terms_max = CHESS_WEIGHTS,
    .learned = chess_weights,
    .start = chess_weights_start,
    .evaluate = chess_weights_evaluate,
    .terms = chess_weights_terms,
};
