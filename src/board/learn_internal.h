// Shared by the methods that learn evaluations.
#pragma once

#include "ploy/board/learn.h"

// Noise for the priors of one position, from now on; share 0: none.
void ployi_board_evaluator_noise(ploy_board_evaluator *evaluator, float share, uint64_t key,
                                 uint64_t seed);

enum { PLOYI_LEARN_ROUND = 8, PLOYI_LEARN_PLIES = 512, PLOYI_LEARN_LESSONS = 64 };

// One self-play game of a round: everything that a worker needs.
typedef struct ployi_learn_game {
    ploy_rng rng;
    ploy_board_evaluator *evaluator; // of the learned evaluation
    ploy_board_learned *own;         // climbing: the candidate
    ploy_board_evaluator *own_evaluator;
    ploy_board_search *searches[2]; // backup: the first; climbing: candidate and present
    ploy_board_mcts *mcts;          // search-trained
    unsigned char *position, *copy;
    ploy_board_move *moves;
    // Records: positions after a move (td) or before it.
    unsigned char *positions;
    int8_t *viewers;
    float *values;    // td: targets; backup: searched scores; search-trained: results
    float *policies;  // search-trained: shares of visits
    uint64_t *hashes; // fit: of the positions so far, for repetitions
    int32_t count;
    int64_t plies;
    float result; // climbing: points
    ploy_result status;
} ployi_learn_game;

struct ploy_board_learn {
    ploy_env env;
    ploy_board_learn_def def;
    ploy_board board;
    ploy_board_learned *learned;
    ploy_trainer *trainer;
    const ploy_jobs *jobs;
    size_t bytes, position_bytes;
    int32_t policy, inputs;
    ployi_learn_game games[PLOYI_LEARN_ROUND];
    unsigned char *block; // what the games point to
    float *input, *errors;
    // Replay of search-trained policies: a ring.
    unsigned char *replay_positions;
    float *replay_policies, *replay_values;
    int64_t replayed; // samples ever stored
    ploy_rng rng;     // of the training
    // Fit: weights with fractions, sums of squared gradients, and how far the fit under way is.
    float *fit_weights, *fit_squares;
    int16_t *fit_table;
    ploy_board_weight_term *fit_terms;
    int8_t *replay_viewers;
    int64_t lessons, lessons_left;
    double fit_loss;
    int32_t fitted; // fits done
    // Climbing.
    ploy_tune *tune;
    float best[PLOY_BOARD_WEIGHTS_MAX]; // stored set
    bool has_best;
    int32_t restarts;
    uint64_t evaluations; // matches begun
    ploy_board_learn_report report;
};

// Plays a chance move by its odds.
void ployi_learn_roll(ploy_board board, ployi_learn_game *game);
// Which of the moves in game->moves wins at once or has the best position behind it; for TD.
ploy_board_move ployi_learn_greedy(ploy_board board, ployi_learn_game *game, int32_t side,
                                   int32_t count);
// One game of each method; runs on a worker.
void ployi_learn_play_td(ploy_board_learn *learn, ployi_learn_game *game);
void ployi_learn_play_backup(ploy_board_learn *learn, ployi_learn_game *game);
void ployi_learn_play_search(ploy_board_learn *learn, ployi_learn_game *game);
void ployi_learn_play_fit(ploy_board_learn *learn, ployi_learn_game *game);
// Fit, in learn_fit.c: keeps the samples of a game; prepares the weights; starts a fit; gives up to
// PLOYI_LEARN_LESSONS lessons of it, after the last of which the weights are in the table.
void ployi_learn_fit_keep(ploy_board_learn *learn, const ployi_learn_game *game);
void ployi_learn_fit_prepare(ploy_board_learn *learn);
void ployi_learn_fit_begin(ploy_board_learn *learn);
void ployi_learn_fit_step(ploy_board_learn *learn);
// The match of candidate `number` against the present weights.
void ployi_learn_play_climb(ploy_board_learn *learn, ployi_learn_game *game, uint64_t number);
