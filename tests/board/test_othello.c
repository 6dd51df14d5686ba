// Othello: rules against published counts and a slow generator.
#include "ploy/board/othello.h"

#include "tests/board/board_test.h"

static void othello_make_rules(ploy_board_othello_def *def, int32_t size) {
    *def = ploy_board_othello_def_default();
    def->size = size;
}

TEST(othello_perft_equals_the_published_counts) {
    static const uint64_t counts[] = {4,         12,         56,         244,     1396,
                                      8200,      55092,      390216,     3005288, 24571284,
                                      212258800, 1939886636, 18429641748};
    ploy_board_othello_def def = ploy_board_othello_def_default();
    int32_t depth = board_soak() ? 13 : 9;
    board_check_perft(t, ploy_board_of(ploy_board_othello(), &def), NULL, counts, depth);
}

// From the rules, square by square: does a disc at (x, y) turn discs in direction (dx, dy)?
static int32_t slow_run(const char *cells, int32_t size, int32_t x, int32_t y, int32_t dx,
                        int32_t dy, char own) {
    int32_t length = 0;
    for (;;) {
        x += dx;
        y += dy;
        if (x < 0 || y < 0 || x >= size || y >= size) return 0;
        char cell = cells[y * size + x];
        if (cell == '-') return 0;
        if (cell == own) return length;
        length++;
    }
}

static bool slow_play(char *cells, int32_t size, int32_t x, int32_t y, char own) {
    if (cells[y * size + x] != '-') return false;
    bool turned = false;
    for (int32_t d = 0; d < 9; d++) {
        int32_t dx = d % 3 - 1, dy = d / 3 - 1;
        if (d == 4) continue;
        int32_t run = slow_run(cells, size, x, y, dx, dy, own);
        for (int32_t i = 1; i <= run; i++) cells[(y + i * dy) * size + x + i * dx] = own;
        if (run > 0) turned = true;
    }
    if (turned) cells[y * size + x] = own;
    return turned;
}

TEST(othello_random_games_agree_with_a_slow_generator) {
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_board_othello_def def;
        othello_make_rules(&def, 4 + 2 * (int32_t)(seed % 3));
        int32_t size = def.size;
        ploy_board board = ploy_board_of(ploy_board_othello(), &def);
        ploy_board_othello_position p;
        board.type->start(&def, &p);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        char text[PLOY_BOARD_TEXT], cells[PLOY_BOARD_TEXT];
        while (board.type->side(&def, &p) != PLOY_BOARD_OVER) {
            ploy_board_move moves[40];
            int32_t count = board.type->moves(&def, &p, moves, 40);
            board.type->text(&def, &p, text);
            int32_t squares = 0;
            for (int32_t i = 0; i < size * size; i++) {
                strcpy(cells, text);
                if (slow_play(cells, size, i % size, i / size, text[size * size + 1])) {
                    CHECK_INT(moves[squares] - 1, (i % size) + 8 * (i / size));
                    squares++;
                }
            }
            if (squares == 0) {
                CHECK_INT(count, 1);
                CHECK(moves[0] == PLOY_BOARD_OTHELLO_PASS);
            } else {
                CHECK_INT(count, squares);
            }
            ploy_board_move move = moves[ploy_rng_below(&rng, (uint64_t)count)];
            if (move != PLOY_BOARD_OTHELLO_PASS) {
                int32_t square = (int32_t)move - 1;
                slow_play(text, size, square % 8, square / 8, text[size * size + 1]);
            }
            board.type->make(&def, &p, move, NULL);
            board.type->text(&def, &p, cells);
            CHECK(memcmp(cells, text, (size_t)(size * size)) == 0);
        }
        int32_t margin = board.type->result(&def, &p, 0);
        CHECK_INT(board.type->result(&def, &p, 1), -margin);
        CHECK_INT(margin % 200, 0);
    }
}

TEST(othello_keeps_its_contract_on_every_size) {
    for (int32_t size = 4; size <= 8; size += 2) {
        ploy_board_othello_def def;
        othello_make_rules(&def, size);
        board_check_contract(t, ploy_board_of(ploy_board_othello(), &def), 20);
    }
}

TEST(othello_refuses_odd_sizes_and_bad_positions) {
    ploy_board_othello_def def;
    othello_make_rules(&def, 5);
    ploy_env env = ploy_env_default();
    CHECK_INT(ploy_board_rules_check(ploy_board_of(ploy_board_othello(), &def), &env),
              PLOY_ERR_ARGUMENT);
    othello_make_rules(&def, 4);
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"-----XO--OX---- X",
         "othello:1:16: error: unknown square; expected X, O or - for each square"},
        {"-----XO-", "othello:1:9: error: too few squares; expected X, O or - for each square"},
        {"-----XO--OX-----", "othello:1:17: error: the side to move is missing; expected X or O"},
        {"-----XO--OX----- X X",
         "othello:1:20: error: unexpected text behind the side to move; expected the end"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        board_check_fault(t, ploy_board_of(ploy_board_othello(), &def), rows[i].text, "othello",
                          rows[i].message);
    }
}

TEST(othello_weighs_discs_by_phase) {
    // One disc more is worth less than nothing at the start and something at the end.
    ploy_board_othello_def def = ploy_board_othello_def_default();
    const ploy_board_type *type = ploy_board_othello();
    ploy_board_othello_position p;
    CHECK_OK(type->parse(&def, "---------------------------OX------XO--------------------------- X",
                         "p", &p, NULL));
    CHECK_INT(type->evaluate(&def, &p, 0), 0);
    CHECK_INT(type->evaluate(&def, &p, 1), 0);
    board_check_parts(t, ploy_board_of(type, &def), &p);
}
