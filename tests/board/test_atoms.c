// Atoms: explosions by example, the contract on several boards.
#include "ploy/board/atoms.h"

#include "tests/board/board_test.h"

TEST(atoms_explode_and_convert) {
    static const struct {
        const char *row, *before, *move, *after;
        bool over;
    } rows[] = {
        {"an atom is added", "A1 . ./. . ./. . B1: A", "b2", "A1 . ./. A1 ./. . B1: B", false},
        {"a corner explodes at two", "A1 B1 ./. . ./. . B1: A", "a3", ". A2 ./A1 . ./. . B1: B",
         false},
        {"a chain", "A1 B2 ./. . ./. . B1: A", "a3", "A1 . A1/A1 A1 ./. . B1: B", false},
        {"the last enemy is taken", "A1 B1 ./. . ./. . .: A", "a3", ". A2 ./A1 . ./. . .: B", true},
    };
    ploy_board_atoms_def def = ploy_board_atoms_def_default();
    def.columns = def.rows = 3;
    ploy_board board = ploy_board_of(ploy_board_atoms(), &def);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        uint64_t p[32];
        CHECK_OK(board.type->parse(&def, rows[i].before, "row", p, NULL));
        const char *move = rows[i].move;
        CHECK_OK(ploy_board_play(board, p, &move, 1, "row", NULL));
        char text[PLOY_BOARD_TEXT];
        board.type->text(&def, p, text);
        CHECK_TEXT(text, rows[i].after);
        CHECK_INT(board.type->side(&def, p) == PLOY_BOARD_OVER, rows[i].over);
        if (rows[i].over) CHECK_INT(board.type->result(&def, p, 0), PLOY_BOARD_WIN);
    }
}

// Explosions keep the number of atoms: one more a ply, whatever explodes.
TEST(atoms_are_never_lost) {
    for (int64_t seed = 0; seed < test_rounds(50); seed++) {
        TEST_SEED(seed);
        ploy_board_atoms_def def = ploy_board_atoms_def_default();
        def.columns = 2 + (int32_t)(seed % 5);
        def.rows = 2 + (int32_t)(seed % 3);
        const ploy_board_type *type = ploy_board_atoms();
        int8_t p[128];
        uint64_t aligned[16];
        type->start(&def, aligned);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        for (int32_t ply = 1; type->side(&def, aligned) != PLOY_BOARD_OVER; ply++) {
            ploy_board_move moves[100];
            int32_t count = type->moves(&def, aligned, moves, 100);
            type->make(&def, aligned, moves[ploy_rng_below(&rng, (uint64_t)count)], NULL);
            memcpy(p, aligned, 100);
            int32_t sum = 0;
            for (int32_t i = 0; i < 100; i++) sum += p[i] < 0 ? -p[i] : p[i];
            CHECK_INT(sum, ply);
        }
    }
}

TEST(atoms_keep_their_contract_on_every_board) {
    for (int32_t i = 0; i < 4; i++) {
        ploy_board_atoms_def def = ploy_board_atoms_def_default();
        def.columns = 2 + 2 * i;
        def.rows = i == 3 ? 10 : 4;
        board_check_contract(t, ploy_board_of(ploy_board_atoms(), &def), 20);
    }
}

TEST(atoms_positions_are_refused_with_their_place) {
    ploy_board_atoms_def def = ploy_board_atoms_def_default();
    def.columns = def.rows = 2;
    ploy_board board = ploy_board_of(ploy_board_atoms(), &def);
    board_check_fault(t, board, "A1 ./Q .: A", "atoms",
                      "atoms:1:6: error: unknown cell; expected ., A or B and a number");
    board_check_fault(t, board, "A ./. .: A", "atoms",
                      "atoms:1:2: error: invalid number of atoms; expected 1 to 120");
    board_check_fault(t, board, ". ./. .", "atoms",
                      "atoms:1:8: error: the side to move is missing; expected : A or : B");
}
