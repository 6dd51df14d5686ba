// The move generator of all draughts.
//
// A capture goes on while it can, and of the finished ones those with the highest value are kept; what counts for the value is the
// duty of the rules. A long king may land on any square behind a captured piece: it turns on each of them, but goes
// straight on only once, so that one route is one move.
#include "draughts_internal.h"

#include "base/compiler.h"
#include "draughts_near.h"

enum { DRAUGHTS_PATH = 32 };

typedef struct draughts_generator {
    const draughts_row *row;
    uint64_t own, enemy, kings, occupied;
    ploy_board_move *out;
    int32_t count, capacity;
    int64_t best; // value of the captures in out
    bool routes;
    bool any;   // only whether there is a capture
    bool found; // the answer
    int32_t side, from, taken;
    bool king;              // the piece that moves is one
    bool was_king;          // it was one at the start
    uint64_t order;         // bit 31 - i: the i-th captured piece is a king
    ploy_board_move wanted; // a capture whose route is requested; 0: none
    uint8_t path[DRAUGHTS_PATH];
    int32_t length;
    uint8_t *route;
    int32_t route_length;
} draughts_generator;

int32_t ployi_draughts_near(int32_t size, int32_t square, int32_t direction) {
    return size == 8 ? draughts_near_8[square][direction] : draughts_near_10[square][direction];
}

static bool draughts_has(uint64_t set, int32_t square) {
    return (set >> square & 1) != 0;
}

static bool draughts_last_row(const draughts_row *row, int32_t side, int32_t square) {
    int32_t half = row->size / 2;
    return side == 0 ? square < half : square >= half * (row->size - 1);
}

// White goes up: directions 0 and 1, and 4 straight.
static bool draughts_forward(int32_t side, int32_t direction) {
    if (direction < 4) return (direction < 2) == (side == 0);
    return direction == (side == 0 ? 4 : 5) || direction > 5;
}

static int64_t draughts_value(const draughts_generator *g, uint64_t captured) {
    int64_t kings = ployi_popcount(captured & g->kings);
    switch (g->row->duty) {
    case DRAUGHTS_FREE: return 0;
    case DRAUGHTS_MOST: return g->taken;
    case DRAUGHTS_ITALIAN:
        return (int64_t)g->taken << 40 | (int64_t)(g->was_king ? 1 : 0) << 39 | kings << 32 |
               (int64_t)g->order;
    case DRAUGHTS_SPANISH: return (int64_t)g->taken << 8 | kings;
    case DRAUGHTS_CZECH: return g->was_king;
    case DRAUGHTS_FRISIAN: // A king is worth a little less than one and a half men.
        return ((g->taken - kings) * 100 + kings * 149) * 2 + (g->was_king ? 1 : 0);
    }
    return 0;
}

static void draughts_finish(draughts_generator *g, int32_t to, uint64_t captured) {
    g->found = true;
    if (g->any) return;
    int64_t value = draughts_value(g, captured);
    if (value < g->best) return;
    bool crowned = !g->was_king && (g->king || draughts_last_row(g->row, g->side, to));
    ploy_board_move move = captured | (uint64_t)g->from << 50 | (uint64_t)to << 56 |
                           UINT64_C(1) << 63 | (crowned ? DRAUGHTS_CROWNED : 0);
    if (g->wanted != 0) {
        if (move != g->wanted || g->route_length > 0) return;
        for (int32_t i = 0; i < g->length; i++) g->route[i] = g->path[i];
        g->route[g->length] = (uint8_t)to;
        g->route_length = g->length + 1;
        return;
    }
    if (value > g->best) g->count = 0;
    g->best = value;
    if (!g->routes) {
        for (int32_t i = 0; i < g->count; i++) {
            if (g->out[i] == move) return;
        }
    }
    if (g->count < g->capacity) g->out[g->count++] = move;
}

static bool draughts_capturable(const draughts_generator *g, int32_t square, uint64_t captured) {
    if (!draughts_has(g->enemy & ~captured, square)) return false;
    return !g->row->kings_safe || g->king || !draughts_has(g->kings, square);
}

static void draughts_take(draughts_generator *g, int32_t square, int32_t at) {
    if (draughts_has(g->kings, square)) g->order |= UINT64_C(1) << (31 - g->taken % 32);
    g->taken++;
    if (g->length < DRAUGHTS_PATH - 1) g->path[g->length++] = (uint8_t)at;
}

static void draughts_give_back(draughts_generator *g) {
    g->taken--;
    g->length--;
    g->order &= ~(UINT64_C(1) << (31 - g->taken % 32));
}

static bool draughts_capture_long(draughts_generator *g, int32_t at, int32_t direction,
                                  uint64_t captured);
static bool draughts_capture(draughts_generator *g, int32_t at, uint64_t captured);

// All turns of a long king from one square, except along the line it came by (-1: none).
static bool draughts_turns(draughts_generator *g, int32_t at, int32_t line, uint64_t captured) {
    bool found = false;
    int32_t directions = g->row->straight ? 8 : 4;
    for (int32_t d = 0; d < directions; d++) {
        // Opposite directions are 0 and 3, 1 and 2, 4 and 5, 6 and 7.
        int32_t opposite = d < 4 ? 3 - d : d ^ 1;
        if (d == line || opposite == line) continue;
        if (draughts_capture_long(g, at, d, captured)) found = true;
        if (found && g->any) return true;
    }
    return found;
}

static bool draughts_capture_long(draughts_generator *g, int32_t at, int32_t direction,
                                  uint64_t captured) {
    int32_t size = g->row->size;
    int32_t victim = ployi_draughts_near(size, at, direction);
    while (victim >= 0 && !draughts_has(g->occupied, victim)) {
        victim = ployi_draughts_near(size, victim, direction);
    }
    if (victim < 0 || !draughts_capturable(g, victim, captured)) return false;
    int32_t first = ployi_draughts_near(size, victim, direction);
    if (first < 0 || draughts_has(g->occupied, first)) return false;
    if (g->any) return g->found = true;
    captured |= UINT64_C(1) << victim;
    draughts_take(g, victim, at);
    bool more = draughts_capture_long(g, first, direction, captured);
    int32_t land = first;
    for (; land >= 0 && !draughts_has(g->occupied, land);
         land = ployi_draughts_near(size, land, direction)) {
        if (draughts_turns(g, land, direction, captured)) more = true;
    }
    for (land = first; !more && land >= 0 && !draughts_has(g->occupied, land);
         land = ployi_draughts_near(size, land, direction)) {
        draughts_finish(g, land, captured);
    }
    draughts_give_back(g);
    return true;
}

static bool draughts_capture_short(draughts_generator *g, int32_t at, int32_t direction,
                                   uint64_t captured) {
    int32_t victim = ployi_draughts_near(g->row->size, at, direction);
    if (victim < 0 || !draughts_capturable(g, victim, captured)) return false;
    int32_t land = ployi_draughts_near(g->row->size, victim, direction);
    if (land < 0 || draughts_has(g->occupied, land)) return false;
    if (g->any) return g->found = true;
    captured |= UINT64_C(1) << victim;
    draughts_take(g, victim, at);
    bool crowned = !g->king && draughts_last_row(g->row, g->side, land);
    if (crowned && g->row->promotion == DRAUGHTS_STOPS) {
        draughts_finish(g, land, captured);
    } else {
        if (crowned && g->row->promotion == DRAUGHTS_KING) g->king = true;
        bool more = draughts_capture(g, land, captured);
        if (!more) draughts_finish(g, land, captured);
        if (crowned) g->king = false;
    }
    draughts_give_back(g);
    return true;
}

// Tries every capture from a square. @return false if there is none.
static bool draughts_capture(draughts_generator *g, int32_t at, uint64_t captured) {
    if (g->king && g->row->long_king) return draughts_turns(g, at, -1, captured);
    bool found = false;
    int32_t directions = g->row->straight ? 8 : 4;
    for (int32_t d = 0; d < directions; d++) {
        if (!g->king && !g->row->backward && !draughts_forward(g->side, d)) continue;
        if (draughts_capture_short(g, at, d, captured)) found = true;
        if (found && g->any) return true;
    }
    return found;
}

static draughts_generator draughts_begin(const void *rules, const ploy_board_draughts_position *p) {
    draughts_generator g = {.row = ployi_draughts_row(rules)};
    g.routes = ((const ploy_board_draughts_def *)rules)->routes;
    g.side = p->side;
    g.own = p->pieces[p->side];
    g.enemy = p->pieces[1 - p->side];
    g.kings = p->kings;
    g.occupied = g.own | g.enemy;
    g.best = -1;
    return g;
}

static void draughts_captures(draughts_generator *g) {
    uint64_t occupied = g->occupied;
    for (uint64_t left = g->own; left != 0 && !(g->any && g->found); left &= left - 1) {
        g->from = ployi_lowest_bit(left);
        g->king = g->was_king = draughts_has(g->kings, g->from);
        g->occupied = occupied & ~(UINT64_C(1) << g->from);
        draughts_capture(g, g->from, 0);
    }
    g->occupied = occupied;
}

static bool draughts_rests(const draughts_generator *g, const ploy_board_draughts_position *p,
                           int32_t square) {
    return g->row->duty == DRAUGHTS_FRISIAN && p->king_moves[p->side] >= 3 &&
           p->king_square[p->side] == square + 1 && (g->own & ~g->kings) != 0;
}

static void draughts_quiet(draughts_generator *g, const ploy_board_draughts_position *p) {
    for (uint64_t left = g->own; left != 0; left &= left - 1) {
        int32_t from = ployi_lowest_bit(left);
        bool king = draughts_has(g->kings, from);
        if (king && draughts_rests(g, p, from)) continue;
        for (int32_t d = 0; d < 4; d++) {
            if (!king && !draughts_forward(g->side, d)) continue;
            int32_t to = ployi_draughts_near(g->row->size, from, d);
            while (to >= 0 && !draughts_has(g->occupied, to)) {
                g->found = true;
                if (g->any) return;
                bool crowned = !king && draughts_last_row(g->row, g->side, to);
                if (g->count < g->capacity) {
                    g->out[g->count++] = (uint64_t)from << 50 | (uint64_t)to << 56 |
                                         UINT64_C(1) << 63 | (crowned ? DRAUGHTS_CROWNED : 0);
                }
                if (!king || !g->row->long_king) break;
                to = ployi_draughts_near(g->row->size, to, d);
            }
        }
    }
}

int32_t ployi_draughts_moves(const void *rules, const ploy_board_draughts_position *p,
                             ploy_board_move *out, int32_t capacity) {
    draughts_generator g = draughts_begin(rules, p);
    g.out = out;
    g.capacity = capacity;
    draughts_captures(&g);
    if (!g.found) draughts_quiet(&g, p);
    return g.count;
}

bool ployi_draughts_can_move(const void *rules, const ploy_board_draughts_position *p) {
    draughts_generator g = draughts_begin(rules, p);
    g.any = true;
    draughts_quiet(&g, p); // the more likely one first
    if (!g.found) draughts_captures(&g);
    return g.found;
}

int32_t ployi_draughts_route(const void *rules, const ploy_board_draughts_position *p,
                             ploy_board_move move, uint8_t out[32]) {
    draughts_generator g = draughts_begin(rules, p);
    g.wanted = move;
    g.route = out;
    draughts_captures(&g);
    return g.route_length;
}
