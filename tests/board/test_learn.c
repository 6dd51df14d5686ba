// Learned evaluations: backup, climbing, TD networks, search-trained policies, and games as problems.
#include "ploy/board/backgammon.h"
#include "ploy/board/chess.h"
#include "ploy/board/connect4.h"
#include "ploy/board/learn.h"
#include "ploy/board/othello.h"
#include "ploy/board/tictactoe.h"
#include "ploy/learn/actor.h"
#include "tests/board/board_test.h"
#include "tests/state.h"

TEST(backup_moves_weights_towards_the_search) {
    const float features[3] = {2.0f, 1.0f, -1.0f};
    float weights[3] = {1.0f, 0.5f, 0.2f};
    const bool anchored[3] = {true, false, false};
    CHECK_NEAR(ploy_board_backup(features, 3, weights, anchored, 3.3f, 0.1f), 1.0, 1e-6);
    CHECK_NEAR(weights[0], 1.0, 0.0);
    CHECK_NEAR(weights[1], 0.6, 1e-6);
    CHECK_NEAR(weights[2], 0.1, 1e-6);
}

static ploy_board_learn *learn_make(test_context *t, ploy_board board,
                                    ploy_board_learn_method method, int32_t games) {
    ploy_env env = ploy_env_default();
    ploy_board_learn_def def = ploy_board_learn_def_default();
    def.method = method;
    def.games = games;
    def.playouts = 40;
    def.opening = 2;
    def.depth = 1;
    def.match = 8;
    def.nodes = 50;
    if (method == PLOY_BOARD_LEARN_TD) def.hidden = 20;
    ploy_board_learn *learn = NULL;
    CHECK_OK(ploy_board_learn_create(&def, board, &env, &learn));
    return learn;
}

TEST(weights_one_are_the_games_evaluation) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_connect4(), &rules);
    ploy_env env = ploy_env_default();
    ploy_board_learned_def def = ploy_board_learned_def_default();
    def.kind = PLOY_BOARD_LEARNED_LINEAR;
    ploy_board_learned *learned = NULL;
    ploy_board_evaluator *evaluator = NULL;
    CHECK_OK(ploy_board_learned_create(&def, board, &env, &learned));
    CHECK_OK(ploy_board_evaluator_create(learned, &env, &evaluator));
    static const char *const moves[] = {"4", "4", "3", "5", "2"};
    uint64_t position[64] = {0};
    board.type->start(board.rules, position);
    CHECK_OK(ploy_board_play(board, position, moves, 5, "test", NULL));
    for (int32_t player = 0; player < 2; player++) {
        CHECK_INT(ploy_board_evaluator_score(evaluator, position, player),
                  board.type->evaluate(board.rules, position, player));
    }
    ploy_board_evaluator_destroy(evaluator);
    ploy_board_learned_destroy(learned);
    def.kind = PLOY_BOARD_LEARNED_POLICY;
    ploy_board_rules other;
    ploy_board chance = ploy_board_default(ploy_board_backgammon(), &other);
    CHECK_INT(ploy_board_learned_create(&def, chance, &env, &learned), PLOY_ERR_UNSUPPORTED);
}

static uint64_t learn_hash(test_context *t, ploy_board board, ploy_board_learn_method method,
                           int32_t games, int32_t workers, int64_t slice) {
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    ploy_board_learn *learn = learn_make(t, board, method, games);
    if (workers > 1) {
        CHECK_OK(ploy_job_pool_create(workers, &env, &pool));
        ploy_board_learn_jobs_set(learn, ploy_job_pool_jobs(pool));
    }
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(slice);
        result = ploy_board_learn_step(learn, slice > 0 ? &budget : NULL);
    }
    CHECK_OK(result);
    CHECK(ploy_board_learn_report_of(learn).done);
    CHECK(ploy_board_learn_report_of(learn).games >= games);
    uint64_t hash = ploy_board_learned_hash(ploy_board_learn_learned(learn));
    ploy_board_learn_destroy(learn);
    ploy_job_pool_destroy(pool);
    return hash;
}

// Tic-tac-toe has no weights to fit; the smallest Othello has.
static ploy_board learn_board(int32_t method, ploy_board_rules *rules) {
    if (method != PLOY_BOARD_LEARN_FIT) return ploy_board_default(ploy_board_tictactoe(), rules);
    ploy_board board = ploy_board_default(ploy_board_othello(), rules);
    ((ploy_board_othello_def *)(void *)rules)->size = 4;
    return board;
}

TEST(any_number_of_workers_and_slices_learns_the_same_weights) {
    for (int32_t method = 0; method < PLOY_BOARD_LEARN_METHODS; method++) {
        ploy_board_rules rules;
        ploy_board board = learn_board(method, &rules);
        t->row = ploy_board_learn_method_text((ploy_board_learn_method)method);
        uint64_t one = learn_hash(t, board, (ploy_board_learn_method)method, 24, 1, 0);
        CHECK_UINT(learn_hash(t, board, (ploy_board_learn_method)method, 24, 2, 0), one);
        CHECK_UINT(learn_hash(t, board, (ploy_board_learn_method)method, 24, 4, 1), one);
    }
}

TEST(samuel_keeps_his_anchor_and_fits_the_search) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_connect4(), &rules);
    ploy_board_learn *learn = learn_make(t, board, PLOY_BOARD_LEARN_BACKUP, 64);
    ploy_budget budget = ploy_budget_units(8);
    CHECK_INT(ploy_board_learn_step(learn, &budget), PLOY_IN_PROGRESS);
    CHECK_OK(ploy_board_learn_step(learn, NULL));
    ploy_board_learn_report report = ploy_board_learn_report_of(learn);
    CHECK(report.examples > 64 * 8);
    int32_t count = 0, moved = 0;
    float *weights = ploy_board_learned_weights(
        (ploy_board_learned *)(uintptr_t)ploy_board_learn_learned(learn), &count);
    CHECK(count >= 2);
    CHECK(weights[0] == 1.0f);
    for (int32_t i = 1; i < count; i++) moved += weights[i] != 1.0f;
    CHECK(moved > 0);
    ploy_board_learn_destroy(learn);
}

// ---- players for comparisons: one ply of a learned evaluation, of the game's own, or random moves

typedef struct learn_table {
    ploy_board board;
    uint64_t position[64], copy[64];
    ploy_board_move moves[4096];
    ploy_rng rng;
} learn_table;

// evaluator NULL: the game's evaluation.
static ploy_board_move learn_one_ply(learn_table *m, ploy_board_evaluator *evaluator, int32_t side,
                                     int32_t count) {
    const ploy_board_type *type = m->board.type;
    ploy_board_move best = m->moves[0];
    int32_t most = -PLOY_BOARD_INFINITY;
    for (int32_t i = 0; i < count; i++) {
        memcpy(m->copy, m->position, sizeof m->copy);
        type->make(m->board.rules, m->copy, m->moves[i], NULL);
        int32_t score = type->side(m->board.rules, m->copy) == PLOY_BOARD_OVER
                            ? type->result(m->board.rules, m->copy, side)
                        : evaluator != NULL ? ploy_board_evaluator_score(evaluator, m->copy, side)
                                            : type->evaluate(m->board.rules, m->copy, side);
        if (score > most) {
            most = score;
            best = m->moves[i];
        }
    }
    return best;
}

static ploy_board_move learn_roll(learn_table *m, int32_t count) {
    float weights[64];
    for (int32_t i = 0; i < count; i++) {
        weights[i] = (float)m->board.type->odds(m->board.rules, m->position, m->moves[i]);
    }
    return m->moves[ploy_rng_weighted(&m->rng, weights, count)];
}

enum { LEARN_GAME, LEARN_RANDOM };

// Share of the games that the first side wins. `first` NULL: the game's evaluation.
static double learn_rate(learn_table *m, ploy_board_evaluator *first, int32_t second,
                         int32_t games) {
    int32_t wins = 0;
    for (int32_t g = 0; g < games; g++) {
        m->rng = ploy_rng_make((uint64_t)g / 2 + 1000);
        memset(m->position, 0, sizeof m->position);
        m->board.type->start(m->board.rules, m->position);
        int32_t side = 0;
        while ((side = m->board.type->side(m->board.rules, m->position)) != PLOY_BOARD_OVER) {
            int32_t count = m->board.type->moves(m->board.rules, m->position, m->moves, 4096);
            uint64_t any = ploy_rng_below(&m->rng, (uint64_t)count);
            ploy_board_move move = side == PLOY_BOARD_CHANCE ? learn_roll(m, count)
                                   : side == g % 2           ? learn_one_ply(m, first, side, count)
                                   : second == LEARN_RANDOM  ? m->moves[any]
                                                             : learn_one_ply(m, NULL, side, count);
            m->board.type->make(m->board.rules, m->position, move, NULL);
        }
        wins += m->board.type->result(m->board.rules, m->position, g % 2) > 0;
    }
    return (double)wins / (double)games;
}

TEST(td_learns_backgammon_from_nothing) {
    static learn_table m;
    ploy_board_rules rules;
    m.board = ploy_board_default(ploy_board_backgammon(), &rules);
    ploy_env env = ploy_env_default();
    ploy_board_learn_def def = ploy_board_learn_def_default();
    def.games = board_soak() ? 20000 : 1600;
    ploy_board_learn *learn = NULL;
    ploy_board_evaluator *evaluator = NULL;
    CHECK_OK(ploy_board_learn_create(&def, m.board, &env, &learn));
    CHECK_OK(ploy_board_learn_step(learn, NULL));
    CHECK_OK(ploy_board_evaluator_create(ploy_board_learn_learned(learn), &env, &evaluator));
    int32_t games = board_soak() ? 2000 : 60;
    double random = learn_rate(&m, evaluator, LEARN_RANDOM, games);
    printf("td backgammon, %d games: %.3f against random\n", def.games, random);
    if (board_soak()) {
        double evaluation = learn_rate(&m, evaluator, LEARN_GAME, games);
        double hand = learn_rate(&m, NULL, LEARN_RANDOM, games);
        printf("%.3f against the evaluation, which has %.3f against random\n", evaluation, hand);
        CHECK(random >= 0.95);
        CHECK(evaluation >= 0.55);
        CHECK(hand >= 0.90);
    } else {
        CHECK(random >= 0.8);
    }
    ploy_board_evaluator_destroy(evaluator);
    ploy_board_learn_destroy(learn);
}

TEST(climbing_improves_on_its_start) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_connect4(), &rules);
    ploy_board_learn *learn = learn_make(t, board, PLOY_BOARD_LEARN_CLIMB, 600);
    CHECK_OK(ploy_board_learn_step(learn, NULL));
    ploy_board_learn_report report = ploy_board_learn_report_of(learn);
    CHECK(report.games >= 600 && report.stored >= 1);
    static learn_table m;
    m.board = board;
    ploy_env env = ploy_env_default();
    ploy_board_evaluator *evaluator = NULL;
    CHECK_OK(ploy_board_evaluator_create(ploy_board_learn_learned(learn), &env, &evaluator));
    double rate = learn_rate(&m, evaluator, LEARN_RANDOM, 60);
    printf("climbed connect4: %.3f against random\n", rate);
    CHECK(rate > 0.8);
    ploy_board_evaluator_destroy(evaluator);
    ploy_board_learn_destroy(learn);
}

// ---- search-trained tic-tac-toe against the exact value

static int32_t learn_solve(ploy_board board, const uint64_t position[8]) {
    int32_t side = board.type->side(board.rules, position);
    ploy_board_move moves[9];
    int32_t count = board.type->moves(board.rules, position, moves, 9), best = -2;
    for (int32_t i = 0; i < count; i++) {
        uint64_t next[8];
        memcpy(next, position, sizeof next);
        board.type->make(board.rules, next, moves[i], NULL);
        int32_t value = 0;
        if (board.type->side(board.rules, next) == PLOY_BOARD_OVER) {
            int32_t result = board.type->result(board.rules, next, side);
            value = result > 0 ? 1 : result < 0 ? -1 : 0;
        } else {
            value = -learn_solve(board, next);
        }
        if (value > best) best = value;
    }
    return best;
}

typedef struct learn_walk {
    ploy_board board;
    ploy_board_mcts *mcts;
    int32_t positions, worse;
} learn_walk;

// The policy moves as `own`, the opponent tries everything.
static void learn_walk_all(test_context *t, learn_walk *walk, const uint64_t position[8],
                           int32_t own) {
    ploy_board board = walk->board;
    int32_t side = board.type->side(board.rules, position);
    if (side == PLOY_BOARD_OVER) return;
    ploy_board_move moves[9];
    int32_t count = board.type->moves(board.rules, position, moves, 9);
    if (side == own) {
        CHECK_OK(ploy_board_mcts_begin(walk->mcts, position));
        CHECK_OK(ploy_board_mcts_step(walk->mcts, NULL));
        ploy_board_move move = ploy_board_mcts_outcome_of(walk->mcts).move;
        uint64_t next[8];
        memcpy(next, position, sizeof next);
        board.type->make(board.rules, next, move, NULL);
        int32_t value = 0;
        if (board.type->side(board.rules, next) == PLOY_BOARD_OVER)
            value = board.type->result(board.rules, next, side) > 0 ? 1 : 0;
        else
            value = -learn_solve(board, next);
        walk->positions++;
        walk->worse += value < learn_solve(board, position);
        learn_walk_all(t, walk, next, own);
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        uint64_t next[8];
        memcpy(next, position, sizeof next);
        board.type->make(board.rules, next, moves[i], NULL);
        learn_walk_all(t, walk, next, own);
    }
}

TEST(search_trained_tictactoe_is_never_worse_than_the_solver) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_tictactoe(), &rules);
    ploy_board_learn *learn = learn_make(t, board, PLOY_BOARD_LEARN_SEARCH, 600);
    CHECK_OK(ploy_board_learn_step(learn, NULL));
    ploy_env env = ploy_env_default();
    ploy_board_evaluator *evaluator = NULL;
    CHECK_OK(ploy_board_evaluator_create(ploy_board_learn_learned(learn), &env, &evaluator));
    ploy_board_mcts_def def = ploy_board_mcts_def_default();
    def.playouts = 100;
    def.nodes = 2000;
    def.keep = false;
    learn_walk walk = {board, NULL, 0, 0};
    CHECK_OK(ploy_board_mcts_create(&def, board, &env, &walk.mcts));
    ploy_board_mcts_hooks hooks = ploy_board_evaluator_guide(evaluator);
    ploy_board_mcts_hooks_set(walk.mcts, &hooks);
    for (int32_t own = 0; own < 2; own++) {
        uint64_t start[8] = {0};
        board.type->start(board.rules, start);
        learn_walk_all(t, &walk, start, own);
    }
    printf("search-trained tic-tac-toe: %d positions, %d moves worse than the solver's\n",
           walk.positions, walk.worse);
    CHECK(walk.positions > 100);
    CHECK_INT(walk.worse, 0);
    ploy_board_mcts_destroy(walk.mcts);
    ploy_board_evaluator_destroy(evaluator);
    ploy_board_learn_destroy(learn);
}

// ---- problems

TEST(a_board_game_is_a_problem) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_tictactoe(), &rules);
    ploy_board_problem kind;
    CHECK_OK(ploy_board_problem_init(&kind, board, 1.0f));
    CHECK_INT(kind.type.space.actions, 9);
    CHECK_INT(kind.type.space.observed, 18);
    ploy_env env = ploy_env_default();
    ploy_problem *problem = NULL;
    CHECK_OK(ploy_problem_create(&kind.type, &env, &problem));
    ploy_rng rng = ploy_rng_make(1);
    int32_t ends[3] = {0, 0, 0};
    for (int32_t episode = 0; episode < 200; episode++) {
        ploy_problem_reset(problem, (uint64_t)episode);
        ploy_problem_result step = {0.0f, false, false};
        int32_t steps = 0;
        while (!step.terminated) {
            bool allowed[PLOY_PROBLEM_ACTIONS_MAX];
            CHECK_INT(ploy_problem_allowed(problem, allowed), 9 - 2 * steps);
            int32_t action = ploy_rng_int(&rng, 0, 8);
            while (!allowed[action]) action = (action + 1) % 9;
            step = ploy_problem_step(problem, action);
            steps++;
            CHECK(steps <= 5 && (step.terminated || step.reward == 0.0f));
        }
        ends[step.reward > 0.0f ? 0 : step.reward < 0.0f ? 2 : 1]++;
    }
    CHECK(ends[0] > ends[2] && ends[2] > ends[1]); // the first player wins most random games
    ploy_problem_destroy(problem);
    ploy_board_rules other;
    CHECK_INT(
        ploy_board_problem_init(&kind, ploy_board_default(ploy_board_backgammon(), &other), 1),
        PLOY_ERR_UNSUPPORTED);
}

TEST(a_network_learns_tictactoe_as_a_problem) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_tictactoe(), &rules);
    ploy_board_problem kind;
    CHECK_OK(ploy_board_problem_init(&kind, board, 1.0f));
    ploy_env env = ploy_env_default();
    ploy_problem *problem = NULL;
    CHECK_OK(ploy_problem_create(&kind.type, &env, &problem));
    ploy_dqn_def def = ploy_dqn_def_default();
    def.discount = 0.95f;
    ploy_actor actor = {NULL, NULL};
    CHECK_OK(ploy_actor_create(ploy_actors_find("dqn"), &def, &kind.type.space, 1, &env, &actor));
    double before = ploy_play_greedy(problem, actor, 200, 5000);
    ploy_play_task *task = NULL;
    CHECK_OK(ploy_play_begin(problem, actor, 20000, 0.0f, 1, &env, &task));
    CHECK_OK(ploy_play_step(task, NULL));
    ploy_play_cancel(task);
    double after = ploy_play_greedy(problem, actor, 200, 5000);
    printf("dqn at tic-tac-toe: %.2f before, %.2f after 20000 moves\n", before, after);
    CHECK(after > before + 0.2 && after > 0.6);
    ploy_actor_destroy(actor);
    ploy_problem_destroy(problem);
}

// ---- fitting the game's own weights

// Random games; at each position the weights times their factors are the evaluation, but for its rounding.
static void check_terms(test_context *t, ploy_board board, int32_t rounding) {
    const ploy_board_type *type = board.type;
    const ploy_board_weights *weights = type->weights;
    int16_t *start = malloc(sizeof(int16_t) * (size_t)weights->count);
    ploy_board_weight_term *terms = malloc(sizeof *terms * (size_t)weights->terms_max);
    CHECK(start != NULL && terms != NULL);
    for (int32_t i = 0; i < weights->count; i++) start[i] = weights->start(i);
    for (int32_t seed = 0; seed < 10; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        uint64_t position[64];
        type->start(board.rules, position);
        for (int32_t ply = 0; ply < 100; ply++) {
            if (type->side(board.rules, position) == PLOY_BOARD_OVER) break;
            for (int32_t player = 0; player < 2; player++) {
                CHECK_INT(weights->evaluate(board.rules, position, player, weights->learned),
                          type->evaluate(board.rules, position, player));
                int32_t want = weights->evaluate(board.rules, position, player, start);
                int32_t count = weights->terms(board.rules, position, player, terms);
                CHECK(count <= weights->terms_max);
                double sum = 0.0;
                for (int32_t i = 0; i < count; i++) {
                    CHECK(terms[i].weight >= 0 && terms[i].weight < weights->count);
                    sum += (double)terms[i].factor * (double)start[terms[i].weight];
                }
                double off = sum - (double)want;
                CHECK(off < rounding && off > -rounding);
            }
            ploy_board_move moves[512];
            int32_t count = type->moves(board.rules, position, moves, 512);
            ploy_board_move move = moves[ploy_rng_below(&rng, (uint64_t)count)];
            type->make(board.rules, position, move, NULL);
        }
    }
    free(start);
    free(terms);
}

TEST(weights_times_factors_are_the_evaluation) {
    ploy_board_rules rules;
    for (int32_t size = 4; size <= 8; size += 2) {
        TEST_SEED(size);
        ploy_board othello = ploy_board_default(ploy_board_othello(), &rules);
        ((ploy_board_othello_def *)(void *)&rules)->size = size;
        check_terms(t, othello, 8);
    }
    // The bishop's share of a drawish ending and the danger to kings are rounded too.
    check_terms(t, ploy_board_default(ploy_board_chess(), &rules), 10);
}

static double fit_loss(test_context *t, int32_t reuse) {
    ploy_env env = ploy_env_default();
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_othello(), &rules);
    ploy_board_learn_def def = ploy_board_learn_def_default();
    def.method = PLOY_BOARD_LEARN_FIT;
    def.games = 40;
    def.nodes = 50;
    def.lambda = 1.0f;
    def.rate = 0.2f;
    def.reuse = reuse;
    ploy_board_learn *learn = NULL;
    CHECK_OK(ploy_board_learn_create(&def, board, &env, &learn));
    CHECK_OK(ploy_board_learn_step(learn, NULL));
    ploy_board_learn_report report = ploy_board_learn_report_of(learn);
    CHECK(report.examples > 1000);
    ploy_board_learn_destroy(learn);
    return report.loss;
}

TEST(a_fit_comes_closer_to_the_results) {
    double once = fit_loss(t, 1), often = fit_loss(t, 30);
    printf("fit to the margins of Othello: mean square %.2f after 1 lesson, %.2f after 30\n", once,
           often);
    CHECK(often < 0.8 * once);
}

// ---- the weights that the library has

typedef struct weighed {
    ploy_board board;
    const int16_t *weights;
} weighed;

static int32_t weigh(void *user, const void *position, int32_t player) {
    const weighed *w = user;
    return w->board.type->weights->evaluate(w->board.rules, position, player, w->weights);
}

static ploy_board_search *weighed_search(test_context *t, weighed *w, int32_t nodes) {
    ploy_env env = ploy_env_default();
    ploy_board_search_def def = ploy_board_search_def_strong(w->board);
    def.nodes = nodes;
    def.table.kilobytes = 256;
    ploy_board_search *search = NULL;
    CHECK_OK(ploy_board_search_create(&def, w->board, &env, &search));
    ploy_board_hooks hooks = {.evaluate = weigh, .user = w};
    ploy_board_search_hooks_set(search, &hooks);
    return search;
}

// One game from ten random plies. @return points of searches[0], which plays that side.
static double weighed_game(test_context *t, ploy_board board, ploy_board_search *const searches[2],
                           int32_t side, uint64_t seed) {
    const ploy_board_type *type = board.type;
    ploy_rng rng = ploy_rng_make(seed);
    uint64_t position[64], hashes[400];
    ploy_board_move moves[512];
    type->start(board.rules, position);
    for (int32_t ply = 0; ply < 400; ply++) {
        int32_t mover = type->side(board.rules, position);
        if (mover == PLOY_BOARD_OVER) {
            int32_t result = type->result(board.rules, position, side);
            return result > 0 ? 1.0 : result == 0 ? 0.5 : 0.0;
        }
        int32_t count = type->moves(board.rules, position, moves, 512);
        ploy_board_move move = moves[ploy_rng_below(&rng, (uint64_t)count)];
        if (ply >= 10) {
            ploy_board_search *search = searches[mover == side ? 0 : 1];
            CHECK_OK(ploy_board_search_begin(search, position, hashes, ply));
            CHECK_OK(ploy_board_search_step(search, NULL));
            move = ploy_board_search_outcome(search).move;
        }
        hashes[ply] = type->hash(board.rules, position);
        type->make(board.rules, position, move, NULL);
    }
    return 0.5;
}

// Share of the points of the learned weights against those from which learning began.
static double weighed_match(test_context *t, const ploy_board_type *type, int32_t nodes,
                            int32_t games) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(type, &rules);
    const ploy_board_weights *weights = type->weights;
    int16_t *start = malloc(sizeof(int16_t) * (size_t)weights->count);
    CHECK(start != NULL);
    for (int32_t i = 0; i < weights->count; i++) start[i] = weights->start(i);
    weighed sides[2] = {{board, weights->learned}, {board, start}};
    ploy_board_search *searches[2] = {weighed_search(t, &sides[0], nodes),
                                      weighed_search(t, &sides[1], nodes)};
    double points = 0.0;
    for (int32_t i = 0; i < games; i++) {
        points += weighed_game(t, board, searches, i % 2, (uint64_t)i / 2);
    }
    for (int32_t i = 0; i < 2; i++) ploy_board_search_destroy(searches[i]);
    free(start);
    printf("%s: learned weights score %.1f %% in %d games against the start\n", type->name,
           100.0 * points / games, (int)games);
    return points / games;
}

TEST(learned_weights_beat_those_from_which_learning_began) {
    CHECK(weighed_match(t, ploy_board_othello(), 300, (int32_t)test_rounds(100)) > 0.6);
    CHECK(weighed_match(t, ploy_board_chess(), 600, (int32_t)test_rounds(200)) > 0.5);
}

// ---- state and memory

TEST(learned_evaluations_save_and_load) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_tictactoe(), &rules);
    ploy_env env = ploy_env_default();
    for (int32_t kind = 0; kind < 4; kind++) {
        bool table = kind == PLOY_BOARD_LEARNED_TABLE;
        if (table) board = ploy_board_default(ploy_board_chess(), &rules);
        ploy_board_learned_def def = ploy_board_learned_def_default();
        def.kind = (ploy_board_learned_kind)kind;
        def.hidden = 3;
        ploy_board_learned *a = NULL, *b = NULL;
        CHECK_OK(ploy_board_learned_create(&def, board, &env, &a));
        def.seed = 2;
        CHECK_OK(ploy_board_learned_create(&def, board, &env, &b));
        if (table) { // another weight than the start
            int32_t count = 0;
            int16_t values[1024];
            const int16_t *start = ploy_board_learned_table(a, &count);
            CHECK(count <= 1024);
            memcpy(values, start, sizeof(int16_t) * (size_t)count);
            values[3] = -7000;
            ploy_board_learned_table_set(a, values);
            CHECK_INT(ploy_board_learned_table(a, &count)[3], -7000);
        }
        state_check s = {ploy_board_learned_visit, a, NULL, NULL, NULL};
        state_check_all(t, &s);
        state_check_copy(t, &s, b);
        CHECK_UINT(ploy_board_learned_hash(a), ploy_board_learned_hash(b));
        ploy_board_learned_destroy(a);
        ploy_board_learned_destroy(b);
    }
}

static ploy_result learn_body(const ploy_env *env, void *arg) {
    ploy_board_rules rules;
    ploy_board_learn_def def = ploy_board_learn_def_default();
    def.method = *(const ploy_board_learn_method *)arg;
    ploy_board board = learn_board((int32_t)def.method, &rules);
    def.nodes = 20;
    def.games = 8;
    def.hidden = 2;
    def.playouts = 4;
    def.replay = 64;
    def.depth = 1;
    def.match = 2;
    ploy_board_learn *learn = NULL;
    ploy_result result = ploy_board_learn_create(&def, board, env, &learn);
    if (result == PLOY_OK) result = ploy_board_learn_step(learn, NULL);
    ploy_board_learn_destroy(learn);
    return result;
}

TEST(learning_survives_lack_of_memory) {
    for (int32_t i = 0; i < PLOY_BOARD_LEARN_METHODS; i++) {
        ploy_board_learn_method method = (ploy_board_learn_method)i;
        t->row = ploy_board_learn_method_text(method);
        CHECK_FAIL_NTH(learn_body, &method);
    }
}
