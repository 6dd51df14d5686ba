// Every game in the list keeps the contract of ploy/board/game.h. A new game is covered by being in
// the list.
#include "ploy/base/writer.h"
#include "ploy/board/explore.h"
#include "ploy/board/game.h"
#include "ploy/board/tictactoe.h"
#include "tests/test.h"

#include <string.h>

#define EACH_BOARD(type)                \
    const ploy_board_type *type = NULL; \
    for (int32_t g = 0; (type = ploy_boards_at(g)) != NULL && (t->row = type->name); g++)

TEST(boards_have_names_and_tables) {
    EACH_BOARD(type) {
        CHECK(ploy_boards_find(type->name) == type);
        CHECK(strlen(type->title) > 0 && strlen(type->help) > 0);
        CHECK(type->players >= 2 && type->players <= PLOY_BOARD_PLAYERS_MAX);
        CHECK_OK(ploy_fields_check_table(type->fields(), NULL));
        CHECK(type->fields().size <= sizeof(ploy_board_rules));
        ploy_board_rules rules;
        ploy_board board = ploy_board_default(type, &rules);
        ploy_env env = ploy_env_default();
        CHECK_OK(ploy_board_rules_check(board, &env));
        CHECK((type->flags & PLOY_BOARD_HIDDEN) == 0 || type->redraw != NULL);
        CHECK((type->flags & PLOY_BOARD_RANDOM) == 0 || type->odds != NULL);
    }
    CHECK(ploy_boards_find("nothing") == NULL);
    CHECK(ploy_boards_at(-1) == NULL);
}

static void print_diags(const ploy_diags *diags) {
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char text[512];
        ploy_diag_print(ploy_diags_get(diags, i), text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
}

TEST(random_games_keep_every_promise) {
    EACH_BOARD(type) {
        ploy_env env = ploy_env_default();
        ploy_board_rules rules;
        ploy_board board = ploy_board_default(type, &rules);
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(20, &env, &diags));
        ploy_board_report report;
        int32_t games = (int32_t)test_rounds(20);
        CHECK_OK(ploy_board_check(board, games, 200, ploy_rng_key_make(3), &env, diags, &report));
        if (report.faults > 0) print_diags(diags);
        CHECK_INT(report.faults, 0);
        CHECK_INT(report.games, games);
        CHECK(report.plies > 0 && report.most_moves > 1);
        ploy_diags_destroy(diags);
    }
}

TEST(junk_is_refused_as_move_and_position) {
    static const char *const junk[] = {"",          " ", "xyzzy", "0", "-1", "99999999999999999999",
                                       "a1b2c3d4e5"};
    EACH_BOARD(type) {
        ploy_board_rules rules;
        ploy_board board = ploy_board_default(type, &rules);
        uint64_t position[4096], before[4096];
        CHECK(type->position_bytes(&rules) <= sizeof position);
        memset(position, 0, sizeof position);
        type->start(board.rules, position);
        memcpy(before, position, sizeof position);
        for (size_t i = 0; i < COUNT_OF(junk); i++) {
            ploy_board_move move = PLOY_BOARD_NO_MOVE;
            ploy_result read = type->move_parse(&rules, position, junk[i], "junk", &move, NULL);
            CHECK(read == PLOY_ERR_FORMAT || (read == PLOY_OK && move != PLOY_BOARD_NO_MOVE));
            if (type->parse(&rules, junk[i], "junk", position, NULL) != PLOY_OK) {
                CHECK_BYTES(position, before, sizeof position);
            } else {
                type->start(board.rules, position);
            }
        }
    }
}

static ploy_result check_body(const ploy_env *env, void *arg) {
    const ploy_board_type *type = arg;
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(type, &rules);
    ploy_board_report report;
    uint64_t position[4096], leaves = 0;
    type->start(&rules, position);
    ploy_result result = ploy_board_perft(board, position, 1, env, &leaves);
    if (result != PLOY_OK) return result;
    return ploy_board_check(board, 1, 3, ploy_rng_key_make(1), env, NULL, &report);
}

// What a type may leave out: settings and texts.
TEST(a_game_without_texts_gets_numbers_and_bytes) {
    ploy_board_type type = *ploy_board_tictactoe();
    type.fields = NULL;
    type.move_text = NULL;
    type.move_parse = NULL;
    type.text = NULL;
    type.parse = NULL;
    type.describe = NULL;
    ploy_board_tictactoe_def rules = ploy_board_tictactoe_def_default();
    ploy_board board = ploy_board_of(&type, &rules);
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_board_rules_check(board, &env));
    ploy_board_report report;
    CHECK_OK(ploy_board_check(board, 20, 20, ploy_rng_key_make(3), &env, NULL, &report));
    CHECK_INT(report.faults, 0);

    uint64_t position[8], copy[8];
    type.start(&rules, position);
    memcpy(copy, position, sizeof copy);
    ploy_board_move moves[16];
    int32_t count = type.moves(&rules, position, moves, 16);
    CHECK_INT(count, 9);
    for (int32_t i = 0; i < count; i++) {
        char text[24];
        snprintf(text, sizeof text, "%llu", (unsigned long long)moves[i]);
        const char *const list[] = {text};
        memcpy(position, copy, sizeof position);
        CHECK_OK(ploy_board_play(board, position, list, 1, "", NULL));
        type.make(&rules, copy, moves[i], NULL);
        CHECK(memcmp(position, copy, type.position_bytes(&rules)) == 0);
        type.start(&rules, copy);
    }
    const char *const none[] = {"12345"};
    CHECK_INT(ploy_board_play(board, copy, none, 1, "", NULL), PLOY_ERR_FORMAT);

    // The picture of the tree has both kinds of text.
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_board_explore_dot(board, copy, 1, 100, &env, &writer));
    char bytes[3];
    snprintf(bytes, sizeof bytes, "%02x", ((const unsigned char *)copy)[0]);
    CHECK(strstr(ploy_buffer_text(&buffer), bytes) != NULL);
    CHECK(strstr(ploy_buffer_text(&buffer), "label=\"") != NULL);
    ploy_buffer_fini(&buffer);
}

TEST(checker_and_perft_survive_lack_of_memory) {
    EACH_BOARD(type) {
        CHECK_FAIL_NTH(check_body, (void *)(uintptr_t)type);
    }
}
