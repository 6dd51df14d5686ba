// Tic-tac-toe on two bit sets of nine squares; bit 0 is the top left square.
#include "ploy/board/tictactoe.h"

#include <string.h>

static const ploy_field tictactoe_fields[] = {
    PLOY_FIELD_BOOL(ploy_board_tictactoe_def, misere, false, "three in a line loses"),
};

enum { TICTACTOE_SQUARES = 9 };

static const uint16_t tictactoe_lines[8] = {0x007, 0x038, 0x1C0, 0x049, 0x092, 0x124, 0x111, 0x054};

// Keys of (square * 2 + player), as ploy_board_key makes them for this name.
#define TICTACTOE_GAME UINT64_C(0x7469637461637430)

typedef struct tictactoe_position {
    uint64_t hash;
    uint16_t marks[2]; // of X and O
    uint8_t count;     // marks on the board; X moves when it is even
    uint8_t unused[3];
} tictactoe_position;

ploy_fields ploy_board_tictactoe_fields(void) {
    return PLOY_FIELDS(ploy_board_tictactoe_def, tictactoe_fields);
}

ploy_board_tictactoe_def ploy_board_tictactoe_def_default(void) {
    ploy_board_tictactoe_def def;
    ploy_fields_default(ploy_board_tictactoe_fields(), &def);
    return def;
}

static size_t tictactoe_bytes(const void *rules) {
    (void)rules;
    return sizeof(tictactoe_position);
}

static size_t tictactoe_undo_bytes(const void *rules) {
    (void)rules;
    return 0;
}

static void tictactoe_start(const void *rules, void *position) {
    (void)rules;
    memset(position, 0, sizeof(tictactoe_position));
}

static bool tictactoe_has_line(uint16_t marks) {
    for (size_t i = 0; i < 8; i++) {
        if ((marks & tictactoe_lines[i]) == tictactoe_lines[i]) return true;
    }
    return false;
}

static int32_t tictactoe_side(const void *rules, const void *position) {
    (void)rules;
    const tictactoe_position *p = position;
    // Only the player that moved last can have completed a line.
    if (p->count == TICTACTOE_SQUARES || tictactoe_has_line(p->marks[(p->count + 1) & 1])) {
        return PLOY_BOARD_OVER;
    }
    return p->count & 1;
}

static int32_t tictactoe_moves(const void *rules, const void *position, ploy_board_move *out,
                               int32_t capacity) {
    (void)rules;
    const tictactoe_position *p = position;
    int32_t count = 0;
    for (uint32_t square = 0; square < TICTACTOE_SQUARES; square++) {
        if (((p->marks[0] | p->marks[1]) >> square & 1) != 0 || count == capacity) continue;
        out[count++] = square + 1;
    }
    return count;
}

static void tictactoe_toggle(tictactoe_position *p, uint32_t square, int32_t player) {
    p->marks[player] = (uint16_t)(p->marks[player] ^ (1u << square));
    p->hash ^= ploy_board_key(TICTACTOE_GAME, (int32_t)square * 2 + player);
}

static void tictactoe_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    (void)rules, (void)undo;
    tictactoe_position *p = position;
    tictactoe_toggle(p, (uint32_t)move - 1, p->count & 1);
    p->count++;
}

static void tictactoe_unmake(const void *rules, void *position, ploy_board_move move,
                             const void *undo) {
    (void)rules, (void)undo;
    tictactoe_position *p = position;
    p->count--;
    tictactoe_toggle(p, (uint32_t)move - 1, p->count & 1);
}

static int32_t tictactoe_result(const void *rules, const void *position, int32_t player) {
    const ploy_board_tictactoe_def *def = rules;
    const tictactoe_position *p = position;
    int32_t last = (p->count + 1) & 1;
    if (!tictactoe_has_line(p->marks[last])) return 0;
    return (player == last) != def->misere ? PLOY_BOARD_WIN : -PLOY_BOARD_WIN;
}

static uint64_t tictactoe_hash(const void *rules, const void *position) {
    (void)rules;
    return ((const tictactoe_position *)position)->hash;
}

// Open lines of the player, weighted by the marks on them: 1, 4, 16.
static int32_t tictactoe_open(const tictactoe_position *p, int32_t player) {
    int32_t sum = 0;
    for (size_t i = 0; i < 8; i++) {
        if ((p->marks[1 - player] & tictactoe_lines[i]) != 0) continue;
        int32_t weight = 1;
        for (uint32_t square = 0; square < TICTACTOE_SQUARES; square++) {
            if ((p->marks[player] & tictactoe_lines[i]) >> square & 1) weight *= 4;
        }
        sum += weight;
    }
    return sum;
}

static int32_t tictactoe_evaluate(const void *rules, const void *position, int32_t player) {
    const ploy_board_tictactoe_def *def = rules;
    int32_t score = tictactoe_open(position, player) - tictactoe_open(position, 1 - player);
    return def->misere ? -score : score;
}

static void tictactoe_score_parts(const void *rules, const void *position, int32_t player,
                                  ploy_board_part_fn fn, void *user) {
    const ploy_board_tictactoe_def *def = rules;
    int32_t sign = def->misere ? -1 : 1;
    fn(user, "own open lines", sign * tictactoe_open(position, player));
    fn(user, "open lines of the opponent", -sign * tictactoe_open(position, 1 - player));
}

static void tictactoe_move_text(const void *rules, const void *position, ploy_board_move move,
                                char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)rules, (void)position;
    out[0] = (char)('a' + (move - 1) % 3);
    out[1] = (char)('3' - (move - 1) / 3);
    out[2] = 0;
}

static ploy_result tictactoe_move_parse(const void *rules, const void *position, const char *text,
                                        const char *name, ploy_board_move *out, ploy_diags *diags) {
    if (text[0] >= '0' && text[0] <= '8' && text[1] == 0) {
        const tictactoe_position *p = position;
        uint32_t square = (uint32_t)(text[0] - '0');
        if (((p->marks[0] | p->marks[1]) >> square & 1) == 0) {
            *out = square + 1;
            return PLOY_OK;
        }
    }
    return ploy_board_move_by_text(ploy_board_of(ploy_board_tictactoe(), rules), position, text,
                                   name, out, diags);
}

static void tictactoe_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    (void)rules;
    const tictactoe_position *p = position;
    for (uint32_t square = 0; square < TICTACTOE_SQUARES; square++) {
        char mark = (p->marks[0] >> square & 1) != 0   ? 'X'
                    : (p->marks[1] >> square & 1) != 0 ? 'O'
                                                       : '.';
        *out++ = mark;
        if (square % 3 == 2) *out++ = '/';
    }
    out[-1] = 0;
}

static ploy_result tictactoe_fault(ploy_diags *diags, const char *name, int32_t column,
                                   const char *message, const char *expected) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 1, column, message, expected,
                   NULL);
    return PLOY_ERR_FORMAT;
}

static ploy_result tictactoe_parse(const void *rules, const char *text, const char *name,
                                   void *position, ploy_diags *diags) {
    (void)rules;
    tictactoe_position p;
    memset(&p, 0, sizeof p);
    int32_t marks[2] = {0, 0};
    uint32_t square = 0;
    for (int32_t i = 0; text[i] != 0; i++) {
        if (text[i] == '/' || text[i] == ' ') continue;
        if (square == TICTACTOE_SQUARES) {
            return tictactoe_fault(diags, name, i + 1, "too many squares", "the end");
        }
        int32_t player = text[i] == 'X' || text[i] == 'x'   ? 0
                         : text[i] == 'O' || text[i] == 'o' ? 1
                                                            : -1;
        if (player < 0 && text[i] != '.') {
            return tictactoe_fault(diags, name, i + 1, "unknown mark", "X, O or .");
        }
        if (player >= 0) {
            tictactoe_toggle(&p, square, player);
            marks[player]++;
            p.count++;
        }
        square++;
    }
    if (square != TICTACTOE_SQUARES) {
        return tictactoe_fault(diags, name, 0, "too few squares", "nine of X, O and .");
    }
    if (marks[0] - marks[1] < 0 || marks[0] - marks[1] > 1) {
        return tictactoe_fault(diags, name, 0, "the marks do not alternate", NULL);
    }
    if (tictactoe_has_line(p.marks[p.count & 1])) {
        return tictactoe_fault(diags, name, 0, "the player to move has a line already", NULL);
    }
    memcpy(position, &p, sizeof p);
    return PLOY_OK;
}

static int32_t tictactoe_symmetries(const void *rules) {
    (void)rules;
    return 8;
}

// Where a square goes under a symmetry: bit 0 mirrors columns, bit 1 rows, bit 2 swaps both.
static uint32_t tictactoe_map_square(uint32_t square, int32_t number) {
    uint32_t x = square % 3, y = square / 3;
    if ((number & 1) != 0) x = 2 - x;
    if ((number & 2) != 0) y = 2 - y;
    return (number & 4) != 0 ? x * 3 + y : y * 3 + x;
}

static void tictactoe_map(const void *rules, const void *position, int32_t number, void *out) {
    (void)rules;
    const tictactoe_position *p = position;
    tictactoe_position to;
    memset(&to, 0, sizeof to);
    to.count = p->count;
    for (uint32_t square = 0; square < TICTACTOE_SQUARES; square++) {
        for (int32_t player = 0; player < 2; player++) {
            if ((p->marks[player] >> square & 1) == 0) continue;
            tictactoe_toggle(&to, tictactoe_map_square(square, number), player);
        }
    }
    memcpy(out, &to, sizeof to);
}

static ploy_board_move tictactoe_map_move(const void *rules, ploy_board_move move, int32_t number) {
    (void)rules;
    return tictactoe_map_square((uint32_t)move - 1, number) + 1;
}

static void tictactoe_encode_shape(const void *rules, int32_t shape[3]) {
    (void)rules;
    shape[0] = 2;
    shape[1] = shape[2] = 3;
}

// One plane of the side to move, one of the opponent.
static void tictactoe_encode(const void *rules, const void *position, float *out) {
    (void)rules;
    const tictactoe_position *p = position;
    for (uint32_t i = 0; i < 2 * TICTACTOE_SQUARES; i++) {
        uint32_t player = (i / TICTACTOE_SQUARES + p->count) & 1;
        out[i] = (p->marks[player] >> (i % TICTACTOE_SQUARES) & 1) != 0 ? 1.0f : 0.0f;
    }
}

static int32_t tictactoe_policy_size(const void *rules) {
    (void)rules;
    return TICTACTOE_SQUARES;
}

static int32_t tictactoe_policy_index(const void *rules, const void *position,
                                      ploy_board_move move) {
    (void)rules, (void)position;
    return (int32_t)move - 1;
}

static ploy_vec2 tictactoe_centre(uint32_t square) {
    return (ploy_vec2){(float)(square % 3) + 0.5f, 2.5f - (float)(square / 3)};
}

static ploy_box2 tictactoe_area(const void *rules) {
    (void)rules;
    return (ploy_box2){{0.0f, 0.0f}, {3.0f, 3.0f}};
}

static void tictactoe_draw(const void *rules, const void *position, ploy_draw *out) {
    (void)rules;
    const tictactoe_position *p = position;
    ploy_agent_id none = {{0, 0}};
    for (int32_t i = 0; i <= 3; i++) {
        float at = (float)i;
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, (ploy_vec2){at, 0.0f},
                       (ploy_vec2){at, 3.0f});
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, (ploy_vec2){0.0f, at},
                       (ploy_vec2){3.0f, at});
    }
    for (uint32_t square = 0; square < TICTACTOE_SQUARES; square++) {
        ploy_vec2 c = tictactoe_centre(square);
        if ((p->marks[0] >> square & 1) != 0) {
            ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, none,
                           (ploy_vec2){c.x - 0.3f, c.y - 0.3f},
                           (ploy_vec2){c.x + 0.3f, c.y + 0.3f});
            ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, none,
                           (ploy_vec2){c.x - 0.3f, c.y + 0.3f},
                           (ploy_vec2){c.x + 0.3f, c.y - 0.3f});
        } else if ((p->marks[1] >> square & 1) != 0) {
            ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_B, none, c, 0.33f);
        }
    }
}

static bool tictactoe_place(const void *rules, const void *position, ploy_board_move move,
                            ploy_vec2 *from, ploy_vec2 *to) {
    (void)rules, (void)position;
    *from = *to = tictactoe_centre((uint32_t)move - 1);
    return true;
}

const ploy_board_type *ploy_board_tictactoe(void) {
    static const ploy_board_type type = {
        .name = "tictactoe",
        .title = "Tic-tac-toe",
        .help = "three in a line on 3 x 3 squares",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM,
        .max_moves = TICTACTOE_SQUARES,
        .unit = 4,
        .fields = ploy_board_tictactoe_fields,
        .position_bytes = tictactoe_bytes,
        .undo_bytes = tictactoe_undo_bytes,
        .start = tictactoe_start,
        .side = tictactoe_side,
        .moves = tictactoe_moves,
        .make = tictactoe_make,
        .unmake = tictactoe_unmake,
        .result = tictactoe_result,
        .hash = tictactoe_hash,
        .evaluate = tictactoe_evaluate,
        .move_text = tictactoe_move_text,
        .move_parse = tictactoe_move_parse,
        .text = tictactoe_text,
        .parse = tictactoe_parse,
        .symmetries = tictactoe_symmetries,
        .map = tictactoe_map,
        .map_move = tictactoe_map_move,
        .encode_shape = tictactoe_encode_shape,
        .encode = tictactoe_encode,
        .policy_size = tictactoe_policy_size,
        .policy_index = tictactoe_policy_index,
        .score_parts = tictactoe_score_parts,
        .area = tictactoe_area,
        .draw = tictactoe_draw,
        .place = tictactoe_place,
    };
    return &type;
}
