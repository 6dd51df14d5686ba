// Rings: the last so many, by number and by age.
#include "world/ring_internal.h"

#include "tests/test.h"

TEST(a_ring_keeps_the_last_and_knows_what_it_forgot) {
    ploy_env env = ploy_env_default();
    ployi_ring ring;
    CHECK_OK(ployi_ring_init(&ring, sizeof(int64_t), 3, &env));
    CHECK(ployi_ring_newest(&ring, 0) == NULL);
    for (int64_t i = 0; i < 10; i++) {
        uint64_t number;
        int64_t *item = ployi_ring_push(&ring, &number);
        CHECK_UINT(number, i);
        CHECK_INT(*item, 0);
        *item = 100 + i;
        CHECK_INT(ployi_ring_count(&ring), i < 3 ? i + 1 : 3);
        for (int64_t back = 0; back <= i; back++) {
            const int64_t *old = ployi_ring_get(&ring, (uint64_t)(i - back));
            CHECK((old != NULL) == (back < 3));
            if (old != NULL) CHECK_INT(*old, 100 + i - back);
            CHECK(old == ployi_ring_newest(&ring, (int32_t)back));
        }
        CHECK(ployi_ring_get(&ring, (uint64_t)i + 1) == NULL);
    }
    ployi_ring_fini(&ring);
}

TEST(a_ring_without_room_keeps_nothing) {
    ploy_env env = ploy_env_default();
    ployi_ring ring;
    uint64_t number;
    CHECK_OK(ployi_ring_init(&ring, 8, 0, &env));
    CHECK(ployi_ring_push(&ring, &number) == NULL);
    CHECK(ployi_ring_get(&ring, number) == NULL);
    CHECK_INT(ployi_ring_count(&ring), 0);
    ployi_ring_fini(&ring);
}

static ploy_result ring_make(const ploy_env *env, void *arg) {
    (void)arg;
    ployi_ring ring;
    ploy_result result = ployi_ring_init(&ring, 8, 4, env);
    ployi_ring_fini(&ring);
    return result;
}

TEST(a_ring_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(ring_make, NULL);
}
