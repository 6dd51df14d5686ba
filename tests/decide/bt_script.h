// Leaves that follow a script, for the tests of behavior trees, and short words to build with.
#pragma once

#include "ploy/decide/bt_builder.h"
#include "tests/test.h"

// One leaf's script and what happened to it. The script is read a letter a step and begins again
// at its end: S success, F failure, R running, K skipped, E error. For one instance at a time.
typedef struct bt_script {
    const char *letters;
    int32_t at;
    int32_t steps, starts, finishes, halts;
    bool runs;
    ploy_exit_reason reason; // of the last stop
} bt_script;

static inline ploy_result bt_script_start(ploy_bt_call *call) {
    bt_script *script = call->user;
    script->starts++;
    script->runs = true;
    return PLOY_OK;
}

static inline ploy_result bt_script_step(ploy_bt_call *call, ploy_status *status) {
    bt_script *script = call->user;
    char letter = script->letters[script->at];
    script->at++;
    if (script->letters[script->at] == 0) script->at = 0;
    script->steps++;
    switch (letter) {
    case 'S': *status = PLOY_STATUS_SUCCESS; return PLOY_OK;
    case 'F': *status = PLOY_STATUS_FAILURE; return PLOY_OK;
    case 'R': *status = PLOY_STATUS_RUNNING; return PLOY_OK;
    case 'K': *status = PLOY_STATUS_SKIPPED; return PLOY_OK;
    default: return PLOY_ERR_STATE;
    }
}

static inline void bt_script_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    bt_script *script = call->user;
    if (reason == PLOY_EXIT_FINISHED) {
        script->finishes++;
    } else {
        script->halts++;
    }
    script->runs = false;
    script->reason = reason;
}

static const ploy_bt_leaf bt_script_leaf = {
    .name = "script", .step = bt_script_step, .start = bt_script_start, .stop = bt_script_stop};

// A tree with what it takes to run it.
typedef struct bt_bench {
    ploy_env env;
    ploy_bt_builder *builder;
    ploy_bt *bt;
    ploy_bt_instance *instance;
    ploy_semaphores *semaphores;
    ploy_conditions *set; // for functions of the tests
    ploy_step_context context;
} bt_bench;

static inline void bt_bench_begin(test_context *t, bt_bench *bench,
                                  const ploy_blackboard_layout *layout) {
    memset(bench, 0, sizeof *bench);
    bench->env = ploy_env_default();
    CHECK_OK(ploy_bt_builder_create("test", layout, &bench->env, &bench->builder));
    CHECK_OK(ploy_semaphores_create(&bench->env, &bench->semaphores));
    CHECK_OK(ploy_conditions_create(NULL, &bench->env, &bench->set));
}

static inline void bt_bench_script(bt_bench *bench, bt_script *script) {
    ploy_bt_builder_add_leaf(bench->builder, &bt_script_leaf, NULL, script, NULL, 0);
}

static inline void bt_bench_build(test_context *t, bt_bench *bench) {
    CHECK_OK(ploy_bt_builder_build(bench->builder, NULL, &bench->bt));
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    CHECK_OK(
        ploy_bt_instance_create(&def, bench->bt, bench->semaphores, &bench->env, &bench->instance));
}

// One step, as its letter; 'E' for an error. Time goes on by a tenth of a second after it.
static inline char bt_bench_step(bt_bench *bench) {
    ploy_status status = PLOY_STATUS_SKIPPED;
    ploy_result result = ploy_bt_instance_step(bench->instance, &bench->context, &status);
    bench->context.tick++;
    bench->context.now += 0.1;
    return result == PLOY_OK ? "RSFK"[status] : 'E';
}

// As many steps as the text has letters; each must answer so.
static inline void bt_bench_expect(test_context *t, bt_bench *bench, const char *want) {
    char got[64] = {0};
    for (size_t i = 0; want[i] != 0 && i < sizeof got - 1; i++) got[i] = bt_bench_step(bench);
    CHECK_TEXT(got, want);
}

static inline void bt_bench_end(bt_bench *bench) {
    ploy_bt_instance_destroy(bench->instance);
    ploy_bt_destroy(bench->bt);
    ploy_bt_builder_destroy(bench->builder);
    ploy_semaphores_destroy(bench->semaphores);
    ploy_conditions_destroy(bench->set);
}
