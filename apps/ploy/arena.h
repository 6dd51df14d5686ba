// The sides of an arena: players of the library, and engines as processes.
#pragma once

#include "apps/ploy/board.h"

typedef struct arena_side arena_side;

// Why a side did not move.
typedef enum arena_fault {
    ARENA_FINE,
    ARENA_DIED,    // the process ended, or could not be started: the game is void
    ARENA_HANGS,   // no answer in time: lost
    ARENA_ILLEGAL, // lost
    ARENA_RESIGNS, // lost
    ARENA_LATE,    // its clock ran out: lost
    ARENA_FAILED   // out of memory or similar: void
} arena_fault;

// Clocks of a game; base_ms is 0 where there are none.
typedef struct arena_clock {
    int64_t base_ms, increment_ms;
    int64_t left_us[2]; // of the players
} arena_clock;

// Reads "SECONDS" or "SECONDS+INCREMENT". @return -1, or the exit status after a message.
int arena_read_clock(const char *text, arena_clock *out);

// Reads "level:4", "mcts:playouts=1000", "search:nodes=5000", "random", "learned:F", "uci:COMMAND|depth=6|Hash=16",
// "xboard:COMMAND|depth=6", "gtp:COMMAND". NULL after a message: *status is the exit status.
// timeout_ms: for one move of an engine.
arena_side *arena_side_create(const char *text, const board_game *game, int64_t timeout_ms,
                              int *status);
void arena_side_destroy(arena_side *side);
// A new game of that seed. @param start  position text; NULL: the start.
arena_fault arena_side_begin(arena_side *side, uint64_t seed, const char *start,
                             const arena_clock *clock);
// Thinks about the position that the moves lead to, and takes the time from its clock.
// @param reason  receives what went wrong.
arena_fault arena_side_move(arena_side *side, const void *position, const ploy_board_move *moves,
                            int32_t count, arena_clock *clock, ploy_board_move *move,
                            char reason[96]);

// ---- what the results say: arena_numbers.c

typedef struct arena_numbers {
    double score, deviation, error95, elo, elo_low, elo_high, p;
} arena_numbers;

arena_numbers arena_numbers_of(int64_t wins, int64_t draws, int64_t losses);
// Log-likelihood ratio of two Elo differences, by the normal approximation.
double arena_llr(int64_t wins, int64_t draws, int64_t losses, double low, double high);
// Reads "LO,HI". @return -1, or the exit status after a message.
int arena_read_sprt(const char *text, double *low, double *high);

// ---- sides of a simulation: arena_match.c

typedef struct arena_match_options {
    int64_t games, first, workers;
    int64_t ticks; // 0: as the game's table says
    const char *sprt;
    const cli_texts *sets; // of both sides
    bool matches, json;
} arena_match_options;

// @param words  game, side A, side B.
int arena_match(const char *const words[3], const arena_match_options *options);
