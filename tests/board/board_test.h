// Checks that the tests of the games share.
#pragma once

#include "ploy/base/hash.h"
#include "ploy/board/game.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

// True in `make soak`.
static inline bool board_soak(void) {
    return test_rounds(1) > 1;
}

enum { BOARD_WORDS = 8192 };

// Perft at depths 1 to `depth`. position: NULL means the start.
static inline void board_check_perft(test_context *t, ploy_board board, const char *position,
                                     const uint64_t *counts, int32_t depth) {
    static uint64_t bytes[BOARD_WORDS];
    CHECK(board.type->position_bytes(board.rules) <= sizeof bytes);
    board.type->start(board.rules, bytes);
    if (position != NULL) CHECK_OK(board.type->parse(board.rules, position, "test", bytes, NULL));
    ploy_env env = ploy_env_default();
    for (int32_t i = 1; i <= depth; i++) {
        uint64_t leaves = 0;
        CHECK_OK(ploy_board_perft(board, bytes, i, &env, &leaves));
        CHECK_UINT(leaves, counts[i - 1]);
    }
}

// The checker finds no fault in that many random games.
static inline void board_check_contract(test_context *t, ploy_board board, int32_t games) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_board_rules_check(board, &env));
    CHECK_OK(ploy_diags_create(20, &env, &diags));
    ploy_board_report report;
    CHECK_OK(ploy_board_check(board, games, 300, ploy_rng_key_make(11), &env, diags, &report));
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char text[600];
        ploy_diag_print(ploy_diags_get(diags, i), text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    ploy_diags_destroy(diags);
    CHECK_INT(report.faults, 0);
}

// A text is refused with that message.
static inline void board_check_fault(test_context *t, ploy_board board, const char *text,
                                     const char *name, const char *message) {
    static uint64_t bytes[BOARD_WORDS];
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    board.type->start(board.rules, bytes);
    ploy_result result = board.type->parse(board.rules, text, name, bytes, diags);
    char got[600] = "";
    if (ploy_diags_count(diags) > 0) ploy_diag_print(ploy_diags_get(diags, 0), got, sizeof got);
    ploy_diags_destroy(diags);
    CHECK_INT(result, PLOY_ERR_FORMAT);
    CHECK_TEXT(got, message);
}

static inline void board_add_part(void *user, const char *name, int32_t score) {
    (void)name;
    *(int32_t *)user += score;
}

// The parts of an evaluation add up to it, for every player.
static inline void board_check_parts(test_context *t, ploy_board board, const void *position) {
    for (int32_t player = 0; player < board.type->players; player++) {
        int32_t sum = 0;
        board.type->score_parts(board.rules, position, player, board_add_part, &sum);
        CHECK_INT(sum, board.type->evaluate(board.rules, position, player));
    }
}

// Hash over the texts and hashes of seeded random games: the golden of a game's rules.
static inline uint64_t board_games_hash(ploy_board board, int32_t games, int32_t plies) {
    static uint64_t bytes[BOARD_WORDS];
    static ploy_board_move moves[4096];
    uint64_t hash = 0;
    for (int32_t game = 0; game < games; game++) {
        ploy_rng rng = ploy_rng_from_key(ploy_rng_key_make(5), (uint64_t)game);
        board.type->start(board.rules, bytes);
        for (int32_t i = 0; i < plies; i++) {
            char text[PLOY_BOARD_TEXT];
            board.type->text(board.rules, bytes, text);
            hash = ploy_hash_combine(hash, ploy_hash_text(text));
            hash = ploy_hash_combine(hash, board.type->hash(board.rules, bytes));
            if (board.type->side(board.rules, bytes) == PLOY_BOARD_OVER) break;
            int32_t count = board.type->moves(board.rules, bytes, moves, 4096);
            board.type->make(board.rules, bytes, moves[ploy_rng_below(&rng, (uint64_t)count)],
                             NULL);
        }
    }
    return hash;
}
