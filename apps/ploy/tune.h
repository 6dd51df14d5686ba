// What the files of `ploy tune` share: how a point is scored.
#pragma once

#include "apps/ploy/cli.h"
#include "ploy/learn/tune.h"

// A game in which two sides have separate parameters and meet in matches.
typedef struct tune_sides {
    const char *game;
    const char *sides[2]; // groups of parameters, with the same table
    const char *score[2]; // described values, more is better
    uint64_t ticks;       // of a match, unless --ticks sets another length
    const char *share;    // what the arena calls side A's share of all scores; NULL: not printed
    const char *number;   // parameter that must be 2 for two sides to meet; NULL: none
} tune_sides;
// Every game with sides; NULL past the last.
const tune_sides *tune_sides_at(int32_t index);
// NULL for a simulation without sides.
const tune_sides *tune_sides_find(const char *game);

// Everything that a score depends on besides the point. Read-only while matches run.
typedef struct tune_game {
    const ploy_sim_type *type;
    const tune_sides *sides;                     // NULL: `score` counts
    int32_t side;                                // the one whose parameters vary
    const void *params;                          // of the type
    const void *opponent;                        // parameters whose other side is played against
    const char *paths[PLOY_TUNE_PARAMETERS_MAX]; // as in the field table: "red.comfort_zone"
    int32_t count;
    const char *score; // a described value
    uint64_t ticks;
    uint64_t seed;
    ploy_env env;
} tune_game;

// The group of a side and its place. @return its table; count is 0 if there is no such group.
ploy_fields tune_side_fields(const tune_game *game, int32_t side, uint32_t *offset);
// The parameters with a point's values. @return PLOY_ERR_ARGUMENT if one is out of range.
ploy_result tune_game_params(const tune_game *game, const double *point, void *out);
// Runs the game once. A match counts 0.5 + d / (2 + 2 |d|) for a difference of d; odd ones are
// played with the sides swapped.
// @param result  NULL, or 1 for a victory, 0.5 for a draw and 0; the score itself without sides.
ploy_result tune_game_play(const tune_game *game, const double *point, uint64_t seed, bool swap,
                           double *score, double *result);

// Scores points over jobs. Points that are asked for together meet the same seeds.
// @param batch  which points these are: other ones, other seeds.
ploy_result tune_game_scores(const tune_game *game, const double *points, int32_t count,
                             int32_t repeats, uint64_t batch, const ploy_jobs *jobs,
                             double *scores);
// The mean result of a point over seeds that no search uses; half of the matches are swapped.
ploy_result tune_game_verify(const tune_game *game, const double *point, int32_t matches,
                             const ploy_jobs *jobs, double *out);
