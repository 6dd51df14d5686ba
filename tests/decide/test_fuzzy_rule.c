// The languages of rules and formulas: what they mean, and what they say when they do not.
#include "ploy/base/math.h"
#include "ploy/decide/fuzzy.h"
#include "tests/test.h"

// Inputs a, b and c, each with a term "on" whose degree is the input, and an output y whose term
// "all" is the rule's degree.
static double evaluate(test_context *t, const char *rule, double a, double b, double c) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    CHECK_OK(ploy_fuzzy_type_create("", &env, &type));
    static const char *const names[] = {"a", "b", "c"};
    ploy_fuzzy_set identity = ploy_fuzzy_set_make(PLOY_FUZZY_RAMP, 0, 1, 0, 0);
    for (int32_t i = 0; i < 3; i++) {
        (void)ploy_fuzzy_type_term(type, ploy_fuzzy_type_input(type, names[i], NULL), "on",
                                   &identity);
    }
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.defuzzifier = PLOY_FUZZY_WEIGHTED_SUM;
    ploy_fuzzy_set one = ploy_fuzzy_constant(1);
    (void)ploy_fuzzy_type_term(type, ploy_fuzzy_type_output(type, "y", &def), "all", &one);
    (void)ploy_fuzzy_type_term(type, ploy_fuzzy_type_output(type, "z", &def), "all", &one);
    CHECK_OK(ploy_fuzzy_type_rule(type, ploy_fuzzy_type_block(type, "", NULL), rule, NULL));
    CHECK_OK(ploy_fuzzy_type_finish(type, NULL));
    CHECK_OK(ploy_fuzzy_create(type, &env, &fuzzy));
    ploy_fuzzy_set_input(fuzzy, 0, a);
    ploy_fuzzy_set_input(fuzzy, 1, b);
    ploy_fuzzy_set_input(fuzzy, 2, c);
    ploy_fuzzy_step(fuzzy, NULL);
    double value = ploy_fuzzy_output(fuzzy, 0);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    return value;
}

// FUZ-07, FUZ-16, FZL-11.
TEST(rules_mean_what_they_say) {
    static const struct {
        const char *rule;
        double want;
    } rows[] = {
        {"if a is on then y is all", 0.4},
        {"IF a IS on THEN y IS all", 0.4},
        {"if a is on and b is on then y is all", 0.2},
        {"if a is on or b is on and c is on then y is all", 0.4},
        {"if (a is on or b is on) and c is on then y is all", 0.4},
        {"if a is on or c is on and b is on then y is all", 0.4},
        {"if a is not on then y is all", 0.6},
        {"if not a is on then y is all", 0.6},
        {"if not (a is on and b is on) then y is all", 0.8},
        {"if a is very on then y is all", 0.16},
        {"if a is not very on then y is all", 0.84},
        {"if a is very not on then y is all", 0.36},
        {"if a is any then y is all", 1},
        {"if a is on xor b is on then y is all", 0.4},
        {"if a is on then y is all with 0.5", 0.2},
        {"if a is on then y is very all", 0.16},
        {"if a is on then y is all and z is all", 0.4},
        {"if a is on then z is very all, y is all", 0.4},
        {"if very (a is on) and (b is on or c is on) then y is all", 0.16},
        {"if ((a is on and b is on) or (not c is on and very (a is on))) then y is all", 0.2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].rule;
        CHECK_NEAR(evaluate(t, rows[i].rule, 0.4, 0.2, 0.9), rows[i].want, 1e-12);
    }
    // FZL-11: conflicted is confident and (worried or panicked).
    CHECK_NEAR(evaluate(t, "if a is on and (b is on or c is on) then y is all", 0.4, 0.2, 0.1), 0.2,
               1e-12);
}

TEST(faults_of_rules_have_a_place_and_the_nearest_name) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_fuzzy_type *type = NULL;
    CHECK_OK(ploy_diags_create(20, &env, &diags));
    CHECK_OK(ploy_fuzzy_type_create("", &env, &type));
    ploy_fuzzy_set set = ploy_fuzzy_triangle(0, 1, 2);
    (void)ploy_fuzzy_type_term(type, ploy_fuzzy_type_input(type, "speed", NULL), "fast", &set);
    (void)ploy_fuzzy_type_term(type, ploy_fuzzy_type_output(type, "brake", NULL), "hard", &set);
    int32_t block = ploy_fuzzy_type_block(type, "", NULL);
    static const struct {
        const char *rule;
        int32_t column;
        const char *nearest;
        ploy_result code;
    } rows[] = {
        {"if sped is fast then brake is hard", 4, "speed", PLOY_ERR_NOT_FOUND},
        {"if speed is fsat then brake is hard", 13, "fast", PLOY_ERR_NOT_FOUND},
        {"if speed is fast then brke is hard", 23, "brake", PLOY_ERR_NOT_FOUND},
        {"if speed is fast then brake is hrd", 32, "hard", PLOY_ERR_NOT_FOUND},
        {"when speed is fast then brake is hard", 1, "", PLOY_ERR_FORMAT},
        {"if speed fast then brake is hard", 10, "", PLOY_ERR_FORMAT},
        {"if speed is then brake is hard", 13, "", PLOY_ERR_FORMAT},
        {"if speed is fast", 17, "", PLOY_ERR_FORMAT},
        {"if (speed is fast then brake is hard", 19, "", PLOY_ERR_FORMAT},
        {"if speed is fast then brake is hard with much", 42, "", PLOY_ERR_FORMAT},
        {"if speed is fast then brake is hard or so", 37, "", PLOY_ERR_FORMAT},
        {"if speed is fast then brake is any", 35, "", PLOY_ERR_FORMAT},
        {"if speed is fast and then brake is hard", 22, "", PLOY_ERR_FORMAT},
        {"", 1, "", PLOY_ERR_FORMAT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].rule;
        ploy_diags_clear(diags);
        ploy_fuzzy_source source = {"f", 3, 1, diags};
        CHECK_INT(ploy_fuzzy_type_rule(type, block, rows[i].rule, &source), rows[i].code);
        CHECK_INT(ploy_diags_count(diags), 1);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK_INT(diag->line, 3);
        CHECK_INT(diag->column, rows[i].column);
        CHECK_TEXT(diag->nearest, rows[i].nearest);
    }
    t->row = NULL;
    ploy_diags_clear(diags);
    ploy_fuzzy_source source = {"f", 1, 1, diags};
    (void)ploy_fuzzy_type_rule(type, block, "if sped is fast and speed is fats then brke is hard",
                               &source);
    CHECK_INT(ploy_diags_count(diags), 3); // all of them at once
    CHECK_INT(ploy_fuzzy_type_rules(type, block), 0);
    CHECK(ploy_fuzzy_type_finish(type, NULL) != PLOY_OK);
    ploy_fuzzy_type_destroy(type);
    ploy_diags_destroy(diags);
}

// The value of a formula at a = 2, b = -3.
static ploy_result formula(test_context *t, const char *text, ploy_diags *diags, double *out) {
    ploy_env env = ploy_env_default();
    ploy_fuzzy_type *type = NULL;
    ploy_fuzzy *fuzzy = NULL;
    CHECK_OK(ploy_fuzzy_type_create("", &env, &type));
    ploy_fuzzy_set on = ploy_fuzzy_set_make(PLOY_FUZZY_RECTANGLE, -100, 100, 0, 0);
    ploy_fuzzy_set set = ploy_fuzzy_formula(text);
    (void)ploy_fuzzy_type_term(type, ploy_fuzzy_type_input(type, "a", NULL), "on", &on);
    (void)ploy_fuzzy_type_input(type, "b", NULL);
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.defuzzifier = PLOY_FUZZY_WEIGHTED_AVERAGE;
    ploy_fuzzy_source source = {"f", 1, 1, diags};
    (void)ploy_fuzzy_type_term_at(type, ploy_fuzzy_type_output(type, "y", &def), "f", &set,
                                  &source);
    CHECK_OK(ploy_fuzzy_type_rule(type, ploy_fuzzy_type_block(type, "", NULL),
                                  "if a is on then y is f", NULL));
    ploy_result result = ploy_fuzzy_type_finish(type, diags);
    if (result == PLOY_OK) result = ploy_fuzzy_create(type, &env, &fuzzy);
    if (result == PLOY_OK) {
        ploy_fuzzy_set_input(fuzzy, 0, 2);
        ploy_fuzzy_set_input(fuzzy, 1, -3);
        ploy_fuzzy_step(fuzzy, NULL);
        *out = ploy_fuzzy_output(fuzzy, 0);
    }
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(type);
    return result;
}

TEST(formulas_compute) {
    static const struct {
        const char *text;
        double want;
    } rows[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"2^3^2 - 1 - 1 + ~2*3", 504},
        {"-a^2", -4},
        {"~a^2", 4},
        {"a - b - 1", 4},
        {"12 / 3 / 2", 2},
        {"7 % 4 + b", 0},
        {"fmod(-7.5, 2)", -1.5},
        {"min(a, b)", -3},
        {"max(a, b) * 2", 4},
        {"abs(b) + fabs(b)", 6},
        {"sqrt(a * 8)", 4},
        {"floor(2.7) + ceil(2.2)", 5},
        {"round(-2.5)", -3},
        {"exp(0) + log(1)", 1},
        {"pow(a, 3)", 8},
        {"atan2(0, 1)", 0},
        {"gt(a, b) + lt(a, b)", 1},
        {"eq(a, 2) and !eq(a, 3)", 1},
        {"ge(b, 0) or le(b, -4)", 0},
        {"cosh(0) + sinh(0)", 1},
        {"log10(1000)", 3},
        {"x", 1},
        {"SIN(0) + a", 2},
        {"1e2 + .5", 100.5},
        {"neq(a,b)", 1},
        {"asinh(0) + acosh(1) + atanh(0) + log1p(0) + tanh(0) + tan(0)", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        double value = 0;
        t->row = rows[i].text;
        CHECK_OK(formula(t, rows[i].text, NULL, &value));
        CHECK_NEAR(value, rows[i].want, 1e-9);
    }
}

TEST(faulty_formulas_have_a_place) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    static const struct {
        const char *text;
        int32_t column;
        const char *nearest;
    } rows[] = {
        {"1 +", 4, ""},     {"1 + * 2", 5, ""}, {"(1 + 2", 7, ""}, {"sine(a)", 1, "sin"},
        {"a + bb", 5, "a"}, {"1 2", 3, ""},     {"min(1)", 6, ""}, {"", 1, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        double value;
        t->row = rows[i].text;
        ploy_diags_clear(diags);
        CHECK(formula(t, rows[i].text, diags, &value) != PLOY_OK);
        CHECK_INT(ploy_diags_count(diags), 1);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
    }
    t->row = "deep";
    char deep[300];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    double value;
    CHECK_INT(formula(t, deep, diags, &value), PLOY_ERR_LIMIT);
    for (size_t i = 0; i + 1 < sizeof deep; i++) deep[i] = i % 2 == 0 ? '2' : '^';
    deep[sizeof deep - 2] = '2';
    CHECK_INT(formula(t, deep, diags, &value), PLOY_ERR_LIMIT);
    ploy_diags_destroy(diags);
}
