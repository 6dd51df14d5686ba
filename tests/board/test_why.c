// Why and why not: texts and numbers of explanations.
#include "ploy/board/connect4.h"
#include "ploy/board/tictactoe.h"
#include "ploy/board/why.h"
#include "tests/test.h"

#include <string.h>

TEST(scores_are_written_for_people) {
    static const struct {
        int32_t score;
        const char *text;
    } rows[] = {
        {0, "0"},
        {-14, "-14"},
        {PLOY_BOARD_WIN - 1, "wins in 1 ply"},
        {PLOY_BOARD_WIN - 3, "wins in 3 plies"},
        {4 - PLOY_BOARD_WIN, "loses in 4 plies"},
        {PLOY_BOARD_WIN, "wins"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[40];
        ploy_board_score_text(rows[i].score, text, sizeof text);
        CHECK_TEXT(text, rows[i].text);
    }
    char cut[4];
    ploy_board_score_text(-123456, cut, sizeof cut);
    CHECK_TEXT(cut, "-12");
}

typedef struct told {
    int32_t options, values, won;
    char reason[200];
} told;

static void told_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}
static void told_option(void *user, const char *name, ploy_outcome outcome, double score,
                        const char *reason) {
    (void)name, (void)score;
    told *to = user;
    to->options++;
    if (outcome == PLOY_OUTCOME_WON) {
        to->won++;
        snprintf(to->reason, sizeof to->reason, "%s", reason);
    }
}
static void told_value(void *user, const char *name, const ploy_value *value) {
    (void)name, (void)value;
    ((told *)user)->values++;
}
static void told_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void told_end(void *user) {
    (void)user;
}

TEST(why_not_shows_the_refutation) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_tictactoe(), &rules);
    uint64_t position[8];
    CHECK_OK(board.type->parse(board.rules, "XX./OO./...", "", position, NULL));
    ploy_env env = ploy_env_default();
    ploy_board_search_def def = ploy_board_search_def_strong(board);
    ploy_board_search *search = NULL;
    CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
    ploy_board_answer answer;
    CHECK_INT(ploy_board_why_not(search, position, 9, &answer), PLOY_ERR_STATE);
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    CHECK_OK(ploy_board_search_step(search, NULL));
    told to = {0};
    ploy_trace trace = {told_begin, told_option, told_value, told_note, told_end, &to};
    ploy_board_why(search, board, position, &trace);
    CHECK_INT(to.options, 5);
    CHECK_INT(to.won, 1);
    CHECK_INT(to.values, 2);
    CHECK_TEXT(to.reason, "c3");
    // The search stopped at depth 1, where a win was found; more depth shows the refutation.
    def.candidates = 9;
    def.depth = 5;
    ploy_board_search_destroy(search);
    CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    CHECK_OK(ploy_board_search_step(search, NULL));
    CHECK_OK(ploy_board_why_not(search, position, 9, &answer));
    CHECK_UINT(answer.best, 3);
    CHECK_INT(answer.best_score, PLOY_BOARD_WIN - 1);
    CHECK_INT(answer.score, 2 - PLOY_BOARD_WIN);
    CHECK_TEXT(answer.text, "c1 is worse than c3: c1 c2 loses in 2 plies, c3 wins in 1 ply");
    CHECK_INT(ploy_board_why_not(search, position, 1, &answer), PLOY_ERR_ARGUMENT);
    ploy_board_search_destroy(search);
}

typedef struct player_told {
    char won[32], reason[280], best[32];
    int32_t options, drawn;
} player_told;

static void player_told_option(void *user, const char *name, ploy_outcome outcome, double score,
                               const char *reason) {
    player_told *to = user;
    (void)score;
    to->options++;
    if (strstr(reason, "the level drew another") != NULL) {
        snprintf(to->best, sizeof to->best, "%s", name);
    }
    if (outcome != PLOY_OUTCOME_WON) return;
    snprintf(to->won, sizeof to->won, "%s", name);
    snprintf(to->reason, sizeof to->reason, "%s", reason);
}

static void player_told_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}

// A weak player does not always play what its search found best: the reason names the move that it plays.
TEST(a_player_names_the_move_that_it_plays) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_connect4(), &rules);
    ploy_env env = ploy_env_default();
    int32_t drawn = 0, best = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TEST_SEED((int64_t)seed);
        ploy_board_player_def def = ploy_board_player_def_for(board, 2);
        ploy_board_player *player = NULL;
        def.seed = seed;
        uint64_t position[8];
        board.type->start(board.rules, position);
        CHECK_OK(ploy_board_player_create(&def, board, &env, &player));
        CHECK_OK(ploy_board_player_new_game(player, NULL));
        CHECK_OK(ploy_board_player_begin(player));
        CHECK_OK(ploy_board_player_step(player, NULL));
        ploy_board_choice_made made = ploy_board_player_choice(player);
        player_told to;
        memset(&to, 0, sizeof to);
        ploy_trace trace = {told_begin, player_told_option, player_told_value,
                            told_note,  told_end,           &to};
        ploy_board_player_why(player, board, position, ploy_agent_id_make(3, 1), &trace);
        char move[32];
        snprintf(move, sizeof move, "%d", (int)made.move);
        CHECK_INT(to.options, 7);
        CHECK_TEXT(to.won, move);
        bool level = made.move != made.best;
        CHECK_INT(strncmp(to.reason, "drawn by the level, ", 20) == 0, level);
        snprintf(move, sizeof move, "%d", (int)made.best);
        CHECK_TEXT(to.best, level ? move : "");
        drawn += level, best += !level;
        ploy_board_player_destroy(player);
    }
    CHECK(drawn > 0 && best > 0);
}

TEST(a_move_without_a_search_names_its_source) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_tictactoe(), &rules);
    uint64_t position[8];
    CHECK_OK(board.type->parse(board.rules, "XOX/OXO/OX.", "", position, NULL));
    ploy_env env = ploy_env_default();
    ploy_board_player_def def = ploy_board_player_def_for(board, 5);
    ploy_board_player *player = NULL;
    CHECK_OK(ploy_board_player_create(&def, board, &env, &player));
    CHECK_OK(ploy_board_player_new_game(player, position));
    CHECK_OK(ploy_board_player_begin(player));
    player_told to;
    memset(&to, 0, sizeof to);
    ploy_trace trace = {told_begin, player_told_option, player_told_value,
                        told_note,  told_end,           &to};
    ploy_board_player_why(player, board, position, ploy_agent_id_none(), &trace);
    CHECK_INT(to.options, 2);
    CHECK_TEXT(to.reason, "no other move is legal");
    ploy_board_player_destroy(player);
}

TEST(monte_carlo_explains_by_visits) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_connect4(), &rules);
    uint64_t position[8];
    board.type->start(board.rules, position);
    ploy_env env = ploy_env_default();
    ploy_board_mcts_def def = ploy_board_mcts_def_default();
    ploy_board_mcts *mcts = NULL;
    CHECK_OK(ploy_board_mcts_create(&def, board, &env, &mcts));
    CHECK_OK(ploy_board_mcts_begin(mcts, position));
    CHECK_OK(ploy_board_mcts_step(mcts, NULL));
    told to = {0};
    ploy_trace trace = {told_begin, told_option, told_value, told_note, told_end, &to};
    ploy_board_mcts_why(mcts, board, position, &trace);
    CHECK_INT(to.options, 7);
    CHECK(strstr(to.reason, "visits") != NULL);
    ploy_board_mcts_destroy(mcts);
}
