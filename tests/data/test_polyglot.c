// Polyglot books: written, read, damaged, and Debian's where it is installed.
#include "ploy/data/polyglot.h"
#include "tests/test.h"

#include <stdlib.h>

static ploy_board_chess_def rules;

static ploy_board_book *book_make(test_context *t) {
    ploy_env env = ploy_env_default();
    rules = ploy_board_chess_def_default();
    ploy_board_book_def def = ploy_board_book_def_default();
    ploy_board_book *book = NULL;
    CHECK_OK(ploy_board_book_create(&def, ploy_board_of(ploy_board_chess(), &rules), &env, &book));
    return book;
}

TEST(books_round_trip) {
    ploy_env env = ploy_env_default();
    ploy_board_book *book = book_make(t), *read = book_make(t);
    uint64_t start[32];
    ploy_board_chess()->start(&rules, start);
    ploy_board_move moves[64];
    int32_t count = ploy_board_chess()->moves(&rules, start, moves, 64);
    for (int32_t i = 0; i < count; i++)
        CHECK_OK(ploy_board_book_add_line(book, NULL, &moves[i], 1, 10 + i, NULL));
    CHECK_OK(ploy_board_book_seal(book));
    CHECK_OK(ploy_board_book_learn(book, NULL, &moves[3], 1, 0, false));
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_polyglot_save(book, &writer));
    CHECK_INT(buffer.size, 20 * 16);
    CHECK_BYTES(buffer.bytes, "\x46\x3b\x96\x18\x16\x91\xfc\x9c", 8);
    CHECK_OK(ploy_polyglot_load(buffer.bytes, buffer.size, "book", read, NULL));
    CHECK_INT(ploy_board_book_count(read), 20);
    const ploy_board_book_entry *learned = ploy_board_book_find(read, start, moves[3]);
    CHECK(learned != NULL && learned->games == 1 && learned->draws == 1);
    CHECK(ploy_board_book_choose(read, start, NULL) == ploy_board_book_choose(book, start, NULL));
    CHECK_INT(ploy_polyglot_load(buffer.bytes, 17, "book", read, NULL), PLOY_ERR_FORMAT);
    buffer.bytes[0] = 0x7f;
    CHECK_INT(ploy_polyglot_load(buffer.bytes, buffer.size, "book", read, NULL), PLOY_ERR_FORMAT);
    ploy_buffer_fini(&buffer);
    ploy_board_book_destroy(book);
    ploy_board_book_destroy(read);
}
