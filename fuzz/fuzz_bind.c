// Bound functions called from Lua with any arguments: a result or an error, never a crash.
//
// The bytes choose functions and seeds: three bytes for each call. Objects are made once, by plain calls and by the
// recipes; the calls use and change them.
#include <stdlib.h>
#include <string.h>

#include "ploy/script/bind.h"
#include "tests/script/bind_driver.h"

#define FUZZ_CALLS 24
#define FUZZ_BYTES ((size_t)64 << 20)

typedef struct fuzz_memory {
    ploy_env under;
    size_t used, cap;
} fuzz_memory;

static void *fuzz_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    fuzz_memory *memory = user;
    if (new_size > old_size && new_size - old_size > memory->cap - memory->used) return NULL;
    void *block = ploy_env_resize(&memory->under, ptr, old_size, new_size);
    if (block != NULL || new_size == 0) memory->used += new_size - old_size;
    return block;
}

static const ployi_bind_function *fuzz_function(uint32_t number) {
    for (int32_t m = 0; m < ployi_bind_module_count; m++) {
        uint32_t count = (uint32_t)ployi_bind_modules[m]->count;
        if (number < count) return &ployi_bind_modules[m]->functions[number];
        number -= count;
    }
    return NULL;
}

static uint32_t fuzz_count(void) {
    uint32_t count = 0;
    for (int32_t m = 0; m < ployi_bind_module_count; m++)
        count += (uint32_t)ployi_bind_modules[m]->count;
    return count;
}

static void fuzz_open(driver *d, fuzz_memory *memory) {
    static char text[4096];
    *memory = (fuzz_memory){.under = ploy_env_default(), .cap = 4 * FUZZ_BYTES};
    memory->under.log = NULL;
    ploy_env env = memory->under;
    env.allocator = (ploy_allocator){.resize = fuzz_resize, .user = memory};
    if (!driver_open(d, &env, 1)) abort();
    (void)driver_recipes(d, PLOY_SOURCE_DIR, text, sizeof text);
    for (uint32_t i = 0; i < fuzz_count(); i++) {
        const ployi_bind_function *fn = fuzz_function(i);
        bool ends = fn->count > 0 && fn->parameters[0].role == PLOYI_BIND_OWNED;
        if (!ends) (void)driver_call(d, fn, text, sizeof text);
    }
    memory->cap = memory->used + FUZZ_BYTES;
    d->mode = DRIVER_WILD;
}

static driver fuzz_driver; // opened once: making all objects takes seconds
static fuzz_memory fuzz_used;

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    fuzz_open(&fuzz_driver, &fuzz_used);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    driver *d = &fuzz_driver;
    char text[600];
    for (size_t at = 0; at + 3 <= size && at < 3 * FUZZ_CALLS; at += 3) {
        uint32_t number = (uint32_t)data[at] << 8 | data[at + 1];
        const ployi_bind_function *fn = fuzz_function(number % fuzz_count());
        d->random = ((uint64_t)number << 8 | data[at + 2]) * UINT64_C(0x9E3779B97F4A7C15) + 1;
        (void)driver_call(d, fn, text, sizeof text);
    }
    lua_gc(d->L, LUA_GCSTEP, 0);
    return 0;
}
