// Self-play games of the methods that learn; each runs on a worker and touches only its own game.
#include <string.h>

#include "learn_internal.h"

void ployi_learn_roll(ploy_board board, ployi_learn_game *game) {
    ploy_board_move move = ploy_board_roll(board, game->position, game->moves, &game->rng);
    board.type->make(board.rules, game->position, move, NULL);
}

static float learn_share(ploy_board board, const void *position, int32_t player) {
    int32_t result = board.type->result(board.rules, position, player);
    return result > 0 ? 1.0f : result < 0 ? 0.0f : 0.5f;
}

ploy_board_move ployi_learn_greedy(ploy_board board, ployi_learn_game *game, int32_t side,
                                   int32_t count) {
    const ploy_board_type *type = board.type;
    size_t bytes = type->position_bytes(board.rules);
    ploy_board_move best = game->moves[0];
    float most = -1.0f;
    int32_t viewer = -1; // the same behind every move that does not end the game, or asked again
    for (int32_t i = 0; i < count; i++) {
        memcpy(game->copy, game->position, bytes);
        type->make(board.rules, game->copy, game->moves[i], NULL);
        float share = 0.0f;
        int32_t next = type->side(board.rules, game->copy);
        if (next == PLOY_BOARD_OVER) {
            share = learn_share(board, game->copy, side);
        } else {
            viewer = next != PLOY_BOARD_CHANCE
                         ? next
                         : ploy_board_evaluator_viewer(game->evaluator, game->copy);
            share = ploy_board_evaluator_chance(game->evaluator, game->copy);
            if (viewer != side) share = 1.0f - share;
        }
        if (share > most) {
            most = share;
            best = game->moves[i];
        }
    }
    return best;
}

static void learn_record(ploy_board_learn *learn, ployi_learn_game *game, int32_t viewer,
                         float value) {
    if (game->count == PLOYI_LEARN_PLIES) return;
    memcpy(game->positions + (size_t)game->count * learn->position_bytes, game->position,
           learn->position_bytes);
    game->viewers[game->count] = (int8_t)viewer;
    game->values[game->count++] = value;
}

// TD(lambda): the return of a position is the next one's value, mixed with the next one's return.
static void learn_returns(ploy_board_learn *learn, ployi_learn_game *game, int32_t last_viewer,
                          float last) {
    float next = last, value = last;
    int32_t viewer = last_viewer;
    for (int32_t i = game->count - 1; i >= 0; i--) {
        float target = (1.0f - learn->def.lambda) * value + learn->def.lambda * next;
        if (viewer != game->viewers[i]) target = 1.0f - target;
        value = game->values[i];
        viewer = game->viewers[i];
        next = game->values[i] = target;
    }
}

void ployi_learn_play_td(ploy_board_learn *learn, ployi_learn_game *game) {
    ploy_board board = learn->board;
    const ploy_board_type *type = board.type;
    type->start(board.rules, game->position);
    game->count = 0;
    int32_t side = 0;
    while ((side = type->side(board.rules, game->position)) != PLOY_BOARD_OVER &&
           game->count < PLOYI_LEARN_PLIES) {
        if (side == PLOY_BOARD_CHANCE) {
            ployi_learn_roll(board, game);
            continue;
        }
        int32_t count = type->moves(board.rules, game->position, game->moves, type->max_moves);
        bool explore = ploy_rng_chance(&game->rng, learn->def.exploration);
        uint64_t any = ploy_rng_below(&game->rng, (uint64_t)count);
        ploy_board_move move =
            explore ? game->moves[any] : ployi_learn_greedy(board, game, side, count);
        type->make(board.rules, game->position, move, NULL);
        game->plies++;
        if (type->side(board.rules, game->position) == PLOY_BOARD_OVER) continue;
        int32_t viewer = ploy_board_evaluator_viewer(game->evaluator, game->position);
        float value = ploy_board_evaluator_chance(game->evaluator, game->position);
        learn_record(learn, game, viewer, value);
    }
    if (side == PLOY_BOARD_OVER) {
        learn_returns(learn, game, 0, learn_share(board, game->position, 0));
    } else if (game->count > 0) { // cut off: the last value stands for the result
        game->count--;
        learn_returns(learn, game, game->viewers[game->count], game->values[game->count]);
    }
}

// Random plies, the same for every game with this key.
static void learn_opening(ploy_board_learn *learn, ployi_learn_game *game, ploy_rng *rng) {
    ploy_board board = learn->board;
    board.type->start(board.rules, game->position);
    for (int32_t i = 0; i < learn->def.opening;) {
        int32_t side = board.type->side(board.rules, game->position);
        if (side == PLOY_BOARD_OVER) {
            board.type->start(board.rules, game->position);
            return;
        }
        int32_t count =
            board.type->moves(board.rules, game->position, game->moves, board.type->max_moves);
        uint64_t any = ploy_rng_below(rng, (uint64_t)count);
        board.type->make(board.rules, game->position, game->moves[any], NULL);
        if (side != PLOY_BOARD_CHANCE) i++;
    }
}

void ployi_learn_play_backup(ploy_board_learn *learn, ployi_learn_game *game) {
    ploy_board board = learn->board;
    const ploy_board_type *type = board.type;
    learn_opening(learn, game, &game->rng);
    game->count = 0;
    int32_t side = 0;
    while ((side = type->side(board.rules, game->position)) != PLOY_BOARD_OVER &&
           game->count < PLOYI_LEARN_PLIES) {
        if (side == PLOY_BOARD_CHANCE) {
            ployi_learn_roll(board, game);
            continue;
        }
        game->status = ploy_board_search_begin(game->searches[0], game->position, NULL, 0);
        if (game->status == PLOY_OK) game->status = ploy_board_search_step(game->searches[0], NULL);
        if (game->status != PLOY_OK) return;
        ploy_board_outcome outcome = ploy_board_search_outcome(game->searches[0]);
        learn_record(learn, game, side, (float)outcome.score);
        int32_t count = type->moves(board.rules, game->position, game->moves, type->max_moves);
        bool explore = ploy_rng_chance(&game->rng, learn->def.exploration);
        uint64_t any = ploy_rng_below(&game->rng, (uint64_t)count);
        ploy_board_move move = explore ? game->moves[any] : outcome.move;
        type->make(board.rules, game->position, move, NULL);
        game->plies++;
    }
}

void ployi_learn_play_search(ploy_board_learn *learn, ployi_learn_game *game) {
    ploy_board board = learn->board;
    const ploy_board_type *type = board.type;
    type->start(board.rules, game->position);
    game->count = 0;
    int32_t side = 0;
    while ((side = type->side(board.rules, game->position)) != PLOY_BOARD_OVER &&
           game->count < PLOYI_LEARN_PLIES) {
        uint64_t seed = ploy_rng_u64(&game->rng);
        ployi_board_evaluator_noise(game->evaluator, learn->def.noise,
                                    type->hash(board.rules, game->position), seed);
        game->status = ploy_board_mcts_begin(game->mcts, game->position);
        if (game->status == PLOY_OK) game->status = ploy_board_mcts_step(game->mcts, NULL);
        if (game->status != PLOY_OK) return;
        float *policy = game->policies + (size_t)game->count * (size_t)learn->policy;
        memset(policy, 0, sizeof(float) * (size_t)learn->policy);
        int32_t count = ploy_board_mcts_move_count(game->mcts), total = 0;
        int32_t draw = (int32_t)ploy_rng_below(&game->rng, (uint64_t)learn->def.playouts);
        ploy_board_move move = ploy_board_mcts_outcome_of(game->mcts).move, drawn = move;
        bool proven = count > 0 && ploy_board_mcts_move_at(game->mcts, 0).proven > 0;
        for (int32_t i = 0; i < count; i++) {
            ploy_board_mcts_move at = ploy_board_mcts_move_at(game->mcts, i);
            int32_t visits = proven ? (i == 0 ? learn->def.playouts : 0) : at.visits;
            policy[type->policy_index(board.rules, game->position, at.move)] = (float)visits;
            if (draw >= total && draw < total + visits) drawn = at.move;
            total += visits;
        }
        for (int32_t i = 0; i < learn->policy && total > 0; i++) policy[i] /= (float)total;
        if (game->count < learn->def.spread) move = drawn;
        learn_record(learn, game, side, 0.0f);
        type->make(board.rules, game->position, move, NULL);
        game->plies++;
    }
    ployi_board_evaluator_noise(game->evaluator, 0.0f, 0, 0);
    for (int32_t i = 0; i < game->count; i++) {
        game->values[i] =
            side == PLOY_BOARD_OVER ? learn_share(board, game->position, game->viewers[i]) : 0.5f;
    }
}

// How often a position occurred since the last irreversible move.
static int32_t learn_repeated(ploy_board board, const ployi_learn_game *game, int32_t plies) {
    if (board.type->reversible == NULL || plies == PLOYI_LEARN_PLIES) return 0;
    int32_t since = board.type->reversible(board.rules, game->position), count = 0;
    for (int32_t i = plies - 2; i >= 0 && i >= plies - since; i -= 2) {
        if (game->hashes[i] == board.type->hash(board.rules, game->position)) count++;
    }
    return count;
}

void ployi_learn_play_fit(ploy_board_learn *learn, ployi_learn_game *game) {
    ploy_board board = learn->board;
    const ploy_board_type *type = board.type;
    ploy_board_search *search = game->searches[0];
    learn_opening(learn, game, &game->rng);
    game->count = 0;
    ploy_board_table_clear(ploy_board_search_table(search)); // the weights may be new ones
    int32_t side = 0, plies = 0;
    for (; plies < PLOYI_LEARN_PLIES; plies++) {
        side = type->side(board.rules, game->position);
        if (side == PLOY_BOARD_OVER || learn_repeated(board, game, plies) > 1) break;
        game->status = ploy_board_search_begin(search, game->position, game->hashes, plies);
        if (game->status == PLOY_OK) game->status = ploy_board_search_step(search, NULL);
        if (game->status != PLOY_OK) return;
        ploy_board_outcome outcome = ploy_board_search_outcome(search);
        // An evaluation is asked only where nothing is hanging.
        bool quiet =
            (type->threatened == NULL || !type->threatened(board.rules, game->position)) &&
            (type->is_noisy == NULL || !type->is_noisy(board.rules, game->position, outcome.move));
        if (quiet) learn_record(learn, game, side, (float)outcome.score);
        int32_t count = type->moves(board.rules, game->position, game->moves, type->max_moves);
        bool explore = ploy_rng_chance(&game->rng, learn->def.exploration);
        uint64_t any = ploy_rng_below(&game->rng, (uint64_t)count);
        ploy_board_move move = explore ? game->moves[any] : outcome.move;
        game->hashes[plies] = type->hash(board.rules, game->position);
        type->make(board.rules, game->position, move, NULL);
        game->plies++;
    }
    // What a position should be worth: a share of the search's score, the rest of the result.
    float lambda = learn->def.lambda;
    int32_t unit = type->unit > 0 ? type->unit : 100;
    bool margin = (type->flags & PLOY_BOARD_MARGIN) != 0, over = side == PLOY_BOARD_OVER;
    for (int32_t i = 0; i < game->count; i++) {
        int32_t viewer = game->viewers[i];
        float result = 0.0f, searched = game->values[i];
        if (margin) {
            if (over) result = (float)type->result(board.rules, game->position, viewer);
        } else {
            result = over ? learn_share(board, game->position, viewer) : 0.5f;
            searched = ploy_net_activate(PLOY_NET_SIGMOID, 1.0f, searched / (float)(2 * unit));
        }
        game->values[i] = (1.0f - lambda) * searched + lambda * result;
    }
}

// One game; player `first` is the candidate. @return its points.
static float learn_climb_game(ploy_board_learn *learn, ployi_learn_game *game, int32_t candidate) {
    ploy_board board = learn->board;
    const ploy_board_type *type = board.type;
    int32_t side = 0;
    for (int32_t ply = 0; ply < PLOYI_LEARN_PLIES; ply++) {
        side = type->side(board.rules, game->position);
        if (side == PLOY_BOARD_OVER) return learn_share(board, game->position, candidate);
        if (side == PLOY_BOARD_CHANCE) {
            ployi_learn_roll(board, game);
            continue;
        }
        ploy_board_search *search = game->searches[side == candidate ? 0 : 1];
        game->status = ploy_board_search_begin(search, game->position, NULL, 0);
        if (game->status == PLOY_OK) game->status = ploy_board_search_step(search, NULL);
        if (game->status != PLOY_OK) return 0.0f;
        ploy_board_move move = ploy_board_search_outcome(search).move;
        type->make(board.rules, game->position, move, NULL);
        game->plies++;
    }
    return 0.5f;
}

void ployi_learn_play_climb(ploy_board_learn *learn, ployi_learn_game *game, uint64_t number) {
    game->result = 0.0f;
    for (int32_t i = 0; i < learn->def.match && game->status == PLOY_OK; i++) {
        // Both colours of an opening; every candidate of a step gets the same openings.
        ploy_rng_key key = ploy_rng_key_split(ploy_rng_key_make(learn->def.seed), number);
        ploy_rng rng = ploy_rng_from_key(key, (uint64_t)i / 2);
        game->rng = rng;
        learn_opening(learn, game, &game->rng);
        game->result += learn_climb_game(learn, game, i % 2);
    }
}
