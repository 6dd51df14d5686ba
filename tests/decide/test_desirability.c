// The evaluators of a fighter: the table of GOA-17 to GOA-22.
#include "ploy/decide/desirability.h"
#include "tests/test.h"

TEST(scores_are_those_of_the_table) {
    // Health 0.5; distances: health 0.25, shotgun 0.5, railgun none, rocket launcher 0.3; half the
    // rounds of the shotgun, none of the others; a target.
    static const float shares[] = {0.5f, 0.0f, 0.0f};
    float strength = ploy_desirability_strength(shares, 3);
    CHECK_NEAR(ploy_desirability_health(0.2f, 0.5f, 0.25f), 0.40, 1e-6);
    CHECK_NEAR(ploy_desirability_weapon(0.15f, 0.5f, 0.5f, 0.5f), 0.075, 1e-6);
    CHECK_SAME(ploy_desirability_weapon(0.15f, 0.5f, 0.0f, 1.0f), 0.0);
    CHECK_NEAR(ploy_desirability_weapon(0.15f, 0.5f, 0.0f, 0.3f), 0.25, 1e-6);
    CHECK_NEAR(ploy_desirability_attack(1.0f, 0.5f, strength, true), 0.5 * 0.5 / 3.0, 1e-6);
    CHECK_SAME(ploy_desirability_attack(1.0f, 0.5f, strength, false), 0.0);
    // "More" of the table: 1.6 is clamped to 1; full health and half the rounds attack at 0.5.
    CHECK_SAME(ploy_desirability_health(0.2f, 0.2f, 0.1f), 1.0);
    CHECK_SAME(ploy_desirability_attack(1.0f, 1.0f, 0.5f, true), 0.5);
    // An attack is not clamped: a bias may take it above 1.
    CHECK_SAME(ploy_desirability_attack(1.5f, 1.0f, 1.0f, true), 1.5);
}

// GOA-18, printed: all railgun rounds, half the rockets, no shotgun.
TEST(strength_is_the_mean_of_the_shares) {
    static const float shares[] = {0.0f, 1.0f, 0.5f};
    CHECK_NEAR(ploy_desirability_strength(shares, 3), 0.5, 1e-6);
    CHECK_SAME(ploy_desirability_strength(NULL, 0), 0.0);
}

TEST(the_worst_inputs_stay_within_nothing_and_one) {
    CHECK_SAME(ploy_desirability_health(0.2f, 0.0f, 0.0f), 1.0); // on top of it
    CHECK_SAME(ploy_desirability_health(0.2f, 1.0f, 0.0f), 0.0); // and no use for it
    CHECK_SAME(ploy_desirability_health(0.2f, 0.0f, 2.0f), 0.0);
    CHECK_SAME(ploy_desirability_weapon(0.2f, 1.0f, 0.0f, NAN), 0.0);
    CHECK_SAME(ploy_desirability_health(NAN, 0.0f, 0.5f), 0.0);
    CHECK_SAME(ploy_desirability_health(0.2f, 2.0f, 0.5f), 0.0);
    CHECK_SAME(ploy_desirability_attack(1.0f, NAN, 1.0f, true), 0.0);
}
