// Othello's rules. `moves` and `over` of a position are derived from the rest by othello_refresh.
#include "ploy/board/othello.h"

#include <string.h>

#include "board_internal.h"
#include "othello_bits.h"
#include "othello_internal.h"

enum { OTHELLO_DISC = 100 }; // score of one disc

static const ploy_field othello_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_board_othello_def, size, 8, 4, 8, "", "rows and columns: 4, 6 or 8"),
};

ploy_fields ploy_board_othello_fields(void) {
    return PLOY_FIELDS(ploy_board_othello_def, othello_fields);
}

ploy_board_othello_def ploy_board_othello_def_default(void) {
    ploy_board_othello_def def;
    ploy_fields_default(ploy_board_othello_fields(), &def);
    return def;
}

static int32_t othello_size(const void *rules) {
    return ((const ploy_board_othello_def *)rules)->size;
}

static ploy_result othello_check(const void *rules, ploy_diags *diags) {
    if (othello_size(rules) % 2 == 0) return PLOY_OK;
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, "othello", 0, 0,
                   "the size is odd", "4, 6 or 8", NULL);
    return PLOY_ERR_ARGUMENT;
}

static size_t othello_bytes(const void *rules) {
    (void)rules;
    return sizeof(ploy_board_othello_position);
}

static void othello_refresh(ploy_board_othello_position *p) {
    uint64_t mask = othello_mask(p->size);
    p->moves = othello_moves(p->discs[p->side], p->discs[1 - p->side], mask);
    p->over = p->moves == 0 && othello_moves(p->discs[1 - p->side], p->discs[p->side], mask) == 0;
}

static void othello_start(const void *rules, void *position) {
    ploy_board_othello_position *p = position;
    memset(p, 0, sizeof *p);
    p->size = (uint8_t)othello_size(rules);
    int32_t corner = (p->size / 2 - 1) * 9;
    p->discs[0] = UINT64_C(1) << (corner + 1) | UINT64_C(1) << (corner + 8);
    p->discs[1] = UINT64_C(1) << corner | UINT64_C(1) << (corner + 9);
    othello_refresh(p);
}

static int32_t othello_side(const void *rules, const void *position) {
    (void)rules;
    const ploy_board_othello_position *p = position;
    return p->over != 0 ? PLOY_BOARD_OVER : p->side;
}

static int32_t othello_list(const void *rules, const void *position, ploy_board_move *out,
                            int32_t capacity) {
    (void)rules;
    const ploy_board_othello_position *p = position;
    int32_t count = 0;
    if (p->over != 0) return 0;
    for (uint64_t left = p->moves; left != 0 && count < capacity; left &= left - 1) {
        out[count++] = (ploy_board_move)ployi_lowest_bit(left) + 1;
    }
    if (p->moves == 0 && capacity > 0) out[count++] = PLOY_BOARD_OTHELLO_PASS;
    return count;
}

static void othello_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    (void)rules;
    ploy_board_othello_position *p = position;
    if (undo != NULL) memcpy(undo, p, sizeof *p);
    if (move != PLOY_BOARD_OTHELLO_PASS) {
        int32_t square = (int32_t)move - 1;
        uint64_t flips = othello_flips(p->discs[p->side], p->discs[1 - p->side], square);
        p->discs[p->side] |= flips | UINT64_C(1) << square;
        p->discs[1 - p->side] &= ~flips;
    }
    p->side ^= 1;
    othello_refresh(p);
}

static void othello_unmake(const void *rules, void *position, ploy_board_move move,
                           const void *undo) {
    (void)rules, (void)move;
    memcpy(position, undo, sizeof(ploy_board_othello_position));
}

static int32_t othello_result(const void *rules, const void *position, int32_t player) {
    const ploy_board_othello_position *p = position;
    int32_t size = othello_size(rules);
    return OTHELLO_DISC * othello_margin(p->discs[player], p->discs[1 - player], size * size);
}

static uint64_t othello_hash(const void *rules, const void *position) {
    (void)rules;
    const ploy_board_othello_position *p = position;
    return othello_mix(p->discs[0], p->discs[1]) ^
           (p->side != 0 ? UINT64_C(0xA0761D6478BD642F) : 0);
}

// ---- order of moves

// Corners first, then moves that leave the opponent few replies.
static int32_t othello_order(const void *rules, const void *position, ploy_board_move move) {
    (void)rules;
    const ploy_board_othello_position *p = position;
    if (move == PLOY_BOARD_OTHELLO_PASS) return 0;
    int32_t square = (int32_t)move - 1;
    uint64_t own = p->discs[p->side], other = p->discs[1 - p->side];
    uint64_t mask = othello_mask(p->size);
    uint64_t flips = othello_flips(own, other, square);
    own |= flips | UINT64_C(1) << square;
    other &= ~flips;
    uint64_t replies = othello_moves(other, own, mask);
    uint64_t corners = othello_corners(p->size);
    return -8 * othello_count(replies) - 16 * othello_count(replies & corners) -
           2 * othello_count(othello_frontier(other, own, mask)) +
           ((corners >> square & 1) != 0 ? 40 : 0);
}

// ---- text

static void othello_move_text(const void *rules, const void *position, ploy_board_move move,
                              char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)rules, (void)position;
    if (move == PLOY_BOARD_OTHELLO_PASS) {
        strcpy(out, "pass");
        return;
    }
    out[0] = (char)('a' + (move - 1) % 8);
    out[1] = (char)('1' + (move - 1) / 8);
    out[2] = 0;
}

static ploy_result othello_move_parse(const void *rules, const void *position, const char *text,
                                      const char *name, ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(ploy_board_othello(), rules), position, text, name,
                                   out, diags);
}

static void othello_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    (void)rules;
    const ploy_board_othello_position *p = position;
    for (int32_t y = 0; y < p->size; y++) {
        for (int32_t x = 0; x < p->size; x++) {
            uint64_t bit = UINT64_C(1) << (x + 8 * y);
            *out++ = (p->discs[0] & bit) != 0 ? 'X' : (p->discs[1] & bit) != 0 ? 'O' : '-';
        }
    }
    *out++ = ' ';
    *out++ = p->side == 0 ? 'X' : 'O';
    *out = 0;
}

static int32_t othello_disc(char c) {
    if (c == 'X' || c == 'x' || c == '*' || c == 'B' || c == 'b') return 0;
    if (c == 'O' || c == 'o' || c == '0' || c == 'W' || c == 'w') return 1;
    return c == '-' || c == '.' ? 2 : 3;
}

static ploy_result othello_parse(const void *rules, const char *text, const char *name,
                                 void *position, ploy_diags *diags) {
    ploy_board_othello_position p;
    memset(&p, 0, sizeof p);
    p.size = (uint8_t)othello_size(rules);
    int32_t at = 0;
    for (int32_t i = 0; i < p.size * p.size; i++, at++) {
        int32_t disc = othello_disc(text[at]);
        if (disc > 2) {
            return ployi_board_fault(diags, name, at + 1,
                                     text[at] == 0 ? "too few squares" : "unknown square",
                                     "X, O or - for each square");
        }
        if (disc < 2) p.discs[disc] |= UINT64_C(1) << (i % p.size + 8 * (i / p.size));
    }
    while (text[at] == ' ') at++;
    int32_t side = othello_disc(text[at]);
    if (side > 1) {
        return ployi_board_fault(diags, name, at + 1, "the side to move is missing", "X or O");
    }
    p.side = (uint8_t)side;
    for (at++; text[at] == ' ' || text[at] == ';';) at++;
    if (text[at] != 0) {
        return ployi_board_fault(diags, name, at + 1, "unexpected text behind the side to move",
                                 "the end");
    }
    othello_refresh(&p);
    memcpy(position, &p, sizeof p);
    return PLOY_OK;
}

// ---- symmetries, encoding, picture

static int32_t othello_symmetries(const void *rules) {
    (void)rules;
    return 8;
}

static int32_t othello_map_square(int32_t size, int32_t square, int32_t number) {
    int32_t x = square % 8, y = square / 8;
    ployi_board_map_square(size, number, &x, &y);
    return x + 8 * y;
}

static void othello_map(const void *rules, const void *position, int32_t number, void *out) {
    ploy_board_othello_position to = *(const ploy_board_othello_position *)position;
    int32_t size = othello_size(rules);
    for (int32_t player = 0; player < 2; player++) {
        uint64_t left = to.discs[player];
        to.discs[player] = 0;
        for (; left != 0; left &= left - 1) {
            to.discs[player] |= UINT64_C(1)
                                << othello_map_square(size, ployi_lowest_bit(left), number);
        }
    }
    othello_refresh(&to);
    memcpy(out, &to, sizeof to);
}

static ploy_board_move othello_map_move(const void *rules, ploy_board_move move, int32_t number) {
    if (move == PLOY_BOARD_OTHELLO_PASS) return move;
    return (ploy_board_move)othello_map_square(othello_size(rules), (int32_t)move - 1, number) + 1;
}

static void othello_encode_shape(const void *rules, int32_t shape[3]) {
    shape[0] = 3;
    shape[1] = shape[2] = othello_size(rules);
}

// Planes: own discs, the opponent's, legal moves.
static void othello_encode(const void *rules, const void *position, float *out) {
    const ploy_board_othello_position *p = position;
    int32_t size = othello_size(rules);
    const uint64_t planes[3] = {p->discs[p->side], p->discs[1 - p->side], p->moves};
    for (int32_t i = 0; i < 3 * size * size; i++) {
        int32_t square = i % (size * size);
        square = square % size + 8 * (square / size);
        out[i] = (planes[i / (size * size)] >> square & 1) != 0 ? 1.0f : 0.0f;
    }
}

static int32_t othello_policy_size(const void *rules) {
    (void)rules;
    return (int32_t)PLOY_BOARD_OTHELLO_PASS; // 64 squares and the pass
}

static int32_t othello_policy_index(const void *rules, const void *position, ploy_board_move move) {
    (void)rules, (void)position;
    return (int32_t)move - 1;
}

static ploy_box2 othello_area(const void *rules) {
    return ployi_board_grid_area(othello_size(rules), othello_size(rules));
}

static void othello_draw(const void *rules, const void *position, ploy_draw *out) {
    const ploy_board_othello_position *p = position;
    int32_t size = othello_size(rules);
    ployi_board_grid_draw(out, size, size);
    for (int32_t i = 0; i < size * size; i++) {
        uint64_t bit = UINT64_C(1) << (i % size + 8 * (i / size));
        ploy_vec2 centre = ployi_board_grid_centre(size, i % size, i / size);
        if ((p->discs[0] & bit) != 0) ployi_board_draw_disc(out, centre, 0.4f, 0);
        if ((p->discs[1] & bit) != 0) ployi_board_draw_disc(out, centre, 0.4f, 1);
    }
}

static bool othello_place(const void *rules, const void *position, ploy_board_move move,
                          ploy_vec2 *from, ploy_vec2 *to) {
    (void)position;
    if (move == PLOY_BOARD_OTHELLO_PASS) return false;
    int32_t square = (int32_t)move - 1;
    *from = *to = ployi_board_grid_centre(othello_size(rules), square % 8, square / 8);
    return true;
}

const ploy_board_type *ploy_board_othello(void) {
    static const ploy_board_type type = {
        .name = "othello",
        .title = "Othello",
        .help = "turn enemy discs between two of your own",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM | PLOY_BOARD_MARGIN,
        .unit = 500,
        .max_moves = 33,
        .fields = ploy_board_othello_fields,
        .check = othello_check,
        .position_bytes = othello_bytes,
        .undo_bytes = othello_bytes,
        .start = othello_start,
        .side = othello_side,
        .moves = othello_list,
        .make = othello_make,
        .unmake = othello_unmake,
        .result = othello_result,
        .hash = othello_hash,
        .evaluate = ployi_othello_evaluate,
        .weights = &ployi_othello_weights,
        .order = othello_order,
        .move_text = othello_move_text,
        .move_parse = othello_move_parse,
        .text = othello_text,
        .parse = othello_parse,
        .symmetries = othello_symmetries,
        .map = othello_map,
        .map_move = othello_map_move,
        .encode_shape = othello_encode_shape,
        .encode = othello_encode,
        .policy_size = othello_policy_size,
        .policy_index = othello_policy_index,
        .score_parts = ployi_othello_score_parts,
        .area = othello_area,
        .draw = othello_draw,
        .place = othello_place,
    };
    return &type;
}
