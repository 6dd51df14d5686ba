// Samuel's parameters of checkers positions ("Some studies in machine learning using the game of checkers", 1959), as far as they
// are defined. Squares are numbered 1 to 32 from black's corner; active is the player asked for.
#include "base/compiler.h"
#include "draughts_internal.h"
#include "ploy/board/evaluation.h"

enum { SAMUEL_SIZE = 8, SAMUEL_SQUARES = 32 };

typedef struct samuel_view {
    uint64_t active, passive, kings, empty;
    bool active_black;
} samuel_view;

static uint64_t samuel_squares(const uint8_t *list, int32_t count) {
    uint64_t set = 0;
    for (int32_t i = 0; i < count; i++) set |= UINT64_C(1) << (list[i] - 1);
    return set;
}

static samuel_view samuel_look(const void *rules, const void *position, int32_t player) {
    const ploy_board_draughts_position *p = position;
    bool black = (player == 0) == ployi_draughts_row(rules)->black_first;
    samuel_view view = {p->pieces[black ? 1 : 0], p->pieces[black ? 0 : 1], p->kings, 0, black};
    view.empty = ((UINT64_C(1) << SAMUEL_SQUARES) - 1) & ~(view.active | view.passive);
    return view;
}

static int32_t samuel_apex(const void *rules, const void *position, int32_t player) {
    static const uint8_t squares[] = {7, 26};
    samuel_view v = samuel_look(rules, position, player);
    uint64_t set = samuel_squares(squares, 2);
    return v.kings == 0 && (v.active & set) != 0 && (v.passive & set) == 0 ? -1 : 0;
}

static int32_t samuel_back(const void *rules, const void *position, int32_t player) {
    static const uint8_t bridges[2][2] = {{30, 32}, {1, 3}};
    samuel_view v = samuel_look(rules, position, player);
    uint64_t bridge = samuel_squares(bridges[v.active_black ? 0 : 1], 2);
    return (v.active & v.kings) == 0 && (v.passive & bridge) == bridge ? 1 : 0;
}

static const uint8_t samuel_centre[] = {11, 12, 15, 16, 20, 21, 24, 25};

static int32_t samuel_cent(const void *rules, const void *position, int32_t player) {
    samuel_view v = samuel_look(rules, position, player);
    return ployi_popcount(v.passive & ~v.kings & samuel_squares(samuel_centre, 8));
}

// Squares that an active piece occupies or can step to.
static int32_t samuel_cntr(const void *rules, const void *position, int32_t player) {
    samuel_view v = samuel_look(rules, position, player);
    uint64_t reach = v.active;
    for (uint64_t left = v.active; left != 0; left &= left - 1) {
        int32_t square = ployi_lowest_bit(left);
        bool king = (v.kings >> square & 1) != 0;
        for (int32_t d = 0; d < 4; d++) {
            if (!king && (d >= 2) != v.active_black) continue;
            int32_t to = ployi_draughts_near(SAMUEL_SIZE, square, d);
            if (to >= 0) reach |= v.empty & UINT64_C(1) << to;
        }
    }
    return ployi_popcount(reach & samuel_squares(samuel_centre, 8));
}

static bool samuel_is(uint64_t set, int32_t square) {
    return square >= 0 && (set >> square & 1) != 0;
}

// Passive pieces with empty squares at both ends of a diagonal. Directions 0 and 3, 1 and 2 are opposite.
static int32_t samuel_expos(const void *rules, const void *position, int32_t player) {
    samuel_view v = samuel_look(rules, position, player);
    int32_t count = 0;
    for (uint64_t left = v.passive; left != 0; left &= left - 1) {
        int32_t square = ployi_lowest_bit(left);
        bool open = false;
        for (int32_t d = 0; d < 2; d++) {
            open |= samuel_is(v.empty, ployi_draughts_near(SAMUEL_SIZE, square, d)) &&
                    samuel_is(v.empty, ployi_draughts_near(SAMUEL_SIZE, square, 3 - d));
        }
        count += open;
    }
    return count;
}

// An empty square whose two forward neighbours are passive, with empty squares behind both.
static int32_t samuel_fork(const void *rules, const void *position, int32_t player) {
    samuel_view v = samuel_look(rules, position, player);
    int32_t count = 0, forward = v.active_black ? 2 : 0;
    for (uint64_t left = v.empty; left != 0; left &= left - 1) {
        int32_t square = ployi_lowest_bit(left), forked = 0;
        for (int32_t d = forward; d < forward + 2; d++) {
            int32_t piece = ployi_draughts_near(SAMUEL_SIZE, square, d);
            if (!samuel_is(v.passive, piece)) continue;
            forked += samuel_is(v.empty, ployi_draughts_near(SAMUEL_SIZE, piece, d));
        }
        count += forked == 2;
    }
    return count;
}

// Single empty squares on a diagonal between two passive pieces, or between one and the rim.
static int32_t samuel_gap(const void *rules, const void *position, int32_t player) {
    samuel_view v = samuel_look(rules, position, player);
    int32_t count = 0;
    for (uint64_t left = v.empty; left != 0; left &= left - 1) {
        int32_t square = ployi_lowest_bit(left);
        bool gap = false;
        for (int32_t d = 0; d < 2; d++) {
            int32_t a = ployi_draughts_near(SAMUEL_SIZE, square, d);
            int32_t b = ployi_draughts_near(SAMUEL_SIZE, square, 3 - d);
            bool first = samuel_is(v.passive, a), second = samuel_is(v.passive, b);
            gap |= (first && (second || b < 0)) || (second && a < 0);
        }
        count += gap;
    }
    return count;
}

const ploy_board_component *ploy_board_samuel_at(int32_t index) {
    static const ploy_board_component all[] = {
        {"apex", samuel_apex}, {"back", samuel_back},   {"cent", samuel_cent},
        {"cntr", samuel_cntr}, {"expos", samuel_expos}, {"fork", samuel_fork},
        {"gap", samuel_gap},
    };
    if (index < 0 || index >= (int32_t)(sizeof all / sizeof all[0])) return NULL;
    return &all[index];
}
