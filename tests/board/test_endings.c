// Ending databases: the longest wins of chess, every value against its successors, files.
#include "ploy/board/endings.h"
#include "tests/test.h"

typedef struct ending {
    ploy_board_chess_material material;
    ploy_board_endings_source source;
    ploy_board_endings *endings;
} ending;

static void build(test_context *t, ending *e, const char *text, const ploy_board_endings *a,
                  const ploy_board_endings *b) {
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_board_chess_endings(text, &e->material, &e->source));
    e->material.others[0] = a;
    e->material.others[1] = b;
    CHECK_OK(ploy_board_endings_create(&e->source, &env, &e->endings));
    CHECK_OK(ploy_board_endings_step(e->endings, NULL));
}

static void check_longest(test_context *t, const ending *e, int32_t moves) {
    t->row = e->material.text;
    ploy_board_endings_report report = ploy_board_endings_check(e->endings);
    CHECK_INT(report.faults, 0);
    CHECK_INT((report.longest + 1) / 2, moves);
    CHECK(report.positions == report.wins + report.draws + report.losses && report.wins > 0 &&
          report.losses > 0);
    // The best play from the longest win takes exactly that long.
    const ploy_board_type *type = e->source.board.type;
    uint64_t position[32];
    CHECK(e->source.position(e->source.user, report.longest_number, position));
    int32_t plies = 0;
    for (; type->side(e->source.board.rules, position) != PLOY_BOARD_OVER && plies < 200; plies++) {
        ploy_board_move move = ploy_board_endings_best(e->endings, position);
        if (move == PLOY_BOARD_NO_MOVE) break; // left the set: a promotion
        type->make(e->source.board.rules, position, move, NULL);
    }
    CHECK(plies == report.longest || e->material.pawns);
}

TEST(longest_wins_are_the_known_ones) {
    ending queen, rook, pawn;
    build(t, &queen, "KQK", NULL, NULL);
    build(t, &rook, "KRK", NULL, NULL);
    build(t, &pawn, "KPK", queen.endings, rook.endings);
    check_longest(t, &queen, 10);
    check_longest(t, &rook, 16);
    check_longest(t, &pawn, 28);
    if (test_rounds(1) > 1) {
        ending minors;
        build(t, &minors, "KBNK", NULL, NULL);
        check_longest(t, &minors, 33);
        ploy_board_endings_destroy(minors.endings);
    }
    ploy_board_endings_destroy(pawn.endings);
    ploy_board_endings_destroy(rook.endings);
    ploy_board_endings_destroy(queen.endings);
}

TEST(checkers_with_few_pieces_are_solved) {
    static const int64_t known[PLOY_BOARD_DRAUGHTS_PIECES] = {120, 6972, 261224, 7092774};
    ploy_env env = ploy_env_default();
    static ploy_board_draughts_set sets[PLOY_BOARD_DRAUGHTS_PIECES];
    static ploy_board_endings_source sources[PLOY_BOARD_DRAUGHTS_PIECES];
    ploy_board_endings *endings[PLOY_BOARD_DRAUGHTS_PIECES] = {NULL};
    int32_t most = test_rounds(1) > 1 ? 4 : 3; // four pieces need a gigabyte
    for (int32_t i = 0; i < most; i++) {
        TEST_SEED(i);
        CHECK_OK(
            ploy_board_draughts_endings(i + 1, PLOY_BOARD_DRAUGHTS_ENGLISH, &sets[i], &sources[i]));
        for (int32_t k = 0; k < i; k++) sets[i].fewer[k] = endings[k];
        CHECK_OK(ploy_board_endings_create(&sources[i], &env, &endings[i]));
        CHECK_OK(ploy_board_endings_step(endings[i], NULL));
        ploy_board_endings_report report = ploy_board_endings_check(endings[i]);
        CHECK_INT(report.faults, 0);
        CHECK_INT(report.positions, 2 * known[i]); // either side to move
        CHECK_INT(report.wins + report.draws + report.losses, report.positions);
        if (i == 0) CHECK_INT(report.wins, report.losses); // one side has nothing
    }
    // Numbers and positions are each other's inverse.
    uint64_t position[16];
    for (int64_t n = 0; n < sources[1].count; n++) {
        if (!sources[1].position(sources[1].user, n, position)) continue;
        CHECK_INT(sources[1].number(sources[1].user, position), n);
    }
    // One king each, far apart, is a draw.
    ploy_board board = sources[1].board;
    ploy_board_ending value = 0;
    CHECK_OK(board.type->parse(board.rules, "B:WK1:BK32", "p", position, NULL));
    CHECK(ploy_board_endings_value(endings[1], position, &value));
    CHECK_INT(value, 0);
    for (int32_t i = 0; i < most; i++) ploy_board_endings_destroy(endings[i]);
    CHECK_INT(ploy_board_draughts_endings(5, PLOY_BOARD_DRAUGHTS_ENGLISH, &sets[0], &sources[0]),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(
        ploy_board_draughts_endings(2, PLOY_BOARD_DRAUGHTS_INTERNATIONAL, &sets[0], &sources[0]),
        PLOY_ERR_ARGUMENT);
}

TEST(slices_and_files_give_the_same_values) {
    ploy_env env = ploy_env_default();
    ending whole;
    build(t, &whole, "KRK", NULL, NULL);
    ploy_board_endings *sliced = NULL, *read = NULL;
    CHECK_OK(ploy_board_endings_create(&whole.source, &env, &sliced));
    ploy_result result = PLOY_IN_PROGRESS;
    double done = ploy_board_endings_progress(sliced);
    CHECK(done == 0.0);
    for (int32_t i = 0; result == PLOY_IN_PROGRESS; i++) {
        ploy_budget budget = ploy_budget_units(1 + i * 997 % 10007);
        result = ploy_board_endings_step(sliced, &budget);
        double now = ploy_board_endings_progress(sliced);
        CHECK(now > done || result != PLOY_IN_PROGRESS);
        CHECK(now < 1.0 || result != PLOY_IN_PROGRESS);
        done = now;
    }
    CHECK_OK(result);
    CHECK(done == 1.0);
    ploy_buffer a, b;
    ploy_buffer_init(&a, 0, &env);
    ploy_buffer_init(&b, 0, &env);
    ploy_writer out = ploy_buffer_writer(&a);
    CHECK_OK(ploy_board_endings_save(whole.endings, &out));
    out = ploy_buffer_writer(&b);
    CHECK_OK(ploy_board_endings_save(sliced, &out));
    CHECK_INT(a.size, b.size);
    CHECK_BYTES(a.bytes, b.bytes, a.size);
    CHECK_OK(ploy_board_endings_load(&whole.source, a.bytes, a.size, "krk", &env, NULL, &read));
    CHECK_INT(ploy_board_endings_check(read).faults, 0);
    ploy_board_endings_destroy(read);
    a.bytes[a.size / 2] ^= 1;
    CHECK_INT(ploy_board_endings_load(&whole.source, a.bytes, a.size, "krk", &env, NULL, &read),
              PLOY_ERR_FORMAT);
    CHECK_INT(ploy_board_endings_load(&whole.source, a.bytes, 20, "krk", &env, NULL, &read),
              PLOY_ERR_FORMAT);
    ploy_buffer_fini(&a);
    ploy_buffer_fini(&b);
    ploy_board_endings_destroy(sliced);
    ploy_board_endings_destroy(whole.endings);
}

static ploy_result create_body(const ploy_env *env, void *arg) {
    const ending *e = arg;
    ploy_board_endings *endings = NULL;
    ploy_result result = ploy_board_endings_create(&e->source, env, &endings);
    if (result == PLOY_OK) result = ploy_board_endings_step(endings, NULL);
    ploy_board_endings_destroy(endings);
    return result;
}

TEST(building_survives_lack_of_memory) {
    ending e;
    CHECK_OK(ploy_board_chess_endings("KNK", &e.material, &e.source));
    e.source.count = 4000; // a part of the set: moves lead out of it
    CHECK_FAIL_NTH(create_body, &e);
    static const char *const wrong[] = {"", "K", "KK", "QKK", "KQ", "KXK", "KQRBNK", "KKK"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        t->row = wrong[i];
        CHECK_INT(ploy_board_chess_endings(wrong[i], &e.material, &e.source), PLOY_ERR_FORMAT);
    }
}
