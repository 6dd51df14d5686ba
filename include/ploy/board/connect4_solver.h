/// @file ploy/board/connect4_solver.h
/// Exact Connect Four: the result of a position under perfect play, in slices.
///
/// Zero-width alpha-beta searches halve the range of possible scores until one score is left. Moves
/// that let the opponent win at once are never tried, moves that make the most threats come first,
/// and a table keeps proven bounds (after Pascal Pons, "Solving Connect 4", 2015; bounds of the
/// successors are looked up before any of them is searched).
///
/// Score, for the side to move: 0 draw; k > 0 a win, k < 0 a loss, |k| = 1 + the number of stones
/// that the winner has left after the winning move. On 7x6, placing the 21st stone wins with 1, the
/// fourth with 18.
///
/// Positions are two bitboards, bit = column * (rows + 1) + row, row 0 at the bottom; the bit above
/// each column is 0. Boards of up to 50 such bits (7x6 has 49).
///
/// Budget: a unit is a position entered. Cost: no allocation after create; the table, 2 MB by
/// default, fits the processor's cache and is kept from one position to the next.
/// Threads: one caller for each solver.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"

#define PLOY_BOARD_CONNECT4_SOLVER_BITS 50    ///< limit of columns * (rows + 1)
#define PLOY_BOARD_CONNECT4_SOLVER_COLUMNS 16 ///< maximum number of columns

typedef struct ploy_board_connect4_solver ploy_board_connect4_solver;

typedef struct ploy_board_connect4_solver_def {
    uint32_t cookie;  ///< set by the default; leave alone
    int32_t columns;  ///< of the board
    int32_t rows;     ///< of the board
    int32_t table_kb; ///< KB, size of the table of bounds
} ploy_board_connect4_solver_def;

PLOY_API ploy_board_connect4_solver_def ploy_board_connect4_solver_def_default(void);
PLOY_API ploy_fields ploy_board_connect4_solver_fields(void);

/// The bounds so far; complete when low == high.
typedef struct ploy_board_connect4_solution {
    bool complete;
    int32_t low;  ///< the score is at least this
    int32_t high; ///< the score is at most this
    int32_t
        column; ///< of a move that reaches `low`, from 0; -1 if none is proven yet or the game is over
    uint64_t nodes; ///< positions entered since begin
} ploy_board_connect4_solution;

/// Allocates the solver and its table. @return PLOY_ERR_ARGUMENT also for a board with too many
/// bits.
PLOY_API ploy_result ploy_board_connect4_solver_create(const ploy_board_connect4_solver_def *def,
                                                       const ploy_env *env,
                                                       ploy_board_connect4_solver **out);
PLOY_API void ploy_board_connect4_solver_destroy(ploy_board_connect4_solver *solver);

/// Begins a position; cancels the one under way.
/// @param own  stones of the side to move. @param all  all stones.
/// @return PLOY_ERR_ARGUMENT for stones outside the board or above a gap.
PLOY_API ploy_result ploy_board_connect4_solver_begin(ploy_board_connect4_solver *solver,
                                                      uint64_t own, uint64_t all);

/// @return PLOY_IN_PROGRESS while work is left, PLOY_OK when the outcome is complete.
PLOY_API ploy_result ploy_board_connect4_solver_step(ploy_board_connect4_solver *solver,
                                                     ploy_budget *budget);

/// The bounds known so far; may be read at any time.
PLOY_API ploy_board_connect4_solution
ploy_board_connect4_solver_outcome(const ploy_board_connect4_solver *solver);

/// The solver's state, its table included, for a simulation that is saved and rewound.
PLOY_API void ploy_board_connect4_solver_visit(ploy_visit *v, void *object);
