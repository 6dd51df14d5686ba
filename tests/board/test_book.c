// Opening books: lines and games in, moves out, learning from results.
#include "ploy/board/book.h"
#include "ploy/board/tictactoe.h"
#include "tests/test.h"

typedef struct fixture {
    ploy_board_chess_def rules;
    ploy_board board;
    ploy_env env;
    uint64_t start[32], position[32];
    ploy_board_book *book;
} fixture;

static void fixture_make(test_context *t, fixture *f) {
    memset(f, 0, sizeof *f);
    f->env = ploy_env_default();
    f->rules = ploy_board_chess_def_default();
    f->board = ploy_board_of(ploy_board_chess(), &f->rules);
    f->board.type->start(&f->rules, f->start);
    memcpy(f->position, f->start, sizeof f->start);
    ploy_board_book_def def = ploy_board_book_def_default();
    CHECK_OK(ploy_board_book_create(&def, f->board, &f->env, &f->book));
}

// Reads moves from the start position.
static int32_t read_moves(test_context *t, const fixture *f, const char *const *texts,
                          int32_t count, ploy_board_move *out) {
    uint64_t position[32];
    memcpy(position, f->start, sizeof position);
    for (int32_t i = 0; i < count; i++) {
        CHECK_OK(f->board.type->move_parse(&f->rules, position, texts[i], "line", &out[i], NULL));
        f->board.type->make(&f->rules, position, out[i], NULL);
    }
    return count;
}

static const char *const spanish[] = {"e4", "e5", "Nf3", "Nc6", "Bb5"};
static const char *const swapped[] = {"Nf3", "Nc6", "e4", "e5", "Bc4"};

TEST(lines_meet_where_positions_are_the_same) {
    fixture f;
    fixture_make(t, &f);
    ploy_board_move a[5], b[5];
    read_moves(t, &f, spanish, 5, a);
    read_moves(t, &f, swapped, 5, b);
    CHECK_OK(ploy_board_book_add_line(f.book, NULL, a, 5, 100, "Ruy Lopez"));
    CHECK_OK(ploy_board_book_add_line(f.book, NULL, b, 5, 50, "Italian"));
    CHECK_INT(ploy_board_book_count(f.book), 0); // not sealed yet
    CHECK_OK(ploy_board_book_seal(f.book));
    CHECK_INT(ploy_board_book_count(f.book), 10);
    for (int32_t i = 0; i < 4; i++) f.board.type->make(&f.rules, f.position, a[i], NULL);
    const ploy_board_book_entry *lopez = ploy_board_book_find(f.book, f.position, a[4]);
    const ploy_board_book_entry *italian = ploy_board_book_find(f.book, f.position, b[4]);
    CHECK(lopez != NULL && italian != NULL);
    CHECK_TEXT(ploy_board_book_line(f.book, lopez->line), "Ruy Lopez");
    CHECK_TEXT(ploy_board_book_line(f.book, italian->line), "Italian");
    // Drawn by weight: two to one.
    ploy_rng rng = ploy_rng_make(1);
    int32_t first = 0;
    for (int32_t i = 0; i < 3000; i++) {
        ploy_board_move move = ploy_board_book_choose(f.book, f.position, &rng);
        CHECK(move == a[4] || move == b[4]);
        if (move == a[4]) first++;
    }
    CHECK(first > 1900 && first < 2100);
    f.board.type->make(&f.rules, f.position, a[4], NULL);
    CHECK(ploy_board_book_choose(f.book, f.position, &rng) == PLOY_BOARD_NO_MOVE);
    ploy_board_book_destroy(f.book);
}

TEST(losing_lines_are_given_up) {
    fixture f;
    fixture_make(t, &f);
    ploy_board_move a[5], b[5];
    read_moves(t, &f, spanish, 5, a);
    read_moves(t, &f, swapped, 5, b);
    CHECK_OK(ploy_board_book_add_line(f.book, NULL, a, 5, 60, NULL));
    CHECK_OK(ploy_board_book_add_line(f.book, NULL, b, 5, 40, NULL));
    CHECK_OK(ploy_board_book_seal(f.book));
    const ploy_board_book_entry *entry = ploy_board_book_find(f.book, f.start, a[0]);
    CHECK_INT(ploy_board_book_weight(f.book, entry), 60);
    CHECK_INT(ploy_board_book_score(f.book, f.start), 0);
    for (int32_t i = 0; i < 4; i++) CHECK_OK(ploy_board_book_learn(f.book, NULL, a, 5, -1, false));
    CHECK_INT(ploy_board_book_weight(f.book, entry), 30); // 4 games of 60, 4 of 0
    CHECK(ploy_board_book_choose(f.book, f.start, NULL) == b[0]);
    CHECK_INT(ploy_board_book_score(f.book, f.start), -1000);
    // Black won those games.
    f.board.type->make(&f.rules, f.position, a[0], NULL);
    entry = ploy_board_book_find(f.book, f.position, a[1]);
    CHECK_INT(ploy_board_book_weight(f.book, entry), 80);
    for (int32_t i = 0; i < 1000; i++)
        CHECK_OK(ploy_board_book_learn(f.book, NULL, a, 5, -1, false));
    entry = ploy_board_book_find(f.book, f.start, a[0]);
    CHECK_INT(ploy_board_book_weight(f.book, entry), 0);
    ploy_board_book_destroy(f.book);
}

TEST(books_grow_from_games_of_any_board) {
    ploy_env env = ploy_env_default();
    ploy_board_tictactoe_def rules = ploy_board_tictactoe_def_default();
    ploy_board board = ploy_board_of(ploy_board_tictactoe(), &rules);
    ploy_board_book_def def = ploy_board_book_def_default();
    def.plies = 3;
    ploy_board_book *book = NULL;
    CHECK_OK(ploy_board_book_create(&def, board, &env, &book));
    ploy_board_move won[] = {5, 2, 1, 9, 7, 4, 3}, illegal[] = {5, 5};
    CHECK_OK(ploy_board_book_learn(book, NULL, won, 5, 1, true));
    CHECK_INT(ploy_board_book_learn(book, NULL, illegal, 2, 1, true), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_board_book_seal(book));
    CHECK_INT(ploy_board_book_count(book), 3);
    uint64_t position[8];
    board.type->start(&rules, position);
    CHECK_UINT(ploy_board_book_choose(book, position, NULL), 5);
    ploy_board_book_destroy(book);
}

static ploy_result book_body(const ploy_env *env, void *arg) {
    const fixture *f = arg;
    ploy_board_move moves[2];
    ploy_board_book_def def = ploy_board_book_def_default();
    ploy_board_book *book = NULL;
    f->board.type->moves(&f->rules, f->start, moves, 1);
    ploy_result result = ploy_board_book_create(&def, f->board, env, &book);
    if (result == PLOY_OK) result = ploy_board_book_add_line(book, NULL, moves, 1, 5, "name");
    if (result == PLOY_OK) result = ploy_board_book_learn(book, NULL, moves, 1, 1, true);
    if (result == PLOY_OK) result = ploy_board_book_seal(book);
    ploy_board_book_destroy(book);
    return result;
}

TEST(books_survive_lack_of_memory) {
    fixture f;
    fixture_make(t, &f);
    CHECK_FAIL_NTH(book_body, &f);
    ploy_board_book_destroy(f.book);
}
