// Exact solvers: the published positions, slices, snapshots, memory.
#include "ploy/board/connect4_solver.h"
#include "ploy/board/othello_solver.h"

#include "tests/board/board_test.h"
#include "tests/state.h"

// ---- Connect Four

typedef struct stones {
    uint64_t own, all;
} stones;

static stones stones_play(const char *moves, size_t length, int32_t rows) {
    stones p = {0, 0};
    for (size_t i = 0; i < length; i++) {
        int32_t foot = (moves[i] - '1') * (rows + 1);
        uint64_t column = ((UINT64_C(1) << rows) - 1) << foot;
        p.own ^= p.all;
        p.all |= (p.all + (UINT64_C(1) << foot)) & column;
    }
    return p;
}

static ploy_board_connect4_solution connect4_solve(ploy_board_connect4_solver *solver, stones p) {
    ploy_board_connect4_solution none = {false, 0, 0, 0, 0};
    if (ploy_board_connect4_solver_begin(solver, p.own, p.all) != PLOY_OK) return none;
    ploy_board_connect4_solver_step(solver, NULL);
    return ploy_board_connect4_solver_outcome(solver);
}

static void check_connect4_file(test_context *t, const char *name, double most, int32_t every) {
    if (test_data_dir() == NULL) {
        test_skip(t, "no test data");
        return;
    }
    char path[600];
    snprintf(path, sizeof path, "%s/connect4/%s", test_data_dir(), name);
    size_t size = 0;
    char *text = test_read_file(path, &size);
    if (text == NULL) {
        test_skip(t, "no test data");
        return;
    }
    ploy_env env = ploy_env_default();
    ploy_board_connect4_solver_def def = ploy_board_connect4_solver_def_default();
    ploy_board_connect4_solver *solver = NULL;
    CHECK_OK(ploy_board_connect4_solver_create(&def, &env, &solver));
    int64_t lines = 0, solved = 0, wrong = 0;
    uint64_t nodes = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (lines++ % every != 0) continue;
        char *blank = strchr(line, ' ');
        CHECK(blank != NULL);
        stones p = stones_play(line, (size_t)(blank - line), 6);
        ploy_board_connect4_solution solution = connect4_solve(solver, p);
        nodes += solution.nodes;
        solved++;
        int32_t want = atoi(blank + 1);
        if (!solution.complete || solution.low != want) wrong++;
        // The move reaches the score.
        uint64_t foot = UINT64_C(1) << (solution.column * 7);
        uint64_t move = (p.all + foot) & ((UINT64_C(1) << 6) - 1) << (solution.column * 7);
        stones next = {p.own ^ p.all, p.all | move};
        if (connect4_solve(solver, next).low != -want) wrong++;
    }
    ploy_board_connect4_solver_destroy(solver);
    free(text);
    CHECK_INT(wrong, 0);
    CHECK(solved > 0);
    CHECK((double)nodes / (double)solved <= most);
}

TEST(connect4_solves_the_published_positions) {
    check_connect4_file(t, "Test_L3_R1.a.txt", 60.0, 1);
    check_connect4_file(t, "Test_L2_R1.a.txt", 450.0, 1);
    check_connect4_file(t, "Test_L1_R1.a.txt", 3300.0, 1);
}

// The score after each move, from the opponent's view; 43 for a full column.
TEST(connect4_columns_are_right) {
    char path[600];
    snprintf(path, sizeof path, "%s/connect4/percolumn_L2_R1.a.txt",
             test_data_dir() != NULL ? test_data_dir() : "");
    char *text = test_data_dir() != NULL ? test_read_file(path, NULL) : NULL;
    if (text == NULL) {
        test_skip(t, "no test data");
        return;
    }
    ploy_env env = ploy_env_default();
    ploy_board_connect4_solver_def def = ploy_board_connect4_solver_def_default();
    ploy_board_connect4_solver *solver = NULL;
    CHECK_OK(ploy_board_connect4_solver_create(&def, &env, &solver));
    int32_t lines = 0;
    for (char *line = text; *line != 0; lines++) {
        t->row = line;
        char *end = strchr(line, '\n'), *at = strchr(line, ' ');
        CHECK(end != NULL && at != NULL && at < end);
        *end = 0;
        stones p = stones_play(line, (size_t)(at - line), 6);
        int32_t best = -99, score = connect4_solve(solver, p).low;
        for (int32_t column = 0; column < 7; column++) {
            int32_t want = (int32_t)strtol(at + 1, &at, 10);
            uint64_t cells = ((UINT64_C(1) << 6) - 1) << (column * 7);
            uint64_t move = (p.all + (UINT64_C(1) << (column * 7))) & cells;
            CHECK((move == 0) == (want == 43));
            if (move == 0) continue;
            stones next = {p.own ^ p.all, p.all | move};
            CHECK_INT(connect4_solve(solver, next).low, want);
            if (-want > best) best = -want;
        }
        CHECK_INT(best, score);
        line = end + 1;
    }
    t->row = NULL;
    CHECK_INT(lines, 500);
    ploy_board_connect4_solver_destroy(solver);
    free(text);
}

TEST(connect4_solves_the_hardest_positions_in_soak) {
    if (!board_soak()) {
        test_skip(t, "only in soak");
        return;
    }
    check_connect4_file(t, "Test_L1_R3.a.txt", 1e12, 25);
}

// Exhaustive search of small boards from the rules: result 1, 0 or -1 for the side to move.
static bool slow_four(const char *cells, int32_t columns, int32_t rows, int32_t c, int32_t r) {
    static const int8_t steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int32_t d = 0; d < 4; d++) {
        int32_t length = 1;
        for (int32_t sign = -1; sign <= 1; sign += 2) {
            for (int32_t k = 1; k < 4; k++) {
                int32_t x = c + sign * k * steps[d][0], y = r + sign * k * steps[d][1];
                if (x < 0 || y < 0 || x >= columns || y >= rows) break;
                if (cells[y * columns + x] != cells[r * columns + c]) break;
                length++;
            }
        }
        if (length >= 4) return true;
    }
    return false;
}

// Score as the solver counts it.
static int32_t slow_connect4(char *cells, int32_t columns, int32_t rows, int32_t played,
                             int32_t alpha, int32_t beta) {
    if (played == columns * rows) return 0;
    for (int32_t c = 0; c < columns; c++) {
        int32_t r = 0;
        while (r < rows && cells[r * columns + c] != 0) r++;
        if (r == rows) continue;
        cells[r * columns + c] = (char)(1 + played % 2);
        int32_t value = slow_four(cells, columns, rows, c, r)
                            ? (columns * rows + 1 - played) / 2
                            : -slow_connect4(cells, columns, rows, played + 1, -beta, -alpha);
        cells[r * columns + c] = 0;
        if (value > alpha) alpha = value;
        if (alpha >= beta) break;
    }
    return alpha;
}

TEST(connect4_solver_agrees_with_a_slow_search_on_small_boards) {
    static const int8_t sizes[][2] = {{4, 4}, {5, 4}, {4, 5}, {1, 4},
                                      {6, 3}, {5, 5}, {3, 8}, {2, 24}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        ploy_env env = ploy_env_default();
        ploy_board_connect4_solver_def def = ploy_board_connect4_solver_def_default();
        def.columns = sizes[i][0];
        def.rows = sizes[i][1];
        ploy_board_connect4_solver *solver = NULL;
        CHECK_OK(ploy_board_connect4_solver_create(&def, &env, &solver));
        for (int64_t seed = 0; seed < test_rounds(40); seed++) {
            TEST_SEED(seed);
            // A random opening of most of the board, so that the slow search ends.
            ploy_rng rng = ploy_rng_make((uint64_t)seed);
            char cells[64] = {0}, moves[64];
            int32_t cell_count = def.columns * def.rows;
            int32_t want = cell_count - 10 + (int32_t)ploy_rng_below(&rng, 8), played = 0;
            bool over = false;
            while (played < want && !over) {
                int32_t c = (int32_t)ploy_rng_below(&rng, (uint64_t)def.columns), r = 0;
                while (r < def.rows && cells[r * def.columns + c] != 0) r++;
                if (r == def.rows) continue;
                cells[r * def.columns + c] = (char)(1 + played % 2);
                moves[played++] = (char)('1' + c);
                over = slow_four(cells, def.columns, def.rows, c, r);
            }
            if (over) continue;
            stones p = stones_play(moves, (size_t)played, def.rows);
            ploy_board_connect4_solution solution = connect4_solve(solver, p);
            CHECK(solution.complete);
            CHECK_INT(solution.low, slow_connect4(cells, def.columns, def.rows, played, -99, 99));
        }
        ploy_board_connect4_solver_destroy(solver);
    }
}

TEST(connect4_solver_refuses_what_is_not_a_position) {
    ploy_env env = ploy_env_default();
    ploy_board_connect4_solver_def def = ploy_board_connect4_solver_def_default();
    ploy_board_connect4_solver *solver = NULL;
    def.columns = 8;
    CHECK_INT(ploy_board_connect4_solver_create(&def, &env, &solver), PLOY_ERR_ARGUMENT);
    def.columns = 7;
    CHECK_OK(ploy_board_connect4_solver_create(&def, &env, &solver));
    CHECK_INT(ploy_board_connect4_solver_begin(solver, 0, 1 << 1), PLOY_ERR_ARGUMENT); // floating
    CHECK_INT(ploy_board_connect4_solver_begin(solver, 1, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_board_connect4_solver_begin(solver, 0, 0x7F),
              PLOY_ERR_ARGUMENT); // above the top
    stones won = stones_play("1212121", 7, 6);
    CHECK_OK(ploy_board_connect4_solver_begin(solver, won.own, won.all));
    CHECK_INT(ploy_board_connect4_solver_outcome(solver).low, -18);
    CHECK_INT(ploy_board_connect4_solver_outcome(solver).column, -1);
    ploy_board_connect4_solver_destroy(solver);
}

// ---- Othello

static ploy_board_othello_solution othello_solve(ploy_board_othello_solver *solver,
                                                 const ploy_board_othello_position *p) {
    ploy_board_othello_solver_begin(solver, p);
    ploy_board_othello_solver_step(solver, NULL);
    return ploy_board_othello_solver_outcome(solver);
}

// Checks each line's best score and best move, and with `all` every listed move.
static void check_othello_file(test_context *t, const char *name, int32_t first, int32_t last,
                               int32_t table_bits, bool all, uint64_t most) {
    if (test_data_dir() == NULL) {
        test_skip(t, "no test data");
        return;
    }
    char path[600];
    snprintf(path, sizeof path, "%s/othello/%s", test_data_dir(), name);
    size_t size = 0;
    char *text = test_read_file(path, &size);
    if (text == NULL) {
        test_skip(t, "no test data");
        return;
    }
    ploy_env env = ploy_env_default();
    ploy_board_othello_def rules = ploy_board_othello_def_default();
    const ploy_board_type *type = ploy_board_othello();
    ploy_board_othello_solver_def def = ploy_board_othello_solver_def_default();
    def.table_bits = table_bits;
    ploy_board_othello_solver *solver = NULL;
    CHECK_OK(ploy_board_othello_solver_create(&def, &env, &solver));
    uint64_t nodes = 0;
    int32_t number = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        number++;
        if (number < first || number > last) continue;
        t->row = line;
        char *items = strchr(line, ';');
        CHECK(items != NULL);
        *items++ = 0;
        ploy_board_othello_position p;
        CHECK_OK(type->parse(&rules, line, name, &p, NULL));
        ploy_board_othello_solution solution = othello_solve(solver, &p);
        nodes += solution.nodes;
        bool best_listed = false;
        int32_t best = -99;
        for (char *item = items; (item = strchr(item, ':')) != NULL; item++) {
            char move_text[3] = {(char)(item[-2] | 0x20), item[-1], 0};
            int32_t want = atoi(item + 1);
            ploy_board_move move = 0;
            CHECK_OK(type->move_parse(&rules, &p, move_text, name, &move, NULL));
            if (want > best) best = want;
            if (move == solution.best && want == solution.low) best_listed = true;
            if (!all) continue;
            ploy_board_othello_position next = p;
            type->make(&rules, &next, move, NULL);
            int32_t sign = next.side == p.side ? 1 : -1;
            CHECK_INT(sign * othello_solve(solver, &next).low, want);
        }
        CHECK_INT(solution.low, best);
        CHECK(best_listed);
    }
    ploy_board_othello_solver_destroy(solver);
    free(text);
    CHECK(nodes <= most);
}

TEST(othello_solves_fforum_1_to_19) {
    check_othello_file(t, "fforum-1-19.obf", 1, 19, 18, false, 5000000);
    check_othello_file(t, "fforum-1-19.obf", 1, 19, 18, true, 5000000);
}

TEST(othello_solves_fforum_40_to_44_in_soak) {
    if (!board_soak()) {
        test_skip(t, "only in soak");
        return;
    }
    check_othello_file(t, "fforum-40-59.obf", 1, 5, 22, false, 400000000);
}

TEST(othello_on_four_by_four_is_lost_by_ten) {
    ploy_env env = ploy_env_default();
    ploy_board_othello_def rules = ploy_board_othello_def_default();
    rules.size = 4;
    ploy_board_othello_position p;
    ploy_board_othello()->start(&rules, &p);
    ploy_board_othello_solver_def def = ploy_board_othello_solver_def_default();
    ploy_board_othello_solver *solver = NULL;
    CHECK_OK(ploy_board_othello_solver_create(&def, &env, &solver));
    CHECK_INT(othello_solve(solver, &p).low, -10);
    ploy_board_othello_solver_destroy(solver);
    def.only_sign = true;
    CHECK_OK(ploy_board_othello_solver_create(&def, &env, &solver));
    ploy_board_othello_solution solution = othello_solve(solver, &p);
    CHECK(solution.complete && solution.high < 0);
    p.discs[0] |= p.discs[1];
    CHECK_INT(ploy_board_othello_solver_begin(solver, &p), PLOY_ERR_ARGUMENT);
    ploy_board_othello_solver_destroy(solver);
}

static int32_t slow_othello(ploy_board board, const ploy_board_othello_position *p, int32_t alpha,
                            int32_t beta) {
    if (p->over != 0) return board.type->result(board.rules, p, p->side) / 100;
    ploy_board_move moves[40];
    int32_t count = board.type->moves(board.rules, p, moves, 40);
    for (int32_t i = 0; i < count && alpha < beta; i++) {
        ploy_board_othello_position next = *p;
        board.type->make(board.rules, &next, moves[i], NULL);
        int32_t value = -slow_othello(board, &next, -beta, -alpha);
        if (value > alpha) alpha = value;
    }
    return alpha;
}

TEST(othello_solver_agrees_with_a_slow_search) {
    ploy_env env = ploy_env_default();
    ploy_board_othello_solver_def def = ploy_board_othello_solver_def_default();
    def.table_bits = 6; // so small that entries are replaced all the time
    ploy_board_othello_solver *solver = NULL;
    CHECK_OK(ploy_board_othello_solver_create(&def, &env, &solver));
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_board_othello_def rules = ploy_board_othello_def_default();
        rules.size = 4 + 2 * (int32_t)(seed % 3);
        ploy_board board = ploy_board_of(ploy_board_othello(), &rules);
        ploy_board_othello_position p;
        board.type->start(&rules, &p);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t want = rules.size * rules.size - 8;
        for (int32_t i = 4; i < want && p.over == 0; i++) {
            ploy_board_move moves[40];
            int32_t count = board.type->moves(&rules, &p, moves, 40);
            board.type->make(&rules, &p, moves[ploy_rng_below(&rng, (uint64_t)count)], NULL);
        }
        ploy_board_othello_solution solution = othello_solve(solver, &p);
        CHECK(solution.complete);
        CHECK_INT(solution.low, slow_othello(board, &p, -99, 99));
        CHECK((solution.best == 0) == (p.over != 0));
    }
    ploy_board_othello_solver_destroy(solver);
}

// ---- both: slices, snapshots, memory

TEST(solvers_give_the_same_in_slices_and_after_a_load) {
    ploy_env env = ploy_env_default();
    ploy_board_connect4_solver_def def = ploy_board_connect4_solver_def_default();
    def.columns = 6;
    def.rows = 5;
    def.table_kb = 1536;
    ploy_board_connect4_solver *one = NULL, *sliced = NULL;
    CHECK_OK(ploy_board_connect4_solver_create(&def, &env, &one));
    CHECK_OK(ploy_board_connect4_solver_create(&def, &env, &sliced));
    stones p = stones_play("3344522", 7, 5);
    ploy_board_connect4_solution whole = connect4_solve(one, p);
    CHECK_OK(ploy_board_connect4_solver_begin(sliced, p.own, p.all));
    for (int32_t slice = 1;; slice = slice % 7 + 1) {
        ploy_budget budget = ploy_budget_units(slice);
        if (ploy_board_connect4_solver_step(sliced, &budget) == PLOY_OK) break;
        CHECK_INT(budget.spent, slice);
    }
    ploy_board_connect4_solution parts = ploy_board_connect4_solver_outcome(sliced);
    CHECK_INT(parts.low, whole.low);
    CHECK_INT(parts.column, whole.column);
    CHECK_UINT(parts.nodes, whole.nodes);
    ploy_board_connect4_solver_destroy(one);
    ploy_board_connect4_solver_destroy(sliced);
}

typedef struct solver_pair {
    ploy_visitor visit;
    void *from, *to;
} solver_pair;

static void check_transfer(test_context *t, solver_pair pair) {
    ploy_env env = ploy_env_default();
    state_check s = {pair.visit, pair.from, NULL, NULL, NULL};
    state_check_cover(t, &s);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_visit_save(pair.visit, pair.from, NULL, &json);
    ploy_json *doc = NULL;
    CHECK_OK(
        ploy_json_load(ploy_buffer_text(&buffer), buffer.size, "solver", NULL, &env, NULL, &doc));
    CHECK_OK(ploy_visit_load(pair.visit, pair.to, NULL, doc, ploy_json_root(doc), &env, NULL));
    CHECK_UINT(ploy_visit_hash(pair.visit, pair.from, NULL),
               ploy_visit_hash(pair.visit, pair.to, NULL));
    ploy_json_destroy(doc);
    ploy_buffer_fini(&buffer);
}

TEST(othello_solver_can_be_saved_in_mid_search) {
    ploy_env env = ploy_env_default();
    ploy_board_othello_solver_def def = ploy_board_othello_solver_def_default();
    def.table_bits = 8;
    ploy_board_othello_def rules = ploy_board_othello_def_default();
    ploy_board_othello_position p;
    CHECK_OK(ploy_board_othello()->parse(
        &rules, "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", "p", &p,
        NULL));
    ploy_board_othello_solver *a = NULL, *b = NULL;
    CHECK_OK(ploy_board_othello_solver_create(&def, &env, &a));
    CHECK_OK(ploy_board_othello_solver_create(&def, &env, &b));
    ploy_board_othello_solution whole = othello_solve(b, &p);
    CHECK_INT(whole.low, 18);
    CHECK_OK(ploy_board_othello_solver_begin(a, &p));
    ploy_budget budget = ploy_budget_units(20000);
    CHECK_INT(ploy_board_othello_solver_step(a, &budget), PLOY_IN_PROGRESS);
    solver_pair pair = {ploy_board_othello_solver_visit, a, b};
    check_transfer(t, pair);
    while (ploy_board_othello_solver_step(a, &(ploy_budget){.units = 1}) != PLOY_OK) continue;
    ploy_board_othello_solver_step(b, NULL);
    CHECK_UINT(ploy_board_othello_solver_outcome(a).nodes,
               ploy_board_othello_solver_outcome(b).nodes);
    CHECK_INT(ploy_board_othello_solver_outcome(b).low, 18);
    ploy_board_othello_solver_destroy(a);
    ploy_board_othello_solver_destroy(b);
}

TEST(connect4_solver_can_be_saved_in_mid_search) {
    ploy_env env = ploy_env_default();
    ploy_board_connect4_solver_def def = ploy_board_connect4_solver_def_default();
    def.table_kb = 1536;
    ploy_board_connect4_solver *a = NULL, *b = NULL;
    CHECK_OK(ploy_board_connect4_solver_create(&def, &env, &a));
    CHECK_OK(ploy_board_connect4_solver_create(&def, &env, &b));
    stones p = stones_play("32164625", 8, 6);
    CHECK_OK(ploy_board_connect4_solver_begin(a, p.own, p.all));
    ploy_budget budget = ploy_budget_units(500);
    CHECK_INT(ploy_board_connect4_solver_step(a, &budget), PLOY_IN_PROGRESS);
    CHECK(!ploy_board_connect4_solver_outcome(a).complete);
    solver_pair pair = {ploy_board_connect4_solver_visit, a, b};
    check_transfer(t, pair);
    CHECK_OK(ploy_board_connect4_solver_step(a, NULL));
    CHECK_OK(ploy_board_connect4_solver_step(b, NULL));
    CHECK_INT(ploy_board_connect4_solver_outcome(b).low, 11);
    CHECK_UINT(ploy_board_connect4_solver_outcome(a).nodes,
               ploy_board_connect4_solver_outcome(b).nodes);
    ploy_board_connect4_solver_destroy(a);
    ploy_board_connect4_solver_destroy(b);
}

static ploy_result create_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_board_connect4_solver_def connect4 = ploy_board_connect4_solver_def_default();
    ploy_board_othello_solver_def othello = ploy_board_othello_solver_def_default();
    ploy_board_connect4_solver *a = NULL;
    ploy_board_othello_solver *b = NULL;
    ploy_result result = ploy_board_connect4_solver_create(&connect4, env, &a);
    if (result == PLOY_OK) result = ploy_board_othello_solver_create(&othello, env, &b);
    ploy_board_connect4_solver_destroy(a);
    ploy_board_othello_solver_destroy(b);
    return result;
}

TEST(solvers_report_a_lack_of_memory) {
    CHECK_FAIL_NTH(create_body, NULL);
}
