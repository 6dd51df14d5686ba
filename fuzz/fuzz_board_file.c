// Any bytes as a learned evaluation of tic-tac-toe: refused with a reason, or loaded; then it scores a position
// and is saved and loaded again.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/board/tictactoe.h"
#include "ploy/data/board_file.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_tictactoe(), &rules);
    ploy_board_learned *learned = NULL, *again = NULL;
    ploy_result result = ploy_board_learned_load(data, size, "fuzz", board, &env, NULL, &learned);
    must((result == PLOY_OK) == (learned != NULL));
    if (learned == NULL) return 0;
    ploy_board_evaluator *evaluator = NULL;
    must(ploy_board_evaluator_create(learned, &env, &evaluator) == PLOY_OK);
    uint64_t position[8] = {0};
    board.type->start(board.rules, position);
    int32_t score = ploy_board_evaluator_score(evaluator, position, 0);
    must(score > -PLOY_BOARD_EVALUATION && score < PLOY_BOARD_EVALUATION);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    must(ploy_board_learned_save(learned, &writer) == PLOY_OK);
    must(ploy_board_learned_load(buffer.bytes, buffer.size, "again", board, &env, NULL, &again) ==
         PLOY_OK);
    must(ploy_board_learned_hash(again) == ploy_board_learned_hash(learned));
    ploy_buffer_fini(&buffer);
    ploy_board_evaluator_destroy(evaluator);
    ploy_board_learned_destroy(again);
    ploy_board_learned_destroy(learned);
    return 0;
}
