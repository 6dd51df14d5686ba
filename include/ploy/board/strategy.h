/// @file ploy/board/strategy.h
/// A small strategy game in two tiers: strategies are the moves, and a lower tier turns each into
/// orders.
///
/// Two nations on a grid of cities. A city has an owner (or none), an economy from 1 to 5 and an
/// army. A nation has gold, technology and content. Single orders (build, train, research, march)
/// are far too many to search: see ploy_board_tree_size_of. A turn of this game is therefore one
/// strategy: attack a neighbouring city, build up the economy, do research, or defend.
/// ploy_board_strategy_orders lists the orders that a strategy consists of; `make` carries them
/// out. A battle is a chance move with the odds of the two forces. A nation without cities loses;
/// at the turn limit the larger one wins.
///
///     a strategy is searched       board player, any search, MCTS          (ploy/board/search.h)
///     a strategy is only scored    ploy_board_strategy_options             heuristics, no lookahead
///     one subsystem is searched    ploy_board_plan, what to buy next       MCTS over the plan alone
///
/// Positions as text: a list of cities such as "A2*7" (nation A, economy 2, army 7), "-1*2" (no
/// owner), rows separated by '/', then gold, technology, gold studied towards the next level and
/// content of A and of B, the turn and the side: "A2*3 -1*1/-1*1 B2*3; 4 0 0 5; 4 0 0 5; 0 A". A
/// battle adds units and city. Technique: Millington, "AI for Games", 9.7: search over parts of a
/// strategy game, strategies as moves, heuristics in place of lookahead, influence maps.
///
/// Threads: as ploy/board/game.h.
#pragma once

#include "ploy/board/game.h"

/// Maximum number of cities of a map.
#define PLOY_BOARD_STRATEGY_CITIES 24

typedef struct ploy_board_strategy_def {
    uint32_t cookie; ///< set by the default; leave alone
    int32_t columns; ///< of cities
    int32_t rows;
    int32_t limit; ///< turns of both nations together, after which the larger one wins
} ploy_board_strategy_def;

PLOY_API ploy_board_strategy_def ploy_board_strategy_def_default(void);
PLOY_API ploy_fields ploy_board_strategy_fields(void);
/// The rules of the strategy tier.
PLOY_API const ploy_board_type *ploy_board_strategy(void);

// ---- the lower tier

typedef enum ploy_board_order_kind {
    PLOY_BOARD_ORDER_BUILD,    ///< city: economy one higher
    PLOY_BOARD_ORDER_TRAIN,    ///< city: `count` units more
    PLOY_BOARD_ORDER_RESEARCH, ///< `count` gold for technology
    PLOY_BOARD_ORDER_MARCH     ///< `count` units from city to target; not an own city: a battle
} ploy_board_order_kind;
/// "build", "train", "research", "march".
PLOY_API const char *ploy_board_order_text(ploy_board_order_kind kind);

/// One order.
typedef struct ploy_board_order {
    ploy_board_order_kind kind;
    int32_t city, target; ///< numbers of cities, row by row; target only for marches
    int32_t count;
} ploy_board_order;

/// The orders of a strategy for the side to move, in the order in which they are carried out.
/// @param strategy  a legal move of the position.
/// @return their number; at most `capacity` are written.
PLOY_API int32_t ploy_board_strategy_orders(const ploy_board_strategy_def *rules,
                                            const void *position, ploy_board_move strategy,
                                            ploy_board_order *out, int32_t capacity);

/// The strength of a nation at each city: the city's own army counts in full, armies one march away
/// count half, and so on. @param out  columns * rows values.
PLOY_API void ploy_board_strategy_influence(const ploy_board_strategy_def *rules,
                                            const void *position, int32_t nation, float *out);

// ---- heuristics in place of lookahead

/// Reasons of an option's score.
typedef struct ploy_board_option {
    ploy_board_move strategy;
    float score; ///< sum of the parts
    float territory, danger, technology, content;
} ploy_board_option;
/// Scores every strategy of the side to move without looking ahead, best first.
/// @return their number; at most `capacity` are written.
PLOY_API int32_t ploy_board_strategy_options(const ploy_board_strategy_def *rules,
                                             const void *position, ploy_board_option *out,
                                             int32_t capacity);

// ---- one subsystem

/// A nation's purchases in the next turns, with everything else abstracted: income from the
/// economy, raids as chance moves. Player 0 plans; player 1 is the world, which never moves. The
/// plan succeeds if the value of the nation at the end reaches the goal.
typedef struct ploy_board_plan_def {
    uint32_t cookie;                         ///< set by the default; leave alone
    int32_t turns;                           ///< of the plan
    int32_t gold, economy, army, technology; ///< at the start
    int32_t threat;                          ///< strength of the enemy's army nearby
    int32_t goal; ///< value that counts as success: economy x 4 + army + technology x 3
} ploy_board_plan_def;

PLOY_API ploy_board_plan_def ploy_board_plan_def_default(void);
PLOY_API ploy_fields ploy_board_plan_fields(void);
/// The rules of the plan: a game for one player against chance.
PLOY_API const ploy_board_type *ploy_board_plan(void);
/// The plan of a nation in a position of the strategy game, for that many turns.
PLOY_API ploy_board_plan_def ploy_board_plan_of(const ploy_board_strategy_def *rules,
                                                const void *position, int32_t nation,
                                                int32_t turns);

// ---- is it searchable?

/// Things of one kind that are chosen in the same turn.
typedef struct ploy_board_choice_group {
    const char *name;
    int64_t things;  ///< 5 cities
    int64_t options; ///< of each, 500
} ploy_board_choice_group;

typedef struct ploy_board_tree_size {
    int64_t single;      ///< single moves: the sum over all things
    double combinations; ///< log10 of the choices of one turn if every thing moves
    double tree;         ///< log10 of the positions after all turns
    const char *advice;  ///< what to do with a tree of that size
} ploy_board_tree_size;
/// Estimates the size of a game's tree before the game is written. @param turns  looked ahead, at
/// least 1.
PLOY_API ploy_board_tree_size ploy_board_tree_size_of(const ploy_board_choice_group *groups,
                                                      int32_t count, int32_t turns);
