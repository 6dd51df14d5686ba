// Rules as tables: the texts' examples, and the block formats against one another.
#include "ploy/base/rng.h"
#include "tests/decide/fuzzy_weapons.h"

// FZL-12: entry 0.1, exit 0.9, fast 0.4, slow 0.6; brake and accelerate.
TEST(the_block_format_decides_and_leaves_rules_early) {
    static const double degrees[] = {0.1, 0.9, 0.4, 0.6};
    static const int32_t states[4][2] = {{0, 2}, {1, 2}, {0, 3}, {1, 3}};
    const ploy_fuzzy_block_rule rules[] = {
        {states[0], 0}, {states[1], 1}, {states[2], 1}, {states[3], 1}};
    double out[2];
    CHECK_INT(ploy_fuzzy_block_decide(degrees, 2, rules, 4, out, 2), 7); // the third at its first
    CHECK_NEAR(out[0], 0.1, 0);
    CHECK_NEAR(out[1], 0.6, 0);
    // FZL-14: the same inputs by Combs' method.
    static const int32_t combs[] = {0, 1, 0, 1};
    ploy_fuzzy_block_decide_combs(degrees, 4, combs, out, 2);
    CHECK_NEAR(out[0], 0.4, 0);
    CHECK_NEAR(out[1], 0.9, 0);
    static const double mood[] = {0.4, 0.2, 0.0};
    static const int32_t conflicted[] = {0, 0, 0};
    ploy_fuzzy_block_decide_combs(mood, 3, conflicted, out, 1);
    CHECK_NEAR(out[0], 0.4, 0);
}

// FZL-13: all variants give the same degrees.
TEST(rules_one_by_one_and_the_complete_block_agree) {
    for (int64_t round = 0; round < test_rounds(200); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        int32_t inputs = ploy_rng_int(&rng, 1, 4), counts[4], first[4], total = 0, combos = 1;
        for (int32_t i = 0; i < inputs; i++) {
            counts[i] = ploy_rng_int(&rng, 1, 4);
            first[i] = total;
            total += counts[i];
            combos *= counts[i];
        }
        double degrees[16], a[3], b[3];
        for (int32_t i = 0; i < total; i++) degrees[i] = ploy_rng_double(&rng);
        int32_t conclusions[256], states[256][4];
        ploy_fuzzy_block_rule rules[256];
        for (int32_t c = 0; c < combos; c++) {
            conclusions[c] = ploy_rng_int(&rng, 0, 2);
            for (int32_t i = inputs - 1, rest = c; i >= 0; i--) {
                states[c][i] = first[i] + rest % counts[i];
                rest /= counts[i];
            }
            rules[c].states = states[c];
            rules[c].conclusion = conclusions[c];
        }
        (void)ploy_fuzzy_block_decide(degrees, inputs, rules, combos, a, 3);
        CHECK_OK(ploy_fuzzy_block_decide_complete(degrees, counts, inputs, conclusions, b, 3));
        for (int32_t i = 0; i < 3; i++) CHECK_SAME(a[i], b[i]);
    }
    double out[1];
    static const int32_t bad[1] = {0};
    CHECK_INT(ploy_fuzzy_block_decide_complete(out, bad, 1, bad, out, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_fuzzy_block_decide_complete(out, bad, 17, bad, out, 1), PLOY_ERR_ARGUMENT);
}

// FUZ-08, FUZ-17: nine rules of a matrix, six of Combs'.
TEST(a_matrix_becomes_rules_and_is_printed_back) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    weapon_options options = weapon_options_default();
    CHECK_OK(weapon_build(&weapon_rocket, options, &env, &type));
    CHECK_INT(ploy_fuzzy_type_rules(type, 0), 9);
    CHECK_TEXT(ploy_fuzzy_type_rule_text(type, 0, 4),
               "if distance is medium and ammo is okay then desirability is very");
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    ploy_fuzzy_set_input(fuzzy, 0, 200);
    ploy_fuzzy_set_input(fuzzy, 1, 8);
    ploy_fuzzy_step(fuzzy, NULL);
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_fuzzy_print_matrix(fuzzy, 0, 1, PLOY_FUZZY_OUTPUT, &writer);
    CHECK(strstr(ploy_buffer_text(&text), "very 0.667*") != NULL);
    CHECK(strstr(ploy_buffer_text(&text), "undesirable 0.333*") != NULL);
    CHECK(strstr(ploy_buffer_text(&text), "very 0 ") != NULL); // medium, loads: did not fire
    ploy_buffer_fini(&text);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    options.combs = true;
    CHECK_OK(weapon_build(NULL, options, &env, &type));
    CHECK_INT(ploy_fuzzy_type_rules(type, -1), 6);
    ploy_fuzzy_type_destroy(type);
}

TEST(a_vote_turns_a_matrix_into_combs_rules) {
    static const int32_t cells[9] = {0, 0, 0, 1, 2, 2, 0, 0, 1};
    int32_t rows[3], columns[3];
    ploy_fuzzy_combs_vote(cells, 3, 3, 3, rows, columns);
    CHECK_INT(rows[0], 0);
    CHECK_INT(rows[1], 2);
    CHECK_INT(rows[2], 0);
    CHECK_INT(columns[0], 0);
    CHECK_INT(columns[1], 0);
    CHECK_INT(columns[2], 2); // each one vote: the later term
    static const int32_t none[1] = {-1};
    ploy_fuzzy_combs_vote(none, 1, 1, 3, rows, columns);
    CHECK_INT(rows[0], -1);
}

TEST(a_matrix_of_unknown_variables_is_refused) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    CHECK_OK(ploy_fuzzy_type_create("", &env, &type));
    CHECK_INT(ploy_fuzzy_type_matrix(type, 0, 0, 1, PLOY_FUZZY_OUTPUT, weapon_rocket.cells),
              PLOY_ERR_ARGUMENT);
    ploy_fuzzy_type_destroy(type);
}
