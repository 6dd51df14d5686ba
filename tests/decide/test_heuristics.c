#include "decide/decide_internal.h"
#include "ploy/decide/heuristics.h"

#include "ploy/base/rng.h"
#include "tests/test.h"

// ENG-08: pawn 1, knight 3, bishop 3, rook 5, queen 8.
TEST(values_tell_who_is_ahead_and_what_is_worth_its_price) {
    static const double values[] = {1, 3, 3, 5, 8};
    static const int32_t full[] = {8, 2, 2, 2, 1}, less[] = {6, 2, 1, 2, 1};
    CHECK_SAME(ployi_worth_of_side(values, full, 5), 38);
    CHECK_SAME(ploy_worth_advantage(values, full, less, 5), 5);
    CHECK_SAME(ploy_worth_advantage(values, less, full, 5), -5);
    static const double costs[] = {2, 4, 0, 5, NAN};
    CHECK_INT(ployi_worth_best_buy(values, costs, 5, 10), 3);
    CHECK_INT(ployi_worth_best_buy(values, costs, 5, 4), 1);
    CHECK_INT(ployi_worth_best_buy(values, costs, 5, 1), -1);
}

// ENG-08: only one member's rifle pierces the armour, so that member takes it.
TEST(what_only_one_can_do_is_given_away_first) {
    static const bool can[] = {
        true, true,  // the rifleman: both targets
        true, false, // the others: the first only
        true, false,
    };
    int32_t taker[2];
    bool idle[3];
    CHECK_INT(ploy_most_constrained_first(can, 3, 2, taker, idle), 2);
    CHECK_INT(taker[1], 0);
    CHECK_INT(taker[0], 1);
    CHECK(!idle[0] && !idle[1] && idle[2]);
}

// It never does worse than taking items in order, and gives nothing to one who cannot.
TEST(most_constrained_first_gives_away_at_least_as_much_as_the_order_does_on_the_whole) {
    int64_t ours = 0, naive = 0;
    for (int64_t seed = 0; seed < test_rounds(400); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        bool can[6 * 6], idle[6], used[6] = {false};
        int32_t taker[6];
        for (size_t i = 0; i < COUNT_OF(can); i++) can[i] = ploy_rng_chance(&rng, 0.35f);
        int32_t given = ploy_most_constrained_first(can, 6, 6, taker, idle), counted = 0;
        for (int32_t j = 0; j < 6; j++) {
            if (taker[j] < 0) continue;
            counted++;
            CHECK(can[taker[j] * 6 + j]);
            CHECK(!used[taker[j]]);
            used[taker[j]] = true;
        }
        CHECK_INT(counted, given);
        bool taken[6] = {false};
        for (int32_t j = 0; j < 6; j++) {
            for (int32_t i = 0; i < 6; i++) {
                if (taken[i] || !can[i * 6 + j]) continue;
                taken[i] = true;
                naive++;
                break;
            }
        }
        ours += given;
    }
    CHECK(ours > naive);
}

// ENG-08: a troll of size 4 and five orcs of 1 into two squads of 5: orcs first leaves 2 and 3.
TEST(the_largest_is_placed_first) {
    static const float sizes[] = {1, 1, 1, 1, 1, 4};
    for (int32_t sorted = 0; sorted < 2; sorted++) {
        float room[2] = {5, 5};
        int32_t group[6], order[6];
        CHECK_INT(ploy_most_difficult_first(sizes, 6, room, 2, sorted == 1, group, order),
                  sorted == 1 ? 6 : 5);
        CHECK_INT(group[5] >= 0, sorted);
        if (sorted == 0) {
            CHECK_SAME(room[0] < room[1] ? room[0] : room[1], 2);
            CHECK_SAME(room[0] < room[1] ? room[1] : room[0], 3);
        } else {
            CHECK_SAME(room[0] + room[1], 1);
        }
    }
    static const float odd[] = {NAN, -1, 9};
    float room[1] = {5};
    int32_t group[3], order[3];
    CHECK_INT(ploy_most_difficult_first(odd, 3, room, 1, true, group, order), 0);
}

TEST(the_most_promising_comes_first_and_nan_last) {
    static const float scores[] = {1, NAN, 3, 1, -2};
    static const int32_t want[] = {2, 0, 3, 4, 1};
    int32_t order[5];
    ployi_most_promising_first(scores, 5, order);
    for (int32_t i = 0; i < 5; i++) CHECK_INT(order[i], want[i]);
}

TEST(a_unit_creeps_only_a_little_and_not_out_of_its_line) {
    static const struct {
        const char *row;
        float enemy;
        bool hold;
        float want;
    } rows[] = {
        {"in reach", 4.9f, false, 0},          {"just in reach", 5, false, 0},
        {"just out of it", 5.5f, false, 0.5f}, {"as far as it may", 6, false, 1},
        {"too far", 6.01f, false, 0},          {"told to hold", 5.5f, true, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_vec2 from = {0, 0}, enemy = {rows[i].enemy, 0};
        ploy_vec2 step = ployi_reach_creep(from, enemy, 5, 1, rows[i].hold);
        CHECK_NEAR(step.x, rows[i].want, 1e-6);
        CHECK_SAME(step.y, 0);
    }
}

TEST(the_exit_nearest_to_the_target_is_taken) {
    static const ploy_vec2 exits[] = {{0, 3}, {0.1f, 0}, {0, -1}, {0, 0}};
    ploy_vec2 up = {1, 5}, right = {5, 1}, left = {-5, 0.5f};
    CHECK_INT(ployi_greedy_junction(exits, 4, up, -1), 0);
    CHECK_INT(ployi_greedy_junction(exits, 4, right, -1), 1);
    CHECK_INT(ployi_greedy_junction(exits, 4, left, -1), 0);
    CHECK_INT(ployi_greedy_junction(exits, 4, up, 0), 1);
    CHECK_INT(ployi_greedy_junction(exits, 1, right, 0), 0); // a dead end
    CHECK_INT(ployi_greedy_junction(exits + 3, 1, right, -1), -1);
    CHECK_INT(ployi_greedy_junction(exits, 0, right, -1), -1);
}
