// Draughts: published counts of every rule set, a slow generator, texts.
#include "ploy/board/draughts.h"

#include "tests/board/board_test.h"

typedef struct draughts_counts {
    ploy_board_draughts_rules rules;
    bool routes;
    const char *position;
    int32_t normal, soak; // depths
    uint64_t counts[14];
} draughts_counts;

// As the published counts are made: a game that ended earlier has no leaf.
static uint64_t draughts_leaves(const ploy_board_draughts_def *def,
                                const ploy_board_draughts_position *p, int32_t depth) {
    const ploy_board_type *type = ploy_board_draughts();
    ploy_board_move moves[512];
    int32_t count = type->moves(def, p, moves, 512);
    if (depth == 1) return (uint64_t)count;
    uint64_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        ploy_board_draughts_position next = *p;
        type->make(def, &next, moves[i], NULL);
        sum += draughts_leaves(def, &next, depth - 1);
    }
    return sum;
}

TEST(draughts_perft_equals_the_published_counts) {
    static const draughts_counts rows[] = {
        {PLOY_BOARD_DRAUGHTS_ENGLISH,
         true,
         NULL,
         9,
         14,
         {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128, 388623673,
          1766623630, 7978439499}},
        {PLOY_BOARD_DRAUGHTS_ENGLISH,
         false,
         NULL,
         7,
         13,
         {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128, 388617999,
          1766564893}},
        {PLOY_BOARD_DRAUGHTS_INTERNATIONAL,
         true,
         NULL,
         7,
         11,
         {9, 81, 658, 4265, 27117, 167140, 1049442, 6483971, 41022614, 258935682, 1666207133}},
        {PLOY_BOARD_DRAUGHTS_INTERNATIONAL,
         false,
         NULL,
         7,
         11,
         {9, 81, 658, 4265, 27117, 167140, 1049442, 6483961, 41022423, 258895763, 1665861398}},
        {PLOY_BOARD_DRAUGHTS_BRAZILIAN,
         true,
         NULL,
         9,
         11,
         {7, 49, 302, 1469, 7473, 37628, 187302, 907836, 4431847, 21566606, 105534946}},
        {PLOY_BOARD_DRAUGHTS_RUSSIAN,
         true,
         NULL,
         9,
         11,
         {7, 49, 302, 1469, 7482, 37986, 190146, 929905, 4570667, 22450628, 110961169}},
        {PLOY_BOARD_DRAUGHTS_POOL,
         true,
         NULL,
         9,
         11,
         {7, 49, 302, 1469, 7482, 37986, 190146, 929902, 4570615, 22442551, 110877932}},
        {PLOY_BOARD_DRAUGHTS_ITALIAN,
         true,
         NULL,
         9,
         11,
         {7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860875, 17761384, 81647058}},
        {PLOY_BOARD_DRAUGHTS_SPANISH,
         true,
         NULL,
         9,
         11,
         {7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860866, 17743464, 81383200}},
        {PLOY_BOARD_DRAUGHTS_CZECH,
         true,
         NULL,
         9,
         11,
         {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963671, 18368918, 84967210}},
        {PLOY_BOARD_DRAUGHTS_FRISIAN,
         true,
         NULL,
         8,
         9,
         {9, 81, 658, 3880, 21345, 103584, 550314, 2907905, 16204497}},
        {PLOY_BOARD_DRAUGHTS_INTERNATIONAL,
         false,
         "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46",
         6,
         8,
         {14, 55, 1168, 5432, 87195, 629010, 9041010, 86724219}},
        {PLOY_BOARD_DRAUGHTS_INTERNATIONAL,
         false,
         "W:B12,13,14,16,18,19,21,23,24,26:W25,27,28,30,32,33,34,35,37,38",
         12,
         13,
         {6, 12, 30, 73, 215, 590, 1944, 6269, 22369, 88050, 377436, 1910989, 9872645}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_board_draughts_def def = ploy_board_draughts_def_default();
        def.rules = rows[i].rules;
        def.routes = rows[i].routes;
        char row[40];
        snprintf(row, sizeof row, "row %d", (int)i);
        t->row = row;
        ploy_board_draughts_position p;
        ploy_board_draughts()->start(&def, &p);
        if (rows[i].position != NULL) {
            CHECK_OK(ploy_board_draughts()->parse(&def, rows[i].position, "row", &p, NULL));
        }
        for (int32_t d = 1; d <= (board_soak() ? rows[i].soak : rows[i].normal); d++) {
            CHECK_UINT(draughts_leaves(&def, &p, d), rows[i].counts[d - 1]);
        }
    }
}

TEST(draughts_keeps_its_contract_under_all_rules) {
    for (int32_t rules = 0; rules < PLOY_BOARD_DRAUGHTS_RULES; rules++) {
        ploy_board_draughts_def def = ploy_board_draughts_def_default();
        def.rules = (ploy_board_draughts_rules)rules;
        board_check_contract(t, ploy_board_of(ploy_board_draughts(), &def), 20);
    }
}

// ---- a second generator, from the rules, on a board of characters with rows and columns

typedef struct slow_board {
    int32_t size;
    char cells[10][10]; // 'w', 'W', 'b', 'B', or '.'
} slow_board;

static bool slow_inside(const slow_board *b, int32_t r, int32_t c) {
    return r >= 0 && c >= 0 && r < b->size && c < b->size;
}

static int32_t slow_number(const slow_board *b, int32_t r, int32_t c) {
    return r * (b->size / 2) + c / 2;
}

static void slow_fill(slow_board *b, int32_t size, const ploy_board_draughts_position *p) {
    memset(b, 0, sizeof *b);
    b->size = size;
    for (int32_t r = 0; r < size; r++) {
        for (int32_t c = 0; c < size; c++) {
            b->cells[r][c] = '.';
            if ((r + c) % 2 == 0) continue;
            uint64_t bit = UINT64_C(1) << slow_number(b, r, c);
            if ((p->pieces[0] & bit) != 0) b->cells[r][c] = (p->kings & bit) != 0 ? 'W' : 'w';
            if ((p->pieces[1] & bit) != 0) b->cells[r][c] = (p->kings & bit) != 0 ? 'B' : 'b';
        }
    }
}

// Longest capture of an English or international piece, counted from the rules.
static int32_t slow_longest(slow_board *b, int32_t r, int32_t c, char piece, bool flying,
                            bool backward) {
    bool king = piece == 'W' || piece == 'B';
    bool white = piece == 'W' || piece == 'w';
    int32_t best = 0;
    for (int32_t d = 0; d < 4; d++) {
        int32_t dr = d < 2 ? -1 : 1, dc = d % 2 == 0 ? -1 : 1;
        if (!king && !backward && (dr < 0) != white) continue;
        int32_t vr = r + dr, vc = c + dc;
        while (king && flying && slow_inside(b, vr, vc) && b->cells[vr][vc] == '.') {
            vr += dr;
            vc += dc;
        }
        if (!slow_inside(b, vr, vc)) continue;
        char victim = b->cells[vr][vc];
        if (white ? victim != 'b' && victim != 'B' : victim != 'w' && victim != 'W') continue;
        for (int32_t lr = vr + dr, lc = vc + dc; slow_inside(b, lr, lc) && b->cells[lr][lc] == '.';
             lr += dr, lc += dc) {
            b->cells[vr][vc] = 'x'; // stays on the board, blocks, and cannot be taken again
            int32_t more = slow_longest(b, lr, lc, piece, flying, backward);
            b->cells[vr][vc] = victim;
            if (1 + more > best) best = 1 + more;
            if (!king || !flying) break;
        }
    }
    return best;
}

TEST(international_captures_are_the_longest_of_a_slow_generator) {
    int64_t captures = 0;
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_board_draughts_def def = ploy_board_draughts_def_default();
        def.rules =
            seed % 2 == 0 ? PLOY_BOARD_DRAUGHTS_INTERNATIONAL : PLOY_BOARD_DRAUGHTS_BRAZILIAN;
        const ploy_board_type *type = ploy_board_draughts();
        ploy_board_draughts_position p;
        type->start(&def, &p);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        for (int32_t ply = 0; ply < 150 && p.over == 0; ply++) {
            ploy_board_move moves[512];
            int32_t count = type->moves(&def, &p, moves, 512);
            slow_board b;
            slow_fill(&b, seed % 2 == 0 ? 10 : 8, &p);
            int32_t longest = 0;
            for (int32_t r = 0; r < b.size; r++) {
                for (int32_t c = 0; c < b.size; c++) {
                    char piece = b.cells[r][c];
                    bool own =
                        p.side == 0 ? piece == 'w' || piece == 'W' : piece == 'b' || piece == 'B';
                    if (!own) continue;
                    b.cells[r][c] = '.';
                    int32_t length = slow_longest(&b, r, c, piece, true, true);
                    b.cells[r][c] = piece;
                    if (length > longest) longest = length;
                }
            }
            for (int32_t i = 0; i < count; i++) {
                int32_t taken = 0;
                for (int32_t s = 0; s < 50; s++) taken += (int32_t)(moves[i] >> s & 1);
                CHECK_INT(taken, longest);
                captures += taken > 0;
            }
            type->make(&def, &p, moves[ploy_rng_below(&rng, (uint64_t)count)], NULL);
        }
    }
    CHECK(captures > 100);
}

TEST(draughts_rules_differ_where_they_should) {
    static const struct {
        const char *row;
        ploy_board_draughts_rules rules;
        const char *position, *moves; // texts in order
    } rows[] = {
        {"a man stops on the last row", PLOY_BOARD_DRAUGHTS_ENGLISH, "W:W10:B7,8", "10x3"},
        {"a Russian man goes on as a king", PLOY_BOARD_DRAUGHTS_RUSSIAN, "W:W11:B7,9", "11x13"},
        {"a pool man does not", PLOY_BOARD_DRAUGHTS_POOL, "W:W11:B7,9", "11x2"},
        {"an Italian man may not take a king", PLOY_BOARD_DRAUGHTS_ITALIAN, "W:W10:BK6", "10-7"},
        {"the most pieces", PLOY_BOARD_DRAUGHTS_SPANISH, "W:WK29,21:B25,17,9", "29x6 29x2"},
        {"a Czech king goes before a man", PLOY_BOARD_DRAUGHTS_CZECH, "W:WK32,21:B27,17",
         "32x23 32x18 32x14 32x9 32x5"},
        {"a Frisian man takes straight ahead", PLOY_BOARD_DRAUGHTS_FRISIAN, "W:W38:B28", "38x18"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_board_draughts_def def = ploy_board_draughts_def_default();
        def.rules = rows[i].rules;
        ploy_board_draughts_position p;
        CHECK_OK(ploy_board_draughts()->parse(&def, rows[i].position, "row", &p, NULL));
        ploy_board_move moves[512];
        int32_t count = ploy_board_draughts()->moves(&def, &p, moves, 512);
        char all[600] = "";
        for (int32_t m = 0; m < count; m++) {
            char text[PLOY_BOARD_MOVE_TEXT];
            ploy_board_draughts()->move_text(&def, &p, moves[m], text);
            if (m > 0) strcat(all, " ");
            strcat(all, text);
        }
        CHECK_TEXT(all, rows[i].moves);
    }
}

TEST(a_frisian_king_rests_after_three_moves) {
    ploy_board_draughts_def def = ploy_board_draughts_def_default();
    def.rules = PLOY_BOARD_DRAUGHTS_FRISIAN;
    const ploy_board_type *type = ploy_board_draughts();
    ploy_board_draughts_position p;
    CHECK_OK(type->parse(&def, "W:WK46,41:BK5,15:F46+3", "p", &p, NULL));
    ploy_board_move moves[512];
    int32_t count = type->moves(&def, &p, moves, 512);
    for (int32_t i = 0; i < count; i++) CHECK_INT(moves[i] >> 50 & 63, 40);
    CHECK(count > 0);
    CHECK_OK(type->parse(&def, "W:WK46:BK5,15:F46+3", "p", &p, NULL)); // no men: free
    CHECK(type->moves(&def, &p, moves, 512) > 0);
}

TEST(draughts_positions_are_read_and_refused) {
    ploy_board_draughts_def def = ploy_board_draughts_def_default();
    ploy_board board = ploy_board_of(ploy_board_draughts(), &def);
    ploy_board_draughts_position p;
    char text[PLOY_BOARD_TEXT];
    CHECK_OK(board.type->parse(&def, "W:WK3,21-23:B1,2,K5.", "p", &p, NULL));
    board.type->text(&def, &p, text);
    CHECK_TEXT(text, "W:WK3,21,22,23:B1,2,K5:H0");
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"X:W1", "draughts:1:1: error: the side to move is missing; expected W or B"},
        {"W:W33", "draughts:1:6: error: invalid square; expected a square number"},
        {"W:W3,3", "draughts:1:7: error: duplicate piece on a square"},
        {"W:W9-3",
         "draughts:1:7: error: invalid range of squares; expected a larger square number"},
        {"W:W1:Q", "draughts:1:6: error: unknown part; expected W or B and its pieces"},
        {"W", "draughts:1:2: error: missing pieces; expected W or B"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        board_check_fault(t, board, rows[i].text, "draughts", rows[i].message);
    }
}
