#include "tests/test.h"

#include <stdlib.h>

#include "ploy/base/array.h"
#include "ploy/base/rng.h"

typedef struct item {
    int32_t value;
    char text[8]; // 12 bytes in all, without padding
} item;

static item item_make(int32_t value) {
    item it;
    memset(&it, 0, sizeof it);
    it.value = value;
    snprintf(it.text, sizeof it.text, "%d", (int)value % 10000);
    return it;
}

TEST(a_new_array_is_empty_and_allocates_nothing) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_array array;
    ploy_array_init(&array, sizeof(item), &env);
    CHECK_INT(counts.calls, 0);
    CHECK_INT(ploy_array_count(&array), 0);
    CHECK(array.items == NULL);
    CHECK(ploy_array_at(&array, 0) == NULL);
    CHECK(!ploy_array_pop(&array, NULL));
    CHECK(!ploy_array_remove(&array, 0));
    CHECK(!ploy_array_remove_swap(&array, 0));
    ploy_array_clear(&array);
    CHECK_OK(ploy_array_resize(&array, 0));
    CHECK_OK(ploy_array_reserve(&array, 0));
    CHECK_OK(ploy_array_push_many(&array, NULL, 0));
    CHECK_INT(counts.calls, 0);
    ploy_array_fini(&array);
    ploy_array_fini(&array); // twice is fine
}

TEST(indexes_and_counts_out_of_range_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_array array;
    ploy_array_init(&array, sizeof(item), &env);
    item it = item_make(1);
    CHECK_OK(ploy_array_push(&array, &it));
    CHECK_INT(ploy_array_insert(&array, -1, &it), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_array_insert(&array, 2, &it), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_array_push_many(&array, &it, -1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_array_resize(&array, -1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_array_reserve(&array, -1), PLOY_ERR_ARGUMENT);
    CHECK(!ploy_array_remove(&array, -1));
    CHECK(!ploy_array_remove(&array, 1));
    CHECK(!ploy_array_remove_swap(&array, -1));
    CHECK(!ploy_array_remove_swap(&array, 1));
    CHECK(ploy_array_at(&array, -1) == NULL);
    CHECK(ploy_array_at(&array, 1) == NULL);
    CHECK_INT(array.count, 1);
    CHECK_INT(ploy_array_push_many(&array, NULL, INT32_MAX), PLOY_ERR_MEMORY);
    CHECK_INT(array.count, 1);
    ploy_array_fini(&array);
}

// Every operation against a plain C array.
TEST(an_array_behaves_as_a_plain_one) {
    enum { MAX = 120 };
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_array array;
        ploy_array_init(&array, sizeof(item), &env);
        item model[MAX + 1];
        int32_t count = 0;
        for (int step = 0; step < 200; step++) {
            item it = item_make((int32_t)(ploy_rng_u32(&rng) >> 8)), zero;
            memset(&zero, 0, sizeof zero);
            int32_t at = count == 0 ? 0 : ploy_rng_int(&rng, 0, count - 1);
            switch (ploy_rng_int(&rng, 0, 11)) {
            case 0:
            case 1:
            case 2:
                if (count >= MAX) break;
                CHECK_OK(ploy_array_push(&array, &it));
                model[count++] = it;
                break;
            case 3: {
                if (count >= MAX) break;
                item *added = ploy_array_add(&array);
                CHECK(added != NULL);
                CHECK_BYTES(added, &zero, sizeof zero);
                *added = it;
                model[count++] = it;
                break;
            }
            case 4: {
                int32_t more = ploy_rng_int(&rng, 0, 5);
                if (count + more > MAX) break;
                item many[5] = {it, zero, it, zero, it};
                CHECK_OK(ploy_array_push_many(&array, many, more));
                for (int32_t i = 0; i < more; i++) model[count++] = many[i];
                break;
            }
            case 5: {
                if (count >= MAX) break;
                int32_t to = ploy_rng_int(&rng, 0, count);
                bool zeros = ploy_rng_chance(&rng, 0.2f);
                CHECK_OK(ploy_array_insert(&array, to, zeros ? NULL : &it));
                for (int32_t i = count; i > to; i--) model[i] = model[i - 1];
                model[to] = zeros ? zero : it;
                count++;
                break;
            }
            case 6:
                CHECK_INT(ploy_array_remove(&array, at), count > 0);
                if (count == 0) break;
                for (int32_t i = at; i + 1 < count; i++) model[i] = model[i + 1];
                count--;
                break;
            case 7:
                CHECK_INT(ploy_array_remove_swap(&array, at), count > 0);
                if (count > 0) model[at] = model[--count];
                break;
            case 8: {
                item popped = zero;
                CHECK_INT(ploy_array_pop(&array, &popped), count > 0);
                if (count > 0) CHECK_BYTES(&popped, &model[--count], sizeof popped);
                break;
            }
            case 9: {
                int32_t to = ploy_rng_int(&rng, 0, MAX);
                CHECK_OK(ploy_array_resize(&array, to));
                while (count < to) model[count++] = zero;
                count = to;
                break;
            }
            case 10:
                if (count == 0 || count >= MAX) break;
                // An item of the array itself, which moves when the array grows.
                CHECK_OK(ploy_array_push(&array, ploy_array_at(&array, at)));
                model[count] = model[at];
                count++;
                break;
            default:
                if (ploy_rng_chance(&rng, 0.1f)) {
                    ploy_array_clear(&array);
                    count = 0;
                } else {
                    CHECK_OK(ploy_array_reserve(&array, ploy_rng_int(&rng, 0, MAX)));
                }
            }
            CHECK_INT(array.count, count);
            CHECK(array.capacity >= count);
            CHECK_INT(counts.bytes, (int64_t)array.capacity * (int64_t)sizeof(item));
            CHECK_BYTES(array.items, model, (size_t)count * sizeof(item));
        }
        ploy_array_fini(&array);
        CHECK_INT(counts.blocks, 0);
    }
}

// Moves a block whenever it is resized and ruins the old one.
static void *move_always(void *user, void *ptr, size_t old_size, size_t new_size) {
    (void)user;
    void *moved = new_size == 0 ? NULL : malloc(new_size);
    if (new_size != 0 && moved == NULL) return NULL;
    if (ptr != NULL) {
        if (moved != NULL) memcpy(moved, ptr, old_size < new_size ? old_size : new_size);
        memset(ptr, 0xee, old_size);
        free(ptr);
    }
    return moved;
}

TEST(an_item_of_the_array_itself_can_be_pushed_while_it_grows) {
    ploy_env env = ploy_env_with_allocator((ploy_allocator){move_always, NULL});
    ploy_array array;
    ploy_array_init(&array, sizeof(int32_t), &env);
    int32_t first = 5;
    CHECK_OK(ploy_array_push(&array, &first));
    for (int i = 0; i < 100; i++) {
        CHECK_OK(ploy_array_push(&array, ploy_array_at(&array, i)));
        CHECK_INT(*PLOY_ARRAY_AT(&array, int32_t, i + 1), 5);
    }
    ploy_array_fini(&array);
}

TEST(nothing_is_allocated_after_reserve) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_array array;
    ploy_array_init(&array, 3, &env);
    CHECK_OK(ploy_array_reserve(&array, 1000));
    CHECK_INT(array.capacity, 1000);
    int64_t calls = counts.calls;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 1000; i++) CHECK_OK(ploy_array_push(&array, "abc"));
        ploy_array_clear(&array);
    }
    CHECK_INT(counts.calls, calls);
    ploy_array_fini(&array);
}

TEST(growing_allocates_a_logarithmic_number_of_times) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_array array;
    ploy_array_init(&array, 1, &env);
    for (int i = 0; i < 100000; i++) CHECK_OK(ploy_array_push(&array, NULL));
    CHECK(counts.calls <= 32); // log(100000 / 2) / log(1.5) is 27
    ploy_array_fini(&array);
}

static ploy_result grow_array(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_array array;
    ploy_array_init(&array, sizeof(int32_t), env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 100; i++) {
        int32_t count = array.count;
        ploy_result pushed =
            i % 3 == 0 ? ploy_array_insert(&array, count / 2, &i) : ploy_array_push(&array, &i);
        if (pushed == PLOY_OK) continue;
        result = array.count == count ? pushed : PLOY_ERR_STATE;
    }
    if (ploy_array_reserve(&array, 1000) != PLOY_OK && result == PLOY_OK) result = PLOY_ERR_MEMORY;
    ploy_array_fini(&array);
    return result;
}

TEST(an_array_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(grow_array, NULL);
}

PLOY_ARRAY_TYPE(item_list, item);

TEST(a_typed_array_does_the_same_with_its_type) {
    ploy_env env = ploy_env_default();
    item_list list;
    item_list_init(&list, &env);
    CHECK_OK(item_list_reserve(&list, 3));
    CHECK_OK(item_list_push(&list, item_make(1)));
    CHECK_OK(item_list_push(&list, item_make(3)));
    CHECK_OK(item_list_insert(&list, 1, item_make(2)));
    CHECK_INT(item_list_count(&list), 3);
    for (int32_t i = 0; i < 3; i++) {
        CHECK_INT(item_list_at(&list, i)->value, i + 1);
        CHECK_INT(item_list_items(&list)[i].value, i + 1);
        CHECK_INT(PLOY_ARRAY_ITEMS(&list.array, item)[i].value, i + 1);
        CHECK_INT(PLOY_ARRAY_AT(&list.array, item, i)->value, i + 1);
    }
    CHECK(item_list_at(&list, 3) == NULL);
    CHECK(PLOY_ARRAY_AT(&list.array, item, -1) == NULL);
    item last;
    CHECK(item_list_pop(&list, &last));
    CHECK_INT(last.value, 3);
    CHECK_OK(item_list_resize(&list, 5));
    CHECK_INT(item_list_at(&list, 4)->value, 0);
    item_list_fini(&list);
    CHECK_INT(item_list_count(&list), 0);
}

static void copy_item(void *user, const ploy_memory_item *memory) {
    *(ploy_memory_item *)user = *memory;
}

TEST(the_memory_report_of_an_array_tells_its_block) {
    ploy_env env = ploy_env_default();
    ploy_array array;
    ploy_array_init(&array, 24, &env);
    ploy_memory_item got = {NULL, 1, 1};
    ploy_array_memory(&array, copy_item, &got);
    CHECK_UINT(got.bytes, 0);
    CHECK_INT(got.blocks, 0);
    CHECK_OK(ploy_array_reserve(&array, 10));
    ploy_array_memory(&array, copy_item, &got);
    CHECK_TEXT(got.name, "array");
    CHECK_UINT(got.bytes, 240);
    CHECK_INT(got.blocks, 1);
    ploy_array_fini(&array);
}
