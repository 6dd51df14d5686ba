// Trees as games. A node is its number: the root 1, child i of n is n * GAMETREE_BRANCHING + i + 1.
#include "ploy/board/tree.h"

#include <string.h>

enum { GAMETREE_BRANCHING = 8, GAMETREE_DEPTH = 20 };

static const char *const gametree_presets[] = {"random", "t1", "t2", "t3", "t4", "t5"};

static const ploy_field gametree_fields[] = {
    PLOY_FIELD_ENUM(ploy_board_tree_def, preset, PLOY_BOARD_TREE_T4, gametree_presets,
                    "which tree; random: by seed, depth and branching"),
    PLOY_FIELD_U64(ploy_board_tree_def, seed, 1, "of a random tree"),
    PLOY_FIELD_I32(ploy_board_tree_def, depth, 4, 1, GAMETREE_DEPTH, "", "plies of a random tree"),
    PLOY_FIELD_I32(ploy_board_tree_def, branching, 3, 1, GAMETREE_BRANCHING, "",
                   "most moves of a node"),
    PLOY_FIELD_BOOL(ploy_board_tree_def, uniform, true, "every node has that many moves"),
    PLOY_FIELD_I32(ploy_board_tree_def, range, 20, 0, 100000, "", "leaves are -range to range"),
    PLOY_FIELD_BOOL(ploy_board_tree_def, double_moves, false,
                    "sometimes the same player moves again"),
    PLOY_FIELD_BOOL(ploy_board_tree_def, chance, false, "every third level is a chance node"),
};

// Branching of the levels, then the leaves.
static const struct gametree_preset {
    int32_t depth;
    int32_t branching[4];
    int32_t leaves[16];
} gametree_given[] = {
    {0, {0}, {0}},
    {2, {2, 2}, {5, 6, 4, 9}},
    {2, {3, 2}, {10, 2, 4, 7, 6, 9}},
    {2, {2, 2}, {2, 8, 7, 4}},
    {3, {3, 2, 2}, {3, 9, 7, 1, 8, 2, 6, 4, 5, 12, 11, 0}},
    {4, {2, 2, 2, 2}, {7, 6, 8, 5, 2, 3, 0, -2, 6, 2, 5, 8, 9, 2, 6, 5}},
};

typedef struct gametree_position {
    uint64_t node;
    int32_t level;
    int32_t side;
    uint8_t path[GAMETREE_DEPTH]; // child numbers from the root
    uint8_t unused[4];
} gametree_position;

ploy_fields ploy_board_tree_fields(void) {
    return PLOY_FIELDS(ploy_board_tree_def, gametree_fields);
}

ploy_board_tree_def ploy_board_tree_def_default(void) {
    ploy_board_tree_def def;
    ploy_fields_default(ploy_board_tree_fields(), &def);
    return def;
}

static size_t gametree_bytes(const void *rules) {
    (void)rules;
    return sizeof(gametree_position);
}

static int32_t gametree_depth(const ploy_board_tree_def *def) {
    return def->preset == PLOY_BOARD_TREE_RANDOM ? def->depth : gametree_given[def->preset].depth;
}

static uint64_t gametree_noise(const ploy_board_tree_def *def, uint64_t node, uint64_t use) {
    return ploy_board_key(ploy_hash_combine(def->seed, use), (int32_t)(node ^ (node >> 32)));
}

static int32_t gametree_children(const ploy_board_tree_def *def, const gametree_position *p) {
    if (def->preset != PLOY_BOARD_TREE_RANDOM)
        return gametree_given[def->preset].branching[p->level];
    if (def->uniform) return def->branching;
    return 1 + (int32_t)(gametree_noise(def, p->node, 1) % (uint64_t)def->branching);
}

static int32_t gametree_value(const ploy_board_tree_def *def, const gametree_position *p) {
    if (def->preset == PLOY_BOARD_TREE_RANDOM) {
        return (int32_t)(gametree_noise(def, p->node, 2) % (uint64_t)(2 * def->range + 1)) -
               def->range;
    }
    const struct gametree_preset *given = &gametree_given[def->preset];
    int32_t number = 0;
    for (int32_t i = 0; i < given->depth; i++) {
        number = number * given->branching[i] + (i < p->level ? p->path[i] : 0);
    }
    return given->leaves[number];
}

static int32_t gametree_side_after(const ploy_board_tree_def *def, const gametree_position *p,
                                   int32_t before) {
    if (def->preset == PLOY_BOARD_TREE_RANDOM && def->double_moves &&
        gametree_noise(def, p->node, 3) % 3 == 0) {
        return before;
    }
    return 1 - before;
}

static void gametree_start(const void *rules, void *position) {
    (void)rules;
    gametree_position *p = position;
    memset(p, 0, sizeof *p);
    p->node = 1;
}

static int32_t gametree_side(const void *rules, const void *position) {
    const ploy_board_tree_def *def = rules;
    const gametree_position *p = position;
    if (p->level == gametree_depth(def)) return PLOY_BOARD_OVER;
    bool random = def->preset == PLOY_BOARD_TREE_RANDOM && def->chance;
    return random && p->level % 3 == 2 ? PLOY_BOARD_CHANCE : p->side;
}

static int32_t gametree_moves(const void *rules, const void *position, ploy_board_move *out,
                              int32_t capacity) {
    int32_t count = gametree_children(rules, position);
    for (int32_t i = 0; i < count && i < capacity; i++) out[i] = (ploy_board_move)i + 1;
    return count < capacity ? count : capacity;
}

static void gametree_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    (void)undo;
    gametree_position *p = position;
    p->path[p->level++] = (uint8_t)(move - 1);
    p->node = p->node * GAMETREE_BRANCHING + move;
    p->side = gametree_side_after(rules, p, p->side);
}

static int32_t gametree_result(const void *rules, const void *position, int32_t player) {
    int32_t value = gametree_value(rules, position);
    return player == 0 ? value : -value;
}

static uint64_t gametree_hash(const void *rules, const void *position) {
    (void)rules;
    return ploy_board_key(UINT64_C(0x74726565), 0) ^
           ploy_hash_combine(UINT64_C(0x74726565), ((const gametree_position *)position)->node);
}

static int32_t gametree_odds(const void *rules, const void *position, ploy_board_move move) {
    (void)rules, (void)position;
    return (int32_t)move;
}

static void gametree_move_text(const void *rules, const void *position, ploy_board_move move,
                               char out[PLOY_BOARD_MOVE_TEXT]) {
    (void)rules, (void)position;
    out[0] = (char)('0' + move);
    out[1] = 0;
}

static ploy_result gametree_move_parse(const void *rules, const void *position, const char *text,
                                       const char *name, ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(ploy_board_tree(), rules), position, text, name,
                                   out, diags);
}

static void gametree_text(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]) {
    (void)rules;
    const gametree_position *p = position;
    if (p->level == 0) *out++ = '-';
    for (int32_t i = 0; i < p->level; i++) {
        if (i > 0) *out++ = '.';
        *out++ = (char)('1' + p->path[i]);
    }
    *out = 0;
}

static ploy_result gametree_parse(const void *rules, const char *text, const char *name,
                                  void *position, ploy_diags *diags) {
    gametree_position p;
    gametree_start(rules, &p);
    bool root = text[0] == '-' && text[1] == 0;
    for (int32_t i = 0; !root; i += 2) {
        int32_t number = text[i] - '0';
        bool fits = p.level < gametree_depth(rules) && number >= 1 &&
                    number <= gametree_children(rules, &p);
        if (!fits || (text[i + 1] != 0 && text[i + 1] != '.')) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 1, i + 1,
                           "invalid path", "numbers of moves with dots, or -", NULL);
            return PLOY_ERR_FORMAT;
        }
        gametree_make(rules, &p, (ploy_board_move)number, NULL);
        if (text[i + 1] == 0) break;
    }
    memcpy(position, &p, sizeof p);
    return PLOY_OK;
}

const ploy_board_type *ploy_board_tree(void) {
    static const ploy_board_type type = {
        .name = "tree",
        .title = "Game tree",
        .help = "a tree with given or random leaves, to look at searches",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM | PLOY_BOARD_MARGIN | PLOY_BOARD_RANDOM,
        .max_moves = GAMETREE_BRANCHING,
        .unit = 4,
        .fields = ploy_board_tree_fields,
        .position_bytes = gametree_bytes,
        .start = gametree_start,
        .side = gametree_side,
        .moves = gametree_moves,
        .make = gametree_make,
        .result = gametree_result,
        .hash = gametree_hash,
        .odds = gametree_odds,
        .move_text = gametree_move_text,
        .move_parse = gametree_move_parse,
        .text = gametree_text,
        .parse = gametree_parse,
    };
    return &type;
}
