// Behavior trees: a step that visits every node, a step that goes on with one running leaf, and a
// crowd on one tree.
//
// The tree of decide.bt is one selector of ten sequences of four successes and an inverted success,
// then a success: 72 visits, 51 of them leaves. The leaves are opaque: called through pointers that
// the compiler cannot see through, in the floor too. Each figure is that of the fastest 100
// of 2,000 steps in each pass: a slice so short is not interrupted, and comes late enough to be
// warm.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/decide/bt_builder.h"

enum { BT_BRANCHES = 10, BT_LEAVES = 5, BT_STEPS = 100, BT_SLICES = 20, BT_CALLS = 51 };

typedef ploy_result (*bt_leaf_fn)(ploy_bt_call *call, ploy_status *status);

typedef struct bt_data {
    ploy_bt *bt;
    ploy_bt_instance **instances;
    int32_t count;
    ploy_step_context context;
    int64_t calls;   // of leaves
    bt_leaf_fn leaf; // for the floor
    int32_t state;   // of the floor's switch
} bt_data;

static void bt_check(bool fine) {
    if (fine) return;
    fprintf(stderr, "ploy: cannot set up the benchmark\n");
    exit(2);
}

static ploy_result bt_yes(ploy_bt_call *call, ploy_status *status) {
    ++*(int64_t *)call->user;
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static ploy_result bt_busy(ploy_bt_call *call, ploy_status *status) {
    ++*(int64_t *)call->user;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static bench_side bt_side(void (*work)(void *self), bt_data *data) {
    return bench_call_sliced(work, data, BT_STEPS, BT_SLICES);
}

static void bt_make(bt_data *data, ploy_bt_builder *builder) {
    ploy_env env = ploy_env_default();
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    bt_check(ploy_bt_builder_build(builder, NULL, &data->bt) == PLOY_OK);
    ploy_bt_builder_destroy(builder);
    data->instances = calloc((size_t)data->count, sizeof *data->instances);
    bt_check(data->instances != NULL);
    data->context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
    for (int32_t i = 0; i < data->count; i++) {
        bt_check(ploy_bt_instance_create(&def, data->bt, NULL, &env, &data->instances[i]) ==
                 PLOY_OK);
    }
}

static void bt_free(bt_data *data) {
    for (int32_t i = 0; i < data->count; i++) ploy_bt_instance_destroy(data->instances[i]);
    free(data->instances);
    ploy_bt_destroy(data->bt);
}

static ploy_bt_builder *bt_begin(void) {
    ploy_env env = ploy_env_default();
    ploy_bt_builder *builder = NULL;
    bt_check(ploy_bt_builder_create("bench", NULL, &env, &builder) == PLOY_OK);
    return builder;
}

static void bt_make_selector(bt_data *data) {
    static const ploy_bt_leaf yes = {.name = "yes", .step = bt_yes};
    ploy_bt_builder *builder = bt_begin();
    ploy_bt_builder_open(builder, PLOY_BT_FALLBACK, NULL);
    for (int32_t i = 0; i < BT_BRANCHES; i++) {
        ploy_bt_builder_open(builder, PLOY_BT_SEQUENCE, NULL);
        for (int32_t k = 0; k < BT_LEAVES; k++) {
            bool last = k == BT_LEAVES - 1;
            if (last) ploy_bt_builder_open(builder, PLOY_BT_INVERTER, NULL);
            ploy_bt_builder_add_leaf(builder, &yes, NULL, &data->calls, NULL, 0);
            if (last) ploy_bt_builder_close(builder);
        }
        ploy_bt_builder_close(builder);
    }
    ploy_bt_builder_add_leaf(builder, &yes, NULL, &data->calls, NULL, 0);
    ploy_bt_builder_close(builder);
    bt_make(data, builder);
}

// One running leaf, four levels below the root.
static void bt_make_running(bt_data *data) {
    static const ploy_bt_leaf busy = {.name = "busy", .step = bt_busy};
    ploy_bt_builder *builder = bt_begin();
    for (int32_t i = 0; i < 4; i++) {
        ploy_bt_builder_open(builder, i % 2 == 0 ? PLOY_BT_FALLBACK : PLOY_BT_SEQUENCE, NULL);
    }
    ploy_bt_builder_add_leaf(builder, &busy, NULL, &data->calls, NULL, 0);
    for (int32_t i = 0; i < 4; i++) {
        ploy_bt_builder_close(builder);
        if (i < 3) ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
    }
    bt_make(data, builder);
}

static void bt_steps(void *self) {
    bt_data *data = self;
    ploy_status status = PLOY_STATUS_FAILURE;
    for (int32_t i = 0; i < BT_STEPS; i++) {
        ploy_bt_instance_step(data->instances[0], &data->context, &status);
    }
    bench_keep(&status);
}

// ---- floors ----

static ploy_status bt_by_hand(bt_leaf_fn leaf, ploy_bt_call *call) {
    ploy_status status = PLOY_STATUS_FAILURE;
    for (int32_t i = 0; i < BT_BRANCHES; i++) {
        bool good = true;
        for (int32_t k = 0; k < BT_LEAVES && good; k++) {
            good = leaf(call, &status) == PLOY_OK && status == PLOY_STATUS_SUCCESS;
            if (k == BT_LEAVES - 1) good = !good;
        }
        if (good) return PLOY_STATUS_SUCCESS;
    }
    leaf(call, &status);
    return status;
}

static void bt_hand_steps(void *self) {
    bt_data *data = self;
    ploy_bt_call call = {&data->context, NULL, 0, &data->calls, NULL};
    ploy_status status = PLOY_STATUS_FAILURE;
    for (int32_t i = 0; i < BT_STEPS; i++) {
        status = bt_by_hand(data->leaf, &call);
        bench_keep(&status);
    }
}

// What a hand-written mind does with its state: a switch, and the same leaf through the pointer.
static ploy_status bt_switch(bt_data *data, ploy_bt_call *call) {
    ploy_status status = PLOY_STATUS_FAILURE;
    switch (data->state) {
    case 0: status = PLOY_STATUS_SUCCESS; break;
    case 1: data->state = 0; break;
    case 2: data->leaf(call, &status); break;
    case 3: data->state = 2; break;
    default: data->state = 1; break;
    }
    return status;
}

static void bt_switch_steps(void *self) {
    bt_data *data = self;
    ploy_bt_call call = {&data->context, NULL, 0, &data->calls, NULL};
    ploy_status status = PLOY_STATUS_FAILURE;
    for (int32_t i = 0; i < BT_STEPS; i++) {
        status = bt_switch(data, &call);
        bench_keep(data);
    }
    bench_keep(&status);
}

// ---- benchmarks ----

void bench_decide_bt(bench_run *run) {
    bt_data data = {.count = 1, .leaf = bt_yes};
    bench_keep(&data.leaf); // so that the floor's calls are calls
    bt_make_selector(&data);
    bench_side peer = bench_node(run, "mistreevous_bt.mjs");
    bench_measure(run, bt_side(bt_steps, &data), peer, bt_side(bt_hand_steps, &data));
    data.calls = 0;
    bt_steps(&data);
    double calls = 0.0;
    bool asked = bench_ask(run, peer, "calls", &calls);
    if (data.calls != (int64_t)BT_STEPS * BT_CALLS || (asked && calls != BT_CALLS)) {
        bench_fail(run, "a step does not call the leaves that it should");
    }
    bt_free(&data);
}

void bench_decide_bt_resume(bench_run *run) {
    bt_data data = {.count = 1, .leaf = bt_busy, .state = 2};
    bench_keep(&data.leaf);
    bt_make_running(&data);
    bench_measure(run, bt_side(bt_steps, &data), bench_nothing(), bt_side(bt_switch_steps, &data));
    bt_free(&data);
}

static void bt_crowd_steps(void *self) {
    bt_data *data = self;
    ploy_status status = PLOY_STATUS_FAILURE;
    for (int32_t i = 0; i < data->count; i++) {
        ploy_bt_instance_step(data->instances[i], &data->context, &status);
    }
    bench_keep(&status);
}

static void bt_crowd_by_hand(void *self) {
    bt_data *data = self;
    ploy_bt_call call = {&data->context, NULL, 0, &data->calls, NULL};
    ploy_status status = PLOY_STATUS_FAILURE;
    for (int32_t i = 0; i < data->count; i++) {
        status = bt_by_hand(data->leaf, &call);
        bench_keep(&status);
    }
}

void bench_decide_bt_crowd(bench_run *run) {
    bt_data data = {.count = (int32_t)bench_size(run), .leaf = bt_yes};
    bench_keep(&data.leaf);
    bt_make_selector(&data);
    // 73 nodes: the figure is in the row's help, and here it is kept true.
    size_t bytes = ploy_bt_instance_size(data.instances[0]);
    if (sizeof(void *) == 8 && bytes != BENCH_DECIDE_BT_BYTES) {
        char why[80];
        snprintf(why, sizeof why, "an instance has %zu bytes, the row says another number", bytes);
        bench_fail(run, why);
    } else {
        char note[64];
        snprintf(note, sizeof note, "%zu bytes a character", bytes);
        bench_note(run, note);
    }
    bench_measure(run, bench_call(bt_crowd_steps, &data, data.count), bench_nothing(),
                  bench_call(bt_crowd_by_hand, &data, data.count));
    bt_free(&data);
}
