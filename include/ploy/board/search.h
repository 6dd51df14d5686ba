/// @file ploy/board/search.h
/// Game-tree search: one search with an explicit stack, whose def selects the method.
///
///     create --> begin(position) --> step, step, ... --> outcome, moves --> begin ... --> destroy
///                                    the best so far at any time; cancel ends it
///
/// Methods and their sources: minimax (Shannon 1950) with all others as opponents; max^n (Luckhardt
/// and Irani 1986); negamax; alpha-beta (Knuth and Moore 1975), fail-soft or fail-hard; negascout
/// (Reinefeld 1983); PVS (Marsland and Campbell 1982); MT and its drivers MTD(f), SSS*, DUAL*,
/// MTD-best (Plaat et al. 1996), with the drivers corrected so that a guess from below works;
/// expectiminimax for chance nodes, which every method handles. The sign of a score changes when
/// the side changes, not with the depth, so players may move twice.
///
/// Around them: iterative deepening, aspiration windows, a transposition table, ordering (table
/// move, previous iteration, the game's order, killers, history, evaluation of the child), null
/// move, late move reductions, futility, extensions, quiescence search, quiescence pruning, and a
/// hook that changes the depth of each move.
///
/// Scores are for the side to move at the root. Wins are PLOY_BOARD_WIN minus the plies to them.
/// One unit of budget is one node entered, quiescence included. Nothing is allocated after create.
/// The same position and def give the same nodes, move and line in one step or in a thousand.
///
/// With `lanes` above 1, root moves after the first are searched side by side, in rounds of 1024
/// nodes a lane. A lane reads the table of the last round; what the lanes store is committed in the
/// order of the lanes when the round ends. The result depends on the number of lanes and not on the
/// workers of the jobs. A round is not divided: a step with budget left runs it whole, and its nodes
/// are paid for before the next one. Hooks keep the lanes in the calling thread.
/// Threads: one caller for each search; it may use the jobs it was given.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/jobs.h"
#include "ploy/board/table.h"

typedef enum ploy_board_method {
    PLOY_BOARD_ONE_PLY,   ///< evaluates the position after each move
    PLOY_BOARD_MINIMAX,   ///< the player to move against all others
    PLOY_BOARD_MAXN,      ///< each player maximizes its own result
    PLOY_BOARD_NEGAMAX,   ///< two players, zero sum; no pruning
    PLOY_BOARD_ALPHABETA, ///< also for more players, as minimax with pruning
    PLOY_BOARD_NEGASCOUT,
    PLOY_BOARD_PVS,
    PLOY_BOARD_MT,      ///< one test: is the value at least `guess`?
    PLOY_BOARD_MTDF,    ///< from `guess`, or the score of the previous depth
    PLOY_BOARD_SSS,     ///< MTD from above
    PLOY_BOARD_DUAL,    ///< MTD from below
    PLOY_BOARD_MTD_BEST ///< finds a best move; its score is only a bound
} ploy_board_method;
#define PLOY_BOARD_METHODS 12

/// "one_ply", "minimax", ...
PLOY_API const char *ploy_board_method_text(ploy_board_method method);

/// Whether a method suits a game.
typedef enum ploy_board_suits {
    PLOY_BOARD_SUITS,      ///< gives the method's full result
    PLOY_BOARD_SUITS_LESS, ///< runs, with the limits named in the reason
    PLOY_BOARD_UNSUITED    ///< create refuses it
} ploy_board_suits;
/// @param reason  set to a sentence (static text), or "" where it suits; may be NULL.
PLOY_API ploy_board_suits ploy_board_method_suits(ploy_board board, ploy_board_method method,
                                                  const char **reason);
/// The same for Monte Carlo search (ploy/board/mcts.h).
PLOY_API ploy_board_suits ploy_board_mcts_suits(ploy_board board, const char **reason);

/// Most lanes of a search.
#define PLOY_BOARD_LANES_MAX 64

typedef struct ploy_board_search_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_board_method method;
    int32_t depth;   ///< plies; at most max_ply
    int32_t nodes;   ///< limit; 0: none. At the limit, the best so far is the result
    int32_t max_ply; ///< deepest line, with extensions and quiescence
    bool iterative;  ///< depth 1, 2, ... up to `depth`
    int32_t first;   ///< first depth of an iterative search
    bool fail_hard;  ///< scores never leave the window
    int32_t alpha;   ///< window at the root
    int32_t beta;
    int32_t guess;         ///< first guess of MT and MTD; for MT, the value to test
    int32_t tries;         ///< limit of MTD and aspiration passes at one depth; then a full search
    int32_t aspiration;    ///< half width of the window around the last score; 0: none
    int32_t candidates;    ///< this many best root moves get exact scores
    bool distance;         ///< prefer the shorter win and the longer loss
    bool order_table;      ///< the table's move first
    bool order_previous;   ///< root moves by the scores of the previous depth
    bool order_game;       ///< by the game's `order`
    bool order_killers;    ///< moves that cut a sibling first
    bool order_history;    ///< by how often a move cut elsewhere
    bool order_evaluation; ///< by the evaluation of the child; costs one evaluation per move
    bool store_leaves;     ///< evaluated positions go to the table too
    int32_t quiescence;    ///< maximum number of plies of noisy moves beyond the depth; 0: none
    int32_t forcing;       ///< plies of it that follow every move that is_noisy accepts (checks)
    int32_t delta;      ///< a noisy move that cannot come within this of alpha is skipped; 0: none
    bool null_move;     ///< a side that may pass and still fails high is cut
    bool late_moves;    ///< late quiet moves are searched less deep first
    int32_t futility;   ///< margin for each ply of depth, near the leaves; 0: none
    bool extend_threat; ///< one ply more when threatened (check)
    bool extend_single; ///< one ply more with a single legal move
    int32_t calm_plies; ///< stop where the evaluation was stable for this many plies; 0: never
    int32_t calm_tolerance; ///< largest change that counts as stable
    int32_t calm_depth;     ///< never above this ply
    int32_t lanes;          ///< root moves searched side by side; 1: one after the other
    ploy_board_table_def table;
} ploy_board_search_def;

PLOY_API ploy_board_search_def ploy_board_search_def_default(void);
PLOY_API ploy_fields ploy_board_search_fields(void);
/// A def for playing strength: PVS with everything that the game supports.
PLOY_API ploy_board_search_def ploy_board_search_def_strong(ploy_board board);

/// Why a node returned.
typedef enum ploy_board_cut {
    PLOY_BOARD_CUT_NONE,      ///< all moves were searched
    PLOY_BOARD_CUT_BETA,      ///< a move was at least beta
    PLOY_BOARD_CUT_TABLE,     ///< the table had the score
    PLOY_BOARD_CUT_OVER,      ///< the game is over
    PLOY_BOARD_CUT_DEPTH,     ///< evaluated at the depth limit
    PLOY_BOARD_CUT_REPEATED,  ///< the position occurred before
    PLOY_BOARD_CUT_NULL_MOVE, ///< passing was enough
    PLOY_BOARD_CUT_STAND_PAT, ///< quiescence: the evaluation alone was enough
    PLOY_BOARD_CUT_FUTILE,    ///< the evaluation was beyond the margin
    PLOY_BOARD_CUT_CALM,      ///< the evaluation was stable
    PLOY_BOARD_CUT_POLICY     ///< the depth hook pruned it
} ploy_board_cut;
/// "none", "beta", "table", "over", "depth", "repeated", "null move", "stand pat", "futile",
/// "calm", "policy".
PLOY_API const char *ploy_board_cut_text(ploy_board_cut cut);

/// One event of a search, for pictures and tests.
typedef struct ploy_board_event {
    bool entered;         ///< entered, or left
    int32_t ply;          ///< 0: the root
    ploy_board_move move; ///< that led here; at the root PLOY_BOARD_NO_MOVE
    int32_t depth;        ///< plies left
    int32_t side;         ///< to move
    int32_t alpha, beta;  ///< for the side to move
    int32_t score;        ///< when left
    ploy_board_cut cut;   ///< when left
    int64_t node;         ///< number of the node, from 1; with lanes: of its lane
} ploy_board_event;

/// Return value of a depth hook: the move is not searched.
#define PLOY_BOARD_PRUNE INT32_MIN

/// Functions of the caller; all may be NULL. They must not change the position.
typedef struct ploy_board_hooks {
    void (*watch)(void *user, const ploy_board_event *event);
    /// Change of the depth for a move about to be searched, or PLOY_BOARD_PRUNE. The position is
    /// the one before the move; `evaluation` is that of the position, 0 without an evaluator.
    int32_t (*depth)(void *user, const void *position, ploy_board_move move, int32_t ply,
                     int32_t depth, int32_t evaluation);
    /// Evaluation in place of the type's, for the player.
    int32_t (*evaluate)(void *user, const void *position, int32_t player);
    /// Order of a move in place of the type's; larger first.
    int32_t (*order)(void *user, const void *position, ploy_board_move move);
    /// A known exact score for the side to move (endings): a win in n plies is PLOY_BOARD_WIN - n.
    /// @return false: not known.
    bool (*known)(void *user, const void *position, int32_t *score);
    void *user;
} ploy_board_hooks;

/// One root move.
typedef struct ploy_board_root_move {
    ploy_board_move move;
    int32_t score;      ///< of the last depth at which it was searched
    bool exact;         ///< false: an upper bound (it was refuted), or not yet searched
    int32_t depth;      ///< 0: not yet searched
    int32_t last_score; ///< of the depth before, to compare moves while a depth is under way
    bool last_exact;
    int32_t last_depth;          ///< 0: none
    int64_t nodes;               ///< spent below it
    int32_t line_count;          ///< moves of the line, this one included
    const ploy_board_move *line; ///< the best play for both, or the refutation
} ploy_board_root_move;

typedef struct ploy_board_outcome {
    bool done;            ///< no step is left
    bool partial;         ///< the node limit or cancel ended it before `depth`
    ploy_board_move move; ///< best so far; PLOY_BOARD_NO_MOVE before the first root move
    int32_t score;        ///< of the last completed depth
    int32_t lower, upper; ///< bounds of the value; equal if the score is exact
    int32_t depth;        ///< last completed depth
    int32_t deepest;      ///< ply
    int64_t nodes;        ///< entered, quiescence included
    int64_t leaves;       ///< evaluations and results used
    int64_t table_cuts;
    int32_t passes; ///< searches from the root at the last depth: MTD, aspiration
    int32_t line_count;
    const ploy_board_move *line; ///< valid until the next step
} ploy_board_outcome;

/// A search. Opaque.
typedef struct ploy_board_search ploy_board_search;

/// Allocates everything.
/// @param board  type and rules must outlive the search.
/// @return PLOY_ERR_ARGUMENT for settings out of range, PLOY_ERR_UNSUPPORTED for a method that does
///         not suit the game (the log gives the reason), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_search_create(const ploy_board_search_def *def, ploy_board board,
                                              const ploy_env *env, ploy_board_search **out);
PLOY_API void ploy_board_search_destroy(ploy_board_search *search);
/// Sets the hooks for later begins. NULL: none.
PLOY_API void ploy_board_search_hooks_set(ploy_board_search *search, const ploy_board_hooks *hooks);
/// The jobs that search the lanes; NULL (the default): the calling thread. They must outlive the
/// search, and never change its result.
PLOY_API void ploy_board_search_jobs_set(ploy_board_search *search, const ploy_jobs *jobs);
/// Maximum number of remembered positions before the root.
#define PLOY_BOARD_HISTORY 512
/// Begins at a position, which is copied. The table keeps what earlier searches found.
/// @param history  hashes of the positions before it, the oldest first, for repetitions; the last
///                 PLOY_BOARD_HISTORY count. May be NULL if count is 0.
/// @return PLOY_ERR_STATE if the game is over or chance is to move.
PLOY_API ploy_result ploy_board_search_begin(ploy_board_search *search, const void *position,
                                             const uint64_t *history, int32_t count);
/// After begin and before the first step: only these root moves are searched.
/// @return PLOY_ERR_ARGUMENT if none of them is legal.
PLOY_API ploy_result ploy_board_search_only(ploy_board_search *search, const ploy_board_move *moves,
                                            int32_t count);
/// Changes the limits of the search under way; 0 keeps a limit. For time control and levels.
PLOY_API void ploy_board_search_limit(ploy_board_search *search, int32_t depth, int64_t nodes);
/// Continues until it ends (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). Budget NULL: no
/// limit.
/// @return PLOY_ERR_STATE before begin.
PLOY_API ploy_result ploy_board_search_step(ploy_board_search *search, ploy_budget *budget);
/// Stops the search; the outcome is the best so far.
PLOY_API void ploy_board_search_cancel(ploy_board_search *search);
PLOY_API ploy_board_outcome ploy_board_search_outcome(const ploy_board_search *search);
/// Number of root moves, and one of them, best first.
PLOY_API int32_t ploy_board_search_move_count(const ploy_board_search *search);
PLOY_API ploy_board_root_move ploy_board_search_move_at(const ploy_board_search *search,
                                                        int32_t index);
/// The table, for statistics and to clear it; NULL if the def has none.
PLOY_API ploy_board_table *ploy_board_search_table(ploy_board_search *search);
/// Visits the outcome and the root moves; saved are the stack, the limits and the table, so that a
/// load into a search of the same def and game continues at the same node. Hooks are not saved. A
/// load refuses a stack that was changed.
PLOY_API void ploy_board_search_visit(ploy_visit *v, void *object);
/// The outcome and the root moves with their texts.
PLOY_API void ploy_board_search_describe(const ploy_board_search *search, ploy_describe *out);
PLOY_API void ploy_board_search_memory(const ploy_board_search *search, ploy_memory_fn fn,
                                       void *user);
