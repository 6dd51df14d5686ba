// Any bytes as a recipe: it loads whole or not at all, what loads is saved and read back the same,
// and runs for a while within a limit of memory without harm.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/writer.h"
#include "ploy/generate/recipe.h"

static void must(bool ok) {
    if (!ok) abort();
}

// Settings may require more memory than a fuzzer has.
typedef struct fuzz_memory {
    ploy_allocator inner;
    size_t live;
} fuzz_memory;

static void *fuzz_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    enum { LIMIT = 32 << 20 };
    fuzz_memory *memory = user;
    size_t old = ptr == NULL ? 0 : old_size;
    if (new_size > old && new_size - old > LIMIT - memory->live) return NULL;
    void *block = memory->inner.resize(memory->inner.user, ptr, old_size, new_size);
    if (block != NULL || new_size == 0) memory->live = memory->live - old + new_size;
    return block;
}

static void fuzz_save(const ploy_recipe *recipe, const ploy_env *env, ploy_buffer *out) {
    ploy_buffer_init(out, 0, env);
    ploy_writer writer = ploy_buffer_writer(out);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_recipe_save(recipe, &json);
    must(ploy_json_writer_finish(&json) == PLOY_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ploy_env plain = ploy_env_default();
    fuzz_memory memory = {plain.allocator, 0};
    ploy_allocator allocator = {fuzz_resize, &memory};
    ploy_env env = ploy_env_with_allocator(allocator);
    ploy_diags *diags = NULL;
    must(ploy_diags_create(4, &plain, &diags) == PLOY_OK);
    ploy_recipe *recipe = NULL, *again = NULL;
    ploy_result result = ploy_recipe_load(bytes, size, "fuzz", &env, diags, &recipe);
    must((result == PLOY_OK) == (recipe != NULL));
    if (result == PLOY_ERR_FORMAT) must(ploy_diags_count(diags) > 0);
    if (result == PLOY_OK) {
        must(ploy_recipe_count(recipe) >= 1 && ploy_recipe_count(recipe) <= PLOY_RECIPE_STAGES);
        ploy_buffer first, second;
        fuzz_save(recipe, &plain, &first);
        must(ploy_recipe_load(first.bytes, first.size, "again", &plain, diags, &again) == PLOY_OK);
        fuzz_save(again, &plain, &second);
        must(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
        ploy_buffer_fini(&first);
        ploy_buffer_fini(&second);
        ploy_recipe_run *run = NULL;
        must(ploy_recipe_run_create(&env, &run) == PLOY_OK);
        ploy_recipe_run_begin(run, recipe, ploy_rng_key_make(size), NULL);
        ploy_budget budget = ploy_budget_units(300);
        ploy_result step = ploy_recipe_run_step(run, &budget);
        must(step == PLOY_OK || step == PLOY_IN_PROGRESS || step == PLOY_ERR_MEMORY ||
             step == PLOY_ERR_ARGUMENT);
        ploy_recipe_run_destroy(run);
    }
    ploy_recipe_destroy(again);
    ploy_recipe_destroy(recipe);
    ploy_diags_destroy(diags);
    must(memory.live == 0);
    return 0;
}
