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
