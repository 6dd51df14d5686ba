#include "tests/test.h"

#include "ploy/base/api.h"

typedef struct assert_seen {
    int calls;
    const char *condition;
    const char *file;
    int32_t line;
} assert_seen;

static void remember_assert(void *user, const char *condition, const char *file, int32_t line) {
    assert_seen *seen = user;
    seen->calls++;
    seen->condition = condition;
    seen->file = file;
    seen->line = line;
}

TEST(a_broken_invariant_reaches_the_handler) {
    assert_seen seen = {0, NULL, NULL, 0};
    ploy_set_assert_handler(remember_assert, &seen);
    ploy_assert_failed("left <= right", "heap.c", 12);
    ploy_set_assert_handler(NULL, NULL);
    CHECK_INT(seen.calls, 1);
    CHECK_TEXT(seen.condition, "left <= right");
    CHECK_TEXT(seen.file, "heap.c");
    CHECK_INT(seen.line, 12);
}

TEST(assert_speaks_in_debug_builds_only) {
    assert_seen seen = {0, NULL, NULL, 0};
    int one = 1;
    ploy_set_assert_handler(remember_assert, &seen);
    PLOY_ASSERT(one == 1);
    int after_true = seen.calls;
    PLOY_ASSERT(one == 2);
    ploy_set_assert_handler(NULL, NULL);
    CHECK_INT(after_true, 0);
    CHECK_INT(seen.calls, PLOY_DEBUG_CHECKS ? 1 : 0);
    if (PLOY_DEBUG_CHECKS) CHECK_TEXT(seen.condition, "one == 2");
}

TEST(assert_evaluates_nothing_in_release_builds) {
    int count = 0;
    PLOY_ASSERT(++count > 0);
    CHECK_INT(count, PLOY_DEBUG_CHECKS ? 1 : 0);
}

TEST(capacities_shrink_only_in_the_build_for_it) {
#ifdef PLOY_SMALL_CAPACITIES
    CHECK_INT(PLOY_CAPACITY(256), 2);
#else
    CHECK_INT(PLOY_CAPACITY(256), 256);
#endif
}
