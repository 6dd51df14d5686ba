// How large is the tree of a game, and which search suits it? You will see the nodes of tic-tac-toe and
// of a small Connect Four, and reasons for and against a few searches.
// Shows ploy_board_explore, ploy_board_method_suits, ploy_board_mcts_suits and ploy_board_keys_check.
#include <stdio.h>

#include "ploy/ploy.h"

static int explore(const ploy_board_type *type, int32_t depth, const ploy_env *env) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(type, &rules);
    uint64_t position[64];
    type->start(&rules, position);
    ploy_board_exploration tree;
    if (ploy_board_explore(board, position, depth, 1000000, env, &tree) != PLOY_OK) return 1;
    printf("%s, %d plies: %d nodes, %d different positions\n", type->title, (int)depth,
           (int)tree.nodes, (int)tree.positions);
    const ploy_board_method methods[] = {PLOY_BOARD_ALPHABETA, PLOY_BOARD_MTDF, PLOY_BOARD_SSS};
    for (int32_t i = 0; i < 3; i++) {
        const char *reason = "";
        bool suits = ploy_board_method_suits(board, methods[i], &reason) == PLOY_BOARD_SUITS;
        printf("  %s: %s%s\n", ploy_board_method_text(methods[i]), suits ? "suits" : "", reason);
    }
    const char *reason = "";
    bool suits = ploy_board_mcts_suits(board, &reason) == PLOY_BOARD_SUITS;
    printf("  Monte Carlo: %s%s\n", suits ? "suits" : "", reason);
    return 0;
}

int main(void) {
    ploy_env env = ploy_env_default();
    if (explore(ploy_board_tictactoe(), 5, &env) != 0) return 1;
    if (explore(ploy_board_connect4(), 5, &env) != 0) return 1;
    if (explore(ploy_board_chess(), 3, &env) != 0) return 1;
    uint64_t keys[200]; // of a game that you write
    for (int32_t i = 0; i < 200; i++) keys[i] = ploy_board_key(2026, i);
    printf("200 keys, %d faults\n", (int)ploy_board_keys_check(keys, 200));
    return 0;
}
