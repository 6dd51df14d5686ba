// The evaluation of Othello, for its type.
#pragma once

#include "ploy/board/othello.h"

int32_t ployi_othello_evaluate(const void *rules, const void *position, int32_t player);
void ployi_othello_score_parts(const void *rules, const void *position, int32_t player,
                               ploy_board_part_fn fn, void *user);
extern const ploy_board_weights ployi_othello_weights;
