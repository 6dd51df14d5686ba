#include "decide/decide_internal.h"
#include "ploy/base/rng.h"
#include "tests/decide/bt_script.h"
#include "tests/decide/saved.h"

// Test_bt_random.c saves random trees in every step; here are trees that were edited meanwhile.

// Builds Sequence "day" of leaves named by letters, each a script of its own.
static void save_day(test_context *t, bt_bench *bench, const char *names, bt_script scripts[8]) {
    bt_bench_begin(t, bench, NULL);
    ploy_bt_builder_open(bench->builder, PLOY_BT_SEQUENCE, "day");
    for (size_t i = 0; names[i] != 0; i++) {
        char name[2] = {names[i], 0};
        ploy_bt_builder_add_leaf(bench->builder, &bt_script_leaf, name, &scripts[names[i] - 'a'],
                                 NULL, 0);
    }
    ploy_bt_builder_close(bench->builder);
    bt_bench_build(t, bench);
}

TEST(an_edited_tree_goes_on_where_it_was) {
    static const struct {
        const char *row, *after;
        int32_t warnings; // at least one if something restarts
        int32_t a, b, c;  // starts in the edited tree until it succeeds
    } rows[] = {
        {"the same", "abc", 0, 0, 0, 1},        {"one in front", "dabc", 0, 0, 0, 1},
        {"one behind", "abcd", 0, 0, 0, 1},     {"another order", "bac", 0, 1, 0, 1},
        {"what ran is gone", "ac", 1, 1, 0, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        bt_script scripts[8] = {
            {.letters = "S"}, {.letters = "RS"}, {.letters = "S"}, {.letters = "S"}};
        bt_bench before, after;
        save_day(t, &before, "abc", scripts);
        bt_bench_expect(t, &before, "R"); // a is done, b runs
        ploy_json *doc = saved_take(t, ploy_bt_instance_behavior(before.instance), &before.env);
        bt_bench_end(&before);
        for (size_t k = 0; k < 4; k++) scripts[k].starts = scripts[k].steps = 0;
        save_day(t, &after, rows[i].after, scripts);
        CHECK_INT(saved_give(t, ploy_bt_instance_behavior(after.instance), &after.context, doc,
                             &after.env),
                  rows[i].warnings);
        ploy_status status;
        if (rows[i].warnings == 0) {
            int32_t b = ploy_bt_find_node(after.bt, "b");
            CHECK(ploy_bt_instance_node_status(after.instance, b, &status));
            CHECK_INT(status, PLOY_STATUS_RUNNING);
        }
        bt_bench_expect(t, &after, "S");
        CHECK_INT(scripts[0].starts, rows[i].a);
        CHECK_INT(scripts[1].starts, rows[i].b);
        CHECK_INT(scripts[2].starts, rows[i].c);
        CHECK_INT(scripts[1].halts, 1); // by the end of the old one
        bt_bench_end(&after);
    }
}

// Every kind that keeps words of its own, in every step of its script.
TEST(all_that_nodes_remember_is_saved) {
    static const ploy_bt_kind kinds[] = {
        PLOY_BT_SHUFFLED_SEQUENCE,
        PLOY_BT_SHUFFLED_FALLBACK,
        PLOY_BT_RANDOM_SELECTOR,
        PLOY_BT_UTILITY_FALLBACK,
        PLOY_BT_TRY_CATCH,
        PLOY_BT_TIMEOUT,
        PLOY_BT_DELAY,
        PLOY_BT_COOLDOWN,
        PLOY_BT_RESTART,
        PLOY_BT_HOLD,
        PLOY_BT_UNTIL_SUCCESS,
        PLOY_BT_LOOP,
        PLOY_BT_SEMAPHORE_GUARD,
        PLOY_BT_INTERRUPTER,
        PLOY_BT_GATE,
    };
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        t->row = ploy_bt_kind_text(kinds[i]);
        for (int32_t when = 0; when < 12; when++) {
            bt_script scripts[2][3] = {
                {{.letters = "RSF"}, {.letters = "RFRS"}, {.letters = "FRS"}},
                {{.letters = "RSF"}, {.letters = "RFRS"}, {.letters = "FRS"}}};
            static const ploy_blackboard_key keys[] = {
                {"k", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL}};
            static const ploy_value values[] = {{PLOY_VALUE_I64, {.i64 = 4}},
                                                {PLOY_VALUE_I64, {.i64 = 7}}};
            bt_bench benches[2];
            ploy_blackboard_layout *layout = NULL;
            ploy_blackboard *boards[2] = {NULL, NULL};
            ploy_env env = ploy_env_default();
            CHECK_OK(ploy_blackboard_layout_create(keys, 1, "k", &env, NULL, &layout));
            for (size_t k = 0; k < 2; k++) {
                bt_bench *bench = &benches[k];
                bt_bench_begin(t, bench, layout);
                CHECK_OK(ploy_blackboard_create(layout, &env, &boards[k]));
                bench->context.blackboard = boards[k];
                ploy_bt_node_def def = ploy_bt_node_make(kinds[i], "it");
                def.seconds = 0.35;
                def.count = kinds[i] == PLOY_BT_RANDOM_SELECTOR ? 0 : 3;
                def.key = "k";
                def.values = values;
                def.value_count = 2;
                def.text = "sema";
                ploy_bt_builder_open_node(bench->builder, &def);
                int32_t children = kinds[i] < PLOY_BT_INVERTER ? 3 : 1;
                for (int32_t c = 0; c < children; c++) {
                    bt_bench_script(bench, &scripts[k][c]);
                }
                ploy_bt_builder_close(bench->builder);
                bt_bench_build(t, bench);
            }
            for (int32_t step = 0; step < 14; step++) {
                CHECK_INT(bt_bench_step(&benches[0]), bt_bench_step(&benches[1]));
                CHECK_UINT(saved_hash(ploy_bt_instance_behavior(benches[0].instance)),
                           saved_hash(ploy_bt_instance_behavior(benches[1].instance)));
                CHECK_INT(scripts[0][0].steps, scripts[1][0].steps);
                if (step != when) continue;
                bt_script kept[3];
                memcpy(kept, scripts[1], sizeof kept);
                ploy_behavior old = ploy_bt_instance_behavior(benches[1].instance);
                ploy_json *doc = saved_take(t, old, &env);
                ploy_bt_instance_destroy(benches[1].instance);
                memcpy(scripts[1], kept, sizeof kept); // what the old one's end did to them
                ploy_bt_instance_def plain = ploy_bt_instance_def_default();
                CHECK_OK(ploy_bt_instance_create(&plain, benches[1].bt, benches[1].semaphores, &env,
                                                 &benches[1].instance));
                CHECK_INT(saved_give(t, ploy_bt_instance_behavior(benches[1].instance),
                                     &benches[1].context, doc, &env),
                          0);
            }
            for (size_t k = 0; k < 2; k++) {
                bt_bench_end(&benches[k]);
                ploy_blackboard_destroy(boards[k]);
            }
            ploy_blackboard_layout_destroy(layout);
        }
    }
}

// Bytes and boards of its own; a leaf that asks for other bytes restarts.
static ploy_result count_three(ploy_bt_call *call, ploy_status *status) {
    int32_t *count = call->state;
    *status = ++*count == 3 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

TEST(private_bytes_are_kept_if_they_have_the_same_size) {
    for (int32_t other = 0; other < 2; other++) {
        ploy_bt_leaf leaf = {.name = "count", .step = count_three, .state_size = 4};
        bt_bench before, after;
        bt_bench_begin(t, &before, NULL);
        ploy_bt_builder_add_leaf(before.builder, &leaf, NULL, NULL, NULL, 0);
        bt_bench_build(t, &before);
        bt_bench_expect(t, &before, "RR");
        ploy_json *doc = saved_take(t, ploy_bt_instance_behavior(before.instance), &before.env);
        bt_bench_end(&before);
        leaf.state_size = other == 0 ? 4 : 8;
        bt_bench_begin(t, &after, NULL);
        ploy_bt_builder_add_leaf(after.builder, &leaf, NULL, NULL, NULL, 0);
        bt_bench_build(t, &after);
        CHECK_INT(saved_give(t, ploy_bt_instance_behavior(after.instance), &after.context, doc,
                             &after.env),
                  other);
        bt_bench_expect(t, &after, other == 0 ? "SRRS" : "RRS");
        bt_bench_end(&after);
    }
}

// Whatever a file says, the tree can be stepped afterwards.
TEST(a_tampered_file_never_breaks_a_tree) {
    for (int64_t round = 0; round < test_rounds(400); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        bt_script scripts[8] = {{.letters = "RS"}, {.letters = "RSF"}, {.letters = "RF"}};
        static const ploy_bt_kind kinds[] = {PLOY_BT_SEQUENCE,
                                             PLOY_BT_SHUFFLED_FALLBACK,
                                             PLOY_BT_UTILITY_FALLBACK,
                                             PLOY_BT_PARALLEL,
                                             PLOY_BT_IF_THEN_ELSE,
                                             PLOY_BT_REACTIVE_SEQUENCE,
                                             PLOY_BT_SEQUENCE_WITH_MEMORY,
                                             PLOY_BT_SWITCH};
        bt_bench bench;
        bt_bench_begin(t, &bench, NULL);
        ploy_bt_kind kind = kinds[ploy_rng_below(&rng, COUNT_OF(kinds) - 1)];
        ploy_bt_builder_open(bench.builder, kind, "top");
        for (int32_t i = 0; i < 3; i++) bt_bench_script(&bench, &scripts[i]);
        ploy_bt_builder_close(bench.builder);
        bt_bench_build(t, &bench);
        for (uint64_t i = ploy_rng_below(&rng, 4); i > 0; i--) (void)bt_bench_step(&bench);
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &bench.env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        ploy_behavior_save(ploy_bt_instance_behavior(bench.instance), &json);
        CHECK_OK(ploy_json_writer_finish(&json));
        for (int32_t i = 0; i < 3; i++) {
            char *at = &buffer.bytes[ploy_rng_below(&rng, buffer.size)];
            if (*at >= '0' && *at <= '9') *at = (char)('0' + ploy_rng_below(&rng, 10));
            if (*at >= 'a' && *at <= 'z') *at = (char)('a' + ploy_rng_below(&rng, 6));
        }
        ploy_json_def def = ploy_json_def_default();
        ploy_json *doc = NULL;
        ployi_bt_instance_reset(bench.instance, &bench.context);
        if (ploy_json_load(buffer.bytes, buffer.size, "x", &def, &bench.env, NULL, &doc) ==
            PLOY_OK) {
            CHECK_OK(ploy_behavior_load(ploy_bt_instance_behavior(bench.instance), &bench.context,
                                        doc, ploy_json_root(doc), NULL));
            for (int32_t i = 0; i < 8; i++) CHECK(bt_bench_step(&bench) != 'E');
        }
        ploy_json_destroy(doc);
        ploy_buffer_fini(&buffer);
        bt_bench_end(&bench);
    }
}
