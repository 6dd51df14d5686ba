// Tic-tac-toe against the published counts, and the checker against broken copies of it.
#include "ploy/board/tictactoe.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

static ploy_board_tictactoe_def rules;

static ploy_board ttt(void) {
    rules = ploy_board_tictactoe_def_default();
    return ploy_board_of(ploy_board_tictactoe(), &rules);
}

TEST(perft_counts_games_by_length) {
    // A game that ended earlier is one leaf: 1440 are over at ply 5, 6768 by ply 6 and so on.
    // Open positions at ply 6, 7, 8: (15120 - 1440) * 4, (that - 5328) * 3, (that - 47952) * 2.
    static const uint64_t want[] = {1, 9, 72, 504, 3024, 15120, 56160, 154944, 255168, 255168};
    ploy_env env = ploy_env_default();
    ploy_board board = ttt();
    uint64_t position[8], leaves = 0;
    board.type->start(board.rules, position);
    for (int32_t depth = 0; depth < (int32_t)COUNT_OF(want); depth++) {
        CHECK_OK(ploy_board_perft(board, position, depth, &env, &leaves));
        CHECK_UINT(leaves, want[depth]);
    }
}

typedef struct tally {
    int64_t wins[3]; // X, draw, O
    int64_t length[10];
    int64_t nodes;
} tally;

static void count_games(ploy_board board, void *position, int32_t ply, tally *sum) {
    sum->nodes++;
    if (board.type->side(board.rules, position) == PLOY_BOARD_OVER) {
        int32_t result = board.type->result(board.rules, position, 0);
        sum->wins[result > 0 ? 0 : result < 0 ? 2 : 1]++;
        sum->length[ply]++;
        return;
    }
    ploy_board_move moves[9];
    int32_t count = board.type->moves(board.rules, position, moves, 9);
    for (int32_t i = 0; i < count; i++) {
        ploy_board_make(board, position, moves[i], NULL);
        count_games(board, position, ply + 1, sum);
        ploy_board_unmake(board, position, moves[i], NULL);
    }
}

TEST(all_games_are_counted_as_published) {
    ploy_board board = ttt();
    uint64_t position[8];
    board.type->start(board.rules, position);
    tally sum = {{0}, {0}, 0};
    count_games(board, position, 0, &sum);
    CHECK_INT(sum.nodes, 549946);
    CHECK_INT(sum.wins[0], 131184);
    CHECK_INT(sum.wins[1], 46080);
    CHECK_INT(sum.wins[2], 77904);
    static const int64_t length[] = {0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872};
    for (int32_t i = 0; i < 10; i++) CHECK_INT(sum.length[i], length[i]);
}

// Every reachable position by its text, found breadth first.
static int32_t reachable(ploy_board board, char (*texts)[12], uint64_t *hashes, int32_t max) {
    int32_t count = 1;
    uint64_t position[8];
    board.type->start(board.rules, position);
    char text[PLOY_BOARD_TEXT];
    board.type->text(board.rules, position, text);
    memcpy(texts[0], text, 12);
    hashes[0] = board.type->hash(board.rules, position);
    for (int32_t i = 0; i < count; i++) {
        board.type->parse(board.rules, texts[i], "", position, NULL);
        if (board.type->side(board.rules, position) == PLOY_BOARD_OVER) continue;
        ploy_board_move moves[9];
        int32_t n = board.type->moves(board.rules, position, moves, 9);
        for (int32_t m = 0; m < n; m++) {
            ploy_board_make(board, position, moves[m], NULL);
            board.type->text(board.rules, position, text);
            bool known = false;
            for (int32_t k = i; k < count && !known; k++) known = memcmp(texts[k], text, 12) == 0;
            if (!known && count < max) {
                memcpy(texts[count], text, 12);
                hashes[count++] = board.type->hash(board.rules, position);
            }
            ploy_board_unmake(board, position, moves[m], NULL);
        }
    }
    return count;
}

TEST(all_5478_positions_hash_differently) {
    enum { MAX = 6000 };
    char(*texts)[12] = malloc(MAX * sizeof *texts);
    uint64_t *hashes = malloc(MAX * sizeof *hashes);
    CHECK(texts != NULL && hashes != NULL);
    ploy_board board = ttt();
    int32_t count = reachable(board, texts, hashes, MAX);
    CHECK_INT(count, 5478);
    CHECK_INT(ploy_board_keys_check(hashes + 1, count - 1), 0); // the empty board is 0
    // Up to symmetry: a position counts if no symmetry of it has a smaller text.
    int32_t classes = 0;
    for (int32_t i = 0; i < count; i++) {
        uint64_t position[8], mapped[8];
        board.type->parse(board.rules, texts[i], "", position, NULL);
        bool least = true;
        for (int32_t s = 1; s < board.type->symmetries(board.rules); s++) {
            char text[PLOY_BOARD_TEXT];
            board.type->map(board.rules, position, s, mapped);
            board.type->text(board.rules, mapped, text);
            least = least && strcmp(texts[i], text) <= 0;
        }
        classes += least;
    }
    CHECK_INT(classes, 765);
    free(texts);
    free(hashes);
}

TEST(keys_pass_their_self_test) {
    uint64_t keys[768];
    for (int32_t i = 0; i < 768; i++) keys[i] = ploy_board_key(7, i);
    CHECK_INT(ploy_board_keys_check(keys, 768), 0);
    keys[5] = keys[700];
    keys[9] = 0;
    CHECK_INT(ploy_board_keys_check(keys, 768), 2);
}

TEST(bad_positions_and_moves_are_named) {
    ploy_board board = ttt();
    ploy_env env = ploy_env_default();
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"X.O/.X./..", "too few squares"},
        {"X.O/.X./..OO", "too many squares"},
        {"X.O/.Y./..O", "unknown mark"},
        {"O../.../...", "the marks do not alternate"},
        {"XX./.../...", "the marks do not alternate"},
        {"XXX/OO./.O.", "the player to move has a line already"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        uint64_t position[8];
        CHECK_INT(board.type->parse(board.rules, rows[i].text, "p", position, diags),
                  PLOY_ERR_FORMAT);
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        ploy_diags_destroy(diags);
    }
    uint64_t position[8];
    board.type->start(board.rules, position);
    static const char *const moves[] = {"b2", "a1", "b2"};
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    CHECK_INT(ploy_board_play(board, position, moves, 3, "moves", diags), PLOY_ERR_FORMAT);
    CHECK_TEXT(ploy_diags_get(diags, 0)->message, "illegal move 'b2'");
    CHECK_TEXT(ploy_diags_get(diags, 0)->nearest, "b3");
    ploy_diags_destroy(diags);
}

// ---- broken copies

static int32_t broken_moves(const void *r, const void *p, ploy_board_move *out, int32_t capacity) {
    int32_t count = ploy_board_tictactoe()->moves(r, p, out, capacity);
    return count < 4 ? 0 : count;
}
static uint64_t broken_hash(const void *r, const void *p) {
    uint64_t hash = ploy_board_tictactoe()->hash(r, p);
    return hash ^ (uint64_t)(uintptr_t)p;
}
static void broken_unmake(const void *r, void *p, ploy_board_move move, const void *undo) {
    ploy_board_tictactoe()->unmake(r, p, move, undo);
    if (move == 5) ((unsigned char *)p)[0] ^= 1;
}
static int32_t broken_evaluate(const void *r, const void *p, int32_t player) {
    return ploy_board_tictactoe()->evaluate(r, p, player) + 1;
}
static int32_t broken_result(const void *r, const void *p, int32_t player) {
    int32_t result = ploy_board_tictactoe()->result(r, p, player);
    return result > 0 ? result : 0;
}
static ploy_board_move broken_map_move(const void *r, ploy_board_move move, int32_t number) {
    (void)r, (void)number;
    return move;
}

TEST(the_checker_names_the_broken_rule) {
    for (int32_t i = 0; i < 6; i++) {
        ploy_board_type type = *ploy_board_tictactoe();
        static const char *const want[] = {
            "no move, but the game is not over",
            "a position read back has another hash",
            "unmake does not restore the position",
            "the evaluation is not antisymmetric",
            "the results of a zero-sum game do not add up to 0",
            "a symmetry and a move do not commute",
        };
        t->row = want[i];
        if (i == 0) type.moves = broken_moves;
        if (i == 1) type.hash = broken_hash;
        if (i == 2) type.unmake = broken_unmake;
        if (i == 3) type.evaluate = broken_evaluate;
        if (i == 4) type.result = broken_result;
        if (i == 5) type.map_move = broken_map_move;
        ploy_env env = ploy_env_default();
        ploy_board board = ttt();
        board.type = &type;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(20, &env, &diags));
        ploy_board_report report;
        CHECK_OK(ploy_board_check(board, 20, 100, ploy_rng_key_make(1), &env, diags, &report));
        CHECK(report.faults > 0);
        bool found = false;
        for (int32_t d = 0; d < ploy_diags_count(diags); d++) {
            found = found || strcmp(ploy_diags_get(diags, d)->message, want[i]) == 0;
        }
        CHECK(found);
        ploy_diags_destroy(diags);
    }
}
