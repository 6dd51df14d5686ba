// What the files of the Monte Carlo search share: its trees.
#pragma once

#include "ploy/board/mcts.h"

enum { MCTS_PATH = 512, MCTS_LINE = 64 };

// Who made a move first in the rest of a playout; a place of a hash table.
typedef struct mcts_first {
    ploy_board_move move;
    uint32_t stamp; // of the playout; an older one means that the place is free
    int32_t player;
} mcts_first;

typedef struct mcts_node {
    ploy_board_move move; // that led here
    uint64_t key;         // hash of the position
    float wins;           // of the mover, draws as halves
    float rave_wins;
    float prior; // share of the prior among its siblings
    float value; // evaluation for the mover, 0 to 1
    int32_t visits, rave_visits;
    int32_t first, count; // children; count -1: not expanded
    int8_t mover;         // player that moved here; PLOY_BOARD_CHANCE for a chance move
    int8_t proven;        // 1: the mover wins, -1: it loses
    int8_t valued;        // value was computed
    int8_t unused[5];
} mcts_node;

typedef struct mcts_tree {
    mcts_node *nodes;
    int32_t count;
    int32_t playouts; // of this search
    bool full;
    ploy_rng rng;
    unsigned char *position, *copy;
    ploy_board_move *moves;
    float *priors;           // of the guide
    ploy_board_move *played; // of the playout, for RAVE: (move, mover) pairs
    int8_t *players;
    int32_t played_count;
    mcts_first *first; // for RAVE: a power of two, at least twice the longest playout
    uint32_t first_mask;
    uint32_t stamp;
    mcts_node *spare; // for moving a kept part to the front
} mcts_tree;

struct ploy_board_mcts {
    ploy_env env;
    ploy_board_mcts_def def;
    ploy_board board;
    ploy_board_mcts_hooks hooks;
    const ploy_jobs *jobs;
    size_t position_bytes;
    size_t bytes;
    unsigned char *block;
    unsigned char *root;
    mcts_tree *trees;
    int32_t root_side;
    int32_t limit; // playouts of all trees
    int32_t kept;
    uint64_t searches; // begun so far: each draws from a separate stream
    bool begun, done, partial;
    bool hidden;
    ploy_board_move *line; // MCTS_LINE; written by the outcome
    int64_t share[64];     // playouts that each tree may make in the step under way
    uint64_t sum;          // of a load: what the file says
};
