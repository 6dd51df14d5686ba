#include "base/base_internal.h"
#include "tests/test.h"

#include "ploy/base/alloc.h"
#include "ploy/base/arena.h"
#include "ploy/base/map.h"

TEST(the_counting_allocator_follows_what_is_live) {
    for (int check = 0; check < 2; check++) {
        ploy_counting_allocator counting;
        ploy_counting_allocator_init(&counting, NULL, check == 1);
        ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
        char *a = ploy_env_alloc(&env, 100), *b = ploy_env_alloc(&env, 50);
        CHECK_UINT((uintptr_t)a % PLOY_ALIGNMENT, 0);
        memset(a, 'a', 100);
        memset(b, 'b', 50);
        CHECK_INT(counting.live_bytes, 150);
        CHECK_INT(counting.live_blocks, 2);
        CHECK_INT(counting.allocations, 2);
        a = ploy_env_resize(&env, a, 100, 300);
        CHECK(a[0] == 'a' && a[99] == 'a');
        CHECK_INT(counting.live_bytes, 350);
        CHECK_INT(counting.live_blocks, 2);
        CHECK_INT(counting.allocations, 3);
        CHECK_INT(counting.peak_bytes, 350);
        ploy_env_free(&env, b, 50);
        a = ploy_env_resize(&env, a, 300, 10);
        CHECK_INT(counting.live_bytes, 10);
        CHECK_INT(counting.live_blocks, 1);
        CHECK_INT(counting.frees, 1);
        CHECK_INT(counting.peak_bytes, 350);
        CHECK_INT(counting.peak_blocks, 2);
        CHECK(!ploy_counting_allocator_fini(&counting)); // something is held
        ploy_env_free(&env, a, 10);
        CHECK(ploy_counting_allocator_fini(&counting));
        CHECK_INT(counting.frees, 2);
        CHECK_INT(counting.failures, 0);
        CHECK_INT(counting.wrong_sizes, 0);
        // Freeing nothing is no call.
        ploy_allocator allocator = ploy_counting_allocator_get(&counting);
        CHECK(allocator.resize(allocator.user, NULL, 0, 0) == NULL);
        CHECK_INT(counting.frees, 2);
    }
}

TEST(wrong_sizes_are_noticed_when_asked_for) {
    ploy_counting_allocator counting;
    ploy_counting_allocator_init(&counting, NULL, true);
    ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
    void *a = ploy_env_alloc(&env, 100);
    ploy_env_free(&env, a, 99);
    CHECK_INT(counting.wrong_sizes, 1);
    CHECK_INT(counting.live_bytes, 0); // the sums stay right
    CHECK(!ploy_counting_allocator_fini(&counting));
    a = ploy_env_alloc(&env, 100);
    a = ploy_env_resize(&env, a, 101, 200);
    CHECK_INT(counting.wrong_sizes, 2);
    ploy_env_free(&env, a, 200);
    CHECK_INT(counting.wrong_sizes, 2);
    CHECK_INT(counting.live_bytes, 0);
}

TEST(failed_allocations_are_counted_and_change_nothing) {
    ploy_failing_allocator failing;
    ploy_failing_allocator_init(&failing, NULL, 2, true);
    ploy_allocator inner = ploy_failing_allocator_get(&failing);
    for (int check = 0; check < 2; check++) {
        failing.allocations = 0;
        ploy_counting_allocator counting;
        ploy_counting_allocator_init(&counting, &inner, check == 1);
        ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
        char *a = ploy_env_alloc(&env, 8);
        memcpy(a, "1234567", 8);
        CHECK(ploy_env_alloc(&env, 8) == NULL);
        CHECK(ploy_env_resize(&env, a, 8, 1000) == NULL);
        CHECK_TEXT(a, "1234567");
        CHECK_INT(counting.live_bytes, 8);
        CHECK_INT(counting.failures, 2);
        CHECK_INT(counting.allocations, 3);
        ploy_env_free(&env, a, 8);
        CHECK(ploy_counting_allocator_fini(&counting));
    }
    ploy_counting_allocator counting;
    ploy_counting_allocator_init(&counting, NULL, true);
    ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
    CHECK(ploy_env_alloc(&env, SIZE_MAX) == NULL); // no room for the size before it
    CHECK_INT(counting.failures, 1);
}

TEST(the_failing_allocator_fails_the_nth_once_or_from_then_on) {
    static const struct {
        const char *row;
        int64_t fail_at;
        bool from_then_on;
        const char *want; // of five allocations
    } rows[] = {
        {"never", 0, false, "....."},       {"never either", -3, true, "....."},
        {"the first", 1, false, "x...."},   {"the third", 3, false, "..x.."},
        {"the third on", 3, true, "..xxx"}, {"later than that", 9, true, "....."},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_failing_allocator failing;
        ploy_failing_allocator_init(&failing, NULL, rows[i].fail_at, rows[i].from_then_on);
        ploy_env env = ploy_env_with_allocator(ploy_failing_allocator_get(&failing));
        char got[6] = "";
        for (int j = 0; j < 5; j++) {
            void *ptr = ploy_env_alloc(&env, 8);
            got[j] = ptr == NULL ? 'x' : '.';
            ploy_env_free(&env, ptr, 8); // works even while allocations fail
        }
        CHECK_TEXT(got, rows[i].want);
        CHECK_INT(failing.allocations, 5);
        int64_t failures = 0;
        for (int j = 0; j < 5; j++) failures += rows[i].want[j] == 'x' ? 1 : 0;
        CHECK_INT(failing.failures, failures);
    }
}

TEST(both_together_test_code_as_users_would) {
    // The loop of the header's example: every allocation of a map fails once.
    int64_t n = 1;
    for (;; n++) {
        ploy_counting_allocator counting;
        ploy_counting_allocator_init(&counting, NULL, true);
        ploy_allocator inner = ploy_counting_allocator_get(&counting);
        ploy_failing_allocator failing;
        ploy_failing_allocator_init(&failing, &inner, n, false);
        ploy_env env = ploy_env_with_allocator(ploy_failing_allocator_get(&failing));
        ploy_map map;
        ploy_map_init(&map, 8, &env);
        int64_t failed = 0;
        for (uint64_t key = 0; key < 100; key++) {
            failed += ploy_map_put(&map, key, NULL) == PLOY_OK ? 0 : 1;
        }
        CHECK_INT(failed, failing.failures);
        ploy_map_fini(&map);
        CHECK(ploy_counting_allocator_fini(&counting));
        if (failing.allocations < n) break;
    }
    CHECK(n > 1);
}

TEST(the_memory_report_is_a_table) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_memory_report report;
    ploy_memory_report_init(&report, &writer);
    ployi_memory_report_section(&report, "engine");
    ploy_memory_item items[] = {{"arena", 4160, 2},
                                {"map", 520, 1},
                                {"one", 1, 0},
                                {"a name longer than its column is", 1234567890, 3}};
    for (size_t i = 0; i < 3; i++) ploy_memory_report_add(&report, &items[i]);
    CHECK_OK(ploy_memory_report_fini(&report));
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "engine\n"
               "  arena                         4160 bytes      2 blocks\n"
               "  map                            520 bytes      1 block\n"
               "  one                              1 byte       0 blocks\n"
               "total                           4681 bytes      3 blocks\n");
    ploy_buffer_clear(&buffer);
    ploy_memory_report_add(&report, &items[3]);
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "  a name longer than its column is 1234567890 bytes      3 blocks\n");
    CHECK_UINT(report.bytes, 4681 + 1234567890u);
    CHECK_INT(report.blocks, 6);
    ploy_buffer_fini(&buffer);
}

static ploy_result refuse(void *user, const void *bytes, size_t size) {
    (void)user;
    (void)bytes;
    (void)size;
    return PLOY_ERR_DENIED;
}

TEST(the_memory_report_tells_when_writing_failed) {
    ploy_writer writer = ploy_writer_make(refuse, NULL);
    ploy_memory_report report;
    ploy_memory_report_init(&report, &writer);
    CHECK_INT(ploy_memory_report_fini(&report), PLOY_ERR_DENIED);
}

TEST(the_memory_report_takes_objects_as_they_are) {
    ploy_counting_allocator counting;
    ploy_counting_allocator_init(&counting, NULL, true);
    ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(1000, 0, &env, &arena));
    ploy_map map;
    ploy_map_init(&map, 8, &env);
    CHECK_OK(ploy_map_put(&map, 1, NULL));
    ploy_env plain = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &plain);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_memory_report report;
    ploy_memory_report_init(&report, &writer);
    ploy_arena_memory(arena, ploy_memory_report_add, &report);
    ploy_map_memory(&map, ploy_memory_report_add, &report);
    CHECK_OK(ploy_memory_report_fini(&report));
    CHECK_UINT(report.bytes, (uint64_t)counting.live_bytes);
    CHECK_INT(report.blocks, counting.live_blocks);
    ploy_buffer_fini(&buffer);
    ploy_map_fini(&map);
    ploy_arena_destroy(arena);
    CHECK(ploy_counting_allocator_fini(&counting));
}
