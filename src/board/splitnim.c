// Split-Nim: how many piles there are of each size.
#include "ploy/board/splitnim.h"

#include <string.h>

enum { SPLITNIM_COINS = 30 };

static const ploy_field splitnim_fields[] = {
    PLOY_FIELD_I32(ploy_board_splitnim_def, coins, 7, 3, SPLITNIM_COINS, "",
                   "coins of the first pile"),
};

#define SPLITNIM_GAME UINT64_C(0x73706C69746E696D)

typedef struct splitnim_position {
    uint64_t hash;
    uint8_t piles[SPLITNIM_COINS + 1]; // number of piles of each size
    uint8_t side;
} splitnim_position;

ploy_fields ploy_board_splitnim_fields(void) {
    return PLOY_FIELDS(ploy_board_splitnim_def, splitnim_fields);
}

ploy_board_splitnim_def ploy_board_splitnim_def_default(void) {
    ploy_board_splitnim_def def;
    ploy_fields_default(ploy_board_splitnim_fields(), &def);
    return def;
}

static size_t splitnim_bytes(const void *rules) {
    (void)rules;
    return sizeof(splitnim_position);
}

static size_t splitnim_undo_bytes(const void *rules) {
    (void)rules;
    return 0;
}

static void splitnim_change(splitnim_position *p, int32_t size, int32_t by) {
    p->hash ^= ploy_board_key(SPLITNIM_GAME, size * 32 + p->piles[size]);
    p->piles[size] = (uint8_t)(p->piles[size] + by);
    p->hash ^= ploy_board_key(SPLITNIM_GAME, size * 32 + p->piles[size]);
}

static void splitnim_turn(splitnim_position *p) {
    p->side ^= 1;
    p->hash ^= ploy_board_key(SPLITNIM_GAME, 10000);
}

static void splitnim_start(const void *rules, void *position) {
    const ploy_board_splitnim_def *def = rules;
    memset(position, 0, sizeof(splitnim_position));
    splitnim_change(position, def->coins, 1);
}

static int32_t splitnim_side(const void *rules, const void *position) {
    (void)rules;
    const splitnim_position *p = position;
    for (int32_t size = 3; size <= SPLITNIM_COINS; size++) {
        if (p->piles[size] > 0) return p->side;
    }
    return PLOY_BOARD_OVER;
}

// A move is the pile's size * 64 + the smaller part.
static int32_t splitnim_moves(const void *rules, const void *position, ploy_board_move *out,
                              int32_t capacity) {
    (void)rules;
    const splitnim_position *p = position;
    int32_t count = 0;
    for (int32_t size = SPLITNIM_COINS; size >= 3; size--) {
        if (p->piles[size] == 0) continue;
        for (int32_t part = 1; part * 2 < size && count < capacity; part++) {
            out[count++] = (ploy_board_move)(size * 64 + part);
        }
    }
    return count;
}

static void splitnim_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    (void)rules, (void)undo;
    int32_t size = (int32_t)(move / 64), part = (int32_t)(move % 64);
    splitnim_change(position, size, -1);
    splitnim_change(position, part, 1);
    splitnim_change(position, size - part, 1);
    splitnim_turn(position);
}

static void splitnim_unmake(const void *rules, void *position, ploy_board_move move,
                            const void *undo) {
    (void)rules, (void)undo;
    int32_t size = (int32_t)(move / 64), part = (int32_t)(move % 64);
    splitnim_turn(position);
    splitnim_change(position, size - part, -1);
    splitnim_change(position, part, -1);
    splitnim_change(position, size, 1);
}

static int32_t splitnim_result(const void *rules, const void *position, int32_t player) {
    (void)rules;
    const splitnim_position *p = position;
    return player == p->side ? -PLOY_BOARD_WIN : PLOY_BOARD_WIN;
}

static uint64_t splitnim_hash(const void *rules, const void *position) {
    (void)rules;
    return ((const splitnim_position *)position)->hash;
}

static char *splitnim_number(char *out, int32_t value) {
    if (value >= 10) *out++ = (char)('0' + value / 10);
    *out++ = (char)('0' + value % 10);
    return out;
}

static void splitnim_move_text(const void *rules, const void *position, ploy_board_move move,
                               char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)rules, (void)position;
    int32_t size = (int32_t)(move / 64), part = (int32_t)(move % 64);
    char *at = splitnim_number(out, size - part);
    *at++ = '+';
    at = splitnim_number(at, part);
    *at = 0;
}

static ploy_result splitnim_move_parse(const void *rules, const void *position, const char *text,
                                       const char *name, ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(ploy_board_splitnim(), rules), position, text,
                                   name, out, diags);
}

static void splitnim_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    (void)rules;
    const splitnim_position *p = position;
    bool first = true;
    for (int32_t size = SPLITNIM_COINS; size >= 1; size--) {
        for (int32_t i = 0; i < p->piles[size]; i++) {
            if (!first) *out++ = '-';
            out = splitnim_number(out, size);
            first = false;
        }
    }
    *out++ = ' ';
    *out++ = (char)('1' + p->side);
    *out = 0;
}

static ploy_result splitnim_parse(const void *rules, const char *text, const char *name,
                                  void *position, ploy_diags *diags) {
    const ploy_board_splitnim_def *def = rules;
    splitnim_position p;
    memset(&p, 0, sizeof p);
    int32_t size = 0, sum = 0, i = 0;
    bool ok = true;
    for (; ok; i++) {
        char c = text[i];
        if (c >= '0' && c <= '9') {
            size = size * 10 + (c - '0');
            ok = size <= SPLITNIM_COINS;
            continue;
        }
        ok = size > 0 && sum + size <= def->coins && (c == '-' || c == ' ');
        if (!ok) break;
        splitnim_change(&p, size, 1);
        sum += size;
        size = 0;
        if (c == ' ') break;
    }
    ok = ok && sum == def->coins && (text[i + 1] == '1' || text[i + 1] == '2') && text[i + 2] == 0;
    if (!ok) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 1, i + 1,
                       "invalid position", "piles with dashes and 1 or 2: 5-2 2", NULL);
        return PLOY_ERR_FORMAT;
    }
    if (text[i + 1] == '2') splitnim_turn(&p);
    memcpy(position, &p, sizeof p);
    return PLOY_OK;
}

const ploy_board_type *ploy_board_splitnim(void) {
    static const ploy_board_type type = {
        .name = "splitnim",
        .title = "Split-Nim",
        .help = "split a pile into two unequal ones; who cannot move loses",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM,
        .max_moves = 128,
        .fields = ploy_board_splitnim_fields,
        .position_bytes = splitnim_bytes,
        .undo_bytes = splitnim_undo_bytes,
        .start = splitnim_start,
        .side = splitnim_side,
        .moves = splitnim_moves,
        .make = splitnim_make,
        .unmake = splitnim_unmake,
        .result = splitnim_result,
        .hash = splitnim_hash,
        .move_text = splitnim_move_text,
        .move_parse = splitnim_move_parse,
        .text = splitnim_text,
        .parse = splitnim_parse,
    };
    return &type;
}
