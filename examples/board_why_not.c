// Why not the other move? You will see the answer for a blunder and for a move that is as good, and
// what the evaluation of the position consists of. Shows ploy_board_why_not and score_parts.
#include <stdio.h>

#include "ploy/ploy.h"

static void part(void *user, const char *name, int32_t score) {
    (void)user;
    printf("  %s: %d\n", name, score);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_board_tictactoe_def rules = ploy_board_tictactoe_def_default();
    ploy_board board = ploy_board_of(ploy_board_tictactoe(), &rules);
    uint64_t position[8];
    if (board.type->parse(&rules, "X../.O./..X", "example", position, NULL) != PLOY_OK) return 1;
    ploy_board_search_def def = ploy_board_search_def_strong(board);
    def.depth = 6;
    ploy_board_search *search = NULL;
    if (ploy_board_search_create(&def, board, &env, &search) != PLOY_OK) return 1;
    static const char *const asked[] = {"c3", "b1"};
    for (int i = 0; i < 2; i++) {
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        ploy_board_answer answer;
        if (board.type->move_parse(&rules, position, asked[i], "example", &move, NULL) != PLOY_OK ||
            ploy_board_search_begin(search, position, NULL, 0) != PLOY_OK ||
            ploy_board_search_step(search, NULL) != PLOY_OK ||
            ploy_board_why_not(search, position, move, &answer) != PLOY_OK) {
            return 1;
        }
        printf("why not %s? %s\n", asked[i], answer.text);
    }
    printf("the position for player 2:\n");
    board.type->score_parts(&rules, position, 1, part, NULL);
    ploy_board_search_destroy(search);
    return 0;
}
