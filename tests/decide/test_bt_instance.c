#include "decide/decide_internal.h"
#include "ploy/base/alloc.h"
#include "ploy/decide/bt_builder.h"
#include "tests/decide/bt_script.h"

// BHT-22: two instances of one definition with a limit of one: each may run once.
TEST(instances_share_a_tree_and_nothing_else) {
    bt_bench bench;
    bt_script script = {.letters = "S"};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_LIMIT, NULL);
    bt_bench_script(&bench, &script);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_bt_instance *other = NULL;
    CHECK_OK(ploy_bt_instance_create(&def, bench.bt, NULL, &bench.env, &other));
    bt_bench_expect(t, &bench, "SF");
    ploy_status status;
    CHECK_OK(ploy_bt_instance_step(other, &bench.context, &status));
    CHECK_INT(status, PLOY_STATUS_SUCCESS);
    ployi_bt_instance_reset(bench.instance, &bench.context);
    bt_bench_expect(t, &bench, "SF");
    ploy_bt_instance_destroy(other);
    bt_bench_end(&bench);
}

TEST(a_bad_def_is_refused) {
    bt_bench bench;
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_node_def guard = ploy_bt_node_make(PLOY_BT_SEMAPHORE_GUARD, NULL);
    guard.text = "door";
    ploy_bt_builder_open_node(bench.builder, &guard);
    ploy_bt_builder_add(bench.builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    ploy_bt_instance_def def = ploy_bt_instance_def_default(), zero;
    memset(&zero, 0, sizeof zero);
    ploy_bt_instance *instance = NULL;
    CHECK_INT(ploy_bt_instance_create(&zero, bench.bt, bench.semaphores, &bench.env, &instance),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bt_instance_create(&def, bench.bt, NULL, &bench.env, &instance),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bt_instance_create(&def, NULL, NULL, &bench.env, &instance), PLOY_ERR_ARGUMENT);
    CHECK(instance == NULL);
    bt_bench_end(&bench);
}

// ---- sleep ----

typedef struct instance_sleeper {
    int32_t steps;
    int32_t port;
    double seconds;
    bool message;
} instance_sleeper;

static ploy_result instance_doze(ploy_bt_call *call, ploy_status *status) {
    instance_sleeper *sleeper = call->user;
    sleeper->steps++;
    *status = PLOY_STATUS_RUNNING;
    return ploy_bt_sleep(call, sleeper->port, sleeper->seconds, sleeper->message);
}

static ploy_result instance_hear(ploy_bt_call *call, const ploy_message *message, bool *handled) {
    (void)call;
    *handled = ploy_name_equal(message->kind, ploy_name_of("bark"));
    return PLOY_OK;
}

static const ploy_bt_port instance_ports[] = {{"watched", PLOY_VALUE_BOOL, false}};
static const ploy_bt_leaf instance_doze_leaf = {.name = "doze",
                                                .step = instance_doze,
                                                .message = instance_hear,
                                                .ports = instance_ports,
                                                .port_count = 1,
                                                .sleeps = true};

TEST(a_leaf_sleeps_until_it_is_woken) {
    static const struct {
        const char *row;
        instance_sleeper sleeper;
        bool in_parallel;
        int32_t want; // steps of the leaf after change, then message, then time
        int32_t after_message, after_time;
    } rows[] = {
        {"by a change", {0, 0, 0.0, false}, false, 2, 2, 2},
        {"by a message", {0, -1, 0.0, true}, false, 1, 2, 2},
        {"by time", {0, -1, 0.75, false}, false, 1, 1, 2},
        {"by anything, beside another", {0, 0, 0.75, true}, true, 2, 3, 4},
    };
    static const ploy_blackboard_key keys[] = {{"alarm", PLOY_VALUE_BOOL, {0}, NULL}};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "keys", &env, NULL, &layout));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        instance_sleeper sleeper = rows[i].sleeper;
        bt_script beside = {.letters = "R"};
        ploy_bt_bind bind = {"watched", "alarm", {PLOY_VALUE_NONE, {0}}};
        bt_bench bench;
        bt_bench_begin(t, &bench, layout);
        ploy_bt_builder_open(bench.builder,
                             rows[i].in_parallel ? PLOY_BT_PARALLEL : PLOY_BT_SEQUENCE, "");
        ploy_bt_builder_add_leaf(bench.builder, &instance_doze_leaf, NULL, &sleeper, &bind, 1);
        bt_bench_script(&bench, &beside);
        ploy_bt_builder_close(bench.builder);
        bt_bench_build(t, &bench);
        CHECK_OK(ploy_blackboard_create(layout, &env, &bench.context.blackboard));
        bt_bench_expect(t, &bench, "RRR");
        CHECK_INT(sleeper.steps, 1);
        CHECK(ploy_bt_instance_asleep(bench.instance, NULL) == !rows[i].in_parallel);
        ploy_slot alarm = {1};
        CHECK_OK(ploy_blackboard_set_bool(bench.context.blackboard, alarm, true));
        bt_bench_expect(t, &bench, "RR");
        CHECK_INT(sleeper.steps, rows[i].want);
        ploy_message bark =
            ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("bark"));
        bool handled = false;
        CHECK_OK(ployi_bt_instance_message(bench.instance, &bench.context, &bark, &handled));
        CHECK(handled);
        bt_bench_expect(t, &bench, "RR");
        CHECK_INT(sleeper.steps, rows[i].after_message);
        bt_bench_expect(t, &bench, "RRRRRRRR");
        CHECK_INT(sleeper.steps, rows[i].after_time);
        ploy_blackboard *board = bench.context.blackboard;
        bt_bench_end(&bench);
        ploy_blackboard_destroy(board);
    }
    ploy_blackboard_layout_destroy(layout);
}

// ---- nesting ----

typedef struct instance_nest {
    const ploy_bt *inner;
    int32_t made;
} instance_nest;

static ploy_result instance_make_inner(void *user, const ploy_env *env, ploy_behavior *out) {
    instance_nest *nest = user;
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_bt_instance *instance = NULL;
    ploy_result result = ploy_bt_instance_create(&def, nest->inner, NULL, env, &instance);
    if (result == PLOY_OK) *out = ploy_bt_instance_behavior(instance);
    nest->made++;
    return result;
}

// BHT-24: made at the first visit; and BHT-17, BHT-26: ended from outside, it cleans up.
TEST(a_tree_is_a_leaf_of_another) {
    for (int32_t keep = 0; keep < 2; keep++) {
        bt_bench inner, outer;
        bt_script script = {.letters = "RS"};
        bt_bench_begin(t, &inner, NULL);
        bt_bench_script(&inner, &script);
        bt_bench_build(t, &inner);
        instance_nest nest = {inner.bt, 0};
        bt_bench_begin(t, &outer, NULL);
        ploy_bt_builder_open(outer.builder, PLOY_BT_SEQUENCE, NULL);
        ploy_bt_builder_add(outer.builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
        ploy_bt_builder_add_behavior(outer.builder, "nested",
                                     ploy_maker_of(instance_make_inner, &nest), keep == 1);
        ploy_bt_builder_close(outer.builder);
        bt_bench_build(t, &outer);
        CHECK_INT(nest.made, 0);
        bt_bench_expect(t, &outer, "RSRSR");
        CHECK_INT(nest.made, keep == 1 ? 1 : 3);
        CHECK_INT(script.starts, 3);
        CHECK_INT(script.finishes, 2);
        ploy_behavior whole = ploy_bt_instance_behavior(outer.instance);
        ploy_behavior_exit(whole, &outer.context, PLOY_EXIT_REPLACED);
        CHECK_INT(script.halts, 1);
        CHECK_INT(script.reason, PLOY_EXIT_REPLACED);
        bt_bench_expect(t, &outer, "S"); // the script stands at its second letter
        CHECK_INT(script.starts, 4);
        bt_bench_end(&outer);
        bt_bench_end(&inner);
    }
}

// ---- memory and sight ----

static uint64_t instance_hash(const ploy_bt_instance *instance) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe describe = ploy_hash_sink_describe(&sink);
    ploy_bt_instance_describe(instance, &describe);
    return ploy_hash_sink_result(&sink);
}

TEST(a_step_allocates_nothing_and_a_copied_block_goes_on_alike) {
    ploy_counting_allocator counting;
    ploy_counting_allocator_init(&counting, NULL, true);
    ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
    bt_bench bench;
    bt_script scripts[3] = {{.letters = "SSF"}, {.letters = "RRS"}, {.letters = "RFS"}};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_SHUFFLED_FALLBACK, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_REACTIVE_SEQUENCE, NULL);
    bt_bench_script(&bench, &scripts[0]);
    bt_bench_script(&bench, &scripts[1]);
    ploy_bt_builder_close(bench.builder);
    bt_bench_script(&bench, &scripts[2]);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    def.watch = true;
    ploy_bt_instance *instance = NULL;
    CHECK_OK(ploy_bt_instance_create(&def, bench.bt, NULL, &env, &instance));
    ploy_bt_instance *kept = bench.instance;
    bench.instance = instance;
    int64_t before = counting.allocations;
    static unsigned char saved[4096];
    size_t size = ploy_bt_instance_size(instance);
    CHECK(size <= sizeof saved);
    char first[20], second[20];
    bt_script at_save[3];
    for (int32_t i = 0; i < 7; i++) bt_bench_step(&bench);
    memcpy(saved, instance, size);
    memcpy(at_save, scripts, sizeof scripts);
    ploy_step_context context = bench.context;
    for (int32_t i = 0; i < 20; i++) first[i] = bt_bench_step(&bench);
    uint64_t hash = instance_hash(instance);
    memcpy(instance, saved, size);
    memcpy(scripts, at_save, sizeof scripts);
    bench.context = context;
    CHECK(instance_hash(instance) != hash);
    for (int32_t i = 0; i < 20; i++) second[i] = bt_bench_step(&bench);
    CHECK_BYTES(second, first, sizeof first);
    CHECK_UINT(instance_hash(instance), hash);
    CHECK_INT(counting.allocations, before);
    uint32_t seen = 0;
    CHECK(ploy_bt_instance_node_seen(instance, 0, &seen));
    ploy_bt_instance_destroy(instance);
    bench.instance = kept;
    bt_bench_end(&bench);
    CHECK(ploy_counting_allocator_fini(&counting));
}

typedef struct instance_told {
    int32_t options, won, rejected;
} instance_told;

static void instance_option(void *user, const char *name, ploy_outcome outcome, double score,
                            const char *reason) {
    (void)name;
    (void)score;
    (void)reason;
    instance_told *told = user;
    told->options++;
    told->won += outcome == PLOY_OUTCOME_WON;
    told->rejected += outcome == PLOY_OUTCOME_REJECTED;
}

TEST(a_trace_hears_every_nodes_answer_and_changes_nothing) {
    bt_bench bench;
    bt_script scripts[2] = {{.letters = "F"}, {.letters = "S"}};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_FALLBACK, NULL);
    bt_bench_script(&bench, &scripts[0]);
    bt_bench_script(&bench, &scripts[1]);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "S");
    uint64_t hash = instance_hash(bench.instance);
    instance_told told = {0, 0, 0};
    ploy_trace trace = {NULL, instance_option, NULL, NULL, NULL, &told};
    bench.context.trace = &trace;
    bt_bench_expect(t, &bench, "S");
    CHECK_INT(told.options, 3);
    CHECK_INT(told.won, 2);
    CHECK_INT(told.rejected, 1);
    CHECK_UINT(instance_hash(bench.instance), hash);
    bench.context.trace = NULL;
    bt_bench_end(&bench);
}
