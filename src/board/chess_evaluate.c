// The evaluation of chess: material, placement, mobility, pawns, king safety, pieces, the move. Each part
// has a value for the middle game and one for the end game; the phase blends them (BRD-45, BRD-46).
//
// Parts are computed for White minus Black with the same code for both, and each is rounded by itself, so
// the evaluation is antisymmetric and equals the sum of what it explains.
#include "chess_internal.h"

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
    CHESS_PARTS
};
static const char *const chess_part_names[CHESS_PARTS] = {"material", "placement",   "mobility",
                                                          "pawns",    "king safety", "pieces"};

static const chess_pair chess_values[6] = {{85, 115},  {330, 310},  {345, 325},
                                           {475, 545}, {1010, 980}, {0, 0}};
static const int32_t chess_phases[6] = {0, 1, 1, 2, 4, 0};
enum { CHESS_PHASE_ALL = 24 };

// Placement by rank (from the own side) and by file, counted from the edge.
static const int8_t chess_place_middle[6][8][4] = {{{0, 0, 0, 0},
                                                    {-8, 2, -4, -12},
                                                    {-6, 0, 2, 4},
                                                    {-6, -2, 8, 18},
                                                    {0, 4, 12, 24},
                                                    {8, 14, 26, 34},
                                                    {30, 36, 44, 50},
                                                    {0, 0, 0, 0}},
                                                   {{-60, -24, -26, -20},
                                                    {-24, -26, -6, 2},
                                                    {-16, 0, 10, 14},
                                                    {-8, 6, 16, 18},
                                                    {0, 10, 22, 32},
                                                    {-8, 18, 34, 42},
                                                    {-30, -8, 22, 26},
                                                    {-90, -50, -24, -16}},
                                                   {{-12, -4, -12, -10},
                                                    {4, 16, 8, 4},
                                                    {2, 12, 12, 10},
                                                    {0, 8, 10, 20},
                                                    {-4, 6, 14, 28},
                                                    {-4, 12, 20, 22},
                                                    {-18, -4, 2, 2},
                                                    {-20, -14, -20, -20}},
                                                   {{-14, -8, 2, 12},
                                                    {-28, -10, -6, -2},
                                                    {-22, -8, -6, -4},
                                                    {-18, -8, -4, 2},
                                                    {-8, 0, 8, 14},
                                                    {2, 12, 18, 24},
                                                    {18, 22, 34, 38},
                                                    {14, 18, 20, 24}},
                                                   {{-8, -10, -4, 6},
                                                    {-10, -2, 8, 6},
                                                    {-6, 2, 0, -2},
                                                    {-6, -8, -4, -6},
                                                    {-10, -10, -6, -8},
                                                    {-2, -4, 6, 10},
                                                    {-4, -24, 4, -4},
                                                    {0, 12, 20, 24}},
                                                   {{14, 32, 4, -14},
                                                    {10, 14, -10, -32},
                                                    {-16, -14, -26, -40},
                                                    {-40, -34, -44, -56},
                                                    {-44, -40, -50, -60},
                                                    {-40, -34, -40, -48},
                                                    {-36, -30, -34, -38},
                                                    {-50, -40, -40, -44}}};
static const int8_t chess_place_end[6][8][4] = {{{0, 0, 0, 0},
                                                 {4, 6, 6, 6},
                                                 {0, 4, -2, 0},
                                                 {8, 6, -2, -4},
                                                 {20, 16, 8, 2},
                                                 {44, 42, 30, 24},
                                                 {80, 78, 66, 60},
                                                 {0, 0, 0, 0}},
                                                {{-40, -34, -20, -16},
                                                 {-28, -14, -12, -4},
                                                 {-20, -4, 0, 12},
                                                 {-12, 4, 16, 22},
                                                 {-12, 6, 18, 24},
                                                 {-20, -6, 10, 12},
                                                 {-28, -14, -12, -4},
                                                 {-60, -36, -18, -20}},
                                                {{-18, -8, -14, -6},
                                                 {-14, -10, -4, 2},
                                                 {-8, 0, 8, 10},
                                                 {-4, 4, 10, 14},
                                                 {-2, 8, 10, 12},
                                                 {2, 2, 4, 4},
                                                 {-8, -2, 2, -4},
                                                 {-16, -14, -10, -8}},
                                                {{-6, -2, 0, -4},
                                                 {-6, -4, 0, -2},
                                                 {-4, -2, -2, -2},
                                                 {2, 4, 4, 2},
                                                 {6, 4, 8, 4},
                                                 {8, 8, 6, 6},
                                                 {12, 12, 10, 8},
                                                 {12, 12, 14, 12}},
                                                {{-32, -28, -24, -20},
                                                 {-24, -22, -18, -10},
                                                 {-14, -8, 6, 4},
                                                 {-4, 10, 14, 30},
                                                 {2, 20, 26, 40},
                                                 {-8, 8, 24, 38},
                                                 {-10, 16, 26, 40},
                                                 {0, 14, 20, 24}},
                                                {{-54, -34, -22, -26},
                                                 {-28, -12, 0, 6},
                                                 {-18, -4, 10, 18},
                                                 {-16, 2, 20, 28},
                                                 {-4, 18, 28, 32},
                                                 {4, 24, 30, 28},
                                                 {-8, 16, 20, 20},
                                                 {-50, -22, -14, -16}}};

static const chess_pair chess_mobility[6] = {{0, 0}, {4, 4}, {4, 5}, {2, 4}, {1, 3}, {0, 0}};
static const int32_t chess_mobility_mean[6] = {0, 4, 6, 7, 13, 0};
static const chess_pair chess_passed[8] = {{0, 0},   {2, 10},  {2, 14},   {10, 30},
                                           {26, 55}, {55, 95}, {95, 150}, {0, 0}};
// Units of attack against a king, by piece; the penalty grows with their square.
static const int32_t chess_attack_units[6] = {0, 3, 3, 4, 7, 0};

// What both sides of the evaluation share.
typedef struct chess_view {
    const ployi_chess *p;
    uint64_t occupied;
    uint64_t pawns[2], pawn_attacks[2], zone[2];
    int32_t king[2];
    chess_pair part[CHESS_PARTS];
} chess_view;

static void chess_add(chess_view *v, int32_t part, int32_t sign, int32_t middle, int32_t end) {
    v->part[part].middle += sign * middle;
    v->part[part].end += sign * end;
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

static void chess_weigh_pawns(chess_view *v, int32_t us, int32_t sign) {
    uint64_t own = v->pawns[us], enemy = v->pawns[1 - us];
    for (uint64_t left = own; left != 0; left &= left - 1) {
        int32_t at = chess_first(left), rank = us == CHESS_WHITE ? at >> 3 : 7 - (at >> 3);
        uint64_t file = chess_file_of(at), sides = chess_neighbours(at),
                 ahead = chess_ahead(us, at);
        if ((own & file & ahead) != 0) chess_add(v, CHESS_PART_PAWNS, sign, -8, -18);
        bool isolated = (own & sides) == 0;
        if (isolated) chess_add(v, CHESS_PART_PAWNS, sign, -12, -14);
        bool supported = (v->pawn_attacks[us] >> at & 1) != 0;
        uint64_t level = sides & UINT64_C(255) << (at & 56);
        if (supported)
            chess_add(v, CHESS_PART_PAWNS, sign, 7 + rank, 5 + rank);
        else if ((own & level) != 0)
            chess_add(v, CHESS_PART_PAWNS, sign, 4, 3);
        else if (!isolated && (own & sides & ~ahead) == 0)
            chess_add(v, CHESS_PART_PAWNS, sign, -8, -8);
        if ((enemy & (file | sides) & ahead) != 0 || (own & file & ahead) != 0) continue;
        chess_pair bonus = chess_passed[rank];
        int32_t front = us == CHESS_WHITE ? at + 8 : at - 8;
        // In the end game the kings race to the square in front of it.
        int32_t race = chess_distance(v->king[1 - us], front) - chess_distance(v->king[us], front);
        if (rank >= 3) bonus.end += 5 * (rank - 2) * race;
        if ((v->occupied >> front & 1) != 0) bonus.end -= bonus.end / 4;
        chess_add(v, CHESS_PART_PAWNS, sign, bonus.middle, bonus.end);
    }
}

static void chess_weigh_king(chess_view *v, int32_t us, int32_t sign, int32_t units,
                             int32_t attackers) {
    // Pawns in front of the own king, and open files beside it.
    int32_t king = v->king[us], shelter = 0;
    for (int32_t file = (king & 7) - 1; file <= (king & 7) + 1; file++) {
        if (file < 0 || file > 7) continue;
        uint64_t column = CHESS_FILE_A << file;
        uint64_t shield = v->pawns[us] & column & chess_ahead(us, king);
        if (shield == 0) {
            shelter -= (v->pawns[1 - us] & column) == 0 ? 28 : 18;
        } else {
            int32_t pawn = us == CHESS_WHITE ? chess_first(shield) : ployi_highest_bit(shield);
            int32_t steps = (pawn >> 3) - (king >> 3);
            if (steps < 0) steps = -steps;
            shelter -= steps <= 1 ? 0 : steps == 2 ? 8 : 15;
        }
        uint64_t storm = v->pawns[1 - us] & column & chess_ahead(us, king);
        if (storm != 0) {
            int32_t pawn = us == CHESS_WHITE ? chess_first(storm) : ployi_highest_bit(storm);
            int32_t steps = (pawn >> 3) - (king >> 3);
            if (steps < 0) steps = -steps;
            if (steps <= 3) shelter -= 4 * (4 - steps);
        }
    }
    chess_add(v, CHESS_PART_KING, sign, shelter, 0);
    if (attackers < 2) units /= 3;
    int32_t danger = units > 60 ? 60 : units;
    chess_add(v, CHESS_PART_KING, sign, -danger * danger / 5, -danger / 2);
}

// Material, placement, mobility and what single pieces add. Returns the attack on the enemy king.
static void chess_weigh_pieces(chess_view *v, int32_t us, int32_t sign, int32_t *units,
                               int32_t *attackers) {
    const ployi_chess *p = v->p;
    uint64_t own = p->color[us], safe = ~own & ~v->pawn_attacks[1 - us];
    for (int32_t type = 0; type < CHESS_NONE; type++) {
        for (uint64_t left = p->piece[type] & own; left != 0; left &= left - 1) {
            int32_t at = chess_first(left);
            int32_t rank = us == CHESS_WHITE ? at >> 3 : 7 - (at >> 3), file = at & 7;
            if (file > 3) file = 7 - file;
            chess_add(v, CHESS_PART_MATERIAL, sign, chess_values[type].middle,
                      chess_values[type].end);
            chess_add(v, CHESS_PART_PLACEMENT, sign, chess_place_middle[type][rank][file],
                      chess_place_end[type][rank][file]);
            if (type == CHESS_PAWN || type == CHESS_KING) continue;
            // Sliders see through pieces of the same kind: batteries.
            uint64_t queens = p->piece[CHESS_QUEEN] & own, rooks = p->piece[CHESS_ROOK] & own;
            uint64_t reached = type == CHESS_KNIGHT   ? chess_knight[at]
                               : type == CHESS_BISHOP ? chess_bishop(at, v->occupied & ~queens)
                               : type == CHESS_ROOK
                                   ? chess_rook(at, v->occupied & ~(queens | rooks))
                                   : chess_rook(at, v->occupied) | chess_bishop(at, v->occupied);
            int32_t squares = chess_count(reached & safe) - chess_mobility_mean[type];
            chess_add(v, CHESS_PART_MOBILITY, sign, squares * chess_mobility[type].middle,
                      squares * chess_mobility[type].end);
            uint64_t hits = reached & v->zone[1 - us];
            if (hits != 0) {
                (*attackers)++;
                *units += chess_attack_units[type] + chess_count(hits);
            }
            if ((v->pawn_attacks[1 - us] >> at & 1) != 0)
                chess_add(v, CHESS_PART_PIECES, sign, -30, -25);
            if (type == CHESS_ROOK) {
                uint64_t column = chess_file_of(at);
                if ((v->pawns[us] & column) == 0) {
                    bool open = (v->pawns[1 - us] & column) == 0;
                    chess_add(v, CHESS_PART_PIECES, sign, open ? 24 : 11, open ? 10 : 7);
                }
            } else if (type == CHESS_KNIGHT || type == CHESS_BISHOP) {
                bool outpost = rank >= 3 && rank <= 5 && (v->pawn_attacks[us] >> at & 1) != 0 &&
                               (v->pawns[1 - us] & chess_neighbours(at) & chess_ahead(us, at)) == 0;
                if (outpost)
                    chess_add(v, CHESS_PART_PIECES, sign, type == CHESS_KNIGHT ? 24 : 12, 10);
            }
        }
    }
    uint64_t bishops = p->piece[CHESS_BISHOP] & own;
    if ((bishops & (bishops - 1)) != 0) chess_add(v, CHESS_PART_PIECES, sign, 28, 48);
}

// Material that cannot win without pawns counts little; 64 is all of it.
static int32_t chess_scale(const ployi_chess *p, int32_t strong) {
    if ((p->piece[CHESS_PAWN] & p->color[strong]) != 0) return 64;
    int32_t lead = 0;
    for (int32_t type = CHESS_KNIGHT; type <= CHESS_QUEEN; type++) {
        int32_t value = chess_values[type].end;
        lead += value * (chess_count(p->piece[type] & p->color[strong]) -
                         chess_count(p->piece[type] & p->color[1 - strong]));
    }
    return lead <= chess_values[CHESS_BISHOP].end + 40 ? 12 : 64;
}

int32_t ployi_chess_evaluate(const ployi_chess *p, ploy_board_part_fn fn, void *user) {
    chess_view v = {.p = p, .occupied = chess_occupied(p)};
    int32_t phase = 0, units[2] = {0, 0}, attackers[2] = {0, 0};
    for (int32_t type = 0; type < CHESS_NONE; type++)
        phase += chess_phases[type] * chess_count(p->piece[type]);
    if (phase > CHESS_PHASE_ALL) phase = CHESS_PHASE_ALL;
    for (int32_t side = 0; side < 2; side++) {
        v.king[side] = chess_king_of(p, side);
        v.pawns[side] = p->piece[CHESS_PAWN] & p->color[side];
        v.pawn_attacks[side] = chess_pawns(side, v.pawns[side]);
        uint64_t zone = chess_king[v.king[side]] | chess_bit(v.king[side]);
        v.zone[side] = zone | (side == CHESS_WHITE ? zone << 8 : zone >> 8);
    }
    for (int32_t side = 0; side < 2; side++) {
        int32_t sign = side == CHESS_WHITE ? 1 : -1;
        chess_weigh_pieces(&v, side, sign, &units[1 - side], &attackers[1 - side]);
        chess_weigh_pawns(&v, side, sign);
    }
    for (int32_t side = 0; side < 2; side++) {
        chess_weigh_king(&v, side, side == CHESS_WHITE ? 1 : -1, units[side], attackers[side]);
    }
    int32_t rough = 0;
    for (int32_t i = 0; i < CHESS_PARTS; i++) rough += v.part[i].end;
    int32_t scale = chess_scale(p, rough >= 0 ? CHESS_WHITE : CHESS_BLACK), total = 0;
    for (int32_t i = 0; i < CHESS_PARTS; i++) {
        int32_t score =
            (v.part[i].middle * phase + v.part[i].end * scale / 64 * (CHESS_PHASE_ALL - phase)) /
            CHESS_PHASE_ALL;
        total += score;
        if (fn != NULL) fn(user, chess_part_names[i], score);
    }
    int32_t tempo = p->side == CHESS_WHITE ? 12 : -12;
    if (fn != NULL) fn(user, "move", tempo);
    return total + tempo;
}
