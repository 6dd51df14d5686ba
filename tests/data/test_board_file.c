// Learned evaluations as files: what is written is read back; what does not fit is refused with its place.
#include "ploy/board/connect4.h"
#include "ploy/board/tictactoe.h"
#include "ploy/data/board_file.h"
#include "tests/test.h"

#include <string.h>

static ploy_board_learned *board_file_make(test_context *t, ploy_board board,
                                           ploy_board_learned_kind kind, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_board_learned_def def = ploy_board_learned_def_default();
    def.kind = kind;
    def.hidden = 4;
    def.seed = seed;
    ploy_board_learned *learned = NULL;
    CHECK_OK(ploy_board_learned_create(&def, board, &env, &learned));
    return learned;
}

TEST(learned_evaluations_go_through_files) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_connect4(), &rules);
    ploy_env env = ploy_env_default();
    for (int32_t kind = 0; kind < 3; kind++) {
        ploy_board_learned *a = board_file_make(t, board, (ploy_board_learned_kind)kind, 3);
        ploy_board_learned *b = NULL;
        ploy_buffer file;
        ploy_buffer_init(&file, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&file);
        CHECK_OK(ploy_board_learned_save(a, &writer));
        CHECK_OK(ploy_board_learned_load(file.bytes, file.size, "file", board, &env, NULL, &b));
        CHECK_UINT(ploy_board_learned_hash(a), ploy_board_learned_hash(b));
        CHECK_INT(ploy_board_learned_def_of(b)->kind, kind);
        ploy_board_learned_destroy(a);
        ploy_board_learned_destroy(b);
        ploy_buffer_fini(&file);
    }
}

static const char board_file_small[] =
    "{\"format\":\"ploy board evaluation\",\"version\":1,\"game\":\"tictactoe\",\"rules\":{},"
    "\"settings\":{\"kind\":\"linear\"},\"state\":{\"weights\":[1,2]}}";

TEST(files_that_do_not_fit_are_refused) {
    static const struct {
        const char *row, *text, *message;
    } rows[] = {
        {"not a file", "{}",
         "f:1:1: error: file is not a learned evaluation; expected ploy board "
         "evaluation"},
        {"version", "{\"format\":\"ploy board evaluation\",\"version\":2}",
         "f:1:45: error: unknown version of the format; expected 1"},
        {"game", "{\"format\":\"ploy board evaluation\",\"version\":1,\"game\":\"chess\"}",
         "f:1:54: error: the evaluation is for another game; expected tictactoe"},
    };
    ploy_env env = ploy_env_default();
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_tictactoe(), &rules);
    ploy_board_learned *learned = NULL;
    CHECK_OK(ploy_board_learned_load(board_file_small, sizeof board_file_small - 1, "f", board,
                                     &env, NULL, &learned));
    int32_t count = 0;
    CHECK(ploy_board_learned_weights(learned, &count)[1] == 2.0f && count == 2);
    ploy_board_learned_destroy(learned);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_board_learned_load(rows[i].text, strlen(rows[i].text), "f", board, &env,
                                          diags, &learned),
                  PLOY_ERR_FORMAT);
        CHECK(learned == NULL);
        char text[600] = "";
        if (ploy_diags_count(diags) > 0)
            ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        CHECK_TEXT(text, rows[i].message);
        ploy_diags_destroy(diags);
    }
}

static ploy_result board_file_body(const ploy_env *env, void *arg) {
    ploy_board_learned *learned = NULL;
    ploy_result result = ploy_board_learned_load(board_file_small, sizeof board_file_small - 1, "f",
                                                 *(const ploy_board *)arg, env, NULL, &learned);
    ploy_board_learned_destroy(learned);
    return result;
}

TEST(reading_an_evaluation_survives_lack_of_memory) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_tictactoe(), &rules);
    CHECK_FAIL_NTH(board_file_body, &board);
}
