// Settings of behavior trees that come from keys.
#include "tests/decide/bt_script.h"

enum { SETTINGS_N, SETTINGS_T, SETTINGS_QUEUE, SETTINGS_VALUE, SETTINGS_KEYS };

static const ploy_blackboard_key settings_keys[SETTINGS_KEYS] = {
    {"n", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"t", PLOY_VALUE_F64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"queue", PLOY_VALUE_TEXT, {PLOY_VALUE_NONE, {0}}, NULL},
    {"value", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
};

// A decorator over a script, on a board of the keys.
typedef struct settings_bench {
    bt_bench bench;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    bt_script script;
} settings_bench;

static void settings_open(test_context *t, settings_bench *s, ploy_bt_node_def def,
                          const char *letters, int32_t children) {
    ploy_env env = ploy_env_default();
    memset(s, 0, sizeof *s);
    s->script.letters = letters;
    CHECK_OK(ploy_blackboard_layout_create(settings_keys, SETTINGS_KEYS, "settings", &env, NULL,
                                           &s->layout));
    CHECK_OK(ploy_blackboard_create(s->layout, &env, &s->board));
    bt_bench_begin(t, &s->bench, s->layout);
    ploy_bt_builder_open_node(s->bench.builder, &def);
    for (int32_t i = 0; i < children; i++) bt_bench_script(&s->bench, &s->script);
    ploy_bt_builder_close(s->bench.builder);
    bt_bench_build(t, &s->bench);
    s->bench.context.blackboard = s->board;
}

static void settings_close(settings_bench *s) {
    bt_bench_end(&s->bench);
    ploy_blackboard_destroy(s->board);
    ploy_blackboard_layout_destroy(s->layout);
}

TEST(counts_and_times_are_those_of_their_keys) {
    static const struct {
        const char *row;
        ploy_bt_kind kind;
        double n, t; // what the keys hold
        int32_t children;
        const char *letters, *want;
    } rows[] = {
        {"three turns", PLOY_BT_RESTART, 3, 0, 1, "SF", "RRS"},
        {"none given, without end", PLOY_BT_RESTART, 0, 0, 1, "S", "RRRR"},
        {"two starts", PLOY_BT_LIMIT, 2, 0, 1, "S", "SSFF"},
        {"no start at all", PLOY_BT_LIMIT, -5, 0, 1, "S", "FF"},
        {"twice each step", PLOY_BT_REPEAT, 2, 0, 1, "SSRS", "SRS"},
        {"not at all", PLOY_BT_REPEAT, 0, 0, 1, "F", "S"},
        {"for ever, below -1 too", PLOY_BT_REPEAT, -3, 0, 1, "S", "RRR"},
        {"one attempt", PLOY_BT_RETRY, 1, 0, 1, "FS", "FS"},
        {"two attempts", PLOY_BT_RETRY, 2, 0, 1, "FS", "SS"},
        {"two tries", PLOY_BT_RANDOM_SELECTOR, 2, 0, 2, "F", "RF"},
        {"one of two", PLOY_BT_PARALLEL, 1, 0, 2, "SR", "SS"},
        {"more than there are", PLOY_BT_PARALLEL, 9, 0, 2, "S", "S"},
        {"counted from all", PLOY_BT_PARALLEL, -1, 0, 2, "SR", "RS"},
        {"a limit of time", PLOY_BT_TIMEOUT, 0, 0.15, 1, "R", "RRF"},
        {"no time is over at the second look", PLOY_BT_TIMEOUT, 0, -1, 1, "R", "RF"},
        {"a delay", PLOY_BT_DELAY, 0, 0.15, 1, "S", "RRS"},
        {"a rest", PLOY_BT_COOLDOWN, 0, 0.15, 1, "S", "SFSF"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_bt_node_def def = ploy_bt_node_make(rows[i].kind, NULL);
        bool timed = rows[i].kind == PLOY_BT_TIMEOUT || rows[i].kind == PLOY_BT_DELAY ||
                     rows[i].kind == PLOY_BT_COOLDOWN;
        if (timed) {
            def.seconds_key = "t";
        } else {
            def.count_key = "n";
        }
        settings_bench s;
        settings_open(t, &s, def, rows[i].letters, rows[i].children);
        ploy_slot n = ploy_blackboard_layout_find(s.layout, "n");
        ploy_slot seconds = ploy_blackboard_layout_find(s.layout, "t");
        CHECK_OK(ploy_blackboard_set_i64(s.board, n, (int64_t)rows[i].n));
        CHECK_OK(ploy_blackboard_set_f64(s.board, seconds, rows[i].t));
        bt_bench_expect(t, &s.bench, rows[i].want);
        settings_close(&s);
    }
}

TEST(a_time_is_read_when_its_node_starts) {
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_TIMEOUT, NULL);
    def.seconds_key = "t";
    def.key_scale = 0.001; // the key is in milliseconds
    settings_bench s;
    settings_open(t, &s, def, "R", 1);
    ploy_slot seconds = ploy_blackboard_layout_find(s.layout, "t");
    CHECK_OK(ploy_blackboard_set_f64(s.board, seconds, 250.0));
    bt_bench_expect(t, &s.bench, "RR");
    CHECK_OK(ploy_blackboard_set_f64(s.board, seconds, 1.0)); // too late for this run
    bt_bench_expect(t, &s.bench, "RF");
    bt_bench_expect(t, &s.bench, "RF");
    settings_close(&s);
}

TEST(failures_of_a_parallel_and_a_random_sleep_come_from_keys) {
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_PARALLEL_ALL, NULL);
    def.count2_key = "n";
    settings_bench s;
    settings_open(t, &s, def, "FS", 2);
    ploy_slot n = ploy_blackboard_layout_find(s.layout, "n");
    CHECK_OK(ploy_blackboard_set_i64(s.board, n, 2));
    bt_bench_expect(t, &s.bench, "SS");
    CHECK_OK(ploy_blackboard_set_i64(s.board, n, 1));
    bt_bench_expect(t, &s.bench, "FF");
    settings_close(&s);
    ploy_bt_node_def sleep = ploy_bt_node_make(PLOY_BT_SLEEP, NULL);
    sleep.seconds_key = "value";
    sleep.seconds_max_key = "t";
    bt_bench bench;
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_layout_create(settings_keys, SETTINGS_KEYS, "s", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    bt_bench_begin(t, &bench, layout);
    CHECK_OK(ploy_bt_builder_add_node(bench.builder, &sleep));
    bt_bench_build(t, &bench);
    bench.context.blackboard = board;
    CHECK_OK(ploy_blackboard_set_f32(board, ploy_blackboard_layout_find(layout, "value"), 0.35f));
    CHECK_OK(ploy_blackboard_set_f64(board, ploy_blackboard_layout_find(layout, "t"), 0.38));
    bt_bench_expect(t, &bench, "RRRRS");
    bt_bench_end(&bench);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

TEST(keys_that_do_not_fit_are_refused) {
    static const struct {
        const char *row;
        ploy_bt_kind kind;
        const char *count, *seconds, *queue;
        double scale;
        ploy_result want;
    } rows[] = {
        {"fine", PLOY_BT_REPEAT, "n", NULL, NULL, 0, PLOY_OK},
        {"any number will do", PLOY_BT_REPEAT, "value", NULL, NULL, 0, PLOY_OK},
        {"no such key", PLOY_BT_REPEAT, "m", NULL, NULL, 0, PLOY_ERR_NOT_FOUND},
        {"a text is no number", PLOY_BT_REPEAT, "queue", NULL, NULL, 0, PLOY_ERR_ARGUMENT},
        {"a Repeat has no time", PLOY_BT_REPEAT, NULL, "t", NULL, 0, PLOY_ERR_ARGUMENT},
        {"an Inverter has nothing", PLOY_BT_INVERTER, "n", NULL, NULL, 0, PLOY_ERR_ARGUMENT},
        {"a queue of text", PLOY_BT_LOOP, NULL, NULL, "queue", 0, PLOY_OK},
        {"a queue of numbers", PLOY_BT_LOOP, NULL, NULL, "n", 0, PLOY_ERR_ARGUMENT},
        {"a scale below 0", PLOY_BT_TIMEOUT, NULL, "t", NULL, -1, PLOY_ERR_ARGUMENT},
    };
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(settings_keys, SETTINGS_KEYS, "s", &env, NULL, &layout));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_bt_builder *builder = NULL;
        CHECK_OK(ploy_bt_builder_create("bad", layout, &env, &builder));
        ploy_bt_node_def def = ploy_bt_node_make(rows[i].kind, NULL);
        def.count_key = rows[i].count;
        def.seconds_key = rows[i].seconds;
        def.queue_key = rows[i].queue;
        def.key = "value";
        def.key_scale = rows[i].scale;
        CHECK_INT(ploy_bt_builder_open_node(builder, &def), rows[i].want);
        ploy_bt_builder_destroy(builder);
    }
    ploy_blackboard_layout_destroy(layout);
}
