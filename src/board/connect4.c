// Connect Four on bit sets: column by column, with an empty row above each so that shifts never wrap
// from one column into a line of the next.
#include "ploy/board/connect4.h"

#include <string.h>

static const ploy_field connect4_fields[] = {
    PLOY_FIELD_I32(ploy_board_connect4_def, width, 7, 3, 9, "", "columns"),
    PLOY_FIELD_I32(ploy_board_connect4_def, height, 6, 3, 9, "", "rows"),
    PLOY_FIELD_I32(ploy_board_connect4_def, line, 4, 3, 6, "", "discs in a row that win"),
};

#define CONNECT4_GAME UINT64_C(0x636F6E6E65637434)

ploy_fields ploy_board_connect4_fields(void) {
    return PLOY_FIELDS(ploy_board_connect4_def, connect4_fields);
}

ploy_board_connect4_def ploy_board_connect4_def_default(void) {
    ploy_board_connect4_def def;
    ploy_fields_default(ploy_board_connect4_fields(), &def);
    return def;
}

static ploy_result connect4_check(const void *rules, ploy_diags *diags) {
    const ploy_board_connect4_def *def = rules;
    if ((def->height + 1) * def->width <= 64) return PLOY_OK;
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, "ploy_board_connect4_def", 0, 0,
                   "the board is too large", "width * (height + 1) of at most 64", NULL);
    return PLOY_ERR_ARGUMENT;
}

static size_t connect4_bytes(const void *rules) {
    (void)rules;
    return sizeof(ploy_board_connect4_position);
}

static size_t connect4_undo_bytes(const void *rules) {
    (void)rules;
    return 0;
}

static void connect4_start(const void *rules, void *position) {
    (void)rules;
    memset(position, 0, sizeof(ploy_board_connect4_position));
}

static int32_t connect4_side(const void *rules, const void *position) {
    const ploy_board_connect4_def *def = rules;
    const ploy_board_connect4_position *p = position;
    if (p->won || p->count == def->width * def->height) return PLOY_BOARD_OVER;
    return p->count & 1;
}

static uint64_t connect4_column(const ploy_board_connect4_def *def, int32_t column) {
    return ((UINT64_C(1) << def->height) - 1) << (column * (def->height + 1));
}

static int32_t connect4_moves(const void *rules, const void *position, ploy_board_move *out,
                              int32_t capacity) {
    const ploy_board_connect4_def *def = rules;
    const ploy_board_connect4_position *p = position;
    uint64_t all = p->discs[0] | p->discs[1];
    int32_t count = 0;
    for (int32_t c = 0; c < def->width && count < capacity; c++) {
        uint64_t top = UINT64_C(1) << (c * (def->height + 1) + def->height - 1);
        if ((all & top) == 0) out[count++] = (ploy_board_move)c + 1;
    }
    return count;
}

// A line of `line` set bits in any of the four directions.
static bool connect4_has_line(const ploy_board_connect4_def *def, uint64_t discs) {
    const int32_t steps[4] = {1, def->height, def->height + 1, def->height + 2};
    for (int32_t d = 0; d < 4; d++) {
        if (def->line == 4) {
            uint64_t pairs = discs & discs >> steps[d];
            if ((pairs & pairs >> 2 * steps[d]) != 0) return true;
            continue;
        }
        uint64_t run = discs;
        for (int32_t k = 1; k < def->line && run != 0; k++) run &= discs >> (k * steps[d]);
        if (run != 0) return true;
    }
    return false;
}

static int32_t connect4_popcount(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (int32_t)((x * UINT64_C(0x0101010101010101)) >> 56);
}

// The number of a place that is given as a bit.
static int32_t connect4_bit_number(uint64_t bit) {
    return connect4_popcount(bit - 1);
}

// The lowest empty place of a column: one above the highest disc.
static uint64_t connect4_place_bit(const ploy_board_connect4_def *def, uint64_t all,
                                   int32_t column) {
    uint64_t bottom = UINT64_C(1) << (column * (def->height + 1));
    return (all + bottom) & ~all & (connect4_column(def, column) | (bottom << def->height));
}

static void connect4_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    (void)undo;
    const ploy_board_connect4_def *def = rules;
    ploy_board_connect4_position *p = position;
    int32_t player = p->count & 1;
    uint64_t bit = connect4_place_bit(def, p->discs[0] | p->discs[1], (int32_t)move - 1);
    p->discs[player] |= bit;
    p->hash ^= ploy_board_key(CONNECT4_GAME, connect4_bit_number(bit) * 2 + player);
    p->count++;
    p->won = connect4_has_line(def, p->discs[player]);
}

static void connect4_unmake(const void *rules, void *position, ploy_board_move move,
                            const void *undo) {
    (void)undo;
    const ploy_board_connect4_def *def = rules;
    ploy_board_connect4_position *p = position;
    p->count--;
    int32_t player = p->count & 1;
    uint64_t all = p->discs[0] | p->discs[1];
    uint64_t bit = connect4_place_bit(def, all, (int32_t)move - 1) >> 1;
    p->discs[player] ^= bit;
    p->hash ^= ploy_board_key(CONNECT4_GAME, connect4_bit_number(bit) * 2 + player);
    p->won = 0;
}

static int32_t connect4_result(const void *rules, const void *position, int32_t player) {
    (void)rules;
    const ploy_board_connect4_position *p = position;
    if (!p->won) return 0;
    return player == ((p->count - 1) & 1) ? PLOY_BOARD_WIN : -PLOY_BOARD_WIN;
}

static uint64_t connect4_hash(const void *rules, const void *position) {
    (void)rules;
    return ((const ploy_board_connect4_position *)position)->hash;
}

static uint64_t connect4_board(const ploy_board_connect4_def *def) {
    if (def->width == 7 && def->height == 6) return UINT64_C(0x0000FDFBF7EFDFBF);
    uint64_t board = 0;
    for (int32_t c = 0; c < def->width; c++) board |= connect4_column(def, c);
    return board;
}

// Lines that the player can still complete, discs on them, and lines that lack one disc.
static void connect4_lines(const ploy_board_connect4_def *def,
                           const ploy_board_connect4_position *p, int32_t player, int32_t *discs,
                           int32_t *threats) {
    const int32_t steps[4] = {1, def->height, def->height + 1, def->height + 2};
    uint64_t own = p->discs[player], open = connect4_board(def) & ~p->discs[1 - player];
    *discs = *threats = 0;
    for (int32_t i = 0; i < 4 && def->line == 4; i++) { // the usual length, without inner loops
        int32_t s = steps[i];
        uint64_t lines = open & open >> s & open >> 2 * s & open >> 3 * s;
        uint64_t a = lines & own, b = lines & own >> s, c = lines & own >> 2 * s,
                 d = lines & own >> 3 * s;
        *discs += connect4_popcount(a) + connect4_popcount(b) + connect4_popcount(c) +
                  connect4_popcount(d);
        *threats += connect4_popcount((a & b & (c | d)) | ((a | b) & c & d));
    }
    for (int32_t d = 0; d < 4 && def->line != 4; d++) {
        uint64_t lines = open;
        for (int32_t k = 1; k < def->line; k++) lines &= open >> (k * steps[d]);
        uint64_t lacking = 0;
        for (int32_t skip = 0; skip < def->line; skip++) {
            uint64_t others = lines;
            for (int32_t k = 0; k < def->line; k++) {
                if (k != skip) others &= own >> (k * steps[d]);
            }
            lacking |= others;
            *discs += connect4_popcount(lines & own >> (skip * steps[d]));
        }
        *threats += connect4_popcount(lacking);
    }
}

static int32_t connect4_evaluate(const void *rules, const void *position, int32_t player) {
    int32_t discs[2], threats[2];
    for (int32_t i = 0; i < 2; i++) connect4_lines(rules, position, i, &discs[i], &threats[i]);
    int32_t other = 1 - player;
    return 2 * (discs[player] - discs[other]) + 10 * (threats[player] - threats[other]);
}

static void connect4_score_parts(const void *rules, const void *position, int32_t player,
                                 ploy_board_part_fn fn, void *user) {
    int32_t discs[2], threats[2];
    for (int32_t i = 0; i < 2; i++) connect4_lines(rules, position, i, &discs[i], &threats[i]);
    fn(user, "discs on open lines", 2 * (discs[player] - discs[1 - player]));
    fn(user, "lines that lack one disc", 10 * (threats[player] - threats[1 - player]));
}

// The middle first: it is on most lines.
static int32_t connect4_order(const void *rules, const void *position, ploy_board_move move) {
    (void)position;
    const ploy_board_connect4_def *def = rules;
    int32_t from_middle = 2 * ((int32_t)move - 1) - (def->width - 1);
    return -(from_middle < 0 ? -from_middle : from_middle);
}

static float connect4_prior(const void *rules, const void *position, ploy_board_move move) {
    const ploy_board_connect4_def *def = rules;
    return (float)(def->width + 1 + connect4_order(rules, position, move));
}

// Completes a line, or stops one of the opponent, or plays anywhere.
static ploy_board_move connect4_playout(const void *rules, const void *position, ploy_rng *rng) {
    const ploy_board_connect4_def *def = rules;
    const ploy_board_connect4_position *p = position;
    ploy_board_move moves[9];
    int32_t count = connect4_moves(rules, position, moves, 9);
    int32_t player = p->count & 1;
    for (int32_t who = 0; who < 2; who++) {
        uint64_t discs = p->discs[who == 0 ? player : 1 - player];
        for (int32_t i = 0; i < count; i++) {
            uint64_t bit =
                connect4_place_bit(def, p->discs[0] | p->discs[1], (int32_t)moves[i] - 1);
            if (connect4_has_line(def, discs | bit)) return moves[i];
        }
    }
    return moves[ploy_rng_int(rng, 0, count - 1)];
}

static void connect4_move_text(const void *rules, const void *position, ploy_board_move move,
                               char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)rules, (void)position;
    out[0] = (char)('0' + move);
    out[1] = 0;
}

static ploy_result connect4_move_parse(const void *rules, const void *position, const char *text,
                                       const char *name, ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(ploy_board_connect4(), rules), position, text,
                                   name, out, diags);
}

static void connect4_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    const ploy_board_connect4_def *def = rules;
    const ploy_board_connect4_position *p = position;
    for (int32_t row = def->height - 1; row >= 0; row--) {
        for (int32_t c = 0; c < def->width; c++) {
            uint64_t bit = UINT64_C(1) << (c * (def->height + 1) + row);
            *out++ = (p->discs[0] & bit) != 0 ? 'X' : (p->discs[1] & bit) != 0 ? 'O' : '.';
        }
        if (row > 0) *out++ = '/';
    }
    *out = 0;
}

static ploy_result connect4_fault(ploy_diags *diags, const char *name, int32_t column,
                                  const char *message, const char *expected) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 1, column, message, expected,
                   NULL);
    return PLOY_ERR_FORMAT;
}

static ploy_result connect4_parse_columns(const void *rules, const char *text, const char *name,
                                          ploy_board_connect4_position *p, ploy_diags *diags) {
    for (int32_t i = 0; text[i] != 0; i++) {
        ploy_board_move moves[9], move = (ploy_board_move)(unsigned char)text[i] - '0';
        if (connect4_side(rules, p) == PLOY_BOARD_OVER) {
            return connect4_fault(diags, name, i + 1, "the game is over before this move", NULL);
        }
        int32_t count = connect4_moves(rules, p, moves, 9);
        bool legal = false;
        for (int32_t k = 0; k < count; k++) legal = legal || moves[k] == move;
        if (!legal) {
            return connect4_fault(diags, name, i + 1, "no such column, or it is full",
                                  "a column with room");
        }
        connect4_make(rules, p, move, NULL);
    }
    return PLOY_OK;
}

static ploy_result connect4_parse_rows(const ploy_board_connect4_def *def, const char *text,
                                       const char *name, ploy_board_connect4_position *p,
                                       ploy_diags *diags) {
    int32_t column = 0, row = def->height - 1, marks[2] = {0, 0};
    for (int32_t i = 0;; i++) {
        if (text[i] == '/' || text[i] == 0) {
            if (column != def->width) {
                return connect4_fault(diags, name, i + 1, "wrong number of columns in a row", NULL);
            }
            if (text[i] == 0) break;
            column = 0;
            if (--row < 0) return connect4_fault(diags, name, i + 1, "too many rows", NULL);
            continue;
        }
        int32_t player = text[i] == 'X' ? 0 : text[i] == 'O' ? 1 : -1;
        if ((player < 0 && text[i] != '.') || column >= def->width) {
            return connect4_fault(diags, name, i + 1, "unknown disc or too many columns",
                                  "X, O, . or /");
        }
        if (player >= 0) {
            int32_t bit = column * (def->height + 1) + row;
            p->discs[player] |= UINT64_C(1) << bit;
            p->hash ^= ploy_board_key(CONNECT4_GAME, bit * 2 + player);
            marks[player]++;
        }
        column++;
    }
    if (row != 0) return connect4_fault(diags, name, 0, "too few rows", NULL);
    uint64_t all = p->discs[0] | p->discs[1];
    for (int32_t c = 0; c < def->width; c++) {
        uint64_t discs = (all & connect4_column(def, c)) >> (c * (def->height + 1));
        if ((discs & (discs + 1)) != 0) {
            return connect4_fault(diags, name, 0, "a disc has none below it", NULL);
        }
    }
    if (marks[0] - marks[1] < 0 || marks[0] - marks[1] > 1) {
        return connect4_fault(diags, name, 0, "the discs do not alternate", NULL);
    }
    p->count = marks[0] + marks[1];
    if (connect4_has_line(def, p->discs[p->count & 1])) {
        return connect4_fault(diags, name, 0, "the player to move has a line already", NULL);
    }
    p->won = p->count > 0 && connect4_has_line(def, p->discs[(p->count - 1) & 1]);
    return PLOY_OK;
}

static ploy_result connect4_parse(const void *rules, const char *text, const char *name,
                                  void *position, ploy_diags *diags) {
    ploy_board_connect4_position p;
    memset(&p, 0, sizeof p);
    bool columns = strspn(text, "0123456789") == strlen(text);
    ploy_result result = columns ? connect4_parse_columns(rules, text, name, &p, diags)
                                 : connect4_parse_rows(rules, text, name, &p, diags);
    if (result == PLOY_OK) memcpy(position, &p, sizeof p);
    return result;
}

static int32_t connect4_symmetries(const void *rules) {
    (void)rules;
    return 2;
}

static void connect4_map(const void *rules, const void *position, int32_t number, void *out) {
    const ploy_board_connect4_def *def = rules;
    const ploy_board_connect4_position *p = position;
    ploy_board_connect4_position to = *p;
    if (number == 1) {
        to.discs[0] = to.discs[1] = to.hash = 0;
        for (int32_t bit = 0; bit < def->width * (def->height + 1); bit++) {
            int32_t c = def->width - 1 - bit / (def->height + 1), row = bit % (def->height + 1);
            int32_t at = c * (def->height + 1) + row;
            for (int32_t player = 0; player < 2; player++) {
                if ((p->discs[player] >> bit & 1) == 0) continue;
                to.discs[player] |= UINT64_C(1) << at;
                to.hash ^= ploy_board_key(CONNECT4_GAME, at * 2 + player);
            }
        }
    }
    memcpy(out, &to, sizeof to);
}

static ploy_board_move connect4_map_move(const void *rules, ploy_board_move move, int32_t number) {
    const ploy_board_connect4_def *def = rules;
    return number == 1 ? (ploy_board_move)def->width + 1 - move : move;
}

static void connect4_encode_shape(const void *rules, int32_t shape[3]) {
    const ploy_board_connect4_def *def = rules;
    shape[0] = 2;
    shape[1] = def->height;
    shape[2] = def->width;
}

static void connect4_encode(const void *rules, const void *position, float *out) {
    const ploy_board_connect4_def *def = rules;
    const ploy_board_connect4_position *p = position;
    for (int32_t plane = 0; plane < 2; plane++) {
        uint64_t discs = p->discs[(plane + p->count) & 1];
        for (int32_t row = 0; row < def->height; row++) {
            for (int32_t c = 0; c < def->width; c++) {
                *out++ = (discs >> (c * (def->height + 1) + row) & 1) != 0 ? 1.0f : 0.0f;
            }
        }
    }
}

static int32_t connect4_policy_size(const void *rules) {
    const ploy_board_connect4_def *def = rules;
    return def->width;
}

static int32_t connect4_policy_index(const void *rules, const void *position,
                                     ploy_board_move move) {
    (void)rules, (void)position;
    return (int32_t)move - 1;
}

static ploy_box2 connect4_area(const void *rules) {
    const ploy_board_connect4_def *def = rules;
    return (ploy_box2){{0.0f, 0.0f}, {(float)def->width, (float)def->height}};
}

static void connect4_draw(const void *rules, const void *position, ploy_draw *out) {
    const ploy_board_connect4_def *def = rules;
    const ploy_board_connect4_position *p = position;
    ploy_agent_id none = ploy_agent_id_none();
    float width = (float)def->width, height = (float)def->height;
    const ploy_vec2 frame[4] = {{0.0f, 0.0f}, {width, 0.0f}, {width, height}, {0.0f, height}};
    ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_FLOOR, none, frame, 4, 0.25f);
    for (int32_t c = 0; c < def->width; c++) {
        for (int32_t row = 0; row < def->height; row++) {
            ploy_vec2 at = {(float)c + 0.5f, (float)row + 0.5f};
            uint64_t bit = UINT64_C(1) << (c * (def->height + 1) + row);
            ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, none, at, 0.42f);
            if ((p->discs[0] & bit) != 0) {
                ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, none, at, 0.4f, 1.0f);
            } else if ((p->discs[1] & bit) != 0) {
                ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_B, none, at, 0.4f, 1.0f);
            }
        }
    }
}

static bool connect4_place(const void *rules, const void *position, ploy_board_move move,
                           ploy_vec2 *from, ploy_vec2 *to) {
    const ploy_board_connect4_def *def = rules;
    const ploy_board_connect4_position *p = position;
    int32_t column = (int32_t)move - 1;
    uint64_t bit = connect4_place_bit(def, p->discs[0] | p->discs[1], column);
    int32_t row = connect4_bit_number(bit) - column * (def->height + 1);
    *from = *to = (ploy_vec2){(float)column + 0.5f, (float)row + 0.5f};
    return true;
}

const ploy_board_type *ploy_board_connect4(void) {
    static const ploy_board_type type = {
        .name = "connect4",
        .title = "Connect Four",
        .help = "drop discs into columns; four in a row wins",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM,
        .max_moves = 9,
        .unit = 20, // two lines that lack one disc; a single one is often worth nothing
        .fields = ploy_board_connect4_fields,
        .check = connect4_check,
        .position_bytes = connect4_bytes,
        .undo_bytes = connect4_undo_bytes,
        .start = connect4_start,
        .side = connect4_side,
        .moves = connect4_moves,
        .make = connect4_make,
        .unmake = connect4_unmake,
        .result = connect4_result,
        .hash = connect4_hash,
        .evaluate = connect4_evaluate,
        .order = connect4_order,
        .playout = connect4_playout,
        .prior = connect4_prior,
        .move_text = connect4_move_text,
        .move_parse = connect4_move_parse,
        .text = connect4_text,
        .parse = connect4_parse,
        .symmetries = connect4_symmetries,
        .map = connect4_map,
        .map_move = connect4_map_move,
        .encode_shape = connect4_encode_shape,
        .encode = connect4_encode,
        .policy_size = connect4_policy_size,
        .policy_index = connect4_policy_index,
        .score_parts = connect4_score_parts,
        .area = connect4_area,
        .draw = connect4_draw,
        .place = connect4_place,
    };
    return &type;
}
