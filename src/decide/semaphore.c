// Semaphores by name; described in the header.
//
// Invariants:
//   (1) 0 <= users <= maximum of each;
//   (2) a semaphore's number is its place in the list and never changes.
#include "ploy/decide/semaphore.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "ploy/base/array.h"

typedef struct semaphore_item {
    char name[PLOY_SEMAPHORE_NAME_MAX];
    int32_t maximum;
    int32_t users;
} semaphore_item;

struct ploy_semaphores {
    ploy_env env;
    ploy_array items; // of semaphore_item
};

ploy_result ploy_semaphores_create(const ploy_env *env, ploy_semaphores **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_semaphores *semaphores = ploy_env_alloc(env, sizeof *semaphores);
    if (semaphores == NULL) return PLOY_ERR_MEMORY;
    semaphores->env = *env;
    ploy_array_init(&semaphores->items, sizeof(semaphore_item), env);
    *out = semaphores;
    return PLOY_OK;
}

void ploy_semaphores_destroy(ploy_semaphores *semaphores) {
    if (semaphores == NULL) return;
    ploy_array_fini(&semaphores->items);
    ploy_env env = semaphores->env;
    ploy_env_free(&env, semaphores, sizeof *semaphores);
}

ploy_result ploy_semaphores_get(ploy_semaphores *semaphores, const char *name, int32_t maximum,
                                int32_t *out) {
    if (semaphores == NULL || name == NULL || out == NULL || maximum < 1) return PLOY_ERR_ARGUMENT;
    size_t length = strlen(name);
    if (length == 0 || length >= PLOY_SEMAPHORE_NAME_MAX) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < semaphores->items.count; i++) {
        const semaphore_item *item = PLOY_ARRAY_AT(&semaphores->items, semaphore_item, i);
        if (strcmp(item->name, name) != 0) continue;
        *out = i;
        return item->maximum == maximum ? PLOY_OK : PLOY_ERR_EXISTS;
    }
    semaphore_item *item = ploy_array_add(&semaphores->items);
    if (item == NULL) return PLOY_ERR_MEMORY;
    memcpy(item->name, name, length); // the rest is zero
    item->maximum = maximum;
    *out = semaphores->items.count - 1;
    return PLOY_OK;
}

static semaphore_item *semaphore_at(const ploy_semaphores *semaphores, int32_t semaphore) {
    if (semaphores == NULL) return NULL;
    return PLOY_ARRAY_AT(&semaphores->items, semaphore_item, semaphore);
}

bool ploy_semaphores_acquire(ploy_semaphores *semaphores, int32_t semaphore) {
    semaphore_item *item = semaphore_at(semaphores, semaphore);
    if (item == NULL || item->users >= item->maximum) return false;
    item->users++;
    return true;
}

void ploy_semaphores_release(ploy_semaphores *semaphores, int32_t semaphore) {
    semaphore_item *item = semaphore_at(semaphores, semaphore);
    if (item != NULL && item->users > 0) item->users--; // keeps (1)
}

int32_t ployi_semaphores_users(const ploy_semaphores *semaphores, int32_t semaphore) {
    const semaphore_item *item = semaphore_at(semaphores, semaphore);
    return item != NULL ? item->users : 0;
}

void ploy_semaphores_describe(const ploy_semaphores *semaphores, ploy_describe *out) {
    if (semaphores == NULL) return;
    for (int32_t i = 0; i < semaphores->items.count; i++) {
        const semaphore_item *item = semaphore_at(semaphores, i);
        ploy_describe_begin(out, item->name);
        ploy_describe_i64(out, "users", PLOY_STATE, item->users);
        ploy_describe_i64(out, "maximum", PLOY_STATE, item->maximum);
        ploy_describe_end(out);
    }
}
