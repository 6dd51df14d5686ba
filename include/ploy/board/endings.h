/// @file ploy/board/endings.h
/// Ending databases: the exact value and the distance to the end of every position of a set.
///
///     create(source) --> step, step, ... --> value, best, longest --> save
///     load(source, bytes) --> value, best
///
/// Retrograde analysis (Bellman 1965; Thompson 1986) for any game whose positions can be numbered:
/// the moves of every position are made once, and values propagate back from finished games along
/// the edges, ply by ply. A move that leaves the set (a capture, a promotion) gets its value from
/// the rules, if that ends the game, or from the source. Positions from which neither side can
/// force a win are draws.
///
/// One unit of budget is one position examined. Memory: 10 bytes per number and 4 per move while
/// building, 2 per number afterwards. Two players, zero sum, no chance; a finished game that is not
/// drawn is lost for the side whose turn it would be. Threads: many may read values of a finished
/// database; everything else takes one caller.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/writer.h"
#include "ploy/board/chess.h"
#include "ploy/board/draughts.h"

/// A value for the side to move: 0 is a draw, n + 1 a win in n plies, -(n + 1) a loss in n plies.
typedef int16_t ploy_board_ending;
/// Value of a number that is not a position.
#define PLOY_BOARD_ENDING_NONE INT16_MIN

/// The set of positions. Functions must not change anything.
typedef struct ploy_board_endings_source {
    const char *name; ///< such as "KQK"; part of the file, outlives the endings
    ploy_board board; ///< type and rules outlive the endings
    int64_t count;    ///< numbers are 0 to count - 1; at most INT32_MAX
    /// Writes the position of a number. @return false if the number is not a legal position.
    bool (*position)(void *user, int64_t number, void *position);
    /// Number of a position; -1: outside the set.
    int64_t (*number)(void *user, const void *position);
    /// Value of a position outside the set, in which the game is not over, for its side to move.
    /// NULL: draws.
    ploy_board_ending (*outside)(void *user, const void *position);
    void *user;
} ploy_board_endings_source;

/// A database. Opaque.
typedef struct ploy_board_endings ploy_board_endings;

/// Begins to build a database.
/// @return PLOY_ERR_ARGUMENT for a source without positions or an unsuitable game,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_endings_create(const ploy_board_endings_source *source,
                                               const ploy_env *env, ploy_board_endings **out);
PLOY_API void ploy_board_endings_destroy(ploy_board_endings *endings);
/// Continues until it is built (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). Budget NULL: no
/// limit.
/// @return PLOY_ERR_MEMORY when the moves do not fit: the database stays unfinished.
PLOY_API ploy_result ploy_board_endings_step(ploy_board_endings *endings, ploy_budget *budget);
/// Share of the work that is done, 0 to 1; never falls. How many passes over the set hand values
/// back is known only after the last one, so their part, the last tenth, is an estimate.
PLOY_API double ploy_board_endings_progress(const ploy_board_endings *endings);

/// Value of a position. @return false if it is outside the set or the database is not finished.
PLOY_API bool ploy_board_endings_value(const ploy_board_endings *endings, const void *position,
                                       ploy_board_ending *value);
/// The move that wins fastest, draws, or loses slowest. PLOY_BOARD_NO_MOVE: the value is not known
/// or the game is over.
PLOY_API ploy_board_move ploy_board_endings_best(const ploy_board_endings *endings,
                                                 const void *position);

typedef struct ploy_board_endings_report {
    int64_t positions, wins, draws, losses; ///< for the side to move
    int32_t longest;                        ///< plies of the longest win
    int64_t longest_number;                 ///< a position with that win; -1: none
    int64_t faults;                         ///< found by ploy_board_endings_check
} ploy_board_endings_report;
/// Counts of a finished database.
PLOY_API ploy_board_endings_report ploy_board_endings_report_of(const ploy_board_endings *endings);
/// A separate pass: compares every value with those of its successors. @return as report_of, with
/// faults.
PLOY_API ploy_board_endings_report ploy_board_endings_check(const ploy_board_endings *endings);
/// The set that the database was built for.
PLOY_API const ploy_board_endings_source *
ploy_board_endings_source_of(const ploy_board_endings *endings);

/// Writes a finished database. @return PLOY_ERR_STATE, the writer's error.
PLOY_API ploy_result ploy_board_endings_save(const ploy_board_endings *endings,
                                             ploy_writer *writer);
/// Reads a database for the same set. @return PLOY_ERR_FORMAT with the reason in diags (may be
/// NULL), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_endings_load(const ploy_board_endings_source *source,
                                             const void *bytes, size_t size, const char *name,
                                             const ploy_env *env, ploy_diags *diags,
                                             ploy_board_endings **out);

// ---- chess

/// Maximum number of databases that the positions of another one may lead to.
#define PLOY_BOARD_CHESS_ENDINGS 4

/// A set of chess positions by material, such as "KQK", "KPK" or "KBNK": White has the first king
/// and the pieces after it, Black the second king and the pieces after it. Up to three pieces
/// besides the kings.
typedef struct ploy_board_chess_material {
    ploy_board_chess_def rules;
    char text[8];
    int32_t pieces[3], owners[3], count; ///< types and sides of the pieces besides the kings
    bool pawns;
    /// Finished databases for promotions and captures; a position in none of them counts as a draw.
    const ploy_board_endings *others[PLOY_BOARD_CHESS_ENDINGS];
} ploy_board_chess_material;

/// Fills a source. @param material  set up here; outlives the endings.
/// @return PLOY_ERR_FORMAT if the text does not describe such material.
PLOY_API ploy_result ploy_board_chess_endings(const char *text, ploy_board_chess_material *material,
                                              ploy_board_endings_source *source);

// ---- draughts

/// Maximum number of pieces of a set.
#define PLOY_BOARD_DRAUGHTS_PIECES 4

/// All draughts positions with a number of pieces, on boards of 8 x 8 squares.
typedef struct ploy_board_draughts_set {
    ploy_board_draughts_def rules;
    char text[16]; ///< such as "english3"
    int32_t pieces;
    /// Finished databases of fewer pieces, for captures; a position in none of them counts as a
    /// draw.
    const ploy_board_endings *fewer[PLOY_BOARD_DRAUGHTS_PIECES];
} ploy_board_draughts_set;

/// Fills a source. The numbers of both sides to move are 256, 15,872, 634,880 and 18,411,520; twice
/// 120, 6,972, 261,224 and 7,092,774 of them are positions.
/// @param set  set up here; outlives the endings.
/// @return PLOY_ERR_ARGUMENT for another number of pieces or a board of another size.
PLOY_API ploy_result ploy_board_draughts_endings(int32_t pieces, ploy_board_draughts_rules rules,
                                                 ploy_board_draughts_set *set,
                                                 ploy_board_endings_source *source);
