// Moves of Go's playouts and priors of its search: what a player looks at first. Stones in atari beside the last two moves are
// captured or rescued, then the surroundings of the last moves are compared with 3x3 patterns, then any point will do that
// is no eye. Technique: Gelly, Wang, Munos and Teytaud, "Modification of UCT with patterns in Monte-Carlo Go", 2006; unlike
// them, captures far from the last moves are left to chance, and half of the moves that would put two or more stones into
// atari are drawn again.
#include "go_internal.h"
#include "go_patterns.h"

// A point that its owner should not fill: all neighbours are its stones, and at most one diagonal (none at the rim) the
// opponent's.
static bool go_is_eye(const go_position *p, int32_t point, int32_t side) {
    const uint8_t *cells = go_cells_of(p);
    int32_t near[4], count = go_near(p->size, point, near);
    for (int32_t i = 0; i < count; i++) {
        if (cells[near[i]] != side) return false;
    }
    int32_t x = point % p->size, y = point / p->size, bad = count < 4 ? 1 : 0;
    for (int32_t i = 0; i < 4; i++) {
        int32_t dx = x + (i % 2 == 0 ? -1 : 1), dy = y + (i < 2 ? -1 : 1);
        if (dx < 0 || dy < 0 || dx >= p->size || dy >= p->size) continue;
        if (cells[dy * p->size + dx] == 1 - side) bad++;
    }
    return bad < 2;
}

// The points around a point by rows from the top, -1 outside.
static void go_around(const go_position *p, int32_t point, int32_t out[8]) {
    int32_t size = p->size, x = point % size, y = point / size, count = 0;
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0) continue;
            bool inside = x + dx >= 0 && x + dx < size && y + dy >= 0 && y + dy < size;
            out[count++] = inside ? point + dx + dy * size : -1;
        }
    }
}

bool ployi_go_pattern(const go_position *p, int32_t point) {
    const uint8_t *cells = go_cells_of(p);
    int32_t around[8];
    uint32_t code = 0;
    go_around(p, point, around);
    for (int32_t i = 0; i < 8; i++) {
        code |= (uint32_t)(around[i] < 0 ? GO_OUTSIDE : cells[around[i]]) << (2 * i);
    }
    return (go_patterns[code >> 6] >> (code & 63) & 1) != 0;
}

// Whether a stone leaves its group, of two stones or more, with a single liberty.
static bool go_is_self_atari(const go_position *p, int32_t point, const go_catch *caught) {
    if (caught->count > 1) return false;
    go_group group;
    go_fill(p, point, p->side, -1, 2 - caught->count, &group);
    return group.count > 1 && group.liberties + caught->count < 2;
}

// A move that rescues a group in atari, of which go_fill has found all stones: it captures a neighbour or gains
// liberties. -1: none.
static int32_t go_rescue(const void *rules, const go_position *p, const go_group *group,
                         go_catch *caught) {
    const uint8_t *cells = go_cells_of(p);
    go_group other;
    for (int32_t i = 0; i < group->count; i++) {
        int32_t near[4], count = go_near(p->size, group->stones[i], near);
        for (int32_t k = 0; k < count; k++) {
            if (cells[near[k]] != 1 - p->side) continue;
            go_fill(p, near[k], 1 - p->side, -1, 2, &other);
            if (other.liberties == 1 && ployi_go_legal(rules, p, other.liberty, caught)) {
                return other.liberty;
            }
        }
    }
    if (!ployi_go_legal(rules, p, group->liberty, caught)) return -1;
    go_fill(p, group->liberty, p->side, -1, 3, &other);
    return other.liberties > 1 ? group->liberty : -1;
}

// Captures or rescues stones beside the last two moves; -1: there are none in atari.
static int32_t go_tactical(const void *rules, const go_position *p, go_catch *caught) {
    const uint8_t *cells = go_cells_of(p);
    int32_t points[10], count = 0;
    for (int32_t i = 0; i < 2; i++) {
        if (p->last[i] == GO_NONE) continue;
        points[count++] = p->last[i];
        count += go_near(p->size, p->last[i], points + count);
    }
    int32_t rescue = -1;
    go_group group;
    for (int32_t i = 0; i < count; i++) {
        int32_t stone = points[i];
        if (cells[stone] == GO_EMPTY || (cells[stone] == p->side && rescue >= 0)) continue;
        go_fill(p, stone, cells[stone], -1, 2, &group);
        if (group.liberties != 1) continue;
        if (cells[stone] == p->side) {
            rescue = go_rescue(rules, p, &group, caught);
        } else if (ployi_go_legal(rules, p, group.liberty, caught)) {
            return group.liberty;
        }
    }
    return rescue;
}

// A point of a pattern beside one of the last two moves; -1: none.
static int32_t go_shape(const void *rules, const go_position *p, ploy_rng *rng, go_catch *caught) {
    const uint8_t *cells = go_cells_of(p);
    for (int32_t i = 0; i < 2; i++) {
        if (p->last[i] == GO_NONE) continue;
        int32_t around[8], points[8], count = 0;
        go_around(p, p->last[i], around);
        for (int32_t k = 0; k < 8; k++) {
            if (around[k] < 0 || cells[around[k]] != GO_EMPTY) continue;
            if (ployi_go_pattern(p, around[k])) points[count++] = around[k];
        }
        while (count > 0) {
            int32_t pick = ploy_rng_int(rng, 0, count - 1), point = points[pick];
            points[pick] = points[--count];
            if (ployi_go_legal(rules, p, point, caught) && !go_is_self_atari(p, point, caught)) {
                return point;
            }
        }
    }
    return -1;
}

ploy_board_move ployi_go_playout(const void *rules, const void *position, ploy_rng *rng) {
    const ploy_board_go_def *def = rules;
    const go_position *p = position;
    const uint8_t *cells = go_cells_of(p);
    go_catch caught;
    if (def->tactics > 0.0f && ploy_rng_chance(rng, def->tactics)) {
        int32_t point = go_tactical(rules, p, &caught);
        if (point < 0) point = go_shape(rules, p, rng, &caught);
        if (point >= 0) return (ploy_board_move)point + 1;
    }
    uint16_t open[GO_POINTS];
    int32_t count = 0;
    for (int32_t point = 0; point < p->size * p->size; point++) {
        if (cells[point] == GO_EMPTY) open[count++] = (uint16_t)point;
    }
    int32_t last = -1; // a move that puts its own stones into atari, if there is no other
    while (count > 0) {
        int32_t pick = ploy_rng_int(rng, 0, count - 1);
        int32_t point = open[pick];
        open[pick] = open[--count];
        if (go_is_eye(p, point, p->side) || !ployi_go_legal(rules, p, point, &caught)) continue;
        if (!go_is_self_atari(p, point, &caught) || ploy_rng_chance(rng, 0.5f)) {
            return (ploy_board_move)point + 1;
        }
        last = point;
    }
    return last >= 0 ? (ploy_board_move)last + 1 : PLOY_BOARD_GO_PASS;
}

// ---- priors

// By the distance to a move: dx + dy + the larger one, from 2 (a neighbour) on.
static float go_closeness(const go_position *p, int32_t point, int32_t to) {
    static const float factors[] = {1.0f, 1.0f, 3.0f, 2.6f, 2.0f, 1.6f};
    if (to == GO_NONE) return 1.0f;
    int32_t dx = point % p->size - to % p->size, dy = point / p->size - to / p->size;
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    int32_t distance = dx + dy + (dx > dy ? dx : dy);
    return distance < 6 ? factors[distance] : 1.0f;
}

// On a part of the board without stones the third line is better than the second and the first.
static float go_opening(const go_position *p, int32_t point) {
    const uint8_t *cells = go_cells_of(p);
    int32_t size = p->size, x = point % size, y = point / size;
    int32_t column = x < size - 1 - x ? x : size - 1 - x, row = y < size - 1 - y ? y : size - 1 - y;
    int32_t line = column < row ? column : row;
    for (int32_t v = y > 2 ? y - 2 : 0; v <= y + 2 && v < size; v++) {
        for (int32_t u = x > 2 ? x - 2 : 0; u <= x + 2 && u < size; u++) {
            if (cells[v * size + u] != GO_EMPTY) return line == 0 ? 0.6f : 1.0f;
        }
    }
    return line == 0 ? 0.1f : line == 1 ? 0.4f : line == 2 ? 1.6f : 1.3f;
}

float ployi_go_prior(const void *rules, const void *position, ploy_board_move move) {
    const go_position *p = position;
    const uint8_t *cells = go_cells_of(p);
    go_catch caught;
    if (move == PLOY_BOARD_GO_PASS) return p->passes > 0 ? 0.5f : 0.1f;
    int32_t point = (int32_t)move - 1;
    if (go_is_eye(p, point, p->side)) return 0.05f;
    if (!ployi_go_legal(rules, p, point, &caught)) return 0.05f;
    if (go_is_self_atari(p, point, &caught)) return 0.15f;
    float weight = caught.count > 1 ? 10.0f : caught.count == 1 ? 5.0f : 1.0f;
    if (caught.count == 0) {
        // A group in atari that gains liberties here.
        int32_t near[4], count = go_near(p->size, point, near), saved = 0;
        go_group group;
        for (int32_t i = 0; i < count; i++) {
            if (cells[near[i]] != p->side) continue;
            go_fill(p, near[i], p->side, -1, 2, &group);
            if (group.liberties == 1 && group.count > saved) saved = group.count;
        }
        if (saved > 0) {
            go_fill(p, point, p->side, -1, 3, &group);
            if (group.liberties > 1) weight *= saved > 1 ? 6.0f : 3.0f;
        }
    }
    if (ployi_go_pattern(p, point)) weight *= 2.5f;
    return weight * go_closeness(p, point, p->last[0]) * go_opening(p, point);
}
