// SGF: main lines, setup, passes, escapes; what is written is read back; real records; faults with their place.
#include "ploy/base/os.h"
#include "ploy/board/go.h"
#include "ploy/board/othello.h"
#include "ploy/data/sgf.h"
#include "tests/test.h"

#include <string.h>

static ploy_sgf *sgf_read_text(test_context *t, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_sgf *sgf = NULL;
    CHECK_OK(ploy_sgf_load(text, strlen(text), "test", &env, NULL, &sgf));
    return sgf;
}

TEST(the_main_line_is_the_first_of_every_branch) {
    ploy_sgf *sgf =
        sgf_read_text(t, "garbage (;FF[4]GM[1]SZ[9]KM[6.5]PB[a \\] b\\\nc]"
                         ";B[ee];W[](;B[cc](;W[gg])(;W[gc]))(;B[aa]))\n(;GM[2]SZ[8];B[d3])");
    CHECK_INT(ploy_sgf_count(sgf), 2);
    const ploy_sgf_game *game = ploy_sgf_at(sgf, 0);
    CHECK_INT(game->kind, 1);
    CHECK_INT(game->size, 9);
    CHECK(game->komi == 6.5f && game->start == NULL);
    CHECK_TEXT(ploy_sgf_find(sgf, game, "PB"), "a ] bc");
    CHECK(ploy_sgf_find(sgf, game, "PW") == NULL);
    CHECK_INT(game->move_count, 4);
    const ploy_board_move *moves = ploy_sgf_moves(sgf) + game->move_first;
    CHECK_UINT(moves[0], 4 * 9 + 4 + 1);
    CHECK_UINT(moves[1], PLOY_BOARD_GO_PASS);
    CHECK_UINT(moves[2], 2 * 9 + 2 + 1);
    CHECK_UINT(moves[3], 6 * 9 + 6 + 1);
    game = ploy_sgf_at(sgf, 1);
    CHECK_INT(game->kind, 2);
    CHECK_INT(game->move_count, 1);
    CHECK_UINT(ploy_sgf_moves(sgf)[game->move_first], 2 * 8 + 3 + 1);
    CHECK(ploy_sgf_at(sgf, 2) == NULL);
    ploy_sgf_destroy(sgf);
}

TEST(setup_stones_and_the_side_are_read) {
    ploy_sgf *sgf = sgf_read_text(t, "(;GM[1]SZ[5]AB[aa:ba][cc]AW[dd]AE[ba];W[ee];W[ea])");
    const ploy_sgf_game *game = ploy_sgf_at(sgf, 0);
    CHECK_TEXT(game->start, "X..../...../..X../...O./..... O 0 - 0 0");
    CHECK_INT(game->move_count, 3); // black passed between white's two moves
    CHECK_UINT(ploy_sgf_moves(sgf)[1], PLOY_BOARD_GO_PASS);
    ploy_sgf_destroy(sgf);
}

TEST(a_written_game_is_read_back) {
    static const char *const texts[] = {"(;GM[1]SZ[7]KM[5.5];B[dd];W[cc];B[];W[ee])",
                                        "(;GM[2]SZ[8];B[d3];W[c3])"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        ploy_env env = ploy_env_default();
        ploy_sgf *sgf = sgf_read_text(t, texts[i]);
        const ploy_sgf_game *game = ploy_sgf_at(sgf, 0);
        ploy_board_rules rules;
        ploy_board board = ploy_sgf_board(game, &rules);
        ploy_buffer out;
        ploy_buffer_init(&out, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&out);
        ploy_sgf_header header = {"me [1]", "you", "B+3"};
        CHECK_OK(ploy_sgf_save(board, ploy_sgf_moves(sgf), game->move_count, &header, &writer));
        ploy_sgf *again = sgf_read_text(t, ploy_buffer_text(&out));
        const ploy_sgf_game *copy = ploy_sgf_at(again, 0);
        CHECK_INT(copy->move_count, game->move_count);
        CHECK_BYTES(ploy_sgf_moves(again), ploy_sgf_moves(sgf),
                    sizeof(ploy_board_move) * (size_t)game->move_count);
        CHECK(copy->komi == game->komi);
        CHECK_TEXT(ploy_sgf_find(again, copy, "PB"), "me [1]");
        ploy_sgf_destroy(again);
        ploy_sgf_destroy(sgf);
        ploy_buffer_fini(&out);
    }
}

TEST(faults_of_records_have_their_place) {
    static const struct {
        const char *row, *text, *message;
    } rows[] = {
        {"nothing", "hello", "f:1:6: error: missing game tree; expected (;"},
        {"open", "(;GM[1]SZ[9];B[ee]", "f:1:19: error: game tree without end; expected )"},
        {"occupied", "(;SZ[9]\n;B[ee];W[ee])", "f:2:9: error: the move is not legal"},
        {"outside", "(;SZ[9];B[zz])",
         "f:1:10: error: the point is outside the board; expected two letters"},
        {"size", "(;SZ[40];B[aa])",
         "f:1:11: error: invalid size of the board; expected SZ[5] to SZ[19]; Othello 4, 6, 8"},
        {"game", "(;GM[11])", "f:1:5: error: unknown game; expected GM[1], Go, or GM[2], Othello"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        ploy_sgf *sgf = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_sgf_load(rows[i].text, strlen(rows[i].text), "f", &env, diags, &sgf),
                  PLOY_ERR_FORMAT);
        CHECK(sgf == NULL);
        char text[600] = "";
        if (ploy_diags_count(diags) > 0)
            ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        CHECK_TEXT(text, rows[i].message);
        ploy_diags_destroy(diags);
    }
}

TEST(real_records_are_read) {
    static const char *const names[] = {"9handicap", "9x9-4",       "9x9-5",
                                        "9x9-6",     "CrazyStone2", "gwe",
                                        "reading41", "arion",       "atari-crash"};
    if (test_data_dir() == NULL) {
        printf("skipped: no data\n");
        return;
    }
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        t->row = names[i];
        char path[600];
        snprintf(path, sizeof path, "%s/go/games/%s.sgf", test_data_dir(), names[i]);
        ploy_buffer file;
        ploy_sgf *sgf = NULL;
        CHECK_OK(ploy_os_read_file(path, 1 << 24, &env, &file));
        CHECK_OK(ploy_sgf_load(file.bytes, file.size, names[i], &env, NULL, &sgf));
        CHECK(ploy_sgf_at(sgf, 0)->move_count > 0);
        ploy_sgf_destroy(sgf);
        ploy_buffer_fini(&file);
    }
}

static ploy_result sgf_body(const ploy_env *env, void *arg) {
    const char *text = arg;
    ploy_sgf *sgf = NULL;
    ploy_result result = ploy_sgf_load(text, strlen(text), "test", env, NULL, &sgf);
    ploy_sgf_destroy(sgf);
    return result;
}

TEST(reading_records_survives_lack_of_memory) {
    char text[] = "(;GM[1]SZ[5]AB[aa]PB[x];W[ee];B[dd])(;GM[2]SZ[8];B[d3])";
    CHECK_FAIL_NTH(sgf_body, text);
}
