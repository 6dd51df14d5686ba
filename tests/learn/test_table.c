// Schemas and tables.
#include "learn_examples.h"

#include "tests/state.h"

static const char *const weather[] = {"sunny 30 no", "rainy 12 yes", "? 20 yes", "sunny ? no",
                                      NULL};

TEST(a_schema_refuses_names_that_are_taken_or_too_long) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = make_schema(t, &env, "sky:sunny,rainy range");
    char long_name[PLOY_COLUMN_NAME_MAX + 1];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    CHECK_INT(ploy_schema_add(schema, "sky", PLOY_COLUMN_NUMBER), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_schema_add(schema, "", PLOY_COLUMN_NUMBER), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_schema_add(schema, long_name, PLOY_COLUMN_NUMBER), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_schema_add_value(schema, 0, "sunny"), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_schema_add_value(schema, 1, "one"), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_schema_set_target(schema, 2), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_schema_add_value(schema, 0, "foggy"));
    CHECK_INT(ploy_schema_find_value(schema, 0, "foggy"), 2);
    CHECK_INT(ploy_schema_count(schema), 2);
    CHECK_TEXT(ploy_schema_name_at(schema, 1), "range");
    CHECK_TEXT(ploy_schema_name_at(schema, 7), "");
    ploy_schema_destroy(schema);
}

TEST(rows_are_checked) {
    ploy_env env = ploy_env_default();
    ploy_examples *examples = make_examples(t, &env, "sky:sunny,rainy heat play:no,yes", weather);
    double rows[][3] = {{2, 1, 0},     {0.5, 1, 0},       {-1, 1, 0},
                        {0, NAN, 0},   {0, -INFINITY, 0}, {0, 2 * PLOY_TABLE_NUMBER_MAX, 0},
                        {0, -1e308, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_INT(ploy_examples_add(examples, rows[i]), PLOY_ERR_ARGUMENT);
    }
    CHECK_INT(ploy_examples_count(examples), 4);
    CHECK(ploy_is_missing(ploy_examples_at(examples, 2)[0]));
    CHECK_SAME(ploy_examples_at(examples, 0)[1], 30.0);
    CHECK(ploy_examples_at(examples, 4) == NULL);
    ploy_examples_destroy(examples);
}

TEST(folds_take_rows_by_index) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = make_schema(t, &env, "x");
    ploy_examples *all = NULL;
    CHECK_OK(ploy_examples_create(schema, &env, &all));
    for (int32_t i = 0; i < 11; i++) {
        double x = i;
        CHECK_OK(ploy_examples_add(all, &x));
    }
    ploy_examples *train = NULL, *test = NULL;
    CHECK_OK(ploy_examples_split(all, 1, 4, &env, &train, &test));
    CHECK_INT(ploy_examples_count(test), 3);
    CHECK_INT(ploy_examples_count(train), 8);
    CHECK_SAME(ploy_examples_at(test, 1)[0], 5.0);
    CHECK_SAME(ploy_examples_at(train, 1)[0], 2.0);
    ploy_examples_destroy(train);
    ploy_examples_destroy(test);
    CHECK_INT(ploy_examples_split(all, 4, 4, &env, &train, &test), PLOY_ERR_ARGUMENT);
    ploy_examples_destroy(all);
    ploy_schema_destroy(schema);
}

TEST(preparing_makes_categories_of_whole_numbers) {
    static const char *const rows[] = {"4 1.5 ? b", "2 2.5 x a", "2 1.5 x b", NULL};
    ploy_env env = ploy_env_default();
    ploy_examples *all = make_examples(t, &env, "legs size tail:x,y kind:z,b,a", rows);
    ploy_prepare_options options = ploy_prepare_options_default();
    options.most_values = 8;
    options.occurring = true;
    ploy_examples *out = NULL;
    CHECK_OK(ploy_examples_prepare(all, &options, &env, &out));
    const ploy_schema *schema = ploy_examples_schema(out);
    CHECK_INT(ploy_schema_kind_at(schema, 0), PLOY_COLUMN_CATEGORY);
    CHECK_TEXT(ploy_schema_value_at(schema, 0, 0), "2");
    CHECK_TEXT(ploy_schema_value_at(schema, 0, 1), "4");
    CHECK_INT(ploy_schema_kind_at(schema, 1), PLOY_COLUMN_NUMBER);
    CHECK_INT(ploy_schema_value_count(schema, 2), 1); // y does not occur
    CHECK(ploy_is_missing(ploy_examples_at(out, 0)[2]));
    CHECK_TEXT(ploy_schema_value_at(schema, 3, 0), "a"); // the target's are sorted by name
    CHECK_INT(ploy_schema_classes(schema), 2);
    CHECK_SAME(ploy_examples_at(out, 0)[0], 1.0);
    CHECK_SAME(ploy_examples_at(out, 0)[1], 1.5);
    CHECK_SAME(ploy_examples_at(out, 0)[3], 1.0);
    ploy_examples_destroy(out);
    bool drop[4] = {true, false, false, true};
    options.drop = drop;
    CHECK_OK(ploy_examples_prepare(all, &options, &env, &out));
    CHECK_INT(ploy_schema_count(ploy_examples_schema(out)), 3); // never the target
    ploy_examples_destroy(out);
    ploy_examples_destroy(all);
}

TEST(schema_and_rows_are_saved) {
    ploy_env env = ploy_env_default();
    ploy_examples *a = make_examples(t, &env, "sky:sunny,rainy heat play:no,yes", weather);
    ploy_examples *b = NULL;
    CHECK_OK(ploy_examples_create(ploy_examples_schema(a), &env, &b));
    state_check s = {ploy_examples_visit, a, NULL, NULL, NULL};
    state_check_copy(t, &s, b);
    CHECK_UINT(ploy_examples_hash(a), ploy_examples_hash(b));
    ploy_schema *from = make_schema(t, &env, "sky:sunny,rainy heat play:no,yes"), *to = NULL;
    CHECK_OK(ploy_schema_create(&env, &to));
    static const char *const skip[] = {"first", "count", "kind", "name", "value", NULL};
    state_check w = {ploy_schema_visit, from, NULL, skip, NULL};
    state_check_all(t, &w);
    state_check_copy(t, &w, to);
    CHECK_UINT(ploy_schema_hash(from), ploy_schema_hash(to));
    ploy_schema_destroy(from);
    ploy_schema_destroy(to);
    ploy_examples_destroy(a);
    ploy_examples_destroy(b);
}

static ploy_result prepare_once(const ploy_env *env, void *arg) {
    ploy_prepare_options options = ploy_prepare_options_default();
    options.most_values = 8;
    options.occurring = true;
    ploy_examples *out = NULL, *train = NULL, *test = NULL;
    ploy_result result = ploy_examples_prepare(arg, &options, env, &out);
    if (result == PLOY_OK) result = ploy_examples_split(out, 0, 2, env, &train, &test);
    ploy_examples_destroy(out);
    ploy_examples_destroy(train);
    ploy_examples_destroy(test);
    return result;
}

TEST(every_allocation_of_a_table_may_fail) {
    ploy_env env = ploy_env_default();
    ploy_examples *a = make_examples(t, &env, "sky:sunny,rainy heat play:no,yes", weather);
    CHECK_FAIL_NTH(prepare_once, a);
    ploy_examples_destroy(a);
}
