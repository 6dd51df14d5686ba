#include "base/base_internal.h"
#include "tests/test.h"

#include <stdlib.h>

#include "ploy/base/arena.h"
#include "ploy/base/rng.h"

TEST(memory_is_aligned_and_does_not_overlap) {
    ploy_env env = ploy_env_default();
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
    unsigned char *blocks[200];
    for (int i = 0; i < 200; i++) {
        blocks[i] = ploy_arena_alloc(arena, (size_t)i);
        CHECK(blocks[i] != NULL); // size 0 too
        CHECK_UINT((uintptr_t)blocks[i] % PLOY_ALIGNMENT, 0);
        memset(blocks[i], i, (size_t)i);
    }
    for (int i = 0; i < 200; i++) {
        for (int j = 0; j < i; j++) CHECK_INT(blocks[i][j], i);
    }
    ploy_arena_destroy(arena);
    ploy_arena_destroy(NULL);
}

TEST(arrays_are_zero_and_their_size_cannot_overflow) {
    ploy_env env = ploy_env_default();
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(256, 0, &env, &arena));
    for (int round = 0; round < 3; round++) {
        unsigned char *bytes = ploy_arena_alloc_array(arena, 50, 4);
        for (int i = 0; i < 200; i++) CHECK_INT(bytes[i], 0);
        memset(bytes, 0xff, 200);
        ploy_arena_reset(arena);
    }
    CHECK(ploy_arena_alloc_array(arena, -1, 4) == NULL);
    CHECK(ploy_arena_alloc_array(arena, INT64_MAX, 4) == NULL);
    CHECK(ploy_arena_alloc_array(arena, 0, 4) != NULL);
    CHECK(ploy_arena_alloc(arena, SIZE_MAX) == NULL);
    CHECK(ploy_arena_alloc(arena, SIZE_MAX - 64) == NULL);
    ploy_arena_destroy(arena);
}

// One frame of scratch work; what it asks for never changes.
static bool frame(ploy_arena *arena) {
    for (int i = 0; i < 100; i++) {
        if (ploy_arena_alloc(arena, (size_t)(100 + i * 13)) == NULL) return false;
    }
    return true;
}

TEST(a_warmed_up_frame_allocates_nothing) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
    CHECK_INT(counts.calls, 1); // the arena itself; blocks wait until they are asked for
    CHECK(frame(arena));
    size_t used = ploy_arena_used(arena);
    CHECK(used >= 100 * 100 + 13 * 4950);
    ploy_arena_reset(arena);
    CHECK_INT(counts.blocks, 2); // joined
    CHECK_UINT(ploy_arena_used(arena), 0);
    int64_t calls = counts.calls;
    for (int i = 0; i < 10; i++) {
        CHECK(frame(arena));
        CHECK_UINT(ploy_arena_used(arena), used);
        ploy_arena_reset(arena);
    }
    CHECK_INT(counts.calls, calls);
    CHECK_UINT(ployi_arena_peak(arena), used);
    ploy_arena_destroy(arena);
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(counts.bytes, 0);
}

TEST(the_first_block_is_taken_at_create) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(10000, 0, &env, &arena));
    int64_t calls = counts.calls;
    CHECK_INT(calls, 2);
    CHECK(ploy_arena_alloc(arena, 4992) != NULL);
    CHECK(ploy_arena_alloc(arena, 4992) != NULL);
    CHECK_INT(counts.calls, calls);
    ploy_arena_destroy(arena);
}

TEST(the_limit_holds) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_arena *arena = NULL;
    CHECK_INT(ploy_arena_create(1001, 1000, &env, &arena), PLOY_ERR_ARGUMENT);
    CHECK(arena == NULL);
    CHECK_INT(ploy_arena_create(0, 0, &env, NULL), PLOY_ERR_ARGUMENT);
    static const size_t limits[] = {1, 15, 16, 17, 100, 1000, 65536, 70001};
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        TEST_SEED(limits[i]);
        for (int first = 0; first < 2; first++) {
            CHECK_OK(ploy_arena_create(first ? limits[i] : 0, limits[i], &env, &arena));
            size_t got = 0;
            while (ploy_arena_alloc(arena, 16) != NULL) got += 16;
            CHECK_UINT(got, limits[i] / 16 * 16); // all of it, and no more
            CHECK(ploy_arena_alloc(arena, 1) == NULL);
            CHECK_UINT(ploy_arena_used(arena), got);
            ploy_arena_reset(arena);
            CHECK(ploy_arena_alloc(arena, limits[i] + 16) == NULL);
            // Joined, the whole limit can be one piece.
            if (got != 0) CHECK(ploy_arena_alloc(arena, got) != NULL);
            ploy_arena_destroy(arena);
        }
    }
    CHECK_INT(counts.blocks, 0);
}

TEST(rewinding_gives_back_what_came_after_the_mark) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
    ploy_arena_mark start = ploy_arena_mark_of(arena);
    ploy_arena_rewind(arena, start); // nothing was handed out yet
    unsigned char *kept = ploy_arena_alloc(arena, 100);
    memset(kept, 9, 100);
    ploy_arena_mark mark = ploy_arena_mark_of(arena);
    size_t used = ploy_arena_used(arena);
    unsigned char *first = ploy_arena_alloc(arena, 50);
    for (int i = 0; i < 100; i++) CHECK(ploy_arena_alloc(arena, 1000) != NULL);
    int64_t calls = counts.calls;
    for (int round = 0; round < 5; round++) {
        ploy_arena_rewind(arena, mark);
        CHECK_UINT(ploy_arena_used(arena), used);
        CHECK(ploy_arena_alloc(arena, 50) == first);
        for (int i = 0; i < 100; i++) CHECK(ploy_arena_alloc(arena, 1000) != NULL);
        CHECK_INT(counts.calls, calls); // the blocks were kept
    }
    for (int i = 0; i < 100; i++) CHECK_INT(kept[i], 9);
    ploy_arena_rewind(arena, start);
    CHECK_UINT(ploy_arena_used(arena), 0);
    ploy_arena_destroy(arena);
}

#if PLOY_DEBUG_CHECKS
TEST(debug_builds_spoil_what_is_given_back) {
    ploy_env env = ploy_env_default();
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(1024, 0, &env, &arena));
    unsigned char *kept = ploy_arena_alloc(arena, 16);
    ploy_arena_mark mark = ploy_arena_mark_of(arena);
    unsigned char *stale = ploy_arena_alloc(arena, 16);
    memset(kept, 1, 16);
    memset(stale, 1, 16);
    ploy_arena_rewind(arena, mark);
    CHECK_INT(kept[0], 1);
    CHECK(stale[0] != 1 && stale[15] != 1);
    ploy_arena_reset(arena);
    CHECK(kept[0] != 1);
    ploy_arena_destroy(arena);
}
#endif

// Random allocations, marks, rewinds and resets against a stack of what must be there.
TEST(an_arena_behaves_as_a_stack_of_blocks) {
    enum { MAX = 200 };
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(100); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_env env = ploy_env_default();
        ploy_arena *arena = NULL;
        CHECK_OK(ploy_arena_create((size_t)ploy_rng_int(&rng, 0, 300), 0, &env, &arena));
        struct {
            unsigned char *bytes;
            size_t size;
        } blocks[MAX];
        struct {
            ploy_arena_mark mark;
            int count;
            size_t used;
        } marks[MAX];
        int count = 0, mark_count = 0;
        size_t used = 0, peak = 0;
        for (int step = 0; step < 300; step++) {
            int action = ploy_rng_int(&rng, 0, 99);
            if (action < 70 && count < MAX) {
                size_t size = (size_t)ploy_rng_int(&rng, 0, action < 5 ? 9000 : 200);
                blocks[count].bytes = ploy_arena_alloc(arena, size);
                blocks[count].size = size;
                CHECK(blocks[count].bytes != NULL);
                memset(blocks[count].bytes, count, size);
                used += size == 0 ? 16 : (size + 15) / 16 * 16;
                if (used > peak) peak = used;
                count++;
            } else if (action < 85 && mark_count < MAX) {
                marks[mark_count].mark = ploy_arena_mark_of(arena);
                marks[mark_count].count = count;
                marks[mark_count].used = used;
                mark_count++;
            } else if (action < 97 && mark_count > 0) {
                mark_count = ploy_rng_int(&rng, 0, mark_count - 1);
                ploy_arena_rewind(arena, marks[mark_count].mark);
                count = marks[mark_count].count;
                used = marks[mark_count].used;
            } else if (action >= 97) {
                ploy_arena_reset(arena);
                count = mark_count = 0;
                used = 0;
            }
            CHECK_UINT(ploy_arena_used(arena), used);
            CHECK_UINT(ployi_arena_peak(arena), peak);
            for (int i = 0; i < count; i++) {
                if (blocks[i].size == 0) continue;
                CHECK_INT(blocks[i].bytes[0], i);
                CHECK_INT(blocks[i].bytes[blocks[i].size - 1], i);
            }
        }
        ploy_arena_destroy(arena);
    }
}

static ploy_result use_arena(const ploy_env *env, void *arg) {
    ploy_arena *arena = NULL;
    ploy_result result = ploy_arena_create(*(size_t *)arg, 0, env, &arena);
    if (result != PLOY_OK) return arena == NULL ? result : PLOY_ERR_STATE;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20; i++) {
            size_t used = ploy_arena_used(arena);
            if (ploy_arena_alloc(arena, 3000) != NULL) continue;
            result = ploy_arena_used(arena) == used ? PLOY_ERR_MEMORY : PLOY_ERR_STATE;
        }
        ploy_arena_reset(arena); // must leave a usable arena whatever fails
    }
    ploy_arena_destroy(arena);
    return result;
}

TEST(an_arena_survives_every_failing_allocation) {
    size_t sizes[] = {0, 1000};
    CHECK_FAIL_NTH(use_arena, &sizes[0]);
    CHECK_FAIL_NTH(use_arena, &sizes[1]);
}

static void sum_items(void *user, const ploy_memory_item *item) {
    int64_t *sums = user;
    sums[0] += (int64_t)item->bytes;
    sums[1] += item->blocks;
}

TEST(the_memory_report_of_an_arena_adds_up) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
    for (int i = 0; i < 50; i++) {
        CHECK(ploy_arena_alloc(arena, 1000) != NULL);
        int64_t sums[2] = {0, 0};
        ploy_arena_memory(arena, sum_items, sums);
        CHECK_INT(sums[0], counts.bytes);
        CHECK_INT(sums[1], counts.blocks);
    }
    ploy_arena_destroy(arena);
}
