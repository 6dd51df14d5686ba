#include "decide/decide_internal.h"
#include "ploy/decide/semaphore.h"
#include "tests/decide/bt_script.h"

TEST(a_semaphore_is_made_once_and_keeps_its_maximum) {
    ploy_env env = ploy_env_default();
    ploy_semaphores *semaphores = NULL;
    CHECK_OK(ploy_semaphores_create(&env, &semaphores));
    int32_t voice = -1, again = -1;
    CHECK_OK(ploy_semaphores_get(semaphores, "voice", 2, &voice));
    CHECK_OK(ploy_semaphores_get(semaphores, "voice", 2, &again));
    CHECK_INT(again, voice);
    CHECK_INT(ploy_semaphores_get(semaphores, "voice", 3, &again), PLOY_ERR_EXISTS);
    CHECK_INT(again, voice);
    CHECK_INT(ploy_semaphores_get(semaphores, "", 1, &again), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_semaphores_get(semaphores, "x", 0, &again), PLOY_ERR_ARGUMENT);
    CHECK(ploy_semaphores_acquire(semaphores, voice));
    CHECK(ploy_semaphores_acquire(semaphores, voice));
    CHECK(!ploy_semaphores_acquire(semaphores, voice));
    CHECK(!ploy_semaphores_acquire(semaphores, 7));
    CHECK_INT(ployi_semaphores_users(semaphores, voice), 2);
    ploy_semaphores_release(semaphores, voice);
    ploy_semaphores_release(semaphores, voice);
    ploy_semaphores_release(semaphores, voice);
    CHECK_INT(ployi_semaphores_users(semaphores, voice), 0);
    ploy_semaphores_destroy(semaphores);
}

// BHT-13: one place and two characters; ten path finders and eleven who want one.
TEST(a_guard_gives_its_semaphore_back_whatever_ends_its_child) {
    static const struct { int32_t maximum, characters; } rows[] = {{1, 2}, {10, 11}};
    for (size_t row = 0; row < COUNT_OF(rows); row++) {
        bt_bench bench;
        bt_script script = {.letters = "R"};
        bt_bench_begin(t, &bench, NULL);
        ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_SEMAPHORE_GUARD, NULL);
        def.text = "place";
        def.count = rows[row].maximum;
        ploy_bt_builder_open_node(bench.builder, &def);
        bt_bench_script(&bench, &script);
        ploy_bt_builder_close(bench.builder);
        bt_bench_build(t, &bench);
        ploy_bt_instance *others[16] = {NULL};
        ploy_bt_instance_def plain = ploy_bt_instance_def_default();
        ploy_status status;
        bt_bench_expect(t, &bench, "R");
        for (int32_t i = 1; i < rows[row].characters; i++) {
            CHECK_OK(ploy_bt_instance_create(&plain, bench.bt, bench.semaphores, &bench.env,
                                             &others[i]));
            CHECK_OK(ploy_bt_instance_step(others[i], &bench.context, &status));
            bool last = i == rows[row].characters - 1;
            CHECK_INT(status, last ? PLOY_STATUS_FAILURE : PLOY_STATUS_RUNNING);
        }
        ploy_bt_instance_halt(bench.instance, &bench.context, PLOY_EXIT_INTERRUPTED);
        CHECK_OK(ploy_bt_instance_step(others[rows[row].characters - 1], &bench.context, &status));
        CHECK_INT(status, PLOY_STATUS_RUNNING);
        bt_bench_expect(t, &bench, "F");
        for (int32_t i = 1; i < rows[row].characters; i++) ploy_bt_instance_destroy(others[i]);
        CHECK_INT(ployi_semaphores_users(bench.semaphores, 0), 0);
        bt_bench_end(&bench);
    }
}

static ploy_result semaphore_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_semaphores *semaphores = NULL;
    ploy_result result = ploy_semaphores_create(env, &semaphores);
    int32_t out;
    if (result == PLOY_OK) result = ploy_semaphores_get(semaphores, "a", 1, &out);
    ploy_semaphores_destroy(semaphores);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    CHECK_FAIL_NTH(semaphore_make, NULL);
}
