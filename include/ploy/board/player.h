/// @file ploy/board/player.h
/// A player: books and endings first, then a search, at a level from 1 to 10.
///
///     create --> begin(position) --> step, step, ... --> choice --> play(move) --> begin ...
///                                    ponder while the opponent thinks
///
/// Sources (books, endings) are consulted first, in order; the first that knows a move decides.
/// Otherwise a tree search or a Monte Carlo search runs. A level limits nodes (or playouts) and
/// allows a bounded loss: among the root moves that are worse than the best by no more than `loss`
/// one is drawn, better ones more often. A weak level therefore plays plausible moves instead of
/// random ones, and by its own scores never gives away more than its bound in one move.
///
/// The player remembers the game (`play`), so that repetitions count and trees and tables are kept.
/// It is available as a ploy_behavior through a ploy_maker, and protocol engines use it. One unit
/// of budget is a node or a playout. Threads: one caller for each player.
#pragma once

#include "ploy/board/mcts.h"
#include "ploy/board/search.h"
#include "ploy/exec/maker.h"

/// Something that may know the move: a book, an ending database.
typedef struct ploy_board_source {
    const char *name; ///< "book"
    /// @return true and the move, which must be legal, if it knows one. The rng is the player's.
    bool (*find)(void *user, ploy_board board, const void *position, ploy_rng *rng,
                 ploy_board_move *move);
    void *user;
} ploy_board_source;
#define PLOY_BOARD_SOURCES 4

typedef struct ploy_board_player_def {
    uint32_t cookie;  ///< set by the default; leave alone
    int32_t level;    ///< 1 to 10; 0: only the search's own limits
    bool monte_carlo; ///< the search is Monte Carlo
    uint64_t seed;    ///< of books and levels
    int32_t nodes;    ///< of level 10; each level below has about half
    int32_t loss;     ///< largest loss at level 1, in the game's units; 0: by the game's scale
    ploy_board_search_def search;
    ploy_board_mcts_def mcts;
} ploy_board_player_def;

PLOY_API ploy_board_player_def ploy_board_player_def_default(void);
PLOY_API ploy_fields ploy_board_player_fields(void);
/// Settings that suit the game: Monte Carlo where no evaluation exists, else a strong search.
PLOY_API ploy_board_player_def ploy_board_player_def_for(ploy_board board, int32_t level);

/// What the player decided and why.
typedef struct ploy_board_choice_made {
    bool done;
    ploy_board_move move;
    ploy_board_move best; ///< of the search; differs from `move` where the level allowed a loss
    const char *source;   ///< "book", "search", "mcts", "only move", "level"
    int32_t score;        ///< of the move, where a tree search found one
    int32_t loss;         ///< best score minus the score of the move
    int32_t depth;
    int64_t units; ///< nodes or playouts
} ploy_board_choice_made;

/// A player. Opaque.
typedef struct ploy_board_player ploy_board_player;

PLOY_API ploy_result ploy_board_player_create(const ploy_board_player_def *def, ploy_board board,
                                              const ploy_env *env, ploy_board_player **out);
PLOY_API void ploy_board_player_destroy(ploy_board_player *player);
/// Adds a source after the existing ones. @return PLOY_ERR_CAPACITY.
PLOY_API ploy_result ploy_board_player_source_add(ploy_board_player *player,
                                                  const ploy_board_source *source);
/// The jobs of the search, for several lanes or trees; NULL: the calling thread. They never change a
/// move.
PLOY_API void ploy_board_player_jobs_set(ploy_board_player *player, const ploy_jobs *jobs);
/// Starts a game at a position; NULL: the start.
PLOY_API ploy_result ploy_board_player_new_game(ploy_board_player *player, const void *position);
/// Records a move that was played, by either side. @return PLOY_ERR_ARGUMENT if it is not legal.
PLOY_API ploy_result ploy_board_player_play(ploy_board_player *player, ploy_board_move move);
/// Goes to another position of the same game, such as one before a move that was taken back. The
/// table and the trees are kept.
/// @param history  hashes of the positions before it, the oldest first; the last
///                 PLOY_BOARD_HISTORY count. May be NULL if count is 0.
PLOY_API void ploy_board_player_go_to(ploy_board_player *player, const void *position,
                                      const uint64_t *history, int32_t count);
/// The position of the game.
PLOY_API const void *ploy_board_player_position(const ploy_board_player *player);
/// Begins to think about the present position. @return PLOY_ERR_STATE if the game is over or chance
/// is to move.
PLOY_API ploy_result ploy_board_player_begin(ploy_board_player *player);
/// Begins to think without the sources, also where only one move is legal, and without the level's
/// limit: for analysis.
/// @return as ploy_board_player_begin.
PLOY_API ploy_result ploy_board_player_analyze(ploy_board_player *player);
/// Changes the limits of the search under way; 0 keeps a limit. For clocks.
PLOY_API void ploy_board_player_limit(ploy_board_player *player, int32_t depth, int64_t units);
PLOY_API ploy_result ploy_board_player_step(ploy_board_player *player, ploy_budget *budget);
/// Thinks about the position while the opponent is to move: fills the table, decides nothing. Call
/// it between play and the opponent's move.
PLOY_API ploy_result ploy_board_player_ponder(ploy_board_player *player, ploy_budget *budget);
/// Stops thinking; the choice is the best so far.
PLOY_API void ploy_board_player_stop(ploy_board_player *player);
PLOY_API ploy_board_choice_made ploy_board_player_choice(const ploy_board_player *player);
/// The player's searches, for lines and statistics; NULL if it has none.
PLOY_API ploy_board_search *ploy_board_player_search(ploy_board_player *player);
PLOY_API ploy_board_mcts *ploy_board_player_mcts(ploy_board_player *player);
/// Visits the game, the choice and the search. Saved in mid-search, it continues at the same node or
/// playout after a load into a player of the same def, game and sources.
PLOY_API void ploy_board_player_visit(ploy_visit *v, void *object);
PLOY_API void ploy_board_player_describe(const ploy_board_player *player, ploy_describe *out);
PLOY_API void ploy_board_player_memory(const ploy_board_player *player, ploy_memory_fn fn,
                                       void *user);

// ---- as a behavior

/// Settings of a maker. The behavior thinks about the position that `position` returns from the
/// step context, and hands the move to `play` at commit.
typedef struct ploy_board_player_type {
    ploy_board_player_def def;
    ploy_board board;
    /// The position to think about; NULL: nothing to do (the behavior waits).
    const void *(*position)(void *user, const ploy_step_context *context);
    /// Receives the chosen move.
    void (*play)(void *user, ploy_step_context *context, ploy_board_move move);
    void *user;
} ploy_board_player_type;

/// Makes players. @param type  must outlive the definition that holds the maker.
PLOY_API ploy_maker ploy_board_player_maker(const ploy_board_player_type *type);
