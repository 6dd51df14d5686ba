// What makes a search look deeper or less deep: quiescence, extensions, repetitions, guards; and the
// strong solution of tic-tac-toe.
#include "ploy/board/search.h"
#include "ploy/board/tictactoe.h"
#include "ploy/board/tree.h"
#include "tests/test.h"

#include <string.h>

static ploy_board_outcome searched(test_context *t, const ploy_board_search_def *def,
                                   ploy_board board, const void *position,
                                   const ploy_board_hooks *hooks, const uint64_t *history,
                                   int32_t count) {
    ploy_env env = ploy_env_default();
    ploy_board_search *search = NULL;
    CHECK_OK(ploy_board_search_create(def, board, &env, &search));
    ploy_board_search_hooks_set(search, hooks);
    CHECK_OK(ploy_board_search_begin(search, position, history, count));
    CHECK_OK(ploy_board_search_step(search, NULL));
    ploy_board_outcome outcome = ploy_board_search_outcome(search);
    outcome.line = NULL;
    ploy_board_search_destroy(search);
    return outcome;
}

// ---- quiescence: some moves of a random tree are noisy

// A number that differs from tree to tree and from node to node.
static uint64_t noise_at(const void *rules, const void *position) {
    const ploy_board_tree_def *def = rules;
    return ploy_board_key(ploy_board_tree()->hash(rules, position), (int32_t)def->seed);
}

static int32_t noise_moves(const void *rules, const void *position, ploy_board_move *out,
                           int32_t capacity) {
    ploy_board_move all[8];
    int32_t count = ploy_board_tree()->moves(rules, position, all, 8), noisy = 0;
    uint64_t hash = noise_at(rules, position);
    for (int32_t i = 0; i < count && noisy < capacity; i++) {
        if (hash >> (i + 13) & 1) out[noisy++] = all[i];
    }
    return noisy;
}

// Every noisy move, and some quiet ones that force an answer.
static bool noise_forces(const void *rules, const void *position, ploy_board_move move) {
    ploy_board_move all[8];
    int32_t count = ploy_board_tree()->moves(rules, position, all, 8), at = 0;
    while (at < count && all[at] != move) at++;
    uint64_t hash = noise_at(rules, position);
    return ((hash >> (at + 13) | hash >> (at + 23)) & 1) != 0;
}

static int32_t noise_evaluate(void *user, const void *position, int32_t player) {
    int32_t score = (int32_t)(noise_at(user, position) >> 40 & 63) - 32;
    return player == 0 ? score : -score;
}

// left: plies of quiescence; forcing: those of them that follow forcing moves too.
static int32_t slow_quiet(ploy_board board, const void *position, int32_t depth, int32_t left,
                          int32_t forcing) {
    int32_t side = board.type->side(board.rules, position);
    // The side to move alternates, so a finished game belongs to the player after the last one.
    if (side == PLOY_BOARD_OVER) {
        char text[PLOY_BOARD_TEXT];
        board.type->text(board.rules, position, text);
        int32_t level = ((int32_t)strlen(text) + 1) / 2;
        return board.type->result(board.rules, position, level % 2);
    }
    void *rules = (void *)(uintptr_t)board.rules;
    ploy_board_move moves[8];
    int32_t best = -PLOY_BOARD_INFINITY, count = 0;
    if (depth > 0) {
        count = board.type->moves(board.rules, position, moves, 8);
    } else {
        best = noise_evaluate(rules, position, side);
        if (left > 0 && forcing > 0) {
            ploy_board_move all[8];
            int32_t any = board.type->moves(board.rules, position, all, 8);
            for (int32_t i = 0; i < any; i++) {
                if (noise_forces(board.rules, position, all[i])) moves[count++] = all[i];
            }
        } else if (left > 0) {
            count = noise_moves(board.rules, position, moves, 8);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        uint64_t child[8];
        memcpy(child, position, sizeof child);
        board.type->make(board.rules, child, moves[i], NULL);
        int32_t spent = depth > 0 ? 0 : 1;
        int32_t score =
            -slow_quiet(board, child, depth > 0 ? depth - 1 : 0, left - spent, forcing - spent);
        if (score > best) best = score;
    }
    return best;
}

TEST(quiescence_follows_noisy_and_at_first_forcing_moves) {
    int32_t changed = 0, forced = 0;
    for (int64_t round = 0; round < test_rounds(100); round++) {
        TEST_SEED(round);
        ploy_board_tree_def rules = ploy_board_tree_def_default();
        rules.preset = PLOY_BOARD_TREE_RANDOM;
        rules.seed = (uint64_t)round;
        rules.depth = 6;
        ploy_board_type type = *ploy_board_tree();
        type.flags &= ~(uint32_t)PLOY_BOARD_RANDOM;
        type.noisy = noise_moves;
        type.is_noisy = noise_forces;
        ploy_board board = ploy_board_of(&type, &rules);
        uint64_t position[8];
        board.type->start(&rules, position);
        ploy_board_hooks hooks = {.evaluate = noise_evaluate, .user = &rules};
        int32_t plain = 0, calm = 0;
        for (int32_t row = 0; row < 5; row++) {
            int32_t quiet = row < 2 ? 2 * row : 4, forcing = row < 3 ? 0 : row - 2;
            for (int32_t m = PLOY_BOARD_NEGAMAX; m <= PLOY_BOARD_PVS; m++) {
                ploy_board_search_def def = ploy_board_search_def_default();
                def.method = (ploy_board_method)m;
                def.depth = 2;
                def.quiescence = quiet;
                def.forcing = forcing;
                def.table.kilobytes = 0;
                ploy_board_outcome outcome = searched(t, &def, board, position, &hooks, NULL, 0);
                CHECK_INT(outcome.score, slow_quiet(board, position, 2, quiet, forcing));
                if (quiet == 0) plain = outcome.score;
                if (forcing == 0) calm = outcome.score;
                changed += outcome.score != plain;
                forced += outcome.score != calm;
            }
        }
    }
    CHECK(changed > 20);
    CHECK(forced > 20);
}

// ---- extensions

static bool always_threatened(const void *rules, const void *position) {
    (void)rules, (void)position;
    return true;
}

TEST(extensions_look_deeper_where_it_matters) {
    ploy_board_tree_def rules = ploy_board_tree_def_default();
    rules.preset = PLOY_BOARD_TREE_RANDOM;
    rules.depth = 12;
    rules.branching = 1; // every move is the only one
    ploy_board_type type = *ploy_board_tree();
    ploy_board board = ploy_board_of(&type, &rules);
    uint64_t position[8];
    board.type->start(&rules, position);
    ploy_board_search_def def = ploy_board_search_def_default();
    def.depth = 2;
    CHECK_INT(searched(t, &def, board, position, NULL, NULL, 0).deepest, 2);
    def.extend_single = true; // up to twice the depth
    CHECK_INT(searched(t, &def, board, position, NULL, NULL, 0).deepest, 5);
    def.extend_single = false;
    type.threatened = always_threatened;
    CHECK_INT(searched(t, &def, board, position, NULL, NULL, 0).deepest, 2);
    def.extend_threat = true;
    CHECK_INT(searched(t, &def, board, position, NULL, NULL, 0).deepest, 5);
}

// ---- repetitions: two players turn a wheel of eight places, which never ends

typedef struct wheel {
    int32_t at, side;
} wheel;

static size_t wheel_bytes(const void *rules) {
    (void)rules;
    return sizeof(wheel);
}
static void wheel_start(const void *rules, void *position) {
    (void)rules;
    memset(position, 0, sizeof(wheel));
}
static int32_t wheel_side(const void *rules, const void *position) {
    (void)rules;
    return ((const wheel *)position)->side;
}
static int32_t wheel_moves(const void *rules, const void *position, ploy_board_move *out,
                           int32_t capacity) {
    (void)rules, (void)position, (void)capacity;
    out[0] = 1; // on
    out[1] = 8; // back, which is seven times on
    return 2;
}
static void wheel_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    (void)rules, (void)undo;
    wheel *w = position;
    w->at = (w->at + (move == 1 ? 1 : 7)) % 8;
    w->side ^= 1;
}
static int32_t wheel_evaluate(const void *rules, const void *position, int32_t player) {
    (void)rules, (void)position;
    return player == 0 ? 5 : -5;
}
static uint64_t wheel_hash(const void *rules, const void *position) {
    (void)rules;
    const wheel *w = position;
    return ploy_board_key(77, w->at * 2 + w->side);
}
static int32_t wheel_reversible(const void *rules, const void *position) {
    (void)rules, (void)position;
    return 1000;
}

TEST(a_repeated_position_counts_as_a_draw) {
    ploy_board_tictactoe_def rules = ploy_board_tictactoe_def_default();
    ploy_board_type type = *ploy_board_tictactoe();
    type.position_bytes = wheel_bytes;
    type.start = wheel_start;
    type.side = wheel_side;
    type.moves = wheel_moves;
    type.make = wheel_make;
    type.unmake = NULL;
    type.evaluate = wheel_evaluate;
    type.hash = wheel_hash;
    ploy_board board = ploy_board_of(&type, &rules);
    uint64_t position[2];
    wheel_start(NULL, position);
    ploy_board_search_def def = ploy_board_search_def_default();
    def.depth = 4;
    CHECK_INT(searched(t, &def, board, position, NULL, NULL, 0).score, 5);
    type.reversible = wheel_reversible;
    CHECK_INT(searched(t, &def, board, position, NULL, NULL, 0).score, 0); // the second turns back
    // Positions of the game before the root count too: both neighbours were there.
    uint64_t history[2] = {ploy_board_key(77, 3), ploy_board_key(77, 15)};
    def.depth = 1;
    CHECK_INT(searched(t, &def, board, position, NULL, NULL, 0).score, 5);
    CHECK_INT(searched(t, &def, board, position, NULL, history, 1).score,
              5); // the other one is new
    CHECK_INT(searched(t, &def, board, position, NULL, history, 2).score, 0);
}

// ---- guards

TEST(passes_are_limited_and_the_value_stays_right) {
    for (int32_t seed = 0; seed < 30; seed++) {
        TEST_SEED(seed);
        ploy_board_tree_def rules = ploy_board_tree_def_default();
        rules.preset = PLOY_BOARD_TREE_RANDOM;
        rules.seed = (uint64_t)seed;
        rules.range = 1000;
        ploy_board_type type = *ploy_board_tree();
        type.flags &= ~(uint32_t)PLOY_BOARD_RANDOM;
        ploy_board board = ploy_board_of(&type, &rules);
        uint64_t position[8];
        board.type->start(&rules, position);
        ploy_board_search_def def = ploy_board_search_def_default();
        def.method = PLOY_BOARD_NEGAMAX;
        def.depth = 4;
        int32_t want = searched(t, &def, board, position, NULL, NULL, 0).score;
        def.method = PLOY_BOARD_DUAL; // many passes from below
        def.tries = 2;
        def.table.kilobytes = 1; // and a table that forgets
        def.table.layout = PLOY_BOARD_LAYOUT_DIRECT;
        def.table.policy = PLOY_BOARD_REPLACE_ALWAYS;
        ploy_board_outcome outcome = searched(t, &def, board, position, NULL, NULL, 0);
        CHECK_INT(outcome.score, want);
        CHECK(outcome.passes <= 3);
        def.method = PLOY_BOARD_ALPHABETA;
        def.iterative = true;
        def.aspiration = 1;
        CHECK_INT(searched(t, &def, board, position, NULL, NULL, 0).score, want);
    }
}

// ---- solved

typedef struct solved {
    int32_t wins, draws, losses, over;
    uint64_t seen[8192];
    int32_t count;
} solved;

static void solve_all(test_context *t, ploy_board board, ploy_board_search *search, void *position,
                      solved *sum) {
    uint64_t hash = board.type->hash(board.rules, position);
    for (int32_t i = 0; i < sum->count; i++) {
        if (sum->seen[i] == hash) return;
    }
    sum->seen[sum->count++] = hash;
    int32_t score;
    if (board.type->side(board.rules, position) == PLOY_BOARD_OVER) {
        char text[PLOY_BOARD_TEXT];
        board.type->text(board.rules, position, text);
        int32_t marks = 0;
        for (const char *at = text; *at != 0; at++) marks += *at == 'X' || *at == 'O';
        score = board.type->result(board.rules, position, marks % 2);
        sum->over++;
    } else {
        CHECK_OK(ploy_board_search_begin(search, position, NULL, 0));
        CHECK_OK(ploy_board_search_step(search, NULL));
        score = ploy_board_search_outcome(search).score;
    }
    sum->wins += score > 0;
    sum->draws += score == 0;
    sum->losses += score < 0;
    if (board.type->side(board.rules, position) == PLOY_BOARD_OVER) return;
    ploy_board_move moves[9];
    int32_t count = board.type->moves(board.rules, position, moves, 9);
    for (int32_t i = 0; i < count; i++) {
        ploy_board_make(board, position, moves[i], NULL);
        solve_all(t, board, search, position, sum);
        ploy_board_unmake(board, position, moves[i], NULL);
    }
}

TEST(tictactoe_is_strongly_solved) {
    ploy_board_tictactoe_def rules = ploy_board_tictactoe_def_default();
    ploy_board board = ploy_board_of(ploy_board_tictactoe(), &rules);
    ploy_env env = ploy_env_default();
    ploy_board_search_def def = ploy_board_search_def_default();
    def.depth = 9;
    def.distance = false;
    def.table.kilobytes = 1024;
    ploy_board_search *search = NULL;
    CHECK_OK(ploy_board_search_create(&def, board, &env, &search));
    static solved sum;
    memset(&sum, 0, sizeof sum);
    uint64_t position[8];
    board.type->start(&rules, position);
    solve_all(t, board, search, position, &sum);
    CHECK_INT(sum.count, 5478);
    CHECK_INT(sum.wins, 2836);
    CHECK_INT(sum.draws, 1068);
    CHECK_INT(sum.losses, 1574);
    CHECK_INT(sum.over, 958);
    ploy_board_search_destroy(search);
}
