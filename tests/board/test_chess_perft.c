// Perft: the numbers of facts and files, and the slow generator on random games.
#include "ploy/board/chess.h"
#include "tests/test.h"

#include "chess_slow.h"

#include <stdlib.h>

enum { CHESS_BYTES = 256 };

static void read_fen(test_context *t, const char *fen, void *position) {
    ploy_board_chess_def rules = ploy_board_chess_def_default();
    CHECK_OK(ploy_board_chess()->parse(&rules, fen, "fen", position, NULL));
}

TEST(known_positions_have_their_leaves) {
    static const struct {
        const char *row, *fen;
        int32_t depths;
        uint64_t leaves[7];
    } rows[] = {
        {"start",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
         7,
         {20, 400, 8902, 197281, 4865609, 119060324, 3195901860}},
        {"kiwipete",
         "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
         6,
         {48, 2039, 97862, 4085603, 193690690, 8031647685}},
        {"position 3",
         "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
         7,
         {14, 191, 2812, 43238, 674624, 11030083, 178633661}},
        {"position 4",
         "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
         6,
         {6, 264, 9467, 422333, 15833292, 706045033}},
        {"position 5",
         "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
         5,
         {44, 1486, 62379, 2103487, 89941194}},
        {"position 6",
         "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
         6,
         {46, 2079, 89890, 3894594, 164075551, 6923051137}},
    };
    uint64_t limit = test_rounds(1) > 1 ? UINT64_C(10000000000) : 5000000;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        uint64_t position[CHESS_BYTES / 8];
        read_fen(t, rows[i].fen, position);
        for (int32_t depth = 1; depth <= rows[i].depths && rows[i].leaves[depth - 1] <= limit;
             depth++) {
            CHECK_UINT(ploy_board_chess_perft(position, depth), rows[i].leaves[depth - 1]);
        }
        slow_board slow;
        slow_read(rows[i].fen, &slow);
        CHECK_UINT(slow_perft(&slow, 2), rows[i].leaves[1]);
    }
}

// Lines "FEN ;D1 n ;D2 n" of a file; depths with more leaves than the limit are left out.
static void check_file(test_context *t, const char *name, uint64_t limit, int32_t every) {
    const char *dir = test_data_dir();
    if (dir == NULL) {
        test_skip(t, "no outside data");
        return;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/chess/perft/%s", dir, name);
    char *bytes = test_read_file(path, NULL);
    if (bytes == NULL) {
        test_skip(t, "no outside data");
        return;
    }
    int32_t number = 0, checked = 0;
    for (char *line = bytes, *next; line != NULL && *line != 0; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = 0;
        char *split = strchr(line, ';');
        if (split == NULL || number++ % every != 0) continue;
        char row[256];
        snprintf(row, sizeof row, "%s: %.*s", name,
                 (int)(split - line) < 120 ? (int)(split - line) : 120, line);
        t->row = row;
        *split++ = 0;
        for (char *end = line + strlen(line); end > line && (end[-1] == ' ' || end[-1] == '\r');
             end--)
            end[-1] = 0;
        uint64_t position[CHESS_BYTES / 8];
        read_fen(t, line, position);
        while (split != NULL) {
            int depth = 0;
            unsigned long long leaves = 0;
            if (sscanf(split, " D%d %llu", &depth, &leaves) == 2 && leaves <= limit) {
                CHECK_UINT(ploy_board_chess_perft(position, depth), leaves);
                checked++;
            }
            split = strchr(split, ';');
            if (split != NULL) split++;
        }
        t->row = NULL;
    }
    free(bytes);
    CHECK(checked > 0);
}

#define PERFT_FILE(test, file)                                  \
    TEST(test) {                                                \
        bool soak = test_rounds(1) > 1;                         \
        check_file(t, file, soak ? 20000000000u : 5000000u, 1); \
    }
PERFT_FILE(perft_suite_agrees, "perftsuite.epd")
PERFT_FILE(special_moves_agree, "special-moves.epd")
PERFT_FILE(random_positions_agree, "random-a.epd")
PERFT_FILE(chess960_positions_agree, "frc-a.epd")
PERFT_FILE(en_passant_positions_agree, "enpassant-a.epd")
PERFT_FILE(single_checks_agree, "singlecheck-a.epd")
PERFT_FILE(double_checks_agree, "doublecheck-a.epd")

static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

TEST(slow_generator_agrees_on_random_games) {
    const ploy_board_type *type = ploy_board_chess();
    int64_t games = test_rounds(30);
    for (int64_t game = 0; game < games; game++) {
        TEST_SEED(game);
        ploy_rng rng = ploy_rng_make((uint64_t)game);
        ploy_board_chess_def rules = ploy_board_chess_def_default();
        rules.chess960 = true; // the slow generator writes castling as king takes rook
        rules.start = game % 3 == 0 ? 518 : (int32_t)ploy_rng_below(&rng, 960);
        uint64_t position[CHESS_BYTES / 8];
        type->start(&rules, position);
        for (int32_t ply = 0; ply < 120 && type->side(&rules, position) != PLOY_BOARD_OVER; ply++) {
            char fen[PLOY_BOARD_TEXT];
            type->text(&rules, position, fen);
            slow_board slow;
            slow_read(fen, &slow);
            slow_move expected[512];
            ploy_board_move moves[512];
            char a[512][8], b[512][8];
            int32_t count = type->moves(&rules, position, moves, 512);
            CHECK_INT(count, slow_moves(&slow, expected));
            memset(a, 0, sizeof a);
            memset(b, 0, sizeof b);
            for (int32_t i = 0; i < count; i++) {
                char text[PLOY_BOARD_MOVE_TEXT];
                type->move_text(&rules, position, moves[i], text);
                memcpy(a[i], text, strlen(text));
                slow_text(expected[i], b[i]);
            }
            qsort(a, (size_t)count, sizeof a[0], compare_texts);
            qsort(b, (size_t)count, sizeof b[0], compare_texts);
            for (int32_t i = 0; i < count; i++) CHECK_TEXT(a[i], b[i]);
            type->make(&rules, position, moves[ploy_rng_below(&rng, (uint32_t)count)], NULL);
        }
    }
}
