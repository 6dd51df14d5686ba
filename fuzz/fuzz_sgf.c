// Any bytes as an SGF file: refused with a reason, or every move of every game is legal, and a game without
// setup is written and read back the same.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/sgf.h"

static void must(bool condition) {
    if (!condition) abort();
}

static void write_and_read(const ploy_sgf *sgf, const ploy_sgf_game *game) {
    ploy_env env = ploy_env_default();
    ploy_board_rules rules;
    ploy_board board = ploy_sgf_board(game, &rules);
    const ploy_board_move *moves = ploy_sgf_moves(sgf) + game->move_first;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    must(ploy_sgf_save(board, moves, game->move_count, NULL, &writer) == PLOY_OK);
    ploy_sgf *again = NULL;
    must(ploy_sgf_load(buffer.bytes, buffer.size, "again", &env, NULL, &again) == PLOY_OK);
    const ploy_sgf_game *copy = ploy_sgf_at(again, 0);
    must(copy->move_count == game->move_count && copy->size == game->size);
    if (game->move_count > 0) {
        must(memcmp(ploy_sgf_moves(again), moves, sizeof *moves * (size_t)game->move_count) == 0);
    }
    ploy_sgf_destroy(again);
    ploy_buffer_fini(&buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_sgf *sgf = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_result result = ploy_sgf_load(data, size, "fuzz", &env, diags, &sgf);
    must((result == PLOY_OK) == (sgf != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) == 0));
    for (int32_t i = 0; sgf != NULL && i < ploy_sgf_count(sgf) && i < 10; i++) {
        const ploy_sgf_game *game = ploy_sgf_at(sgf, i);
        if (game->start == NULL) write_and_read(sgf, game);
    }
    ploy_sgf_destroy(sgf);
    ploy_diags_destroy(diags);
    return 0;
}
