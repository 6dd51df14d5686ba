// The best move in slices: a search that never blocks a frame. You will see the best move so far
// after each frame of 2,000 nodes, and the same answer as in one piece.
// Shows ploy_board_search_step with a budget and ploy_board_search_outcome at any time.
#include <stdio.h>

#include "ploy/ploy.h"

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_board_connect4_def rules = ploy_board_connect4_def_default();
    ploy_board board = ploy_board_of(ploy_board_connect4(), &rules);
    ploy_board_connect4_position position;
    if (board.type->parse(&rules, "44455", "example", &position, NULL) != PLOY_OK) return 1;
    ploy_board_search_def def = ploy_board_search_def_strong(board);
    def.depth = 8;
    def.aspiration = 20; // a window around the score of the last depth,
    def.tries = 4;       // opened at most so often
    ploy_board_search *search = NULL;
    if (ploy_board_search_create(&def, board, &env, &search) != PLOY_OK ||
        ploy_board_search_begin(search, &position, NULL, 0) != PLOY_OK) {
        return 1;
    }
    ploy_result result = PLOY_IN_PROGRESS;
    for (int frame = 1; result == PLOY_IN_PROGRESS; frame++) {
        ploy_budget budget = ploy_budget_units(2000);
        result = ploy_board_search_step(search, &budget);
        ploy_board_outcome now = ploy_board_search_outcome(search);
        printf("frame %d: column %d, score %d, depth %d\n", frame, (int)now.move, now.score,
               now.depth);
    }
    ploy_board_outcome sliced = ploy_board_search_outcome(search);
    ploy_board_table_statistics table =
        ploy_board_table_statistics_of(ploy_board_search_table(search));
    printf("%d nodes; the table answered %d of %d questions\n", (int)sliced.nodes, (int)table.hits,
           (int)table.probes);
    ploy_board_search *whole = NULL;
    if (ploy_board_search_create(&def, board, &env, &whole) != PLOY_OK ||
        ploy_board_search_begin(whole, &position, NULL, 0) != PLOY_OK ||
        ploy_board_search_step(whole, NULL) != PLOY_OK) {
        return 1;
    }
    ploy_board_outcome once = ploy_board_search_outcome(whole);
    printf("the same in one piece: %s\n",
           once.move == sliced.move && once.nodes == sliced.nodes ? "yes" : "no");
    ploy_board_search_destroy(search);
    ploy_board_search_destroy(whole);
    return 0;
}
