// Rules as tables: the texts' examples, and the block formats against one another.
#include "decide/decide_internal.h"
#include "ploy/base/rng.h"
#include "tests/decide/fuzzy_weapons.h"

// FZL-12: entry 0.1, exit 0.9, fast 0.4, slow 0.6; brake and accelerate.
TEST(the_block_format_decides_and_leaves_rules_early) {
    static const double degrees[] = {0.1, 0.9, 0.4, 0.6};
    static const int32_t states[4][2] = {{0, 2}, {1, 2}, {0, 3}, {1, 3}};
    const ploy_fuzzy_block_rule rules[] = {
        {states[0], 0}, {states[1], 1}, {states[2], 1}, {states[3], 1}};
    double out[2];
    CHECK_INT(ployi_fuzzy_block_decide(degrees, 2, rules, 4, out, 2), 7); // the third at its first
    CHECK_NEAR(out[0], 0.1, 0);
    CHECK_NEAR(out[1], 0.6, 0);
    // FZL-14: the same inputs by Combs' method.
    static const int32_t combs[] = {0, 1, 0, 1};
    ployi_fuzzy_block_decide_combs(degrees, 4, combs, out, 2);
    CHECK_NEAR(out[0], 0.4, 0);
    CHECK_NEAR(out[1], 0.9, 0);
    static const double mood[] = {0.4, 0.2, 0.0};
    static const int32_t conflicted[] = {0, 0, 0};
    ployi_fuzzy_block_decide_combs(mood, 3, conflicted, out, 1);
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
        (void)ployi_fuzzy_block_decide(degrees, inputs, rules, combos, a, 3);
        CHECK_OK(ployi_fuzzy_block_decide_complete(degrees, counts, inputs, conclusions, b, 3));
        for (int32_t i = 0; i < 3; i++) CHECK_SAME(a[i], b[i]);
    }
    double out[1];
    static const int32_t bad[1] = {0};
    CHECK_INT(ployi_fuzzy_block_decide_complete(out, bad, 1, bad, out, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_fuzzy_block_decide_complete(out, bad, 17, bad, out, 1), PLOY_ERR_ARGUMENT);
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
    ployi_fuzzy_print_matrix(fuzzy, 0, 1, PLOY_FUZZY_OUTPUT, &writer);
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

// FZL-01, FZL-13: bytes for many characters give what doubles give for each, rounded.
TEST(bytes_decide_as_doubles_do) {
    for (uint64_t seed = 1; seed <= 40; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        enum { CHARACTERS = 300, STATES = 9, INPUTS = 3, RULES = 12, OUTPUTS = 4 };
        static uint8_t degrees[STATES * CHARACTERS], out[OUTPUTS * CHARACTERS];
        static double exact[STATES * CHARACTERS];
        int32_t states[RULES][INPUTS];
        ploy_fuzzy_block_rule rules[RULES];
        for (int32_t r = 0; r < RULES; r++) {
            for (int32_t i = 0; i < INPUTS; i++) {
                states[r][i] = 3 * i + (int32_t)ploy_rng_below(&rng, 3);
            }
            rules[r].states = states[r];
            rules[r].conclusion = (int32_t)ploy_rng_below(&rng, OUTPUTS);
        }
        int32_t characters = seed % 3 == 0 ? CHARACTERS : 1 + (int32_t)seed;
        for (int32_t i = 0; i < STATES * characters; i++) {
            exact[i] = ploy_rng_double(&rng);
            degrees[i] = ploy_fuzzy_to_byte(exact[i]);
        }
        ployi_fuzzy_block_decide_bytes(degrees, characters, INPUTS, rules, RULES, out, OUTPUTS);
        for (int32_t c = 0; c < characters; c++) {
            double one[STATES], want[OUTPUTS];
            for (int32_t s = 0; s < STATES; s++) one[s] = exact[s * characters + c];
            (void)ployi_fuzzy_block_decide(one, INPUTS, rules, RULES, want, OUTPUTS);
            for (int32_t o = 0; o < OUTPUTS; o++) {
                CHECK_INT(out[o * characters + c], ploy_fuzzy_to_byte(want[o]));
            }
        }
    }
    CHECK_INT(ploy_fuzzy_to_byte((double)NAN), 0);
    CHECK_INT(ploy_fuzzy_to_byte(2.0), 255);
    for (int32_t i = 0; i < 256; i++) {
        CHECK_INT(ploy_fuzzy_to_byte(ployi_fuzzy_from_byte((uint8_t)i)), i);
        // not: the byte of 1 - d is 255 less the byte of d
        CHECK_INT(ploy_fuzzy_to_byte(1.0 - ployi_fuzzy_from_byte((uint8_t)i)), 255 - i);
    }
}

// FUZ-19: five sets a variable make 25 rules; ten of Combs' rules come near them.
static const char *const five_distances[] = {"touching", "close", "medium", "far", "remote"};
static const char *const five_amounts[] = {"none", "low", "okay", "much", "loads"};
static const char *const five_wishes[] = {"never", "no", "maybe", "yes", "very"};

static void five_terms(ploy_fuzzy_type *type, int32_t variable, const char *const *names,
                       const double *peaks, double max) {
    for (int32_t i = 0; i < 5; i++) {
        ploy_fuzzy_set set = i == 0   ? ploy_fuzzy_left_shoulder(0, peaks[0], peaks[1])
                             : i == 4 ? ploy_fuzzy_right_shoulder(peaks[3], peaks[4], max)
                                      : ploy_fuzzy_triangle(peaks[i - 1], peaks[i], peaks[i + 1]);
        (void)ploy_fuzzy_type_term(type, variable, names[i], &set);
    }
}

static ploy_result five_build(bool combs, const ploy_env *env, ploy_fuzzy_type **out) {
    static const double distances[] = {10, 50, 150, 250, 350}, amounts[] = {0, 5, 10, 20, 30};
    static const double wishes[] = {10, 30, 50, 70, 90};
    // The rocket launcher: best at medium range, and the more rounds the better.
    static const char *const cells[25] = {
        "never", "never", "never", "no",    "no",   "never", "no",    "no", "maybe",
        "maybe", "no",    "maybe", "yes",   "very", "very",  "never", "no", "maybe",
        "yes",   "yes",   "never", "never", "no",   "maybe", "maybe"};
    ploy_fuzzy_type *type = NULL;
    ploy_result result = ploy_fuzzy_type_create("five", env, &type);
    if (result != PLOY_OK) return result;
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.min = 0;
    def.max = 400;
    int32_t distance = ploy_fuzzy_type_input(type, "distance", &def);
    five_terms(type, distance, five_distances, distances, 400);
    def.max = 40;
    int32_t ammo = ploy_fuzzy_type_input(type, "ammo", &def);
    five_terms(type, ammo, five_amounts, amounts, 40);
    def.max = 100;
    def.defuzzifier = PLOY_FUZZY_BLEND_OF_MAX;
    int32_t wish = ploy_fuzzy_type_output(type, "wish", &def);
    five_terms(type, wish, five_wishes, wishes, 100);
    int32_t block = ploy_fuzzy_type_block(type, "rules", NULL);
    if (combs) {
        int32_t numbers[25], rows[5], columns[5];
        const char *by_row[5], *by_column[5];
        for (int32_t i = 0; i < 25; i++) {
            numbers[i] = ploy_fuzzy_type_find_term(type, wish, cells[i]);
        }
        ploy_fuzzy_combs_vote(numbers, 5, 5, 5, rows, columns);
        for (int32_t i = 0; i < 5; i++) {
            by_row[i] = five_wishes[rows[i]];
            by_column[i] = five_wishes[columns[i]];
        }
        (void)ploy_fuzzy_type_combs(type, block, distance, wish, by_row);
        (void)ploy_fuzzy_type_combs(type, block, ammo, wish, by_column);
    } else {
        (void)ploy_fuzzy_type_matrix(type, block, distance, ammo, wish, cells);
    }
    result = ploy_fuzzy_type_finish(type, NULL);
    if (result != PLOY_OK) {
        ploy_fuzzy_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

TEST(five_sets_make_25_rules_and_ten_of_combs) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *types[2];
    ploy_fuzzy *systems[2];
    for (int32_t k = 0; k < 2; k++) {
        CHECK_OK(five_build(k == 1, &env, &types[k]));
        CHECK_INT(ploy_fuzzy_type_rules(types[k], -1), k == 0 ? 25 : 10);
        CHECK_OK(ploy_fuzzy_create(types[k], &env, &systems[k]));
    }
    // The two surfaces: both rise and fall with the distance, with their ridge at medium range, and
    // rise with the ammunition; on the average they are a quarter of the scale apart at most.
    double apart = 0.0, best[2] = {0.0, 0.0};
    int32_t points = 0, ridge[2] = {0, 0};
    for (int32_t ammo = 0; ammo <= 40; ammo += 2) {
        for (int32_t distance = 0; distance <= 400; distance += 10) {
            double value[2];
            for (int32_t k = 0; k < 2; k++) {
                ploy_fuzzy_set_input(systems[k], 0, distance);
                ploy_fuzzy_set_input(systems[k], 1, ammo);
                ploy_fuzzy_step(systems[k], NULL);
                value[k] = ploy_fuzzy_output(systems[k], 0);
                CHECK(value[k] >= 0.0 && value[k] <= 100.0);
                if (value[k] > best[k]) best[k] = value[k], ridge[k] = distance;
            }
            apart += value[0] > value[1] ? value[0] - value[1] : value[1] - value[0];
            points++;
        }
    }
    for (int32_t k = 0; k < 2; k++) CHECK(ridge[k] >= 100 && ridge[k] <= 200);
    CHECK_NEAR(best[0], 90.0, 5.0);
    CHECK(apart / points < 25.0);
    for (int32_t k = 0; k < 2; k++) {
        ploy_fuzzy_destroy(systems[k]);
        ploy_fuzzy_type_destroy(types[k]);
    }
}
