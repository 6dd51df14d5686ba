// Transposition tables: layouts, policies and statistics.
#include "ploy/board/table.h"
#include "tests/state.h"
#include "tests/test.h"

static ploy_board_table *make(test_context *t, const ploy_board_table_def *def) {
    ploy_env env = ploy_env_default();
    ploy_board_table *table = NULL;
    CHECK_OK(ploy_board_table_create(def, &env, &table));
    return table;
}

TEST(every_layout_finds_what_it_stored) {
    for (int32_t layout = 0; layout < 3; layout++) {
        TEST_SEED(layout);
        ploy_board_table_def def = ploy_board_table_def_default();
        def.layout = (ploy_board_layout)layout;
        def.policy = PLOY_BOARD_REPLACE_ALWAYS;
        def.kilobytes = 64;
        ploy_board_table *table = make(t, &def);
        CHECK(ploy_board_table_find(table, 0) == NULL); // key 0 is no empty entry
        for (int32_t i = 0; i < 100; i++) {
            uint64_t key = ploy_board_key(1, i);
            ploy_board_table_store(table, key, i, i, i + 1, (ploy_board_move)i + 1);
            const ploy_board_entry *entry = ploy_board_table_find(table, key);
            CHECK(entry != NULL);
            CHECK_INT(entry->depth, i);
            CHECK_INT(entry->lower, i);
            CHECK_INT(entry->upper, i + 1);
            CHECK_UINT(entry->move, i + 1);
        }
        ploy_board_table_statistics s = ploy_board_table_statistics_of(table);
        CHECK_INT(s.stores, 100);
        CHECK_INT(s.used + s.overwrites, 100);
        CHECK(s.used > 90);
        if (layout == PLOY_BOARD_LAYOUT_CHAINED) CHECK_INT(s.overwrites, 0);
        ploy_board_table_clear(table);
        CHECK(ploy_board_table_find(table, ploy_board_key(1, 5)) == NULL);
        ploy_board_table_destroy(table);
    }
}

TEST(bounds_of_one_depth_add_up) {
    ploy_board_table_def def = ploy_board_table_def_default();
    ploy_board_table *table = make(t, &def);
    ploy_board_table_store(table, 9, 4, 10, PLOY_BOARD_INFINITY, 3);
    ploy_board_table_store(table, 9, 4, -PLOY_BOARD_INFINITY, 12, PLOY_BOARD_NO_MOVE);
    const ploy_board_entry *entry = ploy_board_table_find(table, 9);
    CHECK_INT(entry->lower, 10);
    CHECK_INT(entry->upper, 12);
    CHECK_UINT(entry->move, 3);
    ploy_board_table_store(table, 9, 5, -PLOY_BOARD_INFINITY, 7, PLOY_BOARD_NO_MOVE);
    entry = ploy_board_table_find(table, 9);
    CHECK_INT(entry->lower, -PLOY_BOARD_INFINITY);
    CHECK_INT(entry->upper, 7);
    CHECK_UINT(entry->move, 3); // still worth trying first
    ploy_board_table_destroy(table);
}

TEST(policies_decide_which_entry_stays) {
    // Two positions of one place: the first stored at depth 6, then after `moves` moves of the game
    // the second at `depth`.
    static const struct {
        const char *row;
        ploy_board_replace policy;
        int32_t depth, moves;
        bool second_stays;
    } rows[] = {
        {"always: shallow", PLOY_BOARD_REPLACE_ALWAYS, 1, 0, true},
        {"later: same move", PLOY_BOARD_REPLACE_LATER, 1, 0, true},
        {"later: next move", PLOY_BOARD_REPLACE_LATER, 1, 1, true},
        {"depth: shallow", PLOY_BOARD_REPLACE_DEPTH, 5, 3, false},
        {"depth: as deep", PLOY_BOARD_REPLACE_DEPTH, 6, 0, true},
        {"aged: shallow, same move", PLOY_BOARD_REPLACE_AGED, 1, 0, false},
        {"aged: shallow, next move", PLOY_BOARD_REPLACE_AGED, 1, 1, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        for (int32_t second = 0; second < 2; second++) {
            ploy_board_table_def def = ploy_board_table_def_default();
            def.layout = PLOY_BOARD_LAYOUT_DIRECT;
            def.policy = rows[i].policy;
            def.second = second == 1;
            def.shadow = true;
            def.kilobytes = 1;
            ploy_board_table *table = make(t, &def);
            uint64_t a = UINT64_C(1) << 50, b = UINT64_C(1) << 51;
            ploy_board_table_store(table, a, 6, 0, 0, 1);
            for (int32_t k = 0; k < rows[i].moves; k++) ploy_board_table_advance(table);
            ploy_board_table_store(table, b, rows[i].depth, 0, 0, 1);
            bool has_a = ploy_board_table_find(table, a) != NULL;
            bool has_b = ploy_board_table_find(table, b) != NULL;
            CHECK(has_b == (rows[i].second_stays || second == 1));
            CHECK(has_a == !rows[i].second_stays);
            CHECK_INT(ploy_board_table_statistics_of(table).lost, !has_a + !has_b);
            ploy_board_table_destroy(table);
        }
    }
}

TEST(a_table_is_saved_and_loaded) {
    for (int32_t layout = 0; layout < 3; layout++) {
        TEST_SEED(layout);
        ploy_board_table_def def = ploy_board_table_def_default();
        def.layout = (ploy_board_layout)layout;
        def.kilobytes = 2;
        def.second = layout == 1;
        ploy_board_table *table = make(t, &def), *other = make(t, &def);
        for (int32_t i = 0; i < 30; i++) {
            ploy_board_table_store(table, ploy_board_key(3, i), i % 5, -i, i, 1);
            if (i % 10 == 9) ploy_board_table_advance(table);
        }
        static const char *const skip[] = {"entries", "heads", "filled", NULL};
        state_check s = {ploy_board_table_visit, table, NULL, skip, NULL};
        state_check_all(t, &s);
        state_check_copy(t, &s, other);
        ploy_board_table_destroy(table);
        ploy_board_table_destroy(other);
    }
}
