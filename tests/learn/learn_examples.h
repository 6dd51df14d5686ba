// Tables for the tests of learners.
#pragma once

#include "ploy/learn/learner.h"
#include "tests/test.h"

// A schema from a text: "health:hurt,healthy cover:no,yes range" names two columns of categories and
// one of numbers. The last column is the target.
static inline ploy_schema *make_schema(test_context *t, const ploy_env *env, const char *text) {
    ploy_schema *schema = NULL;
    CHECK_OK(ploy_schema_create(env, &schema));
    char word[PLOY_COLUMN_NAME_MAX];
    size_t length = 0;
    bool naming = true;
    for (const char *at = text;; at++) {
        if (*at != ':' && *at != ',' && *at != ' ' && *at != 0) {
            word[length++] = *at;
            continue;
        }
        word[length] = 0;
        length = 0;
        if (naming) {
            CHECK_OK(ploy_schema_add(schema, word,
                                     *at == ':' ? PLOY_COLUMN_CATEGORY : PLOY_COLUMN_NUMBER));
        } else {
            CHECK_OK(ploy_schema_add_value(schema, ploy_schema_count(schema) - 1, word));
        }
        naming = *at == ' ';
        if (*at == 0) break;
    }
    CHECK_OK(ploy_schema_set_target(schema, ploy_schema_count(schema) - 1));
    return schema;
}

// Rows by the names of their categories, or numbers, separated by blanks; "?" is missing. One row
// each, up to NULL.
static inline void read_row(test_context *t, const ploy_schema *schema, const char *text,
                            double *row) {
    for (int32_t i = 0; i < ploy_schema_count(schema); i++) {
        char word[PLOY_COLUMN_NAME_MAX] = {0};
        for (size_t k = 0; *text != 0 && *text != ' ' && k + 1 < sizeof word; k++)
            word[k] = *text++;
        if (*text == ' ') text++;
        if (strcmp(word, "?") == 0) {
            row[i] = PLOY_MISSING;
        } else if (ploy_schema_kind_at(schema, i) == PLOY_COLUMN_NUMBER) {
            double value = 0.0;
            CHECK(sscanf(word, "%lf", &value) == 1);
            row[i] = value;
        } else {
            row[i] = ploy_schema_find_value(schema, i, word);
            CHECK(row[i] >= 0.0);
        }
    }
}

static inline ploy_examples *make_examples(test_context *t, const ploy_env *env,
                                           const char *columns, const char *const *rows) {
    ploy_schema *schema = make_schema(t, env, columns);
    ploy_examples *examples = NULL;
    CHECK_OK(ploy_examples_create(schema, env, &examples));
    for (; *rows != NULL; rows++) {
        double row[32];
        read_row(t, schema, *rows, row);
        CHECK_OK(ploy_examples_add(examples, row));
    }
    ploy_schema_destroy(schema);
    return examples;
}
