// Any bytes as a checkpoint of a parameter search. The first byte chooses the method and its
// options. The search refuses it and keeps its state, or goes on from it within its ranges.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/learn/tune.h"

static void must(bool condition) {
    if (!condition) abort();
}

static const ploy_tune_range ranges[2] = {{-9, 9, 1, 0}, {1, 4, 0.5, 3}};

static ploy_tune *make_tune(uint8_t kind, const ploy_env *env) {
    ploy_tune_def def = ploy_tune_def_default();
    def.method = (ploy_tune_method)(kind % 6);
    def.adaptive = kind / 6 % 2 == 1;
    def.memo = def.random_order = kind / 12 % 2 == 1;
    def.momentum = kind / 24 % 2 == 1 ? 0.5 : 0.0;
    def.population = 4;
    def.starts = 2;
    def.max_evaluations = 200;
    ploy_tune *tune = NULL;
    must(ploy_tune_create(&def, ranges, 2, env, &tune) == PLOY_OK);
    return tune;
}

static double score(void *user, const double *point, int32_t parameters) {
    (void)user;
    double sum = 0.0;
    for (int32_t i = 0; i < parameters; i++) {
        must(point[i] >= ranges[i].min && point[i] <= ranges[i].max);
        sum -= point[i] * point[i];
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 1 << 14) return 0;
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_tune *one = make_tune(data[0], &env), *two = make_tune(data[0], &env);
    ploy_json *doc = NULL;
    if (ploy_json_load(data + 1, size - 1, "fuzz", NULL, &env, NULL, &doc) == PLOY_OK) {
        uint64_t hash = ploy_visit_hash(ploy_tune_visit, one, NULL);
        ploy_json_node root = ploy_json_root(doc);
        if (ploy_visit_load(ploy_tune_visit, one, NULL, doc, root, &env, NULL) != PLOY_OK) {
            must(ploy_visit_hash(ploy_tune_visit, one, NULL) == hash);
        } else {
            must(ploy_visit_load(ploy_tune_visit, two, NULL, doc, root, &env, NULL) == PLOY_OK);
            ploy_budget budget = ploy_budget_units(300), same = budget;
            (void)ploy_tune_step(one, score, NULL, &budget);
            (void)ploy_tune_step(two, score, NULL, &same);
            must(ploy_visit_hash(ploy_tune_visit, one, NULL) ==
                 ploy_visit_hash(ploy_tune_visit, two, NULL));
        }
    }
    ploy_json_destroy(doc);
    ploy_tune_destroy(one);
    ploy_tune_destroy(two);
    return 0;
}
