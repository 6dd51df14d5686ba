// Fitting the weights of a game's own evaluation to games (see the header): stochastic gradient descent
// whose step is smaller for a weight the more it was moved. Samples are drawn by the training's own
// random numbers, so the same games give the same weights.
#include <math.h>
#include <string.h>

#include "learn_internal.h"
#include "ploy/base/math.h"

void ployi_learn_fit_prepare(ploy_board_learn *learn) {
    const ploy_board_weights *weights = learn->board.type->weights;
    for (int32_t i = 0; i < weights->count; i++) {
        learn->fit_weights[i] = (float)weights->start(i);
    }
}

void ployi_learn_fit_keep(ploy_board_learn *learn, const ployi_learn_game *game) {
    for (int32_t i = 0; i < game->count; i++) {
        size_t at = (size_t)(learn->replayed % learn->def.replay);
        memcpy(learn->replay_positions + at * learn->position_bytes,
               game->positions + (size_t)i * learn->position_bytes, learn->position_bytes);
        learn->replay_values[at] = game->values[i];
        learn->replay_viewers[at] = game->viewers[i];
        learn->replayed++;
    }
}

void ployi_learn_fit_begin(ploy_board_learn *learn) {
    const ploy_board_weights *weights = learn->board.type->weights;
    int64_t stored = learn->replayed < learn->def.replay ? learn->replayed : learn->def.replay;
    learn->lessons = learn->lessons_left = stored * learn->def.reuse;
    learn->fit_loss = 0.0;
    learn->fitted++;
    // Large steps again: the games are better than those of the fit before.
    for (int32_t i = 0; i < weights->count; i++) learn->fit_squares[i] = 1.0f;
}

// @return the square of the error, in units of the game.
static double fit_lesson(ploy_board_learn *learn, size_t sample, float rate) {
    const ploy_board_type *type = learn->board.type;
    const ploy_board_weights *weights = type->weights;
    const unsigned char *position = learn->replay_positions + sample * learn->position_bytes;
    ploy_board_weight_term *terms = learn->fit_terms;
    int32_t count =
        weights->terms(learn->board.rules, position, learn->replay_viewers[sample], terms);
    float score = 0.0f, unit = type->unit > 0 ? (float)type->unit : 100.0f;
    for (int32_t i = 0; i < count; i++) {
        score += terms[i].factor * learn->fit_weights[terms[i].weight];
    }
    bool margin = (type->flags & PLOY_BOARD_MARGIN) != 0;
    float target = learn->replay_values[sample];
    float error = margin
                      ? (target - score) / unit
                      : target - ploy_net_activate(PLOY_NET_SIGMOID, 1.0f, score / (2.0f * unit));
    for (int32_t i = 0; i < count; i++) {
        int32_t number = terms[i].weight;
        float away = (learn->fit_weights[number] - (float)weights->start(number)) / unit;
        float gradient = error * terms[i].factor - learn->def.pull * away;
        learn->fit_squares[number] += gradient * gradient;
        float length = sqrtf(learn->fit_squares[number]);
        float moved = learn->fit_weights[number] + rate * unit * gradient / length;
        learn->fit_weights[number] = ploy_clampf(moved, -32000.0f, 32000.0f);
    }
    return (double)error * (double)error;
}

void ployi_learn_fit_step(ploy_board_learn *learn) {
    int64_t stored = learn->replayed < learn->def.replay ? learn->replayed : learn->def.replay;
    float rate = learn->def.rate > 0.0f ? learn->def.rate : 0.05f;
    for (int32_t i = 0; i < PLOYI_LEARN_LESSONS && learn->lessons_left > 0; i++) {
        size_t sample = (size_t)ploy_rng_below(&learn->rng, (uint64_t)stored);
        learn->fit_loss += fit_lesson(learn, sample, rate);
        learn->lessons_left--;
    }
    if (learn->lessons_left > 0) return;
    learn->report.loss = learn->fit_loss / (double)learn->lessons;
    for (int32_t i = 0; i < learn->board.type->weights->count; i++) {
        float weight = learn->fit_weights[i]; // halves away from 0, so that -w rounds as w does
        learn->fit_table[i] = (int16_t)(weight < 0.0f ? weight - 0.5f : weight + 0.5f);
    }
    ploy_board_learned_table_set(learn->learned, learn->fit_table);
}
