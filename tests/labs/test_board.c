// The labs `board` and `searches`: games are played to the end, taken back and explained; searches
// agree on the value of a tree; both rewind.
#include "tests/labs/lab_test.h"

TEST(board_computers_play_to_the_end_and_rewind) {
    static const char *const games[] = {"game=connect4", "game=tictactoe"};
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        for (int32_t mcts = 0; mcts < 2; mcts++) {
            t->row = games[i];
            ploy_env env = ploy_env_default();
            const char *settings[] = {games[i], mcts == 1 ? "monte_carlo=true" : "level=5",
                                      "units=2000", NULL};
            ploy_sim *sim = lab_start(t, "board", settings, &env);
            lab_run(t, sim, 2);
            lab_check_rewind(t, sim, 5);
            CHECK(lab_drawn(sim) > 10);
            lab_run(t, sim, 400);
            CHECK(lab_number(t, sim, "games") >= 1.0);
            ploy_sim_destroy(sim);
        }
    }
}

TEST(board_a_person_clicks_takes_back_and_asks_why_not) {
    ploy_env env = ploy_env_default();
    const char *settings[] = {"person=first", "units=5000", "level=9", NULL};
    ploy_sim *sim = lab_start(t, "board", settings, &env);
    lab_run(t, sim, 20);
    CHECK_NEAR(lab_number(t, sim, "plies"), 0.0, 0.0); // it waits for the person
    lab_click(t, sim, 3.5f, 0.5f);
    lab_run(t, sim, 60);
    CHECK_NEAR(lab_number(t, sim, "plies"), 2.0, 0.0);
    lab_click(t, sim, 30.0f, 0.5f); // beside the board
    CHECK_NEAR(lab_number(t, sim, "plies"), 2.0, 0.0);
    lab_command(t, sim, "why_not", ploy_value_vec2(0.5f, 0.5f));
    CHECK_NEAR(lab_number(t, sim, "answers"), 1.0, 0.0);
    lab_command(t, sim, "back", ploy_value_none());
    CHECK_NEAR(lab_number(t, sim, "plies"), 0.0, 0.0);
    lab_check_rewind(t, sim, 10);
    lab_command(t, sim, "new", ploy_value_none());
    ploy_sim_destroy(sim);
}

TEST(board_plays_every_game_that_can_be_drawn) {
    static const char *const games[] = {"game=othello", "game=draughts", "game=chess", "game=go",
                                        "game=atoms"};
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        t->row = games[i];
        ploy_env env = ploy_env_default();
        const char *settings[] = {games[i], "level=2", "units=2000", NULL};
        ploy_sim *sim = lab_start(t, "board", settings, &env);
        lab_command(t, sim, "tree", ploy_value_none());
        lab_run(t, sim, 60);
        CHECK(lab_number(t, sim, "plies") > 5.0);
        CHECK(lab_drawn(sim) > 20);
        lab_check_rewind(t, sim, 5);
        ploy_sim_destroy(sim);
    }
}

TEST(board_a_move_between_two_squares_takes_two_clicks) {
    ploy_env env = ploy_env_default();
    const char *settings[] = {"game=chess", "person=both", NULL};
    ploy_sim *sim = lab_start(t, "board", settings, &env);
    lab_click(t, sim, 4.5f, 3.5f); // nothing starts there
    lab_click(t, sim, 4.5f, 1.5f);
    CHECK_NEAR(lab_number(t, sim, "plies"), 0.0, 0.0);
    lab_click(t, sim, 4.5f, 3.5f);
    CHECK_NEAR(lab_number(t, sim, "plies"), 1.0, 0.0);
    ploy_sim_destroy(sim);
}

TEST(board_the_tree_opens_node_by_node) {
    ploy_env env = ploy_env_default();
    const char *settings[] = {"person=both", NULL};
    ploy_sim *sim = lab_start(t, "board", settings, &env);
    int32_t before = lab_drawn(sim);
    lab_command(t, sim, "tree", ploy_value_none());
    CHECK(lab_drawn(sim) >= before + 8); // the root and seven moves
    lab_click(t, sim, 9.0f, 6.0f - 0.45f);
    CHECK(lab_number(t, sim, "tree/path") >= 0.0); // the first move is open
    lab_check_rewind(t, sim, 5);
    lab_click(t, sim, 9.0f, 6.0f);
    lab_click(t, sim, 3.5f, 0.5f); // a move closes the tree's nodes
    CHECK_NEAR(lab_number(t, sim, "plies"), 1.0, 0.0);
    lab_command(t, sim, "ask", ploy_value_none());
    lab_click(t, sim, 0.5f, 0.5f);
    CHECK_NEAR(lab_number(t, sim, "answers"), 1.0, 0.0);
    CHECK_NEAR(lab_number(t, sim, "plies"), 1.0, 0.0); // it asked and did not play
    ploy_sim_destroy(sim);
}

TEST(searches_agree_on_the_value_of_a_tree) {
    static const char *const trees[] = {"tree=t1", "tree=t5", "tree=random"};
    for (size_t i = 0; i < COUNT_OF(trees); i++) {
        t->row = trees[i];
        ploy_env env = ploy_env_default();
        const char *settings[] = {trees[i],    "period=1",   "second=alphabeta",
                                  "third=pvs", "fourth=sss", NULL};
        ploy_sim *sim = lab_start(t, "searches", settings, &env);
        lab_run(t, sim, 3);
        lab_check_rewind(t, sim, 10);
        lab_run(t, sim, 400);
        CHECK(lab_drawn(sim) > 10);
        double value = lab_number(t, sim, "first/score");
        CHECK_NEAR(lab_number(t, sim, "second/score"), value, 0.0);
        CHECK_NEAR(lab_number(t, sim, "third/score"), value, 0.0);
        CHECK_NEAR(lab_number(t, sim, "fourth/score"), value, 0.0);
        CHECK(lab_number(t, sim, "second/leaves") <= lab_number(t, sim, "first/leaves"));
        ploy_sim_destroy(sim);
    }
}

TEST(searches_all_of_them_are_shown_side_by_side) {
    static const char *const exact[] = {"negamax", "alphabeta", "negascout", "pvs",
                                        "mtdf",    "sss",       "dual",      "maxn"};
    ploy_env env = ploy_env_default();
    const char *settings[] = {"tree=t4", "period=1", "all=true", NULL};
    ploy_sim *sim = lab_start(t, "searches", settings, &env);
    lab_check_rewind(t, sim, 10);
    lab_run(t, sim, 400);
    CHECK_NEAR(lab_number(t, sim, "minimax/score"), 11.0, 0.0);
    CHECK_NEAR(lab_number(t, sim, "minimax/leaves"), 12.0, 0.0);
    for (size_t i = 0; i < COUNT_OF(exact); i++) {
        t->row = exact[i];
        char path[40];
        snprintf(path, sizeof path, "%s/score", exact[i]);
        CHECK_NEAR(lab_number(t, sim, path), 11.0, 0.0);
    }
    t->row = NULL;
    CHECK_NEAR(lab_number(t, sim, "negascout/leaves"), 14.0, 0.0);
    CHECK(lab_number(t, sim, "mt/score") >= 0.0); // a bound: the value is at least the guess, 0
    CHECK(lab_drawn(sim) > 12 * 20);
    ploy_sim_destroy(sim);
}

TEST(board_labs_survive_lack_of_memory) {
    CHECK_FAIL_NTH(lab_create, "searches");
    CHECK_FAIL_NTH(lab_create, "board");
}
