// Confusion matrix and over-fitting.
#include "learn_examples.h"

#include "ploy/learn/score.h"

TEST(a_confusion_matrix_counts_answers) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = make_schema(t, &env, "class:a,b");
    ploy_confusion *confusion = NULL;
    CHECK_OK(ploy_confusion_create(2, &env, &confusion));
    ploy_confusion_add(confusion, 0, 0);
    ploy_confusion_add(confusion, 0, 1);
    ploy_confusion_add(confusion, 1, -1);
    ploy_confusion_add(confusion, 7, 0);
    CHECK_INT(ploy_confusion_at(confusion, 0, 1), 1);
    CHECK_INT(ploy_confusion_at(confusion, 1, 1), 0);
    CHECK_INT(ploy_confusion_at(confusion, 1, -1), 1); // no opinion
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_confusion_print(confusion, schema, &writer);
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "a                     1      1\nb                     0      0      1\n");
    ploy_buffer_fini(&buffer);
    ploy_confusion_destroy(confusion);
    ploy_schema_destroy(schema);
    CHECK_INT(ploy_confusion_create(-1, &env, &confusion), PLOY_ERR_ARGUMENT);
}

TEST(learning_by_heart_is_reported) {
    static const struct {
        const char *row;
        double train, test;
        int64_t size, rows;
        bool want;
    } rows[] = {{"no gap", 0.9, 0.9, 10, 100, false},
                {"a wide gap", 1.0, 0.85, 10, 100, true},
                {"a small gap", 1.0, 0.93, 10, 100, false},
                {"a small gap of something as large as its table", 1.0, 0.93, 120, 100, true},
                {"eight nodes for eight situations, a coin for the rest", 1.0, 0.5, 8, 8, true}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_overfit gap = ploy_overfit_of(rows[i].train, rows[i].test, rows[i].size, rows[i].rows);
        CHECK_INT(gap.warning, rows[i].want);
        CHECK_NEAR(gap.gap, rows[i].train - rows[i].test, 1e-12);
    }
}
