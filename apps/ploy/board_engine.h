// A chess engine behind a protocol: the game so far, a search in slices, and input that is read between
// the slices, so that `stop` and `isready` are answered while it thinks.
#pragma once

#include "apps/ploy/board.h"
#include "apps/ploy/board_sources.h"

enum { ENGINE_PLIES = 4096, ENGINE_POSITION_BYTES = 256, ENGINE_LANES = 8, ENGINE_THREADS = 8 };
// Nodes of a search between two looks at the input: well below a millisecond.
enum { ENGINE_SLICE_NODES = 250 };

// Lines from standard input.
typedef struct engine_input {
    ploy_buffer buffer; // bytes that are not yet a line
    size_t taken;       // of them, returned as lines
    bool ended;
} engine_input;

// Limits of one search; 0 means none.
typedef struct engine_limits {
    int64_t depth, nodes, mate;
    int64_t soft_ms, hard_ms; // when to stop between depths, and when in any case
    bool infinite;            // until stop
    bool ponder;              // infinite until ponderhit
} engine_limits;

typedef struct board_engine {
    board_game *game;
    engine_input input;
    uint64_t position[ENGINE_POSITION_BYTES / 8];
    uint64_t positions[ENGINE_PLIES][ENGINE_POSITION_BYTES / 8]; // before each move, for undo
    uint64_t history[ENGINE_PLIES];                              // their hashes
    int32_t plies;
    int64_t hash_mb;
    int64_t level;       // 1 to 10; 0: full strength
    int64_t threads;     // that search the lanes
    ploy_job_pool *pool; // NULL for one thread
    ploy_board_player *player;
    board_sources *sources;
    engine_limits limits;
    uint64_t began_ns;
    int32_t shown;                     // depth that was reported
    int64_t lag_ms;                    // largest one of this game
    int64_t clock_ms, clock_increment; // at the last move; clock_ms 0: none
    int64_t spent_ms;                  // by the search for that move
    bool searching;
} board_engine;

ploy_result engine_create(board_game *game, board_engine **out);
void engine_destroy(board_engine *engine);
// Another table size or level: the player is made again.
ploy_result engine_prepare(board_engine *engine);
// Sets "hash", "threads", "level", "book" or "endings", in lower case. False: no such option, or message says why it
// could not be set; message is "" otherwise.
bool engine_option(board_engine *engine, const char *name, const char *value, char message[160]);
// Forgets what earlier searches found.
void engine_clear(board_engine *engine);
// Waits for a line at most that long; 0 does not wait, below 0 waits forever. NULL: none yet, or the end.
// The line is valid until the next call.
const char *engine_line(board_engine *engine, int wait_ms);

// A number of a line, within bounds that no sum of times leaves.
int64_t engine_number(int64_t value);

// Whether castling is written as in Chess960.
bool engine_is_chess960(const board_engine *engine);
void engine_set_chess960(board_engine *engine, bool on);
// The start, or a position as text. False: not one, and nothing is changed.
bool engine_set(board_engine *engine, const char *text);
// Plays a move of the game. False: not legal.
bool engine_play(board_engine *engine, const char *text);
bool engine_undo(board_engine *engine);

// Time for one move. @param lag_ms  time that passes on the clock but not in the search.
void engine_time(engine_limits *limits, int64_t left_ms, int64_t increment_ms, int64_t moves_to_go,
                 int64_t lag_ms);
// The same for the engine's clock, with the lag that it observed in this game.
void engine_clock(board_engine *engine, engine_limits *limits, int64_t left_ms,
                  int64_t increment_ms, int64_t moves_to_go);
// Begins to think. False: there is nothing to search, engine_fallback has the answer.
bool engine_begin(board_engine *engine, engine_limits limits, const ploy_board_move *only,
                  int32_t count);
// One slice, a few milliseconds. True while it should go on.
bool engine_slice(board_engine *engine);
// Stops thinking. Returns the move, or PLOY_BOARD_NO_MOVE.
ploy_board_move engine_stop(board_engine *engine);
// The search so far; all zero while the book or the endings decide.
ploy_board_outcome engine_outcome(const board_engine *engine);
// Any legal move, or PLOY_BOARD_NO_MOVE.
ploy_board_move engine_fallback(const board_engine *engine);
int64_t engine_elapsed_ms(const board_engine *engine);
// "cp 13" or "mate -3".
void engine_score_text(int32_t score, char out[32]);
// Moves to mate in a score; 0: none.
int32_t engine_mate_in(int32_t score);
// Prints the moves of a line, each behind a blank.
void engine_print_line(const board_engine *engine, const ploy_board_move *line, int32_t count);
