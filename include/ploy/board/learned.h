/// @file ploy/board/learned.h
/// Evaluations with learned weights: those of the game's evaluation, a weighted sum of its parts, a
/// network for the value of a position, or a network for moves and value.
///
///     table    the game's evaluation with other weights (the type's `weights`)
///     linear   sum of weight x part over the game's score_parts; weights of 1: the game's evaluation
///     value    encode -> hidden layers -> chance to win of the side to move
///     policy   encode -> hidden layers -> a number for each move, and the chance to win
///
/// An evaluator runs one in a search: as `evaluate` of ploy/board/search.h, or as `guide` of
/// ploy/board/mcts.h. Weights come from ploy/board/learn.h or from a file (ploy/data/board_file.h).
///
/// Threads: many may read a learned evaluation, each with a separate evaluator.
#pragma once

#include "ploy/board/mcts.h"
#include "ploy/learn/net.h"

typedef enum ploy_board_learned_kind {
    PLOY_BOARD_LEARNED_LINEAR,
    PLOY_BOARD_LEARNED_VALUE,
    PLOY_BOARD_LEARNED_POLICY,
    PLOY_BOARD_LEARNED_TABLE
} ploy_board_learned_kind;

/// Maximum number of weights of a linear evaluation.
#define PLOY_BOARD_WEIGHTS_MAX 32

typedef struct ploy_board_learned_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_board_learned_kind kind;
    int32_t hidden;   ///< units of the hidden layer; 0: none, a linear network
    int32_t channels; ///< of a 3 x 3 convolution before it; 0: none
    uint64_t seed;    ///< of the initial weights
} ploy_board_learned_def;

PLOY_API ploy_board_learned_def ploy_board_learned_def_default(void);
PLOY_API ploy_fields ploy_board_learned_fields(void);

/// A learned evaluation. Opaque.
typedef struct ploy_board_learned ploy_board_learned;

/// Creates one with initial weights: 1 for linear, small random ones for networks, those from which
/// learning starts for a table.
/// @param board  type and rules must outlive the evaluation.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_UNSUPPORTED if the game lacks score_parts, encode,
///         policy_size or weights (the log names it), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_learned_create(const ploy_board_learned_def *def, ploy_board board,
                                               const ploy_env *env, ploy_board_learned **out);
/// NULL is allowed.
PLOY_API void ploy_board_learned_destroy(ploy_board_learned *learned);
PLOY_API const ploy_board_learned_def *ploy_board_learned_def_of(const ploy_board_learned *learned);
PLOY_API ploy_board ploy_board_learned_board(const ploy_board_learned *learned);

/// Weights of a linear evaluation and their number; NULL and 0 for others.
PLOY_API float *ploy_board_learned_weights(ploy_board_learned *learned, int32_t *count);
/// Weights of a table and their number; NULL and 0 for others.
PLOY_API const int16_t *ploy_board_learned_table(const ploy_board_learned *learned, int32_t *count);
/// Replaces them; values has as many.
PLOY_API void ploy_board_learned_table_set(ploy_board_learned *learned, const int16_t *values);
/// Parts of a position for a player, in the order of the weights.
PLOY_API void ploy_board_learned_features(const ploy_board_learned *learned, const void *position,
                                          int32_t player, float *out);
/// The network; NULL for an evaluation without one.
PLOY_API ploy_net *ploy_board_learned_net(ploy_board_learned *learned);
/// Weights, whatever the kind.
PLOY_API void ploy_board_learned_visit(ploy_visit *v, void *object);
PLOY_API uint64_t ploy_board_learned_hash(const ploy_board_learned *learned);

/// One step of Samuel's backup: moves the weights so that the evaluation comes closer to what a
/// search found. weight += rate * (searched - current) * feature, except where anchored (may be
/// NULL).
/// @return searched - current.
PLOY_API float ploy_board_backup(const float *features, int32_t count, float *weights,
                                 const bool *anchored, float searched, float rate);

// ---- in a search

/// Working memory of one caller. Opaque.
typedef struct ploy_board_evaluator ploy_board_evaluator;

/// @param learned  must outlive the evaluator. @return PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_evaluator_create(const ploy_board_learned *learned,
                                                 const ploy_env *env, ploy_board_evaluator **out);
/// NULL is allowed.
PLOY_API void ploy_board_evaluator_destroy(ploy_board_evaluator *evaluator);
/// Score for a player, within PLOY_BOARD_EVALUATION. A chance to win counts as
/// 10,000 x (2 chance - 1).
PLOY_API int32_t ploy_board_evaluator_score(ploy_board_evaluator *evaluator, const void *position,
                                            int32_t player);
/// The chance to win of the player whose view encode uses: the side to move, also after a roll.
PLOY_API float ploy_board_evaluator_chance(ploy_board_evaluator *evaluator, const void *position);
/// That player.
PLOY_API int32_t ploy_board_evaluator_viewer(ploy_board_evaluator *evaluator, const void *position);
/// Hooks that use the evaluator as evaluation, and as guide (equal priors without a policy).
PLOY_API ploy_board_hooks ploy_board_evaluator_hooks(ploy_board_evaluator *evaluator);
PLOY_API ploy_board_mcts_hooks ploy_board_evaluator_guide(ploy_board_evaluator *evaluator);
