#include "tests/test.h"

#include "ploy/base/env.h"
#include "ploy/base/id.h"

TEST(the_default_env_allocates_and_says_nothing) {
    ploy_env env = ploy_env_default();
    unsigned char *bytes = ploy_env_alloc(&env, 100);
    CHECK(bytes != NULL);
    CHECK_UINT((uintptr_t)bytes % PLOY_ALIGNMENT, 0);
    memset(bytes, 7, 100);
    bytes = ploy_env_resize(&env, bytes, 100, 5000);
    CHECK(bytes != NULL);
    for (int i = 0; i < 100; i++) CHECK_INT(bytes[i], 7);
    ploy_env_free(&env, bytes, 5000);
#ifdef NDEBUG
    CHECK(env.log == NULL);
#else
    CHECK(env.log == ploy_log_stderr); // debug builds report on standard error
#endif
    CHECK(env.zone_begin == NULL && env.zone_end == NULL && env.clock == NULL);
    ploy_log_stderr(NULL, PLOY_SEVERITY_WARNING, "a test of the log");
    ploy_log_stderr(NULL, PLOY_SEVERITY_INFO, "not printed");
    env.log = NULL;
    ploy_env_log(&env, PLOY_SEVERITY_ERROR, "dropped");
    ploy_env_zone_begin(&env, "zone");
    ploy_env_zone_end(&env, "zone");
}

TEST(large_blocks_keep_their_bytes_when_they_grow_and_shrink) {
    static const size_t sizes[] = {2097151, 2097152, 2097153, 5000000, 100, 4194304};
    ploy_env env = ploy_env_default();
    for (size_t first = 0; first < COUNT_OF(sizes); first++) {
        size_t size = sizes[first];
        unsigned char *bytes = ploy_env_alloc(&env, size);
        CHECK(bytes != NULL);
        CHECK_UINT((uintptr_t)bytes % PLOY_ALIGNMENT, 0);
        for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(i * 7 >> 3);
        for (size_t next = 0; next < COUNT_OF(sizes); next++) {
            size_t kept = size < sizes[next] ? size : sizes[next];
            bytes = ploy_env_resize(&env, bytes, size, sizes[next]);
            CHECK(bytes != NULL);
            size = sizes[next];
            size_t wrong = 0;
            for (size_t i = 0; i < kept; i++) wrong += bytes[i] != (unsigned char)(i * 7 >> 3);
            CHECK_UINT(wrong, 0);
            for (size_t i = kept; i < size; i++) bytes[i] = (unsigned char)(i * 7 >> 3);
        }
        ploy_env_free(&env, bytes, size);
    }
}

TEST(zeroed_memory_is_zero_even_when_used_before) {
    ploy_env env = ploy_env_default();
    for (int round = 0; round < 4; round++) {
        unsigned char *bytes = ploy_env_alloc_zero(&env, 333);
        CHECK(bytes != NULL);
        for (int i = 0; i < 333; i++) CHECK_INT(bytes[i], 0);
        memset(bytes, 0xff, 333);
        ploy_env_free(&env, bytes, 333);
    }
}

TEST(nothing_asked_for_is_nothing_given) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    CHECK(ploy_env_alloc(&env, 0) == NULL);
    CHECK(ploy_env_alloc_zero(&env, 0) == NULL);
    CHECK_INT(counts.calls, 0);
    ploy_env_free(&env, NULL, 0);
    void *bytes = ploy_env_alloc(&env, 10);
    CHECK(ploy_env_resize(&env, bytes, 10, 0) == NULL); // frees
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(counts.bytes, 0);
}

// An allocator that has nothing left to give.
static void *give_nothing(void *user, void *ptr, size_t old_size, size_t new_size) {
    (void)ptr;
    (void)old_size;
    (void)new_size;
    ++*(int *)user;
    return NULL;
}

TEST(a_refused_allocation_is_null_and_leaves_the_block) {
    int calls = 0;
    ploy_env env = ploy_env_with_allocator((ploy_allocator){give_nothing, &calls});
    char block[8] = "1234567";
    CHECK(ploy_env_alloc(&env, 8) == NULL);
    CHECK(ploy_env_alloc_zero(&env, 8) == NULL);
    CHECK(ploy_env_resize(&env, block, 8, 16) == NULL);
    CHECK_TEXT(block, "1234567");
    CHECK_INT(calls, 3);
}

typedef struct heard {
    int logs;
    ploy_severity severity;
    char text[64];
    char zones[64];
    uint64_t clock;
} heard;

static void hear_log(void *user, ploy_severity severity, const char *text) {
    heard *h = user;
    h->logs++;
    h->severity = severity;
    snprintf(h->text, sizeof h->text, "%s", text);
}

static uint64_t hear_clock(void *user) {
    return ++((heard *)user)->clock;
}

static void hear_begin(void *user, const char *name) {
    heard *h = user;
    size_t length = strlen(h->zones);
    snprintf(h->zones + length, sizeof h->zones - length, "<%s", name);
}

static void hear_end(void *user, const char *name) {
    heard *h = user;
    size_t length = strlen(h->zones);
    snprintf(h->zones + length, sizeof h->zones - length, "%s>", name);
}

TEST(callbacks_of_the_env_are_called_with_their_user) {
    heard h;
    memset(&h, 0, sizeof h);
    ploy_env env = ploy_env_default();
    env.log = hear_log;
    env.log_user = &h;
    env.clock = hear_clock;
    env.clock_user = &h;
    env.zone_begin = hear_begin;
    env.zone_end = hear_end;
    env.zone_user = &h;
    ploy_env_log(&env, PLOY_SEVERITY_WARNING, "mind the gap");
    CHECK_INT(h.logs, 1);
    CHECK_INT(h.severity, PLOY_SEVERITY_WARNING);
    CHECK_TEXT(h.text, "mind the gap");
    CHECK_UINT(ploy_env_clock(&env), 1);
    CHECK_UINT(ploy_env_clock(&env), 2);
    ploy_env_zone_begin(&env, "step");
    ploy_env_zone_begin(&env, "think");
    ploy_env_zone_end(&env, "think");
    ploy_env_zone_end(&env, "step");
    CHECK_TEXT(h.zones, "<step<thinkthink>step>");
}

TEST(without_an_env_messages_and_zones_are_dropped_and_the_clock_is_the_systems) {
    ploy_env_log(NULL, PLOY_SEVERITY_INFO, "dropped");
    ploy_env_zone_begin(NULL, "zone");
    ploy_env_zone_end(NULL, "zone");
    uint64_t first = ploy_env_clock(NULL), second = ploy_env_clock(NULL);
    CHECK(first > 0 && second >= first);
}

TEST(severities_have_texts) {
    CHECK_TEXT(ploy_severity_text(PLOY_SEVERITY_DEBUG), "debug");
    CHECK_TEXT(ploy_severity_text(PLOY_SEVERITY_INFO), "info");
    CHECK_TEXT(ploy_severity_text(PLOY_SEVERITY_WARNING), "warning");
    CHECK_TEXT(ploy_severity_text(PLOY_SEVERITY_ERROR), "error");
    CHECK_TEXT(ploy_severity_text((ploy_severity)9), "?");
}

TEST(size_of_a_trailing_array_never_overflows) {
    static const struct {
        const char *row;
        size_t base;
        int64_t count;
        size_t size;
        bool ok;
        size_t want;
    } rows[] = {
        {"plain", 16, 3, 8, true, 40},
        {"no items", 16, 0, 8, true, 16},
        {"items of no size", 16, 1000, 0, true, 16},
        {"negative", 16, -1, 8, false, 0},
        {"just fits", SIZE_MAX - 8, 1, 8, true, SIZE_MAX},
        {"one too many", SIZE_MAX - 7, 1, 8, false, 0},
        {"product overflows", 0, INT64_MAX, 16, false, 0},
        {"half of everything, twice", 0, 2, SIZE_MAX / 2, true, SIZE_MAX - 1},
        {"half of everything, three times", 0, 3, SIZE_MAX / 2, false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        size_t got = 77;
        CHECK_INT(ploy_size_add_array(rows[i].base, rows[i].count, rows[i].size, &got), rows[i].ok);
        CHECK_UINT(got, rows[i].ok ? rows[i].want : 77);
    }
}

TEST(ranges_are_judged_without_overflow) {
    static const struct {
        const char *row;
        int32_t first, count, length;
        bool want;
    } rows[] = {
        {"all", 0, 10, 10, true},
        {"nothing at the end", 10, 0, 10, true},
        {"nothing past the end", 11, 0, 10, false},
        {"one past the end", 5, 6, 10, false},
        {"negative first", -1, 2, 10, false},
        {"negative count", 1, -1, 10, false},
        {"negative length", 0, 0, -1, false},
        {"a sum that would overflow", INT32_MAX, INT32_MAX, INT32_MAX, false},
        {"the very largest", 0, INT32_MAX, INT32_MAX, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_range_within(rows[i].first, rows[i].count, rows[i].length), rows[i].want);
    }
}

TEST(nan_is_in_no_range) {
    CHECK(ploy_in_range(1.0f, 1.0f, 2.0f));
    CHECK(ploy_in_range(2.0f, 1.0f, 2.0f));
    CHECK(!ploy_in_range(2.5f, 1.0f, 2.0f));
    CHECK(!ploy_in_range(0.5f, 1.0f, 2.0f));
    CHECK(!ploy_in_range(NAN, 1.0f, 2.0f));
    CHECK(!ploy_in_range(NAN, -INFINITY, INFINITY));
    CHECK(ploy_in_range(INFINITY, 0.0f, INFINITY));
}

TEST(ids_compare_and_turn_into_numbers_and_back) {
    ploy_id none = ploy_id_none(), id = ploy_id_make(7, 3);
    CHECK(ploy_id_is_none(none));
    CHECK(!ploy_id_is_none(id));
    CHECK(!ploy_id_is_none(ploy_id_make(0, 1))); // the first of all is somebody
    CHECK_UINT(ploy_id_to_u64(none), 0);
    CHECK_UINT(ploy_id_to_u64(id), 0x0000000300000007u);
    CHECK(ploy_id_equal(ploy_id_from_u64(ploy_id_to_u64(id)), id));
    CHECK(!ploy_id_equal(id, ploy_id_make(7, 4)));
    CHECK(!ploy_id_equal(id, ploy_id_make(6, 3)));
    CHECK(ploy_id_is_none(ploy_agent_id_none().id));
    CHECK(ploy_id_equal(ploy_agent_id_make(7, 3).id, id));
}
