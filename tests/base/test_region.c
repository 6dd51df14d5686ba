#include "base/base_internal.h"
#include "tests/test.h"

#include <stdlib.h>

#include "ploy/base/region.h"
#include "ploy/base/rng.h"

TEST(create_refuses_capacities_out_of_range) {
    static const struct {
        const char *row;
        uint64_t capacity;
        ploy_result want;
    } rows[] = {
        {"nothing", 0, PLOY_ERR_ARGUMENT},
        {"too small for the bookkeeping", 4096, PLOY_ERR_ARGUMENT},
        {"one below the smallest", PLOY_REGION_MIN - 1, PLOY_ERR_ARGUMENT},
        {"the smallest", PLOY_REGION_MIN, PLOY_OK},
        {"no multiple of the page", 100001, PLOY_OK},
        {"16 MiB", 1 << 24, PLOY_OK},
        {"one above the largest", PLOY_REGION_MAX + 1, PLOY_ERR_ARGUMENT},
        {"everything", SIZE_MAX, PLOY_ERR_ARGUMENT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_region *region = (ploy_region *)&env;
        CHECK_INT(ploy_region_create((size_t)rows[i].capacity, &env, &region), rows[i].want);
        CHECK_INT(region != NULL, rows[i].want == PLOY_OK);
        if (region != NULL) CHECK(ployi_region_valid(region));
        ploy_region_destroy(region);
    }
    CHECK_INT(ploy_region_create(PLOY_REGION_MIN, &env, NULL), PLOY_ERR_ARGUMENT);
}

static void drop_log(void *user, ploy_severity severity, const char *text) {
    (void)user;
    (void)severity;
    (void)text;
}

TEST(the_env_of_a_region_allocates_inside_and_keeps_the_rest) {
    int user = 0;
    ploy_env env = ploy_env_default();
    env.log = drop_log;
    env.log_user = &user;
    env.user = &user;
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create(1 << 20, &env, &region));
    ploy_env inside = ploy_region_env(region);
    CHECK(inside.log == drop_log && inside.log_user == &user && inside.user == &user);
    size_t size = 0;
    const unsigned char *base = ployi_region_bytes(region, &size);
    int64_t blocks = -1;
    CHECK_UINT(ployi_region_allocated(region, &blocks), 0);
    CHECK_INT(blocks, 0);
    unsigned char *ptr = ploy_env_alloc(&inside, 1000);
    CHECK(ptr > base && ptr + 1000 <= base + (1 << 20));
    CHECK_UINT((uintptr_t)ptr % PLOY_ALIGNMENT, 0);
    CHECK_UINT(ployi_region_allocated(region, &blocks), 1000);
    CHECK_INT(blocks, 1);
    size_t grown = 0;
    ployi_region_bytes(region, &grown);
    CHECK(grown >= size + 1000 && ptr + 1000 <= base + grown);
    ploy_env_free(&inside, ptr, 1000);
    CHECK_UINT(ployi_region_allocated(region, &blocks), 0);
    CHECK_INT(blocks, 0);
    CHECK(ployi_region_valid(region));
    ploy_region_destroy(region);
}

typedef struct link {
    struct link *next;
    int64_t value;
} link;

TEST(pointers_and_root_survive_a_rewind) {
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create(1 << 20, &env, &region));
    CHECK(ploy_region_root(region) == NULL);
    ploy_env inside = ploy_region_env(region);
    link *first = NULL;
    for (int i = 0; i < 1000; i++) {
        link *l = ploy_env_alloc(&inside, sizeof *l);
        l->next = first;
        l->value = i;
        first = l;
    }
    ploy_region_set_root(region, first);
    ploy_snapshot *snapshot = NULL;
    CHECK_OK(ploy_region_snapshot(region, &snapshot));
    // Ruin everything.
    for (link *l = first; l != NULL;) {
        link *next = l->next;
        if (l->value % 3 == 0) {
            ploy_env_free(&inside, l, sizeof *l);
        } else {
            l->next = NULL;
            l->value = -1;
        }
        l = next;
    }
    ploy_region_set_root(region, NULL);
    CHECK_OK(ploy_region_restore(region, snapshot));
    CHECK(ploy_region_root(region) == first);
    int64_t want = 1000;
    for (const link *l = ploy_region_root(region); l != NULL; l = l->next) {
        CHECK_INT(l->value, --want);
    }
    CHECK_INT(want, 0);
    CHECK(ployi_region_valid(region));
    ploy_snapshot_destroy(snapshot);
    ploy_snapshot_destroy(NULL);
    ploy_region_destroy(region);
    ploy_region_destroy(NULL);
}

TEST(snapshots_share_the_pages_that_did_not_change) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create(8 << 20, &env, &region));
    ploy_env inside = ploy_region_env(region);
    size_t size = 0;
    unsigned char *bytes = ploy_env_alloc(&inside, 100 * PLOY_REGION_PAGE);
    for (size_t i = 0; i < 100 * PLOY_REGION_PAGE; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 4096);
    ployi_region_bytes(region, &size);

    ploy_snapshot *a = NULL, *b = NULL, *c = NULL;
    CHECK_OK(ploy_region_snapshot(region, &a));
    CHECK_UINT(ployi_snapshot_size(a), size);
    CHECK_UINT(ployi_snapshot_own_size(a), size);

    int64_t before = counts.bytes;
    CHECK_OK(ploy_region_snapshot(region, &b)); // nothing changed: only the table is new
    CHECK(counts.bytes - before < 2000);
    CHECK_UINT(ployi_snapshot_own_size(a), 0);
    CHECK_UINT(ployi_snapshot_own_size(b), 0);
    CHECK_INT(ployi_snapshot_difference(a, b), -1);

    bytes[50 * PLOY_REGION_PAGE] ^= 1;
    before = counts.bytes;
    CHECK_OK(ploy_region_snapshot(region, &c)); // one page changed
    CHECK(counts.bytes - before < 2000 + PLOY_REGION_PAGE + 64);
    CHECK_UINT(ployi_snapshot_own_size(c), PLOY_REGION_PAGE);
    CHECK_INT(ployi_snapshot_difference(b, c),
              bytes + 50 * PLOY_REGION_PAGE -
                  (const unsigned char *)ployi_region_bytes(region, NULL));
    CHECK_INT(ployi_snapshot_difference(c, b), ployi_snapshot_difference(b, c));

    // The newest goes: the next one shares with the one before it.
    ploy_snapshot_destroy(c);
    bytes[50 * PLOY_REGION_PAGE] ^= 1;
    CHECK_OK(ploy_region_snapshot(region, &c));
    CHECK_UINT(ployi_snapshot_own_size(c), 0);
    // One in the middle goes: the others keep their pages.
    ploy_snapshot_destroy(b);
    CHECK_UINT(ployi_snapshot_own_size(c), 0);
    CHECK_INT(ployi_snapshot_difference(a, c), -1);
    ploy_snapshot_destroy(a);
    CHECK_UINT(ployi_snapshot_own_size(c), size);
    memset(bytes, 0, 100 * PLOY_REGION_PAGE);
    CHECK_OK(ploy_region_restore(region, c));
    for (size_t i = 0; i < 100 * PLOY_REGION_PAGE; i++) {
        if (bytes[i] != (unsigned char)(i * 7 + i / 4096)) CHECK_UINT(i, 0);
    }
    ploy_snapshot_destroy(c);
    ploy_region_destroy(region);
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(counts.bytes, 0);
}

TEST(a_restore_is_exact_when_the_region_grew_or_shrank) {
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create(8 << 20, &env, &region));
    ploy_env inside = ploy_region_env(region);
    size_t small_size, big_size, size;
    unsigned char *small = ploy_env_alloc(&inside, 5000);
    memset(small, 1, 5000);
    ployi_region_bytes(region, &small_size);
    ploy_snapshot *at_small = NULL, *at_big = NULL;
    CHECK_OK(ploy_region_snapshot(region, &at_small));
    unsigned char *big = ploy_env_alloc(&inside, 3 << 20);
    memset(big, 2, 3 << 20);
    ployi_region_bytes(region, &big_size);
    CHECK_OK(ploy_region_snapshot(region, &at_big));

    ploy_env_free(&inside, big, 3 << 20);
    ployi_region_bytes(region, &size);
    CHECK_UINT(size, small_size); // a large free tail leaves the used part
    CHECK(ployi_region_valid(region));
    CHECK_OK(ploy_region_restore(region, at_big)); // larger than now
    ployi_region_bytes(region, &size);
    CHECK_UINT(size, big_size);
    for (size_t i = 0; i < 3 << 20; i += 997) CHECK_INT(big[i], 2);
    CHECK(ployi_region_valid(region));
    CHECK_OK(ploy_region_restore(region, at_small)); // smaller than now
    ployi_region_bytes(region, &size);
    CHECK_UINT(size, small_size);
    CHECK(ployi_region_valid(region)); // checks that everything past the end is zero
    CHECK(ployi_snapshot_difference(at_small, at_big) >= 0);
    unsigned char *again = ploy_env_alloc(&inside, 3 << 20);
    CHECK(again == big);
    for (size_t i = 0; i < 3 << 20; i += 97) CHECK_INT(again[i], 0);
    ploy_snapshot_destroy(at_small);
    ploy_snapshot_destroy(at_big);
    ploy_region_destroy(region);
}

TEST(a_snapshot_of_another_region_is_refused) {
    ploy_env env = ploy_env_default();
    ploy_region *a = NULL, *b = NULL;
    CHECK_OK(ploy_region_create(1 << 20, &env, &a));
    CHECK_OK(ploy_region_create(1 << 20, &env, &b));
    ploy_snapshot *snapshot = NULL;
    CHECK_OK(ploy_region_snapshot(a, &snapshot));
    CHECK_INT(ploy_region_restore(b, snapshot), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_region_restore(a, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_region_snapshot(a, NULL), PLOY_ERR_ARGUMENT);
    ploy_snapshot_destroy(snapshot);
    ploy_region_destroy(a);
    ploy_region_destroy(b);
}

TEST(out_of_addresses_is_null_and_changes_nothing) {
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create(1 << 18, &env, &region));
    ploy_env inside = ploy_region_env(region);
    void *blocks[4096];
    int count = 0;
    while ((blocks[count] = ploy_env_alloc(&inside, 1000)) != NULL) count++;
    CHECK(count > 240); // 2^18 / 1024 is 256, less the header
    ploy_snapshot *before = NULL, *after = NULL;
    CHECK_OK(ploy_region_snapshot(region, &before));
    CHECK(ploy_env_alloc(&inside, 1000) == NULL);
    CHECK(ploy_env_alloc(&inside, SIZE_MAX / 4) == NULL);
    CHECK(ploy_env_alloc(&inside, SIZE_MAX) == NULL);
    CHECK(ploy_env_resize(&inside, blocks[3], 1000, 1 << 18) == NULL);
    CHECK(ploy_env_resize(&inside, blocks[count - 1], 1000, SIZE_MAX) == NULL);
    CHECK_OK(ploy_region_snapshot(region, &after));
    CHECK_INT(ployi_snapshot_difference(before, after), -1);
    CHECK(ployi_region_valid(region));
    // What is freed can be had again, whatever its size class.
    for (int i = 0; i < count; i += 2) ploy_env_free(&inside, blocks[i], 1000);
    for (int i = 0; i < count; i += 2) {
        blocks[i] = ploy_env_alloc(&inside, 1000);
        CHECK(blocks[i] != NULL);
    }
    CHECK(ployi_region_valid(region));
    ploy_snapshot_destroy(before);
    ploy_snapshot_destroy(after);
    ploy_region_destroy(region);
}

TEST(a_full_region_finds_a_block_that_only_just_fits) {
    // Two free blocks of one size class, of which only the one freed first is large enough; it is
    // not the first of its list.
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create(1 << 18, &env, &region));
    ploy_env inside = ploy_region_env(region);
    void *large = ploy_env_alloc(&inside, 10200), *wall = ploy_env_alloc(&inside, 16);
    void *less = ploy_env_alloc(&inside, 10000), *wall2 = ploy_env_alloc(&inside, 16);
    CHECK(large != NULL && wall != NULL && less != NULL && wall2 != NULL);
    while (ploy_env_alloc(&inside, 1000) != NULL) {
    }
    while (ploy_env_alloc(&inside, 1) != NULL) {
    }
    ploy_env_free(&inside, large, 10200);
    ploy_env_free(&inside, less, 10000);
    CHECK(ploy_env_alloc(&inside, 10200) == large);
    CHECK(ploy_env_alloc(&inside, 10200) == NULL);
    CHECK(ploy_env_alloc(&inside, 10000) == less);
    CHECK(ployi_region_valid(region));
    ploy_region_destroy(region);
}

TEST(freeing_everything_joins_all_blocks) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(20); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_env env = ploy_env_default();
        ploy_region *region = NULL;
        CHECK_OK(ploy_region_create(1 << 20, &env, &region));
        ploy_env inside = ploy_region_env(region);
        size_t start = 0, before = 0, after = 0;
        ployi_region_bytes(region, &start);
        struct {
            void *ptr;
            size_t size;
        } blocks[100];
        for (int i = 0; i < 100; i++) {
            blocks[i].size = (size_t)ploy_rng_int(&rng, 1, 500);
            blocks[i].ptr = ploy_env_alloc(&inside, blocks[i].size);
        }
        ployi_region_bytes(region, &before);
        ploy_rng_shuffle(&rng, blocks, 100, sizeof blocks[0]);
        for (int i = 0; i < 100; i++) {
            ploy_env_free(&inside, blocks[i].ptr, blocks[i].size);
            CHECK(ployi_region_valid(region));
        }
        // One block of everything fits without growing.
        CHECK(ploy_env_alloc(&inside, before - start - 16) != NULL);
        ployi_region_bytes(region, &after);
        CHECK_UINT(after, before);
        ploy_region_destroy(region);
    }
}

TEST(growing_at_the_end_stays_in_place) {
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create(1 << 20, &env, &region));
    ploy_env inside = ploy_region_env(region);
    unsigned char *ptr = ploy_env_alloc(&inside, 16), *first = ptr;
    for (size_t size = 16; size < 500000; size = size * 5 / 4) {
        memset(ptr, (int)(size % 251), size);
        ptr = ploy_env_resize(&inside, ptr, size, size * 5 / 4);
        CHECK(ptr == first);
        CHECK_INT(ptr[size - 1], (int)(size % 251));
        CHECK(ployi_region_valid(region));
    }
    ploy_region_destroy(region);
}

// ---- random work against a model

// The thread sanitizer makes looking at memory many times slower, and has little to find here.
#if defined(__SANITIZE_THREAD__)
#define SLOW_BUILD 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLOW_BUILD 1
#endif
#endif
#ifndef SLOW_BUILD
#define SLOW_BUILD 0
#endif

enum { BLOCKS = 64, SNAPSHOTS = 6, SEEDS = SLOW_BUILD ? 6 : 40 };

typedef struct model_block {
    unsigned char *ptr;
    size_t size;
    unsigned char fill;
} model_block;

typedef struct model {
    model_block blocks[BLOCKS];
    int count;
    size_t bytes;
} model;

typedef struct model_snapshot {
    ploy_snapshot *snapshot;
    model model;
    unsigned char *copy;
    size_t size;
} model_snapshot;

static size_t random_size(ploy_rng *rng) {
    switch (ploy_rng_int(rng, 0, 9)) {
    case 0: return (size_t)ploy_rng_int(rng, 1, 100000);
    case 1: return (size_t)ploy_rng_int(rng, 1, 9000);
    case 2: return (size_t)16 << ploy_rng_int(rng, 0, 10);
    default: return (size_t)ploy_rng_int(rng, 1, 300);
    }
}

// One random allocation, resize or free; false if the region gave what it should not.
static bool random_step(ploy_rng *rng, const ploy_env *inside, model *m) {
    int action = ploy_rng_int(rng, 0, 99);
    if (m->count == 0 || (action < 45 && m->count < BLOCKS)) {
        model_block *block = &m->blocks[m->count];
        block->size = random_size(rng);
        block->fill = (unsigned char)ploy_rng_u32(rng);
        block->ptr = ploy_env_alloc(inside, block->size);
        if (block->ptr == NULL) return true;
        // The last bytes stay as they are: what a block holds at first must be repeatable too.
        memset(block->ptr, block->fill, block->size / 2 + 1);
        m->count++;
        m->bytes += block->size;
        return true;
    }
    int i = ploy_rng_int(rng, 0, m->count - 1);
    model_block *block = &m->blocks[i];
    if (action < 70) {
        size_t size = random_size(rng);
        unsigned char *moved = ploy_env_resize(inside, block->ptr, block->size, size);
        if (moved == NULL) return true;
        size_t kept = block->size / 2 + 1 < size ? block->size / 2 + 1 : size;
        for (size_t j = 0; j < kept; j++) {
            if (moved[j] != block->fill) return false;
        }
        m->bytes += size - block->size;
        block->ptr = moved;
        block->size = size;
        memset(moved, block->fill, size / 2 + 1);
        return true;
    }
    ploy_env_free(inside, block->ptr, block->size);
    m->bytes -= block->size;
    *block = m->blocks[--m->count];
    return true;
}

static bool model_holds(const model *m, const ploy_region *region) {
    for (int i = 0; i < m->count; i++) {
        const model_block *block = &m->blocks[i];
        for (size_t j = 0; j < block->size / 2 + 1 && j < block->size; j += j < 64 ? 1 : 61) {
            if (block->ptr[j] != block->fill) return false;
        }
    }
    int64_t blocks = 0;
    return ployi_region_allocated(region, &blocks) == m->bytes && blocks == m->count;
}

TEST(random_work_with_snapshots_agrees_with_a_model) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(SEEDS); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_region *region = NULL;
        // Small ones run out of addresses now and then.
        size_t capacity = seed % 2 == 0 ? 200000 : 2 << 20;
        CHECK_OK(ploy_region_create(capacity, &env, &region));
        ploy_env inside = ploy_region_env(region);
        model now = {.count = 0};
        model_snapshot saved[SNAPSHOTS];
        int saved_count = 0;
        for (int step = 0; step < 400; step++) {
            int action = ploy_rng_int(&rng, 0, 99);
            if (action < 88) {
                CHECK(random_step(&rng, &inside, &now));
            } else if (action < 93 && saved_count < SNAPSHOTS) {
                model_snapshot *s = &saved[saved_count++];
                CHECK_OK(ploy_region_snapshot(region, &s->snapshot));
                const void *bytes = ployi_region_bytes(region, &s->size);
                s->copy = malloc(s->size);
                CHECK(s->copy != NULL);
                memcpy(s->copy, bytes, s->size);
                s->model = now;
                CHECK_UINT(ployi_snapshot_size(s->snapshot), s->size);
            } else if (action < 97 && saved_count > 0) {
                const model_snapshot *s = &saved[ploy_rng_int(&rng, 0, saved_count - 1)];
                CHECK_OK(ploy_region_restore(region, s->snapshot));
                size_t size = 0;
                const void *bytes = ployi_region_bytes(region, &size);
                CHECK_UINT(size, s->size);
                if (memcmp(bytes, s->copy, size) != 0) CHECK_BYTES(bytes, s->copy, size);
                now = s->model;
            } else if (saved_count > 0) {
                int i = ploy_rng_int(&rng, 0, saved_count - 1);
                ploy_snapshot_destroy(saved[i].snapshot);
                free(saved[i].copy);
                saved[i] = saved[--saved_count];
            }
            CHECK(ployi_region_valid(region));
            CHECK(model_holds(&now, region));
        }
        for (int i = 0; i < saved_count; i++) {
            ploy_snapshot_destroy(saved[i].snapshot);
            free(saved[i].copy);
        }
        ploy_region_destroy(region);
        CHECK_INT(counts.blocks, 0);
        CHECK_INT(counts.bytes, 0);
    }
}

TEST(the_same_calls_after_a_restore_give_the_same_bytes) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(20); seed++) {
        TEST_SEED(seed);
        ploy_env env = ploy_env_default();
        ploy_region *region = NULL;
        CHECK_OK(ploy_region_create(8 << 20, &env, &region));
        ploy_env inside = ploy_region_env(region);
        ploy_rng rng = ploy_rng_make(seed);
        model m = {.count = 0};
        for (int i = 0; i < 200; i++) CHECK(random_step(&rng, &inside, &m));
        ploy_snapshot *start = NULL, *first = NULL, *second = NULL;
        CHECK_OK(ploy_region_snapshot(region, &start));
        ploy_rng rng_start = rng;
        model m_start = m;
        for (int i = 0; i < 300; i++) CHECK(random_step(&rng, &inside, &m));
        CHECK_OK(ploy_region_snapshot(region, &first));
        CHECK_OK(ploy_region_restore(region, start));
        rng = rng_start;
        m = m_start;
        for (int i = 0; i < 300; i++) CHECK(random_step(&rng, &inside, &m));
        CHECK_OK(ploy_region_snapshot(region, &second));
        CHECK_INT(ployi_snapshot_difference(first, second), -1);
        CHECK_UINT(ployi_snapshot_own_size(second), 0); // and shares every page
        ploy_snapshot_destroy(start);
        ploy_snapshot_destroy(first);
        ploy_snapshot_destroy(second);
        ploy_region_destroy(region);
    }
}

TEST(the_same_calls_in_two_regions_give_the_same_bytes) {
    // Nothing stored here is a pointer, so the bytes do not depend on the addresses.
    ploy_env env = ploy_env_default();
    ploy_region *regions[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        CHECK_OK(ploy_region_create((size_t)(4 + k) << 20, &env, &regions[k]));
        ploy_env inside = ploy_region_env(regions[k]);
        ploy_rng rng = ploy_rng_make(5);
        model m = {.count = 0};
        for (int i = 0; i < 500; i++) CHECK(random_step(&rng, &inside, &m));
    }
    size_t sizes[2];
    const void *a = ployi_region_bytes(regions[0], &sizes[0]);
    const void *b = ployi_region_bytes(regions[1], &sizes[1]);
    CHECK_UINT(sizes[0], sizes[1]);
    CHECK_BYTES(a, b, sizes[0]);
    ploy_region_destroy(regions[0]);
    ploy_region_destroy(regions[1]);
}

TEST(valid_notices_a_block_that_was_written_past) {
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create(1 << 20, &env, &region));
    ploy_env inside = ploy_region_env(region);
    unsigned char *a = ploy_env_alloc(&inside, 32), *b = ploy_env_alloc(&inside, 32);
    unsigned char *c = ploy_env_alloc(&inside, 32);
    CHECK(a != NULL && b != NULL && c != NULL);
    ploy_env_free(&inside, b, 32);
    CHECK(ployi_region_valid(region));
    ploy_snapshot *good = NULL;
    CHECK_OK(ploy_region_snapshot(region, &good));
    // Every byte of the header after a, of the free block's links, and the first past the end.
    for (int i = 32; i < 64; i++) {
        TEST_SEED(i);
        a[i] ^= 0x55;
        CHECK(!ployi_region_valid(region));
        CHECK_OK(ploy_region_restore(region, good));
    }
    c[32] = 1;
    CHECK(!ployi_region_valid(region));
    c[32] = 0;
    CHECK(ployi_region_valid(region));
    ploy_snapshot_destroy(good);
    ploy_region_destroy(region);
}

static ploy_result take_snapshots(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_region *region = NULL;
    ploy_snapshot *snapshots[3] = {NULL, NULL, NULL};
    ploy_result result = ploy_region_create(1 << 20, env, &region);
    if (result != PLOY_OK) return region == NULL ? result : PLOY_ERR_STATE;
    ploy_env inside = ploy_region_env(region);
    for (int i = 0; i < 3; i++) {
        unsigned char *bytes = ploy_env_alloc(&inside, 20000);
        memset(bytes, i + 1, 20000);
        ploy_result taken = ploy_region_snapshot(region, &snapshots[i]);
        if (taken != PLOY_OK) {
            result = snapshots[i] == NULL ? taken : PLOY_ERR_STATE;
        } else if (ploy_region_restore(region, snapshots[i]) != PLOY_OK || bytes[19999] != i + 1) {
            result = PLOY_ERR_STATE;
        }
        if (!ployi_region_valid(region)) result = PLOY_ERR_STATE;
    }
    for (int i = 0; i < 3; i++) ploy_snapshot_destroy(snapshots[i]);
    ploy_region_destroy(region);
    return result;
}

TEST(snapshots_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(take_snapshots, NULL);
}

typedef struct report {
    size_t used, snapshots;
    int64_t snapshot_blocks;
} report;

static void fill_report(void *user, const ploy_memory_item *item) {
    report *r = user;
    if (strcmp(item->name, "region.used") == 0) r->used = item->bytes;
    if (strcmp(item->name, "region.snapshots") == 0) {
        r->snapshots = item->bytes;
        r->snapshot_blocks = item->blocks;
    }
}

TEST(the_memory_report_tells_snapshots_apart) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create(1 << 20, &env, &region));
    int64_t own_bytes = counts.bytes, own_blocks = counts.blocks;
    ploy_env inside = ploy_region_env(region);
    unsigned char *bytes = ploy_env_alloc(&inside, 50000);
    ploy_snapshot *snapshots[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) {
        bytes[20000 * i] = 1;
        CHECK_OK(ploy_region_snapshot(region, &snapshots[i]));
        report r = {0, 0, 0};
        ploy_region_memory(region, fill_report, &r);
        CHECK_UINT(r.used, ployi_snapshot_size(snapshots[i]));
        CHECK_INT(r.snapshots, counts.bytes - own_bytes);
        CHECK_INT(r.snapshot_blocks, counts.blocks - own_blocks);
    }
    for (int i = 0; i < 3; i++) ploy_snapshot_destroy(snapshots[i]);
    report r = {0, 1, 1};
    ploy_region_memory(region, fill_report, &r);
    CHECK_UINT(r.snapshots, 0);
    CHECK_INT(r.snapshot_blocks, 0);
    ploy_region_destroy(region);
}

#if PLOY_DEBUG_CHECKS
static void jump_out(void *user, const char *condition, const char *file, int32_t line) {
    (void)condition;
    (void)file;
    (void)line;
    longjmp(*(jmp_buf *)user, 1);
}

TEST(debug_builds_assert_on_living_snapshots_and_wrong_sizes) {
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create(1 << 20, &env, &region));
    ploy_env inside = ploy_region_env(region);
    void *volatile ptr = ploy_env_alloc(&inside, 100);
    ploy_snapshot *snapshot = NULL;
    CHECK_OK(ploy_region_snapshot(region, &snapshot));
    jmp_buf jump;
    volatile int asserted = 0;
    ploy_set_assert_handler(jump_out, &jump);
    if (setjmp(jump) == 0) {
        ploy_region_destroy(region);
    } else {
        asserted++;
    }
    if (setjmp(jump) == 0) {
        ploy_env_free(&inside, ptr, 99);
    } else {
        asserted++;
    }
    ploy_set_assert_handler(NULL, NULL);
    CHECK_INT(asserted, 2);
    CHECK(ployi_region_valid(region));
    ploy_env_free(&inside, ptr, 100);
    ploy_snapshot_destroy(snapshot);
    ploy_region_destroy(region);
}
#endif
