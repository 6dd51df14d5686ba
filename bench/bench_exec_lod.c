// What level of detail costs where it is paid for every agent: importance, the selector in front of a
// behavior, and the drawing of people.
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/base/rng.h"
#include "ploy/exec/distribution.h"
#include "ploy/exec/importance.h"
#include "ploy/exec/lod.h"

enum { LOD_BENCH_CROWD = 10000, LOD_BENCH_SELECTORS = 1000 };

typedef struct importance_data {
    ploy_importance_def def;
    ploy_importance_input inputs[LOD_BENCH_CROWD];
    ploy_importance states[LOD_BENCH_CROWD];
} importance_data;

static void importance_batch(void *self) {
    importance_data *data = self;
    ploy_importance_step_batch(&data->def, data->inputs, 0, LOD_BENCH_CROWD, 0.1f, data->states);
    bench_keep(data->states);
}

static void importance_single(void *self) {
    importance_data *data = self;
    for (int32_t i = 0; i < LOD_BENCH_CROWD; i++) {
        ploy_importance_step(&data->def, &data->inputs[i], 0.1f, &data->states[i]);
    }
    bench_keep(data->states);
}

void bench_exec_importance(bench_run *run) {
    importance_data *data = calloc(1, sizeof *data);
    if (data == NULL) return;
    ploy_rng rng = ploy_rng_make(1);
    data->def = ploy_importance_def_default();
    for (int32_t i = 0; i < LOD_BENCH_CROWD; i++) {
        data->inputs[i] = ploy_importance_input_make();
        data->inputs[i].distance = ploy_rng_range(&rng, 0.0f, 200.0f);
        data->inputs[i].on_screen = ploy_rng_chance(&rng, 0.2f);
    }
    bench_measure(run, bench_call(importance_batch, data, LOD_BENCH_CROWD),
                  bench_call(importance_single, data, LOD_BENCH_CROWD), bench_nothing());
    free(data);
}

typedef struct lod_bench_leaf {
    uint64_t sum;
} lod_bench_leaf;

static ploy_result lod_bench_step(void *self, ploy_step_context *context, ploy_status *status) {
    lod_bench_leaf *leaf = self;
    leaf->sum += context->tick;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static const ploy_behavior_type lod_bench_type = {.name = "leaf", .step = lod_bench_step};

typedef struct lod_bench_data {
    ploy_lod *lod;
    ploy_behavior selectors[LOD_BENCH_SELECTORS], leaves[LOD_BENCH_SELECTORS];
    lod_bench_leaf states[LOD_BENCH_SELECTORS];
    ploy_step_context context;
} lod_bench_data;

static void lod_bench_run(const ploy_behavior *behaviors, ploy_step_context *context) {
    ploy_status status = PLOY_STATUS_RUNNING;
    for (int32_t i = 0; i < LOD_BENCH_SELECTORS; i++) {
        ploy_behavior_step(behaviors[i], context, &status);
    }
    context->tick++;
    bench_keep(&status);
}

static void lod_bench_selectors(void *self) {
    lod_bench_data *data = self;
    lod_bench_run(data->selectors, &data->context);
}

static void lod_bench_leaves(void *self) {
    lod_bench_data *data = self;
    lod_bench_run(data->leaves, &data->context);
}

void bench_exec_lod(bench_run *run) {
    lod_bench_data *data = calloc(1, sizeof *data);
    if (data == NULL) return;
    ploy_env env = ploy_env_default();
    const int32_t size = (int32_t)sizeof(lod_bench_leaf);
    const ploy_lod_level levels[4] = {{"a", 0.00f, 0.30f, &lod_bench_type, size, NULL, NULL, {0}},
                                      {"b", 0.25f, 0.55f, &lod_bench_type, size, NULL, NULL, {0}},
                                      {"c", 0.50f, 0.80f, &lod_bench_type, size, NULL, NULL, {0}},
                                      {"d", 0.75f, 1.00f, &lod_bench_type, size, NULL, NULL, {0}}};
    ploy_lod_def def = ploy_lod_def_default();
    def.levels = levels;
    def.level_count = 4;
    data->context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
    bool fine = ploy_lod_create(&def, &env, &data->lod) == PLOY_OK;
    for (int32_t i = 0; fine && i < LOD_BENCH_SELECTORS; i++) {
        ploy_lod_selector *selector = NULL;
        fine =
            ploy_lod_selector_create(data->lod, ploy_agent_id_none(), &env, &selector) == PLOY_OK;
        if (!fine) break;
        data->selectors[i] = ploy_lod_selector_behavior(selector);
        ploy_lod_selector_set_importance(selector, (float)i / LOD_BENCH_SELECTORS);
        data->leaves[i].type = &lod_bench_type;
        data->leaves[i].self = &data->states[i];
    }
    if (fine) {
        bench_measure(run, bench_call(lod_bench_selectors, data, LOD_BENCH_SELECTORS),
                      bench_nothing(), bench_call(lod_bench_leaves, data, LOD_BENCH_SELECTORS));
    }
    for (int32_t i = 0; i < LOD_BENCH_SELECTORS; i++) ploy_behavior_destroy(data->selectors[i]);
    ploy_lod_destroy(data->lod);
    free(data);
}

typedef struct people_data {
    ploy_distribution town[3];
    float values[LOD_BENCH_CROWD * 3];
} people_data;

static void people_draw(people_data *data, bool quota) {
    ploy_people people = {data->values, 3, LOD_BENCH_CROWD, NULL, NULL};
    ploy_people_sample(&people, data->town, 3, ploy_rng_key_make(1), quota);
    bench_keep(data->values);
}

static void people_quota(void *self) {
    people_draw(self, true);
}

static void people_free(void *self) {
    people_draw(self, false);
}

void bench_exec_people(bench_run *run) {
    static const int32_t trades[] = {5, 3, 2};
    people_data *data = calloc(1, sizeof *data);
    if (data == NULL) return;
    data->town[0] = ploy_distribution_normal(38.0f, 11.0f);
    data->town[1] = ploy_distribution_power(10.0f, 2.5f);
    data->town[2] = ploy_distribution_histogram(trades, 3);
    bench_measure(run, bench_call(people_quota, data, LOD_BENCH_CROWD),
                  bench_call(people_free, data, LOD_BENCH_CROWD), bench_nothing());
    free(data);
}
