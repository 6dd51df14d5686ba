// A guard that predicts which door a player takes. The player alternates, which counts alone never
// find out; windows do. Shows ploy_ngram_score and ploy_handicap_apply.
#include "ploy/learn/ngram.h"

#include <stdio.h>

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = NULL;
    if (ploy_schema_create(&env, &schema) != PLOY_OK ||
        ploy_schema_add(schema, "door", PLOY_COLUMN_CATEGORY) != PLOY_OK ||
        ploy_schema_add_value(schema, 0, "left") != PLOY_OK ||
        ploy_schema_add_value(schema, 0, "right") != PLOY_OK) {
        return 1;
    }
    // Left, right, right, and now and then a surprise.
    int32_t doors[300];
    ploy_rng rng = ploy_rng_make(7);
    for (int32_t i = 0; i < 300; i++) {
        bool surprise = ploy_rng_chance(&rng, 0.1f);
        doors[i] = (i % 3 != 0) != surprise;
    }
    const ploy_learner_type *types[] = {ploy_ngram_raw_learner(), ploy_string_learner(),
                                        ploy_ngram_learner(), ploy_ngram_hierarchical_learner()};
    ploy_ngram_def gated;
    ploy_fields_default(ploy_ngram_hierarchical_fields(), &gated);
    gated.min_share = 0.6; // no opinion unless it is clear
    ploy_learner learner;
    for (int32_t i = 0; i < 4; i++) {
        int32_t right = 0;
        if (ploy_learner_create(types[i], i == 3 ? &gated : NULL, schema, &env, &learner) !=
                PLOY_OK ||
            ploy_ngram_score(learner, doors, 300, &right) != PLOY_OK) {
            return 1;
        }
        printf("%-12s guards the right door %d of 300 times\n", types[i]->name, right);
        if (i < 3) ploy_learner_destroy(learner);
    }
    // A fair guard uses only half of what it knows.
    ploy_handicap_def handicap = ploy_handicap_def_default();
    handicap.use = 0.5f;
    double row = 0.0;
    ploy_answer answer = ploy_learner_predict(learner, &row, NULL);
    int32_t used = 0;
    for (int32_t i = 0; i < 100; i++) used += ploy_handicap_apply(&handicap, answer, &rng).opinion;
    printf("next: %s (%.0f %%); with a handicap it acts on that %d of 100 times\n",
           ploy_schema_value_at(schema, 0, answer.category), 100.0 * answer.confidence, used);
    ploy_learner_destroy(learner);
    ploy_schema_destroy(schema);
    return 0;
}
