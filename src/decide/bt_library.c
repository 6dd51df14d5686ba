// A library of behavior trees; described in the header.
#include "ploy/decide/bt_library.h"

#include <string.h>

#include "ploy/base/array.h"

struct ploy_bt_library {
    ploy_env env;
    ploy_array trees; // of ploy_bt *
};

ploy_result ploy_bt_library_create(const ploy_env *env, ploy_bt_library **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_bt_library *library = ploy_env_alloc(env, sizeof *library);
    if (library == NULL) return PLOY_ERR_MEMORY;
    library->env = *env;
    ploy_array_init(&library->trees, sizeof(ploy_bt *), env);
    *out = library;
    return PLOY_OK;
}

void ploy_bt_library_destroy(ploy_bt_library *library) {
    if (library == NULL) return;
    ploy_bt **trees = PLOY_ARRAY_ITEMS(&library->trees, ploy_bt *);
    for (int32_t i = 0; i < library->trees.count; i++) ploy_bt_destroy(trees[i]);
    ploy_array_fini(&library->trees);
    ploy_env env = library->env;
    ploy_env_free(&env, library, sizeof *library);
}

const ploy_bt *ploy_bt_library_find(const ploy_bt_library *library, const char *name) {
    if (library == NULL || name == NULL) return NULL;
    ploy_bt *const *trees = PLOY_ARRAY_ITEMS(&library->trees, ploy_bt *);
    for (int32_t i = 0; i < library->trees.count; i++) {
        if (strcmp(ploy_bt_name(trees[i]), name) == 0) return trees[i];
    }
    return NULL;
}

int32_t ploy_bt_library_count(const ploy_bt_library *library) {
    return library->trees.count;
}

ploy_result ploy_bt_library_add(ploy_bt_library *library, ploy_bt *bt) {
    if (library == NULL || bt == NULL) return PLOY_ERR_ARGUMENT;
    if (ploy_bt_library_find(library, ploy_bt_name(bt)) != NULL) return PLOY_ERR_EXISTS;
    return ploy_array_push(&library->trees, &bt);
}

ploy_result ploy_bt_library_make(const ploy_bt_library *library, const char *name,
                                 const ploy_bt_instance_def *def, ploy_semaphores *semaphores,
                                 const ploy_env *env, ploy_bt_instance **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    const ploy_bt *bt = ploy_bt_library_find(library, name);
    if (bt == NULL) return PLOY_ERR_NOT_FOUND;
    return ploy_bt_instance_create(def, bt, semaphores, env, out);
}
