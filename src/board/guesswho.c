// Guess Who?: numbers of persons, and which of them is the one.
#include "ploy/board/guesswho.h"

#include <string.h>

enum { GUESSWHO_PERSONS = 40 };

static const ploy_field guesswho_fields[] = {
    PLOY_FIELD_I32(ploy_board_guesswho_def, persons, 24, 2, GUESSWHO_PERSONS, "",
                   "persons of each player"),
};

#define GUESSWHO_GAME UINT64_C(0x67756573732077)

typedef struct guesswho_position {
    int16_t left[2];   // persons that each player has still to tell apart
    int16_t target[2]; // the one to find, from 0; -1: not drawn
    int16_t side;
    int16_t unused[3];
} guesswho_position;

ploy_fields ploy_board_guesswho_fields(void) {
    return PLOY_FIELDS(ploy_board_guesswho_def, guesswho_fields);
}

ploy_board_guesswho_def ploy_board_guesswho_def_default(void) {
    ploy_board_guesswho_def def;
    ploy_fields_default(ploy_board_guesswho_fields(), &def);
    return def;
}

double ploy_board_guesswho_value(int32_t own, int32_t other) {
    if (own < 1 || other < 1 || own > GUESSWHO_PERSONS || other > GUESSWHO_PERSONS) return 0.0;
    // value[a][b]: the mover has a persons left, the opponent b. A question leaves the mover with
    // fewer, so sums a + b fall and one table filled by rising sums serves.
    double value[GUESSWHO_PERSONS + 1][GUESSWHO_PERSONS + 1] = {{0.0}};
    int32_t most = own > other ? own : other;
    for (int32_t sum = 2; sum <= 2 * most; sum++) {
        for (int32_t a = 1; a <= most; a++) {
            int32_t b = sum - a;
            if (b < 1 || b > most) continue;
            double best = a == 1 ? 1.0 : 0.0;
            for (int32_t k = 1; k * 2 <= a; k++) {
                double yes = k == 1 ? 1.0 : 1.0 - value[b][k];
                double no = a - k == 1 ? 1.0 : 1.0 - value[b][a - k];
                double chance = ((double)k * yes + (double)(a - k) * no) / (double)a;
                if (chance > best) best = chance;
            }
            value[a][b] = best;
        }
    }
    return value[own][other];
}

static size_t guesswho_bytes(const void *rules) {
    (void)rules;
    return sizeof(guesswho_position);
}

static void guesswho_start(const void *rules, void *position) {
    const ploy_board_guesswho_def *def = rules;
    guesswho_position *p = position;
    memset(p, 0, sizeof *p);
    p->left[0] = p->left[1] = (int16_t)def->persons;
    p->target[0] = p->target[1] = -1;
}

static int32_t guesswho_side(const void *rules, const void *position) {
    (void)rules;
    const guesswho_position *p = position;
    if (p->target[0] < 0 || p->target[1] < 0) return PLOY_BOARD_CHANCE;
    if (p->left[0] == 1 || p->left[1] == 1) return PLOY_BOARD_OVER;
    return p->side;
}

static int32_t guesswho_moves(const void *rules, const void *position, ploy_board_move *out,
                              int32_t capacity) {
    const guesswho_position *p = position;
    bool draws = guesswho_side(rules, position) == PLOY_BOARD_CHANCE;
    int32_t most = draws ? p->left[0] : p->left[p->side] / 2;
    if (most > capacity) most = capacity;
    for (int32_t i = 0; i < most; i++) out[i] = (ploy_board_move)i + 1;
    return most;
}

static int32_t guesswho_odds(const void *rules, const void *position, ploy_board_move move) {
    (void)rules, (void)position, (void)move;
    return 1;
}

static void guesswho_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    (void)rules, (void)undo;
    guesswho_position *p = position;
    int16_t k = (int16_t)move;
    if (p->target[0] < 0 || p->target[1] < 0) {
        p->target[p->target[0] < 0 ? 0 : 1] = (int16_t)(k - 1);
        return;
    }
    int32_t me = p->side;
    if (p->target[me] < k) {
        p->left[me] = k;
    } else {
        p->left[me] = (int16_t)(p->left[me] - k);
        p->target[me] = (int16_t)(p->target[me] - k);
    }
    p->side = (int16_t)(1 - me);
}

static int32_t guesswho_result(const void *rules, const void *position, int32_t player) {
    (void)rules;
    const guesswho_position *p = position;
    return p->left[player] == 1 ? PLOY_BOARD_WIN : -PLOY_BOARD_WIN;
}

static uint64_t guesswho_hash(const void *rules, const void *position) {
    (void)rules;
    const guesswho_position *p = position;
    uint64_t hash = GUESSWHO_GAME;
    for (int32_t i = 0; i < 2; i++) {
        hash = ploy_hash_combine(hash, (uint64_t)p->left[i]);
        hash = ploy_hash_combine(hash, (uint64_t)(p->target[i] + 1));
    }
    return ploy_hash_combine(hash, (uint64_t)p->side);
}

// A player sees neither the person that it looks for nor the one that the opponent looks for: that
// one is its own card, but the opponent's answers reveal as much.
static void guesswho_redraw(const void *rules, void *position, int32_t viewer, ploy_rng *rng) {
    (void)rules, (void)viewer;
    guesswho_position *p = position;
    for (int32_t i = 0; i < 2; i++) {
        if (p->target[i] >= 0) p->target[i] = (int16_t)ploy_rng_int(rng, 0, p->left[i] - 1);
    }
}

static char *guesswho_number(char *out, int32_t value) {
    if (value >= 10) *out++ = (char)('0' + value / 10);
    *out++ = (char)('0' + value % 10);
    return out;
}

static void guesswho_move_text(const void *rules, const void *position, ploy_board_move move,
                               char out[PLOY_BOARD_MOVE_TEXT]) {
    bool draws = guesswho_side(rules, position) == PLOY_BOARD_CHANCE;
    const char *verb = draws ? "draw " : "ask ";
    size_t length = strlen(verb);
    memcpy(out, verb, length);
    *guesswho_number(out + length, (int32_t)move) = 0;
}

static ploy_result guesswho_move_parse(const void *rules, const void *position, const char *text,
                                       const char *name, ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(ploy_board_guesswho(), rules), position, text,
                                   name, out, diags);
}

static void guesswho_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    (void)rules;
    const guesswho_position *p = position;
    for (int32_t i = 0; i < 2; i++) {
        out = guesswho_number(out, p->left[i]);
        *out++ = ' ';
    }
    for (int32_t i = 0; i < 2; i++) {
        if (p->target[i] < 0)
            *out++ = '-';
        else
            out = guesswho_number(out, p->target[i]);
        *out++ = ' ';
    }
    *out++ = (char)('1' + p->side);
    *out = 0;
}

// Reads a number up to 40, or -1 for "-"; -2 for anything else.
static int32_t guesswho_read(const char **at) {
    const char *text = *at;
    int32_t value = -2;
    if (*text == '-') {
        value = -1;
        text++;
    } else {
        for (; *text >= '0' && *text <= '9' && value <= GUESSWHO_PERSONS; text++) {
            value = (value < 0 ? 0 : value) * 10 + (*text - '0');
        }
    }
    if (*text == ' ') text++;
    *at = text;
    return value;
}

static ploy_result guesswho_parse(const void *rules, const char *text, const char *name,
                                  void *position, ploy_diags *diags) {
    const ploy_board_guesswho_def *def = rules;
    const char *at = text;
    int32_t numbers[5];
    for (int32_t i = 0; i < 5; i++) numbers[i] = guesswho_read(&at);
    bool ok = *at == 0 && (numbers[4] == 1 || numbers[4] == 2);
    for (int32_t i = 0; i < 2; i++) {
        ok = ok && numbers[i] >= 1 && numbers[i] <= def->persons && numbers[i + 2] >= -1 &&
             numbers[i + 2] < numbers[i];
    }
    bool drawing = numbers[2] < 0 || numbers[3] < 0;
    ok = ok && !(numbers[2] < 0 && numbers[3] >= 0) && !(numbers[0] == 1 && numbers[1] == 1);
    if (drawing) {
        ok = ok && numbers[0] == def->persons && numbers[1] == def->persons && numbers[4] == 1;
    }
    if (!ok) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 1, 1, "invalid position",
                       "persons, targets and side: 24 12 3 - 1", NULL);
        return PLOY_ERR_FORMAT;
    }
    guesswho_position p;
    memset(&p, 0, sizeof p);
    for (int32_t i = 0; i < 2; i++) {
        p.left[i] = (int16_t)numbers[i];
        p.target[i] = (int16_t)numbers[i + 2];
    }
    p.side = (int16_t)(numbers[4] - 1);
    memcpy(position, &p, sizeof p);
    return PLOY_OK;
}

const ploy_board_type *ploy_board_guesswho(void) {
    static const ploy_board_type type = {
        .name = "guesswho",
        .title = "Guess Who?",
        .help = "ask questions until one person is left",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM | PLOY_BOARD_HIDDEN | PLOY_BOARD_RANDOM,
        .max_moves = GUESSWHO_PERSONS,
        .fields = ploy_board_guesswho_fields,
        .position_bytes = guesswho_bytes,
        .start = guesswho_start,
        .side = guesswho_side,
        .moves = guesswho_moves,
        .make = guesswho_make,
        .result = guesswho_result,
        .hash = guesswho_hash,
        .odds = guesswho_odds,
        .redraw = guesswho_redraw,
        .move_text = guesswho_move_text,
        .move_parse = guesswho_move_parse,
        .text = guesswho_text,
        .parse = guesswho_parse,
    };
    return &type;
}
