#include "ploy/decide/bt.h"
#include "tests/decide/bt_script.h"

TEST(every_kind_is_found_by_its_text) {
    for (int32_t i = 0; i < PLOY_BT_KIND_COUNT; i++) {
        ploy_bt_kind kind = PLOY_BT_KIND_COUNT;
        CHECK(ploy_bt_kind_find(ploy_bt_kind_text((ploy_bt_kind)i), &kind));
        CHECK_INT(kind, i);
    }
    ploy_bt_kind kind = PLOY_BT_LEAF;
    CHECK(ploy_bt_kind_find("Switch4", &kind));
    CHECK_INT(kind, PLOY_BT_SWITCH);
    CHECK(!ploy_bt_kind_find("Switch7", &kind));
    CHECK(!ploy_bt_kind_find("Sequnce", &kind));
    CHECK_TEXT(ploy_bt_kind_text(PLOY_BT_KIND_COUNT), "?");
}

static ploy_bt *bt_small(test_context *t, const char *name, int32_t count) {
    bt_bench bench;
    static bt_script script = {.letters = "S"};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_SEQUENCE, "top");
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_REPEAT, name);
    def.count = count;
    ploy_bt_builder_open_node(bench.builder, &def);
    bt_bench_script(&bench, &script);
    ploy_bt_builder_close(bench.builder);
    ploy_bt_builder_add(bench.builder, PLOY_BT_ALWAYS_SUCCESS, "last");
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    ploy_bt *bt = bench.bt;
    ploy_bt_instance_destroy(bench.instance);
    bench.bt = NULL;
    bench.instance = NULL;
    bt_bench_end(&bench);
    return bt;
}

TEST(nodes_stand_depth_first_with_stable_ids) {
    ploy_bt *bt = bt_small(t, "again", 2);
    CHECK_INT(ploy_bt_node_count(bt), 4);
    CHECK_TEXT(ploy_bt_name(bt), "test");
    ploy_bt_node_info info;
    CHECK_OK(ploy_bt_node_at(bt, 3, &info));
    CHECK_INT(info.parent, 0);
    CHECK_INT(info.depth, 1);
    CHECK_TEXT(info.name, "last");
    CHECK_OK(ploy_bt_node_at(bt, 1, &info));
    CHECK_INT(info.end, 3);
    CHECK_INT(info.children, 1);
    CHECK_INT(ploy_bt_node_at(bt, 4, &info), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bt_find_node(bt, "again"), 1);
    CHECK_INT(ploy_bt_find_node(bt, "nobody"), -1);
    ploy_bt *same = bt_small(t, "again", 2), *other = bt_small(t, "again", 3);
    ploy_bt_node_info twin;
    CHECK_OK(ploy_bt_node_at(other, 1, &twin));
    CHECK_UINT(twin.id, info.id);
    CHECK_UINT(ploy_bt_hash(bt), ploy_bt_hash(same));
    CHECK(ploy_bt_hash(bt) != ploy_bt_hash(other));
    ploy_bt_destroy(bt);
    ploy_bt_destroy(same);
    ploy_bt_destroy(other);
}
