// Any bytes as a table: refused with a reason, or loaded with rows that fit the schema, and then
// learned. The first byte chooses the format.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/data/table_file.h"
#include "ploy/learn/learner.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 1 << 16) return 0;
    static const ploy_table_format formats[] = {PLOY_TABLE_ANY, PLOY_TABLE_ARFF, PLOY_TABLE_CSV,
                                                PLOY_TABLE_MONKS};
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_examples *table = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_result result =
        ploy_table_load(data + 1, size - 1, "fuzz", formats[data[0] % 4], &env, diags, &table);
    must((result == PLOY_OK) == (table != NULL));
    if (table != NULL) {
        for (int32_t i = 0; i < ploy_examples_count(table); i++) {
            must(ploy_schema_accepts(ploy_examples_schema(table), ploy_examples_at(table, i)));
        }
        for (int32_t i = 0; ploy_learners_at(i) != NULL && ploy_examples_count(table) < 50; i++) {
            const ploy_learner_type *type = ploy_learners_at(i);
            if (!ploy_learner_takes(type, ploy_examples_schema(table), &env)) continue;
            ploy_learner learner;
            if (ploy_learner_create(type, NULL, ploy_examples_schema(table), &env, &learner) !=
                PLOY_OK) {
                continue; // too many windows
            }
            must(ploy_learner_train(learner, table) == PLOY_OK);
            if (ploy_examples_count(table) > 0) {
                (void)ploy_learner_predict(learner, ploy_examples_at(table, 0), NULL);
            }
            ploy_learner_destroy(learner);
        }
        ploy_examples_destroy(table);
    }
    ploy_diags_destroy(diags);
    return 0;
}
