// A pool of paths; described in the header.
//
// Invariants, from create to destroy:
//   (1) unused holds the paths that are not in use, the one given back last at the end;
//   (2) unused has room for `made` paths, so that giving back a path of the pool allocates nothing.
#include "ploy/geom/path_pool.h"

#include "geom/geom_internal.h"
#include "ploy/base/array.h"

enum { PATH_POOL_MAX = 1 << 20 };

static const ploy_field path_pool_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_path_pool_def, points, 32, 0, 1 << 20, "",
                         "points that fit in each path before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_path_pool_def, paths, 0, 0, PATH_POOL_MAX, "",
                         "paths created in advance"),
};

struct ploy_path_pool {
    ploy_env env;
    ploy_path_pool_def def;
    ploy_array unused; // ploy_path *
    int32_t made;
};

ploy_fields ploy_path_pool_fields(void) {
    return PLOY_FIELDS(ploy_path_pool_def, path_pool_fields);
}

ploy_path_pool_def ploy_path_pool_def_default(void) {
    ploy_path_pool_def def;
    ploy_fields_default(ploy_path_pool_fields(), &def);
    return def;
}

ploy_result ploy_path_pool_create(const ploy_path_pool_def *def, const ploy_env *env,
                                  ploy_path_pool **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_path_pool_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_path_pool *pool = ploy_env_alloc_zero(env, sizeof *pool);
    if (pool == NULL) return PLOY_ERR_MEMORY;
    pool->env = *env;
    pool->def = *def;
    ploy_array_init(&pool->unused, sizeof(ploy_path *), env);
    result = ploy_path_pool_reserve(pool, def->paths);
    if (result != PLOY_OK) {
        ploy_path_pool_destroy(pool);
        return result;
    }
    *out = pool;
    return PLOY_OK;
}

void ploy_path_pool_destroy(ploy_path_pool *pool) {
    if (pool == NULL) return;
    ploy_env env = pool->env;
    for (int32_t i = 0; i < ploy_array_count(&pool->unused); i++) {
        ploy_path_destroy(*(ploy_path **)ploy_array_at(&pool->unused, i));
    }
    ploy_array_fini(&pool->unused);
    ploy_env_free(&env, pool, sizeof *pool);
}

// A path more, not in unused yet; unused has room for it.
static ploy_result path_pool_make(ploy_path_pool *pool, ploy_path **out) {
    ploy_path_def def = ploy_path_def_default();
    def.capacity = pool->def.points;
    *out = NULL;
    if (pool->made == PATH_POOL_MAX) return PLOY_ERR_MEMORY;
    if (pool->made + 1 > pool->unused.capacity &&
        ploy_array_reserve(&pool->unused, 2 * pool->made + 4) != PLOY_OK) {
        return PLOY_ERR_MEMORY;
    }
    ploy_result result = ploy_path_create(&def, &pool->env, out);
    if (result == PLOY_OK) pool->made++; // keeps (2)
    return result;
}

ploy_result ploy_path_pool_reserve(ploy_path_pool *pool, int32_t paths) {
    if (paths < 0 || paths > PATH_POOL_MAX) return PLOY_ERR_ARGUMENT;
    if (paths <= pool->made) return PLOY_OK;
    if (ploy_array_reserve(&pool->unused, paths) != PLOY_OK) return PLOY_ERR_MEMORY;
    while (pool->made < paths) {
        ploy_path *path = NULL;
        ploy_result result = path_pool_make(pool, &path);
        if (result != PLOY_OK) return result;
        ploy_path_pool_give(pool, path);
    }
    return PLOY_OK;
}

ploy_result ploy_path_pool_take(ploy_path_pool *pool, ploy_path **out) {
    if (ploy_array_pop(&pool->unused, out)) return PLOY_OK;
    return path_pool_make(pool, out);
}

void ploy_path_pool_give(ploy_path_pool *pool, ploy_path *path) {
    if (path == NULL) return;
    ploy_path_clear(path);
    (void)ployi_path_set_closed(path, false, NULL);
    // Only a path from elsewhere can need room; without memory for that it is freed.
    if (ploy_array_push(&pool->unused, &path) != PLOY_OK) ploy_path_destroy(path);
}
