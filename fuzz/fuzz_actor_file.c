// Any bytes as the file of an actor: refused with a reason, or loaded, and then it is saved and
// loaded again, acts, learns and is reset. A file may ask for large tables, so memory is limited.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/actor_file.h"

static void must(bool condition) {
    if (!condition) abort();
}

static void *limited_resize(void *user, void *pointer, size_t old_size, size_t new_size) {
    size_t *left = user;
    if (new_size > old_size && new_size - old_size > *left) return NULL;
    void *out = NULL;
    if (new_size == 0) {
        free(pointer);
    } else {
        out = realloc(pointer, new_size);
        if (out == NULL) return NULL;
    }
    *left = *left + old_size - new_size;
    return out;
}

static void act(ploy_actor actor) {
    const ploy_problem_space *space = ploy_actor_space(actor);
    float seen[PLOY_PROBLEM_OBSERVED_MAX] = {0};
    ploy_situation now = {space->states > 0 ? 0 : -1, space->observed > 0 ? seen : NULL, NULL};
    ploy_problem_result result = {0.5f, false, false};
    for (int32_t i = 0; i < 3; i++) {
        int32_t action = ploy_actor_choose(actor, &now);
        must(action >= 0 && action < space->actions);
        (void)ploy_actor_learn(actor, &now, action, result, &now, action);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1 << 15) return 0;
    size_t left = (size_t)64 << 20, all = left;
    ploy_env env = ploy_env_default();
    env.allocator.resize = limited_resize;
    env.allocator.user = &left;
    env.log = NULL;
    ploy_diags *diags = NULL;
    ploy_actor actor, again;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_result result = ploy_actor_load(data, size, "fuzz", NULL, &env, diags, &actor);
    must((result == PLOY_OK) == (actor.type != NULL));
    if (result == PLOY_OK) {
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        if (ploy_actor_save(actor, &writer) == PLOY_OK &&
            ploy_actor_load(buffer.bytes, buffer.size, "again", NULL, &env, NULL, &again) ==
                PLOY_OK) {
            must(ploy_actor_hash(again) == ploy_actor_hash(actor));
            act(actor);
            act(again);
            must(ploy_actor_hash(again) == ploy_actor_hash(actor));
            ploy_actor_reset(actor);
            ploy_actor_destroy(again);
        }
        ploy_buffer_fini(&buffer);
    }
    ploy_actor_destroy(actor);
    ploy_diags_destroy(diags);
    must(left == all);
    return 0;
}
