// PGN files: every construct of movetext, faults with their places, and real games.
#include "ploy/data/pgn.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

static const char two_games[] =
    "\xEF\xBB\xBF[Event \"say \\\"a\\\"\"]\n[Result \"1-0\"]\n\n"
    "1. e4 {best\n\nby test} e5 2.Bc4 $1 Nc6 (2... Nf6 3. d3 (3. Nf3 {x}) Bc5) 3. Qh5?! ; bold\n"
    "% escaped line\n3... Nf6?? 4. Qxf7# 1-0\n\n"
    "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 0 7\"]\n\n7... Kd7 8. 0-0-0+ *\n";

static ploy_pgn *load(test_context *t, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_pgn *pgn = NULL;
    CHECK_OK(ploy_pgn_load(text, strlen(text), "games.pgn", &env, NULL, &pgn));
    return pgn;
}

TEST(movetext_is_read_and_written) {
    ploy_pgn *pgn = load(t, two_games);
    CHECK_INT(ploy_pgn_count(pgn), 2);
    const ploy_pgn_game *first = ploy_pgn_at(pgn, 0), *second = ploy_pgn_at(pgn, 1);
    CHECK_TEXT(ploy_pgn_find(pgn, first, "Event"), "say \"a\"");
    CHECK_INT(first->move_count, 7);
    CHECK_TEXT(first->result, "1-0");
    CHECK_INT(second->move_count, 2);
    CHECK_TEXT(second->result, "*");
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_pgn_save(pgn, first, &writer));
    CHECK_OK(ploy_pgn_save(pgn, second, &writer));
    CHECK_TEXT(
        ploy_buffer_text(&buffer),
        "[Event \"say \\\"a\\\"\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# "
        "1-0\n\n"
        "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 0 7\"]\n\n7... Kd7 8. O-O-O+ *\n\n");
    ploy_buffer_fini(&buffer);
    ploy_pgn_destroy(pgn);
}

TEST(faults_have_their_places_and_later_games_are_read) {
    static const char text[] =
        "[Event \"a\"]\n\n1. e4 e5\n2. Ke3 *\n\n[Event \"b\"]\n\n1. d4 {open\n";
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_pgn *pgn = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    CHECK_INT(ploy_pgn_load(text, strlen(text), "x", &env, diags, &pgn), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_diags_count(diags), 2);
    CHECK_INT(ploy_diags_get(diags, 0)->line, 4);
    CHECK_INT(ploy_diags_get(diags, 0)->column, 4);
    CHECK(pgn == NULL);
    ploy_diags_destroy(diags);
}

TEST(a_lone_bracket_is_a_fault_and_not_an_endless_loop) {
    static const char *const texts[] = {"[Event \"a\"]\n\n7... [E7 {x} (7Kd", "1. e4 ] e5 *",
                                        "1. }"};
    ploy_env env = ploy_env_default();
    env.log = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ploy_pgn *pgn = NULL;
        CHECK_INT(ploy_pgn_load(texts[i], strlen(texts[i]), "x", &env, NULL, &pgn),
                  PLOY_ERR_FORMAT);
        CHECK(pgn == NULL);
    }
    ploy_pgn *pgn = NULL;
    CHECK_INT(ploy_pgn_load("1. e4\0*", 7, "x", &env, NULL, &pgn), PLOY_ERR_FORMAT);
    CHECK(pgn == NULL);
}

static ploy_result load_body(const ploy_env *env, void *arg) {
    const char *text = arg;
    ploy_pgn *pgn = NULL;
    ploy_result result = ploy_pgn_load(text, strlen(text), "x", env, NULL, &pgn);
    ploy_pgn_destroy(pgn);
    return result;
}

TEST(a_tag_needs_a_name_that_can_be_written) {
    static const char text[] = "[\0\0 \"x\"]\n1. e4 *\n";
    ploy_env env = ploy_env_default();
    ploy_pgn *pgn = NULL;
    CHECK_INT(ploy_pgn_load(text, sizeof text - 1, "games.pgn", &env, NULL, &pgn), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_pdn_load(text, sizeof text - 1, "games.pdn", &env, NULL, &pgn), PLOY_ERR_FORMAT);
}

TEST(loading_survives_lack_of_memory) {
    CHECK_FAIL_NTH(load_body, (void *)(uintptr_t)two_games);
}

static ploy_pgn *load_pdn(test_context *t, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_pgn *pgn = NULL;
    CHECK_OK(ploy_pdn_load(text, strlen(text), "games.pdn", &env, NULL, &pgn));
    return pgn;
}

TEST(games_of_draughts_are_read_and_written) {
    ploy_pgn *pgn = load_pdn(
        t,
        "[Event \"a\"]\n[Result \"2-0\"]\n\n1. 11-15! 23-19* 2. 8-11 22-17 {old} 3.11-16 (3. "
        "9-14) 24-20 4. 15x24 $2 2-0\n"
        "[GameType \"20,W,10,0,N2,0\"]\n[FEN \"B:W31-50:B1-20\"]\n1... 19-23 2. 32-28 23x32 1-1\n"
        "[FEN \"B:W6,15:B1\"]\n1. 1x10x19\n");
    CHECK_INT(ploy_pgn_count(pgn), 3);
    const ploy_pgn_game *first = ploy_pgn_at(pgn, 0), *second = ploy_pgn_at(pgn, 1);
    CHECK_INT(first->draughts, PLOY_BOARD_DRAUGHTS_ENGLISH);
    CHECK_INT(first->move_count, 7);
    CHECK_TEXT(first->result, "1-0");
    CHECK_INT(second->draughts, PLOY_BOARD_DRAUGHTS_INTERNATIONAL);
    CHECK_TEXT(second->result, "1/2-1/2");
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_pgn_save(pgn, first, &writer));
    CHECK_OK(ploy_pgn_save(pgn, second, &writer));
    CHECK_OK(ploy_pgn_save(pgn, ploy_pgn_at(pgn, 2), &writer));
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "[Event \"a\"]\n[Result \"2-0\"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. "
               "15x24 1-0\n\n[GameType \"20,W,10,0,N2,0\"]\n[FEN \"B:W31-50:B1-20\"]\n\n"
               "1... 19-23 2. 32-28 23x32 1/2-1/2\n\n[FEN \"B:W6,15:B1\"]\n\n1. 1x19 *\n\n");
    ploy_buffer_fini(&buffer);
    ploy_pgn_destroy(pgn);
}

TEST(random_games_of_every_draughts_round_trip) {
    ploy_env env = ploy_env_default();
    for (int32_t rules = 0; rules < PLOY_BOARD_DRAUGHTS_RULES; rules++) {
        int32_t type = ploy_pdn_game_type(rules);
        for (uint64_t seed = 1; seed <= 5 && type != 0; seed++) {
            TEST_SEED(seed);
            ploy_pgn_game game = {.draughts = rules};
            ploy_board_rules bytes;
            ploy_board board = ploy_pgn_board(&game, &bytes);
            uint64_t position[32];
            ploy_board_move moves[512], played[400];
            int32_t count = 0;
            ploy_rng rng = ploy_rng_make(seed);
            char text[16384];
            int used = snprintf(text, sizeof text, "[GameType \"%d\"]\n\n", type);
            board.type->start(board.rules, position);
            while (count < 400 && board.type->side(board.rules, position) != PLOY_BOARD_OVER) {
                int32_t all = board.type->moves(board.rules, position, moves, 512);
                ploy_board_move move = moves[ploy_rng_below(&rng, (uint64_t)all)];
                char word[PLOY_BOARD_MOVE_TEXT];
                board.type->move_text(board.rules, position, move, word);
                used += snprintf(text + used, sizeof text - (size_t)used, "%s ", word);
                board.type->make(board.rules, position, move, NULL);
                played[count++] = move;
            }
            ploy_pgn *pgn = load_pdn(t, text), *again = NULL;
            CHECK_INT(ploy_pgn_at(pgn, 0)->move_count, count);
            CHECK(memcmp(ploy_pgn_moves(pgn), played, sizeof played[0] * (size_t)count) == 0);
            ploy_buffer buffer;
            ploy_buffer_init(&buffer, 0, &env);
            ploy_writer writer = ploy_buffer_writer(&buffer);
            CHECK_OK(ploy_pgn_save(pgn, ploy_pgn_at(pgn, 0), &writer));
            CHECK_OK(ploy_pdn_load(buffer.bytes, buffer.size, "again", &env, NULL, &again));
            CHECK(memcmp(ploy_pgn_moves(again), played, sizeof played[0] * (size_t)count) == 0);
            ploy_buffer_fini(&buffer);
            ploy_pgn_destroy(pgn);
            ploy_pgn_destroy(again);
        }
    }
}

TEST(faults_of_draughts_have_their_places) {
    static const struct {
        const char *text, *message;
        int32_t line, column;
    } rows[] = {
        {"1. 11-15 22-18 2. 9-13\n", "invalid move", 1, 19}, // must capture
        {"[GameType \"27\"]\n1. 1-5\n", "unsupported GameType", 2, 1},
        {"[FEN \"W:W99:B1\"]\n1. 1-5\n", "invalid position in the FEN tag", 2, 1},
        {"1. 11-\n", "invalid move", 1, 4},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        ploy_pgn *pgn = NULL;
        CHECK_INT(ploy_pdn_load(rows[i].text, strlen(rows[i].text), "x.pdn", &env, diags, &pgn),
                  PLOY_ERR_FORMAT);
        CHECK(pgn == NULL);
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        ploy_diags_destroy(diags);
    }
}

TEST(real_games_load_and_round_trip) {
    static const char *const files[] = {"anastasian-lewis", "chessbase-empty-line",
                                        "kasparov-deep-blue-1997", "molinari-bordais-1979",
                                        "utf8-bom"};
    const char *dir = test_data_dir();
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        t->row = files[i];
        char path[1024];
        size_t size = 0;
        snprintf(path, sizeof path, "%s/chess/pgn/%s.pgn", dir != NULL ? dir : "", files[i]);
        char *bytes = dir != NULL ? test_read_file(path, &size) : NULL;
        if (bytes == NULL) {
            test_skip(t, "no outside data");
            return;
        }
        ploy_pgn *pgn = NULL, *again = NULL;
        CHECK_OK(ploy_pgn_load(bytes, size, files[i], &env, NULL, &pgn));
        CHECK(ploy_pgn_count(pgn) > 0);
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        for (int32_t k = 0; k < ploy_pgn_count(pgn); k++) {
            const ploy_pgn_game *game = ploy_pgn_at(pgn, k);
            const char *result = ploy_pgn_find(pgn, game, "Result");
            if (result != NULL && game->move_count > 0) CHECK_TEXT(game->result, result);
            CHECK_OK(ploy_pgn_save(pgn, game, &writer));
        }
        CHECK_OK(ploy_pgn_load(buffer.bytes, buffer.size, "again", &env, NULL, &again));
        CHECK_INT(ploy_pgn_count(again), ploy_pgn_count(pgn));
        for (int32_t k = 0; k < ploy_pgn_count(pgn); k++) {
            const ploy_pgn_game *a = ploy_pgn_at(pgn, k), *b = ploy_pgn_at(again, k);
            CHECK_INT(b->move_count, a->move_count);
            CHECK_BYTES(ploy_pgn_moves(again) + b->move_first, ploy_pgn_moves(pgn) + a->move_first,
                        (size_t)a->move_count * sizeof(ploy_board_move));
        }
        ploy_buffer_fini(&buffer);
        ploy_pgn_destroy(again);
        ploy_pgn_destroy(pgn);
        free(bytes);
    }
}
