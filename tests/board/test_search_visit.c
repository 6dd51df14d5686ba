// Searches and players that are saved, loaded and rewound in mid-search.
#include "ploy/board/chess.h"
#include "ploy/board/connect4.h"
#include "ploy/board/player.h"
#include "ploy/board/tictactoe.h"
#include "tests/state.h"
#include "tests/test.h"

#include <string.h>

static ploy_board_rules board_rules;

static ploy_board game(const ploy_board_type *type) {
    return ploy_board_default(type, &board_rules);
}

static ploy_board_search *searcher(test_context *t, ploy_board board, ploy_board_method method,
                                   const ploy_env *env) {
    ploy_board_search_def def = ploy_board_search_def_strong(board);
    def.method = method;
    def.depth = 5;
    def.max_ply = 24;
    def.table.kilobytes = 16;
    ploy_board_search *out = NULL;
    CHECK_OK(ploy_board_search_create(&def, board, env, &out));
    return out;
}

static void same_outcome(test_context *t, ploy_board_search *a, ploy_board_search *b) {
    ploy_board_outcome x = ploy_board_search_outcome(a), y = ploy_board_search_outcome(b);
    CHECK(x.done && y.done);
    CHECK_UINT(x.move, y.move);
    CHECK_INT(x.score, y.score);
    CHECK_INT(x.nodes, y.nodes);
    CHECK_INT(x.leaves, y.leaves);
    CHECK_INT(x.line_count, y.line_count);
    CHECK(memcmp(x.line, y.line, sizeof(ploy_board_move) * (size_t)x.line_count) == 0);
    CHECK_UINT(ploy_visit_hash(ploy_board_search_visit, a, NULL),
               ploy_visit_hash(ploy_board_search_visit, b, NULL));
}

TEST(a_search_continues_where_it_was_saved) {
    static const ploy_board_method methods[] = {PLOY_BOARD_PVS, PLOY_BOARD_MTDF,
                                                PLOY_BOARD_MTD_BEST, PLOY_BOARD_MINIMAX};
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < 8; i++) {
        TEST_SEED(i);
        ploy_board board = game(i % 2 == 0 ? ploy_board_connect4() : ploy_board_chess());
        if (board.type == ploy_board_chess() && methods[i / 2] == PLOY_BOARD_MINIMAX) continue;
        uint64_t position[64];
        board.type->start(board.rules, position);
        ploy_board_search *a = searcher(t, board, methods[i / 2], &env);
        for (int64_t k = 1; k < 3000; k = k * 3 + 7) {
            ploy_board_search *b = searcher(t, board, methods[i / 2], &env);
            ploy_board_table_clear(ploy_board_search_table(a));
            CHECK_OK(ploy_board_search_begin(a, position, NULL, 0));
            ploy_budget budget = ploy_budget_units(k);
            if (ploy_board_search_step(a, &budget) != PLOY_IN_PROGRESS) {
                ploy_board_search_destroy(b);
                break;
            }
            state_check s = {ploy_board_search_visit, a, NULL, NULL, NULL};
            char *text = state_save(t, &s);
            state_check other = {ploy_board_search_visit, b, NULL, NULL, NULL};
            CHECK_OK(state_load(&other, text, &env, NULL));
            CHECK_UINT(state_hash(&s), state_hash(&other));
            CHECK_OK(ploy_board_search_step(a, NULL));
            while (ploy_board_search_step(b, &(ploy_budget){.units = 100}) == PLOY_IN_PROGRESS)
                continue;
            same_outcome(t, a, b);
            free(text);
            ploy_board_search_destroy(b);
        }
        ploy_board_search_destroy(a);
    }
}

// Saved at every node and loaded into another search, each method ends as if nothing had happened.
TEST(every_method_continues_from_every_node) {
    ploy_env env = ploy_env_default();
    ploy_board board = game(ploy_board_tictactoe());
    uint64_t position[8];
    CHECK_OK(board.type->parse(board.rules, "XO./.O./X..", "", position, NULL));
    for (int32_t m = 0; m < PLOY_BOARD_METHODS; m++) {
        t->row = ploy_board_method_text((ploy_board_method)m);
        ploy_board_search *whole = searcher(t, board, (ploy_board_method)m, &env);
        CHECK_OK(ploy_board_search_begin(whole, position, NULL, 0));
        CHECK_OK(ploy_board_search_step(whole, NULL));
        int64_t nodes = ploy_board_search_outcome(whole).nodes;
        CHECK(nodes > 4);
        for (int64_t k = 0; k < nodes; k++) {
            TEST_SEED(k);
            ploy_board_search *a = searcher(t, board, (ploy_board_method)m, &env);
            ploy_board_search *b = searcher(t, board, (ploy_board_method)m, &env);
            CHECK_OK(ploy_board_search_begin(a, position, NULL, 0));
            ploy_budget budget = ploy_budget_units(k);
            CHECK_INT(ploy_board_search_step(a, &budget), PLOY_IN_PROGRESS);
            CHECK_INT(ploy_board_search_outcome(a).nodes, k);
            state_check s = {ploy_board_search_visit, a, NULL, NULL, NULL};
            state_check other = {ploy_board_search_visit, b, NULL, NULL, NULL};
            char *text = state_save(t, &s);
            CHECK_OK(state_load(&other, text, &env, NULL));
            CHECK_UINT(state_hash(&s), state_hash(&other));
            CHECK_OK(ploy_board_search_step(b, NULL));
            same_outcome(t, whole, b);
            // Cancelled there, it has a move, and the next search ends with the value.
            ploy_board_search_cancel(a);
            CHECK(ploy_board_search_outcome(a).done);
            CHECK(ploy_board_search_outcome(a).move != PLOY_BOARD_NO_MOVE);
            ploy_board_table_clear(ploy_board_search_table(a));
            CHECK_OK(ploy_board_search_begin(a, position, NULL, 0));
            CHECK_OK(ploy_board_search_step(a, NULL));
            ploy_board_outcome again = ploy_board_search_outcome(a);
            CHECK(again.done && !again.partial);
            // The moves that cut before are tried first, so only the value is the same.
            if (m != PLOY_BOARD_MT && m != PLOY_BOARD_MTD_BEST)
                CHECK_INT(again.score, ploy_board_search_outcome(whole).score);
            free(text);
            ploy_board_search_destroy(a);
            ploy_board_search_destroy(b);
        }
        ploy_board_search_destroy(whole);
    }
}

// A file whose stack, trees or position was changed is refused and changes nothing.
static void check_refused(test_context *t, const state_check *s, const char *name) {
    ploy_env env = ploy_env_default();
    char *text = state_save(t, s);
    char *at = strstr(text, name);
    CHECK(at != NULL);
    at = strchr(at, ':');
    CHECK(at != NULL);
    at += strcspn(at, "123456789abcdef");
    *at = *at == '1' ? '2' : '1';
    uint64_t before = state_hash(s);
    CHECK_INT(state_load(s, text, &env, NULL), PLOY_ERR_FORMAT);
    CHECK_UINT(state_hash(s), before);
    free(text);
}

TEST(a_search_refuses_a_changed_stack) {
    ploy_env env = ploy_env_default();
    ploy_board board = game(ploy_board_connect4());
    uint64_t position[16];
    board.type->start(board.rules, position);
    ploy_board_search *search = searcher(t, board, PLOY_BOARD_PVS, &env);
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    ploy_budget budget = ploy_budget_units(200);
    CHECK_INT(ploy_board_search_step(search, &budget), PLOY_IN_PROGRESS);
    state_check s = {ploy_board_search_visit, search, NULL, NULL, NULL};
    state_check_cover(t, &s);
    check_refused(t, &s, "\"stack\"");
    check_refused(t, &s, "\"root_count\"");
    CHECK_OK(ploy_board_search_step(search, NULL));
    // Another game is refused by its size or its name.
    ploy_board other = game(ploy_board_tictactoe());
    ploy_board_search *small = searcher(t, other, PLOY_BOARD_PVS, &env);
    char *text = state_save(t, &s);
    state_check into = {ploy_board_search_visit, small, NULL, NULL, NULL};
    CHECK_INT(state_load(&into, text, &env, NULL), PLOY_ERR_FORMAT);
    free(text);
    ploy_board_search_destroy(small);
    ploy_board_search_destroy(search);
}

static ploy_board_player *make_player(test_context *t, ploy_board board, bool monte_carlo,
                                      const ploy_env *env) {
    ploy_board_player_def def = ploy_board_player_def_for(board, 4);
    def.monte_carlo = monte_carlo;
    def.nodes = 100000;
    def.search.table.kilobytes = 32;
    def.search.max_ply = 24;
    def.mcts.nodes = 2000;
    def.mcts.trees = 2;
    ploy_board_player *out = NULL;
    CHECK_OK(ploy_board_player_create(&def, board, env, &out));
    return out;
}

TEST(a_player_is_saved_in_mid_search) {
    ploy_env env = ploy_env_default();
    ploy_board board = game(ploy_board_connect4());
    for (int32_t mcts = 0; mcts < 2; mcts++) {
        TEST_SEED(mcts);
        ploy_board_player *a = make_player(t, board, mcts == 1, &env);
        ploy_board_player *b = make_player(t, board, mcts == 1, &env);
        state_check s = {ploy_board_player_visit, a, NULL, NULL, NULL};
        state_check other = {ploy_board_player_visit, b, NULL, NULL, NULL};
        for (int32_t ply = 0; ply < 6; ply++) {
            CHECK_OK(ploy_board_player_begin(a));
            ploy_budget budget = ploy_budget_units(37 + 50 * ply);
            (void)ploy_board_player_step(a, &budget);
            state_check_cover(t, &s);
            char *text = state_save(t, &s);
            CHECK_OK(state_load(&other, text, &env, NULL));
            CHECK_UINT(state_hash(&s), state_hash(&other));
            free(text);
            CHECK_OK(ploy_board_player_step(a, NULL));
            CHECK_OK(ploy_board_player_step(b, NULL));
            ploy_board_choice_made x = ploy_board_player_choice(a), y = ploy_board_player_choice(b);
            CHECK_UINT(x.move, y.move);
            CHECK_INT(x.units, y.units);
            CHECK_TEXT(x.source, y.source);
            CHECK_UINT(state_hash(&s), state_hash(&other));
            CHECK_OK(ploy_board_player_play(a, x.move));
        }
        check_refused(t, &s, "\"position\"");
        check_refused(t, &s, mcts == 1 ? "\"nodes\"" : "\"stack\"");
        ploy_board_player_destroy(a);
        ploy_board_player_destroy(b);
    }
}

static ploy_result load_body(const ploy_env *env, void *arg) {
    const char *text = arg;
    ploy_board board = game(ploy_board_connect4());
    ploy_board_player_def def = ploy_board_player_def_for(board, 4);
    def.search.table.kilobytes = 4;
    def.search.max_ply = 8;
    def.search.depth = 6;
    ploy_board_player *player = NULL;
    ploy_result result = ploy_board_player_create(&def, board, env, &player);
    if (result == PLOY_OK && text != NULL) {
        state_check s = {ploy_board_player_visit, player, NULL, NULL, NULL};
        result = state_load(&s, text, env, NULL);
    }
    ploy_board_player_destroy(player);
    return result;
}

TEST(loading_a_player_survives_a_lack_of_memory) {
    ploy_env env = ploy_env_default();
    ploy_board board = game(ploy_board_connect4());
    ploy_board_player_def def = ploy_board_player_def_for(board, 4);
    def.search.table.kilobytes = 4;
    def.search.max_ply = 8;
    def.search.depth = 6;
    ploy_board_player *player = NULL;
    CHECK_OK(ploy_board_player_create(&def, board, &env, &player));
    CHECK_OK(ploy_board_player_begin(player));
    ploy_budget budget = ploy_budget_units(50);
    CHECK_INT(ploy_board_player_step(player, &budget), PLOY_IN_PROGRESS);
    state_check s = {ploy_board_player_visit, player, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    ploy_board_player_destroy(player);
    CHECK_FAIL_NTH(load_body, text);
    free(text);
}
