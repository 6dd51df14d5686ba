// Learning to evaluate by self-play. You will see a network that learns tic-tac-toe by TD(lambda) from its
// own games, what it thinks of three positions, and one step of Samuel's backup.
// Shows ploy_board_learn_step, ploy_board_evaluator_chance and ploy_board_backup.
#include <stdio.h>

#include "ploy/ploy.h"

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_board_tictactoe_def rules = ploy_board_tictactoe_def_default();
    ploy_board board = ploy_board_of(ploy_board_tictactoe(), &rules);
    ploy_board_learn_def def = ploy_board_learn_def_default();
    def.games = 2000;
    def.exploration = 0.1f; // tic-tac-toe has no dice that would vary the games
    ploy_board_learn *learn = NULL;
    ploy_board_evaluator *evaluator = NULL;
    if (ploy_board_learn_create(&def, board, &env, &learn) != PLOY_OK) return 1;
    if (ploy_board_learn_step(learn, NULL) != PLOY_OK) return 1;
    const ploy_board_learned *learned = ploy_board_learn_learned(learn);
    if (ploy_board_evaluator_create(learned, &env, &evaluator) != PLOY_OK) return 1;
    static const char *const positions[] = {".../.X./...", "XO./.X./O..", "X.O/.X./O.."};
    for (int i = 0; i < 3; i++) {
        uint64_t position[8] = {0};
        if (board.type->parse(&rules, positions[i], "example", position, NULL) != PLOY_OK) return 1;
        float chance = ploy_board_evaluator_chance(evaluator, position);
        printf("%s: the side to move has %s\n", positions[i],
               chance > 0.7f   ? "good chances"
               : chance < 0.3f ? "bad chances"
                               : "even chances");
    }
    ploy_board_evaluator_destroy(evaluator);
    ploy_board_learn_destroy(learn);

    // Samuel: the evaluation is 2.3, a search found 3.3; the first weight is an anchor.
    const float features[3] = {2.0f, 1.0f, -1.0f};
    float weights[3] = {1.0f, 0.5f, 0.2f};
    const bool anchored[3] = {true, false, false};
    ploy_board_backup(features, 3, weights, anchored, 3.3f, 0.1f);
    printf("weights %.1f %.1f %.1f\n", (double)weights[0], (double)weights[1], (double)weights[2]);
    return 0;
}
