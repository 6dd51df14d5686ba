// Root moves in rounds: the same result for any number of workers, slices, saves and cancels.
#include "ploy/board/chess.h"
#include "ploy/board/connect4.h"
#include "ploy/board/othello.h"
#include "ploy/board/player.h"
#include "ploy/board/tictactoe.h"
#include "tests/state.h"
#include "tests/test.h"

#include <string.h>

static ploy_board_rules board_rules;

static ploy_board_search *searcher(test_context *t, ploy_board board, ploy_board_method method,
                                   int32_t depth, int32_t lanes, const ploy_env *env) {
    ploy_board_search_def def = ploy_board_search_def_strong(board);
    def.method = method;
    def.depth = depth;
    def.max_ply = 32;
    def.lanes = lanes;
    def.table.kilobytes = 64;
    ploy_board_search *out = NULL;
    CHECK_OK(ploy_board_search_create(&def, board, env, &out));
    return out;
}

// Everything that a caller can see: the outcome, every root move with its line, and the state.
static uint64_t seen(const ploy_board_search *search) {
    ploy_board_outcome o = ploy_board_search_outcome(search);
    uint64_t hash = ploy_hash_bytes(o.line, sizeof o.line[0] * (size_t)o.line_count, o.move);
    const int64_t counts[] = {o.done,    o.partial, o.score,  o.lower,      o.upper, o.depth,
                              o.deepest, o.nodes,   o.leaves, o.table_cuts, o.passes};
    hash = ploy_hash_bytes(counts, sizeof counts, hash);
    for (int32_t i = 0; i < ploy_board_search_move_count(search); i++) {
        ploy_board_root_move m = ploy_board_search_move_at(search, i);
        const int64_t of[] = {(int64_t)m.move, m.score, m.exact, m.depth, m.nodes};
        hash = ploy_hash_bytes(of, sizeof of, hash);
        hash = ploy_hash_bytes(m.line, sizeof m.line[0] * (size_t)m.line_count, hash);
    }
    return ploy_hash_combine(hash, ploy_visit_hash(ploy_board_search_visit, search, NULL));
}

static uint64_t run(test_context *t, ploy_board board, ploy_board_method method, int32_t depth,
                    int32_t lanes, int64_t slice, int32_t workers) {
    ploy_env env = ploy_env_default();
    uint64_t position[64];
    ploy_job_pool *pool = NULL;
    ploy_board_search *search = searcher(t, board, method, depth, lanes, &env);
    if (workers > 1 && ploy_job_pool_create(workers, &env, &pool) == PLOY_OK) {
        ploy_board_search_jobs_set(search, ploy_job_pool_jobs(pool));
    }
    board.type->start(board.rules, position);
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    int64_t spent = 0;
    for (;;) {
        ploy_budget budget = ploy_budget_units(slice > 0 ? slice : INT64_C(1) << 40);
        int64_t before = budget.units;
        ploy_result result = ploy_board_search_step(search, &budget);
        spent += before - budget.units;
        if (result != PLOY_IN_PROGRESS) break;
    }
    CHECK_INT(spent, ploy_board_search_outcome(search).nodes);
    uint64_t hash = seen(search);
    ploy_board_search_destroy(search);
    ploy_job_pool_destroy(pool);
    return hash;
}

TEST(workers_and_slices_change_no_bit) {
    static const ploy_board_method methods[] = {PLOY_BOARD_PVS, PLOY_BOARD_ALPHABETA,
                                                PLOY_BOARD_NEGASCOUT, PLOY_BOARD_MTDF};
    for (int32_t i = 0; i < 3; i++) {
        TEST_SEED(i);
        const ploy_board_type *type = i == 0   ? ploy_board_chess()
                                      : i == 1 ? ploy_board_othello()
                                               : ploy_board_connect4();
        ploy_board board = ploy_board_default(type, &board_rules);
        int32_t depth = i == 0 ? 6 : 8;
        for (int32_t m = 0; m < 4; m++) {
            uint64_t whole = run(t, board, methods[m], depth, 4, 0, 1);
            CHECK_UINT(run(t, board, methods[m], depth, 4, 0, 2), whole);
            CHECK_UINT(run(t, board, methods[m], depth, 4, 0, 4), whole);
            CHECK_UINT(run(t, board, methods[m], depth, 4, 1, 1), whole);
            CHECK_UINT(run(t, board, methods[m], depth, 4, 777, 2), whole);
        }
    }
}

// The limit is met exactly, and a search that is cancelled in a round still has a legal move.
TEST(limits_and_cancels_end_a_round) {
    ploy_env env = ploy_env_default();
    ploy_board board = ploy_board_default(ploy_board_chess(), &board_rules);
    uint64_t position[64];
    board.type->start(board.rules, position);
    ploy_board_search *search = searcher(t, board, PLOY_BOARD_PVS, 30, 3, &env);
    for (int64_t limit = 1; limit < 60000; limit = limit * 2 + 1) {
        CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
        ploy_board_search_limit(search, 0, limit);
        CHECK_OK(ploy_board_search_step(search, NULL));
        CHECK_INT(ploy_board_search_outcome(search).nodes, limit);
    }
    for (int64_t units = 1; units < 20000; units = units * 3 + 1) {
        CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
        ploy_budget budget = ploy_budget_units(units);
        CHECK_INT(ploy_board_search_step(search, &budget), PLOY_IN_PROGRESS);
        ploy_board_search_cancel(search);
        ploy_board_outcome outcome = ploy_board_search_outcome(search);
        CHECK(outcome.done && outcome.partial && outcome.move != PLOY_BOARD_NO_MOVE);
        CHECK_OK(ploy_board_search_step(search, NULL));
    }
    ploy_board_search_destroy(search);
}

TEST(a_search_saved_between_rounds_continues) {
    ploy_env env = ploy_env_default();
    ploy_board board = ploy_board_default(ploy_board_othello(), &board_rules);
    uint64_t position[64];
    board.type->start(board.rules, position);
    for (int64_t units = 500; units < 40000; units = units * 2 + 77) {
        ploy_board_search *a = searcher(t, board, PLOY_BOARD_PVS, 9, 4, &env);
        ploy_board_search *b = searcher(t, board, PLOY_BOARD_PVS, 9, 4, &env);
        CHECK_OK(ploy_board_search_begin(a, position, NULL, 0));
        ploy_budget budget = ploy_budget_units(units);
        bool going = ploy_board_search_step(a, &budget) == PLOY_IN_PROGRESS;
        if (going) {
            state_check s = {ploy_board_search_visit, a, NULL, NULL, NULL};
            state_check other = {ploy_board_search_visit, b, NULL, NULL, NULL};
            char *text = state_save(t, &s);
            CHECK_OK(state_load(&other, text, &env, NULL));
            CHECK_UINT(state_hash(&s), state_hash(&other));
            CHECK_OK(ploy_board_search_step(a, NULL));
            CHECK_OK(ploy_board_search_step(b, NULL));
            CHECK_UINT(seen(a), seen(b));
            free(text);
        }
        ploy_board_search_destroy(a);
        ploy_board_search_destroy(b);
        if (!going) break;
    }
}

static int32_t count_watch;

static void watch(void *user, const ploy_board_event *event) {
    (void)user;
    count_watch += event->entered;
}

// A hook sees every node, in the calling thread.
TEST(hooks_see_every_node_of_the_lanes) {
    ploy_env env = ploy_env_default();
    ploy_board board = ploy_board_default(ploy_board_tictactoe(), &board_rules);
    uint64_t position[64];
    board.type->start(board.rules, position);
    ploy_job_pool *pool = NULL;
    ploy_board_search *search = searcher(t, board, PLOY_BOARD_PVS, 9, 3, &env);
    if (ploy_job_pool_create(2, &env, &pool) == PLOY_OK) {
        ploy_board_search_jobs_set(search, ploy_job_pool_jobs(pool));
    }
    count_watch = 0;
    ploy_board_hooks hooks = {.watch = watch};
    ploy_board_search_hooks_set(search, &hooks);
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    CHECK_OK(ploy_board_search_step(search, NULL));
    CHECK_INT(ploy_board_search_outcome(search).score, 0);
    CHECK_INT(count_watch, ploy_board_search_outcome(search).nodes);
    ploy_board_search_destroy(search);
    ploy_job_pool_destroy(pool);
}

static ploy_result create_lanes(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_board board = ploy_board_default(ploy_board_connect4(), &board_rules);
    ploy_board_search_def def = ploy_board_search_def_strong(board);
    def.lanes = 3;
    def.max_ply = 8;
    def.table.kilobytes = 8;
    ploy_board_search *search = NULL;
    ploy_result result = ploy_board_search_create(&def, board, env, &search);
    ploy_board_search_destroy(search);
    return result;
}

TEST(lanes_survive_each_failing_allocation) {
    CHECK_FAIL_NTH(create_lanes, NULL);
}

// A player hands its jobs on; its moves are the same with any number of workers.
TEST(players_use_the_jobs) {
    ploy_env env = ploy_env_default();
    ploy_board board = ploy_board_default(ploy_board_othello(), &board_rules);
    ploy_board_player_def def = ploy_board_player_def_for(board, 10);
    def.search.lanes = 4;
    def.nodes = 20000;
    ploy_board_move first = PLOY_BOARD_NO_MOVE;
    int64_t units = 0;
    for (int32_t workers = 1; workers <= 4; workers *= 2) {
        ploy_job_pool *pool = NULL;
        ploy_board_player *player = NULL;
        CHECK_OK(ploy_board_player_create(&def, board, &env, &player));
        if (workers > 1 && ploy_job_pool_create(workers, &env, &pool) == PLOY_OK) {
            ploy_board_player_jobs_set(player, ploy_job_pool_jobs(pool));
        }
        CHECK_OK(ploy_board_player_begin(player));
        CHECK_OK(ploy_board_player_step(player, NULL));
        ploy_board_choice_made choice = ploy_board_player_choice(player);
        if (workers == 1) first = choice.move, units = choice.units;
        CHECK_UINT(choice.move, first);
        CHECK_INT(choice.units, units);
        ploy_board_player_destroy(player);
        ploy_job_pool_destroy(pool);
    }
}
