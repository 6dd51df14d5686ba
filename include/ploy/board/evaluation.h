/// @file ploy/board/evaluation.h
/// Evaluation graphs: small components combined by sums, products and curves over the game's phase,
/// which explain their score.
///
/// Nodes are added in order and name earlier ones as inputs, so a graph has no cycles. Everything
/// is integer: weights, curves and products are in thousandths, and each node rounds towards 0.
///
///     discs    = component "discs"                       10
///     phase    = curve (0: -1000, 700: -1000, 850: 0, 1000: 4000)
///     value    = product of discs and phase              -10 at phase 500
///     score    = sum of 5000 x value                     -50
///
/// Technique: Millington, "AI for Games", 9.6: components, context, combination; pattern tables
/// over parts of the board.
///
/// Cost: a score evaluates each node once; no allocation after the nodes are added. Threads: a
/// finished graph may be used from several threads.
#pragma once

#include "ploy/board/game.h"

/// One aspect of a position for a player, such as a count of pieces.
typedef struct ploy_board_component {
    const char *name;
    int32_t (*value)(const void *rules, const void *position, int32_t player);
} ploy_board_component;

/// A table over parts of a board: each part is a list of squares, each square is 0 (empty), 1 (own)
/// or 2 (the opponent's), and the code in base 3, the first square highest, selects a score.
typedef struct ploy_board_pattern {
    const char *name;
    int32_t squares;      ///< of a part, 1 to 10
    int32_t parts;        ///< parts with the same table, such as the four edges
    const uint8_t *list;  ///< parts * squares square numbers
    const int16_t *table; ///< 3^squares scores
    /// The content of a square, for a player.
    int32_t (*cell)(const void *rules, const void *position, int32_t player, int32_t square);
} ploy_board_pattern;

/// Thousandths: of weights, curves, products and the phase.
#define PLOY_BOARD_THOUSAND 1000

/// A point of a curve: phase 0 to 1000, and the value there.
typedef struct ploy_board_curve_point {
    int32_t phase;
    int32_t value;
} ploy_board_curve_point;

/// A weighted input of a sum, in thousandths.
typedef struct ploy_board_term {
    int32_t node;
    int32_t weight;
} ploy_board_term;

/// A graph. Opaque.
typedef struct ploy_board_evaluation ploy_board_evaluation;

/// @param phase  of a position, 0 (start) to 1000 (end); NULL: always 0.
PLOY_API ploy_result ploy_board_evaluation_create(int32_t (*phase)(const void *rules,
                                                                   const void *position),
                                                  const ploy_env *env, ploy_board_evaluation **out);
PLOY_API void ploy_board_evaluation_destroy(ploy_board_evaluation *evaluation);

/// Each adds a node and writes its number, which later nodes name. Names and tables are borrowed.
/// @return PLOY_ERR_ARGUMENT for an input that does not exist, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_evaluation_component(ploy_board_evaluation *evaluation,
                                                     const ploy_board_component *component,
                                                     int32_t *node);
PLOY_API ploy_result ploy_board_evaluation_pattern(ploy_board_evaluation *evaluation,
                                                   const ploy_board_pattern *pattern,
                                                   int32_t *node);
PLOY_API ploy_result ploy_board_evaluation_constant(ploy_board_evaluation *evaluation,
                                                    const char *name, int32_t value, int32_t *node);
/// Linear between points, constant outside; phases must rise.
PLOY_API ploy_result ploy_board_evaluation_curve(ploy_board_evaluation *evaluation,
                                                 const char *name,
                                                 const ploy_board_curve_point *points,
                                                 int32_t count, int32_t *node);
PLOY_API ploy_result ploy_board_evaluation_sum(ploy_board_evaluation *evaluation, const char *name,
                                               const ploy_board_term *terms, int32_t count,
                                               int32_t *node);
/// a * b / 1000: b is in thousandths.
PLOY_API ploy_result ploy_board_evaluation_product(ploy_board_evaluation *evaluation,
                                                   const char *name, int32_t a, int32_t b,
                                                   int32_t *node);
PLOY_API ploy_result ploy_board_evaluation_clamp(ploy_board_evaluation *evaluation,
                                                 const char *name, int32_t a, int32_t low,
                                                 int32_t high, int32_t *node);

/// Value of the last node for a player, within PLOY_BOARD_EVALUATION; 0 for an empty graph.
PLOY_API int32_t ploy_board_evaluation_score(const ploy_board_evaluation *evaluation,
                                             const void *rules, const void *position,
                                             int32_t player);

/// Calls back for every node in order, with its value, to explain a score.
PLOY_API int32_t ploy_board_evaluation_explain(const ploy_board_evaluation *evaluation,
                                               const void *rules, const void *position,
                                               int32_t player, ploy_board_part_fn fn, void *user);

/// Samuel's parameters for English checkers (1959), where `player` is the active side: apex, back,
/// cent, cntr, expos, fork, gap. @return NULL past the last one.
PLOY_API const ploy_board_component *ploy_board_samuel_at(int32_t index);
