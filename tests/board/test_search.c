// The tree search against a plain recursive minimax, and against published values and counts.
#include "ploy/board/search.h"
#include "ploy/board/tictactoe.h"
#include "ploy/board/tree.h"
#include "tests/test.h"

#include <string.h>

// A def without ordering, distances and table: the plain method.
static ploy_board_search_def plain(ploy_board_method method, int32_t depth) {
    ploy_board_search_def def = ploy_board_search_def_default();
    def.method = method;
    def.depth = depth;
    def.distance = def.order_table = def.order_previous = false;
    def.table.kilobytes = 0;
    return def;
}

static ploy_board_outcome run(test_context *t, const ploy_board_search_def *def, ploy_board board,
                              const void *position) {
    ploy_env env = ploy_env_default();
    ploy_board_search *search = NULL;
    CHECK_OK(ploy_board_search_create(def, board, &env, &search));
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    CHECK_OK(ploy_board_search_step(search, NULL));
    ploy_board_outcome outcome = ploy_board_search_outcome(search);
    CHECK(outcome.done && !outcome.partial);
    outcome.line = NULL;
    ploy_board_search_destroy(search);
    return outcome;
}

// ---- the slow version: minimax for the root player, straight from the definition

static int64_t slow_nodes;

static int32_t slow_minimax(ploy_board board, const void *position, int32_t depth, int32_t player) {
    slow_nodes++;
    int32_t side = board.type->side(board.rules, position);
    if (side == PLOY_BOARD_OVER) return board.type->result(board.rules, position, player);
    if (depth == 0 && side != PLOY_BOARD_CHANCE) {
        return board.type->evaluate == NULL ? 0
                                            : board.type->evaluate(board.rules, position, player);
    }
    ploy_board_move moves[64];
    int32_t count = board.type->moves(board.rules, position, moves, 64);
    int32_t best = side == player ? -PLOY_BOARD_INFINITY : PLOY_BOARD_INFINITY;
    int64_t sum = 0, weights = 0;
    for (int32_t i = 0; i < count; i++) {
        uint64_t child[64];
        memcpy(child, position, board.type->position_bytes(board.rules));
        board.type->make(board.rules, child, moves[i], NULL);
        int32_t score = slow_minimax(board, child, depth > 0 ? depth - 1 : 0, player);
        if (side == PLOY_BOARD_CHANCE) {
            int32_t weight = board.type->odds(board.rules, position, moves[i]);
            sum += (int64_t)weight * score;
            weights += weight;
        } else if (side == player ? score > best : score < best) {
            best = score;
        }
    }
    return side == PLOY_BOARD_CHANCE ? (int32_t)(sum / weights) : best;
}

static ploy_board_tictactoe_def ttt_rules;

static ploy_board ttt(void) {
    ttt_rules = ploy_board_tictactoe_def_default();
    return ploy_board_of(ploy_board_tictactoe(), &ttt_rules);
}

TEST(tictactoe_needs_the_published_number_of_nodes) {
    static const struct {
        const char *row;
        ploy_board_method method;
        int32_t alpha, beta;
        int64_t nodes;
    } rows[] = {
        {"minimax", PLOY_BOARD_MINIMAX, -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY, 549946},
        {"negamax", PLOY_BOARD_NEGAMAX, -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY, 549946},
        {"maxn", PLOY_BOARD_MAXN, -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY, 549946},
        {"alphabeta", PLOY_BOARD_ALPHABETA, -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY, 18297},
        {"alphabeta in a narrow window", PLOY_BOARD_ALPHABETA, -PLOY_BOARD_WIN, PLOY_BOARD_WIN,
         16811},
        {"negascout", PLOY_BOARD_NEGASCOUT, -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY, 17082},
    };
    ploy_board board = ttt();
    uint64_t position[8];
    board.type->start(board.rules, position);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_board_search_def def = plain(rows[i].method, 9);
        def.alpha = rows[i].alpha;
        def.beta = rows[i].beta;
        ploy_board_outcome outcome = run(t, &def, board, position);
        CHECK_INT(outcome.score, 0);
        CHECK_INT(outcome.nodes, rows[i].nodes);
    }
}

TEST(mtd_needs_the_published_number_of_calls) {
    static const struct {
        const char *row;
        ploy_board_method method;
        int32_t guess;
        int32_t passes;
        int64_t nodes, entries;
    } rows[] = {
        {"mtdf from 0", PLOY_BOARD_MTDF, 0, 2, 4377, 2474},
        {"mtdf from a loss", PLOY_BOARD_MTDF, -PLOY_BOARD_WIN, 3, 4533, 0},
        {"mtdf from a win", PLOY_BOARD_MTDF, PLOY_BOARD_WIN, 2, 4295, 0},
        {"sss", PLOY_BOARD_SSS, 0, 3, 4835, 2502},
    };
    ploy_board board = ttt();
    uint64_t position[8];
    board.type->start(board.rules, position);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_board_search_def def = plain(rows[i].method, 9);
        def.order_table = true;
        def.guess = rows[i].guess;
        def.table.kilobytes = 1024;
        def.table.layout = PLOY_BOARD_LAYOUT_CHAINED;
        ploy_env env = ploy_env_default();
        ploy_board_search *search = NULL;
        CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
        CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
        CHECK_OK(ploy_board_search_step(search, NULL));
        ploy_board_outcome outcome = ploy_board_search_outcome(search);
        CHECK_INT(outcome.score, 0);
        CHECK_INT(outcome.passes, rows[i].passes);
        CHECK_INT(outcome.nodes, rows[i].nodes);
        int64_t used = ploy_board_table_statistics_of(ploy_board_search_table(search)).used;
        if (rows[i].entries > 0) CHECK_INT(used, rows[i].entries);
        ploy_board_search_destroy(search);
    }
}

// ---- given trees

static ploy_board_tree_def tree_rules;

static ploy_board tree_board(ploy_board_tree_preset preset) {
    tree_rules = ploy_board_tree_def_default();
    tree_rules.preset = preset;
    return ploy_board_of(ploy_board_tree(), &tree_rules);
}

TEST(given_trees_have_their_values_and_leaves) {
    enum { MINIMAX, ALPHABETA, NEGASCOUT, MTDF, SSS, DUAL, METHODS };
    static const ploy_board_method methods[METHODS] = {PLOY_BOARD_MINIMAX,   PLOY_BOARD_ALPHABETA,
                                                       PLOY_BOARD_NEGASCOUT, PLOY_BOARD_MTDF,
                                                       PLOY_BOARD_SSS,       PLOY_BOARD_DUAL};
    static const struct {
        ploy_board_tree_preset preset;
        int32_t depth, value;
        int64_t leaves[METHODS];
        int32_t passes[METHODS];
    } rows[] = {
        {PLOY_BOARD_TREE_T1, 2, 5, {4, 3, 3, 3, 3, 3}, {1, 1, 1, 2, 2, 2}},
        {PLOY_BOARD_TREE_T2, 2, 6, {6, 6, 6, 5, 5, 6}, {1, 1, 1, 2, 3, 4}},
        {PLOY_BOARD_TREE_T3, 2, 4, {4, 4, 4, 3, 3, 4}, {1, 1, 1, 2, 3, 3}},
        {PLOY_BOARD_TREE_T4, 3, 11, {12, 12, 14, 8, 8, 11}, {1, 1, 1, 2, 3, 4}},
        {PLOY_BOARD_TREE_T5, 4, 5, {16, 15, 19, 12, 14, 13}, {1, 1, 1, 2, 5, 3}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_board board = tree_board(rows[i].preset);
        uint64_t position[8];
        board.type->start(board.rules, position);
        for (int32_t m = 0; m < METHODS; m++) {
            TEST_SEED(i * 10 + (size_t)m);
            t->row = ploy_board_method_text(methods[m]);
            ploy_board_type type = *board.type;
            type.flags &= ~(uint32_t)PLOY_BOARD_RANDOM;
            board.type = &type;
            ploy_board_search_def def = plain(methods[m], rows[i].depth);
            def.guess = rows[i].value;
            def.table.kilobytes = m >= MTDF ? 64 : 0;
            def.order_table = m >= MTDF;
            ploy_board_outcome outcome = run(t, &def, board, position);
            CHECK_INT(outcome.score, rows[i].value);
            CHECK_INT(outcome.leaves, rows[i].leaves[m]);
            CHECK_INT(outcome.passes, rows[i].passes[m]);
        }
    }
}

TEST(narrow_windows_fail_soft_as_published) {
    static const struct {
        ploy_board_tree_preset preset;
        int32_t alpha, beta, value;
        int64_t leaves;
    } rows[] = {
        {PLOY_BOARD_TREE_T2, 5, 20, 6, 5},   {PLOY_BOARD_TREE_T2, 0, 4, 4, 4},
        {PLOY_BOARD_TREE_T2, 10, 20, 10, 3}, {PLOY_BOARD_TREE_T2, -5, 0, 2, 2},
        {PLOY_BOARD_TREE_T4, 5, 20, 11, 12}, {PLOY_BOARD_TREE_T4, 0, 4, 7, 3},
        {PLOY_BOARD_TREE_T4, 10, 20, 11, 8}, {PLOY_BOARD_TREE_T4, -5, 0, 3, 2},
        {PLOY_BOARD_TREE_T5, 5, 20, 5, 9},   {PLOY_BOARD_TREE_T5, 0, 4, 5, 13},
        {PLOY_BOARD_TREE_T5, 10, 20, 8, 4},  {PLOY_BOARD_TREE_T5, -5, 0, 2, 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        TEST_SEED(i);
        ploy_board board = tree_board(rows[i].preset);
        uint64_t position[8];
        board.type->start(board.rules, position);
        ploy_board_search_def def = plain(PLOY_BOARD_ALPHABETA, 8);
        def.alpha = rows[i].alpha;
        def.beta = rows[i].beta;
        ploy_board_outcome outcome = run(t, &def, board, position);
        CHECK_INT(outcome.score, rows[i].value);
        CHECK_INT(outcome.leaves, rows[i].leaves);
        def.fail_hard = true;
        outcome = run(t, &def, board, position);
        int32_t hard = rows[i].value < def.alpha  ? def.alpha
                       : rows[i].value > def.beta ? def.beta
                                                  : rows[i].value;
        CHECK_INT(outcome.score, hard);
    }
}

TEST(mtd_is_right_from_every_guess) {
    static const ploy_board_tree_preset presets[] = {PLOY_BOARD_TREE_T3, PLOY_BOARD_TREE_T4};
    static const int32_t values[] = {4, 11};
    for (size_t p = 0; p < 2; p++) {
        for (int32_t guess = -5; guess <= 15; guess++) {
            TEST_SEED(guess + 5);
            ploy_board board = tree_board(presets[p]);
            ploy_board_type type = *board.type;
            type.flags &= ~(uint32_t)PLOY_BOARD_RANDOM;
            board.type = &type;
            uint64_t position[8];
            board.type->start(board.rules, position);
            ploy_board_search_def def = plain(PLOY_BOARD_MTDF, 8);
            def.guess = guess;
            def.table.kilobytes = 64;
            CHECK_INT(run(t, &def, board, position).score, values[p]);
        }
    }
}

// ---- random trees

TEST(every_method_finds_minimax_on_random_trees) {
    int64_t rounds = test_rounds(10000);
    for (int64_t round = 0; round < rounds; round++) {
        TEST_SEED(round);
        ploy_board board = tree_board(PLOY_BOARD_TREE_RANDOM);
        ploy_board_type type = *board.type;
        board.type = &type;
        tree_rules.seed = (uint64_t)round;
        tree_rules.depth = 2 + (int32_t)(round % 4);
        tree_rules.branching = 2 + (int32_t)(round / 4 % 3);
        tree_rules.uniform = round % 3 == 0;
        tree_rules.double_moves = round % 5 >= 3;
        tree_rules.range = round % 2 == 0 ? 3 : 100;
        tree_rules.chance = round % 7 == 6;
        if (!tree_rules.chance) type.flags &= ~(uint32_t)PLOY_BOARD_RANDOM;
        uint64_t position[8];
        board.type->start(board.rules, position);
        int32_t want = slow_minimax(board, position, 30, 0);
        for (int32_t m = PLOY_BOARD_MINIMAX; m < PLOY_BOARD_METHODS; m++) {
            t->row = ploy_board_method_text((ploy_board_method)m);
            if (ploy_board_method_suits(board, (ploy_board_method)m, NULL) == PLOY_BOARD_UNSUITED) {
                continue;
            }
            for (int32_t variant = 0; variant < 4; variant++) {
                ploy_board_search_def def = plain((ploy_board_method)m, 30);
                def.lanes = variant == 3 ? 2 + (int32_t)(round % 3) : 1;
                def.guess = m == PLOY_BOARD_MT ? want : (int32_t)(round % 9) - 4;
                def.table.kilobytes = variant > 0 || m >= PLOY_BOARD_MT ? 64 : 0;
                def.order_table = def.order_killers = def.order_history = variant > 0;
                def.iterative = variant == 2;
                def.first = 28;
                def.aspiration = variant == 2 ? 5 : 0;
                ploy_env env = ploy_env_default();
                ploy_board_search *search = NULL;
                CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
                CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
                CHECK_OK(ploy_board_search_step(search, NULL));
                ploy_board_outcome outcome = ploy_board_search_outcome(search);
                if (m != PLOY_BOARD_MTD_BEST && m != PLOY_BOARD_MT) CHECK_INT(outcome.score, want);
                if (m == PLOY_BOARD_MT) CHECK(outcome.lower == want || outcome.score >= want);
                // The move leads to the value.
                uint64_t child[8];
                memcpy(child, position, sizeof child);
                board.type->make(board.rules, child, outcome.move, NULL);
                CHECK_INT(slow_minimax(board, child, 30, 0), want);
                ploy_board_search_destroy(search);
            }
        }
    }
}

// ---- small games

TEST(every_method_finds_minimax_in_small_games) {
    // Random positions of each game, searched to the end or as deep as the slow minimax can follow.
    static const struct {
        const char *row, *game, *settings[3][2];
        int32_t plies, depth;
    } rows[] = {
        {"tic-tac-toe", "tictactoe", {{0}}, 2, 9},
        {"tic-tac-toe, three in a line lose", "tictactoe", {{"misere", "true"}}, 2, 9},
        {"connect four on 4x4", "connect4", {{"width", "4"}, {"height", "4"}}, 7, 16},
        {"three in a row on 4x3",
         "connect4",
         {{"width", "4"}, {"height", "3"}, {"line", "3"}},
         2,
         12},
        {"othello on 4x4", "othello", {{"size", "4"}}, 4, 16},
        {"othello on 6x6, cut off", "othello", {{"size", "6"}}, 9, 4},
        {"split-nim with 10 coins", "splitnim", {{"coins", "10"}}, 0, 12},
        {"split-nim with 13 coins", "splitnim", {{"coins", "13"}}, 3, 14},
        {"atoms on 3x2, cut off", "atoms", {{"columns", "3"}, {"rows", "2"}}, 4, 5},
        {"checkers, cut off", "draughts", {{0}}, 6, 4},
    };
    int64_t rounds = test_rounds(6);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const ploy_board_type *type = ploy_boards_find(rows[i].game);
        ploy_board_rules rules;
        ploy_board board = ploy_board_default(type, &rules);
        for (int32_t k = 0; k < 3 && rows[i].settings[k][0] != NULL; k++) {
            CHECK_OK(ploy_fields_set_text(type->fields(), &rules, rows[i].settings[k][0],
                                          rows[i].settings[k][1], NULL));
        }
        for (int64_t round = 0; round < rounds; round++) {
            TEST_SEED(round);
            ploy_rng rng = ploy_rng_make((uint64_t)round + 1);
            uint64_t position[64] = {0};
            ploy_board_move moves[64];
            CHECK(type->position_bytes(&rules) <= sizeof position);
            type->start(&rules, position);
            for (int32_t ply = 0; ply < rows[i].plies; ply++) {
                if (type->side(&rules, position) == PLOY_BOARD_OVER) type->start(&rules, position);
                int32_t count = type->moves(&rules, position, moves, 64);
                type->make(&rules, position, moves[ploy_rng_below(&rng, (uint64_t)count)], NULL);
            }
            int32_t side = type->side(&rules, position), depth = rows[i].depth;
            if (side == PLOY_BOARD_OVER) continue;
            int32_t want = slow_minimax(board, position, depth, side);
            for (int32_t m = PLOY_BOARD_MINIMAX; m < PLOY_BOARD_METHODS; m++) {
                char row[120];
                snprintf(row, sizeof row, "%s: %s", rows[i].row,
                         ploy_board_method_text((ploy_board_method)m));
                t->row = row;
                CHECK(ploy_board_method_suits(board, (ploy_board_method)m, NULL) !=
                      PLOY_BOARD_UNSUITED);
                ploy_board_search_def def = plain((ploy_board_method)m, depth);
                def.guess = m == PLOY_BOARD_MT ? want : 0;
                def.table.kilobytes = round % 2 == 0 || m >= PLOY_BOARD_MT ? 256 : 0;
                def.order_table = def.order_killers = def.order_history = round % 3 > 0;
                def.lanes = round % 3 == 2 ? 3 : 1;
                ploy_board_outcome outcome = run(t, &def, board, position);
                if (m != PLOY_BOARD_MTD_BEST && m != PLOY_BOARD_MT) CHECK_INT(outcome.score, want);
                if (m == PLOY_BOARD_MT) CHECK(outcome.lower == want || outcome.score >= want);
                uint64_t child[64];
                memcpy(child, position, sizeof child);
                type->make(&rules, child, outcome.move, NULL);
                CHECK_INT(slow_minimax(board, child, depth - 1, side), want);
                t->row = NULL;
            }
        }
    }
}

// ---- three players

static int32_t three_side(const void *rules, const void *position) {
    int32_t side = ploy_board_tree()->side(rules, position);
    char text[PLOY_BOARD_TEXT];
    ploy_board_tree()->text(rules, position, text);
    int32_t level = text[0] == '-' ? 0 : ((int32_t)strlen(text) + 1) / 2;
    return side == PLOY_BOARD_OVER ? side : level % 3;
}
static int32_t three_result(const void *rules, const void *position, int32_t player) {
    uint64_t hash = ploy_board_tree()->hash(rules, position);
    return (int32_t)(hash >> (8 * player) & 63) - 20;
}

static void slow_maxn(ploy_board board, const void *position, int32_t out[3]) {
    int32_t side = board.type->side(board.rules, position);
    if (side == PLOY_BOARD_OVER) {
        for (int32_t p = 0; p < 3; p++) out[p] = board.type->result(board.rules, position, p);
        return;
    }
    ploy_board_move moves[8];
    int32_t count = board.type->moves(board.rules, position, moves, 8);
    for (int32_t i = 0; i < count; i++) {
        uint64_t child[8];
        int32_t scores[3];
        memcpy(child, position, sizeof child);
        board.type->make(board.rules, child, moves[i], NULL);
        slow_maxn(board, child, scores);
        if (i == 0 || scores[side] > out[side]) memcpy(out, scores, sizeof scores);
    }
}

TEST(three_players_by_minimax_alphabeta_and_maxn) {
    for (int64_t round = 0; round < test_rounds(100); round++) {
        TEST_SEED(round);
        ploy_board board = tree_board(PLOY_BOARD_TREE_RANDOM);
        ploy_board_type type = *board.type;
        board.type = &type;
        type.players = 3;
        type.flags = PLOY_BOARD_MARGIN;
        type.side = three_side;
        type.result = three_result;
        tree_rules.seed = (uint64_t)round;
        tree_rules.depth = 4;
        uint64_t position[8];
        board.type->start(board.rules, position);
        int32_t paranoid = slow_minimax(board, position, 30, 0), each[3];
        slow_maxn(board, position, each);
        ploy_board_search_def def = plain(PLOY_BOARD_MINIMAX, 30);
        CHECK_INT(run(t, &def, board, position).score, paranoid);
        def = plain(PLOY_BOARD_ALPHABETA, 30);
        def.table.kilobytes = 64;
        CHECK_INT(run(t, &def, board, position).score, paranoid);
        def = plain(PLOY_BOARD_MAXN, 30);
        CHECK_INT(run(t, &def, board, position).score, each[0]);
        def = plain(PLOY_BOARD_PVS, 4);
        ploy_env env = ploy_env_default();
        ploy_board_search *search = NULL;
        CHECK_INT(ploy_board_search_create(&def, board, &env, &search), PLOY_ERR_UNSUPPORTED);
    }
}

// ---- evaluation, slices, limits

TEST(cut_off_searches_equal_minimax_at_every_depth) {
    static const char *const starts[] = {".../.../...", "X../.O./...", "XO./.../..."};
    for (size_t p = 0; p < COUNT_OF(starts); p++) {
        for (int32_t depth = 1; depth <= 4; depth++) {
            ploy_board board = ttt();
            uint64_t position[8];
            CHECK_OK(board.type->parse(board.rules, starts[p], "", position, NULL));
            int32_t side = board.type->side(board.rules, position);
            int32_t want = slow_minimax(board, position, depth, side);
            for (int32_t m = depth == 1 ? 0 : 1; m < PLOY_BOARD_MTD_BEST; m++) {
                if (m == PLOY_BOARD_MT) continue;
                t->row = ploy_board_method_text((ploy_board_method)m);
                ploy_board_search_def def = plain((ploy_board_method)m, depth);
                def.table.kilobytes = 64;
                def.iterative = m % 2 == 0;
                CHECK_INT(run(t, &def, board, position).score, want);
            }
        }
    }
}

static uint64_t outcome_hash(const ploy_board_search *search) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_board_search_describe(search, &out);
    return ploy_hash_sink_result(&sink);
}

static uint64_t sliced(test_context *t, const ploy_board_search_def *def, ploy_board board,
                       const void *position, int64_t slice) {
    ploy_env env = ploy_env_default();
    ploy_board_search *search = NULL;
    CHECK_OK(ploy_board_search_create(def, board, &env, &search));
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    ploy_result result = PLOY_IN_PROGRESS;
    int64_t spent = 0;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(slice);
        result = ploy_board_search_step(search, &budget);
        spent += budget.spent;
    }
    CHECK_OK(result);
    CHECK_INT(ploy_board_search_outcome(search).nodes, spent);
    uint64_t hash = outcome_hash(search);
    ploy_board_search_destroy(search);
    return hash;
}

TEST(slices_give_the_same_outcome) {
    ploy_board board = ttt();
    uint64_t position[8];
    board.type->start(board.rules, position);
    for (int32_t m = 0; m < PLOY_BOARD_METHODS; m++) {
        t->row = ploy_board_method_text((ploy_board_method)m);
        ploy_board_search_def def = ploy_board_search_def_default();
        def.method = (ploy_board_method)m;
        def.depth = 4;
        def.iterative = def.order_killers = def.order_history = true;
        def.table.kilobytes = 64;
        uint64_t whole = sliced(t, &def, board, position, PLOY_BUDGET_UNLIMITED);
        CHECK_UINT(sliced(t, &def, board, position, 1), whole);
        CHECK_UINT(sliced(t, &def, board, position, 7), whole);
    }
}

TEST(a_limit_or_cancel_keeps_the_best_so_far) {
    ploy_board board = ttt();
    uint64_t position[8];
    CHECK_OK(board.type->parse(board.rules, "XX./OO./...", "", position, NULL));
    ploy_env env = ploy_env_default();
    ploy_board_search_def def = ploy_board_search_def_default();
    def.method = PLOY_BOARD_PVS;
    def.iterative = true;
    def.depth = 9;
    ploy_board_search *search = NULL;
    CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
    CHECK_INT(ploy_board_search_step(search, NULL), PLOY_ERR_STATE);
    for (int32_t k = 0; k < 60; k++) {
        CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
        ploy_budget budget = ploy_budget_units(k);
        ploy_result result = ploy_board_search_step(search, &budget);
        ploy_board_search_cancel(search);
        ploy_board_outcome outcome = ploy_board_search_outcome(search);
        CHECK(outcome.done);
        CHECK(outcome.partial == (result == PLOY_IN_PROGRESS));
        CHECK(outcome.move != PLOY_BOARD_NO_MOVE);
        if (outcome.depth > 0) {
            CHECK_INT(outcome.move, 3); // the winning square
            CHECK_INT(outcome.score, PLOY_BOARD_WIN - 1);
        }
    }
    ploy_board_search_destroy(search);
    def.nodes = 100;
    def.method = PLOY_BOARD_ALPHABETA;
    def.table.kilobytes = 0;
    board.type->start(board.rules, position);
    CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    CHECK_OK(ploy_board_search_step(search, NULL));
    CHECK(ploy_board_search_outcome(search).partial);
    CHECK_INT(ploy_board_search_outcome(search).nodes, 100);
    ploy_board_search_destroy(search);
}

TEST(candidates_get_exact_scores) {
    ploy_board board = ttt();
    uint64_t position[8];
    CHECK_OK(board.type->parse(board.rules, "X../.O./..X", "", position, NULL));
    int32_t side = board.type->side(board.rules, position);
    for (int32_t k = 1; k <= 6; k++) {
        ploy_board_search_def def = ploy_board_search_def_default();
        def.method = PLOY_BOARD_PVS;
        def.depth = 6;
        def.distance = false;
        def.iterative = true;
        def.candidates = k;
        ploy_env env = ploy_env_default();
        ploy_board_search *search = NULL;
        CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
        CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
        CHECK_OK(ploy_board_search_step(search, NULL));
        CHECK_INT(ploy_board_search_move_count(search), 6);
        int32_t before = PLOY_BOARD_INFINITY;
        int32_t exact = 0;
        for (int32_t i = 0; i < 6; i++) {
            ploy_board_root_move move = ploy_board_search_move_at(search, i);
            uint64_t child[8];
            memcpy(child, position, sizeof child);
            board.type->make(board.rules, child, move.move, NULL);
            int32_t want = slow_minimax(board, child, 9, side);
            if (move.exact) {
                exact++;
                CHECK_INT(move.score, want);
                CHECK(move.score <= before);
                before = move.score;
            } else {
                CHECK(move.score >= want && want <= before);
            }
            CHECK(move.line_count >= 1 && move.line[0] == move.move);
        }
        CHECK(exact >= 1);
        if (k == 6) CHECK_INT(exact, 6);
        ploy_board_search_destroy(search);
    }
}

typedef struct watcher {
    int64_t entered, left, cuts[16];
} watcher;

static void watch(void *user, const ploy_board_event *event) {
    watcher *w = user;
    if (event->entered)
        w->entered++;
    else
        w->left++, w->cuts[event->cut]++;
}

static int32_t policy(void *user, const void *position, ploy_board_move move, int32_t ply,
                      int32_t depth, int32_t evaluation) {
    (void)user, (void)position, (void)depth, (void)evaluation;
    return ply == 0 && move != 5 ? PLOY_BOARD_PRUNE : 0;
}

TEST(hooks_watch_and_change_depths) {
    ploy_board board = ttt();
    uint64_t position[8];
    board.type->start(board.rules, position);
    ploy_env env = ploy_env_default();
    ploy_board_search_def def = plain(PLOY_BOARD_ALPHABETA, 9);
    ploy_board_search *search = NULL;
    CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
    watcher seen = {0};
    ploy_board_hooks hooks = {.watch = watch, .user = &seen};
    ploy_board_search_hooks_set(search, &hooks);
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    CHECK_OK(ploy_board_search_step(search, NULL));
    CHECK_INT(seen.entered, 18297);
    CHECK_INT(seen.left, 18297);
    CHECK(seen.cuts[PLOY_BOARD_CUT_BETA] > 1000 && seen.cuts[PLOY_BOARD_CUT_OVER] > 1000);
    hooks.depth = policy;
    ploy_board_search_hooks_set(search, &hooks);
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    CHECK_OK(ploy_board_search_step(search, NULL));
    CHECK_INT(ploy_board_search_outcome(search).move, 5);
    ploy_board_search_hooks_set(search, NULL);
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    ploy_board_move only[] = {3, 77};
    CHECK_INT(ploy_board_search_only(search, only + 1, 1), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_board_search_only(search, only, 2));
    CHECK_OK(ploy_board_search_step(search, NULL));
    CHECK_INT(ploy_board_search_outcome(search).move, 3);
    ploy_board_search_destroy(search);
}

TEST(calm_branches_end_early_and_evaluation_orders) {
    ploy_board board = ttt();
    uint64_t position[8];
    board.type->start(board.rules, position);
    ploy_board_search_def def = plain(PLOY_BOARD_ALPHABETA, 7);
    ploy_board_outcome whole = run(t, &def, board, position);
    def.order_evaluation = true;
    CHECK(run(t, &def, board, position).nodes < whole.nodes);
    def.order_evaluation = false;
    def.calm_plies = 1;
    def.calm_tolerance = 6;
    def.calm_depth = 2;
    CHECK(run(t, &def, board, position).nodes < whole.nodes);
}

static ploy_result create_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_board board = ttt();
    uint64_t position[8];
    board.type->start(board.rules, position);
    ploy_board_search_def def = ploy_board_search_def_default();
    def.table.second = def.table.shadow = true;
    ploy_board_search *search = NULL;
    ploy_result result = ploy_board_search_create(&def, board, env, &search);
    if (result != PLOY_OK) return result;
    result = ploy_board_search_begin(search, position, NULL, 0);
    if (result == PLOY_OK) result = ploy_board_search_step(search, NULL);
    ploy_board_search_destroy(search);
    return result;
}

TEST(create_survives_lack_of_memory) {
    CHECK_FAIL_NTH(create_body, NULL);
}

TEST(a_search_allocates_nothing_and_reports_its_memory) {
    ploy_board board = ttt();
    uint64_t position[8];
    board.type->start(board.rules, position);
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_board_search_def def = ploy_board_search_def_default();
    ploy_board_search *search = NULL;
    CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
    int64_t calls = counts.calls, bytes = 0;
    CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
    CHECK_OK(ploy_board_search_step(search, NULL));
    CHECK_INT(counts.calls, calls);
    ploy_board_search_memory(search, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ploy_board_search_destroy(search);
    CHECK_INT(counts.blocks, 0);
}
