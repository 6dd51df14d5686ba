// Tables from files, the published counts on them, and saved learners.
#include <stdlib.h>

#include "ploy/data/learned_tree.h"
#include "ploy/data/learner_file.h"
#include "ploy/data/table_file.h"
#include "ploy/learn/bayes.h"
#include "ploy/learn/entropy.h"
#include "ploy/learn/nearest.h"
#include "ploy/learn/net_learner.h"
#include "tests/test.h"

static ploy_examples *load_text(test_context *t, const char *text, const char *name) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_examples *out = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    ploy_result result =
        ploy_table_load(text, strlen(text), name, PLOY_TABLE_ANY, &env, diags, &out);
    if (result != PLOY_OK && ploy_diags_count(diags) > 0) {
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, "");
    }
    CHECK_OK(result);
    ploy_diags_destroy(diags);
    return out;
}

static ploy_examples *load_file(test_context *t, const char *name) {
    const char *folder = test_data_dir();
    if (folder == NULL) return NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/ml/%s", folder, name);
    size_t size = 0;
    char *text = test_read_file(path, &size);
    if (text == NULL) return NULL;
    ploy_examples *out = load_text(t, text, name);
    free(text);
    return out;
}

// As a learner of categories needs it; `drop` is a column to leave out, or NULL.
static ploy_examples *prepared(test_context *t, ploy_examples *table, const char *drop) {
    ploy_env env = ploy_env_default();
    bool dropped[64] = {false};
    int32_t column = drop != NULL ? ploy_schema_find(ploy_examples_schema(table), drop) : -1;
    if (column >= 0) dropped[column] = true;
    ploy_prepare_options options = ploy_prepare_options_default();
    options.drop = dropped;
    options.occurring = true;
    options.most_values = 16;
    options.most_classes = PLOY_COLUMN_VALUES_MAX;
    ploy_examples *out = NULL;
    CHECK_OK(ploy_examples_prepare(table, &options, &env, &out));
    ploy_examples_destroy(table);
    return out;
}

static int32_t count_right(ploy_learner learner, const ploy_examples *rows) {
    int32_t right = 0, target = ploy_schema_target(ploy_examples_schema(rows));
    for (int32_t i = 0; i < ploy_examples_count(rows); i++) {
        const double *row = ploy_examples_at(rows, i);
        right += ploy_learner_predict(learner, row, NULL).category == (int32_t)row[target];
    }
    return right;
}

static int32_t ten_folds(test_context *t, const ploy_learner_type *type, const ploy_examples *table,
                         int32_t folds) {
    ploy_env env = ploy_env_default();
    int32_t right = 0;
    for (int32_t fold = 0; fold < folds; fold++) {
        ploy_examples *train = NULL, *test = NULL;
        ploy_learner learner;
        CHECK_OK(ploy_examples_split(table, fold, folds, &env, &train, &test));
        CHECK_OK(ploy_learner_create(type, NULL, ploy_examples_schema(train), &env, &learner));
        CHECK_OK(ploy_learner_train(learner, train));
        right += count_right(learner, test);
        ploy_learner_destroy(learner);
        ploy_examples_destroy(train);
        ploy_examples_destroy(test);
    }
    return right;
}

TEST(ten_folds_are_counted_exactly) {
    static const struct {
        const char *row, *drop;
        int32_t bayes, id3, bayes_all, nodes;
    } rows[] = {{"tic-tac-toe.arff", NULL, 673, 817, 669, 343},
                {"car.arff", NULL, 1490, 1637, 1506, 408},
                {"vote.arff", NULL, 393, 408, 393, 59},
                {"balance.scale.arff", NULL, 574, 419, 576, 501},
                {"zoo.arff", "animal", 95, 98, 101, 23},
                {"lymph.arff", NULL, 128, 117, 131, 76}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_examples *table = load_file(t, rows[i].row);
        if (table == NULL) {
            test_skip(t, "no outside data");
            return;
        }
        table = prepared(t, table, rows[i].drop);
        CHECK_INT(ten_folds(t, ploy_bayes_learner(), table, 10), rows[i].bayes);
        CHECK_INT(ten_folds(t, ploy_tree_learner(), table, 10), rows[i].id3);
        const ploy_learner_type *types[2] = {ploy_bayes_learner(), ploy_tree_learner()};
        for (int32_t k = 0; k < 2; k++) {
            ploy_learner learner;
            CHECK_OK(
                ploy_learner_create(types[k], NULL, ploy_examples_schema(table), &env, &learner));
            CHECK_OK(ploy_learner_train(learner, table));
            CHECK_INT(count_right(learner, table),
                      k == 0 ? rows[i].bayes_all : ploy_examples_count(table));
            if (k == 1) CHECK_INT(ploy_learner_size(learner), rows[i].nodes);
            ploy_learner_destroy(learner);
        }
        ploy_examples_destroy(table);
    }
}

TEST(pruned_trees_do_well_on_new_rows) {
    static const struct {
        const char *row;
        double want;
    } rows[] = {{"car.arff", 0.91},
                {"vote.arff", 0.94},
                {"iris.arff", 0.93},
                {"banknote.csv", 0.97},
                {"wheat-seeds.csv", 0.88}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_examples *table = load_file(t, rows[i].row);
        if (table == NULL) {
            test_skip(t, "no outside data");
            return;
        }
        table = prepared(t, table, NULL);
        double share =
            (double)ten_folds(t, ploy_tree_ratio_learner(), table, 10) / ploy_examples_count(table);
        CHECK(share >= rows[i].want);
        ploy_examples_destroy(table);
    }
}

// Acceptance: every test row of monks-1.
TEST(a_net_learns_monks_1_completely) {
    ploy_env env = ploy_env_default();
    ploy_examples *train = load_file(t, "monks-1.train"), *test = load_file(t, "monks-1.test");
    if (train == NULL || test == NULL) {
        test_skip(t, "no outside data");
        return;
    }
    ploy_prepare_options options = ploy_prepare_options_default();
    options.most_classes = PLOY_COLUMN_VALUES_MAX; // only the target becomes categories
    ploy_examples *raw = train, *fitted = NULL;
    CHECK_OK(ploy_examples_prepare(raw, &options, &env, &train));
    ploy_examples_destroy(raw);
    CHECK_OK(ploy_examples_fit(test, ploy_examples_schema(train), &env, &fitted, NULL));
    ploy_net_learner_def def = ploy_net_learner_def_default();
    def.hidden = 8;
    def.epochs = 300;
    def.trainer.method = PLOY_TRAINER_ADAM;
    def.trainer.rate = 0.01f;
    def.trainer.batch = 8;
    for (def.seed = 1; def.seed <= 3; def.seed++) {
        TEST_SEED(def.seed);
        ploy_learner learner;
        CHECK_OK(ploy_learner_create(ploy_net_learner(), &def, ploy_examples_schema(train), &env,
                                     &learner));
        CHECK_OK(ploy_learner_train(learner, train));
        CHECK_INT(count_right(learner, fitted), 432);
        ploy_learner_destroy(learner);
    }
    ploy_examples_destroy(fitted);
    ploy_examples_destroy(test);
    ploy_examples_destroy(train);
}

TEST(monks_and_iris_are_as_published) {
    ploy_env env = ploy_env_default();
    static const struct {
        const char *row, *train, *test;
        int32_t id3, bayes;
    } rows[] = {{"monks-1", "monks-1.train", "monks-1.test", 356, 308},
                {"monks-3", "monks-3.train", "monks-3.test", 408, 420}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_examples *train = load_file(t, rows[i].train), *test = load_file(t, rows[i].test);
        if (train == NULL || test == NULL) {
            test_skip(t, "no outside data");
            return;
        }
        train = prepared(t, train, NULL);
        ploy_examples *fitted = NULL;
        CHECK_OK(ploy_examples_fit(test, ploy_examples_schema(train), &env, &fitted, NULL));
        const ploy_learner_type *types[2] = {ploy_tree_learner(), ploy_bayes_learner()};
        for (int32_t k = 0; k < 2; k++) {
            ploy_learner learner;
            CHECK_OK(
                ploy_learner_create(types[k], NULL, ploy_examples_schema(train), &env, &learner));
            CHECK_OK(ploy_learner_train(learner, train));
            CHECK_INT(count_right(learner, fitted), k == 0 ? rows[i].id3 : rows[i].bayes);
            ploy_learner_destroy(learner);
        }
        ploy_examples_destroy(fitted);
        ploy_examples_destroy(test);
        ploy_examples_destroy(train);
    }
    ploy_examples *iris = load_file(t, "iris.arff");
    CHECK_INT(ten_folds(t, ploy_nearest_learner(), iris, 150), 144); // leave one out
    ploy_learner learner;
    CHECK_OK(ploy_learner_create(ploy_bayes_learner(), NULL, ploy_examples_schema(iris), &env,
                                 &learner));
    CHECK_OK(ploy_learner_train(learner, iris));
    CHECK_INT(count_right(learner, iris), 144);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(iris);
    ploy_examples *weather = load_file(t, "weather.nominal.arff");
    ploy_gain gains[5];
    CHECK_OK(ploy_examples_gains(weather, &env, gains));
    static const double want[] = {0.247, 0.029, 0.152, 0.048};
    for (int32_t i = 0; i < 4; i++) CHECK_NEAR(gains[i].gain, want[i], 5e-4);
    int32_t classes[2] = {0, 0};
    const ploy_schema *schema = ploy_examples_schema(weather);
    for (int32_t i = 0; i < ploy_examples_count(weather); i++) {
        classes[(int32_t)ploy_examples_at(weather, i)[ploy_schema_target(schema)]]++;
    }
    CHECK_NEAR(ploy_entropy(classes, 2), 0.940, 5e-4);
    CHECK_OK(ploy_learner_create(ploy_tree_learner(), NULL, schema, &env, &learner));
    CHECK_OK(ploy_learner_train(learner, weather));
    CHECK_INT(ploy_learner_size(learner), 8);
    CHECK_TEXT(ploy_schema_name_at(schema, ploy_tree_node_at(learner, 0)->column), "outlook");
    CHECK_INT(count_right(learner, weather), 14);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(weather);
}

TEST(arff_reads_quotes_missing_values_and_sparse_rows) {
    ploy_examples *table = load_text(t,
                                     "% comment\n@RELATION x\n@Attribute 'the size' REAL\n"
                                     "@attribute kind { 'a b', c }\n@attribute note string\n@DATA\n"
                                     "1.5, 'a b', hello\n?, c, ?\n{0 7, 1 c}\n\n",
                                     "x.arff");
    CHECK_INT(ploy_examples_count(table), 3);
    const ploy_schema *schema = ploy_examples_schema(table);
    CHECK_TEXT(ploy_schema_name_at(schema, 0), "the size");
    CHECK_TEXT(ploy_schema_value_at(schema, 1, 0), "a b");
    CHECK_SAME(ploy_examples_at(table, 0)[0], 1.5);
    CHECK(ploy_is_missing(ploy_examples_at(table, 1)[0]));
    CHECK(ploy_is_missing(ploy_examples_at(table, 1)[2]));
    CHECK_SAME(ploy_examples_at(table, 2)[0], 7.0);
    CHECK_SAME(ploy_examples_at(table, 2)[1], 1.0);
    ploy_examples_destroy(table);
}

TEST(csv_finds_names_and_kinds) {
    ploy_examples *table = load_text(t, "size,kind\n1,a\n-2.5,b\n,\"a\"\n", "x.csv");
    CHECK_INT(ploy_examples_count(table), 3);
    CHECK_TEXT(ploy_schema_name_at(ploy_examples_schema(table), 1), "kind");
    CHECK_INT(ploy_schema_kind_at(ploy_examples_schema(table), 0), PLOY_COLUMN_NUMBER);
    CHECK_SAME(ploy_examples_at(table, 2)[1], 0.0);
    ploy_examples_destroy(table);
    table = load_text(t, "1,2\n3,4", "x.csv");
    CHECK_TEXT(ploy_schema_name_at(ploy_examples_schema(table), 0), "c1");
    CHECK_INT(ploy_examples_count(table), 2);
    ploy_examples_destroy(table);
    table = load_text(t, "2,1,no,yes\n0.5,1\n0.7,0\n", "x.csv"); // scikit-learn's
    CHECK_TEXT(ploy_schema_name_at(ploy_examples_schema(table), 1), "class");
    CHECK_INT(ploy_schema_classes(ploy_examples_schema(table)), 2);
    ploy_examples_destroy(table);
}

TEST(faults_have_a_place_and_the_nearest_name) {
    static const struct {
        const char *row, *name, *text;
        int32_t line, column;
        const char *nearest;
    } rows[] = {
        {"a value", "x.arff", "@attribute k {red,blue}\n@data\nred\nreed\n", 4, 1, "red"},
        {"a keyword", "x.arff", "@atribute k {a}\n@data\na\n", 1, 1, "@attribute"},
        {"a type", "x.arff", "@attribute k numerc\n@data\n1\n", 1, 14, "numeric"},
        {"a number", "x.arff", "@attribute k real\n@data\n1\n1x\n", 4, 1, NULL},
        {"a large number", "x.arff", "@attribute k real\n@data\n1e140\n-2e140\n", 4, 1, NULL},
        {"a large number in CSV", "x.csv", "a,b\n1,2\n3,1e308\n", 3, 3, NULL},
        {"a large number of FANN", "x.data", "1 1 1\n2e140\n0\n", 2, 6, NULL},
        {"too few", "x.arff", "@attribute k real\n@attribute l real\n@data\n1\n", 4, 1, NULL},
        {"too many", "x.csv", "1,2\n3,4,5\n", 2, 5, NULL},
        {"no data", "x.arff", "@attribute k real\n", 2, 1, NULL},
        {"an open quote", "x.csv", "a,'b\n", 1, 3, NULL},
        {"no rows", "x.csv", "\n\n", 1, 1, NULL},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        ploy_examples *table = NULL;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        CHECK_INT(ploy_table_load(rows[i].text, strlen(rows[i].text), rows[i].name, PLOY_TABLE_ANY,
                                  &env, diags, &table),
                  PLOY_ERR_FORMAT);
        CHECK(table == NULL && ploy_diags_count(diags) > 0);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK_INT(diag->line, rows[i].line);
        CHECK_INT(diag->column, rows[i].column);
        if (rows[i].nearest != NULL) CHECK_TEXT(diag->nearest, rows[i].nearest);
        ploy_diags_destroy(diags);
    }
}

TEST(zero_bytes_end_and_are_no_names) {
    static const char bytes[] = " 1 1 id\n\0\0 2 id\n";
    ploy_env env = ploy_env_default();
    ploy_examples *table = NULL;
    CHECK_INT(ploy_table_load(bytes, sizeof bytes - 1, "x", PLOY_TABLE_MONKS, &env, NULL, &table),
              PLOY_ERR_FORMAT);
}

static const char small[] =
    "@attribute kind {a,b}\n@attribute size real\n@attribute do {x,y}\n@data\n"
    "a,1,x\nb,2,y\na,5,y\nb,6,x\na,2,x\n";

typedef struct memory_case {
    const char *text;
    size_t size;
} memory_case;

static ploy_result load_once(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_examples *table = NULL;
    ploy_result result =
        ploy_table_load(small, strlen(small), "x.arff", PLOY_TABLE_ANY, env, NULL, &table);
    ploy_examples_destroy(table);
    if (result != PLOY_OK) return result;
    result = ploy_table_load("a,b\n1,x\n2,y\n", 12, "x.csv", PLOY_TABLE_ANY, env, NULL, &table);
    ploy_examples_destroy(table);
    return result;
}

static ploy_result load_learner_once(const ploy_env *env, void *arg) {
    const memory_case *c = arg;
    ploy_learner learner;
    ploy_result result = ploy_learner_load(c->text, c->size, "saved", env, NULL, &learner);
    if (result == PLOY_OK) ploy_learner_destroy(learner);
    return result;
}

TEST(learners_are_saved_and_loaded) {
    ploy_env env = ploy_env_default();
    ploy_examples *table = prepared(t, load_text(t, small, "x.arff"), "size");
    for (int32_t i = 0; ploy_learners_at(i) != NULL; i++) {
        const ploy_learner_type *type = ploy_learners_at(i);
        t->row = type->name;
        if (!ploy_learner_takes(type, ploy_examples_schema(table), &env)) continue;
        ploy_learner learner, loaded;
        CHECK_OK(ploy_learner_create(type, NULL, ploy_examples_schema(table), &env, &learner));
        CHECK_OK(ploy_learner_train(learner, table));
        ploy_buffer buffer, again;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_buffer_init(&again, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        CHECK_OK(ploy_learner_save(learner, &writer));
        CHECK_OK(ploy_learner_load(buffer.bytes, buffer.size, "saved", &env, NULL, &loaded));
        CHECK_UINT(ploy_learner_hash(loaded), ploy_learner_hash(learner));
        writer = ploy_buffer_writer(&again);
        CHECK_OK(ploy_learner_save(loaded, &writer));
        CHECK_TEXT(ploy_buffer_text(&again), ploy_buffer_text(&buffer));
        memory_case c = {buffer.bytes, buffer.size};
        CHECK_FAIL_NTH(load_learner_once, &c);
        ploy_buffer_fini(&buffer);
        ploy_buffer_fini(&again);
        ploy_learner_destroy(loaded);
        ploy_learner_destroy(learner);
    }
    ploy_examples_destroy(table);
    CHECK_FAIL_NTH(load_once, NULL);
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    ploy_learner none;
    static const char wrong[] =
        "{\"format\": \"ploy learner\", \"version\": 1, \"learner\": \"id33\"}";
    CHECK_INT(ploy_learner_load(wrong, strlen(wrong), "saved", &env, diags, &none),
              PLOY_ERR_FORMAT);
    CHECK_TEXT(ploy_diags_get(diags, 0)->nearest, "id3");
    ploy_diags_destroy(diags);
}

TEST(a_learned_tree_decides_as_the_learner) {
    ploy_env env = ploy_env_default();
    ploy_examples *table = load_text(t, small, "x.arff");
    ploy_learner learner;
    CHECK_OK(ploy_learner_create(ploy_tree_learner(), NULL, ploy_examples_schema(table), &env,
                                 &learner));
    const ploy_blackboard_key keys[] = {{"kind", PLOY_VALUE_I64, ploy_value_none(), NULL},
                                        {"size", PLOY_VALUE_F32, ploy_value_none(), NULL}};
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_decision_tree *tree = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 2, "keys", &env, NULL, &layout));
    CHECK_INT(ploy_learned_tree_create(learner, layout, NULL, &env, &tree), PLOY_ERR_STATE);
    CHECK_OK(ploy_learner_train(learner, table));
    CHECK_OK(ploy_learned_tree_create(learner, layout, NULL, &env, &tree));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    ploy_decision_def def = ploy_decision_def_default();
    ploy_decision *decision = NULL;
    CHECK_OK(ploy_decision_create(&def, tree, &env, &decision));
    for (int32_t kind = 0; kind < 2; kind++) {
        for (double size = 0.5; size < 8.0; size += 0.5) {
            double row[3] = {kind, size, PLOY_MISSING};
            CHECK_OK(
                ploy_blackboard_set_i64(board, ploy_blackboard_layout_find(layout, "kind"), kind));
            CHECK_OK(ploy_blackboard_set_f32(board, ploy_blackboard_layout_find(layout, "size"),
                                             (float)size));
            ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), board, 0.1f);
            ploy_moment moment = ploy_moment_make(&context);
            ploy_decision_node leaf = ploy_decision_evaluate(decision, &moment);
            CHECK_INT(ploy_learned_tree_class(learner, tree, leaf),
                      ploy_learner_predict(learner, row, NULL).category);
        }
    }
    ploy_decision_destroy(decision);
    ploy_blackboard_destroy(board);
    ploy_decision_tree_destroy(tree);
    ploy_blackboard_layout_destroy(layout);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(table);
}
