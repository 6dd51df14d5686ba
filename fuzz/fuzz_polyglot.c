// Any bytes as an opening book and as an ending database: lookups give legal moves or none.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/board/endings.h"
#include "ploy/data/polyglot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_board_chess_def rules = ploy_board_chess_def_default();
    ploy_board_book_def def = ploy_board_book_def_default();
    ploy_board_book *book = NULL;
    if (ploy_board_book_create(&def, ploy_board_of(ploy_board_chess(), &rules), &env, &book) !=
        PLOY_OK)
        abort();
    uint64_t start[64];
    ploy_board_chess()->start(&rules, start);
    if (ploy_polyglot_load(data, size, "fuzz", book, NULL) == PLOY_OK) {
        ploy_rng rng = ploy_rng_make(1);
        ploy_board_move move = ploy_board_book_choose(book, start, &rng);
        if (move != PLOY_BOARD_NO_MOVE &&
            ploy_board_chess_from_book(start, ploy_board_chess_book_move(move)) != move)
            abort();
        (void)ploy_board_book_score(book, start);
    }
    ploy_board_book_destroy(book);
    ploy_board_chess_material material;
    ploy_board_endings_source source;
    ploy_board_endings *endings = NULL;
    if (ploy_board_chess_endings("KQK", &material, &source) != PLOY_OK) abort();
    source.count = 100;
    if (ploy_board_endings_load(&source, data, size, "fuzz", &env, NULL, &endings) == PLOY_OK)
        (void)ploy_board_endings_report_of(endings);
    ploy_board_endings_destroy(endings);
    return 0;
}
