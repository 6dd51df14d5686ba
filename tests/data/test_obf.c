// OBF files: what is read, what is refused and where, memory.
#include "ploy/data/obf.h"

#include <stdlib.h>

#include "tests/test.h"

TEST(obf_problems_are_read_with_their_moves) {
    static const char text[] = "% a comment\n\n"
                               "-----XO--OX----- X; B1:-10; pass:+4;\r\n"
                               "-----XO--OX----- O\n";
    ploy_env env = ploy_env_default();
    ploy_obf *obf = NULL;
    CHECK_OK(ploy_obf_load(text, sizeof text - 1, "t", &env, NULL, &obf));
    CHECK_INT(ploy_obf_count(obf), 2);
    const ploy_obf_problem *problem = ploy_obf_at(obf, 0);
    CHECK_TEXT(problem->position, "-----XO--OX----- X");
    CHECK_INT(problem->size, 4);
    CHECK_INT(problem->line, 3);
    CHECK_INT(problem->count, 2);
    CHECK_TEXT(ploy_obf_move_at(obf, problem, 0)->text, "b1");
    CHECK_INT(ploy_obf_move_at(obf, problem, 0)->score, -10);
    CHECK_INT(ploy_obf_move_at(obf, problem, 1)->score, 4);
    CHECK(ploy_obf_move_at(obf, problem, 2) == NULL);
    CHECK(ploy_obf_at(obf, 2) == NULL);
    ploy_obf_destroy(obf);
}

TEST(obf_faults_are_reported_with_line_and_column) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"\nXO-- X", "t:2:5: error: invalid board; expected 16, 36 or 64 of X, O and -"},
        {"-----XO--OX----- Q", "t:1:18: error: the side to move is missing; expected X or O"},
        {"-----XO--OX----- X; b1", "t:1:23: error: the score is missing; expected MOVE:SCORE"},
        {"-----XO--OX----- X; b1:99", "t:1:24: error: invalid score; expected -64 to 64"},
        {"-----XO--OX----- X; b1b1b1b1b1:9",
         "t:1:28: error: the move is too long; expected MOVE:SCORE"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_env env = ploy_env_default();
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        ploy_obf *obf = NULL;
        CHECK_INT(ploy_obf_load(rows[i].text, strlen(rows[i].text), "t", &env, diags, &obf),
                  PLOY_ERR_FORMAT);
        char text[400] = "";
        if (ploy_diags_count(diags) > 0) {
            ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        }
        ploy_diags_destroy(diags);
        CHECK_TEXT(text, rows[i].message);
    }
}

static ploy_result load_body(const ploy_env *env, void *arg) {
    ploy_obf *obf = NULL;
    ploy_result result = ploy_obf_load(arg, strlen(arg), "t", env, NULL, &obf);
    ploy_obf_destroy(obf);
    return result;
}

TEST(obf_reports_a_lack_of_memory) {
    char text[] = "-----XO--OX----- X; b1:9; a1:8\n-----XO--OX----- X; b1:9\n";
    CHECK_FAIL_NTH(load_body, text);
}

TEST(obf_reads_the_published_problems) {
    char path[600];
    size_t size = 0;
    if (test_data_dir() == NULL) {
        test_skip(t, "no test data");
        return;
    }
    snprintf(path, sizeof path, "%s/othello/fforum-40-59.obf", test_data_dir());
    char *text = test_read_file(path, &size);
    ploy_env env = ploy_env_default();
    ploy_obf *obf = NULL;
    CHECK_OK(ploy_obf_load(text, size, path, &env, NULL, &obf));
    CHECK_INT(ploy_obf_count(obf), 20);
    ploy_obf_destroy(obf);
    free(text);
}
