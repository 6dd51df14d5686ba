// Fuzzy systems at work: weapons of the texts, every defuzzifier, activation, behaviors and guards;
// and random systems against a slow, obvious evaluation.
#include "decide/decide_internal.h"
#include "decide/fuzzy_internal.h"
#include "ploy/base/math.h"
#include "ploy/decide/fsm.h"
#include "ploy/decide/rule_set.h"
#include "ploy/decide/rules.h"
#include "tests/decide/fuzzy_weapons.h"

// FUZ-18: the grid of scores by the average of maxima.
TEST(the_rocket_launcher_scores_as_the_text_derives) {
    static const double distances[] = {25, 50, 100, 150, 200, 250, 300};
    static const double ammo[] = {0, 5, 8, 10, 20, 30};
    static const double want[7][6] = {
        {12.50, 12.50, 12.50, 12.50, 12.50, 12.50}, {20.00, 37.50, 31.25, 27.50, 33.93, 27.50},
        {35.00, 52.68, 56.25, 57.50, 54.17, 57.50}, {50.00, 68.75, 80.00, 87.50, 87.50, 87.50},
        {37.50, 54.69, 60.42, 62.50, 55.36, 75.00}, {25.00, 44.64, 39.58, 37.50, 45.31, 62.50},
        {12.50, 12.50, 12.50, 12.50, 31.25, 50.00}};
    weapon_options options = weapon_options_default();
    for (int32_t i = 0; i < 7; i++) {
        for (int32_t k = 0; k < 6; k++) {
            CHECK_NEAR(weapon_score(t, &weapon_rocket, options, distances[i], ammo[k]), want[i][k],
                       0.0051);
        }
    }
    options.edge = 1;
    CHECK_NEAR(weapon_score(t, &weapon_rocket, options, 200, 8), 60.2273, 1e-4);
    // The listing's rule instead: far and okay is desirable.
    weapon listing = weapon_rocket;
    listing.cells[7] = "desirable";
    CHECK_NEAR(weapon_score(t, &listing, options, 200, 8), 63.6364, 1e-4);
    options.edge = 0;
    CHECK_NEAR(weapon_score(t, &listing, options, 200, 8), 64.5833, 1e-4);
}

// FUZ-17.
TEST(combs_rules_score_as_the_text_derives) {
    weapon_options options = weapon_options_default();
    options.combs = true;
    CHECK_NEAR(weapon_score(t, NULL, options, 200, 8), 56.9444, 1e-4);
    options.edge = 1;
    CHECK_NEAR(weapon_score(t, NULL, options, 200, 8), 57.0313, 1e-4);
}

// An output alone whose sets are concluded at given degrees: FUZ-11..13, FZL-05..07.
static double blend(test_context *t, const ploy_fuzzy_set *sets, const double *degrees, double max,
                    ploy_fuzzy_variable_def def) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    CHECK_OK(ploy_fuzzy_type_create("blend", &env, &type));
    def.min = 0;
    def.max = max;
    int32_t output = ploy_fuzzy_type_output(type, "y", &def);
    int32_t block = ploy_fuzzy_type_block(type, "", NULL);
    static const char *const inputs[] = {"a", "b", "c"};
    static const char *const rules[] = {"if a is on then y is s0", "if b is on then y is s1",
                                        "if c is on then y is s2"};
    static const char *const names[] = {"s0", "s1", "s2"};
    ploy_fuzzy_set identity = ploy_fuzzy_set_make(PLOY_FUZZY_RAMP, 0, 1, 0, 0);
    for (int32_t i = 0; i < 3; i++) {
        int32_t input = ploy_fuzzy_type_input(type, inputs[i], NULL);
        (void)ploy_fuzzy_type_term(type, input, "on", &identity);
        (void)ploy_fuzzy_type_term(type, output, names[i], &sets[i]);
        (void)ploy_fuzzy_type_rule(type, block, rules[i], NULL);
    }
    CHECK_OK(ploy_fuzzy_type_finish(type, NULL));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    for (int32_t i = 0; i < 3; i++) ploy_fuzzy_set_input(fuzzy, i, degrees[i]);
    ploy_fuzzy_step(fuzzy, NULL);
    double value = ploy_fuzzy_output(fuzzy, 0);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    return value;
}

TEST(every_defuzzifier_gives_the_texts_values) {
    const ploy_fuzzy_set want[3] = {ploy_fuzzy_left_shoulder(0, 25, 50),
                                    ploy_fuzzy_triangle(25, 50, 75),
                                    ploy_fuzzy_right_shoulder(50, 75, 100)};
    const ploy_fuzzy_set speeds[3] = {ploy_fuzzy_trapezoid(0, 0, 0.2, 0.6),
                                      ploy_fuzzy_trapezoid(0.2, 0.8, 1.2, 2),
                                      ploy_fuzzy_trapezoid(1.2, 2.4, 4, 4)};
    const ploy_fuzzy_set singles[3] = {ploy_fuzzy_constant(0.2), ploy_fuzzy_constant(1),
                                       ploy_fuzzy_constant(3)};
    const double text[3] = {0.33, 0.2, 0.67}, thirds[3] = {1.0 / 3, 0.2, 2.0 / 3};
    const double mixed[3] = {0.2, 0.4, 0.7}, run[3] = {0, 0, 1}, even[3] = {0.33, 0.33, 0.34};
    const double much[3] = {0.6, 0.6, 0.7};
    enum { SETS = PLOY_FUZZY_CENTROID_OF_SETS };
    const struct {
        const char *row;
        const ploy_fuzzy_set *sets;
        const double *degrees;
        double max, want, tolerance;
        int32_t defuzzifier, samples;
        bool right_ends;
    } rows[] = {
        {"MOM, printed 83", want, text, 100, 83.375, 1e-3, PLOY_FUZZY_MEAN_OF_MAX, 100000, false},
        {"centroid of 10 right ends", want, text, 100, 62, 1e-9, SETS, 10, true},
        {"of 15", want, text, 100, 60.6475, 1e-4, SETS, 15, true},
        {"of 20", want, text, 100, 59.9288, 1e-4, SETS, 20, true},
        {"of many", want, text, 100, 57.6385, 1e-3, SETS, 100000, false},
        {"joined by max, 10", want, text, 100, 64.0870, 1e-4, PLOY_FUZZY_CENTROID, 10, true},
        {"joined, many", want, text, 100, 59.0265, 1e-3, PLOY_FUZZY_CENTROID, 100000, false},
        {"MaxAv", want, text, 100, 60.625, 1e-9, PLOY_FUZZY_BLEND_OF_MAX, 100, false},
        {"MaxAv of thirds", want, thirds, 100, 60.41667, 1e-5, PLOY_FUZZY_BLEND_OF_MAX, 1, false},
        {"the highest set alone", want, text, 100, 87.5, 1e-9, PLOY_FUZZY_HIGHEST_SET, 1, false},
        {"cropped regions summed", speeds, mixed, 4, 2.242112, 1e-4, SETS, 40000, false},
        {"regions united", speeds, mixed, 4, 2.338356, 1e-4, PLOY_FUZZY_CENTROID, 40000, false},
        {"one region", speeds, run, 4, 2.872727, 1e-4, PLOY_FUZZY_CENTROID, 40000, false},
        {"even regions summed", speeds, even, 4, 1.897242, 1e-4, SETS, 40000, false},
        {"even united", speeds, even, 4, 2.014292, 1e-4, PLOY_FUZZY_CENTROID, 40000, false},
        {"singletons, run", singles, run, 4, 3.0, 1e-9, PLOY_FUZZY_WEIGHTED_AVERAGE, 1, false},
        {"even", singles, even, 4, 1.416, 1e-9, PLOY_FUZZY_WEIGHTED_AVERAGE, 1, false},
        {"mixed", singles, mixed, 4, 1.953846, 1e-6, PLOY_FUZZY_WEIGHTED_AVERAGE, 1, false},
        {"much", singles, much, 4, 1.484211, 1e-6, PLOY_FUZZY_WEIGHTED_AVERAGE, 1, false},
        {"not normalised", singles, much, 4, 2.82, 1e-9, PLOY_FUZZY_WEIGHTED_SUM, 1, false},
        {"bisector", speeds, run, 4, 2.9, 1e-3, PLOY_FUZZY_BISECTOR, 20000, false},
        {"smallest of max", speeds, run, 4, 2.4, 1e-3, PLOY_FUZZY_SMALLEST_OF_MAX, 8000, false},
        {"largest of max", speeds, run, 4, 4, 1e-3, PLOY_FUZZY_LARGEST_OF_MAX, 8000, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
        def.defuzzifier = (ploy_fuzzy_defuzzifier)rows[i].defuzzifier;
        def.samples = rows[i].samples;
        def.sampling = rows[i].right_ends ? PLOY_FUZZY_RIGHT_ENDS : PLOY_FUZZY_MIDPOINTS;
        CHECK_NEAR(blend(t, rows[i].sets, rows[i].degrees, rows[i].max, def), rows[i].want,
                   rows[i].tolerance);
    }
}

// FUZ-10: 0.2 and 0.33 concluded on one set.
TEST(conclusions_of_one_set_join_by_max_or_bounded_sum) {
    weapon_options options = weapon_options_default();
    options.aggregation = PLOY_FUZZY_BOUNDED_SUM;
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    CHECK_OK(weapon_build(&weapon_rocket, options, &env, &type));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    ploy_fuzzy_set_input(fuzzy, 0, 200);
    ploy_fuzzy_set_input(fuzzy, 1, 8);
    ploy_fuzzy_step(fuzzy, NULL);
    // far and low 0.2, far and okay 1/3, both undesirable.
    CHECK_NEAR(ploy_fuzzy_degree(fuzzy, PLOY_FUZZY_OUTPUT, 0), 0.2 + 1.0 / 3, 1e-9);
    CHECK_NEAR(ploy_fuzzy_rule_degree(fuzzy, 0, 6), 0.2, 1e-9);
    CHECK_NEAR(ploy_fuzzy_rule_degree(fuzzy, 0, 7), 1.0 / 3, 1e-9);
    CHECK(ploy_fuzzy_rule_fired(fuzzy, 0, 7));
    CHECK(!ploy_fuzzy_rule_fired(fuzzy, 0, 8));
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
}

// FUZ-21: all ammunition at loads; what is chosen by distance.
TEST(the_best_weapon_changes_with_distance) {
    static const weapon shotgun = {{"very", "very", "very", "undesirable", "desirable", "desirable",
                                    "undesirable", "undesirable", "undesirable"}};
    static const weapon railgun = {{"undesirable", "undesirable", "undesirable", "desirable",
                                    "desirable", "desirable", "desirable", "very", "very"}};
    static const weapon blaster = {{"desirable", "desirable", "desirable", "undesirable",
                                    "undesirable", "undesirable", "undesirable", "undesirable",
                                    "undesirable"}};
    weapon_options options = weapon_options_default();
    CHECK_NEAR(weapon_score(t, &shotgun, options, 50, 30), 80, 1e-9);
    CHECK_NEAR(weapon_score(t, &blaster, options, 50, 30), 42.5, 1e-9);
    CHECK_NEAR(weapon_score(t, &weapon_rocket, options, 50, 30), 27.5, 1e-9);
    CHECK_NEAR(weapon_score(t, &railgun, options, 50, 30), 20, 1e-9);
    CHECK_NEAR(weapon_score(t, &railgun, options, 300, 30), 87.5, 1e-9);
    for (int32_t d = 26; d < 400; d++) {
        double shot = weapon_score(t, &shotgun, options, d, 30);
        double rocket = weapon_score(t, &weapon_rocket, options, d, 30);
        double rail = weapon_score(t, &railgun, options, d, 30);
        CHECK((shot > rocket) == (d <= 108));
        if (d > 108 && d != 225) CHECK((rail > rocket) == (d > 225));
    }
}

TEST(nothing_fires_gives_nan_the_fallback_or_the_previous_value) {
    ploy_env env = ploy_env_default();
    for (int32_t mode = 0; mode < 4; mode++) {
        ploy_fuzzy_type *type = NULL;
        ploy_fuzzy *fuzzy = NULL;
        CHECK_OK(ploy_fuzzy_type_create("", &env, &type));
        int32_t x = ploy_fuzzy_type_input(type, "x", NULL);
        ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
        def.min = 0;
        def.max = 1;
        def.fall_back = mode % 2 == 1;
        def.fallback = 7;
        def.lock_previous = mode / 2 == 1;
        def.defuzzifier = PLOY_FUZZY_WEIGHTED_AVERAGE;
        int32_t y = ploy_fuzzy_type_output(type, "y", &def);
        ploy_fuzzy_set near = ploy_fuzzy_triangle(0, 1, 2), five = ploy_fuzzy_constant(5);
        (void)ploy_fuzzy_type_term(type, x, "near", &near);
        (void)ploy_fuzzy_type_term(type, y, "five", &five);
        int32_t block = ploy_fuzzy_type_block(type, "", NULL);
        CHECK_OK(ploy_fuzzy_type_rule(type, block, "IF x IS near THEN y IS five", NULL));
        CHECK_OK(ploy_fuzzy_type_finish(type, NULL));
        CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
        ploy_fuzzy_step(fuzzy, NULL); // the input is NaN, which is near nothing
        CHECK(mode % 2 == 1 ? ploy_fuzzy_output(fuzzy, 0) == 7
                            : isnan(ploy_fuzzy_output(fuzzy, 0)));
        ploy_fuzzy_set_input(fuzzy, 0, 1.5);
        ploy_fuzzy_step(fuzzy, NULL);
        CHECK_NEAR(ploy_fuzzy_output(fuzzy, 0), 5, 0);
        ploy_fuzzy_set_input(fuzzy, 0, 3);
        ploy_fuzzy_step(fuzzy, NULL);
        double after = ploy_fuzzy_output(fuzzy, 0);
        CHECK(mode >= 2 ? after == 5 : mode == 1 ? after == 7 : isnan(after));
        ployi_fuzzy_reset(fuzzy);
        CHECK(isnan(ploy_fuzzy_output(fuzzy, 0)) && isnan(ploy_fuzzy_input(fuzzy, 0)));
        ploy_fuzzy_destroy(fuzzy);
        ploy_fuzzy_type_destroy(type);
    }
}

// Five rules of degrees 0.5, 0.2, 0.9, 0, 0.7, each to a constant of its own.
static void check_activation(test_context *t, ploy_fuzzy_block_def def, const char *fired,
                             double value) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    CHECK_OK(ploy_fuzzy_type_create("", &env, &type));
    ploy_fuzzy_variable_def weighted = ploy_fuzzy_variable_def_default();
    weighted.defuzzifier = PLOY_FUZZY_WEIGHTED_SUM;
    int32_t y = ploy_fuzzy_type_output(type, "y", &weighted);
    int32_t block = ploy_fuzzy_type_block(type, "b", &def);
    static const double degrees[] = {0.5, 0.2, 0.9, 0, 0.7};
    ploy_fuzzy_set identity = ploy_fuzzy_set_make(PLOY_FUZZY_RAMP, 0, 1, 0, 0);
    for (int32_t i = 0; i < 5; i++) {
        char name[] = "x0", term[] = "c0", rule[] = "if x0 is on then y is c0";
        name[1] = term[1] = rule[4] = rule[23] = (char)('0' + i);
        ploy_fuzzy_set constant = ploy_fuzzy_constant(i == 0 ? 1 : i * 10);
        (void)ploy_fuzzy_type_term(type, ploy_fuzzy_type_input(type, name, NULL), "on", &identity);
        (void)ploy_fuzzy_type_term(type, y, term, &constant);
        CHECK_OK(ploy_fuzzy_type_rule(type, block, rule, NULL));
    }
    CHECK_OK(ploy_fuzzy_type_finish(type, NULL));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    for (int32_t i = 0; i < 5; i++) ploy_fuzzy_set_input(fuzzy, i, degrees[i]);
    ploy_fuzzy_step(fuzzy, NULL);
    for (int32_t i = 0; i < 5; i++) {
        CHECK_INT(ploy_fuzzy_rule_fired(fuzzy, block, i), fired[i] == '1');
    }
    CHECK_NEAR(ploy_fuzzy_output(fuzzy, 0), value, 1e-9);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
}

TEST(each_activation_chooses_its_rules) {
    static const struct {
        const char *row;
        ploy_fuzzy_activation activation;
        int32_t count;
        ploy_fuzzy_comparison comparison;
        double threshold;
        const char *fired;
        double value;
    } rows[] = {
        {"all", PLOY_FUZZY_GENERAL, 1, PLOY_FUZZY_LESS, 0, "11101", 0.5 + 2 + 18 + 28},
        {"the first", PLOY_FUZZY_FIRST, 1, PLOY_FUZZY_LESS, 0, "10000", 0.5},
        {"the first two of 0.6", PLOY_FUZZY_FIRST, 2, PLOY_FUZZY_LESS, 0.6, "00101", 18 + 28},
        {"the last two", PLOY_FUZZY_LAST, 2, PLOY_FUZZY_LESS, 0, "00101", 18 + 28},
        {"none", PLOY_FUZZY_FIRST, 0, PLOY_FUZZY_LESS, 0, "00000", (double)INFINITY},
        {"the highest two", PLOY_FUZZY_HIGHEST, 2, PLOY_FUZZY_LESS, 0, "00101", 18 + 28},
        {"the lowest two", PLOY_FUZZY_LOWEST, 2, PLOY_FUZZY_LESS, 0, "11000", 0.5 + 2},
        {"in proportion", PLOY_FUZZY_PROPORTIONAL, 1, PLOY_FUZZY_LESS, 0, "11101", 48.5 / 2.3},
        {"above 0.5", PLOY_FUZZY_THRESHOLD, 1, PLOY_FUZZY_GREATER, 0.5, "00101", 46},
        {"at least 0.5", PLOY_FUZZY_THRESHOLD, 1, PLOY_FUZZY_AT_LEAST, 0.5, "10101", 46.5},
        {"just 0.2", PLOY_FUZZY_THRESHOLD, 1, PLOY_FUZZY_EQUAL, 0.2, "01000", 2},
        {"not 0.2", PLOY_FUZZY_THRESHOLD, 1, PLOY_FUZZY_UNEQUAL, 0.2, "10101", 46.5},
        {"below 0.5", PLOY_FUZZY_THRESHOLD, 1, PLOY_FUZZY_LESS, 0.5, "01000", 2},
        {"at most 0.5", PLOY_FUZZY_THRESHOLD, 1, PLOY_FUZZY_AT_MOST, 0.5, "11000", 2.5},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_fuzzy_block_def def = ploy_fuzzy_block_def_default();
        def.activation = rows[i].activation;
        def.count = rows[i].count;
        def.comparison = rows[i].comparison;
        def.threshold = rows[i].threshold;
        if (rows[i].value == (double)INFINITY) continue;
        check_activation(t, def, rows[i].fired, rows[i].value);
    }
}

// The plain way: every sample, every rule, straight from the definitions.
static double slow_output(const double *x, const ploy_fuzzy_set (*in)[3], const ploy_fuzzy_set *out,
                          const int32_t *cells, const ploy_fuzzy_block_def *norms,
                          ploy_fuzzy_norm aggregation, int32_t samples) {
    double area = 0, moment = 0;
    for (int32_t s = 0; s < samples; s++) {
        double at = 10 * (s + 0.5) / samples, y = 0;
        for (int32_t rule = 0; rule < 9; rule++) {
            double degree =
                ploy_fuzzy_join(norms->conjunction, ploy_fuzzy_membership(&in[0][rule / 3], x[0]),
                                ploy_fuzzy_membership(&in[1][rule % 3], x[1]));
            if (degree <= PLOY_FUZZY_TOLERANCE) continue;
            double set = ploy_fuzzy_membership(&out[cells[rule]], at);
            y = ploy_fuzzy_join(aggregation, y, ploy_fuzzy_join(norms->implication, set, degree));
        }
        area += y;
        moment += y * at;
    }
    return moment / area;
}

TEST(random_systems_equal_the_plain_way) {
    ploy_env env = ploy_env_default();
    static const char *const terms[] = {"a", "b", "c"};
    for (int64_t round = 0; round < test_rounds(60); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_fuzzy_type *type = NULL;
        ploy_fuzzy *fuzzy = NULL;
        CHECK_OK(ploy_fuzzy_type_create("", &env, &type));
        ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
        def.min = 0;
        def.max = 10;
        def.samples = ploy_rng_int(&rng, 1, 300);
        def.aggregation =
            (ploy_fuzzy_norm)ploy_rng_int(&rng, PLOY_FUZZY_MAXIMUM, PLOY_FUZZY_UNBOUNDED_SUM);
        if (round % 3 == 0) def.aggregation = PLOY_FUZZY_MAXIMUM; // the fast way
        ploy_fuzzy_set in[2][3], out[3];
        const char *cells[9];
        int32_t numbers[9];
        for (int32_t v = 0; v < 3; v++) {
            int32_t variable = v == 2 ? ploy_fuzzy_type_output(type, "y", &def)
                                      : ploy_fuzzy_type_input(type, v == 0 ? "p" : "q", &def);
            for (int32_t k = 0; k < 3; k++) {
                double middle = 10.0 * ploy_rng_double(&rng),
                       width = 0.5 + 6 * ploy_rng_double(&rng);
                ploy_fuzzy_set set = ploy_fuzzy_triangle(middle - width, middle, middle + width);
                if (ploy_rng_chance(&rng, 0.3f)) {
                    set = ploy_fuzzy_set_make(PLOY_FUZZY_GAUSSIAN, middle, width, 0, 0);
                }
                *(v == 2 ? &out[k] : &in[v][k]) = set;
                (void)ploy_fuzzy_type_term(type, variable, terms[k], &set);
            }
        }
        ploy_fuzzy_block_def norms = ploy_fuzzy_block_def_default();
        norms.conjunction =
            (ploy_fuzzy_norm)ploy_rng_int(&rng, PLOY_FUZZY_MINIMUM, PLOY_FUZZY_NILPOTENT_MINIMUM);
        norms.implication =
            (ploy_fuzzy_norm)ploy_rng_int(&rng, PLOY_FUZZY_MINIMUM, PLOY_FUZZY_ALGEBRAIC_PRODUCT);
        int32_t block = ploy_fuzzy_type_block(type, "", &norms);
        for (int32_t i = 0; i < 9; i++) {
            numbers[i] = ploy_rng_int(&rng, 0, 2);
            cells[i] = terms[numbers[i]];
        }
        CHECK_OK(ploy_fuzzy_type_matrix(type, block, 0, 1, PLOY_FUZZY_OUTPUT, cells));
        CHECK_OK(ploy_fuzzy_type_finish(type, NULL));
        CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
        for (int32_t i = 0; i < 10; i++) {
            double x[2] = {10 * ploy_rng_double(&rng), 10 * ploy_rng_double(&rng)};
            if (i > 0) x[1] = ploy_fuzzy_input(fuzzy, 1); // one that did not change
            ploy_fuzzy_set_input(fuzzy, 0, x[0]);
            ploy_fuzzy_set_input(fuzzy, 1, x[1]);
            ploy_fuzzy_step(fuzzy, NULL);
            double slow = slow_output(x, (const ploy_fuzzy_set(*)[3])in, out, numbers, &norms,
                                      def.aggregation, def.samples);
            double fast = ploy_fuzzy_output(fuzzy, 0);
            if (isnan(slow)) {
                CHECK(isnan(fast));
            } else {
                CHECK_NEAR(fast, slow, 1e-9);
            }
        }
        ploy_fuzzy_destroy(fuzzy);
        ploy_fuzzy_type_destroy(type);
    }
}

static const ploy_blackboard_key guard_keys[] = {
    {"distance", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"ammo", PLOY_VALUE_F64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"desirability", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
};

// FZL-17: a fuzzy test triggers a machine's transition; the system itself runs as a behavior.
// Inputs have a way of their own to the degrees of triangles: it must have the bits of their sets.
TEST(degrees_of_inputs_have_the_bits_of_their_sets) {
    const double far = (double)INFINITY;
    const double corners[][3] = {{0, 5, 10},       {0, 0, 10},     {0, 10, 10}, {-3, 0.1, 0.3},
                                 {1, 1 + 1e-7, 2}, {-far, 2, 8.0}, {2, 8, far}, {1e8, 2e8, 3e8}};
    static const double off[] = {0.0, 1e-7, 1e-6, 1.1e-6, 0.3, 1e3};
    enum { SETS = (int)COUNT_OF(corners) };
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    ploy_fuzzy_set sets[SETS];
    CHECK_OK(ploy_fuzzy_type_create("x", &env, &type));
    int32_t input = ploy_fuzzy_type_input(type, "x", NULL);
    for (int32_t k = 0; k < SETS; k++) {
        char name[4] = {'a', (char)('a' + k), '\0', '\0'};
        sets[k] = ploy_fuzzy_triangle(corners[k][0], corners[k][1], corners[k][2]);
        sets[k].height = k % 2 == 0 ? 1.0 : 0.7;
        CHECK_INT(ploy_fuzzy_type_term(type, input, name, &sets[k]), k);
    }
    CHECK_OK(ploy_fuzzy_type_finish(type, NULL));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    for (int32_t k = 0; k < SETS; k++) {
        for (int32_t i = 0; i < 3 * 2 * (int32_t)COUNT_OF(off); i++) {
            double x = corners[k][i % 3] + (i / 3 % 2 == 0 ? off[i / 6] : -off[i / 6]);
            ploy_fuzzy_set_input(fuzzy, input, x);
            ploy_fuzzy_step(fuzzy, NULL);
            for (int32_t n = 0; n < SETS; n++) {
                double want = ploy_fuzzy_membership(&sets[n], x);
                double got = ploy_fuzzy_degree(fuzzy, input, n);
                CHECK_BYTES(&got, &want, sizeof want);
            }
        }
    }
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
}

TEST(a_system_is_a_behavior_and_a_condition_of_other_techniques) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_layout_create(guard_keys, 3, "keys", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    ploy_fuzzy_type *type = NULL;
    CHECK_OK(ploy_fuzzy_type_create("bound", &env, &type));
    ploy_fuzzy_set low = ploy_fuzzy_left_shoulder(0, 0, 10),
                   near = ploy_fuzzy_left_shoulder(0, 25, 150);
    ploy_fuzzy_set fifty = ploy_fuzzy_constant(50);
    (void)ploy_fuzzy_type_term(type, ploy_fuzzy_type_input(type, "distance", NULL), "near", &near);
    (void)ploy_fuzzy_type_term(type, ploy_fuzzy_type_input(type, "ammo", NULL), "low", &low);
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.defuzzifier = PLOY_FUZZY_WEIGHTED_AVERAGE;
    int32_t y = ploy_fuzzy_type_output(type, "desirability", &def);
    (void)ploy_fuzzy_type_term(type, y, "fifty", &fifty);
    CHECK_OK(ploy_fuzzy_type_rule(type, ploy_fuzzy_type_block(type, "", NULL),
                                  "if distance is near then desirability is fifty", NULL));
    CHECK_OK(ploy_fuzzy_type_bind(type, layout));
    CHECK_OK(ploy_fuzzy_type_finish(type, NULL));
    ploy_fuzzy_guard *guard = NULL;
    CHECK_INT(ploy_fuzzy_guard_create(type, "distance is ner", 0.5, &env, &guard),
              PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_fuzzy_guard_create(type, "desirability is fifty", 0.5, &env, &guard),
              PLOY_ERR_ARGUMENT);
    CHECK(guard == NULL);
    CHECK_OK(
        ploy_fuzzy_guard_create(type, "distance is near and ammo is not low", 0.6, &env, &guard));
    (void)ploy_blackboard_set_f32(board, ploy_blackboard_layout_find(layout, "distance"), 50);
    (void)ploy_blackboard_set_f64(board, ploy_blackboard_layout_find(layout, "ammo"), 3);
    CHECK_NEAR(ployi_fuzzy_guard_degree(guard, board), 0.3, 1e-9); // not low is what holds it back
    // As the trigger of a machine.
    ploy_fsm_def fsm_def = ploy_fsm_def_default();
    ploy_fsm_type *fsm_type = NULL;
    ploy_fsm *fsm = NULL;
    CHECK_OK(ploy_fsm_type_create(&fsm_def, layout, &env, &fsm_type));
    ploy_fsm_state idle = ploy_fsm_type_state(fsm_type, "idle", NULL, ploy_maker_none());
    ploy_fsm_state think =
        ploy_fsm_type_state(fsm_type, "think", NULL, ploy_fuzzy_type_maker(type));
    ploy_fsm_rule rule = ploy_fsm_rule_make(
        "near", idle, ploy_fuzzy_guard_condition(guard, ploy_fsm_type_conditions(fsm_type)), think);
    CHECK_OK(ploy_fsm_type_add(fsm_type, &rule));
    CHECK_OK(ploy_fsm_type_finish(fsm_type, idle));
    CHECK_OK(ploy_fsm_create(fsm_type, NULL, &env, &fsm));
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    context.blackboard = board;
    ploy_status status;
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(fsm), &context));
    CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
    CHECK(ploy_fsm_state_equal(ploy_fsm_current(fsm), idle));
    (void)ploy_blackboard_set_f64(board, ploy_blackboard_layout_find(layout, "ammo"), 9);
    CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status));
    CHECK(ploy_fsm_state_equal(ploy_fsm_current(fsm), think));
    ploy_slot want = ploy_blackboard_layout_find(layout, "desirability");
    CHECK_NEAR(ploy_blackboard_get_f32(board, want), 50, 0);
    ploy_behavior_exit(ploy_fsm_behavior(fsm), &context, PLOY_EXIT_REMOVED);
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(fsm_type);
    ploy_fuzzy_guard_destroy(guard);
    ploy_fuzzy_type_destroy(type);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

static ploy_result build_and_step(const ploy_env *env, void *arg) {
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    (void)arg;
    weapon_options options = weapon_options_default();
    options.defuzzifier = PLOY_FUZZY_CENTROID;
    ploy_result result = weapon_build(&weapon_rocket, options, env, &type);
    if (result == PLOY_OK) result = ploy_fuzzy_create(type, env, &fuzzy);
    if (result == PLOY_OK) ploy_fuzzy_step(fuzzy, NULL);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    return result;
}

TEST(building_and_creating_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(build_and_step, NULL);
}

TEST(a_step_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    CHECK_OK(weapon_build(&weapon_rocket, weapon_options_default(), &env, &type));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    int64_t before = counts.calls;
    for (int32_t i = 0; i < 50; i++) {
        ploy_fuzzy_set_input(fuzzy, 0, i);
        ploy_fuzzy_set_input(fuzzy, 1, i);
        ploy_fuzzy_step(fuzzy, NULL);
    }
    CHECK_INT(counts.calls, before);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    CHECK_INT(counts.bytes, 0);
}

static void count_option(void *user, const char *name, ploy_outcome outcome, double score,
                         const char *reason) {
    (void)name, (void)score, (void)reason;
    ((int32_t *)user)[outcome]++;
}
static void ignore_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}
static void ignore_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void ignore_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void ignore_end(void *user) {
    (void)user;
}

// FZL-13: degrees of an input that has not changed are not computed again. Degrees that are altered
// behind the system's back show which of them a step uses.
TEST(degrees_of_an_unchanged_input_are_kept) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    CHECK_OK(ploy_fuzzy_type_create("cache", &env, &type));
    int32_t x = ploy_fuzzy_type_input(type, "x", NULL), y = ploy_fuzzy_type_input(type, "y", NULL);
    int32_t z = ploy_fuzzy_type_output(type, "z", NULL);
    ploy_fuzzy_set high = ploy_fuzzy_triangle(0.0, 1.0, 2.0);
    ploy_fuzzy_set above = ploy_fuzzy_formula("x - y"); // of both inputs
    CHECK_INT(ploy_fuzzy_type_term(type, x, "high", &high), 0);
    CHECK_INT(ploy_fuzzy_type_term(type, x, "above", &above), 1);
    CHECK_INT(ploy_fuzzy_type_term(type, y, "high", &high), 0);
    CHECK_INT(ploy_fuzzy_type_term(type, z, "high", &high), 0);
    int32_t block = ploy_fuzzy_type_block(type, "rules", NULL);
    CHECK_OK(ploy_fuzzy_type_rule(type, block, "if x is high then z is high", NULL));
    CHECK_OK(ploy_fuzzy_type_finish(type, NULL));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    double *degrees = fuzzy->degrees; // x high, x above, y high, in the order of adding
    ploy_fuzzy_set_input(fuzzy, x, 0.75);
    ploy_fuzzy_set_input(fuzzy, y, 0.25);
    ploy_fuzzy_step(fuzzy, NULL);
    CHECK_SAME(fuzzy->rules[0], 0.75);
    CHECK_SAME(degrees[1], 0.5);
    CHECK_SAME(degrees[2], 0.25);
    // Neither changed: both are kept, and the rule takes what is there. The formula is asked again.
    for (int32_t i = 0; i < 3; i++) degrees[i] = 0.125;
    ploy_fuzzy_set_input(fuzzy, x, 0.75); // the same once more
    ploy_fuzzy_step(fuzzy, NULL);
    CHECK_SAME(fuzzy->rules[0], 0.125);
    CHECK_SAME(degrees[1], 0.5);
    CHECK_SAME(degrees[2], 0.125);
    // One changed: it alone is computed, and what depends on it.
    ploy_fuzzy_set_input(fuzzy, y, 0.5);
    ploy_fuzzy_step(fuzzy, NULL);
    CHECK_SAME(fuzzy->rules[0], 0.125);
    CHECK_SAME(degrees[1], 0.25);
    CHECK_SAME(degrees[2], 0.5);
    // There and back again is a change.
    ploy_fuzzy_set_input(fuzzy, x, 1.0);
    ploy_fuzzy_step(fuzzy, NULL);
    CHECK_SAME(fuzzy->rules[0], 1.0);
    ploy_fuzzy_set_input(fuzzy, x, 0.75);
    ploy_fuzzy_step(fuzzy, NULL);
    CHECK_SAME(fuzzy->rules[0], 0.75);
    // A reset keeps nothing.
    degrees[0] = 0.125;
    ployi_fuzzy_reset(fuzzy);
    ploy_fuzzy_set_input(fuzzy, x, 0.75);
    ploy_fuzzy_step(fuzzy, NULL);
    CHECK_SAME(fuzzy->rules[0], 0.75);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
}

TEST(the_trace_tells_of_every_rule) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    int32_t outcomes[4] = {0};
    CHECK_OK(weapon_build(&weapon_rocket, weapon_options_default(), &env, &type));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    ploy_fuzzy_set_input(fuzzy, 0, 200);
    ploy_fuzzy_set_input(fuzzy, 1, 8);
    ploy_trace trace = {ignore_begin, count_option, ignore_value,
                        ignore_note,  ignore_end,   outcomes};
    ploy_fuzzy_step(fuzzy, &trace);
    CHECK_INT(outcomes[PLOY_OUTCOME_WON], 4); // medium and far, low and okay
    CHECK_INT(outcomes[PLOY_OUTCOME_REJECTED], 5);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
}

// FZL-17, RBS-17: a fuzzy test in a rule's pattern, and a fuzzy guard as the condition of a rule set.
static ploy_result count_firings(void *user, ploy_rules *rules, int32_t rule) {
    (void)rules, (void)rule;
    ++*(int32_t *)user;
    return PLOY_OK;
}

TEST(fuzzy_conditions_stand_in_rules) {
    ploy_env env = ploy_env_default();
    ploy_rulebase *base = NULL;
    int32_t relation = 0, fired = 0;
    const ploy_fuzzy_rule_test hurt = {ploy_fuzzy_left_shoulder(0, 20, 60), 0.5, "h"};
    CHECK_OK(ploy_rulebase_create(&env, &base));
    CHECK_OK(ploy_rulebase_add_relation(base, "health", &relation));
    ploy_rule_constraint holds;
    memset(&holds, 0, sizeof holds);
    holds.kind = PLOY_RULE_HOLDS;
    holds.call = ploy_fuzzy_rule_call(&hurt);
    ploy_rule_field field = {false, "h", &holds, 1};
    ploy_rule_slot_pattern slot = {0, &field, 1};
    ploy_rule_ce ce;
    memset(&ce, 0, sizeof ce);
    ce.kind = PLOY_RULE_PATTERN;
    ce.template_index = relation;
    ce.slots = &slot;
    ce.slot_count = 1;
    ploy_rule_def rule;
    memset(&rule, 0, sizeof rule);
    rule.name = "flee";
    rule.lhs = ce;
    CHECK_OK(ploy_rulebase_add_rule(base, &rule, NULL, NULL, NULL));
    ploy_rules_def def = ploy_rules_def_default();
    def.action = count_firings;
    def.user = &fired;
    ploy_rules *rules = NULL;
    CHECK_OK(ploy_rules_create(&def, base, &env, &rules));
    static const struct {
        double health;
        int32_t fired;
    } rows[] = {{80.0, 0}, {41.0, 0}, {40.0, 1}, {10.0, 2}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_rule_value value = ploy_rule_float(rows[i].health);
        CHECK_OK(ploy_rules_assert_ordered(rules, relation, &value, 1, NULL));
        CHECK_OK(ploy_rules_step(rules, NULL, NULL));
        CHECK_INT(fired, rows[i].fired);
    }
    ploy_rules_destroy(rules);
    ploy_rulebase_destroy(base);
}

TEST(a_fuzzy_guard_is_the_condition_of_a_rule_set) {
    static const ploy_blackboard_key keys[] = {
        {"health", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL}};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "x", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    ploy_fuzzy_type *fuzzy = NULL;
    CHECK_OK(ploy_fuzzy_type_create("health", &env, &fuzzy));
    int32_t health = ploy_fuzzy_type_input(fuzzy, "health", NULL);
    ploy_fuzzy_set low = ploy_fuzzy_left_shoulder(0, 20, 60);
    (void)ploy_fuzzy_type_term(fuzzy, health, "low", &low);
    CHECK_OK(ploy_fuzzy_type_bind(fuzzy, layout));
    CHECK_OK(ploy_fuzzy_type_finish(fuzzy, NULL));
    ploy_fuzzy_guard *guard = NULL;
    CHECK_OK(ploy_fuzzy_guard_create(fuzzy, "health is low", 0.5, &env, &guard));
    ploy_rule_set_def def = ploy_rule_set_def_default();
    ploy_rule_set_type *type = NULL;
    ploy_rule_set *set = NULL;
    CHECK_OK(ploy_rule_set_type_create(&def, layout, &env, &type));
    ploy_set_rule rule = ploy_set_rule_make("flee");
    rule.condition = ploy_fuzzy_guard_condition(guard, ploy_rule_set_type_conditions(type));
    CHECK_OK(ploy_rule_set_type_add(type, &rule));
    CHECK_OK(ploy_rule_set_type_finish(type));
    CHECK_OK(ploy_rule_set_create(type, &env, &set));
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    context.blackboard = board;
    for (int32_t i = 0; i < 2; i++) {
        const char *name = NULL;
        ploy_slot slot = {1};
        CHECK_OK(ploy_blackboard_set_f32(board, slot, i == 0 ? 50.0f : 30.0f));
        CHECK_OK(ploy_rule_set_step(set, &context, &name, NULL));
        CHECK(i == 0 ? name == NULL : strcmp(name, "flee") == 0);
    }
    ploy_rule_set_destroy(set);
    ploy_rule_set_type_destroy(type);
    ploy_fuzzy_guard_destroy(guard);
    ploy_fuzzy_type_destroy(fuzzy);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}
