// ploy board GAME learn METHOD: evaluations learned by self-play.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board.h"
#include "ploy/base/json_writer.h"
#include "ploy/base/name.h"
#include "ploy/board/learn.h"
#include "ploy/data/board_file.h"

typedef struct learn_side {
    ploy_board_evaluator *evaluator; // NULL: the game's evaluation, or random moves
    ploy_board_mcts *mcts;           // a search decides
    bool random;
} learn_side;

typedef struct learn_match {
    const board_game *game;
    void *position, *copy;
    ploy_board_move *moves;
    ploy_rng rng;
} learn_match;

static ploy_board_move learn_best(learn_match *m, const learn_side *side, int32_t player,
                                  int32_t count) {
    const ploy_board_type *type = m->game->type;
    ploy_board_move best = m->moves[0];
    int32_t most = -PLOY_BOARD_INFINITY;
    for (int32_t i = 0; i < count; i++) {
        memcpy(m->copy, m->position, type->position_bytes(&m->game->rules));
        type->make(&m->game->rules, m->copy, m->moves[i], NULL);
        int32_t score = 0;
        if (type->side(&m->game->rules, m->copy) == PLOY_BOARD_OVER)
            score = type->result(&m->game->rules, m->copy, player);
        else if (side->evaluator != NULL)
            score = ploy_board_evaluator_score(side->evaluator, m->copy, player);
        else
            score = type->evaluate(&m->game->rules, m->copy, player);
        if (score <= most) continue;
        most = score;
        best = m->moves[i];
    }
    return best;
}

// One game. @return 2, 1 or 0 points of the first side, which is `player`.
static int32_t learn_play_game(learn_match *m, const learn_side *a, const learn_side *b,
                               int32_t player) {
    const ploy_board_type *type = m->game->type;
    const void *rules = &m->game->rules;
    type->start(rules, m->position);
    for (int32_t ply = 0; ply < 2000; ply++) {
        int32_t side = type->side(rules, m->position);
        if (side == PLOY_BOARD_OVER) {
            int32_t result = type->result(rules, m->position, player);
            return result > 0 ? 2 : result == 0 ? 1 : 0;
        }
        int32_t count = type->moves(rules, m->position, m->moves, type->max_moves);
        const learn_side *mover = side == player ? a : b;
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        if (side == PLOY_BOARD_CHANCE) {
            move = ploy_board_roll(m->game->board, m->position, m->moves, &m->rng);
        } else if (mover->random || (mover->mcts != NULL && ply < 2)) {
            move = m->moves[ploy_rng_below(&m->rng, (uint64_t)count)]; // searches: two random plies
        } else if (mover->mcts != NULL) {
            if (ploy_board_mcts_begin(mover->mcts, m->position) != PLOY_OK) return 1;
            if (ploy_board_mcts_step(mover->mcts, NULL) != PLOY_OK) return 1;
            move = ploy_board_mcts_outcome_of(mover->mcts).move;
        } else {
            move = learn_best(m, mover, side, count);
        }
        type->make(rules, m->position, move, NULL);
    }
    return 1;
}

// Share of the points of the first side.
static double learn_play_match(learn_match *m, const learn_side *a, const learn_side *b,
                               int64_t games) {
    int64_t points = 0;
    cli_progress progress = cli_progress_begin("test games", (uint64_t)games, true);
    for (int64_t g = 0; g < games; g++) {
        cli_progress_step(&progress, (uint64_t)g);
        m->rng = ploy_rng_from_key(ploy_rng_key_make(77), (uint64_t)g / 2);
        points += learn_play_game(m, a, b, (int32_t)(g % 2));
    }
    cli_progress_end(&progress);
    return (double)points / (2.0 * (double)games);
}

typedef struct learn_options_of {
    int64_t games, seed, workers, test;
    const char *out;
    bool json;
    cli_texts sets, rules;
} learn_options_of;

typedef struct learn_scores {
    double random, evaluation, uct, evaluation_random; // below 0: not played
} learn_scores;

static ploy_result learn_test(const board_game *game, const ploy_board_learned *learned,
                              const ploy_board_learn_def *def, int64_t games, learn_scores *out) {
    learn_match m = {.game = game};
    size_t bytes = game->type->position_bytes(&game->rules);
    m.position = calloc(1, bytes);
    m.copy = calloc(1, bytes);
    m.moves = calloc((size_t)game->type->max_moves, sizeof *m.moves);
    learn_side own = {NULL, NULL, false}, random = {NULL, NULL, true}, plain = {NULL, NULL, false};
    ploy_result result =
        m.position == NULL || m.copy == NULL || m.moves == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
    if (result == PLOY_OK)
        result = ploy_board_evaluator_create(learned, &game->env, &own.evaluator);
    if (result == PLOY_OK && def->method == PLOY_BOARD_LEARN_SEARCH) {
        ploy_board_mcts_def mcts = ploy_board_mcts_def_default();
        mcts.playouts = def->playouts;
        mcts.nodes = 200000;
        mcts.exploration = 1.5f;
        result = ploy_board_mcts_create(&mcts, game->board, &game->env, &own.mcts);
        ploy_board_mcts_hooks hooks = ploy_board_evaluator_guide(own.evaluator);
        if (result == PLOY_OK) ploy_board_mcts_hooks_set(own.mcts, &hooks);
        mcts.playouts *= 10;
        mcts.exploration = 1.0f;
        if (result == PLOY_OK)
            result = ploy_board_mcts_create(&mcts, game->board, &game->env, &plain.mcts);
    }
    if (result == PLOY_OK) {
        out->random = learn_play_match(&m, &own, &random, games);
        if (own.mcts != NULL) out->uct = learn_play_match(&m, &own, &plain, games);
        if (own.mcts == NULL && game->type->evaluate != NULL) {
            out->evaluation = learn_play_match(&m, &own, &plain, games);
            out->evaluation_random = learn_play_match(&m, &plain, &random, games);
        }
    }
    ploy_board_mcts_destroy(own.mcts);
    ploy_board_mcts_destroy(plain.mcts);
    ploy_board_evaluator_destroy(own.evaluator);
    free(m.position);
    free(m.copy);
    free(m.moves);
    return result;
}

static void learn_print(const learn_options_of *o, const char *method,
                        const ploy_board_learn *learn, const learn_scores *scores) {
    ploy_board_learn_report r = ploy_board_learn_report_of(learn);
    uint64_t hash = ploy_board_learned_hash(ploy_board_learn_learned(learn));
    const char *const names[] = {"against_random", "against_evaluation", "against_uct",
                                 "evaluation_against_random"};
    const double values[] = {scores->random, scores->evaluation, scores->uct,
                             scores->evaluation_random};
    if (o->json) {
        printf("{\"method\":\"%s\",\"games\":%lld,\"plies\":%lld,\"examples\":%lld,\"loss\":%.6g,"
               "\"hash\":\"%016llx\"",
               method, (long long)r.games, (long long)r.plies, (long long)r.examples, r.loss,
               (unsigned long long)hash);
        for (int i = 0; i < 4; i++) {
            if (values[i] >= 0.0) printf(",\"%s\":%.4f", names[i], values[i]);
        }
        printf("}\n");
        return;
    }
    printf("%s: %lld games, %lld plies, %lld examples, loss %.5g, hash %016llx\n", method,
           (long long)r.games, (long long)r.plies, (long long)r.examples, r.loss,
           (unsigned long long)hash);
    for (int i = 0; i < 4; i++) {
        if (values[i] >= 0.0) printf("%s %.1f %% of the points\n", names[i], 100.0 * values[i]);
    }
}

// The weights as C source, in the form in which the library has them.
static ploy_result learn_write_source(const board_game *game, const learn_options_of *o,
                                      const ploy_board_learned *learned, ploy_writer *out) {
    enum { WIDTH = 110 };
    int32_t count = 0, column = WIDTH;
    const int16_t *table = ploy_board_learned_table(learned, &count);
    ploy_write_text(out, "// Written by: ploy board ");
    ploy_write_text(out, game->type->name);
    ploy_write_text(out, " learn fit --games ");
    ploy_write_i64(out, o->games);
    ploy_write_text(out, " --seed ");
    ploy_write_i64(out, o->seed);
    for (int32_t i = 0; i < o->sets.count; i++) {
        ploy_write_text(out, " --set ");
        ploy_write_text(out, o->sets.items[i]);
    }
    for (int32_t i = 0; i < o->rules.count; i++) {
        ploy_write_text(out, " --rules ");
        ploy_write_text(out, o->rules.items[i]);
    }
    ploy_write_text(out, "\n#pragma once\n\n#include <stdint.h>\n\n// clang-format off\n"
                         "static const int16_t ");
    ploy_write_text(out, game->type->name);
    ploy_write_text(out, "_weights[");
    ploy_write_i64(out, count);
    ploy_write_text(out, "] = {");
    for (int32_t i = 0; i < count; i++) {
        char text[16];
        int32_t length = 1 + snprintf(text, sizeof text, "%d,", (int)table[i]);
        if (column + length > WIDTH) {
            ploy_write_text(out, "\n   ");
            column = 3;
        }
        ploy_write_char(out, ' ');
        ploy_write_text(out, text);
        column += length;
    }
    ploy_write_text(out, "\n};\n// clang-format on\n");
    return ploy_writer_result(out);
}

static int learn_write(const board_game *game, const learn_options_of *o,
                       const ploy_board_learned *learned) {
    const char *path = o->out;
    size_t length = strlen(path);
    bool source = length > 2 && strcmp(path + length - 2, ".h") == 0;
    if (source && ploy_board_learned_def_of(learned)->kind != PLOY_BOARD_LEARNED_TABLE) {
        return cli_error("expected the method fit to write C source to", path);
    }
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &game->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_result result = source ? learn_write_source(game, o, learned, &writer)
                                : ploy_board_learned_save(learned, &writer);
    int status = result != PLOY_OK               ? cli_error_result("save", result)
                 : cli_write_file(path, &buffer) ? -1
                                                 : CLI_USAGE;
    ploy_buffer_fini(&buffer);
    return status;
}

static int learn_run(board_game *game, const learn_options_of *o, const ploy_board_learn_def *def,
                     const ploy_jobs *jobs) {
    ploy_board_learn *learn = NULL;
    ploy_result result = ploy_board_learn_create(def, game->board, &game->env, &learn);
    if (result != PLOY_OK) return cli_error_result("learn", result);
    ploy_board_learn_jobs_set(learn, jobs);
    cli_progress progress = cli_progress_begin(game->type->name, (uint64_t)o->games, true);
    do {
        ploy_budget budget = ploy_budget_units(64);
        result = ploy_board_learn_step(learn, &budget);
        cli_progress_step(&progress, (uint64_t)ploy_board_learn_report_of(learn).games);
    } while (result == PLOY_IN_PROGRESS);
    cli_progress_end(&progress);
    const ploy_board_learned *learned = ploy_board_learn_learned(learn);
    int status = result == PLOY_OK ? -1 : cli_error_result("learn", result);
    if (status < 0 && o->out != NULL) status = learn_write(game, o, learned);
    learn_scores scores = {-1.0, -1.0, -1.0, -1.0};
    if (status < 0 && o->test > 0) {
        result = learn_test(game, learned, def, o->test, &scores);
        if (result != PLOY_OK) status = cli_error_result("test", result);
    }
    if (status < 0) {
        learn_print(o, ploy_board_learn_method_text(def->method), learn, &scores);
        status = CLI_OK;
    }
    ploy_board_learn_destroy(learn);
    return status;
}

int board_learn(board_game *game, int argc, char **argv) {
    learn_options_of o = {.games = 1000, .seed = 1, .workers = 1};
    const cli_option options[] = {
        {"--games", CLI_COUNT, &o.games, "N", "games in all"},
        {"--seed", CLI_COUNT, &o.seed, "S", "of weights and games"},
        {"--workers", CLI_COUNT, &o.workers, "N", "threads; any number gives the same weights"},
        {"-o", CLI_TEXT, &o.out, "F", "file to write; .h: the table of fit as C source"},
        {"--test", CLI_COUNT, &o.test, "N",
         "then play N games against random moves, the game's "
         "evaluation or UCT with ten times the playouts"},
        {"--set", CLI_MANY, &o.sets, "K=V", "setting of the method"},
        {"--rules", CLI_MANY, &o.rules, "K=V", "setting of the rules"},
        {"--json", CLI_FLAG, &o.json, NULL, "print one JSON object"},
    };
    const cli_usage usage = {"board GAME learn",
                             "METHOD [options]",
                             "Learns an evaluation by self-play: backup, climb, td, search or fit.",
                             options,
                             (int32_t)(sizeof options / sizeof options[0]),
                             1,
                             1};
    const char *words[1];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    status = board_set_rules(game, &o.rules);
    if (status >= 0) return status;
    ploy_board_learn_def def = ploy_board_learn_def_default();
    ploy_nearest nearest = ploy_nearest_make(words[0]);
    int32_t method = 0;
    for (; method < PLOY_BOARD_LEARN_METHODS; method++) {
        const char *name = ploy_board_learn_method_text((ploy_board_learn_method)method);
        if (strcmp(name, words[0]) == 0) break;
        ploy_nearest_offer(&nearest, name);
    }
    if (method == PLOY_BOARD_LEARN_METHODS)
        return cli_error_near("unknown method of learning:", words[0], nearest.best);
    if (o.games < 1 || o.games > 100000000) return cli_error("--games must be above 0", NULL);
    if (o.workers < 1 || o.workers > 64) return cli_error("--workers must be 1 to 64", NULL);
    status = cli_load_fields(ploy_board_learn_fields(), &def, NULL, &o.sets, &game->env);
    if (status >= 0) return status;
    def.method = (ploy_board_learn_method)method;
    def.games = (int32_t)o.games;
    def.seed = (uint64_t)o.seed;
    ploy_job_pool *pool = NULL;
    if (o.workers > 1) {
        ploy_result result = ploy_job_pool_create((int32_t)o.workers, &game->env, &pool);
        if (result != PLOY_OK) return cli_error_result("workers", result);
    }
    status = learn_run(game, &o, &def, pool == NULL ? NULL : ploy_job_pool_jobs(pool));
    ploy_job_pool_destroy(pool);
    return status;
}
