/// @file ploy/board/learn.h
/// Learning an evaluation by self-play.
///
///     backup   Samuel: weights move towards what a search finds; one weight stays fixed as an anchor
///     climb    hill climbing: changed weights play the present ones, the best change is kept, and a
///              set that no change improves is stored before the next random start
///     td       TD(lambda): a network learns the chance to win from the positions that follow
///     search   a network learns moves and results from a Monte Carlo search that it guides
///     fit      the weights of the game's own evaluation are fitted to the results of games that the
///              search plays with them, and to its scores: margins by least squares, won and lost
///              games by logistic regression
///
/// Games are played in rounds of eight with the same weights, on the workers given, and learning
/// uses them in order, so that any number of workers gives the same weights. Technique: Samuel
/// 1959; Millington, "AI for Games", 9.6; Tesauro 1995 (TD-Gammon; here the offline lambda return,
/// learned after each game); Silver et al. 2017 (AlphaZero, without its deep network);
/// Buro 1997 (Logistello: weights of patterns fitted to results); for the step of a weight, Duchi,
/// Hazan and Singer 2011 (AdaGrad).
///
/// One unit of budget is a game, or 64 lessons of a fit; a round is not divided. Nothing is allocated after create, except
/// by a restart of `climb`. Threads: one caller; games may run on the jobs given.
#pragma once

#include "ploy/board/learned.h"
#include "ploy/learn/problem.h"
#include "ploy/learn/trainer.h"
#include "ploy/learn/tune.h"

typedef enum ploy_board_learn_method {
    PLOY_BOARD_LEARN_BACKUP,
    PLOY_BOARD_LEARN_CLIMB,
    PLOY_BOARD_LEARN_TD,
    PLOY_BOARD_LEARN_SEARCH,
    PLOY_BOARD_LEARN_FIT
} ploy_board_learn_method;
#define PLOY_BOARD_LEARN_METHODS 5
/// "backup", "climb", "td", "search", "fit".
PLOY_API const char *ploy_board_learn_method_text(ploy_board_learn_method method);

typedef struct ploy_board_learn_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_board_learn_method method;
    int32_t games; ///< in all
    uint64_t seed;
    int32_t hidden, channels; ///< of the network; see ploy/board/learned.h
    float rate;               ///< learning rate; 0: that of the method
    float lambda;             ///< weight of the result against the next value (td) or search (fit)
    float exploration;        ///< share of random moves (td, backup, fit)
    int32_t depth;            ///< plies of the search (backup, climb)
    int32_t opening;          ///< random plies at the start of a game (backup, climb, fit)
    int32_t anchor;           ///< weight that stays fixed; -1: none (backup, climb)
    float step;               ///< change of one weight (climb)
    int32_t match;            ///< games of a comparison (climb)
    float margin;             ///< lead that a change needs, as a share of the points (climb)
    int32_t playouts;         ///< of a move (search)
    float noise;              ///< share of noise in the priors of a move (search)
    int32_t spread;           ///< plies whose move is drawn by its visits (search)
    int32_t replay;           ///< samples kept (search, fit)
    int32_t reuse; ///< how often a new sample is used for learning, on average (search, fit)
    int32_t nodes; ///< of the search of a move (fit)
    int32_t fits;  ///< how often weights are fitted; later games play with them (fit)
    float pull;    ///< towards the weight from which learning starts (fit)
} ploy_board_learn_def;

PLOY_API ploy_board_learn_def ploy_board_learn_def_default(void);
PLOY_API ploy_fields ploy_board_learn_fields(void);

typedef struct ploy_board_learn_report {
    bool done;
    int64_t games;
    int64_t plies;
    int64_t examples; ///< positions learned from
    double loss;      ///< mean square error of value or score over the last round or fit
    int32_t stored;   ///< climb: sets that no change improved
} ploy_board_learn_report;

/// A training under way. Opaque.
typedef struct ploy_board_learn ploy_board_learn;

/// @param board  two players, zero sum; type and rules must outlive the training.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_UNSUPPORTED if the game does not suit the method
///         (the log gives the
///         reason), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_learn_create(const ploy_board_learn_def *def, ploy_board board,
                                             const ploy_env *env, ploy_board_learn **out);
/// NULL is allowed.
PLOY_API void ploy_board_learn_destroy(ploy_board_learn *learn);
/// Workers for the games; NULL: none. They do not change the result.
PLOY_API void ploy_board_learn_jobs_set(ploy_board_learn *learn, const ploy_jobs *jobs);
/// Plays and learns until all games are played (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS).
PLOY_API ploy_result ploy_board_learn_step(ploy_board_learn *learn, ploy_budget *budget);
PLOY_API ploy_board_learn_report ploy_board_learn_report_of(const ploy_board_learn *learn);
/// The evaluation learned so far; owned by the training.
PLOY_API const ploy_board_learned *ploy_board_learn_learned(const ploy_board_learn *learn);

// ---- board games as problems of reinforcement learning

/// A problem (ploy/learn/problem.h): the learner is the first player, actions are policy outputs,
/// and the observation is encode. The opponent looks one ply ahead, or plays at random. Reward: 1,
/// 0 or -1 at the end.
typedef struct ploy_board_problem {
    ploy_problem_type type; ///< first: its address is the problem's type
    ploy_board board;
    float random; ///< share of random moves of the opponent
} ploy_board_problem;

/// Fills a problem; it must outlive the problems made from it.
/// @return PLOY_ERR_UNSUPPORTED for a game with chance, hidden information, or more actions
///         or numbers than
///         a problem may have.
PLOY_API ploy_result ploy_board_problem_init(ploy_board_problem *problem, ploy_board board,
                                             float random);
