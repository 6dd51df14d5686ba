// Atoms. A cell holds +n atoms of player 0 or -n of player 1.
#include "ploy/board/atoms.h"

#include <string.h>

#include "board_internal.h"
#include "ploy/base/hash.h"

enum { ATOMS_SIDE = 10, ATOMS_CELLS = ATOMS_SIDE * ATOMS_SIDE };

typedef struct atoms_position {
    int8_t cells[ATOMS_CELLS]; // unused ones are 0
    uint8_t side;
    uint8_t over;   // the player that moved last has won
    uint16_t plies; // capped at 2: after the first round
} atoms_position;

static const ploy_field atoms_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_board_atoms_def, columns, 6, 2, ATOMS_SIDE, "", "columns"),
    PLOY_FIELD_I32_FIXED(ploy_board_atoms_def, rows, 6, 2, ATOMS_SIDE, "", "rows"),
};

ploy_fields ploy_board_atoms_fields(void) {
    return PLOY_FIELDS(ploy_board_atoms_def, atoms_fields);
}

ploy_board_atoms_def ploy_board_atoms_def_default(void) {
    ploy_board_atoms_def def;
    ploy_fields_default(ploy_board_atoms_fields(), &def);
    return def;
}

static size_t atoms_bytes(const void *rules) {
    (void)rules;
    return sizeof(atoms_position);
}

static int32_t atoms_near(const ploy_board_atoms_def *def, int32_t cell, int32_t out[4]) {
    int32_t x = cell % def->columns, count = 0;
    if (cell >= def->columns) out[count++] = cell - def->columns;
    if (x > 0) out[count++] = cell - 1;
    if (x < def->columns - 1) out[count++] = cell + 1;
    if (cell < def->columns * (def->rows - 1)) out[count++] = cell + def->columns;
    return count;
}

static void atoms_start(const void *rules, void *position) {
    (void)rules;
    memset(position, 0, sizeof(atoms_position));
}

static int32_t atoms_side(const void *rules, const void *position) {
    (void)rules;
    const atoms_position *p = position;
    return p->over != 0 ? PLOY_BOARD_OVER : p->side;
}

static int32_t atoms_list(const void *rules, const void *position, ploy_board_move *out,
                          int32_t capacity) {
    const ploy_board_atoms_def *def = rules;
    const atoms_position *p = position;
    int32_t count = 0;
    if (p->over != 0) return 0;
    for (int32_t i = 0; i < def->columns * def->rows && count < capacity; i++) {
        if (p->side == 0 ? p->cells[i] >= 0 : p->cells[i] <= 0)
            out[count++] = (ploy_board_move)i + 1;
    }
    return count;
}

static bool atoms_has(const ploy_board_atoms_def *def, const atoms_position *p, int32_t player) {
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        if (player == 0 ? p->cells[i] > 0 : p->cells[i] < 0) return true;
    }
    return false;
}

// One wave: all full cells explode together. @return whether there was one.
static bool atoms_wave(const ploy_board_atoms_def *def, atoms_position *p, int32_t sign) {
    int32_t cells = def->columns * def->rows, near[4];
    int32_t full[ATOMS_CELLS], count = 0;
    for (int32_t i = 0; i < cells; i++) {
        if (p->cells[i] * sign >= atoms_near(def, i, near)) full[count++] = i;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t sides = atoms_near(def, full[i], near);
        p->cells[full[i]] = (int8_t)(p->cells[full[i]] - sign * sides);
        for (int32_t k = 0; k < sides; k++) {
            int32_t atoms = p->cells[near[k]] < 0 ? -p->cells[near[k]] : p->cells[near[k]];
            p->cells[near[k]] = (int8_t)(sign * (atoms + 1));
        }
    }
    return count > 0;
}

static void atoms_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    const ploy_board_atoms_def *def = rules;
    atoms_position *p = position;
    if (undo != NULL) memcpy(undo, p, sizeof *p);
    int32_t sign = p->side == 0 ? 1 : -1;
    p->cells[move - 1] = (int8_t)(p->cells[move - 1] + sign);
    if (p->plies < 2) p->plies++;
    // Explosions may go on forever once the opponent has nothing left.
    while (atoms_wave(def, p, sign)) {
        if (!atoms_has(def, p, 1 - p->side)) break;
    }
    p->over = p->plies == 2 && !atoms_has(def, p, 1 - p->side);
    p->side ^= 1;
}

static void atoms_unmake(const void *rules, void *position, ploy_board_move move,
                         const void *undo) {
    (void)rules, (void)move;
    memcpy(position, undo, sizeof(atoms_position));
}

static int32_t atoms_result(const void *rules, const void *position, int32_t player) {
    (void)rules;
    const atoms_position *p = position;
    return player == p->side ? -PLOY_BOARD_WIN : PLOY_BOARD_WIN;
}

static uint64_t atoms_hash(const void *rules, const void *position) {
    (void)rules;
    const atoms_position *p = position;
    return ploy_hash_bytes(p->cells, sizeof p->cells, (uint64_t)p->side * 4 + p->plies);
}

// ---- evaluation: atoms, cells that explode next, and those in reach of an enemy's

enum { ATOMS_PARTS = 3 };
static const char *const atoms_part_names[ATOMS_PARTS] = {"atoms", "loaded cells",
                                                          "cells beside loaded enemies"};

static void atoms_parts(const ploy_board_atoms_def *def, const atoms_position *p, int32_t player,
                        int32_t out[ATOMS_PARTS]) {
    int32_t sign = player == 0 ? 1 : -1, near[4], beside[4];
    memset(out, 0, sizeof(int32_t) * ATOMS_PARTS);
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        int32_t own = p->cells[i] * sign, sides = atoms_near(def, i, near);
        if (own <= 0) continue;
        out[0] += 10 * own;
        if (own == sides - 1) out[1] += 15;
        for (int32_t k = 0; k < sides; k++) {
            if (-p->cells[near[k]] * sign == atoms_near(def, near[k], beside) - 1) {
                out[2] -= 5 * own;
                break;
            }
        }
    }
}

static void atoms_score_parts(const void *rules, const void *position, int32_t player,
                              ploy_board_part_fn fn, void *user) {
    int32_t own[ATOMS_PARTS], other[ATOMS_PARTS];
    atoms_parts(rules, position, player, own);
    atoms_parts(rules, position, 1 - player, other);
    for (int32_t i = 0; i < ATOMS_PARTS; i++) fn(user, atoms_part_names[i], own[i] - other[i]);
}

static int32_t atoms_evaluate(const void *rules, const void *position, int32_t player) {
    int32_t own[ATOMS_PARTS], other[ATOMS_PARTS], sum = 0;
    atoms_parts(rules, position, player, own);
    atoms_parts(rules, position, 1 - player, other);
    for (int32_t i = 0; i < ATOMS_PARTS; i++) sum += own[i] - other[i];
    return sum;
}

// ---- text

static void atoms_move_text(const void *rules, const void *position, ploy_board_move move,
                            char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)position;
    const ploy_board_atoms_def *def = rules;
    int32_t cell = (int32_t)move - 1, row = def->rows - cell / def->columns;
    *out++ = (char)('a' + cell % def->columns);
    if (row >= 10) *out++ = '1';
    *out++ = (char)('0' + row % 10);
    *out = 0;
}

static ploy_result atoms_move_parse(const void *rules, const void *position, const char *text,
                                    const char *name, ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(ploy_board_atoms(), rules), position, text, name,
                                   out, diags);
}

static void atoms_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    const ploy_board_atoms_def *def = rules;
    const atoms_position *p = position;
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        if (i > 0) *out++ = i % def->columns == 0 ? '/' : ' ';
        int32_t atoms = p->cells[i] < 0 ? -p->cells[i] : p->cells[i];
        *out++ = p->cells[i] == 0 ? '.' : p->cells[i] > 0 ? 'A' : 'B';
        if (atoms >= 100) *out++ = (char)('0' + atoms / 100);
        if (atoms >= 10) *out++ = (char)('0' + atoms / 10 % 10);
        if (atoms > 0) *out++ = (char)('0' + atoms % 10);
    }
    *out++ = ':';
    *out++ = ' ';
    *out++ = p->side == 0 ? 'A' : 'B';
    if (p->plies == 1) *out++ = '1'; // the second player has not moved yet
    *out = 0;
}

static ploy_result atoms_parse(const void *rules, const char *text, const char *name,
                               void *position, ploy_diags *diags) {
    const ploy_board_atoms_def *def = rules;
    atoms_position p;
    memset(&p, 0, sizeof p);
    int32_t at = 0;
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        if (i > 0 && (text[at] == ' ' || text[at] == '/')) at++;
        char c = text[at];
        if (c != '.' && c != 'A' && c != 'B') {
            return ployi_board_fault(diags, name, at + 1, c == 0 ? "too few cells" : "unknown cell",
                                     "., A or B and a number");
        }
        at++;
        int32_t atoms = 0;
        for (; c != '.' && text[at] >= '0' && text[at] <= '9' && atoms < 12; at++) {
            atoms = atoms * 10 + (text[at] - '0');
        }
        if (c != '.' && (atoms == 0 || atoms > 120)) {
            return ployi_board_fault(diags, name, at + 1, "invalid number of atoms", "1 to 120");
        }
        p.cells[i] = (int8_t)(c == 'B' ? -atoms : atoms);
    }
    if (text[at] != ':' || text[at + 1] != ' ' || (text[at + 2] != 'A' && text[at + 2] != 'B')) {
        return ployi_board_fault(diags, name, at + 1, "the side to move is missing", ": A or : B");
    }
    p.side = text[at + 2] == 'A' ? 0 : 1;
    at += 3;
    bool own = atoms_has(def, &p, p.side), other = atoms_has(def, &p, 1 - p.side);
    p.plies = text[at] == '1' ? 1 : own || other ? 2 : 0;
    if (text[at] == '1') at++;
    if (text[at] != 0) {
        return ployi_board_fault(diags, name, at + 1, "unexpected text behind the position",
                                 "the end");
    }
    p.over = p.plies == 2 && !own;
    memcpy(position, &p, sizeof p);
    return PLOY_OK;
}

// ---- symmetries, encoding, picture

static int32_t atoms_symmetries(const void *rules) {
    const ploy_board_atoms_def *def = rules;
    return def->columns == def->rows ? 8 : 4;
}

static int32_t atoms_map_cell(const ploy_board_atoms_def *def, int32_t cell, int32_t number) {
    int32_t x = cell % def->columns, y = cell / def->columns;
    if (def->columns == def->rows) {
        ployi_board_map_square(def->columns, number, &x, &y);
    } else {
        if ((number & 1) != 0) x = def->columns - 1 - x;
        if ((number & 2) != 0) y = def->rows - 1 - y;
    }
    return y * def->columns + x;
}

static void atoms_map(const void *rules, const void *position, int32_t number, void *out) {
    const ploy_board_atoms_def *def = rules;
    const atoms_position *p = position;
    atoms_position to = *p;
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        to.cells[atoms_map_cell(def, i, number)] = p->cells[i];
    }
    memcpy(out, &to, sizeof to);
}

static ploy_board_move atoms_map_move(const void *rules, ploy_board_move move, int32_t number) {
    return (ploy_board_move)atoms_map_cell(rules, (int32_t)move - 1, number) + 1;
}

static void atoms_encode_shape(const void *rules, int32_t shape[3]) {
    const ploy_board_atoms_def *def = rules;
    shape[0] = 6;
    shape[1] = def->rows;
    shape[2] = def->columns;
}

// Planes: own cells with at least 1, 2, 3 atoms, then the opponent's.
static void atoms_encode(const void *rules, const void *position, float *out) {
    const ploy_board_atoms_def *def = rules;
    const atoms_position *p = position;
    int32_t cells = def->columns * def->rows, sign = p->side == 0 ? 1 : -1;
    for (int32_t i = 0; i < 6 * cells; i++) {
        int32_t atoms = p->cells[i % cells] * (i < 3 * cells ? sign : -sign);
        out[i] = atoms > i / cells % 3 ? 1.0f : 0.0f;
    }
}

static int32_t atoms_policy_size(const void *rules) {
    const ploy_board_atoms_def *def = rules;
    return def->columns * def->rows;
}

static int32_t atoms_policy_index(const void *rules, const void *position, ploy_board_move move) {
    (void)rules, (void)position;
    return (int32_t)move - 1;
}

static ploy_box2 atoms_area(const void *rules) {
    const ploy_board_atoms_def *def = rules;
    return ployi_board_grid_area(def->columns, def->rows);
}

static void atoms_draw(const void *rules, const void *position, ploy_draw *out) {
    static const float offsets[4][2] = {{-0.2f, 0.2f}, {0.2f, -0.2f}, {0.2f, 0.2f}, {-0.2f, -0.2f}};
    const ploy_board_atoms_def *def = rules;
    const atoms_position *p = position;
    ployi_board_grid_draw(out, def->columns, def->rows);
    for (int32_t i = 0; i < def->columns * def->rows; i++) {
        int32_t atoms = p->cells[i] < 0 ? -p->cells[i] : p->cells[i];
        ploy_vec2 centre = ployi_board_grid_centre(def->rows, i % def->columns, i / def->columns);
        for (int32_t k = 0; k < atoms && k < 4; k++) {
            ploy_vec2 at = {centre.x + offsets[k][0], centre.y + offsets[k][1]};
            ployi_board_draw_disc(out, at, 0.17f, p->cells[i] > 0 ? 0 : 1);
        }
    }
}

static bool atoms_place(const void *rules, const void *position, ploy_board_move move,
                        ploy_vec2 *from, ploy_vec2 *to) {
    (void)position;
    const ploy_board_atoms_def *def = rules;
    int32_t cell = (int32_t)move - 1;
    *from = *to = ployi_board_grid_centre(def->rows, cell % def->columns, cell / def->columns);
    return true;
}

const ploy_board_type *ploy_board_atoms(void) {
    static const ploy_board_type type = {
        .name = "atoms",
        .title = "Atoms",
        .help = "fill cells until they explode and take over their neighbours",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM,
        .unit = 20,
        .max_moves = ATOMS_CELLS,
        .fields = ploy_board_atoms_fields,
        .position_bytes = atoms_bytes,
        .undo_bytes = atoms_bytes,
        .start = atoms_start,
        .side = atoms_side,
        .moves = atoms_list,
        .make = atoms_make,
        .unmake = atoms_unmake,
        .result = atoms_result,
        .hash = atoms_hash,
        .evaluate = atoms_evaluate,
        .move_text = atoms_move_text,
        .move_parse = atoms_move_parse,
        .text = atoms_text,
        .parse = atoms_parse,
        .symmetries = atoms_symmetries,
        .map = atoms_map,
        .map_move = atoms_map_move,
        .encode_shape = atoms_encode_shape,
        .encode = atoms_encode,
        .policy_size = atoms_policy_size,
        .policy_index = atoms_policy_index,
        .score_parts = atoms_score_parts,
        .area = atoms_area,
        .draw = atoms_draw,
        .place = atoms_place,
    };
    return &type;
}
