#include "ploy/decide/bt_builder.h"
#include "tests/decide/bt_script.h"

static const ploy_blackboard_key builder_keys[] = {
    {"x", PLOY_VALUE_I64, {PLOY_VALUE_I64, {.i64 = 1}}, NULL},
    {"y", PLOY_VALUE_I64, {PLOY_VALUE_I64, {.i64 = 2}}, NULL},
    {"mood", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, NULL},
    {"flag", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
};

static ploy_blackboard_layout *builder_layout(test_context *t, int32_t count) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(builder_keys, count, "keys", &env, NULL, &layout));
    return layout;
}

static ploy_blackboard *builder_board(test_context *t, const ploy_blackboard_layout *layout) {
    ploy_env env = ploy_env_default();
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    return board;
}

// ---- faults and warnings ----

static void builder_two_roots(ploy_bt_builder *builder) {
    ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
    ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
}

static void builder_open_end(ploy_bt_builder *builder) {
    ploy_bt_builder_open(builder, PLOY_BT_SEQUENCE, NULL);
}

static void builder_closed_twice(ploy_bt_builder *builder) {
    ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
    ploy_bt_builder_close(builder);
}

static void builder_nothing(ploy_bt_builder *builder) {
    (void)builder;
}

static void builder_barren(ploy_bt_builder *builder) {
    ploy_bt_builder_open(builder, PLOY_BT_INVERTER, NULL);
    ploy_bt_builder_close(builder);
}

static void builder_leaf_opened(ploy_bt_builder *builder) {
    ploy_bt_builder_open(builder, PLOY_BT_SLEEP, NULL);
}

static void builder_no_key(ploy_bt_builder *builder) {
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_WAS_ENTRY_UPDATED, NULL);
    def.key = "nobody";
    ploy_bt_builder_add_node(builder, &def);
}

static void builder_wrong_type(ploy_bt_builder *builder) {
    ploy_value value = ploy_value_f32(1.5f);
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_SET_BLACKBOARD, NULL);
    def.key = "x";
    def.values = &value;
    def.value_count = 1;
    ploy_bt_builder_add_node(builder, &def);
}

static void builder_no_number(ploy_bt_builder *builder) {
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_SLEEP, NULL);
    def.seconds = (double)NAN;
    ploy_bt_builder_add_node(builder, &def);
}

static void builder_nobody_listens(ploy_bt_builder *builder) {
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_SIGNAL, "me");
    def.text = "me";
    ploy_bt_builder_add_node(builder, &def);
}

static void builder_nobody_there(ploy_bt_builder *builder) {
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_SIGNAL, "me");
    def.text = "you";
    ploy_bt_builder_add_node(builder, &def);
}

static void builder_too_many(ploy_bt_builder *builder) {
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_PARALLEL, NULL);
    def.count = 3;
    ploy_bt_builder_open_node(builder, &def);
    ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
    ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
    ploy_bt_builder_close(builder);
}

static void builder_too_deep(ploy_bt_builder *builder) {
    for (int32_t i = 0; i < 2 * PLOY_BT_DEPTH_MAX; i++)
        ploy_bt_builder_open(builder, PLOY_BT_INVERTER, "");
}

static void builder_no_order(ploy_bt_builder *builder) {
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_CONDITION, NULL);
    def.condition = ploy_bt_condition_text("mood < 1");
    ploy_bt_builder_add_node(builder, &def);
}

TEST(faults_are_reported_and_leave_nothing) {
    static const struct {
        const char *row;
        void (*build)(ploy_bt_builder *builder);
        ploy_result want;
    } rows[] = {
        {"two roots", builder_two_roots, PLOY_ERR_ARGUMENT},
        {"not closed", builder_open_end, PLOY_ERR_ARGUMENT},
        {"closed twice", builder_closed_twice, PLOY_ERR_ARGUMENT},
        {"nothing", builder_nothing, PLOY_ERR_ARGUMENT},
        {"a decorator without a child", builder_barren, PLOY_ERR_ARGUMENT},
        {"a leaf opened", builder_leaf_opened, PLOY_ERR_ARGUMENT},
        {"no such key", builder_no_key, PLOY_ERR_NOT_FOUND},
        {"a value of another type", builder_wrong_type, PLOY_ERR_ARGUMENT},
        {"not a number", builder_no_number, PLOY_ERR_ARGUMENT},
        {"a signal to one that does not listen", builder_nobody_listens, PLOY_ERR_ARGUMENT},
        {"a signal to nobody", builder_nobody_there, PLOY_ERR_NOT_FOUND},
        {"more successes than children", builder_too_many, PLOY_ERR_ARGUMENT},
        {"too deep", builder_too_deep, PLOY_ERR_LIMIT},
        {"names have no order", builder_no_order, PLOY_ERR_ARGUMENT},
    };
    ploy_blackboard_layout *layout = builder_layout(t, 4);
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_bt_builder *builder = NULL;
        ploy_diags *diags = NULL;
        ploy_bt *bt = NULL;
        CHECK_OK(ploy_diags_create(10, &env, &diags));
        CHECK_OK(ploy_bt_builder_create("faulty", layout, &env, &builder));
        rows[i].build(builder);
        CHECK_INT(ploy_bt_builder_build(builder, diags, &bt), rows[i].want);
        CHECK(bt == NULL);
        CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_ERROR), 1);
        ploy_bt_builder_destroy(builder);
        ploy_diags_destroy(diags);
    }
    ploy_blackboard_layout_destroy(layout);
}

TEST(warnings_point_at_what_cannot_matter) {
    ploy_env env = ploy_env_default();
    ploy_bt_builder *builder = NULL;
    ploy_diags *diags = NULL;
    ploy_bt *bt = NULL;
    CHECK_OK(ploy_diags_create(10, &env, &diags));
    CHECK_OK(ploy_bt_builder_create("lint", NULL, &env, &builder));
    ploy_bt_builder_open(builder, PLOY_BT_FALLBACK, "top");
    ploy_bt_builder_open(builder, PLOY_BT_FALLBACK, "inner"); // could be flattened
    ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_FAILURE, NULL);
    ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_FAILURE, NULL);
    ploy_bt_builder_close(builder);
    ploy_bt_builder_open(builder, PLOY_BT_SEQUENCE, "empty"); // no children
    ploy_bt_builder_close(builder);
    ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_SUCCESS, "decides");
    ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_FAILURE, "never"); // can never run
    ploy_bt_builder_close(builder);
    CHECK_OK(ploy_bt_builder_build(builder, diags, &bt));
    CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_WARNING), 3);
    CHECK(strstr(ploy_diags_get(diags, 0)->message, "'never'") != NULL);
    CHECK(strstr(ploy_diags_get(diags, 1)->message, "could be merged") != NULL);
    CHECK(strstr(ploy_diags_get(diags, 2)->message, "no children") != NULL);
    CHECK_INT(ploy_bt_builder_open(builder, PLOY_BT_SEQUENCE, NULL), PLOY_ERR_STATE); // given away
    ploy_bt_destroy(bt);
    ploy_bt_builder_destroy(builder);
    ploy_diags_destroy(diags);
}

// ---- keys ----

static const ploy_bt_port builder_ports[] = {{"in", PLOY_VALUE_I64, false},
                                             {"out", PLOY_VALUE_I64, true}};

// Writes twice what it reads.
static ploy_result builder_double(ploy_bt_call *call, ploy_status *status) {
    ploy_value value;
    ploy_result result = ploy_bt_port_get(call, 0, &value);
    if (result != PLOY_OK) return result;
    value.as.i64 *= 2;
    if (call->user != NULL) *(int64_t *)call->user = value.as.i64;
    result = ploy_bt_port_set(call, 1, &value);
    *status = result == PLOY_OK ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
    return PLOY_OK;
}

static const ploy_bt_leaf builder_double_leaf = {
    .name = "double", .step = builder_double, .ports = builder_ports, .port_count = 2};

TEST(ports_reach_keys_and_literals) {
    ploy_blackboard_layout *layout = builder_layout(t, 2);
    bt_bench bench;
    bt_bench_begin(t, &bench, layout);
    ploy_bt_bind binds[] = {{"in", "y", {PLOY_VALUE_NONE, {0}}}, {"out", "x", {0}}};
    ploy_bt_bind literal[] = {{"in", NULL, ploy_value_i64(21)}};
    int64_t seen = 0;
    ploy_bt_builder_open(bench.builder, PLOY_BT_SEQUENCE, NULL);
    ploy_bt_builder_add_leaf(bench.builder, &builder_double_leaf, NULL, NULL, binds, 2);
    ploy_bt_builder_add_leaf(bench.builder, &builder_double_leaf, NULL, &seen, literal, 1);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    CHECK_INT(bt_bench_step(&bench), 'E'); // no blackboard
    bench.context.blackboard = builder_board(t, layout);
    bt_bench_expect(t, &bench, "F"); // the second has nowhere to write
    CHECK_INT(
        ploy_blackboard_get_i64(bench.context.blackboard, ploy_blackboard_layout_find(layout, "x")),
        4);
    CHECK_INT(seen, 42);
    ploy_blackboard_destroy(bench.context.blackboard);
    bt_bench_end(&bench);
    ploy_blackboard_layout_destroy(layout);
}

// A tree of its own keys x and y: y becomes twice x.
static ploy_bt *builder_inner(test_context *t, const ploy_blackboard_layout *layout,
                              int64_t *seen) {
    bt_bench bench;
    bt_bench_begin(t, &bench, layout);
    ploy_bt_bind binds[] = {{"in", "x", {0}}, {"out", "y", {0}}};
    ploy_bt_builder_add_leaf(bench.builder, &builder_double_leaf, "double", seen, binds, 2);
    ploy_bt *bt = NULL;
    CHECK_OK(ploy_bt_builder_build(bench.builder, NULL, &bt));
    bt_bench_end(&bench);
    return bt;
}

// Rulings: isolated unless remapped. BHT-24.
TEST(a_sub_tree_is_isolated_but_for_what_is_remapped) {
    static const struct {
        const char *row;
        ploy_bt_bind binds[2];
        int32_t count;
        bool autoremap;
        int64_t seen, x, y; // what the leaf made; our keys afterwards
    } rows[] = {
        {"isolated", {{0}}, 0, false, 2, 10, 2},
        {"written back", {{"y", "x", {PLOY_VALUE_NONE, {0}}}}, 1, false, 2, 2, 2},
        {"read", {{"x", "x", {PLOY_VALUE_NONE, {0}}}}, 1, false, 20, 10, 2},
        {"a literal", {{"x", NULL, {PLOY_VALUE_I64, {.i64 = 7}}}}, 1, false, 14, 10, 2},
        {"all by name", {{0}}, 0, true, 20, 10, 20},
        {"by name but one", {{"x", NULL, {PLOY_VALUE_I64, {.i64 = 7}}}}, 1, true, 14, 10, 14},
    };
    ploy_blackboard_layout *layout = builder_layout(t, 2), *own = builder_layout(t, 2);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        int64_t seen = 0;
        ploy_bt *inner = builder_inner(t, own, &seen);
        // Twice nested: the middle tree hands its own keys on by name.
        bt_bench middle, bench;
        bt_bench_begin(t, &middle, own);
        CHECK_OK(ploy_bt_builder_add_subtree(middle.builder, inner, NULL, NULL, 0, true));
        CHECK_OK(ploy_bt_builder_build(middle.builder, NULL, &middle.bt));
        bt_bench_begin(t, &bench, layout);
        ploy_bt_builder_open(bench.builder, PLOY_BT_SEQUENCE, NULL);
        ploy_bt_builder_add(bench.builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
        CHECK_OK(ploy_bt_builder_add_subtree(bench.builder, middle.bt, "sub", rows[i].binds,
                                             rows[i].count, rows[i].autoremap));
        ploy_bt_builder_close(bench.builder);
        bt_bench_build(t, &bench);
        ploy_bt_destroy(inner); // copied, not referred to
        bt_bench_end(&middle);
        ploy_blackboard *board = builder_board(t, layout);
        bench.context.blackboard = board;
        ploy_slot x = ploy_blackboard_layout_find(layout, "x");
        ploy_slot y = ploy_blackboard_layout_find(layout, "y");
        CHECK_OK(ploy_blackboard_set_i64(board, x, 10));
        bt_bench_expect(t, &bench, "S");
        CHECK_INT(seen, rows[i].seen);
        CHECK_INT(ploy_blackboard_get_i64(board, x), rows[i].x);
        CHECK_INT(ploy_blackboard_get_i64(board, y), rows[i].y);
        bt_bench_end(&bench);
        ploy_blackboard_destroy(board);
    }
    ploy_blackboard_layout_destroy(layout);
    ploy_blackboard_layout_destroy(own);
}

static bool builder_look(ploy_bt_call *call) {
    ploy_value value;
    int64_t *seen = call->user;
    for (int32_t i = 0; i < 2; i++) {
        seen[i] = ploy_bt_port_get(call, i, &value) == PLOY_OK ? value.as.i64 : -1;
    }
    return true;
}

// BHT-21: root {x = 1, y = 2}, below it {x = 5}: x is 5, y is 2, z nothing; after it x is 1.
TEST(a_scope_hides_the_keys_around_it) {
    static const ploy_blackboard_key keys[] = {
        {"x", PLOY_VALUE_I64, {PLOY_VALUE_I64, {.i64 = 5}}, NULL}};
    static const ploy_bt_leaf look = {
        .name = "look", .test = builder_look, .ports = builder_ports, .port_count = 2};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = builder_layout(t, 2), *inner = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "inner", &env, NULL, &inner));
    int64_t below[2] = {0}, after[2] = {0};
    ploy_bt_bind binds[] = {{"in", "x", {0}}, {"out", "y", {0}}};
    ploy_value seven = ploy_value_i64(7);
    bt_bench bench;
    bt_bench_begin(t, &bench, layout);
    ploy_bt_builder_open(bench.builder, PLOY_BT_SEQUENCE, NULL);
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_BLACKBOARD_SCOPE, NULL);
    def.layout = inner;
    ploy_bt_builder_open_node(bench.builder, &def);
    ploy_bt_builder_open(bench.builder, PLOY_BT_SEQUENCE, NULL);
    ploy_bt_builder_add_leaf(bench.builder, &look, NULL, below, binds, 2);
    def = ploy_bt_node_make(PLOY_BT_SET_BLACKBOARD, NULL);
    def.key = "x";
    def.values = &seven;
    def.value_count = 1;
    ploy_bt_builder_add_node(bench.builder, &def);
    ploy_bt_builder_close(bench.builder);
    ploy_bt_builder_close(bench.builder);
    ploy_bt_builder_add_leaf(bench.builder, &look, NULL, after, binds, 2);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    bench.context.blackboard = builder_board(t, layout);
    for (int32_t run = 0; run < 2; run++) { // fresh in each run
        bt_bench_expect(t, &bench, "S");
        CHECK_INT(below[0], 5);
        CHECK_INT(below[1], 2);
        CHECK_INT(after[0], 1);
    }
    ploy_bt_builder *builder = NULL;
    ploy_bt *bt = NULL;
    CHECK_OK(ploy_bt_builder_create("z", layout, &env, &builder));
    ploy_bt_bind nobody[] = {{"in", "z", {0}}};
    ploy_bt_builder_add_leaf(builder, &look, NULL, below, nobody, 1);
    CHECK_INT(ploy_bt_builder_build(builder, NULL, &bt), PLOY_ERR_NOT_FOUND);
    ploy_bt_builder_destroy(builder);
    ploy_blackboard_destroy(bench.context.blackboard);
    bt_bench_end(&bench);
    ploy_blackboard_layout_destroy(layout);
    ploy_blackboard_layout_destroy(inner);
}

TEST(a_switch_takes_the_branch_of_the_keys_value) {
    ploy_blackboard_layout *layout = builder_layout(t, 4);
    ploy_value cases[] = {ploy_value_text("calm"), ploy_value_text("angry")};
    bt_script scripts[] = {{.letters = "R"}, {.letters = "R"}, {.letters = "R"}};
    bt_bench bench;
    bt_bench_begin(t, &bench, layout);
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_SWITCH, NULL);
    def.key = "mood";
    def.values = cases;
    def.value_count = 2;
    ploy_bt_builder_open_node(bench.builder, &def);
    for (int32_t i = 0; i < 3; i++) bt_bench_script(&bench, &scripts[i]);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    ploy_blackboard *board = builder_board(t, layout);
    bench.context.blackboard = board;
    ploy_slot mood = ploy_blackboard_layout_find(layout, "mood");
    bt_bench_expect(t, &bench, "R");
    CHECK(scripts[2].runs);
    ploy_blackboard_set_name(board, mood, ploy_name_of("angry"));
    bt_bench_expect(t, &bench, "RR");
    CHECK(scripts[1].runs && !scripts[2].runs);
    CHECK_INT(scripts[1].starts, 1);
    ploy_blackboard_set_name(board, mood, ploy_name_of("calm"));
    bt_bench_expect(t, &bench, "R");
    CHECK(scripts[0].runs && !scripts[1].runs);
    bt_bench_end(&bench);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

TEST(updates_conditions_and_loops_follow_a_key) {
    ploy_blackboard_layout *layout = builder_layout(t, 2);
    ploy_slot x = ploy_blackboard_layout_find(layout, "x");
    static const struct {
        ploy_bt_kind kind;
        const char *want; // before, after a write, after no write
    } rows[] = {{PLOY_BT_SKIP_UNLESS_UPDATED, "KSK"},
                {PLOY_BT_WAIT_VALUE_UPDATE, "RSR"},
                {PLOY_BT_PRECONDITION, "FSS"},
                {PLOY_BT_LOOP, "RRS"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = ploy_bt_kind_text(rows[i].kind);
        ploy_value values[] = {ploy_value_i64(8), ploy_value_i64(9)};
        bt_script script = {.letters = "S"};
        bt_bench bench;
        bt_bench_begin(t, &bench, layout);
        ploy_bt_node_def def = ploy_bt_node_make(rows[i].kind, NULL);
        def.key = "x";
        def.condition = ploy_bt_condition_text("x > 1.5");
        def.values = values;
        def.value_count = rows[i].kind == PLOY_BT_LOOP ? 2 : 0;
        ploy_bt_builder_open_node(bench.builder, &def);
        bt_bench_script(&bench, &script);
        ploy_bt_builder_close(bench.builder);
        bt_bench_build(t, &bench);
        bench.context.blackboard = builder_board(t, layout);
        char got[4] = {0};
        got[0] = bt_bench_step(&bench);
        ploy_blackboard_set_i64(bench.context.blackboard, x, 3);
        got[1] = bt_bench_step(&bench);
        got[2] = bt_bench_step(&bench);
        CHECK_TEXT(got, rows[i].want);
        bool loops = rows[i].kind == PLOY_BT_LOOP;
        CHECK_INT(ploy_blackboard_get_i64(bench.context.blackboard, x), loops ? 9 : 3);
        ploy_blackboard_destroy(bench.context.blackboard);
        bt_bench_end(&bench);
    }
    ploy_blackboard_layout_destroy(layout);
}

TEST(a_copied_sub_tree_keeps_its_texts_when_the_original_is_gone) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = builder_layout(t, 2);
    ploy_bt_builder *inner = NULL;
    ploy_bt *bt = NULL;
    CHECK_OK(ploy_bt_builder_create("inner", layout, &env, &inner));
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_CONDITION, "large");
    def.condition = ploy_bt_condition_text("x > 2");
    CHECK_OK(ploy_bt_builder_open(inner, PLOY_BT_SEQUENCE, NULL));
    ploy_bt_condition no = ploy_bt_condition_text("x == 4");
    CHECK_OK(ploy_bt_builder_when_holds(inner, PLOY_BT_FAILURE_IF, &no));
    CHECK_OK(ploy_bt_builder_add_node(inner, &def));
    CHECK_OK(ploy_bt_builder_close(inner));
    CHECK_OK(ploy_bt_builder_build(inner, NULL, &bt));
    ploy_bt_builder_destroy(inner);
    bt_bench bench;
    bt_bench_begin(t, &bench, layout);
    CHECK_OK(ploy_bt_builder_add_subtree(bench.builder, bt, "copy", NULL, 0, true));
    ploy_bt_destroy(bt);
    bt_bench_build(t, &bench);
    bench.context.blackboard = builder_board(t, layout);
    ploy_slot x = ploy_blackboard_layout_find(layout, "x");
    static const char want[] = "FFFSFS"; // for x = 0 to 5
    for (int64_t i = 0; i < 6; i++) {
        CHECK_OK(ploy_blackboard_set_i64(bench.context.blackboard, x, i));
        CHECK_INT(bt_bench_step(&bench), want[i]);
    }
    ploy_blackboard_destroy(bench.context.blackboard);
    bt_bench_end(&bench);
    ploy_blackboard_layout_destroy(layout);
}

// ---- memory ----

typedef struct builder_parts {
    const ploy_blackboard_layout *layout;
    const ploy_bt *inner;
} builder_parts;

static ploy_result builder_whole(const ploy_env *env, void *arg) {
    const builder_parts *parts = arg;
    static bt_script script = {.letters = "S"};
    ploy_bt_builder *builder = NULL;
    ploy_bt *bt = NULL;
    ploy_result result = ploy_bt_builder_create("whole", parts->layout, env, &builder);
    if (result != PLOY_OK) return result;
    ploy_bt_condition condition = ploy_bt_condition_text("x == 1");
    ploy_bt_effect effect = ploy_bt_effect_make("y", ploy_value_i64(3));
    ploy_bt_bind literal[] = {{"x", NULL, ploy_value_i64(7)}};
    ploy_bt_node_def scope = ploy_bt_node_make(PLOY_BT_BLACKBOARD_SCOPE, NULL);
    scope.layout = parts->layout;
    ploy_bt_builder_open(builder, PLOY_BT_SEQUENCE, NULL);
    ploy_bt_builder_when_holds(builder, PLOY_BT_SKIP_IF, &condition);
    ploy_bt_builder_then(builder, PLOY_BT_ON_DONE, &effect);
    ploy_bt_builder_open_node(builder, &scope);
    ploy_bt_builder_add_subtree(builder, parts->inner, NULL, literal, 1, true);
    ploy_bt_builder_close(builder);
    ploy_bt_builder_add_leaf(builder, &bt_script_leaf, NULL, &script, NULL, 0);
    ploy_bt_builder_close(builder);
    result = ploy_bt_builder_build(builder, NULL, &bt);
    ploy_bt_instance *instance = NULL;
    if (result == PLOY_OK) {
        ploy_bt_instance_def def = ploy_bt_instance_def_default();
        def.watch = true;
        result = ploy_bt_instance_create(&def, bt, NULL, env, &instance);
    }
    ploy_bt_instance_destroy(instance);
    ploy_bt_destroy(bt);
    ploy_bt_builder_destroy(builder);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    ploy_blackboard_layout *layout = builder_layout(t, 2);
    ploy_bt *inner = builder_inner(t, layout, NULL);
    builder_parts parts = {layout, inner};
    CHECK_FAIL_NTH(builder_whole, &parts);
    ploy_bt_destroy(inner);
    ploy_blackboard_layout_destroy(layout);
}

static ploy_expression *expression_of(test_context *t, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_expression *expression = NULL;
    CHECK_OK(ploy_expression_create(text, NULL, 1, 1, NULL, 0, &env, NULL, &expression));
    return expression;
}

TEST(expressions_are_conditions_effects_and_scripts) {
    static const ploy_blackboard_key inner_keys[] = {
        {"n", PLOY_VALUE_F64, {PLOY_VALUE_NONE, {0}}, NULL},
        {"own", PLOY_VALUE_TEXT, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    static const ploy_blackboard_key outer_keys[] = {
        {"count", PLOY_VALUE_F64, {PLOY_VALUE_NONE, {0}}, NULL},
        {"word", PLOY_VALUE_TEXT, {PLOY_VALUE_TEXT, {.text = "a"}}, NULL},
    };
    static const char *const texts[] = {
        "n += 10; own := 'x' .. n", "count < 12", "word += '!'", "count = count + 1", "1 / 0 & 1",
        "count = nobody",           "word * 2"};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *inner = NULL, *outer = NULL;
    ploy_expression *made[7];
    CHECK_OK(ploy_blackboard_layout_create(inner_keys, 2, "inner", &env, NULL, &inner));
    CHECK_OK(ploy_blackboard_layout_create(outer_keys, 2, "outer", &env, NULL, &outer));
    for (int32_t i = 0; i < 7; i++) made[i] = expression_of(t, texts[i]);

    // A sub-tree with a script whose n is the count outside.
    ploy_bt_builder *builder = NULL;
    ploy_bt *subtree = NULL;
    CHECK_OK(ploy_bt_builder_create("inner", inner, &env, &builder));
    ploy_bt_node_def script = ploy_bt_node_make(PLOY_BT_SCRIPT, NULL);
    CHECK_INT(ploy_bt_builder_add_node(builder, &script), PLOY_ERR_ARGUMENT);
    ploy_bt_builder_destroy(builder);
    CHECK_OK(ploy_bt_builder_create("inner", inner, &env, &builder));
    script.condition = ploy_bt_condition_expression(made[0]);
    CHECK_OK(ploy_bt_builder_add_node(builder, &script));
    CHECK_OK(ploy_bt_builder_build(builder, NULL, &subtree));
    ploy_bt_builder_destroy(builder);

    bt_bench bench;
    bt_bench_begin(t, &bench, outer);
    ploy_bt_bind bind = {"n", "count", {PLOY_VALUE_NONE, {0}}};
    ploy_bt_condition below = ploy_bt_condition_expression(made[1]);
    ploy_bt_effect shout = ploy_bt_effect_expression(made[2]);
    ploy_bt_effect more = ploy_bt_effect_expression(made[3]);
    ploy_bt_builder_open(bench.builder, PLOY_BT_SEQUENCE, NULL);
    ploy_bt_builder_add_subtree(bench.builder, subtree, NULL, &bind, 1, false);
    ploy_bt_builder_then(bench.builder, PLOY_BT_ON_SUCCESS, &shout);
    ploy_bt_builder_add(bench.builder, PLOY_BT_ALWAYS_SUCCESS, "guarded");
    ploy_bt_builder_when_holds(bench.builder, PLOY_BT_SKIP_IF, &below);
    ploy_bt_builder_then(bench.builder, PLOY_BT_ON_DONE, &more);
    script.condition = ploy_bt_condition_expression(made[4]);
    ploy_bt_builder_open(bench.builder, PLOY_BT_IF_THEN_ELSE, NULL);
    ploy_bt_node_def small = ploy_bt_node_make(PLOY_BT_CONDITION, NULL);
    small.condition = below;
    ploy_bt_builder_add_node(bench.builder, &small);
    ploy_bt_builder_add(bench.builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
    ploy_bt_builder_add_node(bench.builder, &script);
    ploy_bt_builder_close(bench.builder);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_create(outer, &env, &board));
    bench.context.blackboard = board;
    ploy_slot count = ploy_blackboard_layout_find(outer, "count");
    CHECK_INT(bt_bench_step(&bench), 'S');
    CHECK_SAME(ploy_blackboard_get_f64(board, count), 10.0);
    CHECK_TEXT(ploy_blackboard_get_text(board, ploy_blackboard_layout_find(outer, "word")), "a!");
    CHECK_INT(bt_bench_step(&bench), 'E'); // an infinite number has no bits
    CHECK_SAME(ploy_blackboard_get_f64(board, count), 21.0);
    bt_bench_end(&bench);
    ploy_blackboard_destroy(board);

    // Keys that are not there, and types that do not fit, are found when the tree is built.
    for (int32_t i = 5; i < 7; i++) {
        CHECK_OK(ploy_bt_builder_create("outer", outer, &env, &builder));
        script.condition = ploy_bt_condition_expression(made[i]);
        CHECK_INT(ploy_bt_builder_add_node(builder, &script),
                  i == 5 ? PLOY_ERR_NOT_FOUND : PLOY_ERR_ARGUMENT);
        ploy_bt_builder_destroy(builder);
    }
    ploy_bt_destroy(subtree);
    for (int32_t i = 0; i < 7; i++) ploy_expression_destroy(made[i]);
    ploy_blackboard_layout_destroy(inner);
    ploy_blackboard_layout_destroy(outer);
}

TEST(conditions_and_scores_of_a_set_guard_and_rank_nodes) {
    static const ploy_blackboard_key keys[] = {
        {"health", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 50}}, NULL},
        {"fear", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL, *other = NULL;
    ploy_blackboard *board = NULL;
    ploy_conditions *set = NULL, *foreign = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 2, "k", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_layout_create(keys, 2, "k", &env, NULL, &other));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    CHECK_OK(ploy_conditions_create(layout, &env, &set));
    CHECK_OK(ploy_conditions_create(other, &env, &foreign));
    ploy_bt_condition weak = ploy_bt_condition_of(set, ploy_condition_text(set, "health < 20"));
    for (int32_t bad = 0; bad < 2; bad++) {
        ploy_bt_builder *builder = NULL;
        ploy_bt *bt = NULL;
        CHECK_OK(ploy_bt_builder_create("t", layout, &env, &builder));
        ploy_bt_builder_open(builder, PLOY_BT_UTILITY_FALLBACK, NULL);
        ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_SUCCESS, "stay");
        ploy_bt_builder_score(builder, set, ploy_score_text(set, "health / 100"));
        ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_FAILURE, "flee");
        ploy_bt_builder_score(builder, set, ploy_score_key(set, "fear"));
        if (bad != 0) {
            ploy_bt_condition wrong =
                ploy_bt_condition_of(foreign, ploy_condition_text(foreign, "health < 20"));
            CHECK_INT(ploy_bt_builder_when_holds(builder, PLOY_BT_SKIP_IF, &wrong),
                      PLOY_ERR_ARGUMENT);
        } else {
            CHECK_OK(ploy_bt_builder_when_holds(builder, PLOY_BT_SUCCESS_IF, &weak));
        }
        ploy_bt_builder_close(builder);
        CHECK_INT(ploy_bt_builder_build(builder, NULL, &bt),
                  bad != 0 ? PLOY_ERR_ARGUMENT : PLOY_OK);
        ploy_bt_builder_destroy(builder);
        if (bt == NULL) continue;
        ploy_bt_instance_def def = ploy_bt_instance_def_default();
        ploy_bt_instance *instance = NULL;
        CHECK_OK(ploy_bt_instance_create(&def, bt, NULL, &env, &instance));
        ploy_step_context context;
        memset(&context, 0, sizeof context);
        context.blackboard = board;
        ploy_status status;
        int32_t flee = ploy_bt_find_node(bt, "flee");
        CHECK_OK(ploy_bt_instance_step(instance, &context, &status));
        CHECK(!ploy_bt_instance_node_status(instance, flee, &status)); // stays: 0.5 against 0
        CHECK_OK(ploy_blackboard_set_f32(board, (ploy_slot){2}, 0.9f));
        CHECK_OK(ploy_blackboard_set_f32(board, (ploy_slot){1}, 10));
        CHECK_OK(ploy_bt_instance_step(instance, &context, &status));
        CHECK_INT(status, PLOY_STATUS_SUCCESS); // flees, and the guard answers for it
        CHECK(context.blackboard == board);
        ploy_bt_instance_destroy(instance);
        ploy_bt_destroy(bt);
    }
    ploy_conditions_destroy(set);
    ploy_conditions_destroy(foreign);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    ploy_blackboard_layout_destroy(other);
}
