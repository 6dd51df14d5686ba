/// @file ploy/board/othello_solver.h
/// Exact Othello endings: the final disc difference under perfect play, in slices.
///
/// The solver asks a series of yes-or-no questions ("at least 8 discs?") with a zero-width window
/// and a table of proven bounds; each answer determines the next question (Plaat et al.'s MTD(f),
/// 1996). Moves that leave the opponent the fewest replies and squares in regions with an odd
/// number of empty squares come first; a count of stable discs ends hopeless branches.
///
/// Scores are for the side to move; empty squares left at the end go to the winner.
///
/// Budget: a unit is a position entered. The last few empty squares are played out at once, so a
/// step may exceed its budget by some hundred units. Cost: no allocation after create. The table, 6
/// MB by default, belongs to the solver and keeps its bounds from one position to the next.
/// Threads: one caller for each solver.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/board/othello.h"

typedef struct ploy_board_othello_solver ploy_board_othello_solver;

typedef struct ploy_board_othello_solver_def {
    uint32_t cookie;    ///< set by the default; leave alone
    int32_t table_bits; ///< the table has 2^table_bits entries of 24 bytes
    int32_t guess;      ///< discs, first score tested
    bool only_sign;     ///< stop as soon as win, draw or loss is known
} ploy_board_othello_solver_def;

PLOY_API ploy_board_othello_solver_def ploy_board_othello_solver_def_default(void);
PLOY_API ploy_fields ploy_board_othello_solver_fields(void);

/// The bounds so far; complete when low == high (or, with only_sign, when the sign is known).
typedef struct ploy_board_othello_solution {
    bool complete;
    int32_t low;          ///< discs, the score is at least this
    int32_t high;         ///< discs, the score is at most this
    ploy_board_move best; ///< move that reaches `low`; 0 if none is proven yet or the game is over
    uint64_t nodes;       ///< positions entered since begin
} ploy_board_othello_solution;

/// Allocates the solver and its table.
PLOY_API ploy_result ploy_board_othello_solver_create(const ploy_board_othello_solver_def *def,
                                                      const ploy_env *env,
                                                      ploy_board_othello_solver **out);
PLOY_API void ploy_board_othello_solver_destroy(ploy_board_othello_solver *solver);

/// Begins a position; cancels the one under way. @return PLOY_ERR_ARGUMENT for an invalid position.
PLOY_API ploy_result ploy_board_othello_solver_begin(ploy_board_othello_solver *solver,
                                                     const ploy_board_othello_position *position);

/// @return PLOY_IN_PROGRESS while work is left, PLOY_OK when the outcome is complete.
PLOY_API ploy_result ploy_board_othello_solver_step(ploy_board_othello_solver *solver,
                                                    ploy_budget *budget);

/// The bounds known so far; may be read at any time.
PLOY_API ploy_board_othello_solution
ploy_board_othello_solver_outcome(const ploy_board_othello_solver *solver);

/// The solver's state, its table included, for a simulation that is saved and rewound.
PLOY_API void ploy_board_othello_solver_visit(ploy_visit *v, void *object);
