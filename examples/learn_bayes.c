// Imitates when a player brakes, from seven corners, and says why. Then the log of what was shown
// rebuilds the learner to the bit. Shows ploy_bins_find, ploy_experience_observe and
// ploy_learner_explain.
#include "ploy/inspect/sinks.h"
#include "ploy/learn/bayes.h"
#include "ploy/learn/discretise.h"
#include "ploy/learn/experience.h"

#include <stdio.h>

// Distance to the corner in m, speed in m/s, and whether the player braked.
static const double corners[7][3] = {{2.4, 11.3, 1},  {3.2, 70.2, 1}, {75.7, 72.7, 0},
                                     {80.6, 89.4, 1}, {2.8, 15.2, 0}, {82.1, 8.6, 1},
                                     {3.8, 69.4, 1}};

static ploy_result print_bytes(void *user, const void *bytes, size_t size) {
    (void)user;
    return fwrite(bytes, 1, size, stdout) == size ? PLOY_OK : PLOY_ERR_CALLBACK;
}

static void add_column(ploy_schema *schema, const char *name, const char *zero, const char *one) {
    int32_t column = ploy_schema_count(schema);
    if (ploy_schema_add(schema, name, PLOY_COLUMN_CATEGORY) == PLOY_OK &&
        ploy_schema_add_value(schema, column, zero) == PLOY_OK) {
        (void)ploy_schema_add_value(schema, column, one);
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_schema *schema = NULL;
    if (ploy_schema_create(&env, &schema) != PLOY_OK) return 1;
    add_column(schema, "distance", "near", "far");
    add_column(schema, "speed", "slow", "fast");
    add_column(schema, "brake", "no", "yes");
    if (ploy_schema_set_target(schema, 2) != PLOY_OK) return 1;
    ploy_bayes_def def = ploy_bayes_def_default();
    def.smoothing = 0.0; // as in a textbook
    ploy_learner learner, again;
    ploy_experience *log = NULL;
    if (ploy_learner_create(ploy_bayes_learner(), &def, schema, &env, &learner) != PLOY_OK ||
        ploy_learner_create(ploy_bayes_learner(), &def, schema, &env, &again) != PLOY_OK ||
        ploy_experience_create(learner, 1 << 16, &env, &log) != PLOY_OK) {
        return 1;
    }
    if (ploy_experience_reset(log) != PLOY_OK) return 1; // forgets everything, and notes it
    const ploy_bins twenty = {{20.0}, 1};                // below 20 is near, or slow
    for (int32_t i = 0; i < 7; i++) {
        double row[3] = {ploy_bins_find(&twenty, corners[i][0]),
                         ploy_bins_find(&twenty, corners[i][1]), corners[i][2]};
        if (ploy_experience_observe(log, row) != PLOY_OK) return 1;
    }
    if (ploy_experience_freeze(log, true) != PLOY_OK) return 1; // it learns nothing more
    double query[3] = {ploy_bins_find(&twenty, 79.2), ploy_bins_find(&twenty, 12.1), PLOY_MISSING};
    double shares[2];
    ploy_answer answer = ploy_learner_predict(learner, query, shares);
    printf("79.2 m, 12.1 m/s: brake %s, %.5f\n", ploy_schema_value_at(schema, 2, answer.category),
           shares[1]);
    ploy_writer out = ploy_writer_make(print_bytes, NULL);
    ploy_trace_text_sink sink;
    ploy_trace_text_sink_init(&sink, &out, ploy_agent_id_none());
    ploy_trace trace = ploy_trace_text_sink_trace(&sink);
    ploy_learner_explain(learner, query, ploy_agent_id_none(), &trace);
    if (ploy_trace_text_sink_finish(&sink) != PLOY_OK) return 1;
    size_t size = 0;
    const void *bytes = ploy_experience_bytes(log, &size);
    if (ploy_experience_replay(again, bytes, size) != PLOY_OK) return 1;
    printf("replayed from %zu bytes: %s\n", size,
           ploy_learner_hash(again) == ploy_learner_hash(learner) ? "the same" : "different");
    ploy_experience_destroy(log);
    ploy_learner_destroy(again);
    ploy_learner_destroy(learner);
    ploy_schema_destroy(schema);
    return 0;
}
