// Connect Four, Split-Nim and Guess Who? against published numbers and slow second versions.
#include "ploy/board/connect4.h"
#include "ploy/board/guesswho.h"
#include "ploy/board/search.h"
#include "ploy/board/splitnim.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

TEST(connect4_perft_is_as_published) {
    static const uint64_t want[] = {1,      7,      49,      343,      2401,      16807,
                                    117649, 823536, 5673234, 39394572, 268031646, 1844590828};
    ploy_env env = ploy_env_default();
    ploy_board_connect4_def rules = ploy_board_connect4_def_default();
    ploy_board board = ploy_board_of(ploy_board_connect4(), &rules);
    ploy_board_connect4_position position;
    board.type->start(&rules, &position);
    int32_t depth = test_rounds(1) > 1 ? 11 : 7;
    for (int32_t d = 0; d <= depth; d++) {
        uint64_t leaves = 0;
        CHECK_OK(ploy_board_perft(board, &position, d, &env, &leaves));
        CHECK_UINT(leaves, want[d]);
    }
}

// The rules once more, on a plain grid.
typedef struct slow_grid {
    int32_t width, height, line, count;
    char cells[9][9]; // column, row
} slow_grid;

static bool slow_won(const slow_grid *g, char disc) {
    static const int32_t dx[] = {1, 0, 1, 1}, dy[] = {0, 1, 1, -1};
    for (int32_t x = 0; x < g->width; x++) {
        for (int32_t y = 0; y < g->height; y++) {
            for (int32_t d = 0; d < 4; d++) {
                int32_t run = 0;
                while (run < g->line) {
                    int32_t cx = x + run * dx[d], cy = y + run * dy[d];
                    if (cx < 0 || cy < 0 || cx >= g->width || cy >= g->height) break;
                    if (g->cells[cx][cy] != disc) break;
                    run++;
                }
                if (run == g->line) return true;
            }
        }
    }
    return false;
}

TEST(connect4_agrees_with_a_plain_grid) {
    static const int32_t sizes[][3] = {{7, 6, 4}, {4, 4, 4}, {5, 4, 3}, {9, 6, 5}, {8, 7, 4}};
    for (int64_t round = 0; round < test_rounds(200); round++) {
        TEST_SEED(round);
        const int32_t *size = sizes[round % 5];
        ploy_board_connect4_def rules = ploy_board_connect4_def_default();
        rules.width = size[0];
        rules.height = size[1];
        rules.line = size[2];
        ploy_board board = ploy_board_of(ploy_board_connect4(), &rules);
        ploy_env env = ploy_env_default();
        CHECK_OK(ploy_board_rules_check(board, &env));
        ploy_board_connect4_position position;
        board.type->start(&rules, &position);
        slow_grid grid = {size[0], size[1], size[2], 0, {{0}}};
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        for (;;) {
            bool full = grid.count == grid.width * grid.height;
            bool won[2] = {slow_won(&grid, 'X'), slow_won(&grid, 'O')};
            bool over = full || won[0] || won[1];
            int32_t side = board.type->side(&rules, &position);
            CHECK_INT(side, over ? PLOY_BOARD_OVER : grid.count % 2);
            if (over) {
                int32_t want = won[0] ? PLOY_BOARD_WIN : won[1] ? -PLOY_BOARD_WIN : 0;
                CHECK_INT(board.type->result(&rules, &position, 0), want);
                break;
            }
            ploy_board_move moves[9];
            int32_t count = board.type->moves(&rules, &position, moves, 9), open = 0;
            for (int32_t x = 0; x < grid.width; x++) {
                if (grid.cells[x][grid.height - 1] != 0) continue;
                CHECK_UINT(moves[open++], x + 1);
            }
            CHECK_INT(count, open);
            int32_t column = (int32_t)moves[ploy_rng_int(&rng, 0, count - 1)] - 1, row = 0;
            while (grid.cells[column][row] != 0) row++;
            grid.cells[column][row] = grid.count % 2 == 0 ? 'X' : 'O';
            grid.count++;
            board.type->make(&rules, &position, (ploy_board_move)column + 1, NULL);
        }
    }
}

TEST(connect4_positions_are_read_both_ways) {
    ploy_board_connect4_def rules = ploy_board_connect4_def_default();
    const ploy_board_type *type = ploy_board_connect4();
    ploy_board_connect4_position a, b;
    CHECK_OK(type->parse(&rules, "4453", "", &a, NULL));
    char text[PLOY_BOARD_TEXT];
    type->text(&rules, &a, text);
    CHECK_TEXT(text, "......./......./......./......./...O.../..OXX..");
    CHECK_OK(type->parse(&rules, text, "", &b, NULL));
    CHECK_BYTES(&a, &b, sizeof a);
    static const char *const bad[] = {"44444444",
                                      "48",
                                      "....../......./......./......./......./.......",
                                      "X....../......./......./......./......./.......",
                                      "x",
                                      "......./.......",
                                      "......./......./......./......./......./OO....."};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        t->row = bad[i];
        CHECK_INT(type->parse(&rules, bad[i], "", &b, NULL), PLOY_ERR_FORMAT);
    }
    rules.width = rules.height = 9;
    ploy_env env = ploy_env_default();
    CHECK_INT(ploy_board_rules_check(ploy_board_of(type, &rules), &env), PLOY_ERR_ARGUMENT);
}

static int32_t solve(test_context *t, ploy_board board, const void *position,
                     ploy_board_method method) {
    ploy_env env = ploy_env_default();
    ploy_board_search_def def = ploy_board_search_def_default();
    def.method = method;
    def.depth = 40;
    def.distance = false;
    def.order_game = def.order_killers = true;
    def.table.kilobytes = 8192;
    ploy_board_search *search = NULL;
    CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    CHECK_OK(ploy_board_search_step(search, NULL));
    int32_t score = ploy_board_search_outcome(search).score;
    ploy_board_search_destroy(search);
    return score;
}

TEST(small_connect4_boards_are_draws) {
    static const int32_t sizes[][2] = {{4, 4}, {5, 4}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        TEST_SEED(i);
        ploy_board_connect4_def rules = ploy_board_connect4_def_default();
        rules.width = sizes[i][0];
        rules.height = sizes[i][1];
        ploy_board board = ploy_board_of(ploy_board_connect4(), &rules);
        ploy_board_connect4_position position;
        board.type->start(&rules, &position);
        CHECK_INT(solve(t, board, &position, PLOY_BOARD_PVS), 0);
        CHECK_INT(solve(t, board, &position, PLOY_BOARD_MTDF), 0);
    }
}

TEST(connect4_has_84_different_keys) {
    // Each disc on the standard board changes the hash by its own key.
    ploy_board_connect4_def rules = ploy_board_connect4_def_default();
    const ploy_board_type *type = ploy_board_connect4();
    uint64_t keys[128];
    int32_t count = 0;
    for (int32_t column = 0; column < 7; column++) {
        for (int32_t first = 0; first < 2; first++) {
            ploy_board_connect4_position p;
            type->start(&rules, &p);
            // A move elsewhere shifts the players of this column; three of a kind never meet.
            if (first == 1) type->make(&rules, &p, (ploy_board_move)((column + 3) % 7) + 1, NULL);
            for (int32_t row = 0; row < 6; row++) {
                uint64_t before = p.hash;
                type->make(&rules, &p, (ploy_board_move)column + 1, NULL);
                keys[count++] = before ^ p.hash;
            }
        }
    }
    CHECK_INT(count, 84);
    CHECK_INT(ploy_board_keys_check(keys, count), 0);
}

// ---- Split-Nim

typedef struct nim_graph {
    char texts[1000][64];
    int32_t count, edges;
    int64_t nodes; // of the tree without merging
} nim_graph;

static int32_t nim_add(nim_graph *g, const char *text) {
    for (int32_t i = 0; i < g->count; i++) {
        if (strcmp(g->texts[i], text) == 0) return i;
    }
    memcpy(g->texts[g->count], text, strlen(text) + 1);
    return g->count++;
}

TEST(splitnim_graphs_are_as_published) {
    static const struct {
        int32_t coins, wins, positions, edges;
        int64_t nodes;
    } rows[] = {
        {3, 1, 2, 1, 2},           {4, -1, 3, 2, 3},       {5, 1, 6, 5, 6},
        {6, 1, 8, 8, 10},          {7, -1, 14, 17, 24},    {8, 1, 19, 27, 52},
        {9, 1, 28, 46, 145},       {10, -1, 39, 71, 364},  {12, 1, 72, 166, 3404},
        {15, 1, 173, 522, 144036}, {20, -1, 622, 2627, 0},
    };
    nim_graph *g = malloc(sizeof *g);
    CHECK(g != NULL);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        TEST_SEED(rows[i].coins);
        ploy_board_splitnim_def rules = ploy_board_splitnim_def_default();
        rules.coins = rows[i].coins;
        ploy_board board = ploy_board_of(ploy_board_splitnim(), &rules);
        uint64_t position[8];
        board.type->start(&rules, position);
        g->count = g->edges = 0;
        char text[PLOY_BOARD_TEXT];
        board.type->text(&rules, position, text);
        nim_add(g, text);
        for (int32_t at = 0; at < g->count; at++) {
            CHECK_OK(board.type->parse(&rules, g->texts[at], "", position, NULL));
            ploy_board_move moves[128];
            int32_t count = board.type->moves(&rules, position, moves, 128), to[128], distinct = 0;
            for (int32_t m = 0; m < count; m++) {
                ploy_board_make(board, position, moves[m], NULL);
                board.type->text(&rules, position, text);
                int32_t child = nim_add(g, text);
                bool known = false;
                for (int32_t k = 0; k < distinct; k++) known = known || to[k] == child;
                if (!known) to[distinct++] = child;
                ploy_board_unmake(board, position, moves[m], NULL);
            }
            g->edges += distinct;
        }
        CHECK_INT(g->count, rows[i].positions);
        CHECK_INT(g->edges, rows[i].edges);
        board.type->start(&rules, position);
        int32_t want = rows[i].wins * PLOY_BOARD_WIN;
        CHECK_INT(solve(t, board, position, PLOY_BOARD_ALPHABETA), want);
        if (rows[i].nodes > 0) {
            ploy_env env = ploy_env_default();
            ploy_board_search_def def = ploy_board_search_def_default();
            def.method = PLOY_BOARD_NEGAMAX;
            def.depth = 40;
            def.table.kilobytes = 0;
            def.distance = false;
            ploy_board_search *search = NULL;
            CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
            CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
            CHECK_OK(ploy_board_search_step(search, NULL));
            CHECK_INT(ploy_board_search_outcome(search).nodes, rows[i].nodes);
            CHECK_INT(ploy_board_search_outcome(search).score, want);
            ploy_board_search_destroy(search);
        }
    }
    free(g);
}

TEST(guess_who_is_won_by_63_percent) {
    CHECK_NEAR(ploy_board_guesswho_value(24, 24), 0.6319444, 1e-6);
    CHECK_NEAR(ploy_board_guesswho_value(1, 9), 1.0, 0.0);
    CHECK_NEAR(ploy_board_guesswho_value(2, 9), 1.0, 0.0); // one question tells two persons apart
    CHECK_NEAR(ploy_board_guesswho_value(9, 2), 1.0 / 9.0, 1e-12);
    CHECK_NEAR(ploy_board_guesswho_value(0, 2), 0.0, 0.0);
}
