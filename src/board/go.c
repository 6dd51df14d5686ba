// Go's rules. Groups are found by filling from a stone; a fill ends at the first liberty, which most groups have nearby, so
// nothing about groups is stored.
//
// A position's bytes: go_position, the points, padding to 8, then the hashes of all boards so far.
#include "ploy/board/go.h"

#include <string.h>

#include "base/compiler.h"
#include "board_internal.h"
#include "go_internal.h"
#include "ploy/base/number.h"

static const char *const go_scoring_names[] = {"area", "territory"};
static const char *const go_ko_names[] = {"simple", "positional", "situational"};

static const ploy_field go_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_board_go_def, size, 9, 5, 19, "", "rows and columns"),
    PLOY_FIELD_F32(ploy_board_go_def, komi, 7.5, -400, 400, "points", "points for white"),
    PLOY_FIELD_ENUM_FIXED(ploy_board_go_def, scoring, 0, go_scoring_names, "how points count"),
    PLOY_FIELD_ENUM_FIXED(ploy_board_go_def, ko, 1, go_ko_names, "which boards may come again"),
    PLOY_FIELD_F32(ploy_board_go_def, tactics, 0.95, 0, 1, "",
                   "share of playout moves that answer the last ones first"),
};

ploy_fields ploy_board_go_fields(void) {
    return PLOY_FIELDS(ploy_board_go_def, go_fields);
}

ploy_board_go_def ploy_board_go_def_default(void) {
    ploy_board_go_def def;
    ploy_fields_default(ploy_board_go_fields(), &def);
    return def;
}

static int32_t go_size(const void *rules) {
    return ((const ploy_board_go_def *)rules)->size;
}

static int32_t go_limit(int32_t size) {
    return 3 * size * size;
}

static size_t go_cells_bytes(int32_t size) {
    return ((size_t)(size * size) + 7) / 8 * 8;
}

static size_t go_bytes(const void *rules) {
    int32_t size = go_size(rules);
    return sizeof(go_position) + go_cells_bytes(size) +
           sizeof(uint64_t) * (size_t)(go_limit(size) + 1);
}

static uint64_t *go_past(go_position *p) {
    return (uint64_t *)(void *)((uint8_t *)(p + 1) + go_cells_bytes(p->size));
}

static const uint64_t *go_past_of(const go_position *p) {
    return (const uint64_t *)(const void *)((const uint8_t *)(p + 1) + go_cells_bytes(p->size));
}

// Key number `index`; splitmix64's finisher.
static uint64_t go_key(uint64_t index) {
    uint64_t x = (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static uint64_t go_stone_key(int32_t point, int32_t colour) {
    return go_key((uint64_t)point * 2 + (uint64_t)colour);
}

// What a stone on a point would capture. @return false for suicide.
static bool go_try(const go_position *p, int32_t point, int32_t side, go_catch *caught) {
    const uint8_t *cells = go_cells_of(p);
    int32_t near[4], count = go_near(p->size, point, near);
    bool lives = false;
    caught->count = 0;
    caught->key = 0;
    go_group group;
    for (int32_t i = 0; i < count; i++) {
        if (cells[near[i]] == GO_EMPTY) {
            lives = true;
        } else if (cells[near[i]] == 1 - side) {
            bool known = false;
            for (int32_t k = 0; k < caught->count; k++)
                known = known || caught->stones[k] == near[i];
            if (known) continue;
            go_fill(p, near[i], cells[near[i]], point, 1, &group);
            if (group.liberties > 0) continue;
            for (int32_t k = 0; k < group.count; k++) {
                caught->stones[caught->count++] = group.stones[k];
                caught->key ^= go_stone_key(group.stones[k], 1 - side);
            }
        }
    }
    if (lives || caught->count > 0) return true;
    for (int32_t i = 0; i < count; i++) {
        if (cells[near[i]] != side) continue;
        go_fill(p, near[i], cells[near[i]], point, 1, &group);
        if (group.liberties > 0) return true;
    }
    return false;
}

// The key under which a board is remembered, and whether it is there.
static uint64_t go_memory_key(const void *rules, uint64_t board, int32_t next_side) {
    const ploy_board_go_def *def = rules;
    return def->ko == PLOY_BOARD_GO_SITUATIONAL && next_side == 1 ? board ^ go_key(5000) : board;
}

static bool go_repeats(const void *rules, const go_position *p, int32_t point,
                       const go_catch *caught) {
    const ploy_board_go_def *def = rules;
    // Boards only grow until the first capture.
    if (def->ko == PLOY_BOARD_GO_SIMPLE) return false;
    if (caught->count == 0 && p->prisoners[0] + p->prisoners[1] == 0) return false;
    uint64_t board = p->board ^ go_stone_key(point, p->side) ^ caught->key;
    uint64_t key = go_memory_key(rules, board, 1 - p->side);
    const uint64_t *past = go_past_of(p);
    for (int32_t i = p->past - 1; i >= 0; i--) {
        if (past[i] == key) return true;
    }
    return false;
}

bool ployi_go_legal(const void *rules, const go_position *p, int32_t point, go_catch *caught) {
    if (go_cells_of(p)[point] != GO_EMPTY || point == p->ko) return false;
    return go_try(p, point, p->side, caught) && !go_repeats(rules, p, point, caught);
}

static void go_start(const void *rules, void *position) {
    go_position *p = position;
    memset(p, 0, go_bytes(rules));
    p->size = (uint8_t)go_size(rules);
    p->ko = p->last[0] = p->last[1] = GO_NONE;
    memset(go_cells(p), GO_EMPTY, (size_t)(p->size * p->size));
    go_past(p)[p->past++] = go_memory_key(rules, 0, 0);
}

static int32_t go_side(const void *rules, const void *position) {
    (void)rules;
    const go_position *p = position;
    return p->passes >= 2 || p->plies >= go_limit(p->size) ? PLOY_BOARD_OVER : p->side;
}

static int32_t go_list(const void *rules, const void *position, ploy_board_move *out,
                       int32_t capacity) {
    const go_position *p = position;
    if (go_side(rules, p) == PLOY_BOARD_OVER) return 0;
    int32_t count = 0;
    go_catch caught;
    for (int32_t point = 0; point < p->size * p->size && count < capacity; point++) {
        if (ployi_go_legal(rules, p, point, &caught)) out[count++] = (ploy_board_move)point + 1;
    }
    if (count < capacity) out[count++] = PLOY_BOARD_GO_PASS;
    return count;
}

static void go_place(const void *rules, go_position *p, int32_t point) {
    go_catch caught;
    uint8_t *cells = go_cells(p);
    go_try(p, point, p->side, &caught);
    cells[point] = p->side;
    p->board ^= go_stone_key(point, p->side) ^ caught.key;
    for (int32_t i = 0; i < caught.count; i++) cells[caught.stones[i]] = GO_EMPTY;
    p->prisoners[p->side] += caught.count;
    p->ko = GO_NONE;
    if (caught.count == 1) {
        // A ko: the new stone is alone and its only liberty is where the captured one was.
        go_group group;
        go_fill(p, point, p->side, -1, 2, &group);
        if (group.count == 1 && group.liberties == 1) p->ko = caught.stones[0];
    }
    go_past(p)[p->past++] = go_memory_key(rules, p->board, 1 - p->side);
}

static void go_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    go_position *p = position;
    (void)undo;
    p->last[1] = p->last[0];
    p->last[0] = move == PLOY_BOARD_GO_PASS ? GO_NONE : (uint16_t)(move - 1);
    if (move == PLOY_BOARD_GO_PASS) {
        p->passes++;
        p->ko = GO_NONE;
    } else {
        go_place(rules, p, (int32_t)move - 1);
        p->passes = 0;
    }
    p->plies++;
    p->side ^= 1;
}

int32_t ploy_board_go_score(const ploy_board_go_def *def, const void *position) {
    const go_position *p = position;
    const uint8_t *cells = go_cells_of(p);
    int32_t points = p->size * p->size, sum = 0;
    uint64_t seen[6] = {0};
    for (int32_t start = 0; start < points; start++) {
        if (cells[start] != GO_EMPTY) {
            if (def->scoring == PLOY_BOARD_GO_AREA) sum += cells[start] == 0 ? 1 : -1;
            continue;
        }
        if (!go_mark(seen, start)) continue;
        uint16_t region[GO_POINTS];
        int32_t count = 1, touches = 0; // bit 0: black, bit 1: white
        region[0] = (uint16_t)start;
        for (int32_t i = 0; i < count; i++) {
            int32_t near[4], sides = go_near(p->size, region[i], near);
            for (int32_t k = 0; k < sides; k++) {
                if (cells[near[k]] != GO_EMPTY) {
                    touches |= 1 << cells[near[k]];
                } else if (go_mark(seen, near[k])) {
                    region[count++] = (uint16_t)near[k];
                }
            }
        }
        sum += touches == 1 ? count : touches == 2 ? -count : 0;
    }
    if (def->scoring == PLOY_BOARD_GO_TERRITORY) sum += p->prisoners[0] - p->prisoners[1];
    float komi = def->komi * 2.0f;
    return 2 * sum - (int32_t)(komi < 0.0f ? komi - 0.5f : komi + 0.5f);
}

static int32_t go_result(const void *rules, const void *position, int32_t player) {
    int32_t score = ploy_board_go_score(rules, position);
    if (score == 0) return 0;
    return (score > 0) == (player == 0) ? PLOY_BOARD_WIN : -PLOY_BOARD_WIN;
}

static uint64_t go_hash(const void *rules, const void *position) {
    (void)rules;
    const go_position *p = position;
    return p->board ^ go_key(6000 + p->side) ^ go_key(7000 + p->passes) ^ go_key(8000 + p->ko);
}

// ---- text

static char go_letter(int32_t x) {
    return (char)('A' + x + (x >= 8 ? 1 : 0)); // I is left out
}

static char *go_print_point(const go_position *p, int32_t point, char *out) {
    *out++ = go_letter(point % p->size);
    return out + ploy_print_i64(p->size - point / p->size, out);
}

static void go_move_text(const void *rules, const void *position, ploy_board_move move,
                         char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)rules;
    if (move == PLOY_BOARD_GO_PASS) {
        strcpy(out, "pass");
        return;
    }
    go_print_point(position, (int32_t)move - 1, out);
}

static ploy_result go_move_parse(const void *rules, const void *position, const char *text,
                                 const char *name, ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(ploy_board_go(), rules), position, text, name, out,
                                   diags);
}

static void go_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    (void)rules;
    const go_position *p = position;
    const uint8_t *cells = go_cells_of(p);
    for (int32_t i = 0; i < p->size * p->size; i++) {
        if (i > 0 && i % p->size == 0) *out++ = '/';
        *out++ = "XO."[cells[i]];
    }
    *out++ = ' ';
    *out++ = "XO"[p->side];
    *out++ = ' ';
    *out++ = (char)('0' + p->passes);
    *out++ = ' ';
    if (p->ko == GO_NONE) {
        *out++ = '-';
    } else {
        out = go_print_point(p, p->ko, out);
    }
    *out++ = ' ';
    out += ploy_print_i64(p->prisoners[0], out);
    *out++ = ' ';
    out += ploy_print_i64(p->prisoners[1], out);
    *out = 0;
}

// Reads "D4" on a board of that size. @return bytes read, 0 if it is not a point.
static int32_t go_read_point(const char *text, int32_t size, int32_t *point) {
    char letter = (char)(text[0] >= 'a' && text[0] <= 'z' ? text[0] - 32 : text[0]);
    int32_t x = letter < 'A' || letter == 'I' ? -1 : letter - 'A' - (letter > 'I' ? 1 : 0);
    int32_t row = 0, used = 1;
    for (; text[used] >= '0' && text[used] <= '9' && used < 3; used++) {
        row = row * 10 + (text[used] - '0');
    }
    if (x < 0 || x >= size || row < 1 || row > size) return 0;
    *point = x + size * (size - row);
    return used;
}

static ploy_result go_parse_rest(const char *text, const char *name, int32_t at, go_position *p,
                                 ploy_diags *diags) {
    if (text[at] != ' ' || (text[at + 1] != 'X' && text[at + 1] != 'O')) {
        return ployi_board_fault(diags, name, at + 1, "the side to move is missing", "X or O");
    }
    p->side = text[at + 1] == 'X' ? 0 : 1;
    at += 2;
    if (text[at] == 0) return PLOY_OK;
    if (text[at] != ' ' || text[at + 1] < '0' || text[at + 1] > '2' || text[at + 2] != ' ') {
        return ployi_board_fault(diags, name, at + 1, "invalid number of passes", "0, 1 or 2");
    }
    p->passes = (uint8_t)(text[at + 1] - '0');
    at += 3;
    int32_t ko = 0;
    int32_t used = text[at] == '-' ? 1 : go_read_point(text + at, p->size, &ko);
    if (used == 0 || (text[at] != '-' && go_cells_of(p)[ko] != GO_EMPTY)) {
        return ployi_board_fault(diags, name, at + 1, "invalid ko point", "an empty point or -");
    }
    if (text[at] != '-') p->ko = (uint16_t)ko;
    at += used;
    for (int32_t i = 0; i < 2; i++) {
        int64_t number = 0;
        size_t read = 0;
        if (text[at] != ' ' ||
            ploy_parse_i64(text + at + 1, strlen(text + at + 1), &read, &number) != PLOY_OK ||
            number < 0 || number > 100000) {
            return ployi_board_fault(diags, name, at + 1, "invalid number of prisoners",
                                     "a number");
        }
        p->prisoners[i] = (int32_t)number;
        at += 1 + (int32_t)read;
    }
    if (text[at] != 0) {
        return ployi_board_fault(diags, name, at + 1, "unexpected text behind the position",
                                 "the end");
    }
    return PLOY_OK;
}

static ploy_result go_parse(const void *rules, const char *text, const char *name, void *position,
                            ploy_diags *diags) {
    // On the stack: the header and the points, without the earlier boards.
    union {
        go_position p;
        uint64_t words[sizeof(go_position) / 8 + (GO_POINTS + 7) / 8];
    } to;
    memset(&to, 0, sizeof to);
    go_position *p = &to.p;
    p->size = (uint8_t)go_size(rules);
    p->ko = p->last[0] = p->last[1] = GO_NONE;
    uint8_t *cells = go_cells(p);
    int32_t at = 0;
    for (int32_t i = 0; i < p->size * p->size; i++, at++) {
        if (i > 0 && i % p->size == 0 && text[at] == '/') at++;
        char c = text[at];
        int32_t stone = c == 'X' ? 0 : c == 'O' ? 1 : c == '.' ? 2 : 3;
        if (stone == 3) {
            return ployi_board_fault(diags, name, at + 1,
                                     c == 0 ? "too few points" : "unknown point",
                                     "X, O or . for each point");
        }
        cells[i] = (uint8_t)stone;
        if (stone < 2) p->board ^= go_stone_key(i, stone);
    }
    ploy_result result = go_parse_rest(text, name, at, p, diags);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < p->size * p->size; i++) {
        if (cells[i] == GO_EMPTY) continue;
        go_group group;
        go_fill(p, i, cells[i], -1, 1, &group);
        if (group.liberties == 0) {
            return ployi_board_fault(diags, name, i + i / p->size + 1, "a group has no liberty",
                                     NULL);
        }
    }
    memset(position, 0, go_bytes(rules));
    memcpy(position, &to, sizeof(go_position) + (size_t)(p->size * p->size));
    go_position *out = position;
    go_past(out)[out->past++] = go_memory_key(rules, out->board, out->side);
    return PLOY_OK;
}

// ---- encoding, picture

static void go_encode_shape(const void *rules, int32_t shape[3]) {
    shape[0] = 3;
    shape[1] = shape[2] = go_size(rules);
}

// Planes: own stones, the opponent's, the ko point.
static void go_encode(const void *rules, const void *position, float *out) {
    const go_position *p = position;
    const uint8_t *cells = go_cells_of(p);
    int32_t points = go_size(rules) * go_size(rules);
    for (int32_t i = 0; i < points; i++) {
        out[i] = cells[i] == p->side ? 1.0f : 0.0f;
        out[points + i] = cells[i] == 1 - p->side ? 1.0f : 0.0f;
        out[2 * points + i] = p->ko == i ? 1.0f : 0.0f;
    }
}

static int32_t go_policy_size(const void *rules) {
    return go_size(rules) * go_size(rules) + 1; // the last one is the pass
}

static int32_t go_policy_index(const void *rules, const void *position, ploy_board_move move) {
    (void)position;
    if (move == PLOY_BOARD_GO_PASS) return go_size(rules) * go_size(rules);
    return (int32_t)move - 1;
}

static ploy_box2 go_area(const void *rules) {
    return ployi_board_grid_area(go_size(rules), go_size(rules));
}

static void go_draw(const void *rules, const void *position, ploy_draw *out) {
    const go_position *p = position;
    const uint8_t *cells = go_cells_of(p);
    int32_t size = go_size(rules);
    ploy_agent_id none = {{0, 0}};
    float low = 0.5f, high = (float)size - 0.5f;
    for (int32_t i = 0; i < size; i++) {
        float at = (float)i + 0.5f;
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, (ploy_vec2){at, low},
                       (ploy_vec2){at, high});
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, (ploy_vec2){low, at},
                       (ploy_vec2){high, at});
    }
    for (int32_t i = 0; i < size * size; i++) {
        if (cells[i] == GO_EMPTY) continue;
        ployi_board_draw_disc(out, ployi_board_grid_centre(size, i % size, i / size), 0.45f,
                              cells[i]);
    }
}

static bool go_place_of(const void *rules, const void *position, ploy_board_move move,
                        ploy_vec2 *from, ploy_vec2 *to) {
    (void)position;
    if (move == PLOY_BOARD_GO_PASS) return false;
    int32_t size = go_size(rules), point = (int32_t)move - 1;
    *from = *to = ployi_board_grid_centre(size, point % size, point / size);
    return true;
}

const ploy_board_type *ploy_board_go(void) {
    static const ploy_board_type type = {
        .name = "go",
        .title = "Go",
        .help = "surround more than the opponent; 5x5 to 19x19",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM | PLOY_BOARD_LASTING,
        .max_moves = GO_POINTS + 1,
        .fields = ploy_board_go_fields,
        .position_bytes = go_bytes,
        .start = go_start,
        .side = go_side,
        .moves = go_list,
        .make = go_make,
        .result = go_result,
        .hash = go_hash,
        .playout = ployi_go_playout,
        .prior = ployi_go_prior,
        .move_text = go_move_text,
        .move_parse = go_move_parse,
        .text = go_text,
        .parse = go_parse,
        .encode_shape = go_encode_shape,
        .encode = go_encode,
        .policy_size = go_policy_size,
        .policy_index = go_policy_index,
        .area = go_area,
        .draw = go_draw,
        .place = go_place_of,
    };
    return &type;
}
