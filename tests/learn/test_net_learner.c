#include "ploy/learn/net_learner.h"

#include "tests/learn/learn_examples.h"
#include "tests/test.h"

// Numbers far from 0 and a category, of which only one combination matters.
static ploy_examples *make_table(test_context *t, const ploy_env *env, bool number) {
    ploy_schema *schema = make_schema(t, env, number ? "x kind:a,b y" : "x kind:a,b y:no,yes");
    ploy_examples *table = NULL;
    CHECK_OK(ploy_examples_create(schema, env, &table));
    ploy_schema_destroy(schema);
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 200; i++) {
        double x = 1000.0 + (double)ploy_rng_range(&rng, -5, 5),
               kind = (double)ploy_rng_int(&rng, 0, 1);
        double row[3] = {x, kind, 0.0};
        row[2] = number ? 3.0 * (x - 1000.0) + 7.0 * kind : kind > 0 && x > 1000.0 ? 1.0 : 0.0;
        CHECK_OK(ploy_examples_add(table, row));
    }
    return table;
}

TEST(a_net_learns_numbers_and_categories_of_any_size) {
    ploy_env env = ploy_env_default();
    for (int32_t number = 0; number < 2; number++) {
        ploy_examples *table = make_table(t, &env, number == 1);
        ploy_net_learner_def def = ploy_net_learner_def_default();
        def.hidden = 8;
        def.epochs = 60;
        def.trainer.rate = 0.05f;
        def.layer_epochs = number == 0 ? 5 : 0;
        ploy_learner learner;
        CHECK_OK(ploy_learner_create(ploy_net_learner(), &def, ploy_examples_schema(table), &env,
                                     &learner));
        CHECK(!ploy_learner_predict(learner, ploy_examples_at(table, 0), NULL).opinion);
        CHECK_OK(ploy_learner_train(learner, table));
        int32_t right = 0;
        for (int32_t i = 0; i < 200; i++) {
            const double *row = ploy_examples_at(table, i);
            ploy_answer answer = ploy_learner_predict(learner, row, NULL);
            if (number == 1)
                right += answer.value > row[2] - 2.0 && answer.value < row[2] + 2.0 ? 1 : 0;
            if (number == 0) right += answer.category == (int32_t)row[2] ? 1 : 0;
        }
        CHECK(right >= 192);
        ploy_learner_destroy(learner);
        ploy_examples_destroy(table);
    }
}

// The default rate is for classes: a linear output would swing out with it.
TEST(numbers_are_learned_with_the_settings_as_they_are) {
    ploy_env env = ploy_env_default();
    static const struct {
        const char *row;
        int32_t hidden, hidden2;
        float momentum;
        ploy_net_activation activation;
    } rows[] = {{"as they are", 32, 0, 0.0f, PLOY_NET_TANH},
                {"no hidden layer", 0, 0, 0.0f, PLOY_NET_TANH},
                {"two wide layers", 128, 64, 0.0f, PLOY_NET_TANH},
                {"momentum", 32, 0, 0.9f, PLOY_NET_TANH},
                {"relu", 32, 0, 0.0f, PLOY_NET_RELU},
                {"linear", 32, 0, 0.0f, PLOY_NET_LINEAR}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_examples *table = make_table(t, &env, true);
        ploy_net_learner_def def = ploy_net_learner_def_default();
        def.hidden = rows[i].hidden;
        def.hidden2 = rows[i].hidden2;
        def.activation = rows[i].activation;
        def.trainer.momentum = rows[i].momentum;
        ploy_learner learner;
        CHECK_OK(ploy_learner_create(ploy_net_learner(), &def, ploy_examples_schema(table), &env,
                                     &learner));
        CHECK_OK(ploy_learner_train(learner, table));
        double squares = 0.0;
        for (int32_t k = 0; k < 200; k++) {
            const double *row = ploy_examples_at(table, k);
            ploy_answer answer = ploy_learner_predict(learner, row, NULL);
            CHECK(answer.opinion);
            squares += (answer.value - row[2]) * (answer.value - row[2]);
        }
        CHECK(squares / 200.0 < 0.5); // the values have a variance of 87
        ploy_learner_destroy(learner);
        ploy_examples_destroy(table);
    }
}

static void count_log(void *user, ploy_severity severity, const char *text) {
    (void)severity;
    *(int32_t *)user += strstr(text, "trainer.rate") != NULL ? 1 : 0;
}

TEST(weights_that_grow_without_limit_end_the_training) {
    int32_t reported = 0;
    ploy_env env = ploy_env_default();
    env.log = count_log;
    env.log_user = &reported;
    ploy_examples *table = make_table(t, &env, false);
    ploy_net_learner_def def = ploy_net_learner_def_default();
    def.activation = PLOY_NET_RELU;
    def.hidden2 = def.hidden3 = 32;
    def.trainer.rate = 100.0f;
    ploy_learner learner, fresh;
    const ploy_schema *schema = ploy_examples_schema(table);
    CHECK_OK(ploy_learner_create(ploy_net_learner(), &def, schema, &env, &learner));
    CHECK_OK(ploy_learner_create(ploy_net_learner(), &def, schema, &env, &fresh));
    CHECK_INT(ploy_learner_train(learner, table), PLOY_ERR_LIMIT);
    CHECK_INT(reported, 1);
    CHECK(!ploy_learner_trains(learner));
    CHECK(!ploy_learner_predict(learner, ploy_examples_at(table, 0), NULL).opinion);
    CHECK_UINT(ploy_learner_hash(learner), ploy_learner_hash(fresh));
    ploy_learner_destroy(learner);
    ploy_learner_destroy(fresh);
    ploy_examples_destroy(table);
}

TEST(images_go_through_convolutions) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = NULL;
    ploy_examples *table = NULL;
    CHECK_OK(ploy_schema_create(&env, &schema));
    char name[8];
    for (int32_t i = 0; i < 36; i++) {
        snprintf(name, sizeof name, "p%d", i);
        CHECK_OK(ploy_schema_add(schema, name, PLOY_COLUMN_NUMBER));
    }
    CHECK_OK(ploy_schema_add(schema, "what", PLOY_COLUMN_CATEGORY));
    CHECK_OK(ploy_schema_add_value(schema, 36, "row"));
    CHECK_OK(ploy_schema_add_value(schema, 36, "column"));
    CHECK_OK(ploy_schema_set_target(schema, 36));
    CHECK_OK(ploy_examples_create(schema, &env, &table));
    for (int32_t i = 0; i < 12; i++) { // a bar in each row and column
        double row[37] = {0};
        for (int32_t k = 0; k < 6; k++) row[i < 6 ? i * 6 + k : k * 6 + i - 6] = 1.0;
        row[36] = i < 6 ? 0.0 : 1.0;
        CHECK_OK(ploy_examples_add(table, row));
    }
    ploy_net_learner_def def = ploy_net_learner_def_default();
    def.image_width = 6;
    def.channels = 4;
    def.hidden = 8;
    def.epochs = 100;
    def.trainer.rate = 0.05f;
    ploy_learner learner;
    CHECK_OK(ploy_learner_create(ploy_net_learner(), &def, schema, &env, &learner));
    CHECK_OK(ploy_learner_train(learner, table));
    for (int32_t i = 0; i < 12; i++) {
        CHECK_INT(ploy_learner_predict(learner, ploy_examples_at(table, i), NULL).category,
                  i < 6 ? 0 : 1);
    }
    ploy_learner_destroy(learner);
    // Moved images are other examples, the same ones in every slicing.
    def.shift = 1;
    def.epochs = 3;
    CHECK_OK(ploy_learner_create(ploy_net_learner(), &def, schema, &env, &learner));
    CHECK_OK(ploy_learner_train(learner, table));
    uint64_t moved = ploy_learner_hash(learner);
    ploy_learner_reset(learner);
    CHECK_OK(ploy_learner_train_begin(learner, table));
    for (ploy_result result = PLOY_IN_PROGRESS; result != PLOY_OK;) {
        ploy_budget budget = ploy_budget_units(5);
        result = ploy_learner_train_step(learner, &budget);
        CHECK(result == PLOY_OK || result == PLOY_IN_PROGRESS);
    }
    CHECK_UINT(ploy_learner_hash(learner), moved);
    ploy_learner_destroy(learner);
    def.shift = 0;
    CHECK_OK(ploy_learner_create(ploy_net_learner(), &def, schema, &env, &learner));
    CHECK_OK(ploy_learner_train(learner, table));
    CHECK(ploy_learner_hash(learner) != moved);
    ploy_learner_destroy(learner);
    def.image_width = 7;
    CHECK_INT(ploy_learner_create(ploy_net_learner(), &def, schema, &env, &learner),
              PLOY_ERR_ARGUMENT);
    ploy_examples_destroy(table);
    ploy_schema_destroy(schema);
}
