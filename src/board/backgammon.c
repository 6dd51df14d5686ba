// Backgammon. Every position is handled from the mover's view: its points run from 24 (far) to 1, 25 is the bar, 0 off.
//
// A move packs up to four steps, each from (5 bits) and die (3 bits), the first in the low byte; bit 62 marks a turn,
// bit 63 a roll (player + 1 if it decides who starts, in bits 8 and up, dice in the low two nibbles).
#include "ploy/board/backgammon.h"

#include <string.h>

#include "board_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/number.h"

enum { GAMMON_BAR = 25, GAMMON_CHECKERS = 15, GAMMON_NOBODY = 2, GAMMON_MOVES = 3072 };
#define GAMMON_TURN (UINT64_C(1) << 62)
#define GAMMON_ROLL (UINT64_C(1) << 63)

typedef struct gammon_position {
    int8_t checkers[2][26]; // [player][0 off, 1 to 24 points from the player's view, 25 bar]
    uint8_t dice[2];        // 0: not thrown
    uint8_t side;           // GAMMON_NOBODY before the first roll
    uint8_t unused;
    uint16_t turns;
    uint16_t unused_too;
} gammon_position;

static const ploy_field backgammon_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_board_backgammon_def, limit, 1000, 10, 60000, "turns",
                         "turns after which the game is drawn"),
};

ploy_fields ploy_board_backgammon_fields(void) {
    return PLOY_FIELDS(ploy_board_backgammon_def, backgammon_fields);
}

ploy_board_backgammon_def ploy_board_backgammon_def_default(void) {
    ploy_board_backgammon_def def;
    ploy_fields_default(ploy_board_backgammon_fields(), &def);
    return def;
}

static size_t gammon_bytes(const void *rules) {
    (void)rules;
    return sizeof(gammon_position);
}

static void gammon_start(const void *rules, void *position) {
    (void)rules;
    gammon_position *p = position;
    memset(p, 0, sizeof *p);
    for (int32_t player = 0; player < 2; player++) {
        p->checkers[player][24] = 2;
        p->checkers[player][13] = 5;
        p->checkers[player][8] = 3;
        p->checkers[player][6] = 5;
    }
    p->side = GAMMON_NOBODY;
}

static int32_t gammon_side(const void *rules, const void *position) {
    const ploy_board_backgammon_def *def = rules;
    const gammon_position *p = position;
    if (p->checkers[0][0] == GAMMON_CHECKERS || p->checkers[1][0] == GAMMON_CHECKERS ||
        p->turns >= def->limit) {
        return PLOY_BOARD_OVER;
    }
    return p->dice[0] == 0 ? PLOY_BOARD_CHANCE : p->side;
}

// ---- turns

// Where a step ends. @return -1 if it is not allowed.
static int32_t gammon_target(const gammon_position *p, int32_t player, int32_t from, int32_t die) {
    const int8_t *own = p->checkers[player];
    if (own[from] == 0 || (own[GAMMON_BAR] > 0 && from != GAMMON_BAR)) return -1;
    int32_t to = from - die;
    if (to > 0) return p->checkers[1 - player][25 - to] > 1 ? -1 : to;
    // Bearing off: all checkers at home, and a larger die only for the last one.
    for (int32_t i = 7; i <= GAMMON_BAR; i++) {
        if (own[i] > 0) return -1;
    }
    for (int32_t i = from + 1; to < 0 && i <= 6; i++) {
        if (own[i] > 0) return -1;
    }
    return 0;
}

static void gammon_move_checker(gammon_position *p, int32_t player, int32_t from, int32_t to) {
    p->checkers[player][from]--;
    p->checkers[player][to]++;
    if (to > 0 && p->checkers[1 - player][25 - to] == 1) { // a blot is hit
        p->checkers[1 - player][25 - to] = 0;
        p->checkers[1 - player][GAMMON_BAR]++;
    }
}

typedef struct gammon_list {
    ploy_board_move *out;
    int32_t count, capacity;
    int32_t used;                  // dice of the turns in the list
    uint64_t hashes[GAMMON_MOVES]; // of their last positions
} gammon_list;

static void gammon_add(gammon_list *list, const gammon_position *p, ploy_board_move move,
                       int32_t used) {
    if (used < list->used) return;
    if (used > list->used) list->count = 0;
    list->used = used;
    uint64_t hash = ploy_hash_bytes(p->checkers, sizeof p->checkers, 0);
    for (int32_t i = 0; i < list->count; i++) {
        if (list->hashes[i] == hash) return;
    }
    if (list->count >= list->capacity || list->count >= GAMMON_MOVES) return;
    list->hashes[list->count] = hash;
    list->out[list->count++] = move;
}

// Adds every continuation of a turn that has used some of its dice.
static void gammon_expand(gammon_list *list, const gammon_position *p, const uint8_t *dice,
                          int32_t count, int32_t used, ploy_board_move move, int32_t highest) {
    bool more = false;
    if (used < count) {
        for (int32_t from = highest; from >= 1; from--) {
            int32_t to = gammon_target(p, p->side, from, dice[used]);
            if (to < 0) continue;
            more = true;
            gammon_position next = *p;
            gammon_move_checker(&next, p->side, from, to);
            ploy_board_move step = (ploy_board_move)(from | dice[used] << 5) << (8 * used);
            // With equal dice, the order of two checkers does not matter.
            gammon_expand(list, &next, dice, count, used + 1, move | step,
                          count == 4 ? from : GAMMON_BAR);
        }
    }
    if (!more) gammon_add(list, p, move, used);
}

static int32_t gammon_turns(const gammon_position *p, ploy_board_move *out, int32_t capacity) {
    gammon_list list;
    list.out = out;
    list.capacity = capacity;
    list.count = list.used = 0;
    if (p->dice[0] == p->dice[1]) {
        const uint8_t dice[4] = {p->dice[0], p->dice[0], p->dice[0], p->dice[0]};
        gammon_expand(&list, p, dice, 4, 0, GAMMON_TURN, GAMMON_BAR);
        return list.count;
    }
    const uint8_t larger[2] = {p->dice[0], p->dice[1]}; // the larger one is stored first
    const uint8_t smaller[2] = {p->dice[1], p->dice[0]};
    gammon_expand(&list, p, larger, 2, 0, GAMMON_TURN, GAMMON_BAR);
    int32_t alone = list.used;
    // If only one die can be used, it must be the larger one if that is possible.
    if (alone == 1) {
        gammon_list both = {.out = out, .count = 0, .capacity = capacity, .used = 2};
        gammon_expand(&both, p, smaller, 2, 0, GAMMON_TURN, GAMMON_BAR);
        if (both.count > 0) return both.count;
        list.count = list.used = 0;
        gammon_expand(&list, p, larger, 2, 0, GAMMON_TURN, GAMMON_BAR);
        return list.count;
    }
    gammon_expand(&list, p, smaller, 2, 0, GAMMON_TURN, GAMMON_BAR);
    return list.count;
}

static int32_t gammon_moves(const void *rules, const void *position, ploy_board_move *out,
                            int32_t capacity) {
    const gammon_position *p = position;
    int32_t side = gammon_side(rules, p), count = 0;
    if (side == PLOY_BOARD_OVER) return 0;
    if (side != PLOY_BOARD_CHANCE) return gammon_turns(p, out, capacity);
    bool first = p->side == GAMMON_NOBODY;
    for (uint64_t who = first ? 1 : 0; who <= (first ? 2 : 0); who++) {
        for (uint64_t a = 1; a <= 6; a++) {
            for (uint64_t b = 1; b <= (first ? a - 1 : a) && count < capacity; b++) {
                out[count++] = GAMMON_ROLL | who << 8 | a | b << 4;
            }
        }
    }
    return count;
}

static int32_t gammon_odds(const void *rules, const void *position, ploy_board_move move) {
    (void)rules, (void)position;
    return (move & 15) == (move >> 4 & 15) ? 1 : 2;
}

static void gammon_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    (void)rules;
    gammon_position *p = position;
    if (undo != NULL) memcpy(undo, p, sizeof *p);
    if ((move & GAMMON_ROLL) != 0) {
        if ((move >> 8 & 3) != 0) p->side = (uint8_t)((move >> 8 & 3) - 1);
        p->dice[0] = (uint8_t)(move & 15);
        p->dice[1] = (uint8_t)(move >> 4 & 15);
        return;
    }
    for (int32_t i = 0; i < 4; i++) {
        int32_t from = (int32_t)(move >> (8 * i) & 31), die = (int32_t)(move >> (8 * i + 5) & 7);
        if (die == 0) break;
        gammon_move_checker(p, p->side, from, from > die ? from - die : 0);
    }
    p->dice[0] = p->dice[1] = 0;
    p->side ^= 1;
    p->turns++;
}

static void gammon_unmake(const void *rules, void *position, ploy_board_move move,
                          const void *undo) {
    (void)rules, (void)move;
    memcpy(position, undo, sizeof(gammon_position));
}

static int32_t gammon_result(const void *rules, const void *position, int32_t player) {
    (void)rules;
    const gammon_position *p = position;
    for (int32_t i = 0; i < 2; i++) {
        if (p->checkers[i][0] == GAMMON_CHECKERS) {
            return i == player ? PLOY_BOARD_WIN : -PLOY_BOARD_WIN;
        }
    }
    return 0;
}

static uint64_t gammon_hash(const void *rules, const void *position) {
    (void)rules;
    const gammon_position *p = position;
    uint64_t rest = (uint64_t)p->side << 8 | (uint64_t)p->dice[0] << 4 | p->dice[1];
    return ploy_hash_combine(ploy_hash_bytes(p->checkers, sizeof p->checkers, 0), rest);
}

// ---- evaluation

enum { GAMMON_PARTS = 5 };
static const char *const gammon_part_names[GAMMON_PARTS] = {
    "pips", "checkers borne off", "checkers on the bar", "made points", "blots in reach"};

// Whether a checker of the opponent is within 11 points behind (in its direction) or on the bar.
static int32_t gammon_danger(const gammon_position *p, int32_t player, int32_t point) {
    const int8_t *other = p->checkers[1 - player];
    int32_t theirs = 25 - point,
            danger = 0; // the point in the opponent's view: it comes from above
    for (int32_t i = 1; i <= 11 && theirs + i <= GAMMON_BAR; i++) {
        if (other[theirs + i] > 0) danger += i <= 6 ? 11 + i : 3;
    }
    return danger > 30 ? 30 : danger;
}

static void gammon_parts(const gammon_position *p, int32_t player, int32_t out[GAMMON_PARTS]) {
    const int8_t *own = p->checkers[player];
    memset(out, 0, sizeof(int32_t) * GAMMON_PARTS);
    for (int32_t i = 1; i <= GAMMON_BAR; i++) out[0] -= 10 * i * own[i];
    out[1] = 30 * own[0];
    out[2] = -120 * own[GAMMON_BAR];
    for (int32_t i = 1; i <= 24; i++) {
        if (own[i] >= 2) out[3] += i <= 6 ? 60 : i <= 9 ? 30 : i >= 19 ? 25 : 12;
        // A blot loses what it has run so far, times the chance of being hit.
        if (own[i] == 1) out[4] -= (25 - i + 6) * gammon_danger(p, player, i) / 4;
    }
}

static void gammon_score_parts(const void *rules, const void *position, int32_t player,
                               ploy_board_part_fn fn, void *user) {
    (void)rules;
    int32_t own[GAMMON_PARTS], other[GAMMON_PARTS];
    gammon_parts(position, player, own);
    gammon_parts(position, 1 - player, other);
    for (int32_t i = 0; i < GAMMON_PARTS; i++) fn(user, gammon_part_names[i], own[i] - other[i]);
}

static int32_t gammon_evaluate(const void *rules, const void *position, int32_t player) {
    (void)rules;
    int32_t own[GAMMON_PARTS], other[GAMMON_PARTS], sum = 0;
    gammon_parts(position, player, own);
    gammon_parts(position, 1 - player, other);
    for (int32_t i = 0; i < GAMMON_PARTS; i++) sum += own[i] - other[i];
    return sum;
}

// ---- text

static char *gammon_print(char *out, int64_t number) {
    return out + ploy_print_i64(number, out);
}

static void gammon_move_text(const void *rules, const void *position, ploy_board_move move,
                             char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)rules, (void)position;
    if ((move & GAMMON_ROLL) != 0) {
        if ((move >> 8 & 3) != 0) {
            *out++ = (char)('0' + (move >> 8 & 3) - 1);
            *out++ = ':';
        }
        *out++ = (char)('0' + (move & 15));
        *out++ = (char)('0' + (move >> 4 & 15));
        *out = 0;
        return;
    }
    if ((move & 0xFF) == 0) {
        strcpy(out, "pass");
        return;
    }
    for (int32_t i = 0; i < 4; i++) {
        int32_t from = (int32_t)(move >> (8 * i) & 31), die = (int32_t)(move >> (8 * i + 5) & 7);
        if (die == 0) break;
        if (i > 0) *out++ = '+';
        if (from == GAMMON_BAR) {
            memcpy(out, "bar", 3);
            out += 3;
        } else {
            out = gammon_print(out, from);
        }
        *out++ = '/';
        if (from > die) {
            out = gammon_print(out, from - die);
        } else {
            memcpy(out, "off", 3);
            out += 3;
        }
    }
    *out = 0;
}

static ploy_result gammon_move_parse(const void *rules, const void *position, const char *text,
                                     const char *name, ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(ploy_board_backgammon(), rules), position, text,
                                   name, out, diags);
}

static void gammon_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    (void)rules;
    const gammon_position *p = position;
    for (int32_t i = 1; i <= 24; i++) {
        if (i > 1) *out++ = ',';
        out = gammon_print(out, p->checkers[0][i] - p->checkers[1][25 - i]);
    }
    for (int32_t part = 0; part < 2; part++) {
        memcpy(out, part == 0 ? "; bar " : "; off ", 6);
        out = gammon_print(out + 6, p->checkers[0][part == 0 ? GAMMON_BAR : 0]);
        *out++ = ' ';
        out = gammon_print(out, p->checkers[1][part == 0 ? GAMMON_BAR : 0]);
    }
    *out++ = ';';
    *out++ = ' ';
    *out++ = "01-"[p->side];
    if (p->dice[0] != 0) {
        *out++ = ' ';
        *out++ = (char)('0' + p->dice[0]);
        *out++ = (char)('0' + p->dice[1]);
    }
    *out = 0;
}

typedef struct gammon_reader {
    const char *text, *name;
    int32_t at;
    ploy_diags *diags;
} gammon_reader;

static bool gammon_number(gammon_reader *r, int32_t *out) {
    int64_t number = 0;
    size_t used = 0;
    const char *text = r->text + r->at;
    if (ploy_parse_i64(text, strlen(text), &used, &number) != PLOY_OK || number < -15 ||
        number > 15) {
        return false;
    }
    r->at += (int32_t)used;
    *out = (int32_t)number;
    return true;
}

static bool gammon_word(gammon_reader *r, const char *word) {
    size_t length = strlen(word);
    if (strncmp(r->text + r->at, word, length) != 0) return false;
    r->at += (int32_t)length;
    return true;
}

static ploy_result gammon_fault(const gammon_reader *r, const char *message, const char *expected) {
    return ployi_board_fault(r->diags, r->name, r->at + 1, message, expected);
}

static ploy_result gammon_read_checkers(gammon_reader *r, gammon_position *p) {
    int32_t number = 0;
    for (int32_t i = 1; i <= 24; i++) {
        if ((i > 1 && !gammon_word(r, ",")) || !gammon_number(r, &number)) {
            return gammon_fault(r, "invalid number of checkers", "24 numbers with commas");
        }
        p->checkers[0][i] = (int8_t)(number > 0 ? number : 0);
        p->checkers[1][25 - i] = (int8_t)(number < 0 ? -number : 0);
    }
    for (int32_t part = 0; part < 2; part++) {
        if (!gammon_word(r, part == 0 ? "; bar " : "; off ")) {
            return gammon_fault(r, "bar or off is missing", "'; bar A B; off A B; SIDE'");
        }
        for (int32_t player = 0; player < 2; player++) {
            if ((player == 1 && !gammon_word(r, " ")) || !gammon_number(r, &number) || number < 0) {
                return gammon_fault(r, "invalid number of checkers", "two numbers");
            }
            p->checkers[player][part == 0 ? GAMMON_BAR : 0] = (int8_t)number;
        }
    }
    for (int32_t player = 0; player < 2; player++) {
        int32_t sum = 0;
        for (int32_t i = 0; i <= GAMMON_BAR; i++) sum += p->checkers[player][i];
        if (sum != GAMMON_CHECKERS) {
            return gammon_fault(r, "a player does not have 15 checkers", NULL);
        }
    }
    return PLOY_OK;
}

static ploy_result gammon_parse(const void *rules, const char *text, const char *name,
                                void *position, ploy_diags *diags) {
    (void)rules;
    gammon_position p;
    memset(&p, 0, sizeof p);
    gammon_reader r = {text, name, 0, diags};
    ploy_result result = gammon_read_checkers(&r, &p);
    if (result != PLOY_OK) return result;
    if (!gammon_word(&r, "; ") || (text[r.at] != '0' && text[r.at] != '1' && text[r.at] != '-')) {
        return gammon_fault(&r, "the side to move is missing", "0, 1 or -");
    }
    p.side = (uint8_t)(text[r.at] == '-' ? GAMMON_NOBODY : text[r.at] - '0');
    r.at++;
    if (text[r.at] == ' ' && p.side != GAMMON_NOBODY) {
        char a = text[r.at + 1], b = a == 0 ? (char)0 : text[r.at + 2];
        if (a < '1' || a > '6' || b < '1' || b > '6') {
            return gammon_fault(&r, "invalid roll", "two digits from 1 to 6");
        }
        p.dice[0] = (uint8_t)((a > b ? a : b) - '0');
        p.dice[1] = (uint8_t)((a > b ? b : a) - '0');
        r.at += 3;
    }
    if (text[r.at] != 0) return gammon_fault(&r, "unexpected text behind the position", "the end");
    memcpy(position, &p, sizeof p);
    return PLOY_OK;
}

// ---- encoding, picture

static void gammon_encode_shape(const void *rules, int32_t shape[3]) {
    (void)rules;
    shape[0] = 1;
    shape[1] = 2;
    shape[2] = 24 * 4 + 2;
}

// Tesauro's encoding, the side to move first: four units for a point (1, 2, 3 checkers, half of those above 3), bar / 2,
// off / 15.
static void gammon_encode(const void *rules, const void *position, float *out) {
    (void)rules;
    const gammon_position *p = position;
    for (int32_t k = 0; k < 2; k++) {
        const int8_t *own = p->checkers[p->side == GAMMON_NOBODY ? k : (p->side + k) % 2];
        for (int32_t i = 1; i <= 24; i++) {
            *out++ = own[i] >= 1 ? 1.0f : 0.0f;
            *out++ = own[i] >= 2 ? 1.0f : 0.0f;
            *out++ = own[i] >= 3 ? 1.0f : 0.0f;
            *out++ = own[i] > 3 ? (float)(own[i] - 3) / 2.0f : 0.0f;
        }
        *out++ = (float)own[GAMMON_BAR] / 2.0f;
        *out++ = (float)own[0] / 15.0f;
    }
}

static ploy_box2 gammon_area(const void *rules) {
    (void)rules;
    return ployi_board_grid_area(14, 12);
}

// Player 0's point in the picture: 1 to 12 along the bottom from the right, 13 to 24 along the top.
static ploy_vec2 gammon_point(int32_t point, int32_t stack) {
    float y = 0.5f + (float)(stack < 5 ? stack : 4 + (stack - 4) % 2);
    if (point == GAMMON_BAR) return (ploy_vec2){6.5f, 6.5f + 0.5f * (float)stack};
    if (point <= 0) return (ploy_vec2){13.5f, 0.5f + 0.3f * (float)stack};
    float column = (float)(point <= 12 ? 12 - point : point - 13);
    return (ploy_vec2){column + 0.5f + (column >= 6.0f ? 1.0f : 0.0f), point <= 12 ? y : 12.0f - y};
}

static void gammon_draw(const void *rules, const void *position, ploy_draw *out) {
    (void)rules;
    const gammon_position *p = position;
    ploy_agent_id none = {{0, 0}};
    for (int32_t i = 1; i <= 24; i++) {
        ploy_vec2 foot = gammon_point(i, 0), top = gammon_point(i, 4);
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, foot, top);
    }
    for (int32_t player = 0; player < 2; player++) {
        for (int32_t i = 0; i <= GAMMON_BAR; i++) {
            for (int32_t k = 0; k < p->checkers[player][i]; k++) {
                int32_t point = player == 0 || i == GAMMON_BAR || i == 0 ? i : 25 - i;
                ploy_vec2 at = gammon_point(point, k);
                if (player == 1 && (i == GAMMON_BAR || i == 0)) at.y = 12.0f - at.y;
                ployi_board_draw_disc(out, at, 0.42f, player);
            }
        }
    }
}

const ploy_board_type *ploy_board_backgammon(void) {
    static const ploy_board_type type = {
        .name = "backgammon",
        .title = "Backgammon",
        .help = "race 15 checkers home by the dice",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM | PLOY_BOARD_RANDOM,
        .unit = 100,
        .max_moves = GAMMON_MOVES,
        .fields = ploy_board_backgammon_fields,
        .position_bytes = gammon_bytes,
        .undo_bytes = gammon_bytes,
        .start = gammon_start,
        .side = gammon_side,
        .moves = gammon_moves,
        .make = gammon_make,
        .unmake = gammon_unmake,
        .result = gammon_result,
        .hash = gammon_hash,
        .evaluate = gammon_evaluate,
        .odds = gammon_odds,
        .move_text = gammon_move_text,
        .move_parse = gammon_move_parse,
        .text = gammon_text,
        .parse = gammon_parse,
        .encode_shape = gammon_encode_shape,
        .encode = gammon_encode,
        .score_parts = gammon_score_parts,
        .area = gammon_area,
        .draw = gammon_draw,
    };
    return &type;
}
