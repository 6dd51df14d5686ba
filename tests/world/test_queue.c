// The queue by time against a sorted list.
#include "world/queue_internal.h"

#include "ploy/base/heap.h"
#include "ploy/base/rng.h"
#include "tests/test.h"

enum { QUEUE_MOST = 200 };

typedef struct queue_want {
    double time;
    int32_t rank;
    uint64_t order;
    ploy_id id;
} queue_want;

static bool queue_want_before(const queue_want *a, const queue_want *b) {
    if (a->time != b->time) return a->time < b->time;
    if (a->rank != b->rank) return a->rank < b->rank;
    return a->order < b->order;
}

TEST(what_comes_out_is_sorted_whatever_was_taken_from_the_middle) {
    for (int64_t round = 0; round < test_rounds(50); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_env env = ploy_env_default();
        ployi_queue queue;
        ployi_queue_init(&queue, sizeof(uint64_t), &env);
        queue_want list[QUEUE_MOST];
        int32_t count = 0;
        for (uint64_t order = 0; order < 500; order++) {
            uint64_t what = ploy_rng_below(&rng, 4);
            if (what < 2 && count < QUEUE_MOST) {
                queue_want want = {(double)ploy_rng_below(&rng, 6),
                                   (int32_t)ploy_rng_below(&rng, 3) - 1,
                                   order,
                                   {0, 0}};
                CHECK_OK(ployi_queue_push(&queue, want.time, want.rank, order, &order, &want.id));
                list[count++] = want;
            } else if (what == 2 && count > 0) {
                int32_t at = (int32_t)ploy_rng_below(&rng, (uint32_t)count);
                const uint64_t *item = ployi_queue_get(&queue, list[at].id);
                CHECK_UINT(*item, list[at].order);
                CHECK(ployi_queue_remove(&queue, list[at].id));
                CHECK(!ployi_queue_remove(&queue, list[at].id));
                list[at] = list[--count];
            } else if (count > 0) {
                int32_t first = 0;
                for (int32_t i = 1; i < count; i++) {
                    if (queue_want_before(&list[i], &list[first])) first = i;
                }
                CHECK_NEAR(ployi_queue_first(&queue)->time, list[first].time, 0);
                uint64_t item = 0;
                CHECK(ployi_queue_pop(&queue, &item));
                CHECK_UINT(item, list[first].order);
                CHECK(ployi_queue_get(&queue, list[first].id) == NULL);
                list[first] = list[--count];
            }
            CHECK_INT(ployi_queue_count(&queue), count);
        }
        ployi_queue_fini(&queue);
    }
}

// A large queue keeps what is due later out of its heap. The oracle is a plain heap, whose entries
// are skipped if they were removed.
TEST(a_large_queue_gives_the_order_of_a_plain_heap) {
    enum { LARGE = 30000 };
    static ploy_id ids[LARGE];
    static bool gone[LARGE];
    for (int64_t round = 0; round < test_rounds(6); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_env env = ploy_env_default();
        ployi_queue queue;
        ploy_heap plain;
        ployi_queue_init(&queue, sizeof(uint64_t), &env);
        CHECK_OK(ploy_heap_init(&plain, 4, &env));
        double now = 0.0;
        uint64_t order = 0;
        while (order < LARGE || ployi_queue_count(&queue) > 0) {
            uint32_t what = (uint32_t)ploy_rng_below(&rng, 8);
            bool fill = ployi_queue_count(&queue) < 9000 + 3000 * (int32_t)(round % 3);
            if (order < LARGE && (what < 3 || (fill && what < 6))) {
                // Even, bunched, or all alike but for a few that are far away.
                double delay = round % 3 == 0   ? (double)ploy_rng_range(&rng, 0.0f, 1000.0f)
                               : round % 3 == 1 ? (double)ploy_rng_below(&rng, 5) * 100.0
                               : ploy_rng_chance(&rng, 0.001f) ? 1e9
                                                               : 0.0;
                CHECK_OK(ployi_queue_push(&queue, now + delay, 0, order, &order, &ids[order]));
                CHECK_OK(ploy_heap_push(&plain, now + delay, order));
                gone[order++] = false;
            } else if (what == 6 && order > 0) {
                uint64_t some = ploy_rng_below(&rng, order);
                CHECK(ployi_queue_remove(&queue, ids[some]) == !gone[some]);
                gone[some] = true;
            } else if (ployi_queue_count(&queue) > 0) {
                uint64_t item = 0, want = 0;
                double key = 0.0;
                do {
                    CHECK(ploy_heap_pop(&plain, &key, &want));
                } while (gone[want]);
                CHECK_NEAR(ployi_queue_first(&queue)->time, key, 0);
                CHECK(ployi_queue_pop(&queue, &item));
                CHECK_UINT(item, want);
                gone[want] = true;
                now = key;
            }
        }
        ploy_heap_fini(&plain);
        ployi_queue_fini(&queue);
    }
}

// An alarm that is set anew keeps its order and gets its old place: what it left behind must not
// pass for it.
TEST(what_is_taken_out_and_put_back_comes_once) {
    ploy_env env = ploy_env_default();
    ployi_queue queue;
    ployi_queue_init(&queue, sizeof(int64_t), &env);
    int64_t item = 7, got = 0;
    ploy_id id;
    CHECK_OK(ployi_queue_push(&queue, 0.0, 0, 1, &item, NULL));
    CHECK_OK(ployi_queue_push(&queue, 5.0, 0, 9, &item, &id));
    for (int32_t i = 0; i < 100; i++) {
        CHECK(ployi_queue_remove(&queue, id));
        CHECK_OK(ployi_queue_push(&queue, 1.0 + i, 0, 9, &item, &id));
        CHECK_INT(ployi_queue_count(&queue), 2);
    }
    CHECK(queue.heap.count < 100); // what is left behind is cleared up
    CHECK(ployi_queue_pop(&queue, &got));
    CHECK_NEAR(ployi_queue_first(&queue)->time, 100.0, 0);
    CHECK(ployi_queue_pop(&queue, &got));
    CHECK(!ployi_queue_pop(&queue, &got));
    CHECK_INT(ployi_queue_reserve(&queue, INT32_MAX), PLOY_ERR_ARGUMENT);
    ployi_queue_fini(&queue);
}

static ploy_result queue_fill(const ploy_env *env, void *arg) {
    (void)arg;
    ployi_queue queue;
    ployi_queue_init(&queue, 40, env);
    unsigned char item[40] = {0};
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 100 && result == PLOY_OK; i++) {
        result = ployi_queue_push(&queue, -i, 0, (uint64_t)i, item, NULL);
        // A failed push leaves the queue as it was.
        int32_t want = result == PLOY_OK ? i + 1 : i;
        if (ployi_queue_count(&queue) != want || ployi_queue_places(&queue) != want) {
            result = PLOY_ERR_STATE;
        }
    }
    ployi_queue_fini(&queue);
    return result;
}

TEST(a_queue_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(queue_fill, NULL);
}
