#include "base/base_internal.h"
#include "tests/test.h"

#include <stdlib.h>

#include "ploy/base/heap.h"
#include "ploy/base/rng.h"

static const int32_t arities[] = {2, 4, 8};

TEST(other_arities_are_refused) {
    static const int32_t bad[] = {-1, 0, 1, 3, 5, 6, 7, 9, 16};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        TEST_SEED(bad[i]);
        ploy_heap heap;
        ploy_indexed_heap indexed;
        CHECK_INT(ploy_heap_init(&heap, bad[i], &env), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_indexed_heap_init(&indexed, bad[i], &env), PLOY_ERR_ARGUMENT);
        ploy_heap_fini(&heap);
        ploy_indexed_heap_fini(&indexed);
    }
}

TEST(an_empty_heap_has_nothing_to_give) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_heap heap;
    CHECK_OK(ploy_heap_init(&heap, 2, &env));
    double key = 3;
    uint64_t payload = 4;
    CHECK(!ploy_heap_pop(&heap, &key, &payload));
    CHECK(!ploy_heap_peek(&heap, &key, &payload));
    ploy_heap_clear(&heap);
    CHECK_INT(ploy_heap_count(&heap), 0);
    CHECK_SAME(key, 3);
    CHECK_UINT(payload, 4);
    CHECK_INT(ploy_heap_push(&heap, NAN, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_heap_reserve(&heap, -1), PLOY_ERR_ARGUMENT);
    CHECK_INT(counts.calls, 0);
    ploy_heap_fini(&heap);

    ploy_indexed_heap indexed;
    CHECK_OK(ploy_indexed_heap_init(&indexed, 2, &env));
    int32_t item = 5;
    CHECK(!ploy_indexed_heap_pop(&indexed, &item, &key));
    CHECK(!ploy_indexed_heap_peek(&indexed, &item, &key));
    CHECK(!ploy_indexed_heap_remove(&indexed, 0));
    CHECK(!ploy_indexed_heap_contains(&indexed, 0));
    CHECK(!ploy_indexed_heap_key(&indexed, 0, &key));
    CHECK_INT(ploy_indexed_heap_update(&indexed, 0, 1.0), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_indexed_heap_update(&indexed, 0, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_indexed_heap_push(&indexed, 0, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_indexed_heap_push(&indexed, -1, 1.0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_indexed_heap_push(&indexed, INT32_MAX, 1.0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_indexed_heap_reserve(&indexed, -1), PLOY_ERR_ARGUMENT);
    ploy_indexed_heap_clear(&indexed);
    CHECK_INT(item, 5);
    CHECK_SAME(key, 3);
    CHECK_INT(counts.calls, 0);
    ploy_indexed_heap_fini(&indexed);
}

TEST(equal_keys_come_out_in_the_order_of_pushing) {
    ploy_env env = ploy_env_default();
    for (size_t a = 0; a < COUNT_OF(arities); a++) {
        TEST_SEED(arities[a]);
        ploy_heap heap;
        CHECK_OK(ploy_heap_init(&heap, arities[a], &env));
        // Zero and minus zero are equal; infinities are keys as any other.
        static const double keys[] = {1.0, -0.0, INFINITY, 0.0, -INFINITY, 1.0, -INFINITY, 0.0};
        static const uint64_t want[] = {4, 6, 1, 3, 7, 0, 5, 2};
        for (uint64_t i = 0; i < COUNT_OF(keys); i++) CHECK_OK(ploy_heap_push(&heap, keys[i], i));
        for (size_t i = 0; i < COUNT_OF(want); i++) {
            uint64_t payload = 99, peeked = 98;
            CHECK(ploy_heap_peek(&heap, NULL, &peeked));
            CHECK(ploy_heap_pop(&heap, NULL, &payload));
            CHECK_UINT(payload, want[i]);
            CHECK_UINT(peeked, payload);
        }
        ploy_heap_fini(&heap);
    }
}

// The obvious queue: an array kept sorted by insertion.
typedef struct sorted_entry {
    double key;
    uint64_t payload;
} sorted_entry;

TEST(a_heap_agrees_with_a_sorted_array) {
    enum { MAX = 300 };
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(150); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_heap heap;
        CHECK_OK(ploy_heap_init(&heap, arities[seed % 3], &env));
        sorted_entry sorted[MAX];
        int count = 0;
        int distinct = ploy_rng_int(&rng, 1, 60); // few keys make many ties
        int pushing = ploy_rng_int(&rng, 30, 70);
        for (int step = 0; step < 500; step++) {
            int action = ploy_rng_int(&rng, 0, 99);
            if (action < pushing && count < MAX) {
                double key = ploy_rng_int(&rng, 0, distinct) * 0.1 - 2.0;
                CHECK_OK(ploy_heap_push(&heap, key, (uint64_t)step));
                int at = count++;
                while (at > 0 && sorted[at - 1].key > key) {
                    sorted[at] = sorted[at - 1];
                    at--;
                }
                sorted[at].key = key;
                sorted[at].payload = (uint64_t)step;
            } else if (action < 99) {
                double key = 0;
                uint64_t payload = 0;
                CHECK_INT(ploy_heap_pop(&heap, &key, &payload), count > 0);
                if (count == 0) continue;
                CHECK_SAME(key, sorted[0].key);
                CHECK_UINT(payload, sorted[0].payload);
                memmove(sorted, sorted + 1, (size_t)--count * sizeof sorted[0]);
            } else {
                ploy_heap_clear(&heap);
                count = 0;
            }
            CHECK_INT(ploy_heap_count(&heap), count);
            CHECK(ployi_heap_valid(&heap));
        }
        ploy_heap_fini(&heap);
        CHECK_INT(counts.blocks, 0);
        CHECK_INT(counts.bytes, 0);
    }
}

// For the indexed heap: the lowest key, then the lowest item, found by looking at all.
enum { ITEMS = 100 };

typedef struct plain_keys {
    bool in[ITEMS];
    double key[ITEMS];
} plain_keys;

static int32_t plain_first(const plain_keys *plain) {
    int32_t best = -1;
    for (int32_t i = 0; i < ITEMS; i++) {
        if (plain->in[i] && (best < 0 || plain->key[i] < plain->key[best])) best = i;
    }
    return best;
}

TEST(an_indexed_heap_agrees_with_looking_at_all_items) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(120); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_indexed_heap heap;
        CHECK_OK(ploy_indexed_heap_init(&heap, arities[seed % 3], &env));
        plain_keys plain;
        memset(&plain, 0, sizeof plain);
        int32_t count = 0, distinct = ploy_rng_int(&rng, 1, 40);
        for (int step = 0; step < 400; step++) {
            int32_t item = ploy_rng_int(&rng, 0, ITEMS - 1);
            double key = ploy_rng_int(&rng, 0, distinct) * 0.1 - 2.0, got = -77;
            switch (ploy_rng_int(&rng, 0, 9)) {
            case 0:
            case 1:
            case 2:
            case 3:
                CHECK_INT(ploy_indexed_heap_push(&heap, item, key),
                          plain.in[item] ? PLOY_ERR_EXISTS : PLOY_OK);
                if (plain.in[item]) break;
                plain.in[item] = true;
                plain.key[item] = key;
                count++;
                break;
            case 4:
            case 5:
            case 6:
                CHECK_INT(ploy_indexed_heap_update(&heap, item, key),
                          plain.in[item] ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                plain.key[item] = key;
                break;
            case 7:
                CHECK_INT(ploy_indexed_heap_remove(&heap, item), plain.in[item]);
                count -= plain.in[item] ? 1 : 0;
                plain.in[item] = false;
                break;
            default: {
                int32_t want = plain_first(&plain), popped = -1;
                CHECK_INT(ploy_indexed_heap_pop(&heap, &popped, &got), want >= 0);
                CHECK_INT(popped, want);
                if (want < 0) break;
                CHECK_SAME(got, plain.key[want]);
                plain.in[want] = false;
                count--;
            }
            }
            if (ploy_rng_int(&rng, 0, 199) == 0) {
                ploy_indexed_heap_clear(&heap);
                memset(&plain, 0, sizeof plain);
                count = 0;
            }
            CHECK_INT(ploy_indexed_heap_count(&heap), count);
            CHECK(ployi_indexed_heap_valid(&heap));
            CHECK_INT(ploy_indexed_heap_contains(&heap, item), plain.in[item]);
            got = -77;
            CHECK_INT(ploy_indexed_heap_key(&heap, item, &got), plain.in[item]);
            CHECK_SAME(got, plain.in[item] ? plain.key[item] : -77);
            int32_t first = -1;
            ploy_indexed_heap_peek(&heap, &first, NULL);
            CHECK_INT(first, plain_first(&plain));
        }
        ploy_indexed_heap_fini(&heap);
        CHECK_INT(counts.blocks, 0);
        CHECK_INT(counts.bytes, 0);
    }
}

TEST(equal_keys_in_an_indexed_heap_come_out_by_item) {
    ploy_env env = ploy_env_default();
    for (size_t a = 0; a < COUNT_OF(arities); a++) {
        TEST_SEED(arities[a]);
        ploy_indexed_heap heap;
        CHECK_OK(ploy_indexed_heap_init(&heap, arities[a], &env));
        for (int32_t i = 199; i >= 0; i--) CHECK_OK(ploy_indexed_heap_push(&heap, i, 7.0));
        for (int32_t i = 0; i < 200; i++) {
            int32_t item = -1;
            CHECK(ploy_indexed_heap_pop(&heap, &item, NULL));
            CHECK_INT(item, i);
        }
        ploy_indexed_heap_fini(&heap);
    }
}

TEST(nothing_is_allocated_after_reserve) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_heap heap;
    ploy_indexed_heap indexed;
    CHECK_OK(ploy_heap_init(&heap, 4, &env));
    CHECK_OK(ploy_indexed_heap_init(&indexed, 4, &env));
    CHECK_OK(ploy_heap_reserve(&heap, 500));
    CHECK_OK(ploy_indexed_heap_reserve(&indexed, 500));
    int64_t calls = counts.calls;
    for (int round = 0; round < 3; round++) {
        for (int32_t i = 0; i < 500; i++) {
            CHECK_OK(ploy_heap_push(&heap, i % 17, (uint64_t)i));
            CHECK_OK(ploy_indexed_heap_push(&indexed, i, i % 17));
        }
        ploy_heap_clear(&heap);
        while (ploy_indexed_heap_pop(&indexed, NULL, NULL)) {
        }
    }
    CHECK_INT(counts.calls, calls);
    ploy_heap_fini(&heap);
    ploy_indexed_heap_fini(&indexed);
}

static ploy_result fill_heaps(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_heap heap;
    ploy_indexed_heap indexed;
    ploy_result result = PLOY_OK;
    ploy_heap_init(&heap, 4, env);
    ploy_indexed_heap_init(&indexed, 4, env);
    for (int32_t i = 0; i < 100; i++) {
        int32_t count = heap.count;
        ploy_result pushed = ploy_heap_push(&heap, 100 - i, (uint64_t)i);
        if (pushed != PLOY_OK) result = heap.count == count ? pushed : PLOY_ERR_STATE;
        pushed = ploy_indexed_heap_push(&indexed, i * 3, 100 - i);
        if (pushed != PLOY_OK) {
            result = ploy_indexed_heap_contains(&indexed, i * 3) ? PLOY_ERR_STATE : pushed;
        }
        if (!ployi_heap_valid(&heap) || !ployi_indexed_heap_valid(&indexed)) return PLOY_ERR_STATE;
    }
    ploy_heap_fini(&heap);
    ploy_indexed_heap_fini(&indexed);
    return result;
}

TEST(heaps_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(fill_heaps, NULL);
}

static void copy_item(void *user, const ploy_memory_item *item) {
    *(ploy_memory_item *)user = *item;
}

TEST(the_memory_report_of_a_heap_tells_its_block) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_memory_item item = {NULL, 0, 0};
    ploy_heap heap;
    CHECK_OK(ploy_heap_init(&heap, 4, &env));
    CHECK_OK(ploy_heap_push(&heap, 1, 1));
    ploy_heap_memory(&heap, copy_item, &item);
    CHECK_INT(item.bytes, counts.bytes);
    CHECK_INT(item.blocks, 1);
    ploy_heap_fini(&heap);
    ploy_indexed_heap indexed;
    CHECK_OK(ploy_indexed_heap_init(&indexed, 4, &env));
    CHECK_OK(ploy_indexed_heap_push(&indexed, 40, 1));
    ploy_indexed_heap_memory(&indexed, copy_item, &item);
    CHECK_INT(item.bytes, counts.bytes);
    CHECK_INT(item.blocks, 1);
    ploy_indexed_heap_fini(&indexed);
}
