#include "tests/test.h"

#include "base/base_internal.h"
#include "ploy/base/pool.h"
#include "ploy/base/rng.h"

typedef struct thing {
    int64_t value;
    double more[2];
} thing;

TEST(create_refuses_what_is_out_of_range) {
    static const struct {
        const char *row;
        size_t item_size;
        int32_t chunk_items, limit;
        ploy_result want;
    } rows[] = {
        {"plain", 8, 0, 0, PLOY_OK},
        {"one of one", 1, 1, 1, PLOY_OK},
        {"no size", 0, 0, 0, PLOY_ERR_ARGUMENT},
        {"too large an item", (1 << 20) + 1, 1, 0, PLOY_ERR_ARGUMENT},
        {"negative chunks", 8, -1, 0, PLOY_ERR_ARGUMENT},
        {"too large a chunk", 8, (1 << 20) + 1, 0, PLOY_ERR_ARGUMENT},
        {"negative limit", 8, 0, -1, PLOY_ERR_ARGUMENT},
        {"too large a limit", 8, 0, PLOY_POOL_MAX + 1, PLOY_ERR_ARGUMENT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_pool *pool = (ploy_pool *)&env;
        CHECK_INT(
            ploy_pool_create(rows[i].item_size, rows[i].chunk_items, rows[i].limit, &env, &pool),
            rows[i].want);
        CHECK_INT(pool != NULL, rows[i].want == PLOY_OK);
        ploy_pool_destroy(pool);
    }
    CHECK_INT(ploy_pool_create(8, 0, 0, &env, NULL), PLOY_ERR_ARGUMENT);
}

TEST(a_stale_id_finds_nothing) {
    ploy_env env = ploy_env_default();
    ploy_pool *pool = NULL;
    CHECK_OK(ploy_pool_create(sizeof(thing), 0, 0, &env, &pool));
    CHECK(ploy_pool_get(pool, ploy_id_none()) == NULL);
    CHECK(!ploy_pool_remove(pool, ploy_id_none()));
    ploy_id first, second;
    void *item = NULL;
    CHECK_OK(ploy_pool_add(pool, &first, &item));
    CHECK(!ploy_id_is_none(first));
    CHECK(ploy_pool_get(pool, first) == item);
    CHECK(ploy_pool_get(pool, ploy_id_none()) == NULL); // index 0, generation 0
    ((thing *)item)->value = 5;
    CHECK(ploy_pool_remove(pool, first));
    CHECK(ploy_pool_get(pool, first) == NULL);
    CHECK(!ploy_pool_remove(pool, first));
    CHECK_OK(ploy_pool_add(pool, &second, &item)); // the same place again
    CHECK_UINT(second.index, first.index);
    CHECK_UINT(second.generation, first.generation + 1);
    CHECK_INT(((thing *)item)->value, 0);
    CHECK(ploy_pool_get(pool, first) == NULL);
    CHECK(ploy_pool_get(pool, second) == item);
    CHECK(!ploy_pool_remove(pool, first));
    CHECK(ploy_pool_get(pool, ploy_id_make(1, 1)) == NULL);          // never handed out
    CHECK(ploy_pool_get(pool, ploy_id_make(UINT32_MAX, 1)) == NULL); // far away
    CHECK(ploy_pool_remove(pool, second));
    // The generation that the place will have next is not good before it is handed out.
    CHECK(ploy_pool_get(pool, ploy_id_make(second.index, second.generation + 1)) == NULL);
    ploy_pool_destroy(pool);
    ploy_pool_destroy(NULL);
}

TEST(the_place_freed_last_is_used_first) {
    ploy_env env = ploy_env_default();
    ploy_pool *pool = NULL;
    CHECK_OK(ploy_pool_create(4, 0, 0, &env, &pool));
    ploy_id ids[10], id;
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_OK(ploy_pool_add(pool, &ids[i], NULL));
        CHECK_UINT(ids[i].index, i);
    }
    CHECK(ploy_pool_remove(pool, ids[3]));
    CHECK(ploy_pool_remove(pool, ids[7]));
    CHECK(ploy_pool_remove(pool, ids[5]));
    static const uint32_t want[] = {5, 7, 3, 10, 11};
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        CHECK_OK(ploy_pool_add(pool, &id, NULL));
        CHECK_UINT(id.index, want[i]);
    }
    ploy_pool_clear(pool);
    CHECK_INT(ploy_pool_count(pool), 0);
    for (uint32_t i = 0; i < 14; i++) {
        CHECK_OK(ploy_pool_add(pool, &id, NULL));
        CHECK_UINT(id.index, i);
    }
    CHECK(ploy_pool_get(pool, ids[0]) == NULL); // from before the clear
    ploy_pool_destroy(pool);
}

TEST(a_place_rests_when_its_generations_are_used_up) {
    ploy_env env = ploy_env_default();
    for (int how = 0; how < 2; how++) { // removed, or cleared
        TEST_SEED(how);
        ploy_pool *pool = NULL;
        CHECK_OK(ploy_pool_create(4, 0, 0, &env, &pool));
        ploy_id first, other, id;
        CHECK_OK(ploy_pool_add(pool, &first, NULL));
        CHECK_OK(ploy_pool_add(pool, &other, NULL));
        ploy_id almost = ployi_pool_set_generation(pool, first, UINT32_MAX - 1);
        CHECK(ploy_pool_remove(pool, almost));
        CHECK_OK(ploy_pool_add(pool, &id, NULL)); // once more
        CHECK_UINT(id.index, first.index);
        CHECK_UINT(id.generation, UINT32_MAX);
        if (how == 0) {
            CHECK(ploy_pool_remove(pool, id));
        } else {
            ploy_pool_clear(pool);
        }
        CHECK(ploy_pool_get(pool, id) == NULL);
        for (int i = 0; i < 5; i++) { // never again
            ploy_id later;
            CHECK_OK(ploy_pool_add(pool, &later, NULL));
            CHECK(later.index != first.index);
        }
        ploy_pool_clear(pool);
        for (int i = 0; i < 9; i++) {
            ploy_id later;
            CHECK_OK(ploy_pool_add(pool, &later, NULL));
            CHECK(later.index != first.index);
        }
        CHECK_INT(ploy_pool_count(pool), 9);
        ploy_pool_destroy(pool);
    }
}

TEST(the_limit_is_a_capacity) {
    ploy_env env = ploy_env_default();
    ploy_pool *pool = NULL;
    CHECK_OK(ploy_pool_create(4, 4, 10, &env, &pool));
    CHECK_INT(ploy_pool_reserve(pool, 11), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_pool_reserve(pool, -1), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_pool_reserve(pool, 10));
    ploy_id id = ploy_id_make(77, 77), first = ploy_id_none();
    for (int i = 0; i < 10; i++) CHECK_OK(ploy_pool_add(pool, i == 0 ? &first : &id, NULL));
    ploy_id untouched = ploy_id_make(77, 77);
    CHECK_INT(ploy_pool_add(pool, &untouched, NULL), PLOY_ERR_CAPACITY);
    CHECK_UINT(untouched.index, 77);
    CHECK(ploy_pool_remove(pool, first));
    CHECK_OK(ploy_pool_add(pool, &id, NULL));
    CHECK_INT(ploy_pool_count(pool), 10);
    ploy_pool_destroy(pool);
}

TEST(pointers_stay_valid_while_the_pool_grows) {
    ploy_env env = ploy_env_default();
    ploy_pool *pool = NULL;
    CHECK_OK(ploy_pool_create(sizeof(thing), 8, 0, &env, &pool));
    thing *pointers[1000];
    ploy_id ids[1000];
    for (int i = 0; i < 1000; i++) {
        void *item = NULL;
        CHECK_OK(ploy_pool_add(pool, &ids[i], &item));
        CHECK_UINT((uintptr_t)item % 8, 0);
        pointers[i] = item;
        pointers[i]->value = i;
    }
    for (int i = 0; i < 1000; i++) {
        CHECK(ploy_pool_get(pool, ids[i]) == pointers[i]);
        CHECK_INT(pointers[i]->value, i);
    }
    ploy_pool_destroy(pool);
}

TEST(nothing_is_allocated_after_reserve) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_pool *pool = NULL;
    CHECK_OK(ploy_pool_create(24, 16, 0, &env, &pool));
    CHECK_OK(ploy_pool_reserve(pool, 100));
    int64_t calls = counts.calls;
    ploy_id id;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) CHECK_OK(ploy_pool_add(pool, &id, NULL));
        ploy_pool_clear(pool);
    }
    CHECK_INT(counts.calls, calls);
    ploy_pool_destroy(pool);
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(counts.bytes, 0);
}

// Random work against a plain table of all ids ever given.
TEST(a_pool_agrees_with_a_plain_table) {
    enum { MAX = 600 };
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_env env = ploy_env_default();
        ploy_pool *pool = NULL;
        CHECK_OK(ploy_pool_create(sizeof(thing), ploy_rng_int(&rng, 1, 9), 0, &env, &pool));
        static struct {
            ploy_id id;
            bool alive;
        } given[MAX];
        int count = 0, alive = 0;
        for (int step = 0; step < MAX; step++) {
            int action = ploy_rng_int(&rng, 0, 99);
            if (action < 55 || count == 0) {
                void *item = NULL;
                CHECK_OK(ploy_pool_add(pool, &given[count].id, &item));
                thing zero = {0, {0, 0}};
                CHECK_BYTES(item, &zero, sizeof zero);
                ((thing *)item)->value = count;
                for (int i = 0; i < count; i++) {
                    CHECK(!ploy_id_equal(given[i].id, given[count].id)); // never the same twice
                }
                given[count++].alive = true;
                alive++;
            } else if (action < 98) {
                int i = ploy_rng_int(&rng, 0, count - 1);
                CHECK_INT(ploy_pool_remove(pool, given[i].id), given[i].alive);
                alive -= given[i].alive ? 1 : 0;
                given[i].alive = false;
            } else {
                ploy_pool_clear(pool);
                for (int i = 0; i < count; i++) given[i].alive = false;
                alive = 0;
            }
            CHECK_INT(ploy_pool_count(pool), alive);
        }
        for (int i = 0; i < count; i++) {
            const thing *item = ploy_pool_get(pool, given[i].id);
            CHECK_INT(item != NULL, given[i].alive);
            if (item == NULL) continue;
            CHECK_INT(item->value, i);
            CHECK(ploy_id_equal(ploy_pool_id_at(pool, given[i].id.index), given[i].id));
        }
        // The walk meets every living one, by index.
        uint32_t cursor = 0, met = 0;
        int64_t last = -1;
        ploy_id id;
        void *item = NULL;
        while (ploy_pool_next(pool, &cursor, &id, &item)) {
            CHECK((int64_t)id.index > last);
            last = id.index;
            CHECK(ploy_pool_get(pool, id) == item);
            met++;
        }
        CHECK_UINT(met, (uint32_t)alive);
        CHECK(!ploy_pool_next(pool, &cursor, NULL, NULL));
        ploy_pool_destroy(pool);
    }
}

TEST(removing_while_walking_is_allowed) {
    ploy_env env = ploy_env_default();
    ploy_pool *pool = NULL;
    CHECK_OK(ploy_pool_create(4, 8, 0, &env, &pool));
    ploy_id id;
    for (int i = 0; i < 50; i++) CHECK_OK(ploy_pool_add(pool, &id, NULL));
    uint32_t cursor = 0, want = 0;
    while (ploy_pool_next(pool, &cursor, &id, NULL)) {
        CHECK_UINT(id.index, want++);
        if (id.index % 2 == 0) CHECK(ploy_pool_remove(pool, id));
    }
    CHECK_UINT(want, 50);
    CHECK_INT(ploy_pool_count(pool), 25);
    CHECK(ploy_id_is_none(ploy_pool_id_at(pool, 0)));
    CHECK(ploy_id_is_none(ploy_pool_id_at(pool, 50)));
    CHECK(!ploy_id_is_none(ploy_pool_id_at(pool, 1)));
    ploy_pool_destroy(pool);
}

static ploy_result fill_pool(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_pool *pool = NULL;
    ploy_result result = ploy_pool_create(16, 4, 0, env, &pool);
    if (result != PLOY_OK) return pool == NULL ? result : PLOY_ERR_STATE;
    for (int i = 0; i < 100; i++) {
        ploy_id id;
        int32_t count = ploy_pool_count(pool);
        ploy_result added = ploy_pool_add(pool, &id, NULL);
        if (added == PLOY_OK) continue;
        result = ploy_pool_count(pool) == count ? added : PLOY_ERR_STATE;
    }
    if (ploy_pool_reserve(pool, 200) != PLOY_OK && result == PLOY_OK) result = PLOY_ERR_MEMORY;
    ploy_pool_destroy(pool);
    return result;
}

TEST(a_pool_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(fill_pool, NULL);
}

static void copy_item(void *user, const ploy_memory_item *item) {
    *(ploy_memory_item *)user = *item;
}

TEST(the_memory_report_of_a_pool_adds_up) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_pool *pool = NULL;
    CHECK_OK(ploy_pool_create(20, 4, 0, &env, &pool));
    for (int i = 0; i < 60; i++) {
        ploy_memory_item item = {NULL, 0, 0};
        ploy_pool_memory(pool, copy_item, &item);
        CHECK_INT(item.bytes, counts.bytes);
        CHECK_INT(item.blocks, counts.blocks);
        ploy_id id;
        CHECK_OK(ploy_pool_add(pool, &id, NULL));
    }
    ploy_pool_destroy(pool);
}
