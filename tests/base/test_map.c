#include "tests/test.h"

#include "ploy/base/map.h"
#include "ploy/base/name.h"
#include "ploy/base/rng.h"

TEST(a_new_map_is_empty_and_allocates_nothing) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_map map;
    ploy_map_init(&map, sizeof(int32_t), &env);
    int32_t cursor = 0;
    CHECK_INT(ploy_map_count(&map), 0);
    CHECK(ploy_map_get(&map, 0) == NULL);
    CHECK(!ploy_map_has(&map, 1));
    CHECK(!ploy_map_remove(&map, 1));
    CHECK(!ploy_map_next(&map, &cursor, NULL, NULL));
    ploy_map_clear(&map);
    CHECK_OK(ploy_map_reserve(&map, 0));
    CHECK_INT(counts.calls, 0);
    ploy_map_fini(&map);
    ploy_map_fini(&map); // twice is fine
    CHECK_INT(ploy_map_reserve(&map, -1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_map_reserve(&map, PLOY_MAP_MAX + 1), PLOY_ERR_ARGUMENT);
}

TEST(put_replaces_in_place_and_remove_moves_to_the_end) {
    ploy_env env = ploy_env_default();
    ploy_map map;
    ploy_map_init(&map, sizeof(int32_t), &env);
    int32_t values[] = {10, 20, 30, 99};
    CHECK_OK(ploy_map_put(&map, 7, &values[0]));
    CHECK_OK(ploy_map_put(&map, 0, &values[1])); // zero is a key as any other
    CHECK_OK(ploy_map_put(&map, UINT64_MAX, &values[2]));
    CHECK_OK(ploy_map_put(&map, 7, &values[3]));
    CHECK_INT(ploy_map_count(&map), 3);
    CHECK_INT(*(int32_t *)ploy_map_get(&map, 7), 99);
    CHECK_OK(ploy_map_put(&map, 7, NULL));
    CHECK_INT(*(int32_t *)ploy_map_get(&map, 7), 0);
    uint64_t keys[3];
    int32_t cursor = 0;
    for (int i = 0; i < 3; i++) CHECK(ploy_map_next(&map, &cursor, &keys[i], NULL));
    CHECK(!ploy_map_next(&map, &cursor, NULL, NULL));
    CHECK(keys[0] == 7 && keys[1] == 0 && keys[2] == UINT64_MAX);
    CHECK(ploy_map_remove(&map, 7));
    CHECK(!ploy_map_remove(&map, 7));
    CHECK_OK(ploy_map_put(&map, 7, &values[0]));
    cursor = 0;
    for (int i = 0; i < 3; i++) CHECK(ploy_map_next(&map, &cursor, &keys[i], NULL));
    CHECK(keys[0] == 0 && keys[1] == UINT64_MAX && keys[2] == 7);
    ploy_map_fini(&map);
}

TEST(ensure_finds_or_adds_zeros) {
    ploy_env env = ploy_env_default();
    ploy_map map;
    ploy_map_init(&map, sizeof(int64_t), &env);
    for (int round = 0; round < 3; round++) {
        for (uint64_t key = 0; key < 100; key++) {
            void *value = NULL;
            bool added = false;
            CHECK_OK(ploy_map_ensure(&map, key * 3, &value, &added));
            CHECK_INT(added, round == 0);
            CHECK_INT(*(int64_t *)value, round);
            *(int64_t *)value += 1;
        }
    }
    void *value = NULL;
    CHECK_OK(ploy_map_ensure(&map, 1, &value, NULL));
    CHECK_INT(ploy_map_count(&map), 101);
    ploy_map_clear(&map); // places that held something are zeroed too
    for (uint64_t key = 0; key < 100; key++) {
        CHECK_OK(ploy_map_ensure(&map, key, &value, NULL));
        CHECK_INT(*(int64_t *)value, 0);
    }
    ploy_map_fini(&map);
}

TEST(a_map_without_values_is_a_set) {
    ploy_env env = ploy_env_default();
    ploy_map set;
    ploy_map_init(&set, 0, &env);
    for (uint64_t key = 0; key < 1000; key += 2) CHECK_OK(ploy_map_put(&set, key, NULL));
    for (uint64_t key = 0; key < 1000; key++) CHECK_INT(ploy_map_has(&set, key), key % 2 == 0);
    for (uint64_t key = 0; key < 1000; key += 4) CHECK(ploy_map_remove(&set, key));
    for (uint64_t key = 0; key < 1000; key++) CHECK_INT(ploy_map_has(&set, key), key % 4 == 2);
    CHECK_INT(ploy_map_count(&set), 250);
    ploy_map_fini(&set);
}

// The obvious map: an array in the order of adding, searched from the front.
enum { MODEL_MAX = 400 };

typedef struct model_entry {
    uint64_t key;
    char value[12];
} model_entry;

typedef struct model_map {
    model_entry entries[MODEL_MAX];
    int count;
} model_map;

static int model_find(const model_map *m, uint64_t key) {
    for (int i = 0; i < m->count; i++) {
        if (m->entries[i].key == key) return i;
    }
    return -1;
}

static void check_against_model(test_context *t, const ploy_map *map, const model_map *m) {
    CHECK_INT(ploy_map_count(map), m->count);
    int32_t cursor = 0;
    for (int i = 0; i < m->count; i++) {
        uint64_t key = 0;
        void *value = NULL;
        CHECK(ploy_map_next(map, &cursor, &key, &value));
        CHECK_UINT(key, m->entries[i].key);
        CHECK_BYTES(value, m->entries[i].value, 12);
        CHECK(ploy_map_get(map, key) == value);
    }
    CHECK(!ploy_map_next(map, &cursor, NULL, NULL));
    CHECK(!ploy_map_next(map, &cursor, NULL, NULL)); // stays at the end
}

TEST(a_map_agrees_with_a_plain_list) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_map map;
        ploy_map_init(&map, 12, &env);
        static model_map m;
        m.count = 0;
        // Few keys, so that they meet often; some far apart, some in a row, some equal in their
        // lower or upper half.
        int32_t range = ploy_rng_int(&rng, 4, 300);
        int shape = ploy_rng_int(&rng, 0, 3);
        for (int step = 0; step < 600; step++) {
            uint64_t key = (uint64_t)ploy_rng_int(&rng, 0, range);
            if (shape == 1) key <<= 32;
            if (shape == 2) key = key << 56 | key;
            if (shape == 3) key *= UINT64_C(0x9e3779b97f4a7c15);
            int at = model_find(&m, key);
            int action = ploy_rng_int(&rng, 0, 99);
            if (action < 50 && m.count < MODEL_MAX) {
                char value[12];
                for (int i = 0; i < 12; i++) value[i] = (char)ploy_rng_int(&rng, 0, 127);
                CHECK_OK(ploy_map_put(&map, key, value));
                if (at < 0) at = m.count++;
                m.entries[at].key = key;
                memcpy(m.entries[at].value, value, 12);
            } else if (action < 90) {
                CHECK_INT(ploy_map_remove(&map, key), at >= 0);
                if (at >= 0) {
                    m.count--;
                    memmove(&m.entries[at], &m.entries[at + 1],
                            (size_t)(m.count - at) * sizeof m.entries[0]);
                }
            } else if (action < 98) {
                CHECK_INT(ploy_map_has(&map, key), at >= 0);
                CHECK_INT(ploy_map_get(&map, key) != NULL, at >= 0);
            } else if (action == 98) {
                ploy_map_clear(&map);
                m.count = 0;
            } else {
                CHECK_OK(ploy_map_reserve(&map, ploy_rng_int(&rng, 0, 200)));
            }
            if (step % 7 == 0) check_against_model(t, &map, &m);
            CHECK_INT(counts.bytes, map.size);
        }
        check_against_model(t, &map, &m);
        ploy_map_fini(&map);
        CHECK_INT(counts.blocks, 0);
    }
}

TEST(removing_while_walking_meets_every_key_once) {
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(30); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_env env = ploy_env_default();
        ploy_map map;
        ploy_map_init(&map, sizeof(uint64_t), &env);
        uint64_t count = (uint64_t)ploy_rng_int(&rng, 1, 200);
        for (uint64_t key = 0; key < count; key++) CHECK_OK(ploy_map_put(&map, key, &key));
        uint64_t key = 0, want = 0, left = count;
        int chance = ploy_rng_int(&rng, 1, 4);
        void *value = NULL;
        for (int32_t cursor = 0; ploy_map_next(&map, &cursor, &key, &value);) {
            CHECK_UINT(key, want++);
            CHECK_UINT(*(uint64_t *)value, key);
            if (ploy_rng_int(&rng, 1, chance) == 1) {
                CHECK(ploy_map_remove(&map, key));
                left--;
            }
        }
        CHECK_UINT(want, count);
        CHECK_INT(ploy_map_count(&map), left);
        ploy_map_fini(&map);
    }
}

TEST(nothing_is_allocated_after_reserve_whatever_is_removed) {
    for (int32_t size = 1; size <= 70; size++) {
        TEST_SEED(size);
        ploy_rng rng = ploy_rng_make((uint64_t)size);
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_map map;
        ploy_map_init(&map, 8, &env);
        CHECK_OK(ploy_map_reserve(&map, size));
        int64_t calls = counts.calls;
        uint64_t oldest = 0, next = 0;
        for (int step = 0; step < 1500; step++) {
            // Always nearly full: the worst case for closing gaps.
            if (next - oldest == (uint64_t)size || (next > oldest && ploy_rng_chance(&rng, 0.2f))) {
                CHECK(ploy_map_remove(&map, oldest++));
            } else {
                CHECK_OK(ploy_map_put(&map, next++, NULL));
            }
        }
        CHECK_INT(counts.calls, calls);
        int32_t cursor = 0;
        uint64_t key = 0;
        for (uint64_t want = oldest; want < next; want++) {
            CHECK(ploy_map_next(&map, &cursor, &key, NULL));
            CHECK_UINT(key, want);
        }
        ploy_map_fini(&map);
    }
}

TEST(text_keys_are_names) {
    ploy_env env = ploy_env_default();
    ploy_map map;
    ploy_map_init(&map, sizeof(int32_t), &env);
    int32_t one = 1, two = 2;
    CHECK_OK(ploy_map_put_text(&map, "one", &one));
    CHECK_OK(ploy_map_put_text(&map, "two", &two));
    CHECK_INT(*(int32_t *)ploy_map_find_text(&map, "one"), 1);
    CHECK_INT(*(int32_t *)ploy_map_get(&map, ploy_name_of("two").hash), 2);
    CHECK(ploy_map_find_text(&map, "three") == NULL);
    CHECK_INT(ploy_map_put_text(&map, "", &one), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_map_put_text(&map, NULL, &one), PLOY_ERR_ARGUMENT);
    CHECK(ploy_map_find_text(&map, "") == NULL);
    CHECK(ploy_map_find_text(&map, NULL) == NULL);
    CHECK(ploy_map_remove_text(&map, "one"));
    CHECK(!ploy_map_remove_text(&map, "one"));
    CHECK(!ploy_map_remove_text(&map, ""));
    CHECK_INT(ploy_map_count(&map), 1);
    ploy_map_fini(&map);
}

static ploy_result fill_map(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_map map;
    ploy_map_init(&map, sizeof(uint64_t), env);
    ploy_result result = PLOY_OK;
    for (uint64_t key = 0; key < 200; key++) {
        int32_t count = map.count;
        ploy_result put = ploy_map_put(&map, key, &key);
        if (put != PLOY_OK) {
            result = map.count == count && !ploy_map_has(&map, key) ? put : PLOY_ERR_STATE;
        }
        // What went in before is still there.
        const uint64_t *value = ploy_map_get(&map, key / 2);
        if (put == PLOY_OK && result == PLOY_OK && (value == NULL || *value != key / 2)) {
            result = PLOY_ERR_STATE;
        }
    }
    if (ploy_map_reserve(&map, 1000) != PLOY_OK && result == PLOY_OK) result = PLOY_ERR_MEMORY;
    ploy_map_fini(&map);
    return result;
}

TEST(a_map_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(fill_map, NULL);
}

TEST(values_larger_than_memory_are_out_of_memory) {
    ploy_env env = ploy_env_default();
    ploy_map map;
    volatile size_t huge = SIZE_MAX / 2;
    ploy_map_init(&map, huge, &env);
    void *value = NULL;
    CHECK_INT(ploy_map_ensure(&map, 1, &value, NULL), PLOY_ERR_MEMORY);
    CHECK_INT(ploy_map_count(&map), 0);
    ploy_map_fini(&map);
}

static void copy_item(void *user, const ploy_memory_item *item) {
    *(ploy_memory_item *)user = *item;
}

TEST(the_memory_report_of_a_map_tells_its_block) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_map map;
    ploy_map_init(&map, 4, &env);
    for (uint64_t key = 0; key < 100; key++) {
        CHECK_OK(ploy_map_put(&map, key, NULL));
        ploy_memory_item item = {NULL, 0, 0};
        ploy_map_memory(&map, copy_item, &item);
        CHECK_INT(item.bytes, counts.bytes);
        CHECK_INT(item.blocks, counts.blocks);
    }
    ploy_map_fini(&map);
}
