// Pools of paths: what is given back is taken again, empty, and nothing is allocated for it.
#include "tests/test.h"

#include "ploy/geom/path_pool.h"

TEST(path_pool_create_refuses_bad_settings) {
    ploy_env env = ploy_env_default();
    ploy_path_pool *pool = (ploy_path_pool *)&env;
    ploy_path_pool_def def = ploy_path_pool_def_default();
    def.points = -1;
    CHECK_INT(ploy_path_pool_create(&def, &env, &pool), PLOY_ERR_ARGUMENT);
    CHECK(pool == NULL);
    CHECK_INT(ploy_path_pool_create(NULL, &env, &pool), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_pool_create(&def, NULL, &pool), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_pool_create(&def, &env, NULL), PLOY_ERR_ARGUMENT);
    ploy_path_pool_destroy(NULL);
}

TEST(a_reserved_pool_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_path_pool_def def = ploy_path_pool_def_default();
    ploy_path_pool *pool = NULL;
    ploy_path *paths[3];
    def.points = 8;
    def.paths = 2;
    CHECK_OK(ploy_path_pool_create(&def, &env, &pool));
    CHECK_OK(ploy_path_pool_reserve(pool, 3));
    CHECK_OK(ploy_path_pool_reserve(pool, 1)); // has more already
    CHECK_INT(ploy_path_pool_reserve(pool, -1), PLOY_ERR_ARGUMENT);
    int64_t calls = counts.calls;
    for (int32_t round = 0; round < 5; round++) {
        for (int32_t i = 0; i < 3; i++) {
            CHECK_OK(ploy_path_pool_take(pool, &paths[i]));
            CHECK_INT(ploy_path_count(paths[i]), 0);
            for (int32_t k = 0; k < 8; k++) {
                CHECK_OK(ploy_path_append(paths[i], ploy_vec2_make((float)k, 0.0f), 0.0f, NULL));
            }
        }
        CHECK(paths[0] != paths[1] && paths[1] != paths[2]);
        for (int32_t i = 0; i < 3; i++) ploy_path_pool_give(pool, paths[i]);
    }
    CHECK_INT(counts.calls, calls);
    // The one given back last is taken first.
    ploy_path *again = NULL;
    CHECK_OK(ploy_path_pool_take(pool, &again));
    CHECK(again == paths[2]);
    ploy_path_pool_give(pool, again);
    ploy_path_pool_give(pool, NULL);
    ploy_path_pool_destroy(pool);
    CHECK_INT(counts.blocks, 0);
}

TEST(a_pool_creates_what_is_missing_and_takes_paths_from_elsewhere) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_path_pool_def def = ploy_path_pool_def_default();
    ploy_path_def own = ploy_path_def_default();
    ploy_path_pool *pool = NULL;
    ploy_path *path = NULL, *other = NULL;
    CHECK_OK(ploy_path_pool_create(&def, &env, &pool));
    CHECK_OK(ploy_path_pool_take(pool, &path));
    own.closed = true;
    CHECK_OK(ploy_path_create(&own, &env, &other));
    CHECK_OK(ploy_path_append(other, ploy_vec2_make(1.0f, 2.0f), 0.0f, NULL));
    CHECK_OK(ploy_path_append(other, ploy_vec2_make(3.0f, 2.0f), 0.0f, NULL));
    ploy_path_pool_give(pool, path);
    ploy_path_pool_give(pool, other);
    CHECK_OK(ploy_path_pool_take(pool, &path));
    CHECK(path == other);
    CHECK_INT(ploy_path_count(path), 0);
    CHECK(!ploy_path_polyline(path).closed);
    ploy_path_pool_give(pool, path);
    ploy_path_pool_destroy(pool);
    CHECK_INT(counts.blocks, 0);
}

static ploy_result pool_use(const ploy_env *env, void *arg) {
    ploy_path_pool_def def = ploy_path_pool_def_default();
    ploy_path_pool *pool = NULL;
    ploy_path *path = NULL, *more = NULL;
    (void)arg;
    def.paths = 1;
    ploy_result result = ploy_path_pool_create(&def, env, &pool);
    if (result == PLOY_OK) result = ploy_path_pool_take(pool, &path);
    if (result == PLOY_OK) result = ploy_path_pool_take(pool, &more);
    if (result == PLOY_OK) result = ploy_path_reserve(more, 100);
    if (pool != NULL) ploy_path_pool_give(pool, path);
    if (pool != NULL) ploy_path_pool_give(pool, more);
    ploy_path_pool_destroy(pool);
    return result;
}

TEST(path_pool_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(pool_use, NULL);
}
