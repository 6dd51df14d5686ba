/// @file ploy/board/explore.h
/// Explores a game tree without playing: its size, how much of it merges, and a picture as DOT.
///
/// The same position reached by different orders of moves (a transposition) is one node of the
/// graph but several of the tree. The numbers show whether a table is worthwhile and whether a
/// search is feasible: the branching factor matters more than the depth.
///
/// Cost: one make for each node of the tree; 24 bytes for each distinct position.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/board/game.h"

typedef struct ploy_board_exploration {
    int64_t nodes;     ///< of the tree, the root included
    int64_t leaves;    ///< without moves or at the depth
    int64_t over;      ///< of them, finished games
    int64_t positions; ///< distinct ones, by hash
    int64_t inner;     ///< nodes whose moves were counted
    int64_t moves;     ///< of all inner nodes
    int32_t most_moves;
    bool partial; ///< the limit was reached
} ploy_board_exploration;

/// Walks the tree to a depth.
/// @param depth  0 to 64.
/// @param limit  maximum number of nodes of the tree.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_explore(ploy_board board, const void *position, int32_t depth,
                                        int64_t limit, const ploy_env *env,
                                        ploy_board_exploration *out);

/// Writes the graph of distinct positions to a depth in the language of Graphviz: nodes with their
/// texts, edges with their moves, finished games with the first player's result.
/// @return as above, or the writer's error.
PLOY_API ploy_result ploy_board_explore_dot(ploy_board board, const void *position, int32_t depth,
                                            int64_t limit, const ploy_env *env, ploy_writer *out);
