// Backgammon: rules by example, a slow generator, the strength of the evaluation.
#include "ploy/board/backgammon.h"

#include "tests/board/board_test.h"

static const char *const gammon_opening =
    "-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2; bar 0 0; off 0 0; ";

typedef struct gammon_bed {
    ploy_board_backgammon_def def;
    uint64_t position[64];
    ploy_board_move moves[3072];
    int32_t count;
} gammon_bed;

static void gammon_bed_make(gammon_bed *bed, const char *text) {
    bed->def = ploy_board_backgammon_def_default();
    const ploy_board_type *type = ploy_board_backgammon();
    type->start(&bed->def, bed->position);
    if (text != NULL) type->parse(&bed->def, text, "bed", bed->position, NULL);
    bed->count = type->moves(&bed->def, bed->position, bed->moves, 3072);
}

TEST(backgammon_first_roll_has_thirty_outcomes) {
    gammon_bed bed;
    gammon_bed_make(&bed, NULL);
    CHECK_INT(bed.count, 30);
    char text[PLOY_BOARD_TEXT];
    ploy_board_backgammon()->text(&bed.def, bed.position, text);
    char want[PLOY_BOARD_TEXT];
    snprintf(want, sizeof want, "%s-", gammon_opening);
    CHECK_TEXT(text, want);
    // Later rolls: 21 outcomes that weigh 36 together.
    snprintf(want, sizeof want, "%s0", gammon_opening);
    gammon_bed_make(&bed, want);
    CHECK_INT(bed.count, 21);
    int32_t sum = 0;
    for (int32_t i = 0; i < bed.count; i++) {
        sum += ploy_board_backgammon()->odds(&bed.def, bed.position, bed.moves[i]);
    }
    CHECK_INT(sum, 36);
}

TEST(backgammon_turns_follow_the_rules) {
    static const struct {
        const char *row, *position;
        int32_t count;     // different turns; -1: any
        const char *first; // text of one that must be there; NULL: none
    } rows[] = {
        {"the opening 3-1",
         "-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2; bar 0 0; off 0 0; 0 31", 16,
         "8/5+6/5"},
        {"nothing can enter",
         "2,2,2,2,2,5,0,0,0,0,0,0,0,0,0,0,0,0,-2,-2,-2,-2,-2,-2; bar 0 3; off 0 0; 1 31", 1, NULL},
        {"only the bar enters",
         "0,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,-2; bar 2 0; off 0 0; 0 61", -1, NULL},
        {"bearing off the last with a larger die",
         "1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-15; bar 0 0; off 13 0; 0 65", 1,
         "2/off+1/off"},
        {"the larger die if only one can be used",
         "0,0,0,0,0,0,0,0,0,0,0,0,-2,0,-2,0,0,0,0,0,0,1,-2,0; bar 0 0; off 14 9; 0 61", -1, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        gammon_bed bed;
        gammon_bed_make(&bed, rows[i].position);
        CHECK(bed.count > 0);
        if (rows[i].count >= 0) CHECK_INT(bed.count, rows[i].count);
        if (rows[i].first != NULL) {
            bool found = false;
            for (int32_t m = 0; m < bed.count; m++) {
                char text[PLOY_BOARD_MOVE_TEXT];
                ploy_board_backgammon()->move_text(&bed.def, bed.position, bed.moves[m], text);
                found |= strcmp(text, rows[i].first) == 0;
            }
            CHECK(found);
        }
    }
}

// ---- a slow generator: all orders of all steps on plain arrays, then the rules about dice

typedef struct slow_gammon {
    int32_t own[26], other[26]; // from the mover's view and from the opponent's
} slow_gammon;

typedef struct slow_results {
    slow_gammon boards[20000];
    int32_t used[20000], first_die[20000];
    int32_t count;
} slow_results;

static bool slow_step(const slow_gammon *from, int32_t at, int32_t die, slow_gammon *to) {
    *to = *from;
    if (from->own[at] == 0) return false;
    if (at != 25 && from->own[25] > 0) return false;
    int32_t end = at - die;
    if (end <= 0) {
        int32_t home = 0, behind = 0;
        for (int32_t i = 0; i <= 6; i++) home += from->own[i];
        for (int32_t i = at + 1; i <= 6; i++) behind += from->own[i];
        if (home != 15 || (end < 0 && behind > 0)) return false;
        end = 0;
    } else {
        if (from->other[25 - end] >= 2) return false;
        if (from->other[25 - end] == 1) {
            to->other[25 - end]--;
            to->other[25]++;
        }
    }
    to->own[at]--;
    to->own[end]++;
    return true;
}

static void slow_turns(slow_results *out, const slow_gammon *at, const int32_t *dice, int32_t left,
                       int32_t used, int32_t first) {
    for (int32_t from = 1; left > 0 && from <= 25; from++) {
        slow_gammon next;
        if (!slow_step(at, from, dice[0], &next)) continue;
        slow_turns(out, &next, dice + 1, left - 1, used + 1, used == 0 ? dice[0] : first);
    }
    out->boards[out->count] = *at;
    out->used[out->count] = used;
    out->first_die[out->count++] = first;
}

TEST(backgammon_random_games_agree_with_a_slow_generator) {
    static slow_results all;
    static slow_gammon different[4000];
    for (int64_t seed = 0; seed < test_rounds(6); seed++) {
        TEST_SEED(seed);
        gammon_bed bed;
        gammon_bed_make(&bed, NULL);
        const ploy_board_type *type = ploy_board_backgammon();
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        for (int32_t side; (side = type->side(&bed.def, bed.position)) != PLOY_BOARD_OVER;) {
            bed.count = type->moves(&bed.def, bed.position, bed.moves, 3072);
            const int8_t *checkers = (const int8_t *)bed.position;
            const uint8_t *dice = (const uint8_t *)bed.position + 52;
            if (side != PLOY_BOARD_CHANCE && dice[0] != dice[1]) {
                slow_gammon now;
                for (int32_t i = 0; i < 26; i++) {
                    now.own[i] = checkers[side * 26 + i];
                    now.other[i] = checkers[(1 - side) * 26 + i];
                }
                all.count = 0;
                int32_t forward[2] = {dice[0], dice[1]}, backward[2] = {dice[1], dice[0]};
                slow_turns(&all, &now, forward, 2, 0, 0);
                slow_turns(&all, &now, backward, 2, 0, 0);
                int32_t most = 0, larger = 0;
                for (int32_t i = 0; i < all.count; i++) {
                    if (all.used[i] > most) most = all.used[i];
                    if (all.used[i] == 1 && all.first_die[i] > larger) larger = all.first_die[i];
                }
                int32_t count = 0;
                for (int32_t i = 0; i < all.count; i++) {
                    if (all.used[i] != most) continue;
                    if (most == 1 && all.first_die[i] != larger) continue;
                    bool known = false;
                    for (int32_t k = 0; k < count && !known; k++) {
                        known = memcmp(&different[k], &all.boards[i], sizeof(slow_gammon)) == 0;
                    }
                    if (!known) different[count++] = all.boards[i];
                }
                CHECK_INT(bed.count, count);
            }
            ploy_board_move move = bed.moves[ploy_rng_below(&rng, (uint64_t)bed.count)];
            type->make(&bed.def, bed.position, move, NULL);
        }
        CHECK_INT(type->result(&bed.def, bed.position, 0) + type->result(&bed.def, bed.position, 1),
                  0);
    }
}

TEST(the_evaluation_beats_random_moves_in_nine_of_ten_games) {
    int32_t games = 60, won = 0;
    for (int32_t game = 0; game < games; game++) {
        gammon_bed bed;
        gammon_bed_make(&bed, NULL);
        const ploy_board_type *type = ploy_board_backgammon();
        ploy_rng rng = ploy_rng_make(1000 + (uint64_t)game);
        int32_t ours = game % 2;
        for (int32_t side; (side = type->side(&bed.def, bed.position)) != PLOY_BOARD_OVER;) {
            bed.count = type->moves(&bed.def, bed.position, bed.moves, 3072);
            int32_t pick = 0, best = -PLOY_BOARD_INFINITY;
            if (side == PLOY_BOARD_CHANCE) {
                float weights[30];
                for (int32_t i = 0; i < bed.count; i++) {
                    weights[i] = (float)type->odds(&bed.def, bed.position, bed.moves[i]);
                }
                pick = ploy_rng_weighted(&rng, weights, bed.count);
            } else if (side != ours) {
                pick = (int32_t)ploy_rng_below(&rng, (uint64_t)bed.count);
            } else {
                for (int32_t i = 0; i < bed.count; i++) {
                    uint64_t next[64];
                    memcpy(next, bed.position, sizeof next);
                    type->make(&bed.def, next, bed.moves[i], NULL);
                    int32_t score = type->evaluate(&bed.def, next, ours);
                    if (score > best) best = score, pick = i;
                }
            }
            type->make(&bed.def, bed.position, bed.moves[pick], NULL);
        }
        won += type->result(&bed.def, bed.position, ours) > 0;
    }
    CHECK(won >= games * 9 / 10);
}

TEST(backgammon_positions_are_refused_with_their_place) {
    gammon_bed bed;
    gammon_bed_make(&bed, NULL);
    ploy_board board = ploy_board_of(ploy_board_backgammon(), &bed.def);
    board_check_fault(
        t, board, "1,2,x", "gammon",
        "gammon:1:5: error: invalid number of checkers; expected 24 numbers with commas");
    board_check_fault(t, board,
                      "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0; bar 0 0; off 14 15; 0",
                      "gammon", "gammon:1:68: error: a player does not have 15 checkers");
}

TEST(rolls_follow_their_odds) {
    ploy_board_backgammon_def rules = ploy_board_backgammon_def_default();
    ploy_board board = ploy_board_of(ploy_board_backgammon(), &rules);
    uint64_t position[16] = {0};
    CHECK_OK(board.type->parse(
        &rules, "-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2; bar 0 0; off 0 0; 0", "test",
        position, NULL));
    static ploy_board_move moves[4096];
    ploy_rng rng = ploy_rng_make(1);
    int32_t doubles = 0, rolls = 3600;
    for (int32_t i = 0; i < rolls; i++) {
        ploy_board_move roll = ploy_board_roll(board, position, moves, &rng);
        doubles += (roll & 15) == (roll >> 4 & 15);
    }
    CHECK(doubles > 500 && doubles < 700); // one in six
    board.type->make(&rules, position, moves[0], NULL);
    CHECK_UINT(ploy_board_roll(board, position, moves, &rng), PLOY_BOARD_NO_MOVE);
}
