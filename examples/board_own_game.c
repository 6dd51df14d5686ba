// Your own game: take one to three sticks, who takes the last one loses. The checker approves its
// rules, and a ploy_board_player that knows nothing else of it finds the winning move.
#include <stdio.h>

#include "ploy/ploy.h"

static size_t bytes(const void *rules) {
    return (void)rules, 2 * sizeof(int32_t); // sticks left, side to move
}
static void start(const void *rules, void *p) {
    (void)rules, ((int32_t *)p)[0] = 15, ((int32_t *)p)[1] = 0;
}
static int32_t side(const void *rules, const void *p) {
    const int32_t *sticks = p;
    return (void)rules, sticks[0] == 0 ? PLOY_BOARD_OVER : sticks[1];
}
static int32_t moves(const void *rules, const void *p, ploy_board_move *out, int32_t capacity) {
    int32_t n = 0, left = *(const int32_t *)p;
    for (; n < 3 && n < left && n < capacity; n++) out[n] = (uint64_t)n + 1;
    return (void)rules, n;
}
static void make(const void *rules, void *p, ploy_board_move move, void *undo) {
    int32_t *sticks = p;
    (void)rules, (void)undo, sticks[0] -= (int32_t)move, sticks[1] ^= 1;
}
static int32_t result(const void *rules, const void *p, int32_t player) {
    return (void)rules, player == ((const int32_t *)p)[1] ? PLOY_BOARD_WIN : -PLOY_BOARD_WIN;
}
static uint64_t hash(const void *rules, const void *p) {
    return (void)rules, ploy_board_key(2026, 2 * ((const int32_t *)p)[0] + ((const int32_t *)p)[1]);
}
static const ploy_board_type sticks_type = {.name = "sticks",
                                            .title = "Sticks",
                                            .help = "who takes the last stick loses",
                                            .players = 2,
                                            .flags = PLOY_BOARD_ZERO_SUM,
                                            .max_moves = 3,
                                            .position_bytes = bytes,
                                            .start = start,
                                            .side = side,
                                            .moves = moves,
                                            .make = make,
                                            .result = result,
                                            .hash = hash};

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_board board = ploy_board_of(&sticks_type, NULL);
    ploy_board_report report;
    if (ploy_board_check(board, 50, 100, ploy_rng_key_make(1), &env, NULL, &report)) return 1;
    printf("%d games, %d faults\n", (int)report.games, (int)report.faults);
    ploy_board_player_def def = ploy_board_player_def_for(board, 10);
    def.monte_carlo = false; // without an evaluation Monte Carlo is the default
    ploy_board_player *player = NULL;
    if (ploy_board_player_create(&def, board, &env, &player)) return 1;
    if (ploy_board_player_begin(player) || ploy_board_player_step(player, NULL)) return 1;
    ploy_board_choice_made best = ploy_board_player_choice(player);
    printf("of 15 sticks take %d: that %s\n", (int)best.move, best.score > 0 ? "wins" : "loses");
    ploy_board_player_destroy(player);
}
