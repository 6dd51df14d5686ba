/// @file ploy/board/mcts.h
/// Monte Carlo tree search: statistics from random playouts decide where to search deeper.
///
/// One playout: from the root, follow the selection rule while every move of a node has been tried;
/// add one untried move; play at random to the end; add the result to every node on the path. Wins
/// are kept for the player that moved into a node. Draws are half a win, chance nodes draw by their
/// odds, and with more than two players each node counts for its own mover. A game with hidden
/// information is redrawn from the viewpoint of the root player for each playout, so hidden
/// information never influences the result. Technique: Kocsis and Szepesvari, "Bandit based
/// Monte-Carlo planning", 2006; RAVE with its weight and priors: Gelly and Silver, "Monte-Carlo tree
/// search and rapid action value estimation in computer Go", 2011 (a point counts for the player that
/// moves there first); proven results: Winands et al. 2008.
///
/// A prior w among moves of the mean prior m wins w / (w + m) of its virtual playouts.
///
/// One unit of budget is one playout. Nothing is allocated after create; a full tree keeps counting
/// without growing. The same seed gives bit-identical results. Threads: one caller; `trees` may run
/// on the jobs given.
#pragma once

#include "ploy/base/jobs.h"
#include "ploy/board/search.h"

typedef struct ploy_board_mcts_def {
    uint32_t cookie; ///< set by the default; leave alone
    uint64_t seed;
    int32_t playouts;       ///< of one search
    int32_t nodes;          ///< maximum number of nodes of one tree
    int32_t expand;         ///< playouts through a node before its moves are looked at separately
    int32_t trees;          ///< separate trees whose visits are added up; the result depends on it
    float exploration;      ///< k of UCT
    float evaluation;       ///< c: weight of the child's evaluation in the selection; 0: none
    float evaluation_scale; ///< evaluation that counts as certain
    int32_t prior_visits;   ///< virtual playouts of a new node, won by the game's prior; 0: none
    int32_t rave;           ///< playouts at which RAVE and UCT weigh the same; 0: none
    bool heavy;             ///< playouts use the game's `playout`
    float heavy_random;     ///< share of uniform moves in heavy playouts
    int32_t playout_plies;  ///< longest playout; then the evaluation, or a draw, decides
    bool prove;             ///< proven wins and losses are not visited again
    bool keep;              ///< begin keeps the part of the tree below the new position
    bool most_visited;      ///< the result is the most visited move; false: the best ratio
} ploy_board_mcts_def;

PLOY_API ploy_board_mcts_def ploy_board_mcts_def_default(void);
PLOY_API ploy_fields ploy_board_mcts_fields(void);
/// The default, or for a game of PLOY_BOARD_LASTING moves: RAVE and priors in place of exploration.
PLOY_API ploy_board_mcts_def ploy_board_mcts_def_strong(ploy_board board);

/// UCT value of a move: wins / visits + k * sqrt(ln total / visits); infinite for 0 visits.
PLOY_API float ploy_board_uct(float wins, int32_t visits, int32_t total, float exploration);

/// A child in a selection.
typedef struct ploy_board_choice {
    ploy_board_move move;
    float wins; ///< for the player that chooses
    int32_t visits;
    float prior; ///< share of the prior; 0 without one
} ploy_board_choice;

typedef struct ploy_board_mcts_hooks {
    /// Value of a choice in place of UCT; the largest is followed; among equals, the first.
    float (*select)(void *user, const ploy_board_choice *choice, int32_t total);
    /// Knowledge in place of playouts, such as a network: writes how likely each move is (they add
    /// up
    /// to 1) and returns the chance of `side` to win. The selection is then PUCT (Rosin 2011):
    /// wins / visits + k * prior * sqrt(total) / (1 + visits). Not called for chance nodes. With
    /// several
    /// trees and workers it is called from several threads.
    float (*guide)(void *user, const void *position, int32_t side, const ploy_board_move *moves,
                   int32_t count, float *priors);
    void *user;
} ploy_board_mcts_hooks;

/// One root move.
typedef struct ploy_board_mcts_move {
    ploy_board_move move;
    int32_t visits;
    float ratio;      ///< wins / visits for the side to move
    float confidence; ///< half width of the 95 % interval of the ratio
    int32_t proven;   ///< 1: a proven win, -1: a proven loss, 0: neither
} ploy_board_mcts_move;

typedef struct ploy_board_mcts_outcome {
    bool done;
    bool partial; ///< cancelled
    ploy_board_move move;
    float ratio; ///< of that move
    int32_t playouts;
    int32_t nodes;      ///< of all trees
    int32_t kept;       ///< playouts taken over from the last search
    bool full;          ///< the tree could not grow further
    int32_t line_count; ///< the most visited line
    const ploy_board_move *line;
} ploy_board_mcts_outcome;

/// A Monte Carlo search. Opaque.
typedef struct ploy_board_mcts ploy_board_mcts;

/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_UNSUPPORTED, PLOY_ERR_MEMORY, as ploy_board_search_create.
PLOY_API ploy_result ploy_board_mcts_create(const ploy_board_mcts_def *def, ploy_board board,
                                            const ploy_env *env, ploy_board_mcts **out);
PLOY_API void ploy_board_mcts_destroy(ploy_board_mcts *mcts);
/// NULL: none.
PLOY_API void ploy_board_mcts_hooks_set(ploy_board_mcts *mcts, const ploy_board_mcts_hooks *hooks);
/// Workers for the trees of a step; NULL: none. They do not change the result.
PLOY_API void ploy_board_mcts_jobs_set(ploy_board_mcts *mcts, const ploy_jobs *jobs);
/// @return PLOY_ERR_STATE if the game is over or chance is to move.
PLOY_API ploy_result ploy_board_mcts_begin(ploy_board_mcts *mcts, const void *position);
/// Changes the number of playouts of the search under way.
PLOY_API void ploy_board_mcts_limit(ploy_board_mcts *mcts, int32_t playouts);
PLOY_API ploy_result ploy_board_mcts_step(ploy_board_mcts *mcts, ploy_budget *budget);
PLOY_API void ploy_board_mcts_cancel(ploy_board_mcts *mcts);
PLOY_API ploy_board_mcts_outcome ploy_board_mcts_outcome_of(const ploy_board_mcts *mcts);
/// Root moves, most visited first.
PLOY_API int32_t ploy_board_mcts_move_count(const ploy_board_mcts *mcts);
PLOY_API ploy_board_mcts_move ploy_board_mcts_move_at(const ploy_board_mcts *mcts, int32_t index);
/// Visits the outcome and the root moves; saved are the trees, so that a load into a search of the
/// same def and game continues with the same playouts. Hooks and workers are not saved. A load
/// refuses trees that were changed.
PLOY_API void ploy_board_mcts_visit(ploy_visit *v, void *object);
PLOY_API void ploy_board_mcts_describe(const ploy_board_mcts *mcts, ploy_describe *out);
PLOY_API void ploy_board_mcts_memory(const ploy_board_mcts *mcts, ploy_memory_fn fn, void *user);
