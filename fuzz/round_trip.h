// Any bytes as a file of games: what loads is written and read again to the same moves.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/pgn.h"

typedef ploy_result (*round_trip_load)(const void *bytes, size_t size, const char *name,
                                       const ploy_env *env, ploy_diags *diags, ploy_pgn **out);

static void must(bool condition) {
    if (!condition) abort();
}

static int round_trip(round_trip_load load, const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_pgn *first = NULL, *second = NULL;
    if (load(data, size, "fuzz", &env, NULL, &first) != PLOY_OK) return 0;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    for (int32_t i = 0; i < ploy_pgn_count(first); i++) {
        const ploy_pgn_game *game = ploy_pgn_at(first, i);
        ploy_buffer_clear(&buffer);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        must(ploy_pgn_save(first, game, &writer) == PLOY_OK);
        must(load(buffer.bytes, buffer.size, "again", &env, NULL, &second) == PLOY_OK);
        must(ploy_pgn_count(second) == 1 && ploy_pgn_at(second, 0)->move_count == game->move_count);
        must(game->move_count == 0 ||
             memcmp(ploy_pgn_moves(first) + game->move_first, ploy_pgn_moves(second),
                    sizeof(ploy_board_move) * (size_t)game->move_count) == 0);
        ploy_pgn_destroy(second);
        second = NULL;
    }
    ploy_buffer_fini(&buffer);
    ploy_pgn_destroy(first);
    return 0;
}
