// Naive Bayes against worked numbers.
#include "learn_examples.h"

#include "ploy/learn/bayes.h"

static ploy_learner plain_bayes(test_context *t, const ploy_examples *examples,
                                const ploy_env *env) {
    ploy_bayes_def def = ploy_bayes_def_default();
    def.smoothing = 0.0;
    ploy_learner learner;
    CHECK_OK(ploy_learner_create(ploy_bayes_learner(), &def, ploy_examples_schema(examples), env,
                                 &learner));
    CHECK_OK(ploy_learner_train(learner, examples));
    return learner;
}

TEST(braking_is_learned_as_in_the_book) {
    static const char *const rows[] = {
        "near slow yes", "near fast yes", "far fast no",   "far fast yes",
        "near slow no",  "far slow yes",  "near fast yes", NULL};
    ploy_env env = ploy_env_default();
    ploy_examples *examples =
        make_examples(t, &env, "distance:near,far speed:slow,fast brake:no,yes", rows);
    ploy_learner learner = plain_bayes(t, examples, &env);
    static const struct {
        const char *row;
        double yes;
    } queries[] = {{"far slow ?", 8.0 / 13.0},
                   {"near slow ?", 12.0 / 17.0},
                   {"near fast ?", 18.0 / 23.0},
                   {"far fast ?", 12.0 / 17.0}};
    for (size_t i = 0; i < COUNT_OF(queries); i++) {
        t->row = queries[i].row;
        double row[3], p[2];
        read_row(t, ploy_examples_schema(examples), queries[i].row, row);
        ploy_answer answer = ploy_learner_predict(learner, row, p);
        CHECK_INT(answer.category, 1);
        CHECK_NEAR(p[1], queries[i].yes, 1e-12);
        CHECK_NEAR(answer.confidence, queries[i].yes, 1e-12);
    }
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
}

TEST(words_have_the_posteriors_of_the_exercise) {
    // 300 words: how many of each, and how many of those are long.
    static const int32_t counts[4] = {100, 125, 25, 50};
    static const double longs[4] = {0.1, 0.05, 0.2, 0.1};
    ploy_env env = ploy_env_default();
    ploy_schema *schema = make_schema(t, &env, "length:short,long word:go,stop,jump,turn");
    ploy_learner learner;
    ploy_bayes_def def = ploy_bayes_def_default();
    def.smoothing = 0.0;
    CHECK_OK(ploy_learner_create(ploy_bayes_learner(), &def, schema, &env, &learner));
    for (int32_t word = 0; word < 4; word++) {
        for (int32_t i = 0; i < counts[word] * 4; i++) { // times 4: 6.25 of 125 are long
            double row[2] = {i < counts[word] * 4 * longs[word] - 1e-9, word};
            CHECK_OK(ploy_learner_observe(learner, row));
        }
    }
    double row[2] = {1, 0}, p[4];
    CHECK_INT(ploy_learner_predict(learner, row, p).category, 0);
    CHECK_NEAR(p[0], 8.0 / 21.0, 1e-9);
    CHECK_NEAR(p[1], 5.0 / 21.0, 1e-9);
    CHECK_NEAR(p[2], 4.0 / 21.0, 1e-9);
    CHECK_NEAR(p[3], 4.0 / 21.0, 1e-9);
    // A mask leaves the best of what is allowed.
    bool allowed[4] = {false, false, true, true};
    CHECK_INT(ploy_learner_choose(learner, row, allowed, p).category, 2);
    ploy_learner_destroy(learner);
    ploy_schema_destroy(schema);
}

TEST(weather_is_as_published) {
    static const char *const rows[] = {"sunny hot high weak no",
                                       "sunny hot high strong no",
                                       "overcast hot high weak yes",
                                       "rain mild high weak yes",
                                       "rain cool normal weak yes",
                                       "rain cool normal strong no",
                                       "overcast cool normal strong yes",
                                       "sunny mild high weak no",
                                       "sunny cool normal weak yes",
                                       "rain mild normal weak yes",
                                       "sunny mild normal strong yes",
                                       "overcast mild high strong yes",
                                       "overcast hot normal weak yes",
                                       "rain mild high strong no",
                                       NULL};
    ploy_env env = ploy_env_default();
    ploy_examples *examples = make_examples(t, &env,
                                            "outlook:sunny,overcast,rain heat:hot,mild,cool "
                                            "humidity:high,normal wind:weak,strong play:no,yes",
                                            rows);
    ploy_learner learner = plain_bayes(t, examples, &env);
    double row[5], p[2];
    read_row(t, ploy_examples_schema(examples), "sunny cool high strong ?", row);
    CHECK_INT(ploy_learner_predict(learner, row, p).category, 0);
    CHECK_NEAR(p[0], 0.0206 / (0.0206 + 0.0053), 1e-3);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
}

TEST(long_products_do_not_vanish) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = NULL;
    CHECK_OK(ploy_schema_create(&env, &schema));
    enum { COLUMNS = 1000 };
    for (int32_t i = 0; i <= COLUMNS; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        CHECK_OK(ploy_schema_add(schema, name, PLOY_COLUMN_CATEGORY));
        CHECK_OK(ploy_schema_add_value(schema, i, "no"));
        CHECK_OK(ploy_schema_add_value(schema, i, "yes"));
    }
    CHECK_OK(ploy_schema_set_target(schema, COLUMNS));
    ploy_learner learner;
    CHECK_OK(ploy_learner_create(ploy_bayes_learner(), NULL, schema, &env, &learner));
    double row[COLUMNS + 1], p[2];
    for (int32_t k = 0; k < 8; k++) {
        for (int32_t i = 0; i <= COLUMNS; i++) row[i] = k % 2;
        CHECK_OK(ploy_learner_observe(learner, row));
    }
    CHECK_INT(ploy_learner_predict(learner, row, p).category, 1);
    CHECK_NEAR(p[1], 1.0, 1e-9);
    ploy_learner_destroy(learner);
    ploy_schema_destroy(schema);
}

TEST(values_never_seen_do_not_divide_by_zero) {
    static const char *const rows[] = {"a 1 x", "a 2 x", NULL};
    ploy_env env = ploy_env_default();
    ploy_examples *examples = make_examples(t, &env, "kind:a,b size class:x,y", rows);
    ploy_learner learner = plain_bayes(t, examples, &env);
    double row[3] = {1, 5, 0}, p[2];
    ploy_answer answer = ploy_learner_predict(learner, row, p); // b rules every class out
    CHECK(!answer.opinion);
    row[0] = PLOY_MISSING;
    answer = ploy_learner_predict(learner, row, p);
    CHECK(answer.opinion && answer.category == 0);
    CHECK_SAME(p[1], 0.0);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
}
