// Containers: who is there, what they hold and who is next. You will see an id that knows its owner
// is gone, a map walked in the order of adding, and a queue that keeps ties in order. Shows
// ploy_pool, ploy_map and ploy_heap.
#include <stdio.h>

#include "ploy/base/heap.h"
#include "ploy/base/map.h"
#include "ploy/base/pool.h"

typedef struct orc {
    int health;
} orc;

static void show_pool(const ploy_env *env) {
    ploy_pool *orcs = NULL;
    if (ploy_pool_create(sizeof(orc), 0, 0, env, &orcs) != PLOY_OK) return;
    ploy_id target = ploy_id_none(), other = ploy_id_none();
    (void)ploy_pool_add(orcs, &target, NULL);
    ploy_pool_remove(orcs, target);          // it dies,
    (void)ploy_pool_add(orcs, &other, NULL); // and another takes its place
    printf("places %u and %u; the old id finds %s\n", (unsigned)target.index, (unsigned)other.index,
           ploy_pool_get(orcs, target) == NULL ? "nobody" : "a stranger");
    ploy_pool_destroy(orcs);
}

static void show_map(const ploy_env *env) {
    ploy_map gold;
    ploy_map_init(&gold, sizeof(int), env);
    static const char *const owners[] = {"dragon", "king", "thief"};
    for (int i = 0; i < 3; i++) (void)ploy_map_put_text(&gold, owners[i], &(int){1000 >> i});
    void *value = NULL;
    printf("gold:");
    for (int32_t cursor = 0; ploy_map_next(&gold, &cursor, NULL, &value);) {
        printf(" %d", *(int *)value); // in the order of adding, never of the hash
    }
    printf("\n");
    ploy_map_fini(&gold);
}

static void show_heap(const ploy_env *env) {
    ploy_heap turns;
    (void)ploy_heap_init(&turns, 4, env);
    static const double when[] = {3.0, 1.0, 2.0, 1.0};
    for (uint64_t i = 0; i < 4; i++) (void)ploy_heap_push(&turns, when[i], i);
    uint64_t who = 0;
    printf("turns:");
    while (ploy_heap_pop(&turns, NULL, &who)) printf(" %d", (int)who);
    printf("\n");
    ploy_heap_fini(&turns);
}

int main(void) {
    ploy_env env = ploy_env_default();
    show_pool(&env);
    show_map(&env);
    show_heap(&env);
    return 0;
}
