// A planner's world over a blackboard: variables that are keys of the layout are read from the board
// and written to it, the others are a character's own memory.
#pragma once

#include "goap_internal.h"

typedef struct ployi_goap_board {
    const ploy_goap_type *domain;
    const ploy_blackboard_layout *layout;
    ploy_array slots; // ploy_slot of each variable, none for those of the memory
} ployi_goap_board;

// @return PLOY_ERR_ARGUMENT for a key whose type the variable cannot have; the log names it.
ploy_result ployi_goap_board_init(ployi_goap_board *keys, const ploy_goap_type *domain,
                                  const ploy_blackboard_layout *layout, const ploy_env *env);
void ployi_goap_board_fini(ployi_goap_board *keys);
// The world as board and memory have it. A board of another layout, or none, reads as zeros.
void ployi_goap_board_look(const ployi_goap_board *keys, const ploy_blackboard *board,
                           const uint64_t *memory, uint64_t *world);
// Writes the gains of an action to board and memory.
ploy_result ployi_goap_board_do(const ployi_goap_board *keys, ploy_blackboard *board,
                                uint64_t *memory, int32_t action);
// The memory's variables, in a group "memory".
void ployi_goap_board_visit(ploy_visit *v, const ployi_goap_board *keys, uint64_t *memory);
