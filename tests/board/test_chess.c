// Chess beyond perft: keys, text in every form, exchanges, evaluation, Chess960 numbering.
#include "ploy/board/chess.h"
#include "tests/test.h"

#include <stdlib.h>

enum { CHESS_BYTES = 256 };

typedef struct fixture {
    const ploy_board_type *type;
    ploy_board_chess_def rules;
    uint64_t position[CHESS_BYTES / 8];
} fixture;

static fixture fixture_at(test_context *t, const char *fen) {
    fixture f;
    memset(&f, 0, sizeof f);
    f.type = ploy_board_chess();
    f.rules = ploy_board_chess_def_default();
    CHECK(f.type->position_bytes(&f.rules) <= sizeof f.position);
    if (fen == NULL) {
        f.type->start(&f.rules, f.position);
    } else {
        CHECK_OK(f.type->parse(&f.rules, fen, "fen", f.position, NULL));
    }
    return f;
}

static void play(test_context *t, fixture *f, const char *text) {
    ploy_board_move move = PLOY_BOARD_NO_MOVE;
    CHECK_OK(f->type->move_parse(&f->rules, f->position, text, "move", &move, NULL));
    f->type->make(&f->rules, f->position, move, NULL);
}

TEST(keys_are_polyglots) {
    static const struct {
        const char *move;
        uint64_t key;
    } rows[] = {
        {"e2e4", UINT64_C(0x823c9b50fd114196)}, {"d7d5", UINT64_C(0x0756b94461c50fb0)},
        {"e4e5", UINT64_C(0x662fafb965db29d4)}, {"f7f5", UINT64_C(0x22a48b5a8e47ff78)},
        {"e1e2", UINT64_C(0x652a607ca3f242c1)}, {"e8f7", UINT64_C(0x00fdd303c946bdd9)},
    };
    fixture f = fixture_at(t, NULL);
    CHECK_UINT(f.type->hash(&f.rules, f.position), UINT64_C(0x463b96181691fc9c));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].move;
        play(t, &f, rows[i].move);
        CHECK_UINT(f.type->hash(&f.rules, f.position), rows[i].key);
        fixture read = fixture_at(t, NULL);
        char fen[PLOY_BOARD_TEXT];
        f.type->text(&f.rules, f.position, fen);
        CHECK_OK(f.type->parse(&f.rules, fen, "fen", read.position, NULL));
        CHECK_BYTES(read.position, f.position, f.type->position_bytes(&f.rules));
    }
}

TEST(moves_are_read_in_every_notation) {
    static const struct {
        const char *fen, *text, *uci, *san;
    } rows[] = {
        {NULL, "e4", "e2e4", "e4"},
        {NULL, "Ng1-f3", "g1f3", "Nf3"},
        {NULL, "g1f3!?", "g1f3", "Nf3"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "e1g1", "O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0-0", "e1c1", "O-O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8h8", "e8g8", "O-O"},
        {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q", "a7a8q", "a8=Q"},
        {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a7a8n", "a8=N"},
        {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8B", "a7a8b", "a8=B"},
        {"4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rad1", "a1d1", "Rad1"},
        {"R3k3/8/R7/8/8/8/4K3/8 b - - 0 1", "Kd7", "e8d7", "Kd7"},
        {"7k/8/R7/8/8/R7/4K3/8 w - - 0 1", "R3a5", "a3a5", "R3a5"},
        {"7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "exd6", "e5d6", "exd6"},
        {"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "Re8", "e1e8", "Re8#"},
        {"5r1k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7xf8N", "e7f8n", "exf8=N"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        fixture f = fixture_at(t, rows[i].fen);
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        CHECK_OK(f.type->move_parse(&f.rules, f.position, rows[i].text, "move", &move, NULL));
        char text[PLOY_BOARD_MOVE_TEXT];
        f.type->move_text(&f.rules, f.position, move, text);
        CHECK_TEXT(text, rows[i].uci);
        ploy_board_chess_san(f.position, move, text);
        CHECK_TEXT(text, rows[i].san);
        ploy_board_move again = PLOY_BOARD_NO_MOVE;
        CHECK_OK(f.type->move_parse(&f.rules, f.position, text, "move", &again, NULL));
        CHECK_UINT(again, move);
        CHECK_UINT(ploy_board_chess_from_book(f.position, ploy_board_chess_book_move(move)), move);
    }
    fixture f = fixture_at(t, "4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    static const char *const wrong[] = {"Rd1", "Ra9",    "Ke4", "e2e4", "O-O",
                                        "",    "Rad1=Q", "x",   "axb"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        t->row = wrong[i];
        ploy_board_move move = 0;
        CHECK_INT(f.type->move_parse(&f.rules, f.position, wrong[i], "move", &move, NULL),
                  PLOY_ERR_FORMAT);
    }
}

TEST(bad_positions_are_refused_with_their_place) {
    static const struct {
        const char *fen;
        int32_t column;
    } rows[] = {
        {"8/8/8/8/8/8/8/8 w - - 0 1", 16},
        {"rnbqkbnr/ppppxppp/8/8/8/8/8/RNBQKBNR w KQkq - 0 1", 14},
        {"rnbqkbnr/pppppppp/9/8/8/8/8/RNBQKBNR w KQkq - 0 1", 19},
        {"4k3/8/8/8/8/8/8/4K3 x - - 0 1", 21},
        {"4k3/8/8/8/8/8/8/4K3 w K - 0 1", 23},
        {"4k3/8/8/8/8/8/8/4K3 w - e6 0 1", 25},
        {"P3k3/8/8/8/8/8/8/4K3 w - - 0 1", 21},
        {"4k3/8/8/8/8/8/8/4K2R b - - 0 1 x", 32},
        {"4k2R/8/8/8/8/8/8/4K3 w - - 0 1", 0},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].fen;
        fixture f = fixture_at(t, NULL);
        uint64_t before[CHESS_BYTES / 8];
        memcpy(before, f.position, sizeof before);
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(f.type->parse(&f.rules, rows[i].fen, "fen", f.position, diags), PLOY_ERR_FORMAT);
        CHECK_INT(ploy_diags_count(diags), 1);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        CHECK_BYTES(f.position, before, sizeof before);
        ploy_diags_destroy(diags);
    }
}

TEST(robustness_list_never_crashes) {
    const char *dir = test_data_dir();
    char path[1024];
    snprintf(path, sizeof path, "%s/chess/epd/destruction-a.epd", dir != NULL ? dir : "");
    char *bytes = dir != NULL ? test_read_file(path, NULL) : NULL;
    if (bytes == NULL) {
        test_skip(t, "no outside data");
        return;
    }
    for (char *line = bytes, *next; line != NULL && *line != 0; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = 0;
        char *end = strchr(line, ';');
        if (end != NULL) *end = 0;
        fixture f = fixture_at(t, NULL);
        if (f.type->parse(&f.rules, line, "fen", f.position, NULL) != PLOY_OK) continue;
        ploy_board_move moves[448];
        f.type->moves(&f.rules, f.position, moves, 448);
        f.type->evaluate(&f.rules, f.position, 0);
        ploy_board_chess_perft(f.position, 2);
    }
    free(bytes);
}

TEST(exchanges_are_counted_out) {
    static const struct {
        const char *fen, *move;
        int32_t gain;
    } rows[] = {
        {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100},
        {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -225},
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100},
        {"4k3/4p3/3p4/8/8/8/8/3QK3 w - - 0 1", "d1d6", -900},
        {"4k3/8/8/8/8/8/6p1/4K2R b - - 0 1", "g2h1q", 1400},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].fen;
        fixture f = fixture_at(t, rows[i].fen);
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        CHECK_OK(f.type->move_parse(&f.rules, f.position, rows[i].move, "move", &move, NULL));
        CHECK_INT(f.type->exchange(&f.rules, f.position, move), rows[i].gain);
    }
}

TEST(games_end_as_the_rules_say) {
    static const struct {
        const char *row, *fen;
        bool over;
        int32_t white;
    } rows[] = {
        {"mate", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", true, PLOY_BOARD_WIN},
        {"stalemate", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1", true, 0},
        {"bare kings", "7k/8/8/8/8/8/8/K7 w - - 0 1", true, 0},
        {"one bishop", "7k/8/8/8/8/8/8/KB6 w - - 0 1", true, 0},
        {"two knights may mate", "7k/8/8/8/8/8/8/KNN5 w - - 0 1", false, 0},
        {"bishops of one colour", "7k/8/8/8/8/b7/8/K1B5 w - - 0 1", true, 0},
        {"100 plies", "7k/8/8/8/8/8/8/KR6 w - - 100 80", true, 0},
        {"99 plies", "7k/8/8/8/8/8/8/KR6 w - - 99 80", false, 0},
        {"mate at 100 plies", "R5k1/5ppp/8/8/8/8/8/K7 b - - 100 90", true, PLOY_BOARD_WIN},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        fixture f = fixture_at(t, rows[i].fen);
        CHECK(rows[i].over == (f.type->side(&f.rules, f.position) == PLOY_BOARD_OVER));
        if (!rows[i].over) continue;
        CHECK_INT(f.type->result(&f.rules, f.position, 0), rows[i].white);
        CHECK_INT(f.type->result(&f.rules, f.position, 1), -rows[i].white);
    }
}

static void add_part(void *user, const char *name, int32_t score) {
    (void)name;
    *(int32_t *)user += score;
}

TEST(evaluation_is_the_sum_of_its_parts_and_sees_both_sides_alike) {
    static const struct {
        const char *fen, *mirrored;
    } rows[] = {
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
         "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].fen;
        fixture a = fixture_at(t, rows[i].fen), b = fixture_at(t, rows[i].mirrored);
        for (int32_t player = 0; player < 2; player++) {
            int32_t score = a.type->evaluate(&a.rules, a.position, player), sum = 0;
            CHECK_INT(b.type->evaluate(&b.rules, b.position, 1 - player), score);
            a.type->score_parts(&a.rules, a.position, player, add_part, &sum);
            CHECK_INT(sum, score);
        }
    }
    fixture start = fixture_at(t, NULL);
    int32_t move = start.type->evaluate(&start.rules, start.position, 0); // all that differs
    CHECK(move > 0 && move < 40);
}

TEST(chess960_numbers_give_their_positions) {
    static const struct {
        int32_t number;
        const char *row;
    } rows[] = {{518, "rnbqkbnr"}, {0, "bbqnnrkr"}, {959, "rkrnnqbb"}, {534, "rnbkqbnr"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        fixture f = fixture_at(t, NULL);
        f.rules.start = rows[i].number;
        f.type->start(&f.rules, f.position);
        char fen[PLOY_BOARD_TEXT];
        f.type->text(&f.rules, f.position, fen);
        CHECK(strncmp(fen, rows[i].row, 8) == 0);
    }
}
