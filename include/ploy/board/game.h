/// @file ploy/board/game.h
/// The rules of a turn-based game as one interface: any game that implements it gets every search,
/// table, book, level and protocol of this module.
///
///     ploy_board_tictactoe_def rules = ploy_board_tictactoe_def_default();
///     ploy_board board = ploy_board_of(ploy_board_tictactoe(), &rules);
///     position: the caller's bytes, board.type->position_bytes(board.rules), aligned to 8
///     start --> moves --> make --> moves --> make ... --> side is PLOY_BOARD_OVER --> result
///
/// A type is immutable and shared. `rules` is the game's def (board size, rule set, komi), borrowed
/// and checked with the type's field table. Positions are plain bytes: fixed-width integers, no
/// pointers, all bytes defined, so that a copy is memcpy and a save is the bytes.
///
/// Scores are int32_t. A won game is PLOY_BOARD_WIN, a lost one -PLOY_BOARD_WIN, a draw 0. A game
/// with PLOY_BOARD_MARGIN has margins as results instead: discs, points. Evaluations are strictly
/// between -PLOY_BOARD_EVALUATION and PLOY_BOARD_EVALUATION, so that no estimate looks like a win.
/// Searches turn a win in n plies into PLOY_BOARD_WIN - n. Depths and distances count plies (turns
/// of one player).
/// Technique: Millington, "AI for Games", 9.1; Knuth and Moore, 1975, for the negamax form.
///
/// Threads: types and rules are read-only; different positions may be used at the same time.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"

/// A move; the game defines the meaning of the bits. 0 is no move. Chance outcomes are moves too.
typedef uint64_t ploy_board_move;
#define PLOY_BOARD_NO_MOVE ((ploy_board_move)0)

/// Maximum number of players of a game.
#define PLOY_BOARD_PLAYERS_MAX 8
/// Side to move: a die is thrown, a card is drawn.
#define PLOY_BOARD_CHANCE 8
/// Side to move: none, the game is over.
#define PLOY_BOARD_OVER (-1)

/// The result of a won game; searches subtract the plies to it.
#define PLOY_BOARD_WIN 1000000
/// Evaluations and margins are nearer to 0 than this.
#define PLOY_BOARD_EVALUATION 900000
/// Larger than any score.
#define PLOY_BOARD_INFINITY 1100000

/// Longest text of a move and of a position, with the terminating zero.
#define PLOY_BOARD_MOVE_TEXT 64
#define PLOY_BOARD_TEXT 1024

/// Properties that decide which searches suit a game.
typedef enum ploy_board_flag {
    PLOY_BOARD_ZERO_SUM = 1, ///< the results of all players add up to 0
    PLOY_BOARD_HIDDEN = 2,   ///< players do not see the whole position; `redraw` is set
    PLOY_BOARD_RANDOM = 4,   ///< has chance moves; `odds` is set
    PLOY_BOARD_MARGIN = 8,   ///< results are margins, not only won, drawn, lost
    PLOY_BOARD_LASTING = 16  ///< a move is worth about the same later in the game, as in Go
} ploy_board_flag;

/// One named part of an evaluation, for the side to move.
typedef void (*ploy_board_part_fn)(void *user, const char *name, int32_t score);

/// How a weight enters an evaluation.
typedef struct ploy_board_weight_term {
    int32_t weight; ///< its number
    float factor;   ///< score for each unit of the weight
} ploy_board_weight_term;

/// The weights of an evaluation that is a sum of weights times factors; ploy/board/learn.h fits them
/// to games.
typedef struct ploy_board_weights {
    int32_t count;
    int32_t terms_max;                ///< most terms of one position
    const int16_t *learned;           ///< those of the type's evaluate
    int16_t (*start)(int32_t weight); ///< the value from which learning starts
    /// The type's evaluate, with other weights.
    int32_t (*evaluate)(const void *rules, const void *position, int32_t player,
                        const int16_t *weights);
    /// Writes the weights that count in a position, for a player; a weight may occur twice.
    /// @return their number.
    int32_t (*terms)(const void *rules, const void *position, int32_t player,
                     ploy_board_weight_term *out);
} ploy_board_weights;

/// The rules of a game. Callbacks get the rules first. All are set except where noted.
typedef struct ploy_board_type {
    const char *name;  ///< "tictactoe"
    const char *title; ///< "Tic-tac-toe"
    const char *help;  ///< one line
    int32_t players;   ///< 2 to PLOY_BOARD_PLAYERS_MAX
    uint32_t flags;    ///< of ploy_board_flag
    int32_t max_moves; ///< maximum number of moves in one position, under any rules
    int32_t unit;      ///< evaluation of a small but clear advantage, such as a pawn; 0: 100
    /// Table of the rules def. NULL: the rules have no settings and may be NULL.
    ploy_fields (*fields)(void);
    /// Checks what the table cannot express: settings that exclude each other. NULL: no check.
    /// diags may be NULL.
    ploy_result (*check)(const void *rules, ploy_diags *diags);

    // ---- positions
    size_t (*position_bytes)(const void *rules);
    size_t (*undo_bytes)(const void *rules);          ///< NULL: 0, for a game without unmake
    void (*start)(const void *rules, void *position); ///< defines every byte
    /// Player to move (0 is the first one), PLOY_BOARD_CHANCE, or PLOY_BOARD_OVER.
    int32_t (*side)(const void *rules, const void *position);
    /// Writes every legal move, in a fixed order. At least one unless the game is over: a player
    /// that must pass has a move for it. Chance: every outcome.
    int32_t (*moves)(const void *rules, const void *position, ploy_board_move *out,
                     int32_t capacity);
    /// Plays a legal move. undo has undo_bytes bytes; NULL if the caller will not unmake.
    void (*make)(const void *rules, void *position, ploy_board_move move, void *undo);
    /// Restores every byte. NULL: callers copy positions instead.
    void (*unmake)(const void *rules, void *position, ploy_board_move move, const void *undo);
    /// When the game is over: the player's result, PLOY_BOARD_WIN, 0, -PLOY_BOARD_WIN or a margin.
    int32_t (*result)(const void *rules, const void *position, int32_t player);
    /// Equal for equal positions, with the side to move; kept in the position by make.
    uint64_t (*hash)(const void *rules, const void *position);
    /// An estimate for any player, not only the side to move; not for finished games. In a zero-sum
    /// game of two players, evaluate(p) is -evaluate(1 - p). NULL: none.
    int32_t (*evaluate)(const void *rules, const void *position, int32_t player);
    /// Weights of evaluate that can be learned; NULL: none.
    const ploy_board_weights *weights;

    // ---- knowledge for searches; each may be NULL
    /// The captures, promotions and similar moves among `moves`: the moves of a quiescence search.
    int32_t (*noisy)(const void *rules, const void *position, ploy_board_move *out,
                     int32_t capacity);
    /// Whether a move is one of them, or as forcing as they are (a check): it is not reduced, and
    /// statistics of quiet moves ignore it.
    bool (*is_noisy)(const void *rules, const void *position, ploy_board_move move);
    /// The gain of a move if all captures on its target follow, in units of evaluate.
    int32_t (*exchange)(const void *rules, const void *position, ploy_board_move move);
    /// Order of moves: larger is tried first.
    int32_t (*order)(const void *rules, const void *position, ploy_board_move move);
    /// The side to move is threatened with loss at once (check): no null move, no stand pat.
    bool (*threatened)(const void *rules, const void *position);
    /// A move for `make` that only changes the side; PLOY_BOARD_NO_MOVE where it would mislead.
    ploy_board_move (*null_move)(const void *rules, const void *position);
    /// Plies since the last irreversible move: a position that repeats within them counts as a draw
    /// in a search. NULL: positions never repeat.
    int32_t (*reversible)(const void *rules, const void *position);
    /// Weight of a chance move; its probability is weight / sum over `moves`. Set for RANDOM.
    int32_t (*odds)(const void *rules, const void *position, ploy_board_move move);
    /// Replaces what `viewer` cannot see with a random draw that fits what it knows. Set for
    /// HIDDEN.
    void (*redraw)(const void *rules, void *position, int32_t viewer, ploy_rng *rng);
    /// One move of a playout; NULL: uniformly random.
    ploy_board_move (*playout)(const void *rules, const void *position, ploy_rng *rng);
    /// How likely a good player chooses the move, above 0; only ratios count.
    float (*prior)(const void *rules, const void *position, ploy_board_move move);

    // ---- text; a game that is neither typed nor saved as text leaves it out
    /// NULL: the move's number.
    void (*move_text)(const void *rules, const void *position, ploy_board_move move,
                      char out[PLOY_BOARD_MOVE_TEXT]);
    /// Reads a legal move. @return PLOY_ERR_FORMAT with the place in diags (which may be NULL).
    /// NULL: the legal move with that text.
    ploy_result (*move_parse)(const void *rules, const void *position, const char *text,
                              const char *name, ploy_board_move *out, ploy_diags *diags);
    /// NULL: the bytes as hexadecimal digits.
    void (*text)(const void *rules, const void *position, char out[PLOY_BOARD_TEXT]);
    /// Reads a position; unchanged on failure. @return as move_parse. NULL: positions are not read.
    ploy_result (*parse)(const void *rules, const char *text, const char *name, void *position,
                         ploy_diags *diags);

    // ---- symmetries, encoding, explanation, picture; each may be NULL
    /// Number of symmetries, the identity (number 0) included.
    int32_t (*symmetries)(const void *rules);
    /// Writes the position transformed by symmetry `number`.
    void (*map)(const void *rules, const void *position, int32_t number, void *out);
    ploy_board_move (*map_move)(const void *rules, ploy_board_move move, int32_t number);
    /// Input of a network for the side to move: shape[0] planes of shape[1] rows and shape[2]
    /// columns.
    void (*encode_shape)(const void *rules, int32_t shape[3]);
    void (*encode)(const void *rules, const void *position, float *out);
    /// Outputs of a policy network, and the one of a move: different for every legal move of a
    /// position. Both or none.
    int32_t (*policy_size)(const void *rules);
    int32_t (*policy_index)(const void *rules, const void *position, ploy_board_move move);
    /// The parts of evaluate for a player; they add up to it.
    void (*score_parts)(const void *rules, const void *position, int32_t player,
                        ploy_board_part_fn fn, void *user);
    /// Area of the picture; the unit is one square.
    ploy_box2 (*area)(const void *rules);
    void (*draw)(const void *rules, const void *position, ploy_draw *out);
    /// Where a move starts and ends in the picture (equal for a placement); false: nowhere. Clicks
    /// and arrows use it.
    bool (*place)(const void *rules, const void *position, ploy_board_move move, ploy_vec2 *from,
                  ploy_vec2 *to);
    /// Values of the position for people and for the hash of a simulation; NULL: its text.
    void (*describe)(const void *rules, const void *position, ploy_describe *out);
} ploy_board_type;

/// A game: its type and the rules it is played by.
typedef struct ploy_board {
    const ploy_board_type *type; ///< NULL means none
    const void *rules;           ///< borrowed
} ploy_board;

/// Every game of the library, in the order in which programs list them: number 0, 1, ...
/// @return NULL past the last one.
PLOY_API const ploy_board_type *ploy_boards_at(int32_t index);
/// The game of that name, or NULL.
PLOY_API const ploy_board_type *ploy_boards_find(const char *name);

/// A game with rules, a def of the type's field table.
PLOY_API ploy_board ploy_board_of(const ploy_board_type *type, const void *rules);

/// Storage for the rules of any game.
typedef struct ploy_board_rules {
    uint64_t bytes[32];
} ploy_board_rules;
/// A game with the default rules, which are written to `rules`.
PLOY_API ploy_board ploy_board_default(const ploy_board_type *type, ploy_board_rules *rules);

/// Checks the rules against the field table and the type's own check; faults go to the env's log.
/// @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_board_rules_check(ploy_board board, const ploy_env *env);

// ---- calls that fill in what a type leaves out

/// Bytes of an undo record: the type's own, or a copy of the position.
PLOY_API size_t ploy_board_undo_bytes(ploy_board board);
/// Plays a move; undo (may be NULL) receives what ploy_board_unmake needs.
PLOY_API void ploy_board_make(ploy_board board, void *position, ploy_board_move move, void *undo);
PLOY_API void ploy_board_unmake(ploy_board board, void *position, ploy_board_move move,
                                const void *undo);
/// Reads moves, each from a separate text, and plays them on the position.
/// @param name  of the source, for messages.
/// @return PLOY_ERR_FORMAT for an illegal move or one after the end of the game; diags
///         (may be NULL) names the move, and the position is that before it.
PLOY_API ploy_result ploy_board_play(ploy_board board, void *position, const char *const *moves,
                                     int32_t count, const char *name, ploy_diags *diags);
/// Draws a chance move by its odds; does not play it.
/// @param moves  scratch for max_moves moves.
/// @return PLOY_BOARD_NO_MOVE if chance is not to move.
PLOY_API ploy_board_move ploy_board_roll(ploy_board board, const void *position,
                                         ploy_board_move *moves, ploy_rng *rng);
/// Describes a position: the type's own description, or its text, and the hash.
PLOY_API void ploy_board_describe(ploy_board board, const void *position, ploy_describe *out);
/// For the body of move_parse: compares the text with that of every legal move. A text that is not
/// one is reported with the nearest legal move.
PLOY_API ploy_result ploy_board_move_by_text(ploy_board board, const void *position,
                                             const char *text, const char *name,
                                             ploy_board_move *out, ploy_diags *diags);

// ---- Zobrist keys

/// Key number `index` of a game's table: a constant of (game, index), the same in every run, never
/// 0. A position's hash is the XOR of the keys of its parts (Zobrist, 1970).
static inline uint64_t ploy_board_key(uint64_t game, int32_t index) {
    // SplitMix64: a bijection of a counter, so the keys of one game differ.
    uint64_t x = game + ((uint64_t)(uint32_t)index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    x ^= x >> 31;
    return x != 0 ? x : UINT64_C(0x9E3779B97F4A7C15);
}
/// Self-test of a table: no key is 0, no two are equal, and every bit is set in some and clear in
/// others. @return the number of faults.
PLOY_API int32_t ploy_board_keys_check(const uint64_t *keys, int32_t count);

// ---- the checker

/// The checker's results.
typedef struct ploy_board_report {
    int64_t games;
    int64_t plies;
    int64_t faults; ///< broken rules; the first of each kind is in diags
    int32_t most_moves;
    int64_t longest; ///< plies of the longest game
} ploy_board_report;

/// Plays random games and tests every promise of ploy_board_type: moves until the game is over, no
/// repeated or unparsable move, hash and unmake, results that add up, evaluation in range and
/// antisymmetric, text round trips, symmetries that keep the tree, odds above 0.
/// @param max_plies  of one game; longer ones are abandoned.
/// @param diags      may be NULL: only the number of faults is needed.
/// @return PLOY_OK also for a broken type: read report->faults. PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_check(ploy_board board, int32_t games, int32_t max_plies,
                                      ploy_rng_key key, const ploy_env *env, ploy_diags *diags,
                                      ploy_board_report *report);

/// Counts the leaves of the game tree at exactly that depth; games that end earlier count as one
/// leaf. Cost: one make and unmake for each inner edge. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_perft(ploy_board board, const void *position, int32_t depth,
                                      const ploy_env *env, uint64_t *leaves);
