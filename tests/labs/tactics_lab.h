// What the tests of the labs of groups share: starting with a seed, and comparing two ways of doing the
// same over many seeds.
#pragma once

#include "tests/labs/lab_edit.h"

static inline ploy_sim *tactics_lab_start(test_context *t, const char *lab,
                                          const char *const *settings, uint64_t seed,
                                          const ploy_env *env) {
    const ploy_sim_type *type = ploy_sim_type_find(LAB_TYPES, lab, NULL);
    static unsigned char params[1024];
    CHECK(type != NULL);
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    for (; settings != NULL && *settings != NULL; settings++) {
        char name[64];
        const char *equals = strchr(*settings, '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals - *settings), *settings);
        CHECK_OK(ploy_fields_set_text(type->fields(), params, name, equals + 1, NULL));
    }
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = seed;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, NULL, env, &sim));
    return sim;
}

// Seeds 1 to 1,000 in the soak, whatever its factor is.
static inline int64_t tactics_seeds(int64_t normal) {
    return test_rounds(1) > 1 ? 1000 : normal;
}

// The t statistic of paired differences: above 2.72 with 12 pairs, the mean is above 0 with p < 0.01.
typedef struct tactics_pairs {
    double sum, squares;
    int64_t count;
} tactics_pairs;

static inline void tactics_pair(tactics_pairs *pairs, double difference) {
    pairs->sum += difference;
    pairs->squares += difference * difference;
    pairs->count++;
}

static inline double tactics_t(const tactics_pairs *pairs) {
    double n = (double)pairs->count, mean = pairs->sum / n;
    double variance = (pairs->squares - n * mean * mean) / (n - 1.0);
    return mean / sqrt(variance / n + 1e-12);
}
