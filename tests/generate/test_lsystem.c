// String L-systems: published lengths, the turtle, the text format and its faults, limits.
#include "tests/test.h"

#include <stdlib.h>

#include "ploy/base/math.h"
#include "ploy/generate/lsystem.h"

static ploy_lsystem_rules *lsystem_test_load(test_context *t, const char *text,
                                             const ploy_env *env) {
    ploy_lsystem_rules *rules = NULL;
    CHECK_OK(ploy_lsystem_rules_load(text, strlen(text), "test", env, NULL, &rules));
    return rules;
}

static ploy_lsystem *lsystem_test_run(test_context *t, const ploy_lsystem_rules *rules,
                                      int32_t generations, const ploy_env *env) {
    ploy_lsystem_def def = ploy_lsystem_def_default();
    def.generations = generations;
    ploy_lsystem *lsystem = NULL;
    CHECK_OK(ploy_lsystem_begin(&def, ploy_rng_key_make(1), rules, NULL, env, &lsystem));
    CHECK_OK(ploy_lsystem_step(lsystem, NULL));
    return lsystem;
}

TEST(strings_have_the_published_lengths) {
    static const struct {
        const char *row, *text;
        int32_t lengths[12];
    } rows[] = {
        {"algae", "axiom A\nrule A -> AB\nrule B -> A\n", {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144}},
        {"koch", "axiom F\nrule F -> F+F-F-F+F\n", {1, 9, 49, 249, 1249, 6249}},
        {"snowflake", "axiom F--F--F\nrule F -> F+F--F+F\n", {7, 28, 112, 448, 1792, 7168}},
        {"dragon",
         "axiom FX\nrule X -> X+YF+\nrule Y -> -FX-Y\n",
         {2, 6, 14, 30, 62, 126, 254, 510, 1022}},
        {"hilbert",
         "axiom A\nrule A -> +BF-AFA-FB+\nrule B -> -AF+BFB+FA-\n",
         {1, 11, 51, 211, 851, 3411}},
        {"sierpinski",
         "axiom F-G-G\nrule F -> F-G+F+G-F\nrule G -> GG\n",
         {5, 15, 45, 135, 405, 1215}},
        {"gosper",
         "axiom A\nrule A -> A-B--B+A++AA+B-\nrule B -> +A-BB--B-A++A+B\n",
         {1, 15, 113, 799, 5601}},
        {"plant",
         "axiom X\nrule X -> F+[[X]-X]-F[-FX]+X\nrule F -> FF\n",
         {1, 18, 89, 379, 1551, 6263, 25159}},
        {"bush", "axiom F\nrule F -> F[+F]F[-F]F\n", {1, 11, 61, 311, 1561}},
        {"binary", "axiom 0\nrule 0 -> 1[0]0\nrule 1 -> 11\n", {1, 5, 14, 34, 78, 174}},
        {"cantor", "axiom A\nrule A -> ABA\nrule B -> BBB\n", {1, 3, 9, 27, 81, 243}},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_lsystem_rules *rules = lsystem_test_load(t, rows[i].text, &env);
        for (int32_t k = 0; k < 12 && rows[i].lengths[k] > 0; k++) {
            ploy_lsystem *lsystem = lsystem_test_run(t, rules, k, &env);
            int32_t length = 0;
            const char *string = ploy_lsystem_string(lsystem, &length);
            CHECK_INT(length, rows[i].lengths[k]);
            CHECK_INT(strlen(string), length);
            ploy_lsystem_cancel(lsystem);
        }
        ploy_lsystem_rules_destroy(rules);
    }
}

TEST(drawn_segments_have_the_published_counts) {
    ploy_env env = ploy_env_default();
    ploy_lsystem_rules *koch =
        lsystem_test_load(t, "axiom F\nangle 90\nrule F -> F+F-F-F+F\n", &env);
    ploy_lsystem_rules *hilbert = lsystem_test_load(
        t, "axiom A\nangle 90\nrule A -> +BF-AFA-FB+\nrule B -> -AF+BFB+FA-\n", &env);
    for (int32_t n = 0, power5 = 1, power4 = 1; n <= 5; n++, power5 *= 5, power4 *= 4) {
        ploy_lsystem *one = lsystem_test_run(t, koch, n, &env);
        ploy_lsystem *two = lsystem_test_run(t, hilbert, n, &env);
        int32_t count = 0;
        const ploy_plant_branch *branches = ploy_plant_branches(ploy_lsystem_plant(one), &count);
        CHECK_INT(count, power5);
        // The curve ends 3^n segments from its start, straight ahead.
        double want = 1.0;
        for (int32_t i = 0; i < n; i++) want *= 3.0;
        CHECK_NEAR(ploy_plant_end(&branches[count - 1]).y, want, 1e-3 * want);
        CHECK_NEAR(ploy_plant_end(&branches[count - 1]).x, 0.0, 1e-3 * want);
        ploy_plant_branches(ploy_lsystem_plant(two), &count);
        CHECK_INT(count, power4 - 1);
        ploy_lsystem_cancel(one);
        ploy_lsystem_cancel(two);
    }
    ploy_lsystem_rules_destroy(koch);
    ploy_lsystem_rules_destroy(hilbert);
}

TEST(the_turtle_turns_shrinks_and_returns) {
    static const struct {
        const char *row, *axiom;
        bool space;
        double x, y, z, length, width;
    } rows[] = {
        {"straight", "FF", false, 0, 4, 0, 2, 0.5},
        {"left", "F+F", false, -2, 2, 0, 2, 0.5},
        {"right", "F-F", false, 2, 2, 0, 2, 0.5},
        {"around", "F|F", false, 0, 0, 0, 2, 0.5},
        {"jump", "Ff+F", false, -2, 4, 0, 2, 0.5},
        {"back", "F[+FF]F", false, 0, 4, 0, 2, 0.5},
        {"shrink", "F\"F", false, 0, 3, 0, 1, 0.5},
        {"thin", "F!F", false, 0, 4, 0, 2, 0.25},
        {"one bracket too many", "F]F", false, 0, 4, 0, 2, 0.5},
        {"pitch is for space", "F&F", false, 0, 4, 0, 2, 0.5},
        {"space", "FF", true, 0, 0, 4, 2, 0.5},
        {"pitch down", "F&F", true, 2, 0, 2, 2, 0.5},
        {"pitch up", "F^F", true, -2, 0, 2, 2, 0.5},
        {"roll", "F\\+F", true, -2, 0, 2, 2, 0.5},
        {"roll back", "F/+F", true, 2, 0, 2, 2, 0.5},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char text[128];
        snprintf(text, sizeof text, "axiom %s\nangle 90\nlength 2\nwidth 0.5\nshrink 0.5\n%s",
                 rows[i].axiom, rows[i].space ? "space\n" : "");
        ploy_lsystem_rules *rules = lsystem_test_load(t, text, &env);
        ploy_lsystem *lsystem = lsystem_test_run(t, rules, 0, &env);
        int32_t count = 0;
        const ploy_plant_branch *branches =
            ploy_plant_branches(ploy_lsystem_plant(lsystem), &count);
        const ploy_plant_branch *last = &branches[count - 1];
        ploy_vec3 end = ploy_plant_end(last);
        CHECK_NEAR(end.x, rows[i].x, 1e-5);
        CHECK_NEAR(end.y, rows[i].y, 1e-5);
        CHECK_NEAR(end.z, rows[i].z, 1e-5);
        CHECK_NEAR(last->length, rows[i].length, 1e-6);
        CHECK_NEAR(2.0f * last->radius, rows[i].width, 1e-6);
        ploy_lsystem_cancel(lsystem);
        ploy_lsystem_rules_destroy(rules);
    }
}

TEST(branches_know_their_parents_and_leaves_their_branch) {
    ploy_env env = ploy_env_default();
    ploy_lsystem_rules *rules = lsystem_test_load(t, "axiom F[+FL]FL\n", &env);
    ploy_lsystem *lsystem = lsystem_test_run(t, rules, 0, &env);
    int32_t count = 0, leaves = 0;
    const ploy_plant_branch *branches = ploy_plant_branches(ploy_lsystem_plant(lsystem), &count);
    const ploy_plant_leaf *leaf = ploy_plant_leaves(ploy_lsystem_plant(lsystem), &leaves);
    CHECK_INT(count, 3);
    CHECK_INT(branches[0].parent, -1);
    CHECK_INT(branches[1].parent, 0);
    CHECK_INT(branches[2].parent, 0);
    CHECK_INT(branches[2].level, 1);
    CHECK(branches[0].rule >= 0 && branches[1].rule < 0);
    CHECK_INT(leaves, 2);
    CHECK_INT(leaf[1].branch, 2);
    ploy_lsystem_cancel(lsystem);
    ploy_lsystem_rules_destroy(rules);
}

TEST(weights_choose_among_the_rules_of_a_letter) {
    ploy_env env = ploy_env_default();
    char *text = malloc(40000);
    char *at = text + sprintf(text, "axiom ");
    for (int32_t i = 0; i < 20000; i++) *at++ = 'A';
    strcpy(at, "\nrule A 3 -> B\nrule A 1 -> C\nrule A 0 -> D\n");
    ploy_lsystem_rules *rules = lsystem_test_load(t, text, &env);
    ploy_lsystem *lsystem = lsystem_test_run(t, rules, 1, &env);
    int32_t length = 0, counts[256] = {0};
    const char *string = ploy_lsystem_string(lsystem, &length);
    for (int32_t i = 0; i < length; i++) counts[(unsigned char)string[i]]++;
    CHECK_INT(counts['B'] + counts['C'], 20000);
    CHECK_NEAR(counts['B'] / 20000.0, 0.75, 0.015);
    CHECK_INT(ploy_lsystem_outcome(lsystem).draws, 20000);
    ploy_lsystem_cancel(lsystem);
    ploy_lsystem_rules_destroy(rules);
    free(text);
}

TEST(limits_keep_the_last_complete_generation) {
    ploy_env env = ploy_env_default();
    ploy_lsystem_rules *rules =
        lsystem_test_load(t, "axiom F\nrule F -> FF\ngenerations 100\n", &env);
    ploy_lsystem_def def = ploy_lsystem_def_default();
    def.max_symbols = 1000;
    ploy_lsystem *lsystem = NULL;
    CHECK_OK(ploy_lsystem_begin(&def, ploy_rng_key_make(1), rules, NULL, &env, &lsystem));
    CHECK_OK(ploy_lsystem_step(lsystem, NULL));
    ploy_generate_outcome outcome = ploy_lsystem_outcome(lsystem);
    int32_t length = 0;
    CHECK(strlen(ploy_lsystem_string(lsystem, &length)) == 512 && length == 512);
    CHECK(outcome.partial);
    CHECK_TEXT(outcome.limit, "max_symbols");
    CHECK_INT(outcome.count, 512);
    ploy_lsystem_cancel(lsystem);
    def.max_branches = 100;
    def.generations = 8;
    CHECK_OK(ploy_lsystem_begin(&def, ploy_rng_key_make(1), rules, NULL, &env, &lsystem));
    CHECK_OK(ploy_lsystem_step(lsystem, NULL));
    CHECK_TEXT(ploy_lsystem_outcome(lsystem).limit, "max_branches");
    CHECK_INT(ploy_lsystem_outcome(lsystem).count, 100);
    ploy_lsystem_cancel(lsystem);
    ploy_lsystem_rules_destroy(rules);
}

TEST(faults_in_a_text_are_reported_by_line_and_column) {
    static const struct {
        const char *text;
        int32_t line, column;
        const char *message, *nearest;
    } rows[] = {
        {"", 0, 0, "the text has no axiom", ""},
        {"axiom F\nrul F -> FF\n", 2, 1, "unknown word", "rule"},
        {"axiom F\nangel 20\n", 2, 1, "unknown word", "angle"},
        {"axiom F\n  angle x\n", 2, 9, "the number is missing or out of range", ""},
        {"axiom F\nangle 25 30\n", 2, 10, "too many values on the line", ""},
        {"axiom F\nrule FF -> F\n", 2, 6, "too many letters before the arrow", ""},
        {"axiom F\nrule F 0.5 FF\n", 2, 12, "the arrow is missing", ""},
        {"axiom F\nrule F -1 -> FF\n", 2, 8, "the number is missing or out of range", ""},
        {"axiom F\nrule F -> F\xc3\xa4\n", 2, 12, "a letter is not printable", ""},
        {"axiom F\naxiom G\n", 2, 1, "more than one axiom", ""},
        {"axiom F\ngenerations 101\n", 2, 13, "the number is missing or out of range", ""},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_diags_clear(diags);
        ploy_lsystem_rules *rules = NULL;
        CHECK_INT(ploy_lsystem_rules_load(rows[i].text, strlen(rows[i].text), "weed.txt", &env,
                                          diags, &rules),
                  PLOY_ERR_FORMAT);
        CHECK(rules == NULL);
        CHECK_INT(ploy_diags_count(diags), 1);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK_INT(diag->line, rows[i].line);
        CHECK_INT(diag->column, rows[i].column);
        CHECK_TEXT(diag->message, rows[i].message);
        CHECK_TEXT(diag->nearest, rows[i].nearest);
    }
    ploy_diags_destroy(diags);
}

TEST(texts_may_have_comments_blanks_and_windows_line_ends) {
    ploy_env env = ploy_env_default();
    ploy_lsystem_rules *rules = lsystem_test_load(
        t, "# a weed\r\n\r\naxiom  F F \r\nangle 45 # degrees\r\nrule F ->\r\nrule X -> F F", &env);
    ploy_lsystem *lsystem = lsystem_test_run(t, rules, 0, &env);
    int32_t length = 0;
    CHECK_TEXT(ploy_lsystem_string(lsystem, &length), "FF");
    ploy_lsystem_cancel(lsystem);
    lsystem = lsystem_test_run(t, rules, 1, &env); // an empty successor: nothing is left
    CHECK_TEXT(ploy_lsystem_string(lsystem, &length), "");
    CHECK_INT(length, 0);
    ploy_lsystem_cancel(lsystem);
    ploy_lsystem_rules_destroy(rules);
    char *large = calloc(1, PLOY_LSYSTEM_TEXT + 1);
    CHECK_INT(ploy_lsystem_rules_load(large, PLOY_LSYSTEM_TEXT + 1, NULL, &env, NULL, &rules),
              PLOY_ERR_LIMIT);
    free(large);
}

static ploy_result lsystem_test_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_lsystem_def def = ploy_lsystem_def_default();
    def.preset = PLOY_LSYSTEM_TREE;
    def.jitter = 0.2f;
    ploy_lsystem *lsystem = NULL;
    ploy_result result = ploy_lsystem_begin(&def, ploy_rng_key_make(1), NULL, NULL, env, &lsystem);
    if (result == PLOY_OK) result = ploy_lsystem_step(lsystem, NULL);
    ploy_lsystem_cancel(lsystem);
    return result;
}

TEST(running_out_of_memory_leaks_nothing) {
    CHECK_FAIL_NTH(lsystem_test_make, NULL);
}

TEST(every_preset_loads_and_draws) {
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < PLOY_LSYSTEM_PRESETS; i++) {
        TEST_SEED(i);
        ploy_lsystem_def def = ploy_lsystem_def_default();
        def.preset = (ploy_lsystem_preset)i;
        ploy_lsystem *lsystem = NULL;
        CHECK_OK(ploy_lsystem_begin(&def, ploy_rng_key_make(1), NULL, NULL, &env, &lsystem));
        CHECK_OK(ploy_lsystem_step(lsystem, NULL));
        CHECK(ploy_lsystem_outcome(lsystem).count > 10);
        CHECK(!ploy_lsystem_outcome(lsystem).partial);
        ploy_lsystem_cancel(lsystem);
    }
}
