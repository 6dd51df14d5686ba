// FLL, FCL and FLD: published systems with their tables, round trips, and what is wrong with a file.
#include <stdlib.h>

#include "data/data_internal.h"
#include "ploy/base/math.h"
#include "ploy/data/fuzzy_file.h"
#include "tests/test.h"

static const char *const fuzzylite_names[] = {
    "hybrid/tipper",
    "mamdani/AllTerms",
    "mamdani/ObstacleAvoidance",
    "mamdani/SimpleDimmer",
    "mamdani/SimpleDimmerChained",
    "mamdani/SimpleDimmerInverse",
    "mamdani/matlab/mam22",
    "mamdani/matlab/tank2",
    "mamdani/matlab/tipper",
    "mamdani/matlab/tipper1",
    "mamdani/octave/mamdani_tip_calculator",
    "takagi-sugeno/ObstacleAvoidance",
    "takagi-sugeno/approximation",
    "takagi-sugeno/matlab/invkine1",
    "takagi-sugeno/matlab/membrn1",
    "takagi-sugeno/matlab/slbb",
    "takagi-sugeno/matlab/slcp",
    "takagi-sugeno/matlab/tanksg",
    "takagi-sugeno/matlab/tippersg",
    "takagi-sugeno/octave/cubic_approximator",
    "takagi-sugeno/octave/linear_tip_calculator",
    "tsukamoto/tsukamoto",
};

// Reads a file of the outside data; the caller frees. NULL, and the test is skipped, without it.
static char *read_data(test_context *t, const char *name, const char *ending, size_t *size) {
    char path[512];
    if (test_data_dir() == NULL) {
        test_skip(t, "the outside data is not there");
        return NULL;
    }
    snprintf(path, sizeof path, "%s/fuzzy/%s%s", test_data_dir(), name, ending);
    char *text = test_read_file(path, size);
    if (text == NULL) test_skip(t, "the outside data is not there");
    return text;
}

static ploy_fuzzy_type *load_data(test_context *t, const char *name, const char *ending,
                                  int32_t samples) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_fuzzy_type *type = NULL;
    size_t size = 0;
    char *text = read_data(t, name, ending, &size);
    if (text == NULL) return NULL;
    CHECK_OK(ploy_diags_create(10, &env, &diags));
    ploy_result result = strcmp(ending, ".fcl") == 0
                             ? ploy_fcl_load(text, size, name, NULL, samples, &env, diags, &type)
                             : ploy_fll_load(text, size, name, &env, diags, &type);
    if (result != PLOY_OK && ploy_diags_count(diags) > 0) {
        char message[512];
        ploy_diag_print(ploy_diags_get(diags, 0), message, sizeof message);
        t->row = message;
        CHECK_OK(result);
    }
    CHECK_OK(result);
    free(text);
    ploy_diags_destroy(diags);
    return type;
}

static ploy_fuzzy_type *again_as_fll(test_context *t, const ploy_fuzzy_type *type) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *again = NULL;
    ploy_buffer first, second;
    ploy_buffer_init(&first, 0, &env);
    ploy_buffer_init(&second, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&first);
    CHECK_OK(ploy_fll_save(type, &writer));
    CHECK_OK(ploy_fll_load(first.bytes, first.size, "again", &env, NULL, &again));
    writer = ploy_buffer_writer(&second);
    CHECK_OK(ploy_fll_save(again, &writer));
    CHECK_TEXT(ploy_buffer_text(&second), ploy_buffer_text(&first));
    ploy_buffer_fini(&first);
    ploy_buffer_fini(&second);
    return again;
}

static double worst_error(test_context *t, const ploy_fld *table, const ploy_fuzzy_type *type) {
    ploy_env env = ploy_env_default();
    ploy_fld_report report;
    CHECK_OK(ploy_fld_compare(table, type, &env, NULL, &report));
    CHECK(report.rows > 200);
    return report.worst;
}

TEST(every_published_system_matches_its_table) {
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(fuzzylite_names); i++) {
        char name[128];
        t->row = fuzzylite_names[i];
        snprintf(name, sizeof name, "fuzzylite/%s", fuzzylite_names[i]);
        ploy_fuzzy_type *type = load_data(t, name, ".fll", 0);
        if (type == NULL) return;
        size_t size = 0;
        char *text = read_data(t, name, ".fld", &size);
        ploy_fld *table = NULL;
        CHECK_OK(ploy_fld_load(text, size, name, &env, NULL, &table));
        free(text);
        CHECK(worst_error(t, table, type) <= 1e-6);
        ploy_fuzzy_type *again = again_as_fll(t, type);
        CHECK(worst_error(t, table, again) <= 1e-6);
        ploy_fuzzy_type_destroy(again);
        // The FCL beside it leaves the samples open: it must agree with the FLL where they do.
        const ploy_fuzzy_variable_def *output = ploy_fuzzy_type_variable(type, PLOY_FUZZY_OUTPUT);
        bool one = true;
        for (int32_t o = 1; o < ploy_fuzzy_type_outputs(type); o++) {
            const ploy_fuzzy_variable_def *other =
                ploy_fuzzy_type_variable(type, PLOY_FUZZY_OUTPUT + o);
            one = one && (other->samples == output->samples ||
                          other->defuzzifier >= PLOY_FUZZY_WEIGHTED_AVERAGE);
        }
        if (one) {
            ploy_fuzzy_type *fcl = load_data(t, name, ".fcl", output->samples);
            CHECK(worst_error(t, table, fcl) <= 1e-6);
            ploy_fuzzy_type_destroy(fcl);
        }
        ploy_fld_destroy(table);
        ploy_fuzzy_type_destroy(type);
    }
}

// jFuzzyLogic's tables hold numbers times 100, rounded: inputs, then degrees of its terms or outputs.
TEST(the_tables_of_jfuzzylogic_are_met_to_their_rounding) {
    static const char *const names[] = {"junit_cosine",  "junit_gauss", "junit_piecewise_linear",
                                        "junit_sigmoid", "junit_trape", "junit_functions",
                                        "junit_tipper"};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char name[128];
        t->row = names[i];
        snprintf(name, sizeof name, "jfuzzylogic/%s", names[i]);
        ploy_fuzzy_type *type = load_data(t, name, ".fcl", 1000);
        if (type == NULL) return;
        size_t size = 0;
        char *text = read_data(t, name, ".txt", &size);
        ploy_fld *table = NULL;
        ploy_fuzzy *fuzzy = NULL;
        CHECK_OK(ploy_fld_load(text, size, name, &env, NULL, &table));
        free(text);
        CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
        CHECK(ployi_fld_rows(table) >= 99);
        for (int32_t row = 0; row < ployi_fld_rows(table); row++) {
            int32_t inputs = ploy_fuzzy_type_inputs(type);
            for (int32_t k = 0; k < inputs; k++) {
                ploy_fuzzy_set_input(fuzzy, k, ploy_fld_get(table, row, k) / 100);
            }
            ploy_fuzzy_step(fuzzy, NULL);
            for (int32_t c = inputs; c < ployi_fld_columns(table); c++) {
                int32_t output = ploy_fuzzy_type_find(type, ployi_fld_column_name(table, c));
                int32_t term = ploy_fuzzy_type_find_term(type, 0, ployi_fld_column_name(table, c));
                double ours = output >= 0 ? ploy_fuzzy_output(fuzzy, output - PLOY_FUZZY_OUTPUT)
                                          : ploy_fuzzy_degree(fuzzy, 0, term);
                // Sampled areas differ by where their ends lie.
                double tolerance = strcmp(names[i], "junit_tipper") == 0 ? 2.0 : 0.5000001;
                CHECK_NEAR(100 * ours, ploy_fld_get(table, row, c), tolerance);
            }
        }
        ploy_fuzzy_destroy(fuzzy);
        ploy_fld_destroy(table);
        ploy_fuzzy_type_destroy(type);
    }
}

TEST(every_other_file_of_jfuzzylogic_loads) {
    static const char *const names[] = {"bathTub",
                                        "block",
                                        "ip",
                                        "ip2",
                                        "qualify",
                                        "qualify_optimized",
                                        "robot",
                                        "robot_optimized",
                                        "scarledOLD",
                                        "testDeMorgan_1",
                                        "testDeMorgan_3",
                                        "testDeMorgan_4",
                                        "testDeMorgan_6",
                                        "tipper",
                                        "QoS/LarsenQoSFewRules",
                                        "QoS/MamdaniQoSFewRules",
                                        "QoS/MamdaniQoSManyRules",
                                        "QoS/SingletonQoSManyRules",
                                        "QoS/TSQoSFewRules",
                                        "trust/LarsenFewRules",
                                        "trust/LarsenManyRules",
                                        "trust/MamdaniManyRules",
                                        "trust/SingletonFewRules",
                                        "trust/TSFewRules",
                                        "trust/TSManyRules"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char name[128];
        t->row = names[i];
        snprintf(name, sizeof name, "jfuzzylogic/fcl/%s", names[i]);
        ploy_fuzzy_type *type = load_data(t, name, ".fcl", 0);
        if (type == NULL) return;
        ploy_fuzzy_type *again = again_as_fll(t, type);
        ploy_fuzzy_type_destroy(again);
        ploy_fuzzy_type_destroy(type);
    }
}

static const char small_fll[] =
    "Engine: small # a comment\n"
    "InputVariable: speed\n"
    "  enabled: true\n"
    "  range: 0 10\n"
    "  lock-range: true\n"
    "  term: slow Ramp 10 0\n"
    "  term: fast Ramp 0 10 0.5\n"
    "OutputVariable: brake\n"
    "  range: 0 1\n"
    "  aggregation: Maximum\n"
    "  defuzzifier: Centroid 50\n"
    "  default: 0.25\n"
    "  lock-previous: true\n"
    "  term: soft Triangle 0 0.25 0.5\n"
    "  term: hard Function x^2\n"
    "RuleBlock: main\n"
    "  conjunction: Minimum\n"
    "  disjunction: Maximum\n"
    "  implication: AlgebraicProduct\n"
    "  activation: Threshold >= 0.125\n"
    "  rule: if speed is slow then brake is soft\n"
    "  rule: if speed is fast or speed is not slow then brake is hard\n";

static const char small_fcl[] =
    "FUNCTION_BLOCK small (* a comment *)\n"
    "VAR_INPUT speed : REAL; END_VAR // another\n"
    "VAR_OUTPUT brake : REAL; END_VAR\n"
    "FUZZIFY speed\n TERM slow := (0, 1) (10, 0);\n TERM fast := (0,0)(10,1) ;\nEND_FUZZIFY\n"
    "DEFUZZIFY brake\n RANGE := (0 .. 1);\n TERM soft := TRIAN 0 0.25 0.5;\n TERM hard := Ramp 0 "
    "1;\n"
    " METHOD : COG;\n DEFAULT := 0.25 | NC;\nEND_DEFUZZIFY\n"
    "RULEBLOCK main\n AND : PROD;\n ACT : PROD;\n ACCU : ASUM;\n"
    " RULE 1 : IF speed IS slow\n   AND speed IS NOT fast THEN brake IS soft;\n"
    " RULE 2 : IF speed IS fast THEN brake IS hard WITH 0.5\n"
    "END_RULEBLOCK\nEND_FUNCTION_BLOCK\n";

TEST(everything_in_a_small_fll_is_read) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    CHECK_OK(ploy_fll_load(small_fll, strlen(small_fll), "small.fll", &env, NULL, &type));
    CHECK_TEXT(ploy_fuzzy_type_name(type), "small");
    const ploy_fuzzy_variable_def *speed = ploy_fuzzy_type_variable(type, 0);
    const ploy_fuzzy_variable_def *brake = ploy_fuzzy_type_variable(type, PLOY_FUZZY_OUTPUT);
    const ploy_fuzzy_block_def *block = ploy_fuzzy_type_block_at(type, 0);
    CHECK(speed->lock_range && speed->max == 10);
    CHECK_NEAR(ploy_fuzzy_type_term_of(type, 0, 1).set.height, 0.5, 0);
    CHECK_INT(brake->samples, 50);
    CHECK(brake->lock_previous && brake->fall_back && brake->fallback == 0.25);
    CHECK_TEXT(ploy_fuzzy_type_term_of(type, PLOY_FUZZY_OUTPUT, 1).set.formula, "x^2");
    CHECK_INT(block->activation, PLOY_FUZZY_THRESHOLD);
    CHECK_INT(block->comparison, PLOY_FUZZY_AT_LEAST);
    CHECK_INT(block->implication, PLOY_FUZZY_ALGEBRAIC_PRODUCT);
    CHECK_INT(ploy_fuzzy_type_rules(type, 0), 2);
    ploy_fuzzy_type_destroy(again_as_fll(t, type));
    ploy_fuzzy_type_destroy(type);
}

TEST(everything_in_a_small_fcl_is_read_and_written_back) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL, *again = NULL;
    CHECK_OK(
        ploy_fcl_load(small_fcl, strlen(small_fcl), "small.fcl", "small", 64, &env, NULL, &type));
    const ploy_fuzzy_variable_def *brake = ploy_fuzzy_type_variable(type, PLOY_FUZZY_OUTPUT);
    CHECK_INT(brake->aggregation, PLOY_FUZZY_ALGEBRAIC_SUM);
    CHECK_INT(brake->samples, 64);
    CHECK_INT(ploy_fuzzy_type_block_at(type, 0)->disjunction, PLOY_FUZZY_ALGEBRAIC_SUM);
    CHECK_NEAR(ploy_fuzzy_type_variable(type, 0)->max, 10, 0); // from its terms
    CHECK_INT(ploy_fuzzy_type_rules(type, 0), 2);
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    CHECK_OK(ploy_fcl_save(type, &writer));
    CHECK_OK(ploy_fcl_load(text.bytes, text.size, "again", NULL, 64, &env, NULL, &again));
    ploy_fuzzy *a = NULL, *b = NULL;
    CHECK_OK(ploy_fuzzy_create(type, &env, &a));
    CHECK_OK(ploy_fuzzy_create(again, &env, &b));
    for (int32_t i = -2; i <= 12; i++) {
        ploy_fuzzy_set_input(a, 0, i);
        ploy_fuzzy_set_input(b, 0, i);
        ploy_fuzzy_step(a, NULL);
        ploy_fuzzy_step(b, NULL);
        CHECK_SAME(ploy_fuzzy_output(a, 0), ploy_fuzzy_output(b, 0));
    }
    ploy_fuzzy_destroy(a);
    ploy_fuzzy_destroy(b);
    ploy_buffer_fini(&text);
    ploy_fuzzy_type_destroy(again);
    ploy_fuzzy_type_destroy(type);
}

// Replaces the first `from` of a text by `to`.
static void replace(const char *text, const char *from, const char *to, char *out, size_t size) {
    const char *at = strstr(text, from);
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

TEST(what_is_wrong_with_a_file_is_said_with_its_place) {
    static const struct {
        bool fcl;
        const char *from, *to;
        int32_t line, column;
        const char *nearest;
    } rows[] = {
        {false, "Ramp 10 0", "Rmp 10 0", 6, 14, "Ramp"},
        {false, "Ramp 10 0", "Ramp 10", 6, 14, ""},
        {false, "Ramp 10 0", "Ramp 10 zero", 6, 22, ""},
        {false, "enabled: true", "enabled: yes", 3, 12, ""},
        {false, "lock-range", "lock-rnge", 5, 3, "lock-range"},
        {false, "Centroid", "Centrod", 11, 16, "Centroid"},
        {false, "aggregation: Maximum", "aggregation: Minimum", 10, 16, "Maximum"},
        {false, "Threshold >=", "Threshold =>", 20, 25, "=="},
        {false, "is soft", "is sft", 21, 40, "soft"},
        {false, "x^2", "x^", 15, 25, ""},
        {false, "range: 0 10", "range: 10 0", 2, 16, ""},
        {false, "Engine", "Motor", 1, 1, ""},
        {true, "TRIAN", "TRIEN", 10, 15, "trian"},
        {true, "(10, 0)", "(10 0)", 5, 23, ""},
        {true, "METHOD : COG", "METHOD : CGO", 12, 11, "COG"},
        {true, "ACCU", "ACU", 18, 2, "ACCU"},
        {true, "(0 .. 1)", "(0 1)", 9, 11, ""},
        {true, "IS soft", "IS sofd", 20, 40, "soft"},
        {true, "FUZZIFY speed", "FUZZIFY sped", 4, 9, "speed"},
        {true, "END_FUZZIFY", "END_FUZZY", 4, 1, ""},
        {true, "speed : REAL", "speed : TEXT", 2, 11, ""},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(10, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[2048];
        ploy_fuzzy_type *type = NULL;
        t->row = rows[i].to;
        ploy_diags_clear(diags);
        replace(rows[i].fcl ? small_fcl : small_fll, rows[i].from, rows[i].to, text, sizeof text);
        ploy_result result =
            rows[i].fcl ? ploy_fcl_load(text, strlen(text), "f", NULL, 0, &env, diags, &type)
                        : ploy_fll_load(text, strlen(text), "f", &env, diags, &type);
        CHECK(result < 0);
        CHECK(type == NULL);
        CHECK(ploy_diags_count(diags) >= 1);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK_INT(diag->line, rows[i].line);
        CHECK_INT(diag->column, rows[i].column);
        CHECK_TEXT(diag->nearest, rows[i].nearest);
    }
    t->row = NULL;
    // All faults at once.
    static const char broken[] =
        "Engine: x\nInputVariable: a\n  range: 0 z\n  term: b Tringle 1 2 3\n"
        "  tem: c\nRuleBlock:\n  rule: if q is b then z is c\n";
    ploy_fuzzy_type *type = NULL;
    ploy_diags_clear(diags);
    CHECK(ploy_fll_load(broken, strlen(broken), "f", &env, diags, &type) < 0);
    CHECK(ploy_diags_count(diags) >= 5);
    ploy_diags_destroy(diags);
}

TEST(tables_are_read_and_checked) {
    static const char good[] = "speed brake\n0 0.25\n10 nan\n", bad[] = "a b\n1 2\n3\n",
                      none[] = "";
    ploy_env env = ploy_env_default();
    ploy_fld *table = NULL;
    ploy_fuzzy_type *type = NULL;
    CHECK_OK(ploy_fld_load(good, strlen(good), "t", &env, NULL, &table));
    CHECK_INT(ployi_fld_rows(table), 2);
    CHECK_TEXT(ployi_fld_column_name(table, 1), "brake");
    CHECK(isnan(ploy_fld_get(table, 1, 1)) && isnan(ploy_fld_get(table, 9, 9)));
    CHECK_OK(ploy_fll_load(small_fll, strlen(small_fll), "small.fll", &env, NULL, &type));
    ploy_fld_report report;
    CHECK_OK(ploy_fld_compare(table, type, &env, NULL, &report));
    CHECK_INT(report.worst_row, 1);
    CHECK(report.worst == (double)INFINITY);
    ploy_fld_destroy(table);
    CHECK_INT(ploy_fld_load(bad, strlen(bad), "t", &env, NULL, &table), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_fld_load(none, 0, "t", &env, NULL, &table), PLOY_ERR_FORMAT);
    CHECK_OK(ploy_fld_load("speed other\n1 2\n", 16, "t", &env, NULL, &table));
    CHECK_INT(ploy_fld_compare(table, type, &env, NULL, &report), PLOY_ERR_NOT_FOUND);
    ploy_fld_destroy(table);
    ploy_fuzzy_type_destroy(type);
}

static ploy_result load_all(const ploy_env *env, void *arg) {
    ploy_fuzzy_type *fll = NULL, *fcl = NULL;
    ploy_fld *fld = NULL;
    ploy_fld_report report;
    (void)arg;
    ploy_result result = ploy_fll_load(small_fll, strlen(small_fll), "f", env, NULL, &fll);
    if (result == PLOY_OK) {
        result = ploy_fcl_load(small_fcl, strlen(small_fcl), "f", NULL, 0, env, NULL, &fcl);
    }
    if (result == PLOY_OK) result = ploy_fld_load("speed brake\n1 2\n", 16, "f", env, NULL, &fld);
    if (result == PLOY_OK) result = ploy_fld_compare(fld, fll, env, NULL, &report);
    ploy_fld_destroy(fld);
    ploy_fuzzy_type_destroy(fll);
    ploy_fuzzy_type_destroy(fcl);
    return result;
}

TEST(loading_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(load_all, NULL);
}

TEST(every_cut_of_a_file_is_refused_or_loads) {
    ploy_env env = ploy_env_default();
    for (size_t size = 0; size < sizeof small_fcl; size++) {
        ploy_fuzzy_type *type = NULL;
        ploy_result result = ploy_fcl_load(small_fcl, size, "f", NULL, 0, &env, NULL, &type);
        CHECK((result == PLOY_OK) == (type != NULL));
        ploy_fuzzy_type_destroy(type);
        if (size >= sizeof small_fll) continue;
        result = ploy_fll_load(small_fll, size, "f", &env, NULL, &type);
        CHECK((result == PLOY_OK) == (type != NULL));
        ploy_fuzzy_type_destroy(type);
    }
}

// fuzzylite applies the hedges of a conclusion to the conclusions after it in the same rule.
TEST(hedges_of_a_conclusion_carry_over_in_files_of_fuzzylite_alone) {
    static const char text[] =
        "Engine: e\nInputVariable: x\n  range: 0 1\n  term: t Ramp 0 1\n"
        "OutputVariable: y\n  range: 0 1\n  aggregation: Maximum\n  defuzzifier: Centroid 10\n"
        "  term: t Triangle 0 0.5 1\n"
        "OutputVariable: z\n  range: 0 1\n  aggregation: Maximum\n  defuzzifier: Centroid 10\n"
        "  term: t Triangle 0 0.5 1\n"
        "RuleBlock: r\n  conjunction: Minimum\n  implication: Minimum\n  activation: General\n"
        "  rule: if x is t then y is very t and z is t\n";
    static const char fcl[] =
        "FUNCTION_BLOCK f\nVAR_INPUT x : REAL; END_VAR\nVAR_OUTPUT y : REAL; z : REAL; END_VAR\n"
        "FUZZIFY x\n TERM t := (0, 0) (1, 1);\nEND_FUZZIFY\n"
        "DEFUZZIFY y\n RANGE := (0 .. 1);\n TERM t := TRIAN 0 0.5 1;\n METHOD : COG;\n"
        "END_DEFUZZIFY\nDEFUZZIFY z\n RANGE := (0 .. 1);\n TERM t := TRIAN 0 0.5 1;\n"
        " METHOD : COG;\nEND_DEFUZZIFY\nRULEBLOCK r\n AND : MIN;\n ACT : MIN;\n ACCU : MAX;\n"
        " RULE 1 : IF x IS t THEN y IS very t, z IS t;\nEND_RULEBLOCK\nEND_FUNCTION_BLOCK\n";
    ploy_env env = ploy_env_default();
    for (int i = 0; i < 2; i++) {
        t->row = i == 0 ? "FLL" : "FCL";
        ploy_fuzzy_type *type = NULL;
        ploy_fuzzy *fuzzy = NULL;
        CHECK_OK(i == 0 ? ploy_fll_load(text, sizeof text - 1, "a", &env, NULL, &type)
                        : ploy_fcl_load(fcl, sizeof fcl - 1, "a", NULL, 10, &env, NULL, &type));
        CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
        ploy_fuzzy_set_input(fuzzy, 0, 0.5);
        ploy_fuzzy_step(fuzzy, NULL);
        CHECK_NEAR(ploy_fuzzy_degree(fuzzy, PLOY_FUZZY_OUTPUT, 0), 0.25, 1e-9);
        CHECK_NEAR(ploy_fuzzy_degree(fuzzy, PLOY_FUZZY_OUTPUT + 1, 0), i == 0 ? 0.25 : 0.5, 1e-9);
        ploy_fuzzy_destroy(fuzzy);
        ploy_fuzzy_type_destroy(type);
    }
}

// fuzzylite accepts a name twice in its files, and rules use the first term.
TEST(a_term_that_occurs_twice_in_a_file_of_fuzzylite_is_the_first) {
    static const char text[] =
        "Engine: e\nInputVariable: x\n  range: 0 1\n  term: t Ramp 0 1\n  term: t Ramp 1 0\n"
        "OutputVariable: y\n  range: 0 1\n  aggregation: none\n"
        "  defuzzifier: WeightedAverage TakagiSugeno\n  term: t Constant 3\n  term: t Constant 7\n"
        "RuleBlock: r\n  conjunction: Minimum\n  implication: Minimum\n  activation: General\n"
        "  rule: if x is t then y is t\n";
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    CHECK_OK(ploy_fll_load(text, sizeof text - 1, "f", &env, diags, &type));
    static const char *const wants[] = {"f:5:9: warning: ignored the second term named 't'",
                                        "f:11:9: warning: ignored the second term named 't'"};
    CHECK_INT(ploy_diags_count(diags), 2);
    for (int32_t i = 0; i < 2; i++) {
        char line[256];
        (void)ploy_diag_print(ploy_diags_get(diags, i), line, sizeof line);
        CHECK_TEXT(line, wants[i]);
    }
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    ploy_fuzzy_set_input(fuzzy, 0, 0.25);
    ploy_fuzzy_step(fuzzy, NULL);
    CHECK_NEAR(ploy_fuzzy_degree(fuzzy, PLOY_FUZZY_OUTPUT, 0), 0.25, 1e-9);
    CHECK_NEAR(ploy_fuzzy_output(fuzzy, 0), 3.0, 1e-9);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    ploy_diags_destroy(diags);
}
