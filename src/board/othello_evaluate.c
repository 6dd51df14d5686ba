// The evaluation of Othello: seven counts, and on 8x8 squares patterns of the edges, the corners and the
// diagonals. Each has a weight for the start of the game and one for a full board, which the number of discs
// blends. The weights of patterns are learned; see othello_weights.h.
//
// A pattern is a row of squares, read as a number in base 3: 0 empty, 1 own, 2 the opponent's. The table of
// a pattern is antisymmetric in the colours, because learning spreads each lesson over a code, its mirror
// image and both with the colours exchanged; so the evaluation is antisymmetric too.
#include "othello_internal.h"

#include <string.h>

#include "othello_bits.h"
#include "othello_weights.h"

typedef struct othello_term {
    const char *name;
    int16_t early, late; // weight of one at the start and on a full board
} othello_term;

// In the order of othello_features. Learning starts from these weights.
enum { OTHELLO_TERMS = 7 };
static const othello_term othello_terms[OTHELLO_TERMS] = {
    {"mobility", 60, 80},
    {"open squares beside the opponent", 25, 15},
    {"corners", 500, 600},
    {"squares diagonal to empty corners", -350, -150},
    {"squares beside empty corners", -100, -50},
    {"stable discs", 150, 120},
    {"discs", -20, 100},
};

enum { OTHELLO_EDGE, OTHELLO_CORNER, OTHELLO_DIAGONAL8, OTHELLO_KINDS = 7 };

typedef struct othello_pattern {
    const char *name;
    int32_t squares;
    int32_t first; // number of the table's first code
    bool turns;    // read from the other end it is the same pattern
} othello_pattern;

static const othello_pattern othello_patterns[OTHELLO_KINDS] = {
    {"edges", 8, 0, true},
    {"corners of 4x2", 8, 6561, false},
    {"diagonals of 8", 8, 13122, true},
    {"diagonals of 7", 7, 19683, true},
    {"diagonals of 6", 6, 21870, true},
    {"diagonals of 5", 5, 22599, true},
    {"diagonals of 4", 4, 22842, true},
};
enum {
    OTHELLO_CODES = 22923,
    OTHELLO_FIRST_CODE = 2 * OTHELLO_TERMS, // weight of the first code at the start of the game
    OTHELLO_WEIGHTS = OTHELLO_FIRST_CODE + 2 * OTHELLO_CODES,
    OTHELLO_PARTS = 30, // patterns on a board
    OTHELLO_SPREAD =
        8 // terms of a pattern: code, mirror image, both with the colours exchanged; twice
};
_Static_assert(OTHELLO_WEIGHTS == sizeof othello_weights / sizeof othello_weights[0],
               "all learned");

// Squares of `near` whose corner is empty; each corner's neighbours are `step` away from it towards the middle.
static int32_t othello_beside_corners(uint64_t own, uint64_t empty, int32_t size, bool diagonal) {
    int32_t last = size - 1;
    int32_t count = 0;
    for (int32_t i = 0; i < 4; i++) {
        int32_t x = (i & 1) != 0 ? last : 0, y = (i & 2) != 0 ? last : 0;
        int32_t inner_x = x == 0 ? 1 : last - 1, inner_y = y == 0 ? 1 : last - 1;
        if ((empty >> (x + 8 * y) & 1) == 0) continue;
        if (diagonal) {
            count += (int32_t)(own >> (inner_x + 8 * inner_y) & 1);
        } else {
            count += (int32_t)(own >> (inner_x + 8 * y) & 1);
            count += (int32_t)(own >> (x + 8 * inner_y) & 1);
        }
    }
    return count;
}

static void othello_features(const ploy_board_othello_position *p, int32_t player,
                             int32_t out[OTHELLO_TERMS]) {
    uint64_t own = p->discs[player], other = p->discs[1 - player];
    uint64_t mask = othello_mask(p->size), empty = mask & ~(own | other);
    uint64_t corners = othello_corners(p->size);
    out[0] = othello_count(othello_moves(own, other, mask));
    out[1] = othello_count(othello_frontier(own, other, mask));
    out[2] = othello_count(own & corners);
    out[3] = othello_beside_corners(own, empty, p->size, true);
    out[4] = othello_beside_corners(own, empty, p->size, false);
    out[5] = othello_count(othello_stable(own, other, mask));
    out[6] = othello_count(own);
}

// ---- patterns

// Bits as digits in base 3.
static const uint16_t othello_digits[256] = {
    // clang-format off
    0, 1, 3, 4, 9, 10, 12, 13, 27, 28, 30, 31, 36, 37,
    39, 40, 81, 82, 84, 85, 90, 91, 93, 94, 108, 109, 111, 112,
    117, 118, 120, 121, 243, 244, 246, 247, 252, 253, 255, 256, 270, 271,
    273, 274, 279, 280, 282, 283, 324, 325, 327, 328, 333, 334, 336, 337,
    351, 352, 354, 355, 360, 361, 363, 364, 729, 730, 732, 733, 738, 739,
    741, 742, 756, 757, 759, 760, 765, 766, 768, 769, 810, 811, 813, 814,
    819, 820, 822, 823, 837, 838, 840, 841, 846, 847, 849, 850, 972, 973,
    975, 976, 981, 982, 984, 985, 999, 1000, 1002, 1003, 1008, 1009, 1011, 1012,
    1053, 1054, 1056, 1057, 1062, 1063, 1065, 1066, 1080, 1081, 1083, 1084, 1089, 1090,
    1092, 1093, 2187, 2188, 2190, 2191, 2196, 2197, 2199, 2200, 2214, 2215, 2217, 2218,
    2223, 2224, 2226, 2227, 2268, 2269, 2271, 2272, 2277, 2278, 2280, 2281, 2295, 2296,
    2298, 2299, 2304, 2305, 2307, 2308, 2430, 2431, 2433, 2434, 2439, 2440, 2442, 2443,
    2457, 2458, 2460, 2461, 2466, 2467, 2469, 2470, 2511, 2512, 2514, 2515, 2520, 2521,
    2523, 2524, 2538, 2539, 2541, 2542, 2547, 2548, 2550, 2551, 2916, 2917, 2919, 2920,
    2925, 2926, 2928, 2929, 2943, 2944, 2946, 2947, 2952, 2953, 2955, 2956, 2997, 2998,
    3000, 3001, 3006, 3007, 3009, 3010, 3024, 3025, 3027, 3028, 3033, 3034, 3036, 3037,
    3159, 3160, 3162, 3163, 3168, 3169, 3171, 3172, 3186, 3187, 3189, 3190, 3195, 3196,
    3198, 3199, 3240, 3241, 3243, 3244, 3249, 3250, 3252, 3253, 3267, 3268, 3270, 3271,
    3276, 3277, 3279, 3280,
    // clang-format on
};

// The other way up, and columns as rows.
static uint64_t othello_flip(uint64_t b) {
    b = (b >> 8 & UINT64_C(0x00FF00FF00FF00FF)) | (b & UINT64_C(0x00FF00FF00FF00FF)) << 8;
    b = (b >> 16 & UINT64_C(0x0000FFFF0000FFFF)) | (b & UINT64_C(0x0000FFFF0000FFFF)) << 16;
    return b >> 32 | b << 32;
}

static uint64_t othello_transpose(uint64_t b) {
    uint64_t t = (b ^ (b >> 7)) & UINT64_C(0x00AA00AA00AA00AA);
    b ^= t ^ (t << 7);
    t = (b ^ (b >> 14)) & UINT64_C(0x0000CCCC0000CCCC);
    b ^= t ^ (t << 14);
    t = (b ^ (b >> 28)) & UINT64_C(0x00000000F0F0F0F0);
    return b ^ t ^ (t << 28);
}

// Falling diagonal of that many squares, from the upper edge to the right one, as a row.
static uint32_t othello_falling(uint64_t b, int32_t squares) {
    static const uint64_t masks[9] = {0,
                                      0,
                                      0,
                                      0,
                                      UINT64_C(0x0000000080402010),
                                      UINT64_C(0x0000008040201008),
                                      UINT64_C(0x0000804020100804),
                                      UINT64_C(0x0080402010080402),
                                      UINT64_C(0x8040201008040201)};
    return (uint32_t)((b & masks[squares]) * UINT64_C(0x0101010101010101) >> 56) >> (8 - squares);
}

static int32_t othello_code(uint32_t own, uint32_t other) {
    return othello_digits[own & 255] + 2 * othello_digits[other & 255];
}

// A corner and its seven neighbours along an edge: four squares from the left, or from the right.
static uint32_t othello_left(uint64_t b) {
    return (uint32_t)(b & 15) | (uint32_t)(b >> 4 & 0xF0);
}
static uint32_t othello_right(uint64_t b) {
    static const uint8_t turned[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
    return turned[b >> 4 & 15] | (uint32_t)turned[b >> 12 & 15] << 4;
}

typedef struct othello_part {
    int32_t kind, code;
} othello_part;

// The patterns of an 8x8 board, as own sees them.
static void othello_read(uint64_t own, uint64_t other, othello_part out[OTHELLO_PARTS]) {
    int32_t count = 0;
    for (int32_t i = 0; i < 4; i++) {
        out[count++] = (othello_part){OTHELLO_EDGE, othello_code((uint32_t)own, (uint32_t)other)};
        out[count++] =
            (othello_part){OTHELLO_CORNER, othello_code(othello_left(own), othello_left(other))};
        out[count++] =
            (othello_part){OTHELLO_CORNER, othello_code(othello_right(own), othello_right(other))};
        for (int32_t k = i < 2 ? 8 : 7; k >= 4; k--) {
            out[count++] =
                (othello_part){OTHELLO_DIAGONAL8 + 8 - k,
                               othello_code(othello_falling(own, k), othello_falling(other, k))};
        }
        own = i == 1 ? othello_transpose(othello_flip(own)) : othello_flip(own);
        other = i == 1 ? othello_transpose(othello_flip(other)) : othello_flip(other);
    }
}

// ---- scores

typedef struct othello_pair {
    int32_t early, late;
} othello_pair;

// What counts on the board: sums of weights for the start of the game and for a full board.
static void othello_weigh(const ploy_board_othello_position *p, int32_t player,
                          const int16_t *weights, othello_pair terms[OTHELLO_TERMS],
                          othello_pair patterns[OTHELLO_KINDS]) {
    int32_t own[OTHELLO_TERMS], other[OTHELLO_TERMS];
    othello_features(p, player, own);
    othello_features(p, 1 - player, other);
    for (int32_t i = 0; i < OTHELLO_TERMS; i++) {
        terms[i].early = weights[2 * i] * (own[i] - other[i]);
        terms[i].late = weights[2 * i + 1] * (own[i] - other[i]);
    }
    memset(patterns, 0, sizeof(othello_pair) * OTHELLO_KINDS);
    if (p->size != 8) return;
    othello_part parts[OTHELLO_PARTS];
    othello_read(p->discs[player], p->discs[1 - player], parts);
    for (int32_t i = 0; i < OTHELLO_PARTS; i++) {
        int32_t kind = parts[i].kind;
        const int16_t *pair =
            weights + OTHELLO_FIRST_CODE + 2 * (othello_patterns[kind].first + parts[i].code);
        patterns[kind].early += pair[0];
        patterns[kind].late += pair[1];
    }
}

static int32_t othello_blend(const ploy_board_othello_position *p, othello_pair pair) {
    int32_t squares = p->size * p->size, filled = othello_count(p->discs[0] | p->discs[1]);
    return (pair.early * (squares - filled) + pair.late * filled) / squares;
}

static int32_t othello_weights_evaluate(const void *rules, const void *position, int32_t player,
                                        const int16_t *weights) {
    (void)rules;
    othello_pair terms[OTHELLO_TERMS], patterns[OTHELLO_KINDS];
    othello_weigh(position, player, weights, terms, patterns);
    int32_t sum = 0;
    for (int32_t i = 0; i < OTHELLO_TERMS; i++) sum += othello_blend(position, terms[i]);
    for (int32_t i = 0; i < OTHELLO_KINDS; i++) sum += othello_blend(position, patterns[i]);
    return sum;
}

int32_t ployi_othello_evaluate(const void *rules, const void *position, int32_t player) {
    return othello_weights_evaluate(rules, position, player, othello_weights);
}

void ployi_othello_score_parts(const void *rules, const void *position, int32_t player,
                               ploy_board_part_fn fn, void *user) {
    (void)rules;
    othello_pair terms[OTHELLO_TERMS], patterns[OTHELLO_KINDS];
    othello_weigh(position, player, othello_weights, terms, patterns);
    for (int32_t i = 0; i < OTHELLO_TERMS; i++) {
        fn(user, othello_terms[i].name, othello_blend(position, terms[i]));
    }
    for (int32_t i = 0; i < OTHELLO_KINDS; i++) {
        fn(user, othello_patterns[i].name, othello_blend(position, patterns[i]));
    }
}

// ---- weights

static int16_t othello_weights_start(int32_t weight) {
    if (weight >= OTHELLO_FIRST_CODE) return 0;
    return weight % 2 == 0 ? othello_terms[weight / 2].early : othello_terms[weight / 2].late;
}

// The code seen from the other end.
static int32_t othello_turn(int32_t code, int32_t squares) {
    int32_t turned = 0;
    for (int32_t i = 0; i < squares; i++, code /= 3) turned = 3 * turned + code % 3;
    return turned;
}

// The code with the colours exchanged.
static int32_t othello_exchange(int32_t code) {
    static const int32_t other[3] = {0, 2, 1};
    int32_t exchanged = 0;
    for (int32_t place = 1; code > 0; place *= 3, code /= 3) exchanged += place * other[code % 3];
    return exchanged;
}

typedef struct othello_terms_out {
    ploy_board_weight_term *list;
    int32_t count;
    float early, late;
} othello_terms_out;

static void othello_add_term(othello_terms_out *out, int32_t number, float times) {
    out->list[out->count++] = (ploy_board_weight_term){number, out->early * times};
    out->list[out->count++] = (ploy_board_weight_term){number + 1, out->late * times};
}

static int32_t othello_weights_terms(const void *rules, const void *position, int32_t player,
                                     ploy_board_weight_term *list) {
    (void)rules;
    const ploy_board_othello_position *p = position;
    int32_t own[OTHELLO_TERMS], other[OTHELLO_TERMS];
    othello_features(p, player, own);
    othello_features(p, 1 - player, other);
    float squares = (float)(p->size * p->size);
    float late = (float)othello_count(p->discs[0] | p->discs[1]) / squares;
    othello_terms_out out = {list, 0, 1.0f - late, late};
    for (int32_t i = 0; i < OTHELLO_TERMS; i++) {
        if (own[i] != other[i]) othello_add_term(&out, 2 * i, (float)(own[i] - other[i]));
    }
    if (p->size != 8) return out.count;
    othello_part parts[OTHELLO_PARTS];
    othello_read(p->discs[player], p->discs[1 - player], parts);
    for (int32_t i = 0; i < OTHELLO_PARTS; i++) {
        const othello_pattern *pattern = &othello_patterns[parts[i].kind];
        int32_t code = parts[i].code;
        int32_t turned = pattern->turns ? othello_turn(code, pattern->squares) : code;
        const int32_t codes[4] = {code, turned, othello_exchange(code), othello_exchange(turned)};
        if (codes[2] == code || codes[2] == turned) continue; // worth nothing by symmetry
        for (int32_t k = 0; k < 4; k++) {
            othello_add_term(&out, OTHELLO_FIRST_CODE + 2 * (pattern->first + codes[k]),
                             k < 2 ? 0.25f : -0.25f);
        }
    }
    return out.count;
}

const ploy_board_weights ployi_othello_weights = {
    .count = OTHELLO_WEIGHTS,
    .terms_max = 2 * OTHELLO_TERMS + OTHELLO_PARTS * OTHELLO_SPREAD,
    .learned = othello_weights,
    .start = othello_weights_start,
    .evaluate = othello_weights_evaluate,
    .terms = othello_weights_terms,
};
