// A level: a weak player that makes plausible moves. You will see levels 3 and 8 of Connect Four
// play each other, how much the weak one gives away at most, and that the strong one wins.
// Shows ploy_board_player and ploy_board_player_def_for.
#include <stdio.h>

#include "ploy/ploy.h"

// What the players know by heart: the first disc goes into the middle.
static bool find_opening(void *user, ploy_board board, const void *position, ploy_rng *rng,
                         ploy_board_move *move) {
    (void)user, (void)board, (void)rng;
    *move = 4;
    return ((const ploy_board_connect4_position *)position)->count == 0;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_board_connect4_def rules = ploy_board_connect4_def_default();
    ploy_board board = ploy_board_of(ploy_board_connect4(), &rules);
    ploy_board_player *players[2] = {NULL, NULL};
    static const int levels[2] = {3, 8};
    for (int i = 0; i < 2; i++) {
        ploy_board_player_def def = ploy_board_player_def_for(board, levels[i]);
        if (ploy_board_player_create(&def, board, &env, &players[i]) != PLOY_OK) return 1;
        ploy_board_source opening = {"opening", find_opening, NULL};
        if (ploy_board_player_source_add(players[i], &opening) != PLOY_OK) return 1;
    }
    int worst = 0, weak_moves = 0;
    printf("columns:");
    for (;;) {
        const void *position = ploy_board_player_position(players[0]);
        int side = board.type->side(&rules, position);
        if (side == PLOY_BOARD_OVER) break;
        if (ploy_board_player_begin(players[side]) != PLOY_OK) return 1;
        ploy_board_player_limit(players[side], 8, 0); // no deeper than 8 plies
        if (ploy_board_player_step(players[side], NULL) != PLOY_OK) return 1;
        ploy_board_choice_made choice = ploy_board_player_choice(players[side]);
        printf(" %d", (int)choice.move);
        if (choice.loss > worst) worst = choice.loss;
        weak_moves += choice.move != choice.best;
        for (int i = 0; i < 2; i++) ploy_board_player_play(players[i], choice.move);
    }
    int result = board.type->result(&rules, ploy_board_player_position(players[0]), 0);
    printf("\n%d weak moves, the worst gave away %d\n", weak_moves, worst);
    printf("%s wins\n", result > 0 ? "level 3" : result < 0 ? "level 8" : "nobody");
    for (int i = 0; i < 2; i++) ploy_board_player_destroy(players[i]);
    return 0;
}
