// Knowledge before search: an opening book that learns from a lost game, and an ending database that plays
// king and rook against king without a single mistake. Prints the book's weights and the winning line.
// Shows ploy_board_book_add_line, ploy_board_book_learn, ploy_board_endings_step, ploy_board_endings_best.
#include <stdio.h>

#include "ploy/ploy.h"

static void print_weight(const ploy_board_book *book, const void *position, ploy_board_move move) {
    const ploy_board_book_entry *entry = ploy_board_book_find(book, position, move);
    printf("1. e4 has weight %d after %d games\n", ploy_board_book_weight(book, entry),
           (int)entry->games);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_board_chess_def rules = ploy_board_chess_def_default();
    ploy_board chess = ploy_board_of(ploy_board_chess(), &rules);
    uint64_t position[32];
    chess.type->start(&rules, position);

    // A line of one move that is believed to be good, then four lost games.
    ploy_board_book_def book_def = ploy_board_book_def_default();
    ploy_board_book *book = NULL;
    ploy_board_move e4 = PLOY_BOARD_NO_MOVE;
    if (ploy_board_book_create(&book_def, chess, &env, &book) != PLOY_OK) return 1;
    chess.type->move_parse(&rules, position, "e4", "line", &e4, NULL);
    ploy_board_book_add_line(book, NULL, &e4, 1, 60, "King's pawn");
    ploy_board_book_seal(book);
    print_weight(book, position, e4);
    for (int i = 0; i < 4; i++) ploy_board_book_learn(book, NULL, &e4, 1, -1, false);
    print_weight(book, position, e4);
    printf("the book scores the start %d\n", ploy_board_book_score(book, position));
    ploy_board_book_destroy(book);

    // Every position of king and rook against king, in slices.
    ploy_board_chess_material material;
    ploy_board_endings_source source;
    ploy_board_endings *endings = NULL;
    if (ploy_board_chess_endings("KRK", &material, &source) != PLOY_OK) return 1;
    if (ploy_board_endings_create(&source, &env, &endings) != PLOY_OK) return 1;
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(10000);
        result = ploy_board_endings_step(endings, &budget);
    }
    printf("the longest win takes %d moves; one of two:",
           (ploy_board_endings_report_of(endings).longest + 1) / 2);
    chess.type->parse(&rules, "7k/8/8/5K2/8/8/8/R7 w - - 0 1", "example", position, NULL);
    for (ploy_board_move move;
         (move = ploy_board_endings_best(endings, position)) != PLOY_BOARD_NO_MOVE;) {
        char san[PLOY_BOARD_MOVE_TEXT];
        ploy_board_chess_san(position, move, san);
        printf(" %s", san);
        chess.type->make(&rules, position, move, NULL);
    }
    printf("\n");
    ploy_board_endings_destroy(endings);
    return 0;
}
