// EPD files: the forms that suites use, faults with their places, and the real suites.
#include "ploy/data/epd.h"
#include "tests/test.h"

#include <stdlib.h>

static ploy_epd *load(test_context *t, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_epd *epd = NULL;
    CHECK_OK(ploy_epd_load(text, strlen(text), "suite.epd", &env, NULL, &epd));
    return epd;
}

TEST(operations_are_read_in_every_spelling) {
    static const char text[] = "# comment\r\n"
                               "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+ O-O; id \"one; two\";\n"
                               "\n"
                               "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66\n"
                               "4k3/8/8/8/8/8/8/4K2R b - - 3 dm 5";
    ploy_epd *epd = load(t, text);
    CHECK_INT(ploy_epd_count(epd), 3);
    const ploy_epd_record *first = ploy_epd_at(epd, 0);
    CHECK_INT(first->line, 2);
    CHECK_TEXT(first->position, "4k3/8/8/8/8/8/8/4K2R w K -");
    const ploy_epd_operation *bm = ploy_epd_find(epd, first, "bm");
    CHECK(bm != NULL && bm->count == 2);
    CHECK_TEXT(ploy_epd_operand(epd, bm->first + 1), "O-O");
    CHECK_TEXT(ploy_epd_operand(epd, ploy_epd_find(epd, first, "id")->first), "one; two");
    const ploy_epd_record *perft = ploy_epd_at(epd, 1);
    CHECK_TEXT(perft->position, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    CHECK_INT(perft->count, 2);
    CHECK_TEXT(ploy_epd_operand(epd, ploy_epd_find(epd, perft, "D2")->first), "66");
    CHECK_TEXT(ploy_epd_at(epd, 2)->position, "4k3/8/8/8/8/8/8/4K2R b - - 3");
    CHECK(ploy_epd_find(epd, perft, "bm") == NULL);
    CHECK(ploy_epd_at(epd, 3) == NULL);
    // Written and read again it is the same.
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_epd_save(epd, ploy_epd_at(epd, i), &writer));
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+ O-O; id \"one; two\";\n"
               "4k3/8/8/8/8/8/8/4K2R w K - 0 1 D1 15; D2 66;\n"
               "4k3/8/8/8/8/8/8/4K2R b - - 3 dm 5;\n");
    ploy_buffer_fini(&buffer);
    ploy_epd_destroy(epd);
}

TEST(faults_have_their_places) {
    static const struct {
        const char *text;
        int32_t line, column;
    } rows[] = {
        {"4k3/8/8/8/8/8/8/4K2R w\n", 1, 23},
        {"\n4k3/8/8/8/8/8/8/4K3 w - - id \"open;\n", 2, 30},
        {"4k3/8/8/8/8/8/8/4K3 w - - \"text\";\n", 1, 27},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        ploy_epd *epd = NULL;
        CHECK_INT(ploy_epd_load(rows[i].text, strlen(rows[i].text), "x", &env, diags, &epd),
                  PLOY_ERR_FORMAT);
        CHECK(epd == NULL);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        ploy_diags_destroy(diags);
    }
    ploy_epd *epd = load(t, "\n4k3/8/8/8/8/8/8/4K3 w K - bm Ke2;");
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    ploy_board_chess_def rules = ploy_board_chess_def_default();
    uint64_t position[64];
    CHECK_INT(ploy_epd_position(ploy_epd_at(epd, 0), &rules, "x", position, diags),
              PLOY_ERR_FORMAT);
    CHECK_INT(ploy_diags_get(diags, 0)->line, 2);
    CHECK_INT(ploy_diags_get(diags, 0)->column, 23);
    ploy_diags_destroy(diags);
    ploy_epd_destroy(epd);
}

static ploy_result load_body(const ploy_env *env, void *arg) {
    const char *text = arg;
    ploy_epd *epd = NULL;
    ploy_result result = ploy_epd_load(text, strlen(text), "x", env, NULL, &epd);
    ploy_epd_destroy(epd);
    return result;
}

TEST(loading_survives_lack_of_memory) {
    char text[] =
        "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+ O-O; id \"one\";\n4k3/8/8/8/8/8/8/4K3 w - - acd 3;";
    CHECK_FAIL_NTH(load_body, text);
}

TEST(suites_load_and_their_moves_are_legal) {
    static const struct {
        const char *file;
        int32_t count;
    } rows[] = {{"epd/wac.epd", 300},    {"epd/bratko-kopec.epd", 24}, {"epd/sts-a.epd", 500},
                {"epd/kaufman.epd", 25}, {"mate/mate_in_1.epd", 0},    {"mate/mate_in_4.epd", 0},
                {"epd/pet.epd", 0}};
    const char *dir = test_data_dir();
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].file;
        char path[1024];
        size_t size = 0;
        snprintf(path, sizeof path, "%s/chess/%s", dir != NULL ? dir : "", rows[i].file);
        char *bytes = dir != NULL ? test_read_file(path, &size) : NULL;
        if (bytes == NULL) {
            test_skip(t, "no outside data");
            return;
        }
        ploy_epd *epd = NULL;
        CHECK_OK(ploy_epd_load(bytes, size, rows[i].file, &env, NULL, &epd));
        if (rows[i].count > 0) CHECK_INT(ploy_epd_count(epd), rows[i].count);
        ploy_board_chess_def rules = ploy_board_chess_def_default();
        for (int32_t k = 0; k < ploy_epd_count(epd); k++) {
            const ploy_epd_record *record = ploy_epd_at(epd, k);
            uint64_t position[64];
            CHECK_OK(ploy_epd_position(record, &rules, "x", position, NULL));
            const ploy_epd_operation *bm = ploy_epd_find(epd, record, "bm");
            ploy_board_move move = 0;
            if (bm == NULL || bm->count == 0) continue;
            CHECK_OK(ploy_board_chess()->move_parse(
                &rules, position, ploy_epd_operand(epd, bm->first), "bm", &move, NULL));
        }
        ploy_epd_destroy(epd);
        free(bytes);
    }
}
