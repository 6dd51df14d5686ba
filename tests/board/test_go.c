// Go: capture, ko, superko, scoring, playouts, and a slow generator.
#include "ploy/board/go.h"

#include "board/go_internal.h"
#include "tests/board/board_test.h"

typedef struct go_bed {
    ploy_board_go_def def;
    uint64_t position[2048];
} go_bed;

static void go_bed_make(go_bed *bed, int32_t size, const char *text) {
    bed->def = ploy_board_go_def_default();
    bed->def.size = size;
    ploy_board_go()->start(&bed->def, bed->position);
    if (text != NULL) ploy_board_go()->parse(&bed->def, text, "bed", bed->position, NULL);
}

static ploy_result go_bed_play(go_bed *bed, const char *moves) {
    char copy[400];
    strcpy(copy, moves);
    for (char *move = strtok(copy, " "); move != NULL; move = strtok(NULL, " ")) {
        ploy_result result =
            ploy_board_play(ploy_board_of(ploy_board_go(), &bed->def), bed->position,
                            (const char *const *)&move, 1, "bed", NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

TEST(go_captures_groups_and_refuses_suicide) {
    static const struct {
        const char *row, *before, *move, *after;
    } rows[] = {
        {"a corner stone is taken", "OX.../...../...../...../..... X", "A4",
         ".X.../X..../...../...../..... O 0 - 1 0"},
        {"two groups at once", "XO.OX/.XXX./...../...../..... X", "C5",
         "X.X.X/.XXX./...../...../..... O 0 - 2 0"},
        {"suicide of one stone", ".X.../X..../...../...../..... O", "A5", NULL},
        {"capturing is not suicide", ".XO../XO.../O..../...../..... O", "A5",
         "O.O../.O.../O..../...../..... X 0 - 0 2"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        go_bed bed;
        go_bed_make(&bed, 5, rows[i].before);
        ploy_result played = go_bed_play(&bed, rows[i].move);
        CHECK_INT(played, rows[i].after != NULL ? PLOY_OK : PLOY_ERR_FORMAT);
        if (rows[i].after == NULL) continue;
        char text[PLOY_BOARD_TEXT];
        ploy_board_go()->text(&bed.def, bed.position, text);
        CHECK_TEXT(text, rows[i].after);
    }
}

TEST(go_ko_may_not_be_retaken_at_once) {
    go_bed bed;
    go_bed_make(&bed, 5, ".XO../XO.O./.XO../...../..... X"); // black takes B4 from C4
    CHECK_OK(go_bed_play(&bed, "C4"));
    char text[PLOY_BOARD_TEXT];
    ploy_board_go()->text(&bed.def, bed.position, text);
    CHECK_TEXT(text, ".XO../X.XO./.XO../...../..... O 0 B4 1 0");
    CHECK_INT(go_bed_play(&bed, "B4"), PLOY_ERR_FORMAT);
    CHECK_OK(go_bed_play(&bed, "E1 E2 B4")); // after an exchange elsewhere it is a new board
}

TEST(superko_forbids_boards_that_come_again) {
    // Sending two, returning one: under simple ko it may go on for ever.
    for (int32_t ko = 0; ko < 3; ko++) {
        go_bed bed;
        go_bed_make(&bed, 5, NULL);
        bed.def.ko = (ploy_board_go_ko)ko;
        ploy_board_go()->start(&bed.def, bed.position);
        CHECK_OK(go_bed_play(&bed, "B5 pass C4 pass B3 pass A3 pass"));
        // Random play with captures: no remembered board may be reached twice.
        ploy_rng rng = ploy_rng_make(77);
        uint64_t seen[200];
        int32_t count = 0;
        for (int32_t i = 0; i < 60; i++) {
            if (ploy_board_go()->side(&bed.def, bed.position) == PLOY_BOARD_OVER) break;
            ploy_board_move moves[400];
            int32_t legal = ploy_board_go()->moves(&bed.def, bed.position, moves, 400);
            ploy_board_move move = moves[ploy_rng_below(&rng, (uint64_t)legal)];
            ploy_board_go()->make(&bed.def, bed.position, move, NULL);
            if (move == PLOY_BOARD_GO_PASS) continue;
            char text[PLOY_BOARD_TEXT];
            ploy_board_go()->text(&bed.def, bed.position, text);
            text[29] = 0; // the board alone
            uint64_t hash = ploy_hash_text(text);
            for (int32_t k = 0; ko == 1 && k < count; k++) CHECK(seen[k] != hash);
            seen[count++] = hash;
        }
    }
}

TEST(go_counts_area_and_territory) {
    static const struct {
        const char *row, *position;
        ploy_board_go_scoring scoring;
        float komi;
        int32_t half_points;
    } rows[] = {
        {"empty board", "...../...../...../...../..... X", PLOY_BOARD_GO_AREA, 7.5f, -15},
        {"all of it", "...../...../..X../...../..... X", PLOY_BOARD_GO_AREA, 0.5f, 49},
        {"half each", ".XO../.XO../.XO../.XO../.XO.. X", PLOY_BOARD_GO_AREA, 0.0f, -10},
        {"territory", ".XO../.XO../.XO../.XO../.XO.. X 0 - 3 1", PLOY_BOARD_GO_TERRITORY, 0.0f, -6},
        {"shared points count for neither", ".X.O./.X.O./.X.O./.X.O./.X.O. X", PLOY_BOARD_GO_AREA,
         0.0f, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        go_bed bed;
        go_bed_make(&bed, 5, rows[i].position);
        bed.def.scoring = rows[i].scoring;
        bed.def.komi = rows[i].komi;
        CHECK_INT(ploy_board_go_score(&bed.def, bed.position), rows[i].half_points);
    }
}

// ---- a slow second opinion on legality: recursive fill over characters

static bool slow_alive(char cells[25], bool seen[25], int32_t point) {
    static const int8_t steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    seen[point] = true;
    for (int32_t d = 0; d < 4; d++) {
        int32_t x = point % 5 + steps[d][0], y = point / 5 + steps[d][1];
        if (x < 0 || y < 0 || x > 4 || y > 4) continue;
        int32_t next = y * 5 + x;
        if (cells[next] == '.') return true;
        if (cells[next] == cells[point] && !seen[next] && slow_alive(cells, seen, next))
            return true;
    }
    return false;
}

static bool slow_alive_at(char cells[25], int32_t point) {
    bool seen[25] = {false};
    return slow_alive(cells, seen, point);
}

// Plays on the characters. @return false for suicide.
static bool slow_play(char cells[25], int32_t point, char own) {
    cells[point] = own;
    char enemy = own == 'X' ? 'O' : 'X';
    bool dead[25] = {false};
    for (int32_t i = 0; i < 25; i++) dead[i] = cells[i] == enemy && !slow_alive_at(cells, i);
    for (int32_t i = 0; i < 25; i++) {
        if (dead[i]) cells[i] = '.';
    }
    return slow_alive_at(cells, point);
}

static void slow_board(const go_bed *bed, char cells[25]) {
    char text[PLOY_BOARD_TEXT];
    ploy_board_go()->text(&bed->def, bed->position, text);
    for (int32_t i = 0; i < 25; i++) cells[i] = text[i + i / 5];
}

TEST(go_random_games_agree_with_a_slow_generator) {
    int64_t repeats = 0;
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        go_bed bed;
        go_bed_make(&bed, 5, NULL);
        static char past[200][25];
        int32_t boards = 0;
        slow_board(&bed, past[boards++]);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        const ploy_board_type *type = ploy_board_go();
        for (int32_t side; (side = type->side(&bed.def, bed.position)) != PLOY_BOARD_OVER;) {
            ploy_board_move moves[400];
            int32_t count = type->moves(&bed.def, bed.position, moves, 400), at = 0;
            for (int32_t point = 0; point < 25; point++) {
                char cells[25];
                slow_board(&bed, cells);
                if (cells[point] != '.' || !slow_play(cells, point, side == 0 ? 'X' : 'O'))
                    continue;
                bool again = false;
                for (int32_t k = 0; k < boards; k++) again |= memcmp(past[k], cells, 25) == 0;
                repeats += again;
                if (again) continue;
                CHECK_INT(moves[at], point + 1);
                at++;
            }
            CHECK_INT(at, count - 1);
            CHECK(moves[at] == PLOY_BOARD_GO_PASS);
            int32_t pick = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
            if (pick == at && count > 1) pick = 0; // few passes, so that games are long
            type->make(&bed.def, bed.position, moves[pick], NULL);
            if (moves[pick] != PLOY_BOARD_GO_PASS) slow_board(&bed, past[boards++]);
        }
    }
    CHECK(repeats > 0);
}

// ---- patterns and priors

// A pattern fits: X and O are colours, x and o anything else that is not this colour, ? anything, # outside.
static bool slow_fits(const char pattern[9], const char around[9]) {
    for (int32_t i = 0; i < 9; i++) {
        char p = pattern[i], c = around[i];
        if (i == 4 || p == '?' || p == c) continue;
        if ((p == 'x' && c != 'X') || (p == 'o' && c != 'O')) continue;
        return false;
    }
    return true;
}

TEST(go_patterns_are_those_of_the_paper) {
    // Hane, cuts, then moves at the rim.
    static const char patterns[][10] = {
        "XOX...???", "XO....?.?", "XO?X..x.?", ".O.X.....", "XO?O.o?o?", "XO?O.X???", "?X?O.Oooo",
        "OX?o.O???", "X.?O.?###", "OX?X.O###", "?X?x.O###", "?XOx.x###", "?OXX.O###",
    };
    static const int8_t turn[9] = {6, 3, 0, 7, 4, 1, 8, 5, 2};
    int32_t fitting = 0;
    for (int32_t size = 5; size <= 7; size += 2) {
        for (int64_t seed = 0; seed < test_rounds(300); seed++) {
            TEST_SEED(seed);
            // Stones anywhere: a pattern needs no legal board.
            static go_bed bed;
            go_bed_make(&bed, size, NULL);
            ploy_rng rng = ploy_rng_make((uint64_t)seed);
            go_position *p = (go_position *)(void *)bed.position;
            for (int32_t i = 0; i < size * size; i++) {
                go_cells(p)[i] = (uint8_t)ploy_rng_below(&rng, 3);
            }
            for (int32_t point = 0; point < size * size; point++) {
                if (go_cells(p)[point] != GO_EMPTY) continue;
                char around[9];
                for (int32_t i = 0; i < 9; i++) {
                    int32_t x = point % size + i % 3 - 1, y = point / size + i / 3 - 1;
                    bool inside = x >= 0 && y >= 0 && x < size && y < size;
                    around[i] = inside ? "XO."[go_cells(p)[y * size + x]] : '#';
                }
                bool want = false;
                for (size_t k = 0; k < COUNT_OF(patterns) * 16 && !want; k++) {
                    char form[9], other[9];
                    memcpy(form, patterns[k / 16], 9);
                    for (int32_t i = 0; i < 9 && k % 2 == 1; i++) {
                        static const char swap[][2] = {
                            {'X', 'O'}, {'O', 'X'}, {'x', 'o'}, {'o', 'x'}};
                        for (int32_t s = 0; s < 4; s++) {
                            if (patterns[k / 16][i] == swap[s][0]) form[i] = swap[s][1];
                        }
                    }
                    for (size_t turns = 0; turns < k / 2 % 4; turns++) {
                        for (int32_t i = 0; i < 9; i++) other[i] = form[turn[i]];
                        memcpy(form, other, 9);
                    }
                    for (int32_t i = 0; i < 9; i++) other[i] = form[i / 3 * 3 + 2 - i % 3];
                    want = slow_fits(k / 8 % 2 == 0 ? form : other, around);
                }
                CHECK_INT(ployi_go_pattern(p, point), want);
                fitting += want;
            }
        }
    }
    CHECK(fitting > 1000);
}

TEST(go_answers_atari_first) {
    // Black has just put the white stone on C4 into atari: white extends to D4, the only rescue.
    go_bed bed;
    go_bed_make(&bed, 5, "..X../..OX./...../...../..... X");
    CHECK_OK(go_bed_play(&bed, "B4"));
    bed.def.tactics = 1.0f;
    const ploy_board_type *type = ploy_board_go();
    for (uint64_t seed = 0; seed < 20; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        char text[PLOY_BOARD_MOVE_TEXT];
        ploy_board_move move = type->playout(&bed.def, bed.position, &rng);
        type->move_text(&bed.def, bed.position, move, text);
        CHECK_TEXT(text, "C3");
    }
    // It played elsewhere: black captures it.
    CHECK_OK(go_bed_play(&bed, "A1"));
    for (uint64_t seed = 0; seed < 20; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        CHECK_UINT(type->playout(&bed.def, bed.position, &rng), 2 + 5 * 2 + 1);
    }
    // The prior prefers the capture to everything else, and a pass or a filled eye to nothing.
    ploy_board_move moves[40];
    int32_t count = type->moves(&bed.def, bed.position, moves, 40);
    float capture = type->prior(&bed.def, bed.position, 2 + 5 * 2 + 1);
    for (int32_t i = 0; i < count; i++) {
        float prior = type->prior(&bed.def, bed.position, moves[i]);
        CHECK(prior > 0.0f && (prior < capture || moves[i] == 13));
        CHECK(moves[i] == PLOY_BOARD_GO_PASS ||
              prior >= type->prior(&bed.def, bed.position, PLOY_BOARD_GO_PASS));
    }
}

TEST(go_playouts_end_with_every_region_settled) {
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        go_bed bed;
        go_bed_make(&bed, 9, NULL);
        const ploy_board_type *type = ploy_board_go();
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t plies = 0;
        while (type->side(&bed.def, bed.position) != PLOY_BOARD_OVER) {
            type->make(&bed.def, bed.position, type->playout(&bed.def, bed.position, &rng), NULL);
            plies++;
        }
        CHECK(plies > 40 && plies <= 243);
        char text[PLOY_BOARD_TEXT];
        type->text(&bed.def, bed.position, text);
        int32_t stones = 0;
        for (int32_t i = 0; i < 89; i++) stones += text[i] == 'X' || text[i] == 'O';
        CHECK(stones > 40);
    }
}

TEST(go_keeps_its_contract_on_every_size) {
    for (int32_t size = 5; size <= 19; size += 7) {
        go_bed bed;
        go_bed_make(&bed, size, NULL);
        board_check_contract(t, ploy_board_of(ploy_board_go(), &bed.def), 3);
    }
}

TEST(go_positions_are_refused_with_their_place) {
    go_bed bed;
    go_bed_make(&bed, 5, NULL);
    ploy_board board = ploy_board_of(ploy_board_go(), &bed.def);
    board_check_fault(t, board, "X..", "go",
                      "go:1:4: error: too few points; expected X, O or . for each point");
    board_check_fault(t, board, "XXXXX/XXXXX/XXXXX/XXXXX/XXXXX X", "go",
                      "go:1:1: error: a group has no liberty");
    board_check_fault(t, board, "...../...../...../...../..... Q", "go",
                      "go:1:30: error: the side to move is missing; expected X or O");
    board_check_fault(t, board, "...../...../...../...../..... X 7 - 0 0", "go",
                      "go:1:32: error: invalid number of passes; expected 0, 1 or 2");
    board_check_fault(t, board, "X..../...../...../...../..... X 0 A5 0 0", "go",
                      "go:1:35: error: invalid ko point; expected an empty point or -");
}
