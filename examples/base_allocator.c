// Your own allocator and log: the game decides where memory comes from and hears what goes wrong.
// You will see a setting refused with a reason, a map that runs into the game's memory budget and
// stays whole, and a count that proves nothing was leaked. Shows ploy_env, ploy_counting_allocator,
// ploy_fields_check and ploy_map.
#include <stdio.h>
#include <stdlib.h>

#include "ploy/base/alloc.h"
#include "ploy/base/fields.h"
#include "ploy/base/map.h"

// malloc with a budget. ploy always passes the old size, so one number is all the bookkeeping.
static void *game_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    size_t *left = user;
    if (new_size > old_size && new_size - old_size > *left) return NULL;
    void *moved = new_size == 0 ? NULL : realloc(ptr, new_size);
    if (new_size != 0 && moved == NULL) return NULL;
    if (new_size == 0) free(ptr);
    *left = *left + old_size - new_size;
    return moved;
}

static void game_log(void *user, ploy_severity severity, const char *text) {
    if (severity >= PLOY_SEVERITY_WARNING) printf("%s: %s\n", (const char *)user, text);
}

// Settings of the game's own, checked as ploy's are.
typedef struct guard_def {
    uint32_t cookie; // every def begins with one; the default sets it
    float sight;
} guard_def;
static const ploy_field guard_fields[] = {
    PLOY_FIELD_F32(guard_def, sight, 20, 0, 100, "m", "how far a guard sees"),
};

int main(void) {
    size_t budget = 4096; // bytes
    ploy_allocator game = {game_resize, &budget};
    ploy_counting_allocator counting; // between ploy and the game, to look
    ploy_counting_allocator_init(&counting, &game, true);
    ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
    env.log = game_log;
    env.log_user = "the game's log";

    guard_def guard;
    ploy_fields_default(PLOY_FIELDS(guard_def, guard_fields), &guard);
    guard.sight = 250;
    ploy_result result = ploy_fields_check(PLOY_FIELDS(guard_def, guard_fields), &guard, &env);
    printf("check: %s\n", ploy_result_text(result));

    ploy_map map;
    ploy_map_init(&map, sizeof(float), &env);
    uint64_t key = 0;
    while ((result = ploy_map_put(&map, key, &guard.sight)) == PLOY_OK) key++;
    printf("put: %s; keys kept: %d\n", ploy_result_text(result), (int)ploy_map_count(&map));
    ploy_map_fini(&map);
    printf("nothing leaked: %s\n", ploy_counting_allocator_fini(&counting) ? "yes" : "no");
    return 0;
}
