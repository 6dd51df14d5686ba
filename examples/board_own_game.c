// Your own game: take one to three sticks, who takes the last one loses. You will see
// the checker approve the rules, and a search that knows nothing of the game find the winning move.
// Shows ploy_board_type, ploy_board_check, ploy_board_explore and ploy_board_search.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/ploy.h"

typedef struct sticks_rules {
    uint32_t cookie;
    int32_t sticks;
} sticks_rules;
static const ploy_field sticks_table[] = {
    PLOY_FIELD_I32(sticks_rules, sticks, 15, 1, 100, "", "at the start"),
};
static ploy_fields sticks_fields(void) {
    return PLOY_FIELDS(sticks_rules, sticks_table);
}

typedef struct sticks {
    int32_t left, side;
} sticks;
static size_t bytes(const void *rules) {
    return (void)rules, sizeof(sticks);
}
static void start(const void *rules, void *p) {
    *(sticks *)p = (sticks){((const sticks_rules *)rules)->sticks, 0};
}
static int32_t side(const void *rules, const void *p) {
    (void)rules;
    return ((const sticks *)p)->left == 0 ? PLOY_BOARD_OVER : ((const sticks *)p)->side;
}
static int32_t moves(const void *rules, const void *p, ploy_board_move *out, int32_t capacity) {
    (void)rules;
    int32_t n = 0;
    while (n < 3 && n < capacity && n < ((const sticks *)p)->left) out[n] = (uint64_t)n + 1, n++;
    return n;
}
static void make(const void *rules, void *p, ploy_board_move move, void *undo) {
    (void)rules, (void)undo;
    ((sticks *)p)->left -= (int32_t)move;
    ((sticks *)p)->side ^= 1;
}
static int32_t result(const void *rules, const void *p, int32_t player) {
    (void)rules; // the side to move did not take the last one
    return player == ((const sticks *)p)->side ? PLOY_BOARD_WIN : -PLOY_BOARD_WIN;
}
static uint64_t hash(const void *rules, const void *p) {
    (void)rules;
    return ploy_board_key(2026, ((const sticks *)p)->left * 2 + ((const sticks *)p)->side);
}
static void move_text(const void *rules, const void *p, ploy_board_move move, char *out) {
    (void)rules, (void)p;
    snprintf(out, PLOY_BOARD_MOVE_TEXT, "%d", (int)move);
}
static ploy_result move_parse(const void *rules, const void *p, const char *text, const char *name,
                              ploy_board_move *out, ploy_diags *diags);
static void text(const void *rules, const void *p, char *out) {
    (void)rules;
    snprintf(out, PLOY_BOARD_TEXT, "%d %d", ((const sticks *)p)->left, ((const sticks *)p)->side);
}
static ploy_result parse(const void *rules, const char *from, const char *name, void *p,
                         ploy_diags *diags) {
    sticks read;
    (void)rules, (void)name, (void)diags;
    if (sscanf(from, "%d %d", &read.left, &read.side) != 2) return PLOY_ERR_FORMAT;
    memcpy(p, &read, sizeof read);
    return PLOY_OK;
}
static const ploy_board_type sticks_type = {
    .name = "sticks",
    .title = "Sticks",
    .help = "who takes the last stick loses",
    .players = 2,
    .flags = PLOY_BOARD_ZERO_SUM,
    .max_moves = 3,
    .fields = sticks_fields,
    .position_bytes = bytes,
    .start = start,
    .side = side,
    .moves = moves,
    .make = make,
    .result = result,
    .hash = hash,
    .move_text = move_text,
    .move_parse = move_parse,
    .text = text,
    .parse = parse,
};
static ploy_result move_parse(const void *rules, const void *p, const char *from, const char *name,
                              ploy_board_move *out, ploy_diags *diags) {
    return ploy_board_move_by_text(ploy_board_of(&sticks_type, rules), p, from, name, out, diags);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(&sticks_type, &rules);
    ploy_board_report report;
    if (ploy_board_check(board, 50, 100, ploy_rng_key_make(1), &env, NULL, &report) != PLOY_OK) {
        return 1;
    }
    printf("%d games, %d faults\n", (int)report.games, (int)report.faults);
    uint64_t keys[200];
    for (int32_t i = 0; i < 200; i++) keys[i] = ploy_board_key(2026, i);
    printf("200 keys, %d faults\n", (int)ploy_board_keys_check(keys, 200));
    sticks position;
    start(&rules, &position);
    ploy_board_exploration tree;
    if (ploy_board_explore(board, &position, 15, 100000, &env, &tree) != PLOY_OK) return 1;
    printf("%d nodes, %d different positions\n", (int)tree.nodes, (int)tree.positions);
    const char *reason = "";
    ploy_board_method_suits(board, PLOY_BOARD_ALPHABETA, &reason);
    printf("alpha-beta: %s\n", reason);
    ploy_board_search_def def = ploy_board_search_def_default();
    def.depth = 15;
    ploy_board_search *search = NULL;
    if (ploy_board_search_create(&def, board, &env, &search) != PLOY_OK ||
        ploy_board_search_begin(search, &position, NULL, 0) != PLOY_OK ||
        ploy_board_search_step(search, NULL) != PLOY_OK) {
        return 1;
    }
    ploy_board_outcome best = ploy_board_search_outcome(search);
    char score[40];
    ploy_board_score_text(best.score, score, sizeof score);
    printf("of 15 sticks take %d: the first player %s\n", (int)best.move, score);
    ploy_board_search_destroy(search);
    return 0;
}
