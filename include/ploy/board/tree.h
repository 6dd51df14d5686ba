/// @file ploy/board/tree.h
/// Trees as games: a small tree with given leaves, or a random one, to study and test searches.
///
/// Nothing is stored: a position is the number of its node, and the values of random trees are a
/// function of seed and node. The leaves are margins for the first player. Moves are 1, 2, ..., a
/// position is the path from the root, such as "2.1" ("-" is the root).
#pragma once

#include "ploy/board/game.h"

/// The trees of the catalog of examples, root first; leaves from left to right.
typedef enum ploy_board_tree_preset {
    PLOY_BOARD_TREE_RANDOM,
    PLOY_BOARD_TREE_T1, ///< [[5,6],[4,9]]
    PLOY_BOARD_TREE_T2, ///< [[10,2],[4,7],[6,9]]
    PLOY_BOARD_TREE_T3, ///< [[2,8],[7,4]]
    PLOY_BOARD_TREE_T4, ///< [[[3,9],[7,1]],[[8,2],[6,4]],[[5,12],[11,0]]]
    PLOY_BOARD_TREE_T5  ///< [[[[7,6],[8,5]],[[2,3],[0,-2]]],[[[6,2],[5,8]],[[9,2],[6,5]]]]
} ploy_board_tree_preset;

typedef struct ploy_board_tree_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_board_tree_preset preset;
    uint64_t seed;     ///< of a random tree
    int32_t depth;     ///< of a random tree, plies
    int32_t branching; ///< maximum number of moves of a node of a random tree
    bool uniform;      ///< every node has that many; otherwise 1 to that many
    int32_t range;     ///< leaves are -range to range
    bool double_moves; ///< sometimes the same player moves again
    bool chance;       ///< every third level is a chance node
} ploy_board_tree_def;

PLOY_API ploy_board_tree_def ploy_board_tree_def_default(void);
PLOY_API ploy_fields ploy_board_tree_fields(void);

/// The game of walking down the tree.
PLOY_API const ploy_board_type *ploy_board_tree(void);
