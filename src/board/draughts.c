// Draughts as a game of the interface; the generator is in draughts_moves.c.
#include "ploy/board/draughts.h"

#include <string.h>

#include "base/compiler.h"
#include "board_internal.h"
#include "draughts_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/number.h"

static const draughts_row draughts_rows[PLOY_BOARD_DRAUGHTS_RULES] = {
    {"english", 8, true, false, false, false, false, DRAUGHTS_STOPS, DRAUGHTS_FREE},
    {"international", 10, false, true, false, true, false, DRAUGHTS_MAN, DRAUGHTS_MOST},
    {"brazilian", 8, false, true, false, true, false, DRAUGHTS_MAN, DRAUGHTS_MOST},
    {"russian", 8, false, true, false, true, false, DRAUGHTS_KING, DRAUGHTS_FREE},
    {"pool", 8, false, true, false, true, false, DRAUGHTS_MAN, DRAUGHTS_FREE},
    {"italian", 8, false, false, false, false, true, DRAUGHTS_STOPS, DRAUGHTS_ITALIAN},
    {"spanish", 8, false, false, false, true, false, DRAUGHTS_STOPS, DRAUGHTS_SPANISH},
    {"czech", 8, false, false, false, true, false, DRAUGHTS_STOPS, DRAUGHTS_CZECH},
    {"frisian", 10, false, true, true, true, false, DRAUGHTS_MAN, DRAUGHTS_FRISIAN},
};

static const char *const draughts_names[PLOY_BOARD_DRAUGHTS_RULES] = {
    "english", "international", "brazilian", "russian", "pool",
    "italian", "spanish",       "czech",     "frisian"};

static const ploy_field draughts_fields[] = {
    PLOY_FIELD_ENUM_FIXED(ploy_board_draughts_def, rules, 0, draughts_names, "rule set"),
    PLOY_FIELD_BOOL(ploy_board_draughts_def, routes, false,
                    "list captures by different routes separately"),
    PLOY_FIELD_I32_FIXED(ploy_board_draughts_def, quiet_plies, 80, 4, 1000, "plies",
                         "plies without progress after which the game is drawn"),
};

ploy_fields ploy_board_draughts_fields(void) {
    return PLOY_FIELDS(ploy_board_draughts_def, draughts_fields);
}

ploy_board_draughts_def ploy_board_draughts_def_default(void) {
    ploy_board_draughts_def def;
    ploy_fields_default(ploy_board_draughts_fields(), &def);
    return def;
}

const draughts_row *ployi_draughts_row(const void *rules) {
    return &draughts_rows[((const ploy_board_draughts_def *)rules)->rules];
}

static size_t draughts_bytes(const void *rules) {
    (void)rules;
    return sizeof(ploy_board_draughts_position);
}

// Players are numbered by turn, colours by their place: player of a colour, and the reverse.
static int32_t draughts_player(const void *rules, int32_t colour) {
    return ployi_draughts_row(rules)->black_first ? 1 - colour : colour;
}

static void draughts_refresh(const void *rules, ploy_board_draughts_position *p) {
    const ploy_board_draughts_def *def = rules;
    p->over = 0;
    if (!ployi_draughts_can_move(rules, p)) {
        p->over = 1;
    } else if (p->quiet >= def->quiet_plies) {
        p->over = 2;
    }
}

static void draughts_start(const void *rules, void *position) {
    ploy_board_draughts_position *p = position;
    memset(p, 0, sizeof *p);
    const draughts_row *row = ployi_draughts_row(rules);
    int32_t half = row->size / 2, men = half * (half - 1);
    p->pieces[1] = (UINT64_C(1) << men) - 1;
    p->pieces[0] = p->pieces[1] << (row->size * half - men);
    p->side = row->black_first ? 1 : 0;
}

static int32_t draughts_side(const void *rules, const void *position) {
    const ploy_board_draughts_position *p = position;
    return p->over != 0 ? PLOY_BOARD_OVER : draughts_player(rules, p->side);
}

static int32_t draughts_list(const void *rules, const void *position, ploy_board_move *out,
                             int32_t capacity) {
    const ploy_board_draughts_position *p = position;
    return p->over != 0 ? 0 : ployi_draughts_moves(rules, p, out, capacity);
}

// Frisian: counts the quiet moves of one king in a row.
static void draughts_count_king(ploy_board_draughts_position *p, ploy_board_move move, bool king) {
    int32_t side = p->side;
    bool quiet = king && (move & DRAUGHTS_CAPTURED) == 0;
    bool same = p->king_square[side] == draughts_from(move) + 1;
    p->king_moves[side] = (uint8_t)(quiet ? (same ? p->king_moves[side] + 1 : 1) : 0);
    p->king_square[side] = (uint8_t)(quiet ? draughts_to(move) + 1 : 0);
    // The counted king of the other side may have been captured.
    int32_t other = p->king_square[1 - side];
    if (other > 0 && (move >> (other - 1) & 1) != 0 && other <= 50) {
        p->king_square[1 - side] = p->king_moves[1 - side] = 0;
    }
}

static void draughts_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    ploy_board_draughts_position *p = position;
    if (undo != NULL) memcpy(undo, p, sizeof *p);
    uint64_t from = UINT64_C(1) << draughts_from(move), to = UINT64_C(1) << draughts_to(move);
    uint64_t captured = move & DRAUGHTS_CAPTURED;
    bool king = (p->kings & from) != 0;
    if (ployi_draughts_row(rules)->duty == DRAUGHTS_FRISIAN) draughts_count_king(p, move, king);
    p->pieces[p->side] = (p->pieces[p->side] & ~from) | to;
    p->pieces[1 - p->side] &= ~captured;
    p->kings &= ~(from | captured);
    if (king || (move & DRAUGHTS_CROWNED) != 0) p->kings |= to;
    p->quiet = (uint16_t)(captured != 0 || !king ? 0 : p->quiet + 1);
    p->side ^= 1;
    draughts_refresh(rules, p);
}

static void draughts_unmake(const void *rules, void *position, ploy_board_move move,
                            const void *undo) {
    (void)rules, (void)move;
    memcpy(position, undo, sizeof(ploy_board_draughts_position));
}

static int32_t draughts_result(const void *rules, const void *position, int32_t player) {
    const ploy_board_draughts_position *p = position;
    if (p->over != 1) return 0;
    return draughts_player(rules, p->side) == player ? -PLOY_BOARD_WIN : PLOY_BOARD_WIN;
}

static uint64_t draughts_hash(const void *rules, const void *position) {
    (void)rules;
    const ploy_board_draughts_position *p = position;
    uint64_t hash = ploy_hash_combine(p->pieces[0] * UINT64_C(0x9E3779B97F4A7C15), p->pieces[1]);
    hash = ploy_hash_combine(hash, p->kings);
    uint64_t rest = (uint64_t)p->side | (uint64_t)p->king_square[0] << 8 |
                    (uint64_t)p->king_square[1] << 16 | (uint64_t)p->king_moves[0] << 24 |
                    (uint64_t)p->king_moves[1] << 32;
    return ploy_hash_combine(hash, rest);
}

static int32_t draughts_reversible(const void *rules, const void *position) {
    (void)rules;
    return ((const ploy_board_draughts_position *)position)->quiet;
}

static bool draughts_is_noisy(const void *rules, const void *position, ploy_board_move move) {
    (void)rules, (void)position;
    return (move & (DRAUGHTS_CAPTURED | DRAUGHTS_CROWNED)) != 0;
}

static int32_t draughts_noisy(const void *rules, const void *position, ploy_board_move *out,
                              int32_t capacity) {
    int32_t count = draughts_list(rules, position, out, capacity), kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (draughts_is_noisy(rules, position, out[i])) out[kept++] = out[i];
    }
    return kept;
}

// ---- evaluation

enum { DRAUGHTS_PARTS = 4 };
static const char *const draughts_part_names[DRAUGHTS_PARTS] = {"men", "kings", "advance",
                                                                "back row"};

static void draughts_parts(const void *rules, const ploy_board_draughts_position *p, int32_t colour,
                           int32_t out[DRAUGHTS_PARTS]) {
    const draughts_row *row = ployi_draughts_row(rules);
    int32_t half = row->size / 2;
    uint64_t men = p->pieces[colour] & ~p->kings;
    uint64_t top = (UINT64_C(1) << half) - 1;
    uint64_t home = colour == 1 ? top : top << (half * (row->size - 1));
    out[0] = 100 * ployi_popcount(men);
    out[1] = (row->long_king ? 280 : 150) * ployi_popcount(p->pieces[colour] & p->kings);
    out[2] = 0;
    for (uint64_t left = men; left != 0; left &= left - 1) {
        int32_t y = ployi_lowest_bit(left) / half;
        out[2] += 2 * (colour == 1 ? y : row->size - 1 - y);
    }
    out[3] = 8 * ployi_popcount(men & home);
}

static void draughts_score_parts(const void *rules, const void *position, int32_t player,
                                 ploy_board_part_fn fn, void *user) {
    int32_t own[DRAUGHTS_PARTS], other[DRAUGHTS_PARTS];
    int32_t colour = draughts_player(rules, player); // the mapping is its own inverse
    draughts_parts(rules, position, colour, own);
    draughts_parts(rules, position, 1 - colour, other);
    for (int32_t i = 0; i < DRAUGHTS_PARTS; i++)
        fn(user, draughts_part_names[i], own[i] - other[i]);
}

static int32_t draughts_evaluate(const void *rules, const void *position, int32_t player) {
    int32_t own[DRAUGHTS_PARTS], other[DRAUGHTS_PARTS], sum = 0;
    int32_t colour = draughts_player(rules, player);
    draughts_parts(rules, position, colour, own);
    draughts_parts(rules, position, 1 - colour, other);
    for (int32_t i = 0; i < DRAUGHTS_PARTS; i++) sum += own[i] - other[i];
    return sum;
}

// ---- text

static char *draughts_print(char *out, int32_t square) {
    return out + ploy_print_i64(square + 1, out);
}

static void draughts_move_text(const void *rules, const void *position, ploy_board_move move,
                               char out[PLOY_BOARD_MOVE_TEXT]) {
    ploy_board_move moves[DRAUGHTS_MOVES];
    uint8_t route[32];
    bool capture = (move & DRAUGHTS_CAPTURED) != 0, ambiguous = false;
    if (capture) {
        int32_t count = ployi_draughts_moves(rules, position, moves, DRAUGHTS_MOVES);
        for (int32_t i = 0; i < count; i++) {
            if (moves[i] != move && moves[i] >> 50 << 2 == move >> 50 << 2) ambiguous = true;
            // the two highest bits are marks
        }
    }
    out = draughts_print(out, draughts_from(move));
    int32_t length = ambiguous ? ployi_draughts_route(rules, position, move, route) : 0;
    for (int32_t i = 1; i < length - 1 && i < 18; i++) {
        *out++ = 'x';
        out = draughts_print(out, route[i]);
    }
    *out++ = capture ? 'x' : '-';
    draughts_print(out, draughts_to(move));
}

// Squares of "22x15x8" or "11-15", counted from 0. @return their number; 0: not such a text.
static int32_t draughts_squares(const char *text, int32_t squares[32]) {
    int32_t count = 0;
    for (;;) {
        size_t digits = strspn(text, "0123456789");
        int64_t square = 0;
        if (digits == 0 || digits > 2 || count == 32 ||
            ploy_parse_i64(text, digits, NULL, &square) != PLOY_OK)
            return 0;
        squares[count++] = (int32_t)square - 1;
        text += digits;
        if (*text == 0) return count;
        if (*text != 'x' && *text != '-' && *text != ':') return 0;
        text++;
    }
}

// Landing squares may be left out where one capture has these ends, and listed where they are not needed.
static ploy_result draughts_move_parse(const void *rules, const void *position, const char *text,
                                       const char *name, ploy_board_move *out, ploy_diags *diags) {
    int32_t squares[32], count = draughts_squares(text, squares), found = 0;
    ploy_board_move moves[DRAUGHTS_MOVES], only = PLOY_BOARD_NO_MOVE;
    int32_t all = count >= 2 ? ployi_draughts_moves(rules, position, moves, DRAUGHTS_MOVES) : 0;
    for (int32_t i = 0; i < all; i++) {
        if (draughts_from(moves[i]) != squares[0] || draughts_to(moves[i]) != squares[count - 1])
            continue;
        if ((strchr(text, '-') != NULL) != ((moves[i] & DRAUGHTS_CAPTURED) == 0)) continue;
        uint8_t route[32];
        int32_t length = count > 2 ? ployi_draughts_route(rules, position, moves[i], route) : 0;
        int32_t at = 1; // the listed squares must come up on the route in their order
        for (int32_t k = 1; k < length - 1 && at < count - 1; k++) at += route[k] == squares[at];
        if (at < count - 1) continue;
        found++;
        only = moves[i];
    }
    if (found == 1) {
        *out = only;
        return PLOY_OK;
    }
    return ploy_board_move_by_text(ploy_board_of(ploy_board_draughts(), rules), position, text,
                                   name, out, diags);
}

static void draughts_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    (void)rules;
    const ploy_board_draughts_position *p = position;
    *out++ = p->side == 0 ? 'W' : 'B';
    for (int32_t colour = 0; colour < 2; colour++) {
        *out++ = ':';
        *out++ = colour == 0 ? 'W' : 'B';
        bool first = true;
        for (uint64_t left = p->pieces[colour]; left != 0; left &= left - 1) {
            if (!first) *out++ = ',';
            first = false;
            int32_t square = ployi_lowest_bit(left);
            if ((p->kings >> square & 1) != 0) *out++ = 'K';
            out = draughts_print(out, square);
        }
    }
    *out++ = ':';
    *out++ = 'H'; // what PDN does not have: quiet plies, and Frisian kings under their limit
    out += ploy_print_i64(p->quiet, out);
    for (int32_t colour = 0; colour < 2; colour++) {
        if (p->king_square[colour] == 0) continue;
        *out++ = ':';
        *out++ = 'F';
        out = draughts_print(out, p->king_square[colour] - 1);
        *out++ = '+';
        out += ploy_print_i64(p->king_moves[colour], out);
    }
    *out = 0;
}

typedef struct draughts_reader {
    const char *text, *name;
    int32_t at;
    ploy_diags *diags;
} draughts_reader;

static ploy_result draughts_fault(const draughts_reader *r, const char *message,
                                  const char *expected) {
    return ployi_board_fault(r->diags, r->name, r->at + 1, message, expected);
}

static bool draughts_number(draughts_reader *r, int64_t *out) {
    size_t used = 0;
    if (r->text[r->at] < '0' || r->text[r->at] > '9') return false;
    if (ploy_parse_i64(r->text + r->at, strlen(r->text + r->at), &used, out) != PLOY_OK) {
        return false;
    }
    r->at += (int32_t)used;
    return true;
}

static ploy_result draughts_read_pieces(draughts_reader *r, const draughts_row *row, int32_t colour,
                                        ploy_board_draughts_position *p) {
    int64_t squares = row->size * row->size / 2;
    while (r->text[r->at] != ':' && r->text[r->at] != 0 && r->text[r->at] != '.') {
        bool king = r->text[r->at] == 'K';
        if (king) r->at++;
        int64_t first = 0;
        if (!draughts_number(r, &first) || first < 1 || first > squares) {
            return draughts_fault(r, "invalid square", "a square number");
        }
        int64_t last = first;
        if (r->text[r->at] == '-') {
            r->at++;
            if (!draughts_number(r, &last) || last < first || last > squares) {
                return draughts_fault(r, "invalid range of squares", "a larger square number");
            }
        }
        for (int64_t i = first; i <= last; i++) {
            uint64_t bit = UINT64_C(1) << (i - 1);
            if (((p->pieces[0] | p->pieces[1]) & bit) != 0) {
                return draughts_fault(r, "duplicate piece on a square", NULL);
            }
            p->pieces[colour] |= bit;
            if (king) p->kings |= bit;
        }
        if (r->text[r->at] == ',') r->at++;
    }
    return PLOY_OK;
}

static ploy_result draughts_read_counts(draughts_reader *r, ploy_board_draughts_position *p) {
    int64_t number = 0, moves = 0;
    char letter = r->text[r->at++];
    if (!draughts_number(r, &number)) return draughts_fault(r, "invalid number", "a number");
    if (letter == 'H') {
        if (number > 65535) return draughts_fault(r, "too many quiet plies", "at most 65535");
        p->quiet = (uint16_t)number;
        return PLOY_OK;
    }
    if (number < 1 || number > 50 || r->text[r->at] != '+') {
        return draughts_fault(r, "invalid king and its moves", "SQUARE+MOVES");
    }
    r->at++;
    if (!draughts_number(r, &moves) || moves > 200) {
        return draughts_fault(r, "invalid number of moves", "a number");
    }
    uint64_t bit = UINT64_C(1) << (number - 1);
    int32_t colour = (p->pieces[0] & bit) != 0 ? 0 : 1;
    if ((p->pieces[colour] & p->kings & bit) == 0) {
        return draughts_fault(r, "missing king on the square", NULL);
    }
    p->king_square[colour] = (uint8_t)number;
    p->king_moves[colour] = (uint8_t)moves;
    return PLOY_OK;
}

static ploy_result draughts_parse(const void *rules, const char *text, const char *name,
                                  void *position, ploy_diags *diags) {
    const draughts_row *row = ployi_draughts_row(rules);
    ploy_board_draughts_position p;
    memset(&p, 0, sizeof p);
    draughts_reader r = {text, name, 0, diags};
    if (text[0] != 'W' && text[0] != 'B') {
        return draughts_fault(&r, "the side to move is missing", "W or B");
    }
    p.side = text[0] == 'W' ? 0 : 1;
    r.at = 1;
    while (text[r.at] == ':') {
        r.at++;
        ploy_result result = PLOY_OK;
        if (text[r.at] == 'W' || text[r.at] == 'B') {
            int32_t colour = text[r.at] == 'W' ? 0 : 1;
            r.at++;
            result = draughts_read_pieces(&r, row, colour, &p);
        } else if (text[r.at] == 'H' || text[r.at] == 'F') {
            result = draughts_read_counts(&r, &p);
        } else {
            result = draughts_fault(&r, "unknown part", "W or B and its pieces");
        }
        if (result != PLOY_OK) return result;
    }
    if (text[r.at] == '.') r.at++;
    if (text[r.at] != 0)
        return draughts_fault(&r, "unexpected text behind the position", "the end");
    if ((p.pieces[0] | p.pieces[1]) == 0) return draughts_fault(&r, "missing pieces", "W or B");
    draughts_refresh(rules, &p);
    memcpy(position, &p, sizeof p);
    return PLOY_OK;
}

// ---- encoding, picture

static void draughts_encode_shape(const void *rules, int32_t shape[3]) {
    shape[0] = 4;
    shape[1] = ployi_draughts_row(rules)->size;
    shape[2] = shape[1] / 2;
}

// Planes: own men and kings, the opponent's; black's view is turned so that both sides move up.
static void draughts_encode(const void *rules, const void *position, float *out) {
    const ploy_board_draughts_position *p = position;
    int32_t squares = ployi_draughts_row(rules)->size * ployi_draughts_row(rules)->size / 2;
    for (int32_t i = 0; i < 4 * squares; i++) {
        int32_t square = p->side == 0 ? i % squares : squares - 1 - i % squares;
        int32_t plane = i / squares;
        uint64_t set = p->pieces[plane < 2 ? p->side : 1 - p->side];
        set &= plane % 2 == 0 ? ~p->kings : p->kings;
        out[i] = (set >> square & 1) != 0 ? 1.0f : 0.0f;
    }
}

static ploy_vec2 draughts_centre(const draughts_row *row, int32_t square) {
    int32_t half = row->size / 2, y = square / half;
    return ployi_board_grid_centre(row->size, 2 * (square % half) + (y % 2 == 0 ? 1 : 0), y);
}

static ploy_box2 draughts_area(const void *rules) {
    const draughts_row *row = ployi_draughts_row(rules);
    return ployi_board_grid_area(row->size, row->size);
}

static void draughts_draw(const void *rules, const void *position, ploy_draw *out) {
    const draughts_row *row = ployi_draughts_row(rules);
    const ploy_board_draughts_position *p = position;
    ployi_board_grid_draw(out, row->size, row->size);
    for (int32_t colour = 0; colour < 2; colour++) {
        for (uint64_t left = p->pieces[colour]; left != 0; left &= left - 1) {
            int32_t square = ployi_lowest_bit(left);
            ploy_vec2 centre = draughts_centre(row, square);
            ployi_board_draw_disc(out, centre, 0.4f, colour);
            if ((p->kings >> square & 1) != 0) ployi_board_draw_disc(out, centre, 0.2f, colour);
        }
    }
}

static bool draughts_place(const void *rules, const void *position, ploy_board_move move,
                           ploy_vec2 *from, ploy_vec2 *to) {
    (void)position;
    const draughts_row *row = ployi_draughts_row(rules);
    *from = draughts_centre(row, draughts_from(move));
    *to = draughts_centre(row, draughts_to(move));
    return true;
}

const ploy_board_type *ploy_board_draughts(void) {
    static const ploy_board_type type = {
        .name = "draughts",
        .title = "Draughts",
        .help = "checkers and its relatives: English, international, Russian, ...",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM,
        .unit = 100,
        .max_moves = DRAUGHTS_MOVES,
        .fields = ploy_board_draughts_fields,
        .position_bytes = draughts_bytes,
        .undo_bytes = draughts_bytes,
        .start = draughts_start,
        .side = draughts_side,
        .moves = draughts_list,
        .make = draughts_make,
        .unmake = draughts_unmake,
        .result = draughts_result,
        .hash = draughts_hash,
        .evaluate = draughts_evaluate,
        .noisy = draughts_noisy,
        .is_noisy = draughts_is_noisy,
        .reversible = draughts_reversible,
        .move_text = draughts_move_text,
        .move_parse = draughts_move_parse,
        .text = draughts_text,
        .parse = draughts_parse,
        .encode_shape = draughts_encode_shape,
        .encode = draughts_encode,
        .score_parts = draughts_score_parts,
        .area = draughts_area,
        .draw = draughts_draw,
        .place = draughts_place,
    };
    return &type;
}
