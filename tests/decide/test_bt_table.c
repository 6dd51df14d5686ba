// Behavior trees from tables.
#include "ploy/decide/bt_table.h"

#include "tests/decide/bt_script.h"
#include "tests/decide/nested_probe.h"

static const ploy_blackboard_key bt_table_keys[] = {
    {"enemy", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"health", PLOY_VALUE_I64, {PLOY_VALUE_I64, {.i64 = 100}}, NULL},
};

static bool bt_table_loaded(ploy_bt_call *call) {
    return *(bool *)call->user;
}

static ploy_result bt_table_first(ploy_bt_call *call, int32_t child, ploy_status answer,
                                  int32_t *next, ploy_status *status) {
    (void)call;
    *next = child < 0 ? 0 : -1;
    *status = answer;
    return PLOY_OK;
}

TEST(a_table_gives_the_tree_that_the_calls_give) {
    ploy_env env = ploy_env_default();
    bool loaded = true;
    bt_script shoot = {.letters = "S"}, flee = {.letters = "R"}, walk = {.letters = "R"};
    nested_probe probe = {.status = PLOY_STATUS_SUCCESS};
    ploy_maker maker = nested_probe_maker(&probe);
    const ploy_bt_leaf first = {.name = "first", .choose = bt_table_first};
    ploy_bt_node_def twice = ploy_bt_node_make(PLOY_BT_REPEAT, NULL);
    twice.count = 2;
    const ploy_bt_row rows[] = {
        {.depth = 0, PLOY_BT_REACTIVE_FALLBACK, "guard"},
        {1, PLOY_BT_SEQUENCE, "fight", .when = "enemy && health > 30"},
        {2, PLOY_BT_CONDITION, "seen", .when = "enemy"},
        {2, PLOY_BT_LEAF, "loaded", .test = bt_table_loaded, .user = &loaded},
        {2, PLOY_BT_BEHAVIOR, "aim", .maker = &maker},
        {2, PLOY_BT_REPEAT, "twice", .settings = &twice},
        {3, PLOY_BT_LEAF, "shoot", .leaf = &bt_script_leaf, .user = &shoot},
        {1, PLOY_BT_PRECONDITION, "hurt", .when = "enemy"},
        {2, PLOY_BT_LEAF, "flee", .leaf = &bt_script_leaf, .user = &flee},
        {1, PLOY_BT_CONTROL, NULL, .leaf = &first},
        {2, PLOY_BT_LEAF, "walk", .leaf = &bt_script_leaf, .user = &walk},
        {.depth = 1, PLOY_BT_ALWAYS_FAILURE, NULL},
    };
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(bt_table_keys, 2, "guard", &env, NULL, &layout));
    bt_bench bench;
    memset(&bench, 0, sizeof bench);
    bench.env = env;
    CHECK_OK(ploy_blackboard_create(layout, &env, &bench.context.blackboard));
    CHECK_OK(
        ploy_bt_from_table("guard", rows, (int32_t)COUNT_OF(rows), layout, &env, NULL, &bench.bt));
    CHECK_INT(ploy_bt_node_count(bench.bt), (int32_t)COUNT_OF(rows));
    for (int32_t i = 0; i < (int32_t)COUNT_OF(rows); i++) {
        ploy_bt_node_info info;
        CHECK_OK(ploy_bt_node_at(bench.bt, i, &info));
        CHECK_INT(info.kind, rows[i].kind);
        CHECK_INT(info.depth, rows[i].depth);
        if (rows[i].name != NULL) CHECK_TEXT(info.name, rows[i].name);
    }
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    CHECK_OK(ploy_bt_instance_create(&def, bench.bt, NULL, &env, &bench.instance));
    ploy_slot enemy = {1}, health = {2};
    bt_bench_expect(t, &bench, "R");
    CHECK_INT(walk.steps, 1);
    CHECK_OK(ploy_blackboard_set_bool(bench.context.blackboard, enemy, true));
    bt_bench_expect(t, &bench, "S");
    CHECK_INT(shoot.steps, 2);
    CHECK_INT(walk.halts, 1);
    CHECK_INT(probe.enters, 1);
    CHECK_OK(ploy_blackboard_set_i64(bench.context.blackboard, health, 10));
    bt_bench_expect(t, &bench, "R");
    CHECK_INT(flee.steps, 1);
    ploy_blackboard *board = bench.context.blackboard;
    bt_bench_end(&bench);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

TEST(a_bad_tree_is_refused_as_bad_calls_are) {
    static const struct {
        const char *row;
        ploy_bt_row second, third;
        ploy_result want;
    } rows[] = {
        {"fine",
         {.depth = 1, PLOY_BT_SEQUENCE, "b", NULL},
         {.depth = 2, PLOY_BT_CONDITION, "c", "enemy"},
         PLOY_OK},
        {"a level is missing",
         {.depth = 2, PLOY_BT_SEQUENCE, "b", NULL},
         {.depth = 2, PLOY_BT_CONDITION, "c", "enemy"},
         PLOY_ERR_FORMAT},
        {"below a leaf",
         {.depth = 1, PLOY_BT_ALWAYS_SUCCESS, "b", NULL},
         {.depth = 2, PLOY_BT_CONDITION, "c", "enemy"},
         PLOY_ERR_FORMAT},
        {"a second root",
         {.depth = 0, PLOY_BT_SEQUENCE, "b", NULL},
         {.depth = 1, PLOY_BT_CONDITION, "c", "enemy"},
         PLOY_ERR_ARGUMENT},
        {"no such key",
         {.depth = 1, PLOY_BT_SEQUENCE, "b", NULL},
         {.depth = 2, PLOY_BT_CONDITION, "c", "enemies"},
         PLOY_ERR_NOT_FOUND},
        {"no text",
         {.depth = 1, PLOY_BT_SEQUENCE, "b", NULL},
         {.depth = 2, PLOY_BT_CONDITION, "c", "enemy &&"},
         PLOY_ERR_FORMAT},
        {"a leaf without a function",
         {.depth = 1, PLOY_BT_SEQUENCE, "b", NULL},
         {.depth = 2, PLOY_BT_LEAF, "c", NULL},
         PLOY_ERR_ARGUMENT},
        {"no maker",
         {.depth = 1, PLOY_BT_SEQUENCE, "b", NULL},
         {.depth = 2, PLOY_BT_BEHAVIOR, "c", NULL},
         PLOY_ERR_ARGUMENT},
        {"a control without callbacks",
         {.depth = 1, PLOY_BT_SEQUENCE, "b", NULL},
         {.depth = 2, PLOY_BT_CONTROL, "c", NULL},
         PLOY_ERR_ARGUMENT},
    };
    ploy_env plain = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(bt_table_keys, 2, "guard", &plain, NULL, &layout));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        nested_lines lines;
        ploy_env env = nested_lines_env(&lines);
        const ploy_bt_row table[] = {
            {.depth = 0, PLOY_BT_FALLBACK, "a"}, rows[i].second, rows[i].third};
        ploy_bt *bt = NULL;
        CHECK_INT(ploy_bt_from_table("t", table, 3, layout, &env, NULL, &bt), rows[i].want);
        CHECK((bt != NULL) == (rows[i].want == PLOY_OK));
        CHECK((lines.count > 0) == (rows[i].want != PLOY_OK));
        ploy_bt_destroy(bt);
    }
    ploy_blackboard_layout_destroy(layout);
}

static ploy_result bt_table_build_all(const ploy_env *env, void *arg) {
    static const ploy_bt_row rows[] = {
        {.depth = 0, PLOY_BT_FALLBACK, "a"},
        {1, PLOY_BT_SEQUENCE, "b", .when = "enemy && health > 1"},
        {2, PLOY_BT_CONDITION, "c", .when = "health < 10"},
        {.depth = 1, PLOY_BT_ALWAYS_SUCCESS, "d"},
    };
    ploy_bt *bt = NULL;
    ploy_result result = ploy_bt_from_table("t", rows, 4, arg, env, NULL, &bt);
    ploy_bt_destroy(bt);
    return result;
}

TEST(a_tree_table_survives_every_failing_allocation) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(bt_table_keys, 2, "guard", &env, NULL, &layout));
    CHECK_FAIL_NTH(bt_table_build_all, layout);
    ploy_blackboard_layout_destroy(layout);
}
