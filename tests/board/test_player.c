// Players: sources, levels, games, pondering and the behavior.
#include "ploy/board/connect4.h"
#include "ploy/board/player.h"
#include "ploy/board/tictactoe.h"
#include "tests/test.h"

#include <string.h>

static ploy_board_rules board_rules;

static ploy_board game(const ploy_board_type *type) {
    return ploy_board_default(type, &board_rules);
}

static ploy_board_player *player(test_context *t, ploy_board board, int32_t level, uint64_t seed,
                                 int32_t nodes, bool monte_carlo) {
    ploy_env env = ploy_env_default();
    ploy_board_player_def def = ploy_board_player_def_for(board, level);
    def.seed = seed;
    def.nodes = nodes;
    def.monte_carlo = monte_carlo;
    def.search.table.kilobytes = 64;
    def.mcts.nodes = 5000;
    ploy_board_player *out = NULL;
    CHECK_OK(ploy_board_player_create(&def, board, &env, &out));
    return out;
}

// Plays one game; 1: the first player wins, 0: a draw, -1: it loses.
static int32_t play(test_context *t, ploy_board board, ploy_board_player *a, ploy_board_player *b) {
    ploy_board_player *players[2] = {a, b};
    for (int32_t i = 0; i < 2; i++) CHECK_OK(ploy_board_player_new_game(players[i], NULL));
    for (;;) {
        const void *position = ploy_board_player_position(a);
        int32_t side = board.type->side(board.rules, position);
        if (side == PLOY_BOARD_OVER) {
            int32_t result = board.type->result(board.rules, position, 0);
            return result > 0 ? 1 : result < 0 ? -1 : 0;
        }
        CHECK_OK(ploy_board_player_begin(players[side]));
        CHECK_OK(ploy_board_player_step(players[side], NULL));
        ploy_board_choice_made choice = ploy_board_player_choice(players[side]);
        CHECK(choice.done && choice.source != NULL);
        for (int32_t i = 0; i < 2; i++) CHECK_OK(ploy_board_player_play(players[i], choice.move));
    }
}

TEST(strong_players_draw_tictactoe) {
    ploy_board board = game(ploy_board_tictactoe());
    for (int32_t mcts = 0; mcts < 2; mcts++) {
        ploy_board_player *a = player(t, board, 10, 1, 20000, mcts == 1);
        ploy_board_player *b = player(t, board, 10, 2, 20000, false);
        CHECK_INT(play(t, board, a, b), 0);
        CHECK_INT(play(t, board, b, a), 0);
        ploy_board_player_destroy(a);
        ploy_board_player_destroy(b);
    }
}

TEST(a_higher_level_wins_more_often) {
    ploy_board board = game(ploy_board_connect4());
    int32_t games = (int32_t)test_rounds(16), points = 0;
    for (int32_t g = 0; g < games; g++) {
        ploy_board_player *strong = player(t, board, 7, (uint64_t)g, 20000, false);
        ploy_board_player *weak = player(t, board, 2, (uint64_t)g + 1000, 20000, false);
        points += g % 2 == 0 ? play(t, board, strong, weak) : -play(t, board, weak, strong);
        ploy_board_player_destroy(strong);
        ploy_board_player_destroy(weak);
    }
    CHECK(points * 2 > games); // more than three quarters of the points
}

TEST(the_loss_of_a_move_is_bounded) {
    ploy_board board = game(ploy_board_connect4());
    int32_t weak_moves = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        TEST_SEED(seed);
        ploy_board_player *p = player(t, board, 3, seed, 20000, false);
        CHECK_OK(ploy_board_player_begin(p));
        CHECK_OK(ploy_board_player_step(p, NULL));
        ploy_board_choice_made choice = ploy_board_player_choice(p);
        CHECK(choice.loss >= 0 && choice.loss <= 4 * board.type->unit * 36 / 64);
        weak_moves += choice.move != choice.best;
        ploy_board_player_destroy(p);
    }
    CHECK(weak_moves > 3 && weak_moves < 28);
}

static bool find_corner(void *user, ploy_board board, const void *position, ploy_rng *rng,
                        ploy_board_move *move) {
    (void)rng;
    (*(int32_t *)user)++;
    char text[PLOY_BOARD_TEXT];
    board.type->text(board.rules, position, text);
    *move = 1;
    return strcmp(text, ".../.../...") == 0;
}

TEST(sources_come_first_and_only_moves_need_no_search) {
    ploy_board board = game(ploy_board_tictactoe());
    ploy_board_player *p = player(t, board, 10, 1, 1000, false);
    int32_t calls = 0;
    ploy_board_source source = {"book", find_corner, &calls};
    CHECK_OK(ploy_board_player_source_add(p, &source));
    CHECK_OK(ploy_board_player_begin(p));
    CHECK_OK(ploy_board_player_step(p, NULL));
    CHECK_TEXT(ploy_board_player_choice(p).source, "book");
    CHECK_UINT(ploy_board_player_choice(p).move, 1);
    CHECK_OK(ploy_board_player_play(p, 1));
    CHECK_INT(ploy_board_player_play(p, 1), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_board_player_begin(p));
    CHECK_OK(ploy_board_player_step(p, NULL));
    CHECK_TEXT(ploy_board_player_choice(p).source, "search");
    CHECK_UINT(ploy_board_player_choice(p).move, 5);
    CHECK_INT(calls, 2);
    uint64_t last[8];
    CHECK_OK(board.type->parse(board.rules, "XOX/XOO/OX.", "", last, NULL));
    CHECK_OK(ploy_board_player_new_game(p, last));
    CHECK_OK(ploy_board_player_begin(p));
    CHECK_TEXT(ploy_board_player_choice(p).source, "only move");
    CHECK_OK(ploy_board_player_play(p, 9));
    CHECK_INT(ploy_board_player_begin(p), PLOY_ERR_STATE);
    for (int32_t i = 1; i < PLOY_BOARD_SOURCES; i++) {
        CHECK_OK(ploy_board_player_source_add(p, &source));
    }
    CHECK_INT(ploy_board_player_source_add(p, &source), PLOY_ERR_CAPACITY);
    ploy_board_player_destroy(p);
}

TEST(pondering_makes_the_next_search_cheaper) {
    ploy_board board = game(ploy_board_connect4());
    int64_t nodes[2];
    for (int32_t ponder = 0; ponder < 2; ponder++) {
        ploy_env env = ploy_env_default();
        ploy_board_player_def def = ploy_board_player_def_for(board, 0);
        def.search.depth = 7;
        ploy_board_player *p = NULL;
        CHECK_OK(ploy_board_player_create(&def, board, &env, &p));
        CHECK_OK(ploy_board_player_play(p, 4));
        if (ponder == 1) {
            ploy_budget budget = ploy_budget_units(5000);
            ploy_board_player_ponder(p, &budget);
        }
        CHECK_OK(ploy_board_player_play(p, 4)); // stops the pondering
        CHECK_OK(ploy_board_player_begin(p));
        CHECK_OK(ploy_board_player_step(p, NULL));
        nodes[ponder] = ploy_board_player_choice(p).units;
        CHECK_INT(ploy_board_player_choice(p).depth, 7);
        ploy_board_player_destroy(p);
    }
    CHECK(nodes[1] < nodes[0]);
}

TEST(stop_gives_the_best_so_far) {
    ploy_board board = game(ploy_board_connect4());
    for (int32_t mcts = 0; mcts < 2; mcts++) {
        ploy_board_player *p = player(t, board, 10, 1, 100000, mcts == 1);
        CHECK_INT(ploy_board_player_step(p, NULL), PLOY_ERR_STATE);
        CHECK_OK(ploy_board_player_begin(p));
        ploy_budget budget = ploy_budget_units(300);
        CHECK_INT(ploy_board_player_step(p, &budget), PLOY_IN_PROGRESS);
        CHECK(!ploy_board_player_choice(p).done);
        ploy_board_player_stop(p);
        CHECK(ploy_board_player_choice(p).done);
        CHECK(ploy_board_player_choice(p).move != PLOY_BOARD_NO_MOVE);
        ploy_board_player_destroy(p);
    }
}

TEST(going_to_a_position_keeps_the_table_and_counts_its_history) {
    ploy_board board = game(ploy_board_connect4());
    ploy_board_player *p = player(t, board, 10, 1, 3000, false);
    uint64_t start[16] = {0}, after[16] = {0}, keys[600];
    board.type->start(board.rules, start);
    memcpy(after, start, sizeof after);
    ploy_board_move moves[16];
    CHECK(board.type->moves(board.rules, start, moves, 16) > 0);
    board.type->make(board.rules, after, moves[3], NULL);
    for (int32_t i = 0; i < 600; i++) keys[i] = (uint64_t)i;
    ploy_board_player_go_to(p, after, keys, 600); // only the last ones count
    CHECK(memcmp(ploy_board_player_position(p), after, sizeof(uint64_t)) == 0);
    CHECK_OK(ploy_board_player_begin(p));
    CHECK_OK(ploy_board_player_step(p, NULL));
    ploy_board_move first = ploy_board_player_choice(p).move;
    int64_t units = ploy_board_player_choice(p).units;
    // The same again needs fewer nodes for the same depth, because the table is kept.
    int32_t depth = ploy_board_player_choice(p).depth;
    ploy_board_player_go_to(p, after, NULL, 0);
    CHECK(!ploy_board_player_choice(p).done);
    CHECK_OK(ploy_board_player_begin(p));
    ploy_board_player_limit(p, depth, 0);
    CHECK_OK(ploy_board_player_step(p, NULL));
    CHECK(ploy_board_player_choice(p).move == first);
    CHECK(ploy_board_player_choice(p).units < units);
    ploy_board_player_destroy(p);
}

static bool first_move(void *user, ploy_board board, const void *position, ploy_rng *rng,
                       ploy_board_move *move) {
    (void)user, (void)rng;
    ploy_board_move moves[16];
    *move = board.type->moves(board.rules, position, moves, 16) > 0 ? moves[0] : 0;
    return *move != PLOY_BOARD_NO_MOVE;
}

TEST(an_analysis_asks_no_source_and_has_no_level) {
    ploy_board board = game(ploy_board_connect4());
    ploy_board_player *p = player(t, board, 2, 1, 20000, false);
    const ploy_board_source source = {"book", first_move, NULL};
    CHECK_OK(ploy_board_player_source_add(p, &source));
    CHECK_OK(ploy_board_player_begin(p));
    CHECK_TEXT(ploy_board_player_choice(p).source, "book");
    CHECK_OK(ploy_board_player_analyze(p));
    CHECK(!ploy_board_player_choice(p).done);
    ploy_budget budget = ploy_budget_units(5000); // more than the level allows
    CHECK_INT(ploy_board_player_step(p, &budget), PLOY_IN_PROGRESS);
    CHECK_INT(ploy_board_search_outcome(ploy_board_player_search(p)).nodes, 5000);
    ploy_board_player_stop(p);
    CHECK(ploy_board_player_choice(p).done);
    ploy_board_player_destroy(p);
}

// ---- behavior

typedef struct table_game {
    ploy_board board;
    uint64_t position[8];
    int32_t moves;
} table_game;

static const void *table_position(void *user, const ploy_step_context *context) {
    (void)context;
    table_game *g = user;
    return g->board.type->side(g->board.rules, g->position) == PLOY_BOARD_OVER ? NULL : g->position;
}
static void table_play(void *user, ploy_step_context *context, ploy_board_move move) {
    (void)context;
    table_game *g = user;
    g->board.type->make(g->board.rules, g->position, move, NULL);
    g->moves++;
}

static ploy_result behavior_body(const ploy_env *env, void *arg) {
    table_game *g = arg;
    ploy_board_player_type type = {
        .board = g->board, .position = table_position, .play = table_play, .user = g};
    type.def = ploy_board_player_def_for(g->board, 5);
    type.def.search.table.kilobytes = 16;
    ploy_behavior mind;
    ploy_result result = ploy_maker_make(ploy_board_player_maker(&type), env, &mind);
    if (result != PLOY_OK) return result;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
    result = ploy_behavior_enter(mind, &context);
    g->moves = 0;
    g->board.type->start(g->board.rules, g->position);
    for (int32_t tick = 0; tick < 500 && result == PLOY_OK; tick++) {
        ploy_budget budget = ploy_budget_units(200);
        ploy_status status;
        context.budget = &budget;
        result = ploy_behavior_step(mind, &context, &status);
        if (result == PLOY_OK) result = ploy_behavior_commit(mind, &context);
        ploy_step_context_next(&context);
    }
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_behavior_describe(mind, &out);
    ploy_behavior_exit(mind, &context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    return result;
}

TEST(a_behavior_plays_both_sides_in_slices) {
    table_game g = {.board = game(ploy_board_tictactoe())};
    ploy_env env = ploy_env_default();
    CHECK_OK(behavior_body(&env, &g));
    CHECK_INT(g.board.type->side(g.board.rules, g.position), PLOY_BOARD_OVER);
    CHECK(g.moves >= 5);
    CHECK_FAIL_NTH(behavior_body, &g);
}

TEST(a_player_reports_its_memory) {
    ploy_board board = game(ploy_board_connect4());
    for (int32_t mcts = 0; mcts < 2; mcts++) {
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        ploy_board_player_def def = ploy_board_player_def_for(board, 3);
        def.nodes = 500;
        def.monte_carlo = mcts != 0;
        def.search.table.kilobytes = 64;
        def.mcts.nodes = 1000;
        ploy_board_player *player = NULL;
        CHECK_OK(ploy_board_player_create(&def, board, &env, &player));
        CHECK_OK(ploy_board_player_new_game(player, NULL));
        CHECK_OK(ploy_board_player_begin(player));
        CHECK_OK(ploy_board_player_step(player, NULL));
        int64_t reported = 0;
        ploy_board_player_memory(player, test_sum_memory, &reported);
        CHECK_INT(reported, counts.bytes);
        ploy_board_player_destroy(player);
        CHECK_INT(counts.bytes, 0);
    }
}
