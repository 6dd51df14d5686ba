// Monte Carlo search with hidden information: Guess Who? You will see how many persons the first
// question should be about, and the chance of perfect play. The search cannot see the hidden person:
// it is drawn again for each playout. Shows ploy_board_mcts with a selection rule of your own.
#include <stdio.h>

#include "ploy/ploy.h"

// UCT with less exploration, as the game's own rule could be anything.
static float rule(void *user, const ploy_board_choice *choice, int32_t total) {
    (void)user;
    return ploy_board_uct(choice->wins, choice->visits, total, 0.5f);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_board_guesswho_def rules = ploy_board_guesswho_def_default();
    ploy_board board = ploy_board_of(ploy_board_guesswho(), &rules);
    uint64_t position[8];
    if (board.type->parse(&rules, "24 24 7 19 1", "example", position, NULL) != PLOY_OK) return 1;
    ploy_board_mcts_def def = ploy_board_mcts_def_default();
    def.playouts = 20000;
    ploy_board_mcts *mcts = NULL;
    if (ploy_board_mcts_create(&def, board, &env, &mcts) != PLOY_OK) return 1;
    ploy_board_mcts_hooks hooks = {.select = rule};
    ploy_board_mcts_hooks_set(mcts, &hooks);
    if (ploy_board_mcts_begin(mcts, position) != PLOY_OK ||
        ploy_board_mcts_step(mcts, NULL) != PLOY_OK) {
        return 1;
    }
    ploy_board_mcts_outcome outcome = ploy_board_mcts_outcome_of(mcts);
    printf("ask about %d of 24 persons after %d playouts\n", (int)outcome.move, outcome.playouts);
    printf("perfect play wins %.1f %%\n", 100.0 * ploy_board_guesswho_value(24, 24));
    ploy_board_mcts_destroy(mcts);
    return 0;
}
